package basic

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/fire"
	"github.com/skaldrpg/skald/pkg/rules/basic/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func flask(contents string) *eventv1.BasicWeapon {
	return &eventv1.BasicWeapon{Name: "flask", Kind: "grenade", Contents: contents, ShortFeet: 40, MediumFeet: 60, LongFeet: 80, Ammunition: "flasks"}
}

// throws is a creature with flasks and nothing else.
func throws(contents string) change {
	return section(func(b *eventv1.BasicSheet) {
		b.Weapons, b.Ammunition = []*eventv1.BasicWeapon{flask(contents)}, map[string]int32{"flasks": 3}
	})
}

func lit(how string) func(*eventv1.TakeAction) { return parameters("lit", how) }

func resists(n int32) change {
	return section(func(b *eventv1.BasicSheet) { b.Saves = map[string]int32{"death-ray": n} })
}

func tag(words ...string) change {
	return section(func(b *eventv1.BasicSheet) { b.Tags = append(b.Tags, words...) })
}

type at struct{ x, y int32 }

// thrown is a fight in which a, at 0, 0, throws first; the others stand as given
// and only move.
func thrownAt(t *testing.T, contents string, places []at, others ...*eventv1.Sheet) *table {
	f := newTable(t)
	f.AddAt(0, 0, make1("a", "A", throws(contents)))
	faces, list := []int{6}, []string{"a=ranged-attack"}
	for i, s := range others {
		f.AddAt(places[i].x, places[i].y, s)
		faces, list = append(faces, 1), append(list, s.Id+"=move")
	}
	return f.start(nil).declare(faces, list...)
}

// next ends the turns of a round and has everybody declare for the next, a first.
func (f *table) next(list ...string) {
	f.T.Helper()
	for round := f.State.Round; f.State.Round == round && len(f.State.Active) > 0; {
		f.end(f.State.Active[0])
	}
	faces := []int{6}
	for range list[1:] {
		faces = append(faces, 1)
	}
	f.declare(faces, list...)
}

// basic.attack.grenade-direct-hit: by Dexterity and range; no scatter on a hit.
func TestDirectHit(t *testing.T) {
	f := newTable(t).add([]int32{0, 30}, make1("a", "A", bonus(1), abilities(3, 1), throws(body.Oil)), make1("b", "B"))
	f.start(nil).declare([]int{6, 1}, "a=attack", "b=move")
	f.Must(act("a", "throw", "flask", "b", lit(strike.LitFlame)), 9, 5)
	if r := f.rolled("to-hit"); r.Total != 12 || f.rolled("scatter") != nil {
		t.Errorf("%v", r)
	}
	f.WantHP("b", 5) // Strength plays no part
	if got := f.State.Creatures["a"].Counters[body.CAmmunition+"flasks"]; got != 2 {
		t.Errorf("%d flasks, want 2", got)
	}
	wantRefused(t, f.Try(act("a", "throw", "flask", "b", lit(strike.LitFlame))), cite.ActionList)
	// Beyond long range nothing can be thrown at.
	f = thrownAt(t, body.Oil, []at{{0, 81}}, make1("b", "B"))
	wantRefused(t, f.Try(act("a", "throw", "flask", "b", lit(strike.LitFlame))), cite.AttackRangeBeyond)
	// The last flask leaves the hand.
	f = thrownAt(t, body.Oil, []at{{0, 30}}, make1("b", "B", hp(40)))
	f.Put("a", &eventv1.Vitals{Counters: map[string]int64{body.CAmmunition + "flasks": 1}})
	f.Must(act("a", "throw", "flask", "b", lit(strike.LitNot)), 15)
	if f.State.Creatures["a"].Items["flask"].Place != "gone" || body.FreeHands(f.State.Creatures["a"]) != 2 {
		t.Error("the hand is free")
	}
	f.end("a", "b")
	wantRefused(t, f.Try(act("a", "declare", body.KindRanged, "")), cite.ConditionDisarmed)
}

