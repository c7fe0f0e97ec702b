package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/mounts"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.mount.brave-approach: no step of a way may lead nearer to a danger, wherever the way
// ends; away from it and beside it the mount goes.
func TestPastADanger(t *testing.T) {
	for _, c := range []struct {
		name   string
		danger *eventv1.Position
		path   []int32
		goes   bool
	}{
		{"straight past it, to where it is farther than before", spot(30, 15, 0), []int32{60, 0}, false},
		{"the same way in two legs", spot(30, 15, 0), []int32{30, 0, 60, 0}, false},
		{"a step nearer", spot(30, 0, 0), []int32{5, 0}, false},
		{"away", spot(30, 0, 0), []int32{-20, 0}, true},
		{"sideways, as far as before", spot(60, 0, 0), []int32{0, 20}, true},
		{"away and back again", spot(60, 0, 0), []int32{-10, 0, -5, 0}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := onMap(t, human(skilled("animal handling", 5)), beast(), orc(), c.danger.X, c.danger.Y)
			f.Must(act("b", "perceived-danger", "", ""))
			cmd := act("h", "move", "", "", along(c.path...))
			if c.goes {
				f.Must(cmd)
				return
			}
			wantRefused(t, f.Try(cmd), cite.MountBraveApproach)
			f.wantAt("h", 0, 0)
			f.Must(act("a", "urge-mount", "", ""), 10) // 10 + 5
			wantRefused(t, f.Try(act("a", "urge-mount", "", "")), cite.MountBraveApproach)
			f.Must(cmd)
		})
	}
	t.Run("the dead are no danger", func(t *testing.T) {
		f := onMap(t, human(), beast(), orc(mortal), 30, 0)
		f.Must(act("b", "perceived-danger", "", ""))
		f.Hurt("b", 1)
		f.Must(act("a", "attack", "bow", "b"), 15, 6)
		if !body.Dead(f.Creature("b")) {
			t.Fatal("b lives")
		}
		f.Must(act("h", "move", "", "", along(5, 0)))
	})
	t.Run("what is stated counts before what is seen", func(t *testing.T) {
		f := onMap(t, human(), beast(), orc(), 60, 0)
		f.Must(act("b", "perceived-danger", "", ""))
		f.Must(act("h", "move", "", "", along(5, 0), withFacts("toward_danger", false)))
		wantRefused(t, f.Try(act("h", "move", "", "", along(0, 0), withFacts("toward_danger", true))), cite.MountBraveApproach)
	})
}

