package celesia

import (
	"slices"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// initiativeModifier is everything that goes on an initiative check.
func initiativeModifier(c *eventv1.Creature) int32 {
	return modifier(c, "dexterity") + sheetOf(c).InitiativeBonus
}

// Facts on initiative: who has advantage and who disadvantage beyond what the
// creature's state gives. At the start they name creatures; of one that comes in
// late they are true or false.
const (
	factFavoured = "initiative_advantage"
	factHampered = "initiative_disadvantage"
)

// rollPlaces rolls for creatures, in the order of their ids, and returns
// the totals. The face that is kept gives or takes an act of the first turn.
//
// celesia.initiative.check, celesia.initiative.natural-20, celesia.initiative.natural-1
func rollPlaces(r *rules.Resolution, ids, favoured, hampered []string) map[string]int32 {
	totals := map[string]int32{}
	for _, id := range ids {
		c := r.Creature(id)
		rolled := d20{label: "initiative/" + id, creature: id, reason: "initiative",
			modifiers: nonzero(mod(modifier(c, "dexterity"), "Dexterity", cite.InitiativeCheck), mod(sheetOf(c).InitiativeBonus, "other", "")),
			edges:     append(edgesOf(c, nil, rollKind{roll: rollInitiative, name: "dexterity"}), statedFor(id, favoured, hampered)...),
			rules:     []string{cite.InitiativeCheck}}.roll(r)
		totals[id] = rolled.Total
		switch rolled.Natural {
		case 20:
			r.Set(id, cFirst, 1, "natural 20 on initiative", cite.InitiativeNatural20)
		case 1:
			r.Set(id, cFirst, -1, "natural 1 on initiative", cite.InitiativeNatural1)
		}
	}
	return totals
}

// statedFor are the sources that the caller states for a creature's initiative,
// such as those of feats.
func statedFor(id string, favoured, hampered []string) []*eventv1.Edge {
	var out []*eventv1.Edge
	for i, list := range [][]string{favoured, hampered} {
		if slices.Contains(list, id) {
			out = append(out, &eventv1.Edge{Advantage: i == 0, Kind: "stated", Source: "as stated", Rule: cite.InitiativeCheck, Stated: true})
		}
	}
	return out
}

// ranked puts creatures in order: total, then modifier, then rolls against each
// other.
//
// celesia.initiative.order-descending, celesia.initiative.tie-modifier
func ranked(r *rules.Resolution, totals map[string]int32) []string {
	ids := rules.SortedKeys(totals)
	key := func(id string) [2]int32 { return [2]int32{totals[id], initiativeModifier(r.Creature(id))} }
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

// placeOf is a creature's place in a round; nil when it has none.
func placeOf(c *eventv1.Creature, round int32) *eventv1.Initiative {
	for _, i := range c.GetInitiative() {
		if i.Round == round {
			return i
		}
	}
	return nil
}

// order lists the creatures of the round by their places; the dead are left out.
func order(s *eventv1.State) []string {
	var ids []string
	for _, id := range rules.SortedKeys(s.Creatures) {
		c := s.Creatures[id]
		if !dead(c) && c.Marks[mLeaving] == "" && placeOf(c, s.Round) != nil {
			ids = append(ids, id)
		}
	}
	slices.SortStableFunc(ids, func(a, b string) int {
		pa, pb := placeOf(s.Creatures[a], s.Round), placeOf(s.Creatures[b], s.Round)
		if pa.Total != pb.Total {
			return int(pb.Total - pa.Total)
		}
		return int(pb.Tiebreak - pa.Tiebreak)
	})
	return ids
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

// setOrder gives the creatures their places for a round, in order.
//
// celesia.initiative.persistent-order
func setOrder(r *rules.Resolution, round int32, ids []string, totals map[string]int32, rule string) {
	for i, id := range ids {
		tiebreak := tiebreak(r, ids, i, totals)
		if was := placeOf(r.Creature(id), round); was != nil && was.Total == totals[id] && was.Tiebreak == tiebreak {
			continue
		}
		r.Emit(event.Everyone(), &eventv1.InitiativeSet{Creature: id, Round: round, Total: totals[id], Tiebreak: tiebreak}, rule)
	}
}

// totalsOf reads the totals of the creatures for the round under way.
func totalsOf(s *eventv1.State, ids []string) map[string]int32 {
	out := map[string]int32{}
	for _, id := range ids {
		out[id] = placeOf(s.Creatures[id], s.Round).GetTotal()
	}
	return out
}

// placeAfter moves a creature to the place directly after another, for good.
//
// celesia.turn.delay-reenter
func placeAfter(r *rules.Resolution, id, last string) {
	ids := order(r.State())
	totals := totalsOf(r.State(), ids)
	ids = slices.DeleteFunc(ids, func(x string) bool { return x == id })
	at := slices.Index(ids, last) + 1
	if at > 0 {
		totals[id] = totals[last]
	}
	setOrder(r, r.State().Round, slices.Insert(ids, at, id), totals, cite.TurnDelayReenter)
}

// join gives a creature that comes late its place; when that has passed it
// waits for the next round.
func join(r *rules.Resolution, id string, facts *structpb.Struct) {
	s := r.State()
	ids := order(s)
	totals := totalsOf(s, ids)
	var favoured, hampered []string
	if spoken.Truth(facts, factFavoured) {
		favoured = []string{id}
	}
	if spoken.Truth(facts, factHampered) {
		hampered = []string{id}
	}
	totals[id] = rollPlaces(r, []string{id}, favoured, hampered)[id]
	at := len(ids)
	for i, other := range ids {
		ahead := totals[other] < totals[id] ||
			totals[other] == totals[id] && initiativeModifier(r.Creature(other)) < initiativeModifier(r.Creature(id))
		if ahead {
			at = i
			break
		}
	}
	running := -1
	if len(s.Active) > 0 {
		running = slices.Index(ids, s.Active[0])
	}
	setOrder(r, s.Round, slices.Insert(ids, at, id), totals, cite.InitiativeCheck)
	if at <= running {
		r.Mark(id, mTurn, itoa(s.Round))
	}
}
