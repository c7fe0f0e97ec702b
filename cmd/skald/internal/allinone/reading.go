package allinone

import (
	"context"
	"sync"
	"time"

	"github.com/skaldrpg/skald/pkg/ops"
)

// readEvery is how often a start that takes long says how far it is.
const readEvery = 2 * time.Second

// reading says now and then, until what it returns is called, how far the services have
// read the log, over all streams.
func (s *Stack) reading(ctx context.Context) (stop func()) {
	tell, every := s.cfg.Reading, s.cfg.ReadEvery
	if tell == nil {
		tell = func(service string, read, of uint64) {
			s.cfg.Logger.InfoContext(ctx, "reading the log", "service", service, "read", read, "of", of)
		}
	}
	if every == 0 {
		every = readEvery
	}
	ctx, end := context.WithCancel(ctx)
	var wg sync.WaitGroup
	wg.Go(func() { // ends with stop
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				s.tellReading(ctx, tell)
			case <-ctx.Done():
				return
			}
		}
	})
	return func() { end(); wg.Wait() }
}

func (s *Stack) tellReading(ctx context.Context, tell func(service string, read, of uint64)) {
	var of uint64
	for _, stream := range s.store.streams.All() {
		info, err := stream.Info(ctx)
		if err != nil {
			return // the start itself will say so
		}
		of += info.LastSeq
	}
	for _, service := range []struct {
		name  string
		parts func() []ops.Part
	}{{"dice", s.dice.Parts}, {"injury", s.injury.Parts}, {"encounter", s.encounter.Parts}} {
		if read, all := readBy(service.parts()); !all {
			tell(service.name, read, of)
		}
	}
}

// readBy is how far projections have read, and whether all reached the end.
func readBy(parts []ops.Part) (read uint64, all bool) {
	all = true
	for _, part := range parts {
		for _, f := range part.Figures {
			switch f.Name {
			case "applied_sequence":
				read += uint64(f.Value)
			case "caught_up":
				all = all && f.Value == 1
			}
		}
	}
	return read, all
}
