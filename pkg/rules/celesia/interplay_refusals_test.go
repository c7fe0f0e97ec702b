package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// tiedUp pins a creature by ropes that outlast every grapple.
func tiedUp(id string) func(f *table) {
	return func(f *table) {
		f.Put(id, &eventv1.Vitals{Conditions: append(f.Creature(id).Conditions, &eventv1.Condition{Name: body.CondPinned, Variant: answers.VariantRopes, Cause: "rope", Values: map[string]int32{"dc": 25}})})
	}
}

// celesia.maneuver.grapple-tie-up, celesia.maneuver.pin: what the pinned cannot do, each
// possible until the ropes are on.
func TestTheTiedUpCannot(t *testing.T) {
	gear := section(func(c *eventv1.CelesiaSheet) {
		c.Weapons = append(c.Weapons, &eventv1.CelesiaWeapon{Name: "oil", Kind: "thrown", Dice: "1d6", Hands: 1, RangeFeet: 10, Splash: true, Load: body.LoadFlask, Hand: "off"},
			&eventv1.CelesiaWeapon{Name: "knife", Kind: "melee", Dice: "1d4", Hands: 1, Light: true, Hand: "stowed"})
		c.Potions = []*eventv1.CelesiaPotion{{Name: "draught", Healing: "1d8", Count: 3}}
		c.Things = []*eventv1.CelesiaThing{{Name: "ring", Kind: body.ThingCommand, Place: "worn", Spell: &eventv1.CelesiaSpell{Name: "y", Casting: "standard", Dice: "1d4", RangeFeet: 30}}}
		c.SpecialAbilities = []*eventv1.CelesiaAbility{{Name: "storm", Kind: body.KindStrike, Time: body.TimeFull, Readied: true}}
	})
	crossbow := section(func(c *eventv1.CelesiaSheet) {
		c.Weapons = []*eventv1.CelesiaWeapon{{Name: "crossbow", Kind: "projectile", Dice: "1d8", Hands: 2, RangeFeet: 60, Load: body.LoadLight},
			{Name: "fist", Kind: "unarmed", Dice: "1d3", Nonlethal: true}}
	})
	beast := section(func(c *eventv1.CelesiaSheet) { c.Humanoid = false })
	for _, c := range []struct {
		name   string
		cmd    *eventv1.Command
		before func(f *table)
	}{
		{"charge", act("a", "charge", "sword", "b"), nil},
		{"sheathe", act("a", "sheathe", "sword", ""), nil},
		{"draw", act("a", "draw", "knife", ""), func(f *table) { f.Must(act("a", "drop-item", "oil", "")) }},
		{"extinguish", act("a", "extinguish", "", ""), laid("a", "burning=reflex@x")},
		{"use an item", act("a", "use-item", "ring", "b"), nil},
		{"prepare a flask", act("a", "prepare-flask", "oil", ""), nil},
		{"treat a wound", act("a", "treat-wound", "", "c"), nil},
		{"staunch", act("a", "staunch", "", "c"), func(f *table) { f.Count("c", body.CBleed, 1) }},
		{"drink", act("a", "drink", "draught", ""), nil},
		{"administer", act("a", "administer", "draught", "c"), func(f *table) { f.Count("c", body.CNonlethal, 41) }},
		{"appraise a hoard", act("a", "appraise-hoard", "", ""), nil},
		{"detect a forgery", act("a", "detect-forgery", "", ""), nil},
		{"light a torch", act("a", "light-torch", "", ""), nil},
		{"push an animal", act("a", "push-animal", "", "d"), nil},
		{"initiate a full strike", act("a", "full-strike", "storm", ""), nil},
		{"disable a device", act("a", "disable-device", "", ""), nil},
		{"find tracks", act("a", "find-tracks", "", ""), nil},
		{"untie", act("a", "untie", "", "c"), tiedUp("c")},
		{"handle an item", act("a", "manipulate", "", "", withParameters("task", "chest")), nil},
		{"move", act("a", "move", "", "", way(0, -5)), nil},
		{"step", act("a", "step", "", "", way(0, -5)), nil},
		{"run", act("a", "run", "", "", way(0, -40)), nil},
		{"overrun", act("a", "overrun", "", "b", withFacts("distance", 20.0)), nil},
		{"trip", act("a", "trip", "", "b", withFacts("distance", 5.0)), nil},
		{"feint", act("a", "feint", "", "b"), nil},
		{"stand up", act("a", "stand-up", "", ""), laid("a", body.CondProne)},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := crowd(t, [][2]int32{{0, 0}, {20, 0}, {0, 5}, {40, 40}}, fighter("a", "party", gear), fighter("b", "foes", unarmed()), fighter("c", "party"), fighter("d", "party", beast))
			f.Roller = func(sides int) int { return (sides + 1) / 2 }
			if c.before != nil {
				c.before(f)
			}
			if err := f.Peek(c.cmd); err != nil {
				t.Fatalf("free: %v", err)
			}
			tiedUp("a")(f)
			wantReason(t, f.Try(c.cmd), "PINNED", cite.ManeuverPin)
		})
	}
	t.Run("load", func(t *testing.T) {
		f := duel(t, fighter("a", "party", crossbow), fighter("b", "foes", unarmed()))
		f.Creature("a").Items["crossbow"].Values = map[string]int32{body.ValueLoaded: 0}
		if err := f.Peek(act("a", "load", "crossbow", "")); err != nil {
			t.Fatal(err)
		}
		tiedUp("a")(f)
		wantReason(t, f.Try(act("a", "load", "crossbow", "")), "PINNED", cite.ManeuverPin)
	})
	t.Run("what is left", func(t *testing.T) { // letting go, words, and the way out
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		tiedUp("a")(f)
		f.Must(act("a", "drop-item", "sword", ""))
		f.Must(act("a", "speak", "", ""))
		f.Must(act("a", "escape-grapple", "", "", withParameters("check", "maneuver")), 20) // 25
		if answers.Tied(f.Creature("a")) != nil {
			t.Error("25 against 25 is free")
		}
	})
}

