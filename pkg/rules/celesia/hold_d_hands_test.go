package celesia

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// packedAway is a weapon in the pack.
func packedAway(name string) *eventv1.CelesiaWeapon {
	w := sheathed(name, 1, false)
	w.Hand = body.PlacePack
	return w
}

// inHand is a weapon of some hands held at the start of the fight.
func inHand(name string, hands int32, hand string) *eventv1.CelesiaWeapon {
	return &eventv1.CelesiaWeapon{Name: name, Kind: "melee", Dice: "1d6", Hands: hands, Hand: hand}
}

// celesia.equipment.draw-two: two weapons for one hand each, both in easy reach.
func TestDrawnTogether(t *testing.T) {
	build := func(t *testing.T) *table {
		return duel(t, fighter("a", "party", features(body.FeatTwoWeapon), arms(sheathed("axe", 1, false), sheathed("pick", 1, true), packedAway("mace"))), fighter("b", "foes", unarmed()))
	}
	draw := func(first, second string, more ...any) []func(*eventv1.TakeAction) {
		return []func(*eventv1.TakeAction){func(take *eventv1.TakeAction) { take.Item = first }, withParameters(append([]any{"second", second}, more...)...)}
	}
	cmd := func(more ...func(*eventv1.TakeAction)) *eventv1.Command { return act("a", "draw", "", "", more...) }
	const rule = cite.EquipmentDrawTwo
	wantRefusals(t, build, cmd, []refusal{
		{name: "both in reach", more: draw("axe", "pick")},
		{name: "the first in two hands", more: draw("axe", "pick", "hands", "two"), reason: "NOT_A_PAIR", rule: rule},
		{name: "the first packed away", more: draw("mace", "pick"), reason: "OUT_OF_REACH", rule: rule},
		{name: "the second packed away", more: draw("pick", "mace"), reason: "OUT_OF_REACH", rule: rule},
	})
}

// celesia.equipment.draw-sheathe: what is drawn goes in the main hand when that is free, and in
// the other when the main one or both hold something; of more than two hands none is the right.
func TestHandThatADrawnWeaponGoesIn(t *testing.T) {
	many := func(n int32) func(*eventv1.Sheet) {
		return bodyPlan(&eventv1.CelesiaBody{Hands: n, Arms: n, Fingers: 5, Eyes: 2, Legs: 2, Head: true})
	}
	for name, c := range map[string]struct {
		held *eventv1.CelesiaWeapon
		body func(*eventv1.Sheet)
		hurt string
		want string
	}{
		"both free":                      {sheathed("x", 1, false), many(2), "", body.PlaceMain},
		"the main hand taken":            {inHand("x", 1, body.PlaceMain), many(2), "", body.PlaceOff},
		"the off hand taken":             {inHand("x", 1, body.PlaceOff), many(2), "", body.PlaceMain},
		"two of four hands taken":        {inHand("x", 2, body.PlaceBoth), many(4), "", body.PlaceOff},
		"the right hand lost":            {sheathed("x", 1, false), many(2), "right", body.PlaceOff},
		"the left hand lost":             {sheathed("x", 1, false), many(2), "left", body.PlaceMain},
		"a right hand of another body's": {sheathed("x", 1, false), many(3), "right", body.PlaceMain},
	} {
		t.Run(name, func(t *testing.T) {
			f := duel(t, fighter("a", "party", arms(sheathed("axe", 1, false), c.held), c.body), fighter("b", "foes", unarmed()))
			if c.hurt != "" {
				f.Put("a", &eventv1.Vitals{Injuries: several(1, "hand", c.hurt, 0)})
			}
			f.Must(act("a", "draw", "axe", ""))
			if got := body.Where(f.Creature("a"), "axe"); got != c.want {
				t.Errorf("in %q, want %q", got, c.want)
			}
		})
	}
}

