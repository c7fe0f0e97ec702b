package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.damage.dangerous-terrain, rcr.movement.dangerous-as-difficult,
// rcr.base.movement-cost-additive: what counts is movement spent in dangerous ground against
// half of the movement of the turn, by whatever mode and however dear the foot is.
func TestHalfOfTheMovement(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*eventv1.Sheet)
		before func(f *table)
		action string
		feet   int
		facts  []any
		hurt   bool
		spent  int64
	}{
		{"7 feet of 30 are 14", nil, nil, "move", 7, []any{"dangerous", 7}, false, 14},
		{"8 feet are 16", nil, nil, "move", 8, []any{"dangerous", 8}, true, 16},
		{"difficult as well it is no dearer", nil, nil, "move", 7, []any{"dangerous", 7, "difficult", 7, "overlap", 7}, false, 14},
		{"difficult ground before it does not count", nil, nil, "move", 11, []any{"dangerous", 7, "difficult", 4}, false, 22},
		{"crawling, 5 feet are 15: exactly half", nil, func(f *table) { f.Must(act("a", "drop-prone", "", "")) }, "crawl", 5, []any{"dangerous", 5}, false, 15},
		{"crawling, 6 feet are 18", nil, func(f *table) { f.Must(act("a", "drop-prone", "", "")) }, "crawl", 6, []any{"dangerous", 6}, true, 18},
		{"blinded, 6 feet are 18", nil, func(f *table) { f.Afflict("a", body.CondBlinded) }, "move", 6, []any{"dangerous", 6}, true, 18},
		{"in a crouch half is 7 and a half: 4 feet", nil, func(f *table) { f.Must(act("a", "crouch", "", "")) }, "move", 4, []any{"dangerous", 4}, true, 8},
		{"in a crouch, 3 feet", nil, func(f *table) { f.Must(act("a", "crouch", "", "")) }, "move", 3, []any{"dangerous", 3}, false, 6},
		{"exhausted to 25, 7 feet are more than 12 and a half", nil, func(f *table) { f.Count("a", body.CExhaustion, 2) }, "move", 7, []any{"dangerous", 7}, true, 14},
		{"after a Dash, 15 feet are exactly half", nil, func(f *table) { f.Must(act("a", "dash", "", "")) }, "move", 15, []any{"dangerous", 15}, false, 30},
		{"after a Dash, 16 feet", nil, func(f *table) { f.Must(act("a", "dash", "", "")) }, "move", 16, []any{"dangerous", 16}, true, 32},
		{"the ground of an earlier way counts", nil, func(f *table) { f.Must(act("a", "move", "", "", feet(5, "dangerous", 5))) }, "move", 3, []any{"dangerous", 3}, true, 16},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) { s.Level = 4 }))
			f := newTable(t).add(a, fighter("b", "monsters")).start(nil, 20, 5)
			if c.before != nil {
				c.before(f)
			}
			var faces []int
			if c.hurt {
				faces = []int{5}
			}
			f.Must(act("a", c.action, "", "", feet(c.feet, c.facts...)), faces...)
			f.wantCount("a", body.CMoved, c.spent)
			if c.hurt {
				f.WantHP("a", 35)
				f.wantCited(cite.DamageDangerousTerrain)
			} else {
				f.WantHP("a", 40)
			}
		})
	}
	t.Run("rcr.base.jumping: what it leaps over does not hurt it, by places as by feet", func(t *testing.T) {
		for _, mapped := range []bool{true, false} {
			f := newTable(t)
			strong := fighter("a", "party", ability("strength", 20))
			words := []any{"jump", "long", "leap", 18}
			if mapped {
				f.place(strong, 0, 0)
			} else {
				f.add(strong)
				words = append(words, "feet", 28)
			}
			f.add(fighter("b", "monsters"))
			f.start(nil, 20, 5)
			cmd := act("a", "move", "", "", withParameters(words...), withFacts("dangerous", 28))
			if mapped {
				cmd.GetTake().Path = []*eventv1.Position{spot(28, 0, 0)}
			}
			// 10 feet of run-up cost 20 of the 30, and 18 of the leap are too many.
			wantRefused(t, f.Try(cmd), cite.BaseMovementCostAdditive)
			f.Must(act("a", "dash", "", ""))
			f.Must(cmd) // 20 of 60 in dangerous ground
			f.wantCount("a", body.CMoved, 38)
			f.wantCount("a", body.CDangerous, 20)
			f.WantHP("a", 40)
		}
	})
}

