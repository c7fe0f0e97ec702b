package basic

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/fire"
	"github.com/skaldrpg/skald/pkg/rules/basic/mending"
	"github.com/skaldrpg/skald/pkg/rules/basic/order"
	"github.com/skaldrpg/skald/pkg/rules/basic/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// idle lets rounds pass in which everybody only moves, the first named first.
func (f *table) idle(rounds int, ids ...string) {
	f.T.Helper()
	for range rounds {
		faces, list := []int{}, []string{}
		for i, id := range ids {
			faces, list = append(faces, 6-i), append(list, id+"=move")
		}
		f.declare(faces, list...)
		f.end(ids...)
	}
}

// basic.turn.round-length, basic.item.oil-ground-fire: a pool lit at the start of the
// fight burns until the clock shows 100 seconds.
func TestPoolOfAHundredSeconds(t *testing.T) {
	f := pouring(t, []int32{50}, make1("b", "B"))
	f.Must(act("a", "spill-oil", "flask", "", parameters("lit", true), func(k *eventv1.TakeAction) { k.Path = []*eventv1.Position{{X: 5}} }))
	f.end("a", "b")
	f.idle(8, "a", "b")
	if got := f.State.Counters[body.CClock]; got != 90 || len(fire.Pools(f.State)) != 1 {
		t.Errorf("at %d seconds: %v", got, fire.Pools(f.State))
	}
	f.idle(1, "a", "b")
	if got := f.State.Counters[body.CClock]; got != 100 || len(fire.Pools(f.State)) != 0 {
		t.Errorf("at %d seconds: %v", got, fire.Pools(f.State))
	}
}

// basic.turn.turn-length: the rest of three turns is 180 rounds, 1800 seconds.
func TestThreeTurns(t *testing.T) {
	f := newTable(t)
	f.Resolve(func(r *rules.Resolution) error {
		rounds := mending.RestTurns * body.TurnRounds(r)
		r.Note(event.Everyone(), "", body.Itoa(rounds)+" rounds, "+body.Itoa(rounds*roundSeconds)+" seconds", cite.TurnTurnLength)
		return nil
	})
	if !f.noted("180 rounds, 1800 seconds") {
		t.Error("a turn is 60 rounds of 10 seconds")
	}
}

// basic.surprise.check: one die for three humans, and none for those not at risk.
func TestThreeHumans(t *testing.T) {
	for face, want := range map[int]bool{12: false, 13: true} {
		f := newTable(t).add(nil, make1("a", "A"), make1("b", "A"), make1("c", "A"), make1("z", "B")).start(object("surprise", []string{"A"}), face)
		for id, expected := range map[string]bool{"a": want, "b": want, "c": want, "z": false} {
			if body.Has(f.State.Creatures[id], body.CondSurprised) != expected {
				t.Errorf("%d: %s surprised: %v", face, id, !expected)
			}
		}
	}
}

// basic.turn.declare: of three one is surprised; two declarations, and initiative.
func TestTwoOfThreeDeclare(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A"), make1("b", "B"), make1("c", "B", elf)).start(object("surprise", []string{"B"}), 13)
	f.Must(act("a", "declare", body.KindMove, ""))
	wantRefused(t, f.Try(act("b", "declare", body.KindMove, "")), cite.SurpriseLoseOneRound)
	f.Must(act("c", "declare", body.KindMove, ""), 2, 3)
	f.WantActive("c")
}

// basic.action.hold: one that holds without naming anyone acts on 3, between 4 and 2.
func TestActingBetweenNumbers(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A"), make1("b", "B"), make1("c", "B")).start(nil)
	f.declare([]int{6, 4, 2}, "a=melee-attack", "b=move", "c=move")
	f.Must(act("a", "hold", order.HoldAsked, ""))
	f.Answer(body.DecBetween, body.DecideNo) // on 5
	f.WantActive("b")
	f.Must(endTurn("b"))
	f.Answer(body.DecBetween, "3")
	f.WantActive("a")
	f.Must(act("a", "attack", "sword", "c"), 15, 2)
	f.WantHP("c", 8) // at once: nobody else has the number
	f.end("a")
	f.WantActive("c")
}

// basic.attack.ability: a throw goes by Dexterity, 13 misses 14.
func TestThrowThatMisses(t *testing.T) {
	dagger := wields(&eventv1.BasicWeapon{Name: "dagger", Damage: "1d4", Kind: "melee", ShortFeet: 10, MediumFeet: 20, LongFeet: 30})
	f := lone(t, nil, body.KindRanged, make1("a", "A", bonus(3), abilities(2, -1), dagger), make1("b", "B", ac(14)))
	f.Must(act("a", "shoot", "dagger", "b", facts("distance", 15)), 11)
	if f.Total("to-hit") != 13 || f.outcome() != "miss" {
		t.Errorf("%d %s, want 13 miss", f.Total("to-hit"), f.outcome())
	}
}

