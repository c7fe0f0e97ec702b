package record

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"pgregory.net/rapid"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/journal/memjournal"
	"github.com/skaldrpg/skald/pkg/projection"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// reading is a fold that reads every Commit of a fight, whoever it concerns.
type reading struct{ Fold }

func (r reading) Apply(tx *projection.Tx, rec journal.Record) error {
	n, ok := aggregate.Parse(rec.Subject)
	if !ok || n.Kind != aggregate.Encounter {
		return r.Fold.Apply(tx, rec)
	}
	_, o, err := aggregate.Open(rec)
	if err != nil {
		return err
	}
	row := &injuryv1.StoredFight{}
	if _, err := aggregate.Get(tx, bucketFights, n.Key(), row); err != nil {
		return err
	}
	if err := fightHead(row).Next(o.Header.Version, o.Header.PreviousHash); err != nil {
		return err
	}
	row.Version, row.Sequence, row.Hash = o.Header.Version, rec.Seq, o.Hash
	return applyField(tx, n, row, rec)
}

// contentBy is what a fold makes of a log.
func contentBy(t testing.TB, log journal.Log, fold projection.Fold) (hash []byte, closed []projection.Closure) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	p, err := projection.Open(ctx, projection.Config{Path: filepath.Join(t.TempDir(), "r.db"), Schema: "1", Log: log, Fold: fold, Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	ran := make(chan error, 1)
	go func() { ran <- p.Run(ctx) }() // ends with cancel
	err = p.WaitCaughtUp(ctx)
	if err == nil {
		hash, err = p.ContentHash()
	}
	closed = p.AllClosed()
	cancel()
	<-ran
	if err != nil || p.Close() != nil {
		t.Fatal(err)
	}
	return hash, closed
}

// drawFightEvent is any event that a fight may have: of every kind that there is, and
// more often those by which creatures come and go, some of them patients.
func drawFightEvent(t *rapid.T, version uint64) *eventv1.Event {
	who := rapid.SampledFrom([]string{"a", "b", "p"}).Draw(t, "who")
	audience := rapid.SampledFrom([]*eventv1.Audience{event.Everyone(), event.GM(), event.Controllers("a", "p"), event.Controllers("b")}).Draw(t, "audience")
	switch rapid.IntRange(0, 11).Draw(t, "event") {
	case 0, 1:
		patient := map[string]string{"p": "p", "b": rapid.SampledFrom([]string{"", "q"}).Draw(t, "patient")}[who]
		return event.New(event.Everyone(), &eventv1.CreatureAdded{Creature: who, Name: who, Patient: patient, Controllers: players[:rapid.IntRange(0, 2).Draw(t, "controllers")]})
	case 2:
		return event.New(event.Everyone(), &eventv1.CreatureRemoved{Creature: who})
	case 3:
		return event.New(event.Everyone(), &eventv1.ControllersSet{Creature: who, Controllers: players[rapid.IntRange(0, 3).Draw(t, "from"):]})
	case 4:
		if version > 1 {
			return event.New(event.Everyone(), &eventv1.Reverted{Version: rapid.Uint64Range(1, version-1).Draw(t, "back")})
		}
	case 5, 6:
		return event.New(audience, &eventv1.Damage{Target: who, Source: "a"})
	case 7:
		return event.New(audience, &eventv1.HitPoints{Creature: who, Hp: 3, Max: 5})
	case 8:
		if version > 1 {
			return event.New(event.GM(), &eventv1.Amended{Base: rapid.Uint64Range(1, version-1).Draw(t, "base")})
		}
	}
	all := (&eventv1.Event{}).ProtoReflect().Descriptor().Oneofs().ByName("what").Fields()
	of := all.Get(rapid.IntRange(0, all.Len()-1).Draw(t, "kind"))
	e := &eventv1.Event{Audience: audience}
	inner := e.ProtoReflect().Mutable(of).Message()
	for _, name := range about {
		if fd := inner.Descriptor().Fields().ByName(name); fd != nil && fd.Kind() == protoreflect.StringKind && !fd.IsList() {
			inner.Set(fd, protoreflect.ValueOfString(who))
		}
	}
	return e
}

// What is passed over would have changed nothing: the content is that of reading all.
func TestWhatIsPassedOverConcernsNobody(t *testing.T) {
	passed, read := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		log := memjournal.New(memjournal.Options{})
		for _, id := range []string{"p", "q"}[:rapid.IntRange(0, 2).Draw(rt, "enrolled")] {
			(&chain{log: log, kind: string(aggregate.Patient), id: id}).commit(t, []*eventv1.Event{event.New(event.Everyone(), &eventv1.CreatureAdded{Creature: id, Name: id})})
		}
		c := &chain{log: log, kind: string(aggregate.Encounter), id: "e"}
		for v := range rapid.Uint64Range(1, 12).Draw(rt, "commits") {
			var events []*eventv1.Event
			for range rapid.IntRange(0, 3).Draw(rt, "events") {
				e := drawFightEvent(rt, v+1)
				events = append(events, e)
				raw, err := proto.Marshal(e)
				if err != nil {
					rt.Fatal(err)
				}
				if event.Has(raw, movers) {
					read++
				} else {
					passed++
				}
			}
			c.commit(t, events)
		}
		a, closed := contentBy(t, log, Fold{})
		b, closedToo := contentBy(t, log, reading{})
		if !bytes.Equal(a, b) || fmt.Sprint(closed) != fmt.Sprint(closedToo) {
			rt.Fatalf("content %x, closed %v; reading all, %x, %v", a, closed, b, closedToo)
		}
	})
	if passed == 0 || read == 0 {
		t.Errorf("%d events of sorts that are passed over, %d of those that are not", passed, read)
	}
}

