package basic

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// basic.movement.split, basic.movement.move-and-action, basic.action.move
func TestSplitMovement(t *testing.T) {
	f := lone(t, nil, body.KindMelee, make1("a", "A"), make1("b", "B"))
	f.Must(act("a", "move", "", "", parameters("feet", 15)))
	f.Must(act("a", "attack", "sword", "b"), 5)
	wantRefused(t, f.Try(act("a", "move", "", "", parameters("feet", 20))), cite.MovementSplit)
	f.Must(act("a", "move", "", "", parameters("feet", 15)))
	wantRefused(t, f.Try(act("a", "move", "", "", parameters("feet", 1))), cite.MovementSplit)
}

// basic.attack.parting-shot
func TestPartingShot(t *testing.T) {
	orc := func() *eventv1.Sheet { return make1("b", "orcs", bonus(1), blade("1d6")) }
	t.Run("basic.attack.parting-shot: at +2, before the movement", func(t *testing.T) {
		f := lone(t, []int32{0, 5}, body.KindMove, make1("a", "party", ac(13)), orc())
		f.Must(act("a", "move", "", "", to(-20)))
		f.Answer(body.DecParting, "weapon:sword", 10, 4)
		f.WantHP("a", 6)
		if f.State.Creatures["a"].Position.X != -20 {
			t.Error("it moves on")
		}
	})
	t.Run("basic.attack.parting-shot: who falls stays where it stood", func(t *testing.T) {
		f := lone(t, []int32{0, 5}, body.KindMove, make1("a", "party", hp(3), ac(13)), orc())
		f.Must(act("a", "move", "", "", to(-20)))
		f.Answer(body.DecParting, "weapon:sword", 10, 4)
		f.WantLife("a", eventv1.LifeStatus_LIFE_STATUS_DEAD)
		if f.State.Creatures["a"].Position.X != 0 {
			t.Error("it moved")
		}
	})
	t.Run("basic.attack.parting-shot: no ready weapon", func(t *testing.T) {
		b := orc()
		b.GetBasic().Weapons[0].Hand = "stowed"
		f := lone(t, []int32{0, 5}, body.KindMove, make1("a", "party"), b)
		f.Must(act("a", "move", "", "", to(-20)))
		if len(f.Decisions) > 0 {
			t.Error("a shot was offered")
		}
	})
	t.Run("basic.attack.parting-shot: two orcs", func(t *testing.T) {
		c := orc()
		c.Id = "c"
		f := newTable(t).add([]int32{0, 5, 5}, make1("a", "party", ac(14)), orc(), c).start(nil).declare([]int{6, 1, 1}, "a=move", "b=move", "c=move")
		f.Must(act("a", "move", "", "", to(-20)))
		f.Answer(body.DecParting, "weapon:sword", 10)
		f.Answer(body.DecParting, "weapon:sword", 11, 1)
		f.WantHP("a", 9)
	})
	t.Run("basic.movement.engaged: 6 feet are not engaged", func(t *testing.T) {
		f := lone(t, []int32{0, 6}, body.KindMove, make1("a", "party"), orc())
		f.Must(act("a", "move", "", "", to(-20)))
		if len(f.Decisions) > 0 {
			t.Error("a shot was offered")
		}
	})
	t.Run("basic.movement.engaged: running past", func(t *testing.T) {
		f := lone(t, []int32{0, 20}, body.KindRun, make1("a", "party"), orc())
		f.Must(act("a", "run", "", "", to(50)))
		f.Answer(body.DecParting, body.DecideNo)
		if f.State.Creatures["a"].Position.X != 50 {
			t.Error("it runs on")
		}
	})
	t.Run(cite.AttackPartingShotOneMode, func(t *testing.T) {
		f := lone(t, []int32{0, 5}, body.KindMove, make1("a", "party", ac(15)), make1("b", "beasts", bonus(5), tiger))
		f.Must(act("a", "move", "", "", to(-20)))
		f.Answer(body.DecParting, "weapon:bite", 8, 4, 2)
		f.WantHP("a", 4)
	})
}

// basic.movement.fighting-withdrawal
func TestFightingWithdrawal(t *testing.T) {
	f := lone(t, []int32{0, 5}, body.KindWithdraw, make1("a", "party"), make1("b", "orcs"))
	wantRefused(t, f.Try(act("a", "withdraw", "", "", to(-20))), cite.MovementSplit)
	f.Must(act("a", "withdraw", "", "", to(-15)))
	f.Answer(body.DecFollow, body.DecideNo)
	wantRefused(t, f.Try(act("a", "attack", "sword", "b")), cite.MovementEngaged)

	f = lone(t, []int32{0, 5}, body.KindWithdraw, make1("a", "party"), make1("b", "orcs"))
	f.Must(act("a", "withdraw", "", "", to(-15)))
	f.Answer(body.DecFollow, body.DecideYes)
	if b := f.State.Creatures["b"]; b.Position.X != -10 || b.Counters[body.CMovement] != 15 {
		t.Errorf("it stands at %d with %d feet left", b.Position.X, b.Counters[body.CMovement])
	}
	f.Must(act("a", "attack", "sword", "b"), 12, 1)
}

