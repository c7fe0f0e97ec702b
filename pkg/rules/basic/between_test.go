package basic

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/order"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// patient makes a sheet that of a patient, whose record goes from fight to fight.
func patient(s *eventv1.Sheet, _ *eventv1.BasicSheet) { s.Patient = s.Id }

// Who comes from another fight brings its wounds and what it has left, and nothing
// that was counted in rounds there.
func TestFromAnotherFight(t *testing.T) {
	six := int32(6)
	f := newTable(t)
	f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: make1("a", "A", caster, patient), Vitals: &eventv1.Vitals{Hp: &six,
		Counters: map[string]int64{body.CTurn: 1, body.CRunning: 5, body.CLeft + "bolt": 1},
		Marks:    map[string]string{body.MLeaving: rules.Yes},
		Conditions: []*eventv1.Condition{{Name: body.CondHeld, Source: "z"}, {Name: body.CondBurning, Values: map[string]int32{"due": 1}},
			{Name: body.CondStumbled}, {Name: body.CondScorched}, {Name: body.CondSilenced}, {Name: body.CondFatigued}}}}}})
	f.add(nil, make1("b", "B")).start(nil)
	a := f.State.Creatures["a"]
	if a.Counters[body.CRunning] != 5 || a.Counters[body.CLeft+"bolt"] != 1 || a.GetHp() != 6 || !body.Has(a, body.CondFatigued) || body.Has(a, body.CondHeld) || body.Has(a, body.CondBurning) || len(a.Conditions) != 1 || len(a.Marks) > 0 {
		t.Errorf("%v", a)
	}
	f.declare([]int{6, 1}, "a=cast", "b=move")
	f.WantActive("a")
	f.Must(act("a", "cast", "bolt", "b"), 2)
}

// basic.healing.subdual-wake: whoever lies there at the end of a fight has the rest of
// its turns to lie, between fights and in the next.
func TestLyingThereAfterTheFight(t *testing.T) {
	f := knockedOut(t) // 3 turns from round 1
	f.Must(&eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
	b := f.State.Creatures["b"]
	if b.Counters[body.CWakeTurns] != 3 {
		t.Errorf("%d turns left, want 3", b.Counters[body.CWakeTurns])
	}
	none := int32(0)
	g := newTable(t).add(nil, make1("a", "A"))
	g.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: make1("b", "B", patient), Vitals: &eventv1.Vitals{Hp: &none,
		Counters: map[string]int64{body.CNonlethal: 3, body.CWakeTurns: 2, body.CWake: 181}}}}}) // no die: it was rolled
	g.WantLife("b", isUnconscious)
	if got := g.State.Creatures["b"].Counters[body.CWake]; got != 120 {
		t.Errorf("it wakes in round %d, want 120", got)
	}
}

// basic.healing.subdual-revive: between fights too.
func TestRevivingBetweenFights(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A"))
	f.tend("a", "harm", "amount", 4, "nonlethal", true)
	wantRefused(t, f.TryTend(&eventv1.PatientCommand{Deed: "revive", Patients: []string{"a"}}), cite.HealingSubdualRevive)
	f.tend("a", "harm", "amount", 9, []int{4})
	f.WantLife("a", isUnconscious)
	f.Tend(&eventv1.PatientCommand{Deed: "revive", Patients: []string{"a"}}, 7, 4)
	f.WantLife("a", isAlive)
	f.WantHP("a", 1)
}

// Who leaves the field lets go of those it holds, and nobody waits for it.
func TestLeaving(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A"), make1("b", "B"), make1("c", "A")).start(nil)
	f.declare([]int{6, 3, 1}, "a=grapple", "b=move", "c=move")
	f.Must(act("a", "grapple", "strength", "b"), 15, 15, 5)
	f.Must(&eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: "a", Reason: "flees"}}})
	if body.Has(f.State.Creatures["b"], body.CondHeld) || f.State.Creatures["a"] != nil {
		t.Error("b is free and a is gone")
	}
	f.WantActive("b")
}

// A hold leaves room for whatever is done in the end.
func TestHoldForAnything(t *testing.T) {
	f := lone(t, nil, body.KindHold, make1("a", "A"), make1("b", "B"))
	f.Must(act("a", "other", "", "", parameters("text", "bars the door")))
	f = lone(t, nil, body.KindHold, make1("a", "A"), make1("b", "B"))
	f.Must(act("a", "feat", "", "", parameters("text", "vaults the table", "dc", 5)), 5)
}

