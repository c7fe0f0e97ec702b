package basic

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	theorder "github.com/skaldrpg/skald/pkg/rules/basic/order"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// basic.initiative.roll: one die for each creature, whatever its side.
func TestEachRollsForItself(t *testing.T) {
	f := newTable(t).add(nil, make1("h1", "A"), make1("h2", "A"), make1("o1", "B"), make1("o2", "B"), make1("o3", "B")).start(nil)
	f.declare([]int{5, 2, 4, 4, 1}, "h1=move", "h2=move", "o1=move", "o2=move", "o3=move")
	for _, group := range [][]string{{"h1"}, {"o1", "o2"}, {"h2"}, {"o3"}} {
		f.WantActive(group...)
		f.end(group...)
	}
	if f.State.Round != 2 {
		t.Errorf("round %d", f.State.Round)
	}
}

// basic.initiative.dex: the tie is judged on the adjusted totals.
// basic.initiative.high-first: down to zero and below.
func TestAdjustedTotals(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A", abilities(0, 3)), make1("b", "B")).start(nil)
	f.declare([]int{2, 5}, "a=move", "b=move")
	f.WantActive("a", "b")

	f = newTable(t).add(nil, make1("a", "A"), make1("b", "A", abilities(0, 1)), make1("c", "B", abilities(0, -1)), make1("d", "B", abilities(0, -2))).start(nil)
	f.declare([]int{4, 6, 1, 1}, "a=move", "b=move", "c=move", "d=move")
	for i, id := range []string{"b", "a", "c", "d"} {
		f.WantActive(id)
		if got := theorder.PlaceOf(f.State, f.State.Creatures[id]).Total; got != []int32{7, 4, 0, -1}[i] {
			t.Errorf("%s on %d", id, got)
		}
		f.end(id)
	}
}

// basic.turn.sequence: no surprise after the first round, except for newcomers.
func TestNewcomersMayBeSurprised(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A"), make1("b", "B")).start(nil).declare([]int{6, 1}, "a=move", "b=move")
	join := func(id string, surprised bool) {
		f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: make1(id, "B"), Facts: object("surprised", surprised)}}})
	}
	join("c", true)
	join("d", false)
	f.end("a", "b")
	wantRefused(t, f.Try(act("c", "declare", body.KindMove, "")), cite.SurpriseLoseOneRound)
	join("e", true) // while everybody declares: it loses this very round
	f.declare([]int{6, 1, 2}, "a=move", "b=move", "d=move")
	f.end("a", "d", "b")
	if f.State.Round != 3 {
		t.Fatalf("round %d", f.State.Round)
	}
	f.declare([]int{6, 1, 2, 3, 4}, "a=move", "b=move", "c=move", "d=move", "e=move")
}

// basic.surprise.lose-one-round: the armour class stays as it is.
func TestSurprisedArmour(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A"), make1("b", "B", ac(13))).start(object("surprise", []string{"B"}), 13)
	f.declare([]int{4}, "a=melee-attack")
	f.Must(act("a", "attack", "sword", "b"), 12)
	if f.outcome() != "miss" {
		t.Error("12 misses 13")
	}
}

// basic.turn.resolve-on-count: who was killed has no action; the declared one is void.
func TestTheDeadDoNotAct(t *testing.T) {
	f := newTable(t).add(nil, make1("archer", "A", wields(bow())), make1("goblin", "B", hp(3)), make1("z", "B")).start(nil)
	f.declare([]int{6, 3, 1}, "archer=ranged-attack", "goblin=melee-attack", "z=move")
	f.Must(act("archer", "shoot", "bow", "goblin"), 15, 3)
	f.end("archer")
	f.WantActive("z")
	wantRefused(t, f.Try(act("goblin", "attack", "sword", "archer")), cite.DeathZeroHp)
}

// tied is a fight in which all are on number 4.
func tied(t *testing.T, at []int32, kinds []string, sheets ...*eventv1.Sheet) *table {
	f := newTable(t).add(at, sheets...).start(nil)
	faces, list := []int{}, []string{}
	for i, s := range sheets {
		faces = append(faces, 4)
		list = append(list, s.Id+"="+kinds[i])
	}
	return f.declare(faces, list...)
}

