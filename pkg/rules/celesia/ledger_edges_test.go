package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Edges of attacks and shots that the cases of the ledger leave out.
func TestEdgesOfAttacks(t *testing.T) {
	bow := weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: body.KindProjectile, Dice: "1d6", Hands: 2, RangeFeet: 60})
	t.Run("celesia.reaction.attack-of-opportunity a reach weapon does not threaten beside", func(t *testing.T) {
		glaive := weapon(&eventv1.CelesiaWeapon{Name: "glaive", Kind: body.KindMelee, Dice: "1d10", Hands: 2, Reach: true})
		f := duel(t, fighter("a", "party"), fighter("b", "foes", glaive))
		f.Must(act("a", "sheathe", "sword", ""))
		if len(f.Decisions) != 0 {
			t.Fatalf("asked %v beside a glaive", f.Decisions)
		}
		f.at("b", 10, 0)
		f.Must(act("a", "draw", "sword", ""))
		if len(f.Decisions) != 1 {
			t.Error("not asked at 10 feet of a glaive")
		}
	})
	t.Run("celesia.attack.multiweapon-off-hand-damage a natural weapon as the main hand", func(t *testing.T) {
		claw := func(limb string) *eventv1.CelesiaWeapon {
			return &eventv1.CelesiaWeapon{Name: limb, Kind: body.KindNatural, Dice: "1d4", Limb: limb}
		}
		claws := section(func(c *eventv1.CelesiaSheet) {
			c.Weapons = []*eventv1.CelesiaWeapon{claw("right-hand"), claw("left-hand")}
		})
		f := duel(t, fighter("a", "party", claws, attacks(9), ability("strength", 18, "dexterity", 14)), fighter("b", "foes", unarmed()))
		f.Must(act("a", "multiweapon", "right-hand", "b", withParameters("off", "left-hand")), 10, 2, 10, 2)
		f.WantHP("b", 40-(2+6+3)-(2+2+1))
	})
	t.Run("celesia.attack.stray-line towards lower coordinates", func(t *testing.T) {
		f := crowd(t, [][2]int32{{50, 50}, {30, 30}, {20, 20}}, fighter("a", "party", bow), fighter("b", "foes", defends(40)), fighter("c", "foes", defends(10)))
		f.Must(act("a", "attack", "w", "b"), 10, 4) // 15 against 10 + 4
		f.wantStruck("b miss", "c hit")
		f.WantHP("c", 36)
	})
	t.Run("celesia.attack.nonlethal-with-lethal-weapon not with a bow", func(t *testing.T) {
		f := duel(t, fighter("a", "party", bow), fighter("b", "foes", unarmed()))
		wantRefused(t, f.Try(act("a", "attack", "w", "b", withParameters("damage", "nonlethal"))), cite.AttackNonlethalWithLethalWeapon)
	})
	t.Run("celesia.attack.into-melee the dead are no allies in it", func(t *testing.T) {
		f := crowd(t, [][2]int32{{0, 0}, {40, 0}, {45, 0}}, fighter("a", "party", bow), fighter("b", "foes", defends(30)), fighter("c", "party"))
		f.Hurt("c", -40)
		f.Must(act("a", "attack", "w", "b"), 3)
	})
	t.Run("celesia.movement.step in the dark", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		wantRefused(t, f.Try(act("a", "step", "", "", withFacts("dark", true))), cite.MovementStep)
	})
}

