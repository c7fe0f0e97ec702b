package record

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// maxName is the longest name of a player who can make a call, in bytes.
const maxName = limits.NameBytes

// audience is everyone who knows a patient, while one Commit is folded.
type audience struct {
	tx      *projection.Tx
	name    aggregate.Name
	counts  map[string]counts
	heard   map[string]bool           // viewers who heard something of this Commit
	states  map[string]*eventv1.State // folds by viewer, read when needed
	renamed []string                  // viewers that are new with this Commit
	own     bool                      // the Commit is the patient's own
	version uint64                    // of the record before it, when it is
}

func loadAudience(tx *projection.Tx, n aggregate.Name) (*audience, error) {
	a := &audience{tx: tx, name: n, counts: map[string]counts{}, heard: map[string]bool{},
		states: map[string]*eventv1.State{}}
	err := aggregate.Each(tx, bucketCounts, n.Key(), nil, func(viewer []byte, row *injuryv1.StoredCounts) (bool, error) {
		a.counts[string(viewer)] = countsOf(row)
		return true, nil
	})
	if err != nil {
		return nil, err
	}
	for _, v := range []string{aggregate.ViewerGM, aggregate.ViewerEveryone} {
		if _, ok := a.counts[v]; !ok {
			a.counts[v] = counts{}
			a.states[v] = event.NewState()
		}
	}
	return a, nil
}

// state is a viewer's fold.
func (a *audience) state(viewer string) (*eventv1.State, error) {
	if s, ok := a.states[viewer]; ok {
		return s, nil
	}
	s, err := readState(a.tx, bucketViews, viewKey(a.name, viewer))
	if err != nil {
		return nil, err
	}
	a.states[viewer] = s
	return s, nil
}

// tell settles who hears an event of the patient's own Commit, folds it for each of
// them, and notes that they are told.
func (a *audience) tell(e *eventv1.Event) (*injuryv1.StoredEvent, error) {
	if back := e.GetReverted(); back != nil {
		return a.revert(e, back.Version)
	}
	return a.fold(e, func(viewer string) { a.heard[viewer] = true })
}

// fold settles who hears an event, folds it for each of them, and names them to each.
func (a *audience) fold(e *eventv1.Event, each func(viewer string)) (*injuryv1.StoredEvent, error) {
	full, err := a.state(aggregate.ViewerGM)
	if err != nil {
		return nil, err
	}
	hearing, err := a.hearing(full, e)
	if err != nil {
		return nil, err
	}
	heard := event.Hear(hearing, e)
	if err := a.hear(heard); err != nil {
		return nil, err
	}
	for _, v := range rules.SortedKeys(a.counts) {
		if !aggregate.Hears(v, heard) {
			continue
		}
		each(v)
		s, err := a.state(v)
		if err != nil {
			return nil, err
		}
		event.Fold(s, e)
	}
	return stored(heard, e), nil
}

// hear makes viewers of players who are named for the first time: until now
// they knew what everyone knows.
func (a *audience) hear(h event.Audible) error {
	for _, name := range h.Players {
		v := aggregate.PlayerViewer(name)
		if len(name) > maxName || strings.Contains(name, "\x00") {
			continue // nobody of that name can ask
		}
		if _, ok := a.counts[v]; ok {
			continue
		}
		public, err := a.state(aggregate.ViewerEveryone)
		if err != nil {
			return err
		}
		a.counts[v] = a.counts[aggregate.ViewerEveryone]
		a.states[v] = event.Clone(public)
		a.heard[v] = a.heard[aggregate.ViewerEveryone]
		a.renamed = append(a.renamed, v)
		for _, kind := range []string{numberVersion, numberHistory} {
			if err := a.copyNumbers(v, kind); err != nil {
				return err
			}
		}
	}
	return nil
}

func (a *audience) copyNumbers(to, kind string) error {
	type place struct{ number, at uint64 }
	var places []place // collected first: nothing is written while reading
	err := aggregate.Each(a.tx, bucketNumbers, a.name.Key(aggregate.ViewerEveryone, kind), nil, func(k []byte, row *injuryv1.StoredPlace) (bool, error) {
		places = append(places, place{projection.Number(k), row.At})
		return true, nil
	})
	if err != nil {
		return err
	}
	for _, p := range places {
		if err := putPlace(a.tx, bucketNumbers, a.name.Key(to, kind, p.number), p.at); err != nil {
			return err
		}
	}
	return nil
}

