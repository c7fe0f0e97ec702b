package sheet

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/yamlpb"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func goblin() *eventv1.Sheet {
	return &eventv1.Sheet{
		Id: "goblin", Name: "Goblin", Side: "monsters", Size: "small", HitPoints: 7,
		Speeds: map[string]int32{"walk": 30},
		Abilities: map[string]int32{"strength": 8, "dexterity": 14, "constitution": 10,
			"intelligence": 10, "wisdom": 8, "charisma": 8},
		Section: &eventv1.Sheet_Rcr{Rcr: &eventv1.RcrSheet{
			ChallengeRating: "1/4", ProficiencyBonus: 2, ArmorClass: 15,
			Skills: []*eventv1.RcrSkill{{Name: "stealth", Bonus: 6, Proficient: true}},
			Shield: eventv1.RcrSheet_SHIELD_SHIELD,
			Attacks: []*eventv1.RcrAttack{{Name: "Scimitar", Bonus: 4, ReachFeet: 5,
				Damage: []*eventv1.RcrDamage{{Dice: "1d6+2", Type: "slashing"}}}},
		}},
	}
}

func TestParseReadsYAMLAndJSON(t *testing.T) {
	asYAML, err := os.ReadFile("testdata/goblin.yaml")
	if err != nil {
		t.Fatal(err)
	}
	asJSON, err := MarshalJSON(goblin())
	if err != nil {
		t.Fatal(err)
	}
	camel := `{"id":"goblin","name":"Goblin","side":"monsters","size":"small","speeds":{"walk":30},"hitPoints":7,
	"abilities":{"strength":8,"dexterity":14,"constitution":10,"intelligence":10,"wisdom":8,"charisma":8},
	"rcr":{"challengeRating":"1/4","proficiencyBonus":2,"armorClass":15,"shield":"SHIELD_SHIELD",
	"skills":[{"name":"stealth","bonus":6,"proficient":true}],
	"attacks":[{"name":"Scimitar","bonus":4,"reachFeet":5,"damage":[{"dice":"1d6+2","type":"slashing"}]}]}}`
	for name, data := range map[string][]byte{"yaml": asYAML, "json": asJSON, "camel json": []byte(camel)} {
		t.Run(name, func(t *testing.T) {
			got, err := Parse(data)
			if err != nil {
				t.Fatal(err)
			}
			if !proto.Equal(got, goblin()) {
				t.Fatalf("got %v", got)
			}
		})
	}
}

func TestMistakesNameFieldAndLine(t *testing.T) {
	cases := []struct{ name, in, field, says string }{
		{"unknown at the top", "id: a\nhitpoints: 7\n", "sheet.hitpoints", "unknown field, did you mean hit_points? (line 2)"},
		{"unknown deep inside", "id: a\nrcr:\n  attacks:\n    - name: Bite\n      reach: 5\n", "sheet.rcr.attacks[0].reach", "unknown field, did you mean reach_feet? (line 5)"},
		{"merge keys are no fields", "rcr: &r {level: 1}\n<<: *r\n", "sheet.<<", "unknown field (line 2)"},
		{"text for a number", "hit_points: many\n", "sheet.hit_points", `want a whole number, got "many" (line 1)`},
		{"fraction for a number", "hit_points: 7.5\n", "sheet.hit_points", `want a whole number, got "7.5" (line 1)`},
		{"number too large", "hit_points: 3000000000\n", "sheet.hit_points", "number out of range: 3000000000 (line 1)"},
		{"text for a map value", "speeds:\n  walk: 30 ft.\n", "sheet.speeds.walk", `want a whole number, got "30 ft." (line 2)`},
		{"nothing in a map", "speeds: {walk: }\n", "sheet.speeds.walk", "want a whole number, got nothing (line 1)"},
		{"list for fields", "rcr: [1]\n", "sheet.rcr", "want fields, got a list (line 1)"},
		{"fields for a list", "rcr: {attacks: {name: Bite}}\n", "sheet.rcr.attacks", "want a list, got fields (line 1)"},
		{"word for a switch", "rcr: {breathless: maybe}\n", "sheet.rcr.breathless", `want true or false, got "maybe" (line 1)`},
		{"unknown word of an enum", "rcr: {shield: TOWER}\n", "sheet.rcr.shield",
			`want one of SHIELD_UNSPECIFIED, SHIELD_SHIELD, SHIELD_BUCKLER, SHIELD_ARM_GUARD, got "TOWER" (line 1)`},
		{"twice under both names", "hit_points: 7\nhitPoints: 8\n", "sheet.hitPoints", "given twice (line 2)"},
		{"twice in a map", "speeds: {walk: 30, 'walk': 20}\n", "sheet.speeds.walk", "given twice (line 1)"},
		{"odd tag", "name: !!binary aGk=\n", "sheet.name", "tag !!binary has no meaning here (line 1)"},
		{"plain text", "goblin\n", "sheet", `want fields, got "goblin" (line 1)`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse([]byte(c.in))
			f, ok := fault.As(err)
			if !ok || f.Code != fault.Invalid || len(f.Violations) != 1 {
				t.Fatalf("want one violation, got %v", err)
			}
			if v := f.Violations[0]; v.Field != c.field || v.Description != c.says {
				t.Fatalf("got %s: %s", v.Field, v.Description)
			}
		})
	}
}

