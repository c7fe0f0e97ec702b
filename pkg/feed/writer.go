package feed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"github.com/skaldrpg/skald/pkg/limits"
)

// Errors of a Writer, for errors.Is.
var (
	// ErrRaced: another writer was there first, or what is there is not what was
	// thought: look again.
	ErrRaced = errors.New("feed: somebody else has written there")
	// ErrForeign: what is there was made by no writer of the feed.
	ErrForeign = errForeign
)

// What the stream keeps when nothing is said.
const (
	// DefaultAge is how long it keeps a message.
	DefaultAge = 7 * 24 * time.Hour
	// DefaultBytes is how much it keeps; the oldest go first.
	DefaultBytes = 1 << 30
)

const (
	// duplicates is as short as the server takes it: what a writer does twice is found
	// by the guard, and what is filled in again must not count as said already.
	duplicates = 100 * time.Millisecond
	// consumers of the stream, and how long one is kept that nobody uses.
	consumers    = limits.FeedConsumers
	consumerIdle = 24 * time.Hour
	// requestWait bounds one request to the server.
	requestWait = 5 * time.Second

	// Metadata of the stream: which one it is.
	idKey = "skald-feed"
)

// Inbox is the prefix of the inboxes of writers: readers listen to others, and so
// hear nothing that a writer is told.
const Inbox = "_SKALD_FEED"

// WriterConfig says what a Writer writes to.
type WriterConfig struct {
	// Conn is the connection, opened with the inbox prefix Inbox.
	Conn *nats.Conn
	// Replicas of the streams; 0 means 1.
	Replicas int
	// Age and Bytes are what the stream keeps at most; 0 means DefaultAge and
	// DefaultBytes.
	Age   time.Duration
	Bytes int64
	// Heal makes the server anew that the streams are on, without what it holds when
	// empty is set; nil where it is somebody else's.
	Heal func(ctx context.Context, empty bool) error
}

// Writer writes the feed. It is safe for concurrent use.
type Writer struct {
	cfg WriterConfig
	js  jetstream.JetStream

	mu      sync.Mutex
	feed    jetstream.Stream
	marks   jetstream.Stream
	healing int
}

// NewWriter makes a writer; it asks the server nothing.
func NewWriter(cfg WriterConfig) (*Writer, error) {
	if cfg.Age == 0 {
		cfg.Age = DefaultAge
	}
	if cfg.Bytes == 0 {
		cfg.Bytes = DefaultBytes
	}
	cfg.Replicas = max(1, cfg.Replicas)
	if cfg.Age < time.Minute || cfg.Bytes < 1<<20 {
		return nil, fmt.Errorf("feed: want at least a minute and 1 MiB, got %s and %d bytes", cfg.Age, cfg.Bytes)
	}
	js, err := jetstream.New(cfg.Conn, jetstream.WithDefaultTimeout(requestWait))
	if err != nil {
		return nil, fmt.Errorf("feed: %w", err)
	}
	return &Writer{cfg: cfg, js: js}, nil
}

func (w *Writer) feedConfig() jetstream.StreamConfig {
	return jetstream.StreamConfig{Name: StreamName, Subjects: []string{root + ">"}, Description: "steps of encounters as spectators are told them (docs/FEED.md)",
		Storage: jetstream.FileStorage, Retention: jetstream.LimitsPolicy, Discard: jetstream.DiscardOld, Replicas: w.cfg.Replicas,
		MaxAge: w.cfg.Age, MaxBytes: w.cfg.Bytes, MaxMsgs: -1, MaxMsgSize: -1, MaxMsgsPerSubject: -1, Duplicates: duplicates,
		MaxConsumers: consumers, ConsumerLimits: jetstream.StreamConsumerLimits{InactiveThreshold: consumerIdle}}
}

func (w *Writer) marksConfig() jetstream.StreamConfig {
	return jetstream.StreamConfig{Name: marksName, Subjects: []string{marks + ">"}, Description: "how far the writers of SKALD_FEED came",
		Storage: jetstream.FileStorage, Retention: jetstream.LimitsPolicy, Discard: jetstream.DiscardOld, Replicas: w.cfg.Replicas,
		MaxMsgs: -1, MaxBytes: -1, MaxMsgSize: -1, MaxMsgsPerSubject: 1, Duplicates: duplicates, MaxConsumers: -1}
}

// Open makes the streams that are missing, and returns which feed this is: a name
// drawn when the stream was made. Another than before is another stream, and empty.
func (w *Writer) Open(ctx context.Context) (id string, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.feed, err = w.stream(ctx, w.feedConfig()); err != nil {
		return "", err
	}
	if w.marks, err = w.stream(ctx, w.marksConfig()); err != nil {
		return "", err
	}
	return w.feed.CachedInfo().Config.Metadata[idKey], nil
}

