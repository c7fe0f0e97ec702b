package original

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func grappleActions() []*play.Action {
	return []*play.Action{
		{ID: "grapple", Title: "Grapple", Rule: cite.GrappleToHit, Group: play.GroupManeuver, Costs: anAttack, Least: 1, Most: 1, Candidates: foesAt,
			Refuse:       func(at *play.At) error { return grapplerRefused(at.State, at.Actor) },
			RefuseTarget: func(at *play.At, t *eventv1.Creature) error { return grappledRefused(at.State, at.Actor, t) },
			Fields:       grappleFields, Check: checkGrapple, Do: deed(doGrapple)},
		{ID: "let-go", Title: "Let go", Rule: cite.GrappleToHit, Group: play.GroupManeuver, Traits: traitHolding, Refuse: asSeen(letGoRefused), Do: deed(doLetGo)},
	}
}

// grappleRefused says why a creature may not grapple a foe. More of a side may
// join those of theirs with whom it struggles.
//
// original.grapple.to-hit
func grappleRefused(s *eventv1.State, c, target *eventv1.Creature) error {
	if err := grapplerRefused(s, c); err != nil {
		return err
	}
	return grappledRefused(s, c, target)
}

// grapplerRefused says why a creature may not grapple anybody.
func grapplerRefused(s *eventv1.State, c *eventv1.Creature) error {
	if isUnit(c) {
		return refuse("UNIT", cite.MassGrouping, "units do not grapple")
	}
	return attackLeft(s, c)
}

// grappledRefused says why a foe cannot be grappled by one who may grapple.
func grappledRefused(s *eventv1.State, c, target *eventv1.Creature) error {
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
	return meleeRefused(s, c, target, nil)
}

// heldBySide tells whether those who hold a creature are of a side.
func heldBySide(s *eventv1.State, c *eventv1.Creature, side string) bool {
	hold := holders(s, c.Id)
	return len(hold) > 0 && s.Creatures[hold[0]].Side == side
}

// grappleFields is who else of the side may grapple: only who can grapple any of the
// targets, so that every choice holds.
func grappleFields(at *play.At) []play.Field {
	if !at.Listing {
		return []play.Field{{Name: "with"}}
	}
	s, with := at.State, play.Field{Name: "with", Values: []string{}}
	for _, id := range s.Active {
		other := s.Creatures[id]
		if id == at.Actor.Id || other.GetSide() != at.Actor.Side || !able(s, other) || has(other, condStruggling) || grapplerRefused(s, other) != nil {
			continue
		}
		if !slices.ContainsFunc(sightOf(at).foes(), func(t string) bool {
			foe := s.Creatures[t]
			return grappledRefused(s, at.Actor, foe) == nil && grappledRefused(s, other, foe) != nil
		}) {
			with.Values = append(with.Values, id)
		}
	}
	if len(with.Values) == 0 {
		return nil
	}
	return []play.Field{with}
}

// checkGrapple refuses others who cannot grapple the foe too.
func checkGrapple(at *play.At) error {
	s, c := at.State, at.Actor
	with, _ := spoken.Words(at.Take.GetParameters(), "with")
	for i, g := range with {
		switch other := s.Creatures[g]; {
		case other == nil || other.Side != c.Side || g == c.Id || slices.Contains(with[:i], g):
			return fault.Field("take.parameters.with", "%q is no other of the same side", g)
		case !slices.Contains(s.Active, g) || !able(s, other) || has(other, condStruggling):
			return refuse("NOT_YOUR_TURN", cite.GrappleToHit, "%s cannot act now", g)
		default:
			if err := grappleRefused(s, other, at.Target()); err != nil {
				return err
			}
		}
	}
	return nil
}

