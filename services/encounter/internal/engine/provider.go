package engine

import (
	"context"
	"errors"
	"slices"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/rules"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// provider takes faces from the dice service and outcomes of harm from the
// injury service, for one action of one encounter.
type provider struct {
	e                *Engine
	table, encounter string
	epoch            uint32
	action           uint64
	numbers          *numbering
	policy           eventv1.DicePolicy
	purpose          dicev1.Purpose
	live             *eventv1.State // with the dice as they stand
	closed           uint32         // dice whose entropy was closed by this provider
	// before: the creation is one of before, whose dice took no entropy after it.
	before bool
	// met: nothing is rolled, opened or asked of anybody: what was not met before is
	// errNotMet.
	met bool
}

// errNotMet says that a command that is decided again needs dice that it did not meet
// when it was given. It is no refusal of the rules.
var errNotMet = errors.New("engine: dice that were not met before")

var _ rules.Provider = (*provider)(nil)

// reasonNotOnRecord is why a record that is decided again gives no face.
const reasonNotOnRecord = "NOT_ON_RECORD"

// Draw asks the dice service for the faces at an address.
func (p *provider) Draw(ctx context.Context, d rules.DrawRequest) (*eventv1.Draw, error) {
	if p.met {
		return nil, errNotMet
	}
	epoch := p.epochFor(d.SettingUp)
	if p.policy != eventv1.DicePolicy_DICE_POLICY_SUPPLIED {
		if err := p.close(ctx, epoch); err != nil {
			return nil, err
		}
	}
	resp, err := p.e.cfg.Dice.Draw(ctx, &dicev1.DrawRequest{
		Table: p.table, Encounter: p.encounter, Epoch: epoch, Action: p.numbers.of(d.Branch, p.action),
		Label: d.Label, Index: d.Index, Branch: d.Branch, Expression: d.Expression,
		Purpose: p.purpose, Supplied: d.Supplied,
		TapeAllowed: p.policy != eventv1.DicePolicy_DICE_POLICY_SUPPLIED,
	})
	if err != nil {
		f := rpc.FromStatus(err)
		if f != nil && f.Reason == "NEED_FACES" {
			return nil, rules.ErrNeedFaces
		}
		return nil, f
	}
	return &eventv1.Draw{Branch: d.Branch, Expression: d.Expression, Faces: resp.Result.Faces,
		Supplied: resp.SuppliedUsed, Epoch: epoch, Action: p.numbers.take(d.Branch, p.action)}, nil
}

// Deed asks the injury service what harm or medicine does.
func (p *provider) Deed(ctx context.Context, d rules.DeedRequest) (*eventv1.HarmOutcome, int, error) {
	epoch := p.epochFor(d.SettingUp)
	if p.policy != eventv1.DicePolicy_DICE_POLICY_SUPPLIED {
		if err := p.close(ctx, epoch); err != nil {
			return nil, 0, err
		}
	}
	resp, err := p.e.cfg.Injury.Assess(ctx, &injuryv1.AssessRequest{
		Table: p.table, Encounter: p.encounter, Epoch: epoch, Action: p.action, Label: d.Label,
		State: d.State, Harm: d.Harm, Inputs: d.Inputs, Supplied: d.Supplied, Answers: d.Early,
		Purpose: p.purpose, Numbers: p.numbers.all(p.action), Key: d.Key,
		Speaker: d.Speaker, Caller: d.Caller, RollMode: d.Mode, Odds: d.Odds,
	})
	if err != nil {
		f := rpc.FromStatus(err)
		if p.met && f != nil && f.Reason == reasonNotOnRecord { // a record decided again has no other dice
			return nil, 0, errNotMet
		}
		return nil, 0, f
	}
	if p.met && slices.ContainsFunc(flatten(resp.Outcome.Inputs), func(in *eventv1.Input) bool { return in.GetDraw() != nil }) {
		return nil, 0, errNotMet
	}
	for _, in := range flatten(resp.Outcome.Inputs) {
		if draw := in.GetDraw(); draw != nil {
			p.numbers.take(draw.Branch, p.action)
		}
	}
	return resp.Outcome, int(resp.SuppliedUsed), nil
}

// revealIfOver reveals what a fight that is over owes, whatever it was that
// ended it. A failure is made up for later: the sweep tries again.
func (e *Engine) revealIfOver(ctx context.Context, f *Fight) {
	if err := e.reveal(ctx, f); err != nil && ctx.Err() == nil {
		e.cfg.Logger.Error("revealing dice", "encounter", f.id, "error", err)
	}
}

// owes tells whether the fight is over and its public branch not revealed.
func (f *Fight) owes() (owes bool) {
	f.Read(func(r *replica.Replica) {
		owes = r.OwesReveal() && !f.diceless && f.closed == nil
	})
	return owes
}

// reveal opens the public branch of an encounter that is over. It is a Commit
// of its own, after the one that ended the encounter: a branch must not be
// spent for an append that then loses its race.
func (e *Engine) reveal(ctx context.Context, f *Fight) error {
	if err := e.revealPublic(ctx, f); err != nil {
		return err
	}
	return e.openSecrets(ctx, f)
}

func (e *Engine) revealPublic(ctx context.Context, f *Fight) error {
	if !f.owes() {
		return nil
	}
	ev, err := e.publicSeed(ctx, f)
	if err != nil {
		if fault.Is(err, fault.Broken) { // nothing to make up for: said once
			f.mu.Lock()
			f.diceless = true
			f.mu.Unlock()
		}
		return err
	}
	if err := e.compared(f, e.log.Compare(ctx, f.name, f.replica.Head, aggregate.CommitHash)); err != nil {
		return err
	}
	sys, err := e.cfg.Systems.System(f.replica.State().System)
	if err != nil {
		return err
	}
	return e.storeOwn(ctx, f, sys, ev)
}

// publicSeed is the event that opens the public branch.
func (e *Engine) publicSeed(ctx context.Context, f *Fight) (*eventv1.Event, error) {
	epoch := f.replica.State().Epoch
	resp, err := e.cfg.Dice.Reveal(ctx, &dicev1.RevealRequest{Table: f.table, Encounter: f.id, Epoch: epoch, Branch: "everyone"})
	if err != nil {
		return nil, rpc.FromStatus(err)
	}
	told := &eventv1.DiceRevealed{Epoch: epoch, Branch: "everyone", Seed: resp.Seed}
	if told.SettingUpSeed, err = e.settingUpSeed(ctx, f, epoch, "everyone"); err != nil {
		return nil, err
	}
	return event.New(event.Everyone(), told), nil
}

// storeOwn stores a Commit that is the service's own. A lost race is no error: what
// is owed is made up for later.
func (e *Engine) storeOwn(ctx context.Context, f *Fight, sys rules.System, events ...*eventv1.Event) error {
	msg, err := e.seal(f, sys, draft{cause: &eventv1.CommitCause{Principal: revealer()},
		inputs: &eventv1.CommitInputs{}, events: events})
	if err != nil {
		return err
	}
	_, err = e.store(ctx, f, msg)
	if fault.Is(err, fault.Conflict) {
		return e.catchUp(ctx, f)
	}
	return aggregate.Fault(err)
}
