package spark

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// spends lists whose counter fell to 0 in the last command.
func (f *table) spends(counter string) (ids []string) {
	for _, e := range f.Events {
		if c := e.GetCounter(); c != nil && c.Counter == counter && c.Value == 0 {
			ids = append(ids, c.Subject)
		}
	}
	return ids
}

// The packages with the numbers of each creature: attacks a round and speed.
//
// spark.action.no-full-attack-with-full-move, spark.action.full-move-single-attack, spark.action.move,
// spark.action.feat-bonus, spark.action.charge
func TestPackagesByNumbers(t *testing.T) {
	attacks := func(n int32) func(*eventv1.SparkSheet) {
		return func(s *eventv1.SparkSheet) { s.AttacksPerRound = n }
	}
	lunge := func(s *eventv1.SparkSheet) {
		s.AttacksPerRound, s.Feats = 2, []*eventv1.SparkFeat{{Name: "lunge", FullMoveFullAttack: true}}
	}
	cry := func(s *eventv1.SparkSheet) {
		s.Feats = []*eventv1.SparkFeat{{Name: "battle cry", Bonus: true}}
		s.Items = []*eventv1.SparkItem{{Name: "potion", Kind: "potion", Uses: 1}}
	}
	twice := []string{"feat:battle cry", "potion:potion"}
	for _, c := range []struct {
		name  string
		sheet func(*eventv1.SparkSheet)
		speed int32
		cmd   *eventv1.Command
		rule  string
	}{
		{"two attacks and 30 ft", attacks(2), 30, act("ara", declaring.KindAttack, "sword", "orc,orc", to(-30)), cite.ActionNoFullAttackWithFullMove},
		{"the only attack and 30 ft", attacks(1), 30, act("ara", declaring.KindAttack, "sword", "orc", to(-30)), ""},
		{"two attacks and 30 ft by a feat", lunge, 30, act("ara", declaring.KindAttack, "sword", "orc,orc", to(-30)), ""},
		{"two attacks and 35 ft by no feat", lunge, 30, act("ara", declaring.KindAttack, "sword", "orc,orc", to(-35)), cite.ActionFullMoveSingleAttack},
		{"one of two attacks and 30 ft", attacks(2), 30, act("ara", declaring.KindAttack, "sword", "orc", to(-30)), ""},
		{"two attacks and 6 ft", attacks(2), 30, act("ara", declaring.KindAttack, "sword", "orc,orc", to(-6)), cite.ActionFiveFootFullAttack},
		{"two attacks and 25 ft", attacks(2), 30, act("ara", declaring.KindAttack, "sword", "orc,orc", to(-25)), cite.ActionFiveFootFullAttack},
		{"5 ft back and forth are 10", attacks(2), 30, act("ara", declaring.KindAttack, "sword", "orc,orc", to(-5, 0)), cite.ActionFiveFootFullAttack},
		{"30 ft of 30", attacks(1), 30, act("ara", declaring.KindMove, "", "", to(-30)), ""},
		{"25 ft of 20", attacks(1), 20, act("ara", declaring.KindMove, "", "", to(-25)), cite.ActionMove},
		{"20 ft of 20", attacks(1), 20, act("ara", declaring.KindMove, "", "", to(-20)), ""},
		{"no speed", attacks(1), 0, act("ara", declaring.KindMove, "", "", to(-5)), cite.ActionMove},
		{"a charge of 35 ft", attacks(3), 30, act("ara", declaring.KindCharge, "sword", "orc", to(-35)), cite.ActionCharge},
		{"a feat and a potion", cry, 30, act("ara", declaring.KindAttack, "sword", "orc", withParameters("bonus", twice)), cite.ActionBonus},
		{"a feat with a move", cry, 30, act("ara", declaring.KindMove, "", "", to(-30), withParameters("bonus", "feat:battle cry")), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := duel(t, c.sheet)
			f.State.Creatures["ara"].Sheet.Speeds["walk"] = c.speed
			err := f.Try(c.cmd)
			if c.rule != "" {
				wantRefused(t, err, c.rule)
			} else if err != nil {
				t.Fatal(err)
			}
		})
	}
}

