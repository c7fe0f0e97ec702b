package ledger

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	"github.com/skaldrpg/skald/services/dice/internal/record"
)

// decide looks at the state, with e.mu held, and says what to append; nil for
// nothing. It is called again after a lost race.
type decide func() (*dicev1.RecordEntry, error)

// write makes the queued tapes durable and after them what decide says, in one
// record. It returns when both are on the log.
func (l *Ledger) write(ctx context.Context, e *encounter, d decide) error {
	if err := e.lock(ctx); err != nil {
		return err
	}
	defer e.unlock()
	defer func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		if e.inflight == nil { // else the outcome is open, and so is the branch's end
			e.closing = nil
		}
	}()
	_, err := aggregate.Decide(func() (struct{}, error) { return struct{}{}, l.attempt(ctx, e, d) },
		func(*journal.ConflictError) error { return l.catchUpAfterRace(ctx, e) })
	return err
}

// attempt makes one append. After a lost race the decision is to be made anew. The
// caller holds the turn.
func (l *Ledger) attempt(ctx context.Context, e *encounter, d decide) error {
	if err := e.broken(); err != nil {
		return err
	}
	if e.inflight != nil { // of an earlier call that never learned its outcome
		if err := l.settle(ctx, e); err != nil {
			return err
		}
	}
	if err := l.prepare(e, d); err != nil || e.inflight == nil {
		return err
	}
	if err := l.compare(ctx, e); err != nil {
		e.inflight = nil // nothing of it was sent
		return err
	}
	return l.settle(ctx, e)
}

// prepare makes the message of the next append, if there is anything to append.
func (l *Ledger) prepare(e *encounter, d decide) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	var own *dicev1.RecordEntry
	if d != nil {
		var err error
		if own, err = d(); err != nil {
			return err
		}
	}
	entries := make([]*dicev1.RecordEntry, 0, len(e.queue)+1)
	for _, q := range e.queue {
		if !e.tapes[record.IDOf(q.GetTape())] { // another process may have recorded it meanwhile
			entries = append(entries, q)
		}
	}
	if own != nil {
		own.UnixMillis = l.cfg.Clock().UnixMilli()
		entries = append(entries, own)
	}
	if len(entries) == 0 {
		e.queue = nil
		return nil
	}
	subject, err := e.name.Subject(l.cfg.Partition)
	if err != nil {
		return err
	}
	r, data, err := record.Encode(e.head, entries)
	if err != nil {
		return fault.Wrap(fault.Internal, "RECORD", err, "writing a record")
	}
	var id [16]byte
	if _, err := rand.Read(id[:]); err != nil {
		return fault.Wrap(fault.Internal, "RANDOM", err, "no random bytes")
	}
	e.inflight = &inflight{record: r, queued: len(e.queue), message: journal.Message{
		Subject: subject, ID: "dice-" + hex.EncodeToString(id[:]), Data: data, Expected: e.head.Sequence}}
	return nil
}

// settle appends the message in flight and folds it. With an outcome that stays
// unknown it stays in flight: the very same message is appended again before
// any other.
func (l *Ledger) settle(ctx context.Context, e *encounter) error {
	f := e.inflight
	seqs, err := l.log.Append(ctx, f.message)
	switch {
	case err == nil:
		return l.stored(e, seqs[0])
	case fault.Is(err, fault.Conflict):
		e.inflight = nil
	case errors.Is(err, journal.ErrUnknownOutcome), ctx.Err() != nil:
		f.unknown = true
	case !f.unknown: // a refusal now says nothing of an attempt before
		e.inflight = nil
	}
	return err
}

// stored folds the message in flight, which is on the log.
func (l *Ledger) stored(e *encounter, seq uint64) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	f := e.inflight
	e.inflight = nil
	e.queue = e.queue[f.queued:]
	if err := l.fold(e, f.record, e.head.Then(seq, aggregate.PlainHash(f.message.Data))); err != nil {
		return broken(err)
	}
	return nil
}

// catchUpAfterRace is catchUp for a caller that goes on only if it worked.
func (l *Ledger) catchUpAfterRace(ctx context.Context, e *encounter) error {
	e.mu.Lock()
	before := e.head.Version
	e.mu.Unlock()
	if err := l.catchUp(ctx, e); err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.head.Version == before {
		return fault.New(fault.Unavailable, aggregate.StoreUnavailable, "lost a race on %s to a record that can not be read yet", e.name)
	}
	return nil
}
