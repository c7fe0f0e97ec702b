package effects_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// sheets are one of each system, with whatever an expression reads of them.
var sheets = map[string]*eventv1.Sheet{
	"basic": {Feats: []string{"keen"}, Section: &eventv1.Sheet_Basic{Basic: &eventv1.BasicSheet{AttackBonus: 2, Tags: []string{"undead"},
		Spells: []*eventv1.BasicSpell{{Name: "bolt"}}}}},
	"celesia": {Feats: []string{"keen"}, Section: &eventv1.Sheet_Celesia{Celesia: &eventv1.CelesiaSheet{Level: 3, BaseAttack: 4, Features: []string{"rage"},
		Spells: []*eventv1.CelesiaSpell{{Name: "bolt"}}}}},
	"original": {Feats: []string{"keen"}, Section: &eventv1.Sheet_Original{Original: &eventv1.OriginalSheet{HitDice: 6, Spells: []*eventv1.OriginalSpell{{Name: "bolt"}}}}},
	"rcr": {Feats: []string{"keen"}, Section: &eventv1.Sheet_Rcr{Rcr: &eventv1.RcrSheet{ProficiencyBonus: 3, CreatureType: "fey", Feats: []string{"alert"},
		Traits: []string{"pack-tactics"}, Features: []*eventv1.RcrFeature{{Name: "rage"}}, HitDice: []*eventv1.RcrHitDice{{}}, Spells: []*eventv1.RcrSpell{{Name: "bolt"}}}}},
	"spark": {Feats: []string{"keen"}, Section: &eventv1.Sheet_Spark{Spark: &eventv1.SparkSheet{Level: 2, Feats: []*eventv1.SparkFeat{{Name: "rage"}},
		Spells: []*eventv1.SparkSpell{{Name: "bolt"}}}}},
	"":     {Feats: []string{"keen"}},
	"none": nil,
}

// Expressions read the same words of the sheets of every system, each from where that system
// has it; what a system does not have is nothing.
func TestExpressionsOfEverySystem(t *testing.T) {
	for expr, want := range map[string]string{ // the systems of which it is more than nothing
		`self.level`:                           "celesia:3 original:6 spark:2",
		`self.bonus`:                           "basic:2 celesia:4 rcr:3",
		`self.kind == "fey" ? 1 : 0`:           "rcr:1",
		`self.knows("rage") ? 1 : 0`:           "celesia:1 rcr:1 spark:1",
		`self.knows("undead") ? 1 : 0`:         "basic:1",
		`self.knows("pack-tactics") ? 1 : 0`:   "rcr:1",
		`self.knows("alert") ? 1 : 0`:          "rcr:1",
		`self.knows("keen") ? 1 : 0`:           ":1 basic:1 celesia:1 original:1 rcr:1 spark:1",
		`"bolt" in self.spells ? 1 : 0`:        "basic:1 celesia:1 original:1 rcr:1 spark:1",
		`size(self.spells) + size(self.wears)`: "basic:1 celesia:1 original:1 rcr:1 spark:1",
		`self.hp`:                              "",
		`self.name == "" ? 1 : 0`:              ":1 basic:1 celesia:1 none:1 original:1 rcr:1 spark:1",
	} {
		b := book(t, `{"rules":[{"id":"r","title":"R","effects":[{"modifier":{"to":"attack","amount":`+quoted(expr)+`}}]}]}`)
		var got []string
		for _, system := range []string{"", "basic", "celesia", "none", "original", "rcr", "spark"} {
			c := &eventv1.Creature{Id: "x", Sheet: sheets[system]}
			for _, m := range b.Modifiers(c, "attack", effects.Env{Actor: c}) {
				got = append(got, fmt.Sprintf("%s:%d", system, m.Amount))
			}
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%s: %q, want %q", expr, text, want)
		}
	}
}

