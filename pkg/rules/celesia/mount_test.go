package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/magic"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	thesaddle "github.com/skaldrpg/skald/pkg/rules/celesia/saddle"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/play/situation"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// horse is a Large mount with a speed of 50 feet.
func horse(change ...func(*eventv1.Sheet)) *eventv1.Sheet {
	return fighter("h", "party", append([]func(*eventv1.Sheet){walks(50), func(s *eventv1.Sheet) { s.Size = "large" },
		bodyPlan(&eventv1.CelesiaBody{Legs: 4, Eyes: 2, Head: true}),
		section(func(c *eventv1.CelesiaSheet) {
			c.Humanoid, c.CombatTrained = false, true
			c.Weapons = []*eventv1.CelesiaWeapon{{Name: "hoof", Kind: "natural", Dice: "1d4", Limb: "hooves"}}
		})}, change...)...)
}

func skilled(skill string, bonus int32) func(*eventv1.Sheet) {
	return section(func(c *eventv1.CelesiaSheet) {
		if c.Skills == nil {
			c.Skills = map[string]int32{}
		}
		c.Skills[skill] = bonus
	})
}

func untrainedHorse(s *eventv1.Sheet) { s.GetCelesia().CombatTrained = false }

// cavalry is rider a on horse h at the origin, in a's turn, and foe b 200 feet
// off; everybody has acted.
func cavalry(t *testing.T, rider, mount, foe *eventv1.Sheet) *table {
	t.Helper()
	mount.Controllers = rider.Controllers
	f := newTable(t).add(rider, mount, foe)
	f.at("a", 0, 10)
	f.at("h", 0, 0)
	f.at("b", 200, 0)
	f.start(nil, 19, 5, 12) // a, b, h
	f.Must(act("a", "mount", "", "h"))
	f.End("a")
	f.End("b")
	f.WantActive("a")
	return f
}

func path(points ...[2]int32) func(*eventv1.TakeAction) {
	return func(take *eventv1.TakeAction) {
		for _, p := range points {
			take.Path = append(take.Path, &eventv1.Position{X: p[0], Y: p[1]})
		}
	}
}

func gait(name string, x, y int32) []func(*eventv1.TakeAction) {
	return []func(*eventv1.TakeAction){withParameters("gait", name), path([2]int32{x, y})}
}

