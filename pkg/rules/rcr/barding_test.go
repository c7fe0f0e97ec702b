package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/barding"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// barded makes the sheet of a beast in barding.
func barded(kind, trained, size string, dexterity int32) *eventv1.Sheet {
	return fighter("a", "party", ability("dexterity", dexterity), func(s *eventv1.Sheet) { s.Size = size }, armor(10),
		rcrSheet(func(s *eventv1.RcrSheet) { s.Barding, s.BardingTraining = &eventv1.RcrBarding{Type: kind}, trained }))
}

// Every row of the tables: armour class with a Dexterity modifier of 3, whether it
// hampers stealth, weight and cost for a Medium creature and for a Large one.
//
// rcr.equipment.barding-light, rcr.equipment.barding-medium, rcr.equipment.barding-heavy,
// rcr.equipment.barding-stats, rcr.equipment.barding-large
func TestBardings(t *testing.T) {
	for _, c := range []struct {
		kind, grade  string
		ac           int32
		loud         bool
		weight, gold int32
	}{
		{"padded", "light", 14, true, 8, 10}, {"leather", "light", 14, false, 10, 20},
		{"studded", "light", 15, false, 12, 90}, {"lacquered", "light", 16, true, 12, 600},
		{"chain shirt", "medium", 15, true, 20, 100}, {"ring mail", "medium", 16, false, 24, 200},
		{"breastplate", "medium", 17, false, 20, 600}, {"banded mail", "medium", 18, true, 40, 1000},
		{"hauberk", "heavy", 15, true, 50, 300}, {"scale mail", "heavy", 16, true, 60, 600},
		{"splint", "heavy", 17, true, 66, 1500}, {"plate", "heavy", 18, true, 80, 3000},
	} {
		t.Run(c.kind, func(t *testing.T) {
			for size, times := range map[string]int32{"medium": 1, "large": 2, "huge": 0} {
				f := newTable(t).add(barded(c.kind, c.grade, size, 16), fighter("b", "monsters")).start(nil, 5, 20)
				weight, gold := body.BardingLoad(f.Creature("a"))
				if weight != times*c.weight || gold != times*c.gold {
					t.Errorf("%s: %d and %d, want %d and %d", size, weight, gold, times*c.weight, times*c.gold)
				}
				// The sword of b has 5: one less than the armour class misses, as much hits.
				f.Must(act("b", "attack", "sword", "a", withFacts("distance", 5)), int(c.ac-5-1))
				if got := f.Roll("to-hit"); got.Target.Value != c.ac || f.Attack().Outcome != "miss" {
					t.Fatalf("against %d, want %d", got.Target.Value, c.ac)
				}
				dice := []int{10}
				if c.loud {
					dice = []int{10, 10}
				}
				f.Must(act("a", "called-check", "", "", withParameters("skill", "stealth", "dc", 10)), dice...)
			}
		})
	}
	for _, c := range []struct {
		name, kind      string
		dexterity, want int32
	}{
		{"rcr.equipment.barding-stats: a warhorse", "breastplate", 12, 16},
		{"rcr.equipment.barding-light: studded, +2", "studded", 14, 14},
		{"rcr.equipment.barding-medium: banded mail, +3", "banded mail", 16, 18},
		{"rcr.equipment.barding-heavy: hauberk, +2", "hauberk", 14, 15},
		{"rcr.equipment.barding-stats: clumsy in light", "leather", 6, 9},
		{"rcr.equipment.barding-stats: clumsy in medium", "ring mail", 6, 12},
		{"rcr.equipment.barding-stats: clumsy in heavy", "plate", 6, 18},
		{"rcr.equipment.barding-stats: by a name with capitals", "Chain Shirt", 10, 13},
	} {
		f := newTable(t).add(barded(c.kind, "heavy", "large", c.dexterity))
		if got := body.Barded(f.Creature("a")).ArmorFor(f.Creature("a")); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
	t.Run("rcr.equipment.barding-stats: a hide that is better stays", func(t *testing.T) {
		s := barded("padded", "light", "large", 10)
		s.GetRcr().ArmorClass = 17
		f := newTable(t).add(s, fighter("b", "monsters")).start(nil, 5, 20)
		f.Must(act("b", "attack", "sword", "a", withFacts("distance", 5)), 11)
		if got := f.Roll("to-hit").Target.Value; got != 17 {
			t.Fatalf("against %d", got)
		}
	})
	t.Run("rcr.equipment.barding-large: the sheet says it for other sizes", func(t *testing.T) {
		s := barded("plate", "heavy", "huge", 10)
		s.GetRcr().Barding.Weight, s.GetRcr().Barding.Gold = 320, 12000
		f := newTable(t).add(s)
		if weight, gold := body.BardingLoad(f.Creature("a")); weight != 320 || gold != 12000 {
			t.Fatalf("%d and %d", weight, gold)
		}
	})
}

// rcr.equipment.barding-untrained
func TestBardingUntrained(t *testing.T) {
	for _, c := range []struct {
		name, kind, trained string
		off                 bool
		hampered            bool
	}{
		{"no training", "ring mail", "", false, true},
		{"training for less", "ring mail", "light", false, true},
		{"training for it", "ring mail", "medium", false, false},
		{"training for more", "ring mail", "heavy", false, false},
		{"none said for light", "leather", "none", false, true},
		{"none said for heavy but medium", "plate", "medium", false, true},
		{"not worn", "plate", "", true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := barded(c.kind, c.trained, "large", 10)
			s.GetRcr().Barding.Off = c.off
			s.GetRcr().Saves = map[string]int32{"strength": 4}
			s.GetRcr().Spells = []*eventv1.RcrSpell{{Name: "ray", RangeFeet: 60, Attack: "ranged", Damage: []*eventv1.RcrDamage{{Dice: "1", Type: "cold"}}}}
			f := newTable(t).add(s, fighter("b", "monsters")).start(nil, 20, 5)
			dice := []int{11}
			if c.hampered {
				dice = []int{11, 7} // 7 and 4 are 11 against 12
			}
			save := func(ability string, faces ...int) {
				f.Must(act("a", "called-save", "", "", withParameters("ability", ability, "dc", 12)), faces...)
			}
			save("strength", dice...)
			if got := f.Roll("save/a"); c.hampered && (got.Total != 11 || got.Outcome != "failure") {
				t.Fatalf("%v", got)
			}
			save("dexterity", dice...)
			for _, other := range []string{"constitution", "intelligence", "wisdom", "charisma"} {
				save(other, 11)
			}
			check := func(skill string, faces ...int) {
				f.Must(act("a", "called-check", "", "", withParameters("skill", skill, "dc", 12)), faces...)
			}
			check("athletics", dice...)
			check("acrobatics", dice...)
			check("dexterity", dice...)
			check("perception", 11)
			f.Must(act("a", "attack", "sword", "b", withFacts("distance", 5)), faces(len(dice), 2)...)
			f.End("a", 11) // initiative goes by Intelligence where Dexterity is hampered
		})
	}
	t.Run("spells are not hampered", func(t *testing.T) {
		s := barded("plate", "", "large", 10)
		s.GetRcr().Spells = []*eventv1.RcrSpell{{Name: "ray", RangeFeet: 60, Attack: "ranged", Damage: []*eventv1.RcrDamage{{Dice: "1", Type: "cold"}}}}
		f := newTable(t).add(s, fighter("b", "monsters")).start(nil, 20, 5)
		f.Must(act("a", "cast", "ray", "b", withFacts("distance", 30)), 2)
	})
	t.Run("loud and untrained are two sources", func(t *testing.T) {
		f := newTable(t).add(barded("plate", "", "large", 10)).start(nil, 20)
		f.Must(act("a", "called-check", "", "", withParameters("skill", "stealth", "dc", 12)), 10, 10, 10)
	})
}

