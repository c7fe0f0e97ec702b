package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/rest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func turnBegins(id string) *eventv1.Harm { return &eventv1.Harm{Deed: body.DeedTurnStart, Target: id} }

// Death saves: no modifier, exhaustion off the total, natural 1 and 20 by the
// face, a level of exhaustion for each failure marked.
func TestDeathSaves(t *testing.T) {
	type tally struct {
		successes, failures, exhaustion int64
		life                            eventv1.LifeStatus
	}
	const (
		dying  = eventv1.LifeStatus_LIFE_STATUS_DYING
		stable = eventv1.LifeStatus_LIFE_STATUS_STABLE
		alive  = eventv1.LifeStatus_LIFE_STATUS_ALIVE
		died   = eventv1.LifeStatus_LIFE_STATUS_DEAD
	)
	cases := []struct {
		name     string
		settings []string
		before   tally
		faces    [][]int
		after    tally
	}{
		{"rcr.base.death-save-frame 10 succeeds", nil, tally{}, [][]int{{10}}, tally{1, 0, 0, dying}},
		{"rcr.base.death-save-frame third success", nil, tally{2, 2, 0, 0}, [][]int{{10}}, tally{0, 0, 0, stable}},
		{"rcr.base.death-save-frame natural 20", nil, tally{2, 2, 0, 0}, [][]int{{20}}, tally{0, 0, 0, alive}},
		{"rcr.death.failure-exhaustion three in a row", nil, tally{}, [][]int{{9}, {10}, {11}}, tally{0, 3, 3, died}},
		{"rcr.death.failure-exhaustion natural 1", nil, tally{}, [][]int{{1}}, tally{0, 2, 2, dying}},
		{"rcr.death.failure-exhaustion natural 1 by rolls", []string{body.SetExhaustionFailure + "=rolled"}, tally{}, [][]int{{1}}, tally{0, 2, 1, dying}},
		{"rcr.death.failure-exhaustion total of 1", nil, tally{0, 1, 1, 0}, [][]int{{2}}, tally{0, 2, 2, dying}},
		{"rcr.death.failure-exhaustion dead of exhaustion", nil, tally{0, 0, 10, 0}, [][]int{{15}}, tally{0, 1, 11, died}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := medTable(t, bodied("a", 10, 40), 0, 0, c.settings...)
			f.Count("a", body.CDeathSuccesses, int(c.before.successes), body.CDeathFailures, int(c.before.failures), body.CExhaustion, int(c.before.exhaustion))
			for _, faces := range c.faces {
				f.deed(turnBegins("a"), faces...)
			}
			a := f.Creature("a")
			got := tally{a.Counters[body.CDeathSuccesses], a.Counters[body.CDeathFailures], a.Counters[body.CExhaustion], a.Life}
			if got != c.after {
				t.Fatalf("%+v, want %+v", got, c.after)
			}
			if c.after.life == alive && (a.GetHp() != 1 || body.Has(a, body.CondUnconscious)) {
				t.Fatalf("hp %d, unconscious %v", a.GetHp(), body.Has(a, body.CondUnconscious))
			}
		})
	}
}

// rcr.injury.row1-shock: a death save is a saving throw.
func TestDeathSaveInShock(t *testing.T) {
	f := medTable(t, bodied("a", 10, 40), 0, 1)
	f.deed(turnBegins("a"), 15, 4)
	if a := f.Creature("a"); a.Counters[body.CDeathFailures] != 1 {
		t.Fatalf("%v", a.Counters)
	}
}

// rcr.base.death-save-frame: damage at 0 hit points.
func TestDamageWhileDown(t *testing.T) {
	f := medTable(t, bodied("a", 16, 40), 0, 0)
	f.deed(hit("a", 5))
	f.deed(hit("a", 5, critical))
	a := f.Creature("a")
	if !body.Dead(a) || a.Counters[body.CDeathFailures] != 3 || a.Counters[body.CExhaustion] != 3 || a.Counters[body.CWounds] != 1 {
		t.Fatalf("%v %v", a.Life, a.Counters)
	}
	f = medTable(t, bodied("a", 16, 40), 0, 0, body.SetExhaustionFailure+"=rolled")
	f.deed(&eventv1.Harm{Deed: body.DeedStabilise, Target: "a", Cause: "Medicine"})
	f.deed(hit("a", 5))
	if a := f.Creature("a"); a.Life != eventv1.LifeStatus_LIFE_STATUS_DYING || a.Counters[body.CExhaustion] != 0 || a.Counters[body.CDeathFailures] != 1 {
		t.Fatalf("%v %v", a.Life, a.Counters)
	}
}