// spark.action.full-move-single-attack, spark.action.off-hand-attack, spark.action.activate-item,
// spark.action.attack: what a round spends
func TestWhatARoundSpends(t *testing.T) {
	none := withFacts("provokes", []string{})
	for _, c := range []struct {
		name  string
		cmd   *eventv1.Command
		dice  []int
		bonus []string
	}{
		{"a full move and an attack", act("ara", declaring.KindAttack, "bow", "orc", to(-30), none), []int{2}, nil},
		{"two attacks", act("ara", declaring.KindAttack, "sword", "orc,orc"), []int{12, 7, 1}, nil},
		{"two attacks and the dagger", act("ara", declaring.KindAttack, "sword", "orc,orc", withParameters("bonus", "off-hand:dagger")), []int{2, 2, 2}, []string{"ara"}},
		{"a move and the wand", act("ara", declaring.KindMove, "", "", to(-10), none, withParameters("bonus", "activate:wand")), []int{10}, []string{"ara"}},
		{"an attack and a potion", act("ara", declaring.KindAttack, "sword", "orc", withParameters("bonus", "potion:potion")), []int{2, 1}, []string{"ara"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := duel(t, twoHanded)
			f.Must(c.cmd)
			f.End("orc", c.dice...)
			if got := f.spends(body.CBonus); !slices.Equal(got, c.bonus) {
				t.Fatalf("bonus actions spent by %v, want %v", got, c.bonus)
			}
		})
	}
}

// spark.action.attack: 12 and 7 at +6 are two attacks, each at its own place, with a blow of 16 between them
func TestTwoTotalsTwoPlaces(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party", func(s *eventv1.SparkSheet) {
		s.AttacksPerRound, s.Weapons[0].AttackModifier = 2, 6
	})).at(5, fighter("orc", "monsters", func(s *eventv1.SparkSheet) { s.ArmorClass = 13 })).start()
	f.Must(act("ara", declaring.KindAttack, "sword", "orc,orc"))
	f.Must(act("orc", declaring.KindAttack, "sword", "ara"), 12, 7, 11, 1, 2, 3) // 18, 13 and 16
	f.WantAttacks("ara hit", "orc hit", "ara hit")
	f.WantHP("orc", 30-4-6)
	f.WantHP("ara", 30-5)
}

// spark.action.charge: 9 + 6 + 1 ranks as 16: before 15, at once with nobody's 16 but a player's, after 17
func TestChargeRank(t *testing.T) {
	for _, c := range []struct {
		orc  int
		want []string
	}{{10, []string{"ara hit", "orc hit"}}, {11, []string{"ara hit", "orc hit"}}, {12, []string{"orc hit", "ara hit"}}} {
		f := newTable(t).at(0, fighter("ara", "party", func(s *eventv1.SparkSheet) { s.Weapons[0].AttackModifier = 6 })).at(30, fighter("orc", "monsters")).start()
		f.Must(act("ara", declaring.KindCharge, "sword", "orc", to(25)))
		f.Must(act("orc", declaring.KindAttack, "sword", "ara"), 9, c.orc, 1, 1)
		f.WantAttacks(c.want...)
	}
}

// spark.action.speak: four words twice are two of the five free actions
func TestFourWordsTwice(t *testing.T) {
	f := duel(t)
	for range 2 {
		f.Must(act("ara", declaring.ActSpeak, "", "", withParameters("text", "look out behind you")))
	}
	if n := f.Creature("ara").Counters[body.CFree]; n != 3 {
		t.Fatalf("%d free actions left, want 3 of 5", n)
	}
	for range 3 {
		f.Must(act("ara", declaring.ActFree, "", ""))
	}
	wantRefused(t, f.Try(act("ara", declaring.ActSpeak, "", "", withParameters("text", "no"))), cite.ActionFree)
}

