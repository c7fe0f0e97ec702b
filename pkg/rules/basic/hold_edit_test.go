package basic

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// A hold is one thing with two sides: whichever the game master gives or takes away,
// the other follows.
func TestTheGameMastersHolds(t *testing.T) {
	held := &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondHeld, Source: "a"}}}
	holds := &eventv1.Vitals{Relations: []*eventv1.Relation{{Kind: body.RelHolds, To: "b"}}}
	for name, c := range map[string]struct {
		edits []*eventv1.EditCreature
		want  bool
	}{
		"the condition given":                        {[]*eventv1.EditCreature{{Creature: "b", Vitals: held}}, true},
		"the relation given":                         {[]*eventv1.EditCreature{{Creature: "a", Vitals: holds}}, true},
		"the condition given and the relation taken": {[]*eventv1.EditCreature{{Creature: "b", Vitals: held}, {Creature: "a", RemoveRelations: []string{"holds/b"}}}, false},
		"the relation given and the condition taken": {[]*eventv1.EditCreature{{Creature: "a", Vitals: holds}, {Creature: "b", RemoveConditions: []string{body.CondHeld}}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t).add(nil, make1("a", "A"), make1("b", "B")).start(nil)
			for _, e := range c.edits {
				f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: e}})
			}
			condition, relation := body.HeldBy(f.State.Creatures["b"], "a") != nil, rules.RelationTo(f.State.Creatures["a"], body.RelHolds, "b") != nil
			if condition != c.want || relation != c.want {
				t.Errorf("held %t, holds %t, want %t", condition, relation, c.want)
			}
		})
	}
}
