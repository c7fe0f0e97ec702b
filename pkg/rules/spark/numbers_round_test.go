package spark

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// stats shapes a sheet in the words of the cases.
func stats(ac, attack int32) func(*eventv1.SparkSheet) {
	return func(s *eventv1.SparkSheet) {
		s.ArmorClass = ac
		for _, w := range s.Weapons {
			w.AttackModifier = attack
		}
	}
}

// pass has everybody who may still declare pass; the last lets the dice fall.
func (f *table) pass(faces ...int) {
	f.T.Helper()
	for len(f.State.Active) > 1 {
		f.End(f.State.Active[0])
	}
	f.End(f.State.Active[0], faces...)
}

// spark.dice.meet-or-beat: attacks, saves and counterspells
func TestMeetOrBeat(t *testing.T) {
	for face, want := range map[int]string{11: "ara hit", 10: "ara miss"} {
		f := duel(t)
		f.State.Creatures["orc"].Sheet.GetSpark().ArmorClass = 16
		dice := []int{face}
		if face == 11 {
			dice = append(dice, 1)
		}
		f.strikes("sword", dice...)
		f.WantAttacks(want)
	}
	// Reflex +2 against DC 15: fire of DC 15 and 8 damage.
	burn := func(s *eventv1.SparkSheet) { mage(s); s.Spells[0].Dc = 15; s.Spells[0].HalfOnSave = false }
	for face, lost := range map[int]int32{13: 0, 12: 8} {
		f := newTable(t).at(0, fighter("ara", "party", func(s *eventv1.SparkSheet) { s.Reflex = 2 })).at(5, fighter("hag", "monsters", burn)).start()
		f.Must(act("hag", declaring.KindCast, "fire", "ara"))
		dice := []int{10, face}
		if lost > 0 {
			dice = append(dice, 4, 4)
		}
		f.End("ara", dice...)
		f.WantHP("ara", 30-lost)
	}
	// Counterspell bonus +4 against DC 15: 15 is not enough, 16 is.
	for face, lost := range map[int]int32{11: 8, 12: 0} {
		f := newTable(t).at(0, fighter("ara", "party", mage, func(s *eventv1.SparkSheet) { s.ManaTrees[0].Rank = 6 })).at(5, fighter("hag", "monsters", burn)).start()
		f.Must(act("hag", declaring.KindCast, "fire", "ara"))
		f.End("ara")
		f.Answer(body.DecCounterspell, "yes")
		dice := []int{10, face}
		if lost > 0 {
			dice = append(dice, 2, 4, 4)
		}
		f.number(body.DecMana, 1, dice...)
		f.WantHP("ara", 30-lost)
	}
}

// spark.dice.roll-order: A 24 before B 17; nothing is thrown for a slot that is lost
func TestRollOrder(t *testing.T) {
	for _, c := range []struct {
		name  string
		b     int32
		faces []int
		left  int32
		want  []string
	}{
		{"B lives", 30, []int{20, 14, 9, 5, 2}, 20, []string{"a critical", "b hit"}},
		{"B is killed", 10, []int{20, 14, 9, 5}, 0, []string{"a critical", "b lost"}},
	} {
		f := newTable(t).at(0, fighter("a", "party", stats(13, 4), func(s *eventv1.SparkSheet) { s.Weapons[0].DamageBonus = 0 })).
			at(5, fighter("b", "monsters", stats(15, 3), func(s *eventv1.SparkSheet) { s.Weapons[0].DamageDice, s.Weapons[0].DamageBonus = "1d6", 0 })).start()
		f.Hurt("b", c.b)
		f.Must(act("a", declaring.KindAttack, "sword", "b"))
		f.Must(act("b", declaring.KindAttack, "sword", "a"), c.faces...)
		f.WantAttacks(c.want...)
		f.WantHP("b", c.left)
	}
}

// spark.action.kinds: the budget of a round, fresh in the next
func TestBudget(t *testing.T) {
	f := duel(t)
	fresh := func() {
		t.Helper()
		n := f.Creature("ara").Counters
		if n[body.CAction] != 1 || n[body.CBonus] != 1 || n[body.CReaction] != 1 || n[body.CFree] != 5 {
			t.Fatalf("round %d: %v", f.State.Round, n)
		}
	}
	fresh()
	f.pass()
	f.pass()
	for range 5 {
		f.Must(act("ara", declaring.ActFree, "", ""))
	}
	f.Must(act("orc", declaring.KindMove, "", "", to(15)))
	f.End("ara")
	f.Answer(body.DecOpportunity, "sword", 2) // the reaction of round 3
	if f.State.Round != 4 {
		t.Fatalf("round %d", f.State.Round)
	}
	fresh()
}

