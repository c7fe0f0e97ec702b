package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func TestBodiesAndBands(t *testing.T) {
	for _, tc := range []struct {
		rule   string
		con    int
		damage int32
		at     int32
		want   eventv1.LifeStatus
	}{
		{"celesia.injury.hp-bands passes the disabled band", 9, 14, -9, bleeds},
		{"celesia.injury.hp-bands dead", 9, 23, -18, gone},
		{cite.DeathDeadThreshold, 10, 25, -20, gone},
		{"celesia.death.dead-threshold one less", 10, 24, -19, bleeds},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			f := patient(t, 40, 5, con(tc.con))
			f.Medicine(hit("p", tc.damage, ""))
			f.Choose("none")
			f.WantHP("p", tc.at)
			f.WantLife("p", tc.want)
		})
	}
	t.Run("celesia.injury.disabled-one-less-act hasted", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		hasted(f, "a")
		f.Hurt("a", -3)
		if f.acts("a") != 3 {
			t.Errorf("%d acts, want 3", f.acts("a"))
		}
		f.Must(act("a", "run", "", "")) // a full action is possible
		f.WantHP("a", -6)
	})
	t.Run("celesia.death.stabilize-continuous-damage ended in time", func(t *testing.T) {
		f := patient(t, 40, -13, fortitude(4)).add(fighter("h", "party", skilled("heal", 9)))
		f.Count("p", body.CBleed, 1)
		f.Medicine(&eventv1.Harm{Deed: body.DeedStaunch, Target: "p", Source: "h"}, 10)
		f.Medicine(&eventv1.Harm{Deed: body.DeedTurnStart, Target: "p"}, 10)
		f.WantLife("p", stable)
		f.WantHP("p", -13)
	})
	t.Run("celesia.death.stabilize-continuous-damage acid", func(t *testing.T) {
		f := patient(t, 40, -13, fortitude(40), immuneTo(body.ImmuneBleed))
		f.Count("p", body.CBleed, 5, mending.CContinuous, 3)
		f.Medicine(&eventv1.Harm{Deed: body.DeedTurnStart, Target: "p"}) // no die is rolled
		f.Choose("none")
		f.WantHP("p", -17)
		f.Medicine(&eventv1.Harm{Deed: body.DeedHeal, Target: "p", Amount: 1, Facts: map[string]string{"via": "magic"}})
		if f.Creature("p").Counters[mending.CContinuous] != 3 {
			t.Error("only bleeding ends by magic")
		}
	})
	t.Run("celesia.healing.into-disabled-band with a tally", func(t *testing.T) {
		f := patient(t, 40, -20)
		f.Count("p", body.CNonlethal, 6)
		f.Medicine(&eventv1.Harm{Deed: body.DeedHeal, Target: "p", Amount: 21})
		if f.WantHP("p", 1); f.Creature("p").Counters[body.CNonlethal] != 0 || f.Creature("p").Life != alive {
			t.Errorf("tally %d, %v", f.Creature("p").Counters[body.CNonlethal], f.Creature("p").Life)
		}
	})
	t.Run("celesia.rest.tended-stable-recovery by magic later", func(t *testing.T) {
		f := patient(t, 40, -20, fortitude(40))
		f.Medicine(&eventv1.Harm{Deed: body.DeedTurnStart, Target: "p"}, 10)
		if f.Creature("p").Marks[body.MTended] != "" {
			t.Error("tended by nobody")
		}
		f.Medicine(&eventv1.Harm{Deed: body.DeedHeal, Target: "p", Amount: 1, Facts: map[string]string{"via": "magic"}})
		if f.Creature("p").Marks[body.MTended] != rules.Yes {
			t.Error("magic tends")
		}
	})
	t.Run("celesia.condition.staggered-ends one point less", func(t *testing.T) {
		f := patient(t, 20, 20, section(func(c *eventv1.CelesiaSheet) { c.Level = 1 }))
		f.Medicine(hit("p", 10, body.NatureNonlethal))
		if !body.Has(f.Creature("p"), body.CondStaggered) {
			t.Fatal("10 of 20 staggers")
		}
		f.Count("p", body.CNonlethal, 9)
		if body.Has(f.Creature("p"), body.CondStaggered) {
			t.Error("9 of 20 does not")
		}
	})
	t.Run("celesia.injury.nonlethal-tally soaks nothing", func(t *testing.T) {
		f := patient(t, 20, 20)
		temp := int32(5)
		f.Put("p", &eventv1.Vitals{HpTemp: &temp})
		f.Medicine(hit("p", 7, body.NatureNonlethal))
		if c := f.Creature("p"); c.GetHpTemp() != 5 || c.Counters[body.CNonlethal] != 7 {
			t.Errorf("%d temporary hit points, tally %d", c.GetHpTemp(), c.Counters[body.CNonlethal])
		}
		for _, e := range f.Events {
			if e.GetDamage().GetSoaked() != 0 {
				t.Errorf("told as soaked: %v", e)
			}
		}
	})
	t.Run("celesia.injury.crippling-choice is secret", func(t *testing.T) {
		f := patient(t, 40, 5)
		f.Medicine(hit("p", 9, ""))
		for _, e := range event.Visible(f.Before, f.Events, player("nobody")) {
			if e.GetDamage() != nil || e.GetDecisionRequested() != nil {
				t.Errorf("a stranger hears %v", e)
			}
		}
	})
}