// basic.attack.grenade-direct-hit: a natural 20 counts for the die of the direct hit
// alone, a natural 1 for everything but the weapon.
func TestFlasksAndTheTables(t *testing.T) {
	f := thrownAt(t, body.Oil, []at{{0, 50}, {5, 50}}, make1("b", "B", hp(40), ac(30)), make1("c", "B", hp(40), resists(20)))
	f.Must(act("a", "throw", "flask", "b", lit(strike.LitWick)), 20, 11, 2, 3) // maximum 8; the save of c fails; splash 3
	f.WantHP("b", 29)
	f.WantHP("c", 37)
	f.next("a=move", "b=move", "c=move")
	f.Must(endTurn("a"), 4) // the burning of the next round is a plain die
	f.WantHP("b", 25)

	f = thrownAt(t, body.HolyWater, []at{{0, 50}}, make1("b", "B", hp(40), ac(30), tag("undead")))
	f.Must(act("a", "throw", "flask", "b"), 20, 20, 3, 2, 4) // 3 + 8, shaken, splash 4
	f.WantHP("b", 25)
	if !body.Has(f.State.Creatures["b"], body.CondShaken) {
		t.Error("the row's effect falls on the one hit")
	}
	for face, bar := range map[int]bool{1: true, 12: true, 18: false} {
		f = thrownAt(t, body.Oil, []at{{0, 50}}, make1("b", "B"))
		f.Must(act("a", "throw", "flask", "b", lit(strike.LitNot)), 1, face, 3)
		if f.State.Creatures["a"].Items["flask"].Place != "main" {
			t.Error("there was no weapon left to break or drop")
		}
		f.end("a", "b")
		if err := f.peek(act("a", "declare", body.KindRanged, "")); bar != (err != nil) {
			t.Errorf("%d: %v", face, err)
		}
	}
}

// basic.attack.grenade-scatter: every face of the diagram, along the throw.
func TestScatter(t *testing.T) {
	north := []at{1: {0, 20}, {-10, 30}, {0, 30}, {10, 30}, {-10, 40}, {10, 40}, {-10, 50}, {0, 50}, {10, 50}, {0, 60}}
	for face := 1; face <= 10; face++ {
		f := thrownAt(t, body.Oil, []at{{0, 40}}, make1("b", "B", ac(30)))
		f.Must(act("a", "throw", "flask", "b", lit(strike.LitNot)), 5, face)
		if r := f.rolled("scatter"); r.Creature != "" {
			t.Error("the game master rolls")
		}
		want := "it lands at " + body.Itoa(north[face].x) + ", " + body.Itoa(north[face].y)
		if !f.noted(want) {
			t.Errorf("face %d: want %q", face, want)
		}
	}
	p := func(x, y int32) *eventv1.Position { return &eventv1.Position{X: x, Y: y} }
	for _, c := range []struct {
		name     string
		from, to *eventv1.Position
		face     int
		x, y     int32
	}{
		{"basic.attack.grenade-scatter: eastward, behind right", p(0, 0), p(40, 0), 9, 50, -10},
		{"basic.attack.grenade-scatter: westward, short", p(0, 0), p(-40, 0), 3, -30, 0},
		{"basic.attack.grenade-scatter: southward, right", p(0, 0), p(0, -40), 6, -10, -40},
		{"basic.attack.grenade-scatter: turned with the throw", p(0, 0), p(30, 40), 8, 36, 48},
		{"basic.attack.grenade-scatter: turned, to the right", p(0, 0), p(30, 40), 6, 38, 34},
		{"basic.attack.grenade-scatter: on the diagonal, rounded", p(0, 0), p(20, 20), 8, 27, 27},
		{"basic.attack.grenade-scatter: 1.56 and 9.88 feet, rounded up", p(0, 0), p(15, 95), 8, 17, 105},
		{"basic.attack.grenade-scatter: 1.47 and 9.89 feet, rounded down and up", p(0, 0), p(10, 67), 8, 11, 77},
		{"basic.attack.grenade-scatter: at one's own feet", p(5, 5), p(5, 5), 10, 5, 25},
		{"basic.attack.grenade-scatter: far away", p(-900_000, 0), p(900_000, 0), 10, 900_020, 0},
	} {
		if got := fire.Land(c.from, c.to, body.Book.Scatter[c.face-1]); got.X != c.x || got.Y != c.y {
			t.Errorf("%s: %d, %d, want %d, %d", c.name, got.X, got.Y, c.x, c.y)
		}
	}
	// Another front may be stated.
	f := thrownAt(t, body.Oil, []at{{0, 40}}, make1("b", "B", ac(30)))
	f.Must(act("a", "throw", "flask", "b", lit(strike.LitNot), facts("front_x", 40, "front_y", 40)), 5, 3)
	if !f.noted("it lands at 10, 40") {
		t.Error("front is the side towards 40, 40")
	}
	// Without positions the places are named.
	f = lone(t, nil, body.KindRanged, make1("a", "A", throws(body.Oil)), make1("b", "B", ac(30)))
	f.Must(act("a", "throw", "flask", "b", lit(strike.LitNot)), 5, 2)
	if !f.noted("it lands -10 feet to the right and -10 feet beyond") {
		t.Error("the place is said")
	}
}

