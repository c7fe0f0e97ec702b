// Package duel is a rule system of a few rules that is there for tests alone: it
// shows how little a system has to say of its own. Duellists act by the highest
// nimbleness, strike with a die against a guard, may take a stance, lunge at the
// price of it, hold one another and catch their breath.
//
// It must never be part of a build that people play with.
package duel

import (
	"embed"
	"errors"
	"slices"
	"sync"

	"github.com/skaldrpg/skald/pkg/content/book"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/play/condition"
	"github.com/skaldrpg/skald/pkg/rules/play/situation"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

//go:embed rules.yaml conditions.yaml demo.yaml tables/*.csv
var files embed.FS

// Book is the rule book.
func Book() book.Book { return book.New("duel", files) }

// Names of what the rules count and lay.
const (
	counterAction = "action"
	counterBreath = "breath"
	counterTurn   = "turn"
	condGuarded   = "guarded"
	condExposed   = "exposed"
	relHolds      = "holds"
	rollStrike    = "strike"
)

// data is the book as read.
type data struct {
	conditions *condition.Book
	situations *situation.Table[struct{}]
	words      string
	err        error
}

var read = sync.OnceValue(func() (d data) {
	text, err := Book().File("conditions.yaml")
	if d.err = err; err == nil {
		d.conditions, d.err = condition.Read(text)
	}
	rows, err := Book().Table("situations")
	if d.err = errors.Join(d.err, err); d.err == nil {
		d.situations, d.err = situation.Read[struct{}](rows, nil)
	}
	d.words, err = Book().Table("words")
	d.err = errors.Join(d.err, err)
	return d
})

// frame is what duellists can do; a book that does not hold is told by Validate.
func frame() (*play.Frame, error) {
	d := read()
	f := play.Frame{System: "duel", May: may, EndTurn: endable, EndTurnTitle: "End the turn", EndTurnRule: "duel.turn.order", Perform: perform}
	if d.err != nil {
		return &f, d.err
	}
	actions := slices.Concat(strikes(), others())
	words, err := rules.ReadVocabulary(d.words, play.IDs(actions), d.conditions.Words()...)
	if f.Words = words; err != nil {
		return &f, err
	}
	return play.New(f, actions)
}

// System is the rule system.
type System struct{ play.Base }

// New makes the system; the error says what is wrong with its book.
func New() (System, error) {
	f, err := frame()
	return System{play.Base{Name: "duel", Title: "Duel", Version: "1", Frame: f,
		Heals: play.PlainHarm{Fallen: eventv1.LifeStatus_LIFE_STATUS_UNCONSCIOUS, DamageRule: "duel.strike.damage", HealRule: "duel.rest.all", FallRule: "duel.strike.fall"}}}, err
}

func value(c *eventv1.Creature, name string) int32 {
	return int32(c.GetSheet().GetValues().GetFields()[name].GetNumberValue())
}

func down(c *eventv1.Creature) bool { return c.GetLife() != eventv1.LifeStatus_LIFE_STATUS_ALIVE }

// may says why a duellist may not act now.
//
// duel.turn.order, duel.turn.one-action
func may(at *play.At) error {
	switch {
	case at.State.Status != eventv1.State_STATUS_STARTED:
		return fault.Refuse("NOT_STARTED", "", "the duel has not begun, or is over")
	case down(at.Actor):
		return fault.Refuse("DOWN", "duel.strike.fall", "%s has fallen", at.Actor.Name)
	case !slices.Contains(at.State.Active, at.Actor.Id):
		return fault.Refuse("NOT_YOUR_TURN", "duel.turn.order", "it is not the turn of %s", at.Actor.Name)
	case at.Actor.Counters[counterAction] < int64(at.Action.Cost(at, counterAction)):
		return fault.Refuse("NO_ACTION", "duel.turn.one-action", "%s has acted", at.Actor.Name)
	}
	return read().conditions.Refuse(at.Actor, condition.BarsActing, "BARRED")
}

func endable(at *play.At) error {
	if !slices.Contains(at.State.Active, at.Actor.Id) {
		return fault.Refuse("NOT_YOUR_TURN", "duel.turn.order", "it is not the turn of %s", at.Actor.Name)
	}
	return nil
}

// perform tells of an action, takes its cost and does it.
func perform(r *rules.Resolution, at *play.At) error {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: at.Actor.Id, Action: at.Action.ID, Targets: at.Take.Targets}, at.Action.Rule)
	for _, c := range at.Action.Costs {
		r.Set(at.Actor.Id, c.Counter, r.Count(at.Actor.Id, c.Counter)-int64(c.Amount), at.Action.Title)
	}
	return at.Action.Do(r, at)
}

