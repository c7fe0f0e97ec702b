package original

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/original/moving"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// place puts a creature somewhere by the game master's word.
func (f *table) place(id string, x, y int32) {
	f.T.Helper()
	f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: id, Position: &eventv1.Position{X: x, Y: y}}}})
}

// legal tells whether an action is offered.
func (f *table) legal(id, action string) bool {
	f.T.Helper()
	return slices.ContainsFunc(f.optionsOf(id, action), func(o *eventv1.Option) bool { return o.Legal })
}

// along is a path of places, east and north in turn.
func along(xy ...int32) func(*eventv1.TakeAction) {
	return func(t *eventv1.TakeAction) {
		for i := 0; i+1 < len(xy); i += 2 {
			t.Path = append(t.Path, &eventv1.Position{X: xy[i], Y: xy[i+1]})
		}
	}
}

// original.movement.elf-fire-on-the-run: 12 inches, then 13 and DEX 1 meet 14.
func TestAnElfRunsAndShoots(t *testing.T) {
	f := newTable(t).at(0, one("elf", "party", class("elf", 1), dex(1), need(14), arms(bow))).at(-20, strongFoe()).start(nil, 6, 1)
	f.Must(act("elf", "move", "", "", path(120)))
	f.Must(act("elf", "attack", "bow", "b"), 13, 1) // 140 feet: medium
	if f.Attack().Outcome != "hit" {
		t.Fatal(f.Roll("to-hit"))
	}
	f.End("elf")
	b := &thestrike.Blow{Attacker: f.Creature("b"), Target: f.Creature("elf"), Melee: true}
	if got, _ := thestrike.ArmourClass(f.State, b.Target, b); got != 4 {
		t.Fatalf("AC 5 and DEX 1: %d", got)
	}
}

// original.movement.engaged-restricts: what is offered to one in melee.
func TestFourWaysOutOfMelee(t *testing.T) {
	for _, busy := range []bool{false, true} {
		f := newTable(t).at(0, one("a", "party", class("cleric", 1))).at(5, one("orc", "orcs", points(50))).at(120, one("other", "orcs", points(50)))
		faces := []int{6, 1, 1}
		if busy {
			f.at(10, one("friend", "party"))
			faces = []int{6, 5, 1, 1}
		}
		f.start(nil, faces...)
		for action, want := range map[string]bool{"withdraw": true, "retreat": true, "through": true, "disengage": busy, "run": false, "flee": false, "charge": false} {
			if got := f.legal("a", action); got != want {
				t.Errorf("busy foe %v: %s is offered: %v", busy, action, got)
			}
		}
		wantRefused(t, f.Try(act("a", "move", "", "", path(-30))), cite.MovementEngagedRestricts)
		wantRefused(t, f.Try(act("a", "charge", "sword", "other")), cite.MovementEngagedRestricts)
	}
}

// original.movement.engaged-restricts, original.movement.through-line: a way
// that comes within 10 feet of an idle foe and leaves it again is one through
// the line, wherever on the way the foe stands.
func TestAWayPastFoes(t *testing.T) {
	const rule = cite.MovementEngagedRestricts
	for _, c := range []struct {
		name   string
		y      int32
		path   []int32
		change func(f *table)
		rule   string
	}{
		{"10 feet beside the way", 10, []int32{60, 0}, nil, rule},
		{"11 feet beside the way", 11, []int32{60, 0}, nil, ""},
		{"on the way", 0, []int32{60, 0}, nil, rule},
		{"round it", 0, []int32{20, 11, 40, 11, 55, 5}, nil, ""},
		{"up to it", 0, []int32{25, 0}, nil, ""},
		{"past a foe who fights another", 10, []int32{60, 0}, func(f *table) { f.place("friend", 30, 15) }, ""},
		{"past one behind a wall", 10, []int32{60, 0}, func(f *table) {
			f.Put("a", &eventv1.Vitals{Relations: []*eventv1.Relation{{Kind: body.RelApart, To: "orc"}}})
		}, ""},
		{"past one who is held", 10, []int32{60, 0}, func(f *table) { f.Afflict("orc", body.CondHeld) }, ""},
	} {
		for _, action := range []string{"move", "run", "flee"} {
			t.Run(c.name+"/"+action, func(t *testing.T) {
				f := newTable(t).at(0, one("a", "party", speed(150))).at(300, one("friend", "party")).off(30, c.y, one("orc", "orcs", points(50)))
				f.at(400, one("other", "orcs")).start(nil, 6, 5, 1, 1)
				f.Roller = func(int) int { return 1 } // pursuit, and morale of the held
				if c.change != nil {
					c.change(f)
				}
				err := f.Try(act("a", action, "", "", along(c.path...)))
				if c.rule != "" {
					wantRefused(t, err, c.rule)
				} else if err != nil {
					t.Fatal(err)
				}
			})
		}
	}
	// Through the line even one whom nobody named contests it; the foe at the end
	// of the way does not.
	f := newTable(t).at(0, one("a", "party", dex(0))).at(25, one("orc-1", "orcs", group("orcs"), dex(0))).off(25, 10, one("orc-2", "orcs", group("orcs"), dex(0))).
		at(60, one("shaman", "orcs", group("orcs"), dex(0))).start(nil, 6, 1)
	f.Must(act("a", "through", "", "orc-1", along(55, 0)), 4, 3, 5, 2)
	if got := f.Attacks(); !slices.Equal(got, []string{"orc-2 miss"}) || !slices.Equal(labels(f), []string{"contest/a", "contest/orc-1", "contest/orc-2", "parting/orc-2/to-hit"}) {
		t.Fatalf("%v, %v", got, labels(f))
	}
}

