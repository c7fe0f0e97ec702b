package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Worked cases of long, free and answering actions, each with its own numbers.
func TestCasesOfActs(t *testing.T) {
	storm := spell(&eventv1.CelesiaSpell{Name: "s", Casting: "1-round", Dice: "1d6", RangeFeet: 60})
	t.Run("celesia.action.full-frame after a Move", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		f.Must(act("a", "move", "", ""))
		wantRefused(t, f.Try(act("a", "appraise-hoard", "", "")), cite.ActionFullFrame)
		f.round()
		f.Afflict("a", body.CondHasted)
		f.Must(act("a", "move", "", ""))
		f.Must(act("a", "appraise-hoard", "", ""), 12)
		if f.acts("a") != 0 {
			t.Errorf("%d acts left, want 0", f.acts("a"))
		}
	})
	t.Run("celesia.action.one-round-frame the target went away", func(t *testing.T) {
		for x, hit := range map[int32]bool{60: true, 65: false} {
			f := duel(t, fighter("a", "party", storm), fighter("b", "foes", unarmed(), walks(60)))
			f.Must(act("a", "cast", "s", "b"))
			f.End("a")
			f.Must(act("b", "move", "", "", path([2]int32{40, 0})))
			f.Must(act("b", "move", "", "", path([2]int32{x, 0})))
			if hit {
				f.End("b", 4)
				f.WantHP("b", 36)
				continue
			}
			f.End("b") // out of range when the spell is done
			f.WantHP("b", 40)
			if len(f.State.Tasks) != 0 || answers.Rounding(f.Creature("a")) != nil || f.acts("a") != 3 {
				t.Errorf("tasks %v, %d acts", f.State.Tasks, f.acts("a"))
			}
		}
	})
	t.Run("celesia.action.one-round-frame the target is prone by then", func(t *testing.T) {
		bolt := spell(&eventv1.CelesiaSpell{Name: "s", Casting: "1-round", Attack: "ranged-touch", Dice: "1d6", RangeFeet: 60})
		f := duel(t, fighter("a", "party", bolt), fighter("b", "foes", unarmed()))
		f.Must(act("a", "cast", "s", "b"))
		f.End("a")
		f.Must(act("b", "drop-prone", "", ""))
		f.End("b", 15, 2) // at disadvantage: 2 + 5 misses 10
		f.WantHP("b", 40)
	})
	t.Run("celesia.reaction.none-during-one-round with Combat Reflexes", func(t *testing.T) {
		musket := weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: "projectile", Dice: "1d8", Hands: 2, RangeFeet: 50, Load: body.LoadSimple})
		spiked := section(func(c *eventv1.CelesiaSheet) {
			c.Weapons = append(c.Weapons, &eventv1.CelesiaWeapon{Name: "boot", Kind: "natural", Dice: "1d4"})
		})
		f := duel(t, fighter("a", "party", musket, spiked, ability("dexterity", 16), features(body.FeatCombatReflexes)), fighter("b", "foes"))
		f.Creature("a").Items["w"].Values = map[string]int32{body.ValueLoaded: 0}
		f.Must(act("a", "load-firearm", "w", ""))
		f.Answer(body.DecReaction, "no")
		f.End("a")
		if f.Creature("a").Counters[body.CReactions] != 4 {
			t.Fatalf("%d reactions, want 4", f.Creature("a").Counters[body.CReactions])
		}
		f.Must(act("b", "sheathe", "sword", ""))
		if len(f.Decisions) != 0 {
			t.Errorf("asked %v", f.Decisions)
		}
	})
	t.Run("celesia.action.one-round-split not in the middle of a turn", func(t *testing.T) {
		f := duel(t, fighter("a", "party", storm), fighter("b", "foes", unarmed()))
		f.Must(act("a", "cast", "s", "b")) // begun with the first act it takes all three
		wantRefused(t, f.Try(act("a", "move", "", "")), cite.TurnThreeActs)
		f.End("a")
		f.End("b", 4)
		f.Must(act("a", "step", "", ""))
		f.Must(act("a", "cast", "s", "b"))
		wantRefused(t, f.Try(act("a", "move", "", "")), cite.TurnThreeActs)
	})
	t.Run(cite.ActionFreeOwnTurnOnly, func(t *testing.T) {
		ray := spell(&eventv1.CelesiaSpell{Name: "s", Casting: "swift", Dice: "1d6", RangeFeet: 30})
		f := duel(t, fighter("a", "party", ray), fighter("b", "foes", unarmed()))
		wantRefused(t, f.Try(act("b", "drop-prone", "", "")), cite.ActionFreeOwnTurnOnly)
		f.Must(act("a", "cast", "s", "b"), 1)
		f.Must(act("b", "speak", "", ""))
		f.Must(act("b", "identify-spell", "", "a"), 10)
		f.Must(act("a", "total-defense", "", ""))
		if f.acts("a") != 0 {
			t.Fatalf("%d acts left", f.acts("a"))
		}
		f.Must(act("a", "drop-item", "sword", ""))
		f.Must(act("a", "drop-prone", "", ""))
		f.WantActive("a")
	})
	t.Run("celesia.equipment.load-one-handed-simple-firearm the feat is for a musket", func(t *testing.T) {
		guns := section(func(c *eventv1.CelesiaSheet) {
			c.Weapons = []*eventv1.CelesiaWeapon{{Name: "pistol", Kind: "projectile", Dice: "1d8", Hands: 1, RangeFeet: 20, Load: body.LoadSimple},
				{Name: "musket", Kind: "projectile", Dice: "1d12", Hands: 2, RangeFeet: 40, Load: body.LoadSimple, RapidReload: true, Hand: "stowed"}}
		})
		f := duel(t, fighter("a", "party", guns), fighter("b", "foes", unarmed()))
		f.Creature("a").Items["pistol"].Values = map[string]int32{body.ValueLoaded: 0}
		f.Must(act("a", "load-firearm", "pistol", ""))
		if f.acts("a") != 0 || f.Creature("a").Items["pistol"].Values[body.ValueLoaded] != 1 {
			t.Errorf("%d acts left, want 0", f.acts("a"))
		}
	})
	t.Run("celesia.equipment.load-one-handed-simple-firearm both barrels", func(t *testing.T) {
		gun := weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: "projectile", Dice: "1d8", Hands: 1, RangeFeet: 50, Load: body.LoadSimple, Capacity: 2, RapidReload: true, Cartridge: true})
		f := duel(t, fighter("a", "party", gun), fighter("b", "foes", unarmed()))
		f.Creature("a").Items["w"].Values = map[string]int32{body.ValueLoaded: 0}
		f.Must(act("a", "load-firearm", "w", ""))
		f.Must(act("a", "load-firearm", "w", ""))
		if f.acts("a") != 1 || f.Creature("a").Items["w"].Values[body.ValueLoaded] != 2 {
			t.Errorf("%d acts left, want 1", f.acts("a"))
		}
	})
	t.Run("celesia.attack.fighting-defensively without a base attack bonus", func(t *testing.T) {
		f := duel(t, fighter("a", "party", attacks(0)), fighter("b", "foes", unarmed()))
		f.Must(act("a", "fight-defensively", "", ""))
		if got := strike.Defense(f.Creature("a"), false).Value; got != 15 {
			t.Errorf("DV %d, want 15", got)
		}
		f.Must(act("a", "attack", "sword", "b"), 20, 3) // two dice, the lower one: a miss
		if f.Attack().Outcome != "miss" {
			t.Error("without the disadvantage")
		}
	})
}

