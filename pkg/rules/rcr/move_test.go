package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// place puts a creature on the field at a position.
func (f *table) place(s *eventv1.Sheet, x, y int32) {
	f.T.Helper()
	f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: s, Position: &eventv1.Position{X: x, Y: y}}}})
}

// field is a fight on a map: a stands at the origin, b where it is put.
func field(t *testing.T, x, y int32, change ...func(a, b *eventv1.Sheet)) *table {
	t.Helper()
	f := newTable(t)
	a, b := fighter("a", "party"), fighter("b", "monsters")
	for _, c := range change {
		c(a, b)
	}
	f.place(a, 0, 0)
	f.place(b, x, y)
	return f.start(nil, 20, 5)
}

// along is a path: pairs of x and y.
func along(xy ...int32) func(*eventv1.TakeAction) {
	return func(t *eventv1.TakeAction) {
		for i := 0; i < len(xy); i += 2 {
			t.Path = append(t.Path, &eventv1.Position{X: xy[i], Y: xy[i+1]})
		}
	}
}

func feet(n int, facts ...any) func(*eventv1.TakeAction) {
	return func(t *eventv1.TakeAction) {
		t.Parameters = object("feet", n)
		if len(facts) > 0 {
			t.Facts = object(facts...)
		}
	}
}

func (f *table) wantCount(id, counter string, want int64) {
	f.T.Helper()
	if got := f.Creature(id).Counters[counter]; got != want {
		f.T.Fatalf("%s of %s is %d, want %d", counter, id, got, want)
	}
}

func (f *table) wantAsked(ids ...string) {
	f.T.Helper()
	var got []string
	for _, d := range f.Decisions {
		got = append(got, d.Creature)
	}
	if !slices.Equal(got, ids) {
		f.T.Fatalf("asked %v, want %v", got, ids)
	}
}

func speeds(s *eventv1.Sheet, walk int32) { s.Speeds = map[string]int32{"walk": walk} }

// rcr.base.movement-cost-additive and what it adds up
func TestMovementCosts(t *testing.T) {
	cases := []struct {
		name       string
		speed      int32
		conditions []string
		action     string
		take       func(*eventv1.TakeAction)
		left       int64
		refused    string
	}{
		{"plain", 30, nil, "move", feet(20), 10, ""},
		{"rcr.base.movement-cost-additive: crawling in difficult terrain", 30, []string{body.CondProne}, "crawl", feet(5, "difficult", 5), 15, ""},
		{"rcr.base.movement-cost-additive: blinded in dangerous terrain", 30, []string{body.CondBlinded}, "move", feet(5, "dangerous", 5), 15, ""},
		{"rcr.base.movement-cost-additive: blinded, 10 feet in dangerous terrain take all", 30, []string{body.CondBlinded}, "move", feet(11, "dangerous", 11), 0, cite.BaseMovementCostAdditive},
		{cite.MovementDangerousAsDifficult, 60, nil, "move", feet(15, "dangerous", 15), 30, ""},
		{"difficult and dangerous on the same ground count once", 60, nil, "move", feet(10, "dangerous", 10, "difficult", 10, "overlap", 10), 40, ""},
		{"difficult and dangerous on different ground", 60, nil, "move", feet(20, "dangerous", 10, "difficult", 10), 20, ""},
		{"rcr.condition.prone-crawl: at most half", 30, []string{body.CondProne}, "crawl", feet(15), 0, ""},
		{"rcr.condition.prone-crawl: no more", 30, []string{body.CondProne}, "crawl", feet(16), 0, cite.BaseMovementCostAdditive},
		{"rcr.condition.prone-crawl: no walking", 30, []string{body.CondProne}, "move", feet(5), 0, cite.ConditionProneCrawl},
		{"rcr.condition.blinded-movement: at most half", 30, []string{body.CondBlinded}, "move", feet(15), 0, ""},
		{"rcr.condition.blinded-movement: no more", 30, []string{body.CondBlinded}, "move", feet(16), 0, cite.BaseMovementCostAdditive},
		{"rcr.condition.blinded-movement: crawling blind costs three", 30, []string{body.CondBlinded, body.CondProne}, "crawl", feet(10), 0, ""},
		{cite.ConditionGrappledSpeed, 30, []string{body.CondGrappled}, "move", feet(5), 0, cite.ConditionGrappledSpeed},
		{cite.ConditionRestrainedSpeed, 30, []string{body.CondRestrained}, "move", feet(5), 0, cite.ConditionRestrainedSpeed},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party", func(s *eventv1.Sheet) { speeds(s, c.speed) }), fighter("b", "monsters")).start(nil, 20, 5)
			f.Afflict("a", c.conditions...)
			// Dangerous terrain may hurt: any faces do.
			f.Roller = func(int) int { return 1 }
			err := f.Try(act("a", c.action, "", "", c.take))
			if c.refused != "" {
				wantRefused(t, err, c.refused)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			f.wantCount("a", body.CMovement, c.left)
		})
	}
}

