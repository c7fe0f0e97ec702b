package store_test

import (
	crand "crypto/rand"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/journal/memjournal"
	"github.com/skaldrpg/skald/pkg/projection"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/innertest"
	"github.com/skaldrpg/skald/services/encounter/internal/store"
)

// longFight is a projection of one fight of so many Commits: eight creatures, four
// players, four events a Commit.
func longFight(b *testing.B, commits int) store.Reader {
	b.Helper()
	log := memjournal.New(memjournal.Options{})
	seal := aggregate.Sealer{Clock: func() time.Time { return time.UnixMilli(1) }, Random: crand.Reader}
	name := aggregate.Name{Table: "main", Kind: aggregate.Encounter, ID: "e"}
	var head aggregate.Head
	dice := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a fight that is always the same
	for i := range commits {
		var events []*eventv1.Event
		if i == 0 {
			events = append(events, event.New(event.Everyone(), &eventv1.EncounterCreated{Encounter: "e", System: "tiny"}))
			for c := range 8 {
				id := fmt.Sprint("c", c)
				sheet := &eventv1.Sheet{Id: id, Name: id, HitPoints: 100, Side: "x", Abilities: map[string]int32{"str": 10, "dex": 11, "con": 12, "int": 13, "wis": 14, "cha": 15}}
				events = append(events, event.New(event.Everyone(), &eventv1.CreatureAdded{Creature: id, Name: id, Controllers: []string{fmt.Sprint("p", c%4)}}),
					event.New(event.Everyone(), &eventv1.SheetSet{Creature: id, Sheet: sheet}))
			}
		}
		who := fmt.Sprint("c", dice.IntN(8))
		events = append(events,
			event.New(event.Everyone(), &eventv1.CounterSet{Subject: who, Counter: "action", Value: int64(i)}),
			event.New(event.Controllers(who), &eventv1.CounterSet{Subject: who, Counter: "wounds", Value: int64(dice.IntN(9))}),
			event.New(event.GM(), &eventv1.CounterSet{Subject: who, Counter: "morale", Value: int64(dice.IntN(9))}),
			event.New(event.Everyone(), &eventv1.MarkSet{Subject: who, Mark: "stance", Value: strconv.Itoa(dice.IntN(5))}))
		draw := &eventv1.Input{Label: "to-hit", What: &eventv1.Input_Draw{Draw: &eventv1.Draw{Branch: "everyone", Expression: "1d20", Faces: []int32{7}, Action: uint64(i) + 1}}}
		m, err := seal.Seal(name, head, "tiny", "1", event.Draft{Cause: &eventv1.CommitCause{Action: uint64(i) + 1, RequestId: fmt.Sprint("r", i), Principal: innertest.GM},
			Inputs: &eventv1.CommitInputs{Inputs: []*eventv1.Input{draw}}, Events: events})
		if err != nil {
			b.Fatal(err)
		}
		seq, err := log.Append(b.Context(), m)
		if err != nil {
			b.Fatal(err)
		}
		_, c, err := aggregate.Open(journal.Record{Subject: m.Subject, ID: m.ID, Data: m.Data, Seq: seq})
		if err != nil {
			b.Fatal(err)
		}
		head = head.Then(seq, c.Hash)
	}
	cfg := projection.Config{Path: filepath.Join(b.TempDir(), "encounter.db"), Schema: store.Schema, Log: log, Filter: aggregate.Encounter.Filter(0), Fold: store.NewFold(0), Logger: innertest.Quiet}
	began := time.Now()
	if err := projection.Rebuild(b.Context(), cfg, nil); err != nil {
		b.Fatal(err)
	}
	took := time.Since(began)
	if info, err := os.Stat(cfg.Path); err == nil {
		b.Logf("%d Commits folded in %v (%.0f a second), %d bytes a Commit in the file", commits, took.Round(time.Millisecond), float64(commits)/took.Seconds(), info.Size()/int64(commits))
	}
	p, err := projection.Open(b.Context(), cfg)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { p.Close() }) //nolint:errcheck // benchmark
	return store.Reader{P: p}
}

func commits() int {
	if n, err := strconv.Atoi(os.Getenv("SKALD_LONG_COMMITS")); err == nil {
		return n
	}
	return 10_000
}

func quantiles(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Nanoseconds())/1e3, "p50-µs")
	b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds())/1e3, "p99-µs")
}

// BenchmarkPast is a view at a version, any view at any version, nothing of it in
// memory; the floor beside it is a raw read of the Commit of that version, and open
// is the whole fight being taken into memory.
func BenchmarkPast(b *testing.B) {
	n := commits()
	rows := longFight(b, n)
	viewers := []string{aggregate.ViewerGM, aggregate.ViewerEveryone}
	for i := range 4 {
		viewers = append(viewers, aggregate.PlayerViewer(fmt.Sprint("p", i)))
	}
	each := func(b *testing.B, fn func(viewer string, version uint64) error) {
		dice := rand.New(rand.NewPCG(3, 4)) //nolint:gosec // which versions is no secret
		took := make([]time.Duration, 0, b.N)
		for b.Loop() {
			viewer, version := viewers[dice.IntN(len(viewers))], uint64(dice.IntN(n))+1
			began := time.Now()
			if err := fn(viewer, version); err != nil {
				b.Fatal(err)
			}
			took = append(took, time.Since(began))
		}
		quantiles(b, took)
	}
	b.Run("State", func(b *testing.B) {
		each(b, func(viewer string, version uint64) error {
			_, err := rows.StateAt(b.Context(), "main", "e", viewer, version)
			return err
		})
	})
	b.Run("StateKnown", func(b *testing.B) {
		rows := store.Reader{P: rows.P, Known: store.NewKnown(0)}
		each(b, func(string, uint64) error {
			_, err := rows.StateAt(b.Context(), "main", "e", aggregate.ViewerGM, uint64(n)/2)
			return err
		})
	})
	b.Run("Floor", func(b *testing.B) {
		each(b, func(_ string, version uint64) error {
			return rows.P.View(func(tx *projection.Tx) error {
				if tx.Get(store.Commits, projection.Key("main", "e", version)) == nil {
					return fmt.Errorf("no version %d", version)
				}
				return nil
			})
		})
	})
	b.Run("Ruling", func(b *testing.B) { // what going back to a version needs
		each(b, func(_ string, version uint64) error {
			_, err := rows.LoadAt(b.Context(), "main", "e", version)
			return err
		})
	})
	b.Run("Open", func(b *testing.B) {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		r, err := rows.Load("main", "e")
		if err != nil {
			b.Fatal(err)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(r)
		each(b, func(string, uint64) error {
			_, err := rows.Load("main", "e")
			return err
		})
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(n), "heap-bytes/commit")
	})
}
