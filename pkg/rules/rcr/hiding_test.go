package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// lurk is a fight in which the rogue "a", 20 feet from the orc "b", has hidden
// with a total of 17 and has the turn; the hero is its friend.
func lurk(t *testing.T, shape ...func(*eventv1.Sheet)) *table {
	t.Helper()
	f := newTable(t)
	rogue := append([]func(*eventv1.Sheet){trait("cunning action")}, shape...)
	f.AddAt(0, 0, fighter("a", "party", rogue...))
	f.AddAt(20, 0, fighter("b", "monsters"))
	f.AddAt(0, 20, fighter("hero", "party"))
	f.start(nil, 20, 5, 4)
	f.Must(act("a", "hide", "", "", withParameters("cost", "bonus")), 17)
	return f
}

// told are the kinds of events with the rogue's place, way or total that a player
// sees.
func told(f *table, who string) (out []string) {
	for _, e := range f.SeenBy(player(who)) {
		switch {
		case e.GetMoved().GetCreature() == "a":
			out = append(out, "moved "+e.GetMoved().Mode)
		case e.GetRoll().GetCreature() == "a":
			out = append(out, "roll")
		case e.GetCounter().GetSubject() == "a" && slices.Contains([]string{body.CStealth, body.CMovement, body.CMoved}, e.GetCounter().Counter):
			out = append(out, e.GetCounter().Counter)
		case e.GetAction().GetCreature() == "a":
			out = append(out, e.GetAction().Action)
		}
	}
	return out
}

func wantTold(t *testing.T, f *table, who string, want ...string) {
	t.Helper()
	if got := told(f, who); !slices.Equal(got, want) {
		t.Errorf("%s is told %v, want %v", who, got, want)
	}
}

// Whoever hides tells its total, its place and its way to nobody; whoever stops
// tells its place to all.
//
// rcr.action.skill-action-hide
func TestHiddenTellsNothing(t *testing.T) {
	f := lurk(t)
	wantTold(t, f, "hero-player", "hide")
	wantTold(t, f, "a-player", "hide", "roll", body.CStealth)
	f.Must(act("a", "move", "", "", along(5, 0, 10, 0)))
	wantTold(t, f, "hero-player")
	wantTold(t, f, "a-player", "move", "moved walk", body.CMovement, body.CMoved)
	f.Must(act("a", "attack", "bow", "b"), 15, 10, 4) // seen by nobody: advantage
	if body.Has(f.Creature("a"), body.CondHidden) || f.Creature("a").Counters[body.CStealth] != 0 || rules.BegunOf(f.Creature("a"), body.BegunHiding) != nil {
		t.Fatalf("hidden still: %v", f.Creature("a"))
	}
	wantTold(t, f, "hero-player", "attack", "roll", "moved placed", body.CMovement, body.CMoved, "roll")
}

// What the game master lays and lifts is told no otherwise.
func TestHiddenByWord(t *testing.T) {
	f := newTable(t)
	f.AddAt(0, 0, fighter("a", "party"))
	f.AddAt(20, 0, fighter("b", "monsters"))
	f.start(nil, 20, 5)
	f.Afflict("a", body.CondHidden)
	f.Place("a", 50, 50)
	wantTold(t, f, "b-player")
	if b := rules.BegunOf(f.Creature("a"), body.BegunHiding); b == nil || len(b.Values) > 0 {
		t.Errorf("seen at %v", b)
	}
	f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "a", RemoveConditions: []string{body.CondHidden}}}})
	wantTold(t, f, "b-player", "moved placed", body.CMovement)
}

// Searching goes against the total without showing it.
//
// rcr.action.skill-bonus-search
func TestSearchShowsNoTotal(t *testing.T) {
	for face, found := range map[int]bool{16: false, 17: true} {
		f := lurk(t)
		f.End("a", 3)
		f.WantActive("b")
		f.Must(act("b", "search", "", "a"), face)
		if roll := f.Roll("perception"); roll.Target != nil || (roll.Outcome == "success") != found {
			t.Errorf("%d: %v", face, roll)
		}
		if body.Has(f.Creature("a"), body.CondHidden) == found {
			t.Errorf("%d: found %v, want %v", face, !found, found)
		}
	}
}

// An attack on one who hides goes to where it was seen last: there it may hit,
// elsewhere it misses, and the roll shows neither.
//
// rcr.base.fifth-edition-fallback
func TestAttackOnHidden(t *testing.T) {
	for _, moved := range []bool{false, true} {
		f := lurk(t)
		if moved {
			f.Must(act("a", "move", "", "", along(0, 10)))
		}
		f.End("a", 3)
		if moved {
			f.Must(act("b", "attack", "bow", "a"), 15, 16)
		} else {
			f.Must(act("b", "attack", "bow", "a"), 15, 16, 4)
		}
		want := map[bool]string{false: "hit", true: "miss"}[moved]
		if got := f.Attack(); got.Outcome != want || got.Note != "" || f.Roll("to-hit").Target != nil {
			t.Errorf("moved %v: %v, %v", moved, got, f.Roll("to-hit"))
		}
	}
}

// Nobody finds the hidden by what is refused: where it may be, all of it is as if
// it were where it was seen last, and it is in nobody's way.
func TestHiddenIsNowhereElse(t *testing.T) {
	for _, there := range [][]int32{{0, 0}, {15, 0}, {25, 5}, {90, 90}} {
		f := lurk(t)
		f.Place("a", there[0], there[1])
		f.End("a", 3)
		wantRefused(t, f.Peek(act("b", "attack", "sword", "a")), cite.BaseFifthEditionFallback)
		wantRefused(t, f.Peek(act("b", "grapple", "", "a")), cite.BaseFifthEditionFallback)
		for _, way := range [][]int32{{15, 0}, {25, 5}} {
			if err := f.Peek(act("b", "move", "", "", along(way...))); err != nil {
				t.Errorf("a at %v: %v", there, err)
			}
		}
		for _, o := range (System{}).Options(rules.Query{State: f.State, Creature: "b"}) {
			if o.Action == "attack" && slices.Contains(o.Targets, "a") != (o.Item == "bow" || o.Item == body.ImprovisedWeapon) {
				t.Errorf("a at %v: %s may strike %v", there, o.Item, o.Targets)
			}
		}
	}
}