// Dash, flight, and a second Dash's share in it.
func TestMovementByMode(t *testing.T) {
	f := newTable(t).add(fighter("a", "party", func(s *eventv1.Sheet) { s.Speeds["fly"] = 60 }), fighter("b", "monsters")).start(nil, 20, 5)
	f.Must(act("a", "move", "", "", feet(20)))
	f.Must(act("a", "move", "", "", withParameters("feet", 40, "mode", "fly")))
	wantRefused(t, f.Try(act("a", "move", "", "", withParameters("feet", 5, "mode", "fly"))), cite.BaseFifthEditionFallback)
	f.Must(act("a", "dash", "", ""))
	f.Must(act("a", "move", "", "", withParameters("feet", 60, "mode", "fly")))
}

// rcr.condition.prone-rise, rcr.condition.crouching-speed, rcr.condition.crouching-definition
func TestPostures(t *testing.T) {
	type step struct {
		action  string
		feet    int
		refused string
	}
	cases := []struct {
		name       string
		speed      int32
		conditions []string
		exhaustion int
		movement   int // when set: what is left of the turn's
		steps      []step
		left       int64
		posture    string
	}{
		{"rcr.condition.prone-rise: half", 30, []string{body.CondProne}, 0, 0, []step{{"stand", 0, ""}}, 15, ""},
		{"rcr.condition.prone-rise: rounds down", 25, []string{body.CondProne}, 0, 0, []step{{"stand", 0, ""}}, 13, ""},
		{"rcr.condition.prone-rise: too little left", 30, []string{body.CondProne}, 0, 10, []step{{"stand", 0, cite.ConditionProneRise}}, 10, body.CondProne},
		{"rcr.condition.prone-rise: to a crouch", 30, []string{body.CondProne}, 0, 0, []step{{"crouch", 0, ""}}, 0, body.CondCrouching},
		{"rcr.condition.exhaustion-speed: rising by the lowered speed", 30, []string{body.CondProne}, 4, 20, []step{{"stand", 0, ""}}, 10, ""},
		{"rcr.condition.grappled-speed: no rising", 30, []string{body.CondProne, body.CondGrappled}, 0, 0, []step{{"stand", 0, cite.ConditionGrappledSpeed}}, 30, body.CondProne},
		{"rcr.condition.crouching-definition: costs nothing", 30, nil, 0, 0, []step{{"crouch", 0, ""}}, 15, body.CondCrouching},
		{"rcr.condition.crouching-speed: up again", 30, nil, 0, 0, []step{{"crouch", 0, ""}, {"stand", 0, ""}}, 25, ""},
		{"rcr.condition.crouching-speed: halved, rounded down", 25, nil, 0, 0, []step{{"crouch", 0, ""}, {"move", 13, cite.BaseMovementCostAdditive}, {"move", 12, ""}}, 0, body.CondCrouching},
		{"rcr.condition.crouching-speed: what was spent comes off the normal speed", 30, nil, 0, 0, []step{{"crouch", 0, ""}, {"move", 15, ""}, {"stand", 0, ""}}, 10, ""},
		{"rcr.condition.crouching-speed: a crouch after 20 feet", 30, nil, 0, 0, []step{{"move", 20, ""}, {"crouch", 0, ""}, {"stand", 0, ""}}, 5, ""},
		{"crouching and prone exclude each other", 30, nil, 0, 0, []step{{"crouch", 0, ""}, {"drop-prone", 0, ""}, {"stand", 0, ""}}, 15, ""},
		{"drop prone", 30, nil, 0, 0, []step{{"drop-prone", 0, ""}, {"drop-prone", 0, cite.ConditionProneCrawl}}, 30, body.CondProne},
		{"nothing to rise from", 30, nil, 0, 0, []step{{"stand", 0, cite.ConditionProneRise}}, 30, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party", func(s *eventv1.Sheet) { speeds(s, c.speed) }), fighter("b", "monsters")).start(nil, 20, 5)
			f.Afflict("a", c.conditions...)
			if c.exhaustion > 0 {
				f.Count("a", body.CExhaustion, c.exhaustion)
			}
			if c.movement > 0 {
				f.Count("a", body.CMovement, c.movement)
			}
			for _, s := range c.steps {
				take := []func(*eventv1.TakeAction){}
				if s.feet > 0 {
					take = append(take, feet(s.feet))
				}
				err := f.Try(act("a", s.action, "", "", take...))
				if s.refused != "" {
					wantRefused(t, err, s.refused)
				} else if err != nil {
					t.Fatal(err)
				}
			}
			f.wantCount("a", body.CMovement, c.left)
			for _, p := range []string{body.CondProne, body.CondCrouching} {
				if body.Has(f.Creature("a"), p) != (p == c.posture) {
					t.Errorf("%s: %v", p, body.Has(f.Creature("a"), p))
				}
			}
		})
	}
	t.Run("rcr.condition.crouching-speed: at the start of a turn", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 5, 20)
		f.Afflict("a", body.CondCrouching)
		f.End("b", 20)
		f.wantCount("a", body.CMovement, 15)
		f.Must(act("a", "stand", "", ""))
		f.wantCount("a", body.CMovement, 25)
	})
}

