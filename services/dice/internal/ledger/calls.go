package ledger

import (
	"bytes"
	"context"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/dice/tape"
	"github.com/skaldrpg/skald/pkg/fault"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/dice/internal/record"
)

// OpenEpoch makes the root of an epoch, or finds that it is open with the same
// entropy, and returns the commitments of the branches.
func (l *Ledger) OpenEpoch(ctx context.Context, n aggregate.Name, number uint32, branches []string, entropy []*eventv1.Entropy) ([]*eventv1.Commitment, error) {
	e, release, err := l.acquire(ctx, n)
	if err != nil {
		return nil, err
	}
	defer release()
	if err := l.write(ctx, e, func() (*dicev1.RecordEntry, error) { return l.decideEpoch(e, number, entropy) }); err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	out := make([]*eventv1.Commitment, len(branches))
	for i, b := range branches {
		seed, err := e.seed(e.epochs[number], number, b)
		if err != nil {
			return nil, err
		}
		c := tape.Commitment(seed)
		out[i] = &eventv1.Commitment{Branch: b, Commitment: c[:]}
	}
	return out, nil
}

func (l *Ledger) decideEpoch(e *encounter, number uint32, entropy []*eventv1.Entropy) (*dicev1.RecordEntry, error) {
	if ep := e.epochs[number]; ep != nil {
		if !sameEntropy(ep.entropy, Contributions(entropy)) {
			return nil, fault.New(fault.Illegal, ReasonEntropy, "the entropy of epoch %d is fixed by the call that opened it", number)
		}
		return nil, nil
	}
	root, err := tape.NewRoot(l.cfg.Random)
	if err != nil {
		return nil, fault.Wrap(fault.Internal, "RANDOM", err, "no random bytes")
	}
	id, sealed, err := l.cfg.Keys.Seal(root, record.Scope(e.name), l.cfg.Random)
	if err != nil {
		return nil, fault.Wrap(fault.Internal, "SEAL", err, "sealing a root")
	}
	return &dicev1.RecordEntry{What: &dicev1.RecordEntry_Epoch{Epoch: &dicev1.EpochRecord{
		Epoch: number, KeyId: id, SealedRoot: sealed, Entropy: entropy}}}, nil
}

func sameEntropy(a, b []tape.Contribution) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Contributor != b[i].Contributor || !bytes.Equal(a[i].Bytes, b[i].Bytes) {
			return false
		}
	}
	return true
}

// Draw is the use of a branch's tapes for one roll. Release it.
type Draw struct {
	ledger  *Ledger
	enc     *encounter
	release func()
	id      record.TapeID
	key     tape.Key
}

// Begin checks that the branch may draw for the purpose and returns the use of
// its tapes. Faults: NotFound for an epoch that is not open, Illegal for a
// branch that is spent.
func (l *Ledger) Begin(ctx context.Context, n aggregate.Name, id record.TapeID) (*Draw, error) {
	e, release, err := l.acquire(ctx, n)
	if err != nil {
		return nil, err
	}
	d := &Draw{ledger: l, enc: e, release: release, id: id}
	if err := d.begin(ctx); err != nil {
		release()
		return nil, err
	}
	return d, nil
}

