package original

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/original/moving"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// original.pursuit.rounds-to-catch
func TestRoundsToCatch(t *testing.T) {
	for _, c := range []struct {
		gap, pursuer, fleeing, rounds int32
		caught                        bool
	}{{60, 120, 90, 2, true}, {70, 120, 90, 2, true}, {80, 120, 90, 3, true}, {60, 90, 90, 0, false}, {60, 60, 90, 0, false}, {10, 60, 90, 0, true}, {11, 120, 119, 1, true}} {
		if got, caught := moving.RoundsToCatch(c.gap, c.pursuer, c.fleeing); got != c.rounds || caught != c.caught {
			t.Errorf("%v: %d, %v", c, got, caught)
		}
	}
}

// hunt is a party of two at 90 feet a round that flees from wolves (120 feet a
// round, no mind) and orcs (90), nobody on a map; initiative is the party's.
func hunt(t *testing.T, gap int, faces ...int) *table {
	t.Helper()
	f := newTable(t, body.SetPartyDie+"=on").add(one("a", "party", speed(90), points(50)), one("b", "party", speed(90)),
		one("wolf", "foes", group("wolves"), dumb, speed(120), need(13)), one("orc", "foes", group("orcs"), speed(90))).start(nil, 6, 1, 1)
	f.Must(act("a", "flee", "", "", withFacts("gap", gap)), faces...)
	return f
}

// gap is the counted chase of a creature by a group: the gap in feet and the round in
// which it was found; empty for none.
func (f *table) gap(id, group string) string {
	x := moving.GapTo(f.State, id, group)
	if x == nil {
		return ""
	}
	return body.Itoa(x.Values[body.ValGap]) + ":" + body.Itoa(x.Round)
}

// original.pursuit.pursue-roll
func TestPursueRoll(t *testing.T) {
	for _, c := range []struct {
		name       string
		faces      []int
		orcs, wolf bool
	}{{"7 pursues, 8 does not", []int{4, 3, 4, 4}, true, false}, {"2 and 12", []int{6, 6, 1, 1}, false, true}} {
		f := hunt(t, 60, c.faces...)
		if got := [2]bool{body.Is(f.Creature("orc"), body.RelPursues, "a"), body.Is(f.Creature("wolf"), body.RelPursues, "a")}; got != [2]bool{c.orcs, c.wolf} {
			t.Errorf("%s: orcs %v, wolves %v", c.name, got[0], got[1])
		}
		// One roll for all of the side who flee in the round.
		f.Must(act("b", "flee", "", "", withFacts("gap", 60)))
		if got := body.Is(f.Creature("orc"), body.RelPursues, "b"); got != c.orcs {
			t.Errorf("%s: the orcs after b: %v", c.name, got)
		}
	}
	// Player characters choose for themselves.
	f := newTable(t).add(one("a", "party"), one("orc", "foes", group("orcs"))).start(nil, 1, 6)
	f.Must(act("orc", "flee", "", "", withFacts("gap", 30)))
	f.End("orc")
	wantRefused(t, f.Try(act("a", "slip-away", "", "", withParameters("way", "corner"))), cite.PursuitPursueRoll)
	f.Must(act("a", "pursue", "", "orc"))
	wantRefused(t, f.Try(act("a", "pursue", "", "orc")), cite.MovementRetreatPursuitRoll)
	if !body.Is(f.Creature("a"), body.RelPursues, "orc") {
		t.Fatal(f.Creature("a").Marks)
	}
	wantRefused(t, hunt(t, 60, 6, 6, 6, 6).Try(act("orc", "pursue", "", "a")), cite.TurnPrecedence)
}

// passRound ends every turn of the round.
func passRound(f *table) {
	f.T.Helper()
	for round := f.State.Round; f.State.Round == round; {
		f.End(f.State.Active[0])
	}
}

