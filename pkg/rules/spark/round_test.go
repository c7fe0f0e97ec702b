package spark

import (
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// duel is ara of the party against one orc, face to face.
func duel(t *testing.T, change ...func(*eventv1.SparkSheet)) *table {
	t.Helper()
	return newTable(t).at(0, fighter("ara", "party", change...)).at(5, fighter("orc", "monsters")).start()
}

// spark.turn.two-halves: nothing opens the second half before the last has declared
func TestTwoHalves(t *testing.T) {
	f := newTable(t).at(0, fighter("a", "party")).at(5, fighter("b", "party")).at(10, fighter("c", "monsters")).at(15, fighter("d", "monsters")).start()
	f.WantActive("a", "b", "c", "d")
	f.Must(act("a", declaring.KindAttack, "sword", "c"))
	f.End("b")
	f.End("c")
	if f.State.Phase != body.PhaseDeclare || len(f.Rolls("")) != 0 {
		t.Fatalf("phase %q", f.State.Phase)
	}
	wantRefused(t, f.Try(act("a", declaring.KindMove, "", "", to(30))), cite.ActionFullRoundPackages)
	f.End("d")
	f.WantAttacks("a lost") // 10 ft away
	if f.State.Round != 2 || f.State.Phase != body.PhaseDeclare {
		t.Fatalf("round %d, phase %q", f.State.Round, f.State.Phase)
	}
	f.WantActive("a", "b", "c", "d")
}

// spark.turn.declare: declarations are sealed from the other side until all are in
func TestDeclarationsAreSealed(t *testing.T) {
	f := duel(t)
	f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
	for _, e := range f.SeenBy(player("somebody")) {
		if e.GetAction() != nil || e.GetMark() != nil {
			t.Fatalf("a stranger sees %v", e)
		}
	}
	if rules.BegunOf(f.Creature("ara"), body.BegunDeclared) == nil {
		t.Fatal("nothing is kept")
	}
	f.Must(act("orc", declaring.KindAttack, "sword", "ara"), 2, 2)
	seen := 0
	for _, e := range f.SeenBy(player("somebody")) {
		if a := e.GetAction(); a != nil && a.Action == declaring.KindAttack {
			seen++
		}
	}
	if seen != 2 {
		t.Fatalf("%d declarations revealed, want 2", seen)
	}
}

// The packages of a round; what they leave and what they do not.
func TestPackages(t *testing.T) {
	three := func(s *eventv1.SparkSheet) {
		s.AttacksPerRound = 3
		s.Weapons = append(s.Weapons, &eventv1.SparkWeapon{Name: "dagger", FumbleClasses: []string{"P"}, AttackModifier: 4, DamageDice: "1d4", ReachFeet: 5, OffHand: true})
		s.Items = []*eventv1.SparkItem{{Name: "potion", Kind: "potion", Uses: 2, Healing: "1d8"}, {Name: "wand", Kind: "magic", Uses: 2}}
		s.Spells = []*eventv1.SparkSpell{{Name: "spark", Delivery: "ranged", ManaCost: 1, Dc: 12}}
		s.Mana = 10
	}
	feat := func(s *eventv1.SparkSheet) {
		three(s)
		s.Feats = []*eventv1.SparkFeat{{Name: "whirl", FullMoveFullAttack: true}, {Name: "stunt", Bonus: true}}
	}
	for _, c := range []struct {
		name, rule string
		sheet      func(*eventv1.SparkSheet)
		settings   []string
		cmd        *eventv1.Command
	}{
		{"move and potion", "", three, nil, act("ara", declaring.KindMove, "", "", to(30), withParameters("bonus", "potion:potion"))},
		{"three attacks and the off hand", "", three, nil, act("ara", declaring.KindAttack, "sword", "orc,orc,orc", withParameters("bonus", "off-hand:dagger"))},
		{"spell and potion", cite.ActionSpellFillsRound, three, nil, act("ara", declaring.KindCast, "spark", "orc", withParameters("bonus", "potion:potion"))},
		{"spell and off hand", cite.ActionSpellFillsRound, three, nil, act("ara", declaring.KindCast, "spark", "orc", withParameters("bonus", "off-hand:dagger"))},
		{"spell and step", cite.ActionSpellFillsRound, three, nil, act("ara", declaring.KindCast, "spark", "orc", to(-5))},
		{"full move and full attack", cite.ActionNoFullAttackWithFullMove, three, nil, act("ara", declaring.KindAttack, "sword", "orc,orc", to(-30))},
		{"the feat allows it", "", feat, nil, act("ara", declaring.KindAttack, "sword", "orc,orc", to(-30))},
		{"step and full attack", "", three, nil, act("ara", declaring.KindAttack, "sword", "orc,orc,orc", to(-5))},
		{"10 ft and full attack", cite.ActionFiveFootFullAttack, three, nil, act("ara", declaring.KindAttack, "sword", "orc,orc,orc", to(-10))},
		{"full move and one attack", "", three, nil, act("ara", declaring.KindAttack, "sword", "orc", to(-30))},
		{"35 ft and one attack", cite.ActionFullMoveSingleAttack, three, nil, act("ara", declaring.KindAttack, "sword", "orc", to(-35))},
		{"35 ft", cite.ActionMove, three, nil, act("ara", declaring.KindMove, "", "", to(-35))},
		{"move, attack and potion", "", three, nil, act("ara", declaring.KindAttack, "sword", "orc", to(-30), withParameters("bonus", "potion:potion"))},
		{"move, attack and potion denied", cite.ActionFullMoveSingleAttack, three, []string{body.SetBonusWithBoth + "=deny"},
			act("ara", declaring.KindAttack, "sword", "orc", to(-30), withParameters("bonus", "potion:potion"))},
		{"four attacks", cite.ActionAttack, three, nil, act("ara", declaring.KindAttack, "sword", "orc,orc,orc,orc")},
		{"off hand and potion", cite.ActionBonus, three, nil, act("ara", declaring.KindAttack, "sword", "orc", withParameters("bonus", []string{"off-hand:dagger", "potion:potion"}))},
		{"move and wand", "", three, nil, act("ara", declaring.KindMove, "", "", to(10), withParameters("bonus", "activate:wand"))},
		{"two items", cite.ActionBonus, three, nil, act("ara", declaring.KindMove, "", "", withParameters("bonus", []string{"activate:wand", "potion:potion"}))},
		{"feat for the bonus action", "", feat, nil, act("ara", declaring.KindAttack, "sword", "orc", withParameters("bonus", "feat:stunt"))},
		{"feat switched off", cite.ActionFeatBonus, feat, []string{body.RuleFeatBonus + "=off"}, act("ara", declaring.KindAttack, "sword", "orc", withParameters("bonus", "feat:stunt"))},
		{"charge with two attacks", cite.ActionCharge, three, nil, act("ara", declaring.KindCharge, "sword", "orc,orc", to(-25))},
		{"charge on the spot", cite.ActionCharge, three, nil, act("ara", declaring.KindCharge, "sword", "orc")},
		{"charge", "", three, nil, act("ara", declaring.KindCharge, "sword", "orc", to(-25))},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t, c.settings...).at(0, fighter("ara", "party", c.sheet)).at(5, fighter("orc", "monsters")).start()
			err := f.Try(c.cmd)
			if c.rule != "" {
				wantRefused(t, err, c.rule)
			} else if err != nil {
				t.Fatal(err)
			}
		})
	}
}

