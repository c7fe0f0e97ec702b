package branch_test

import (
	"bytes"
	"crypto/rand"
	"errors"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/branch"
	"github.com/skaldrpg/skald/pkg/event"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// history is a new history of so many commands.
func history(n int) []*eventv1.Redecided {
	out := make([]*eventv1.Redecided, n)
	for i := range out {
		out[i] = &eventv1.Redecided{Origin: uint64(i) + 5, Command: bytes.Repeat([]byte{byte(i)}, 40)}
	}
	return out
}

// filled fills an amendment in from parts.
func filled(am *eventv1.Amended, parts [][]byte) ([]*eventv1.Redecided, error) {
	ev := event.New(event.GM(), proto.CloneOf(am))
	err := branch.Fill([]*eventv1.Event{ev}, func(_ *eventv1.Amended, i uint32) ([]byte, error) {
		if int(i) < len(parts) {
			return parts[i], nil
		}
		return nil, nil
	})
	return ev.GetAmended().Commands, err
}

// What was written is read again, whole or the first of it; what was changed, left out,
// put in another order or counted otherwise is broken.
func TestBranch(t *testing.T) {
	all := history(10)
	w, err := branch.Write(all, 100, rand.Reader)
	if err != nil || len(w.Parts) < 3 {
		t.Fatalf("%d parts, %v", len(w.Parts), err)
	}
	am := &eventv1.Amended{Branch: "b", Parts: uint32(len(w.Parts)), Count: 10, BranchHash: w.Hash} //nolint:gosec // few
	got, err := filled(am, w.Parts)
	if err != nil || len(got) != len(all) || !proto.Equal(got[9], all[9]) {
		t.Fatalf("read again: %d commands, %v", len(got), err)
	}
	other, err := branch.Write(all, 100, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	flipped := bytes.Clone(w.Parts[1])
	flipped[len(flipped)-1] ^= 1
	for name, parts := range map[string][][]byte{
		"left out": w.Parts[:len(w.Parts)-1], "another order": append([][]byte{w.Parts[1], w.Parts[0]}, w.Parts[2:]...),
		"changed": append([][]byte{w.Parts[0], flipped}, w.Parts[2:]...), "of another branch": append([][]byte{other.Parts[0]}, w.Parts[1:]...),
		"no part": append([][]byte{[]byte("x")}, w.Parts[1:]...),
	} {
		if _, err := filled(am, parts); !errors.Is(err, event.ErrBroken) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, count := range []uint32{0, 11} {
		more := proto.CloneOf(am)
		if more.Count = count; more.Count == am.Count {
			t.Fatal("the same count")
		}
		if _, err := filled(more, w.Parts); !errors.Is(err, event.ErrBroken) {
			t.Errorf("%d commands: %v", count, err)
		}
	}
}

// An amendment whose commands stand in it names no branch beside them: what is decided
// again from it would be told from the one or the other.
func TestCommandsBesideABranch(t *testing.T) {
	am := &eventv1.Amended{Version: 3, Commands: history(2)}
	none := func(*eventv1.Amended, uint32) ([]byte, error) { return nil, nil }
	opened := func() *event.Opened {
		return &event.Opened{Events: []*eventv1.Event{event.New(event.GM(), proto.CloneOf(am))}, Raw: [][]byte{{1}}}
	}
	if c := opened(); branch.Inline(c, none) != nil || c.Raw[0] == nil {
		t.Error("commands of its own are not taken as they are")
	}
	am.Branch = "b"
	if err := branch.Inline(opened(), none); !errors.Is(err, event.ErrBroken) {
		t.Errorf("both are taken: %v", err)
	}
}

// What hands over whole branches is asked once for each, and what fails is asked again.
func TestOnce(t *testing.T) {
	w, err := branch.Write(history(4), 1, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	asked, trouble := 0, errors.New("no log")
	part := branch.Once(func(name string, fn func([]byte) error) error {
		if asked++; asked == 1 {
			return trouble
		}
		shared := []byte(nil) // may be written over afterwards
		for _, data := range w.Parts {
			shared = append(shared[:0], data...)
			if err := fn(shared); err != nil {
				return err
			}
		}
		return nil
	})
	am := &eventv1.Amended{Branch: "b", Parts: 4, Count: 4, BranchHash: w.Hash}
	if _, err := part(am, 0); !errors.Is(err, trouble) {
		t.Errorf("trouble: %v", err)
	}
	for i, want := range w.Parts {
		if data, err := part(am, uint32(i)); err != nil || !bytes.Equal(data, want) { //nolint:gosec // few
			t.Errorf("part %d: %v", i, err)
		}
	}
	if data, err := part(am, 4); data != nil || err != nil || asked != 2 {
		t.Errorf("behind the last: %d bytes, %v, asked %d times", len(data), err, asked)
	}
	if _, err := part(&eventv1.Amended{Branch: "c"}, 0); err != nil || asked != 3 {
		t.Errorf("another branch: %v, asked %d times", err, asked)
	}
	am.Commands = history(4)
	none := func(*eventv1.Amended, uint32) ([]byte, error) { return nil, nil }
	if _, err := branch.First(am, 2, none); !errors.Is(err, event.ErrBroken) {
		t.Errorf("the first of a branch that is gone: %v", err)
	}
}

// An export gives a part again for each Commit that names it: it is taken once.
func TestTake(t *testing.T) {
	parts := map[string][][]byte{}
	for _, data := range []string{"one", "two", "one", "two", "three"} {
		branch.Take(parts, "b", []byte(data))
	}
	branch.Take(parts, "c", []byte("one"))
	if len(parts["b"]) != 3 || string(parts["b"][2]) != "three" || len(parts["c"]) != 1 {
		t.Errorf("taken: %q", parts)
	}
}