// spark.action.multi-round-lock: rounds 4, 5 and 6, free again in round 7; a spell of one round
func TestLockedRounds(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party")).at(5, fighter("hag", "monsters", mage)).start()
	f.pass()
	f.pass()
	f.pass()
	f.Must(act("hag", declaring.KindCast, "storm", "ara"))
	f.End("ara", 10)
	for f.State.Round < 7 {
		wantRefused(t, f.Try(act("hag", declaring.KindMove, "", "", to(10))), cite.ActionMultiRoundLock)
		wantRefused(t, f.Try(act("hag", declaring.ActSpeak, "", "")), cite.ActionMultiRoundLock)
		if f.State.Round == 6 {
			f.End("ara", 10, 1, 1, 1, 1)
			break
		}
		f.End("ara")
		if f.hasNote("storm is lost: bumped into") {
			t.Fatal("the casting is broken off by nobody")
		}
	}
	f.Must(act("hag", declaring.KindMove, "", "", to(10)))

	quick := func(s *eventv1.SparkSheet) {
		mage(s)
		s.Spells[2].Rounds = 1
		s.Items = []*eventv1.SparkItem{{Name: "potion", Kind: "potion", Uses: 1}}
	}
	f = newTable(t).at(0, fighter("ara", "party")).at(5, fighter("hag", "monsters", quick)).start()
	f.pass()
	wantRefused(t, f.Try(act("hag", declaring.KindCast, "storm", "ara", withParameters("bonus", "potion:potion"))), cite.ActionMultiRoundLock)
	wantRefused(t, f.Try(act("hag", declaring.KindCast, "storm", "ara", to(10))), cite.ActionMultiRoundLock)
	f.Must(act("hag", declaring.KindCast, "storm", "ara"))
	f.End("ara", 10, 1, 1, 1, 1)
	f.Must(act("hag", declaring.KindMove, "", "", withParameters("bonus", "potion:potion")))
}

// spark.action.full-round-packages, spark.action.spell-fills-round, spark.action.attack
func TestOnePackage(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party", mage)).at(5, fighter("orc", "monsters")).start()
	wantRefused(t, f.Try(act("ara", declaring.KindAttack, "sword", "orc,orc")), cite.ActionAttack)
	f.Must(act("ara", declaring.KindMove, "", "", to(-30)))
	wantRefused(t, f.Try(act("ara", declaring.KindMove, "", "", to(-30))), cite.ActionFullRoundPackages)
	f = newTable(t).at(0, fighter("ara", "party", mage)).at(5, fighter("orc", "monsters")).start()
	f.Must(act("ara", declaring.KindCast, "fire", "orc"))
	wantRefused(t, f.Try(act("ara", declaring.KindCast, "fire", "orc")), cite.ActionFullRoundPackages)
}

// spark.action.spell-fills-round: a caster that does not concentrate may announce a counterspell too
func TestCasterCounters(t *testing.T) {
	f := spellDuel(t)
	f.Must(act("ara", declaring.KindCast, "bless", "ara"))
	f.Must(act("hag", declaring.KindCast, "fire", "ara"))
	// The hag may counter ara's spell as well.
	f.Answer(body.DecCounterspell+"/hag", "no")
	f.Answer(body.DecCounterspell+"/ara", "yes")
	f.number(body.DecMana, 7, 5, 10, 10) // the hag's fire is higher in the order
	f.WantHP("ara", 30)
}

// spark.action.charge: +1 to the attack of the charge and to no other
func TestChargeBonus(t *testing.T) {
	six := func(s *eventv1.SparkSheet) {
		s.AttacksPerRound = 3
		s.Weapons[0].AttackModifier = 6
		s.Weapons = append(s.Weapons, &eventv1.SparkWeapon{Name: "dagger", FumbleClasses: []string{"P"}, AttackModifier: 4, DamageDice: "1d4", ReachFeet: 5, OffHand: true})
	}
	f := newTable(t).at(0, fighter("ara", "party", six)).at(30, fighter("orc", "monsters")).start()
	wantRefused(t, f.Try(act("ara", declaring.KindCharge, "sword", "orc,orc", to(25))), cite.ActionCharge)
	wantRefused(t, f.Try(act("ara", declaring.KindCharge, "sword", "orc")), cite.ActionCharge)
	f.Must(act("ara", declaring.KindCharge, "sword", "orc", to(25), withParameters("bonus", "off-hand:dagger")))
	f.End("orc", 9, 9, 1)
	if got, off := f.Roll("attack/ara/1").Total, f.Roll("attack/ara/off-hand").Total; got != 16 || off != 13 {
		t.Fatalf("charge %d, off hand %d", got, off)
	}
	// An opportunity attack of the charger has no bonus.
	f = newTable(t).at(0, fighter("ara", "party", six)).at(5, fighter("orc", "monsters")).at(25, fighter("goblin", "monsters")).start()
	f.Must(act("orc", declaring.KindMove, "", "", withFacts("feet", 30.0), func(a *eventv1.TakeAction) { a.Path = []*eventv1.Position{{X: 0, Y: 30}} }))
	f.Must(act("ara", declaring.KindCharge, "sword", "goblin", to(20)))
	f.End("goblin")
	f.Answer(body.DecOpportunity, "sword", 9, 1, 2)
	if got := f.Roll("provoked/orc/ara").Total; got != 15 {
		t.Fatalf("opportunity attack %d", got)
	}
}

