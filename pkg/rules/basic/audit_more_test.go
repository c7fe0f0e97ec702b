package basic

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/order"
	"github.com/skaldrpg/skald/pkg/rules/basic/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// basic.attack.two-weapon-penalty: -2 and -5, hit or miss by one.
func TestTwoWeaponTotals(t *testing.T) {
	two := wields(&eventv1.BasicWeapon{Name: "sword", Damage: "1d8", Kind: "melee"}, &eventv1.BasicWeapon{Name: "dagger", Damage: "1d4", Kind: "melee", Hand: "off", Small: true})
	f := lone(t, nil, body.KindMelee, make1("a", "A", bonus(4), abilities(1, 0), two), make1("b", "B", ac(14)))
	f.Must(act("a", "two-weapons", "", "b"), 10, 14, 1)
	if got := []int32{f.Total("attack/1/to-hit"), f.Total("attack/2/to-hit")}; !slices.Equal(got, []int32{13, 14}) {
		t.Errorf("%v, want 13 and 14", got)
	}
	f.WantHP("b", 8) // Strength counts in either hand
}

// basic.action.hold-silence: the end of the hold gives the voice back.
func TestVoiceComesBack(t *testing.T) {
	f := holding(t, make1("a", "A"), make1("b", "B", caster))
	f.Must(act("a", "hold-silence", "", "b"))
	f.end("a")
	if err := order.RefuseWords(f.State, f.State.Creatures["b"], "bolt", 1); err == nil {
		t.Error("it is silenced")
	}
	none := int32(0)
	f.Put("a", &eventv1.Vitals{Hp: &none}) // who holds it falls
	if err := order.RefuseWords(f.State, f.State.Creatures["b"], "bolt", 1); err != nil {
		t.Errorf("it is free: %v", err)
	}
}

// basic.turn.declare: what is open to all and what is its owner's alone.
func TestAudience(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A"))
	for name, own := range map[string]bool{body.CNonlethal: true, body.CRunning: true, body.CLeft + "bolt": true, body.CLeft + "ring": true, body.CAmmunition + "arrows": true,
		body.CAction: false, body.CMovement: false, body.CTurn: false} {
		got := System{}.Audience(f.State, rules.FactCounter, name, "a").GetKind() == eventv1.Audience_KIND_CREATURES
		if got != own {
			t.Errorf("%s: its owner's alone: %v", name, got)
		}
	}
	for kind, own := range map[rules.FactKind]bool{rules.FactSheet: true, rules.FactHitPoints: true, rules.FactInjury: true, rules.FactMark: false, rules.FactCondition: false} {
		if got := (System{}).Audience(f.State, kind, "x", "a").GetKind() == eventv1.Audience_KIND_CREATURES; got != own {
			t.Errorf("%v: its owner's alone: %v", kind, got)
		}
	}
	for _, subject := range []string{"", "side:A"} {
		if (System{}).Audience(f.State, rules.FactCounter, body.CNonlethal, subject).GetKind() == eventv1.Audience_KIND_CREATURES {
			t.Errorf("%q is nobody's own", subject)
		}
	}
}

// basic.action.reach-closing: a charge closes with others than its target as well, but
// not with those whom the charger was engaged with before.
func TestChargeClosesWithOthers(t *testing.T) {
	f := newTable(t).add([]int32{0, 45, 40, 5}, make1("a", "A", hp(40), wields(spear())), make1("b", "B", hp(40)))
	f.AddAt(40, 5, make1("c", "B", wields(pike())))
	f.AddAt(5, 5, make1("d", "B", wields(bow())))
	f.start(nil).declare([]int{4, 1, 1, 1}, "a=charge", "b=move", "c=melee-attack", "d=move")
	f.Must(act("a", "charge", "spear", "b"))
	if len(f.Decisions) != 1 || f.Decisions[0].Name != body.DecClosing || f.Decisions[0].Creature != "c" {
		t.Fatalf("asked %v", f.Decisions)
	}
	f.Answer(body.DecClosing, "weapon:pike", 5, 6)
	// One who stays beside the charger all the way is not closed with.
	f = newTable(t).add([]int32{0, 15}, make1("a", "A", hp(40), wields(spear())), make1("b", "B", hp(40)))
	f.AddAt(5, 5, make1("c", "B", wields(pike())))
	f.start(nil).declare([]int{4, 1, 1}, "a=charge", "b=move", "c=melee-attack")
	f.Must(act("a", "charge", "spear", "b"), 6)
	if len(f.Decisions) > 0 {
		t.Errorf("asked %v", f.Decisions)
	}
}

