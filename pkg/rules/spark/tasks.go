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
	n := r.Count(id, cRestring+weapon) + 1
	if n < restringRounds {
		r.Set(id, cRestring+weapon, n, "restringing", rule)
		return
	}
	r.Set(id, cRestring+weapon, 0, "restrung", rule)
	r.Set(id, cSpareStrings, max(0, r.Count(id, cSpareStrings)-1), "restrung", rule)
	r.Mark(id, mString+weapon, "", rule)
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
	r.Set(id, cMissiles+weapon, r.Count(id, cMissiles+weapon)+n, "picked up", rule)
}

// strengthCheck is an ability check of Strength: d20 and the modifier. A pulled
// muscle of the part of the body that it needs is a disadvantage.
//
// spark.fumble.alt-pulled-arms, spark.fumble.alt-pulled-legs, spark.fumble.checks
func strengthCheck(r *rules.Resolution, id, label, reason, muscles string, dc int32, ruleIDs ...string) rules.Rolled {
	c := r.Creature(id)
	var edges []*eventv1.Edge
	if r.On(ruleAdvantage) && hasInjury(c, muscles) {
		edges = append(edges, &eventv1.Edge{Kind: muscles, Source: "a pulled muscle", Rule: pulledRule(muscles)})
	}
	return r.Roll(rules.RollSpec{Label: label, Creature: id, Expression: expression(edges), Reason: reason, Edges: edges,
		Modifiers: []*eventv1.Modifier{mod(sheetOf(c).StrengthModifier, "Strength", "")},
		Target:    &eventv1.TargetNumber{Kind: "DC", Value: dc}, Judge: judgeCheck(dc, false), Rules: ruleIDs})
}

// pulledRule is the rule of a pulled muscle of the arms or of the legs.
func pulledRule(muscles string) string {
	if muscles == injuryArms {
		return cite.FumbleAltPulledArms
	}
	return cite.FumbleAltPulledLegs
}

// deedCheck makes the Strength check that a deed calls for.
//
// spark.dice.meet-or-beat
func (f *fray) deedCheck(id string, d *declaration) {
	muscles := map[string]string{"upper": injuryArms, "lower": injuryLegs}[d.Body]
	word, rolled := "fails", strengthCheck(f.r, id, "check/"+id, d.Text, muscles, d.DC, cite.DiceMeetOrBeat)
	if rolled.Success() {
		word = "succeeds"
	}
	f.r.Note(rolled.Audience, id, d.Text+": the check "+word, cite.DiceMeetOrBeat)
}

// thing is what somebody bashes.
type thing struct {
	// Name, by which its state is kept.
	Name string `json:"name"`
	// DC to break it; below 0 it gives way without a check.
	DC int32 `json:"dc"`
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
		switch strengthCheck(r, id, "bash/"+id, "bash "+what.Name, injuryArms, what.DC, rule).Outcome {
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
