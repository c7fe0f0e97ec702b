package spark

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/proto"
)

// notes counts how often something is told in the last command.
func (f *table) notes(text string) (n int) {
	for _, e := range f.Events {
		if e.GetNote().GetText() == text {
			n++
		}
	}
	return n
}

// polearm has a reach of 10 feet.
func polearm(s *eventv1.SparkSheet) {
	s.Weapons = []*eventv1.SparkWeapon{{Name: "glaive", FumbleClasses: []string{"S"}, AttackModifier: 5, DamageDice: "1d8", DamageBonus: 3, ReachFeet: 10}}
}

var contested = withParameters("contested", true)

// spark.fumble.trip-two-rounds, spark.fumble.timing: the rounds after the one in which it fell are without attacks; what is left of that one is not,
// a reaction in its second half among it
func TestTrippedReacts(t *testing.T) {
	f := duel(t, armedWith(spear))
	f.Must(act("ara", declaring.KindAttack, "spear", "orc"))
	f.Must(act("orc", declaring.KindMove, "", "", to(30), contested), 1, 1, 1, 10) // two rounds without attacks; the orc leaves at 11
	f.Choose("spear", 15, 5)
	f.WantHP("orc", 22)
	wantRefused(t, f.Try(act("ara", declaring.KindAttack, "spear", "orc")), cite.FumbleTripTwoRounds)
	f.Place("orc", 5, 0)
	f.End("ara")
	f.Must(act("orc", declaring.KindMove, "", "", to(30), contested), 10)
	if len(f.Decisions) > 0 || f.State.Round != 3 {
		t.Errorf("round %d, asked %v", f.State.Round, f.Decisions)
	}
}

// spark.fumble.trip-two-rounds: the bar ends with its last round for whoever was out when that ended too
func TestTrippedEndsForTheFallen(t *testing.T) {
	heals := func(s *eventv1.SparkSheet) {
		mage(s)
		s.Spells = append(s.Spells, &eventv1.SparkSpell{Name: "balm", ManaCost: 1, Dc: 12, Delivery: "other", Healing: "1d4"})
	}
	for _, c := range []struct {
		rounds int
		asked  bool
	}{{0, false}, {1, false}, {2, true}} {
		f := newTable(t).at(0, fighter("ara", "party", armedWith(spear))).at(5, fighter("orc", "monsters")).at(-5, fighter("wen", "party", heals)).start()
		f.End("wen")
		f.strikes("spear", 1, 1, 1)
		f.Hurt("ara", 0)
		for range c.rounds {
			f.pass()
		}
		f.Must(act("wen", declaring.KindCast, "balm", "ara"))
		f.Must(act("orc", declaring.KindMove, "", "", to(30), contested), 10, 10, 3) // the spell is of the ranged pass
		f.WantHP("ara", 3)
		if asked := len(f.Decisions) == 1; asked != c.asked {
			t.Errorf("in round %d: asked %v", 2+c.rounds, f.Decisions)
		}
	}
}

// spark.fumble.trip-two-rounds: who trips twice in one volley is barred once, and that is told once
func TestTrippedTwice(t *testing.T) {
	f := duel(t, armedWith(spear), func(s *eventv1.SparkSheet) { s.AttacksPerRound = 2 })
	f.Must(act("ara", declaring.KindAttack, "spear", "orc,orc"))
	f.End("orc", 1, 1, 1, 1, 1, 1)
	told := 0
	for _, e := range f.Events {
		if e.GetConditionAdded() != nil {
			told++
		}
	}
	if list := f.named("ara", body.CondStumbled); told != 1 || len(list) != 1 || list[0].Until.Round != 3 {
		t.Errorf("told %d times: %v", told, list)
	}
}

