package render_test

import (
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/render"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

// What other rules change stands before what the ruling changes.
func TestDriftStandsApart(t *testing.T) {
	got := render.Preview(&encounterv1.PreviewRulingResponse{
		Changes: []*encounterv1.Change{{Path: "creatures.b.hp", Before: "5", After: "7"}},
		Drift: &encounterv1.RulesDrift{System: "rcr", Recorded: []string{"2"}, Running: "3", Versions: []uint64{5},
			Changes: []*encounterv1.Change{{Path: "creatures.b.hp", Before: "8", After: "5"}}},
	})
	rules, ruling := strings.Index(got, "by the rules alone: b: hit points 8 -> 5"), strings.Index(got, "hit points 5 -> 7")
	if rules < 0 || ruling < rules || !strings.Contains(got, "rcr 2, here 3") || !strings.Contains(got, "step 5") {
		t.Errorf("got %s", got)
	}
}
