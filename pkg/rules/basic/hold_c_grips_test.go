package basic

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/order"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// basic.action.hold-take-item, basic.initiative.ties-simultaneous: what is taken on a
// number that both act on is had when it is over, if the other has it still, even if that
// one is down by then; to grab one who is down comes to nothing.
func TestTakingOnASharedNumber(t *testing.T) {
	sword := &eventv1.BasicWeapon{Name: "sword", Damage: "1d8", Kind: "melee"}
	for name, c := range map[string]struct {
		do    func(f *table)
		taken bool
	}{
		"it is still had":       {func(*table) {}, true},
		"it was dropped":        {func(f *table) { f.Must(act("b", "drop", "sword", "")) }, false},
		"the other falls":       {func(f *table) { f.Must(act("c", "attack", "sword", "b"), 18, 8) }, true},
		"the other leaves":      {func(f *table) { f.leaves("b") }, false},
		"the taker falls":       {func(f *table) { f.Must(act("b", "attack", "sword", "a"), 18, 8) }, false},
		"the taker is off":      {func(f *table) { f.leaves("a") }, false},
		"the other falls first": {func(f *table) { f.Hurt("b", 0) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t).add(nil, make1("a", "A", hp(8)), make1("b", "B", hp(8), wields(sword)), make1("c", "C")).start(nil)
			f.declare([]int{6, 1, 1}, "a=grapple", "b=move", "c=move")
			f.Must(act("a", "grapple", "strength", "b"), 19, 15, 5)
			f.end("a", "b", "c")
			f.declare([]int{3, 3, 3, 15, 5}, "a=grapple", "b=melee-attack", "c=melee-attack")
			f.Must(act("a", "hold-take-item", "sword", "b"), 15)
			if f.pending(body.TaskTake) != 1 {
				t.Fatal("it is had at once")
			}
			c.do(f)
			for len(f.State.Active) > 0 && f.State.Phase == body.PhaseCount {
				f.end(f.State.Active[0])
			}
			place := ""
			if a := f.Creature("a"); a != nil {
				place = a.Items["sword of b"].GetPlace()
			}
			if (place == "stowed") != c.taken {
				t.Errorf("the sword is %q with a, want taken %t", place, c.taken)
			}
		})
	}
	for name, c := range map[string]struct {
		do   func(f *table)
		held bool
	}{
		"nobody falls":     {func(*table) {}, true},
		"the other falls":  {func(f *table) { f.Must(act("c", "attack", "sword", "b"), 18, 8) }, false},
		"the other leaves": {func(f *table) { f.leaves("b") }, false},
	} {
		t.Run("grab: "+name, func(t *testing.T) {
			f := newTable(t).add(nil, make1("a", "A"), make1("b", "B", hp(8)), make1("c", "C")).start(nil)
			f.declare([]int{3, 3, 3}, "a=grapple", "b=melee-attack", "c=melee-attack")
			f.Must(act("a", "grapple", "strength", "b"), 19)
			c.do(f)
			for f.State.Active[0] != f.State.Active[len(f.State.Active)-1] {
				f.end(f.State.Active[0])
			}
			var faces []int
			if c.held {
				faces = []int{15, 5}
			}
			f.Must(endTurn(f.State.Active[0]), faces...)
			if held := body.HeldBy(f.Creature("b"), "a") != nil; held != c.held {
				t.Errorf("held %t", held)
			}
		})
	}
}

