package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/mounts"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.mount.rider-square: a place on a platform is within the space of the mount, which
// has one and a place itself.
func TestPlacesOnAPlatform(t *testing.T) {
	howdah := func(platform bool) *eventv1.Sheet {
		return beast(ofSize("huge"), rcrSheet(func(x *eventv1.RcrSheet) { x.SaddleExotic, x.SaddlePlatform = true, platform }))
	}
	on := func(t *testing.T, platform, mapped bool) *table {
		f := newTable(t)
		if mapped {
			f.place(human(), -5, 0)
			f.place(howdah(platform), 0, 0)
		} else {
			f.place(human(), -5, 0)
			f.add(howdah(platform))
		}
		return f
	}
	for _, c := range []struct {
		name string
		x, y int32
		ok   bool
	}{{"a corner", 0, 0, true}, {"the other", 10, 10, true}, {"west of it", -5, 0, false}, {"south of it", 0, -5, false}, {"east of it", 15, 0, false}, {"north of it", 0, 15, false}} {
		t.Run(c.name, func(t *testing.T) {
			f := on(t, true, true)
			err := f.Try(act("a", "mount", "", "h", along(c.x, c.y)))
			if !c.ok {
				wantFault(t, err, "take.path")
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			f.wantAt("a", c.x, c.y)
		})
	}
	wantFault(t, on(t, false, true).Try(act("a", "mount", "", "h", along(0, 0))), "take.path")
	wantFault(t, on(t, true, false).Try(act("a", "mount", "", "h", along(0, 0))), "take.path")
}

// rcr.mount.mounting-cost: who gets off on the map takes a free space beside the mount, the
// one that it says or the first; one off the map says none.
func TestWhereOneGetsOff(t *testing.T) {
	f := onMap(t, human(), beast(traits(body.MountFierce)), orc(), -5, 0)
	wantRefused(t, f.Try(act("a", "dismount", "", "", along(-5, 0))), cite.MountMountingCost) // the orc's
	wantRefused(t, f.Try(act("a", "dismount", "", "", along(15, 0))), cite.MountMountingCost) // not beside it
	f.Must(act("a", "dismount", "", "", along(10, 10)), 4)
	f.wantAt("a", 10, 10)
	f = onMap(t, human(), beast(traits(body.MountFierce)), orc(), 300, 0)
	f.Must(act("a", "dismount", "", ""), 4)
	f.wantAt("a", -5, -5)
	f = rides(t, human(), beast(traits(body.MountFierce)), orc())
	wantFault(t, f.Try(act("a", "dismount", "", "", along(10, 10))), "take.path")
	f.Must(act("a", "dismount", "", ""), 4)
	t.Run("in the air one falls", func(t *testing.T) {
		f := inTheAir(t, human(), griffon(""), 10, false)
		f.Must(act("h", "move", "", "", withParameters("mode", "fly", "feet", 40)))
		f.Must(act("a", "dismount", "", ""), 3, 4) // 1d6 of the fall; the place of the mount
		f.wantRides("a", "", "")
		f.WantHP("a", 37)
		f.wantHas("a", body.CondProne, true)
	})
	t.Run("one that bucked seeks safety as it did, not anew", func(t *testing.T) {
		f := rides(t, human(), beast(), orc())
		f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "h", Vitals: &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: "bolting", Variant: "bucked", Source: "a", Cause: "pain"}}}}}})
		f.Must(act("a", "dismount", "", ""), 4)
		wantRefused(t, f.Try(act("b", "calm-mount", "", "h")), cite.InitiativeEveryRound)
		if x := body.Condition(f.Creature("h"), "bolting"); x.GetVariant() != "bucked" {
			t.Errorf("%v", x)
		}
	})
}

