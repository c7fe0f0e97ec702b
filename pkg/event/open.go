package event

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"hash"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Open reads a stored Commit and checks every part against its digest. Parts
// that are withheld come back nil. Errors wrap ErrBroken. Nothing of data is kept.
func Open(data []byte) (*Opened, error) {
	o, head, err := skim(bytes.Clone(data))
	if err != nil {
		return nil, err
	}
	return o, o.read(head)
}

// Skim is Open for whoever may want to know no more than that a Commit is whole, where
// it stands and what sort of events it has: Cause, Inputs and Events stay nil. Raw lie
// in data.
func Skim(data []byte) (*Opened, error) {
	o, _, err := skim(data)
	return o, err
}

// Has tells whether an event, as it is stored, has one of some fields of eventv1.Event.
// Bytes that are none have all: whoever asks then finds out by reading them.
func Has(raw []byte, fields map[protoreflect.FieldNumber]bool) bool {
	for len(raw) > 0 {
		num, typ, n := protowire.ConsumeTag(raw)
		if n < 0 || fields[num] {
			return true
		}
		m := protowire.ConsumeFieldValue(num, typ, raw[n:])
		if m < 0 {
			return true
		}
		raw = raw[n+m:]
	}
	return false
}

// skim checks a stored Commit; head are its cause and its inputs.
func skim(data []byte) (o *Opened, head [2]part, err error) {
	header, parts, err := take(data)
	if err != nil {
		return nil, head, fmt.Errorf("%w: %v", ErrBroken, err)
	}
	o = &Opened{Header: &eventv1.CommitHeader{}, Hash: hashHeader(header)}
	if err := proto.Unmarshal(header, o.Header); err != nil {
		return nil, head, fmt.Errorf("%w: header: %v", ErrBroken, err)
	}
	if o.Header.Format == 0 || o.Header.Format > Format {
		return nil, head, fmt.Errorf("%w: format %d, this build reads up to %d", ErrBroken, o.Header.Format, Format)
	}
	if len(parts) != len(o.Header.Digests) || len(parts) < 2 {
		return nil, head, fmt.Errorf("%w: %d parts for %d digests", ErrBroken, len(parts), len(o.Header.Digests))
	}
	if len(parts) > 2 {
		o.Raw = make([][]byte, len(parts)-2)
	}
	into, sum := sha256.New(), make([]byte, 0, sha256.Size)
	for i, p := range parts {
		if len(p.salt) == 0 {
			o.Withheld++
			continue
		}
		if len(p.salt) != saltSize || !bytes.Equal(p.digest(into, sum), o.Header.Digests[i]) {
			return nil, head, fmt.Errorf("%w: part %d does not match its digest", ErrBroken, i)
		}
		if p.payload == nil {
			p.payload = []byte{} // it is there
		}
		if i < len(head) {
			head[i] = p
		} else {
			o.Raw[i-len(head)] = p.payload
		}
	}
	return o, head, nil
}

// read reads the parts of a Commit that was checked.
func (o *Opened) read(head [2]part) error {
	if head[0].payload != nil {
		o.Cause = &eventv1.CommitCause{}
		if err := readPart(0, head[0].payload, o.Cause); err != nil {
			return err
		}
	}
	if head[1].payload != nil {
		o.Inputs = &eventv1.CommitInputs{}
		if err := readPart(1, head[1].payload, o.Inputs); err != nil {
			return err
		}
	}
	if o.Raw != nil {
		o.Events = make([]*eventv1.Event, len(o.Raw))
	}
	for i, raw := range o.Raw {
		if raw == nil { // withheld
			continue
		}
		o.Events[i] = &eventv1.Event{}
		if err := readPart(i+len(head), raw, o.Events[i]); err != nil {
			return err
		}
	}
	return nil
}

func readPart(i int, payload []byte, into proto.Message) error {
	if err := proto.Unmarshal(payload, into); err != nil {
		return fmt.Errorf("%w: part %d: %v", ErrBroken, i, err)
	}
	return nil
}

// part is an eventv1.Sealed, and commits are eventv1.Commit, written and read without
// making messages of them: that was most of what opening a Commit took.
type part struct{ salt, payload []byte }

// Numbers of their fields.
const (
	commitHeader  = 1
	commitParts   = 2
	sealedSalt    = 1
	sealedPayload = 2
)

// maxTag is the most bytes that the tag of such a field and its length have.
const maxTag = 11

func (p part) digest(into hash.Hash, sum []byte) []byte {
	into.Reset()
	into.Write(partDomainBytes) //nolint:errcheck // never fails
	into.Write(p.salt)          //nolint:errcheck // never fails
	into.Write(p.payload)       //nolint:errcheck // never fails
	return into.Sum(sum)
}

var partDomainBytes = []byte(partDomain)

// size is how many bytes it takes as a message.
func (p part) size() int {
	n := 0
	for _, f := range [][]byte{p.salt, p.payload} {
		if len(f) > 0 {
			n += 1 + protowire.SizeBytes(len(f))
		}
	}
	return n
}

// append adds it to a Commit.
func (p part) append(data []byte) []byte {
	data = protowire.AppendVarint(protowire.AppendTag(data, commitParts, protowire.BytesType), uint64(p.size()))
	return appendBytes(appendBytes(data, sealedSalt, p.salt), sealedPayload, p.payload)
}

// appendBytes adds a field of bytes, as proto3 does: none for no bytes.
func appendBytes(data []byte, field protowire.Number, b []byte) []byte {
	if len(b) == 0 {
		return data
	}
	return protowire.AppendBytes(protowire.AppendTag(data, field, protowire.BytesType), b)
}

// take takes a marshalled Commit apart. What it gives lies in data.
func take(data []byte) (header []byte, parts []part, err error) {
	parts = make([]part, 0, 16) // as many as most have
	err = eachBytes(data, func(field protowire.Number, b []byte) error {
		switch field {
		case commitHeader:
			header = b
		case commitParts:
			var p part
			err := eachBytes(b, func(field protowire.Number, b []byte) error {
				switch field {
				case sealedSalt:
					p.salt = b
				case sealedPayload:
					p.payload = b
				}
				return nil
			})
			parts = append(parts, p)
			return err
		}
		return nil
	})
	return header, parts, err
}

// eachBytes goes through the fields of bytes that a message has, and passes over others.
func eachBytes(data []byte, fn func(field protowire.Number, b []byte) error) error {
	for len(data) > 0 {
		num, typ, n := protowire.ConsumeTag(data)
		if n < 0 {
			return protowire.ParseError(n)
		}
		data = data[n:]
		if typ != protowire.BytesType {
			if n = protowire.ConsumeFieldValue(num, typ, data); n < 0 {
				return protowire.ParseError(n)
			}
			data = data[n:]
			continue
		}
		b, n := protowire.ConsumeBytes(data)
		if n < 0 {
			return protowire.ParseError(n)
		}
		if err := fn(num, b[:len(b):len(b)]); err != nil {
			return err
		}
		data = data[n:]
	}
	return nil
}