// spark.action.speak, spark.action.multi-round-lock: who casts for two rounds calls nothing out, nor does it react in round 5 of three
func TestLockedSaysNothing(t *testing.T) {
	storm := func(rounds int32) func(*eventv1.SparkSheet) {
		return func(s *eventv1.SparkSheet) { mage(s); s.Spells[2].Rounds = rounds }
	}
	f := newTable(t).at(0, fighter("ara", "party")).at(5, fighter("hag", "monsters", storm(2))).start()
	f.Must(act("hag", declaring.KindCast, "storm", "ara"))
	wantRefused(t, f.Try(act("hag", declaring.ActSpeak, "", "", withParameters("text", "help"))), cite.ActionMultiRoundLock)
	wantRefused(t, f.Try(act("hag", declaring.ActFree, "", "")), cite.ActionMultiRoundLock)
	f.End("ara", 10)
	wantRefused(t, f.Try(act("hag", declaring.ActSpeak, "", "", withParameters("text", "help"))), cite.ActionMultiRoundLock)

	f = newTable(t).at(0, fighter("ara", "party")).at(5, fighter("hag", "monsters", storm(3))).start()
	for range 3 {
		f.pass()
	}
	f.Must(act("hag", declaring.KindCast, "storm", "ara"))
	f.End("ara", 10) // round 4
	f.Must(act("ara", declaring.KindMove, "", "", to(-20)))
	if f.State.Round != 6 || f.Creature("ara").Position.X != -20 {
		t.Fatalf("round %d, %v", f.State.Round, f.Decisions)
	}
}

// spark.reaction.counterspell, spark.spell.counterspell-cost: with 12 mana; the reaction is spent by announcing, rolled or not
func TestAnnouncingSpendsTheReaction(t *testing.T) {
	for _, killed := range []bool{false, true} {
		f := newTable(t).at(0, fighter("ara", "party", mage)).at(5, fighter("hag", "monsters", mage)).at(20, fighter("wen", "party")).start()
		f.Count("ara", body.CMana, 12)
		f.Hurt("hag", 5)
		f.Must(act("hag", declaring.KindCast, "fire", "ara"))
		if killed {
			f.Must(act("wen", declaring.KindAttack, "bow", "hag"))
		} else {
			f.End("wen")
		}
		f.End("ara")
		f.Answer(body.DecCounterspell, "yes")
		dice := []int{10, 20}
		if killed {
			dice = []int{10, 15, 8}
		}
		f.number(body.DecMana, 7, dice...)
		if got := f.spends(body.CReaction); !slices.Equal(got, []string{"ara"}) {
			t.Fatalf("reactions spent by %v", got)
		}
		left := int64(5)
		if killed {
			left = 12
		}
		if got := f.Creature("ara").Counters[body.CMana]; got != left {
			t.Fatalf("%d mana, want %d", got, left)
		}
	}
}

// spark.turn.counterspell-announced-first-half: nobody counters unasked
func TestNoCounterspellUnasked(t *testing.T) {
	f := spellDuel(t)
	wantRefused(t, f.Try(act("ara", body.DecCounterspell, "", "hag")), cite.TurnCounterspellAnnouncedFirstHalf)
	wantRefused(t, f.Try(act("ara", body.DecOpportunity, "sword", "hag")), cite.ReactionOpportunityAttack)
	for _, o := range (System{}).Options(rules.Query{State: f.State, Creature: "ara"}) {
		if o.Action == body.DecCounterspell {
			t.Fatalf("%v", o)
		}
	}
	// Not announced, it is not rolled.
	f.Must(act("hag", declaring.KindCast, "fire", "ara"))
	f.End("ara")
	f.Answer(body.DecCounterspell, "no", 10, 20, 1, 1)
	f.WantHP("ara", 29)
	if len(f.Rolls("counter/hag/ara")) != 0 {
		t.Fatal("countered after all")
	}
}

