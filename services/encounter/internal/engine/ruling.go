package engine

import (
	"context"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/rules"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// ruling tells whether a command changes the past.
func ruling(cmd *eventv1.Command) bool {
	switch cmd.What.(type) {
	case *eventv1.Command_Revert, *eventv1.Command_Redo, *eventv1.Command_Amend:
		return true
	}
	return false
}

// rule decides a ruling. Going back fires nothing: no rule runs for a revert.
func (e *Engine) rule(ctx context.Context, f *Fight, sys rules.System, req Request) (*draft, error) {
	if err := checkRuling(f.replica.State().DicePolicy, req.Command); err != nil {
		return nil, err
	}
	switch w := req.Command.What.(type) {
	case *eventv1.Command_Revert:
		version, err := revertTarget(f.replica, w.Revert)
		if err != nil {
			return nil, err
		}
		return e.revert(ctx, f, req, version, w.Revert.Reason, false)
	case *eventv1.Command_Redo:
		version, err := rulingTarget(f.replica, req.Command)
		if err != nil {
			return nil, err
		}
		return e.revert(ctx, f, req, version, w.Redo.Reason, true)
	case *eventv1.Command_Amend:
		return e.amend(ctx, f, sys, req)
	}
	return nil, fault.Field("command", "is no ruling that this server knows")
}

// checkRuling refuses what a ruling would pass over in silence.
func checkRuling(policy eventv1.DicePolicy, cmd *eventv1.Command) error {
	am := cmd.GetAmend()
	faces := len(cmd.Faces) + len(am.GetCommand().GetFaces())
	changes := am.GetCommand() != nil || am.GetChange() != nil || am.GetClearCircumstances()
	switch {
	case am == nil && faces > 0:
		return fault.Field("command.faces", "going back rolls nothing")
	case am == nil && len(cmd.Answers) > 0:
		return fault.Field("command.answers", "going back asks nothing")
	case am.GetDrop() && (changes || faces+len(cmd.Answers)+len(am.Answers)+len(am.Rolls) > 0):
		return fault.Field("command.amend.drop", "a command that is taken away cannot be changed as well")
	case faces > 0 && serversDice(policy):
		return fault.Field("command.faces", "this encounter's dice are the server's; fix single rolls by amend.rolls")
	}
	return nil
}

// revertTarget finds the version whose state is wanted.
func revertTarget(r *replica.Replica, c *eventv1.RevertEncounter) (uint64, error) {
	switch to := c.To.(type) {
	case *eventv1.RevertEncounter_Version:
		if to.Version == 0 || to.Version > r.Version {
			return 0, fault.Field("command.revert.version", "must be 1 to %d", r.Version)
		}
		return to.Version, nil
	case *eventv1.RevertEncounter_Round:
		return lastMark(r, "command.revert.round", func(m replica.Mark) bool { return m.Round == to.Round && m.Round != replica.TurnMark })
	case *eventv1.RevertEncounter_Turn:
		return lastMark(r, "command.revert.turn", func(m replica.Mark) bool { return m.Round == replica.TurnMark })
	case *eventv1.RevertEncounter_Last:
		n := len(r.Chain)
		if n < 2 {
			return 0, fault.Refuse("NOTHING_TO_REVERT", "", "no command is left to take back")
		}
		last := r.Chain[n-1]
		if last.At != last.Origin {
			// Decided again by an amendment: what stood before it has no version
			// of its own, so the amendment itself is what can be taken back.
			return last.At - 1, nil
		}
		return last.Origin - 1, nil
	}
	return 0, fault.Field("command.revert.to", "give a version, a round, the turn, or last")
}

func lastMark(r *replica.Replica, field string, fits func(replica.Mark) bool) (uint64, error) {
	for i := len(r.Marks) - 1; i >= 0; i-- {
		if fits(r.Marks[i]) {
			return r.Marks[i].Version, nil
		}
	}
	return 0, fault.Field(field, "there is no such beginning in the history that counts")
}

// revert makes the Commit that puts the encounter back.
func (e *Engine) revert(ctx context.Context, f *Fight, req Request, version uint64, reason string, redo bool) (*draft, error) {
	if len(reason) > 1000 {
		return nil, fault.Field("command.revert.reason", "at most 1000 bytes")
	}
	then, err := e.cfg.Loader.LoadAt(ctx, f.table, f.id, version)
	if err != nil {
		return nil, err
	}
	now := f.replica.State()
	if err := patientsStay(now, then.State()); err != nil {
		return nil, err
	}
	next := f.replica.NextAction
	if now.RepeatPolicy == eventv1.RepeatPolicy_REPEAT_POLICY_SAME && !f.replica.Revealed {
		next = then.NextAction
	}
	events := []*eventv1.Event{event.New(event.GM(), &eventv1.Reverted{Version: version, Reason: reason, Redo: redo, NextAction: next})}
	reopened, err := e.reopen(ctx, f, then.State())
	if err != nil {
		return nil, err
	}
	return newDraft(req.Command, 0, nil, append(events, reopened...), then.Pending != nil, nil)
}

// patientsStay refuses a ruling that would need patients to come in or go out.
func patientsStay(now, then *eventv1.State) error {
	in := func(s *eventv1.State) map[string]bool {
		out := map[string]bool{}
		if s.Status == eventv1.State_STATUS_ENDED {
			return out
		}
		// order-free: a set
		for _, c := range s.Creatures {
			if c.Patient != "" {
				out[c.Patient] = true
			}
		}
		return out
	}
	a, b := in(now), in(then)
	for _, p := range rules.SortedKeys(a) {
		if !b[p] {
			return fault.Refuse("PATIENT_WOULD_LEAVE", "", "patient %q came in since then; remove it first", p)
		}
	}
	for _, p := range rules.SortedKeys(b) {
		if !a[p] {
			return fault.Refuse("PATIENT_HAS_LEFT", "", "patient %q has left since then", p)
		}
	}
	return nil
}

// reopen opens a new epoch of the dice when the public branch of the present
// one is revealed and the fight goes on: a revealed branch is spent.
func (e *Engine) reopen(ctx context.Context, f *Fight, then *eventv1.State) ([]*eventv1.Event, error) {
	if !f.replica.Revealed || then.Status == eventv1.State_STATUS_ENDED {
		return nil, nil
	}
	branches := []string{"everyone", "gm"}
	for _, id := range rules.SortedKeys(then.Creatures) {
		branches = append(branches, "creature/"+id)
	}
	epoch := f.replica.State().Epoch + 1
	resp, err := e.cfg.Dice.OpenEpoch(ctx, &dicev1.OpenEpochRequest{Table: f.table, Encounter: f.id, Epoch: epoch, Branches: branches})
	if err != nil {
		return nil, rpc.FromStatus(err)
	}
	return []*eventv1.Event{event.New(event.Everyone(), &eventv1.DiceEpochOpened{Epoch: epoch, Commitments: resp.Commitments})}, nil
}
