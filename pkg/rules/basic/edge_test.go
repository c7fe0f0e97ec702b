package basic

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	theorder "github.com/skaldrpg/skald/pkg/rules/basic/order"
	"github.com/skaldrpg/skald/pkg/rules/basic/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// basic.action.hold: whoever is asked chooses among all numbers that nobody has; two
// who hold are asked together, and who says no is asked again at the next gap.
func TestTwoHoldersBetweenNumbers(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A"), make1("b", "A"), make1("c", "B")).start(nil)
	f.declare([]int{6, 6, 2}, "a=melee-attack", "b=melee-attack", "c=move")
	f.Must(act("a", "hold", theorder.HoldAsked, ""))
	f.Must(act("b", "hold", theorder.HoldAsked, ""))
	if len(f.Decisions) != 2 {
		t.Fatalf("asked %v", f.Decisions)
	}
	var got []string
	for _, o := range f.Decisions[0].Options {
		got = append(got, o.Id)
	}
	if !slices.Equal(got, []string{"5", "4", "3", body.DecideNo}) {
		t.Errorf("numbers %v", got)
	}
	f.Answer(body.DecBetween+"/a", "4")
	f.Answer(body.DecBetween+"/b", body.DecideNo)
	f.WantActive("a")
	f.Must(endTurn("a"))
	f.Answer(body.DecBetween, "3") // b, of what is left: 3 alone
	f.WantActive("b")
	f.end("b")
	f.WantActive("c")
	// On one number they act together.
	f = newTable(t).add(nil, make1("a", "A", hp(3)), make1("b", "B", hp(3)), make1("c", "B")).start(nil)
	f.declare([]int{6, 6, 2}, "a=melee-attack", "b=melee-attack", "c=move")
	f.Must(act("a", "hold", theorder.HoldAsked, ""))
	f.Must(act("b", "hold", theorder.HoldAsked, ""))
	f.Answer(body.DecBetween+"/a", "3")
	f.Answer(body.DecBetween+"/b", "3")
	f.Must(act("a", "attack", "sword", "b"), 15, 8)
	f.Must(act("b", "attack", "sword", "a"), 15, 8)
	f.end("a", "b")
	f.WantLife("a", isDead)
	f.WantLife("b", isDead)
}

// basic.action.hold: no question where the next number follows at once, none for one
// who holds until it steps in, and none when everybody else is done.
func TestWhoIsNotAskedBetween(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A"), make1("b", "B"), make1("c", "B")).start(nil)
	f.declare([]int{6, 5, 2}, "a=melee-attack", "b=move", "c=move")
	f.Must(act("a", "hold", theorder.HoldAsked, "")) // 6, and 5 comes
	f.WantActive("b")
	f.Must(act("a", "step-in", "", "")) // it may step in like anybody who holds
	f.end("a", "b")
	f.WantActive("c")

	f = newTable(t).add(nil, make1("a", "A"), make1("b", "B")).start(nil).declare([]int{6, 2}, "a=melee-attack", "b=move")
	f.Must(act("a", "hold", theorder.HoldOpen, ""))
	f.WantActive("b")
	f = newTable(t).add(nil, make1("a", "A"), make1("b", "B")).start(nil).declare([]int{6, 5}, "a=melee-attack", "b=move")
	f.Must(act("a", "hold", theorder.HoldAsked, ""))
	f.end("b")
	f.WantActive("a")
	wantRefused(t, f.Try(act("a", "hold", theorder.HoldAsked, "")), cite.TurnRoundEnds)
	// Settled ahead.
	f = newTable(t).add(nil, make1("a", "A"), make1("b", "B")).start(nil).declare([]int{6, 2}, "a=melee-attack", "b=move")
	f.Must(&eventv1.Command{What: &eventv1.Command_Order{Order: &eventv1.SetStandingOrder{Creature: "a", Decision: body.DecBetween, Order: body.DecideNo}}})
	f.Must(act("a", "hold", theorder.HoldAsked, ""))
	f.WantActive("b")
}