// rcr.opportunity.crawl, rcr.opportunity.stand-up
func TestCrawlAndStandProvoke(t *testing.T) {
	f := newTable(t)
	f.place(fighter("a", "party"), 0, 0)
	f.place(fighter("b", "monsters"), 5, 0)
	f.place(fighter("c", "monsters"), 5, 5)
	f.place(fighter("d", "monsters"), 20, 20)
	f.start(nil, 20, 5, 4, 3)
	f.Afflict("a", body.CondProne)
	t.Run(cite.OpportunityCrawl, func(t *testing.T) {
		f.Must(act("a", "crawl", "", "", along(0, 5)))
		f.wantAsked("b", "c")
		f.Answer(body.DecOpportunity+"/b", "sword")
		f.Answer(body.DecOpportunity+"/c", "sword", 2, 1, 2, 3) // advantage on the prone: two d20 each
		if len(f.Decisions) != 0 {
			t.Fatal("asked twice for one crawl")
		}
		f.Must(act("a", "crawl", "", "", along(0, 0)))
		f.wantAsked() // no reactions left
	})
	t.Run(cite.OpportunityStandUp, func(t *testing.T) {
		f := field(t, 5, 0)
		f.Afflict("a", body.CondProne)
		f.Must(act("a", "stand", "", ""))
		f.wantAsked("b")
		f.Answer(body.DecOpportunity, "sword", 3, 2)
		if n := len(f.Roll("to-hit").Faces); n != 2 {
			t.Fatalf("%d dice against the prone, want 2", n)
		}
		if body.Has(f.Creature("a"), body.CondProne) {
			t.Fatal("still prone")
		}
		f.wantCount("a", body.CMovement, 15)
	})
	t.Run("rcr.opportunity.stand-up: out of reach", func(t *testing.T) {
		f := field(t, 10, 0)
		f.Afflict("a", body.CondProne)
		f.Must(act("a", "stand", "", ""))
		f.wantAsked()
	})
	t.Run("rcr.opportunity.stand-up: struck down, it does not get up", func(t *testing.T) {
		f := field(t, 5, 0)
		f.Afflict("a", body.CondProne)
		f.Hurt("a", 1)
		f.Must(act("a", "stand", "", ""))
		f.Roller = func(sides int) int { return sides }
		f.Answer(body.DecOpportunity, "sword")
		if !body.Has(f.Creature("a"), body.CondProne) || !body.Down(f.Creature("a")) {
			t.Fatal("it got up")
		}
		f.wantCount("a", body.CMoved, 15)
	})
	t.Run("rcr.opportunity.stand-up: rising to a crouch does not provoke", func(t *testing.T) {
		f := field(t, 5, 0)
		f.Afflict("a", body.CondProne)
		f.Must(act("a", "crouch", "", ""))
		f.wantAsked()
	})
	t.Run("rcr.base.opportunity-frame: Disengage covers crawling but not standing", func(t *testing.T) {
		f := field(t, 5, 0)
		f.Afflict("a", body.CondProne)
		f.Must(act("a", "disengage", "", ""))
		f.Must(act("a", "crawl", "", "", along(0, 5)))
		f.wantAsked()
		f.Must(act("a", "stand", "", ""))
		f.wantAsked("b")
	})
	t.Run("rcr.base.opportunity-frame: the reaction is spent", func(t *testing.T) {
		f := field(t, 5, 0)
		f.Afflict("a", body.CondProne)
		f.Count("b", body.CReaction, 0)
		f.Must(act("a", "stand", "", ""))
		f.wantAsked()
	})
}

