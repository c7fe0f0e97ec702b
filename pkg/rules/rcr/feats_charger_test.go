package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.feat.charger-straight-bonus: ten feet straight on may be gone in two moves; who
// turns in between has gone five. Along either axis.
func TestAChargersWayMayBeGoneInTwoMoves(t *testing.T) {
	for _, c := range []struct {
		name     string
		foe      [2]int32
		way      [][2]int32
		straight int64
		hp       int32
	}{
		{"east and east: 4, 3 and 5", [2]int32{15, 0}, [][2]int32{{5, 0}, {10, 0}}, 10, 28},
		{"north and north", [2]int32{0, 15}, [][2]int32{{0, 5}, {0, 10}}, 10, 28},
		{"west, three times", [2]int32{-20, 0}, [][2]int32{{-5, 0}, {-10, 0}, {-15, 0}}, 15, 28},
		{"north-east, then east: 4 and 3", [2]int32{15, 5}, [][2]int32{{5, 5}, {10, 5}}, 5, 33},
		{"east, then north", [2]int32{5, 10}, [][2]int32{{5, 0}, {5, 5}}, 5, 33},
		{"away and back", [2]int32{10, 0}, [][2]int32{{-5, 0}, {0, 0}, {5, 0}}, 10, 28},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t)
			f.place(fighter("a", "party", feat("charger")), 0, 0)
			f.place(fighter("b", "monsters"), c.foe[0], c.foe[1])
			f.start(nil, 20, 5)
			f.Must(act("a", "dash", "", ""))
			for _, to := range c.way {
				f.Must(act("a", "move", "", "", func(take *eventv1.TakeAction) { take.Path = []*eventv1.Position{{X: to[0], Y: to[1]}} }))
			}
			f.wantCount("a", body.CStraight, c.straight)
			f.Must(act("a", "charge", "sword", "b"), 15, 4)
			f.WantHP("b", c.hp)
		})
	}
}
