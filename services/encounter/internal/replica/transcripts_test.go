package replica_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/recorded"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

var updateTranscripts = flag.Bool("update-transcripts", false, "write the transcripts of recorded fights that are not yet in the file")

// What viewers of recorded fights were told is what today's build says that they were
// told: their transcripts are those that the build which introduced them worked out,
// and they never change. A new set adds lines.
func TestTranscriptsOfRecordedFights(t *testing.T) {
	const file = "testdata/transcripts.txt"
	was, err := os.ReadFile(file)
	if err != nil && !*updateTranscripts {
		t.Fatal(err)
	}
	var now bytes.Buffer
	sets, err := recorded.Sets()
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range sets {
		systems, err := recorded.Systems(set)
		if err != nil {
			t.Fatal(err)
		}
		for _, system := range systems {
			fights, err := recorded.Load(set, system)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range fights {
				told(t, fmt.Sprint(set, "/", system, "/", f.Name), f, &now)
			}
		}
	}
	if bytes.Equal(was, now.Bytes()) {
		return
	}
	if *updateTranscripts && stands(was, now.Bytes()) {
		if err := os.WriteFile(file, now.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	a, b := bytes.Split(was, []byte("\n")), bytes.Split(now.Bytes(), []byte("\n"))
	for i := range min(len(a), len(b)) {
		if !bytes.Equal(a[i], b[i]) {
			t.Fatalf("line %d: what was told is another:\n%s\n%s", i+1, a[i], b[i])
		}
	}
	t.Errorf("%d lines, the file has %d", len(b), len(a))
}

// stands tells whether each line of a file is still there, in its order.
func stands(was, now []byte) bool {
	left := bytes.SplitAfter(was, []byte("\n"))
	for _, line := range bytes.SplitAfter(now, []byte("\n")) {
		if len(left) > 0 && bytes.Equal(left[0], line) {
			left = left[1:]
		}
	}
	return len(left) == 0
}

// told writes the transcript of each viewer of a fight at its end.
func told(t *testing.T, name string, f recorded.Fight, out *bytes.Buffer) {
	t.Helper()
	r, past := replica.New(), map[uint64]*replica.Replica{0: replica.New()}
	for i, data := range f.Commits {
		c, err := event.Open(data)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Apply(c, uint64(i+1), func(v uint64) (*replica.Replica, error) { return past[v].Clone(), nil }); err != nil {
			t.Fatalf("%s: commit %d: %v", name, i+1, err)
		}
		past[r.Version] = r.Clone()
	}
	keys := make([]string, 0, len(r.Views))
	for key := range r.Views { // order-free: sorted below
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		fmt.Fprintf(out, "%s %s %d %x\n", name, key, len(r.Views[key].Versions), r.Views[key].Transcript)
	}
}
