package rulestest

import (
	"strings"

	"google.golang.org/protobuf/types/known/structpb"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Add puts creatures on the field, without places.
func (f *Table) Add(sheets ...*eventv1.Sheet) {
	f.T.Helper()
	for _, s := range sheets {
		f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: s}}})
	}
}

// AddAt puts a creature on the field at a place, in feet.
func (f *Table) AddAt(x, y int32, s *eventv1.Sheet) {
	f.T.Helper()
	f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: s, Position: &eventv1.Position{X: x, Y: y}}}})
}

// Start begins the fight; facts may be nil.
func (f *Table) Start(facts *structpb.Struct, faces ...int) {
	f.T.Helper()
	f.Must(&eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{Facts: facts}}}, faces...)
}

// End ends the turn of a creature.
func (f *Table) End(creature string, faces ...int) {
	f.T.Helper()
	f.Must(EndTurn(creature), faces...)
}

// Place moves a creature by the game master's word, in feet.
func (f *Table) Place(creature string, x, y int32) {
	f.T.Helper()
	f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: creature, Position: &eventv1.Position{X: x, Y: y}}}})
}

// Put changes a creature by the game master's word.
func (f *Table) Put(creature string, v *eventv1.Vitals) {
	f.T.Helper()
	f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: creature, Vitals: v}}})
}

// Hurt sets hit points by the game master's word.
func (f *Table) Hurt(creature string, hp int32) {
	f.T.Helper()
	f.Put(creature, &eventv1.Vitals{Hp: &hp})
}

// Count sets counters by the game master's word: name, value pairs.
func (f *Table) Count(creature string, pairs ...any) {
	f.T.Helper()
	v := &eventv1.Vitals{Counters: map[string]int64{}}
	for i := 0; i < len(pairs); i += 2 {
		v.Counters[pairs[i].(string)] = int64(pairs[i+1].(int))
	}
	f.Put(creature, v)
}

// Afflict puts conditions on a creature by the game master's word, each of the
// form "name", "name=variant", "name@source" or "name=variant@source".
func (f *Table) Afflict(creature string, conditions ...string) {
	f.T.Helper()
	v := &eventv1.Vitals{}
	for _, c := range conditions {
		c, source, _ := strings.Cut(c, "@")
		name, variant, _ := strings.Cut(c, "=")
		v.Conditions = append(v.Conditions, &eventv1.Condition{Name: name, Variant: variant, Source: source, Cause: "test"})
	}
	f.Put(creature, v)
}
