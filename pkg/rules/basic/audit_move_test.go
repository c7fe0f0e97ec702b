package basic

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func walks(feet int32) change {
	return func(s *eventv1.Sheet, _ *eventv1.BasicSheet) { s.Speeds = map[string]int32{"walk": feet} }
}

// What a creature can still move after feet that it moved and an action between.
func TestMovementOfARound(t *testing.T) {
	for _, c := range []struct {
		name           string
		walk           int32
		kind           string
		first, then    int32
		acts           bool
		action, ruleID string
	}{
		{"basic.action.move: 40 of 40", 40, body.KindMove, 39, 1, false, "move", ""},
		{"basic.action.move: the 41st foot", 40, body.KindMove, 40, 1, false, "move", cite.MovementSplit},
		{"basic.movement.split: 10 and 20", 30, body.KindMelee, 10, 20, true, "move", ""},
		{"basic.movement.split: 15 and 20", 30, body.KindMelee, 15, 20, true, "move", cite.MovementSplit},
		{"basic.movement.move-and-action: 5 are left of 30", 30, body.KindMelee, 25, 5, true, "move", ""},
		{"basic.movement.move-and-action: 6 are not", 30, body.KindMelee, 25, 6, true, "move", cite.MovementSplit},
		{"basic.action.run: 60 feet", 30, body.KindRun, 30, 30, false, "run", ""},
		{"basic.action.run: 61 feet", 30, body.KindRun, 30, 31, false, "run", cite.MovementSplit},
		{"basic.movement.fighting-withdrawal: half of 25 is 12", 25, body.KindWithdraw, 10, 2, false, "withdraw", ""},
		{"basic.movement.fighting-withdrawal: and not 13", 25, body.KindWithdraw, 10, 3, false, "withdraw", cite.MovementSplit},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := lone(t, nil, c.kind, make1("a", "A", walks(c.walk)), make1("b", "B", ac(30)))
			f.Must(act("a", c.action, "", "", parameters("feet", int(c.first))))
			if c.acts {
				f.Must(act("a", "attack", "sword", "b"), 5)
			}
			err := f.Try(act("a", c.action, "", "", parameters("feet", int(c.then))))
			if c.ruleID != "" {
				wantRefused(t, err, c.ruleID)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
}

// basic.action.list: one action; the rest of the movement stays.
func TestOneAction(t *testing.T) {
	f := lone(t, nil, body.KindHold, make1("a", "A", section(func(b *eventv1.BasicSheet) {
		b.Spells = []*eventv1.BasicSpell{{Name: "bolt", Uses: 2, Damage: "1d6"}}
	})), make1("b", "B"))
	f.Must(act("a", "move", "", "", parameters("feet", 10)))
	f.Must(act("a", "attack", "sword", "b"), 5)
	wantRefused(t, f.Try(act("a", "cast", "bolt", "b")), cite.ActionList)
	f.Must(act("a", "move", "", "", parameters("feet", 20)))
}

// basic.action.attack: declared as such it may be any attack; basic.turn.declare
func TestDeclaredAttack(t *testing.T) {
	dagger := wields(&eventv1.BasicWeapon{Name: "dagger", Damage: "1d4", Kind: "melee", ShortFeet: 10, MediumFeet: 20, LongFeet: 30})
	f := lone(t, nil, body.KindAttack, make1("a", "A", dagger), make1("b", "B"))
	wantRefused(t, f.Try(act("a", "grapple", "strength", "b")), cite.TurnDeclare)
	f.Must(act("a", "shoot", "dagger", "b", facts("distance", 10)), 5)
	f = lone(t, nil, body.KindAttack, make1("a", "A", dagger), make1("b", "B"))
	f.Must(act("a", "attack", "dagger", "b"), 5)
}

// basic.action.dodge: the whole round, moving but not attacking; 16 hits 14 and 2.
func TestDodge(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A", ac(14)), make1("orc", "B", bonus(3))).start(nil)
	f.declare([]int{6, 5}, "a=parry-and-dodge", "orc=melee-attack")
	wantRefused(t, f.Try(act("a", "attack", "sword", "orc")), cite.TurnDeclare)
	f.Must(act("a", "move", "", "", parameters("feet", 30)))
	f.end("a")
	f.Must(act("orc", "attack", "sword", "a"), 13, 2)
	if f.outcome() != "hit" {
		t.Error("16 hits 16")
	}
	f.end("orc")
	f.declare([]int{5, 6}, "a=move", "orc=melee-attack")
	f.Must(act("orc", "attack", "sword", "a"), 11, 2) // 14 hits: the round is over
	// It counts before its number too.
	f = newTable(t).add(nil, make1("a", "A", ac(14)), make1("orc", "B", bonus(3))).start(nil)
	f.declare([]int{2, 5}, "a=parry-and-dodge", "orc=melee-attack")
	f.Must(act("orc", "attack", "sword", "a"), 12)
	if f.outcome() != "miss" {
		t.Error("15 misses 16")
	}
}

// basic.attack.parting-shot: any time that somebody leaves, as often as that is, for
// each of those it leaves and beside their own actions.
func TestHowManyPartingShots(t *testing.T) {
	f := newTable(t).add([]int32{0, 5}, make1("a", "party", hp(40)), make1("orc", "orcs"))
	f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: make1("b", "party"), Position: &eventv1.Position{X: 10}}}})
	f.start(nil).declare([]int{6, 4, 1}, "a=move", "b=move", "orc=melee-attack")
	// It leaves and comes back and leaves: a shot each time.
	f.Must(act("a", "move", "", "", to(-5, 0)))
	f.Answer(body.DecParting, body.DecideNo)
	f.Must(act("a", "move", "", "", to(-5, 0)))
	f.Answer(body.DecParting, "weapon:sword", 5)
	f.Must(act("a", "move", "", "", to(-5)))
	f.Answer(body.DecParting, "weapon:sword", 5)
	f.end("a")
	// Another who leaves gives another.
	f.Must(act("b", "move", "", "", to(30)))
	f.Answer(body.DecParting, "weapon:sword", 5)
	f.end("b")
	// Its own action is still its own.
	f.Must(act("orc", "move", "", "", to(0)))
	f.Must(act("orc", "attack", "sword", "a"), 5)
	f.end("orc")
	// The next round there is a new one.
	f.declare([]int{6, 5, 1}, "a=move", "b=move", "orc=melee-attack")
	f.Must(act("a", "move", "", "", to(-20)))
	f.Answer(body.DecParting, body.DecideNo)
	// In one way that leaves twice it is offered twice.
	f = newTable(t).add([]int32{0, 5}, make1("a", "party", hp(40)), make1("orc", "orcs")).start(nil).declare([]int{6, 1}, "a=move", "orc=move")
	f.Must(act("a", "move", "", "", to(-5, 0, -5)))
	f.Answer(body.DecParting, "weapon:sword", 5)
	f.Answer(body.DecParting, "weapon:sword", 5)
}

