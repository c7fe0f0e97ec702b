package encounter_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/skaldrpg/skald/pkg/benchfloor"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/rpc"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter"
)

// worked reports the processor's time of each operation since busy was read, in the
// whole process: what it says hangs less on who else uses the machine.
func worked(b *testing.B, busy time.Duration) {
	b.ReportMetric(float64((benchfloor.Processor()-busy).Microseconds())/float64(b.N), "cpu-µs")
}

// quantiles reports the median and the 99th percentile of durations.
func quantiles(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
}

// BenchmarkCommand is one command through everything: gRPC, the rules, three
// rolls in the dice service, one deed in the injury service, one synced append,
// the fold and the reply. Its services call each other directly, as in one process.
func BenchmarkCommand(b *testing.B) { attacks(b, newWorld(b)) }

// BenchmarkCommandOverGRPC is the same with services that call each other over gRPC.
func BenchmarkCommandOverGRPC(b *testing.B) { attacks(b, newWorldOver(b, true)) }

func attacks(b *testing.B, w *world) {
	c := w.start()
	c.fight("e", server)
	took, busy := make([]time.Duration, 0, b.N), benchfloor.Processor()
	for b.Loop() {
		begin := time.Now()
		c.do(gm, "e", early(takeCmd("a", "attack", "b"), "parry", "no", "endure", "yes"))
		took = append(took, time.Since(begin))
	}
	worked(b, busy)
	quantiles(b, took)
}

// BenchmarkCommandWithoutDice is a command that rolls nothing: gRPC, the rules,
// one synced append, the fold and the reply.
func BenchmarkCommandWithoutDice(b *testing.B) {
	w := newWorld(b)
	c := w.start()
	c.fight("e", server)
	took, busy := make([]time.Duration, 0, b.N), benchfloor.Processor()
	for b.Loop() {
		begin := time.Now()
		c.do(gm, "e", takeCmd("a", "whisper", "b"))
		took = append(took, time.Since(begin))
	}
	worked(b, busy)
	quantiles(b, took)
}

// BenchmarkFloor is what the machine allows: a gRPC call whose handler does one
// raw conditional publish of as many bytes as an attack's Commit has.
func BenchmarkFloor(b *testing.B) {
	w := newWorld(b)
	c := w.start()
	c.fight("e", server)
	c.do(gm, "e", early(takeCmd("a", "attack", "b"), "parry", "no", "endure", "yes"))
	last, _, err := w.journal.Last(b.Context(), "skald.0.main.encounter.e")
	if err != nil {
		b.Fatal(err)
	}
	echo := &benchfloor.Echo{Log: w.journal, Subject: "skald.0.main.floor.x", Data: last.Data}
	gs := rpc.NewServer(rpc.Options{Logger: quiet})
	encounterv1.RegisterEncounterServiceServer(gs, echo)
	p := rpc.NewInProcess()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- rpc.Serve(ctx, gs, p.Listener()) }()
	conn, err := p.Dial()
	if err != nil {
		b.Fatal(err)
	}
	client := encounterv1.NewEncounterServiceClient(conn)
	req := &encounterv1.ExecuteRequest{RequestId: "r", As: gm, Encounter: "e", Command: early(takeCmd("a", "attack", "b"), "parry", "no", "endure", "yes")}
	took, busy := make([]time.Duration, 0, b.N), benchfloor.Processor()
	for b.Loop() {
		begin := time.Now()
		if _, err := client.Execute(ctx, req); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(begin))
	}
	worked(b, busy)
	quantiles(b, took)
	b.ReportMetric(float64(len(last.Data)), "commit-bytes")
	conn.Close() //nolint:errcheck // benchmark
	cancel()
	<-done
}

