package effects_test

import (
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/effects"
)

// Every word and number of every kind of effect is checked where it stands: one that the
// system does not know, or that is missing, is refused with its field.
func TestEveryFieldOfAnEffectIsChecked(t *testing.T) {
	for _, c := range []struct{ effect, field, text string }{
		{`"modifier":{"to":"attack"}`, "modifier.amount", ""},
		{`"modifier":{"to":"damage","dice":"1d4","type":"fyre"}`, "modifier.type", "no damage type"},
		{`"edge":{"to":"atack","direction":"advantage"}`, "edge.to", "no point"},
		{`"edge":{"to":"attack","direction":"luck"}`, "edge.direction", "no direction"},
		{`"cost":{"action":"dsh","counter":"action","amount":"1"}`, "cost.action", "no action"},
		{`"cost":{"action":"dash","counter":"acton","amount":"1"}`, "cost.counter", "no counter"},
		{`"cost":{"action":"dash","counter":"action"}`, "cost.amount", ""},
		{`"noProvoke":{"action":"dsh"}`, "no_provoke.action", "no action"},
		{`"speed":{"mode":"roll","feet":"10"}`, "speed.mode", "no mode"},
		{`"speed":{"mode":"fly"}`, "speed.feet", ""},
		{`"resistance":{}`, "resistance.types", "missing"},
		{`"resistance":{"types":["fyre"]}`, "resistance.types[0]", "no damage type"},
		{`"resistance":{"types":["fire"],"less":"many"}`, "resistance.less", "undeclared"},
		{`"extraAction":{"counter":"acton"}`, "extra_action.counter", "no counter"},
		{`"extraAction":{"counter":"action","amount":"many"}`, "extra_action.amount", "undeclared"},
		{`"reroll":{"to":"atack","upTo":1}`, "reroll.to", "no point"},
		{`"reroll":{"to":"attack"}`, "reroll", "either"},
		{`"reroll":{"to":"attack","upTo":1,"atLeast":6}`, "reroll", "either"},
		{`"reroll":{"to":"attack","upTo":-1,"atLeast":6}`, "reroll", "either"},
		{`"reroll":{"to":"attack","upTo":1,"atLeast":-6}`, "reroll", "either"},
		{`"replace":{"action":"dsh","by":"dodge"}`, "replace.action", "no action"},
		{`"replace":{"action":"dash","by":"dodg"}`, "replace.by", "no action"},
		{`"criticalRange":{}`, "critical_range.from", ""},
		{`"set":{"value":"atack","amount":"1"}`, "set.value", "no point"},
		{`"set":{"value":"attack"}`, "set.amount", ""},
		{`"bar":{"action":"dsh"}`, "bar.action", "no action"},
		{`"aura":{"who":"all","effects":[{"bar":{}}]}`, "aura.feet", ""},
		{`"aura":{"feet":"5","who":"friends","effects":[{"bar":{}}]}`, "aura.who", "no who"},
		{`"aura":{"feet":"5","who":"all"}`, "aura.effects", "missing"},
		{`"trigger":"hit","condition":{"condition":"prone","rounds":"many"}`, "condition.rounds", "undeclared"},
		{`"trigger":"hit","condition":{"condition":"prone","saveEnds":true}`, "condition.save_ends", "no saving throw"},
		{`"trigger":"hit","damage":{"amount":"1","dice":"1e4"}`, "damage.dice", ""},
		{`"trigger":"hit","damage":{}`, "damage.amount", ""},
		{`"trigger":"hit","damage":{"amount":"1","type":"fyre"}`, "damage.type", "no damage type"},
		{`"trigger":"hit","healing":{"amount":"1","dice":"1e4"}`, "healing.dice", ""},
		{`"trigger":"hit","healing":{}`, "healing.amount", ""},
		{`"trigger":"hit","temporaryHitPoints":{"amount":"1","dice":"1e4"}`, "temporary_hit_points.dice", ""},
		{`"trigger":"hit","temporaryHitPoints":{}`, "temporary_hit_points.amount", ""},
		{`"trigger":"hit","use":{"amount":"1"}`, "use.resource", "missing"},
		{`"trigger":"hit","use":{"resource":"rage","amount":"many"}`, "use.amount", "undeclared"},
		{`"trigger":"hit","save":{"save":"luck","dc":"10","failed":[{"damage":{"amount":"1"}}]}`, "save.save", "no saving throw"},
		{`"trigger":"hit","save":{"save":"wisdom","failed":[{"damage":{"amount":"1"}}]}`, "save.dc", ""},
		{`"trigger":"hit","save":{"save":"wisdom","dc":"10"}`, "save.failed", "missing"},
		{`"trigger":"hit","save":{"save":"wisdom","dc":"10","failed":[{"damage":{}}]}`, "save.failed[0].damage.amount", ""},
		{`"trigger":"hit","save":{"save":"wisdom","dc":"10","passed":[{"damage":{}}]}`, "save.passed[0].damage.amount", ""},
		{`"trigger":"hit","save":{"save":"wisdom","dc":"10","failed":[{"save":{"save":"wisdom","dc":"10","failed":[{"damage":{"amount":"1"}}]}}]}`, "save.failed[0].save", "cannot come"},
	} {
		got := effects.Check(base(), pack(t, `{"feats":[{"id":"a","effects":[{`+c.effect+`}]}]}`))
		if len(got) == 0 || got[0].Field != "feats[0].effects[0]."+c.field || !strings.Contains(got[0].Text, c.text) {
			t.Errorf("%s\n  got %+v\n  want %s: ...%s...", c.effect, got, c.field, c.text)
		}
	}
	// What may be left out may be left out.
	for _, good := range []string{
		`"modifier":{"to":"damage","dice":"1d4"}`, `"cost":{"action":"dash","amount":"1"}`, `"noProvoke":{}`, `"resistance":{"types":["fire"]}`,
		`"immunity":{"types":["fire"]}`, `"immunity":{"conditions":["prone"]}`, `"extraAction":{"counter":"action"}`, `"reroll":{"to":"attack","upTo":1}`,
		`"reroll":{"to":"attack","atLeast":6}`, `"bar":{}`, `"bar":{"action":"dash"}`, `"trigger":"hit","damage":{"dice":"1d4"}`, `"trigger":"hit","healing":{"dice":"1d4"}`,
		`"trigger":"hit","temporaryHitPoints":{"dice":"1d4"}`, `"trigger":"hit","use":{"resource":"rage"}`, `"trigger":"hit","condition":{"condition":"prone"}`,
		`"trigger":"hit","save":{"save":"wisdom","dc":"10","passed":[{"damage":{"amount":"1"}}]}`,
		`"trigger":"hit","save":{"save":"wisdom","dc":"10","failed":[{"condition":{"condition":"prone","saveEnds":true}}]}`,
	} {
		if got := effects.Check(base(), pack(t, `{"feats":[{"id":"a","effects":[{`+good+`}]}]}`)); len(got) > 0 {
			t.Errorf("%s: %+v", good, got)
		}
	}
}

