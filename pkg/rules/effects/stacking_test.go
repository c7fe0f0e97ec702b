package effects_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/effects"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// feats is a book of feats, each with the effects given: the first is called "a", the
// next "b" and so on.
func feats(t *testing.T, change func(*effects.Base), each ...string) *effects.Book {
	t.Helper()
	var all []string
	for i, list := range each {
		id := string(rune('a' + i))
		all = append(all, fmt.Sprintf(`{"id":%q,"title":%q,"effects":[%s]}`, id, strings.ToUpper(id), list))
	}
	of := base()
	if change != nil {
		change(&of)
	}
	b, err := effects.New(of, effects.Pinned{Digest: "a", Pack: pack(t, `{"feats":[`+strings.Join(all, ",")+`]}`)})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Of the modifiers of one kind the best and the worst count, each once and by the first that
// gives it; what differs in dice or in the type of damage is no competitor, and what has no
// kind adds up.
func TestOfOneKindTheBestAndTheWorst(t *testing.T) {
	m := func(fields string) string { return `{"modifier":{"to":"damage",` + fields + `}}` }
	for name, c := range map[string]struct {
		each []string
		want string // of those that count: who gives it and how much
	}{
		"no kind adds up":             {[]string{m(`"amount":"1"`), m(`"amount":"1"`)}, "A+1 B+1"},
		"the greater":                 {[]string{m(`"amount":"1","kind":"luck"`), m(`"amount":"3","kind":"luck"`)}, "B+3"},
		"the greater, said first":     {[]string{m(`"amount":"3","kind":"luck"`), m(`"amount":"1","kind":"luck"`)}, "A+3"},
		"of two the same the first":   {[]string{m(`"amount":"2","kind":"luck"`), m(`"amount":"2","kind":"luck"`)}, "A+2"},
		"of three the same the first": {[]string{m(`"amount":"2","kind":"luck"`), m(`"amount":"2","kind":"luck"`), m(`"amount":"2","kind":"luck"`)}, "A+2"},
		"the worst too":               {[]string{m(`"amount":"1","kind":"luck"`), m(`"amount":"-3","kind":"luck"`), m(`"amount":"-1","kind":"luck"`)}, "A+1 B-3"},
		"as great, the other way":     {[]string{m(`"amount":"2","kind":"luck"`), m(`"amount":"-2","kind":"luck"`)}, "A+2 B-2"},
		"another kind":                {[]string{m(`"amount":"1","kind":"luck"`), m(`"amount":"3","kind":"skill"`)}, "A+1 B+3"},
		"dice beside a number":        {[]string{m(`"amount":"1","kind":"luck"`), m(`"dice":"1d4","kind":"luck"`)}, "A+1 B+0"},
		"other dice":                  {[]string{m(`"dice":"1d6","kind":"luck"`), m(`"dice":"1d4","kind":"luck"`)}, "A+0 B+0"},
		"the same dice":               {[]string{m(`"dice":"1d6","kind":"luck"`), m(`"dice":"1d6","kind":"luck"`)}, "A+0"},
		"the same dice and more":      {[]string{m(`"dice":"1d6","kind":"luck"`), m(`"dice":"1d6","amount":"2","kind":"luck"`)}, "B+2"},
		"another type of damage":      {[]string{m(`"amount":"1","kind":"luck","type":"fire"`), m(`"amount":"3","kind":"luck","type":"cold"`)}, "A+1 B+3"},
		"nothing is no modifier":      {[]string{m(`"amount":"0","kind":"luck"`), m(`"amount":"self.hp - 10"`)}, ""},
		"what cannot be computed is none, whatever its dice": {[]string{m(`"amount":"1 / self.count(\"none\")","dice":"1d4"`)}, ""},
	} {
		b := feats(t, nil, c.each...)
		hero := creature("hero", "party", "a", "b", "c")
		var got []string
		for _, m := range b.Modifiers(hero, "damage", effects.Env{Actor: hero}) {
			got = append(got, fmt.Sprintf("%s%+d", m.Title, m.Amount))
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s: %s, want %s", name, text, c.want)
		}
	}
}

// A number that content changes cites what changed it and nothing that did not, and what
// cannot be computed leaves it as it is.
func TestWhatChangesANumberIsCited(t *testing.T) {
	feet := func(text string) string { return `{"speed":{"feet":"` + text + `"}}` }
	for name, c := range map[string]struct {
		each []string
		want int32
		by   string
	}{
		"one":                       {[]string{feet("feet + 10")}, 40, "A"},
		"one after the other":       {[]string{feet("feet + 10"), feet("feet / 2")}, 20, "A B"},
		"the same as it is":         {[]string{feet("30"), feet("feet * 2")}, 60, "B"},
		"no number":                 {[]string{feet(`feet / self.count(\"none\")`), feet("feet - 5")}, 25, "B"},
		"less than nothing":         {[]string{feet("feet - 40")}, 0, "A"},
		"by the number as it is":    {[]string{feet("feet - 20"), `{"when":"feet < 20","speed":{"feet":"5"}}`}, 5, "A B"},
		"by the number as it was":   {[]string{`{"when":"feet < 20","speed":{"feet":"5"}}`, feet("feet - 20")}, 10, "B"},
		"another way of moving":     {[]string{`{"speed":{"mode":"fly","feet":"60"}}`}, 30, ""},
		"this way of moving":        {[]string{`{"speed":{"mode":"walk","feet":"60"}}`}, 60, "A"},
		"what nothing can be under": {[]string{feet("0")}, 0, "A"},
	} {
		hero := creature("hero", "party", "a", "b")
		n := feats(t, nil, c.each...).Speed(hero, "walk", 30, effects.Env{Actor: hero})
		if by := titles(n.Cites); n.Value != c.want || by != c.by {
			t.Errorf("%s: %d by %q, want %d by %q", name, n.Value, by, c.want, c.by)
		}
	}
}

func titles(cites []effects.Cite) string {
	var out []string
	for _, c := range cites {
		out = append(out, c.Title)
	}
	return strings.Join(out, " ")
}

// Of several values that a number is given the highest counts, or the lowest where the
// system says so; of two the same the first. It need not be better than what was there.
func TestOfSeveralValuesTheHighest(t *testing.T) {
	set := func(n string) string { return `{"set":{"value":"armor-class","amount":"` + n + `"}}` }
	low := func(b *effects.Base) { b.Support.LowIsBetter = []string{"armor-class"} }
	for name, c := range map[string]struct {
		change func(*effects.Base)
		each   []string
		want   int32
		by     string
	}{
		"one that is lower":              {nil, []string{set("8")}, 8, "A"},
		"the higher, said first":         {nil, []string{set("16"), set("12")}, 16, "A"},
		"the higher, said last":          {nil, []string{set("12"), set("16")}, 16, "B"},
		"of two the same the first":      {nil, []string{set("16"), set("16")}, 16, "A"},
		"no number":                      {nil, []string{set(`1 / self.count(\"none\")`)}, 10, ""},
		"low is better, said first":      {low, []string{set("3"), set("5")}, 3, "A"},
		"low is better, said last":       {low, []string{set("5"), set("3")}, 3, "B"},
		"low is better, of two the same": {low, []string{set("3"), set("3")}, 3, "A"},
		"low is better, one":             {low, []string{set("12")}, 12, "A"},
	} {
		hero := creature("hero", "party", "a", "b")
		n := feats(t, c.change, c.each...).Value(hero, "armor-class", 10, effects.Env{Actor: hero})
		if by := titles(n.Cites); n.Value != c.want || by != c.by {
			t.Errorf("%s: %d by %q, want %d by %q", name, n.Value, by, c.want, c.by)
		}
	}
}

// Less damage is the greatest that is given, and one that comes to nothing is not cited.
func TestLessDamage(t *testing.T) {
	less := func(n string) string { return `{"resistance":{"types":["cold"],"less":"` + n + `"}}` }
	for name, c := range map[string]struct {
		each []string
		want int32
		by   string
	}{
		"one":          {[]string{less("3")}, 3, "A"},
		"the greatest": {[]string{less("3"), less("5"), less("1")}, 5, "A B C"},
		"of one point": {[]string{less("1")}, 1, "A"},
		"nothing":      {[]string{less("0"), less("self.hp - 10")}, 0, ""},
		"below":        {[]string{less("-2"), less("2")}, 2, "B"},
		"no number":    {[]string{less(`1 / self.count(\"none\")`), less("2")}, 2, "B"},
		"of all types": {[]string{`{"resistance":{"types":["all"],"less":"damage / 2"}}`}, 4, "A"},
		"of another":   {[]string{`{"resistance":{"types":["fire"],"less":"4"}}`}, 0, ""},
	} {
		hero := creature("hero", "party", "a", "b", "c")
		d := feats(t, nil, c.each...).Defense(hero, "cold", effects.Env{Actor: hero, Damage: 8})
		if by := titles(d.Cites); d.Less != c.want || by != c.by || d.Resistant || d.Immune || d.Vulnerable {
			t.Errorf("%s: %+v, want %d by %q", name, d, c.want, c.by)
		}
	}
}

// The first that takes the place of an action, bars it or keeps a condition off is the one that
// is cited; those of other actions and conditions are not asked.
func TestTheFirstThatFits(t *testing.T) {
	b := feats(t, nil, `{"replace":{"action":"attack","by":"cast"}},{"noProvoke":{"action":"cast"}},{"bar":{"action":"cast"}},{"immunity":{"conditions":["blinded"]}}`,
		`{"replace":{"action":"dodge","by":"dash"}},{"noProvoke":{}},{"bar":{"action":"dash"}},{"immunity":{"conditions":["prone"]}}`,
		`{"replace":{"action":"dodge","by":"attack"}},{"noProvoke":{"action":"dash"}},{"bar":{}},{"immunity":{"conditions":["prone"]}}`)
	hero := creature("hero", "party", "a", "b", "c")
	env := effects.Env{Actor: hero}
	if by, cite, found := b.Replacement(hero, "dodge", env); !found || by != "dash" || cite.Title != "B" {
		t.Errorf("dodge is replaced by %q, %+v, %v", by, cite, found)
	}
	if by, cite, found := b.Replacement(hero, "dash", env); found || by != "" || cite != (effects.Cite{}) {
		t.Errorf("dash is replaced by %q, %+v, %v", by, cite, found)
	}
	for action, want := range map[string]string{"cast": "A", "dash": "B", "dodge": "B"} {
		if cite, found := b.NoProvoke(hero, action, env); !found || cite.Title != want {
			t.Errorf("%s provokes nobody by %+v, %v", action, cite, found)
		}
	}
	for action, want := range map[string]string{"cast": "A", "dash": "B", "dodge": "C"} {
		if cite, found := b.Barred(hero, action, env); !found || cite.Title != want {
			t.Errorf("%s is barred by %+v, %v", action, cite, found)
		}
	}
	if cite, found := b.ConditionImmune(hero, "prone", env); !found || cite.Title != "B" {
		t.Errorf("prone is kept off by %+v, %v", cite, found)
	}
}

// More of what a turn has is as many as the amount comes to, one unless it is given, and
// none where it comes to nothing or to no number.
func TestMoreInATurn(t *testing.T) {
	for amount, want := range map[string]int32{"": 1, "2": 2, "0": 0, "self.hp - 10": 0, `1 / self.count(\"none\")`: 0, "-1": -1} {
		text := `{"extraAction":{"counter":"action"}}`
		if amount != "" {
			text = `{"extraAction":{"counter":"action","amount":"` + amount + `"}}`
		}
		hero := creature("hero", "party", "a")
		var got int32
		for _, x := range feats(t, nil, text).ExtraActions(hero, effects.Env{Actor: hero}) {
			if got += x.Amount; x.Amount == 0 {
				t.Errorf("%q: nothing more is told", amount)
			}
		}
		if got != want {
			t.Errorf("%q: %d more, want %d", amount, got, want)
		}
	}
}

// Where the system rolls one die again alone it does so for a point and for the parts of a
// whole, and for no other.
func TestWhereOneDieIsRolledAgain(t *testing.T) {
	one := func(b *effects.Base) { b.Support.RerollsOne = []string{"save", "attack"} }
	b := feats(t, one, `{"reroll":{"to":"save","upTo":1}},{"reroll":{"to":"attack","upTo":1}},{"reroll":{"to":"damage","upTo":1}}`)
	hero := creature("hero", "party", "a")
	for point, want := range map[string]bool{"save/wisdom": true, "attack": true, "damage": false} {
		if got := b.Rerolls(hero, point, effects.Env{Actor: hero}); len(got) != 1 || got[0].One != want {
			t.Errorf("%s: %+v", point, got)
		}
	}
	part := feats(t, func(b *effects.Base) { b.Support.RerollsOne = []string{"save/wisdom"} }, `{"reroll":{"to":"save","upTo":1}}`)
	for point, want := range map[string]bool{"save/wisdom": true, "save/dexterity": false} {
		if got := part.Rerolls(hero, point, effects.Env{Actor: hero}); len(got) != 1 || got[0].One != want {
			t.Errorf("%s: %+v", point, got)
		}
	}
}

// What happens when something sets it off does not hold at other times, even where it is of a
// kind that could: a feat's use of a resource on a hit is no modifier of the blow.
func TestWhatIsSetOffDoesNotHold(t *testing.T) {
	b := feats(t, nil, `{"trigger":"hit","damage":{"amount":"3"}},{"modifier":{"to":"damage","amount":"1"}}`)
	hero, orc := creature("hero", "party", "a"), creature("orc", "foes")
	env := effects.Env{Actor: hero, Target: orc}
	if got := b.Modifiers(hero, "damage", env); len(got) != 1 || got[0].Amount != 1 {
		t.Errorf("modifiers %+v", got)
	}
	if got := b.Triggered(hero, "hit", env); len(got) != 1 || got[0].Amount != 3 {
		t.Errorf("on a hit %+v", got)
	}
}

// A feat counts once, whoever names it twice, by its id or by its title, and one that nobody
// knows does nothing.
func TestAFeatCountsOnce(t *testing.T) {
	b := feats(t, nil, `{"modifier":{"to":"attack","amount":"1"}}`, `{"modifier":{"to":"attack","amount":"2"}}`)
	hero := creature("hero", "party", "a", "A", "none", "b", "a")
	hero.Sheet.GetRcr().Features = []*eventv1.RcrFeature{{Name: "A"}, {Name: "B"}}
	var got []int32
	for _, m := range b.Modifiers(hero, "attack", effects.Env{Actor: hero}) {
		got = append(got, m.Amount)
	}
	if !slices.Equal(got, []int32{1, 2}) {
		t.Errorf("got %v", got)
	}
}

// An expression of a pack may read the toggles of the packs under it and its own, and no
// other house rule: one that cannot be switched has no value, and what is off under another
// id is not there.
func TestTogglesThatExpressionsRead(t *testing.T) {
	under := `{"name":"one","system":"rcr","version":"1","title":"One","rules":[{"id":"night","title":"Night","toggle":true},{"id":"law","title":"Law"}]}`
	over := func(id string) string {
		return `{"name":"two","system":"rcr","version":"1","title":"Two","rules":[{"id":"moon","title":"Moon","toggle":true},{"id":"sun","title":"Sun"}],
			"feats":[{"id":"a","effects":[{"when":"settings[\"` + id + `\"] == \"on\"","modifier":{"to":"attack","amount":"1"}}]}]}`
	}
	for id, good := range map[string]bool{"house.one.night": true, "house.two.moon": true, "rcr.dice.assurance": true,
		"house.one.law": false, "house.two.sun": false, "house.one.moon": false, "house.two.night": false, "rcr.dice": false} {
		_, err := effects.New(base(), effects.Pinned{Digest: "a", Pack: pack(t, under)}, effects.Pinned{Digest: "b", Pack: pack(t, over(id))})
		if (err == nil) != good {
			t.Errorf("%s: %v", id, err)
		}
	}
	// The same toggles are what a pack may give a value.
	for id, good := range map[string]bool{"house.one.night": true, "house.one.law": false, "rcr.dice.assurance": true} {
		p := `{"name":"two","system":"rcr","version":"1","title":"Two","settings":{"` + id + `":"off"}}`
		_, err := effects.New(base(), effects.Pinned{Digest: "a", Pack: pack(t, under)}, effects.Pinned{Digest: "b", Pack: pack(t, p)})
		if (err == nil) != good {
			t.Errorf("a value for %s: %v", id, err)
		}
	}
}

// A pack's word for a toggle holds until the fight says otherwise; the fight's word holds
// over both.
func TestWhoseWordForAToggle(t *testing.T) {
	rules := `{"name":"one","system":"rcr","version":"1","title":"One","rules":[{"id":"night","title":"Night","toggle":true%s,"effects":[{"modifier":{"to":"attack","amount":"-2"}}]}]}`
	for name, c := range map[string]struct {
		off, pack, fight string
		want             int
	}{
		"on as a rule":                    {"", "", "", 1},
		"off as a rule":                   {`,"off":true`, "", "", 0},
		"a pack puts it off":              {"", "off", "", 0},
		"a pack puts it on":               {`,"off":true`, "on", "", 1},
		"the fight puts it on again":      {"", "off", "on", 1},
		"the fight puts it off after all": {`,"off":true`, "on", "off", 0},
	} {
		packs := []effects.Pinned{{Digest: "a", Pack: pack(t, fmt.Sprintf(rules, c.off))}}
		if c.pack != "" {
			packs = append(packs, effects.Pinned{Digest: "b", Pack: pack(t, `{"name":"two","system":"rcr","version":"1","title":"Two","settings":{"house.one.night":"`+c.pack+`"}}`)})
		}
		b, err := effects.New(base(), packs...)
		if err != nil {
			t.Fatal(err)
		}
		state := &eventv1.State{Settings: map[string]string{}}
		if c.fight != "" {
			state.Settings["house.one.night"] = c.fight
		}
		hero := creature("hero", "party")
		if got := b.Modifiers(hero, "attack", effects.Env{State: state, Actor: hero}); len(got) != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// What is worn and what is taken in hand counts as long as it is there, each by its own
// place; a thing of the same id that nobody wears does nothing.
func TestWhatIsWorn(t *testing.T) {
	b := book(t, `{"armour":[{"id":"mail","title":"Mail","data":{"armorClass":16},"effects":[{"modifier":{"to":"attack","amount":"-1"}}]}],
		"items":[{"id":"ring","title":"Ring","effects":[{"modifier":{"to":"attack","amount":"2"}}]}]}`)
	for name, c := range map[string]struct {
		wears []string
		lies  string
		want  string
	}{
		"nothing":            {nil, "", ""},
		"mail":               {[]string{"mail"}, "", "Mail"},
		"a ring":             {[]string{"ring"}, "", "Ring"},
		"both":               {[]string{"mail", "ring"}, "", "Mail Ring"},
		"mail on the ground": {[]string{"mail", "ring"}, "mail", "Ring"},
		"the ring put away":  {[]string{"mail", "ring"}, "ring", "Mail"},
		"what nobody knows":  {[]string{"cloak"}, "", ""},
	} {
		hero := creature("hero", "party")
		hero.Sheet.Wears = c.wears
		if c.lies != "" {
			hero.Items = map[string]*eventv1.ItemState{c.lies: {Place: "ground"}}
		}
		var got []string
		for _, m := range b.Modifiers(hero, "attack", effects.Env{Actor: hero}) {
			got = append(got, m.Title)
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s: %q, want %q", name, text, c.want)
		}
	}
}
