package original

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/original/reach"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// pin is a fight in whose first round an orc has pinned a thief of level 2: 6 against 2
// and 3; a stranger of the orc's side stands by.
func pin(t *testing.T) *table {
	t.Helper()
	f := newTable(t).at(0, one("hero", "party", class("thief", 2), points(50))).at(5, one("orc", "orcs", group("orcs"), ac0(19), points(50))).
		at(8, one("pig", "orcs", group("orcs"), ac0(19), points(50))).start(nil, 1, 6)
	f.Must(act("orc", "grapple", "", "hero"), 19, 6, 3, 2)
	if !body.Has(f.Creature("hero"), body.CondPinned) || body.Holding(f.Creature("orc")) != "hero" {
		t.Fatalf("%v", f.Creature("hero").Conditions)
	}
	return f
}

// round ends turns until the next round, or until somebody is asked.
func (f *table) round() {
	f.T.Helper()
	for n := f.State.Round; f.State.Round == n && len(f.Decisions) == 0; {
		f.End(f.State.Active[0])
	}
}

// original.grapple.to-hit: who lets go frees the one it held, and that takes its attack of the round; who holds nobody lets go of nobody
func TestLettingGo(t *testing.T) {
	f := pin(t)
	wantRefused(t, f.Try(act("pig", "let-go", "", "")), cite.GrappleToHit)
	f.round()
	f.Answer(body.DecStruggle, "no")
	f.WantActive("orc", "pig")
	f.Must(act("orc", "let-go", "", ""))
	if body.Holding(f.Creature("orc")) != "" || body.Has(f.Creature("hero"), body.CondPinned) || f.Creature("orc").Counters[body.CAttacks] != 1 {
		t.Fatalf("%v, %v", f.Creature("orc"), f.Creature("hero").Conditions)
	}
	told := slices.ContainsFunc(f.Events, func(e *eventv1.Event) bool {
		return e.GetAction().GetAction() == "let-go" && slices.Equal(e.GetAction().Targets, []string{"hero"})
	})
	if !told {
		t.Error("nobody is told")
	}
	wantRefused(t, f.Try(act("orc", "attack", "sword", "hero"), 2), cite.AttackMultiVsNormalMen)
	f.End("orc")
	f.End("pig")
	f.Must(act("hero", "attack", "sword", "orc"), 2)
}

// original.grapple.pinned: whoever is pinned says in each round whether it struggles; who does not stays pinned, without a die
func TestStrugglingAgainstAPin(t *testing.T) {
	f := pin(t)
	f.round()
	f.Answer(body.DecStruggle, "no")
	if !body.Has(f.Creature("hero"), body.CondPinned) || len(f.Rolls("contest/hero")) > 0 {
		t.Fatal("it struggled")
	}
	f.round()
	f.Answer(body.DecStruggle, "yes", 4, 3, 2, 1, 1) // 4 against 5: thrown off for a round; and morale
	if body.Has(f.Creature("hero"), body.CondPinned) || !body.Has(f.Creature("orc"), body.CondStunned) {
		t.Fatalf("%v, %v", f.Creature("hero").Conditions, f.Creature("orc").Conditions)
	}
}

// original.grapple.pinned, original.grapple.to-hit: a hold ends with whoever holds and with whoever is held, and with nothing else
func TestWhatEndsAHold(t *testing.T) {
	none := int32(0)
	for name, c := range map[string]struct {
		do          func(f *table)
		held, holds bool
	}{
		"a scratch":              {func(f *table) { f.Hurt("orc", 20) }, true, true},
		"another of them dies":   {func(f *table) { f.Put("pig", &eventv1.Vitals{Hp: &none}) }, true, true},
		"the holder dies":        {func(f *table) { f.Put("orc", &eventv1.Vitals{Hp: &none}) }, false, false},
		"the holder is helpless": {func(f *table) { f.Afflict("orc", body.CondStunned) }, false, false},
		"the held one dies":      {func(f *table) { f.Put("hero", &eventv1.Vitals{Hp: &none}) }, false, false},
		"the holder leaves":      {func(f *table) { f.leave("orc") }, false, false},
		"another of them leaves": {func(f *table) { f.leave("pig") }, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			f := pin(t)
			f.Roller = func(int) int { return 1 } // morale may be rolled
			c.do(f)
			if held := body.Has(f.Creature("hero"), body.CondPinned); held != c.held {
				t.Errorf("pinned %v", held)
			}
			if holds := f.State.Creatures["orc"] != nil && body.Holding(f.Creature("orc")) != ""; holds != c.holds {
				t.Errorf("holds %v", holds)
			}
		})
	}
	// What the game master has laid nobody lets go of.
	f := newTable(t).at(0, one("hero", "party")).at(5, one("orc", "orcs")).start(nil, 1, 6)
	f.Afflict("hero", body.CondPinned)
	f.Hurt("orc", 1)
	if !body.Has(f.Creature("hero"), body.CondPinned) {
		t.Error("it is free")
	}
}

