package spark

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	"github.com/skaldrpg/skald/pkg/rules/spark/resolving"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// spark.fumble.alt-slip-up, spark.turn.two-halves: whoever falls in a reaction of the first half loses all that it had still to come, and
// no d20 is thrown for it: attacks, an off-hand attack beside any deed, a pull at a weapon, an item, a deed, a spell; what is lost is told
func TestFallenInTheFirstHalf(t *testing.T) {
	lost := func(ids ...string) []string { return append([]string{"ara fumble"}, ids...) }
	for _, c := range []struct {
		name    string
		does    *eventv1.Command
		attacks []string
		note    string
		left    func(c *eventv1.Creature) bool
	}{
		{"attacks", act("ara", declaring.KindAttack, "sword", "imp,imp"), lost("ara lost", "ara lost"), "", nil},
		{"an off-hand attack beside them", act("ara", declaring.KindAttack, "sword", "imp", withParameters("bonus", "off-hand:dagger")), lost("ara lost", "ara lost"), "", nil},
		{"one beside a move", act("ara", declaring.KindMove, "", "", withParameters("bonus", "off-hand:dagger", "bonus_target", "imp")), lost("ara lost"), "", nil},
		{"one beside a deed", act("ara", declaring.KindDeed, "", "", withParameters("text", "shouts", "bonus", "off-hand:dagger", "bonus_target", "imp")), lost("ara lost"), "lost: its turn has ended", nil},
		{"a deed", act("ara", declaring.KindDeed, "", "", withParameters("text", "shouts")), lost(), "lost: its turn has ended", nil},
		{"a spell", act("ara", declaring.KindCast, "fire", "imp"), lost(), "lost: its turn has ended", func(c *eventv1.Creature) bool { return c.Counters[body.CMana] == 20 }},
		{"an item beside an attack", act("ara", declaring.KindAttack, "sword", "imp", withParameters("bonus", "potion:potion")), lost("ara lost"), "potion is lost: its turn has ended",
			func(c *eventv1.Creature) bool { return c.Counters[body.CLeft+"potion"] == 2 }},
		{"an item first", act("ara", declaring.KindAttack, "sword", "imp", withParameters("bonus", "potion:potion", "bonus_first", true)), lost("ara lost"), "potion is lost: its turn has ended",
			func(c *eventv1.Creature) bool { return c.Counters[body.CLeft+"potion"] == 2 }},
		{"a pull beside an attack", act("ara", declaring.KindAttack, "dagger", "imp", withParameters("bonus", "free:bow")), lost("ara lost"), "",
			func(c *eventv1.Creature) bool { return c.Marks[body.MStuck+"bow"] != "" }},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t, body.RuleAlt+"=on").at(0, fighter("ara", "party", twoHanded)).at(5, fighter("orc", "monsters")).atXY(0, 5, fighter("imp", "monsters")).start()
			f.Put("ara", &eventv1.Vitals{Marks: map[string]string{body.MStuck + "bow": "door"}})
			f.Must(act("orc", declaring.KindMove, "", "", to(30)))
			f.Must(c.does)
			f.End("imp")
			f.Choose("sword", 1, 10, 14) // the Reflex save of 0 fails
			f.WantAttacks(c.attacks...)
			if c.note != "" && !f.hasNote(c.note) {
				t.Errorf("%q is not told", c.note)
			}
			if ara := f.Creature("ara"); !body.Has(ara, body.CondProne) || c.left != nil && !c.left(ara) {
				t.Errorf("%v", ara)
			}
		})
	}
}

// spark.fumble.alt-slip-up, spark.action.bonus: by a fall in its own attacks, what came before it stands: an item used first is used, one
// for after is kept; a reaction is still to be had
func TestFallenInTheAttackHalf(t *testing.T) {
	for _, first := range []bool{true, false} {
		f := alt(t, twoHanded)
		f.Hurt("ara", 10)
		f.Must(act("ara", declaring.KindAttack, "sword", "orc", withParameters("bonus", "potion:potion", "bonus_first", first)))
		dice := []int{1, 10, 14}
		if first {
			dice = append(dice, 5)
		}
		f.End("orc", dice...)
		f.WantHP("ara", map[bool]int32{true: 15, false: 10}[first])
		if f.hasNote("potion is lost: its turn has ended") == first {
			t.Errorf("first %v", first)
		}
	}
	// A contested way in the attack half, past one who has just fallen.
	f := newTable(t, body.RuleAlt+"=on").at(0, fighter("ara", "party")).at(5, fighter("orc", "monsters")).start()
	f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
	f.Must(act("orc", declaring.KindMove, "", "", to(30), withParameters("contested", true)), 1, 10, 14, 12)
	f.Choose("sword", 15, 1)
	f.WantHP("orc", 26)
}

