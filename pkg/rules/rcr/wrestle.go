package rcr

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// wrestling are the attacks that use checks. They keep their cost of the fifth
// edition whatever the table's economy of checks.
//
// rcr.action.skill-default-bonus
func wrestling() []*action {
	return []*action{
		{id: "grapple", title: "Grapple", do: doGrapple,
			options: func(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option { return wrestleOptions(s, c, "grapple") }},
		{id: "shove", title: "Shove", do: doShove,
			options: func(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option { return wrestleOptions(s, c, "shove") }},
		{id: "escape", title: "Escape", options: escapeOptions, do: doEscape},
		{id: "release", title: "Let go of a grapple", options: releaseOptions, do: doRelease},
	}
}

// refuseWrestle says why a creature cannot be grappled or shoved: more than one
// size larger, out of reach, already in one's hold.
func refuseWrestle(s *eventv1.State, c, e *eventv1.Creature, id string, take *eventv1.TakeAction) error {
	const frame = cite.BaseFifthEditionFallback
	feet, known := distanceTo(c, e)
	if n, ok := spoken.Number(take.GetFacts(), "distance"); ok {
		feet, known = n, true
	}
	switch {
	case e.Id == c.Id:
		return refuse("SELF", frame, "%s cannot %s itself", c.Name, id)
	case dead(e):
		return refuse("TARGET_DEAD", frame, "%s is dead", e.Name)
	case known && feet > 5:
		return refuse("OUT_OF_REACH", frame, "%s is not within 5 feet", e.Name)
	case slices.Index(sizes, e.Size) > slices.Index(sizes, c.Size)+1:
		return refuse("TOO_LARGE", frame, "%s is too large", e.Name)
	case charmedBy(c, e.Id):
		return refuse("CHARMED", frame, "%s is charmed by %s", c.Name, e.Name)
	case id == "grapple" && grappledBy(e, c.Id) != nil:
		return refuse("GRAPPLED", frame, "%s is grappled already", e.Name)
	case id == "grapple" && handsTaken(s, c) >= 2:
		return refuse("NO_FREE_HAND", frame, "%s has no hand free", c.Name)
	}
	return nil
}

func grappledBy(c *eventv1.Creature, source string) *eventv1.Condition {
	for _, x := range c.GetConditions() {
		if x.Name == condGrappled && x.Source == source {
			return x
		}
	}
	return nil
}

func wrestleOptions(s *eventv1.State, c *eventv1.Creature, id string) []*eventv1.Option {
	costs := map[string]int32{}
	if !attackLeft(c, id) {
		costs[cAction] = 1
	}
	o := option("", refuseAttackCost(c, id), costs)
	o.MinimumTargets, o.MaximumTargets = 1, 1
	for _, other := range rules.SortedKeys(s.Creatures) {
		if refuseWrestle(s, c, s.Creatures[other], id, nil) == nil {
			o.Targets = append(o.Targets, other)
		}
	}
	if o.Legal && len(o.Targets) == 0 {
		rules.Forbid(o, refuse("NO_TARGET", cite.BaseFifthEditionFallback, "there is nobody to %s", id))
	}
	if id == "shove" {
		o.Parameters = []*eventv1.Parameter{choiceOf("effect", "Prone, or 5 feet away", false, "prone", "push")}
	}
	return []*eventv1.Option{o}
}

// wrestle pays one attack and has the two wrestle: Athletics against Athletics
// or Acrobatics.
func wrestle(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) (target string, won bool, err error) {
	target, err = oneTarget(take)
	if err != nil {
		return "", false, err
	}
	if err := refuseAttackCost(c, take.Action); err != nil {
		return "", false, err
	}
	if err := refuseWrestle(r.State(), c, r.Creature(target), take.Action, take); err != nil {
		return "", false, err
	}
	payAttack(r, c, take.Action, "")
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Targets: []string{target}, Notes: statedNotes(take)})
	edges, mods := statedEdges(take.Circumstances, target)
	won, _ = contest(r, r.Creature(c.Id), "athletics", checkOpts{edges: edges, modifiers: mods, kinds: renamed(take.Facts, "kinds")}, r.Creature(target),
		[]string{"athletics", "acrobatics"}, take.Action, cite.BaseFifthEditionFallback)
	return target, won, nil
}

