package original

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/catalogue"
	content "github.com/skaldrpg/skald/pkg/content/original"
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func TestSubdual(t *testing.T) {
	// tally is actual and temporary damage after some hits.
	type tally struct{ actual, temporary int64 }
	fist := withParameters()
	for _, c := range []struct {
		rule, name string
		a          sheets
		item       string
		take       func(*eventv1.TakeAction)
		dice       []int
		want       tally
	}{
		{cite.DamageEmptyHandDie, "STR 12", nil, "empty hand", fist, []int{3}, tally{0, 3}},
		{cite.DamageEmptyHandDie, "fighter STR +2", sheets{class("fighter", 1), str(2), ability("strength", 17)}, "empty hand", fist, []int{3}, tally{0, 5}},
		{cite.DamageEmptyHandActual, "two hits", nil, "empty hand", fist, []int{3, 4}, tally{1, 6}},
		{cite.DamageEmptyHandActual, "three hits", nil, "empty hand", fist, []int{2, 1, 4}, tally{1, 6}},
		{cite.DamageEmptyHandStrong, "STR 16", sheets{ability("strength", 16)}, "empty hand", fist, []int{2, 3}, tally{2, 5}},
		{cite.DamageEmptyHandStrong, "thief STR 17", sheets{class("thief", 1), dex(0), ability("strength", 17)}, "empty hand", fist, []int{4, 1}, tally{1, 4}},
		{cite.DamagePullPunches, "STR 17", sheets{class("cleric", 1), ability("strength", 17)}, "empty hand", withParameters("pull", true), []int{4, 4}, tally{0, 10}},
		{cite.DamageSubdualWithWeapon, "sword", sheets{class("fighter", 1), str(0)}, "sword", withParameters("subdue", true), []int{4, 2}, tally{1, 7}},
	} {
		t.Run(c.rule+"/"+c.name, func(t *testing.T) {
			f := newTable(t).at(0, one("a", "party", c.a...)).at(5, strongFoe()).start(nil, 6, 1)
			for _, d := range c.dice {
				f.Must(act("a", "attack", c.item, "b", c.take), 15, d)
				f.End("a")
				f.End("b")
			}
			b := f.Creature("b")
			if got := (tally{b.Counters[body.CActual], b.Counters[body.CTemporary]}); got != c.want {
				t.Fatalf("%v, want %v", got, c.want)
			}
		})
	}
	// original.damage.surprise-subdual
	f := newTable(t).at(0, one("a", "party", class("fighter", 1), str(1))).at(5, strongFoe()).start(object("surprised", "monsters"))
	f.Must(act("a", "attack", "sword", "b", withParameters("subdue", true)), 15, 5, 2)
	if got := f.Creature("b").Counters[body.CTemporary]; got != 9 {
		t.Fatalf("5+2+1+1 is 9, not %d", got)
	}
}