// What somebody on a mount, or a mount, is refused: by which rule.
func TestRidersAreRefused(t *testing.T) {
	free := func(t *testing.T) *table { return newTable(t).add(human(), orc(), beast()).start(nil, 20, 5, 1) }
	ridden := func(change ...func(*eventv1.Sheet)) func(t *testing.T) *table {
		return func(t *testing.T) *table { return rides(t, human(), beast(change...), orc()) }
	}
	wise := func(t *testing.T) *table {
		f := newTable(t).add(human(), orc(), beast(ability("intelligence", 6)))
		f.Must(act("h", "accept-control", "", ""))
		f.Must(act("a", "mount", "", "h"))
		return f.start(nil, 20, 5)
	}
	for _, c := range []struct {
		name  string
		begin func(t *testing.T) *table
		cmd   *eventv1.Command
		rule  string
	}{
		{"to get off on foot", free, act("a", "dismount", "", ""), cite.MountMountingCost},
		{"to get on again", ridden(), act("a", "mount", "", "h"), cite.MountRider},
		{"to ride what rides", ridden(), act("h", "mount", "", "a"), cite.MountRider},
		{"the reins on foot", free, act("a", "take-reins", "", ""), cite.MountRider},
		{"the reins that it has", ridden(), act("a", "take-reins", "", ""), cite.MountRider},
		{"the shield hand on foot", free, act("a", "rein-with-shield", "", ""), cite.MountShieldStrapped},
		{"control that it has not", free, act("a", "give-up-control", "", ""), cite.MountRiderBecomesPassenger},
		{"to urge on foot", free, act("a", "urge-mount", "", ""), cite.MountBraveApproach},
		{"to urge a brave one", ridden(traits(body.MountBrave)), act("a", "urge-mount", "", ""), cite.MountBraveApproach},
		{"to calm one that is calm", ridden(), act("a", "calm-mount", "", "h"), cite.MountBuckFlee},
		{"a dull one agrees to nothing", ridden(), act("h", "accept-control", "", ""), cite.MountIntelligentConsent},
		{"a dull one withdraws from nothing", ridden(), act("h", "refuse-control", "", ""), cite.MountIntelligentWithdraw},
		{"who has agreed agrees no more", wise, act("h", "accept-control", "", ""), cite.MountIntelligentConsent},
		{"to go on with the reins held", ridden(), act("h", "carry-on", "", ""), cite.MountReinsDropped},
		{"to walk from the saddle", ridden(), act("a", "move", "", "", feet(5)), cite.MountRiderSquare},
		{"to tumble from the saddle", ridden(), act("a", "tumble", "", "b"), cite.MountRiderSquare},
		{"an overrun by one not brave", ridden(), act("h", "overrun", "", "b"), cite.MountBraveOverrun},
		{"help by one not stalwart", ridden(traits(body.MountBrave, body.MountFierce)), act("h", "help", "", "a"), cite.MountStalwartHelp},
		{"an attack by one not fierce", ridden(traits(body.MountBrave, body.MountStalwart)), act("h", "attack", "hooves", "b"), cite.MountFierceAttack},
		{"to hide", ridden(allTraits), act("h", "hide", "", ""), cite.MountActionMenu},
		{"to end its part", ridden(), &eventv1.Command{What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{Creature: "h"}}}, cite.MountSharedInitiative},
		{"training in a fight", free, act("a", "train-mount", "", "h"), cite.MountTrainingDaily},
	} {
		t.Run(c.name, func(t *testing.T) { wantRefused(t, c.begin(t).Try(c.cmd), c.rule) })
	}
	t.Run("rcr.mount.action-menu: one action, of whatever kind", func(t *testing.T) {
		for _, first := range []string{"dash", "dodge", "disengage"} {
			f := rides(t, human(), beast(allTraits), orc())
			f.Must(act("h", first, "", ""))
			if err := f.Try(act("h", "attack", "hooves", "b"), 2); err == nil {
				t.Errorf("it attacks after it has taken %s", first)
			}
		}
	})
	t.Run("rcr.mount.buck-flee: one that is about to flee takes no order, and goes on with none", func(t *testing.T) {
		f := rides(t, armedRider(), beast(), orc())
		f.Must(act("h", "move", "", "", feet(20)))
		f.Must(act("a", "draw", "shield-spike", ""))
		f.End("a", 12)
		f.Must(act("b", "attack", "sword", "h"), 15, 1, 15)
		f.End("b", 3)
		wantRefused(t, f.Try(act("h", "carry-on", "", "")), cite.MountBuckFlee)
		wantRefused(t, f.Try(act("h", "dash", "", "")), cite.MountBuckFlee)
		f.End("a", 18, 12)
		f.wantRides("a", "h", body.VariantPassenger)
		f.wantCount("h", body.CMoved, 0)
	})
	t.Run("rcr.mount.shared-initiative: a mount that has had its turn is not urged", func(t *testing.T) {
		f := newTable(t).add(human(), orc(), beast()).start(nil, 10, 5, 20)
		f.End("h", 20)
		f.Must(act("a", "mount", "", "h"))
		wantRefused(t, f.Try(act("a", "urge-mount", "", "")), cite.MountSharedInitiative)
	})
}

