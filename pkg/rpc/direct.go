package rpc

import (
	"context"
	"reflect"
	"strings"
	"sync"
	"time"

	"go.opentelemetry.io/contrib/instrumentation/google.golang.org/grpc/otelgrpc"
	"go.opentelemetry.io/otel/trace"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/stats"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Direct is a connection to a server of the same process that hands messages over
// instead of encoding them: a unary call is a call of the handler on the caller's
// goroutine, inside the server's interceptors. Metadata, deadline, cancellation, peer,
// method, headers, trailers, spans and errors with their details are those of a call
// over [InProcess.Dial]; of the caller's context nothing else gets through, as over a
// wire. Streams, unknown methods and calls with options that only a transport can keep
// go over the pipe.
//
// What is other than over a wire: the fields of a message are the receiver's, but what
// they hold is shared, so neither side may write into it once it was sent or got, nor
// keep what the other goes on writing to; a call comes back when its handler does, which
// must therefore end with its context; and nothing bounds a message or looks whether its
// texts are UTF-8. So it is for services among themselves, never for callers.
type Direct struct {
	pipe   *InProcess
	conn   *grpc.ClientConn // for what is not called directly
	tracer stats.Handler    // of the client's half; nil makes no spans
	use    use              // what it has in flight, as one connection
}

// Direct makes one; calls before Serve wait for it. The caller closes it.
func (p *InProcess) Direct(tracer trace.TracerProvider) (*Direct, error) {
	d := &Direct{pipe: p}
	var opts []grpc.DialOption
	if tracer != nil {
		opts = append(opts, WithTracing(tracer))
		d.tracer = otelgrpc.NewClientHandler(otelgrpc.WithTracerProvider(tracer))
	}
	var err error
	d.conn, err = p.Dial(opts...)
	return d, err
}

// Close lets go of the pipe; calls afterwards are refused.
func (d *Direct) Close() error { return d.conn.Close() }

// NewStream implements grpc.ClientConnInterface, over the pipe.
func (d *Direct) NewStream(ctx context.Context, desc *grpc.StreamDesc, method string, opts ...grpc.CallOption) (grpc.ClientStream, error) {
	return d.conn.NewStream(ctx, desc, method, opts...)
}

// Invoke implements grpc.ClientConnInterface.
func (d *Direct) Invoke(ctx context.Context, method string, args, reply any, opts ...grpc.CallOption) error {
	c := directCall{method: method}
	in, isMessage := args.(proto.Message)
	out, takesMessage := reply.(proto.Message)
	if !isMessage || !takesMessage || !c.understand(opts) {
		return d.conn.Invoke(ctx, method, args, reply, opts...)
	}
	select {
	case <-d.pipe.bound:
	case <-ctx.Done():
		return remote(status.FromContextError(ctx.Err()).Err())
	}
	if c.handler = d.pipe.server.inside.methods[method]; c.handler.unary == nil {
		return d.conn.Invoke(ctx, method, args, reply, opts...)
	}
	return remote(c.run(ctx, d, in, out))
}

// directCall is one call.
type directCall struct {
	method          string
	handler         called
	headers, ends   []*metadata.MD // where the caller wants them
	peers           []*peer.Peer
	header, trailer metadata.MD
}

// understand takes the options of a call; false when there is one that it can not keep.
func (c *directCall) understand(opts []grpc.CallOption) bool {
	for _, o := range opts {
		switch o := o.(type) {
		case grpc.HeaderCallOption:
			c.headers = append(c.headers, o.HeaderAddr)
		case grpc.TrailerCallOption:
			c.ends = append(c.ends, o.TrailerAddr)
		case grpc.PeerCallOption:
			c.peers = append(c.peers, o.PeerAddr)
		case grpc.FailFastCallOption, grpc.StaticMethodCallOption, grpc.EmptyCallOption:
		default:
			return false
		}
	}
	return true
}

// run makes the call, with the client's span around it.
func (c *directCall) run(ctx context.Context, d *Direct, in, out proto.Message) (err error) {
	span := c.span(&ctx, d.tracer, true)
	defer func() {
		span.end(ctx, err)
		c.answer(d)
	}()
	if err := ctx.Err(); err != nil {
		return status.FromContextError(err).Err()
	}
	span.payload(ctx, in, false)
	server := d.pipe.server
	sctx, leave := server.direct.enter(detached{ctx})
	if leave == nil {
		return status.Error(codes.Unavailable, "the server is stopping")
	}
	defer leave()
	if err := c.serve(c.incoming(ctx, sctx, d), server, in, out); err != nil {
		return status.Convert(err).Err()
	}
	span.payload(ctx, out, true)
	return nil
}

// incoming is the context of the server's half.
func (c *directCall) incoming(ctx, sctx context.Context, d *Direct) context.Context {
	md, _ := metadata.FromOutgoingContext(ctx) // a copy, with keys in lower case
	for k := range md {
		if strings.HasPrefix(k, ":") || strings.HasPrefix(k, "grpc-") {
			delete(md, k) // the transport's own
		}
	}
	if md == nil {
		md = metadata.MD{}
	}
	sctx = metadata.NewIncomingContext(sctx, md)
	sctx = peer.NewContext(sctx, d.peer())
	sctx = grpc.NewContextWithServerTransportStream(sctx, c)
	if d.pipe.server.limited {
		sctx = context.WithValue(sctx, connectionKey{}, &d.use)
	}
	return sctx
}

func (d *Direct) peer() *peer.Peer {
	return &peer.Peer{Addr: d.pipe.listener.Addr(), LocalAddr: d.pipe.listener.Addr()}
}

// serve is the server's half: the handler in its interceptors, with the server's span.
func (c *directCall) serve(ctx context.Context, s *Server, in, out proto.Message) (err error) {
	span := c.span(&ctx, s.inside.tracer, false)
	defer func() { span.end(ctx, err) }()
	span.payload(ctx, in, true)
	res, err := c.handler.unary(c.handler.impl, ctx, func(v any) error {
		m, ok := v.(proto.Message)
		if !ok {
			return status.Errorf(codes.Internal, "rpc: %T is no message", v)
		}
		hand(m, in)
		return nil
	}, s.inside.unary)
	if err != nil {
		return err
	}
	m, ok := res.(proto.Message)
	if !ok {
		return status.Errorf(codes.Internal, "rpc: %T is no message", res)
	}
	hand(out, m)
	span.payload(ctx, out, false)
	return nil
}

// hand gives a message what another holds.
func hand(to, from proto.Message) {
	dst, src := reflect.ValueOf(to), reflect.ValueOf(from)
	if fields := shapes.of(dst.Type()); fields != nil && src.Type() == dst.Type() && !src.IsNil() {
		dst, src = dst.Elem(), src.Elem()
		for _, i := range fields {
			dst.Field(i).Set(src.Field(i))
		}
	} else {
		dst, src := to.ProtoReflect(), from.ProtoReflect()
		src.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
			dst.Set(fd, v)
			return true
		})
	}
	if u := from.ProtoReflect().GetUnknown(); len(u) > 0 {
		to.ProtoReflect().SetUnknown(u)
	}
}

