package scale_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/skaldrpg/skald/cmd/skald/internal/scale"
	"github.com/skaldrpg/skald/pkg/journal"
)

var update = flag.Bool("update", false, "write the table of docs/SCALE.md anew")

const (
	page  = "../../../../docs/SCALE.md"
	begin = "<!-- scale: begin -->\n"
	end   = "<!-- scale: end -->"
)

// standard is three nodes' worth of care: half of every rate is kept for peaks.
var standard = scale.Plan{Replicas: 3, Owners: 2, Busy: 0.5, NodeMemory: 4 << 30}

func table() string {
	var b strings.Builder
	b.WriteString("| tables | playing | commands a second | streams | NATS nodes | memory for subjects, a node | log a day, a node | processes of each service | of its time a process folds | a stream's month read again |\n")
	b.WriteString("|---|---|---|---|---|---|---|---|---|---|\n")
	for _, l := range []scale.Load{
		{Tables: 1_000, Active: 0.1, PerMinute: 4, Subjects: 60},
		{Tables: 100_000, Active: 0.01, PerMinute: 4, Subjects: 60},
		{Tables: 1_000_000, Active: 0.01, PerMinute: 4, Subjects: 60},
		{Tables: 1_000_000, Active: 0.05, PerMinute: 4, Subjects: 60},
		{Tables: 1_000_000, Active: 0.2, PerMinute: 4, Subjects: 60},
	} {
		n := scale.Of(l, scale.Measured(), standard)
		fmt.Fprintf(&b, "| %s | %g %% | %s | %.0f | %.0f | %s | %s | %.0f | %.1f %% | %s |\n", count(l.Tables), 100*l.Active, count(n.Commands), n.Streams, n.Nodes,
			size(n.SubjectMemory), size(n.LogPerDay), n.Processes, 100*n.Folding, (time.Duration(n.ReadAgain) * time.Second).String())
	}
	return b.String()
}

func count(x float64) string {
	s := strconv.FormatFloat(x, 'f', 0, 64)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func size(bytes float64) string {
	for _, u := range []string{"B", "kB", "MB", "GB", "TB"} {
		if bytes < 1000 {
			return fmt.Sprintf("%.3g %s", bytes, u)
		}
		bytes /= 1000
	}
	return fmt.Sprintf("%.3g PB", bytes)
}

// TestTable: docs/SCALE.md shows what the model says.
func TestTable(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), begin)
	old, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatal("docs/SCALE.md has no place for the table")
	}
	if *update {
		if err := os.WriteFile(page, []byte(before+begin+table()+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if old != table() {
		t.Errorf("docs/SCALE.md has another table: run go test ./internal/scale -run TestTable -update in cmd/skald; it wants\n%s", table())
	}
}

// More of anything never needs less, and nothing is planned beyond its rate.
func TestNeedsAreEnough(t *testing.T) {
	c := scale.Measured()
	var last scale.Needs
	for _, tables := range []float64{1, 100, 10_000, 1_000_000, 100_000_000} {
		n := scale.Of(scale.Load{Tables: tables, Active: 0.1, PerMinute: 6, Subjects: 60}, c, standard)
		switch {
		case n.Streams < last.Streams, n.Nodes < last.Nodes, n.Processes < last.Processes:
			t.Errorf("%g tables need less than fewer: %+v after %+v", tables, n, last)
		case n.Records/n.Streams > c.StreamRate*standard.Busy, n.Records*standard.Replicas/n.Nodes > c.NodeRate*standard.Busy:
			t.Errorf("%g tables: beyond the rate: %+v", tables, n)
		case tables*60*c.SubjectBytes/n.Streams > standard.NodeMemory, n.SubjectMemory > standard.NodeMemory, n.Nodes < 3, n.Processes < 2, n.Folding > 1:
			t.Errorf("%g tables: %+v", tables, n)
		}
		last = n
	}
}

// The model says what several streams of one server take together; here they are
// measured, in short turns of 1, 2, 4 and 8 so that what else the machine does
// falls on all alike. It measures, and so runs by hand alone: SKALD_SCALE_ROUNDS=20.
func TestModelAgainstFigures(t *testing.T) {
	rounds, err := strconv.Atoi(os.Getenv("SKALD_SCALE_ROUNDS"))
	if err != nil {
		t.Skip("measures: SKALD_SCALE_ROUNDS says how often")
	}
	e, err := journal.StartEmbedded(t.Context(), journal.EmbeddedConfig{StoreDir: t.TempDir()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Stop() //nolint:errcheck // test
	nc, err := e.Connect("scale")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := journal.OpenSet(t.Context(), nc, journal.SetConfig{Create: true, Streams: 8}); err != nil {
		t.Fatal(err)
	}
	took := map[int][]float64{}
	for round := range rounds {
		for _, n := range []int{1, 2, 4, 8} {
			begin := time.Now()
			var wg sync.WaitGroup
			for w := range 16 {
				wg.Go(func() {
					expected := "0"
					for i := range 10 {
						m := nats.NewMsg(fmt.Sprintf("skald.%d.t.floor.r%d-%d-%d", w%n, round, n, w))
						m.Header.Set("Nats-Expected-Last-Subject-Sequence", expected)
						m.Data = make([]byte, 1390)
						reply, err := nc.RequestMsg(m, 30*time.Second)
						var ack struct{ Seq uint64 }
						if err == nil {
							err = json.Unmarshal(reply.Data, &ack)
						}
						if err != nil || ack.Seq == 0 {
							t.Errorf("publish %d: %v", i, err)
							return
						}
						expected = strconv.FormatUint(ack.Seq, 10)
					}
				})
			}
			wg.Wait()
			took[n] = append(took[n], time.Since(begin).Seconds())
		}
	}
	c := scale.Measured()
	one := median(took[1])
	for _, n := range []int{1, 2, 4, 8} {
		got, want := one/median(took[n]), scale.Rate(c, float64(n))/scale.Rate(c, 1)
		t.Logf("%d streams: %.0f a second, %.2f of one; the model says %.2f", n, 160/median(took[n]), got, want)
		if got < want/2.5 { // more is for the machine to give
			t.Errorf("%d streams take %.2f of what one takes, the model says %.2f", n, got, want)
		}
	}
}

func median(x []float64) float64 {
	slices.Sort(x)
	return x[len(x)/2]
}

// What a subject takes of NATS's memory; by hand: SKALD_SCALE_SUBJECTS=150000.
func TestSubjectMemory(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv("SKALD_SCALE_SUBJECTS"))
	if err != nil {
		t.Skip("SKALD_SCALE_SUBJECTS says how many subjects")
	}
	e, err := journal.StartEmbedded(t.Context(), journal.EmbeddedConfig{StoreDir: t.TempDir()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Stop() //nolint:errcheck // test
	nc, err := e.Connect("scale")
	if err != nil {
		t.Fatal(err)
	}
	s, err := journal.OpenSet(t.Context(), nc, journal.SetConfig{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	before := heap()
	for i := range n {
		if err := nc.Publish(fmt.Sprintf("skald.0.table-%06d.encounter.encounter-%06d", i/50, i), make([]byte, 700)); err != nil {
			t.Fatal(err)
		}
	}
	for last := uint64(0); last < uint64(n); time.Sleep(50 * time.Millisecond) {
		info, err := s.All()[0].Info(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		last = info.Messages
	}
	got := (heap() - before) / float64(n)
	t.Logf("%.0f bytes a subject with %d subjects", got, n)
	if want := scale.Measured().SubjectBytes; got > 1.5*want {
		t.Errorf("%.0f bytes a subject, the model has %.0f", got, want)
	}
}

func heap() float64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}
