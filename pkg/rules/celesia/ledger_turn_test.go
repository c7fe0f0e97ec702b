package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func TestTurnsByTheLedger(t *testing.T) {
	bolt := func(casting string) func(*eventv1.Sheet) {
		return spell(&eventv1.CelesiaSpell{Name: "s", Casting: casting, Dice: "1d6", RangeFeet: 100})
	}
	t.Run("celesia.turn.haste full action and a simple one", func(t *testing.T) {
		f := duel(t, fighter("a", "party", bolt("full")), fighter("b", "foes", unarmed()))
		f.Afflict("a", body.CondHasted)
		f.Must(act("a", "cast", "s", "b"), 3)
		f.Must(act("a", "attack", "sword", "b"), 2)
		wantRefused(t, f.Try(act("a", "attack", "sword", "b")), cite.TurnThreeActs)
	})
	t.Run("celesia.turn.delay-reenter not in the middle of a turn", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes"), fighter("c", "party")).start(nil, 20, 15, 10)
		f.Must(act("a", "delay", "", ""))
		f.Must(act("b", "attack", "sword", "c"), 2)
		f.Must(act("b", "attack", "sword", "c"), 2)
		if len(f.Decisions) != 0 {
			t.Fatalf("asked %v while b's turn runs", f.Decisions)
		}
		wantRefused(t, f.Try(act("a", "attack", "sword", "b")), cite.ActionFreeOwnTurnOnly)
		f.Must(act("b", "drop-prone", "", ""))
		f.End("b")
		f.Answer(body.DecReenter, "no")
		f.WantActive("c")
	})
	t.Run("celesia.turn.delay nothing done, not even for free", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes")).start(nil, 20, 15)
		f.Must(act("a", "fight-defensively", "", ""))
		wantRefused(t, f.Try(act("a", "delay", "", "")), cite.TurnDelay)
	})
	t.Run("celesia.movement.move Move, Move, Attack", func(t *testing.T) {
		f := crowd(t, [][2]int32{{0, 0}, {65, 0}}, fighter("a", "party"), fighter("b", "foes"))
		f.Must(act("a", "move", "", "", way(30, 0)))
		f.Must(act("a", "move", "", "", way(60, 0)))
		f.Must(act("a", "attack", "sword", "b"), 2)
		f.wantAt("a", 60, 0)
		if f.acts("a") != 0 {
			t.Errorf("%d acts left", f.acts("a"))
		}
	})
	t.Run("celesia.movement.move by other modes", func(t *testing.T) {
		winged := func(s *eventv1.Sheet) { s.Speeds = map[string]int32{"walk": 20, "fly": 60} }
		f := crowd(t, [][2]int32{{0, 0}, {100, 0}}, fighter("a", "party", winged), fighter("b", "foes"))
		wantRefused(t, f.Try(act("a", "move", "", "", way(25, 0))), cite.MovementMove)
		wantRefused(t, f.Try(act("a", "move", "", "", way(10, 0), withParameters("mode", "swim"))), cite.MovementMove)
		f.Must(act("a", "move", "", "", way(60, 0), withParameters("mode", "fly")))
	})
	t.Run("celesia.movement.crawl 5 feet at most", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		f.Must(act("a", "drop-prone", "", ""))
		wantRefused(t, f.Try(act("a", "crawl", "", "", way(-10, 0))), cite.MovementCrawl)
	})
	t.Run("celesia.action.convert-swift three times", func(t *testing.T) {
		f := duel(t, fighter("a", "party", talented(&eventv1.CelesiaAbility{Name: "x", Time: body.TimeSwift})), fighter("b", "foes"))
		for range 3 {
			f.Must(act("a", "use-ability", "x", ""))
		}
		wantRefused(t, f.Try(act("a", "use-ability", "x", "")), cite.TurnThreeActs)
	})
}

