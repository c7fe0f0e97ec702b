package basic

import (
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rolled finds the roll of the last command whose label ends so; nil for none.
func (f *table) rolled(suffix string) *eventv1.Roll {
	for _, e := range f.Events {
		if r := e.GetRoll(); r != nil && strings.HasSuffix(r.Label, suffix) {
			return r
		}
	}
	return nil
}

// bear puts a creature's wounds on: how much was lost so far.
func (f *table) lost(id string) int32 {
	c := f.State.Creatures[id]
	return c.GetHpMax() - c.GetHp()
}

// basic.critical.second-roll: every row from its first to its last number, of a
// weapon of d6+2 at modifier 0 and beyond both ends.
func TestCriticalRows(t *testing.T) {
	for _, c := range []struct {
		name      string
		modifier  int32
		second    int
		more      []int
		lost      int32
		condition string
	}{
		{"basic.critical.second-roll: below 1", -4, 3, []int{5}, 7, ""},
		{"basic.critical.regular: 1", 0, 1, []int{5}, 7, ""},
		{"basic.critical.regular: 10", 0, 10, []int{5}, 7, ""},
		{"basic.critical.maximum: 11", 0, 11, nil, 8, ""},
		{"basic.critical.maximum: 15", 0, 15, nil, 8, ""},
		{"basic.critical.damage: 16", 0, 16, []int{5}, 13, ""},
		{"basic.critical.damage: 19", 0, 19, []int{5}, 13, ""},
		{"basic.critical.effect-chart: 20", 0, 20, []int{5, 3}, 13, body.CondProne},
		{"basic.critical.second-roll: 21 reads as 20", 4, 17, []int{5, 2}, 13, body.CondShaken},
		{"basic.critical.second-roll: a natural 20 below 20 is no more than its total", -2, 20, []int{5}, 13, ""},
		{"basic.critical.second-roll: a natural 1 is no less than its total", 10, 1, nil, 8, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := lone(t, nil, body.KindMelee, make1("a", "A", blade("1d6+2")), make1("b", "B", ac(30), hp(40)))
			f.Must(act("a", "attack", "sword", "b", plus(c.modifier)), append([]int{20, c.second}, c.more...)...)
			if f.lost("b") != c.lost {
				t.Errorf("lost %d, want %d", f.lost("b"), c.lost)
			}
			got := ""
			for _, x := range f.State.Creatures["b"].Conditions {
				got += x.Name
			}
			if got != c.condition {
				t.Errorf("conditions %q, want %q", got, c.condition)
			}
		})
	}
}

// basic.fumble.second-roll: every row from its first to its last number, without
// the modifiers of the attack.
func TestFumbleRows(t *testing.T) {
	for _, c := range []struct {
		name  string
		faces []int
		place string
		bar   bool // no attack in the next round
		stumb bool
		free  bool
	}{
		{"basic.fumble.weapon-breaks: 1", []int{1}, "gone", true, false, false},
		{"basic.fumble.weapon-breaks: 2", []int{2}, "gone", true, false, false},
		{"basic.fumble.stumble: 3", []int{3, 19, 1}, "main", false, true, false},
		{"basic.fumble.stumble: 5", []int{5, 19, 2}, "main", false, true, false},
		{"basic.fumble.stumble: a check of 20 holds", []int{5, 20}, "main", false, false, false},
		{"basic.fumble.sloppy: 6", []int{6, 14}, "main", false, false, true},
		{"basic.fumble.second-roll: 10 is not 16 with +6", []int{10, 14}, "main", false, false, true},
		{"basic.fumble.sloppy: a check of 15 holds", []int{10, 15}, "main", false, false, false},
		{"basic.fumble.drop-weapon: 11", []int{11}, "dropped", true, false, false},
		{"basic.fumble.drop-weapon: 15", []int{15}, "dropped", true, false, false},
		{"basic.fumble.just-a-miss: 16", []int{16}, "main", false, false, false},
		{"basic.fumble.just-a-miss: 20", []int{20}, "main", false, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := lone(t, nil, body.KindMelee, make1("a", "A", hp(40)), make1("b", "B"))
			f.Must(act("a", "attack", "sword", "b", plus(6)), append([]int{1}, c.faces...)...)
			if len(f.Decisions) > 0 != c.free {
				t.Fatalf("decisions %v", f.Decisions)
			}
			if c.free {
				if f.Decisions[0].Name != body.DecFree || f.Decisions[0].Creature != "b" {
					t.Fatalf("%v, want a free attack of b", f.Decisions[0])
				}
				f.Answer(body.DecFree, body.DecideNo)
			}
			a := f.State.Creatures["a"]
			if got := body.Place(a, body.WeaponOf(a, "sword")); got != c.place {
				t.Errorf("sword %s, want %s", got, c.place)
			}
			if body.Has(a, body.CondStumbling) != c.stumb {
				t.Error("stumbling")
			}
			f.WantHP("b", 10)
			f.end("a", "b")
			err := f.Try(act("a", "declare", body.KindMelee, ""))
			if c.bar {
				wantRefused(t, err, cite.FumbleSecondRoll)
			} else if err != nil {
				t.Errorf("the next round: %v", err)
			}
		})
	}
}

