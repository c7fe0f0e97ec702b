package celesia

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/injury"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// packed is content of files by their names.
func packed(t testing.TB, files map[string]string) *effects.Book {
	t.Helper()
	return rulestest.Book(t, System{}, rulestest.Written(System{}, "t", files))
}

// ruling is content of one house rule with an effect, cited as house.t.it.
func ruling(t testing.TB, effect string) *effects.Book {
	t.Helper()
	return packed(t, map[string]string{"rules.yaml": "- id: it\n  title: It\n  effects:\n    - " + effect + "\n"})
}

const it = "house.t.it"

// by is a fight with content.
func by(t testing.TB, book *effects.Book, settings ...string) *table {
	t.Helper()
	return &table{rulestest.NewWith(t, System{}, book, settings...)}
}

// houseTable is a fight with the example of a table's own content.
func houseTable(t *testing.T, settings ...string) *table {
	t.Helper()
	return by(t, rulestest.Book(t, System{}, rulestest.Example(t, "example-celesia")), settings...)
}

// set begins the fight of those who were added, in the order of their ids, with the
// first turns over; faces are those of initiative.
func (f *table) set(faces ...int) *table {
	f.T.Helper()
	f.start(nil, faces...)
	for range f.State.Creatures {
		f.End(f.State.Active[0])
	}
	return f
}

// sailor is a fighter of the table's own, with all that the example has for one;
// Dexterity and Wisdom 14.
func sailor(id string, change ...func(*eventv1.Sheet)) *eventv1.Sheet {
	return fighter(id, "party", append([]func(*eventv1.Sheet){ability("dexterity", 14, "wisdom", 14), func(s *eventv1.Sheet) {
		s.Wears, s.Feats = []string{"net-coat", "anchor-charm"}, []string{"undertow", "sea-legs", "shanty"}
		s.GetCelesia().Weapons = []*eventv1.CelesiaWeapon{{Use: "tide-flail"}, {Use: "gull-bow"}}
		s.GetCelesia().Spells = []*eventv1.CelesiaSpell{{Use: "breaker"}}
	}}, change...)...)
}

// citing tells whether an event names a rule: itself, or in a part of it.
func citing(e *eventv1.Event, rule string) bool {
	if slices.Contains(e.Rules, rule) {
		return true
	}
	roll := e.GetRoll()
	has := slices.ContainsFunc(roll.GetModifiers(), func(m *eventv1.Modifier) bool { return m.Rule == rule }) ||
		slices.ContainsFunc(roll.GetEdges(), func(x *eventv1.Edge) bool { return x.Rule == rule }) ||
		slices.ContainsFunc(roll.GetTarget().GetModifiers(), func(m *eventv1.Modifier) bool { return m.Rule == rule })
	return has || slices.ContainsFunc(e.GetDamage().GetParts(), func(p *eventv1.DamagePart) bool { return p.Rule == rule })
}

func (f *table) wantCited(rules ...string) {
	f.T.Helper()
	for _, rule := range rules {
		if !slices.ContainsFunc(f.Events, func(e *eventv1.Event) bool { return citing(e, rule) }) {
			f.T.Errorf("nothing cites %s", rule)
		}
	}
}

// What a sheet takes from the pack is filled in; unknown names are refused with
// those that are near.
func TestSheetsTakeFromThePack(t *testing.T) {
	f := houseTable(t).add(sailor("a"))
	s := f.Creature("a").Sheet.GetCelesia()
	if w := s.Weapons[0]; w.Name != "Tide flail" || w.Dice != "1d8" || w.AttackBonus != 1 || w.Use != "tide-flail" {
		t.Errorf("flail %v", w)
	}
	if sp := s.Spells[0]; sp.CasterLevel != 4 || sp.SaveDc != 10+2+2 || sp.Targets != rules.MaxCreatures {
		t.Errorf("spell %v", sp)
	}
	adding := func(change func(*eventv1.Sheet)) error {
		return f.Try(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: fighter("x", "party", change)}}})
	}
	wantField(t, adding(func(s *eventv1.Sheet) { s.Feats = []string{"undertoe"} }), "sheet.feats[0]", "undertow")
	wantField(t, adding(section(func(s *eventv1.CelesiaSheet) { s.Features = []string{"sea-leg"} })), "sheet.celesia.features[0]", "sea-legs")
	wantField(t, adding(spell(&eventv1.CelesiaSpell{Name: "s", Casting: "standard", Condition: "drenchd"})), "sheet.celesia.spells[0].condition", "drenched")
	if err := adding(func(s *eventv1.Sheet) {
		s.GetCelesia().Features, s.GetCelesia().Spells = []string{"sea-legs"}, []*eventv1.CelesiaSpell{{Name: "s", Casting: "standard", Condition: "drenched"}}
	}); err != nil {
		t.Error(err)
	}
	wantField(t, newTable(t).Try(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: fighter("x", "party", func(s *eventv1.Sheet) { s.Feats = []string{"undertow"} })}}}), "sheet.feats[0]")
}

