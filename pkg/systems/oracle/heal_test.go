package oracle

import (
	"fmt"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

var rarities = []string{"", "common", "uncommon", "rare", "very rare", "legendary"}

// salve draws healing, and the command that gives it; the sheet is told of it.
func salve(c *rulestest.Chance, s *eventv1.Sheet) (Heal, *eventv1.Command) {
	h := Heal{Count: 1 + c.N(3), Sides: rulestest.Pick(c, []int{4, 6, 8}), Bonus: c.N(5), Medicine: c.N(12) - 1, Rarity: 1 + c.N(5)}
	dice, own := fmt.Sprintf("%dd%d+%d", h.Count, h.Sides, h.Bonus), s.GetRcr()
	own.Skills = []*eventv1.RcrSkill{{Name: "medicine", Bonus: int32(h.Medicine)}}
	switch c.N(3) {
	case 0:
		own.Powers = []*eventv1.RcrPower{{Name: "touch", Cost: "action", RangeFeet: 5, Healing: dice}}
		h.Removes = int(own.ProficiencyBonus)
		return h, rulestest.Act("a", "use-power", "touch", "b")
	case 1:
		h.Removes = 1 + c.N(5)
		own.SpellSlots = []int32{9, 9, 9, 9, 9}
		own.Spells = []*eventv1.RcrSpell{{Name: "mend", Level: int32(h.Removes), RangeFeet: 5, Healing: dice}}
		return h, rulestest.Act("a", "cast", "mend", "b")
	default:
		h.Item = true
		own.Items = []*eventv1.RcrItem{{Name: "flask", Rarity: rarities[h.Rarity], Healing: dice, Charges: 9, Activation: "action"}}
		return h, rulestest.Act("a", "use-item", "flask", "b")
	}
}

// TestHealing heals somebody who is hurt or down, and has wounds.
func TestHealing(t *testing.T) {
	each(t, 600, func(t *testing.T, c *rulestest.Chance, note func(string, ...any)) {
		by, at := creature(c, "a", true), creature(c, "b", true)
		said := sheet(by)
		h, command := salve(c, said)
		f := place(t, 3, said, sheet(at), sheet(creature(c, "z", false)))
		hurt(c, by)
		by.Wounds = min(by.Wounds, max(0, by.Modifier("constitution")+1)) // to be in shock is enough
		hurt(c, at)
		at.HP = c.N(at.HP + 1)
		afflict(c, by, 1, "poisoned")
		down := at.HP == 0
		if down {
			at.Temp, at.Life = 0, Dying
			at.Conditions["prone"] = ""
			at.Successes, at.Failures = c.N(3), c.N(3)
		}
		put(f, by)
		put(f, at)
		if down {
			f.Count("b", "death.successes", at.Successes, "death.failures", at.Failures)
		}
		note("by %+v\nat %+v\n%+v", *by, *at, h)
		same(f, at)
		dice := &faces{chance: c}
		woken := h.Make(by, at, dice.roll)
		thrown := dice.take()
		if woken {
			thrown = append(thrown, 2) // its initiative again
		}
		note("faces %v; then %+v", thrown, *at)
		f.Must(command, thrown...)
		same(f, at)
	})
}