func TestMounting(t *testing.T) {
	t.Run(cite.MountSharedInitiative, func(t *testing.T) {
		f := cavalry(t, fighter("a", "party"), horse(), fighter("b", "foes", unarmed()))
		f.Must(act("a", "ride", "", "", path([2]int32{50, 0})))
		if a, h := f.Creature("a"), f.Creature("h"); a.Position.X != 50 || h.Position.X != 50 || f.acts("a") != 2 || f.acts("h") != 2 {
			t.Errorf("rider at %v with %d acts, horse at %v with %d", a.Position, f.acts("a"), h.Position, f.acts("h"))
		}
		f.End("a")
		f.WantActive("b") // the horse has no turn of its own
		f.End("b")
		f.WantActive("a")
	})
	t.Run(cite.MountOwnActs, func(t *testing.T) {
		f := cavalry(t, fighter("a", "party"), horse(), fighter("b", "foes", unarmed(), defends(60)))
		f.Must(act("a", "ride", "", "", path([2]int32{50, 0})))
		f.Must(act("a", "ride", "", "", path([2]int32{100, 0})))
		if f.acts("h") != 1 {
			t.Errorf("%d acts of the horse left, want 1", f.acts("h"))
		}
		f.at("b", 110, 0)
		wantRefused(t, f.Try(act("a", "mount-attack", "hoof", "b")), cite.MountOwnActs)
		f.Must(act("a", "direct-mount", "", ""))
		f.Must(act("a", "mount-attack", "hoof", "b"), 2)
		wantRefused(t, f.Try(act("a", "ride", "", "", path([2]int32{100, 5}))), cite.MountOwnActs)
	})
	for _, told := range []bool{false, true} {
		t.Run("celesia.mount.own-acts opportunity", func(t *testing.T) {
			f := cavalry(t, fighter("a", "party", unarmed()), horse(), fighter("b", "foes"))
			f.at("b", 10, 0)
			if told {
				f.Must(act("a", "direct-mount", "", ""))
			}
			f.End("a")
			f.Must(act("b", "sheathe", "sword", ""))
			if asked := len(f.Decisions) > 0; asked != told {
				t.Errorf("the horse is asked: %v, want %v", asked, told)
			}
		})
	}
	t.Run(cite.MountHorseSpace, func(t *testing.T) {
		f := cavalry(t, fighter("a", "party"), horse(), fighter("b", "foes"))
		f.at("b", 10, 5) // beside the horse's 10-foot space
		if feet, _ := body.Distance(f.Creature("a"), f.Creature("b")); feet != 5 {
			t.Errorf("rider and foe %d feet apart, want 5", feet)
		}
	})
	t.Run(cite.MountMountDismount, func(t *testing.T) {
		for face, asked := range map[int]bool{12: false, 11: true} {
			f := cavalry(t, fighter("a", "party", skilled("ride", 8)), horse(), fighter("b", "foes"))
			f.at("b", 10, 0)
			f.Must(act("a", "quick-dismount", "", ""), face)
			if got := len(f.Decisions) > 0; got != asked {
				t.Errorf("face %d: b is asked %v, want %v", face, got, asked)
			}
			if asked {
				f.Answer(body.DecReaction, "no")
			}
			if f.acts("a") != 3 || body.MountOf(f.Creature("a")) != "" || body.RiderOf(f.Creature("h")) != "" {
				t.Error("still mounted, or it cost an act")
			}
		}
	})
	t.Run("celesia.mount.mount-dismount the horse acts alone again", func(t *testing.T) {
		f := cavalry(t, fighter("a", "party"), horse(), fighter("b", "foes", unarmed()))
		f.Must(act("a", "dismount", "", ""))
		if feet, _ := body.Distance(f.Creature("a"), f.Creature("h")); feet != 5 || f.acts("a") != 2 {
			t.Errorf("%d feet apart, %d acts left", feet, f.acts("a"))
		}
		f.End("a")
		f.WantActive("b") // the horse has had its turn of the round with its rider
		f.End("b")
		f.End("a")
		f.WantActive("h")
	})
	t.Run("celesia.mount.mount-dismount refused", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), horse(), fighter("b", "foes", func(s *eventv1.Sheet) { s.Size = "large" }), fighter("c", "party"))
		f.at("a", 0, 10)
		f.at("h", 0, 0)
		f.at("b", 5, 10)
		f.at("c", -5, 10)
		f.start(nil, 19, 5, 4, 3)
		wantRefused(t, f.Try(act("a", "mount", "", "b")), cite.MountMountDismount)
		wantRefused(t, f.Try(act("a", "mount", "", "c")), cite.MountMountDismount)
		f.at("h", 40, 0)
		wantRefused(t, f.Try(act("a", "mount", "", "h")), cite.MountMountDismount)
	})
}

