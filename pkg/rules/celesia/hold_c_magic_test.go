package celesia

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/magic"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// celesia.action.first-aid: a success against poison adds what the game master says, and takes
// the place of an earlier treatment, of no other help; nothing said, or 0, adds nothing.
func TestPoisonTreatedAgain(t *testing.T) {
	build := func(t *testing.T) *table {
		f := duel(t, fighter("a", "party", skilled("heal", 10)), fighter("b", "party"))
		f.Put("b", &eventv1.Vitals{Conditions: []*eventv1.Condition{
			{Name: checks.CondAided, Variant: "fortitude", Cause: "a charm", Values: map[string]int32{"aid": 1}},
			{Name: checks.CondAided, Variant: checks.AidSave, Cause: "a song", Values: map[string]int32{"aid": 1}},
			{Name: checks.CondBurning, Variant: "fortitude", Cause: "acid"},
		}})
		return f
	}
	treat := func(more ...any) *eventv1.Command {
		return act("a", "treat-poison", "", "b", withParameters(append([]any{"dc", 15}, more...)...))
	}
	treated := func(f *table) (out []int32) {
		for _, x := range f.Creature("b").Conditions {
			if x.Name == checks.CondAided && x.Rule == cite.ActionFirstAid {
				out = append(out, x.Values["aid"])
			}
		}
		return out
	}
	for name, more := range map[string][]any{"nothing said": nil, "a bonus of 0": {"bonus", 0}} {
		f := build(t)
		f.Must(treat("bonus", 4), 10)
		f.round()
		f.Must(treat(more...), 10)
		if got := treated(f); len(got) != 1 || got[0] != 4 {
			t.Errorf("%s: treated for %v", name, got)
		}
	}
	f := build(t)
	f.Must(treat("bonus", 4), 10)
	f.round()
	f.Must(treat("bonus", 2), 10)
	if got := treated(f); len(got) != 1 || got[0] != 2 || f.count("b", checks.CondAided) != 3 || !body.Has(f.Creature("b"), checks.CondBurning) {
		t.Errorf("treated for %v: %v", got, f.Creature("b").Conditions)
	}
	f.Must(act("b", "saving-throw", "", "", withParameters("save", "fortitude", "dc", 15)), 10)
	if sum := from(f.Roll("save/b").Modifiers, "treated by a"); sum != 2 {
		t.Errorf("the save has %v", f.Roll("save/b").Modifiers)
	}
}

// celesia.action.first-aid: a wound that is treated heals what the game master says; nothing said,
// or 0, heals nothing, and no deed of healing is told.
func TestWoundTreatedForNothing(t *testing.T) {
	for name, c := range map[string]struct {
		more []any
		hp   int32
	}{"nothing said": {nil, 10}, "0": {[]any{"heals", 0}, 10}, "1": {[]any{"heals", 1}, 11}} {
		f := duel(t, fighter("a", "party", skilled("heal", 10)), fighter("b", "party"))
		f.Hurt("b", 10)
		f.Must(act("a", "treat-wound", "", "b", withParameters(append([]any{"dc", 15}, c.more...)...)), 10)
		f.WantHP("b", c.hp)
		healed := slices.ContainsFunc(f.Recorded, func(in *eventv1.Input) bool { return in.GetHarm() != nil })
		if healed != (c.hp > 10) {
			t.Errorf("%s: healed %t", name, healed)
		}
	}
}

// celesia.action.push-animal: any harm makes it 2 harder, that to Constitution alone as well.
func TestPushingAnAnimalOfWeakenedConstitution(t *testing.T) {
	for points, dc := range map[int]int32{0: 20, 1: 22} {
		f := duel(t, fighter("a", "party", skilled("handle-animal", 9)), fighter("b", "foes", unarmed(), section(func(c *eventv1.CelesiaSheet) { c.Humanoid = false })))
		if points > 0 {
			f.Count("b", body.CConstitution, points)
			f.Hurt("b", f.Creature("b").GetHpMax())
		}
		f.Must(act("a", "push-animal", "", "b", withParameters("dc", 20)), 10)
		if got := f.Roll("check/handle-animal").Target.Value; got != dc {
			t.Errorf("%d points: DC %d, want %d", points, got, dc)
		}
	}
}

