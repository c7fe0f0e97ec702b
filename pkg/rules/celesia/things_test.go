package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/items"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// setLoaded puts so many shots in the weapon "w".
func setLoaded(id string, n int32) func(*rules.Resolution) error {
	return func(r *rules.Resolution) error {
		body.SetValue(r, id, "w", body.ValueLoaded, n, "test", "")
		return nil
	}
}

// sheathed is a weapon of a sheet that is put away.
func sheathed(name string, hands int32, light bool) *eventv1.CelesiaWeapon {
	return &eventv1.CelesiaWeapon{Name: name, Kind: "melee", Dice: "1d6", Hands: hands, Light: light, Hand: "stowed"}
}

func arms(list ...*eventv1.CelesiaWeapon) func(*eventv1.Sheet) {
	return section(func(c *eventv1.CelesiaSheet) { c.Weapons = append(list, c.Weapons[1]) })
}

func TestDrawing(t *testing.T) {
	pair := arms(sheathed("short sword", 1, true), sheathed("dagger", 1, true))
	second := withParameters("second", "dagger")
	t.Run(cite.EquipmentDrawTwo, func(t *testing.T) {
		f := duel(t, fighter("a", "party", pair, features(body.FeatTwoWeapon)), fighter("b", "foes", unarmed()))
		f.Must(act("a", "draw", "short sword", "", second))
		if f.acts("a") != 2 || body.Where(f.Creature("a"), "short sword") != body.PlaceMain || body.Where(f.Creature("a"), "dagger") != body.PlaceOff {
			t.Errorf("%d acts, %v", f.acts("a"), f.Creature("a").Items)
		}
		f = duel(t, fighter("a", "party", pair), fighter("b", "foes", unarmed()))
		wantRefused(t, f.Try(act("a", "draw", "short sword", "", second)), cite.EquipmentDrawTwo)
		big := arms(sheathed("greatsword", 2, false), sheathed("dagger", 1, true))
		f = duel(t, fighter("a", "party", big, features(body.FeatTwoWeapon)), fighter("b", "foes", unarmed()))
		wantRefused(t, f.Try(act("a", "draw", "greatsword", "", second)), cite.EquipmentDrawTwo)
	})
	t.Run("celesia.equipment.draw-two with the Move", func(t *testing.T) {
		f := duel(t, fighter("a", "party", pair, features(body.FeatTwoWeapon), attacks(1)), fighter("b", "foes", unarmed()))
		f.Must(act("a", "move", "", "", withParameters("draw", "short sword", "second", "dagger"), way(0, 10)))
		if f.acts("a") != 2 || body.Where(f.Creature("a"), "dagger") != body.PlaceOff {
			t.Errorf("%d acts, %v", f.acts("a"), f.Creature("a").Items)
		}
	})
	t.Run(cite.EquipmentDrawWithMove, func(t *testing.T) {
		f := duel(t, fighter("a", "party", arms(sheathed("axe", 1, false)), attacks(0)), fighter("b", "foes", unarmed()))
		f.Must(act("a", "move", "", "", way(0, 5)))
		f.Must(act("a", "draw", "axe", ""))
		if f.acts("a") != 1 {
			t.Errorf("base attack 0: %d acts left, want 1", f.acts("a"))
		}
		f = duel(t, fighter("a", "party", arms(sheathed("axe", 1, false)), attacks(5)), fighter("b", "foes", unarmed()))
		f.Must(act("a", "step", "", "", way(0, 5)))
		f.Must(act("a", "draw", "axe", "")) // Step is not Move
		f.Must(act("a", "sheathe", "axe", ""))
		if f.acts("a") != 0 {
			t.Errorf("sheathing is never free: %d acts", f.acts("a"))
		}
	})
	t.Run(cite.EquipmentDrawSheathe, func(t *testing.T) {
		f := duel(t, fighter("a", "party", arms(sheathed("axe", 1, false))), fighter("b", "foes"))
		f.Must(act("a", "draw", "axe", ""))
		f.Answer(body.DecReaction, "no")
		f.Must(act("a", "attack", "axe", "b"), 2)
		f.Must(act("a", "attack", "axe", "b"), 2)
		if f.acts("a") != 0 {
			t.Errorf("%d acts left", f.acts("a"))
		}
	})
	t.Run("celesia.equipment.draw-sheathe wand in the pack", func(t *testing.T) {
		wand := func(place string) func(*eventv1.Sheet) {
			return carrying(&eventv1.CelesiaThing{Name: "wand", Place: place})
		}
		f := duel(t, fighter("a", "party", arms(sheathed("axe", 1, false)), wand("pack"), features(body.FeatQuickDraw)), fighter("b", "foes"))
		f.Must(act("a", "draw", "wand", "")) // out of easy reach: 1 act, and it provokes
		f.Answer(body.DecReaction, "no")
		if f.acts("a") != 2 {
			t.Errorf("%d acts left", f.acts("a"))
		}
		g := duel(t, fighter("a", "party", arms(&eventv1.CelesiaWeapon{Name: "axe", Kind: "melee", Dice: "1d6", Hands: 1, Hand: "pack"}), features(body.FeatQuickDraw)), fighter("b", "foes", unarmed()))
		g.Must(act("a", "draw", "axe", ""))
		if g.acts("a") != 2 {
			t.Error("Quick Draw does not reach into a pack")
		}
		wantRefused(t, g.Try(act("a", "move", "", "", withParameters("draw", "nothing"))), "")
	})
	t.Run(cite.EquipmentQuickDraw, func(t *testing.T) {
		f := duel(t, fighter("a", "party", arms(sheathed("axe", 1, false)), features(body.FeatQuickDraw)), fighter("b", "foes"))
		f.Must(act("a", "draw", "axe", ""))
		for range 3 {
			f.Must(act("a", "attack", "axe", "b"), 2)
		}
		if f.acts("a") != 0 || f.Creature("b").Counters[body.CReactions] != 1 {
			t.Error("3 attacks, no attack of opportunity")
		}
	})
}