func TestFrightenedMounts(t *testing.T) {
	t.Run(cite.MountUntrainedFrightened, func(t *testing.T) {
		f := cavalry(t, fighter("a", "party"), horse(), fighter("b", "foes"))
		if body.Has(f.Creature("h"), body.CondFrightened) {
			t.Error("a warhorse is frightened")
		}
		f.Must(act("a", "attack", "sword", "b", withFacts("distance", 5)), 2) // no control check
		f = cavalry(t, fighter("a", "party"), horse(untrainedHorse), fighter("b", "foes"))
		if !body.Has(f.Creature("h"), body.CondFrightened) {
			t.Error("a riding horse is not frightened")
		}
		wantRefused(t, f.Try(act("a", "attack", "sword", "b", withFacts("distance", 5))), cite.MountControlCheck)
		wantRefused(t, f.Try(act("a", "ride", "", "", path([2]int32{50, 0}))), cite.MountControlCheck)
		f.Must(act("a", "dismount", "", "")) // the rider may dismount instead
		if body.Has(f.Creature("h"), body.CondFrightened) {
			t.Error("frightened without a rider to frighten")
		}
	})
	t.Run(cite.MountControlCheck, func(t *testing.T) {
		f := cavalry(t, fighter("a", "party", skilled("ride", 9)), horse(untrainedHorse), fighter("b", "foes", defends(60)))
		f.at("b", 10, 0)
		f.Must(act("a", "control-mount", "", ""), 11)
		if f.acts("a") != 2 {
			t.Errorf("%d acts left, want 2", f.acts("a"))
		}
		f.Must(act("a", "attack", "sword", "b"), 2)
		f.End("a")
		f.End("b")
		wantRefused(t, f.Try(act("a", "attack", "sword", "b")), cite.MountControlCheck) // every round
	})
	t.Run("celesia.mount.control-check hasted", func(t *testing.T) {
		f := cavalry(t, fighter("a", "party", skilled("ride", 9)), horse(untrainedHorse), fighter("b", "foes"))
		hasted(f, "a")
		f.Must(act("a", "control-mount", "", ""), 11)
		if f.acts("a") != 2 {
			t.Errorf("%d acts left, want 2", f.acts("a"))
		}
	})
	t.Run("celesia.mount.control-check failed", func(t *testing.T) { // celesia.mount.control-frightened
		f := cavalry(t, fighter("a", "party", skilled("ride", 9)), horse(untrainedHorse), fighter("b", "foes"))
		f.at("b", 10, 0)
		f.Must(act("a", "control-mount", "", ""), 10)
		if f.acts("a") != 0 {
			t.Errorf("%d acts left, want none", f.acts("a"))
		}
		wantRefused(t, f.Try(act("a", "control-mount", "", "")), cite.MountControlCheck)
		wantRefused(t, f.Try(act("a", "drop-item", "sword", "")), cite.MountControlCheck)
		f.Must(act("a", "speak", "", ""))
		f.End("a")
		f.Must(act("b", "sheathe", "sword", ""))
		if len(f.Decisions) != 0 {
			t.Error("a reaction before the next turn")
		}
		f.End("b")
		f.Must(act("a", "control-mount", "", ""), 11) // a new turn, a new try
	})
	t.Run(cite.MountGuideWithKnees, func(t *testing.T) {
		great := &eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "2d6", Hands: 2}
		for face, free := range map[int]bool{2: true, 1: false} {
			f := cavalry(t, fighter("a", "party", skilled("ride", 3), weapon(great)), horse(), fighter("b", "foes", defends(60)))
			f.at("b", 10, 0)
			wantRefused(t, f.Try(act("a", "attack", "w", "b")), cite.MountGuideWithKnees)
			f.Must(act("a", "guide-with-knees", "", ""), face)
			wantRefused(t, f.Try(act("a", "guide-with-knees", "", "")), cite.MountGuideWithKnees)
			if free {
				f.Must(act("a", "attack", "w", "b"), 2)
			} else {
				wantRefused(t, f.Try(act("a", "attack", "w", "b")), cite.MountGuideWithKnees)
			}
		}
	})
}