// enchanter is a caster of two spells that go on, on two foes at 20 and 30 feet.
func enchanter(t *testing.T, change func(sp *eventv1.CelesiaSpell)) *table {
	t.Helper()
	var list []*eventv1.CelesiaSpell
	for _, of := range [][2]string{{"snare", "entangled"}, {"glare", "dazzled"}} {
		sp := &eventv1.CelesiaSpell{Name: of[0], Casting: "swift", Condition: of[1], RangeFeet: 60}
		change(sp)
		list = append(list, sp)
	}
	return crowd(t, [][2]int32{{0, 0}, {20, 0}, {30, 0}}, fighter("a", "party", section(func(c *eventv1.CelesiaSheet) { c.Spells = list })), fighter("b", "foes"), fighter("c", "foes"))
}

// celesia.spell.dismiss, celesia.spell.concentrate, celesia.spell.cease-concentrating: of several
// spells of one caster on one foe each goes on and ends by itself, with what it laid.
func TestTwoSpellsOfOneCaster(t *testing.T) {
	both := func(t *testing.T, change func(sp *eventv1.CelesiaSpell)) *table {
		f := enchanter(t, change)
		f.Must(act("a", "cast", "snare", "b"))
		f.Must(act("a", "cast", "glare", "b"))
		return f
	}
	want := func(t *testing.T, f *table, snare, glare bool) {
		t.Helper()
		b := f.Creature("b")
		if body.Has(b, "entangled") != snare || body.Has(b, "dazzled") != glare || (len(magic.Active(f.State, "a", "snare")) == 1) != snare ||
			(len(magic.Active(f.State, "a", "glare")) == 1) != glare {
			t.Errorf("%v, %v", b.Conditions, f.State.Tasks)
		}
	}
	t.Run("dismissed", func(t *testing.T) {
		f := both(t, func(sp *eventv1.CelesiaSpell) { sp.Dismissible = true })
		want(t, f, true, true)
		f.Must(act("a", "dismiss", "snare", ""))
		want(t, f, false, true)
	})
	t.Run("concentrated on", func(t *testing.T) {
		f := both(t, func(sp *eventv1.CelesiaSpell) { sp.Concentration = true })
		f.ends("a", "b", "c")
		f.Must(act("a", "concentrate", "glare", ""))
		f.End("a")
		want(t, f, false, true)
	})
	t.Run("no longer", func(t *testing.T) {
		f := both(t, func(sp *eventv1.CelesiaSpell) { sp.Concentration = true })
		f.Must(act("a", "cease-concentrating", "glare", ""))
		want(t, f, true, false)
		wantReason(t, f.Try(act("a", "cease-concentrating", "glare", "")), "NOT_ACTIVE", cite.SpellCeaseConcentrating)
		wantField(t, f.Try(act("a", "cease-concentrating", "snaer", "")), "take.item", "names no spell", "snare")
	})
	t.Run("nothing to concentrate on", func(t *testing.T) {
		f := both(t, func(sp *eventv1.CelesiaSpell) { sp.Dismissible = true })
		wantReason(t, f.Try(act("a", "cease-concentrating", "glare", "")), "NO_CONCENTRATION", cite.SpellCeaseConcentrating)
		f.round3()
		wantReason(t, f.Try(act("a", "concentrate", "glare", "")), "NO_CONCENTRATION", cite.SpellConcentrate)
	})
}

// round3 lets the turns of a, b and c pass.
func (f *table) round3() {
	f.T.Helper()
	f.ends("a", "b", "c")
}

