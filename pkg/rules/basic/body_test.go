package basic

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

const (
	isDead        = eventv1.LifeStatus_LIFE_STATUS_DEAD
	isUnconscious = eventv1.LifeStatus_LIFE_STATUS_UNCONSCIOUS
	isAlive       = eventv1.LifeStatus_LIFE_STATUS_ALIVE
)

// basic.death.zero-hp, basic.injury.subdual-zero
func TestZeroHitPoints(t *testing.T) {
	for _, c := range []struct {
		name      string
		hp        int32
		nonlethal int64
		face      int
		wantHP    int32
		want      eventv1.LifeStatus
		wake      bool
	}{
		{cite.DeathZeroHp, 4, 0, 4, 0, isDead, false},
		{"basic.death.zero-hp: 1 left", 4, 0, 3, 1, isAlive, false},
		{"basic.injury.subdual-zero: a point is enough", 5, 1, 8, 0, isUnconscious, true},
		{"basic.injury.subdual-zero: none taken", 6, 0, 8, 0, isDead, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := lone(t, nil, body.KindMelee, make1("a", "A"), make1("b", "B"))
			f.Put("b", &eventv1.Vitals{Hp: &c.hp, Counters: map[string]int64{body.CNonlethal: c.nonlethal}})
			faces := []int{15, c.face}
			if c.wake {
				faces = append(faces, 3)
			}
			f.Must(act("a", "attack", "sword", "b"), faces...)
			f.WantHP("b", c.wantHP)
			f.WantLife("b", c.want)
		})
	}
}

// knockedOut is a fight in which b lies unconscious in round 1 and wakes after three turns.
func knockedOut(t *testing.T, settings ...string) *table {
	f := newTable(t, settings...).add(nil, make1("a", "A"), make1("b", "B"), make1("c", "B")).start(nil)
	two := int32(2)
	f.Put("b", &eventv1.Vitals{Hp: &two, Counters: map[string]int64{body.CNonlethal: 3}})
	f.declare([]int{6, 1, 2}, "a=melee-attack", "b=move", "c=other")
	f.Must(act("a", "attack", body.Punch, "b"), 15, 2, 3)
	f.WantLife("b", isUnconscious)
	return f
}

// basic.healing.subdual-wake, basic.turn.turn-length
func TestWaking(t *testing.T) {
	f := knockedOut(t)
	if got := f.State.Creatures["b"].Counters[body.CWake]; got != 181 {
		t.Errorf("it wakes in round %d, want 1 + 180", got)
	}
	f = knockedOut(t, body.SetTurn+"=1")
	for range 3 {
		for len(f.State.Active) > 0 {
			f.end(f.State.Active[0])
		}
		if f.State.Round < 4 {
			f.declare([]int{6, 5}, "a=move", "c=move")
		}
	}
	f.WantLife("b", isAlive)
	f.WantHP("b", 1)
}

// basic.healing.subdual-revive
func TestReviving(t *testing.T) {
	f := knockedOut(t)
	f.end("a")
	f.Must(act("c", "revive", "", "b"), 7, 4)
	if got := f.State.Creatures["b"].Counters[body.CWake]; got != 12 {
		t.Errorf("it wakes in round %d, want 1 + 11", got)
	}
}

// basic.injury.unconscious-lethal
func TestUnconsciousAreKilled(t *testing.T) {
	f := knockedOut(t)
	f.end("a", "c")
	f.declare([]int{6, 1}, "a=melee-attack", "c=move")
	f.Must(act("a", "attack", body.Punch, "b"), 15, 2)
	f.WantLife("b", isDead)
}

// basic.injury.unconscious-lethal, basic.item.oil-fire-immunity: harm that does nothing
// kills nobody who lies there.
func TestHarmlessHarmKillsNobody(t *testing.T) {
	for _, fireproof := range []bool{true, false} {
		var tags []string
		if fireproof {
			tags = []string{"fire-based"}
		}
		f := newTable(t)
		f.AddAt(0, 0, make1("a", "A", throws(body.Oil)))
		f.AddAt(0, 55, make1("c", "A"))
		f.AddAt(0, 50, make1("hound", "B", hp(3), tag(tags...)))
		f.start(nil).declare([]int{1, 6, 2}, "a=ranged-attack", "c=melee-attack", "hound=move")
		f.Must(act("c", "attack", body.Punch, "hound"), 15, 3, 2)
		f.WantLife("hound", isUnconscious)
		f.end("c")
		f.Must(act("a", "throw", "flask", "hound", lit(strike.LitFlame)), 12, 6)
		if got := body.Dead(f.Creature("hound")); got == fireproof {
			t.Errorf("fireproof %v: dead %v", fireproof, got)
		}
	}
}

