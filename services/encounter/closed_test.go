package encounter_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/ops"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter"
)

// publish stores a record on an encounter's subject as somebody else would.
func (w *world) publish(id, msgID string, data []byte) uint64 {
	w.t.Helper()
	subject := "skald.0.main.encounter." + id
	last, _, err := w.journal.Last(context.Background(), subject)
	if err != nil {
		w.t.Fatal(err)
	}
	seq, err := w.journal.Append(context.Background(), journal.Message{Subject: subject, ID: msgID, Data: data, Expected: last.Seq})
	if err != nil {
		w.t.Fatal(err)
	}
	return seq
}

func (c *client) eventually(what string, ok func() bool) {
	c.w.t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			c.w.t.Fatal("never: ", what)
		}
	}
}

// closed checks that everything that is asked of an encounter answers the same fault.
func (c *client) closed(id string, sequence uint64) {
	c.w.t.Helper()
	ctx := context.Background()
	for _, as := range []*eventv1.Principal{gm, ann, spectator} {
		_, state := c.GetState(ctx, &encounterv1.GetStateRequest{As: as, Encounter: id})
		_, history := c.GetHistory(ctx, &encounterv1.GetHistoryRequest{As: as, Encounter: id})
		_, options := c.GetOptions(ctx, &encounterv1.GetOptionsRequest{As: as, Encounter: id})
		_, command := c.try(as, id, takeCmd("a", "strike", "b"))
		_, create := c.try(gm, id, createCmd(eventv1.DicePolicy_DICE_POLICY_SERVER))
		for what, err := range map[string]error{"state": state, "history": history, "options": options, "command": command, "create": create} {
			f, _ := fault.As(err)
			if reason(err) != fault.ReasonBroken || status.Code(err) != codes.DataLoss || f == nil || f.Meta["sequence"] != seqText(sequence) {
				c.w.t.Errorf("%s: %s by %s answers %v", id, what, as.Role, err)
			}
		}
	}
	list, err := c.ListEncounters(ctx, &encounterv1.ListEncountersRequest{As: gm})
	if err != nil {
		c.w.t.Fatal(err)
	}
	for _, e := range list.Encounters {
		if e.Closed != (e.Encounter == id) {
			c.w.t.Errorf("list: %v", e)
		}
	}
	part := c.svc.Part()
	if len(part.Closed) != 1 || part.Closed[0].ID != id || part.Closed[0].Sequence != sequence || part.State != ops.Degraded || part.Figures[0].Value != 1 {
		c.w.t.Errorf("part %+v", part)
	}
}

func seqText(n uint64) string { return fault.BrokenRecord("", "", n).Meta["sequence"] }

