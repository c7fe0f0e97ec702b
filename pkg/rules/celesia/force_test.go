package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// crowd is a fight of creatures each at a point of the map, in the order of
// their ids; all have had a turn, the first is up.
func crowd(t *testing.T, places [][2]int32, sheets ...*eventv1.Sheet) *table {
	t.Helper()
	f := newTable(t).add(sheets...)
	var faces []int
	for i, s := range sheets {
		f.at(s.Id, places[i][0], places[i][1])
		faces = append(faces, 18-i)
	}
	f.start(nil, faces...)
	for _, s := range sheets {
		f.End(s.Id)
	}
	return f
}

// way gives a command a path of points, x and y each.
func way(xy ...int32) func(*eventv1.TakeAction) {
	return func(take *eventv1.TakeAction) {
		for i := 0; i+1 < len(xy); i += 2 {
			take.Path = append(take.Path, &eventv1.Position{X: xy[i], Y: xy[i+1]})
		}
	}
}

func (f *table) wantAt(id string, x, y int32) {
	f.T.Helper()
	if p := f.Creature(id).Position; p.GetX() != x || p.GetY() != y {
		f.T.Errorf("%s at %v, want %d, %d", id, p, x, y)
	}
}

func sized(size string) func(*eventv1.Sheet) { return func(s *eventv1.Sheet) { s.Size = size } }

func TestBullRush(t *testing.T) {
	for _, tc := range []struct {
		rule    string
		face    int
		facts   []any
		x, acts int32
	}{
		{cite.ManeuverBullRush, 10, nil, 10, 2},
		{"celesia.maneuver.bull-rush margin 10", 20, nil, 20, 2},
		{"celesia.maneuver.bull-rush margin 4", 14, nil, 10, 2},
		{"celesia.maneuver.bull-rush fails", 9, nil, 5, 2},
		{"celesia.maneuver.bull-rush wall", 20, []any{"obstacle_feet", 7}, 10, 2},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			f := duel(t, fighter("a", "party", cmb(7)), fighter("b", "foes", cmd(17)))
			f.Must(act("a", "bull-rush", "", "b", withFacts(tc.facts...)), tc.face)
			f.wantAt("b", tc.x, 0)
			if f.acts("a") != 2 {
				t.Errorf("%d acts left", f.acts("a"))
			}
		})
	}
	t.Run("celesia.maneuver.bull-rush somebody in the way", func(t *testing.T) {
		f := crowd(t, [][2]int32{{0, 0}, {5, 0}, {15, 0}}, fighter("a", "party", cmb(7)), fighter("b", "foes", cmd(17)), fighter("c", "foes"))
		f.Must(act("a", "bull-rush", "", "b"), 20)
		f.wantAt("b", 10, 0)
	})
	t.Run("celesia.maneuver.bull-rush diagonal, legs do not count", func(t *testing.T) {
		legs := section(func(c *eventv1.CelesiaSheet) { c.Body = &eventv1.CelesiaBody{Legs: 4, Head: true} }) // celesia.maneuver.extra-legs
		f := crowd(t, [][2]int32{{0, 0}, {5, 5}}, fighter("a", "party", cmb(7)), fighter("b", "foes", cmd(17), legs))
		f.Must(act("a", "bull-rush", "", "b"), 10)
		f.wantAt("b", 10, 10)
	})
	t.Run(cite.ManeuverSizeLimit, func(t *testing.T) {
		for _, what := range []string{"bull-rush", "overrun", "drag", "reposition"} {
			f := duel(t, fighter("a", "party"), fighter("b", "foes", sized("huge")))
			wantRefused(t, f.Try(act("a", what, "", "b")), cite.ManeuverSizeLimit)
		}
		f := duel(t, fighter("a", "party"), fighter("b", "foes", sized("large")))
		f.Must(act("a", "trip", "", "b"), 2)
	})
	t.Run(cite.ManeuverBullRushFollow, func(t *testing.T) {
		f := duel(t, fighter("a", "party", cmb(7)), fighter("b", "foes", cmd(17), unarmed()))
		f.Must(act("a", "bull-rush", "", "b"), 15) // margin 5: 10 feet
		f.wantAt("b", 15, 0)
		f.Must(act("a", "move", "", "", way(10, 0)))
		if f.acts("a") != 1 {
			t.Errorf("%d acts left, want 1", f.acts("a"))
		}
		f.Must(act("a", "bull-rush", "", "b"), 10)
		wantRefused(t, f.Try(act("a", "move", "", "", way(15, 0))), cite.TurnThreeActs)
	})
	t.Run(cite.ManeuverBullRushProvoke, func(t *testing.T) {
		for _, feats := range [][]string{nil, {body.FeatBullRush}} {
			// The foe is pushed past the attacker's ally, who threatens only where it is pushed to.
			f := crowd(t, [][2]int32{{0, 0}, {5, 0}, {15, 5}}, fighter("a", "party", cmb(7), features(feats...)), fighter("b", "foes", cmd(17)), fighter("c", "party"))
			f.Must(act("a", "bull-rush", "", "b"), 20)
			if feats == nil {
				if len(f.Decisions) != 0 {
					t.Error("forced movement provoked")
				}
				continue
			}
			f.Answer(body.DecReaction+"/c", "attack:sword", 12, 3)
			f.WantHP("b", 37)
			f.wantAt("b", 20, 0)
			if f.Creature("c").Counters[body.CReactions] != 0 {
				t.Error("the reaction is not spent")
			}
		}
	})
	t.Run(cite.MovementChargeAdvantage, func(t *testing.T) {
		f := crowd(t, [][2]int32{{0, 0}, {40, 0}}, fighter("a", "party", cmb(7)), fighter("b", "foes", cmd(17)))
		f.Must(act("a", "charge", "sword", "b"))
		f.Must(act("a", "bull-rush", "", "b"), 9, 14) // keeps 14: 21
		f.wantAt("b", 45, 0)
		g := crowd(t, [][2]int32{{0, 0}, {40, 0}}, fighter("a", "party", cmb(7)), fighter("b", "foes", cmd(17)))
		g.Must(act("a", "charge", "sword", "b"))
		g.Must(act("a", "trip", "", "b"), 9) // one die
	})
}

