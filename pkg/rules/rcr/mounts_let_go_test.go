package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/mounts"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.mount.dismount-initiative-fresh, rcr.mount.dismount-initiative-spent
func TestDismountInitiative(t *testing.T) {
	bonus := ability("dexterity", 12) // +1
	// Initiative 13 of the rider: 13 and Dexterity 10.
	set := func(t *testing.T) *table {
		f := newTable(t).add(human(), orc(), beast(bonus, traits("fierce")))
		f.Must(act("a", "mount", "", "h"))
		return f.start(nil, 13, 9)
	}
	t.Run("16: straight after the rider's turn", func(t *testing.T) {
		f := set(t)
		f.Must(act("a", "dismount", "", ""), 15)
		f.WantActive("a")
		f.End("a", 12)
		f.WantActive("h")
		f.End("h", 12)
		f.WantActive("b")
	})
	t.Run("5: in its place", func(t *testing.T) {
		f := set(t)
		f.Must(act("a", "dismount", "", ""), 4)
		f.End("a", 12)
		f.WantActive("b")
		f.End("b", 2)
		f.WantActive("h")
	})
	t.Run("13: a tie waits and comes straight after", func(t *testing.T) {
		f := set(t)
		f.Must(act("a", "dismount", "", ""), 12)
		f.End("a", 12)
		f.WantActive("h")
	})
	t.Run("20 after 20 feet: no turn this round, 20 in the next", func(t *testing.T) {
		f := set(t)
		f.Must(act("h", "move", "", "", feet(20)))
		f.Must(act("a", "dismount", "", ""), 19)
		f.End("a", 12)
		f.WantActive("b")
		if i := answers.InitiativeOf(f.Creature("h"), 2); i.GetTotal() != 20 {
			t.Fatalf("%v", f.Creature("h").Initiative)
		}
		f.End("b", 2)
		f.WantActive("h")
		if f.State.Round != 2 {
			t.Fatalf("round %d", f.State.Round)
		}
	})
	t.Run("after an action alone too", func(t *testing.T) {
		f := set(t)
		f.Must(act("h", "dodge", "", ""))
		f.Must(act("a", "dismount", "", ""), 19)
		f.End("a", 12)
		f.WantActive("b")
		f.End("b", 2)
		f.WantActive("h")
	})
	t.Run("thrown: in the same way", func(t *testing.T) {
		f := newTable(t).add(human(), orc(), beast(bonus))
		f.Must(act("a", "mount", "", "h"))
		f.start(nil, 13, 15)
		f.WantActive("b")
		f.Must(act("b", "attack", "sword", "h"), 15, 1, 9)
		f.Answer(mounts.DecLanding, "prone", 19)
		f.End("b", 2)
		f.WantActive("h") // 20 of this round, in which its rider had not had its turn
	})
}

