package scrub

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"github.com/skaldrpg/skald/pkg/journal"
)

const (
	batch        = 64 // records asked for at a time, of each replica
	pollPause    = 50 * time.Millisecond
	askWait      = 5 * time.Second  // for one question to the server
	unusedAfter  = 30 * time.Second // after which the server forgets a consumer
	placings     = 60               // consumers made at most until every replica has one
	headerID     = "Nats-Msg-Id"
	skipsAtMost  = 16 // records passed over on one replica, one after the other
	consumerName = "scrub-"
)

// entry is a record as one replica holds it.
type entry struct {
	journal.Record
	sum [32]byte // of everything that must be equal
}

func newEntry(r journal.Record) entry {
	h := sha256.New()
	fmt.Fprintf(h, "%d\x00%s\x00%s\x00", r.Seq, r.Subject, r.ID)
	data := sha256.Sum256(r.Data)
	h.Write(data[:])
	return entry{Record: r, sum: [32]byte(h.Sum(nil))}
}

// reader reads one replica from next up to a sequence.
type reader struct {
	replica  string
	consumer jetstream.Consumer
	next     uint64 // sequence wanted next
	held     []entry
	ended    bool // read to the end, or given up
	skipped  int
}

// head is the first record that was read and not compared; nil at the end.
func (r *reader) head() *entry {
	if len(r.held) == 0 {
		return nil
	}
	return &r.held[0]
}

// errStalled: the replica delivers nothing though there is something.
var errStalled = errors.New("nothing is delivered")

// fill makes sure that there is a head, or that the end was reached.
func (r *reader) fill(ctx context.Context, to uint64, patience time.Duration) error {
	if len(r.held) > 0 || r.ended {
		return nil
	}
	if r.next > to {
		r.ended = true
		return nil
	}
	deadline := time.Now().Add(patience)
	for {
		if err := r.fetch(ctx); err != nil {
			return err
		}
		if len(r.held) > 0 {
			r.next = r.held[len(r.held)-1].Seq + 1
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%w from sequence %d on within %v", errStalled, r.next, patience)
		}
		if err := sleep(ctx, pollPause); err != nil {
			return err
		}
	}
}

// fetch takes what the replica has ready. A server that is gone looks like one
// that has nothing: patience ends both.
func (r *reader) fetch(ctx context.Context) error {
	got, err := r.consumer.FetchNoWait(batch)
	if err != nil {
		return ctx.Err() // not sent: asked again until patience ends
	}
	limit := time.NewTimer(askWait)
	defer limit.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-limit.C:
			return nil
		case m, ok := <-got.Messages():
			if !ok {
				return nil
			}
			meta, err := m.Metadata()
			if err != nil {
				return fmt.Errorf("scrub: delivery without metadata: %w", err)
			}
			if meta.Sequence.Stream < r.next || len(r.held) > 0 && meta.Sequence.Stream <= r.held[len(r.held)-1].Seq {
				return fmt.Errorf("scrub: %s delivers sequence %d after %d", r.replica, meta.Sequence.Stream, r.next-1)
			}
			r.held = append(r.held, newEntry(journal.Record{Subject: m.Subject(), Seq: meta.Sequence.Stream,
				ID: m.Headers().Get(headerID), Data: m.Data(), Time: meta.Timestamp}))
		}
	}
}

// place makes consumers that begin at a sequence until every wanted replica has
// one, and gives up after a number of attempts: what is missing is missing in
// the map. Those that nobody needs are removed.
func (s *Scrubber) place(ctx context.Context, wanted []string, from uint64) (map[string]jetstream.Consumer, error) {
	out := map[string]jetstream.Consumer{}
	var failed error
	for range placings {
		if len(out) == len(wanted) {
			break
		}
		c, leader, err := s.consumer(ctx, from)
		if ctx.Err() != nil {
			s.remove(ctx, out)
			return nil, ctx.Err()
		}
		if err != nil {
			failed = err
			if err := sleep(ctx, pollPause); err != nil {
				s.remove(ctx, out)
				return nil, err
			}
			continue
		}
		if !contains(wanted, leader) || out[leader] != nil {
			s.remove(ctx, map[string]jetstream.Consumer{leader: c})
			continue
		}
		out[leader] = c
	}
	if len(out) == 0 && failed != nil {
		return nil, failed
	}
	return out, nil
}

// consumer makes one and tells on which server it lives.
func (s *Scrubber) consumer(ctx context.Context, from uint64) (jetstream.Consumer, string, error) {
	ctx, cancel := context.WithTimeout(ctx, askWait)
	defer cancel()
	c, err := s.js.CreateConsumer(ctx, s.cfg.Stream, jetstream.ConsumerConfig{
		Name:              consumerName + nuid.Next(),
		DeliverPolicy:     jetstream.DeliverByStartSequencePolicy,
		OptStartSeq:       max(from, 1),
		AckPolicy:         jetstream.AckNonePolicy,
		InactiveThreshold: unusedAfter,
		MemoryStorage:     true,
		Replicas:          1,
	})
	if err != nil {
		return nil, "", fmt.Errorf("scrub: placing a consumer: %w", err)
	}
	info := c.CachedInfo()
	if s.single || info.Cluster == nil {
		return c, alone, nil
	}
	if info.Cluster.Leader == "" { // not elected when it was made
		if info, err = c.Info(ctx); err != nil {
			return nil, "", fmt.Errorf("scrub: where a consumer lives: %w", err)
		}
	}
	return c, info.Cluster.Leader, nil
}

// remove takes consumers away; what cannot be removed the server forgets.
func (s *Scrubber) remove(ctx context.Context, cs map[string]jetstream.Consumer) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), askWait)
	defer cancel()
	for c := range maps.Values(cs) { // order-free: each is removed by itself
		if err := s.js.DeleteConsumer(ctx, s.cfg.Stream, c.CachedInfo().Name); err != nil {
			s.log.DebugContext(ctx, "scrub: consumer left behind", "error", err)
		}
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
