package ward

import (
	"context"
	"strings"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/rules"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// planReveal plans to close the epoch of a patient's dice: the seed of each branch is
// told to those whom the branch's rolls were told to, and the next epoch is committed to.
func (s *Server) planReveal(tx *projection.Tx, d *deed, c *eventv1.PatientCommand) error {
	if !isGM(d.req.As) {
		return fault.New(fault.Denied, "GM_ONLY", "only the game master may do %q", c.Deed)
	}
	if err := checkOwn(c, false); err != nil {
		return err
	}
	if len(c.Patients) > 1 {
		return fault.Field("command.patient.patients", "the dice of one patient are revealed at a time")
	}
	d.primary = c.Patients[0]
	if err := d.join1(tx, d.primary); err != nil {
		return err
	}
	if len(d.state.Commitments) == 0 {
		return fault.New(fault.Illegal, "NOTHING_TO_REVEAL", "the record of patient %q is of a build that committed to no dice", d.primary)
	}
	var err error
	if d.sys, err = s.cfg.Systems.System(d.state.System); err != nil {
		return err
	}
	d.action = d.rows[d.primary].Action + 1
	d.reveals = true
	return nil
}

// reveal asks for the seeds, and makes of them what the deed does. The dice service draws
// from no branch any more whose seed it has given: where the deed is not stored after that,
// it is to be repeated before anything else is rolled. A preview would give the seeds away.
func (s *Server) reveal(ctx context.Context, d *deed) error {
	if d.preview() {
		return fault.Field("preview", "what dice will be can not be looked at")
	}
	epoch := max(d.state.Epoch, firstEpoch)
	branches := rules.SortedKeys(d.state.Commitments)
	var told []*eventv1.Event
	for _, branch := range branches {
		reply, err := s.cfg.Dice.Reveal(ctx, &dicev1.RevealRequest{Table: d.table, Encounter: PatientDice(d.primary), Epoch: epoch, Branch: branch})
		if err != nil {
			return rpc.FromStatus(err)
		}
		told = append(told, event.New(audienceOf(branch), &eventv1.DiceRevealed{Epoch: epoch, Branch: branch, Seed: reply.Seed}))
	}
	d.epoch = epoch + 1
	d.do = func(r *rules.Resolution) error {
		for _, e := range told {
			r.Emit(e.Audience, e.GetDiceRevealed())
		}
		r.Open(nil, branches...)
		return nil
	}
	return nil
}

// audienceOf is whom the rolls of a branch were told to.
func audienceOf(branch string) *eventv1.Audience {
	if id, creature := strings.CutPrefix(branch, "creature/"); creature {
		return event.Controllers(id)
	}
	if branch == event.Branch(event.Everyone()) {
		return event.Everyone()
	}
	return event.GM()
}
