package systems_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
)

// packSection is what a system carries out of packs, for its page.
func packSection(t *testing.T, sys rules.System) string {
	t.Helper()
	c, ok := sys.(rules.Contented)
	if !ok {
		t.Fatalf("%s carries out nothing of packs", sys.Info().ID)
	}
	s := c.Content()
	var b strings.Builder
	b.WriteString("\n## Packs\n\nWhat effects of packs can be here; [PACKS.md](../PACKS.md) says how they are written.\n\n| effect | points |\n|---|---|\n")
	var not []string
	for k := effects.KindModifier; k.String() != "unknown"; k++ {
		points, carried := s.Kinds[k]
		if !carried {
			not = append(not, k.String())
			continue
		}
		fmt.Fprintf(&b, "| %s | %s |\n", k, ticks(points))
	}
	b.WriteString("\n")
	for _, line := range []struct {
		what  string
		words []string
	}{{"Not carried out", not}, {"Triggers", s.Triggers}, {"Counters of costs", s.Counters}, {"Counters of extra actions", s.Extra}, {"Saving throws", s.Saves},
		{"Types of damage", s.DamageTypes}, {"Hooks", s.Hooks}, {"Tables", tablesOf(t, sys.Info().ID, s)}} {
		if len(line.words) > 0 {
			fmt.Fprintf(&b, "* %s: %s\n", line.what, ticks(line.words))
		}
	}
	return b.String()
}

// tablesOf are the tables of a system's book that packs can change.
func tablesOf(t *testing.T, id string, s effects.Support) []string {
	t.Helper()
	var out []string
	for _, book := range content.Books() {
		names, err := book.Tables()
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if book.System() != id || s.Table == nil {
				continue
			}
			if _, found := s.Table(name); found {
				out = append(out, name)
			}
		}
	}
	if len(out) == 0 {
		t.Errorf("%s: packs can change no table", id)
	}
	return out
}

func ticks(words []string) string {
	out := slices.Clone(words)
	for i, w := range out {
		out[i] = "`" + w + "`"
	}
	return strings.Join(out, " ")
}
