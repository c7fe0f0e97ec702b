package journal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// JetStream error codes that decide what an attempt's failure means. Texts are
// never parsed to tell a lost race: 10164 carries no number.
const (
	CodeWrongLastSequence  = 10071 // guard failed
	CodeRaceInFlight       = 10164 // guard failed, or another append to the subject is in flight (replicated streams)
	CodeDuplicateInFlight  = 10158 // the same id is being stored (replicated streams)
	CodeDuplicateInBatch   = 10201 // an id of the batch is known already
	CodeStoreFailed        = 10077 // full, or the store can not be written
	CodeTooLarge           = 10054 // over max_msg_size
	CodeDuplicate          = -1    // acknowledged with "duplicate": the id was stored earlier, here or elsewhere
	codeInsufficient       = 10023
	codeAccountExceeded    = 10002
	codeMemoryExceeded     = 10028
	codeStorageExceeded    = 10047
	codeBatchIncomplete    = 10176
	statusTooManyRequests  = 429
	statusUnavailable      = 503
	defaultAttempts        = 20
	defaultAttemptWait     = 3 * time.Second
	defaultAppendWait      = 10 * time.Second
	firstPause, longestGap = 8 * time.Millisecond, time.Second
)

// noSpace is in the text of a refusal, or of a line of the server's log, that
// stands for a full disk; it is the system's own wording of ENOSPC.
const noSpace = "no space left on device"

// Appender turns a Backend's single attempts into appends with a known outcome:
// it retries under the same guard, so that at most one copy can ever land, and
// reads back whenever an answer leaves the outcome open.
type Appender struct {
	backend  Backend
	attempts int           // bounded: an outage is an error, never a stall
	wait     time.Duration // for one attempt's acknowledgement
	all      time.Duration // for all attempts, and what is read back between them
	gate     Gate
}

// NewAppender returns an Appender over b with the usual bounds: 20 attempts, 3 s
// each and 10 s together, with jittered pauses of up to 1 s between them.
func NewAppender(b Backend) *Appender {
	return &Appender{backend: b, attempts: defaultAttempts, wait: defaultAttemptWait, all: defaultAppendWait, gate: alwaysOpen{}}
}

// Within bounds an append as a whole, and returns the Appender. Set it before use.
func (a *Appender) Within(d time.Duration) *Appender {
	a.all = orDefault(d, defaultAppendWait)
	return a
}

// Behind puts a gate in front of every append, and returns the Appender: while it
// is closed an append ends with the gate's reason, at once when nothing of it was
// sent, and with ErrUnknownOutcome soon after it closes when something was. Set it
// before use.
func (a *Appender) Behind(g Gate) *Appender {
	if g != nil {
		a.gate = g
	}
	return a
}

// Append is Log.Append.
func (a *Appender) Append(ctx context.Context, m Message) (uint64, error) {
	seqs, err := a.store(ctx, []Message{m})
	if err != nil {
		return 0, err
	}
	return seqs[0], nil
}

// AppendAtomic is Log.AppendAtomic.
func (a *Appender) AppendAtomic(ctx context.Context, ms []Message) ([]uint64, error) {
	if len(ms) == 0 {
		return nil, fmt.Errorf("%w: empty batch", ErrInvalid)
	}
	subjects, ids := map[string]bool{}, map[string]bool{}
	for _, m := range ms {
		if subjects[m.Subject] || ids[m.ID] {
			return nil, fmt.Errorf("%w: batch repeats subject %q or id %q", ErrInvalid, m.Subject, m.ID)
		}
		subjects[m.Subject], ids[m.ID] = true, true
	}
	return a.store(ctx, ms)
}

func (a *Appender) store(ctx context.Context, ms []Message) ([]uint64, error) {
	for _, m := range ms {
		if err := a.check(m); err != nil {
			return nil, err
		}
	}
	tooLong := fmt.Errorf("%w: not settled within %s", ErrUnavailable, a.all)
	all, cancel := context.WithTimeoutCause(ctx, a.all, tooLong)
	defer cancel()
	seqs, err := a.settle(all, ms)
	if all.Err() != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		// The bound is ours: the caller's own deadline has not passed.
		if errors.Is(err, ErrUnknownOutcome) {
			return nil, errors.Join(ErrUnknownOutcome, tooLong)
		}
		return nil, tooLong
	}
	return seqs, err
}

