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
		Sides:         copySides(s.Sides),
		Decisions:     copyMap(s.Decisions),
		Tasks:         copyMap(s.Tasks),
		Epoch:         s.Epoch,
		Commitments:   copyMap(s.Commitments),
		Entropy:       slices.Clone(s.Entropy),
		UnknownEvents: s.UnknownEvents, Packs: slices.Clone(s.Packs),
		Preset: s.Preset, Orders: slices.Clone(s.Orders),
		EntropyOpen: s.EntropyOpen, SettingUp: s.SettingUp, Beacon: s.Beacon, SecretDice: s.SecretDice, DiceFormat: s.DiceFormat, RulingDice: s.RulingDice,
		Imported: s.Imported, Contests: s.Contests, SavePoints: s.SavePoints,
	}
	// order-free: a map is copied into a map
	for id, c := range s.Creatures {
		out.Creatures[id] = CloneCreature(c)
	}
	return out
}

func copySides(sides map[string]*eventv1.Side) map[string]*eventv1.Side {
	out := make(map[string]*eventv1.Side, len(sides))
	// order-free: a map is copied into a map
	for n, sd := range sides {
		out[n] = &eventv1.Side{Counters: copyMap(sd.Counters), Marks: copyMap(sd.Marks)}
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
		Orders:    slices.Clone(c.Orders),
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