// rcr.opportunity.enter-and-leave, rcr.opportunity.start-in-reach-leave
func TestReach(t *testing.T) {
	t.Run("rcr.opportunity.enter-and-leave: past an enemy", func(t *testing.T) {
		f := field(t, 20, 5)
		f.Must(act("a", "move", "", "", along(30, 0)))
		f.wantAsked("b")
		if at := f.Creature("a").Position; at.X != 25 {
			t.Fatalf("asked at %v, want where it leaves", at)
		}
		f.Answer(body.DecOpportunity, "no")
		if f.Creature("a").Position.X != 30 {
			t.Fatal("not arrived")
		}
		f.wantCount("a", body.CMovement, 0)
	})
	t.Run("rcr.opportunity.enter-and-leave: struck down on the way", func(t *testing.T) {
		f := field(t, 20, 5)
		f.Hurt("a", 1)
		f.Must(act("a", "move", "", "", along(30, 0)))
		f.Roller = func(sides int) int { return sides }
		f.Answer(body.DecOpportunity, "sword")
		if f.Creature("a").Position.X != 25 {
			t.Fatalf("lies at %v", f.Creature("a").Position)
		}
	})
	t.Run("rcr.opportunity.enter-and-leave: on two turns", func(t *testing.T) {
		f := field(t, 20, 0)
		f.Must(act("a", "move", "", "", along(15, 0)))
		f.End("a", 20)
		f.End("b", 1)
		f.Must(act("a", "move", "", "", along(0, 0)))
		f.wantAsked()
	})
	t.Run("rcr.opportunity.enter-and-leave: out, in and out again", func(t *testing.T) {
		f := field(t, 5, 0)
		f.Must(act("a", "move", "", "", along(-5, 0)))
		f.wantAsked()
		f.Must(act("a", "move", "", "", along(0, 0, -5, 0)))
		f.wantAsked("b")
	})
	t.Run("rcr.opportunity.enter-and-leave: reach 10", func(t *testing.T) {
		f := field(t, 15, 0, func(_, b *eventv1.Sheet) { b.GetRcr().Attacks[0].ReachFeet = 10 })
		f.Must(act("a", "move", "", "", along(5, 0, 0, 0)))
		f.wantAsked("b")
	})
	t.Run("rcr.base.opportunity-frame: Disengage", func(t *testing.T) {
		f := field(t, 20, 5)
		f.Must(act("a", "disengage", "", ""))
		f.Must(act("a", "move", "", "", along(30, 0)))
		f.wantAsked()
	})
	t.Run("rcr.opportunity.start-in-reach-leave: walks away", func(t *testing.T) {
		f := field(t, 5, 0)
		f.Must(act("a", "move", "", "", along(-10, 0)))
		f.wantAsked()
	})
	t.Run("rcr.opportunity.start-in-reach-leave: blinded", func(t *testing.T) {
		f := field(t, 5, 0)
		f.Afflict("a", body.CondBlinded)
		f.Must(act("a", "move", "", "", along(-10, 0)))
		f.wantAsked("b")
	})
	t.Run("rcr.opportunity.start-in-reach-leave: stood up first", func(t *testing.T) {
		f := field(t, 5, 0)
		f.Afflict("a", body.CondProne)
		f.Must(act("a", "stand", "", ""))
		f.Answer(body.DecOpportunity, "no")
		f.Must(act("a", "move", "", "", along(-10, 0)))
		f.wantAsked()
	})
	t.Run("stated: enters and leaves", func(t *testing.T) {
		f := duel(t)
		f.Must(act("a", "move", "", "", feet(10, "enters_reach_of", []string{"b"})))
		f.wantAsked()
		f.Must(act("a", "move", "", "", feet(10, "leaves_reach_of", []string{"b", "z"})))
		f.wantAsked("b") // it started in the reach of z
	})
	t.Run("stated beats measured", func(t *testing.T) {
		f := field(t, 20, 5)
		f.Must(act("a", "move", "", "", along(30, 0), withFacts("leaves_reach_of", []string{})))
		f.wantAsked()
	})
}

