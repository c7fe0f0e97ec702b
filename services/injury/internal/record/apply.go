package record

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/projection"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// SnapshotInterval is after how many versions of a patient its folds are kept:
// reaching an old version costs at most so many Commits.
const SnapshotInterval = 32

// deedAnswer is the word of an answer to a decision.
const deedAnswer = "answer"

// DeedRuling is the word of a ruling of fights in a patient's record.
const DeedRuling = "ruling"

func applyPatient(tx *projection.Tx, n aggregate.Name, seq uint64, o *event.Opened) error {
	p, err := readPatient(tx, n)
	if err != nil {
		return err
	}
	if err := p.Next(o.Header.Version, o.Header.PreviousHash); err != nil {
		return err
	}
	cmd := &eventv1.Command{}
	if err := proto.Unmarshal(o.Cause.GetCommand(), cmd); err != nil {
		return fmt.Errorf("%w: command: %v", event.ErrBroken, err)
	}
	primary, deed := p.deed(cmd)
	a, err := loadAudience(tx, n)
	if err != nil {
		return err
	}
	a.own, a.version = true, p.Version
	entry := &injuryv1.StoredEntry{Version: o.Header.Version, Deed: deed, UnixMillis: o.Header.UnixMillis}
	if by, id, ok := asked(o, cmd); ok {
		entry.Request = requestKey(n.Table, by, id)
	}
	var back *eventv1.Reverted
	for _, e := range o.Events {
		if am := e.GetAmended(); am != nil {
			again, err := a.again(am)
			if err != nil {
				return err
			}
			entry.Events = append(entry.Events, again...)
			continue
		}
		if r := e.GetReverted(); r != nil {
			back = r
		}
		told, err := a.tell(e)
		if err != nil {
			return err
		}
		entry.Events = append(entry.Events, told)
		if err := a.decision(e); err != nil {
			return err
		}
	}
	p.followRedo(back)
	p.Head = p.Then(seq, o.Hash)
	p.Action = max(p.Action, o.Cause.GetAction())
	p.suspend(o, primary)
	entry.Waits = p.Pending != nil
	at, err := TreeOf(tx, n.Table).Grow(Leaf(n, p.Version, p.Hash))
	if err != nil {
		return err
	}
	entry.Leaf = uint64(at) //nolint:gosec // a count
	if err := errors.Join(aggregate.Put(tx, bucketPatients, n.Key(), p.row()),
		aggregate.Put(tx, bucketEntries, n.Key(seq), entry),
		putPlace(tx, bucketVersions, n.Key(p.Version), seq),
		a.store(seq, p.Version, entry)); err != nil {
		return err
	}
	if p.Version%SnapshotInterval == 0 {
		if err := a.snapshot(p.Version); err != nil {
			return err
		}
	}
	return putRequest(tx, n, seq, o, cmd, primary)
}

// deed names the patient whose record a command belongs to, and the deed.
func (p *Patient) deed(cmd *eventv1.Command) (primary, deed string) {
	if c := cmd.GetPatient(); c != nil {
		primary = p.ID
		if len(c.Patients) > 0 {
			primary = c.Patients[0]
		}
		if p.Pending != nil {
			primary = p.Pending.Primary
		}
		return primary, c.Deed
	}
	if p.Pending == nil {
		return p.ID, deedAnswer
	}
	// An answer goes on with the deed that asked.
	began := &eventv1.Command{}
	if proto.Unmarshal(p.Pending.Command, began) != nil {
		return p.Pending.Primary, deedAnswer
	}
	return p.Pending.Primary, began.GetPatient().GetDeed()
}

// suspend takes over whether the deed waits after the Commit.
func (p *Patient) suspend(o *event.Opened, primary string) {
	if !o.Inputs.GetSuspended() {
		p.Pending = nil
		return
	}
	if p.Pending == nil {
		by := o.Cause.GetPrincipal()
		p.Pending = &injuryv1.StoredPending{Primary: primary, Base: p.Version - 1, Action: o.Cause.GetAction(), Command: o.Cause.GetCommand(),
			Caller: &eventv1.Principal{Role: by.GetRole(), Name: by.GetName(), Creatures: by.GetCreatures()}}
	}
	p.Pending.Inputs = append(p.Pending.Inputs, o.Inputs.Inputs...)
}

// asked is who asked under which request id, if anybody could ask by it. Entering and
// leaving fights are the encounter service's requests, not ours.
func asked(o *event.Opened, cmd *eventv1.Command) (by *eventv1.Principal, id string, ok bool) {
	by, id = o.Cause.GetPrincipal(), o.Cause.GetRequestId()
	return by, id, aggregate.CheckRequestID(id) == nil && !strings.Contains(by.GetName(), "\x00") &&
		!slices.Contains([]string{"engage", "release", DeedRuling}, cmd.GetPatient().GetDeed())
}

// putRequest remembers the request id.
func putRequest(tx *projection.Tx, n aggregate.Name, seq uint64, o *event.Opened, cmd *eventv1.Command, primary string) error {
	by, id, ok := asked(o, cmd)
	if !ok {
		return nil
	}
	return aggregate.Put(tx, bucketRequests, append(requestKey(n.Table, by, id), n.ID...),
		&injuryv1.StoredRequest{Sequence: seq, Primary: primary == n.ID, Digest: o.Cause.RequestDigest})
}
