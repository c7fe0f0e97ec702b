package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
)

func TestGrapplesByTheLedger(t *testing.T) {
	t.Run("celesia.feat.improved-grapple still provokes", func(t *testing.T) {
		f := duel(t, fighter("a", "party", unarmed(), cmb(8), features(body.FeatImprovedGrapple)), fighter("b", "foes", cmd(40)))
		for n := range 3 {
			f.Count("b", body.CReactions, 1)
			f.Must(act("a", "grapple", "", "b"))
			if len(f.Decisions) != 1 || f.Decisions[0].Creature != "b" {
				t.Fatalf("attempt %d: asked %v", n+1, f.Decisions)
			}
			f.Answer(body.DecReaction, "no", 2)
		}
		if f.acts("a") != 0 {
			t.Errorf("%d acts left", f.acts("a"))
		}
	})
	t.Run("celesia.feat.improved-grapple continuing", func(t *testing.T) {
		f := holding(t, fighter("a", "party", cmb(8), unarmed(), features(body.FeatImprovedGrapple)), fighter("b", "foes", unarmed()))
		f.Must(act("a", "grapple-continued", "", ""), 15)
		f.Answer(body.DecHold, "pin")
		if f.acts("a") != 2 {
			t.Errorf("%d acts left, want 2", f.acts("a"))
		}
	})
	t.Run("celesia.maneuver.grapple-continued 1 act left", func(t *testing.T) {
		f := holding(t, fighter("a", "party", cmb(8), unarmed()), fighter("b", "foes", unarmed()))
		f.Must(act("a", "grapple-continued", "", ""), 15)
		f.Answer(body.DecHold, "pin")
		if f.acts("a") != 1 || len(f.Decisions) != 0 { // celesia.maneuver.grapple-maintain
			t.Errorf("%d acts left, want 1", f.acts("a"))
		}
	})
	t.Run("celesia.maneuver.grapple-maintain with too few acts", func(t *testing.T) {
		f := holding(t, fighter("a", "party", cmb(8), unarmed()), fighter("b", "foes", unarmed()))
		f.Afflict("a", body.CondStaggered) // 1 act
		wantRefused(t, f.Try(act("a", "grapple-continued", "", "")), cite.ActionStandardConsecutive)
		wantRefused(t, f.Try(act("a", "attack", "fist", "b")), cite.ManeuverGrappleMaintain)
		f.Must(act("a", "release-grapple", "", ""))
		f.Must(act("a", "attack", "fist", "b"), 2)
	})
	t.Run("celesia.maneuver.grapple-maintain the turn ends without it", func(t *testing.T) {
		f := holding(t, fighter("a", "party", cmb(8), unarmed()), fighter("b", "foes", unarmed()))
		f.End("a")
		if body.Has(f.Creature("b"), body.CondGrappled) {
			t.Error("held without being kept up")
		}
	})
	t.Run("celesia.maneuver.grapple-hands only to start it", func(t *testing.T) {
		f := duel(t, fighter("a", "party", cmb(8)), fighter("b", "foes", unarmed(), cmd(15)))
		f.Must(act("a", "grapple", "", "b"), 11) // 11 + 8 - 4 = 15
		f.End("a")
		f.End("b")
		f.Must(act("a", "grapple-continued", "", ""), 2) // 2 + 8 + 5 = 15
		if got := f.Roll("grapple-continued").Total; got != 15 || len(f.Decisions) != 1 {
			t.Errorf("total %d, want 15", got)
		}
	})
	t.Run("celesia.maneuver.disarm-fumble bare hands", func(t *testing.T) {
		f := duel(t, fighter("a", "party", cmb(4)), fighter("b", "foes", cmd(18)))
		for _, item := range []string{"", "fist"} {
			f.Must(act("a", "disarm", item, "b"), 4) // fails by 10: nothing to drop
			if got := f.Creature("a").Items["sword"].Place; got != body.PlaceMain {
				t.Errorf("with %q: the sword is %s", item, got)
			}
		}
	})
	t.Run("celesia.maneuver.disarm two hands do not help", func(t *testing.T) {
		f := duel(t, fighter("a", "party", cmb(9)), fighter("b", "foes", cmd(18), arms(sheathed("great", 2, false))))
		f.End("a")
		f.Must(act("b", "draw", "great", ""))
		f.Answer(body.DecReaction, "no")
		f.End("b")
		f.Must(act("a", "disarm", "", "b"), 9)
		if got := f.Creature("b").Items["great"].Place; got != body.PlaceDropped {
			t.Errorf("the greatsword is %s", got)
		}
	})
}
