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

// bolts gives a mage a spell that must hit at a distance.
func bolts(s *eventv1.SparkSheet) {
	mage(s)
	s.Spells = append(s.Spells, &eventv1.SparkSpell{Name: "bolt", ManaCost: 1, Dc: 14, Delivery: "ranged", Attack: true, AttackModifier: 6, DamageDice: "1d4", RangeFeet: 60})
}

// spark.condition.prone, spark.fumble.alt-pulled-arms, spark.dice.advantage: what gives dice to attack rolls gives them to those of spells too: a
// touch is melee, a bolt is none; a pulled arm hampers both, and they cancel
func TestEdgesOfSpells(t *testing.T) {
	for _, c := range []struct {
		name, spell string
		prone       bool
		arms        bool
		expression  string
	}{
		{"a touch", "touch", false, false, "1d20"}, {"a touch on the fallen", "touch", true, false, "2d20kh1"}, {"a bolt on the fallen", "bolt", true, false, "1d20"},
		{"a touch with a pulled arm", "touch", false, true, "2d20kl1"}, {"a bolt with a pulled arm", "bolt", false, true, "2d20kl1"}, {"both", "touch", true, true, "1d20"}, {"a bolt with both", "bolt", true, true, "2d20kl1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t, body.RuleAlt+"=on").at(0, fighter("ara", "party", bolts)).at(5, fighter("orc", "monsters")).start()
			if c.prone {
				f.Afflict("orc", body.CondProne)
			}
			if c.arms {
				f.Put("ara", &eventv1.Vitals{Injuries: []*eventv1.Injury{{Kind: body.InjuryArms}}})
			}
			f.Roller = func(sides int) int { return min(sides, 3) }
			f.Must(act("ara", declaring.KindCast, c.spell, "orc"))
			f.End("orc")
			if got := f.Roll("attack/ara/" + c.spell).Expression; got != c.expression {
				t.Errorf("%s, want %s", got, c.expression)
			}
		})
	}
}

// spark.fumble.alt-wild-swing: the next attack roll is that of a spell as well as a blow, a reaction as well as a declared one, and it is used up by it
func TestWhatUsesAdvantageUp(t *testing.T) {
	for name, roll := range map[string]func(f *table) string{
		"a touch": func(f *table) string {
			f.Must(act("ara", declaring.KindCast, "touch", "orc"))
			f.End("orc", 2, 3)
			return "attack/ara/touch"
		},
		"a reaction": func(f *table) string {
			f.Must(act("orc", declaring.KindMove, "", "", to(15)))
			f.End("ara")
			f.Choose("sword", 2, 3)
			return "provoked/orc/ara"
		},
		"a blow": func(f *table) string { f.strikes("sword", 2, 3); return "attack/ara/1" },
	} {
		f := newTable(t, body.RuleAlt+"=on").at(0, fighter("ara", "party", bolts)).at(5, fighter("orc", "monsters")).start()
		f.Count("ara", body.CAdvantage, 1)
		if label := roll(f); f.Roll(label).Expression != "2d20kh1" || f.Creature("ara").Counters[body.CAdvantage] != 0 {
			t.Errorf("%s: %v", name, f.Roll(label))
		}
	}
	// What needs no attack roll leaves it.
	f := newTable(t, body.RuleAlt+"=on").at(0, fighter("ara", "party", bolts)).at(5, fighter("orc", "monsters")).start()
	f.Count("ara", body.CAdvantage, 1)
	f.Must(act("ara", declaring.KindCast, "fire", "orc"))
	f.End("orc", 10, 20, 1, 1)
	if n := f.Creature("ara").Counters[body.CAdvantage]; n != 1 {
		t.Errorf("%d left", n)
	}
}

// spark.fumble.alt-slip-up-natural: immune with three legs or more, not with two or with none said
func TestHowManyLegs(t *testing.T) {
	for legs, falls := range map[int32]bool{0: true, 2: true, 3: false, 4: false} {
		f := alt(t, armedWith(bite), func(s *eventv1.SparkSheet) { s.Legs = legs })
		dice := []int{1, 15}
		if falls {
			dice = append(dice, 14) // 14 against 15
		}
		f.strikes("bite", dice...)
		if got := body.Has(f.Creature("ara"), body.CondProne); got != falls || f.hasNote("immune: more than two legs") == falls {
			t.Errorf("%d legs: prone %v", legs, got)
		}
	}
}

