package rpc

import (
	"fmt"
	"slices"

	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Encoded is a message whose bytes are at hand: servers of this package send them as
// they are, compressed, counted and limited like any other message. Many streams may
// send one at the same time, and messages may share parts. To whatever else looks at
// it, such as another codec, it is the message that its bytes mean.
type Encoded struct {
	data mem.BufferSlice
	of   protoreflect.MessageType
	json func() ([]byte, error)
}

// NewEncoded makes a message of a type from parts, which are its bytes one after the
// other: buffers that are never given back and never change, such as mem.SliceBuffer.
func NewEncoded(of protoreflect.MessageType, parts ...mem.Buffer) *Encoded {
	return &Encoded{data: parts, of: of}
}

// InJSON says where its JSON comes from, so that it is not made from the bytes for each
// stream that sends it: text gives what EncodeJSON makes of the message, is asked only
// when somebody wants JSON, and by several at a time. It returns the message.
func (e *Encoded) InJSON(text func() ([]byte, error)) *Encoded {
	e.json = text
	return e
}

// ProtoReflect implements proto.Message: it decodes the bytes. Bytes that are no such
// message are an empty one.
func (e *Encoded) ProtoReflect() protoreflect.Message {
	m := e.of.New()
	if err := proto.Unmarshal(e.data.Materialize(), m.Interface()); err != nil {
		return e.of.Zero()
	}
	return m
}

// EncodeProto appends a reply as protobuf: bytes that are at hand go as they are.
func EncodeProto(to []byte, m proto.Message) ([]byte, error) {
	if e, ok := m.(*Encoded); ok {
		to = slices.Grow(to, e.data.Len())
		for _, part := range e.data {
			to = append(to, part.ReadOnlyData()...)
		}
		return to, nil
	}
	out, err := proto.MarshalOptions{}.MarshalAppend(to, m)
	if err != nil {
		return nil, fmt.Errorf("rpc: protobuf: %w", err)
	}
	return out, nil
}
