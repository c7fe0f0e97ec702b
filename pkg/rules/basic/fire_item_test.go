package basic

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/fire"
	"github.com/skaldrpg/skald/pkg/rules/basic/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// pouring is a fight in which a, at 0, pours out oil; the others stand along the line.
func pouring(t *testing.T, places []int32, others ...*eventv1.Sheet) *table {
	f := newTable(t).add([]int32{0}, make1("a", "A", throws(body.Oil)))
	f.add(places, others...)
	faces, list := []int{6}, []string{"a=other"}
	for _, s := range others {
		faces, list = append(faces, 1), append(list, s.Id+"=move")
	}
	return f.start(nil).declare(faces, list...)
}

// basic.item.oil-ground-fire, basic.turn.round-length: lit in round 3 it burns 10
// rounds, 100 seconds; who crosses it takes 1d6 each round.
func TestGroundFire(t *testing.T) {
	f := newTable(t).add([]int32{0, 20}, make1("a", "A", throws(body.Oil)), make1("ogre", "B", hp(40)))
	f.start(nil)
	idle := func() {
		f.declare([]int{6, 1}, "a=move", "ogre=move")
		f.end("a", "ogre")
	}
	idle()
	idle()
	f.declare([]int{6, 1}, "a=other", "ogre=move")
	f.Must(act("a", "spill-oil", "flask", "", parameters("lit", true), func(k *eventv1.TakeAction) {
		k.Path = []*eventv1.Position{{X: 5}}
	}))
	wantRefused(t, f.Try(act("a", "light-oil", "pool-1", "")), cite.ActionList)
	f.end("a", "ogre")
	for round := int32(4); round <= 13; round++ {
		f.declare([]int{6, 1}, "a=move", "ogre=move")
		f.end("a")
		switch round {
		case 4:
			f.Must(act("ogre", "move", "", "", to(-10)), 4) // it turns its back on nobody: a is armed with a flask
			f.WantHP("ogre", 36)
		case 12:
			f.Must(act("ogre", "move", "", "", to(20)), 2)
			f.WantHP("ogre", 34)
			f.end("ogre")
			if len(fire.Pools(f.State)) != 0 {
				t.Error("round 12 was its tenth")
			}
			continue
		case 13:
			f.Must(act("ogre", "move", "", "", to(-10)))
			f.WantHP("ogre", 34)
		}
		f.end("ogre")
	}
}

// basic.item.oil-ground-fire: at most once a round, on the number of one who stands
// there before it acts, at the end of the round of one whose number was over.
func TestStandingInFire(t *testing.T) {
	f := pouring(t, []int32{5}, make1("b", "B", hp(20)))
	f.Must(act("a", "spill-oil", "flask", "", parameters("lit", true), func(k *eventv1.TakeAction) { k.Path = []*eventv1.Position{{X: 5}} }))
	f.Must(endTurn("a"), 3) // b's number comes
	f.WantHP("b", 17)
	f.Must(act("b", "move", "", "", to(10, 5, 10))) // out, in and out: it has burned this round
	f.end("b")
	f.WantHP("b", 17)

	f = newTable(t).add([]int32{0, 5}, make1("a", "A", throws(body.Oil)), make1("b", "B", hp(20))).start(nil).declare([]int{1, 6}, "a=other", "b=move")
	f.end("b")
	f.Must(act("a", "spill-oil", "flask", "", parameters("lit", true), func(k *eventv1.TakeAction) { k.Path = []*eventv1.Position{{X: 5}} }))
	f.Must(endTurn("a"), 4)
	f.WantHP("b", 16)
	// The fireproof stand in it at ease, and one who dies in it stays there.
	f = pouring(t, []int32{20, 25}, make1("b", "B", hp(2)), make1("c", "B", tag("fire-resistant")))
	f.Must(act("a", "spill-oil", "flask", "", parameters("lit", true), func(k *eventv1.TakeAction) { k.Path = []*eventv1.Position{{X: 5}} }))
	f.end("a")
	f.Must(act("c", "move", "", "", to(5)))
	f.Must(act("b", "move", "", "", to(-10)), 2)
	f.WantLife("b", isDead)
	if got := f.State.Creatures["b"].Position.X; got != 7 {
		t.Errorf("it fell at %d, want 7, the edge of the flames", got)
	}
	f.WantHP("c", 10)
}