// rcr.mount.rider-becomes-passenger, rcr.mount.intelligent-consent,
// rcr.mount.intelligent-withdraw, rcr.mount.intelligent-untrained
func TestIntelligentMount(t *testing.T) {
	pegasus := func() *eventv1.Sheet {
		return beast(ability("intelligence", 10), ability("dexterity", 12), rcrSheet(func(x *eventv1.RcrSheet) { x.MountTrained = false }))
	}
	t.Run("rcr.mount.rider-becomes-passenger: free to act", func(t *testing.T) {
		f := rides(t, human(), beast(), orc())
		f.Must(act("a", "give-up-control", "", ""), 2)
		f.wantRides("a", "h", body.VariantPassenger)
		f.End("a", 12)
		f.WantActive("b")
		f.End("b", 1)
		f.WantActive("h")
	})
	// on has a ride h as a passenger: h 17, b 11, a 9.
	on := func(t *testing.T) *table {
		f := newTable(t).add(human(), orc(), pegasus())
		f.Must(act("a", "mount", "", "h"))
		f.start(nil, 9, 11, 16)
		f.WantActive("h")
		return f
	}
	t.Run("agrees unused: acts in the rider's turn of the round", func(t *testing.T) {
		f := on(t)
		f.Must(act("h", "accept-control", "", ""))
		f.End("h")
		f.WantActive("b")
		f.End("b", 3)
		f.WantActive("a", "h")
		f.Must(act("h", "move", "", "", feet(60)))
		f.End("a", 9)
		f.WantActive("a", "h")
	})
	t.Run("agrees after 20 feet: nothing more in this round", func(t *testing.T) {
		f := on(t)
		f.Must(act("h", "move", "", "", feet(20)))
		f.Must(act("h", "accept-control", "", ""))
		f.End("h")
		f.End("b", 3)
		f.WantActive("a")
		f.wantRides("a", "h", body.VariantRider)
		f.End("a", 9)
		f.WantActive("a", "h")
	})
	t.Run("agrees before the fight: no place of its own", func(t *testing.T) {
		f := newTable(t).add(human(), orc(), pegasus())
		f.Must(act("a", "mount", "", "h"))
		f.Must(act("h", "accept-control", "", ""))
		f.start(nil, 9, 5)
		f.WantActive("a", "h")
	})
	// led has a control h: a 12, b 10.
	led := func(t *testing.T) *table {
		f := newTable(t).add(human(), orc(), pegasus())
		f.Must(act("h", "accept-control", "", ""))
		f.Must(act("a", "mount", "", "h"))
		return f.start(nil, 12, 10)
	}
	t.Run("rcr.mount.intelligent-withdraw: 15 is next", func(t *testing.T) {
		f := led(t)
		f.Must(act("h", "refuse-control", "", ""), 14)
		f.WantActive("a")
		f.wantRides("a", "h", body.VariantPassenger)
		f.End("a", 9)
		f.WantActive("h")
		wantRefused(t, f.Try(act("h", "refuse-control", "", "")), cite.MountIntelligentWithdraw)
	})
	t.Run("rcr.mount.intelligent-withdraw: 7 waits", func(t *testing.T) {
		f := led(t)
		f.Must(act("h", "refuse-control", "", ""), 6)
		f.End("a", 9)
		f.WantActive("b")
		f.End("b", 3)
		f.WantActive("h")
	})
	t.Run("rcr.mount.intelligent-withdraw: after a move not before the next round", func(t *testing.T) {
		f := led(t)
		f.Must(act("h", "move", "", "", feet(5)))
		f.Must(act("h", "refuse-control", "", ""), 14)
		f.End("a", 9)
		f.WantActive("b")
		f.End("b", 3)
		f.WantActive("h")
		if f.State.Round != 2 {
			t.Fatal("in the first round")
		}
	})
	t.Run("no reins without its consent", func(t *testing.T) {
		f := newTable(t).add(human(), orc(), pegasus())
		f.Must(act("a", "mount", "", "h"))
		f.start(nil, 20, 5, 4)
		wantRefused(t, f.Try(act("a", "take-reins", "", "")), cite.MountIntelligentConsent)
	})
}

