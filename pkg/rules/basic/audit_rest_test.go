package basic

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Cases of several rules at once, and of refusals at their boundary.

// basic.action.charge-line-of-sight, basic.attack.cover-table: who is wholly hidden is no
// target of a charge, as of no other attack; a share of fog takes its share off.
func TestChargeInFog(t *testing.T) {
	for _, c := range []struct {
		share int
		rule  string
		want  int32
	}{{100, cite.AttackCoverTable, 0}, {99, "", -2}, {50, "", 0}, {24, "", 2}, {0, "", 2}} {
		f := newTable(t).add([]int32{0, 45}, make1("a", "A", wields(spear())), make1("b", "B", hp(40))).start(nil).declare([]int{5, 3}, "a=charge", "b=move")
		cmd := act("a", "charge", "spear", "b", facts("concealment", c.share))
		if c.rule != "" {
			wantRefused(t, f.Try(cmd), c.rule)
			if f.Creature("a").Counters[body.CRunning] != 0 || f.Creature("a").Position.X != 0 {
				t.Error("it ran all the same")
			}
			continue
		}
		f.Must(cmd, 5)
		if got := f.Total("/to-hit") - 5; got != c.want {
			t.Errorf("%d percent: %+d, want %+d", c.share, got, c.want)
		}
	}
}

// basic.attack.missile-into-melee: those at risk are the shooter's allies in the melee
// round the target: within 5 feet of it, alive, and neither the shooter nor the target
// nor anybody of a third side.
func TestWhoStandsInTheMelee(t *testing.T) {
	f := newTable(t).add([]int32{95, 100, 105, 106, 96, 97, 98}, make1("a", "A", wields(bow())), make1("b", "B", ac(25)), make1("near", "A"), make1("far", "A"), make1("third", "C"), make1("foe", "B"), make1("dead", "A", hp(1)))
	f.start(nil).declare([]int{6, 1, 1, 1, 1, 1, 1}, "a=ranged-attack", "b=move", "near=move", "far=move", "third=move", "foe=move", "dead=move")
	f.Hurt("dead", 0)
	f.Must(act("a", "shoot", "bow", "b"), 2)
	if len(f.Decisions) != 1 || f.Decisions[0].Name != body.DecStray {
		t.Fatalf("asked %v", f.Decisions)
	}
	var ids []string
	for _, o := range f.Decisions[0].Options {
		ids = append(ids, o.Id)
	}
	if !slices.Equal(ids, []string{"near", body.NoStray}) || !f.Decisions[0].GmOnly {
		t.Errorf("at risk: %v", ids)
	}
	f.Answer(body.DecStray, body.NoStray)
	if len(f.Attacks()) != 0 || f.Creature("near").GetHp() != 10 {
		t.Error("nobody is shot at")
	}
	// A shot at one of one's own side goes into no melee.
	f = newTable(t).add([]int32{0, 50, 53, 54}, make1("a", "A", wields(bow())), make1("b", "A", ac(25)), make1("c", "A"), make1("d", "B")).start(nil)
	f.declare([]int{6, 1, 1, 1}, "a=ranged-attack", "b=move", "c=move", "d=move")
	f.Must(act("a", "shoot", "bow", "b"), 2)
	if len(f.Decisions) != 0 {
		t.Errorf("asked %v", f.Decisions)
	}
}

// basic.fumble.sloppy: a free attack on a shooter goes to an engaged enemy who can, or to
// nobody, as the game master says.
func TestNobodyGetsTheFreeAttack(t *testing.T) {
	for answer, want := range map[string][]string{body.NoStray: nil, "c": {"c hit"}} {
		f := newTable(t).add([]int32{0, 50, 5}, make1("a", "A", wields(bow())), make1("b", "B"), make1("c", "B")).start(nil).declare([]int{6, 1, 1}, "a=ranged-attack", "b=move", "c=move")
		f.Must(act("a", "shoot", "bow", "b"), 1, 8, 3)
		f.Answer(body.DecFreeTo, answer)
		if want != nil {
			f.Answer(body.DecFree, "weapon:sword", 15, 4)
		}
		if got := f.Attacks(); !slices.Equal(got, want) {
			t.Errorf("%s: %v", answer, got)
		}
	}
}