// rcr.mount.shield-strapped: only a shield that is there and strapped on frees its hand.
func TestWhichShieldFreesAHand(t *testing.T) {
	for _, c := range []struct {
		name     string
		shield   eventv1.RcrSheet_Shield
		strapped bool
		reason   string
	}{
		{"a shield strapped on", eventv1.RcrSheet_SHIELD_SHIELD, true, ""},
		{"a shield held", eventv1.RcrSheet_SHIELD_SHIELD, false, "NO_SHIELD"},
		{"none", eventv1.RcrSheet_SHIELD_UNSPECIFIED, false, "NO_SHIELD"},
	} {
		f := rides(t, human(rcrSheet(func(x *eventv1.RcrSheet) { x.Shield, x.ShieldStrapped = c.shield, c.strapped })), beast(), orc())
		wantReasonOf(t, c.name, f.Try(act("a", "rein-with-shield", "", "")), c.reason)
	}
}

// rcr.mount.buck-flee, rcr.mount.fierce-dismounted: whoever is on a mount that is about to
// flee may calm it, and the rider that it has just lost; nobody else.
func TestWhoCalms(t *testing.T) {
	f := newTable(t).add(human(), orc(), fighter("c", "party"), beast())
	f.Must(act("a", "mount", "", "h"))
	f.start(nil, 20, 5, 15)
	wantReasonOf(t, "it does not flee", f.Try(act("a", "calm-mount", "", "h")), "CALM")
	if o := offered(f.State, "a", "calm-mount", ""); o != nil {
		t.Errorf("offered: %v", o)
	}
	f.Must(act("a", "dismount", "", ""), 4)
	if o := offered(f.State, "a", "calm-mount", ""); !o.GetLegal() {
		t.Errorf("not offered to the rider that was")
	}
	f.End("a", 12)
	f.WantActive("c")
	wantReasonOf(t, "another", f.Try(act("c", "calm-mount", "", "h")), "NOT_RIDER")
	if o := offered(f.State, "c", "calm-mount", ""); o != nil {
		t.Errorf("offered to another: %v", o)
	}
	t.Run("a passenger", func(t *testing.T) {
		f := newTable(t).add(human(), orc(), fighter("c", "party"), beast())
		f.Must(act("a", "mount", "", "h"))
		f.Must(act("c", "mount", "", "h"))
		f.start(nil, 5, 4, 20)
		f.Must(act("b", "grant-inspiration", "", ""))
		f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "h", Vitals: &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: "bolting", Variant: "bucked", Source: "a", Cause: "pain"}}}}}})
		f.Must(act("c", "calm-mount", "", "h"), 15)
		f.wantHas("h", "bolting", false)
	})
}

// rcr.mount.overlap-no-end: a controlled mount ends no way, and its rider no turn, where it
// is in the space of another and can still leave it.
func TestEndsInAnothersSpace(t *testing.T) {
	over := func(t *testing.T, placed bool) *table {
		h := beast(ofSize("huge"), rcrSheet(func(x *eventv1.RcrSheet) { x.SaddleExotic = true }))
		if placed {
			f := onMap(t, human(), h, orc(), 20, 0)
			f.Count("b", body.CReaction, 0)
			f.Must(act("h", "move", "", "", along(10, 0)))
			return f
		}
		f := rides(t, human(), h, orc())
		f.Must(act("h", "move", "", "", feet(10, "ends_in_space_of", []string{"b"})))
		return f
	}
	for name, placed := range map[string]bool{"as stated": false, "on the map": true} {
		t.Run(name, func(t *testing.T) {
			wantReasonOf(t, "it can move on", over(t, placed).Try(endTurn("a")), "SPACE_TAKEN")
			f := over(t, placed)
			f.Count("h", body.CMovement, 5)
			wantReasonOf(t, "by 5 feet", f.Try(endTurn("a")), "SPACE_TAKEN")
			f.Count("h", body.CMovement, 4)
			wantReasonOf(t, "by 4 feet not", f.Try(endTurn("a"), 12), "")
			f = over(t, placed)
			f.Afflict("h", body.CondIncapacitated)
			wantReasonOf(t, "it can do nothing", f.Try(endTurn("a"), 12), "")
		})
	}
	t.Run("nobody's space", func(t *testing.T) {
		f := onMap(t, human(), beast(), orc(), 300, 0)
		f.Must(act("h", "move", "", "", along(10, 0)))
		wantReasonOf(t, "free", f.Try(endTurn("a"), 12), "")
	})
	t.Run("it needs the movement to leave again", func(t *testing.T) {
		for left, reason := range map[int]string{20: "", 19: "SPACE_TAKEN"} {
			f := rides(t, human(), beast(), orc())
			f.Count("h", body.CMovement, left)
			wantReasonOf(t, "stated", f.Try(act("h", "move", "", "", feet(15, "ends_in_space_of", []string{"b"}))), reason)
		}
	})
}

