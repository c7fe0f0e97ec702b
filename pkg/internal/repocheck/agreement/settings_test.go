// Package agreement_test checks that what several packages say of the same thing
// is the same. It stands apart from the checks of files, which must run even
// while some package does not compile.
package agreement_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/catalogue"
	"github.com/skaldrpg/skald/pkg/systems"
)

// A setting whose id is a rule's is that rule's toggle: the catalogue, which
// documents it, and the rule system, which obeys it, must agree on it.
func TestSettingsAgreeWithTheCatalogue(t *testing.T) {
	registry := systems.Registry()
	for _, id := range registry.IDs() {
		system, err := registry.System(id)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range system.Settings() {
			if strings.HasPrefix(s.ID, id+".setting.") {
				continue // a reading that tables differ on, declared by the system
			}
			rule, ok := catalogue.Lookup(catalogue.RuleID(s.ID))
			if !ok || !rule.Toggle || rule.ID.System() != id {
				t.Errorf("%s: setting %s is no toggle of its catalogue", id, s.ID)
				continue
			}
			want := catalogue.Off
			if rule.DefaultOn {
				want = catalogue.On
			}
			if s.Default != want {
				t.Errorf("%s: default %s, the catalogue says %s", s.ID, s.Default, want)
			}
			if values := slices.Sorted(slices.Values(s.Values)); !slices.Equal(values, []string{catalogue.Off, catalogue.On}) {
				t.Errorf("%s: values %v, a toggle has on and off", s.ID, s.Values)
			}
		}
	}
}