// spark.action.free, spark.action.kinds: five a round, fresh every round
func TestFreeActions(t *testing.T) {
	f := duel(t)
	for range 4 {
		f.Must(act("ara", declaring.ActSpeak, "", ""))
	}
	f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
	f.Must(act("ara", declaring.ActFree, "", ""))
	wantRefused(t, f.Try(act("ara", declaring.ActFree, "", "")), cite.ActionFree)
	f.End("orc", 2)
	if got := f.Creature("ara").Counters[body.CFree]; got != 5 {
		t.Fatalf("%d free actions in the next round", got)
	}
}

// spark.turn.melee-order, spark.turn.tie-to-player, spark.turn.killed-first-fails, spark.dice.roll-order
func TestMeleeOrder(t *testing.T) {
	for _, c := range []struct {
		name        string
		ara, orc    int32 // hit points before
		faces       []int
		attacks     string
		araHP, orc2 int32
	}{
		{"the higher goes first", 30, 30, []int{12, 14, 4, 5}, "orc hit,ara hit", 23, 22},
		{"a miss counts for nothing", 30, 30, []int{9, 8, 4}, "ara hit,orc miss", 30, 23},
		{"the killed lose what was waiting", 30, 7, []int{14, 12, 4}, "ara hit,orc lost", 30, 0},
		{"left at 1 hit point it strikes in full", 30, 8, []int{14, 12, 4, 5}, "ara hit,orc hit", 22, 1},
		{"a tie goes to the player", 30, 7, []int{13, 13, 4}, "ara hit,orc lost", 30, 0},
		{"a critical does not change the place", 30, 30, []int{15, 20, 9, 5, 2}, "orc critical,ara hit", 14, 25},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := duel(t)
			f.Hurt("ara", c.ara)
			f.Hurt("orc", c.orc)
			f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
			f.Must(act("orc", declaring.KindAttack, "sword", "ara"), c.faces...)
			f.WantAttacks(strings.Split(c.attacks, ",")...)
			f.WantHP("ara", c.araHP)
			f.WantHP("orc", c.orc2)
		})
	}
}

