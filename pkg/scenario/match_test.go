package scenario

import (
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/proto"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func sampleEvents() []any {
	return trees([]*eventv1.Event{
		{Audience: &eventv1.Audience{Kind: eventv1.Audience_KIND_EVERYONE}, Rules: []string{"a.b.one", "a.b.two"}, What: &eventv1.Event_Roll{Roll: &eventv1.Roll{
			Label: "attack/1/to-hit", Kept: []int32{17}, Total: 22, Modifiers: []*eventv1.Modifier{{Value: 3, Source: "Strength"}, {Value: 2, Source: "proficiency"}}}}},
		{Audience: &eventv1.Audience{Kind: eventv1.Audience_KIND_GM}, What: &eventv1.Event_Damage{Damage: &eventv1.Damage{Target: "orc", Amount: 12}}},
		{What: &eventv1.Event_Life{Life: &eventv1.LifeChanged{Creature: "orc", Status: eventv1.LifeStatus_LIFE_STATUS_DEAD}}},
	})
}

func parseEvents(t *testing.T, text string) []pattern {
	t.Helper()
	var n yaml.Node
	if err := yaml.Unmarshal([]byte(text), &n); err != nil {
		t.Fatal(err)
	}
	p := &parser{file: "f"}
	out := p.events(n.Content[0], "events")
	if err := p.err(); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestEventsMatchAsOrderedSubset(t *testing.T) {
	cases := []struct {
		name, want string
		fails      string // part of the failure; empty when it must match
		detail     string
	}{
		{"in order", "[{roll: {label: to-hit, kept: [17]}}, {life: {status: dead}}]", "", ""},
		{"whole label", "[{roll: {label: attack/1/to-hit}}]", "", ""},
		{"part of a label is none", "[{roll: {label: hit}}]", "events[0] did not come", "label: want hit"},
		{"kind alone", "[roll, damage, life]", "", ""},
		{"wrong order", "[{damage: {}}, {roll: {}}]", "events[1] did not come", "came too early"},
		{"nearest", "[{damage: {target: orc, amount: 11}}]", "events[0] did not come", "damage.amount: want 11, got 12"},
		{"kind did not come", "[{healing: {}}]", "events[0] did not come", "what came: [roll damage life]"},
		{"messages are an ordered subset", "[{roll: {modifiers: [{source: proficiency}]}}]", "", ""},
		{"messages in the wrong order", "[{roll: {modifiers: [{value: 2}, {value: 3}]}}]", "did not come", "modifiers[1]"},
		{"numbers are a whole list", "[{roll: {kept: [17, 4]}}]", "did not come", "kept: want [17, 4], got [17]"},
		{"rules in any order", "[{roll: {}, rules: [a.b.two]}]", "", ""},
		{"rules missing", "[{roll: {}, rules: [a.b.three]}]", "did not come", "a.b.three"},
		{"audience", "[{roll: {}, audience: everyone}, {damage: {}, audience: gm}]", "", ""},
		{"audience differs", "[{roll: {}, audience: gm}]", "did not come", "audience.kind: want gm, got everyone"},
		{"enum by full name", "[{life: {status: LIFE_STATUS_DEAD}}]", "", ""},
		{"wildcards", "[{roll: {modifiers: [{source: 'Str*'}], label: '*'}}]", "", ""},
		{"absence", "[{roll: {target: ~, creature: ~}}]", "", ""},
		{"zero is what is not set", "[{damage: {soaked: 0, critical: false}}]", "", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := &run{result: &Result{}}
			r.checkEvents(&Expect{Events: parseEvents(t, c.want)}, sampleEvents())
			got := ""
			for _, f := range r.result.Failures {
				got += f.String() + "\n"
			}
			if (c.fails == "") != (got == "") || !strings.Contains(got, c.fails) || !strings.Contains(got, c.detail) {
				t.Errorf("want failure %q with %q, got:\n%s", c.fails, c.detail, got)
			}
		})
	}
}

