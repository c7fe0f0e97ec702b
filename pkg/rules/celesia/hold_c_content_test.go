package celesia

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/celesia/saddle"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// celesia.attack.cleave: what content does to whoever hits comes first; one whom it leaves unable
// to act cleaves no more.
func TestNoCleaveByWhoCannotAct(t *testing.T) {
	for condition, asked := range map[string]bool{body.CondShaken: true, body.CondStunned: false} {
		f := by(t, ruling(t, `{when: 'self.id == "a"', trigger: hit, whom: self, condition: {condition: `+condition+`}}`))
		f.add(fighter("a", "party", ability("strength", 15)), fighter("b", "foes"), fighter("c", "foes"))
		f.at("a", 0, 0)
		f.at("b", 5, 0)
		f.at("c", 0, 5)
		f.set(18, 10, 5)
		f.Must(act("a", "attack", "sword", "b"), 15, 3)
		if got := len(f.Decisions) == 1; got != asked {
			t.Errorf("%s: open %v", condition, f.Decisions)
		}
	}
}

// The trigger kill: who was dead before harm came is not killed by it.
func TestTheDeadAreNotKilledAgain(t *testing.T) {
	blast := spell(&eventv1.CelesiaSpell{Name: "blast", Casting: "standard", Dice: "10d6", RangeFeet: 60, Save: "reflex", SaveDc: 15, SaveEffect: "half"})
	for name, c := range map[string]struct {
		dice string
		hp   int32
	}{"by the spell": {"1", 31}, "by what the failed save set off": {"90", 30}} {
		f := by(t, two(t, `{when: 'self.id == "b"', trigger: save-failed, whom: self, damage: {dice: "`+c.dice+`", type: fire}}`,
			`{when: 'self.id == "a"', trigger: kill, whom: self, healing: {amount: "1"}}`))
		f.add(fighter("a", "party", blast), fighter("b", "foes", unarmed(), hitPoints(1)))
		f.set(15, 5)
		f.Hurt("a", 30)
		f.Hurt("b", -11)
		f.Roller = func(int) int { return 6 }
		f.Must(act("a", "cast", "blast", "b"))
		for len(f.Decisions) > 0 {
			f.Answer(body.DecCrippling, "none")
		}
		f.WantLife("b", eventv1.LifeStatus_LIFE_STATUS_DEAD)
		if got := f.Creature("a").GetHp(); got != c.hp {
			t.Errorf("%s: %d hit points, want %d", name, got, c.hp)
		}
	}
}

// celesia.turn.extra-acts-no-stack: of effects of content that give acts the best counts, of two
// alike the first; those that take acts all count, one of nothing not among them.
func TestExtraActsOfTwoRules(t *testing.T) {
	for name, c := range map[string]struct {
		first, second string
		acts          int64
		by            string
	}{
		"alike":            {"1", "1", 4, "house.t.it"},
		"the second more":  {"1", "2", 5, "house.t.other"},
		"the first more":   {"2", "1", 5, "house.t.it"},
		"less, and none":   {"-1", "0", 2, "house.t.it"},
		"less twice":       {"-1", "-1", 1, "house.t.other"},
		"none, and a less": {"0", "-1", 2, "house.t.other"},
	} {
		f := by(t, two(t, `{when: 'self.id == "b"', extra_action: {counter: acts, amount: "`+c.first+`"}}`, `{when: 'self.id == "b"', extra_action: {counter: acts, amount: "`+c.second+`"}}`))
		f.add(fighter("a", "party"), fighter("b", "foes"))
		f.start(nil, 15, 5)
		f.End("a")
		cited := slices.ContainsFunc(f.Events, func(e *eventv1.Event) bool {
			n := e.GetCounter().GetCounter()
			return (n == body.CHouseActs || n == body.CHouseLess) && citing(e, c.by)
		})
		if f.acts("b") != c.acts || !cited {
			t.Errorf("%s: %d acts, want %d; cites %s: %t", name, f.acts("b"), c.acts, c.by, cited)
		}
	}
}

// Temporary hit points of content: of several sources the most count, and as many as there are
// already are nothing new.
func TestTemporaryHitPointsOfTwoHits(t *testing.T) {
	for name, c := range map[string]struct {
		first, second string
		temp          int32
		deeds         int
	}{"as many": {"5", "5", 5, 1}, "fewer": {"5", "4", 5, 1}, "more": {"5", "6", 6, 2}} {
		f := plain(t, two(t, `{when: 'self.id == "a"', trigger: hit, whom: self, temporary_hit_points: {amount: "`+c.first+`"}}`,
			`{when: 'self.id == "a"', trigger: hit, whom: self, temporary_hit_points: {amount: "`+c.second+`"}}`))
		f.Must(act("a", "attack", "sword", "b"), 15, 4)
		deeds := -1 // the blow itself
		for _, in := range f.Recorded {
			if in.GetHarm() != nil {
				deeds++
			}
		}
		if got := f.Creature("a").GetHpTemp(); got != c.temp || deeds != c.deeds {
			t.Errorf("%s: %d temporary hit points by %d deeds, want %d by %d", name, got, deeds, c.temp, c.deeds)
		}
	}
}