// basic.attack.parting-shot: who may make one, whatever it declared and did.
func TestWhoMakesPartingShots(t *testing.T) {
	xbow := &eventv1.BasicWeapon{Name: "crossbow", Damage: "1d6", Kind: "crossbow", Hand: "off", ShortFeet: 60, MediumFeet: 120, LongFeet: 180, ReloadRounds: 1}
	sword := &eventv1.BasicWeapon{Name: "sword", Damage: "1d8", Kind: "melee"}
	for _, c := range []struct {
		name, kind string
		change     change
		condition  string
		offered    bool
	}{
		{"basic.attack.parting-shot: one who dodges", body.KindDodge, nil, "", true},
		{"basic.attack.parting-shot: one who casts", body.KindCast, section(func(b *eventv1.BasicSheet) { b.Spells = []*eventv1.BasicSpell{{Name: "bolt", Uses: 1}} }), "", true},
		{"basic.attack.parting-shot: one who only moves", body.KindMove, nil, "", true},
		{"basic.attack.parting-shot: one who is blinded", body.KindMove, nil, body.CondBlinded, true},
		{"basic.attack.parting-shot: one whom somebody holds", body.KindMove, nil, body.CondHeld, true},
		{"basic.attack.parting-shot: natural weapons are ready", body.KindMove, tiger, "", true},
		{"basic.attack.parting-shot: a bow is not", body.KindMove, wields(bow()), "", false},
		{"basic.attack.parting-shot: nor are fists", body.KindMove, wields(), "", false},
		{"basic.action.run: one who runs may not attack", body.KindRun, nil, "", false},
		{"basic.attack.rate-light-crossbow: reloading leaves room for nothing else", body.KindReload, wields(sword, xbow), "", false},
		{"basic.surprise.lose-one-round: one who is surprised", "", nil, body.CondSurprised, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			enemy := make1("b", "orcs")
			if c.change != nil {
				c.change(enemy, enemy.GetBasic())
			}
			f := newTable(t).add([]int32{0, 5}, make1("a", "party", hp(40)), enemy).start(nil)
			if c.kind == body.KindReload {
				f.State.Creatures["b"].Items["crossbow"].Values["loaded"] = 0
			}
			if c.condition != "" {
				f.Afflict("b", c.condition)
			}
			if c.kind == "" {
				f.declare([]int{6}, "a=move")
			} else {
				f.declare([]int{6, 1}, "a=move", "b="+c.kind)
			}
			f.Must(act("a", "move", "", "", to(-20)))
			if got := len(f.Decisions) > 0; got != c.offered {
				t.Errorf("offered: %v", got)
			}
		})
	}
}

