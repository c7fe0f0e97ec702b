package journal_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/skaldrpg/skald/pkg/journal"
)

// benchBytes is a Commit of one action, about.
const benchBytes = 700

// raw is the bare conditional publish of nats.go with the same bytes and headers.
func raw(ctx context.Context, js jetstream.JetStream, m journal.Message) (uint64, error) {
	msg := &nats.Msg{Subject: m.Subject, Data: m.Data, Header: nats.Header{}}
	ack, err := js.PublishMsg(ctx, msg, jetstream.WithMsgID(m.ID), jetstream.WithExpectLastSequencePerSubject(m.Expected))
	if err != nil {
		return 0, err
	}
	return ack.Sequence, nil
}

// bare is the same with nothing of nats.go's JetStream client around it.
func bare(ctx context.Context, nc *nats.Conn, m journal.Message) (uint64, error) {
	msg := &nats.Msg{Subject: m.Subject, Data: m.Data, Header: nats.Header{
		"Nats-Msg-Id": {m.ID}, "Nats-Expected-Last-Subject-Sequence": {strconv.FormatUint(m.Expected, 10)},
	}}
	r, err := nc.RequestMsgWithContext(ctx, msg)
	if err != nil {
		return 0, err
	}
	var ack struct {
		Seq   uint64
		Error any
	}
	if err = json.Unmarshal(r.Data, &ack); err == nil && ack.Error != nil {
		err = fmt.Errorf("refused: %v", ack.Error)
	}
	return ack.Seq, err
}

// BenchmarkAppend compares an append with the raw publish beneath it, in the same
// run on the same server, synced on each write; the difference is what knowing
// the outcome costs when nothing goes wrong.
func BenchmarkAppend(b *testing.B) {
	_, nc := start(b, journal.EmbeddedConfig{})
	j := open(b, nc, config())
	js, err := jetstream.New(nc)
	if err != nil {
		b.Fatal(err)
	}
	data := make([]byte, benchBytes)
	var subjects atomic.Int64
	for _, c := range []struct {
		name string
		do   func(context.Context, journal.Message) (uint64, error)
	}{
		{"bare", func(ctx context.Context, m journal.Message) (uint64, error) { return bare(ctx, nc, m) }},
		{"raw", func(ctx context.Context, m journal.Message) (uint64, error) { return raw(ctx, js, m) }},
		{"journal", j.Append},
	} {
		write := func(ctx context.Context, next func() bool) {
			writer := fmt.Sprint("b", subjects.Add(1))
			m := journal.Message{Subject: "skald.0.t.encounter." + writer, Data: data}
			for i := 0; next(); i++ {
				m.ID = writer + "-" + strconv.Itoa(i)
				seq, err := c.do(ctx, m)
				if err != nil {
					b.Error(err)
					return
				}
				m.Expected = seq
			}
		}
		b.Run("serial/"+c.name, func(b *testing.B) {
			b.SetBytes(benchBytes)
			b.ReportAllocs()
			write(b.Context(), b.Loop)
		})
		b.Run("parallel/"+c.name, func(b *testing.B) {
			b.SetBytes(benchBytes)
			b.SetParallelism(8)
			b.RunParallel(func(pb *testing.PB) { write(b.Context(), pb.Next) })
		})
	}
	b.Run("atomic-pair", func(b *testing.B) {
		run := fmt.Sprint("pair", subjects.Add(1))
		ms := []journal.Message{
			{Subject: "skald.0.t.encounter." + run, Data: data}, {Subject: "skald.0.t.patient." + run, Data: data},
		}
		for i := 0; b.Loop(); i++ {
			ms[0].ID, ms[1].ID = fmt.Sprint(run, "-e-", i), fmt.Sprint(run, "-p-", i)
			seqs, err := j.AppendAtomic(b.Context(), ms)
			if err != nil {
				b.Fatal(err)
			}
			ms[0].Expected, ms[1].Expected = seqs[0], seqs[1]
		}
	})
}

// BenchmarkRead reads a log of 20,000 records in order.
func BenchmarkRead(b *testing.B) {
	_, nc := start(b, journal.EmbeddedConfig{})
	j := open(b, nc, config())
	const n = 20_000
	for i := range n {
		if err := nc.Publish(fmt.Sprint("skald.0.t.encounter.e", i%500), make([]byte, benchBytes)); err != nil {
			b.Fatal(err)
		}
	}
	if err := nc.Flush(); err != nil {
		b.Fatal(err)
	}
	for last := uint64(0); last < n; {
		var err error
		if last, err = j.LastSeq(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(benchBytes * n)
	for b.Loop() {
		got := 0
		if err := j.Read(b.Context(), "", 1, 0, func(journal.Record) error { got++; return nil }); err != nil || got != n {
			b.Fatalf("%d records, %v", got, err)
		}
	}
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "records/s")
}