// spark.action.bull-rush: an attack at +1 for order and success; how far is the game master's ruling
func TestBullRush(t *testing.T) {
	rush := func() *table {
		f := newTable(t).at(0, fighter("ara", "party", stats(14, 4))).at(25, fighter("orc", "monsters", stats(15, 4))).start()
		wantRefused(t, f.Try(act("ara", declaring.KindBullRush, "sword", "orc")), cite.ActionCharge)
		f.Must(act("ara", declaring.KindBullRush, "sword", "orc", to(20)))
		return f
	}
	f := rush()
	f.End("orc", 10) // 10 + 4 + 1 reaches 15
	if d := f.Decisions[0]; d.Name != body.DecPush || !d.GmOnly || d.Rule != cite.ActionBullRush {
		t.Fatalf("%v", d)
	}
	if got := f.Roll("attack/ara/1").Total; got != 15 {
		t.Fatalf("total %d", got)
	}
	f.number(body.DecPush, 10)
	f.WantHP("orc", 30)
	if p := f.Creature("orc").Position; p.X != 35 || p.Y != 0 {
		t.Fatalf("pushed to %v", p)
	}
	f = rush()
	f.End("orc", 9) // 14: nothing is asked
	f.WantAttacks("ara miss")
	f = rush()
	f.End("orc", 20)
	f.number(body.DecPush, 0)
	if p := f.Creature("orc").Position; p.X != 25 {
		t.Fatalf("pushed to %v", p)
	}
	f = rush()
	f.End("orc", 1, 1, 1) // a critical fail like that of any attack
	if f.Creature("ara").Counters[body.CChip+"sword"] != 1 {
		t.Fatal("no fumble")
	}
	// In the order it stands with its total: 16 before 15.
	f = rush()
	f.Must(act("orc", declaring.KindAttack, "sword", "ara"), 11, 11)
	f.number(body.DecPush, 0, 1)
	f.WantAttacks("orc hit")
}

// spark.reaction.one-per-round, spark.reaction.counterspell
func TestOneReactionForBoth(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party", mage)).at(5, fighter("orc", "monsters")).at(40, fighter("hag", "monsters", mage)).
		at(50, fighter("imp", "monsters", mage)).start()
	f.Must(act("orc", declaring.KindMove, "", "", to(15)))
	f.Must(act("hag", declaring.KindCast, "fire", "ara"))
	f.End("ara")
	f.End("imp")
	f.Answer(body.DecOpportunity, "sword", 2, 10, 20, 1, 1) // no counterspell is offered any more
	f.WantHP("ara", 29)

	f.Must(act("hag", declaring.KindCast, "fire", "ara"))
	f.Must(act("imp", declaring.KindCast, "fire", "ara"))
	f.End("ara")
	f.End("orc")
	f.Answer(body.DecCounterspell, "yes")
	f.number(body.DecMana, 1, 10, 9, 18, 20, 1, 1) // the hag's is countered (19+6 > 17), the imp's cannot be
	f.WantHP("ara", 28)
}

// spark.reaction.opportunity-attack: leaving the reach provokes, a shift within it does not
func TestWhatProvokes(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party")).at(5, fighter("orc", "monsters", stats(13, 5))).start()
	f.Hurt("orc", 9)
	f.Must(act("orc", declaring.KindMove, "", "", func(a *eventv1.TakeAction) { a.Path = []*eventv1.Position{{X: 5, Y: 5}} }))
	f.End("ara") // still within reach: nothing is asked
	f.Must(act("orc", declaring.KindAttack, "bow", "ara", func(a *eventv1.TakeAction) { a.Path = []*eventv1.Position{{X: 10, Y: 5}} }))
	f.End("ara")
	f.Answer(body.DecOpportunity, "sword", 8, 6) // 13 hits, 9 damage
	f.WantHP("orc", 0)
	f.WantAttacks("ara hit")
}