// basic.action.cast-spell: who has cast has used the action of the round.
func TestNoAttackAfterCasting(t *testing.T) {
	knife := wields(&eventv1.BasicWeapon{Name: "dagger", Damage: "1d4", Kind: "melee"})
	f := newTable(t).add(nil, make1("mage", "A", caster, knife), make1("orc", "B")).start(nil).declare([]int{6, 1}, "mage=hold", "orc=move")
	f.Must(act("mage", "cast", "bolt", "orc"), 4)
	wantRefused(t, f.Try(act("mage", "attack", "dagger", "orc")), cite.ActionList)
}

// basic.attack.parting-shot: by one who has made its attack of the round; the mover
// goes on if it can.
func TestPartingShotAfterTheAttack(t *testing.T) {
	f := newTable(t).add([]int32{0, 5}, make1("thief", "A", ac(13)), make1("orc", "B", bonus(1), blade("1d6"))).start(nil)
	f.declare([]int{6, 2}, "orc=melee-attack", "thief=move")
	f.Must(act("orc", "attack", "sword", "thief"), 2)
	f.end("orc")
	f.Must(act("thief", "move", "", "", to(-25)))
	f.Answer(body.DecParting, "weapon:sword", 10, 4)
	f.WantHP("thief", 6)
	if got := f.State.Creatures["thief"].Position.X; got != -25 {
		t.Errorf("it stands at %d", got)
	}
}

// basic.fumble.sloppy: the free attack is beside the attack of the round.
func TestFreeAttackAfterTheAttack(t *testing.T) {
	f := newTable(t).add(nil, make1("orc", "A", ac(12)), make1("fighter", "B", bonus(3))).start(nil)
	f.declare([]int{6, 1}, "fighter=melee-attack", "orc=melee-attack")
	f.Must(act("fighter", "attack", "sword", "orc"), 2)
	f.end("fighter")
	f.Must(act("orc", "attack", "sword", "fighter"), 1, 7, 14)
	f.Answer(body.DecFree, "weapon:sword", 9, 4) // 9 and 3 are 12
	f.WantHP("orc", 6)
}

// basic.attack.flanking: one who reaches from 10 feet away does not flank, and nobody
// flanks with it.
func TestLongSpearDoesNotFlank(t *testing.T) {
	f := newTable(t).add([]int32{0, 15, 5}, make1("a", "A", bonus(3)), make1("c", "A", bonus(3), wields(spear())), make1("orc", "B", ac(20))).start(nil)
	f.declare([]int{6, 4, 1}, "a=melee-attack", "c=melee-attack", "orc=move")
	for _, by := range [][2]string{{"a", "sword"}, {"c", "spear"}} {
		f.Must(act(by[0], "attack", by[1], "orc"), 10)
		if got := f.Total("to-hit"); got != 13 {
			t.Errorf("%s: %d, want 13", by[0], got)
		}
		f.end(by[0])
	}
}

// basic.damage.strength-melee, basic.damage.roll
func TestPlainDamage(t *testing.T) {
	f := lone(t, nil, body.KindMelee, make1("a", "A", abilities(2, 0)), make1("b", "B"))
	f.Must(act("a", "attack", "sword", "b"), 15, 4)
	f.WantHP("b", 4) // 4 and 2
	f = lone(t, nil, body.KindMelee, make1("a", "A", wields(&eventv1.BasicWeapon{Name: "club", Damage: "1d4", Kind: "melee"})), make1("b", "B", hp(6)))
	f.Must(act("a", "attack", "club", "b"), 15, 3)
	f.WantHP("b", 3)
}

// basic.injury.subdual-zero: 9 that kill after 1 that did not: 0, not below, and
// unconscious.
func TestNineAfterOne(t *testing.T) {
	for _, first := range []bool{true, false} {
		f := lone(t, nil, body.KindMelee, make1("a", "A", blade("1d8+1")), make1("b", "B", hp(6)))
		faces, want := []int{15, 8}, isDead
		if first {
			f.Medicine(&eventv1.Harm{Deed: body.DeedDamage, Target: "b", Parts: []*eventv1.DamagePart{{Rolled: 1}}, Nature: "nonlethal"})
			f.WantHP("b", 5)
			faces, want = append(faces, 2), isUnconscious
		}
		f.Must(act("a", "attack", "sword", "b"), faces...)
		f.WantHP("b", 0)
		f.WantLife("b", want)
	}
}

// basic.healing.subdual-wake, basic.healing.subdual-revive: knocked out in round 10 it
// wakes in round 190, or in round 21 if an ally begins at once and the dice show 7
// and 4; with 1 hit point.
func TestWakingInItsRound(t *testing.T) {
	for _, c := range []struct {
		name   string
		revive bool
		round  int32
	}{{cite.HealingSubdualWake, false, 190}, {cite.HealingSubdualRevive, true, 21}} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add(nil, make1("a", "A"), make1("b", "B", hp(2)), make1("c", "B")).start(nil)
			f.idle(9, "a", "b", "c")
			f.declare([]int{6, 1, 2}, "a=melee-attack", "b=move", "c=other")
			f.Must(act("a", "attack", body.Punch, "b"), 15, 2, 3)
			f.end("a")
			if c.revive {
				f.Must(act("c", "revive", "", "b"), 7, 4)
			}
			f.end("c")
			f.idle(int(c.round)-12, "a", "c")
			if f.State.Round != c.round-1 {
				t.Fatalf("round %d", f.State.Round)
			}
			f.WantLife("b", isUnconscious)
			f.idle(1, "a", "c")
			f.WantLife("b", isAlive)
			f.WantHP("b", 1)
		})
	}
}

