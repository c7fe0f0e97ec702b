package encounter_test

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

func TestOptionsAsAskedFor(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	c.do(gm, "e", early(takeCmd("a", "attack", "b"), "parry", "no", "endure", "no"))
	for name, x := range map[string]struct {
		req  *encounterv1.GetOptionsRequest
		want int
	}{
		"of one action":    {&encounterv1.GetOptionsRequest{Actions: []string{"judge"}}, 2},
		"of no such group": {&encounterv1.GetOptionsRequest{Groups: []string{"move"}}, 0},
		"legal":            {&encounterv1.GetOptionsRequest{LegalOnly: true, WithoutDetails: true}, 3},
	} {
		x.req.As, x.req.Encounter = gm, "e"
		o, err := c.GetOptions(t.Context(), x.req)
		if err != nil || len(o.Options) != x.want {
			t.Errorf("options %s: %v %v", name, o, err)
		}
		if x.req.WithoutDetails && len(o.GetOptions()) > 0 && o.Options[0].Parameters != nil {
			t.Errorf("options %s with details: %v", name, o)
		}
	}
	if _, err := c.GetOptions(t.Context(), &encounterv1.GetOptionsRequest{As: gm, Encounter: "e", Actions: make([]string, limits.OptionFilter+1)}); code(err) != fault.Exhausted {
		t.Errorf("too many actions: %v", err)
	}
}
