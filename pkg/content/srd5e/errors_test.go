package srd5e

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/sheet"
	"google.golang.org/protobuf/proto"
)

// newt is a whole record in which a test replaces one piece.
const newt = `{"index":"newt","name":"Newt","size":"Tiny","type":"beast","armor_class":[{"type":"dex","value":11}],"hit_points":1,"hit_dice":"1d4",` +
	`"speed":{"walk":"20 ft."},"strength":1,"dexterity":13,"constitution":8,"intelligence":1,"wisdom":8,"charisma":3,"challenge_rating":0,"proficiency_bonus":2,` +
	`"senses":{"darkvision":"60 ft."},"proficiencies":[{"value":3,"proficiency":{"index":"skill-stealth"}}],"condition_immunities":[{"index":"prone"}],` +
	`"actions":[{"name":"Bite","desc":"Melee Weapon Attack: +3 to hit, reach 5 ft., one target. Hit: 1 piercing damage.","attack_bonus":3,` +
	`"damage":[{"damage_dice":"1","damage_type":{"index":"piercing"}}],"dc":{"dc_type":{"index":"con"},"dc_value":11},"usage":{"type":"per day","times":1}},` +
	`{"name":"Multiattack","actions":[{"action_name":"Bite","count":2,"type":"melee"}]}]}`

func TestMalformedRecords(t *testing.T) {
	if _, _, err := Import([]byte(newt)); err != nil {
		t.Fatal(err)
	}
	cases := []struct{ name, from, to, field, says string }{
		{"index missing", `"index":"newt",`, ``, "monsters[0].index", "missing: want text"},
		{"index unfit for an id", `"index":"newt"`, `"index":"n e w t"`, "monsters[0].index", `want letters, digits, '-' and '_', got "n e w t"`},
		{"name missing", `"name":"Newt",`, ``, "newt.name", "missing: want text"},
		{"name empty", `"name":"Newt"`, `"name":" "`, "newt.name", "empty"},
		{"name a number", `"name":"Newt"`, `"name":7`, "newt.name", "want text, got a number"},
		{"armour class missing", `"armor_class":[{"type":"dex","value":11}],`, ``, "newt.armor_class", "missing: want a list"},
		{"armour class without value", `{"type":"dex","value":11}`, `{"type":"dex"}`, "newt.armor_class[0].value", "missing: want a number"},
		{"armour class too large", `"value":11`, `"value":1000`, "newt.armor_class[0].value", "want a whole number from 1 to 99, got 1000"},
		{"hit points none", `"hit_points":1`, `"hit_points":0`, "newt.hit_points", "want a whole number from 1 to 100000, got 0"},
		{"hit points broken", `"hit_points":1`, `"hit_points":1.5`, "newt.hit_points", "want a whole number from 1 to 100000, got 1.5"},
		{"hit dice odd", `"hit_dice":"1d4"`, `"hit_dice":"d4"`, "newt.hit_dice", `want dice such as 2d6, got "d4"`},
		{"speed missing", `"speed":{"walk":"20 ft."},`, ``, "newt.speed", "missing: want an object"},
		{"speed without unit", `"walk":"20 ft."`, `"walk":"20"`, "newt.speed.walk", `want feet such as "30 ft.", got "20"`},
		{"ability missing", `"wisdom":8,`, ``, "newt.wisdom", "missing: want a number"},
		{"challenge rating too high", `"challenge_rating":0`, `"challenge_rating":31`, "newt.challenge_rating", "want a whole number from 0 to 30, got 31"},
		{"challenge rating a third", `"challenge_rating":0`, `"challenge_rating":0.333`, "newt.challenge_rating", "want a whole number from 0 to 30, got 0.333"},
		{"sense without unit", `"darkvision":"60 ft."`, `"darkvision":60`, "newt.senses.darkvision", "want text, got a number"},
		{"proficiency without value", `"value":3,`, ``, "newt.proficiencies[0].value", "missing: want a number"},
		{"proficiencies no list", `"condition_immunities":[{"index":"prone"}]`, `"condition_immunities":{}`, "newt.condition_immunities", "want a list, got an object"},
		{"condition a word", `[{"index":"prone"}]`, `["prone"]`, "newt.condition_immunities[0]", "want an object, got text"},
		{"attack bonus a word", `"attack_bonus":3`, `"attack_bonus":"3"`, "newt.actions[0].attack_bonus", "want a number, got text"},
		{"attack without reach", `reach 5 ft., `, ``, "newt.actions[0].desc", `attack "bite" without reach or range`},
		{"damage dice odd", `"damage_dice":"1"`, `"damage_dice":"a lot"`, "newt.actions[0].damage[0].damage_dice", `want dice such as 2d6+3, got "alot"`},
		{"damage type odd", `"damage_type":{"index":"piercing"}`, `"damage_type":{"index":"holy"}`, "newt.actions[0].damage[0].damage_type.index", `not a damage type: "holy"`},
		{"save of no ability", `"dc_type":{"index":"con"}`, `"dc_type":{"index":"luck"}`, "newt.actions[0].dc.dc_type.index", `not an ability: "luck"`},
		{"usage without times", `,"times":1`, ``, "newt.actions[0].usage.times", "missing: want a number"},
		{"count odd", `"count":2`, `"count":"some"`, "newt.actions[1].actions[0].count", `want a number of times, got "some"`},
		{"count none", `"count":2`, `"count":0`, "newt.actions[1].actions[0].count", "want a number from 1 to 100, got 0"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			changed := strings.Replace(newt, c.from, c.to, 1)
			if changed == newt {
				t.Fatal("the case changes nothing")
			}
			sheets, report, err := Import([]byte(changed))
			f, ok := fault.As(err)
			if !ok || f.Code != fault.Invalid || sheets != nil || report != nil {
				t.Fatalf("want a fault and nothing else, got %v", err)
			}
			if f.Violations[0].Field != c.field || f.Violations[0].Description != c.says {
				t.Fatalf("got %v", f.Violations)
			}
		})
	}
}