// Edges of maneuvers.
func TestEdgesOfManeuvers(t *testing.T) {
	t.Run("celesia.action.feint-creatures Intelligence 3", func(t *testing.T) {
		for intelligence, want := range map[int]int32{2: 10 + 5 - 8, 3: 10 + 5 - 4} {
			f := duel(t, fighter("a", "party", skill("bluff", 5)), fighter("b", "foes", section(func(c *eventv1.CelesiaSheet) { c.Humanoid = false }), ability("intelligence", intelligence)))
			f.Must(act("a", "feint", "", "b"), 10)
			if got := f.Roll("feint").Total; got != want {
				t.Errorf("Intelligence %d: total %d, want %d", intelligence, got, want)
			}
		}
	})
	t.Run("celesia.maneuver.grapple one who is held", func(t *testing.T) {
		f := crowd(t, [][2]int32{{0, 0}, {5, 0}, {10, 0}}, fighter("a", "party", unarmed(), cmb(8)), fighter("b", "foes", unarmed()), fighter("c", "party", unarmed()))
		f.Must(act("a", "grapple", "", "b"), 20)
		f.End("a")
		f.End("b")
		wantRefused(t, f.Try(act("c", "grapple", "", "b")), cite.ManeuverGrapple)
	})
	t.Run("celesia.maneuver.pin only escapes", func(t *testing.T) {
		f := duel(t, fighter("a", "party", carrying(&eventv1.CelesiaThing{Name: "shield", Kind: body.ThingShield})), fighter("b", "foes", unarmed()))
		f.Afflict("a", body.CondPinned)
		for _, what := range []string{"trip", "disarm", "bull-rush", "drag", "reposition", "dirty-trick", "grapple", "feint"} {
			wantRefused(t, f.Try(act("a", what, "", "b")), cite.ManeuverPin)
		}
		wantRefused(t, f.Try(act("a", "attack", "sword", "b")), cite.ManeuverPin)
		wantRefused(t, f.Try(act("a", "ready-shield", "shield", "")), cite.ManeuverPin)
		wantRefused(t, f.Try(act("a", "manipulate", "", "", withParameters("task", "chest"))), cite.ManeuverPin)
	})
	t.Run("celesia.maneuver.bull-rush-provoke without a map", func(t *testing.T) {
		for feat, asked := range map[string]int{body.FeatBullRush: 1, body.FeatDrag: 0} {
			f := newTable(t).add(fighter("a", "party", cmb(7), features(feat)), fighter("b", "foes", cmd(17)), fighter("c", "party")).start(nil, 15, 10, 5)
			for _, id := range []string{"a", "b", "c"} {
				f.End(id)
			}
			f.Must(act("a", "bull-rush", "", "b", withFacts("threatened_by", []string{"c"})), 20)
			if len(f.Decisions) != asked || asked == 1 && f.Decisions[0].Creature != "c" {
				t.Errorf("%s: asked %v, want %d", feat, f.Decisions, asked)
			}
			if asked == 0 {
				continue
			}
			f.Answer(body.DecReaction+"/c", "attack:sword", 2)
		}
	})
}