// original.pursuit.rounds-to-catch, original.movement.retreat-faster-pursuer
func TestAChase(t *testing.T) {
	f := hunt(t, 80, 4, 3, 4, 3)
	if !noted(f, "a is caught by wolves after 3 rounds", cite.PursuitRoundsToCatch) || !noted(f, "a is never caught by orcs", cite.PursuitRoundsToCatch) {
		t.Fatalf("%v", f.Events)
	}
	passRound(f)
	for i, want := range []string{"50:2", "20:3"} {
		passRound(f)
		if got := f.gap("a", "wolves"); got != want {
			t.Fatalf("after round %d: %q, want %q", i+2, got, want)
		}
	}
	passRound(f)
	a := f.Creature("a")
	if !body.InMelee(a, f.Creature("wolf")) || body.InMelee(a, f.Creature("orc")) || f.gap("a", "orcs") != "80:4" || !body.Has(a, body.CondFleeing) {
		t.Fatalf("caught by the wolf alone: %v", a.Marks)
	}
	// The pursuer strikes at +2 until the other turns.
	for f.State.Active[0] != "orc" {
		f.End(f.State.Active[0])
	}
	f.Must(act("wolf", "attack", "sword", "a"), 11, 1)
	if f.Attack().Outcome != "hit" {
		t.Fatal("11+2 meets 13")
	}
	passRound(f)
	f.Must(act("a", "turn", "", ""))
	f.End("a")
	f.End("b")
	f.Must(act("wolf", "attack", "sword", "a"), 11)
	if f.Attack().Outcome != "miss" {
		t.Fatal("no +2 against one who has turned")
	}
}

// Who attacks in a round of the chase runs only half, and the slowest sets the
// speed of a group.
//
// original.pursuit.rounds-to-catch
func TestTheSlowestSetsTheSpeed(t *testing.T) {
	f := newTable(t).add(one("a", "party", speed(90)), one("wolf-1", "foes", group("wolves"), dumb, speed(120)), one("wolf-2", "foes", group("wolves"), dumb, speed(100))).start(nil, 6, 1)
	f.Must(act("a", "flee", "", "", withFacts("gap", 60)), 1, 1)
	if !noted(f, "after 5 rounds", cite.PursuitRoundsToCatch) {
		t.Fatal("10 feet a round: 50 in 5 rounds")
	}
	passRound(f)
	passRound(f)
	if got := f.gap("a", "wolves"); got != "50:2" {
		t.Fatal(got)
	}
	f.Must(act("a", "attack", "sword", "wolf-1", withFacts("in_reach", true)), 2)
	if body.Has(f.Creature("a"), body.CondFleeing) {
		t.Fatal("who fights flees no more")
	}
	passRound(f)
	if got := f.gap("a", "wolves"); got != "" || !body.InMelee(f.Creature("a"), f.Creature("wolf-2")) {
		t.Fatalf("it stands and is reached: %q", got)
	}
}

