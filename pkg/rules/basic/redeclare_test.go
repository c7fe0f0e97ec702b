package basic

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
)

// basic.turn.declare: a change is the game master's to allow, and then it counts.
func TestChangedDeclaration(t *testing.T) {
	f := lone(t, nil, kindDodge, make1("a", "A"), make1("b", "B"))
	wantRefused(t, f.Try(act("a", "attack", "sword", "b")), cite.TurnDeclare)
	f.Must(act("a", "redeclare", kindMelee, ""))
	if len(f.Decisions) != 1 || !f.Decisions[0].GmOnly || f.Decisions[0].DefaultOption != decideNo {
		t.Fatalf("asked %v", f.Decisions)
	}
	f.Answer(decChange, decideNo)
	wantRefused(t, f.Try(act("a", "attack", "sword", "b")), cite.TurnDeclare)
	wantRefused(t, f.Try(act("a", "redeclare", kindMelee, "", facts("allowed", false))), cite.TurnDeclare)
	f.Must(act("a", "redeclare", kindMelee, "", facts("allowed", true)))
	if has(f.State.Creatures["a"], condDodging) {
		t.Error("it dodges no more")
	}
	f.Must(act("a", "attack", "sword", "b"), 15, 3)
	wantRefused(t, f.Try(act("a", "redeclare", kindMove, "", facts("allowed", true))), cite.ActionList)
	// The dodge of another begins with its number.
	wantRefused(t, f.Try(act("b", "redeclare", kindDodge, "", facts("allowed", true))), cite.TurnResolveOnCount)
	f.end("a")
	f.Must(act("b", "redeclare", kindDodge, "", facts("allowed", true)))
	if !has(f.State.Creatures["b"], condDodging) {
		t.Error("it dodges")
	}
	wantRefused(t, f.Try(act("b", "attack", "sword", "a")), cite.TurnDeclare)
}

// basic.turn.declare: what was moved counts, and what the other declaration allows.
func TestMovementOfAChange(t *testing.T) {
	for _, c := range []struct {
		name, from, to string
		moved          int
		left           int64
		rule           string
	}{
		{"run from the start", kindMove, kindRun, 0, 60, ""},
		{"not after a walk", kindMove, kindRun, 10, 0, cite.TurnDeclare},
		{"a walk in place of a run", kindRun, kindMove, 20, 10, ""},
		{"not after running farther", kindRun, kindMove, 31, 0, cite.TurnDeclare},
		{"a walk in place of a charge", kindCharge, kindMove, 0, 30, ""},
		{"no charge after a walk", kindMove, kindCharge, 5, 0, cite.TurnDeclare},
		{"an attack after a walk", kindMove, kindMelee, 10, 20, ""},
		{"not without what it takes", kindMove, kindCast, 0, 0, cite.ActionCastSpell},
		{"nor the same again", kindMove, kindMove, 0, 0, cite.TurnDeclare},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := lone(t, nil, c.from, make1("a", "A", wields(spear())), make1("b", "B"))
			if c.moved > 0 {
				f.Must(act("a", c.from, "", "", parameters("feet", c.moved)))
			}
			err := f.Try(act("a", "redeclare", c.to, "", facts("allowed", true)))
			if c.rule != "" {
				wantRefused(t, err, c.rule)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := f.State.Creatures["a"].Counters[cMovement]; got != c.left {
				t.Errorf("%d feet left, want %d", got, c.left)
			}
			if has(f.State.Creatures["a"], condCharging) {
				t.Error("it does not charge")
			}
		})
	}
	// Whoever stood up has moved.
	f := lone(t, nil, kindMelee, make1("a", "A"), make1("b", "B"))
	f.Afflict("a", condProne)
	f.Must(act("a", "stand", "", ""))
	f.Must(act("a", "redeclare", kindMove, "", facts("allowed", true)))
	if got := f.State.Creatures["a"].Counters[cMovement]; got != 0 {
		t.Errorf("%d feet left, want 0", got)
	}
	// basic.condition.charge-ac: from the change on.
	f = lone(t, []int32{0, 45}, kindMove, make1("a", "A", wields(spear())), make1("b", "B"))
	f.Must(act("a", "redeclare", kindCharge, "", facts("allowed", true)))
	f.Must(act("a", "charge", "spear", "b"), 10, 1)
	f.WantHP("b", 8)
}

// basic.turn.declare: a table may have declarations bind for good; while everybody
// declares nothing is changed.
func TestBindingDeclaration(t *testing.T) {
	f := lone(t, nil, kindMove, make1("a", "A"), make1("b", "B"), setChange+"=never")
	wantRefused(t, f.Try(act("a", "redeclare", kindMelee, "", facts("allowed", true))), cite.TurnDeclare)
	f = newTable(t).add(nil, make1("a", "A"), make1("b", "B")).start(nil)
	f.Must(act("a", "declare", kindMove, ""))
	wantRefused(t, f.Try(act("a", "redeclare", kindMelee, "", facts("allowed", true))), cite.TurnSequence)
}
