package rules_test

import (
	"errors"
	"testing"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func TestForbid(t *testing.T) {
	for _, c := range []struct {
		name         string
		err          error
		legal        bool
		reason, rule string
	}{
		{"nothing against it", nil, true, "", "toy.own"},
		{"a refusal with a rule", fault.Refuse("TOO_FAR", "toy.reach", "out of reach of %s", "ann"), false, "out of reach of ann", "toy.reach"},
		{"a refusal without a rule", fault.Refuse("NOT_STARTED", "", "there is no fight"), false, "there is no fight", "toy.own"},
		{"any error", errors.New("broken"), false, "broken", "toy.own"},
	} {
		o := &eventv1.Option{Legal: true, Rule: "toy.own"}
		rules.Forbid(o, c.err)
		if o.Legal != c.legal || o.Reason != c.reason || o.Rule != c.rule {
			t.Errorf("%s: legal %v, %q by %q", c.name, o.Legal, o.Reason, o.Rule)
		}
	}
}

func TestListed(t *testing.T) {
	list := []string{"turn", "ready.", "spell/"}
	for name, want := range map[string]bool{"turn": true, "turned": false, "ready.item": true, "ready": false, "spell/light": true, "": false} {
		if rules.Listed(list, name) != want {
			t.Errorf("%q: want %v", name, want)
		}
	}
}
