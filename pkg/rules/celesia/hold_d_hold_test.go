package celesia

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// celesia.maneuver.chokehold-maintain-end: with the hold its chokehold ends, and nothing that another has done or that
// comes of something else.
func TestWhatEndsWithTheHold(t *testing.T) {
	f := grappled(t, fighter("a", "party"), fighter("b", "foes", unarmed()), 20)
	f.Afflict("b", body.CondChoked+"=air@a", body.CondSuffocating, body.CondChoked+"=air@c")
	f.Must(act("a", "release-grapple", "", ""))
	var left []string
	for _, x := range f.Creature("b").Conditions {
		left = append(left, x.Name+"@"+x.Source)
	}
	if !slices.Equal(left, []string{body.CondSuffocating + "@", body.CondChoked + "@c"}) {
		t.Errorf("left are %v", left)
	}
	f.wantCited(cite.ManeuverChokeholdMaintainEnd)
}

// celesia.maneuver.grapple-pull: a hold is torn when others move one of the two away, not while they are beside each other.
func TestHoldOfTwoWhoArePulledApart(t *testing.T) {
	for to, held := range map[[2]int32]bool{{5, 5}: true, {10, 5}: false, {5, -5}: true} {
		f := crowd(t, [][2]int32{{0, 0}, {5, 0}, {10, 0}}, fighter("a", "party"), fighter("b", "foes", unarmed()), fighter("c", "party"))
		f.Must(act("a", "grapple", "", "b"), 20)
		f.End("a")
		f.End("b")
		f.Roller = func(int) int { return 20 }
		f.Must(act("c", "reposition", "", "b", way(to[0], to[1])))
		f.wantAt("b", to[0], to[1])
		if got := answers.HeldBy(f.Creature("b")) == "a" && answers.Holds(f.Creature("a")) == "b"; got != held {
			t.Errorf("moved to %v: held %v", to, got)
		}
	}
}

// celesia.maneuver.grapple, celesia.maneuver.grapple-move: a holder goes nowhere before it has chosen to move the foe; held by
// another itself, it does not walk off at all.
func TestHolderWhoIsHeld(t *testing.T) {
	f := grappled(t, fighter("a", "party"), fighter("b", "foes", unarmed()), 20)
	wantReason(t, f.Try(act("a", "move", "", "", way(0, 5))), "HOLDING", cite.ManeuverGrappleMove)
	f.Afflict("a", body.CondGrappled+"@c")
	wantReason(t, f.Try(act("a", "move", "", "", way(0, 5))), "HELD", cite.ManeuverGrapple)
}

// celesia.action.ready: where nobody stands on a map, whoever comes near is who is said to.
func TestComingNearWithoutAMap(t *testing.T) {
	for name, c := range map[string]struct {
		facts []any
		asked bool
	}{"said": {[]any{"approaches", []string{"b"}}, true}, "said of another": {[]any{"approaches", []string{"a"}}, false}, "not said": {nil, false}} {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes"))
		f.start(nil, 15, 5)
		f.End("a")
		f.Must(act("b", "ready", "sword", "", withParameters("action", "attack", "trigger", "approach")))
		f.Must(act("a", "move", "", "", withFacts(c.facts...)))
		if asked := len(f.Decisions) > 0; asked != c.asked {
			t.Errorf("%s: asked %v", name, asked)
		}
	}
}

// celesia.maneuver.grapple-tie-up: a foe is tied up with a rope in hand, and with nothing else.
func TestRopesInHand(t *testing.T) {
	for _, c := range []struct {
		kind, place string
		offered     bool
	}{{body.ThingRope, body.PlaceMain, true}, {body.ThingRope, body.PlaceOff, true}, {body.ThingRope, body.PlaceCarried, false}, {"", body.PlaceMain, false}, {body.ThingGauntlet, body.PlaceWorn, false}} {
		f := held9(t, captive(), carrying(&eventv1.CelesiaThing{Name: "thing", Kind: c.kind, Place: c.place}))
		f.Must(act("a", "grapple-continued", "", ""), 20)
		if got := slices.Contains(optionIDs(t, f), "tie-up:thing"); got != c.offered {
			t.Errorf("%q in %q: offered %v", c.kind, c.place, got)
		}
	}
}