// basic.attack.missile-into-melee: only living allies of the shooter beside the two.
func TestWhoMayBeStruck(t *testing.T) {
	none := int32(0)
	f := newTable(t).add(nil, make1("a", "A", wields(bow())), make1("ally", "A"), make1("enemy", "B"), make1("fallen", "A"), make1("ogre", "B", ac(20)))
	f.start(nil)
	f.Put("fallen", &eventv1.Vitals{Hp: &none})
	f.declare([]int{6, 1, 1, 1}, "a=ranged-attack", "ally=move", "enemy=move", "ogre=move")
	f.Must(act("a", "shoot", "bow", "ogre", facts("into_melee", []string{"a", "ally", "ally", "enemy", "fallen", "ogre"})), 5)
	var got []string
	for _, o := range f.Decisions[0].Options {
		got = append(got, o.Id)
	}
	if !slices.Equal(got, []string{"ally", body.NoStray}) {
		t.Errorf("%v may be struck", got)
	}
}

// What can be shot, thrown, reloaded and struck with is listed under its own action.
func TestItemsOfActions(t *testing.T) {
	all := wields(&eventv1.BasicWeapon{Name: "sword", Damage: "1d8", Kind: "melee"}, flask(body.Oil), bow(),
		&eventv1.BasicWeapon{Name: "crossbow", Damage: "1d6", Kind: "crossbow", ShortFeet: 60, MediumFeet: 120, LongFeet: 180, ReloadRounds: 1},
		&eventv1.BasicWeapon{Name: "spear", Damage: "1d6", Kind: "melee", Charge: true, ShortFeet: 10, MediumFeet: 20, LongFeet: 30})
	c := &eventv1.Creature{Id: "a", Sheet: make1("a", "A", all)}
	got := map[string][]string{}
	f, err := frame()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range f.Actions() {
		if a.Items != nil {
			got[a.ID] = a.Items(&play.At{State: &eventv1.State{}, Actor: c, Action: a, Take: &eventv1.TakeAction{}})
		}
	}
	for action, want := range map[string][]string{
		"attack": {"sword", "spear", body.Punch, body.Kick}, "subdue": {"sword", "spear"}, "shoot": {"bow", "crossbow", "spear"}, "throw": {"flask"},
		"reload": {"crossbow"}, "charge": {"spear"}, "spill-oil": {"flask"}, "draw": {"sword", "flask", "bow", "crossbow", "spear"}, "cast": nil,
	} {
		if !slices.Equal(got[action], want) {
			t.Errorf("%s with %v, want %v", action, got[action], want)
		}
	}
}

