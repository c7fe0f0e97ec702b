package api

import (
	"context"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/engine"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// GetDifference lists where what the caller may know differs between two places of
// the record.
func (s *Server) GetDifference(ctx context.Context, req *encounterv1.GetDifferenceRequest) (*encounterv1.GetDifferenceResponse, error) {
	f, _, release, err := s.open(ctx, req.As, req.Table, req.Encounter)
	if err != nil {
		return nil, err
	}
	defer release()
	from, to := req.From, req.To
	switch {
	case req.Of > 0 && (from != nil || to != nil):
		return nil, fault.Field("of", "give a step, or two places")
	case req.Of > 0:
		from, to = &encounterv1.Place{Number: req.Of - 1}, &encounterv1.Place{Number: req.Of}
	case from == nil:
		return nil, fault.Field("from", "missing")
	}
	one, err := s.stateOf(ctx, f, req.As, "from", from, req.Of == 1)
	if err != nil {
		return nil, err
	}
	two, err := s.stateOf(ctx, f, req.As, "to", to, false)
	if err != nil {
		return nil, err
	}
	all, err := event.Difference(one, two)
	if err != nil {
		return nil, err
	}
	out := &encounterv1.GetDifferenceResponse{Names: map[string]string{}}
	out.Changes, out.More = somePaths(all, req.After, aggregate.Page(req.Limit))
	for _, st := range []*eventv1.State{one, two} {
		// order-free: a map is filled, by the later state last
		for id, c := range st.Creatures {
			out.Names[id] = c.Name
		}
	}
	return out, nil
}

// stateOf is the caller's state at a place; before says that it is the one before
// anything was.
func (s *Server) stateOf(ctx context.Context, f *engine.Fight, as *eventv1.Principal, field string, at *encounterv1.Place, before bool) (*eventv1.State, error) {
	if before {
		return event.NewState(), nil
	}
	if at.GetWithin() > 0 {
		r, err := s.inside(ctx, f, as, at.Within)
		if err != nil {
			return nil, err
		}
		state, _, err := r.stateAt(ctx, as, at.Number)
		return state, err
	}
	var version, now uint64
	var state *eventv1.State
	f.View(as, func(v *replica.View) {
		n := at.GetNumber()
		switch now = uint64(len(v.Versions)); {
		case n == 0 || n == now:
			state = event.Clone(v.State)
		case n < now:
			version = v.Versions[n-1]
		}
	})
	switch {
	case state != nil:
		return state, nil
	case version == 0:
		return nil, fault.Field(field+".number", "%d is beyond the caller's number %d", at.GetNumber(), now)
	}
	return s.stateAt(ctx, f, as, version)
}
