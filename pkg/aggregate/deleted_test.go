package aggregate_test

import (
	"crypto/rand"
	"path/filepath"
	"testing"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/journal/memjournal"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/tombstone"
)

func signers(t *testing.T) *attest.Keys {
	t.Helper()
	k, err := attest.OpenKeys(filepath.Join(t.TempDir(), "heads.key"), attest.DefaultName, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// Between a tombstone and the removal of what it lists a guard on the last record of
// a subject still holds: what is stored then is answered as deleted, whether it
// begins something or goes on with it. By a key that is not believed nothing is.
func TestNothingIsAnsweredAsDoneBehindATombstone(t *testing.T) {
	own := signers(t)
	for name, c := range map[string]struct {
		believe *tombstone.Reader
		gone    bool
	}{
		"signed by a key that is believed": {tombstone.ByKeys(own), true},
		"signed by another":                {tombstone.ByKeys(signers(t)), false},
		"read by its form":                 {tombstone.ByForm(), true},
		"nobody is believed":               {nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			mem := memjournal.New(memjournal.Options{})
			log := aggregate.Over(mem, 3).Believing(c.believe)
			first := seal(t, aggregate.Head{}, "a")
			seqs, err := log.Append(t.Context(), first)
			if err != nil {
				t.Fatal(err)
			}
			d := tombstone.Draft{Removed: tombstone.Of(seqs)}
			d.Table, d.Stream, d.Last = fight.Table, 3, seqs[0]
			ms, err := d.Messages(own.Sign, tombstone.Guards{}, true)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := mem.AppendAtomic(t.Context(), ms); err != nil {
				t.Fatal(err)
			}
			check := func(what string, ms ...journal.Message) {
				t.Helper()
				seqs, err := log.Append(t.Context(), ms...)
				f, _ := fault.As(err)
				if gone := f != nil && f.Reason == projection.ReasonDeleted; gone != c.gone || !gone && err != nil {
					t.Errorf("%s: %v, %v", what, seqs, err)
				}
			}
			next := seal(t, aggregate.Head{}.Then(seqs[0], aggregate.CommitHash(first.Data)), "b")
			check("a command that goes on", next)
			check("the same again", next)
			other := seal(t, aggregate.Head{}, "c")
			other.Subject = "skald.3.t.patient.p"
			begun := seal(t, aggregate.Head{}, "d")
			begun.Subject = "skald.3.t.encounter.f"
			check("a command that begins", begun, other)
			elsewhere := seal(t, aggregate.Head{}, "e")
			elsewhere.Subject = "skald.3.u.encounter.e"
			if _, err := log.Append(t.Context(), elsewhere); err != nil {
				t.Errorf("at another table: %v", err)
			}
		})
	}
}
