package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/flight"
	"github.com/skaldrpg/skald/pkg/rules/rcr/mounts"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// asked are the names of the decisions that are open.
func asked(f *table) (names []string) {
	for _, d := range f.Decisions {
		names = append(names, d.Name+"/"+d.Creature)
	}
	return names
}

// wantAskedFor holds that one decision is open, and whose.
func wantAskedFor(t *testing.T, f *table, want string) {
	t.Helper()
	if got := asked(f); len(got) != 1 || got[0] != want {
		t.Fatalf("asked %v, want %s", got, want)
	}
}

// A rider that has come off is caught while it falls, once in a round of its fall, and by a
// mount that is in the air and can act; of a rider that has caught itself nothing is asked.
//
// rcr.mount.flight-catch, rcr.mount.flight-catch-both-falling
func TestWhenARiderIsCaught(t *testing.T) {
	push := act("h", "forced-move", "", "", withParameters("feet", 10))
	t.Run("both fall far: one try for the two of them", func(t *testing.T) {
		f := inTheAir(t, human(), griffon("", skilled("athletics", 0)), 700, false)
		f.Count("h", body.CReaction, 0)
		f.End("a", 9, 4) // the griffon does not hover, and acts for itself
		wantAskedFor(t, f, mounts.DecCatch+"/a")
		f.Answer(mounts.DecCatch, "no", 12)
		f.wantAir("a", "falling", 120)
		f.wantAir("h", "falling", 120)
	})
	t.Run("its mount has landed meanwhile", func(t *testing.T) {
		for _, landed := range []bool{true, false} {
			f := rides(t, human(skilled("athletics", 1)), griffon(body.SaddleNormal), orc(), "rcr.damage.fall-compounding=off")
			f.Must(&eventv1.Command{What: &eventv1.Command_Order{Order: &eventv1.SetStandingOrder{Creature: "a", Decision: "fall-roll", Order: "no"}}})
			f.End("a", 12)
			f.aloft("h", body.AirFlying, 590)
			f.Must(push, 8, 4)
			f.Answer(mounts.DecCatch, "no")
			f.wantAir("a", "falling", 10)
			f.Count("h", body.CReaction, 0)
			if landed {
				f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "h", RemoveConditions: []string{body.CondAirborne}}}})
			}
			f.End("b", 3)
			if !landed {
				f.Must(act("h", "move", "", "", withParameters("mode", "fly", "feet", 40)))
			}
			f.End("h", 2)
			f.WantActive("a")
			if landed {
				f.End("a", append(faces(20, 1), 12)...)
				f.wantAir("a", "", 0)
				continue
			}
			f.Must(endTurn("a"))
			wantAskedFor(t, f, mounts.DecCatch+"/h")
		}
	})
	t.Run("a saddled mount that can do nothing reaches nobody", func(t *testing.T) {
		f := inTheAir(t, human(skilled("athletics", 1)), griffon(body.SaddleNormal), 10, true)
		f.Afflict("h", body.CondIncapacitated)
		f.Must(push, 8, 4, 3)
		f.wantRides("a", "", "")
		f.WantHP("a", 37)
		f.wantAir("h", "flying", 10)
	})
	t.Run("a winged rider that has caught itself", func(t *testing.T) {
		for _, arrests := range []bool{true, false} {
			f := inTheAir(t, flyer("a", "party", 30), griffon(body.SaddleNormal), 700, true)
			f.Must(push, 8, 4)
			f.Answer(mounts.DecCatch, "no")
			if arrests {
				f.Answer(flight.DecArrest, "yes")
				f.wantAir("a", "arresting", 700)
			} else {
				f.Answer(flight.DecArrest, "no")
				f.wantAir("a", "falling", 120)
			}
			f.End("b", 3)
			f.Must(act("h", "move", "", "", withParameters("mode", "fly", "feet", 40)))
			f.End("h", 2)
			f.WantActive("a")
			f.Count("h", body.CReaction, 1)
			f.Must(afflicting("h", body.CondProne, ""))
			if arrests {
				wantAskedFor(t, f, flight.DecArrest+"/h")
				continue
			}
			wantAskedFor(t, f, mounts.DecCatch+"/a")
		}
	})
}

