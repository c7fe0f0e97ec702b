package spark

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// tend carries out a deed between fights with faces.
func (f *table) tend(cmd *eventv1.PatientCommand, faces ...int) error {
	f.T.Helper()
	return f.TryTend(cmd, faces...)
}

func resting(kind string, more ...any) *eventv1.PatientCommand {
	return &eventv1.PatientCommand{Deed: "rest", Patients: []string{"ara"}, Parameters: object(append([]any{"kind", kind}, more...)...)}
}

// patient has a level, hit dice, Constitution and hit points.
func patient(t *testing.T, level, die, con, hp, maximum int32) *table {
	t.Helper()
	s := fighter("ara", "party", func(s *eventv1.SparkSheet) {
		s.Level, s.HitDie, s.ConstitutionModifier, s.Mana = level, die, con, 20
	})
	s.HitPoints = maximum
	f := newTable(t).add(s)
	f.Hurt("ara", hp)
	f.Count("ara", body.CMana, 3)
	return f
}

func (f *table) mustTend(cmd *eventv1.PatientCommand, faces ...int) {
	f.T.Helper()
	if err := f.tend(cmd, faces...); err != nil {
		f.T.Fatal(err)
	}
}

// spark.rest.short-hit-dice, spark.rest.hit-dice-once, spark.rest.short-mana
func TestShortRest(t *testing.T) {
	f := patient(t, 5, 8, 3, 10, 40)
	f.mustTend(resting("short", "dice", 2.0), 6, 3, 7)
	f.WantHP("ara", 19)
	if n := f.Creature("ara").Counters; n[body.CHitDice+"8"] != 3 || n[body.CMana] != 10 {
		t.Fatalf("%v", n)
	}
	wantRefused(t, f.tend(resting("short", "dice", 4.0)), cite.RestHitDiceOnce)
	f.mustTend(resting("short", "dice", 3.0), 1, 8, 4, 10)
	f.WantHP("ara", 32)
	f.mustTend(resting("short"), 9)
	if n := f.Creature("ara").Counters; n[body.CHitDice+"8"] != 0 || n[body.CMana] != 20 {
		t.Fatalf("%v", n)
	}
}

// spark.rest.long-hp, spark.rest.place-multiplier, spark.rest.long-mana, spark.rest.long-hit-dice-back
func TestLongRest(t *testing.T) {
	for _, c := range []struct {
		name                     string
		level, die, con, hp, top int32
		place                    string
		faces                    []int
		want                     int32
	}{
		{"camping", 5, 8, 2, 4, 60, "wilderness", []int{3, 8, 1, 5, 6}, 37},
		{"negative Constitution", 3, 6, -1, 2, 15, "dungeon", []int{1, 2, 1}, 3},
		{"below 0 is 0", 3, 6, -2, 2, 15, "dungeon", []int{1, 2, 1}, 2},
		{"common inn", 2, 10, 1, 1, 90, "common-inn", []int{4, 7}, 40},
		{"rich inn, capped", 2, 10, 1, 60, 90, "rich-inn", []int{4, 7}, 90},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := patient(t, c.level, c.die, c.con, c.hp, c.top)
			f.Count("ara", body.HitDiceOf(f.Creature("ara")), 0)
			f.mustTend(resting("long", "place", c.place), c.faces...)
			f.WantHP("ara", c.want)
			if n := f.Creature("ara").Counters; n[body.HitDiceOf(f.Creature("ara"))] != int64(c.level) || n[body.CMana] != 20 {
				t.Fatalf("%v", n)
			}
		})
	}
}

// spark.rest.long-length: start to start; spark.rest.activity: a void rest does not count
func TestLongRestOnceADay(t *testing.T) {
	f := patient(t, 2, 8, 0, 10, 40)
	f.mustTend(resting("long", "interrupted", true))
	f.WantHP("ara", 10)
	f.mustTend(resting("long"), 1, 1)
	f.mustTend(&eventv1.PatientCommand{Deed: "pass-time", Patients: []string{"ara"}, Parameters: object("hours", 12.0)})
	wantRefused(t, f.tend(resting("long")), cite.RestLongLength)
	f.mustTend(&eventv1.PatientCommand{Deed: "pass-time", Patients: []string{"ara"}, Parameters: object("hours", 4.0)})
	f.mustTend(resting("long"), 1, 1)
}

