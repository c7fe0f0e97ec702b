package basic

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// finish ends the encounter.
func (f *table) finish() {
	f.T.Helper()
	f.Must(&eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
}

// basic.healing.subdual-wake: when the encounter ends the turns left are those, begun ones
// whole, until the round in which one wakes; who is awake wakes of nothing, and where the
// game master put no round the turns that were rolled stay.
func TestTurnsLeftAtTheEnd(t *testing.T) {
	for name, c := range map[string]struct {
		out  bool // unconscious, for 2 turns as rolled
		wake int  // the round as the game master then has it; -1: as rolled
		want int64
	}{
		"as rolled, in the round":        {true, -1, 2},
		"a turn and a round":             {true, 62, 2}, // it is round 1
		"a turn":                         {true, 61, 1},
		"a round":                        {true, 2, 1},
		"in this very round":             {true, 1, 2},
		"never, says the game master":    {true, 0, 2},
		"awake, says the game master so": {false, 61, 0},
		"awake":                          {false, -1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t).add(nil, make1("a", "A"), make1("b", "B")).start(nil)
			if c.out {
				none := int32(0)
				f.edits("b", &eventv1.Vitals{Hp: &none, Counters: map[string]int64{body.CNonlethal: 1}}, 2)
			}
			if c.wake >= 0 {
				f.Count("b", body.CWake, c.wake)
			}
			f.finish()
			if got := f.Creature("b").Counters[body.CWakeTurns]; got != c.want {
				t.Errorf("%d turns left, want %d", got, c.want)
			}
		})
	}
}

// basic.healing.subdual-wake: the round wakes who is unconscious and due, and nobody else.
func TestWhoWakesWithTheRound(t *testing.T) {
	for name, c := range map[string]struct {
		out  bool
		wake int
		woke bool
	}{"due": {true, 2, true}, "overdue": {true, 1, true}, "a round later": {true, 3, false}, "never": {true, 0, false}, "awake": {false, 2, false}} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t).add(nil, make1("a", "A"), make1("b", "B")).start(nil)
			if c.out {
				none := int32(0)
				f.edits("b", &eventv1.Vitals{Hp: &none, Counters: map[string]int64{body.CNonlethal: 1}}, 2)
				f.declare([]int{6}, "a=move")
			} else {
				f.declare([]int{6, 1}, "a=move", "b=move")
			}
			f.Count("b", body.CWake, c.wake)
			if !c.out {
				f.end("a", "b")
			} else {
				f.end("a")
			}
			woke := false
			for _, e := range f.Published {
				woke = woke || e.GetLife().GetStatus() == eventv1.LifeStatus_LIFE_STATUS_ALIVE && e.GetLife().GetCreature() == "b"
			}
			if woke != c.woke || body.Up(f.Creature("b")) != (c.woke || !c.out) {
				t.Errorf("woke %t, b is %v", woke, f.Creature("b").Life)
			}
			if want := int64(c.wake); !c.woke && f.Creature("b").Counters[body.CWake] != want {
				t.Errorf("it is due in round %d, want %d", f.Creature("b").Counters[body.CWake], want)
			}
		})
	}
}

// basic.turn.round-ends, basic.critical.effect-chart: with the encounter everything is over
// that lasts for rounds or for the fight; whoever lies goes on lying.
func TestWhatEndsWithTheEncounter(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A"), make1("b", "B")).start(nil)
	f.declare([]int{6, 1}, "a=parry-and-dodge", "b=move")
	f.Afflict("a", body.CondShaken, body.CondBlinded, body.CondBurning+"@b", body.CondProne, body.CondFatigued)
	f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondStumbling, Until: &eventv1.Until{When: "round", Round: 3}}}})
	f.finish()
	left := map[string]bool{}
	for _, x := range f.Creature("a").Conditions {
		left[x.Name] = true
	}
	for name, want := range map[string]bool{body.CondDodging: false, body.CondStumbling: false, body.CondShaken: false, body.CondBlinded: false, body.CondBurning: false, body.CondProne: true, body.CondFatigued: true} {
		if left[name] != want {
			t.Errorf("%s is there: %t", name, left[name])
		}
	}
}

// basic.death.zero-hp: the dead die once, whatever the game master writes on them.
func TestTheDeadDieOnce(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A"), make1("b", "B")).start(nil)
	f.Hurt("b", 0)
	f.WantLife("b", isDead)
	f.Count("b", body.CRunning, 3)
	for _, e := range f.Published {
		if e.GetLife() != nil {
			t.Errorf("it died again: %v", e)
		}
	}
}

