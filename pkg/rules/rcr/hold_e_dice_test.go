package rcr

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	thedice "github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.base.inspiration-held: inspiration spent with a saving throw that is called for gives it
// advantage, and is gone; set on the next check before, it counts once there.
func TestInspirationCountsOnce(t *testing.T) {
	for spent, faces := range map[bool][]int{true: {5, 15}, false: {15}} {
		f := solo(t, nil, inspired)
		f.Must(act("a", "called-save", "", "", withParameters("ability", "wisdom", "dc", 12, "inspiration", spent)), faces...)
		left := map[bool]int64{true: 0, false: 1}[spent]
		f.wantCount("a", body.CInspiration, left)
		if roll := f.Roll("save/a"); roll.Total != 15 || len(roll.Edges) != int(1-left) || f.Creature("a").Marks[body.MInspired] != "" {
			t.Errorf("spent %v: %v, %q left on a roll to come", spent, roll, f.Creature("a").Marks[body.MInspired])
		}
	}
	f := solo(t, nil, inspired)
	f.Must(act("a", "spend-inspiration", "", "", withParameters("for", body.ForCheck)))
	f.Must(act("a", "called-check", "", "", withParameters("skill", "athletics", "dc", 12, "inspiration", true)), 5, 15)
	f.wantCount("a", body.CInspiration, 0)
	if roll := f.Roll("check/athletics"); roll.Total != 15 || len(roll.Edges) != 1 {
		t.Errorf("set and spent: %v", roll)
	}
}

// rcr.base.fifth-edition-fallback: what holds for one roll is used up by the one it weighs on,
// whether it adds a number, a die, advantage or disadvantage; by no other.
func TestEffectsOfOneRoll(t *testing.T) {
	for key, c := range map[string]struct {
		faces int
		used  bool
	}{
		"check":                                    {1, true},
		"check.d4":                                 {2, true},
		"check.strength":                           {1, true},
		body.ChAdvantage + "check":                 {2, true},
		body.ChDisadvantage + "check":              {2, true},
		body.ChDisadvantage + "check.strength":     {2, true},
		body.ChDisadvantage + "check.intelligence": {1, false},
		"check.intelligence":                       {1, false},
		"save":                                     {1, false},
		body.ChAdvantage + "save.strength":         {1, false},
	} {
		f := duel(t)
		f.boon("a", "omen", map[string]int32{key: 1, body.ChOnce: 1})
		f.Must(act("a", "called-check", "", "", withParameters("skill", "athletics", "dc", 12)), []int{3, 3}[:c.faces]...)
		f.wantHas("a", "effect.omen", !c.used)
	}
}

// rcr.dice.inspiration-fudge, rcr.setting.fudge-any-roll: inspiration is offered on failures alone, at
// tables that have it, to those who see the roll.
func TestWhenInspirationIsOffered(t *testing.T) {
	const rule = cite.DiceInspirationFudge
	check := act("a", "called-check", "", "", withParameters("skill", "athletics", "dc", 12))
	save := act("a", "called-save", "", "", withParameters("ability", "wisdom", "dc", 12))
	for name, c := range map[string]struct {
		settings []string
		mode     eventv1.RollMode
		cmd      *eventv1.Command
		face     int
		asked    bool
	}{
		"a failed check":                    {nil, 0, check, 11, true},
		"a check made":                      {nil, 0, check, 12, false},
		"a failed check, by another table":  {[]string{rule + "=off"}, 0, check, 11, false},
		"a failed check, unseen":            {nil, eventv1.RollMode_ROLL_MODE_BLIND, check, 11, false},
		"a failed save":                     {nil, 0, save, 11, false},
		"a failed save, any roll":           {[]string{body.SetFudgeAnyRoll + "=on"}, 0, save, 11, true},
		"a save made, any roll":             {[]string{body.SetFudgeAnyRoll + "=on"}, 0, save, 12, false},
		"a failed save, any roll of no use": {[]string{body.SetFudgeAnyRoll + "=on", rule + "=off"}, 0, save, 11, false},
	} {
		f := solo(t, c.settings, inspired)
		f.Mode = c.mode
		f.Must(c.cmd, c.face)
		if asked := len(f.Decisions) > 0; asked != c.asked {
			t.Errorf("%s: asked %v", name, asked)
		}
	}
}