// A spell that was disturbed is gone: nothing of it comes with what others do on a
// later number of the round.
//
// basic.spell.disruption
func TestADisturbedSpellIsGone(t *testing.T) {
	f := newTable(t).add(nil, make1("mage", "A", caster), make1("orc", "B"), make1("rat", "B")).start(nil)
	f.declare([]int{5, 5, 2}, "mage=cast", "orc=melee-attack", "rat=melee-attack")
	f.Must(act("mage", "cast", "bolt", "orc"))
	f.Must(act("orc", "attack", "sword", "mage"), 2)
	f.end("mage")
	f.Must(endTurn("orc"), 12)
	f.WantActive("rat")
	if len(f.State.Tasks) > 0 {
		t.Errorf("left over: %v", f.State.Tasks)
	}
	f.Must(act("rat", "attack", "sword", "mage"), 2)
	f.end("rat") // no second save
	f.WantHP("orc", 10)
}

// basic.attack.subdual-weapons
func TestSubdualWeapons(t *testing.T) {
	star := wields(&eventv1.BasicWeapon{Name: "morning star", Damage: "1d6", Kind: "melee", AllEdges: true})
	f := lone(t, nil, body.KindMelee, make1("a", "A", star), make1("b", "B"))
	wantRefused(t, f.Try(act("a", "subdue", "morning star", "b")), cite.AttackSubdualWeapons)
}

// basic.rest.fatigue
func TestRest(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A")).start(nil)
	f.Put("a", &eventv1.Vitals{Counters: map[string]int64{body.CRunning: 27}})
	f.Afflict("a", body.CondFatigued)
	for turns, want := range []bool{2: true, 3: false} {
		if turns < 2 {
			continue
		}
		f.tend("a", "rest", "turns", turns)
		if body.Has(f.State.Creatures["a"], body.CondFatigued) != want {
			t.Errorf("after %d turns", turns)
		}
	}
	if f.State.Creatures["a"].Counters[body.CRunning] != 0 {
		t.Error("the count of running is 0 again")
	}
}

// basic.rest.fatigue: three turns in all, but for one who fights or runs between them
func TestRestAddsUp(t *testing.T) {
	tired := func(left int64) *table {
		f := newTable(t).add(nil, make1("a", "A"))
		f.Put("a", &eventv1.Vitals{Counters: map[string]int64{body.CRunning: 27, body.CRested: left}})
		f.Afflict("a", body.CondFatigued)
		return f
	}
	f := tired(0)
	for _, turns := range []int{1, 1, 1} {
		if !body.Has(f.State.Creatures["a"], body.CondFatigued) {
			t.Fatal("fatigue is over before the third turn")
		}
		f.tend("a", "rest", "turns", turns)
	}
	if a := f.State.Creatures["a"]; body.Has(a, body.CondFatigued) || a.Counters[body.CRested] != 0 || a.Counters[body.CRunning] != 0 {
		t.Errorf("after 1, 1 and 1 turns: %v, %v", a.Conditions, a.Counters)
	}
	// Who comes into a fight begins its rest anew after it.
	g := newTable(t)
	g.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: make1("a", "A"),
		Vitals: &eventv1.Vitals{Counters: map[string]int64{body.CRunning: 27, body.CRested: 2}, Conditions: []*eventv1.Condition{{Name: body.CondFatigued}}}}}})
	g.tend("a", "rest", "turns", 1)
	if !body.Has(g.State.Creatures["a"], body.CondFatigued) {
		t.Error("one turn after a fight ends fatigue")
	}
}

