package rpc

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"google.golang.org/grpc"
	"google.golang.org/grpc/encoding"
	_ "google.golang.org/grpc/encoding/proto" // the codec that is wrapped
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/skaldrpg/skald/pkg/fault"
)

// codec reads requests as the usual one does, but never fails: gRPC answers
// INTERNAL when its codec does, before any of our code runs. What can not be
// read becomes an empty message with a mark, which checkRequest finds and
// refuses as INVALID_ARGUMENT.
type codec struct {
	encoding.CodecV2
	// mark begins the unknown field that marks a message. It is random, so that
	// no caller can make one.
	mark [16]byte
}

func newCodec() *codec {
	c := &codec{CodecV2: encoding.GetCodecV2("proto")}
	rand.Read(c.mark[:]) //nolint:errcheck // never fails
	return c
}

// markField is the number of the unknown field: the last that there is.
const markField = protowire.MaxValidNumber

// Marshal implements encoding.CodecV2. What is encoded already goes as it is.
func (c *codec) Marshal(v any) (mem.BufferSlice, error) {
	if e, ok := v.(*Encoded); ok {
		return e.data, nil
	}
	return c.CodecV2.Marshal(v)
}

// Unmarshal implements encoding.CodecV2.
func (c *codec) Unmarshal(data mem.BufferSlice, v any) error {
	err := c.CodecV2.Unmarshal(data, v)
	if err == nil {
		return nil
	}
	m, ok := v.(proto.Message)
	if !ok {
		return err
	}
	field, why := locate(m.ProtoReflect().Descriptor(), data.Materialize())
	c.refuse(m, field, why)
	return nil
}

// read does for bytes what Unmarshal does for buffers.
func (c *codec) read(data []byte, v any) error {
	m, ok := v.(proto.Message)
	if !ok {
		return errNoMessage
	}
	if err := proto.Unmarshal(data, m); err != nil {
		field, why := locate(m.ProtoReflect().Descriptor(), data)
		c.refuse(m, field, why)
	}
	return nil
}

// refuse makes a message the empty one with the mark.
func (c *codec) refuse(m proto.Message, field, why string) {
	proto.Reset(m)
	note := protowire.AppendTag(nil, markField, protowire.BytesType)
	note = protowire.AppendBytes(note, slices.Concat(c.mark[:], []byte(field+"\x00"+why)))
	m.ProtoReflect().SetUnknown(note)
}

// unreadable tells what is wrong with a message that could not be read; nil for
// any other.
func (c *codec) unreadable(v any) error {
	m, ok := v.(proto.Message)
	if !ok {
		return nil
	}
	num, typ, n := protowire.ConsumeTag(m.ProtoReflect().GetUnknown())
	if n < 0 || num != markField || typ != protowire.BytesType {
		return nil
	}
	note, end := protowire.ConsumeBytes(m.ProtoReflect().GetUnknown()[n:])
	if end < 0 || len(note) < len(c.mark) || [16]byte(note) != c.mark {
		return nil
	}
	field, why := "", string(note[len(c.mark):])
	for i := range why {
		if why[i] == 0 {
			field, why = why[:i], why[i+1:]
			break
		}
	}
	if field == "" {
		return fault.New(fault.Invalid, ReasonUnreadable, "the request can not be read: %s", why)
	}
	f := fault.Field(field, "%s", why)
	f.Reason = ReasonUnreadable
	return f
}

// ReasonUnreadable: the bytes of a request are no message of its type, or a
// text in it is not UTF-8.
const ReasonUnreadable = "UNREADABLE"

// maxNesting bounds how deep a message that could not be read is searched.
const maxNesting = 100

var (
	errCut  = errors.New("it is no protobuf of this type, or was cut off")
	errDeep = errors.New("it is nested too deep")
)

// locate finds the first text that is not UTF-8, or says why there is none to
// find.
func locate(md protoreflect.MessageDescriptor, data []byte) (field, why string) {
	field, err := search(md, data, "", maxNesting)
	if field != "" {
		return field, "is not UTF-8"
	}
	if err == nil {
		err = errCut
	}
	return "", err.Error()
}

func search(md protoreflect.MessageDescriptor, data []byte, path string, depth int) (string, error) {
	if depth == 0 {
		return "", errDeep
	}
	counts := map[protowire.Number]int{}
	for len(data) > 0 {
		num, typ, n := protowire.ConsumeTag(data)
		if n < 0 {
			return "", errCut
		}
		value := data[n:]
		size := protowire.ConsumeFieldValue(num, typ, value)
		if size < 0 {
			return "", errCut
		}
		data = value[size:]
		fd := md.Fields().ByNumber(num)
		if fd == nil || typ != protowire.BytesType {
			continue
		}
		content, _ := protowire.ConsumeBytes(value)
		at := path + string(fd.Name())
		if fd.IsList() {
			at += fmt.Sprintf("[%d]", counts[num])
			counts[num]++
		}
		if found, err := searchField(fd, content, at, depth); found != "" || err != nil {
			return found, err
		}
	}
	return "", nil
}

func searchField(fd protoreflect.FieldDescriptor, content []byte, at string, depth int) (string, error) {
	switch {
	case fd.IsMap():
		return search(fd.Message(), content, at+".", depth-1)
	case fd.Kind() == protoreflect.StringKind:
		if !utf8.Valid(content) {
			return at, nil
		}
	case fd.Kind() == protoreflect.MessageKind:
		return search(fd.Message(), content, at+".", depth-1)
	}
	return "", nil
}

// requests checks every request before anything else sees it: that it could be
// read, and that its texts are such as may be.
type requests struct{ codec *codec }

func (r requests) check(method string, v any) error {
	if err := r.codec.unreadable(v); err != nil {
		return err
	}
	return checkText(method, v)
}

func (r requests) unary(ctx context.Context, req any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
	if err := r.check(info.FullMethod, req); err != nil {
		return nil, err
	}
	return next(ctx, req)
}

func (r requests) stream(srv any, ss grpc.ServerStream, info *grpc.StreamServerInfo, next grpc.StreamHandler) error {
	return next(srv, &requestStream{ss, info.FullMethod, r})
}

type requestStream struct {
	grpc.ServerStream
	method   string
	requests requests
}

// RecvMsg implements grpc.ServerStream.
func (s *requestStream) RecvMsg(m any) error {
	if err := s.ServerStream.RecvMsg(m); err != nil {
		return err
	}
	return s.requests.check(s.method, m)
}
