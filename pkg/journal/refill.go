package journal

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"iter"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	headerExpectedLast = "Nats-Expected-Last-Sequence"
	// metaRefill marks a stream that is being filled: no service opens it, and
	// only a refill of the same stream goes on with it.
	metaRefill = "skald.refill"
	// KindLost is the kind of the records that stand in for lost sequences. No
	// service reads that kind.
	KindLost = "lost"

	refillWindow  = 1024             // messages on their way at most
	refillBytes   = 8 << 20          // and their bytes
	refillWait    = 10 * time.Second // for the acknowledgements of one window
	refillTries   = 20               // windows in a row without progress
	dedupeMinimum = 100 * time.Millisecond
)

// ErrExists: the stream to fill exists already, and nothing was changed.
var ErrExists = errors.New("journal: stream exists already")

// Refilled is what a refill stored and read back.
type Refilled struct {
	Records   uint64 // stored as they were given
	Fillers   uint64 // stored in the place of sequences that the records leave out
	Continued uint64 // records found in the stream already, of a refill that broke off
	FirstSeq  uint64
	LastSeq   uint64
	Digest    [sha256.Size]byte // over all records, as [Digest] computes it
}

// Digest sums records in the order given: their sequences, subjects, ids and
// bytes, and not the time at which a server stored them.
type Digest struct{ h hash.Hash }

// NewDigest returns the digest of no records.
func NewDigest() *Digest { return &Digest{h: sha256.New()} }

// Add takes the next record.
func (d *Digest) Add(r Record) {
	var b []byte
	b = binary.BigEndian.AppendUint64(b, r.Seq)
	for _, part := range [][]byte{[]byte(r.Subject), []byte(r.ID), r.Data} {
		b = binary.BigEndian.AppendUint64(b, uint64(len(part)))
		b = append(b, part...)
	}
	d.h.Write(b) //nolint:errcheck // never fails
}

// Sum is the digest of what was added up to now.
func (d *Digest) Sum() (sum [sha256.Size]byte) {
	d.h.Sum(sum[:0])
	return sum
}

// LostSubject is where a filler for a lost sequence of a stream on subjects of
// partition p is stored.
func LostSubject(p int, seq uint64) string {
	return "skald." + strconv.Itoa(p) + ".lost." + KindLost + "." + strconv.FormatUint(seq, 10)
}

// IsLost tells whether a subject is that of a filler.
func IsLost(subject string) bool {
	table, kind, _, ok := SplitSubject(subject)
	return ok && table == "lost" && kind == KindLost
}

// Refill makes the stream of cfg with the given id and stores the records at
// their own sequences: guards and projections name them. The records come in
// rising order; a sequence between two of them that none has gets a filler.
// Records of Go's zero value are not allowed: each has a subject and a sequence.
//
// The stream must not exist (ErrExists), unless an earlier refill under the same
// id broke off: that one is gone on with. Nobody can open the stream before all is
// stored, read back and found equal. It needs an administrator's credentials.
func Refill(ctx context.Context, nc *nats.Conn, cfg Config, streamID string, records iter.Seq2[Record, error]) (Refilled, error) {
	if err := Token(streamID); err != nil {
		return Refilled{}, fmt.Errorf("stream id: %w", err)
	}
	cfg.Replicas = max(cfg.Replicas, 1)
	if cfg.MaxMessage == 0 {
		cfg.MaxMessage = MaxMessage
	}
	if err := Token(cfg.Stream); err != nil || len(cfg.Subjects) == 0 {
		return Refilled{}, fmt.Errorf("%w: stream %q needs a name and subjects", ErrInvalid, cfg.Stream)
	}
	js, err := jetstream.New(nc)
	if err != nil {
		return Refilled{}, fmt.Errorf("journal: %w", err)
	}
	f := &refill{nc: nc, js: js, cfg: cfg, id: streamID, given: NewDigest()}
	if err := f.run(ctx, records); err != nil {
		return Refilled{}, fmt.Errorf("journal: refill of %s: %w", cfg.Stream, err)
	}
	return f.report, nil
}

type refill struct {
	nc     *nats.Conn
	js     jetstream.JetStream
	cfg    Config
	id     string
	stream jetstream.StreamConfig
	given  *Digest
	report Refilled

	exists  uint64 // last sequence found when the refill began
	last    uint64 // last sequence known to be stored
	next    uint64 // sequence that the next record or filler takes
	window  []Record
	pending int // bytes in window
}

func (f *refill) run(ctx context.Context, records iter.Seq2[Record, error]) error {
	for r, err := range records {
		if err != nil {
			return err
		}
		if err := f.take(ctx, r); err != nil {
			return err
		}
	}
	if f.stream.Name == "" {
		if err := f.open(ctx, 1); err != nil {
			return err
		}
	}
	if err := f.flush(ctx); err != nil {
		return err
	}
	return f.finish(ctx)
}

