package rules_test

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
)

func TestOneOf(t *testing.T) {
	if err := rules.OneOf("f", "ann", []string{"bob", "ann"}); err != nil {
		t.Error(err)
	}
	err := rules.OneOf("f", "anna", []string{"bob", "ann"})
	if why, _ := fault.As(err); why == nil || len(why.Violations) != 1 || why.Violations[0].Field != "f" ||
		why.Violations[0].Description != `"anna" is not one of bob, ann, did you mean ann?` {
		t.Error(err)
	}
}

func TestNamed(t *testing.T) {
	known := map[string][]string{"missiles.": {"bow"}, "uses.": nil}
	if err := rules.Named("counters", []string{"mana", "missiles.bow", "missiles"}, known); err != nil {
		t.Error(err)
	}
	for name, field := range map[string]string{"missiles.bwo": "counters[missiles.bwo]", "uses.potion": "counters[uses.potion]"} {
		err := rules.Named("counters", []string{"mana", name}, known)
		if why, _ := fault.As(err); why == nil || len(why.Violations) != 1 || why.Violations[0].Field != field {
			t.Errorf("%s: %v", name, err)
		}
	}
}
