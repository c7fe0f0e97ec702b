package movement

import (
	"fmt"
	"slices"
	"strconv"

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

// hook is one that content can name: what it does, and the values that it takes, each
// a number from 1 to most, or one of the words.
type hook struct {
	do    house.Hook
	most  map[string]int32
	words map[string][]string
}

// theHooks are those that content can name. None of them ever befalls the dead.
func theHooks() map[string]hook {
	return map[string]hook{
		// push: away from who has the effect, by feet (5).
		"push": {do: hookPush, most: map[string]int32{"feet": 1000}},
		// drop-held: what is in hand falls.
		"drop-held": {do: hookDrop},
		// setback: by the table of the book, of a grade (minor).
		"setback": {do: hookSetback, words: map[string][]string{"grade": {checks.GradeMinor, checks.GradeMajor}}},
		// wound: so many wounds (1) on the table of wounds, whom they touch.
		"wound": {do: hookWound, most: map[string]int32{"wounds": 6}},
		// sever: a part by the table of limbs.
		"sever": {do: hookSever},
		// exhaust: so many levels (1) of exhaustion.
		"exhaust": {do: hookExhaust, most: map[string]int32{"levels": 6}},
		// stabilise: one who is dying.
		"stabilise": {do: hookStabilise},
		// lose: what is left of a counter of the turn (action).
		"lose": {do: hookLose, words: map[string][]string{"counter": {body.CAction, body.CBonus, body.CReaction, body.CMovement}}},
		// inspire: gives inspiration.
		"inspire": {do: hookInspire},
		// end-concentration: on any spell.
		"end-concentration": {do: hookUnfocus},
	}
}

func hooks() map[string]house.Hook {
	out := map[string]house.Hook{}
	// order-free: a map is filled from a map
	for name, h := range theHooks() {
		out[name] = h.do
	}
	return out
}

// Hooks are the names of the functions that content can call, in order.
func Hooks() []string { return rules.SortedKeys(theHooks()) }

// CheckHook says what is wrong with the values that content gives a hook; nil when
// they will do.
func CheckHook(name string, values map[string]string) error {
	h := theHooks()[name]
	for _, key := range rules.SortedKeys(values) {
		most, number := h.most[key]
		words, word := h.words[key]
		switch n, err := strconv.ParseInt(values[key], 10, 32); {
		case !number && !word:
			return fmt.Errorf("%s takes no %q%s", name, key, rules.DidYouMean(key, append(rules.SortedKeys(h.most), rules.SortedKeys(h.words)...)))
		case number && (err != nil || n < 1 || n > int64(most)):
			return fmt.Errorf("%s must be 1 to %d, not %q", key, most, values[key])
		case word && !slices.Contains(words, values[key]):
			return fmt.Errorf("%s must be one of %v, not %q%s", key, words, values[key], rules.DidYouMean(values[key], words))
		}
	}
	return nil
}

// number is a value of a hook, or what it is when nothing is said.
func number(x house.Come, key string, otherwise int32) int32 {
	if n, err := strconv.ParseInt(x.Hook.GetValues()[key], 10, 32); err == nil {
		return int32(n)
	}
	return otherwise
}

// worded is a value of a hook in words, or what it is when nothing is said.
func worded(x house.Come, key, otherwise string) string {
	if w := x.Hook.GetValues()[key]; w != "" {
		return w
	}
	return otherwise
}

func hookPush(r *rules.Resolution, x house.Come) {
	if x.Source != nil && x.Source.Id != x.Target.Id {
		thestrike.Push(r, x.Source, x.Target, number(x, "feet", 5), house.Cited(x.Cite)...)
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
	deedOf(r, x, body.DeedSetback, 0, map[string]string{"grade": worded(x, "grade", checks.GradeMinor)})
}

func hookWound(r *rules.Resolution, x house.Come) {
	if injuries.WoundsTouch(r, x.Target) {
		deedOf(r, x, body.DeedWound, number(x, "wounds", 1), nil)
	}
}

func hookSever(r *rules.Resolution, x house.Come) { deedOf(r, x, body.DeedSever, 0, nil) }

func hookExhaust(r *rules.Resolution, x house.Come) {
	deedOf(r, x, body.DeedExhaust, number(x, "levels", 1), nil)
}

func hookStabilise(r *rules.Resolution, x house.Come) {
	if injuries.RefuseStable(r, x.Target) == nil {
		deedOf(r, x, body.DeedStabilise, 0, nil)
	}
}

func hookLose(r *rules.Resolution, x house.Come) {
	r.Set(x.Target.Id, worded(x, "counter", body.CAction), 0, x.Title, house.Cited(x.Cite)...)
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
