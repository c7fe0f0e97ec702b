package spark

import (
	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// applyTask carries out what a creature works at in the attack half.
func (f *fray) applyTask(sl *slot) {
	d := f.decl[sl.by]
	switch sl.task {
	case kindRestring:
		f.restring(sl.by, d.Weapon)
	case kindRefit:
		f.refit(sl.by, d.Weapon)
	case kindGather:
		rolled := f.r.Roll(rules.RollSpec{Label: "gather/" + sl.by, Creature: sl.by, Expression: "2d8", Reason: "missiles picked up",
			Rules: []string{cite.FumbleAltAmmoAccident}})
		f.gather(sl.by, d.Weapon, int64(rolled.Value))
	case kindBash:
		f.bash(sl.by, d.Thing)
	}
}

// restringRounds is the minute that a new string takes.
const restringRounds = 10

// stringRule is the rule by which a string snapped.
func stringRule(s *eventv1.State) string {
	if defaults.On(s, ruleAlt) {
		return cite.FumbleAltStringSnaps
	}
	return cite.FumbleStringBreaks
}

// restring works a round at a new string; other use of a round suspends the work.
//
// spark.fumble.string-breaks, spark.fumble.alt-string-snaps
func (f *fray) restring(id, weapon string) {
	r, rule := f.r, stringRule(f.r.State())
	work := workAt(r.Creature(id), weapon)
	n := work.GetDone() + 1
	if n < restringRounds {
		r.Begin(id, &eventv1.Begun{Id: begunWork + "." + weapon, Kind: begunWork, Action: &eventv1.TakeAction{Creature: id, Action: kindRestring, Item: weapon},
			Done: n, Needed: restringRounds, Counter: "rounds", Rule: rule}, rule)
		return
	}
	if work != nil {
		r.Emit(r.Audience(rules.FactBegun, work.Kind, id), &eventv1.BegunEnded{Creature: id, Id: work.Id, Outcome: "done"}, rule)
	}
	r.Set(id, cSpareStrings, max(0, r.Count(id, cSpareStrings)-1), "restrung", rule)
	r.Mark(id, mString+weapon, "", rule)
}

// workAt is the work begun at a new string of a weapon; nil when there is none.
func workAt(c *eventv1.Creature, weapon string) *eventv1.Begun {
	for _, b := range c.GetBegun() {
		if b.Kind == begunWork && b.GetAction().GetItem() == weapon {
			return b
		}
	}
	return nil
}

// refit tries to put a loose string back; the bow shoots again in the round
// after a success.
//
// spark.fumble.alt-loose-string
func (f *fray) refit(id, weapon string) { refitString(f.r, id, weapon, "refit/"+id) }

func refitString(r *rules.Resolution, id, weapon, label string) {
	const rule = cite.FumbleAltLooseString
	rolled := r.Roll(rules.RollSpec{Label: label, Creature: id, Expression: "1d20", Reason: "put the string of " + weapon + " back",
		Modifiers: []*eventv1.Modifier{mod(sheetOf(r.Creature(id)).SleightOfHand, "sleight of hand", "")},
		Target:    &eventv1.TargetNumber{Kind: "DC", Value: usualDC}, Judge: judgeCheck(usualDC, false), Rules: []string{rule}})
	if rolled.Success() {
		r.Mark(id, mString+weapon, "", rule)
	}
}

// gather puts spilled missiles back, no more than there are.
//
// spark.fumble.alt-ammo-accident
func (f *fray) gather(id, weapon string, n int64) {
	const rule = cite.FumbleAltAmmoAccident
	r := f.r
	n = min(n, r.Count(id, cSpilled+weapon))
	r.Set(id, cSpilled+weapon, r.Count(id, cSpilled+weapon)-n, "picked up", rule)
	r.Set(id, cAmmunition+weapon, r.Count(id, cAmmunition+weapon)+n, "picked up", rule)
}

// strengthCheck is an ability check of Strength: d20 and the modifier. The table of
// situations says what a pulled muscle of the part of the body that it needs means.
//
// spark.fumble.alt-pulled-arms, spark.fumble.alt-pulled-legs, spark.fumble.checks
func strengthCheck(r *rules.Resolution, id, label, reason, muscles string, dc int32, ruleIDs ...string) rules.Rolled {
	c := r.Creature(id)
	var edges []*eventv1.Edge
	if r.On(ruleAdvantage) {
		edges = situations.Edges(&roll{State: r.State(), Kind: muscles, Self: c})
	}
	return r.Roll(rules.RollSpec{Label: label, Creature: id, Expression: expression(edges), Reason: reason, Edges: edges,
		Modifiers: []*eventv1.Modifier{mod(sheetOf(c).StrengthModifier, "Strength", "")},
		Target:    &eventv1.TargetNumber{Kind: "DC", Value: dc}, Judge: judgeCheck(dc, false), Rules: ruleIDs})
}

// deedCheck makes the Strength check that a deed calls for.
//
// spark.dice.meet-or-beat
func (f *fray) deedCheck(id string, d *declaration) {
	muscles := rollUpper
	if d.Body == "lower" {
		muscles = rollLower
	}
	word, rolled := "fails", strengthCheck(f.r, id, "check/"+id, d.Text, muscles, d.DC, cite.DiceMeetOrBeat)
	if rolled.Success() {
		word = "succeeds"
	}
	f.r.Note(rolled.Audience, id, d.Text+": the check "+word, cite.DiceMeetOrBeat)
}

// thing is what somebody bashes.
type thing struct {
	// Name, by which its state is kept.
	Name string
	// DC to break it; below 0 it gives way without a check.
	DC int32
}

// bash tries to break a thing: reaching its DC breaks it, falling short leaves
// it cracked, and a natural 1 does nothing.
//
// spark.item.hardness-check, spark.item.hardness-table, spark.item.cracked
func (f *fray) bash(id string, what *thing) {
	const rule = cite.ItemHardnessCheck
	r, state := f.r, broken
	if r.State().Marks[mObject+what.Name] == broken {
		r.Note(event.Everyone(), id, what.Name+" is broken already", rule)
		return
	}
	if what.DC >= 0 {
		switch strengthCheck(r, id, "bash/"+id, "bash "+what.Name, rollUpper, what.DC, rule).Outcome {
		case "fumble":
			return
		case "failure":
			state = cracked
		}
	}
	if r.State().Marks[mObject+what.Name] != state {
		r.Mark("", mObject+what.Name, state, rule)
	}
	r.Note(event.Everyone(), id, what.Name+" is "+state, rule)
}
