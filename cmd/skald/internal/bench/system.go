package bench

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// toughness is how many hit points creatures have, and have again when they are gone.
const toughness = 1000

// drill is a rule system whose fights never end: an attack rolls for everyone and for
// the game master, and does harm with a third roll in the injury service. Turns never
// end, so that any number of clients attack at once.
type drill struct{ rules.System }

func (drill) Info() rules.Info {
	return rules.Info{ID: "drill", Title: "Drill", Version: "1"}
}
func (drill) Settings() []rules.Setting                   { return nil }
func (drill) StandingOrders() []rules.StandingOrder       { return nil }
func (drill) CheckSheet(*eventv1.Sheet) []fault.Violation { return nil }
func (drill) Options(rules.Query) []*eventv1.Option       { return nil }
func (drill) Leave(*rules.Resolution, string) error       { return nil }
func (drill) Edited(*rules.Resolution, string) error      { return nil }
func (drill) EndTurn(*rules.Resolution, string) error     { return nil }
func (drill) Finish(*rules.Resolution) error              { return nil }
func (drill) Medicine() rules.Medicine                    { return drill{} }
func (drill) Deeds() []string                             { return nil }

func (drill) Audience(_ *eventv1.State, kind rules.FactKind, _, creature string) *eventv1.Audience {
	if kind == rules.FactHitPoints || kind == rules.FactSheet {
		return event.Controllers(creature)
	}
	return event.Everyone()
}

func (drill) Enter(r *rules.Resolution, add *eventv1.AddCreature) error {
	r.SetHitPoints(add.Sheet.Id, toughness, toughness, 0)
	return nil
}

func (drill) Begin(r *rules.Resolution, _ *eventv1.StartEncounter) error {
	r.Emit(event.Everyone(), &eventv1.RoundStarted{Round: 1})
	r.Emit(event.Everyone(), &eventv1.TurnStarted{Creatures: rules.SortedKeys(r.State().Creatures)})
	return nil
}

func (drill) Act(r *rules.Resolution, take *eventv1.TakeAction) error {
	if take.Action != "attack" || len(take.Targets) != 1 || !slices.Contains(r.CreatureIDs(), take.Targets[0]) {
		return fault.Field("take", "drill knows an attack on one creature")
	}
	r.Roll(rules.RollSpec{Label: "fate", Expression: "1d100", Audience: event.GM()})
	hit := r.Roll(rules.RollSpec{Label: "to-hit", Creature: take.Creature, Expression: "1d20", Target: &eventv1.TargetNumber{Kind: "AC", Value: 11}})
	r.Set(take.Creature, "score", int64(hit.Total), "hit")
	r.Harm("harm", &eventv1.Harm{Deed: "damage", Target: take.Targets[0], Source: take.Creature})
	return nil
}

// Deed implements rules.Medicine: damage of one roll.
func (drill) Deed(r *rules.Resolution, h *eventv1.Harm) error {
	taken := r.Roll(rules.RollSpec{Label: "damage", Creature: h.Source, Expression: "1d4"}).Total
	hp := r.Creature(h.Target).GetHp() - taken
	if hp <= 0 {
		hp = toughness
	}
	r.SetHitPoints(h.Target, hp, toughness, 0)
	r.Result().Taken = taken
	return nil
}

// Tend implements rules.Medicine; there is nothing to tend.
func (drill) Tend(*rules.Resolution, *eventv1.PatientCommand) error { return nil }