// original.pursuit.line-of-sight, original.pursuit.food, original.pursuit.treasure,
// original.pursuit.corner-stairs-door, original.pursuit.secret-door
func TestShakingOffPursuers(t *testing.T) {
	way := func(w string) *eventv1.Command { return act("a", "slip-away", "", "", withParameters("way", w)) }
	food, gold := act("a", "throw-food", "", ""), act("a", "throw-treasure", "", "")
	for _, c := range []struct {
		rule, name   string
		cmd          *eventv1.Command
		faces        []int
		orcs, wolves bool // whether they go on
	}{
		{cite.PursuitCornerStairsDoor, "2 and 3 at a corner", way("corner"), []int{2, 3}, true, false},
		{cite.PursuitCornerStairsDoor, "1 and 6 on the stairs", way("stairs"), []int{1, 6}, true, false},
		{cite.PursuitCornerStairsDoor, "3 and 2 at a door", way("doorway"), []int{3, 2}, false, true},
		{cite.PursuitSecretDoor, "1 and 2", way("secret-door"), []int{1, 2}, true, false},
		{cite.PursuitFood, "5 stops wolves and not orcs", food, []int{5}, true, false},
		{cite.PursuitFood, "6 stops nobody", food, []int{6}, true, true},
		{cite.PursuitTreasure, "1 stops orcs and not wolves", gold, []int{1}, false, true},
		{cite.PursuitTreasure, "5 stops orcs", gold, []int{5}, false, true},
		{cite.PursuitTreasure, "6 stops nobody", gold, []int{6}, true, true},
	} {
		t.Run(c.rule+"/"+c.name, func(t *testing.T) {
			f := hunt(t, 80, 4, 3, 4, 3)
			f.Must(c.cmd, c.faces...)
			if got := [2]bool{body.Is(f.Creature("orc"), body.RelPursues, "a"), body.Is(f.Creature("wolf"), body.RelPursues, "a")}; got != [2]bool{c.orcs, c.wolves} {
				t.Fatalf("orcs %v, wolves %v", got[0], got[1])
			}
			if got := [2]bool{f.gap("a", "orcs") != "", f.gap("a", "wolves") != ""}; got != [2]bool{c.orcs, c.wolves} {
				t.Fatalf("the chases: %v", f.Creature("a").Marks)
			}
		})
	}
	for answer, goesOn := range map[string]bool{"stop": false, "go-on": true} {
		f := hunt(t, 80, 4, 3, 4, 4)
		f.Must(act("a", "out-of-sight", "", ""))
		if len(f.Decisions) != 1 || !f.Decisions[0].GmOnly || f.Decisions[0].DefaultOption != "stop" {
			t.Fatalf("the game master says for the orcs, who alone pursue: %v", f.Decisions)
		}
		f.Answer(body.DecSight, answer)
		if got := body.Is(f.Creature("orc"), body.RelPursues, "a"); got != goesOn {
			t.Errorf("%s: %v", answer, got)
		}
		if !goesOn {
			wantRefused(t, f.Try(food), cite.PursuitPursueRoll)
			if body.Has(f.Creature("a"), body.CondFleeing) {
				t.Error("the flight is over")
			}
		}
	}
	f := hunt(t, 80, 4, 3, 4, 3)
	if err := f.Try(way("window")); err == nil {
		t.Fatal("there is no such way")
	}
	f = hunt(t, 10, 6, 6, 4, 3)
	passRound(f)
	passRound(f)
	wantRefused(t, f.Try(food), cite.PursuitRoundsToCatch)
}

// A retreat without a map begins a chase as far off as was run.
//
// original.movement.retreat-pursuit-roll
func TestRetreatBeginsAChase(t *testing.T) {
	f := newTable(t).add(one("a", "party", dex(0), speed(60)), one("wolf", "foes", group("wolves"), dumb, dex(0), speed(180))).start(object("engaged", true), 6, 1)
	f.Must(act("a", "retreat", "", "", withParameters("feet", 60)), 6, 1, 2, 2)
	if got := f.gap("a", "wolves"); got != "60:1" || body.InMelee(f.Creature("a"), f.Creature("wolf")) {
		t.Fatal(got)
	}
	passRound(f)
	passRound(f)
	if !body.InMelee(f.Creature("a"), f.Creature("wolf")) {
		t.Fatal("120 feet a round gained on 60")
	}
}

