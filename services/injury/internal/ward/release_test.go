package ward

import (
	"context"
	"fmt"
	"testing"

	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// plain is a rule system in which everything about a creature is its
// controllers' business.
type plain struct{ rules.System }

func (plain) Info() rules.Info          { return rules.Info{ID: "plain", Version: "1"} }
func (plain) Settings() []rules.Setting { return nil }
func (plain) Audience(_ *eventv1.State, _ rules.FactKind, _, creature string) *eventv1.Audience {
	return event.Controllers(creature)
}

func drawCreature(t *rapid.T, label string) *eventv1.Creature {
	n := func(what string, most int) int { return rapid.IntRange(0, most).Draw(t, label+" "+what) }
	c := &eventv1.Creature{Id: "p", Name: "P", Controllers: []string{"ann"}, Patient: "p",
		Hp: proto.Int32(int32(n("hp", 3))), HpMax: proto.Int32(int32(3 + n("max", 2))), HpTemp: proto.Int32(int32(n("temp", 2))),
		Life:     eventv1.LifeStatus(1 + n("life", 5)),
		Counters: map[string]int64{}, Marks: map[string]string{}, Items: map[string]*eventv1.ItemState{},
		StandingOrders: map[string]string{}, Learned: map[string]int32{}, Sheet: &eventv1.Sheet{Id: "p", Patient: "p", HitPoints: int32(n("sheet", 1))}}
	for i := range 3 {
		if v := n("counter", 2); v > 0 {
			c.Counters[fmt.Sprint("c", i)] = int64(v)
		}
		if v := n("mark", 2); v > 0 {
			c.Marks[fmt.Sprint("m", i)] = fmt.Sprint(v)
		}
	}
	for _, i := range rapid.Permutation([]int{0, 1, 2, 3}).Draw(t, label+" order")[:n("conditions", 4)] {
		c.Conditions = append(c.Conditions, &eventv1.Condition{Id: fmt.Sprint("x", i), Name: "x", Variant: fmt.Sprint(n("variant", 1))})
	}
	for _, i := range rapid.Permutation([]int{0, 1, 2, 3}).Draw(t, label+" order")[:n("injuries", 4)] {
		c.Injuries = append(c.Injuries, &eventv1.Injury{Id: fmt.Sprint("i", i), Kind: "scar", Amount: int32(n("amount", 1))})
	}
	return c
}

// Whatever a creature was and whatever it has become, the events of its leaving
// make the record the creature, for the game master and for its controllers.
func TestLeavingMakesTheRecordTheCreature(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		before, after := drawCreature(rt, "before"), drawCreature(rt, "after")
		before.Marks[markEncounter] = "e1"
		if rapid.Bool().Draw(rt, "new controllers") {
			after.Controllers = []string{"bob"}
		}
		state := event.NewState()
		state.Creatures["p"] = before
		l := &leaving{id: "p", creature: proto.Clone(after).(*eventv1.Creature)}
		out, err := rules.Run(context.Background(), plain{}, rules.Request{State: state}, &table{}, l.leave)
		if err != nil {
			rt.Fatal(err)
		}
		got := out.State.Creatures["p"]
		for name, v := range got.Counters { // a counter that is 0 is one that is not there
			if v == 0 {
				delete(got.Counters, name)
			}
		}
		if !proto.Equal(got, after) {
			rt.Fatalf("record\n%v\nwant\n%v", got, after)
		}
		if len(after.Controllers) == 1 && after.Controllers[0] == "bob" {
			knows := event.NewState()
			knows.Creatures["p"] = &eventv1.Creature{Id: "p", Name: "P", Patient: "p", Controllers: []string{"ann"}}
			bob := &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "bob"}
			knows = event.Ready(knows)
			event.FoldAll(knows, event.Visible(state, out.Events, bob))
			seen := knows.Creatures["p"]
			if seen.GetHp() != after.GetHp() || len(seen.Conditions) != len(after.Conditions) || len(seen.Injuries) != len(after.Injuries) {
				rt.Fatalf("the new controller knows\n%v\nof\n%v", seen, after)
			}
		}
	})
}
