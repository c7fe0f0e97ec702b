package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/saddle"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// celesia.spell.spell-combat-limits: a spell cast as a standard action or over a round and
// spell combat keep each other out of a turn; what is quickened, swift or full does not.
func TestWhatSpellCombatKeepsOut(t *testing.T) {
	magus := func(other *eventv1.CelesiaSpell) *eventv1.Sheet {
		return fighter("a", "party", features(body.FeatSpellCombat), section(func(c *eventv1.CelesiaSheet) {
			c.Spells = []*eventv1.CelesiaSpell{{Name: "shock", Casting: "standard", Dice: "1d6", RangeFeet: 30, Magus: true}, other}
		}))
	}
	combat := act("a", "spell-combat", "sword", "b", withParameters("spell", "shock"))
	for name, c := range map[string]struct {
		other *eventv1.CelesiaSpell
		out   bool
	}{
		"standard":             {&eventv1.CelesiaSpell{Casting: "standard", Dice: "1d4", RangeFeet: 30}, true},
		"1-round":              {&eventv1.CelesiaSpell{Casting: "1-round", Dice: "1d4", RangeFeet: 30}, true},
		"quickened":            {&eventv1.CelesiaSpell{Casting: "standard", Quickened: true, Dice: "1d4", RangeFeet: 30}, false},
		"swift":                {&eventv1.CelesiaSpell{Casting: "swift", Dice: "1d4", RangeFeet: 30}, false},
		"supernatural, 2 acts": {&eventv1.CelesiaSpell{Casting: "standard", Supernatural: true, Dice: "1d4", RangeFeet: 30}, true},
	} {
		c.other.Name = "other"
		build := func(t *testing.T) *table {
			f := duel(t, magus(c.other), fighter("b", "foes", unarmed(), defends(60)))
			f.Roller = func(int) int { return 2 }
			return f
		}
		t.Run(name+" after it", func(t *testing.T) {
			f := build(t)
			f.Must(combat)
			err := f.Try(act("a", "cast", "other", "b"))
			if c.out {
				wantReason(t, err, "SPELL_COMBAT", cite.SpellSpellCombatLimits)
			} else if err != nil {
				t.Error(err)
			}
		})
		t.Run(name+" before it", func(t *testing.T) {
			if c.other.Casting == "1-round" {
				t.Skip("it takes the whole turn")
			}
			f := build(t)
			f.Must(act("a", "cast", "other", "b"))
			err := f.Try(combat)
			if c.out {
				wantReason(t, err, "SPELL_CAST", cite.SpellSpellCombatLimits)
			} else if err != nil {
				t.Error(err)
			}
			f.round()
			f.Must(combat) // the next turn knows nothing of it
		})
	}
}