// basic.action.set-weapon: one who asked to be asked holds like any other.
func TestSettingWhileAsked(t *testing.T) {
	f := newTable(t).add([]int32{0, 45}, make1("a", "A", hp(40), ac(14), wields(spear())), make1("b", "B", wields(pike()))).start(nil)
	f.declare([]int{4, 6}, "a=charge", "b=melee-attack")
	f.Must(act("b", "hold", theorder.HoldAsked, ""))
	f.Answer(body.DecBetween, body.DecideNo)
	f.Must(act("a", "charge", "spear", "b"))
	f.Answer(body.DecSet, "weapon:pike", 12, 5, 2)
	f.end("a")
	f.WantHP("a", 30)
	if f.State.Round != 2 {
		t.Error("its action of the round is done")
	}
}

// basic.turn.resolve-on-count: the count never goes up again. Who lay there while its
// own number passed has no action, whoever wakes it; who is woken before has.
func TestWokenAfterItsNumber(t *testing.T) {
	mender := section(func(b *eventv1.BasicSheet) {
		b.Weapons, b.Spells = nil, []*eventv1.BasicSpell{{Name: "mend", Uses: 1, Healing: "1d6"}}
	})
	for _, c := range []struct {
		name          string
		sleeper, mend int
		acts          bool
	}{
		{"basic.turn.resolve-on-count: its number has passed", 4, 3, false},
		{"basic.turn.resolve-on-count: it is the same number", 4, 4, false},
		{"basic.turn.resolve-on-count: it is still to come", 2, 4, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add(nil, make1("a", "A"), make1("b", "B", hp(2)), make1("c", "B", mender), make1("d", "B")).start(nil)
			f.declare([]int{6, c.sleeper, c.mend, 1}, "a=melee-attack", "b=melee-attack", "c=cast", "d=move")
			f.Must(act("a", "attack", body.Punch, "b"), 15, 3, 4)
			f.WantLife("b", isUnconscious)
			f.end("a")
			f.WantActive("c")
			f.Must(act("c", "cast", "mend", "b"), 5)
			f.end("c")
			f.WantLife("b", isAlive)
			f.WantHP("b", 2)
			if c.acts {
				f.WantActive("b")
				f.Must(act("b", "attack", "sword", "a"), 5)
				f.end("b")
			}
			f.WantActive("d")
			f.end("d")
			if f.State.Round != 2 {
				t.Errorf("round %d, active %v", f.State.Round, f.State.Active)
			}
		})
	}
}

// basic.spell.disrupt-by-delay: a spell is delayed until just before one that is
// delayed itself, and disturbs it.
func TestDelayBeforeADelay(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A", caster), make1("b", "B", caster), make1("c", "B", caster)).start(nil)
	f.declare([]int{6, 2, 5}, "a=cast", "b=cast", "c=cast")
	f.Must(act("a", "delay-spell", "", "b"))
	f.WantActive("c")
	f.Must(act("c", "delay-spell", "", "a")) // before a, which comes before b
	f.WantActive("c")
	f.Must(act("c", "cast", "bolt", "a"), 2)
	f.WantHP("a", 8)
	f.end("c")
	f.WantActive("a")
	f.Must(act("a", "cast", "bolt", "b"), 12) // 12 of 13: lost
	f.WantHP("b", 10)
	f.end("a")
	f.WantActive("b")
	f.Must(act("b", "cast", "bolt", "c"), 3)
	f.WantHP("c", 7)
}

