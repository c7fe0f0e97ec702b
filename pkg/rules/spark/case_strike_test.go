package spark

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/proto"
)

// spark.action.charge: the +1 is of the blow of the charge alone: it makes the hit at its border, is no damage, and is cited; neither the off
// hand nor a reaction of the round has it
func TestWhatTheChargeGives(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party", twoHanded)).at(25, fighter("orc", "monsters")).at(-5, fighter("imp", "monsters", stats(15, 5))).start()
	f.Must(act("imp", declaring.KindMove, "", "", to(-15)))
	f.Must(act("ara", declaring.KindCharge, "sword", "orc", to(20), withParameters("bonus", "off-hand:dagger")))
	f.End("orc")
	f.Choose("sword", 8, 7, 9, 3) // 14 against 15; 7 + 6 + 1 against 14; 9 + 4 against 14; 3 + 3
	f.WantAttacks("ara miss", "ara hit", "ara miss")
	f.WantHP("orc", 24)
	for label, total := range map[string]int32{"provoked/imp/ara": 14, "attack/ara/1": 14, "attack/ara/off-hand": 13} {
		r := f.Roll(label)
		charged := slices.ContainsFunc(r.Modifiers, func(m *eventv1.Modifier) bool { return m.Rule == cite.ActionCharge && m.Value == 1 })
		if r.Total != total || charged != (label == "attack/ara/1") {
			t.Errorf("%s: %v", label, r)
		}
	}
}

// spark.action.bull-rush: a rush that misses pushes nobody; a critical one pushes whatever the armour, without a multiplier and without
// damage; a natural 1 is a critical fail with the weapon
func TestWhatARushComesTo(t *testing.T) {
	for _, c := range []struct {
		name   string
		ac     int32
		dice   []int
		pushed bool
		note   string
	}{
		{"a total of 13 against 14", 14, []int{7}, false, ""},
		{"a total of 14 against 14", 14, []int{8}, true, ""},
		{"a critical against 40", 40, []int{20}, true, ""},
		{"a natural 1 against 2", 2, []int{1, 1, 1}, false, "chipped"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).at(0, fighter("ara", "party")).at(25, fighter("orc", "monsters", func(s *eventv1.SparkSheet) { s.ArmorClass = c.ac })).start()
			f.Must(act("ara", declaring.KindBullRush, "sword", "orc", to(20)))
			f.End("orc", c.dice...)
			if asked := len(f.Decisions) == 1 && f.Decisions[0].Name == body.DecPush && f.Decisions[0].GmOnly; asked != c.pushed {
				t.Fatalf("asked %v", f.Decisions)
			}
			if c.pushed {
				f.number(body.DecPush, 0)
			}
			f.WantHP("orc", 30)
			if x := f.Creature("orc").Position.X; x != 25 {
				t.Fatalf("at %d", x)
			}
			if chip := f.Creature("ara").Counters[body.CChip+"sword"]; (chip == 1) != (c.note != "") {
				t.Fatalf("chip %d", chip)
			}
		})
	}
}

// spark.action.bull-rush: straight away from the one who rushes, along each axis and across
func TestWhereARushPushes(t *testing.T) {
	for _, c := range []struct{ from, at, ends [2]int32 }{
		{[2]int32{-20, 0}, [2]int32{5, 0}, [2]int32{15, 0}}, {[2]int32{0, 25}, [2]int32{0, -5}, [2]int32{0, -15}},
		{[2]int32{-20, -20}, [2]int32{5, 5}, [2]int32{15, 15}}, {[2]int32{20, -20}, [2]int32{-5, 5}, [2]int32{-15, 15}},
	} {
		f := newTable(t).atXY(c.from[0], c.from[1], fighter("ara", "party")).atXY(c.at[0], c.at[1], fighter("orc", "monsters")).start()
		f.Must(act("ara", declaring.KindBullRush, "sword", "orc", way([3]int32{0, 0, 0})))
		f.End("orc", 15)
		f.number(body.DecPush, 10)
		if p := f.Creature("orc").Position; p.X != c.ends[0] || p.Y != c.ends[1] {
			t.Errorf("from %v: at %v, want %v", c.from, p, c.ends)
		}
		if !f.cited(cite.ActionBullRush) {
			t.Error("not cited")
		}
	}
}