func TestOverrun(t *testing.T) {
	for _, tc := range []struct {
		rule   string
		answer string
		face   []int
		x      int32
		prone  bool
	}{
		{"celesia.maneuver.overrun let pass", "yes", nil, 30, false},
		{"celesia.maneuver.overrun margin 5", "no", []int{14}, 30, true},
		{"celesia.maneuver.overrun margin 4", "no", []int{13}, 30, false},
		{"celesia.maneuver.overrun fails", "no", []int{8}, 5, false},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			f := crowd(t, [][2]int32{{0, 0}, {10, 0}}, fighter("a", "party", cmb(6)), fighter("b", "foes", cmd(15)))
			f.Must(act("a", "overrun", "", "b", way(30, 0)))
			if d := f.Decisions[0]; d.Creature != "b" || d.Name != answers.DecPass {
				t.Fatalf("asked %v", d)
			}
			f.Answer(answers.DecPass, tc.answer, tc.face...)
			f.wantAt("a", tc.x, 0)
			if body.Has(f.Creature("b"), body.CondProne) != tc.prone || f.acts("a") != 2 {
				t.Errorf("prone %v, %d acts", body.Has(f.Creature("b"), body.CondProne), f.acts("a"))
			}
		})
	}
	t.Run(cite.ManeuverExtraLegs, func(t *testing.T) {
		spider := section(func(c *eventv1.CelesiaSheet) { c.Body = &eventv1.CelesiaBody{Legs: 8, Head: true} })
		f := crowd(t, [][2]int32{{0, 0}, {10, 0}}, fighter("a", "party"), fighter("b", "foes", cmd(14), spider))
		f.Must(act("a", "overrun", "", "b"))
		f.Answer(answers.DecPass, "no", 2)
		if got := f.Roll("overrun").Target.Value; got != 26 {
			t.Errorf("CMD %d, want 26", got)
		}
	})
	t.Run("celesia.maneuver.overrun fails against one who stands right in front", func(t *testing.T) {
		f := crowd(t, [][2]int32{{0, 0}, {5, 0}}, fighter("a", "party", cmb(6)), fighter("b", "foes", cmd(15)))
		f.Must(act("a", "overrun", "", "b", way(20, 0)))
		f.Answer(answers.DecPass, "no", 8)
		f.wantAt("a", 0, 0)
	})
	t.Run("celesia.maneuver.overrun without a way: to the first free space behind", func(t *testing.T) {
		f := crowd(t, [][2]int32{{0, 0}, {10, 0}, {15, 0}}, fighter("a", "party"), fighter("b", "foes"), fighter("c", "party"))
		f.Must(act("a", "overrun", "", "b"))
		f.Answer(answers.DecPass, "yes")
		f.wantAt("a", 20, 0)
	})
	t.Run("celesia.maneuver.overrun refused", func(t *testing.T) {
		f := crowd(t, [][2]int32{{0, 0}, {10, 0}, {20, 0}}, fighter("a", "party"), fighter("b", "foes"), fighter("c", "foes"))
		for _, path := range [][]int32{{35, 0}, {0, 20}, {30, 0}, {10, 0}} { // too far, not through, through c too, onto b
			if err := f.Try(act("a", "overrun", "", "b", way(path...))); err == nil {
				t.Errorf("way to %v allowed", path)
			}
		}
		// A Move does not lead through a foe.
		wantRefused(t, f.Try(act("a", "move", "", "", way(15, 0))), cite.ManeuverOverrun)
		f.Afflict("b", body.CondHelpless)
		f.Must(act("a", "overrun", "", "b", way(15, 0)), 2) // whoever cannot choose is not asked
	})
}

