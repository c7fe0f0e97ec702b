package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Limits and ends that the cases of the ledger come near to.
func TestLimitsByTheLedger(t *testing.T) {
	t.Run("celesia.movement.charge exactly twice the speed", func(t *testing.T) {
		f := crowd(t, [][2]int32{{0, 0}, {65, 0}}, fighter("a", "party"), fighter("b", "foes"))
		f.Must(act("a", "charge", "sword", "b"))
		f.wantAt("a", 60, 0)
	})
	t.Run("celesia.movement.charge not from the ground", func(t *testing.T) {
		f := crowd(t, [][2]int32{{0, 0}, {40, 0}}, fighter("a", "party"), fighter("b", "foes"))
		f.Afflict("a", body.CondProne)
		wantRefused(t, f.Try(act("a", "charge", "sword", "b")), cite.MovementStandUp)
	})
	t.Run("celesia.action.total-defense does not add to itself", func(t *testing.T) {
		f := duel(t, fighter("a", "party", attacks(6), defends(16)), fighter("b", "foes"))
		f.Afflict("a", body.CondHasted)
		f.Must(act("a", "total-defense", "", ""))
		f.Must(act("a", "total-defense", "", ""))
		if got := strike.Defense(f.Creature("a"), false).Value; got != 24 {
			t.Errorf("DV %d, want 24", got)
		}
	})
	t.Run("celesia.action.aid-another against the opponent named alone", func(t *testing.T) {
		f := crowd(t, [][2]int32{{0, 0}, {10, 0}, {5, 0}, {10, 5}}, fighter("a", "party"), fighter("b", "party"), fighter("c", "foes"), fighter("d", "foes"))
		f.Must(act("a", "aid-another", "sword", "c", withParameters("friend", "b")), 6) // 11: +1
		f.Answer(strike.DecAid, "attack")
		f.End("a")
		f.Must(act("b", "attack", "sword", "d"), 2)
		if got := f.Roll("to-hit").Total; got != 7 {
			t.Errorf("total %d against another, want 7", got)
		}
		f.Must(act("b", "attack", "sword", "c"), 2)
		if got := f.Roll("to-hit").Total; got != 8 {
			t.Errorf("total %d against the one named, want 8", got)
		}
	})
	t.Run("celesia.spell.redirect not to where it works already", func(t *testing.T) {
		f := crowd(t, [][2]int32{{0, 0}, {20, 0}, {30, 0}}, fighter("a", "party", spell(&eventv1.CelesiaSpell{Name: "s", Casting: "swift", Condition: "entangled", RangeFeet: 60, Redirectable: true})), fighter("b", "foes"), fighter("c", "foes"))
		f.Must(act("a", "cast", "s", "b"))
		wantRefused(t, f.Try(act("a", "redirect", "s", "b")), cite.SpellRedirect)
		f.Must(act("a", "redirect", "s", "c"))
	})
	t.Run("celesia.action.ready any act, asked once", func(t *testing.T) {
		f := crowd(t, [][2]int32{{0, 0}, {30, 0}}, fighter("a", "party"), fighter("b", "foes"))
		f.Must(act("a", "ready", "", "", withParameters("action", "drop-prone", "trigger", "any")))
		f.Must(act("b", "move", "", "", way(5, 0)))
		f.Answer(body.DecReaction, "no")
		if len(f.Decisions) != 0 {
			t.Errorf("asked again as it comes near: %v", f.Decisions)
		}
		f.wantAt("b", 5, 0)
	})
	t.Run("celesia.maneuver.grapple a holder who is paralysed lets go", func(t *testing.T) {
		hold := spell(&eventv1.CelesiaSpell{Name: "s", Casting: "standard", Condition: body.CondParalyzed, RangeFeet: 60})
		f := crowd(t, [][2]int32{{0, 0}, {5, 0}, {30, 0}}, fighter("a", "party", unarmed(), cmb(8)), fighter("b", "foes", unarmed()), fighter("c", "foes", hold))
		f.Must(act("a", "grapple", "", "b"), 20)
		f.End("a")
		f.End("b")
		f.Must(act("c", "cast", "s", "a"))
		if body.Has(f.Creature("b"), body.CondGrappled) || body.Has(f.Creature("a"), body.CondGrappled) {
			t.Error("held by one who cannot act")
		}
	})
}
