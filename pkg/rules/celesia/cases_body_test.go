package celesia

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/injury"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Worked cases of harm and healing, each with its own numbers.
func TestCasesOfBodies(t *testing.T) {
	turn := func(f *table, faces ...int) {
		f.Medicine(&eventv1.Harm{Deed: body.DeedTurnStart, Target: "p"}, faces...)
	}
	cure := func(f *table, points int32) {
		f.Medicine(&eventv1.Harm{Deed: body.DeedHeal, Target: "p", Amount: points, Facts: map[string]string{"via": "magic"}})
	}
	t.Run("celesia.injury.disabled-strain act, act, reaction", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		f.Hurt("a", 0)
		f.at("b", 20, 0)
		f.Must(act("a", "move", "", "", path([2]int32{15, 0}))) // celesia.injury.disabled-half-speed: the most
		f.WantHP("a", -1)
		f.Must(act("a", "attack", "sword", "b"), 2)
		f.WantHP("a", -2)
		f.End("a")
		f.Must(act("b", "sheathe", "sword", ""))
		f.Answer(body.DecReaction, "attack:sword", 2)
		f.WantHP("a", -3)
	})
	t.Run("celesia.injury.disabled-strain speaks and drops", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		f.Hurt("a", -2)
		f.Must(act("a", "speak", "", ""))
		f.Must(act("a", "drop-item", "sword", ""))
		f.WantHP("a", -2)
	})
	t.Run("celesia.injury.disabled-half-speed of 25 feet", func(t *testing.T) {
		f := duel(t, fighter("a", "party", walks(25)), fighter("b", "foes", unarmed()))
		f.Hurt("a", 0)
		wantRefused(t, f.Try(act("a", "move", "", "", path([2]int32{-15, 0}))), cite.MovementMove)
		f.Must(act("a", "move", "", "", path([2]int32{-10, 0}))) // two squares of the 12 feet
		if got := body.Speed(f.Creature("a"), "walk"); got != 12 {
			t.Errorf("%d feet, want 12", got)
		}
	})
	t.Run(cite.InjuryDisabledWhileRecovering, func(t *testing.T) {
		f := duel(t, fighter("a", "party", fortitude(40)), fighter("b", "foes", unarmed()))
		f.Hurt("a", -15)
		f.End("b", 10) // stable in its turn
		f.WantLife("a", stable)
		f.Medicine(&eventv1.Harm{Deed: body.DeedHeal, Target: "a", Amount: 6, Facts: map[string]string{"via": "magic"}})
		f.WantHP("a", -9)
		f.WantLife("a", limping)
		f.End("b")
		f.WantActive("a")
		if f.acts("a") != 2 {
			t.Errorf("%d acts, want 2", f.acts("a"))
		}
		f.Must(act("a", "crawl", "", ""))
		f.WantHP("a", -10)
	})
	t.Run("celesia.injury.disabled-still-reacts engages", func(t *testing.T) {
		// A disabled ally is engaged with the foe: a shot into that melee is hampered.
		bow := weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: body.KindProjectile, Dice: "1d6", Hands: 2, RangeFeet: 60})
		f := crowd(t, [][2]int32{{0, 0}, {40, 0}, {45, 0}}, fighter("a", "party", bow), fighter("b", "foes", defends(30), unarmed()), fighter("c", "party"))
		f.Hurt("c", 0)
		f.Must(act("a", "attack", "w", "b"), 2, 3)
		f.Must(act("a", "attack", "w", "b", withFacts("flanked", true)), 2) // flanked by the disabled: the two cancel
		f.Hurt("c", -12)
		f.Must(act("a", "attack", "w", "b"), 2) // the unconscious engage nobody
	})
	t.Run(cite.DeathRaisedByMagic, func(t *testing.T) {
		f := patient(t, 30, -26)
		cure(f, 20)
		f.WantHP("p", -26)
		f.WantLife("p", gone)
	})
	t.Run("celesia.death.stable-broken-by-damage nonlethal", func(t *testing.T) {
		f := patient(t, 40, -14, fortitude(4))
		turn(f, 20)
		f.Medicine(hit("p", 5, body.NatureNonlethal))
		f.WantLife("p", bleeds)
		turn(f, 3) // 3 + 4 - 7
		if r := f.Roll("stabilise/p"); r.Total != 0 {
			t.Errorf("total %d, want 0", r.Total)
		}
		f.WantLife("p", stable)
	})
	t.Run("celesia.death.stable-broken-by-damage not by what an injury cancels", func(t *testing.T) {
		f := patient(t, 40, -14, fortitude(4))
		turn(f, 20)
		f.Medicine(hit("p", 5, ""))
		f.Choose("scar")
		f.WantHP("p", -14)
		f.WantLife("p", stable)
		f.Medicine(hit("p", 6, ""))
		f.Choose("scar") // one point gets through
		f.WantHP("p", -15)
		f.WantLife("p", bleeds)
	})
	t.Run("celesia.healing.any-cure-stabilizes the next tick", func(t *testing.T) {
		f := patient(t, 40, -20)
		f.Count("p", body.CBleed, 2)
		f.Medicine(&eventv1.Harm{Deed: body.DeedHeal, Target: "p", Amount: 1}) // by no magic: the bleeding goes on
		f.WantLife("p", stable)
		turn(f)
		f.Choose("none") // -21 by the bleeding, and the failed save's point
		f.WantHP("p", -22)
		f.WantLife("p", bleeds)
	})
	t.Run("celesia.healing.heal-check-stabilizes tends", func(t *testing.T) { // celesia.rest.tended-stable-recovery
		f := patient(t, 40, -14).add(fighter("h", "party", skilled("heal", 9)))
		f.Medicine(&eventv1.Harm{Deed: body.DeedFirstAid, Target: "p", Source: "h"}, 15) // 15 + 9 - 14
		f.WantHP("p", -14)
		if c := f.Creature("p"); c.Life != stable || c.Marks[body.MTended] != rules.Yes {
			t.Errorf("%v, tended %q", c.Life, c.Marks[body.MTended])
		}
	})
	t.Run("celesia.healing.crippling-restoration not of a severed hand", func(t *testing.T) {
		f := maimed(t, several(1, "hand", "left", 0), several(1, "hand", "right", 0), several(1, "hand", "left", 1))
		f.Medicine(&eventv1.Harm{Deed: body.DeedRestore, Target: "p"}) // only the right one can be
		f.wantInjuries("hand", 1, 1)
		again := &eventv1.Harm{Deed: body.DeedRestore, Target: "p"}
		if err := f.TryResolve(func(r *rules.Resolution) error { return injury.Medicine{}.Deed(r, again) }); err == nil {
			t.Error("a second casting found something to heal")
		}
		f.wantInjuries("hand", 1, 1)
		if !body.Lost(f.Creature("p"), "hand", "left") || body.Lost(f.Creature("p"), "hand", "right") {
			t.Error("the left hand is gone, the right one is whole")
		}
	})
	t.Run("celesia.healing.crippling-severed arm and eye", func(t *testing.T) {
		f := maimed(t, several(1, "eye", "left", 0), several(1, "arm", "right", 1))
		f.Medicine(&eventv1.Harm{Deed: body.DeedRestore, Target: "p"})
		f.wantInjuries("eye", 0, 0)
		f.wantInjuries("arm", 0, 1)
		f.Medicine(&eventv1.Harm{Deed: body.DeedRegrow, Target: "p"})
		f.wantInjuries("arm", 0, 0)
	})
	t.Run(cite.HealingCripplingRegeneration, func(t *testing.T) {
		for hp, left := range map[int32]int{57: 3, 60: 0} {
			f := patient(t, 63, hp, features(body.FeatRegeneration), con(20))
			f.Put("p", &eventv1.Vitals{Injuries: slices.Concat(several(1, "arm", "left", 1), several(2, "head", "", 0))})
			f.Medicine(&eventv1.Harm{Deed: body.DeedHeal, Target: "p", Amount: 5})
			if c := f.Creature("p"); len(c.Injuries) != left || body.Has(c, body.CondSickened) != (left > 0) {
				t.Errorf("from %d: %d injuries, sickened %v", hp, len(c.Injuries), body.Has(c, body.CondSickened))
			}
		}
	})
	t.Run(cite.InjuryFingerHandLost, func(t *testing.T) {
		great := weapon(&eventv1.CelesiaWeapon{Name: "greatsword", Kind: "melee", Dice: "2d6", Hands: 2})
		f := patient(t, 40, 5, great, skilled("climb", 6))
		for n := range 5 {
			if body.Where(f.Creature("p"), "greatsword") != body.PlaceBoth {
				t.Fatalf("dropped with %d fingers lost", n)
			}
			f.Medicine(hit("p", 9, ""))
			f.Choose("finger:left")
		}
		if c := f.Creature("p"); body.Where(c, "greatsword") != body.PlaceDropped || strike.Usable(c, "left") || !strike.Usable(c, "right") || injury.Crippled(nil, c) != 5 {
			t.Errorf("greatsword %s, %d injuries", body.Where(c, "greatsword"), injury.Crippled(nil, c))
		}
		f.start(nil, 10)
		f.Must(act("p", "skill-check", "", "", withParameters("skill", "climb")), 12, 16)
		if got := f.Roll("check/climb").Total; got != 13 {
			t.Errorf("total %d, want 12 + 6 - 5", got)
		}
		f.Medicine(&eventv1.Harm{Deed: body.DeedRestore, Target: "p"}) // the derived loss ends with the first finger
		f.Choose("finger")
		if !strike.Usable(f.Creature("p"), "left") {
			t.Error("the hand is still lost")
		}
	})
	t.Run("celesia.injury.finger-severed rolled again", func(t *testing.T) {
		f := maimed(t, several(5, "finger", "left", 0), several(5, "finger", "right", 0), several(5, "finger", "left", 1), several(5, "finger", "right", 1))
		f.Resolve(func(r *rules.Resolution) error { injury.Impose(r, "p", 0, "test"); return nil }, 9, 10, 4)
		f.wantInjuries("scar", 1, 0)
	})
	t.Run("celesia.injury.hand the left one holds a sword", func(t *testing.T) {
		c := section(func(c *eventv1.CelesiaSheet) {
			c.Weapons = []*eventv1.CelesiaWeapon{{Name: "greatsword", Kind: "melee", Dice: "2d6", Hands: 2}, {Name: "sword", Kind: "melee", Dice: "1d8", Hands: 1, Hand: "stowed"}}
		})
		f := duel(t, fighter("a", "party", c), fighter("b", "foes", unarmed()))
		f.Hurt("a", 5)
		f.Medicine(hit("a", 9, ""))
		f.Choose("hand:right")
		wantRefused(t, f.Try(act("a", "pick-up", "greatsword", "")), cite.EquipmentDrawSheathe)
		f.Must(act("a", "draw", "sword", ""))
		f.Must(act("a", "attack", "sword", "b"), 2)
		if body.Where(f.Creature("a"), "sword") != body.PlaceOff {
			t.Errorf("the sword is in %s", body.Where(f.Creature("a"), "sword"))
		}
	})
	t.Run("celesia.injury.head-daze not dazed, but staggered", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		f.Put("a", &eventv1.Vitals{Injuries: several(5, "head", "", 0)})
		f.End("a")
		f.End("b", 51)
		if f.WantActive("a"); f.acts("a") != 1 {
			t.Errorf("%d acts, want 1", f.acts("a"))
		}
		f.End("a")
		f.End("b", 50) // dazed: the turn passes
		f.WantActive("b")
	})
	t.Run("celesia.injury.leg biped", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		f.at("b", 60, 0)
		f.Put("a", &eventv1.Vitals{Injuries: several(1, "leg", "left", 0)})
		wantRefused(t, f.Try(act("a", "charge", "sword", "b")), cite.InjuryLeg)
		wantRefused(t, f.Try(act("a", "run", "", "", path([2]int32{-15, 0}))), cite.InjuryLeg)
		f.Must(act("a", "move", "", "", path([2]int32{-15, 0})))
		wantRefused(t, f.Try(act("a", "move", "", "", path([2]int32{-35, 0}))), cite.MovementMove)
	})
	t.Run("celesia.injury.arm one injured", func(t *testing.T) {
		f := duel(t, fighter("a", "party", attacks(7)), fighter("b", "foes", defends(19)))
		f.Put("b", &eventv1.Vitals{Injuries: several(1, "arm", "left", 0)})
		f.Must(act("a", "attack", "sword", "b"), 4, 13, 1)
		if f.Roll("to-hit").Total != 20 || f.Attack().Outcome != "hit" {
			t.Errorf("total %d, %s", f.Roll("to-hit").Total, f.Attack().Outcome)
		}
	})
	t.Run("celesia.condition.staggered-by-nonlethal reacts", func(t *testing.T) {
		f := duel(t, fighter("a", "party", hitPoints(20)), fighter("b", "foes"))
		f.Count("a", body.CNonlethal, 10)
		if f.acts("a") != 1 {
			t.Fatalf("%d acts, want 1", f.acts("a"))
		}
		f.Must(act("a", "attack", "sword", "b"), 2)
		f.Must(act("a", "speak", "", ""))
		f.End("a")
		f.Must(act("b", "sheathe", "sword", ""))
		f.Answer(body.DecReaction, "attack:sword", 2)
	})
	t.Run("celesia.condition.unconscious-by-nonlethal helpless", func(t *testing.T) {
		f := patient(t, 22, 20)
		f.Count("p", body.CNonlethal, 20)
		if c := f.Creature("p"); strike.Helpless(c) || !body.Has(c, body.CondStaggered) {
			t.Error("20 of 20 is conscious and staggered")
		}
		f.Count("p", body.CNonlethal, 21)
		if c := f.Creature("p"); !strike.Helpless(c) || strike.Able(c) {
			t.Error("21 of 20 is unconscious and helpless")
		}
	})
	t.Run("celesia.injury.nonlethal-overflow-regeneration until 63", func(t *testing.T) {
		f := patient(t, 63, 63, features(body.FeatRegeneration))
		f.Count("p", body.CNonlethal, 60)
		f.Medicine(hit("p", 10, body.NatureNonlethal))
		f.WantLife("p", out)
		f.Count("p", body.CNonlethal, 64)
		f.WantLife("p", out)
		f.Count("p", body.CNonlethal, 63)
		f.WantLife("p", alive)
	})
}