// Harm, treatment and rest between fights.
func TestTend(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A"))
	f.tend("a", "harm", "amount", 4, "nonlethal", true)
	f.WantHP("a", 6)
	f.tend("a", "harm", "amount", 9, []int{2})
	f.WantLife("a", isUnconscious)
	f.tend("a", "rest", "turns", 1)
	f.WantLife("a", isUnconscious)
	f.tend("a", "rest", "turns", 1)
	f.WantHP("a", 1)
	f.tend("a", "treat", "amount", 50)
	f.WantHP("a", 10)
	if f.State.Creatures["a"].Counters[body.CNonlethal] != 0 {
		t.Error("at full hit points nothing of it is left")
	}
}

var caster = section(func(b *eventv1.BasicSheet) {
	b.Weapons, b.Saves = nil, map[string]int32{"spells": 13}
	b.Spells = []*eventv1.BasicSpell{{Name: "bolt", Uses: 2, Damage: "1d6"}}
})

// basic.spell.hand-and-voice, basic.action.cast-spell
func TestHandAndVoice(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A", caster), make1("b", "B")).start(nil)
	f.Afflict("a", body.CondGagged)
	wantRefused(t, f.Try(act("a", "declare", body.KindCast, "")), cite.SpellHandAndVoice)
	f = newTable(t).add(nil, make1("a", "A", caster), make1("b", "B")).start(nil)
	f.Afflict("a", body.CondBound)
	wantRefused(t, f.Try(act("a", "declare", body.KindCast, "")), cite.SpellHandAndVoice)
	f = lone(t, nil, body.KindCast, make1("a", "A", caster, section(func(b *eventv1.BasicSheet) {
		b.Weapons = []*eventv1.BasicWeapon{{Name: "staff", Damage: "1d6", Kind: "melee"}}
	})), make1("b", "B"))
	f.Must(act("a", "move", "", "", parameters("feet", 10)))
	f.Must(act("a", "cast", "bolt", "b"), 4)
	f.Must(act("a", "move", "", "", parameters("feet", 20)))
	f.WantHP("b", 6)
	wantRefused(t, f.Try(act("a", "attack", "staff", "b")), cite.TurnDeclare)
}

// basic.spell.disruption
func TestDisruption(t *testing.T) {
	for _, c := range []struct {
		name string
		face int
		lost int32
	}{{"basic.spell.disruption: 12 fails", 12, 0}, {"basic.spell.disruption: 13 holds", 13, 4}} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add(nil, make1("mage", "A", caster), make1("orc", "B")).start(nil)
			f.declare([]int{3, 3}, "mage=cast", "orc=melee-attack")
			f.Must(act("mage", "cast", "bolt", "orc"))
			f.Must(act("orc", "attack", "sword", "mage"), 2)
			faces := []int{c.face}
			if c.lost > 0 {
				faces = append(faces, 4)
			}
			f.end("mage")
			f.Must(endTurn("orc"), faces...)
			f.WantHP("orc", 10-c.lost)
			if f.State.Creatures["mage"].Counters[body.CLeft+"bolt"] != 1 {
				t.Error("the spell is used either way")
			}
		})
	}
	t.Run("basic.spell.disruption: by one who held", func(t *testing.T) {
		f := newTable(t).add(nil, make1("mage", "A", caster), make1("orc", "B")).start(nil)
		f.declare([]int{3, 5}, "mage=cast", "orc=melee-attack")
		f.Must(act("orc", "hold", "", ""))
		f.Must(act("mage", "cast", "bolt", "orc"))
		f.Must(act("orc", "step-in", "", ""))
		f.Must(act("orc", "attack", "sword", "mage"), 2)
		f.end("orc")
		f.Must(endTurn("mage"), 12)
		f.WantHP("orc", 10)
	})
	t.Run("basic.spell.disruption: attacked before", func(t *testing.T) {
		f := newTable(t).add(nil, make1("mage", "A", caster), make1("orc", "B")).start(nil)
		f.declare([]int{3, 5}, "mage=cast", "orc=melee-attack")
		f.Must(act("orc", "attack", "sword", "mage"), 12, 2)
		f.end("orc")
		f.Must(act("mage", "cast", "bolt", "orc"), 4)
		f.WantHP("orc", 6)
	})
}

