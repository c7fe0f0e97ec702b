package api

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/rpc"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

// What a feed keeps of the last steps for those who are a little behind: so many, and
// of so many bytes; the newest is always there. Who is further behind reads alone.
const (
	feedSteps = 128
	feedBytes = 256 << 10
)

// audience are viewers who are told the same, byte for byte but for the number and the
// cursor of a step: those of one viewer of an encounter (aggregate.ViewerOf, which has
// the whole name of a player), and with or without the bytes of the transcript.
// Whatever else a step may come to depend on belongs here.
type audience struct {
	table, encounter string
	viewer           string
	bytes            bool
}

// told is a step as an audience is told it.
type told struct {
	number     uint64
	transcript []byte
	rest       mem.Buffer // the step, encoded, without its number and cursor
	// The same as JSON, made when the first asks for it who reads JSON.
	text func() ([]byte, error)
}

// news is what was read for an audience. It never changes.
type news struct {
	change uint64 // up to which everything was read
	steps  []told // the last ones, oldest first
	bytes  int    // that they take
	number uint64 // of the last one
	more   bool   // there are more after it
	public public
}

// after are the steps after a number; false when some of them are not there any more.
func (n *news) after(number uint64) ([]told, bool) {
	if number >= n.number {
		return nil, true
	}
	if len(n.steps) == 0 || n.steps[0].number > number+1 {
		return nil, false
	}
	return slices.Clone(n.steps[number+1-n.steps[0].number:]), true // a slow viewer holds no more than it has to send
}

// with are news with further steps.
func (n *news) with(steps []told) *news {
	out := &news{steps: slices.Concat(n.steps, steps), bytes: n.bytes, number: n.number}
	for _, s := range steps {
		out.bytes, out.number = out.bytes+s.rest.Len(), s.number
	}
	for len(out.steps) > 1 && (len(out.steps) > feedSteps || out.bytes > feedBytes) {
		out.bytes -= out.steps[0].rest.Len()
		out.steps[0] = told{}
		out.steps = out.steps[1:]
	}
	return out
}

// feed reads for an audience: each change once, by the first viewer who asks, while
// the others wait for it.
type feed struct {
	of    audience
	users int // guarded by feeds.mu

	last atomic.Pointer[news]

	mu      sync.Mutex
	reading *flight // nil when nobody reads
}

// flight is a reading under way.
type flight struct {
	done   chan struct{} // closed at its end, when the rest is set
	err    error
	gaveUp bool // the one who read went away: another reads
}

// since are news that were read at a change or later, and tell whoever has the step of
// a number more, if there is more; nil when it has to be read.
func (f *feed) since(change, number uint64) *news {
	if n := f.last.Load(); n != nil && n.change >= change && (n.number > number || !n.more) {
		return n
	}
	return nil
}

// flight joins the reading under way, or begins one: then it is the caller's to fill.
func (f *feed) flight() (r *flight, mine bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.reading != nil {
		return f.reading, false
	}
	f.reading = &flight{done: make(chan struct{})}
	return f.reading, true
}

// fill reads, on from what was read last. Whatever can not be read is forgotten.
func (f *feed) fill(ctx context.Context, r *flight, read func(ctx context.Context, last *news) (*news, error)) {
	var n *news
	r.err = errors.New("api: reading ended without a word") // by a panic, which goes on
	defer func() {
		r.gaveUp = ctx.Err() != nil
		if r.err == nil {
			f.last.Store(n)
		} else if !r.gaveUp {
			f.last.Store(nil)
		}
		f.mu.Lock()
		f.reading = nil
		f.mu.Unlock()
		close(r.done)
	}()
	n, r.err = read(anybody{ctx}, f.last.Load())
}

// anybody is the context of a reading for many: it ends with the call of the one who
// reads, and knows nothing of it, such as whose token it has.
type anybody struct{ context.Context } //nolint:containedctx // a context itself

// Value implements context.Context.
func (anybody) Value(any) any { return nil }