// spark.fumble.alt-hopeless-throw: at a distant target by the game master's word there is an attack roll, hampered already; a hit on an opponent
// ends it, one on a friend does not, and the target it was thrown at is none of the choices
func TestHopelessThrowAtSomebody(t *testing.T) {
	for _, c := range []struct {
		at     string
		dice   []int
		shaken bool
	}{{"imp", []int{15, 16, 2}, false}, {"imp", []int{15, 1}, true}, {"wen", []int{15, 16, 2}, true}, {"empty", nil, true}} {
		f := newTable(t, body.RuleAlt+"=on").at(0, fighter("ara", "party", armedWith(hurled))).at(20, fighter("orc", "monsters")).at(200, fighter("imp", "monsters")).at(90, fighter("wen", "party")).start()
		f.Must(act("ara", declaring.KindAttack, "axe", "orc", withParameters("throw", true)))
		f.pass(1, 20, 14)
		if ids := f.optionIDs(); !slices.Equal(ids, []string{"empty", "imp", "wen"}) || !f.Decisions[0].GmOnly {
			t.Fatalf("%v", f.Decisions)
		}
		f.Choose(c.at, c.dice...)
		if got := body.Has(f.Creature("ara"), body.CondShaken); got != c.shaken {
			t.Errorf("at %s with %v: shaken %v", c.at, c.dice, got)
		}
		if n := f.Creature("ara").Counters; n[body.CAmmunition+"axe"] != 2 || n[body.CSpent+"axe"] != 1 {
			t.Errorf("%v", n)
		}
		f.WantHP("orc", 30)
	}
}

// spark.fumble.alt-stuck-weapon: pulled free with the bonus action it strikes in the same round; still stuck, what was declared of it is lost
func TestPulledFreeAndStruck(t *testing.T) {
	for face, attacks := range map[int][]string{8: {"ara miss"}, 7: {"ara lost"}, 1: {"ara lost"}} {
		f := alt(t, func(s *eventv1.SparkSheet) { s.StrengthModifier = 3 })
		f.Put("ara", &eventv1.Vitals{Marks: map[string]string{body.MStuck + "sword": rules.Yes}})
		wantRefused(t, f.Try(act("ara", declaring.KindAttack, "sword", "orc")), cite.FumbleAltStuckWeapon)
		f.Must(act("ara", declaring.KindAttack, "sword", "orc", withParameters("bonus", "free:sword")))
		dice := []int{face}
		if face == 8 {
			dice = append(dice, 2)
		}
		f.End("orc", dice...)
		f.WantAttacks(attacks...)
		if got := f.Creature("ara").Marks[body.MStuck+"sword"] == ""; got != (face == 8) {
			t.Errorf("%d: free %v", face, got)
		}
	}
}

// spark.action.bonus, spark.reaction.opportunity-attack, spark.turn.declare: what is drawn is drawn in the first half, in the order of declaring: it
// answers a step that comes after it, and none that came before
func TestDrawnInTime(t *testing.T) {
	for _, first := range []string{"ara", "orc"} {
		f := newTable(t).at(0, fighter("ara", "party", func(s *eventv1.SparkSheet) { s.Weapons[0].Stowed = true })).at(5, fighter("orc", "monsters")).start()
		draws := act("ara", declaring.KindMove, "", "", withParameters("bonus", "draw:sword"))
		steps := act("orc", declaring.KindMove, "", "", to(15))
		if first == "ara" {
			f.Must(draws)
			f.Must(steps)
		} else {
			f.Must(steps)
			f.Must(draws)
		}
		if asked := len(f.Decisions) == 1; asked != (first == "ara") {
			t.Errorf("%s first: asked %v", first, f.Decisions)
		}
		if first == "ara" {
			f.Choose("sword", 15, 1)
			f.WantHP("orc", 26)
		}
		if got := f.Creature("ara").Items["sword"].Place; got != "main" {
			t.Errorf("the sword is %q", got)
		}
	}
}

// spark.action.charge, spark.turn.movement-first: whether a charge ends in reach is measured from where both have come to
func TestWhereAChargeEnds(t *testing.T) {
	for _, c := range []struct {
		name string
		orc  int32 // where it moves to; it begins at 40
		dice []int
		want string
	}{
		{"too short", 40, nil, "ara lost"}, {"the orc comes to meet it", 15, []int{8}, "ara hit"}, {"just not near enough", 20, nil, "ara lost"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).at(0, fighter("ara", "party")).at(40, fighter("orc", "monsters")).start()
			f.Must(act("ara", declaring.KindCharge, "sword", "orc", to(10)))
			dice := c.dice
			if dice != nil {
				dice = append(dice, 1)
			}
			if c.orc == 40 {
				f.End("orc", dice...)
			} else {
				f.Must(act("orc", declaring.KindMove, "", "", to(c.orc)), dice...)
			}
			f.WantAttacks(c.want)
			if c.want == "ara hit" && f.Roll("attack/ara/1").Total != 14 {
				t.Errorf("%v", f.Roll("attack/ara/1"))
			}
		})
	}
}

