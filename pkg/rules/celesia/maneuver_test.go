package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// skilled sets the numbers of maneuvers: base attack alone makes CMB.
func cmb(n int32) func(*eventv1.Sheet) { return attacks(n) }

func cmd(n int32) func(*eventv1.Sheet) {
	return section(func(c *eventv1.CelesiaSheet) { c.ManeuverDefense = n })
}

// unarmed has bare hands and nothing to react with.
func unarmed() func(*eventv1.Sheet) {
	return section(func(c *eventv1.CelesiaSheet) { c.Weapons = c.Weapons[1:2] })
}

func TestManeuverBonus(t *testing.T) {
	// celesia.maneuver.cmb
	c := &eventv1.Creature{Sheet: fighter("a", "party", ability("strength", 16, "dexterity", 14), section(func(c *eventv1.CelesiaSheet) { c.SpecialSizeModifier = 1 }))}
	if got := body.ManeuverBonus(c); got != 11 {
		t.Errorf("CMB %d, want 11", got)
	}
	c = &eventv1.Creature{Sheet: fighter("a", "party", cmb(2), ability("strength", 8, "dexterity", 18), section(func(c *eventv1.CelesiaSheet) { c.SpecialSizeModifier = -1 }))}
	if got := body.ManeuverBonus(c); got != 4 {
		t.Errorf("CMB %d, want 4", got)
	}
}

func TestTrip(t *testing.T) {
	for _, tc := range []struct {
		rule         string
		face         int
		prone, atker bool
	}{
		{cite.ManeuverTrip, 11, true, false},
		{"celesia.maneuver.trip fails by 10", 1, false, true},
		{"celesia.maneuver.trip fails by 9", 2, false, false},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			f := duel(t, fighter("a", "party", cmb(5)), fighter("b", "foes", cmd(16)))
			f.Must(act("a", "trip", "", "b"), tc.face)
			if body.Has(f.Creature("b"), body.CondProne) != tc.prone || body.Has(f.Creature("a"), body.CondProne) != tc.atker {
				t.Errorf("target prone %v, attacker prone %v", body.Has(f.Creature("b"), body.CondProne), body.Has(f.Creature("a"), body.CondProne))
			}
		})
	}
	t.Run(cite.ManeuverExtraLegs, func(t *testing.T) {
		f := duel(t, fighter("a", "party", cmb(8)), fighter("b", "foes", cmd(18), section(func(c *eventv1.CelesiaSheet) { c.Body = &eventv1.CelesiaBody{Legs: 4, Eyes: 2, Head: true} })))
		f.Must(act("a", "trip", "", "b"), 13)
		if body.Has(f.Creature("b"), body.CondProne) || f.Roll("trip").Target.Value != 22 {
			t.Error("21 against 22 fails")
		}
	})
	t.Run(cite.ManeuverSizeLimit, func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", func(s *eventv1.Sheet) { s.Size = "huge" }))
		wantRefused(t, f.Try(act("a", "trip", "", "b")), cite.ManeuverSizeLimit)
		f.Must(act("a", "disarm", "", "b"), 10)
	})
}

func TestDisarm(t *testing.T) {
	two := section(func(c *eventv1.CelesiaSheet) {
		c.Weapons = append(c.Weapons, &eventv1.CelesiaWeapon{Name: "dagger", Kind: "melee", Dice: "1d4", Hands: 1, Hand: "off"})
	})
	t.Run(cite.ManeuverDisarm, func(t *testing.T) {
		f := duel(t, fighter("a", "party", cmb(9)), fighter("b", "foes", cmd(18), two))
		f.Must(act("a", "disarm", "", "b"), 18)
		f.Answer(body.DecDisarm, "dagger")
		if f.Creature("b").Items["dagger"].Place != body.PlaceDropped || f.Creature("b").Items["sword"].Place != body.PlaceMain {
			t.Error("one item of the attacker's choice")
		}
	})
	t.Run("celesia.maneuver.disarm two", func(t *testing.T) {
		f := duel(t, fighter("a", "party", cmb(9)), fighter("b", "foes", cmd(18), two))
		f.Must(act("a", "disarm", "", "b"), 19)
		f.Answer(body.DecDisarm, "sword")
		if len(body.InHands(f.Creature("b"))) != 0 {
			t.Error("margin 10: two items")
		}
	})
	for face, place := range map[int]string{4: body.PlaceDropped, 5: body.PlaceMain} { // celesia.maneuver.disarm-fumble
		f := duel(t, fighter("a", "party", cmb(4)), fighter("b", "foes", cmd(18)))
		f.Must(act("a", "disarm", "sword", "b"), face)
		if got := f.Creature("a").Items["sword"].Place; got != place {
			t.Errorf("face %d: sword %s, want %s", face, got, place)
		}
	}
}