// basic.action.run, basic.movement.run-limit, basic.condition.fatigued
func TestRunning(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A", wields(spear())), make1("b", "B")).start(nil)
	f.Put("a", &eventv1.Vitals{Counters: map[string]int64{body.CRunning: 26}})
	f.declare([]int{6, 1}, "a=run", "b=move")
	wantRefused(t, f.Try(act("a", "attack", "spear", "b")), cite.TurnDeclare)
	wantRefused(t, f.Try(act("a", "run", "", "", parameters("feet", 61))), cite.MovementSplit)
	f.Must(act("a", "run", "", "", parameters("feet", 60)))
	if !body.Has(f.State.Creatures["a"], body.CondFatigued) {
		t.Error("after 27 rounds of running it is fatigued")
	}
	f.end("a", "b")
	wantRefused(t, f.Try(act("a", "declare", body.KindRun, "")), cite.ConditionFatigued)
	wantRefused(t, f.Try(act("a", "declare", body.KindCharge, "")), cite.ConditionFatigued)
	f.Must(act("a", "declare", body.KindMelee, ""))
}

// basic.action.reach-closing
func TestReachClosing(t *testing.T) {
	f := newTable(t).add([]int32{0, 20}, make1("a", "A", hp(5), bonus(2)), make1("b", "B", hp(6), ac(13), bonus(1), wields(spear()))).start(nil)
	f.declare([]int{5, 2}, "a=melee-attack", "b=melee-attack")
	f.Must(act("a", "move", "", "", to(15)))
	f.Answer(body.DecClosing, "weapon:spear", 11, 5)
	f.WantHP("a", 5)
	f.Must(act("a", "attack", "sword", "b"), 11, 6)
	f.end("a")
	f.WantHP("a", 0)
	f.WantHP("b", 0)

	f = newTable(t).add([]int32{0, 5}, make1("a", "A"), make1("b", "B", wields(spear()))).start(nil).declare([]int{5, 2}, "a=melee-attack", "b=melee-attack")
	f.Must(act("a", "attack", "sword", "b"), 2)
	if len(f.Decisions) > 0 {
		t.Error("who is there already does not close in")
	}
	// The early blow is the action of the round.
	f = newTable(t).add([]int32{0, 20}, make1("a", "A"), make1("b", "B", wields(spear()))).start(nil).declare([]int{5, 2}, "a=melee-attack", "b=melee-attack")
	f.Must(act("a", "move", "", "", to(15)))
	f.Answer(body.DecClosing, "weapon:spear", 2)
	f.end("a")
	wantRefused(t, f.Try(act("b", "attack", "spear", "a")), cite.ActionList)
}

// basic.action.charge and its conditions
func TestChargeConditions(t *testing.T) {
	lancer := func() *eventv1.Sheet { return make1("a", "A", wields(spear())) }
	for _, c := range []struct {
		name  string
		at    int32
		facts []any
		rule  string
	}{
		{"basic.action.charge: 40 of 60 feet", 45, nil, ""},
		{"basic.action.charge-distance: 10 feet", 15, nil, ""},
		{"basic.action.charge-distance: 5 feet", 10, nil, cite.ActionChargeDistance},
		{"basic.action.charge-distance: 9 feet", 14, nil, cite.ActionChargeDistance},
		{"basic.action.charge-distance: 60 feet", 65, nil, ""},
		{"basic.action.charge-distance: 61 feet", 66, nil, cite.ActionChargeDistance},
		{"basic.action.charge-distance: 65 feet", 70, nil, cite.ActionChargeDistance},
		{cite.ActionChargeStraightPath, 45, []any{"path_clear", false}, cite.ActionChargeStraightPath},
		{cite.ActionChargeLineOfSight, 45, []any{"line_of_sight", false}, cite.ActionChargeLineOfSight},
		{"basic.action.charge: the game master's word", 45, []any{"allowed", false}, cite.ActionCharge},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add([]int32{0, c.at}, lancer(), make1("b", "B", hp(40))).start(nil).declare([]int{4, 4}, "a=charge", "b=move")
			cmd := act("a", "charge", "spear", "b", facts(c.facts...))
			if c.rule != "" {
				wantRefused(t, f.Try(cmd), c.rule)
				return
			}
			f.Must(cmd, 5)
			if got := f.State.Creatures["a"].Position.X; got != c.at-5 {
				t.Errorf("it stands at %d", got)
			}
		})
	}
	f := newTable(t).add([]int32{0, 45, 20}, lancer(), make1("b", "B"), make1("c", "B")).start(nil).declare([]int{4, 4, 4}, "a=charge", "b=move", "c=move")
	wantRefused(t, f.Try(act("a", "charge", "spear", "b")), cite.ActionChargeStraightPath)
	f = newTable(t).add(nil, make1("a", "A")).start(nil)
	wantRefused(t, f.Try(act("a", "declare", body.KindCharge, "")), cite.ActionChargeWeapon)
}