// basic.damage.strength-bows, basic.damage.strength-thrown, basic.damage.strength-sling:
// what Strength adds to the damage of missiles, be it a penalty; Dexterity never does.
func TestStrengthOfMissiles(t *testing.T) {
	kinds := map[string]*eventv1.BasicWeapon{"bow": bow(),
		"strong bow": {Name: "strong bow", Damage: "1d6", Kind: "bow", TwoHanded: true, Strength: true, ShortFeet: 50, MediumFeet: 100, LongFeet: 150},
		"sling":      {Name: "sling", Damage: "1d6", Kind: "sling", ShortFeet: 50, MediumFeet: 100, LongFeet: 150},
		"spear":      {Name: "spear", Damage: "1d6", Kind: "melee", ShortFeet: 50, MediumFeet: 100, LongFeet: 150}}
	for _, c := range []struct {
		weapon    string
		str, want int32
	}{{"bow", 3, 3}, {"bow", -2, 3}, {"strong bow", 3, 6}, {"strong bow", -2, 1}, {"sling", 3, 6}, {"sling", -2, 1}, {"sling", -3, 1}, {"spear", 3, 6}, {"spear", -2, 1}} {
		f := lone(t, []int32{0, 40}, body.KindRanged, make1("a", "A", abilities(c.str, 2), wields(kinds[c.weapon])), make1("b", "B", hp(20)))
		f.Must(act("a", "shoot", c.weapon, "b"), 15, 3)
		f.WantHP("b", 20-c.want)
		if got := f.Total("/to-hit"); got != 18 { // 15, Dexterity 2, short range 1
			t.Errorf("%s: %d to hit", c.weapon, got)
		}
	}
}

// basic.fumble.weapon-breaks, basic.fumble.drop-weapon: who has lost the next round's
// attack once has not lost another by a second slip of the round.
func TestTwoSlipsOfARound(t *testing.T) {
	claw := &eventv1.BasicWeapon{Name: "claw", Damage: "1d4", Kind: "melee", Natural: true}
	f := lone(t, nil, body.KindMelee, make1("a", "A", wields(claw), section(func(b *eventv1.BasicSheet) { b.Routine = []string{"claw", "claw"} })), make1("b", "B"))
	f.Must(act("a", "routine", "", "b"), 1, 1, 1, 15) // breaks, drops: a body does neither
	n := 0
	for _, x := range f.Creature("a").Conditions {
		if x.Name == body.CondStumbled {
			n++
		}
	}
	if n != 1 {
		t.Fatalf("%v", f.Creature("a").Conditions)
	}
	f.end("a", "b")
	wantRefused(t, f.Try(act("a", "declare", body.KindMelee, "")), cite.FumbleSecondRoll)
	f.declare([]int{6, 1}, "a=move", "b=move")
	f.end("a", "b")
	f.declare([]int{6, 1}, "a=melee-attack", "b=move")
	f.Must(act("a", "attack", "claw", "b"), 5)
}

// basic.dice.grapple-check: the check for a hold is made once a round, also where the
// holder puts its action off and its number comes twice.
func TestOneCheckOfAHoldInARound(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A", abilities(1, 1)), make1("b", "B"), make1("c", "B")).start(nil).declare([]int{6, 1, 2}, "a=grapple", "b=move", "c=move")
	f.Must(act("a", "grapple", "strength", "b"), 15, 15, 5)
	f.end("a", "c", "b")
	f.declare([]int{6, 1, 2, 12, 3}, "a=hold", "b=move", "c=move")
	if len(f.Rolls("grapple/a")) != 1 {
		t.Fatalf("the check comes with its number: %v", f.Events)
	}
	f.Must(act("a", "hold", "number", "", parameters("number", 1)))
	f.end("c")
	f.WantActive("a", "b")
	if len(f.Rolls("grapple/a")) != 0 || body.HeldBy(f.Creature("b"), "a") == nil {
		t.Error("it is checked again")
	}
}

