package rcr

import (
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/injuries"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.condition.exhaustion-scale: a long rest takes one level of exhaustion, unless there was nothing
// to eat.
func TestRestAndExhaustion(t *testing.T) {
	for name, c := range map[string]struct {
		levels int
		hungry bool
		left   int64
	}{"rested": {3, false, 2}, "rested and hungry": {3, true, 3}, "not exhausted": {0, false, 0}} {
		f := medTable(t, bodied("a", 10, 40), 40, 0)
		f.Count("a", body.CExhaustion, c.levels)
		f.Roller = func(int) int { return 1 }
		if c.hungry {
			f.tend(patientDeed("long-rest", "", []string{"a"}, "", "no_food", true))
		} else {
			f.tend(patientDeed("long-rest", "", []string{"a"}, ""))
		}
		if got := f.Creature("a").Counters[body.CExhaustion]; got != c.left {
			t.Errorf("%s: %d, want %d", name, got, c.left)
		}
	}
}

// rcr.base.fifth-edition-fallback: a rest gives back the uses that come with it, and none of what
// comes with another or has no end.
func TestUsesThatRestsBring(t *testing.T) {
	for name, c := range map[string]struct {
		u           *eventv1.RcrUsage
		short, long int64
	}{
		"by short rests":           {&eventv1.RcrUsage{Uses: 2, Recharge: "short rest"}, 2, 2},
		"by long rests":            {&eventv1.RcrUsage{Uses: 2, Recharge: "long rest"}, 0, 2},
		"by days":                  {&eventv1.RcrUsage{Uses: 2, Recharge: "day"}, 0, 2},
		"by a die":                 {&eventv1.RcrUsage{Recharge: "recharge", RechargeFrom: 5}, 1, 1},
		"without end, short rests": {&eventv1.RcrUsage{Recharge: "short rest"}, 0, 0},
	} {
		for deed, want := range map[string]int64{"short-rest": c.short, "long-rest": c.long} {
			f := medTable(t, bodied("a", 10, 40, rcrSheet(func(s *eventv1.RcrSheet) {
				s.Powers = []*eventv1.RcrPower{{Name: "gift", Cost: "action", Healing: "1", Usage: c.u}}
			})), 40, 0)
			f.Count("a", body.CLeft+"gift", 0)
			f.Roller = func(int) int { return 1 }
			f.tend(patientDeed(deed, "", []string{"a"}, ""))
			if got := f.Creature("a").Counters[body.CLeft+"gift"]; got != want {
				t.Errorf("%s, %s: %d, want %d", name, deed, got, want)
			}
		}
	}
}

// rcr.rest.short-rest-wounds, rcr.condition.exhaustion-scale,
// rcr.healing.magic-is-natural-healing: what deeds between fights do not take.
func TestNumbersOfDeedsBetweenFights(t *testing.T) {
	for name, c := range map[string]struct {
		deed  string
		words []any
		field string
	}{
		"no die":                {"short-rest", []any{"dice", 0}, ""},
		"twenty dice":           {"short-rest", []any{"dice", 20}, ""},
		"too many dice":         {"short-rest", []any{"dice", 101}, "command.patient.parameters.dice"},
		"fewer than none":       {"short-rest", []any{"dice", -1}, "command.patient.parameters.dice"},
		"half a die":            {"short-rest", []any{"dice", 0.5}, "command.patient.parameters.dice"},
		"a level":               {"exhaust", []any{"levels", 1}, ""},
		"a level less":          {"exhaust", []any{"levels", -1}, ""},
		"no level":              {"exhaust", []any{"levels", 0}, "command.patient.parameters.levels"},
		"nothing of levels":     {"exhaust", nil, "command.patient.parameters.levels"},
		"a mark":                {"set-mark", []any{"mark", injuries.Ailment + strings.Repeat("x", rules.MaxIDLength-len(injuries.Ailment))}, ""},
		"a mark too long":       {"set-mark", []any{"mark", injuries.Ailment + strings.Repeat("x", rules.MaxIDLength-len(injuries.Ailment)+1)}, "command.patient.parameters.mark"},
		"a mark without a name": {"set-mark", []any{"mark", ""}, "command.patient.parameters.mark"},
	} {
		t.Run(name, func(t *testing.T) {
			f := medTable(t, bodied("a", 10, 40, dicePool(20, 8, 0)), 20, 0)
			f.Roller = func(int) int { return 1 }
			err := f.TryTend(patientDeed(c.deed, "", []string{"a"}, "", c.words...))
			switch {
			case c.field != "":
				wantField(t, err, c.field, "")
			case err != nil:
				t.Error(err)
			}
		})
	}
}

// rcr.healing.removed-by-spell-level, rcr.base.fifth-edition-fallback: a spell between fights is cast
// from its own level to the ninth, grows by its dice, and takes the slot unless it is innate or a
// cantrip.
func TestSpellsBetweenFights(t *testing.T) {
	spells := []*eventv1.RcrSpell{{Name: "mend", Level: 1, Healing: "1d8", UpcastDice: "1d8"}, {Name: "balm", Level: 1, Healing: "1d8"}, {Name: "touch", Healing: "1d8", UpcastDice: "1d8"}, {Name: "gift", Level: 1, Innate: true, Healing: "1d8"}, {Name: "lesser restoration", Level: 2, UpcastDice: "1d8"}}
	for name, c := range map[string]struct {
		spell string
		slot  int
		dice  int // hit points, of ones
		paid  string
		wrong bool
	}{
		"at its own level":       {"mend", 1, 1, "1", false},
		"at the ninth":           {"mend", 9, 9, "9", false},
		"beyond the ninth":       {"mend", 10, 0, "", true},
		"below its level":        {"lesser restoration", 1, 0, "", true},
		"one that does not grow": {"balm", 3, 1, "3", false},
		"a cantrip":              {"touch", 0, 1, "", false},
		"an innate one":          {"gift", 1, 1, "", false},
		"one that heals nothing": {"lesser restoration", 3, 0, "3", false},
	} {
		t.Run(name, func(t *testing.T) {
			f := medTable(t, bodied("a", 10, 40), 10, 0).add(fighter("b", "party", rcrSheet(func(s *eventv1.RcrSheet) {
				s.SpellDc, s.SpellSlots, s.Spells = 15, []int32{1, 1, 1, 1, 1, 1, 1, 1, 1}, spells
			})))
			f.Roller = func(int) int { return 1 }
			err := f.TryTend(patientDeed("treat", c.spell, []string{"a"}, "b", "slot", c.slot))
			if (err != nil) != c.wrong {
				t.Fatal(err)
			}
			if c.wrong {
				wantField(t, err, "command.patient.parameters.slot", "9")
				return
			}
			f.WantHP("a", int32(10+c.dice))
			for _, n := range []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"} {
				want := int64(1)
				if n == c.paid {
					want = 0
				}
				f.wantCount("b", body.CSlot+n, want)
			}
		})
	}
}

