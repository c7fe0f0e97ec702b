package engine

import (
	"context"
	"maps"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// enter prepares the patient's side of a creature's coming in. The command is
// replaced by one that holds the patient's sheet and vitals, so that what is
// stored says by itself with what the creature came.
func (e *Engine) enter(ctx context.Context, f *Fight, cmd **eventv1.Command, req Request) ([]journal.Message, error) {
	add := (*cmd).GetAdd()
	patient := add.GetSheet().GetPatient()
	if patient == "" || e.apart() {
		return nil, nil
	}
	resp, err := e.cfg.Injury.PrepareEngage(ctx, &injuryv1.PrepareEngageRequest{Table: f.table, Patient: patient,
		Encounter: f.id, System: f.replica.State().System, As: req.As, RequestId: req.ID, Staged: add.Staged})
	if err != nil {
		return nil, rpc.FromStatus(err)
	}
	full := proto.Clone(*cmd).(*eventv1.Command)
	if resp.Patient.GetCreature().GetSheet() == nil {
		return nil, fault.New(fault.Internal, "PATIENT_WITHOUT_SHEET", "patient %q has no sheet", patient)
	}
	if full.GetAdd().Sheet.Id == "" {
		full.GetAdd().Sheet.Id = patient
	}
	e.fill(f, full.GetAdd(), resp.Patient.Creature, resp.LifeKnown)
	*cmd = full
	return []journal.Message{message(resp.Message)}, nil
}

// fill makes a coming in what the record of the patient says: with its sheet and
// vitals. Of what the command says id, side and controllers count.
func (e *Engine) fill(f *Fight, a *eventv1.AddCreature, c *eventv1.Creature, lifeKnown bool) {
	system := f.replica.State().System
	id, patient, side, controllers := a.Sheet.Id, a.Sheet.Patient, a.Sheet.Side, a.Sheet.Controllers
	a.Sheet = proto.Clone(c.Sheet).(*eventv1.Sheet)
	a.Sheet.Id, a.Sheet.Patient = id, patient
	if side != "" {
		a.Sheet.Side = side
	}
	// Whose it is says the record: a sheet given later, or an edit, may say otherwise.
	a.Sheet.Controllers = slices.Clone(c.Controllers)
	if len(controllers) > 0 {
		a.Sheet.Controllers = controllers
	}
	a.Vitals = &eventv1.Vitals{Hp: c.Hp, HpTemp: c.HpTemp, Counters: maps.Clone(c.Counters), Conditions: c.Conditions, Injuries: c.Injuries, Marks: maps.Clone(c.Marks)}
	a.Vitals.Orders = e.takenWhen(system, id, c.Orders)
	a.Vitals.HpMax, a.Vitals.StandingOrders = c.HpMax, e.taken(system, c.StandingOrders)
	a.Vitals.Items = e.brought(system, c.Items)
	switch c.Life {
	case eventv1.LifeStatus_LIFE_STATUS_STABLE:
		a.Vitals.Life, a.Vitals.LifeSecret = c.Life, !lifeKnown
	case eventv1.LifeStatus_LIFE_STATUS_DYING:
		a.Vitals.Life = c.Life
	}
	// What the record counts for itself is no part of the creature: no rule system
	// need know it.
	delete(a.Vitals.Counters, "hours")
	delete(a.Vitals.Marks, "encounter")
}

// apart says that the records of patients are nowhere to be asked: a replay's that has the
// encounter alone.
func (e *Engine) apart() bool { return e.cfg.Recorded && !e.cfg.Patients }

// brought is what things of the record bring into the fight.
func (e *Engine) brought(system string, items map[string]*eventv1.ItemState) map[string]*eventv1.ItemState {
	var fleeting rules.OfTheFight
	if sys, err := e.cfg.Systems.System(system); err == nil { // else the command is refused for that
		if f, ok := sys.(rules.Fleeting); ok {
			fleeting = f.OfTheFight()
		}
	}
	return fleeting.Brought(items)
}

// taken are the standing orders that the rules take: one that an older build took must
// not keep a patient out.
func (e *Engine) taken(system string, orders map[string]string) map[string]string {
	sys, err := e.cfg.Systems.System(system)
	if err != nil {
		return nil // the command is refused for that
	}
	out := map[string]string{}
	for _, so := range sys.StandingOrders() {
		if order := orders[so.Decision]; slices.Contains(so.All(), order) {
			out[so.Decision] = order
		}
	}
	return out
}

// takenWhen is taken for orders with conditions; they are the creature's under its id in
// the fight.
func (e *Engine) takenWhen(system, id string, orders []*eventv1.StandingOrder) []*eventv1.StandingOrder {
	sys, err := e.cfg.Systems.System(system)
	if err != nil {
		return nil // the command is refused for that
	}
	known := func(setting string) bool {
		return slices.ContainsFunc(rules.SettingsOf(sys), func(s rules.Setting) bool { return s.ID == setting })
	}
	var out []*eventv1.StandingOrder
	for _, o := range orders {
		fits := slices.ContainsFunc(sys.StandingOrders(), func(so rules.StandingOrder) bool {
			return so.Decision == o.Decision && slices.Contains(so.All(), o.Order)
		})
		if fits && effects.CheckWhen(o.When, known) == nil {
			mine := proto.CloneOf(o)
			mine.Creature = id
			out = append(out, mine)
		}
	}
	return out
}

// leave prepares the patients' side of creatures that leave with the command:
// one that is removed, or all at the end. fresh are the events of it that are not yet
// stored.
func (e *Engine) leave(ctx context.Context, f *Fight, after *eventv1.State, fresh []*eventv1.Event, cmd *eventv1.Command, req Request) ([]journal.Message, error) {
	if e.apart() {
		return nil, nil
	}
	var leaving []*eventv1.Creature
	switch w := cmd.What.(type) {
	case *eventv1.Command_Remove:
		// The state after has lost it; what counts is how it went.
		if id := w.Remove.Creature; after.Creatures[id] == nil {
			leaving = append(leaving, asItWent(f.replica.State(), fresh, id))
		}
	case *eventv1.Command_End:
		if after.Status == eventv1.State_STATUS_ENDED {
			for _, id := range rules.SortedKeys(after.Creatures) {
				leaving = append(leaving, after.Creatures[id])
			}
		}
	}
	var out []journal.Message
	for _, c := range leaving {
		if c.GetPatient() == "" {
			continue
		}
		resp, err := e.cfg.Injury.PrepareRelease(ctx, &injuryv1.PrepareReleaseRequest{Table: f.table, Patient: c.Patient,
			Encounter: f.id, Creature: c, As: req.As, RequestId: req.ID, Packs: after.Packs})
		if err != nil {
			fail := rpc.FromStatus(err)
			if fail.Reason == "NOT_ENGAGED" { // taken out while this fight was closed
				continue
			}
			return nil, fail
		}
		out = append(out, message(resp.Message))
	}
	return out, nil
}

// asItWent is a creature as it was taken off the field, with all that its leaving did to
// it: what it held is let go, and what ends with the fight has ended.
func asItWent(before *eventv1.State, fresh []*eventv1.Event, id string) *eventv1.Creature {
	s := event.Clone(before)
	for _, ev := range fresh {
		if ev.GetCreatureRemoved().GetCreature() == id {
			break
		}
		event.Fold(s, ev)
	}
	return s.Creatures[id]
}

func message(m *injuryv1.PatientMessage) journal.Message {
	return journal.Message{Subject: m.Subject, ID: m.Id, Data: m.Data, Expected: m.ExpectedSequence}
}