// basic.attack.charge-bonus, basic.damage.charge-double, basic.condition.charge-ac
func TestCharge(t *testing.T) {
	f := newTable(t).add([]int32{0, 45}, make1("a", "A", bonus(2), abilities(1, 0), ac(15), wields(spear())), make1("b", "B", hp(40), ac(16), bonus(2))).start(nil)
	f.declare([]int{5, 3}, "a=charge", "b=melee-attack")
	f.Must(act("a", "charge", "spear", "b"), 11, 4)
	f.WantHP("b", 30)
	f.end("a")
	f.Must(act("b", "attack", "sword", "a"), 11, 1)
	f.WantHP("a", 9)
	f.end("b")
	f.declare([]int{5, 3}, "a=move", "b=melee-attack")
	f.end("a")
	f.Must(act("b", "attack", "sword", "a"), 11)
	f.WantHP("a", 9)

	// basic.damage.charge-double: with a natural 20, 8 + 2 + 1 + 2 = 13 is maximum damage, doubled.
	f = newTable(t).add([]int32{0, 45}, make1("a", "A", bonus(2), abilities(1, 0), wields(spear())), make1("b", "B", hp(40), ac(25))).start(nil)
	f.declare([]int{5, 3}, "a=charge", "b=move")
	f.Must(act("a", "charge", "spear", "b"), 20, 8)
	f.WantHP("b", 26)
}

// basic.action.set-weapon, basic.initiative.set-equal-or-better, basic.damage.set-double
func TestSetAgainstCharge(t *testing.T) {
	for _, c := range []struct {
		name     string
		charger  int
		defender int
		asked    string
		wantA    int32
		wantB    int32
		hold     bool
	}{
		{"basic.initiative.set-equal-or-better: equal", 4, 4, body.DecSet, 0, 0, false},
		{"basic.initiative.set-equal-or-better: held from 6", 4, 6, body.DecSet, 0, 0, true},
		{"basic.initiative.set-equal-or-better: lower strikes for normal damage", 4, 3, body.DecClosing, 3, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add([]int32{0, 45}, make1("a", "A", hp(6), ac(14), bonus(3), wields(spear())), make1("b", "B", hp(8), ac(13), bonus(2), wields(spear()))).start(nil)
			f.declare([]int{c.charger, c.defender}, "a=charge", "b=melee-attack")
			if c.hold {
				f.Must(act("b", "hold", "", ""))
			}
			f.Must(act("a", "charge", "spear", "b"))
			f.Answer(c.asked, "weapon:spear", 10, 3, 8, 4)
			f.WantHP("b", 8)
			for len(f.State.Active) > 0 && f.State.Creatures["a"].Counters[body.CTurn] == 0 {
				f.end(f.State.Active[0])
			}
			if f.State.Counters[body.CRunningNumber] > 0 && len(f.State.Active) > 0 {
				f.end(f.State.Active...)
			}
			f.WantHP("a", c.wantA)
			f.WantHP("b", c.wantB)
		})
	}
	t.Run("basic.action.set-weapon: acted already", func(t *testing.T) {
		f := newTable(t).add([]int32{0, 45}, make1("a", "A", wields(spear())), make1("b", "B", wields(spear()))).start(nil)
		f.declare([]int{4, 5}, "a=charge", "b=melee-attack")
		f.end("b")
		f.Must(act("a", "charge", "spear", "b"), 2)
		if len(f.Decisions) > 0 {
			t.Error("its action is used")
		}
	})
	t.Run("basic.action.set-weapon: a sword", func(t *testing.T) {
		f := newTable(t).add([]int32{0, 45}, make1("a", "A", wields(spear())), make1("b", "B")).start(nil)
		f.declare([]int{4, 4}, "a=charge", "b=melee-attack")
		f.Must(act("a", "charge", "spear", "b"), 2)
		if len(f.Decisions) > 0 {
			t.Error("a sword cannot be set")
		}
	})
}
