package record

import (
	"fmt"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// again makes the record what a ruling of fights makes of it: every viewer's fold goes
// back to the version that the new history begins from, and on by what counts in the
// place of what came since. Told of it are the game master and whoever hears something
// else than it heard.
func (a *audience) again(am *eventv1.Amended) ([]*injuryv1.StoredEvent, error) {
	if am.Base == 0 || am.Base > a.version {
		return nil, fmt.Errorf("%w: begun again from version %d of %d", event.ErrBroken, am.Base, a.version)
	}
	was, err := countedSince(a.tx, a.name, am.Base)
	if err != nil {
		return nil, err
	}
	for _, v := range rules.SortedKeys(a.counts) {
		now, err := a.state(v)
		if err != nil {
			return nil, err
		}
		if a.states[v], err = putBack(a.tx, a.name.Table, a.name.ID, v, aggregate.Viewer(v), am.Base, now); err != nil {
			return nil, err
		}
	}
	var fresh []*injuryv1.StoredEvent
	for _, c := range am.Commands {
		events, err := eventsOf(c)
		if err != nil {
			return nil, err
		}
		for _, e := range events {
			told, err := a.fold(e, func(string) {}) // who is told, the whole ruling says
			if err != nil {
				return nil, err
			}
			fresh = append(fresh, told)
		}
	}
	marker := a.moved(&eventv1.Reverted{Version: am.Base, Reason: am.Reason}, was, fresh)
	return append([]*injuryv1.StoredEvent{marker}, fresh...), nil
}

// eventsOf are the events of a command that was decided again.
func eventsOf(c *eventv1.Redecided) ([]*eventv1.Event, error) {
	var out []*eventv1.Event
	for i, data := range c.Events {
		e := &eventv1.Event{}
		if err := proto.Unmarshal(data, e); err != nil {
			return nil, fmt.Errorf("%w: event %d of a command decided again: %v", event.ErrBroken, i, err)
		}
		out = append(out, e)
	}
	return out, nil
}

// moved notes who is told of a ruling, which are those who hear something else now, and
// returns the event that says to them that the record was put back. When everybody
// does, each of the others is as well.
func (a *audience) moved(back *eventv1.Reverted, was, fresh []*injuryv1.StoredEvent) *injuryv1.StoredEvent {
	marker := &injuryv1.StoredEvent{Event: event.New(event.Everyone(), back)} // told is who is named
	for _, v := range rules.SortedKeys(a.counts) {
		if v != aggregate.ViewerGM && sameHeard(aggregate.Viewer(v), was, fresh) {
			continue
		}
		a.heard[v] = true
		switch v {
		case aggregate.ViewerGM:
		case aggregate.ViewerEveryone:
			marker.Everyone = true
		default:
			marker.Players = append(marker.Players, aggregate.Viewer(v).Name)
		}
	}
	if marker.Everyone {
		for _, v := range rules.SortedKeys(a.counts) {
			a.heard[v] = true
		}
	}
	slices.Sort(marker.Players)
	return marker
}

// sameHeard tells whether a viewer hears the same of two histories.
func sameHeard(by *eventv1.Principal, was, fresh []*injuryv1.StoredEvent) bool {
	of := func(all []*injuryv1.StoredEvent) (out []*eventv1.Event) {
		for _, t := range all {
			if Heard(t, by) && !event.OfDice(t.Event) {
				out = append(out, t.Event)
			}
		}
		return out
	}
	return slices.EqualFunc(of(was), of(fresh), rules.SameEvent)
}

// countedSince are the events of a patient's own Commits after a version that count.
func countedSince(tx *projection.Tx, n aggregate.Name, version uint64) ([]*injuryv1.StoredEvent, error) {
	entries, err := Since(tx, n.Table, n.ID, version)
	return counted(entries), err
}

// counted are the events of entries, without what later ones took back, and with what
// still later ones made count again.
func counted(entries []*injuryv1.StoredEntry) []*injuryv1.StoredEvent {
	type state struct {
		version uint64
		events  []*injuryv1.StoredEvent
	}
	var after []state // each entry
	var out []*injuryv1.StoredEvent
	for _, e := range entries {
		for _, t := range e.Events {
			back := t.Event.GetReverted()
			if back == nil {
				out = append(out, t)
				continue
			}
			out = nil
			for _, s := range slices.Backward(after) {
				if s.version <= back.Version {
					out = slices.Clip(s.events)
					break
				}
			}
		}
		after = append(after, state{e.Version, slices.Clip(out)})
	}
	return out
}

// amend makes the field what it is after the commands of an amendment, and tells the
// patients' histories what counts now of what they were told.
func (f *field) amend(am *eventv1.Amended) error {
	concerned := f.everyone()
	if err := f.goBack(am.Base); err != nil {
		return err
	}
	f.moved = true
	concerned = append(concerned, f.everyone()...)
	fresh := map[string][]*injuryv1.StoredEvent{}
	for _, c := range am.Commands {
		if err := f.amendedBy(c, fresh); err != nil {
			return err
		}
	}
	concerned = append(concerned, rules.SortedKeys(fresh)...)
	slices.Sort(concerned)
	for _, p := range slices.Compact(concerned) {
		if err := f.tellAgain(p, am, fresh[p]); err != nil {
			return err
		}
	}
	return nil
}

// amendedBy folds a command of an amendment and notes what it tells of patients.
func (f *field) amendedBy(c *eventv1.Redecided, fresh map[string][]*injuryv1.StoredEvent) error {
	in := &eventv1.CommitInputs{}
	for i, data := range c.Inputs {
		one := &eventv1.Input{}
		if err := proto.Unmarshal(data, one); err != nil {
			return fmt.Errorf("%w: input %d of a command decided again: %v", event.ErrBroken, i, err)
		}
		in.Inputs = append(in.Inputs, one)
	}
	f.inputs, f.healed = in, nil
	events, err := eventsOf(c)
	if err != nil {
		return err
	}
	for _, e := range events {
		heard := event.Hear(f.state, e)
		about := f.patients(e)
		switch e.GetWhat().(type) {
		case *eventv1.Event_CreatureAdded, *eventv1.Event_CreatureRemoved, *eventv1.Event_Controllers:
			event.Fold(f.state, e)
			about = append(about, f.patients(e)...)
		}
		if len(about) == 0 {
			continue
		}
		if mine, err := f.belongs(e); err != nil {
			return err
		} else if !mine {
			continue
		}
		t := stored(heard, e)
		slices.Sort(about)
		for _, p := range slices.Compact(about) {
			fresh[p] = append(fresh[p], t)
		}
	}
	return nil
}

// tellAgain adds to a patient's history what a ruling of the fight made of it, for
// those to whom it is something else.
func (f *field) tellAgain(patient string, am *eventv1.Amended, fresh []*injuryv1.StoredEvent) error {
	n := Named(f.name.Table, patient)
	was, err := ofFight(f.tx, n, f.name.ID, am.Base)
	if err != nil || f.tx.Get(bucketPatients, n.Key()) == nil {
		return err
	}
	if sameHeard(aggregate.Viewer(aggregate.ViewerGM), was, fresh) {
		return nil // then to nobody
	}
	a, err := loadAudience(f.tx, n)
	if err != nil {
		return err
	}
	for _, t := range fresh {
		if err := a.hear(event.Audible{Everyone: t.Everyone, Players: t.Players}); err != nil {
			return err
		}
	}
	marker := a.moved(&eventv1.Reverted{Version: am.Base, Reason: am.Reason}, was, fresh)
	f.stories[patient] = &story{audience: a, events: append([]*injuryv1.StoredEvent{marker}, fresh...)}
	return nil
}

// ofFight are the events of a fight in a patient's history that count and came after a
// version of the fight.
func ofFight(tx *projection.Tx, n aggregate.Name, encounter string, version uint64) ([]*injuryv1.StoredEvent, error) {
	var entries []*injuryv1.StoredEntry
	err := aggregate.Each(tx, bucketEntries, n.Key(), nil, func(_ []byte, e *injuryv1.StoredEntry) (bool, error) {
		if e.Encounter == encounter && e.Version > version {
			entries = append(entries, e)
		}
		return true, nil
	})
	return counted(entries), err
}
