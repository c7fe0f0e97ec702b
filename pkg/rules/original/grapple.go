package original

import (
	"slices"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func grappleActions() []*action {
	return []*action{
		{id: "grapple", title: "Grapple", options: grappleOptions, do: doGrapple},
		{id: "let-go", title: "Let go", do: doLetGo, options: func(_ *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
			return []*eventv1.Option{option("", letGoRefused(c))}
		}},
	}
}

// grappleRefused says why a creature may not grapple a foe. More of a side may
// join those of theirs with whom it struggles.
//
// original.grapple.to-hit
func grappleRefused(s *eventv1.State, c, target *eventv1.Creature) error {
	if isUnit(c) {
		return refuse("UNIT", cite.MassGrouping, "units do not grapple")
	}
	if err := attackLeft(s, c); err != nil {
		return err
	}
	switch {
	case target == nil || target.Side == c.Side || out(target):
		return refuse("NO_FOE", cite.GrappleToHit, "there is nobody to grapple")
	case isUnit(target):
		return refuse("UNIT", cite.MassGrouping, "units do not grapple")
	case has(target, condPinned):
		return refuse("HELD", cite.GrapplePinned, "%s is pinned already", target.Name)
	case has(target, condStruggling) && !heldBySide(s, target, c.Side):
		return refuse("HELD", cite.GrappleTieStruggling, "%s is held already", target.Name)
	}
	return meleeRefused(s, c, target, &eventv1.TakeAction{})
}

// heldBySide tells whether those who hold a creature are of a side.
func heldBySide(s *eventv1.State, c *eventv1.Creature, side string) bool {
	hold := holders(s, c.Id)
	return len(hold) > 0 && s.Creatures[hold[0]].Side == side
}

func grappleOptions(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	o := targeted("", foes(s, c), func(id string) error { return grappleRefused(s, c, s.Creatures[id]) })
	with := &eventv1.Parameter{Name: "with", Type: "creatures", Text: "Those of the same side who grapple too"}
	for _, id := range s.Active {
		// Only who can grapple any of the targets, so that every choice holds.
		helps := func(target string) bool { return grappleRefused(s, s.Creatures[id], s.Creatures[target]) == nil }
		if other := s.Creatures[id]; id != c.Id && other.GetSide() == c.Side && able(s, other) && !has(other, condStruggling) &&
			!slices.ContainsFunc(o.Targets, func(t string) bool { return !helps(t) }) {
			with.Values = append(with.Values, structpb.NewStringValue(id))
		}
	}
	o.Parameters = []*eventv1.Parameter{with}
	return []*eventv1.Option{o}
}

// doGrapple has every grappler roll to hit; when the last has rolled, those
// with a hold contest the defender.
func doGrapple(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	id, err := oneTarget(take)
	if err != nil {
		return err
	}
	s := r.State()
	with, _ := spoken.Words(take.GetParameters(), "with")
	all := append([]string{c.Id}, with...)
	for i, g := range all {
		switch other := s.Creatures[g]; {
		case other == nil || other.Side != c.Side || slices.Contains(all[:i], g):
			return fault.Field("take.parameters.with", "%q is no other of the same side", g)
		case !slices.Contains(s.Active, g) || !able(s, other) || has(other, condStruggling):
			return refuse("NOT_YOUR_TURN", cite.GrappleToHit, "%s cannot act now", g)
		default:
			if err := grappleRefused(s, other, s.Creatures[id]); err != nil {
				return err
			}
		}
	}
	with = willing(r, c, id, with)
	all = append([]string{c.Id}, with...)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Targets: take.Targets, Notes: with}, cite.GrappleToHit)
	for _, g := range all { // they surround the foe before the first rolls
		r.Mark(g, mAttacking, id, cite.AttackSurroundBonus)
		meet(r, g, id)
	}
	joined := false
	for _, g := range all {
		b := newBlow(r.State(), r.Creature(g), r.Creature(id), emptyHand, &eventv1.TakeAction{Facts: atHand().Facts, Circumstances: take.Circumstances})
		b.label, b.noDamage = "grapple/"+g, true
		r.Set(g, cAttacks, 1, "grapple", cite.GrappleToHit)
		r.Mark(g, mStrong, itoa(s.Round), cite.GrappleToHit)
		if strike(r, b) != nil {
			r.Mark(g, mHolds, id, cite.GrappleToHit)
			joined = true
		}
	}
	if !joined { // those who held it before go on in their own turn
		return nil
	}
	if s.Marks[mTogether] != "" { // settled when all in the slot have acted
		r.Mark(id, mContest, "yes", cite.InitiativeTiesSimultaneous)
		return nil
	}
	struggle(r, id)
	return nil
}

