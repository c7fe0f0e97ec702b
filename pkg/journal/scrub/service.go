package scrub

import (
	"context"
	"fmt"
	"time"

	"github.com/skaldrpg/skald/pkg/ops"
)

// standing is what Part tells.
type standing struct {
	records  uint64 // compared since the start
	passes   uint64
	damaged  uint64 // findings of the last pass that mean damage
	last     time.Time
	report   *Report
	problem  error // why the last pass did not come to its end
	problems int   // passes in a row that did not
}

func (s *Scrubber) note(rep *Report) {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := &s.state
	st.records += rep.Records
	st.passes++
	st.damaged = rep.Damaged()
	st.last, st.report, st.problem, st.problems = time.Now(), rep, nil, 0
}

func (s *Scrubber) failed(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state.problem = err
	s.state.problems++
}

// Run makes a pass at once and then every so often, a full one when the last full
// one is older than full, until the context ends; then it returns nil. What it
// finds goes to the log, to Part, and to told, which may be nil.
func (s *Scrubber) Run(ctx context.Context, every, full time.Duration, told func(*Report)) error {
	var lastFull time.Time
	for {
		if time.Since(lastFull) >= full {
			s.Full()
			lastFull = time.Now()
		}
		rep, err := s.Pass(ctx)
		if ctx.Err() != nil {
			return nil
		}
		wait := every
		if err != nil {
			s.failed(err)
			s.log.ErrorContext(ctx, "scrub: the pass did not end", "stream", s.cfg.Stream, "error", err)
			wait = min(every, time.Minute)
		} else {
			s.tell(ctx, rep)
			if told != nil {
				told(rep)
			}
		}
		if err := sleep(ctx, wait); err != nil {
			return nil
		}
	}
}

// tell logs what a pass found.
func (s *Scrubber) tell(ctx context.Context, rep *Report) {
	s.log.InfoContext(ctx, "scrub: a pass", "stream", rep.Stream, "from", rep.From, "to", rep.To, "records", rep.Records,
		"replicas", len(rep.Replicas), "damaged", rep.Damaged(), "took", rep.Took.Round(time.Millisecond))
	for _, f := range rep.Findings {
		if f.Kind.Damage() {
			s.log.ErrorContext(ctx, "scrub: "+f.String(), "stream", rep.Stream, "replica", f.Replica, "sequence", f.Sequence, "subject", f.Subject)
			continue
		}
		s.log.WarnContext(ctx, "scrub: "+f.String(), "stream", rep.Stream, "replica", f.Replica)
	}
}

// Part is how the replicas stand, as the last pass saw them.
func (s *Scrubber) Part() ops.Part {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.state
	p := ops.Part{Name: "scrub", Figures: []ops.Figure{
		{Name: "scrub_records", Help: "Records compared on all replicas since the start.", Value: float64(st.records)},
		{Name: "scrub_mismatches", Help: "Findings of the last pass that mean damage.", Value: float64(st.damaged)},
	}}
	if !st.last.IsZero() {
		p.Figures = append(p.Figures, ops.Figure{Name: "scrub_last_seconds", Help: "Seconds since the last pass that came to its end.", Value: time.Since(st.last).Seconds()})
	}
	switch {
	case st.damaged > 0:
		p.State, p.Text = ops.Failed, fmt.Sprintf("%s: %d findings; the first: %s", st.report.Stream, st.damaged, firstDamage(st.report))
	case st.problem != nil:
		p.State, p.Text = ops.Degraded, fmt.Sprintf("the last pass did not end: %v", st.problem)
	case st.report == nil:
		p.Text = "no pass has ended yet"
	case len(st.report.Findings) > 0:
		p.State, p.Text = ops.Degraded, st.report.Findings[0].String()
	}
	return p
}

func firstDamage(r *Report) Finding {
	for _, f := range r.Findings {
		if f.Kind.Damage() {
			return f
		}
	}
	return Finding{}
}
