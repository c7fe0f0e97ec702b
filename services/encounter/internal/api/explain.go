package api

import (
	"context"
	"slices"

	"github.com/skaldrpg/skald/pkg/explain"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/render"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// Explain says why one event came out as it did.
func (s *Server) Explain(ctx context.Context, req *encounterv1.ExplainRequest) (*encounterv1.ExplainResponse, error) {
	f, _, release, err := s.open(ctx, req.As, req.Table, req.Encounter)
	if err != nil {
		return nil, err
	}
	defer release()
	if req.Number == 0 {
		return nil, fault.Field("number", "steps are numbered from 1")
	}
	read := s.steps
	if req.Within > 0 {
		read = s.within(req.Within)
	}
	steps, _, err := read(ctx, f, req.As, req.Number-1, 1)
	if err != nil {
		return nil, err
	}
	var events []*eventv1.Event
	if len(steps) > 0 {
		if events = steps[0].Events; req.Before {
			events = formerly(steps[0])
		}
	}
	if int(req.Event) >= len(events) {
		return nil, fault.New(fault.NotFound, "UNKNOWN_EVENT", "there is no event %d in step %d", req.Event, req.Number)
	}
	e := events[req.Event]
	style := render.Style{Bookkeeping: true, Labels: true}
	f.View(req.As, func(v *replica.View) { style.Names = render.Names(v.State) })
	style.Learn(events)
	var state *eventv1.State
	f.Read(func(r *replica.Replica) {
		state = &eventv1.State{System: r.State().System, Packs: slices.Clone(r.State().Packs)}
	})
	book, err := s.Engine.Book(ctx, f, state)
	if err != nil { // it says no more than the titles of house rules
		book = nil
	}
	resp := &encounterv1.ExplainResponse{Event: e}
	for _, l := range explain.Event(style, book.Title, e) {
		resp.Lines = append(resp.Lines, &encounterv1.ExplainLine{Text: l.Text, Rule: l.Rule, RuleTitle: l.Title})
	}
	return resp, nil
}
