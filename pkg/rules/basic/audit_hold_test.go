package basic

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/order"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func pike() *eventv1.BasicWeapon {
	return &eventv1.BasicWeapon{Name: "pike", Damage: "1d10", Kind: "melee", LongReach: true, Charge: true, Brace: true}
}

// basic.action.hold: never to an earlier number.
func TestHoldIsNeverEarlier(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A"), make1("b", "B"), make1("c", "B")).start(nil)
	f.declare([]int{3, 4, 2}, "a=hold", "b=move", "c=move")
	f.end("b")
	for _, n := range []int{5, 4, 3} {
		wantRefused(t, f.Try(act("a", "hold", order.HoldNumber, "", parameters("number", n))), cite.ActionHold)
	}
	f.Must(act("a", "hold", order.HoldNumber, "", parameters("number", 2)))
	f.WantActive("a", "c") // together, as if it had rolled it
}

// basic.action.hold: the movement is kept with the action; who moved before has the rest.
func TestHoldKeepsTheMovement(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A"), make1("b", "B")).start(nil).declare([]int{6, 4}, "a=melee-attack", "b=move")
	f.Must(act("a", "move", "", "", parameters("feet", 10)))
	f.Must(act("a", "hold", order.HoldNumber, "", parameters("number", 3)))
	f.end("b")
	f.Must(act("a", "move", "", "", parameters("feet", 20)))
	f.Must(act("a", "attack", "sword", "b"), 5)
	wantRefused(t, f.Try(act("a", "hold", "", "")), cite.ActionList)
}

// basic.action.hold-for-creature: who waits goes with whom it waits for, or acts if
// that one falls; nobody waits for itself or for one who holds without a number.
func TestWaitingForSomebody(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A"), make1("b", "B", hp(1)), make1("c", "A")).start(nil)
	f.declare([]int{6, 2, 5}, "a=melee-attack", "b=move", "c=melee-attack")
	wantRefused(t, f.Try(act("a", "hold-for", "", "a")), cite.ActionHoldForCreature)
	f.Must(act("a", "hold-for", "", "b"))
	f.WantActive("c")
	f.Must(act("c", "attack", "sword", "b"), 15, 5)
	f.WantLife("b", isDead)
	f.end("c")
	f.WantActive("a")
	f.end("a")

	f = newTable(t).add(nil, make1("a", "A"), make1("b", "B"), make1("c", "A")).start(nil)
	f.declare([]int{5, 6, 1}, "a=melee-attack", "b=melee-attack", "c=move")
	f.Must(act("b", "hold", "", ""))
	wantRefused(t, f.Try(act("a", "hold-for", "", "b")), cite.ActionHoldForCreature)
}

// basic.action.reach-closing: one who declared a shot has its spear as well, one who
// declared to move or to cast has not; normal damage.
func TestWhoAnswersEarly(t *testing.T) {
	for kind, asked := range map[string]bool{body.KindAttack: true, body.KindMelee: true, body.KindHold: true, body.KindSet: true, body.KindMove: false, body.KindDodge: false, body.KindGrapple: false, body.KindRun: false} {
		f := newTable(t).add([]int32{0, 20}, make1("a", "A"), make1("b", "B", wields(pike()))).start(nil).declare([]int{5, 2}, "a=move", "b="+kind)
		f.Must(act("a", "move", "", "", to(15)))
		if got := len(f.Decisions) > 0; got != asked {
			t.Errorf("%s: asked %v", kind, got)
		}
	}
	// basic.damage.set-double: against one who only walks up, 3 and 2 are 5.
	f := newTable(t).add([]int32{0, 20}, make1("a", "A"), make1("b", "B", abilities(2, 2), wields(pike()))).start(nil).declare([]int{5, 2}, "a=move", "b=set-weapon")
	f.Must(act("a", "move", "", "", to(15)))
	f.Answer(body.DecClosing, "weapon:pike", 15, 3)
	f.end("a")
	f.WantHP("a", 5)
	// Without positions the caller says with whom one closes.
	f = newTable(t).add(nil, make1("a", "A"), make1("b", "B", wields(pike()))).start(nil).declare([]int{5, 2}, "a=move", "b=melee-attack")
	f.Must(act("a", "move", "", "", parameters("feet", 20), facts("closes_with", []string{"b"})))
	f.Answer(body.DecClosing, body.DecideNo)
}

