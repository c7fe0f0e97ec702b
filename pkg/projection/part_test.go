package projection

import (
	"errors"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/ops"
)

func TestPartSaysHowItStands(t *testing.T) {
	for name, c := range map[string]struct {
		status Status
		closed []Closure
		state  ops.State
		text   string
	}{
		"fine":        {Status{Applied: 3, CaughtUp: true}, nil, ops.Fine, "sequence 3"},
		"reading":     {Status{Applied: 3}, nil, ops.Degraded, "still reading"},
		"moved aside": {Status{CaughtUp: true, MovedAside: "x.bad", Why: "torn"}, nil, ops.Degraded, "x.bad: torn"},
		"stopped":     {Status{CaughtUp: true, Err: errors.New("no disk")}, nil, ops.Failed, "no disk"},
		"trouble":     {Status{CaughtUp: true, Trouble: "no room"}, nil, ops.Degraded, "no room"},
		"closed": {Status{CaughtUp: true}, []Closure{{Subject: "skald.0.t.encounter.e", Sequence: 7, Why: "broken"}},
			ops.Degraded, "1 closed"},
	} {
		p := partOf("encounter", c.status, c.closed)
		if p.State != c.state || !strings.Contains(p.Text, c.text) || p.Name != "encounter" || p.Figures[0].Value != float64(len(c.closed)) || p.Figures[2].Value != float64(c.status.Applied) || len(p.Closed) != len(c.closed) {
			t.Errorf("%s: %+v", name, p)
		}
		if len(p.Closed) > 0 && (p.Closed[0].Table != "t" || p.Closed[0].Kind != "encounter" || p.Closed[0].ID != "e") {
			t.Errorf("%+v", p.Closed)
		}
	}
}