// Areas are of spells alone, of a shape that there is, and of bounded size.
func TestAreasAreChecked(t *testing.T) {
	for _, c := range []struct{ area, field, text string }{
		{`{"shape":"ring","feet":5}`, "area.shape", "no shape"},
		{`{"shape":"cube","feet":0}`, "area.feet", "must be 1 to"},
		{`{"shape":"cube","feet":1}`, "", ""},
		{`{"shape":"cube","feet":100000}`, "", ""},
		{`{"shape":"cube","feet":100001}`, "area.feet", "must be 1 to"},
		{`{"shape":"line","feet":5,"widthFeet":-1}`, "area.width_feet", "must be 0 to"},
		{`{"shape":"line","feet":5,"widthFeet":100000}`, "", ""},
		{`{"shape":"line","feet":5,"widthFeet":100001}`, "area.width_feet", "must be 0 to"},
	} {
		got := effects.Check(base(), pack(t, `{"spells":[{"id":"a","data":{"level":1},"area":`+c.area+`}]}`))
		if c.field == "" {
			if len(got) > 0 {
				t.Errorf("%s: %+v", c.area, got)
			}
			continue
		}
		if len(got) == 0 || got[0].Field != "spells[0]."+c.field || !strings.Contains(got[0].Text, c.text) {
			t.Errorf("%s: got %+v, want %s: ...%s...", c.area, got, c.field, c.text)
		}
	}
	const ball = `"area":{"shape":"cube","feet":5}`
	if got := effects.Check(base(), pack(t, `{"feats":[{"id":"a","effects":[{"bar":{}}],`+ball+`}]}`)); len(got) != 1 || got[0].Field != "feats[0].area" {
		t.Errorf("a feat with an area: %+v", got)
	}
	flat := base()
	flat.Support.Areas = false
	if got := effects.Check(flat, pack(t, `{"spells":[{"id":"a","data":{"level":1},`+ball+`}]}`)); len(got) != 1 || got[0].Field != "spells[0].area" {
		t.Errorf("a system without areas: %+v", got)
	}
}
