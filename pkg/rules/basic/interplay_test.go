package basic

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/order"
	"github.com/skaldrpg/skald/pkg/rules/basic/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// basic.critical.effect-chart: different conditions add up; the same one twice does
// not double.
func TestConditionsAddUp(t *testing.T) {
	f := lone(t, nil, body.KindMelee, make1("a", "A"), make1("b", "B", ac(30), hp(60)))
	f.Afflict("a", body.CondShaken, body.CondProne, body.CondBlinded)
	f.Must(act("a", "attack", "sword", "b"), 15)
	if got := f.Total("to-hit"); got != 5 {
		t.Errorf("%d, want 15 - 2 - 4 - 4", got)
	}
	f = lone(t, nil, body.KindMelee, make1("a", "A"), make1("b", "B", hp(60)))
	f.Must(act("a", "attack", "sword", "b"), 20, 20, 1, 2)
	f.end("a", "b")
	f.declare([]int{6, 1}, "a=attack", "b=attack")
	f.Must(act("a", "attack", "sword", "b"), 20, 20, 1, 2)
	f.end("a")
	f.Must(act("b", "attack", "sword", "a"), 13)
	if got := f.Total("to-hit"); got != 11 {
		t.Errorf("%d, want 13 - 2", got)
	}
}

// basic.damage.charge-double, basic.critical.damage: what the row gives is doubled, the
// modifier too.
func TestCriticalCharge(t *testing.T) {
	f := newTable(t).add([]int32{0, 45}, make1("a", "A", abilities(1, 0), wields(spear())), make1("b", "B", hp(60), ac(30))).start(nil)
	f.declare([]int{6, 1}, "a=charge", "b=move")
	f.Must(act("a", "charge", "spear", "b"), 20, 13, 3) // 13 + 1 + 2 are 16
	f.WantHP("b", 40)                                   // 3 + 6 + 1, twice
}

// basic.attack.brawl-metal-armor: whoever strikes itself down on metal lies there, and
// its turn is over.
func TestKnockedOutByMetal(t *testing.T) {
	metal := section(func(b *eventv1.BasicSheet) { b.ArmorMaterial = "metal" })
	f := lone(t, nil, body.KindMelee, make1("a", "A", hp(2)), make1("b", "B", metal))
	f.Must(act("a", "attack", body.Punch, "b"), 15, 2, 3)
	f.WantLife("a", isUnconscious)
	f.WantHP("b", 10)
	f.WantActive("b")
	// A kick too; other than metal is no metal.
	f = lone(t, nil, body.KindMelee, make1("a", "A", section(func(b *eventv1.BasicSheet) { b.ArmorMaterial = "other" })), make1("b", "B", metal))
	f.Must(act("a", "attack", body.Kick, "b"), 15, 4)
	f.WantHP("a", 6)
	f = lone(t, nil, body.KindMelee, make1("a", "A"), make1("b", "B", section(func(b *eventv1.BasicSheet) { b.ArmorMaterial = "other" })))
	f.Must(act("a", "attack", body.Kick, "b"), 15, 4)
	f.WantHP("b", 6)
	// A miss hurts nobody, and a natural 20 hurts the one who struck by its row.
	f = lone(t, nil, body.KindMelee, make1("a", "A"), make1("b", "B", metal))
	f.Must(act("a", "attack", body.Punch, "b"), 5)
	f.WantHP("a", 10)
	f = lone(t, nil, body.KindMelee, make1("a", "A"), make1("b", "B", metal))
	f.Must(act("a", "attack", body.Punch, "b"), 20, 11)
	f.WantHP("a", 7)
}

// basic.item.oil-second-round, basic.injury.unconscious-lethal: who is knocked out while
// it burns dies of the flames, at the end of the round.
func TestBurningAndUnconscious(t *testing.T) {
	f := thrownAt(t, body.Oil, []at{{0, 50}, {0, 55}}, make1("b", "B", hp(9)), make1("c", "A"))
	f.Must(act("a", "throw", "flask", "b", lit(strike.LitFlame)), 12, 6)
	f.end("a", "b", "c")
	f.declare([]int{1, 2, 6}, "a=move", "b=move", "c=melee-attack")
	f.Must(act("c", "attack", body.Punch, "b"), 15, 3, 2)
	f.WantLife("b", isUnconscious)
	f.end("c")
	f.Must(endTurn("a"), 1)
	f.WantLife("b", isDead)
}