// spark.fumble.alt-wild-swing: advantage is for the next attack roll alone, not for all of a sequence
func TestAdvantageOfOneRoll(t *testing.T) {
	f := alt(t, func(s *eventv1.SparkSheet) { s.AttacksPerRound = 3 })
	f.Count("ara", body.CAdvantage, 1)
	f.Must(act("ara", declaring.KindAttack, "sword", "orc,orc,orc"))
	f.End("orc", 2, 9, 2, 3, 1) // two dice, of which 9 + 5 hits, then one and one
	f.WantAttacks("ara hit", "ara miss", "ara miss")
	for i, want := range []string{"2d20kh1", "1d20", "1d20"} {
		if got := f.Roll("attack/ara/" + body.Itoa(int32(i+1))).Expression; got != want {
			t.Errorf("attack %d: %s", i+1, got)
		}
	}
	if n := f.Creature("ara").Counters[body.CAdvantage]; n != 0 {
		t.Errorf("%d left", n)
	}
}

// spark.fumble.alt-stray-melee, spark.fumble.missile-rebounds: nobody without a place is struck by what goes astray on the map
func TestStrayBlowsOnTheMap(t *testing.T) {
	for _, placed := range []bool{true, false} {
		field := func(settings ...string) *table {
			f := newTable(t, settings...).at(0, fighter("ara", "party")).at(5, fighter("orc", "monsters"))
			if placed {
				f.atXY(0, 5, fighter("wen", "party"))
			} else {
				f.add(fighter("wen", "party"))
			}
			return f.start()
		}
		struck, dice := field(body.RuleAlt+"=on"), []int{1, 8}
		if placed {
			dice = append(dice, 15, 1) // the second roll, and 1 + 3
		}
		struck.strikesAt("sword", "orc", dice...)
		struck.WantHP("wen", map[bool]int32{true: 26, false: 30}[placed])

		rebounds, dice := field(), []int{1, 2, 3}
		if placed {
			dice = append(dice, 1) // 1 + 1
		}
		rebounds.strikesAt("bow", "orc", dice...)
		rebounds.WantHP("wen", map[bool]int32{true: 28, false: 30}[placed])
	}
}

// spark.fumble.alt-class: a weapon is of one column by how it is used: in the hand by its class, thrown or shot whatever that is
func TestColumns(t *testing.T) {
	fist := &eventv1.SparkWeapon{Name: "cestus", FumbleClasses: []string{"F", "B"}, ReachFeet: 5, RangeFeet: 20}
	for _, c := range []struct {
		w      *eventv1.SparkWeapon
		ranged bool
		named  string
		column string
	}{
		{fist, false, "", body.ColumnNatural}, {fist, false, "B", body.ColumnMelee}, {fist, true, "", body.ColumnThrown}, {fist, false, "S", body.ColumnNatural},
		{claw, false, "", body.ColumnNatural}, {claw, true, "", body.ColumnNatural}, {bow, true, "", body.ColumnShooting}, {hurled, true, "", body.ColumnThrown}, {sword, false, "", body.ColumnMelee},
	} {
		if got := resolving.AltColumn(c.w, c.ranged, c.named); got != c.column {
			t.Errorf("%s, ranged %v, %q: %s, want %s", c.w.Name, c.ranged, c.named, got, c.column)
		}
	}
}

// spark.fumble.alt-loss-of-nerve-natural: only claws and teeth of what inspires fear itself do not fear; with a weapon in hand it does
func TestFearsomeWithAWeapon(t *testing.T) {
	for _, c := range []struct {
		weapon *eventv1.SparkWeapon
		fears  bool
		dice   []int
	}{{sword, true, []int{1, 17, 2, 20}}, {sword, false, []int{1, 17, 2, 20}}, {claw, true, []int{1, 19}}, {claw, false, []int{1, 19, 2, 20}}} {
		f := alt(t, armedWith(c.weapon), func(s *eventv1.SparkSheet) { s.InspiresFear = c.fears })
		f.strikes(c.weapon.Name, c.dice...) // the second save, in the next round, succeeds
		if got := slices.Contains(f.fumbleRules(), cite.FumbleAltLossOfNerve) || slices.Contains(f.fumbleRules(), cite.FumbleAltLossOfNerveNatural); !got {
			t.Errorf("%v", f.fumbleRules())
		}
		if immune := len(f.Rolls("/save")) == 0; immune != (c.fears && c.weapon.Natural) {
			t.Errorf("%s, fearsome %v: immune %v", c.weapon.Name, c.fears, immune)
		}
	}
}