func TestMalformedInput(t *testing.T) {
	cases := []struct {
		name, in string
		code     fault.Code
	}{
		{"nothing", "", fault.Invalid},
		{"cut short", "[" + newt, fault.Invalid},
		{"more behind", newt + newt, fault.Invalid},
		{"no object", `["newt"]`, fault.Invalid},
		{"a word", `"newt"`, fault.Invalid},
		{"a key twice", `{"index":"a","index":"b"}`, fault.Invalid},
		{"one index twice", "[" + newt + "," + newt + "]", fault.Invalid},
		{"nested too deep", strings.Repeat("[", 100) + strings.Repeat("]", 100), fault.Exhausted},
		{"too many monsters", "[" + strings.Repeat("1,", MaxMonsters) + "1]", fault.Exhausted},
		{"too many bytes", strings.Repeat(" ", MaxBytes+1), fault.Exhausted},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if _, _, err := Import([]byte(c.in)); !fault.Is(err, c.code) {
				t.Fatalf("want a fault of code %v, got %v", c.code, err)
			}
		})
	}
}

func TestViolationsOfManyMonstersAreCut(t *testing.T) {
	var records []string
	for i := range 100 {
		records = append(records, fmt.Sprintf(`{"index":"m%d"}`, i))
	}
	_, _, err := Import([]byte("[" + strings.Join(records, ",") + "]"))
	if f, ok := fault.As(err); !ok || len(f.Violations) != maxViolations {
		t.Fatalf("got %v", err)
	}
}

// FuzzImport holds that no input breaks Import, that what it accepts is a sheet
// that can be written and read again, and that no leaf is lost.
func FuzzImport(f *testing.F) {
	var records []json.RawMessage // one by one: the fuzzer is slow on long inputs
	if err := json.Unmarshal(fixture(f), &records); err != nil {
		f.Fatal(err)
	}
	for _, r := range records {
		f.Add([]byte(r))
	}
	f.Add([]byte(newt))
	f.Add([]byte("[" + newt + "]"))
	f.Add([]byte(`[null]`))
	f.Add([]byte(strings.Replace(newt, "one target. Hit: 1 piercing damage.", "one target. Hit: 9 (2d8) fire damage, or 10 (2d10) fire damage if used with two hands, plus 3 (1d6) cold damage, and the target must succeed on a DC 12 Constitution saving throw or be poisoned for 1 minute.", 1)))
	f.Fuzz(func(t *testing.T, data []byte) {
		sheets, report, trees, err := read(data)
		if err != nil {
			if _, ok := fault.As(err); !ok {
				t.Fatalf("not a fault: %v", err)
			}
			return
		}
		for i, s := range sheets {
			text, err := sheet.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			if back, err := sheet.Parse(text); err != nil || !proto.Equal(s, back) {
				t.Fatalf("%v for\n%s", err, text)
			}
			trees[i].leaves(func(v *value) {
				if v.fate == untouched && !strings.Contains(fmt.Sprint(report.Unused), "not known to the importer") {
					t.Fatalf("%s is lost", v.path)
				}
			})
		}
	})
}