// willing asks those who are to grapple too whether they do, and returns those
// who will. Whoever plays the one who begins says it for those played alike.
//
// original.grapple.to-hit
func willing(r *rules.Resolution, c *eventv1.Creature, foe string, with []string) []string {
	ask, labels := map[string]*eventv1.Decision{}, []string{}
	for _, id := range with {
		if !playedAlike(c, r.Creature(id)) {
			ask["join/"+id] = rules.YesNo(decJoin, id, c.Name+" grapples "+r.Creature(foe).Name, "Grapple too?", "no", cite.GrappleToHit)
			labels = append(labels, "join/"+id)
		}
	}
	answers := r.AskAll(ask, labels)
	return slices.DeleteFunc(slices.Clone(with), func(id string) bool {
		a := answers["join/"+id]
		return a != nil && a.Option != "yes"
	})
}

// playedAlike tells whether whoever plays one creature plays another too, the
// game master those whom nobody else plays.
func playedAlike(c, other *eventv1.Creature) bool {
	if len(c.Controllers) == 0 {
		return len(other.Controllers) == 0
	}
	return !slices.ContainsFunc(c.Controllers, func(name string) bool { return !slices.Contains(other.Controllers, name) })
}

// heldContests rolls the contests of holds laid in a simultaneous slot.
//
// original.initiative.ties-simultaneous, original.grapple.contest
func heldContests(r *rules.Resolution) {
	for _, id := range present(r.State()) {
		if r.Creature(id).Marks[mContest] != "" {
			r.Mark(id, mContest, "", cite.GrappleContest)
			releaseHolds(r)
			struggle(r, id)
		}
	}
}

// holders lists those who hold a creature.
func holders(s *eventv1.State, id string) []string {
	var ids []string
	for _, h := range present(s) {
		if s.Creatures[h].Marks[mHolds] == id {
			ids = append(ids, h)
		}
	}
	return ids
}

// struggle rolls the contest of hit dice between a creature and those who hold it.
//
// original.grapple.contest
func struggle(r *rules.Resolution, id string) {
	hold := holders(r.State(), id)
	if len(hold) == 0 {
		return
	}
	var rolled rules.Rolled
	dice := func(who string) int32 {
		rolled = r.Roll(rules.RollSpec{Label: "contest/" + who, Creature: who, Expression: itoa(levelOf(r.Creature(who))) + "d6", Reason: "grapple",
			Rules: []string{cite.GrappleContest}})
		return rolled.Total
	}
	theirs := int32(0)
	for _, h := range hold {
		theirs += dice(h)
	}
	mine := dice(id)
	r.Mark(id, mStruggled, itoa(r.State().Round), cite.GrappleContest)
	// The struggle takes the place of the held one's attacks in this round.
	r.Set(id, cAttacks, max(r.Count(id, cAttacks), int64(attacksAgainstNormal(r.State(), r.Creature(id)))), "struggle", cite.GrappleNewInitiative)
	text := "the holders have " + itoa(theirs) + ", " + r.Creature(id).Name + " has " + itoa(mine)
	switch {
	case mine < theirs:
		r.Note(rolled.Audience, id, text, cite.GrapplePinned)
		become(r, id, condPinned, condStruggling, cite.GrapplePinned)
	case mine == theirs:
		r.Note(rolled.Audience, id, text, cite.GrappleTieStruggling)
		become(r, id, condStruggling, condPinned, cite.GrappleTieStruggling)
	default:
		r.Note(rolled.Audience, id, text, cite.GrappleThrownOff)
		throwOff(r, id, hold, mine-theirs)
	}
}

func become(r *rules.Resolution, id, name, instead, rule string) {
	if x := condition(r.Creature(id), instead); x != nil {
		r.RemoveCondition(id, x, name, rule)
	}
	if !has(r.Creature(id), name) {
		r.AddCondition(id, &eventv1.Condition{Name: name, Source: holders(r.State(), id)[0], Cause: "grapple", Rule: rule})
	}
}

