package basic

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/movement"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// basic.condition.fatigued, basic.movement.run-limit: who is tired only walks, also when
// it became so after it declared to run; the round of running that tires may be finished.
func TestWhoIsTiredDoesNotRun(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A"), make1("b", "B")).start(nil)
	f.Afflict("a", body.CondFatigued)
	wantRefused(t, f.Try(act("a", "declare", body.KindRun, "")), cite.ConditionFatigued)

	f = lone(t, nil, body.KindRun, make1("a", "A"), make1("b", "B"))
	f.Afflict("a", body.CondFatigued)
	wantRefused(t, f.Try(act("a", "run", "", "", parameters("feet", 10))), cite.ConditionFatigued)

	f = newTable(t).add(nil, make1("a", "A"), make1("b", "B")).start(nil)
	f.Count("a", body.CRunning, 26) // of 27
	f.declare([]int{6, 1}, "a=run", "b=move")
	f.Must(act("a", "run", "", "", parameters("feet", 10)))
	f.Must(act("a", "run", "", "", parameters("feet", 50)))
	tired := 0
	for _, x := range f.Creature("a").Conditions {
		if x.Name == body.CondFatigued {
			tired++
		}
	}
	if tired != 1 || f.Creature("a").Counters[body.CRunning] != 27 {
		t.Errorf("a has %v and has run %d rounds", f.Creature("a").Conditions, f.Creature("a").Counters[body.CRunning])
	}
	f.end("a", "b")
	wantRefused(t, f.Try(act("a", "declare", body.KindRun, "")), cite.ConditionFatigued)
}

// basic.action.charge-distance, basic.initiative.ties-simultaneous: a charge goes at where
// its target stands, as long as that is near enough, and if not at where it stood before
// the number.
func TestWhereAChargeGoes(t *testing.T) {
	for feet, x := range map[int32]int32{50: 45, 65: 60, 70: 40} {
		f := newTable(t).add([]int32{0, 45}, make1("a", "A", wields(spear())), make1("b", "B")).start(nil)
		f.declare([]int{4, 4}, "a=charge", "b=move")
		f.Must(act("b", "move", "", "", to(feet)))
		f.Must(act("a", "charge", "spear", "b"), 2)
		if got := f.Creature("a").Position.X; got != x {
			t.Errorf("b moved to %d: a stands at %d, want %d", feet, got, x)
		}
	}
	// The distance that is stated counts before that of the map, and without one.
	for name, places := range map[string]map[string]at{"on the map": {"a": {0, 0}, "b": {80, 0}}, "a nowhere": {"b": {80, 0}}, "b nowhere": {"a": {0, 0}}, "nobody anywhere": nil} {
		f := newTable(t).on(places, make1("a", "A", wields(spear())), make1("b", "B")).start(nil).declare([]int{6, 1}, "a=charge", "b=move")
		if len(places) == 2 {
			wantRefused(t, f.Try(act("a", "charge", "spear", "b")), cite.ActionChargeDistance)
		}
		f.Must(act("a", "charge", "spear", "b", facts("distance", 65)), 15, 3)
		f.WantHP("b", 4)
		if len(places) == 2 && f.Creature("a").Position.X != 75 {
			t.Errorf("%s: a stands at %d", name, f.Creature("a").Position.X)
		}
	}
}

