package basic

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/order"
)

// basic.action.charge-distance, basic.action.charge-straight-path, basic.action.charge-line-of-sight, basic.action.charge: what is stated of a
// charge beats what the map shows; what is stated to be well refuses nothing
func TestWhatIsSaidOfACharge(t *testing.T) {
	for _, c := range []struct {
		name  string
		at    []int32 // of the charger, the target and somebody else
		facts []any
		rule  string
	}{
		{"somebody in the way", []int32{0, 45, 20}, nil, cite.ActionChargeStraightPath},
		{"stated to be clear", []int32{0, 45, 20}, []any{"path_clear", true}, ""},
		{"stated not to be, and nobody in it", []int32{0, 45, -20}, []any{"path_clear", false}, cite.ActionChargeStraightPath},
		{"stated to be, and nobody in it", []int32{0, 45, -20}, []any{"path_clear", true}, ""},
		{"in sight", []int32{0, 45, -20}, []any{"line_of_sight", true}, ""},
		{"allowed", []int32{0, 45, -20}, []any{"allowed", true}, ""},
		{"stated to be too near", []int32{0, 45, -20}, []any{"distance", 14}, cite.ActionChargeDistance},
		{"stated to be as near as may be", []int32{0, 45, -20}, []any{"distance", 15}, ""},
		{"stated to be as far as may be", []int32{0, 45, -20}, []any{"distance", 65}, ""},
		{"stated to be too far", []int32{0, 45, -20}, []any{"distance", 66}, cite.ActionChargeDistance},
		{"somebody without a place is in nobody's way", []int32{0, 45}, nil, ""},
		{"the target has no place", []int32{0}, nil, cite.ActionChargeDistance},
		{"and its distance is stated", []int32{0}, []any{"distance", 30}, ""},
		{"nobody has a place", nil, nil, cite.ActionChargeDistance},
		{"nobody has, and the distance is stated", nil, []any{"distance", 30}, ""},
		{"and the way is not clear", nil, []any{"distance", 30, "path_clear", false}, cite.ActionChargeStraightPath},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add(c.at, make1("a", "A", wields(spear())), make1("b", "B", hp(40)), make1("c", "A")).start(nil)
			f.declare([]int{4, 4, 4}, "a=charge", "b=move", "c=move")
			cmd := act("a", "charge", "spear", "b", facts(c.facts...))
			if c.rule != "" {
				wantRefused(t, f.Try(cmd), c.rule)
				return
			}
			f.Must(cmd, 5)
			if got := f.Total("to-hit"); got != 7 {
				t.Errorf("%d, want 5 and 2 of the charge", got)
			}
			if p, placed := f.Creature("a").Position, len(c.at) > 1; placed && p.X != c.at[1]-5 || !placed && p.GetX() != 0 {
				t.Errorf("it stands at %v", p)
			}
		})
	}
	f := newTable(t).add([]int32{0, 45}, make1("a", "A", wields(spear())), make1("b", "B"), make1("c", "B")).start(nil)
	f.Hurt("b", 0)
	f.declare([]int{4, 4}, "a=charge", "c=move")
	for _, target := range []string{"a", "b"} {
		wantRefused(t, f.Try(act("a", "charge", "spear", target)), cite.ActionCharge)
	}
}

// basic.action.charge-weapon, basic.action.set-weapon, basic.action.reach-closing: what is shot neither charges nor is set nor strikes those who
// close in, whatever the sheet says of it
func TestOnlyMeleeWeaponsChargeAndAreSet(t *testing.T) {
	for _, melee := range []bool{true, false} {
		odd := spear()
		odd.ShortFeet, odd.MediumFeet, odd.LongFeet = 20, 40, 60
		if !melee {
			odd.Kind = "bow"
		}
		b := make1("b", "B", hp(40), wields(odd))
		f := newTable(t).add([]int32{0, 45}, make1("a", "A", wields(spear()), hp(40)), b).start(nil)
		for kind, rule := range map[string]string{body.KindCharge: cite.ActionChargeWeapon, body.KindSet: cite.ActionSetWeapon} {
			if err := f.peek(act("b", "declare", kind, "")); melee && err != nil {
				t.Errorf("%s: %v", kind, err)
			} else if !melee {
				wantRefused(t, err, rule)
			}
		}
		f.declare([]int{4, 4}, "a=charge", "b=attack")
		if f.Must(act("a", "charge", "spear", "b"), pick(melee, nil, []int{5})...); (len(f.Decisions) == 1) != melee {
			t.Errorf("melee %v: asked %v", melee, f.Decisions)
		}
		f = newTable(t).add([]int32{0, 45}, make1("a", "A", hp(40)), make1("b", "B", hp(40), wields(odd))).start(nil).declare([]int{4, 4}, "a=move", "b=attack")
		if f.Must(act("a", "move", "", "", to(30))); len(f.Decisions) != 0 {
			t.Errorf("asked %v at 15 feet", f.Decisions)
		}
		f = newTable(t).add([]int32{0, 30}, make1("a", "A", hp(40)), make1("b", "B", hp(40), wields(odd))).start(nil).declare([]int{4, 4}, "a=move", "b=attack")
		if f.Must(act("a", "move", "", "", to(25))); (len(f.Decisions) == 1) != melee {
			t.Errorf("melee %v: asked %v", melee, f.Decisions)
		}
	}
}

