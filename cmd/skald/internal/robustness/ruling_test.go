package robustness

import (
	"fmt"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/cmd/skald/internal/autoplay"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/rules"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

var redo = &eventv1.Command{What: &eventv1.Command_Redo{Redo: &eventv1.RedoEncounter{}}}

func revert(to *eventv1.RevertEncounter) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Revert{Revert: to}}
}

// remember notes what a step did for later rulings, and holds that an address of
// the dice shows the same faces whenever it is met.
func (p *play) remember(step *encounterv1.Step, cmd *eventv1.Command) {
	p.t.Helper()
	p.fate.given[step.Number] = cmd
	if cmd.GetAnswer() == nil && cmd.GetRevert() == nil && cmd.GetRedo() == nil && cmd.GetAmend() == nil {
		p.fate.root = step.Number
	}
	events := slices.Clone(step.Events)
	for _, e := range step.Events {
		for _, c := range e.GetAmended().GetCommands() {
			for _, data := range c.Events {
				inner := &eventv1.Event{}
				if err := proto.Unmarshal(data, inner); err != nil {
					p.t.Fatal(err)
				}
				events = append(events, inner)
			}
		}
	}
	for _, e := range events {
		r := e.GetRoll()
		if r == nil || r.Supplied || r.Fixed {
			continue
		}
		at := fmt.Sprint(r.Epoch, " ", r.Branch, " ", r.Action, " ", r.Label, " ", r.Index, " ", r.Expression)
		faces := fmt.Sprint(r.Faces)
		if was := p.drawn[at]; was != "" && was != faces {
			p.t.Errorf("step %d: the dice at %q show %s and showed %s before", step.Number, at, faces, was)
		}
		p.drawn[at] = faces
	}
}

// at is the state after a step, as it is read from disk.
func (p *play) at(number uint64) *eventv1.State {
	p.t.Helper()
	resp, err := p.client.GetState(p.t.Context(), &encounterv1.GetStateRequest{As: gm, Encounter: p.id, At: number})
	if err != nil {
		p.t.Fatal(err)
	}
	return resp.State
}

// faces rolls an expression by hand.
func (p *play) faces(expression string) []int32 {
	p.t.Helper()
	faces, err := autoplay.Random{Rand: p.rng}.Faces(expression)
	if err != nil {
		p.t.Fatal(err)
	}
	return faces
}

// revertAndRedo goes back a random number of times and forward again.
func (p *play) revertAndRedo(before *encounterv1.GetStateResponse) {
	p.t.Helper()
	times := 1 + p.rng.IntN(3)
	for range times {
		if _, err := p.try(revert(&eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Last{Last: true}})); err != nil {
			p.t.Errorf("revert: %v", err)
			return
		}
	}
	for range times {
		p.must(redo)
	}
	p.same("revert and redo are not identity", p.state().State, before.State)
}

// revertFar goes back to a step, a turn or a round, holds that the past is what
// it was, and mostly comes back.
func (p *play) revertFar(before *encounterv1.GetStateResponse) {
	p.t.Helper()
	to := &eventv1.RevertEncounter{}
	version := uint64(0)
	switch p.rng.IntN(3) {
	case 0:
		version = 1 + uint64(p.rng.IntN(int(before.Number)))
		to.To = &eventv1.RevertEncounter_Version{Version: version}
	case 1:
		to.To = &eventv1.RevertEncounter_Turn{Turn: true}
	case 2:
		to.To = &eventv1.RevertEncounter_Round{Round: 1 + p.rng.Int32N(max(1, before.State.Round))}
	}
	dry, err := p.client.PreviewRuling(p.t.Context(), &encounterv1.PreviewRulingRequest{As: gm, Encounter: p.id, Command: revert(to)})
	if f := rpc.FromStatus(err); err != nil {
		if version > 0 || to.GetRound() > 0 && before.State.Round > 0 || f.Code != fault.Invalid {
			p.t.Errorf("dry run of %v: %v", to, err)
		}
		p.mustRefuse(revert(to)) // no turn or round began yet
		return
	}
	p.must(revert(to))
	then := p.state()
	p.same("going back is not what its dry run promised", then.State, dry.State)
	if version > 0 {
		p.same("going back is not what was then", then.State, p.at(version))
	}
	if r := to.GetRound(); r > 0 && then.State.Round != r {
		p.t.Errorf("back at round %d, wanted %d", then.State.Round, r)
	}
	p.invariants(then.State)
	if version > 0 && then.State.Status != eventv1.State_STATUS_STARTED || p.rng.IntN(3) > 0 {
		p.must(redo)
		p.same("redo after going back is not identity", p.state().State, before.State)
	}
}

