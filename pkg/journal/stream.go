package journal

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"github.com/skaldrpg/skald/pkg/limits"
)

// SchemaVersion is the layout of subjects and headers that this package writes.
// A stream of another version is refused.
const SchemaVersion = 1

// Metadata keys of the stream.
const (
	metaSchema   = "skald.schema"
	metaStreamID = "skald.stream-id"
)

// maxConsumers bounds the stream's consumers: one tail per process and a few
// reads at a time. Set, because the server's default limit is not ours to know.
const maxConsumers = limits.Consumers

// MaxMessage is the largest message that a stream takes and an embedded server
// lets through, bytes, headers included: an amendment holds a whole history in
// one Commit. It is also what the server itself advises against exceeding. A
// server elsewhere needs "max_payload: 8MB".
const MaxMessage = limits.StoredBytes

// Config says which stream to use and what it must be like.
type Config struct {
	Stream     string   // name, for example SKALD_0
	Subjects   []string // what it stores, for example PartitionFilter(0)
	Replicas   int      // 1 embedded, 3 in a cluster; 0 means 1
	MaxBytes   int64    // when created: size after which appends answer ErrFull; 0 means unlimited
	MaxMessage int      // when created: largest header and payload, bytes; 0 means the constant MaxMessage
	Create     bool     // create the stream when absent; needs an administrator's credentials

	// Gate stands in front of the store, an [Embedded]'s; nil means that it is always open.
	Gate Gate
	// Alone says that nobody writes to the server but through this journal, as to an
	// [Embedded] without a listener: then a table that was never deleted is not asked
	// for its tombstone again after each append.
	Alone bool
	// AppendWait bounds an append as a whole; 0 means 10 s.
	AppendWait time.Duration

	Log  *slog.Logger          // nil means slog.Default
	Wrap func(Backend) Backend // for tests: faults beneath the retry logic
}

// Journal is a Log on a JetStream stream.
type Journal struct {
	*Appender
	nc      *nats.Conn
	js      jetstream.JetStream
	stream  jetstream.Stream
	backend *natsBackend
	cfg     Config
	id      string
	log     *slog.Logger
}

var _ Log = (*Journal)(nil)

// Open binds to the stream. It creates it when absent and cfg.Create is set, and
// refuses a live stream that is weaker than required with *WeakStreamError. The
// connection stays the caller's.
func Open(ctx context.Context, nc *nats.Conn, cfg Config) (*Journal, error) {
	cfg.Replicas = max(cfg.Replicas, 1)
	if cfg.MaxMessage == 0 {
		cfg.MaxMessage = MaxMessage
	}
	cfg.Log = orLogger(cfg.Log)
	if cfg.Gate == nil {
		cfg.Gate = alwaysOpen{}
	}
	if err := Token(cfg.Stream); err != nil || len(cfg.Subjects) == 0 || cfg.MaxMessage > MaxMessage {
		return nil, fmt.Errorf("%w: stream %q needs a name, subjects and a message limit up to %d", ErrInvalid, cfg.Stream, MaxMessage)
	}
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	bind := func(ctx context.Context) (jetstream.Stream, error) { return js.Stream(ctx, cfg.Stream) }
	stream, err := request(ctx, "open stream "+cfg.Stream, bind)
	if errors.Is(err, ErrNoStream) && cfg.Create {
		stream, err = create(ctx, js, cfg)
	}
	if err != nil {
		return nil, err
	}
	live := stream.CachedInfo().Config
	if err := weaknesses(live, cfg); err != nil {
		return nil, err
	}
	live.MaxMsgSize = widen(ctx, js, live, cfg)
	safer(ctx, js, live, cfg)
	b := &natsBackend{nc: nc, stream: stream, name: cfg.Stream, limit: int(nc.MaxPayload()), gate: cfg.Gate}
	if cfg.Alone {
		b.lone = newLone()
	}
	if live.MaxMsgSize > 0 {
		b.limit = min(b.limit, int(live.MaxMsgSize))
	}
	if b.limit < cfg.MaxMessage {
		cfg.Log.WarnContext(ctx, "journal: messages are limited to less than wanted; long amendments will be refused",
			"stream", cfg.Stream, "limit", b.limit, "wanted", cfg.MaxMessage, "server", nc.MaxPayload())
	}
	j := &Journal{nc: nc, js: js, stream: stream, backend: b, cfg: cfg, id: live.Metadata[metaStreamID], log: cfg.Log}
	j.Appender = NewAppender(b)
	if cfg.Wrap != nil {
		j.Appender = NewAppender(cfg.Wrap(b))
	}
	j.Appender.Within(cfg.AppendWait).Behind(cfg.Gate)
	return j, nil
}

