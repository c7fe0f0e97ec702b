package original

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Each arm of a condition by itself, and what happens the second time.

// original.spell.lost-when-opponent-won: who is hit twice loses one spell.
func TestACasterHitTwiceLosesOneSpell(t *testing.T) {
	f := newTable(t).at(0, mage()).at(5, one("o1", "orcs", group("one"), need(10))).at(-5, one("o2", "orcs", group("two"), need(10))).start(nil, 1, 6, 5)
	f.Must(act("mage", "prepare", "bolt", ""))
	f.Must(act("o1", "attack", "sword", "mage"), 10, 1)
	f.End("o1")
	f.Must(act("o2", "attack", "sword", "mage"), 10, 1)
	if noted(f, "bolt is lost", cite.SpellLostWhenOpponentWon) || f.Creature("mage").Counters[body.CLeft+"bolt"] != 1 {
		t.Fatalf("one of two bolts is left: %v", f.Creature("mage").Counters)
	}
	n := 0
	for _, x := range f.Creature("mage").Conditions {
		if x.Name == body.CondDisturbed {
			n++
		}
	}
	if n != 1 || rules.BegunOf(f.Creature("mage"), body.BegunPreparing) != nil {
		t.Fatalf("disturbed %d times: %v", n, f.Creature("mage").Begun)
	}
}

// original.spell.caster-won: what was announced is over when it is cast, and who was
// hurt afterwards loses nothing.
func TestACastSpellIsNoLongerPrepared(t *testing.T) {
	f := newTable(t).at(0, mage()).at(5, one("orc", "orcs", need(10), points(90))).start(nil, 6, 1)
	f.Must(act("mage", "prepare", "bolt", ""))
	f.Must(act("mage", "cast", "bolt", "orc"), 3)
	if !slices.ContainsFunc(f.Events, func(e *eventv1.Event) bool {
		a := e.GetAction()
		return a.GetCreature() == "mage" && a.Action == "cast" && a.Item == "bolt" && slices.Equal(a.Targets, []string{"orc"})
	}) || thestrike.Preparing(f.Creature("mage")) != "" {
		t.Fatalf("it is told and done: %v", f.Creature("mage").Begun)
	}
	f.End("mage")
	f.Must(act("orc", "attack", "sword", "mage"), 10, 1)
	if f.Creature("mage").Counters[body.CLeft+"bolt"] != 1 || body.Has(f.Creature("mage"), body.CondDisturbed) {
		t.Fatal("it went off")
	}
}

// original.spell.lost-when-opponent-won: neither the knocked out nor the helpless
// prepare a spell, each by itself.
func TestWhoCannotPrepare(t *testing.T) {
	for name, hinder := range map[string]func(f *table){
		"knocked out": func(f *table) { f.Hurt("mage", 0); f.Count("mage", body.CTemporary, 30) },
		"held":        func(f *table) { f.Afflict("mage", body.CondHeld) },
		"stunned":     func(f *table) { f.Afflict("mage", body.CondStunned) },
	} {
		f := newTable(t).at(0, mage()).at(5, one("orc", "orcs")).start(nil, 1, 6)
		f.Must(act("mage", "prepare", "bolt", ""))
		f = newTable(t).at(0, mage()).at(5, one("orc", "orcs")).start(nil, 1, 6)
		hinder(f)
		if err := f.Try(act("mage", "prepare", "bolt", "")); err == nil {
			t.Errorf("%s: it prepares", name)
		}
	}
}

// original.spell.tie-save, original.initiative.reach-first-strike: who strikes a caster
// in the caster's place but not in its own goes before it, and costs the spell.
func TestAReachStrikeIsNotOfTheSameTime(t *testing.T) {
	pole := &eventv1.OriginalWeapon{Name: "long spear", Kind: "long-spear"}
	f := newTable(t).at(0, mage()).at(60, one("orc", "orcs", need(10), arms(pole))).start(nil, 6, 1)
	f.Must(act("mage", "prepare", "bolt", ""))
	f.Must(act("mage", "move", "", "", path(55)))
	f.Must(act("mage", "attack", "sword", "orc"))
	f.Answer(body.DecReach, "yes", 10, 1, 2)
	if !noted(f, "bolt is lost", cite.SpellLostWhenOpponentWon) || len(rules.RelatedTo(f.Creature("mage"), body.RelDisturbed)) != 0 {
		t.Fatalf("%v", f.Creature("mage").Relations)
	}
}

