package strike

import (
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// What content sets off takes effect at once, or with everything else of a slot in
// which foes act at the same time when it comes of a blow.
//
// original.initiative.ties-simultaneous
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
	part := house.Hurt(r, x)
	if part.Rolled == 0 {
		return
	}
	if part.Type == "" {
		part.Type = body.PartActual
	}
	w := &Wound{Attacker: x.Bearer, Target: x.Target.Id, Weapon: x.Title, Rule: x.Rule, setOff: true,
		Extra: []*eventv1.DamagePart{part}}
	if !now {
		Wait(r, w.Task)
		return
	}
	w.Lay(r)
}

// Wait holds a task back until everyone in the slot has acted.
//
// original.initiative.ties-simultaneous
func Wait(r *rules.Resolution, task func(id string) *eventv1.Task) {
	n := r.Count("", body.CBlows) + 1
	r.Set("", body.CBlows, n, "a blow of a simultaneous slot")
	r.Emit(event.Everyone(), &eventv1.TaskSet{Task: task(BlowID(n))}, cite.InitiativeTiesSimultaneous)
}

// Lay has the harm of a wound done.
func (w *Wound) Lay(r *rules.Resolution) *eventv1.HarmResult {
	source, dead := w.Attacker, body.Dead(r.Creature(w.Target))
	if r.Creature(source) == nil {
		source = ""
	}
	done := r.Harm("harm/"+w.Target, w.Harm(source), house.Concerned(r)...)
	w.Harmed(r, done, !dead && body.Dead(r.Creature(w.Target)))
	return done
}

// Hurts tells whether a wound does any damage.
func (w *Wound) Hurts() bool { return w.Actual+w.Temporary > 0 || len(w.Extra) > 0 }

// houseSave makes a saving throw: against the number that the content gives, or else
// the creature's own.
func houseSave(r *rules.Resolution, x house.Come) bool {
	return saveBy(r, x.Label, x.Target.Id, x.Source, x.DC, x.Title, house.Cited(x.Cite)).Success()
}

func houseHeal(r *rules.Resolution, x house.Come) {
	r.Harm(x.Label+"/heal", &eventv1.Harm{Deed: body.DeedHeal, Target: x.Target.Id, Source: x.Bearer, Cause: x.Title, Amount: x.Rolled})
}

func houseLay(r *rules.Resolution, x house.Come, now bool) {
	k := house.ByRounds(r, x)
	if now {
		LayCondition(r, x.Target.Id, k)
		return
	}
	Wait(r, func(id string) *eventv1.Task {
		return &eventv1.Task{Id: id, Creature: x.Target.Id, Kind: body.TaskCondition, Status: "pending", Text: x.Title, Targets: []string{x.Target.Id},
			Conditions: []*eventv1.Condition{k}, Rule: x.Rule}
	})
}

// LayCondition lays a condition of content on a living creature, with what comes of it.
func LayCondition(r *rules.Resolution, id string, x *eventv1.Condition) {
	if body.Dead(r.Creature(id)) {
		return
	}
	house.Lay(r, id, x, x.Rule)
	if x.Name == body.CondProne && body.Has(r.Creature(id), body.CondProne) { // off its feet, and so off its horse
		body.Lift(r, id, body.CondMounted, x.Rule)
	}
	Pace(r, id)
}

// TurnSaves makes the saving throws at the end of a turn that end what content laid.
func TurnSaves(r *rules.Resolution, id string) {
	house.TurnSaves(r, id, func(label, _ string, number int32, x *eventv1.Condition) bool {
		return saveBy(r, label, id, r.Creature(x.Source), number, "to end "+x.Name, []string{x.Rule}).Success()
	})
	Pace(r, id)
}

// hooks are the functions that content can call by name:
//
//   - push: away from whoever has the effect, by the value feet (10); it takes places
//   - drop: the weapon that it fights with falls to the ground
//   - unhorse: it is off its mount and off its feet
//   - lose-attacks: it has no attack left in the round
//   - morale: the morale of its group is rolled
//   - disturb: it casts no spell in the round
var hooks = map[string]house.Hook{"push": push, "drop": drop, "unhorse": unhorse, "lose-attacks": loseAttacks, "disturb": disturbed}

// Hooks are the names of those functions, in order.
func Hooks() []string { return rules.SortedKeys(hooks) }

// hookValues are what those functions take.
var hookValues = house.Values{"push": {"feet": {Least: 1, Most: rules.MaxCoordinate}}}

// CheckHook says what is wrong with the values that content gives one of them.
func CheckHook(name string, values map[string]string) error { return hookValues.Check(name, values) }

// AddHook adds a function of a chapter that knows more; for use when the program
// starts.
func AddHook(name string, hook house.Hook) { hooks[name] = hook }

func push(r *rules.Resolution, x house.Come) {
	feet := x.Number("feet", 10)
	if to := house.Away(x.Source, x.Target, feet); to != nil {
		r.Move(&eventv1.Moved{Creature: x.Target.Id, To: to, Mode: "pushed", Feet: feet}, house.Cited(x.Cite)...)
	}
}

func drop(r *rules.Resolution, x house.Come) {
	if item, _ := body.ItemInHand(x.Target); item != "" {
		body.Drop(r, x.Target.Id, item, x.Target.Id, x.Title, x.Rule)
	}
}

func unhorse(r *rules.Resolution, x house.Come) {
	if body.Has(x.Target, body.CondMounted) {
		LayCondition(r, x.Target.Id, &eventv1.Condition{Name: body.CondProne, Source: x.Bearer, Cause: x.Title, Rule: x.Rule})
	}
}

func loseAttacks(r *rules.Resolution, x house.Come) {
	s, c := r.State(), x.Target
	n := max(body.AttacksAgainstNormal(s, c), body.AttacksAgainstStrong(s, c))
	r.Set(c.Id, body.CAttacks, max(r.Count(c.Id, body.CAttacks), int64(n)), x.Title, house.Cited(x.Cite)...)
	r.Set(c.Id, body.CStrong, max(r.Count(c.Id, body.CStrong), 1), x.Title, house.Cited(x.Cite)...)
}

func disturbed(r *rules.Resolution, x house.Come) {
	body.During(r, x.Target.Id, body.CondDisturbed, x.Rule)
}