// basic.movement.hold-move-opponent, basic.movement.grapple-enter-space: who drags one
// of two lets go of the other. The one dragged is not left behind and makes no
// parting shot; the other makes one.
func TestDraggingOneOfTwo(t *testing.T) {
	for _, places := range [][]int32{{0, 5, 5}, nil} {
		f := newTable(t).add(places, make1("a", "A", walks(60)), make1("b", "B"), make1("c", "B")).start(nil)
		for _, id := range []string{"b", "c"} {
			f.Put(id, &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondHeld, Source: "a"}}})
		}
		if places != nil {
			f.Place("a", 5, 0)
		}
		f.declare([]int{6, 1, 1, 15, 5, 15, 5}, "a=grapple", "b=move", "c=move")
		if places != nil {
			f.Must(act("a", "hold-drag", "", "b", to(-20)))
			f.Answer(body.DecParting, body.DecideNo)
		} else {
			f.Must(act("a", "hold-drag", "", "b", parameters("feet", 20)))
		}
		if body.HeldBy(f.State.Creatures["b"], "a") == nil || body.HeldBy(f.State.Creatures["c"], "a") != nil {
			t.Errorf("b %v, c %v", f.State.Creatures["b"].Conditions, f.State.Creatures["c"].Conditions)
		}
	}
}

// basic.condition.disarmed: a weapon lies where it fell, and is picked up from within
// 5 feet of it.
func TestWhereThingsLie(t *testing.T) {
	dagger := &eventv1.BasicWeapon{Name: "dagger", Damage: "1d4", Kind: "melee", ShortFeet: 10, MediumFeet: 20, LongFeet: 30}
	pickUp := func(f *table, item, rule string) {
		t.Helper()
		err := f.peek(act("a", "pick-up", item, ""))
		if rule == "" && err != nil {
			t.Error(err)
		} else if rule != "" {
			wantRefused(t, err, rule)
		}
	}
	again := func(f *table) {
		f.end("a", "b")
		f.declare([]int{6, 1}, "a=other", "b=move")
	}
	// Knocked out of the hand.
	f := newTable(t).add([]int32{0, 5}, make1("a", "A", hp(40)), make1("b", "B")).start(nil).declare([]int{1, 6}, "b=melee-attack", "a=other")
	f.Must(act("b", "attack", "sword", "a"), 20, 20, 1, 1)
	f.end("b")
	pickUp(f, "sword", "")
	f.Must(act("a", "move", "", "", to(-6)))
	f.Answer(body.DecParting, body.DecideNo)
	pickUp(f, "sword", cite.ConditionDisarmed)
	f.Must(act("a", "move", "", "", to(-5)))
	f.Must(act("a", "pick-up", "sword", ""))
	if v := f.State.Creatures["a"].Items["sword"].Values; len(v) != 0 {
		t.Errorf("it lies nowhere now: %v", v)
	}
	// Thrown, it lies with the one it hit.
	f = lone(t, []int32{0, 20}, body.KindRanged, make1("a", "A", wields(dagger)), make1("b", "B"))
	f.Must(act("a", "shoot", "dagger", "b"), 15, 2)
	again(f)
	pickUp(f, "dagger", cite.ConditionDisarmed)
	f.Must(act("a", "move", "", "", to(15)))
	pickUp(f, "dagger", "")
	// Fumbled.
	f = lone(t, []int32{0, 5}, body.KindMelee, make1("a", "A"), make1("b", "B"))
	f.Must(act("a", "attack", "sword", "b"), 1, 11)
	again(f)
	pickUp(f, "sword", "")
	// Put down with what is in it: it is loaded where it lies and in the hand again.
	xbow := &eventv1.BasicWeapon{Name: "crossbow", Damage: "1d6", Kind: "crossbow", ShortFeet: 60, MediumFeet: 120, LongFeet: 180, ReloadRounds: 1}
	f = newTable(t).add([]int32{0, 50}, make1("a", "A", wields(xbow)), make1("b", "B")).start(nil).declare([]int{6, 1}, "a=other", "b=move")
	f.Must(act("a", "drop", "crossbow", ""))
	f.Must(act("a", "pick-up", "crossbow", ""))
	if got := f.State.Creatures["a"].Items["crossbow"].Values; got["loaded"] != 1 || got[strike.Lies] != 0 {
		t.Errorf("values %v", got)
	}
	// Off the map it is at hand.
	f = lone(t, nil, body.KindOther, make1("a", "A"), make1("b", "B"))
	f.Must(act("a", "drop", "sword", ""))
	pickUp(f, "sword", "")
}