// celesia.condition.staggered-by-nonlethal: one simple action, and nothing longer
// is begun.
func TestStaggeredBeginsNothingLonger(t *testing.T) {
	slow := spell(&eventv1.CelesiaSpell{Name: "s", Casting: "1-round", Dice: "1d6", RangeFeet: 60})
	musket := section(func(c *eventv1.CelesiaSheet) {
		c.Weapons = append(c.Weapons, &eventv1.CelesiaWeapon{Name: "w", Kind: "projectile", Dice: "1d8", Hands: 2, RangeFeet: 50, Load: body.LoadSimple, Hand: "stowed"})
	})
	build := func(t *testing.T) *table {
		f := duel(t, fighter("a", "party", slow, musket), fighter("b", "foes", unarmed()))
		f.Afflict("a", body.CondStaggered)
		f.Afflict("b", body.CondHelpless, body.CondInvisible)
		return f
	}
	for _, cmd := range []*eventv1.Command{
		act("a", "cast", "s", "b"), act("a", "coup-unseen", "sword", "b"), act("a", "begin-task", "", "", withParameters("task", "vault")),
		act("a", "disable-device", "", ""), act("a", "find-tracks", "", ""), act("a", "manipulate", "", "", withParameters("task", "chest", "needed", 2)),
	} {
		t.Run(cmd.GetTake().Action, func(t *testing.T) {
			wantRefused(t, build(t).Try(cmd), cite.ConditionStaggeredByNonlethal)
		})
	}
	for _, action := range []string{"cast", "coup-unseen", "begin-task"} {
		if optionsOf(build(t), "a", action)[0].Legal {
			t.Errorf("%s is listed as legal", action)
		}
	}
	f := build(t)
	f.Must(act("a", "manipulate", "", "", withParameters("task", "chest"))) // one act, a simple action
	f = build(t)
	f.Creature("a").Items["w"] = &eventv1.ItemState{Place: body.PlaceBoth, Values: map[string]int32{body.ValueLoaded: 0}}
	wantRefused(t, f.Try(act("a", "load-firearm", "w", "")), cite.ConditionStaggeredByNonlethal)
}