func TestDeathAndKnockOut(t *testing.T) {
	deal := func(hp int32, parts ...*eventv1.DamagePart) *eventv1.Creature {
		f := newTable(t).add(one("x", "orcs", points(hp)), one("a", "party")).start(nil, 6, 1)
		for i, p := range parts {
			f.Resolve(func(r *rules.Resolution) error {
				r.Harm("harm", &eventv1.Harm{Deed: body.DeedDamage, Target: "x", Cause: "blow " + body.Itoa(i), Parts: []*eventv1.DamagePart{p}})
				return nil
			})
		}
		return f.Creature("x")
	}
	actual := func(n int32) *eventv1.DamagePart { return &eventv1.DamagePart{Type: body.PartActual, Rolled: n} }
	temp := func(n int32) *eventv1.DamagePart { return &eventv1.DamagePart{Type: body.PartTemporary, Rolled: n} }
	for _, c := range []struct {
		rule, name string
		hp         int32
		parts      []*eventv1.DamagePart
		left       int32
		temporary  int64
		dead, out  bool
	}{
		{cite.DeathZeroHp, "orc takes 5 of 4", 4, []*eventv1.DamagePart{actual(5)}, 0, 0, true, true},
		{cite.DeathZeroHp, "fighter takes 9 of 9", 9, []*eventv1.DamagePart{actual(9)}, 0, 0, true, true},
		{cite.DeathZeroHp, "5 actual and 4 temporary of 9", 9, []*eventv1.DamagePart{actual(5), temp(4)}, 0, 4, false, true},
		{cite.InjuryKnockedOutAtZero, "only 3 of 4 count", 12, []*eventv1.DamagePart{actual(2), temp(7), temp(4)}, 0, 10, false, true},
		{cite.InjuryKnockedOutAtZero, "1 left", 12, []*eventv1.DamagePart{actual(2), temp(9)}, 1, 9, false, false},
		{cite.DeathZeroHp, "the knocked out can be killed", 9, []*eventv1.DamagePart{temp(9), actual(9)}, 0, 0, true, true},
	} {
		t.Run(c.rule+"/"+c.name, func(t *testing.T) {
			x := deal(c.hp, c.parts...)
			if x.GetHp() != c.left || x.Counters[body.CTemporary] != c.temporary || body.Dead(x) != c.dead || body.Out(x) != c.out {
				t.Fatalf("%d hit points, %v, %v", x.GetHp(), x.Counters, x.Life)
			}
		})
	}
}

// original.healing.temporary-damage
func TestTemporaryDamageComesBack(t *testing.T) {
	for _, c := range []struct {
		name      string
		level     int32
		hp        int32
		temporary int32
		turns     int
		left      int64
	}{{"level 3", 3, 20, 8, 2, 2}, {"orc awake again", 1, 6, 6, 1, 5}, {"no surplus", 5, 20, 3, 1, 0}} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add(one("x", "orcs", points(c.hp), with(func(o *eventv1.OriginalSheet) { o.HitDice = c.level })))
			f.Resolve(func(r *rules.Resolution) error {
				r.Harm("harm", &eventv1.Harm{Deed: body.DeedDamage, Target: "x", Parts: []*eventv1.DamagePart{{Type: body.PartTemporary, Rolled: c.temporary}}})
				return nil
			})
			f.Resolve(func(r *rules.Resolution) error {
				return rules.Tend(thestrike.Medicine{}, &eventv1.PatientCommand{Deed: "rest", Patients: []string{"x"}, Parameters: object("turns", c.turns)})(r)
			})
			if x := f.Creature("x"); x.Counters[body.CTemporary] != c.left || body.Out(x) {
				t.Fatalf("%v, %v", x.Counters, x.Life)
			}
		})
	}
}

// The basic deeds between fights.
func TestTend(t *testing.T) {
	f := newTable(t).add(one("x", "orcs", points(9)))
	tend := func(deed string, pairs ...any) error {
		var err error
		f.Resolve(func(r *rules.Resolution) error {
			err = rules.Tend(thestrike.Medicine{}, &eventv1.PatientCommand{Deed: deed, Patients: []string{"x"}, Parameters: object(pairs...)})(r)
			return nil
		})
		return err
	}
	for _, c := range []struct {
		deed string
		n    []any
		hp   int32
	}{{"harm", []any{"amount", 4}, 5}, {"harm", []any{"amount", 3, "type", "temporary"}, 2}, {"heal", []any{"amount", 9}, 6}, {"rest", []any{"turns", 3}, 9}, {"set", []any{"hit_points", 1}, 1}} {
		if err := tend(c.deed, c.n...); err != nil || f.Creature("x").GetHp() != c.hp {
			t.Fatalf("%s: %d hit points, want %d: %v", c.deed, f.Creature("x").GetHp(), c.hp, err)
		}
	}
	for _, c := range [][]any{{"dance"}, {"harm"}, {"harm", "amount", -1}, {"set", "hit_points", 10}} {
		if err := tend(c[0].(string), c[1:]...); err == nil {
			t.Errorf("%v is allowed", c)
		}
	}
}