// celesia.equipment.draw-with-move, celesia.equipment.draw-two, celesia.equipment.shield: a shield
// goes on the arm on the way beside a weapon that is drawn when there is a hand for each; what lets
// a shield fall needs none, and two weapons leave none.
func TestShieldAndWeaponOnTheWay(t *testing.T) {
	shield := func(place string) *eventv1.CelesiaThing {
		return &eventv1.CelesiaThing{Name: "shield", Kind: body.ThingShield, ShieldBonus: 2, Place: place}
	}
	const full = "NO_FREE_HAND"
	for name, c := range map[string]struct {
		held   bool // a knife in the main hand
		shield string
		words  []any
		reason string
	}{
		"weapon and shield":                {false, "carried", []any{"draw", "axe", "shield", "shield"}, ""},
		"one hand is full":                 {true, "carried", []any{"draw", "axe", "shield", "shield"}, full},
		"a weapon for two hands":           {false, "carried", []any{"draw", "great", "shield", "shield"}, full},
		"the shield alone":                 {true, "carried", []any{"shield", "shield"}, ""},
		"the weapon alone":                 {true, "carried", []any{"draw", "axe"}, ""},
		"the shield falls":                 {false, "off", []any{"draw", "axe", "shield", "shield"}, ""},
		"two weapons":                      {false, "carried", []any{"draw", "axe", "second", "pick"}, ""},
		"two weapons and a shield":         {false, "carried", []any{"draw", "axe", "second", "pick", "shield", "shield"}, full},
		"a weapon for two and no shield":   {false, "carried", []any{"draw", "great"}, ""},
		"what falls makes no room to draw": {true, "off", []any{"draw", "axe", "shield", "shield"}, full},
	} {
		t.Run(name, func(t *testing.T) {
			weapons := []*eventv1.CelesiaWeapon{sheathed("axe", 1, false), sheathed("pick", 1, true), sheathed("great", 2, false)}
			if c.held {
				weapons = append(weapons, inHand("knife", 1, body.PlaceMain))
			}
			f := duel(t, fighter("a", "party", features(body.FeatTwoWeapon), arms(weapons...), carrying(shield(c.shield))), fighter("b", "foes", unarmed()))
			rule := cite.EquipmentShield
			if c.held && c.shield == "off" {
				rule = cite.EquipmentDrawSheathe // the axe finds no hand
			}
			wantReason(t, f.Try(act("a", "move", "", "", withParameters(c.words...))), c.reason, rule)
		})
	}
	f := duel(t, fighter("a", "party", features(body.FeatTwoWeapon), arms(sheathed("axe", 1, false), sheathed("pick", 1, true)), carrying(shield("carried"))), fighter("b", "foes"))
	together := 0
	for _, o := range optionsOf(f, "a", "move") {
		_, offered := wordsOf(o, "shield")
		two := strings.Contains(o.Title, "another")
		if offered == two {
			t.Errorf("%s: a shield is offered %v", o.Title, offered)
		}
		if two {
			together++
		}
	}
	if together != 2 {
		t.Errorf("two are drawn together in %d ways, want 2", together)
	}
}

// celesia.equipment.draw-sheathe, celesia.equipment.manipulate-item, celesia.equipment.drop-item: what
// is a part of the body is no thing to be handled.
func TestNoPartOfTheBodyIsHandled(t *testing.T) {
	for _, action := range []string{"draw", "pick-up", "sheathe", "drop-item", "ready-shield", "drop-shield"} {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		for _, item := range []string{"fist", "fists"} {
			wantField(t, f.Try(act("a", action, item, "")), "take.item", "names no")
		}
	}
}

// celesia.equipment.draw-sheathe: what was carried is carried again, the rest is put away.
func TestWhereThingsArePut(t *testing.T) {
	for place, want := range map[string]string{"": body.PlaceCarried, body.PlaceCarried: body.PlaceCarried, body.PlaceStowed: body.PlaceStowed, body.PlacePack: body.PlaceStowed, body.PlaceOff: body.PlaceStowed} {
		f := duel(t, fighter("a", "party", unarmed(), carrying(&eventv1.CelesiaThing{Name: "wand", Place: place})), fighter("b", "foes", unarmed()))
		if place != body.PlaceOff {
			f.Must(act("a", "draw", "wand", ""))
		}
		f.Must(act("a", "sheathe", "wand", ""))
		if got := body.Where(f.Creature("a"), "wand"); got != want {
			t.Errorf("from %q it goes to %q, want %q", place, got, want)
		}
	}
}

