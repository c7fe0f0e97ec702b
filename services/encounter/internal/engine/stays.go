package engine

import (
	"context"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// stay is a patient's stay in a fight.
type stay struct {
	patient, creature string
	number            uint32               // of the patient's in the encounter, from 1
	added, left       uint64               // origins of the commands; left is 0 while it is inside
	command           *eventv1.AddCreature // by which it came in
	as                *eventv1.Creature    // as it left
	lives             []*eventv1.Event     // changes of its life, in order
}

// stays follows patients through commands.
type stays struct {
	all    []*stay
	inside map[string]*stay // by creature
	asLeft func(origin uint64, creature string) (*eventv1.Creature, error)
}

func newStays(asLeft func(uint64, string) (*eventv1.Creature, error)) *stays {
	return &stays{inside: map[string]*stay{}, asLeft: asLeft}
}

// clone is a copy that may go on by itself.
func (s *stays) clone(asLeft func(uint64, string) (*eventv1.Creature, error)) *stays {
	out := newStays(asLeft)
	for _, x := range s.all {
		c := *x
		c.lives = slices.Clip(c.lives)
		out.all = append(out.all, &c)
		if s.inside[x.creature] == x {
			out.inside[x.creature] = &c
		}
	}
	return out
}

// take follows one command.
func (s *stays) take(origin uint64, cmd *eventv1.Command, events []*eventv1.Event) error {
	ended := false
	for _, ev := range events {
		if in := ev.GetCreatureAdded(); in != nil {
			if patient := cmd.GetAdd().GetSheet().GetPatient(); patient != "" {
				x := &stay{patient: patient, creature: in.Creature, number: s.number(patient) + 1, added: origin, command: cmd.GetAdd()}
				s.all, s.inside[in.Creature] = append(s.all, x), x
			}
		}
		if x := s.inside[ev.GetLife().GetCreature()]; x != nil {
			x.lives = append(x.lives, ev)
		}
		ended = ended || ev.GetEncounterEnded() != nil
	}
	if x := s.inside[cmd.GetRemove().GetCreature()]; x != nil && slices.ContainsFunc(events, func(ev *eventv1.Event) bool { return ev.GetCreatureRemoved().GetCreature() == x.creature }) {
		return s.leave(x, origin)
	}
	if ended {
		for _, x := range s.all {
			if s.inside[x.creature] == x {
				if err := s.leave(x, origin); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (s *stays) leave(x *stay, origin uint64) (err error) {
	x.left = origin
	delete(s.inside, x.creature)
	x.as, err = s.asLeft(origin, x.creature)
	return err
}

// number is how often a patient came in so far.
func (s *stays) number(patient string) uint32 {
	var n uint32
	for _, x := range s.all {
		if x.patient == patient {
			n = max(n, x.number)
		}
	}
	return n
}

// staysOf are the stays of patients in a fight: those of the history that counts, and
// those of a plan. It reads the whole fight.
func (e *Engine) staysOf(ctx context.Context, f *Fight, p *plan) (was, will *stays, err error) {
	asRecorded := func(origin uint64, id string) (*eventv1.Creature, error) { return e.recordedAsLeft(ctx, f, origin, id) }
	was = newStays(asRecorded)
	for i, l := range f.replica.Chain {
		if i == p.first {
			will = was.clone(func(origin uint64, id string) (*eventv1.Creature, error) {
				if c := p.asLeft[origin]; c != nil {
					return c, nil
				}
				if c := p.state.Creatures[id]; c != nil {
					return c, nil
				}
				return asRecorded(origin, id) // by a command that an earlier amendment holds, and that stays
			})
		}
		rec, err := e.recordOf(ctx, f, l)
		if err != nil {
			return nil, nil, err
		}
		if err := was.take(rec.origin, rec.command, rec.events); err != nil {
			return nil, nil, err
		}
	}
	for _, red := range p.commands {
		cmd := &eventv1.Command{}
		if err := proto.Unmarshal(red.Command, cmd); err != nil {
			return nil, nil, err
		}
		c, err := replica.OpenRedecided(red, &eventv1.CommitHeader{})
		if err != nil {
			return nil, nil, err
		}
		if err := will.take(red.Origin, cmd, c.Events); err != nil {
			return nil, nil, err
		}
	}
	return was, will, nil
}

// recordedAsLeft is a creature as a command of the record took it off the field, or as
// it stood at the end.
func (e *Engine) recordedAsLeft(ctx context.Context, f *Fight, origin uint64, id string) (*eventv1.Creature, error) {
	i := slices.IndexFunc(f.replica.Chain, func(l replica.Link) bool { return l.Origin == origin })
	if i < 0 {
		return nil, fault.New(fault.Internal, "NO_COMMAND", "step %d does not count", origin)
	}
	rec, err := e.recordOf(ctx, f, f.replica.Chain[i])
	if err != nil {
		return nil, err
	}
	if rec.command.GetRemove() == nil {
		return f.replica.State().Creatures[id], nil
	}
	before, err := e.stateBefore(ctx, f, i)
	if err != nil {
		return nil, err
	}
	return asItWent(before, rec.events, id), nil
}

// stateBefore is the state before a command that counts.
func (e *Engine) stateBefore(ctx context.Context, f *Fight, i int) (*eventv1.State, error) {
	l := f.replica.Chain[i]
	if !l.Held() {
		then, err := e.cfg.Loader.LoadAt(ctx, f.table, f.id, l.Origin-1)
		if err != nil {
			return nil, err
		}
		return then.State(), nil
	}
	am, err := e.amendedAt(ctx, f, l.At)
	if err != nil {
		return nil, err
	}
	then, err := e.cfg.Loader.LoadAt(ctx, f.table, f.id, am.Base)
	if err != nil {
		return nil, err
	}
	s := event.Clone(then.State())
	for _, red := range am.Commands[:l.Index] {
		c, err := replica.OpenRedecided(red, &eventv1.CommitHeader{Version: l.At})
		if err != nil {
			return nil, err
		}
		event.FoldAll(s, c.Events)
	}
	return s, nil
}

// leftOtherwise are the stays of a plan that end otherwise than on record. It refuses a
// plan in which patients come or go otherwise. was are all stays on record; they are
// read where somebody leaves in what the plan decides, or wanted.
func (e *Engine) leftOtherwise(ctx context.Context, f *Fight, p *plan, wanted bool) (was, changed []*stay, err error) {
	if e.apart() {
		return nil, nil, nil // what becomes of the patients their records say
	}
	if err := e.patientsStay(ctx, f, p.state, p.chain()); err != nil && p.halted == 0 {
		return nil, nil, err
	}
	if !p.leaves && !wanted {
		return nil, nil, nil
	}
	recorded, will, err := e.staysOf(ctx, f, p)
	if err != nil {
		return nil, nil, err
	}
	changed, err = changedStays(recorded.all, will.all, p.halted)
	return recorded.all, changed, err
}

// changedStays compares stays, up to the step at which a plan halted.
func changedStays(was, will []*stay, halted uint64) ([]*stay, error) {
	var out []*stay
	for i, x := range was {
		if halted > 0 && (x.added >= halted || x.left >= halted) {
			continue
		}
		if x.left == 0 && i < len(will) && will[i].left == 0 && x.added == will[i].added {
			continue
		}
		switch {
		case i >= len(will) || will[i].added != x.added:
			return nil, fault.Refuse("PATIENT_HAS_LEFT", "", "patient %q came in at step %d and has left, and would not have come by the ruling", x.patient, x.added)
		case x.left > 0 && will[i].left == 0:
			return nil, fault.Refuse("PATIENT_HAS_LEFT", "", "patient %q left at step %d, and would still be in the fight by the ruling", x.patient, x.left)
		case x.left == 0:
			return nil, fault.Refuse("PATIENT_WOULD_LEAVE", "", "patient %q is in the fight and would not be after the ruling; remove it by a command first", x.patient)
		}
		if !proto.Equal(x.as, will[i].as) || !slices.EqualFunc(x.lives, will[i].lives, func(a, b *eventv1.Event) bool { return proto.Equal(a, b) }) {
			out = append(out, will[i])
		}
	}
	if halted == 0 && len(will) > len(was) {
		x := will[len(was)]
		return nil, fault.Refuse("PATIENT_HAS_LEFT", "", "patient %q would come in at step %d by the ruling; add it by a command", x.patient, x.added)
	}
	return out, nil
}