// basic.initiative.ties-simultaneous: a spell or a blow on a number comes to nothing when
// the one who casts, or the one it is for, is off the field before it is over.
func TestWhoLeavesBeforeTheNumberIsOver(t *testing.T) {
	for gone, want := range map[string]map[string]int32{"a": {"b": 10, "c": 5}, "b": {"a": 10, "c": 5}, "c": {"a": 10, "b": 6}, "d": {"a": 10, "b": 6, "c": 5}} {
		f := newTable(t).add(nil, make1("a", "A", caster), make1("b", "B"), make1("c", "B"), make1("d", "A")).start(nil)
		f.declare([]int{3, 3, 3, 3}, "a=cast", "b=move", "c=move", "d=melee-attack")
		f.Must(act("a", "cast", "bolt", "b"))
		f.Must(act("d", "attack", "sword", "c"), 15, 5)
		f.leaves(gone)
		for len(f.State.Active) > 1 {
			f.end(f.State.Active[0])
		}
		var faces []int
		if gone != "a" {
			faces = []int{4} // the dice of the spell, whoever is there
		}
		f.Must(endTurn(f.State.Active[0]), faces...)
		f.wantHP(want)
	}
}

// basic.spell.disruption: who was attacked while it cast, and is off the field when the
// number is over, makes no saving throw.
func TestACasterWhoLeaves(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A", caster), make1("b", "B")).start(nil)
	f.declare([]int{3, 3}, "a=cast", "b=melee-attack")
	f.Must(act("a", "cast", "bolt", "b"))
	f.Must(act("b", "attack", "sword", "a"), 5)
	f.leaves("a")
	f.end("b")
	f.WantHP("b", 10)
}

// basic.action.cast-spell: a spell does nothing to one who died on its number before it
// took effect.
func TestASpellOnTheDead(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A", caster), make1("b", "B")).start(nil)
	f.declare([]int{3, 3}, "a=cast", "b=move")
	f.Must(act("a", "cast", "bolt", "b"))
	f.Hurt("b", 0)
	f.Must(endTurn("a"), 4)
	for _, e := range f.Published {
		if e.GetDamage() != nil {
			t.Errorf("the dead are hurt: %v", e)
		}
	}
}

// basic.movement.grapple-enter-space: a holder that goes into another's space lets go of
// those who are not in it.
func TestHoldingTwo(t *testing.T) {
	for name, c := range map[string]struct {
		third at
		both  bool
	}{"in the same space": {at{5, 0}, true}, "in another": {at{0, 0}, false}} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t).on(map[string]at{"a": {0, 0}, "b": {5, 0}, "c": c.third}, make1("a", "A"), make1("b", "B"), make1("c", "B")).start(nil)
			f.declare([]int{6, 1, 1}, "a=grapple", "b=move", "c=move")
			f.Must(act("a", "grapple", "strength", "b"), 19, 15, 5)
			f.end("a", "b", "c")
			f.declare([]int{6, 1, 1, 15, 5}, "a=grapple", "b=move", "c=move")
			f.Must(act("a", "grapple", "strength", "c"), 19, 15, 5)
			if body.HeldBy(f.Creature("c"), "a") == nil || (body.HeldBy(f.Creature("b"), "a") != nil) != c.both {
				t.Errorf("b has %v, c has %v", f.Creature("b").Conditions, f.Creature("c").Conditions)
			}
		})
	}
	// One on the map steps to nobody who is not, nor the other way round.
	for _, placed := range []string{"a", "b"} {
		f := newTable(t).on(map[string]at{placed: {0, 0}}, make1("a", "A"), make1("b", "B")).start(nil)
		f.declare([]int{6, 1}, "a=grapple", "b=move")
		f.Must(act("a", "grapple", "strength", "b"), 19, 15, 5)
		if body.HeldBy(f.Creature("b"), "a") == nil || f.Creature("a").Position != nil != (placed == "a") {
			t.Errorf("a at %v, b has %v", f.Creature("a").Position, f.Creature("b").Conditions)
		}
	}
}