// celesia.injury.crippling-table: what injuries do to checks, as rolled.
func TestCasesOfHamperedChecks(t *testing.T) {
	lefts := func(n int, row string) []*eventv1.Injury { return several(n, row, "left", 0) }
	for _, tc := range []struct {
		rule           string
		injuries       []*eventv1.Injury
		skill, purpose string
		bonus          int32
		faces          []int
		total          int32
	}{
		{cite.InjuryScar, several(2, "scar", "", 0), "diplomacy", "", 8, []int{10}, 16},
		{cite.InjuryMajorScar, slices.Concat(several(1, "scar", "", 0), several(1, "major-scar", "", 0)), "bluff", "", 8, []int{15, 7}, 14},
		{"celesia.injury.major-scar intimidate", slices.Concat(several(1, "scar", "", 0), several(1, "major-scar", "", 0)), "intimidate", "", 8, []int{7}, 17},
		{"celesia.injury.crippling-permanent bluff", several(3, "scar", "", 0), "bluff", "", 5, []int{10}, 12},
		{"celesia.injury.crippling-permanent intimidate", several(3, "scar", "", 0), "intimidate", "", 5, []int{10}, 18},
		{"celesia.injury.crippling-permanent perform", several(2, "major-scar", "", 0), "perform-dance", "", 0, []int{14, 9, 17}, 9},
		{cite.InjuryFinger, lefts(3, "finger"), "disable-device", "", 9, []int{11}, 17},
		{"celesia.injury.finger swim", lefts(3, "finger"), "swim", "", 4, []int{11}, 15},
		{"celesia.injury.finger perform", lefts(3, "finger"), "perform-string", "", 4, []int{11}, 12},
		{"celesia.injury.finger perform otherwise", lefts(3, "finger"), "perform-oratory", "", 4, []int{11}, 15},
		{cite.InjuryEye, lefts(1, "eye"), "perception", "sight", 5, []int{3, 18}, 8},
		{"celesia.injury.eye by ear", lefts(1, "eye"), "perception", "", 5, []int{18}, 23},
		{"celesia.injury.head climb", several(1, "head", "", 0), "climb", "", 0, []int{12}, 12},
		{"celesia.injury.leg dance", lefts(1, "leg"), "perform-dance", "", 0, []int{12, 5}, 5},
		{"celesia.injury.leg swim", lefts(1, "leg"), "swim", "", 0, []int{12}, 12},
		{"celesia.injury.arm craft", lefts(1, "arm"), "craft", "", 0, []int{12, 5}, 5},
		{"celesia.injury.hand ride", slices.Concat(lefts(1, "hand"), several(1, "hand", "right", 0)), "ride", "", 0, []int{12, 5, 9}, 5},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			f := newTable(t).add(fighter("p", "party", skilled(tc.skill, tc.bonus)))
			f.Put("p", &eventv1.Vitals{Injuries: tc.injuries})
			f.start(nil, 10)
			f.Must(act("p", "skill-check", "", "", checking(tc.skill, tc.purpose)), tc.faces...)
			if got := f.Roll("check/" + tc.skill).Total; got != tc.total {
				t.Errorf("total %d, want %d", got, tc.total)
			}
		})
	}
}