// What a command says is judged at its borders.
//
// celesia.maneuver.overrun, celesia.action.complex-frame, celesia.maneuver.grapple-tie-up, celesia.maneuver.drag,
// celesia.equipment.draw-two, celesia.equipment.manipulate-complex, celesia.action.find-tracks, celesia.spell.concentrate
func TestWhatCommandsSayAtItsBorders(t *testing.T) {
	pair := arms(sheathed("axe", 1, false), sheathed("knife", 1, true))
	t.Run(cite.ManeuverOverrun, func(t *testing.T) {
		wings := func(s *eventv1.Sheet) { s.Speeds["fly"] = 30 }
		f := crowd(t, [][2]int32{{0, 0}, {10, 0}}, fighter("a", "party", wings), fighter("b", "foes", unarmed()))
		f.Put("a", &eventv1.Vitals{Injuries: several(1, "leg", "left", 0)})
		if err := f.Peek(act("a", "overrun", "", "b")); err != nil { // 15 feet on one leg
			t.Errorf("on one leg: %v", err)
		}
		f.Put("a", &eventv1.Vitals{Injuries: append(several(1, "leg", "left", 0), several(1, "leg", "right", 0)...)})
		f.Must(act("a", "move", "", "", way(0, 5))) // on its wings
		wantReason(t, f.Try(act("a", "overrun", "", "b")), "NO_LEGS", cite.InjuryLegAllLost)
	})
	t.Run(cite.ActionComplexFrame, func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		f.Afflict("a", body.CondHasted)
		f.round()
		wantField(t, f.Try(act("a", "begin-task", "", "", withParameters("task", "raft", "needed", 3.0, "acts", 4.0))), "take.parameters.acts", "1 to 3")
		f.Must(act("a", "begin-task", "", "", withParameters("task", "raft", "needed", 3.0, "acts", 1.0)))
		wantReason(t, f.Try(act("a", "begin-task", "", "", withParameters("task", "raft"))), "UNDER_WAY", cite.ActionComplexFrame)
		wantField(t, f.Try(act("a", "continue-task", "raft", "", withParameters("acts", 3.0))), "take.parameters.acts", "1 to 2")
		f.Must(act("a", "continue-task", "raft", "", withParameters("acts", 2.0)))
	})
	t.Run(cite.ManeuverGrappleTieUp, func(t *testing.T) {
		f := crowd(t, [][2]int32{{0, 0}, {10, 0}, {5, 5}}, fighter("a", "party"), fighter("b", "party"), fighter("c", "foes", unarmed()))
		tiedUp("b")(f)
		wantReason(t, f.Try(act("a", "untie", "", "b")), "OUT_OF_REACH", cite.ManeuverGrappleTieUp)
		f.at("b", 5, 0)
		f.Must(act("a", "untie", "", "b"))
	})
	t.Run(cite.ManeuverDrag, func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		wantField(t, f.Try(act("a", "drag", "", "b", way(-5, 0, -10, 0))), "take.path", "one point")
	})
	t.Run(cite.EquipmentDrawTwo, func(t *testing.T) {
		f := duel(t, fighter("a", "party", pair, features(body.FeatTwoWeapon)), fighter("b", "foes", unarmed()))
		f.Put("a", &eventv1.Vitals{Items: map[string]*eventv1.ItemState{"knife": {Place: body.PlacePack}}})
		wantReason(t, f.Try(act("a", "draw", "axe", "", withParameters("second", "knife"))), "OUT_OF_REACH", cite.EquipmentDrawTwo)
		f.Must(act("a", "draw", "axe", ""))
	})
	t.Run(cite.EquipmentDrawSheathe, func(t *testing.T) {
		f := duel(t, fighter("a", "party", arms(sheathed("axe", 1, false), &eventv1.CelesiaWeapon{Name: "knife", Kind: "melee", Dice: "1d4", Hands: 1})), fighter("b", "foes", unarmed()))
		wantReason(t, f.Try(act("a", "draw", "axe", "", withParameters("hands", "two"))), "NO_FREE_HAND", cite.EquipmentDrawSheathe)
		f.Must(act("a", "drop-item", "knife", ""))
		f.Must(act("a", "draw", "axe", "", withParameters("hands", "two")))
	})
	t.Run(cite.EquipmentManipulateComplex, func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		wantField(t, f.Try(act("a", "manipulate", "", "", withParameters("task", "gate", "needed", 2.0, "acts", 3.0))), "take.parameters.acts", "1 to 2")
		f.Must(act("a", "manipulate", "", "", withParameters("task", "gate", "needed", 4.0, "acts", 1.0)))
		wantReason(t, f.Try(act("a", "manipulate", "", "", withParameters("task", "gate", "needed", 4.0))), "UNDER_WAY", cite.EquipmentManipulateComplex)
		f.Must(act("a", "continue-task", "gate", "", withParameters("acts", 2.0)))
	})
	t.Run(cite.ActionFindTracks, func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		f.Afflict("a", body.CondHasted)
		f.round()
		wantField(t, f.Try(act("a", "find-tracks", "", "", withParameters("acts", 4.0))), "take.parameters.acts", "1 to 3")
		f.Must(act("a", "find-tracks", "", "", withParameters("needed", 4.0, "acts", 3.0)))
	})
	t.Run(cite.SpellConcentrate, func(t *testing.T) {
		f := duel(t, fighter("a", "party", spell(&eventv1.CelesiaSpell{Name: "s", Casting: "swift", Dice: "1d6", RangeFeet: 60, Dismissible: true})), fighter("b", "foes", unarmed()))
		f.Must(act("a", "cast", "s", "b"), 1)
		wantReason(t, f.Try(act("a", "concentrate", "s", "")), "NO_CONCENTRATION", cite.SpellConcentrate)
		wantReason(t, f.Try(act("a", "cease-concentrating", "s", "")), "NO_CONCENTRATION", cite.SpellCeaseConcentrating)
		f.Must(act("a", "dismiss", "s", ""))
	})
	t.Run("celesia.movement.move without a map", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes", unarmed())).start(nil, 15, 5)
		wantField(t, f.Try(act("a", "move", "", "", way(5, 0))), "take.path", "nowhere")
		wantField(t, f.Try(act("a", "drop-item", "sword", "", way(5, 0))), "take.path", "nowhere")
		wantReason(t, f.Try(act("a", "move", "", "", withFacts("feet", 35.0))), "TOO_FAR", cite.MovementMove)
		f.Must(act("a", "move", "", "", withFacts("feet", 30.0)))
	})
	t.Run(cite.ActionOneRoundSplit, func(t *testing.T) {
		f := duel(t, fighter("a", "party", spell(&eventv1.CelesiaSpell{Name: "s", Casting: "1-round", Dice: "1d6", RangeFeet: 60})), fighter("b", "foes", unarmed()))
		f.Must(act("a", "step", "", "", way(0, 5)))
		f.Must(act("a", "step", "", "", way(0, 0)))
		f.Must(act("a", "cast", "s", "b")) // one act of it
		f.Afflict("a", body.CondStaggered)
		f.End("a")
		f.End("b")
		wantReason(t, f.Try(act("a", "continue-casting", "", "")), "NO_ACTS", cite.ActionOneRoundSplit) // 2 are needed, 1 is there
	})
	t.Run(cite.ManeuverStealFastened, func(t *testing.T) { // a weapon, not a thing
		knife := arms(&eventv1.CelesiaWeapon{Name: "knife", Kind: "melee", Dice: "1d4", Hands: 1, Fastened: 7})
		f := duel(t, fighter("a", "party", unarmed()), fighter("b", "foes", knife))
		f.Put("b", &eventv1.Vitals{Items: map[string]*eventv1.ItemState{"knife": {Place: body.PlaceCarried}}})
		f.Must(act("a", "steal", "", "b", withParameters("thing", "knife")), 16) // 21 against 22
		if body.Where(f.Creature("b"), "knife") != body.PlaceCarried {
			t.Error("it is gone")
		}
		if got := f.Roll("steal").Target.Value; got != 22 {
			t.Errorf("CMD %d, want 15 + 7", got)
		}
	})
	t.Run(cite.ManeuverDirtyTrickRemove, func(t *testing.T) { // of two tricks the one that is picked
		f := crowd(t, [][2]int32{{0, 0}, {5, 0}, {10, 0}}, fighter("a", "party"), fighter("b", "foes", unarmed()), fighter("c", "foes", unarmed()))
		f.Must(act("a", "dirty-trick", "", "b"), 15)
		f.Answer("dirty-trick", "dazzled")
		f.End("a")
		f.End("b")
		f.End("c")
		f.Must(act("a", "dirty-trick", "", "b"), 20)
		f.Answer("dirty-trick", "shaken")
		f.End("a")
		f.End("b")
		f.Must(act("c", "remove-trick", "", "b"))
		if d := f.Decisions[0]; d.Creature != "c" || len(d.Options) != 2 || d.DefaultOption != "dazzled" {
			t.Fatalf("asked %v", d)
		}
		f.Choose("shaken")
		if !body.Has(f.Creature("b"), "dazzled") || body.Has(f.Creature("b"), "shaken") {
			t.Errorf("conditions %v", f.Creature("b").Conditions)
		}
	})
}