func orLogger(l *slog.Logger) *slog.Logger {
	if l == nil {
		return slog.Default()
	}
	return l
}

// widen raises the message limit of a stream that was made with a smaller one,
// where the caller may administer it, and returns the limit in force. A smaller
// limit refuses appends and loses nothing, so that failing here is no error.
func widen(ctx context.Context, js jetstream.JetStream, live jetstream.StreamConfig, cfg Config) int32 {
	if !cfg.Create || live.MaxMsgSize <= 0 || int(live.MaxMsgSize) >= cfg.MaxMessage {
		return live.MaxMsgSize
	}
	wide := live
	wide.MaxMsgSize = int32(cfg.MaxMessage) //nolint:gosec // bounded by MaxMessage
	if _, err := request(ctx, "widen stream "+cfg.Stream, func(ctx context.Context) (jetstream.Stream, error) {
		return js.UpdateStream(ctx, wide)
	}); err != nil {
		cfg.Log.WarnContext(ctx, "journal: the stream's message limit stays as it is", "stream", cfg.Stream, "error", err)
		return live.MaxMsgSize
	}
	return wide.MaxMsgSize
}

// safer turns compression off on a stream that was made with it, where the caller
// may administer it. nats-server 2.15.2 may compress the block that it still
// writes to when a replica starts after an unclean stop (fileStore.Truncate begins
// a block, which compresses the one before it in the background, and then goes on
// with that one): what is appended then makes the whole block unreadable at the
// next start. A block that is compressed already stays so and is sound.
func safer(ctx context.Context, js jetstream.JetStream, live jetstream.StreamConfig, cfg Config) {
	if live.Compression == jetstream.NoCompression {
		return
	}
	err := error(nil)
	if cfg.Create {
		plain := live
		plain.Compression, plain.MaxMsgSize = jetstream.NoCompression, max(live.MaxMsgSize, int32(cfg.MaxMessage)) //nolint:gosec // bounded by MaxMessage
		if live.MaxMsgSize <= 0 {
			plain.MaxMsgSize = live.MaxMsgSize
		}
		if _, err = request(ctx, "turn compression off on stream "+cfg.Stream, func(ctx context.Context) (jetstream.Stream, error) {
			return js.UpdateStream(ctx, plain)
		}); err == nil {
			cfg.Log.InfoContext(ctx, "journal: the stream is no longer compressed", "stream", cfg.Stream)
			return
		}
	}
	cfg.Log.WarnContext(ctx, "journal: the stream is compressed, which can spoil a replica: an administrator should turn that off (create-stream does)",
		"stream", cfg.Stream, "error", err)
}

// create makes the stream. Two processes may try at once: the one that comes
// second finds a stream with another random id under the name and uses that.
func create(ctx context.Context, js jetstream.JetStream, cfg Config) (jetstream.Stream, error) {
	stream, err := js.CreateStream(ctx, expected(cfg))
	if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
		stream, err = js.Stream(ctx, cfg.Stream)
	}
	if err != nil {
		return nil, apiError("create stream "+cfg.Stream, err)
	}
	return stream, nil
}

