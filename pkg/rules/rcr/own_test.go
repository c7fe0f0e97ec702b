package rcr

import (
	"slices"
	"testing"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// The feats of a sheet one by one are those of its lists, in the order in which content
// reads them: feats, features, traits.
func TestFeatsOneByOne(t *testing.T) {
	full := &eventv1.RcrSheet{Feats: []string{"alert", "lucky"}, Features: []*eventv1.RcrFeature{{Name: "rage"}}, Traits: []string{"brave", "pack tactics"}}
	for _, c := range []struct {
		sheet *eventv1.Sheet
		want  []string
	}{
		{nil, nil},
		{&eventv1.Sheet{}, nil},
		{&eventv1.Sheet{Section: &eventv1.Sheet_Rcr{Rcr: &eventv1.RcrSheet{Traits: []string{"brave"}}}}, []string{"brave"}},
		{&eventv1.Sheet{Feats: []string{"of the core, listed apart"}, Section: &eventv1.Sheet_Rcr{Rcr: full}}, []string{"alert", "lucky", "rage", "brave", "pack tactics"}},
	} {
		var got []string
		for i := 0; ; i++ {
			name, ok := featAt(c.sheet, i)
			if !ok {
				break
			}
			got = append(got, name)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
}