// spark.reaction.concentration-bars: given up while declaring, the reaction of the same round is there
func TestConcentrationGivenUp(t *testing.T) {
	f := newTable(t).at(0, fighter("cleric", "party", mage)).at(5, fighter("ogre", "monsters")).at(60, fighter("hag", "monsters", mage)).start()
	f.Must(act("cleric", declaring.KindCast, "bless", "cleric"))
	f.End("ogre")
	f.End("hag")
	f.Answer(body.DecCounterspell, "no", 10)
	f.Must(act("ogre", declaring.KindMove, "", "", to(15)))
	f.Must(act("hag", declaring.KindCast, "fire", "ogre"))
	f.End("cleric", 10, 20, 1, 1) // neither attack nor counterspell
	f.Must(act("ogre", declaring.KindMove, "", "", to(5)))
	f.pass()
	f.Must(act("cleric", declaring.ActDrop, "", ""))
	wantRefused(t, f.Try(act("cleric", declaring.ActDrop, "", "")), cite.ReactionConcentrationBars)
	f.Must(act("ogre", declaring.KindMove, "", "", to(20)))
	f.End("cleric")
	f.End("hag")
	f.Answer(body.DecOpportunity, "sword", 2)
	f.WantAttacks("cleric miss")
}

// spark.spell.counterspell-eligibility: a cantrip user with 2 mana stakes 1 for +2; a spark without a tree, a tree without a spark, or no mana are not asked
func TestWhoMayCounter(t *testing.T) {
	for _, c := range []struct {
		name  string
		sheet func(*eventv1.SparkSheet)
		mana  int
		asked bool
	}{
		{"cantrip user", func(s *eventv1.SparkSheet) { s.ManaTrees[0].Rank = 0 }, 2, true},
		{"no spark", func(s *eventv1.SparkSheet) { s.Sparks = nil }, 2, false},
		{"no tree", func(s *eventv1.SparkSheet) { s.ManaTrees = nil }, 2, false},
		{"no mana", func(*eventv1.SparkSheet) {}, 0, false},
	} {
		f := newTable(t).at(0, fighter("ara", "party", mage, c.sheet)).at(5, fighter("hag", "monsters", mage, func(s *eventv1.SparkSheet) { s.Spells[0].Dc = 12 })).start()
		f.Count("ara", body.CMana, c.mana)
		f.Must(act("hag", declaring.KindCast, "fire", "ara"))
		if !c.asked {
			f.End("ara", 10, 20, 1, 1)
			continue
		}
		f.End("ara")
		f.Answer(body.DecCounterspell, "yes")
		if d := f.Decisions[0]; d.Minimum != 1 || d.Maximum != 2 {
			t.Fatalf("%v", d)
		}
		f.number(body.DecMana, 1, 10, 11)
		if r := f.Roll("counter/hag/ara"); r.Total != 13 || f.Creature("ara").Counters[body.CMana] != 1 {
			t.Errorf("%s: %v", c.name, r)
		}
	}
}

// spark.fumble.alt-retrieve: fetching spends the bonus action, and the attacks on it the reactions
func TestFetchingSpends(t *testing.T) {
	f := newTable(t, body.RuleAlt+"=on").at(0, fighter("ara", "party")).at(25, fighter("orc", "monsters")).atXY(20, 5, fighter("goblin", "monsters")).start()
	f.Must(act("ara", declaring.KindAttack, "sword", "orc", to(20))) // 10 ft of movement left
	f.End("orc")
	f.End("goblin", 1, 3)
	f.Choose("reflex", 2, 9, 7)
	f.Choose("fetch")
	f.Answer(body.DecOpportunity+"/orc", "sword")
	f.Answer(body.DecOpportunity+"/goblin", "sword", 12, 1, 5)
	if got := f.Creature("ara").Items["sword"].Place; got != "main" {
		t.Fatalf("the sword is %q", got)
	}
	spent := map[string]bool{}
	for _, e := range f.Published {
		if c := e.GetCounter(); c != nil && c.Value == 0 && (c.Counter == body.CBonus || c.Counter == body.CReaction) {
			spent[c.Subject+" "+c.Counter] = true
		}
	}
	if !spent["ara bonus"] || !spent["orc reaction"] || !spent["goblin reaction"] || len(spent) != 3 {
		t.Fatalf("%v", spent)
	}
}