// spark.fumble.alt-ammo-accident: one missile a round by the bonus action, and shot in it: one shot, not two, standing still
func TestOneArrowARound(t *testing.T) {
	f := newTable(t, body.RuleAlt+"=on").at(0, fighter("ara", "party", func(s *eventv1.SparkSheet) { s.AttacksPerRound = 2 })).at(20, fighter("orc", "monsters")).start()
	f.Count("ara", body.CAmmunition+"bow", 0, body.CSpilled+"bow", 3)
	shot := func(targets string, change ...func(*eventv1.TakeAction)) *eventv1.Command {
		return act("ara", declaring.KindAttack, "bow", targets, change...)
	}
	gather := withParameters("bonus", "gather:bow")
	wantRefused(t, f.Try(shot("orc")), cite.FumbleAltAmmoAccident)
	wantRefused(t, f.Try(shot("orc,orc", gather)), cite.FumbleMissileBroken)
	wantRefused(t, f.Try(shot("orc", gather, to(-5))), cite.FumbleAltAmmoAccident)
	for left := int64(2); left >= 0; left-- {
		f.Must(shot("orc", gather))
		f.End("orc", 2)
		if n := f.Creature("ara").Counters; n[body.CSpilled+"bow"] != left || n[body.CAmmunition+"bow"] != 0 || n[body.CSpent+"bow"] != 3-left {
			t.Fatalf("%v", n)
		}
	}
	wantRefused(t, f.Try(shot("orc", gather)), cite.FumbleMissileBroken)
	wantRefused(t, f.Try(act("ara", declaring.KindMove, "", "", gather)), cite.FumbleAltAmmoAccident)
	wantRefused(t, f.Try(shot("orc")), cite.FumbleMissileBroken)
}

// spark.action.bull-rush: how far is the game master's to say, within bounds
func TestHowFarARushPushes(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party")).at(25, fighter("orc", "monsters")).start()
	f.Must(act("ara", declaring.KindBullRush, "sword", "orc", to(20)))
	f.End("orc", 15)
	d := f.Decisions[0]
	for n, fits := range map[int32]bool{-1: false, 0: true, 1000: true, 1001: false} {
		if err := rules.CheckAnswer(d, &eventv1.Answer{Number: n}); (err == nil) != fits {
			t.Errorf("%d: %v", n, err)
		}
	}
}

// spark.fumble.weapon-cracked: the word for it is for what is cracked when all is revealed: what cracks in the sequence strikes no more
func TestCrackedWithinASequence(t *testing.T) {
	f := duel(t, armedWith(mace), func(s *eventv1.SparkSheet) { s.AttacksPerRound = 2 })
	f.Must(act("ara", declaring.KindAttack, "mace", "orc,orc", withParameters("use_cracked", true)))
	f.End("orc", 1, 3, 4)
	f.WantAttacks("ara fumble", "ara lost")
	if got := f.Creature("ara").Marks[body.MWeapon+"mace"]; got != body.Cracked {
		t.Fatalf("%q", got)
	}
}

// spark.action.bonus: a bonus action that there is not, or of what there is not, is refused with the field and with what may be meant
func TestBonusActionsOfNothing(t *testing.T) {
	f := duel(t, twoHanded)
	for _, bonus := range []string{"off-hand:dager", "off-hand:sword", "off-hand:", "draw:spoon", "pick-up:spoon", "potion:wand", "potion:ptoion", "activate:potion", "activate:", "sing:song", "sing"} {
		wantField(t, f.Try(act("ara", declaring.KindAttack, "sword", "orc", withParameters("bonus", bonus))), "take.parameters.bonus")
	}
	for bonus, rule := range map[string]string{"draw:sword": cite.ActionBonus, "pick-up:sword": cite.ActionBonus, "free:sword": cite.FumbleAltStuckWeapon, "free:spoon": cite.FumbleAltStuckWeapon,
		"gather:bow": cite.FumbleAltAmmoAccident, "gather:spoon": cite.FumbleAltAmmoAccident, "feat:lunge": cite.ActionFeatBonus} {
		wantRefused(t, f.Try(act("ara", declaring.KindAttack, "sword", "orc", withParameters("bonus", bonus))), rule)
	}
	wantRefused(t, f.Try(act("ara", declaring.KindAttack, "sword", "orc", withParameters("bonus", []string{"potion:potion", "activate:wand"}))), cite.ActionBonus)
	f.Must(act("ara", declaring.KindAttack, "sword", "orc", withParameters("bonus", []string{"potion:potion"})))
}