// basic.damage.set-double: (3 + 2) x 2 = 10; basic.action.set-weapon: one who
// declared to set the weapon holds on from its own number.
func TestSetWeaponHolds(t *testing.T) {
	f := newTable(t).add([]int32{0, 45}, make1("a", "A", hp(40), ac(14), wields(spear())), make1("b", "B", abilities(2, 0), wields(pike()))).start(nil)
	f.declare([]int{4, 6}, "a=charge", "b=set-weapon")
	f.WantActive("b")
	if err := f.Try(act("b", "attack", "pike", "a")); err == nil {
		t.Error("it reaches 45 feet")
	}
	f.Must(act("b", "hold", "", ""))
	f.WantActive("a")
	f.Must(act("a", "charge", "spear", "b"))
	f.Answer(body.DecSet, "weapon:pike", 10, 3, 2)
	f.end("a")
	f.WantHP("a", 30)
	// Whoever set a weapon goes nowhere on its own number either.
	f = newTable(t).add([]int32{0, 45}, make1("a", "A", hp(40), wields(spear())), make1("b", "B", hp(40), wields(pike()))).start(nil)
	f.declare([]int{4, 4}, "a=charge", "b=melee-attack")
	f.Must(act("a", "charge", "spear", "b"))
	f.Answer(body.DecSet, "weapon:pike", 5, 5)
	wantRefused(t, f.Try(act("b", "move", "", "", to(60))), cite.MovementSplit)
}

// basic.action.set-weapon, basic.action.hold: a set weapon counts as a held action; who
// is not charged attacks with it, on its own number or later, once.
func TestASetWeaponMayAttack(t *testing.T) {
	f := newTable(t).add([]int32{0, 5}, make1("a", "A", hp(40), ac(14)), make1("b", "B", abilities(2, 0), wields(pike()))).start(nil)
	f.declare([]int{2, 5}, "a=parry-and-dodge", "b=set-weapon")
	f.WantActive("b")
	f.Must(act("b", "attack", "pike", "a"), 15, 3)
	f.WantHP("a", 40-3-2)
	if err := f.Try(act("b", "attack", "pike", "a")); err == nil {
		t.Error("it attacks twice")
	}

	g := newTable(t).add([]int32{0, 5}, make1("a", "A", hp(40), ac(14)), make1("b", "B", abilities(2, 0), wields(pike()))).start(nil)
	g.declare([]int{2, 5}, "a=parry-and-dodge", "b=set-weapon")
	g.Must(act("b", "hold", "", ""))
	g.WantActive("a")
	g.Must(act("b", "step-in", "", ""))
	g.Must(act("b", "attack", "pike", "a"), 15, 3)
	g.end("b")
	g.end("a") // they act together: what comes of it counts when both are done
	g.WantHP("a", 40-3-2)
}

// basic.action.set-weapon: not after having acted, not by one who moves.
func TestWhoSetsAWeapon(t *testing.T) {
	for kind, asked := range map[string]bool{body.KindAttack: true, body.KindMelee: true, body.KindHold: true, body.KindSet: true, body.KindMove: false, body.KindDodge: false, body.KindRun: false} {
		f := newTable(t).add([]int32{0, 45}, make1("a", "A", wields(spear())), make1("b", "B", wields(pike()))).start(nil).declare([]int{4, 4}, "a=charge", "b="+kind)
		faces := []int{2}
		if asked {
			faces = nil
		}
		f.Must(act("a", "charge", "spear", "b"), faces...)
		if got := len(f.Decisions) > 0; got != asked {
			t.Errorf("%s: asked %v", kind, got)
		}
	}
	sword := newTable(t).add(nil, make1("a", "A"), make1("b", "B")).start(nil)
	wantRefused(t, sword.Try(act("a", "declare", body.KindSet, "")), cite.ActionSetWeapon)
}

