package scenario

import (
	"context"
	"fmt"
	"slices"
	"strings"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
	"google.golang.org/protobuf/proto"
)

// outcome is what a step led to.
type outcome struct {
	events  []*eventv1.Event
	options []*eventv1.Option
	err     error
}

func (r *run) step(ctx context.Context, st *Step) {
	if err := r.lookBefore(ctx, st); err != nil {
		r.fail("call", "looking before the step: %v", err)
		return
	}
	out := r.hands(ctx, st, r.act(ctx, st))
	if r.failed() {
		return
	}
	r.result.Trace = append(r.result.Trace, Trace{Step: r.at.Step, Title: st.Title, Events: out.events, Err: out.err})
	r.digest(ctx, st.Title, out)
	if !r.checkError(st, out.err) {
		return
	}
	if out.err == nil && st.Kind != KindState && st.Kind != KindOptions {
		r.checkDice(ctx, st)
	}
	if st.Expect != nil {
		r.check(ctx, st.As, st.Expect, out)
	}
	for _, o := range st.Odds {
		r.checkOdds(ctx, o, out.events)
	}
	r.checkSeen(ctx, st)
}

// lookBefore notes how far the viewers of this step have seen.
func (r *run) lookBefore(ctx context.Context, st *Step) error {
	for _, v := range st.Seen {
		if !r.s.needsEncounter {
			continue
		}
		resp, err := r.state(ctx, v.As)
		if err != nil {
			return err
		}
		r.seen[viewerWord(v.As)] = resp.Number
	}
	return nil
}

func (r *run) checkSeen(ctx context.Context, st *Step) {
	for _, v := range st.Seen {
		r.at.As = viewerWord(v.As)
		events := []*eventv1.Event(nil)
		if r.s.needsEncounter {
			var err error
			if events, err = r.since(ctx, v.As, r.seen[r.at.As]); err != nil {
				r.fail("call", "%v", err)
				continue
			}
		}
		out := outcome{events: events}
		if v.Expect.Options != nil || v.Expect.NoOptions != nil {
			r.fail("options", "options are asked for by a step with options, on behalf of the viewer")
			continue
		}
		r.check(ctx, v.As, v.Expect, out)
	}
	r.at.As = ""
}

// act carries the step out. A refusal by a service is an outcome; what the
// runner cannot even ask is a failure.
func (r *run) act(ctx context.Context, st *Step) outcome {
	switch st.Kind {
	case KindState:
		return outcome{}
	case KindOptions:
		req := clone(st.Options)
		req.As, req.Table, req.Encounter = st.As, r.table, r.encounter
		resp, err := r.clients.Encounter.GetOptions(ctx, req)
		return outcome{options: resp.GetOptions(), err: err}
	case KindFight:
		return r.fight(ctx, st)
	case KindTend:
		cmd := clone(st.Command)
		cmd.Faces, cmd.Answers, cmd.RollMode = st.Dice, st.Answers, st.RollMode
		return r.tend(ctx, st, cmd)
	}
	cmd, err := r.command(ctx, st)
	if err != nil {
		r.fail("call", "%v", err)
		return outcome{}
	}
	if r.tending[cmd.GetAnswer().GetDecision()] != nil {
		return r.tend(ctx, st, cmd)
	}
	resp, err := r.execute(ctx, st.As, cmd)
	return outcome{events: resp.GetStep().GetEvents(), err: err}
}

// fight begins a further fight at the scenario's table; the steps after it are
// of that one. The fight before should have ended, or its patients are still in it.
func (r *run) fight(ctx context.Context, st *Step) outcome {
	create := r.creation()
	proto.Merge(create, st.Fight)
	before := r.encounter
	r.fights++
	r.encounter = fmt.Sprintf("%s-%d", r.first, r.fights+1)
	create.Encounter = r.encounter
	resp, err := r.execute(ctx, st.As, &eventv1.Command{What: &eventv1.Command_Create{Create: create}})
	if err != nil {
		r.encounter = before
		return outcome{err: err}
	}
	clear(r.seen) // their numbers begin anew
	if r.digester != nil {
		r.digester.after = 0
	}
	return outcome{events: resp.GetStep().GetEvents()}
}