// Whatever of a sheet can be taken from content says which of it, has a name and is of a sort;
// of a system that there is not there is none of it.
func TestWhatCanBeTakenFromContent(t *testing.T) {
	fields := (&eventv1.Sheet{}).ProtoReflect().Descriptor().Fields()
	sorts := []effects.Slot{effects.Weapons, effects.Armour, effects.Items, effects.Spells, effects.Feats, effects.Conditions, effects.Injuries}
	for i := range fields.Len() {
		f := fields.Get(i)
		of := f.ContainingOneof()
		system := of != nil && of.Name() == "section"
		if got := effects.DataOf(string(f.Name()), effects.Armour, nil); (got != nil) != system {
			t.Errorf("%s has armour: %v", f.Name(), got != nil)
		}
		if !system {
			continue
		}
		of2 := map[protoreflect.FullName]bool{}
		for _, s := range sorts {
			if m := effects.DataOf(string(f.Name()), s, nil); m != nil {
				of2[m.FullName()] = true
			}
		}
		lists := f.Message().Fields()
		for j := range lists.Len() {
			m := lists.Get(j).Message()
			if m == nil || !lists.Get(j).IsList() || m.Fields().ByName("use") == nil {
				continue
			}
			var names []string
			for k := range m.Fields().Len() {
				names = append(names, string(m.Fields().Get(k).Name()))
			}
			found := false
			for _, s := range sorts {
				if s == effects.Armour {
					continue
				}
				if d := effects.DataOf(string(f.Name()), s, names); d != nil && d.FullName() == m.FullName() {
					found = true
				}
			}
			if !found || m.Fields().ByName("name") == nil {
				t.Errorf("%s takes %s from content, which is of no sort or has no name", f.Name(), m.Name())
			}
		}
	}
	for _, none := range []string{"", "section", "nothing", "id"} {
		if effects.DataOf(none, effects.Weapons, nil) != nil {
			t.Errorf("%q has weapons", none)
		}
	}
}

// A thing of content fills only what is of its own sort: where a system has several, what is
// kept for the one has no place in the other, and what has effects alone has one in both.
func TestAThingOfAnotherSort(t *testing.T) {
	of := base()
	of.System = "celesia"
	b, err := effects.New(of, effects.Pinned{Digest: "a", Pack: pack(t, `{"name":"p","system":"celesia","version":"1","title":"P",
		"items":[{"id":"draught","title":"Draught","data":{"name":"Draught","healing":"1d8","count":2}},{"id":"lantern","title":"Lantern","data":{"hardness":3}},
			{"id":"charm","title":"Charm","effects":[{"noProvoke":{}}]}]}`)})
	if err != nil {
		t.Fatal(err)
	}
	for id, c := range map[string]struct{ potion, thing string }{"draught": {"", "sheet.celesia.things[0].use"}, "lantern": {"sheet.celesia.potions[0].use", ""}, "charm": {"", ""}} {
		potion := &eventv1.Sheet{Section: &eventv1.Sheet_Celesia{Celesia: &eventv1.CelesiaSheet{Potions: []*eventv1.CelesiaPotion{{Use: id}}}}}
		thing := &eventv1.Sheet{Section: &eventv1.Sheet_Celesia{Celesia: &eventv1.CelesiaSheet{Things: []*eventv1.CelesiaThing{{Use: id}}}}}
		for _, as := range []struct {
			sheet *eventv1.Sheet
			field string
		}{{potion, c.potion}, {thing, c.thing}} {
			err := b.Resolve(as.sheet)
			if (err == nil) != (as.field == "") || err != nil && !strings.Contains(err.Error(), as.field) {
				t.Errorf("%s as %v: %v, want %q", id, as.sheet, err, as.field)
			}
		}
		if id == "draught" && (potion.GetCelesia().Potions[0].Healing != "1d8" || potion.GetCelesia().Potions[0].Count != 2) {
			t.Errorf("filled as %v", potion)
		}
	}
	// Worn, a thing fills nothing of the sheet: armour does.
	worn := &eventv1.Sheet{Wears: []string{"lantern", "charm"}, Section: &eventv1.Sheet_Celesia{Celesia: &eventv1.CelesiaSheet{Level: 1}}}
	if err := b.Resolve(worn); err != nil || worn.GetCelesia().String() != (&eventv1.CelesiaSheet{Level: 1}).String() {
		t.Errorf("worn: %v, %v", worn, err)
	}
}

