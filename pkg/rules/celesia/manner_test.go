package celesia

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// optionIDs are the options of the only open decision.
func optionIDs(t *testing.T, f *table) (out []string) {
	t.Helper()
	if len(f.Decisions) != 1 {
		t.Fatalf("open decisions: %v", f.Decisions)
	}
	for _, o := range f.Decisions[0].Options {
		out = append(out, o.Id)
	}
	return out
}

// An attack that answers something is made as its attacker chooses, as one made
// by a command is.
func TestMannerOfAnswers(t *testing.T) {
	strong := ability("strength", 16, "dexterity", 13)
	opportunity := func(t *testing.T, b ...func(*eventv1.Sheet)) *table {
		f := duel(t, fighter("a", "party", defends(14)), fighter("b", "foes", append([]func(*eventv1.Sheet){attacks(4), strong, weapon(blade(0))}, b...)...))
		f.Must(act("a", "sheathe", "sword", ""))
		return f
	}
	t.Run("celesia.reaction.attack-of-opportunity plainly", func(t *testing.T) {
		f := opportunity(t)
		if got := optionIDs(t, f); !slices.Equal(got, []string{"no", "attack:w", "otherwise:w"}) {
			t.Fatalf("offered %v", got)
		}
		f.Answer(body.DecReaction, "attack:w", 10, 5) // 10 + 4 + 3 + 1
		f.WantHP("a", 40-9)
	})
	t.Run("celesia.attack.nonlethal-with-lethal-weapon in an attack of opportunity", func(t *testing.T) {
		f := opportunity(t)
		f.Answer(body.DecReaction, "otherwise:w")
		f.Answer(manners.DecManner, "nonlethal", 17, 9, 5) // disadvantage: 9 + 8
		if f.WantHP("a", 40); f.Creature("a").Counters[body.CNonlethal] != 9 || f.Roll("to-hit").Total != 17 {
			t.Errorf("tally %d, total %d", f.Creature("a").Counters[body.CNonlethal], f.Roll("to-hit").Total)
		}
	})
	t.Run("celesia.attack.lethal-with-nonlethal-weapon in an attack of opportunity", func(t *testing.T) {
		fist := &eventv1.CelesiaWeapon{Name: "w", Kind: "unarmed", Dice: "1d3", Nonlethal: true, Light: true}
		f := opportunity(t, weapon(fist), features(body.FeatImprovedUnarmed))
		f.Answer(body.DecReaction, "otherwise:w")
		f.Answer(manners.DecManner, "lethal", 12, 2) // the feat lifts the drawback
		f.WantHP("a", 40-2-4)
		f = opportunity(t, weapon(fist), features(body.FeatMonk))
		f.Answer(body.DecReaction, "otherwise:w")
		f.Answer(manners.DecManner, "lethal", 12, 4) // 4 + 8 misses
		f.WantHP("a", 40)
	})
	t.Run("celesia.attack.power-attack-duration-exclusive in an attack of opportunity", func(t *testing.T) {
		f := opportunity(t)
		f.Answer(body.DecReaction, "otherwise:w")
		ways := optionIDs(t, f)
		if slices.Contains(ways, "power-attack,precision-strike") || !slices.Contains(ways, "nonlethal,power-attack,reckless-offense,weakened") || ways[0] != "plain" {
			t.Fatalf("offered %v", ways)
		}
		f.Answer(manners.DecManner, "power-attack,reckless-offense", 6, 5) // 6 + 8 - 2 + 4 = 16; 5 + 4 + 4
		f.WantHP("a", 40-13)
		if got := strike.Defense(f.Creature("b"), false).Value; got != 13 || f.Roll("to-hit").Total != 16 {
			t.Errorf("DV %d, total %d", got, f.Roll("to-hit").Total)
		}
		f.End("a") // b's turn: what lasted until it is over
		if body.Has(f.Creature("b"), mending.OptionPower) || strike.Defense(f.Creature("b"), false).Value != 15 {
			t.Error("still in force in its own turn")
		}
	})
	t.Run("celesia.attack.combat-expertise not in an attack of opportunity", func(t *testing.T) {
		f := opportunity(t, ability("intelligence", 13, "constitution", 13), section(func(c *eventv1.CelesiaSheet) { c.Stances = []string{"steel"} }))
		f.Answer(body.DecReaction, "otherwise:w")
		for _, way := range optionIDs(t, f) {
			if slices.Contains([]string{mending.OptionExpertise, mending.OptionMartial}, way) {
				t.Errorf("offered %s", way)
			}
		}
	})
	t.Run("celesia.attack.weakened-penalty in an attack of opportunity", func(t *testing.T) {
		f := opportunity(t)
		f.Answer(body.DecReaction, "otherwise:w")
		f.Answer(manners.DecManner, "weakened")
		f.AnswerWith(manners.DecCareful, &eventv1.Answer{Number: 2}, 10) // 10 + 8 - 2
		f.Answer(mending.DecHoldBack, "3", 5)                            // 5 + 4 - 3 - 4
		f.WantHP("a", 40-2)
	})
	t.Run("celesia.reaction.complete-readied in a manner", func(t *testing.T) {
		f := duel(t, fighter("a", "party", attacks(4), strong, weapon(blade(0))), fighter("b", "foes", defends(14)))
		f.Must(act("a", "ready", "w", "", withParameters("action", "attack", "trigger", "attack")))
		f.Must(act("b", "attack", "sword", "a"))
		f.Answer(body.DecReaction, "readied-otherwise")
		f.Answer(manners.DecManner, "nonlethal,power-attack", 12, 8, 5, 2) // 8 + 8 - 2 hits; then b's attack misses
		if f.WantHP("b", 40); f.Creature("b").Counters[body.CNonlethal] != 13 || rules.BegunOf(f.Creature("a"), body.BegunReadied) != nil {
			t.Errorf("tally %d", f.Creature("b").Counters[body.CNonlethal])
		}
	})
	t.Run("celesia.attack.deadly-aim with a readied shot", func(t *testing.T) {
		f := duel(t, fighter("a", "party", attacks(4), strong, weapon(longbow(0))), fighter("b", "foes", unarmed()))
		f.Must(act("a", "ready", "w", "", withParameters("action", "attack", "trigger", "move")))
		f.Must(act("b", "move", "", ""))
		f.Answer(body.DecReaction, "readied-otherwise")
		if ways := optionIDs(t, f); slices.Contains(ways, "nonlethal") || !slices.Contains(ways, mending.OptionDeadlyAim) {
			t.Fatalf("offered %v", ways)
		}
		f.Answer(manners.DecManner, mending.OptionDeadlyAim, 12, 5) // 12 + 4 + 1 - 2 = 15; 5 + 1 + 4
		f.WantHP("b", 40-10)
	})
}

