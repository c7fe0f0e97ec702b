package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// celesia.mount.higher-ground: of melee attacks, a spell that touches among them, against
// who is on foot and smaller than the mount; nothing of a ray.
func TestHigherGround(t *testing.T) {
	spells := section(func(c *eventv1.CelesiaSheet) {
		c.Spells = []*eventv1.CelesiaSpell{{Name: "grasp", Casting: "swift", Attack: "melee-touch", Dice: "1d6"},
			{Name: "ray", Casting: "swift", Attack: "ranged-touch", Dice: "1d6", RangeFeet: 60}}
	})
	for name, c := range map[string]struct {
		cmd  *eventv1.Command
		size string
		want int32
	}{
		"a sword":                {act("a", "attack", "sword", "b"), "medium", 1},
		"a grasp":                {act("a", "cast", "grasp", "b"), "medium", 1},
		"a ray":                  {act("a", "cast", "ray", "b", withFacts("into_melee", false)), "medium", 0},
		"a grasp at its like":    {act("a", "cast", "grasp", "b"), "large", 0},
		"a sword at its like":    {act("a", "attack", "sword", "b"), "large", 0},
		"a sword at a small one": {act("a", "attack", "sword", "b"), "small", 1},
	} {
		t.Run(name, func(t *testing.T) {
			f := cavalry(t, fighter("a", "party", spells), horse(), fighter("b", "foes", unarmed(), sized(c.size), section(func(s *eventv1.CelesiaSheet) { s.Defense, s.TouchDefense = 60, 60 })))
			f.at("b", 10, 0)
			f.Must(c.cmd, 10)
			if got := from(f.Roll("to-hit").Modifiers, "higher ground"); got != c.want {
				t.Errorf("higher ground %d, want %d", got, c.want)
			}
		})
	}
}

// celesia.turn.attack-of-opportunity, celesia.mount.own-acts: what a mount shoots provokes
// as any shot does, and whom it strikes does not.
func TestMountThatShootsProvokes(t *testing.T) {
	spikes := section(func(c *eventv1.CelesiaSheet) {
		c.Weapons = append(c.Weapons, &eventv1.CelesiaWeapon{Name: "spike", Kind: "natural-ranged", Dice: "1d6", RangeFeet: 60, Limb: "tail"})
	})
	build := func(t *testing.T, settings ...string) *table {
		f := cavalry(t, fighter("a", "party"), horse(spikes), fighter("b", "foes", defends(60)))
		f.at("b", 10, 0)
		f.Must(act("a", "direct-mount", "", ""))
		return f
	}
	t.Run("with a hoof", func(t *testing.T) {
		f := build(t)
		f.Must(act("a", "mount-attack", "hoof", "b"), 10)
	})
	t.Run("with a spike", func(t *testing.T) {
		f := build(t)
		f.Must(act("a", "mount-attack", "spike", "b", withFacts("into_melee", false)))
		f.Answer(body.DecReaction+"/b", "attack:sword", 2, 10)
		f.WantAttacks("b miss", "h miss")
		if f.acts("h") != 2 || f.acts("a") != 3 || f.Creature("b").Counters[body.CReactions] != 0 {
			t.Errorf("the horse has %d acts, its rider %d, the foe %d reactions", f.acts("h"), f.acts("a"), f.Creature("b").Counters[body.CReactions])
		}
	})
	t.Run("felled before", func(t *testing.T) {
		f := build(t)
		f.Hurt("h", 3)
		f.Must(act("a", "mount-attack", "spike", "b", withFacts("into_melee", false)))
		f.Answer(body.DecReaction+"/b", "attack:sword", 15, 8)
		f.Answer(body.DecCrippling, "none", 10) // -5 of Constitution 12: disabled, with 2 acts, one of them spent
		f.WantLife("h", limping)
		if n := f.acts("h"); n != 1 {
			t.Errorf("%d acts, want 3 less one and one", n)
		}
	})
}