// spark.rest.long-ability-point, spark.fumble.sprain-wrist, spark.rest.long-hit-dice-back
func TestLongRestMends(t *testing.T) {
	f := patient(t, 6, 8, 0, 10, 40)
	f.Put("ara", &eventv1.Vitals{Injuries: []*eventv1.Injury{{Kind: body.InjurySprain, Side: "right"}}})
	f.Count("ara", body.CDrained+"strength", 3, body.CDrained+"wisdom", 1, body.CLevelsTemporary, 2)
	f.Tend(resting("long"), 1, 1, 1, 1)
	if d := f.Decisions[0]; d.Name != body.DecAbility || d.Creature != "ara" || len(d.Options) != 2 {
		t.Fatalf("nobody is asked which ability: %v", f.Decisions)
	}
	f.Choose("strength")
	n := f.Creature("ara").Counters
	if n[body.CDrained+"strength"] != 2 || n[body.CDrained+"wisdom"] != 1 || n[body.CHitDice+"8"] != 4 || len(f.Creature("ara").Injuries) != 0 {
		t.Fatalf("%v, %v", n, f.Creature("ara").Injuries)
	}
}

// spark.healing.two-ways: magic mends, and never above the maximum
func TestMagicalHealing(t *testing.T) {
	f := patient(t, 4, 8, 0, 20, 25)
	f.Put("ara", &eventv1.Vitals{Injuries: []*eventv1.Injury{{Kind: body.InjuryBreak, Side: "right"}}})
	f.mustTend(&eventv1.PatientCommand{Deed: "heal", Patients: []string{"ara"}, Parameters: object("amount", 9.0)})
	f.WantHP("ara", 25)
	if len(f.Creature("ara").Injuries) != 0 {
		t.Fatal("still broken")
	}
}

func tendAra(deed string, more ...any) *eventv1.PatientCommand {
	return &eventv1.PatientCommand{Deed: deed, Patients: []string{"ara"}, Parameters: object(more...)}
}

// spark.healing.heal-skill, spark.healing.broken-bone, spark.fumble.wrist-breaks, spark.fumble.checks
func TestBrokenBone(t *testing.T) {
	f := patient(t, 4, 8, 0, 12, 25)
	f.State.Creatures["ara"].Sheet.GetSpark().HealSkill = 5
	f.State.Creatures["ara"].Sheet.GetSpark().Fortitude = 3
	f.Put("ara", &eventv1.Vitals{Injuries: []*eventv1.Injury{{Kind: body.InjuryBreak, Side: "right", Values: map[string]int32{"set": 0}}}})
	f.mustTend(tendAra("mend-bones")) // not set: no save
	f.mustTend(tendAra("set-bone"), 9)
	f.mustTend(tendAra("mend-bones"))
	f.mustTend(tendAra("set-bone"), 10)
	f.WantHP("ara", 12)
	for i, face := range []int{12, 8, 13, 19} {
		if len(f.Creature("ara").Injuries) != 1 {
			t.Fatalf("healed before week %d", i+1)
		}
		f.mustTend(tendAra("mend-bones"), face)
	}
	if len(f.Creature("ara").Injuries) != 0 {
		t.Fatal("not healed at the end of week 4")
	}
}

// spark.healing.level-drain, spark.healing.level-drain-bed-rest, spark.healing.permanent-needs-magic
func TestLevelDrain(t *testing.T) {
	for _, c := range []struct {
		name          string
		drained, face int
		bed           bool
		want          int64
	}{
		{"success", 3, 11, false, 2}, {"failure", 3, 10, false, 3}, {"failure in bed", 3, 10, true, 2}, {"success in bed, one missing", 1, 11, true, 0},
	} {
		f := patient(t, 6, 8, 0, 12, 25)
		f.State.Creatures["ara"].Sheet.GetSpark().Fortitude = 4
		f.Count("ara", body.CLevelsTemporary, c.drained, body.CLevelsPermanent, 1)
		f.mustTend(tendAra("recover-levels", "bed", c.bed), c.face)
		if n := f.Creature("ara").Counters; n[body.CLevelsTemporary] != c.want || n[body.CLevelsPermanent] != 1 {
			t.Errorf("%s: %v", c.name, n)
		}
	}
}

// CheckSheet names the exact field.
func TestCheckSheet(t *testing.T) {
	s := fighter("ara", "party", mage, func(s *eventv1.SparkSheet) {
		s.Level = 0
		s.Weapons[1].FumbleClasses = []string{"Q"}
		s.Spells[2].Delivery = "post"
	})
	want := []string{"sheet.spark.level", "sheet.spark.weapons[1].fumble_classes[0]", "sheet.spark.spells[2].delivery"}
	got := System{}.CheckSheet(s)
	for i, v := range got {
		if i >= len(want) || v.Field != want[i] {
			t.Fatalf("%v, want %v", got, want)
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%v, want %v", got, want)
	}
}

// Settings are sound and no id comes twice.
func TestSettings(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range body.Settings.All() {
		if seen[s.ID] || s.Title == "" || s.Text == "" || len(rules.CheckSettings(System{}, map[string]string{s.ID: s.Default})) > 0 {
			t.Errorf("%s is unsound", s.ID)
		}
		seen[s.ID] = true
	}
}