// rcr.opportunity.enter-space
func TestEnterSpace(t *testing.T) {
	troll := func(a, b *eventv1.Sheet) { a.Size, b.Size = "small", "large" }
	t.Run("under a troll", func(t *testing.T) {
		f := field(t, 5, 0, troll)
		f.Must(act("a", "move", "", "", along(15, 0))) // 5 + 2*10 feet of it in the troll's space
		f.wantAsked("b")
		if f.Creature("a").Position.X != 0 {
			t.Fatal("asked too late")
		}
		f.Answer(body.DecOpportunity, "no")
		f.wantCount("a", body.CMovement, 5)
	})
	t.Run("tumbled", func(t *testing.T) {
		f := field(t, 5, 0, troll)
		f.Must(act("a", "tumble", "", "b"), 12, 11)
		f.Must(act("a", "move", "", "", along(15, 0)))
		f.wantAsked()
	})
	t.Run("the tumble failed", func(t *testing.T) {
		f := field(t, 5, 0, troll)
		f.Must(act("a", "tumble", "", "b"), 11, 11)
		f.Must(act("a", "move", "", "", along(15, 0)))
		f.wantAsked("b")
	})
	t.Run("an enemy of the same size holds its space", func(t *testing.T) {
		f := field(t, 5, 0)
		wantRefused(t, f.Try(act("a", "move", "", "", along(10, 0))), cite.BaseFifthEditionFallback)
		wantRefused(t, f.Try(act("a", "move", "", "", along(5, 0))), cite.BaseFifthEditionFallback)
		f.Must(act("a", "overrun", "", "b"), 12, 11)
		f.Must(act("a", "move", "", "", along(10, 0)))
		f.wantAsked()
	})
	t.Run("overrun by the larger", func(t *testing.T) {
		f := field(t, 5, 0, func(a, _ *eventv1.Sheet) { a.Size = "large" })
		f.Must(act("a", "overrun", "", "b"), 3, 12, 11)
	})
	t.Run("stated", func(t *testing.T) {
		f := duel(t)
		f.Must(act("a", "move", "", "", feet(10, "enters_space_of", []string{"b"})))
		f.wantAsked("b")
	})
}

// rcr.condition.blinded-movement
func TestBlindWalk(t *testing.T) {
	skilled := rcrSheet(func(s *eventv1.RcrSheet) { s.Skills = []*eventv1.RcrSkill{{Name: "acrobatics", Bonus: 3}} })
	blind := func() *table {
		f := newTable(t).add(fighter("a", "party", skilled), fighter("b", "monsters")).start(nil, 20, 5)
		f.Afflict("a", body.CondBlinded)
		return f
	}
	t.Run("passed", func(t *testing.T) {
		f := blind()
		f.Must(act("a", "blind-walk", "", ""), 12)
		f.Must(act("a", "move", "", "", feet(30)))
		f.wantCount("a", body.CMovement, 0)
		f.End("a", 20)
		f.End("b", 1)
		wantRefused(t, f.Try(act("a", "move", "", "", feet(16))), cite.BaseMovementCostAdditive)
	})
	t.Run("failed", func(t *testing.T) {
		f := blind()
		f.Must(act("a", "blind-walk", "", ""), 11)
		if !body.Has(f.Creature("a"), body.CondProne) {
			t.Fatal("not prone")
		}
		f.wantCount("a", body.CMovement, 30)
		wantRefused(t, f.Try(act("a", "blind-walk", "", "")), cite.ConditionBlindedMovement)
	})
}

