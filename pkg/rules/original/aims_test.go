package original

import (
	"strconv"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
)

// An attack, a charge, a grab and a chase are at one creature; a shield covers a
// creature from at most two.
func TestWhoIsAimedAt(t *testing.T) {
	f, err := frame()
	if err != nil {
		t.Fatal(err)
	}
	rulestest.Aims(t, f, map[string][]string{
		"1":                                     {"attack", "backstab", "charge", "disarm", "dismount", "entangle", "face", "grapple", "pursue"},
		"1-2":                                   {"shield"},
		"1-" + strconv.Itoa(rules.MaxCreatures): {"shortcut", "through"}, // a way past foes
		"0-" + strconv.Itoa(rules.MaxCreatures): {"cast"},
	})
}