func (w *Writer) stream(ctx context.Context, want jetstream.StreamConfig) (jetstream.Stream, error) {
	for range 3 {
		s, err := w.js.Stream(ctx, want.Name)
		if errors.Is(err, jetstream.ErrStreamNotFound) {
			want.Metadata = map[string]string{idKey: nuid.Next()}
			if s, err = w.js.CreateStream(ctx, want); errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
				continue // another writer made it just now
			}
		}
		if err != nil {
			return nil, fmt.Errorf("feed: stream %s: %w", want.Name, err)
		}
		is := s.CachedInfo().Config
		want.Metadata = maps.Clone(is.Metadata)
		if is.MaxAge == want.MaxAge && is.MaxBytes == want.MaxBytes && is.Replicas == want.Replicas && is.RePublish == nil && len(is.Sources) == 0 && is.Mirror == nil {
			return s, nil
		}
		if s, err = w.js.UpdateStream(ctx, want); err != nil {
			return nil, fmt.Errorf("feed: stream %s is set up otherwise: %w", want.Name, err)
		}
		return s, nil
	}
	return nil, fmt.Errorf("feed: stream %s comes and goes", want.Name)
}

// Heal makes the server anew where it is this process's own: first with what it
// holds, the second time in a row without.
func (w *Writer) Heal(ctx context.Context) error {
	if w.cfg.Heal == nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.healing++
	return w.cfg.Heal(ctx, w.healing%2 == 0)
}

// Well says that all is well after Heal.
func (w *Writer) Well() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.healing = 0
}

func (w *Writer) streams() (feed, marks jetstream.Stream, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.feed == nil || w.marks == nil {
		return nil, nil, errors.New("feed: the streams were not opened")
	}
	return w.feed, w.marks, nil
}

// Span is what the stream holds: the sequences of its first and its last message.
// An empty one that held some begins behind the last.
type Span struct{ First, Last uint64 }

// Look returns what the stream holds, and how many messages each subject has.
func (w *Writer) Look(ctx context.Context) (Span, map[string]uint64, error) {
	feed, _, err := w.streams()
	if err != nil {
		return Span{}, nil, err
	}
	info, err := feed.Info(ctx, jetstream.WithSubjectFilter(root+">"))
	if err != nil {
		return Span{}, nil, fmt.Errorf("feed: %w", err)
	}
	return Span{info.State.FirstSeq, info.State.LastSeq}, info.State.Subjects, nil
}

// Span is Look without the subjects.
func (w *Writer) Span(ctx context.Context) (Span, error) {
	feed, _, err := w.streams()
	if err != nil {
		return Span{}, err
	}
	info, err := feed.Info(ctx)
	if err != nil {
		return Span{}, fmt.Errorf("feed: %w", err)
	}
	return Span{info.State.FirstSeq, info.State.LastSeq}, nil
}

// Last is where the messages of a subject end; the zero place when there is none.
func (w *Writer) Last(ctx context.Context, subject string) (Place, error) {
	feed, _, err := w.streams()
	if err != nil {
		return Place{}, err
	}
	return placed(feed.GetLastMsgForSubject(ctx, subject))
}

// First is where they begin.
func (w *Writer) First(ctx context.Context, subject string) (Place, error) {
	feed, _, err := w.streams()
	if err != nil {
		return Place{}, err
	}
	return placed(feed.GetMsg(ctx, 1, jetstream.WithGetMsgSubject(subject)))
}

func placed(msg *jetstream.RawStreamMsg, err error) (Place, error) {
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return Place{}, nil
	}
	if err != nil {
		return Place{}, fmt.Errorf("feed: %w", err)
	}
	return place(msg.Sequence, msg.Header)
}

// Write writes a step behind the message at a sequence, 0 when its subject has none,
// and returns its own sequence. ErrRaced says that the subject ends elsewhere.
func (w *Writer) Write(ctx context.Context, m *Message, after uint64) (uint64, error) {
	msg, err := m.encode(w.cfg.Conn.MaxPayload())
	if err != nil {
		return 0, err
	}
	ack, err := w.js.PublishMsg(ctx, msg, jetstream.WithMsgID(m.id()), jetstream.WithExpectLastSequencePerSubject(after))
	switch {
	case raced(err):
		return 0, ErrRaced
	case err != nil:
		return 0, fmt.Errorf("feed: %w", err)
	case ack.Duplicate: // of before a refill; or on a replicated stream, of a try before
		return 0, ErrRaced
	}
	return ack.Sequence, nil
}

