package original

import (
	"slices"
	"strings"
	"sync"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// ofTheFight is what is counted, marked and laid for one fight alone: of the next it
// would be false, and so would be what one was there to others and had begun. What
// other conditions are of the fight, passing tells.
var ofTheFight = sync.OnceValue(func() rules.OfTheFight {
	return rules.OfTheFight{Counters: append([]string{cCharged, cLoading}, ofTheRound...), Marks: []string{mLeaving},
		Conditions: slices.DeleteFunc(conditionBook.Fleeting(), func(name string) bool { return slices.Contains(ofThePlace, name) })}
})

// ofThePlace are the conditions of the place where one stands.
var ofThePlace = []string{condStationary, condWall, condTight}

// OfTheFight lists what is counted, marked and laid for one fight and its place
// alone.
func (System) OfTheFight() rules.OfTheFight {
	all := ofTheFight()
	all.Conditions = conditionBook.Fleeting()
	return all
}

// passing tells whether a condition came of the fight and ends with it: a hold,
// being thrown off or off one's feet, flight.
//
// original.grapple.pinned, original.morale.table
func passing(x *eventv1.Condition) bool {
	return slices.Contains(ofTheFight().Conditions, x.Name) || slices.Contains([]string{condPinned, condStruggling, condStunned, condProne, condRouted}, x.Name) && strings.HasPrefix(x.Rule, ID+".")
}

// lapse takes from a creature what outlives no fight.
func lapse(r *rules.Resolution, id string) {
	const why = "the fight is over"
	c := r.Creature(id)
	for _, name := range rules.SortedKeys(c.Counters) {
		if rules.Listed(ofTheFight().Counters, name) {
			r.Set(id, name, 0, why)
		}
	}
	for _, name := range rules.SortedKeys(c.Marks) {
		if rules.Listed(ofTheFight().Marks, name) {
			r.Mark(id, name, "")
		}
	}
	for _, x := range slices.Clone(c.Conditions) {
		if passing(x) || slices.Contains(ofThePlace, x.Name) {
			r.RemoveCondition(id, x, why, x.Rule)
		}
	}
	for _, x := range slices.Clone(c.Relations) {
		r.Unrelate(id, x.Kind, x.To, why)
	}
	for _, b := range slices.Clone(c.Begun) {
		r.EndBegun(id, b.Kind, why)
	}
}

// brought is what a creature brings into a fight of what is known of it: not
// what was counted and marked in another that it left before its end. Records of
// builds before are read as they were meant.
func brought(add *eventv1.AddCreature) *eventv1.Vitals {
	if add.Vitals == nil {
		return nil
	}
	v, sh := proto.CloneOf(add.Vitals), add.Sheet.GetOriginal()
	for _, name := range rules.SortedKeys(v.Counters) {
		spell, cast := strings.CutPrefix(name, oldCast)
		switch {
		case cast:
			v.Counters[cLeft+spell] = max(0, int64(spellOf(bearer(add.Sheet), spell).GetPrepared())-v.Counters[name])
		case name == oldTemporary:
			v.Counters[cTemporary] += v.Counters[name]
		case !rules.Listed(ofTheFight().Counters, name):
			continue
		}
		delete(v.Counters, name)
	}
	if v.Marks[oldMounted] != "" {
		v.Conditions = append(v.Conditions, &eventv1.Condition{Name: condMounted, Rule: cite.MountMountedBonus})
	}
	for _, name := range rules.SortedKeys(v.Marks) {
		if rules.Listed(ofTheFight().Marks, name) || name == oldMounted {
			delete(v.Marks, name)
		}
	}
	v.Conditions = slices.DeleteFunc(v.Conditions, func(x *eventv1.Condition) bool { return passing(x) || x.Name == condMounted && sh.GetMounted() })
	return v
}