// basic.action.charge: the game master is asked where the table wants it.
func TestChargeApproval(t *testing.T) {
	f := newTable(t, body.SetCharge+"=ask").add([]int32{0, 45}, make1("a", "A", wields(spear())), make1("b", "B")).start(nil).declare([]int{4, 2}, "a=charge", "b=move")
	f.Must(act("a", "charge", "spear", "b"))
	if len(f.Decisions) != 1 || !f.Decisions[0].GmOnly {
		t.Fatalf("asked %v", f.Decisions)
	}
	f.Answer(body.DecCharge, body.DecideNo)
	if a := f.State.Creatures["a"]; a.Position.X != 0 || a.Counters[body.CAction] != 1 || a.Counters[body.CRunning] != 0 {
		t.Error("nothing is done and nothing spent")
	}
	f.Must(act("a", "charge", "spear", "b"))
	f.Answer(body.DecCharge, body.DecideYes, 2)
	if f.State.Creatures["a"].Position.X != 40 {
		t.Error("it charges")
	}
}

// basic.condition.charge-ac: from the moment the charge begins, against the set
// weapon too, and whether or not the charge hits.
func TestChargersArmour(t *testing.T) {
	f := newTable(t).add([]int32{0, 45}, make1("a", "A", ac(15), hp(40), wields(spear())), make1("b", "B", wields(spear()))).start(nil).declare([]int{4, 4}, "a=charge", "b=set-weapon")
	f.Must(act("a", "charge", "spear", "b"))
	f.Answer(body.DecSet, "weapon:spear", 13, 3, 2)
	if r := f.rolled("set-weapon/b/to-hit"); r.Target.Value != 13 || r.Outcome != "success" {
		t.Errorf("13 hits 15 - 2: %v", r)
	}
}

// basic.action.charge: parting shots of those left behind come before it, and one
// who falls does not arrive.
func TestChargeOutOfAMelee(t *testing.T) {
	f := newTable(t).add([]int32{0, 45, -5}, make1("a", "A", hp(3), wields(spear())), make1("b", "B"), make1("c", "B"))
	f.start(nil).declare([]int{4, 2, 1}, "a=charge", "b=move", "c=move")
	wantRefused(t, f.Try(act("a", "move", "", "", to(5))), cite.TurnDeclare)
	f.Must(act("a", "charge", "spear", "b"))
	f.Answer(body.DecParting, "weapon:sword", 15, 5)
	f.WantLife("a", isDead)
	f.WantHP("b", 10)
	f.WantActive("b")
}

// basic.dice.grapple-check: once a round on the holder's number, before it does
// anything; who gets free is free at once.
func TestKeepingAHold(t *testing.T) {
	f := lone(t, []int32{0, 5}, body.KindGrapple, make1("a", "A"), make1("b", "B"))
	f.Must(act("a", "grapple", "strength", "b"), 15, 15, 5)
	wantRefused(t, f.Try(act("a", "hold-punch", "", "b")), cite.ActionList) // one thing a round
	f.end("a")
	wantRefused(t, f.Try(act("b", "move", "", "", to(30))), cite.MovementGrappleEnterSpace)
	f.end("b")
	f.declare([]int{6, 1, 5, 6}, "a=grapple", "b=move")
	if body.Has(f.State.Creatures["b"], body.CondHeld) {
		t.Fatal("6 beats 5: free")
	}
	wantRefused(t, f.Try(act("a", "hold-punch", "", "b")), cite.DiceGrappleCheck)
	f.end("a")
	f.Must(act("b", "move", "", "", to(10)))
}

// basic.dice.grapple-check: each side chooses its ability, when there is a choice.
func TestAbilitiesOfAGrapple(t *testing.T) {
	f := lone(t, nil, body.KindGrapple, make1("a", "A", abilities(2, 1)), make1("b", "B", abilities(0, 3)))
	f.Must(act("a", "grapple", "dexterity", "b"), 15)
	if len(f.Decisions) != 1 || f.Decisions[0].Creature != "b" || f.Decisions[0].DefaultOption != "dexterity" {
		t.Fatalf("asked %v", f.Decisions)
	}
	f.Answer(body.DecAbility, "dexterity", 10, 9) // 11 against 12
	if f.Total("grapple/a") != 11 || f.Total("grapple/b") != 12 || body.Has(f.State.Creatures["b"], body.CondHeld) {
		t.Error("the one grabbed is free")
	}
}