// basic.initiative.ties-simultaneous, basic.action.charge: two who charge each other on
// one number meet and strike each other, whoever is named first; both blows double.
func TestTwoCharges(t *testing.T) {
	for _, order := range [][2]string{{"a", "b"}, {"b", "a"}} {
		f := tied(t, []int32{0, 45}, []string{body.KindCharge, body.KindCharge}, make1("a", "A", hp(6), wields(spear())), make1("b", "B", hp(6), wields(spear())))
		f.Must(act(order[0], "charge", "spear", order[1]), 8, 3) // 8 and 2 against 12 - 2
		f.Must(act(order[1], "charge", "spear", order[0]), 8, 3)
		f.end("a", "b")
		f.WantLife("a", isDead)
		f.WantLife("b", isDead)
	}
	// Not on the next number: then it is too near to charge.
	f := newTable(t).add([]int32{0, 45}, make1("a", "A", wields(spear())), make1("b", "B", wields(spear()))).start(nil).declare([]int{5, 4}, "a=charge", "b=charge")
	f.Must(act("a", "charge", "spear", "b"), 2)
	f.end("a")
	wantRefused(t, f.Try(act("b", "charge", "spear", "a")), cite.ActionChargeDistance)
	// Who walks up on the number is charged from where it stood, and who walks off.
	for _, x := range []int32{10, 70} {
		f = tied(t, []int32{0, 45}, []string{body.KindCharge, body.KindMove}, make1("a", "A", wields(spear())), make1("b", "B", wields(), walks(60)))
		f.Must(act("b", "move", "", "", to(x)))
		f.Must(act("a", "charge", "spear", "b"), 15, 2)
		if got, want := f.State.Creatures["a"].Position.X, map[int32]int32{10: 5, 70: 40}[x]; got != want {
			t.Errorf("it stands at %d, want %d", got, want)
		}
		f.end("a", "b")
		f.WantHP("b", 6)
	}
	// Who stood too far away, and still does, is not.
	f = tied(t, []int32{0, 75}, []string{body.KindCharge, body.KindMove}, make1("a", "A", wields(spear())), make1("b", "B", wields()))
	f.Must(act("b", "move", "", "", to(70)))
	wantRefused(t, f.Try(act("a", "charge", "spear", "b")), cite.ActionChargeDistance)
}

// basic.movement.fighting-withdrawal: to follow takes movement, on the map and off it.
func TestFollowingTakesMovement(t *testing.T) {
	back := func(feet int) *table {
		f := lone(t, nil, body.KindWithdraw, make1("a", "A"), make1("b", "B", walks(10)))
		f.Must(act("a", "withdraw", "", "", parameters("feet", feet), facts("engaged", []string{"b"})))
		return f
	}
	f := back(10)
	f.Answer(body.DecFollow, body.DecideYes)
	if got := f.State.Creatures["b"].Counters[body.CMovement]; got != 0 {
		t.Errorf("%d feet left, want 0", got)
	}
	f.Must(act("a", "attack", "sword", "b"), 5)
	f = back(11)
	if len(f.Decisions) > 0 {
		t.Errorf("11 feet are too many for 10: %v", f.Decisions)
	}
	wantRefused(t, f.Try(act("a", "attack", "sword", "b")), cite.MovementEngaged)
}