// basic.action.hold-silence: whoever is kept from speaking by one holder is not let speak
// by another who does the same later in the round.
func TestSilencedByTwo(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A"), make1("b", "B", caster), make1("c", "A")).start(nil)
	f.declare([]int{6, 1, 5}, "a=grapple", "b=cast", "c=grapple")
	f.Must(act("a", "grapple", "strength", "b"), 19, 15, 5)
	f.end("a")
	f.Must(act("c", "grapple", "strength", "b"), 19, 15, 5)
	f.end("c", "b")
	// c comes first and waits for b; a silences b on 5, c on 2, the number of b.
	f.declare([]int{5, 2, 6, 15, 5}, "a=grapple", "b=cast", "c=grapple")
	f.Must(act("c", "hold-for", "", "b"), 15, 5)
	f.Must(act("a", "hold-silence", "", "b"))
	f.end("a")
	f.WantActive("b", "c")
	f.Must(act("c", "hold-silence", "", "b"))
	wantRefused(t, f.Try(act("b", "cast", "bolt", "a")), cite.SpellHandAndVoice)
	silenced := 0
	for _, x := range f.Creature("b").Conditions {
		if x.Name == body.CondSilenced {
			silenced++
		}
	}
	if silenced != 1 {
		t.Errorf("b has %v", f.Creature("b").Conditions)
	}
}

// basic.movement.hold-move-opponent: whether a holder is strong enough the game master
// says; who is stopped before the first step drags nobody and lets nobody go.
func TestDragging(t *testing.T) {
	for stated, refused := range map[string]bool{"": false, "strong": false, "weak": true} {
		f := holding(t, make1("a", "A"), make1("b", "B"))
		var k []func(*eventv1.TakeAction)
		if stated != "" {
			k = append(k, facts("strong_enough", stated == "strong"))
		}
		err := f.Try(act("a", "hold-drag", "", "b", append(k, parameters("feet", 15))...))
		if refused {
			wantRefused(t, err, cite.MovementHoldMoveOpponent)
		} else if err != nil {
			t.Error(err)
		}
	}
	for name, stopped := range map[string]bool{"stopped": true, "not hit": false} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t).on(map[string]at{"a": {0, 0}, "b": {5, 0}, "d": {10, 0}}, make1("a", "A", hp(60)), make1("b", "B"), make1("c", "B"), make1("d", "B")).start(nil)
			f.declare([]int{6, 1, 1, 1}, "a=grapple", "b=move", "c=move", "d=move")
			f.Must(act("a", "grapple", "strength", "c"), 19, 15, 5)
			f.end("a", "b", "c", "d")
			f.declare([]int{6, 1, 1, 1, 15, 5}, "a=grapple", "b=move", "c=move", "d=move")
			f.Must(act("a", "let-go", "", "c"))
			f.Must(act("a", "grapple", "strength", "b"), 19, 15, 5)
			f.edits("c", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondHeld, Source: "a"}}}) // off the map
			f.end("a", "b", "c", "d")
			f.declare([]int{6, 1, 1, 1, 15, 5, 15, 5}, "a=grapple", "b=move", "c=move", "d=move")
			f.Must(act("a", "hold-drag", "", "b", to(-10)))
			if stopped {
				f.Answer(body.DecParting+"/d", "weapon:sword", 20, 20, 1, 3) // prone
			} else {
				f.Answer(body.DecParting+"/d", "weapon:sword", 5)
			}
			dragged := slices.ContainsFunc(f.Published, func(e *eventv1.Event) bool { return e.GetMoved().GetCreature() == "b" })
			x := int32(-10)
			if stopped {
				x = 5
			}
			if dragged == stopped || f.Creature("b").Position.X != x || body.HeldBy(f.Creature("b"), "a") == nil {
				t.Errorf("dragged %t, b at %v with %v", dragged, f.Creature("b").Position, f.Creature("b").Conditions)
			}
			if held := body.HeldBy(f.Creature("c"), "a") != nil; held != stopped {
				t.Errorf("a holds c: %t", held)
			}
		})
	}
}