func pick[T any](is bool, yes, no T) T {
	if is {
		return yes
	}
	return no
}

// basic.action.set-weapon, basic.initiative.set-equal-or-better: who has put its action off to a lower number was faster all the same, and may set its
// weapon; who is slower may not, and strikes no blow before it; nobody sets a weapon against one of its own side
func TestWhoMaySetAWeapon(t *testing.T) {
	for _, c := range []struct {
		name  string
		side  string
		faces []int
		holds bool
		set   string
	}{
		{"faster, and held", "B", []int{4, 6}, true, body.DecSet},
		{"as fast", "B", []int{4, 4}, false, body.DecSet},
		{"slower", "B", []int{4, 3}, false, body.DecClosing},
		{"of its own side", "A", []int{4, 4}, false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add([]int32{0, 45}, make1("a", "A", wields(spear()), hp(40)), make1("b", c.side, hp(40), wields(spear()))).add(nil, make1("z", "Z")).start(nil)
			f.declare(append(c.faces, 1), "a=charge", "b=melee-attack", "z=move")
			if c.holds {
				f.Must(act("b", "hold", order.HoldNumber, "", parameters("number", 2)))
			}
			if f.Must(act("a", "charge", "spear", "b"), pick(c.set == "", []int{5}, nil)...); c.set == "" {
				if len(f.Decisions) != 0 {
					t.Fatalf("asked %v", f.Decisions)
				}
				return
			}
			if len(f.Decisions) != 1 || f.Decisions[0].Name != c.set {
				t.Fatalf("asked %v", f.Decisions)
			}
		})
	}
}

// basic.action.charge, basic.attack.parting-shot, basic.condition.disarmed: disarmed or felled by a parting shot on its way, a charger strikes no blow
func TestStoppedInACharge(t *testing.T) {
	for _, c := range []struct {
		name  string
		dice  []int // the effect of the critical hit
		place string
		x     int32
		blows int
	}{
		{"no effect", []int{20, 5, 1}, "main", 40, 2}, {"disarmed", []int{20, 20, 1, 1}, "dropped", 40, 1}, {"laid low", []int{20, 20, 1, 3}, "main", 0, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add([]int32{0, 45, -5}, make1("a", "A", wields(spear()), hp(40)), make1("b", "B", hp(40)), make1("c", "B")).start(nil)
			f.declare([]int{4, 1, 1}, "a=charge", "b=move", "c=melee-attack")
			f.Must(act("a", "charge", "spear", "b"))
			f.Answer(body.DecParting, "weapon:sword", append(c.dice, pick(c.blows == 2, []int{5}, nil)...)...)
			if a := f.Creature("a"); a.Items["spear"].Place != c.place || a.Position.X != c.x || len(f.Attacks()) != c.blows {
				t.Errorf("%v at %v: %v", a.Items["spear"], a.Position, f.Attacks())
			}
			wantRefused(t, f.Try(act("a", "charge", "spear", "b")), cite.ActionList)
		})
	}
}

