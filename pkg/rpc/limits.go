package rpc

import (
	"context"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/stats"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
)

// Limits bounds what callers may have in flight at a time; 0 is no limit. What
// goes beyond is refused with RESOURCE_EXHAUSTED, which names the limit.
type Limits struct {
	// ConnectionStreams and PrincipalStreams bound open streams: watches,
	// exports, reflection.
	ConnectionStreams, PrincipalStreams int
	// ServerStreams bounds those of all callers together.
	ServerStreams int
	// ConnectionCalls and PrincipalCalls bound unary calls in flight.
	ConnectionCalls, PrincipalCalls int
	// Who tells whose a call is, after Options.Unary and Options.Stream have
	// run; nil means PeerAddress.
	Who func(ctx context.Context) string
}

// DefaultLimits are those of package limits.
func DefaultLimits() Limits {
	return Limits{ConnectionStreams: limits.ConnectionStreams, PrincipalStreams: limits.PrincipalStreams,
		ServerStreams: limits.ServerStreams, ConnectionCalls: limits.ConnectionCalls, PrincipalCalls: limits.PrincipalCalls}
}

// Raised are the limits with those of a connection no lower than those of the
// principal, for which one connection may be all that it has.
func (l Limits) Raised() *Limits {
	l.ConnectionStreams, l.ConnectionCalls = raise(l.ConnectionStreams, l.PrincipalStreams), raise(l.ConnectionCalls, l.PrincipalCalls)
	return &l
}

// raise is the higher limit, where 0 is none.
func raise(a, b int) int {
	if a == 0 || b == 0 {
		return 0
	}
	return max(a, b)
}

// Names of the limits, as a refusal gives them.
const (
	LimitConnectionStreams = "streams.connection"
	LimitPrincipalStreams  = "streams.principal"
	LimitServerStreams     = "streams.server"
	LimitConnectionCalls   = "calls.connection"
	LimitPrincipalCalls    = "calls.principal"
)

// use is what somebody has in flight.
type use struct{ streams, calls int }

// limiter keeps Limits.
type limiter struct {
	limits Limits

	mu         sync.Mutex
	server     use
	principals map[string]*use // those with anything in flight
}

func newLimiter(l Limits) *limiter {
	if l.Who == nil {
		l.Who = PeerAddress
	}
	return &limiter{limits: l, principals: map[string]*use{}}
}

// connectionKey finds the use of a connection in the contexts of its calls.
type connectionKey struct{}

// connections tags each connection with its use.
type connections struct{}

// TagConn implements stats.Handler. Over net/http each call comes as a connection of
// its own; its context has that of the real one.
func (connections) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context {
	if _, ok := ctx.Value(connectionKey{}).(*use); ok {
		return ctx
	}
	return WithConnection(ctx)
}

// HandleConn implements stats.Handler.
func (connections) HandleConn(context.Context, stats.ConnStats) {}

// TagRPC implements stats.Handler.
func (connections) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context { return ctx }

// HandleRPC implements stats.Handler.
func (connections) HandleRPC(context.Context, stats.RPCStats) {}

// take counts one more against a limit, or refuses; mu is held.
func take(n *int, most int, name string) error {
	if most > 0 && *n >= most {
		return fault.Limit(name, int64(most), int64(*n)+1)
	}
	*n++
	return nil
}

// ofConnection is the use of the call's connection.
func ofConnection(ctx context.Context) *use {
	if u, ok := ctx.Value(connectionKey{}).(*use); ok {
		return u
	}
	return &use{} // a call that came over no connection of a server
}

func (l *limiter) connectionUnary(ctx context.Context, req any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
	c := ofConnection(ctx)
	l.mu.Lock()
	err := take(&c.calls, l.limits.ConnectionCalls, LimitConnectionCalls)
	l.mu.Unlock()
	if err != nil {
		return nil, err
	}
	defer func() {
		l.mu.Lock()
		c.calls--
		l.mu.Unlock()
	}()
	return next(ctx, req)
}

func (l *limiter) connectionStream(srv any, ss grpc.ServerStream, _ *grpc.StreamServerInfo, next grpc.StreamHandler) error {
	c := ofConnection(ss.Context())
	if err := l.enterStream(c); err != nil {
		return err
	}
	defer func() {
		l.mu.Lock()
		c.streams--
		l.server.streams--
		l.mu.Unlock()
	}()
	return next(srv, ss)
}

func (l *limiter) enterStream(c *use) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := take(&c.streams, l.limits.ConnectionStreams, LimitConnectionStreams); err != nil {
		return err
	}
	if err := take(&l.server.streams, l.limits.ServerStreams, LimitServerStreams); err != nil {
		c.streams--
		return err
	}
	return nil
}

func (l *limiter) principalUnary(ctx context.Context, req any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
	leave, err := l.enter(l.limits.Who(ctx), func(u *use) *int { return &u.calls }, l.limits.PrincipalCalls, LimitPrincipalCalls)
	if err != nil {
		return nil, err
	}
	defer leave()
	return next(ctx, req)
}

func (l *limiter) principalStream(srv any, ss grpc.ServerStream, _ *grpc.StreamServerInfo, next grpc.StreamHandler) error {
	leave, err := l.enter(l.limits.Who(ss.Context()), func(u *use) *int { return &u.streams }, l.limits.PrincipalStreams, LimitPrincipalStreams)
	if err != nil {
		return err
	}
	defer leave()
	return next(srv, ss)
}

// enter counts one more of a principal's calls or streams until leave.
func (l *limiter) enter(who string, of func(*use) *int, most int, name string) (leave func(), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	u := l.principals[who]
	if u == nil {
		u = &use{}
	}
	if err := take(of(u), most, name); err != nil {
		return nil, err
	}
	l.principals[who] = u
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if *of(u)--; *u == (use{}) {
			delete(l.principals, who)
		}
	}, nil
}