// basic.action.hold: numbers go on below zero.
func TestHoldingBelowZero(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A", abilities(0, -1)), make1("b", "B", abilities(0, -4)), make1("c", "B", abilities(0, -2))).start(nil)
	f.declare([]int{1, 1, 1}, "a=attack", "b=move", "c=move")
	f.Must(act("a", "hold", order.HoldNumber, "", parameters("number", -2)))
	f.WantActive("c") // -1
	f.end("c")
	f.WantActive("a") // -2
	f.end("a")
	f.WantActive("b") // -3
	f.end("b")
	f.declare([]int{1, 1, 1}, "a=attack", "b=move", "c=move")
	f.Must(act("a", "hold", order.HoldAsked, ""))
	f.WantActive("c")
	f.Must(endTurn("c"))
	f.Answer(body.DecBetween, "-2")
	f.WantActive("a")
}

// basic.attack.parting-shot: whoever fumbles it loses its weapon and the next round's
// attacks, and not those of this round.
func TestFumbledPartingShot(t *testing.T) {
	f := lone(t, []int32{0, 5}, body.KindMove, make1("a", "A", hp(40)), make1("b", "B", hp(40)))
	f.Must(act("a", "move", "", "", to(-5)))
	f.Answer(body.DecParting, "weapon:sword", 1, 12)
	f.Must(act("a", "move", "", "", to(0)))
	f.end("a")
	f.Must(act("b", "attack", body.Punch, "a"), 15, 1)
	f.end("b")
	wantRefused(t, f.Try(act("b", "declare", body.KindMelee, "")), cite.FumbleSecondRoll)
	f.declare([]int{6, 1}, "a=move", "b=hold")
	f.Must(act("a", "move", "", "", to(-20)))
	if len(f.Decisions) > 0 {
		t.Error("it makes no attack of any kind")
	}
}

// basic.fumble.sloppy: one sloppy attack may answer another.
func TestSloppyAnswers(t *testing.T) {
	f := lone(t, nil, body.KindMelee, make1("a", "A"), make1("b", "B"))
	f.Must(act("a", "attack", "sword", "b"), 1, 6, 2)
	f.Answer(body.DecFree+"/b", "weapon:sword", 1, 10, 2)
	f.Answer(body.DecFree+"/a", "weapon:sword", 15, 6)
	f.WantHP("b", 4)
	f.WantHP("a", 10)
}

// basic.movement.fighting-withdrawal: who follows turns its back on others.
func TestFollowingLeavesOthers(t *testing.T) {
	f := newTable(t).add([]int32{0, 5, 10}, make1("a", "A"), make1("b", "B", hp(20)), make1("c", "A")).start(nil)
	f.declare([]int{6, 1, 1}, "a=withdraw", "b=move", "c=move")
	f.Must(act("a", "withdraw", "", "", to(-10)))
	f.Answer(body.DecFollow, body.DecideYes)
	f.Answer(body.DecParting+"/c", "weapon:sword", 15, 3)
	f.WantHP("b", 17)
	if got := f.State.Creatures["b"].Position.X; got != -5 {
		t.Errorf("it stands at %d", got)
	}
}

// basic.attack.preloaded-crossbows: what was reloaded is shot, then the spares.
func TestReloadedAmongSpares(t *testing.T) {
	light := wields(&eventv1.BasicWeapon{Name: "crossbow", Damage: "1d6", Kind: "crossbow", ShortFeet: 60, MediumFeet: 120, LongFeet: 180, ReloadRounds: 1, Spares: 1})
	f := newTable(t).add(nil, make1("a", "A", light), make1("b", "B", hp(40))).start(nil)
	for _, kind := range []string{body.KindRanged, body.KindReload, body.KindRanged, body.KindRanged} {
		f.declare([]int{6, 1}, "a="+kind, "b=move")
		if kind == body.KindReload {
			f.Must(act("a", "reload", "crossbow", ""))
		} else {
			f.Must(act("a", "shoot", "crossbow", "b"), 2)
		}
		f.end("a", "b")
	}
	wantRefused(t, f.Try(act("a", "declare", body.KindRanged, "")), cite.AttackRateLightCrossbow)
}

