package basic

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/order"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func elf(s *eventv1.Sheet, b *eventv1.BasicSheet) { b.Tags = append(b.Tags, "elf") }

// basic.surprise.check, basic.surprise.normal-dc-13, basic.surprise.elf-dc-15, basic.surprise.ambush-plus-3
func TestSurprise(t *testing.T) {
	for _, c := range []struct {
		name   string
		elves  bool
		ambush bool
		face   int
		want   []string
	}{
		{"basic.surprise.normal-dc-13: 12 surprises nobody", false, false, 12, nil},
		{"basic.surprise.normal-dc-13: 13 surprises all", false, false, 13, []string{"a", "b"}},
		{"basic.surprise.elf-dc-15: 14 leaves the elf alert", true, false, 14, []string{"b"}},
		{"basic.surprise.elf-dc-15: 15 surprises the elf too", true, false, 15, []string{"a", "b"}},
		{"basic.surprise.ambush-plus-3: 10 is 13", true, true, 10, []string{"b"}},
		{"basic.surprise.ambush-plus-3: 12 is 15", true, true, 12, []string{"a", "b"}},
		{"basic.surprise.ambush-plus-3: 9 is 12", true, true, 9, nil},
		{"basic.surprise.ambush-plus-3: hidden is not enough", false, false, 11, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			first := make1("a", "party")
			if c.elves {
				elf(first, first.GetBasic())
			}
			f := newTable(t).add(nil, first, make1("b", "party"), make1("z", "orcs"))
			how := object("surprise", []string{"party"})
			if c.ambush {
				how = object("surprise", []string{"party"}, "ambush", []string{"orcs"})
			}
			f.start(how, c.face)
			var got []string
			for _, id := range []string{"a", "b", "z"} {
				if body.Has(f.State.Creatures[id], body.CondSurprised) {
					got = append(got, id)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("surprised %v, want %v", got, c.want)
			}
		})
	}
}

// basic.surprise.check: one die for each side that might be surprised.
func TestSurpriseOfBothSides(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A"), make1("b", "B")).start(object("surprise", []string{"A", "B"}), 15, 9)
	if !body.Has(f.State.Creatures["a"], body.CondSurprised) || body.Has(f.State.Creatures["b"], body.CondSurprised) {
		t.Error("A is surprised, B is not")
	}
	// basic.surprise.lose-one-round, basic.turn.declare: only b declares.
	wantRefused(t, f.Try(act("a", "declare", body.KindMove, "")), cite.SurpriseLoseOneRound)
	f.declare([]int{4}, "b=move")
	f.WantActive("b")
	f.end("b")
	if f.State.Round != 2 || f.State.Phase != body.PhaseDeclare || body.Has(f.State.Creatures["a"], body.CondSurprised) {
		t.Errorf("round %d, phase %s", f.State.Round, f.State.Phase)
	}
	f.declare([]int{2, 1}, "a=move", "b=move")
	f.WantActive("a")
}

// basic.surprise.lose-one-round: when everybody is surprised the round passes.
func TestAllSurprised(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A"), make1("b", "B")).start(object("surprise", []string{"A", "B"}), 13, 20)
	if f.State.Round != 2 || f.State.Counters[body.CClock] != 10 {
		t.Errorf("round %d, clock %d", f.State.Round, f.State.Counters[body.CClock])
	}
}

// basic.turn.sequence, basic.initiative.reroll-each-round, basic.turn.round-length, basic.turn.round-ends
func TestRounds(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A", abilities(0, 1)), make1("b", "B")).start(nil)
	wantRefused(t, f.Try(act("a", "move", "", "", parameters("feet", 5))), cite.TurnSequence)
	f.declare([]int{3, 4}, "a=move", "b=move")
	f.WantActive("a", "b") // 4 and 4
	f.end("b", "a")
	f.declare([]int{6, 2}, "a=move", "b=move")
	f.WantActive("a") // 7 and 2
	f.end("a", "b")
	f.declare([]int{1, 1}, "b=move", "a=move")
	f.end("a", "b")
	if f.State.Counters[body.CClock] != 30 {
		t.Errorf("clock %d, want 30", f.State.Counters[body.CClock])
	}
}

// basic.initiative.roll, basic.initiative.dex, basic.initiative.high-first, basic.condition.blinded
func TestInitiative(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A"), make1("b", "A", abilities(0, 2)), make1("c", "B", abilities(0, -1)), make1("d", "B", abilities(0, 1)))
	f.start(nil)
	f.Afflict("d", body.CondBlinded)
	f.declare([]int{5, 6, 1, 4}, "a=move", "b=move", "c=move", "d=move")
	for _, c := range []struct {
		id   string
		want int32
	}{{"b", 8}, {"a", 5}, {"d", 3}, {"c", 0}} {
		f.WantActive(c.id)
		if p := order.PlaceOf(f.State, f.State.Creatures[c.id]); p.Total != c.want {
			t.Errorf("%s on %d, want %d", c.id, p.Total, c.want)
		}
		f.end(c.id)
	}
}

// duel is A (hp 5, AC 13, attack +2, d8) and B (hp 4, AC 12, attack +1, d6).
func duel(t *testing.T, initiative ...int) *table {
	f := newTable(t).add(nil, make1("a", "A", hp(5), ac(13), bonus(2)), make1("b", "B", hp(4), bonus(1), blade("1d6"))).start(nil)
	return f.declare(initiative, "a=melee-attack", "b=melee-attack")
}