// celesia.maneuver.grapple-move: the foe is put in the space that is named, by both its numbers; else in the nearest. Who holds
// nobody puts nobody anywhere.
func TestSpaceNamedForTheFoe(t *testing.T) {
	moved := func(words ...any) *table {
		f := held9(t, captive())
		f.Must(act("a", "grapple-continued", "", ""), 20)
		f.Choose("move")
		f.Must(act("a", "move", "", "", way(0, 20), withParameters(words...)))
		return f
	}
	nearest := moved().Creature("b").Position
	for _, words := range [][]any{{"foe_x", 5.0}, {"foe_y", 25.0}, {"foe_z", 0.0}} {
		if at := moved(words...).Creature("b").Position; at.X != nearest.X || at.Y != nearest.Y {
			t.Errorf("%v: put at %v, want %v", words, at, nearest)
		}
	}
	moved("foe_x", -5.0, "foe_y", 25.0).wantAt("b", -5, 25)
	f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
	f.Must(act("a", "move", "", "", way(0, 20), withParameters("foe_x", 5.0, "foe_y", 20.0)))
	f.wantAt("a", 0, 20)
	f.wantAt("b", 5, 0)
}

// celesia.maneuver.grapple-pull: a foe is pulled into the nearest free space, whichever that is.
func TestPulledToTheOrigin(t *testing.T) {
	long := section(func(c *eventv1.CelesiaSheet) { c.ReachFeet = 10 })
	f := crowd(t, [][2]int32{{5, 0}, {-5, 0}, {0, 5}, {0, -5}}, fighter("a", "party", long), fighter("b", "foes", unarmed()), fighter("c", "party"), fighter("d", "party"))
	f.Must(act("a", "grapple", "", "b"), 20)
	f.wantAt("b", 0, 0)
}

