package celesia

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/proto"
)

// removed takes a creature off the field.
func removed(id string) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: id}}}
}

// lifted takes conditions off a creature by the game master's word.
func lifted(id string, conditions ...string) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: id, RemoveConditions: conditions}}}
}

// liesStable makes a creature one far below 0 that bleeds out no more.
func liesStable(f *table, id string, counters map[string]int64) {
	f.T.Helper()
	f.Put(id, &eventv1.Vitals{Hp: proto.Int32(-20), Life: eventv1.LifeStatus_LIFE_STATUS_STABLE, Counters: counters})
}

// nobodyLeft tells whether everyone was told that nobody could act.
func nobodyLeft(f *table) bool {
	return slices.ContainsFunc(f.Events, func(e *eventv1.Event) bool { return e.GetNote().GetText() == "nobody is left who could act" })
}

// celesia.condition.flat-footed: who was flat-footed before the fight is so once, and no
// more when its turn has come.
func TestFlatFootedBeforeTheFight(t *testing.T) {
	f := newTable(t).add(fighter("a", "party"), fighter("b", "foes"))
	f.Afflict("b", body.CondFlatFooted)
	f.start(nil, 15, 5)
	if n := f.count("b", body.CondFlatFooted); n != 1 {
		t.Errorf("flat-footed %d times", n)
	}
	f.End("a")
	if f.count("b", body.CondFlatFooted) != 0 {
		t.Error("flat-footed in its own turn")
	}
}

// celesia.initiative.inaction: rounds go on by themselves while they can change something: not
// for one who leaves, nor for the stable; for one who bleeds; and for those who cannot act 50
// of them, until the game master says more.
func TestRoundsThatNobodyActsIn(t *testing.T) {
	t.Run("the last who could act leaves", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		liesStable(f, "b", nil)
		was := f.State.Round
		f.Must(removed("a"))
		f.WantActive()
		if !nobodyLeft(f) || f.State.Round != was {
			t.Errorf("round %d after %d, told %v", f.State.Round, was, nobodyLeft(f))
		}
	})
	t.Run("nobody can act", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		f.Afflict("b", body.CondStunned)
		was := f.State.Round
		f.Afflict("a", body.CondStunned)
		f.WantActive()
		if !nobodyLeft(f) || f.State.Round != was+50 {
			t.Errorf("round %d after %d, told %v", f.State.Round, was, nobodyLeft(f))
		}
		f.Must(lifted("a", body.CondStunned))
		f.WantActive("a")
		if f.State.Round != was+51 {
			t.Errorf("round %d", f.State.Round)
		}
	})
	t.Run("who is stable bleeds on", func(t *testing.T) {
		f := duel(t, fighter("a", "party", immuneTo(body.ImmuneCritical)), fighter("b", "foes")) // Constitution 12: dead at -24
		liesStable(f, "b", nil)
		liesStable(f, "a", map[string]int64{body.CBleed: 1})
		f.WantLife("a", eventv1.LifeStatus_LIFE_STATUS_DEAD)
		f.WantLife("b", eventv1.LifeStatus_LIFE_STATUS_STABLE)
		if !nobodyLeft(f) {
			t.Error("nobody is told")
		}
	})
}

// celesia.surprise.surprised-definition: the surprised have no turn in the surprise round; in a
// regular one they have.
func TestSurpriseIsOfItsRound(t *testing.T) {
	f := duel(t, fighter("a", "party"), fighter("b", "foes"))
	f.Afflict("b", body.CondSurprised)
	f.End("a")
	f.WantActive("b")
}

// celesia.surprise.reaction: who could act in the surprise round gains a reaction when it is over;
// not the surprised, nor one who could not act.
func TestReactionsAfterTheSurpriseRound(t *testing.T) {
	f := newTable(t).add(fighter("a", "party"), fighter("b", "foes"), fighter("c", "foes"), fighter("d", "foes"))
	f.start([]string{"c"}, 18, 14, 10, 6)
	f.Afflict("b", body.CondParalyzed)
	f.End("a")
	f.WantActive("d")
	f.End("d")
	f.WantActive("a")
	for id, want := range map[string]int64{"b": 0, "c": 0, "d": 1} {
		if got := f.Creature(id).Counters[body.CReactions]; got != want || f.State.Round != 1 {
			t.Errorf("round %d: %s has %d reactions, want %d", f.State.Round, id, got, want)
		}
	}
	f.Must(lifted("b", body.CondParalyzed))
	if f.Creature("b").Counters[body.CReactions] != 0 {
		t.Error("a reaction for a round in which nothing could be done")
	}
}

// celesia.action.one-round-frame: a caster whom its own spell strikes down as it takes effect
// has had its turn.
func TestStruckDownByItsOwnSpell(t *testing.T) {
	blast := &eventv1.CelesiaSpell{Name: "s", Casting: "1-round", Dice: "4d10", RangeFeet: 30}
	for name, c := range map[string]struct {
		faces []int
		turn  string
	}{"struck down": {[]int{10, 10, 10, 10}, "b"}, "on its feet": {[]int{1, 1, 1, 1}, "a"}} {
		t.Run(name, func(t *testing.T) {
			f := duel(t, fighter("a", "party", spell(blast), immuneTo(body.ImmuneCritical)), fighter("b", "foes", unarmed()))
			f.Hurt("a", 20)
			f.Must(act("a", "cast", "s", "a"))
			f.End("a")
			f.End("b", c.faces...)
			f.WantActive(c.turn)
			if left := f.acts("a"); (left == 0) != (c.turn == "b") {
				t.Errorf("%d acts", left)
			}
		})
	}
}