// celesia.spell.concentrate: with its caster ends what needs concentration, in the turn that is
// over next; what does not need it goes on. A spell whose target is dead is over with its caster's
// next turn, and one that counts turns with the last of them.
func TestSpellsOfTheDeadAndOnTheDead(t *testing.T) {
	for concentration, left := range map[bool]int{true: 0, false: 1} {
		f := enchanter(t, func(sp *eventv1.CelesiaSpell) { sp.Concentration, sp.Dismissible = concentration, true })
		f.Must(act("a", "cast", "snare", "b"))
		f.End("a")
		f.Hurt("a", -60)
		f.End("b")
		if n := len(f.State.Tasks); n != left || body.Has(f.Creature("b"), "entangled") != (left == 1) {
			t.Errorf("concentration %t: %d tasks, %v", concentration, n, f.Creature("b").Conditions)
		}
	}
	t.Run("on the dead", func(t *testing.T) {
		f := enchanter(t, func(sp *eventv1.CelesiaSpell) { sp.Dismissible = true })
		f.Must(act("a", "cast", "snare", "b"))
		f.Must(act("a", "cast", "snare", "c"))
		f.End("a")
		f.Hurt("b", -60)
		f.End("c")
		all := magic.Active(f.State, "a", "snare")
		if len(all) != 1 || all[0].Targets[0] != "c" || body.Has(f.Creature("b"), "entangled") || !body.Has(f.Creature("c"), "entangled") {
			t.Errorf("%v, %v", all, f.Creature("b").Conditions)
		}
	})
	t.Run("its turns", func(t *testing.T) {
		f := enchanter(t, func(sp *eventv1.CelesiaSpell) { sp.Turns = 2 })
		f.Must(act("a", "cast", "snare", "b"))
		for n := 1; n >= 0; n-- {
			f.round3()
			if got := len(magic.Active(f.State, "a", "snare")); got != n || body.Has(f.Creature("b"), "entangled") != (n > 0) {
				t.Errorf("%d active, want %d", got, n)
			}
		}
	})
}

// celesia.action.complex-frame: a task ends with the fight, and with who leaves; everyone is told.
func TestTasksDropped(t *testing.T) {
	begin := func(t *testing.T) *table {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		f.Must(act("a", "begin-task", "", "", withParameters("task", "dig")))
		if len(f.State.Tasks) != 1 {
			t.Fatal(f.State.Tasks)
		}
		return f
	}
	for name, cmd := range map[string]*eventv1.Command{
		"the end":  {What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}},
		"a leaves": {What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: "a"}}},
	} {
		f := begin(t)
		f.Must(cmd)
		ended := seen(f, "ended", (*eventv1.Event).GetTaskEnded)
		if len(f.State.Tasks) != 0 || len(ended) != 1 || ended[0].Outcome != "dropped" || ended[0].Id != "task-a-dig" {
			t.Errorf("%s: %v, told %v", name, f.State.Tasks, ended)
		}
	}
}

