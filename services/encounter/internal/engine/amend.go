package engine

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// maxAnswers bounds the rounds of answers for one command decided again.
const maxAnswers = 100

// record is a command that counts, as it was decided.
type record struct {
	origin  uint64
	command *eventv1.Command
	action  uint64
	inputs  []*eventv1.Input
	stored  *eventv1.Redecided // as an earlier amendment holds it, if one does
	events  []*eventv1.Event   // that came of it
	waits   bool               // for decisions
}

// plan is an amendment worked out.
type plan struct {
	base     uint64
	state    *eventv1.State
	commands []*eventv1.Redecided
	decided  int // commands decided again
	troubles []*encounterv1.Trouble
	pending  bool // the last command waits for decisions
	numbers  *numbering
}

// amendment works out what changing a past command comes to. Faces come from
// the record; at addresses that were never met, from the tape.
func (e *Engine) amendment(ctx context.Context, f *Fight, sys rules.System, ruling *eventv1.Command, purpose dicev1.Purpose) (*plan, error) {
	r, am := f.replica, ruling.GetAmend()
	k := slices.IndexFunc(r.Chain, func(l replica.Link) bool { return l.Origin == am.Version })
	if k < 0 {
		return nil, fault.Field("command.amend.version", "step %d is no command that can be changed: there is none, it was taken back, or it is a ruling", am.Version)
	}
	if k == 0 {
		return nil, fault.Field("command.amend.version", "the encounter's creation cannot be amended")
	}
	first, base, err := e.begin(ctx, f, k)
	if err != nil {
		return nil, err
	}
	p := &plan{base: base.Version, state: event.Clone(base.State()), numbers: newNumbering(&r.Draws)}
	now := r.State()
	p.state.Epoch, p.state.Commitments, p.state.Entropy = now.Epoch, maps.Clone(now.Commitments), now.Entropy
	for i := first; i < len(r.Chain); i++ {
		rec, err := e.recordOf(ctx, f, r.Chain[i])
		if err != nil {
			return nil, err
		}
		if i < k { // the unchanged part of an earlier amendment
			if err := p.keep(rec); err != nil {
				return nil, err
			}
			continue
		}
		if err := e.redecide(ctx, f, sys, p, rec, ruling, i == k, i == len(r.Chain)-1, purpose); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// begin finds where the new history begins: the state before the command, or
// before the amendment that holds it.
func (e *Engine) begin(ctx context.Context, f *Fight, k int) (first int, base *replica.Replica, err error) {
	link := f.replica.Chain[k]
	first = k
	version := link.Origin - 1
	if link.At != link.Origin {
		for first > 0 && f.replica.Chain[first-1].At == link.At {
			first--
		}
		am, err := e.amendedAt(ctx, f, link.At)
		if err != nil {
			return 0, nil, err
		}
		version = am.Base
	}
	base, err = e.cfg.Loader.LoadAt(ctx, f.table, f.id, version)
	return first, base, err
}

// amendedAt reads the amendment that a version holds.
func (e *Engine) amendedAt(ctx context.Context, f *Fight, version uint64) (*eventv1.Amended, error) {
	entry, err := e.entry(ctx, f, version)
	if err != nil {
		return nil, err
	}
	for _, ev := range entry.Commit.Events {
		if am := ev.GetAmended(); am != nil {
			return am, nil
		}
	}
	return nil, fault.New(fault.Internal, "NO_AMENDMENT", "version %d holds no amendment", version)
}

func (e *Engine) entry(ctx context.Context, f *Fight, version uint64) (*Entry, error) {
	if got, ok := f.Recent(version, 1); ok && len(got) == 1 {
		return got[0], nil
	}
	got, err := e.cfg.Loader.Entries(ctx, f.table, f.id, version, version)
	if err != nil {
		return nil, err
	}
	return got[0], nil
}

// recordOf reads a command that counts, with every input that it took.
func (e *Engine) recordOf(ctx context.Context, f *Fight, l replica.Link) (*record, error) {
	rec := &record{origin: l.Origin, command: &eventv1.Command{}}
	var command []byte
	take := func(c *event.Opened) {
		rec.inputs, rec.waits = append(rec.inputs, c.Inputs.Inputs...), c.Inputs.Suspended
		rec.events = append(rec.events, c.Events...)
	}
	if l.At == l.Origin {
		entry, err := e.entry(ctx, f, l.Origin)
		if err != nil {
			return nil, err
		}
		command, rec.action = entry.Commit.Cause.Command, entry.Commit.Cause.Action
		take(entry.Commit)
	} else {
		am, err := e.amendedAt(ctx, f, l.At)
		if err != nil {
			return nil, err
		}
		rec.stored = am.Commands[l.Index]
		c, err := replica.OpenRedecided(rec.stored, l.At)
		if err != nil {
			return nil, err
		}
		command, rec.action = c.Cause.Command, c.Cause.Action
		take(c)
	}
	if err := proto.Unmarshal(command, rec.command); err != nil {
		return nil, err
	}
	for _, v := range l.Answers {
		entry, err := e.entry(ctx, f, v)
		if err != nil {
			return nil, err
		}
		take(entry.Commit)
		rec.stored = nil // it goes beyond what the amendment holds
	}
	return rec, nil
}

// keep takes a command of an earlier amendment over as it is.
func (p *plan) keep(rec *record) error {
	if rec.stored == nil {
		return fault.New(fault.Internal, "NO_AMENDMENT", "the command of version %d is not in its amendment", rec.origin)
	}
	for _, data := range rec.stored.Events {
		ev := &eventv1.Event{}
		if err := proto.Unmarshal(data, ev); err != nil {
			return err
		}
		event.Fold(p.state, ev)
	}
	p.commands = append(p.commands, rec.stored)
	return nil
}

// flatten lists faces, answers and commitments that an action took, those taken
// inside harm included. Outcomes of harm are left out: harm is decided again.
func flatten(inputs []*eventv1.Input) []*eventv1.Input {
	var out []*eventv1.Input
	for _, in := range inputs {
		if h := in.GetHarm(); h != nil {
			out = append(out, flatten(h.Inputs)...)
			continue
		}
		out = append(out, in)
	}
	return out
}

// redecide decides one command again on the state so far.
func (e *Engine) redecide(ctx context.Context, f *Fight, sys rules.System, p *plan, rec *record, ruling *eventv1.Command, amended, last bool, purpose dicev1.Purpose) error {
	am := ruling.GetAmend()
	recorded := flatten(rec.inputs)
	cmd, early, faces := rec.command, rec.command.Answers, []int32(nil)
	if amended {
		if am.Drop {
			return nil
		}
		if am.Change != nil || am.ClearCircumstances {
			changed, err := change(rec.command, am)
			if err != nil {
				return err
			}
			cmd = changed
		}
		if am.Command != nil {
			if err := amendable(am.Command); err != nil {
				return err
			}
			cmd = am.Command
			early = append(slices.Clone(am.Command.Answers), early...)
		}
		early = slices.Concat(ruling.Answers, am.Answers, early)
		faces = slices.Concat(am.Command.GetFaces(), ruling.Faces)
		if err := fixable(recorded, am); err != nil {
			return err
		}
		recorded = replace(recorded, am, len(faces) > 0)
	}
	p.decided++
	for range maxAnswers {
		prov := e.provider(f, rec.action, f.replica.State().DicePolicy)
		prov.purpose, prov.numbers = purpose, p.numbers
		out, err := rules.Run(ctx, sys, rules.Request{State: p.state, Action: rec.action, Key: actionKey(f.replica, rec.action), Recorded: recorded, Early: early, Faces: faces}, prov, rules.Resolve(sys, cmd))
		if err != nil {
			return p.illegal(rec, am, amended, err)
		}
		if len(out.Open) == 0 || last && stillOpen(f.replica, out.Open) {
			p.pending = len(out.Open) > 0
			return p.take(rec, cmd, recorded, out)
		}
		answers, unanswered, err := resolve(am, out.Open)
		if err != nil {
			return err
		}
		if len(answers) == 0 {
			if last && amended {
				p.pending = true
				return p.take(rec, cmd, recorded, out) // the amended command itself may ask
			}
			for _, d := range unanswered {
				p.troubles = append(p.troubles, &encounterv1.Trouble{Version: rec.origin, Kind: encounterv1.Trouble_KIND_UNANSWERED,
					Reason: "UNANSWERED_DECISION", Rule: d.Rule, Message: "nobody has answered: " + d.Question, Decision: d})
			}
			return nil
		}
		recorded = append(slices.Clone(recorded), answers...)
	}
	return fault.Limit("rounds of answers for one command", maxAnswers, maxAnswers+1)
}

// resolve answers open decisions as the amendment says: by its answers, or by
// the default where it lets that be taken.
func resolve(am *eventv1.AmendCommand, open []*eventv1.Decision) (answers []*eventv1.Input, unanswered []*eventv1.Decision, err error) {
	for _, d := range open {
		at := slices.IndexFunc(am.Resolve, func(a *eventv1.AnswerDecision) bool { return a.Decision == d.Id })
		switch {
		case at >= 0:
			if err := rules.CheckAnswer(d, am.Resolve[at].Answer); err != nil {
				return nil, nil, err
			}
			answers = append(answers, rules.Answered(d, am.Resolve[at].Answer, "gm"))
		case am.TakeDefaults && d.DefaultOption != "":
			answers = append(answers, rules.Answered(d, &eventv1.Answer{Option: d.DefaultOption}, "default"))
		default:
			unanswered = append(unanswered, d)
		}
	}
	return answers, unanswered, nil
}

// amendable refuses commands that cannot stand in the place of another.
func amendable(cmd *eventv1.Command) error {
	switch cmd.What.(type) {
	case *eventv1.Command_Create, *eventv1.Command_Answer, *eventv1.Command_Revert, *eventv1.Command_Redo, *eventv1.Command_Amend, nil:
		return fault.Field("command.amend.command", "cannot stand in the place of a past command")
	}
	return nil
}

// fixable refuses faces for a roll that the past command did not make.
func fixable(recorded []*eventv1.Input, am *eventv1.AmendCommand) error {
	for i, fixed := range am.Rolls {
		if !slices.ContainsFunc(recorded, func(in *eventv1.Input) bool { return fixes(fixed, in) }) {
			return fault.Field(fmt.Sprintf("command.amend.rolls[%d]", i), "the past command has no roll %q with index %d", fixed.Label, fixed.Index)
		}
	}
	return nil
}

// fixes tells whether faces are meant for a recorded roll.
func fixes(x *eventv1.FixedRoll, in *eventv1.Input) bool {
	d := in.GetDraw()
	return d != nil && x.Label == in.Label && x.Index == in.Index && (x.Branch == "" || x.Branch == d.Branch)
}

// replace puts the amendment's answers and faces in the place of those recorded;
// supplied tells that faces rolled by people come with it.
func replace(recorded []*eventv1.Input, am *eventv1.AmendCommand, supplied bool) []*eventv1.Input {
	var out []*eventv1.Input
	for _, in := range recorded {
		if a := in.GetAnswer(); a != nil && slices.ContainsFunc(am.Answers, func(e *eventv1.EarlyAnswer) bool {
			return e.Decision == a.Name && (e.Creature == "" || e.Creature == a.Creature)
		}) {
			continue
		}
		if d := in.GetDraw(); d != nil {
			if supplied && d.Supplied > 0 {
				continue // new faces come with the command
			}
			if at := slices.IndexFunc(am.Rolls, func(x *eventv1.FixedRoll) bool { return fixes(x, in) }); at >= 0 {
				d = proto.Clone(d).(*eventv1.Draw)
				d.Faces, d.Supplied = am.Rolls[at].Faces, uint32(len(am.Rolls[at].Faces))
				in = &eventv1.Input{Label: in.Label, Index: in.Index, What: &eventv1.Input_Draw{Draw: d}}
			}
		}
		out = append(out, in)
	}
	return out
}

// stillOpen tells whether the decisions are those that the encounter waits for
// anyway.
func stillOpen(r *replica.Replica, open []*eventv1.Decision) bool {
	if r.Pending == nil {
		return false
	}
	for _, d := range open {
		if _, asked := r.Pending.Asked[d.Id]; !asked {
			return false
		}
	}
	return true
}

// illegal notes that a command cannot be decided again. The amended command
// itself must be legal.
func (p *plan) illegal(rec *record, am *eventv1.AmendCommand, amended bool, err error) error {
	flt, ok := fault.As(err)
	if !ok || amended || flt.Code == fault.Unavailable || flt.Code == fault.Internal {
		return err
	}
	if slices.Contains(am.DropIllegal, rec.origin) {
		return nil
	}
	if slices.Contains(am.ForceIllegal, rec.origin) && !rec.waits {
		return p.force(rec)
	}
	p.troubles = append(p.troubles, &encounterv1.Trouble{Version: rec.origin, Kind: encounterv1.Trouble_KIND_ILLEGAL,
		Reason: flt.Reason, Rule: flt.Rule, Message: flt.Error()})
	return nil
}

// force lets what came of a command stand as it was recorded.
func (p *plan) force(rec *record) error {
	out := &rules.Outcome{State: event.Clone(p.state), Events: rec.events}
	event.FoldAll(out.State, rec.events)
	return p.take(rec, rec.command, flatten(rec.inputs), out)
}

// take adds a command decided again to the new history, with every face and
// answer it had, those inside harm included, so that it can be amended again.
func (p *plan) take(rec *record, cmd *eventv1.Command, recorded []*eventv1.Input, out *rules.Outcome) error {
	data, err := proto.Marshal(cmd)
	if err != nil {
		return err
	}
	red := &eventv1.Redecided{Origin: rec.origin, Command: data, Action: rec.action, Suspended: len(out.Open) > 0}
	for _, in := range append(slices.Clone(recorded), flatten(out.Inputs)...) {
		b, err := proto.Marshal(in)
		if err != nil {
			return err
		}
		red.Inputs = append(red.Inputs, b)
	}
	for _, ev := range out.Events {
		b, err := proto.Marshal(ev)
		if err != nil {
			return err
		}
		red.Events = append(red.Events, b)
	}
	p.commands = append(p.commands, red)
	p.state = out.State
	return nil
}

// amend makes the Commit of an amendment.
func (e *Engine) amend(ctx context.Context, f *Fight, sys rules.System, req Request) (*draft, error) {
	am := req.Command.GetAmend()
	if len(am.Reason) > 1000 {
		return nil, fault.Field("command.amend.reason", "at most 1000 bytes")
	}
	p, err := e.amendment(ctx, f, sys, req.Command, dicev1.Purpose_PURPOSE_REAL)
	if err != nil {
		return nil, err
	}
	if len(p.troubles) > 0 {
		t := p.troubles[0]
		return nil, fault.Refuse("AMENDMENT_IN_TROUBLE", t.Rule, "%d later commands stand in the way, first version %d (%s): preview the ruling and drop or answer them", len(p.troubles), t.Version, t.Message)
	}
	if err := amendablePatients(f.replica.State(), p.state); err != nil {
		return nil, err
	}
	ev := event.New(event.GM(), &eventv1.Amended{Version: am.Version, Reason: am.Reason, Base: p.base, Commands: p.commands})
	return newDraft(req.Command, 0, nil, []*eventv1.Event{ev}, p.pending, nil)
}

// amendablePatients refuses to change how patients left a fight that is over.
func amendablePatients(now, then *eventv1.State) error {
	if now.Status == eventv1.State_STATUS_ENDED {
		// order-free: any one is reason enough
		for _, c := range now.Creatures {
			if c.Patient != "" {
				return fault.Refuse("PATIENT_HAS_LEFT", "", "the fight is over and its patients have left with what happened")
			}
		}
	}
	return patientsStay(now, then)
}

// Preview says what a ruling would change. Nothing is stored but that the game
// master's dry run was made.
func (e *Engine) Preview(ctx context.Context, f *Fight, as *eventv1.Principal, cmd *eventv1.Command) (*encounterv1.PreviewRulingResponse, error) {
	if as.GetRole() != eventv1.Principal_ROLE_GM {
		return nil, fault.New(fault.Denied, "NOT_ALLOWED", "only the game master may do that")
	}
	if !ruling(cmd) {
		return nil, fault.Field("command", "must be revert, redo or amend")
	}
	f.execute.Lock()
	defer f.execute.Unlock()
	now := f.replica.State()
	if err := checkRuling(now.DicePolicy, cmd); err != nil {
		return nil, err
	}
	sys, err := e.cfg.Systems.System(now.System)
	if err != nil {
		return nil, err
	}
	out := &encounterv1.PreviewRulingResponse{}
	if cmd.GetAmend() != nil {
		p, err := e.amendment(ctx, f, sys, cmd, dicev1.Purpose_PURPOSE_DRY_RUN)
		if err != nil {
			return nil, err
		}
		if len(p.troubles) == 0 {
			if err := amendablePatients(now, p.state); err != nil {
				return nil, err
			}
		}
		out.State, out.Troubles, out.Redecided = p.state, p.troubles, uint32(p.decided)
	} else {
		version, err := rulingTarget(f.replica, cmd)
		if err != nil {
			return nil, err
		}
		then, err := e.cfg.Loader.LoadAt(ctx, f.table, f.id, version)
		if err != nil {
			return nil, err
		}
		if err := patientsStay(now, then.State()); err != nil {
			return nil, err
		}
		out.State = event.Clone(then.State())
	}
	changes, err := event.Difference(now, out.State)
	if err != nil {
		return nil, err
	}
	for _, c := range changes {
		out.Changes = append(out.Changes, &encounterv1.Change{Path: c.Path, Before: c.Before, After: c.After})
	}
	return out, nil
}

func rulingTarget(r *replica.Replica, cmd *eventv1.Command) (uint64, error) {
	if c := cmd.GetRevert(); c != nil {
		return revertTarget(r, c)
	}
	if n := len(r.Redo); n > 0 {
		return r.Redo[n-1], nil
	}
	return 0, errNothingToRedo
}

var errNothingToRedo = fault.Refuse("NOTHING_TO_REDO", "", "nothing was taken back, or something was done since")
