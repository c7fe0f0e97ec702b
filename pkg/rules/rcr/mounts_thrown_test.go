package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/mounts"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.mount.reins-dropped
func TestReinsDropped(t *testing.T) {
	// full fills both hands; the reins are let go.
	full := func(f *table) { f.Must(act("a", "draw", "shield-spike", "")) }
	armed := human(rcrSheet(func(x *eventv1.RcrSheet) {
		x.Attacks = append(x.Attacks, &eventv1.RcrAttack{Name: "shield-spike", Hand: "stowed", Bonus: 5, ReachFeet: 5, Properties: []string{"light"}, Damage: []*eventv1.RcrDamage{{Dice: "1d4", Type: "piercing"}}})
	}))
	t.Run("Dash due east, then lance and shield", func(t *testing.T) {
		f := onMap(t, armed, beast(), orc(), 300, 300)
		f.Must(act("h", "dash", "", ""))
		f.Must(act("h", "move", "", "", along(60, 0)))
		full(f)
		f.End("a", 12)
		f.End("b", 3)
		wantRefused(t, f.Try(act("h", "move", "", "", along(65, 5))), cite.MountFreeHand)
		f.End("a", 12)
		f.wantAt("h", 180, 0)
		f.wantAt("a", 180, 0)
		f.wantCount("h", body.CAction, 0)
	})
	t.Run("Dash without a map", func(t *testing.T) {
		f := rides(t, armed, beast(), orc())
		f.Must(act("h", "dash", "", ""))
		f.Must(act("h", "move", "", "", feet(60, "heading", "east")))
		full(f)
		f.End("a", 12)
		f.End("b", 3)
		f.Must(act("h", "carry-on", "", ""))
		f.wantCount("h", body.CMoved, 120)
	})
	t.Run("Dodge without movement stays", func(t *testing.T) {
		f := onMap(t, armed, beast(), orc(), 300, 300)
		f.Must(act("h", "dodge", "", ""))
		full(f)
		f.End("a", 12)
		f.wantHas("h", body.CondDodging, true)
		f.End("b", 3)
		f.wantHas("h", body.CondDodging, false)
		f.End("a", 12)
		f.wantHas("h", body.CondDodging, true)
		f.wantAt("h", 0, 0)
	})
	t.Run("until something stops it", func(t *testing.T) {
		f := onMap(t, armed, beast(), orc(), 70, 0)
		f.Must(act("h", "move", "", "", along(20, 0)))
		full(f)
		f.End("a", 12)
		f.End("b", 3)
		// The orc's space is difficult ground: 60 feet do not lead beyond it, and in
		// it the mount cannot end its turn.
		f.End("a", 12)
		f.wantAt("h", 60, 0)
	})
	t.Run("the reins again and new orders", func(t *testing.T) {
		f := onMap(t, armed, beast(), orc(), 300, 300)
		f.Must(act("h", "move", "", "", along(60, 0)))
		full(f)
		f.End("a", 12)
		f.End("b", 3)
		f.Must(act("a", "drop", "shield-spike", ""))
		wantRefused(t, f.Try(act("h", "carry-on", "", "")), cite.MountReinsDropped)
		f.Must(act("h", "move", "", "", along(60, 60)))
		f.End("a", 12)
		f.wantAt("h", 60, 60)
	})
	t.Run("no orders, nothing to go on with", func(t *testing.T) {
		f := rides(t, human(rcrSheet(func(x *eventv1.RcrSheet) { x.Attacks[0].Properties = []string{"two-handed"} })), beast(), orc())
		wantRefused(t, f.Try(act("h", "carry-on", "", "")), cite.MountReinsDropped)
		f.End("a", 12)
		f.wantCount("h", body.CMoved, 0)
	})
}