// celesia.spell.degrees-save, celesia.spell.degrees-attack, celesia.spell.degrees-combined:
// levels at their borders, each with the dice that they bring.
func TestLevelsAtTheirBorders(t *testing.T) {
	build := func(sp *eventv1.CelesiaSpell, will int32) *table {
		sp.Name, sp.Casting, sp.RangeFeet, sp.Save, sp.SaveDc, sp.SaveEffect = "s", "standard", 60, "will", 20, "half"
		return duel(t, fighter("a", "party", spell(sp)), fighter("b", "foes", unarmed(), section(func(c *eventv1.CelesiaSheet) { c.Will = will })))
	}
	for name, c := range map[string]struct {
		level, most int32
		will        int32
		faces       []int
		want        int32
	}{
		"exactly 10 under":                       {3, 0, 0, []int{10, 1, 2, 3, 4}, 10},
		"9 under":                                {3, 0, 0, []int{11, 1, 2, 3}, 6},
		"even is made":                           {3, 0, 10, []int{10, 2, 2, 3}, 3},
		"exactly 10 over":                        {3, 0, 20, []int{10, 5, 4}, 4}, // 9 halved
		"9 over":                                 {3, 0, 20, []int{9, 5, 4, 1}, 5},
		"20 over at level 2: 1 is the least":     {2, 0, 30, []int{10, 5}, 2},
		"10 under with a limit of its own":       {3, 3, 0, []int{10, 1, 2, 3}, 6},
		"10 under, the limit not reached":        {3, 4, 0, []int{10, 1, 2, 3, 4}, 10},
		"10 over below a limit that was reached": {5, 3, 20, []int{10, 6, 6, 6}, 9}, // level 4, 3 dice
	} {
		t.Run(name, func(t *testing.T) {
			f := build(&eventv1.CelesiaSpell{CasterLevel: c.level, DicePerLevel: "1d6", MaximumLevels: c.most}, c.will)
			f.Must(act("a", "cast", "s", "b"), c.faces...)
			f.WantHP("b", 40-c.want)
		})
	}
	t.Run("what is no spell has no degrees", func(t *testing.T) {
		f := build(&eventv1.CelesiaSpell{CasterLevel: 3, DicePerLevel: "1d6", Supernatural: true}, 0)
		f.Must(act("a", "cast", "s", "b"), 1, 1, 2, 3)
		f.WantHP("b", 34)
	})
	t.Run("several: the dice of the highest, each the first of them", func(t *testing.T) {
		sp := &eventv1.CelesiaSpell{Name: "s", Casting: "standard", RangeFeet: 60, Save: "will", SaveDc: 20, SaveEffect: "half", CasterLevel: 2, DicePerLevel: "1d6", Targets: 3}
		f := crowd(t, [][2]int32{{0, 0}, {20, 0}, {0, 20}, {20, 20}}, fighter("a", "party", spell(sp)), fighter("b", "foes", unarmed()),
			fighter("c", "foes", unarmed()), fighter("d", "foes", unarmed(), section(func(c *eventv1.CelesiaSheet) { c.Will = 20 })))
		f.Must(act("a", "cast", "s", "b,c,d"), 10, 15, 10, 6, 5, 4) // level 3, 2 and 1 made
		f.WantHP("b", 40-15)
		f.WantHP("c", 40-11)
		f.WantHP("d", 40-3)
	})
}

// celesia.action.aid-another-expiry, celesia.action.aid-another-stack, celesia.spell.degrees-attack:
// aid for an attack is for the attack of a spell too, and of two who are aided at once each
// has its own.
func TestAidForASpell(t *testing.T) {
	ray := spell(&eventv1.CelesiaSpell{Name: "grasp", Casting: "swift", Attack: "melee-touch", DicePerLevel: "1d6", CasterLevel: 1})
	f := crowd(t, [][2]int32{{0, 0}, {5, 5}, {5, 0}}, fighter("a", "party"), fighter("b", "party", ray), fighter("c", "foes", unarmed()))
	f.Must(act("a", "aid-another", "sword", "c"), 15) // 20 against 10: 1 and 1
	f.Answer(strike.DecAid, "attack")
	f.Must(act("a", "aid-another", "sword", "c"), 5) // 10: 1
	f.Answer(strike.DecAid, "attack")
	f.Must(act("a", "aid-another", "sword", "c"), 10) // for the defense
	f.Answer(strike.DecAid, "defense")
	f.End("a")
	f.Must(act("b", "cast", "grasp", "c"), 12, 6, 1) // 12 + 5 + 3 = 20: 10 over touch 10
	if got := f.Roll("to-hit").Total; got != 20 {
		t.Errorf("total %d, want 20", got)
	}
	f.WantHP("c", 33)
	f.Must(act("b", "cast", "grasp", "c"), 12, 6)
	if got := f.Roll("to-hit").Total; got != 17 {
		t.Errorf("the second total %d, want 17", got)
	}
	f.End("b")
	if n := f.count("b", "aided"); n != 1 {
		t.Errorf("%d aids are left, want that for its defense", n)
	}
	f.End("c")
	if n := f.count("b", "aided"); n != 0 {
		t.Error("the aid outlasts the aider's next turn")
	}
}