var oneAction = []play.Cost{{Counter: counterAction, Amount: 1}}

// standing refuses those who have fallen.
func standing(at *play.At, t *eventv1.Creature) error {
	if down(t) {
		return fault.Refuse("DOWN", "duel.strike.fall", "%s has fallen", t.Name)
	}
	return nil
}

// strikes are the actions against a foe.
func strikes() []*play.Action {
	return []*play.Action{
		{ID: "attack", Title: "Attack", Rule: "duel.strike.roll", Group: play.GroupAttack, Costs: oneAction, Least: 1, Most: 1,
			RefuseTarget: standing, Do: func(r *rules.Resolution, at *play.At) error { return strike(r, at, 0) }},
		{ID: "lunge", Title: "Lunge", Rule: "duel.strike.lunge", Group: play.GroupAttack, Costs: oneAction, Least: 1, Most: 1,
			RefuseTarget: standing, Fields: func(*play.At) []play.Field { return []play.Field{{Name: "reach", Required: true, Least: 1, Most: 3}} }, Do: lunge},
		{ID: "hold", Title: "Hold", Rule: "duel.hold.relation", Group: play.GroupManeuver, Costs: oneAction, Least: 1, Most: 1,
			RefuseTarget: refuseHold, Do: hold},
	}
}

// others are the actions that need nobody else.
func others() []*play.Action {
	return []*play.Action{
		{ID: "guard", Title: "Guard", Rule: "duel.guard.stance", Group: play.GroupDefend, Costs: oneAction, Do: guard},
		{ID: "breathe", Title: "Catch breath", Rule: "duel.breath.once", Group: play.GroupAid, Costs: []play.Cost{{Counter: counterAction, Amount: 1}, {Counter: counterBreath, Amount: 1}},
			Refuse: refuseBreath, Do: breathe},
	}
}

// strike rolls against the guard of the target.
//
// duel.strike.roll, duel.strike.damage
func strike(r *rules.Resolution, at *play.At, more int32) error {
	c, t := r.Creature(at.Actor.Id), r.Creature(at.Take.Targets[0])
	edges := read().situations.Edges(&situation.Roll[struct{}]{State: r.State(), Kind: rollStrike, Self: c, Target: t})
	expression := map[int32]string{1: "2d20kh1", 0: "1d20", -1: "2d20kl1"}[situation.Cancel(edges)]
	rolled := r.Roll(rules.RollSpec{Label: "strike", Creature: c.Id, Expression: expression, Edges: edges, Reason: c.Name + " strikes at " + t.Name,
		Modifiers: []*eventv1.Modifier{{Value: value(c, "skill") + more, Source: "skill", Rule: "duel.strike.roll"}},
		Target:    &eventv1.TargetNumber{Kind: "guard", Value: 10 + value(t, "guard")}, Rules: []string{"duel.strike.roll"}})
	outcome := "miss"
	if rolled.Success() {
		outcome = "hit"
	}
	r.Emit(event.Everyone(), &eventv1.Attack{Attacker: c.Id, Target: t.Id, Weapon: "blade", Outcome: outcome}, "duel.strike.roll")
	if rolled.Success() {
		harm := r.Roll(rules.RollSpec{Label: "damage", Creature: c.Id, Expression: "1d6", Rules: []string{"duel.strike.damage"}})
		r.Harm("harm/"+t.Id, &eventv1.Harm{Deed: play.DeedDamage, Target: t.Id, Source: c.Id, Cause: "blade", Parts: []*eventv1.DamagePart{{Rolled: harm.Total}}})
	}
	return nil
}

// lunge strikes with a bonus and leaves the duellist exposed.
//
// duel.strike.lunge
func lunge(r *rules.Resolution, at *play.At) error {
	reach, _ := at.Number("reach")
	r.AddCondition(at.Actor.Id, &eventv1.Condition{Name: condExposed, Cause: "lunge", Rule: "duel.strike.lunge", Until: untilTurn(at.Actor.Id)})
	return strike(r, at, reach)
}