// rcr.base.fifth-edition-fallback: whoever resists by a legend is asked about a failure that it sees,
// as long as it has uses.
func TestLegendsAreAskedOfWhatIsSeen(t *testing.T) {
	for name, c := range map[string]struct {
		mode eventv1.RollMode
		left int
		a    []string
		face int
		want bool
	}{
		"a failure":        {0, 1, []string{body.TraitLegendaryResistance}, 11, true},
		"a success":        {0, 1, []string{body.TraitLegendaryResistance}, 12, false},
		"no use left":      {0, 0, []string{body.TraitLegendaryResistance}, 11, false},
		"a failure unseen": {eventv1.RollMode_ROLL_MODE_BLIND, 1, []string{body.TraitLegendaryResistance}, 11, false},
		"no legend":        {0, 1, nil, 11, false},
	} {
		f := solo(t, nil, trait(c.a...), rcrSheet(func(s *eventv1.RcrSheet) {
			s.Resources = []*eventv1.RcrResource{{Name: body.TraitLegendaryResistance, Max: 3, Current: 3, Recharge: "day"}}
		}))
		f.Count("a", body.CLeft+body.TraitLegendaryResistance, c.left)
		f.Mode = c.mode
		f.Must(act("a", "called-save", "", "", withParameters("ability", "wisdom", "dc", 12)), c.face)
		if asked := len(f.Decisions) > 0; asked != c.want {
			t.Errorf("%s: asked %v", name, asked)
		}
	}
}

// rcr.base.fifth-edition-fallback: what lasts until the end of somebody's turn ends with that, not
// with another's.
func TestEndsOfTurns(t *testing.T) {
	for whose, left := range map[string]bool{"a": false, "b": true} {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
		f.Put("b", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondBlinded, Source: whose, Until: &eventv1.Until{When: body.UntilTurnEnd, Creature: whose, Turns: 1}}}})
		f.End("a", 3)
		f.wantHas("b", body.CondBlinded, left)
		f.Roller = func(int) int { return 10 }
		f.End("b")
		f.wantHas("b", body.CondBlinded, false)
	}
}

// rcr.base.fifth-edition-fallback: with concentration ends what the caster's own spell has laid,
// and what was readied of it: nothing of another's, of another spell, or of a weapon of that name.
func TestWhatConcentrationCarries(t *testing.T) {
	bolt := &eventv1.RcrAttack{Name: "hold", Natural: true, ReachFeet: 5, Damage: []*eventv1.RcrDamage{{Dice: "1d4", Type: "fire"}}}
	lapse := func(f *table) {
		f.Resolve(func(r *resolution) error {
			thedice.EndConcentration(r, "a", "test")
			return nil
		})
	}
	for name, c := range map[string]struct {
		x    *eventv1.Condition
		left bool
	}{
		"its own":           {&eventv1.Condition{Name: body.CondParalyzed, Source: "a", Cause: "hold"}, false},
		"another's":         {&eventv1.Condition{Name: body.CondParalyzed, Source: "z", Cause: "hold"}, true},
		"of another spell":  {&eventv1.Condition{Name: body.CondParalyzed, Source: "a", Cause: "ball"}, true},
		"of nobody's spell": {&eventv1.Condition{Name: body.CondParalyzed, Cause: "hold"}, true},
	} {
		f := casters(t)
		f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondConcentrating, Variant: "hold"}}})
		f.Put("b", &eventv1.Vitals{Conditions: []*eventv1.Condition{c.x}})
		lapse(f)
		f.wantHas("a", body.CondConcentrating, false)
		if got := body.Has(f.Creature("b"), body.CondParalyzed); got != c.left {
			t.Errorf("%s: left %v", name, got)
		}
	}
	for name, c := range map[string]struct {
		action, item string
		left         bool
	}{"the spell": {thedice.ReadyCast, "hold", false}, "another spell": {thedice.ReadyCast, "gesture", true}, "a weapon of its name": {thedice.ReadyAttack, "hold", true}} {
		f := newTable(t).add(fighter("a", "party", caster, rcrSheet(func(s *eventv1.RcrSheet) { s.Attacks = append(s.Attacks, bolt) })), fighter("b", "monsters")).start(nil, 20, 5)
		f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondConcentrating, Variant: "hold"}}})
		f.Resolve(func(r *resolution) error {
			r.Begin("a", &eventv1.Begun{Kind: body.BegunReadied, Action: &eventv1.TakeAction{Creature: "a", Action: c.action, Item: c.item, Targets: []string{"b"}}})
			return nil
		})
		lapse(f)
		if what, item := thedice.Readied(f.Creature("a")); (what != "") != c.left {
			t.Errorf("%s: %q %q readied", name, what, item)
		}
	}
}