// spark.condition.frightened: fear without a DC is not overcome by rolling, nor any where the table leaves the condition out
func TestFearThatIsNotOvercome(t *testing.T) {
	fear := func(values map[string]int32) *eventv1.Vitals {
		return &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondFrightened, Source: "orc", Values: values}}}
	}
	for _, c := range []struct {
		name   string
		rule   string
		values map[string]int32
		dice   []int
	}{
		{"with a DC", "on", map[string]int32{"dc": 10}, []int{9}},
		{"without one", "on", nil, nil},
		{"left out", "off", map[string]int32{"dc": 10}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t, body.RuleFrightened+"="+c.rule).at(0, fighter("ara", "party")).at(5, fighter("orc", "monsters")).start()
			f.Put("ara", fear(c.values))
			f.pass(c.dice...)
			if !body.Has(f.Creature("ara"), body.CondFrightened) || len(f.Rolls("nerve/ara")) != len(c.dice) {
				t.Errorf("%v", f.Creature("ara").Conditions)
			}
		})
	}
	// Nor do other conditions with such a number.
	f := duel(t)
	f.Put("ara", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondBleeding, Values: map[string]int32{"dc": 10}}}})
	f.pass()
}

// spark.action.bull-rush: pushed as far as is ruled, to the foot; ruled to be no way, it stays
func TestPushedByTheFoot(t *testing.T) {
	for _, feet := range []int32{0, 1} {
		f := newTable(t).at(0, fighter("ara", "party")).at(10, fighter("orc", "monsters")).start()
		f.Must(act("ara", declaring.KindBullRush, "sword", "orc", to(5)))
		f.End("orc", 15)
		f.number(body.DecPush, feet)
		if x := f.Creature("orc").Position.X; x != 10+feet {
			t.Errorf("%d ft: at %d", feet, x)
		}
	}
}

// spark.dice.drop-to-zero: who enters put out while the table declares declares nothing; who is edited and stays out neither; who comes back does
func TestEnteringAndComingBack(t *testing.T) {
	none := int32(0)
	f := duel(t)
	f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: fighter("wen", "party"), Vitals: &eventv1.Vitals{Hp: &none}}}})
	f.WantActive("ara", "orc")
	f.Count("wen", body.CSpareStrings, 1)
	f.WantActive("ara", "orc")
	f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: fighter("bryn", "party")}}})
	f.WantActive("ara", "orc", "bryn")
	f.Hurt("wen", 3)
	f.WantActive("ara", "orc", "bryn", "wen")
	if got := f.Creature("wen").Counters[body.CAction]; got != 1 {
		t.Errorf("%d actions", got)
	}
}

// What hooks of a pack may say, to the number.
func TestHookValues(t *testing.T) {
	for _, c := range []struct {
		hook   string
		values string
		wrong  string
	}{
		{resolving.HookMana, "amount=0", "other than 0"}, {resolving.HookMana, "amount=1", ""}, {resolving.HookMana, "amount=-1", ""}, {resolving.HookMana, "amount=x", "other than 0"},
		{resolving.HookMana, "amount=1 dice=1d4", "either"}, {resolving.HookMana, "dice=1d4", ""}, {resolving.HookMana, "", "either"}, {resolving.HookMana, "dice=1x4", "dice: syntax"},
		{resolving.HookPush, "", "feet is missing"}, {resolving.HookInjure, "limb=left", "kind is missing"}, {resolving.HookInjure, "kind=sprain", ""},
	} {
		values := map[string]string{}
		for _, pair := range strings.Fields(c.values) {
			name, value, _ := strings.Cut(pair, "=")
			values[name] = value
		}
		err := resolving.CheckHook(c.hook, values)
		if (err == nil) != (c.wrong == "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%s %s: %v, want %q", c.hook, c.values, err, c.wrong)
		}
	}
}