// basic.turn.round-ends, basic.action.hold: all who hold to the end act together then.
func TestHoldersAtTheEnd(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A", hp(3)), make1("b", "B", hp(3)), make1("c", "B")).start(nil)
	f.declare([]int{6, 5, 4}, "a=attack", "b=attack", "c=move")
	f.Must(act("a", "hold", "", ""))
	f.Must(act("b", "hold", order.HoldAsked, ""))
	f.end("c")
	f.WantActive("a", "b")
	f.Must(act("a", "attack", "sword", "b"), 15, 3)
	f.Must(act("b", "attack", "sword", "a"), 15, 3)
	f.end("a", "b")
	f.WantLife("a", isDead)
	f.WantLife("b", isDead)
}

// basic.initiative.ties-simultaneous, basic.attack.routine: every attack of a routine is
// made at one who stands until the number is over.
func TestRoutineInATie(t *testing.T) {
	f := tied(t, nil, []string{body.KindMelee, body.KindMelee}, make1("a", "A", tiger), make1("b", "B", hp(2)))
	f.Must(act("a", "routine", "", "b"), 15, 3, 15, 3, 15, 4, 4)
	f.Must(act("b", "attack", "sword", "a"), 15, 2)
	f.end("a", "b")
	f.WantLife("b", isDead)
	f.WantHP("a", 8)
}

// basic.attack.grapple-touch, basic.condition.prone: what changes the armour class
// changes the touch too.
func TestTouchOfTheProne(t *testing.T) {
	f := lone(t, nil, body.KindGrapple, make1("a", "A"), make1("b", "B", section(func(b *eventv1.BasicSheet) { b.TouchArmorClass = 10 })))
	f.Afflict("b", body.CondProne)
	f.Must(act("a", "grapple", "strength", "b"), 6, 10, 5)
	if body.HeldBy(f.State.Creatures["b"], "a") == nil {
		t.Error("6 reaches 10 - 4")
	}
}

// basic.surprise.check: a side without anybody to surprise is a mistake; the ambush of
// the side itself helps nobody against it.
func TestAmbushOfOnesOwn(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A"), make1("b", "B"))
	f.start(object("surprise", []string{"A", "B"}, "ambush", []string{"A"}), 10, 10)
	if body.Has(f.State.Creatures["a"], body.CondSurprised) || !body.Has(f.State.Creatures["b"], body.CondSurprised) {
		t.Error("10 surprises nobody, and with 3 the others")
	}
}

// basic.turn.resolve-on-count: somebody who holds changes nothing for those who do not
// act on the number: who is struck down makes no parting shot, and no more blows go to it.
func TestStruckDownWhileSomebodyHolds(t *testing.T) {
	fight := func(kind string, change change) *table {
		f := newTable(t).add([]int32{0, 5, 40}, make1("a", "A", change), make1("b", "B", hp(3)), make1("c", "A")).start(nil)
		f.declare([]int{4, 1, 6}, "a="+kind, "b=move", "c=attack")
		f.Must(act("c", "hold", "", ""))
		return f
	}
	f := fight(body.KindMelee, blade("1d8"))
	f.Must(act("a", "attack", "sword", "b"), 15, 3)
	f.WantHP("b", 3) // c could step in
	f.Must(act("a", "move", "", "", to(-20)))
	if len(f.Decisions) > 0 {
		t.Errorf("asked %v", f.Decisions)
	}
	f.end("a")
	f.WantLife("b", isDead)
	f = fight(body.KindMelee, blade("1d8")) // 2 of 3 do not bring it down
	f.Must(act("a", "attack", "sword", "b"), 15, 2)
	f.Must(act("a", "move", "", "", to(-20)))
	f.Answer(body.DecParting, body.DecideNo)
	f = fight(body.KindMelee, tiger)
	f.Must(act("a", "routine", "", "b"), 15, 3)
	wantRefused(t, f.Try(act("a", "routine", "", "b")), cite.ActionList)
	f.end("a")
	f.WantLife("b", isDead)
	// On the same number it is not down before the others.
	f = tied(t, []int32{0, 5}, []string{body.KindMelee, body.KindMove}, make1("a", "A"), make1("b", "B", hp(3)))
	f.Must(act("a", "attack", "sword", "b"), 15, 3)
	f.Must(act("a", "move", "", "", to(-20)))
	f.Answer(body.DecParting, "weapon:sword", 15, 2)
	f.WantHP("a", 8)
}

