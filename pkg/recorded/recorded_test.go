package recorded

import (
	"bytes"
	"compress/gzip"
	"testing"

	"google.golang.org/protobuf/proto"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func TestRoundTrip(t *testing.T) {
	want := []Fight{
		{Name: "a/b-1", Commits: [][]byte{{1, 2}, {3}}, States: map[string]*eventv1.State{"gm": {Round: 2}, "player/ann": {Round: 1}}},
		{Name: "c", Commits: [][]byte{{4}}, States: map[string]*eventv1.State{"gm": {}}},
	}
	var b bytes.Buffer
	if err := Encode(&b, want); err != nil {
		t.Fatal(err)
	}
	got, err := Decode(&b)
	if err != nil || len(got) != len(want) {
		t.Fatalf("%v, %v", got, err)
	}
	for i, f := range want {
		if got[i].Name != f.Name || len(got[i].States) != len(f.States) || len(got[i].Commits) != len(f.Commits) {
			t.Errorf("want %v, got %v", f, got[i])
		}
		for n, c := range f.Commits {
			if !bytes.Equal(got[i].Commits[n], c) {
				t.Errorf("%s: commit %d is %v", f.Name, n, got[i].Commits[n])
			}
		}
		for viewer, s := range f.States {
			if !proto.Equal(got[i].States[viewer], s) {
				t.Errorf("%s: %s: %v", f.Name, viewer, got[i].States[viewer])
			}
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	var whole, junk bytes.Buffer
	if err := Encode(&whole, []Fight{{Name: "a", Commits: [][]byte{{1}}}}); err != nil {
		t.Fatal(err)
	}
	zip := gzip.NewWriter(&junk)
	if _, err := zip.Write(bytes.Repeat([]byte("x"), 600)); err != nil {
		t.Fatal(err)
	}
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"empty": nil, "cut": whole.Bytes()[:whole.Len()/2], "no archive": junk.Bytes()} {
		if got, err := Decode(bytes.NewReader(data)); err == nil {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

// A set is of use only while it is whole.
func TestSets(t *testing.T) {
	sets, err := Sets()
	if err != nil || len(sets) == 0 {
		t.Fatalf("sets %v, %v", sets, err)
	}
	for _, set := range sets {
		systems, err := Systems(set)
		if err != nil || len(systems) == 0 {
			t.Fatalf("%s: systems %v, %v", set, systems, err)
		}
		for _, system := range systems {
			fights, err := Load(set, system)
			if err != nil || len(fights) == 0 {
				t.Errorf("%s/%s: %d fights, %v", set, system, len(fights), err)
			}
			for _, f := range fights {
				if len(f.Commits) == 0 || f.States["gm"] == nil || f.States["spectator"] == nil {
					t.Errorf("%s/%s: %s is not whole", set, system, f.Name)
				}
			}
		}
	}
}

// The newest fights of a system are those of the last set that has it, which may be of
// another system's than the last of all.
func TestLatest(t *testing.T) {
	sets, err := Sets()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, set := range sets {
		systems, err := Systems(set)
		if err != nil {
			t.Fatal(err)
		}
		for _, system := range systems {
			want[system] = set
		}
	}
	for system, set := range want { // order-free: each by itself
		in, err := Load(set, system)
		got, latest := Latest(system)
		if err != nil || latest != nil || len(got) != len(in) || !bytes.Equal(got[0].Commits[0], in[0].Commits[0]) {
			t.Errorf("%s: %d fights, %v; those of %s are %d, %v", system, len(got), latest, set, len(in), err)
		}
	}
	if got, err := Latest("no such"); err == nil {
		t.Errorf("a system without fights has %d", len(got))
	}
}
