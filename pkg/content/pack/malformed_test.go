package pack_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/skaldrpg/skald/pkg/content/pack"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/rcr"
)

// noSuch is the id of no rule.
const noSuch = "rcr" + ".dice.asurance"

const head = "name: tavern\nversion: \"1\"\nsystem: rcr\ntitle: Tavern\n"

func folder(files ...string) fstest.MapFS {
	out := fstest.MapFS{"pack.yaml": {Data: []byte(head)}}
	for i := 0; i+1 < len(files); i += 2 {
		out[files[i]] = &fstest.MapFile{Data: []byte(files[i+1])}
	}
	return out
}

// readAndCheck is what a pack meets before it is taken.
func readAndCheck(files fstest.MapFS, base effects.Base) pack.Problems {
	p, problems := pack.Read(files)
	if problems != nil {
		return problems
	}
	return pack.Check(p, base)
}

// Each malformed pack is refused with the file, the line and the field of the
// first thing that is wrong, and words that say what.
func TestMalformedPacks(t *testing.T) {
	base := rules.ContentBase(rcr.System{})
	var many strings.Builder
	for i := range limits.PackEntries {
		fmt.Fprintf(&many, "- id: r%d\n  title: R\n  effects:\n    - {when: 'self.conditions.all(a, self.wearing(a) && self.knows(a))', modifier: {to: attack, amount: '1'}}\n", i)
	}
	for _, c := range []struct {
		name  string
		files fstest.MapFS
		file  string
		line  int
		field string
		says  string
	}{
		{"no head", fstest.MapFS{"feats.yaml": {Data: []byte("- id: a\n")}}, "pack.yaml", 0, "", "no such file"},
		{"no YAML", folder("pack.yaml", "name: a\nversion: [\n"), "pack.yaml", 2, "", "no YAML"},
		{"an unknown field of the head", folder("pack.yaml", head+"licence: free\n"), "pack.yaml", 5, "licence", "did you mean license"},
		{"a head with rules", folder("pack.yaml", head+"rules: []\n"), "pack.yaml", 5, "rules", "rules.yaml"},
		{"a name that is none", folder("pack.yaml", strings.Replace(head, "tavern", "My Tavern", 1)), "pack.yaml", 1, "name", "no name"},
		{"another system", folder("pack.yaml", strings.Replace(head, "rcr", "basic", 1)), "pack.yaml", 3, "system", `not "rcr"`},
		{"a setting that there is not", folder("pack.yaml", head+"settings:\n  "+noSuch+": \"on\"\n"), "pack.yaml", 6, "settings." + noSuch, "no setting"},
		{"an unknown file", folder("weapon.yaml", "- id: a\n"), "weapon.yaml", 0, "", "did you mean weapons.yaml"},
		{"no list", folder("weapons.yaml", "club:\n  data: {}\n"), "weapons.yaml", 1, "weapons", "want a list"},
		{"an unknown field of the system", folder("weapons.yaml", "- id: club\n  data:\n    reach: 5\n"), "weapons.yaml", 3, "weapons[0].data.reach", "did you mean reach_feet"},
		{"a word for a number", folder("weapons.yaml", "- id: club\n  data:\n    bonus: lots\n"), "weapons.yaml", 3, "weapons[0].data.bonus", "whole number"},
		{"a field given twice", folder("weapons.yaml", "- id: club\n  data:\n    bonus: 1\n    bonus: 2\n"), "weapons.yaml", 4, "weapons[0].data.bonus", "twice"},
		{"an id twice", folder("feats.yaml", "- id: a\n  effects: [{modifier: {to: attack, amount: 1}}]\n- id: a\n  effects: [{modifier: {to: attack, amount: 1}}]\n"), "feats.yaml", 3, "feats[1].id", "twice"},
		{"an unknown effect", folder("feats.yaml", "- id: a\n  effects:\n    - modifyer: {to: attack, amount: 1}\n"), "feats.yaml", 3, "feats[0].effects[0].modifyer", "did you mean modifier"},
		{"two effects in one", folder("feats.yaml", "- id: a\n  effects:\n    - modifier: {to: attack, amount: 1}\n      edge: {to: attack, direction: advantage}\n"), "feats.yaml", 1, "feats[0]", "oneof"},
		{"an unknown point", folder("feats.yaml", "- id: a\n  effects:\n    - modifier:\n        to: atack\n        amount: 1\n"), "feats.yaml", 4, "feats[0].effects[0].modifier.to", "did you mean attack"},
		{"a kind that the system does not carry out", folder("feats.yaml", "- id: a\n  effects:\n    - replace: {action: dash, by: dodge}\n"), "feats.yaml", 3, "feats[0].effects[0].replace", "does not carry out"},
		{"CEL that does not parse", folder("feats.yaml", "- id: a\n  effects:\n    - when: self.hp >\n      modifier: {to: attack, amount: 1}\n"), "feats.yaml", 3, "feats[0].effects[0].when", "column"},
		{"CEL of another type", folder("feats.yaml", "- id: a\n  effects:\n    - when: self.hp + 1\n      modifier: {to: attack, amount: 1}\n"), "feats.yaml", 3, "feats[0].effects[0].when", "true or false"},
		{"CEL that reads what there is not", folder("feats.yaml", "- id: a\n  effects:\n    - when: self.hitpoints > 3\n      modifier: {to: attack, amount: 1}\n"), "feats.yaml", 3, "feats[0].effects[0].when", "undefined field"},
		{"CEL that loops", folder("feats.yaml", "- id: a\n  effects:\n    - when: self.feats.all(a, self.feats.all(b, self.feats.all(c, a + b != c)))\n      modifier: {to: attack, amount: 1}\n"), "feats.yaml", 3, "feats[0].effects[0].when", "may cost"},
		{"a pack that costs too much", folder("rules.yaml", many.String()), "", 0, "", "may cost"},
		{"a condition that there is not", folder("weapons.yaml", "- id: club\n  data: {reach_feet: 5}\n  effects:\n    - trigger: hit\n      condition: {condition: prune}\n"), "weapons.yaml", 5, "weapons[0].effects[0].condition.condition", "did you mean prone"},
		{"a trigger missing", folder("weapons.yaml", "- id: club\n  data: {reach_feet: 5}\n  effects:\n    - damage: {dice: 1d6}\n"), "weapons.yaml", 4, "weapons[0].effects[0].trigger", "missing"},
		{"bad dice", folder("weapons.yaml", "- id: club\n  data: {reach_feet: 5}\n  effects:\n    - trigger: hit\n      damage: {dice: 1x6}\n"), "weapons.yaml", 5, "weapons[0].effects[0].damage.dice", ""},
		{"a shape that there is not", folder("spells.yaml", "- id: a\n  data: {level: 1}\n  area:\n    shape: disc\n    feet: 10\n"), "spells.yaml", 4, "spells[0].area.shape", "no shape"},
		{"a table that there is not", folder("tables/setbacks.csv", "from,to,minor,major\n1,4,1d6,2d6\n"), "tables/setbacks.csv", 1, "tables[0].name", "no table"},
		{"other columns", folder("tables/setback.csv", "from,minor,major\n1,1d6,2d6\n"), "tables/setback.csv", 1, "tables[0].columns", "from,to,minor,major"},
		{"a short row", folder("tables/setback.csv", "from,to,minor,major\n1,4,1d6,2d6\n5,10,2d6\n"), "tables/setback.csv", 3, "tables[0].rows[1]", "3 cells"},
		{"a table that does not hold together", folder("tables/setback.csv", "from,to,minor,major\n1,3,1d6,2d6\n"), "tables/setback.csv", 1, "tables[0]", "row"},
		{"a creature of another system", folder("sheets/orc.yaml", "id: orc\nname: Orc\nbasic:\n  armor_class: 5\n"), "sheets/orc.yaml", 1, "monsters[0]", "section"},
		{"a house rule without a title", folder("rules.yaml", "- id: a\n  text: b\n"), "rules.yaml", 1, "rules[0].title", "missing"},
		{"a rule id that there is not", folder("feats.yaml", "- id: a\n  effects:\n    - rule: "+noSuch+"\n      modifier: {to: attack, amount: 1}\n"), "feats.yaml", 3, "feats[0].effects[0].rule", "no rule"},
	} {
		t.Run(c.name, func(t *testing.T) {
			with := base
			with.Support.Kinds = maps.Clone(base.Support.Kinds)
			delete(with.Support.Kinds, effects.KindReplace) // as a system that does not know it
			with.Rule = func(id string) bool { return id == "rcr.base.attack-and-critical" }
			problems := readAndCheck(c.files, with)
			if len(problems) == 0 {
				t.Fatal("it is taken")
			}
			p := problems[0]
			if p.File != c.file || p.Line != c.line || p.Field != c.field || !strings.Contains(p.Text, c.says) {
				t.Errorf("got %s:%d %q: %s\nwant %s:%d %q: ...%s...", p.File, p.Line, p.Field, p.Text, c.file, c.line, c.field, c.says)
			}
		})
	}
}