// Refusals that no other test meets.
func TestRefusals(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A"), make1("b", "B"))
	wantRefused(t, f.Try(act("a", "declare", body.KindMove, "")), "")
	f.start(nil).declare([]int{6, 1}, "a=grapple", "b=move")
	wantRefused(t, f.Try(act("a", "declare", body.KindMove, "")), cite.TurnSequence)
	wantRefused(t, f.Try(act("a", "let-go", "", "b")), cite.DiceGrappleCheck)
	wantRefused(t, f.Try(act("a", "smother", "roll", "")), cite.TurnDeclare)
	wantRefused(t, f.Try(act("b", "step-in", "", "")), cite.ActionHold)
	wantRefused(t, f.Try(act("a", "grapple", "strength", "a")), cite.ActionAttack)
	for what, cmd := range map[string]*eventv1.Command{
		"an unknown action":   act("a", "dance", "", ""),
		"an unknown item":     act("a", "attack", "lance", "b"),
		"an unknown creature": act("x", "move", "", ""),
	} {
		if f.Try(cmd) == nil {
			t.Errorf("%s is accepted", what)
		}
	}
	f = lone(t, nil, body.KindOther, make1("a", "A", throws(body.Oil)), make1("b", "B"))
	for what, cmd := range map[string]*eventv1.Command{
		"no text":            act("a", "other", "", ""),
		"an unknown ability": act("a", "other", "", "", parameters("text", "x", "ability", "charm")),
		"a lake of oil":      act("a", "spill-oil", "flask", "", parameters("feet", 31)),
	} {
		if f.Try(cmd) == nil {
			t.Errorf("%s is accepted", what)
		}
	}
	f = lone(t, nil, body.KindRanged, make1("a", "A", throws(body.Oil)), make1("b", "B"))
	if f.Try(act("a", "throw", "flask", "b", lit("candle"))) == nil {
		t.Error("a candle is accepted")
	}
}

// What may be settled ahead is of the decisions that are asked.
func TestStandingOrders(t *testing.T) {
	f := newTable(t).add([]int32{0, 5}, make1("a", "A"), make1("b", "B")).start(nil)
	f.Must(&eventv1.Command{What: &eventv1.Command_Order{Order: &eventv1.SetStandingOrder{Creature: "b", Decision: body.DecParting, Order: body.DecideNo}}})
	f.declare([]int{6, 1}, "a=move", "b=move")
	f.Must(act("a", "move", "", "", to(-20)))
	if len(f.Decisions) > 0 || f.State.Creatures["a"].Position.X != -20 {
		t.Error("the shot is let pass")
	}
}

// basic.fumble.stumble: a second stumble does not take away what is left of the first.
func TestStumblingAnew(t *testing.T) {
	f := lone(t, nil, body.KindMelee, make1("a", "A"), make1("b", "B", hp(40)))
	f.Must(act("a", "attack", "sword", "b"), 1, 3, 10, 2) // rounds 2 and 3
	f.end("a", "b")
	f.declare([]int{6, 1}, "a=melee-attack", "b=melee-attack")
	f.Must(act("a", "attack", "sword", "b"), 1, 3, 10, 1) // round 3 again
	f.end("a")
	f.Must(act("b", "attack", "sword", "a"), 1, 8, 10)
	f.Answer(body.DecFree, "weapon:sword", 11)
	if got := f.Total("to-hit"); got != 10 {
		t.Errorf("%d, want 11 - 1 in the same round", got)
	}
	f.end("b")
	f.declare([]int{6, 1}, "a=melee-attack", "b=move")
	f.Must(act("a", "attack", "sword", "b"), 11)
	if got := f.Total("to-hit"); got != 10 {
		t.Errorf("%d, want 11 - 1 in round 3", got)
	}
	f.end("a", "b")
	if body.Has(f.State.Creatures["a"], body.CondStumbling) {
		t.Error("round 3 was the last")
	}
}

// basic.action.hold: the last to act has nobody to wait for.
func TestTheLastCannotHold(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A"), make1("b", "B")).start(nil).declare([]int{2, 5}, "a=melee-attack", "b=move")
	f.end("b")
	wantRefused(t, f.Try(act("a", "hold", "", "")), cite.TurnRoundEnds)
	wantRefused(t, f.Try(act("a", "hold", order.HoldNumber, "", parameters("number", 1))), cite.TurnRoundEnds)
}
