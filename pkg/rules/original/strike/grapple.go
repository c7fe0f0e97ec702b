package strike

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// grappleRefused says why a creature may not grapple a foe. More of a side may
// join those of theirs with whom it struggles.
//
// original.grapple.to-hit
func grappleRefused(made *effects.Book, s *eventv1.State, c, target *eventv1.Creature) error {
	if err := GrapplerRefused(s, c); err != nil {
		return err
	}
	return GrappledRefused(made, s, c, target)
}

// GrapplerRefused says why a creature may not grapple anybody.
func GrapplerRefused(s *eventv1.State, c *eventv1.Creature) error {
	if body.IsUnit(c) {
		return body.Refuse("UNIT", cite.MassGrouping, "units do not grapple")
	}
	return AttackLeft(s, c)
}

// GrappledRefused says why a foe cannot be grappled by one who may grapple.
func GrappledRefused(made *effects.Book, s *eventv1.State, c, target *eventv1.Creature) error {
	switch {
	case target.Side == c.Side || body.Out(target):
		return body.Refuse("NO_FOE", cite.GrappleToHit, "there is nobody to grapple")
	case body.IsUnit(target):
		return body.Refuse("UNIT", cite.MassGrouping, "units do not grapple")
	case body.Has(target, body.CondPinned):
		return body.Refuse("HELD", cite.GrapplePinned, "%s is pinned already", target.Name)
	case body.Has(target, body.CondStruggling) && !heldBySide(s, target, c.Side):
		return body.Refuse("HELD", cite.GrappleTieStruggling, "%s is held already", target.Name)
	}
	return TablesOf(made).meleeRefused(false, s, c, target, nil)
}

// heldBySide tells whether those who hold a creature are of a side.
func heldBySide(s *eventv1.State, c *eventv1.Creature, side string) bool {
	hold := Holders(s, c.Id)
	return len(hold) > 0 && s.Creatures[hold[0]].Side == side
}

// GrappleFields is who else of the side may grapple: only who can grapple any of the
// targets, so that every choice holds.
func GrappleFields(at *play.At) []play.Field {
	if !at.Listing {
		return []play.Field{{Name: "with"}}
	}
	s, with := at.State, play.Field{Name: "with", Values: []string{}}
	for _, id := range s.Active {
		other := s.Creatures[id]
		if id == at.Actor.Id || other.GetSide() != at.Actor.Side || body.Has(other, body.CondStruggling) || GrapplerRefused(s, other) != nil {
			continue
		}
		if !slices.ContainsFunc(SightOf(at).foes(), func(t string) bool {
			foe := s.Creatures[t]
			return GrappledRefused(at.Content, s, at.Actor, foe) == nil && GrappledRefused(at.Content, s, other, foe) != nil
		}) {
			with.Values = append(with.Values, id)
		}
	}
	if len(with.Values) == 0 {
		return nil
	}
	return []play.Field{with}
}

// CheckGrapple refuses others who cannot grapple the foe too.
func CheckGrapple(at *play.At) error {
	s, c := at.State, at.Actor
	with, _ := spoken.Words(at.Take.GetParameters(), "with")
	for i, g := range with {
		switch other := s.Creatures[g]; {
		case other.GetSide() != c.Side || g == c.Id || slices.Contains(with[:i], g):
			return fault.Field("take.parameters.with", "%q is no other of the same side", g)
		case !slices.Contains(s.Active, g) || body.Has(other, body.CondStruggling):
			return body.Refuse("NOT_YOUR_TURN", cite.GrappleToHit, "%s cannot act now", g)
		default:
			if err := grappleRefused(at.Content, s, other, at.Target()); err != nil {
				return err
			}
		}
	}
	// original.attack.surround-limit: they come at the same time.
	return TablesOf(at.Content).crowded(s, at.Target(), append([]string{c.Id}, with...)...)
}

