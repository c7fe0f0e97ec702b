package opsapi_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/journal/memjournal"
	"github.com/skaldrpg/skald/pkg/ops"
	"github.com/skaldrpg/skald/pkg/ops/opsapi"
	opsv1 "github.com/skaldrpg/skald/proto/skald/ops/v1"
)

// registrar takes what Register offers.
type registrar struct{ server opsv1.OperationsServiceServer }

func (r *registrar) RegisterService(_ *grpc.ServiceDesc, impl any) {
	r.server = impl.(opsv1.OperationsServiceServer)
}

func board() *ops.Board {
	b := &ops.Board{}
	b.Add(func() ops.Part {
		return ops.Part{Name: "encounter", State: ops.Degraded, Text: "one is closed",
			Closed: []ops.Closed{{Table: "t", Kind: "encounter", ID: "e", Sequence: 7, Why: "broken"}}}
	})
	b.Add(func() ops.Part {
		return ops.Part{Name: "archive", Figures: []ops.Figure{{Name: "archive_behind_records", Help: "Behind.", Value: 3}}}
	})
	// Two of one name, and one whose help differs, must not spoil a scrape.
	b.Add(func() ops.Part {
		return ops.Part{Name: "archive", Figures: []ops.Figure{{Name: "archive_behind_records", Help: "Otherwise.", Value: 4}}}
	})
	b.Add(func() ops.Part {
		return ops.Part{Name: "archive2", Figures: []ops.Figure{{Name: "archive_behind_records", Help: "Otherwise.", Value: 5}}}
	})
	return b
}

func TestStatus(t *testing.T) {
	var r registrar
	opsapi.Register(&r, board())
	resp, err := r.server.GetStatus(t.Context(), &opsv1.GetStatusRequest{})
	if err != nil || len(resp.Parts) != 4 || resp.Worst != opsv1.PartState_PART_STATE_DEGRADED {
		t.Fatalf("%v, %v", resp, err)
	}
	p := resp.Parts[3]
	if p.Name != "encounter" || p.State != opsv1.PartState_PART_STATE_DEGRADED || len(p.Closed) != 1 || p.Closed[0].Sequence != 7 || p.Closed[0].Id != "e" || p.Closed[0].Why != "broken" {
		t.Errorf("%v", p)
	}
	if a := resp.Parts[0]; a.State != opsv1.PartState_PART_STATE_FINE || a.Figures[0].Value != 3 {
		t.Errorf("%v", a)
	}
}

func TestMetrics(t *testing.T) {
	registry := prometheus.NewPedanticRegistry()
	if err := registry.Register(opsapi.NewCollector(board())); err != nil {
		t.Fatal(err)
	}
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, f := range families {
		for _, m := range f.Metric {
			got[f.GetName()+"{"+m.Label[0].GetValue()+"}"] = m.GetGauge().GetValue()
		}
	}
	for name, want := range map[string]float64{"skald_part_state{encounter}": 1, "skald_part_state{archive}": 0, "skald_closed_records{encounter}": 1,
		"skald_closed_records{archive}": 0, "skald_archive_behind_records{archive}": 3, "skald_archive_behind_records{archive2}": 5} {
		if v, ok := got[name]; !ok || v != want {
			t.Errorf("%s is %v, want %v; all: %v", name, v, want, got)
		}
	}
}

// log is one whose answer is chosen.
type log struct {
	journal.Log
	err atomic.Pointer[error]
}

func (l *log) Info(ctx context.Context) (journal.Info, error) {
	if err := l.err.Load(); err != nil {
		return journal.Info{}, *err
	}
	return l.Log.Info(ctx)
}

func TestJournal(t *testing.T) {
	l := &log{Log: memjournal.New(memjournal.Options{})}
	if _, err := l.Append(t.Context(), journal.Message{Subject: "s", ID: "a"}); err != nil {
		t.Fatal(err)
	}
	j := opsapi.NewJournal("journal", l)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- j.Run(ctx) }()
	until(t, func() bool { return j.Part().State == ops.Fine && figure(j.Part(), "stream_last_sequence") == 1 })
	gone := error(journal.ErrNoStream)
	l.err.Store(&gone)
	until(t, func() bool { return j.Part().State == ops.Failed })
	silent := error(journal.ErrUnavailable)
	l.err.Store(&silent)
	until(t, func() bool { return j.Part().State == ops.Degraded })
	l.err.Store(nil)
	until(t, func() bool { return j.Part().State == ops.Fine })
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func figure(p ops.Part, name string) float64 {
	for _, f := range p.Figures {
		if f.Name == name {
			return f.Value
		}
	}
	return -1
}

func until(t *testing.T, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("never")
		}
	}
}
