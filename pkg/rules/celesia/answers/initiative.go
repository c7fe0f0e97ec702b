package answers

import (
	"cmp"
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// InitiativeModifier is everything that goes on an initiative check.
func InitiativeModifier(c *eventv1.Creature) int32 {
	return body.Modifier(c, "dexterity") + body.SheetOf(c).InitiativeBonus
}

// Facts on initiative: who has advantage and who disadvantage beyond what the
// creature's state gives. At the start they name creatures; of one that comes in
// late they are true or false.
const (
	FactFavoured = "initiative_advantage"
	FactHampered = "initiative_disadvantage"
)

// StatedFor are the sources that the caller states for a creature's initiative,
// such as those of feats.
func StatedFor(id string, favoured, hampered []string) []*eventv1.Edge {
	var out []*eventv1.Edge
	for i, list := range [][]string{favoured, hampered} {
		if slices.Contains(list, id) {
			out = append(out, &eventv1.Edge{Advantage: i == 0, Kind: "stated", Source: "as stated", Rule: cite.InitiativeCheck, Stated: true})
		}
	}
	return out
}

// Ranked puts creatures in order: total, then modifier, then rolls against each
// other.
//
// celesia.initiative.order-descending, celesia.initiative.tie-modifier
func Ranked(r *rules.Resolution, totals map[string]int32) []string {
	ids := rules.SortedKeys(totals)
	key := func(id string) [2]int32 { return [2]int32{totals[id], InitiativeModifier(r.Creature(id))} }
	slices.SortStableFunc(ids, func(a, b string) int {
		ka, kb := key(a), key(b)
		if ka[0] != kb[0] {
			return int(kb[0] - ka[0])
		}
		return int(kb[1] - ka[1])
	})
	var out []string
	for len(ids) > 0 {
		n := 1
		for n < len(ids) && key(ids[n]) == key(ids[0]) {
			n++
		}
		out = append(out, rollOff(r, ids[:n])...)
		ids = ids[n:]
	}
	return out
}

// rollOff orders creatures that are still tied: a bare d20 each, again among
// those still tied.
//
// celesia.initiative.tie-rolloff
func rollOff(r *rules.Resolution, ids []string) []string {
	if len(ids) < 2 {
		return ids
	}
	// Who is tied with nobody but one unseen rolls unseen as well.
	var audience *eventv1.Audience
	if len(slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return r.Creature(id).GetStaged() })) < 2 {
		audience = event.GM()
	}
	faces := map[string]int32{}
	for _, id := range ids {
		faces[id] = r.Roll(rules.RollSpec{Label: "initiative/roll-off/" + id, Creature: id, Expression: "1d20",
			Reason: "tied initiative", Audience: audience, Rules: []string{cite.InitiativeTieRolloff}}).Total
	}
	left := slices.Clone(ids)
	slices.SortStableFunc(left, func(a, b string) int { return int(faces[b] - faces[a]) })
	var out []string
	for len(left) > 0 {
		n := 1
		for n < len(left) && faces[left[n]] == faces[left[0]] {
			n++
		}
		out = append(out, rollOff(r, left[:n])...)
		left = left[n:]
	}
	return out
}

// PlaceOf is a creature's place in a round; nil when it has none.
func PlaceOf(c *eventv1.Creature, round int32) *eventv1.Initiative {
	for _, i := range c.GetInitiative() {
		if i.Round == round {
			return i
		}
	}
	return nil
}

// Order lists the creatures of the round by their places; the dead are left out.
func Order(s *eventv1.State) []string {
	var ids []string
	for _, id := range rules.SortedKeys(s.Creatures) {
		c := s.Creatures[id]
		if !body.Dead(c) && c.Marks[body.MLeaving] == "" && PlaceOf(c, s.Round) != nil {
			ids = append(ids, id)
		}
	}
	slices.SortStableFunc(ids, func(a, b string) int { return comparePlaces(s, a, b) })
	return ids
}

// comparePlaces is below 0 when the first creature's place of the round comes first.
func comparePlaces(s *eventv1.State, a, b string) int {
	pa, pb := PlaceOf(s.Creatures[a], s.Round), PlaceOf(s.Creatures[b], s.Round)
	return cmp.Or(cmp.Compare(pb.GetTotal(), pa.GetTotal()), cmp.Compare(pb.GetTiebreak(), pa.GetTiebreak()))
}

// tieStep lies between the tie-breaks of creatures that everyone knows of, so
// that one that is staged fits in between and nobody's number tells of it.
const tieStep = rules.MaxCreatures + 1

// tiebreak is the number that puts a creature before those of the same total that
// come after it in the order.
func tiebreak(r *rules.Resolution, ids []string, i int, totals map[string]int32) int32 {
	known, between := int32(0), int32(0)
	for _, later := range ids[i+1:] {
		switch {
		case totals[later] != totals[ids[i]]:
		case r.Creature(later).GetStaged():
			between++
		default:
			known, between = known+1, 0
		}
	}
	if r.Creature(ids[i]).GetStaged() {
		return known*tieStep + between + 1
	}
	return (known + 1) * tieStep
}

// SetOrder gives the creatures their places for a round, in order.
//
// celesia.initiative.persistent-order
func SetOrder(r *rules.Resolution, round int32, ids []string, totals map[string]int32, rule string) {
	for i, id := range ids {
		tiebreak := tiebreak(r, ids, i, totals)
		if was := PlaceOf(r.Creature(id), round); was != nil && was.Total == totals[id] && was.Tiebreak == tiebreak {
			continue
		}
		r.Emit(event.Everyone(), &eventv1.InitiativeSet{Creature: id, Round: round, Total: totals[id], Tiebreak: tiebreak}, rule)
	}
}

// TotalsOf reads the totals of the creatures for the round under way.
func TotalsOf(s *eventv1.State, ids []string) map[string]int32 {
	out := map[string]int32{}
	for _, id := range ids {
		out[id] = PlaceOf(s.Creatures[id], s.Round).GetTotal()
	}
	return out
}

// PlaceAfter moves a creature to the place directly after another, for good: also
// after one that died in its turn, or left the field in it.
//
// celesia.turn.delay-reenter
func PlaceAfter(r *rules.Resolution, id, last string) {
	s := r.State()
	ids := Order(s)
	totals := TotalsOf(s, ids)
	totals[id] = PlaceOf(r.Creature(last), s.Round).GetTotal()
	behind := func(x string) bool { return comparePlaces(s, last, x) < 0 }
	ahead := slices.DeleteFunc(slices.Clone(ids), func(x string) bool { return x == id || behind(x) })
	after := slices.DeleteFunc(ids, func(x string) bool { return x == id || !behind(x) })
	SetOrder(r, s.Round, slices.Concat(ahead, []string{id}, after), totals, cite.TurnDelayReenter)
}
