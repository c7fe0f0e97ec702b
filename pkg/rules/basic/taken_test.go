package basic

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// basic.action.hold-take-item: a weapon taken is drawn and used at once, with its
// own damage; one that comes back has its old name.
func TestTakenWeaponIsUsed(t *testing.T) {
	axe := &eventv1.BasicWeapon{Name: "sword", Damage: "1d6+3", Kind: "melee"}
	f := holding(t, make1("a", "A"), make1("b", "B", hp(30), wields(axe)))
	f.Must(act("a", "hold-take-item", "sword", "b"), 15)
	wantRefused(t, f.Try(act("a", "attack", "sword of b", "b")), cite.TurnDeclare)
	f.Must(act("a", "draw", "sword of b", ""))
	f.end("a")
	wantRefused(t, f.Try(act("b", "draw", "sword", "")), cite.ConditionDisarmed)
	f.end("b")
	f.declare([]int{6, 1, 15, 5}, "a=hold", "b=grapple")
	f.Must(act("a", "attack", "sword of b", "b"), 15, 4)
	f.WantHP("b", 23) // 4 and 3
	f.Must(act("a", "let-go", "", "b"))
	f.end("a")
	// b takes it back, by its old name; the sheet has it no second time.
	f.Must(act("b", "grapple", "strength", "a"), 15, 15, 5)
	f.end("b")
	f.declare([]int{1, 6, 15, 5}, "a=move", "b=grapple")
	f.Must(act("b", "hold-take-item", "sword of b", "a"), 15)
	b := f.State.Creatures["b"]
	if b.Items["sword"].Place != "stowed" || len(b.Items) != 1 || len(body.SheetOf(b).Weapons) != 1 {
		t.Errorf("b has %v", b.Items)
	}
	f.Must(act("b", "draw", "sword", ""))
}

// What is stowed is drawn into a free hand: with both full, something goes first.
func TestTakenWeaponNeedsAHand(t *testing.T) {
	f := holding(t, make1("a", "A", wields(&eventv1.BasicWeapon{Name: "staff", Damage: "1d6", Kind: "melee", TwoHanded: true})), make1("b", "B"))
	f.Must(act("a", "hold-take-item", "sword", "b"), 15)
	wantRefused(t, f.Try(act("a", "draw", "sword", "")), cite.ConditionDisarmed)
	f.Must(act("a", "drop", "staff", ""))
	f.Must(act("a", "draw", "sword", ""))
	if p := f.State.Creatures["a"].Items["sword"].Place; p != "main" {
		t.Errorf("it is %s", p)
	}
}

// All flasks of a name go together; bolts stay with their owner.
func TestTakenFlasksAndBows(t *testing.T) {
	f := holding(t, make1("a", "A"), make1("b", "B", throws(body.Oil)))
	f.Must(act("a", "hold-take-item", "flask", "b"), 15)
	f.Must(act("a", "draw", "flask", ""))
	wantCount(t, f, "a", body.CAmmunition+"flasks", 3)
	wantCount(t, f, "b", body.CAmmunition+"flasks", 0)
	f = holding(t, make1("a", "A"), make1("b", "B", section(func(b *eventv1.BasicSheet) {
		b.Weapons = []*eventv1.BasicWeapon{{Name: "crossbow", Damage: "1d6", Kind: "crossbow", ShortFeet: 60, MediumFeet: 120, LongFeet: 180, ReloadRounds: 1, Ammunition: "bolts"}}
		b.Ammunition = map[string]int32{"bolts": 5}
	})))
	f.Must(act("a", "hold-take-item", "crossbow", "b"), 15)
	f.Must(act("a", "draw", "crossbow", ""))
	wantCount(t, f, "b", body.CAmmunition+"bolts", 5)
	f.end("a", "b")
	f.declare([]int{6, 1, 15, 5}, "a=hold", "b=move")
	wantRefused(t, f.Try(act("a", "shoot", "crossbow", "b")), cite.AttackMissileLost)
	if v := (System{}).CheckSheet(f.State.Creatures["a"].Sheet); len(v) > 0 {
		t.Errorf("the sheet is wrong now: %v", v)
	}
}

// A thing that its new owner knows nothing of is carried and cannot be used.
func TestTakenRingIsCarried(t *testing.T) {
	f := holding(t, make1("a", "A"), make1("b", "B", carrying(&eventv1.BasicItem{Name: "ring", Simple: true, Effect: &eventv1.BasicSpell{Damage: "1d6"}})))
	f.Must(act("a", "hold-take-item", "ring", "b"), 15)
	if f.State.Creatures["a"].Items["ring"].Place != "carried" || body.ItemOf(f.State.Creatures["a"], "ring") != nil {
		t.Error("it is carried, and no more is known of it")
	}
}

func wantCount(t *testing.T, f *table, id, counter string, want int64) {
	t.Helper()
	if n := f.State.Creatures[id].Counters[counter]; n != want {
		t.Errorf("%s of %s is %d, want %d", counter, id, n, want)
	}
}