// noted tells whether the last command said something.
func (f *table) noted(text string) bool {
	for _, e := range f.Events {
		if e.GetNote().GetText() == text {
			return true
		}
	}
	return false
}

// basic.item.oil-direct
func TestOilDirect(t *testing.T) {
	f := thrownAt(t, body.Oil, []at{{0, 50}, {5, 50}}, make1("b", "B", hp(9)), make1("c", "B"))
	f.Must(act("a", "throw", "flask", "b", lit(strike.LitFlame)), 12, 6)
	f.WantHP("b", 3)
	f.WantHP("c", 10) // no wick, no splash
	if !body.Has(f.State.Creatures["b"], body.CondBurning) {
		t.Error("it burns")
	}
	f = thrownAt(t, body.Oil, []at{{0, 50}}, make1("b", "B", hp(9)))
	f.Must(act("a", "throw", "flask", "b", lit(strike.LitNot)), 12)
	f.WantHP("b", 9)
	if body.Has(f.State.Creatures["b"], body.CondBurning) {
		t.Error("nothing lit it")
	}
	// Who throws is asked when nothing is said.
	f = thrownAt(t, body.Oil, []at{{0, 50}}, make1("b", "B", hp(9)))
	f.Must(act("a", "throw", "flask", "b"))
	if len(f.Decisions) != 1 || f.Decisions[0].Creature != "a" || f.Decisions[0].GmOnly {
		t.Fatalf("asked %v", f.Decisions)
	}
	f.Answer(body.DecLit, strike.LitFlame, 12, 6)
	f.WantHP("b", 3)
}

// basic.item.oil-second-round, basic.item.oil-two-rounds, basic.item.oil-extinguish
func TestBurning(t *testing.T) {
	alightB := func(kind string) *table {
		f := thrownAt(t, body.Oil, []at{{0, 50}}, make1("b", "B", hp(9)))
		f.Must(act("a", "throw", "flask", "b", lit(strike.LitFlame)), 12, 6)
		f.next("a=move", "b="+kind)
		return f
	}
	t.Run("basic.item.oil-second-round: on its number, before its action", func(t *testing.T) {
		f := alightB(body.KindMelee)
		f.WantHP("b", 3)
		f.Must(endTurn("a"), 2)
		f.WantHP("b", 1)
		f.Must(act("b", "attack", "sword", "a", facts("distance", 5)), 5)
		f.end("b")
		// basic.item.oil-two-rounds: and no more
		f.declare([]int{6, 1}, "a=move", "b=move")
		f.end("a", "b")
		f.WantHP("b", 1)
		if body.Has(f.State.Creatures["b"], body.CondBurning) {
			t.Error("it is burnt out")
		}
	})
	t.Run("basic.item.oil-second-round: who falls of it does not act", func(t *testing.T) {
		f := alightB(body.KindMelee)
		f.Must(endTurn("a"), 3)
		f.WantLife("b", isDead)
		if f.State.Round != 3 {
			t.Errorf("round %d", f.State.Round)
		}
	})
	t.Run("basic.item.oil-second-round: who has no number burns at the end of the round", func(t *testing.T) {
		f := thrownAt(t, body.Oil, []at{{0, 50}}, make1("b", "B", hp(9)))
		f.Must(act("a", "throw", "flask", "b", lit(strike.LitFlame)), 12, 6)
		f.end("a", "b")
		f.Afflict("b", body.CondSurprised)
		f.Must(act("a", "declare", body.KindMove, ""), 6)
		f.Must(endTurn("a"), 2)
		f.WantHP("b", 1)
	})
	for _, method := range []string{"roll", "blanket"} {
		t.Run("basic.item.oil-extinguish: "+method, func(t *testing.T) {
			f := alightB(body.KindSmother)
			f.end("a")
			wantRefused(t, f.Try(act("b", "move", "", "", to(60))), cite.TurnDeclare)
			wantRefused(t, f.Try(act("b", "attack", "sword", "a", facts("distance", 5))), cite.TurnDeclare)
			f.Must(act("b", "smother", method, ""))
			f.end("b")
			f.WantHP("b", 3)
			wantRefused(t, f.Try(act("b", "declare", body.KindSmother, "")), cite.ItemOilExtinguish)
		})
	}
	t.Run("basic.item.oil-extinguish: water does not", func(t *testing.T) {
		f := alightB(body.KindSmother)
		f.end("a")
		f.Must(act("b", "smother", "water", ""), 5)
		f.WantHP("b", 0)
	})
	t.Run("basic.item.oil-extinguish: not done after all", func(t *testing.T) {
		f := alightB(body.KindSmother)
		f.end("a")
		f.Must(endTurn("b"), 2)
		f.WantHP("b", 1)
	})
	t.Run("basic.item.oil-extinguish: the game master judges other ways", func(t *testing.T) {
		for answer, faces := range map[string][]int{body.DecideYes: nil, body.DecideNo: {2}} {
			f := alightB(body.KindSmother)
			f.end("a")
			f.Must(act("b", "smother", "other", ""))
			if !f.Decisions[0].GmOnly {
				t.Error("it is the game master's to judge")
			}
			f.Answer(body.DecEffective, answer, faces...)
			f.WantHP("b", 3-int32(len(faces))*2)
		}
		f := alightB(body.KindSmother)
		f.end("a")
		f.Must(act("b", "smother", "roll", "", facts("effective", false)), 2)
		f.WantHP("b", 1)
	})
}

