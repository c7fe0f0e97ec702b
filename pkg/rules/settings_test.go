package rules_test

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func TestDefaultsReadWhatNobodyChose(t *testing.T) {
	d := rules.DefaultsOf([]rules.Setting{{ID: "toy.loud", Default: "on"}, {ID: "toy.size", Default: "3"}})
	chosen := &eventv1.State{Settings: map[string]string{"toy.loud": "off", "toy.size": "many"}}
	if !d.On(nil, "toy.loud") || d.On(chosen, "toy.loud") || d.On(nil, "toy.size") {
		t.Error("toggles")
	}
	if d.Number(nil, "toy.size") != 3 || d.Number(chosen, "toy.size") != 0 || d.Value(nil, "toy.none") != "" {
		t.Error("values")
	}
}
