package spark

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func deedOf(id, text, rival string, change ...func(*eventv1.TakeAction)) *eventv1.Command {
	pairs := []any{"text", text}
	if rival != "" {
		pairs = append(pairs, "rival", rival)
	}
	return act(id, declaring.KindDeed, "", "", append([]func(*eventv1.TakeAction){withParameters(pairs...)}, change...)...)
}

// spark.initiative.other-deeds, spark.turn.killed-first-fails: who was to shut the door is put out first: nobody shuts it
func TestDoorkeeperPutOut(t *testing.T) {
	f := newTable(t).at(0, fighter("bryn", "party")).at(20, fighter("ghoul", "monsters")).at(60, fighter("imp", "monsters")).start()
	f.Hurt("bryn", 2)
	f.Must(deedOf("bryn", "shut the door", "ghoul"))
	f.Must(act("ghoul", declaring.KindMove, "", "", to(0)))
	f.Must(act("imp", declaring.KindAttack, "bow", "bryn"), 19, 5, 15, 1)
	if x := f.Creature("ghoul").Position.X; x != 0 || f.hasNote("shut the door (done)") {
		t.Fatalf("the ghoul is at %d", x)
	}
}

// spark.initiative.other-deeds: whoever runs for the door is put out first: the deed is done, the way is not made
func TestRunnerPutOut(t *testing.T) {
	f := newTable(t).at(0, fighter("bryn", "party")).at(20, fighter("ghoul", "monsters")).at(60, fighter("wen", "party")).start()
	f.Hurt("ghoul", 2)
	f.Must(deedOf("bryn", "shut the door", "ghoul"))
	f.Must(act("ghoul", declaring.KindAttack, "sword", "bryn", to(5)))
	f.Must(act("wen", declaring.KindAttack, "bow", "ghoul"), 2, 19, 19, 15, 1)
	f.WantAttacks("wen hit", "ghoul lost")
	if x := f.Creature("ghoul").Position.X; x != 20 || !f.hasNote("shut the door (done)") {
		t.Fatalf("the ghoul is at %d", x)
	}
}

// spark.initiative.other-deeds, spark.reaction.opportunity-attack: a contested way is answered at its place in the order, at once
func TestContestedWayProvokes(t *testing.T) {
	f := newTable(t).at(0, fighter("bryn", "party")).at(5, fighter("ghoul", "monsters")).at(30, fighter("wen", "party")).start()
	f.Hurt("ghoul", 4)
	f.Must(deedOf("wen", "shut the door", "ghoul"))
	f.End("bryn")
	f.Must(act("ghoul", declaring.KindAttack, "sword", "wen", to(25)), 5, 18, 18) // 19 before 6
	f.Answer(body.DecOpportunity, "sword", 15, 1)
	f.WantAttacks("bryn hit", "ghoul lost")
	if x := f.Creature("ghoul").Position.X; x != 5 || !f.hasNote("shut the door (done)") {
		t.Fatalf("the ghoul is at %d", x)
	}
}

// spark.initiative.other-deeds: two deeds race: the higher is done and the other comes too late; a tie of one side is done at the same moment
func TestRacingDeeds(t *testing.T) {
	for _, c := range []struct {
		name      string
		side      string
		ara, thug int
		a, b      bool
	}{
		{"13 before 12", "monsters", 12, 11, true, false},
		{"12 before 13", "monsters", 11, 12, false, true},
		{"a tie", "monsters", 12, 12, true, false},
		{"a natural 1 against a natural 1", "monsters", 1, 1, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).at(0, fighter("ara", "party")).at(10, fighter("thug", c.side)).start()
			f.Must(deedOf("thug", "grab the idol", "ara"))
			f.Must(deedOf("ara", "snatch the idol", "thug"), c.thug, c.ara)
			if a, b := f.hasNote("snatch the idol (done)"), f.hasNote("grab the idol (done)"); a != c.a || b != c.b {
				t.Fatalf("ara %v, thug %v", a, b)
			}
		})
	}
	f := newTable(t).at(0, fighter("one", "goblins")).at(10, fighter("two", "orcs")).start()
	f.Must(deedOf("one", "grab the idol", "two"))
	f.Must(deedOf("two", "snatch the idol", "one"), 12, 12)
	if !f.hasNote("snatch the idol (done)") || !f.hasNote("grab the idol (done)") {
		t.Fatal("a tie of one side is not of the same moment")
	}
}

