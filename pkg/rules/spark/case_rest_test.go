package spark

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// spark.rest.long-mana: 0 of 34 in a dungeon, 33 of 34 in a rich inn, full already: always all of it and no die for it
func TestLongRestRefillsMana(t *testing.T) {
	for mana, place := range map[int]string{0: "dungeon", 33: "rich-inn", 34: "poor-inn"} {
		f := patient(t, 1, 6, 0, 1, 90)
		f.State.Creatures["ara"].Sheet.GetSpark().Mana = 34
		f.Count("ara", body.CMana, mana)
		f.Tend(resting("long", "place", place), 1)
		if got := f.Creature("ara").Counters[body.CMana]; got != 34 {
			t.Errorf("from %d: %d", mana, got)
		}
	}
}

// spark.rest.long-hit-dice-back, spark.rest.long-hp: 5 of 6 dice spent: all six are thrown and all six are back
func TestSpentHitDiceComeBack(t *testing.T) {
	f := patient(t, 6, 8, 0, 1, 90)
	f.Tend(resting("short", "dice", 5.0), 1, 1, 1, 1, 1, 1)
	if got := f.Creature("ara").Counters[body.CHitDice+"8"]; got != 1 {
		t.Fatalf("%d left", got)
	}
	f.Tend(resting("long"), 2, 2, 2, 2, 2, 2)
	f.WantHP("ara", 1+5+12)
	if got := f.Creature("ara").Counters[body.CHitDice+"8"]; got != 6 {
		t.Fatalf("%d back", got)
	}
}

// spark.rest.hit-dice-once, spark.rest.long-hit-dice-back: the dice of drained levels are not there to be spent, before or after others
func TestHitDiceOfDrainedLevels(t *testing.T) {
	f := patient(t, 6, 8, 0, 1, 90)
	f.Count("ara", body.CLevelsTemporary, 2)
	wantRefused(t, f.TryTend(resting("short", "dice", 5.0)), cite.RestHitDiceOnce)
	f.Tend(resting("short", "dice", 2.0), 1, 1, 1)
	wantRefused(t, f.TryTend(resting("short", "dice", 3.0)), cite.RestHitDiceOnce)
	f.Tend(resting("short", "dice", 2.0), 1, 1, 1)
	wantRefused(t, f.TryTend(resting("short", "dice", 1.0)), cite.RestHitDiceOnce)
	f.Tend(resting("long"), 1, 1, 1, 1) // four dice by the current level
	if got := f.Creature("ara").Counters[body.CHitDice+"8"]; got != 4 {
		t.Fatalf("%d back", got)
	}
	// All levels drained: nothing is thrown but the rest is one.
	f.Count("ara", body.CLevelsTemporary, 6)
	f.Tend(tendAra("pass-time", "hours", 16.0))
	f.Tend(resting("long"))
	if got := f.Creature("ara").Counters[body.CMana]; got != 20 {
		t.Fatalf("%d mana", got)
	}
}

// spark.rest.short-hit-dice: no fewer than none; none at all gives mana only
func TestHowManyHitDice(t *testing.T) {
	f := patient(t, 5, 8, 3, 10, 40)
	if got, ok := fault.As(f.TryTend(resting("short", "dice", -1.0))); !ok || len(got.Violations) != 1 || got.Violations[0].Field != "command.patient.parameters.dice" {
		t.Errorf("fewer than none: %v", got)
	}
	wantRefused(t, f.TryTend(resting("short", "dice", 6.0)), cite.RestHitDiceOnce)
	f.Tend(resting("short", "dice", 0.0), 10)
	f.WantHP("ara", 10)
	f.Tend(resting("short", "dice", 5.0), 1, 1, 1, 1, 1, 1)
	f.WantHP("ara", 15)
	f.Tend(resting("short"), 1)
	f.WantHP("ara", 15)
	if n := f.Creature("ara").Counters; n[body.CMana] != 15 || n[body.CHitDice+"8"] != 0 || n[body.CMinutes] != 90 {
		t.Fatalf("%v", n)
	}
}

// spark.rest.long-length, spark.rest.activity: 24 hours from start to start to the minute; short rests go on in between; a void rest uses up none
func TestFromStartToStart(t *testing.T) {
	f := patient(t, 1, 8, 0, 1, 90)
	f.Tend(resting("long"), 1)
	for range 31 { // 15 and a half hours
		f.Tend(resting("short"), 1)
	}
	wantRefused(t, f.TryTend(resting("long")), cite.RestLongLength)
	f.Tend(resting("short", "interrupted", true, "minutes", 29.0))
	wantRefused(t, f.TryTend(resting("long")), cite.RestLongLength) // a minute too early
	f.Tend(resting("short", "interrupted", true, "minutes", 1.0))
	f.Tend(resting("long", "interrupted", true, "minutes", 300.0))
	f.Tend(resting("long"), 1)
	wantRefused(t, f.TryTend(resting("long")), cite.RestLongLength)
}

// spark.rest.long-ability-point: one point in all; the last drained ability needs no choice; what is drained for good stays
func TestOneAbilityPoint(t *testing.T) {
	f := patient(t, 1, 8, 0, 1, 90)
	f.Count("ara", body.CDrained+"strength", 1, body.CLost+"wisdom", 2)
	f.Tend(resting("long"), 1)
	if n := f.Creature("ara").Counters; n[body.CDrained+"strength"] != 0 || n[body.CLost+"wisdom"] != 2 {
		t.Fatalf("%v", n)
	}
	f.Tend(tendAra("pass-time", "hours", 16.0))
	f.Tend(resting("long"), 1)
	if n := f.Creature("ara").Counters; n[body.CDrained+"strength"] != 0 || n[body.CLost+"wisdom"] != 2 {
		t.Fatalf("%v", n)
	}
}