// Willing asks those who are to grapple too whether they do, and returns those
// who will. Whoever plays the one who begins says it for those played alike.
//
// original.grapple.to-hit
func Willing(r *rules.Resolution, c *eventv1.Creature, foe string, with []string) []string {
	ask, labels := map[string]*eventv1.Decision{}, []string{}
	for _, id := range with {
		if !playedAlike(c, r.Creature(id)) {
			ask["join/"+id] = rules.About(rules.YesNo(body.DecJoin, id, c.Name+" grapples "+r.Creature(foe).Name, "Grapple too?", "no", cite.GrappleToHit), foe)
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

// HeldContests rolls the contests of holds laid in a simultaneous slot.
//
// original.initiative.ties-simultaneous, original.grapple.contest
func HeldContests(r *rules.Resolution) {
	for _, id := range rules.SortedKeys(r.State().Tasks) {
		t := r.State().Tasks[id]
		if t.Kind != body.TaskContest {
			continue
		}
		r.Emit(event.Everyone(), &eventv1.TaskEnded{Id: id, Outcome: "rolled"}, cite.GrappleContest)
		ReleaseHolds(r)
		if c := r.Creature(t.Creature); c != nil && c.Marks[body.MLeaving] == "" {
			Struggle(r, t.Creature)
		}
	}
}

// Holders lists those who hold a creature.
func Holders(s *eventv1.State, id string) []string {
	return body.Those(s, func(c *eventv1.Creature) bool { return body.Holding(c) == id })
}

// Struggle rolls the contest of hit dice between a creature and those who hold it.
//
// original.grapple.contest
func Struggle(r *rules.Resolution, id string) {
	hold := Holders(r.State(), id)
	if len(hold) == 0 {
		return
	}
	var rolled rules.Rolled
	dice := func(who string) int32 {
		mods, expression, again := house.Check(r, "contest/"+who, who, PointGrapple, body.Itoa(body.LevelOf(r.Creature(who)))+"d6")
		rolled = r.Roll(rules.RollSpec{Label: "contest/" + who, Creature: who, Expression: expression, Reason: "grapple", Modifiers: mods,
			Rules: append([]string{cite.GrappleContest}, again...)})
		return rolled.Total
	}
	theirs := int32(0)
	for _, h := range hold {
		theirs += dice(h)
	}
	mine := dice(id)
	r.Set(id, body.CStruggles, r.Count(id, body.CStruggles)+1, "this round", cite.GrappleContest)
	// The struggle takes the place of the held one's attacks in this round.
	r.Set(id, body.CAttacks, max(r.Count(id, body.CAttacks), int64(body.AttacksAgainstNormal(r.State(), r.Creature(id)))), "struggle", cite.GrappleNewInitiative)
	text := "the holders have " + body.Itoa(theirs) + ", " + r.Creature(id).Name + " has " + body.Itoa(mine)
	switch {
	case mine < theirs:
		r.Note(rolled.Audience, id, text, cite.GrapplePinned)
		become(r, id, body.CondPinned, body.CondStruggling, cite.GrapplePinned)
	case mine == theirs:
		r.Note(rolled.Audience, id, text, cite.GrappleTieStruggling)
		become(r, id, body.CondStruggling, body.CondPinned, cite.GrappleTieStruggling)
	default:
		r.Note(rolled.Audience, id, text, cite.GrappleThrownOff)
		throwOff(r, id, hold, mine-theirs)
	}
}

func become(r *rules.Resolution, id, name, instead, rule string) {
	if x := body.ConditionOf(r.Creature(id), instead); x != nil {
		r.RemoveCondition(id, x, name, rule)
	}
	if !body.Has(r.Creature(id), name) && !house.KeepsOff(r, r.Creature(id), name) {
		r.AddCondition(id, &eventv1.Condition{Name: name, Source: Holders(r.State(), id)[0], Cause: "grapple", Rule: rule})
	}
}

// throwOff frees a creature; those who held it are stunned, from the next
// round on for as many rounds as it beat them by. With more attackers left
// initiative is rolled again.
//
// original.grapple.thrown-off, original.grapple.new-initiative
func throwOff(r *rules.Resolution, id string, hold []string, by int32) {
	for _, h := range hold {
		r.Unrelate(h, body.RelHolds, "", "let go", cite.GrappleThrownOff)
		stun(r, h, id, r.State().Round+by)
	}
	free(r, id)
	for _, foe := range body.Foes(r.State(), r.Creature(id)) {
		if Able(r.State(), r.Creature(foe)) {
			r.Mark("", body.MReroll, rules.Yes, cite.GrappleNewInitiative)
			return
		}
	}
}

// stun stuns a creature to the end of a round; a longer stun stays.
func stun(r *rules.Resolution, id, source string, until int32) {
	if x := body.ConditionOf(r.Creature(id), body.CondStunned); x != nil {
		if x.GetUntil().GetRound() >= until {
			return
		}
		r.RemoveCondition(id, x, "stunned for longer", cite.GrappleThrownOff)
	}
	if house.KeepsOff(r, r.Creature(id), body.CondStunned) {
		return
	}
	r.AddCondition(id, &eventv1.Condition{Name: body.CondStunned, Source: source, Cause: "thrown off", Until: &eventv1.Until{When: "round", Round: until},
		Rule: cite.GrappleThrownOff})
}

// free ends the conditions of being held.
func free(r *rules.Resolution, id string) {
	for _, name := range []string{body.CondPinned, body.CondStruggling} {
		if x := body.ConditionOf(r.Creature(id), name); x != nil {
			r.RemoveCondition(id, x, "free", cite.GrappleThrownOff)
		}
	}
}

// anyHold tells whether anybody holds anybody, or is held.
func anyHold(s *eventv1.State) bool {
	// order-free: any one is enough
	for _, c := range s.Creatures {
		if body.Holding(c) != "" || body.Has(c, body.CondPinned) || body.Has(c, body.CondStruggling) {
			return true
		}
	}
	return false
}

// ReleaseHolds ends holds whose holder or victim is out of it.
func ReleaseHolds(r *rules.Resolution) {
	if !anyHold(r.State()) {
		return
	}
	for _, id := range r.CreatureIDs() {
		c := r.Creature(id)
		if v := body.Holding(c); v != "" {
			victim := r.Creature(v)
			if body.Out(victim) || victim.Marks[body.MLeaving] != "" || body.Out(c) || Helpless(c) != nil || c.Marks[body.MLeaving] != "" {
				r.Unrelate(id, body.RelHolds, "", "let go", cite.GrappleToHit)
			}
		}
	}
	for _, id := range r.CreatureIDs() {
		if c := r.Creature(id); (body.Has(c, body.CondPinned) || body.Has(c, body.CondStruggling)) && len(Holders(r.State(), id)) == 0 && heldByGrapple(c) {
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
		if (x.Name == body.CondPinned || x.Name == body.CondStruggling) && slices.Contains(grappleRules, x.Rule) {
			return true
		}
	}
	return false
}

// StruggleAgain rolls the contests anew when the turn of those who hold comes:
// of one who struggles always, of one who is pinned if it wants to.
//
// original.grapple.tie-struggling, original.grapple.pinned
func StruggleAgain(r *rules.Resolution, turn []string) {
	if !anyHold(r.State()) {
		return
	}
	for _, id := range body.PresentIn(r) {
		c := r.Creature(id)
		hold := Holders(r.State(), id)
		if c.Counters[body.CStruggles] > 0 || !slices.ContainsFunc(hold, func(h string) bool { return slices.Contains(turn, h) }) {
			continue
		}
		if body.Has(c, body.CondPinned) {
			answer := r.Ask("struggle/"+id, rules.YesNo(body.DecStruggle, id, "pinned", "Struggle against the pin?", "yes", cite.GrapplePinned))
			if answer.Option != "yes" {
				r.Set(id, body.CStruggles, r.Count(id, body.CStruggles)+1, "this round", cite.GrapplePinned)
				continue
			}
		}
		Struggle(r, id)
	}
}

// LetGoRefused says why a creature cannot let go: it holds nobody.
func LetGoRefused(v *Sight) error {
	if body.Holding(v.C) == "" {
		return v.Refuse("NO_HOLD", cite.GrappleToHit, "%s holds nobody", v.C.Name)
	}
	return nil
}

// DoLetGo ends the actor's holds and counts as at least one attack of the round.
func DoLetGo(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Targets: []string{body.Holding(c)}}, cite.GrappleToHit)
	r.Set(c.Id, body.CAttacks, max(1, r.Count(c.Id, body.CAttacks)), "held", cite.GrappleToHit)
	r.Unrelate(c.Id, body.RelHolds, "", "let go", cite.GrappleToHit)
	return nil
}
