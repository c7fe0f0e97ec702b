package effects_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/proto"
)

// wantProblem holds that the first of some problems is of a field and says so; with an
// empty field there must be none.
func wantProblem(t *testing.T, name string, got []effects.Problem, field, text string) {
	t.Helper()
	switch {
	case field == "" && len(got) > 0:
		t.Errorf("%s: %+v", name, got)
	case field != "" && (len(got) == 0 || got[0].Field != field || !strings.Contains(got[0].Text, text)):
		t.Errorf("%s: got %+v, want %s: ...%s...", name, got, field, text)
	}
}

// A book of nothing has nothing of anything, and makes anew what is asked to be kept.
func TestABookOfNothing(t *testing.T) {
	plain := base()
	none, err := effects.New(plain)
	if none != nil || err != nil {
		t.Fatalf("%v, %v", none, err)
	}
	made := 0
	make := func() any { made++; return made }
	switch {
	case none.Digests() != nil, none.Conflicts() != nil, none.Rules() != nil, none.Settings() != nil, none.IDs(effects.Weapons) != nil,
		none.Entry(effects.Feats, "a") != nil, none.Data(effects.Weapons, "a") != nil, none.Area("a") != nil, none.Implies("a") != nil,
		none.Cite(effects.Feats, "a") != effects.Cite{}, none.Title("house.a.b") != "", none.FeatID("a") != "",
		none.TableCite("wounds", 0) != "", none.Asks(effects.KindModifier):
		t.Error("it has something")
	case none.Memo("k", make) != 1, none.Memo("k", make) != 2:
		t.Error("it keeps what was made")
	}
	if _, found := none.TableText("wounds"); found {
		t.Error("it has a table")
	}
	b := book(t, `{"feats":[{"id":"keen","title":"Keen Eye","effects":[{"noProvoke":{}}]}],"rules":[{"id":"night","title":"Night"}]}`)
	made = 0
	for range 2 {
		if b.Memo("k", make) != 1 {
			t.Error("made again")
		}
	}
	for rule, title := range map[string]string{"house.test.keen": "Keen Eye", "house.test.night": "Night", "house.test.keener": "", "house.other.keen": "", "rcr.keen": "", "": ""} {
		if got := b.Title(rule); got != title {
			t.Errorf("%s: %q, want %q", rule, got, title)
		}
	}
	for name, id := range map[string]string{"keen": "keen", " Keen ": "keen", "Keen Eye": "", "": ""} {
		if got := b.FeatID(name); got != id {
			t.Errorf("%q: %q, want %q", name, got, id)
		}
	}
	for _, s := range []effects.Slot{-1, effects.Injuries + 1} {
		if b.IDs(s) != nil || b.Entry(s, "keen") != nil || b.Data(s, "keen") != nil || b.Cite(s, "keen") != (effects.Cite{}) || effects.Entries(&contentv1.Pack{}, s) != nil {
			t.Errorf("slot %d has something", s)
		}
	}
	for _, k := range []effects.Kind{0, effects.KindHook + 1} {
		if b.Asks(k) || effects.Kind(k).String() == "hook" {
			t.Errorf("kind %d is asked for", k)
		}
	}
	if effects.Kind(0).String() != "" && effects.Kind(0).String() != "unknown" || effects.Kind(99).String() != "unknown" || effects.KindHook.String() != "hook" {
		t.Error("kinds are called otherwise")
	}
}