// basic.attack.parting-shot: allies and those farther off make none; one who falls
// prone of it goes no farther; a natural 1 goes to the table.
func TestPartingShotEdges(t *testing.T) {
	f := lone(t, []int32{0, 5}, body.KindMove, make1("a", "party"), make1("b", "party"))
	f.Must(act("a", "move", "", "", to(-20)))
	if len(f.Decisions) > 0 {
		t.Error("allies make none")
	}
	f = lone(t, []int32{0, 10}, body.KindMove, make1("a", "party"), make1("b", "orcs", wields(spear())))
	f.Must(act("a", "move", "", "", to(-20)))
	if len(f.Decisions) > 0 {
		t.Error("a spear 10 feet away is not adjacent")
	}
	f = lone(t, []int32{0, 5}, body.KindMove, make1("a", "party", hp(40)), make1("b", "orcs"))
	f.Must(act("a", "move", "", "", to(-20)))
	f.Answer(body.DecParting, "weapon:sword", 20, 18, 1, 3) // the 18 and the shot's 2 are 20
	if a := f.State.Creatures["a"]; a.Position.X != 0 || !body.Has(a, body.CondProne) {
		t.Errorf("it stands at %d with %v", a.Position.X, a.Conditions)
	}
	f = lone(t, []int32{0, 5}, body.KindMove, make1("a", "party", hp(40)), make1("b", "orcs"))
	f.Must(act("a", "move", "", "", to(-20)))
	f.Answer(body.DecParting, "weapon:sword", 1, 11)
	if f.State.Creatures["b"].Items["sword"].Place != "dropped" || f.State.Creatures["a"].Position.X != -20 {
		t.Error("the sword is dropped and the other is away")
	}
	// basic.action.run: who runs away gives it before the movement.
	f = lone(t, []int32{0, 5}, body.KindRun, make1("a", "party", ac(13)), make1("b", "orcs", bonus(1)))
	f.Must(act("a", "run", "", "", to(-60)))
	f.Answer(body.DecParting, "weapon:sword", 10, 4)
	f.WantHP("a", 6)
	if f.State.Creatures["a"].Position.X != -60 {
		t.Error("it runs on")
	}
	// Without positions the caller says whom it leaves.
	f = lone(t, nil, body.KindMove, make1("a", "party"), make1("b", "orcs"))
	f.Must(act("a", "move", "", "", parameters("feet", 20), facts("leaves", []string{"b"})))
	f.Answer(body.DecParting, "weapon:sword", 5)
}

