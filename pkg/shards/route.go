package shards

import (
	"context"
	"errors"
	"io"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/crew"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
)

// headerHanded is the metadata of a call that was handed on: the id of the member
// that did. Only the crew knows the ids, so that no caller can say this.
const headerHanded = "skald-handed-on"

// Lines are the connections to the other processes of a service.
type Lines interface {
	// To is the connection to a member's listener.
	To(member crew.Member) (grpc.ClientConnInterface, error)
	// Authorization tells whether the caller's token goes along.
	Authorization() bool
}

// Routes hands calls to the shard of their table, here or elsewhere.
type Routes[S Shard] struct {
	set   *Set[S]
	lines Lines
}

// Routes makes routes; lines may be nil where there is no crew.
func (s *Set[S]) Routes(lines Lines) *Routes[S] { return &Routes[S]{set: s, lines: lines} }

// Unary serves a call with one answer, of the method that ctx is a call of, at
// the shard of a table.
func Unary[S Shard, Req proto.Message, T any, Res interface {
	*T
	proto.Message
}](ctx context.Context, r *Routes[S], table string, req Req, call func(S, context.Context, Req) (Res, error)) (Res, error) {
	for tried := false; ; tried = true {
		p, err := r.set.place(ctx, table)
		if err != nil {
			return nil, err
		}
		for _, m := range r.elsewhere(ctx, p) {
			res := Res(new(T))
			err := r.invoke(ctx, m, req, res)
			if err == nil {
				return res, nil
			}
			if !r.passes(ctx, m, err) {
				return nil, err
			}
		}
		e, err := r.set.here(ctx, p)
		if err != nil {
			return nil, err
		}
		if err := gone(e.shard, table); err != nil {
			r.set.release(e)
			return nil, err
		}
		res, err := call(e.shard, ctx, req)
		err = meanwhile(e.shard, table, err)
		r.set.release(e)
		if tried || !errors.Is(err, journal.ErrMisplaced) {
			return res, err
		} // another process has placed the table meanwhile
	}
}

// Stream serves a call with many answers, as Unary does one with one.
func Stream[S Shard, Req proto.Message, T any, Res interface {
	*T
	proto.Message
}](r *Routes[S], table string, req Req, stream grpc.ServerStreamingServer[T], call func(S, Req, grpc.ServerStreamingServer[T]) error) error {
	ctx := stream.Context()
	p, err := r.set.place(ctx, table)
	if err != nil {
		return err
	}
	for _, m := range r.elsewhere(ctx, p) {
		sent, err := relay[S, Req, T, Res](ctx, r, m, req, stream)
		if err == nil || sent || !r.passes(ctx, m, err) {
			return err
		}
	}
	e, err := r.set.here(ctx, p)
	if err != nil {
		return err
	}
	defer r.set.release(e)
	if err := gone(e.shard, table); err != nil {
		return err
	}
	return meanwhile(e.shard, table, call(e.shard, req, stream))
}

// Knowing is a shard that knows which tables were deleted.
type Knowing interface {
	// Deleted is the fault that a deleted table answers; nil for any other.
	Deleted(table string) error
}

// gone is what a deleted table answers to everything.
func gone[S Shard](shard S, table string) error {
	if k, ok := any(shard).(Knowing); ok && table != "" {
		return k.Deleted(table)
	}
	return nil
}

// meanwhile is what a call answers that failed: of a table that was deleted while it
// was under way what was looked for may have gone from under it.
func meanwhile[S Shard](shard S, table string, err error) error {
	if err == nil {
		return nil
	}
	if deleted := gone(shard, table); deleted != nil {
		return deleted
	}
	return err
}

// place is the stream of a table. What is no table goes to stream 0, whose shard
// says so.
func (s *Set[S]) place(ctx context.Context, table string) (int, error) {
	p, err := s.cfg.Streams.Place(ctx, table, false)
	switch {
	case err == nil, errors.Is(err, journal.ErrInvalid):
		return p, nil
	case errors.Is(err, journal.ErrDirectory):
		return 0, fault.Wrap(fault.Unavailable, "TABLE_CLOSED", err, "the directory's entry of table %q is broken; an operator must look at it", table)
	case errors.Is(err, journal.ErrUnavailable):
		return 0, fault.Wrap(fault.Unavailable, "STORE_UNAVAILABLE", err, "the event store does not answer; repeat with the same request id")
	}
	return 0, err
}

// here is the shard of a stream in this process. One that was opened for a call
// first reads its stream to the end.
func (s *Set[S]) here(ctx context.Context, p int) (*entry[S], error) {
	e, err := s.take(ctx, p, true)
	if err != nil {
		if errors.Is(err, journal.ErrUnavailable) {
			err = fault.Wrap(fault.Unavailable, "STORE_UNAVAILABLE", err, "the event store does not answer; repeat with the same request id")
		}
		return nil, err
	}
	if !e.demanded {
		return e, nil
	}
	wait, cancel := context.WithTimeout(ctx, catchUp)
	defer cancel()
	if err := e.shard.Ready(wait); err != nil {
		s.release(e)
		return nil, fault.Wrap(fault.Unavailable, "BEHIND", err, "this server is still reading the log of the table; ask again")
	}
	return e, nil
}