// basic.condition.disarmed: what fell lies where it fell and is picked up within 5 feet of
// there, as far as anybody can measure.
func TestWhereAThingLies(t *testing.T) {
	javelin := &eventv1.BasicWeapon{Name: "javelin", Damage: "1d6", Kind: "thrown", ShortFeet: 20, MediumFeet: 40, LongFeet: 60}
	for name, c := range map[string]struct {
		thrower, target *at
		stands          *at // where the game master then puts the thrower
		picked          bool
	}{
		"beside it":                       {&at{0, 0}, &at{20, 0}, &at{15, 0}, true},
		"6 feet from it":                  {&at{0, 0}, &at{20, 0}, &at{14, 0}, false},
		"thrown by one nowhere":           {nil, &at{20, 0}, nil, true},
		"at one nowhere":                  {&at{0, 0}, nil, nil, true},
		"at one nowhere, from far away":   {&at{0, 0}, nil, &at{90, 0}, true},
		"by one nowhere, who then is":     {nil, &at{20, 0}, &at{90, 0}, false},
		"by nobody anywhere, who then is": {nil, nil, &at{90, 0}, true},
	} {
		t.Run(name, func(t *testing.T) {
			places := map[string]at{}
			if c.thrower != nil {
				places["a"] = *c.thrower
			}
			if c.target != nil {
				places["b"] = *c.target
			}
			f := newTable(t).on(places, make1("a", "A", abilities(2, 0), wields(javelin)), make1("b", "B")).start(nil)
			f.declare([]int{6, 1}, "a=ranged-attack", "b=move")
			f.Must(act("a", "shoot", "javelin", "b"), 15, 3) // basic.damage.strength-thrown: 3 and 2
			f.WantHP("b", 5)
			f.end("a", "b")
			f.declare([]int{6, 1}, "a=other", "b=move")
			f.Must(act("a", "redeclare", body.KindMove, "", facts("allowed", true)))
			if c.stands != nil {
				f.place("a", c.stands.x, c.stands.y)
			}
			if err := f.Try(act("a", "pick-up", "javelin", "")); c.picked != (err == nil) {
				t.Errorf("%v", err)
			} else if err != nil {
				wantRefused(t, err, cite.ConditionDisarmed)
			}
		})
	}
	// basic.attack.missile-lost: what misses is gone.
	f := lone(t, nil, body.KindRanged, make1("a", "A", wields(javelin)), make1("b", "B"))
	f.Must(act("a", "shoot", "javelin", "b"), 5)
	if got := f.Creature("a").Items["javelin"].Place; got != "gone" {
		t.Errorf("it is %s", got)
	}
}

// basic.attack.parting-shot: of the one that is dragged along nobody says that it could
// strike at the holder; of others beside it one does.
func TestWhomADragProvokes(t *testing.T) {
	f := newTable(t).on(map[string]at{"a": {0, 0}, "b": {5, 0}, "c": {5, 5}}, make1("a", "A"), make1("b", "B"), make1("c", "B")).start(nil)
	f.declare([]int{6, 1, 1}, "a=grapple", "b=move", "c=move")
	f.Must(act("a", "grapple", "strength", "b"), 19, 15, 5)
	f.end("a", "b", "c")
	f.declare([]int{6, 1, 1, 15, 5}, "a=grapple", "b=move", "c=move")
	f.Must(act("a", "hold-drag", "", "b", to(-10)))
	if len(f.Decisions) != 1 || f.Decisions[0].Creature != "c" {
		t.Errorf("asked %v", f.Decisions)
	}
	f.Answer(body.DecParting+"/c", body.DecideNo)
}

