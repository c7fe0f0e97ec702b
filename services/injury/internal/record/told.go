package record

import (
	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/logtree"
	"github.com/skaldrpg/skald/pkg/projection"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// fought is the deed of every entry of a fight for those who are not the game
// master: which command it was could tell of what they did not see.
const fought = "fight"

// Told is an entry as a principal is told it, without its number.
func Told(e *injuryv1.StoredEntry, by *eventv1.Principal) *injuryv1.HistoryEntry {
	out := &injuryv1.HistoryEntry{Encounter: e.Encounter, Deed: e.Deed, UnixMillis: e.UnixMillis, Events: Visible(e, by)}
	if out.Encounter != "" && by.GetRole() != eventv1.Principal_ROLE_GM {
		out.Deed = fought
	}
	return out
}

// Visible are the events of an entry that the principal may hear.
func Visible(e *injuryv1.StoredEntry, by *eventv1.Principal) []*eventv1.Event {
	var out []*eventv1.Event
	for _, t := range e.Events {
		if Heard(t, by) {
			out = append(out, untoldVersion(t.Event, by))
		}
	}
	return out
}

// untoldVersion is an event as somebody else than the game master hears it: the
// record's own numbers count what that one did not see.
func untoldVersion(e *eventv1.Event, by *eventv1.Principal) *eventv1.Event {
	r := e.GetReverted()
	if r == nil || by.GetRole() == eventv1.Principal_ROLE_GM {
		return e
	}
	out := event.New(e.Audience, &eventv1.Reverted{Reason: r.Reason, Redo: r.Redo})
	out.Rules = e.Rules
	return out
}

// Bytes are what the transcript of whoever is told an entry is over: it in canonical form,
// without its number.
func Bytes(told *injuryv1.HistoryEntry) []byte {
	return event.Canonical(&injuryv1.HistoryEntry{Encounter: told.Encounter, Deed: told.Deed, UnixMillis: told.UnixMillis, Events: told.Events})
}

// next is a viewer's transcript behind an entry that it was told.
func (a *audience) next(viewer string, c counts, e *injuryv1.StoredEntry) []byte {
	before := c.transcript
	if before == nil {
		before = attest.BeginPatient(a.name.Table, a.name.ID)
	}
	return attest.Next(before, c.entries, attest.Digest(Bytes(Told(e, aggregate.Viewer(viewer)))))
}

// Standing is where a principal's transcript of a patient stands: the number of the last
// entry and the transcript behind it.
func Standing(tx *projection.Tx, table, id string, by *eventv1.Principal) (uint64, []byte, error) {
	_, c, err := known(tx, table, id, by)
	if c.entries == 0 {
		return 0, attest.BeginPatient(table, id), err
	}
	return c.entries, c.transcript, err
}

// TreeOf is the tree over the Commits of a table's patients. Its rows begin with the
// table, so that it goes when the table is deleted.
func TreeOf(tx *projection.Tx, table string) logtree.Tree {
	return logtree.Tree{Tx: tx, Of: projection.Key(table)}
}

// Leaf is what that tree holds of a Commit.
func Leaf(n aggregate.Name, version uint64, hash []byte) []byte {
	return attest.Leaf(attest.Head{Table: n.Table, Patient: n.ID, Number: version, Hash: hash})
}