// celesia.mount.moved-two-acts, celesia.mount.charge: 5 feet of the mount leave its rider
// three acts, in a charge as well; more leave two.
func TestRidersActsAfterACharge(t *testing.T) {
	lance := weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d8", Hands: 1, Lance: true, Reach: true})
	for x, acts := range map[int32]int64{20: 3, 25: 2} { // the horse's space ends at 10, the lance reaches 10 feet
		f := cavalry(t, fighter("a", "party", lance), horse(), fighter("b", "foes", unarmed()))
		f.at("b", x, 0)
		f.Must(act("a", "ride-charge", "w", "b"))
		if f.acts("a") != acts || f.acts("h") != 1 {
			t.Errorf("a foe at %d: the rider has %d acts, the horse at %v %d, want %d and 1", x, f.acts("a"), f.Creature("h").Position, f.acts("h"), acts)
		}
		for _, id := range []string{"a", "h"} {
			if !body.Has(f.Creature(id), body.CondCharged) {
				t.Errorf("%s is not exposed", id)
			}
		}
		f.Must(act("a", "attack", "w", "b"), 2, 15, 4) // with the charge's advantage
		f.WantHP("b", 40-2*4)
	}
}

// celesia.mount.charge, celesia.dice.adv-target-charged, celesia.movement.charge-exposed: the
// drawback ends at the start of the rider's next turn, on both.
func TestChargeOfAMountIsOverWithTheNextTurn(t *testing.T) {
	f := cavalry(t, fighter("a", "party"), horse(), fighter("b", "foes", attacks(0)))
	f.at("b", 60, 0)
	f.Must(act("a", "ride-charge", "sword", "b"))
	f.End("a")
	for _, id := range []string{"a", "h"} {
		f.Must(act("b", "attack", "sword", id), 3, 2)
		if len(f.Roll("to-hit").Dice) != 2 {
			t.Errorf("%s is attacked with %v", id, f.Roll("to-hit").Dice)
		}
	}
	f.End("b")
	f.Must(act("a", "guide-with-knees", "", ""), 2)
	f.End("a")
	for _, id := range []string{"a", "h"} {
		f.Must(act("b", "attack", "sword", id), 3)
	}
}

// celesia.mount.mount-falls, celesia.mount.rider-dropped, celesia.mount.leaderless-avoids: a
// mount that falls costs its rider a Ride check, whoever brought it down.
func TestFallingWithTheMount(t *testing.T) {
	for face, hp := range map[int]int32{14: 36, 15: 40} {
		f := cavalry(t, fighter("a", "party"), horse(), fighter("b", "foes", cmb(60)))
		f.at("b", 10, 0)
		f.End("a")
		faces := []int{10, face}
		if hp < 40 {
			faces = append(faces, 4)
		}
		f.Must(act("b", "trip", "", "h"), faces...)
		f.WantHP("a", hp)
		if body.MountOf(f.Creature("a")) != "" || !body.Has(f.Creature("h"), body.CondProne) || body.Has(f.Creature("a"), body.CondProne) {
			t.Errorf("face %d: %v, %v", face, f.Creature("a").Conditions, f.Creature("h").Conditions)
		}
		if got := f.Creature("h").Counters[body.CActs]; got != 0 {
			t.Errorf("the horse has %d acts", got)
		}
	}
	t.Run("a rider who is unconscious and stays in the saddle", func(t *testing.T) {
		f := cavalry(t, fighter("a", "party"), horse(), fighter("b", "foes"))
		f.at("b", 10, 0)
		f.End("a")
		f.Roller = func(int) int { return 50 } // of 100: it stays
		f.Count("a", body.CNonlethal, 41)
		if body.MountOf(f.Creature("a")) != "h" || !body.Has(f.Creature("h"), "leaderless") || body.Has(f.Creature("a"), body.CondProne) {
			t.Fatalf("%v, %v", f.Creature("a").Conditions, f.Creature("h").Conditions)
		}
		if d := strike.MayReact(f.State, f.Creature("h")); d {
			t.Error("a mount without guidance reacts")
		}
		f.End("b") // the rider's turn comes and goes
		f.WantActive("b")
	})
}