func TestEveryMistakeIsReported(t *testing.T) {
	_, err := Parse([]byte("a: 1\nb: 2\nhit_points: x\n"))
	if f, ok := fault.As(err); !ok || len(f.Violations) != 3 {
		t.Fatalf("want three violations, got %v", err)
	}
	_, err = Parse([]byte("rcr: {languages: [" + strings.Repeat("[],", 100) + "]}"))
	if f, ok := fault.As(err); !ok || len(f.Violations) != yamlpb.MaxViolations {
		t.Fatalf("want %d violations, got %v", yamlpb.MaxViolations, err)
	}
}

func TestPlainScalarsBecomeText(t *testing.T) {
	s, err := Parse([]byte("name: 007\nrcr: {challenge_rating: 1, languages: [true, 2001-01-01, 1.50]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(append(s.GetRcr().Languages, s.Name, s.GetRcr().ChallengeRating), "|"); got != "true|2001-01-01|1.50|007|1" {
		t.Fatalf("got %s", got)
	}
}

func TestRefusesWhatIsNoSheet(t *testing.T) {
	deep := "id: a\nrcr: {attacks: " + strings.Repeat("[", 200) + strings.Repeat("]", 200) + "}"
	many := "id: a\nrcr:\n  attacks:\n  - &a {properties: [" + strings.Repeat("a,", 3000) + "]}\n" + strings.Repeat("  - *a\n", 100)
	cases := []struct {
		name string
		in   string
		code fault.Code
	}{
		{"empty", "", fault.Invalid},
		{"only a comment", "# nothing\n", fault.Invalid},
		{"null", "null\n", fault.Invalid},
		{"not YAML", "id: [\n", fault.Invalid},
		{"two documents", "id: a\n---\nid: b\n", fault.Invalid},
		{"too long", strings.Repeat("#", MaxBytes+1), fault.Exhausted},
		{"nested too deep", deep, fault.Invalid},
		{"aliases unfold too far", many, fault.Exhausted},
		{"alias inside itself", "rcr: &r {attacks: *r}\n", fault.Invalid},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if _, err := Parse([]byte(c.in)); !fault.Is(err, c.code) {
				t.Fatalf("want a fault of code %v, got %v", c.code, err)
			}
		})
	}
}

func TestParseAll(t *testing.T) {
	got, err := ParseAll([]byte("---\nid: a\n---\n---\nid: b\n"))
	if err != nil || len(got) != 2 || got[0].Id != "a" || got[1].Id != "b" {
		t.Fatalf("got %v, %v", got, err)
	}
	_, err = ParseAll([]byte("id: a\n---\nid: b\nzzz: 1\n"))
	if f, ok := fault.As(err); !ok || f.Violations[0].Field != "sheet[1].zzz" || !strings.Contains(f.Error(), "line 4") {
		t.Fatalf("got %v", err)
	}
	if _, err := ParseAll(make([]byte, MaxAllBytes+1)); !fault.Is(err, fault.Exhausted) {
		t.Fatalf("got %v", err)
	}
}