func grappled(t *testing.T, a, b *eventv1.Sheet, faces ...int) *table {
	f := duel(t, a, b)
	f.Must(act("a", "grapple", "", "b"), faces...)
	return f
}

func TestGrapple(t *testing.T) {
	t.Run(cite.ManeuverGrapple, func(t *testing.T) {
		f := grappled(t, fighter("a", "party", cmb(8), unarmed()), fighter("b", "foes", cmd(19), unarmed()), 11)
		if answers.Holds(f.Creature("a")) != "b" || answers.HeldBy(f.Creature("b")) != "a" || f.acts("a") != 1 {
			t.Error("19 grapples both, for 2 acts")
		}
	})
	t.Run(cite.ManeuverGrappleHands, func(t *testing.T) {
		f := grappled(t, fighter("a", "party", cmb(8)), fighter("b", "foes", cmd(16), unarmed()), 11)
		if f.Roll("grapple").Total != 15 || body.Has(f.Creature("b"), body.CondGrappled) {
			t.Error("11 + 8 - 4 = 15 fails")
		}
		f = grappled(t, fighter("a", "party", cmb(8), section(func(c *eventv1.CelesiaSheet) { c.Humanoid = false })), fighter("b", "foes", cmd(16), unarmed()), 11)
		if !body.Has(f.Creature("b"), body.CondGrappled) {
			t.Error("no penalty but for humanoids")
		}
	})
	t.Run(cite.ManeuverGrapplePull, func(t *testing.T) {
		f := duel(t, fighter("a", "party", cmb(8), unarmed(), section(func(c *eventv1.CelesiaSheet) { c.ReachFeet = 10 })), fighter("b", "foes", unarmed()))
		f.at("b", 10, 0)
		f.Must(act("a", "grapple", "", "b"), 11)
		if p := f.Creature("b").Position; p.X != 5 {
			t.Errorf("pulled to %v", p)
		}
	})
	t.Run(cite.ManeuverGrappleRelease, func(t *testing.T) {
		f := grappled(t, fighter("a", "party", cmb(8), unarmed()), fighter("b", "foes", unarmed()), 11)
		f.End("a")
		wantRefused(t, f.Try(act("b", "release-grapple", "", "")), cite.ManeuverGrappleRelease)
		f.End("b")
		f.Must(act("a", "release-grapple", "", ""))
		if body.Has(f.Creature("a"), body.CondGrappled) || body.Has(f.Creature("b"), body.CondGrappled) || f.acts("a") != 3 {
			t.Error("want both free, as a free action")
		}
	})
	t.Run(cite.ManeuverGrappleMaintain, func(t *testing.T) {
		f := grappled(t, fighter("a", "party", cmb(8), unarmed()), fighter("b", "foes", cmd(19), unarmed()), 11)
		f.End("a")
		f.End("b")
		wantRefused(t, f.Try(act("a", "attack", "fist", "b")), cite.ManeuverGrappleMaintain)
		f.Must(act("a", "grapple-continued", "", ""), 5) // 5 + 8 + 5 = 18 fails
		if body.Has(f.Creature("b"), body.CondGrappled) || f.acts("a") != 1 {
			t.Error("the hold is lost, 1 act left")
		}
	})
	t.Run(cite.FeatImprovedGrapple, func(t *testing.T) {
		f := grappled(t, fighter("a", "party", cmb(8), unarmed(), features(body.FeatImprovedGrapple)), fighter("b", "foes", cmd(40), unarmed()), 2)
		f.Must(act("a", "grapple", "", "b"), 2)
		f.Must(act("a", "grapple", "", "b"), 2)
		if f.acts("a") != 0 {
			t.Errorf("%d acts left after three attempts", f.acts("a"))
		}
	})
	t.Run(cite.ManeuverGrappleDamage, func(t *testing.T) {
		dagger := &eventv1.CelesiaWeapon{Name: "dagger", Kind: "melee", Dice: "1d4", Hands: 1, Light: true}
		f := grappled(t, fighter("a", "party", cmb(8), weapon(dagger), ability("strength", 14, "dexterity", 12)), fighter("b", "foes", cmd(12), unarmed()), 12)
		f.End("a")
		f.End("b")
		f.Must(act("a", "grapple-continued", "", ""), 8) // beats CMD by 12: no extra dice
		f.Answer(body.DecHold, "lethal:dagger", 3)
		f.WantHP("b", 34)
	})
	t.Run(cite.ManeuverGrapplePin, func(t *testing.T) {
		agile := section(func(c *eventv1.CelesiaSheet) { c.Defense, c.DefenseDexterity = 17, 3 })
		f := grappled(t, fighter("a", "party", cmb(8), unarmed(), agile), fighter("b", "foes", unarmed()), 11)
		f.End("a")
		f.End("b")
		f.Must(act("a", "grapple-continued", "", ""), 9)
		f.Answer(body.DecHold, "pin")
		if !body.Has(f.Creature("b"), body.CondPinned) || strike.Defense(f.Creature("a"), false).Value != 14 {
			t.Error("pinned, and the pinner without its Dexterity bonus") // celesia.maneuver.pin
		}
		f.End("a")
		wantRefused(t, f.Try(act("b", "attack", "fist", "a")), cite.ManeuverPin)
		f.Must(act("b", "escape-grapple", "", ""), 20)
		f.Answer(body.DecEscape, "free")
		if body.Has(f.Creature("b"), body.CondPinned) || strike.Defense(f.Creature("a"), false).Value != 17 {
			t.Error("free again, and the Dexterity bonus is back")
		}
	})
	t.Run(cite.ManeuverGrappleMove, func(t *testing.T) {
		f := grappled(t, fighter("a", "party", cmb(8), unarmed()), fighter("b", "foes", unarmed()), 11)
		f.End("a")
		f.End("b")
		f.Must(act("a", "grapple-continued", "", ""), 9)
		f.Answer(body.DecHold, "move")
		f.Must(act("a", "move", "", "", func(take *eventv1.TakeAction) { take.Path = []*eventv1.Position{{X: -30}} }))
		if feet, _ := body.Distance(f.Creature("a"), f.Creature("b")); feet != 5 || f.acts("a") != 0 {
			t.Errorf("the foe is %d feet away, %d acts left", feet, f.acts("a"))
		}
	})
	t.Run(cite.ManeuverEscapeGrapple, func(t *testing.T) {
		f := grappled(t, fighter("a", "party", cmb(8), cmd(20), unarmed()), fighter("b", "foes", cmb(7), unarmed(), section(func(c *eventv1.CelesiaSheet) { c.Skills = map[string]int32{"escape-artist": 13} })), 11)
		f.End("a")
		for _, face := range []int{12, 17, 20} { // 19, 19, 17 against 20
			f.Must(act("b", "escape-grapple", "", ""), face)
		}
		if answers.HeldBy(f.Creature("b")) != "a" {
			t.Error("all three fail")
		}
		f.End("b")
		f.Must(act("a", "grapple-continued", "", ""), 15)
		f.Answer(body.DecHold, "move")
		f.End("a")
		f.Must(act("b", "escape-grapple", "", ""), 2)
		f.Must(act("b", "escape-grapple", "", "", withParameters("check", "escape-artist")), 12)
		f.Answer(body.DecEscape, "control")
		if answers.Holds(f.Creature("b")) != "a" {
			t.Error("12 + 13 - 5 = 20 gains control")
		}
	})
}

