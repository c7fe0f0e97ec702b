package record

import (
	"encoding/binary"

	"github.com/skaldrpg/skald/pkg/projection"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// The buckets. Keys are parts with their lengths in front, so that no id can
// run into the next part; a number is big-endian, so that it sorts.
const (
	bucketPatients  projection.Bucket = "patients"  // table, patient -> Patient
	bucketViews     projection.Bucket = "views"     // table, patient, viewer -> State
	bucketCounts    projection.Bucket = "counts"    // table, patient, viewer -> counts
	bucketNumbers   projection.Bucket = "numbers"   // table, patient, viewer, kind, number -> version or sequence
	bucketVersions  projection.Bucket = "versions"  // table, patient, version -> sequence of the entry
	bucketEntries   projection.Bucket = "entries"   // table, patient, sequence -> Entry
	bucketSnapshots projection.Bucket = "snapshots" // table, patient, viewer, version -> State
	bucketRequests  projection.Bucket = "requests"  // table, role, name, request id, patient -> request
	bucketDecisions projection.Bucket = "decisions" // table, decision -> patient
	bucketFights    projection.Bucket = "fights"    // table, encounter -> fight
	bucketField     projection.Bucket = "field"     // table, encounter, version -> who was on the field
)

// Buckets lists every bucket of the record.
func Buckets() []projection.Bucket {
	return []projection.Bucket{bucketPatients, bucketViews, bucketCounts, bucketNumbers, bucketVersions, bucketEntries,
		bucketSnapshots, bucketRequests, bucketDecisions, bucketFights, bucketField}
}

// Kinds of numbers in bucketNumbers.
const (
	numberVersion = "v" // a viewer's version -> version of the record
	numberHistory = "h" // a viewer's entry -> sequence of the entry
)

// Viewers that every patient has.
const (
	viewerGM     = "g"
	viewerPublic = "e"
	viewerPlayer = "p" // and the player's name
)

// viewer is the viewer that a principal is, if the record knows it by name.
func viewer(p *eventv1.Principal) string {
	switch p.GetRole() {
	case eventv1.Principal_ROLE_GM:
		return viewerGM
	case eventv1.Principal_ROLE_PLAYER:
		return viewerPlayer + p.GetName()
	}
	return viewerPublic
}

// key joins parts.
func key(parts ...string) []byte {
	var k []byte
	for _, p := range parts {
		k = binary.BigEndian.AppendUint16(k, uint16(len(p))) //nolint:gosec // ids and names are bounded by the callers
		k = append(k, p...)
	}
	return k
}

// keyLast joins parts and ends with a raw one, so that keys sort by it.
func keyLast(last string, parts ...string) []byte { return append(key(parts...), last...) }

// keyNumber joins parts and ends with a number.
func keyNumber(n uint64, parts ...string) []byte {
	return binary.BigEndian.AppendUint64(key(parts...), n)
}

func number(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }
