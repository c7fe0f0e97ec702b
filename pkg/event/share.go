package event

import (
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Shared is a state that a run of rules folds into while the original stays as it
// was, at less than the cost of a copy: the creatures are its own from the start, so
// that whoever holds one sees what becomes of it, and all maps are copied when an
// event first writes to them. The original must not change as long as the state is
// in use.
type Shared struct {
	// State to be read.
	State *eventv1.State

	// own are the maps of the encounter that are the shared state's own, ofCreatures
	// those of creatures.
	own         mapOf
	ofCreatures map[string]mapOf
	was         *was // before, where the state is changed in place
	ids         []string
}

// IDs are the ids of all creatures, in order. The list must not be changed; one that was
// given stays as it is when somebody comes or goes.
func (s *Shared) IDs() []string {
	if s.ids == nil {
		s.ids = sortedIDs(s.State.Creatures)
	}
	return s.ids
}

// mapOf is a set of maps, of a creature or of the encounter.
type mapOf uint

const (
	mapCounters mapOf = 1 << iota
	mapMarks
	mapItems
	mapOrders
	mapLearned

	mapCreatures
	mapSettings
	mapSides
	mapDecisions
	mapTasks
	mapCommitments
)

// Share makes a shared state of one.
func Share(s *eventv1.State) *Shared {
	out := &eventv1.State{}
	shareState(out, s)
	out.Creatures = make(map[string]*eventv1.Creature, len(s.Creatures))
	all := make([]eventv1.Creature, len(s.Creatures)) // at once: there are some in every run
	i := 0
	// order-free: a map is copied into a map
	for id, c := range s.Creatures {
		shareCreature(&all[i], c)
		out.Creatures[id] = &all[i]
		i++
	}
	return &Shared{State: out, own: mapCreatures}
}

// shareState copies a state with the maps and lists that it has.
func shareState(out, s *eventv1.State) {
	out.Encounter, out.Table, out.Title, out.System, out.SystemVersion, out.Settings = s.Encounter, s.Table, s.Title, s.System, s.SystemVersion, s.Settings
	out.DicePolicy, out.RepeatPolicy, out.DecisionSeconds, out.Status, out.Round, out.Phase = s.DicePolicy, s.RepeatPolicy, s.DecisionSeconds, s.Status, s.Round, s.Phase
	out.Active, out.Creatures, out.Counters, out.Marks, out.Sides = s.Active, s.Creatures, s.Counters, s.Marks, s.Sides
	out.Imported, out.Decisions, out.Tasks, out.Epoch, out.Commitments, out.Entropy = s.Imported, s.Decisions, s.Tasks, s.Epoch, s.Commitments, s.Entropy
	out.UnknownEvents, out.Packs, out.Preset, out.Orders = s.UnknownEvents, s.Packs, s.Preset, s.Orders
	out.EntropyOpen, out.SettingUp, out.Beacon, out.SecretDice, out.DiceFormat, out.RulingDice = s.EntropyOpen, s.SettingUp, s.Beacon, s.SecretDice, s.DiceFormat, s.RulingDice
	out.Contests, out.SavePoints = s.Contests, s.SavePoints
}

// shareCreature copies a creature, with an empty map for each that it has not.
func shareCreature(out, c *eventv1.Creature) {
	copyCreature(out, c)
	out.Counters, out.Marks, out.Items, out.StandingOrders, out.Learned = some(c.Counters), some(c.Marks), some(c.Items), some(c.StandingOrders), some(c.Learned)
}

// copyCreature copies a creature with the maps and lists that it has: folds replace
// lists and never write to them.
func copyCreature(out, c *eventv1.Creature) {
	out.Id, out.Name, out.Side, out.Size, out.Controllers, out.Patient, out.Sheet = c.Id, c.Name, c.Side, c.Size, c.Controllers, c.Patient, c.Sheet
	out.Hp, out.HpMax, out.HpTemp, out.Life = c.Hp, c.HpMax, c.HpTemp, c.Life
	out.Counters, out.Marks, out.Items, out.StandingOrders, out.Learned = c.Counters, c.Marks, c.Items, c.StandingOrders, c.Learned
	out.Conditions, out.Injuries, out.Position, out.Initiative = c.Conditions, c.Injuries, c.Position, c.Initiative
	out.Staged, out.KnownTo, out.Relations, out.Begun, out.Orders = c.Staged, c.KnownTo, c.Relations, c.Begun, c.Orders
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
	switch e.GetWhat().(type) {
	case *eventv1.Event_CreatureAdded, *eventv1.Event_CreatureRemoved:
		s.ids = nil
	}
	if s.was != nil && s.keep(e) {
		Fold(s.State, e)
		return
	}
	switch w := e.GetWhat().(type) {
	case *eventv1.Event_EncounterCreated, *eventv1.Event_SettingChanged, *eventv1.Event_Preset:
		s.take(mapSettings)
	case *eventv1.Event_DiceEpoch:
		s.take(mapCommitments)
	case *eventv1.Event_DecisionRequested, *eventv1.Event_DecisionAnswered:
		s.take(mapDecisions)
	case *eventv1.Event_Task, *eventv1.Event_TaskEnded:
		s.take(mapTasks)
	case *eventv1.Event_CreatureAdded:
		s.take(mapSides)
		s.take(mapCreatures)
	case *eventv1.Event_CreatureRemoved:
		s.take(mapCreatures)
	case *eventv1.Event_Counter:
		s.takeOf(w.Counter.Subject, mapCounters)
	case *eventv1.Event_Mark:
		s.takeOf(w.Mark.Subject, mapMarks)
	case *eventv1.Event_Item:
		s.takeOfCreature(w.Item.Creature, mapItems)
	case *eventv1.Event_StandingOrder:
		s.takeOfCreature(w.StandingOrder.Creature, mapOrders)
	case *eventv1.Event_Learned:
		s.takeOfCreature(w.Learned.About, mapLearned)
	}
	Fold(s.State, e)
}

// takeOf makes a map of a subject of counters and marks the state's own.
func (s *Shared) takeOf(subject string, which mapOf) {
	switch {
	case subject == "":
		s.take(which)
	case isSide(subject):
		s.take(mapSides)
	default:
		s.takeOfCreature(subject, which)
	}
}

// take makes a map of the encounter the state's own.
func (s *Shared) take(which mapOf) {
	if s.own&which == 0 {
		s.own |= which
		takeOfState(s.State, which)
	}
}

func takeOfState(s *eventv1.State, which mapOf) {
	switch which {
	case mapCreatures:
		s.Creatures = copyMap(s.Creatures)
	case mapCounters:
		s.Counters = copyMap(s.Counters)
	case mapMarks:
		s.Marks = copyMap(s.Marks)
	case mapSettings:
		s.Settings = copyMap(s.Settings)
	case mapSides:
		s.Sides = copySides(s.Sides)
	case mapDecisions:
		s.Decisions = copyMap(s.Decisions)
	case mapTasks:
		s.Tasks = copyMap(s.Tasks)
	case mapCommitments:
		s.Commitments = copyMap(s.Commitments)
	}
}

// takeOfCreature makes a map of a creature the state's own.
func (s *Shared) takeOfCreature(id string, which mapOf) {
	c := s.State.Creatures[id]
	if c == nil || s.ofCreatures[id]&which != 0 {
		return
	}
	if s.ofCreatures == nil {
		s.ofCreatures = map[string]mapOf{}
	}
	s.ofCreatures[id] |= which
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
