package record

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/projection"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// SnapshotInterval is after how many versions of a patient its folds are kept:
// reaching an old version costs at most so many Commits.
const SnapshotInterval = 32

// Kinds of subjects that the record reads.
const (
	KindPatient   = "patient"
	KindEncounter = "encounter"
	kindDice      = "dice"
)

// deedAnswer is the word of an answer to a decision.
const deedAnswer = "answer"

// Apply folds one record of the log. Those of the dice and packs change nothing, those of
// unknown kinds are projection.ErrForeign.
// It is to be called in the order of the log, inside a writable transaction.
func Apply(tx *projection.Tx, r journal.Record) error {
	if _, _, pack := journal.SplitPack(r.Subject); pack {
		return nil // read where a deed needs it
	}
	table, kind, id, ok := journal.SplitSubject(r.Subject)
	switch {
	case ok && kind == kindDice:
		return nil // the dice service's
	case !ok || kind != KindPatient && kind != KindEncounter:
		return projection.ErrForeign
	}
	o, err := event.Open(r.Data)
	if err != nil {
		return fmt.Errorf("record: %s sequence %d: %w", r.Subject, r.Seq, err)
	}
	if o.Withheld > 0 || o.Header.Kind != kind || o.Header.Id != id || o.Header.Table != table {
		return fmt.Errorf("record: %s sequence %d: %w: header is of %s %q at %q, %d parts withheld",
			r.Subject, r.Seq, event.ErrBroken, o.Header.Kind, o.Header.Id, o.Header.Table, o.Withheld)
	}
	if r.ID != hex.EncodeToString(o.Hash) {
		return fmt.Errorf("record: %s sequence %d: %w: stored under the id %q, which is not its hash", r.Subject, r.Seq, event.ErrBroken, r.ID)
	}
	if kind == KindEncounter {
		err = applyEncounter(tx, table, id, r.Seq, o)
	} else {
		err = applyPatient(tx, table, id, r.Seq, o)
	}
	if err != nil {
		return fmt.Errorf("record: %s sequence %d: %w", r.Subject, r.Seq, err)
	}
	return nil
}

// follows checks the chain (R4).
func follows(o *event.Opened, version uint64, hash []byte) error {
	if o.Header.Version != version+1 || !bytes.Equal(o.Header.PreviousHash, hash) {
		return fmt.Errorf("%w: version %d does not follow version %d", event.ErrBroken, o.Header.Version, version)
	}
	return nil
}

func applyPatient(tx *projection.Tx, table, id string, seq uint64, o *event.Opened) error {
	p := Patient{Table: table, ID: id}
	if _, err := getJSON(tx, bucketPatients, keyLast(id, table), &p); err != nil {
		return err
	}
	if err := follows(o, p.Version, p.Hash); err != nil {
		return err
	}
	cmd := &eventv1.Command{}
	if err := proto.Unmarshal(o.Cause.GetCommand(), cmd); err != nil {
		return fmt.Errorf("%w: command: %v", event.ErrBroken, err)
	}
	primary, deed := p.deed(cmd)
	a, err := loadAudience(tx, table, id)
	if err != nil {
		return err
	}
	a.own = true
	entry := Entry{Version: o.Header.Version, Deed: deed, UnixMillis: o.Header.UnixMillis}
	for _, e := range o.Events {
		told, err := a.tell(e)
		if err != nil {
			return err
		}
		entry.Events = append(entry.Events, told)
		if err := a.decision(e); err != nil {
			return err
		}
	}
	p.Seq, p.Version, p.Hash = seq, o.Header.Version, o.Hash
	p.Action = max(p.Action, o.Cause.GetAction())
	if err := p.suspend(o, cmd, primary); err != nil {
		return err
	}
	if err := putJSON(tx, bucketPatients, keyLast(id, table), &p); err != nil {
		return err
	}
	if err := putJSON(tx, bucketEntries, keyNumber(seq, table, id), &entry); err != nil {
		return err
	}
	if err := put(tx, bucketVersions, keyNumber(p.Version, table, id), number(seq)); err != nil {
		return err
	}
	if err := a.store(seq, p.Version); err != nil {
		return err
	}
	if p.Version%SnapshotInterval == 0 {
		if err := a.snapshot(p.Version); err != nil {
			return err
		}
	}
	return putRequest(tx, table, id, seq, o, cmd, primary)
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
func (p *Patient) suspend(o *event.Opened, cmd *eventv1.Command, primary string) error {
	if !o.Inputs.GetSuspended() {
		p.Pending = nil
		return nil
	}
	taken := &eventv1.CommitInputs{}
	if p.Pending == nil {
		p.Pending = &Pending{Primary: primary, Base: p.Version - 1, Action: o.Cause.GetAction(), Command: o.Cause.GetCommand(),
			Role: int32(o.Cause.GetPrincipal().GetRole()), Name: o.Cause.GetPrincipal().GetName(), Creatures: o.Cause.GetPrincipal().GetCreatures()}
	} else if err := proto.Unmarshal(p.Pending.Inputs, taken); err != nil {
		return fmt.Errorf("pending inputs: %w", err)
	}
	taken.Inputs = append(taken.Inputs, o.Inputs.Inputs...)
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(taken)
	if err != nil {
		return fmt.Errorf("pending inputs: %w", err)
	}
	p.Pending.Inputs = data
	return nil
}

// putRequest remembers the request id. Entering and leaving fights are the
// encounter service's requests, not ours.
func putRequest(tx *projection.Tx, table, id string, seq uint64, o *event.Opened, cmd *eventv1.Command, primary string) error {
	if o.Cause.GetRequestId() == "" || slices.Contains([]string{"engage", "release"}, cmd.GetPatient().GetDeed()) {
		return nil
	}
	k := keyLast(id, requestParts(table, o.Cause.Principal, o.Cause.RequestId)...)
	return putJSON(tx, bucketRequests, k, &request{Seq: seq, Primary: primary == id, Digest: o.Cause.RequestDigest})
}

func requestParts(table string, by *eventv1.Principal, requestID string) []string {
	return []string{table, by.GetRole().String(), by.GetName(), requestID}
}
