package event

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"

	"google.golang.org/protobuf/proto"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Format is the layout of a Commit that this build writes. A number is never
// reused or reordered: 1 is the first layout.
const Format = 1

// Domain strings of the two hashes.
const (
	partDomain   = "skald/part/v1"
	commitDomain = "skald/commit/v1"
)

// saltSize is the length of the salt of each part, in bytes.
const saltSize = 16

// sealing marshals parts: the order of maps must not differ between fights that are
// the same for a viewer, whose transcript is over these bytes.
var sealing = proto.MarshalOptions{Deterministic: true}

// ErrBroken says that stored bytes are not a Commit or do not match their digests.
var ErrBroken = errors.New("event: broken commit")

// Draft is what a Commit is made of.
type Draft struct {
	// Header without digests.
	Header *eventv1.CommitHeader
	// Cause is the command and who gave it.
	Cause *eventv1.CommitCause
	// Inputs are what the resolution took in.
	Inputs *eventv1.CommitInputs
	// Events are the consequences in order.
	Events []*eventv1.Event
}

// Opened is a Commit read back.
type Opened struct {
	// Header is always there.
	Header *eventv1.CommitHeader
	// Cause is nil when withheld.
	Cause *eventv1.CommitCause
	// Inputs is nil when withheld.
	Inputs *eventv1.CommitInputs
	// Events has a nil at the place of each withheld event.
	Events []*eventv1.Event
	// Raw are the events as they are stored, which is how they are hashed: never
	// marshalled again.
	Raw [][]byte
	// Hash of the Commit: the previous hash of the next.
	Hash []byte
	// Withheld counts the parts that are digests only.
	Withheld int
}

// Seal marshals a draft once, salts and digests its parts (I4), and returns
// the bytes to store and the Commit's hash. Salts are read from random.
func Seal(d Draft, random io.Reader) (data, hash []byte, err error) {
	messages := make([]proto.Message, 0, len(d.Events)+2)
	messages = append(messages, d.Cause, d.Inputs)
	for _, e := range d.Events {
		messages = append(messages, e)
	}
	header := proto.Clone(d.Header).(*eventv1.CommitHeader)
	header.Format = Format
	header.Digests = make([][]byte, 0, len(messages))
	parts := make([]part, 0, len(messages))
	salts, size, into := make([]byte, saltSize*len(messages)), 0, sha256.New()
	if _, err := io.ReadFull(random, salts); err != nil {
		return nil, nil, fmt.Errorf("event: reading salts: %w", err)
	}
	for i, m := range messages {
		payload, err := sealing.Marshal(m)
		if err != nil {
			return nil, nil, fmt.Errorf("event: marshalling part %d: %w", i, err)
		}
		p := part{salt: salts[i*saltSize : (i+1)*saltSize], payload: payload}
		parts, size = append(parts, p), size+p.size()+2*maxTag
		header.Digests = append(header.Digests, p.digest(into, make([]byte, 0, sha256.Size)))
	}
	sealed, err := proto.Marshal(header)
	if err != nil {
		return nil, nil, fmt.Errorf("event: marshalling header: %w", err)
	}
	data = appendBytes(make([]byte, 0, size+len(sealed)+maxTag), commitHeader, sealed)
	for _, p := range parts {
		data = p.append(data)
	}
	return data, hashHeader(sealed), nil
}

// HeaderHash is the hash of the Commit whose marshalled header is given.
func HeaderHash(header []byte) []byte { return hashHeader(header) }

func hashHeader(header []byte) []byte {
	h := sha256.New()
	h.Write([]byte(commitDomain))
	h.Write(header)
	return h.Sum(nil)
}

// Redact withholds the parts for which keep answers false; part 0 is the
// cause, part 1 the inputs, part 2 the first event. The hash stays the same.
func Redact(data []byte, keep func(part int) bool) ([]byte, error) {
	var c eventv1.Commit
	if err := proto.Unmarshal(data, &c); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrBroken, err)
	}
	for i := range c.Parts {
		if !keep(i) {
			c.Parts[i] = &eventv1.Sealed{}
		}
	}
	return proto.Marshal(&c)
}

// Follows checks that a Commit is the next of its chain: version one higher
// and previous hash equal. previous is nil for the first.
func Follows(previous, next *Opened) error {
	wantVersion, wantHash := uint64(1), []byte(nil)
	if previous != nil {
		wantVersion, wantHash = previous.Header.Version+1, previous.Hash
	}
	if next.Header.Version != wantVersion {
		return fmt.Errorf("%w: version %d where %d must follow", ErrBroken, next.Header.Version, wantVersion)
	}
	if !bytes.Equal(next.Header.PreviousHash, wantHash) {
		return fmt.Errorf("%w: version %d does not follow the hash before it", ErrBroken, next.Header.Version)
	}
	return nil
}