func (f *table) leave(id string) {
	f.T.Helper()
	f.Must(&eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: id}}})
}

// original.grapple.to-hit: who may be called upon to grapple too
func TestWhoGrapplesToo(t *testing.T) {
	for _, c := range []struct {
		with   []string
		reason string
	}{
		{[]string{"b"}, ""}, {[]string{"b", "c"}, ""}, {[]string{"a"}, "INVALID"}, {[]string{"b", "b"}, "INVALID"}, {[]string{"hero"}, "INVALID"}, {[]string{"nobody"}, "INVALID"},
		{[]string{"late"}, "NOT_YOUR_TURN"}, {[]string{"stunned"}, "NOT_YOUR_TURN"}, {[]string{"done"}, "NO_ATTACK"},
	} {
		f := newTable(t).at(0, one("hero", "party", class("thief", 2), points(50)))
		for i, id := range []string{"a", "b", "c", "stunned", "done"} {
			f.at(1+int32(i), one(id, "orcs", group("orcs"), ac0(19), points(50)))
		}
		f.at(-5, one("late", "orcs", group("pigs"), points(50))).start(nil, 2, 6, 1)
		f.Afflict("stunned", body.CondStunned)
		f.Count("done", body.CAttacks, 1)
		faces := []int{2}
		for range c.with {
			faces = append(faces, 2)
		}
		err := f.Try(act("a", "grapple", "", "hero", withParameters("with", c.with)), faces...)
		got := reasonOf(err)
		if c.reason == "INVALID" && err != nil && got != "NOT_YOUR_TURN" && got != "NO_ATTACK" {
			continue
		}
		if got != c.reason {
			t.Errorf("%v: %v, want %q", c.with, err, c.reason)
		}
	}
}

// original.movement.running, original.movement.free-disengage, original.movement.fighting-withdrawal: without a map those who walk away are in melee no longer, and who stays is
func TestPartingWithoutAMap(t *testing.T) {
	for _, c := range []struct {
		action string
		feet   int
		melee  bool
	}{{"withdraw", 0, true}, {"withdraw", 10, false}, {"disengage", 10, false}} {
		f := newTable(t).add(one("a", "party"), one("c", "party"), one("orc", "orcs", points(50))).start(object("engaged", true), 6, 3, 1)
		if !body.InMelee(f.Creature("a"), f.Creature("orc")) {
			t.Fatal("not in melee")
		}
		f.Must(act("a", c.action, "", "", withParameters("feet", c.feet)))
		for len(f.Decisions) > 0 {
			f.Answer(f.Decisions[0].Name, "no")
		}
		if got := body.InMelee(f.Creature("a"), f.Creature("orc")); got != c.melee {
			t.Errorf("%s %d feet: in melee %v", c.action, c.feet, got)
		}
		if !body.InMelee(f.Creature("c"), f.Creature("orc")) {
			t.Errorf("%s %d feet: the other has parted", c.action, c.feet)
		}
	}
}