func TestCleaveOtherwise(t *testing.T) {
	strong := ability("strength", 15)
	two := section(func(c *eventv1.CelesiaSheet) {
		c.Weapons = append(c.Weapons, &eventv1.CelesiaWeapon{Name: "dagger", Kind: "melee", Dice: "1d4", Hands: 1, Light: true, Hand: "off"})
	})
	t.Run("celesia.attack.cleave with the other weapon", func(t *testing.T) {
		f := row(t, strong, attacks(3), two)
		f.Must(act("a", "attack", "w", "b"), 15, 3)
		f.Answer(strike.DecCleave, manners.Otherwise)
		if got := optionIDs(t, f); !slices.Equal(got, []string{"c:w", "c:fist", "c:dagger"}) {
			t.Fatalf("offered %v", got)
		}
		f.Answer(strike.DecCleaveWith, "c:dagger")
		f.Answer(manners.DecManner, "nonlethal", 15, 12, 4) // 4 and half of 2
		if f.Creature("c").Counters[body.CNonlethal] != 5 {
			t.Errorf("tally %d, want 5", f.Creature("c").Counters[body.CNonlethal])
		}
	})
	t.Run("celesia.attack.cleave is made plainly, whatever the hit was", func(t *testing.T) {
		f := row(t, strong, attacks(3))
		f.Must(act("a", "attack", "w", "b", withParameters("damage", "nonlethal")), 15, 14, 3)
		f.Answer(strike.DecCleave, "c", 15, 4)
		f.WantHP("c", 34)
	})
	t.Run("celesia.attack.cleave-chain again in the round from 6 on", func(t *testing.T) {
		f := row(t, attacks(6))
		f.Must(act("a", "attack", "w", "b"), 12, 3)
		f.Answer(strike.DecCleave, "c", 2) // the chain ends with a miss
		f.Must(act("a", "attack", "w", "b"), 12, 3)
		f.Answer(strike.DecCleave, "c", 12, 3) // another attack action: c may be attacked once more
		f.Answer(strike.DecCleave, "d", 12, 3)
		for id, hp := range map[string]int32{"b": 32, "c": 36, "d": 36} {
			f.WantHP(id, hp)
		}
		if f.acts("a") != 1 {
			t.Errorf("%d acts left, want 1", f.acts("a"))
		}
	})
	t.Run("celesia.attack.cleave once a round at 5", func(t *testing.T) {
		f := row(t, attacks(5))
		f.Must(act("a", "attack", "w", "b"), 12, 3)
		f.Answer(strike.DecCleave, "c", 2)
		f.Must(act("a", "attack", "w", "b"), 12, 3)
		if len(f.Decisions) != 0 {
			t.Error("a second one in the round")
		}
		f.End("a")
		for _, id := range []string{"b", "c", "d"} {
			f.End(id)
		}
		f.Must(act("a", "attack", "w", "b"), 12, 3)
		f.Answer(strike.DecCleave, "no") // a new round
	})
	t.Run("celesia.attack.cleave-chain nobody twice in one action", func(t *testing.T) {
		f := row(t, attacks(8), two)
		f.Must(act("a", "multiweapon", "w", "b", withParameters("off", "dagger")), 15, 3)
		f.Answer(strike.DecCleave, "c", 12, 3)
		f.Answer(strike.DecCleave, "d", 12, 3, 18, 2)
		if len(f.Decisions) != 0 { // the dagger hit b; c was attacked in this action
			t.Errorf("asked %v", f.Decisions)
		}
	})
	t.Run("celesia.attack.cleave-chain does not need c to fall", func(t *testing.T) {
		f := row(t, attacks(6))
		f.Hurt("c", 1)
		f.Must(act("a", "attack", "w", "b"), 12, 3)
		f.Answer(strike.DecCleave, "c", 12, 8)
		f.Answer(body.DecCrippling, "none") // c drops; d stands beside where it fell
		f.Answer(strike.DecCleave, "d", 12, 3)
		f.WantHP("d", 36)
	})
}