// spark.reaction.opportunity-attack: only what reaches is offered; the class is named with the attack
func TestOpportunityOptions(t *testing.T) {
	arms := func(s *eventv1.SparkSheet) {
		s.Weapons = []*eventv1.SparkWeapon{
			{Name: "pike", FumbleClasses: []string{"P", "S"}, AttackModifier: 5, DamageDice: "1d8", ReachFeet: 10},
			{Name: "knife", FumbleClasses: []string{"P"}, AttackModifier: 5, DamageDice: "1d4", ReachFeet: 5}}
	}
	f := newTable(t).at(0, fighter("ara", "party", arms)).at(10, fighter("orc", "monsters")).start()
	f.Must(act("orc", declaring.KindMove, "", "", to(20)))
	f.End("ara")
	var ids []string
	for _, o := range f.Decisions[0].Options {
		ids = append(ids, o.Id)
	}
	if !slices.Equal(ids, []string{"no", "pike", "pike:S"}) {
		t.Fatalf("%v", ids)
	}
	f.Answer(body.DecOpportunity, "pike:S", 1, 1, 1) // 2 S: chipped, where 2 P trips
	if f.Creature("ara").Counters[body.CChip+"pike"] != 1 {
		t.Fatal("not of class S")
	}
}

// spark.turn.round-length
func TestRoundLength(t *testing.T) {
	f := duel(t)
	for range 7 {
		f.pass()
	}
	if got := f.State.Counters[body.CClock]; got != 42 {
		t.Fatalf("%d seconds after 7 rounds, want 42", got)
	}
}

// spark.turn.round-length, spark.fumble.string-breaks: a minute's work begun in round 3 is done at the end of round 12
func TestAMinuteIsTenRounds(t *testing.T) {
	f := duel(t, func(s *eventv1.SparkSheet) { s.SpareStrings = 1 })
	f.pass()
	f.strikes("bow", 1, 4, 4)
	for f.State.Round < 13 {
		wantRefused(t, f.Try(act("ara", declaring.KindAttack, "bow", "orc")), cite.FumbleStringBreaks)
		f.Must(act("ara", declaring.KindRestring, "bow", ""))
		f.End("orc")
	}
	f.strikes("bow", 2)
	if got := f.Creature("ara").Counters[body.CSpareStrings]; got != 0 {
		t.Fatalf("%d spare strings", got)
	}
}

// spark.turn.declare: what is declared stands; a target that is gone or out of reach is lost
func TestDeclaredIsDeclared(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party")).at(5, fighter("orc1", "monsters")).atXY(0, 5, fighter("orc2", "monsters")).at(30, fighter("wen", "party")).start()
	f.Hurt("orc1", 2)
	f.Must(act("ara", declaring.KindAttack, "sword", "orc1"))
	f.Must(act("wen", declaring.KindAttack, "bow", "orc1"))
	f.pass(15, 15, 1)
	f.WantAttacks("wen hit", "ara lost")
	f.WantHP("orc2", 30)

	f = duel(t)
	f.Must(act("orc", declaring.KindAttack, "sword", "ara"))
	f.Must(act("ara", declaring.KindMove, "", "", to(-20)))
	f.Answer(body.DecOpportunity, "no")
	f.WantAttacks("orc lost")
}

// spark.turn.movement-first: in the attack half nothing is declared any more
func TestNothingMovesInTheAttackHalf(t *testing.T) {
	f := newTable(t).add(fighter("ara", "party", armedWith(claw)), fighter("orc", "monsters"), fighter("wen", "party")).start()
	f.Must(act("ara", declaring.KindAttack, "claw", "orc"))
	f.End("orc")
	f.End("wen", 1, 3, 3) // the game master is asked who is nearest: the attack half is open
	if f.State.Phase != body.PhaseAttack {
		t.Fatalf("phase %q", f.State.Phase)
	}
	for _, o := range (System{}).Options(rules.Query{State: f.State, Creature: "wen"}) {
		if o.Legal || o.Action == declaring.KindMove && o.Rule != cite.TurnMovementFirst {
			t.Fatalf("%v", o)
		}
	}
}

