package rpc

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net"
	"slices"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/stats"
	"google.golang.org/grpc/status"
)

// Method is a method that a server offers.
type Method struct {
	// Name as gRPC has it: /package.Service/Method.
	Name string
	// ClientStreams and ServerStreams: the callers, or the server, may send several
	// messages.
	ClientStreams, ServerStreams bool
}

// Incoming is a call that came by another way than gRPC's own listener.
type Incoming struct {
	// Method as gRPC has it.
	Method string
	// Metadata that the caller sent.
	Metadata metadata.MD
	// Peer is who calls; nil where nobody knows.
	Peer net.Addr
	// Transport takes the headers and trailers that the handler sets.
	Transport grpc.ServerTransportStream
}

// called is a method with the service that answers it.
type called struct {
	Method
	unary  grpc.MethodHandler
	stream grpc.StreamHandler
	impl   any
}

// inside carries out calls that came by another way, in the same chain.
type inside struct {
	unary   grpc.UnaryServerInterceptor
	stream  grpc.StreamServerInterceptor
	tracer  stats.Handler // nil traces nothing
	methods map[string]called
}

// RegisterService implements grpc.ServiceRegistrar.
func (s *Server) RegisterService(d *grpc.ServiceDesc, impl any) {
	s.Server.RegisterService(d, impl)
	for _, m := range d.Methods {
		name := "/" + d.ServiceName + "/" + m.MethodName
		s.inside.methods[name] = called{Method: Method{Name: name}, unary: m.Handler, impl: impl}
	}
	for _, m := range d.Streams {
		name := "/" + d.ServiceName + "/" + m.StreamName
		s.inside.methods[name] = called{Method: Method{Name: name, ClientStreams: m.ClientStreams, ServerStreams: m.ServerStreams},
			stream: m.Handler, impl: impl}
	}
}

// Methods are all methods that are registered, by name.
func (s *Server) Methods() []Method {
	var out []Method
	for _, c := range slices.SortedFunc(maps.Values(s.inside.methods), func(a, b called) int { return cmp.Compare(a.Name, b.Name) }) {
		out = append(out, c.Method)
	}
	return out
}

// Call answers a call with one request and one reply as the server's listener would:
// through the same checks, limits, permissions and counts. read fills in the request;
// see Decode and DecodeJSON. Errors are statuses.
func (s *Server) Call(ctx context.Context, in Incoming, read func(any) error) (reply any, err error) {
	c, ok := s.inside.methods[in.Method]
	if !ok || c.unary == nil {
		return nil, unknownMethod(in.Method)
	}
	ctx, end := s.begin(ctx, in)
	defer func() { end(err) }()
	reply, err = c.unary(c.impl, ctx, read, s.inside.unary)
	return reply, Status(err)
}

// Stream answers a call of a streaming method likewise. Messages that ss is to
// receive are read by Decode or DecodeJSON.
func (s *Server) Stream(in Incoming, ss grpc.ServerStream) (err error) {
	c, ok := s.inside.methods[in.Method]
	if !ok || c.stream == nil {
		return unknownMethod(in.Method)
	}
	ctx, end := s.begin(ss.Context(), in)
	defer func() { end(err) }()
	info := &grpc.StreamServerInfo{FullMethod: in.Method, IsClientStream: c.ClientStreams, IsServerStream: c.ServerStreams}
	return Status(s.inside.stream(c.impl, &insideStream{ss, ctx}, info, c.stream))
}

// insideStream has the context of a call that came in.
type insideStream struct {
	grpc.ServerStream
	ctx context.Context //nolint:containedctx // a stream has one
}

// Context implements grpc.ServerStream.
func (s *insideStream) Context() context.Context { return s.ctx }

// begin makes the context of a call what it would be under gRPC.
func (s *Server) begin(ctx context.Context, in Incoming) (context.Context, func(error)) {
	ctx = metadata.NewIncomingContext(ctx, in.Metadata)
	if in.Peer != nil {
		ctx = peer.NewContext(ctx, &peer.Peer{Addr: in.Peer})
	}
	if in.Transport != nil {
		ctx = grpc.NewContextWithServerTransportStream(ctx, in.Transport)
	}
	t := s.inside.tracer
	if t == nil {
		return ctx, func(error) {}
	}
	start := time.Now()
	ctx = t.TagRPC(ctx, &stats.RPCTagInfo{FullMethodName: in.Method})
	t.HandleRPC(ctx, &stats.Begin{BeginTime: start})
	return ctx, func(err error) { t.HandleRPC(ctx, &stats.End{BeginTime: start, EndTime: time.Now(), Error: err}) }
}

func unknownMethod(name string) error {
	return status.Errorf(codes.Unimplemented, "there is no method %s here", clean(name))
}

// WithConnection marks the context of a connection, so that the limits of one
// connection count all calls whose contexts come from it.
func WithConnection(ctx context.Context) context.Context {
	return context.WithValue(ctx, connectionKey{}, &use{})
}

// Decode reads a request as the server does: what is no such message becomes one
// that is refused as INVALID_ARGUMENT, with the field where one is to blame.
func (s *Server) Decode(data []byte, v any) error { return s.codec.read(data, v) }

// chainUnary runs interceptors one within the other, the first outermost.
func chainUnary(all []grpc.UnaryServerInterceptor) grpc.UnaryServerInterceptor {
	return func(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
		next := handler
		for _, one := range slices.Backward(all) {
			inner := next
			next = func(ctx context.Context, req any) (any, error) { return one(ctx, req, info, inner) }
		}
		return next(ctx, req)
	}
}

// chainStream does the same for streams.
func chainStream(all []grpc.StreamServerInterceptor) grpc.StreamServerInterceptor {
	return func(srv any, ss grpc.ServerStream, info *grpc.StreamServerInfo, handler grpc.StreamHandler) error {
		next := handler
		for _, one := range slices.Backward(all) {
			inner := next
			next = func(srv any, ss grpc.ServerStream) error { return one(srv, ss, info, inner) }
		}
		return next(srv, ss)
	}
}

// errNoMessage: Decode was asked to read something else than a message.
var errNoMessage = errors.New("rpc: no message to read into")