// rcr.death.secret-saves: neither the other players nor the owner learn
// anything of a death save until the creature wakes or dies.
func TestDeathSavesAreSecret(t *testing.T) {
	f := medTable(t, bodied("a", 10, 40), 0, 0).add(bodied("b", 10, 40))
	f.Count("a", body.CDeathSuccesses, 1, body.CDeathFailures, 1)
	f.deed(turnBegins("a"), 7)
	for _, name := range []string{"a-player", "b-player"} {
		if seen := f.SeenBy(player(name)); len(seen) > 0 {
			t.Fatalf("%s sees %v", name, seen)
		}
	}
	f.Count("a", body.CDeathSuccesses, 2)
	f.deed(turnBegins("a"), 18)
	if seen := f.SeenBy(player("a-player")); len(seen) > 0 || f.Creature("a").Life != eventv1.LifeStatus_LIFE_STATUS_STABLE {
		t.Fatalf("stable by a save: %v", seen)
	}
	f.deed(hit("a", 1))
	for _, e := range f.SeenBy(player("a-player")) {
		if e.GetLife() != nil {
			t.Fatal("the owner hears that it is dying again")
		}
	}
	f.deed(turnBegins("a"), 20)
	var shown int64
	for _, e := range f.SeenBy(player("a-player")) {
		if c := e.GetCounter(); c.GetCounter() == body.CExhaustion {
			shown = c.Value
		}
		if e.GetRoll() != nil {
			t.Fatal("the owner sees the die")
		}
	}
	if shown != 2 {
		t.Fatalf("the owner is shown exhaustion %d, want 2", shown)
	}
}

// rcr.death.inspiration-auto-success
func TestDeathSaveInspiration(t *testing.T) {
	spend := []*eventv1.EarlyAnswer{{Decision: checks.DecDeathInspiration, Answer: &eventv1.Answer{Option: "yes"}}}
	begin := func(r *rules.Resolution) error { return rest.Medicine{}.Deed(r, turnBegins("a")) }
	f := medTable(t, bodied("a", 10, 40), 0, 0)
	f.Count("a", body.CDeathSuccesses, 1, body.CDeathFailures, 2, body.CExhaustion, 2, body.CInspiration, 1)
	if _, err := f.tryMedicine(begin, spend, nil); err != nil {
		t.Fatal(err)
	}
	a := f.Creature("a")
	if a.Counters[body.CDeathSuccesses] != 2 || a.Counters[body.CDeathFailures] != 2 || a.Counters[body.CExhaustion] != 2 || a.Counters[body.CInspiration] != 0 {
		t.Fatalf("%v", a.Counters)
	}
	f.Count("a", body.CInspiration, 1)
	if _, err := f.tryMedicine(begin, spend, nil); err != nil {
		t.Fatal(err)
	}
	if a := f.Creature("a"); a.Life != eventv1.LifeStatus_LIFE_STATUS_STABLE || a.GetHp() != 0 {
		t.Fatalf("%v at %d", a.Life, a.GetHp())
	}
	f = medTable(t, bodied("a", 10, 40), 0, 0, "rcr.death.inspiration-auto-success=off")
	f.Count("a", body.CInspiration, 1)
	f.deed(turnBegins("a"), 12) // not asked
}

// rcr.condition.exhaustion-scale
func TestExhaustionGain(t *testing.T) {
	for _, c := range []struct {
		name       string
		had, gains int
		level      int64
		died       bool
	}{{"4 and 1", 4, 1, 5, false}, {"9 and 2", 9, 2, 11, true}, {"9 and 1", 9, 1, 10, false}} {
		t.Run("rcr.condition.exhaustion-scale/"+c.name, func(t *testing.T) {
			f := medTable(t, bodied("a", 10, 40), 40, 0)
			f.Count("a", body.CExhaustion, c.had)
			f.deed(&eventv1.Harm{Deed: body.DeedExhaust, Target: "a", Amount: int32(c.gains), Cause: "march"})
			if a := f.Creature("a"); a.Counters[body.CExhaustion] != c.level || body.Dead(a) != c.died {
				t.Fatalf("%v %v", a.Counters, a.Life)
			}
		})
	}
}