// rcr.equipment.barding-don-doff
func TestBardingDonDoff(t *testing.T) {
	if barding.Minutes(false) != 10 || barding.Minutes(true) != 5 {
		t.Error("10 minutes, or 5 with help")
	}
	for _, between := range []bool{false, true} {
		f := newTable(t).add(barded("plate", "heavy", "large", 10))
		put := func(worn, helped bool) (note string) {
			if between {
				f.Tend(patientDeed("barding", "", []string{"a"}, "", "worn", worn, "helped", helped))
			} else {
				f.Must(act("a", "barding", "", "", withParameters("worn", worn, "helped", helped)))
			}
			for _, e := range f.Events {
				if n := e.GetNote(); n != nil && note == "" {
					note = n.Text
				}
				if a := e.GetAction(); a != nil {
					note = a.Notes[0]
				}
			}
			return note
		}
		if !between {
			f.Start(nil, 10)
		}
		if got := put(false, false); got != "taken off in 10 minutes" || body.Barded(f.Creature("a")) != nil {
			t.Errorf("%q", got)
		}
		if between {
			f.refusedTend(cite.EquipmentBardingDonDoff, patientDeed("barding", "", []string{"a"}, "", "worn", false))
		} else {
			wantRefused(t, f.Peek(act("a", "barding", "", "", withParameters("worn", false))), cite.EquipmentBardingDonDoff)
		}
		if got := put(true, true); got != "put on in 5 minutes" || body.Barded(f.Creature("a")) == nil {
			t.Errorf("%q", got)
		}
		if !between {
			wantRefused(t, f.Peek(act("a", "barding", "", "", withParameters("worn", true))), cite.EquipmentBardingDonDoff)
		}
	}
	f := newTable(t).add(fighter("a", "party")).start(nil, 10)
	wantRefused(t, f.Peek(act("a", "barding", "", "", withParameters("worn", true))), cite.EquipmentBardingDonDoff)
}

// Words of barding that the tables do not know are refused, with the near ones.
//
// rcr.equipment.barding-stats
func TestBardingOfSheets(t *testing.T) {
	for _, c := range []struct{ kind, trained, field, near string }{
		{"stud", "", "barding.type", "studded"},
		{"", "", "barding.type", "missing"},
		{"plate", "hevy", "barding_training", "heavy"},
	} {
		wrong := System{}.CheckSheet(barded(c.kind, c.trained, "large", 10))
		if len(wrong) != 1 || wrong[0].Field != "sheet.rcr."+c.field {
			t.Errorf("%q, %q: %v", c.kind, c.trained, wrong)
		}
	}
	if wrong := (System{}).CheckSheet(barded("Chain Shirt", "medium", "large", 10)); len(wrong) > 0 {
		t.Error(wrong)
	}
}