// basic.condition.charge-ac, basic.initiative.ties-simultaneous: a charger's armour class
// is down for all on its number, whoever comes first; not for one that does not charge.
func TestChargersArmourInATie(t *testing.T) {
	f := tied(t, []int32{0, 45, 5}, []string{body.KindCharge, body.KindMove, body.KindMelee}, make1("a", "A", wields(spear())), make1("b", "B"), make1("c", "B"))
	f.Must(act("c", "attack", "sword", "a"), 10, 2) // 10 against 12 - 2
	if f.outcome() != "hit" {
		t.Error("it charges on this number")
	}
	f.end("b", "c", "a")
	if body.Has(f.State.Creatures["a"], body.CondCharging) {
		t.Error("it did not")
	}
	f = newTable(t).add([]int32{0, 45, 5}, make1("a", "A", wields(spear())), make1("b", "B"), make1("c", "B")).start(nil).declare([]int{4, 5, 6}, "a=charge", "b=move", "c=melee-attack")
	f.Must(act("c", "attack", "sword", "a"), 11) // its number is not yet
	if f.outcome() != "miss" {
		t.Error("11 misses 12")
	}
	f.end("c", "b", "a")
	if f.State.Round != 2 || body.Has(f.State.Creatures["a"], body.CondCharging) {
		t.Error("the next round")
	}
}

// basic.attack.cover-kinds, basic.attack.cover-table: who moves off in fog is harder to
// strike as it goes, and out of sight nobody strikes at it.
func TestMovingOffInFog(t *testing.T) {
	f := lone(t, []int32{0, 5}, body.KindMove, make1("a", "A"), make1("b", "B"))
	f.Must(act("a", "move", "", "", to(-20), facts("concealment", 50)))
	f.Answer(body.DecParting, "weapon:sword", 11) // 11, 2 and -2
	if got := f.Total("to-hit"); got != 11 {
		t.Errorf("%d, want 11", got)
	}
	f = lone(t, []int32{0, 5}, body.KindMove, make1("a", "A"), make1("b", "B"))
	f.Must(act("a", "move", "", "", to(-20), facts("concealment", 100)))
	if len(f.Decisions) > 0 {
		t.Errorf("asked %v", f.Decisions)
	}
}

