package basic

import (
	"slices"
	"strconv"
	"strings"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play/condition"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// brawls are the attacks that everybody has.
//
// basic.attack.punch, basic.attack.kick
var brawls = []*eventv1.BasicWeapon{
	{Name: punch, Damage: "1d3", Kind: "melee", Natural: true, AllEdges: true},
	{Name: kick, Damage: "1d4", Kind: "melee", Natural: true, AllEdges: true},
}

func brawling(w *eventv1.BasicWeapon) bool { return w.Name == punch || w.Name == kick }

// weaponOf finds a weapon of a creature by name; nil when it has none such.
func weaponOf(c *eventv1.Creature, name string) *eventv1.BasicWeapon {
	for _, list := range [][]*eventv1.BasicWeapon{sheetOf(c).Weapons, brawls} {
		for _, w := range list {
			if w.Name == name {
				return w
			}
		}
	}
	return nil
}

// place is where a weapon is; natural weapons are always at hand.
func place(c *eventv1.Creature, w *eventv1.BasicWeapon) string {
	if w.Natural {
		return "natural"
	}
	return c.Items[w.Name].GetPlace()
}

func atHand(c *eventv1.Creature, w *eventv1.BasicWeapon) bool {
	return slices.Contains([]string{"natural", "main", "off", "both"}, place(c, w))
}

// canReady tells whether a weapon is at hand or could be drawn before the deed, as
// soon as the number comes: what is in the hands can be dropped, a shield cannot.
//
// basic.condition.disarmed
func canReady(c *eventv1.Creature, w *eventv1.BasicWeapon) bool {
	if atHand(c, w) {
		return true
	}
	need := 1
	if w.TwoHanded {
		need = 2
	}
	return place(c, w) == "stowed" && need <= mostHands(c)
}

// mostHands is how many hands could be free at most.
func mostHands(c *eventv1.Creature) int {
	switch {
	case barring(nil, c, condition.BarsHands) != nil:
		return 0
	case sheetOf(c).Shield:
		return 1
	}
	return 2
}

// melee lists the melee weapons at hand, natural ones too, brawling not.
func melee(c *eventv1.Creature) []*eventv1.BasicWeapon {
	return armed(c, func(w *eventv1.BasicWeapon) bool { return w.Kind == "melee" })
}

func armed(c *eventv1.Creature, fits func(*eventv1.BasicWeapon) bool) []*eventv1.BasicWeapon {
	var out []*eventv1.BasicWeapon
	for _, w := range sheetOf(c).Weapons {
		if atHand(c, w) && fits(w) {
			out = append(out, w)
		}
	}
	return out
}

func weaponNames(list []*eventv1.BasicWeapon) []string {
	var out []string
	for _, w := range list {
		out = append(out, w.Name)
	}
	return out
}

// freeHands counts the hands that hold nothing.
//
// basic.spell.hand-and-voice
func freeHands(c *eventv1.Creature) int {
	free := mostHands(c)
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

// damageOf takes the damage of a weapon or spell apart: dice and number.
func damageOf(text string) (count, sides, flat int32, ok bool) {
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

// reach is how far a melee weapon strikes, in feet. Reading: a long one 10.
func reach(w *eventv1.BasicWeapon) int32 {
	if w.GetLongReach() {
		return 2 * engagedFeet
	}
	return engagedFeet
}

func missile(w *eventv1.BasicWeapon) bool { return w.ShortFeet > 0 }

func thrown(w *eventv1.BasicWeapon) bool { return w.Kind == "thrown" || w.Kind == "melee" }

func spellOf(c *eventv1.Creature, name string) *eventv1.BasicSpell {
	for _, sp := range sheetOf(c).Spells {
		if sp.Name == name {
			return sp
		}
	}
	return nil
}

func hostile(sp *eventv1.BasicSpell) bool { return sp.Damage != "" || sp.Condition != "" }

// living lists the creatures that are in the fight and not dead.
func living(s *eventv1.State) []string {
	var ids []string
	for _, id := range rules.SortedKeys(s.Creatures) {
		if c := s.Creatures[id]; !dead(c) && c.Marks[mLeaving] == "" {
			ids = append(ids, id)
		}
	}
	return ids
}
