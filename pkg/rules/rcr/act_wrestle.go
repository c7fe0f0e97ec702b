package rcr

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// wrestleActions are the attacks that use checks. They keep their cost of the fifth
// edition whatever the table's economy of checks.
//
// rcr.action.skill-default-bonus
func wrestleActions() []*play.Action {
	wrestle := func(a *play.Action) *play.Action {
		a.Rule, a.Group, a.Least, a.Most = fallback, play.GroupManeuver, 1, 1
		a.CostOf = func(at *play.At) []play.Cost {
			if attackLeft(at.Actor, at.Action.ID) {
				return nil
			}
			return oneAction
		}
		a.Refuse = func(at *play.At) error { return refuseAttackCost(at.Actor, at.Action.ID) }
		a.RefuseTarget = func(at *play.At, t *eventv1.Creature) error {
			return refuseWrestle(at.State, at.Actor, t, at.Action.ID, at.Take)
		}
		return a
	}
	return []*play.Action{
		wrestle(&play.Action{ID: "grapple", Title: "Grapple", Do: deed(doGrapple)}),
		wrestle(&play.Action{ID: "shove", Title: "Shove", Do: deed(doShove)}),
		{ID: "escape", Title: "Escape", Rule: fallback, Group: play.GroupManeuver, Costs: oneAction, Items: holds,
			Refuse: refuseEscape, Fields: func(at *play.At) []play.Field {
				return offer(offer(append([]play.Field(nil), play.Field{Name: "skill"}), at, false, play.Field{Name: "inspiration"}), at, false, play.Field{Name: "dc"})
			},
			Check: func(at *play.At) error { return refuseInspired(at.Actor, at.Take) }, Do: deed(doEscape)},
		{ID: "release", Title: "Let go of a grapple", Rule: cite.ConditionReplaceBase, Group: play.GroupManeuver, Least: 1, Most: 1,
			Items: bareWhen(func(at *play.At) bool { return len(grappling(at.State, at.Actor)) > 0 }),
			RefuseTarget: func(at *play.At, t *eventv1.Creature) error {
				if grappledBy(t, at.Actor.Id) == nil {
					return refuse("NOT_GRAPPLED", cite.BaseFifthEditionFallback, "%s does not hold %s", at.Actor.Name, t.GetName())
				}
				return nil
			}, Do: deed(doRelease)},
	}
}

// wrestling pays one attack and has the two wrestle: Athletics against Athletics
// or Acrobatics.
func wrestling(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) (won bool) {
	to := target(take)
	payAttack(r, c, take.Action, "")
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Targets: take.Targets, Notes: statedNotes(take)})
	edges, mods := statedEdges(take.Circumstances, to)
	won, _ = contest(r, r.Creature(c.Id), "athletics", checkOpts{edges: edges, modifiers: mods, kinds: renamed(take.Facts, "kinds")}, r.Creature(to),
		[]string{"athletics", "acrobatics"}, take.Action, cite.BaseFifthEditionFallback)
	return won
}

// doGrapple takes hold of a creature.
//
// rcr.condition.grappled-speed
func doGrapple(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if !wrestling(r, c, take) {
		return nil
	}
	e := r.Creature(target(take))
	if named(sheetOf(e).ConditionImmunities, condGrappled) {
		// Whoever tries finds out: the options would tell what the sheet keeps.
		r.Note(event.Everyone(), e.Id, e.Name+" cannot be grappled", cite.BaseFifthEditionFallback)
		return nil
	}
	addCondition(r, e.Id, &eventv1.Condition{Name: condGrappled, Source: c.Id, Cause: "grapple",
		Values: map[string]int32{"escape_dc": escapeDC(c)}, Rule: cite.ConditionGrappledSpeed})
	return nil
}

// doShove throws a creature to the ground or pushes it 5 feet away.
//
// rcr.condition.crouching-checks
func doShove(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	effect := spoken.Word(take.Parameters, "effect")
	if !wrestling(r, c, take) {
		return nil
	}
	e := r.Creature(target(take))
	if effect != "push" {
		setProne(r, e.Id, "shoved", cite.BaseFifthEditionFallback)
		return nil
	}
	if e.Position != nil && c.Position != nil {
		to := &eventv1.Position{X: e.Position.X + 5*grid.Sign(e.Position.X-c.Position.X), Y: e.Position.Y + 5*grid.Sign(e.Position.Y-c.Position.Y), Z: e.Position.Z}
		if !spaceFree(r.State(), e, to) {
			r.Note(event.Everyone(), e.Id, "there is no room to push "+e.Name, cite.BaseFifthEditionFallback)
			return nil
		}
		// Moved by another: that provokes nothing.
		r.Move(&eventv1.Moved{Creature: e.Id, To: to, Mode: "push", Feet: 5}, cite.BaseOpportunityFrame)
	} else {
		r.Note(event.Everyone(), e.Id, e.Name+" is pushed 5 feet", cite.BaseFifthEditionFallback)
	}
	endDistantGrapples(r, e.Id)
	return nil
}

// holds are what can be escaped from; a command may leave open from which.
func holds(at *play.At) (out []string) {
	if !at.Listing && at.Item() == "" {
		return bare
	}
	for _, x := range holding(at.Actor) {
		out = append(out, x.Id)
	}
	return out
}

// holdOf is what a creature escapes from: by the item, or the first; nil for nothing.
func holdOf(c *eventv1.Creature, item string) *eventv1.Condition {
	for _, x := range holding(c) {
		if item == "" || x.Id == item {
			return x
		}
	}
	return nil
}

func refuseEscape(at *play.At) error {
	if holdOf(at.Actor, at.Item()) == nil {
		return refuse("NOT_HELD", cite.BaseFifthEditionFallback, "%s is not held", at.Actor.Name)
	}
	return needAction(at.Actor)
}

// doEscape breaks free of a grapple or a restraint by a check against its DC.
func doEscape(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	x := holdOf(c, take.Item)
	skill := spoken.Word(take.Parameters, "skill")
	if skill == "" {
		skill = fallSkill(r.State(), c)
	}
	_, _, o := readCheck(take)
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

// doRelease lets go of a grappled creature; it costs nothing.
func doRelease(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	id := target(take)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "release", Targets: []string{id}})
	r.RemoveCondition(id, grappledBy(r.Creature(id), c.Id), "let go", cite.ConditionReplaceBase)
	return nil
}
