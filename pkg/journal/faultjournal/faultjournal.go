// Package faultjournal makes a journal misbehave on purpose, for tests: beneath
// the retry logic ([Beneath]), where acknowledgements get lost and servers refuse,
// and above it ([Log]), as a service sees it.
//
// It must never be part of a running service.
package faultjournal

import (
	"context"
	"fmt"
	"sync"

	"github.com/skaldrpg/skald/pkg/journal"
)

// Fault is what happens to one attempt.
type Fault int

// The faults.
const (
	None        Fault = iota // nothing happens
	LoseRequest              // never arrives; the sender waits in vain
	LoseAck                  // stored, but the sender waits in vain
	Late                     // the sender gives up; it arrives before the next attempt
	Twice                    // arrives twice, the answer is the second's
	Unreachable              // no responders
	GuardCode                // refused with 10071, not stored
	RaceCode                 // refused with 10164, not stored
	InFlight                 // stored, answered with 10158
	Full                     // refused with 10077, "maximum bytes exceeded"
	Unwritable               // refused with 10077, a write error
)

// Plan chooses the fault of an attempt; they count from 1.
type Plan func(attempt int, ms []journal.Message) Fault

// First applies the faults to the first attempts, in order, and none after.
func First(faults ...Fault) Plan {
	return func(n int, _ []journal.Message) Fault {
		if n <= len(faults) {
			return faults[n-1]
		}
		return None
	}
}

// Always applies one fault to every attempt.
func Always(f Fault) Plan { return func(int, []journal.Message) Fault { return f } }

// Beneath wraps a Backend so that its attempts meet the plan's faults. Use it as
// journal.Config.Wrap or memjournal.Options.Wrap. A lost message is reported at
// once, as a timeout would be: no test has to wait for it.
func Beneath(plan Plan) func(journal.Backend) journal.Backend {
	return func(b journal.Backend) journal.Backend { return &backend{Backend: b, plan: plan} }
}

type backend struct {
	journal.Backend
	plan Plan

	mu   sync.Mutex
	n    int
	late []journal.Message
}

func (b *backend) Publish(ctx context.Context, ms []journal.Message) (uint64, error) {
	b.mu.Lock()
	b.n++
	n, late := b.n, b.late
	b.late = nil
	b.mu.Unlock()
	fault := b.plan(n, ms) // unlocked: a plan may append
	if fault == Late {
		b.mu.Lock()
		b.late = ms
		b.mu.Unlock()
	}
	if late != nil {
		if _, err := b.Backend.Publish(ctx, late); err != nil && ctx.Err() != nil {
			return 0, err
		}
	}
	timeout := fmt.Errorf("faultjournal: acknowledgement lost: %w", context.DeadlineExceeded)
	switch fault {
	case LoseRequest, Late:
		return 0, timeout
	case Unreachable:
		return 0, fmt.Errorf("%w: no responders", journal.ErrNotSent)
	case GuardCode:
		return 0, &journal.Refused{Code: journal.CodeWrongLastSequence, Status: 400, Text: "wrong last sequence: 0"}
	case RaceCode:
		return 0, &journal.Refused{Code: journal.CodeRaceInFlight, Status: 400, Text: "wrong last sequence"}
	case Full:
		return 0, &journal.Refused{Code: journal.CodeStoreFailed, Status: 503, Text: "maximum bytes exceeded"}
	case Unwritable:
		return 0, &journal.Refused{Code: journal.CodeStoreFailed, Status: 503, Text: "write error: no space left on device"}
	}
	seq, err := b.Backend.Publish(ctx, ms)
	if err != nil {
		return seq, err
	}
	switch fault {
	case LoseAck:
		return 0, timeout
	case InFlight:
		return 0, &journal.Refused{Code: journal.CodeDuplicateInFlight, Status: 409, Text: "duplicate message id is in process"}
	case Twice:
		return b.Backend.Publish(ctx, ms)
	}
	return seq, nil
}

// Log wraps a journal.Log. Each hook may be nil, may block (a delay the test
// ends) and may fail.
type Log struct {
	journal.Log
	// Before runs before an append; its error is the append's, nothing is stored.
	Before func(ctx context.Context, ms []journal.Message) error
	// After runs after a successful append; its error hides the success, as
	// journal.ErrUnknownOutcome does.
	After func(ctx context.Context, ms []journal.Message) error
	// Deliver runs before a tail's batch reaches its handler; its error ends the tail.
	Deliver func(ctx context.Context, b journal.Batch) error
}

// Append is journal.Log.Append with faults.
func (l *Log) Append(ctx context.Context, m journal.Message) (uint64, error) {
	ms := []journal.Message{m}
	if err := run(ctx, l.Before, ms); err != nil {
		return 0, err
	}
	seq, err := l.Log.Append(ctx, m)
	if err != nil {
		return 0, err
	}
	return seq, run(ctx, l.After, ms)
}

// AppendAtomic is journal.Log.AppendAtomic with faults.
func (l *Log) AppendAtomic(ctx context.Context, ms []journal.Message) ([]uint64, error) {
	if err := run(ctx, l.Before, ms); err != nil {
		return nil, err
	}
	seqs, err := l.Log.AppendAtomic(ctx, ms)
	if err != nil {
		return nil, err
	}
	return seqs, run(ctx, l.After, ms)
}

// Tail is journal.Log.Tail with faults.
func (l *Log) Tail(ctx context.Context, cfg journal.TailConfig, h journal.Handler) error {
	return l.Log.Tail(ctx, cfg, func(ctx context.Context, b journal.Batch) error {
		if l.Deliver != nil {
			if err := l.Deliver(ctx, b); err != nil {
				return err
			}
		}
		return h(ctx, b)
	})
}

func run(ctx context.Context, hook func(context.Context, []journal.Message) error, ms []journal.Message) error {
	if hook == nil {
		return nil
	}
	return hook(ctx, ms)
}