// What a movement on the ground is told that it cannot be made by.
func TestWaysThatAreRefused(t *testing.T) {
	nowhere := func(t *testing.T) *table {
		return newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
	}
	mapped := func(t *testing.T) *table { return field(t, 60, 60) }
	words := func(action string, more ...any) *eventv1.Command {
		return act("a", action, "", "", withParameters(more...))
	}
	going := func(to *eventv1.Position, more ...any) *eventv1.Command {
		cmd := words("move", more...)
		cmd.GetTake().Path = []*eventv1.Position{to}
		return cmd
	}
	const p = "take.parameters."
	for _, c := range []struct {
		name  string
		begin func(t *testing.T) *table
		cmd   *eventv1.Command
		field string
		rule  string
	}{
		{"by a mode that it has not", nowhere, words("move", "mode", "burrow", "feet", 5), p + "mode", ""},
		{"along a path without a map", nowhere, going(spot(5, 0, 0)), "take.path", ""},
		{"by both", mapped, going(spot(5, 0, 0), "feet", 5), p + "feet", ""},
		{"by neither", nowhere, words("move"), p + "feet", ""},
		{"to where it stands", mapped, going(spot(0, 0, 0)), "take.path", ""},
		{"to leap without a jump", nowhere, words("move", "feet", 10, "leap", 5), p + "leap", ""},
		{"to leap farther than the way", nowhere, words("move", "feet", 10, "jump", "long", "leap", 11), p + "leap", ""},
		{"a high jump along a path without its height", mapped, going(spot(10, 0, 0), "jump", "high"), p + "leap", ""},
		{"a standing long jump of 6 with Strength 10", nowhere, words("move", "feet", 6, "jump", "long"), "", cite.BaseJumping},
		{"a running long jump of 11", nowhere, words("move", "feet", 21, "jump", "long", "leap", 11), "", cite.BaseJumping},
		{"a run-up of 9 feet is none", nowhere, words("move", "feet", 19, "jump", "long", "leap", 10), "", cite.BaseJumping},
		{"a standing high jump of 2", nowhere, words("move", "feet", 2, "jump", "high"), "", cite.BaseJumping},
		{"a running high jump of 4", nowhere, words("move", "feet", 14, "jump", "high", "leap", 4), "", cite.BaseJumping},
		{"a foot too far", nowhere, words("move", "feet", 31), "", cite.BaseMovementCostAdditive},
		{"to drag whom it does not hold", nowhere, words("move", "feet", 5, "drag", []any{"b"}), p + "drag", ""},
		{"to crawl upright", nowhere, words("crawl", "feet", 5), "", cite.ConditionProneCrawl},
		{"to walk lying", func(t *testing.T) *table { f := nowhere(t); f.Must(words("drop-prone")); return f }, words("move", "feet", 5), "", cite.ConditionProneCrawl},
		{"to lie down lying", func(t *testing.T) *table { f := nowhere(t); f.Must(words("drop-prone")); return f }, words("drop-prone"), "", cite.ConditionProneCrawl},
		{"to stand standing", nowhere, words("stand"), "", cite.ConditionProneRise},
		{"to crouch crouching", func(t *testing.T) *table { f := nowhere(t); f.Must(words("crouch")); return f }, words("crouch"), "", cite.ConditionCrouchingDefinition},
		{"to rise with 14 feet left", func(t *testing.T) *table {
			f := nowhere(t)
			f.Must(words("move", "feet", 16))
			f.Must(words("drop-prone"))
			return f
		}, words("stand"), "", cite.ConditionProneRise},
		{"to rise to a crouch with 14 feet left", func(t *testing.T) *table {
			f := nowhere(t)
			f.Must(words("move", "feet", 16))
			f.Must(words("drop-prone"))
			return f
		}, words("crouch"), "", cite.ConditionProneRise},
		{"to rise held fast", func(t *testing.T) *table {
			f := nowhere(t)
			f.Afflict("a", body.CondProne, body.CondGrappled+"@b")
			return f
		}, words("stand"), "", cite.ConditionGrappledSpeed},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := c.begin(t)
			moved := f.Creature("a").Counters[body.CMoved]
			err := f.Try(c.cmd)
			if c.field != "" {
				wantFault(t, err, c.field)
			} else {
				wantRefused(t, err, c.rule)
			}
			f.wantCount("a", body.CMoved, moved)
		})
	}
	for _, c := range []struct {
		name string
		cmd  *eventv1.Command
		cost int64
	}{
		{"a standing long jump of 5", words("move", "feet", 5, "jump", "long"), 5},
		{"a running long jump of 10", words("move", "feet", 20, "jump", "long", "leap", 10), 20},
		{"a standing high jump of 1", words("move", "feet", 1, "jump", "high"), 1},
		{"a running high jump of 3", words("move", "feet", 13, "jump", "high", "leap", 3), 13},
		{"30 feet", words("move", "feet", 30), 30},
	} {
		t.Run("and just allowed: "+c.name, func(t *testing.T) {
			f := nowhere(t)
			f.Must(c.cmd)
			f.wantCount("a", body.CMoved, c.cost)
		})
	}
}