// Bleeding comes first in a turn and can bring the creature down.
func TestBleeding(t *testing.T) {
	level := func(n int32, die int32) func(*eventv1.Sheet) {
		return rcrSheet(func(s *eventv1.RcrSheet) { s.Level, s.HitDice = n, []*eventv1.RcrHitDice{{Size: die, Total: n}} })
	}
	cases := []struct {
		name             string
		level, die       int32
		hp, max          int32
		wounds           int
		faces            []int
		want             want
		failures, levels int64
	}{
		{cite.InjuryRow3Bleeding, 4, 8, 20, 36, 3, []int{7}, want{13, 36, 3, 3, false, true}, 0, 0},
		{"rcr.injury.row3-bleeding to 0", 5, 10, 10, 38, 3, []int{3, 9, 6, 1}, want{0, 32, 5, 5, false, false}, 0, 0},
		{"rcr.injury.row3-bleeding healed before", 4, 8, 20, 36, 2, nil, want{20, 36, 2, 2, false, true}, 0, 0},
		{"rcr.injury.row3-bleeding at 0, then the save", 4, 8, 0, 36, 3, []int{7, 12, 15}, want{0, 36, 3, 3, false, false}, 1, 1},
		{cite.InjuryRow5MajorBleeding, 5, 8, 30, 50, 5, []int{2, 7, 5, 8}, want{8, 50, 5, 5, false, true}, 0, 0},
		{"rcr.injury.row5-major-bleeding back to minor", 5, 8, 30, 50, 4, []int{2, 7}, want{21, 50, 4, 4, false, true}, 0, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := medTable(t, bodied("a", 10, c.max, level(c.level, c.die)), c.hp, c.wounds)
			f.deed(turnBegins("a"), c.faces...)
			f.wantBody("a", c.want)
			if a := f.Creature("a"); a.Counters[body.CDeathFailures] != c.failures || a.Counters[body.CExhaustion] != c.levels {
				t.Fatalf("%v", a.Counters)
			}
		})
	}
}

// rcr.condition.paralyzed-disabled: limp and without air, as under water
// (rcr.underwater.suffocating-save, -escalation, -unconscious, -no-stabilize).
func TestSuffocation(t *testing.T) {
	f := medTable(t, bodied("a", 14, 40), 22, 0)
	f.Afflict("a", body.CondParalyzed+"="+body.VariantDisabled)
	f.deed(turnBegins("a"), 3)  // 5 against 5
	f.deed(turnBegins("a"), 9)  // 11 against 10
	f.deed(turnBegins("a"), 13) // 15 against 15
	f.wantBody("a", want{22, 40, 0, 0, false, true})
	if res := f.deed(turnBegins("a"), 17); !res.NoDeathSave { // 19 against 20
		t.Fatalf("%v", res)
	}
	f.wantBody("a", want{22, 40, 0, 0, false, false})
	f.deed(turnBegins("a"), 11)
	if f.Creature("a").Counters[body.CDeathSuccesses] != 1 {
		t.Fatalf("%v", f.Creature("a").Counters)
	}
	f.refusedDeed(cite.BaseDeathSaveFrame, &eventv1.Harm{Deed: body.DeedStabilise, Target: "a"})
	f.State.Creatures["a"].Conditions = slices.DeleteFunc(f.State.Creatures["a"].Conditions,
		func(x *eventv1.Condition) bool { return x.Name == body.CondParalyzed })
	f.deed(turnBegins("a"), 11)
	if a := f.Creature("a"); a.Counters[body.CDeathSuccesses] != 2 {
		t.Fatalf("air alone does not wake it: %v", a.Counters)
	}
	if !f.deed(healing("a", "a", 1)).Woke || f.Creature("a").Counters[body.CSuffocating] != 0 {
		t.Fatal("healed and breathing it wakes")
	}
}

// rcr.condition.bloodied: fewer than half, seen by everyone.
func TestBloodied(t *testing.T) {
	for _, c := range []struct {
		maximum, hp int32
		bloodied    bool
	}{{40, 20, false}, {40, 19, true}, {45, 23, false}, {45, 22, true}} {
		f := medTable(t, bodied("a", 10, c.maximum), c.maximum, 0, body.SetPartyLevel+"=1")
		f.deed(hit("a", c.maximum-c.hp))
		if body.Has(f.Creature("a"), body.CondBloodied) != c.bloodied {
			t.Fatalf("rcr.condition.bloodied: %+v", c)
		}
		if seen := f.SeenBy(player("nobody")); c.bloodied != slices.ContainsFunc(seen, func(e *eventv1.Event) bool { return e.GetConditionAdded() != nil }) {
			t.Fatalf("rcr.condition.bloodied: %+v: %v", c, seen)
		}
	}
	f := medTable(t, bodied("a", 10, 45), 22, 0)
	f.deed(healing("a", "", 1))
	if body.Has(f.Creature("a"), body.CondBloodied) {
		t.Fatal("bloodied at 23 of 45")
	}
}

// rcr.hp.secret-totals: numbers go to the owner and the game master.
func TestNumbersAreSecret(t *testing.T) {
	f := medTable(t, bodied("a", 10, 40), 40, 0).add(bodied("b", 10, 40))
	f.deed(hit("a", 7))
	if seen := f.SeenBy(player("b-player")); len(seen) > 0 {
		t.Fatalf("another player sees %v", seen)
	}
	if seen := f.SeenBy(player("a-player")); len(seen) != 2 {
		t.Fatalf("the owner sees %v", seen)
	}
	f.deed(healing("a", "b", 3))
	for _, e := range f.SeenBy(player("b-player")) {
		if e.GetHealing() != nil || e.GetHitPoints() != nil {
			t.Fatalf("the healer sees %v", e)
		}
	}
}