// spark.action.multi-round-lock: neither being put out nor coming back within the round gives a caster of rounds anything to declare
func TestCasterComesBack(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party", mage)).at(5, fighter("orc", "monsters")).start()
	f.Must(act("ara", declaring.KindCast, "storm", "orc"))
	f.End("orc", 10)
	f.WantActive("orc")
	f.Hurt("ara", 0)
	f.Hurt("ara", 10)
	f.WantActive("orc")
	wantRefused(t, f.Try(act("ara", declaring.KindMove, "", "", to(-5))), cite.ActionMultiRoundLock)
}

// spark.action.free, spark.turn.two-halves: whoever has passed may still say a word as long as the table declares, and declares nothing
func TestPassedAndSpeaks(t *testing.T) {
	f := duel(t)
	f.End("ara")
	f.Must(act("ara", declaring.ActSpeak, "", "", withParameters("text", "behind you")))
	if n := f.Creature("ara").Counters[body.CFree]; n != 4 {
		t.Errorf("%d free actions", n)
	}
	wantRefused(t, f.Try(act("ara", declaring.KindMove, "", "", to(-5))), cite.TurnTwoHalves)
}

// spark.dice.drop-to-zero: below nothing there are no hit points
func TestNoLessThanNothing(t *testing.T) {
	f := duel(t)
	f.Hurt("orc", -5)
	f.WantHP("orc", 0)
	f.WantLife("orc", eventv1.LifeStatus_LIFE_STATUS_DEAD)
	if !f.cited(cite.DiceDropToZero) {
		t.Error("no rule is cited")
	}
	f.Hurt("ara", -1)
	f.WantHP("ara", 0)
	f.WantLife("ara", eventv1.LifeStatus_LIFE_STATUS_DYING)
	late := fighter("late", "monsters")
	f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: late, Vitals: &eventv1.Vitals{Hp: proto.Int32(-7)}}}})
	f.WantHP("late", 0)
	f.WantLife("late", eventv1.LifeStatus_LIFE_STATUS_DEAD)
}

// spark.initiative.other-deeds: a contested way is barred by a rival's deed alone, not by whatever else is done before; and a deed without a way is
// done however early somebody raced it, unless it names the rival itself
func TestForestalledByRivalsAlone(t *testing.T) {
	deed := func(words ...any) func(*eventv1.TakeAction) {
		return withParameters(append([]any{"text", "pulls"}, words...)...)
	}
	for _, c := range []struct {
		name      string
		ara, wen  *eventv1.Command
		forestall bool
	}{
		{"a way, and a deed for itself", act("ara", declaring.KindMove, "", "", to(-20), contested), act("wen", declaring.KindDeed, "", "", deed()), false},
		{"a way, and a deed that races another", act("ara", declaring.KindMove, "", "", to(-20), contested), act("wen", declaring.KindDeed, "", "", deed("rival", "orc")), false},
		{"a way, and a deed that races it", act("ara", declaring.KindMove, "", "", to(-20), contested), act("wen", declaring.KindDeed, "", "", deed("rival", "ara")), true},
		{"a deed that is raced", act("ara", declaring.KindDeed, "", "", deed()), act("wen", declaring.KindDeed, "", "", deed("rival", "ara")), false},
		{"a deed that races", act("ara", declaring.KindDeed, "", "", deed("rival", "wen")), act("wen", declaring.KindDeed, "", "", deed()), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).at(0, fighter("ara", "party")).at(100, fighter("orc", "monsters")).at(50, fighter("wen", "party")).start()
			f.Must(c.ara)
			f.Must(c.wen)
			f.End("orc", 5, 15)
			did := f.Creature("ara").Position.X == -20 || slices.ContainsFunc(f.Events, func(e *eventv1.Event) bool {
				return e.GetNote().GetText() == "pulls (done)" && e.GetNote().Creature == "ara"
			})
			if did == c.forestall || f.hasNote("lost: forestalled") != c.forestall {
				t.Errorf("done: %v", did)
			}
		})
	}
}

