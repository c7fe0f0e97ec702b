package effects

import (
	"strings"
	"testing"
)

// However a name is written, it is found as the id that it stands for, in room that is
// enough for it or not.
func TestNamesAsIDs(t *testing.T) {
	long := strings.Repeat("long ", 20) + "name"
	for _, name := range []string{"alert", "War Caster", " War Caster ", "  A  B  ", "", "   ", "-x-", "tab\tbed", "\talert\n", "Élan Vital", "x Élan ", "A_B.c", "Zeal AZ", "@at [x", "\x80a", "a\x80", long, long + "  "} {
		want := &thing{}
		b := &Book{}
		b.things[Feats] = map[string]*thing{identifier(name): want, "another": {}}
		if got := b.named(Feats, name); got != want {
			t.Errorf("%q is not found as %q", name, identifier(name))
		}
		b.things[Feats] = map[string]*thing{"another": {}}
		if got := b.named(Feats, name); got != nil {
			t.Errorf("%q is found as something else", name)
		}
	}
}