// spark.turn.tie-to-player: two of one side at once may both fall
func TestTiesWithinASide(t *testing.T) {
	f := newTable(t).at(0, fighter("a", "goblins")).at(5, fighter("b", "orcs")).start()
	f.Hurt("a", 4)
	f.Hurt("b", 4)
	f.Must(act("a", declaring.KindAttack, "sword", "b"))
	f.Must(act("b", declaring.KindAttack, "sword", "a"), 10, 10, 1, 1)
	f.WantHP("a", 0)
	f.WantHP("b", 0)
}

// spark.turn.ranged-before-melee: whatever the totals
func TestRangedBeforeMelee(t *testing.T) {
	f := duel(t, func(s *eventv1.SparkSheet) {})
	f.Hurt("orc", 5)
	f.Must(act("orc", declaring.KindAttack, "sword", "ara"))
	f.Must(act("ara", declaring.KindAttack, "bow", "orc"), 19, 9, 4) // the orc's 24 waits behind 14
	f.WantAttacks("ara hit", "orc lost")
	f.WantHP("orc", 0)
	if n := f.Creature("ara").Counters; n[body.CAmmunition+"bow"] != 11 || n[body.CSpent+"bow"] != 1 {
		t.Fatalf("arrows %v", n)
	}
}

// spark.action.charge: +1, which counts in the order too
func TestCharge(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party")).at(30, fighter("orc", "monsters")).start()
	f.Must(act("ara", declaring.KindCharge, "sword", "orc", to(25)))
	f.End("orc", 9, 1)
	if got := f.Roll("attack/ara/1").Total; got != 15 {
		t.Fatalf("total %d, want 9+5+1", got)
	}
}

// spark.reaction.opportunity-attack, spark.turn.reaction-attack-now: at once, also against a step of 5 ft
func TestOpportunityAttack(t *testing.T) {
	f := duel(t)
	f.Hurt("orc", 9)
	f.Must(act("orc", declaring.KindAttack, "bow", "ara", to(10)))
	f.End("ara")
	f.Answer(body.DecOpportunity, "sword", 9, 6)
	f.WantHP("orc", 0)
	f.WantAttacks("ara hit")
	if p := f.Creature("orc").Position; p.X != 5 {
		t.Fatalf("the fallen orc is at %v", p)
	}
}

// spark.reaction.one-per-round: two step away, one is attacked
func TestOneReaction(t *testing.T) {
	f := duel(t).at(-5, fighter("orc2", "monsters"))
	f.Must(act("orc", declaring.KindMove, "", "", to(15)))
	f.Must(act("orc2", declaring.KindMove, "", "", to(-20)))
	f.End("ara")
	f.Answer(body.DecOpportunity, "sword", 2)
	f.WantAttacks("ara miss")
}

// spark.reaction.concentration-bars
func TestConcentrationBars(t *testing.T) {
	f := duel(t)
	f.Put("ara", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondConcentrating, Variant: "bless"}}})
	f.Must(act("orc", declaring.KindMove, "", "", to(15)))
	f.End("ara")
	f.WantAttacks()
	f.Must(act("ara", declaring.ActDrop, "", ""))
	f.Must(act("ara", declaring.KindMove, "", "", to(10)))
	f.End("orc")
	f.Must(act("orc", declaring.KindMove, "", "", to(30)))
	f.End("ara")
	f.Answer(body.DecOpportunity, "no")
}

