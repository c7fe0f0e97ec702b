package rules_test

import (
	"context"
	"testing"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func TestPlacesOffEveryMapAreRefused(t *testing.T) {
	state := fightState(t)
	place := func(p *eventv1.Position) *eventv1.Command {
		return &eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "a", Position: p}}}
	}
	walk := func(path ...*eventv1.Position) *eventv1.Command {
		return &eventv1.Command{What: &eventv1.Command_Take{Take: &eventv1.TakeAction{Creature: "a", Action: "attack", Targets: []string{"b"}, Path: path}}}
	}
	edge := &eventv1.Position{X: rules.MaxCoordinate, Y: -rules.MaxCoordinate}
	for _, c := range []struct {
		name  string
		cmd   *eventv1.Command
		field string
	}{
		{"the edge of the map", place(edge), ""},
		{"a foot beyond", place(&eventv1.Position{Y: -rules.MaxCoordinate - 1}), "edit.position.y"},
		{"as far as numbers go", place(&eventv1.Position{Z: -1 << 31}), "edit.position.z"},
		{"entering beyond the map", &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{
			Sheet: &eventv1.Sheet{Id: "c", Name: "C", Side: "x", HitPoints: 1}, Position: &eventv1.Position{X: 1<<31 - 1}}}}, "add.position.x"},
		{"a way beyond the map", walk(edge, &eventv1.Position{X: rules.MaxCoordinate + 1}), "take.path[1].x"},
		{"a way with a hole", walk(edge, nil), "take.path[1]"},
	} {
		_, err := rules.Run(context.Background(), toy{}, rules.Request{State: state, Action: 9}, &table{}, rules.Resolve(toy{}, c.cmd))
		f, refused := fault.As(err)
		switch {
		case c.field == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.field != "" && (!refused || len(f.Violations) != 1 || f.Violations[0].Field != c.field):
			t.Errorf("%s: %v, want a refusal of %s", c.name, err, c.field)
		}
	}
}

func TestListsOfAnActionHaveLimits(t *testing.T) {
	state := fightState(t)
	for _, c := range []struct {
		limit string
		take  *eventv1.TakeAction
	}{
		{"points of a path", &eventv1.TakeAction{Path: make([]*eventv1.Position, rules.MaxPath+1)}},
		{"targets of an action", &eventv1.TakeAction{Targets: make([]string, rules.MaxCreatures+1)}},
		{"circumstances of an action", &eventv1.TakeAction{Circumstances: make([]*eventv1.Circumstance, rules.MaxCircumstances+1)}},
	} {
		c.take.Creature, c.take.Action = "a", "attack"
		for i := range c.take.Targets {
			c.take.Targets[i] = "b"
		}
		cmd := &eventv1.Command{What: &eventv1.Command_Take{Take: c.take}}
		_, err := rules.Run(context.Background(), toy{}, rules.Request{State: state, Action: 9}, &table{}, rules.Resolve(toy{}, cmd))
		if f, ok := fault.As(err); !ok || f.Code != fault.Exhausted || f.Meta["limit"] != c.limit {
			t.Errorf("%s: %v", c.limit, err)
		}
	}
}
