package movement

import (
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/rcr/injuries"
	thestrike "github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// theHooks are those that content can name. None of them ever befalls the dead.
func theHooks() map[string]house.Hook {
	return map[string]house.Hook{
		// push: away from who has the effect, by feet (5).
		"push": hookPush,
		// drop-held: what is in hand falls.
		"drop-held": hookDrop,
		// setback: by the table of the book, of a grade (minor).
		"setback": hookSetback,
		// wound: so many wounds (1) on the table of wounds, whom they touch.
		"wound": hookWound,
		// sever: a part by the table of limbs.
		"sever": hookSever,
		// exhaust: so many levels (1) of exhaustion.
		"exhaust": hookExhaust,
		// stabilise: one who is dying.
		"stabilise": hookStabilise,
		// lose: what is left of a counter of the turn (action).
		"lose": hookLose,
		// inspire: gives inspiration.
		"inspire": hookInspire,
		// end-concentration: on any spell.
		"end-concentration": hookUnfocus,
	}
}

// hookValues are the values that they take.
var hookValues = house.Values{
	"push":    {"feet": {Least: 1, Most: 1000}},
	"setback": {"grade": {Words: []string{checks.GradeMinor, checks.GradeMajor}}},
	"wound":   {"wounds": {Least: 1, Most: 6}},
	"exhaust": {"levels": {Least: 1, Most: 6}},
	"lose":    {"counter": {Words: []string{body.CAction, body.CBonus, body.CReaction, body.CMovement}}},
}

// Hooks are the names of the functions that content can call, in order.
func Hooks() []string { return rules.SortedKeys(theHooks()) }

// CheckHook says what is wrong with the values that content gives a hook; nil when
// they will do.
func CheckHook(name string, values map[string]string) error { return hookValues.Check(name, values) }

func hookPush(r *rules.Resolution, x house.Come) {
	if x.Source != nil && x.Source.Id != x.Target.Id {
		thestrike.Push(r, x.Source, x.Target, x.Number("feet", 5), house.Cited(x.Cite)...)
	}
}

func hookDrop(r *rules.Resolution, x house.Come) {
	for _, item := range rules.SortedKeys(x.Target.Items) {
		if checks.Held(x.Target, item) {
			checks.MoveItem(r, x.Target, item, "dropped", x.Title, house.Cited(x.Cite)...)
		}
	}
}

func hookSetback(r *rules.Resolution, x house.Come) {
	deedOf(r, x, body.DeedSetback, 0, map[string]string{"grade": x.Word("grade", checks.GradeMinor)})
}

func hookWound(r *rules.Resolution, x house.Come) {
	if injuries.WoundsTouch(r, x.Target) {
		deedOf(r, x, body.DeedWound, x.Number("wounds", 1), nil)
	}
}

func hookSever(r *rules.Resolution, x house.Come) { deedOf(r, x, body.DeedSever, 0, nil) }

func hookExhaust(r *rules.Resolution, x house.Come) {
	deedOf(r, x, body.DeedExhaust, x.Number("levels", 1), nil)
}

func hookStabilise(r *rules.Resolution, x house.Come) {
	if injuries.RefuseStable(r, x.Target) == nil {
		deedOf(r, x, body.DeedStabilise, 0, nil)
	}
}

func hookLose(r *rules.Resolution, x house.Come) {
	r.Set(x.Target.Id, x.Word("counter", body.CAction), 0, x.Title, house.Cited(x.Cite)...)
}

func hookInspire(r *rules.Resolution, x house.Come) {
	r.Set(x.Target.Id, body.CInspiration, 1, x.Title, house.Cited(x.Cite)...)
}

func hookUnfocus(r *rules.Resolution, x house.Come) {
	if spell := body.Concentration(x.Target); spell != "" {
		r.Note(event.Everyone(), x.Target.Id, x.Title+" ends the concentration on "+spell, house.Cited(x.Cite)...)
		dice.EndConcentration(r, x.Target.Id, x.Title)
	}
}

// deedOf has medicine do what a hook is for, and settles what it means; it says by
// what content.
func deedOf(r *rules.Resolution, x house.Come, deed string, amount int32, facts map[string]string) {
	r.Note(r.Audience(rules.FactInjury, deed, x.Target.Id), x.Target.Id, x.Title+": "+x.Hook.GetName(), house.Cited(x.Cite)...)
	res := r.Harm(x.Label, &eventv1.Harm{Deed: deed, Target: x.Target.Id, Source: x.Bearer, Cause: x.Title, Amount: amount, Facts: facts})
	KeepPace(r, x.Target.Id)
	injuries.AfterHarm(r, x.Target.Id, nil, res)
}