// amendNothing amends a random past command without changing it.
func (p *play) amendNothing(before *encounterv1.GetStateResponse) {
	p.t.Helper()
	version := 2 + uint64(p.rng.IntN(int(before.Number)-1))
	seen := p.numberOf(watching)
	resp, err := p.try(&eventv1.Command{What: &eventv1.Command_Amend{Amend: &eventv1.AmendCommand{Version: version}}})
	if f := rpc.FromStatus(err); err != nil && (len(f.Violations) == 0 || f.Violations[0].Field != "command.amend.version") {
		p.t.Errorf("amending version %d without a change: %v", version, err)
		return
	}
	if err == nil {
		p.nothingTold(resp.Step, seen)
	}
	p.same("amending without a change is not identity", p.state().State, before.State)
}

// amendSomething changes a past command. What the dry run promised must come,
// and taking the amendment back must give what was.
func (p *play) amendSomething(before *encounterv1.GetStateResponse) {
	p.t.Helper()
	var am *eventv1.AmendCommand
	for range 10 {
		if am = p.change(before); am != nil {
			break
		}
	}
	if am == nil {
		return
	}
	cmd := &eventv1.Command{What: &eventv1.Command_Amend{Amend: am}}
	dry, clear := p.dryRun(cmd)
	if dry == nil {
		return
	}
	if now := p.state(); now.Number != before.Number {
		p.t.Errorf("a dry run stored something: step %d after %d", now.Number, before.Number)
	}
	if !clear {
		if f := p.mustRefuse(cmd); f != nil && f.Reason != "AMENDMENT_IN_TROUBLE" {
			p.t.Errorf("an amendment in trouble is refused for %s", f.Reason)
		}
		return
	}
	done := p.must(cmd)
	p.toldAsForetold(dry, done.Step)
	after := p.state()
	if len(dry.Fresh) == 0 { // what is rolled anew is a sample
		p.same("the amendment is not what its dry run promised", after.State, dry.State)
	}
	p.invariants(after.State)
	p.done["amended"]++
	if len(am.ForceIllegal) > 0 {
		p.done["forced"]++
		p.same("what was forced is not identity", p.again(after), after.State)
	}
	if p.rng.IntN(2) == 0 || len(am.ForceIllegal) > 0 { // what is forced may stand on no rule: it does not stay
		p.must(revert(&eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Version{Version: before.Number}}))
		p.same("taking an amendment back is not identity", p.state().State, before.State)
	}
}

// reopen ends a fight and takes that back: it goes on with dice that nobody
// knows, committed to for everyone who is there.
func (p *play) reopen() {
	p.t.Helper()
	if p.rng.IntN(2) == 0 {
		return
	}
	before := p.state().State
	if before.Status != eventv1.State_STATUS_STARTED || len(before.Decisions) > 0 {
		return
	}
	p.must(&eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
	p.must(revert(&eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Last{Last: true}}))
	now := p.state()
	after := now.State
	p.same("ending and taking it back is not identity", after, before)
	if after.Epoch != before.Epoch+1 {
		p.t.Errorf("reopened in epoch %d after %d", after.Epoch, before.Epoch)
	}
	for _, id := range rules.SortedKeys(after.Creatures) {
		if len(after.Commitments["creature/"+id]) == 0 {
			p.t.Errorf("the dice of %s are not committed to", id)
		}
	}
	if first := p.again(now); first.Epoch != after.Epoch {
		p.t.Errorf("deciding everything again goes back to epoch %d", first.Epoch)
	}
}

// again is the state after everything since the first arrival that counts is
// decided again without a change.
func (p *play) again(now *encounterv1.GetStateResponse) *eventv1.State {
	p.t.Helper()
	for version := uint64(2); version <= now.Number; version++ {
		dry, err := p.client.PreviewRuling(p.t.Context(), &encounterv1.PreviewRulingRequest{As: gm, Encounter: p.id,
			Command: &eventv1.Command{What: &eventv1.Command_Amend{Amend: &eventv1.AmendCommand{Version: version}}}})
		if f := rpc.FromStatus(err); err != nil && len(f.Violations) > 0 && f.Violations[0].Field == "command.amend.version" {
			continue // it was taken back, or is a ruling
		}
		if err != nil {
			p.t.Fatal(err)
		}
		if len(dry.Troubles) > 0 {
			p.t.Errorf("deciding again from step %d on: %v", version, dry.Troubles)
		}
		return dry.State
	}
	return now.State
}

