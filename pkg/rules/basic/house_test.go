package basic

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// exampleBook is the example of a table's own content.
func exampleBook(t testing.TB) *effects.Book {
	t.Helper()
	return rulestest.Book(t, System{}, rulestest.Example(t, "example-basic"))
}

// writtenBook is content of files of a pack named own, by name of file.
func writtenBook(t testing.TB, files map[string]string) *effects.Book {
	t.Helper()
	return rulestest.Book(t, System{}, rulestest.Written(System{}, "own", files))
}

// tableOf says what is wrong with a pack that has rows of a table; nil when it holds.
func tableOf(t testing.TB, name, rows string) error {
	t.Helper()
	if _, problems := rulestest.Check(t, System{}, rulestest.Written(System{}, "own", map[string]string{"tables/" + name + ".csv": rows})); problems != nil {
		return problems
	}
	return nil
}

// tableWith is a fight with content.
func tableWith(t *testing.T, content *effects.Book, settings ...string) *table {
	t.Helper()
	f := rulestest.NewWith(t, System{}, content, settings...)
	f.Settled = true
	return &table{f}
}

// citing tells whether an event names a rule: itself, or in a part of it.
func citing(e *eventv1.Event, rule string) bool {
	if slices.Contains(e.Rules, rule) {
		return true
	}
	roll := e.GetRoll()
	of := func(list []*eventv1.Modifier) bool {
		return slices.ContainsFunc(list, func(m *eventv1.Modifier) bool { return m.Rule == rule })
	}
	return of(roll.GetModifiers()) || of(roll.GetTarget().GetModifiers()) ||
		slices.ContainsFunc(e.GetDamage().GetParts(), func(p *eventv1.DamagePart) bool { return p.Rule == rule })
}

func (f *table) wantCited(ids ...string) {
	f.T.Helper()
	for _, id := range ids {
		if !slices.ContainsFunc(f.Events, func(e *eventv1.Event) bool { return citing(e, "house.example-basic."+id) }) {
			f.T.Errorf("nothing cites %s", id)
		}
	}
}

func wantFault(t *testing.T, err error, field string) {
	t.Helper()
	if f, ok := fault.As(err); !ok || len(f.Violations) == 0 || f.Violations[0].Field != field {
		t.Errorf("got %v, want a fault about %s", err, field)
	}
}

func (f *table) wantHP(want map[string]int32) {
	f.T.Helper()
	for id, n := range want {
		if got := f.Creature(id).GetHp(); got != n {
			f.T.Errorf("%s has %d hit points, want %d", id, got, n)
		}
	}
}

// watchman is one of the night watch with all that the example has.
func watchman(id string, more ...change) *eventv1.Sheet {
	return make1(id, "watch", append([]change{hp(20), abilities(1, 0), func(s *eventv1.Sheet, b *eventv1.BasicSheet) {
		s.Wears, s.Feats = []string{"eel-scale", "lamp-charm"}, []string{"ditch-fighter", "Lantern bearer", "quick-hands"}
		b.ArmorClass, b.ArmorMaterial = 0, ""
		b.Weapons = []*eventv1.BasicWeapon{{Use: "watch-cleaver"}, {Use: "reed-javelin"}}
		b.Spells = []*eventv1.BasicSpell{{Use: "mire-grasp"}}
		b.Saves = map[string]int32{"spells": 15, "paralysis": 14}
	}}, more...)...)
}

