package celesia

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// holding is a grapple of a on b at the start of a's next turn; both have bare hands.
func holding(t *testing.T, a, b *eventv1.Sheet) *table {
	t.Helper()
	f := grappled(t, a, b, 20)
	f.End("a")
	f.End("b")
	return f
}

func TestTyingUp(t *testing.T) {
	rope := carrying(&eventv1.CelesiaThing{Name: "rope", Kind: body.ThingRope, Place: "main"})
	artist := section(func(c *eventv1.CelesiaSheet) { c.Skills = map[string]int32{"escape-artist": 14} })
	bind := func(t *testing.T) *table {
		f := holding(t, fighter("a", "party", cmb(12), unarmed(), rope), fighter("b", "foes", cmd(20), unarmed(), artist))
		f.Must(act("a", "grapple-continued", "", ""), 5) // 5 + 12 + 5 = 22
		f.Answer(body.DecHold, "tie-up:rope", 18)        // 18 + 12 - 10 = 20
		return f
	}
	t.Run(cite.ManeuverGrappleTieUp, func(t *testing.T) {
		f := bind(t)
		x := answers.Tied(f.Creature("b"))
		if x == nil || x.Values["dc"] != 32 || body.Where(f.Creature("a"), "rope") != body.PlaceGone {
			t.Fatalf("tied %v", x)
		}
		f.End("a")
		wantRefused(t, f.Try(act("b", "attack", "fist", "a")), cite.ManeuverPin)
	})
	t.Run("celesia.maneuver.grapple-tie-up outlasts the hold; Escape Artist", func(t *testing.T) {
		f := bind(t)
		f.Must(act("a", "release-grapple", "", ""))
		if !body.Has(f.Creature("b"), body.CondPinned) || body.Has(f.Creature("b"), body.CondGrappled) {
			t.Fatal("the ropes hold by themselves")
		}
		f.End("a")
		f.Must(act("b", "escape-grapple", "", "", withParameters("check", "escape-artist")), 17) // 31 fails
		if answers.Tied(f.Creature("b")) == nil {
			t.Fatal("31 against 32")
		}
		f.End("b")
		f.End("a")
		f.Must(act("b", "escape-grapple", "", "", withParameters("check", "escape-artist")), 18) // 32
		if body.Has(f.Creature("b"), body.CondPinned) {
			t.Error("not free")
		}
	})
	t.Run("celesia.maneuver.grapple-tie-up untied", func(t *testing.T) {
		f := bind(t)
		f.Must(act("a", "release-grapple", "", ""))
		f.Must(act("a", "untie", "", "b"))
		if body.Has(f.Creature("b"), body.CondPinned) || f.acts("a") != 0 {
			t.Errorf("%d acts left", f.acts("a"))
		}
		wantRefused(t, bind(t).Try(act("a", "untie", "", "a")), cite.ManeuverGrappleTieUp)
	})
	t.Run("celesia.maneuver.grapple-tie-up fails, and needs a rope", func(t *testing.T) {
		f := holding(t, fighter("a", "party", cmb(12), unarmed(), rope), fighter("b", "foes", cmd(20), unarmed()))
		f.Must(act("a", "grapple-continued", "", ""), 5)
		f.Answer(body.DecHold, "tie-up:rope", 17)
		if answers.Tied(f.Creature("b")) != nil || body.Where(f.Creature("a"), "rope") != body.PlaceMain || answers.Holds(f.Creature("a")) != "b" {
			t.Error("19 against 20: the hold stays, the rope too")
		}
		g := holding(t, fighter("a", "party", cmb(12), unarmed()), fighter("b", "foes", cmd(20), unarmed()))
		g.Must(act("a", "grapple-continued", "", ""), 5)
		if answers.Offers(g.Decisions[0], "tie-up:rope") {
			t.Error("no rope, no tying up")
		}
	})
}

