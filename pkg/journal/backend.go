package journal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
)

// Headers of a stored message. The id doubles as JetStream's message id, which
// lets a replicated stream answer a repeat at once; nothing here relies on it.
const (
	headerID       = "Nats-Msg-Id"
	headerExpected = "Nats-Expected-Last-Subject-Sequence"
	headerOver     = "Nats-Expected-Last-Subject-Sequence-Subject"
	headerBatchID  = "Nats-Batch-Id"
	headerBatchSeq = "Nats-Batch-Sequence"
	headerCommit   = "Nats-Batch-Commit"
)

// batchRoom is what the batch headers add at most, in bytes.
const batchRoom = 192

// Size is the number of bytes that m takes of the server's message limit, with
// room for the headers of an atomic batch.
func Size(m Message) int {
	// "NATS/1.0\r\n", "Key: value\r\n" each, "\r\n"; a sequence has up to 20 digits.
	return len("NATS/1.0\r\n\r\n") + len(headerID) + len(m.ID) + 4 + len(headerExpected) + 24 + len(m.Over) + batchRoom + len(m.Data)
}

// natsBackend makes single attempts on a JetStream stream.
type natsBackend struct {
	nc     *nats.Conn
	stream jetstream.Stream // its cached configuration has AllowDirect off, so gets go to the leader
	name   string
	limit  int
	gate   Gate
	lone   *lone // nil where others may write, too
}

type pubAck struct {
	Stream    string `json:"stream"`
	Seq       uint64 `json:"seq"`
	Duplicate bool   `json:"duplicate"`
	Count     int    `json:"count"`
	Error     *struct {
		Code        int    `json:"code"`
		ErrCode     int    `json:"err_code"`
		Description string `json:"description"`
	} `json:"error"`
}

func (b *natsBackend) MaxMessage() int { return b.limit }

func (b *natsBackend) Publish(ctx context.Context, ms []Message) (uint64, error) {
	b.lone.sends(ms)
	if b.nc.IsClosed() {
		return 0, fmt.Errorf("%w: %w", ErrNotSent, nats.ErrConnectionClosed)
	}
	if b.nc.IsReconnecting() { // it would be kept and sent some day, and its outcome be open until then
		return 0, fmt.Errorf("%w: %w", ErrNotSent, nats.ErrConnectionReconnecting)
	}
	last := natsMessage(ms[len(ms)-1])
	if len(ms) > 1 {
		batch := nuid.Next()
		for i, m := range ms {
			msg := last
			if i < len(ms)-1 {
				msg = natsMessage(m)
			}
			msg.Header[headerBatchID] = []string{batch}
			msg.Header[headerBatchSeq] = []string{strconv.Itoa(i + 1)}
			if i == len(ms)-1 {
				break
			}
			// Only staged: whatever goes wrong here makes the commit below fail.
			if err := b.nc.PublishMsg(msg); err != nil {
				return 0, fmt.Errorf("%w: %w", ErrNotSent, err)
			}
		}
		last.Header[headerCommit] = []string{"1"}
	}
	reply, err := b.nc.RequestMsgWithContext(ctx, last)
	switch {
	case errors.Is(err, nats.ErrNoResponders), errors.Is(err, nats.ErrReconnectBufExceeded),
		errors.Is(err, nats.ErrConnectionDraining):
		return 0, fmt.Errorf("%w: %w", ErrNotSent, err)
	case errors.Is(err, nats.ErrMaxPayload):
		return 0, &Refused{Code: CodeTooLarge, Status: 400, Text: err.Error()}
	case err != nil:
		return 0, fmt.Errorf("journal: publish: %w", err)
	}
	return b.acknowledged(reply.Data, len(ms))
}

func (b *natsBackend) acknowledged(data []byte, n int) (uint64, error) {
	var ack pubAck
	if err := json.Unmarshal(data, &ack); err != nil {
		return 0, fmt.Errorf("journal: unreadable acknowledgement: %w", err)
	}
	switch {
	case ack.Error != nil:
		return 0, &Refused{Code: ack.Error.ErrCode, Status: ack.Error.Code, Text: ack.Error.Description}
	case ack.Stream != b.name:
		return 0, &Refused{Status: 400, Text: fmt.Sprintf("subject belongs to stream %q, not %q", ack.Stream, b.name)}
	case ack.Duplicate:
		return 0, &Refused{Code: CodeDuplicate, Text: fmt.Sprintf("duplicate of sequence %d", ack.Seq)}
	case ack.Seq == 0 || n > 1 && ack.Count != n:
		return 0, fmt.Errorf("journal: acknowledgement of %d messages at sequence %d, sent %d", ack.Count, ack.Seq, n)
	}
	return ack.Seq, nil
}

