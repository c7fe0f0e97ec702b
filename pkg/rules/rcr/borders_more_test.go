package rcr

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/injuries"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.base.light: how far a source sheds bright light and dim light beyond, by its name or
// as is said.
func TestShedLight(t *testing.T) {
	for name, c := range map[string]struct {
		said        []any
		bright, dim int32
	}{
		"candle": {nil, 5, 5}, "lamp": {nil, 15, 30}, "torch": {nil, 20, 20}, "lantern": {nil, 30, 30}, "light": {nil, 20, 20}, "daylight": {nil, 60, 60},
		"other": {[]any{"bright", 10, "dim", 25}, 10, 25},
	} {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
		f.Must(act("a", "shine", "", "", withParameters(append([]any{"source", name}, c.said...)...)))
		x := body.Condition(f.Creature("a"), body.CondShining)
		if x.GetValues()[body.ValBright] != c.bright || x.GetValues()[body.ValDim] != c.dim {
			t.Errorf("%s sheds %v, want %d and %d", name, x.GetValues(), c.bright, c.dim)
		}
		f.Must(act("a", "shine", "", "", withParameters("source", "none")))
		f.wantHas("a", body.CondShining, false)
	}
}

// rcr.base.light: the border of bright and of dim light, on every side; whoever carries it
// is in its light.
func TestReachOfLight(t *testing.T) {
	for _, c := range []struct {
		x, y int32
		want string
	}{{20, 0, body.LightBright}, {0, -20, body.LightBright}, {25, 0, body.LightDim}, {0, 25, body.LightDim}, {-40, 0, body.LightDim}, {0, 40, body.LightDim}, {45, 0, body.LightDark}, {0, -45, body.LightDark}} {
		f := newTable(t)
		f.place(fighter("a", "party"), 0, 0)
		f.place(fighter("b", "monsters"), c.x, c.y)
		f.Start(object("light", "dark"), 20, 5)
		f.Must(act("a", "shine", "", "", withParameters("source", "torch")))
		if got := body.LightOn(f.State, f.Creature("b"), body.WaterSaid{}); got != c.want {
			t.Errorf("at %d, %d: %s, want %s", c.x, c.y, got, c.want)
		}
		if got := body.LightOn(f.State, f.Creature("a"), body.WaterSaid{}); got != body.LightBright {
			t.Errorf("who carries it is in %s", got)
		}
	}
}

// rcr.mount.training-complete, rcr.mount.training-barding: what a mount is trained for is
// said on the day on which its total comes there, and not again.
func TestTrainingIsSaidOnce(t *testing.T) {
	for _, c := range []struct {
		total int32
		want  []string
	}{
		{97, nil}, {98, []string{cite.MountTrainingComplete}}, {99, []string{cite.MountTrainingComplete}}, {100, nil}, {117, nil}, {118, []string{cite.MountTrainingBarding}}, {119, []string{cite.MountTrainingBarding}}, {120, nil},
		{147, nil}, {148, []string{cite.MountTrainingBarding}}, {150, nil}, {198, []string{cite.MountTrainingBarding}}, {200, nil},
	} {
		f := newTable(t).add(human(), orc(), beast(rcrSheet(func(x *eventv1.RcrSheet) { x.MountTrained, x.TrainingTotal = false, c.total })))
		f.Must(act("a", "train-mount", "", "h"), 2) // the check fails: Intelligence 2 is added
		var got []string
		for _, e := range f.Events {
			if e.GetNote() != nil {
				got = append(got, e.Rules...)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("from %d to %d: %v, want %v", c.total, c.total+2, got, c.want)
		}
	}
}

// rcr.base.fifth-edition-fallback: who regains hit points as its turn begins.
func TestWhoRegenerates(t *testing.T) {
	for name, c := range map[string]struct {
		g    *eventv1.RcrRegeneration
		hp   int32
		dead bool
		want bool
	}{
		"none": {nil, 20, false, false}, "wounded": {&eventv1.RcrRegeneration{Amount: 10}, 20, false, true}, "by one point": {&eventv1.RcrRegeneration{Amount: 10}, 39, false, true},
		"hale": {&eventv1.RcrRegeneration{Amount: 10, AtZero: true}, 40, false, false}, "at 1": {&eventv1.RcrRegeneration{Amount: 10}, 1, false, true}, "at 0": {&eventv1.RcrRegeneration{Amount: 10}, 0, false, false},
		"at 0 by its nature": {&eventv1.RcrRegeneration{Amount: 10, AtZero: true}, 0, false, true}, "dead": {&eventv1.RcrRegeneration{Amount: 10, AtZero: true}, 0, true, false},
	} {
		most := int32(40)
		who := &eventv1.Creature{Id: "a", Hp: &c.hp, HpMax: &most, Sheet: fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) { s.Regeneration = c.g })), Life: eventv1.LifeStatus_LIFE_STATUS_ALIVE}
		if c.dead {
			who.Life = eventv1.LifeStatus_LIFE_STATUS_DEAD
		}
		if got := injuries.Regenerates(who); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// rcr.feat.keen-mind-lore, rcr.feat.skilled-picks, rcr.mount.exotic-size: what of a sheet