// basic.item.oil-second-round, basic.item.oil-two-rounds: each flask burns its own two
// rounds, whoever threw it.
func TestTwoFlasks(t *testing.T) {
	f := newTable(t)
	f.AddAt(0, 0, make1("a", "A", throws(body.Oil)))
	f.AddAt(0, 50, make1("b", "B", hp(60)))
	f.AddAt(0, 90, make1("c", "A", throws(body.Oil)))
	f.start(nil).declare([]int{6, 1, 5}, "a=attack", "b=move", "c=attack")
	f.Must(act("a", "throw", "flask", "b", lit(strike.LitFlame)), 12, 1)
	f.end("a")
	f.Must(act("c", "throw", "flask", "b", lit(strike.LitFlame)), 12, 2)
	f.end("c", "b")
	f.WantHP("b", 57)
	f.declare([]int{6, 1, 5}, "a=attack", "b=move", "c=move")
	f.Must(act("a", "throw", "flask", "b", lit(strike.LitFlame)), 12, 3) // a third
	f.end("a")
	f.Must(endTurn("c"), 4, 5) // b's number: the first two burn on
	f.WantHP("b", 45)
	f.end("b")
	f.declare([]int{6, 1, 5}, "a=move", "b=move", "c=move")
	f.end("a")
	f.Must(endTurn("c"), 6) // the third
	f.WantHP("b", 39)
	f.end("b")
	f.idle(1, "a", "b", "c")
	f.WantHP("b", 39)
	// Two flasks that hit on one number are put out together.
	f = tied(t, nil, []string{body.KindAttack, body.KindMove, body.KindAttack}, make1("a", "A", throws(body.Oil)), make1("b", "B", hp(60)), make1("c", "A", throws(body.Oil)))
	f.Must(act("a", "throw", "flask", "b", lit(strike.LitFlame)), 12, 1)
	f.Must(act("c", "throw", "flask", "b", lit(strike.LitFlame)), 12, 2)
	f.end("a", "b", "c")
	f.declare([]int{1, 6, 1}, "a=move", "b=smother", "c=move")
	f.Must(act("b", "smother", "roll", ""))
	f.end("b", "a", "c")
	f.WantHP("b", 57)
}

// basic.attack.two-weapon-size: two small ones are a pair, and the small one may be in
// the main hand.
func TestWhichHandIsSmall(t *testing.T) {
	for _, c := range [][2]bool{{true, true}, {true, false}, {false, true}} {
		two := wields(&eventv1.BasicWeapon{Name: "x", Damage: "1d4", Kind: "melee", Small: c[0]}, &eventv1.BasicWeapon{Name: "y", Damage: "1d6", Kind: "melee", Hand: "off", Small: c[1]})
		f := lone(t, nil, body.KindMelee, make1("a", "A", two), make1("b", "B", ac(20)))
		f.Must(act("a", "two-weapons", "", "b"), 10, 10)
		if got := []int32{f.Total("attack/1/to-hit"), f.Total("attack/2/to-hit")}; got[0] != 8 || got[1] != 5 {
			t.Errorf("%v, want 8 and 5", got)
		}
	}
}

// basic.spell.disruption: a flask, a stray shot and a missed throw are attacks as well;
// a splash is none.
func TestWhatDisturbsACaster(t *testing.T) {
	f := newTable(t)
	f.AddAt(0, 50, make1("mage", "A", caster))
	f.AddAt(0, 0, make1("x", "B", throws(body.Oil)))
	f.AddAt(0, 55, make1("y", "A", hp(40)))
	f.start(nil).declare([]int{4, 4, 1}, "mage=cast", "x=attack", "y=move")
	f.Must(act("mage", "cast", "bolt", "x"))
	f.Must(act("x", "throw", "flask", "y", lit(strike.LitWick)), 12, 3, 20, 2) // the mage has no such save
	f.end("mage")
	f.Must(endTurn("x"), 5)
	f.WantHP("x", 5)
	f = newTable(t).add(nil, make1("mage", "A", caster), make1("x", "B", throws(body.Oil))).start(nil).declare([]int{4, 4}, "mage=cast", "x=attack")
	f.Must(act("mage", "cast", "bolt", "x"))
	f.Must(act("x", "throw", "flask", "mage", lit(strike.LitNot)), 5, 3)
	f.end("mage")
	f.Must(endTurn("x"), 12)
	f.WantHP("x", 10)
}

// basic.action.hold-for-creature: who waits for one that waits acts with both.
func TestWaitingForOneWhoWaits(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A"), make1("b", "A"), make1("c", "B")).start(nil).declare([]int{6, 5, 2}, "a=attack", "b=attack", "c=move")
	f.Must(act("a", "hold-for", "", "b"))
	f.WantActive("a", "b")
	f.Must(act("b", "hold-for", "", "c"))
	f.WantActive("a")
	f.Must(act("a", "hold-for", "", "b"))
	f.WantActive("a", "b", "c")
}