// However a record is broken, it closes its encounter alone: while it runs, after
// a restart, and when everything is folded again without any cache.
func TestBrokenRecordClosesItsEncounterAlone(t *testing.T) {
	valid := func(w *world, id string, change func(*event.Draft)) (string, []byte) {
		last, _, _ := w.journal.Last(context.Background(), "skald.0.main.encounter.e")
		c, err := event.Open(last.Data)
		if err != nil {
			t.Fatal(err)
		}
		h := c.Header
		h.Version, h.PreviousHash, h.Digests = h.Version+1, c.Hash, nil
		d := event.Draft{Header: h, Cause: &eventv1.CommitCause{}, Inputs: &eventv1.CommitInputs{}}
		change(&d)
		data, hash, err := event.Seal(d, bytes.NewReader(make([]byte, 4096)))
		if err != nil {
			t.Fatal(err)
		}
		return hexed(hash), data
	}
	for name, forge := range map[string]func(w *world) (string, []byte){
		"junk": func(*world) (string, []byte) { return "junk", []byte{0xff, 0xfe} },
		"repeated": func(w *world) (string, []byte) {
			last, _, _ := w.journal.Last(context.Background(), "skald.0.main.encounter.e")
			return last.ID + "x", last.Data
		},
		"not its hash": func(w *world) (string, []byte) {
			_, data := valid(w, "e", func(*event.Draft) {})
			return "some-id", data
		},
		"of another id": func(w *world) (string, []byte) { return valid(w, "e", func(d *event.Draft) { d.Header.Id = "f" }) },
		"one left out":  func(w *world) (string, []byte) { return valid(w, "e", func(d *event.Draft) { d.Header.Version++ }) },
		"other hash": func(w *world) (string, []byte) {
			return valid(w, "e", func(d *event.Draft) { d.Header.PreviousHash[0] ^= 1 })
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			c := w.start()
			c.fight("e", eventv1.DicePolicy_DICE_POLICY_SERVER)
			c.fight("f", eventv1.DicePolicy_DICE_POLICY_SERVER)
			watch, err := c.Watch(t.Context(), &encounterv1.WatchRequest{As: spectator, Encounter: "e"})
			if err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() {
				for {
					if _, err := watch.Recv(); err != nil {
						ended <- err
						return
					}
				}
			}()
			seq := w.publish("e", first(forge(w)), second(forge(w)))
			if err := <-ended; reason(err) != fault.ReasonBroken || status.Code(err) != codes.DataLoss {
				t.Errorf("the watch ended with %v", err)
			}
			c.eventually("the projection has closed it", func() bool { return c.svc.Status().Closed == 1 })
			c.closed("e", seq)
			c.stepOn("f")
			info, err := w.journal.Info(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			c.eventually("all is folded", func() bool { return c.svc.Status().Applied >= info.LastSeq })
			want, err := c.svc.ContentHash()
			if err != nil {
				t.Fatal(err)
			}
			for _, wipe := range []bool{false, true} {
				c.stop()
				if wipe {
					if err := os.Remove(encounter.File(w.dir)); err != nil {
						t.Fatal(err)
					}
				}
				c = w.start()
				c.closed("e", seq)
				got, err := c.svc.ContentHash()
				if err != nil || !bytes.Equal(got, want) {
					t.Errorf("wiped %v: other content, %v", wipe, err)
				}
				c.stepOn("f")
				if want, err = settledHash(w, c); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func settledHash(w *world, c *client) ([]byte, error) {
	info, err := w.journal.Info(context.Background())
	if err != nil {
		return nil, err
	}
	c.eventually("all is folded", func() bool { return c.svc.Status().Applied >= info.LastSeq })
	return c.svc.ContentHash()
}

func first(id string, _ []byte) string    { return id }
func second(_ string, data []byte) []byte { return data }

// altering is a log whose last records are not what they were.
type altering struct {
	journal.Log
	on      atomic.Bool
	appends atomic.Int64
}

func (a *altering) Last(ctx context.Context, subject string) (journal.Record, bool, error) {
	rec, ok, err := a.Log.Last(ctx, subject)
	if ok && a.on.Load() && subject == "skald.0.main.encounter.e" {
		rec.Data = append([]byte(nil), rec.Data...)
		rec.Data[len(rec.Data)/2] ^= 1
	}
	return rec, ok, err
}

func (a *altering) Append(ctx context.Context, m journal.Message) (uint64, error) {
	a.appends.Add(1)
	return a.Log.Append(ctx, m)
}

// Nothing is appended behind a record that was altered, though its sequence is
// right: neither by who has folded it, nor by who loads it.
func TestAlteredHeadClosesTheEncounter(t *testing.T) {
	w := newWorld(t)
	log := &altering{Log: w.journal}
	w.log = log
	c := w.start()
	c.fight("e", eventv1.DicePolicy_DICE_POLICY_SERVER)
	c.fight("f", eventv1.DicePolicy_DICE_POLICY_SERVER)
	last, _, err := w.journal.Last(t.Context(), "skald.0.main.encounter.e")
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(journal.TrustHead + 50*time.Millisecond)
	log.on.Store(true)
	before := log.appends.Load()
	if _, err := c.try(ann, "e", takeCmd("a", "strike", "b")); reason(err) != fault.ReasonBroken {
		t.Errorf("a command behind an altered record: %v", err)
	}
	if log.appends.Load() != before {
		t.Error("something was appended")
	}
	c.closed("e", last.Seq)
	c.stepOn("f")
	c.stop()
	c = w.start() // loading it finds the same
	if _, err := c.GetState(t.Context(), &encounterv1.GetStateRequest{As: gm, Encounter: "e"}); reason(err) != fault.ReasonBroken {
		t.Errorf("loaded: %v", err)
	}
	c.stop()
	log.on.Store(false)
	w.start().stepOn("e") // mended
}

// The projection gives back every Commit as the log has it, while it is open, and
// what is whole of it when its tree is broken.
func TestCopies(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	c.fight("e", eventv1.DicePolicy_DICE_POLICY_SERVER)
	for range 30 {
		c.stepOn("e")
	}
	if _, err := settledHash(w, c); err != nil {
		t.Fatal(err)
	}
	stored := map[uint64]journal.Record{}
	if err := w.journal.Read(t.Context(), journal.KindFilter(0, "encounter"), 1, 0, func(r journal.Record) error { stored[r.Seq] = r; return nil }); err != nil {
		t.Fatal(err)
	}
	check := func(least int, damaged bool) {
		t.Helper()
		got := map[uint64]bool{}
		err := encounter.Copies(encounter.File(w.dir), func(r journal.Record) error {
			is := stored[r.Seq]
			if got[r.Seq] || is.ID != r.ID || is.Subject != r.Subject || !bytes.Equal(is.Data, r.Data) {
				t.Errorf("copy %d differs or comes twice", r.Seq)
			}
			got[r.Seq] = true
			return nil
		})
		if (err != nil) != damaged || len(got) < least {
			t.Errorf("%d copies of %d: %v", len(got), len(stored), err)
		}
	}
	check(len(stored), false)
	c.stop()
	check(len(stored), false)
	f, err := os.OpenFile(encounter.File(w.dir), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteAt(make([]byte, 2*os.Getpagesize()), 0)
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	check(len(stored), true)
}

func hexed(b []byte) string { return hex.EncodeToString(b) }

// stepOn carries out a command that asks nothing.
func (c *client) stepOn(id string) {
	c.w.t.Helper()
	c.do(gm, id, addCmd(fmt.Sprint("x", c.w.n), 10))
}