// basic.item.oil-splash, basic.item.oil-splash-save
func TestOilSplash(t *testing.T) {
	f := thrownAt(t, body.Oil, []at{{0, 50}, {5, 50}, {10, 50}}, make1("b", "B", hp(20)), make1("c", "B", resists(14)), make1("d", "B"))
	f.Must(act("a", "throw", "flask", "b", lit(strike.LitWick)), 12, 5, 13, 4)
	f.WantHP("b", 11) // 5 and 4, no save
	f.WantHP("c", 6)
	f.WantHP("d", 10)
	if body.Has(f.State.Creatures["c"], body.CondBurning) {
		t.Error("a splash does not burn on")
	}
	for _, c := range []struct {
		name         string
		number, face int
		shaken       bool
		saved        bool
	}{
		{"basic.item.oil-splash-save: 14 of 14", 14, 14, false, true},
		{"basic.item.oil-splash-save: 13 of 14", 14, 13, false, false},
		{"basic.dice.saving-throw: 12 of 12", 12, 12, false, true},
		{"basic.dice.saving-throw: shaken, 13 is 11", 12, 13, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := thrownAt(t, body.Oil, []at{{0, 50}, {5, 50}}, make1("b", "B", hp(20)), make1("c", "B", resists(int32(c.number))))
			if c.shaken {
				f.Afflict("c", body.CondShaken)
			}
			f.Must(act("a", "throw", "flask", "b", lit(strike.LitWick)), 12, 2, c.face, 6)
			f.WantHP("b", 12) // 2 and 6
			want := int32(4)
			if c.saved {
				want = 10
			}
			f.WantHP("c", want)
		})
	}
	// The thrower and its friends are not spared, and one who is hit and has no save of
	// its own fails.
	f = thrownAt(t, body.Oil, []at{{0, 5}, {-5, 5}}, make1("b", "B", hp(20)), make1("c", "A"))
	f.Must(act("a", "throw", "flask", "b", lit(strike.LitWick), plus(5)), 12, 2, 20, 20, 3)
	f.WantHP("a", 7)
	f.WantHP("c", 7)
}

// basic.item.oil-miss-splash
func TestOilMiss(t *testing.T) {
	miss := func(how string, faces ...int) *table {
		f := thrownAt(t, body.Oil, []at{{0, 40}, {0, 30}}, make1("b", "B", ac(20)), make1("c", "B", resists(15)))
		f.Must(act("a", "throw", "flask", "b", lit(how)), faces...)
		return f
	}
	f := miss(strike.LitWick, 5, 3, 9, 5)
	f.WantHP("c", 5)
	f.WantHP("b", 10)
	for _, id := range []string{"b", "c"} {
		if body.Has(f.State.Creatures[id], body.CondBurning) {
			t.Error("nobody burns")
		}
	}
	f = miss(strike.LitWick, 5, 3, 15)
	f.WantHP("c", 10)
	f = miss(strike.LitFlame, 5, 3)
	f.WantHP("c", 10)
	f = miss(strike.LitWick, 5, 10) // 20 feet beyond: nobody is there
	f.WantHP("c", 10)
	// It does not stray into the melee: basic.attack.missile-into-melee.
	if len(f.Decisions) > 0 {
		t.Errorf("asked %v", f.Decisions)
	}
}

