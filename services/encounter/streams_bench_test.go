package encounter_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/nats-io/nats.go"
	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/rules"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
	"github.com/skaldrpg/skald/services/dice"
	"github.com/skaldrpg/skald/services/encounter"
	"github.com/skaldrpg/skald/services/injury"
)

// spread is the three services over many streams of one embedded server.
type spread struct {
	b       testing.TB
	nc      *nats.Conn
	streams *journal.Set
	client  encounterv1.EncounterServiceClient
	tables  []string // as many in each stream
}

const benchTables = 32

func newSpread(b testing.TB, n int) *spread {
	b.Helper()
	e, err := journal.StartEmbedded(b.Context(), journal.EmbeddedConfig{StoreDir: b.TempDir()}, quiet)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { e.Stop() }) //nolint:errcheck // benchmark
	s := &spread{b: b}
	if s.nc, err = e.Connect("bench"); err != nil {
		b.Fatal(err)
	}
	if s.streams, err = journal.OpenSet(b.Context(), s.nc, journal.SetConfig{Create: true, Streams: n, Log: quiet}); err != nil {
		b.Fatal(err)
	}
	for i := 0; len(s.tables) < benchTables; i++ {
		if t := fmt.Sprint("t", i); journal.Partition(t, n) == len(s.tables)%n {
			s.tables = append(s.tables, t)
		}
	}
	systems, err := rules.NewRegistry(toy{})
	if err != nil {
		b.Fatal(err)
	}
	d, err := dice.NewRouter(b.Context(), dice.RouterConfig{Streams: s.streams, Config: dice.Config{DataDir: b.TempDir(), CreateMasterKey: true, Alone: true, Logger: quiet}})
	if err != nil {
		b.Fatal(err)
	}
	draws := dicev1.NewTapeServiceClient(peer(b, d, false))
	i, err := injury.NewRouter(b.Context(), injury.RouterConfig{Streams: s.streams, Config: injury.Config{Dice: draws, Systems: systems, DataDir: b.TempDir(), Logger: quiet}})
	if err != nil {
		b.Fatal(err)
	}
	f, err := encounter.NewRouter(b.Context(), encounter.RouterConfig{Streams: s.streams, Config: encounter.Config{Dice: draws,
		Injury: injuryv1.NewAssessmentServiceClient(peer(b, i, false)), Systems: systems, DataDir: b.TempDir(), Logger: quiet}})
	if err != nil {
		b.Fatal(err)
	}
	var fights *grpc.ClientConn
	fights, _ = host(b, f)
	s.client = encounterv1.NewEncounterServiceClient(fights)
	for _, t := range s.tables {
		for k, cmd := range []*eventv1.Command{createCmd(server), addCmd("a", 1_000_000, "ann"), addCmd("b", 1_000_000, "bob"),
			{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}}} {
			s.do(t, fmt.Sprint("begin", k), cmd)
		}
	}
	return s
}

func (s *spread) do(table, request string, cmd *eventv1.Command) {
	if _, err := s.client.Execute(context.Background(), &encounterv1.ExecuteRequest{RequestId: request, As: gm, Table: table, Encounter: "e", Command: cmd}); err != nil {
		s.b.Errorf("%s at %s: %v", request, table, err)
	}
}

// size is that of the last Commit of the first table.
func (s *spread) size() int {
	p, err := s.streams.Place(s.b.Context(), s.tables[0], false)
	if err != nil {
		s.b.Fatal(err)
	}
	one, err := s.streams.Stream(s.b.Context(), p)
	if err != nil {
		s.b.Fatal(err)
	}
	last, _, err := one.Last(s.b.Context(), fmt.Sprintf("skald.%d.%s.encounter.e", p, s.tables[0]))
	if err != nil {
		s.b.Fatal(err)
	}
	return len(last.Data)
}

// publish is a guarded publish with nothing of the journal around it.
func publish(nc *nats.Conn, m journal.Message) (uint64, error) {
	r, err := nc.RequestMsgWithContext(context.Background(), &nats.Msg{Subject: m.Subject, Data: m.Data, Header: nats.Header{
		"Nats-Msg-Id": {m.ID}, "Nats-Expected-Last-Subject-Sequence": {strconv.FormatUint(m.Expected, 10)}}})
	if err != nil {
		return 0, err
	}
	var ack struct {
		Seq   uint64
		Error any
	}
	if err = json.Unmarshal(r.Data, &ack); err == nil && ack.Error != nil {
		err = errors.New(fmt.Sprint(ack.Error))
	}
	return ack.Seq, err
}

// run does b.N steps, one writer a table, and reports how many there are a second.
func (s *spread) run(b *testing.B, step func(table int, n int64) error) {
	var n atomic.Int64
	var wg sync.WaitGroup
	b.ResetTimer()
	for k := range s.tables {
		wg.Go(func() {
			for i := n.Add(1); i <= int64(b.N); i = n.Add(1) {
				if err := step(k, i); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "/s")
}

// BenchmarkStreams is commands at 32 tables at once over 1, 2, 4 and 8 streams,
// beside bare guarded publishes of as many bytes to as many streams, in one run.
func BenchmarkStreams(b *testing.B) {
	for _, n := range []int{1, 2, 4, 8} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			s := newSpread(b, n)
			for _, c := range []struct {
				name string
				cmd  func() *eventv1.Command
			}{
				{"without-dice", func() *eventv1.Command { return takeCmd("a", "whisper", "b") }},
				{"attack", func() *eventv1.Command { return early(takeCmd("a", "attack", "b"), "parry", "no", "endure", "yes") }},
			} {
				s.do(s.tables[0], "probe-"+c.name, c.cmd())
				s.compare(b, c.name, s.size(), c.cmd)
			}
		})
	}
}

// compare runs a command and its floor.
func (s *spread) compare(b *testing.B, name string, size int, cmd func() *eventv1.Command) {
	var runs atomic.Int64
	b.Run(name+"/floor", func(b *testing.B) {
		data, seqs, run := make([]byte, size), make([]uint64, len(s.tables)), runs.Add(1)
		s.run(b, func(k int, i int64) (err error) {
			seqs[k], err = publish(s.nc, journal.Message{Subject: fmt.Sprintf("skald.%d.%s.floor.%s%d", k%s.streams.Streams(), s.tables[k], name, run),
				ID: fmt.Sprint(name, run, "-", i), Data: data, Expected: seqs[k]})
			return err
		})
		b.ReportMetric(float64(size), "bytes")
	})
	b.Run(name+"/command", func(b *testing.B) {
		run := runs.Add(1)
		s.run(b, func(k int, i int64) error {
			s.do(s.tables[k], fmt.Sprint(name, run, "-", i), cmd())
			return nil
		})
	})
}