// basic.attack.behind-not-with-sneak, basic.attack.missile-unaware: a shot by surprise
// has the ability's bonus and that of short range, not that from behind.
func TestSneakShot(t *testing.T) {
	sneak := section(func(b *eventv1.BasicSheet) { b.SneakAttackBonus = 4 })
	for _, c := range []struct {
		name  string
		facts []any
		want  int32
	}{
		{"basic.attack.missile-unaware: 1 and 4", []any{"distance", 5, "unaware", true, "behind", true}, 16},
		{"basic.attack.behind-not-with-sneak: medium range", []any{"distance", 80, "behind", true}, 15},
		{"basic.attack.missile-within-5: it is noticed", []any{"distance", 5}, 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := lone(t, nil, body.KindRanged, make1("a", "A", bonus(1), sneak, wields(bow())), make1("b", "B", ac(30)))
			if f.Roller = (func(int) int { return 10 }); f.Try(act("a", "sneak-shot", "bow", "b", facts(c.facts...))) != nil {
				t.Fatal("a shot")
			}
			if len(f.Decisions) > 0 {
				f.Choose(body.DecideYes) // nothing was stated: the game master says that it is by surprise
			}
			if got := f.Total("to-hit"); got != c.want {
				t.Errorf("%d, want %d", got, c.want)
			}
		})
	}
	f := lone(t, nil, body.KindRanged, make1("a", "A", wields(bow())), make1("b", "B"))
	wantRefused(t, f.Try(act("a", "sneak-shot", "bow", "b")), cite.AttackBehindNotWithSneak)
}

// basic.attack.routine: the attacks may be shared out; what is left when one falls goes
// to another, but not after a step.
func TestSharedRoutine(t *testing.T) {
	three := func(t *testing.T, life int32) *table {
		f := newTable(t).add([]int32{0, 5, -5}, make1("a", "A", tiger), make1("b", "B", hp(life)), make1("c", "B", hp(20)))
		return f.start(nil).declare([]int{6, 1, 1}, "a=attack", "b=move", "c=move")
	}
	f := three(t, 20)
	f.Must(act("a", "routine", "", "b", parameters("attacks", 1)), 15, 3)
	f.Must(act("a", "attack-on", "", "c"), 15, 2, 15, 4, 4)
	f.WantHP("b", 17)
	f.WantHP("c", 10)
	wantRefused(t, f.Try(act("a", "attack-on", "", "c")), cite.AttackRoutine)
	wantRefused(t, f.Try(act("a", "routine", "", "c")), cite.ActionList)

	f = three(t, 3)
	f.Must(act("a", "routine", "", "b"), 15, 3) // it dies of the first
	f.WantLife("b", isDead)
	f.Must(act("a", "attack-on", "", "c", parameters("attacks", 1)), 15, 1)
	f.Must(act("a", "move", "", "", to(1, 0)))
	f.Answer(body.DecParting, body.DecideNo)
	f.WantHP("c", 19)
	wantRefused(t, f.Try(act("a", "attack-on", "", "c")), cite.AttackRoutine)

	f = three(t, 3)
	for _, n := range []int{0, 4} {
		if f.Try(act("a", "routine", "", "b", parameters("attacks", n))) == nil {
			t.Errorf("%d of 3 attacks are accepted", n)
		}
	}
	wantRefused(t, f.Try(act("a", "attack-on", "", "b")), cite.AttackRoutine)
	// What was not done is let go with the round.
	f.Must(act("a", "routine", "", "c", parameters("attacks", 2)), 2, 2)
	f.end("a", "b", "c")
	f.declare([]int{6, 1, 1}, "a=attack", "b=move", "c=move")
	wantRefused(t, f.Try(act("a", "attack-on", "", "c")), cite.AttackRoutine)
}