// celesia.spell.spell-combat, celesia.spell.spellstrike, celesia.spell.spell-combat-defensive:
// with a melee weapon that is there, at somebody alive; readied, whom it is for is known later.
// Cast defensively it provokes nobody, whether with care or without.
func TestSpellCombatWithWhatAndOnWhom(t *testing.T) {
	magus := func(foe ...func(*eventv1.Sheet)) func(t *testing.T) *table {
		return func(t *testing.T) *table {
			f := crowd(t, [][2]int32{{0, 0}, {5, 0}, {20, 0}}, fighter("a", "party", features(body.FeatSpellCombat, body.FeatSpellstrike), ability("intelligence", 14), section(func(c *eventv1.CelesiaSheet) {
				c.Concentration = 30
				c.Spells = []*eventv1.CelesiaSpell{{Name: "shock", Casting: "standard", Dice: "1d6", RangeFeet: 30, Magus: true, Attack: "melee-touch"}}
			})), fighter("b", "foes", append(foe, defends(60))...), fighter("c", "foes", unarmed(), defends(60)))
			return f
		}
	}
	shock := withParameters("spell", "shock")
	for _, action := range []string{"spell-combat", "spellstrike"} {
		f := magus(unarmed())(t)
		wantField(t, f.Try(act("a", action, "bow", "b", shock)), "take.item", "melee weapon")
		wantField(t, f.Try(act("a", action, "axe", "b", shock)), "take.item", "melee weapon")
	}
	f := magus(unarmed())(t)
	f.Hurt("c", -60)
	wantField(t, f.Try(act("a", "spell-combat", "sword", "b", withParameters("spell", "shock", "at", "c"))), "take.parameters.at", "nobody alive")
	wantField(t, f.Try(ready("spell-combat", "sword", "", "attack", "spell", "shock", "at", "c")), "take.parameters.at", "nobody alive")
	f.Must(ready("spell-combat", "sword", "", "attack", "spell", "shock"))

	for name, c := range map[string]struct {
		words    []any
		provokes bool
		attack   int32
	}{
		"plainly":     {nil, true, -2},
		"defensively": {[]any{"defensively", true}, false, -2},
		"with care":   {[]any{"shift", true}, false, -4},
	} {
		f := magus()(t)
		cmd := act("a", "spell-combat", "sword", "b", withParameters(append([]any{"spell", "shock"}, c.words...)...))
		f.Roller = func(int) int { return 2 }
		f.Must(cmd)
		asked := len(f.Decisions) > 0
		if asked {
			f.Answer(body.DecReaction, "no")
		}
		sum := int32(0)
		for _, m := range f.Roll("attack/1/to-hit").Modifiers {
			if m.Rule == cite.SpellSpellCombat || m.Rule == cite.SpellSpellCombatDefensive {
				sum += m.Value
			}
		}
		if asked != c.provokes || sum != c.attack {
			t.Errorf("%s: provokes %t, %d on the attack, want %t, %d", name, asked, sum, c.provokes, c.attack)
		}
	}
}

// celesia.spell.resistance-toggle: a spell resistance of 1 is one, that of 0 none.
func TestLeastSpellResistance(t *testing.T) {
	for n, reason := range map[int32]string{0: "NO_RESISTANCE", 1: ""} {
		f := duel(t, fighter("a", "party", section(func(c *eventv1.CelesiaSheet) { c.SpellResistance = n })), fighter("b", "foes"))
		wantReason(t, f.Try(act("a", "lower-spell-resistance", "", "")), reason, cite.SpellResistanceToggle)
	}
}

// celesia.action.convert-swift: once a turn goes for a spell of which that is said, whatever
// others are called that were done in the turn.
func TestASpellCalledAsAnAction(t *testing.T) {
	for once, reason := range map[bool]string{false: "", true: "ONCE_A_TURN"} {
		f := duel(t, fighter("a", "party", section(func(c *eventv1.CelesiaSheet) {
			c.Spells = []*eventv1.CelesiaSpell{{Name: "change-stance", Casting: "swift", OncePerTurn: once}}
			c.Stances = []string{"crane"}
		})), fighter("b", "foes", unarmed()))
		if once {
			f.Must(act("a", "cast", "change-stance", "a"))
		} else {
			f.Must(act("a", "change-stance", "crane", ""))
		}
		wantReason(t, f.Try(act("a", "cast", "change-stance", "a")), reason, body.OptConvertSwift)
	}
}

