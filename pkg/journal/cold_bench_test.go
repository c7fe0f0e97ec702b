package journal_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/skaldrpg/skald/pkg/benchfloor"
	"github.com/skaldrpg/skald/pkg/journal"
)

// A log of coldBlocks blocks, as NATS makes them, of subjects that have one record each.
const (
	coldBlocks   = 24
	coldBytes    = 1300
	coldSubjects = coldBlocks * (8 << 20) / (coldBytes + 200)
)

func coldSubject(i int) string { return fmt.Sprint("skald.0.t.encounter.cold", i) }

// fillCold makes the log.
func fillCold(b *testing.B, dir string) {
	b.Helper()
	e, err := journal.StartEmbedded(b.Context(), journal.EmbeddedConfig{StoreDir: dir, Unsynced: true}, quiet)
	if err != nil {
		b.Fatal(err)
	}
	nc, err := e.Connect(b.Name())
	if err != nil {
		b.Fatal(err)
	}
	j := open(b, nc, config())
	for i := range coldSubjects { // without a guard: the sequence is i+1
		if err := nc.Publish(coldSubject(i), make([]byte, coldBytes)); err != nil {
			b.Fatal(err)
		}
	}
	for last := uint64(0); last < coldSubjects; {
		if last, err = j.LastSeq(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	if err := e.Stop(); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkCold is an append behind a record that stands in a block that NATS has not in
// memory: what the guard costs there, and what it costs to read the record first. The
// floor is an append of as many bytes to a subject that has no record, for whose guard
// nothing is read. Each turn has one append in each block, on a server just started.
func BenchmarkCold(b *testing.B) {
	dir := b.TempDir()
	fillCold(b, dir)
	turn := 0
	for _, c := range []struct {
		name           string
		read, new, put bool
	}{{"floor", false, true, true}, {"guarded", false, false, true}, {"read-and-guarded", true, false, true}, {"read", true, false, false}} {
		b.Run(c.name, func(b *testing.B) {
			var busy time.Duration
			for range b.N {
				b.StopTimer()
				e, err := journal.StartEmbedded(b.Context(), journal.EmbeddedConfig{StoreDir: dir}, quiet)
				if err != nil {
					b.Fatal(err)
				}
				nc, err := e.Connect(b.Name())
				if err != nil {
					b.Fatal(err)
				}
				j := open(b, nc, config())
				turn++
				began := benchfloor.Processor()
				b.StartTimer()
				for block := range coldBlocks {
					i := block*(coldSubjects/coldBlocks) + 100 + turn
					m := journal.Message{Subject: coldSubject(i), ID: fmt.Sprint(i), Data: make([]byte, coldBytes), Expected: uint64(i + 1)}
					if c.new {
						m.Subject, m.Expected = fmt.Sprint("skald.0.t.encounter.new", i), 0
					}
					if c.read {
						if rec, ok, err := j.Last(b.Context(), m.Subject); err != nil || !ok || rec.Seq != m.Expected {
							b.Fatalf("%s: at %d, want %d; %v", m.Subject, rec.Seq, m.Expected, err)
						}
					}
					if c.put {
						if _, err := j.Append(b.Context(), m); err != nil {
							b.Fatal(err)
						}
					}
				}
				b.StopTimer()
				busy += benchfloor.Processor() - began
				if err := e.Stop(); err != nil {
					b.Fatal(err)
				}
			}
			n := float64(b.N * coldBlocks)
			b.ReportMetric(float64(busy.Microseconds())/n, "cpu-µs/append")
			b.ReportMetric(float64(b.Elapsed().Microseconds())/n, "µs/append")
		})
	}
}