// tend sends a deed, or the answer that one waits for, to the injury service.
func (r *run) tend(ctx context.Context, st *Step, cmd *eventv1.Command) outcome {
	resp, err := r.clients.Injury.Tend(ctx, &injuryv1.TendRequest{RequestId: r.request(), As: st.As, Table: r.table,
		System: r.s.System, Settings: r.tendSettings(cmd), Command: cmd})
	for _, e := range resp.GetEvents() {
		if d := e.GetDecisionRequested().GetDecision(); d != nil {
			r.tending[d.Id] = d
		}
		delete(r.tending, e.GetDecisionAnswered().GetId())
	}
	if err == nil && st.As.GetRole() == eventv1.Principal_ROLE_PLAYER {
		r.askedOfOthers(ctx, cmd)
	}
	return outcome{events: resp.GetEvents(), err: err}
}

// askedOfOthers remembers what a player's deed asks of the game master.
func (r *run) askedOfOthers(ctx context.Context, cmd *eventv1.Command) {
	for _, id := range cmd.GetPatient().GetPatients() {
		resp, err := r.clients.Injury.GetPatient(ctx, &injuryv1.GetPatientRequest{As: viewer("gm"), Table: r.table, Patient: id})
		if err != nil {
			r.fail("call", "%v", err)
			return
		}
		for _, d := range resp.Patient.GetDecisions() {
			r.tending[d.Id] = d
		}
	}
}

// tendSettings gives the settings with the deed that takes them.
func (r *run) tendSettings(cmd *eventv1.Command) map[string]string {
	if cmd.GetPatient().GetDeed() == "enrol" {
		return r.s.Settings
	}
	return nil
}

func (r *run) command(ctx context.Context, st *Step) (*eventv1.Command, error) {
	var cmd *eventv1.Command
	switch st.Kind {
	case KindAdd:
		add, err := r.joining(ctx, st.Creature)
		if err != nil {
			return nil, err
		}
		cmd = &eventv1.Command{What: &eventv1.Command_Add{Add: add}, Faces: st.Creature.Dice, Answers: st.Creature.Answers}
	case KindAnswer:
		id, err := r.findDecision(ctx, st)
		if err != nil {
			return nil, err
		}
		answer := &eventv1.AnswerDecision{Decision: id, Answer: st.Answer.Answer, Alike: st.Answer.Alike}
		cmd = &eventv1.Command{What: &eventv1.Command_Answer{Answer: answer}}
	default:
		cmd = clone(st.Command)
		r.aim(cmd, st.ToStep)
	}
	cmd.Faces = append(cmd.Faces, st.Dice...)
	cmd.Answers = append(cmd.Answers, st.Answers...)
	cmd.RollMode = st.RollMode
	return cmd, nil
}

// aim puts the server's number of a step into a ruling about it.
func (r *run) aim(cmd *eventv1.Command, step int) {
	if step == 0 {
		return
	}
	switch w := cmd.What.(type) {
	case *eventv1.Command_Revert:
		w.Revert.To = &eventv1.RevertEncounter_Version{Version: r.numbers[step-1]}
	case *eventv1.Command_Amend:
		w.Amend.Version = r.numbers[step-1]
	}
}