func unit(men int32) func(*eventv1.Sheet) {
	return with(func(o *eventv1.OriginalSheet) { o.UnitSize = men })
}

// original.mass.grouping, original.mass.unit-hit-points, original.injury.normal-man-hit-points
func TestRolledHitPoints(t *testing.T) {
	add := func(s *eventv1.Sheet, faces ...int) int32 {
		f := newTable(t)
		f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: s}}}, faces...)
		return f.Creature(s.Id).GetHpMax()
	}
	rolled := func(dice, plus int32) func(*eventv1.Sheet) {
		return with(func(o *eventv1.OriginalSheet) { o.HitDice, o.HitDicePlus, o.RollHitPoints = dice, plus, true })
	}
	for name, c := range map[string]struct{ got, want int32 }{
		"unit of ten":  {add(one("u", "m", unit(10)), 3, 5, 2, 6, 1, 4, 4, 3, 6, 2), 36},
		"unit of five": {add(one("u", "m", unit(5)), 6, 6, 1, 2, 3), 18},
		"orc":          {add(one("o", "m", rolled(1, 0)), 4), 4},
		"troll 6+3":    {add(one("t", "m", rolled(6, 3)), 3, 5, 2, 6, 1, 4), 24},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d, want %d", name, c.got, c.want)
		}
	}
	f := newTable(t, body.SetMass+"=off")
	wantRefused(t, f.Try(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: one("u", "m", unit(10))}}}), body.SetMass)
}

// original.mass.single-hit-throw, original.mass.damage, original.mass.slain-to-a-man
func TestUnits(t *testing.T) {
	for _, c := range []struct {
		name     string
		men      int32
		points   int32
		faces    []int
		left     int32
		dead     bool
		settings []string
	}{
		{"miss", 10, 40, []int{13}, 40, false, nil},
		{"ten hit for 30", 10, 40, []int{14, 3}, 10, false, nil},
		{"five hit for 15", 5, 18, []int{14, 3}, 3, false, nil},
		{"slain to a man", 10, 36, []int{14, 4}, 0, true, nil},
		{"surplus lost", 10, 10, []int{14, 6, 6}[:2], 0, true, nil},
		{"broken, not slain", 10, 10, []int{14, 6}, 0, false, []string{body.SetMassSlain + "=off"}},
		{"damage of one weapon", 10, 40, []int{14, 3}, 36, false, []string{body.SetMassDamage + "=off"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t, append(c.settings, body.SetMassPoints+"=off")...).add(one("a", "party", need(14), unit(c.men), with(func(o *eventv1.OriginalSheet) { o.IsPc, o.Level, o.HitDice = false, 0, 1 })),
				one("b", "bandits", points(c.points), unit(10))).start(nil, 1, 6)
			// groups in order: "a", then "b"; the one with 6 waits
			f.End("b")
			f.Must(act("a", "attack", "sword", "b"), c.faces...)
			if b := f.Creature("b"); b.GetHp() != c.left || body.Dead(b) != c.dead {
				t.Fatalf("%d points, %v", b.GetHp(), b.Life)
			}
			wantRefused(t, f.Try(act("a", "attack", "sword", "b")), map[bool]string{false: cite.AttackMultiVsNormalMen, true: cite.DeathZeroHp}[c.dead])
		})
	}
}

