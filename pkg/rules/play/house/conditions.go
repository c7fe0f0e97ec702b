package house

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// UntilRound is Until.when of what ends with a round, in systems whose clock is the
// round.
const UntilRound = "round"

// saveEnds and a saving throw is the value of a condition that such a throw at the end
// of a turn ends; it is the number that the throw must reach, 0 for the creature's own.
const saveEnds = "save-ends."

// ByRounds is the condition that content lays, for systems whose clock is the round:
// it lasts for the rest of this round and as many rounds after it as are given, without
// end when none are.
func ByRounds(r *rules.Resolution, come Come) *eventv1.Condition {
	x := &eventv1.Condition{Name: come.Condition, Variant: come.Variant, Source: come.Bearer, Cause: come.Title, Rule: come.Rule}
	if own := r.Content().Cite(effects.Conditions, come.Condition).Rule; own != "" {
		x.Rule = own
	}
	if come.Rounds > 0 {
		x.Until = &eventv1.Until{When: UntilRound, Round: r.State().Round + come.Rounds}
	}
	if come.SaveEnds {
		x.Values = map[string]int32{saveEnds + come.Save: come.DC}
	}
	return x
}

// Lay lays a condition on a creature with what it brings with it, unless content keeps
// it off. One of the name that lasts as long stays as it is.
func Lay(r *rules.Resolution, id string, x *eventv1.Condition, rules ...string) {
	c := r.Creature(id)
	if c == nil || KeepsOff(r, c, x.Name) {
		return
	}
	for _, old := range c.Conditions {
		if old.Name != x.Name || old.Variant != x.Variant {
			continue
		}
		if outlasts(old.Until, x.Until) {
			return
		}
		r.RemoveCondition(id, old, "lasts longer", rules...)
	}
	r.AddCondition(id, x, rules...)
	Brings(r, id, x)
}

// outlasts tells whether what ends by a is there as long as what ends by b.
func outlasts(a, b *eventv1.Until) bool {
	switch {
	case a == nil:
		return true
	case b == nil:
		return false
	}
	return a.When == b.When && a.Round >= b.Round
}

// Brings lays what a condition of content brings with it, for as long as it lasts; the
// creature has it already. What it has from elsewhere stays as it is.
func Brings(r *rules.Resolution, id string, x *eventv1.Condition) {
	for _, name := range r.Content().Implies(x.Name) {
		if slices.ContainsFunc(r.Creature(id).Conditions, func(k *eventv1.Condition) bool { return k.Name == name && k.Cause != x.Name }) {
			continue
		}
		Lay(r, id, &eventv1.Condition{Name: name, Source: x.Source, Cause: x.Name, Until: x.Until, Rule: x.Rule}, x.Rule)
	}
}

// unbring ends what a condition brought with it.
func unbring(r *rules.Resolution, id, name, cause string, rules ...string) {
	implied := r.Content().Implies(name)
	for _, k := range r.Creature(id).GetConditions() {
		if k.Cause == name && slices.Contains(implied, k.Name) {
			r.RemoveCondition(id, k, cause, rules...)
			unbring(r, id, k.Name, cause, rules...)
		}
	}
}

// TurnSaves makes the saving throws that end what content laid on a creature, at the
// end of its turn. Save makes one against a number, 0 for the creature's own, and tells
// whether it was made.
func TurnSaves(r *rules.Resolution, id string, save func(label, save string, number int32, x *eventv1.Condition) bool) {
	if !r.Content().Asks(effects.KindSave) {
		return
	}
	for _, x := range r.Creature(id).GetConditions() {
		for _, key := range rules.SortedKeys(x.Values) {
			name, is := strings.CutPrefix(key, saveEnds)
			if !is || !save("turn/"+id+"/"+x.Id, name, x.Values[key], x) {
				continue
			}
			r.RemoveCondition(id, x, "saving throw", x.Rule)
			unbring(r, id, x.Name, "saving throw", x.Rule)
			break
		}
	}
}

// Concerned are the creatures that a deed must know of beside its target and its
// source: all, where the auras of content might reach.
func Concerned(r *rules.Resolution) []string {
	if !r.Content().Asks(effects.KindAura) {
		return nil
	}
	return r.CreatureIDs()
}
