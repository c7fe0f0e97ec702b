package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func TestRunning(t *testing.T) {
	way := func(points ...[2]int32) func(*eventv1.TakeAction) {
		return func(take *eventv1.TakeAction) {
			for _, p := range points {
				take.Path = append(take.Path, &eventv1.Position{X: p[0], Y: p[1]})
			}
		}
	}
	far := func(t *testing.T, a *eventv1.Sheet) *table {
		f := duel(t, a, fighter("b", "foes", weapon(longbow(0))))
		f.at("b", 0, 300)
		return f
	}
	t.Run(cite.MovementRun, func(t *testing.T) {
		f := far(t, fighter("a", "party"))
		wantRefused(t, f.Try(act("a", "run", "", "", way([2]int32{125, 0}))), cite.MovementRun)
		wantRefused(t, f.Try(act("a", "run", "", "", way([2]int32{40, 0}, [2]int32{40, 40}))), cite.MovementRun)
		wantRefused(t, f.Try(act("a", "run", "", "", way([2]int32{40, 0}, [2]int32{20, 0}))), cite.MovementRun)
		f.Must(act("a", "run", "", "", way([2]int32{60, 0}, [2]int32{120, 0})))
		if c := f.Creature("a"); c.Position.X != 120 || f.acts("a") != 0 {
			t.Errorf("at %v, %d acts left", c.Position, f.acts("a"))
		}
	})
	t.Run("celesia.movement.run provokes", func(t *testing.T) {
		f := duel(t, fighter("a", "party", section(func(c *eventv1.CelesiaSheet) { c.DefenseDexterity = 3 })), fighter("b", "foes"))
		f.Must(act("a", "run", "", "", way([2]int32{-60, 0})))
		f.Answer(body.DecReaction, "attack:sword", 9) // 14 against 15: the bonus still counts
		if f.Attack().Outcome != "miss" || f.Creature("a").Position.X != -60 {
			t.Error("the attack comes before the run")
		}
	})
	t.Run(cite.MovementRunLosesDexterity, func(t *testing.T) {
		for dexterity, want := range map[int32]int32{3: 14, 0: 17} {
			f := far(t, fighter("a", "party", defends(17), section(func(c *eventv1.CelesiaSheet) { c.DefenseDexterity = dexterity })))
			f.Must(act("a", "run", "", "", way([2]int32{120, 0})))
			if got := strike.Defense(f.Creature("a"), false).Value; got != want {
				t.Errorf("DV %d, want %d", got, want)
			}
			f.End("a")
			f.End("b")
			if got := strike.Defense(f.Creature("a"), false).Value; got != 17 {
				t.Errorf("DV %d in the next turn, want 17", got)
			}
		}
	})
	t.Run(cite.InjuryLeg, func(t *testing.T) {
		f := far(t, fighter("a", "party"))
		f.Put("a", &eventv1.Vitals{Injuries: several(1, "leg", "left", 0)})
		wantRefused(t, f.Try(act("a", "run", "", "", way([2]int32{10, 0}))), cite.InjuryLeg)
	})
	t.Run(cite.MovementRunEndurance, func(t *testing.T) {
		f := far(t, fighter("a", "party", con(14)))
		x := int32(0)
		run := func(faces ...int) {
			t.Helper()
			x += 120
			f.Must(act("a", "run", "", "", way([2]int32{x, 0})), faces...)
		}
		for range 14 {
			run()
			f.End("a")
			f.End("b")
		}
		for i, face := range []int{8, 9, 9} {
			run(face)
			if got := f.Roll("endurance/a").Target.Value; got != 10+int32(i) {
				t.Errorf("check %d: DC %d, want %d", i+1, got, 10+i)
			}
			if stopped := f.Creature("a").Position.X != x; stopped != (i == 2) {
				t.Errorf("check %d: stopped %v", i+1, stopped)
			}
			if i < 2 {
				f.End("a")
				f.End("b")
			}
		}
		// celesia.movement.run-failure-staggered: 10 - 2 minutes of 10 turns.
		if c := body.Condition(f.Creature("a"), body.CondStaggered); c.GetUntil().GetTurns() != 80 || c.Values["minutes"] != 8 {
			t.Errorf("staggered %v", c)
		}
		f.End("a")
		f.End("b")
		if f.acts("a") != 1 {
			t.Errorf("%d acts while staggered, want 1", f.acts("a"))
		}
	})
	t.Run("celesia.movement.run-endurance begins anew", func(t *testing.T) {
		f := far(t, fighter("a", "party", con(3)))
		for i := range 4 {
			if i == 2 { // a turn without running
				f.End("a")
				f.End("b")
			}
			f.Must(act("a", "run", "", "", way([2]int32{int32(i+1) * 60, 0})))
			f.End("a")
			f.End("b")
		}
	})
	for con, want := range map[int]int32{30: 1, 14: 8, 10: 10, 6: 10} {
		t.Run(cite.MovementRunFailureStaggered, func(t *testing.T) {
			f := far(t, fighter("a", "party", ability("constitution", con)))
			f.Count("a", body.CRun, con)
			f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: strike.CondRan, Until: &eventv1.Until{When: "round", Round: f.State.Round}}}})
			face := 1
			if con == 30 {
				f.Count("a", body.CRunChecks, 2) // 1 + 10 against 12
			}
			f.Must(act("a", "run", "", "", way([2]int32{10, 0})), face)
			if got := body.Condition(f.Creature("a"), body.CondStaggered).GetValues()["minutes"]; got != want {
				t.Errorf("%d minutes, want %d", got, want)
			}
		})
	}
	t.Run("celesia.movement.run-endurance no Constitution", func(t *testing.T) {
		f := far(t, fighter("a", "party", func(s *eventv1.Sheet) { delete(s.Abilities, "constitution") }))
		f.Count("a", body.CRun, 100)
		f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: strike.CondRan, Until: &eventv1.Until{When: "round", Round: f.State.Round}}}})
		f.Must(act("a", "run", "", "", way([2]int32{10, 0})))
	})
}