// basic.attack.two-weapon-penalty: each weapon at a target of its own; a weapon that
// breaks takes nothing from the other.
func TestTwoWeaponsAtTwo(t *testing.T) {
	two := wields(&eventv1.BasicWeapon{Name: "sword", Damage: "1d8", Kind: "melee"}, &eventv1.BasicWeapon{Name: "dagger", Damage: "1d4", Kind: "melee", Hand: "off", Small: true})
	f := newTable(t).add(nil, make1("a", "A", two), make1("b", "B"), make1("c", "B")).start(nil).declare([]int{6, 1, 1}, "a=attack", "b=move", "c=move")
	f.Must(act("a", "two-weapons", "", "b", parameters("attacks", 1)), 14, 3)
	f.WantHP("b", 7)
	f.Must(act("a", "attack-on", "", "c"), 16) // 11
	if f.Total("attack/2/to-hit") != 11 {
		t.Error("16 and -5 are 11")
	}
	f = lone(t, nil, body.KindMelee, make1("a", "A", two), make1("b", "B"))
	f.Must(act("a", "two-weapons", "", "b", parameters("attacks", 1)), 1, 2)
	f.Must(act("a", "attack-on", "", "b"), 17, 2)
	f.WantHP("b", 8)
	wantRefused(t, f.Try(act("a", "attack-on", "", "b")), cite.AttackRoutine)
	// What is no longer in hand strikes no more.
	f = lone(t, nil, body.KindMelee, make1("a", "A", two), make1("b", "B"))
	f.Must(act("a", "two-weapons", "", "b", parameters("attacks", 1)), 14, 3)
	f.Must(act("a", "drop", "dagger", ""))
	for _, o := range (System{}).Options(rules.Query{State: f.State, Creature: "a"}) {
		if o.Action == "attack-on" && o.Legal {
			t.Errorf("listed: %v", o)
		}
	}
	wantRefused(t, f.Try(act("a", "attack-on", "", "b")), cite.AttackRoutine)
}

// A creature that is taken off the field while something is being taken from it takes
// it along.
func TestRobbedOfOneWhoLeaves(t *testing.T) {
	f := lone(t, nil, body.KindGrapple, make1("a", "A"), make1("b", "B"))
	f.Must(act("a", "grapple", "strength", "b"), 15, 15, 5)
	f.end("a", "b")
	f.add(nil, make1("c", "B"))
	f.declare([]int{4, 4, 4, 15, 5}, "a=grapple", "b=melee-attack", "c=move")
	f.Must(act("a", "hold-take-item", "sword", "b"), 15)
	f.Must(&eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: "b", Reason: "vanishes"}}})
	f.end("a", "c")
	if it := f.State.Creatures["a"].Items; len(it) != 1 {
		t.Errorf("a has %v", it)
	}
}

// What is listed of a routine says how many attacks are left.
func TestOptionsOfASeries(t *testing.T) {
	f := lone(t, nil, body.KindMelee, make1("a", "A", tiger), make1("b", "B", hp(40)))
	f.Must(act("a", "routine", "", "b", parameters("attacks", 1)), 2)
	for _, o := range (System{}).Options(rules.Query{State: f.State, Creature: "a"}) {
		if o.Action == "attack-on" && (!o.Legal || len(o.Parameters[0].Values) != 2) {
			t.Errorf("%v", o)
		}
	}
}