// rcr.mount.flight-catch, rcr.mount.flight-catch-both-falling: only one who has fallen off
// and can act is caught, by a mount that lives and is in the air, and once in a round.
func TestWhoIsCaught(t *testing.T) {
	push := act("h", "forced-move", "", "", withParameters("feet", 10))
	for _, c := range []struct {
		name   string
		change func(f *table)
		asked  bool
	}{
		{"the rider that fell", func(*table) {}, true},
		{"by a mount that can do nothing", func(f *table) {
			f.Put("h", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondAirborne, Variant: body.AirFlying}}})
		}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := inTheAir(t, human(skilled("athletics", 1)), griffon(body.SaddleNormal), 10, true)
			c.change(f)
			f.Must(push, 8, 4)
			if got := len(f.Decisions) > 0 && f.Decisions[0].Name == mounts.DecCatch; got != c.asked {
				t.Errorf("asked %v", f.Decisions)
			}
		})
	}
	t.Run("one that can do nothing seizes nothing", func(t *testing.T) {
		f := inTheAir(t, human(skilled("athletics", 1)), griffon(body.SaddleNormal), 10, true)
		f.Afflict("a", body.CondStunned)
		f.Must(push, 8, 4, 3)
		f.wantRides("a", "", "")
		f.WantHP("a", 37)
	})
	t.Run("of two who fall off one is caught, for itself", func(t *testing.T) {
		f := newTable(t, "rcr.damage.fall-compounding=on").add(human(), orc(), fighter("c", "party"), griffon(body.SaddleNormal))
		for _, id := range []string{"a", "c", "h"} {
			f.Must(&eventv1.Command{What: &eventv1.Command_Order{Order: &eventv1.SetStandingOrder{Creature: id, Decision: "fall-roll", Order: "no"}}})
		}
		f.Must(act("a", "mount", "", "h"))
		f.Must(act("c", "mount", "", "h"))
		f.start(nil, 5, 20, 4)
		f.aloft("h", body.AirFlying, 10)
		f.Must(push, 2, 3, 4)
		f.Answer(mounts.DecCatch, "no", 3)
		f.Answer(mounts.DecCatch, "no", 2)
		f.WantHP("a", 37)
		f.WantHP("c", 38)
	})
}

// rcr.mount.flight-bareback-damage: damage alone shakes whoever rides bareback in the air;
// rcr.mount.flight-saddle-damage: not in a saddle, and not on the ground.
func TestWhatShakesABarebackRider(t *testing.T) {
	hit := act("b", "attack", "sword", "a")
	f := inTheAir(t, human(), griffon(""), 10, true)
	f.Must(act("b", "attack", "sword", "a"), 2) // a miss
	f.wantRides("a", "h", body.VariantRider)
	f = rides(t, human(), griffon(""), orc())
	f.End("a", 12)
	f.Must(hit, 15, 1) // on the ground
	f.wantRides("a", "h", body.VariantRider)
	f = inTheAir(t, human(rcrSheet(func(x *eventv1.RcrSheet) { x.Immunities = []*eventv1.RcrDefense{{Type: "slashing"}} })), griffon(""), 10, true)
	f.Must(hit, 15, 1) // nothing of it is taken
	f.wantRides("a", "h", body.VariantRider)
}

