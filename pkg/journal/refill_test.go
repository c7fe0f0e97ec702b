package journal_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/skaldrpg/skald/pkg/journal"
)

func each(rs []journal.Record) iter.Seq2[journal.Record, error] {
	return func(yield func(journal.Record, error) bool) {
		for _, r := range rs {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func record(seq uint64, id string) journal.Record {
	return journal.Record{Subject: fmt.Sprintf("skald.0.t.encounter.e%d", seq%7), Seq: seq, ID: id, Data: bytes.Repeat([]byte{byte(seq)}, int(seq%50))}
}

// held is all that a stream holds.
func held(t *testing.T, j *journal.Journal) (out []journal.Record) {
	t.Helper()
	if err := j.Read(t.Context(), "", 1, 0, func(r journal.Record) error { out = append(out, r); return nil }); err != nil {
		t.Fatal(err)
	}
	return out
}

func refillConfig() journal.Config {
	cfg := config()
	cfg.Create, cfg.Subjects = false, []string{journal.PartitionFilter(0)}
	return cfg
}

// Records keep their sequences, ids and bytes, and lost sequences are filled.
func TestRefill(t *testing.T) {
	var many []journal.Record
	for seq := range uint64(5000) {
		many = append(many, record(seq+1, fmt.Sprint("id-", seq)))
	}
	for name, c := range map[string]struct {
		records []journal.Record
		fillers uint64
	}{
		"nothing":             {},
		"one":                 {records: many[:1]},
		"many":                {records: many},
		"begins late":         {records: many[100:140]},
		"gaps":                {records: slices.Concat(many[10:12], many[15:16], many[40:45]), fillers: 3 + 24},
		"a filler refilled":   {records: []journal.Record{{Subject: journal.LostSubject(0, 1), Seq: 1}, many[1]}},
		"no id":               {records: []journal.Record{record(1, ""), record(2, "")}},
		"an id again":         {records: []journal.Record{record(1, "same"), record(2, "same"), record(3, "else"), record(4, "same")}},
		"large":               {records: []journal.Record{{Subject: "skald.0.t.encounter.e", Seq: 1, ID: "a", Data: make([]byte, 7<<20)}, {Subject: "skald.0.t.encounter.e", Seq: 2, ID: "b", Data: make([]byte, 7<<20)}}},
		"a far first message": {records: []journal.Record{record(1<<40, "far")}},
	} {
		t.Run(name, func(t *testing.T) {
			_, nc := start(t, journal.EmbeddedConfig{})
			report, err := journal.Refill(t.Context(), nc, refillConfig(), "the-stream", each(c.records))
			if err != nil {
				t.Fatal(err)
			}
			j := open(t, nc, refillConfig())
			got := held(t, j)
			digest := journal.NewDigest()
			fillers := uint64(0)
			i := 0
			for _, r := range got {
				digest.Add(r)
				if i < len(c.records) && r.Seq < c.records[i].Seq {
					if !journal.IsLost(r.Subject) || len(r.Data) > 0 {
						t.Fatalf("%+v fills a gap", r)
					}
					fillers++
					continue
				}
				want := c.records[i]
				if i++; !r.Is(journal.Message{Subject: want.Subject, ID: want.ID, Data: want.Data}) || r.Seq != want.Seq {
					t.Fatalf("stored %+v, want %+v", r, want)
				}
			}
			if i != len(c.records) || fillers != c.fillers || report.Fillers != fillers || report.Records != uint64(i) || report.Digest != digest.Sum() {
				t.Fatalf("%d records, %d fillers, report %+v", i, fillers, report)
			}
			if j.StreamID() != "the-stream" {
				t.Fatalf("id %q", j.StreamID())
			}
			appendAfter(t, j, got)
			// Nothing is laid over a stream that exists, complete or not.
			if _, err := journal.Refill(t.Context(), nc, refillConfig(), "the-stream", each(c.records)); !errors.Is(err, journal.ErrExists) {
				t.Fatalf("again: %v", err)
			}
		})
	}
}

// appendAfter appends under a guard as services do, with an id used before.
func appendAfter(t *testing.T, j *journal.Journal, stored []journal.Record) {
	t.Helper()
	last, _, err := j.Last(t.Context(), "skald.0.t.encounter.e1")
	if err != nil {
		t.Fatal(err)
	}
	seq, err := j.Append(t.Context(), journal.Message{Subject: "skald.0.t.encounter.e1", ID: "next", Data: []byte("next"), Expected: last.Seq})
	want := uint64(1)
	if len(stored) > 0 {
		want = stored[len(stored)-1].Seq + 1
	}
	if err != nil || seq != want {
		t.Fatalf("the next record went to %d, want %d: %v", seq, want, err)
	}
}

// A refill that broke off is unusable, and the same refill goes on with it.
func TestRefillGoesOn(t *testing.T) {
	_, nc := start(t, journal.EmbeddedConfig{})
	var rs []journal.Record
	for seq := range uint64(4000) {
		rs = append(rs, record(seq+3, fmt.Sprint("id-", seq)))
	}
	broken := errors.New("the archive is gone")
	_, err := journal.Refill(t.Context(), nc, refillConfig(), "s", func(yield func(journal.Record, error) bool) {
		for _, r := range rs[:3000] {
			if !yield(r, nil) {
				return
			}
		}
		yield(journal.Record{}, broken)
	})
	if !errors.Is(err, broken) {
		t.Fatalf("got %v", err)
	}
	var weak *journal.WeakStreamError
	if _, err := journal.Open(t.Context(), nc, refillConfig()); !errors.As(err, &weak) {
		t.Fatalf("half a stream was opened: %v", err)
	}
	if _, err := journal.Refill(t.Context(), nc, refillConfig(), "other", each(rs)); !errors.Is(err, journal.ErrExists) {
		t.Fatalf("a refill of another stream went on: %v", err)
	}
	other := slices.Clone(rs)
	other[5].Data = []byte("altered")
	if _, err := journal.Refill(t.Context(), nc, refillConfig(), "s", each(other)); !errors.Is(err, journal.ErrRewritten) {
		t.Fatalf("other records over what was there: %v", err)
	}
	report, err := journal.Refill(t.Context(), nc, refillConfig(), "s", each(rs))
	if err != nil || report.Continued == 0 || report.Records != 4000 || report.LastSeq != 4002 {
		t.Fatalf("%+v, %v", report, err)
	}
	if got := held(t, open(t, nc, refillConfig())); len(got) != 4000 {
		t.Fatalf("%d records", len(got))
	}
}

// What can not be refilled is refused, and soon.
func TestRefillRefuses(t *testing.T) {
	_, nc := start(t, journal.EmbeddedConfig{})
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	for name, rs := range map[string][]journal.Record{
		"falling":         {record(2, "a"), record(1, "b")},
		"twice":           {record(2, "a"), record(2, "b")},
		"no sequence":     {{Subject: "skald.0.t.encounter.e"}},
		"wildcard":        {{Subject: "skald.0.t.encounter.>", Seq: 1}},
		"of another":      {{Subject: "skald.1.t.encounter.e", Seq: 1}},
		"too large":       {{Subject: "skald.0.t.encounter.e", Seq: 1, Data: make([]byte, journal.MaxMessage)}},
		"of another late": {record(1, "a"), {Subject: "skald.1.t.encounter.e", Seq: 2}},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			if _, err := journal.Refill(ctx, nc, refillConfig(), "s", each(rs)); err == nil || ctx.Err() != nil {
				t.Fatalf("got %v", err)
			}
			js.DeleteStream(t.Context(), "SKALD_0") //nolint:errcheck // some made none
		})
	}
}

// A hundred thousand records take seconds.
func BenchmarkRefill(b *testing.B) {
	var rs []journal.Record
	for seq := range uint64(20000) {
		r := record(seq+1, fmt.Sprint("id-", seq))
		r.Data = make([]byte, 700)
		rs = append(rs, r)
	}
	for b.Loop() {
		_, nc := start(b, journal.EmbeddedConfig{})
		if _, err := journal.Refill(b.Context(), nc, refillConfig(), "s", each(rs)); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(rs)*b.N)/b.Elapsed().Seconds(), "records/s")
}