// basic.action.hold-silence: the holder silences at most once on a number, and who is
// gagged twice is gagged once.
func TestSilencedOnce(t *testing.T) {
	f := holding(t, make1("a", "A", abilities(1, 1)), make1("b", "B", caster, hp(5)))
	f.Must(act("a", "hold-silence", "", "b"))
	wantRefused(t, f.Try(act("a", "hold-silence", "", "b")), cite.ActionList)
	n := 0
	for _, x := range f.Creature("b").Conditions {
		if x.Name == body.CondSilenced {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%v", f.Creature("b").Conditions)
	}
}

// basic.movement.fighting-withdrawal: who followed and then stays behind is out of reach.
func TestWhoFollowedAndStays(t *testing.T) {
	f := newTable(t).add([]int32{0, 5}, make1("a", "A"), make1("b", "B")).start(nil).declare([]int{6, 1}, "a=withdraw", "b=melee-attack")
	f.Must(act("a", "withdraw", "", "", to(-5)))
	f.Answer(body.DecFollow, body.DecideYes)
	if f.Creature("b").Position.X != 0 {
		t.Fatal(f.Creature("b").Position)
	}
	f.Must(act("a", "withdraw", "", "", to(-15)))
	f.Answer(body.DecFollow, body.DecideNo)
	wantRefused(t, f.Try(act("a", "attack", "sword", "b")), cite.MovementEngaged)
	if rules.RelationTo(f.Creature("b"), body.RelFollows, "a") != nil {
		t.Error("it follows still")
	}
	wantRefused(t, f.Try(act("a", "withdraw", "", "", to(-16))), cite.MovementSplit) // 15 feet are half of 30
}

// basic.condition.prone, basic.movement.grapple-enter-space: one held does not get up, nor
// walk, nor run; let go, it does.
func TestHeldAndProne(t *testing.T) {
	f := holding(t, make1("a", "A", abilities(1, 1)), make1("b", "B"))
	f.Afflict("b", body.CondProne)
	f.end("a")
	f.WantActive("b")
	wantRefused(t, f.Try(act("b", "stand", "", "")), cite.MovementGrappleEnterSpace)
	if err := f.Try(act("b", "move", "", "", parameters("feet", 5))); err == nil {
		t.Error("it walks")
	}
	f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "b", Vitals: &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondProne}}}}}})
	if body.HeldBy(f.Creature("b"), "a") == nil {
		f.Must(act("b", "stand", "", ""))
		wantRefused(t, f.Try(act("b", "move", "", "", parameters("feet", 1))), cite.MovementSplit)
	}
}

// basic.action.hold: a holder steps in while the count stands at somebody's number, once;
// one whose number it is has nothing to step into.
func TestSteppingIn(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A"), make1("b", "B"), make1("c", "B")).start(nil).declare([]int{6, 4, 2}, "a=hold", "b=move", "c=move")
	wantRefused(t, f.Try(act("a", "step-in", "", "")), cite.ActionHold) // its own number
	f.Must(act("a", "hold", "", ""))
	wantRefused(t, f.Try(act("c", "step-in", "", "")), cite.ActionHold) // holds nothing
	f.Must(act("a", "step-in", "", ""))
	f.WantActive("b", "a")
	wantRefused(t, f.Try(act("a", "step-in", "", "")), cite.ActionHold)
	f.Must(act("a", "attack", "sword", "b"), 15, 8)
	f.WantHP("b", 10) // with everything else of the number
	f.end("b", "a")
	f.WantHP("b", 2)
	f.WantActive("c")
}

// basic.item.oil-extinguish, basic.attack.rate-light-crossbow: who does not burn puts
// nothing out; a loaded bow is not loaded again, nor one that is stowed.
func TestRoundsForNothing(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A"), make1("b", "B")).start(nil)
	wantRefused(t, f.Try(act("a", "declare", "smother", "")), cite.ItemOilExtinguish)
	f.Afflict("a", body.CondBurning)
	f.declare([]int{6, 1}, "a=smother", "b=move")
	f.Resolve(func(r *rules.Resolution) error { // somebody else has put it out
		r.RemoveCondition("a", body.ConditionOf(r.Creature("a"), body.CondBurning), "put out", cite.ItemOilExtinguish)
		return nil
	})
	for _, how := range []string{"roll", "blanket", "water", "other"} {
		wantRefused(t, f.Try(act("a", "smother", how, "")), cite.ItemOilExtinguish)
	}
	light := &eventv1.BasicWeapon{Name: "crossbow", Damage: "1d6", Kind: "crossbow", TwoHanded: true, ReloadRounds: 1, ShortFeet: 60, MediumFeet: 120, LongFeet: 180}
	f = newTable(t).add([]int32{0, 50}, make1("a", "A", wields(light)), make1("b", "B", hp(40))).start(nil).declare([]int{6, 1}, "a=ranged-attack", "b=move")
	f.Must(act("a", "shoot", "crossbow", "b"), 5)
	f.end("a", "b")
	f.declare([]int{6, 1}, "a=reload", "b=move")
	f.Must(act("a", "reload", "crossbow", ""))
	wantRefused(t, f.Try(act("a", "reload", "crossbow", "")), cite.ActionList)
	f.end("a", "b")
	if err := f.Try(act("a", "declare", body.KindReload, "")); err == nil {
		f.Must(act("b", "declare", body.KindMove, ""), 6, 1)
		wantRefused(t, f.Try(act("a", "reload", "crossbow", "")), cite.AttackRateLightCrossbow)
	}
}