// rcr.base.fifth-edition-fallback: help is used up by the attack or the check that it is for, and
// nothing that merely bears the same word is.
func TestWhatIsHelp(t *testing.T) {
	for name, helped := range map[string]bool{body.CondHelped: true, body.CondConcentrating: false} {
		f := duel(t)
		f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: name, Variant: "b", Source: "z"}}})
		f.Must(act("a", "attack", "sword", "b"), []int{2, 2}[:1+map[bool]int{true: 1}[helped]]...)
		f.wantHas("a", name, !helped)

		f = duel(t)
		f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: name, Variant: "check.athletics", Source: "z"}}})
		f.Must(act("a", "called-check", "", "", withParameters("skill", "athletics")), []int{2, 2}[:1+map[bool]int{true: 1}[helped]]...)
		f.wantHas("a", name, !helped)
	}
}

// rcr.dice.same-kind-no-stack: kinds that the game master gives one name count once; what has no kind
// is a kind of its own, whatever is said of none.
func TestKindsOfOneName(t *testing.T) {
	edges := []*eventv1.Edge{{Kind: "prone", Source: "prone"}, {Kind: "poison", Source: "poisoned"}, {Source: "the wind"}, {Source: "the rain"}}
	for name, c := range map[string]struct {
		kinds map[string]string
		want  []string
		pool  thedice.Pool
	}{
		"as they are":          {nil, []string{"prone", "poison", "", ""}, -2},
		"two of one":           {map[string]string{"prone": "body", "poison": "body"}, []string{"body", "body", "", ""}, -2},
		"nothing of no kind":   {map[string]string{"": "weather"}, []string{"prone", "poison", "", ""}, -2},
		"another of that name": {map[string]string{"prone": "poison"}, []string{"poison", "poison", "", ""}, -2},
	} {
		var got []string
		for _, e := range thedice.Merged(edges, c.kinds) {
			got = append(got, e.Kind)
		}
		if !slices.Equal(got, c.want) || thedice.Weigh(thedice.Merged(edges, c.kinds)) != c.pool {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := thedice.Weigh(thedice.Merged(edges[2:], map[string]string{"": "weather"})); got != -2 {
		t.Errorf("two without a kind: %d", got)
	}
}

// rcr.dice.group-check, rcr.dice.inspiration-fudge: what comes of two rolls is for those who saw both.
func TestWhoSawBoth(t *testing.T) {
	all, gm, a, b := event.Everyone(), event.GM(), event.Controllers("a"), event.Controllers("b")
	for _, c := range []struct{ one, other, want *eventv1.Audience }{
		{all, all, all}, {all, gm, gm}, {gm, all, gm}, {gm, gm, gm}, {a, all, a}, {all, a, a}, {a, a, a}, {a, b, gm}, {a, gm, gm}, {gm, a, gm}, {nil, a, a}, {a, nil, a},
	} {
		if got := thedice.Narrower(c.one, c.other); got.Kind != c.want.Kind || !slices.Equal(got.Creatures, c.want.Creatures) {
			t.Errorf("%v and %v: %v, want %v", c.one, c.other, got, c.want)
		}
	}
}

// rcr.initiative.dex-or-int, rcr.setting.initiative-is-check: where initiative is no check, what hampers
// checks leaves it alone, and hampers checks all the same.
func TestWhatInitiativeIs(t *testing.T) {
	for on, hampered := range map[string]bool{"on": true, "off": false} {
		f := newTable(t, body.SetInitiativeIsCheck+"="+on).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
		f.Afflict("a", body.CondPoisoned)
		for purpose, want := range map[string]bool{"initiative": hampered, "": true, "contest": true} {
			if got := len(thedice.CheckEdges(f.State, f.Creature("a"), "dexterity", "", purpose)) > 0; got != want {
				t.Errorf("initiative is a check %s, for %q: hampered %v", on, purpose, got)
			}
		}
	}
}

// rcr.base.attack-and-critical: dice that a sheet may hold are those that can always be rolled:
// exploding ones too, though they may come up highest for ever; nothing that could outgrow a number.
func TestDiceOfSheets(t *testing.T) {
	for text, ok := range map[string]bool{"2d6+3": true, "1d6!": true, "3d10!": true, "1000d6!": true, "1d": false, "": false, "100000d6": false,
		"1d6/0": false, "1d1000*1000000*1000000*1000000*1000000": false, "1d4*1000000*1000000*1000000": true, "1d1000*1000000*1000000*1000000": false} {
		if err := thedice.Rollable(text); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// rcr.base.fifth-edition-fallback: a die of none adds nothing, and none is rolled.
func TestDiceOfNone(t *testing.T) {
	for n, c := range map[int32]struct {
		faces []int
		total int32
	}{0: {[]int{10}, 10}, 1: {[]int{3, 10}, 13}, -1: {[]int{3, 10}, 7}} {
		f := duel(t)
		f.boon("a", "omen", map[string]int32{"check.d4": n})
		f.Must(act("a", "called-check", "", "", withParameters("skill", "athletics")), c.faces...)
		if got := f.Roll("check/athletics").Total; got != c.total {
			t.Errorf("%d dice: %d, want %d", n, got, c.total)
		}
	}
}

// rcr.base.fifth-edition-fallback: what a saving throw at the end of a turn has ended by what came of
// it is saved against no more.
func TestSavesAgainstWhatHasEnded(t *testing.T) {
	for hurts, saves := range map[string]int{"1": 2, "60": 1} {
		f := ruled(t, `{trigger: save-failed, whom: self, damage: {amount: "`+hurts+`", type: psychic}}`)
		f.add(fighter("a", "party", caster, save("constitution", 10)), fighter("b", "monsters")).start(nil, 20, 5)
		ends := map[string]int32{body.SaveEnds + "wisdom": 14}
		f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondConcentrating, Variant: "hold"},
			{Name: "effect.dread", Source: "b", Cause: "dread", Values: ends}, {Name: "effect.ward", Source: "a", Cause: "hold", Values: ends}}})
		f.Roller = func(int) int { return 5 }
		f.End("a")
		n := 0
		for _, e := range f.Events {
			if roll := e.GetRoll(); roll != nil && strings.HasPrefix(roll.Label, "save-ends/a/") && !strings.Contains(roll.Label, "save-failed") {
				n++
			}
		}
		if n != saves {
			t.Errorf("hurt by %s: %d saves, want %d", hurts, n, saves)
		}
	}
}