// celesia.healing.crippling-severed: which part grows back is the patient's word,
// and its stump no longer bleeds.
func TestRegrowingOneOfSeveral(t *testing.T) {
	f := maimed(t, several(1, "arm", "left", 1), several(1, "leg", "right", 1), several(1, "hand", "right", 1))
	f.Count("p", body.CBleed, 6) // 2 and 2 and 1, and one of another wound
	f.Medicine(&eventv1.Harm{Deed: body.DeedRegrow, Target: "p"})
	if len(f.Decisions) != 1 || f.Decisions[0].Name != body.DecRestore || len(f.Decisions[0].Options) != 3 {
		t.Fatalf("open %v", f.Decisions)
	}
	f.Choose("leg")
	f.wantInjuries("leg", 0, 0)
	f.wantInjuries("arm", 0, 1)
	if got := f.Creature("p").Counters[body.CBleed]; got != 4 {
		t.Errorf("bleed %d, want 4", got)
	}
	f.Medicine(&eventv1.Harm{Deed: body.DeedRegrow, Target: "p", Facts: map[string]string{"injury": "hand"}})
	f.Medicine(&eventv1.Harm{Deed: body.DeedRegrow, Target: "p"}) // the last one, unasked
	if c := f.Creature("p"); len(c.Injuries) != 0 || c.Counters[body.CBleed] != 1 {
		t.Errorf("%d injuries, bleed %d, want 1", len(c.Injuries), c.Counters[body.CBleed])
	}
	if err := f.TryResolve(func(r *rules.Resolution) error {
		return injury.Medicine{}.Deed(r, &eventv1.Harm{Deed: body.DeedRegrow, Target: "p"})
	}); err == nil {
		t.Error("nothing is left to grow")
	}
}

// celesia.healing.crippling-regeneration: with the injuries goes what they caused.
func TestRegenerationEndsWhatInjuriesCaused(t *testing.T) {
	f := patient(t, 63, 60, features(body.FeatRegeneration), con(20))
	f.Put("p", &eventv1.Vitals{Injuries: slices.Concat(several(1, "leg", "left", 0), several(1, "leg", "right", 0), several(1, "leg", "left", 1),
		several(1, "eye", "left", 0), several(1, "eye", "right", 0), several(4, "head", "", 0))})
	f.Count("p", body.CBleed, 2)
	f.Medicine(&eventv1.Harm{Deed: body.DeedHeal, Target: "p", Amount: 3})
	c := f.Creature("p")
	for _, name := range []string{body.CondBlind, body.CondSickened, body.CondConfused, body.CondStaggered} {
		if body.Has(c, name) {
			t.Errorf("still %s", name)
		}
	}
	if len(c.Injuries) != 0 || c.Counters[body.CBleed] != 0 || body.Legless(c) {
		t.Errorf("%d injuries, bleed %d", len(c.Injuries), c.Counters[body.CBleed])
	}
}