// rcr.mount.mounting-cost: who gets off where nobody has room beside the mount stands where
// it sat.
func TestGettingOffWithoutRoom(t *testing.T) {
	f := newTable(t)
	f.place(human(), -5, 0)
	f.place(orc(), 300, 300)
	f.place(beast(traits(body.MountFierce)), 0, 0)
	f.Must(act("a", "mount", "", "h"))
	for i, at := range [][2]int32{{-20, -5}, {10, -5}, {-5, -20}, {-5, 10}} {
		f.place(fighter("c"+string(rune('0'+i)), "party", ofSize("gargantuan")), at[0], at[1])
	}
	f.start(nil, 20, 5, 4, 4, 4, 4)
	f.Must(act("a", "dismount", "", ""), 4)
	f.wantRides("a", "", "")
	f.wantAt("a", 0, 0)
	f.wantHas("a", body.CondProne, false)
}

// rcr.mount.intelligent-consent: a mount that is led when it comes to agree is led by the one
// who leads it.
func TestAgreesWhileItIsLed(t *testing.T) {
	f := newTable(t).add(human(), orc(), fighter("c", "party"), beast())
	f.Must(act("c", "mount", "", "h"))
	f.Must(act("a", "mount", "", "h"))
	f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "h", Sheet: beast(ability("intelligence", 10))}}})
	f.Must(act("h", "accept-control", "", ""))
	f.wantRides("a", "h", body.VariantPassenger)
	f.wantRides("c", "h", body.VariantRider)
}

// rcr.mount.passenger: a passenger has no say over a mount that acts for itself; of one that
// another leads it is told that this is not its turn.
func TestPassengersOrders(t *testing.T) {
	for led, reason := range map[bool]string{true: "NOT_YOUR_TURN", false: "PASSENGER"} {
		f := newTable(t).add(human(), orc(), fighter("c", "party"), beast())
		if led {
			f.Must(act("a", "mount", "", "h"))
		}
		f.Must(act("c", "mount", "", "h", withParameters("as", "passenger")))
		faces := []int{5, 4, 20, 3}
		if led {
			faces = faces[:3]
		}
		f.start(nil, faces...)
		f.WantActive("c")
		wantReasonOf(t, "ordered by a passenger", f.Try(act("h", "dash", "", "")), reason)
	}
}

// rcr.mount.reins-dropped: on a way of a foot that was climbed, it climbs on all the way.
func TestOnAfterOneFoot(t *testing.T) {
	arms := rcrSheet(func(x *eventv1.RcrSheet) {
		x.Attacks = append(x.Attacks, &eventv1.RcrAttack{Name: "spike", Hand: "stowed", Bonus: 5, ReachFeet: 5, Properties: []string{"light"}, Damage: []*eventv1.RcrDamage{{Dice: "1d4", Type: "piercing"}}})
	})
	dropped := func(t *testing.T) *table {
		f := inTheAir(t, human(arms), griffon(body.SaddleNormal, skilled("athletics", 20)), 100, false)
		f.Must(act("h", "move", "", "", withParameters("mode", "fly", "feet", 1, "climb", 1)))
		f.Must(act("a", "draw", "spike", ""))
		f.End("a", 12, 12)
		f.End("b", 3)
		f.WantActive("a", "h")
		return f
	}
	f := dropped(t)
	f.Must(act("h", "carry-on", "", ""))
	f.wantAir("h", "flying", 141)
	t.Run("one that can do nothing does not go on", func(t *testing.T) {
		for _, able := range []bool{true, false} {
			f := dropped(t)
			faces := []int{12}
			if !able {
				f.Afflict("h", body.CondIncapacitated)
				faces = []int{12, 12} // and hovers
			}
			f.End("a", faces...)
			if got := f.Creature("h").Counters[body.CAltitude]; (got == 141) != able {
				t.Errorf("able %v: at %d feet", able, got)
			}
		}
	})
}