// spark.initiative.other-deeds: the door is shut first
func TestContestedDeed(t *testing.T) {
	for _, c := range []struct {
		ghoul int
		shut  bool
	}{{9, true}, {10, true}, {11, false}} {
		f := duel(t)
		f.Must(act("ara", declaring.KindDeed, "", "", withParameters("text", "shut the door", "rival", "orc")))
		f.Must(act("orc", declaring.KindDeed, "", "", withParameters("text", "go through", "rival", "ara", "contested", true), withFacts("provokes", []string{}), to(10)), 10, c.ghoul)
		if shut := f.Creature("orc").Position.X == 5; shut != c.shut {
			t.Errorf("%d against 11: shut %v", c.ghoul+1, shut)
		}
	}
}

// spark.condition.prone, spark.dice.advantage
func TestProne(t *testing.T) {
	f := duel(t)
	f.Afflict("orc", body.CondProne)
	f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
	wantRefused(t, f.Try(act("orc", declaring.KindMove, "", "", to(20))), body.RuleProne)
	f.End("orc", 1, 14, 1) // 14 is kept: no critical fail
	f.WantAttacks("ara hit")
	f.Must(act("ara", declaring.KindAttack, "bow", "orc"))
	f.Must(act("orc", declaring.KindMove, "", "", withParameters("stand", true)), 3)
	if body.Has(f.Creature("orc"), body.CondProne) {
		t.Fatal("still prone")
	}
}

// spark.condition.frightened
func TestFrightened(t *testing.T) {
	f := duel(t, func(s *eventv1.SparkSheet) { s.Will = 1 })
	f.Put("ara", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondFrightened, Source: "orc", Values: map[string]int32{"dc": 14, "round": 1}}}})
	f.End("ara")
	f.End("orc", 12)
	if !body.Has(f.Creature("ara"), body.CondFrightened) {
		t.Fatal("13 overcame DC 14")
	}
	f.End("ara")
	f.End("orc", 13)
	if body.Has(f.Creature("ara"), body.CondFrightened) {
		t.Fatal("14 did not overcome DC 14")
	}
}

// spark.critical.auto-hit, spark.critical.multiplier
func TestCritical(t *testing.T) {
	for _, c := range []struct {
		face   int
		damage int32
	}{{1, 9}, {3, 9}, {4, 18}, {12, 18}, {13, 27}, {16, 27}, {17, 36}, {19, 36}, {20, 45}} {
		f := duel(t, func(s *eventv1.SparkSheet) { s.Weapons[0].CriticalFrom = 19; s.Weapons[0].AttackModifier = -20 })
		f.Put("orc", &eventv1.Vitals{HpTemp: ptr(100)})
		f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
		f.End("orc", 19, c.face, 6)
		if got := 100 - f.Creature("orc").GetHpTemp(); got != c.damage {
			t.Errorf("multiplier die %d: %d damage, want %d", c.face, got, c.damage)
		}
	}
}

// spark.dice.advantage: the kept die counts; both kinds cancel to one die
func TestAdvantage(t *testing.T) {
	for _, c := range []struct {
		name    string
		stated  []string
		faces   []int
		outcome string
	}{
		{"advantage keeps the 14", []string{"advantage:high ground"}, []int{1, 14, 2}, "ara hit"},
		{"disadvantage keeps the 1", []string{"disadvantage:pulled muscle"}, []int{1, 14, 1, 1}, "ara fumble"},
		{"any number of a kind", []string{"advantage:a", "advantage:b"}, []int{2, 14, 2}, "ara hit"},
		{"they cancel", []string{"advantage:a", "disadvantage:b"}, []int{9, 2}, "ara hit"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := duel(t)
			f.Must(act("ara", declaring.KindAttack, "sword", "orc", circumstances(c.stated...)))
			f.End("orc", c.faces...)
			f.WantAttacks(c.outcome)
		})
	}
}

func ptr(n int32) *int32 { return &n }