// rcr.mount.no-provoke-rider, rcr.mount.provoke-target-choice
func TestMountedProvoking(t *testing.T) {
	caster := rcrSheet(func(x *eventv1.RcrSheet) {
		x.Spells = []*eventv1.RcrSpell{{Name: "spark", CastingTime: "action", Verbal: true}}
		x.Items = []*eventv1.RcrItem{{Name: "wand", Charges: 3, Activation: "action", Rarity: "common"}}
	})
	t.Run("casting", func(t *testing.T) {
		f := onMap(t, human(caster), beast(), orc(), 10, 0)
		f.Must(act("a", "interact", "", ""))
		f.wantAsked()
	})
	t.Run("the setting: deeds provoke as on foot", func(t *testing.T) {
		f := onMap(t, human(caster), beast(), orc(), 10, 0, body.SetMountedProvoke+"=deeds")
		f.Must(act("a", "interact", "", ""))
		f.wantAsked("b")
	})
	away := func(t *testing.T, a, h, b *eventv1.Sheet) *table {
		f := onMap(t, a, h, b, 15, 0)
		f.Must(act("h", "move", "", "", along(5, 0, 0, 0))) // into the orc's reach and out again
		return f
	}
	armoured := rcrSheet(func(x *eventv1.RcrSheet) { x.ArmorClass = 18 })
	t.Run("the orc chooses the horse: 12 hits 10, and it bucks", func(t *testing.T) {
		f := away(t, human(armoured), beast(), orc())
		f.Answer(body.DecOpportunity, "sword")
		f.Answer("opportunity-target", "h", 7, 1, 15)
		f.WantHP("h", 36)
		f.wantHas("h", "bolting", true)
	})
	t.Run("the orc chooses the rider: 12 misses 18", func(t *testing.T) {
		f := away(t, human(armoured), beast(), orc())
		f.Answer(body.DecOpportunity, "sword")
		f.Answer("opportunity-target", "a", 7)
		f.WantHP("a", 40)
		f.WantHP("h", 40)
		f.wantAt("h", 0, 0)
	})
	t.Run("without positions", func(t *testing.T) {
		f := rides(t, human(armoured), beast(), orc())
		f.Must(act("h", "move", "", "", feet(10, "enters_reach_of", []string{"b"}, "leaves_reach_of", []string{"b"})))
		f.Answer(body.DecOpportunity, "sword")
		f.Answer("opportunity-target", "a", 7)
		f.WantHP("a", 40)
	})
	t.Run("no rider in reach, no choice", func(t *testing.T) {
		f := onMap(t, human(), beast(func(s *eventv1.Sheet) { s.Size = "huge"; s.GetRcr().SaddleExotic = true }), orc(), 20, 0)
		f.Must(act("h", "move", "", "", along(5, 0, 0, 0)))
		f.Answer(body.DecOpportunity, "sword", 4)
		f.wantAsked()
	})
	t.Run("Disengage covers it", func(t *testing.T) {
		f := onMap(t, human(), beast(), orc(), 15, 0)
		f.Must(act("h", "disengage", "", ""))
		f.Must(act("h", "move", "", "", along(5, 0, 0, 0)))
		f.wantAsked()
	})
	t.Run("a thrown rider ends the way", func(t *testing.T) {
		f := away(t, human(), beast(), orc())
		f.Answer(body.DecOpportunity, "sword")
		f.Answer("opportunity-target", "h", 7, 1, 5)
		f.Answer(mounts.DecLanding, "prone")
		f.Choose("0,-5", 4)
		f.wantAt("h", 5, 0)
		f.wantAt("a", 0, -5)
	})
}

