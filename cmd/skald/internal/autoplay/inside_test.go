package autoplay

import (
	"math/rand/v2"
	"slices"
	"testing"

	"google.golang.org/protobuf/types/known/structpb"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// prepares is an option with two actions and a line of its own inside.
func prepares() *eventv1.Option {
	words := func(name string, values ...string) *eventv1.Parameter {
		x := &eventv1.Parameter{Name: name, Type: "string", Required: true}
		for _, v := range values {
			x.Values = append(x.Values, structpb.NewStringValue(v))
		}
		return x
	}
	return &eventv1.Option{Creature: "a", Action: "ready", Legal: true, Targets: []string{"z"}, MaximumTargets: 1,
		Parameters: []*eventv1.Parameter{words("action", "attack", "fall"), words("trigger", "moves")},
		Choices: []*eventv1.Option{
			{Action: "attack", Item: "bow", Targets: []string{"b"}, MinimumTargets: 1, MaximumTargets: 1, Parameters: []*eventv1.Parameter{words("trigger", "shoots")}},
			{Action: "fall", Parameters: []*eventv1.Parameter{{Name: "feet", Type: "number", Required: true, Minimum: 10, Maximum: 12}}},
			{Action: "ready", Item: "self"},
			{Action: "say", Parameters: []*eventv1.Parameter{words("what")}}, // nothing to choose from
		}}
}

func TestWhatIsInsideIsTaken(t *testing.T) {
	r, seen := Random{rand.New(rand.NewPCG(1, 2))}, map[string]bool{}
	for range 200 {
		take := r.Command(prepares(), nil).GetTake()
		fields := take.Parameters.GetFields()
		action := fields["action"].GetStringValue()
		seen[action+"/"+take.Item] = true
		if take.Action != "ready" || take.Creature != "a" {
			t.Fatalf("not the option's: %v", take)
		}
		switch action {
		case "attack":
			if take.Item != "bow" || !slices.Equal(take.Targets, []string{"b"}) || fields["trigger"].GetStringValue() != "shoots" {
				t.Fatalf("not the choice's: %v", take)
			}
		case "fall":
			if n := fields["feet"].GetNumberValue(); n < 10 || n > 12 || n != float64(int(n)) || len(take.Targets) > 0 {
				t.Fatalf("out of bounds: %v", take)
			}
			fallthrough
		default:
			if fields["trigger"].GetStringValue() != "moves" {
				t.Fatalf("without what the option itself needs: %v", take)
			}
		}
	}
	for _, want := range []string{"attack/bow", "fall/", "/self"} {
		if !seen[want] {
			t.Errorf("%s was never chosen", want)
		}
	}
	if len(seen) != 3 {
		t.Errorf("something was chosen that cannot be filled in: %v", seen)
	}
}

func TestFillable(t *testing.T) {
	needs := func(x *eventv1.Parameter) *eventv1.Option {
		x.Required = true
		return &eventv1.Option{Parameters: []*eventv1.Parameter{x}}
	}
	cases := []struct {
		name string
		o    *eventv1.Option
		want bool
	}{
		{"nothing needed", &eventv1.Option{}, true},
		{"a word that is not listed", needs(&eventv1.Parameter{Type: "string"}), false},
		{"a number from 1 to 5", needs(&eventv1.Parameter{Type: "number", Minimum: 1, Maximum: 5}), true},
		{"a number without ends", needs(&eventv1.Parameter{Type: "number"}), false},
		{"one of the choices can be", prepares(), true},
		{"none of the choices can be", &eventv1.Option{Choices: []*eventv1.Option{needs(&eventv1.Parameter{Type: "path"})}}, false},
	}
	for _, c := range cases {
		if got := Fillable(c.o); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
