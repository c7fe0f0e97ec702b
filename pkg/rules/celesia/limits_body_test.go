package celesia

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// celesia.injury.leg-all-lost: what legs do not carry, and what does without them.
func TestWithoutLegs(t *testing.T) {
	wings := func(s *eventv1.Sheet) { s.Speeds = map[string]int32{"walk": 30, "fly": 60} }
	t.Run("celesia.injury.leg-all-lost on foot", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		f.Medicine(hit("a", 41, ""))
		f.Choose("leg:left")
		f.Hurt("a", 40)
		f.Medicine(hit("a", 41, ""))
		f.Choose("leg:right")
		f.Hurt("a", 40)
		if !body.Has(f.Creature("a"), body.CondProne) {
			t.Fatal("not prone at once")
		}
		for _, action := range []string{"stand-up", "move", "step"} {
			wantRefused(t, f.Try(act("a", action, "", "")), cite.InjuryLegAllLost)
			if optionsOf(f, "a", action)[0].Legal {
				t.Errorf("%s is listed as legal", action)
			}
		}
		wantRefused(t, f.Try(act("a", "crawl", "", "", path([2]int32{-10, 0}))), cite.MovementCrawl)
		f.Must(act("a", "crawl", "", "", path([2]int32{-5, 0})))
		f.Answer(body.DecReaction, "no") // Crawl provokes
		if f.acts("a") != 2 || f.Creature("a").Position.X != -5 {
			t.Errorf("%d acts left, at %v", f.acts("a"), f.Creature("a").Position)
		}
	})
	t.Run("celesia.injury.leg-all-lost with wings", func(t *testing.T) {
		f := duel(t, fighter("a", "party", wings), fighter("b", "foes", unarmed()))
		f.Put("a", &eventv1.Vitals{Injuries: several(1, "leg", "left", 0)})
		f.Medicine(hit("a", 41, ""))
		f.Choose("leg:right")
		f.Hurt("a", 40)
		if !body.Has(f.Creature("a"), body.CondProne) {
			t.Fatal("not prone")
		}
		wantRefused(t, f.Try(act("a", "stand-up", "", "")), cite.InjuryLegAllLost)
		wantRefused(t, f.Try(act("a", "move", "", "", withParameters("mode", "walk"), path([2]int32{-10, 0}))), cite.InjuryLegAllLost)
		o := optionsOf(f, "a", "move")[0]
		if ways, _ := wordsOf(o, "mode"); !o.Legal || !slices.Equal(ways, []string{"fly"}) {
			t.Fatalf("legal %v, ways %v", o.Legal, ways)
		}
		f.Must(act("a", "move", "", "", path([2]int32{-60, 0}))) // as listed, the way not named
		if body.Has(f.Creature("a"), body.CondProne) || f.Creature("a").Position.X != -60 {
			t.Errorf("prone %v at %v", body.Has(f.Creature("a"), body.CondProne), f.Creature("a").Position)
		}
		f.Medicine(hit("a", 5, "")) // and does not fall for being hurt
		if body.Has(f.Creature("a"), body.CondProne) {
			t.Error("fell out of the air")
		}
		f.Must(act("a", "step", "", "", withParameters("mode", "fly"), path([2]int32{-65, 0})))
		f.round()
		wantRefused(t, f.Try(act("a", "run", "", "", withParameters("mode", "fly"))), cite.InjuryLeg)
	})
	t.Run("celesia.movement.move what never walked", func(t *testing.T) {
		f := duel(t, fighter("a", "party", func(s *eventv1.Sheet) { s.Speeds = map[string]int32{"swim": 40} }), fighter("b", "foes", unarmed()))
		f.Must(act("a", "move", "", "", path([2]int32{-40, 0})))
		wantRefused(t, f.Try(act("a", "move", "", "", path([2]int32{-85, 0}))), cite.MovementMove)
	})
}

