package record

import (
	"encoding/binary"
	"encoding/json"
	"fmt"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/projection"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Patient is where a patient's record stands.
type Patient struct {
	// Table and ID name the patient.
	Table string `json:"-"`
	// ID of the patient.
	ID string `json:"-"`
	// Seq is the stream sequence of the subject's last message: the guard.
	Seq uint64 `json:"seq"`
	// Version of the last Commit.
	Version uint64 `json:"version"`
	// Hash of the last Commit.
	Hash []byte `json:"hash"`
	// Action is the last action number used.
	Action uint64 `json:"action"`
	// Pending is the deed that waits for an answer; nil when none does.
	Pending *Pending `json:"pending,omitempty"`
}

// Pending is a deed that waits for an answer.
type Pending struct {
	// Primary is the patient whose record the deed belongs to: dice and
	// decisions are there.
	Primary string `json:"primary"`
	// Base is the version of this patient before the deed.
	Base uint64 `json:"base"`
	// Action number of the deed.
	Action uint64 `json:"action"`
	// Command that began it, marshalled.
	Command []byte `json:"command"`
	// Role and Name of who gave it, and the Creatures that the token was
	// narrowed to.
	Role      int32    `json:"role,omitempty"`
	Name      string   `json:"name,omitempty"`
	Creatures []string `json:"creatures,omitempty"`
	// Inputs taken so far, marshalled CommitInputs.
	Inputs []byte `json:"inputs"`
}

// Entry is what one Commit held about a patient.
type Entry struct {
	// Encounter it happened in; empty between fights.
	Encounter string `json:"encounter,omitempty"`
	// Version of the patient's record, or of the encounter.
	Version uint64 `json:"version,omitempty"`
	// Deed is the deed or command in one word, for the game master.
	Deed string `json:"deed"`
	// UnixMillis is when, milliseconds since 1970.
	UnixMillis int64 `json:"millis"`
	// Events about the patient in order.
	Events []Told `json:"events"`
}

// Told is an event with those who may hear it (R2).
type Told struct {
	// Everyone may.
	Everyone bool `json:"everyone,omitempty"`
	// Players who may, sorted.
	Players []string `json:"players,omitempty"`
	// Data is the event, marshalled.
	Data []byte `json:"data"`
}

// By tells whether a principal may hear it.
func (t Told) By(p *eventv1.Principal) bool {
	return event.Audible{Everyone: t.Everyone, Players: t.Players}.By(p)
}

// Event reads the event.
func (t Told) Event() (*eventv1.Event, error) {
	e := &eventv1.Event{}
	if err := proto.Unmarshal(t.Data, e); err != nil {
		return nil, fmt.Errorf("record: stored event: %w", err)
	}
	return e, nil
}

// request is what a request id led to, for one patient that it touched.
type request struct {
	Seq     uint64 `json:"seq"`
	Primary bool   `json:"primary"`
	Digest  []byte `json:"digest"`
}

// fight is where an encounter stands.
type fight struct {
	Version uint64 `json:"version"`
	Hash    []byte `json:"hash"`
	// Field is who is on the field, a State with creatures alone.
	Field []byte `json:"field"`
}

// counts are a viewer's own numbers of a patient.
type counts struct {
	versions uint64 // Commits of the record that showed the viewer something
	entries  uint64 // entries of the history that did
}

func (c counts) bytes() []byte {
	return binary.BigEndian.AppendUint64(number(c.versions), c.entries)
}

func readCounts(v []byte) (counts, bool) {
	if len(v) != 16 {
		return counts{}, false
	}
	return counts{versions: binary.BigEndian.Uint64(v), entries: binary.BigEndian.Uint64(v[8:])}, true
}

// putJSON stores a row. JSON keeps R1: fields in order, no maps in the rows.
func putJSON(tx *projection.Tx, bucket projection.Bucket, k []byte, row any) error {
	data, err := json.Marshal(row)
	if err != nil {
		return fmt.Errorf("record: writing %s: %w", bucket, err)
	}
	return put(tx, bucket, k, data)
}

func put(tx *projection.Tx, bucket projection.Bucket, k, v []byte) error {
	if err := tx.Put(bucket, k, v); err != nil {
		return fmt.Errorf("record: writing %s: %w", bucket, err)
	}
	return nil
}

// getJSON reads a row; false when there is none.
func getJSON(tx *projection.Tx, bucket projection.Bucket, k []byte, row any) (bool, error) {
	data := tx.Get(bucket, k)
	if data == nil {
		return false, nil
	}
	if err := json.Unmarshal(data, row); err != nil {
		return false, fmt.Errorf("record: reading %s: %w", bucket, err)
	}
	return true, nil
}

func putState(tx *projection.Tx, bucket projection.Bucket, k []byte, s *eventv1.State) error {
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(s)
	if err != nil {
		return fmt.Errorf("record: writing %s: %w", bucket, err)
	}
	return put(tx, bucket, k, data)
}

func readState(data []byte) (*eventv1.State, error) {
	s := &eventv1.State{}
	if err := proto.Unmarshal(data, s); err != nil {
		return nil, fmt.Errorf("record: stored state: %w", err)
	}
	return event.Ready(s), nil
}