// doGrapple has every grappler roll to hit; when the last has rolled, those
// with a hold contest the defender.
func doGrapple(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	s, id := r.State(), take.Targets[0]
	with, _ := spoken.Words(take.GetParameters(), "with")
	with = willing(r, c, id, with)
	all := append([]string{c.Id}, with...)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Targets: take.Targets, Notes: with}, cite.GrappleToHit)
	for _, g := range all { // they surround the foe before the first rolls
		only(r, g, relAttacks, id, cite.AttackSurroundBonus)
		meet(r, g, id)
	}
	joined := false
	for _, g := range all {
		b := newBlow(r.State(), r.Creature(g), r.Creature(id), emptyHand, &eventv1.TakeAction{Facts: atHand().Facts, Circumstances: take.Circumstances})
		b.label, b.noDamage = "grapple/"+g, true
		r.Set(g, cAttacks, 1, "grapple", cite.GrappleToHit)
		r.Set(g, cStrong, r.Count(g, cStrong)+1, "this round", cite.GrappleToHit)
		if strike(r, b) != nil {
			only(r, g, relHolds, id, cite.GrappleToHit)
			joined = true
		}
	}
	if !joined { // those who held it before go on in their own turn
		return nil
	}
	if s.Marks[mTogether] != "" { // settled when all in the slot have acted
		r.Emit(event.Everyone(), &eventv1.TaskSet{Task: &eventv1.Task{Id: taskContest + "-" + id, Creature: id, Kind: taskContest, Status: "pending", Rule: cite.GrappleContest}},
			cite.InitiativeTiesSimultaneous)
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
	for _, id := range rules.SortedKeys(r.State().Tasks) {
		t := r.State().Tasks[id]
		if t.Kind != taskContest {
			continue
		}
		r.Emit(event.Everyone(), &eventv1.TaskEnded{Id: id, Outcome: "rolled"}, cite.GrappleContest)
		releaseHolds(r)
		if c := r.Creature(t.Creature); c != nil && c.Marks[mLeaving] == "" {
			struggle(r, t.Creature)
		}
	}
}

// holders lists those who hold a creature.
func holders(s *eventv1.State, id string) []string {
	var ids []string
	for _, h := range present(s) {
		if holding(s.Creatures[h]) == id {
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
	r.Set(id, cStruggles, r.Count(id, cStruggles)+1, "this round", cite.GrappleContest)
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
	if x := conditionOf(r.Creature(id), instead); x != nil {
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
		r.Unrelate(h, relHolds, "", "let go", cite.GrappleThrownOff)
		stun(r, h, id, r.State().Round+by)
	}
	free(r, id)
	for _, foe := range foes(r.State(), r.Creature(id)) {
		if able(r.State(), r.Creature(foe)) {
			r.Mark("", mReroll, rules.Yes, cite.GrappleNewInitiative)
			return
		}
	}
}

// stun stuns a creature to the end of a round; a longer stun stays.
func stun(r *rules.Resolution, id, source string, until int32) {
	if x := conditionOf(r.Creature(id), condStunned); x != nil {
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
		if x := conditionOf(r.Creature(id), name); x != nil {
			r.RemoveCondition(id, x, "free", cite.GrappleThrownOff)
		}
	}
}

// anyHold tells whether anybody holds anybody, or is held.
func anyHold(s *eventv1.State) bool {
	// order-free: any one is enough
	for _, c := range s.Creatures {
		if holding(c) != "" || has(c, condPinned) || has(c, condStruggling) {
			return true
		}
	}
	return false
}

// releaseHolds ends holds whose holder or victim is out of it.
func releaseHolds(r *rules.Resolution) {
	if !anyHold(r.State()) {
		return
	}
	for _, id := range rules.SortedKeys(r.State().Creatures) {
		c := r.Creature(id)
		if v := holding(c); v != "" {
			victim := r.Creature(v)
			if victim == nil || out(victim) || victim.Marks[mLeaving] != "" || out(c) || helpless(c) != nil || c.Marks[mLeaving] != "" {
				r.Unrelate(id, relHolds, "", "let go", cite.GrappleToHit)
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
	if !anyHold(r.State()) {
		return
	}
	for _, id := range present(r.State()) {
		c := r.Creature(id)
		hold := holders(r.State(), id)
		if c.Counters[cStruggles] > 0 || !slices.ContainsFunc(hold, func(h string) bool { return slices.Contains(turn, h) }) {
			continue
		}
		if has(c, condPinned) {
			answer := r.Ask("struggle/"+id, rules.YesNo(decStruggle, id, "pinned", "Struggle against the pin?", "yes", cite.GrapplePinned))
			if answer.Option != "yes" {
				r.Set(id, cStruggles, r.Count(id, cStruggles)+1, "this round", cite.GrapplePinned)
				continue
			}
		}
		struggle(r, id)
	}
}

func letGoRefused(v *sight) error {
	if holding(v.c) == "" {
		return refuse("NO_HOLD", cite.GrappleToHit, "%s holds nobody", v.c.Name)
	}
	return nil
}

func doLetGo(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Targets: []string{holding(c)}}, cite.GrappleToHit)
	r.Set(c.Id, cAttacks, max(1, r.Count(c.Id, cAttacks)), "held", cite.GrappleToHit)
	r.Unrelate(c.Id, relHolds, "", "let go", cite.GrappleToHit)
	return nil
}