// basic.spell.same-number-casters
func TestCastersOnOneNumber(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A", caster), make1("b", "B", caster)).start(nil).declare([]int{4, 4}, "a=cast", "b=cast")
	f.Must(act("a", "cast", "bolt", "b"))
	f.Must(act("b", "cast", "bolt", "a"))
	f.end("a")
	f.Must(endTurn("b"), 5, 6)
	f.WantHP("b", 5)
	f.WantHP("a", 4)
}

// basic.spell.disrupt-by-delay
func TestDisruptByDelay(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A", caster), make1("b", "B", caster)).start(nil).declare([]int{6, 3}, "a=cast", "b=cast")
	f.Must(act("a", "delay-spell", "", "b"))
	f.WantActive("a")
	f.Must(act("a", "cast", "bolt", "b"), 2)
	f.WantHP("b", 8)
	f.end("a")
	f.Must(act("b", "cast", "bolt", "a"), 9)
	f.WantHP("a", 10)

	f = newTable(t).add(nil, make1("a", "A", caster), make1("b", "B", caster)).start(nil).declare([]int{6, 3}, "a=cast", "b=cast")
	f.Must(act("a", "cast", "bolt", "b"), 2)
	f.end("a")
	f.Must(act("b", "cast", "bolt", "a"), 3)
	f.WantHP("a", 7)
}

// basic.attack.grapple-touch, basic.movement.grapple-enter-space, basic.dice.grapple-check, basic.dice.grapple-size
func TestGrapple(t *testing.T) {
	sized := func(size string) change { return func(s *eventv1.Sheet, _ *eventv1.BasicSheet) { s.Size = size } }
	for _, c := range []struct {
		name         string
		a, b         []change
		ability      string
		touch, mine  int
		theirs       int
		grabbed, won bool
	}{
		{"basic.attack.grapple-touch: 11 misses", []change{bonus(2), abilities(0, 2)}, nil, "dexterity", 7, 0, 0, false, false},
		{"basic.attack.grapple-touch: 12 grabs", []change{bonus(2), abilities(0, 2)}, nil, "dexterity", 8, 10, 5, true, true},
		{"basic.dice.grapple-check: held", []change{abilities(2, 0)}, []change{abilities(3, 3), sized("small")}, "strength", 15, 9, 11, true, true},
		{"basic.dice.grapple-check: free", []change{abilities(2, 0)}, []change{abilities(3, 3), sized("large")}, "strength", 15, 15, 11, true, false},
		{"basic.dice.grapple-size: a tie holds", []change{abilities(3, 3), sized("small")}, []change{sized("large")}, "strength", 15, 14, 9, true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := lone(t, []int32{0, 5}, body.KindGrapple, make1("a", "A", c.a...), make1("b", "B", c.b...))
			faces := []int{c.touch}
			if c.grabbed {
				faces = append(faces, c.mine, c.theirs)
			}
			f.Must(act("a", "grapple", c.ability, "b"), faces...)
			if body.Has(f.State.Creatures["b"], body.CondHeld) != c.won || (f.State.Creatures["a"].Position.X == 5) != c.grabbed {
				t.Errorf("conditions %v, a at %v", f.State.Creatures["b"].Conditions, f.State.Creatures["a"].Position)
			}
		})
	}
}

// basic.action.hold-unarmed-damage, basic.action.hold-silence
func TestHolding(t *testing.T) {
	f := lone(t, nil, body.KindGrapple, make1("a", "A", abilities(1, 1)), make1("b", "B", caster, hp(5)))
	f.Must(act("a", "grapple", "strength", "b"), 15, 15, 5)
	f.end("a", "b")
	f.declare(nil, "a=grapple")
	f.Must(act("b", "declare", body.KindCast, ""), 6, 1, 12, 3)
	f.Must(act("a", "hold-silence", "", "b"))
	f.end("a")
	wantRefused(t, f.Try(act("b", "cast", "bolt", "a")), cite.SpellHandAndVoice)
	f.end("b")
	wantRefused(t, f.Try(act("b", "declare", body.KindCast, "")), cite.SpellHandAndVoice)
	f.declare(nil, "a=grapple")
	f.Must(act("b", "declare", body.KindMove, ""), 6, 1, 12, 3)
	f.Must(act("a", "hold-punch", "", "b"), 3)
	f.WantHP("b", 1)
	f.Must(act("a", "let-go", "", "b"))
}