// basic.fumble.weapon-breaks: what the lost round bars and what not, and the next.
func TestNoAttackNextRound(t *testing.T) {
	two := wields(&eventv1.BasicWeapon{Name: "sword", Damage: "1d8", Kind: "melee", Charge: true},
		&eventv1.BasicWeapon{Name: "knife", Damage: "1d4", Kind: "melee", Hand: "off", ShortFeet: 10, MediumFeet: 20, LongFeet: 30, Charge: true, Brace: true})
	spells := section(func(b *eventv1.BasicSheet) { b.Spells = []*eventv1.BasicSpell{{Name: "bolt", Uses: 2, Damage: "1d6"}} })
	f := lone(t, []int32{0, 5}, body.KindMelee, make1("a", "A", two, spells), make1("b", "B", hp(40)))
	f.Must(act("a", "attack", "sword", "b"), 1, 2)
	f.end("a", "b")
	for _, kind := range []string{body.KindAttack, body.KindMelee, body.KindRanged, body.KindCharge, body.KindSet, body.KindGrapple} {
		wantRefused(t, f.Try(act("a", "declare", kind, "")), cite.FumbleSecondRoll)
	}
	for _, kind := range []string{body.KindMove, body.KindDodge, body.KindCast} {
		if err := f.peek(act("a", "declare", kind, "")); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
	}
	f.declare([]int{1, 6}, "a=hold", "b=move")
	// No parting shot in that round either.
	f.Must(act("b", "move", "", "", to(15)))
	if len(f.Decisions) > 0 {
		t.Error("a parting shot was offered")
	}
	f.Must(act("b", "move", "", "", to(5)))
	f.end("b")
	wantRefused(t, f.Try(act("a", "attack", "knife", "b")), cite.FumbleSecondRoll)
	wantRefused(t, f.Try(act("a", "shoot", "knife", "b")), cite.FumbleSecondRoll)
	wantRefused(t, f.Try(act("a", "grapple", "strength", "b")), cite.FumbleSecondRoll)
	f.end("a")
	f.declare([]int{6, 1}, "a=melee-attack", "b=move")
	wantRefused(t, f.Try(act("a", "attack", "sword", "b")), cite.ConditionDisarmed) // it is gone for good
	f.Must(act("a", "attack", "knife", "b"), 15, 2)
}

// basic.fumble.weapon-breaks: nothing breaks on a body, the attack is lost all the same.
func TestNaturalWeaponsDoNotBreak(t *testing.T) {
	for _, face := range []int{1, 12} {
		f := lone(t, nil, body.KindMelee, make1("a", "A", tiger), make1("b", "B"))
		f.Must(act("a", "attack", "bite", "b"), 1, face)
		if len(body.Melee(f.State.Creatures["a"])) != 2 {
			t.Error("the bite is lost")
		}
		f.end("a", "b")
		wantRefused(t, f.Try(act("a", "declare", body.KindMelee, "")), cite.FumbleSecondRoll)
	}
}