// What the note of a chase on the map says comes true there: the pursuer runs as
// often as it says, and no more, whoever goes first and whatever was done before.
//
// original.pursuit.rounds-to-catch
func TestAChaseOnTheMap(t *testing.T) {
	for _, c := range []struct {
		name               string
		place, wolf, speed int32 // of the wolf: where it stands, its die, how far it runs
		attacks            bool
		note               string
		gaps               []int32 // after each run of the wolf
	}{
		{"it runs in the round of the flight", 60, 1, 120, false, "caught by wolf after 2 rounds", []int32{30, 0}},
		{"10 feet are near enough", 70, 1, 120, false, "caught by wolf after 2 rounds", []int32{40, 10}},
		{"11 are not", 71, 1, 120, false, "caught by wolf after 3 rounds", []int32{41, 11, 0}},
		{"it has had its turn and goes first in the next round", 60, 6, 120, false, "caught by wolf after 2 rounds", []int32{30, 0}},
		{"who attacked in the round of the flight runs as fast as any", 5, 6, 120, true, "caught by wolf after 1 rounds", []int32{0}},
		{"who acts at the same time", 5, 3, 90, true, "never caught by wolf", []int32{95, 95}},
		{"one as fast gains nothing", 60, 1, 90, false, "never caught by wolf", []int32{60, 60}},
		{"one who is slower less than that", 60, 1, 60, false, "never caught by wolf", []int32{90, 120}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).at(0, one("a", "party", speed(90), ac(2))).at(c.place, one("wolf", "foes", dumb, speed(c.speed))).start(nil, 3, int(c.wolf))
			runs, west := 0, int32(0)
			wolf := func() {
				from := f.Creature("wolf").Position.X
				f.Must(act("wolf", "run", "", "", path(max(west, from-c.speed))))
				f.End("wolf")
				if got := body.Distance(f.Creature("a"), f.Creature("wolf")); got != c.gaps[runs] {
					t.Fatalf("after %d runs: %d feet, want %d", runs+1, got, c.gaps[runs])
				}
				runs++
			}
			if c.attacks {
				f.Must(act("wolf", "attack", "", "a"), 2)
			}
			if c.wolf >= 3 {
				f.End("wolf")
			}
			west = -90
			if c.attacks {
				f.Must(act("a", "retreat", "", "", path(west)), 6, 1, 1, 1)
			} else {
				f.Must(act("a", "flee", "", "", path(west)), 1, 1)
			}
			if !noted(f, c.note, cite.PursuitRoundsToCatch) {
				t.Fatal("another note")
			}
			f.End("a")
			for runs < len(c.gaps) {
				if c.wolf == 3 || f.State.Round > 1 && c.wolf < 3 { // it goes after the other, or both at the same time
					west -= 90
					f.Must(act("a", "run", "", "", path(west)))
					f.End("a")
				}
				wolf()
				if runs < len(c.gaps) && c.wolf > 3 {
					west -= 90
					f.Must(act("a", "run", "", "", path(west)))
					f.End("a")
				}
			}
		})
	}
}

// fleeing is for those who are not in melee.
//
// original.pursuit.pursue-roll
func TestWhoMayFlee(t *testing.T) {
	f := newTable(t).at(0, one("a", "party")).at(5, one("orc", "foes")).at(60, one("b", "party")).start(nil, 5, 6, 1)
	f.End("b")
	wantRefused(t, f.Try(act("a", "flee", "", "")), cite.MovementEngagedRestricts)
	f.End("a")
	f.End("orc")
	f.Must(act("b", "flee", "", "", path(180)), 1, 1)
	if !noted(f, "b is never caught", cite.PursuitRoundsToCatch) || f.Creature("b").Position.X != 180 || f.gap("b", "orc") != "" {
		t.Fatalf("on the map the places tell: %v", f.Creature("b").Marks)
	}
	wantRefused(t, f.Try(act("b", "attack", "sword", "orc")), cite.MovementRunning)
}

// original.movement.retreat-shield-lost: a flight that nobody follows is over
// with the next round.
func TestAFlightEnds(t *testing.T) {
	f := hunt(t, 60, 6, 6, 6, 6)
	passRound(f)
	if !body.Has(f.Creature("a"), body.CondFleeing) {
		t.Fatal("there is a round to choose to pursue it")
	}
	passRound(f)
	if body.Has(f.Creature("a"), body.CondFleeing) {
		t.Fatal("nobody did")
	}
}