// expected is the configuration of a new stream. Everything that can delete or
// rewrite a message is off. DenyPurge stays unset: a table's data can be deleted
// by purging its subjects, an administrator's audited operation, and permissions
// keep everyone else from it.
func expected(cfg Config) jetstream.StreamConfig {
	maxBytes := cfg.MaxBytes
	if maxBytes <= 0 {
		maxBytes = -1
	}
	return jetstream.StreamConfig{
		Name:               cfg.Stream,
		Description:        "Skald journal: the only source of truth",
		Subjects:           cfg.Subjects,
		Retention:          jetstream.LimitsPolicy,
		Storage:            jetstream.FileStorage,
		Replicas:           cfg.Replicas,
		Discard:            jetstream.DiscardNew,
		MaxBytes:           maxBytes,
		MaxMsgs:            -1,
		MaxMsgsPerSubject:  -1,
		MaxMsgSize:         int32(cfg.MaxMessage), //nolint:gosec // bounded by MaxMessage
		MaxConsumers:       maxConsumers,
		DenyDelete:         true,
		AllowAtomicPublish: true,
		Compression:        jetstream.NoCompression, // see safer
		Metadata:           map[string]string{metaSchema: strconv.Itoa(SchemaVersion), metaStreamID: nuid.Next()},
	}
}

// weaknesses compares a live stream with what the journal's promises need.
// Limits that only refuse appends (size, bytes) may differ: they lose nothing.
func weaknesses(live jetstream.StreamConfig, cfg Config) error {
	var found []string
	require := func(ok bool, setting string, is, must any) {
		if !ok {
			found = append(found, fmt.Sprintf("%s is %v, must be %v", setting, is, must))
		}
	}
	off := func(set bool, setting string) { require(!set, setting, "set", "off") }

	subjects, want := slices.Clone(live.Subjects), slices.Clone(cfg.Subjects)
	slices.Sort(subjects)
	slices.Sort(want)
	require(slices.Equal(subjects, want), "subjects", subjects, want)
	require(live.Storage == jetstream.FileStorage, "storage", live.Storage, jetstream.FileStorage)
	require(live.Retention == jetstream.LimitsPolicy, "retention", live.Retention, jetstream.LimitsPolicy)
	require(live.Discard == jetstream.DiscardNew, "discard", live.Discard, jetstream.DiscardNew)
	require(live.Replicas >= cfg.Replicas, "num_replicas", live.Replicas, cfg.Replicas)
	require(live.MaxAge == 0, "max_age", live.MaxAge, "unlimited")
	require(live.MaxMsgs <= 0, "max_msgs", live.MaxMsgs, "unlimited")
	require(live.MaxMsgsPerSubject <= 0, "max_msgs_per_subject", live.MaxMsgsPerSubject, "unlimited")
	require(live.PersistMode == jetstream.DefaultPersistMode, "persist_mode", live.PersistMode, jetstream.DefaultPersistMode)
	require(live.AllowAtomicPublish, "allow_atomic", "off", "set")
	require(live.DenyDelete, "deny_delete", "off", "set")
	off(live.AllowDirect, "allow_direct")
	off(live.AllowRollup, "allow_rollup_hdrs")
	off(live.AllowMsgTTL, "allow_msg_ttl")
	off(live.SubjectDeleteMarkerTTL != 0, "subject_delete_marker_ttl")
	off(live.AllowMsgCounter, "allow_msg_counter")
	off(live.AllowMsgSchedules, "allow_msg_schedules")
	off(live.NoAck, "no_ack")
	off(live.Sealed, "sealed")
	off(live.Mirror != nil, "mirror")
	off(len(live.Sources) > 0, "sources")
	off(live.SubjectTransform != nil, "subject_transform")
	off(live.RePublish != nil, "republish") // would copy what players must not see
	require(live.Metadata[metaSchema] == strconv.Itoa(SchemaVersion), metaSchema, strconv.Quote(live.Metadata[metaSchema]), SchemaVersion)
	require(live.Metadata[metaStreamID] != "", metaStreamID, "missing", "set")
	require(live.Metadata[metaRefill] == "", metaRefill, live.Metadata[metaRefill], "absent: a restore broke off, run it again")
	if found == nil {
		return nil
	}
	return &WeakStreamError{Stream: cfg.Stream, Settings: found}
}

// StreamID identifies the stream that was opened, for ever.
func (j *Journal) StreamID() string { return j.id }