// basic.fumble.sloppy: one who cannot reach the fumbler leaves it to an engaged enemy.
func TestFreeAttackOfAnother(t *testing.T) {
	archer := wields(bow())
	f := newTable(t).add([]int32{0, 100, 5}, make1("a", "A", archer, hp(40)), make1("b", "B"), make1("c", "B"))
	f.start(nil).declare([]int{6, 1, 2}, "a=ranged-attack", "b=move", "c=move")
	f.Must(act("a", "shoot", "bow", "b"), 1, 7, 14)
	f.Answer(body.DecFreeTo, "c")
	f.Answer(body.DecFree, "weapon:sword", 12, 5)
	f.WantHP("a", 35)
	// With nobody there nothing happens.
	f = newTable(t).add([]int32{0, 100}, make1("a", "A", archer), make1("b", "B"))
	f.start(nil).declare([]int{6, 1}, "a=ranged-attack", "b=move")
	f.Must(act("a", "shoot", "bow", "b"), 1, 7, 14)
	if len(f.Decisions) > 0 {
		t.Errorf("asked %v", f.Decisions)
	}
}

// basic.fumble.sloppy: a free attack is an attack, with a fist where there is no
// weapon, without a bonus, and with a table of its own.
func TestFreeAttackIsAnAttack(t *testing.T) {
	f := lone(t, nil, body.KindMelee, make1("a", "A", ac(12)), make1("b", "B", wields()))
	f.Must(act("a", "attack", "sword", "b"), 1, 8, 3)
	f.Answer(body.DecFree, "weapon:"+body.Punch, 12, 2)
	f.WantHP("a", 8)

	f = lone(t, nil, body.KindMelee, make1("a", "A"), make1("b", "B"))
	f.Must(act("a", "attack", "sword", "b"), 1, 8, 3)
	f.Answer(body.DecFree, "weapon:sword", 1, 2) // it fumbles in its turn
	b := f.State.Creatures["b"]
	if body.Place(b, body.WeaponOf(b, "sword")) != "gone" {
		t.Error("the sword breaks")
	}
	// One who runs, or who is barred from attacking, gets none.
	f = lone(t, nil, body.KindMelee, make1("a", "A"), make1("b", "B"))
	f.State.Creatures["b"].Begun[0].Action.Item = body.KindRun
	f.Must(act("a", "attack", "sword", "b"), 1, 8, 3)
	if len(f.Decisions) > 0 {
		t.Error("a runner may not attack")
	}
}

// basic.fumble.stumble: for one round, and in grapple checks too; not in damage,
// saves and initiative.
func TestStumbleForARound(t *testing.T) {
	f := lone(t, nil, body.KindMelee, make1("a", "A"), make1("b", "B", hp(40)))
	f.Must(act("a", "attack", "sword", "b"), 1, 3, 10, 1)
	f.end("a", "b")
	f.declare([]int{6, 1}, "a=grapple", "b=move")
	f.Must(act("a", "grapple", "strength", "b"), 15, 10, 9)
	if got := f.Total("to-hit"); got != 14 {
		t.Errorf("touch %d, want 14", got)
	}
	if got := f.Total("grapple/a"); got != 9 {
		t.Errorf("grapple check %d, want 9", got)
	}
	if !body.Has(f.State.Creatures["b"], body.CondHeld) {
		t.Error("9 against 9 is a tie: held")
	}
	f.end("a", "b")
	if body.Has(f.State.Creatures["a"], body.CondStumbling) {
		t.Error("it stumbles no more")
	}
}

