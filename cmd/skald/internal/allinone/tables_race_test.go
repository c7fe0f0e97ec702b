package allinone_test

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/cmd/skald/internal/erase"
	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/tombstone"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
	"github.com/skaldrpg/skald/services/encounter"
)

// busy is a table that is played while it is deleted.
type busy struct {
	tables
	table string

	mu    sync.Mutex
	done  map[string]uint64 // by encounter, how many commands were answered as done
	total atomic.Int64
}

// give gives a command until it is answered; false when the table is gone.
func (b *busy) give(ctx context.Context, fight, request string, what *eventv1.Command) bool {
	client := encounterv1.NewEncounterServiceClient(b.s.Conn())
	for {
		_, err := client.Execute(ctx, &encounterv1.ExecuteRequest{RequestId: request, As: theGM, Table: b.table, Encounter: fight, Command: what})
		switch {
		case err == nil:
			b.mu.Lock()
			defer b.mu.Unlock()
			b.done[fight]++
			b.total.Add(1)
			return true
		case reasonOf(err) == projection.ReasonDeleted:
			return false
		case ctx.Err() != nil || status.Code(err) != codes.Unavailable && status.Code(err) != codes.Aborted:
			b.t.Errorf("%s: %v", fight, err)
			return false
		}
	}
}

// play gives commands and rulings in a fight of its own until the table is gone.
func (b *busy) play(ctx context.Context, fight string) {
	if !b.give(ctx, fight, "c", creation(b.table, fight)) {
		return
	}
	for n := 0; ; n++ {
		what := &eventv1.Command{What: &eventv1.Command_Save{Save: &eventv1.SaveState{Name: fmt.Sprint("s", n)}}}
		if n%3 == 2 { // a ruling
			what = &eventv1.Command{What: &eventv1.Command_Revert{Revert: &eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Version{Version: 1}, Reason: "misread"}}}
		}
		if !b.give(ctx, fight, fmt.Sprint("r", n), what) {
			return
		}
	}
}

// TestCommandsRaceADeletion deletes a table while commands and rulings come: by the
// process that serves it, which keeps them out itself, and by another, where nothing
// keeps them out but the log. What was answered as done the tombstones tell of.
func TestCommandsRaceADeletion(t *testing.T) {
	for _, apart := range []bool{false, true} {
		t.Run(fmt.Sprintf("apart=%v", apart), func(t *testing.T) {
			dir := t.TempDir()
			cfg := allinone.Config{DataDir: dir}
			if apart {
				nats, err := journal.StartEmbedded(t.Context(), journal.EmbeddedConfig{StoreDir: filepath.Join(t.TempDir(), "nats"), Port: -1}, quiet())
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { nats.Stop() }) //nolint:errcheck // the test is over
				cfg.NATSURL, cfg.Create = nats.URL(), true
			}
			s, err := startWith(t, cfg)
			if err != nil {
				t.Fatal(err)
			}
			b := &busy{tables: tables{t, s}, table: "a", done: map[string]uint64{}}
			b.fill("b", true)
			deletion := func() error { _, err := b.delete("a", openFights); return err }
			if apart {
				e := eraser(t, dir, cfg.NATSURL)
				deletion = func() error {
					_, err := e.Delete(t.Context(), erase.Request{Table: "a", By: "kim", Reason: "race", OpenFights: true})
					return err
				}
			}
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			var writers sync.WaitGroup
			for i := range 4 {
				writers.Go(func() { b.play(ctx, fmt.Sprint("f", i)) }) // ends with the table
			}
			eventually(t, "nobody plays", func() bool { return b.total.Load() > 40 })
			for {
				if err = deletion(); err == nil || reasonOf(err) != erase.ReasonBusy {
					break
				}
			}
			if err != nil && reasonOf(err) != projection.ReasonDeleted {
				t.Fatalf("deleting: %v", err)
			}
			writers.Wait()
			if err := deletion(); err != nil && reasonOf(err) != projection.ReasonDeleted { // what came late
				t.Errorf("deleting what came late: %v", err)
			}
			b.told(dir)
			if apart { // another process's deletion is read from the log
				eventually(t, "the deletion is known", func() bool { return b.listed() == projection.ReasonDeleted })
			}
			b.gone("a")
			b.alive("b")
			if err := b.do("b", "cellar", "later", creation("b", "cellar")); err != nil {
				t.Error(err)
			}
			same(t, s)
		})
	}
}

// listed is the reason of what a list of the table's fights and one of its patients are
// both refused for.
func (b *busy) listed() string {
	_, fights := encounterv1.NewEncounterServiceClient(b.s.Conn()).ListEncounters(b.t.Context(), &encounterv1.ListEncountersRequest{As: theGM, Table: b.table})
	_, patients := injuryv1.NewInjuryServiceClient(b.s.Conn()).ListPatients(b.t.Context(), &injuryv1.ListPatientsRequest{As: theGM, Table: b.table})
	if reasonOf(fights) != reasonOf(patients) {
		return ""
	}
	return reasonOf(fights)
}