// basic.initiative.ties-simultaneous: knocked down, disarmed or held on the number,
// everybody still does what it does on it.
func TestWhatATieDoesNotPrevent(t *testing.T) {
	strike, wrestle := []string{body.KindMelee, body.KindMelee}, []string{body.KindGrapple, body.KindGrapple}
	t.Run("knocked prone", func(t *testing.T) {
		f := tied(t, []int32{0, 5}, strike, make1("a", "A", hp(40)), make1("b", "B", hp(40)))
		f.Must(act("a", "attack", "sword", "b"), 20, 20, 1, 3)
		f.Must(act("b", "attack", "sword", "a"), 12, 1)
		if f.Total("to-hit") != 12 {
			t.Error("it is not prone yet")
		}
		f.end("a", "b")
		if !body.Has(f.State.Creatures["b"], body.CondProne) {
			t.Error("now it is")
		}
	})
	t.Run("disarmed", func(t *testing.T) {
		f := tied(t, []int32{0, 5}, strike, make1("a", "A", hp(40)), make1("b", "B", hp(40)))
		f.Must(act("a", "attack", "sword", "b"), 20, 20, 1, 1)
		f.Must(act("b", "attack", "sword", "a"), 12, 1)
		f.end("a", "b")
		f.WantHP("a", 39)
		if f.State.Creatures["b"].Items["sword"].Place != "dropped" {
			t.Error("the sword is knocked away")
		}
	})
	t.Run("both grab", func(t *testing.T) {
		f := tied(t, []int32{0, 5}, wrestle, make1("a", "A"), make1("b", "B"))
		f.Must(act("a", "grapple", "strength", "b"), 15)
		f.Must(act("b", "grapple", "strength", "a"), 15)
		f.end("a")
		f.Must(endTurn("b"), 10, 5, 9, 8)
		for _, id := range []string{"a", "b"} {
			if !body.Has(f.State.Creatures[id], body.CondHeld) {
				t.Errorf("%s is not held", id)
			}
		}
	})
	t.Run("who is grabbed still walks off, and nothing comes of it", func(t *testing.T) {
		f := tied(t, []int32{0, 5}, []string{body.KindGrapple, body.KindMove}, make1("a", "A", wields()), make1("b", "B"))
		f.Must(act("a", "grapple", "strength", "b"), 15)
		f.Must(act("b", "move", "", "", to(35)))
		f.end("a", "b")
		if body.Has(f.State.Creatures["b"], body.CondHeld) || f.State.Creatures["a"].Position.X != 0 {
			t.Error("it is gone")
		}
	})
	t.Run("who grabs dies of the same number", func(t *testing.T) {
		f := tied(t, []int32{0, 5}, []string{body.KindGrapple, body.KindMelee}, make1("a", "A", hp(3)), make1("b", "B"))
		f.Must(act("a", "grapple", "strength", "b"), 15)
		f.Must(act("b", "attack", "sword", "a"), 15, 8)
		f.end("a", "b")
		f.WantLife("a", isDead)
		if body.Has(f.State.Creatures["b"], body.CondHeld) {
			t.Error("the dead hold nobody")
		}
	})
	t.Run("who walks off is still in reach of the others on the number", func(t *testing.T) {
		f := tied(t, []int32{0, 5}, []string{body.KindMove, body.KindMelee}, make1("a", "A"), make1("b", "B"))
		f.Must(act("a", "move", "", "", to(-20)))
		f.Answer(body.DecParting, body.DecideNo)
		f.Must(act("b", "attack", "sword", "a"), 15, 3)
		f.end("a", "b")
		f.WantHP("a", 7)
		// Not on the next number.
		f = newTable(t).add([]int32{0, 5}, make1("a", "A"), make1("b", "B")).start(nil).declare([]int{5, 4}, "a=move", "b=melee-attack")
		f.Must(act("a", "move", "", "", to(-20)))
		f.Answer(body.DecParting, body.DecideNo)
		f.end("a")
		wantRefused(t, f.Try(act("b", "attack", "sword", "a")), cite.MovementEngaged)
	})
	t.Run("silenced", func(t *testing.T) {
		f := lone(t, nil, body.KindGrapple, make1("a", "A"), make1("b", "B", caster))
		f.Must(act("a", "grapple", "strength", "b"), 15, 15, 5)
		f.end("a", "b")
		f.declare(nil, "a=grapple")
		f.Must(act("b", "declare", body.KindCast, ""), 4, 4, 12, 3)
		f.WantActive("a", "b")
		f.Must(act("a", "hold-silence", "", "b"))
		f.Must(act("b", "cast", "bolt", "a"))
		f.end("a")
		f.Must(endTurn("b"), 2)
		f.WantHP("a", 8)
		f.declare(nil, "a=grapple")
		wantRefused(t, f.Try(act("b", "declare", body.KindCast, "")), cite.SpellHandAndVoice)
	})
}