// Conditions of one rule of content that differ by what they name are two.
func TestConditionsOfContentByVariant(t *testing.T) {
	for variant, want := range map[string]int{"reflex": 1, "will": 2} {
		f := plain(t, packed(t, map[string]string{"rules.yaml": "- id: it\n  title: It\n  effects:\n" +
			"    - {when: 'self.id == \"a\"', trigger: hit, condition: {condition: burning, variant: reflex}}\n" +
			"    - {when: 'self.id == \"a\"', trigger: hit, condition: {condition: burning, variant: " + variant + "}}\n"}))
		f.Must(act("a", "attack", "sword", "b"), 15, 4)
		if n := f.count("b", "burning"); n != want {
			t.Errorf("reflex and %s: burning %d times, want %d", variant, n, want)
		}
	}
}

// The hook lose-acts counts beside another condition that the same rule lays.
func TestLoseActsBesideACondition(t *testing.T) {
	f := plain(t, packed(t, map[string]string{"rules.yaml": "- id: it\n  title: It\n  effects:\n" +
		"    - {when: 'self.id == \"a\"', trigger: hit, condition: {condition: shaken}}\n" +
		"    - {when: 'self.id == \"a\"', trigger: hit, hook: {name: lose-acts}}\n"}))
	f.Must(act("a", "attack", "sword", "b"), 15, 4)
	f.End("a")
	if f.acts("b") != 2 || !body.Has(f.Creature("b"), body.CondShaken) {
		t.Errorf("%d acts, %v", f.acts("b"), f.Creature("b").Conditions)
	}
}

// What content laid for turns of one who is dead by now goes on by rounds; what others laid until
// that one's turn waits for it.
func TestConditionsThatOutliveTheirMaker(t *testing.T) {
	f := by(t, ruling(t, `{when: 'self.id == "a"', trigger: hit, condition: {condition: shaken, rounds: "2"}}`))
	f.add(fighter("a", "party"), fighter("b", "foes", unarmed()), fighter("c", "foes", unarmed()))
	f.at("a", 0, 0)
	f.at("b", 5, 0)
	f.at("c", 0, 5)
	f.set(18, 10, 5)
	f.Must(act("a", "attack", "sword", "b"), 15, 4)
	f.Put("c", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondSickened, Cause: "test", Until: &eventv1.Until{When: "start-of-turn", Creature: "a", Turns: 1}}}})
	f.Hurt("a", -60)
	for n := 1; n >= 0; n-- {
		f.ends("b", "c") // a round is over
		if got := f.count("b", body.CondShaken); got != n {
			t.Fatalf("shaken %d times, want %d: %v", got, n, f.Creature("b").Conditions)
		}
	}
	if !body.Has(f.Creature("c"), body.CondSickened) {
		t.Error("what content did not lay is counted as well")
	}
}

// celesia.attack.martial-power: temporary hit points that are used up are not ended again.
func TestMartialPowerUsedUp(t *testing.T) {
	for taken, deeds := range map[int32]int{1: 1, 2: 0} {
		f := duel(t, fighter("a", "party", ability("constitution", 13), attacks(1), section(func(c *eventv1.CelesiaSheet) { c.Stances = []string{"crane"} })), fighter("b", "foes", unarmed(), defends(60)))
		f.Must(act("a", "attack", "sword", "b", withParameters("options", mending.OptionMartial)), 2)
		if f.Creature("a").GetHpTemp() != 2 {
			t.Fatal(f.Creature("a").GetHpTemp())
		}
		f.End("a")
		f.Medicine(hit("a", taken, ""))
		f.End("b")
		n := 0
		for _, in := range f.Recorded {
			if in.GetHarm() != nil {
				n++
			}
		}
		if n != deeds || f.Creature("a").GetHpTemp() != 0 {
			t.Errorf("%d taken: %d deeds, want %d; %d left", taken, n, deeds, f.Creature("a").GetHpTemp())
		}
	}
}