// spark.healing.broken-bone: three weeks without being set are no saves; a natural 1 is a failed save whatever the bonus
func TestUnsetForThreeWeeks(t *testing.T) {
	f := patient(t, 4, 8, 0, 12, 25)
	f.State.Creatures["ara"].Sheet.GetSpark().Fortitude = 20
	f.Put("ara", &eventv1.Vitals{Injuries: []*eventv1.Injury{{Kind: body.InjuryBreak, Side: "right", Values: map[string]int32{"set": 0}}}})
	for range 3 {
		f.Tend(tendAra("mend-bones"))
	}
	if in := f.Creature("ara").Injuries; len(in) != 1 || in[0].Values["saves"] != 0 {
		t.Fatalf("%v", in)
	}
	f.Tend(tendAra("set-bone"), 15)
	for _, face := range []int{2, 1, 2, 2} {
		if len(f.Creature("ara").Injuries) != 1 {
			t.Fatal("healed too early")
		}
		f.Tend(tendAra("mend-bones"), face)
	}
	if len(f.Creature("ara").Injuries) != 0 {
		t.Fatal("not healed")
	}
	wantRefused(t, f.TryTend(tendAra("set-bone")), cite.HealingHealSkill)
}

// spark.healing.broken-bone: two bones are set by two checks and mend each by its own saves
func TestTwoBones(t *testing.T) {
	f := patient(t, 4, 8, 0, 12, 25)
	f.Put("ara", &eventv1.Vitals{Injuries: []*eventv1.Injury{{Kind: body.InjuryBreak, Side: "right", Values: map[string]int32{"set": 0}},
		{Kind: body.InjuryBone, Part: "leg", Values: map[string]int32{"set": 0}}}})
	f.Tend(tendAra("set-bone"), 15)
	f.Tend(tendAra("mend-bones"), 15)
	f.Tend(tendAra("set-bone"), 15)
	f.Tend(tendAra("mend-bones"), 15, 14)
	f.Tend(tendAra("mend-bones"), 15, 15)
	if in := f.Creature("ara").Injuries; len(in) != 1 || in[0].Kind != body.InjuryBone || in[0].Values["saves"] != 1 {
		t.Fatalf("%v", in)
	}
}

// spark.healing.broken-bone: whoever sets a bone says which
func TestWhichBone(t *testing.T) {
	f := patient(t, 4, 8, 0, 12, 25)
	f.Put("ara", &eventv1.Vitals{Injuries: []*eventv1.Injury{{Kind: body.InjuryBreak, Side: "right", Values: map[string]int32{"set": 0}},
		{Kind: body.InjuryBone, Part: "leg", Values: map[string]int32{"set": 0}}}})
	leg := f.Creature("ara").Injuries[1].Id
	if err := f.TryTend(tendAra("set-bone", "injury", "tooth")); err == nil {
		t.Fatal("a tooth is set")
	}
	f.Tend(tendAra("set-bone", "injury", leg), 15)
	if err := f.TryTend(tendAra("set-bone", "injury", leg)); err == nil {
		t.Fatal("set twice")
	}
	if in := f.Creature("ara").Injuries; in[0].Values["set"] != 0 || in[1].Values["set"] != 1 {
		t.Fatalf("%v", in)
	}
}

// spark.healing.level-drain, spark.healing.level-drain-bed-rest: nothing drained, no save; a natural 1 fails; two at most
func TestLevelDrainEdges(t *testing.T) {
	for _, c := range []struct {
		name          string
		drained, left int
		bed           bool
		dice          []int
	}{
		{"nothing drained", 0, 0, true, nil},
		{"a natural 1 in bed gives one", 3, 2, true, []int{1}},
		{"a natural 1 afoot gives none", 3, 3, false, []int{1}},
		{"success in bed gives two", 3, 1, true, []int{11}},
		{"failure in bed, one missing", 1, 0, true, []int{10}},
	} {
		f := patient(t, 6, 8, 0, 12, 25)
		f.State.Creatures["ara"].Sheet.GetSpark().Fortitude = 4
		if c.name[0] == 'a' {
			f.State.Creatures["ara"].Sheet.GetSpark().Fortitude = 20
		}
		f.Count("ara", body.CLevelsTemporary, c.drained)
		f.Tend(tendAra("recover-levels", "bed", c.bed), c.dice...)
		if got := f.Creature("ara").Counters; got[body.CLevelsTemporary] != int64(c.left) || got[body.CMinutes] != 24*60 {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// spark.healing.heal-skill: the DC is 15 unless the game master says; the healer's own skill counts
func TestWhoHeals(t *testing.T) {
	f := newTable(t).add(fighter("ara", "party"), fighter("orla", "party", func(s *eventv1.SparkSheet) { s.HealSkill = 5 }))
	f.Put("ara", &eventv1.Vitals{Injuries: []*eventv1.Injury{{Kind: body.InjuryBreak, Side: "right", Values: map[string]int32{"set": 0}}}})
	cmd := tendAra("set-bone")
	cmd.User = "orla"
	f.Tend(cmd, 9) // 14
	f.Tend(cmd, 10)
	if in := f.Creature("ara").Injuries; in[0].Values["set"] != 1 {
		t.Fatalf("%v", in)
	}
	cmd.User = "nobody"
	f.Put("ara", &eventv1.Vitals{Injuries: []*eventv1.Injury{{Kind: body.InjuryBone, Values: map[string]int32{"set": 0}}}})
	if err := f.TryTend(cmd); err == nil {
		t.Fatal("nobody heals")
	}
}
