package engine

import (
	"context"
	"fmt"
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

// reasonSpent is why a ruling cannot roll: the dice that it would roll with were opened.
const reasonSpent = "BRANCH_SPENT"

// redeciding is one command being decided again on the state so far.
type redeciding struct {
	e       *Engine
	f       *Fight
	sys     rules.System
	p       *plan
	rec     *record
	ruling  *eventv1.Command      // nil but for the amended command
	am      *eventv1.AmendCommand // what of the amendment concerns this command
	amended bool
	last    bool
	met     bool // it takes no dice that it did not meet before
	purpose dicev1.Purpose

	command  *eventv1.Command
	caller   *eventv1.Principal
	ruled    *eventv1.TakeAction
	recorded []*eventv1.Input
	early    []*eventv1.EarlyAnswer
	faces    []int32
}

// decide decides the command and takes what comes of it, or notes the trouble.
func (d *redeciding) decide(ctx context.Context) error {
	if d.amended && d.am.Drop {
		return nil
	}
	if err := d.prepare(); err != nil {
		return err
	}
	d.p.decided++
	for range maxAnswers {
		out, err := d.run(ctx)
		if err != nil {
			return d.illegal(err)
		}
		d.p.drew = d.p.drew || d.purpose == dicev1.Purpose_PURPOSE_REAL && rules.Drew(flatten(out.Inputs))
		fixed, err := d.fix(out)
		if err != nil {
			return err
		}
		if fixed {
			continue
		}
		if len(out.Open) == 0 {
			return d.done(out)
		}
		answers, unanswered, err := d.answers(out)
		switch {
		case err != nil:
			return err
		case len(answers) > 0:
			d.recorded = append(slices.Clone(d.recorded), answers...)
			continue
		case d.last && (d.amended || stillOpen(d.f.replica, out.Open)):
			d.p.pending = true // the fight waits for these
			return d.done(out)
		}
		if d.p.drew { // nothing is refused any more: the fight waits for these, and goes on from here
			d.p.pending, d.p.cut = true, true
			return d.done(out)
		}
		for _, q := range unanswered {
			d.p.troubles = append(d.p.troubles, &encounterv1.Trouble{Version: d.rec.origin, Kind: encounterv1.Trouble_KIND_UNANSWERED,
				Reason: "UNANSWERED_DECISION", Rule: q.Rule, Message: "nobody has answered: " + q.Question, Decision: q})
		}
		return nil
	}
	return fault.Limit("rounds of answers for one command", maxAnswers, maxAnswers+1)
}

// prepare finds the command to decide and the inputs that it begins with.
func (d *redeciding) prepare() error {
	rec, am := d.rec, d.am
	d.command, d.early, d.caller, d.ruled = rec.command, rec.command.Answers, rec.caller, rec.ruled
	d.recorded = slices.DeleteFunc(flatten(rec.inputs), func(in *eventv1.Input) bool {
		a := in.GetAnswer()
		// Standing orders and settings are those of the new history. An answer that the ruling
		// gives by its id comes in place of the one that was given.
		return a != nil && (a.By == "standing-order" || a.By == "setting" || resolves(am, a.Id) >= 0)
	})
	if !d.amended {
		return nil
	}
	switch {
	case am.Change != nil || am.ClearCircumstances:
		changed, err := change(rec.command, am)
		if err != nil {
			return err
		}
		d.command, d.ruled = changed, stated(rec.ruled, am)
	case am.Command != nil:
		if err := amendable(am.Command); err != nil {
			return err
		}
		d.command, d.caller, d.ruled = am.Command, nil, nil
		d.early = append(slices.Clone(am.Command.Answers), d.early...)
	}
	d.early = slices.Concat(d.ruling.Answers, am.Answers, d.early)
	d.faces = slices.Concat(am.Command.GetFaces(), d.ruling.Faces)
	d.recorded = replace(d.recorded, am, len(d.faces) > 0)
	return nil
}

// asItWas tells whether the ruling says nothing of this command, so that nothing that
// it says can be refused.
func (d *redeciding) asItWas() bool {
	return d.command == d.rec.command && len(d.am.GetAnswers())+len(d.am.GetResolve())+len(d.am.GetRolls())+len(d.faces) == 0
}

func (d *redeciding) run(ctx context.Context) (*rules.Outcome, error) {
	r := d.f.replica
	prov := d.e.provider(d.f, d.rec.action, r.State().DicePolicy)
	prov.purpose, prov.numbers, prov.met = d.purpose, d.p.numbers, d.met
	if d.met {
		prov.purpose = dicev1.Purpose_PURPOSE_PREVIEW
	}
	book, err := d.e.Book(ctx, d.f, d.p.state)
	if err != nil {
		return nil, err
	}
	out, err := rules.Run(ctx, d.sys, rules.Request{State: d.p.state, Content: book, Action: d.rec.action, Key: actionKey(r, d.rec.action),
		Recorded: d.recorded, Again: d.asItWas(), Early: d.early, Faces: d.faces, KeepFaces: true, Caller: d.caller, Ruled: d.ruled,
		Mode: d.command.GetRollMode(), Odds: d.purpose == dicev1.Purpose_PURPOSE_PREVIEW}, prov, rules.Resolve(d.sys, d.command))
	if err != nil || d.purpose != dicev1.Purpose_PURPOSE_PREVIEW {
		return out, err
	}
	for _, in := range flatten(out.Inputs) {
		if draw := in.GetDraw(); draw != nil && int(draw.Supplied) < len(draw.Faces) && event.Spent(r.State(), draw.Epoch, draw.Branch, draw.Action) {
			return nil, fault.Refuse(reasonSpent, "", "the ruling rolls %s (%s) with dice of branch %s that were opened: give its faces (amend.rolls), or open new dice first (open_dice)", in.Label, draw.Expression, draw.Branch)
		}
		if !r.Revealed {
			continue
		}
		if draw := in.GetDraw(); draw != nil && draw.Branch == "everyone" && int(draw.Supplied) < len(draw.Faces) {
			return nil, fault.Refuse(reasonSpent, "", "the ruling rolls %s (%s), and the public dice of epoch %d are revealed: open new dice first (open_dice)", in.Label, draw.Expression, draw.Epoch)
		}
	}
	return out, nil
}

// fix puts the amendment's faces in the place of those just drawn: a roll that
// was made with other dice, or not at all, when the command was given.
func (d *redeciding) fix(out *rules.Outcome) (bool, error) {
	if !d.amended {
		return false, nil
	}
	changed := false
	for _, in := range flatten(out.Inputs) {
		at := slices.IndexFunc(d.am.Rolls, func(x *eventv1.FixedRoll) bool { return fixes(x, in) })
		if at < 0 || given(in.GetDraw(), d.am.Rolls[at]) {
			continue
		}
		if byWord(d.am.Rolls[at]) {
			d.recorded = append(slices.Clone(d.recorded), fixedInput(in, d.am.Rolls[at]))
			changed = true
			continue
		}
		if err := rules.FacesFit(in.GetDraw().Expression, d.am.Rolls[at].Faces); err != nil {
			if err := d.refuse(fault.Field(indexed("command.amend.rolls", at)+".faces", "%v", err)); err != nil {
				return false, err
			}
			continue
		}
		d.recorded = append(slices.Clone(d.recorded), fixedInput(in, d.am.Rolls[at]))
		changed = true
	}
	return changed, nil
}

// refuse is a refusal of what the amendment says, or a note on it once a face was
// drawn: a refusal then would tell what the dice had shown (T2).
func (d *redeciding) refuse(err error) error {
	if !d.p.drew {
		return err
	}
	d.p.note("set aside: %v", err)
	return nil
}

// done takes what came of the command, if the amendment is used up by it.
func (d *redeciding) done(out *rules.Outcome) error {
	if d.amended {
		if err := d.usedUp(out); err != nil {
			return err
		}
	}
	if d.purpose == dicev1.Purpose_PURPOSE_PREVIEW {
		d.p.sample(d.rec.origin, out)
	}
	return d.p.take(d.rec, d, out)
}

// sample lists the rolls that the command makes anew.
func (p *plan) sample(version uint64, out *rules.Outcome) {
	for _, in := range flatten(out.Inputs) {
		draw := in.GetDraw()
		if draw == nil || int(draw.Supplied) == len(draw.Faces) {
			continue
		}
		fresh := &encounterv1.FreshRoll{Version: version, Label: in.Label, Index: in.Index, Expression: draw.Expression, Sample: draw.Faces}
		for _, ev := range out.Events {
			if r := ev.GetRoll(); r != nil && r.Label == in.Label && r.Index == in.Index && r.Branch == draw.Branch {
				fresh.Creature, fresh.Reason = r.Creature, r.Reason
			}
		}
		for _, o := range out.Odds {
			if o.Label == in.Label && o.Index == in.Index && o.Branch == draw.Branch {
				fresh.Odds = o.Odds
			}
		}
		p.fresh = append(p.fresh, fresh)
	}
}

// usedUp refuses faces and answers of the amendment that nothing asked for.
func (d *redeciding) usedUp(out *rules.Outcome) error {
	all := append(slices.Clone(d.recorded), flatten(out.Inputs)...)
	for i, x := range d.am.Rolls {
		if !slices.ContainsFunc(out.Events, func(ev *eventv1.Event) bool {
			r := ev.GetRoll()
			return r != nil && r.Label == x.Label && r.Index == x.Index && (x.Branch == "" || x.Branch == r.Branch)
		}) {
			why := ""
			if len(out.Open) > 0 {
				why = fmt.Sprintf(" before it is answered: %s", out.Open[0].Question)
			}
			if err := d.refuse(fault.Field(indexed("command.amend.rolls", i), "the command makes no roll %q with index %d%s", x.Label, x.Index, why)); err != nil {
				return err
			}
		}
	}
	if left := len(d.faces) - out.FacesUsed; left > 0 {
		if err := d.refuse(fault.Field("command.faces", "%d of %d faces were not needed", left, len(d.faces))); err != nil {
			return err
		}
	}
	for i, x := range d.am.Answers {
		if len(out.Open) == 0 && !slices.ContainsFunc(all, func(in *eventv1.Input) bool {
			a := in.GetAnswer()
			return a != nil && a.Name == x.Decision && (x.Creature == "" || x.Creature == a.Creature)
		}) {
			if err := d.refuse(fault.Field(indexed("command.amend.answers", i), "the command meets no decision %q of %q", x.Decision, x.Creature)); err != nil {
				return err
			}
		}
	}
	return nil
}

// resolves finds the amendment's answer to a decision; -1 when there is none.
func resolves(am *eventv1.AmendCommand, id string) int {
	return slices.IndexFunc(am.Resolve, func(a *eventv1.AnswerDecision) bool { return a.Decision == id })
}

// answers answers open decisions as the amendment says: by its answers, by its
// faces for a roll, or by the default where it lets that be taken.
func (d *redeciding) answers(out *rules.Outcome) (given []*eventv1.Input, unanswered []*eventv1.Decision, err error) {
	open := out.Open
	waiting := d.last && !d.amended && stillOpen(d.f.replica, open) // the table's to answer, as before
	for _, q := range open {
		at := resolves(d.am, q.Id)
		x := slices.IndexFunc(d.am.Rolls, func(x *eventv1.FixedRoll) bool { return asks(out.Events, q, x) })
		switch {
		case at >= 0:
			if err := rules.CheckAnswer(q, d.am.Resolve[at].Answer); err != nil {
				if err := d.refuse(fault.Field(indexed("command.amend.resolve", at), "%v", err)); err != nil {
					return nil, nil, err
				}
				unanswered = append(unanswered, q)
				continue
			}
			given = append(given, rules.Answered(q, d.am.Resolve[at].Answer, "gm"))
		case d.amended && q.Kind == eventv1.DecisionKind_DECISION_KIND_DICE && x >= 0:
			if err := rules.FacesFit(q.Expression, d.am.Rolls[x].Faces); err != nil {
				if err := d.refuse(fault.Field(indexed("command.amend.rolls", x)+".faces", "%v", err)); err != nil {
					return nil, nil, err
				}
				unanswered = append(unanswered, q)
				continue
			}
			given = append(given, rules.Answered(q, &eventv1.Answer{Faces: d.am.Rolls[x].Faces}, "gm"))
		case d.p.drew && q.DefaultOption == "" && len(q.Options) > 0 && d.f.replica.State().Status == eventv1.State_STATUS_ENDED:
			given = append(given, rules.Answered(q, &eventv1.Answer{Option: q.Options[0].Id}, "default")) // a fight that is over waits for nobody
		case (d.am.TakeDefaults || d.p.drew) && q.DefaultOption != "" && !waiting:
			given = append(given, rules.Answered(q, &eventv1.Answer{Option: q.DefaultOption}, "default"))
		default:
			if err := d.answeredOtherwise(q); err != nil {
				return nil, nil, err
			}
			unanswered = append(unanswered, q)
		}
	}
	return given, unanswered, nil
}

// answeredOtherwise refuses an answer that the ruling gives to an open decision and that
// the decision does not allow: it is open for that.
func (d *redeciding) answeredOtherwise(q *eventv1.Decision) error {
	if !d.amended {
		return nil
	}
	for _, said := range []struct {
		field   string
		answers []*eventv1.EarlyAnswer
	}{{"command.answers", d.ruling.Answers}, {"command.amend.answers", d.am.Answers}, {"command.amend.command.answers", d.am.Command.GetAnswers()}} {
		for i, x := range said.answers {
			if x.Decision != q.Name || x.Creature != "" && x.Creature != q.Creature {
				continue
			}
			if err := rules.CheckAnswer(q, x.Answer); err != nil {
				return d.refuse(fault.Field(indexed(said.field, i), "%v", err))
			}
		}
	}
	return nil
}

// amendable refuses commands that cannot stand in the place of another.
func amendable(cmd *eventv1.Command) error {
	switch cmd.What.(type) {
	case *eventv1.Command_Create, *eventv1.Command_Answer, *eventv1.Command_Revert, *eventv1.Command_Redo, *eventv1.Command_Amend,
		*eventv1.Command_Contest, *eventv1.Command_TakeBack, *eventv1.Command_AnswerContest, *eventv1.Command_Settle, *eventv1.Command_Save, nil:
		return fault.Field("command.amend.command", "cannot stand in the place of a past command")
	}
	return nil
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
// itself must be legal, unless it stands by an earlier ruling and stays as it is.
func (d *redeciding) illegal(err error) error {
	flt, ok := fault.As(err)
	if !ok || flt.Code == fault.Unavailable || flt.Code == fault.Internal {
		return err
	}
	asItWas := d.rec.forced && (!d.amended || unchanged(d.ruling))
	if d.amended && !asItWas {
		return err
	}
	trouble := &encounterv1.Trouble{Version: d.rec.origin, Kind: encounterv1.Trouble_KIND_ILLEGAL,
		Reason: flt.Reason, Rule: flt.Rule, Message: flt.Error()}
	if slices.Contains(d.am.DropIllegal, d.rec.origin) {
		return nil
	}
	if d.p.drew && !slices.Contains(d.am.ForceIllegal, d.rec.origin) {
		d.p.note("step %d became illegal and is dropped: %s", d.rec.origin, flt.Error())
		return nil
	}
	if (asItWas || slices.Contains(d.am.ForceIllegal, d.rec.origin)) && !d.rec.waits {
		out := &rules.Outcome{State: event.Clone(d.p.state), Events: d.rec.events}
		event.FoldAll(out.State, d.rec.events)
		id, gone := turnOfNobody(out.State)
		if !gone {
			return d.p.force(d.rec, out)
		}
		trouble.Message += "; nor can it stand as it was recorded: it gives a turn to \"" + id + "\", who is dead or not there"
	}
	if d.p.drew {
		d.p.note("step %d became illegal and is dropped: %s", d.rec.origin, trouble.Message)
		return nil
	}
	d.p.troubles = append(d.p.troubles, trouble)
	return nil
}

// unchanged tells whether an amendment changes nothing of the command itself.
func unchanged(ruling *eventv1.Command) bool {
	am := ruling.GetAmend()
	return am.Command == nil && am.Change == nil && !am.ClearCircumstances &&
		len(am.Answers)+len(am.Rolls)+len(ruling.Answers)+len(ruling.Faces) == 0
}

// turnOfNobody finds a creature that has a turn and is dead or not there.
func turnOfNobody(s *eventv1.State) (string, bool) {
	for _, id := range s.Active {
		if c := s.Creatures[id]; c == nil || c.Life == eventv1.LifeStatus_LIFE_STATUS_DEAD {
			return id, true
		}
	}
	return "", false
}

// force lets what came of a command stand as it was recorded.
func (p *plan) force(rec *record, out *rules.Outcome) error {
	if err := p.take(rec, &redeciding{command: rec.command, recorded: flatten(rec.inputs), caller: rec.caller, ruled: rec.ruled}, out); err != nil {
		return err
	}
	p.commands[len(p.commands)-1].Forced = true
	return nil
}

// take adds a command decided again to the new history, with every face and
// answer it had, those inside harm included, so that it can be amended again.
func (p *plan) take(rec *record, d *redeciding, out *rules.Outcome) error {
	data, err := proto.Marshal(d.command)
	if err != nil {
		return err
	}
	red := &eventv1.Redecided{Origin: rec.origin, Command: data, Action: rec.action, Suspended: len(out.Open) > 0, Caller: d.caller, Inserted: rec.put}
	if d.ruled != nil {
		if red.Ruled, err = proto.Marshal(d.ruled); err != nil {
			return err
		}
	}
	for _, in := range append(slices.Clone(d.recorded), flatten(out.Inputs)...) {
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
	p.leaves = p.leaves || d.command.GetRemove() != nil || d.command.GetEnd() != nil
	if id := d.command.GetRemove().GetCreature(); id != "" && p.state.Creatures[id].GetPatient() != "" && out.State.Creatures[id] == nil {
		p.asLeft[rec.origin] = asItWent(p.state, out.Events, id)
	}
	p.commands = append(p.commands, red)
	p.state = out.State
	return nil
}