func TestDragAndReposition(t *testing.T) {
	slow := func(feet int32) func(*eventv1.Sheet) { return func(s *eventv1.Sheet) { s.Speeds["walk"] = feet } }
	for _, tc := range []struct {
		rule     string
		cmb, cmd int32
		speed    int32
		face     int
		x        int32
	}{
		{"celesia.maneuver.drag margin 11", 9, 18, 30, 20, -15},
		{"celesia.maneuver.drag capped by speed", 19, 14, 20, 20, -20},
		{"celesia.maneuver.drag fails", 9, 18, 30, 8, 0},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			f := duel(t, fighter("a", "party", cmb(tc.cmb), slow(tc.speed)), fighter("b", "foes", cmd(tc.cmd)))
			f.Must(act("a", "drag", "", "b"), tc.face)
			f.wantAt("a", tc.x, 0)
			f.wantAt("b", tc.x+5, 0)
			if f.acts("a") != 1 {
				t.Errorf("%d acts left, want 1", f.acts("a"))
			}
		})
	}
	t.Run("celesia.maneuver.drag direction", func(t *testing.T) {
		f := duel(t, fighter("a", "party", cmb(9)), fighter("b", "foes", cmd(18)))
		f.Must(act("a", "drag", "", "b", way(0, 10)), 20) // 15 feet, but no farther than named
		f.wantAt("a", 0, 10)
		f.wantAt("b", 5, 10)
	})
	t.Run(cite.ManeuverDragProvoke, func(t *testing.T) {
		for _, feats := range [][]string{nil, {body.FeatDrag}} {
			f := crowd(t, [][2]int32{{0, 0}, {5, 0}, {10, 5}}, fighter("a", "party", cmb(9), features(feats...)), fighter("b", "foes", cmd(18)), fighter("c", "party"))
			f.Must(act("a", "drag", "", "b"), 20)
			if (len(f.Decisions) == 1) != (feats != nil) {
				t.Fatalf("feats %v: asked %v", feats, f.Decisions)
			}
			if feats != nil {
				f.Answer(body.DecReaction+"/c", "attack:sword", 2)
			}
			f.wantAt("b", -10, 0)
		}
	})
	for _, tc := range []struct {
		rule string
		face int
		path []int32
		x, y int32
	}{
		{"celesia.maneuver.reposition margin 5", 14, []int32{5, 5, 10, 5}, 10, 5}, // the last 5 feet just outside
		{"celesia.maneuver.reposition margin 0", 9, []int32{5, 5, 10, 5}, 5, 5},
		{"celesia.maneuver.reposition fails", 8, []int32{5, 5}, 5, 0},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			f := duel(t, fighter("a", "party", cmb(7)), fighter("b", "foes", cmd(16)))
			f.Must(act("a", "reposition", "", "b", way(tc.path...)), tc.face)
			f.wantAt("b", tc.x, tc.y)
			if len(f.Decisions) > 0 || f.acts("a") != 1 {
				t.Error("2 acts, and nothing is provoked")
			}
		})
	}
	t.Run("celesia.maneuver.reposition refused", func(t *testing.T) {
		f := duel(t, fighter("a", "party", cmb(7)), fighter("b", "foes", cmd(16)))
		wantRefused(t, f.Try(act("a", "reposition", "", "b", way(10, 0, 15, 0))), cite.ManeuverReposition)
		wantRefused(t, f.Try(act("a", "reposition", "", "b", way(0, 0))), cite.ManeuverReposition)
		if err := f.Try(act("a", "reposition", "", "b", rulestest.To(20))); err == nil {
			t.Error("a leap allowed")
		}
	})
}