// spark.fumble.bump-nearest, spark.turn.all-roll-together: whom a bump of the first half has ruined throws no d20, bumped into again or not
func TestBumpedIntoTwice(t *testing.T) {
	for _, again := range []bool{true, false} {
		f := newTable(t).at(0, fighter("ara", "party", polearm)).at(10, fighter("orc", "monsters")).atXY(0, 5, fighter("wen", "party")).
			atXY(-5, 10, fighter("bob", "party", polearm)).atXY(-5, 20, fighter("imp", "monsters")).start()
		f.End("ara")
		f.End("imp")
		f.Must(act("orc", declaring.KindMove, "", "", to(40)))
		f.Must(act("bob", declaring.KindAttack, "glaive", "imp"))
		f.Must(act("wen", declaring.KindAttack, "bow", "imp"))
		dice := []int{1, 2, 1, 2} // ara bumps into wen; bob misses
		if again {
			dice = []int{1, 2, 1, 1, 2, 1}
		}
		f.Choose("glaive", dice...)
		want := []string{"ara fumble", "wen lost", "bob miss"}
		if again {
			want = []string{"ara fumble", "bob fumble", "wen lost"}
		}
		f.WantAttacks(want...)
		if len(f.Rolls("attack/wen/1")) > 0 {
			t.Errorf("again %v: a d20 is thrown", again)
		}
	}
}

// spark.spell.countered-mana-lost, spark.turn.killed-first-fails: a spell ruined by a bump costs its mana, that of a caster put out before its slot does
// not, bumped into or not
func TestRuinedAndPutOut(t *testing.T) {
	for _, c := range []struct {
		name string
		dice []int
		hp   int32
		mana int64
	}{
		{"bumped into", []int{1, 2, 1, 5, 3}, 30, 14},
		{"bumped into and put out", []int{1, 2, 1, 5, 15, 8}, 5, 20},
		{"put out", []int{3, 5, 15, 8}, 5, 20},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).at(0, fighter("ara", "party", polearm)).at(10, fighter("orc", "monsters")).at(-5, fighter("wen", "party", mage)).start()
			f.Hurt("wen", c.hp)
			f.Must(act("ara", declaring.KindAttack, "glaive", "orc"))
			f.Must(act("wen", declaring.KindCast, "fire", "orc"))
			f.Must(act("orc", declaring.KindAttack, "bow", "wen"), c.dice...)
			if n := f.Creature("wen").Counters[body.CMana]; n != c.mana {
				t.Errorf("%d mana", n)
			}
		})
	}
}

// spark.fumble.bump-nearest, spark.turn.killed-first-fails: between its first and last round a bump ends a casting and takes its mana; that of a caster
// who was put out in the same round just ends
func TestCastingSpoiltOrOver(t *testing.T) {
	for _, killed := range []bool{false, true} {
		f := newTable(t).at(0, fighter("wen", "party", polearm)).at(10, fighter("orc", "monsters")).at(-5, fighter("ara", "party", mage)).start()
		f.Must(act("ara", declaring.KindCast, "storm", "orc"))
		f.End("wen")
		f.End("orc", 10)
		f.Must(act("wen", declaring.KindAttack, "glaive", "orc"))
		dice, mana := []int{1, 2, 1, 2}, int64(12)
		if killed {
			f.Hurt("ara", 5)
			dice, mana = []int{1, 2, 1, 15, 8}, 20
		}
		f.Must(act("orc", declaring.KindAttack, "bow", "ara"), dice...)
		c := f.Creature("ara")
		if n := f.notes("storm is lost: bumped into"); n == 1 == killed || c.Counters[body.CMana] != mana || body.CastsUntil(c) != 0 {
			t.Errorf("killed %v: told %d times, %d mana, casts until %d", killed, n, c.Counters[body.CMana], body.CastsUntil(c))
		}
	}
}

