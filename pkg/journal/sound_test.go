package journal_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/journal"
)

// folder is a store folder that a test damages.
type folder struct {
	t   *testing.T
	dir string
}

// session starts a server on the folder, appends n records and says which were.
// It returns what stops it; copied is a copy of the folder while it runs.
func (f folder) session(n int, witnesses ...journal.Witness) (copied folder, err error) {
	f.t.Helper()
	ctx := f.t.Context()
	e, err := journal.StartEmbedded(ctx, journal.EmbeddedConfig{StoreDir: f.dir, Mend: "skald mend --data D",
		Witnesses: func(context.Context) []journal.Witness { return witnesses }}, quiet)
	if err != nil {
		return folder{}, err
	}
	nc, err := e.Connect("t")
	if err != nil {
		f.t.Fatal(err)
	}
	j, err := journal.Open(ctx, nc, journal.Config{Stream: "SKALD_0", Subjects: []string{journal.PartitionFilter(0)}, Create: true, Log: quiet})
	if err != nil {
		f.t.Fatal(err)
	}
	info, err := j.Info(ctx)
	if err != nil {
		f.t.Fatal(err)
	}
	for i := range uint64(n) {
		seq := info.LastSeq + i + 1
		got, err := j.Append(ctx, journal.Message{Subject: fmt.Sprintf("skald.0.t.encounter.e%d", seq), ID: fmt.Sprint("id", seq), Data: bytes.Repeat([]byte{byte(seq)}, 300)})
		if err != nil || got != seq {
			f.t.Fatal(got, err)
		}
	}
	copied = folder{f.t, filepath.Join(f.t.TempDir(), "journal")}
	if err := os.CopyFS(copied.dir, os.DirFS(f.dir)); err != nil {
		f.t.Fatal(err)
	}
	os.Remove(filepath.Join(copied.dir, "skald.lock")) // bbolt's file was open
	return copied, e.Stop()
}

func (f folder) path(name string) string {
	return filepath.Join(f.dir, "jetstream", "$G", "streams", "SKALD_0", name)
}

func (f folder) change(name string, fn func([]byte) []byte) {
	f.t.Helper()
	data, err := os.ReadFile(name)
	if err == nil {
		err = os.WriteFile(name, fn(data), 0o600)
	}
	if err != nil {
		f.t.Fatal(err)
	}
}

func flip(at int) func([]byte) []byte {
	return func(d []byte) []byte { d[(at+len(d))%len(d)] ^= 1; return d }
}

func cut(by int) func([]byte) []byte { return func(d []byte) []byte { return d[:len(d)-by] } }

// recordBytes is what a record of session takes in its block, but for the digits
// of its sequence.
const block = "msgs/1.blk"

