package journal

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

const (
	defaultBatch = 512
	// batchBytes ends a batch early, so that large records do not pile up.
	batchBytes = 4 << 20
	// gather is how long a batch waits for records known to be coming.
	gather = 5 * time.Millisecond
	// patience bounds consecutive failures that only a transient state of a
	// cluster (an election, a replica catching up) could explain.
	patience = 12
	// readWait bounds how long a Read goes without getting anything.
	readWait = 10 * time.Second
)

// Read is Log.Read.
func (j *Journal) Read(ctx context.Context, filter string, from, to uint64, fn func(Record) error) error {
	last, err := j.LastSeq(ctx)
	if err != nil {
		return err
	}
	if to == 0 || to > last {
		to = last
	}
	from = max(from, 1)
	if from > to {
		return nil
	}
	f := follower{j: j, filter: filter, next: from, batch: defaultBatch, attempts: patience, ends: true}
	f.emit = func(ctx context.Context, b Batch) (bool, error) {
		for _, r := range b.Records {
			if r.Seq > to {
				return true, nil
			}
			if err := ctx.Err(); err != nil {
				return true, err
			}
			if err := fn(r); err != nil {
				return true, err
			}
		}
		// Behind the last record that the leader could give there is nothing to wait
		// for, whatever the server counts as pending: a record that it lost counts.
		return b.CaughtUp || f.next > min(to, f.target), nil
	}
	return f.run(ctx)
}

// Tail is Log.Tail.
func (j *Journal) Tail(ctx context.Context, cfg TailConfig, h Handler) error {
	f := follower{j: j, filter: cfg.Filter, next: max(cfg.FromSeq, 1), batch: cfg.MaxBatch}
	if f.batch <= 0 {
		f.batch = defaultBatch
	}
	f.emit = func(ctx context.Context, b Batch) (bool, error) { return false, h(ctx, b) }
	return f.run(ctx)
}

// follower is an ordered consumer (ADR-17): an ephemeral, unacknowledged consumer
// that is thrown away and made again from the last good sequence whenever
// anything is odd: a hole in its delivery count, a reconnect, a missed heartbeat.
// nats.go has one too, but it resets without regard to a context and does not
// notice that the stream under it is another one or has lost its end.
type follower struct {
	j        *Journal
	filter   string
	next     uint64 // next stream sequence wanted
	batch    int
	attempts int  // consecutive failures allowed; 0 means no bound
	ends     bool // at what is there now
	emit     func(context.Context, Batch) (done bool, err error)

	failures int // consecutive, of any kind
	progress time.Time
	broken   int // consecutive, of the kind that patience bounds
	records  []Record
	seen     Record // the last one handed over

	last   uint64 // the stream's last sequence, asked of the leader when the session began
	target uint64 // of the last record that matches, asked of the leader after last
}

// final wraps an error that ends the follower.
type final struct{ error }

func (f final) Unwrap() error { return f.error }

func (f *follower) run(ctx context.Context) error {
	if f.filter != "" && f.filter != ">" {
		if err := validFilter(f.filter); err != nil {
			return err
		}
	}
	f.progress = time.Now()
	for {
		err := f.session(ctx)
		var end final
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.As(err, &end):
			return end.error
		}
		f.failures++
		if f.attempts > 0 && (f.failures >= f.attempts || time.Since(f.progress) > readWait) {
			return fmt.Errorf("%w: read: %w", ErrUnavailable, err)
		}
		f.j.log.DebugContext(ctx, "journal: reading again", "stream", f.j.cfg.Stream, "next", f.next, "reason", err)
		if err := pause(ctx, f.failures); err != nil {
			return err
		}
	}
}