func sampleState() *eventv1.State {
	return &eventv1.State{Round: 2, Active: []string{"orc"}, Settings: map[string]string{"a.b.c": "on"},
		Creatures: map[string]*eventv1.Creature{
			"orc": {Id: "orc", Hp: proto.Int32(0), Life: eventv1.LifeStatus_LIFE_STATUS_DYING,
				Counters:   map[string]int64{"wounds": 2, "action": 0},
				Conditions: []*eventv1.Condition{{Id: "prone", Name: "prone"}, {Id: "frightened-2", Name: "frightened", Source: "jeera"}}},
			"jeera": {Id: "jeera", Position: &eventv1.Position{X: 5}},
		}}
}

func TestStateByPath(t *testing.T) {
	cases := []struct {
		name, path, want string
		fails            string
	}{
		{"number", "round", "2", ""},
		{"wrong number", "round", "3", "round: want 3, got 2"},
		{"optional zero", "creatures.orc.hp", "0", ""},
		{"optional not seen", "creatures.jeera.hp", "~", ""},
		{"not seen is not zero", "creatures.jeera.hp", "0", "creatures.jeera.hp: want 0, got ~"},
		{"seen is not absent", "creatures.orc.hp", "~", "creatures.orc.hp: want ~, got 0"},
		{"enum", "creatures.orc.life", "dying", ""},
		{"by field", "creatures.orc.conditions[name=frightened].source", "jeera", ""},
		{"by two fields", "creatures.orc.conditions[name=frightened,source=orc]", "~", ""},
		{"by place", "creatures.orc.conditions[-1].name", "frightened", ""},
		{"words for messages", "creatures.orc.conditions", "[prone, frightened]", ""},
		{"empty list", "creatures.jeera.conditions", "[]", ""},
		{"not empty", "creatures.orc.conditions", "[]", "want []"},
		{"list of words", "active", "[orc]", ""},
		{"length", "creatures.orc.conditions.length", "2", ""},
		{"length of a map", "creatures.length", "2", ""},
		{"counter never set", "creatures.jeera.counters.action", "0", ""},
		{"counter at nought is there", "creatures.orc.counters.action", "~", "want ~, got 0"},
		{"dotted key", "settings[a.b.c]", "on", ""},
		{"no such creature", "creatures.elf", "~", ""},
		{"below what is not there", "creatures.elf.hp", "3", "creatures.elf.hp: want 3, got ~"},
		{"subset of fields", "creatures.orc", "{life: dying, counters: {wounds: 2}}", ""},
		{"subset differs", "creatures.orc", "{counters: {wounds: 3}}", "creatures.orc.counters.wounds: want 3, got 2"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var n yaml.Node
			if err := yaml.Unmarshal([]byte("'"+c.path+"': "+c.want), &n); err != nil {
				t.Fatal(err)
			}
			p := &parser{file: "f"}
			ats := p.state(n.Content[0], "state")
			if err := p.err(); err != nil {
				t.Fatal(err)
			}
			r := &run{result: &Result{}}
			r.checkAt(ats[0], tree(sampleState().ProtoReflect()))
			got := ""
			for _, f := range r.result.Failures {
				got += f.String()
			}
			if (c.fails == "") != (got == "") || !strings.Contains(got, c.fails) {
				t.Errorf("want failure %q, got %s", c.fails, got)
			}
		})
	}
}

func TestGlob(t *testing.T) {
	cases := []struct {
		want, got string
		matches   bool
	}{
		{"abc", "abc", true}, {"abc", "abcd", false}, {"*still*", "is still dying", true}, {"a*a", "a", false},
		{"a*b*c", "axbxc", true}, {"a*b*c", "axcxb", false}, {"", "", true}, {"", "x", false}, {"*", "", true},
	}
	for _, c := range cases {
		if glob(c.want, c.got) != c.matches {
			t.Errorf("glob(%q, %q) is not %v", c.want, c.got, c.matches)
		}
	}
}

func TestMalformedPaths(t *testing.T) {
	for _, bad := range []string{"", ".", "a..b", "a[", "a.", "[0]x"} {
		if _, err := parsePath(bad); err == nil {
			t.Errorf("path %q was accepted", bad)
		}
	}
}
