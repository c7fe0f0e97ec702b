package injury_test

import (
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// drill is a rule system of a few deeds that roll, ask and change hit points,
// so that the tests show the service and not some game's rules.
//
//   - strike (in a fight): 2d6 damage; a secret d20 of fate for the game master;
//     with the fact ask=yes the target may brace and halve it.
//   - treat: the user spends a use of its kit, 1d4 heals the patient.
//   - rest: the patient says how many hit dice to spend, 1d8 heals for each.
//   - harm: the parameter amount is taken off.
//   - curse: a secret counter for the game master.
//   - trap: as strike, by a deed within the deed.
//   - brood, doze: nothing, for who has at most 8 hit points; others are asked whether to
//     brood, which hurts by 1 and by default is not done, or how long to doze, which heals
//     1d8 each time and has no default.
//   - twice: two questions, kits and more, one after the other.
//
// A creature that enters with the fact choose says how many kits it brings.
type drill struct {
	twist *atomic.Bool // the rules have changed: a rest begins with a note
}

var _ rules.System = drill{}

func (drill) Info() rules.Info {
	return rules.Info{ID: "drill", Title: "Drill", Version: "1"}
}

func (drill) Settings() []rules.Setting {
	return []rules.Setting{{ID: "drill.gentle", Title: "Gentle", Values: []string{"on", "off"}, Default: "off"}}
}

func (drill) StandingOrders() []rules.StandingOrder {
	return []rules.StandingOrder{{Decision: "brace", Orders: []string{"yes", "no"}}}
}

func (drill) CheckSheet(*eventv1.Sheet) []fault.Violation { return nil }

func (drill) Audience(_ *eventv1.State, kind rules.FactKind, name, creature string) *eventv1.Audience {
	switch {
	case kind == rules.FactCounter && name == "fate":
		return event.GM()
	case kind == rules.FactCondition || kind == rules.FactMark:
		return event.Everyone()
	}
	return event.Controllers(creature)
}

func (drill) Enter(r *rules.Resolution, add *eventv1.AddCreature) error {
	hp := add.Sheet.HitPoints
	r.SetHitPoints(add.Sheet.Id, hp, hp, 0)
	kits := int32(3)
	if add.GetFacts().GetFields()["choose"].GetBoolValue() {
		kits = r.Ask("kits", &eventv1.Decision{Name: "kits", Kind: eventv1.DecisionKind_DECISION_KIND_NUMBER,
			Creature: add.Sheet.Id, Minimum: 1, Maximum: 9}).Number
	}
	r.Set(add.Sheet.Id, "kit", int64(kits), "enters")
	return r.ApplyVitals(add.Sheet.Id, add.Vitals)
}

func (drill) Leave(*rules.Resolution, string) error                  { return nil }
func (drill) Edited(*rules.Resolution, string) error                 { return nil }
func (drill) Begin(*rules.Resolution, *eventv1.StartEncounter) error { return nil }
func (drill) Act(*rules.Resolution, *eventv1.TakeAction) error       { return nil }
func (drill) EndTurn(*rules.Resolution, string) error                { return nil }
func (drill) Finish(*rules.Resolution) error                         { return nil }
func (drill) Options(rules.Query) []*eventv1.Option                  { return nil }
func (d drill) Medicine() rules.Medicine                             { return drillMedicine(d) }

type drillMedicine drill

func (drillMedicine) Deeds() []string {
	return []string{"treat", "rest", "harm", "curse", "trap", "haunt", "brood", "doze", "twice"}
}

func (drillMedicine) Deed(r *rules.Resolution, h *eventv1.Harm) error {
	if h.Deed != "strike" {
		return fault.Field("harm.deed", "%q is not strike", h.Deed)
	}
	r.Roll(rules.RollSpec{Label: "fate", Creature: h.Target, Expression: "1d20", Audience: event.GM()})
	n := r.Roll(rules.RollSpec{Label: "damage", Creature: h.Source, Expression: "2d6", Reason: h.Cause}).Total
	if h.Facts["ask"] == "yes" {
		d := rules.YesNo("brace", h.Target, h.Cause, "Brace?", "no", "")
		if r.Ask("brace", d).Option == "yes" {
			n /= 2
		}
	}
	r.Result().Taken = n
	return change(r, h.Target, -n)
}

// change moves hit points within their bounds and says so.
func change(r *rules.Resolution, id string, by int32) error {
	c := r.Creature(id)
	hp := max(0, min(c.GetHpMax(), c.GetHp()+by))
	if by < 0 {
		r.Emit(event.Everyone(), &eventv1.Damage{Target: id, Amount: -by})
	} else {
		r.Emit(event.Everyone(), &eventv1.Healing{Target: id, Offered: by, Amount: hp - c.GetHp()})
	}
	r.SetHitPoints(id, hp, c.GetHpMax(), c.GetHpTemp())
	switch {
	case hp == 0 && c.Life != eventv1.LifeStatus_LIFE_STATUS_DYING:
		r.Emit(event.Everyone(), &eventv1.LifeChanged{Creature: id, Status: eventv1.LifeStatus_LIFE_STATUS_DYING})
	case hp > 0 && c.Life != eventv1.LifeStatus_LIFE_STATUS_ALIVE:
		r.Emit(event.Everyone(), &eventv1.LifeChanged{Creature: id, Status: eventv1.LifeStatus_LIFE_STATUS_ALIVE})
	}
	return nil
}

func (m drillMedicine) Tend(r *rules.Resolution, c *eventv1.PatientCommand) error {
	id := c.Patients[0]
	if m.twist.Load() {
		r.Note(event.Everyone(), id, "the rules have changed")
	}
	switch c.Deed {
	case "treat":
		user := c.User
		if user == "" {
			user = id
		}
		if r.Count(user, "kit") < 1 {
			return fault.Refuse("NO_KIT", "", "no kit is left")
		}
		r.Set(user, "kit", r.Count(user, "kit")-1, "treats")
		n := r.Roll(rules.RollSpec{Label: "treat", Creature: user, Expression: "1d4", Audience: event.Controllers(user)}).Total
		if c.Item == "careful" && r.Ask("again", rules.YesNo("again", user, "treat", "Again?", "no", "")).Option == "yes" {
			n += r.Roll(rules.RollSpec{Label: "treat", Creature: user, Expression: "1d4"}).Total
		}
		return change(r, id, n)
	case "rest":
		a := r.Ask("hit-dice", &eventv1.Decision{Name: "hit-dice", Kind: eventv1.DecisionKind_DECISION_KIND_NUMBER,
			Creature: id, Question: "How many?", Maximum: 3})
		var n int32
		for range a.Number {
			n += r.Roll(rules.RollSpec{Label: "hit-die", Creature: id, Expression: "1d8"}).Total
		}
		return change(r, id, n)
	case "harm":
		return change(r, id, -int32(c.GetParameters().GetFields()["amount"].GetNumberValue()))
	case "trap":
		r.Harm("trap", &eventv1.Harm{Deed: "strike", Target: id, Cause: "trap", Facts: map[string]string{"ask": "yes"}})
		return nil
	case "haunt":
		d := rules.YesNo("haunting", id, "haunt", "Does the ghost stay?", "no", "")
		d.GmOnly = true
		r.Ask("haunting", d)
		return nil
	case "twice":
		for _, name := range []string{"kits", "more"} {
			r.Ask(name, rules.YesNo(name, id, "twice", "Yes?", "no", ""))
		}
		return nil
	case "brood":
		if r.Creature(id).GetHp() > 8 && r.Ask("brood", rules.YesNo("brood", id, "brood", "Brood?", "no", "")).Option == "yes" {
			return change(r, id, -1)
		}
		return nil
	case "doze":
		if r.Creature(id).GetHp() <= 8 {
			return nil
		}
		a := r.Ask("doze", &eventv1.Decision{Name: "doze", Kind: eventv1.DecisionKind_DECISION_KIND_NUMBER, Creature: id, Question: "How long?", Maximum: 3})
		for range a.Number {
			if err := change(r, id, r.Roll(rules.RollSpec{Label: "doze", Creature: id, Expression: "1d8", Reason: "doze", Target: &eventv1.TargetNumber{Value: 5}}).Total); err != nil {
				return err
			}
		}
		return nil
	case "curse":
		r.Set(id, "fate", r.Count(id, "fate")+1, "curse")
		return nil
	}
	return fmt.Errorf("drill: %q is not one of %v", c.Deed, slices.Sorted(slices.Values(drillMedicine{}.Deeds())))
}
