package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.underwater.breath-time: who breathes water has no breath to lose there, whatever is
// said of it.
func TestBreathlessUnderWater(t *testing.T) {
	for name, c := range map[string]struct {
		change  func(*eventv1.Sheet)
		suffers bool
	}{"of the land": {func(*eventv1.Sheet) {}, true}, "amphibious": {trait("amphibious"), false}} {
		f := alone(t, nil, c.change)
		f.Must(act("a", "submerge", "", "", withParameters("depth", 20, "breathless", true)))
		if got := gasping(f, "a"); got != c.suffers {
			t.Errorf("%s: suffocating %v", name, got)
		}
		x := body.Condition(f.Creature("a"), body.CondSubmerged)
		if x.GetValues()[body.ValDepth] != 20 {
			t.Errorf("%s: %v", name, x)
		}
		wantReasonOf(t, "once more", f.Try(act("a", "submerge", "", "", withParameters("depth", 40))), "SUBMERGED")
	}
}

// rcr.underwater.breath-time: air ends the suffocation for want of it, and no condition else
// that is laid for the same.
func TestWhatAirEnds(t *testing.T) {
	f := alone(t, nil)
	f.Must(act("a", "submerge", "", "", withParameters("breathless", true)))
	cause := body.Condition(f.Creature("a"), body.CondSuffocating).Cause
	f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: "effect.dizzy", Cause: cause}}})
	f.Must(act("a", "emerge", "", ""))
	f.wantHas("a", body.CondSuffocating, false)
	f.wantHas("a", "effect.dizzy", true)
	f = alone(t, nil)
	f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: "effect.dizzy", Cause: cause}}})
	f.Must(act("a", "submerge", "", "", withParameters("breathless", true)))
	f.wantHas("a", body.CondSuffocating, true) // it gasps, whatever else is laid for that
}

// rcr.underwater.unconscious-breath: who drops to 0 hit points has its breath no more, and who
// is asleep has not; who is awake has.
func TestWhoseBreathIsGone(t *testing.T) {
	for name, c := range map[string]struct {
		change func(f *table)
		gasps  bool
	}{
		"awake":  {func(*table) {}, false},
		"asleep": {func(f *table) { f.Afflict("b", body.CondUnconscious) }, true},
		"down":   {func(f *table) { f.Hurt("b", 0) }, true},
	} {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "party")).start(nil, 20, 5)
		f.Must(act("b", "submerge", "", ""))
		c.change(f)
		if got := gasping(f, "b"); got != c.gasps {
			t.Errorf("%s: suffocating %v", name, got)
		}
	}
}

// rcr.underwater.breath-time: the last round of a breath is counted where it is held still:
// not where the rule is no longer in force, nor where what kept it under water ends with the
// turn's beginning.
func TestTheLastRoundOfABreath(t *testing.T) {
	begin := func(t *testing.T, until *eventv1.Until) *table {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "party")).start(nil, 5, 20)
		f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondSubmerged, Cause: "stated", Until: until}}})
		f.Count("a", body.CBreath, 1)
		return f
	}
	for name, c := range map[string]struct {
		until  *eventv1.Until
		change func(f *table)
		gasps  bool
	}{
		"held": {nil, func(*table) {}, true},
		"the rule is off": {nil, func(f *table) {
			f.Must(&eventv1.Command{What: &eventv1.Command_Set{Set: &eventv1.SetSetting{Setting: cite.UnderwaterBreathTime, Value: "off"}}})
		}, false},
		"it comes up": {&eventv1.Until{When: body.UntilTurnStart, Creature: "a", Turns: 1}, func(*table) {}, false},
	} {
		f := begin(t, c.until)
		c.change(f)
		f.End("b", 15)
		f.WantActive("a")
		if got := gasping(f, "a"); got != c.gasps {
			t.Errorf("%s: suffocating %v", name, got)
		}
	}
}

// rcr.underwater.swim-exhaustion, rcr.underwater.intro: swimming tires at a table that plays
// the chapter and that rule of it, in a fight and after it.
func TestWhereSwimmingTires(t *testing.T) {
	for _, c := range []struct {
		settings []string
		tires    bool
	}{{nil, true}, {[]string{cite.UnderwaterIntro + "=off"}, false}, {[]string{cite.UnderwaterSwimExhaustion + "=off"}, false}} {
		f := alone(t, c.settings)
		cmd := &eventv1.PatientCommand{Deed: "swim", Patients: []string{"a"}, Parameters: rulestest.Object("minutes", 10)}
		if c.tires {
			f.Tend(cmd, 9)
			f.wantCount("a", body.CExhaustion, 1)
		} else {
			f.Tend(cmd)
			f.wantCount("a", body.CExhaustion, 0)
		}
		f.Must(act("a", "move", "", "", withParameters("mode", "swim", "feet", 10)))
		if got := f.Creature("a").Marks[body.MSwam] != ""; got != c.tires {
			t.Errorf("%v: it has swum %v", c.settings, got)
		}
	}
}