// doGrapple takes hold of a creature.
//
// rcr.condition.grappled-speed
func doGrapple(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	target, won, err := wrestle(r, c, take)
	if err != nil || !won {
		return err
	}
	if named(sheetOf(r.Creature(target)).ConditionImmunities, condGrappled) {
		// Whoever tries finds out: the options would tell what the sheet keeps.
		r.Note(event.Everyone(), target, r.Creature(target).Name+" cannot be grappled", cite.BaseFifthEditionFallback)
		return nil
	}
	addCondition(r, target, &eventv1.Condition{Name: condGrappled, Source: c.Id, Cause: "grapple",
		Values: map[string]int32{"escape_dc": escapeDC(c)}, Rule: cite.ConditionGrappledSpeed})
	return nil
}

// doShove throws a creature to the ground or pushes it 5 feet away.
//
// rcr.condition.crouching-checks
func doShove(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	effect := spoken.Word(take.Parameters, "effect")
	target, won, err := wrestle(r, c, take)
	if err != nil || !won {
		return err
	}
	e := r.Creature(target)
	if effect != "push" {
		setProne(r, target, "shoved", cite.BaseFifthEditionFallback)
		return nil
	}
	if e.Position != nil && c.Position != nil {
		to := &eventv1.Position{X: e.Position.X + 5*grid.Sign(e.Position.X-c.Position.X), Y: e.Position.Y + 5*grid.Sign(e.Position.Y-c.Position.Y), Z: e.Position.Z}
		if !spaceFree(r.State(), e, to) {
			r.Note(event.Everyone(), target, "there is no room to push "+e.Name, cite.BaseFifthEditionFallback)
			return nil
		}
		// Moved by another: that provokes nothing.
		r.Move(&eventv1.Moved{Creature: target, To: to, Mode: "push", Feet: 5}, cite.BaseOpportunityFrame)
	} else {
		r.Note(event.Everyone(), target, e.Name+" is pushed 5 feet", cite.BaseFifthEditionFallback)
	}
	endDistantGrapples(r, target)
	return nil
}

// holding are the conditions that can be escaped from.
func holding(c *eventv1.Creature) []*eventv1.Condition {
	var out []*eventv1.Condition
	for _, x := range c.GetConditions() {
		if x.Name == condGrappled || x.Name == condRestrained && x.Values["escape_dc"] > 0 {
			out = append(out, x)
		}
	}
	return out
}

func escapeOptions(_ *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	var out []*eventv1.Option
	for _, x := range holding(c) {
		o := option(x.Id, needAction(c), map[string]int32{cAction: 1})
		o.Parameters = []*eventv1.Parameter{choiceOf("skill", "Athletics or Acrobatics", false, "athletics", "acrobatics")}
		out = append(out, o)
	}
	return out
}

// doEscape breaks free of a grapple or a restraint by a check against its DC.
func doEscape(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	held := holding(c)
	at := slices.IndexFunc(held, func(x *eventv1.Condition) bool { return take.Item == "" || x.Id == take.Item })
	if at < 0 {
		return refuse("NOT_HELD", cite.BaseFifthEditionFallback, "%s is not held", c.Name)
	}
	if err := needAction(c); err != nil {
		return err
	}
	x := held[at]
	skill := spoken.Word(take.Parameters, "skill")
	if skill == "" {
		skill = fallSkill(r.State(), c)
	}
	_, _, o, err := readCheck(r, c, take)
	if err != nil {
		return err
	}
	dc := x.Values["escape_dc"]
	if dc == 0 {
		dc = escapeDC(r.Creature(x.Source))
	}
	spend(r, c.Id, cAction, "escape")
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "escape", Item: x.Id, Notes: statedNotes(take)})
	o.rules = []string{cite.BaseFifthEditionFallback}
	if rollCheck(r, "check/escape", r.Creature(c.Id), skill, dc, "", o).Success() {
		r.RemoveCondition(c.Id, x, "escaped", cite.BaseFifthEditionFallback)
	}
	return nil
}

func releaseOptions(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	o := option("", nil, nil)
	o.MinimumTargets, o.MaximumTargets = 1, 1
	for _, id := range rules.SortedKeys(s.Creatures) {
		if grappledBy(s.Creatures[id], c.Id) != nil {
			o.Targets = append(o.Targets, id)
		}
	}
	if len(o.Targets) == 0 {
		return nil
	}
	return []*eventv1.Option{o}
}

// doRelease lets go of a grappled creature; it costs nothing.
func doRelease(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	id, err := oneTarget(take)
	if err != nil {
		return err
	}
	x := grappledBy(r.Creature(id), c.Id)
	if x == nil {
		return refuse("NOT_GRAPPLED", cite.BaseFifthEditionFallback, "%s does not hold %s", c.Name, r.Creature(id).Name)
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "release", Targets: []string{id}})
	r.RemoveCondition(id, x, "let go", cite.ConditionReplaceBase)
	return nil
}
