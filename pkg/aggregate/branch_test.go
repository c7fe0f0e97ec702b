package aggregate_test

import (
	"bytes"
	"crypto/rand"
	"errors"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/branch"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/journal/memjournal"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// A branch of a patient or a fight is written in parts and read again; who stops in
// between has changed nothing in the amendment and leaves parts of another name than the
// next try's; of the same id the one kind finds nothing of the other's.
func TestBranch(t *testing.T) {
	log := aggregate.Over(memjournal.New(memjournal.Options{}), 3)
	patient := aggregate.Name{Table: "t", Kind: aggregate.Patient, ID: "e"}
	for _, n := range []aggregate.Name{fight, patient} {
		am := &eventv1.Amended{Base: 2}
		for i := range 6 {
			am.Commands = append(am.Commands, &eventv1.Redecided{Origin: uint64(i) + 3, Command: bytes.Repeat([]byte{byte(i)}, 50)})
		}
		whole := proto.CloneOf(am)
		died := errors.New("died")
		how := aggregate.Branched{Inline: 100, Random: rand.Reader}
		how.Before = func(written, parts int) error {
			if parts != 3 {
				t.Errorf("%d parts", parts)
			}
			if written == 2 {
				return died
			}
			return nil
		}
		if err := log.Branch(t.Context(), n, am, how); !errors.Is(err, died) || !proto.Equal(am, whole) {
			t.Errorf("%v, %v", err, am)
		}
		how.Before = nil
		if err := log.Branch(t.Context(), n, am, how); err != nil || am.Parts != 3 || am.Count != 6 || len(am.Commands) > 0 || am.Branch == "" {
			t.Fatalf("%v, %v", err, am)
		}
		read := func(n aggregate.Name) error {
			e := event.New(event.GM(), proto.CloneOf(am))
			err := branch.Fill([]*eventv1.Event{e}, branch.Once(func(name string, fn func([]byte) error) error { return log.Parts(t.Context(), n, name, fn) }))
			if err == nil && !proto.Equal(e.GetAmended().Commands[5], whole.Commands[5]) {
				t.Errorf("%s: read is %v", n, e)
			}
			return err
		}
		if err := read(n); err != nil {
			t.Error(err)
		}
		other := patient
		if n == patient {
			other = fight
		}
		if err := read(other); !errors.Is(err, event.ErrBroken) {
			t.Errorf("of %s as of %s: %v", n, other, err)
		}
	}
	for _, bad := range []aggregate.Name{{Table: "t", Kind: aggregate.Dice, ID: "e"}, {Table: "t", Kind: aggregate.Patient, ID: "e.e"}} {
		if err := log.Parts(t.Context(), bad, "b", func([]byte) error { return nil }); !errors.Is(err, event.ErrBroken) {
			t.Errorf("%s: %v", bad, err)
		}
	}
	own := errors.New("own")
	if err := log.Parts(t.Context(), fight, "b", func([]byte) error { return own }); err != nil {
		t.Errorf("a branch that there is not: %v", err)
	}
}