// findDecision finds the open decision that an answer names, among those the
// answering principal knows; a name that fits none is sent as an id, so that a
// step may expect the refusal.
func (r *run) findDecision(ctx context.Context, st *Step) (string, error) {
	open, err := r.open(ctx, st.As)
	if err != nil {
		return "", err
	}
	var fits []*eventv1.Decision
	for _, d := range open {
		if st.Answer.Decision == d.Id {
			return d.Id, nil
		}
		if d.Name == st.Answer.Decision && (st.Answer.Creature == "" || st.Answer.Creature == d.Creature) &&
			(st.Answer.Label == "" || scalarMatches(".label", st.Answer.Label, word{text: d.Label})) {
			fits = append(fits, d)
		}
	}
	switch {
	case len(fits) == 1:
		return fits[0].Id, nil
	case len(fits) > 1 && st.Answer.Alike:
		return fits[0].Id, nil
	case len(fits) > 1:
		return "", fmt.Errorf("several open decisions fit %q: %s; say which by creature or label", st.Answer.Decision, decisionWords(fits))
	case st.Expect != nil && st.Expect.Error != nil:
		return st.Answer.Decision, nil
	}
	return "", fmt.Errorf("no open decision %q; open are: %s", strings.TrimSpace(st.Answer.Decision+" "+st.Answer.Creature), decisionWords(open))
}

// open lists the decisions that a viewer knows of: those of the fight, and,
// for the game master, those of deeds between fights.
func (r *run) open(ctx context.Context, as *eventv1.Principal) ([]*eventv1.Decision, error) {
	var out []*eventv1.Decision
	if r.s.needsEncounter {
		resp, err := r.state(ctx, as)
		if err != nil {
			return nil, err
		}
		out = openDecisions(resp.State)
	}
	if as.GetRole() == eventv1.Principal_ROLE_GM {
		for _, id := range sortedKeys(r.tending) {
			out = append(out, r.tending[id])
		}
	}
	return out, nil
}

// openDecisions lists the open decisions of a state in a stable order.
func openDecisions(s *eventv1.State) []*eventv1.Decision {
	var out []*eventv1.Decision
	for _, id := range sortedKeys(s.GetDecisions()) {
		out = append(out, s.Decisions[id])
	}
	slices.SortStableFunc(out, func(a, b *eventv1.Decision) int {
		if c := strings.Compare(a.Name, b.Name); c != 0 {
			return c
		}
		return strings.Compare(a.Creature, b.Creature)
	})
	return out
}

func decisionWords(ds []*eventv1.Decision) string {
	if len(ds) == 0 {
		return "none"
	}
	var out []string
	for _, d := range ds {
		words := nonEmpty(d.Name, d.Creature)
		if d.Expression != "" {
			words = append(words, "("+strings.Join(nonEmpty(d.Expression, d.Label), " for ")+")")
		} else {
			var ids []string
			for _, o := range d.Options {
				ids = append(ids, o.Id)
			}
			words = append(words, "("+strings.Join(ids, " / ")+")")
		}
		out = append(out, strings.Join(words, " "))
	}
	return strings.Join(out, "; ")
}

// checkDice fails when a roll waits for faces that the file did not give (I3).
func (r *run) checkDice(ctx context.Context, st *Step) {
	open, err := r.open(ctx, viewer("gm"))
	if err != nil {
		r.fail("call", "%v", err)
		return
	}
	for _, d := range open {
		if d.Kind != eventv1.DecisionKind_DECISION_KIND_DICE || r.accepted[d.Id] {
			continue
		}
		if st.expects(d) {
			r.accepted[d.Id] = true
			continue
		}
		r.fail("dice", "more dice are needed: %s for %s (%s)", d.Expression, d.Label, d.Cause)
	}
}

// checkError compares the refusal with the expected one; false when the rest
// of the step is not worth looking at.
func (r *run) checkError(st *Step, err error) bool {
	var want *ErrorExpected
	if st.Expect != nil {
		want = st.Expect.Error
	}
	switch {
	case err == nil && want == nil:
		return true
	case err == nil:
		r.fail("error", "want the error %s, the step was carried out", want)
		return false
	case want == nil:
		r.fail("call", "%s", errorWords(err))
		return false
	}
	if ds := want.differences(err); len(ds) > 0 {
		r.fail("error", "another error than expected: %s", errorWords(err))
		for _, d := range ds {
			r.detail("%s", d)
		}
		return false
	}
	return true
}

func (r *run) detail(format string, args ...any) {
	f := &r.result.Failures[len(r.result.Failures)-1]
	f.Details = append(f.Details, fmt.Sprintf(format, args...))
}
