package event

import (
	"slices"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// SidePrefix marks the subject of a counter or mark as a side.
const SidePrefix = "side:"

// NewState is the state before any event.
func NewState() *eventv1.State {
	return &eventv1.State{
		Settings:    map[string]string{},
		Creatures:   map[string]*eventv1.Creature{},
		Counters:    map[string]int64{},
		Marks:       map[string]string{},
		Sides:       map[string]*eventv1.Side{},
		Decisions:   map[string]*eventv1.Decision{},
		Tasks:       map[string]*eventv1.Task{},
		Commitments: map[string][]byte{},
	}
}

// FoldAll folds events in order.
func FoldAll(s *eventv1.State, events []*eventv1.Event) {
	for _, e := range events {
		Fold(s, e)
	}
}

// Fold applies one event to the state in place. It holds I1 and I3.
func Fold(s *eventv1.State, e *eventv1.Event) {
	switch w := e.GetWhat().(type) {
	case *eventv1.Event_EncounterCreated:
		foldCreated(s, w.EncounterCreated)
	case *eventv1.Event_PacksPinned:
		s.Packs = w.PacksPinned.Packs
	case *eventv1.Event_SettingChanged:
		s.Settings[w.SettingChanged.Setting] = w.SettingChanged.Value
	case *eventv1.Event_Preset:
		foldPreset(s, w.Preset)
	case *eventv1.Event_EncounterStarted:
		s.Status = eventv1.State_STATUS_STARTED
	case *eventv1.Event_EncounterEnded:
		s.Status = eventv1.State_STATUS_ENDED
		s.Active, s.Phase, s.RulingDice = nil, "", false
	case *eventv1.Event_RoundStarted:
		s.Round = w.RoundStarted.Round
	case *eventv1.Event_RoundEnded:
		s.Phase = ""
	case *eventv1.Event_PhaseStarted:
		s.Phase = w.PhaseStarted.Phase
	case *eventv1.Event_TurnStarted:
		s.Active = append([]string(nil), w.TurnStarted.Creatures...)
	case *eventv1.Event_TurnEnded:
		s.Active = without(s.Active, w.TurnEnded.Creatures)
	case *eventv1.Event_Counter:
		foldCounter(s, w.Counter)
	case *eventv1.Event_Mark:
		foldMark(s, w.Mark)
	case *eventv1.Event_DecisionRequested:
		s.Decisions[w.DecisionRequested.Decision.GetId()] = w.DecisionRequested.Decision
	case *eventv1.Event_DecisionAnswered:
		delete(s.Decisions, w.DecisionAnswered.Id)
	case *eventv1.Event_Task:
		s.Tasks[w.Task.Task.GetId()] = w.Task.Task
	case *eventv1.Event_TaskEnded:
		delete(s.Tasks, w.TaskEnded.Id)
	case *eventv1.Event_DiceEpoch:
		foldEpoch(s, w.DiceEpoch)
	case *eventv1.Event_EntropyGiven:
		foldEntropy(s, w.EntropyGiven)
	case *eventv1.Event_EntropyClosed:
		foldClosed(s, w.EntropyClosed)
	case *eventv1.Event_BeaconNamed:
		foldBeacon(s, w.BeaconNamed)
	case *eventv1.Event_DiceRevealed:
		foldRevealed(s, w.DiceRevealed)
	case *eventv1.Event_RollsOpened:
		foldOpened(s, w.RollsOpened)
	case *eventv1.Event_CreatureAdded:
		foldAdded(s, w.CreatureAdded)
	case *eventv1.Event_CreatureRemoved:
		delete(s.Creatures, w.CreatureRemoved.Creature)
		unrelate(s, w.CreatureRemoved.Creature)
		s.Active = without(s.Active, []string{w.CreatureRemoved.Creature})
	case *eventv1.Event_Roll, *eventv1.Event_Attack, *eventv1.Event_Damage, *eventv1.Event_Healing,
		*eventv1.Event_Action, *eventv1.Event_Note,
		*eventv1.Event_Reverted, *eventv1.Event_Amended:
		// They tell; the values they led to come as events of their own. A ruling
		// is carried out by whoever holds the history: see the encounter's replica.
	case nil:
		s.UnknownEvents++
	case *eventv1.Event_Forked:
		foldForked(s, w.Forked)
	case *eventv1.Event_Contest, *eventv1.Event_SavePoint, *eventv1.Event_Imported:
		foldAside(s, e)
	case *eventv1.Event_Order:
		foldOrder(s, w.Order.Order)
	default:
		foldCreature(s, e)
	}
}

// unrelate ends the relations of all others to a creature that has left.
func unrelate(s *eventv1.State, id string) {
	// order-free: each creature by itself
	for _, c := range s.Creatures {
		gone := func(r *eventv1.Relation) bool { return r.To == id }
		if slices.ContainsFunc(c.Relations, gone) {
			c.Relations = none(slices.DeleteFunc(slices.Clone(c.Relations), gone))
		}
	}
}

func foldCreated(s *eventv1.State, c *eventv1.EncounterCreated) {
	s.Encounter, s.Table, s.Title = c.Encounter, c.Table, c.Title
	s.System, s.SystemVersion, s.Packs, s.Preset = c.System, c.SystemVersion, c.Packs, c.Preset
	// order-free: a map is copied into a map
	for k, v := range c.Settings {
		s.Settings[k] = v
	}
	s.DicePolicy, s.RepeatPolicy, s.DecisionSeconds = c.DicePolicy, c.RepeatPolicy, c.DecisionSeconds
	s.Status = eventv1.State_STATUS_OPEN
}

// foldEpoch keeps the newest epoch: a command of an earlier one that a ruling
// decides again opens nothing.
// foldAdded puts a creature on the field. One that is there already is only told
// of again, to those who did not know of it.
func foldAdded(s *eventv1.State, a *eventv1.CreatureAdded) {
	if c := s.Creatures[a.Creature]; c != nil {
		c.Name, c.Side, c.Size, c.Controllers, c.Patient = a.Name, a.Side, a.Size, a.Controllers, a.Patient
		return
	}
	s.Creatures[a.Creature] = &eventv1.Creature{
		Id: a.Creature, Name: a.Name, Side: a.Side, Size: a.Size,
		Controllers: a.Controllers, Patient: a.Patient,
		Life:           eventv1.LifeStatus_LIFE_STATUS_ALIVE,
		Counters:       map[string]int64{},
		Marks:          map[string]string{},
		Items:          map[string]*eventv1.ItemState{},
		StandingOrders: map[string]string{},
		Learned:        map[string]int32{},
	}
	if a.Side != "" {
		side(s, a.Side)
	}
}

func side(s *eventv1.State, name string) *eventv1.Side {
	sd := s.Sides[name]
	if sd == nil {
		sd = &eventv1.Side{Counters: map[string]int64{}, Marks: map[string]string{}}
		s.Sides[name] = sd
	}
	return sd
}

func foldCounter(s *eventv1.State, c *eventv1.CounterSet) {
	switch {
	case c.Subject == "":
		s.Counters[c.Counter] = c.Value
	case isSide(c.Subject):
		side(s, c.Subject[len(SidePrefix):]).Counters[c.Counter] = c.Value
	default:
		if cr := s.Creatures[c.Subject]; cr != nil {
			cr.Counters[c.Counter] = c.Value
		}
	}
}

func foldMark(s *eventv1.State, m *eventv1.MarkSet) {
	var marks map[string]string
	switch {
	case m.Subject == "":
		marks = s.Marks
	case isSide(m.Subject):
		marks = side(s, m.Subject[len(SidePrefix):]).Marks
	default:
		cr := s.Creatures[m.Subject]
		if cr == nil {
			return
		}
		marks = cr.Marks
	}
	if m.Value == "" {
		delete(marks, m.Mark)
		return
	}
	marks[m.Mark] = m.Value
}

func isSide(subject string) bool {
	return len(subject) > len(SidePrefix) && subject[:len(SidePrefix)] == SidePrefix
}

func without(list, gone []string) []string {
	out := make([]string, 0, len(list))
next:
	for _, l := range list {
		for _, g := range gone {
			if l == g {
				continue next
			}
		}
		out = append(out, l)
	}
	if len(out) == 0 {
		return nil
	}
	return out
}