func TestParseFile(t *testing.T) {
	fsys := fstest.MapFS{"good.yaml": {Data: []byte("id: a\n")}, "bad.yaml": {Data: []byte("idd: a\n")},
		"long.yaml": {Data: make([]byte, MaxBytes+1)}}
	if s, err := ParseFile(fsys, "good.yaml"); err != nil || s.Id != "a" {
		t.Fatalf("got %v, %v", s, err)
	}
	if _, err := ParseFile(fsys, "bad.yaml"); !fault.Is(err, fault.Invalid) || !strings.Contains(err.Error(), "bad.yaml") {
		t.Fatalf("got %v", err)
	}
	if _, err := ParseFile(fsys, "none.yaml"); !fault.Is(err, fault.NotFound) {
		t.Fatalf("got %v", err)
	}
	if _, err := ParseFile(fsys, "long.yaml"); !fault.Is(err, fault.Exhausted) {
		t.Fatalf("got %v", err)
	}
}

func TestMarshalRoundTrips(t *testing.T) {
	odd := goblin()
	odd.Name = "no"
	odd.Attribution = "line one\nline two\ttab \x7f \u0085 \ufeff end"
	odd.Controllers = []string{"", "null", "~", "1", "true", "2001-01-01", "0x10", "- a", "#", "'", `"`, "*x", "=", "<<"}
	odd.Speeds = map[string]int32{"": 1, "1": 2, "a: b": 3}
	enabled := false
	odd.GetRcr().WoundsEnabled = &enabled
	for name, in := range map[string]*eventv1.Sheet{"plain": goblin(), "odd": odd, "empty section": {Id: "a", Section: &eventv1.Sheet_Rcr{Rcr: &eventv1.RcrSheet{}}}} {
		t.Run(name, func(t *testing.T) {
			text, err := Marshal(in)
			if err != nil {
				t.Fatal(err)
			}
			back, err := Parse(text)
			if err != nil {
				t.Fatalf("%v in\n%s", err, text)
			}
			if !proto.Equal(in, back) {
				t.Fatalf("got %v from\n%s", back, text)
			}
			again, err := Marshal(back)
			if err != nil || string(again) != string(text) {
				t.Fatalf("not the same twice:\n%s\n%s", text, again)
			}
		})
	}
}

func TestMarshalRefusesBrokenText(t *testing.T) {
	if _, err := Marshal(&eventv1.Sheet{Name: "\xff"}); !fault.Is(err, fault.Invalid) {
		t.Fatalf("got %v", err)
	}
	if _, err := MarshalJSON(&eventv1.Sheet{Name: "\xff"}); !fault.Is(err, fault.Invalid) {
		t.Fatalf("got %v", err)
	}
}

// FuzzParse holds two promises: no input breaks Parse, and what it accepts is
// what Marshal writes again.
func FuzzParse(f *testing.F) {
	text, err := os.ReadFile("testdata/goblin.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"id":"a","hit_points":7,"rcr":{"challenge_rating":"1/4","wounds_enabled":false}}`))
	f.Add([]byte("id: &x a\nname: *x\nspeeds: {walk: 0x1e, 1: 2}\n"))
	f.Add([]byte("rcr: &r {attacks: [*r]}\n"))
	f.Add([]byte("id: a\n---\nid: b\n"))
	f.Add([]byte("name: \"\\u0085\\x7f\\uFEFF\"\nattribution: |\n  two\n  lines\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse(data)
		if err != nil {
			if _, ok := fault.As(err); !ok {
				t.Fatalf("not a fault: %v", err)
			}
			return
		}
		text, err := Marshal(s)
		if err != nil {
			t.Fatalf("accepted but not written: %v", err)
		}
		back, err := Parse(text)
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if !proto.Equal(s, back) {
			t.Fatalf("changed on the way:\n%v\n%v", s, back)
		}
	})
}
