package packing_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/skaldrpg/skald/pkg/content/pack"
	"github.com/skaldrpg/skald/pkg/content/srd5e/packing"
)

var update = flag.Bool("update", false, "write the expected files anew")

func input(t *testing.T) (in packing.Input) {
	t.Helper()
	for name, into := range map[string]*[]byte{"equipment": &in.Equipment, "conditions": &in.Conditions, "spells": &in.Spells} {
		data, err := os.ReadFile(filepath.Join("testdata", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		*into = data
	}
	return in
}

// A few records of each sort make the files under testdata/want, which were
// compared with the records by hand.
func TestMake(t *testing.T) {
	files, err := packing.Make(input(t))
	if err != nil {
		t.Fatal(err)
	}
	folder := fstest.MapFS{}
	for name, data := range files {
		folder[name] = &fstest.MapFile{Data: data}
		path := filepath.Join("testdata", "want", name)
		if *update {
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(data, want) {
			t.Errorf("%s is\n%s", name, data)
		}
	}
	if _, problems := pack.Read(folder); problems != nil {
		t.Error(problems)
	}
	again, err := packing.Make(input(t))
	if err != nil {
		t.Fatal(err)
	}
	for name := range files {
		if !bytes.Equal(files[name], again[name]) {
			t.Errorf("%s comes out otherwise a second time", name)
		}
	}
}

// Every record is in the pack, or in the report by its name.
func TestNothingIsLeftOutInSilence(t *testing.T) {
	files, err := packing.Make(input(t))
	if err != nil {
		t.Fatal(err)
	}
	all := slices.Concat(files["weapons.yaml"], files["armour.yaml"], files["conditions.yaml"], files["spells.yaml"], files["REPORT.md"])
	for _, name := range []string{"Longsword", "Lance", "Net", "Longbow", "Trident", "Chain Mail", "Half Plate Armor", "Shield", "Adventuring Gear",
		"Blinded", "Exhaustion", "Fireball", "Cure Wounds", "Sacred Flame", "Disintegrate", "Thunderwave", "Alarm", "Sunbeam", "Heal"} {
		if !strings.Contains(string(all), name) {
			t.Errorf("%s is nowhere", name)
		}
	}
}

func TestMakeRefusesWhatIsNoRecord(t *testing.T) {
	in := input(t)
	in.Spells = []byte("{")
	if _, err := packing.Make(in); err == nil || !strings.Contains(err.Error(), "spells") {
		t.Errorf("got %v", err)
	}
}
