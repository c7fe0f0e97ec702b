package rcr

import (
	"strconv"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
)

// Attacks, holds, help, mounts and treatment are for one creature, a check may be
// against one, a blast of wings takes all around; the rest is for none.
func TestWhoIsAimedAt(t *testing.T) {
	f, err := newFrame()
	if err != nil {
		t.Fatal(err)
	}
	rulestest.Aims(t, f, map[string][]string{
		"1": {"attack", "brawl", "calm-mount", "charge", "charge-shove", "grapple", "help", "help-check", "medicine", "mount", "off-hand-attack", "overrun", "pin",
			"release", "run-down", "search", "seize-mount", "shove", "stabilise", "steal", "train-mount", "tumble"},
		"0-1":                                   {"called-check", "called-save", "check", "collide", "use-item", "use-kit"},
		"0-" + strconv.Itoa(rules.MaxCreatures): {"wind-blast"},
	})
}
