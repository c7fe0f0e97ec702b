package strike

import (
	"slices"
	"strings"
	"sync"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/proto"
)

// OfTheFight is what is counted, marked and laid for one fight alone: of the next it
// would be false, and so would be what one was there to others and had begun. What
// other conditions are of the fight, passing tells.
var OfTheFight = sync.OnceValue(func() rules.OfTheFight {
	return rules.OfTheFight{Counters: append([]string{body.CCharged, body.CLoading, body.CMore, house.CounterSpeed}, body.OfTheRound...), Marks: []string{body.MLeaving},
		Conditions: slices.DeleteFunc(ConditionBook.Fleeting(), func(name string) bool { return slices.Contains(body.OfThePlace, name) }),
		Values:     []string{"order", "hands", "melee"}}
})

// Passing tells whether a condition came of the fight and ends with it: a hold,
// being thrown off or off one's feet, flight.
//
// original.grapple.pinned, original.morale.table
func Passing(x *eventv1.Condition) bool {
	return slices.Contains(OfTheFight().Conditions, x.Name) || slices.Contains([]string{body.CondPinned, body.CondStruggling, body.CondStunned, body.CondProne, body.CondRouted}, x.Name) && strings.HasPrefix(x.Rule, body.ID+".")
}

// Lapse takes from a creature what outlives no fight.
func Lapse(r *rules.Resolution, id string) {
	const why = "the fight is over"
	c := r.Creature(id)
	for _, name := range rules.SortedKeys(c.Counters) {
		if rules.Listed(OfTheFight().Counters, name) {
			r.Set(id, name, 0, why)
		}
	}
	for _, name := range rules.SortedKeys(c.Marks) {
		if rules.Listed(OfTheFight().Marks, name) {
			r.Mark(id, name, "")
		}
	}
	for _, x := range c.Conditions {
		if Passing(x) || slices.Contains(body.OfThePlace, x.Name) || x.Until.GetWhen() == body.UntilRound && strings.HasPrefix(x.Rule, effects.HousePrefix) {
			r.RemoveCondition(id, x, why, x.Rule)
		}
	}
	for _, x := range c.Relations {
		r.Unrelate(id, x.Kind, x.To, why)
	}
	for _, b := range c.Begun {
		r.EndBegun(id, b.Kind, why)
	}
}

// Brought is what a creature brings into a fight of what is known of it: not
// what was counted and marked in another that it left before its end. Records of
// builds before are read as they were meant.
func Brought(add *eventv1.AddCreature) *eventv1.Vitals {
	if add.Vitals == nil {
		return nil
	}
	v, sh := proto.CloneOf(add.Vitals), add.Sheet.GetOriginal()
	for _, name := range rules.SortedKeys(v.Counters) {
		spell, cast := strings.CutPrefix(name, body.OldCast)
		switch {
		case cast:
			v.Counters[body.CLeft+spell] = max(0, int64(body.SpellOf(body.Bearer(add.Sheet), spell).GetPrepared())-v.Counters[name])
		case name == body.OldTemporary:
			v.Counters[body.CTemporary] += v.Counters[name]
		case !rules.Listed(OfTheFight().Counters, name):
			continue
		}
		delete(v.Counters, name)
	}
	if v.Marks[body.OldMounted] != "" {
		v.Conditions = append(v.Conditions, &eventv1.Condition{Name: body.CondMounted, Rule: cite.MountMountedBonus})
	}
	for _, name := range rules.SortedKeys(v.Marks) {
		if rules.Listed(OfTheFight().Marks, name) || name == body.OldMounted {
			delete(v.Marks, name)
		}
	}
	v.Conditions = slices.DeleteFunc(v.Conditions, func(x *eventv1.Condition) bool { return Passing(x) || x.Name == body.CondMounted && sh.GetMounted() })
	return v
}