// rcr.healing.kit-use-expended, rcr.base.death-save-frame, rcr.feat.healer-stabilise: a kit makes the
// dying stable for a use, and one without air not; a healer's care gives it a hit point besides.
func TestKitsForTheDying(t *testing.T) {
	for name, c := range map[string]struct {
		uses    int
		via     string
		feats   []string
		airless bool
		hp      int32
		left    int64
		refused bool
	}{
		"a kit":                  {1, injuries.ViaKit, nil, false, 0, 0, false},
		"no kit":                 {0, injuries.ViaKit, nil, false, 0, 0, true},
		"a healer's kit":         {1, injuries.ViaKit, []string{body.FeatHealer}, false, 1, 0, false},
		"bare hands, no kit":     {0, injuries.ViaHands, nil, false, 0, 0, false},
		"bare hands, with a kit": {1, injuries.ViaHands, []string{body.FeatHealer}, false, 0, 1, false},
		"without air":            {1, injuries.ViaKit, []string{body.FeatHealer}, true, 0, 1, true},
	} {
		t.Run(name, func(t *testing.T) {
			f := medTable(t, bodied("a", 30, 40), 5, 0).add(fighter("b", "party", feat(c.feats...)))
			f.deed(hit("a", 5))
			if c.airless {
				f.Afflict("a", body.CondSuffocating)
			}
			f.Count("b", body.CKit, c.uses)
			f.Roller = func(int) int { return 15 }
			err := f.TryTend(patientDeed("treat", "", []string{"a"}, "b", "via", c.via))
			if (err != nil) != c.refused {
				t.Fatal(err)
			}
			f.WantHP("a", c.hp)
			f.wantCount("b", body.CKit, c.left)
			if !c.refused && c.hp == 0 && f.Creature("a").Life != eventv1.LifeStatus_LIFE_STATUS_STABLE {
				t.Errorf("it is %v", f.Creature("a").Life)
			}
			if c.refused && !c.airless {
				wantRefused(t, err, cite.HealingKitUseExpended)
			}
		})
	}
}