// basic.attack.grapple-touch: against the touch armour class; a natural 20 grabs and
// no more, a natural 1 goes to the table.
func TestTouch(t *testing.T) {
	touch := section(func(b *eventv1.BasicSheet) { b.ArmorClass, b.TouchArmorClass = 18, 11 })
	f := lone(t, nil, body.KindGrapple, make1("a", "A", bonus(1)), make1("b", "B", touch))
	f.Must(act("a", "grapple", "strength", "b"), 10, 9, 9)
	if r := f.rolled("to-hit"); r.Target.Value != 11 || r.Total != 11 {
		t.Errorf("%v", r)
	}
	f = lone(t, nil, body.KindGrapple, make1("a", "A"), make1("b", "B", ac(30)))
	f.Must(act("a", "grapple", "strength", "b"), 20, 9, 9)
	f.WantHP("b", 10)
	if !body.Has(f.State.Creatures["b"], body.CondHeld) {
		t.Error("a 20 grabs")
	}
	f = lone(t, nil, body.KindGrapple, make1("a", "A"), make1("b", "B", ac(1)))
	f.Must(act("a", "grapple", "strength", "b"), 1, 2)
	f.end("a", "b")
	wantRefused(t, f.Try(act("a", "declare", body.KindGrapple, "")), cite.FumbleSecondRoll)
}

// basic.action.hold-unarmed-damage: as a punch, metal and those whom fists do not
// hurt included, and not for one who may make no attack.
func TestHoldPunch(t *testing.T) {
	wears := func(m string) change { return section(func(b *eventv1.BasicSheet) { b.ArmorMaterial = m }) }
	grabs := func(b ...change) *table {
		f := lone(t, nil, body.KindGrapple, make1("a", "A", abilities(1, 1)), make1("b", "B", b...))
		f.Must(act("a", "grapple", "strength", "b"), 15, 15, 5)
		f.end("a", "b")
		f.declare([]int{6, 1, 15, 5}, "a=grapple", "b=move")
		return f
	}
	f := grabs()
	f.Must(act("a", "hold-punch", "", "b"), 3)
	f.WantHP("b", 6)
	f = grabs(wears("metal"))
	f.Must(act("a", "hold-punch", "", "b"), 3)
	f.WantHP("b", 10)
	f.WantHP("a", 6)
	f = grabs(section(func(b *eventv1.BasicSheet) { b.Tags = []string{"no-brawl"} }))
	f.Must(act("a", "hold-punch", "", "b"))
	f.WantHP("b", 10)
	f = grabs()
	f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondStumbled}}})
	wantRefused(t, f.Try(act("a", "hold-punch", "", "b")), cite.FumbleSecondRoll)
	f.Must(act("a", "hold-silence", "", "b"))
}

// basic.movement.grapple-enter-space: a hold lasts as long as the holder is there.
func TestWhoLeavesLetsGo(t *testing.T) {
	for _, at := range [][]int32{{0, 5}, nil} {
		f := lone(t, at, body.KindGrapple, make1("a", "A"), make1("b", "B"))
		f.Must(act("a", "grapple", "strength", "b"), 15, 15, 5)
		if at != nil {
			f.Must(act("a", "move", "", "", to(-20)))
			f.Answer(body.DecParting, body.DecideNo) // the one held has a sword
		} else {
			f.Must(act("a", "move", "", "", parameters("feet", 20)))
		}
		if body.Has(f.State.Creatures["b"], body.CondHeld) {
			t.Error("nobody holds it")
		}
	}
	// Two may hold one; each lets go of its own hold.
	f := tied(t, nil, []string{body.KindGrapple, body.KindGrapple, body.KindMove}, make1("a", "A"), make1("c", "A"), make1("z", "B"))
	f.Must(act("a", "grapple", "strength", "z"), 15)
	f.Must(act("c", "grapple", "strength", "z"), 15)
	f.end("a", "c")
	f.Must(endTurn("z"), 15, 5, 15, 5)
	f.declare([]int{4, 3, 2, 15, 5}, "a=grapple", "c=grapple", "z=move")
	f.Must(act("a", "let-go", "", "z"))
	if body.HeldBy(f.State.Creatures["z"], "a") != nil || body.HeldBy(f.State.Creatures["z"], "c") == nil {
		t.Errorf("%v", f.State.Creatures["z"].Conditions)
	}
}