// original.movement.retreat-passersby: an idle foe in the middle of a long way.
func TestAnIdleFoeAlongTheWay(t *testing.T) {
	for y, want := range map[int32][]string{10: {"goblin hit"}, 11: nil} {
		f := newTable(t).at(0, one("a", "party", ac(4), dex(0))).at(5, one("orc", "orcs", dex(0))).off(-60, y, one("goblin", "orcs", ac0(19))).start(nil, 6, 1, 1)
		faces := []int{6, 1}
		if want != nil {
			faces = append(faces, 13, 1)
		}
		f.Must(act("a", "retreat", "", "", path(-120)), append(faces, 6, 6)...)
		if got := f.Attacks(); !slices.Equal(got, want) {
			t.Errorf("%d feet from the way: %v", y, got)
		}
	}
}

func TestNearSegment(t *testing.T) {
	p := func(x, y, z int32) *eventv1.Position { return &eventv1.Position{X: x, Y: y, Z: z} }
	for _, c := range []struct {
		name    string
		a, b, p *eventv1.Position
		want    bool
	}{
		{"beside", p(0, 0, 0), p(100, 0, 0), p(50, 10, 0), true},
		{"a foot more", p(0, 0, 0), p(100, 0, 0), p(50, 11, 0), false},
		{"above", p(0, 0, 0), p(100, 0, 0), p(50, 6, 8), true},
		{"just above that", p(0, 0, 0), p(100, 0, 0), p(50, 7, 8), false},
		{"before the start", p(0, 0, 0), p(100, 0, 0), p(-11, 0, 0), false},
		{"at the start", p(0, 0, 0), p(100, 0, 0), p(-10, 0, 0), true},
		{"past the end", p(0, 0, 0), p(100, 0, 0), p(111, 0, 0), false},
		{"aslant", p(0, 0, 0), p(60, 60, 0), p(40, 26, 0), true},              // 9.9 feet off
		{"aslant and further", p(0, 0, 0), p(60, 60, 0), p(40, 25, 0), false}, // 10.6
		{"nowhere", p(0, 0, 0), p(0, 0, 0), p(0, 11, 0), false},
		{"very far", p(-2_000_000_000, 0, 0), p(2_000_000_000, 0, 0), p(0, 10, 0), true},
	} {
		if got := moving.NearSegment(c.a, c.b, c.p); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// original.movement.retreat-pursuit-roll: one roll for three orcs.
func TestThreeOrcsPursueOrNot(t *testing.T) {
	for _, c := range []struct {
		faces []int
		want  bool
	}{{[]int{2, 3}, true}, {[]int{5, 4}, false}} {
		f := newTable(t).at(0, one("a", "party", class("fighter", 1), dex(0)))
		for i := range int32(3) {
			f.at(3+i, one("orc-"+body.Itoa(i+1), "orcs", group("orcs"), dex(0)))
		}
		f.start(nil, 6, 1)
		f.Must(act("a", "retreat", "", "", path(-100)), append([]int{6, 1, 1, 1}, c.faces...)...)
		for i := range 3 {
			if got := body.Is(f.Creature("orc-"+body.Itoa(i+1)), body.RelPursues, "a"); got != c.want {
				t.Errorf("%v: orc %d pursues: %v", c.faces, i+1, got)
			}
		}
		if got := len(f.Rolls("pursuit/orcs")); got != 1 {
			t.Errorf("%d rolls", got)
		}
	}
}

// original.condition.partially-surprised: with foes on both sides, the one
// turned away from is on the flank if the table says so.
func TestBetweenTwoFoes(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", class("cleric", 1), ac(5), shield(1), dex(2), points(50))).at(5, one("b", "monsters", group("m"), ac0(19), points(50))).
		at(-5, one("c", "monsters", group("m"), ac0(19), points(50))).start(nil, 1, 6)
	f.Must(act("b", "attack", "sword", "a", withFacts("position", "flank")), 2)
	f.End("b")
	f.End("c")
	f.Must(act("a", "face", "", "b"))
	f.End("a")
	f.Must(act("b", "attack", "sword", "a"), 2)
	if got := f.Roll("to-hit"); got.Target.Value != 17 || len(got.Modifiers) != 0 {
		t.Fatalf("b is in front: %v", got)
	}
	f.Must(act("c", "attack", "sword", "a", withFacts("position", "flank")), 13, 1)
	if got := f.Roll("to-hit"); got.Target.Value != 14 || got.Total != 14 || f.Attack().Outcome != "hit" {
		t.Fatalf("c is on the flank now: %v", got)
	}
	// It lasts until a turns again, without being said anew.
	f.End("b")
	f.End("c")
	f.End("a")
	f.Must(act("c", "attack", "sword", "a"), 2)
	if got := f.Roll("to-hit"); got.Target.Value != 14 || got.Total != 3 {
		t.Fatal(got)
	}
}

// original.charge.end-within-10, original.movement.running: 15 feet short, and
// nothing more that round. original.charge.once-per-turn
func TestAChargeThatFallsShort(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", class("thief", 3), speed(60))).at(65, one("orc", "orcs", points(50))).at(60, one("near", "orcs", points(50))).start(nil, 6, 1, 1)
	f.Must(act("a", "charge", "sword", "orc", withParameters("feet", 50)))
	if len(f.Attacks()) != 0 || f.Creature("a").Position.X != 50 || f.Creature("a").Counters[body.CCharged] != 1 {
		t.Fatalf("at %v", f.Creature("a").Position)
	}
	wantRefused(t, f.Try(act("a", "attack", "sword", "near")), cite.MovementRunning)
	wantRefused(t, f.Try(act("a", "parry", "", "")), cite.ActionParry)
	for f.State.Round < 4 {
		f.End(f.State.Active[0])
	}
	f.place("a", 0, 0)
	wantRefused(t, f.Try(act("a", "charge", "sword", "orc")), cite.ChargeOncePerTurn)
}

// original.charge.no-initiative: a swordsman of 5 who waits, an orc of 2.
func TestTheWaitingStrikeBack(t *testing.T) {
	field := func(swordsman ...func(*eventv1.Sheet)) *table {
		return newTable(t).at(0, one("orc", "orcs", points(50), need(14))).at(100, one("b", "party", append(sheets{class("cleric", 1), points(50)}, swordsman...)...)).start(nil, 5, 2)
	}
	f := field()
	f.End("b")
	f.Must(act("orc", "charge", "sword", "b"), 12, 1)
	if len(f.Decisions) != 1 || f.Decisions[0].Creature != "b" || !slices.Equal(f.Attacks(), []string{"orc hit"}) {
		t.Fatalf("%v %v", f.Attacks(), f.Decisions)
	}
	f.Answer(body.DecAnswer, "yes", 14, 1)
	if !slices.Equal(f.Attacks(), []string{"b hit"}) || f.DamageTo("orc") != 2 {
		t.Fatal(f.Attacks())
	}
	f.End("orc")
	if f.State.Round != 2 {
		t.Fatal("that was its attack of the round")
	}
	f = field()
	f.End("b")
	f.Must(act("orc", "charge", "sword", "b"), 2)
	f.Answer(body.DecAnswer, "no")

	for name, c := range map[string]struct {
		change sheets
		before func(f *table)
		faces  []int
	}{
		"killed by the charge": {sheets{points(2)}, nil, []int{12, 1}},
		"has parried":          {nil, func(f *table) { f.Must(act("b", "parry", "", "")) }, []int{2}},
		"has cast":             {sheets{spells(glow)}, func(f *table) { f.Must(act("b", "cast", "glow", "")) }, []int{2}},
		"has run":              {nil, func(f *table) { f.Must(act("b", "run", "", "", path(101))) }, []int{2}},
	} {
		f := field(c.change...)
		if c.before != nil {
			c.before(f)
		}
		f.End("b")
		f.Must(act("orc", "charge", "sword", "b"), c.faces...)
		if len(f.Decisions) != 0 {
			t.Errorf("%s: %v", name, f.Decisions)
		}
	}
}

// original.charge.open-to-missiles: an archer with the higher die has held the
// shot; it comes before the contact, at AC 6 without DEX.
func TestAHeldShot(t *testing.T) {
	f := newTable(t).at(0, one("orc", "orcs", ac(6), dex(1), points(50))).at(100, one("b", "party")).at(105, one("archer", "party", class("magic-user", 1), dex(0), ac0(19), arms(bow))).start(nil, 6, 1, 3)
	f.WantActive("archer")
	f.End("archer")
	f.Must(act("orc", "charge", "sword", "b"))
	f.Answer(body.DecMissile, "yes", 13, 2, 2)
	if got := f.Attacks(); !slices.Equal(got, []string{"archer hit", "orc miss"}) || f.DamageTo("orc") != 2 {
		t.Fatalf("%v, %d", got, f.DamageTo("orc"))
	}
}

// original.action.whip-outcome: who is thrown down gets no further, and off a
// horse.
func TestThrownDownOnTheWay(t *testing.T) {
	wolf := func(change ...func(*eventv1.Sheet)) *eventv1.Sheet {
		return one("wolf", "wolves", append(sheets{need(5), dex(0), arms(&eventv1.OriginalWeapon{Name: "bite", Kind: "natural", Damage: "1d2"}), with(func(o *eventv1.OriginalSheet) {
			o.HitDice, o.SpecialFace, o.SpecialEffect = 2, 15, body.CondProne
		})}, change...)...)
	}
	f := newTable(t).at(0, one("a", "party", dex(0), mounted)).at(5, wolf()).start(nil, 6, 1)
	f.Must(act("a", "retreat", "", "", path(-100)), 1, 6, 15, 1)
	a := f.Creature("a")
	if a.Position.X != 0 || !body.Has(a, body.CondProne) || body.Has(a, body.CondMounted) || body.Has(a, body.CondFleeing) || len(f.Rolls("pursuit/wolves")) != 0 {
		t.Fatalf("%v %v", a.Position, a.Marks)
	}
	wantRefused(t, f.Try(act("a", "rise", "", "")), cite.MovementRunning)
	f = newTable(t).at(0, one("a", "party", dex(0))).at(20, wolf()).start(nil, 6, 1)
	f.Must(act("a", "through", "", "wolf", path(45)), 1, 6, 15, 1)
	if a := f.Creature("a"); a.Position.X != 0 || f.legal("a", "rise") {
		t.Fatalf("%v", a.Position)
	}
}

// original.movement.through-line: a charge past idle foes is one through their
// line; those beside its end are met and not passed.
func TestAChargeThroughALine(t *testing.T) {
	field := func(y int32) *table {
		return newTable(t).at(0, one("a", "party", dex(3), ac(6), shield(1), points(3))).off(50, y, one("orc", "orcs", group("orcs"), ac0(19), dex(0))).
			off(95, 10, one("guard", "orcs", group("orcs"), dex(0))).at(100, one("shaman", "orcs", group("orcs"), points(50))).start(nil, 6, 1)
	}
	f := field(11)
	f.Must(act("a", "charge", "sword", "shaman"), 2)
	f = field(10)
	f.Must(act("a", "charge", "sword", "shaman"), 1, 4, 2) // 4 against 4: a tie
	if got := f.Attacks(); !slices.Equal(got, []string{"a miss"}) {
		t.Fatal(got)
	}
	// 5 against 4: at +2, without the shield and without DEX, need 13 at AC 6.
	f = field(10)
	f.Must(act("a", "charge", "sword", "shaman"), 1, 5, 11, 6)
	if got := f.Attacks(); !slices.Equal(got, []string{"orc hit"}) || f.Roll("parting/orc/to-hit").Target.Value != 13 || f.Creature("a").Position.X != 0 {
		t.Fatalf("%v at %v", got, f.Creature("a").Position)
	}
}

// original.movement.engaged-restricts: nor does one who withdraws or leaves go
// past others.
func TestNobodyBacksPastOthers(t *testing.T) {
	for action, friend := range map[string]bool{"withdraw": false, "disengage": true} {
		f := newTable(t).at(0, one("a", "party")).at(5, one("orc", "orcs"))
		faces := []int{6, 1, 1}
		if friend {
			f.at(10, one("friend", "party"))
			faces = []int{6, 5, 1, 1}
		}
		f.at(-30, one("other", "orcs")).start(nil, faces...)
		wantRefused(t, f.Try(act("a", action, "", "", path(-60))), cite.MovementEngagedRestricts)
		f.Must(act("a", action, "", "", path(-25))) // into the arms of the other
	}
}