// celesia.action.one-round-split: the rest of a 1-round spell takes as many acts as are missing;
// with just so many in the turn it is done, with fewer it is not.
func TestTheRestOfACasting(t *testing.T) {
	for less, reason := range map[int32]string{0: "", -1: "", -2: "NO_ACTS"} {
		f := duel(t, fighter("a", "party", spell(&eventv1.CelesiaSpell{Name: "s", Casting: "1-round", Dice: "1d6", RangeFeet: 30})), fighter("b", "foes", unarmed()))
		f.Must(act("a", "move", "", ""))
		f.Must(act("a", "move", "", ""))
		f.Must(act("a", "cast", "s", "b"))
		f.End("a")
		f.End("b")
		f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: "effect.slow", Cause: "test", Values: map[string]int32{"acts": less}}}})
		if reason == "" {
			f.Must(act("a", "continue-casting", "", ""), 4)
			f.WantHP("b", 36)
			if n := f.acts("a"); n != int64(1+less) {
				t.Errorf("%d less: %d acts left", less, n)
			}
			continue
		}
		wantReason(t, f.Try(act("a", "continue-casting", "", "")), reason, cite.ActionOneRoundSplit)
	}
}

// celesia.dice.dis-broken-tool: what was said of the tool when a task was begun counts at its end.
func TestABrokenToolAtTheBeginningOfATask(t *testing.T) {
	for broken, faces := range map[bool][]int{false: {10}, true: {10, 12}} {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		f.Must(act("a", "disable-device", "", "", withParameters("dc", 15, "acts", 1), withFacts("broken_tool", broken)))
		f.Must(act("a", "continue-task", "disable-device", ""))
		f.Must(act("a", "continue-task", "disable-device", ""), faces...)
		if r := f.Roll("check/disable-device"); r.Kept[0] != 10 {
			t.Errorf("broken %t: %v", broken, r)
		}
	}
}

// celesia.spell.touch-six-allies: what heals and does nothing else is taken by all, and nobody
// who cannot act is asked; of anything else, an ally whom others play is asked.
func TestWhoIsAskedBeforeATouch(t *testing.T) {
	for name, c := range map[string]struct {
		change func(sp *eventv1.CelesiaSpell)
		out    string
		asked  bool
	}{
		"healing":               {func(sp *eventv1.CelesiaSpell) { sp.Healing = "1d4" }, "", false},
		"damage":                {func(sp *eventv1.CelesiaSpell) { sp.Dice = "1d4" }, "", true},
		"damage, out":           {func(sp *eventv1.CelesiaSpell) { sp.Dice = "1d4" }, body.CondStunned, false},
		"healing and dice":      {func(sp *eventv1.CelesiaSpell) { sp.Healing, sp.Dice = "1d4", "1d4" }, "", true},
		"healing by level":      {func(sp *eventv1.CelesiaSpell) { sp.Healing, sp.DicePerLevel = "1d4", "1d4" }, "", true},
		"healing and condition": {func(sp *eventv1.CelesiaSpell) { sp.Healing, sp.Condition = "1d4", "shaken" }, "", true},
		"healing and penalty": {func(sp *eventv1.CelesiaSpell) {
			sp.Healing, sp.PenaltyAbility, sp.PenaltyDice = "1d4", "strength", "1d4"
		}, "", true},
	} {
		t.Run(name, func(t *testing.T) {
			sp := &eventv1.CelesiaSpell{Name: "s", Casting: "standard", TouchMany: true, CasterLevel: 1}
			c.change(sp)
			f := crowd(t, [][2]int32{{0, 0}, {5, 0}, {90, 0}}, fighter("a", "party", spell(sp)), fighter("b", "party"), fighter("c", "foes", unarmed()))
			f.Roller = func(int) int { return 1 }
			f.Must(act("a", "cast", "s", "a"))
			f.round3()
			if c.out != "" {
				f.Afflict("b", c.out)
			}
			f.Must(act("a", "touch-allies", "", "a,b"))
			asked := len(f.Decisions) == 1 && f.Decisions[0].Name == magic.DecWilling && f.Decisions[0].Creature == "b"
			if asked != c.asked || len(f.Decisions) > 1 {
				t.Errorf("open: %v, want asked %t", f.Decisions, c.asked)
			}
			if asked {
				f.Answer(magic.DecWilling, "no")
			}
		})
	}
}
