package ward

import (
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/rules"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"

	"github.com/skaldrpg/skald/services/injury/internal/record"
)

// maxAnswers bounds the rounds of answers for one deed decided again.
const maxAnswers = 100

// deciding is a deed that is decided again.
type deciding struct {
	o       *onward
	primary *done
	// parts is what the deed was in each record that it touched, the patient's whose it
	// is among them.
	parts map[string]*done
	says  *eventv1.Onward // of the game master, about the record whose deed it is
	out   *injuryv1.DeedAgain
}

// deed takes a deed into the histories of all whom it touches: as it was where all come
// to it as they did, else decided again.
func (o *onward) deed(d *done) error {
	if o.decided[d.key] {
		return fault.New(fault.Internal, "RULING", "a deed on patient %q came twice", d.patient)
	}
	g, blocked, err := o.gather(d)
	if err != nil || blocked {
		return err
	}
	o.decided[d.key] = true
	delete(o.beside, d.key)
	if g.asItWas() || ofService(d.command.GetDeed()) {
		return g.stand()
	}
	defer func() { o.out.Deeds = append(o.out.Deeds, g.out) }()
	return g.decide()
}

// gather finds whom a deed touches. It is blocked while one of them waits for a fight
// to be decided again, and so are the others then.
func (o *onward) gather(d *done) (g *deciding, blocked bool, err error) {
	g = &deciding{o: o, parts: map[string]*done{}, says: &eventv1.Onward{}}
	for _, id := range concerned(d.command) {
		p, err := o.pastOf(id)
		if err != nil {
			return nil, false, err
		}
		if c := o.courses[id]; c != nil && c.blocked {
			blocked = true
		}
		if other := p.deeds[d.key]; other != nil {
			g.parts[id] = other
		}
	}
	if blocked {
		for id := range g.parts { // order-free: each is marked by itself
			if c := o.courses[id]; c != nil {
				c.blocked = true
			}
		}
		return nil, true, nil
	}
	if g.primary = g.parts[d.command.Patients[0]]; g.primary == nil {
		return nil, false, fault.New(fault.Internal, "RULING", "the deed of patient %q is not in its record", d.command.Patients[0])
	}
	for _, w := range o.req.Onward {
		if w.Patient == g.primary.patient {
			g.says = w
		}
	}
	g.out = &injuryv1.DeedAgain{Patient: g.primary.patient, Version: g.primary.origin, Deed: g.primary.command.Deed, Sequence: g.primary.seq}
	return g, false, nil
}

// ofService tells whether a deed is the service's own: no rule decides it, and it is
// what it was on whatever it comes to.
func ofService(deed string) bool { return deed == deedReveal || deed == deedAbandon }

// asItWas tells whether all come to the deed as they did.
func (g *deciding) asItWas() bool {
	for _, id := range rules.SortedKeys(g.o.courses) {
		c := g.o.courses[id]
		if slices.Contains(concerned(g.primary.command), id) && (!proto.Equal(c.was, c.now) || !proto.Equal(c.known, c.open)) {
			return false
		}
	}
	return true
}

