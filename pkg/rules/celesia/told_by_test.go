package celesia

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/proto"
)

// What was readied and what is put off half done only those who play the creature are
// told; of what is under way in sight all are.
func TestWhoHearsOfWhatIsBegun(t *testing.T) {
	f := duel(t, fighter("a", "party"), fighter("b", "foes"))
	for name, secret := range map[string]bool{body.BegunReadied: true, body.BegunUnderway: true, body.BegunDelayed: false, "casting": false} {
		got := proto.Equal((System{}).Audience(f.State, rules.FactBegun, name, "a"), event.Everyone())
		if got == secret {
			t.Errorf("%s: told to all %v", name, got)
		}
	}
	for name, open := range map[string]bool{body.CActs: true, body.CSpent: true, body.CReactions: true, body.CFirst: true, body.CEscapes: true, body.CAim: true, body.CLoads: true, body.CMulti: true,
		body.CTurn: true, body.CCastings: true, body.CBleed: true, body.CLeft + "ray": false, body.CRun: false} {
		if got := proto.Equal((System{}).Audience(f.State, rules.FactCounter, name, "a"), event.Everyone()); got != open {
			t.Errorf("%s: told to all %v", name, got)
		}
	}
}

// celesia.injury.disabled-one-less-act: who is disabled within its turn is told of the
// act less by that rule.
func TestActsLostAreToldWithTheirRule(t *testing.T) {
	f := duel(t, fighter("a", "party"), fighter("b", "foes"))
	f.Hurt("a", 0)
	told := slices.ContainsFunc(f.Events, func(e *eventv1.Event) bool {
		n := e.GetCounter()
		return n.GetSubject() == "a" && n.GetCounter() == body.CActs && n.GetValue() == 2 && slices.Contains(e.Rules, cite.InjuryDisabledOneLessAct)
	})
	if !told {
		t.Errorf("nothing tells of the act less: %v", f.Events)
	}
}

// celesia.injury.leg-all-lost: what never had legs has lost none; what cannot walk goes in
// the first way that it has a speed for.
func TestWaysWithoutLegs(t *testing.T) {
	of := func(legs int32, speeds map[string]int32) *eventv1.Creature {
		s := fighter("a", "party", bodyPlan(&eventv1.CelesiaBody{Legs: legs, Eyes: 2, Head: true}))
		s.Speeds = speeds
		return &eventv1.Creature{Id: "a", Sheet: s}
	}
	snake := of(0, map[string]int32{"walk": 20})
	if body.Legless(snake) || body.WayOf(snake, nil) != "walk" || body.Grounded(snake) {
		t.Error("a snake is no cripple")
	}
	for want, speeds := range map[string]map[string]int32{"swim": {"fly": 0, "swim": 20}, "fly": {"fly": 30, "swim": 20}, "walk": {"fly": 0, "swim": 0}} {
		if got := body.WayOf(of(0, speeds), nil); got != want {
			t.Errorf("%v: goes by %s, want %s", speeds, got, want)
		}
	}
	if got := body.WayOf(of(0, map[string]int32{"walk": 0, "swim": 20}), &eventv1.TakeAction{Parameters: object("mode", "fly")}); got != "fly" {
		t.Errorf("asked to fly, goes by %s", got)
	}
}

// celesia.attack.martial-power: a shield counts while it is in hand.
func TestMartialPowerShield(t *testing.T) {
	for place, want := range map[string]int32{"": 2, body.PlaceOff: 3, body.PlaceStowed: 2, body.PlaceCarried: 2} {
		f := duel(t, fighter("a", "party", ability("constitution", 13), attacks(1), section(func(c *eventv1.CelesiaSheet) {
			c.Stances = []string{"iron"}
			if place != "" {
				c.Things = []*eventv1.CelesiaThing{{Name: "buckler", Kind: body.ThingShield, Place: place}}
			}
		})), fighter("b", "foes", unarmed(), defends(30)))
		f.Must(act("a", "attack", "sword", "b", with("martial-power")), 2)
		if got := f.Creature("a").GetHpTemp(); got != want {
			t.Errorf("a shield %q: %d temporary hit points, want %d", place, got, want)
		}
	}
}

// celesia.healing.heal-check-stabilizes, celesia.injury.hand-severed: care for one who needs
// none comes to nothing, and no die falls.
func TestCareForNothing(t *testing.T) {
	for _, deed := range []string{body.DeedFirstAid, body.DeedStaunch} {
		f := duel(t, fighter("a", "party"), fighter("b", "party"))
		f.Medicine(&eventv1.Harm{Deed: deed, Target: "b", Source: "a", Cause: "Heal"})
		if len(f.Rolls("")) != 0 {
			t.Errorf("%s is rolled for", deed)
		}
		f.Hurt("b", -5)
		f.Count("b", body.CBleed, 2)
		f.Medicine(&eventv1.Harm{Deed: deed, Target: "b", Cause: "Heal"}) // of nobody
		if len(f.Rolls("")) != 0 {
			t.Errorf("%s by nobody is rolled for", deed)
		}
	}
}

// celesia.movement.charge: with reach a foe 10 feet off is charged where one stands.
func TestChargeOnTheSpot(t *testing.T) {
	reach := weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d8", Hands: 2, Reach: true})
	f := duel(t, fighter("a", "party", reach), fighter("b", "foes", unarmed()))
	f.at("b", 10, 0)
	f.Must(act("a", "charge", "w", "b"))
	f.wantAt("a", 0, 0)
	if moved := seen(f, "moved", (*eventv1.Event).GetMoved); len(moved) != 0 || !body.Has(f.Creature("a"), body.CondCharging) {
		t.Errorf("moved %v", moved)
	}
}

// celesia.critical.extras-maximised: where a sheet has no dice of precision there is nothing to add.
func TestPrecisionWithoutDice(t *testing.T) {
	f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
	f.Must(act("a", "attack", "sword", "b", withFacts("precision", true)), 12, 5)
	f.WantHP("b", 35)
}

// celesia.maneuver.overrun: a foe that is on no map is in nobody's way.
func TestOverrunOffTheMap(t *testing.T) {
	f := newTable(t).add(fighter("a", "party", cmb(30)), fighter("b", "foes", unarmed()))
	f.at("a", 0, 0)
	f.set(15, 5)
	f.Roller = func(int) int { return 10 }
	f.Must(act("a", "overrun", "", "b", way(20, 0)))
}

// celesia.action.ready: what is readied is readied whole.
func TestReadyNoPart(t *testing.T) {
	f := duel(t, fighter("a", "party"), fighter("b", "foes"))
	if err := f.Try(ready("total-defense", "", "", "attack", "commit", 1.0)); err == nil {
		t.Error("a part of an action is readied")
	}
}
