package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/corrected"
)

// A take-back that is granted takes out the claimant's commands and decides again what
// others did behind them. Nothing of that is refused, asked, rolled or told to anybody who
// heard nothing of it before: what would need that is not done any more, and the game
// master alone is told which and why.

// takeOut takes commands out of the history, and decides again what others did since.
func (e *Engine) takeOut(ctx context.Context, f *Fight, cmd *eventv1.Command, t *taking, reason string, repeat eventv1.RepeatPolicy) (*draft, error) {
	p, err := e.without(ctx, f, t)
	if err != nil {
		return nil, err
	}
	if err := maxAmendment(p); err != nil {
		return nil, err
	}
	if err := e.patientsStay(ctx, f, p.state, p.chain()); err != nil {
		return nil, err
	}
	rev := &eventv1.Reverted{Version: p.base, Reason: reason, Kept: true, ByWhatCounts: true, ByWhatIsHeard: true}
	if rev.Told, err = e.told(ctx, f, p); err != nil {
		return nil, err
	}
	if err := e.numberAgain(ctx, f, t, rev, repeat); err != nil {
		return nil, err
	}
	kept := &eventv1.Amended{Reason: reason, Base: p.base, Commands: p.commands, Notes: p.notes}
	if e.long(kept) {
		if err := e.branched(ctx, f, kept); err != nil {
			return nil, err
		}
	}
	opened, err := e.openDice(ctx, f, p.state, f.replica.State().Commitments)
	if err != nil {
		return nil, err
	}
	events := []*eventv1.Event{event.New(event.GM(), rev), event.New(event.GM(), kept)}
	return newDraft(cmd, 0, nil, append(events, opened...), p.pending, nil)
}

// numberAgain gives what is done again the action numbers of what was taken back, if it
// is to meet the same faces: as if others had done nothing in between.
func (e *Engine) numberAgain(ctx context.Context, f *Fight, t *taking, rev *eventv1.Reverted, repeat eventv1.RepeatPolicy) error {
	rev.NextAction = f.replica.FreshAction()
	if !rollsSame(f.replica, repeat) {
		return nil
	}
	var again []uint64
	for _, i := range t.own {
		rec, err := e.recordOf(ctx, f, f.replica.Chain[i])
		if err != nil {
			return err
		}
		again = append(again, rec.action)
	}
	again = append(again, rev.NextAction)
	rev.NextAction, rev.ThenActions = again[0], again[1:]
	return nil
}

// without works out the history without the commands of a take-back.
func (e *Engine) without(ctx context.Context, f *Fight, t *taking) (*plan, error) {
	r := f.replica
	sys, err := e.cfg.Systems.System(r.State().System)
	if err != nil {
		return nil, err
	}
	first, base, err := e.begin(ctx, f, t.own[0])
	if err != nil {
		return nil, err
	}
	p := &plan{base: base.Version, begin: base.State(), first: first, state: withDice(base.State(), r.State()),
		before: origins(base.Chain), numbers: newNumbering(&r.Draws), asLeft: map[uint64]*eventv1.Creature{}}
	for i := first; i < len(r.Chain); i++ {
		if err := ctx.Err(); err != nil {
			return nil, fault.Wrap(fault.Unavailable, "CANCELLED", err, "called off; nothing has changed")
		}
		if slices.Contains(t.own, i) {
			continue
		}
		rec, err := e.recordOf(ctx, f, r.Chain[i])
		if err != nil {
			return nil, err
		}
		if i < t.own[0] { // the unchanged part of an amendment that holds the first of them
			err = p.keep(rec)
		} else {
			err = e.unseen(ctx, f, p, &redeciding{e: e, f: f, sys: sys, p: p, rec: rec, am: &eventv1.AmendCommand{}, met: true, purpose: dicev1.Purpose_PURPOSE_REAL}, t.deeds, i)
		}
		if err != nil {
			return nil, err
		}
	}
	return p, nil
}

// unseen decides again what somebody else did behind what is taken back, or notes why it
// is not done any more.
func (e *Engine) unseen(ctx context.Context, f *Fight, p *plan, d *redeciding, deeds *corrected.History, i int) error {
	if err := d.prepare(); err != nil {
		return err
	}
	p.decided++
	out, err := d.run(ctx)
	why := ""
	switch flt, is := fault.As(err); {
	case errors.Is(err, errNotMet):
		why = "it needs dice that it did not meet"
	case is && flt.Code != fault.Unavailable && flt.Code != fault.Internal:
		why = flt.Error()
	case err != nil:
		return err
	case len(out.Open) > 0 && !d.rec.waits:
		why = "nobody has answered: " + out.Open[0].Question
	default:
		before, err := deeds.Deed(ctx, i)
		if err != nil {
			return err
		}
		if heard := heardAnew(f, p.state, before, out.Events); heard != "" {
			why = fmt.Sprintf("%s heard nothing of it, and would", heard)
		}
	}
	switch {
	case why == "":
		p.pending = len(out.Open) > 0
		if err := p.take(d.rec, d, out); err != nil {
			return err
		}
	case (d.rec.forced || crosses(p.state, d.rec.command)) && !d.rec.waits:
		as := &rules.Outcome{State: event.Clone(p.state), Events: d.rec.events}
		event.FoldAll(as.State, d.rec.events)
		if err := p.force(d.rec, as); err != nil {
			return err
		}
		p.note("step %d stands as it was recorded: %s", d.rec.origin, why)
	default:
		p.note("step %d is not done any more: %s", d.rec.origin, why)
	}
	return e.leftAsRecorded(ctx, f, p, d.rec)
}

// crosses tells whether a patient comes in or goes by a command: its record says so too,
// and stays as it is.
func crosses(s *eventv1.State, cmd *eventv1.Command) bool {
	return cmd.GetAdd().GetSheet().GetPatient() != "" || cmd.GetEnd() != nil ||
		cmd.GetRemove() != nil && s.Creatures[cmd.GetRemove().Creature].GetPatient() != ""
}

// leftAsRecorded notes that the record of a patient who left says something else of how
// it left than the fight does now.
func (e *Engine) leftAsRecorded(ctx context.Context, f *Fight, p *plan, rec *record) error {
	now := p.asLeft[rec.origin]
	if now == nil {
		return nil
	}
	was, err := e.recordedAsLeft(ctx, f, rec.origin, now.Id)
	if err != nil {
		return err
	}
	if !proto.Equal(was, now) {
		p.note("patient %q left by step %d otherwise than its record says", now.Patient, rec.origin)
	}
	return nil
}

// heardAnew names a viewer who heard nothing of a command and would hear something of it;
// empty for none. The state is the one that the events are folded onto.
func heardAnew(f *Fight, state *eventv1.State, before *corrected.Deed, events []*eventv1.Event) string {
	var heard []event.Audible
	s := event.Clone(state)
	for _, ev := range events {
		if !event.OfDice(ev) {
			heard = append(heard, event.Hear(s, ev))
		}
		event.Fold(s, ev)
	}
	after := &corrected.Deed{Heard: heard}
	for _, key := range rules.SortedKeys(f.replica.Views) {
		if as := f.replica.Views[key].Principal; key != aggregate.ViewerGM && !before.HeardBy(as) && after.HeardBy(as) {
			return key
		}
	}
	return ""
}