// celesia.spell.degrees-combined: what a spell takes off an ability it takes from those whom it reached and who live, by
// the ability that it names, a point at least.
func TestPenaltiesOfSpells(t *testing.T) {
	base := func(change func(*eventv1.CelesiaSpell)) func(*eventv1.Sheet) {
		sp := &eventv1.CelesiaSpell{Name: "test", Casting: "swift", RangeFeet: 30, PenaltyAbility: "strength", PenaltyDice: "1d6", CasterLevel: 1, Supernatural: true}
		if change != nil {
			change(sp)
		}
		return spell(sp)
	}
	saves := func(effect string) func(*eventv1.CelesiaSpell) {
		return func(sp *eventv1.CelesiaSpell) { sp.Save, sp.SaveDc, sp.SaveEffect = "fortitude", 10, effect }
	}
	for name, c := range map[string]struct {
		change func(*eventv1.CelesiaSpell)
		do     func(f *table)
		faces  []int
		rolls  int
		want   int32 // of Strength, from 10
	}{
		"reached":                     {nil, nil, []int{3}, 1, 7},
		"a point":                     {nil, nil, []int{1}, 1, 9},
		"saved from it":               {saves("negates"), nil, []int{15}, 0, 10},
		"half":                        {saves("half"), nil, []int{15, 5}, 1, 8},
		"half a point":                {saves("half"), nil, []int{15, 1}, 1, 10},
		"half of two":                 {saves("half"), nil, []int{15, 2}, 1, 9},
		"dice of no ability":          {func(sp *eventv1.CelesiaSpell) { sp.PenaltyAbility = "" }, nil, nil, 0, 10},
		"who dies of it":              {func(sp *eventv1.CelesiaSpell) { sp.Dice = "3d10" }, func(f *table) { f.Hurt("b", 1) }, []int{10, 10, 10, 3}, 1, 10},
		"hurt and alive":              {func(sp *eventv1.CelesiaSpell) { sp.Dice = "3d10" }, nil, []int{1, 1, 1, 3}, 1, 7},
		"another spell's as well":     {nil, func(f *table) { penaltyOn(f, "b", "strength", "curse", 2) }, []int{3}, 1, 5},
		"a larger of the same spell":  {nil, func(f *table) { penaltyOn(f, "b", "strength", "test", 4) }, []int{3}, 1, 6},
		"a smaller of the same spell": {nil, func(f *table) { penaltyOn(f, "b", "strength", "test", 2) }, []int{3}, 1, 7},
		"as large of the same spell":  {nil, func(f *table) { penaltyOn(f, "b", "strength", "test", 3) }, []int{3}, 1, 7},
		"of another ability":          {nil, func(f *table) { penaltyOn(f, "b", "dexterity", "test", 4) }, []int{3}, 1, 7},
	} {
		t.Run(name, func(t *testing.T) {
			f := duel(t, fighter("a", "party", base(c.change)), fighter("b", "foes", unarmed(), immuneTo(body.ImmuneCritical)))
			if c.do != nil {
				c.do(f)
			}
			f.Must(act("a", "cast", "test", "b"), c.faces...)
			if n := len(f.Rolls("cast/penalty")); n != c.rolls {
				t.Errorf("%d rolls, want %d", n, c.rolls)
			}
			if got, _ := body.Score(f.Creature("b"), "strength"); got != c.want {
				t.Errorf("Strength %d, want %d: %v", got, c.want, f.Creature("b").Conditions)
			}
			if d, _ := body.Score(f.Creature("b"), "dexterity"); (d == 6) != (name == "of another ability") {
				t.Errorf("Dexterity %d", d)
			}
		})
	}
	t.Run("what else the spell lays stays", func(t *testing.T) {
		f := duel(t, fighter("a", "party", base(func(sp *eventv1.CelesiaSpell) { sp.Condition = body.CondShaken })), fighter("b", "foes", unarmed()))
		f.Afflict("b", body.CondSickened+"=strength") // with the cause that the spell has as its name
		for _, points := range []int{2, 4, 6} {
			f.Must(act("a", "cast", "test", "b"), points)
			if got, _ := body.Score(f.Creature("b"), "strength"); got != 10-int32(points) {
				t.Errorf("Strength %d after %d", got, points)
			}
			if f.count("b", body.CondShaken) != 1 || f.count("b", body.CondPenalty) != 1 || f.count("b", body.CondSickened) != 1 {
				t.Errorf("after %d: %v", points, f.Creature("b").Conditions)
			}
			f.End("a")
			f.End("b")
		}
	})
}

// penaltyOn lowers an ability by a spell of a name.
func penaltyOn(f *table, id, ability, cause string, points int32) {
	f.T.Helper()
	f.Put(id, &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondPenalty, Variant: ability, Cause: cause, Values: map[string]int32{body.ValuePoints: points}}}})
}

// celesia.spell.concentrate: a spell goes on for those who live, and for the dead no more.
func TestSpellOnTheDead(t *testing.T) {
	for face, tasks := range map[int]int{1: 1, 10: 0} {
		f := duel(t, fighter("a", "party", spell(&eventv1.CelesiaSpell{Name: "s", Casting: "swift", RangeFeet: 30, Dice: "3d10", Turns: 5, CasterLevel: 1})), fighter("b", "foes", unarmed(), immuneTo(body.ImmuneCritical)))
		f.Hurt("b", 4)
		f.Must(act("a", "cast", "s", "b"), face, face, face)
		if len(f.State.Tasks) != tasks {
			t.Errorf("faces of %d: %d go on, want %d", face, len(f.State.Tasks), tasks)
		}
	}
}