// Verify compares the live stream with the required settings again; health
// checks call it, since an administrator may weaken a stream while it is used.
func (j *Journal) Verify(ctx context.Context) error {
	c, err := j.live(ctx)
	if err != nil {
		return err
	}
	if c.Config.Metadata[metaStreamID] != j.id {
		return fmt.Errorf("%w: %s", ErrStreamReplaced, j.cfg.Stream)
	}
	return weaknesses(c.Config, j.cfg)
}

// live asks for the stream's state through a handle of its own: the shared one
// caches the configuration by which nats.go chooses the read path, and that must
// stay the verified one even if somebody sets AllowDirect meanwhile.
func (j *Journal) live(ctx context.Context) (*jetstream.StreamInfo, error) {
	s, err := reading(ctx, j.cfg.Gate, "stream info", func(ctx context.Context) (jetstream.Stream, error) {
		return j.js.Stream(ctx, j.cfg.Stream)
	})
	if err != nil {
		return nil, err
	}
	return s.CachedInfo(), nil
}

// At is Log.At.
func (j *Journal) At(ctx context.Context, seq uint64) (Record, bool, error) {
	if seq == 0 {
		return Record{}, false, nil
	}
	return j.backend.at(ctx, seq)
}

// Last is Log.Last.
func (j *Journal) Last(ctx context.Context, subject string) (Record, bool, error) {
	if err := literal(subject); err != nil {
		return Record{}, false, err
	}
	return j.backend.Last(ctx, subject)
}

// Info is Log.Info.
func (j *Journal) Info(ctx context.Context) (Info, error) {
	c, err := j.live(ctx)
	if err != nil {
		return Info{}, err
	}
	return Info{
		Stream:   c.Config.Name,
		StreamID: c.Config.Metadata[metaStreamID],
		FirstSeq: c.State.FirstSeq,
		LastSeq:  c.State.LastSeq,
		Messages: c.State.Msgs,
		Bytes:    c.State.Bytes,
		Replicas: c.Config.Replicas,
	}, nil
}

// LastSeq is the stream's last sequence as the leader knows it.
func (j *Journal) LastSeq(ctx context.Context) (uint64, error) {
	info, err := j.Info(ctx)
	return info.LastSeq, err
}

// Purge removes every record of a subject or filter, for ever: the way to delete
// a table's data ([TableFilterIn]). It is an administrator's operation: it needs
// credentials for $JS.API.STREAM.PURGE, which services do not have, and whoever
// offers it must record who asked for it and purge the projections as well.
// Sequences are not reused; tails that are ahead are not told.
func (j *Journal) Purge(ctx context.Context, filter string) error {
	return j.PurgeBefore(ctx, filter, 0)
}

// PurgeBefore is Purge of the records with a sequence below one; 0 means all. It is
// not atomic: a server that dies meanwhile may have removed some of them.
func (j *Journal) PurgeBefore(ctx context.Context, filter string, before uint64) error {
	if filter == "" || filter == ">" {
		return fmt.Errorf("%w: purge needs a subject", ErrInvalid)
	}
	options := []jetstream.StreamPurgeOpt{jetstream.WithPurgeSubject(filter)}
	if before > 0 {
		options = append(options, jetstream.WithPurgeSequence(before))
	}
	asking, cancel := context.WithTimeout(ctx, purgeWait)
	defer cancel()
	if err := j.stream.Purge(asking, options...); err != nil {
		return apiError("purge "+filter, err)
	}
	j.log.WarnContext(ctx, "journal: purged", "stream", j.cfg.Stream, "filter", filter, "before", before)
	return nil
}

// purgeWait bounds one purge: a server answers when all of it is done.
const purgeWait = 2 * time.Minute

// Subjects counts the records on each subject that matches a filter, as the
// stream's leader knows them.
func (j *Journal) Subjects(ctx context.Context, filter string) (map[string]uint64, error) {
	asking, cancel := context.WithTimeout(ctx, purgeWait)
	defer cancel()
	info, err := j.stream.Info(asking, jetstream.WithSubjectFilter(filter))
	if err != nil {
		return nil, apiError("subjects of "+filter, err)
	}
	return info.State.Subjects, nil
}