func TestFightingMounted(t *testing.T) {
	t.Run(cite.MountHigherGround, func(t *testing.T) {
		for _, tc := range []struct {
			size    string
			mounted bool
			want    int32
		}{{"medium", false, 1}, {"large", false, 0}, {"medium", true, 0}} {
			f := cavalry(t, fighter("a", "party", attacks(8)), horse(), fighter("b", "foes", defends(60), func(s *eventv1.Sheet) { s.Size = tc.size }))
			f.at("b", 10, 0)
			if tc.mounted {
				f.Put("b", &eventv1.Vitals{Relations: []*eventv1.Relation{{Kind: body.RelRides, To: "a"}}})
			}
			f.Must(act("a", "attack", "sword", "b"), 2)
			if got := f.Roll("to-hit").Total; got != 2+8+tc.want {
				t.Errorf("%s mounted %v: total %d, want %d", tc.size, tc.mounted, got, 10+tc.want)
			}
		}
	})
	t.Run(cite.MountNoMeleePenalty, func(t *testing.T) {
		f := cavalry(t, fighter("a", "party", attacks(8)), horse(), fighter("b", "foes", defends(60)))
		f.at("b", 110, 0)
		f.Must(act("a", "ride", "", "", gait("double", 100, 0)...))
		f.Must(act("a", "attack", "sword", "b"), 10)
		if got := f.Roll("to-hit").Total; got != 19 {
			t.Errorf("total %d, want 10 + 9", got)
		}
	})
	t.Run(cite.MountMovedTwoActs, func(t *testing.T) {
		for feet, want := range map[int32]int64{5: 3, 10: 2} {
			f := cavalry(t, fighter("a", "party"), horse(), fighter("b", "foes"))
			f.Must(act("a", "ride", "", "", path([2]int32{feet, 0})))
			if f.acts("a") != want {
				t.Errorf("%d feet: %d acts, want %d", feet, f.acts("a"), want)
			}
		}
		f := cavalry(t, fighter("a", "party"), horse(), fighter("b", "foes", unarmed(), defends(60)))
		f.at("b", 10, 0)
		for range 3 {
			f.Must(act("a", "attack", "sword", "b"), 2)
		}
		wantRefused(t, f.Try(act("a", "ride", "", "", path([2]int32{-30, 0}))), cite.MountMovedTwoActs)
		f.Must(act("a", "ride", "", "", path([2]int32{-5, 0})))
	})
	t.Run(cite.MountCharge, func(t *testing.T) {
		f := cavalry(t, fighter("a", "party"), horse(), fighter("b", "foes", defends(60)))
		f.at("b", 60, 0)
		f.Must(act("a", "ride-charge", "sword", "b"))
		f.Must(act("a", "attack", "sword", "b"), 6, 15)
		if got := f.Roll("to-hit").Kept[0]; got != 15 {
			t.Errorf("kept %d, want 15", got)
		}
		if f.acts("a") != 1 || f.acts("h") != 1 {
			t.Errorf("%d acts of the rider, %d of the horse left, want 1 each", f.acts("a"), f.acts("h"))
		}
		for _, id := range []string{"a", "h"} {
			if got := situation.Stack(strike.EdgesOf(nil, f.Creature("b"), f.Creature(id), body.RollKind{Roll: checks.RollAttack})); got != 1 {
				t.Errorf("%d advantages against %s, want 1", got, id)
			}
		}
		f.End("a")
		f.End("b")
		if body.Has(f.Creature("a"), body.CondCharged) || body.Has(f.Creature("h"), body.CondCharged) {
			t.Error("still exposed in the next turn")
		}
	})
	t.Run("celesia.mount.charge refused", func(t *testing.T) {
		f := cavalry(t, fighter("a", "party"), horse(), fighter("b", "foes"))
		wantRefused(t, f.Try(act("a", "ride-charge", "sword", "b")), cite.MovementCharge) // 190 feet, 100 are the most
		f.at("b", 15, 0)
		f.Put("h", &eventv1.Vitals{Injuries: several(1, "leg", "1", 0)})
		wantRefused(t, f.Try(act("a", "ride-charge", "sword", "b")), cite.InjuryLeg)
		wantRefused(t, f.Try(act("a", "ride", "", "", gait("run", 5, 0)...)), cite.InjuryLeg)
	})
	t.Run(cite.MountLanceCharge, func(t *testing.T) {
		lance := &eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d8", Hands: 1, DamageBonus: 6, Lance: true}
		f := cavalry(t, fighter("a", "party", weapon(lance)), horse(), fighter("b", "foes", defends(18), hitPoints(90)))
		f.at("b", 60, 0)
		f.Must(act("a", "ride-charge", "w", "b"))
		f.Must(act("a", "attack", "w", "b"), 15, 14, 5) // 15 + 5 + 1
		f.WantHP("b", 90-22)
		f.End("a")
		f.End("b")
		f.Must(act("a", "attack", "w", "b"), 15, 5) // no charge
		f.WantHP("b", 90-22-11)
	})
	t.Run("celesia.mount.lance-charge critical", func(t *testing.T) {
		lance := &eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d8", Hands: 1, DamageBonus: 6, Lance: true}
		f := cavalry(t, fighter("a", "party", weapon(lance)), horse(), fighter("b", "foes", defends(24), hitPoints(90)))
		f.at("b", 60, 0)
		f.Must(act("a", "ride-charge", "w", "b"))
		f.Must(act("a", "attack", "w", "b"), 20, 14) // 8 x 2 + 6, doubled once
		f.WantHP("b", 90-44)
	})
	t.Run("celesia.mount.charge ends with the mount", func(t *testing.T) {
		f := cavalry(t, fighter("a", "party"), horse(hitPoints(5), con(1)), fighter("b", "foes"))
		f.at("b", 10, -5) // threatens the horse's way
		f.Must(act("a", "ride", "", "", path([2]int32{50, 5})))
		f.Answer(body.DecReaction+"/b", "attack:sword", 15, 8)
		f.Answer(body.DecCrippling, "none", 15) // the horse is dead; a soft fall
		if body.MountOf(f.Creature("a")) != "" || f.Creature("a").Position.X >= 50 {
			t.Errorf("the ride went on: rider at %v", f.Creature("a").Position)
		}
	})
}

