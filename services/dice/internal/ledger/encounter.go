package ledger

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/dice/tape"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/recent"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/dice/internal/record"
)

// encounter is the state of one encounter's dice.
type encounter struct {
	name aggregate.Name

	// turn is held by whoever loads, catches up or appends; it comes before mu.
	turn chan struct{}
	// inflight belongs to whoever holds turn.
	inflight *inflight

	mu      sync.Mutex
	head    aggregate.Head
	epochs  map[uint32]*epoch
	tapes   map[record.TapeID]bool // true: on the log; false: in queue
	queue   []*dicev1.RecordEntry  // tapes opened for real and not yet on the log
	queued  bool                   // stands in Ledger.dirty
	closing *branchID              // being revealed: its end may be on the log any moment
	closed  *projection.Closure    // the record is broken: no die is drawn any more
	gone    error                  // what everything answers once the table was deleted
}

// inflight is an append whose outcome is not known yet.
type inflight struct {
	message journal.Message
	record  *dicev1.Record
	queued  int  // how many of the queue's first entries it took along
	unknown bool // an attempt ended without an outcome
}

// branchID names a branch of an epoch.
type branchID struct {
	epoch  uint32
	branch string
}

// epoch is an open epoch.
type epoch struct {
	root    tape.Root
	format  tape.Format
	open    bool // its entropy was never closed: no face that counts is drawn
	entropy []tape.Contribution
	digest  tape.Digest // of entropy
	spent   map[string]bool
	leaves  map[leafID]bool      // given out one by one
	keys    map[string]tape.Key  // by branch, as they are needed
	seeds   map[string]tape.Seed // the same, of epochs whose actions have keys of their own
}

// leafID names the dice of one action on a branch.
type leafID struct {
	branch string
	action uint64
}

func newEncounter(n aggregate.Name) *encounter {
	return &encounter{name: n, turn: make(chan struct{}, 1),
		epochs: map[uint32]*epoch{}, tapes: map[record.TapeID]bool{}}
}

// lock takes the turn.
func (e *encounter) lock(ctx context.Context) error {
	select {
	case e.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (e *encounter) unlock() { <-e.turn }

// rest says that e stays in memory while forgetting it would lose something.
func (e *encounter) rest() recent.Rest {
	select {
	case e.turn <- struct{}{}:
	default:
		return recent.Stay
	}
	defer e.unlock()
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case e.gone != nil:
		return recent.Drop
	case e.inflight != nil || len(e.queue) > 0:
		return recent.Stay
	}
	return recent.Keep
}

// What things take in memory, bytes, measured.
const (
	encounterBytes = 1 << 10
	epochBytes     = 512
	branchBytes    = 192 // a key or an end of a branch
	tapeBytes      = 128
	queuedBytes    = 512
)

// size estimates the memory that the encounter takes, in bytes.
func (e *encounter) size() int64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	n := encounterBytes + tapeBytes*int64(len(e.tapes)) + queuedBytes*int64(len(e.queue))
	// order-free: a sum
	for _, ep := range e.epochs {
		n += epochBytes + branchBytes*int64(len(ep.keys)+len(ep.seeds)+len(ep.spent)+len(ep.leaves))
		for _, c := range ep.entropy {
			n += int64(len(c.Contributor) + len(c.Bytes) + 64)
		}
	}
	return n
}

// fold applies a record of the log; the caller holds e.mu.
func (l *Ledger) fold(e *encounter, r *dicev1.Record, after aggregate.Head) error {
	for _, entry := range r.GetEntries() {
		switch what := entry.GetWhat().(type) {
		case *dicev1.RecordEntry_Epoch:
			if err := l.foldEpoch(e, what.Epoch); err != nil {
				return err
			}
		case *dicev1.RecordEntry_Tape:
			e.tapes[record.IDOf(what.Tape)] = true
		case *dicev1.RecordEntry_Revealed:
			if ep := e.epochs[what.Revealed.GetEpoch()]; ep != nil {
				ep.reveal(what.Revealed.GetBranch(), what.Revealed.GetAction())
			}
		case *dicev1.RecordEntry_Entropy:
			if ep := e.epochs[what.Entropy.GetEpoch()]; ep != nil {
				ep.open, ep.seeds = false, map[string]tape.Seed{}
				if err := ep.mix(Contributions(what.Entropy.GetEntropy())); err != nil {
					return err
				}
			}
		}
	}
	e.head = after
	return nil
}