// basic.action.hold-take-item, basic.action.hold-magic-item: only what is there is taken,
// and only of one held; what is gone is not used.
func TestThingsThatAreNotThere(t *testing.T) {
	key, ring := &eventv1.BasicItem{Name: "key"}, &eventv1.BasicItem{Name: "ring", Simple: true, Effect: &eventv1.BasicSpell{Healing: "1d6"}}
	f := holding(t, make1("a", "A", abilities(1, 1), carrying(ring)), make1("b", "B", carrying(key)))
	f.Add(make1("c", "B", carrying(key)))
	wantRefused(t, f.Try(act("a", "hold-take-item", "key", "c")), cite.DiceGrappleCheck)
	f.Put("b", &eventv1.Vitals{Items: map[string]*eventv1.ItemState{"key": {Place: "gone"}}})
	if err := f.Try(act("a", "hold-take-item", "key", "b")); err == nil {
		t.Error("it takes what is not there")
	}
	f.Put("a", &eventv1.Vitals{Items: map[string]*eventv1.ItemState{"ring": {Place: "gone"}}})
	wantRefused(t, f.Try(act("a", "hold-use-item", "ring", "a")), cite.ActionHoldMagicItem)
}

// basic.action.cast-spell: a spell of several targets passes over the dead, and one that
// only heals disturbs nobody.
func TestSpellsOfSeveralTargets(t *testing.T) {
	mage := section(func(b *eventv1.BasicSheet) {
		b.Weapons, b.Saves = nil, map[string]int32{"spells": 13}
		b.Spells = []*eventv1.BasicSpell{{Name: "bolts", Uses: 3, Damage: "1d6", Targets: 3}, {Name: "light", Uses: 1, Targets: 3}}
	})
	f := newTable(t).add(nil, make1("a", "A", mage), make1("b", "B"), make1("c", "B", hp(4)), make1("d", "B")).start(nil).declare([]int{6, 1, 1, 1}, "a=cast", "b=move", "c=move", "d=move")
	f.Must(act("a", "cast", "bolts", "b,c,d"), 4)
	f.WantHP("b", 6)
	f.WantLife("c", isDead)
	f.WantHP("d", 6)
	f.end("a", "b", "d")
	f.declare([]int{6, 1, 1}, "a=cast", "b=move", "d=move")
	wantRefused(t, f.Try(act("a", "cast", "bolts", "b,c")), cite.ActionCastSpell)
	f.Must(act("a", "cast", "light", "b,d"))
	f.WantHP("b", 6)
	if f.Creature("a").Counters[body.CLeft+"light"] != 0 {
		t.Error("it is not spent")
	}
}

// basic.death.zero-hp, basic.healing.subdual-revive, basic.rest.fatigue: what is done to
// the dead is refused, and so are deeds that nothing knows; who rests gets up.
func TestDeedsOnTheDeadAndTheTired(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A"), make1("b", "B")).start(nil)
	deed := func(name, target string) func(*rules.Resolution) error {
		return func(r *rules.Resolution) error {
			return f.System.Medicine().Deed(r, &eventv1.Harm{Deed: name, Target: target, Amount: 1, Facts: map[string]string{"effect": body.CondShaken}, Cause: "test"})
		}
	}
	f.Hurt("b", 0)
	for _, name := range []string{body.DeedDamage, body.DeedHeal, body.DeedCondition, body.DeedWake} {
		wantRefused(t, f.TryResolve(deed(name, "b")), cite.DeathZeroHp)
	}
	if err := f.TryResolve(deed(body.DeedHeal, "nobody")); err == nil {
		t.Error("nobody is healed")
	}
	if err := f.TryResolve(deed("bless", "a")); err == nil {
		t.Error("an unknown deed is done")
	}
	f.Resolve(deed(body.DeedCondition, "a"))
	f.Resolve(deed(body.DeedCondition, "a")) // twice does not double
	if got := len(f.Creature("a").Conditions); got != 1 || !body.Has(f.Creature("a"), body.CondShaken) {
		t.Errorf("%v", f.Creature("a").Conditions)
	}

	f = newTable(t).add(nil, make1("a", "A"))
	f.Afflict("a", body.CondProne, body.CondFatigued)
	f.tend("a", "rest", "turns", 2)
	if body.Has(f.Creature("a"), body.CondProne) || !body.Has(f.Creature("a"), body.CondFatigued) {
		t.Errorf("two turns: %v", f.Creature("a").Conditions)
	}
	f.tend("a", "rest", "turns", 1)
	if body.Has(f.Creature("a"), body.CondFatigued) {
		t.Errorf("three turns: %v", f.Creature("a").Conditions)
	}
	for deedName, key := range map[string]string{"harm": "amount", "treat": "amount", "rest": "turns"} {
		if err := f.TryTend(&eventv1.PatientCommand{Deed: deedName, Patients: []string{"a"}}); err == nil {
			t.Errorf("%s without %s", deedName, key)
		}
	}
	f.Hurt("a", 0)
	for name, given := range map[string][]any{"harm": {"amount", 1}, "treat": {"amount", 1}, "rest": {"turns", 1}, "revive": nil} {
		wantRefused(t, f.TryTend(&eventv1.PatientCommand{Deed: name, Patients: []string{"a"}, Parameters: object(given...)}), cite.DeathZeroHp)
	}
}

