package allinone_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/pkg/tombstone"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/injury"
)

// With a table go the branches of rulings in its fights and in the records of its patients,
// out of the log and out of the projections, and the tombstone counts them.
func TestBranchesGoWithTheirTable(t *testing.T) {
	dir := t.TempDir()
	s, err := startWith(t, allinone.Config{DataDir: dir, InlineBytes: 1})
	if err != nil {
		t.Fatal(err)
	}
	w := tables{t, s}
	for _, table := range []string{"a", "b"} {
		w.fill(table, true)
		hurt := func(hp int32) *eventv1.Command {
			return &eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "jeera", Reason: "a rock", Vitals: &eventv1.Vitals{Hp: proto.Int32(hp)}}}}
		}
		for i, cmd := range []*eventv1.Command{creation(table, "ford"),
			{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: &eventv1.Sheet{Patient: "jeera", Side: "party"}}}}, hurt(3),
			{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}},
			{What: &eventv1.Command_Amend{Amend: &eventv1.AmendCommand{Version: 3, Command: hurt(4), Reason: "a pebble"}}}} {
			if err := w.do(table, "ford", string(rune('a'+i)), cmd); err != nil {
				t.Fatalf("command %d: %v", i, err)
			}
		}
	}
	count := func(table, kind string) (n int) {
		for _, subject := range rest(t, s, table) {
			if strings.Contains(subject, "."+kind+".@branch.") {
				n++
			}
		}
		return n
	}
	fights, records := count("a", "encounter"), count("a", "patient")
	if fights == 0 || records == 0 {
		t.Fatalf("%d parts in fights, %d in records", fights, records)
	}
	done, err := w.delete("a")
	if err != nil {
		t.Fatal(err)
	}
	keys, err := verifier(t, dir).Keys()
	if err != nil {
		t.Fatal(err)
	}
	said, err := tombstone.Open(done.Tombstone, keys)
	if err != nil {
		t.Fatal(err)
	}
	counted := uint64(0)
	for _, c := range said.Counts {
		if c.Kind == "branch" {
			counted += c.Records
		}
	}
	if counted != uint64(fights+records) { //nolint:gosec // few
		t.Errorf("the tombstone counts %d parts of %d", counted, fights+records)
	}
	if n := count("a", "encounter") + count("a", "patient"); n > 0 || count("b", "patient") == 0 {
		t.Errorf("%d parts are left in the log", n)
	}
	w.gone("a")
	same(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := bolt.Open(injury.File(filepath.Join(dir, "projections")), 0o600, &bolt.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close() //nolint:errcheck // read only
	kept := 0
	err = db.View(func(tx *bolt.Tx) error {
		for _, name := range []string{"branches", "own_branches"} {
			err := tx.Bucket([]byte(name)).ForEach(func(k, _ []byte) error {
				if kept++; bytes.HasPrefix(k, []byte("a\x00")) {
					t.Errorf("left in %s: %q", name, k)
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil || kept == 0 {
		t.Errorf("%d parts are kept, %v", kept, err)
	}
}
