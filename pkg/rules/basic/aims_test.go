package basic

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/rulestest"
)

// Each attack, hold and help is for one creature; whatever a creature does with its own
// body and things is for none.
func TestWhoIsAimedAt(t *testing.T) {
	f, err := frame()
	if err != nil {
		t.Fatal(err)
	}
	rulestest.Aims(t, f, map[string][]string{"1": {"attack", "attack-on", "charge", "delay-spell", "grapple", "hold-drag", "hold-for", "hold-punch",
		"hold-silence", "hold-take-item", "let-go", "revive", "routine", "shoot", "sneak-attack", "sneak-shot", "subdue", "throw", "two-weapons"}})
}