// basic.healing.subdual-wake, basic.injury.subdual-zero: healing of nothing wakes nobody.
func TestHealingOfNothing(t *testing.T) {
	for amount, life := range map[int32]eventv1.LifeStatus{0: isUnconscious, 1: eventv1.LifeStatus_LIFE_STATUS_ALIVE} {
		f := newTable(t).add(nil, make1("a", "A"), make1("b", "B")).start(nil)
		none := int32(0)
		f.edits("b", &eventv1.Vitals{Hp: &none, Counters: map[string]int64{body.CNonlethal: 1}}, 2)
		f.Harm(&eventv1.Harm{Deed: body.DeedHeal, Target: "b", Cause: "test", Amount: amount})
		f.WantLife("b", life)
		f.WantHP("b", amount)
	}
}

// basic.rest.fatigue, basic.healing.subdual-wake: what turns of rest do.
func TestWhatTurnsOfRestDo(t *testing.T) {
	rest := func(f *table, turns int) { f.tend("b", "rest", "turns", turns) }
	out := func(f *table) {
		none := int32(0)
		f.edits("b", &eventv1.Vitals{Hp: &none, Counters: map[string]int64{body.CNonlethal: 1}}, 2)
	}
	for name, c := range map[string]struct {
		before  func(f *table)
		turns   []int
		running int64
		up      bool
		hp      int32
		has     map[string]bool
	}{
		"who has run rests 2 turns":            {func(f *table) { f.Count("b", body.CRunning, 5) }, []int{2}, 5, true, 10, nil},
		"who has run rests 2 turns and 1":      {func(f *table) { f.Count("b", body.CRunning, 5) }, []int{2, 1}, 0, true, 10, nil},
		"who is tired rests 2 turns":           {func(f *table) { f.Afflict("b", body.CondFatigued) }, []int{2}, 0, true, 10, map[string]bool{body.CondFatigued: true}},
		"who is tired rests 3 turns":           {func(f *table) { f.Afflict("b", body.CondFatigued) }, []int{3}, 0, true, 10, map[string]bool{body.CondFatigued: false}},
		"who lies gets up":                     {func(f *table) { f.Afflict("b", body.CondProne) }, []int{1}, 0, true, 10, map[string]bool{body.CondProne: false}},
		"who lies unconscious goes on lying":   {func(f *table) { out(f); f.Afflict("b", body.CondProne) }, []int{1}, 0, false, 0, map[string]bool{body.CondProne: true}},
		"who lies unconscious wakes, and up":   {func(f *table) { out(f); f.Afflict("b", body.CondProne) }, []int{1, 1}, 0, true, 1, map[string]bool{body.CondProne: false}},
		"unconscious without an end":           {func(f *table) { out(f); f.Afflict("b", body.CondProne); f.Count("b", body.CWakeTurns, 0) }, []int{6}, 0, false, 0, map[string]bool{body.CondProne: true}},
		"awake, whatever turns are left to it": {func(f *table) { f.Count("b", body.CWakeTurns, 4); f.Count("b", body.CRunning, 5) }, []int{3}, 0, true, 10, nil},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t).add(nil, make1("a", "A"), make1("b", "B"))
			c.before(f)
			for _, n := range c.turns {
				rest(f, n)
			}
			b := f.Creature("b")
			if b.Counters[body.CRunning] != c.running || body.Up(b) != c.up || b.GetHp() != c.hp {
				t.Errorf("running %d, %v, %d hit points", b.Counters[body.CRunning], b.Life, b.GetHp())
			}
			for condition, want := range c.has {
				if body.Has(b, condition) != want {
					t.Errorf("%s: %t", condition, !want)
				}
			}
		})
	}
	// Six turns are an hour, however they are rested.
	f := newTable(t).add(nil, make1("b", "B"))
	for i, n := range []int{5, 1, 12, 5, 2} {
		rest(f, n)
		if got, want := f.Creature("b").Counters[rules.CounterHours], []int64{0, 1, 3, 3, 4}[i]; got != want {
			t.Errorf("after %d turns more %d hours, want %d", n, got, want)
		}
	}
}