// spark.fumble.broken-double-damage, spark.turn.melee-order, spark.turn.killed-first-fails: the blow that breaks its sword stands at
// 1 and its modifier, also where that is the highest total, at either side of a tie
func TestDoubleDamageAmongBlows(t *testing.T) {
	for _, c := range []struct {
		name string
		orc  int // its d20; its modifier is 5, ara's 20
		dice []int
		left int32 // of ara's 5 hit points
	}{
		{"21 before 20", 15, []int{1}, 5},
		{"21 before 21, the player's", 16, []int{1}, 5},
		{"21 after 22", 17, []int{2}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).at(0, fighter("ara", "party", stats(14, 20))).at(5, fighter("orc", "monsters")).start()
			f.Hurt("ara", 5)
			f.Hurt("orc", 8)
			f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
			f.Must(act("orc", declaring.KindAttack, "sword", "ara"), append([]int{1, 4, 4, c.orc}, c.dice...)...)
			f.WantHP("ara", c.left)
			f.WantHP("orc", map[bool]int32{true: 0, false: 8}[c.left > 0])
			if got := f.Creature("ara").Marks[body.MWeapon+"sword"]; got != body.Broken {
				t.Fatalf("the sword is %q: that was settled with the d20s", got)
			}
		})
	}
}

// spark.fumble.timing, spark.turn.killed-first-fails: whoever is put out before its slot does no damage by its fumble any more, and what
// the fumble did at once stays
func TestFumblesOfThePutOut(t *testing.T) {
	for _, c := range []struct {
		name   string
		weapon *eventv1.SparkWeapon
		fumble []int
		holds  func(c *eventv1.Creature) bool
	}{
		{"dropped", sword, []int{2, 2}, func(c *eventv1.Creature) bool { return c.Items["sword"].Place == "dropped" }},
		{"chipped", sword, []int{1, 1}, func(c *eventv1.Creature) bool { return c.Counters[body.CChip+"sword"] == 1 }},
		{"tripped", sword, []int{2, 3}, func(c *eventv1.Creature) bool { return body.BarredUntil(c) == 3 }},
		{"sprained", claw, []int{2, 2}, func(c *eventv1.Creature) bool { return body.HasInjury(c, body.InjurySprain) }},
		{"cracked", mace, []int{3, 4}, func(c *eventv1.Creature) bool { return c.Marks[body.MWeapon+"mace"] == body.Cracked }},
		{"own knee", mace, []int{1, 1}, func(c *eventv1.Creature) bool { return true }},
		{"own damage", claw, []int{1, 2}, func(c *eventv1.Creature) bool { return true }},
		{"the nearest", claw, []int{3, 3}, func(c *eventv1.Creature) bool { return true }},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).at(0, fighter("ara", "party", armedWith(c.weapon))).at(5, fighter("orc", "monsters")).at(-5, fighter("wen", "party")).
				at(40, fighter("imp", "monsters")).start()
			f.Hurt("ara", 2)
			f.Must(act("ara", declaring.KindAttack, c.weapon.Name, "orc"))
			f.Must(act("imp", declaring.KindAttack, "bow", "ara"))
			f.End("orc")
			f.End("wen", append(append([]int{1}, c.fumble...), 15, 1)...)
			f.WantHP("ara", 0)
			f.WantHP("wen", 30)
			if !c.holds(f.Creature("ara")) {
				t.Fatalf("%v", f.Creature("ara"))
			}
		})
	}
}

// spark.action.speak, spark.action.free: four words and no more, 200 bytes and no more, five times and no more, whether one has declared
// or not; words take nothing of what is declared
func TestFreeActionsAtTheirBounds(t *testing.T) {
	f := duel(t)
	say := func(id, text string) error {
		return f.Try(act(id, declaring.ActSpeak, "", "", withParameters("text", text)))
	}
	wantRefused(t, say("ara", "one two three four five"), cite.ActionSpeak)
	wantField(t, say("ara", strings.Repeat("x", 201)), "take.parameters.text")
	wantField(t, f.Try(act("ara", declaring.ActFree, "", "", withParameters("text", strings.Repeat("x ", 101)))), "take.parameters.text")
	for i, text := range []string{" one  two three four ", strings.Repeat("x", 200)} {
		if err := say("ara", text); err != nil {
			t.Fatal(err)
		}
		if n := f.Creature("ara").Counters[body.CFree]; n != int64(4-i) {
			t.Fatalf("%d left", n)
		}
	}
	f.Must(act("ara", declaring.ActFree, "", "", withParameters("text", strings.Repeat("x ", 100))))
	f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
	for range 2 {
		if err := say("ara", "die"); err != nil {
			t.Fatal(err)
		}
	}
	wantRefused(t, say("ara", "die"), cite.ActionFree)
	for _, o := range (System{}).Options(rules.Query{State: f.State, Creature: "ara"}) {
		if (o.Action == declaring.ActSpeak || o.Action == declaring.ActFree) && (o.Legal || o.Rule != cite.ActionFree) {
			t.Errorf("listed: %v", o)
		}
	}
	if err := say("orc", "die"); err != nil {
		t.Fatal(err)
	}
	f.End("orc", 2)
	if err := say("ara", "again"); err != nil { // a new round
		t.Fatal(err)
	}
}