// basic.condition.charge-ac: its armour is down for one who charges; who declared it and
// does not, or could not when its number came, has it whole.
func TestTheArmourOfWhoDoesNotCharge(t *testing.T) {
	down := func(f *table) bool { return body.Has(f.Creature("a"), body.CondCharging) }
	extra := "    - extra_action: {counter: action}"
	for name, c := range map[string]struct {
		feat    string
		charges bool
		down    bool
	}{
		"it charged":                          {"", true, true},
		"it did not":                          {"", false, false},
		"it charged and has an action left":   {extra, true, true},
		"it did not and has two actions left": {extra, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t)
			if c.feat != "" {
				f = tableWith(t, featOf(t, c.feat))
			}
			f.add([]int32{0, 45}, make1("a", "A", wields(spear()), func(s *eventv1.Sheet, b *eventv1.BasicSheet) {
				if c.feat != "" {
					gifted(s, b)
				}
			}), make1("b", "B", hp(40))).start(nil).declare([]int{6, 1}, "a=charge", "b=move")
			if !down(f) {
				t.Fatal("its number has come")
			}
			if c.charges {
				f.Must(act("a", "charge", "spear", "b"), 2)
			}
			f.end("a")
			if down(f) != c.down {
				t.Errorf("its armour is down: %t", down(f))
			}
		})
	}
	// Its spear was struck from its hand before.
	f := newTable(t).add([]int32{0, 5}, make1("a", "A", hp(40), wields(spear())), make1("b", "B")).start(nil)
	f.declare([]int{4, 6}, "a=charge", "b=melee-attack")
	f.Must(act("b", "attack", "sword", "a"), 20, 20, 1, 1)
	f.end("b")
	f.WantActive("a")
	if down(f) {
		t.Error("it cannot charge")
	}
	f.end("a")
	// What the game master lays on one that declared something else stays.
	f = lone(t, nil, body.KindMelee, make1("a", "A"), make1("b", "B"))
	f.Afflict("a", body.CondCharging)
	f.end("a")
	if !down(f) {
		t.Error("the game master said so")
	}
}

// basic.item.oil-ground-fire, basic.action.charge: who dies of flames where its charge ends
// does not strike.
func TestAChargeIntoFlames(t *testing.T) {
	for hp1, want := range map[int32]bool{4: false, 5: true} {
		f := newTable(t).on(map[string]at{"a": {0, 0}, "b": {45, 0}, "c": {41, 5}}, make1("a", "A", hp(hp1), wields(spear())), make1("b", "B", hp(40)), make1("c", "B", throws(body.Oil))).start(nil)
		f.declare([]int{4, 1, 6}, "a=charge", "b=move", "c=other")
		f.Must(act("c", "spill-oil", "flask", "", parameters("lit", true, "feet", 1), func(k *eventv1.TakeAction) { k.Path = []*eventv1.Position{{X: 41}} }))
		f.end("c")
		faces := []int{4}
		if want {
			faces = []int{4, 18, 3}
		}
		f.Must(act("a", "charge", "spear", "b"), faces...)
		if got := len(f.Attacks()) > 0; got != want || f.Creature("a").Position.X != 40 {
			t.Errorf("%d hit points: strikes %t, stands at %d", hp1, got, f.Creature("a").Position.X)
		}
	}
}

// basic.action.reach-closing, basic.attack.cover-table: nobody strikes early at a friend, nor
// at one whom nobody sees.
func TestWhoIsNotStruckEarly(t *testing.T) {
	for name, c := range map[string]struct {
		side   string
		hidden int
		asked  bool
	}{"a foe": {"B", 0, true}, "a foe half hidden": {"B", 99, true}, "a foe wholly hidden": {"B", 100, false}, "a friend": {"A", 0, false}} {
		f := newTable(t).add([]int32{0, 20}, make1("a", "A"), make1("b", c.side, wields(pike()))).start(nil).declare([]int{5, 2}, "a=move", "b=melee-attack")
		f.Must(act("a", "move", "", "", to(15), facts("concealment", c.hidden)))
		if got := len(f.Decisions) > 0; got != c.asked {
			t.Errorf("%s: asked %t", name, got)
		}
	}
	for side, want := range map[string]string{"A": "", "B": body.DecSet} {
		f := newTable(t).add([]int32{0, 45}, make1("a", "A", wields(spear())), make1("b", side, hp(40), wields(pike()))).start(nil).declare([]int{5, 5}, "a=charge", "b=melee-attack")
		if side == "A" {
			f.Must(act("a", "charge", "spear", "b"), 2)
		} else {
			f.Must(act("a", "charge", "spear", "b"))
		}
		got := ""
		if len(f.Decisions) > 0 {
			got = f.Decisions[0].Name
		}
		if got != want {
			t.Errorf("one of side %s is asked %q, want %q", side, got, want)
		}
	}
}