// rcr.mount.buck-on-damage, rcr.mount.buck-landing, rcr.mount.stalwart-steady,
// rcr.mount.saddle-normal, rcr.mount.bareback-disadvantage, rcr.mount.military-advantage
func TestBuckOnDamage(t *testing.T) {
	// struck has b hit h for 3, and a then face the buck.
	struck := func(t *testing.T, a, h *eventv1.Sheet, faces ...int) *table {
		f := rides(t, a, h, orc())
		f.End("a", 12)
		f.Must(act("b", "attack", "sword", "h"), append([]int{15, 1}, faces...)...)
		return f
	}
	t.Run("9 + 1 meets 10; the second hit finds no reaction", func(t *testing.T) {
		f := rides(t, human(saves("dexterity", 1)), beast(), orc(rcrSheet(func(x *eventv1.RcrSheet) { x.AttacksPerAction = 2 })))
		f.End("a", 12)
		f.Must(act("b", "attack", "sword", "h"), 15, 1, 9)
		f.wantRides("a", "h", body.VariantRider)
		f.wantCount("h", body.CReaction, 0)
		f.wantHas("h", "bolting", true)
		f.Must(act("b", "attack", "sword", "h"), 15, 1)
		f.wantRides("a", "h", body.VariantRider)
	})
	t.Run("a face less is thrown", func(t *testing.T) {
		f := struck(t, human(saves("dexterity", 1)), beast(), 8)
		f.Answer(mounts.DecLanding, "feet", 7)
		f.wantRides("a", "", "")
		f.wantHas("a", body.CondProne, false)
		f.wantCount("a", body.CReaction, 0)
	})
	t.Run("prone, when it keeps its reaction", func(t *testing.T) {
		f := struck(t, human(), beast(), 9)
		f.Answer(mounts.DecLanding, "prone", 7)
		f.wantHas("a", body.CondProne, true)
		f.wantCount("a", body.CReaction, 1)
	})
	t.Run("prone, without a reaction", func(t *testing.T) {
		f := rides(t, human(), beast(), orc())
		f.End("a", 12)
		f.Count("a", body.CReaction, 0)
		f.Must(act("b", "attack", "sword", "h"), 15, 1, 9, 7)
		f.wantHas("a", body.CondProne, true)
	})
	t.Run("bareback: 14 and 6 keep 6, 9 with +3", func(t *testing.T) {
		f := struck(t, human(saves("dexterity", 3)), beast(saddle("")), 14, 6)
		f.Answer(mounts.DecLanding, "prone", 7)
		f.wantHas("a", body.CondProne, true)
	})
	t.Run("military: 3 and 11 keep 11, 10 with -1", func(t *testing.T) {
		struck(t, human(saves("dexterity", -1)), beast(saddle(body.SaddleMilitary)), 3, 11).wantRides("a", "h", body.VariantRider)
	})
	t.Run("normal: 10 stays", func(t *testing.T) {
		struck(t, human(), beast(), 10).wantRides("a", "h", body.VariantRider)
	})
	t.Run("rcr.mount.stalwart-steady", func(t *testing.T) {
		f := struck(t, human(), beast(traits("stalwart")))
		f.wantCount("h", body.CReaction, 1)
		f.wantHas("h", "bolting", false)
	})
	t.Run("rcr.mount.passenger: passengers save too", func(t *testing.T) {
		f := newTable(t).add(human(), orc(), fighter("c", "party"), beast())
		f.Must(act("a", "mount", "", "h"))
		f.Must(act("c", "mount", "", "h"))
		f.start(nil, 5, 20, 4)
		// Two on a horse squeeze: disadvantage on the Dexterity saves.
		f.Must(act("b", "attack", "sword", "h"), 15, 1, 15, 10, 9, 15)
		f.Answer(mounts.DecLanding, "prone")
		f.wantRides("a", "h", body.VariantRider)
		f.wantRides("c", "", "")
	})
	t.Run("on a map: behind on its feet, or a space of its choice", func(t *testing.T) {
		hit := func(t *testing.T) *table {
			f := onMap(t, human(), beast(), orc(), 30, 0)
			f.Must(act("h", "move", "", "", along(20, 0))) // heading east, at (20, 0) to (30, 10)
			f.End("a", 12)
			f.Must(act("b", "attack", "sword", "h"), 15, 1, 9)
			return f
		}
		f := hit(t)
		f.Answer(mounts.DecLanding, "feet", 7)
		f.wantAt("a", 15, 0)
		f.wantHas("a", body.CondProne, false)
		f = hit(t)
		f.Answer(mounts.DecLanding, "prone")
		f.Answer(mounts.DecLandingPlace, "20,10", 7)
		f.wantAt("a", 20, 10)
		f.wantHas("a", body.CondProne, true)
	})
}

