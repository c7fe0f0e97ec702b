package basic

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/order"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// basic.turn.declare: a change is the game master's to allow, and then it counts.
func TestChangedDeclaration(t *testing.T) {
	f := lone(t, nil, body.KindDodge, make1("a", "A"), make1("b", "B"))
	wantRefused(t, f.Try(act("a", "attack", "sword", "b")), cite.TurnDeclare)
	f.Must(act("a", "redeclare", body.KindMelee, ""))
	if len(f.Decisions) != 1 || !f.Decisions[0].GmOnly || f.Decisions[0].DefaultOption != body.DecideNo {
		t.Fatalf("asked %v", f.Decisions)
	}
	f.Answer(body.DecChange, body.DecideNo)
	wantRefused(t, f.Try(act("a", "attack", "sword", "b")), cite.TurnDeclare)
	wantRefused(t, f.Try(act("a", "redeclare", body.KindMelee, "", facts("allowed", false))), cite.TurnDeclare)
	f.Must(act("a", "redeclare", body.KindMelee, "", facts("allowed", true)))
	if body.Has(f.State.Creatures["a"], body.CondDodging) {
		t.Error("it dodges no more")
	}
	f.Must(act("a", "attack", "sword", "b"), 15, 3)
	wantRefused(t, f.Try(act("a", "redeclare", body.KindMove, "", facts("allowed", true))), cite.ActionList)
	// The dodge of another begins with its number.
	wantRefused(t, f.Try(act("b", "redeclare", body.KindDodge, "", facts("allowed", true))), cite.TurnResolveOnCount)
	f.end("a")
	f.Must(act("b", "redeclare", body.KindDodge, "", facts("allowed", true)))
	if !body.Has(f.State.Creatures["b"], body.CondDodging) {
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
		{"run from the start", body.KindMove, body.KindRun, 0, 60, ""},
		{"not after a walk", body.KindMove, body.KindRun, 10, 0, cite.TurnDeclare},
		{"a walk in place of a run", body.KindRun, body.KindMove, 20, 10, ""},
		{"not after running farther", body.KindRun, body.KindMove, 31, 0, cite.TurnDeclare},
		{"a walk in place of a charge", body.KindCharge, body.KindMove, 0, 30, ""},
		{"no charge after a walk", body.KindMove, body.KindCharge, 5, 0, cite.TurnDeclare},
		{"an attack after a walk", body.KindMove, body.KindMelee, 10, 20, ""},
		{"not without what it takes", body.KindMove, body.KindCast, 0, 0, cite.ActionCastSpell},
		{"nor the same again", body.KindMove, body.KindMove, 0, 0, cite.TurnDeclare},
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
			if got := f.State.Creatures["a"].Counters[body.CMovement]; got != c.left {
				t.Errorf("%d feet left, want %d", got, c.left)
			}
			if body.Has(f.State.Creatures["a"], body.CondCharging) {
				t.Error("it does not charge")
			}
		})
	}
	// Whoever stood up has moved.
	f := lone(t, nil, body.KindMelee, make1("a", "A"), make1("b", "B"))
	f.Afflict("a", body.CondProne)
	f.Must(act("a", "stand", "", ""))
	f.Must(act("a", "redeclare", body.KindMove, "", facts("allowed", true)))
	if got := f.State.Creatures["a"].Counters[body.CMovement]; got != 0 {
		t.Errorf("%d feet left, want 0", got)
	}
	// basic.condition.charge-ac: from the change on.
	f = lone(t, []int32{0, 45}, body.KindMove, make1("a", "A", wields(spear())), make1("b", "B"))
	f.Must(act("a", "redeclare", body.KindCharge, "", facts("allowed", true)))
	f.Must(act("a", "charge", "spear", "b"), 10, 1)
	f.WantHP("b", 8)
}

// basic.turn.declare: a table may have declarations bind for good; while everybody
// declares nothing is changed.
func TestBindingDeclaration(t *testing.T) {
	f := lone(t, nil, body.KindMove, make1("a", "A"), make1("b", "B"), body.SetChange+"=never")
	wantRefused(t, f.Try(act("a", "redeclare", body.KindMelee, "", facts("allowed", true))), cite.TurnDeclare)
	f = newTable(t).add(nil, make1("a", "A"), make1("b", "B")).start(nil)
	f.Must(act("a", "declare", body.KindMove, ""))
	wantRefused(t, f.Try(act("a", "redeclare", body.KindMelee, "", facts("allowed", true))), cite.TurnSequence)
}

// What an action is called is what is declared for it; the words of builds before mean
// the same, in commands and in records.
//
// basic.turn.declare
func TestDeclaredWordsOfBuildsBefore(t *testing.T) {
	for i, old := range body.OldKinds {
		want := []string{body.KindCast, body.KindFeat, body.KindWithdraw, body.KindSmother}[i]
		if body.KindOf(old) != want || !slices.Contains(body.Declarable, want) || slices.Contains(body.Declarable, old) {
			t.Errorf("%s: %s", old, body.KindOf(old))
		}
	}
	f := newTable(t).add(nil, make1("a", "A"), make1("b", "B")).start(nil)
	f.Must(act("a", "declare", "perform-feat", ""))
	if got := order.DeclaredBy(f.Creature("a")); got != body.KindFeat {
		t.Fatal(got)
	}
	if err := f.Try(act("b", "declare", "put-out-flames", "")); err == nil || !strings.Contains(err.Error(), "does not burn") {
		t.Fatalf("refused like the new word: %v", err)
	}
	if err := f.Try(act("b", "declare", "withdrew", "")); err == nil || !strings.Contains(err.Error(), "withdraw") || strings.Contains(err.Error(), "fighting-withdrawal") {
		t.Fatalf("a word that is none is answered with the new ones: %v", err)
	}
	recorded := &eventv1.Creature{Begun: []*eventv1.Begun{{Kind: body.BDeclared, Action: &eventv1.TakeAction{Item: "cast-spell"}}}}
	if got := order.DeclaredBy(recorded); got != body.KindCast {
		t.Fatal(got)
	}
}