// basic.action.perform-feat, basic.action.other, basic.dice.dc-check
func TestOpenActions(t *testing.T) {
	f := lone(t, nil, body.KindFeat, make1("a", "A", abilities(0, 2)), make1("b", "B"))
	f.Must(act("a", "feat", "", "", parameters("text", "swings on the chandelier", "dc", 12)), 10)
	if r := f.rolled("check/a"); r.Total != 12 || r.Outcome != "success" {
		t.Errorf("10 and 2 are 12, which is enough: %v", r)
	}
	f.Must(act("a", "move", "", "", parameters("feet", 30)))
}

// basic.movement.hold-move-opponent
func TestDrag(t *testing.T) {
	f := lone(t, []int32{0, 5}, body.KindGrapple, make1("a", "A", abilities(1, 1)), make1("b", "B"))
	f.Must(act("a", "grapple", "strength", "b"), 15, 15, 5)
	f.end("a", "b")
	f.declare([]int{6, 1, 12, 3}, "a=grapple", "b=move")
	wantRefused(t, f.Try(act("a", "hold-drag", "", "b", to(21))), cite.MovementSplit)
	wantRefused(t, f.Try(act("a", "hold-drag", "", "b", to(20), facts("strong_enough", false))), cite.MovementHoldMoveOpponent)
	f.Must(act("a", "hold-drag", "", "b", to(20)))
	for _, id := range []string{"a", "b"} {
		if x := f.State.Creatures[id].Position.X; x != 20 {
			t.Errorf("%s at %d, want 20", id, x)
		}
	}
}

// basic.healing.subdual-revive: whichever comes first counts, waking by oneself, one who
// revives or another.
func TestReviverWhoComesLate(t *testing.T) {
	f := knockedOut(t, body.SetTurn+"=1")
	wake := f.State.Creatures["b"].Counters[body.CWake]
	if wake != 4 {
		t.Fatalf("it wakes by itself in round %d, want 1 + 3", wake)
	}
	f.end("a")
	f.Must(act("c", "revive", "", "b"), 7, 4) // round 12
	if got := f.State.Creatures["b"].Counters[body.CWake]; got != 4 {
		t.Errorf("it wakes in round %d, want 4 as before", got)
	}
	f = knockedOut(t)
	f.end("a")
	f.Must(act("c", "revive", "", "b"), 10, 10)
	f.end("c")
	f.declare([]int{6, 1}, "a=move", "c=other")
	f.end("a")
	f.Must(act("c", "revive", "", "b"), 2, 3) // round 7, before 21
	if got := f.State.Creatures["b"].Counters[body.CWake]; got != 7 {
		t.Errorf("it wakes in round %d, want 2 + 5", got)
	}
	f = knockedOut(t) // by the game master's word it does not wake by itself
	f.Put("b", &eventv1.Vitals{Counters: map[string]int64{body.CWake: 0}})
	f.end("a")
	f.Must(act("c", "revive", "", "b"), 7, 4)
	if got := f.State.Creatures["b"].Counters[body.CWake]; got != 12 {
		t.Errorf("it wakes in round %d, want 1 + 11", got)
	}
}

// Damage comes apart into dice and number, however many digits each has.
func TestDamageOf(t *testing.T) {
	for text, want := range map[string][3]int32{"1d6": {1, 6, 0}, "10d10+10": {10, 10, 10}, "2d8-1": {2, 8, -1}, "12d20+100": {12, 20, 100}} {
		if n, sides, flat, ok := body.DamageOf(text); !ok || n != want[0] || sides != want[1] || flat != want[2] {
			t.Errorf("%s: %dd%d and %d, %v", text, n, sides, flat, ok)
		}
	}
	for _, text := range []string{"", "6", "0d6", "1d1", "d6", "1d", "1d6+", "1d6+x", "300d6", "1d300", "-1d6"} {
		if _, _, _, ok := body.DamageOf(text); ok {
			t.Errorf("%q is taken", text)
		}
	}
}