// spark.turn.reaction-attack-now: with damage, before the mover goes on
func TestReactionAttackNow(t *testing.T) {
	for _, c := range []struct {
		hp   int32
		want []string
	}{{4, []string{"ara hit"}}, {10, []string{"ara hit", "orc miss"}}} {
		f := duel(t)
		f.Hurt("orc", c.hp)
		f.Must(act("orc", declaring.KindAttack, "bow", "ara", to(15)))
		f.End("ara")
		dice := []int{9, 1}
		if c.hp > 4 {
			dice = append(dice, 2)
		}
		f.Answer(body.DecOpportunity, "sword", dice...)
		f.WantAttacks(c.want...)
		f.WantHP("orc", c.hp-4)
	}
}

// spark.fumble.trip-two-rounds, spark.turn.reaction-attack-now: a trip in the movement half of
// round 2 leaves the attack of round 2 and bars rounds 3 and 4
func TestTripInTheFirstHalf(t *testing.T) {
	f := duel(t, armedWith(spear), func(s *eventv1.SparkSheet) {
		mage(s)
		s.Items = []*eventv1.SparkItem{{Name: "potion", Kind: "potion", Uses: 1, Healing: "1d8"}}
	}).at(-5, fighter("hag", "monsters", mage))
	f.pass()
	f.Must(act("orc", declaring.KindMove, "", "", to(15)))
	f.Must(act("ara", declaring.KindAttack, "spear", "hag"))
	f.End("hag")
	f.Answer(body.DecOpportunity, "spear", 1, 1, 1, 15, 1)
	f.WantAttacks("ara fumble", "ara hit")
	wantRefused(t, f.Try(act("ara", declaring.KindAttack, "spear", "hag")), cite.FumbleTripTwoRounds)
	wantRefused(t, f.Try(act("ara", declaring.KindCharge, "spear", "orc", to(10))), cite.FumbleTripTwoRounds)
	wantRefused(t, f.Try(act("ara", declaring.KindBash, "", "", withParameters("object", "door", "material", "wood"))), cite.FumbleTripTwoRounds)
	f.Must(act("hag", declaring.KindCast, "fire", "ara")) // round 3: a counterspell is no attack, nor a move with a potion
	f.Must(act("ara", declaring.KindMove, "", "", to(0), withParameters("bonus", "potion:potion")))
	f.End("orc")
	f.Answer(body.DecCounterspell, "yes")
	f.number(body.DecMana, 7, 10, 10, 18, 1)
	wantRefused(t, f.Try(act("ara", declaring.KindAttack, "spear", "hag")), cite.FumbleTripTwoRounds)
	f.pass()
	f.Must(act("ara", declaring.KindAttack, "spear", "hag")) // round 5
}

// spark.fumble.trip-one-round, spark.fumble.timing: the refusal names the rule that it comes from
func TestTripRules(t *testing.T) {
	f := duel(t, armedWith(claw))
	f.pass()
	f.strikes("claw", 1, 1, 1) // round 2
	wantRefused(t, f.Try(act("ara", declaring.KindAttack, "claw", "orc")), cite.FumbleTripOneRound)
	f.pass()
	f.Must(act("ara", declaring.KindAttack, "claw", "orc")) // round 4

	f = duel(t, armedWith(spear))
	f.pass()
	f.pass()
	f.strikes("spear", 1, 1, 1) // round 3
	for range 2 {
		wantRefused(t, f.Try(act("ara", declaring.KindAttack, "spear", "orc")), cite.FumbleTripTwoRounds)
		f.pass()
	}
	f.Must(act("ara", declaring.KindAttack, "spear", "orc")) // round 6
}

// spark.fumble.drop-weapon: dropped in round 5, not in round 6 but a drawn one is, and again in round 7
func TestDroppedInRoundFive(t *testing.T) {
	f := duel(t, func(s *eventv1.SparkSheet) {
		s.Weapons = append(s.Weapons, &eventv1.SparkWeapon{Name: "knife", FumbleClasses: []string{"P"}, DamageDice: "1d4", ReachFeet: 5, Stowed: true})
	})
	for range 4 {
		f.pass()
	}
	f.strikes("sword", 1, 2, 2)
	wantRefused(t, f.Try(act("ara", declaring.KindAttack, "sword", "orc")), cite.FumbleDropWeapon)
	f.Must(act("ara", declaring.KindAttack, "knife", "orc", withParameters("bonus", "draw:knife")))
	f.Must(act("orc", declaring.KindMove, "", "", to(10)))
	if len(f.Decisions) != 1 || len(f.Decisions[0].Options) != 2 || f.Decisions[0].Options[1].Id != "knife" {
		t.Fatalf("offered: %v", f.Decisions) // an opportunity attack, but not with the sword
	}
	f.Choose("no")
	f.Must(act("ara", declaring.KindAttack, "sword", "orc", to(5)))
	f.End("orc", 2)
	f.WantAttacks("ara miss")
}