// original.pursuit.rounds-to-catch: a gap that is stated counts before places, and
// without either the way that was run.
func TestTheGapOfAChase(t *testing.T) {
	for _, c := range []struct {
		name  string
		onMap bool
		to    int32
		facts []func(*eventv1.TakeAction)
		note  string
		gap   string
	}{
		{"nothing is known: 90 feet were run, 30 are gained", false, 0, nil, "caught by wolf after 3 rounds", "90:1"},
		{"10 feet are near enough", false, 0, []func(*eventv1.TakeAction){withFacts("gap", 10)}, "caught by wolf after 0 rounds", "10:1"},
		{"a gap stated on the map", true, -90, []func(*eventv1.TakeAction){withFacts("gap", 100)}, "caught by wolf after 3 rounds", ""},
		{"the map: 60, 90 and 120", true, -90, nil, "caught by wolf after 2 rounds", ""},
		{"the map: it runs into the wolf", true, 50, nil, "caught by wolf after 0 rounds", ""},
	} {
		f := newTable(t)
		more := c.facts
		if c.onMap {
			f.at(0, one("a", "party", speed(90))).at(60, one("wolf", "foes", dumb, speed(120)))
			more = append(more, path(c.to))
		} else {
			f.add(one("a", "party", speed(90)), one("wolf", "foes", dumb, speed(120)))
			more = append(more, withParameters("feet", 90))
		}
		f.start(nil, 6, 1)
		f.Must(act("a", "flee", "", "", more...), 1, 1)
		if !noted(f, c.note, cite.PursuitRoundsToCatch) || f.gap("a", "wolf") != c.gap {
			t.Errorf("%s: %q, %v", c.name, f.gap("a", "wolf"), f.Events)
		}
	}
}

// original.pursuit.rounds-to-catch: how far the sides were apart when they met is the
// gap where nothing else is known.
func TestTheDistanceOfTheMeetingIsTheGap(t *testing.T) {
	for _, onMap := range []bool{false, true} {
		f := newTable(t)
		var way func(*eventv1.TakeAction)
		if onMap {
			f.at(0, one("a", "party", speed(90))).at(60, one("wolf", "foes", dumb, speed(120)))
			way = path(-90)
		} else {
			f.add(one("a", "party", speed(90)), one("wolf", "foes", dumb, speed(120)))
			way = withParameters("feet", 90)
		}
		f.start(object("distance", 130), 6, 1)
		f.Must(act("a", "flee", "", "", way), 1, 1)
		want := map[bool]string{false: "after 4 rounds", true: "after 2 rounds"}[onMap]
		if !noted(f, want, cite.PursuitRoundsToCatch) {
			t.Errorf("on the map %v: %v", onMap, f.Events)
		}
	}
}

// original.morale.when: half are out by death, by being knocked out and by being
// helpless, each by itself; one of three is not half.
func TestHalfAGroupIsOut(t *testing.T) {
	for name, c := range map[string]struct {
		out  func(f *table)
		many int
		asks bool
	}{
		"knocked out":          {func(f *table) { f.Hurt("o1", 0); f.Count("o1", body.CTemporary, 20) }, 2, true},
		"held":                 {func(f *table) { f.Afflict("o1", body.CondHeld) }, 2, true},
		"held, one of three":   {func(f *table) { f.Afflict("o1", body.CondHeld) }, 3, false},
		"only off its feet":    {func(f *table) { f.Afflict("o1", body.CondProne) }, 2, false},
		"a player's character": {func(f *table) { f.Afflict("a", body.CondHeld) }, 2, false},
	} {
		f := newTable(t).at(0, one("a", "party"))
		for i := range c.many {
			f.at(int32(200+i), one("o"+body.Itoa(i+1), "orcs", group("orcs")))
		}
		f.start(nil, 6, 1)
		f.Roller = func(int) int { return 1 }
		before := len(f.Log)
		c.out(f)
		n := 0
		for _, e := range f.Log[before:] {
			if e.GetRoll().GetLabel() == "morale/orcs" {
				n++
			}
		}
		if (n == 1) != c.asks || n > 1 {
			t.Errorf("%s: %d checks", name, n)
		}
	}
}

// original.pursuit.rounds-to-catch: the nearest of a group counts, whoever is first by
// id; who cannot run in this round any more runs in the next, after the one who flees.
func TestWhoRunsInTheRoundOfTheFlight(t *testing.T) {
	wolves := func(first, second int32, die int) *table {
		return newTable(t).at(0, one("a", "party", speed(90))).at(first, one("wolf-1", "foes", group("wolves"), dumb, speed(120))).
			at(second, one("wolf-2", "foes", group("wolves"), dumb, speed(120))).start(nil, 3, die)
	}
	for _, c := range []struct {
		name string
		f    *table
		do   func(f *table)
		to   int32
		note string
	}{
		{"the first is nearer", wolves(60, 160, 1), nil, -90, "after 2 rounds"},
		{"the second is nearer", wolves(160, 60, 1), nil, -90, "after 2 rounds"},
		{"it runs into the second", wolves(160, 60, 1), nil, 50, "after 0 rounds"},
		{"they let their turn go at the same time", wolves(160, 60, 3), func(f *table) { f.End("wolf-1"); f.End("wolf-2") }, -90, "after 5 rounds"},
		{"the nearer parries, and runs in the next round", wolves(400, 60, 1), func(f *table) { f.Must(act("wolf-2", "parry", "", "")) }, -90, "after 5 rounds"},
	} {
		if c.do != nil {
			c.do(c.f)
		}
		c.f.Must(act("a", "flee", "", "", path(c.to)), 1, 1)
		if !noted(c.f, c.note, cite.PursuitRoundsToCatch) {
			t.Errorf("%s: %v", c.name, c.f.Events)
		}
	}
}