func guard(r *rules.Resolution, at *play.At) error {
	r.AddCondition(at.Actor.Id, &eventv1.Condition{Name: condGuarded, Cause: "guard", Rule: "duel.guard.stance", Until: untilTurn(at.Actor.Id)})
	return nil
}

func untilTurn(id string) *eventv1.Until {
	return &eventv1.Until{When: "start-of-turn", Creature: id}
}

// duel.hold.relation
func refuseHold(at *play.At, t *eventv1.Creature) error {
	if rules.RelationTo(at.Actor, relHolds, t.Id) != nil {
		return fault.Refuse("HELD", "duel.hold.relation", "%s is held already", t.Name)
	}
	return standing(at, t)
}

// hold keeps the target from acting until the holder's next turn.
//
// duel.hold.relation
func hold(r *rules.Resolution, at *play.At) error {
	id := at.Take.Targets[0]
	r.Relate(at.Actor.Id, &eventv1.Relation{Kind: relHolds, To: id, Until: untilTurn(at.Actor.Id), Rule: "duel.hold.relation"}, "duel.hold.relation")
	r.AddCondition(id, &eventv1.Condition{Name: "held", Source: at.Actor.Id, Rule: "duel.hold.relation", Until: untilTurn(at.Actor.Id)})
	return nil
}

// duel.breath.once
func refuseBreath(at *play.At) error {
	if at.Actor.Counters[counterBreath] < 1 {
		return fault.Refuse("NO_BREATH", "duel.breath.once", "%s has caught its breath before", at.Actor.Name)
	}
	return nil
}

func breathe(r *rules.Resolution, at *play.At) error {
	r.Harm("breathe", &eventv1.Harm{Deed: play.DeedHeal, Target: at.Actor.Id, Cause: "breath", Amount: 3})
	return nil
}

// Begin gives everybody a breath and the quickest the first turn.
//
// duel.turn.order, duel.breath.once
func (System) Begin(r *rules.Resolution, _ *eventv1.StartEncounter) error {
	for _, id := range rules.SortedKeys(r.State().Creatures) {
		r.Set(id, counterBreath, 1, "the duel begins", "duel.breath.once")
	}
	next(r)
	return nil
}

// EndTurn gives the turn to the next.
func (System) EndTurn(r *rules.Resolution, id string) error {
	r.Emit(event.Everyone(), &eventv1.TurnEnded{Creatures: []string{id}}, "duel.turn.order")
	next(r)
	return nil
}

// Leave passes the turn of one who leaves on.
func (System) Leave(r *rules.Resolution, id string) error {
	r.Set(id, counterTurn, int64(r.State().Round), "gone")
	if slices.Contains(r.State().Active, id) {
		next(r)
	}
	return nil
}

// next gives the turn to the most nimble of those who have not had one this round;
// when all have, a round begins. With nobody left standing nobody has it.
//
// duel.turn.order
func next(r *rules.Resolution) {
	for range 2 {
		round := int64(r.State().Round)
		best := ""
		for _, id := range rules.SortedKeys(r.State().Creatures) {
			c := r.Creature(id)
			if !down(c) && c.Counters[counterTurn] < round && (best == "" || value(c, "nimble") > value(r.Creature(best), "nimble")) {
				best = id
			}
		}
		if best != "" {
			begin(r, best)
			return
		}
		r.Emit(event.Everyone(), &eventv1.RoundStarted{Round: int32(round) + 1}, "duel.turn.order")
	}
}

// begin begins a turn: what lasted until then is over.
func begin(r *rules.Resolution, id string) {
	for _, other := range rules.SortedKeys(r.State().Creatures) {
		for _, x := range r.Creature(other).Conditions {
			if x.Until.GetWhen() == "start-of-turn" && x.Until.GetCreature() == id {
				r.RemoveCondition(other, x, "the turn begins", x.Rule)
			}
		}
	}
	r.Unrelate(id, relHolds, "", "the turn begins", "duel.hold.relation")
	r.Set(id, counterTurn, int64(r.State().Round), "its turn", "duel.turn.order")
	r.Set(id, counterAction, 1, "its turn", "duel.turn.one-action")
	r.Emit(event.Everyone(), &eventv1.TurnStarted{Creatures: []string{id}}, "duel.turn.order")
}