// basic.condition.disarmed: a weapon comes into the free hand, a large one into both;
// drawing takes nothing, picking up the action.
func TestHands(t *testing.T) {
	arms := wields(&eventv1.BasicWeapon{Name: "sword", Damage: "1d8", Kind: "melee"}, &eventv1.BasicWeapon{Name: "dagger", Damage: "1d4", Kind: "melee", Hand: "stowed"},
		&eventv1.BasicWeapon{Name: "halberd", Damage: "1d10", Kind: "melee", TwoHanded: true, Hand: "stowed"})
	f := lone(t, nil, body.KindMelee, make1("a", "A", arms), make1("b", "B"))
	at := func(name string) string { return f.State.Creatures["a"].Items[name].Place }
	wantRefused(t, f.Try(act("a", "draw", "halberd", "")), cite.ConditionDisarmed)
	f.Must(act("a", "draw", "dagger", ""))
	if at("dagger") != "off" {
		t.Errorf("the dagger is in %s", at("dagger"))
	}
	f.Must(act("a", "drop", "sword", ""))
	f.Must(act("a", "drop", "dagger", ""))
	wantRefused(t, f.Try(act("a", "drop", "dagger", "")), cite.ConditionDisarmed)
	f.Must(act("a", "draw", "halberd", ""))
	if at("halberd") != "both" || body.FreeHands(f.State.Creatures["a"]) != 0 {
		t.Errorf("the halberd is in %s", at("halberd"))
	}
	f.Must(act("a", "attack", "halberd", "b"), 5)
	f.Must(act("a", "drop", "halberd", ""))
	f.end("a", "b")
	f.declare([]int{6, 1}, "a=move", "b=move")
	f.Must(act("a", "pick-up", "sword", ""))
	wantRefused(t, f.Try(act("a", "pick-up", "dagger", "")), cite.ActionList)
	if at("sword") != "main" {
		t.Errorf("the sword is in %s", at("sword"))
	}
	// A shield fills a hand.
	f = lone(t, nil, body.KindMelee, make1("a", "A", wields(&eventv1.BasicWeapon{Name: "sword", Damage: "1d8", Kind: "melee"}, &eventv1.BasicWeapon{Name: "dagger", Damage: "1d4", Kind: "melee", Hand: "stowed"}),
		section(func(b *eventv1.BasicSheet) { b.Shield = true })), make1("b", "B"))
	wantRefused(t, f.Try(act("a", "draw", "dagger", "")), cite.ConditionDisarmed)
}

// basic.movement.fighting-withdrawal: who lies prone, is held or surprised is not
// asked to follow.
func TestWhoFollows(t *testing.T) {
	for _, condition := range []string{body.CondProne, body.CondHeld, body.CondSurprised} {
		f := lone(t, []int32{0, 5}, body.KindWithdraw, make1("a", "party"), make1("b", "orcs"))
		f.Afflict("b", condition)
		f.Must(act("a", "withdraw", "", "", to(-10)))
		if len(f.Decisions) > 0 {
			t.Errorf("%s: asked %v", condition, f.Decisions)
		}
	}
	// One who is near enough all the same is not asked either, and stays in reach.
	f := newTable(t).add([]int32{0, 5}, make1("a", "party"), make1("b", "orcs"))
	f.AddAt(-5, 5, make1("c", "orcs"))
	f.start(nil).declare([]int{6, 1, 1}, "a=withdraw", "b=move", "c=move")
	f.Must(act("a", "withdraw", "", "", to(-5)))
	if len(f.Decisions) != 1 || f.Decisions[0].Creature != "b" {
		t.Fatalf("asked %v", f.Decisions)
	}
	f.Answer(body.DecFollow, body.DecideNo)
	f.Must(act("a", "attack", "sword", "c"), 5)
}

// basic.item.oil-ground-fire: a pool is lit from its edge and 5 feet around.
func TestReachOfAPool(t *testing.T) {
	f := newTable(t).add([]int32{0, 12, 13}, make1("a", "A", throws(body.Oil)), make1("b", "B"), make1("c", "B")).start(nil)
	f.declare([]int{6, 2, 1}, "a=other", "b=other", "c=other")
	f.Must(act("a", "spill-oil", "flask", "", func(k *eventv1.TakeAction) { k.Path = []*eventv1.Position{{X: 5}} }))
	f.end("a")
	f.Must(act("b", "light-oil", "pool-1", "")) // 7 feet from the middle
	f = newTable(t).add([]int32{0, 13}, make1("a", "A", throws(body.Oil)), make1("c", "B")).start(nil)
	f.declare([]int{6, 1}, "a=other", "c=other")
	f.Must(act("a", "spill-oil", "flask", "", func(k *eventv1.TakeAction) { k.Path = []*eventv1.Position{{X: 5}} }))
	f.end("a")
	wantRefused(t, f.Try(act("c", "light-oil", "pool-1", "")), cite.ItemOilGroundFire)
}

