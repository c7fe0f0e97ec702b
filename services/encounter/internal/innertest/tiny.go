package innertest

import (
	"slices"
	"sync/atomic"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Tiny is a rule system of a few lines: whoever's turn it is may count, whisper to
// the game master, roll, or ask another whether to yield.
type Tiny struct {
	rules.System
	// Changed makes a question come out otherwise than when it was asked: the rules
	// have changed since.
	Changed atomic.Bool
}

// Info is rules.System.Info.
func (*Tiny) Info() rules.Info { return rules.Info{ID: "tiny", Title: "Tiny", Version: "1"} }

// Settings is rules.System.Settings.
func (*Tiny) Settings() []rules.Setting { return nil }

// CheckSheet is rules.System.CheckSheet.
func (*Tiny) CheckSheet(*eventv1.Sheet) []fault.Violation { return nil }

// StandingOrders is rules.System.StandingOrders.
func (*Tiny) StandingOrders() []rules.StandingOrder { return nil }

// Audience is rules.System.Audience: hit points are their controllers' business.
func (*Tiny) Audience(_ *eventv1.State, k rules.FactKind, _, creature string) *eventv1.Audience {
	if k == rules.FactHitPoints {
		return event.Controllers(creature)
	}
	return event.Everyone()
}

// Enter is rules.System.Enter.
func (*Tiny) Enter(r *rules.Resolution, add *eventv1.AddCreature) error {
	r.SetHitPoints(add.Sheet.Id, add.Sheet.HitPoints, add.Sheet.HitPoints, 0)
	return nil
}

// Leave is rules.System.Leave.
func (*Tiny) Leave(*rules.Resolution, string) error { return nil }

// Edited is rules.System.Edited.
func (*Tiny) Edited(*rules.Resolution, string) error { return nil }

// Finish is rules.System.Finish.
func (*Tiny) Finish(*rules.Resolution) error { return nil }

// Begin is rules.System.Begin: all act at once, in one endless round.
func (*Tiny) Begin(r *rules.Resolution, _ *eventv1.StartEncounter) error {
	r.Emit(event.Everyone(), &eventv1.RoundStarted{Round: 1})
	r.Emit(event.Everyone(), &eventv1.TurnStarted{Creatures: rules.SortedKeys(r.State().Creatures)})
	return nil
}

// Medicine is rules.System.Medicine.
func (*Tiny) Medicine() rules.Medicine { return nil }

// Act is rules.System.Act.
func (s *Tiny) Act(r *rules.Resolution, take *eventv1.TakeAction) error {
	if !slices.Contains(r.State().Active, take.Creature) {
		return fault.Refuse("NOT_YOUR_TURN", "tiny.turn", "it is not the turn of %q", take.Creature)
	}
	switch take.Action {
	case "count":
		r.Set(take.Creature, "count", r.Count(take.Creature, "count")+1, "counted")
	case "whisper":
		r.Note(event.GM(), take.Creature, "a secret")
	case "roll":
		r.Roll(rules.RollSpec{Label: "d20", Creature: take.Creature, Expression: "1d20"})
	case "bleed":
		c := r.Creature(take.Creature)
		r.SetHitPoints(take.Creature, c.GetHp()-1, c.GetHpMax(), 0)
	case "ask":
		if s.Changed.Load() {
			r.Note(event.Everyone(), take.Creature, "in these rules one bows first")
		}
		r.Note(event.Everyone(), take.Creature, "asks")
		answer := r.Ask("yield", rules.YesNo("yield", take.Targets[0], "yield", "Yield?", "no", "")).Option
		r.Mark(take.Targets[0], "yielded", answer)
	default:
		return fault.Field("take.action", "%q is no action", take.Action)
	}
	return nil
}

// Create creates an encounter in which a decision may wait for an hour.
func Create() *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{System: "tiny", DecisionSeconds: 3600}}}
}

// Add adds a creature.
func Add(id string, controllers ...string) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: &eventv1.Sheet{Id: id, Name: id, Side: id, HitPoints: 10, Controllers: controllers}}}}
}

// Take takes an action.
func Take(creature, action string, targets ...string) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Take{Take: &eventv1.TakeAction{Creature: creature, Action: action, Targets: targets}}}
}

// Answer answers a decision.
func Answer(decision, option string) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Answer{Answer: &eventv1.AnswerDecision{Decision: decision, Answer: &eventv1.Answer{Option: option}}}}
}
