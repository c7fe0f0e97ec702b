package webtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"connectrpc.com/connect"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"

	spb "google.golang.org/genproto/googleapis/rpc/status"
)

// Conn is a connection. It implements grpc.ClientConnInterface for calls with one
// reply and for streams of replies.
type Conn struct {
	// Client makes the requests; with it comes the version of HTTP.
	Client *http.Client
	// URL is the server's address with the base path, without a slash at its end.
	URL string
	// Web speaks gRPC-Web in place of Connect, JSON sends JSON in place of protobuf.
	Web, JSON bool
	// Header goes with each call.
	Header http.Header
}

// Errors that are no call's.
var errNoMessage = errors.New("webtest: no message")

// out is a message to be sent, in one that came.
type (
	out struct{ m proto.Message }
	in  struct{ data []byte }
)

// codec leaves messages to who knows their types.
type codec struct{ json bool }

// Name implements connect.Codec.
func (c codec) Name() string {
	if c.json {
		return "json"
	}
	return "proto"
}

// Marshal implements connect.Codec.
func (c codec) Marshal(v any) ([]byte, error) {
	o, ok := v.(*out)
	switch {
	case !ok:
		return nil, errNoMessage
	case c.json:
		return protojson.Marshal(o.m)
	}
	return proto.Marshal(o.m)
}

// Unmarshal implements connect.Codec.
func (c codec) Unmarshal(data []byte, v any) error {
	switch v := v.(type) {
	case *in:
		v.data = bytes.Clone(data)
		return nil
	case proto.Message: // a status of gRPC-Web
		return proto.Unmarshal(data, v)
	}
	return errNoMessage
}

func (c codec) read(i *in, v any) error {
	m, ok := v.(proto.Message)
	switch {
	case !ok:
		return errNoMessage
	case c.json:
		return protojson.Unmarshal(i.data, m)
	}
	return proto.Unmarshal(i.data, m)
}

func (c *Conn) client(method string) *connect.Client[out, in] {
	options := []connect.ClientOption{connect.WithCodec(codec{c.JSON})}
	if c.Web {
		options = append(options, connect.WithGRPCWeb())
	}
	return connect.NewClient[out, in](c.Client, c.URL+method, options...)
}

func (c *Conn) headers(ctx context.Context, h http.Header) {
	for name, values := range c.Header {
		h[name] = values
	}
	md, _ := metadata.FromOutgoingContext(ctx) //nolint:errcheck // none is none
	for name, values := range md {
		for _, v := range values {
			h.Add(name, v)
		}
	}
}

// Invoke implements grpc.ClientConnInterface.
func (c *Conn) Invoke(ctx context.Context, method string, args, reply any, _ ...grpc.CallOption) error {
	m, ok := args.(proto.Message)
	if !ok {
		return errNoMessage
	}
	r := connect.NewRequest(&out{m})
	c.headers(ctx, r.Header())
	got, err := c.client(method).CallUnary(ctx, r)
	if err != nil {
		return Status(err)
	}
	return codec{c.JSON}.read(got.Msg, reply)
}

// NewStream implements grpc.ClientConnInterface; of a stream of replies alone.
func (c *Conn) NewStream(ctx context.Context, desc *grpc.StreamDesc, method string, _ ...grpc.CallOption) (grpc.ClientStream, error) {
	if desc.ClientStreams {
		return nil, status.Error(codes.Unimplemented, "webtest: only streams of replies")
	}
	ctx, cancel := context.WithCancel(ctx)
	return &stream{conn: c, ctx: ctx, cancel: cancel, method: method}, nil
}

type stream struct {
	conn   *Conn
	ctx    context.Context //nolint:containedctx // a stream has one
	cancel context.CancelFunc
	method string
	from   *connect.ServerStreamForClient[in]
}

// Header implements grpc.ClientStream.
func (s *stream) Header() (metadata.MD, error) { return metadataOf(s.from.ResponseHeader()), nil }

// Trailer implements grpc.ClientStream.
func (s *stream) Trailer() metadata.MD { return metadataOf(s.from.ResponseTrailer()) }

func metadataOf(h http.Header) metadata.MD {
	md := metadata.MD{}
	for name, values := range h {
		md[strings.ToLower(name)] = values
	}
	return md
}

// CloseSend implements grpc.ClientStream.
func (s *stream) CloseSend() error { return nil }

// Context implements grpc.ClientStream.
func (s *stream) Context() context.Context { return s.ctx }

// SendMsg implements grpc.ClientStream.
func (s *stream) SendMsg(v any) error {
	m, ok := v.(proto.Message)
	if !ok {
		return errNoMessage
	}
	r := connect.NewRequest(&out{m})
	s.conn.headers(s.ctx, r.Header())
	from, err := s.conn.client(s.method).CallServerStream(s.ctx, r)
	s.from = from
	return Status(err)
}

// RecvMsg implements grpc.ClientStream.
func (s *stream) RecvMsg(v any) error {
	if s.from.Receive() {
		return codec{s.conn.JSON}.read(s.from.Msg(), v)
	}
	err := s.from.Err()
	s.cancel()
	if err == nil {
		return io.EOF
	}
	return Status(err)
}

// Status is an error of Connect as a status of gRPC, with its details.
func Status(err error) error {
	e := new(connect.Error)
	if !errors.As(err, &e) {
		return err
	}
	p := &spb.Status{Code: int32(e.Code()), Message: e.Message()} //nolint:gosec // they are few
	for _, d := range e.Details() {
		p.Details = append(p.Details, &anypb.Any{TypeUrl: "type.googleapis.com/" + d.Type(), Value: d.Bytes()})
	}
	return status.ErrorProto(p)
}

// String says which way it is.
func (c *Conn) String() string {
	way, encoding := "Connect", "protobuf"
	if c.Web {
		way = "gRPC-Web"
	}
	if c.JSON {
		encoding = "JSON"
	}
	return fmt.Sprintf("%s %s", way, encoding)
}