func TestMovesOnTheWay(t *testing.T) {
	// a walks from (0, 0) past b, who threatens (15, 0), and c, who threatens the start.
	for setting, asked := range map[string]int{"off": 0, "on": 1} {
		t.Run("celesia.action.provoke on the way "+setting, func(t *testing.T) {
			f := newTable(t, body.SetOnTheWay+"="+setting).add(fighter("a", "party"), fighter("b", "foes"), fighter("c", "foes"))
			f.at("a", 0, 0)
			f.at("b", 15, 5)
			f.at("c", 0, 5)
			f.start(nil, 18, 10, 5)
			for _, id := range []string{"a", "b", "c"} {
				f.End(id)
			}
			f.Must(act("a", "move", "", "", way(30, 0)))
			f.Answer(body.DecReaction+"/c", "no")
			if len(f.Decisions) != asked {
				t.Fatalf("asked %v, want %d", f.Decisions, asked)
			}
			if asked == 1 {
				f.wantAt("a", 10, 0)
				f.Answer(body.DecReaction+"/b", "attack:sword", 12, 3)
				f.WantHP("a", 37)
			}
			f.wantAt("a", 30, 0)
		})
	}
	t.Run("celesia.action.provoke struck down on the way", func(t *testing.T) {
		f := newTable(t, body.SetOnTheWay+"=on").add(fighter("a", "party"), fighter("b", "foes"))
		f.at("a", 0, 0)
		f.at("b", 15, 5)
		f.start(nil, 18, 10)
		f.End("a")
		f.End("b")
		f.Hurt("a", -10)
		f.Must(act("a", "move", "", "", way(15, 0)))
		f.Answer(body.DecReaction, "attack:sword", 15, 4)
		f.Answer(body.DecCrippling, "none")
		f.wantAt("a", 10, 0)
		f.WantActive("b")
	})
}

// A hold does not outlast being pulled apart.
func TestTornApart(t *testing.T) {
	f := crowd(t, [][2]int32{{0, 0}, {5, 0}, {0, 5}}, fighter("a", "party", unarmed(), cmb(9)), fighter("b", "foes", cmd(15), unarmed()), fighter("c", "party", cmb(9)))
	f.Must(act("a", "grapple", "", "b"), 15)
	f.End("a")
	f.End("b")
	f.Must(act("c", "bull-rush", "", "b", withFacts("distance", 5)), 16)
	if feet, _ := body.Distance(f.Creature("a"), f.Creature("b")); feet > 5 && body.Has(f.Creature("b"), body.CondGrappled) {
		t.Errorf("held at %d feet", feet)
	}
	if body.Has(f.Creature("a"), body.CondGrappled) {
		t.Error("the hold stays")
	}
}