// What packs may be as many of, and not one more.
func TestHowManyOfAPack(t *testing.T) {
	many := func(n int, one string) string { return strings.TrimSuffix(strings.Repeat(one+",", n), ",") }
	quiet := `{"noProvoke":{}}`
	rules := func(n int) string {
		var all []string
		for i := range n {
			all = append(all, `{"id":"r`+strconv.Itoa(i)+`","title":"R"}`)
		}
		return `{"rules":[` + strings.Join(all, ",") + `]}`
	}
	row := func(n int) string {
		var all []string
		for i := range n {
			all = append(all, `{"cells":["`+strconv.Itoa(i)+`","a","b"]}`)
		}
		return `{"tables":[{"name":"wounds","columns":["row","name","penalty"],"rows":[` + strings.Join(all, ",") + `]}]}`
	}
	feats := func(n, each int) string {
		var all []string
		for i := range n {
			all = append(all, `{"id":"f`+strconv.Itoa(i)+`","effects":[`+many(each, quiet)+`]}`)
		}
		return `{"feats":[` + strings.Join(all, ",") + `]}`
	}
	for _, c := range []struct{ name, pack, field, text string }{
		{"as many effects of one", feats(1, limits.EffectsEach), "", ""},
		{"one more", feats(1, limits.EffectsEach+1), "feats[0].effects", "51 effects; at most 50"},
		{"as many house rules", rules(limits.PackEntries), "", ""},
		{"one house rule more", rules(limits.PackEntries + 1), "rules", "at most"},
		{"as many rows", row(limits.TableRows), "", ""},
		{"one row more", row(limits.TableRows + 1), "tables[0].rows", "1 to 1000 rows, not 1001"},
		{"as many effects", feats(limits.PackEffects/limits.EffectsEach, limits.EffectsEach), "", ""},
		{"an id as long as may be", `{"feats":[{"id":"` + strings.Repeat("a", limits.IDBytes) + `","effects":[` + quiet + `]}]}`, "", ""},
		{"one byte longer", `{"feats":[{"id":"` + strings.Repeat("a", limits.IDBytes+1) + `","effects":[` + quiet + `]}]}`, "feats[0].id", "at most 64 bytes"},
		{"no number of keys", `{"tables":[{"name":"wounds","columns":["row","name","penalty"],"keyColumns":-1,"rows":[{"cells":["1","a","b"]}]}]}`, "tables[0].key_columns", "1 to 3"},
		{"as many keys as columns", `{"tables":[{"name":"wounds","columns":["row","name","penalty"],"keyColumns":3,"rows":[{"cells":["1","a","b"]},{"cells":["1","a","c"]}]}]}`, "", ""},
	} {
		wantProblem(t, c.name, effects.Check(base(), pack(t, c.pack)), c.field, c.text)
	}
	// One effect more than a pack may have, in a further entry.
	full := pack(t, feats(limits.PackEffects/limits.EffectsEach, limits.EffectsEach))
	full.Feats = append(full.Feats, &contentv1.Entry{Id: "more", Effects: full.Feats[0].Effects[:1]})
	if got := effects.Check(base(), full); len(got) != 1 || got[0].Field != "" || got[0].Text != "10001 effects; at most 10000" {
		t.Errorf("one effect more: %+v", got)
	}
	// Expressions may cost so much together.
	dear := `{"modifier":{"to":"attack","amount":"` + strings.Repeat("self.feats.map(a,1).size()+", 10) + `1"}}`
	costly := pack(t, `{"feats":[{"id":"a","effects":[`+dear+`]}]}`)
	wantProblem(t, "one dear expression", effects.Check(base(), costly), "", "")
	for i := range 400 {
		one := proto.CloneOf(costly.Feats[0])
		one.Id = "b" + strconv.Itoa(i)
		costly.Feats = append(costly.Feats, one)
	}
	if got := effects.Check(base(), costly); len(got) != 1 || got[0].Field != "" || !strings.Contains(got[0].Text, "may cost") {
		t.Errorf("an expensive pack: %d problems, %.200v", len(got), got)
	}
	// As many packs, each by its name.
	var pinned []effects.Pinned
	for i := range limits.Packs + 1 {
		p := pack(t, `{"feats":[{"id":"a","effects":[`+quiet+`]}]}`)
		p.Name = "p" + strconv.Itoa(i)
		pinned = append(pinned, effects.Pinned{Digest: strconv.Itoa(i), Pack: p})
	}
	if _, err := effects.New(base(), pinned[:limits.Packs]...); err != nil {
		t.Error(err)
	}
	if _, err := effects.New(base(), pinned...); err == nil {
		t.Error("one pack more is taken")
	}
	_, err := effects.New(base(), pinned[0], pinned[1], pinned[0])
	if x, ok := fault.As(err); !ok || len(x.Violations) != 1 || x.Violations[0].Field != "packs[2]" {
		t.Errorf("the same pack twice: %v", err)
	}
}