// original.pursuit.rounds-to-catch: what a pursuer does beside running slows it in that
// round; who is out of it runs no more and slows nobody.
func TestHowFarPursuersRan(t *testing.T) {
	for name, c := range map[string]struct {
		do  func(f *table)
		gap string
	}{
		"nothing":                           {func(f *table) { f.End("wolf") }, "60:2"}, // the slow one: 110
		"it attacks: half of 120":           {func(f *table) { f.Must(act("wolf", "attack", "", "b", withFacts("in_reach", true))); f.End("wolf") }, "110:2"},
		"it parries: half of 120":           {func(f *table) { f.Must(act("wolf", "parry", "", "")); f.End("wolf") }, "110:2"},
		"the slow one is out":               {func(f *table) { f.Hurt("slow", 0); f.Count("slow", body.CTemporary, 20); f.End("wolf") }, "50:2"},
		"the slow one is held":              {func(f *table) { f.Afflict("slow", body.CondHeld); f.End("wolf") }, "170:2"},
		"the slow one attacks: half of 110": {func(f *table) { f.Must(act("slow", "attack", "", "b", withFacts("in_reach", true))); f.End("wolf") }, "115:2"},
	} {
		f := newTable(t).add(one("a", "party", speed(90)), one("b", "party", points(90)), one("wolf", "foes", group("wolves"), dumb, speed(120)),
			one("slow", "foes", group("wolves"), dumb, speed(110))).start(nil, 6, 5, 1)
		f.Must(act("a", "flee", "", "", withFacts("gap", 80)), 1, 1)
		passRound(f)
		f.End("a")
		f.End("b")
		f.Roller = func(int) int { return 1 } // blows miss, and morale holds
		c.do(f)
		if f.State.Round == 2 {
			if slices.Contains(f.State.Active, "slow") {
				f.End("slow")
			}
		}
		if got := f.gap("a", "wolves"); got != c.gap {
			t.Errorf("%s: %q, want %q", name, got, c.gap)
		}
	}
}

// original.pursuit.rounds-to-catch: the slowest of a side that flees from the same
// pursuers sets its speed; others do not.
func TestWhoseSpeedCountsInAFlight(t *testing.T) {
	field := func(b ...func(*eventv1.Sheet)) *table {
		return newTable(t, body.SetPartyDie+"=on").add(one("a", "party", speed(90)), one("b", "party", b...), one("orc", "foes", group("orcs"), speed(90)),
			one("wolf", "foes", group("wolves"), dumb, speed(120)))
	}
	gap := withFacts("gap", 80)

	f := field(speed(60)).start(nil, 6, 1, 1)
	f.Must(act("a", "flee", "", "", gap), 6, 6, 1, 1) // the orcs let go, the wolves come
	f.Must(act("b", "flee", "", "", gap))
	passRound(f)
	passRound(f)
	if a, b := f.gap("a", "wolves"), f.gap("b", "wolves"); a != "20:2" || b != "20:2" {
		t.Errorf("both go by 60: %q %q", a, b)
	}

	// One who has turned sets no speed, and is come up to.
	f = field(speed(60)).start(nil, 6, 1, 1)
	f.Must(act("a", "flee", "", "", gap), 6, 6, 1, 1)
	f.Must(act("b", "flee", "", "", gap))
	passRound(f)
	f.Must(act("b", "turn", "", ""))
	passRound(f)
	if a := f.gap("a", "wolves"); a != "50:2" || !body.InMelee(f.Creature("b"), f.Creature("wolf")) {
		t.Errorf("a goes by 90, b stands: %q", a)
	}

	// One who flees from others only.
	f = field(speed(30)).start(nil, 6, 1, 1)
	f.Must(act("a", "flee", "", "", gap), 6, 6, 1, 1)
	passRound(f)
	f.Must(act("b", "flee", "", "", gap), 1, 1, 6, 6) // the orcs come, the wolves let it go
	passRound(f)
	passRound(f)
	if a, b := f.gap("a", "wolves"), f.gap("b", "orcs"); a != "20:3" || b != "20:3" {
		t.Errorf("80, 50, 20 feet, and 80, 20: %q %q", a, b)
	}

	// One of another side.
	f = newTable(t).add(one("a", "party", speed(90)), one("third", "others", group("others"), speed(30)), one("wolf", "foes", group("wolves"), dumb, speed(120))).start(nil, 6, 5, 1)
	f.Must(act("a", "flee", "", "", gap), 6, 6, 1, 1)
	f.End("a")
	f.Must(act("third", "flee", "", "", gap), 1, 1)
	passRound(f)
	passRound(f)
	if got := f.gap("a", "wolves"); got != "50:2" || !body.InMelee(f.Creature("third"), f.Creature("wolf")) {
		t.Errorf("a goes by 90: %q", got)
	}
}
