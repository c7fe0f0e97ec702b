package celesia

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/items"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// celesia.injury.hand: the weapon in the hand that is of no use cannot be used, that in the
// other can; what takes two hands takes both.
func TestHandsOfNoUse(t *testing.T) {
	two := section(func(c *eventv1.CelesiaSheet) {
		c.Weapons = []*eventv1.CelesiaWeapon{{Name: "sword", Kind: "melee", Dice: "1d8", Hands: 1}, {Name: "dagger", Kind: "melee", Dice: "1d4", Hands: 1, Light: true, Hand: body.PlaceOff}}
	})
	great := section(func(c *eventv1.CelesiaSheet) {
		c.Weapons = []*eventv1.CelesiaWeapon{{Name: "great", Kind: "melee", Dice: "2d6", Hands: 2}}
	})
	for _, c := range []struct {
		sheet        func(*eventv1.Sheet)
		item, side   string
		reason, rule string
	}{
		{two, "sword", "", "", ""}, {two, "sword", "right", "HAND_LOST", cite.InjuryHand}, {two, "sword", "left", "", ""},
		{two, "dagger", "", "", ""}, {two, "dagger", "left", "HAND_LOST", cite.InjuryHand}, {two, "dagger", "right", "", ""},
		{great, "great", "", "", ""}, {great, "great", "left", "HAND_LOST", cite.InjuryHand}, {great, "great", "right", "HAND_LOST", cite.InjuryHand},
	} {
		t.Run(c.item+" "+c.side, func(t *testing.T) {
			f := duel(t, fighter("a", "party", c.sheet), fighter("b", "foes", unarmed()))
			if c.side != "" {
				f.Put("a", &eventv1.Vitals{Injuries: several(1, "hand", c.side, 0)})
			}
			f.Roller = func(int) int { return 2 }
			wantReason(t, f.Try(act("a", "attack", c.item, "b")), c.reason, c.rule)
		})
	}
}

// celesia.action.escape-net: out of a net, and out of nothing else that entangles.
func TestEscapeWhatIsNoNet(t *testing.T) {
	for variant, want := range map[string]bool{"=net": true, "": false, "=web": false} {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		f.Afflict("a", checks.CondEntangled+variant)
		f.Roller = func(int) int { return 20 }
		if err := f.Try(act("a", "escape-net", "", "")); (err == nil) != want {
			t.Errorf("entangled %q: %v", variant, err)
		}
	}
}

// celesia.equipment.draw-with-move: with a base attack bonus of 1 a weapon is drawn on the way.
func TestDrawOnTheWayIsOffered(t *testing.T) {
	for base, want := range map[int32]bool{0: false, 1: true, 2: true} {
		f := duel(t, fighter("a", "party", arms(sheathed("axe", 1, false)), attacks(base)), fighter("b", "foes"))
		got, _ := wordsOf(optionsOf(f, "a", "move")[0], "draw")
		if slices.Contains(got, "axe") != want {
			t.Errorf("base attack %d: offered %v", base, got)
		}
	}
}

// celesia.attack.stray-range, celesia.attack.stray-line: as far as the shot flies and no
// farther; the dead are not struck.
func TestEndOfAStrayShot(t *testing.T) {
	c, target, at := standing("c", "", 0, 0), standing("t", "", 20, 0), standing("o", "", 40, 0)
	s := &eventv1.State{Creatures: map[string]*eventv1.Creature{"c": c, "t": target, "o": at}}
	for limit, want := range map[int32]bool{35: false, 40: true, 45: true} {
		if got := slices.Contains(manners.InTheWay(s, &eventv1.TakeAction{}, c, target, limit), "o"); got != want {
			t.Errorf("a shot of %d feet: struck %v", limit, got)
		}
	}
	if got := manners.InTheWay(s, &eventv1.TakeAction{}, c, target, 100); !slices.Equal(got, []string{"o"}) {
		t.Errorf("in the way are %v", got)
	}
	at.Life = eventv1.LifeStatus_LIFE_STATUS_DEAD
	if got := manners.InTheWay(s, &eventv1.TakeAction{}, c, target, 100); len(got) > 0 {
		t.Errorf("the dead are struck: %v", got)
	}
}

// A spell of content has the caster level and the DC of whoever has it, where it says none.
func TestSpellsOfContentFit(t *testing.T) {
	sheet := fighter("a", "party", ability("intelligence", 8, "wisdom", 16, "charisma", 13)) // level 4
	for name, c := range map[string]struct {
		sp        *eventv1.CelesiaSpell
		level, dc int32
	}{
		"nothing said": {&eventv1.CelesiaSpell{Save: "will", Level: 2}, 4, 15}, "a DC of its own": {&eventv1.CelesiaSpell{Save: "will", Level: 2, SaveDc: 11}, 4, 11},
		"no save": {&eventv1.CelesiaSpell{Level: 2}, 4, 0}, "a caster level of its own": {&eventv1.CelesiaSpell{Save: "will", CasterLevel: 9}, 9, 13},
	} {
		items.Fit(sheet, nil, c.sp)
		if c.sp.CasterLevel != c.level || c.sp.SaveDc != c.dc {
			t.Errorf("%s: level %d, DC %d, want %d and %d", name, c.sp.CasterLevel, c.sp.SaveDc, c.level, c.dc)
		}
	}
	dull := fighter("a", "party", ability("intelligence", 1, "wisdom", 1, "charisma", 1))
	sp := &eventv1.CelesiaSpell{Save: "will"}
	if items.Fit(dull, nil, sp); sp.SaveDc != 5 {
		t.Errorf("DC %d, want 10 - 5", sp.SaveDc)
	}
}

// celesia.equipment.load-martial-firearm: the cartridges of a turn are counted of a martial firearm
// that is loaded rapidly, three at most; of no other.
func TestRapidReloadIsCounted(t *testing.T) {
	gun := func(load string, rapid bool) func(*eventv1.Sheet) {
		return section(func(c *eventv1.CelesiaSheet) {
			c.Weapons = []*eventv1.CelesiaWeapon{{Name: "w", Kind: body.KindProjectile, Dice: "1d8", Hands: 1, RangeFeet: 30, Load: load, RapidReload: rapid, Capacity: 6}}
		})
	}
	for name, c := range map[string]struct {
		load  string
		rapid bool
		want  int64
	}{"martial, rapid": {body.LoadMartial, true, 1}, "martial": {body.LoadMartial, false, 0}, "a crossbow, rapid": {body.LoadLight, true, 0}} {
		f := duel(t, fighter("a", "party", gun(c.load, c.rapid)), fighter("b", "foes", unarmed()))
		f.Resolve(setLoaded("a", 0))
		f.Roller = func(int) int { return 10 }
		f.Must(act("a", "load", "w", ""))
		if got := f.Creature("a").Counters[body.CLoads]; got != c.want {
			t.Errorf("%s: %d counted, want %d", name, got, c.want)
		}
	}
	f := duel(t, fighter("a", "party", gun(body.LoadMartial, true)), fighter("b", "foes", unarmed()))
	f.Resolve(setLoaded("a", 0))
	for range 3 {
		f.Must(act("a", "load", "w", ""))
	}
	if err := f.Try(act("a", "load", "w", "")); err == nil {
		t.Error("a fourth cartridge in a turn")
	}
}