// How deep effects stand in effects.
func TestHowDeepEffectsGo(t *testing.T) {
	save := func(under string) string {
		return `{"trigger":"hit","save":{"save":"wisdom","dc":"10","failed":[` + under + `]}}`
	}
	for _, c := range []struct{ name, effect, field, text string }{
		{"in a saving throw", save(`{"damage":{"amount":"1"}}`), "", ""},
		{"a saving throw in one", save(`{"save":{"save":"wisdom","dc":"10","failed":[{"damage":{"amount":"1"}}]}}`), "feats[0].effects[0].save.failed[0].save", "cannot come of"},
		{"what holds in a saving throw", save(`{"modifier":{"to":"attack","amount":"1"}}`), "feats[0].effects[0].save.failed[0].modifier", "holds rather than happens"},
		{"an aura in a saving throw", save(`{"aura":{"feet":"5","who":"all","effects":[{"noProvoke":{}}]}}`), "feats[0].effects[0].save.failed[0].aura", "holds rather than happens"},
		{"in a saving throw of an aura", `{"aura":{"feet":"5","who":"all","effects":[` + save(`{"damage":{"amount":"1"}}`) + `]}}`, "", ""},
		{"a trigger on an aura", `{"trigger":"hit","aura":{"feet":"5","who":"all","effects":[{"noProvoke":{}}]}}`, "feats[0].effects[0].trigger", "has no trigger"},
		{"an aura of nothing", `{"aura":{"feet":"5","who":"all"}}`, "feats[0].effects[0].aura.effects", "missing"},
		{"an aura of no size", `{"aura":{"who":"all","effects":[{"noProvoke":{}}]}}`, "feats[0].effects[0].aura.feet", "missing"},
		{"an aura of nobody", `{"aura":{"feet":"5","who":"friends","effects":[{"noProvoke":{}}]}}`, "feats[0].effects[0].aura.who", "no who"},
		{"an unknown trigger", `{"trigger":"sneeze","damage":{"amount":"1"}}`, "feats[0].effects[0].trigger", `no trigger "sneeze"`},
		{"an unknown creature", `{"trigger":"hit","whom":"bystander","damage":{"amount":"1"}}`, "feats[0].effects[0].whom", `no whom "bystander"`},
	} {
		wantProblem(t, c.name, effects.Check(base(), pack(t, `{"feats":[{"id":"a","effects":[`+c.effect+`]}]}`)), c.field, c.text)
	}
	// A system's own triggers are those that it names.
	some := base()
	some.Support.Triggers = []string{effects.TriggerMiss}
	wantProblem(t, "another system's trigger", effects.Check(some, pack(t, `{"feats":[{"id":"a","effects":[{"trigger":"hit","damage":{"amount":"1"}}]}]}`)), "feats[0].effects[0].trigger", "no trigger")
	wantProblem(t, "its own", effects.Check(some, pack(t, `{"feats":[{"id":"a","effects":[{"trigger":"miss","damage":{"amount":"1"}}]}]}`)), "", "")
	// A kind that it does not carry out is refused wherever it stands; auras bring what it does.
	delete(some.Support.Kinds, effects.KindBar)
	delete(some.Support.Kinds, effects.KindAura)
	for effect, field := range map[string]string{
		`{"bar":{}}`: "feats[0].effects[0].bar", `{"aura":{"feet":"5","who":"all","effects":[{"noProvoke":{}}]}}`: "feats[0].effects[0].aura",
	} {
		wantProblem(t, effect, effects.Check(some, pack(t, `{"feats":[{"id":"a","effects":[`+effect+`]}]}`)), field, "does not carry out")
	}
	some.Support.Kinds[effects.KindAura] = nil
	wantProblem(t, "in an aura", effects.Check(some, pack(t, `{"feats":[{"id":"a","effects":[{"aura":{"feet":"5","who":"all","effects":[{"bar":{}}]}}]}]}`)), "feats[0].effects[0].aura.effects[0].bar", "does not carry out")
}