// change makes a random amendment; nil when the version picked has nothing to
// change.
func (p *play) change(before *encounterv1.GetStateResponse) *eventv1.AmendCommand {
	p.t.Helper()
	am := &eventv1.AmendCommand{Version: 2 + uint64(p.rng.IntN(int(before.Number)-1)), TakeDefaults: p.rng.IntN(2) == 0}
	if p.rng.IntN(2) == 0 { // mostly something recent
		am.Version = before.Number - uint64(p.rng.IntN(int(min(20, before.Number-1))))
	}
	was := p.fate.given[am.Version]
	ids := rules.SortedKeys(before.State.Creatures)
	switch asked := p.fate.asked[am.Version]; p.rng.IntN(5) {
	case 0:
		am.Drop = true
		return am
	case 1:
		if len(asked) == 0 {
			return nil
		}
		d := asked[p.rng.IntN(len(asked))]
		if p.rng.IntN(2) == 0 || d.Kind == eventv1.DecisionKind_DECISION_KIND_DICE {
			am.Resolve = []*eventv1.AnswerDecision{{Decision: d.Id, Answer: p.answer(d)}}
			return am
		}
		am.Answers = []*eventv1.EarlyAnswer{{Decision: d.Name, Creature: d.Creature, Answer: p.answer(d)}}
		return am
	case 2:
		if was.GetTake() == nil {
			return nil
		}
		direction := []string{"advantage", "disadvantage", "modifier"}[p.rng.IntN(3)]
		am.Change = &eventv1.TakeAction{Circumstances: []*eventv1.Circumstance{{Direction: direction, Kind: direction, Value: p.rng.Int32N(11) - 5, Cause: "ruled"}}}
		return am
	case 3:
		if was.GetTake() == nil || len(was.GetTake().Targets) != 1 {
			return nil
		}
		am.Change = &eventv1.TakeAction{Targets: []string{ids[p.rng.IntN(len(ids))]}}
		return am
	}
	h, err := p.client.GetHistory(p.t.Context(), &encounterv1.GetHistoryRequest{As: gm, Encounter: p.id, After: am.Version - 1, Limit: 1})
	if err != nil {
		p.t.Fatal(err)
	}
	for _, e := range h.Steps[0].Events {
		r := e.GetRoll()
		if r == nil || p.rng.IntN(2) == 0 {
			continue
		}
		am.Rolls = []*eventv1.FixedRoll{{Label: r.Label, Index: r.Index, Branch: r.Branch, Faces: p.faces(r.Expression)}}
		return am
	}
	return nil
}

// dryRun previews an amendment and settles, one after the other, what stands in
// its way: later commands that became illegal are dropped, or forced; questions
// are answered. clear is false when something else is in the way. It gives nil
// when the amended command itself cannot be what it is to be.
func (p *play) dryRun(cmd *eventv1.Command) (dry *encounterv1.PreviewRulingResponse, clear bool) {
	p.t.Helper()
	am := cmd.GetAmend()
	for range 300 {
		dry, err := p.client.PreviewRuling(p.t.Context(), &encounterv1.PreviewRulingRequest{As: gm, Encounter: p.id, Command: cmd})
		if err != nil {
			if f := rpc.FromStatus(err); f.Code != fault.Invalid && f.Code != fault.Illegal && f.Code != fault.NotFound {
				p.t.Errorf("dry run of %v: %v", am, err)
			}
			return nil, false
		}
		if len(dry.Troubles) == 0 {
			return dry, true
		}
		for _, t := range dry.Troubles {
			switch forced := slices.Index(am.ForceIllegal, t.Version); {
			case t.Kind == encounterv1.Trouble_KIND_ILLEGAL && forced >= 0: // it cannot even be forced
				am.ForceIllegal = slices.Delete(am.ForceIllegal, forced, forced+1)
				am.DropIllegal = append(am.DropIllegal, t.Version)
			case t.Kind == encounterv1.Trouble_KIND_ILLEGAL && slices.Contains(am.DropIllegal, t.Version):
				p.t.Errorf("dropped and in the way all the same: %v", t)
				return dry, false
			case t.Kind == encounterv1.Trouble_KIND_ILLEGAL && p.rng.IntN(2) == 0:
				am.ForceIllegal = append(am.ForceIllegal, t.Version)
			case t.Kind == encounterv1.Trouble_KIND_ILLEGAL:
				am.DropIllegal = append(am.DropIllegal, t.Version)
			case t.Decision != nil:
				am.Resolve = append(am.Resolve, &eventv1.AnswerDecision{Decision: t.Decision.Id, Answer: p.answer(t.Decision)})
			default:
				return dry, false
			}
		}
	}
	return nil, false
}