// basic.action.reach-closing, basic.attack.parting-shot, basic.movement.fighting-withdrawal: of those who are stated to be closed with, left or engaged,
// only opponents who are there have a say
func TestWhoHasASayInAWay(t *testing.T) {
	field := func(kind string) *table {
		f := newTable(t).add(nil, make1("a", "A"), make1("b", "B", wields(spear())), make1("c", "A", wields(spear()))).start(nil)
		return f.declare([]int{6, 1, 1}, "a="+kind, "b=melee-attack", "c=melee-attack")
	}
	for _, c := range []struct{ kind, action, fact, asked string }{{body.KindMove, "move", "closes_with", body.DecClosing}, {body.KindMove, "move", "leaves", body.DecParting},
		{body.KindWithdraw, "withdraw", "engaged", body.DecFollow}} {
		f := field(c.kind)
		way := func(ids ...string) error {
			return f.Try(act("a", c.action, "", "", parameters("feet", 5), facts(c.fact, ids)))
		}
		if err := way("c"); err == nil {
			t.Errorf("%s: one of its own side is taken", c.fact)
		}
		if err := way("b"); err != nil || len(f.Decisions) != 1 || f.Decisions[0].Name != c.asked || f.Decisions[0].Creature != "b" {
			t.Errorf("%s: %v, asked %v", c.fact, err, f.Decisions)
		}
	}

	// Felled by the first, one leaves the second nothing to strike at.
	f := newTable(t).add(nil, make1("a", "A"), make1("b", "B"), make1("c", "B")).start(nil).declare([]int{6, 1, 1}, "a=move", "b=move", "c=move")
	f.Hurt("a", 1)
	f.Must(act("a", "move", "", "", parameters("feet", 10), facts("leaves", []string{"b", "c"})))
	f.Answer(body.DecParting+"/b", "weapon:sword", 15, 1)
	if f.WantHP("a", 0); len(f.Decisions) != 0 {
		t.Errorf("asked %v", f.Decisions)
	}
}

// basic.movement.run-limit, basic.condition.fatigued: three rounds for each point of Constitution, 27 of 9, and not one more; a charge is a round of
// running too
func TestTheLastRoundOfRunning(t *testing.T) {
	for _, c := range []struct {
		ran  int64
		tire bool
		rule string
	}{{25, false, ""}, {26, true, ""}, {27, false, cite.ConditionFatigued}} {
		for _, kind := range []string{body.KindRun, body.KindCharge} {
			f := newTable(t).add([]int32{0, 45}, make1("a", "A", wields(spear())), make1("b", "B", hp(40))).start(nil)
			f.Count("a", body.CRunning, int(c.ran))
			if c.rule != "" {
				wantRefused(t, f.peek(act("a", "declare", kind, "")), c.rule)
				continue
			}
			f.declare([]int{4, 4}, "a="+kind, "b=move")
			if kind == body.KindRun {
				f.Must(act("a", "run", "", "", to(-30)))
			} else {
				f.Must(act("a", "charge", "spear", "b"), 5)
			}
			if a := f.Creature("a"); a.Counters[body.CRunning] != c.ran+1 || body.Has(a, body.CondFatigued) != c.tire {
				t.Errorf("%s after %d: %d, %v", kind, c.ran, a.Counters[body.CRunning], a.Conditions)
			}
		}
	}
}

// basic.condition.prone: standing up takes the whole movement of the round: after a step, or with nothing left, there is none
func TestStandingUpTakesAllMovement(t *testing.T) {
	for _, c := range []struct {
		name            string
		moved, movement int
		rule            string
	}{{"all is left", 0, 30, ""}, {"a foot is", 0, 1, ""}, {"nothing is", 0, 0, cite.ConditionProne}, {"it has moved", 5, 25, cite.ConditionProne}} {
		f := newTable(t).add([]int32{0, 45}, make1("a", "A"), make1("b", "B")).start(nil).declare([]int{4, 1}, "a=attack", "b=move")
		f.Afflict("a", body.CondProne)
		f.Count("a", body.CMoved, c.moved, body.CMovement, c.movement)
		if err := f.Try(act("a", "stand", "", "")); c.rule != "" {
			wantRefused(t, err, c.rule)
		} else if a := f.Creature("a"); err != nil || body.Has(a, body.CondProne) || a.Counters[body.CMovement] != 0 {
			t.Errorf("%s: %v, %v", c.name, err, a.Conditions)
		}
	}
}

// basic.initiative.ties-simultaneous, basic.action.hold: who holds steps in while a number runs, not between; on it already, there is nothing to step
// into; and whom it waits for acts later on a number of its own
func TestWhenAHolderStepsIn(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A"), make1("b", "B"), make1("c", "B")).start(nil).declare([]int{6, 4, 2}, "a="+body.KindHold, "b=move", "c=move")
	wantRefused(t, f.Try(act("b", "step-in", "", "")), cite.ActionHold)
	f.Must(act("a", "hold", "", ""))
	f.WantActive("b")
	f.Must(act("a", "step-in", "", ""))
	f.WantActive("b", "a")
	wantRefused(t, f.Try(act("a", "step-in", "", "")), cite.ActionHold)
	wantRefused(t, f.Try(act("a", "hold-for", "", "b")), cite.ActionHoldForCreature) // of the same number
	f.Must(act("a", "hold-for", "", "c"))
	f.end("b")
	f.WantActive("a", "c")
}
