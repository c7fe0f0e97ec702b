package original

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/original/morale"
	"github.com/skaldrpg/skald/pkg/rules/original/moving"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Who comes, who goes, who is chased and by whom.

// joins adds a creature to a fight under way.
func (f *table) joins(s *eventv1.Sheet, staged bool) {
	f.T.Helper()
	f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: s, Staged: staged}}})
}

// original.morale.when: of a group half are gone by all who ever were of it: monsters who come
// later are, seen or not, characters are not, whatever group they name; those who were taken
// off the field still count.
func TestWhoComesLaterCounts(t *testing.T) {
	f := newTable(t).add(one("hero", "party"), one("o1", "orcs", group("orcs")), one("o2", "orcs", group("orcs"))).start(nil, 6, 1)
	count := func(when string, seen, unseen int64) {
		t.Helper()
		if a, b := f.State.Counters[body.CStart+"orcs"], f.State.Counters[body.CUnseen+"orcs"]; a != seen || b != unseen {
			t.Errorf("%s: %d and %d unseen, want %d and %d", when, a, b, seen, unseen)
		}
	}
	count("at the start", 2, 0)
	f.joins(one("pc", "party", group("orcs")), false)
	count("a character", 2, 0)
	f.joins(one("o3", "orcs", group("orcs")), false)
	count("one more", 3, 0)
	f.joins(one("o4", "orcs", group("orcs")), true)
	count("one unseen", 3, 1)
	f.leave("o1")
	f.leave("o2")
	f.Roller = func(int) int { return 1 }
	f.Hurt("o3", 0)
	if f.State.Counters[body.CFirst+"orcs"] != 1 || f.State.Counters[body.CHalf+"orcs"] != 0 {
		t.Fatalf("one of four: %v", f.State.Counters)
	}
	f.Hurt("o4", 0)
	if f.State.Counters[body.CHalf+"orcs"] != 1 {
		t.Fatalf("two of four: %v", f.State.Counters)
	}
}

// original.morale.table, original.morale.roll, original.surprise.monster-behaviour: a character
// is of no group of monsters, though it names one: it neither gives its morale nor breaks.
func TestACharacterOfAGroupsName(t *testing.T) {
	brave := func(n int32) func(*eventv1.Sheet) { return with(func(o *eventv1.OriginalSheet) { o.Morale = n }) }
	f := newTable(t).at(0, one("a", "party", group("orcs"), brave(12))).at(5, one("o1", "orcs", group("orcs"), brave(3))).at(100, one("o2", "orcs", group("orcs"), brave(4))).start(nil, 6, 1)
	if got := f.State.Counters[body.CStart+"orcs"]; got != 2 {
		t.Errorf("%d at the start", got)
	}
	if got := morale.Groups(f.State); !slices.Equal(got, []string{"orcs"}) {
		t.Errorf("%v", got)
	}
	f.Must(act("o1", body.ActCheckMorale, "", ""), 3, 2)
	if got := f.Roll("morale/orcs").Target.Value; got != 4 {
		t.Errorf("the bravest has %d", got)
	}
	f.Choose("flee")
	for id, want := range map[string]bool{"a": false, "o1": true, "o2": true} {
		if got := body.Has(f.Creature(id), body.CondRouted); got != want {
			t.Errorf("%s is routed: %v", id, got)
		}
	}
	// Of the free round of a surprise the game master is told what monsters do with it.
	for _, side := range []string{"orcs", "party"} {
		f := newTable(t).at(0, one("a", "party", group("orcs"))).at(30, one("o1", "orcs", group("orcs"))).start(object("surprised", []string{side}))
		if got := noted(f, "orcs close in or attack", body.SetBehaviour); got != (side == "party") {
			t.Errorf("%s are surprised: told %v", side, got)
		}
	}
	wantFault(t, newTable(t).add(one("a", "party", group("heroes")), one("o1", "orcs", group("orcs"))).Peek(&eventv1.Command{What: &eventv1.Command_Start{
		Start: &eventv1.StartEncounter{Facts: object("morale", []string{"heroes"})}}}), "start.facts.morale[0]")
}

