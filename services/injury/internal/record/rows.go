package record

import (
	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/logtree"
	"github.com/skaldrpg/skald/pkg/projection"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// The buckets and their rows. Keys are made by projection.Key; where rows are found
// by their last part it stands raw at the end.
const (
	bucketPatients  projection.Bucket = "patients"  // table, patient -> StoredPatient
	bucketViews     projection.Bucket = "views"     // table, patient, viewer -> State
	bucketCounts    projection.Bucket = "counts"    // table, patient, viewer -> StoredCounts
	bucketNumbers   projection.Bucket = "numbers"   // table, patient, viewer, kind, number -> StoredPlace: a version or a sequence
	bucketVersions  projection.Bucket = "versions"  // table, patient, version -> StoredPlace: the sequence of the entry
	bucketEntries   projection.Bucket = "entries"   // table, patient, sequence -> StoredEntry
	bucketSnapshots projection.Bucket = "snapshots" // table, patient, viewer, version -> State
	bucketRequests  projection.Bucket = "requests"  // table, principal and request id, patient -> StoredRequest
	bucketDecisions projection.Bucket = "decisions" // table, decision -> StoredDecision
	bucketFights    projection.Bucket = "fights"    // table, encounter -> StoredFight
	// table, encounter, branch, part -> record of an amended history too long for its Commit
	bucketBranches projection.Bucket = "branches"
	// table, patient, branch, part -> the same of a patient's own record
	bucketOwnBranches projection.Bucket = "own_branches"
	bucketField       projection.Bucket = "field" // table, encounter, version -> State: who was on the field
)

// Buckets lists every bucket of the record.
func Buckets() []projection.Bucket {
	return []projection.Bucket{bucketPatients, bucketViews, bucketCounts, bucketNumbers, bucketVersions, bucketEntries,
		bucketSnapshots, bucketRequests, bucketDecisions, bucketFights, bucketField, bucketBranches, bucketOwnBranches, logtree.Leaves, logtree.Nodes}
}

// Kinds of numbers in bucketNumbers.
const (
	numberVersion = "v" // a viewer's version -> version of the record
	numberHistory = "h" // a viewer's entry -> sequence of the entry
)

// Named names a patient.
func Named(table, patient string) aggregate.Name {
	return aggregate.Name{Table: table, Kind: aggregate.Patient, ID: patient}
}

// viewKey is the key of what a viewer has of a patient.
func viewKey(n aggregate.Name, viewer string) []byte { return n.Key([]byte(viewer)) }

// requestKey is the beginning of the keys of what a request id led to.
func requestKey(table string, by *eventv1.Principal, requestID string) []byte {
	return projection.Key(table, aggregate.RequestKey(by, requestID))
}

// decisionKey is the key of a decision.
func decisionKey(table, decision string) []byte { return projection.Key(table, []byte(decision)) }

// Patient is where a patient's record stands.
type Patient struct {
	aggregate.Name
	aggregate.Head
	// Action is the last action number used.
	Action uint64
	// Pending is the deed that waits for an answer; nil when none does.
	Pending *injuryv1.StoredPending
	// Redo are the versions that a redo goes to, the next one last.
	Redo []uint64
}

func (p *Patient) row() *injuryv1.StoredPatient {
	return &injuryv1.StoredPatient{Version: p.Version, Sequence: p.Sequence, Hash: p.Hash, Action: p.Action, Pending: p.Pending, Redo: p.Redo}
}

// readPatient reads where a record stands; the zero head when there is none.
func readPatient(tx *projection.Tx, n aggregate.Name) (*Patient, error) {
	row := &injuryv1.StoredPatient{}
	_, err := aggregate.Get(tx, bucketPatients, n.Key(), row)
	return &Patient{Name: n, Head: aggregate.Head{Version: row.Version, Sequence: row.Sequence, Hash: row.Hash}, Action: row.Action, Pending: row.Pending, Redo: row.Redo}, err
}

// counts are a viewer's own numbers of a patient.
type counts struct {
	versions uint64 // Commits of the record that showed the viewer something
	entries  uint64 // entries of the history that did
	// transcript behind the last of those; nil before the first
	transcript []byte
}

func (c counts) row() *injuryv1.StoredCounts {
	return &injuryv1.StoredCounts{Versions: c.versions, Entries: c.entries, Transcript: c.transcript}
}

func countsOf(row *injuryv1.StoredCounts) counts {
	return counts{row.Versions, row.Entries, row.Transcript}
}

// putPlace stores where something is found.
func putPlace(tx *projection.Tx, b projection.Bucket, key []byte, at uint64) error {
	return aggregate.Put(tx, b, key, &injuryv1.StoredPlace{At: at})
}

// place reads where something is found; 0 when it is not.
func place(tx *projection.Tx, b projection.Bucket, key []byte) (uint64, error) {
	row := &injuryv1.StoredPlace{}
	_, err := aggregate.Get(tx, b, key, row)
	return row.At, err
}

// readState reads a fold; an empty one when there is none.
func readState(tx *projection.Tx, b projection.Bucket, key []byte) (*eventv1.State, error) {
	s := &eventv1.State{}
	if _, err := aggregate.Get(tx, b, key, s); err != nil {
		return nil, err
	}
	return event.Ready(s), nil
}
