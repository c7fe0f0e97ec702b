package original

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// exampleBook is the example of a table's own content.
func exampleBook(t testing.TB) *effects.Book {
	t.Helper()
	return rulestest.Book(t, System{}, rulestest.Example(t, "example-original"))
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
		slices.ContainsFunc(roll.GetEdges(), func(x *eventv1.Edge) bool { return x.Rule == rule }) ||
		slices.ContainsFunc(e.GetDamage().GetParts(), func(p *eventv1.DamagePart) bool { return p.Rule == rule })
}

func (f *table) wantCited(ids ...string) {
	f.T.Helper()
	for _, id := range ids {
		if !slices.ContainsFunc(f.Events, func(e *eventv1.Event) bool { return citing(e, "house.example-original."+id) }) {
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

// ferryman is one of the company with all that the example has: a fighter of level 1
// with STR +1.
func ferryman(id string) *eventv1.Sheet {
	return one(id, "party", class("fighter", 1), str(1), dex(0), func(s *eventv1.Sheet) {
		o := s.GetOriginal()
		s.Wears, s.Feats = []string{"river-mail", "ferry-cap", "drowned-coin"}, []string{"hooked-before", "Ferry master", "two-strokes"}
		o.ArmorAc = nil
		o.Weapons = []*eventv1.OriginalWeapon{{Use: "ferry-hook"}, {Use: "oar-club"}}
		o.Spells = []*eventv1.OriginalSpell{{Use: "grey-water"}}
	})
}

// What a sheet takes from the pack is filled in; what it takes wrongly is refused by
// field.
func TestSheetsTakeFromThePack(t *testing.T) {
	f := tableWith(t, exampleBook(t)).add(ferryman("a"))
	s := f.Creature("a").Sheet.GetOriginal()
	if w := s.Weapons[0]; w.Name != "Ferry hook" || w.Damage != "1d6+1" || w.Kind != "spear" || w.Use != "ferry-hook" {
		t.Errorf("hook %v", w)
	}
	if s.OtherAcBonus != 1 || s.Spells[0].Prepared != 2 || s.Spells[0].Damage != "1d6" {
		t.Errorf("sheet %v", s)
	}
	f.Add(&eventv1.Sheet{Id: "w", Name: "w", Side: "monsters", Use: "river-wight"})
	if f.Creature("w").GetHp() != 14 {
		t.Errorf("wight %v", f.Creature("w"))
	}
	for field, spoil := range map[string]func(*eventv1.Sheet){
		"sheet.original.weapons[0].use": func(s *eventv1.Sheet) { s.GetOriginal().Weapons[0].Use = "ferry-hok" },
		"sheet.feats[0]":                func(s *eventv1.Sheet) { s.Feats[0] = "hooked" },
		"sheet.wears[0]":                func(s *eventv1.Sheet) { s.Wears[0] = "river-male" },
		"sheet.original.spells[0].use":  func(s *eventv1.Sheet) { s.GetOriginal().Spells[0].Use = "grey" },
		"sheet.original.special_effect": func(s *eventv1.Sheet) { s.GetOriginal().SpecialEffect = "drenchd" },
	} {
		x := ferryman("x")
		spoil(x)
		wantFault(t, f.Try(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: x}}}), field)
	}
	x := ferryman("x")
	x.GetOriginal().SpecialEffect = "drenched"
	f.Add(x)
}

