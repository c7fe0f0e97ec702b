package engine

import (
	"context"
	"fmt"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/rules"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Preview says what a ruling would change. Nothing is stored, and no tape of the
// fight is opened: faces come from the record where a roll is met again, and
// from the preview's own dice where it is not (T3).
func (e *Engine) Preview(ctx context.Context, f *Fight, as *eventv1.Principal, cmd *eventv1.Command) (*encounterv1.PreviewRulingResponse, error) {
	if as.GetRole() != eventv1.Principal_ROLE_GM {
		return nil, fault.New(fault.Denied, "NOT_ALLOWED", "only the game master may do that")
	}
	if !ruling(cmd) {
		return nil, fault.Field("command", "must be revert, redo or amend")
	}
	if err := checkSize(cmd); err != nil {
		return nil, err
	}
	f.execute.Lock()
	defer f.execute.Unlock()
	// Another server may have gone on: the dry run is of what counts now.
	if err := e.catchUp(ctx, f); err != nil {
		return nil, err
	}
	now := f.replica.State()
	if err := checkRuling(now.DicePolicy, cmd); err != nil {
		return nil, err
	}
	sys, err := e.cfg.Systems.System(now.System)
	if err != nil {
		return nil, err
	}
	out := &encounterv1.PreviewRulingResponse{}
	before := now
	if cmd.GetAmend() != nil {
		if err = e.previewAmendment(ctx, f, sys, cmd, out); err == nil {
			before, err = e.previewDrift(ctx, f, sys, cmd.GetAmend(), out)
		}
	} else {
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

func (e *Engine) previewAmendment(ctx context.Context, f *Fight, sys rules.System, cmd *eventv1.Command, out *encounterv1.PreviewRulingResponse) error {
	p, err := e.amendment(ctx, f, sys, cmd, dicev1.Purpose_PURPOSE_PREVIEW)
	if err != nil {
		return err
	}
	out.Fresh = p.fresh
	out.State, out.Troubles, out.Redecided = p.state, p.troubles, uint32(p.decided) //nolint:gosec // a number of commands
	if len(p.troubles) > 0 {
		return nil
	}
	if err := p.fits(cmd); err != nil {
		return err
	}
	before, after, err := e.sides(f, p)
	if err != nil {
		return err
	}
	out.Ruling, err = e.foretold(ctx, encounterv1.Ruling_KIND_AMENDED, cmd, p.changed, before, after)
	return err
}

// fits refuses an amendment that one Commit cannot hold. What a Commit has
// besides its event takes less than a kilobyte, and the commitments of dice that
// may have to be opened less than 128 bytes a creature.
func (p *plan) fits(cmd *eventv1.Command) error {
	d, err := p.draft(cmd, cmd.GetAmend(), nil, nil)
	if err != nil {
		return err
	}
	size := len(d.cause.Command) + 1024 + 128*(2+len(p.state.Creatures))
	if cmd.GetAmend().GetContest() != "" {
		size += 4 * (limits.ContestClaimBytes + 2*limits.LineBytes)
	}
	for _, ev := range d.events {
		size += proto.Size(ev)
	}
	if size > journal.MaxMessage {
		f := fault.Limit("bytes of an amendment", journal.MaxMessage, int64(size))
		f.Message = fmt.Sprintf("command.amend: %d commands decided again take %d bytes, and one Commit holds %d: amend a later command, or go back by a revert",
			p.decided, size, journal.MaxMessage)
		return f
	}
	return nil
}
