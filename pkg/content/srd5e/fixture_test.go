package srd5e

import (
	"os"
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/sheet"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func fixture(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/monsters.json")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// imported gives the fixture's sheets by id, with the report.
func imported(t testing.TB) (map[string]*eventv1.Sheet, *Report) {
	t.Helper()
	sheets, report, err := Import(fixture(t))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*eventv1.Sheet{}
	for _, s := range sheets {
		out[s.Id] = s
	}
	return out, report
}

// expect compares an imported sheet with one written by hand as YAML.
func expect(t *testing.T, got *eventv1.Sheet, want string) {
	t.Helper()
	w, err := sheet.Parse([]byte(want))
	if err != nil {
		t.Fatal(err)
	}
	w.Side, w.Attribution = "monsters", Attribution
	if !proto.Equal(got, w) {
		text, _ := sheet.Marshal(got)
		should, _ := sheet.Marshal(w)
		t.Errorf("got\n%s\nwant\n%s", text, should)
	}
}

func TestFixture(t *testing.T) {
	sheets, report := imported(t)
	if report.Monsters != len(fixtureSheets) || len(sheets) != len(fixtureSheets) {
		t.Fatalf("%d monsters, %d sheets, want %d", report.Monsters, len(sheets), len(fixtureSheets))
	}
	for id, want := range fixtureSheets {
		t.Run(id, func(t *testing.T) { expect(t, sheets[id], want) })
	}
}

// What has no field is in the report, with the path and the value.
func TestFixtureReport(t *testing.T) {
	_, report := imported(t)
	unused := []Unused{
		{"reed-skirmisher", "alignment", "a sheet has no alignment", "any alignment"},
		{"reed-skirmisher", "subtype", "a sheet has no subtype", "reedfolk"},
		{"reed-skirmisher", "desc", "a sheet has no description", "Reed skirmishers watch the fords."},
		{"reed-skirmisher", "special_abilities[0].name", "a trait that the rules do not decide", "Marsh Step"},
		{"reed-skirmisher", "special_abilities[0].desc", "words of a trait have no field", "The skirmisher ignores difficult terrain made of mud."},
		{"cinder-drake", "senses.blindsight", "words beside the number of feet", "(blind beyond this radius)"},
		{"cinder-drake", "actions[4].dc.success_type", "the text halves the damage on a success, and is used", "none"},
		{"cinder-drake", "legendary_actions[0].desc", "words of a legendary action beyond the fields of a sheet", "The drake sweeps its tail."},
		{"cinder-drake", "special_abilities[1].damage[0].damage_dice", "part of a trait that has no field", "2d6"},
		{"ashen-shade", "damage_vulnerabilities[1]", "not by damage type, or only against what a sheet cannot tell apart", "piercing from magic weapons wielded by good creatures"},
		{"ashen-shade", "damage_resistances[2]", "not by damage type, or only against what a sheet cannot tell apart", "damage from spells"},
		{"ashen-shade", "actions[0].desc", "words of an attack beyond the fields of a sheet", "and the target's Strength score is reduced by 1d4."},
		{"ashen-shade", "forms[0].index", "other forms are sheets of their own", "ashen-shade-mist"},
		{"hedge-witch", "armor_class[1].value", "another armour class, by equipment, spell or condition", "15"},
		{"hedge-witch", "special_abilities[0].spellcasting.spells[1].notes", "how a spell may be cast beyond its slots has no field", "Cast on self before combat"},
		{"hedge-witch", "special_abilities[1].spellcasting.dc", "a second way of casting with another number", "11"},
		{"hedge-witch", "special_abilities[1].spellcasting.spells[2].name", "a spell given twice", "Fire Bolt"},
		{"hedge-witch", "actions[0].damage[1].from.options[1].damage_type.index", "another damage to choose from", "thunder"},
		{"hill-sentinel", "armor_class[0].value", "another armour class, by equipment, spell or condition", "13"},
		{"hill-sentinel", "armor_class[2].value", "another armour class, by equipment, spell or condition", "11"},
		{"hill-sentinel", "actions[0].action_options.from.options[1].desc", "part of a multiattack that has no field", "Only at range"},
		{"hill-sentinel", "actions[0].action_options.from.options[1].type", "a multiattack does not say in which mode an attack is made", "ranged"},
		{"hill-sentinel", "actions[0].action_options.from.options[2].items[1].action_name", "a multiattack with what is neither attack nor power", "Innate Spellcasting"},
		{"gloom-spinner", "actions[4].damage[1].damage_dice", "damage that the text does not deal with the hit", "2d6"},
		{"many-headed-eel", "actions[2].damage[0].damage_dice", "damage that the text does not deal at once", "4d6"},
		{"swarm-of-moths", "actions[2].attack_bonus", "part of a power that has no field", "0"},
		{"pond-frog", "favourite_food", "not known to the importer", "flies"},
	}
	for _, u := range unused {
		if !slices.Contains(report.Unused, u) {
			t.Errorf("not in the report: %v", u)
		}
	}
	notes := []Unused{
		{"cinder-drake", "legendary_actions", "how many there are between two turns no record says; the SRD has three", "3"},
		{"hedge-witch", "actions[0].damage[1].from.options[0]", "the first of the damages to choose from is used", "1d6 lightning"},
		{"many-headed-eel", "actions[0].actions[0].count", "one attack for each head that the creature starts with", "4"},
		{"swarm-of-moths", "actions[1].desc", "reach 0 is written as 5", "reach 0 feet"},
		{"swarm-of-moths", "actions[0].actions[0].count", "a rolled number of attacks becomes one way for each number", "1d3"},
		{"gloom-spinner", "actions[1]", "damage that only the text has", "2d8 poison"},
		{"cinder-drake", "special_abilities[0].usage", "so many a day is read as so many a long rest", "3"},
	}
	for _, n := range notes {
		if !slices.Contains(report.Notes, n) {
			t.Errorf("not in the notes: %v", n)
		}
	}
}

func TestOrderAndSingleRecord(t *testing.T) {
	sheets, _, err := Import(fixture(t))
	if err != nil || sheets[0].Id != "reed-skirmisher" || sheets[len(sheets)-1].Id != "pond-frog" {
		t.Fatalf("order lost: %v", err)
	}
	one := `{"index":"newt","name":"Newt","size":"Tiny","type":"beast","armor_class":[{"type":"dex","value":11}],"hit_points":1,"hit_dice":"1d4",
	"speed":{"walk":"20 ft."},"strength":1,"dexterity":13,"constitution":8,"intelligence":1,"wisdom":8,"charisma":3,"challenge_rating":0,"proficiency_bonus":2}`
	got, report, err := Import([]byte(one))
	if err != nil || len(got) != 1 || got[0].Id != "newt" || report.Monsters != 1 {
		t.Fatalf("got %v, %v", got, err)
	}
	if none, report, err := Import([]byte(`[]`)); err != nil || len(none) != 0 || report.Monsters != 0 {
		t.Fatalf("got %v, %v", none, err)
	}
}

func TestImportIsTheSameEveryTime(t *testing.T) {
	data := fixture(t)
	a, ra, _ := Import(data)
	b, rb, _ := Import(data)
	for i := range a {
		if !proto.Equal(a[i], b[i]) {
			t.Errorf("%s differs", a[i].Id)
		}
	}
	if !slices.Equal(ra.Unused, rb.Unused) || !slices.Equal(ra.Notes, rb.Notes) || ra.Summary() != rb.Summary() {
		t.Error("the reports differ")
	}
}
