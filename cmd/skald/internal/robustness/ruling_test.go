package robustness

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/rules"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// refused takes an option that is listed as illegal: it must be refused for the
// reason that is listed, and nothing must happen.
func (p *play) refused(o *eventv1.Option) {
	p.t.Helper()
	if o.Reason == "" {
		p.t.Errorf("an illegal option gives no reason: %v", o)
	}
	f := p.mustRefuse(p.command(o))
	if f != nil && f.Code == fault.Illegal && o.Rule != "" && f.Rule != o.Rule {
		p.t.Errorf("listed as illegal by %s (%s), refused by %s: %v", o.Rule, o.Reason, f.Rule, f)
	}
}

// unlisted tries what no option lists: somebody's action that is not offered
// to a creature, and a target that a legal option does not name.
func (p *play) unlisted(s *eventv1.State, options []*eventv1.Option) {
	p.t.Helper()
	ids := rules.SortedKeys(s.Creatures)
	creature := ids[p.rng.IntN(len(ids))]
	actions := rules.SortedKeys(p.actions)
	action := actions[p.rng.IntN(len(actions))]
	if action != "end-turn" && !slices.ContainsFunc(options, func(o *eventv1.Option) bool { return o.Creature == creature && o.Action == action }) {
		p.mustRefuse(&eventv1.Command{What: &eventv1.Command_Take{Take: &eventv1.TakeAction{Creature: creature, Action: action,
			Targets: []string{ids[p.rng.IntN(len(ids))]}}}})
	}
	o := options[p.rng.IntN(len(options))]
	other := ids[p.rng.IntN(len(ids))]
	if !o.Legal || walks(o) || len(o.Targets) == 0 || o.MaximumTargets != 1 || o.MinimumTargets != 1 ||
		slices.ContainsFunc(options, func(x *eventv1.Option) bool {
			return x.Legal && x.Creature == o.Creature && x.Action == o.Action && slices.Contains(x.Targets, other)
		}) {
		return
	}
	cmd := p.command(o)
	cmd.GetTake().Targets = []string{other}
	p.mustRefuse(cmd)
}

// mustRefuse takes what may not be done, and gives the refusal.
func (p *play) mustRefuse(cmd *eventv1.Command) *fault.Fault {
	p.t.Helper()
	before := p.state()
	_, err := p.try(cmd)
	if err == nil {
		p.t.Errorf("what may not be done was done: %v", cmd)
		return nil
	}
	f := rpc.FromStatus(err)
	if f.Reason == "" || f.Code == fault.Internal {
		p.t.Errorf("no refusal: %v", err)
	}
	if after := p.state(); after.Number != before.Number {
		p.t.Errorf("a refused command changed the encounter: %v", cmd)
	}
	return f
}

// revertAndRedo goes back a random number of times and forward again.
func (p *play) revertAndRedo(before *encounterv1.GetStateResponse) {
	p.t.Helper()
	times := 1 + p.rng.IntN(3)
	for range times {
		if _, err := p.try(&eventv1.Command{What: &eventv1.Command_Revert{Revert: &eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Last{Last: true}}}}); err != nil {
			p.t.Errorf("revert: %v", err)
			return
		}
	}
	for range times {
		p.must(&eventv1.Command{What: &eventv1.Command_Redo{Redo: &eventv1.RedoEncounter{}}})
	}
	p.same("revert and redo are not identity", p.state().State, before.State)
}

// amendNothing amends a random past command without changing it.
func (p *play) amendNothing(before *encounterv1.GetStateResponse) {
	p.t.Helper()
	version := 2 + uint64(p.rng.IntN(int(before.Number)-1))
	_, err := p.try(&eventv1.Command{What: &eventv1.Command_Amend{Amend: &eventv1.AmendCommand{Version: version}}})
	if f := rpc.FromStatus(err); err != nil && (len(f.Violations) == 0 || f.Violations[0].Field != "command.amend.version") {
		p.t.Errorf("amending version %d without a change: %v", version, err)
		return
	}
	p.same("amending without a change is not identity", p.state().State, before.State)
}