// spark.initiative.other-deeds: a deed stands among the blows by its total, and after every shot
func TestDeedAmongBlows(t *testing.T) {
	for _, c := range []struct {
		deed int
		want bool
	}{{17, true}, {13, false}} {
		f := newTable(t).at(0, fighter("ara", "party", func(s *eventv1.SparkSheet) { s.Initiative = 1 })).at(5, fighter("orc", "monsters")).start()
		f.Hurt("ara", 4)
		f.Must(deedOf("ara", "throw the switch", ""))
		f.Must(act("orc", declaring.KindAttack, "sword", "ara"), c.deed, 10, 1) // 15
		if got := f.hasNote("throw the switch (done)"); got != c.want {
			t.Errorf("%d against 15: done %v", c.deed+1, got)
		}
	}
	f := newTable(t).at(0, fighter("ara", "party")).at(40, fighter("orc", "monsters")).start()
	f.Hurt("ara", 2)
	f.Must(deedOf("ara", "throw the switch", ""))
	f.Must(act("orc", declaring.KindAttack, "bow", "ara"), 20, 10, 1)
	if f.hasNote("throw the switch (done)") {
		t.Fatal("before an arrow")
	}
}

// spark.initiative.other-deeds, spark.dice.meet-or-beat, spark.fumble.checks: the check that a deed calls for, and its natural 1
func TestDeedCheck(t *testing.T) {
	for _, c := range []struct {
		face int
		str  int32
		want string
	}{{11, 4, "lift: the check succeeds"}, {10, 4, "lift: the check fails"}, {1, 30, "lift: the check fails"}} {
		f := duel(t, func(s *eventv1.SparkSheet) { s.StrengthModifier = c.str })
		f.Must(act("ara", declaring.KindDeed, "", "", withParameters("text", "lift", "strength_check", "upper")))
		f.End("orc", 10, c.face)
		if !f.hasNote(c.want) {
			t.Errorf("%d and %d: not %q", c.face, c.str, c.want)
		}
	}
}

// spark.action.bull-rush: what is pushed had its blow thrown and strikes all the same; a rush at somebody put out pushes nobody
func TestRushed(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party", stats(14, 20))).at(25, fighter("orc", "monsters")).start()
	f.Must(act("ara", declaring.KindBullRush, "sword", "orc", to(20)))
	f.Must(act("orc", declaring.KindAttack, "sword", "ara"), 10, 12)
	f.number(body.DecPush, 15, 1)
	f.WantAttacks("orc hit")
	if x := f.Creature("orc").Position.X; x != 40 {
		t.Fatalf("at %d", x)
	}
	f = newTable(t).at(0, fighter("ara", "party")).at(25, fighter("orc", "monsters")).at(60, fighter("wen", "party")).start()
	f.Hurt("orc", 2)
	f.Must(act("ara", declaring.KindBullRush, "sword", "orc", to(20)))
	f.Must(act("wen", declaring.KindAttack, "bow", "orc"))
	f.End("orc", 15, 15, 1)
	f.WantAttacks("wen hit", "ara lost")
}

// spark.initiative.other-deeds, spark.fumble.alt-slip-up: whoever falls in the blow at the end of a contested way does not make the way, and the door is shut
func TestRunnerFalls(t *testing.T) {
	f := newTable(t, body.RuleAlt+"=on").at(0, fighter("bryn", "party")).at(20, fighter("ghoul", "monsters")).start()
	f.Must(deedOf("bryn", "shut the door", "ghoul"))
	f.Must(act("ghoul", declaring.KindAttack, "sword", "bryn", to(5)), 5, 18, 1, 10, 2) // 19 before 6
	f.WantAttacks("ghoul fumble")
	if x := f.Creature("ghoul").Position.X; x != 20 || !f.hasNote("shut the door (done)") {
		t.Fatalf("the ghoul is at %d", x)
	}
}