// spark.turn.all-roll-together: who is put out by what another's d20 brought about had its d20 in the air too: it is thrown, and the attack fails at its
// place
func TestPutOutWhileThrowing(t *testing.T) {
	f := newTable(t, body.RuleAlt+"=on").at(0, fighter("ara", "party")).at(5, fighter("orc", "monsters")).at(10, fighter("wen", "party")).start()
	f.Hurt("wen", 5)
	f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
	f.Must(act("wen", declaring.KindAttack, "sword", "orc"))
	f.End("orc", 1, 3) // her sword flies off unless a save holds it
	f.Choose("strength", 2, 5, 1)
	f.Choose("fetch")
	f.Choose("sword", 1, 8, 15, 8, 10) // the orc strikes at her, and its stray blow hits wen for 8 + 3; then wen's own d20
	f.WantLife("wen", eventv1.LifeStatus_LIFE_STATUS_DYING)
	f.WantAttacks("orc fumble", "orc hit", "wen lost")
	if got := f.Roll("attack/wen/1").Total; got != 15 {
		t.Errorf("thrown %d", got)
	}
	for _, e := range f.Events {
		if a := e.GetAttack(); a.GetOutcome() == "lost" && (a.Note != "put out before" || !slices.Contains(e.Rules, cite.TurnKilledFirstFails)) {
			t.Errorf("%v %v", a, e.Rules)
		}
	}
}

// spark.fumble.alt-slip-up, spark.turn.two-halves: a fall in the first half takes all that is still to come, and that is told once: the deed and the
// potion beside it
func TestAllOfATurnIsLostAtOnce(t *testing.T) {
	f := newTable(t, body.RuleAlt+"=on").at(0, fighter("ara", "party", twoHanded)).at(5, fighter("orc", "monsters")).atXY(0, 5, fighter("imp", "monsters")).start()
	f.Must(act("orc", declaring.KindMove, "", "", to(30)))
	f.Must(act("ara", declaring.KindDeed, "", "", withParameters("text", "shouts", "bonus", "potion:potion")))
	f.End("imp")
	f.Choose("sword", 1, 10, 14)
	if n := f.notes("lost: its turn has ended"); n != 1 || f.hasNote("potion is lost: its turn has ended") || f.Creature("ara").Counters[body.CLeft+"potion"] != 2 {
		t.Errorf("told %d times, %d uses", n, f.Creature("ara").Counters[body.CLeft+"potion"])
	}
}

// spark.action.multi-round-lock, spark.turn.spells-with-ranged: an attack spell of rounds makes its attack in the last of them; in the first it has a place
// by initiative
func TestAttackSpellOfRounds(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party", mage, func(s *eventv1.SparkSheet) { s.Spells[1].Rounds = 2 })).at(5, fighter("orc", "monsters")).start()
	f.Must(act("ara", declaring.KindCast, "touch", "orc"))
	f.End("orc", 15)
	if r := f.Roll("order/ara"); r.Total != 16 || len(f.Rolls("attack/ara/touch")) > 0 {
		t.Errorf("%v", r)
	}
	f.WantHP("orc", 30)
	f.End("orc", 15, 7)
	f.WantAttacks("ara hit")
	f.WantHP("orc", 23)
}

// spark.action.spell-fills-round: what a spell does beyond numbers is told to all at its place, in the round in which it takes effect
func TestWordsOfASpell(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party", mage, func(s *eventv1.SparkSheet) { s.Spells[3].Text = "a golden light" })).at(5, fighter("orc", "monsters")).start()
	f.Must(act("ara", declaring.KindCast, "bless", "ara"))
	f.End("orc", 10)
	for _, e := range f.SeenBy(rulestest.Player("stranger")) {
		if e.GetNote().GetText() == "bless: a golden light" && e.GetNote().Creature == "ara" && slices.Equal(e.Rules, []string{cite.ActionSpellFillsRound}) {
			return
		}
	}
	t.Error("it is not told")
}