// Of what nothing can be said there are no references, and what is worn is looked for as soon
// as there is a section.
func TestLacks(t *testing.T) {
	b := book(t, `{"armour":[{"id":"mail","title":"Mail","data":{"armorClass":16}}],"items":[{"id":"ring","title":"Ring","effects":[{"noProvoke":{}}]}]}`)
	lacks := func(s *eventv1.Sheet) string {
		var out []string
		for _, r := range b.Lacks(s) {
			out = append(out, r.Field+"="+r.ID)
		}
		return strings.Join(out, " ")
	}
	rcr := &eventv1.Sheet_Rcr{Rcr: &eventv1.RcrSheet{Attacks: []*eventv1.RcrAttack{{Use: "axe"}}}}
	for name, c := range map[string]struct {
		sheet *eventv1.Sheet
		want  string
	}{
		"no sheet":        {nil, ""},
		"no section":      {&eventv1.Sheet{Wears: []string{"cloak"}}, ""},
		"nothing taken":   {&eventv1.Sheet{Section: &eventv1.Sheet_Rcr{Rcr: &eventv1.RcrSheet{}}}, ""},
		"worn":            {&eventv1.Sheet{Wears: []string{"mail", "cloak", "ring"}, Section: &eventv1.Sheet_Rcr{Rcr: &eventv1.RcrSheet{}}}, "sheet.wears[1]=cloak"},
		"a weapon":        {&eventv1.Sheet{Section: rcr}, "sheet.rcr.attacks[0].use=axe"},
		"weapon and worn": {&eventv1.Sheet{Wears: []string{"cloak"}, Section: rcr}, "sheet.rcr.attacks[0].use=axe sheet.wears[0]=cloak"},
	} {
		if got := lacks(c.sheet); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// What a pack holds that cannot be data, a condition or a number of Skald's is refused by its
// field.
func TestWhatNoPackMayHold(t *testing.T) {
	nan := pack(t, `{"weapons":[{"id":"a","title":"A"}]}`)
	nan.Weapons[0].Data = &structpb.Struct{Fields: map[string]*structpb.Value{"bonus": structpb.NewNumberValue(math.NaN())}}
	wantProblem(t, "no number", effects.Check(base(), nan), "weapons[0].data", "")
	wantProblem(t, "immune to all conditions", effects.Check(base(), pack(t, `{"feats":[{"id":"a","effects":[{"immunity":{"conditions":["all"]}}]}]}`)),
		"feats[0].effects[0].immunity.conditions[0]", "no condition")
	wantProblem(t, "immune to all damage", effects.Check(base(), pack(t, `{"feats":[{"id":"a","effects":[{"immunity":{"types":["all"]}}]}]}`)), "", "")
	for amount, field := range map[string]string{"1000000": "", "-1000000": "", "1000001": "feats[0].effects[0].modifier.amount", "-1000001": "feats[0].effects[0].modifier.amount"} {
		wantProblem(t, amount, effects.Check(base(), pack(t, mod(`"to":"attack","amount":"`+amount+`"`))), field, "must be")
	}
	for n, field := range map[int]string{limits.ExpressionBytes: "", limits.ExpressionBytes + 1: "feats[0].effects[0].modifier.amount"} {
		text := "self.hp" + strings.Repeat(" ", n-len("self.hp"))
		wantProblem(t, fmt.Sprint(n, " bytes"), effects.Check(base(), pack(t, mod(`"to":"attack","amount":"`+text+`"`))), field, "bytes")
	}
}

// As many effects as one pack may have in all, and not one more.
func TestAsManyEffectsAsTheLimit(t *testing.T) {
	for more, good := range map[int]bool{0: true, 1: false} {
		p := pack(t, `{"feats":[]}`)
		for left := limits.PackEffects + more; left > 0; {
			n := min(left, limits.EffectsEach)
			e := &contentv1.Entry{Id: fmt.Sprintf("f-%d", left)}
			for range n {
				e.Effects = append(e.Effects, &contentv1.Effect{What: &contentv1.Effect_NoProvoke{NoProvoke: &contentv1.NoProvoke{}}})
			}
			p.Feats, left = append(p.Feats, e), left-n
		}
		_, err := effects.New(base(), effects.Pinned{Digest: "a", Pack: p})
		if (err == nil) != good || err != nil && !strings.Contains(err.Error(), "effects; at most") {
			t.Errorf("%d more than the limit: %v", more, err)
		}
	}
}

// The rules that effects are by are looked up in the book of the system where there is one;
// of the system's own content they are the system's own affair.
func TestWhoseRulesEffectsAreBy(t *testing.T) {
	one := `{"feats":[{"id":"a","effects":[{"rule":"rcr.no","modifier":{"to":"attack","amount":"1"}}]}]}`
	wantProblem(t, "a book of rules", effects.Check(base(), pack(t, one)), "feats[0].effects[0].rule", "no rule")
	without := base()
	without.Rule = nil
	wantProblem(t, "no book of rules", effects.Check(without, pack(t, one)), "", "")
	own := base()
	own.Content = pack(t, one)
	b, err := effects.New(own)
	if err != nil {
		t.Fatalf("the system's own content: %v", err)
	}
	hero := creature("hero", "party", "a")
	if m := b.Modifiers(hero, "attack", effects.Env{Actor: hero}); len(m) != 1 || m[0].Rule != "rcr.no" {
		t.Errorf("%+v", m)
	}
}

// Rows that a later pack has in place of an earlier one's are told as a difference, and those
// that it has just so are none; rows of the book may be changed by anybody.
func TestRowsThatDiffer(t *testing.T) {
	table := func(name string, whole bool, rows ...string) string {
		var all []string
		for _, r := range rows {
			all = append(all, `{"cells":["`+strings.ReplaceAll(r, ",", `","`)+`"]}`)
		}
		return fmt.Sprintf(`{"name":%q,"system":"rcr","version":"1","title":"T","tables":[{"name":"wounds","columns":["row","name","penalty"],"whole":%v,"rows":[%s]}]}`, name, whole, strings.Join(all, ","))
	}
	for name, c := range map[string]struct {
		over string
		want string // the rows that differ
		text string
	}{
		"another row":         {table("two", false, "3,Dead,all"), "", "1,Shock,none\n2,Lame,slow\n3,Dead,all\n"},
		"the same row":        {table("two", false, "2,Lame,slow"), "", "1,Shock,none\n2,Lame,slow\n"},
		"the row changed":     {table("two", false, "2,Gone,all"), "2", "1,Shock,none\n2,Gone,all\n"},
		"the book's row":      {table("two", false, "1,Stun,some"), "", "1,Stun,some\n2,Lame,slow\n"},
		"whole, without it":   {table("two", true, "1,Stun,some"), "2", "1,Stun,some\n"},
		"whole, with it":      {table("two", true, "2,Lame,slow"), "", "2,Lame,slow\n"},
		"whole, in any order": {table("two", true, "9,Dead,all", "2,Lame,slow"), "", "9,Dead,all\n2,Lame,slow\n"},
	} {
		b := book(t, table("one", false, "2,Lame,slow"), c.over)
		var got []string
		for _, k := range b.Conflicts() {
			got = append(got, strings.TrimPrefix(k.What, "table wounds row "))
			if k.Under != "one" || k.Over != "two" {
				t.Errorf("%s: %+v", name, k)
			}
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s: differs in %q, want %q", name, text, c.want)
		}
		if text, _ := b.TableText("wounds"); text != "row,name,penalty\n"+c.text {
			t.Errorf("%s: %q", name, text)
		}
		rows := len(b.Table("wounds").Rows)
		if b.TableCite("wounds", -1) != "" || b.TableCite("wounds", rows) != "" || b.TableCite("falls", 0) != "" || b.TableCite("wounds", rows-1) == "" {
			t.Errorf("%s: cites beside the table", name)
		}
	}
}

// Whoever is asked after may be nobody, and nobody has nothing of what others have about them.
func TestNobody(t *testing.T) {
	aura := `{"feats":[{"id":"glow","effects":[{"aura":{"feet":"10 / self.hp","who":"all","effects":[{"modifier":{"to":"attack","amount":"2"}}]}}]}],
		"rules":[{"id":"r","title":"R","effects":[{"modifier":{"to":"attack","amount":"1"}}]}]}`
	hero := creature("hero", "party", "glow")
	env := effects.Env{State: &eventv1.State{Creatures: map[string]*eventv1.Creature{"hero": hero}}, Actor: hero}
	amounts := func(c *eventv1.Creature) (sum int32) {
		for _, m := range book(t, aura).Modifiers(c, "attack", env) {
			sum += m.Amount
		}
		return sum
	}
	if got := amounts(nil); got != 1 {
		t.Errorf("nobody has %d, want what the rule gives everyone", got)
	}
	if got := amounts(hero); got != 3 {
		t.Errorf("the one who has it: %d", got)
	}
	hero.Hp = ptr(0) // how far it reaches cannot be computed
	if got := amounts(hero); got != 1 {
		t.Errorf("an aura of no number: %d", got)
	}
	own := base()
	own.Content = pack(t, `{"feats":[{"id":"glow","effects":[{"modifier":{"to":"attack","amount":"1"}},{"aura":{"feet":"5","who":"all","effects":[{"modifier":{"to":"damage","amount":"2"}}]}}]}]}`)
	own.Support.Plain = func(s *eventv1.Sheet) bool { return len(s.GetFeats()) == 0 }
	b, err := effects.New(own)
	if err != nil {
		t.Fatal(err)
	}
	if got := b.Modifiers(nil, "attack", env); got != nil {
		t.Errorf("nobody of a plain sheet has %+v", got)
	}
}

// In one and the same place two are nothing apart: an aura of no reach is of that place.
func TestAnAuraOfOnePlace(t *testing.T) {
	b := book(t, `{"feats":[{"id":"glow","effects":[{"when":"self.hp > 0","aura":{"feet":"0","who":"others","effects":[{"modifier":{"to":"attack","amount":"2"}}]}}]}]}`)
	hero, foe := creature("hero", "party", "glow"), creature("foe", "foes")
	env := effects.Env{State: &eventv1.State{Creatures: map[string]*eventv1.Creature{"hero": hero, "foe": foe}}, Actor: foe}
	for x, want := range map[int32]int{0: 1, 5: 0} {
		hero.Position, foe.Position = &eventv1.Position{}, &eventv1.Position{X: x}
		if got := b.Modifiers(foe, "attack", env); len(got) != want {
			t.Errorf("%d ft apart: %v", x, got)
		}
	}
	if a := b.Auras(hero, env); len(a) != 1 || a[0].Feet != 0 {
		t.Errorf("%v", a)
	}
	hero.Hp = ptr(0)
	if a := b.Auras(hero, env); len(a) != 0 {
		t.Errorf("of one who has none now: %v", a)
	}
}

// Whether a creature may have an effect is told by whatever of content has one, each sort by itself.
func TestWhatBears(t *testing.T) {
	one := `[{"id":"a","title":"A","effects":[{"modifier":{"to":"armor-class","amount":"1"}}]}]`
	for sort, change := range map[string]func(c *eventv1.Creature, env *effects.Env){
		"weapons": func(c *eventv1.Creature, _ *effects.Env) {
			c.Sheet.GetRcr().Attacks = []*eventv1.RcrAttack{{Name: "a", Use: "a"}}
		},
		"armour": func(c *eventv1.Creature, _ *effects.Env) { c.Sheet.Wears = []string{"a"} },
		"items":  func(c *eventv1.Creature, _ *effects.Env) { c.Sheet.Wears = []string{"a"} },
		"spells": func(c *eventv1.Creature, env *effects.Env) { env.SpellUse, env.Actor = "a", c },
		"feats":  func(c *eventv1.Creature, _ *effects.Env) { c.Sheet.Feats = []string{"a"} },
		"conditions": func(c *eventv1.Creature, _ *effects.Env) {
			c.Conditions = []*eventv1.Condition{{Name: "dazed"}, {Name: "a"}}
		},
		"injuries": func(c *eventv1.Creature, _ *effects.Env) { c.Injuries = []*eventv1.Injury{{Kind: "scar"}, {Kind: "a"}} },
	} {
		b := book(t, `{"`+sort+`":`+one+`}`)
		hero, env := creature("hero", "party"), effects.Env{}
		if got := b.Modifiers(hero, "armor-class", env); got != nil {
			t.Errorf("%s: without it %v", sort, got)
		}
		if change(hero, &env); len(b.Modifiers(hero, "armor-class", env)) != 1 || !b.Bears(hero, effects.KindModifier) {
			t.Errorf("%s: with it nothing", sort)
		}
		if b.Bears(hero, effects.KindEdge) {
			t.Errorf("%s: it bears what nothing has", sort)
		}
	}
}

// What a standing order may not ask is named, the first of it, and what it may is taken.
func TestTheFirstWordThatAnOrderMayNotAsk(t *testing.T) {
	for text, want := range map[string]string{"self.hp > 1 && distance < 5": "", "actor.hp > 1 && weapon.name == self.name": "actor means",
		`weapon.name == self.name && actor.hp > 1`: "weapon means", `settings["rcr.none"] == "on"`: `no setting "rcr.none"`, `settings["rcr.some"] == "on"`: "",
		`self.abilities["rcr.none"] > 3`: "", `settings[self.name] == "on"`: ""} {
		err := effects.CheckWhen(text, func(id string) bool { return id == "rcr.some" })
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
		if err := effects.CheckWhen(text, nil); (err == nil) != (want == "" || strings.HasPrefix(want, "no setting")) {
			t.Errorf("%s, with no settings known: %v", text, err)
		}
	}
}

// A spell with an area has as many targets as are in it, unless the sheet or the content says
// how many; one without has what is said. What is cited of it is its own.
func TestTargetsOfAnArea(t *testing.T) {
	b := book(t, `{"spells":[{"id":"blast","title":"Blast","area":{"shape":"sphere","feet":"20"},"data":{"level":3}},
		{"id":"spray","title":"Spray","area":{"shape":"sphere","feet":"20"},"data":{"level":1,"targets":2}},{"id":"bolt","title":"Bolt","data":{"level":1}}],
		"weapons":[{"id":"axe","title":"Axe","data":{"name":"axe"}}]}`)
	for name, c := range map[string]struct {
		spell *eventv1.RcrSpell
		want  int32
	}{
		"an area":                 {&eventv1.RcrSpell{Use: "blast"}, limits.Creatures},
		"the sheet says how many": {&eventv1.RcrSpell{Use: "blast", Targets: 4}, 4},
		"the content does":        {&eventv1.RcrSpell{Use: "spray"}, 2},
		"no area":                 {&eventv1.RcrSpell{Use: "bolt"}, 0},
	} {
		s := &eventv1.Sheet{Section: &eventv1.Sheet_Rcr{Rcr: &eventv1.RcrSheet{Spells: []*eventv1.RcrSpell{c.spell}}}}
		if err := b.Resolve(s); err != nil || s.GetRcr().Spells[0].Targets != c.want {
			t.Errorf("%s: %v, %v; want %d", name, s.GetRcr().Spells[0], err, c.want)
		}
	}
	if got := b.Cite(effects.Weapons, "axe"); got != (effects.Cite{Rule: "house.test.axe", Title: "Axe"}) {
		t.Errorf("the axe is %+v", got)
	}
	if got := b.Cite(effects.Slot(-1), "axe"); got != (effects.Cite{}) {
		t.Errorf("of no sort it is %+v", got)
	}
	known := base()
	known.Support.Feat = func(s *eventv1.Sheet, i int) (string, bool) {
		if i < len(s.GetRcr().GetTraits()) {
			return s.GetRcr().Traits[i], true
		}
		return "", false
	}
	of, err := effects.New(known, effects.Pinned{Digest: "a", Pack: pack(t, `{"feats":[{"id":"a","effects":[{"modifier":{"to":"attack","amount":"1"}}]},{"id":"b","effects":[{"noProvoke":{}}]}]}`)})
	if err != nil {
		t.Fatal(err)
	}
	for traits, want := range map[string]bool{"": false, "none": false, "b": false, "none b a": true} {
		hero := creature("hero", "party")
		hero.Sheet.GetRcr().Traits = strings.Fields(traits)
		if got := of.Bears(hero, effects.KindModifier); got != want || (len(of.Modifiers(hero, "attack", effects.Env{Actor: hero})) == 1) != want {
			t.Errorf("traits %q bear it: %v", traits, got)
		}
	}
}