// basic.item.oil-ground-fire: oil that is poured out burns only when somebody lights
// it; who is near enough may.
func TestLightingOil(t *testing.T) {
	f := pouring(t, []int32{5}, make1("b", "B"))
	wantRefused(t, f.Try(act("a", "spill-oil", "flask", "", func(k *eventv1.TakeAction) { k.Path = []*eventv1.Position{{X: 6}} })), cite.ItemOilGroundFire)
	f.Must(act("a", "spill-oil", "flask", "", func(k *eventv1.TakeAction) { k.Path = []*eventv1.Position{{X: 5}} }))
	f.end("a", "b")
	f.WantHP("b", 10)
	f.declare([]int{1, 6}, "a=other", "b=move")
	f.Must(act("b", "move", "", "", to(25)))
	f.end("b")
	f.Must(act("a", "light-oil", "pool-1", ""))
	f.end("a")
	f.declare([]int{6, 1}, "a=other", "b=move")
	wantRefused(t, f.Try(act("a", "light-oil", "pool-1", "")), cite.ItemOilGroundFire)
	f.end("a")
	f.Must(act("b", "move", "", "", to(5)), 6)
	f.WantHP("b", 4)
	// A flask less each time.
	f = pouring(t, []int32{50}, make1("b", "B"))
	f.Put("a", &eventv1.Vitals{Counters: map[string]int64{body.CAmmunition + "flasks": 0}})
	wantRefused(t, f.Try(act("a", "spill-oil", "flask", "")), cite.AttackGrenadeDirectHit)
}

// basic.item.oil-ground-fire: without positions the caller says who crosses flames,
// and the game master who stands in them.
func TestFireWithoutPositions(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A", throws(body.Oil)), make1("b", "B", hp(20)), make1("c", "B", hp(20)))
	f.start(nil).declare([]int{6, 1, 2}, "a=other", "b=move", "c=move")
	f.Must(act("a", "spill-oil", "flask", "", parameters("lit", true)))
	f.Afflict("c", body.CondInFlames)
	f.Must(endTurn("a"), 5)
	f.WantHP("c", 15)
	f.end("c")
	f.Must(act("b", "move", "", "", parameters("feet", 10), facts("through_flames", true)), 3)
	f.WantHP("b", 17)
	if got := f.Creature("b").Counters[body.CMoved]; got != 10 {
		t.Errorf("b has moved %d feet, want 10", got)
	}
	// Whom the flames fell gets no further.
	f = newTable(t).add(nil, make1("a", "A"), make1("b", "B", hp(3)))
	f.start(nil).declare([]int{1, 6}, "a=other", "b=move")
	f.Must(act("b", "move", "", "", parameters("feet", 10), facts("through_flames", true)), 3)
	f.WantLife("b", isDead)
	if got := f.Creature("b").Counters[body.CMoved]; got != 0 {
		t.Errorf("b has moved %d feet", got)
	}
}

// basic.item.oil-ground-fire: who is dragged through flames burns as well.
func TestDraggedThroughFire(t *testing.T) {
	f := newTable(t).add([]int32{0, 5}, make1("a", "A", throws(body.Oil), hp(20), walks(60)), make1("b", "B", hp(20)))
	f.start(nil).declare([]int{6, 1}, "a=other", "b=move")
	f.Must(act("a", "spill-oil", "flask", "", parameters("lit", true), func(k *eventv1.TakeAction) { k.Path = []*eventv1.Position{{X: -5}} }))
	f.end("a", "b")
	f.declare([]int{6, 1}, "a=grapple", "b=move")
	f.Must(act("a", "grapple", "strength", "b"), 15, 15, 5)
	f.end("a", "b")
	f.declare([]int{6, 1, 15, 5}, "a=grapple", "b=move")
	f.Must(act("a", "hold-drag", "", "b", to(-20)), 2, 3)
	f.WantHP("a", 18)
	f.WantHP("b", 17)
	if f.State.Creatures["b"].Position.X != -20 {
		t.Error("it was dragged")
	}
}