// take puts a record, and fillers before it, into the window.
func (f *refill) take(ctx context.Context, r Record) error {
	if err := literal(r.Subject); err != nil || r.Seq == 0 {
		return fmt.Errorf("%w: record at sequence %d: %w", ErrInvalid, r.Seq, err)
	}
	if f.stream.Name == "" {
		if err := f.open(ctx, r.Seq); err != nil {
			return err
		}
	}
	if r.Seq < f.next {
		return fmt.Errorf("%w: record at sequence %d comes after %d", ErrInvalid, r.Seq, f.next-1)
	}
	for f.next < r.Seq {
		f.report.Fillers++
		if err := f.add(ctx, Record{Subject: f.lostSubject(f.next), Seq: f.next}); err != nil {
			return err
		}
	}
	f.report.Records++
	return f.add(ctx, r)
}

func (f *refill) add(ctx context.Context, r Record) error {
	f.given.Add(r)
	f.next = r.Seq + 1
	if r.Seq <= f.exists {
		f.report.Continued++
		return nil
	}
	f.window = append(f.window, r)
	f.pending += len(r.Data) + 256
	if len(f.window) < refillWindow && f.pending < refillBytes {
		return nil
	}
	return f.flush(ctx)
}

// lostSubject is of the partition that the stream stores.
func (f *refill) lostSubject(seq uint64) string {
	p := 0
	if t := strings.Split(f.cfg.Subjects[0], "."); len(t) > 1 {
		if n, err := strconv.Atoi(t[1]); err == nil {
			p = n
		}
	}
	return LostSubject(p, seq)
}

// open makes the stream, or finds the one of a refill that broke off.
func (f *refill) open(ctx context.Context, first uint64) error {
	f.report.FirstSeq, f.next, f.last = first, first, first-1
	s, err := request(ctx, "look for stream "+f.cfg.Stream, func(ctx context.Context) (jetstream.Stream, error) {
		return f.js.Stream(ctx, f.cfg.Stream)
	})
	switch {
	case errors.Is(err, ErrNoStream):
	case err != nil:
		return err
	default:
		return f.goOn(s.CachedInfo(), first)
	}
	c := expected(f.cfg)
	c.Metadata[metaStreamID], c.Metadata[metaRefill] = f.id, "unfinished"
	c.FirstSeq, c.Duplicates = first, dedupeMinimum
	s, err = f.js.CreateStream(ctx, c)
	if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
		return fmt.Errorf("%w: %s", ErrExists, f.cfg.Stream)
	}
	if err != nil {
		return apiError("create stream "+f.cfg.Stream, err)
	}
	f.stream = s.CachedInfo().Config
	return nil
}

func (f *refill) goOn(info *jetstream.StreamInfo, first uint64) error {
	c := info.Config
	if c.Metadata[metaRefill] == "" || c.Metadata[metaStreamID] != f.id || c.FirstSeq != first && info.State.Msgs > 0 {
		return fmt.Errorf("%w: %s, of id %q, sequences %d to %d", ErrExists, c.Name, c.Metadata[metaStreamID], info.State.FirstSeq, info.State.LastSeq)
	}
	f.stream = c
	f.exists = max(info.State.LastSeq, f.last)
	f.last = f.exists
	return nil
}

// flush stores the window. Each message says which sequence must precede it, so
// that nothing lands twice, out of order or in another's place; whatever goes
// wrong, the stream's last sequence tells where to go on.
func (f *refill) flush(ctx context.Context) error {
	tries := 0
	for len(f.window) > 0 {
		before := f.last
		failure := f.publish(ctx)
		if err := ctx.Err(); err != nil {
			return err
		}
		if failure == nil {
			break
		}
		if err := f.reached(ctx); err != nil {
			failure = errors.Join(failure, err)
		}
		if tries++; f.last > before {
			tries = 0
		}
		if tries >= refillTries {
			return fmt.Errorf("sequence %d can not be stored: %w", f.last+1, failure)
		}
		var r *Refused
		if errors.As(failure, &r) && !r.again() {
			return fmt.Errorf("sequence %d: %w", f.last+1, failure)
		}
		// Also longer than the window in which a repeated id is taken for a repeat.
		if err := sleep(ctx, 2*dedupeMinimum); err != nil {
			return err
		}
	}
	f.window, f.pending = f.window[:0], 0
	return nil
}