// basic.healing.subdual-revive: whichever comes first wakes it, and only who is near enough
// helps.
func TestWhenOneRevivedWakes(t *testing.T) {
	for name, c := range map[string]struct {
		wake int // the round in which it would wake
		want int64
	}{"sooner": {20, 12}, "at the same time": {12, 12}, "later than it would": {11, 11}, "as nothing else wakes it": {0, 12}} {
		f := newTable(t).add(nil, make1("a", "A"), make1("b", "B")).start(nil)
		none := int32(0)
		f.edits("b", &eventv1.Vitals{Hp: &none, Counters: map[string]int64{body.CNonlethal: 1}}, 2)
		f.Count("b", body.CWake, c.wake)
		f.declare([]int{6}, "a=other")
		f.Must(act("a", "revive", "", "b"), 7, 4)
		if got := f.Creature("b").Counters[body.CWake]; got != c.want {
			t.Errorf("%s: in round %d, want %d", name, got, c.want)
		}
	}
	for name, c := range map[string]struct {
		places map[string]at
		near   bool
	}{"beside it": {map[string]at{"a": {0, 0}, "b": {5, 0}}, true}, "farther": {map[string]at{"a": {0, 0}, "b": {6, 0}}, false}, "nobody knows": {map[string]at{"a": {0, 0}}, true}} {
		f := newTable(t).on(c.places, make1("a", "A"), make1("b", "B")).start(nil)
		none := int32(0)
		f.edits("b", &eventv1.Vitals{Hp: &none, Counters: map[string]int64{body.CNonlethal: 1}}, 2)
		f.declare([]int{6}, "a=other")
		if !c.near {
			wantRefused(t, f.Try(act("a", "revive", "", "b")), cite.HealingSubdualRevive)
			continue
		}
		if err := f.Try(act("a", "revive", "", "b"), 7, 4); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// basic.turn.declare: the fight waits for the declarations of those who can make one.
func TestWhoIsAwaited(t *testing.T) {
	book := featOf(t, "    - bar: {action: declare}")
	f := tableWith(t, book).add(nil, make1("a", "A"), make1("b", "B"), make1("c", "B"), make1("d", "B", gifted), make1("e", "B")).start(nil)
	f.Afflict("b", body.CondSurprised)
	none := int32(0)
	f.edits("c", &eventv1.Vitals{Hp: &none, Counters: map[string]int64{body.CNonlethal: 1}}, 2)
	want := func(ids ...string) {
		t.Helper()
		if got := (System{}).Awaited(f.State, book); len(got) != len(ids) || len(ids) > 0 && got[0] != ids[0] || len(ids) > 1 && got[1] != ids[1] {
			t.Errorf("awaited %v, want %v", got, ids)
		}
	}
	want("a", "e")
	f.Must(act("e", "declare", body.KindMove, ""))
	want("a")
	f.Must(act("a", "declare", body.KindMove, ""), 6, 1, 1)
	want()
}

// basic.attack.behind-not-with-sneak: an attack by surprise is one where the facts say so,
// either way; the game master is asked otherwise.
func TestWhoSaysThatItComesBySurprise(t *testing.T) {
	thief := section(func(b *eventv1.BasicSheet) { b.SneakAttackBonus = 4 })
	for fact, asked := range map[string]bool{"behind": false, "unaware": false, "": true} {
		f := lone(t, nil, body.KindAttack, make1("a", "A", thief, wields(&eventv1.BasicWeapon{Name: "knife", Damage: "1d4", Kind: "melee", ShortFeet: 10, MediumFeet: 20, LongFeet: 30})), make1("b", "B"))
		if asked {
			f.Must(act("a", "sneak-shot", "knife", "b"))
			f.Answer(body.DecUnnoticed, body.DecideYes, 8, 2)
		} else {
			f.Must(act("a", "sneak-shot", "knife", "b", facts(fact, true)), 8, 2)
		}
		if got := f.Total("to-hit"); got != 8+4 {
			t.Errorf("%q: %d, want 8 and 4", fact, got)
		}
	}
}

// basic.attack.missile-into-melee, basic.attack.missile-stray-roll: without a map the ally
// stands where the one shot at does, as far as that is known.
func TestHowFarAnAllyIsStruck(t *testing.T) {
	for name, c := range map[string]struct {
		stated []any
		want   int32
	}{"short": {[]any{"distance", 50}, 11}, "medium": {[]any{"distance", 51}, 10}, "long": {[]any{"distance", 101}, 8}, "unknown": {nil, 10}} {
		f := newTable(t).add(nil, make1("a", "A", wields(bow())), make1("b", "B", ac(30)), make1("c", "A")).start(nil).declare([]int{6, 1, 1}, "a=ranged-attack", "b=move", "c=move")
		f.Must(act("a", "shoot", "bow", "b", facts(append(c.stated, "into_melee", []string{"c", "a", "b", "c"})...)), 10)
		if got := f.asked(); len(got) != 2 || got[0] != "c" {
			t.Errorf("%s: asked about %v", name, got)
		}
		f.Answer(body.DecStray, "c", 10)
		if got := f.Total("stray/c/to-hit"); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
