package event

import (
	"maps"
	"slices"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Clone copies a state so that folding into the copy leaves the original as it
// was. Messages that folds replace and never write to (I3) are shared, which
// makes it many times cheaper than a deep copy.
func Clone(s *eventv1.State) *eventv1.State {
	out := &eventv1.State{
		Encounter: s.Encounter, Table: s.Table, Title: s.Title,
		System: s.System, SystemVersion: s.SystemVersion,
		Settings:   copyMap(s.Settings),
		DicePolicy: s.DicePolicy, RepeatPolicy: s.RepeatPolicy, DecisionSeconds: s.DecisionSeconds,
		Status: s.Status, Round: s.Round, Phase: s.Phase,
		Active:        slices.Clone(s.Active),
		Creatures:     make(map[string]*eventv1.Creature, len(s.Creatures)),
		Counters:      copyMap(s.Counters),
		Marks:         copyMap(s.Marks),
		Sides:         make(map[string]*eventv1.Side, len(s.Sides)),
		Decisions:     copyMap(s.Decisions),
		Tasks:         copyMap(s.Tasks),
		Epoch:         s.Epoch,
		Commitments:   copyMap(s.Commitments),
		Entropy:       slices.Clone(s.Entropy),
		UnknownEvents: s.UnknownEvents, Packs: slices.Clone(s.Packs),
	}
	// order-free: a map is copied into a map
	for id, c := range s.Creatures {
		out.Creatures[id] = CloneCreature(c)
	}
	// order-free: a map is copied into a map
	for n, sd := range s.Sides {
		out.Sides[n] = &eventv1.Side{Counters: copyMap(sd.Counters), Marks: copyMap(sd.Marks)}
	}
	return out
}

// CloneCreature copies a creature on the same terms as Clone.
func CloneCreature(c *eventv1.Creature) *eventv1.Creature {
	return &eventv1.Creature{
		Id: c.Id, Name: c.Name, Side: c.Side, Size: c.Size,
		Controllers: slices.Clone(c.Controllers), Patient: c.Patient, Sheet: c.Sheet,
		Hp: c.Hp, HpMax: c.HpMax, HpTemp: c.HpTemp, Life: c.Life,
		Counters:       copyMap(c.Counters),
		Marks:          copyMap(c.Marks),
		Conditions:     slices.Clone(c.Conditions),
		Injuries:       slices.Clone(c.Injuries),
		Position:       c.Position,
		Initiative:     slices.Clone(c.Initiative),
		Items:          copyMap(c.Items),
		StandingOrders: copyMap(c.StandingOrders),
		Learned:        copyMap(c.Learned),
		Staged:         c.Staged, KnownTo: c.KnownTo,
		Relations: slices.Clone(c.Relations),
		Begun:     slices.Clone(c.Begun),
	}
}

// Shared is a state that a run of rules folds into while the original stays as it
// was, at less than the cost of a copy: the creatures are its own from the start, so
// that whoever holds one sees what becomes of it, and their maps are copied when an
// event first writes to them. The original must not change as long as the state is
// in use.
type Shared struct {
	// State to be read.
	State *eventv1.State

	own map[ownedMap]bool
	// settings and commitments are the state's own.
	settings, commitments bool
}

// ownedMap is a map of a creature that is the shared state's own.
type ownedMap struct {
	creature *eventv1.Creature
	which    mapOf
}

type mapOf int

const (
	mapCounters mapOf = iota
	mapMarks
	mapItems
	mapOrders
	mapLearned
)

// Share makes a shared state of one.
func Share(s *eventv1.State) *Shared {
	out := Clone(&eventv1.State{
		Encounter: s.Encounter, Table: s.Table, Title: s.Title, System: s.System, SystemVersion: s.SystemVersion,
		DicePolicy: s.DicePolicy, RepeatPolicy: s.RepeatPolicy, DecisionSeconds: s.DecisionSeconds, Status: s.Status, Round: s.Round, Phase: s.Phase,
		Active: s.Active, Counters: s.Counters, Marks: s.Marks, Sides: s.Sides, Decisions: s.Decisions, Tasks: s.Tasks, Epoch: s.Epoch,
		Entropy: s.Entropy, UnknownEvents: s.UnknownEvents, Packs: s.Packs,
	})
	out.Settings, out.Commitments = some(s.Settings), some(s.Commitments)
	out.Creatures = make(map[string]*eventv1.Creature, len(s.Creatures))
	// order-free: a map is copied into a map
	for id, c := range s.Creatures {
		out.Creatures[id] = shareCreature(c)
	}
	return &Shared{State: out, own: map[ownedMap]bool{}}
}

// shareCreature copies a creature, whose lists folds replace and never write to,
// with the maps that it has.
func shareCreature(c *eventv1.Creature) *eventv1.Creature {
	return &eventv1.Creature{
		Id: c.Id, Name: c.Name, Side: c.Side, Size: c.Size, Controllers: c.Controllers, Patient: c.Patient, Sheet: c.Sheet,
		Hp: c.Hp, HpMax: c.HpMax, HpTemp: c.HpTemp, Life: c.Life, Counters: some(c.Counters), Marks: some(c.Marks),
		Conditions: c.Conditions, Injuries: c.Injuries, Position: c.Position, Initiative: c.Initiative, Items: some(c.Items),
		StandingOrders: some(c.StandingOrders), Learned: some(c.Learned), Staged: c.Staged, KnownTo: c.KnownTo,
		Relations: c.Relations, Begun: c.Begun,
	}
}

// some is a map, an empty one where there is none.
func some[K comparable, V any](m map[K]V) map[K]V {
	if m == nil {
		return map[K]V{}
	}
	return m
}

// Fold folds an event as [Fold] does.
func (s *Shared) Fold(e *eventv1.Event) {
	switch w := e.GetWhat().(type) {
	case *eventv1.Event_EncounterCreated, *eventv1.Event_SettingChanged:
		if !s.settings {
			s.State.Settings, s.settings = copyMap(s.State.Settings), true
		}
	case *eventv1.Event_DiceEpoch:
		if !s.commitments {
			s.State.Commitments, s.commitments = copyMap(s.State.Commitments), true
		}
	case *eventv1.Event_Counter:
		s.take(w.Counter.Subject, mapCounters)
	case *eventv1.Event_Mark:
		s.take(w.Mark.Subject, mapMarks)
	case *eventv1.Event_Item:
		s.take(w.Item.Creature, mapItems)
	case *eventv1.Event_StandingOrder:
		s.take(w.StandingOrder.Creature, mapOrders)
	case *eventv1.Event_Learned:
		s.take(w.Learned.About, mapLearned)
	}
	Fold(s.State, e)
}

// take makes a map of a creature the state's own.
func (s *Shared) take(id string, which mapOf) {
	c := s.State.Creatures[id]
	if c == nil || s.own[ownedMap{c, which}] {
		return
	}
	s.own[ownedMap{c, which}] = true
	switch which {
	case mapCounters:
		c.Counters = copyMap(c.Counters)
	case mapMarks:
		c.Marks = copyMap(c.Marks)
	case mapItems:
		c.Items = copyMap(c.Items)
	case mapOrders:
		c.StandingOrders = copyMap(c.StandingOrders)
	case mapLearned:
		c.Learned = copyMap(c.Learned)
	}
}

// Ready fills the maps that a state read from bytes lacks when they were empty.
func Ready(s *eventv1.State) *eventv1.State { return Clone(s) }

func copyMap[K comparable, V any](m map[K]V) map[K]V {
	if m == nil {
		return map[K]V{}
	}
	return maps.Clone(m)
}
