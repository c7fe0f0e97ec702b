package opsapi

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/ops"
)

const (
	askEvery = time.Second
	askWait  = 2 * time.Second
	// silent is after how long without an answer the journal counts as failed.
	silent = 5 * time.Second
)

// Journal asks a log again and again how it is, since a part must answer at once.
type Journal struct {
	log  journal.Log
	name string

	mu       sync.Mutex
	info     journal.Info
	err      error
	answered time.Time
}

// NewJournal watches a log; name is that of the part.
func NewJournal(name string, log journal.Log) *Journal {
	return &Journal{log: log, name: name, answered: time.Now()}
}

// Run asks until the context ends, and returns nil then.
func (j *Journal) Run(ctx context.Context) error {
	tick := time.NewTicker(askEvery)
	defer tick.Stop()
	for {
		j.ask(ctx)
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

func (j *Journal) ask(ctx context.Context) {
	asking, cancel := context.WithTimeout(ctx, askWait)
	defer cancel()
	info, err := j.log.Info(asking)
	if ctx.Err() != nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.err = err; err == nil {
		j.info, j.answered = info, time.Now()
	}
}

// Part is how the log stands.
func (j *Journal) Part() ops.Part {
	j.mu.Lock()
	defer j.mu.Unlock()
	p := ops.Part{Name: j.name, Text: fmt.Sprintf("stream %s, %d records to sequence %d, %d bytes, %d replicas",
		j.info.Stream, j.info.Messages, j.info.LastSeq, j.info.Bytes, j.info.Replicas),
		Figures: []ops.Figure{
			{Name: "stream_messages", Help: "Records that the stream holds.", Value: float64(j.info.Messages)},
			{Name: "stream_bytes", Help: "Bytes that the stream holds.", Value: float64(j.info.Bytes)},
			{Name: "stream_last_sequence", Help: "Sequence of the stream's last record.", Value: float64(j.info.LastSeq)},
		}}
	switch {
	case j.err == nil && j.info.Stream != "":
	case j.err == nil:
		p.Text = "not asked yet"
	case !errors.Is(j.err, journal.ErrUnavailable), time.Since(j.answered) > silent:
		p.State, p.Text = ops.Failed, fmt.Sprintf("no answer for %.0f s: %v", time.Since(j.answered).Seconds(), j.err)
	default:
		p.State, p.Text = ops.Degraded, j.err.Error()
	}
	return p
}