// basic.action.charge, basic.action.reach-closing, basic.fumble.drop-weapon: a charger who
// falls on the way or at its end, or whose weapon is not there, strikes nobody.
func TestChargersWhoDoNotStrike(t *testing.T) {
	// Struck down by one whom it passes.
	f := newTable(t).add([]int32{0, 45, 5}, make1("a", "A", hp(1), wields(spear())), make1("b", "B", hp(40)), make1("c", "B")).start(nil)
	f.place("c", 5, 5)
	f.declare([]int{6, 1, 1}, "a=charge", "b=move", "c=move")
	f.Must(act("a", "charge", "spear", "b"))
	f.Answer(body.DecParting, "weapon:sword", 15, 4)
	f.WantLife("a", isDead)
	f.WantAttacks("c hit")
	f.WantHP("b", 40)
	// A stowed spear is drawn first.
	f = newTable(t).add([]int32{0, 45}, make1("a", "A", wields(spear())), make1("b", "B", hp(40))).start(nil).declare([]int{6, 1}, "a=charge", "b=move")
	f.Put("a", &eventv1.Vitals{Items: map[string]*eventv1.ItemState{"spear": {Place: "stowed"}}})
	wantRefused(t, f.Try(act("a", "charge", "spear", "b")), cite.ConditionDisarmed)
	f.Must(act("a", "draw", "spear", ""))
	f.Must(act("a", "charge", "spear", "b"), 5)
	// The charged may leave its weapon unset, and then does not close in on its own either.
	f = newTable(t).add([]int32{0, 45}, make1("a", "A", wields(spear())), make1("b", "B", hp(40), wields(spear()))).start(nil).declare([]int{4, 5}, "a=charge", "b=hold")
	f.Must(act("b", "hold", "", ""))
	f.Must(act("a", "charge", "spear", "b"))
	f.Answer(body.DecSet, body.DecideNo)
	f.Answer(body.DecClosing, body.DecideNo, 15, 4)
	f.end("a")
	f.WantHP("b", 32)
	if f.Creature("b").Counters[body.CAction] != 1 {
		t.Error("its action is spent")
	}
}

// place puts a creature somewhere by the game master's word.
func (f *table) place(id string, x, y int32) {
	f.T.Helper()
	f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: id, Position: &eventv1.Position{X: x, Y: y}}}})
}

// basic.attack.flanking: what is stated goes before what is measured, both ways; a missile
// is never helped by it.
func TestStatedFlanks(t *testing.T) {
	for _, c := range []struct {
		name   string
		places []int32
		fact   []any
		want   int32
	}{
		{"measured", []int32{0, 5, 10}, nil, 1}, {"denied", []int32{0, 5, 10}, []any{"flanked", false}, 0},
		{"stated", []int32{0, 5, 50}, []any{"flanked", true}, 1}, {"nobody there", []int32{0, 5, 50}, nil, 0},
	} {
		f := newTable(t).add(c.places, make1("a", "A"), make1("b", "B", ac(25)), make1("c", "A")).start(nil).declare([]int{6, 1, 1}, "a=melee-attack", "b=move", "c=move")
		f.Must(act("a", "attack", "sword", "b", facts(c.fact...)), 10)
		if got := f.Total("/to-hit") - 10; got != c.want {
			t.Errorf("%s: %+d, want %+d", c.name, got, c.want)
		}
	}
}
