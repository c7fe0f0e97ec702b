package journal_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/skaldrpg/skald/pkg/journal"
)

// Every setting that could lose, rewrite, leak or misdirect a record is refused,
// and named.
func TestWeakStream(t *testing.T) {
	_, nc := start(t, journal.EmbeddedConfig{})
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	base := open(t, nc, config())
	info, err := js.Stream(t.Context(), "SKALD_0")
	if err != nil {
		t.Fatal(err)
	}
	good := info.CachedInfo().Config
	for name, c := range map[string]struct {
		weaken func(*jetstream.StreamConfig)
		want   []string
	}{
		"max age":      {func(c *jetstream.StreamConfig) { c.MaxAge = time.Hour }, []string{"max_age"}},
		"max messages": {func(c *jetstream.StreamConfig) { c.MaxMsgs = 10 }, []string{"max_msgs"}},
		"per subject":  {func(c *jetstream.StreamConfig) { c.MaxMsgsPerSubject = 1 }, []string{"max_msgs_per_subject"}},
		"discard old":  {func(c *jetstream.StreamConfig) { c.Discard = jetstream.DiscardOld }, []string{"discard"}},
		"direct get":   {func(c *jetstream.StreamConfig) { c.AllowDirect = true }, []string{"allow_direct"}},
		"rollup":       {func(c *jetstream.StreamConfig) { c.AllowRollup = true }, []string{"allow_rollup_hdrs"}},
		"ttl":          {func(c *jetstream.StreamConfig) { c.AllowMsgTTL = true }, []string{"allow_msg_ttl"}},
		"no batches":   {func(c *jetstream.StreamConfig) { c.AllowAtomicPublish = false }, []string{"allow_atomic"}},
		"no ack":       {func(c *jetstream.StreamConfig) { c.NoAck = true }, []string{"no_ack"}},
		"deletes":      {func(c *jetstream.StreamConfig) { c.DenyDelete = false }, []string{"deny_delete"}},
		"memory":       {func(c *jetstream.StreamConfig) { c.Storage = jetstream.MemoryStorage }, []string{"storage"}},
		"work queue":   {func(c *jetstream.StreamConfig) { c.Retention = jetstream.WorkQueuePolicy }, []string{"retention"}},
		"async": {func(c *jetstream.StreamConfig) {
			c.PersistMode = jetstream.AsyncPersistMode
			c.AllowAtomicPublish = false
		}, []string{"persist_mode", "allow_atomic"}},
		"republish": {func(c *jetstream.StreamConfig) {
			c.RePublish = &jetstream.RePublish{Source: ">", Destination: "leak.>"}
		}, []string{"republish"}},
		"more subjects": {func(c *jetstream.StreamConfig) { c.Subjects = append(slices.Clone(c.Subjects), "else.>") }, []string{"subjects"}},
		"no metadata":   {func(c *jetstream.StreamConfig) { c.Metadata = nil }, []string{"skald.schema", "skald.stream-id"}},
		"other schema": {func(c *jetstream.StreamConfig) {
			c.Metadata = map[string]string{"skald.schema": "2", "skald.stream-id": "x"}
		}, []string{"skald.schema"}},
		"two at once": {func(c *jetstream.StreamConfig) { c.MaxAge = time.Hour; c.AllowDirect = true }, []string{"max_age", "allow_direct"}},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := good
			c.weaken(&cfg)
			dropOthers(t, nc)
			until(t, "create the weak stream", func(ctx context.Context) error {
				_, err := js.CreateStream(ctx, cfg)
				return err
			})
			_, err := journal.Open(t.Context(), nc, config())
			var weak *journal.WeakStreamError
			if !errors.As(err, &weak) {
				t.Fatalf("opened: %v", err)
			}
			var settings []string
			for _, s := range weak.Settings {
				setting, _, _ := strings.Cut(s, " ")
				settings = append(settings, setting)
			}
			slices.Sort(settings)
			slices.Sort(c.want)
			if !slices.Equal(settings, c.want) {
				t.Fatalf("named %v, want %v", weak.Settings, c.want)
			}
		})
	}
	t.Run("fewer replicas than required", func(t *testing.T) {
		dropOthers(t, nc)
		reopen(t, nc, config())
		cfg := config()
		cfg.Replicas = 3
		var weak *journal.WeakStreamError
		if _, err := journal.Open(t.Context(), nc, cfg); !errors.As(err, &weak) || len(weak.Settings) != 1 {
			t.Fatalf("got %v", err)
		}
		if err := base.Verify(t.Context()); !errors.Is(err, journal.ErrStreamReplaced) {
			t.Fatalf("verify of a re-created stream: %v", err)
		}
	})
}