// celesia.spell.degrees-save: what a spell lays comes with a failed saving throw alone, and not on
// who dies of it.
func TestConditionOfASpellThatHarms(t *testing.T) {
	for name, c := range map[string]struct {
		hp, save int
		laid     bool
	}{"failed": {40, 5, true}, "made": {40, 16, false}, "killed": {-11, 5, false}} {
		f := duel(t, fighter("a", "party", spell(&eventv1.CelesiaSpell{Name: "s", Casting: "standard", Dice: "6d6", RangeFeet: 60, Save: "will", SaveDc: 15, SaveEffect: "half", Condition: "shaken", CasterLevel: 1})),
			fighter("b", "foes", unarmed()))
		f.Hurt("b", int32(c.hp))
		f.Must(act("a", "cast", "s", "b"), c.save, 4, 4, 4, 4, 4, 4)
		for len(f.Decisions) > 0 {
			f.Answer(body.DecCrippling, "none")
		}
		if got := body.Has(f.Creature("b"), body.CondShaken); got != c.laid {
			t.Errorf("%s: laid %t; %v", name, got, f.Creature("b").Life)
		}
	}
}

// celesia.item.spell-trigger: what a thing lays for turns ends with them and begins anew when it is
// laid again; what has no turns stays. Of two things each lays its own.
func TestConditionsOfThings(t *testing.T) {
	wand := func(name, hand, condition string, turns int32) *eventv1.CelesiaThing {
		return &eventv1.CelesiaThing{Name: name, Kind: body.ThingTrigger, Place: hand, Spell: &eventv1.CelesiaSpell{Name: name, Casting: "standard", Condition: condition, RangeFeet: 60, Turns: turns}}
	}
	build := func(t *testing.T, list ...*eventv1.CelesiaThing) *table {
		return duel(t, fighter("a", "party", unarmed(), carrying(list...)), fighter("b", "foes", unarmed()))
	}
	for turns, left := range map[int32][]int{0: {1, 1, 1}, 2: {1, 0, 0}} {
		f := build(t, wand("x", "main", "shaken", turns))
		f.Must(act("a", "use-item", "x", "b"))
		for i, n := range left {
			f.round()
			if got := f.count("b", body.CondShaken); got != n {
				t.Errorf("%d turns, after %d: shaken %d times, want %d", turns, i+1, got, n)
			}
		}
	}
	f := build(t, wand("x", "main", "shaken", 2))
	f.Must(act("a", "use-item", "x", "b"))
	f.round()
	f.Must(act("a", "use-item", "x", "b"))
	if got := f.Creature("b").Conditions; len(got) != 1 || got[0].Until.GetTurns() != 2 {
		t.Errorf("laid again: %v", got)
	}
	for second, want := range map[string]int{"shaken": 2, "sickened": 1} {
		f := build(t, wand("x", "main", "shaken", 3), wand("y", "off", second, 3))
		f.Must(act("a", "use-item", "x", "b"))
		f.round()
		f.Must(act("a", "use-item", "y", "b"))
		if f.count("b", body.CondShaken) != want || len(f.Creature("b").Conditions) != 2 {
			t.Errorf("%s: %v", second, f.Creature("b").Conditions)
		}
	}
}

// celesia.healing.crippling-restoration: a draught that finds nothing to heal is drunk for nothing,
// and everyone is told.
func TestDraughtOfRestorationForNothing(t *testing.T) {
	f := duel(t, fighter("a", "party", section(func(s *eventv1.CelesiaSheet) {
		s.Potions = []*eventv1.CelesiaPotion{{Name: "draught", Count: 1, Spell: &eventv1.CelesiaSpell{Restores: body.DeedRestore}}}
	})), fighter("b", "foes", unarmed()))
	f.Must(act("a", "drink", "draught", ""))
	if !f.noted(cite.HealingCripplingRestoration) || f.Creature("a").Counters[body.CLeft+"draught"] != 0 {
		t.Errorf("told %t, %d left", f.noted(cite.HealingCripplingRestoration), f.Creature("a").Counters[body.CLeft+"draught"])
	}
}

// celesia.mount.untrained-frightened: a mount without combat training that bears its rider before
// the fight is frightened when that begins, and not before.
func TestUntrainedMountAtTheBeginning(t *testing.T) {
	for trained, afraid := range map[bool]bool{true: false, false: true} {
		f := newTable(t).add(fighter("a", "party"), horse(section(func(c *eventv1.CelesiaSheet) { c.CombatTrained = trained })), fighter("b", "foes"))
		f.Resolve(func(r *rules.Resolution) error { return saddle.EnterMounted(r, "a", object("mounted_on", "h")) })
		if body.Has(f.Creature("h"), body.CondFrightened) {
			t.Error("frightened before the fight")
		}
		f.start(nil, 15, 5, 2)
		if body.Has(f.Creature("h"), body.CondFrightened) != afraid {
			t.Errorf("trained %t: %v", trained, f.Creature("h").Conditions)
		}
		f.Hurt("a", 20) // without a map nobody is moved by that
		if moved := seen(f, "moved", (*eventv1.Event).GetMoved); len(moved) != 0 || body.MountOf(f.Creature("a")) != "h" {
			t.Errorf("moved %v", moved)
		}
	}
}