// rcr.mount.dismount-initiative-fresh, rcr.mount.mounting-cost: where one gets off to.
func TestGettingOff(t *testing.T) {
	begin := func(t *testing.T) *table {
		f := newTable(t)
		f.place(human(), -5, 0)
		f.place(orc(), 10, 0)
		f.place(beast(), 0, 0)
		f.Must(act("a", "mount", "", "h"))
		return f.start(nil, 20, 5)
	}
	off := func(x, y int32) *eventv1.Command { return act("a", "dismount", "", "", along(x, y)) }
	f := begin(t)
	wantRefused(t, f.Try(off(10, 0), 4), cite.MountMountingCost) // the orc stands there
	wantRefused(t, f.Try(off(15, 0), 4), cite.MountMountingCost) // 10 feet away
	wantRefused(t, f.Try(off(5, 5), 4), cite.MountMountingCost)  // on the mount
	f.wantCount("a", body.CMovement, 30)
	f.Must(off(10, 10), 4)
	f.wantAt("a", 10, 10)
	f.wantRides("a", "", "")
	f.wantCount("a", body.CMovement, 15)
	f.wantHas("a", body.CondProne, false)
	t.Run("no place said: the first free one", func(t *testing.T) {
		f := begin(t)
		f.Must(act("a", "dismount", "", ""), 4)
		f.wantAt("a", -5, -5)
	})
	t.Run("a path without a map", func(t *testing.T) {
		f := rides(t, human(), beast(), orc())
		wantFault(t, f.Try(off(10, 10), 4), "take.path")
	})
	t.Run("with less than half the speed", func(t *testing.T) {
		f := begin(t)
		f.Count("a", body.CMovement, 14)
		wantRefused(t, f.Try(off(10, 10), 4), cite.MountMountingCost)
		f.Count("a", body.CMovement, 15)
		f.Must(off(10, 10), 4)
		f.wantCount("a", body.CMovement, 0)
	})
	t.Run("exhausted, half of the lower speed", func(t *testing.T) {
		f := begin(t)
		f.Count("a", body.CExhaustion, 4) // 20 feet
		f.Must(off(10, 10), 4)
		f.wantCount("a", body.CMovement, 10)
	})
}

// rcr.mount.provoke-target-choice, rcr.mount.reach: without positions a rider is a target for
// whoever reaches over the mount.
func TestReachingARiderWithoutAMap(t *testing.T) {
	for _, c := range []struct {
		size  string
		reach int32
		rider bool
	}{{"large", 5, true}, {"huge", 5, false}, {"huge", 10, true}, {"gargantuan", 10, false}, {"gargantuan", 15, true}} {
		mount := beast(func(s *eventv1.Sheet) { s.Size = c.size; s.GetRcr().SaddleExotic = true })
		f := rides(t, human(), mount, orc(rcrSheet(func(x *eventv1.RcrSheet) { x.Attacks[0].ReachFeet = c.reach })))
		f.Must(act("h", "move", "", "", feet(10, "enters_reach_of", []string{"b"}, "leaves_reach_of", []string{"b"})))
		if c.rider {
			f.Answer(body.DecOpportunity, "sword")
			if got := f.Decisions[0].Options; len(got) != 2 {
				t.Errorf("%s, %d feet: %d to choose from", c.size, c.reach, len(got))
			}
			continue
		}
		f.Answer(body.DecOpportunity, "sword", 2)
		if got := f.Attack(); got.Target != "h" {
			t.Errorf("%s, %d feet: at %s", c.size, c.reach, got.Target)
		}
	}
}