// A fight by the table's own rules: each thing that counts is cited by its house id.
func TestFightByHouseRules(t *testing.T) {
	f := houseTable(t)
	f.AddAt(0, 0, sailor("a"))
	f.AddAt(5, 0, fighter("b", "foes", unarmed(), hitPoints(60)))
	f.set(15, 5)

	// 10 + base 5 + Dexterity 2 + flail 1 = 18 hits DV 15; 1d8 + Dexterity 2, and 1d4
	// of cold; b lies on the ground: Undertow adds 3.
	f.Afflict("b", body.CondProne)
	f.Must(act("a", "attack", "Tide flail", "b"), 10, 9, 4, 3)
	f.wantCited("house.example-celesia.undertow", "house.example-celesia.tide-flail")
	f.WantHP("b", 60-(3+2+3)-4)
}

// A critical hit of the flail on a 19: the dice of the weapon at their maximum
// twice, those of content once; it drives the foe back and lets it bleed, and who
// falls to it gives breath.
func TestACriticalOfContent(t *testing.T) {
	f := houseTable(t)
	f.AddAt(0, 0, sailor("a"))
	f.AddAt(5, 0, fighter("b", "foes", unarmed(), hitPoints(60)))
	f.set(15, 5)
	// 19 + 8 = 27 against 15: one extra roll. 8 x 2 + 5 + Dexterity 2, and 4 of cold.
	f.Must(act("a", "attack", "Tide flail", "b"), 19, 5)
	if f.Attack().Outcome != "critical" {
		t.Fatal(f.Attack())
	}
	f.WantHP("b", 60-23-4)
	f.wantCited("house.example-celesia.tide-flail")
	if x := f.Creature("b").Position.X; x != 15 {
		t.Errorf("pushed to %d, want 15", x)
	}
	if n := f.Creature("b").Counters[body.CBleed]; n != 2 {
		t.Errorf("bleeds %d, want 2", n)
	}
	f.End("a")
	f.WantHP("b", 60-23-4-2)

	// A foe that dies of it: 4 temporary hit points.
	g := houseTable(t)
	g.AddAt(0, 0, sailor("a"))
	g.AddAt(5, 0, fighter("b", "foes", unarmed(), hitPoints(30), section(func(s *eventv1.CelesiaSheet) { s.Immunities = []string{body.ImmuneCritical} })))
	g.set(15, 5)
	g.Hurt("b", -22) // 2 above death with Constitution 12
	g.Must(act("a", "attack", "Tide flail", "b"), 10, 5, 5, 1, 1)
	g.WantLife("b", gone)
	g.wantCited("house.example-celesia.blood-in-the-water")
	if n := g.Creature("a").GetHpTemp(); n != 4 {
		t.Errorf("%d temporary hit points, want 4", n)
	}
}

// The coat gives the DV against all but touches, the charm the CMD and firm feet;
// the shanty helps allies near by; getting up is free and provokes nobody.
func TestWhatIsWornCounts(t *testing.T) {
	f := houseTable(t)
	f.AddAt(0, 0, sailor("a"))
	f.AddAt(5, 0, fighter("d", "party"))
	f.AddAt(0, 5, fighter("b", "foes", section(func(s *eventv1.CelesiaSheet) {
		s.Weapons = append(s.Weapons, &eventv1.CelesiaWeapon{Name: "ice", Kind: "natural", Dice: "1d6", Type: "cold", Limb: "mouth"})
	})))
	f.set(12, 18, 6) // a, b, d by id: b first
	f.WantActive("b")
	f.Must(act("b", "attack", "sword", "a"), 11) // 16 misses 15 + Dexterity 2
	if dv := f.Roll("/to-hit").Target.Value; dv != 17 {
		t.Errorf("DV %d, want 17", dv)
	}
	f.wantCited("house.example-celesia.net-coat")
	f.Must(act("b", "attack", "ice", "a"), 15, 5)
	f.WantHP("a", 40-(5-2))               // 2 less of the cold
	f.Must(act("b", "trip", "", "a"), 18) // 23 against CMD 15 + 2
	if body.Has(f.Creature("a"), body.CondProne) {
		t.Error("the charm does not keep it on its feet")
	}
	f.wantCited("house.example-celesia.anchor-charm")
	for id, want := range map[string]int{"a": 1, "d": 1, "b": 0} {
		f.Resolve(func(r *rules.Resolution) error {
			strike.RollSaving(r, "probe", r.Creature(id), nil, "will", 10, "test", nil, "")
			return nil
		}, 10)
		n := 0
		for _, m := range f.Roll("probe").Modifiers {
			if m.Rule == "house.example-celesia.shanty" && m.Value == 2 {
				n++
			}
		}
		if n != want {
			t.Errorf("%s: the shanty counts %d times, want %d", id, n, want)
		}
	}
	f.End("b")
	f.Afflict("a", body.CondProne)
	for _, o := range (System{}).Options(rules.Query{State: f.State, Creature: "a", Content: f.Content}) {
		if o.Action == "stand-up" && (!o.Legal || o.Costs[body.CActs] != 0 || len(o.Provokes) > 0) {
			t.Errorf("standing up: %v", o)
		}
	}
	f.Must(act("a", "stand-up", "", ""))
	if f.acts("a") != 3 || body.Has(f.Creature("a"), body.CondProne) || len(f.Decisions) > 0 {
		t.Errorf("%d acts left, %v", f.acts("a"), f.Creature("a").Conditions)
	}
}

