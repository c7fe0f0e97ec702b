package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func srdBook(t testing.TB) *effects.Book {
	t.Helper()
	return rulestest.Book(t, System{}, rulestest.Example(t, "srd5e"))
}

// Every weapon, piece of armour and spell of the SRD's pack makes a sheet that the
// rules take.
func TestTheSRDsThingsMakeSheets(t *testing.T) {
	b := srdBook(t)
	s := fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) {
		s.Attacks, s.SpellDc, s.SpellAttackBonus, s.SpellSlots = nil, 15, 7, []int32{4, 3, 2, 1, 1, 1, 1, 1, 1}
		for _, id := range b.IDs(effects.Weapons) {
			s.Attacks = append(s.Attacks, &eventv1.RcrAttack{Use: id, Hand: "stowed"})
		}
		for _, id := range b.IDs(effects.Spells) {
			s.Spells = append(s.Spells, &eventv1.RcrSpell{Use: id})
		}
	}), ability("strength", 18), ability("dexterity", 14))
	s.Wears = b.IDs(effects.Armour)
	if err := b.Resolve(s); err != nil {
		t.Fatal(err)
	}
	for _, v := range rules.CheckSheetWith(System{}, b, s) {
		t.Errorf("%s: %s", v.Field, v.Description)
	}
	if n := len(s.GetRcr().Attacks); n != 37 {
		t.Errorf("%d weapons", n)
	}
	sword := checks.AttackOf(&eventv1.Creature{Sheet: s}, "longsword")
	if sword.GetBonus() != 7 || sword.Damage[0].Dice != "1d8+4" || sword.TwoHandedDamage[0].Dice != "1d10+4" {
		t.Errorf("longsword %v", sword)
	}
	if bow := checks.AttackOf(&eventv1.Creature{Sheet: s}, "longbow"); bow.GetBonus() != 5 || bow.Damage[0].Dice != "1d8+2" || bow.LongRangeFeet != 600 {
		t.Errorf("longbow %v", bow)
	}
	if cure := answers.SpellOf(&eventv1.Creature{Sheet: s}, "mass cure wounds"); cure.GetHealing() != "3d8+4" || cure.UpcastDice != "1d8" {
		t.Errorf("mass cure wounds %v", cure)
	}
}

// A fireball finds everybody in its sphere; plate gives its armour class and
// makes noise.
func TestFightingByTheSRD(t *testing.T) {
	f := &table{rulestest.NewWith(t, System{}, srdBook(t), body.SetInitiativeChoice+"=best", body.SetTieBreak+"=dexterity")}
	f.AddAt(0, 0, fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) {
		s.Spells, s.SpellSlots, s.SpellDc = []*eventv1.RcrSpell{{Use: "fireball"}}, []int32{0, 0, 1}, 15
	})))
	f.AddAt(60, 0, fighter("b", "monsters", func(s *eventv1.Sheet) { s.Wears = []string{"plate-armor", "shield"} }))
	f.AddAt(70, 0, fighter("c", "monsters"))
	f.AddAt(100, 0, fighter("d", "monsters"))
	f.start(nil, 20, 5, 4, 3)
	f.Must(act("a", "cast", "fireball", "b"), 4, 4, 4, 4, 4, 4, 4, 4, 2, 19)
	if b, c, d := f.DamageTo("b"), f.DamageTo("c"), f.DamageTo("d"); b != 32 || c != 16 || d != 0 {
		t.Errorf("damage to b %d, c %d, d %d", b, c, d)
	}
	f.Resolve(func(r *rules.Resolution) error {
		if ac := answers.ArmorClass(r, r.Creature("b"), r.Creature("a"), false, ""); ac.Value != 20 {
			t.Errorf("armour class %d, want 20", ac.Value)
		}
		dice.RollCheck(r, "probe", r.Creature("b"), "stealth", 0, "", body.CheckOpts{})
		return nil
	}, 9, 3)
	if roll := f.Roll("probe"); len(roll.Edges) != 1 || roll.Edges[0].Rule != "house.srd5e.plate-armor" {
		t.Errorf("stealth in plate: %v", roll.Edges)
	}
}
