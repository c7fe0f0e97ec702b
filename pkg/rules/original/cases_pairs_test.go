package original

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// original.grapple.to-hit: those who missed may join the ones who hold, with a
// new roll to hit and a contest of all together; nobody joins a pin.
func TestMoreJoinAHold(t *testing.T) {
	field := func(contest ...int) *table {
		f := newTable(t).at(0, one("hero", "party", class("thief", 2), points(50)))
		for i := range int32(3) {
			f.at(1+i, one("orc-"+body.Itoa(i+1), "orcs", group("orcs"), ac0(19)))
		}
		f.at(5, one("stranger", "others", dex(0))).start(nil, 1, 6, 5)
		f.Must(act("orc-1", "grapple", "", "hero"), append([]int{19}, contest...)...)
		return f
	}
	f := field(5, 3, 2)
	if !body.Has(f.Creature("hero"), body.CondStruggling) {
		t.Fatal("5 against 5")
	}
	f.Must(act("orc-2", "grapple", "", "hero"), 2)
	if len(f.Rolls("contest/hero")) != 0 || body.Holding(f.Creature("orc-2")) != "" {
		t.Fatal("it misses: nothing comes of it")
	}
	f.Must(act("orc-3", "grapple", "", "hero"), 19, 3, 4, 3, 3)
	if got := labels(f); !slices.Equal(got[1:], []string{"contest/orc-1", "contest/orc-3", "contest/hero"}) || !body.Has(f.Creature("hero"), body.CondPinned) || body.Has(f.Creature("hero"), body.CondStruggling) {
		t.Fatalf("7 against 6: %v, %v", got, f.Creature("hero").Conditions)
	}
	// Another side does not join, and a pin needs nobody more.
	f = field(5, 3, 2)
	for _, id := range []string{"orc-1", "orc-2", "orc-3"} {
		f.End(id)
	}
	f.WantActive("stranger")
	wantRefused(t, f.Try(act("stranger", "grapple", "", "hero")), cite.GrappleTieStruggling)
	f = field(6, 3, 2)
	wantRefused(t, f.Try(act("orc-2", "grapple", "", "hero")), cite.GrapplePinned)
}

// original.initiative.haste-both, original.initiative.reach-first-strike: of two
// who are hasted the longer weapon strikes first; against one who is not, haste.
func TestReachAmongTheHasted(t *testing.T) {
	for _, c := range []struct {
		hasted []string
		want   string
	}{{[]string{"a", "b"}, "haste:a haste:b"}, {[]string{"b"}, "haste:b slot:a"}, {[]string{"a"}, "haste:a slot:b"}, {nil, "slot:a slot:b"}} {
		f := newTable(t).at(0, one("a", "party", arms(spear))).at(5, one("b", "foes", arms(stab)))
		for _, id := range c.hasted {
			f.Afflict(id, body.CondHasted)
		}
		f.start(nil, 1, 6)
		if got := order(f); got != c.want {
			t.Errorf("hasted %v: %s", c.hasted, got)
		}
	}
	// And one who closes in on a longer weapon.
	f := newTable(t).at(0, one("a", "party", arms(spear))).at(40, one("b", "foes", arms(stab)))
	f.Afflict("a", body.CondHasted)
	f.Afflict("b", body.CondHasted)
	f.start(nil, 1, 6)
	f.Must(act("b", "move", "", "", path(5)))
	f.Must(act("b", "attack", "dagger", "a"))
	f.Answer(body.DecReach, "yes", 2, 2)
	if got := f.Attacks(); !slices.Equal(got, []string{"a miss", "b miss"}) {
		t.Error(got)
	}
}

