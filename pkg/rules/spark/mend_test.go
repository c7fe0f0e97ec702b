package spark

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// gearOf is a deed between fights on ara's gear.
func gearOf(deed, item string) *eventv1.PatientCommand {
	return &eventv1.PatientCommand{Deed: deed, Patients: []string{"ara"}, Item: item}
}

// spark.fumble.missile-broken: what was shot is gathered after the fight, what was destroyed is not
func TestGatherAfterAFight(t *testing.T) {
	f := duel(t)
	f.strikes("bow", 2)
	f.strikes("bow", 15, 1)
	f.strikes("bow", 1, 3, 4)
	f.Count("ara", body.CSpilled+"bow", 2)
	f.Must(&eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
	f.Tend(gearOf("gather", ""))
	if n := f.Creature("ara").Counters; n[body.CAmmunition+"bow"] != 9+2+2 || n[body.CSpent+"bow"] != 0 || n[body.CSpilled+"bow"] != 0 {
		t.Fatalf("%v", n)
	}
	if err := f.TryTend(gearOf("gather", "spoon")); err == nil {
		t.Fatal("a spoon was gathered")
	}
}

// spark.fumble.weapon-chipped, spark.fumble.weapon-cracked, spark.item.cracked: repaired; what is broken stays so
func TestRepair(t *testing.T) {
	f := duel(t, armedWith(mace))
	f.strikes("mace", 1, 3, 4)
	f.Count("ara", body.CChip+"mace", 2)
	f.Tend(gearOf("repair", "mace"))
	f.strikes("mace", 15, 4)
	f.WantHP("orc", 22)
	f.Put("ara", &eventv1.Vitals{Marks: map[string]string{body.MWeapon + "mace": body.Broken}})
	wantRefused(t, f.TryTend(gearOf("repair", "mace")), cite.ItemHardnessCheck)
}

// spark.fumble.string-breaks, spark.fumble.alt-loose-string, spark.fumble.alt-string-snaps: strings between fights
func TestRestringBetweenFights(t *testing.T) {
	f := duel(t, func(s *eventv1.SparkSheet) { s.SpareStrings, s.SleightOfHand = 1, 4 })
	wantRefused(t, f.TryTend(gearOf("restring", "bow")), cite.FumbleStringBreaks)
	f.strikes("bow", 1, 4, 4)
	f.Tend(gearOf("restring", "bow"))
	if c := f.Creature("ara"); c.Marks[body.MString+"bow"] != "" || c.Counters[body.CSpareStrings] != 0 {
		t.Fatalf("%v", c)
	}
	f.strikes("bow", 1, 4, 4)
	wantRefused(t, f.TryTend(gearOf("restring", "bow")), cite.FumbleStringBreaks)
	f.Put("ara", &eventv1.Vitals{Marks: map[string]string{body.MString + "bow": body.Loose}})
	f.Tend(gearOf("restring", "bow"), 10)
	if f.Creature("ara").Marks[body.MString+"bow"] != body.Loose {
		t.Fatal("14 refits it")
	}
	f.Tend(gearOf("restring", "bow"), 11)
	if f.Creature("ara").Marks[body.MString+"bow"] != "" {
		t.Fatal("15 does not refit it")
	}
}

// spark.healing.permanent-needs-magic
func TestRestore(t *testing.T) {
	f := patient(t, 6, 8, 0, 12, 25)
	f.State.Creatures["ara"].Sheet.GetSpark().Fortitude = 9
	f.Count("ara", body.CLevelsTemporary, 1, body.CLevelsPermanent, 1, body.CLost+"strength", 2, body.CDrained+"strength", 1)
	f.Tend(tendAra("recover-levels", "bed", true), 10)
	if n := f.Creature("ara").Counters; n[body.CLevelsTemporary] != 0 || n[body.CLevelsPermanent] != 1 {
		t.Fatalf("in bed: %v", n)
	}
	f.Tend(resting("long"), 1, 1, 1, 1, 1)
	if n := f.Creature("ara").Counters; n[body.CLost+"strength"] != 2 || n[body.CDrained+"strength"] != 0 {
		t.Fatalf("a long rest: %v", n)
	}
	f.Tend(resting("short", "dice", 0.0), 1)
	f.Tend(tendAra("restore", "levels", 1.0, "ability", "strength", "points", 1.0))
	if n := f.Creature("ara").Counters; n[body.CLevelsPermanent] != 0 || n[body.CLost+"strength"] != 1 {
		t.Fatalf("restored: %v", n)
	}
	f.Count("ara", body.CLevelsTemporary, 1, body.CLevelsPermanent, 1)
	f.Tend(tendAra("restore", "levels", 1.0))
	if n := f.Creature("ara").Counters; n[body.CLevelsPermanent] != 0 || n[body.CLevelsTemporary] != 1 {
		t.Fatalf("what is lost for good comes first: %v", n)
	}
	for _, bad := range [][]any{{}, {"levels", -1.0}, {"ability", "strength"}, {"points", 1.0}, {"injury", "pox"}} {
		if err := f.TryTend(tendAra("restore", bad...)); err == nil {
			t.Errorf("%v is accepted", bad)
		}
	}
}

// spark.healing.heal-skill, spark.fumble.checks: it stops a bleeding; a natural 1 fails; a failure may be repeated
func TestStopBleeding(t *testing.T) {
	f := patient(t, 4, 8, 0, 12, 25)
	f.State.Creatures["ara"].Sheet.GetSpark().HealSkill = 16
	wantRefused(t, f.TryTend(tendAra("stop-bleeding")), cite.HealingHealSkill)
	f.Put("ara", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondBleeding}}, Injuries: []*eventv1.Injury{{Kind: body.CondBleeding}}})
	f.Tend(tendAra("stop-bleeding"), 1) // 17 would do
	if !body.Has(f.Creature("ara"), body.CondBleeding) {
		t.Fatal("a natural 1 stopped it")
	}
	f.Tend(tendAra("stop-bleeding", "dc", 20.0), 3)
	if !body.Has(f.Creature("ara"), body.CondBleeding) {
		t.Fatal("19 of 20 stopped it")
	}
	f.Tend(tendAra("stop-bleeding", "dc", 20.0), 4)
	if c := f.Creature("ara"); body.Has(c, body.CondBleeding) || len(c.Injuries) != 0 {
		t.Fatal("still bleeding")
	}
	f.WantHP("ara", 12)
}