// basic.initiative.ties-simultaneous
func TestTiesAreSimultaneous(t *testing.T) {
	f := duel(t, 4, 4)
	f.Must(act("a", "attack", "sword", "b"), 11, 6)
	f.WantHP("b", 4)
	f.end("a")
	f.Must(act("b", "attack", "sword", "a"), 14, 5)
	f.end("b")
	f.WantLife("a", eventv1.LifeStatus_LIFE_STATUS_DEAD)
	f.WantLife("b", eventv1.LifeStatus_LIFE_STATUS_DEAD)
	f.WantHP("a", 0)
	f.WantHP("b", 0)
}

// basic.initiative.ties-simultaneous, basic.turn.resolve-on-count: the slower dies first.
func TestTheSlowerDiesFirst(t *testing.T) {
	f := duel(t, 5, 4)
	f.Must(act("a", "attack", "sword", "b"), 11, 6)
	f.WantLife("b", eventv1.LifeStatus_LIFE_STATUS_DEAD)
	f.end("a")
	f.WantHP("a", 5)
	if f.State.Round != 2 {
		t.Errorf("round %d: the dead have no number", f.State.Round)
	}
}

// basic.action.hold: to a number between, never earlier.
func TestHoldToANumber(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A"), make1("b", "B"), make1("c", "B")).start(nil)
	f.declare([]int{6, 4, 2}, "a=hold", "b=move", "c=move")
	wantRefused(t, f.Try(act("a", "hold", order.HoldNumber, "", parameters("number", 7))), cite.ActionHold)
	f.Must(act("a", "hold", order.HoldNumber, "", parameters("number", 3)))
	f.WantActive("b")
	f.end("b")
	f.WantActive("a")
	f.end("a")
	f.WantActive("c")
}

// basic.action.hold, basic.turn.round-ends: an open hold waits to the end and then lapses.
func TestOpenHold(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A"), make1("b", "B")).start(nil)
	f.declare([]int{6, 4}, "a=melee-attack", "b=move")
	f.Must(act("a", "hold", "", ""))
	f.WantActive("b")
	f.end("b")
	f.WantActive("a")
	if f.State.Round != 1 {
		t.Fatal("the round waits for the one who holds")
	}
	wantRefused(t, f.Try(act("a", "hold", "", "")), cite.TurnRoundEnds)
	f.end("a")
	if f.State.Round != 2 {
		t.Errorf("round %d, want 2", f.State.Round)
	}
}

// basic.action.hold: the holder steps in on another's number.
func TestStepIn(t *testing.T) {
	f := duel(t, 6, 4)
	f.Must(act("a", "hold", "", ""))
	f.Must(act("a", "step-in", "", ""))
	f.WantActive("b", "a")
	f.Must(act("a", "attack", "sword", "b"), 11, 6)
	f.Must(act("b", "attack", "sword", "a"), 14, 5)
	f.end("a", "b")
	f.WantLife("a", eventv1.LifeStatus_LIFE_STATUS_DEAD)
	f.WantLife("b", eventv1.LifeStatus_LIFE_STATUS_DEAD)
}

// basic.action.hold-for-creature
func TestHoldForACreature(t *testing.T) {
	f := newTable(t).add(nil, make1("fighter", "A", hp(6), ac(14), bonus(3), blade("1d8+1")), make1("ogre", "B", hp(7), ac(13), bonus(4), blade("1d10"))).start(nil)
	f.declare([]int{5, 2}, "fighter=melee-attack", "ogre=melee-attack")
	f.Must(act("fighter", "hold-for", "", "ogre"))
	f.WantActive("fighter", "ogre")
	f.Must(act("fighter", "attack", "sword", "ogre"), 10, 6)
	f.Must(act("ogre", "attack", "sword", "fighter"), 11, 7)
	f.end("fighter", "ogre")
	f.WantHP("fighter", 0)
	f.WantHP("ogre", 0)
}

// basic.action.hold-for-creature: one waits for someone who acts later.
func TestHoldForTheFaster(t *testing.T) {
	f := newTable(t).add(nil, make1("fighter", "A"), make1("ogre", "B")).start(nil)
	f.declare([]int{2, 5}, "fighter=melee-attack", "ogre=move")
	f.end("ogre")
	wantRefused(t, f.Try(act("fighter", "hold-for", "", "ogre")), cite.ActionHoldForCreature)
}

// basic.turn.declare: the kind of action binds; basic.action.list: one action a round.
func TestDeclarationBinds(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A"), make1("b", "B")).start(nil)
	f.Must(act("a", "declare", body.KindDodge, ""))
	wantRefused(t, f.Try(act("a", "declare", body.KindMelee, "")), cite.TurnDeclare)
	f.Must(act("b", "declare", body.KindMelee, ""), 6, 5)
	wantRefused(t, f.Try(act("a", "attack", "sword", "b")), cite.TurnDeclare)
	f.end("a")
	// basic.action.dodge: 12 + 0 against 12 + 2
	f.Must(act("b", "attack", "sword", "a", plus(1)), 12)
	if f.outcome() != "miss" {
		t.Error("13 misses 14")
	}
	wantRefused(t, f.Try(act("b", "attack", "sword", "a")), cite.ActionList)
	f.Must(act("b", "move", "", "", parameters("feet", 30)))
}

// basic.action.hold: who has had its turn of the round by the game master's word steps in
// on nobody's number, whatever it was waiting for.
func TestStepInAfterOnesTurn(t *testing.T) {
	f := duel(t, 6, 4)
	f.Must(act("a", "hold", "", ""))
	f.Put("a", &eventv1.Vitals{Counters: map[string]int64{body.CTurn: 1}})
	wantRefused(t, f.Try(act("a", "step-in", "", "")), cite.ActionHold)
	f.Put("a", &eventv1.Vitals{Counters: map[string]int64{body.CTurn: 0}})
	f.Must(act("a", "step-in", "", ""))
}