// A condition of the game master's that names no saving throw of the system is tried by none.
func TestSavesOfConditionsLaidByHand(t *testing.T) {
	f := eachCase{files: onHit(`use: {resource: mana}`)}.field(t)
	f.Put("ara", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondShaken, Values: map[string]int32{body.VSaveEnds + "luck": 5, body.VRound: 1}}}})
	f.pass()
	if len(f.named("ara", body.CondShaken)) != 1 || len(f.Rolls("ends/ara")) != 0 {
		t.Errorf("%v", f.Rolls("ends/ara"))
	}
	f.Put("ara", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondShaken, Values: map[string]int32{body.VSaveEnds + "will": 5, body.VRound: 1}}}})
	f.pass()
	if list := f.named("ara", body.CondShaken); len(list) != 1 || list[0].Values[body.VSaveEnds+"luck"] != 5 {
		t.Errorf("10 does not reach 5: %v", list)
	}
}

// spark.fumble.alt-self-wound, spark.action.off-hand-attack, spark.reaction.opportunity-attack: what is listed of an attack, of a move beside the off
// hand, and of the enemies that a way leaves; friends answer none
func TestWhatIsListed(t *testing.T) {
	for _, sneak := range []string{"", "2d6"} {
		f := duel(t, func(s *eventv1.SparkSheet) { s.SneakAttack = sneak })
		if p := parameterOf(f.listed("ara", declaring.KindAttack, "sword")["Attack"], "sneak"); (p != nil) != (sneak != "") {
			t.Errorf("%q: %v", sneak, p)
		}
		err := f.Try(act("ara", declaring.KindAttack, "sword", "orc", withParameters("sneak", true)))
		if sneak == "" {
			wantField(t, err, "take.parameters.sneak")
		} else if err != nil {
			t.Error(err)
		}
	}
	f := duel(t, twoHanded)
	off := f.listed("ara", declaring.KindMove, "")["Move, and attack with the off hand"]
	if off == nil || off.MinimumTargets != 0 || off.MaximumTargets != 0 || len(off.Targets) != 0 || parameterOf(off, "bonus_target") == nil {
		t.Errorf("%v", off)
	}
	f.Must(act("ara", declaring.KindMove, "", "orc", withParameters("bonus", "off-hand:dagger"))) // a command may name it like that of an attack
	f.End("orc", 2)
	f.WantAttacks("ara miss")

	f = newTable(t).at(0, fighter("ara", "party")).at(5, fighter("orc", "monsters")).at(-5, fighter("wen", "party")).start()
	o := moveOption(t, f, "ara")
	if !slices.Equal(o.Provokes, []string{"orc"}) {
		t.Errorf("provokes %v", o.Provokes)
	}
	for _, sq := range o.Squares {
		if slices.Contains(sq.Provokes, "wen") {
			t.Fatalf("wen answers a way to %v", sq.At)
		}
	}
}

// spark.initiative.other-deeds, spark.turn.killed-first-fails: a move that says itself that it is contested is made at its place in the order: after
// every shot, and never by one who was put out before; without the word it is made in the first half
func TestMoveThatWaits(t *testing.T) {
	for _, waits := range []bool{true, false} {
		f := newTable(t).at(0, fighter("ara", "party")).at(60, fighter("imp", "monsters")).start()
		f.Hurt("ara", 2)
		f.Must(act("ara", declaring.KindMove, "", "", to(-30), withParameters("contested", waits)))
		dice := []int{15, 1}
		if waits {
			dice = []int{18, 15, 1} // ara's order first: she declared first
		}
		f.Must(act("imp", declaring.KindAttack, "bow", "ara"), dice...)
		if x := f.Creature("ara").Position.X; (x == 0) != waits || len(f.Rolls("order/ara")) != len(dice)-2 {
			t.Errorf("waits %v: at %d", waits, x)
		}
		f.WantHP("ara", 0)
	}
}