// Too few targets, too many, one twice and one that is not there are mistakes of the
// caller.
func TestTargetsOfActions(t *testing.T) {
	f := lone(t, nil, body.KindMelee, make1("a", "A"), make1("b", "B"))
	for _, targets := range []string{"", "b,a", "b,b", "nobody"} {
		if f.Try(act("a", "attack", "sword", targets)) == nil {
			t.Errorf("%q is accepted", targets)
		}
	}
	f = lone(t, nil, body.KindCast, make1("a", "A", section(func(b *eventv1.BasicSheet) {
		b.Weapons, b.Spells = nil, []*eventv1.BasicSpell{{Name: "chain", Uses: 1, Damage: "1d6", Targets: 2}}
	})), make1("b", "B"))
	f.add(nil, make1("c", "B"))
	if f.Try(act("a", "cast", "chain", "a,b,c")) == nil {
		t.Error("three targets for a spell of two")
	}
	f.Must(act("a", "cast", "chain", "b,c"), 4)
	f.WantHP("b", 6)
	f.WantHP("c", 6)
}

// basic.action.reach-closing: the early blow is the action of the round, so the next
// who closes in meets none.
func TestOneEarlyBlow(t *testing.T) {
	f := newTable(t).add([]int32{0, -10, 20}, make1("a", "A", hp(40)), make1("c", "A", hp(40)), make1("b", "B", wields(pike()))).start(nil)
	f.declare([]int{6, 2, 5}, "a=move", "c=move", "b=melee-attack")
	f.Must(act("a", "move", "", "", to(15)))
	f.Answer(body.DecClosing, "weapon:pike", 5)
	f.end("a")
	f.Must(act("c", "move", "", "", to(15)))
	if len(f.Decisions) > 0 {
		t.Errorf("asked %v", f.Decisions)
	}
}

// basic.action.hold: every number still to come is listed, from the next below to just
// below the last.
func TestNumbersToHoldTo(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A"), make1("b", "B")).start(nil).declare([]int{6, 4}, "a=melee-attack", "b=move")
	var got []int
	for _, o := range (System{}).Options(rules.Query{State: f.State, Creature: "a"}) {
		if o.Action == "hold" && o.Item == order.HoldNumber {
			for _, v := range o.Parameters[0].Values {
				got = append(got, int(v.GetNumberValue()))
			}
		}
	}
	if !slices.Equal(got, []int{5, 4, 3}) {
		t.Errorf("%v, want 5, 4 and 3", got)
	}
	f.Must(act("a", "hold", order.HoldNumber, "")) // just below, when nothing is said
	f.WantActive("a")
	if p := order.PlaceOf(f.State, f.State.Creatures["a"]); p.Total != 5 {
		t.Errorf("on %d, want 5", p.Total)
	}
}