// celesia.turn.delay-reenter: whoever delays is asked at the end of each turn of another, unless
// it cannot act.
func TestWhoIsAskedBackFromADelay(t *testing.T) {
	for name, able := range map[string]bool{"able": true, "paralyzed": false} {
		t.Run(name, func(t *testing.T) {
			f := duel(t, fighter("a", "party"), fighter("b", "foes"))
			f.Must(act("a", "delay", "", ""))
			if !able {
				f.Afflict("a", body.CondParalyzed)
			}
			f.End("b")
			asked := slices.ContainsFunc(f.Decisions, func(d *eventv1.Decision) bool { return d.Name == body.DecReenter && d.Creature == "a" })
			if asked != able {
				t.Errorf("asked %v: %v", asked, f.Decisions)
			}
		})
	}
}

// celesia.turn.delay-reenter: its place is for good after the one whose turn has just ended, also
// when that one died in it or left the field in it.
func TestBackAfterOneWhoIsNoMore(t *testing.T) {
	dies := &eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "b", Vitals: &eventv1.Vitals{Hp: proto.Int32(-100)}}}}
	for name, gone := range map[string]*eventv1.Command{"it died": dies, "it left": removed("b"), "its turn ended": {What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{Creature: "b"}}}} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party"), fighter("b", "foes"), fighter("c", "foes"), fighter("d", "foes"))
			f.start(nil, 18, 12, 6, 15) // a, d, b, c
			f.Must(act("a", "delay", "", ""))
			f.End("d")
			f.Choose("no")
			f.WantActive("b")
			f.Must(gone)
			f.Choose("yes")
			f.WantActive("a")
			f.End("a")
			f.End("c")
			f.WantActive("d")
			f.End("d")
			if name == "its turn ended" {
				f.End("b")
			}
			f.WantActive("a")
			f.End("a")
			f.WantActive("c")
		})
	}
}

// celesia.turn.delay-reenter: also from the end of one round into the next, ahead of its old place.
func TestBackAheadOfItsOldPlace(t *testing.T) {
	f := newTable(t).add(fighter("a", "party"), fighter("b", "foes"), fighter("c", "foes"))
	f.start(nil, 18, 5, 10) // a, c, b
	f.End("a")
	f.End("c")
	f.Must(act("b", "delay", "", ""))
	f.WantActive("a")
	f.End("a")
	f.Choose("yes")
	for range 2 {
		for _, id := range []string{"b", "c", "a"} {
			f.WantActive(id)
			f.End(id)
		}
	}
	if n := len(answers.Order(f.State)); n != 3 {
		t.Errorf("%d in the order", n)
	}
}

// celesia.movement.run-failure-staggered: what lasts for minutes outlasts the fight; what lasts
// for turns does not.
func TestWhatOutlastsTheFight(t *testing.T) {
	f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed())) // Constitution 12
	f.Afflict("a", strike.CondRan)
	f.Count("a", body.CRun, 12)
	f.Must(act("a", "run", "", ""), 8) // 9 against DC 10
	f.End("a")
	f.Must(act("b", "total-defense", "", ""))
	f.Must(&eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
	if x := body.Condition(f.Creature("a"), body.CondStaggered); x.GetValues()["minutes"] != 9 || x.GetRule() != cite.MovementRunFailureStaggered {
		t.Errorf("staggered: %v", x)
	}
	if body.Has(f.Creature("b"), body.CondTotal) {
		t.Error("total defense after the fight")
	}
}

// celesia.spell.concentrate: with the one whom a spell works on, or who cast it, the spell
// leaves; what others do goes on.
func TestTasksOfThoseWhoLeave(t *testing.T) {
	hex := &eventv1.CelesiaSpell{Name: "hex", Casting: "swift", RangeFeet: 60, Targets: 2, Turns: 9, Dismissible: true}
	for leaves, want := range map[string][]string{
		"a": {"task-c-lock"},
		"b": {mending.SpellTask("a", "hex", "c"), "task-c-lock"},
		"c": {mending.SpellTask("a", "hex", "b")},
		"d": {mending.SpellTask("a", "hex", "b"), mending.SpellTask("a", "hex", "c"), "task-c-lock"},
	} {
		t.Run(leaves, func(t *testing.T) {
			f := crowd(t, [][2]int32{{0, 0}, {30, 0}, {40, 0}, {60, 0}}, fighter("a", "party", spell(hex)), fighter("b", "foes"), fighter("c", "foes"), fighter("d", "foes"))
			f.Must(act("a", "cast", "hex", "b,c"))
			f.End("a")
			f.End("b")
			f.Must(act("c", "begin-task", "", "", withParameters("task", "lock", "needed", 6.0)))
			f.Must(removed(leaves))
			var got []string
			for id := range f.State.Tasks {
				got = append(got, id)
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("tasks %v, want %v", got, want)
			}
		})
	}
}

// celesia.maneuver.grapple-release: a holder whom the game master says to be in no grapple holds
// nobody any more; any other word of his leaves the hold.
func TestGameMasterEndsAHold(t *testing.T) {
	for condition, held := range map[string]bool{body.CondGrappled: false, body.CondShaken: true} {
		f := grappled(t, fighter("a", "party"), fighter("b", "foes", unarmed()), 20)
		f.Afflict("a", body.CondShaken)
		f.Must(lifted("a", condition))
		if body.Has(f.Creature("b"), body.CondGrappled) != held || (len(f.Creature("a").Relations) > 0) != held {
			t.Errorf("%s lifted: %v, %v", condition, f.Creature("b").Conditions, f.Creature("a").Relations)
		}
		if !held {
			f.wantCited(cite.ManeuverGrappleRelease)
		}
	}
}
