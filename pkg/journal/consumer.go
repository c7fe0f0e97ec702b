package journal

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
)

const (
	prefetch      = 256              // messages asked for ahead
	heartbeat     = 2 * time.Second  // two missed ones end a subscription
	pullExpiry    = 30 * time.Second // of one pull request
	idleCheck     = 10 * time.Second // of silence, then ask the server whether it delivered something
	targetCheck   = time.Second      // of silence before the known end, then ask again where the end is
	consumerUnuse = time.Minute      // after which the server forgets our consumer
)

var errReconnected = errors.New("connection was renewed: deliveries may be lost")

// subscription is one consumer's life.
type subscription struct {
	consumer   jetstream.Consumer
	consume    jetstream.ConsumeContext
	delivered  uint64 // last consumer sequence seen
	deliveries chan delivery
	failed     chan error
	status     chan nats.Status
	done       chan struct{}
	j          *Journal
	filter     string
}

// delivery is a record with its place in the consumer's count.
type delivery struct {
	Record
	place   uint64 // consumer sequence, dense from 1
	pending uint64 // matching messages that follow
	err     error
}

func (j *Journal) subscribe(ctx context.Context, filter string, next uint64) (*subscription, error) {
	s := &subscription{
		j:          j,
		filter:     orDefault(filter, ">"),
		deliveries: make(chan delivery, prefetch),
		failed:     make(chan error, 1),
		done:       make(chan struct{}),
		// Listening before the consumer exists: a renewal in between counts.
		status: j.nc.StatusChanged(nats.CONNECTED, nats.CLOSED),
	}
	var err error
	cfg := jetstream.ConsumerConfig{
		Name:              "tail-" + nuid.Next(),
		DeliverPolicy:     jetstream.DeliverByStartSequencePolicy,
		OptStartSeq:       next,
		AckPolicy:         jetstream.AckNonePolicy,
		FilterSubject:     filter,
		InactiveThreshold: consumerUnuse,
		MemoryStorage:     true,
		Replicas:          1,
	}
	s.consumer, err = reading(ctx, j.cfg.Gate, "create consumer", func(ctx context.Context) (jetstream.Consumer, error) {
		return j.js.CreateConsumer(ctx, j.cfg.Stream, cfg)
	})
	if err != nil {
		j.nc.RemoveStatusListener(s.status)
		return nil, err
	}
	s.consume, err = s.consumer.Consume(s.accept, jetstream.PullMaxMessages(prefetch),
		jetstream.PullExpiry(pullExpiry), jetstream.PullHeartbeat(heartbeat),
		jetstream.ConsumeErrHandler(func(_ jetstream.ConsumeContext, err error) { s.fail(err) }))
	if err != nil {
		s.close(ctx)
		return nil, apiError("consume", err)
	}
	return s, nil
}

// accept runs on the connection's goroutine for the subscription; blocking there
// is what holds the server back from a slow reader.
func (s *subscription) accept(m jetstream.Msg) {
	var d delivery
	if meta, err := m.Metadata(); err != nil {
		d.err = fmt.Errorf("journal: delivery without metadata: %w", err)
	} else {
		d = delivery{place: meta.Sequence.Consumer, pending: meta.NumPending, Record: Record{
			Subject: m.Subject(), Seq: meta.Sequence.Stream, ID: m.Headers().Get(headerID), Data: m.Data(), Time: meta.Timestamp,
		}}
	}
	select {
	case s.deliveries <- d:
	case <-s.done:
	}
}

func (s *subscription) fail(err error) {
	select {
	case s.failed <- err:
	default: // one reason is enough
	}
}

// receive waits for the next delivery, of sequence next at least; there is one up
// to target, unless that was purged meanwhile.
func (s *subscription) receive(ctx context.Context, next, target uint64) (delivery, error) {
	wait := idleCheck
	if next <= target {
		wait = targetCheck
	}
	idle := time.NewTimer(wait)
	defer idle.Stop()
	stored := uint64(0) // what matches and was there at the last look
	for {
		select {
		case d := <-s.deliveries:
			return d, nil
		default:
		}
		select {
		case d := <-s.deliveries:
			return d, nil
		case <-ctx.Done():
			return delivery{}, ctx.Err()
		case err := <-s.failed:
			return delivery{}, err
		case <-s.status:
			return delivery{}, errReconnected
		case <-idle.C:
			if next <= target {
				return delivery{}, fmt.Errorf("%w from %d on, the stream reaches %d", errNothing, next, target)
			}
			info, err := request(ctx, "consumer info", s.consumer.Info)
			if err != nil {
				return delivery{}, err
			}
			if len(s.deliveries) == 0 && info.Delivered.Stream >= next {
				return delivery{}, fmt.Errorf("journal: server delivered up to %d, received below %d", info.Delivered.Stream, next)
			}
			// Nor may the server forget to wake our consumer: what was there a while ago
			// must have come by now.
			if len(s.deliveries) == 0 && stored >= next {
				return delivery{}, fmt.Errorf("journal: the server holds %d and delivers nothing from %d on", stored, next)
			}
			last, _, err := s.j.backend.Last(ctx, s.filter)
			if err != nil {
				return delivery{}, err
			}
			if stored = last.Seq; stored >= next {
				idle.Reset(targetCheck)
			} else {
				idle.Reset(idleCheck)
			}
		}
	}
}

// verify refuses a hole or repetition in what the server sent us.
func (s *subscription) verify(d delivery, next uint64) error {
	if d.err != nil {
		return d.err
	}
	if d.place != s.delivered+1 || d.Seq < next {
		return fmt.Errorf("journal: delivery %d (sequence %d) after delivery %d, wanted sequence %d on", d.place, d.Seq, s.delivered, next)
	}
	s.delivered = d.place
	return nil
}

// close ends the subscription and its goroutines, and removes the consumer if
// that takes no waiting; else the server forgets it by itself.
func (s *subscription) close(ctx context.Context) {
	s.j.nc.RemoveStatusListener(s.status)
	close(s.done)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if s.consume != nil {
		s.consume.Stop()
		select {
		case <-s.consume.Closed():
		case <-ctx.Done():
		}
	}
	if s.j.nc.IsConnected() {
		if err := s.j.js.DeleteConsumer(ctx, s.j.cfg.Stream, s.consumer.CachedInfo().Name); err != nil {
			s.j.log.DebugContext(ctx, "journal: consumer left behind", "error", err)
		}
	}
}
