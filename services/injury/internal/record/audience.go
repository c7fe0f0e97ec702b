package record

import (
	"fmt"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// maxName is the longest name of a player who can make a call, in bytes.
const maxName = limits.NameBytes

// audience is everyone who knows a patient, while one Commit is folded.
type audience struct {
	tx        *projection.Tx
	table, id string
	counts    map[string]counts
	heard     map[string]bool           // viewers who heard something of this Commit
	states    map[string]*eventv1.State // folds by viewer, read when needed
	renamed   []string                  // viewers that are new with this Commit
	own       bool                      // the Commit is the patient's own
}

func loadAudience(tx *projection.Tx, table, id string) (*audience, error) {
	a := &audience{tx: tx, table: table, id: id, counts: map[string]counts{}, heard: map[string]bool{},
		states: map[string]*eventv1.State{}}
	prefix := key(table, id)
	err := tx.Scan(bucketCounts, prefix, nil, func(k, v []byte) (bool, error) {
		c, ok := readCounts(v)
		if !ok {
			return false, fmt.Errorf("record: counts of %s are broken", id)
		}
		a.counts[string(k[len(prefix):])] = c
		return true, nil
	})
	if err != nil {
		return nil, err
	}
	for _, v := range []string{viewerGM, viewerPublic} {
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
	s, err := readState(a.tx.Get(bucketViews, keyLast(viewer, a.table, a.id)))
	if err != nil {
		return nil, err
	}
	a.states[viewer] = s
	return s, nil
}

// tell settles who hears an event of the patient's own Commit and folds it for
// each of them.
func (a *audience) tell(e *eventv1.Event) (Told, error) {
	full, err := a.state(viewerGM)
	if err != nil {
		return Told{}, err
	}
	hearing, err := a.hearing(full, e)
	if err != nil {
		return Told{}, err
	}
	heard := event.Hear(hearing, e)
	if err := a.hear(heard); err != nil {
		return Told{}, err
	}
	for _, v := range rules.SortedKeys(a.counts) {
		if !hears(v, heard) {
			continue
		}
		a.heard[v] = true
		s, err := a.state(v)
		if err != nil {
			return Told{}, err
		}
		event.Fold(s, e)
	}
	return told(heard, e)
}

// hear makes viewers of players who are named for the first time: until now
// they knew what everyone knows.
func (a *audience) hear(h event.Audible) error {
	for _, name := range h.Players {
		v := viewerPlayer + name
		if len(name) > maxName {
			continue // nobody of that name can ask
		}
		if _, ok := a.counts[v]; ok {
			continue
		}
		public, err := a.state(viewerPublic)
		if err != nil {
			return err
		}
		a.counts[v] = a.counts[viewerPublic]
		a.states[v] = event.Clone(public)
		a.heard[v] = a.heard[viewerPublic]
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
	from := key(a.table, a.id, viewerPublic, kind)
	type row struct{ n, v uint64 }
	var rows []row // collected first: nothing is written while reading
	err := a.tx.Scan(bucketNumbers, from, nil, func(k, v []byte) (bool, error) {
		rows = append(rows, row{projection.Number(k), projection.Number(v)})
		return true, nil
	})
	if err != nil {
		return err
	}
	for _, r := range rows {
		if err := put(a.tx, bucketNumbers, keyNumber(r.n, a.table, a.id, to, kind), number(r.v)); err != nil {
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
	s := &eventv1.State{Creatures: map[string]*eventv1.Creature{a.id: full.Creatures[a.id]}}
	for _, c := range others {
		data := a.tx.Get(bucketViews, keyLast(viewerGM, a.table, c))
		if data == nil {
			continue
		}
		other, err := readState(data)
		if err != nil {
			return nil, err
		}
		s.Creatures[c] = other.Creatures[c]
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
		if hears(v, h) {
			a.heard[v] = true
		}
	}
	return nil
}

// decision keeps the index of open decisions.
func (a *audience) decision(e *eventv1.Event) error {
	switch w := e.GetWhat().(type) {
	case *eventv1.Event_DecisionRequested:
		return put(a.tx, bucketDecisions, keyLast(w.DecisionRequested.GetDecision().GetId(), a.table), []byte(a.id))
	case *eventv1.Event_DecisionAnswered:
		return a.tx.Delete(bucketDecisions, keyLast(w.DecisionAnswered.Id, a.table))
	}
	return nil
}

// store writes what the viewers now know and how they number it.
func (a *audience) store(seq, version uint64) error {
	for _, v := range rules.SortedKeys(a.counts) {
		c := a.counts[v]
		if a.heard[v] {
			c.entries++
			if err := put(a.tx, bucketNumbers, keyNumber(c.entries, a.table, a.id, v, numberHistory), number(seq)); err != nil {
				return err
			}
		}
		// The game master counts every Commit; others those that told them something.
		if a.own && (a.heard[v] || v == viewerGM) {
			c.versions++
			if err := put(a.tx, bucketNumbers, keyNumber(c.versions, a.table, a.id, v, numberVersion), number(version)); err != nil {
				return err
			}
		}
		if err := put(a.tx, bucketCounts, keyLast(v, a.table, a.id), c.bytes()); err != nil {
			return err
		}
		if s := a.states[v]; s != nil && (a.heard[v] || slices.Contains(a.renamed, v) || a.tx.Get(bucketViews, keyLast(v, a.table, a.id)) == nil) {
			if err := putState(a.tx, bucketViews, keyLast(v, a.table, a.id), s); err != nil {
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
		if err := putState(a.tx, bucketSnapshots, keyNumber(version, a.table, a.id, v), s); err != nil {
			return err
		}
	}
	return nil
}

// hears tells whether a viewer hears it.
func hears(viewer string, h event.Audible) bool {
	switch viewer {
	case viewerGM:
		return true
	case viewerPublic:
		return h.Everyone
	}
	if h.Everyone {
		return true
	}
	_, found := slices.BinarySearch(h.Players, viewer[len(viewerPlayer):])
	return found
}

func told(h event.Audible, e *eventv1.Event) (Told, error) {
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(e)
	if err != nil {
		return Told{}, fmt.Errorf("record: event: %w", err)
	}
	return Told{Everyone: h.Everyone, Players: h.Players, Data: data}, nil
}