// does not hold is said of the field, on both sides of the border.
func TestSheetBorders(t *testing.T) {
	long := strings.Repeat("x", 64)
	mind := func(picks ...string) func(*eventv1.Sheet) {
		return rcrSheet(func(s *eventv1.RcrSheet) {
			s.ChosenFeats = []*eventv1.RcrFeat{{Name: body.FeatKeenMind, Ability: "intelligence", Picks: picks}}
		})
	}
	skilled := func(picks ...string) func(*eventv1.Sheet) {
		return rcrSheet(func(s *eventv1.RcrSheet) { s.ChosenFeats = []*eventv1.RcrFeat{{Name: body.FeatSkilled, Picks: picks}} })
	}
	trained := func(name, rank string) func(*eventv1.Sheet) {
		return rcrSheet(func(s *eventv1.RcrSheet) { s.Training = []*eventv1.RcrTraining{{Name: name, Rank: rank}} })
	}
	bulk := func(size string, exotic bool) func(*eventv1.Sheet) {
		return func(s *eventv1.Sheet) {
			s.Size, s.GetRcr().Saddle, s.GetRcr().SaddleExotic = size, body.SaddleNormal, exotic
		}
	}
	for name, c := range map[string]struct {
		change func(*eventv1.Sheet)
		field  string
	}{
		"one lore": {mind("history"), ""}, "two lores": {mind("history", "arcana"), "rcr.chosen_feats[0].picks"}, "no lore": {mind(), "rcr.chosen_feats[0].picks"},
		"three skills": {skilled("stealth", "arcana", "history"), ""}, "two": {skilled("stealth", "arcana"), "rcr.chosen_feats[0].picks"},
		"an empty pick": {skilled("stealth", "arcana", ""), "rcr.chosen_feats[0].picks"}, "a pick of 64 bytes": {skilled("stealth", "arcana", long), ""},
		"one of 65": {skilled("stealth", "arcana", long+"x"), "rcr.chosen_feats[0].picks"}, "one twice": {skilled("stealth", "arcana", "stealth"), "rcr.chosen_feats[0].picks"},
		"training of 64 bytes": {trained(long, "basic"), ""}, "of 65": {trained(long+"x", "basic"), "rcr.training[0].name"}, "in nothing": {trained("", "basic"), "rcr.training[0].name"},
		"a large mount": {bulk("large", false), ""}, "a huge one": {bulk("huge", false), "rcr.saddle_exotic"}, "a gargantuan one": {bulk("gargantuan", false), "rcr.saddle_exotic"}, "a huge one in an exotic saddle": {bulk("huge", true), ""},
	} {
		v := (System{}).CheckSheet(fighter("a", "party", c.change))
		has := slices.ContainsFunc(v, func(v fault.Violation) bool { return v.Field == "sheet."+c.field })
		if c.field == "" && len(v) > 0 || c.field != "" && !has {
			t.Errorf("%s: %v, want %q", name, v, c.field)
		}
	}
}

// rcr.condition.replace-base: who leaves lets go of those whom it holds, and of nobody else's.
func TestLeavingLetsGo(t *testing.T) {
	f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters"), fighter("c", "monsters"), fighter("d", "party")).start(nil, 20, 15, 10, 5)
	f.Must(afflicting("c", body.CondGrappled, "a"))
	f.Must(afflicting("b", body.CondGrappled, "d"))
	f.Must(&eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: "a"}}})
	f.wantHas("c", body.CondGrappled, false)
	f.wantHas("b", body.CondGrappled, true)
}

// rcr.base.fifth-edition-fallback: what one disengages with is over with the turn.
func TestDisengagedForTheTurn(t *testing.T) {
	f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
	f.Must(act("a", "disengage", "", ""))
	f.wantHas("a", body.CondDisengaged, true)
	f.End("a", 20)
	f.wantHas("a", body.CondDisengaged, false)
}

// rcr.base.fifth-edition-fallback: what recharges is rolled for as the turn begins, while
// it is spent and whoever has it is up.
func TestRechargeAsTheTurnBegins(t *testing.T) {
	breath := func(recharge string) func(*eventv1.Sheet) {
		return rcrSheet(func(s *eventv1.RcrSheet) {
			s.Powers = []*eventv1.RcrPower{{Name: "breath", Cost: "action", Usage: &eventv1.RcrUsage{Uses: 1, Recharge: recharge, RechargeFrom: 5}}}
		})
	}
	for name, c := range map[string]struct {
		recharge string
		left     int64
		down     bool
		face     int
		rolled   bool
		after    int64
	}{
		"a 5": {"recharge", 0, false, 5, true, 1}, "a 4": {"recharge", 0, false, 4, true, 0}, "not spent": {"recharge", 1, false, 5, false, 1}, "by the day": {"day", 0, false, 5, false, 0},
		"down": {"recharge", 0, true, 5, false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters", breath(c.recharge))).start(nil, 20, 5)
			f.Count("b", body.CLeft+"breath", int(c.left))
			f.Roller = func(sides int) int {
				if sides == 6 {
					return c.face
				}
				return 10
			}
			if c.down {
				f.Hurt("b", 0)
			}
			f.End("a")
			if got := len(f.Rolls("recharge/b/breath")) > 0; got != c.rolled || f.Creature("b").Counters[body.CLeft+"breath"] != c.after {
				t.Errorf("rolled %v, %d left", got, f.Creature("b").Counters[body.CLeft+"breath"])
			}
		})
	}
}

// rcr.dice.same-kind-no-stack: help with one skill is used by a check of that skill alone.
func TestHelpWithAnotherSkill(t *testing.T) {
	f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
	f.Afflict("a", body.CondHelped+"=check.stealth")
	f.Must(act("a", "called-check", "", "", withParameters("skill", "athletics", "dc", 10)), 10)
	f.wantHas("a", body.CondHelped, true)
	f.Must(act("a", "called-check", "", "", withParameters("skill", "stealth", "dc", 10)), 10, 12)
	f.wantHas("a", body.CondHelped, false)
}
