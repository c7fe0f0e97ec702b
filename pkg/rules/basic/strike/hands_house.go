package strike

import (
	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// What content sets off takes effect at once, or with everything else of the number
// when it comes of a blow on one that others act on too.
//
// basic.initiative.ties-simultaneous
var atOnce, later *house.Hands

func init() { // not in the declaration: what they do may set off more
	atOnce, later = hands(true), hands(false)
}

func hands(now bool) *house.Hands {
	return &house.Hands{Out: body.Dead, Save: houseSave, Heal: houseHeal,
		Damage:  func(r *rules.Resolution, x house.Come) { houseDamage(r, x, now) },
		Lay:     func(r *rules.Resolution, x house.Come) { houseLay(r, x, now) },
		Counter: func(resource string) string { return body.CLeft + resource }, Hooks: hooks}
}

func houseDamage(r *rules.Resolution, x house.Come, now bool) {
	if part := house.Hurt(r, x); part.Rolled > 0 {
		Harm{Target: x.Target.Id, Source: x.Bearer, Cause: x.Title, Amount: part.Rolled, Factors: part.Factors, Kind: x.Type, rule: x.Rule, setOff: true}.Do(r, now)
	}
}

// houseSave makes a saving throw: against the number that the content gives, or else
// the creature's own.
func houseSave(r *rules.Resolution, x house.Come) bool {
	return saveBy(r, x.Label, x.Target, x.Source, x.Save, x.DC, x.Title, house.Cited(x.Cite)...).Success()
}

func houseHeal(r *rules.Resolution, x house.Come) {
	r.Harm(x.Label+"/heal", &eventv1.Harm{Deed: body.DeedHeal, Target: x.Target.Id, Source: x.Bearer, Cause: x.Title, Amount: x.Rolled})
}

func houseLay(r *rules.Resolution, x house.Come, now bool) {
	k := house.ByRounds(r, x)
	if now {
		Lay(r, x.Target.Id, k)
		return
	}
	t := body.PutDown(r, body.TaskCondition, x.Target.Id, x.Title)
	t.Targets, t.Conditions, t.Rule = []string{x.Target.Id}, []*eventv1.Condition{k}, x.Rule
	r.Emit(event.Everyone(), &eventv1.TaskSet{Task: t}, cite.InitiativeTiesSimultaneous)
}

// Lay lays a condition of content on a living creature, with what comes of it; nobody is
// held by one who is off the field by then.
func Lay(r *rules.Resolution, id string, x *eventv1.Condition) {
	if body.Dead(r.Creature(id)) || x.Name == body.CondHeld && r.Creature(x.Source) == nil {
		return
	}
	house.Lay(r, id, x, x.Rule)
	if x.Name == body.CondHeld && body.HeldBy(r.Creature(id), x.Source) != nil { // both sides of a hold say so
		r.Relate(x.Source, &eventv1.Relation{Kind: body.RelHolds, To: id, Rule: x.Rule}, x.Rule)
	}
	Pace(r, id)
}

// TurnSaves makes the saving throws at the end of a turn that end what content laid.
func TurnSaves(r *rules.Resolution, id string) {
	house.TurnSaves(r, id, func(label, save string, number int32, x *eventv1.Condition) bool {
		return saveBy(r, label, r.Creature(id), r.Creature(x.Source), save, number, "to end "+x.Name, x.Rule).Success()
	})
	Pace(r, id)
}

// hooks are the functions that content can call by name:
//
//   - push: away from whoever has the effect, by the value feet (10); it takes places
//   - drop: what is in the first hand falls to the ground
//   - critical-effect: the chart of effects of a critical hit is rolled on
//   - fumble: the table of natural 1 is rolled on, for the first weapon at hand
//   - lose-action: the action of the round is gone
//   - ignite: it burns on in the next round, as after a flask of oil
var hooks = map[string]house.Hook{"push": push, "drop": drop, "critical-effect": criticalEffect, "fumble": hookFumble, "lose-action": loseAction, "ignite": ignite}

// Hooks are the names of those functions, in order.
func Hooks() []string { return rules.SortedKeys(hooks) }

// hookValues are what those functions take.
var hookValues = house.Values{"push": {"feet": {Least: 1, Most: rules.MaxCoordinate}}}

// CheckHook says what is wrong with the values that content gives one of them.
func CheckHook(name string, values map[string]string) error { return hookValues.Check(name, values) }

func push(r *rules.Resolution, x house.Come) {
	to := house.Away(x.Source, x.Target, x.Number("feet", 10))
	if to == nil {
		return
	}
	LetGo(r, x.Target.Id)
	r.Move(&eventv1.Moved{Creature: x.Target.Id, To: to, Mode: "pushed", Feet: x.Number("feet", 10)}, house.Cited(x.Cite)...)
}

func drop(r *rules.Resolution, x house.Come) { disarmBy(r, x.Target.Id, x.Title, x.Rule) }

func criticalEffect(r *rules.Resolution, x house.Come) {
	rows := body.BookOf(r.Content()).Effects
	name := r.Roll(rules.RollSpec{Label: x.Label + "/effect", Creature: x.Bearer, Expression: "1d4", Reason: x.Title,
		Rules: append(house.Cited(x.Cite), cite.CriticalEffectChart), Judge: func(n, _ int32) (string, int32) { return rows.At(n), 0 },
		RuleOf: func(n, _ int32) string { return rows.By(n) }}).Outcome
	if name == "disarmed" {
		drop(r, x)
		return
	}
	Lay(r, x.Target.Id, &eventv1.Condition{Name: name, Source: x.Bearer, Cause: x.Title, Rule: x.Rule})
}

func hookFumble(r *rules.Resolution, x house.Come) {
	if x.Source == nil {
		return
	}
	w := body.Brawls[0]
	if armed := body.Armed(x.Target, func(*eventv1.BasicWeapon) bool { return true }); len(armed) > 0 {
		w = armed[0]
	}
	Blow{Attacker: x.Target.Id, Target: x.Source.Id, Weapon: w, Label: x.Label}.fumble(r)
}

func loseAction(r *rules.Resolution, x house.Come) {
	r.Set(x.Target.Id, body.CAction, 0, x.Title, house.Cited(x.Cite)...)
}

func ignite(r *rules.Resolution, x house.Come) { catchFire(r, x.Target.Id, x.Bearer) }