// original.morale.roll: a morale of nothing and less is still that of a group: two dice never
// come to so little.
func TestMoraleOfNothing(t *testing.T) {
	for amount, want := range map[string]int32{"-4": 3, "-7": 0, "-20": 0} {
		f := pair(t, featOf(t, "    - modifier: {to: morale, amount: \""+amount+"\"}"), "b").start(nil, 6, 1)
		f.Must(act("b", body.ActCheckMorale, "", ""), 1, 1)
		roll := f.Roll("morale/b")
		if roll.Target.Value != want || len(roll.Target.Modifiers) == 0 {
			t.Errorf("7%s: %v", amount, roll.Target)
		}
		if asked := len(f.Decisions) == 1; asked != (want < 2) {
			t.Errorf("7%s: 2 against it: %v", amount, f.Decisions)
		}
	}
}

// original.pursuit.food, original.pursuit.treasure: who has a class, a level or a weapon made by
// hands has a mind, unless the sheet says otherwise.
func TestWhoHasAMind(t *testing.T) {
	claws := arms(&eventv1.OriginalWeapon{Name: "claws", Kind: "natural"})
	for name, c := range map[string]struct {
		sheet []func(*eventv1.Sheet)
		want  bool
	}{
		"claws":                 {sheets{claws}, false},
		"no weapon":             {sheets{arms()}, false},
		"a sword":               {sheets{arms(blade)}, true},
		"a sword, by the sheet": {sheets{arms(blade), dumb}, false},
		"claws and a class":     {sheets{claws, with(func(o *eventv1.OriginalSheet) { o.Class = "shaman" })}, true},
		"claws and a level":     {sheets{claws, with(func(o *eventv1.OriginalSheet) { o.Level = 2 })}, true},
		"claws, by the sheet":   {sheets{claws, with(func(o *eventv1.OriginalSheet) { yes := true; o.Intelligent = &yes })}, true},
	} {
		f := newTable(t).add(one("a", "party"), one("b", "beasts", append(sheets{group("beasts")}, c.sheet...)...))
		if got := moving.IntelligentGroup(f.State, "beasts"); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// original.pursuit.rounds-to-catch: within 10 feet is caught.
func TestCaughtAtTenFeet(t *testing.T) {
	for gap, want := range map[int]string{40: "", 41: "11:2"} {
		f := hunt(t, gap, 6, 6, 1, 1) // the wolves alone
		passRound(f)
		passRound(f)
		if got := f.gap("a", "wolves"); got != want || body.InMelee(f.Creature("a"), f.Creature("wolf")) != (want == "") {
			t.Errorf("%d less 30: %q", gap, got)
		}
		if want == "" && !noted(f, "a is caught by wolves", cite.PursuitRoundsToCatch) {
			t.Error("nothing is said")
		}
	}
}

// original.pursuit.rounds-to-catch: a chase is over when none of those who pursue can run, or
// the one who flees lies on the ground.
func TestAChaseWithoutRunners(t *testing.T) {
	for name, do := range map[string]func(f *table){
		"the wolf is dead":        func(f *table) { f.Hurt("wolf", 0) },
		"the wolf is knocked out": func(f *table) { f.stun("wolf", 20) },
		"the prey is knocked out": func(f *table) { f.stun("a", 50) },
	} {
		t.Run(name, func(t *testing.T) {
			f := hunt(t, 100, 6, 6, 1, 1)
			passRound(f)
			f.Roller = func(int) int { return 1 }
			do(f)
			passRound(f)
			if f.gap("a", "wolves") != "" || body.Has(f.Creature("a"), body.CondFleeing) || !noted(f, "wolves give up: nobody pursues any more", cite.PursuitRoundsToCatch) {
				t.Errorf("%q, %v", f.gap("a", "wolves"), f.Creature("a").Conditions)
			}
		})
	}
}

// original.pursuit.rounds-to-catch: a gap of nothing is one, as stated and on the map; the
// nearest of those who pursue counts, and the slowest sets their speed, though it stands.
func TestAGapOfNothing(t *testing.T) {
	f := hunt(t, 0, 6, 6, 1, 1)
	if !noted(f, "a is caught by wolves after 0 rounds", cite.PursuitRoundsToCatch) || f.gap("a", "wolves") != "0:1" {
		t.Errorf("as stated: %q", f.gap("a", "wolves"))
	}
	field := func(first, second int32) *table {
		f := newTable(t).at(0, one("a", "party", speed(90))).at(first, one("w1", "foes", group("wolves"), dumb, speed(120))).at(second, one("w2", "foes", group("wolves"), dumb, speed(120))).start(nil, 6, 1)
		f.Resolve(tie("a", body.RelApart, "w1"))
		return f
	}
	f = field(0, 50)
	f.Must(act("a", "flee", "", ""), 1, 1)
	if !noted(f, "a is caught by wolves after 0 rounds", cite.PursuitRoundsToCatch) || f.gap("a", "wolves") != "" {
		t.Errorf("on the same spot: %q", f.gap("a", "wolves"))
	}
	f = field(50, 400)
	f.Must(act("a", "flee", "", ""), 1, 1)
	if !noted(f, "a is caught by wolves after 1 rounds", cite.PursuitRoundsToCatch) {
		t.Errorf("50 and 400 feet: %v", f.Events)
	}

	pack := func() *table {
		return newTable(t).add(one("a", "party", speed(90)), one("w1", "foes", group("wolves"), dumb, speed(120)), one("w2", "foes", group("wolves"), dumb, speed(120))).start(nil, 6, 1)
	}
	f = pack()
	f.Afflict("w1", body.CondProne)
	f.Must(act("a", "flee", "", "", withFacts("gap", 50)), 1, 1)
	if !noted(f, "a is never caught by wolves", cite.PursuitRoundsToCatch) {
		t.Errorf("one lies on the ground: %v", f.Events)
	}
	f = pack()
	f.Must(act("a", "flee", "", "", withFacts("gap", 50)), 1, 1)
	passRound(f)
	f.Roller = func(int) int { return 1 } // half of them are out: morale holds
	f.Afflict("w1", body.CondStunned)
	passRound(f)
	if got := f.gap("a", "wolves"); got != "140:2" {
		t.Errorf("50 and 90 more: %q", got)
	}
}

// original.pursuit.rounds-to-catch, original.movement.retreat-contest: who breaks away off the
// map is as far off as it says that it ran, or else its full move; on the map its place tells.
func TestTheGapOfARetreat(t *testing.T) {
	for _, c := range []struct {
		name  string
		onMap bool
		take  func(*eventv1.TakeAction)
		gap   string
		note  string
	}{
		{"nothing is said", false, withFacts(), "90:1", "a is caught by wolves after 3 rounds"},
		{"60 feet", false, withParameters("feet", 60), "60:1", "a is caught by wolves after 2 rounds"},
		{"a gap as stated", false, withFacts("gap", 30), "30:1", "a is caught by wolves after 1 rounds"},
		{"a gap of nothing", false, withFacts("gap", 0), "0:1", "a is caught by wolves after 0 rounds"},
		{"on the map", true, path(-90), "", "a is caught by wolves after 1 rounds"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t)
			a, wolf := one("a", "party", speed(90), dex(0)), one("wolf", "foes", group("wolves"), dumb, speed(120), dex(0))
			if c.onMap {
				f.at(0, a).at(5, wolf).start(nil, 6, 1)
			} else {
				f.add(a, wolf).start(object("engaged", true), 6, 1)
			}
			f.Must(act("a", "retreat", "", "", c.take), 6, 1, 1, 1) // it gets away, and is pursued
			if got := f.gap("a", "wolves"); got != c.gap || !noted(f, c.note, cite.PursuitRoundsToCatch) {
				t.Errorf("%q, %v", got, f.Events)
			}
		})
	}
}