// basic.action.other, basic.action.perform-feat: the game master accepts or not.
func TestOpenApproval(t *testing.T) {
	f := lone(t, nil, body.KindOther, make1("a", "A"), make1("b", "B"))
	wantRefused(t, f.Try(act("a", "other", "", "", parameters("text", "bars the door"), facts("allowed", false))), cite.ActionOther)
	f.Must(act("a", "other", "", "", parameters("text", "bars the door")))
	wantRefused(t, f.Try(act("a", "other", "", "", parameters("text", "bars the door"))), cite.ActionList)
	f.Must(act("a", "move", "", "", parameters("feet", 30)))

	f = lone(t, nil, body.KindFeat, make1("a", "A"), make1("b", "B"), body.SetOpen+"=ask")
	f.Must(act("a", "feat", "", "", parameters("text", "flies")))
	if len(f.Decisions) != 1 || !f.Decisions[0].GmOnly {
		t.Fatalf("asked %v", f.Decisions)
	}
	f.Answer(body.DecApprove, body.DecideNo)
	if f.State.Creatures["a"].Counters[body.CAction] != 1 {
		t.Error("nothing is spent")
	}
	f.Must(act("a", "feat", "", "", parameters("text", "jumps")))
	f.Answer(body.DecApprove, body.DecideYes)
	if f.State.Creatures["a"].Counters[body.CAction] != 0 {
		t.Error("the action is used")
	}
}

// basic.action.hold-for-creature: who acts on the same number does not act later.
func TestNobodyWaitsForAnEqual(t *testing.T) {
	f := tied(t, nil, []string{body.KindMelee, body.KindMelee}, make1("a", "A"), make1("b", "B"))
	wantRefused(t, f.Try(act("a", "hold-for", "", "b")), cite.ActionHoldForCreature)
}

// A way is a path for one on the map, and feet for one that is not.
func TestWays(t *testing.T) {
	f := lone(t, nil, body.KindMove, make1("a", "A"), make1("b", "B"))
	if f.Try(act("a", "move", "", "", to(20))) == nil {
		t.Error("there is no map")
	}
	f = lone(t, []int32{0, 50}, body.KindMove, make1("a", "A"), make1("b", "B"))
	for what, cmd := range map[string]*eventv1.Command{
		"no path":             act("a", "move", "", "", parameters("feet", 20)),
		"a path to nowhere":   act("a", "move", "", "", to(0)),
		"a path out of sight": act("a", "move", "", "", to(2_000_000)),
	} {
		if f.Try(cmd) == nil {
			t.Errorf("%s is accepted", what)
		}
	}
	f.Must(act("a", "move", "", "", to(20, 10)))
	if left := f.State.Creatures["a"].Counters[body.CMovement]; left != 0 {
		t.Errorf("20 and 10 feet leave %d of 30", left)
	}
}

// basic.movement.fighting-withdrawal: without positions only those who followed are
// still in reach.
func TestWithdrawalWithoutPositions(t *testing.T) {
	for answer, rule := range map[string]string{body.DecideYes: "", body.DecideNo: cite.MovementEngaged} {
		f := lone(t, nil, body.KindWithdraw, make1("a", "A"), make1("b", "B"))
		f.Must(act("a", "withdraw", "", "", parameters("feet", 10), facts("engaged", []string{"b"})))
		f.Answer(body.DecFollow, answer)
		if rule != "" {
			wantRefused(t, f.Try(act("a", "attack", "sword", "b")), rule)
			continue
		}
		f.Must(act("a", "attack", "sword", "b"), 5)
	}
}

// One who is on the map can grab one who is not.
func TestGrabOffTheMap(t *testing.T) {
	f := lone(t, []int32{0}, body.KindGrapple, make1("a", "A"), make1("b", "B"))
	f.Must(act("a", "grapple", "strength", "b"), 15, 15, 5)
	if body.HeldBy(f.State.Creatures["b"], "a") == nil || f.State.Creatures["a"].Position.X != 0 {
		t.Error("held, and nobody moved")
	}
}

// basic.action.charge: one foe is charged, no more and no fewer.
func TestOneFoeIsCharged(t *testing.T) {
	f := newTable(t).add([]int32{0, 30, -30}, make1("a", "A", wields(spear())), make1("b", "B"), make1("c", "B")).start(nil)
	f.declare([]int{6, 1, 2}, "a=charge", "b=move", "c=move")
	for _, targets := range []string{"", "b,c"} {
		if got, ok := fault.As(f.Try(act("a", "charge", "spear", targets))); !ok || len(got.Violations) != 1 || got.Violations[0].Field != "take.targets" {
			t.Errorf("%q: %v", targets, got)
		}
	}
	f.Must(act("a", "charge", "spear", "b"), 2)
}