// settle makes attempts until the outcome is known, ctx ends or the gate closes.
func (a *Appender) settle(ctx context.Context, ms []Message) ([]uint64, error) {
	// doubt: some attempt may have been stored, or may be still on its way.
	doubt := false
	var failure error
	for try := range a.attempts {
		if try > 0 {
			if err := pause(ctx, try); err != nil {
				failure = err
				break
			}
		}
		if err := ctx.Err(); err != nil {
			failure = err
			break
		}
		if gate := a.gate.Appending(); gate.Err() != nil {
			failure = context.Cause(gate)
			break
		}
		last, err := a.attempt(ctx, ms)
		if err == nil {
			return consecutive(last, len(ms)), nil
		}
		v := judge(err, ms)
		if gate := a.gate.Appending(); gate.Err() != nil && v.doubt {
			// Not read back: a store that fails may show what it could not write.
			doubt, failure = true, context.Cause(gate)
			break
		}
		failure = v.failure
		doubt = doubt || v.doubt
		if doubt || v.readBack {
			seqs, lost, err := a.resolve(ctx, ms, v.guardFailed && !doubt)
			switch {
			case err != nil:
				// Unread: even a clean refusal may follow an earlier copy of
				// the same message, sent before this process started.
				doubt = true
			case seqs != nil:
				return seqs, nil
			case lost != nil:
				return nil, lost
			}
		}
		if v.final {
			break
		}
	}
	if doubt {
		return nil, errors.Join(ErrUnknownOutcome, failure)
	}
	return nil, failure
}

func (a *Appender) attempt(ctx context.Context, ms []Message) (uint64, error) {
	open, leave := while(ctx, a.gate.Appending(), appendGrace)
	defer leave()
	once, cancel := context.WithTimeout(open, a.wait)
	defer cancel()
	seq, err := a.backend.Publish(once, ms)
	switch {
	case err == nil || ctx.Err() != nil || once.Err() == nil:
		return seq, err
	case open.Err() != nil:
		return 0, fmt.Errorf("journal: publish: no acknowledgement: %w", context.Cause(open))
	}
	return 0, fmt.Errorf("journal: publish: no acknowledgement within %s", a.wait)
}

// check refuses what the server would refuse, or worse, store.
func (a *Appender) check(m Message) error {
	if err := literal(m.Subject); err != nil {
		return err
	}
	if err := Token(m.ID); err != nil {
		return fmt.Errorf("message id: %w", err)
	}
	if m.Over != "" && (validFilter(m.Over) != nil || !Matches(m.Over, m.Subject)) {
		return fmt.Errorf("%w: guard over %q, which does not hold %q", ErrInvalid, m.Over, m.Subject)
	}
	if size, limit := Size(m), a.backend.MaxMessage(); size > limit {
		return &TooLargeError{Subject: m.Subject, Size: size, Limit: limit}
	}
	return nil
}

// verdict is what a failed attempt means.
type verdict struct {
	failure     error // to return when it stays the last word
	doubt       bool  // the attempt may have been stored
	readBack    bool  // an earlier copy of the message may have been stored
	guardFailed bool  // the server compared the guard and it did not hold
	final       bool  // another attempt can not help
}