// original.pursuit.pursue-roll, original.movement.retreat-pursuit-roll: monsters who flee
// themselves pursue nobody; for characters who pursue nothing is rolled.
func TestWhoDoesNotPursueByTheDice(t *testing.T) {
	f := newTable(t).add(one("a", "party", speed(90)), one("wolf", "foes", group("wolves"), dumb), one("orc", "foes", group("orcs"))).start(nil, 6, 1, 1)
	f.Afflict("orc", body.CondFleeing)
	f.Must(act("a", "flee", "", ""), 1, 1)
	if body.Is(f.Creature("orc"), body.RelPursues, "a") || !body.Is(f.Creature("wolf"), body.RelPursues, "a") {
		t.Error("the orc pursues, or the wolf does not")
	}

	f = newTable(t).add(one("a", "party", speed(120)), one("orc", "foes", group("orcs"), speed(90))).start(nil, 1, 6)
	f.Must(act("orc", "flee", "", "", withFacts("gap", 50)))
	f.End("orc")
	f.Must(act("a", "pursue", "", "orc"))
	for _, evade := range []*eventv1.Command{act("orc", "slip-away", "", "", withParameters("way", "corner")), act("orc", "throw-treasure", "", ""), act("orc", "out-of-sight", "", "")} {
		f.Must(evade)
		if len(f.Decisions) > 0 || !body.Is(f.Creature("a"), body.RelPursues, "orc") {
			t.Errorf("%v: %v", evade, f.Decisions)
		}
	}
}