func TestExaminedBeforeItOpens(t *testing.T) {
	knows := func(seq uint64, holds bool) journal.Witness {
		return journal.Witness{Name: "projections/encounter.db", Stream: "SKALD_0", Sequence: seq, Holds: func(journal.Record) bool { return holds }}
	}
	cases := map[string]struct {
		unclean   bool
		damage    func(f folder)
		witnesses []journal.Witness
		refused   string // in the error; empty: it opens
		aside     string // a file there afterwards; empty: nothing was put aside
	}{
		"clean":                        {},
		"clean, witnesses agree":       {witnesses: []journal.Witness{knows(20, true), knows(3, true)}},
		"unclean":                      {unclean: true},
		"a witness knows more":         {witnesses: []journal.Witness{knows(21, true)}, refused: "sequences 21 to 21 are missing"},
		"a witness knows another":      {witnesses: []journal.Witness{knows(7, false)}, refused: "another record at sequence 7"},
		"another stream":               {witnesses: []journal.Witness{{Name: "w", Stream: "SKALD_0", StreamID: "other", Sequence: 3}}, refused: "of id other"},
		"flip in the middle":           {damage: func(f folder) { f.change(f.path(block), flip(1000)) }, refused: "msgs/1.blk at byte"},
		"flip, unclean":                {unclean: true, damage: func(f folder) { f.change(f.path(block), flip(1000)) }, refused: "checksum"},
		"flip in the last, unclean":    {unclean: true, damage: func(f folder) { f.change(f.path(block), flip(-20)) }, refused: "(sequence 20)"},
		"cut within the last, unclean": {unclean: true, damage: func(f folder) { f.change(f.path(block), cut(9)) }, aside: "1.blk"},
		"cut, and somebody knows it": {unclean: true, damage: func(f folder) { f.change(f.path(block), cut(9)) },
			witnesses: []journal.Witness{knows(20, true)}, refused: "sequences 20 to 20 are missing"},
		"cut after a clean stop":   {damage: func(f folder) { f.change(f.path(block), cut(9)) }, refused: "skald.sound"},
		"emptied":                  {damage: func(f folder) { f.change(f.path(block), func([]byte) []byte { return nil }) }, refused: "sequences 1 to 20 are missing"},
		"deleted, unclean":         {unclean: true, damage: func(f folder) { os.Remove(f.path(block)) }, witnesses: []journal.Witness{knows(4, true)}, refused: "sequences 1 to 4 are missing"},
		"meta gone":                {damage: func(f folder) { os.Remove(f.path("meta.inf")) }, refused: "meta.inf"},
		"sum flipped":              {damage: func(f folder) { f.change(f.path("meta.sum"), flip(3)) }, refused: "does not match its checksum"},
		"everything gone":          {damage: func(f folder) { os.RemoveAll(f.dir) }, witnesses: []journal.Witness{knows(4, true)}, refused: "does not hold it"},
		"everything gone, unknown": {damage: func(f folder) { os.RemoveAll(f.dir) }, witnesses: []journal.Witness{{Name: "w", Stream: "SKALD_0"}}, refused: "does not hold it"},
		"index flipped":            {damage: func(f folder) { f.change(f.path("msgs/index.db"), flip(12)) }, aside: "index.db"},
		"index gone":               {damage: func(f folder) { os.Remove(f.path("msgs/index.db")) }},
		"index of nothing":         {damage: func(f folder) { f.change(f.path("msgs/index.db"), func([]byte) []byte { return []byte("x") }) }, aside: "index.db"},
		"mark garbage":             {damage: func(f folder) { f.change(filepath.Join(f.dir, "skald.sound"), flip(12)) }, aside: "skald.sound"},
		"mark gone":                {damage: func(f folder) { os.Remove(filepath.Join(f.dir, "skald.sound")) }, aside: "index.db"},
		"lock garbage": {damage: func(f folder) {
			os.WriteFile(filepath.Join(f.dir, "skald.lock"), bytes.Repeat([]byte("no lock "), 9000), 0o600)
		}},
		"lock empty":        {damage: func(f folder) { os.WriteFile(filepath.Join(f.dir, "skald.lock"), nil, 0o600) }},
		"a purge left over": {damage: func(f folder) { f.newBlocks() }, aside: "__new_msgs__"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := folder{t, filepath.Join(t.TempDir(), "journal")}
			copied, err := f.session(20)
			if err != nil {
				t.Fatal(err)
			}
			if c.unclean {
				f = copied
			}
			if c.damage != nil {
				c.damage(f)
			}
			before := contents(t, f.dir)
			_, err = f.session(0, c.witnesses...)
			if c.refused != "" {
				f.refused(err, c.refused, before)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			f.put(c.aside, before)
			// It goes on, and stops cleanly again.
			if _, err := f.session(3, c.witnesses...); err != nil {
				t.Fatal(err)
			}
			if _, err := f.session(0, c.witnesses...); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// newBlocks are what a broken-off purge leaves: NATS would put them in the place
// of the messages.
func (f folder) newBlocks() {
	dir := f.path("__new_msgs__")
	if err := errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(filepath.Join(dir, "9.blk"), []byte("x"), 0o600)); err != nil {
		f.t.Fatal(err)
	}
}

func (f folder) refused(err error, text string, before map[string]string) {
	f.t.Helper()
	var d *journal.DamageError
	if !errors.As(err, &d) || !strings.Contains(err.Error(), text) || !strings.Contains(err.Error(), "skald mend --data D") {
		f.t.Fatalf("want a refusal with %q and the command, got %v", text, err)
	}
	after := contents(f.t, f.dir)
	for name, data := range before {
		if after[name] != data && name != "skald.lock" {
			f.t.Errorf("%s was changed by a start that refused", name)
		}
	}
}

// put checks what lies aside; nothing that was there is gone.
func (f folder) put(name string, before map[string]string) {
	f.t.Helper()
	aside := contents(f.t, f.dir+".aside")
	if name == "" && len(aside) > 0 {
		f.t.Errorf("put aside: %v", aside)
	}
	held := map[string]bool{}
	found := name == ""
	for path, data := range aside {
		held[data] = true
		found = found || strings.Contains(path, name)
	}
	if !found {
		f.t.Errorf("%s is not aside", name)
	}
	for path, data := range contents(f.t, f.dir) {
		held[data] = true
		_ = path
	}
	for path, data := range before {
		if strings.HasSuffix(path, ".blk") && !held[data] {
			f.t.Errorf("%s as it was is nowhere", path)
		}
	}
}

func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil //nolint:nilerr // a folder that is not there holds nothing
		}
		data, err := os.ReadFile(path)
		out[strings.TrimPrefix(path, dir+"/")] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// An older copy of the whole folder is whole in itself; who knows more objects.
func TestGateKnowsAnOlderCopy(t *testing.T) {
	f := folder{t, filepath.Join(t.TempDir(), "journal")}
	if _, err := f.session(10); err != nil {
		t.Fatal(err)
	}
	old := contents(t, f.dir)
	if _, err := f.session(10); err != nil {
		t.Fatal(err)
	}
	for name, data := range old {
		if strings.HasSuffix(name, ".blk") || strings.HasSuffix(name, "index.db") {
			f.change(filepath.Join(f.dir, name), func([]byte) []byte { return []byte(data) })
		}
	}
	_, err := f.session(0)
	f.refused(err, "sequences 11 to 20 are missing", nil)
}