// basic.attack.parting-shot: all whom one turns away from at once strike, even if the
// first of them knocks it down.
func TestPartingShotsOfTwoAtOnce(t *testing.T) {
	f := newTable(t).add([]int32{0, 5, 5}, make1("a", "A", hp(40)), make1("b", "B"), make1("c", "B")).start(nil)
	f.declare([]int{6, 1, 1}, "a=move", "b=move", "c=move")
	f.Must(act("a", "move", "", "", to(-20)))
	f.Answer(body.DecParting+"/b", "weapon:sword", 20, 18, 1, 3) // prone
	f.Answer(body.DecParting+"/c", "weapon:sword", 6, 4)         // 6 and 2 reach 12 - 4
	f.WantHP("a", 27)                                            // 1 and 8, and 4
	if got := f.State.Creatures["a"].Position.X; got != 0 {
		t.Errorf("it stands at %d", got)
	}
	// Not those that it would have left later.
	f = newTable(t).add([]int32{0, 5, -10}, make1("a", "A", hp(40)), make1("b", "B"), make1("c", "B")).start(nil)
	f.declare([]int{6, 1, 1}, "a=move", "b=move", "c=move")
	f.Must(act("a", "move", "", "", to(-25)))
	f.Answer(body.DecParting+"/b", "weapon:sword", 20, 18, 1, 3)
	if len(f.Decisions) > 0 {
		t.Errorf("asked %v", f.Decisions)
	}
	// Nor anybody at one who fell.
	f = lone(t, nil, body.KindMove, make1("a", "A", hp(1)), make1("b", "B"))
	f.add(nil, make1("c", "B"))
	f.Must(act("a", "move", "", "", parameters("feet", 20), facts("leaves", []string{"b", "c"})))
	f.Answer(body.DecParting+"/b", "weapon:sword", 15, 1)
	f.WantLife("a", isDead)
}

// basic.attack.subdual-flat: a parting shot, a free attack and an early blow may be with
// the flat of the blade, where there is one: -4, and half of it, which does not kill.
func TestFlatOutOfTurn(t *testing.T) {
	f := lone(t, []int32{0, 5}, body.KindMove, make1("a", "A", hp(3)), make1("b", "B", blade("1d8")))
	f.Must(act("a", "move", "", "", to(-20)))
	f.Answer(body.DecParting, "flat:sword", 14, 7, 2) // 14 and 2 - 4; half of 7
	if f.Total("to-hit") != 12 {
		t.Errorf("%d, want 12", f.Total("to-hit"))
	}
	f.WantLife("a", isUnconscious)
	f = lone(t, nil, body.KindMelee, make1("a", "A"), make1("b", "B"))
	f.Must(act("a", "attack", "sword", "b"), 1, 8, 3)
	f.Answer(body.DecFree, "flat:sword", 16, 5)
	f.WantHP("a", 8)
	f = newTable(t).add([]int32{0, 20}, make1("a", "A"), make1("b", "B", wields(pike()))).start(nil).declare([]int{5, 2}, "a=move", "b=attack")
	f.Must(act("a", "move", "", "", to(15)))
	f.Answer(body.DecClosing, "flat:pike", 16, 9)
	f.end("a")
	f.WantHP("a", 6)
	// A claw has none, and nobody braces the flat of a spear.
	for at, c := range map[int32]struct {
		kind  string
		enemy change
	}{5: {body.KindMove, tiger}, 45: {body.KindCharge, wields(pike())}} {
		f = newTable(t).add([]int32{0, at}, make1("a", "A", wields(spear())), make1("b", "B", c.enemy)).start(nil).declare([]int{4, 4}, "a="+c.kind, "b=attack")
		if c.kind == body.KindMove {
			f.Must(act("a", "move", "", "", to(-20)))
		} else {
			f.Must(act("a", "charge", "spear", "b"))
		}
		for _, o := range f.Decisions[0].Options {
			if o.Rule == cite.AttackSubdualFlat {
				t.Errorf("%s: %v", c.kind, o)
			}
		}
	}
}

// basic.attack.range-beyond: an ally past long range is not struck by a stray shot.
func TestStrayBeyondRange(t *testing.T) {
	f := newTable(t).add([]int32{0, 155, 150, 145}, make1("a", "A", wields(bow())), make1("far", "A"), make1("ogre", "B", ac(25)), make1("near", "A"))
	f.start(nil).declare([]int{6, 1, 1, 1}, "a=attack", "far=move", "near=move", "ogre=move")
	f.Must(act("a", "shoot", "bow", "ogre"), 5)
	if len(f.Decisions) != 1 || len(f.Decisions[0].Options) != 2 || f.Decisions[0].Options[0].Id != "near" {
		t.Errorf("asked %v, want near or nobody", f.Decisions)
	}
}

