package web

import (
	"bytes"
	"fmt"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/rpc"
)

// request is a message that came in, not read yet: the server reads it into the
// message of its handler, in its own way.
// Without bytes it is the empty message.
type request struct {
	data   []byte
	decode func([]byte, any) error
}

func (r *request) read(into any) error {
	if r.decode == nil { // Connect does not ask for what has no bytes
		return nil
	}
	return r.decode(r.data, into)
}

// reply is a message to be sent: any that the server sends, those included whose
// bytes are at hand.
type reply struct{ message any }

// codec hands bytes to the server and takes messages from it.
type codec struct {
	name   string
	decode func([]byte, any) error
	encode func([]byte, proto.Message) ([]byte, error)
}

// codecs are those of the two encodings; JSON goes by two names.
func codecs(s *rpc.Server) []connect.HandlerOption {
	var out []connect.HandlerOption
	for _, c := range []codec{
		{"proto", s.Decode, rpc.EncodeProto},
		{"json", s.DecodeJSON, rpc.EncodeJSON},
		{"json; charset=utf-8", s.DecodeJSON, rpc.EncodeJSON},
	} {
		out = append(out, connect.WithCodec(c))
	}
	return out
}

// Name implements connect.Codec.
func (c codec) Name() string { return c.name }

// Unmarshal implements connect.Codec.
func (c codec) Unmarshal(data []byte, v any) error {
	r, ok := v.(*request)
	if !ok {
		return fmt.Errorf("web: no request: %T", v)
	}
	r.data, r.decode = bytes.Clone(data), c.decode // the buffer of data is used again
	return nil
}

// Marshal implements connect.Codec.
func (c codec) Marshal(v any) ([]byte, error) { return c.MarshalAppend(nil, v) }

// MarshalAppend appends a message to bytes. Connect encodes statuses by it, too.
func (c codec) MarshalAppend(to []byte, v any) ([]byte, error) {
	if r, ok := v.(*reply); ok {
		v = r.message
	}
	m, ok := v.(proto.Message)
	if !ok {
		return nil, fmt.Errorf("web: no message: %T", v)
	}
	return c.encode(to, m)
}