func TestMovingTheFoe(t *testing.T) {
	start := func(t *testing.T, b ...func(*eventv1.Sheet)) *table {
		f := holding(t, fighter("a", "party", cmb(8), cmd(20), unarmed()), fighter("b", "foes", append([]func(*eventv1.Sheet){cmb(5), unarmed()}, b...)...))
		f.Must(act("a", "grapple-continued", "", ""), 9)
		f.Answer(body.DecHold, "move")
		return f
	}
	cliff := withFacts("hazard", true)
	t.Run(cite.ManeuverGrappleMoveHazard, func(t *testing.T) {
		f := start(t)
		f.Must(act("a", "move", "", "", way(-20, 0), cliff))
		f.Answer(answers.DecHazard, "maneuver", 11) // 11 + 5 + 4 = 20
		if body.Has(f.Creature("b"), body.CondGrappled) || f.Creature("b").Counters[body.CReactions] != 0 {
			t.Error("free, by its reaction")
		}
		f.wantAt("a", -20, 0)
		if feet, _ := body.Distance(f.Creature("a"), f.Creature("b")); feet != 5 {
			t.Errorf("it was moved along before it was free, and is %d feet away", feet)
		}
	})
	t.Run("celesia.maneuver.grapple-move-hazard free, not in the space named", func(t *testing.T) {
		for face, free := range map[int]bool{11: true, 10: false} {
			f := start(t)
			f.Must(act("a", "move", "", "", way(0, -20), cliff, withParameters("foe_x", 5.0, "foe_y", -25.0)))
			f.Answer(answers.DecHazard, "maneuver", face)
			b := f.Creature("b")
			at := b.Position.X == 5 && b.Position.Y == -25
			if feet, _ := body.Distance(f.Creature("a"), b); feet != 5 || at == free || body.Has(b, body.CondGrappled) == free {
				t.Errorf("%d: %d feet away at %v", face, feet, b.Position)
			}
		}
	})
	t.Run("celesia.maneuver.grapple-move-hazard it may let it happen", func(t *testing.T) {
		f := start(t)
		f.Must(act("a", "move", "", "", way(0, -20), cliff, withParameters("foe_x", 5.0, "foe_y", -25.0)))
		f.Answer(answers.DecHazard, "no")
		f.wantAt("b", 5, -25)
		if !body.Has(f.Creature("b"), body.CondGrappled) || f.Creature("b").Counters[body.CReactions] != 1 {
			t.Error("still held, with its reaction")
		}
	})
	t.Run("celesia.maneuver.grapple-move the space of the held foe is no bar", func(t *testing.T) {
		f := holding(t, fighter("a", "party", cmb(8), cmd(20), unarmed()), fighter("b", "foes", unarmed()))
		beyond := f.Creature("b").Position.X + 5
		lists := func() (listed bool) {
			for _, o := range (System{}).Options(rules.Query{State: f.State, Creature: "a"}) {
				for _, sq := range o.Squares {
					listed = listed || o.Action == "move" && sq.At.X == beyond && sq.At.Y == f.Creature("a").Position.Y
				}
			}
			return listed
		}
		f.Must(act("a", "grapple-continued", "", ""), 15)
		f.Answer(body.DecHold, "move")
		if !lists() {
			t.Fatal("the space behind the held foe is not listed")
		}
		f.Must(act("a", "move", "", "", way(beyond, f.Creature("a").Position.Y)))
		f.wantAt("a", beyond, f.Creature("a").Position.Y)
	})
	t.Run("celesia.maneuver.grapple-move the foe is beside on the way, too", func(t *testing.T) {
		f := newTable(t, body.SetOnTheWay+"=on").add(fighter("a", "party", cmb(8), cmd(20), unarmed()), fighter("b", "foes", unarmed()), fighter("c", "foes"))
		f.at("a", 0, 0)
		f.at("b", 5, 0)
		f.at("c", -15, 5)
		f.start(nil, 18, 17, 16)
		for _, id := range []string{"a", "b", "c"} {
			f.End(id)
		}
		f.Must(act("a", "grapple", "", "b"), 20)
		for _, id := range []string{"a", "b", "c"} {
			f.End(id)
		}
		f.Must(act("a", "grapple-continued", "", ""), 15)
		f.Answer(body.DecHold, "move")
		f.Must(act("a", "move", "", "", way(-30, 0)))
		if feet, _ := body.Distance(f.Creature("a"), f.Creature("b")); f.Creature("a").Position.X != -10 || feet != 5 {
			t.Errorf("%v: %d feet away", f.Creature("a").Position, feet)
		}
		f.Answer(body.DecReaction+"/c", "attack:sword", 19, 8)
		f.wantAt("a", -30, 0)
		if feet, _ := body.Distance(f.Creature("a"), f.Creature("b")); feet != 5 {
			t.Errorf("%d feet away", feet)
		}
	})
	t.Run("celesia.maneuver.grapple-move-hazard fails", func(t *testing.T) {
		f := start(t)
		f.Must(act("a", "move", "", "", way(-20, 0), cliff))
		f.Answer(answers.DecHazard, "maneuver", 10)
		if feet, _ := body.Distance(f.Creature("a"), f.Creature("b")); feet != 5 || !body.Has(f.Creature("b"), body.CondGrappled) {
			t.Errorf("%d feet away", feet)
		}
	})
	t.Run("celesia.maneuver.grapple-move-hazard no reaction left", func(t *testing.T) {
		f := start(t)
		f.Count("b", body.CReactions, 0)
		f.Must(act("a", "move", "", "", way(-20, 0), cliff))
		if feet, _ := body.Distance(f.Creature("a"), f.Creature("b")); feet != 5 {
			t.Errorf("%d feet away", feet)
		}
	})
	t.Run("celesia.maneuver.grapple-move any space beside the grappler", func(t *testing.T) {
		f := start(t)
		wantRefused(t, f.Try(act("a", "move", "", "", way(-20, 0), withParameters("foe_x", -30.0, "foe_y", 0.0))), cite.ManeuverGrappleMove)
		f.Must(act("a", "move", "", "", way(-20, 0), withParameters("foe_x", -25.0, "foe_y", 5.0)))
		f.wantAt("b", -25, 5)
	})
	t.Run("celesia.maneuver.grapple-move directly or not at all", func(t *testing.T) {
		f := start(t)
		f.Afflict("a", body.CondHasted)
		f.Must(act("a", "attack", "fist", "b"), 2, 2)
		wantRefused(t, f.Try(act("a", "move", "", "", way(-20, 0))), cite.ManeuverGrappleMove)
	})
	t.Run("celesia.maneuver.grapple-move no act left", func(t *testing.T) {
		f := holding(t, fighter("a", "party", cmb(8), unarmed()), fighter("b", "foes", unarmed()))
		f.Hurt("a", 0) // disabled: 2 acts
		f.Must(act("a", "grapple-continued", "", ""), 9)
		f.Answer(body.DecHold, "move")
		wantRefused(t, f.Try(act("a", "move", "", "", way(-10, 0))), cite.TurnThreeActs)
	})
	t.Run("celesia.maneuver.grapple-pin given up", func(t *testing.T) {
		agile := section(func(c *eventv1.CelesiaSheet) { c.Defense, c.DefenseDexterity = 17, 3 })
		f := newTable(t).add(fighter("a", "party", cmb(8), unarmed(), agile), fighter("b", "foes", unarmed()), fighter("c", "foes"))
		f.at("a", 0, 0)
		f.at("b", 5, 0)
		f.at("c", 0, 5)
		f.start(nil, 15, 10, 5)
		f.Must(act("a", "grapple", "", "b"), 11)
		for _, id := range []string{"a", "b", "c"} {
			f.End(id)
		}
		f.Must(act("a", "grapple-continued", "", ""), 9)
		f.Answer(body.DecHold, "pin")
		f.End("a")
		f.End("b")
		f.Must(act("c", "attack", "sword", "a"), 9, 1) // 14 against DV 14
		if f.Attack().Outcome != "hit" {
			t.Error("the pinner has no Dexterity bonus")
		}
		f.End("c")
		f.Must(act("a", "release-pin", "", ""))
		if body.Has(f.Creature("b"), body.CondPinned) || answers.Holds(f.Creature("a")) != "b" {
			t.Error("still pinned, or no longer held")
		}
		f.Must(act("a", "grapple-continued", "", ""), 9)
		f.Answer(body.DecHold, "move")
		f.End("a")
		f.End("b")
		f.Must(act("c", "attack", "sword", "a"), 9)
		if f.Attack().Outcome != "miss" {
			t.Error("14 misses DV 17")
		}
	})
}