// told holds what was answered against the tombstones, and the log for holding
// nothing else of the table.
func (b *busy) told(dir string) {
	b.t.Helper()
	stones, err := verifier(b.t, dir).All(b.t.Context(), b.s.Log(), 0, b.table)
	if err != nil {
		b.t.Fatal(err)
	}
	told := map[string]uint64{}
	for _, s := range stones {
		for _, c := range s.Chains {
			told[c.ID] = max(told[c.ID], c.Version)
		}
	}
	for fight, n := range b.done {
		if told[fight] < n {
			b.t.Errorf("%s: %d commands were answered as done, and the tombstones tell of %d", fight, n, told[fight])
		}
	}
	for _, subject := range rest(b.t, b.s, b.table) {
		if _, ok := journal.SplitTombstone(subject); !ok {
			b.t.Errorf("left in the log: %s", subject)
		}
	}
}

// eraser deletes over NATS, as `skald table delete --nats` does.
func eraser(t *testing.T, dir, url string) *erase.Eraser {
	t.Helper()
	keys, err := attest.ReadKeys(filepath.Join(dir, encounter.KeysFile))
	if err != nil {
		t.Fatal(err)
	}
	nc, err := journal.Connect(t.Context(), url, journal.ConnectOptions{Name: "operator"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	streams, err := journal.OpenSet(t.Context(), nc, journal.SetConfig{Log: quiet()})
	if err != nil {
		t.Fatal(err)
	}
	return erase.New(erase.Config{Streams: streams, Keys: keys, Logger: quiet(), Chains: func(ctx context.Context, p int, table string, _ uint64) ([]tombstone.Chain, error) {
		ends, err := encounter.EndsOf(ctx, streams.All()[p], p, table, quiet())
		return allinone.Chains(ends), err
	}})
}

// TestADeletedTableDoesNotComeBack tries what might bring one back: its name again,
// its export, its own tombstone replayed by somebody who may write to the log, here
// and in the place of another table.
func TestADeletedTableDoesNotComeBack(t *testing.T) {
	dir := t.TempDir()
	s, err := startWith(t, allinone.Config{DataDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	w := tables{t, s}
	w.fill("a", true)
	w.fill("b", true)
	messages, _ := export(t, w, "a")
	if _, err := w.delete("a"); err != nil {
		t.Fatal(err)
	}
	var parts []*encounterv1.ExportResponse
	for _, m := range messages {
		if m.GetHeads() == nil {
			parts = append(parts, m)
		}
	}
	client := encounterv1.NewEncounterServiceClient(s.Conn())
	if _, err := client.Import(t.Context(), &encounterv1.ImportRequest{As: theGM, Table: "a", Encounter: "bridge", Messages: parts, Last: true}); reasonOf(err) != projection.ReasonDeleted {
		t.Errorf("importing its export: %v", err)
	}
	if _, err := client.Import(t.Context(), &encounterv1.ImportRequest{As: theGM, Table: "c", Encounter: "bridge", Messages: parts, Last: true}); err == nil {
		t.Error("its export is taken as another table's")
	}
	log := s.Streams().All()[0]
	var stones []journal.Record
	for _, kind := range []string{"encounter", "dice"} {
		rec, ok, err := log.Last(t.Context(), "skald.0.a."+kind+".@tombstone")
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		stones = append(stones, rec)
	}
	replay := func(table, id string) {
		t.Helper()
		var ms []journal.Message
		for i, kind := range []string{"encounter", "dice"} {
			subject := "skald.0." + table + "." + kind + ".@tombstone"
			last, _, err := log.Last(t.Context(), subject)
			if err != nil {
				t.Fatal(err)
			}
			ms = append(ms, journal.Message{Subject: subject, ID: fmt.Sprint(id, i), Data: stones[i].Data, Expected: last.Seq})
		}
		if _, err := log.Journal.AppendAtomic(t.Context(), ms); err != nil {
			t.Fatal(err)
		}
	}
	replay("a", "again")
	replay("b", "elsewhere")
	w.gone("a")
	w.alive("b")
	if err := w.do("b", "cellar", "later", creation("b", "cellar")); err != nil {
		t.Error(err)
	}
	if _, err := w.delete("a"); reasonOf(err) != projection.ReasonDeleted {
		t.Errorf("deleted again: %v", err)
	}
	same(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if w.s, err = startWith(t, allinone.Config{DataDir: dir}); err != nil {
		t.Fatal(err)
	}
	w.gone("a")
	w.alive("b")
}