// rcr.damage.dangerous-terrain
func TestDangerousTerrain(t *testing.T) {
	cases := []struct {
		name         string
		level, speed int32
		feet         int
		faces        []int
		damage       int32
	}{
		{"more than half", 5, 30, 10, []int{3, 6}, 9},
		{"not more than half", 5, 30, 5, nil, 0},
		{"exactly half", 4, 40, 10, nil, 0},
		{"five dice", 17, 25, 10, []int{1, 1, 2, 6, 5}, 15},
	}
	for _, c := range cases {
		t.Run("rcr.damage.dangerous-terrain: "+c.name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) { s.Level = c.level }),
				func(s *eventv1.Sheet) { speeds(s, c.speed) }), fighter("b", "monsters")).start(nil, 20, 5)
			f.Must(act("a", "move", "", "", feet(c.feet, "dangerous", c.feet, "terrain_damage", "acid")), c.faces...)
			if got := 40 - f.Creature("a").GetHp(); got != c.damage {
				t.Fatalf("%d damage, want %d", got, c.damage)
			}
		})
	}
	for level, want := range map[int32]string{1: "1d6", 4: "1d6", 5: "2d6", 8: "2d6", 9: "3d6", 12: "3d6", 13: "4d6", 16: "4d6", 17: "5d6", 20: "5d6"} {
		if got, _ := body.Book.TerrainDice(level); got != want {
			t.Errorf("level %d: %s, want %s", level, got, want)
		}
	}
	t.Run("once a turn, and by a Dash from more", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
		f.Must(act("a", "dash", "", ""))
		f.Must(act("a", "move", "", "", feet(15, "dangerous", 15))) // 30 of 60
		f.Must(act("a", "move", "", "", feet(5, "dangerous", 5)), 1, 1)
		f.Must(act("a", "move", "", "", feet(5, "dangerous", 5)))
	})
	t.Run("a level given", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
		f.Must(act("a", "move", "", "", feet(10, "dangerous", 10, "level", 2)), 6)
	})
}

// rcr.condition.terrified, rcr.surprise.one-action
func TestFearAndSurpriseMovement(t *testing.T) {
	t.Run("rcr.condition.terrified: away only", func(t *testing.T) {
		f := field(t, 15, 0)
		f.Afflict("a", body.CondTerrified+"@b")
		wantRefused(t, f.Try(act("a", "move", "", "", along(5, 0))), cite.ConditionTerrified)
		f.Must(act("a", "dash", "", ""))
		f.Must(act("a", "move", "", "", along(-60, 0)))
		f.wantCount("a", body.CMovement, 0)
	})
	t.Run("rcr.condition.terrified: stated", func(t *testing.T) {
		f := duel(t)
		f.Afflict("a", body.CondTerrified+"@b")
		wantRefused(t, f.Try(act("a", "move", "", "", feet(5, "approaches", []string{"b"}))), cite.ConditionTerrified)
	})
	t.Run("rcr.surprise.one-action: a Dash is all the movement there is", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start([]string{"b"}, 20)
		wantRefused(t, f.Try(act("a", "move", "", "", feet(5))), cite.SurpriseOneAction)
		f.Must(act("a", "dash", "", ""))
		f.Must(act("a", "move", "", "", feet(30)))
		f.wantCount("a", body.CMovement, 0)
	})
}

// rcr.condition.replace-base: a grapple ends out of reach
func TestGrappleEndsOutOfReach(t *testing.T) {
	f := field(t, 5, 0)
	f.Afflict("b", body.CondGrappled+"@a")
	f.Must(act("a", "move", "", "", along(-5, 0)))
	if body.Has(f.Creature("b"), body.CondGrappled) {
		t.Fatal("still grappled")
	}
}