func TestDroppedThings(t *testing.T) {
	spear := weapon(&eventv1.CelesiaWeapon{Name: "spear", Kind: "melee", Dice: "1d8", Hands: 1, Reach: true})
	sack := carrying(&eventv1.CelesiaThing{Name: "sack", Place: "off"})
	t.Run(cite.EquipmentDropItem, func(t *testing.T) {
		f := duel(t, fighter("a", "party", spear, sack), fighter("b", "foes", unarmed()))
		wantRefused(t, f.Try(act("a", "drop-item", "sack", "", way(0, 10))), cite.EquipmentDropItem)
		wantRefused(t, f.Try(act("a", "drop-item", "sack", "", withFacts("feet", 10))), cite.EquipmentDropItem)
		f.Must(act("a", "drop-item", "spear", "", way(0, 10)))
		f.Must(act("a", "drop-item", "sack", "", way(0, 5)))
		if at := body.Lies(f.Creature("a"), "spear"); at.GetY() != 10 || f.acts("a") != 3 {
			t.Errorf("the spear lies at %v", at)
		}
		wantRefused(t, f.Try(act("a", "pick-up", "spear", "")), cite.EquipmentManipulateItem)
		f.Must(act("a", "pick-up", "sack", ""))
		if body.Lies(f.Creature("a"), "sack") != nil || body.Where(f.Creature("a"), "sack") != body.PlaceMain {
			t.Errorf("%v", f.Creature("a").Items["sack"])
		}
	})
	t.Run("celesia.equipment.drop-item where it falls by itself", func(t *testing.T) {
		f := duel(t, fighter("a", "party", cmb(9)), fighter("b", "foes", cmd(18)))
		f.Must(act("a", "disarm", "", "b"), 9)
		if at := body.Lies(f.Creature("b"), "sword"); at.GetX() != 5 {
			t.Errorf("the sword lies at %v", at)
		}
	})
}