// rcr.opportunity.enter-and-leave, rcr.opportunity.enter-space, rcr.opportunity.crawl,
// rcr.opportunity.start-in-reach-leave: which trigger it is, and whether it comes again.
func TestTriggersOneByOne(t *testing.T) {
	rule := func(f *table) string {
		f.T.Helper()
		if len(f.Decisions) != 1 {
			f.T.Fatalf("%d are asked", len(f.Decisions))
		}
		return f.Decisions[0].Rule
	}
	want := func(t *testing.T, f *table, id string) {
		t.Helper()
		if got := rule(f); got != id {
			t.Fatalf("asked by %s, want %s", got, id)
		}
	}
	t.Run("tumbled through, it has still gone into the reach and out of it", func(t *testing.T) {
		f := field(t, 15, 0)
		f.Must(act("a", "tumble", "", "b"), 12, 11)
		f.Count("a", body.CMovement, 60)
		f.Must(act("a", "move", "", "", along(35, 0)))
		want(t, f, cite.OpportunityEnterAndLeave)
		f.wantAt("a", 20, 0)
	})
	t.Run("in, out, let pass; in and out again: it is asked again", func(t *testing.T) {
		f := field(t, 15, 5)
		f.Must(act("a", "move", "", "", along(10, 0)))
		f.wantAsked()
		f.Must(act("a", "move", "", "", along(0, 0)))
		want(t, f, cite.OpportunityEnterAndLeave)
		f.Answer(body.DecOpportunity, "no")
		f.Count("a", body.CMovement, 30)
		f.Must(act("a", "move", "", "", along(10, 0, 0, 0)))
		want(t, f, cite.OpportunityEnterAndLeave)
	})
	t.Run("taken, there is no second", func(t *testing.T) {
		f := field(t, 15, 5)
		f.Must(act("a", "move", "", "", along(10, 0, 0, 0)))
		f.Answer(body.DecOpportunity, "sword", 2)
		f.Count("a", body.CMovement, 30)
		f.Must(act("a", "move", "", "", along(10, 0, 0, 0)))
		f.wantAsked()
	})
	t.Run("from where the turn began in its reach: not upright, but blinded", func(t *testing.T) {
		f := field(t, 5, 0)
		f.Must(act("a", "move", "", "", along(-10, 0)))
		f.wantAsked()
		f = field(t, 5, 0)
		f.Afflict("a", body.CondBlinded)
		f.Must(act("a", "move", "", "", along(-10, 0)))
		want(t, f, cite.OpportunityStartInReachLeave)
	})
	t.Run("pushed into the reach it has not moved there: it leaves unasked", func(t *testing.T) {
		f := field(t, 20, 0)
		cmd := act("a", "forced-move", "", "")
		cmd.GetTake().Path = []*eventv1.Position{spot(15, 0, 0)}
		f.Must(cmd)
		f.Must(act("a", "move", "", "", along(0, 0)))
		f.wantAsked()
	})
	t.Run("a friend has no window", func(t *testing.T) {
		f := field(t, 15, 5, func(_, b *eventv1.Sheet) { b.Side = "party" })
		f.Must(act("a", "move", "", "", along(30, 0)))
		f.wantAsked()
	})
	t.Run("two enemies are asked at once where it leaves both", func(t *testing.T) {
		f := newTable(t)
		f.place(fighter("a", "party"), 0, 0)
		f.place(fighter("b", "monsters"), 15, 5)
		f.place(fighter("c", "monsters"), 15, -5)
		f.start(nil, 20, 5, 4)
		f.Must(act("a", "move", "", "", along(30, 0)))
		f.wantAsked("b", "c")
	})
	t.Run("stated, one attack each of two", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters"), fighter("c", "monsters")).start(nil, 20, 5, 4)
		f.Must(act("a", "move", "", "", feet(20, "enters_reach_of", []string{"b", "c"}, "leaves_reach_of", []string{"b", "c"})))
		f.wantAsked("b", "c")
		f.Answer(body.DecOpportunity+"/b", "sword")
		f.Answer(body.DecOpportunity+"/c", "sword", 2, 2)
		f.wantCount("a", body.CMoved, 20)
		f.wantCount("b", body.CReaction, 0)
		f.wantCount("c", body.CReaction, 0)
	})
	t.Run("struck down by the first, the second does not strike", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters"), fighter("c", "monsters")).start(nil, 20, 5, 4)
		f.Hurt("a", 1)
		f.Must(act("a", "move", "", "", feet(20, "enters_reach_of", []string{"b", "c"}, "leaves_reach_of", []string{"b", "c"})))
		f.Answer(body.DecOpportunity+"/b", "sword")
		f.falls(15)
		f.Answer(body.DecOpportunity+"/c", "sword")
		f.wantCount("c", body.CReaction, 1)
		f.wantCount("a", body.CMoved, 0)
	})
}

