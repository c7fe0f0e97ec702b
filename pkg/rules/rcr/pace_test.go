package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// The movement left follows the speed within a turn.
func TestKeepingPace(t *testing.T) {
	t.Run("rcr.condition.grappled-speed: held when its turn began, it has escaped", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 5, 20)
		f.Afflict("a", body.CondGrappled+"@b")
		f.End("b", 1)
		f.wantCount("a", body.CMovement, 0)
		f.Must(act("a", "escape", "", ""), 20, 1)
		f.Must(act("a", "move", "", "", feet(30)))
		f.wantCount("a", body.CMovement, 0)
	})
	t.Run("rcr.condition.grappled-speed: held in the middle and let go, what was spent is spent", func(t *testing.T) {
		f := duel(t)
		f.Must(act("a", "move", "", "", feet(10)))
		f.Afflict("a", body.CondGrappled+"@b")
		wantRefused(t, f.Try(act("a", "move", "", "", feet(5))), cite.ConditionGrappledSpeed)
		f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "a", RemoveConditions: []string{body.CondGrappled}}}})
		f.wantCount("a", body.CMovement, 20)
	})
	t.Run("rcr.injury.row2-crippled-speed: crippled in passing, it gets no further", func(t *testing.T) {
		f := newTable(t)
		f.place(bodied("a", 10, 40), 0, 0)
		f.place(fighter("b", "monsters"), 20, 5)
		f.start(nil, 20, 5)
		f.Count("a", body.CWounds, 1)
		f.Must(act("a", "move", "", "", along(30, 0)))
		f.Answer(body.DecOpportunity, "sword", 20, 1, 1)
		if at := f.Creature("a").Position; at.X != 25 || f.Creature("a").Counters[body.CWounds] != 2 {
			t.Fatalf("at %v, %v", at, f.Creature("a").Counters)
		}
		f.wantCount("a", body.CMovement, 0)
	})
	t.Run("rcr.injury.row2-crippled-speed: crippled early, it goes as far as half the speed", func(t *testing.T) {
		f := newTable(t)
		f.place(bodied("a", 10, 40), 0, 0)
		f.place(fighter("b", "monsters"), 5, 0)
		f.start(nil, 20, 5)
		f.Count("a", body.CWounds, 1)
		f.Afflict("a", body.CondBlinded) // leaving provokes
		f.Must(act("a", "blind-walk", "", ""), 15, 16)
		f.Must(act("a", "move", "", "", along(-30, 0)))
		f.Answer(body.DecOpportunity, "sword", 20, 20, 1, 1)
		if at := f.Creature("a").Position; at.X != -15 {
			t.Fatalf("at %v, want 15 feet away", at)
		}
		f.wantCount("a", body.CMovement, 0)
	})
	t.Run("rcr.healing.lesser-restoration: crippled no more, the other half is there", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", caster), fighter("b", "monsters")).start(nil, 5, 20)
		f.Count("a", body.CWounds, 2)
		f.End("b", 1)
		f.wantCount("a", body.CMovement, 15)
		f.Must(act("a", "move", "", "", feet(10)))
		f.Must(act("a", "cast", "lesser restoration", "a"))
		f.wantCount("a", body.CMovement, 20)
	})
	t.Run("rcr.condition.crouching-speed: in a crouch half of it", func(t *testing.T) {
		f := duel(t)
		f.Must(act("a", "crouch", "", ""))
		f.Count("a", body.CExhaustion, 4) // 20, in a crouch 10
		f.wantCount("a", body.CMovement, 10)
		f.Must(act("a", "stand", "", ""))
		f.wantCount("a", body.CMovement, 15)
	})
	t.Run("rcr.condition.exhaustion-speed: a Dash is worth the speed of now", func(t *testing.T) {
		f := duel(t)
		f.Must(act("a", "dash", "", ""))
		f.Count("a", body.CExhaustion, 2)
		f.wantCount("a", body.CMovement, 50)
	})
	t.Run("a boon that ends takes its speed along", func(t *testing.T) {
		f := duel(t)
		f.boon("a", "hasted", map[string]int32{"speed-times": 2})
		f.wantCount("a", body.CMovement, 60)
		f.Must(act("a", "move", "", "", feet(40)))
		f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "a", RemoveConditions: []string{"hasted"}}}})
		f.wantCount("a", body.CMovement, 0)
	})
	t.Run("rcr.surprise.one-action: in the surprise round there is none to gain", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start([]string{"b"}, 20)
		f.boon("a", "hasted", map[string]int32{"speed-times": 2})
		f.wantCount("a", body.CMovement, 0)
	})
}