// What is too big is refused before it is read on.
func TestHugePacks(t *testing.T) {
	base := rules.ContentBase(rcr.System{})
	files := fstest.MapFS{"pack.yaml": {Data: []byte(head)}}
	for i := range limits.PackFiles + 1 {
		files[fmt.Sprintf("sheets/a%d.yaml", i)] = &fstest.MapFile{Data: []byte("id: a\n")}
	}
	var aliases strings.Builder
	aliases.WriteString("- id: a\n  data: &a {effects: [{condition: prone}]}\n")
	for i := range limits.PackEntries + 1 {
		fmt.Fprintf(&aliases, "- {id: b%d, data: *a}\n", i)
	}
	bomb := "a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\n"
	for name, c := range map[string]struct {
		files fstest.MapFS
		says  string
	}{
		"many files":       {files, "at most"},
		"a long file":      {folder("README.yaml", strings.Repeat("#", 10), "feats.yaml", strings.Repeat("# nothing\n", limits.PackFileBytes/10+1)), ""},
		"many entries":     {folder("weapons.yaml", aliases.String()), "at most"},
		"a nest":           {folder("feats.yaml", "- id: a\n  text: "+strings.Repeat("[", 200)+strings.Repeat("]", 200)+"\n"), ""},
		"unfolding":        {folder("pack.yaml", head+bomb), ""},
		"many effects":     {folder("feats.yaml", "- id: a\n  effects:\n"+strings.Repeat("    - modifier: {to: attack, amount: 1}\n", limits.EffectsEach+1)), "at most"},
		"a long formula":   {folder("feats.yaml", "- id: a\n  effects:\n    - modifier: {to: attack, amount: \""+strings.Repeat("1+", limits.ExpressionBytes)+"1\"}\n"), "bytes"},
		"a deep formula":   {folder("feats.yaml", "- id: a\n  effects:\n    - modifier: {to: attack, amount: \""+strings.Repeat("(", 100)+"1"+strings.Repeat(")", 100)+"\"}\n"), ""},
		"a link elsewhere": {fstest.MapFS{"pack.yaml": {Data: []byte(head)}, "feats.yaml": {Data: []byte("/etc/passwd"), Mode: 0o777 | 1<<27}}, "outside"},
	} {
		t.Run(name, func(t *testing.T) {
			problems := readAndCheck(c.files, base)
			if len(problems) == 0 || !strings.Contains(problems.Error(), c.says) {
				t.Errorf("got %v", problems)
			}
			if len(problems) > 200 {
				t.Errorf("%d problems are listed", len(problems))
			}
		})
	}
}
