package books

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/pack"
	"github.com/skaldrpg/skald/pkg/content/packs"
)

// A server offers the packs of the build that are no examples, and what it is
// given after them.
func TestOffer(t *testing.T) {
	own := packOf("own", 1)
	all, err := Offer(own)()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, data := range all {
		p, err := pack.Unmarshal(data)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, p.Name)
	}
	want := append(slices.DeleteFunc(packs.List(), func(name string) bool { return strings.HasPrefix(name, "example-") }), "own")
	if !slices.Equal(names, want) {
		t.Errorf("offered %v, want %v", names, want)
	}
}