// basic.attack.parting-shot: all whom one leaves strike, until it is down; who has nothing
// ready is not asked, on the map or off it, and nobody is turned away from who is no foe.
func TestPartingShotsUntilItFalls(t *testing.T) {
	for damage, falls := range map[int]bool{3: true, 2: false} {
		f := newTable(t).on(map[string]at{"a": {0, 0}, "b": {5, 0}, "c": {5, 5}}, make1("a", "A", hp(3)), make1("b", "B"), make1("c", "B")).start(nil)
		f.declare([]int{6, 1, 1}, "a=move", "b=move", "c=move")
		f.Must(act("a", "move", "", "", to(-20)))
		f.Answer(body.DecParting+"/b", "weapon:sword", 15, damage)
		if got := len(f.Decisions) == 0; got != falls {
			t.Errorf("%d damage: c is asked %t", damage, !got)
		}
	}
	for name, c := range map[string]struct {
		arms   []*eventv1.BasicWeapon
		hidden int
		asked  bool
	}{"armed": {[]*eventv1.BasicWeapon{spear()}, 0, true}, "a bow alone": {[]*eventv1.BasicWeapon{bow()}, 0, false}, "unarmed": {nil, 0, false}, "armed, and sees nothing": {[]*eventv1.BasicWeapon{spear()}, 100, false}} {
		f := lone(t, nil, body.KindMove, make1("a", "A"), make1("b", "B", wields(c.arms...)))
		f.Must(act("a", "move", "", "", parameters("feet", 10), facts("leaves", []string{"b"}, "concealment", c.hidden)))
		if got := len(f.Decisions) > 0; got != c.asked {
			t.Errorf("%s: asked %t", name, got)
		}
	}
	f := newTable(t).add(nil, make1("a", "A"), make1("b", "B"), make1("c", "A")).start(nil).declare([]int{6, 1, 1}, "a=move", "b=move", "c=move")
	if f.Try(act("a", "move", "", "", parameters("feet", 10), facts("leaves", []string{"ghost"}))) == nil {
		t.Error("it leaves one who is not there")
	}
	for _, list := range [][]string{{"b", "c"}, {"b", "a"}} {
		wantFault(t, f.Try(act("a", "move", "", "", parameters("feet", 10), facts("leaves", list))), "take.facts.leaves[1]")
	}
}

// basic.item.oil-ground-fire, basic.attack.parting-shot: on the last step within somebody's
// reach flames burn as they are stepped into, before one turns away.
func TestFlamesBeforeThePartingShot(t *testing.T) {
	for hp1, asked := range map[int32]bool{4: false, 5: true} {
		f := newTable(t).on(map[string]at{"a": {0, 0}, "b": {-3, 0}, "c": {4, 5}}, make1("a", "A", hp(hp1)), make1("b", "B"), make1("c", "A", throws(body.Oil))).start(nil)
		f.declare([]int{4, 1, 6}, "a=move", "b=move", "c=other")
		f.Must(act("c", "spill-oil", "flask", "", parameters("lit", true), func(k *eventv1.TakeAction) { k.Path = []*eventv1.Position{{X: 4}} }))
		f.end("c")
		f.Must(act("a", "move", "", "", to(20)), 4)
		if got := len(f.Decisions) > 0; got != asked {
			t.Errorf("%d hit points: asked %t", hp1, got)
		}
		if !asked && f.Creature("a").Position.X != 2 {
			t.Errorf("a lies at %d", f.Creature("a").Position.X)
		}
	}
}

// basic.action.list: reloading, a set weapon, a charge and flames leave no movement: one who
// lies does not stand up in that round.
func TestDeclarationsWithoutMovement(t *testing.T) {
	light := &eventv1.BasicWeapon{Name: "crossbow", Damage: "1d6", Kind: "crossbow", ShortFeet: 60, MediumFeet: 120, LongFeet: 180, ReloadRounds: 1}
	for kind, feet := range map[string]int64{body.KindReload: 0, body.KindSet: 0, body.KindCharge: 0, body.KindSmother: 0, body.KindMelee: 30, body.KindRun: 60, body.KindWithdraw: 15} {
		f := newTable(t).add(nil, make1("a", "A", wields(pike(), light), section(func(b *eventv1.BasicSheet) { b.Weapons[0].Hand = "main"; b.Weapons[1].Hand = "off" })), make1("b", "B")).start(nil)
		if kind == body.KindReload {
			f.declare([]int{6, 1}, "a=ranged-attack", "b=move")
			f.Must(act("a", "shoot", "crossbow", "b"), 2)
			f.end("a", "b")
		}
		f.Afflict("a", body.CondProne, body.CondBurning+"@b")
		if kind == body.KindCharge || kind == body.KindRun || kind == body.KindWithdraw {
			f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "a", RemoveConditions: []string{body.CondProne}}}})
		}
		faces := []int{6, 1, 1}
		if kind == body.KindSmother {
			faces = faces[:2]
		}
		f.declare(faces, "a="+kind, "b=move")
		if got := f.Creature("a").Counters[body.CMovement]; got != feet {
			t.Errorf("%s leaves %d feet, want %d", kind, got, feet)
		}
		f.Afflict("a", body.CondProne)
		if err := f.Try(act("a", "stand", "", "")); feet > 0 && err != nil {
			t.Errorf("%s: %v", kind, err)
		} else if feet == 0 {
			wantRefused(t, err, cite.ConditionProne)
		}
	}
}

