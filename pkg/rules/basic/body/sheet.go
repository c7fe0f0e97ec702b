package body

import (
	"slices"
	"strconv"
	"strings"

	"github.com/skaldrpg/skald/pkg/rules/play/condition"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Brawls are the attacks that everybody has.
//
// basic.attack.punch, basic.attack.kick
var Brawls = []*eventv1.BasicWeapon{
	{Name: Punch, Damage: "1d3", Kind: "melee", Natural: true, AllEdges: true},
	{Name: Kick, Damage: "1d4", Kind: "melee", Natural: true, AllEdges: true},
}

// Brawling tells whether a weapon is the punch or the kick that everybody has.
func Brawling(w *eventv1.BasicWeapon) bool { return w.Name == Punch || w.Name == Kick }

// WeaponOf finds a weapon of a creature by name; nil when it has none such.
func WeaponOf(c *eventv1.Creature, name string) *eventv1.BasicWeapon {
	for _, list := range [][]*eventv1.BasicWeapon{SheetOf(c).Weapons, Brawls} {
		for _, w := range list {
			if w.Name == name {
				return w
			}
		}
	}
	return nil
}

// Place is where a weapon is; natural weapons are always at hand.
func Place(c *eventv1.Creature, w *eventv1.BasicWeapon) string {
	if w.Natural {
		return "natural"
	}
	return c.Items[w.Name].GetPlace()
}

// AtHand tells whether a weapon is natural or held in one or both hands.
func AtHand(c *eventv1.Creature, w *eventv1.BasicWeapon) bool {
	return slices.Contains([]string{"natural", "main", "off", "both"}, Place(c, w))
}

// CanReady tells whether a weapon is at hand or could be drawn before the deed, as
// soon as the number comes: what is in the hands can be dropped, a shield cannot.
//
// basic.condition.disarmed
func CanReady(c *eventv1.Creature, w *eventv1.BasicWeapon) bool {
	if AtHand(c, w) {
		return true
	}
	need := 1
	if w.TwoHanded {
		need = 2
	}
	return Place(c, w) == "stowed" && need <= MostHands(c)
}

// MostHands is how many hands could be free at most.
func MostHands(c *eventv1.Creature) int {
	switch {
	case Barring(nil, c, condition.BarsHands) != nil:
		return 0
	case SheetOf(c).Shield:
		return 1
	}
	return 2
}

// Melee lists the melee weapons at hand, natural ones too, brawling not.
func Melee(c *eventv1.Creature) []*eventv1.BasicWeapon {
	return Armed(c, func(w *eventv1.BasicWeapon) bool { return w.Kind == "melee" })
}

// Armed lists the weapons of the sheet that are at hand and fit; brawling is not among
// them.
func Armed(c *eventv1.Creature, fits func(*eventv1.BasicWeapon) bool) []*eventv1.BasicWeapon {
	var out []*eventv1.BasicWeapon
	for _, w := range SheetOf(c).Weapons {
		if AtHand(c, w) && fits(w) {
			out = append(out, w)
		}
	}
	return out
}

// WeaponNames lists the names of weapons in their order.
func WeaponNames(list []*eventv1.BasicWeapon) []string {
	var out []string
	for _, w := range list {
		out = append(out, w.Name)
	}
	return out
}

// FreeHands counts the hands that hold nothing.
//
// basic.spell.hand-and-voice
func FreeHands(c *eventv1.Creature) int {
	free := MostHands(c)
	// order-free: hands are counted
	for _, it := range c.Items {
		switch it.Place {
		case "main", "off":
			free--
		case "both":
			free -= 2
		}
	}
	return max(0, free)
}

// DamageOf takes the damage of a weapon or spell apart: dice and number.
func DamageOf(text string) (count, sides, flat int32, ok bool) {
	dice, rest := text, ""
	if i := strings.IndexAny(text, "+-"); i >= 0 {
		dice, rest = text[:i], text[i:]
	}
	n, s, found := strings.Cut(dice, "d")
	c1, err1 := strconv.ParseUint(n, 10, 8)
	s1, err2 := strconv.ParseUint(s, 10, 8)
	if !found || err1 != nil || err2 != nil || c1 < 1 || s1 < 2 {
		return 0, 0, 0, false
	}
	if rest != "" {
		f, err := strconv.ParseInt(rest, 10, 16)
		if err != nil {
			return 0, 0, 0, false
		}
		flat = int32(f)
	}
	return int32(c1), int32(s1), flat, true
}

// Reach is how far a melee weapon strikes, in feet. Reading: a long one 10.
func Reach(w *eventv1.BasicWeapon) int32 {
	if w.GetLongReach() {
		return 2 * EngagedFeet
	}
	return EngagedFeet
}

// Missile tells whether a weapon has a short range, so that it can be shot or thrown.
func Missile(w *eventv1.BasicWeapon) bool { return w.ShortFeet > 0 }

// Thrown tells whether a weapon flies by the arm alone: one of kind thrown or melee.
func Thrown(w *eventv1.BasicWeapon) bool { return w.Kind == "thrown" || w.Kind == "melee" }

// SpellOf finds a spell of a sheet by name; nil when there is none such.
func SpellOf(c *eventv1.Creature, name string) *eventv1.BasicSpell {
	for _, sp := range SheetOf(c).Spells {
		if sp.Name == name {
			return sp
		}
	}
	return nil
}

// Hostile tells whether a spell does damage or lays a condition.
func Hostile(sp *eventv1.BasicSpell) bool { return sp.Damage != "" || sp.Condition != "" }

// Living lists the creatures that are in the fight and not dead.
func Living(s *eventv1.State) []string {
	return Those(s, func(*eventv1.Creature) bool { return true })
}

// Those lists the living whom something fits, in the order of their ids; nil when there
// are none.
func Those(s *eventv1.State, fits func(c *eventv1.Creature) bool) []string {
	var ids []string
	// order-free: sorted below
	for id, c := range s.Creatures {
		if Dead(c) || c.Marks[MLeaving] != "" || !fits(c) {
			continue
		}
		if ids == nil {
			ids = make([]string, 0, len(s.Creatures))
		}
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}