// The end of the fight puts out the flames.
func TestFiresEnd(t *testing.T) {
	f := thrownAt(t, body.Oil, []at{{0, 50}}, make1("b", "B", hp(20)))
	f.Must(act("a", "throw", "flask", "b", lit(strike.LitFlame)), 12, 6)
	f.Must(&eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
	if body.Has(f.State.Creatures["b"], body.CondBurning) || len(f.State.Tasks) > 0 {
		t.Error("something still burns")
	}
}

// carrying gives a creature things.
func carrying(list ...*eventv1.BasicItem) change {
	return section(func(b *eventv1.BasicSheet) { b.Items = list })
}

// holding is a fight in which a holds b and has the number.
func holding(t *testing.T, a, b *eventv1.Sheet) *table {
	f := lone(t, nil, body.KindGrapple, a, b)
	f.Must(act("a", "grapple", "strength", "b"), 19, 15, 5)
	f.end("a", "b")
	return f.declare([]int{6, 1, 15, 5}, "a=grapple", "b=melee-attack")
}

// basic.action.hold-magic-item: a ring freely, a wand by the game master's leave.
func TestMagicItemsInAHold(t *testing.T) {
	ring := &eventv1.BasicItem{Name: "ring of sparks", Simple: true, Effect: &eventv1.BasicSpell{Uses: 1, Damage: "1d6", Save: "spells", Half: true}}
	wand := &eventv1.BasicItem{Name: "wand", Effect: &eventv1.BasicSpell{Healing: "1d6"}}
	key := &eventv1.BasicItem{Name: "key"}
	sheet := func() *eventv1.Sheet { return make1("a", "A", hp(20), carrying(ring, wand, key)) }
	f := holding(t, sheet(), make1("b", "B", section(func(b *eventv1.BasicSheet) { b.Saves = map[string]int32{"spells": 13} })))
	wantRefused(t, f.Try(act("a", "hold-use-item", "key", "")), cite.ActionHoldMagicItem)
	f.Must(act("a", "hold-use-item", "ring of sparks", "b"), 5, 13)
	f.WantHP("b", 8) // half of 5
	wantRefused(t, f.Try(act("a", "hold-use-item", "wand", "a")), cite.ActionList)
	f.end("a", "b")
	f.declare([]int{6, 1, 15, 5}, "a=grapple", "b=move")
	wantRefused(t, f.Try(act("a", "hold-use-item", "ring of sparks", "b")), cite.ActionHoldMagicItem)
	wantRefused(t, f.Try(act("a", "hold-use-item", "wand", "a", facts("allowed", false))), cite.ActionHoldMagicItem)
	f.Put("a", &eventv1.Vitals{Hp: func() *int32 { n := int32(4); return &n }()})
	f.Must(act("a", "hold-use-item", "wand", "a"))
	if len(f.Decisions) != 1 || !f.Decisions[0].GmOnly {
		t.Fatalf("asked %v", f.Decisions)
	}
	f.Answer(body.DecApprove, body.DecideYes, 3)
	f.WantHP("a", 7)
	// Without a hold it is not this action.
	f = lone(t, nil, body.KindGrapple, sheet(), make1("b", "B"))
	wantRefused(t, f.Try(act("a", "hold-use-item", "ring of sparks", "b")), cite.DiceGrappleCheck)
}

// basic.action.hold-take-item: an attack roll against the touch armour class; the
// hold stays either way.
func TestTakingInAHold(t *testing.T) {
	key := &eventv1.BasicItem{Name: "key"}
	touch := section(func(b *eventv1.BasicSheet) { b.ArmorClass, b.TouchArmorClass = 18, 13 })
	sheet := func() *eventv1.Sheet { return make1("a", "A", bonus(2), abilities(1, 1)) }
	for _, c := range []struct {
		name  string
		face  int
		taken bool
	}{{"basic.action.hold-take-item: 13 takes", 10, true}, {"basic.action.hold-take-item: 12 does not", 9, false}, {"basic.action.hold-take-item: a natural 20", 20, true}} {
		t.Run(c.name, func(t *testing.T) {
			f := holding(t, sheet(), make1("b", "B", touch, carrying(key)))
			f.Must(act("a", "hold-take-item", "key", "b"), c.face)
			a, b := f.State.Creatures["a"], f.State.Creatures["b"]
			if (a.Items["key"].GetPlace() == "carried") != c.taken || (b.Items["key"].Place == "carried") == c.taken {
				t.Errorf("a has %v, b has %v", a.Items["key"], b.Items["key"])
			}
			if body.HeldBy(b, "a") == nil {
				t.Error("the hold stays")
			}
			f.WantHP("b", 10)
			wantRefused(t, f.Try(act("a", "hold-take-item", "key", "b")), map[bool]string{true: cite.ActionList, false: cite.ActionList}[c.taken])
		})
	}
	// A weapon out of its hand: then it is no longer ready.
	f := holding(t, sheet(), make1("b", "B", touch))
	f.Must(act("a", "hold-take-item", "sword", "b", parameters("ability", "dexterity")), 10)
	if f.State.Creatures["a"].Items["sword of b"].GetPlace() != "stowed" || len(body.Melee(f.State.Creatures["b"])) != 0 {
		t.Error("a has it beside its own, b has none")
	}
	f.end("a")
	wantRefused(t, f.Try(act("b", "attack", "sword", "a")), cite.ConditionDisarmed)
	// A natural 1 goes to the table; nothing is left to take from the stripped.
	f = holding(t, sheet(), make1("b", "B", touch, wields()))
	wantRefused(t, f.Try(act("a", "hold-take-item", "", "b")), cite.ActionHoldTakeItem)
	f = holding(t, sheet(), make1("b", "B", carrying(key)))
	f.Must(act("a", "hold-take-item", "key", "b"), 1, 12)
	f.end("a", "b")
	wantRefused(t, f.Try(act("a", "declare", body.KindGrapple, "")), cite.FumbleSecondRoll)
	f.declare([]int{6, 1, 15, 5}, "a=hold", "b=move")
	wantRefused(t, f.Try(act("a", "hold-take-item", "key", "b")), cite.FumbleSecondRoll)
	// basic.initiative.ties-simultaneous: the one robbed on its own number still strikes.
	f = lone(t, nil, body.KindGrapple, sheet(), make1("b", "B"))
	f.Must(act("a", "grapple", "strength", "b"), 19, 15, 5)
	f.end("a", "b")
	f.declare([]int{3, 4, 15, 5}, "a=grapple", "b=melee-attack") // Dexterity 1 makes it 4 and 4
	f.Must(act("a", "hold-take-item", "sword", "b"), 15)
	f.Must(act("b", "attack", "sword", "a"), 15, 2)
	f.end("a", "b")
	f.WantHP("a", 8)
	if f.State.Creatures["b"].Items["sword"].Place != "taken" {
		t.Error("then it is gone")
	}
}

// basic.action.hold-other: whatever the game master allows.
func TestOtherThingsInAHold(t *testing.T) {
	f := holding(t, make1("a", "A", abilities(2, 2)), make1("b", "B"))
	wantRefused(t, f.Try(act("a", "hold-other", "", "", parameters("text", "ties a knot"), facts("allowed", false))), cite.ActionHoldOther)
	f.Must(act("a", "hold-other", "", "", parameters("text", "ties a knot", "dc", 12)))
	if len(f.Decisions) != 1 || !f.Decisions[0].GmOnly {
		t.Fatalf("asked %v", f.Decisions)
	}
	f.Answer(body.DecApprove, body.DecideYes, 10)
	if f.rolled("check/a").Outcome != "success" || f.State.Creatures["a"].Counters[body.CAction] != 0 {
		t.Error("10 and 2 are 12, and the action is used")
	}
	f = lone(t, nil, body.KindGrapple, make1("a", "A"), make1("b", "B"))
	wantRefused(t, f.Try(act("a", "hold-other", "", "", parameters("text", "ties a knot"))), cite.DiceGrappleCheck)
	// What is listed of those who hold nobody says so.
	for _, o := range (System{}).Options(rules.Query{State: f.State, Creature: "a"}) {
		if slices.Contains([]string{"hold-other", "hold-take-item"}, o.Action) && (o.Legal || o.Rule != cite.DiceGrappleCheck) {
			t.Errorf("%v", o)
		}
	}
}