func TestShootingMounted(t *testing.T) {
	shooter := func() *eventv1.Sheet {
		return fighter("a", "party", attacks(9), skilled("ride", 10), weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: "projectile", Dice: "1d8", Hands: 2, RangeFeet: 500}))
	}
	ready := func(t *testing.T) *table {
		f := cavalry(t, shooter(), horse(), fighter("b", "foes", unarmed(), hitPoints(90)))
		f.at("b", 400, 0)
		f.Must(act("a", "guide-with-knees", "", ""), 10)
		return f
	}
	t.Run(cite.MountRangedDoubleMove, func(t *testing.T) {
		f := ready(t)
		f.Must(act("a", "ride", "", "", gait("double", 100, 0)...))
		f.Must(act("a", "attack", "w", "b"), 10, 4)
		if f.Roll("to-hit").Total != 15 || f.Attack().Outcome != "hit" {
			t.Error("10 + 9 - 4 = 15 hits")
		}
	})
	t.Run("celesia.mount.ranged-double-move single", func(t *testing.T) {
		f := ready(t)
		f.Must(act("a", "ride", "", "", gait("single", 50, 0)...))
		f.Must(act("a", "attack", "w", "b"), 10, 4)
		if f.Roll("to-hit").Total != 19 {
			t.Error("no penalty for a single move")
		}
	})
	t.Run(cite.MountRangedRunning, func(t *testing.T) {
		f := ready(t)
		f.Must(act("a", "ride", "", "", gait("run", 200, 0)...))
		f.Must(act("a", "attack", "w", "b"), 13)
		if f.Roll("to-hit").Total != 14 || f.Attack().Outcome != "miss" {
			t.Error("13 + 9 - 8 = 14 misses")
		}
		if got := strike.Defense(f.Creature("h"), false); got.Value != 15 || !body.Has(f.Creature("h"), strike.CondRunning) {
			t.Errorf("the horse runs: %v", got)
		}
	})
	t.Run(cite.MountRangedAtIncrements, func(t *testing.T) {
		f := ready(t)
		f.Must(act("a", "ride", "", "", gait("double", 30, 0)...))
		wantRefused(t, f.Try(act("a", "attack", "w", "b")), cite.MountRangedAtIncrements)
		for _, x := range []int32{50, 100} {
			f.Must(act("a", "ride", "", "", path([2]int32{x, 0})))
			f.Must(act("a", "attack", "w", "b"), 2)
			if got := f.Roll("to-hit").Total; got != 2+9-4 {
				t.Errorf("at %d feet: total %d, want 7", x, got)
			}
		}
		if f.acts("a") != 0 || f.acts("h") != 1 {
			t.Errorf("%d acts of the rider, %d of the horse left", f.acts("a"), f.acts("h"))
		}
		wantRefused(t, f.Try(act("a", "attack", "w", "b")), cite.TurnThreeActs)
	})
	t.Run("celesia.mount.ranged-at-increments of a run", func(t *testing.T) {
		// After each 50 of the 200 feet a shot can be made; the rider's two acts allow two.
		for _, shots := range [][2]int32{{50, 100}, {100, 200}, {150, 200}} {
			f := ready(t)
			for x := int32(50); x <= 200; x += 50 {
				if x == 50 {
					f.Must(act("a", "ride", "", "", gait("run", 50, 0)...))
				} else {
					f.Must(act("a", "ride", "", "", path([2]int32{x, 0})))
				}
				if x == shots[0] || x == shots[1] {
					f.Must(act("a", "attack", "w", "b"), 2)
				}
			}
			if f.acts("a") != 0 || f.Creature("a").Position.X != 200 {
				t.Errorf("%v: %d acts left, at %v", shots, f.acts("a"), f.Creature("a").Position)
			}
			wantRefused(t, f.Try(act("a", "attack", "w", "b")), cite.TurnThreeActs)
		}
	})
}

