package original

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// original.movement.half-move-and-attack, original.movement.running, original.initiative.haste-movement
func TestMoving(t *testing.T) {
	for _, c := range []struct {
		rule, name, action string
		walk, to           int32
		hasted, allowed    bool
	}{
		{cite.MovementHalfMoveAndAttack, "6 of 12 inches", "move", 120, -60, false, true},
		{cite.MovementHalfMoveAndAttack, "7 of 12 inches", "move", 120, -70, false, false},
		{cite.MovementHalfMoveAndAttack, "4.5 of 9 inches", "move", 90, -45, false, true},
		{cite.MovementHalfMoveAndAttack, "more than 4.5", "move", 90, -46, false, false},
		{cite.MovementRunning, "12 of 12 inches", "run", 120, -120, false, true},
		{cite.MovementRunning, "12.5 of 12 inches", "run", 120, -125, false, false},
		{cite.InitiativeHasteMovement, "9 inches with an attack", "move", 90, -90, true, true},
		{cite.InitiativeHasteMovement, "18 inches", "run", 90, -180, true, true},
		{cite.InitiativeHasteMovement, "no further", "run", 90, -181, true, false},
	} {
		t.Run(c.rule+"/"+c.name, func(t *testing.T) {
			f := newTable(t).at(0, one("a", "party", arms(bow), func(s *eventv1.Sheet) { s.Speeds["walk"] = c.walk })).at(30, strongFoe())
			if c.hasted {
				f.Afflict("a", body.CondHasted)
			}
			f.start(nil, 6, 1)
			err := f.Try(act("a", c.action, "", "", path(c.to)))
			if c.allowed != (err == nil) {
				t.Fatalf("%v", err)
			}
			if !c.allowed {
				return
			}
			err = f.Try(act("a", "attack", "bow", "b", withFacts("distance", 100)), 2)
			if (c.action == "move") != (err == nil) {
				t.Fatalf("an attack after it: %v", err)
			}
		})
	}
}

// original.movement.in-melee-definition
func TestInMelee(t *testing.T) {
	for _, c := range []struct {
		name  string
		feet  int32
		apart bool
		want  bool
	}{{"10 feet", 10, false, true}, {"11 feet", 11, false, false}, {"a portcullis between", 5, true, false}} {
		f := newTable(t).at(0, one("a", "party")).at(c.feet, strongFoe())
		if c.apart {
			f.Put("a", &eventv1.Vitals{Relations: []*eventv1.Relation{{Kind: body.RelApart, To: "b"}}})
		}
		if got := body.InMelee(f.Creature("a"), f.Creature("b")); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// original.condition.partially-surprised
func TestFlankLastsUntilFaced(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", ac(5), shield(1), dex(2))).at(5, strongFoe()).start(nil, 1, 6)
	f.Must(act("b", "attack", "sword", "a", withFacts("position", "flank")), 2)
	f.End("b")
	f.Must(act("a", "face", "", "b"))
	wantRefused(t, f.Try(act("a", "face", "", "b")), cite.ConditionPartiallySurprised)
	f.End("a")
	f.Must(act("b", "attack", "sword", "a"), 2)
	// Four hit dice need 15 against AC 0, 13 against AC 2.
	if got := f.Roll("to-hit"); got.Target.Value != 13 || len(got.Modifiers) != 0 {
		t.Fatalf("AC 2 and no +1: %v", got)
	}
}

// original.charge.no-initiative
func TestTheChargedAnswerAfterContact(t *testing.T) {
	f := newTable(t).at(0, one("orc", "party", points(50), need(14))).at(100, strongFoe()).start(nil, 2, 1)
	f.Must(act("orc", "charge", "sword", "b"), 2)
	f.End("orc")
	f.Must(act("b", "attack", "sword", "orc"), 2)
}

// original.dice.advantage, original.dice.disadvantage
func TestAdvantage(t *testing.T) {
	stated := func(directions ...string) func(*eventv1.TakeAction) {
		return func(t *eventv1.TakeAction) {
			for _, d := range directions {
				t.Circumstances = append(t.Circumstances, &eventv1.Circumstance{Direction: d, Cause: "test"})
			}
		}
	}
	for _, c := range []struct {
		rule, name string
		need       int32
		directions []string
		faces      []int
		outcome    string
		damage     int32
	}{
		{cite.DiceAdvantage, "14 counts", 14, []string{"advantage"}, []int{5, 14, 1}, "hit", 2},
		{cite.DiceAdvantage, "two 1s", 3, []string{"advantage"}, []int{1, 1}, "miss", 0},
		{cite.DiceAdvantage, "a natural 20 at need 21", 21, []string{"advantage"}, []int{20, 8, 4}, "hit", 4},
		{cite.DiceAdvantage, "two sources are two dice", 14, []string{"advantage", "advantage"}, []int{5, 14, 1}, "hit", 2},
		{cite.DiceAdvantage, "both cancel", 14, []string{"advantage", "disadvantage"}, []int{5}, "miss", 0},
		{cite.DiceDisadvantage, "7 counts, no natural 20", 8, []string{"disadvantage"}, []int{20, 7}, "miss", 0},
		{cite.DiceDisadvantage, "a natural 1", 2, []string{"disadvantage"}, []int{1, 19}, "miss", 0},
	} {
		t.Run(c.rule+"/"+c.name, func(t *testing.T) {
			f := newTable(t).at(0, one("a", "party", need(c.need))).at(5, strongFoe()).start(nil, 6, 1)
			f.Must(act("a", "attack", "sword", "b", stated(c.directions...)), c.faces...)
			if f.Attack().Outcome != c.outcome || f.DamageTo("b") != c.damage {
				t.Fatalf("%s, %d", f.Attack().Outcome, f.DamageTo("b"))
			}
		})
	}
}