// A fight by the table's own rules: each thing that counts is cited by its house id.
func TestFightByHouseRules(t *testing.T) {
	f := tableWith(t, exampleBook(t))
	f.at(0, ferryman("a")).at(5, one("b", "orcs", points(40), with(func(o *eventv1.OriginalSheet) { o.HitDice, o.Morale = 4, 8 })))
	f.start(nil, 6, 1)
	if got := f.Creature("a").Counters[body.CMore]; got != 1 {
		t.Errorf("%d attacks more, want 1", got)
	}

	// AC 5 and hits AC 0 with 19: 14 is needed, with STR 13. A 19 is critical with the
	// hook: twice 1d6+1 (4) and STR, twice 1d4 (3) of cold; the sword falls.
	f.Must(act("a", "attack", "Ferry hook", "b"), 19, 3, 3)
	f.wantCited("ferry-hook")
	f.WantHP("b", 40-2*(3+1+1)-2*3)
	if place := f.Creature("b").Items["sword"].Place; place != "dropped" {
		t.Errorf("the sword is %s", place)
	}
	// A second attack, at one who has no more than half left.
	f.Hurt("b", 20)
	f.Must(act("a", "attack", "Ferry hook", "b"), 12, 2, 4)
	f.wantCited("hooked-before", "ferry-hook")
	f.WantHP("b", 20-(4+1+1)-2)
	wantRefused(t, f.Try(act("a", "attack", "Ferry hook", "b")), "original.attack.multi-vs-normal-men")
	f.End("a")

	// River mail is AC 5, 4 with the cap: with 4 hit dice it takes 15 less 4.
	f.Must(act("b", "attack", "empty hand", "a"), 10)
	if roll := f.Roll("/to-hit"); roll.Target.Value != 11 || roll.Outcome != "failure" {
		t.Errorf("%v", roll)
	}
	f.wantCited("river-mail")
	f.End("b")

	// Grey water: 1d6, then a save of 12 or be drenched for two rounds after this one.
	f.WantArea("a", "cast", "Grey water", "cone 20 20 actor")
	f.Must(act("a", "cast", "Grey water", "b"), 5, 11)
	f.WantHP("b", 12-5)
	x := body.ConditionOf(f.Creature("b"), "drenched")
	if x == nil || x.Until.GetRound() != 4 || thestrike.FullMove(f.State, f.Creature("b")) != 60 {
		t.Fatalf("b: %v, %d feet", x, thestrike.FullMove(f.State, f.Creature("b")))
	}
	f.End("a", 1) // cold in its turn
	f.wantCited("drenched")
	f.WantHP("b", 6)
	f.End("b", 11)

	// The oar club strikes the drenched with advantage; who kills takes heart.
	f.Hurt("a", 10)
	f.Hurt("b", 2)
	f.Must(act("a", "attack", "Oar club", "b"), 3, 15, 4)
	f.wantCited("oar-club", "first-blood")
	if !body.Dead(f.Creature("b")) {
		t.Errorf("b is %v", f.Creature("b").Life)
	}
	f.WantHP("a", 12)
}

// A house rule that is a toggle, a changed row of a table, what keeps one on its feet,
// and the morale of those near their master.
func TestTogglesTablesAndConditions(t *testing.T) {
	f := tableWith(t, exampleBook(t), body.SetFumble+"=on")
	f.at(0, ferryman("a")).at(5, one("b", "orcs", points(40), with(func(o *eventv1.OriginalSheet) { o.HitDice = 2 })))
	f.start(nil, 6, 1)
	f.Must(act("a", "retreat", "", "", rulestest.To(-120)), 6, 6) // the orcs let go
	f.wantCited("hard-ground")
	f.WantAttacks()
	f.Resolve(func(r *rules.Resolution) error {
		for _, id := range []string{"a", "b"} {
			thestrike.LayCondition(r, id, &eventv1.Condition{Name: "swept-away", Rule: "house.example-original.swept-away"})
		}
		return nil
	})
	if body.Has(f.Creature("a"), body.CondProne) || !body.Has(f.Creature("b"), body.CondProne) {
		t.Errorf("a %v, b %v", f.Creature("a").Conditions, f.Creature("b").Conditions)
	}
	f.wantCited("drowned-coin")
}

// What content says of a blow that subdues counts for a punch that is pulled, as for a
// weapon that is turned, and for nothing else.
//
// original.damage.pull-punches, original.damage.subdual-with-weapon
func TestContentOfBlowsThatSubdue(t *testing.T) {
	book := writtenBook(t, map[string]string{"feats.yaml": `
- id: gentle
  title: Gentle
  effects:
    - when: '"subdue" in weapon.tags'
      modifier: {to: attack/melee, amount: "3"}
`})
	for _, c := range []struct {
		item string
		way  string
		want int32
	}{{"empty hand", "pull", 3}, {"sword", "subdue", 3}, {"sword", "", 0}} {
		f := tableWith(t, book)
		f.at(0, one("a", "party", class("fighter", 1), str(0), func(s *eventv1.Sheet) { s.Feats = []string{"gentle"} })).at(5, strongFoe()).start(nil, 6, 1)
		cmd := act("a", "attack", c.item, "b")
		if c.way != "" {
			cmd = act("a", "attack", c.item, "b", withParameters(c.way, true))
		}
		f.Must(cmd, 2)
		got := int32(0)
		for _, m := range f.Roll("/to-hit").Modifiers {
			if m.Rule == "house.own.gentle" {
				got += m.Value
			}
		}
		if got != c.want {
			t.Errorf("%s, %q: %d, want %d", c.item, c.way, got, c.want)
		}
	}
}