// celesia.attack.unarmed-basics: bound hands hold nothing, but other parts strike.
func TestBoundHands(t *testing.T) {
	bound := func(t *testing.T, change ...func(*eventv1.Sheet)) *table {
		f := duel(t, fighter("a", "party", change...), fighter("b", "foes", unarmed()))
		f.Afflict("a", body.CondHandsBound+"=manacles")
		return f
	}
	t.Run(cite.AttackUnarmedBasics, func(t *testing.T) {
		f := bound(t)
		wantRefused(t, f.Try(act("a", "attack", "sword", "b")), cite.AttackUnarmedBasics)
		f.Must(act("a", "attack", "fist", "b"), 12, 2)
		if f.Creature("b").Counters[body.CNonlethal] != 2 {
			t.Errorf("tally %d, want 2", f.Creature("b").Counters[body.CNonlethal])
		}
		f.Must(act("a", "drop-item", "sword", ""))
		wantRefused(t, f.Try(act("a", "pick-up", "sword", "")), cite.EquipmentDrawSheathe)
	})
	t.Run("celesia.attack.unarmed-basics claws are hands, teeth are not", func(t *testing.T) {
		f := bound(t, section(func(c *eventv1.CelesiaSheet) {
			c.Weapons = []*eventv1.CelesiaWeapon{{Name: "claw", Kind: "natural", Dice: "1d4", Limb: "right-hand"}, {Name: "bite", Kind: "natural", Dice: "1d4", Limb: "mouth"}}
		}))
		wantRefused(t, f.Try(act("a", "attack", "claw", "b")), cite.AttackUnarmedBasics)
		f.Must(act("a", "attack", "bite", "b"), 2)
	})
	t.Run("celesia.injury.hand-all-lost in fetters", func(t *testing.T) {
		for _, tc := range []struct{ somatic, refused bool }{{true, true}, {false, false}} {
			f := bound(t, spell(&eventv1.CelesiaSpell{Name: "s", Casting: "standard", Dice: "1d6", RangeFeet: 30, Verbal: true, Somatic: tc.somatic}))
			if err := f.Try(act("a", "cast", "s", "b"), []int{4}[:boolInt(!tc.refused)]...); (err != nil) != tc.refused {
				t.Errorf("somatic %v: %v", tc.somatic, err)
			}
		}
	})
	t.Run("celesia.attack.unarmed-basics no weapon threatens", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		f.Afflict("b", body.CondHandsBound)
		f.Must(act("a", "sheathe", "sword", ""))
		if len(f.Decisions) != 0 {
			t.Errorf("asked %v", f.Decisions)
		}
	})
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// celesia.injury.disabled-strain: the point is damage like other damage, and no loss.
func TestStrainIsDamage(t *testing.T) {
	t.Run("celesia.injury.disabled-strain after temporary hit points", func(t *testing.T) {
		f := patient(t, 40, -3)
		temp := int32(3)
		f.Put("p", &eventv1.Vitals{HpTemp: &temp})
		f.Medicine(&eventv1.Harm{Deed: body.DeedStrain, Target: "p", Amount: 2})
		if f.WantHP("p", -3); f.Creature("p").GetHpTemp() != 1 {
			t.Errorf("%d temporary hit points, want 1", f.Creature("p").GetHpTemp())
		}
		f.Medicine(&eventv1.Harm{Deed: body.DeedStrain, Target: "p", Amount: 2})
		if f.WantHP("p", -4); f.Creature("p").GetHpTemp() != 0 {
			t.Errorf("%d temporary hit points, want none", f.Creature("p").GetHpTemp())
		}
	})
	t.Run("celesia.injury.crippling-choice not for strain", func(t *testing.T) {
		f := patient(t, 40, 0)
		f.Medicine(&eventv1.Harm{Deed: body.DeedStrain, Target: "p", Amount: 1})
		if len(f.Decisions) != 0 {
			t.Error("an injury is offered")
		}
		f.WantHP("p", -1)
	})
	t.Run("celesia.death.dying-loss is no damage to temporary hit points", func(t *testing.T) {
		f := patient(t, 40, -14)
		temp := int32(3)
		f.Put("p", &eventv1.Vitals{HpTemp: &temp})
		f.Medicine(&eventv1.Harm{Deed: body.DeedTurnStart, Target: "p"}, 2)
		if f.WantHP("p", -15); f.Creature("p").GetHpTemp() != 3 {
			t.Errorf("%d temporary hit points, want 3", f.Creature("p").GetHpTemp())
		}
	})
	t.Run("celesia.injury.disabled-strain of a mount", func(t *testing.T) {
		f := cavalry(t, fighter("a", "party"), horse(con(20)), fighter("b", "foes", unarmed(), defends(60)))
		f.Hurt("h", 0)
		f.Must(act("a", "ride", "", "", path([2]int32{25, 0})))
		f.WantHP("h", -1)
		f.at("b", 35, 0)
		f.Must(act("a", "direct-mount", "", ""))
		f.Must(act("a", "mount-attack", "hoof", "b"), 2)
		f.WantHP("h", -2)
		f.WantHP("a", 40)
	})
	t.Run("celesia.injury.disabled-strain a mount falls in its charge", func(t *testing.T) {
		f := cavalry(t, fighter("a", "party", skilled("ride", 20)), horse(con(12)), fighter("b", "foes", unarmed(), defends(60)))
		f.Hurt("h", -10)
		f.at("b", 30, 0)
		f.Must(act("a", "ride-charge", "sword", "b"), 10) // the charge is made, then the mount drops; a soft fall
		f.WantHP("h", -12)
		f.WantLife("h", bleeds)
		if body.MountOf(f.Creature("a")) != "" || !body.Has(f.Creature("a"), body.CondCharging) {
			t.Error("still in the saddle, or without the charge")
		}
	})
	t.Run("celesia.injury.head-daze of a mount", func(t *testing.T) {
		f := cavalry(t, fighter("a", "party"), horse(), fighter("b", "foes", unarmed()))
		f.Put("h", &eventv1.Vitals{Injuries: several(5, "head", "", 0)})
		f.End("a")
		f.End("b", 50)
		if !body.Has(f.Creature("h"), body.CondDazed) || f.acts("h") != 0 {
			t.Errorf("dazed %v, %d acts", body.Has(f.Creature("h"), body.CondDazed), f.acts("h"))
		}
	})
}

// celesia.death.stabilize-continuous-damage: two sorts of it at once, each met by itself.
func TestTwoSortsOfContinuousDamage(t *testing.T) {
	f := patient(t, 40, 2)
	f.Count("p", body.CBleed, 4, mending.CContinuous, 6)
	f.Medicine(&eventv1.Harm{Deed: body.DeedTurnStart, Target: "p"})
	if got := f.Decisions; len(got) != 1 {
		t.Fatalf("open %v", got)
	}
	f.Choose("scar") // 4 of bleeding are cancelled: 2
	f.Choose("none") // the acid brings it to -4
	f.WantHP("p", -4)
	f.wantInjuries("scar", 1, 0)
	var points []int32
	for _, e := range f.Log {
		if d := e.GetDamage(); d != nil {
			points = append(points, d.Amount)
		}
	}
	if !slices.Equal(points, []int32{4, 6}) {
		t.Errorf("damage told: %v", points)
	}
}