// basic.initiative.ties-simultaneous, basic.injury.subdual-zero: the order in which
// the blows of a number are rolled makes no difference to who dies.
func TestTiedBlowsCountTogether(t *testing.T) {
	for _, first := range []string{"a", "c"} {
		f := tied(t, nil, []string{body.KindMelee, body.KindMove, body.KindMelee}, make1("a", "A"), make1("b", "B", hp(6)), make1("c", "A"))
		blows := map[string]func(){
			"a": func() { f.Must(act("a", "attack", body.Punch, "b"), 15, 3) },
			"c": func() { f.Must(act("c", "attack", "sword", "b"), 15, 8) },
		}
		blows[first]()
		blows[map[string]string{"a": "c", "c": "a"}[first]]()
		f.end("a", "b")
		f.Must(endTurn("c"), 2)
		f.WantLife("b", isUnconscious)
		f.WantHP("b", 0)
	}
	// On a later number it is a blow at one who lies there: basic.injury.unconscious-lethal.
	f := newTable(t).add(nil, make1("a", "A"), make1("b", "B", hp(3)), make1("c", "A")).start(nil)
	f.declare([]int{5, 1, 4}, "a=melee-attack", "b=move", "c=melee-attack")
	f.Must(act("a", "attack", body.Punch, "b"), 15, 3, 2)
	f.end("a")
	f.Must(act("c", "attack", body.Punch, "b"), 15, 1)
	f.WantLife("b", isDead)
}

// basic.turn.round-ends: who cannot act as the count comes to its number is done for the
// round, on a number of its own or beside others, even if it is helped up later; one whose
// number is still to come acts on it.
func TestHelpedUpAfterItsNumber(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A"), make1("b", "B", hp(3)), make1("c", "A"), make1("d", "B", hp(3)), make1("e", "B", hp(3)), make1("g", "A"), make1("h", "A")).start(nil)
	f.declare([]int{6, 4, 3, 2, 3, 6, 6}, "a=melee-attack", "b=move", "c=move", "d=move", "e=move", "g=melee-attack", "h=melee-attack")
	f.WantActive("a", "g", "h")
	for by, id := range map[string]string{"a": "b", "g": "d", "h": "e"} {
		f.Must(act(by, "attack", body.Punch, id), 15, 3)
	}
	f.end("a", "g")
	f.Must(endTurn("h"), 2, 2, 2)
	for _, id := range []string{"b", "d", "e"} {
		f.WantLife(id, isUnconscious)
	}
	f.WantActive("c") // 4 has passed, and 3 is come to
	for _, id := range []string{"b", "d", "e"} {
		f.Hurt(id, 3)
		f.WantLife(id, isAlive)
	}
	f.end("c")
	f.WantActive("d")
	f.end("d")
	if f.State.Round != 2 {
		t.Errorf("round %d: somebody acts after its number", f.State.Round)
	}
}

// basic.initiative.ties-simultaneous: three on a number, a ring of deaths, and one
// who comes later.
func TestRingOfDeaths(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A", hp(3)), make1("b", "B", hp(3)), make1("c", "C", hp(3)), make1("d", "D")).start(nil)
	f.declare([]int{4, 4, 4, 2}, "a=melee-attack", "b=melee-attack", "c=melee-attack", "d=move")
	f.WantActive("a", "b", "c")
	for _, p := range [][2]string{{"a", "b"}, {"b", "c"}, {"c", "a"}} {
		f.Must(act(p[0], "attack", "sword", p[1]), 15, 3)
	}
	f.end("a", "b", "c")
	for _, id := range []string{"a", "b", "c"} {
		f.WantLife(id, isDead)
	}
	f.WantActive("d")
}