func judge(err error, ms []Message) verdict {
	var r *Refused
	switch {
	case errors.Is(err, ErrNotSent):
		return verdict{failure: fmt.Errorf("%w: %w", ErrUnavailable, err)}
	case !errors.As(err, &r):
		return verdict{failure: err, doubt: true}
	}
	switch r.Code {
	case CodeWrongLastSequence:
		return verdict{failure: &ConflictError{ms[0].Subject, ms[0].Expected, 0}, readBack: true, guardFailed: true}
	case CodeRaceInFlight:
		return verdict{failure: &ConflictError{ms[0].Subject, ms[0].Expected, 0}, readBack: true}
	case CodeDuplicateInFlight, CodeDuplicateInBatch:
		return verdict{failure: fmt.Errorf("%w: %w", ErrUnavailable, err), readBack: true}
	case CodeDuplicate:
		return verdict{failure: fmt.Errorf("%w: message id was used before", ErrInvalid), readBack: true, final: true}
	case CodeStoreFailed:
		// One code for "no room" and "can not write"; only the former is
		// known to have stored nothing.
		if strings.HasPrefix(r.Text, "maximum ") {
			return verdict{failure: fmt.Errorf("%w: %w", ErrFull, err), final: true}
		}
		if strings.Contains(r.Text, noSpace) {
			return verdict{failure: fmt.Errorf("%w: %w: %w", ErrFull, ErrUnwritable, err), doubt: true, final: true}
		}
		return verdict{failure: fmt.Errorf("%w: %w", ErrUnwritable, err), doubt: true, final: true}
	case codeInsufficient, codeAccountExceeded, codeMemoryExceeded, codeStorageExceeded:
		return verdict{failure: fmt.Errorf("%w: %w", ErrFull, err), final: true}
	case CodeTooLarge:
		return verdict{failure: tooLarge(ms), final: true}
	case codeBatchIncomplete:
		return verdict{failure: fmt.Errorf("%w: %w", ErrUnavailable, err)}
	}
	if r.Status == statusUnavailable || r.Status == statusTooManyRequests {
		return verdict{failure: fmt.Errorf("%w: %w", ErrUnavailable, err)}
	}
	return verdict{failure: err, final: true}
}

// resolve reads what follows each guard. If the guard held for a copy of ours,
// that copy is exactly the first record of the subject after Expected, whatever
// was appended since; looking at the subject's last record would miss it.
//
// It returns the sequences when the messages are stored, a conflict when another
// record took a place, so that no copy can ever land, and neither when that is
// still open. settled says that no attempt is on its way, so a guard beyond the
// subject's end has lost for good.
func (a *Appender) resolve(ctx context.Context, ms []Message, settled bool) ([]uint64, *ConflictError, error) {
	seqs := make([]uint64, 0, len(ms))
	for _, m := range ms {
		r, ok, err := a.backend.After(ctx, m.Subject, m.Expected)
		if err != nil {
			return nil, nil, err
		}
		if !ok && settled {
			last, _, err := a.backend.Last(ctx, m.Subject)
			if err != nil {
				return nil, nil, err
			}
			if last.Seq < m.Expected {
				return nil, &ConflictError{m.Subject, m.Expected, last.Seq}, nil
			}
		}
		if !ok {
			continue
		}
		if !r.Is(m) {
			return nil, &ConflictError{m.Subject, m.Expected, r.Seq}, nil
		}
		seqs = append(seqs, r.Seq)
	}
	if len(seqs) == len(ms) {
		return seqs, nil, nil
	}
	return nil, nil, nil
}

// consecutive returns the n sequences that end at last: a batch is stored in one piece.
func consecutive(last uint64, n int) []uint64 {
	seqs := make([]uint64, n)
	for i := range seqs {
		seqs[i] = last - uint64(n-1-i)
	}
	return seqs
}

// pause waits before attempt number try: doubling from 8 ms to 1 s, half of it
// random, so that racing writers part.
func pause(ctx context.Context, try int) error {
	d := longestGap
	if try < 8 {
		d = min(firstPause<<(try-1), longestGap)
	}
	t := time.NewTimer(d/2 + rand.N(d/2))
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// tooLarge is for a limit that only the server knew.
func tooLarge(ms []Message) *TooLargeError {
	m := slices.MaxFunc(ms, func(a, b Message) int { return cmp.Compare(Size(a), Size(b)) })
	return &TooLargeError{Subject: m.Subject, Size: Size(m), Limit: Size(m) - 1}
}