// basic.movement.fighting-withdrawal: no parting shot, and only for the engaged;
// who cannot follow is not asked.
func TestWithdrawalEdges(t *testing.T) {
	f := newTable(t).add([]int32{0, 20}, make1("a", "party"), make1("b", "orcs")).start(nil)
	wantRefused(t, f.Try(act("a", "declare", body.KindWithdraw, "")), cite.MovementFightingWithdrawal)
	f = lone(t, []int32{0, 5}, body.KindWithdraw, make1("a", "party"), make1("b", "orcs", walks(10)))
	f.Must(act("a", "withdraw", "", "", to(-15)))
	if len(f.Decisions) > 0 {
		t.Errorf("15 feet are too far for 10: %v", f.Decisions)
	}
	// It may strike before it backs away.
	f = lone(t, []int32{0, 5}, body.KindWithdraw, make1("a", "party"), make1("b", "orcs"))
	f.Must(act("a", "attack", "sword", "b"), 5)
	f.Must(act("a", "withdraw", "", "", to(-5)))
	f.Answer(body.DecFollow, body.DecideYes)
	wantRefused(t, f.Try(act("a", "attack", "sword", "b")), cite.ActionList)
}

// basic.condition.prone: standing up takes the movement of the round, not the action.
func TestStandingUp(t *testing.T) {
	f := lone(t, nil, body.KindMelee, make1("a", "A"), make1("b", "B"))
	wantRefused(t, f.Try(act("a", "stand", "", "")), cite.ConditionProne)
	f.Afflict("a", body.CondProne)
	wantRefused(t, f.Try(act("a", "move", "", "", parameters("feet", 5))), cite.ConditionProne)
	f.Must(act("a", "stand", "", ""))
	wantRefused(t, f.Try(act("a", "move", "", "", parameters("feet", 5))), cite.MovementSplit)
	f.Must(act("a", "attack", "sword", "b"), 11)
	if f.Total("to-hit") != 11 {
		t.Error("it stands: no -4")
	}
	f = lone(t, nil, body.KindMelee, make1("a", "A"), make1("b", "B"))
	f.Must(act("a", "move", "", "", parameters("feet", 5)))
	f.Afflict("a", body.CondProne)
	wantRefused(t, f.Try(act("a", "stand", "", "")), cite.ConditionProne)
}

// basic.rest.fatigue: after the rest another 3 rounds for each point of Constitution.
func TestRunningAfterRest(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A", func(s *eventv1.Sheet, _ *eventv1.BasicSheet) { s.Abilities["constitution"] = 12 }), make1("b", "B")).start(nil)
	f.Put("a", &eventv1.Vitals{Counters: map[string]int64{body.CRunning: 36}})
	f.Afflict("a", body.CondFatigued)
	f.tend("a", "rest", "turns", 2)
	wantRefused(t, f.Try(act("a", "declare", body.KindRun, "")), cite.ConditionFatigued)
	f.tend("a", "rest", "turns", 3)
	for range 36 {
		f.declare([]int{6, 1}, "a=run", "b=move")
		f.Must(act("a", "run", "", "", parameters("feet", 1)))
		f.Must(act("a", "run", "", "", parameters("feet", 1))) // one round of running, in two parts
		f.end("a", "b")
	}
	wantRefused(t, f.Try(act("a", "declare", body.KindRun, "")), cite.ConditionFatigued)
	// basic.condition.fatigued: it walks and fights.
	f.declare([]int{6, 1}, "a=melee-attack", "b=move")
	f.Must(act("a", "move", "", "", parameters("feet", 30)))
	f.Must(act("a", "attack", "sword", "b"), 5)
}

// basic.movement.run-limit: a charge is a round of running.
func TestChargeCountsAsRunning(t *testing.T) {
	f := newTable(t).add([]int32{0, 45}, make1("a", "A", wields(spear())), make1("b", "B")).start(nil)
	f.Put("a", &eventv1.Vitals{Counters: map[string]int64{body.CRunning: 26}})
	f.declare([]int{5, 3}, "a=charge", "b=move")
	f.Must(act("a", "charge", "spear", "b"), 2)
	if !body.Has(f.State.Creatures["a"], body.CondFatigued) {
		t.Error("26 and a charge are 27: fatigued")
	}
	f.end("a", "b")
	wantRefused(t, f.Try(act("a", "declare", body.KindCharge, "")), cite.ConditionFatigued)
}
