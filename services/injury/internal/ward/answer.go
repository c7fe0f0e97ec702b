package ward

import (
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"

	"github.com/skaldrpg/skald/services/injury/internal/record"
)

// unknownDecision is what a decision that is not open answers, and one that
// the caller may not see (W4).
func unknownDecision(id string) error {
	return fault.New(fault.NotFound, "UNKNOWN_DECISION", "no decision %q is open", id)
}

// planAnswer plans to go on with a deed that waits: it is run again from its
// start, with what it took in so far and the answer.
func (s *Server) planAnswer(tx *projection.Tx, d *deed, a *eventv1.AnswerDecision) error {
	decision, err := d.open(tx, a.Decision)
	if err != nil {
		return err
	}
	began := &eventv1.Command{}
	pending := d.rows[d.primary].Pending
	if pending == nil {
		return unknownDecision(a.Decision)
	}
	if err := proto.Unmarshal(pending.Command, began); err != nil {
		return fault.Wrap(fault.Internal, "PENDING_COMMAND", err, "the deed that waits can not be read")
	}
	if err := d.reload(tx, began); err != nil {
		return err
	}
	d.remember()
	if d.sys, err = s.cfg.Systems.System(d.state.System); err != nil {
		return err
	}
	answer, by, err := d.answer(tx, decision, a)
	if err != nil {
		return err
	}
	d.answered = rules.Answered(decision, answer, by)
	d.recorded = append(slices.Clone(pending.Inputs), d.answered)
	d.caller, d.mode = pending.Caller, began.RollMode
	d.action = pending.Action
	d.early = d.ahead(tx, began)
	d.do, err = d.resolve(began.GetPatient())
	return err
}

// open finds a decision that the caller may answer.
func (d *deed) open(tx *projection.Tx, id string) (*eventv1.Decision, error) {
	patient, err := record.Decision(tx, d.table, id)
	if err != nil {
		return nil, err
	}
	if patient == "" {
		return nil, unknownDecision(id)
	}
	view, err := record.Now(tx, d.table, patient, d.req.As)
	if err != nil {
		return nil, err
	}
	if view == nil || view.State.Decisions[id] == nil {
		return nil, unknownDecision(id)
	}
	d.primary = patient
	if d.rows[patient], err = record.Get(tx, d.table, patient); err != nil {
		return nil, err
	}
	return view.State.Decisions[id], nil
}

// reload takes everyone concerned into the deed as they were before it, and
// what has been told of it so far.
func (d *deed) reload(tx *projection.Tx, began *eventv1.Command) error {
	c := began.GetPatient()
	ids := append([]string{d.primary}, c.GetPatients()...)
	if c.GetUser() != "" {
		ids = append(ids, c.User)
	}
	d.told = map[string][]*eventv1.Event{}
	for i, id := range ids {
		if slices.Contains(ids[:i], id) {
			continue
		}
		row, err := record.Get(tx, d.table, id)
		if err != nil {
			return err
		}
		if row == nil || row.Pending == nil || row.Pending.Primary != d.primary {
			return fault.New(fault.Internal, "PENDING_LOST", "patient %q does not wait for this deed", id)
		}
		d.rows[id] = row
		full, err := record.Full(tx, d.table, id, row.Pending.Base)
		if err != nil {
			return err
		}
		if err := d.join(id, full); err != nil {
			return err
		}
		if err := d.recall(tx, id, row.Pending.Base); err != nil {
			return err
		}
	}
	return nil
}

// remember takes what the deed was given beside its command from what it told:
// the settings and packs of the record, and for a patient being enrolled its system and dice.
func (d *deed) remember() {
	d.settings = map[string]string{}
	for _, e := range d.told[d.primary] {
		switch w := e.GetWhat().(type) {
		case *eventv1.Event_EncounterCreated:
			d.state.System, d.policy = w.EncounterCreated.System, w.EncounterCreated.DicePolicy
			d.settings, d.packs = w.EncounterCreated.Settings, w.EncounterCreated.Packs
		case *eventv1.Event_PacksPinned:
			d.packs = w.PacksPinned.Packs
		case *eventv1.Event_SettingChanged:
			d.settings[w.SettingChanged.Setting] = w.SettingChanged.Value
		}
	}
}

// recall reads what was told about a patient after a version.
func (d *deed) recall(tx *projection.Tx, id string, base uint64) error {
	entries, err := record.Since(tx, d.table, id, base)
	if err != nil {
		return err
	}
	for _, e := range entries {
		for _, t := range e.Events {
			d.told[id] = append(d.told[id], t.Event)
		}
	}
	return nil
}