// celesia.equipment.manipulate-complex: what is under way is not begun again; what takes one act is
// no complex action, whatever it is called.
func TestHandlingOfAName(t *testing.T) {
	f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()), body.OptManipulate+"=on")
	f.Must(act("a", "manipulate", "", "", withParameters("task", "lock", "needed", 6.0)))
	wantReason(t, f.Try(act("a", "manipulate", "", "", withParameters("task", "lock", "needed", 4.0))), "UNDER_WAY", cite.EquipmentManipulateComplex)
	wantField(t, f.Try(act("a", "manipulate", "", "", withParameters("task", "key", "needed", 1.0, "acts", 2.0))), "take.parameters.acts", "1 to 1")
	f.Must(act("a", "manipulate", "", "", withParameters("task", "lock", "needed", 1.0)))
	if !f.noted(cite.EquipmentManipulateItem) {
		t.Error("nobody is told what is handled")
	}
}

// celesia.equipment.locked-gauntlet: a gauntlet takes a weapon for one hand.
func TestGauntletTakesAWeaponForOneHand(t *testing.T) {
	build := func() *table {
		return duel(t, fighter("a", "party", arms(inHand("axe", 1, body.PlaceMain), sheathed("great", 2, false)), carrying(&eventv1.CelesiaThing{Name: "gauntlet", Kind: body.ThingGauntlet, Place: body.PlaceWorn})), fighter("b", "foes", unarmed()))
	}
	for _, item := range []string{"great", "fist", "spear"} {
		wantField(t, build().Try(act("a", "lock-gauntlet", item, "")), "take.item", "one-handed weapon")
	}
	build().Must(act("a", "lock-gauntlet", "axe", ""))
}

// celesia.maneuver.sunder-destroy: at 0 hit points and below the attacker destroys a thing or leaves
// it with 1; above it is broken at half.
func TestSunderedToTheLastPoint(t *testing.T) {
	build := func() *table {
		return duel(t, fighter("a", "party"), fighter("b", "foes", unarmed(), carrying(&eventv1.CelesiaThing{Name: "wand", Hardness: 2, HitPoints: 5})))
	}
	cmd := act("a", "sunder", "sword", "b", withParameters("thing", "wand"))
	of := func(f *table) *eventv1.ItemState { return f.Creature("b").Items["wand"] }
	f := build()
	f.Must(cmd, 15, 6) // 6 - 2: 1 is left
	if it := of(f); it.Values[body.ValueHP] != 1 || it.Values[body.ValueBroken] != 1 || it.Place != body.PlaceCarried {
		t.Errorf("left: %v", it)
	}
	for choice, want := range map[string]string{"destroy": body.PlaceGone, "spare": body.PlaceCarried} {
		f = build()
		f.Must(cmd, 15, 7) // 7 - 2: nothing is left
		f.wantOptions(checks.DecDestroy, "destroy", "spare")
		f.Choose(choice)
		if it := of(f); it.Place != want || it.Values[body.ValueBroken] != 1 || it.Values[body.ValueHP] != int32(boolInt(choice == "spare")) {
			t.Errorf("%s: %v", choice, it)
		}
	}
}