func TestWeakenedWhileOpen(t *testing.T) {
	_, nc := start(t, journal.EmbeddedConfig{})
	j := open(t, nc, config())
	if err := j.Verify(t.Context()); err != nil {
		t.Fatal(err)
	}
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	s, err := js.Stream(t.Context(), "SKALD_0")
	if err != nil {
		t.Fatal(err)
	}
	cfg := s.CachedInfo().Config
	cfg.MaxAge = time.Hour
	if _, err := js.UpdateStream(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	var weak *journal.WeakStreamError
	if err := j.Verify(t.Context()); !errors.As(err, &weak) {
		t.Fatalf("got %v", err)
	}
}

func TestOpen(t *testing.T) {
	_, nc := start(t, journal.EmbeddedConfig{})
	cfg := config()
	cfg.Create = false
	if _, err := journal.Open(t.Context(), nc, cfg); !errors.Is(err, journal.ErrNoStream) {
		t.Fatalf("without the right to create: %v", err)
	}
	a := open(t, nc, config())
	b := open(t, nc, cfg)
	if a.StreamID() == "" || a.StreamID() != b.StreamID() {
		t.Fatalf("ids %q and %q", a.StreamID(), b.StreamID())
	}
	for name, bad := range map[string]journal.Config{
		"no name":     {Subjects: []string{"skald.>"}},
		"no subjects": {Stream: "X"},
		"too large":   {Stream: "X", Subjects: []string{"x"}, MaxMessage: 9 << 20},
	} {
		if _, err := journal.Open(t.Context(), nc, bad); !errors.Is(err, journal.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// A subject that another stream stores must not be taken for ours.
	if _, err := a.Append(t.Context(), journal.Message{Subject: "elsewhere", ID: "x"}); err == nil {
		t.Fatal("appended to a subject that no stream stores")
	}
}

// reopen makes a stream a moment after others were deleted: the server clears their
// folders in its own time, and may refuse until then.
func reopen(t *testing.T, nc *nats.Conn, cfg journal.Config) (j *journal.Journal) {
	t.Helper()
	until(t, "create the stream again", func(ctx context.Context) (err error) {
		j, err = journal.Open(ctx, nc, cfg)
		return err
	})
	return j
}

// A tail that outlives its stream says so instead of mixing two histories.
func TestTailOfReplacedStream(t *testing.T) {
	_, nc := start(t, journal.EmbeddedConfig{})
	j := open(t, nc, config())
	appendN(t, j, "skald.0.t.encounter.e", 0, 3)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	once := false
	err := j.Tail(ctx, journal.TailConfig{}, func(_ context.Context, b journal.Batch) error {
		if b.CaughtUp && !once {
			once = true
			dropOthers(t, nc)
			appendN(t, reopen(t, nc, config()), "skald.0.t.encounter.e", 0, 5)
		}
		return nil
	})
	if !errors.Is(err, journal.ErrStreamReplaced) {
		t.Fatalf("got %v", err)
	}
}

// A server that forgets to wake a consumer keeps nothing back for ever: the tail
// notices what is stored and does not come, and asks anew. A pause of the consumer
// stands for that.
func TestTailOfAForgottenConsumer(t *testing.T) {
	_, nc := start(t, journal.EmbeddedConfig{})
	j := open(t, nc, config())
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	paused, done := false, errors.New("all came")
	err = j.Tail(ctx, journal.TailConfig{}, func(_ context.Context, b journal.Batch) error {
		switch {
		case len(b.Records) > 0:
			return done
		case b.CaughtUp && !paused:
			paused = true
			s, err := js.Stream(ctx, config().Stream)
			if err != nil {
				return err
			}
			for name := range s.ConsumerNames(ctx).Name() {
				if _, err := js.PauseConsumer(ctx, config().Stream, name, time.Now().Add(time.Hour)); err != nil {
					return err
				}
			}
			appendN(t, j, "skald.0.t.encounter.e", 0, 1)
		}
		return nil
	})
	if !errors.Is(err, done) {
		t.Fatalf("got %v", err)
	}
}

// A stream that is gone ends a tail within bounds.
func TestTailOfDeletedStream(t *testing.T) {
	_, nc := start(t, journal.EmbeddedConfig{})
	j := open(t, nc, config())
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	err := j.Tail(ctx, journal.TailConfig{}, func(context.Context, journal.Batch) error {
		dropOthers(t, nc)
		return nil
	})
	if !errors.Is(err, journal.ErrNoStream) {
		t.Fatalf("got %v", err)
	}
}

// A stream made with a smaller limit is widened by whoever may administer it,
// and used as it is by everybody else.
func TestSmallerMessageLimit(t *testing.T) {
	_, nc := start(t, journal.EmbeddedConfig{})
	small := config()
	small.MaxMessage = 1 << 20
	open(t, nc, small)
	large := journal.Message{Subject: "skald.0.t.encounter.e", ID: "large", Data: make([]byte, 7<<20)}

	service := config()
	service.Create = false
	var tooLarge *journal.TooLargeError
	if _, err := open(t, nc, service).Append(t.Context(), large); !errors.As(err, &tooLarge) || tooLarge.Limit != 1<<20 {
		t.Fatalf("under the small limit: %v", err)
	}
	if _, err := open(t, nc, config()).Append(t.Context(), large); err != nil {
		t.Fatalf("widened: %v", err)
	}
	large.ID, large.Expected = "by-a-service", 1
	if _, err := open(t, nc, service).Append(t.Context(), large); err != nil {
		t.Fatalf("a service after that: %v", err)
	}
}

// Compression, which can spoil a replica, is turned off by whoever may; others go
// on and say so.
func TestCompressionIsTurnedOff(t *testing.T) {
	_, nc := start(t, journal.EmbeddedConfig{})
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	open(t, nc, config())
	compression := func() jetstream.StoreCompression {
		t.Helper()
		s, err := js.Stream(t.Context(), "SKALD_0")
		if err != nil {
			t.Fatal(err)
		}
		return s.CachedInfo().Config.Compression
	}
	if got := compression(); got != jetstream.NoCompression {
		t.Errorf("a new stream has %v", got)
	}
	s, err := js.Stream(t.Context(), "SKALD_0")
	if err != nil {
		t.Fatal(err)
	}
	old := s.CachedInfo().Config
	old.Compression, old.MaxMsgSize = jetstream.S2Compression, 1<<20
	if _, err := js.UpdateStream(t.Context(), old); err != nil {
		t.Fatal(err)
	}
	cfg := config()
	cfg.Create = false
	open(t, nc, cfg)
	if got := compression(); got != jetstream.S2Compression {
		t.Errorf("somebody who may not changed it to %v", got)
	}
	open(t, nc, config())
	s, err = js.Stream(t.Context(), "SKALD_0")
	if err != nil {
		t.Fatal(err)
	}
	if c := s.CachedInfo().Config; c.Compression != jetstream.NoCompression || c.MaxMsgSize != journal.MaxMessage {
		t.Errorf("%v, %d", c.Compression, c.MaxMsgSize)
	}
}