// isOpen tells whether this process folds a stream now.
func (s *Set[S]) isOpen(p int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.shards[p]
	if e == nil {
		return false
	}
	select {
	case <-e.opened:
		return e.err == nil && (!e.demanded || e.shard.Status().CaughtUp)
	default:
		return false
	}
}

// elsewhere are the members to which a call may be handed on, best first: none
// when it was handed on already, or this process folds the stream.
func (r *Routes[S]) elsewhere(ctx context.Context, p int) []crew.Member {
	c := r.set.cfg.Crew
	if c == nil || r.lines == nil || r.set.isOpen(p) || c.Owns(p) {
		return nil
	}
	md, _ := metadata.FromIncomingContext(ctx)
	for _, by := range md.Get(headerHanded) {
		if c.Knows(by) {
			return nil
		}
	}
	return c.Owners(p)
}

// passes tells whether a call that failed at a member is to be tried elsewhere:
// the member did not do it, or cannot be asked whether it did, which is the same,
// since a call that is repeated is carried out once.
func (r *Routes[S]) passes(ctx context.Context, m crew.Member, err error) bool {
	if ctx.Err() != nil {
		return false
	}
	if errors.Is(err, errLost) {
		return true
	}
	switch status.Code(err) {
	case codes.Unavailable:
		if _, told := fault.As(err); !told || reason(err) == "UNAVAILABLE" {
			r.set.cfg.Crew.Gone(m.ID) // nobody is there who could have told why
		}
		return true
	case codes.Unimplemented, codes.Unauthenticated:
		return true // of the way between the two: what holds for the call is found out here again
	case codes.ResourceExhausted:
		f, _ := fault.As(err)
		return f != nil && wayLimit(f.Meta["limit"])
	}
	return false
}

// wayLimit tells whether a limit is one of calls in flight, of which the way
// between two processes may have less than the caller.
func wayLimit(name string) bool {
	return strings.HasPrefix(name, "streams.") || strings.HasPrefix(name, "calls.")
}

func reason(err error) string {
	f, _ := fault.As(err)
	return f.Reason
}

// onward is the context of a call that is handed on: with the caller's deadline
// and token.
func (r *Routes[S]) onward(ctx context.Context) context.Context {
	out := metadata.MD{headerHanded: []string{r.set.cfg.Crew.ID()}}
	md, _ := metadata.FromIncomingContext(ctx)
	for key, values := range md { // order-free: copied into a map
		switch {
		case key == "authorization" && !r.lines.Authorization(), key == headerHanded, key == "user-agent", key == "content-type",
			strings.HasPrefix(key, ":"), strings.HasPrefix(key, "grpc-"):
		default:
			out[key] = values
		}
	}
	return metadata.NewOutgoingContext(ctx, out)
}

func (r *Routes[S]) invoke(ctx context.Context, m crew.Member, req, res proto.Message) error {
	method, conn, err := r.line(ctx, m)
	if err != nil {
		return err
	}
	ctx, done := r.whileThere(ctx, m)
	defer done()
	return lostOr(ctx, conn.Invoke(r.onward(ctx), method, req, res))
}

// errLost ends a call to a member that is gone: one that hangs answers nothing.
var errLost = fault.New(fault.Unavailable, "UNAVAILABLE", "the process that serves the table is gone")

// whileThere is a context that ends when a member is gone; call done in the end.
func (r *Routes[S]) whileThere(ctx context.Context, m crew.Member) (inner context.Context, done func()) {
	inner, cancel := context.WithCancelCause(ctx)
	lost := r.set.cfg.Crew.Lost(m.ID)
	go func() { // ends with done
		select {
		case <-lost:
			cancel(errLost)
		case <-inner.Done():
		}
	}()
	return inner, func() { cancel(nil) }
}

// lostOr is the error of a call, or that its member was lost.
func lostOr(ctx context.Context, err error) error {
	if err != nil && errors.Is(context.Cause(ctx), errLost) {
		return errLost
	}
	return err
}

func (r *Routes[S]) line(ctx context.Context, m crew.Member) (string, grpc.ClientConnInterface, error) {
	method, ok := grpc.Method(ctx)
	if !ok {
		return "", nil, errors.New("shards: a call without a method")
	}
	conn, err := r.lines.To(m)
	return method, conn, err
}

// relay hands a call on and its answers back; sent tells whether any came.
func relay[S Shard, Req proto.Message, T any, Res interface {
	*T
	proto.Message
}](ctx context.Context, r *Routes[S], m crew.Member, req Req, stream grpc.ServerStreamingServer[T]) (sent bool, err error) {
	method, conn, err := r.line(ctx, m)
	if err != nil {
		return false, err
	}
	ctx, done := r.whileThere(ctx, m) // ends the other side when this one ends
	defer done()
	defer func() { err = lostOr(ctx, err) }()
	from, err := conn.NewStream(r.onward(ctx), &grpc.StreamDesc{ServerStreams: true}, method)
	if err != nil {
		return false, err
	}
	if err := from.SendMsg(req); err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	if err := from.CloseSend(); err != nil {
		return false, err
	}
	for {
		one := Res(new(T))
		if err := from.RecvMsg(one); errors.Is(err, io.EOF) {
			return sent, nil
		} else if err != nil {
			return sent, err
		}
		sent = true
		if err := stream.Send((*T)(one)); err != nil {
			return sent, err
		}
	}
}