// A table that the system does not have, or has and does not let packs change, is refused by its name; one that can not be read, as
// a whole.
func TestTablesOfSystems(t *testing.T) {
	const one = `{"tables":[{"name":"wounds","columns":["row","name","penalty"],"rows":[{"cells":["1","A","x"]}]}]}`
	for _, c := range []struct {
		name        string
		change      func(s *effects.Support)
		field, text string
	}{
		{"its own", func(*effects.Support) {}, "", ""},
		{"none that can be changed", func(s *effects.Support) { s.CheckTables = nil }, "tables[0].name", `no table "wounds" that a pack can change`},
		{"no tables at all", func(s *effects.Support) { s.Table = nil }, "tables[0].name", "no table"},
		{"others", func(s *effects.Support) { s.Table = func(string) (string, bool) { return "", false } }, "tables[0].name", "no table"},
		{"an empty one", func(s *effects.Support) { s.Table = func(string) (string, bool) { return "", true } }, "tables[0]", "the table wounds is empty"},
		{"one that is none", func(s *effects.Support) { s.Table = func(string) (string, bool) { return "a,\"b\n", true } }, "tables[0]", "quote"},
		{"one that does not hold afterwards", func(s *effects.Support) {
			s.CheckTables = func(func(string) (string, error)) error { return fmt.Errorf("wounds do not heal") }
		}, "tables[0]", "wounds do not heal"},
		{"one that needs another", func(s *effects.Support) {
			s.CheckTables = func(open func(string) (string, error)) error { _, err := open("scars"); return err }
		}, "tables[0]", "there is no table scars"},
	} {
		b := base()
		c.change(&b.Support)
		wantProblem(t, c.name, effects.Check(b, pack(t, one)), c.field, c.text)
	}
}

// Tables that hold by themselves and not together are refused, by the check of a pack as by the book.
func TestTablesTogether(t *testing.T) {
	b := base()
	b.Support.Table = func(name string) (string, bool) { return "row\n1\n", name == "wounds" || name == "scars" }
	b.Support.CheckTables = func(open func(string) (string, error)) error {
		wounds, err := open("wounds")
		if err != nil {
			return err
		}
		if scars, _ := open("scars"); wounds != "row\n1\n" && scars != "row\n1\n" {
			return fmt.Errorf("both changed")
		}
		return nil
	}
	table := func(name string) string { return `{"name":"` + name + `","columns":["row"],"rows":[{"cells":["2"]}]}` }
	both := pack(t, `{"tables":[`+table("wounds")+`,`+table("scars")+`]}`)
	wantProblem(t, "both", effects.Check(b, both), "tables", "both changed")
	if _, err := effects.New(b, effects.Pinned{Digest: "a", Pack: both}); err == nil || !strings.Contains(err.Error(), "both changed") {
		t.Errorf("the book takes them: %v", err)
	}
	wantProblem(t, "one", effects.Check(b, pack(t, `{"tables":[`+table("wounds")+`]}`)), "", "")
	if _, err := effects.New(b, effects.Pinned{Digest: "a", Pack: pack(t, `{"name":"one","system":"rcr","version":"1","title":"One","tables":[`+table("wounds")+`]}`)},
		effects.Pinned{Digest: "b", Pack: pack(t, `{"name":"two","system":"rcr","version":"1","title":"Two","tables":[`+table("scars")+`]}`)}); err == nil {
		t.Error("the book takes one of each pack")
	}
}