// rcr.mount.buck-on-frightened
func TestBuckOnFear(t *testing.T) {
	f := rides(t, human(saves("dexterity", 4)), beast(saddle("")), orc())
	f.Must(afflicting("h", body.CondFrightened, "b"), 12, 5)
	f.Answer(mounts.DecLanding, "prone", 7, 3) // fear weighs on its initiative
	f.wantRides("a", "", "")

	f = rides(t, human(), beast(traits("stalwart")), orc())
	f.Must(afflicting("h", body.CondFrightened, "b"))
	f.wantRides("a", "h", body.VariantRider)
	f.wantHas("h", "bolting", false)

	t.Run("once for one fear", func(t *testing.T) {
		f := rides(t, human(), beast(), orc())
		f.Must(afflicting("h", body.CondFrightened, "b"), 15)
		f.Must(act("a", "calm-mount", "", "h"), 15)
		f.Must(act("a", "grant-inspiration", "", ""))
		f.wantCount("h", body.CReaction, 0)
	})
}

// rcr.mount.buck-flee
func TestBucked(t *testing.T) {
	// bucked has h hit and its rider kept its seat; the rider's turn comes.
	bucked := func(t *testing.T, h *eventv1.Sheet) *table {
		f := rides(t, human(skilled("animal handling", 6)), h, orc())
		f.End("a", 12)
		f.Must(act("b", "attack", "sword", "h"), 15, 1, 15)
		f.End("b", 3)
		f.WantActive("a", "h")
		return f
	}
	t.Run("9 + 6 calms it", func(t *testing.T) {
		f := bucked(t, beast())
		wantRefused(t, f.Try(act("h", "move", "", "", feet(10))), cite.MountBuckFlee)
		f.Must(act("a", "calm-mount", "", "h"), 9)
		f.wantRides("a", "h", body.VariantRider)
		f.Must(act("h", "move", "", "", feet(10)))
	})
	t.Run("8 + 6 does not: the rider is carried off", func(t *testing.T) {
		f := bucked(t, beast())
		f.Must(act("a", "calm-mount", "", "h"), 8, 18)
		f.wantRides("a", "h", body.VariantPassenger)
		f.WantActive("a")
		f.End("a", 12)
		f.WantActive("h") // 18 is higher than 12: straight after
		wantRefused(t, f.Try(act("h", "attack", "hooves", "b")), cite.MountBuckFlee)
		f.Must(act("h", "dash", "", ""))
		f.Must(act("h", "move", "", "", feet(120)))
		f.End("h", 6)
		f.wantHas("h", "bolting", false)
	})
	t.Run("nobody tries: it flees all the same", func(t *testing.T) {
		f := bucked(t, beast())
		f.End("a", 18, 12) // the mount's place, then the rider's of the next round
		f.wantRides("a", "h", body.VariantPassenger)
		f.WantActive("h")
	})
	t.Run("afterwards the reins again", func(t *testing.T) {
		f := bucked(t, beast())
		f.Must(act("a", "calm-mount", "", "h"), 8, 18)
		wantRefused(t, f.Try(act("a", "take-reins", "", "")), cite.MountBuckFlee)
		f.End("a", 12)
		f.End("h", 6)
		f.End("b", 3)
		f.WantActive("a")
		f.Must(act("a", "take-reins", "", ""))
		f.WantActive("a", "h")
		f.Must(act("h", "move", "", "", feet(60)))
	})
}

// rcr.mount.fierce-dismounted
func TestDismounted(t *testing.T) {
	t.Run("13 + 2 has it stay", func(t *testing.T) {
		f := rides(t, human(skilled("animal handling", 2)), beast(), orc())
		f.Must(act("a", "dismount", "", ""), 4)
		f.wantHas("h", "bolting", true)
		f.Must(act("a", "calm-mount", "", "h"), 13)
		f.wantHas("h", "bolting", false)
	})
	t.Run("without a bonus action it moves to safety", func(t *testing.T) {
		f := rides(t, human(), beast(), orc())
		f.Count("a", body.CBonus, 0)
		f.Must(act("a", "dismount", "", ""), 4)
		wantRefused(t, f.Try(act("a", "calm-mount", "", "h")), cite.BaseFifthEditionFallback)
		f.End("a", 12)
		f.End("b", 3)
		f.WantActive("h")
		wantRefused(t, f.Try(act("h", "attack", "hooves", "b")), cite.MountFierceDismounted)
		f.Must(act("h", "move", "", "", feet(60)))
		f.End("h", 6)
		f.wantHas("h", "bolting", false)
	})
	t.Run("a fierce one fights on", func(t *testing.T) {
		f := rides(t, human(), beast(traits("fierce")), orc())
		f.Must(act("a", "dismount", "", ""), 4)
		f.End("a", 12)
		f.End("b", 3)
		f.Must(act("h", "attack", "hooves", "b"), 2)
	})
}