// basic.initiative.ties-simultaneous: who walks out of reach on a number is still in
// reach of a spell cast on it.
func TestSpellAtOneWhoLeaves(t *testing.T) {
	mage := make1("a", "A", caster)
	mage.GetBasic().Spells[0].RangeFeet = 30
	f := tied(t, []int32{0, 30}, []string{body.KindCast, body.KindMove}, mage, make1("b", "B"))
	f.Must(act("b", "move", "", "", to(60)))
	f.Must(act("a", "cast", "bolt", "b"))
	f.end("a")
	f.Must(endTurn("b"), 4)
	f.WantHP("b", 6)
}

// basic.spell.disrupt-by-delay: who declared to hold may delay a spell, and be delayed to.
func TestHolderDelaysASpell(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A", caster), make1("b", "B", caster)).start(nil).declare([]int{6, 3}, "a=hold", "b=hold")
	f.Must(act("a", "delay-spell", "", "b"))
	f.Must(act("a", "cast", "bolt", "b"), 2)
	f.end("a")
	f.Must(act("b", "cast", "bolt", "a"), 12)
	f.WantHP("a", 10)
	f = newTable(t).add(nil, make1("a", "A"), make1("b", "B", caster)).start(nil).declare([]int{6, 3}, "a=hold", "b=cast")
	wantRefused(t, f.Try(act("a", "delay-spell", "", "b")), cite.ActionCastSpell)
}

// basic.turn.declare: what can be drawn on one's number can be declared, and hands that
// are full can be emptied; a shield and bonds stay.
func TestDeclaringWhatIsNotInHand(t *testing.T) {
	stowedBow, stowedSpear := bow(), spear()
	stowedBow.Hand, stowedSpear.Hand = "stowed", "stowed"
	sword := &eventv1.BasicWeapon{Name: "sword", Damage: "1d8", Kind: "melee"}
	shield := section(func(b *eventv1.BasicSheet) { b.Shield = true })
	for _, c := range []struct {
		name, kind, condition, rule string
		change                      []change
	}{
		{"basic.action.ranged-attack: a bow on the back", body.KindRanged, "", "", []change{wields(sword, stowedBow)}},
		{"basic.action.ranged-attack: a bow takes both hands", body.KindRanged, "", cite.ConditionDisarmed, []change{wields(sword, stowedBow), shield}},
		{"basic.action.charge-weapon: a spear at the saddle", body.KindCharge, "", "", []change{wields(sword, stowedSpear)}},
		{"basic.action.charge-weapon: not for one who is bound", body.KindCharge, body.CondBound, cite.ActionChargeWeapon, []change{wields(sword, stowedSpear)}},
		{"basic.action.set-weapon: a spear on the back", body.KindSet, "", "", []change{wields(sword, stowedSpear)}},
		{"basic.spell.hand-and-voice: sword and shield", body.KindCast, "", "", []change{caster, wields(sword), shield}},
		{"basic.spell.hand-and-voice: bound", body.KindCast, body.CondBound, cite.SpellHandAndVoice, []change{caster, wields(sword)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add(nil, make1("a", "A", c.change...), make1("b", "B")).start(nil)
			if c.condition != "" {
				f.Afflict("a", c.condition)
			}
			err := f.Try(act("a", "declare", c.kind, ""))
			if c.rule != "" {
				wantRefused(t, err, c.rule)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
	// On its number the hand must be free.
	f := newTable(t).add(nil, make1("a", "A", caster, wields(sword), shield), make1("b", "B")).start(nil).declare([]int{6, 1}, "a=cast", "b=move")
	wantRefused(t, f.Try(act("a", "cast", "bolt", "b")), cite.SpellHandAndVoice)
	f.Must(act("a", "drop", "sword", ""))
	f.Must(act("a", "cast", "bolt", "b"), 3)
	f.WantHP("b", 7)
}
