package client_test

import (
	"errors"
	"math"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/client"
	"github.com/skaldrpg/skald/pkg/event"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// What Go has and JSON does not, in the fields of a form; what both have is in the
// vectors (pkg/vectors).
func TestValuesOfGo(t *testing.T) {
	form := client.FormOf(&eventv1.Option{Creature: "a", Action: "go", Legal: true, Parameters: []*eventv1.Parameter{
		{Name: "feet", Type: "number", Minimum: 5, Maximum: 30}, {Name: "who", Type: "creatures"}, {Name: "more", Type: "any"}}})
	for name, tt := range map[string]struct {
		value any
		field string // that is wrong; empty for none
	}{
		"feet": {10, ""}, "feet as int64": {int64(10), ""}, "too many feet": {uint8(31), "fields.feet"}, "endless feet": {math.Inf(1), "fields.feet"},
		"no number": {math.NaN(), "fields.feet"}, "a channel": {make(chan int), "fields.feet"}, "nothing": {nil, "fields.feet"},
	} {
		cmd, err := form.Command(client.Values{Fields: map[string]any{"feet": tt.value, "who": []string{"b", "c"}, "more": map[string]int{"a": 1}}})
		if tt.field == "" {
			take := cmd.GetTake()
			if who := take.GetParameters().GetFields()["who"].GetListValue().GetValues(); err != nil || take.Parameters.Fields["feet"].GetNumberValue() != 10 || len(who) != 2 {
				t.Errorf("%s: %v, %v", name, cmd, err)
			}
			continue
		}
		var refused *client.FormError
		if !errors.As(err, &refused) || len(refused.Problems) != 1 || refused.Problems[0].Field != tt.field {
			t.Errorf("%s: %v, %v", name, cmd, err)
		}
	}
	if _, err := form.Command(client.Values{Fields: map[string]any{"more": func() {}}}); err == nil {
		t.Error("a function is a value")
	}
}

// A state that came off the wire has no maps where they are empty: it is folded into as
// any other, and stays as it was.
func TestFoldIntoAStateOffTheWire(t *testing.T) {
	var sent eventv1.State
	data, err := proto.Marshal(&eventv1.State{Creatures: map[string]*eventv1.Creature{"a": {Id: "a"}}})
	if err != nil || proto.Unmarshal(data, &sent) != nil {
		t.Fatal(err)
	}
	before := proto.CloneOf(&sent)
	all := event.Everyone()
	step := &encounterv1.Step{Events: []*eventv1.Event{
		event.New(all, &eventv1.MarkSet{Subject: "a", Mark: "m", Value: "v"}), event.New(all, &eventv1.MarkSet{Mark: "m", Value: "v"}),
		event.New(all, &eventv1.SettingChanged{Setting: "s", Value: "v"})}}
	after := client.Fold(&sent, step)
	if after.Marks["m"] != "v" || after.Creatures["a"].Marks["m"] != "v" || after.Settings["s"] != "v" {
		t.Errorf("folded to %v", after)
	}
	if !proto.Equal(&sent, before) {
		t.Errorf("the state before was written to: %v", &sent)
	}
	restored := client.Fold(after, &encounterv1.Step{Restored: &sent})
	if again := client.Fold(restored, step); !proto.Equal(again, after) {
		t.Errorf("after a ruling: %v", again)
	}
}
