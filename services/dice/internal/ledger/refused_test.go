package ledger

import (
	"errors"
	"testing"

	"github.com/skaldrpg/skald/pkg/dice/tape"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/projection"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
)

// While a branch is being revealed its end may be on the log at any moment: it draws
// nothing, nor do the branches that its seed leads to, in that epoch.
func TestWhatARevealInHandHoldsBack(t *testing.T) {
	for _, c := range []struct {
		closing branchID
		epoch   uint32
		branch  string
		held    bool
	}{
		{branchID{1, "everyone"}, 1, "everyone", true},
		{branchID{1, "everyone"}, 2, "everyone", false},
		{branchID{1, "everyone"}, 1, "gm", false},
		{branchID{1, "everyone"}, 1, "creature/orc", false},
		{branchID{1, "creatures"}, 1, "creature/orc", true},
		{branchID{1, "creatures"}, 2, "creature/orc", false},
		{branchID{1, "creatures"}, 1, "everyone", false},
		{branchID{1, "creatures"}, 1, "gm", false},
		{branchID{1, "creature/orc"}, 1, "creature/orc", true},
		{branchID{1, "creature/orc"}, 1, "creature/elf", false},
	} {
		e := newEncounter(key(1))
		ep := &epoch{spent: map[string]bool{}, leaves: map[leafID]bool{}}
		e.closing = &c.closing
		err := e.refuse(ep, c.epoch, c.branch, 1)
		if f, ok := fault.As(err); ok != c.held || ok && (f.Code != fault.Unavailable || f.Reason != "BRANCH_CLOSING") {
			t.Errorf("%v while %v is revealed: %v", c.branch, c.closing, err)
		}
		e.closing = nil
		if err := e.refuse(ep, c.epoch, c.branch, 1); err != nil {
			t.Errorf("%v: %v", c.branch, err)
		}
	}
}

// Actions count from 1: none of another number is opened by itself, and asking for it
// spends nothing.
func TestOnlyActionsAreOpenedOneByOne(t *testing.T) {
	l, _ := newLedger(t, nil)
	if _, err := l.OpenEpoch(t.Context(), key(1), Opening{Epoch: 1, Format: tape.FormatLeaf}); err != nil {
		t.Fatal(err)
	}
	for _, action := range []uint64{0, tape.Leaves + 1} {
		_, _, _, err := l.RevealLeaf(t.Context(), key(1), 1, "everyone", action)
		if f, _ := fault.As(err); f == nil || f.Reason != ReasonWhole {
			t.Errorf("action %d: %v", action, err)
		}
	}
	if err := draw(t.Context(), l, key(1), 1); err != nil {
		t.Errorf("drawn after that: %v", err)
	}
}

// deleted says of each table that it was deleted.
type deleted struct{ empty }

var errDeleted = errors.New("deleted")

func (deleted) DeletedFault(string) error { return errDeleted }

// Dice whose record is broken answer so, until their table is deleted: then they answer
// that, and hold nothing any more.
func TestBrokenDiceOfADeletedTable(t *testing.T) {
	l, _ := newLedger(t, nil)
	e := newEncounter(key(1))
	e.epochs[1] = &epoch{}
	if err := e.broken(); err != nil {
		t.Errorf("sound dice: %v", err)
	}
	e.closed = &projection.Closure{Sequence: 7}
	if err := e.broken(); !fault.Is(err, fault.Broken) {
		t.Errorf("broken dice: %v", err)
	}
	if l.buried(e) {
		t.Error("buried without a tombstone")
	}
	l.cfg.Store = deleted{}
	if !l.buried(e) || !errors.Is(e.broken(), errDeleted) || len(e.epochs) > 0 {
		t.Errorf("of a deleted table: %v, %d epochs", e.broken(), len(e.epochs))
	}
}

// A branch that is given out between a draw's key and its note shows no face more, whether
// its tape was opened before or not; what is no branch is given out to nobody.
func TestGivenOutMeanwhile(t *testing.T) {
	for _, before := range []bool{false, true} {
		for _, real := range []bool{false, true} {
			l, _ := newLedger(t, nil)
			if _, err := l.OpenEpoch(t.Context(), key(1), Opening{Epoch: 1}); err != nil {
				t.Fatal(err)
			}
			of := id(1)
			if before {
				if err := draw(t.Context(), l, key(1), 1); err != nil {
					t.Fatal(err)
				}
			}
			if !real {
				of.Purpose = dicev1.Purpose_PURPOSE_PREVIEW
			}
			d, err := l.Begin(t.Context(), key(1), of)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := l.Reveal(t.Context(), key(1), 1, "nobody"); !fault.Is(err, fault.Invalid) {
				t.Errorf("no branch: %v", err)
			}
			if _, err := l.Reveal(t.Context(), key(1), 1, "everyone"); err != nil {
				t.Fatal(err)
			}
			err = d.Record(t.Context())
			if f, _ := fault.As(err); real && (f == nil || f.Reason != ReasonSpent) || !real && err != nil {
				t.Errorf("opened before %v, for real %v: %v", before, real, err)
			}
			d.Release()
		}
	}
}