// rcr.mount.eligibility: neither the dead nor those down bear anybody, nor one who rides.
func TestWhatBearsNobody(t *testing.T) {
	for name, change := range map[string]func(f *table){
		"the dead":        func(f *table) { dies(f.T.(*testing.T), f, "h") },
		"one that is out": func(f *table) { f.Hurt("h", 0) },
	} {
		f := newTable(t).add(human(), orc(), beast()).start(nil, 20, 5, 4)
		change(f)
		wantReasonOf(t, name, f.Try(act("a", "mount", "", "h")), "NO_MOUNT")
	}
	f := newTable(t).add(human(), orc(), beast()).start(nil, 5, 4, 20)
	wantReasonOf(t, "itself", f.Try(act("h", "mount", "", "h")), "NO_TARGET")
}

// rcr.mount.passenger-bigger-mount: on a huge or gargantuan mount with a platform there is
// room for all, which is said once there are two.
func TestRoomForAllIsSaid(t *testing.T) {
	for size, want := range map[string]bool{"large": false, "huge": true, "gargantuan": true} {
		h := beast(ofSize(size), rcrSheet(func(x *eventv1.RcrSheet) { x.SaddleExotic, x.SaddlePlatform = true, true }))
		f := newTable(t).add(human(), orc(), fighter("c", "party"), h)
		f.Must(act("a", "mount", "", "h"))
		if n := len(f.byNote(cite.MountPassengerBiggerMount)); n != 0 {
			t.Errorf("%s: said of one", size)
		}
		f.Must(act("c", "mount", "", "h"))
		if n := len(f.byNote(cite.MountPassengerBiggerMount)); (n > 0) != want {
			t.Errorf("%s: said %v", size, n > 0)
		}
	}
}

// rcr.mount.intelligent-consent: a mount that agrees gives the reins to the first on it,
// where nobody has them; it does not agree twice while somebody leads it or nobody is on it.
func TestAgreesOnce(t *testing.T) {
	pegasus := beast(ability("intelligence", 10), rcrSheet(func(x *eventv1.RcrSheet) { x.MountTrained = false }))
	f := newTable(t).add(human(), orc(), pegasus)
	f.Must(act("h", "accept-control", "", ""))
	wantReasonOf(t, "nobody on it", f.Try(act("h", "accept-control", "", "")), "AGREED")
	f.Must(act("a", "mount", "", "h"))
	wantReasonOf(t, "it is led", f.Try(act("h", "accept-control", "", "")), "AGREED")
	f.start(nil, 20, 5)
	f.Must(act("a", "give-up-control", "", ""), 19)
	f.wantRides("a", "h", body.VariantPassenger)
	f.End("a", 12)
	f.WantActive("h")
	f.Must(act("h", "accept-control", "", "")) // somebody is on it whom it lets lead again
	f.wantRides("a", "h", body.VariantRider)
	f = newTable(t).add(human(), orc(), beast())
	wantReasonOf(t, "a horse", f.Try(act("h", "accept-control", "", "")), "NOT_INTELLIGENT")
}

// A mount that leaves the field leaves those on it on their feet; a rider that dies is on
// it no more, and it acts for itself; one that leaves lets it go.
//
// rcr.mount.rider, rcr.mount.dismount-initiative-fresh
func TestPartedByLeaving(t *testing.T) {
	leave := func(id string) *eventv1.Command {
		return &eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: id}}}
	}
	f := rides(t, human(), beast(), orc())
	f.Must(leave("h"))
	f.wantRides("a", "", "")
	f.wantHas("a", body.CondProne, false)
	f = rides(t, human(), beast(), orc())
	f.End("a", 12)
	f.Must(leave("a"), 4)
	if body.ControllerOf(f.State, "h") != nil {
		t.Error("the mount is still led")
	}
	f = rides(t, human(mortal), beast(), orc())
	f.End("a", 12)
	f.Hurt("a", 1)
	f.Must(act("b", "attack", "sword", "a"), 15, 8, 4)
	f.wantRides("a", "", "")
}