// original.movement.running: whoever has done anything else in the round does not run, nor who is in melee or cannot move
func TestWhoRuns(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(f *table)
		rule string
	}{
		"nothing done":  {func(*table) {}, ""},
		"has attacked":  {func(f *table) { f.Count("b", body.CAttacks, 1) }, cite.MovementRunning},
		"has moved":     {func(f *table) { f.Count("b", body.CMoved, 5) }, cite.MovementRunning},
		"parries":       {func(f *table) { f.Afflict("b", body.CondParrying) }, cite.MovementRunning},
		"a foe at hand": {func(f *table) { f.Place("a", 110, 0) }, cite.MovementEngagedRestricts},
		"a foe apart":   {func(f *table) { f.Place("a", 111, 0) }, ""},
	} {
		f := newTable(t).at(0, one("a", "party")).at(100, strongFoe()).start(nil, 1, 6)
		c.do(f)
		err := f.Try(act("b", "run", "", "", withParameters("feet", 30)))
		if c.rule == "" && err != nil {
			t.Errorf("%s: %v", name, err)
		} else if c.rule != "" {
			wantRefused(t, err, c.rule)
		}
	}
	f := newTable(t).at(0, one("a", "party")).at(100, strongFoe(speed(0))).start(nil, 1, 6)
	wantRefused(t, f.Try(act("b", "run", "", "")), cite.MovementRunning)
}

// original.attack.florentine-advantage: taking up two weapons and going back to one are told, with both names
func TestTakingUpTwoWeaponsIsTold(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", class("fighter", 1), arms(&eventv1.OriginalWeapon{Name: "sword"}, &eventv1.OriginalWeapon{Name: "blade"}))).at(50, strongFoe()).start(nil, 6, 1)
	told := func(action, item string, notes ...string) bool {
		return slices.ContainsFunc(f.Events, func(e *eventv1.Event) bool {
			x := e.GetAction()
			return x.GetAction() == action && x.GetItem() == item && slices.Equal(x.GetNotes(), notes)
		})
	}
	f.Must(act("a", "florentine", "sword", "", withParameters("other", "blade")))
	if !told("florentine", "sword", "blade") {
		t.Error("two weapons: nobody is told")
	}
	f.Must(act("a", "one-weapon", "", ""))
	if !told("one-weapon", "") {
		t.Error("one weapon: nobody is told")
	}
}

// original.surprise.combined-chance: stealth and alertness shift it one for one, also where one is surprised on nothing by itself
func TestSurpriseOfTheAlert(t *testing.T) {
	for _, c := range [][3]int32{{5, 0, 3}, {3, 0, 1}, {2, 0, 0}, {5, -1, 0}, {6, 2, 6}, {6, 3, 6}} {
		if got := reach.SurpriseChance(c[0], c[1]); got != c[2] {
			t.Errorf("surprises on %d, is surprised on %d: %d, want %d", c[0], c[1], got, c[2])
		}
	}
}

// original.charge.longer-reach-first, original.charge.open-to-missiles: two who charge each other strike in the order of their weapons as long as they stand, and do not meet when one falls on the way
func TestChargingEachOtherGoesOn(t *testing.T) {
	rider := with(func(o *eventv1.OriginalSheet) { o.Mounted, o.ChargingBeast = true, true })
	lance, pike := &eventv1.OriginalWeapon{Name: "lance", Kind: "lance"}, &eventv1.OriginalWeapon{Name: "pike", Kind: "pike"}
	for name, c := range map[string]struct {
		arm  *eventv1.OriginalWeapon
		want []string
	}{"the longer weapon first": {pike, []string{"b hit", "a hit"}}, "the shorter weapon last": {&eventv1.OriginalWeapon{Name: "sword"}, []string{"a hit", "b hit"}}} {
		f := newTable(t).at(0, one("a", "party", rider, arms(lance), points(90), need(15))).at(100, one("b", "foes", rider, arms(c.arm), points(90), need(15))).start(nil, 6, 1)
		f.Roller = func(sides int) int { return min(sides, 15) }
		f.Must(act("a", "charge", "lance", "b"))
		f.Answer(body.DecInTurn, "yes")
		f.WantAttacks(c.want...)
		_ = name
	}
	f := newTable(t).at(0, one("a", "party", rider, arms(lance), points(2))).at(100, one("b", "foes", rider, arms(lance), points(90))).
		off(50, 60, one("c", "foes", arms(bow), points(90), need(5))).start(nil, 6, 1, 1)
	f.Must(act("a", "charge", "lance", "b"))
	f.Answer(body.DecInTurn, "yes")
	f.Answer(body.DecMissile, "yes", 15, 5)
	f.WantAttacks("c hit")
	if !noted(f, "the two do not meet", cite.ChargeBonus) || !body.Dead(f.Creature("a")) {
		t.Errorf("%v", f.Attacks())
	}
}