// raced are the answers of a guard that did not hold: NATS has two.
func raced(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && (api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence || api.ErrorCode == 10164 || api.ErrorCode == 10158)
}

// Mark is how far a writer came with an encounter, for when no message of it is left.
type Mark struct {
	// Feed is the stream it was written to, as Open calls it.
	Feed string `json:"feed"`
	// Version of the encounter up to which everything is in the feed, and the hash of
	// that Commit.
	Version uint64 `json:"version"`
	Hash    []byte `json:"hash"`
	// Number and Transcript of the last step.
	Number     uint64 `json:"number"`
	Transcript []byte `json:"transcript"`
	// Sequences of its messages, by format.
	Sequences map[Format]uint64 `json:"sequences"`

	at uint64 // in the stream of marks
}

// Mark reads the mark of an encounter; the zero one when there is none.
func (w *Writer) Mark(ctx context.Context, table, encounter string) (Mark, error) {
	_, all, err := w.streams()
	if err != nil {
		return Mark{}, err
	}
	msg, err := all.GetLastMsgForSubject(ctx, marks+table+"."+encounter)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return Mark{}, nil
	}
	if err != nil {
		return Mark{}, fmt.Errorf("feed: %w", err)
	}
	return readMark(msg.Sequence, msg.Data), nil
}

// readMark reads a mark; what can not be read is none, but has its place.
func readMark(at uint64, data []byte) Mark {
	var m Mark
	if json.Unmarshal(data, &m) != nil {
		m = Mark{}
	}
	m.at = at
	return m
}

// SetMark writes the mark of an encounter in the place of the one that was read;
// ErrRaced when that is not there any more.
func (w *Writer) SetMark(ctx context.Context, table, encounter string, was, m Mark) (Mark, error) {
	data, err := json.Marshal(m)
	if err != nil {
		return m, fmt.Errorf("feed: %w", err)
	}
	ack, err := w.js.Publish(ctx, marks+table+"."+encounter, data, jetstream.WithExpectLastSequencePerSubject(was.at))
	if raced(err) {
		return m, ErrRaced
	}
	if err != nil {
		return m, fmt.Errorf("feed: %w", err)
	}
	m.at = ack.Sequence
	return m, nil
}

// Marks calls fn for every mark.
func (w *Writer) Marks(ctx context.Context, fn func(table, encounter string, m Mark)) error {
	_, all, err := w.streams()
	if err != nil {
		return err
	}
	info, err := all.Info(ctx)
	if err != nil || info.State.Msgs == 0 {
		return err
	}
	c, err := all.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{})
	if err != nil {
		return fmt.Errorf("feed: %w", err)
	}
	for done := false; !done; {
		batch, err := c.Fetch(500, jetstream.FetchMaxWait(requestWait))
		if err != nil {
			return fmt.Errorf("feed: %w", err)
		}
		done = true // nothing came: the last ones were replaced meanwhile
		for msg := range batch.Messages() {
			meta, err := msg.Metadata()
			if err != nil {
				return fmt.Errorf("feed: %w", err)
			}
			if table, id, ok := splitMark(msg.Subject()); ok {
				fn(table, id, readMark(meta.Sequence.Stream, msg.Data()))
			}
			if done = meta.NumPending == 0; done {
				break
			}
		}
		if err := errors.Join(batch.Error(), ctx.Err()); err != nil {
			return fmt.Errorf("feed: %w", err)
		}
	}
	return nil
}

func splitMark(subject string) (table, encounter string, ok bool) {
	rest, ok := strings.CutPrefix(subject, marks)
	table, encounter, two := strings.Cut(rest, ".")
	return table, encounter, ok && two
}

// Forget removes what there is of an encounter, or of a whole table where encounter
// is empty: first the marks, so that nobody goes on from them.
func (w *Writer) Forget(ctx context.Context, table, encounter string) error {
	feed, all, err := w.streams()
	if err != nil {
		return err
	}
	if encounter == "" {
		encounter = "*"
	}
	if err := all.Purge(ctx, jetstream.WithPurgeSubject(marks+table+"."+encounter)); err != nil {
		return fmt.Errorf("feed: %w", err)
	}
	if err := feed.Purge(ctx, jetstream.WithPurgeSubject(root+"*."+table+"."+encounter)); err != nil {
		return fmt.Errorf("feed: %w", err)
	}
	return nil
}

// Drop removes what there is on a subject.
func (w *Writer) Drop(ctx context.Context, subject string) error {
	feed, _, err := w.streams()
	if err != nil {
		return err
	}
	if err := feed.Purge(ctx, jetstream.WithPurgeSubject(subject)); err != nil {
		return fmt.Errorf("feed: %w", err)
	}
	return nil
}