func TestShields(t *testing.T) {
	shield := carrying(&eventv1.CelesiaThing{Name: "shield", Kind: body.ThingShield, ShieldBonus: 2})
	t.Run("celesia.equipment.shield with the Move", func(t *testing.T) {
		f := duel(t, fighter("a", "party", defends(14), attacks(2), shield), fighter("b", "foes", unarmed()))
		f.Must(act("a", "move", "", "", withParameters("shield", "shield"), way(0, 5)))
		if dv := strike.Defense(f.Creature("a"), false).Value; dv != 16 || f.acts("a") != 2 || strike.Defense(f.Creature("a"), true).Value != 10 {
			t.Errorf("DV %d, %d acts", dv, f.acts("a"))
		}
		f.Must(act("a", "move", "", "", withParameters("shield", "shield"), way(0, 0))) // and off again
		if dv := strike.Defense(f.Creature("a"), false).Value; dv != 14 || body.Where(f.Creature("a"), "shield") != body.PlaceDropped {
			t.Errorf("DV %d, shield %s", dv, body.Where(f.Creature("a"), "shield"))
		}
	})
	t.Run("celesia.equipment.shield provokes", func(t *testing.T) {
		f := duel(t, fighter("a", "party", defends(14), attacks(0), shield), fighter("b", "foes"))
		wantRefused(t, f.Try(act("a", "move", "", "", withParameters("shield", "shield"))), cite.EquipmentShield)
		f.Must(act("a", "ready-shield", "shield", ""))
		f.Answer(body.DecReaction, "attack:sword", 9, 3) // 14 against DV 14: the shield is not yet on
		if f.Attack().Outcome != "hit" || strike.Defense(f.Creature("a"), false).Value != 16 || f.acts("a") != 2 {
			t.Errorf("%s, DV %d", f.Attack().Outcome, strike.Defense(f.Creature("a"), false).Value)
		}
		f.Must(act("a", "drop-shield", "shield", ""))
		if strike.Defense(f.Creature("a"), false).Value != 14 {
			t.Error("the bonus stays")
		}
		wantRefused(t, f.Try(act("a", "ready-shield", "shield", "")), cite.EquipmentShield)
	})
	t.Run("celesia.equipment.shield needs a hand", func(t *testing.T) {
		great := weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "2d6", Hands: 2})
		f := duel(t, fighter("a", "party", great, shield), fighter("b", "foes", unarmed()))
		wantRefused(t, f.Try(act("a", "ready-shield", "shield", "")), cite.EquipmentDrawSheathe)
	})
}

func TestManipulation(t *testing.T) {
	handle := func(acts, needed int, scattered bool) *eventv1.Command {
		return act("a", "manipulate", "", "", withParameters("task", "chest", "acts", float64(acts), "needed", float64(needed), "scattered", scattered))
	}
	done := func(f *table) int32 { return f.State.Tasks["task-a-chest"].GetValues()["done"] }
	t.Run("celesia.equipment.manipulate-complex scattered", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		f.Must(handle(2, 5, true))
		f.Must(act("a", "attack", "sword", "b"), 2)
		f.End("a")
		f.End("b")
		if done(f) != 2 {
			t.Fatalf("%d acts done, want 2", done(f))
		}
		f.Must(act("a", "continue-task", "chest", "", withParameters("acts", 3.0)))
		if len(f.State.Tasks) != 0 {
			t.Error("not done with the fifth act")
		}
	})
	t.Run("celesia.equipment.manipulate-complex consecutive", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		f.Must(handle(2, 5, false))
		f.Must(act("a", "attack", "sword", "b"), 2)
		f.End("a")
		f.End("b")
		f.Must(act("a", "continue-task", "chest", "", withParameters("acts", 3.0)))
		if done(f) != 3 {
			t.Errorf("%d acts done, want 3: the count starts again", done(f))
		}
	})
	t.Run("celesia.equipment.manipulate-complex off", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"), body.OptManipulate+"=off")
		wantRefused(t, f.Try(handle(1, 5, true)), cite.EquipmentManipulateComplex)
		f.Must(handle(1, 1, false)) // celesia.equipment.manipulate-item: 1 act, provokes
		f.Answer(body.DecReaction, "no")
		if f.acts("a") != 2 || len(f.State.Tasks) != 0 {
			t.Errorf("%d acts, %v", f.acts("a"), f.State.Tasks)
		}
	})
	t.Run(cite.EquipmentLockedGauntlet, func(t *testing.T) {
		gauntlet := carrying(&eventv1.CelesiaThing{Name: "gauntlet", Kind: body.ThingGauntlet, Place: body.PlaceWorn})
		f := duel(t, fighter("a", "party", gauntlet), fighter("b", "foes"))
		f.Must(act("a", "lock-gauntlet", "sword", ""))
		f.Answer(body.DecReaction, "no")
		if !items.Locked(f.Creature("a"), "sword") || f.acts("a") != 1 {
			t.Errorf("%v, %d acts", f.Creature("a").Items["sword"], f.acts("a"))
		}
		wantRefused(t, f.Try(act("a", "drop-item", "sword", "")), cite.EquipmentLockedGauntlet)
		f = duel(t, fighter("a", "party"), fighter("b", "foes"))
		wantRefused(t, f.Try(act("a", "lock-gauntlet", "sword", "")), cite.EquipmentLockedGauntlet)
	})
}