// amendSomething changes a past command: it is dropped, or one of its rolls
// shows other faces. What the dry run promised must come, and taking the
// amendment back must give what was.
func (p *play) amendSomething(before *encounterv1.GetStateResponse) {
	p.t.Helper()
	am := p.change(before)
	if am == nil {
		return
	}
	cmd := &eventv1.Command{What: &eventv1.Command_Amend{Amend: am}}
	dry, clear := p.dryRun(cmd)
	if dry == nil {
		return
	}
	if !clear {
		if f := p.mustRefuse(cmd); f != nil && f.Reason != "AMENDMENT_IN_TROUBLE" {
			p.t.Errorf("an amendment in trouble is refused for %s", f.Reason)
		}
		return
	}
	p.must(cmd)
	after := p.state()
	p.same("the amendment is not what its dry run promised", after.State, dry.State)
	p.invariants(after.State)
	if p.rng.IntN(2) == 0 {
		p.must(&eventv1.Command{What: &eventv1.Command_Revert{Revert: &eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Version{Version: before.Number}}}})
		p.same("taking an amendment back is not identity", p.state().State, before.State)
	}
}

// change makes a random amendment; nil when the version picked has nothing to
// change.
func (p *play) change(before *encounterv1.GetStateResponse) *eventv1.AmendCommand {
	p.t.Helper()
	am := &eventv1.AmendCommand{Version: 2 + uint64(p.rng.IntN(int(before.Number)-1)), TakeDefaults: true}
	if p.rng.IntN(3) == 0 {
		am.Drop = true
		return am
	}
	h, err := p.client.GetHistory(p.t.Context(), &encounterv1.GetHistoryRequest{As: gm, Encounter: p.id, After: am.Version - 1, Limit: 1})
	if err != nil {
		p.t.Fatal(err)
	}
	for _, e := range h.Steps[0].Events {
		r := e.GetRoll()
		if r == nil || len(r.Dice) != len(r.Faces) || p.rng.IntN(2) == 0 {
			continue
		}
		fixed := &eventv1.FixedRoll{Label: r.Label, Index: r.Index, Branch: r.Branch}
		for _, d := range r.Dice {
			fixed.Faces = append(fixed.Faces, 1+p.rng.Int32N(d.Sides))
		}
		am.Rolls = []*eventv1.FixedRoll{fixed}
		return am
	}
	return nil
}

// dryRun previews an amendment and drops, one after the other, the later
// commands that became illegal; clear is false when something else is in the
// way. It gives nil when the amended command itself cannot be what it is to be.
func (p *play) dryRun(cmd *eventv1.Command) (dry *encounterv1.PreviewRulingResponse, clear bool) {
	p.t.Helper()
	am := cmd.GetAmend()
	for range 200 {
		dry, err := p.client.PreviewRuling(p.t.Context(), &encounterv1.PreviewRulingRequest{As: gm, Encounter: p.id, Command: cmd})
		if err != nil {
			if f := rpc.FromStatus(err); f.Code != fault.Invalid && f.Code != fault.Illegal {
				p.t.Errorf("dry run of %v: %v", am, err)
			}
			return nil, false
		}
		if len(dry.Troubles) == 0 {
			return dry, true
		}
		for _, t := range dry.Troubles {
			switch {
			case t.Kind == encounterv1.Trouble_KIND_ILLEGAL:
				am.DropIllegal = append(am.DropIllegal, t.Version)
			case t.Decision != nil && len(t.Decision.Options)+int(t.Decision.Maximum) > 0:
				am.Resolve = append(am.Resolve, &eventv1.AnswerDecision{Decision: t.Decision.Id, Answer: p.answer(t.Decision)})
			default:
				return dry, false
			}
		}
	}
	return nil, false
}