// spark.turn.tie-to-player, spark.turn.melee-order: at one total the players' blows are of one moment and come before the others', which are
// of one moment too; between equals nobody saves another of its side
func TestFourAtOneTotal(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party")).at(5, fighter("orc", "monsters")).atXY(0, 5, fighter("wen", "party")).atXY(5, 5, fighter("imp", "monsters")).start()
	for id, hp := range map[string]int32{"ara": 5, "orc": 5, "wen": 5, "imp": 30} {
		f.Hurt(id, hp)
	}
	f.Must(act("orc", declaring.KindAttack, "sword", "ara"))
	f.Must(act("imp", declaring.KindAttack, "sword", "wen"))
	f.Must(act("wen", declaring.KindAttack, "sword", "ara")) // treason
	f.Must(act("ara", declaring.KindAttack, "sword", "orc"), 12, 12, 12, 12, 4, 4, 4)
	// All have 17. Wen puts ara out, who strikes in the same moment all the same; then the orc is out, and the imp strikes.
	f.WantAttacks("wen hit", "ara hit", "orc lost", "imp hit")
	f.WantHP("ara", 0)
	f.WantHP("orc", 0)
	f.WantHP("wen", 0)
}

// spark.fumble.drop-weapon, spark.reaction.opportunity-attack: dropped in a reaction of the first half, the weapon is not there for what was
// declared of it in the same round, nor in the next; another is
func TestDroppedInAReaction(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party", twoHanded)).at(5, fighter("orc", "monsters")).atXY(0, 5, fighter("imp", "monsters")).start()
	f.Must(act("imp", declaring.KindMove, "", "", way([3]int32{0, 15, 0})))
	f.Must(act("ara", declaring.KindAttack, "sword", "orc,orc", withParameters("bonus", "off-hand:dagger")))
	f.End("orc")
	f.Choose("sword", 1, 2, 2, 9) // the dagger's d20 alone
	f.WantAttacks("ara fumble", "ara lost", "ara lost", "ara miss")
	wantRefused(t, f.Try(act("ara", declaring.KindAttack, "sword", "orc")), cite.FumbleDropWeapon)
	wantRefused(t, f.Try(act("ara", declaring.KindMove, "", "", withParameters("bonus", "pick-up:sword"))), cite.ActionBonus)
	f.Must(act("ara", declaring.KindAttack, "dagger", "orc"))
	f.pass(2)
	f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
	f.pass(2)
}

// spark.fumble.checks, spark.healing.heal-skill: a natural 1 of a check fails whatever the total, and lets nobody throw a table
func TestNaturalOneOfChecks(t *testing.T) {
	f := newTable(t, body.RuleAlt+"=on").add(fighter("ara", "party", func(s *eventv1.SparkSheet) {
		s.HealSkill, s.SleightOfHand, s.Fortitude, s.SpareStrings = 30, 30, 30, 1
	}))
	f.Put("ara", &eventv1.Vitals{Injuries: []*eventv1.Injury{{Kind: body.InjuryBreak, Side: "right", Values: map[string]int32{"set": 1, "saves": 2}}},
		Conditions: []*eventv1.Condition{{Name: body.CondBleeding}}, Marks: map[string]string{body.MString + "bow": body.Loose}, Counters: map[string]int64{body.CLevelsTemporary: 1}})
	f.Tend(tendAra("stop-bleeding"), 1)
	f.Tend(gearOf("restring", "bow"), 1)
	f.Tend(tendAra("mend-bones"), 1)
	f.Tend(tendAra("recover-levels"), 1)
	c := f.Creature("ara")
	if !body.Has(c, body.CondBleeding) || c.Marks[body.MString+"bow"] != body.Loose || len(c.Injuries) != 1 || c.Counters[body.CLevelsTemporary] != 1 || c.Counters[body.CSpareStrings] != 1 {
		t.Fatalf("%v", c)
	}
	for deed, cmd := range map[string]*eventv1.PatientCommand{"stop-bleeding": tendAra("stop-bleeding"), "restring": gearOf("restring", "bow"), "mend-bones": tendAra("mend-bones"), "recover-levels": tendAra("recover-levels")} {
		if err := f.TryTend(proto.CloneOf(cmd), 2); err != nil {
			t.Errorf("%s: %v", deed, err)
		}
	}
	if c := f.Creature("ara"); body.Has(c, body.CondBleeding) || c.Marks[body.MString+"bow"] != "" || len(c.Injuries) != 0 || c.Counters[body.CLevelsTemporary] != 0 {
		t.Fatalf("%v", c)
	}
}