func TestReactionsByTheLedger(t *testing.T) {
	bolt := spell(&eventv1.CelesiaSpell{Name: "s", Casting: "standard", Dice: "1d6", RangeFeet: 100})
	t.Run("celesia.turn.reaction-provoke a readied spell", func(t *testing.T) {
		f := crowd(t, [][2]int32{{0, 0}, {50, 0}, {5, 0}}, fighter("a", "party", bolt), fighter("b", "foes"), fighter("c", "foes"))
		f.Must(act("a", "ready", "s", "", withParameters("action", "cast", "trigger", "move")))
		f.Must(act("b", "move", "", "", way(30, 0)))
		f.Answer(body.DecReaction+"/a", "readied")
		if len(f.Decisions) != 1 || f.Decisions[0].Creature != "c" {
			t.Fatalf("asked %v, want c, who threatens the caster", f.Decisions)
		}
		f.WantHP("b", 40)
		f.Answer(body.DecReaction+"/c", "attack:sword", 15, 4, 3) // before the spell, which comes before the move
		f.WantHP("a", 36)
		f.WantHP("b", 37)
		f.wantAt("b", 30, 0)
	})
	t.Run("celesia.turn.reaction-timing not in one's own turn", func(t *testing.T) {
		// b's counterspell provokes beside a; but it is a's turn.
		counter := features(body.FeatCounterspell)
		f := crowd(t, [][2]int32{{0, 0}, {5, 0}, {50, 0}}, fighter("a", "party", bolt, features(body.FeatCombatReflexes), ability("dexterity", 14)), fighter("b", "foes", bolt, counter), fighter("c", "foes"))
		f.Must(act("a", "cast", "s", "c"))
		f.Answer(body.DecReaction+"/b", "counterspell")
		if len(f.Decisions) != 1 || f.Decisions[0].Name != body.DecCounter {
			t.Fatalf("asked %v", f.Decisions)
		}
		f.Answer(body.DecCounter, "yes")
	})
	t.Run("celesia.movement.charge-exposed not for the blow that it provokes", func(t *testing.T) {
		f := crowd(t, [][2]int32{{0, 0}, {0, 5}, {40, 0}}, fighter("a", "party", defends(16)), fighter("b", "foes"), fighter("c", "foes"))
		f.Must(act("a", "charge", "sword", "c"))
		f.Answer(body.DecReaction+"/b", "attack:sword", 10) // one die: 15 misses
		if f.Attack().Outcome != "miss" {
			t.Error("15 misses DV 16")
		}
	})
	t.Run(cite.MovementChargeAdvantage, func(t *testing.T) {
		f := crowd(t, [][2]int32{{0, 0}, {40, 0}, {40, 5}}, fighter("a", "party", attacks(7)), fighter("b", "foes", defends(18)), fighter("c", "foes", defends(14)))
		f.Afflict("a", body.CondHasted)
		f.Must(act("a", "charge", "sword", "b"))
		f.Must(act("a", "attack", "sword", "b"), 6, 11, 1)
		if f.Roll("to-hit").Total != 18 || f.Attack().Outcome != "hit" {
			t.Errorf("total %d", f.Roll("to-hit").Total)
		}
		f.Must(act("a", "attack", "sword", "b"), 10, 3)
		if f.Roll("to-hit").Total != 17 || f.Attack().Outcome != "miss" {
			t.Errorf("total %d", f.Roll("to-hit").Total)
		}
		g := crowd(t, [][2]int32{{0, 0}, {40, 0}, {40, 5}}, fighter("a", "party", attacks(7)), fighter("b", "foes", defends(18)), fighter("c", "foes", defends(14)))
		g.Must(act("a", "charge", "sword", "b"))
		g.Must(act("a", "attack", "sword", "c"), 6) // the orc beside it: one die
		if g.Roll("to-hit").Total != 13 || g.Attack().Outcome != "miss" {
			t.Errorf("total %d", g.Roll("to-hit").Total)
		}
	})
	t.Run("celesia.movement.charge-advantage ends with the turn", func(t *testing.T) {
		f := crowd(t, [][2]int32{{0, 0}, {40, 0}}, fighter("a", "party"), fighter("b", "foes"))
		f.Must(act("a", "charge", "sword", "b"))
		f.End("a")
		f.Must(act("b", "sheathe", "sword", ""))
		f.Answer(body.DecReaction+"/a", "attack:sword", 2) // one die
	})
}

func TestAidByTheLedger(t *testing.T) {
	aid := act("a", "aid-another", "sword", "c", withParameters("friend", "b"))
	build := func(t *testing.T, bonus int32) *table {
		return crowd(t, [][2]int32{{0, 0}, {10, 0}, {5, 0}, {10, 5}}, fighter("a", "party", attacks(0), section(func(c *eventv1.CelesiaSheet) { c.Weapons[0].AttackBonus = bonus })),
			fighter("b", "party", attacks(6)), fighter("c", "foes", defends(20)), fighter("d", "foes"))
	}
	for _, tc := range []struct {
		rule  string
		bonus int32
		face  int
		want  int32
	}{
		{"celesia.action.degrees-aid 10 under", -5, 5, -1},
		{"celesia.action.degrees-aid 9 under", -5, 6, 0},
		{"celesia.action.aid-another fails by 1", 4, 5, 0},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			f := build(t, tc.bonus)
			f.Must(aid, tc.face)
			if len(f.Decisions) > 0 {
				t.Fatal("nothing to choose after a failure")
			}
			f.End("a")
			f.Must(act("b", "attack", "sword", "c"), 10)
			if got := f.Roll("to-hit").Total; got != 16+tc.want {
				t.Errorf("the friend's total %d, want %d", got, 16+tc.want)
			}
		})
	}
	t.Run("celesia.action.aid-another-expiry against the opponent named alone", func(t *testing.T) {
		f := build(t, 4)
		f.Must(aid, 6)
		f.Answer(strike.DecAid, "defense")
		f.End("a")
		f.End("b")
		f.Must(act("c", "attack", "sword", "b"), 9) // 14 misses anyway: the first attack uses it up
		if got := f.Roll("to-hit").Target.Value; got != 16 {
			t.Errorf("DV %d, want 16", got)
		}
		f.Must(act("c", "attack", "sword", "b"), 9)
		if got := f.Roll("to-hit").Target.Value; got != 15 {
			t.Errorf("DV %d, want 15", got)
		}
	})
	t.Run("celesia.action.aid-another-expiry the opponent's ally first", func(t *testing.T) {
		f := crowd(t, [][2]int32{{0, 0}, {10, 0}, {10, 5}, {5, 0}}, fighter("a", "party"), fighter("b", "party"), fighter("c", "foes"), fighter("d", "foes"))
		f.Must(act("a", "aid-another", "sword", "d", withParameters("friend", "b")), 15)
		f.Answer(strike.DecAid, "defense")
		f.End("a")
		f.End("b")
		f.Must(act("c", "attack", "sword", "b"), 2)
		if got := f.Roll("to-hit").Target.Value; got != 15 {
			t.Errorf("DV %d against the ally, want 15", got)
		}
		f.End("c")
		f.Must(act("d", "attack", "sword", "b"), 2)
		if got := f.Roll("to-hit").Target.Value; got != 17 { // 20 against 10: 2
			t.Errorf("DV %d against the one named, want 17", got)
		}
	})
}