// spark.healing.broken-bone, spark.fumble.wrist-breaks: three saves in a row heal at the end of
// week 3, the earliest possible; any broken bone mends so
func TestBonesMend(t *testing.T) {
	for _, c := range []struct {
		name      string
		kind      string
		fortitude int32
		faces     []int
	}{{"three in a row", body.InjuryBreak, 3, []int{15, 14, 12}}, {"a wrist, Fortitude +5", body.InjuryBreak, 5, []int{10, 9, 11, 10}}, {"a leg", body.InjuryBone, 3, []int{12, 8, 13, 19}}} {
		t.Run(c.name, func(t *testing.T) {
			f := patient(t, 4, 8, 0, 12, 25)
			f.State.Creatures["ara"].Sheet.GetSpark().Fortitude = c.fortitude
			f.Put("ara", &eventv1.Vitals{Injuries: []*eventv1.Injury{{Kind: c.kind, Side: "right", Values: map[string]int32{"set": 0}}}})
			f.Tend(tendAra("set-bone"), 15)
			for i, face := range c.faces {
				if len(f.Creature("ara").Injuries) != 1 {
					t.Fatalf("healed before week %d", i+1)
				}
				f.Tend(tendAra("mend-bones"), face)
			}
			if len(f.Creature("ara").Injuries) != 0 {
				t.Fatal("not healed")
			}
		})
	}
}

// spark.rest.place-multiplier: every place, and none for a short rest
func TestPlaces(t *testing.T) {
	for place, want := range map[string]int32{"dungeon": 13, "wilderness": 13, "poor-inn": 26, "common-inn": 39, "rich-inn": 52} {
		f := patient(t, 2, 10, 1, 1, 90)
		f.Tend(resting("long", "place", place), 4, 7)
		f.WantHP("ara", 1+want)
	}
	f := patient(t, 2, 8, 0, 1, 90)
	wantField(t, f.TryTend(resting("short", "place", "rich-inn", "dice", 1.0)), "command.patient.parameters.place")
	f.Tend(resting("short", "dice", 1.0), 5, 1)
	f.WantHP("ara", 6)
}

// spark.rest.short-hit-dice, spark.rest.short-mana, spark.rest.long-mana: never above the maximum
func TestRestCaps(t *testing.T) {
	f := patient(t, 4, 6, 2, 21, 24)
	f.Count("ara", body.CMana, 18)
	f.Tend(resting("short", "dice", 1.0), 5, 9)
	f.WantHP("ara", 24)
	if n := f.Creature("ara").Counters; n[body.CMana] != 20 || n[body.CHitDice+"6"] != 3 {
		t.Fatalf("%v", n)
	}
	for _, mana := range []int{0, 19} {
		f = patient(t, 1, 6, 0, 1, 24)
		f.Count("ara", body.CMana, mana)
		f.Tend(resting("long", "place", "rich-inn"), 1)
		if n := f.Creature("ara").Counters; n[body.CMana] != 20 {
			t.Fatalf("%v", n)
		}
	}
}

// spark.rest.activity, spark.rest.short-length, spark.rest.long-length: broken off, only the time passes
func TestBrokenOffRests(t *testing.T) {
	f := patient(t, 4, 6, 2, 10, 24)
	f.Tend(resting("short", "interrupted", true, "minutes", 29.0))
	f.Tend(resting("long", "interrupted", true, "minutes", 300.0))
	f.WantHP("ara", 10)
	if n := f.Creature("ara").Counters; n[body.CMinutes] != 329 || n[body.CMana] != 3 || n[body.CLongRest] != 0 {
		t.Fatalf("%v", n)
	}
	f.Tend(resting("long"), 1, 1, 1, 1) // the 8 hours start again
	f.WantHP("ara", 10+4+8)
}

// spark.healing.two-ways: magical healing ends pulled muscles, and never heals above the maximum
func TestMagicEndsPulledMuscles(t *testing.T) {
	f := patient(t, 4, 8, 0, 20, 25)
	f.Put("ara", &eventv1.Vitals{Injuries: []*eventv1.Injury{{Kind: body.InjuryArms}, {Kind: body.InjuryLegs}}})
	f.Tend(tendAra("heal", "amount", 2.0, "natural", true))
	if len(f.Creature("ara").Injuries) != 2 {
		t.Fatal("natural healing ended them")
	}
	f.Tend(tendAra("heal", "amount", 9.0))
	f.WantHP("ara", 25)
	if len(f.Creature("ara").Injuries) != 0 {
		t.Fatal("magic left them")
	}
}
