package event

import (
	"slices"
	"testing"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// I3: whoever goes through a list of a state meets what was in it, whatever is folded
// meanwhile.
func TestFoldsReplaceLists(t *testing.T) {
	s := NewState()
	cond := func(id string) *eventv1.Event {
		return New(Everyone(), &eventv1.ConditionAdded{Creature: "a", Condition: &eventv1.Condition{Id: id}})
	}
	injury := func(id string) *eventv1.Event {
		return New(Everyone(), &eventv1.InjuryAdded{Creature: "a", Injury: &eventv1.Injury{Id: id}})
	}
	tie := func(to string) *eventv1.Event {
		return New(Everyone(), &eventv1.RelationSet{Creature: "a", Relation: &eventv1.Relation{Kind: "k", To: to}})
	}
	begun := func(id string) *eventv1.Event {
		return New(Everyone(), &eventv1.BegunSet{Creature: "a", Begun: &eventv1.Begun{Id: id, Kind: id}})
	}
	place := func(round int32) *eventv1.Event {
		return New(Everyone(), &eventv1.InitiativeSet{Creature: "a", Round: round, Total: 1})
	}
	turn := func(ids ...string) *eventv1.Event {
		return New(Everyone(), &eventv1.TurnStarted{Creatures: ids})
	}
	Fold(s, New(Everyone(), &eventv1.CreatureAdded{Creature: "a"}))
	FoldAll(s, []*eventv1.Event{cond("1"), cond("2"), injury("1"), injury("2"), tie("b"), tie("c"), begun("1"), begun("2"), place(1), place(2), turn("a", "b")})
	c := s.Creatures["a"]
	conditions, injuries, relations, things, places, active := c.Conditions, c.Injuries, c.Relations, c.Begun, c.Initiative, s.Active
	wasConditions, wasInjuries, wasRelations, wasThings, wasPlaces, wasActive := slices.Clone(conditions), slices.Clone(injuries),
		slices.Clone(relations), slices.Clone(things), slices.Clone(places), slices.Clone(active)
	FoldAll(s, []*eventv1.Event{cond("1"), cond("3"), injury("1"), injury("3"), tie("b"), tie("d"), begun("1"), begun("3"), place(1), place(3), turn("c"),
		New(Everyone(), &eventv1.ConditionRemoved{Creature: "a", Id: "2"}), New(Everyone(), &eventv1.InjuryRemoved{Creature: "a", Id: "2"}),
		New(Everyone(), &eventv1.RelationEnded{Creature: "a", Kind: "k"}), New(Everyone(), &eventv1.BegunEnded{Creature: "a", Id: "2"}),
		New(Everyone(), &eventv1.InitiativeCleared{Creature: "a", Round: 2}), New(Everyone(), &eventv1.TurnEnded{Creatures: []string{"c"}}),
		New(Everyone(), &eventv1.EncounterEnded{})})
	if len(c.Conditions) != 2 || len(c.Relations) != 0 || len(s.Active) != 0 {
		t.Errorf("after the folds: %v, %v", c, s.Active)
	}
	if !slices.Equal(conditions, wasConditions) || !slices.Equal(injuries, wasInjuries) || !slices.Equal(relations, wasRelations) ||
		!slices.Equal(things, wasThings) || !slices.Equal(places, wasPlaces) || !slices.Equal(active, wasActive) {
		t.Errorf("lists from before are now %v, %v, %v, %v, %v, %v", conditions, injuries, relations, things, places, active)
	}
}