func (d *Draw) begin(ctx context.Context) error {
	e := d.enc
	e.mu.Lock()
	known := e.epochs[d.id.Epoch] != nil
	e.mu.Unlock()
	if !known { // perhaps another process opened it
		if err := d.ledger.refresh(ctx, e); err != nil {
			return err
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	ep := e.epochs[d.id.Epoch]
	if ep == nil {
		return noEpoch(d.id.Epoch)
	}
	if err := d.refuse(ep); err != nil {
		return err
	}
	var err error
	d.key, err = e.tapeKey(ep, d.id.Epoch, d.id.Branch)
	return err
}

func noEpoch(number uint32) error {
	return fault.New(fault.NotFound, ReasonEpoch, "epoch %d of these dice is not open", number)
}

// refuse says why the purpose may not draw; the caller holds the encounter's mu.
// A preview may draw from a spent branch: its faces are never used.
func (d *Draw) refuse(ep *epoch) error {
	if d.id.Purpose == dicev1.Purpose_PURPOSE_PREVIEW {
		return nil
	}
	return d.enc.refuse(ep, d.id.Epoch, d.id.Branch)
}

// Key is the key of the branch's tapes.
func (d *Draw) Key() tape.Key { return d.key }

// Release ends the use.
func (d *Draw) Release() { d.release() }

// Record notes that the tape was opened; only after it may the faces be shown.
// For a preview or a dry run it returns when that is durable; for real the note
// is queued (see the package comment). It refuses when the branch was spent
// meanwhile.
func (d *Draw) Record(ctx context.Context) error {
	if done, err := d.recorded(); done || err != nil {
		return err
	}
	if d.id.Purpose != dicev1.Purpose_PURPOSE_REAL {
		return d.ledger.write(ctx, d.enc, d.decide)
	}
	if err := d.makeRoom(ctx); err != nil {
		return err
	}
	report, err := d.enqueue()
	if report {
		d.ledger.markDirty(d.enc)
	}
	return err
}

// recorded tells whether there is nothing left to record: for real when the
// tape is in the queue, otherwise only when it is on the log.
func (d *Draw) recorded() (bool, error) {
	e := d.enc
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := d.refuse(e.epochs[d.id.Epoch]); err != nil {
		return false, err
	}
	durable, noted := e.tapes[d.id]
	return durable || noted && d.id.Purpose == dicev1.Purpose_PURPOSE_REAL, nil
}

// makeRoom catches up with other processes and appends a queue that is full.
func (d *Draw) makeRoom(ctx context.Context) error {
	if err := d.ledger.refresh(ctx, d.enc); err != nil {
		return err
	}
	d.enc.mu.Lock()
	full := len(d.enc.queue) >= maxQueue
	d.enc.mu.Unlock()
	if full {
		return d.ledger.write(ctx, d.enc, nil)
	}
	return nil
}

func (d *Draw) enqueue() (report bool, err error) {
	e := d.enc
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := d.refuse(e.epochs[d.id.Epoch]); err != nil {
		return false, err
	}
	if _, noted := e.tapes[d.id]; noted {
		return false, nil
	}
	return d.ledger.enqueue(e, d.id), nil
}

func (d *Draw) decide() (*dicev1.RecordEntry, error) {
	if err := d.refuse(d.enc.epochs[d.id.Epoch]); err != nil {
		return nil, err
	}
	if d.enc.tapes[d.id] {
		return nil, nil
	}
	return &dicev1.RecordEntry{What: &dicev1.RecordEntry_Tape{Tape: d.id.Opened()}}, nil
}

// Reveal ends a branch for good and returns its seed.
func (l *Ledger) Reveal(ctx context.Context, n aggregate.Name, number uint32, branch string) (tape.Seed, error) {
	e, release, err := l.acquire(ctx, n)
	if err != nil {
		return tape.Seed{}, err
	}
	defer release()
	if err := l.refresh(ctx, e); err != nil {
		return tape.Seed{}, err
	}
	err = l.write(ctx, e, func() (*dicev1.RecordEntry, error) {
		ep := e.epochs[number]
		if ep == nil {
			return nil, noEpoch(number)
		}
		if _, err := e.seed(ep, number, branch); err != nil || ep.spent[branch] {
			return nil, err
		}
		e.closing = &branchID{number, branch}
		return &dicev1.RecordEntry{What: &dicev1.RecordEntry_Revealed{
			Revealed: &dicev1.BranchRevealed{Epoch: number, Branch: branch}}}, nil
	})
	if err != nil {
		return tape.Seed{}, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.seed(e.epochs[number], number, branch)
}

// Settled appends what the encounter has queued, catches up with the log, and
// returns the sequence of its last record: a projection that has reached it
// tells everything that happened before the call.
func (l *Ledger) Settled(ctx context.Context, n aggregate.Name) (uint64, error) {
	e, release, err := l.acquire(ctx, n)
	if err != nil {
		return 0, err
	}
	defer release()
	if err := l.write(ctx, e, nil); err != nil {
		return 0, err
	}
	if err := l.refresh(ctx, e); err != nil {
		return 0, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.head.Sequence, nil
}