// basic.spell.hand-and-voice, basic.action.hold-magic-item: a simple thing is used freely,
// unless the game master says that it is not.
func TestASimpleThing(t *testing.T) {
	for name, c := range map[string]struct {
		simple  bool
		stated  any
		asked   bool
		refused bool
	}{
		"a ring": {true, nil, false, false}, "a ring, allowed": {true, true, false, false}, "a ring, forbidden": {true, false, false, true},
		"a wand": {false, nil, true, false}, "a wand, allowed": {false, true, false, false}, "a wand, forbidden": {false, false, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			thing := &eventv1.BasicItem{Name: "thing", Simple: c.simple, Effect: &eventv1.BasicSpell{Damage: "1d6"}}
			f := holding(t, make1("a", "A", carrying(thing)), make1("b", "B"))
			var k []func(*eventv1.TakeAction)
			if c.stated != nil {
				k = append(k, facts("allowed", c.stated))
			}
			cmd := act("a", "hold-use-item", "thing", "b", k...)
			switch {
			case c.refused:
				wantRefused(t, f.Try(cmd), cite.ActionHoldMagicItem)
				return
			case c.asked:
				f.Must(cmd)
				f.Answer(body.DecApprove, body.DecideYes, 4)
			default:
				f.Must(cmd, 4)
			}
			f.WantHP("b", 6)
		})
	}
}

// basic.action.hold-magic-item: how far a thing works, measured.
func TestHowFarAThingReachesOnTheMap(t *testing.T) {
	for name, c := range map[string]struct {
		feet int32
		c    *at
		hit  bool
	}{"at its end": {20, &at{25, 0}, true}, "beyond": {20, &at{26, 0}, false}, "nowhere": {20, nil, true}, "without a range": {0, &at{400, 0}, true}} {
		t.Run(name, func(t *testing.T) {
			thing := &eventv1.BasicItem{Name: "ring", Simple: true, Effect: &eventv1.BasicSpell{Damage: "1d6", RangeFeet: c.feet}}
			places := map[string]at{"a": {0, 0}, "b": {5, 0}}
			if c.c != nil {
				places["c"] = *c.c
			}
			f := newTable(t).on(places, make1("a", "A", carrying(thing)), make1("b", "B"), make1("c", "B")).start(nil)
			f.declare([]int{6, 1, 1}, "a=grapple", "b=move", "c=move")
			f.Must(act("a", "grapple", "strength", "b"), 19, 15, 5) // a stands at 5, 0
			f.end("a", "b", "c")
			f.declare([]int{6, 1, 1, 15, 5}, "a=grapple", "b=move", "c=move")
			if !c.hit {
				wantRefused(t, f.Try(act("a", "hold-use-item", "ring", "c")), cite.ActionHoldMagicItem)
				return
			}
			f.Must(act("a", "hold-use-item", "ring", "c"), 4)
			f.WantHP("c", 6)
		})
	}
}

// basic.action.hold: whoever holds and is knocked out is not asked between the numbers,
// and a blow on one who has its number alone takes effect at once.
func TestAHolderWhoIsOut(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A"), make1("b", "B", hp(3)), make1("c", "A"), make1("d", "A")).start(nil)
	f.declare([]int{5, 6, 2, 1}, "a=melee-attack", "b=melee-attack", "c=melee-attack", "d=move")
	f.Must(act("b", "hold", order.HoldAsked, ""))
	f.WantActive("a")
	f.Must(act("a", "attack", body.Punch, "b"), 15, 3)
	f.Must(endTurn("a"), 4) // knocked out, for 4 turns; nobody is asked about 4 and 3
	f.WantLife("b", isUnconscious)
	f.WantActive("c")
	if f.State.Counters[body.CTogether] != 0 {
		t.Error("c has the number with nobody who could step in")
	}
	f.Must(act("c", "attack", "sword", "b"), 18, 3)
	f.WantLife("b", isDead)

	// One held back from acting when the number began, and let go on it, steps in: then
	// all on it act together.
	f = newTable(t).add(nil, make1("a", "A"), make1("b", "B", hp(3)), make1("c", "A")).start(nil)
	f.declare([]int{5, 6, 2}, "a=move", "b=melee-attack", "c=melee-attack")
	f.Must(act("b", "hold", "", ""))
	f.Afflict("b", body.CondSurprised)
	f.end("a")
	f.WantActive("c")
	f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "b", RemoveConditions: []string{body.CondSurprised}}}})
	f.Must(act("b", "step-in", "", ""))
	f.Must(act("c", "attack", "sword", "b"), 18, 8)
	f.WantHP("b", 3)
	f.Must(act("b", "attack", "sword", "c"), 18, 8)
	f.end("b", "c")
	f.wantHP(map[string]int32{"b": 0, "c": 2})
}

