package strike

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	"google.golang.org/protobuf/types/known/structpb"
)

// RollPlaces rolls for creatures, in the order of their ids, and returns
// the totals. The face that is kept gives or takes an act of the first turn.
//
// celesia.initiative.check, celesia.initiative.natural-20, celesia.initiative.natural-1
func RollPlaces(r *rules.Resolution, ids, favoured, hampered []string) map[string]int32 {
	totals := map[string]int32{}
	for _, id := range ids {
		c := r.Creature(id)
		rolled := checks.D20{Label: "initiative/" + id, Creature: id, Reason: "initiative",
			Modifiers: body.Nonzero(body.Mod(body.Modifier(c, "dexterity"), "Dexterity", cite.InitiativeCheck), body.Mod(body.SheetOf(c).InitiativeBonus, "other", cite.InitiativeCheck)),
			Edges:     append(EdgesOf(r.Content(), c, nil, body.RollKind{Roll: checks.RollInitiative, Name: "dexterity"}), answers.StatedFor(id, favoured, hampered)...),
			Rules:     []string{cite.InitiativeCheck}, Point: house.PointInitiative}.Roll(r)
		totals[id] = rolled.Total
		switch rolled.Natural {
		case 20:
			r.Set(id, body.CFirst, 1, "natural 20 on initiative", cite.InitiativeNatural20)
		case 1:
			r.Set(id, body.CFirst, -1, "natural 1 on initiative", cite.InitiativeNatural1)
		}
	}
	return totals
}

// Join gives a creature that comes late its place; when that has passed it
// waits for the next round.
func Join(r *rules.Resolution, id string, facts *structpb.Struct) {
	s := r.State()
	ids := answers.Order(s)
	totals := answers.TotalsOf(s, ids)
	var favoured, hampered []string
	if spoken.Truth(facts, answers.FactFavoured) {
		favoured = []string{id}
	}
	if spoken.Truth(facts, answers.FactHampered) {
		hampered = []string{id}
	}
	totals[id] = RollPlaces(r, []string{id}, favoured, hampered)[id]
	at := len(ids)
	for i, other := range ids {
		ahead := totals[other] < totals[id] ||
			totals[other] == totals[id] && answers.InitiativeModifier(r.Creature(other)) < answers.InitiativeModifier(r.Creature(id))
		if ahead {
			at = i
			break
		}
	}
	running := -1
	if len(s.Active) > 0 {
		running = slices.Index(ids, s.Active[0])
	}
	answers.SetOrder(r, s.Round, slices.Insert(ids, at, id), totals, cite.InitiativeCheck)
	if at <= running {
		answers.TookTurn(r, id)
	}
}