// shapes are the types of messages that were handed over, each with the places of the
// fields that a message of it holds as they are; nil for messages that hold them
// otherwise. They are as many as the services of a program have.
var shapes shapeTable

type shapeTable struct{ byType sync.Map } // reflect.Type -> []int

func (s *shapeTable) of(t reflect.Type) []int {
	if known, ok := s.byType.Load(t); ok {
		return known.([]int)
	}
	fields := shape(t)
	s.byType.Store(t, fields)
	return fields
}

// shape finds the fields of a type that protoc-gen-go made with all of them open.
func shape(t reflect.Type) []int {
	if t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.Struct {
		return nil
	}
	t = t.Elem()
	if state, ok := t.FieldByName("state"); !ok || state.Tag.Get("protogen") != "open.v1" {
		return nil
	}
	out := []int{} // of a message without fields, too
	for i := range t.NumField() {
		f := t.Field(i)
		_, single := f.Tag.Lookup("protobuf")
		_, oneof := f.Tag.Lookup("protobuf_oneof")
		switch {
		case f.IsExported() && (single || oneof):
			out = append(out, i)
		case f.Name != "state" && f.Name != "unknownFields" && f.Name != "sizeCache":
			return nil // such as extensions
		}
	}
	return out
}

// answer gives the caller what else it wants of the answer.
func (c *directCall) answer(d *Direct) {
	for _, h := range c.headers {
		*h = c.header.Copy()
	}
	for _, t := range c.ends {
		*t = c.trailer.Copy()
	}
	for _, p := range c.peers {
		*p = *d.peer()
	}
}

// Method implements grpc.ServerTransportStream.
func (c *directCall) Method() string { return c.method }

// SetHeader implements grpc.ServerTransportStream.
func (c *directCall) SetHeader(md metadata.MD) error {
	c.header = metadata.Join(c.header, md)
	return nil
}

// SendHeader implements grpc.ServerTransportStream: they arrive with the answer.
func (c *directCall) SendHeader(md metadata.MD) error { return c.SetHeader(md) }

// SetTrailer implements grpc.ServerTransportStream.
func (c *directCall) SetTrailer(md metadata.MD) error {
	c.trailer = metadata.Join(c.trailer, md)
	return nil
}

// half is the span of one half of a call; the zero value makes none.
type half struct {
	handler stats.Handler
	client  bool
	begin   time.Time
}

// span begins one; the context becomes that of the half.
func (c *directCall) span(ctx *context.Context, h stats.Handler, client bool) half {
	if h == nil {
		return half{}
	}
	out := half{handler: h, client: client, begin: time.Now()}
	*ctx = h.TagRPC(*ctx, &stats.RPCTagInfo{FullMethodName: c.method, FailFast: true})
	h.HandleRPC(*ctx, &stats.Begin{Client: client, BeginTime: out.begin, FailFast: true})
	return out
}

func (s half) payload(ctx context.Context, m proto.Message, in bool) {
	switch {
	case s.handler == nil:
	case in:
		s.handler.HandleRPC(ctx, &stats.InPayload{Client: s.client, Payload: m, Length: proto.Size(m), RecvTime: time.Now()})
	default:
		s.handler.HandleRPC(ctx, &stats.OutPayload{Client: s.client, Payload: m, Length: proto.Size(m), SentTime: time.Now()})
	}
}

func (s half) end(ctx context.Context, err error) {
	if s.handler != nil {
		s.handler.HandleRPC(ctx, &stats.End{Client: s.client, BeginTime: s.begin, EndTime: time.Now(), Error: err})
	}
}

// detached is a context that ends as another does and holds nothing of it.
type detached struct{ context.Context }

// Value implements context.Context.
func (detached) Value(any) any { return nil }

// AfterFunc has contexts made from it end with it without a goroutine.
func (d detached) AfterFunc(f func()) func() bool { return context.AfterFunc(d.Context, f) }