// original.pursuit.rounds-to-catch: when one of those who pursue leaves, the chase is over if it
// was the last of its group; what is not counted ends without a word.
func TestWhoseLeavingEndsAChase(t *testing.T) {
	const said = "nobody pursues any more"
	pack := func() *table {
		f := newTable(t).add(one("a", "party", speed(90)), one("w1", "foes", group("wolves"), dumb, speed(120)), one("w2", "foes", group("wolves"), dumb, speed(120))).start(nil, 6, 1)
		f.Must(act("a", "flee", "", "", withFacts("gap", 50)), 1, 1)
		return f
	}
	t.Run("one of two", func(t *testing.T) {
		f := pack()
		f.leave("w1")
		if noted(f, said, cite.PursuitRoundsToCatch) || f.gap("a", "wolves") != "50:1" {
			t.Errorf("%q", f.gap("a", "wolves"))
		}
		f.leave("w2")
		if !noted(f, said, cite.PursuitRoundsToCatch) || body.Has(f.Creature("a"), body.CondFleeing) {
			t.Error("it still flees")
		}
	})
	t.Run("the prey has left before", func(t *testing.T) {
		f := pack()
		f.leave("a")
		for _, id := range []string{"w1", "w2"} {
			f.leave(id)
			if noted(f, said, cite.PursuitRoundsToCatch) {
				t.Error(id)
			}
		}
	})
	t.Run("the last, in its turn at the end of a round", func(t *testing.T) {
		f := newTable(t).add(one("a", "party", speed(90)), one("wolf", "foes", dumb, speed(120)), one("orc", "foes", group("orcs"))).start(nil, 6, 3, 1)
		f.Must(act("a", "flee", "", "", withFacts("gap", 50)), 6, 6, 1, 1)
		passRound(f)
		for f.State.Active[0] != "wolf" {
			f.End(f.State.Active[0])
		}
		f.leave("wolf")
		if !noted(f, said, cite.PursuitRoundsToCatch) || f.State.Round != 3 || body.Has(f.Creature("a"), body.CondFleeing) {
			t.Errorf("round %d: %v", f.State.Round, f.Creature("a").Conditions)
		}
	})
	t.Run("on the map", func(t *testing.T) {
		f := newTable(t).at(0, one("a", "party", speed(90))).at(60, one("wolf", "foes", dumb, speed(120))).start(nil, 6, 1)
		f.Must(act("a", "flee", "", "", path(-90)), 1, 1)
		f.leave("wolf")
		if noted(f, said, cite.PursuitRoundsToCatch) {
			t.Error("nothing was counted")
		}
	})
	t.Run("a tie of another kind", func(t *testing.T) {
		f := pack()
		f.Put("w1", &eventv1.Vitals{Relations: []*eventv1.Relation{{Kind: body.RelFlanks, To: "a", Values: map[string]int32{body.ValGap: 5}}}})
		f.Resolve(func(r *rules.Resolution) error {
			r.Unrelate("w1", body.RelPursues, "a", "test")
			r.Unrelate("w2", body.RelPursues, "a", "test")
			return nil
		})
		f.leave("w1")
		if noted(f, said, cite.PursuitRoundsToCatch) {
			t.Error("it did not pursue")
		}
	})
}

// original.movement.retreat-passersby: whoever is near the way and free to strike has a free
// attack: by its place, unless an obstacle is between or the passers are stated; then those
// stated alone.
func TestWhoIsPassedInFlight(t *testing.T) {
	for _, c := range []struct {
		name  string
		place bool
		apart bool
		facts []any
		want  bool
	}{
		{"near the way", true, false, nil, true},
		{"behind an obstacle", true, true, nil, false},
		{"near it, but nobody is passed as stated", true, false, []any{"passes", []string{}}, false},
		{"as stated", true, false, []any{"passes", []string{"p"}}, true},
		{"without a place", false, false, nil, false},
		{"without a place, as stated", false, false, []any{"passes", []string{"p"}}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).at(0, one("a", "party", dex(0), points(50))).at(5, one("orc", "orcs", group("orcs"), dex(0)))
			p := one("p", "orcs", group("others"), dex(0))
			if c.place {
				f.at(-50, p)
			} else {
				f.add(p)
			}
			f.start(nil, 6, 1, 1)
			if c.apart {
				f.Resolve(tie("p", body.RelApart, "a"))
			}
			faces := []int{6, 1} // nobody's contest but the orc's, which it loses
			if c.want {
				faces = append(faces, 2)
			}
			f.Must(act("a", "retreat", "", "", path(-100), withFacts(c.facts...)), append(faces, 6, 6)...)
			if got := slices.Equal(f.Attacks(), []string{"p miss"}); got != c.want {
				t.Errorf("%v", f.Attacks())
			}
		})
	}
	f := newTable(t).at(0, one("a", "party")).at(5, one("orc", "orcs")).at(50, one("friend", "party")).start(nil, 6, 1, 2)
	for _, id := range []string{"nobody", "friend", "a"} {
		if err := f.Try(act("a", "retreat", "", "", path(-100), withFacts("passes", []string{id}))); reasonOf(err) == "" {
			t.Errorf("%s is passed", id)
		}
	}
	wantFault(t, f.Try(act("a", "retreat", "", "", path(-100), withFacts("passes", []string{"orc", "orc"}))), "take.facts.passes[1]")
}

