package api

import (
	"context"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// Preview says what a command would do.
func (w *WhatIf) Preview(ctx context.Context, req *encounterv1.PreviewRequest) (*encounterv1.PreviewResponse, error) {
	f, _, release, err := w.Server.open(ctx, req.As, req.Table, req.Encounter)
	if err != nil {
		return nil, err
	}
	defer release()
	return w.Server.Engine.Foresee(ctx, f, req.As, req.Command)
}

// Compare says where two states differ, as the caller may see them.
func (w *WhatIf) Compare(ctx context.Context, req *encounterv1.CompareRequest) (*encounterv1.CompareResponse, error) {
	other := req.OtherEncounter
	if other == "" {
		other = req.Encounter
	}
	a, err := w.stateOf(ctx, req.As, req.Table, req.Encounter, "at", req.At)
	if err != nil {
		return nil, err
	}
	b, err := w.stateOf(ctx, req.As, req.Table, other, "other_at", req.OtherAt)
	if err != nil {
		return nil, err
	}
	b.Encounter, b.Table, b.Title = a.Encounter, a.Table, a.Title
	event.KeepAside(b, a)
	changes, err := event.Difference(a, b)
	if err != nil {
		return nil, err
	}
	out := &encounterv1.CompareResponse{}
	for _, c := range changes {
		out.Changes = append(out.Changes, &encounterv1.Change{Path: c.Path, Before: c.Before, After: c.After})
	}
	return out, nil
}

// stateOf is a copy of a caller's state at a number; 0 means now.
func (w *WhatIf) stateOf(ctx context.Context, as *eventv1.Principal, table, id, field string, at uint64) (*eventv1.State, error) {
	f, _, release, err := w.Server.open(ctx, as, table, id)
	if err != nil {
		return nil, err
	}
	defer release()
	var s *eventv1.State
	var version uint64
	f.View(as, func(v *replica.View) {
		switch now := uint64(len(v.Versions)); {
		case at == 0 || at == now:
			s = event.Clone(v.State)
		case at < now:
			version = v.Versions[at-1]
		default:
			err = fault.Field(field, "%d is beyond the caller's number %d", at, now)
		}
	})
	if err != nil || s != nil {
		return s, err
	}
	s, err = w.Server.stateAt(ctx, f, as, version)
	if err != nil {
		return nil, err
	}
	return event.Clone(s), nil
}