// original.mass.survivors
func TestSurvivors(t *testing.T) {
	for _, c := range []struct {
		left     int32
		original int64
		want     int64
	}{{4, 40, 1}, {8, 40, 2}, {9, 40, 3}, {10, 37, 3}, {40, 40, 10}, {0, 40, 0}} {
		if got := survivors(c.left, c.original, 10); got != c.want {
			t.Errorf("%d of %d: %d, want %d", c.left, c.original, got, c.want)
		}
	}
	f := newTable(t, body.SetMassPoints+"=off").add(one("u", "m", points(40), unit(10)), one("a", "party")).start(nil, 6, 1)
	nine := int32(9)
	f.Put("u", &eventv1.Vitals{Hp: &nine})
	f.Must(&eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
	if got := f.Creature("u").Counters[body.CSurvivors]; got != 3 {
		t.Fatalf("%d survivors", got)
	}
}

// A table that is broken names the row: its bounds and what it had to go on from.
func TestBrokenTablesNameTheRow(t *testing.T) {
	for rows, want := range map[string]string{
		"from,to,bonus\n1,8,0\n10,18,1\n": "10 to 18 does not follow 8",
		"from,to,bonus\n2,18,0\n":         "2 to 18 does not follow 0",
		"from,to,bonus\n1,8,0\n9,7,1\n":   "9 to 7 does not follow 8",
	} {
		_, err := body.LoadTables(func(name string) (string, error) {
			if name != "ability" {
				return content.Book().Table(name)
			}
			return rows, nil
		}, nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", rows, err, want)
		}
	}
}

// A table may have a single row, if it holds all there is.
func TestATableOfOneRow(t *testing.T) {
	for rows, good := range map[string]bool{"1,99,0\n": true, "1,98,0\n": false, "": false} {
		_, err := body.LoadTables(func(name string) (string, error) {
			if name != "ability" {
				return content.Book().Table(name)
			}
			return "from,to,bonus\n" + rows, nil
		}, nil)
		if (err == nil) != good {
			t.Errorf("%q: %v", rows, err)
		}
	}
}

// The rows of a table may stand in any order: those of bands are taken by where they
// begin, whichever column that is.
func TestRowsInAnyOrder(t *testing.T) {
	read := func(turned string) []int32 {
		t.Helper()
		book, err := body.LoadTables(func(name string) (string, error) {
			text, err := content.Book().Table(name)
			if head, rows, _ := strings.Cut(text, "\n"); name == turned {
				all := strings.Split(strings.TrimSpace(rows), "\n")
				slices.Reverse(all)
				text = head + "\n" + strings.Join(all, "\n") + "\n"
			}
			return text, err
		}, nil)
		if err != nil {
			t.Fatalf("%s turned round: %v", turned, err)
		}
		var out []int32
		for n := int32(1); n < 21; n++ {
			out = append(out, body.Find(book.Ability, n).Value, body.Find(book.Save, n).Value)
			for _, who := range rules.SortedKeys(book.Hit) {
				out = append(out, body.Find(book.Hit[who], n).Value)
			}
		}
		return out
	}
	want := read("")
	for _, turned := range []string{"ability", "save", "hit_matrix", "cover", "reaction"} {
		if got := read(turned); !slices.Equal(got, want) {
			t.Errorf("%s turned round: %v, want %v", turned, got, want)
		}
	}
}

// The tables as shipped load, and mistakes in them are found.
func TestTables(t *testing.T) {
	if thestrike.BookError != nil {
		t.Fatal(thestrike.BookError)
	}
	read := func(name string) string {
		text, err := content.Book().Table(name)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	for _, name := range []string{"hit_matrix", "ability", "reach", "fumble", "surround", "backstab", "save", "reaction", "cover"} {
		for what, spoil := range map[string]func(string) string{
			"row missing": func(s string) string { return s[:strings.LastIndex(strings.TrimSpace(s), "\n")+1] },
			"header":      func(s string) string { return "x" + s },
			"row twice":   func(s string) string { return s + s[strings.LastIndex(strings.TrimSpace(s), "\n")+1:] },
			"no number":   func(s string) string { return strings.Replace(s, ",1", ",x", 1) },
		} {
			_, err := body.LoadTables(func(open string) (string, error) {
				if open == name {
					return spoil(read(open)), nil
				}
				return read(open), nil
			}, nil)
			if err == nil && spoil(read(name)) != read(name) {
				t.Errorf("%s with %s is taken", name, what)
			}
		}
	}
	// original.equipment.reach-table
	for name, c := range map[string]struct {
		a, b string
		want bool
	}{"spear, dagger": {"spear", "dagger", true}, "long spear, sword": {"long-spear", "melee", true}, "spear, sword": {"spear", "melee", false}} {
		if got := thestrike.Book.Reach[c.a]-thestrike.Book.Reach[c.b] >= 2; got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	// original.attack.hit-matrix-table, original.attack.ability-bonus-table
	c := &eventv1.Creature{Sheet: one("x", "m", class("fighter", 1))}
	if thestrike.Book.HitAC0(c) != 19 || body.Find(thestrike.Book.Ability, 17).Value != 2 {
		t.Errorf("level 1: %d, STR 17: %d", thestrike.Book.HitAC0(c), body.Find(thestrike.Book.Ability, 17).Value)
	}
	for hd, want := range map[[2]int32]int32{{1, 0}: 19, {1, 1}: 18, {2, 0}: 17, {3, 0}: 17, {3, 1}: 15, {4, 0}: 15, {4, 1}: 14, {6, 0}: 14, {6, 3}: 13, {8, 0}: 13, {8, 1}: 11, {10, 0}: 11, {10, 1}: 9, {12, 0}: 9} {
		m := &eventv1.Creature{Sheet: one("x", "m", with(func(o *eventv1.OriginalSheet) { o.HitDice, o.HitDicePlus = hd[0], hd[1] }))}
		if got := thestrike.Book.HitAC0(m); got != want {
			t.Errorf("%v hit dice: %d, want %d", hd, got, want)
		}
	}
}

// Every toggle is one of the catalogue, with its default.
func TestSettingsAgreeWithTheCatalogue(t *testing.T) {
	for _, s := range (System{}).Settings() {
		if strings.HasPrefix(s.ID, "original.setting.") {
			continue
		}
		rule, ok := catalogue.Lookup(catalogue.RuleID(s.ID))
		want := catalogue.Off
		if ok && rule.DefaultOn {
			want = catalogue.On
		}
		if !ok || !rule.Toggle || s.Default != want {
			t.Errorf("%s: %v, default %s", s.ID, ok, s.Default)
		}
	}
}

// Mistakes in a sheet are named by their fields.
func TestCheckSheet(t *testing.T) {
	bad := one("x", "m", class("clerik", 100), with(func(o *eventv1.OriginalSheet) {
		o.HarmedOnlyBy, o.Morale, o.SpecialFace = []string{"garlic"}, 13, 20
		o.Weapons = []*eventv1.OriginalWeapon{{Name: "bow", Kind: "bow"}, {Name: "bow", Damage: "many", Hands: 3, Size: "vast"}}
	}))
	var got []string
	for _, v := range (System{}).CheckSheet(bad) {
		got = append(got, strings.TrimPrefix(v.Field, "sheet.original."))
	}
	want := []string{"class", "level", "morale", "special_effect", "harmed_only_by[0]", "weapons[0].long_feet", "weapons[1].name",
		"weapons[1].damage", "weapons[1].hands", "weapons[1].size"}
	if !slices.Equal(got, want) {
		t.Fatalf("%v, want %v", got, want)
	}
	if v := (System{}).CheckSheet(one("x", "m")); len(v) > 0 {
		t.Fatalf("%v", v)
	}
}

func TestDoubleDice(t *testing.T) {
	for expr, want := range map[string]string{"1d4": "2d4", "1d6+1": "2d6+1", "d6": "2d6", "2d8+1d4-1": "4d8+2d4-1"} {
		if got := strings.ReplaceAll(thestrike.DoubleDice(expr), " ", ""); got != want {
			t.Errorf("%s: %s, want %s", expr, got, want)
		}
	}
}
