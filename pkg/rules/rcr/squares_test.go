package rcr

import (
	"fmt"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.base.movement-cost-additive: the squares that the options list are those to which a
// creature may move in a straight way, at the cost that the movement takes.
func TestSquaresAreThoseOfTheMove(t *testing.T) {
	for name, c := range map[string]struct {
		size   string
		speed  int32
		foes   [][2]int32
		friend [2]int32
		tiny   [2]int32 // a foe whose space may be passed
		prone  bool
	}{
		"in the open":         {"medium", 20, nil, [2]int32{90, 90}, [2]int32{-90, 0}, false},
		"among others":        {"medium", 20, [][2]int32{{5, 0}, {-5, -5}, {0, 10}, {-15, 5}}, [2]int32{0, -5}, [2]int32{-10, 0}, false},
		"a wall on the left":  {"medium", 20, [][2]int32{{-10, -5}, {-10, 0}, {-10, 5}}, [2]int32{10, 0}, [2]int32{10, 10}, false},
		"walls over y":        {"medium", 15, [][2]int32{{0, 10}, {5, 10}, {-5, 10}, {0, -10}}, [2]int32{5, 0}, [2]int32{-10, 0}, false},
		"large":               {"large", 15, [][2]int32{{10, 0}, {-5, 5}, {0, -15}}, [2]int32{-10, 10}, [2]int32{10, 10}, false},
		"crawling":            {"medium", 20, [][2]int32{{5, 0}, {0, 10}}, [2]int32{0, -5}, [2]int32{-10, 0}, true},
		"a speed of 5":        {"medium", 5, [][2]int32{{5, 0}}, [2]int32{0, -5}, [2]int32{-5, 0}, false},
		"a speed that is odd": {"medium", 12, [][2]int32{{5, 0}}, [2]int32{0, -5}, [2]int32{-5, 0}, false},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t)
			f.place(fighter("a", "party", func(s *eventv1.Sheet) { s.Size, s.Speeds["walk"] = c.size, c.speed }), 0, 0)
			f.place(fighter("p", "party"), c.friend[0], c.friend[1])
			f.place(fighter("q", "monsters", func(s *eventv1.Sheet) { s.Size = "tiny" }), c.tiny[0], c.tiny[1])
			for i, xy := range c.foes {
				f.place(fighter(fmt.Sprintf("f%d", i), "monsters"), xy[0], xy[1])
			}
			rolled := 0
			f.Roller = func(sides int) int { rolled++; return 1 + (sides-rolled%sides)%sides }
			f.start(nil)
			if c.prone {
				f.Afflict("a", body.CondProne)
			}
			f.wantSquares(c.speed + 10)
		})
	}
}

// wantSquares compares the squares listed for a's move with what the move does, for all
// squares so many feet around.
func (f *table) wantSquares(around int32) {
	f.T.Helper()
	around = around / 5 * 5
	listed := map[string]*eventv1.Square{}
	for _, o := range (System{}).Options(rules.Query{State: f.State, Creature: "a", Actions: []string{"move", "crawl"}}) {
		for _, s := range o.Squares {
			listed[fmt.Sprint(s.At.X, s.At.Y)] = s
		}
	}
	action := "move"
	if body.Has(f.Creature("a"), body.CondProne) {
		action = "crawl"
	}
	for x := -around; x <= around; x += 5 {
		for y := -around; y <= around; y += 5 {
			if x == 0 && y == 0 {
				continue
			}
			trial := *f.Table
			trial.Log = nil
			err, s := trial.Try(act("a", action, "", "", along(x, y))), listed[fmt.Sprint(x, y)]
			if (err == nil) != (s != nil) {
				f.T.Errorf("to %d, %d: listed %v, but %v", x, y, s != nil, err)
				continue
			}
			if s == nil || len(trial.Decisions) > 0 {
				continue
			}
			if spent := f.Creature("a").Counters[body.CMovement] - trial.State.Creatures["a"].Counters[body.CMovement]; spent != int64(s.Feet) {
				f.T.Errorf("to %d, %d: said to cost %d, costs %d", x, y, s.Feet, spent)
			}
		}
	}
}