// What conditions do to rolls and armour class, each on its own.
func TestConditionNumbers(t *testing.T) {
	for _, c := range []struct {
		name, on, cond string
		ranged         bool
		hit, ac        int32 // changes of the attack roll and the armour class
	}{
		{"basic.condition.shaken: to hit", "a", body.CondShaken, false, -2, 0},
		{"basic.condition.shaken: armour class stays", "b", body.CondShaken, false, 0, 0},
		{"basic.condition.prone: to hit", "a", body.CondProne, false, -4, 0},
		{"basic.condition.prone: against melee", "b", body.CondProne, false, 0, -4},
		{"basic.condition.prone: against missiles", "b", body.CondProne, true, 0, 4},
		{"basic.condition.blinded: to hit", "a", body.CondBlinded, false, -4, 0},
		{"basic.condition.blinded: against melee", "b", body.CondBlinded, false, 0, -4},
		{"basic.condition.blinded: against missiles", "b", body.CondBlinded, true, 0, -4},
		{"basic.condition.charge-ac: against missiles too", "b", body.CondCharging, true, 0, -2},
		{"basic.action.dodge: against missiles too", "b", body.CondDodging, true, 0, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, kind, action, item := make1("a", "A"), body.KindMelee, "attack", "sword"
			if c.ranged {
				a, kind, action, item = make1("a", "A", wields(bow())), body.KindRanged, "shoot", "bow"
			}
			f := lone(t, nil, kind, a, make1("b", "B", ac(20)))
			f.Afflict(c.on, c.cond)
			f.Must(act("a", action, item, "b"), 10)
			r := f.rolled("to-hit")
			if r.Total != 10+c.hit || r.Target.Value != 20+c.ac {
				t.Errorf("%d against %d, want %d against %d", r.Total, r.Target.Value, 10+c.hit, 20+c.ac)
			}
		})
	}
}

// basic.condition.shaken, basic.dice.saving-throw, basic.dice.dc-check,
// basic.dice.grapple-check: being shaken counts in saves and checks.
func TestShakenInSavesAndChecks(t *testing.T) {
	f := lone(t, nil, body.KindGrapple, make1("a", "A"), make1("b", "B", caster))
	f.Afflict("b", body.CondShaken)
	f.Must(act("a", "grapple", "strength", "b"), 15, 10, 12)
	if got := f.Total("grapple/b"); got != 10 {
		t.Errorf("grapple check %d, want 10", got)
	}
	f = newTable(t).add(nil, make1("mage", "A", caster), make1("orc", "B")).start(nil)
	f.Afflict("mage", body.CondShaken)
	f.declare([]int{3, 3}, "mage=cast", "orc=melee-attack")
	f.Must(act("mage", "cast", "bolt", "orc"))
	f.Must(act("orc", "attack", "sword", "mage"), 2)
	f.end("mage")
	f.Must(endTurn("orc"), 14) // 12 against 13
	f.WantHP("orc", 10)
}

// basic.dice.dc-check
func TestDCChecks(t *testing.T) {
	for _, c := range []struct {
		name    string
		dex     int32
		shaken  bool
		dc      int
		face    int
		outcome string
	}{
		{"basic.dice.dc-check: 13 and 2 are 15", 2, false, 15, 13, "success"},
		{"basic.dice.dc-check: shaken, 19 of 20", 2, true, 20, 19, "failure"},
		{"basic.dice.dc-check: a natural 20 does not rescue", -1, false, 20, 20, "failure"},
		{"basic.dice.dc-check: a natural 1 does not doom", 4, false, 5, 1, "success"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := lone(t, nil, body.KindFeat, make1("a", "A", abilities(0, c.dex)), make1("b", "B"))
			if c.shaken {
				f.Afflict("a", body.CondShaken)
			}
			f.Must(act("a", "feat", "", "", parameters("text", "vaults the table", "dc", c.dc)), c.face)
			if got := f.rolled("check/a").Outcome; got != c.outcome {
				t.Errorf("%s, want %s", got, c.outcome)
			}
		})
	}
	f := lone(t, nil, body.KindFeat, make1("a", "A", abilities(3, 0)), make1("b", "B"))
	f.Must(act("a", "feat", "", "", parameters("text", "lifts the grate", "dc", 12, "ability", "strength"), plus(-1)), 10)
	if f.Total("check/a") != 12 {
		t.Error("10, Strength 3 and a stated -1 are 12")
	}
}
