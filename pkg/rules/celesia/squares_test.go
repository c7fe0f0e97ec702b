package celesia

import (
	"fmt"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// celesia.movement.move, celesia.movement.step, celesia.movement.crawl, celesia.movement.run:
// the squares that an option lists are those to which the same action may go in a straight
// way, and what it says of the way is what the way is.
func TestSquaresAreThoseOfTheWay(t *testing.T) {
	small := func(s *eventv1.Sheet) { s.Size, s.Speeds["walk"] = "small", 10 }
	for name, c := range map[string]struct {
		me     func(*eventv1.Sheet)
		z      int32
		others [][3]int32 // foes, by place
		friend [2]int32
		big    [2]int32 // a huge foe
		do     func(f *table)
	}{
		"in the open":               {me: small, friend: [2]int32{100, 100}, big: [2]int32{-200, 0}},
		"among foes":                {me: small, others: [][3]int32{{5, 0, 0}, {-5, -5, 0}, {0, 10, 0}, {-15, 5, 0}}, friend: [2]int32{0, -5}, big: [2]int32{-30, -20}},
		"a wall on the left":        {me: small, others: [][3]int32{{-10, -5, 0}, {-10, 0, 0}, {-10, 5, 0}}, friend: [2]int32{10, 0}, big: [2]int32{15, -10}},
		"a wall above and below":    {me: small, others: [][3]int32{{0, 10, 0}, {5, 10, 0}, {-5, 10, 0}, {0, -10, 0}}, friend: [2]int32{5, 0}, big: [2]int32{-15, 5}},
		"large":                     {me: func(s *eventv1.Sheet) { s.Size, s.Speeds["walk"] = "large", 10 }, others: [][3]int32{{10, 0, 0}, {-5, 5, 0}, {0, -15, 0}}, friend: [2]int32{-10, 10}, big: [2]int32{20, -20}},
		"those above are not in it": {me: small, others: [][3]int32{{5, 0, 5}, {0, 5, 10}, {0, -5, -5}, {-5, 0, 0}}, friend: [2]int32{10, 10}, big: [2]int32{-25, 0}},
		"in the air":                {me: small, z: 10, others: [][3]int32{{5, 0, 0}, {0, 5, 10}, {0, -5, 15}, {-5, 0, 5}}, friend: [2]int32{10, 10}, big: [2]int32{-25, 0}},
		"a foe that is helpless or gone": {me: small, others: [][3]int32{{5, 0, 0}, {0, 5, 0}, {0, -10, 0}}, friend: [2]int32{-10, 0}, big: [2]int32{-25, 10}, do: func(f *table) {
			f.Afflict("f0", body.CondParalyzed)
			f.Hurt("f1", -60)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party", c.me), fighter("p", "party"), fighter("z", "foes", unarmed(), sized("huge")))
			for i, xyz := range c.others {
				id := fmt.Sprintf("f%d", i)
				f.add(fighter(id, "foes", unarmed()))
				f.stand(id, xyz[0], xyz[1], xyz[2])
			}
			f.at("p", c.friend[0], c.friend[1])
			f.at("z", c.big[0], c.big[1])
			f.stand("a", 0, 0, c.z)
			rolled := 0
			f.Roller = func(sides int) int { rolled++; return 1 + (sides-rolled%sides)%sides }
			f.start(nil)
			for f.State.Active[0] != "a" || f.State.Round < 2 {
				f.End(f.State.Active[0])
			}
			if c.do != nil {
				c.do(f)
			}
			for _, action := range []string{"move", "step", "run"} {
				f.wantSquares("a", action, 45)
			}
			f.Afflict("a", body.CondProne)
			f.wantSquares("a", "crawl", 15)
		})
	}
}

// stand puts a creature on the field at a height.
func (f *table) stand(id string, x, y, z int32) {
	f.T.Helper()
	f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: id, Position: &eventv1.Position{X: x, Y: y, Z: z}}}})
}

// wantSquares compares the squares that an option lists with what the action does, for
// all squares so many feet around.
func (f *table) wantSquares(id, action string, around int32) {
	f.T.Helper()
	options := System{}.Options(rules.Query{State: f.State, Creature: id, Actions: []string{action}})
	if len(options) == 0 || !options[0].Legal {
		f.T.Fatalf("%s: %v", action, options)
	}
	listed := map[string]*eventv1.Square{}
	for _, s := range options[0].Squares {
		listed[fmt.Sprint(s.At.X, s.At.Y, s.At.Z)] = s
	}
	here := f.Creature(id).Position
	for x := -around; x <= around; x += 5 {
		for y := -around; y <= around; y += 5 {
			if x == 0 && y == 0 {
				continue
			}
			to := &eventv1.Position{X: here.X + x, Y: here.Y + y, Z: here.Z}
			take := &eventv1.TakeAction{Creature: id, Action: action, Path: []*eventv1.Position{to}}
			at := checks.Frame().At(f.State, take)
			fits, s := checks.Frame().Fits(at) == nil, listed[fmt.Sprint(to.X, to.Y, to.Z)]
			if fits != (s != nil) {
				f.T.Errorf("%s to %v: listed %v, but it can be done %v", action, to, s != nil, fits)
			}
			if feet := max(x, -x, y, -y); s != nil && s.Feet != feet {
				f.T.Errorf("%s to %v is said to be %d feet, not %d", action, to, s.Feet, feet)
			}
			delete(listed, fmt.Sprint(to.X, to.Y, to.Z))
		}
	}
	if len(listed) > 0 {
		f.T.Errorf("%s is said to reach %v", action, listed)
	}
}

// celesia.equipment.manipulate-item: what lies within natural reach is picked up; 10 feet
// off it is not. Without a map nothing is measured.
func TestPickUpRefused(t *testing.T) {
	build := func(t *testing.T) *table {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		f.Must(act("a", "drop-item", "sword", ""))
		return f
	}
	cmd := func(more ...func(*eventv1.TakeAction)) *eventv1.Command {
		return act("a", "pick-up", "sword", "", more...)
	}
	wantRefusals(t, build, cmd, []refusal{
		{name: "here"},
		{name: "5 feet off", do: put("a", 0, 5)},
		{name: "10 feet off", do: put("a", 0, 10), reason: "OUT_OF_REACH", rule: cite.EquipmentManipulateItem},
		{name: "10 feet off on the other side", do: put("a", -10, 0), reason: "OUT_OF_REACH", rule: cite.EquipmentManipulateItem},
	})
	f := newTable(t).add(fighter("a", "party"), fighter("b", "foes")).set(15, 5)
	wantReason(t, f.Try(act("a", "pick-up", "sword", "")), "NOT_THERE", cite.EquipmentManipulateItem)
	f.Must(act("a", "drop-item", "sword", ""))
	f.Must(act("a", "pick-up", "sword", ""))
}
