package web

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"

	"connectrpc.com/connect"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/skaldrpg/skald/pkg/rpc"
)

// minCompress is the size from which messages are compressed, bytes.
const minCompress = 1 << 10

// handlers are those of all methods of a server, by path.
func handlers(s *rpc.Server, maxMessage int) map[string]http.Handler {
	options := append(codecs(s), connect.WithReadMaxBytes(maxMessage), connect.WithSendMaxBytes(maxMessage),
		connect.WithCompressMinBytes(minCompress))
	out := map[string]http.Handler{}
	for _, m := range s.Methods() {
		b := bridge{server: s, method: m.Name}
		switch {
		case m.ClientStreams:
			out[m.Name] = connect.NewBidiStreamHandler(m.Name, b.both, options...)
		case m.ServerStreams:
			out[m.Name] = timely(connect.NewServerStreamHandler(m.Name, b.stream, options...))
		default:
			out[m.Name] = timely(connect.NewUnaryHandler(m.Name, b.unary, options...))
		}
	}
	return out
}

// bridge carries one method over to the server.
type bridge struct {
	server *rpc.Server
	method string
}

func (b bridge) unary(ctx context.Context, r *connect.Request[request]) (*connect.Response[reply], error) {
	m, err := b.server.Call(ctx, b.incoming(ctx), r.Msg.read)
	if err != nil {
		return nil, asConnect(err)
	}
	return connect.NewResponse(&reply{m}), nil
}

func (b bridge) stream(ctx context.Context, r *connect.Request[request], to *connect.ServerStream[reply]) error {
	first := r.Msg
	receive := func() (*request, error) {
		if first == nil {
			return nil, io.EOF
		}
		one := first
		first = nil
		return one, nil
	}
	return b.run(ctx, receive, to.Send)
}

func (b bridge) both(ctx context.Context, s *connect.BidiStream[request, reply]) error {
	return b.run(ctx, s.Receive, s.Send)
}

func (b bridge) run(ctx context.Context, receive func() (*request, error), send func(*reply) error) error {
	in := b.incoming(ctx)
	return asConnect(b.server.Stream(in, &stream{ctx: ctx, transport: in.Transport, receive: receive, send: send}))
}

// incoming is what the server is told of a call.
func (b bridge) incoming(ctx context.Context) rpc.Incoming {
	in := rpc.Incoming{Method: b.method}
	if info, ok := connect.CallInfoForHandlerContext(ctx); ok {
		in.Metadata = metadataOf(info.RequestHeader())
		in.Peer = address(info.Peer().Addr)
		in.Transport = transport{b.method, info}
	}
	return in
}

// address is that of the other side of a connection, as net/http has it.
type address string

// Network implements net.Addr.
func (address) Network() string { return "tcp" }

// String implements net.Addr.
func (a address) String() string { return string(a) }

// binarySuffix ends the names of headers whose values are bytes.
const binarySuffix = "-bin"

// metadataOf is what a handler sees of the headers of a call. Cookies are nobody's
// business here: a call shows who makes it by its token alone.
func metadataOf(h http.Header) metadata.MD {
	md := metadata.MD{}
	for name, values := range h {
		name = strings.ToLower(name)
		if name == "cookie" {
			continue
		}
		for _, v := range values {
			if strings.HasSuffix(name, binarySuffix) {
				data, err := connect.DecodeBinaryHeader(v)
				if err != nil {
					continue
				}
				v = string(data)
			}
			md[name] = append(md[name], v)
		}
	}
	return md
}

// transport puts what a handler sets into the headers and trailers of the answer.
type transport struct {
	method string
	info   connect.CallInfo
}

// Method implements grpc.ServerTransportStream.
func (t transport) Method() string { return t.method }

// SetHeader implements grpc.ServerTransportStream.
func (t transport) SetHeader(md metadata.MD) error { return into(t.info.ResponseHeader(), md) }

// SendHeader implements grpc.ServerTransportStream: it goes with the first message.
func (t transport) SendHeader(md metadata.MD) error { return t.SetHeader(md) }

// SetTrailer implements grpc.ServerTransportStream.
func (t transport) SetTrailer(md metadata.MD) error { return into(t.info.ResponseTrailer(), md) }

func into(h http.Header, md metadata.MD) error {
	for name, values := range md {
		for _, v := range values {
			if strings.HasSuffix(name, binarySuffix) {
				v = connect.EncodeBinaryHeader([]byte(v))
			}
			h.Add(name, v)
		}
	}
	return nil
}

// stream is a stream of Connect as the handlers of gRPC know one.
type stream struct {
	ctx       context.Context //nolint:containedctx // a stream has one
	transport grpc.ServerTransportStream
	receive   func() (*request, error)
	send      func(*reply) error
}

// Context implements grpc.ServerStream.
func (s *stream) Context() context.Context { return s.ctx }

// SetHeader implements grpc.ServerStream.
func (s *stream) SetHeader(md metadata.MD) error { return s.transport.SetHeader(md) }

// SendHeader implements grpc.ServerStream.
func (s *stream) SendHeader(md metadata.MD) error { return s.transport.SendHeader(md) }

// SetTrailer implements grpc.ServerStream.
func (s *stream) SetTrailer(md metadata.MD) { s.transport.SetTrailer(md) } //nolint:errcheck // it never fails

// RecvMsg implements grpc.ServerStream.
func (s *stream) RecvMsg(m any) error {
	r, err := s.receive()
	if err != nil {
		return asStatus(err)
	}
	return r.read(m)
}

// SendMsg implements grpc.ServerStream.
func (s *stream) SendMsg(m any) error { return asStatus(s.send(&reply{m})) }

// asConnect is a status as an error of Connect, with all its details.
func asConnect(err error) error {
	if err == nil {
		return nil
	}
	s := status.Convert(err)
	out := connect.NewError(connect.Code(s.Code()), errors.New(s.Message()))
	for _, d := range s.Proto().GetDetails() {
		if detail, err := connect.NewErrorDetail(d); err == nil {
			out.AddDetail(detail)
		}
	}
	return out
}

// asStatus is an error of Connect as a status: what went wrong on the way to the
// caller, or from there. The regular end of a stream stays itself.
func asStatus(err error) error {
	var e *connect.Error
	switch {
	case errors.Is(err, io.EOF):
		return io.EOF
	case errors.As(err, &e):
		return status.Error(codes.Code(e.Code()), e.Message())
	}
	return err
}