func natsMessage(m Message) *nats.Msg {
	msg := &nats.Msg{Subject: m.Subject, Data: m.Data, Header: nats.Header{
		headerID:       []string{m.ID},
		headerExpected: []string{strconv.FormatUint(m.Expected, 10)},
	}}
	if m.Over != "" {
		msg.Header[headerOver] = []string{m.Over}
	}
	return msg
}

func (b *natsBackend) After(ctx context.Context, subject string, seq uint64) (Record, bool, error) {
	return b.get(ctx, func(ctx context.Context) (*jetstream.RawStreamMsg, error) {
		return b.stream.GetMsg(ctx, seq+1, jetstream.WithGetMsgSubject(subject))
	})
}

func (b *natsBackend) Last(ctx context.Context, subject string) (Record, bool, error) {
	if b.lone.knows(subject) {
		return Record{}, false, ctx.Err()
	}
	rec, ok, err := b.get(ctx, func(ctx context.Context) (*jetstream.RawStreamMsg, error) {
		return b.stream.GetLastMsgForSubject(ctx, subject)
	})
	if err == nil && !ok {
		b.lone.found(subject)
	}
	return rec, ok, err
}

func (b *natsBackend) at(ctx context.Context, seq uint64) (Record, bool, error) {
	return b.get(ctx, func(ctx context.Context) (*jetstream.RawStreamMsg, error) {
		return b.stream.GetMsg(ctx, seq)
	})
}

func (b *natsBackend) get(ctx context.Context, ask func(context.Context) (*jetstream.RawStreamMsg, error)) (Record, bool, error) {
	m, err := reading(ctx, b.gate, "get", ask)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return Record{}, false, nil
	}
	if err != nil {
		return Record{}, false, err
	}
	return Record{Subject: m.Subject, Seq: m.Sequence, ID: m.Header.Get(headerID), Data: m.Data, Time: m.Time}, true, nil
}

// requestWait bounds one API request: a request that reached a server just before
// it died is never answered, however generous the caller's deadline.
const requestWait = 2 * time.Second

// request makes one API request.
func request[T any](ctx context.Context, doing string, ask func(context.Context) (T, error)) (T, error) {
	once, cancel := context.WithTimeout(ctx, requestWait)
	defer cancel()
	v, err := ask(once)
	switch {
	case err == nil:
		return v, nil
	case ctx.Err() != nil:
		return v, ctx.Err()
	case once.Err() != nil:
		return v, fmt.Errorf("%w: %s: no answer within %s", ErrUnavailable, doing, requestWait)
	}
	return v, apiError(doing, err)
}

// reading is request of a store behind a gate: while that is closed for reading
// the server gets a moment only, and what comes of it is the gate's reason.
func reading[T any](ctx context.Context, g Gate, doing string, ask func(context.Context) (T, error)) (T, error) {
	gate := g.Reading()
	open, leave := while(ctx, gate, readGrace)
	defer leave()
	v, err := request(open, doing, ask)
	if err != nil && ctx.Err() == nil && open.Err() != nil {
		return v, fmt.Errorf("%w: %s", context.Cause(gate), doing)
	}
	return v, err
}

// apiError marks what a caller may try again later.
func apiError(doing string, err error) error {
	var api *jetstream.APIError
	switch {
	case errors.Is(err, jetstream.ErrStreamNotFound):
		return fmt.Errorf("%w: %s: %w", ErrNoStream, doing, err)
	case errors.As(err, &api) && api.Code == statusUnavailable,
		errors.Is(err, nats.ErrNoResponders), errors.Is(err, nats.ErrTimeout),
		errors.Is(err, nats.ErrConnectionClosed), errors.Is(err, nats.ErrConnectionDraining):
		return fmt.Errorf("%w: %s: %w", ErrUnavailable, doing, err)
	}
	return fmt.Errorf("journal: %s: %w", doing, err)
}