// session follows with one consumer until it ends or something is odd.
func (f *follower) session(ctx context.Context) error {
	if err := f.inspect(ctx); err != nil {
		return err
	}
	if f.ends && f.next > f.target { // for nothing no consumer is made
		_, err := f.hand(ctx, f.signal(Batch{}, true))
		return err
	}
	s, err := f.j.subscribe(ctx, f.filter, f.next)
	if err != nil {
		return err
	}
	defer s.close(ctx)
	if f.next > f.target {
		if done, err := f.hand(ctx, f.signal(Batch{}, true)); done || err != nil {
			return err
		}
	}
	for {
		d, err := s.receive(ctx, f.next, f.target)
		if errors.Is(err, errNothing) {
			if done, err := f.fetch(ctx); done || err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		f.failures, f.broken, f.progress = 0, 0, time.Now()
		caughtUp, err := f.fill(ctx, s, d)
		if len(f.records) > 0 {
			if done, err := f.hand(ctx, f.signal(Batch{Records: f.records}, caughtUp)); done || err != nil {
				return err
			}
		}
		if err != nil {
			return err
		}
	}
}

// signal marks a batch that reaches the end: the server has nothing more for our
// consumer, and all that the leader knew of has been handed over. The server alone
// can not tell: the consumer may live on a replica that has not applied yet what
// the leader acknowledged, and then says that nothing is pending.
func (f *follower) signal(b Batch, nothingPending bool) Batch {
	if nothingPending && f.next > f.target {
		b.CaughtUp, b.LastSeq = true, max(f.last, f.next-1)
	}
	return b
}

func (f *follower) hand(ctx context.Context, b Batch) (bool, error) {
	done, err := f.emit(ctx, b)
	if err != nil {
		return true, final{err}
	}
	if n := len(b.Records); n > 0 {
		f.seen = b.Records[n-1]
	}
	return done, nil
}

// inspect checks that the stream is still the one opened and reaches up to where
// we are, and asks its leader where it ends.
func (f *follower) inspect(ctx context.Context) error {
	info, err := f.j.Info(ctx)
	switch {
	case errors.Is(err, ErrNoStream):
	case err != nil:
		return err
	case info.StreamID != f.j.id:
		return final{fmt.Errorf("%w: %s", ErrStreamReplaced, f.j.cfg.Stream)}
	case f.next > info.LastSeq+1:
		// A new leader may not have applied yet what it holds: ask again.
		err = &BehindError{From: f.next, Last: info.LastSeq}
		if info.Replicas == 1 {
			return final{err}
		}
	default:
		match, ok, err := f.j.backend.Last(ctx, orDefault(f.filter, ">"))
		if err != nil {
			return err
		}
		f.last, f.target = info.LastSeq, match.Seq
		if !ok && f.next <= f.last {
			// Also the answer when there are records and the last one is lost.
			f.target = f.last
			if _, ok, err = f.after(ctx); err != nil {
				return err
			}
			if !ok {
				f.target = 0
			}
		}
		return f.unchanged(ctx)
	}
	if f.broken++; f.broken >= patience {
		return final{err}
	}
	return err
}

// unchanged compares what was handed over last with what the stream holds there
// now; a purge may have removed it.
func (f *follower) unchanged(ctx context.Context) error {
	now, ok, err := f.j.At(ctx, f.seen.Seq)
	if err != nil {
		return err
	}
	if ok && !now.Is(Message{Subject: f.seen.Subject, ID: f.seen.ID, Data: f.seen.Data}) {
		return final{fmt.Errorf("%w at sequence %d", ErrRewritten, f.seen.Seq)}
	}
	return nil
}

// fill collects d and what follows it into f.records, verifies that the delivery
// has no hole, and moves f.next. A hole ends the batch and is reported after it.
func (f *follower) fill(ctx context.Context, s *subscription, d delivery) (caughtUp bool, err error) {
	f.records = f.records[:0]
	size := 0
	timer := time.NewTimer(gather)
	defer timer.Stop()
	for {
		if err := s.verify(d, f.next); err != nil {
			return false, err
		}
		f.records = append(f.records, d.Record)
		f.next = d.Seq + 1
		if size += len(d.Data); len(f.records) >= f.batch || size >= batchBytes || d.pending == 0 && len(s.deliveries) == 0 {
			return d.pending == 0, nil
		}
		select {
		case d = <-s.deliveries:
		case <-timer.C:
			return false, nil
		case <-ctx.Done():
			return false, nil
		}
	}
}

// fetch asks the leader for the next record that the consumer ought to have
// delivered, one at a time: a consumer stops for good at a place that its server
// can not read. Records that the leader does not have either are gone: the reader
// goes on without them, and whoever folds sees by the chain what is missing.
func (f *follower) fetch(ctx context.Context) (done bool, err error) {
	rec, ok, err := f.after(ctx)
	if err != nil {
		return false, err
	}
	if !ok {
		f.j.log.ErrorContext(ctx, "journal: records are missing from the log", "stream", f.j.cfg.Stream, "filter", f.filter, "from", f.next, "to", f.target)
		f.next = f.target + 1
		return f.hand(ctx, f.signal(Batch{}, true))
	}
	if rec.Seq > f.next {
		f.j.log.DebugContext(ctx, "journal: read past what was not delivered", "stream", f.j.cfg.Stream, "from", f.next, "to", rec.Seq)
	}
	f.next = rec.Seq + 1
	if done, err := f.hand(ctx, f.signal(Batch{Records: []Record{rec}}, true)); done || err != nil {
		return done, err
	}
	if f.next > f.target {
		return false, errSkipped // a new consumer, behind the place
	}
	return f.fetch(ctx)
}

// errNothing: the consumer delivers nothing though there is something. errSkipped:
// its place was read otherwise.
var (
	errNothing = errors.New("journal: nothing delivered")
	errSkipped = errors.New("journal: read past a place that was not delivered")
)

// after is the first record from next on that the leader can give. A sequence that
// it answers with an error other than not to be there at the moment is passed over.
func (f *follower) after(ctx context.Context) (Record, bool, error) {
	for seq := f.next; seq <= f.target; seq++ {
		rec, ok, err := f.j.backend.After(ctx, orDefault(f.filter, ">"), seq-1)
		var api *jetstream.APIError
		if err == nil {
			return rec, ok, nil
		}
		if !errors.As(err, &api) || api.Code == statusUnavailable {
			return Record{}, false, err
		}
	}
	return Record{}, false, nil
}