// throwOff frees a creature; those who held it are stunned, from the next
// round on for as many rounds as it beat them by. With more attackers left
// initiative is rolled again.
//
// original.grapple.thrown-off, original.grapple.new-initiative
func throwOff(r *rules.Resolution, id string, hold []string, by int32) {
	for _, h := range hold {
		r.Mark(h, mHolds, "", cite.GrappleThrownOff)
		stun(r, h, id, r.State().Round+by)
	}
	free(r, id)
	for _, foe := range foes(r.State(), r.Creature(id)) {
		if able(r.State(), r.Creature(foe)) {
			r.Mark("", mReroll, "yes", cite.GrappleNewInitiative)
			return
		}
	}
}

// stun stuns a creature to the end of a round; a longer stun stays.
func stun(r *rules.Resolution, id, source string, until int32) {
	if x := condition(r.Creature(id), condStunned); x != nil {
		if x.GetUntil().GetRound() >= until {
			return
		}
		r.RemoveCondition(id, x, "stunned for longer", cite.GrappleThrownOff)
	}
	r.AddCondition(id, &eventv1.Condition{Name: condStunned, Source: source, Cause: "thrown off", Until: &eventv1.Until{When: "round", Round: until},
		Rule: cite.GrappleThrownOff})
}

// free ends the conditions of being held.
func free(r *rules.Resolution, id string) {
	for _, name := range []string{condPinned, condStruggling} {
		if x := condition(r.Creature(id), name); x != nil {
			r.RemoveCondition(id, x, "free", cite.GrappleThrownOff)
		}
	}
}

// releaseHolds ends holds whose holder or victim is out of it.
func releaseHolds(r *rules.Resolution) {
	for _, id := range rules.SortedKeys(r.State().Creatures) {
		c := r.Creature(id)
		if v := c.Marks[mHolds]; v != "" {
			victim := r.Creature(v)
			if victim == nil || out(victim) || victim.Marks[mLeaving] != "" || out(c) || helpless(c) != nil || c.Marks[mLeaving] != "" {
				r.Mark(id, mHolds, "", cite.GrappleToHit)
			}
		}
	}
	for _, id := range rules.SortedKeys(r.State().Creatures) {
		if c := r.Creature(id); (has(c, condPinned) || has(c, condStruggling)) && len(holders(r.State(), id)) == 0 && heldByGrapple(c) {
			free(r, id)
		}
	}
}

// grappleRules are the rules by which a grapple holds, throws off and pins.
var grappleRules = []string{cite.GrappleToHit, cite.GrappleContest, cite.GrapplePinned, cite.GrappleTieStruggling, cite.GrappleThrownOff, cite.GrappleNewInitiative}

// heldByGrapple tells whether a hold came of a grapple and not of the game
// master's word.
func heldByGrapple(c *eventv1.Creature) bool {
	for _, x := range c.Conditions {
		if (x.Name == condPinned || x.Name == condStruggling) && slices.Contains(grappleRules, x.Rule) {
			return true
		}
	}
	return false
}

// struggleAgain rolls the contests anew when the turn of those who hold comes:
// of one who struggles always, of one who is pinned if it wants to.
//
// original.grapple.tie-struggling, original.grapple.pinned
func struggleAgain(r *rules.Resolution, turn []string) {
	for _, id := range present(r.State()) {
		c := r.Creature(id)
		hold := holders(r.State(), id)
		if c.Marks[mStruggled] == itoa(r.State().Round) || !slices.ContainsFunc(hold, func(h string) bool { return slices.Contains(turn, h) }) {
			continue
		}
		if has(c, condPinned) {
			answer := r.Ask("struggle/"+id, rules.YesNo(decStruggle, id, "pinned", "Struggle against the pin?", "yes", cite.GrapplePinned))
			if answer.Option != "yes" {
				r.Mark(id, mStruggled, itoa(r.State().Round), cite.GrapplePinned)
				continue
			}
		}
		struggle(r, id)
	}
}

func letGoRefused(c *eventv1.Creature) error {
	if c.Marks[mHolds] == "" {
		return refuse("NO_HOLD", cite.GrappleToHit, "%s holds nobody", c.Name)
	}
	return nil
}

func doLetGo(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := letGoRefused(c); err != nil {
		return err
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Targets: []string{c.Marks[mHolds]}}, cite.GrappleToHit)
	r.Set(c.Id, cAttacks, max(1, r.Count(c.Id, cAttacks)), "held", cite.GrappleToHit)
	r.Mark(c.Id, mHolds, "", cite.GrappleToHit)
	return nil
}