// original.surprise.combined-chance: a creature that is never surprised.
func TestNeverSurprised(t *testing.T) {
	never := with(func(o *eventv1.OriginalSheet) { o.SurprisedOn = -1 })
	sneak := with(func(o *eventv1.OriginalSheet) { o.SurprisesOn = 5 })
	f := newTable(t).add(one("a", "party", sneak), one("b", "orcs", never), one("c", "orcs")).start(object("unaware", []string{"orcs"}), 1, 6, 1, 1)
	if got := f.Roll("surprise/orcs"); got.Target.Value != 0 || got.Outcome != "ready" {
		t.Error(got)
	}
	// The least quiet and the most alert of a side count.
	f = newTable(t).add(one("a", "party", sneak), one("d", "party", with(func(o *eventv1.OriginalSheet) { o.SurprisesOn = 3 })), one("b", "orcs", with(func(o *eventv1.OriginalSheet) { o.SurprisedOn = 1 })), one("c", "orcs")).
		start(object("unaware", []string{"orcs"}), 2)
	if got := f.Roll("surprise/orcs"); got.Target.Value != 2 || got.Outcome != "surprised" {
		t.Error(got)
	}
}

// original.charge.move: what is wrong with a charge is said before anybody is
// asked to shoot.
func TestAWrongChargeIsRefusedAtOnce(t *testing.T) {
	f := newTable(t).at(0, one("a", "party")).at(100, strongFoe(arms(bow, blade))).start(nil, 6, 1)
	for _, bad := range []func(*eventv1.TakeAction){withParameters("to_hit", "wit"), withParameters("to_hit", "dex"), withFacts("position", "above"), withFacts("higher", "nobody")} {
		if err := f.Try(act("a", "charge", "sword", "b", bad)); err == nil {
			t.Errorf("asked %v first", f.Decisions)
		}
	}
}

// One whom the game master holds is refused by a rule as well.
func TestTheHeldAreRefusedByARule(t *testing.T) {
	for condition, rule := range map[string]string{body.CondStunned: cite.GrappleThrownOff, body.CondHeld: cite.GrapplePinned, body.CondSurrendered: cite.MoraleTable, body.CondPinned: cite.GrapplePinned} {
		f := newTable(t).at(0, one("a", "party")).at(5, strongFoe()).start(nil, 6, 1)
		f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "a", Vitals: &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: condition, Cause: "test"}}}}}})
		wantRefused(t, f.Try(act("a", "attack", "sword", "b")), rule)
	}
}

// original.initiative.reach-first-strike, original.attack.multi-vs-normal-men:
// a fighter who has spent one of several attacks has others for one who closes.
func TestReachWithAttacksLeft(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", class("fighter", 3), arms(spear), points(50))).at(5, one("g1", "goblins", arms(stab), group("g1"), points(50))).
		at(50, one("g2", "goblins", arms(stab), group("g2"), points(50))).start(nil, 1, 2, 6)
	f.Must(act("a", "attack", "spear", "g1"), 2) // the first
	f.Must(act("g2", "move", "", "", path(10)))
	f.Must(act("g2", "attack", "dagger", "a"))
	f.Answer(body.DecReach, "yes", 2, 2)
	if got := f.Attacks(); !slices.Equal(got, []string{"a miss", "g2 miss"}) || f.Creature("a").Counters[body.CAttacks] != 2 {
		t.Fatal(got)
	}
	// One who has one attack and has spent it has none.
	f = newTable(t).at(0, one("a", "party", class("cleric", 1), arms(spear), points(50))).at(5, one("g1", "goblins", arms(stab), group("g1"), points(50))).
		at(50, one("g2", "goblins", arms(stab), group("g2"), points(50))).start(nil, 6, 1, 2)
	f.Must(act("a", "attack", "spear", "g1"), 2)
	f.End("a")
	f.Must(act("g2", "move", "", "", path(10)))
	f.Must(act("g2", "attack", "dagger", "a"), 2)
}

// original.charge.no-initiative: a fighter who keeps one of several attacks.
func TestAFighterStrikesBackWithOneLeft(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", class("fighter", 3), points(50))).at(5, one("g1", "goblins", group("g1"), points(50))).
		at(100, one("g2", "goblins", group("g2"), points(50))).start(nil, 6, 5, 1)
	f.Must(act("a", "attack", "sword", "g1"), 2) // the first
	f.End("a")                                   // the second is kept
	f.End("g1")
	f.Must(act("g2", "charge", "sword", "a"), 2)
	f.Answer(body.DecAnswer, "yes", 2)
	f.End("g2")
	f.Must(act("a", "attack", "sword", "g2"), 2) // the last
	if f.State.Round != 2 {
		t.Fatal(f.State.Round)
	}
}