// celesia.spell.spell-combat: a spell of the magus that takes a standard action, and it must be named.
func TestSpellsOfSpellCombat(t *testing.T) {
	sp := func(name, casting string, magus bool) *eventv1.CelesiaSpell {
		return &eventv1.CelesiaSpell{Name: name, Casting: casting, Magus: magus, RangeFeet: 30, Dice: "1d6", CasterLevel: 1}
	}
	f := duel(t, fighter("a", "party", features(body.FeatSpellCombat), section(func(c *eventv1.CelesiaSheet) {
		c.Spells = []*eventv1.CelesiaSpell{sp("ray", "standard", true), sp("flash", "swift", true), sp("storm", "1-round", true), sp("bolt", "standard", false)}
	})), fighter("b", "foes", unarmed()))
	for _, o := range optionsOf(f, "a", "spell-combat") {
		if got, _ := wordsOf(o, "spell"); o.Legal && !slices.Equal(got, []string{"ray"}) {
			t.Errorf("offered %v", got)
		}
	}
	for _, name := range []string{"flash", "storm", "bolt", "rya"} {
		wantField(t, f.Try(act("a", "spell-combat", "sword", "b", withParameters("spell", name))), "take.parameters.spell", "is not one of", "ray")
	}
	wantField(t, f.Try(act("a", "spell-combat", "sword", "b")), "take.parameters.spell", "missing")
	f.Must(act("a", "spell-combat", "sword", "b", withParameters("spell", "ray")), 2, 4)
}

// celesia.turn.action-classes: no check takes fewer acts than none, or more than there are.
func TestActsThatAreNone(t *testing.T) {
	for action, words := range map[string][]any{"skill-check": {"skill", "climb"}, "manipulate": {"task", "lock"}, "begin-task": {"task", "lock", "needed", 6.0}} {
		for _, acts := range []float64{-1, -100000, 1e9, 4.5} {
			f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
			f.Roller = func(int) int { return 10 }
			if f.Try(act("a", action, "", "", withParameters(append([]any{"acts", acts}, words...)...))) == nil {
				t.Errorf("%s with %v acts", action, acts)
			}
		}
	}
}

// celesia.mount.shared-initiative: a mount that waits takes its turn with whoever mounts it, and none besides.
func TestMountThatDelays(t *testing.T) {
	f := newTable(t).add(fighter("a", "party"), horse(func(s *eventv1.Sheet) { s.Controllers = []string{"a-player"} }), fighter("b", "foes"))
	f.at("a", 0, 10)
	f.at("h", 0, 0)
	f.at("b", 200, 0)
	f.start(nil, 10, 5, 19) // h, a, b
	f.Must(act("h", "delay", "", ""))
	f.WantActive("a")
	f.Must(act("a", "mount", "", "h"))
	if f.acts("h") != 3 {
		t.Errorf("the mount has %d acts", f.acts("h"))
	}
	f.Must(act("a", "ride", "", "", gait("run", 200-10, 0)...))
	f.End("a")
	f.WantActive("b")
	f.End("b")
	f.WantActive("a")
	if f.acts("h") != 3 {
		t.Errorf("in the next round %d acts", f.acts("h"))
	}
}

// celesia.dice.stack-cancel: rows of content that are of one kind are one source, others each its own.
func TestKindsOfContentsRows(t *testing.T) {
	for kind, dice := range map[string]int{"glare": 2, "": 3} {
		f := plain(t, packed(t, map[string]string{"pack.yaml": "tables: [{name: situations, key_columns: 5}]\n",
			"tables/situations.csv": "rolls,who,condition,variant,limit,gives,kind,source,rule\n" +
				"attack,target,dazzled,,,advantage," + kind + ",WHO dazzled,celesia.dice.dis-dazzled\n" +
				"attack,target,deafened,,,advantage," + kind + ",WHO deafened,celesia.dice.dis-deafened\n"}))
		f.Afflict("b", "dazzled", "deafened")
		faces := []int{2, 3, 1}[:dice]
		f.Must(act("a", "attack", "sword", "b"), faces...)
		if got := f.Roll("/to-hit").Expression; got != body.Itoa(dice)+"d20kh1" {
			t.Errorf("kind %q: %s", kind, got)
		}
		f.wantCited("house.t.table-situations")
	}
}