// rcr.flight.collision-save: a walker that is stated to enter the space of one that flies.
func TestWalkedIntoWithoutAMap(t *testing.T) {
	f := newTable(t).add(fighter("a", "party"), flyer("b", "party", 60)).start(nil, 20, 5)
	f.aloft("b", body.AirFlying, 0)
	f.Must(act("a", "move", "", "", feet(10, "enters_space_of", []string{"b"})), 14, 7)
	f.wantAir("b", "", 0) // at no height the flight ends there
	f.WantHP("b", 393)
	f.wantCited(cite.FlightCollisionSave)
}

// rcr.condition.grappled-speed, rcr.base.fifth-edition-fallback: whom one drags halves the
// speed, unless it is two sizes smaller; two are no heavier than one.
func TestWeightOfThoseDragged(t *testing.T) {
	for _, c := range []struct {
		mover, one, two string
		most            int
	}{
		{"medium", "medium", "", 15},
		{"medium", "small", "", 15},
		{"medium", "tiny", "", 30},
		{"large", "small", "", 30},
		{"large", "medium", "", 15},
		{"medium", "tiny", "tiny", 30},
		{"medium", "tiny", "small", 15},
		{"medium", "medium", "medium", 15},
	} {
		f := newTable(t).add(fighter("a", "party", size(c.mover)), fighter("b", "monsters", size(c.one)))
		held := []string{"b"}
		faces := []int{20, 5}
		if c.two != "" {
			f.add(fighter("c", "monsters", size(c.two)))
			held, faces = append(held, "c"), append(faces, 4)
		}
		f.start(nil, faces...)
		for _, id := range held {
			f.Afflict(id, body.CondGrappled+"@a")
		}
		cmd := func(n int) *eventv1.Command {
			return act("a", "move", "", "", withParameters("feet", n, "drag", held))
		}
		wantFault(t, f.Try(act("a", "move", "", "", withParameters("feet", 1, "drag", []string{"b", "b"}))), "take.parameters.drag")
		wantRefused(t, f.Try(cmd(c.most+1)), cite.BaseMovementCostAdditive)
		f.Must(cmd(c.most))
		f.wantCount("a", body.CMoved, 30)
	}
}
