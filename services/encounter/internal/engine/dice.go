package engine

import (
	"context"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/rules"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// diceFormat is the layout of the keys of new epochs (docs/DICE.md).
const diceFormat = 2

// epochFor is the number of the dice that a roll takes its faces from. While the
// fight's still take entropy, those for setting up are rolled.
func (p *provider) epochFor(settingUp bool) uint32 {
	if settingUp && event.SettingUp(p.live) {
		return event.SettingUpEpoch(p.epoch)
	}
	return p.epoch
}

// close closes the entropy of dice before their first face. The log says what was
// given: should the Commit lose its race against one more contribution, the next
// attempt closes with that one too, and nobody was shown what was drawn.
func (p *provider) close(ctx context.Context, epoch uint32) error {
	if p.purpose != dicev1.Purpose_PURPOSE_REAL || p.closed == epoch || !event.Unclosed(p.live, epoch) {
		return nil
	}
	if epoch == p.epoch {
		if err := rules.BeaconThere(p.live); err != nil {
			return err
		}
	}
	_, err := p.e.cfg.Dice.OpenEpoch(ctx, &dicev1.OpenEpochRequest{Table: p.table, Encounter: p.encounter, Epoch: epoch,
		Entropy: p.live.Entropy, Format: p.live.DiceFormat, Close: true})
	if err != nil {
		return rpc.FromStatus(err)
	}
	p.closed = epoch
	return nil
}

// closeAll closes what events say is closed, also where nothing was drawn: what
// the log has as closed is closed with the dice service.
func (p *provider) closeAll(ctx context.Context, events []*eventv1.Event) error {
	for _, ev := range events {
		if c := ev.GetEntropyClosed(); c != nil {
			if err := p.close(ctx, c.Epoch); err != nil {
				return err
			}
		}
	}
	return nil
}

// Open asks the dice service for the commitments of branches. Those of a new
// encounter come with the dice for setting it up, and take entropy from then on.
func (p *provider) Open(ctx context.Context, branches []string, entropy []*eventv1.Entropy) (*eventv1.DiceEpochOpened, error) {
	if p.met {
		return nil, errNotMet
	}
	req := &dicev1.OpenEpochRequest{Table: p.table, Encounter: p.encounter, Epoch: p.epoch, Branches: branches,
		Entropy: p.live.Entropy, Format: p.live.DiceFormat}
	out := &eventv1.DiceEpochOpened{Epoch: p.epoch, Entropy: entropy}
	fresh := p.live.Epoch == 0 && !p.before
	if fresh {
		req.Format, req.Open, req.Entropy = diceFormat, true, nil
		out.Open, out.Format = true, diceFormat
	}
	resp, err := p.e.cfg.Dice.OpenEpoch(ctx, req)
	if err != nil {
		return nil, rpc.FromStatus(err)
	}
	out.Commitments = resp.Commitments
	if fresh {
		req.Epoch = event.SettingUpEpoch(p.epoch)
		if resp, err = p.e.cfg.Dice.OpenEpoch(ctx, req); err != nil {
			return nil, rpc.FromStatus(err)
		}
		out.SettingUp = resp.Commitments
	}
	return out, nil
}

// settingUpSeed is the seed of a branch of the dice for setting up that belong to an
// epoch; nil when it has none.
func (e *Engine) settingUpSeed(ctx context.Context, f *Fight, epoch uint32, branch string) ([]byte, error) {
	resp, err := e.cfg.Dice.Reveal(ctx, &dicev1.RevealRequest{Table: f.table, Encounter: f.id, Epoch: event.SettingUpEpoch(epoch), Branch: branch})
	if fail := rpc.FromStatus(err); fail != nil {
		if fail.Code == fault.NotFound {
			return nil, nil
		}
		return nil, fail
	}
	return resp.Seed, nil
}
