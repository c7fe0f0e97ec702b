package engine

import (
	"context"
	"slices"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Preview says what a ruling would change. Nothing is stored, and no tape of the
// fight is opened: faces come from the record where a roll is met again, and
// from the preview's own dice where it is not (T3). The fight goes on meanwhile, and
// the dry run ends with its context.
func (e *Engine) Preview(ctx context.Context, f *Fight, as *eventv1.Principal, cmd *eventv1.Command) (*encounterv1.PreviewRulingResponse, error) {
	if as.GetRole() != eventv1.Principal_ROLE_GM {
		return nil, fault.New(fault.Denied, "NOT_ALLOWED", "only the game master may do that")
	}
	if !ruling(cmd) && !cmd.GetSettle().GetUphold() {
		return nil, fault.Field("command", "must be revert, redo or amend, or settle to grant a take-back")
	}
	if err := checkSize(cmd); err != nil {
		return nil, err
	}
	f, err := e.standing(ctx, f)
	if err != nil {
		return nil, err
	}
	now := f.replica.State()
	if err := readOnly(now); err != nil {
		return nil, err
	}
	if err := checkRuling(now.DicePolicy, cmd, false); err != nil {
		return nil, err
	}
	sys, err := e.cfg.Systems.System(now.System)
	if err != nil {
		return nil, err
	}
	out := &encounterv1.PreviewRulingResponse{}
	before := now
	switch {
	case cmd.GetSettle() != nil:
		err = e.previewTakeBack(ctx, f, as, cmd.GetSettle(), out)
	case cmd.GetAmend() != nil:
		if err = e.previewAmendment(ctx, f, sys, Request{As: as, Table: f.table, Encounter: f.id, Command: cmd}, out); err == nil {
			before, err = e.previewDrift(ctx, f, sys, cmd.GetAmend(), out)
		}
	default:
		then, rerr := e.reverted(ctx, f, Request{As: as, Table: f.table, Encounter: f.id, Command: cmd})
		if err = rerr; err == nil {
			out.State = withDice(then.replica.State(), now)
			out.Ruling, err = e.foretoldBack(ctx, f, cmd, then)
		}
	}
	if err != nil {
		return nil, err
	}
	changes, err := event.Difference(before, out.State)
	if err != nil {
		return nil, err
	}
	out.Changes = changesOf(changes)
	return out, nil
}

// previewTakeBack says what granting a take-back would change.
func (e *Engine) previewTakeBack(ctx context.Context, f *Fight, as *eventv1.Principal, settle *eventv1.SettleContest, out *encounterv1.PreviewRulingResponse) error {
	c, err := openContest(f.replica.State(), "command.settle.contest", settle.Contest)
	if err != nil {
		return err
	}
	if c.Kind != eventv1.Contest_KIND_TAKE_BACK {
		return fault.Field("command.settle.contest", "is no take-back: to uphold it by word changes nothing")
	}
	t, err := e.toTake(ctx, f, c, as)
	if err != nil {
		return err
	}
	cmd := &eventv1.Command{What: &eventv1.Command_Revert{Revert: &eventv1.RevertEncounter{Reason: reasonFor(c)}}}
	if !t.others {
		then, err := e.beforeTaken(ctx, f, t)
		if err != nil {
			return err
		}
		out.State = withDice(then.replica.State(), f.replica.State())
		out.Ruling, err = e.foretoldBack(ctx, f, cmd, then)
		return err
	}
	p, err := e.without(ctx, f, t)
	if err != nil {
		return err
	}
	out.State, out.Redecided, out.Notes = p.state, uint32(p.decided), p.notes //nolint:gosec // a number of commands
	before, after, err := e.sides(f, p)
	if err != nil {
		return err
	}
	out.Ruling, err = e.foretold(ctx, encounterv1.Ruling_KIND_REVERTED, cmd, 0, before, after)
	return err
}

// standing is the fight as it stands now, for a dry run that may take long: the fight
// itself goes on meanwhile. Another server may have gone on: it is of what counts now.
func (e *Engine) standing(ctx context.Context, f *Fight) (*Fight, error) {
	f.execute.Lock()
	defer f.execute.Unlock()
	if err := e.catchUp(ctx, f); err != nil {
		return nil, err
	}
	f.mu.RLock()
	defer f.mu.RUnlock()
	out := newFight(f.name, f.replica.Clone(), f.loader)
	out.parts, out.ring = f.parts, ring{entries: slices.Clone(f.ring.entries), sizes: slices.Clone(f.ring.sizes), bytes: f.ring.bytes}
	return out, nil
}

// previewDrift says what the rules change by themselves, and returns the state to
// which the ruling's own changes come.
func (e *Engine) previewDrift(ctx context.Context, f *Fight, sys rules.System, am *eventv1.AmendCommand, out *encounterv1.PreviewRulingResponse) (*eventv1.State, error) {
	d, err := e.drifted(ctx, f, sys, am)
	if err != nil || d == nil {
		return f.replica.State(), err
	}
	out.Drift = d.out
	if d.state == nil {
		return f.replica.State(), nil
	}
	return d.state, nil
}

func (e *Engine) previewAmendment(ctx context.Context, f *Fight, sys rules.System, req Request, out *encounterv1.PreviewRulingResponse) error {
	g, err := e.goesOn(ctx, f, sys, req, dicev1.Purpose_PURPOSE_PREVIEW)
	if err != nil {
		return err
	}
	p := g.fights[0].plan
	out.Fresh, out.Troubles, out.Onward, out.NeedsDice = g.fresh, g.troubles, g.onward, g.needsDice
	out.State, out.Redecided = p.state, uint32(p.decided) //nolint:gosec // a number of commands
	if len(p.troubles) > 0 || p.halted > 0 {
		return nil
	}
	if err := maxAmendment(p); err != nil {
		return err
	}
	before, after, err := e.sides(f, p)
	if err != nil {
		return err
	}
	out.Ruling, err = e.foretold(ctx, encounterv1.Ruling_KIND_AMENDED, req.Command, p.changed, before, after)
	return err
}