func TestCastingMounted(t *testing.T) {
	caster := func(level int32, concentration int32) *eventv1.Sheet {
		return fighter("a", "party", spell(&eventv1.CelesiaSpell{Name: "s", Casting: "standard", Dice: "1d6", RangeFeet: 500, Level: level, Uses: 9}),
			section(func(c *eventv1.CelesiaSheet) { c.Concentration = concentration }))
	}
	foe := func() *eventv1.Sheet { return fighter("b", "foes", unarmed()) }
	t.Run(cite.MountCastBeforeOrAfter, func(t *testing.T) {
		f := cavalry(t, caster(3, 0), horse(), foe())
		f.Must(act("a", "ride", "", "", path([2]int32{50, 0})))
		f.Must(act("a", "cast", "s", "b"))
		f.Answer(thesaddle.DecRideOn, "no", 4) // no check
		f.WantHP("b", 36)
		wantRefused(t, f.Try(act("a", "ride", "", "", path([2]int32{60, 0}))), cite.MountCastWhileMoving)
		f = cavalry(t, caster(3, 0), horse(), foe())
		f.Must(act("a", "cast", "s", "b"), 4)
		f.Must(act("a", "ride", "", "", path([2]int32{50, 0})))
	})
	for face, kept := range map[int]bool{7: true, 6: false} {
		t.Run(cite.MountCastWhileMoving, func(t *testing.T) {
			f := cavalry(t, caster(3, 6), horse(), foe())
			f.Must(act("a", "ride", "", "", path([2]int32{25, 0})))
			faces := []int{face}
			if kept {
				faces = append(faces, 4)
			}
			f.Must(act("a", "cast", "s", "b"))
			f.Answer(thesaddle.DecRideOn, "yes", faces...)
			if got := f.Creature("b").GetHp() == 36; got != kept {
				t.Errorf("face %d: cast %v, want %v", face, got, kept)
			}
			if got := f.Creature("a").Counters[body.CLeft+"s"]; got != 8 {
				t.Errorf("%d castings left, want 8", got)
			}
			f.Must(act("a", "ride", "", "", path([2]int32{50, 0})))
		})
	}
	t.Run("celesia.mount.cast-while-moving a double move before", func(t *testing.T) {
		f := cavalry(t, caster(3, 6), horse(), foe())
		f.Must(act("a", "ride", "", "", gait("double", 100, 0)...))
		f.Must(act("a", "cast", "s", "b"), 7, 4)
		if got := f.Roll("concentration").Target.Value; got != 13 {
			t.Errorf("DC %d, want 13", got)
		}
	})
	t.Run(cite.MountCastWhileRunning, func(t *testing.T) {
		f := cavalry(t, caster(2, 7), horse(), foe())
		f.Must(act("a", "ride", "", "", gait("run", 100, 0)...))
		f.Must(act("a", "cast", "s", "b"), 10, 4)
		f.WantHP("b", 36)
		f = cavalry(t, caster(2, 7), horse(), foe())
		f.Must(act("a", "ride", "", "", gait("run", 150, 0)...))
		wantRefused(t, f.Try(act("a", "cast", "s", "b")), cite.MountCastWhileRunning)
	})
}

