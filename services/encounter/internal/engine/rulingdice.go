package engine

import (
	"context"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rpc"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// openForRuling opens new dice in a fight that is over and whose public dice are
// revealed: committed to before the ruling that rolls with them, and with entropy from
// whoever adds some before it.
func (e *Engine) openForRuling(ctx context.Context, f *Fight, req Request) (*draft, error) {
	now := f.replica.State()
	switch {
	case now.Status != eventv1.State_STATUS_ENDED:
		return nil, fault.Refuse("NOT_OVER", "", "the fight is not over: its dice are there")
	case now.RulingDice && now.EntropyOpen:
		return nil, fault.Refuse("DICE_OPEN", "", "dice for a ruling are open already")
	case !f.replica.Revealed:
		return nil, fault.Refuse("NOT_REVEALED", "", "the dice of the fight are not revealed yet: a ruling rolls with them")
	case now.DicePolicy == eventv1.DicePolicy_DICE_POLICY_SUPPLIED:
		return nil, fault.Refuse("DICE_POLICY", "", "people roll at this table: answer the rolls of the ruling instead")
	}
	open := &dicev1.OpenEpochRequest{Table: f.table, Encounter: f.id, Epoch: now.Epoch + 1, Format: diceFormat, Open: true, Branches: branches(now, diceFormat)}
	resp, err := e.cfg.Dice.OpenEpoch(ctx, open)
	if err != nil {
		return nil, rpc.FromStatus(err)
	}
	events := commitments(now, open, resp.Commitments)
	for _, ev := range events {
		if ev.GetDiceEpoch().GetOpen() {
			ev.GetDiceEpoch().ForRuling = true
		}
	}
	return newDraft(req.Command, 0, nil, events, f.replica.Pending != nil, nil)
}