// Edges of things in hand.
func TestEdgesOfEquipment(t *testing.T) {
	t.Run("celesia.equipment.load-martial-firearm only free loads are three", func(t *testing.T) {
		gun := weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: body.KindProjectile, Dice: "1d8", Hands: 2, RangeFeet: 80, Load: body.LoadMartial, Capacity: 6})
		f := duel(t, fighter("a", "party", gun), fighter("b", "foes", unarmed()))
		f.Afflict("a", body.CondHasted)
		f.Resolve(setLoaded("a", 0))
		for range 4 {
			f.Must(act("a", "load", "w", ""))
		}
		if got := f.Creature("a").Items["w"].Values[body.ValueLoaded]; got != 4 || f.acts("a") != 0 {
			t.Errorf("%d cartridges, %d acts", got, f.acts("a"))
		}
	})
	t.Run("celesia.equipment.load-light-crossbow in hand", func(t *testing.T) {
		f := duel(t, shooter(body.LoadLight, false), fighter("b", "foes", unarmed()))
		f.Resolve(setLoaded("a", 0))
		f.Must(act("a", "sheathe", "w", ""))
		wantRefused(t, f.Try(act("a", "load", "w", "")), cite.EquipmentLoadLightCrossbow)
	})
	t.Run("celesia.equipment.draw-two on the move takes the feat", func(t *testing.T) {
		pair := arms(sheathed("short sword", 1, true), sheathed("dagger", 1, true))
		f := duel(t, fighter("a", "party", pair, attacks(1)), fighter("b", "foes", unarmed()))
		wantRefused(t, f.Try(act("a", "move", "", "", withParameters("draw", "short sword", "second", "dagger"), way(0, 10))), cite.EquipmentDrawTwo)
	})
	t.Run("celesia.equipment.oil-flask twice", func(t *testing.T) {
		flask := weapon(&eventv1.CelesiaWeapon{Name: "oil", Kind: body.KindThrown, Dice: "1d3", Hands: 1, RangeFeet: 10, Load: body.LoadFlask, Splash: true})
		f := duel(t, fighter("a", "party", flask), fighter("b", "foes"))
		f.Afflict("a", body.CondHasted)
		f.Must(act("a", "prepare-flask", "oil", ""))
		f.Answer(body.DecReaction, "no") // it provokes
		wantRefused(t, f.Try(act("a", "prepare-flask", "oil", "")), cite.EquipmentOilFlask)
	})
	t.Run("celesia.equipment.manipulate-complex broken by another handling", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		f.Must(act("a", "manipulate", "", "", withParameters("task", "chest", "acts", 2.0, "needed", 5.0)))
		f.Must(act("a", "manipulate", "", "", withParameters("task", "lever")))
		if got := f.State.Tasks["task-a-chest"].GetValues()["done"]; got != 0 {
			t.Errorf("%d acts done, want 0: the run was broken", got)
		}
	})
	t.Run("celesia.item.command-word spent", func(t *testing.T) {
		ring := carrying(&eventv1.CelesiaThing{Name: "ring", Kind: body.ThingCommand, Place: body.PlaceWorn,
			Spell: &eventv1.CelesiaSpell{Name: "spark", Casting: "standard", Dice: "1d4", RangeFeet: 30, Uses: 1}})
		f := duel(t, fighter("a", "party", ring), fighter("b", "foes", unarmed()))
		f.Must(act("a", "use-item", "ring", "b"), 2)
		f.WantHP("b", 38)
		f.End("a")
		f.End("b")
		wantRefused(t, f.Try(act("a", "use-item", "ring", "b")), cite.ItemCommandWord)
	})
	t.Run("celesia.spell.spellstrike takes the limb", func(t *testing.T) {
		touch := section(func(c *eventv1.CelesiaSheet) {
			c.Spells = []*eventv1.CelesiaSpell{{Name: "shock", Casting: "standard", Attack: "melee-touch", DicePerLevel: "1d6", CasterLevel: 3, Magus: true}}
			c.Features = []string{body.FeatSpellstrike}
			c.Weapons = append(c.Weapons, &eventv1.CelesiaWeapon{Name: "claw", Kind: body.KindNatural, Dice: "1d4", Limb: "right-hand"})
		})
		f := duel(t, fighter("a", "party", touch), fighter("b", "foes", unarmed()))
		f.Must(act("a", "spellstrike", "sword", "b", withParameters("spell", "shock")), 2)
		wantRefused(t, f.Try(act("a", "attack", "claw", "b")), cite.AttackNaturalLimbs)
	})
}

// celesia.mount.horse-space: who is moved by others takes its rider along, or
// leaves the saddle.
func TestPairsMovedByOthers(t *testing.T) {
	build := func(t *testing.T) *table {
		f := cavalry(t, fighter("a", "party", unarmed()), horse(), fighter("b", "foes", cmb(5)))
		f.at("b", 10, 0)
		f.End("a")
		f.WantActive("b")
		return f
	}
	t.Run("celesia.maneuver.bull-rush a mount", func(t *testing.T) {
		f := build(t)
		f.Must(act("b", "bull-rush", "", "h"), 10)
		f.wantAt("h", -5, 0)
		f.wantAt("a", -5, 0)
		if body.MountOf(f.Creature("a")) != "h" {
			t.Error("the rider is out of the saddle")
		}
	})
	t.Run("celesia.maneuver.drag a mount", func(t *testing.T) {
		f := build(t)
		f.Must(act("b", "drag", "", "h"), 10)
		f.wantAt("b", 15, 0)
		f.wantAt("h", 5, 0)
		f.wantAt("a", 5, 0)
	})
	t.Run("celesia.maneuver.bull-rush a rider", func(t *testing.T) {
		f := build(t)
		f.Must(act("b", "bull-rush", "", "a"), 10)
		f.wantAt("h", 0, 0)
		f.wantAt("a", -5, 0)
		if body.MountOf(f.Creature("a")) != "" || body.RiderOf(f.Creature("h")) != "" {
			t.Error("still a pair")
		}
	})
	t.Run("celesia.maneuver.drag from the saddle", func(t *testing.T) {
		f := cavalry(t, fighter("a", "party", unarmed()), horse(), fighter("b", "foes"))
		f.at("b", 10, 0)
		wantRefused(t, f.Try(act("a", "drag", "", "b")), cite.MountSharedInitiative)
	})
}