func TestCasesOfReactions(t *testing.T) {
	bolt := section(func(c *eventv1.CelesiaSheet) {
		c.Spells = []*eventv1.CelesiaSpell{{Name: "bolt", Casting: "standard", Dice: "1d6", RangeFeet: 100}}
	})
	// x casts at y, who can counter; z, an ally of x, threatens y, and so does x when near.
	build := func(t *testing.T, near bool) *table {
		f := newTable(t).add(fighter("x", "party", bolt), fighter("y", "foes", bolt, features(body.FeatCounterspell), unarmed()), fighter("z", "party"))
		f.at("x", 0, 0)
		f.at("y", 50, 0)
		if near {
			f.at("x", 45, 0)
		}
		f.at("z", 55, 0)
		f.start(nil, 15, 10, 5)
		for _, id := range []string{"x", "y", "z"} {
			f.End(id)
		}
		return f
	}
	t.Run("celesia.reaction.chain nobody left to answer", func(t *testing.T) {
		f := build(t, false)
		f.Count("z", body.CReactions, 0)
		f.Must(act("x", "cast", "bolt", "y"))
		f.Answer(body.DecReaction+"/y", "counterspell") // unanswered
		f.Answer(body.DecCounter, "yes")
		f.WantHP("y", 40)
	})
	t.Run("celesia.reaction.chain not in one's own turn", func(t *testing.T) {
		f := build(t, true)
		f.Must(act("x", "cast", "bolt", "y"))
		f.Answer(body.DecReaction+"/y", "counterspell")
		if len(f.Decisions) != 1 || f.Decisions[0].Creature != "z" { // not x, though it threatens y
			t.Fatalf("asked %v", f.Decisions)
		}
		f.Answer(body.DecReaction+"/z", "no")
		f.Answer(body.DecCounter, "no", 4)
		f.WantHP("y", 36)
	})
	t.Run("celesia.reaction.counterspell no reaction left", func(t *testing.T) {
		f := build(t, false)
		f.Count("y", body.CReactions, 0)
		f.Must(act("x", "cast", "bolt", "y"), 4)
		f.WantHP("y", 36)
	})
	t.Run("celesia.reaction.attack-of-opportunity fells before the act", func(t *testing.T) {
		f := duel(t, fighter("a", "party", hitPoints(5)), fighter("b", "foes", weapon(blade(20))))
		f.Must(act("a", "sheathe", "sword", ""))
		f.Answer(body.DecReaction, "attack:w", 15, 3)
		f.Answer(body.DecCrippling, "none") // 5 - 23
		f.WantLife("a", bleeds)
		if body.Where(f.Creature("a"), "sword") != body.PlaceMain {
			t.Error("the act was done by the dying")
		}
	})
	t.Run("celesia.reaction.attack-of-opportunity an injury saves the act", func(t *testing.T) {
		f := duel(t, fighter("a", "party", hitPoints(5)), fighter("b", "foes", weapon(blade(20))))
		f.Must(act("a", "sheathe", "sword", ""))
		f.Answer(body.DecReaction, "attack:w", 15, 3)
		f.Answer(body.DecCrippling, "hand:left") // 23 of 25 cancelled
		f.WantHP("a", 5)
		if body.Where(f.Creature("a"), "sword") != body.PlaceStowed || f.acts("a") != 2 {
			t.Errorf("sword %s, %d acts", body.Where(f.Creature("a"), "sword"), f.acts("a"))
		}
	})
	t.Run("celesia.reaction.attack-of-opportunity the injury is to the hand that acts", func(t *testing.T) {
		f := duel(t, fighter("a", "party", hitPoints(5)), fighter("b", "foes", weapon(blade(20))))
		f.Must(act("a", "sheathe", "sword", ""))
		f.Answer(body.DecReaction, "attack:w", 15, 3)
		f.Answer(body.DecCrippling, "hand:right") // the sword falls: nothing to put away
		if body.Where(f.Creature("a"), "sword") != body.PlaceDropped || f.acts("a") != 2 {
			t.Errorf("sword %s, %d acts", body.Where(f.Creature("a"), "sword"), f.acts("a"))
		}
	})
}