// basic.item.oil-splash: where nobody can measure the game master says who is near.
func TestSplashWithoutPositions(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A", throws(body.Oil)), make1("b", "B", hp(20)), make1("c", "B"), make1("d", "B", tag("fire-based")))
	f.start(nil).declare([]int{6, 1, 1, 1}, "a=ranged-attack", "b=move", "c=move", "d=move")
	f.Must(act("a", "throw", "flask", "b", lit(strike.LitWick)), 12, 5)
	if len(f.Decisions) != 1 || !f.Decisions[0].GmOnly || len(f.Decisions[0].Options) != 3 {
		t.Fatalf("asked %v, want a, c and nobody", f.Decisions)
	}
	f.Answer(body.DecSplash, "c")
	f.Answer(body.DecSplash, body.NoStray, 5, 4)
	f.WantHP("b", 11)
	f.WantHP("c", 6)
	f = newTable(t).add(nil, make1("a", "A", throws(body.Oil)), make1("b", "B", ac(20)), make1("c", "B"))
	f.start(nil).declare([]int{6, 1, 1}, "a=ranged-attack", "b=move", "c=move")
	f.Must(act("a", "throw", "flask", "b", lit(strike.LitWick), facts("splashed", []string{"c"})), 5, 3, 5, 4)
	f.WantHP("c", 6)
}

// basic.item.oil-fire-immunity
func TestFireproof(t *testing.T) {
	for _, word := range []string{"fire-resistant", "fire-based"} {
		f := thrownAt(t, body.Oil, []at{{0, 50}, {5, 50}}, make1("hound", "B", tag(word)), make1("other", "B", tag(word)))
		f.Must(act("a", "throw", "flask", "hound", lit(strike.LitWick)), 12, 7, 4)
		f.WantHP("hound", 10)
		f.next("a=move", "hound=move", "other=move")
		f.end("a", "hound", "other")
		f.WantHP("hound", 10)
		f.WantHP("other", 10)
	}
}

// basic.item.holy-water-direct, basic.item.holy-water-splash, basic.item.holy-water-one-round
func TestHolyWater(t *testing.T) {
	f := thrownAt(t, body.HolyWater, []at{{0, 50}}, make1("zombie", "B", tag("undead", "needs-magic")))
	f.Must(act("a", "throw", "flask", "zombie"), 12, 5, 3)
	f.WantHP("zombie", 2)
	f.next("a=move", "zombie=move")
	f.end("a", "zombie")
	f.WantHP("zombie", 2)

	f = thrownAt(t, body.HolyWater, []at{{0, 50}}, make1("orc", "B"))
	f.Must(act("a", "throw", "flask", "orc"), 12)
	f.WantHP("orc", 10)

	f = thrownAt(t, body.HolyWater, []at{{0, 50}, {5, 50}, {-5, 50}}, make1("s1", "B", tag("undead")), make1("s2", "B", tag("undead"), resists(2)), make1("x", "A"))
	f.Must(act("a", "throw", "flask", "s1"), 12, 4, 2)
	f.WantHP("s1", 4)
	f.WantHP("s2", 8) // no save is offered
	f.WantHP("x", 10)

	f = thrownAt(t, body.HolyWater, []at{{0, 20}, {0, 30}}, make1("ghoul", "B", ac(20), tag("undead")), make1("zombie", "B", tag("undead")))
	f.Must(act("a", "throw", "flask", "ghoul"), 5, 8, 6)
	f.WantHP("zombie", 4)
	f.WantHP("ghoul", 10)
	// A living one hit splashes the dead beside it.
	f = thrownAt(t, body.HolyWater, []at{{0, 50}, {5, 50}}, make1("orc", "B"), make1("zombie", "B", tag("undead")))
	f.Must(act("a", "throw", "flask", "orc"), 20, 6)
	f.WantHP("orc", 10)
	f.WantHP("zombie", 4)
}