// The wave falls on everybody near its point; whoever cannot stand it is drenched:
// shaken, slow, and colder at each turn.
func TestASpellOfContent(t *testing.T) {
	f := houseTable(t)
	f.AddAt(0, 0, sailor("a"))
	f.AddAt(40, 0, fighter("b", "foes"))
	f.AddAt(50, 0, fighter("d", "party"))
	f.AddAt(60, 0, fighter("z", "foes"))
	f.set(18, 15, 12, 9)
	// Reflex 14: b 5 (-9, no step), d 15 (half of 12), each as the dice show. Then
	// Fortitude 12 + 2: b fails, d makes it.
	f.WantArea("a", "cast", "Breaker", "sphere 10 0 target")
	f.Must(act("a", "cast", "Breaker", "b"), 5, 15, 5, 4, 3, 4, 16)
	if b, d, z := f.DamageTo("b"), f.DamageTo("d"), f.DamageTo("z"); b != 12 || d != 6 || z != 0 {
		t.Errorf("damage to b %d, d %d, z %d; want 12, 6, 0", b, d, z)
	}
	b := f.Creature("b")
	if !body.Has(b, "drenched") || !body.Has(b, body.CondShaken) || body.Has(f.Creature("d"), "drenched") {
		t.Errorf("b %v, d %v", b.Conditions, f.Creature("d").Conditions)
	}
	f.wantCited("house.example-celesia.breaker")
	if got := body.Speed(b, "walk"); got != 15 {
		t.Errorf("speed %d, want 15", got)
	}
	f.End("a", 2) // 1d3 of cold, doubled
	f.wantCited("house.example-celesia.drenched")
	f.WantHP("b", 40-12-4)
	for _, id := range []string{"b", "d", "z"} {
		f.End(id)
	}
	f.End("a", 1)
	f.WantHP("b", 40-12-4-2)
	for _, id := range []string{"b", "d", "z"} {
		f.End(id)
	}
	// Two turns of the caster are over: it is dry, and what came with it is gone.
	if b := f.Creature("b"); body.Has(b, "drenched") || body.Has(b, body.CondShaken) || body.Speed(b, "walk") != 30 {
		t.Errorf("b %v, speed %d", b.Conditions, body.Speed(b, "walk"))
	}
}

// The changed row of the table: 19 an arm, 20 the table's own injury, which counts
// while it is there; toggles.
func TestTablesInjuriesAndToggles(t *testing.T) {
	f := houseTable(t)
	f.AddAt(0, 0, fighter("a", "party", section(func(s *eventv1.CelesiaSheet) { s.Fortitude = 30 }), hitPoints(100)))
	f.AddAt(5, 0, fighter("b", "foes", unarmed()))
	f.set(15, 5)
	f.Medicine(hit("a", 50, ""), 10, 10) // save made; 10 and 10 more is a 20
	if in := f.Creature("a").Injuries; len(in) != 1 || in[0].Kind != "ribs" || in[0].Side != "" || in[0].Rule != "house.example-celesia.table-crippling" {
		t.Fatalf("injuries %v", in)
	}
	f.Must(act("a", "attack", "sword", "b"), 15, 6)
	f.WantHP("b", 40-(6-2))
	f.wantCited("house.example-celesia.ribs")
	f.Hurt("a", 10)
	f.Resolve(func(r *rules.Resolution) error { return injury.Medicine{}.Deed(r, hit("a", 60, "")) })
	if d := f.Decisions[0]; slices.ContainsFunc(d.Options, func(o *eventv1.DecisionOption) bool { return o.Id == "ribs" }) {
		t.Error("ribs can be taken twice")
	}

	f = houseTable(t)
	f.AddAt(0, 0, sailor("a"))
	f.AddAt(110, 0, fighter("b", "foes"))
	f.set(15, 5)
	f.Must(act("a", "drop-item", "Tide flail", ""))
	f.Must(act("a", "draw", "Gull bow", ""))
	f.Must(act("a", "attack", "Gull bow", "b"), 2)
	if m := f.Roll("/to-hit").Total; m != 2+5+2+2-2 { // Dexterity and Wisdom, one increment
		t.Errorf("total %d", m)
	}
	f.Must(&eventv1.Command{What: &eventv1.Command_Set{Set: &eventv1.SetSetting{Setting: "house.example-celesia.long-shots", Value: "on"}}})
	f.Must(act("a", "attack", "Gull bow", "b"), 2)
	if m := f.Roll("/to-hit").Total; m != 9-2 {
		t.Errorf("total %d, want 2 less", m)
	}
	f.wantCited("house.example-celesia.long-shots")
}