// What a sheet takes from the pack is filled in; what it takes wrongly is refused by
// field with what was meant.
func TestSheetsTakeFromThePack(t *testing.T) {
	f := tableWith(t, exampleBook(t)).add(nil, watchman("a"))
	s := f.Creature("a").Sheet.GetBasic()
	if w := s.Weapons[0]; w.Name != "Watch cleaver" || w.Damage != "1d8" || w.MagicBonus != 1 || w.Use != "watch-cleaver" {
		t.Errorf("cleaver %v", w)
	}
	if s.ArmorClass != 14 || s.ArmorMaterial != "leather" || s.Spells[0].Save != "paralysis" || s.Spells[0].Uses != 2 {
		t.Errorf("sheet %v", s)
	}
	f.Add(&eventv1.Sheet{Id: "m", Name: "m", Side: "mud", Use: "mud-crawler"})
	if f.Creature("m").GetHp() != 12 {
		t.Errorf("crawler %v", f.Creature("m"))
	}
	for field, spoil := range map[string]func(*eventv1.Sheet){
		"sheet.basic.weapons[0].use":        func(s *eventv1.Sheet) { s.GetBasic().Weapons[0].Use = "watch-cleavr" },
		"sheet.feats[0]":                    func(s *eventv1.Sheet) { s.Feats[0] = "ditch-fightr" },
		"sheet.wears[0]":                    func(s *eventv1.Sheet) { s.Wears[0] = "eel-scales" },
		"sheet.basic.spells[0].condition":   func(s *eventv1.Sheet) { s.GetBasic().Spells[0].Condition = "mirred" },
		"sheet.basic.spells[0].use":         func(s *eventv1.Sheet) { s.GetBasic().Spells[0].Use = "mire" },
		"sheet.basic.weapons[1].ammunition": func(s *eventv1.Sheet) { s.GetBasic().Weapons[1].Ammunition = "reeds" },
	} {
		x := watchman("x")
		spoil(x)
		wantFault(t, f.Try(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: x}}}), field)
	}
}

// A fight by the table's own rules: each thing that counts is cited by its house id.
func TestFightByHouseRules(t *testing.T) {
	f := tableWith(t, exampleBook(t)).add([]int32{0, 5}, watchman("a"), make1("b", "mud", hp(40), section(func(b *eventv1.BasicSheet) { b.Saves = map[string]int32{"paralysis": 15} })))
	f.AddAt(0, 5, make1("c", "mud", hp(3)))
	f.start(nil)
	f.declare([]int{6, 2, 1}, "a=attack", "b=attack", "c=move")

	// 19 is critical with the cleaver: the second roll of 7 and Strength 1 is a regular
	// hit of 1d8 (5) and 1 of magic and 1 of Strength, with 1d4 (3) of fire; 10 feet
	// away with it.
	f.Must(act("a", "attack", "Watch cleaver", "b"), 19, 7, 3, 5)
	f.wantCited("watch-cleaver")
	f.wantHP(map[string]int32{"b": 40 - (5 + 1 + 1) - 3})
	if at := f.Creature("b").Position; at.X != 15 {
		t.Errorf("b is at %v, want 15 feet", at)
	}
	f.end("a", "b", "c")

	// The mire: half of 4 for whoever saves, then a second throw against being stuck,
	// at a number of its own each time. b has half a walk then and loses 1 of cold.
	f.declare([]int{6, 2, 1}, "a=cast", "b=move", "c=move")
	f.WantArea("a", "cast", "Mire grasp", "sphere 5 0 target")
	f.Must(act("a", "cast", "Mire grasp", "b"), 4, 15, 3)
	f.wantHP(map[string]int32{"b": 30 - 2})
	f.wantCited("mire-grasp")
	x := body.ConditionOf(f.Creature("b"), "mired")
	if x == nil || x.Until.GetRound() != 4 || x.Rule != "house.example-basic.mired" {
		t.Fatalf("b: %v", x)
	}
	if got := body.Walk(f.Creature("b")); got != 15 {
		t.Errorf("b walks %d feet, want 15", got)
	}
	f.End("a", 1) // the number of b comes
	f.wantCited("mired")
	f.wantHP(map[string]int32{"b": 27})
	f.End("b", 15) // it tears free at the end of its turn
	if body.Has(f.Creature("b"), "mired") || body.Walk(f.Creature("b")) != 30 {
		t.Errorf("b: %v", f.Creature("b"))
	}
	f.end("c")

	// One who lies down is struck at +2; who kills gets 2 hit points back.
	f.Afflict("c", "prone")
	f.Hurt("a", 15)
	f.declare([]int{6, 2, 1}, "a=attack", "b=move", "c=other")
	f.Must(act("a", "attack", "Watch cleaver", "c"), 10, 2, 4)
	f.wantCited("ditch-fighter", "first-blood")
	if !body.Dead(f.Creature("c")) || f.Roll("/to-hit").Total != 10+1+2 {
		t.Errorf("c %v, to hit %d", f.Creature("c").Life, f.Roll("/to-hit").Total)
	}
	f.wantHP(map[string]int32{"a": 17})
}
