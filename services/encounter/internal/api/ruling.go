package api

import (
	"context"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/corrected"
	"github.com/skaldrpg/skald/services/encounter/internal/engine"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// maxChanges is how many differences of the state the step of a ruling shows, and
// maxChangeBytes how many bytes of them.
const (
	maxChanges     = 100
	maxChangeBytes = 64 << 10
)

// ruled is a ruling as it is stored, with what counted before and after it.
type ruled struct {
	*around
	entry   *engine.Entry
	said    *encounterv1.Ruling // what every viewer may know of it
	changed uint64              // the version that names the command that it changed
	src     corrected.Source
}

// rulingOf reads the ruling that a Commit is.
func (s *Server) rulingOf(ctx context.Context, f *engine.Fight, e *engine.Entry) (*ruled, error) {
	out := &ruled{entry: e, said: &encounterv1.Ruling{}, src: s.Engine.Record(f)}
	for _, ev := range e.Commit.Events {
		if am := ev.GetAmended(); am != nil && out.said.Kind == encounterv1.Ruling_KIND_UNSPECIFIED {
			out.said.Kind, out.said.Reason, out.said.Contest, out.changed = encounterv1.Ruling_KIND_AMENDED, am.Reason, am.Contest, am.Version
		}
		if rev := ev.GetReverted(); rev != nil {
			out.said.Kind, out.said.Reason = encounterv1.Ruling_KIND_REVERTED, rev.Reason
			if rev.Redo {
				out.said.Kind = encounterv1.Ruling_KIND_REDONE
			}
		}
	}
	a, release, err := s.around(ctx, f, e)
	if err != nil {
		return nil, err
	}
	release() // it is only read, and stays while it is
	out.around = a
	return out, nil
}

// told is what a viewer is told of the ruling, command by command.
func (r *ruled) told(ctx context.Context, as *eventv1.Principal) func(func(corrected.Told, error) bool) {
	return corrected.For(as, corrected.Pairs(ctx, corrected.Stored(r.src, r.before.Chain[r.since:]), corrected.Stored(r.src, r.after.Chain[r.since:])))
}

// page makes steps of it, in the viewer's numbers.
func (r *ruled) page(f *engine.Fight, as *eventv1.Principal, within uint64) corrected.Page {
	gm := as.GetRole() == eventv1.Principal_ROLE_GM
	return corrected.Page{Within: within, Changed: r.changed, Millis: r.entry.Millis, All: gm, Step: func(origin uint64) (number uint64) {
		f.View(as, func(v *replica.View) {
			if _, seen := slices.BinarySearch(v.Versions, origin); seen && origin != r.entry.Version {
				number = replica.NumberAt(v.Versions, origin)
			}
		})
		return number
	}}
}

// tellRuling puts into the step of a ruling who made it and what came out otherwise
// by it, as far as the viewer may know.
func (s *Server) tellRuling(ctx context.Context, f *engine.Fight, e *engine.Entry, as *eventv1.Principal, into *encounterv1.Step) error {
	r, err := s.rulingOf(ctx, f, e)
	if err != nil {
		return err
	}
	if r.said.Kind == encounterv1.Ruling_KIND_UNSPECIFIED {
		return nil
	}
	told := r.said
	if as.GetRole() != eventv1.Principal_ROLE_GM && told.Reason != "" {
		veil := event.New(event.Everyone(), &eventv1.Reverted{Reason: told.Reason})
		told.Reason = replica.VeiledFor(as, veil, r.before.State(), r.after.State()).GetReverted().Reason
	}
	into.Ruling = told
	if err := r.page(f, as, into.Number).Fill(told, r.told(ctx, as)); err != nil {
		return err
	}
	changes, err := event.Difference(r.before.View(as).State, r.after.View(as).State)
	if err != nil {
		return err
	}
	told.Changes, told.MoreChanges = somePaths(changes, "", maxChanges)
	return nil
}

// somePaths are the differences after a path, as many as a page holds.
func somePaths(all []event.Change, after string, limit int) (out []*encounterv1.Change, more bool) {
	size := 0
	for _, c := range all {
		if after != "" && c.Path <= after {
			continue
		}
		change := &encounterv1.Change{Path: c.Path, Before: c.Before, After: c.After}
		size += proto.Size(change)
		if len(out) == limit || size > maxChangeBytes && len(out) > 0 {
			return out, true
		}
		out = append(out, change)
	}
	return out, false
}

// inside finds the ruling of a viewer's step.
func (s *Server) inside(ctx context.Context, f *engine.Fight, as *eventv1.Principal, number uint64) (*ruled, error) {
	var version uint64
	f.View(as, func(v *replica.View) {
		if n := uint64(len(v.Versions)); number >= 1 && number <= n {
			version = v.Versions[number-1]
		}
	})
	none := fault.Field("within", "your step %d is no ruling", number)
	if version == 0 {
		return nil, none
	}
	entries, err := s.entries(ctx, f, version, version)
	if err != nil {
		return nil, err
	}
	e := entries[0]
	if !slices.Contains(e.Restored, viewKey(f, as)) {
		return nil, none
	}
	return s.rulingOf(ctx, f, e)
}

// within reads steps of the amended history of a ruling, as [Server.steps] reads those of the
// record.
func (s *Server) within(number uint64) func(context.Context, *engine.Fight, *eventv1.Principal, uint64, int) ([]*encounterv1.Step, bool, error) {
	return func(ctx context.Context, f *engine.Fight, as *eventv1.Principal, after uint64, limit int) ([]*encounterv1.Step, bool, error) {
		r, err := s.inside(ctx, f, as, number)
		if err != nil {
			return nil, false, err
		}
		page := r.page(f, as, number)
		var out []*encounterv1.Step
		last, size := uint64(0), 0
		for t, err := range r.told(ctx, as) {
			if err != nil {
				return nil, false, err
			}
			if last = t.Number; t.Number <= after {
				continue
			}
			if len(out) == limit || size >= maxPage {
				return out, true, nil
			}
			step := page.Of(t)
			size += proto.Size(step)
			out = append(out, step)
		}
		if after > last {
			return nil, false, fault.Field("after", "%d is beyond the last number %d inside step %d", after, last, number)
		}
		return out, false, nil
	}
}

// formerly are the events of a step inside an amended history as they were before
// the ruling.
func formerly(step *encounterv1.Step) []*eventv1.Event {
	if step.GetCorrected().GetKind() == encounterv1.Corrected_KIND_SAME {
		return step.Events
	}
	return step.GetCorrected().GetBefore()
}

// stateWithin is the caller's state at a number inside an amended history.
func (s *Server) stateWithin(ctx context.Context, f *engine.Fight, req *encounterv1.GetStateRequest) (*encounterv1.GetStateResponse, error) {
	r, err := s.inside(ctx, f, req.As, req.Within)
	if err != nil {
		return nil, err
	}
	state, number, err := r.stateAt(ctx, req.As, req.At)
	if err != nil {
		return nil, err
	}
	return &encounterv1.GetStateResponse{State: state, Number: number}, nil
}

// stateAt is a viewer's state after a number inside the amended history; 0 is after
// all of it.
func (r *ruled) stateAt(ctx context.Context, as *eventv1.Principal, at uint64) (*eventv1.State, uint64, error) {
	if at == 0 {
		return event.Clone(r.after.View(as).State), 0, nil
	}
	last := uint64(0)
	for t, err := range r.told(ctx, as) {
		if err != nil {
			return nil, 0, err
		}
		if last = t.Number; last == at {
			then, err := r.at(ctx, r.since+t.Through)
			if err != nil {
				return nil, 0, err
			}
			return asNow(then.View(as).State, r.after.View(as).State), at, nil
		}
	}
	return nil, 0, fault.Field("at", "%d is beyond the last number %d inside that step", at, last)
}

// asNow is a state inside the amended history with the dice, the contests and the save
// points as they stand after the ruling: those of then would tell whether the command is
// held by a Commit of its own, or by a ruling of which the viewer was not told.
func asNow(then, now *eventv1.State) *eventv1.State {
	out := event.Clone(then)
	event.KeepDice(out, now)
	event.KeepAside(out, now)
	return out
}

// at is the encounter after so many commands of the new history.
func (r *ruled) at(ctx context.Context, n int) (*replica.Replica, error) {
	link := r.after.Chain[n-1]
	if k := len(link.Answers); k > 0 {
		return r.src.LoadAt(ctx, link.Answers[k-1])
	}
	if !link.Held() {
		return r.src.LoadAt(ctx, link.Origin)
	}
	am, err := corrected.Amendment(ctx, r.src, link.At)
	if err != nil {
		return nil, err
	}
	then, err := r.src.LoadAt(ctx, am.Base)
	if err != nil {
		return nil, err
	}
	return then, then.DecideAgain(&eventv1.CommitHeader{Version: link.At}, am.Commands[:link.Index+1], &replica.Applied{})
}
