package celesia

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/maneuvers"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// celesia.action.speak, celesia.maneuver.chokehold-effects: so many bytes at once and no more; who
// is down or dead says nothing.
func TestWhoSaysHowMuch(t *testing.T) {
	say := func(n int) *eventv1.Command {
		return act("a", "speak", "", "", withParameters("text", strings.Repeat("x", n)))
	}
	f := duel(t, fighter("a", "party"), fighter("b", "foes"))
	f.Must(say(maneuvers.MaxWords))
	if !f.noted(cite.ActionSpeak) {
		t.Error("not heard")
	}
	wantField(t, f.Try(say(maneuvers.MaxWords+1)), "take.parameters.text", "200")
	f.Hurt("a", -15)
	wantReason(t, f.Try(say(1)), "UNABLE", cite.ActionSpeak)
	f.Hurt("a", -60)
	wantReason(t, f.Try(say(1)), "DEAD", cite.DeathDeadThreshold)
}

// celesia.maneuver.grapple-release, celesia.death.dying-unconscious: a body that cannot act is
// still held; one that is dead or gone is held by nobody.
func TestHoldOnWhoIsDown(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(f *table)
		held bool
	}{
		"unconscious": {func(f *table) { f.Hurt("b", -15) }, true},
		"stunned":     {laid("b", body.CondStunned), true},
		"dead":        {func(f *table) { f.Hurt("b", -60) }, false},
		"gone": {func(f *table) {
			f.Must(&eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: "b"}}})
		}, false},
	} {
		f := held9(t, captive())
		c.do(f)
		if held := answers.Holds(f.Creature("a")) == "b"; held != c.held || body.Has(f.Creature("a"), body.CondGrappled) != c.held {
			t.Errorf("%s: held %t, %v", name, held, f.Creature("a").Conditions)
		}
		if !c.held && !slices.ContainsFunc(f.Events, func(e *eventv1.Event) bool { return citing(e, cite.ManeuverGrappleRelease) }) {
			t.Errorf("%s: not told by its rule", name)
		}
	}
}

// celesia.maneuver.grapple-pin, celesia.maneuver.grapple-tie-up: whoever gives up the pin leaves
// the ropes where they are.
func TestPinGivenUpOfATiedFoe(t *testing.T) {
	rope := carrying(&eventv1.CelesiaThing{Name: "rope", Kind: body.ThingRope, Place: "main"})
	f := holding(t, fighter("a", "party", cmb(12), unarmed(), rope), fighter("b", "foes", cmd(20), unarmed()))
	f.Must(act("a", "grapple-continued", "", ""), 15)
	f.Answer(body.DecHold, "pin")
	f.round()
	f.Must(act("a", "grapple-continued", "", ""), 15)
	f.Answer(body.DecHold, "tie-up:rope", 20)
	if f.count("b", body.CondPinned) != 2 {
		t.Fatal(f.Creature("b").Conditions)
	}
	f.Must(act("a", "release-pin", "", ""))
	if answers.Tied(f.Creature("b")) == nil || f.count("b", body.CondPinned) != 1 || body.Has(f.Creature("a"), body.CondPinning) || answers.HeldBy(f.Creature("b")) != "a" {
		t.Errorf("%v, %v", f.Creature("b").Conditions, f.Creature("a").Conditions)
	}
}

// celesia.maneuver.grapple-damage: with a light or one-handed weapon in one hand or a part of the
// body, and none that is thrown, shot, needs both hands or is put away.
func TestWhatAHeldFoeIsHurtWith(t *testing.T) {
	list := []*eventv1.CelesiaWeapon{
		{Name: "dagger", Kind: "melee", Dice: "1d4", Hands: 1, Light: true, Hand: "main"},
		{Name: "axe", Kind: "melee", Dice: "1d8", Hands: 1, Hand: "stowed"},
		{Name: "dart", Kind: "thrown", Dice: "1d4", Hands: 1, RangeFeet: 20, Hand: "off"},
		{Name: "fist", Kind: "unarmed", Dice: "1d3", Nonlethal: true, Light: true},
		{Name: "quill", Kind: "natural-ranged", Dice: "1d4", RangeFeet: 20, Limb: "tail"},
	}
	both := []*eventv1.CelesiaWeapon{{Name: "sword", Kind: "melee", Dice: "1d8", TwoHandDice: "1d10", Hands: 1, Hand: "both"}, {Name: "maul", Kind: "melee", Dice: "2d6", Hands: 2, Hand: "stowed"},
		{Name: "bite", Kind: "natural", Dice: "1d6", Limb: "mouth"}}
	for _, c := range []struct {
		list []*eventv1.CelesiaWeapon
		want []string
	}{{list, []string{"dagger", "fist"}}, {both, []string{"bite"}}} {
		f := holding(t, fighter("a", "party", cmb(30), section(func(s *eventv1.CelesiaSheet) { s.Weapons = c.list })), fighter("b", "foes", cmd(20), unarmed()))
		f.Must(act("a", "grapple-continued", "", ""), 15)
		options := []string{"move", "pin", "choke:air"}
		for _, name := range c.want {
			options = append(options, "lethal:"+name, "nonlethal:"+name)
		}
		f.wantOptions(body.DecHold, options...)
	}
}

