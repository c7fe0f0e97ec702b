package ledger

import (
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/skaldrpg/skald/pkg/benchfloor"
	"github.com/skaldrpg/skald/pkg/journal"
)

// BenchmarkFlush is what it takes until the tapes of so many encounters are on the log, for
// each of them; the floor is a raw guarded append of as many bytes.
func BenchmarkFlush(b *testing.B) {
	quiet := slog.New(slog.DiscardHandler)
	e, err := journal.StartEmbedded(b.Context(), journal.EmbeddedConfig{StoreDir: b.TempDir()}, quiet)
	if err != nil {
		b.Fatal(err)
	}
	defer e.Stop() //nolint:errcheck // nothing relies on it
	nc, err := e.Connect("bench")
	if err != nil {
		b.Fatal(err)
	}
	j, err := journal.Open(b.Context(), nc, journal.Config{Stream: "SKALD_0", Subjects: []string{"skald.>"}, Create: true, Log: quiet, Alone: true})
	if err != nil {
		b.Fatal(err)
	}
	measure := func(b *testing.B, each int, prepare func(), do func() error) {
		var busy, took time.Duration
		for range b.N {
			prepare()
			was, began := benchfloor.Processor(), time.Now()
			if err := do(); err != nil {
				b.Fatal(err)
			}
			busy, took = busy+benchfloor.Processor()-was, took+time.Since(began)
		}
		b.ReportMetric(float64(busy.Microseconds())/float64(b.N*each), "cpu-µs/record")
		b.ReportMetric(float64(took.Microseconds())/float64(b.N*each), "µs/record")
	}
	keys := newKeys(b)
	next, turn := 0, uint64(0)
	for _, n := range []int{0, 1, togetherLeast - 1, togetherLeast, 2 * togetherLeast, togetherMost} {
		if n == 0 {
			b.Run("floor", func(b *testing.B) {
				m := journal.Message{Data: make([]byte, 160)}
				measure(b, 1, func() {
					next++
					m.Subject, m.ID = fmt.Sprint("skald.0.t.floor.", next), fmt.Sprint("f", next)
				}, func() error { _, err := j.Append(b.Context(), m); return err })
			})
			continue
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			l := New(Config{Log: j, Keys: keys, Store: empty{}, Alone: true, Logger: quiet})
			next++
			of := next * 1000
			for i := range n {
				if _, err := l.OpenEpoch(b.Context(), key(of+i), Opening{Epoch: 1}); err != nil {
					b.Fatal(err)
				}
			}
			measure(b, n, func() {
				turn++
				for i := range n {
					if err := draw(b.Context(), l, key(of+i), turn); err != nil {
						b.Fatal(err)
					}
				}
			}, func() error { return l.flush(b.Context()) })
		})
	}
}