// basic.spell.disruption: inside a tie the save is made once, however many attack,
// whoever moves first, and the caster's own death does not stop the spell.
func TestDisruptionInATie(t *testing.T) {
	mage := func() *eventv1.Sheet { return make1("mage", "A", caster, hp(2)) }
	for _, c := range []struct {
		name  string
		order []string
		save  int
		lost  int32
	}{
		{"basic.spell.disruption: cast first, saved", []string{"mage", "orc", "ogre"}, 13, 4},
		{"basic.spell.disruption: cast first, failed", []string{"mage", "orc", "ogre"}, 12, 0},
		{"basic.spell.disruption: attacked first, saved", []string{"orc", "ogre", "mage"}, 13, 4},
		{"basic.spell.disruption: attacked first, failed", []string{"orc", "ogre", "mage"}, 12, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := tied(t, nil, []string{body.KindCast, body.KindMelee, body.KindMelee}, mage(), make1("ogre", "B"), make1("orc", "B"))
			for _, id := range c.order {
				switch id {
				case "mage":
					f.Must(act("mage", "cast", "bolt", "orc"))
				case "orc":
					f.Must(act("orc", "attack", "sword", "mage"), 2)
				default:
					f.Must(act("ogre", "attack", "sword", "mage"), 15, 5)
				}
			}
			f.end("mage", "ogre")
			faces := []int{c.save}
			if c.lost > 0 {
				faces = append(faces, int(c.lost))
			}
			f.Must(endTurn("orc"), faces...)
			f.WantLife("mage", isDead)
			f.WantHP("orc", 10-c.lost)
		})
	}
	t.Run("basic.spell.disruption: a parting shot on the number", func(t *testing.T) {
		f := newTable(t).add([]int32{0, 5}, make1("mage", "A", caster), make1("orc", "B")).start(nil).declare([]int{4, 2}, "mage=cast", "orc=move")
		f.Must(act("mage", "move", "", "", to(-20)))
		f.Answer(body.DecParting, "weapon:sword", 2)
		f.Must(act("mage", "cast", "bolt", "orc"), 12)
		f.WantHP("orc", 10)
	})
	t.Run("basic.spell.disruption: hurt by the one who holds", func(t *testing.T) {
		f := lone(t, nil, body.KindGrapple, make1("a", "A"), make1("b", "B", caster))
		f.Must(act("a", "grapple", "strength", "b"), 15, 15, 5)
		f.end("a", "b")
		f.declare(nil, "a=grapple")
		f.Must(act("b", "declare", body.KindCast, ""), 4, 4, 12, 3)
		f.Must(act("b", "cast", "bolt", "a"))
		f.Must(act("a", "hold-punch", "", "b"), 2)
		f.end("a")
		f.Must(endTurn("b"), 12)
		f.WantHP("a", 10)
	})
}

// basic.spell.same-number-casters: an ordinary hold onto the other's number lets
// both spells succeed. basic.spell.disrupt-by-delay: only a spell that hurts disturbs.
func TestSpellsOnOneNumber(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A", caster), make1("b", "B", caster)).start(nil).declare([]int{6, 3}, "a=cast", "b=cast")
	f.Must(act("a", "hold-for", "", "b"))
	f.Must(act("a", "cast", "bolt", "b"))
	f.Must(act("b", "cast", "bolt", "a"))
	f.end("a")
	f.Must(endTurn("b"), 2, 3)
	f.WantHP("b", 8)
	f.WantHP("a", 7)

	f = newTable(t).add(nil, make1("a", "A", section(func(b *eventv1.BasicSheet) {
		b.Weapons, b.Spells = nil, []*eventv1.BasicSpell{{Name: "mend", Uses: 1, Healing: "1d6"}}
	})), make1("b", "B", caster)).start(nil).declare([]int{6, 3}, "a=cast", "b=cast")
	f.Must(act("a", "delay-spell", "", "b"))
	f.Must(act("a", "cast", "mend", "b"), 2)
	f.end("a")
	f.Must(act("b", "cast", "bolt", "a"), 3)
	f.WantHP("a", 7)
	// A slower one cannot delay to the faster, nor to one who casts nothing.
	f = newTable(t).add(nil, make1("a", "A", caster), make1("b", "B", caster), make1("c", "B")).start(nil).declare([]int{4, 6, 2}, "a=cast", "b=cast", "c=move")
	f.end("b")
	wantRefused(t, f.Try(act("a", "delay-spell", "", "b")), cite.SpellDisruptByDelay)
	wantRefused(t, f.Try(act("a", "delay-spell", "", "c")), cite.SpellDisruptByDelay)
}

// basic.turn.declare, basic.turn.round-ends: the round waits for everybody.
func TestTheRoundWaits(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A"), make1("b", "A"), make1("c", "B")).start(nil)
	f.declare([]int{6, 5, 4}, "a=melee-attack", "b=move", "c=move")
	f.Must(act("a", "hold", "", ""))
	f.end("b", "c")
	if f.State.Round != 1 || !slices.Equal(f.State.Active, []string{"a"}) {
		t.Fatalf("round %d, active %v", f.State.Round, f.State.Active)
	}
	f.Must(act("a", "attack", "sword", "c"), 5)
	f.end("a")
	if f.State.Round != 2 {
		t.Errorf("round %d", f.State.Round)
	}
}