// foldEpoch unseals an epoch. The first record of an epoch stands.
func (l *Ledger) foldEpoch(e *encounter, r *dicev1.EpochRecord) error {
	if e.epochs[r.GetEpoch()] != nil {
		return nil
	}
	root, err := l.cfg.Keys.Open(r.GetSealedRoot(), record.Scope(e.name))
	if err != nil {
		return err
	}
	ep := &epoch{root: root, format: tape.Format(r.GetFormat()), open: r.GetOpen(),
		spent: map[string]bool{}, leaves: map[leafID]bool{}, keys: map[string]tape.Key{}, seeds: map[string]tape.Seed{}}
	e.epochs[r.GetEpoch()] = ep
	return ep.mix(Contributions(r.GetEntropy()))
}

// mix sets the entropy.
func (ep *epoch) mix(entropy []tape.Contribution) error {
	digest, err := tape.EntropyDigest(entropy)
	if err != nil {
		return fault.Wrap(fault.Internal, "ENTROPY", err, "stored entropy")
	}
	ep.entropy, ep.digest, ep.keys = entropy, digest, map[string]tape.Key{}
	return nil
}

// reveal notes that a branch, or one action's leaf on it, was given out.
func (ep *epoch) reveal(branch string, action uint64) {
	if action > 0 {
		ep.leaves[leafID{branch, action}] = true
		return
	}
	ep.spent[branch] = true
}

// Contributions puts entropy into the order in which it counts.
func Contributions(entropy []*eventv1.Entropy) []tape.Contribution {
	out := make([]tape.Contribution, len(entropy))
	for i, c := range entropy {
		out[i] = tape.Contribution{Contributor: c.GetContributor(), Bytes: c.GetValue()}
	}
	slices.SortFunc(out, func(a, b tape.Contribution) int { return strings.Compare(a.Contributor, b.Contributor) })
	return out
}

// seed derives a branch's seed.
func (e *encounter) seed(ep *epoch, number uint32, branch string) (tape.Seed, error) {
	s, err := tape.BranchOf(ep.format, ep.root, e.name.ID, number, tape.Audience(branch))
	if err != nil {
		return tape.Seed{}, fault.Field("branch", "%q is not everyone, gm or creature/ID", branch)
	}
	return s, nil
}

// tapeKey derives the key of an action's tapes on a branch; the caller holds e.mu.
func (e *encounter) tapeKey(ep *epoch, number uint32, branch string, action uint64) (tape.Key, error) {
	if ep.format != tape.FormatBranch {
		return e.leafKey(ep, number, branch, action)
	}
	if k, ok := ep.keys[branch]; ok {
		return k, nil
	}
	s, err := e.seed(ep, number, branch)
	if err != nil {
		return tape.Key{}, err
	}
	k, err := tape.TapeKey(s, ep.entropy)
	if err != nil {
		return tape.Key{}, fault.Wrap(fault.Internal, "ENTROPY", err, "stored entropy")
	}
	if len(ep.keys) < maxKeys {
		ep.keys[branch] = k
	}
	return k, nil
}

// leafKey derives the key of an action that has one of its own.
func (e *encounter) leafKey(ep *epoch, number uint32, branch string, action uint64) (tape.Key, error) {
	s, ok := ep.seeds[branch]
	if !ok {
		var err error
		if s, err = e.seed(ep, number, branch); err != nil {
			return tape.Key{}, err
		}
		if len(ep.seeds) < maxKeys {
			ep.seeds[branch] = s
		}
	}
	return tape.LeafKeyBy(tape.LeafOf(s, action), ep.digest), nil
}

// refuse says why the dice of an action on a branch are not drawn for real; nil
// when they are. The caller holds e.mu.
func (e *encounter) refuse(ep *epoch, number uint32, branch string, action uint64) error {
	if ep.open {
		return fault.New(fault.Illegal, ReasonOpen, "entropy of epoch %d is not closed: nothing is drawn yet", number)
	}
	if ep.leaves[leafID{branch, action}] {
		return fault.New(fault.Illegal, ReasonSpent, "the dice of action %d on branch %s of epoch %d were opened and are drawn no more", action, branch, number)
	}
	ofCreature := strings.HasPrefix(branch, string(tape.Creature("")))
	if ep.spent[branch] || ofCreature && ep.spent[string(tape.Creatures)] {
		return fault.New(fault.Illegal, ReasonSpent, "branch %s of epoch %d was revealed and draws no more: open a new epoch", branch, number)
	}
	if c := e.closing; c != nil && c.epoch == number && (c.branch == branch || ofCreature && c.branch == string(tape.Creatures)) {
		return fault.New(fault.Unavailable, "BRANCH_CLOSING", "branch %s of epoch %d is being revealed", branch, number)
	}
	return nil
}