// BenchmarkReplay folds 100,000 stored Commits into an empty projection; the
// time of one operation is the time of the whole replay.
func BenchmarkReplay(b *testing.B) {
	w := newWorld(b)
	commits := history(b, w, 100_000)
	b.ResetTimer()
	for b.Loop() {
		dir := b.TempDir()
		if err := encounter.Rebuild(b.Context(), encounter.Config{Journal: w.journal, DataDir: dir, Logger: quiet, Systems: w.systems}, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(commits)*float64(b.N)/b.Elapsed().Seconds(), "commits/s")
}

// BenchmarkReplayBare writes as many values of equal size into bbolt, in
// batches of the same size.
func BenchmarkReplayBare(b *testing.B) {
	w := newWorld(b)
	commits := history(b, w, 100_000)
	b.ResetTimer()
	for b.Loop() {
		cfg := projection.Config{Path: b.TempDir() + "/floor.db", Schema: "floor", Log: w.journal, Filter: journal.KindFilter(0, "encounter"), Fold: keep{}, Logger: quiet}
		if err := projection.Rebuild(b.Context(), cfg, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(commits)*float64(b.N)/b.Elapsed().Seconds(), "commits/s")
}

// keep stores records as they are.
type keep struct{}

func (keep) Buckets() []projection.Bucket { return []projection.Bucket{"records"} }
func (keep) Apply(tx *projection.Tx, rec journal.Record) error {
	return tx.Put("records", projection.Key(rec.Subject, rec.Seq), rec.Data)
}

// history appends n Commits of an attack's size to 100 encounters.
func history(b *testing.B, w *world, n int) int {
	b.Helper()
	c := w.start()
	c.fight("e", server)
	c.do(gm, "e", early(takeCmd("a", "attack", "b"), "parry", "no", "endure", "yes"))
	last, _, err := w.journal.Last(b.Context(), "skald.0.main.encounter.e")
	if err != nil {
		b.Fatal(err)
	}
	c.stop()
	sample, err := event.Open(last.Data)
	if err != nil {
		b.Fatal(err)
	}
	created := event.New(event.Everyone(), &eventv1.EncounterCreated{Encounter: "x", System: "toy"})
	type chain struct {
		hash []byte
		seq  uint64
	}
	chains := make([]chain, 100)
	random := bytes.NewReader(bytes.Repeat([]byte{1}, 1<<20))
	for i := range n {
		k := i % len(chains)
		events := sample.Events
		if chains[k].seq == 0 {
			events = []*eventv1.Event{created}
		}
		if random.Len() < 4096 {
			random.Reset(bytes.Repeat([]byte{1}, 1<<20))
		}
		id := fmt.Sprintf("x%d", k)
		data, hash, err := event.Seal(event.Draft{Header: &eventv1.CommitHeader{Kind: "encounter", Id: id, Table: "main", Version: uint64(i/len(chains)) + 1, PreviousHash: chains[k].hash},
			Cause: &eventv1.CommitCause{RequestId: fmt.Sprint(i), Action: uint64(i)}, Inputs: sample.Inputs, Events: events}, random)
		if err != nil {
			b.Fatal(err)
		}
		seq, err := w.journal.Append(b.Context(), journal.Message{Subject: "skald.0.main.encounter." + id, ID: hex.EncodeToString(hash), Data: data, Expected: chains[k].seq})
		if err != nil {
			b.Fatal(err)
		}
		chains[k] = chain{hash, seq}
	}
	return n
}

// BenchmarkCommandParallel is attacks on sixteen encounters at once: syncs of
// the log are shared.
func BenchmarkCommandParallel(b *testing.B) {
	w := newWorld(b)
	c := w.start()
	const fights = 16
	work := make(chan int)
	done := make(chan error, fights)
	for i := range fights {
		id := fmt.Sprintf("e%d", i)
		c.fight(id, server)
		go func() {
			for n := range work {
				_, err := c.Execute(context.Background(), &encounterv1.ExecuteRequest{RequestId: fmt.Sprintf("p%d", n), As: gm, Encounter: id,
					Command: early(takeCmd("a", "attack", "b"), "parry", "no", "endure", "yes")})
				if err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	n := 0
	for b.Loop() {
		n++
		work <- n
	}
	close(work)
	for range fights {
		if err := <-done; err != nil {
			b.Fatal(err)
		}
	}
}