// celesia.maneuver.sunder, celesia.maneuver.steal, celesia.maneuver.steal-fastened: which thing of a foe's can
// be had, and by which rule others cannot; what is gone or never was is none.
func TestThingsOfAFoe(t *testing.T) {
	things := carrying(&eventv1.CelesiaThing{Name: "pouch"}, &eventv1.CelesiaThing{Name: "ring", Place: body.PlaceWorn}, &eventv1.CelesiaThing{Name: "belt", Place: body.PlaceWorn, HitPoints: 5},
		&eventv1.CelesiaThing{Name: "vial", HitPoints: 5})
	build := func() *table {
		f := duel(t, fighter("a", "party", section(func(c *eventv1.CelesiaSheet) { c.Weapons[0].Hand = body.PlaceOff })), fighter("b", "foes", unarmed(), things))
		f.Roller = func(int) int { return 1 } // nothing comes of it
		f.Put("b", &eventv1.Vitals{Items: map[string]*eventv1.ItemState{"vial": {Place: body.PlaceGone}}})
		return f
	}
	for _, c := range []struct{ action, item, thing, reason, rule string }{
		{"sunder", "sword", "belt", "", ""}, {"sunder", "sword", "ring", "NOT_THERE", cite.ManeuverSunder}, {"sunder", "sword", "pouch", "NOT_THERE", cite.ManeuverSunder},
		{"steal", "", "pouch", "", ""}, {"steal", "", "ring", "WORN", cite.ManeuverStealFastened}, {"steal", "", "belt", "WORN", cite.ManeuverStealFastened},
	} {
		wantReason(t, build().Try(act("a", c.action, c.item, "b", withParameters("thing", c.thing))), c.reason, c.rule)
	}
	for action, item := range map[string]string{"sunder": "sword", "steal": ""} {
		for _, thing := range []string{"vial", "vault"} {
			wantField(t, build().Try(act("a", action, item, "b", withParameters("thing", thing))), "take.parameters.thing", "names no thing of b")
		}
	}
	// Whoever sets it off may have such a thing.
	build().Must(ready("steal", "", "", "any", "thing", "vault"))
}

// celesia.equipment.load-heavy-crossbow, celesia.equipment.load-martial-firearm: a case of one bolt is full with one; the
// cartridges of a turn bound the martial firearm that is loaded rapidly, and nothing else.
func TestWhatCanStillBeLoaded(t *testing.T) {
	gun := func(name, load string, rapid bool, hand string, capacity int32) *eventv1.CelesiaWeapon {
		return &eventv1.CelesiaWeapon{Name: name, Kind: body.KindProjectile, Dice: "1d8", Hands: 1, RangeFeet: 30, Load: load, RapidReload: rapid, Hand: hand, Capacity: capacity}
	}
	emptied := func(f *table, names ...string) {
		items := map[string]*eventv1.ItemState{}
		for _, name := range names {
			items[name] = &eventv1.ItemState{Values: map[string]int32{body.ValueLoaded: 0}}
		}
		f.Put("a", &eventv1.Vitals{Items: items})
	}
	for capacity, want := range map[int32]int32{0: 5, 1: 1, 3: 3} {
		f := duel(t, fighter("a", "party", arms(gun("w", body.LoadRepeating, false, body.PlaceMain, capacity))), fighter("b", "foes", unarmed()))
		emptied(f, "w")
		f.Must(act("a", "load", "w", ""))
		if got := f.Creature("a").Items["w"].Values[body.ValueLoaded]; got != want {
			t.Errorf("capacity %d: %d loaded, want %d", capacity, got, want)
		}
	}
	for _, c := range []struct {
		load   string
		rapid  bool
		reason string
	}{{body.LoadMartial, true, "NO_MORE_LOADS"}, {body.LoadMartial, false, ""}, {body.LoadLight, true, ""}, {body.LoadHand, false, ""}} {
		f := duel(t, fighter("a", "party", arms(gun("pistol", body.LoadMartial, true, body.PlaceMain, 6), gun("w", c.load, c.rapid, body.PlaceOff, 6))), fighter("b", "foes", unarmed()))
		emptied(f, "pistol", "w")
		for range 3 {
			f.Must(act("a", "load", "pistol", ""))
		}
		wantReason(t, f.Try(act("a", "load", "w", "")), c.reason, cite.EquipmentLoadMartialFirearm)
	}
}

