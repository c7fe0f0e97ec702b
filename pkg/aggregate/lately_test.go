package aggregate

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/journal"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// sealed is the record of a Commit.
func sealed(t *testing.T, id string, events ...*eventv1.Event) journal.Record {
	t.Helper()
	data, hash, err := event.Seal(event.Draft{Header: &eventv1.CommitHeader{Kind: "encounter", Id: id, Table: "main", Version: 1},
		Cause: &eventv1.CommitCause{RequestId: id}, Inputs: &eventv1.CommitInputs{}, Events: events}, strings.NewReader(strings.Repeat("salt of a test ", 100)))
	if err != nil {
		t.Fatal(err)
	}
	return journal.Record{Subject: "skald.0.main.encounter." + id, Seq: 1, ID: hex.EncodeToString(hash), Data: data}
}

func TestACommitIsOpenedOnceForAll(t *testing.T) {
	created := event.New(event.Everyone(), &eventv1.EncounterCreated{Encounter: "e", System: "toy"})
	rec := sealed(t, "once", created)
	_, a, err := Open(rec)
	if err != nil {
		t.Fatal(err)
	}
	_, b, err := Open(rec)
	if err != nil || a.Events[0] != b.Events[0] || a == b {
		t.Fatalf("opened twice, or given twice: %v", err)
	}
	if b.Events = append(b.Events, created); len(a.Events) != 1 {
		t.Error("what one appends another has")
	}
}

func TestWhatWasOpenedVouchesForItsOwnBytesAlone(t *testing.T) {
	rec := sealed(t, "own", event.New(event.Everyone(), &eventv1.EncounterCreated{Encounter: "e", System: "toy"}))
	if _, _, err := Open(rec); err != nil {
		t.Fatal(err)
	}
	for i := range rec.Data {
		forged := rec
		forged.Data = append([]byte(nil), rec.Data...)
		forged.Data[i] ^= 1
		if _, _, err := Open(forged); err == nil {
			t.Fatalf("byte %d was changed and nobody noticed", i)
		}
	}
	forged := rec
	forged.Subject = "skald.0.main.encounter.another"
	if _, _, err := Open(forged); err == nil {
		t.Error("the Commit of one encounter counts for another")
	}
	rec.Data[len(rec.Data)-1] ^= 1 // the caller's bytes are not what is remembered
	if _, _, err := Open(rec); err == nil {
		t.Error("bytes that changed in place count as opened")
	}
}

func TestWhatReadersFillInIsNotShared(t *testing.T) {
	rec := sealed(t, "amended", event.New(event.GM(), &eventv1.Amended{}))
	_, a, err := Open(rec)
	if err != nil {
		t.Fatal(err)
	}
	_, b, err := Open(rec)
	if err != nil || a.Events[0] == b.Events[0] {
		t.Errorf("an amendment is shared: %v", err)
	}
}

func TestOpenedCommitsAreForgotten(t *testing.T) {
	for i := range 3 * latelyCount {
		if _, _, err := Open(sealed(t, fmt.Sprint("many", i))); err != nil {
			t.Fatal(err)
		}
	}
	opens.mu.Lock()
	defer opens.mu.Unlock()
	if n := len(opens.byID); n > latelyCount {
		t.Errorf("%d are remembered", n)
	}
}
