package ledger

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/dice/tape"
	"github.com/skaldrpg/skald/pkg/fault"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/dice/internal/record"
)

// Opening says how an epoch is opened, or its entropy closed.
type Opening struct {
	// Epoch number.
	Epoch uint32
	// Branches whose commitments are wanted.
	Branches []string
	// Entropy of players.
	Entropy []*eventv1.Entropy
	// Format of a new epoch's keys.
	Format tape.Format
	// Open leaves the entropy of a new epoch open; Close closes it.
	Open, Close bool
}

// OpenEpoch makes the root of an epoch, or finds that it is there with the same
// entropy, closes its entropy if that is asked for, and returns the commitments of
// the branches.
//
// Entropy that was left open and is closed more than once only grows: a caller
// that closed it may have lost its race against one more contribution, and what
// was drawn in between nobody was shown.
func (l *Ledger) OpenEpoch(ctx context.Context, n aggregate.Name, o Opening) ([]*eventv1.Commitment, error) {
	number, branches := o.Epoch, o.Branches
	e, release, err := l.acquire(ctx, n)
	if err != nil {
		return nil, err
	}
	defer release()
	if err := l.write(ctx, e, func() (*dicev1.RecordEntry, error) { return l.decideEpoch(e, o) }); err != nil {
		return nil, err
	}
	if o.Close { // what was made first is there now
		if err := l.write(ctx, e, func() (*dicev1.RecordEntry, error) { return l.decideClose(e, o) }); err != nil {
			return nil, err
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	out := make([]*eventv1.Commitment, len(branches))
	for i, b := range branches {
		seed, err := e.seed(e.epochs[number], number, b)
		if err != nil {
			return nil, err
		}
		c := tape.CommitmentOf(e.epochs[number].format, tape.Audience(b), seed)
		out[i] = &eventv1.Commitment{Branch: b, Commitment: c[:]}
	}
	return out, nil
}

func (l *Ledger) decideEpoch(e *encounter, o Opening) (*dicev1.RecordEntry, error) {
	number, entropy := o.Epoch, o.Entropy
	if ep := e.epochs[number]; ep != nil {
		if !o.Open && !o.Close && ep.format == tape.FormatBranch && !sameEntropy(ep.entropy, Contributions(entropy)) {
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
		Epoch: number, KeyId: id, SealedRoot: sealed, Entropy: entropy, Format: uint32(o.Format), Open: o.Open}}}, nil
}

// decideClose closes the entropy of an epoch with what is given.
func (l *Ledger) decideClose(e *encounter, o Opening) (*dicev1.RecordEntry, error) {
	ep := e.epochs[o.Epoch]
	if ep == nil {
		return nil, noEpoch(o.Epoch)
	}
	given, grown := Contributions(o.Entropy), ep.open
	for _, c := range given {
		was, ok := slices.BinarySearchFunc(ep.entropy, c.Contributor, func(had tape.Contribution, who string) int { return strings.Compare(had.Contributor, who) })
		if ok && !bytes.Equal(ep.entropy[was].Bytes, c.Bytes) {
			return nil, fault.New(fault.Illegal, ReasonEntropy, "what %q gave to epoch %d is fixed", c.Contributor, o.Epoch)
		}
		grown = grown || !ok
	}
	if !grown {
		return nil, nil
	}
	all := slices.Clone(o.Entropy)
	for _, had := range ep.entropy {
		if !slices.ContainsFunc(given, func(c tape.Contribution) bool { return c.Contributor == had.Contributor }) {
			all = append(all, &eventv1.Entropy{Contributor: had.Contributor, Value: had.Bytes})
		}
	}
	return &dicev1.RecordEntry{What: &dicev1.RecordEntry_Entropy{Entropy: &dicev1.EntropyFixed{Epoch: o.Epoch, Entropy: all}}}, nil
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
	known := e.epochs[d.id.Epoch] != nil && !e.epochs[d.id.Epoch].open
	e.mu.Unlock()
	if !known { // perhaps another process opened it, or closed its entropy
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
	d.key, err = e.tapeKey(ep, d.id.Epoch, d.id.Branch, d.id.Action)
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
	return d.enc.refuse(ep, d.id.Epoch, d.id.Branch, d.id.Action)
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

// RevealLeaf gives out the dice of one action on a branch for good: the leaf, its
// path in the branch's tree, and the hash of the branch's seed.
func (l *Ledger) RevealLeaf(ctx context.Context, n aggregate.Name, number uint32, branch string, action uint64) (tape.Leaf, []tape.Digest, tape.Digest, error) {
	none := func(err error) (tape.Leaf, []tape.Digest, tape.Digest, error) {
		return tape.Leaf{}, nil, tape.Digest{}, err
	}
	e, release, err := l.acquire(ctx, n)
	if err != nil {
		return none(err)
	}
	defer release()
	if err := l.refresh(ctx, e); err != nil {
		return none(err)
	}
	if err := l.write(ctx, e, func() (*dicev1.RecordEntry, error) { return decideLeaf(e, number, leafID{branch, action}) }); err != nil {
		return none(err)
	}
	e.mu.Lock()
	seed, err := e.seed(e.epochs[number], number, branch)
	e.mu.Unlock()
	if err != nil {
		return none(err)
	}
	path, err := tape.PathOf(seed, action)
	if err != nil {
		return none(err)
	}
	return tape.LeafOf(seed, action), path, tape.SeedHash(seed), nil
}

// decideLeaf notes that a leaf is given out, unless that is on record.
func decideLeaf(e *encounter, number uint32, id leafID) (*dicev1.RecordEntry, error) {
	ep := e.epochs[number]
	switch {
	case ep == nil:
		return nil, noEpoch(number)
	case ep.format == tape.FormatBranch:
		return nil, fault.New(fault.Illegal, ReasonWhole, "epoch %d is of before rolls could be opened one by one: its branches are opened as a whole", number)
	case id.action < 1 || id.action > tape.Leaves:
		return nil, fault.New(fault.Illegal, ReasonWhole, "the first %d actions on a branch can be opened one by one; action %d is opened with the branch", tape.Leaves, id.action)
	case ep.open:
		return nil, fault.New(fault.Illegal, ReasonOpen, "entropy of epoch %d is not closed: nothing was drawn", number)
	case ep.leaves[id]:
		return nil, nil
	}
	if _, err := e.seed(ep, number, id.branch); err != nil {
		return nil, err
	}
	return &dicev1.RecordEntry{What: &dicev1.RecordEntry_Revealed{
		Revealed: &dicev1.BranchRevealed{Epoch: number, Branch: id.branch, Action: id.action}}}, nil
}

// Format is the layout of an epoch's keys; ok is false when it is not open.
func (l *Ledger) Format(ctx context.Context, n aggregate.Name, number uint32) (f tape.Format, ok bool, err error) {
	e, release, err := l.acquire(ctx, n)
	if err != nil {
		return 0, false, err
	}
	defer release()
	e.mu.Lock()
	defer e.mu.Unlock()
	ep := e.epochs[number]
	if ep == nil {
		return 0, false, nil
	}
	return ep.format, true, nil
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