// rcr.mount.passenger, rcr.mount.buck-on-damage, rcr.mount.mount-prone,
// rcr.mount.forced-move-save: all on a mount are shaken, each for itself, and the mount
// acts for itself once only.
func TestTwoOnAMount(t *testing.T) {
	begin := func(t *testing.T, h *eventv1.Sheet) *table {
		f := newTable(t).add(human(), orc(ofSize("large")), h, fighter("c", "party"))
		f.Must(act("a", "mount", "", "h"))
		f.Must(act("c", "mount", "", "h"))
		f.start(nil, 20, 5, 1)
		f.wantRides("c", "h", body.VariantPassenger)
		return f
	}
	t.Run("a shove: the rider stays, the passenger does not", func(t *testing.T) {
		f := begin(t, beast())
		f.Must(act("h", "forced-move", "", "", withParameters("feet", 5)), 10, 15, 9, 15) // squeezing: two dice each
		f.wantRides("a", "h", body.VariantRider)
		f.wantRides("c", "", "")
		f.wantHas("c", body.CondProne, true)
		if !slices.Contains(f.State.Active, "h") {
			t.Error("the mount has been let go")
		}
	})
	t.Run("a shove: the passenger stays, the rider does not, and nobody leads it", func(t *testing.T) {
		f := begin(t, beast())
		f.Must(act("h", "forced-move", "", "", withParameters("feet", 5)), 9, 15, 10, 12, 4) // both save as they sit: c squeezes too
		f.wantRides("a", "", "")
		f.wantRides("c", "h", body.VariantPassenger)
		if body.ControllerOf(f.State, "h") != nil {
			t.Error("somebody has the reins")
		}
	})
	t.Run("it goes down: both are off, each by its own reaction", func(t *testing.T) {
		f := begin(t, beast())
		f.End("a", 12)
		f.Must(act("b", "shove", "", "h", withParameters("effect", "prone")), 15, 5)
		f.Answer(mounts.DecLanding+"/a", "feet", 4)
		f.Answer(mounts.DecLanding+"/c", "prone")
		f.wantHas("a", body.CondProne, false)
		f.wantCount("a", body.CReaction, 0)
		f.wantHas("c", body.CondProne, true)
		f.wantCount("c", body.CReaction, 1)
	})
	t.Run("rcr.mount.passenger-space: alone again nobody squeezes", func(t *testing.T) {
		f := begin(t, beast())
		f.Must(act("a", "attack", "sword", "b"), 3, 3)
		f.Count("a", body.CAction, 1, body.CAttacks, 0)
		f.Must(act("h", "forced-move", "", "", withParameters("feet", 5)), 10, 15, 9, 15)
		f.wantRides("c", "", "")
		f.Must(act("a", "attack", "sword", "b"), 3)
	})
}

// rcr.mount.dash-slow-save: each loss of speed after a Dash shakes the rider anew, a gain
// does not, and with the next turn of the mount it is over.
func TestSlowedAgain(t *testing.T) {
	exhausted := func(n int64) *eventv1.Command {
		return &eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "h", Vitals: &eventv1.Vitals{Counters: map[string]int64{body.CExhaustion: n}}}}}
	}
	f := rides(t, human(), beast(), orc())
	f.Must(act("h", "dash", "", ""))
	f.End("a", 12)
	f.Must(exhausted(1)) // an odd level takes nothing off
	f.Must(exhausted(2), 10)
	f.Must(exhausted(1)) // faster again
	f.Must(exhausted(2), 10)
	f.Must(exhausted(4), 10)
	f.wantRides("a", "h", body.VariantRider)
	f.End("b", 3)
	f.Must(exhausted(6)) // its turn has begun
	f.wantRides("a", "h", body.VariantRider)
	f.Must(act("h", "dash", "", ""))
	f.Must(exhausted(8), 9, 4)
	f.wantRides("a", "", "")
	f.wantHas("a", body.CondProne, true)
	if rules.RelationTo(f.Creature("a"), body.RelRides, "") != nil {
		t.Fatal("it rides")
	}
}

// rcr.mount.buck-on-damage, rcr.damage.dangerous-terrain: a mount that its rider drives
// through dangerous ground is hurt by it, and throws the rider for that.
func TestRidingThroughRazorbush(t *testing.T) {
	f := rides(t, human(), beast(rcrSheet(func(x *eventv1.RcrSheet) { x.Level = 5 })), orc())
	f.Must(act("h", "move", "", "", feet(15, "dangerous", 15))) // 30 of 60: not more than half
	f.WantHP("h", 40)
	f.Must(act("h", "move", "", "", feet(1, "dangerous", 1)), 3, 4, 9)
	f.Answer(mounts.DecLanding, "feet", 4)
	f.WantHP("h", 33)
	f.wantRides("a", "", "")
	f.wantHas("h", "bolting", true)
}