// A broken Commit closes its fight, whether anybody here is concerned or not.
func TestBrokenCommitsAreNotPassedOver(t *testing.T) {
	added := event.New(event.Everyone(), &eventv1.CreatureAdded{Creature: "a", Name: "a"})
	note := event.New(event.Everyone(), &eventv1.Note{Text: "an honest note"})
	for name, spoil := range map[string]func(t *testing.T, c *chain, d event.Draft) (data []byte, id string){
		"a part that was altered": func(t *testing.T, _ *chain, d event.Draft) ([]byte, string) {
			data, id := mustSeal(t, d)
			return bytes.Replace(data, []byte("honest"), []byte("forged"), 1), id
		},
		"stored under another hash": func(t *testing.T, _ *chain, d event.Draft) ([]byte, string) {
			data, id := mustSeal(t, d)
			return data, "00" + id[2:]
		},
		"of another fight": func(t *testing.T, _ *chain, d event.Draft) ([]byte, string) {
			d.Header.Id = "other"
			return mustSeal(t, d)
		},
		"behind another Commit": func(t *testing.T, _ *chain, d event.Draft) ([]byte, string) {
			d.Header.PreviousHash = bytes.Repeat([]byte{1}, 32)
			return mustSeal(t, d)
		},
		"with a version left out": func(t *testing.T, _ *chain, d event.Draft) ([]byte, string) {
			d.Header.Version++
			return mustSeal(t, d)
		},
		"with a part withheld": func(t *testing.T, _ *chain, d event.Draft) ([]byte, string) {
			data, id := mustSeal(t, d)
			cut, err := event.Redact(data, func(i int) bool { return i != 2 })
			if err != nil {
				t.Fatal(err)
			}
			return cut, id
		},
	} {
		t.Run(name, func(t *testing.T) {
			log := memjournal.New(memjournal.Options{})
			c := &chain{log: log, kind: string(aggregate.Encounter), id: "e"}
			c.commit(t, []*eventv1.Event{added})
			data, id := spoil(t, c, event.Draft{Header: &eventv1.CommitHeader{Kind: c.kind, Id: c.id, Table: "t", Version: 2, PreviousHash: c.last.Hash},
				Cause: &eventv1.CommitCause{}, Inputs: &eventv1.CommitInputs{}, Events: []*eventv1.Event{note}})
			seq, err := log.Append(t.Context(), journal.Message{Subject: "skald.0.t.encounter.e", ID: id, Data: data, Expected: c.seq})
			if err != nil {
				t.Fatal(err)
			}
			if _, closed := contentBy(t, log, Fold{}); len(closed) != 1 || closed[0].Sequence != seq {
				t.Errorf("closed: %v", closed)
			}
		})
	}
}

func mustSeal(t *testing.T, d event.Draft) (data []byte, id string) {
	t.Helper()
	data, hash, err := event.Seal(d, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return data, hex.EncodeToString(hash)
}
