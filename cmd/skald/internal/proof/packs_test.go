package proof

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/library"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// The packs of an export are those that the encounter pinned, or none of them.
func TestPacks(t *testing.T) {
	a, b := []byte("a"), []byte("b")
	add := func(p *Proof, packs ...[]byte) *Proof {
		for _, data := range packs {
			p.Pack(library.Digest(data), data)
		}
		return p
	}
	for name, tt := range map[string]struct {
		proof *Proof
		want  string // a problem; empty when there is none
	}{
		"all":       {add(New(), a, b), ""},
		"none":      {add(New()), ""},
		"one":       {add(New(), a), "is pinned and not in the export"},
		"too many":  {add(New(), a, b, []byte("c")), "is in the export and not pinned"},
		"not whole": {func() *Proof { p := add(New(), a, b); p.Pack(library.Digest(a), b); return p }(), "its digest is"},
	} {
		p := tt.proof
		p.pin([]*eventv1.Event{event.New(event.Everyone(), &eventv1.EncounterCreated{Packs: []string{library.Digest(a), library.Digest(b)}})})
		r := p.report
		p.packsProved(&r)
		if tt.want == "" && len(r.Problems) > 0 || tt.want != "" && !slices.ContainsFunc(r.Problems, func(s string) bool { return strings.Contains(s, tt.want) }) {
			t.Errorf("%s: %v", name, r.Problems)
		}
		if r.Pinned != 2 || r.Packs != len(p.packs) {
			t.Errorf("%s: %d pinned, %d there", name, r.Pinned, r.Packs)
		}
	}
}