// What is chosen with an action of several attacks, of a magus or of a mount.
func TestTradeOffsElsewhere(t *testing.T) {
	two := section(func(c *eventv1.CelesiaSheet) {
		c.Weapons = append(c.Weapons, &eventv1.CelesiaWeapon{Name: "dagger", Kind: "melee", Dice: "1d4", Hands: 1, Light: true, Hand: "off"})
	})
	t.Run("celesia.attack.power-attack chosen with two weapons", func(t *testing.T) {
		f := duel(t, fighter("a", "party", ability("strength", 14), attacks(4), two), fighter("b", "foes", unarmed(), hitPoints(90), defends(12)))
		f.Must(act("a", "multiweapon", "sword", "b", withParameters("options", "power-attack")), 15, 1, 16, 1)
		all := f.Rolls("/damage")
		if len(all) != 2 || from(all[0].Modifiers, "Power Attack") != 4 || from(all[1].Modifiers, "Power Attack") != 2 {
			t.Errorf("rolls %v", all)
		}
		wantRefused(t, f.Try(act("a", "attack", "sword", "b", with(mending.OptionPower))), cite.AttackPowerAttack)
	})
	t.Run("celesia.attack.combat-expertise with two weapons", func(t *testing.T) {
		f := duel(t, fighter("a", "party", ability("intelligence", 14), two), fighter("b", "foes", unarmed(), defends(60)))
		f.Must(act("a", "multiweapon", "sword", "b", with(mending.OptionExpertise)), 2, 2)
		if got := strike.Defense(f.Creature("a"), false).Value; got != 15+6 {
			t.Errorf("DV %d, want 21", got)
		}
	})
	t.Run("celesia.attack.power-attack with spell combat", func(t *testing.T) {
		magus := section(func(c *eventv1.CelesiaSheet) {
			c.Features = []string{body.FeatSpellCombat, body.FeatSpellstrike}
			c.Spells = []*eventv1.CelesiaSpell{{Name: "shock", Casting: "standard", Attack: "melee-touch", Dice: "1d6", Magus: true}}
		})
		for _, action := range []string{"spell-combat", "spellstrike"} {
			f := duel(t, fighter("a", "party", magus, ability("strength", 12)), fighter("b", "foes", unarmed(), defends(60)))
			wantRefused(t, f.Try(act("a", action, "sword", "b", withParameters("spell", "shock", "options", "power-attack"))), cite.AttackPowerAttack)
		}
		f := duel(t, fighter("a", "party", magus, ability("strength", 13), attacks(4)), fighter("b", "foes", unarmed()))
		f.Must(act("a", "spellstrike", "sword", "b", withParameters("spell", "shock", "options", "power-attack")), 12, 3, 2) // 12 + 4 + 1 - 2; 3 + 1 + 4, and 2
		f.WantHP("b", 40-8-2)
	})
	t.Run("celesia.mount.own-acts a mount with a trade-off", func(t *testing.T) {
		f := cavalry(t, fighter("a", "party"), horse(ability("strength", 16), attacks(2)), fighter("b", "foes", unarmed(), defends(10)))
		f.at("b", 10, 0)
		f.Must(act("a", "direct-mount", "", ""))
		f.Must(act("a", "mount-attack", "hoof", "b", with(mending.OptionPower)), 10, 2) // 10 + 2 + 3 - 1; 2 + 4 + 3
		f.WantHP("b", 40-9)
		if !body.Has(f.Creature("h"), mending.OptionPower) || body.Has(f.Creature("a"), mending.OptionPower) {
			t.Error("the mount's, not the rider's")
		}
		f.End("a")
		f.End("b")
		if body.Has(f.Creature("h"), mending.OptionPower) {
			t.Error("still in force in its next turn")
		}
	})
	t.Run("celesia.attack.cleave by a mount", func(t *testing.T) {
		f := cavalry(t, fighter("a", "party"), horse(ability("strength", 16), attacks(2)), fighter("b", "foes", unarmed(), defends(10)))
		f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: fighter("c", "foes", unarmed(), defends(10)), Position: &eventv1.Position{X: 10, Y: 5}}}}, 2)
		f.at("b", 10, 0)
		f.Must(act("a", "direct-mount", "", ""))
		f.Must(act("a", "mount-attack", "hoof", "b"), 10, 2)
		f.Answer(strike.DecCleave, "c", 10, 2)
		f.WantHP("c", 40-6)
		if f.acts("h") != 2 {
			t.Errorf("%d acts of the horse left, want 2", f.acts("h"))
		}
	})
}