// Nobody shoots at itself or at the dead; an edit alone wakes nobody; names are unique.
func TestSmallEdges(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A", wields(bow())), make1("b", "B", hp(1)), make1("c", "B")).start(nil)
	f.declare([]int{6, 1, 1}, "a=ranged-attack", "b=move", "c=move")
	wantRefused(t, f.Try(act("a", "shoot", "bow", "a")), cite.ActionRangedAttack)
	f.Must(act("a", "shoot", "bow", "b"), 15, 1)
	f.end("a", "c")
	f.declare([]int{6, 1}, "a=ranged-attack", "c=move")
	wantRefused(t, f.Try(act("a", "shoot", "bow", "b")), cite.ActionRangedAttack)

	f = knockedOut(t)
	f.Afflict("b", body.CondShaken)
	f.WantLife("b", isUnconscious)
	f.Put("b", &eventv1.Vitals{Hp: func() *int32 { n := int32(4); return &n }()})
	f.WantLife("b", isAlive)

	for field, spoil := range map[string]change{
		"sheet.basic.items[1].name":          carrying(&eventv1.BasicItem{Name: "key"}, &eventv1.BasicItem{Name: "key"}),
		"sheet.basic.items[0].name":          carrying(&eventv1.BasicItem{Name: "sword"}),
		"sheet.basic.items[0].effect.damage": carrying(&eventv1.BasicItem{Name: "ring", Effect: &eventv1.BasicSpell{Damage: "many"}}),
		"sheet.basic.spells[1].name":         section(func(b *eventv1.BasicSheet) { b.Spells = []*eventv1.BasicSpell{{Name: "x"}, {Name: "x"}} }),
		"sheet.basic.spells[0].healing": section(func(b *eventv1.BasicSheet) {
			b.Spells = []*eventv1.BasicSpell{{Name: "x", Damage: "1d4", Healing: "1d4"}}
		}),
		"sheet.basic.weapons[0].contents":    section(func(b *eventv1.BasicSheet) { b.Weapons[0].Contents = body.Oil }),
		"sheet.basic.weapons[0].rate_rounds": section(func(b *eventv1.BasicSheet) { b.Weapons[0].RateRounds = -1 }),
		"sheet.basic.weapons[0].hand":        section(func(b *eventv1.BasicSheet) { b.Weapons[0].TwoHanded, b.Weapons[0].Hand = true, "main" }),
	} {
		v := System{}.CheckSheet(make1("a", "A", spoil))
		if len(v) != 1 || v[0].Field != field {
			t.Errorf("%s: %v", field, v)
		}
	}
	if v := (System{}).CheckSheet(make1("a", "A", throws(body.Oil))); len(v) > 0 {
		t.Errorf("a flask of oil needs no dice of its own: %v", v)
	}
}

// A stated modifier may be about one target.
func TestModifiersForATarget(t *testing.T) {
	for target, want := range map[string]int32{"": 15, "b": 15, "a": 10} {
		f := lone(t, nil, body.KindMelee, make1("a", "A"), make1("b", "B", ac(30)))
		f.Must(act("a", "attack", "sword", "b", func(k *eventv1.TakeAction) {
			k.Circumstances = []*eventv1.Circumstance{{Direction: "modifier", Cause: "high ground", Value: 5, Target: target}}
		}), 10)
		if got := f.Total("to-hit"); got != want {
			t.Errorf("for %q: %d, want %d", target, got, want)
		}
	}
}

// basic.fumble.sloppy: only engaged enemies who can strike are offered the free attack.
func TestWhoIsOfferedAFreeAttack(t *testing.T) {
	f := newTable(t).add([]int32{0, 100, 5, -5}, make1("a", "A", wields(bow())), make1("b", "B"), make1("c", "B"), make1("d", "B"))
	f.start(nil)
	f.Put("c", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondStumbled}}})
	f.declare([]int{6, 1, 2, 1}, "a=ranged-attack", "b=move", "c=move", "d=move")
	f.Must(act("a", "shoot", "bow", "b"), 1, 7, 14)
	if len(f.Decisions) != 1 || len(f.Decisions[0].Options) != 2 || f.Decisions[0].Options[0].Id != "d" {
		t.Errorf("asked %v, want d or nobody", f.Decisions)
	}
}

// basic.attack.grenade-scatter: where only one of the two is on the map the place is
// named.
func TestScatterHalfOnTheMap(t *testing.T) {
	f := newTable(t).add([]int32{0}, make1("a", "A", throws(body.Oil)), make1("b", "B", ac(30))).start(nil).declare([]int{6, 1}, "a=ranged-attack", "b=move")
	f.Must(act("a", "throw", "flask", "b", lit(strike.LitNot)), 5, 2)
	if !f.noted("it lands -10 feet to the right and -10 feet beyond") {
		t.Error("nobody knows where b stands")
	}
}