// The squares of a move are those of the map, and 200 at most, however far a creature goes.
//
// basic.movement.split
func TestSquaresAtTheEdges(t *testing.T) {
	const edge = rules.MaxCoordinate
	for name, c := range map[string]struct {
		place    at
		walk     int32
		movement int // as the game master has it; 0: as it walks
		squares  int
		cut      bool
	}{
		"in the middle":                {at{0, 0}, 10, 0, 24, false},
		"one ring":                     {at{0, 0}, 9, 0, 8, false},
		"no ring":                      {at{0, 0}, 4, 0, 0, false},
		"5 feet from the edge":         {at{edge - 5, 0}, 5, 0, 8, false},
		"at the edge":                  {at{edge, 0}, 5, 0, 5, false},
		"in the corner":                {at{-edge, -edge}, 5, 0, 3, false},
		"in the corner, far":           {at{-edge, edge}, 1000, 0, movement.MostSquares, true},
		"in the corner, not so far":    {at{-edge, edge}, 65, 0, 195, false},
		"as far as the game master is": {at{0, 0}, 30, 120_000, movement.MostSquares, true},
		"farther":                      {at{0, 0}, 30, 1_000_000, movement.MostSquares, true},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t).on(map[string]at{"a": c.place, "b": {0, 90}}, make1("a", "A", walks(c.walk)), make1("b", "B")).start(nil)
			f.declare([]int{6, 1}, "a=move", "b=move")
			if c.movement > 0 {
				f.Count("a", body.CMovement, c.movement)
			}
			o := f.option("a", "move", "")
			if len(o.Squares) != c.squares || o.SquaresCut != c.cut {
				t.Errorf("%d squares, cut %t, want %d and %t", len(o.Squares), o.SquaresCut, c.squares, c.cut)
			}
			for _, sq := range o.Squares {
				if max(sq.At.X, -sq.At.X, sq.At.Y, -sq.At.Y) > edge {
					t.Errorf("%v is off the map", sq.At)
				}
			}
		})
	}
}

// basic.movement.engaged: up and down counts as any way: who is above somebody's reach is
// not in it.
func TestSquaresUnderAFlyer(t *testing.T) {
	for _, z := range []int32{-6, -5, 0, 5, 6, 20} {
		f := newTable(t).on(map[string]at{"a": {0, 0}}, make1("a", "A"))
		f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: make1("b", "B"), Position: &eventv1.Position{X: 15, Z: z}}}})
		f.start(nil).declare([]int{6, 1}, "a=move", "b=move")
		near := max(z, -z) <= 5
		for _, sq := range f.option("a", "move", "").Squares {
			// Straight past b to the east, along its row.
			if sq.At.X == 30 && sq.At.Y == 0 && slices.Equal(sq.Provokes, []string{"b"}) != near {
				t.Errorf("%d feet up: %v", z, sq.Provokes)
			}
		}
	}
}

// basic.movement.fighting-withdrawal: whom one backs away from is a foe, and may follow.
func TestWhomOneBacksAwayFrom(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A"), make1("b", "B"), make1("c", "A")).start(nil).declare([]int{6, 1, 1}, "a=withdraw", "b=move", "c=move")
	wantFault(t, f.Try(act("a", "withdraw", "", "", parameters("feet", 10), facts("engaged", []string{"b", "c"}))), "take.facts.engaged[1]")
	f.Must(act("a", "withdraw", "", "", parameters("feet", 10), facts("engaged", []string{"b"})))
	if len(f.Decisions) != 1 || f.Decisions[0].Creature != "b" {
		t.Errorf("asked %v", f.Decisions)
	}
}