// rcr.mount.rider-prone-save: who is put on the ground by the game master's word is off its
// mount, and lies there once.
func TestARiderThatLies(t *testing.T) {
	f := rides(t, human(), beast(), orc())
	f.Must(afflicting("a", body.CondProne, ""), 4)
	f.wantRides("a", "", "")
	n := 0
	for _, x := range f.Creature("a").Conditions {
		if x.Name == body.CondProne {
			n++
		}
	}
	if n != 1 {
		t.Errorf("it lies %d times", n)
	}
}

// rcr.mount.mount-prone: whose mount is dead lands beside it, not on it.
func TestOffADeadMount(t *testing.T) {
	f := onMap(t, human(), beast(), orc(), 300, 300)
	f.End("a", 12)
	dies(t, f, "h")
	f.Must(act("b", "interact", "", ""))
	f.Answer(mounts.DecLanding, "feet")
	wantAskedFor(t, f, mounts.DecLandingPlace+"/a")
	if got := f.Decisions[0].Options; len(got) != 12 {
		t.Errorf("%d places", len(got))
	}
	f.Answer(mounts.DecLandingPlace, "10,10")
	f.wantAt("a", 10, 10)
}

// Who is elsewhere at once is off its mount, which acts for itself.
//
// rcr.mount.rider, rcr.mount.dismount-initiative-fresh
func TestARiderThatIsElsewhere(t *testing.T) {
	f := onMap(t, human(stepper), beast(), orc(), 300, 300)
	f.Must(act("a", "cast", "misty step", "", along(-30, 0)), 4)
	f.wantAt("a", -30, 0)
	f.wantRides("a", "", "")
	f.wantHas("a", body.CondProne, false)
	if body.ControllerOf(f.State, "h") != nil {
		t.Error("the mount is led")
	}
	f.wantCited(cite.MountRider)
}

// rcr.mount.shared-initiative, rcr.surprise.one-action: in the round of an ambush a mount acts
// in its rider's turn as in any; one that is let go there rolls with all others when it is over.
func TestMountsInAnAmbush(t *testing.T) {
	f := newTable(t).add(human(), orc(), beast())
	f.Must(act("a", "mount", "", "h"))
	f.start([]string{"b"}, 20)
	f.WantActive("a", "h")
	f.Must(act("a", "give-up-control", "", ""))
	f.wantRides("a", "h", body.VariantPassenger)
	f.End("a", 12, 5, 4)
	if f.State.Round != 1 {
		t.Errorf("round %d", f.State.Round)
	}
}

// rcr.mount.buck-flee, rcr.mount.brave-approach: the dead are no danger, and what stands
// nowhere is none that a way on the map leads to.
func TestWhatIsNoDanger(t *testing.T) {
	loose := func(t *testing.T, bolts bool, mark bool) *table {
		f := newTable(t)
		f.place(human(), -5, 0)
		f.place(orc(), 60, 0)
		f.place(beast(traits(body.MountFierce)), 0, 0)
		f.add(fighter("n", "monsters"))
		f.Must(act("a", "mount", "", "h"))
		f.start(nil, 20, 5, 4)
		if mark {
			f.Must(act("b", "perceived-danger", "", ""))
		}
		if bolts {
			f.Must(act("a", "dismount", "", "", along(0, -5)), 19)
			f.Afflict("h", "bolting=riderless")
			f.End("a", 12)
			f.WantActive("h")
		}
		return f
	}
	toward := act("h", "move", "", "", along(10, 0))
	for _, bolts := range []bool{true, false} {
		reason := map[bool]string{true: "BOLTING", false: "NOT_BRAVE"}[bolts]
		f := loose(t, bolts, true)
		wantReasonOf(t, "a danger", f.Try(toward), reason)
		f = loose(t, bolts, true)
		dies(t, f, "b")
		wantReasonOf(t, "the dead", f.Try(toward), "")
		f = loose(t, bolts, false)
		f.Must(act("n", "perceived-danger", "", ""))
		if bolts {
			f.Afflict("b", body.CondHidden)
		}
		wantReasonOf(t, "one that stands nowhere", f.Try(toward), "")
	}
}