// basic.dice.grapple-check: 12 and 2 against 14 is a tie, the hold is kept; who is
// small and chooses Dexterity has 11 + 3 - 4.
func TestGrappleTotals(t *testing.T) {
	f := lone(t, nil, body.KindGrapple, make1("a", "A", abilities(2, 0)), make1("b", "B"))
	f.Must(act("a", "grapple", "strength", "b"), 15, 12, 14)
	if !body.Has(f.State.Creatures["b"], body.CondHeld) {
		t.Error("a tie changes nothing")
	}
	small := func(s *eventv1.Sheet, _ *eventv1.BasicSheet) { s.Size = "small" }
	f = lone(t, nil, body.KindGrapple, make1("a", "A", abilities(2, 0)), make1("b", "B", abilities(0, 3), small))
	f.Must(act("a", "grapple", "strength", "b"), 15)
	f.Answer(body.DecAbility, "dexterity", 9, 11)
	if f.Total("grapple/a") != 11 || f.Total("grapple/b") != 10 || !body.Has(f.State.Creatures["b"], body.CondHeld) {
		t.Errorf("%d against %d", f.Total("grapple/a"), f.Total("grapple/b"))
	}
}

// basic.spell.disruption: a save of 13 holds against one who held and missed.
func TestSpellThatHolds(t *testing.T) {
	f := newTable(t).add(nil, make1("mage", "A", caster), make1("orc", "B")).start(nil)
	f.declare([]int{3, 5}, "mage=cast", "orc=hold")
	f.Must(act("orc", "hold", "", ""))
	f.Must(act("mage", "cast", "bolt", "orc"))
	f.Must(act("orc", "step-in", "", ""))
	f.Must(act("orc", "attack", "sword", "mage"), 2)
	f.end("orc")
	f.Must(endTurn("mage"), 13, 4)
	f.WantHP("orc", 6)
}

// basic.action.set-weapon: who has attacked on 5 sets nothing on 4.
func TestNoSettingAfterTheAttack(t *testing.T) {
	f := newTable(t).add([]int32{0, 45, 50}, make1("a", "A", wields(spear())), make1("b", "B", wields(spear())), make1("c", "A")).start(nil)
	f.declare([]int{4, 5, 1}, "a=charge", "b=melee-attack", "c=move")
	f.Must(act("b", "attack", "spear", "c"), 2)
	f.end("b")
	f.Must(act("a", "charge", "spear", "b"), 2)
	if len(f.Decisions) > 0 {
		t.Errorf("asked %v", f.Decisions)
	}
}

// basic.item.oil-two-rounds: 4 in the round of the hit, 3 in the next, 7 in all.
// basic.item.oil-second-round: before its attack.
func TestSevenOfOil(t *testing.T) {
	f := thrownAt(t, body.Oil, []at{{0, 50}}, make1("orc", "B", hp(9)))
	f.end("a", "orc")
	f.declare([]int{6, 1}, "a=ranged-attack", "orc=move")
	f.Must(act("a", "throw", "flask", "orc", lit(strike.LitFlame)), 12, 4)
	f.WantHP("orc", 5)
	f.next("a=move", "orc=melee-attack")
	f.Must(endTurn("a"), 3)
	f.WantHP("orc", 2)
	f.Must(act("orc", "attack", "sword", "a", facts("distance", 5)), 5)
	f.end("orc")
	f.idle(2, "a", "orc")
	f.WantHP("orc", 2)
}

// basic.attack.cover-table: at short range and 90% concealed 12 and 3 are 12.
func TestNinetyPercentAtShortRange(t *testing.T) {
	f := lone(t, nil, body.KindRanged, make1("a", "A", bonus(3), wields(bow())), make1("b", "B", ac(13)))
	f.Must(act("a", "shoot", "bow", "b", facts("distance", 50, "concealment", 90)), 12)
	if f.Total("to-hit") != 12 || f.outcome() != "miss" {
		t.Errorf("%d %s, want 12 miss", f.Total("to-hit"), f.outcome())
	}
}

// basic.action.charge-weapon: a lance will do, a sword will not.
func TestLance(t *testing.T) {
	lance := wields(&eventv1.BasicWeapon{Name: "lance", Damage: "1d6", Kind: "melee", Charge: true})
	f := newTable(t).add([]int32{0, 45}, make1("a", "A", lance), make1("b", "B")).start(nil)
	wantRefused(t, f.Try(act("b", "declare", body.KindCharge, "")), cite.ActionChargeWeapon)
	f.declare([]int{6, 1}, "a=charge", "b=move")
	f.Must(act("a", "charge", "lance", "b"), 10, 1)
	f.WantHP("b", 8)
}