// basic.action.hold, basic.turn.round-ends: what is held at the end of the count is used
// or let go, also while others hold; a number that nobody comes to any more is none.
func TestTheEndOfTheCount(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A"), make1("b", "B"), make1("c", "B")).start(nil)
	f.declare([]int{5, 4, 3}, "a=melee-attack", "b=melee-attack", "c=move")
	for _, n := range []int{1, 5, 6} {
		wantRefused(t, f.Try(act("a", "hold", order.HoldNumber, "", parameters("number", n))), cite.ActionHold)
	}
	f.Must(act("a", "hold", "", ""))
	f.Must(act("b", "hold", "", ""))
	f.end("c")
	f.WantActive("a", "b")
	for _, id := range []string{"a", "b"} { // just below the last number that anybody had, together
		if p := order.PlaceOf(f.State, f.Creature(id)); p.Total != 2 || f.State.Counters[body.CCount] != 2 || f.State.Counters[body.CTogether] != 1 {
			t.Errorf("%s is on %v, the count on %d", id, p, f.State.Counters[body.CCount])
		}
	}
	wantRefused(t, f.Try(act("a", "hold", "", "")), cite.TurnRoundEnds)
	wantRefused(t, f.Try(act("b", "hold", order.HoldNumber, "")), cite.TurnRoundEnds)
}

// basic.initiative.high-first, basic.spell.disrupt-by-delay: just before a slow caster is
// not before those of a higher number.
func TestADelayKeepsItsNumber(t *testing.T) {
	wizard := section(func(b *eventv1.BasicSheet) { b.Spells = []*eventv1.BasicSpell{{Name: "bolt", Uses: 2, Damage: "1d6"}} })
	f := newTable(t).add(nil, make1("a", "A"), make1("b", "B", wizard), make1("c", "A", wizard)).start(nil)
	f.declare([]int{5, 3, 6}, "a=move", "b=cast", "c=cast")
	f.Must(act("c", "delay-spell", "", "b"))
	f.WantActive("a")
	f.end("a")
	f.WantActive("c")
	f.end("c")
	f.WantActive("b")
}

// basic.turn.round-ends, basic.turn.resolve-on-count: who lies unconscious as its number
// comes or passes is done for the round; helped up before, it acts.
func TestHelpedUpBeforeItsNumber(t *testing.T) {
	healer := section(func(b *eventv1.BasicSheet) {
		b.Spells = []*eventv1.BasicSpell{{Name: "mend", Uses: 2, Healing: "1d6"}}
	})
	wizard := section(func(b *eventv1.BasicSheet) { b.Spells = []*eventv1.BasicSpell{{Name: "bolt", Uses: 2, Damage: "1d6"}} })
	for name, c := range map[string]struct {
		number int // of b
		acts   bool
	}{"it passed": {5, false}, "it is to come": {3, true}} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t).add(nil, make1("a", "A", healer), make1("b", "A"), make1("c", "B", wizard), make1("d", "B")).start(nil)
			f.declare([]int{6, c.number, 3, 1}, "a=cast", "b=melee-attack", "c=cast", "d=move")
			none := int32(0)
			f.edits("b", &eventv1.Vitals{Hp: &none, Counters: map[string]int64{body.CNonlethal: 1}}, 2)
			f.Must(act("a", "delay-spell", "", "c"))
			f.WantActive("a") // on 3, before the others of it
			f.Must(act("a", "cast", "mend", "b"), 4)
			f.WantHP("b", 4)
			f.end("a")
			if got := slices.Contains(f.State.Active, "b"); got != c.acts {
				t.Errorf("active are %v", f.State.Active)
			}
		})
	}
}