func TestMartialPowerWithManeuvers(t *testing.T) {
	adept := fighter("a", "party", ability("constitution", 14), attacks(3), abilities(
		&eventv1.CelesiaAbility{Name: "storm", Kind: body.KindStrike, Time: body.TimeFull, Readied: true},
		&eventv1.CelesiaAbility{Name: "surge", Kind: body.KindBoost, Time: body.TimeSwift, Readied: true},
		&eventv1.CelesiaAbility{Name: "focus", Time: body.TimeSwift}))
	foe := func() *eventv1.Sheet { return fighter("b", "foes", unarmed(), defends(60)) }
	t.Run("celesia.attack.martial-power with a strike", func(t *testing.T) {
		f := duel(t, adept, foe())
		f.Must(act("a", "full-strike", "storm", "", with(mending.OptionMartial)))
		if f.Creature("a").GetHpTemp() != 4 || !body.Has(f.Creature("a"), mending.OptionMartial) {
			t.Errorf("%d temporary hit points, want 4", f.Creature("a").GetHpTemp())
		}
	})
	t.Run("celesia.attack.martial-power after a maneuver", func(t *testing.T) {
		f := duel(t, adept, foe())
		f.Must(act("a", "use-ability", "surge", ""))
		wantRefused(t, f.Try(act("a", "attack", "sword", "b", with(mending.OptionMartial))), cite.AttackMartialPower)
		f.End("a")
		f.End("b")
		f.Must(act("a", "attack", "sword", "b", with(mending.OptionMartial)), 2)
	})
	t.Run("celesia.attack.martial-power after an attack", func(t *testing.T) {
		f := duel(t, adept, foe())
		f.Must(act("a", "attack", "sword", "b"), 2)
		wantRefused(t, f.Try(act("a", "use-ability", "surge", "", with(mending.OptionMartial))), cite.AttackMartialPower)
	})
	t.Run("celesia.attack.martial-power not with any ability", func(t *testing.T) {
		f := duel(t, adept, foe())
		wantRefused(t, f.Try(act("a", "use-ability", "focus", "", with(mending.OptionMartial))), cite.AttackMartialPower)
		f.Must(act("a", "use-ability", "focus", ""))
		f.Must(act("a", "attack", "sword", "b", with(mending.OptionMartial)), 2) // the ability was no maneuver
	})
	t.Run("celesia.action.initiate-full-attack-strike only as such", func(t *testing.T) {
		f := duel(t, adept, foe())
		wantRefused(t, f.Try(act("a", "use-ability", "storm", "")), cite.ActionInitiateFullAttackStrike)
	})
}