// stand takes the deed over as it was.
func (g *deciding) stand() error {
	for _, id := range rules.SortedKeys(g.parts) {
		if c := g.o.courses[id]; c != nil {
			if err := c.take(g.parts[id], g.parts[id].events, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// decide decides the deed again, or does with it what the game master says.
func (g *deciding) decide() error {
	d, err := g.deed()
	if err != nil {
		return g.illegal(err)
	}
	for range maxAnswers {
		out, err := g.o.s.run(g.o.ctx, d)
		if err != nil {
			return g.illegal(err)
		}
		if rules.Drew(rules.Flatten(out.Inputs)) && d.purpose != dicev1.Purpose_PURPOSE_PREVIEW {
			g.o.out.Drew = true
		}
		if len(out.Open) == 0 {
			return g.done(d, out)
		}
		answers, unanswered, err := g.answers(out.Open)
		switch {
		case err != nil:
			return err
		case len(unanswered) > 0 && g.o.out.Drew:
			return g.forced("it asks what nobody has answered")
		case len(unanswered) > 0 && g.primary.letGo():
			out.Events = append(slices.Clone(out.Events), closed(out.Open)...)
			return g.done(d, out)
		case len(unanswered) > 0:
			g.out.Kind, g.out.Decisions = injuryv1.DeedAgain_KIND_ASKS, unanswered
			return g.stop()
		}
		d.recorded = append(slices.Clone(d.recorded), answers...)
	}
	return fault.Limit("rounds of answers for one deed", maxAnswers, maxAnswers+1)
}

// deed makes the deed of what is recorded, on the records as they become.
func (g *deciding) deed() (*deed, error) {
	p := g.primary
	cmd := proto.CloneOf(p.faces)
	cmd.Faces = nil // they are among the inputs
	d := &deed{systems: g.o.s.cfg.Systems, table: g.o.table, primary: p.patient, again: len(g.says.GetResolve()) == 0, rows: map[string]*record.Patient{}, action: p.action,
		early: cmd.Answers, caller: p.caller, mode: cmd.RollMode, purpose: g.o.req.Purpose, told: map[string][]*eventv1.Event{p.patient: p.events},
		req: &injuryv1.TendRequest{As: gameMaster, Table: g.o.table, Command: cmd}}
	if d.purpose == dicev1.Purpose_PURPOSE_UNSPECIFIED {
		d.purpose = dicev1.Purpose_PURPOSE_REAL
	}
	d.recorded = slices.DeleteFunc(rules.Flatten(p.inputs), func(in *eventv1.Input) bool {
		a := in.GetAnswer()
		return a != nil && (a.By == "standing-order" || a.By == "setting" || resolves(g.says, a.Id) >= 0)
	})
	for _, id := range append([]string{p.patient}, concerned(p.command)...) {
		if d.rows[id] != nil {
			continue
		}
		past, err := g.o.pastOf(id)
		if err != nil {
			return nil, err
		}
		d.rows[id] = past.row()
		state, err := g.stateOf(id)
		if err != nil {
			return nil, err
		}
		if err := d.join(id, state); err != nil {
			return nil, err
		}
	}
	d.remember()
	d.told = nil
	// No ruling takes back what was committed to: what is rolled anew is rolled with the
	// dice of now, and no branch is opened twice.
	dice, err := g.o.nowOf(p.patient)
	if err != nil {
		return nil, err
	}
	event.KeepDice(d.state, dice)
	if d.sys, err = g.o.s.cfg.Systems.System(d.state.System); err != nil {
		return nil, err
	}
	d.do, err = d.resolve(p.command)
	return d, err
}

// stateOf is the state of somebody whom the deed touches, before it.
func (g *deciding) stateOf(id string) (*eventv1.State, error) {
	if c := g.o.courses[id]; c != nil {
		return event.Clone(c.now), nil
	}
	var full *eventv1.State
	err := g.o.s.cfg.Store.View(func(tx *projection.Tx) (err error) {
		full, _, err = g.o.before(tx, g.o.pasts[id], g.place(id))
		return err
	})
	return full, err
}

// place is where in a patient's chain the deed is, or would be.
func (g *deciding) place(id string) int {
	chain := g.o.pasts[id].chain
	for at, d := range chain {
		if d == g.parts[id] || d.seq > g.primary.seq {
			return at
		}
	}
	return len(chain)
}

// done takes what came of the deed into each history.
func (g *deciding) done(d *deed, out *rules.Outcome) error {
	if d.preview() {
		g.sample(out)
	}
	events := d.split(out.Events)
	g.out.Kind = injuryv1.DeedAgain_KIND_SAME
	for _, id := range d.concerned() {
		part := g.parts[id]
		if part == nil && len(bare(events[id])) == 0 {
			continue
		}
		if part != nil && g.o.courses[id] == nil && sameEvents(part.events, events[id]) {
			continue
		}
		if part == nil || !sameEvents(part.events, events[id]) {
			g.out.Kind = injuryv1.DeedAgain_KIND_OTHERWISE
		}
		c, part, err := g.touched(id, part)
		if err != nil {
			return err
		}
		inputs := []*eventv1.Input{}
		if id == d.primary {
			inputs = append(slices.Clone(d.recorded), rules.Flatten(out.Inputs)...)
		}
		taken := *part
		taken.forced = false
		if err := c.takeAs(part, &taken, events[id], inputs); err != nil {
			return err
		}
	}
	return g.tell(out.Events)
}

// tell says what came of the deed, now and as it was recorded, and where the record of
// the patient whose deed it is differs after it.
func (g *deciding) tell(now []*eventv1.Event) error {
	if g.o.told > limits.PageBytes {
		g.out.More = true
		return nil
	}
	if g.out.Kind != injuryv1.DeedAgain_KIND_SAME {
		for _, id := range rules.SortedKeys(g.parts) {
			g.out.Before = append(g.out.Before, bare(g.parts[id].events)...)
		}
		g.out.After = bare(now)
	}
	var err error
	if c := g.o.courses[g.primary.patient]; c != nil { // else it comes to the deed, and out of it, as it did
		g.out.Changes, err = g.o.differences(c)
	}
	g.o.told += proto.Size(g.out)
	return err
}

// touched is the course of somebody whom the deed touches, begun with it if it was not
// told again before, and what the deed was in the record.
func (g *deciding) touched(id string, part *done) (*course, *done, error) {
	p := g.o.pasts[id]
	if g.o.courses[id] == nil {
		if err := g.o.from(p, g.place(id), g.primary.seq); err != nil {
			return nil, nil, err
		}
	}
	if part == nil {
		part = &done{patient: id, seq: g.primary.seq, key: g.primary.key, raw: g.primary.raw, command: g.primary.command,
			faces: g.primary.faces, caller: g.primary.caller, partOf: &eventv1.RulingPart{Patient: g.primary.patient, Version: g.primary.origin}}
	}
	return g.o.courses[id], part, nil
}

// bare are events without the dice's own.
func bare(events []*eventv1.Event) []*eventv1.Event {
	return slices.DeleteFunc(slices.Clone(events), event.OfDice)
}

// sample lists the rolls that the deed makes anew.
func (g *deciding) sample(out *rules.Outcome) {
	for _, in := range rules.Flatten(out.Inputs) {
		draw := in.GetDraw()
		if draw == nil || int(draw.Supplied) == len(draw.Faces) {
			continue
		}
		fresh := &injuryv1.FreshDraw{Label: in.Label, Index: in.Index, Expression: draw.Expression, Faces: draw.Faces}
		for _, e := range out.Events {
			if r := e.GetRoll(); r != nil && r.Label == in.Label && r.Index == in.Index && r.Branch == draw.Branch {
				fresh.Creature, fresh.Reason = r.Creature, r.Reason
			}
		}
		for _, odds := range out.Odds {
			if odds.Label == in.Label && odds.Index == in.Index && odds.Branch == draw.Branch {
				fresh.Odds = odds.Odds
			}
		}
		g.out.Fresh = append(g.out.Fresh, fresh)
	}
}

// resolves finds the game master's answer to a decision; -1 when there is none.
func resolves(says *eventv1.Onward, id string) int {
	return slices.IndexFunc(says.GetResolve(), func(a *eventv1.AnswerDecision) bool { return a.Decision == id })
}

// answers answers questions that the deed newly meets as the game master says.
func (g *deciding) answers(open []*eventv1.Decision) (given []*eventv1.Input, unanswered []*eventv1.Decision, err error) {
	for _, q := range open {
		at := resolves(g.says, q.Id)
		switch {
		case at >= 0:
			answer := g.says.Resolve[at].Answer
			if err := rules.CheckAnswer(q, answer); err != nil {
				if g.o.out.Drew {
					unanswered = append(unanswered, q)
					continue
				}
				return nil, nil, fault.Field("command.amend.onward.resolve", "of patient %q: %v", g.primary.patient, err)
			}
			given = append(given, rules.Answered(q, answer, "gm"))
		case (g.o.req.TakeDefaults || g.o.out.Drew) && q.DefaultOption != "":
			given = append(given, rules.Answered(q, &eventv1.Answer{Option: q.DefaultOption}, "default"))
		default:
			unanswered = append(unanswered, q)
		}
	}
	return given, unanswered, nil
}

// illegal does with a deed that cannot be done any more what the game master says.
func (g *deciding) illegal(err error) error {
	flt, ok := fault.As(err)
	if !ok || flt.Code == fault.Unavailable || flt.Code == fault.Internal || flt.Code == fault.Broken {
		return err
	}
	g.out.Reason, g.out.Rule, g.out.Message = flt.Reason, flt.Rule, flt.Error()
	switch {
	case slices.Contains(g.says.DropIllegal, g.primary.origin):
		return g.dropped()
	case g.standsAlready() || slices.Contains(g.says.ForceIllegal, g.primary.origin):
		return g.forced(flt.Error())
	case g.o.out.Drew: // nothing is refused any more
		return g.dropped()
	}
	g.out.Kind = injuryv1.DeedAgain_KIND_ILLEGAL
	return g.stop()
}

// standsAlready tells whether the deed stands by an earlier ruling. Where nothing of the
// primary's record came out otherwise, that is in the others' alone.
func (g *deciding) standsAlready() bool {
	for _, part := range g.parts { // order-free: any one is enough
		if part.forced {
			return true
		}
	}
	return false
}

// dropped leaves nothing of the deed.
func (g *deciding) dropped() error {
	g.out.Kind = injuryv1.DeedAgain_KIND_DROPPED
	return g.instead(false, func(*done) []*eventv1.Event { return nil })
}

// forced lets what came of the deed stand, on the records as they become.
func (g *deciding) forced(why string) error {
	g.out.Kind, g.out.Message = injuryv1.DeedAgain_KIND_STANDS, why
	return g.instead(true, func(d *done) []*eventv1.Event { return d.events })
}

func (g *deciding) instead(forced bool, events func(*done) []*eventv1.Event) error {
	for _, id := range rules.SortedKeys(g.parts) {
		c, part, err := g.touched(id, g.parts[id])
		if err != nil {
			return err
		}
		taken := *part
		taken.forced = forced
		if err := c.takeAs(part, &taken, events(part), nil); err != nil {
			return err
		}
	}
	var now []*eventv1.Event
	if forced {
		now = g.primary.events
	}
	return g.tell(now)
}

// stop ends the courses of all whom the deed touches: what comes after it is not known.
func (g *deciding) stop() error {
	for _, id := range concerned(g.primary.command) {
		if c := g.o.courses[id]; c != nil {
			c.blocked = true
		}
	}
	return nil
}