// original.spell.caster-won, original.spell.lost-when-opponent-won,
// original.spell.tie-save: each who hurts the caster is judged by its own place.
func TestACasterHurtByTwo(t *testing.T) {
	field := func(first, second int) *table {
		return newTable(t).at(0, mage()).at(5, one("orc-1", "orcs", group("g1"), need(10), points(50))).at(6, one("orc-2", "orcs", group("g2"), need(10), points(50))).start(nil, 4, first, second)
	}
	// One won, one lost: the spell is gone with the first blow.
	f := field(5, 3)
	f.Must(act("mage", "prepare", "bolt", ""))
	f.Must(act("orc-1", "attack", "sword", "mage"), 10, 1)
	if !noted(f, "bolt is lost", cite.SpellLostWhenOpponentWon) {
		t.Fatal("one that won is enough")
	}
	// One won and did not hurt, one has the same initiative: one save.
	f = field(5, 4)
	f.Must(act("orc-1", "attack", "sword", "mage"), 9)
	f.End("orc-1")
	f.Must(act("mage", "cast", "glow", ""))
	f.Must(act("orc-2", "attack", "sword", "mage"), 10, 1)
	f.End("mage")
	f.End("orc-2", 13)
	if len(f.Rolls("/save")) != 1 || !noted(f, "glow goes off", cite.SpellCasterWon) {
		t.Fatal("13 and 1 meet 14")
	}
	// Struck twice by the same foe of the same initiative: one save.
	f = newTable(t).at(0, mage()).at(5, one("beast", "orcs", need(10), points(50), with(func(o *eventv1.OriginalSheet) { o.HitDice, o.Attacks = 4, 2 }))).start(nil, 4, 4)
	f.Must(act("mage", "cast", "glow", ""))
	f.Must(act("beast", "attack", "sword", "mage"), 10, 1)
	f.Must(act("beast", "attack", "sword", "mage"), 10, 1)
	f.End("mage")
	f.End("beast", 13)
	if len(f.Rolls("/save")) != 1 {
		t.Fatal("one for each opponent")
	}
	// One who dies in the slot has its spell like any other its blow.
	f = newTable(t).at(0, mage(points(2))).at(5, one("orc", "orcs", need(10), points(50))).start(nil, 4, 4)
	f.Must(act("orc", "attack", "sword", "mage"), 10, 1)
	f.Must(act("mage", "cast", "bolt", "orc"))
	f.End("orc")
	f.End("mage", 13, 6)
	if !body.Dead(f.Creature("mage")) || f.DamageTo("orc") != 6 {
		t.Fatalf("%d to the orc", f.DamageTo("orc"))
	}
}

// original.morale.when: a check that is owed by two groups at one moment is one
// for each; those who fled or gave up owe none.
func TestMoraleOfTwoGroups(t *testing.T) {
	f := newTable(t, body.SetShortcut+"=on").at(0, one("hero", "party", class("cleric", 8), need(2)))
	for _, id := range []string{"g1", "g2", "k1", "k2", "k3"} {
		f.at(3, one(id, "foes", group(id[:1]), points(3)))
	}
	f.start(nil, 6, 1, 2)
	// 8 x 95 % = 7.6: all three named fall. g: first death; k: first death and half.
	f.Must(act("hero", "shortcut", "", "g1,k1,k2"), 1, 1, 6, 6)
	if got := labels(f); !slices.Equal(got, []string{"morale/g", "morale/k"}) {
		t.Fatal(got)
	}
	f.Answer(body.DecMorale, "flee")
	none := int32(0)
	f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "k3", Vitals: &eventv1.Vitals{Hp: &none}}}})
	if len(labels(f)) != 0 {
		t.Fatal(labels(f))
	}
}