func TestAttacksAreNoted(t *testing.T) {
	t.Run("celesia.attack.combat-expertise after two weapons", func(t *testing.T) {
		two := section(func(c *eventv1.CelesiaSheet) {
			c.BaseAttack = 6
			c.Weapons = append(c.Weapons, &eventv1.CelesiaWeapon{Name: "dagger", Kind: "melee", Dice: "1d4", Hands: 1, Light: true, Hand: "off"})
		})
		f := duel(t, fighter("a", "party", ability("intelligence", 14), two), fighter("b", "foes", unarmed(), defends(60)))
		f.Must(act("a", "multiweapon", "sword", "b"), 2, 2)
		wantRefused(t, f.Try(act("a", "attack", "sword", "b", with(mending.OptionExpertise))), cite.AttackCombatExpertise)
		wantRefused(t, f.Try(act("a", "lunge", "", "")), cite.AttackLunge)
	})
	t.Run("celesia.attack.combat-expertise after a shot", func(t *testing.T) {
		f := duel(t, fighter("a", "party", ability("intelligence", 14), attacks(6), section(func(c *eventv1.CelesiaSheet) {
			c.Weapons = append(c.Weapons, &eventv1.CelesiaWeapon{Name: "dart", Kind: "thrown", Dice: "1d4", Hands: 1, RangeFeet: 20, Hand: "off"})
		})), fighter("b", "foes", unarmed(), defends(60)))
		f.Must(act("a", "attack", "dart", "b"), 2)
		f.Must(act("a", "attack", "sword", "b", with(mending.OptionExpertise)), 2) // the first one in melee
		wantRefused(t, f.Try(act("a", "lunge", "", "")), cite.AttackLunge)
	})
	t.Run("celesia.mount.mount-dismount when the mount leaves", func(t *testing.T) {
		f := cavalry(t, fighter("a", "party"), horse(), fighter("b", "foes", unarmed()))
		f.Must(&eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: "h"}}})
		if body.MountOf(f.Creature("a")) != "" {
			t.Error("rides what is gone")
		}
		f.Must(act("a", "move", "", ""))
	})
}

func TestSeveralAttacksAndTradeOffs(t *testing.T) {
	two := section(func(c *eventv1.CelesiaSheet) {
		c.BaseAttack = 8
		c.Weapons = append(c.Weapons, &eventv1.CelesiaWeapon{Name: "dagger", Kind: "melee", Dice: "1d4", Hands: 1, Light: true, Hand: "off"},
			&eventv1.CelesiaWeapon{Name: "claw", Kind: "natural", Dice: "1d4", Limb: "tail"})
	})
	t.Run("celesia.attack.power-attack off-hand of several", func(t *testing.T) {
		f := duel(t, fighter("a", "party", ability("strength", 14), two), fighter("b", "foes", unarmed(), hitPoints(200), defends(15)))
		f.Must(act("a", "attack", "sword", "b", with(mending.OptionPower)), 8, 1)
		f.Must(act("a", "multiweapon", "sword", "b", withParameters("off", "claw")), 15, 1, 16, 1)
		all := f.Rolls("/damage")
		if len(all) != 2 || from(all[0].Modifiers, "Power Attack") != 6 || from(all[1].Modifiers, "Power Attack") != 3 {
			t.Errorf("rolls %v, want 6 for the main hand and 3 for the other", all)
		}
	})
	t.Run("celesia.attack.cleave after one of several", func(t *testing.T) {
		f := row(t, two, attacks(5))
		f.Must(act("a", "multiweapon", "w", "b"), 15, 3)
		if len(f.Decisions) != 1 || f.Decisions[0].Name != strike.DecCleave {
			t.Fatalf("asked %v", f.Decisions)
		}
		f.Answer(strike.DecCleave, "c", 15, 4, 2)
		f.WantHP("c", 40-5)
		if len(f.Decisions) != 0 {
			t.Errorf("asked %v", f.Decisions)
		}
	})
}