// original.movement.retreat-parting-shot, original.fumble.table: free attacks fall one after the
// other by the totals of the contest; who has been struck down by one before has none.
func TestAShooterStruckDown(t *testing.T) {
	for _, c := range []struct {
		name  string
		faces []int
		want  []string
	}{
		{"the first fumbles and kills the second", []int{1, 6, 5, 1, 10, 6, 6, 6, 6, 1, 1}, []string{"o1 fumble"}},
		{"the first misses", []int{1, 6, 5, 2, 2, 6, 6}, []string{"o1 miss", "o2 miss"}},
		{"the second is the first", []int{1, 5, 6, 2, 2, 6, 6}, []string{"o2 miss", "o1 miss"}},
	} {
		f := newTable(t, body.SetFumble+"=on").at(0, one("a", "party", dex(0), points(50))).at(5, one("o1", "orcs", group("orcs"), dex(0), points(2))).at(6, one("o2", "orcs", group("orcs"), dex(0), points(2))).start(nil, 6, 1)
		f.Must(act("a", "retreat", "", "", path(-100)), c.faces...)
		if got := f.Attacks(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// original.movement.through-line, original.movement.engaged-restricts: a way that is not on the
// map leads past all who are named; a foe in melee without a place is left by any way on it,
// and by a shift of place.
func TestAWayPartlyOnTheMap(t *testing.T) {
	rolled := func(f *table) (who []string) {
		for _, e := range f.Events {
			if label, is := strings.CutPrefix(e.GetRoll().GetLabel(), "contest/"); is {
				who = append(who, label)
			}
		}
		return who
	}
	f := newTable(t).at(0, one("a", "party", dex(0))).at(8, one("orc", "orcs", dex(0))).start(nil, 6, 1)
	f.Must(act("a", "through", "", "orc", withParameters("feet", 20)), 6, 1)
	if got := rolled(f); !slices.Equal(got, []string{"a", "orc"}) || f.Creature("a").Counters[body.CMoved] != 20 {
		t.Errorf("%v", got)
	}
	for _, engaged := range []bool{true, false} {
		f := newTable(t).at(0, one("a", "party", dex(0))).at(20, one("orc", "orcs", dex(0), group("orcs"))).add(one("ghost", "orcs", dex(0), group("ghosts"))).start(nil, 6, 1, 1)
		want, faces := []string{"a", "orc"}, []int{6, 1}
		if engaged {
			f.Resolve(tie("a", body.RelEngaged, "ghost"))
			want, faces = []string{"a", "orc", "ghost"}, []int{6, 1, 1}
			wantRefused(t, f.Try(act("a", "move", "", "", path(4))), cite.MovementEngagedRestricts)
		} else if err := f.Peek(act("a", "move", "", "", path(4))); err != nil {
			t.Error(err)
		}
		f.Must(act("a", "through", "", "orc", path(40)), faces...)
		if got := rolled(f); !slices.Equal(got, want) {
			t.Errorf("engaged %v: %v", engaged, got)
		}
	}
	// Room between the foes may be stated, and denied.
	f = newTable(t).at(0, one("a", "party", dex(0))).at(20, one("orc", "orcs", dex(0))).start(nil, 6, 1)
	wantRefused(t, f.Try(act("a", "through", "", "orc", path(40), withFacts("room", false))), cite.MovementThroughLine)
	f.Must(act("a", "through", "", "orc", path(40), withFacts("room", true)), 6, 1)
}