// original.movement.free-disengage, original.pursuit.rounds-to-catch: whoever leaves takes along the flight from itself, and no other
func TestAnotherThanThePursuerLeaves(t *testing.T) {
	f := hunt(t, 60, 4, 3, 4, 4)
	f.leave("wolf") // of another group, that does not pursue
	if !body.Has(f.Creature("a"), body.CondFleeing) || f.gap("a", "orcs") != "60:1" {
		t.Fatalf("the flight is over: %v, %q", f.Creature("a").Conditions, f.gap("a", "orcs"))
	}
	f.leave("orc")
	if body.Has(f.Creature("a"), body.CondFleeing) {
		t.Fatal("it still flees")
	}
}

// original.movement.through-line: of the foes in melee with one who goes through a line those contest it whom it leaves, and those whom it names; who is still within 10 feet at the end does not
func TestThroughTheLineToAFoeWhoStays(t *testing.T) {
	for end, want := range map[int32][]string{9: {"contest/a", "contest/orc-1"}, 20: {"contest/a", "contest/orc-1", "contest/orc-2"}} {
		f := newTable(t).at(0, one("a", "party", dex(0))).at(5, one("orc-1", "orcs", group("orcs"), dex(0))).off(3, 8, one("orc-2", "orcs", group("orcs"), dex(0))).start(nil, 6, 1)
		faces := []int{6, 1, 1}[:len(want)]
		f.Must(act("a", "through", "", "orc-1", path(end)), faces...)
		if got := labels(f); !slices.Equal(got, want) {
			t.Errorf("to %d feet: %v, want %v", end, got, want)
		}
	}
}

// original.initiative.reach-first-strike: whoever closes with a longer weapon is struck first, but not in the round of a surprise
func TestReachInASurpriseRound(t *testing.T) {
	pike := &eventv1.OriginalWeapon{Name: "pike", Kind: "pike"}
	for caught, asked := range map[string]bool{"": true, "orcs": false} {
		f := newTable(t).at(0, one("a", "party", arms(dagger), points(50))).at(10, one("b", "bandits", group("bandits"), arms(pike), points(50))).at(90, one("orc", "orcs", group("orcs")))
		if caught == "" {
			f.start(nil, 6, 1, 2)
			for !slices.Contains(f.State.Active, "a") {
				f.End(f.State.Active[0])
			}
			f.Place("b", 15, 0) // it has not struck yet, and they have not met
			f.Place("b", 10, 0)
		} else {
			f.start(object("surprised", []string{caught}))
		}
		err := f.Try(act("a", "attack", "dagger", "b"))
		if got := len(f.Decisions) == 1 && f.Decisions[0].Name == body.DecReach; got != asked {
			t.Errorf("surprised %q: asked %v, %v", caught, f.Decisions, err)
		}
	}
}

// original.turn.precedence: a viewer who is not told of a place in the order knows that there is one
func TestAnOrderWithAGap(t *testing.T) {
	s := &eventv1.State{Creatures: map[string]*eventv1.Creature{"a": {Id: "a"}}, Tasks: map[string]*eventv1.Task{}}
	for i, kind := range map[int]string{0: body.SegFirst, 2: body.SegLast} { // order-free: a map is filled
		id := thestrike.SegmentID(i)
		s.Tasks[id] = &eventv1.Task{Id: id, Kind: body.TaskSegment, Text: kind, Targets: []string{"a"}}
	}
	plan := thestrike.PlanOf(s)
	if len(plan) != 3 || plan[0].Kind != body.SegFirst || plan[1].Kind != "" || len(plan[1].Ids) != 0 || plan[2].Kind != body.SegLast {
		t.Errorf("%v", plan)
	}
	if id := thestrike.SegmentID(40); id != body.TaskSegment+"-41" {
		t.Error(id)
	}
}