// answer checks who answers and what.
func (d *deed) answer(tx *projection.Tx, decision *eventv1.Decision, a *eventv1.AnswerDecision) (*eventv1.Answer, string, error) {
	// By those who control the creature now: a patient being enrolled was not
	// there before the deed.
	now, err := record.Now(tx, d.table, decision.Creature, gameMaster)
	if err != nil {
		return nil, "", err
	}
	mine := !decision.GmOnly && now != nil && event.Controls(now.State.Creatures[decision.Creature], d.req.As)
	if !isGM(d.req.As) && !mine {
		return nil, "", fault.New(fault.Denied, "NOT_YOURS", "this decision is not yours")
	}
	answer, by := a.Answer, "answer"
	if isGM(d.req.As) {
		by = "gm"
	}
	if a.ByDefault && isGM(d.req.As) {
		answer, by = &eventv1.Answer{Option: decision.DefaultOption}, "default"
	}
	if answer == nil {
		return nil, "", fault.Field("command.answer.answer", "missing")
	}
	return answer, by, rules.CheckAnswer(decision, answer)
}

// ahead are the early answers that still count: those given now and those the
// deed began with, without any to a decision that has been put by now.
func (d *deed) ahead(tx *projection.Tx, began *eventv1.Command) []*eventv1.EarlyAnswer {
	var put []*eventv1.Decision
	for _, events := range d.told {
		for _, e := range events {
			if r := e.GetDecisionRequested(); r != nil {
				put = append(put, r.Decision)
			}
		}
	}
	var out []*eventv1.EarlyAnswer
	for _, e := range append(slices.Clone(d.req.Command.Answers), began.Answers...) {
		if !slices.ContainsFunc(put, func(p *eventv1.Decision) bool {
			return p.Name == e.Decision && (e.Creature == "" || e.Creature == p.Creature)
		}) {
			out = append(out, e)
		}
	}
	return out
}

// planAbandon plans to let a deed that waits go: what it did so far stays, what
// it asked is closed. It is the way out when the rules have changed since.
func (s *Server) planAbandon(tx *projection.Tx, d *deed, c *eventv1.PatientCommand) error {
	if !isGM(d.req.As) {
		return fault.New(fault.Denied, "GM_ONLY", "only the game master may do %q", c.Deed)
	}
	if err := checkOwn(c, false); err != nil {
		return err
	}
	row, err := record.Get(tx, d.table, c.Patients[0])
	if err != nil {
		return err
	}
	switch {
	case row == nil:
		return unknownPatient(c.Patients[0])
	case row.Pending == nil:
		if freed, err := s.planFree(tx, d, row); freed || err != nil {
			return err
		}
		return fault.New(fault.Illegal, "NO_PENDING_DEED", "no deed on patient %q waits", row.ID)
	}
	d.primary = row.Pending.Primary
	if d.rows[d.primary], err = record.Get(tx, d.table, d.primary); err != nil {
		return err
	}
	began := &eventv1.Command{}
	if err := proto.Unmarshal(d.rows[d.primary].Pending.Command, began); err != nil {
		return fault.Wrap(fault.Internal, "PENDING_COMMAND", err, "the deed that waits can not be read")
	}
	if err := d.reload(tx, began); err != nil {
		return err
	}
	d.remember()
	if d.sys, err = s.cfg.Systems.System(d.state.System); err != nil {
		return err
	}
	now, err := record.Now(tx, d.table, d.primary, d.req.As)
	if err != nil {
		return err
	}
	var open []*eventv1.Decision
	for _, id := range rules.SortedKeys(now.State.Decisions) {
		open = append(open, now.State.Decisions[id])
	}
	d.events = append(d.events, closed(open)...)
	return nil
}

// closed are the events that close decisions without an answer, in the order of their ids.
func closed(open []*eventv1.Decision) (out []*eventv1.Event) {
	open = slices.SortedFunc(slices.Values(open), func(a, b *eventv1.Decision) int { return strings.Compare(a.Id, b.Id) })
	for _, p := range open {
		audience := event.GM()
		if !p.GmOnly && p.Creature != "" {
			audience = event.Controllers(p.Creature)
		}
		out = append(out, event.New(audience, &eventv1.DecisionAnswered{Id: p.Id, Name: p.Name, Creature: p.Creature, By: "gm"}))
	}
	return out
}