// celesia.maneuver.trip, celesia.attack.reach-weapon: a reach weapon does not reach who is beside;
// where nobody stands on a map, nobody knows.
func TestManeuverWithAReachWeapon(t *testing.T) {
	pike := weapon(&eventv1.CelesiaWeapon{Name: "pike", Kind: "melee", Dice: "1d8", Hands: 2, Reach: true})
	f := newTable(t).add(fighter("a", "party", pike), fighter("b", "foes", unarmed())).set(15, 5)
	f.Must(act("a", "trip", "pike", "b"), 2)
	wantReason(t, f.Try(act("a", "trip", "pike", "b", withFacts("distance", 5))), "OUT_OF_REACH", cite.ManeuverTrip)
	f.Must(act("a", "trip", "pike", "b", withFacts("distance", 10)), 2)
	wantReason(t, f.Try(act("a", "trip", "pike", "b", withFacts("distance", 15))), "OUT_OF_REACH", cite.ManeuverTrip)
}

// celesia.maneuver.overrun: a way through the space of a foe takes an overrun; out of the space of
// one that stands in one's own, and past one that has no place, everybody goes.
func TestWaysOutOfAFoesSpace(t *testing.T) {
	f := newTable(t).add(fighter("a", "party", sized("large")), fighter("b", "foes", unarmed(), sized("small")), fighter("c", "foes", unarmed()))
	f.at("a", 0, 0)
	f.at("b", 0, 0)
	f.set(18, 10, 5)
	f.at("b", 5, 5) // in the middle of a, who fills 10 feet
	f.Must(act("a", "move", "", "", way(20, 0)))
	f.wantAt("a", 20, 0)
	f.at("a", -10, 0)
	wantReason(t, f.Try(act("a", "move", "", "", way(20, 0))), "FOE_IN_THE_WAY", cite.ManeuverOverrun)
	f.Afflict("b", body.CondHelpless)
	f.Must(act("a", "move", "", "", way(15, 0)))
}

// celesia.maneuver.overrun: of the ways that nobody names the one that is gone ends right behind
// the foe, or in front of it where there is no room behind.
func TestWhereAnOverrunEnds(t *testing.T) {
	for name, c := range map[string]struct {
		places [][2]int32
		x      int32
	}{
		"free":               {[][2]int32{{0, 0}, {15, 0}, {90, 0}}, 20},
		"another behind":     {[][2]int32{{0, 0}, {15, 0}, {20, 0}}, 25},
		"no room in a speed": {[][2]int32{{0, 0}, {30, 0}, {35, 0}}, 25},
	} {
		f := crowd(t, c.places, fighter("a", "party", cmb(20)), fighter("b", "foes", unarmed()), fighter("c", "party"))
		f.Must(act("a", "overrun", "", "b"))
		f.Answer(answers.DecPass, "yes")
		if at := f.Creature("a").Position.X; at != c.x {
			t.Errorf("%s: at %d, want %d", name, at, c.x)
		}
	}
}

// celesia.maneuver.sunder: with a weapon for melee that is there.
func TestSunderWithWhat(t *testing.T) {
	bow := section(func(c *eventv1.CelesiaSheet) { c.Weapons[2].Hand, c.Weapons[0].Hand = "both", "stowed" })
	f := duel(t, fighter("a", "party", bow), fighter("b", "foes"))
	for _, name := range []string{"bow", "axe"} {
		wantField(t, f.Try(act("a", "sunder", name, "b", withParameters("thing", "sword"))), "take.item", "melee weapon")
	}
	g := duel(t, fighter("a", "party"), fighter("b", "foes"))
	wantReason(t, g.Try(act("a", "sunder", "sword", "b", withParameters("thing", "sword"))), "NOTHING_TO_BREAK", cite.ManeuverSunder)
}

// celesia.maneuver.drag: as far as both have room; what stands in the way of the one who drags, and
// what stands in the way of the foe, ends it.
func TestWhatStopsADrag(t *testing.T) {
	for name, c := range map[string]struct {
		other [2]int32
		y     int32
	}{"nobody": {[2]int32{90, 90}, 15}, "before the one": {[2]int32{0, 15}, 10}, "before the other": {[2]int32{5, 10}, 5}} {
		f := crowd(t, [][2]int32{{0, 0}, {5, 0}, c.other}, fighter("a", "party", cmb(15)), fighter("b", "foes", unarmed()), fighter("c", "party"))
		f.Must(act("a", "drag", "", "b", way(0, 20)), 10) // a margin of 10: 15 feet
		f.wantAt("a", 0, c.y)
		f.wantAt("b", 5, c.y)
		if t.Failed() {
			t.Fatal(name)
		}
	}
}

// celesia.maneuver.reposition, celesia.action.ready: whom a readied reposition meets is known when
// it is set off, so that its way is judged then.
func TestARepositionReadied(t *testing.T) {
	f := duel(t, fighter("a", "party", cmb(20)), fighter("b", "foes"))
	f.at("a", 10, 0)
	f.Must(act("a", "ready", "", "", withParameters("action", "reposition", "trigger", "attack"), way(5, 5)))
	f.at("b", 20, 0) // from there it is no way
	f.at("a", 15, 0)
	f.Must(act("b", "attack", "sword", "a"), 2)
	f.at("b", 10, 0)
	f.Must(act("b", "attack", "sword", "a"))
	f.Answer(body.DecReaction+"/a", "readied", 10)
	f.wantAt("b", 5, 5)
}
