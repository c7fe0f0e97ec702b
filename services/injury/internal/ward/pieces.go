package ward

import (
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/projection"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"

	"github.com/skaldrpg/skald/services/injury/internal/record"
)

// A ruling's part in a record may be longer than a message: its entry is handed out in
// pieces, whose canonical bytes, one behind the other, are those of the entry.

// pieceBytes is how much of an entry a message holds, about: one event more at the most.
const pieceBytes = limits.PageBytes / 2

// pieceOf is an entry from an event on, as far as a message holds it. The pieces behind
// the first have number and events alone.
func pieceOf(e *injuryv1.HistoryEntry, from int) *injuryv1.HistoryEntry {
	to := until(len(e.Events), from, func(i int) int { return proto.Size(e.Events[i]) })
	out := &injuryv1.HistoryEntry{Number: e.Number, Events: e.Events[from:to], More: to < len(e.Events)}
	if from == 0 {
		out.Encounter, out.Deed, out.UnixMillis = e.Encounter, e.Deed, e.UnixMillis
	}
	return out
}

// until is how many of n things fit into a message from one on.
func until(n, from int, size func(i int) int) int {
	for taken := 0; from < n && taken < pieceBytes; from++ {
		taken += size(from)
	}
	return from
}

// within refuses a place behind the end of an entry.
func within(field string, at uint64, length int) error {
	if at > uint64(length) { //nolint:gosec // a length
		return fault.Field(field, "%d is beyond the end of the entry, which has %d", at, length)
	}
	return nil
}

// page are entries of a history after a number, the first of them from an event on, as
// many as a message holds, and whether there are more, or more of the last.
func page(tx *projection.Tx, tableID, patient string, as *eventv1.Principal, after uint64, from uint32, limit int) (out []*injuryv1.HistoryEntry, more bool, err error) {
	used, left, refused := 0, false, error(nil)
	more, err = record.History(tx, tableID, patient, as, after, limit, func(n record.Numbered) bool {
		e := historyEntry(n, as)
		if refused = within("after_events", uint64(from), len(e.Events)); refused != nil {
			return false
		}
		p := pieceOf(e, int(from))
		from = 0
		if size := proto.Size(p); len(out) > 0 && used+size > limits.PageBytes {
			left = true
			return false
		} else {
			used += size
		}
		out, left = append(out, p), p.More
		return !left
	})
	if err == nil {
		err = refused
	}
	return out, more || left, err
}

// steps are the digests of a transcript's steps after a number, and their bytes where they
// are wanted, those of the first from one on.
func steps(tx *projection.Tx, tableID string, req *injuryv1.ReadStepsRequest, as *eventv1.Principal, limit int) (out []*encounterv1.TranscriptStep, more bool, err error) {
	used, left, refused, from := 0, false, error(nil), req.AfterBytes
	more, err = record.History(tx, tableID, req.Patient, as, req.After, limit, func(n record.Numbered) bool {
		data := record.Bytes(record.Told(n.Entry, as))
		step := digested(n.Number, data)
		if refused = within("after_bytes", from, len(data)); refused != nil {
			return false
		}
		if req.WithBytes {
			step.Bytes = data[from:min(uint64(len(data)), from+pieceBytes)]
			step.More = from+uint64(len(step.Bytes)) < uint64(len(data))
		}
		if len(out) > 0 && used+len(step.Bytes) > limits.PageBytes {
			left = true
			return false
		}
		used, from = used+len(step.Bytes), 0
		out, left = append(out, step), step.More
		return !left
	})
	if err == nil {
		err = refused
	}
	return out, more || left, err
}