// rcr.mount.forced-move-save, rcr.mount.rider-prone-save, rcr.mount.mount-prone,
// rcr.mount.dash-slow-save
func TestThrown(t *testing.T) {
	pushed := func(t *testing.T, faces ...int) *table {
		f := rides(t, human(saves("dexterity", 2)), beast(), orc())
		f.Must(act("h", "forced-move", "", "", withParameters("feet", 10)), faces...)
		return f
	}
	t.Run("rcr.mount.forced-move-save: 8 + 2 stays", func(t *testing.T) {
		pushed(t, 8).wantRides("a", "h", body.VariantRider)
	})
	t.Run("rcr.mount.forced-move-save: 7 + 2 is prone beside the horse", func(t *testing.T) {
		f := pushed(t, 7, 4)
		f.wantRides("a", "", "")
		f.wantHas("a", body.CondProne, true)
		f.wantCount("a", body.CReaction, 1)
	})
	t.Run("rcr.mount.forced-move-save: a shove", func(t *testing.T) {
		f := onMap(t, human(), beast(), orc(ofSize("large")), 10, 0)
		f.End("a", 12)
		f.Must(act("b", "shove", "", "h", withParameters("effect", "push")), 15, 5, 10)
		f.wantRides("a", "h", body.VariantRider)
		f.wantAt("h", -5, 0)
		f.wantAt("a", -5, 0)
	})
	t.Run("rcr.mount.rider-prone-save: military, 4 and 9 with +1 stay", func(t *testing.T) {
		f := rides(t, human(saves("dexterity", 1)), beast(saddle(body.SaddleMilitary)), orc())
		f.End("a", 12)
		f.Must(act("b", "shove", "", "a", withParameters("effect", "prone")), 15, 5, 4, 9)
		f.wantRides("a", "h", body.VariantRider)
		f.wantHas("a", body.CondProne, false)
	})
	t.Run("rcr.mount.rider-prone-save: fails", func(t *testing.T) {
		f := rides(t, human(), beast(), orc())
		f.End("a", 12)
		f.Must(act("b", "shove", "", "a", withParameters("effect", "prone")), 15, 5, 9, 4)
		f.wantRides("a", "", "")
		f.wantHas("a", body.CondProne, true)
	})
	t.Run("rcr.mount.rider-prone-save: the unconscious fail without a roll", func(t *testing.T) {
		f := rides(t, human(), beast(), orc())
		f.End("a", 12)
		f.Hurt("a", 1)
		f.Must(act("b", "attack", "sword", "a"), 15, 1, 4)
		f.wantRides("a", "", "")
		f.wantHas("a", body.CondProne, true)
	})
	tripped := func(t *testing.T, reaction int, faces ...int) *table {
		f := rides(t, human(), beast(), orc(ofSize("large")))
		f.End("a", 12)
		f.Count("a", body.CReaction, reaction)
		f.Must(act("b", "shove", "", "h", withParameters("effect", "prone")), append([]int{15, 5}, faces...)...)
		return f
	}
	t.Run("rcr.mount.mount-prone: by its reaction on its feet", func(t *testing.T) {
		f := tripped(t, 1)
		f.Answer(mounts.DecLanding, "feet", 4)
		f.wantRides("a", "", "")
		f.wantHas("a", body.CondProne, false)
		f.wantCount("a", body.CReaction, 0)
	})
	t.Run("rcr.mount.mount-prone: without one prone", func(t *testing.T) {
		f := tripped(t, 0, 4)
		f.wantRides("a", "", "")
		f.wantHas("a", body.CondProne, true)
	})
	t.Run("rcr.mount.mount-prone: a mount that dies goes down too", func(t *testing.T) {
		f := rides(t, human(), beast(allTraits, rcrSheet(func(x *eventv1.RcrSheet) { no := false; x.WoundsEnabled = &no })), orc())
		f.End("a", 12)
		f.Hurt("h", 1)
		f.Count("a", body.CReaction, 0)
		f.State.Creatures["h"].Controllers = nil
		f.Must(act("b", "attack", "sword", "h"), 15, 8)
		f.wantRides("a", "", "")
		f.wantHas("a", body.CondProne, true)
	})
	t.Run("rcr.mount.dash-slow-save: 60 to 55 after a Dash", func(t *testing.T) {
		f := rides(t, human(), beast(), orc())
		f.Must(act("h", "dash", "", ""))
		f.End("a", 12)
		f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "h", Vitals: &eventv1.Vitals{Counters: map[string]int64{body.CExhaustion: 2}}}}}, 9, 4)
		f.wantRides("a", "", "")
		f.wantHas("a", body.CondProne, true)
	})
	t.Run("rcr.mount.dash-slow-save: no Dash, no save", func(t *testing.T) {
		f := rides(t, human(), beast(), orc(ofSize("large")))
		f.End("a", 12)
		f.Must(act("b", "grapple", "", "h"), 15, 5)
		f.wantRides("a", "h", body.VariantRider)
	})
	t.Run("rcr.mount.dash-slow-save: grappled after a Dash; over with its next turn", func(t *testing.T) {
		f := rides(t, human(), beast(), orc(ofSize("large")))
		f.Must(act("h", "dash", "", ""))
		f.End("a", 12)
		f.Must(act("b", "grapple", "", "h"), 15, 5, 10)
		f.wantRides("a", "h", body.VariantRider)
		f.Must(act("b", "release", "", "h"))
		f.End("b", 3)
		f.End("a", 12)
		f.Must(act("b", "grapple", "", "h"), 15, 5)
		f.wantRides("a", "h", body.VariantRider)
	})
}