// celesia.equipment.load-one-handed-simple-firearm, celesia.equipment.load-two-handed-simple-firearm,
// celesia.action.one-round-frame: what is loaded a barrel at a time, and what an extra act is in the way of.
func TestWhatIsLoadedByTheBarrel(t *testing.T) {
	gun := func(hands int32) *eventv1.CelesiaWeapon {
		return &eventv1.CelesiaWeapon{Name: "w", Kind: body.KindProjectile, Dice: "1d8", Hands: hands, RangeFeet: 30, Load: body.LoadSimple}
	}
	build := func(w *eventv1.CelesiaWeapon) *table {
		bow := &eventv1.CelesiaWeapon{Name: "crossbow", Kind: body.KindProjectile, Dice: "1d8", Hands: 1, RangeFeet: 30, Load: body.LoadHand, Hand: "stowed"}
		f := duel(t, fighter("a", "party", arms(w, bow)), fighter("b", "foes", unarmed()))
		f.Resolve(setLoaded("a", 0))
		return f
	}
	for _, item := range []string{"crossbow", "musket", "fist"} {
		wantField(t, build(gun(1)).Try(act("a", "load-firearm", item, "")), "take.item", "simple firearm")
	}
	for _, c := range []struct {
		hands  int32
		hasted bool
		reason string
	}{{1, false, ""}, {1, true, ""}, {2, false, ""}, {2, true, "ACTS_LEFT"}} {
		f := build(gun(c.hands))
		if c.hasted {
			hasted(f, "a")
		}
		wantReason(t, f.Try(act("a", "load-firearm", "w", "")), c.reason, cite.ActionOneRoundFrame)
	}
}

// celesia.equipment.load-two-handed-simple-firearm: at the start of the next turn the barrel is loaded,
// if the weapon is in hand still and has room.
func TestLoadedWhenTheRoundIsOver(t *testing.T) {
	musket := &eventv1.CelesiaWeapon{Name: "w", Kind: body.KindProjectile, Dice: "1d8", Hands: 2, RangeFeet: 30, Load: body.LoadSimple}
	for name, c := range map[string]struct {
		edit *eventv1.EditCreature
		want int32
	}{
		"in hand":              {nil, 1},
		"no longer in hand":    {&eventv1.EditCreature{Creature: "a", Vitals: &eventv1.Vitals{Items: map[string]*eventv1.ItemState{"w": {Place: body.PlaceDropped}}}}, 0},
		"loaded by others":     {&eventv1.EditCreature{Creature: "a", Vitals: &eventv1.Vitals{Items: map[string]*eventv1.ItemState{"w": {Values: map[string]int32{body.ValueLoaded: 1}}}}}, 1},
		"no longer a firearm":  {&eventv1.EditCreature{Creature: "a", Sheet: fighter("a", "party", weapon(inHand("w", 2, "")))}, 0},
		"no longer its weapon": {&eventv1.EditCreature{Creature: "a", Sheet: fighter("a", "party", unarmed())}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			f := duel(t, fighter("a", "party", arms(musket)), fighter("b", "foes", unarmed()))
			f.Resolve(setLoaded("a", 0))
			f.Must(act("a", "load-firearm", "w", ""))
			f.End("a")
			if c.edit != nil {
				f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: c.edit}})
			}
			f.End("b")
			f.WantActive("a")
			if got := f.Creature("a").Items["w"].GetValues()[body.ValueLoaded]; got != c.want || slices.ContainsFunc(f.Creature("a").Begun, func(b *eventv1.Begun) bool { return b.Kind == body.BegunLoading }) {
				t.Errorf("%d loaded, want %d; begun %v", got, c.want, f.Creature("a").Begun)
			}
		})
	}
}

// weapons are what a creature has, in place of all else.
func weapons(list ...*eventv1.CelesiaWeapon) func(*eventv1.Sheet) {
	return section(func(c *eventv1.CelesiaSheet) { c.Weapons = list })
}

// celesia.equipment.shield: with a base attack bonus of 1 a shield goes on the arm, or falls, with a Move for nothing.
func TestShieldOnTheMoveByBaseAttack(t *testing.T) {
	for base, reason := range map[int32]string{0: "NOT_FREE", 1: "", 2: ""} {
		for _, place := range []string{body.PlaceCarried, body.PlaceOff} {
			f := duel(t, fighter("a", "party", attacks(base), carrying(&eventv1.CelesiaThing{Name: "shield", Kind: body.ThingShield, Place: place})), fighter("b", "foes", unarmed()))
			wantReason(t, f.Try(act("a", "move", "", "", withParameters("shield", "shield"))), reason, cite.EquipmentShield)
		}
	}
}