// feeds are those of all audiences that somebody is in. The zero value is ready.
type feeds struct {
	mu sync.Mutex
	of map[audience]*feed
}

// join finds the feed of an audience; it is there until the last one leaves, and each
// does once. leave tells whether there is no feed any more.
func (f *feeds) join(of audience) (in *feed, leave func() bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if in = f.of[of]; in == nil {
		in = &feed{of: of}
		if f.of == nil {
			f.of = map[audience]*feed{}
		}
		f.of[of] = in
	}
	in.users++
	return in, func() bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		if in.users--; in.users == 0 {
			delete(f.of, of)
		}
		return len(f.of) == 0
	}
}

// readNews reads for a feed what came after the last news, or after a number where
// that is later.
func (s *Server) readNews(ctx context.Context, of audience, last *news, number uint64) (*news, error) {
	f, release, err := s.Engine.Fight(ctx, of.table, of.encounter)
	if err != nil {
		return nil, err
	}
	defer release()
	if last == nil || last.number < number {
		last = &news{number: number}
	}
	pub, as := publicOf(f), aggregate.Viewer(of.viewer)
	steps, more, err := s.watched(ctx, f, as, last.number, of.bytes)
	if err != nil {
		return nil, err
	}
	all := make([]told, len(steps))
	for i, step := range steps {
		if all[i], err = tell(step); err != nil {
			return nil, err
		}
	}
	out := last.with(all)
	out.more, out.public = more, pub
	return out, nil
}

// tell encodes a step for all who are told it.
func tell(step *encounterv1.Step) (told, error) {
	out := told{number: step.Number, transcript: step.Transcript}
	step.Number, step.Cursor = 0, ""
	data, err := proto.Marshal(step)
	out.rest = mem.SliceBuffer(data)
	out.text = sync.OnceValues(func() ([]byte, error) {
		rest := &encounterv1.Step{}
		if err := proto.Unmarshal(data, rest); err != nil {
			return nil, err
		}
		return rpc.EncodeJSON(nil, rest)
	})
	return out, err
}

// Fields of a WatchResponse and of a Step that a viewer alone has.
const (
	responseStep protowire.Number = 1
	stepNumber   protowire.Number = 1
	stepCursor   protowire.Number = 2
)

// message is the step as a message of a watch: what is the viewer's own, and then what
// all share. It is what encoding the whole gives, for fields are written in the order
// of their numbers.
func (t told) message(cursor string) proto.Message {
	own := protowire.SizeTag(stepNumber) + protowire.SizeVarint(t.number) + protowire.SizeTag(stepCursor) + protowire.SizeBytes(len(cursor))
	b := make([]byte, 0, own+16)
	b = protowire.AppendTag(b, responseStep, protowire.BytesType)
	b = protowire.AppendVarint(b, uint64(own+t.rest.Len())) //nolint:gosec // a length
	b = protowire.AppendTag(b, stepNumber, protowire.VarintType)
	b = protowire.AppendVarint(b, t.number)
	b = protowire.AppendTag(b, stepCursor, protowire.BytesType)
	b = protowire.AppendString(b, cursor)
	return rpc.NewEncoded((*encounterv1.WatchResponse)(nil).ProtoReflect().Type(), mem.SliceBuffer(b), t.rest).
		InJSON(func() ([]byte, error) { return t.inJSON(cursor) })
}

// inJSON is the message as JSON. As in bytes, the number and the cursor come first.
func (t told) inJSON(cursor string) ([]byte, error) {
	rest, err := t.text()
	if err != nil {
		return nil, err
	}
	own, err := rpc.EncodeJSON([]byte(`{"step":`), &encounterv1.Step{Number: t.number, Cursor: cursor})
	if err != nil {
		return nil, err
	}
	if rest = rest[1:]; len(rest) > 1 { // more than the brace
		own = append(own[:len(own)-1], ',')
	} else {
		own = own[:len(own)-1]
	}
	return append(append(own, rest...), '}'), nil
}