// again tells whether a refusal may pass.
func (r *Refused) again() bool {
	switch r.Code {
	case CodeWrongLastSequence, CodeRaceInFlight, CodeDuplicateInFlight, CodeDuplicate:
		return true
	}
	return r.Status == statusUnavailable || r.Status == statusTooManyRequests
}

// publish sends the window and waits for its acknowledgements, in order.
func (f *refill) publish(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, refillWait)
	defer cancel()
	inbox := f.nc.NewRespInbox()
	answers, err := f.nc.SubscribeSync(inbox + ".*")
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	defer answers.Unsubscribe() //nolint:errcheck // the connection is gone then
	if err := answers.SetPendingLimits(-1, -1); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	for i, r := range f.window {
		m := &nats.Msg{Subject: r.Subject, Reply: inbox + "." + strconv.Itoa(i), Data: r.Data,
			Header: nats.Header{headerExpectedLast: {strconv.FormatUint(r.Seq-1, 10)}}}
		if r.ID != "" {
			m.Header[headerID] = []string{r.ID}
		}
		if err := f.nc.PublishMsg(m); err != nil {
			return fmt.Errorf("%w: %w", ErrUnavailable, err)
		}
	}
	return f.acknowledged(ctx, answers, inbox)
}

func (f *refill) acknowledged(ctx context.Context, answers *nats.Subscription, inbox string) error {
	b := &natsBackend{name: f.cfg.Stream}
	last := f.window[len(f.window)-1].Seq
	for range f.window {
		m, err := answers.NextMsgWithContext(ctx)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrUnavailable, err)
		}
		i, err := strconv.Atoi(strings.TrimPrefix(m.Subject, inbox+"."))
		if err != nil || i >= len(f.window) {
			continue
		}
		if len(m.Data) == 0 && m.Header.Get("Status") == "503" {
			return fmt.Errorf("%w: nobody stores %s", ErrUnavailable, f.window[i].Subject)
		}
		seq, err := b.acknowledged(m.Data, 1)
		if err != nil {
			return err
		}
		if seq != f.window[i].Seq {
			return &Refused{Status: 400, Text: fmt.Sprintf("%s was stored at sequence %d, not %d", f.window[i].Subject, seq, f.window[i].Seq)}
		}
	}
	f.last = last
	return nil
}

// reached asks how far the stream is and drops what it has from the window.
func (f *refill) reached(ctx context.Context) error {
	s, err := request(ctx, "stream info", func(ctx context.Context) (jetstream.Stream, error) { return f.js.Stream(ctx, f.cfg.Stream) })
	if err != nil {
		return err
	}
	if id := s.CachedInfo().Config.Metadata[metaStreamID]; id != f.id {
		return fmt.Errorf("%w: %s", ErrStreamReplaced, f.cfg.Stream)
	}
	f.last = max(f.last, s.CachedInfo().State.LastSeq)
	for len(f.window) > 0 && f.window[0].Seq <= f.last {
		f.window = f.window[1:]
	}
	return nil
}

// finish reads everything back, compares, and opens the stream to everybody.
func (f *refill) finish(ctx context.Context) error {
	f.report.LastSeq = f.next - 1
	f.report.Digest = f.given.Sum()
	if f.exists > f.report.LastSeq {
		return fmt.Errorf("%w: it reaches to sequence %d, the records to %d", ErrExists, f.exists, f.report.LastSeq)
	}
	if err := f.compare(ctx); err != nil {
		return err
	}
	c := expected(f.cfg)
	c.FirstSeq = f.stream.FirstSeq
	c.Metadata[metaStreamID] = f.id
	_, err := request(ctx, "finish stream "+f.cfg.Stream, func(ctx context.Context) (jetstream.Stream, error) {
		return f.js.UpdateStream(ctx, c)
	})
	return err
}

func (f *refill) compare(ctx context.Context) error {
	f.cfg.Gate = alwaysOpen{}
	b := &natsBackend{nc: f.nc, name: f.cfg.Stream, gate: f.cfg.Gate}
	j := &Journal{nc: f.nc, js: f.js, backend: b, cfg: f.cfg, id: f.id, log: orLogger(f.cfg.Log)}
	j.Appender = NewAppender(b)
	var err error
	if j.stream, err = f.js.Stream(ctx, f.cfg.Stream); err != nil {
		return apiError("open stream "+f.cfg.Stream, err)
	}
	b.stream = j.stream
	read := NewDigest()
	if err := j.Read(ctx, "", 1, 0, func(r Record) error { read.Add(r); return nil }); err != nil {
		return err
	}
	if sum := read.Sum(); !bytes.Equal(sum[:], f.report.Digest[:]) {
		return fmt.Errorf("%w: what the stream holds differs from the records", ErrRewritten)
	}
	return nil
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
