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
}

// mapOf is a set of maps, of a creature or of the encounter.
type mapOf uint

const (
	mapCounters mapOf = 1 << iota
	mapMarks
	mapItems
	mapOrders
	mapLearned

	mapSettings
	mapSides
	mapDecisions
	mapTasks
	mapCommitments
)

// Share makes a shared state of one.
func Share(s *eventv1.State) *Shared {
	out := &eventv1.State{
		Encounter: s.Encounter, Table: s.Table, Title: s.Title, System: s.System, SystemVersion: s.SystemVersion, Settings: s.Settings,
		DicePolicy: s.DicePolicy, RepeatPolicy: s.RepeatPolicy, DecisionSeconds: s.DecisionSeconds, Status: s.Status, Round: s.Round, Phase: s.Phase,
		Active: s.Active, Creatures: make(map[string]*eventv1.Creature, len(s.Creatures)), Counters: s.Counters, Marks: s.Marks, Sides: s.Sides,
		Imported: s.Imported, Decisions: s.Decisions, Tasks: s.Tasks, Epoch: s.Epoch, Commitments: s.Commitments, Entropy: s.Entropy,
		UnknownEvents: s.UnknownEvents, Packs: s.Packs, Preset: s.Preset, Orders: s.Orders,
		EntropyOpen: s.EntropyOpen, SettingUp: s.SettingUp, Beacon: s.Beacon, SecretDice: s.SecretDice, DiceFormat: s.DiceFormat, RulingDice: s.RulingDice,
		Contests: s.Contests, SavePoints: s.SavePoints,
	}
	all := make([]eventv1.Creature, len(s.Creatures)) // at once: there are some in every run
	i := 0
	// order-free: a map is copied into a map
	for id, c := range s.Creatures {
		shareCreature(&all[i], c)
		out.Creatures[id] = &all[i]
		i++
	}
	return &Shared{State: out}
}

// shareCreature copies a creature with the maps and lists that it has: folds replace
// lists and never write to them.
func shareCreature(out, c *eventv1.Creature) {
	out.Id, out.Name, out.Side, out.Size, out.Controllers, out.Patient, out.Sheet = c.Id, c.Name, c.Side, c.Size, c.Controllers, c.Patient, c.Sheet
	out.Hp, out.HpMax, out.HpTemp, out.Life = c.Hp, c.HpMax, c.HpTemp, c.Life
	out.Counters, out.Marks, out.Items, out.StandingOrders, out.Learned = some(c.Counters), some(c.Marks), some(c.Items), some(c.StandingOrders), some(c.Learned)
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