// The numbers that a hook of content takes end where they say, on both sides.
func TestBordersOfHooks(t *testing.T) {
	for hook, c := range map[string]struct {
		name        string
		least, most string
		below, over string
	}{
		"push": {"feet", "5", "500", "4", "501"}, "lose-acts": {"acts", "1", "6", "0", "7"}, "cripple": {"plus", "-19", "19", "-20", "20"}, "bleed": {"points", "1", "100", "0", "101"},
	} {
		for _, good := range []string{c.least, c.most} {
			if err := saddle.CheckHook(hook, map[string]string{c.name: good}); err != nil {
				t.Errorf("%s: %v", hook, err)
			}
		}
		for _, bad := range []string{c.below, c.over, "x"} {
			if saddle.CheckHook(hook, map[string]string{c.name: bad}) == nil {
				t.Errorf("%s takes %s of %q", hook, c.name, bad)
			}
		}
	}
}

// Where content has an action provoke nobody, that is told when somebody would have
// answered it, and only then.
func TestWhoProvokesNobodyIsTold(t *testing.T) {
	book := ruling(t, `{when: 'self.id == "a"', no_provoke: {action: sheathe}}`)
	for foe, told := range map[*eventv1.Sheet]bool{fighter("b", "foes"): true, fighter("b", "foes", unarmed()): false} {
		f := by(t, book)
		f.AddAt(0, 0, fighter("a", "party"))
		f.AddAt(5, 0, foe)
		f.set(15, 5)
		f.Must(act("a", "sheathe", "sword", ""))
		if len(f.Decisions) != 0 || f.noted(it) != told {
			t.Errorf("asked %v, told %v, want %v", f.Decisions, f.noted(it), told)
		}
	}
}

// celesia.dice.stack-cancel: what is stated of one target counts for that one alone, what is
// stated of nobody for all.
func TestStatedOfOneTarget(t *testing.T) {
	sp := &eventv1.CelesiaSpell{Name: "s", Casting: "standard", RangeFeet: 60, Save: "will", SaveDc: 12, SaveEffect: "negates", Dice: "1d6", Targets: 3}
	build := func(t *testing.T) *table {
		return crowd(t, [][2]int32{{0, 0}, {20, 0}, {0, 20}}, fighter("a", "party", spell(sp)), fighter("b", "foes", unarmed()), fighter("c", "foes", unarmed()))
	}
	stated := func(target, direction string, value int32) func(*eventv1.TakeAction) {
		return func(take *eventv1.TakeAction) {
			take.Circumstances = append(take.Circumstances, &eventv1.Circumstance{Target: target, Direction: direction, Value: value, Cause: "test"})
		}
	}
	t.Run("disadvantage of one", func(t *testing.T) {
		f := build(t)
		f.Must(act("a", "cast", "s", "b,c", stated("c", "disadvantage", 0)), 12, 12, 2, 4) // b is out of it, c keeps the 2
		f.WantHP("b", 40)
		f.WantHP("c", 36)
	})
	t.Run("a modifier of one, advantage of all", func(t *testing.T) {
		f := build(t)
		f.Must(act("a", "cast", "s", "b,c", stated("b", "modifier", -5), stated("", "advantage", 0)), 3, 16, 11, 12, 4) // 11 of b, 12 of c
		f.WantHP("b", 36)
		f.WantHP("c", 40)
		if got := f.Roll("save/b").Total; got != 11 {
			t.Errorf("b throws %d, want 11", got)
		}
	})
}

// celesia.action.search, celesia.action.sleight-of-hand: where is searched has to be said, and
// nothing is palmed from oneself.
func TestChecksThatMustSayMore(t *testing.T) {
	f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
	wantField(t, f.Try(act("a", "search", "", "")), "take.parameters.where")
	wantField(t, f.Try(act("a", "sleight-of-hand", "", "", withParameters("from", "a"))), "take.parameters.from", "nobody else")
	wantField(t, f.Try(act("a", "saving-throw", "", "")), "take.parameters.save")
	wantField(t, f.Try(act("a", "ability-check", "", "")), "take.parameters.ability")
	f.Must(act("a", "search", "", "", withParameters("where", "room")), 10)
	if f.acts("a") != 2 {
		t.Errorf("%d acts left", f.acts("a"))
	}
}
