package basic

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// edits carries out the game master's edit with the faces that it takes.
func (f *table) edits(id string, v *eventv1.Vitals, faces ...int) {
	f.T.Helper()
	f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: id, Vitals: v}}}, faces...)
}

// leaves takes a creature off the field.
func (f *table) leaves(id string) {
	f.T.Helper()
	f.Must(&eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: id}}})
}

// pending counts what waits for the end of the number, of a kind.
func (f *table) pending(kind string) (n int) {
	for _, t := range f.State.Tasks { // order-free: a count
		if t.Kind == kind {
			n++
		}
	}
	return n
}

// basic.attack.brawl-metal-armor: it is fists and feet that metal hurts, no sword.
func TestMetalHurtsFistsAlone(t *testing.T) {
	metal := section(func(b *eventv1.BasicSheet) { b.ArmorMaterial = "metal" })
	for weapon, c := range map[string]struct{ face, a, b int32 }{"sword": {5, 10, 5}, body.Punch: {2, 8, 10}, body.Kick: {3, 7, 10}} {
		f := lone(t, nil, body.KindMelee, make1("a", "A"), make1("b", "B", metal))
		f.Must(act("a", "attack", weapon, "b"), 15, int(c.face))
		f.wantHP(map[string]int32{"a": c.a, "b": c.b})
	}
}

// basic.critical.natural-20-hits, basic.fumble.natural-1-misses: whatever range of
// critical hits a table gives a creature, a 20 is one and a 1 is none.
func TestTheEndsOfACriticalRange(t *testing.T) {
	f := pair(t, featOf(t, "    - critical_range: {from: from + 10}"), "a")
	f.strike(strike.Blow{}, 20, 12) // the second roll: maximum damage
	f.WantHP("b", 22)
	if f.outcome() != "critical" {
		t.Errorf("a natural 20 is %s", f.outcome())
	}
	f = pair(t, featOf(t, "    - critical_range: {from: \"1\"}"), "a")
	f.strike(strike.Blow{}, 1, 16) // just a miss
	if f.WantHP("b", 30); f.outcome() != "fumble" {
		t.Errorf("a natural 1 is %s", f.outcome())
	}
}

// basic.attack.to-hit, basic.dice.dc-check: what is stated to count is added; there is no
// advantage here, and what counts against another counts not.
func TestStatedCircumstances(t *testing.T) {
	states := func(direction, target string, n int32) func(*eventv1.TakeAction) {
		return func(k *eventv1.TakeAction) {
			k.Circumstances = append(k.Circumstances, &eventv1.Circumstance{Direction: direction, Cause: "test", Value: n, Target: target})
		}
	}
	for name, c := range map[string]struct {
		states func(*eventv1.TakeAction)
		attack int32
		check  int32
	}{
		"a modifier":         {states("modifier", "", 3), 13, 13},
		"of the target":      {states("modifier", "b", 3), 13, 13},
		"of another":         {states("modifier", "a", 3), 10, 13},
		"of nothing":         {states("modifier", "", 0), 10, 10},
		"an advantage of 3":  {states("advantage", "", 3), 10, 10},
		"a disadvantage":     {states("disadvantage", "b", 3), 10, 10},
		"a modifier below 0": {states("modifier", "", -3), 7, 7},
	} {
		f := lone(t, nil, body.KindMelee, make1("a", "A"), make1("b", "B", ac(20)))
		f.Must(act("a", "attack", "sword", "b", c.states), 10)
		if got := f.Total("to-hit"); got != c.attack {
			t.Errorf("%s: the attack is %d, want %d", name, got, c.attack)
		}
		f = lone(t, nil, body.KindFeat, make1("a", "A"), make1("b", "B"))
		f.Must(act("a", "feat", "", "", parameters("text", "climbs", "dc", 20), c.states), 10)
		if got := f.Total("check/a"); got != c.check {
			t.Errorf("%s: the check is %d, want %d", name, got, c.check)
		}
	}
}

// basic.fumble.drop-weapon: every critical miss takes the attacks of the round after it,
// also where those of its own round were lost before; who has nothing in hand drops
// nothing.
func TestFumblesInARow(t *testing.T) {
	f := pair(t, featOf(t, "    - {trigger: hit, hook: {name: fumble}}"), "a").round("attack", "move")
	f.Must(act("a", "attack", "sword", "b"), 15, 3, 11)
	f.end("a", "b")
	wantRefused(t, f.Try(act("b", "declare", body.KindMelee, "")), cite.FumbleSecondRoll)
	f.declare([]int{6, 1}, "a=attack", "b=move")
	f.Must(act("a", "attack", "sword", "b"), 15, 3, 11)
	if b := f.Creature("b"); b.Items["sword"].Place != "dropped" || b.Items["bow"].Place != "stowed" {
		t.Errorf("b has %v", b.Items)
	}
	f.end("a", "b")
	wantRefused(t, f.Try(act("b", "declare", body.KindMelee, "")), cite.FumbleSecondRoll)
	f.declare([]int{6, 1}, "a=move", "b=move")
	f.end("a", "b")
	f.declare([]int{6, 1}, "a=move", "b=melee-attack")
}