func TestFallsFromTheSaddle(t *testing.T) {
	for _, tc := range []struct {
		faces []int
		hp    int32
	}{{[]int{8}, 40}, {[]int{7, 4}, 36}} {
		t.Run(cite.MountMountFalls, func(t *testing.T) {
			f := cavalry(t, fighter("a", "party", skilled("ride", 7)), horse(hitPoints(5)), fighter("b", "foes",
				weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d4", Hands: 1, DamageBonus: 20})))
			f.at("b", 10, 0)
			f.End("a")
			f.Must(act("b", "attack", "w", "h"), 12, 1)
			f.Answer(body.DecCrippling, "none", tc.faces...)
			f.WantHP("a", tc.hp)
			if body.MountOf(f.Creature("a")) != "" || body.RiderOf(f.Creature("h")) != "" {
				t.Error("still in the saddle")
			}
		})
	}
	t.Run("celesia.mount.mount-falls tripped", func(t *testing.T) {
		f := cavalry(t, fighter("a", "party", skilled("ride", 7)), horse(), fighter("b", "foes", cmb(20), func(s *eventv1.Sheet) { s.Size = "large" }))
		f.at("b", 10, 0)
		f.End("a")
		f.Must(act("b", "trip", "", "h"), 15, 7, 4)
		f.WantHP("a", 36)
	})
	t.Run(cite.MountRiderDropped, func(t *testing.T) {
		for _, tc := range []struct {
			saddle string
			faces  []int
			stays  bool
			hp     int32
		}{{"", []int{50}, true, -14}, {"", []int{51, 3}, false, -17}, {"military", []int{75}, true, -14}, {"military", []int{76, 3}, false, -17}} {
			f := cavalry(t, fighter("a", "party", hitPoints(10)), horse(section(func(c *eventv1.CelesiaSheet) { c.Saddle = tc.saddle })), fighter("b", "foes",
				weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d4", Hands: 1, DamageBonus: 23})))
			f.at("b", 10, 0)
			f.End("a")
			f.Must(act("b", "attack", "w", "a"), 12, 1)
			f.Answer(body.DecCrippling, "none", tc.faces...)
			if !tc.stays {
				f.Answer(body.DecCrippling, "none")
			}
			f.WantHP("a", tc.hp)
			if got := body.MountOf(f.Creature("a")) != ""; got != tc.stays {
				t.Errorf("%q %v: in the saddle %v, want %v", tc.saddle, tc.faces, got, tc.stays)
			}
			if !body.Has(f.Creature("h"), manners.CondLeaderless) {
				t.Error("the horse fights on") // celesia.mount.leaderless-avoids
			}
		}
	})
	t.Run("celesia.mount.rider-dropped dead by the fall", func(t *testing.T) {
		f := cavalry(t, fighter("a", "party", hitPoints(10)), horse(), fighter("b", "foes",
			weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d4", Hands: 1, DamageBonus: 31})))
		f.at("b", 10, 0)
		f.End("a")
		f.Must(act("b", "attack", "w", "a"), 12, 1)
		f.Answer(body.DecCrippling, "none", 51, 2)
		f.Answer(body.DecCrippling, "none")
		f.WantHP("a", -24)
		f.WantLife("a", gone)
	})
	t.Run("celesia.mount.leaderless-avoids when the rider dies at once", func(t *testing.T) {
		f := cavalry(t, fighter("a", "party", hitPoints(10)), horse(), fighter("b", "foes",
			weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d4", Hands: 1, DamageBonus: 90})))
		f.at("b", 10, 0)
		f.End("a")
		f.Must(act("b", "attack", "w", "a"), 12, 1)
		f.Answer(body.DecCrippling, "none")
		f.WantLife("a", gone)
		if body.MountOf(f.Creature("a")) != "" || !body.Has(f.Creature("h"), manners.CondLeaderless) {
			t.Errorf("the dead ride %q, and the horse has %v", body.MountOf(f.Creature("a")), f.Creature("h").Conditions)
		}
	})
	t.Run(cite.MountLeaderlessAvoids, func(t *testing.T) {
		f := cavalry(t, fighter("a", "party"), horse(), fighter("b", "foes", unarmed()))
		f.Must(act("a", "dismount", "", ""))
		f.Afflict("h", manners.CondLeaderless)
		f.at("b", 10, 0)
		f.End("a")
		f.End("b")
		f.End("a")
		f.WantActive("h")
		wantRefused(t, f.Try(act("h", "attack", "hoof", "b")), cite.MountLeaderlessAvoids)
	})
}

// Who plays both of two creatures is one hand: a player of both, or the game master of two
// that no player has.
func TestSameHand(t *testing.T) {
	of := func(who ...string) *eventv1.Creature { return &eventv1.Creature{Controllers: who} }
	for _, c := range []struct {
		a, b *eventv1.Creature
		want bool
	}{
		{of(), of(), true},
		{of("ann"), of("ann"), true},
		{of("ann", "ben"), of("ben"), true},
		{of("ann"), of("ben"), false},
		{of("ann"), of(), false},
		{of(), of("ann"), false},
	} {
		if got := magic.SameHand(c.a, c.b); got != c.want {
			t.Errorf("%v and %v: %v", c.a.Controllers, c.b.Controllers, got)
		}
	}
}