// What later packs put over the rows, things and settings of earlier ones is listed, by the row as it was; what stands is not.
func TestConflictsOfTables(t *testing.T) {
	head := func(name string) string { return `{"name":"` + name + `","system":"rcr","version":"1","title":"T",` }
	rows := func(whole bool, rows ...string) string {
		return `"tables":[{"name":"wounds","columns":["row","name","penalty"],"whole":` + strconv.FormatBool(whole) + `,"rows":[` + strings.Join(rows, ",") + `]}]}`
	}
	for _, c := range []struct {
		name   string
		first  string
		second string
		want   []effects.Conflict
		text   string
	}{
		{"another row", rows(false, `{"cells":["2","Lame","x"]}`), rows(false, `{"cells":["3","Dead","y"]}`), nil, "row,name,penalty\n1,Shock,none\n2,Lame,x\n3,Dead,y\n"},
		{"the same row", rows(false, `{"cells":["2","Lame","x"]}`), rows(false, `{"cells":["2","Maimed","y"]}`), []effects.Conflict{{What: "table wounds row 2", Under: "one", Over: "two"}}, "row,name,penalty\n1,Shock,none\n2,Maimed,y\n"},
		{"a row of the book", rows(false, `{"cells":["2","Lame","x"]}`), rows(false, `{"cells":["1","Daze","y"]}`), nil, "row,name,penalty\n1,Daze,y\n2,Lame,x\n"},
		{"the whole table", rows(false, `{"cells":["3","Dead","x"]}`, `{"cells":["2","Lame","x"]}`), rows(true, `{"cells":["3","Gone","y"]}`),
			[]effects.Conflict{{What: "table wounds row 2", Under: "one", Over: "two"}, {What: "table wounds row 3", Under: "one", Over: "two"}}, "row,name,penalty\n3,Gone,y\n"},
		{"a row in the whole table of another", rows(true, `{"cells":["7","Odd","x"]}`, `{"cells":["8","Even","x"]}`), rows(false, `{"cells":["8","Ill","y"]}`),
			[]effects.Conflict{{What: "table wounds row 8", Under: "one", Over: "two"}}, "row,name,penalty\n7,Odd,x\n8,Ill,y\n"},
	} {
		b := book(t, head("one")+c.first, head("two")+c.second)
		if got := b.Conflicts(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		if text, _ := b.TableText("wounds"); text != c.text {
			t.Errorf("%s: %q", c.name, text)
		}
	}
	b := book(t, head("one")+`"settings":{"rcr.dice.assurance":"off","rcr.limit":"3"}}`, head("two")+`"settings":{"rcr.dice.assurance":"on","rcr.limit":"3"}}`)
	if got := b.Conflicts(); !slices.Equal(got, []effects.Conflict{{What: "setting rcr.dice.assurance", Under: "an earlier pack", Over: "two"}}) {
		t.Errorf("settings: %v", got)
	}
}

// What an entry takes from another and what it says itself.
func TestLikeAnother(t *testing.T) {
	b := book(t, `{"name":"one","system":"rcr","version":"1","title":"One","weapons":[{"id":"old","data":{"name":"Old","bonus":2}}]}`,
		`{"name":"two","system":"rcr","version":"1","title":"Two","weapons":[
			{"id":"glow","effects":[{"noProvoke":{}}]},
			{"id":"blade","data":{"name":"Blade","bonus":5,"reachFeet":5}},
			{"id":"long","like":"blade","data":{"reachFeet":10}},
			{"id":"same","like":"blade"},
			{"id":"older","like":"old","data":{"bonus":3}},
			{"id":"bright","like":"glow","data":{"name":"Bright","bonus":1}},
			{"id":"dim","like":"glow"}]}`)
	for id, want := range map[string]string{"long": "Blade 5 10", "same": "Blade 5 5", "older": "Old 3 0", "bright": "Bright 1 0", "dim": "", "glow": ""} {
		got := ""
		if a, ok := b.Data(effects.Weapons, id).(*eventv1.RcrAttack); ok && a != nil {
			got = fmt.Sprint(a.Name, " ", a.Bonus, " ", a.ReachFeet)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
	for _, c := range []struct{ pack, field, text string }{
		{`{"weapons":[{"id":"a","like":"a","data":{"name":"x"}}]}`, "weapons[0].like", `nothing "a" among the weapons before it`},
		{`{"weapons":[{"id":"a","like":"b"},{"id":"b","data":{"name":"x"}}]}`, "weapons[0].like", "nothing"},
		{`{"feats":[{"id":"a","like":"b"}]}`, "feats[0].data", "feats have no data"},
		{`{"injuries":[{"id":"a","data":{"x":1}}]}`, "injuries[0].data", "injuries have no data"},
		{`{"weapons":[{"id":"a"}]}`, "weapons[0]", "neither data nor effects"},
		{`{"conditions":[{"id":"a"}]}`, "", ""},
		{`{"injuries":[{"id":"a"}]}`, "", ""},
		{`{"weapons":[{"id":"a","data":{"bonus":"much"}}]}`, "weapons[0].data", "invalid value for int32"},
	} {
		wantProblem(t, c.pack, effects.Check(base(), pack(t, c.pack)), c.field, c.text)
	}
}

// What is wrong with the book's own content is said before anything of a pack.
func TestContentOfTheBook(t *testing.T) {
	b := base()
	b.Content = &contentv1.Pack{Name: "rcr", System: "rcr", Feats: []*contentv1.Entry{{Id: "keen", Title: "Keen", Effects: []*contentv1.Effect{{Rule: "rcr.any", What: &contentv1.Effect_NoProvoke{NoProvoke: &contentv1.NoProvoke{}}}}}}}
	own, err := effects.New(b)
	if err != nil {
		t.Fatal(err)
	}
	if got := own.Cite(effects.Feats, "keen"); got.Rule != "" || got.Title != "Keen" {
		t.Errorf("the book's own cites %v", got)
	}
	if by, none := own.NoProvoke(creature("a", "x", "keen"), "dash", effects.Env{}); !none || by.Rule != "rcr.any" {
		t.Errorf("%v, %v", by, none)
	}
	b.Content.Feats[0].Id = "Keen Eye"
	wantProblem(t, "the book", effects.Check(b, pack(t, `{"feats":[{"id":"B"}]}`)), "feats[0].id", `"Keen Eye" is no id`)
	_, err = effects.New(b)
	if x, ok := fault.As(err); !ok || x.Violations[0].Field != "rcr.feats[0].id" {
		t.Errorf("%v", err)
	}
	// Of many problems the first 20 are said.
	bad := &contentv1.Pack{Name: "bad", System: "rcr", Version: "1", Title: "Bad"}
	for range 25 {
		bad.Feats = append(bad.Feats, &contentv1.Entry{Id: "NO"})
	}
	_, err = effects.New(base(), effects.Pinned{Digest: "a", Pack: bad})
	if x, ok := fault.As(err); !ok || len(x.Violations) != 20 || x.Violations[0].Field != "bad.feats[0].id" {
		t.Errorf("%v", err)
	}
}

// Toggles of a pack are settings: of itself and of packs over it, on or off and nothing else; what is said in a fight beats what a pack
// says, and that beats how the toggle is.
func TestTogglesOfPacks(t *testing.T) {
	one := `{"name":"one","system":"rcr","version":"1","title":"One","rules":[{"id":"night","title":"Night","toggle":true,"off":true,"effects":[{"modifier":{"to":"attack","amount":"-2"}}]},{"id":"day","title":"Day"}]`
	two := `{"name":"two","system":"rcr","version":"1","title":"Two","settings":{"house.one.night":"on"},"feats":[{"id":"owl","effects":[{"when":"settings[\"house.one.night\"] == \"on\"","modifier":{"to":"attack","amount":"2"}}]}]}`
	hero := creature("hero", "party", "owl")
	for _, c := range []struct {
		name  string
		packs []string
		said  map[string]string
		want  []int32
	}{
		{"off by itself", []string{one + "}"}, nil, nil},
		{"on by itself's pack", []string{one + `,"settings":{"house.one.night":"on"}}`}, nil, []int32{-2}},
		{"on by the pack over it", []string{one + "}", two}, nil, []int32{-2, 2}},
		{"off in the fight", []string{one + "}", two}, map[string]string{"house.one.night": "off"}, nil},
	} {
		var got []int32
		for _, m := range book(t, c.packs...).Modifiers(hero, "attack", effects.Env{State: &eventv1.State{Settings: c.said}, Actor: hero}) {
			got = append(got, m.Amount)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	for setting, text := range map[string]string{`"house.test.a":"maybe"`: "no value", `"house.test.b":"on"`: "no setting", `"house.test.c":"on"`: "no setting", `"rcr.limit":"self.hp"`: "whole number", `"rcr.limit":"12"`: ""} {
		id, _, _ := strings.Cut(strings.Trim(setting, `"`), `"`)
		field := "settings." + id
		if text == "" {
			field = ""
		}
		wantProblem(t, setting, effects.Check(base(), pack(t, `{"settings":{`+setting+`},"rules":[{"id":"a","title":"A","toggle":true},{"id":"b","title":"B"}]}`)), field, text)
	}
}