func TestMovement(t *testing.T) {
	far := func(x int32) func(*eventv1.TakeAction) {
		return func(take *eventv1.TakeAction) { take.Path = []*eventv1.Position{{X: -x}} }
	}
	t.Run(cite.MovementMove, func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		wantRefused(t, f.Try(act("a", "move", "", "", far(35))), cite.MovementMove)
		f.Must(act("a", "move", "", "", far(30)))
	})
	t.Run(cite.InjuryDisabledHalfSpeed, func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		f.Hurt("a", 0)
		wantRefused(t, f.Try(act("a", "move", "", "", far(20))), cite.MovementMove)
		f.Must(act("a", "move", "", "", far(15)))
		f.WantHP("a", -1)
	})
	t.Run(cite.MovementStep, func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		f.Must(act("a", "step", "", "", far(5)))
		if len(f.Decisions) != 0 {
			t.Error("a step does not provoke")
		}
		wantRefused(t, f.Try(act("a", "step", "", "", far(15))), cite.MovementStep)
		wantRefused(t, f.Try(act("a", "step", "", "", withFacts("difficult", true))), cite.MovementStep)
	})
	t.Run(cite.MovementCrawl, func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		wantRefused(t, f.Try(act("a", "crawl", "", "", far(5))), cite.MovementCrawl)
		f.Must(act("a", "drop-prone", "", "")) // celesia.movement.drop-prone
		f.Must(act("a", "crawl", "", "", far(5)))
		if f.acts("a") != 2 || !body.Has(f.Creature("a"), body.CondProne) {
			t.Error("1 act, still prone")
		}
	})
	t.Run(cite.InjuryLeg, func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		f.Put("a", &eventv1.Vitals{Injuries: []*eventv1.Injury{{Kind: "leg", Side: "left"}}})
		wantRefused(t, f.Try(act("a", "move", "", "", far(20))), cite.MovementMove)
		f.Put("a", &eventv1.Vitals{Injuries: []*eventv1.Injury{{Kind: "leg", Side: "right"}}}) // celesia.injury.leg-all-lost
		if !body.Has(f.Creature("a"), body.CondProne) {
			t.Fatal("prone at once")
		}
		for _, what := range []string{"stand-up", "step"} {
			wantRefused(t, f.Try(act("a", what, "", "")), cite.InjuryLegAllLost)
		}
		f.Must(act("a", "crawl", "", "", far(5)))
	})
	t.Run(cite.EquipmentDrawWithMove, func(t *testing.T) {
		stowed := weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d8", Hands: 1, Hand: "stowed"})
		f := duel(t, fighter("a", "party", stowed, attacks(1)), fighter("b", "foes", unarmed()))
		f.Must(act("a", "move", "", "", withParameters("draw", "w"), far(10)))
		if f.acts("a") != 2 || f.Creature("a").Items["w"].Place != body.PlaceMain {
			t.Error("1 act in all")
		}
		f = duel(t, fighter("a", "party", stowed, attacks(0)), fighter("b", "foes", unarmed()))
		wantRefused(t, f.Try(act("a", "move", "", "", withParameters("draw", "w"))), cite.EquipmentDrawWithMove)
		// What is no weapon, or lies in the pack, is not drawn in passing.
		wand := carrying(&eventv1.CelesiaThing{Name: "wand", Place: body.PlaceCarried})
		f = duel(t, fighter("a", "party", stowed, wand, attacks(1)), fighter("b", "foes", unarmed()))
		wantRefused(t, f.Try(act("a", "move", "", "", withParameters("draw", "wand"), far(10))), cite.EquipmentDrawWithMove)
		f.Put("a", &eventv1.Vitals{Items: map[string]*eventv1.ItemState{"w": {Place: body.PlacePack}}})
		wantRefused(t, f.Try(act("a", "move", "", "", withParameters("draw", "w"), far(10))), cite.EquipmentDrawWithMove)
		f.Put("a", &eventv1.Vitals{Items: map[string]*eventv1.ItemState{"w": {Place: body.PlaceStowed}}})
		f.Must(act("a", "move", "", "", withParameters("draw", "w"), far(10)))
	})
}