// hearing is the state by which an event's audience is settled: the patient's
// own, and for other patients that the audience names, theirs.
func (a *audience) hearing(full *eventv1.State, e *eventv1.Event) (*eventv1.State, error) {
	var others []string
	for _, c := range e.GetAudience().GetCreatures() {
		if full.Creatures[c] == nil {
			others = append(others, c)
		}
	}
	if len(others) == 0 {
		return full, nil
	}
	s := &eventv1.State{Creatures: map[string]*eventv1.Creature{a.name.ID: full.Creatures[a.name.ID]}}
	for _, c := range others {
		other, err := readState(a.tx, bucketViews, viewKey(Named(a.name.Table, c), aggregate.ViewerGM))
		if err != nil {
			return nil, err
		}
		if other.Creatures[c] != nil {
			s.Creatures[c] = other.Creatures[c]
		}
	}
	return s, nil
}

// overhear settles who hears an event of a fight about the patient, by those
// whom the fight told.
func (a *audience) overhear(h event.Audible) error {
	if err := a.hear(h); err != nil {
		return err
	}
	for _, v := range rules.SortedKeys(a.counts) {
		if aggregate.Hears(v, h) {
			a.heard[v] = true
		}
	}
	return nil
}

// decision keeps the index of open decisions.
func (a *audience) decision(e *eventv1.Event) error {
	switch w := e.GetWhat().(type) {
	case *eventv1.Event_DecisionRequested:
		return aggregate.Put(a.tx, bucketDecisions, decisionKey(a.name.Table, w.DecisionRequested.GetDecision().GetId()), &injuryv1.StoredDecision{Patient: a.name.ID})
	case *eventv1.Event_DecisionAnswered:
		return a.tx.Delete(bucketDecisions, decisionKey(a.name.Table, w.DecisionAnswered.Id))
	}
	return nil
}

// store writes what the viewers now know and how they number it.
func (a *audience) store(seq, version uint64, entry *injuryv1.StoredEntry) error {
	for _, v := range rules.SortedKeys(a.counts) {
		c := a.counts[v]
		if a.heard[v] {
			c.entries++
			c.transcript = a.next(v, c, entry)
			if err := putPlace(a.tx, bucketNumbers, a.name.Key(v, numberHistory, c.entries), seq); err != nil {
				return err
			}
		}
		// The game master counts every Commit; others those that told them something.
		if a.own && (a.heard[v] || v == aggregate.ViewerGM) {
			c.versions++
			if err := putPlace(a.tx, bucketNumbers, a.name.Key(v, numberVersion, c.versions), version); err != nil {
				return err
			}
		}
		if err := aggregate.Put(a.tx, bucketCounts, viewKey(a.name, v), c.row()); err != nil {
			return err
		}
		if s := a.states[v]; s != nil && (a.heard[v] || slices.Contains(a.renamed, v) || a.tx.Get(bucketViews, viewKey(a.name, v)) == nil) {
			if err := aggregate.Put(a.tx, bucketViews, viewKey(a.name, v), s); err != nil {
				return err
			}
		}
	}
	return nil
}

// snapshot keeps every viewer's fold at a version.
func (a *audience) snapshot(version uint64) error {
	for _, v := range rules.SortedKeys(a.counts) {
		s, err := a.state(v)
		if err != nil {
			return err
		}
		if err := aggregate.Put(a.tx, bucketSnapshots, a.name.Key(v, version), s); err != nil {
			return err
		}
	}
	return nil
}

// stored is an event as rows hold it.
func stored(h event.Audible, e *eventv1.Event) *injuryv1.StoredEvent {
	return &injuryv1.StoredEvent{Everyone: h.Everyone, Players: h.Players, Event: e}
}

// Heard tells whether a principal may hear a stored event.
func Heard(e *injuryv1.StoredEvent, by *eventv1.Principal) bool {
	return event.Audible{Everyone: e.Everyone, Players: e.Players}.By(by)
}