// spark.turn.movement-first: who declares a shot at one who is out of range is told so, and nobody else is
func TestAShotOutOfRangeIsToldSo(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party")).at(200, fighter("orc", "monsters")).start()
	f.Must(act("ara", declaring.KindAttack, "bow", "orc"))
	const hint = "orc is out of range as things stand: 200 ft, and bow reaches 160 ft; the shot is lost unless orc comes nearer"
	if !f.hasNote(hint) {
		t.Fatal("no hint")
	}
	for _, e := range f.SeenBy(player("somebody")) {
		if e.GetNote() != nil {
			t.Errorf("told to everybody: %v", e)
		}
	}
	f.Must(act("orc", declaring.KindMove, "", "", to(175))) // it comes no nearer than 175 feet
	f.WantAttacks("ara lost")
	// In range after its own step, or as stated: no hint.
	for _, c := range []struct {
		x      int32
		change func(*eventv1.TakeAction)
	}{{165, to(5)}, {200, withFacts("distance", 100)}, {160, nil}} {
		g := newTable(t).at(0, fighter("ara", "party")).at(c.x, fighter("orc", "monsters")).start()
		cmd := act("ara", declaring.KindAttack, "bow", "orc")
		if c.change != nil {
			c.change(cmd.GetTake())
		}
		g.Must(cmd)
		if slices.ContainsFunc(g.Events, func(e *eventv1.Event) bool { return e.GetNote() != nil }) {
			t.Errorf("at %d ft: a hint", c.x)
		}
	}
}

// spark.action.feat-bonus, spark.action.no-full-attack-with-full-move: a feat whose price is the bonus action allows nothing unless it is paid
func TestAFeatIsPaidFor(t *testing.T) {
	runner := func(s *eventv1.SparkSheet) {
		s.AttacksPerRound, s.Feats = 2, []*eventv1.SparkFeat{{Name: "whirl", Bonus: true, FullMoveFullAttack: true}}
		s.Items = []*eventv1.SparkItem{{Name: "draught", Kind: "potion", Uses: 1, Healing: "1d4"}}
	}
	both := func(more ...any) *eventv1.Command {
		return act("ara", declaring.KindAttack, "sword", "orc,orc", to(30), withParameters(more...))
	}
	f := newTable(t).at(0, fighter("ara", "party", runner)).at(35, fighter("orc", "monsters")).start()
	wantRefused(t, f.Try(both()), "spark.action.no-full-attack-with-full-move")
	wantRefused(t, f.Try(both("bonus", "potion:draught")), "spark.action.no-full-attack-with-full-move")
	f.Must(both("bonus", "feat:whirl"))
	f.End("orc", 15, 15, 4, 4)
	if !slices.Contains(f.spends(body.CBonus), "ara") {
		t.Error("the bonus action is not spent")
	}
	f.WantAttacks("ara hit", "ara hit")
	// One that has no price allows it as ever.
	g := newTable(t).at(0, fighter("ara", "party", runner, func(s *eventv1.SparkSheet) { s.Feats[0].Bonus = false })).at(35, fighter("orc", "monsters")).start()
	g.Must(both())
}

// Every modifier of a roll cites the rule by which it counts: spark.attack.roll, spark.dice.meet-or-beat, spark.initiative.other-deeds
func TestEveryModifierCites(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party", mage)).at(5, fighter("orc", "monsters", mage)).start()
	f.Roller = func(sides int) int { return min(sides, 15) }
	seen := 0
	cited := func() {
		t.Helper()
		for _, e := range f.Events {
			for _, m := range e.GetRoll().GetModifiers() {
				if seen++; m.Rule == "" {
					t.Errorf("%s of %s cites nothing", m.Source, e.GetRoll().Label)
				}
			}
		}
	}
	f.Must(act("ara", declaring.KindAttack, "sword", "orc", rulestest.Plus(2)))
	f.Must(act("orc", declaring.KindDeed, "", "", withParameters("text", "shuts the door", "strength_check", "upper")))
	cited()
	f.casts("fire")
	cited()
	f.Must(act("ara", declaring.KindBash, "", "", withParameters("object", "door", "material", "wood")))
	f.pass()
	cited()
	if seen < 7 {
		t.Errorf("%d modifiers", seen)
	}
}