// basic.fumble.sloppy: a free attack is one of those that reach, fists too; a bow in the
// hands is none.
func TestWhatAFreeAttackIsMadeWith(t *testing.T) {
	for _, c := range []struct {
		name   string
		places []int32
		weapon *eventv1.BasicWeapon
		want   []string
	}{
		{"a bow", nil, bow(), []string{"weapon:punch", "weapon:kick", "no"}},
		{"a bow, beside it", []int32{0, 5}, bow(), []string{"weapon:punch", "weapon:kick", "no"}},
		{"a sword, beside it", []int32{0, 5}, &eventv1.BasicWeapon{Name: "sword", Damage: "1d8", Kind: "melee"}, []string{"weapon:sword", "weapon:punch", "weapon:kick", "flat:sword", "no"}},
		{"a pike, farther off", []int32{0, 10}, pike(), []string{"weapon:pike", "flat:pike", "no"}},
	} {
		f := lone(t, c.places, body.KindMelee, make1("a", "A", wields(pike())), make1("b", "B", wields(c.weapon)))
		f.Must(act("a", "attack", "pike", "b"), 1, 7, 14)
		var got []string
		for _, o := range f.Decisions[0].Options {
			got = append(got, o.Id)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func beast(_ *eventv1.Sheet, b *eventv1.BasicSheet) {
	b.Weapons = []*eventv1.BasicWeapon{{Name: "claw", Damage: "1d4", Kind: "melee", Natural: true}, {Name: "bite", Damage: "1d4", Kind: "melee", Natural: true}}
	b.Routine = []string{"claw", "bite"}
}

// basic.attack.routine, basic.initiative.ties-simultaneous: the attacks of a routine go on
// until the target falls; while others act on the number it falls for them once what was
// done to it brings it down, unless it acts on that number too.
func TestWhenARoutineEnds(t *testing.T) {
	oil := &eventv1.BasicWeapon{Name: "flask", Kind: "grenade", Contents: body.Oil, ShortFeet: 40, MediumFeet: 60, LongFeet: 80, Hand: "off"}
	armed := wields(&eventv1.BasicWeapon{Name: "sword", Damage: "1d8", Kind: "melee"}, oil)
	slash := func(who string) func(*table) {
		return func(f *table) { f.Must(act("c", "attack", "sword", who), 15, 5) }
	}
	burn := func(f *table) { f.Must(act("c", "throw", "flask", "b", lit(strike.LitFlame)), 15, 5) }
	for name, c := range map[string]struct {
		hp      int32
		tag     string
		before  func(*table) // before everybody declares
		number  int          // on which b acts; a and c act on 3
		done    func(*table) // on the number, before the routine
		attacks int
	}{
		"it stands two of them":    {3, "", nil, 1, nil, 2},
		"the first brings it down": {2, "", nil, 1, nil, 1},
		"a last hit point":         {1, "", nil, 1, nil, 1},
		"it acts on the number":    {2, "", nil, 3, func(f *table) { f.end("b") }, 2},
		"it was down before": {2, "", func(f *table) {
			none := int32(0)
			f.edits("b", &eventv1.Vitals{Hp: &none, Counters: map[string]int64{body.CNonlethal: 1}}, 2)
		}, 1, nil, 2},
		"it is surprised, and stands":               {3, "", func(f *table) { f.Afflict("b", body.CondSurprised) }, 0, nil, 2},
		"it is surprised":                           {2, "", func(f *table) { f.Afflict("b", body.CondSurprised) }, 0, nil, 1},
		"another was struck":                        {3, "", nil, 1, slash("d"), 2},
		"it was struck down before":                 {5, "", nil, 1, slash("b"), 0},
		"it was struck before":                      {7, "", nil, 1, slash("b"), 1},
		"it burns":                                  {5, "", nil, 1, burn, 0},
		"fire does nothing to it":                   {5, "fire-based", nil, 1, burn, 2},
		"fire does nothing to it, but a sword does": {5, "fire-based", nil, 1, slash("b"), 0},
	} {
		t.Run(name, func(t *testing.T) {
			tags := section(func(b *eventv1.BasicSheet) {
				if c.tag != "" {
					b.Tags = []string{c.tag}
				}
			})
			f := newTable(t).add(nil, make1("a", "A", beast), make1("b", "B", hp(c.hp), tags), make1("c", "A", armed), make1("d", "B")).start(nil)
			if c.before != nil {
				c.before(f)
			}
			faces, list := []int{3, c.number, 3, 1}, []string{"a=attack", "b=move", "c=attack", "d=move"}
			if !body.Able(f.Creature("b")) {
				faces, list = []int{3, 3, 1}, []string{"a=attack", "c=attack", "d=move"}
			}
			f.declare(faces, list...)
			if c.done != nil {
				c.done(f)
			}
			var dice []int
			for range c.attacks {
				dice = append(dice, 15, 2)
			}
			f.Must(act("a", "routine", "", "b"), dice...)
			if got := len(f.Attacks()); got != c.attacks {
				t.Errorf("%d attacks, want %d", got, c.attacks)
			}
			if left := rules.BegunOf(f.Creature("a"), body.BSeries) != nil; left != (c.attacks < 2) {
				t.Errorf("attacks left for another: %t", left)
			}
		})
	}
}

// basic.spell.disrupt-by-delay, basic.initiative.ties-simultaneous: just before another's
// number is not on it.
func TestJustBeforeIsNotTogether(t *testing.T) {
	wizard := section(func(b *eventv1.BasicSheet) { b.Spells = []*eventv1.BasicSpell{{Name: "bolt", Uses: 2, Damage: "1d6"}} })
	f := newTable(t).add(nil, make1("a", "A", beast, wizard), make1("b", "B", hp(2), wizard), make1("c", "A", wizard)).start(nil)
	f.declare([]int{6, 3, 6}, "a=hold", "b=cast", "c=hold")
	f.Must(act("a", "delay-spell", "", "b"))
	f.Must(act("c", "delay-spell", "", "b"))
	f.WantActive("a", "c")
	f.Must(act("a", "routine", "", "b"), 15, 2) // it falls before it acts
	f.WantAttacks("a hit")
	f.end("a", "c")
	f.WantLife("b", isDead)
}

// basic.attack.routine, basic.attack.two-weapon-penalty: who falls in the middle of its
// attacks makes no more of them.
func TestFallingInTheMiddle(t *testing.T) {
	two := wields(&eventv1.BasicWeapon{Name: "sword", Damage: "1d8", Kind: "melee"}, &eventv1.BasicWeapon{Name: "dagger", Damage: "1d4", Kind: "melee", Hand: "off", Small: true})
	f := lone(t, nil, body.KindMelee, make1("a", "A", hp(8), two), make1("b", "B"))
	f.Must(act("a", "two-weapons", "", "b"), 1, 6, 5)
	f.Answer(body.DecFree+"/b", "weapon:sword", 15, 8)
	f.WantLife("a", isDead)
	if rules.BegunOf(f.Creature("a"), body.BSeries) != nil {
		t.Error("the dead have attacks left")
	}
	f.WantActive("b")
	// One that stands makes the second.
	f = lone(t, nil, body.KindMelee, make1("a", "A", hp(9), two), make1("b", "B"))
	f.Must(act("a", "two-weapons", "", "b"), 1, 6, 5)
	f.Answer(body.DecFree+"/b", "weapon:sword", 15, 8, 18, 3) // 18 - 5
	f.wantHP(map[string]int32{"a": 1, "b": 7})
}

// basic.attack.two-weapon-size, basic.attack.two-weapon-penalty: it takes a weapon in each
// hand; of two the one that is left in hand is used.
func TestTheWeaponsOfTwoHands(t *testing.T) {
	dagger := &eventv1.BasicWeapon{Name: "dagger", Damage: "1d4", Kind: "melee", Hand: "off", Small: true}
	sword := &eventv1.BasicWeapon{Name: "sword", Damage: "1d8", Kind: "melee"}
	for name, list := range map[string][]*eventv1.BasicWeapon{"off hand alone": {dagger}, "main hand alone": {sword}, "none": nil} {
		f := lone(t, nil, body.KindMelee, make1("a", "A", wields(list...)), make1("b", "B"))
		if err := f.Try(act("a", "two-weapons", "", "b")); err == nil {
			t.Errorf("%s: allowed", name)
		} else {
			wantRefused(t, err, cite.AttackTwoWeaponSize)
		}
	}
	// Another's blow has struck b down on this number: both attacks are left for d.
	f := newTable(t).add(nil, make1("a", "A", wields(sword, dagger)), make1("b", "B", hp(5)), make1("c", "A"), make1("d", "B")).start(nil)
	f.declare([]int{3, 1, 3, 1}, "a=melee-attack", "b=move", "c=melee-attack", "d=move")
	f.Must(act("c", "attack", "sword", "b"), 15, 5)
	f.Must(act("a", "two-weapons", "", "b"))
	f.Must(act("a", "drop", "sword", ""))
	f.Must(act("a", "attack-on", "", "d"), 17, 3)
	if got := f.Total("attack/2/to-hit"); got != 12 {
		t.Errorf("the second weapon has %d, want 17 - 5", got)
	}
	wantRefused(t, f.Try(act("a", "attack-on", "", "d")), cite.AttackRoutine)
	// One that was dropped is no attack left, of two weapons or of a routine.
	f = lone(t, nil, body.KindMelee, make1("a", "A", wields(sword, dagger)), make1("b", "B", hp(30)))
	f.Must(act("a", "two-weapons", "", "b", parameters("attacks", 1)), 15, 3)
	f.Must(act("a", "drop", "dagger", ""))
	wantRefused(t, f.Try(act("a", "attack-on", "", "b")), cite.AttackRoutine)
	biter := func(_ *eventv1.Sheet, b *eventv1.BasicSheet) {
		b.Weapons = []*eventv1.BasicWeapon{{Name: "bite", Damage: "1d4", Kind: "melee", Natural: true}, sword}
		b.Routine = []string{"bite", "sword"}
	}
	for _, drops := range []bool{true, false} {
		f = lone(t, nil, body.KindMelee, make1("a", "A", biter), make1("b", "B", hp(30)))
		f.Must(act("a", "routine", "", "b", parameters("attacks", 1)), 15, 3)
		if drops {
			f.Must(act("a", "drop", "sword", ""))
			wantRefused(t, f.Try(act("a", "attack-on", "", "b")), cite.AttackRoutine)
			continue
		}
		f.Must(act("a", "attack-on", "", "b"), 15, 3)
	}
}

// basic.movement.fighting-withdrawal: without a map one who means to back away reaches
// everybody until it has, and then those who followed.
func TestWhoAWithdrawerReaches(t *testing.T) {
	f := lone(t, nil, body.KindWithdraw, make1("a", "A"), make1("b", "B"))
	f.Must(act("a", "attack", "sword", "b"), 15, 3)
	f.WantHP("b", 7)
	for answer, reached := range map[string]bool{body.DecideYes: true, body.DecideNo: false} {
		f = lone(t, nil, body.KindWithdraw, make1("a", "A"), make1("b", "B"))
		f.Must(act("a", "withdraw", "", "", parameters("feet", 10), facts("engaged", []string{"b"})))
		f.Answer(body.DecFollow, answer)
		if err := f.Peek(act("a", "attack", "sword", "b"), 5); (err == nil) != reached {
			t.Errorf("followed %s: %v", answer, err)
		} else if err != nil {
			wantRefused(t, err, cite.MovementEngaged)
		}
	}
}

// basic.spell.disruption: it is an attack of this round, on this very number, that
// disturbs a caster.
func TestAnAttackOfAnEarlierRound(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A", caster), make1("b", "B"), make1("c", "A")).start(nil)
	f.declare([]int{1, 3, 2}, "a=move", "b=melee-attack", "c=melee-attack")
	f.Must(act("b", "attack", "sword", "a"), 5)
	f.end("b")
	f.Must(act("c", "attack", "sword", "b"), 20, 18, 8)
	f.WantLife("b", isDead)
	f.end("c", "a")
	f.declare([]int{3, 6}, "a=cast", "c=move")
	f.end("c")
	f.Must(act("a", "cast", "bolt", "c"), 4) // on 3, the number of that attack, and no save
	f.WantHP("c", 6)
	// What the game master notes of no round hides no attack of this one.
	f = newTable(t).add(nil, make1("a", "A", caster), make1("b", "B")).start(nil)
	f.edits("b", &eventv1.Vitals{Relations: []*eventv1.Relation{{Kind: body.RelAttacks, To: "a", Values: map[string]int32{"number": 4}}}})
	f.declare([]int{4, 4}, "a=cast", "b=melee-attack")
	f.Must(act("b", "attack", "sword", "a"), 5)
	f.Must(act("a", "cast", "bolt", "b"))
	f.end("a")
	f.Must(endTurn("b"), 12) // the save against 13
	f.WantHP("b", 10)
}
