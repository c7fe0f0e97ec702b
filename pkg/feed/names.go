package feed

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/nats-io/nats.go"

	"github.com/skaldrpg/skald/pkg/journal"
)

// Names at NATS.
const (
	// StreamName is the stream that readers consume.
	StreamName = "SKALD_FEED"
	// marksName is the stream in which writers note how far they came. No reader sees
	// it: it counts what a spectator does not see.
	marksName = "SKALD_FEED_MARKS"
	// ReaderName is the user name of readers where `skald up` offers the feed.
	ReaderName = "feed"

	root  = "skald.feed."
	marks = "skald.feedmark."
)

// Format is a form of the steps. Each has subjects of its own.
type Format string

// Formats lists them.
const (
	// Protobuf is a skald.encounter.v1.Step as protobuf.
	Protobuf Format = "pb"
	// JSON is the same step as protobuf's JSON, with the names of the contract.
	JSON Format = "json"
)

// Formats are all formats, in the order in which a step is written.
var Formats = [...]Format{Protobuf, JSON}

// ContentType is the media type of a format.
func (f Format) ContentType() string {
	if f == JSON {
		return "application/json"
	}
	return "application/protobuf"
}

// Headers of a message.
const (
	// HeaderNumber is the number of the step, from 1 without gaps.
	HeaderNumber = "Skald-Number"
	// HeaderTranscript is the public transcript after the step, base64.
	HeaderTranscript = "Skald-Transcript"
	// HeaderDigest is the digest of the step's bytes, base64: with it the chain of
	// transcripts can be followed without reading the step.
	HeaderDigest = "Skald-Digest"
	// HeaderCursor is the cursor after the step, from which a watch goes on.
	HeaderCursor = "Skald-Cursor"
	// HeaderType is the media type.
	HeaderType = "Content-Type"
	// HeaderOmitted is there when the step is too long for a message: how many bytes
	// it has. The message has no body then.
	HeaderOmitted = "Skald-Omitted"
)

// Subject is where the steps of an encounter are: skald.feed.<format>.<table>.<encounter>.
func Subject(f Format, table, encounter string) (string, error) {
	for _, t := range []string{table, encounter} {
		if err := journal.Token(t); err != nil {
			return "", fmt.Errorf("feed: %w", err)
		}
	}
	return root + string(f) + "." + table + "." + encounter, nil
}

// Split takes apart a subject that Subject made; false for any other.
func Split(subject string) (f Format, table, encounter string, ok bool) {
	rest, ok := strings.CutPrefix(subject, root)
	parts := strings.Split(rest, ".")
	if !ok || len(parts) != 3 {
		return "", "", "", false
	}
	f = Format(parts[0])
	return f, parts[1], parts[2], f == Protobuf || f == JSON
}

// Place is where the messages of a subject end, or begin.
type Place struct {
	// Sequence in the stream; 0 when the subject has no message.
	Sequence uint64
	// Number of the step.
	Number uint64
	// Transcript after it.
	Transcript []byte
}

// Message is one step in one format.
type Message struct {
	// Format, Table and Encounter name the subject.
	Format           Format
	Table, Encounter string
	// Number, Cursor, Transcript and Digest of the step.
	Number             uint64
	Cursor             string
	Transcript, Digest []byte
	// Data is the step in the format.
	Data []byte
}

// id is what a message is known by, here and in whatever stream it is copied to.
func (m *Message) id() string {
	return string(m.Format) + "/" + m.Table + "/" + m.Encounter + "/" + strconv.FormatUint(m.Number, 10) + "/" + hex.EncodeToString(m.Transcript)
}

// overhead is more than what headers and subject of a message take, bytes.
const overhead = 4 << 10

// encode makes the message, whose whole may take so many bytes.
func (m *Message) encode(most int64) (*nats.Msg, error) {
	subject, err := Subject(m.Format, m.Table, m.Encounter)
	if err != nil {
		return nil, err
	}
	out := &nats.Msg{Subject: subject, Data: m.Data, Header: nats.Header{
		HeaderNumber:     {strconv.FormatUint(m.Number, 10)},
		HeaderTranscript: {base64.StdEncoding.EncodeToString(m.Transcript)},
		HeaderDigest:     {base64.StdEncoding.EncodeToString(m.Digest)},
		HeaderCursor:     {m.Cursor},
		HeaderType:       {m.Format.ContentType()},
	}}
	if int64(len(m.Data)) > most-overhead {
		out.Data = nil
		out.Header.Set(HeaderOmitted, strconv.Itoa(len(m.Data)))
	}
	return out, nil
}

// errForeign says that a message in the feed is none of ours.
var errForeign = errors.New("feed: a message that no writer of the feed made")

// place reads where a message stands.
func place(sequence uint64, h nats.Header) (Place, error) {
	p := Place{Sequence: sequence}
	number, err := strconv.ParseUint(h.Get(HeaderNumber), 10, 64)
	if err != nil || number == 0 {
		return p, errForeign
	}
	p.Number = number
	if p.Transcript, err = base64.StdEncoding.DecodeString(h.Get(HeaderTranscript)); err != nil {
		return p, errForeign
	}
	return p, nil
}
