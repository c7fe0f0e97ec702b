package original

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

var claws = &eventv1.OriginalWeapon{Name: "claws", Kind: "natural"}

// Cases of single blows and of several in a round that take several rules at once.

// original.attack.monster-multi-vs-normal-men, original.attack.multi-vs-normal-men: whoever
// has two attacks by its sheet has them against whom it likes, in either order; those
// that are more are against Normal Men alone.
func TestTwoAttacksAtUnlikeFoes(t *testing.T) {
	for _, c := range []struct {
		name    string
		dice, n int32 // hit dice, attacks of the sheet
		at      []string
		rule    string // of the last
	}{
		{"the strong one first", 4, 2, []string{"b", "weak"}, ""},
		{"the Normal Man first", 4, 2, []string{"weak", "b"}, ""},
		{"two and one more", 4, 2, []string{"b", "weak", "weak"}, cite.AttackMultiVsNormalMen},
		{"two and one more, the strong one in the middle", 4, 2, []string{"weak", "b", "weak"}, cite.AttackMultiVsNormalMen},
		{"two and the strong one", 4, 2, []string{"weak", "weak", "b"}, cite.AttackMultiVsNormalMen},
		{"four at Normal Men", 4, 2, []string{"weak", "weak", "weak", "weak"}, ""},
		{"and no fifth", 4, 2, []string{"weak", "weak", "weak", "weak", "weak"}, cite.AttackMultiVsNormalMen},
		{"three by the sheet are more than two dice", 2, 3, []string{"weak", "weak", "weak"}, ""},
		{"one by the sheet, the Normal Man first", 4, 1, []string{"weak", "b"}, cite.AttackMultiVsNormalMen},
		{"one by the sheet, the strong one first", 4, 1, []string{"b", "weak"}, cite.AttackMultiVsNormalMen},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).at(0, one("bear", "beasts", arms(claws), with(func(o *eventv1.OriginalSheet) { o.HitDice, o.Attacks = c.dice, c.n }))).
				at(5, strongFoe()).at(6, one("weak", "foes", points(90))).start(nil, 1, 6, 1)
			for i, target := range c.at {
				last := i == len(c.at)-1
				if last && c.rule != "" {
					wantRefused(t, f.Try(act("bear", "attack", "claws", target)), c.rule)
					return
				}
				f.Must(act("bear", "attack", "claws", target), 2)
			}
		})
	}
}

// original.critical.weapon-immunity, original.fumble.table: a weapon that can never harm a
// friend does not by mistake either; its own hands are one such.
func TestAFriendWhomTheWeaponCannotHarm(t *testing.T) {
	for _, c := range []struct {
		name   string
		weapon *eventv1.OriginalWeapon
		only   []string
		loses  int32
	}{
		{"steel", blade, []string{"silver"}, 0},
		{"silver", silver, []string{"silver"}, 3},
		{"silver where it takes magic", silver, []string{"magic"}, 0},
		{"silver where either does", silver, []string{"magic", "silver"}, 3},
		{"steel at one whom all harm", &eventv1.OriginalWeapon{Name: "sword", Damage: "1d4"}, nil, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t, body.SetFumble+"=on").at(0, one("hero", "party", points(50))).at(5, one("orc", "orcs", group("orcs"), arms(c.weapon))).
				at(8, one("wolf", "orcs", group("orcs"), with(func(o *eventv1.OriginalSheet) { o.HarmedOnlyBy = c.only }))).start(nil, 1, 6)
			faces := []int{1, 10, 6}
			if c.loses > 0 {
				faces = append(faces, 3)
			}
			f.Must(act("orc", "attack", c.weapon.Name, "hero"), faces...)
			f.WantHP("wolf", 20-c.loses)
			f.WantHP("orc", 20)
			if got := noted(f, "wolf cannot be harmed by "+c.weapon.Name, cite.CriticalWeaponImmunity); got != (c.loses == 0) {
				t.Errorf("said: %v", got)
			}
			if !noted(f, "orc strikes wolf by mistake", cite.FumbleTable) || f.Attack().Outcome != "fumble" || f.Attack().Target != "hero" {
				t.Error(f.Attack())
			}
		})
	}
}

// original.fumble.table, original.action.parry: who stumbles has no attack in the round
// after; it may parry there, and does both again in the one after that.
func TestTheStumblingParry(t *testing.T) {
	f := newTable(t, body.SetFumble+"=on").at(0, one("a", "party", class("cleric", 1), arms(spear), points(50), dex(0))).at(5, strongFoe(ac0(19), arms(spear))).start(nil, 6, 1)
	f.Must(act("a", "attack", "spear", "b"), 1, 2, 4)
	if !body.Has(f.Creature("a"), body.CondStumbled) {
		t.Fatal(f.Creature("a").Conditions)
	}
	wantRefused(t, f.Try(act("a", "parry", "", "")), cite.ActionParry) // it has attacked
	f.End("a")
	f.End("b")
	for _, cmd := range []*eventv1.Command{act("a", "attack", "spear", "b"), act("a", "attack", "empty hand", "b"), act("a", "grapple", "", "b"), act("a", "set-spear", "", "")} {
		wantRefused(t, f.Try(cmd), cite.FumbleTable)
	}
	if !f.legal("a", "parry") {
		t.Error("no parry is offered")
	}
	f.Must(act("a", "parry", "", ""))
	wantRefused(t, f.Try(act("a", "parry", "", "")), cite.ActionParry)
	f.End("a")
	f.Must(act("b", "attack", "spear", "a"), 15)
	if r := f.Roll("to-hit"); r.Target.Value != 16 { // 19 less AC 5, and 2 by the parry
		t.Errorf("it takes %d", r.Target.Value)
	}
	f.End("b")
	f.Must(act("a", "attack", "spear", "b"), 2)
}

// original.fumble.table: the second stumble lasts on from the first.
func TestStumblingAgain(t *testing.T) {
	f := newTable(t, body.SetFumble+"=on").at(0, one("a", "party", class("fighter", 3), points(50))).at(5, one("g1", "goblins", arms(stab), points(50))).start(nil, 6, 1)
	f.Must(act("a", "attack", "sword", "g1"), 1, 4, 4) // the first, in round 1
	f.Must(act("a", "attack", "sword", "g1"), 1, 4, 5) // the second
	if got := len(f.Creature("a").Conditions); got != 1 {
		t.Fatalf("%v", f.Creature("a").Conditions)
	}
	f.End("a")
	f.End("g1")
	f.Must(act("a", "attack", "sword", "g1"), 2) // the last still falls in round 1
	for round := int32(2); f.State.Round < 3; {
		if f.State.Round != round || len(f.State.Active) != 1 || f.State.Phase != body.SegSlot {
			t.Fatalf("no first and no last attack in round 2: %d %s", f.State.Round, f.State.Phase)
		}
		if f.State.Active[0] == "a" {
			wantRefused(t, f.Try(act("a", "attack", "sword", "g1")), cite.FumbleTable)
		}
		f.End(f.State.Active[0])
	}
	if f.State.Phase != body.SegFirst {
		t.Fatalf("round 3 begins with its first attack: %s", f.State.Phase)
	}
}

// original.attack.surround-limit, original.grapple.to-hit: those who grapple at the same
// time are so many who stand round their victim, beside those who attack it already.
func TestHowManyGrappleAtOnce(t *testing.T) {
	for _, c := range []struct {
		name       string
		size       string
		already, n int // attack it already, and grapple
		rule       string
	}{
		{"six round a man", "medium", 0, 6, ""}, {"seven round a man", "medium", 0, 7, cite.AttackSurroundLimit},
		{"two and four", "medium", 2, 4, ""}, {"two and five", "medium", 2, 5, cite.AttackSurroundLimit},
		{"four round a hobbit", "small", 0, 4, ""}, {"five round a hobbit", "small", 0, 5, cite.AttackSurroundLimit},
		{"eight round an ogre", "large", 0, 8, ""}, {"nine round an ogre", "large", 0, 9, cite.AttackSurroundLimit},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).at(0, one("hero", "party", points(90), size(c.size), ac(0)))
			var ids []string
			for i := range c.already + c.n {
				ids = append(ids, "orc-"+body.Itoa(i+1))
				f.off(1, int32(i-5), one(ids[i], "orcs", group("orcs")))
			}
			f.start(nil, 1, 6)
			for _, id := range ids[:c.already] {
				f.Must(act(id, "attack", "sword", "hero"), 2)
			}
			faces := make([]int, c.n)
			for i := range faces {
				faces[i] = 2
			}
			who := ids[c.already:]
			cmd := act(who[0], "grapple", "", "hero", withParameters("with", who[1:]))
			if c.rule != "" {
				wantRefused(t, f.Try(cmd), c.rule)
				f.Must(act(who[0], "grapple", "", "hero", withParameters("with", who[1:len(who)-1])), faces[1:]...)
				return
			}
			f.Must(cmd, faces...)
			// Each of them hinders it: +1 where three or more attack.
			for _, r := range f.Rolls("to-hit") {
				if want := int32(1); sum(r) != want {
					t.Errorf("%s: +%d", r.Label, sum(r))
				}
			}
		})
	}
}

// original.attack.high-ground-bonus, original.attack.low-ground-penalty: who stands higher
// stands higher for both; who strikes back has what the other's place gives it.
func TestSeenFromTheOtherSide(t *testing.T) {
	pole, lance := &eventv1.OriginalWeapon{Name: "long spear", Kind: "long-spear"}, &eventv1.OriginalWeapon{Name: "lance", Kind: "lance"}
	rider := with(func(o *eventv1.OriginalSheet) { o.Mounted, o.ChargingBeast = true, true })
	for _, higher := range []string{"", "attacker", "target"} {
		mine := map[string]int32{"": 0, "attacker": 1, "target": -1}[higher]
		fact := func(take *eventv1.TakeAction) {
			if higher != "" {
				withFacts("higher", higher)(take)
			}
		}
		for name, c := range map[string]struct {
			far         int32
			a, b        []func(*eventv1.Sheet)
			dice        []int
			do          func(f *table)
			first, last string
			bonus       [2]int32 // beside the ground
		}{
			"reach": {40, []func(*eventv1.Sheet){arms(stab)}, []func(*eventv1.Sheet){arms(pole)}, []int{6, 1}, func(f *table) {
				f.Must(act("a", "move", "", "", path(35)))
				f.Must(act("a", "attack", "dagger", "b", fact))
				f.Answer(body.DecReach, "yes", 2, 2)
			}, "reach/b/to-hit", "attack/to-hit", [2]int32{}},
			"a set spear": {100, nil, []func(*eventv1.Sheet){arms(pole)}, []int{6, 1}, func(f *table) {
				f.Must(act("a", "charge", "sword", "b", fact))
				f.Answer(body.DecSet, "yes", 2, 2)
			}, "set/b/to-hit", "attack/to-hit", [2]int32{2, 2}},
			"an answer": {100, nil, nil, []int{1, 6}, func(f *table) {
				f.End("b")
				f.Must(act("a", "charge", "sword", "b", fact), 2)
				f.Answer(body.DecAnswer, "yes", 2)
			}, "attack/to-hit", "answer/b/to-hit", [2]int32{2, 0}},
			"a charge in turn": {100, []func(*eventv1.Sheet){arms(lance), rider}, []func(*eventv1.Sheet){arms(lance), rider}, []int{6, 1}, func(f *table) {
				f.Must(act("a", "charge", "lance", "b", fact))
				f.Answer(body.DecInTurn, "yes", 2, 2)
			}, "charge/a/to-hit", "charge/b/to-hit", [2]int32{2, 2}},
		} {
			t.Run(name+" "+higher, func(t *testing.T) {
				f := newTable(t).at(0, one("a", "party", append(c.a, class("cleric", 1), points(50), dex(0))...)).at(c.far, strongFoe(append(c.b, points(50), dex(0))...)).start(nil, c.dice...)
				c.do(f)
				want := map[string]int32{c.first: c.bonus[0], c.last: c.bonus[1]}
				for label := range want {
					if label == "reach/b/to-hit" || label == "set/b/to-hit" || label == "answer/b/to-hit" || label == "charge/b/to-hit" {
						want[label] -= mine
					} else {
						want[label] += mine
					}
				}
				for label, n := range want {
					i := slices.IndexFunc(f.Published, func(e *eventv1.Event) bool { return e.GetRoll().GetLabel() == label })
					if i < 0 {
						t.Fatalf("no %s among %v", label, labels(f))
					}
					if got := sum(f.Published[i].GetRoll()); got != n {
						t.Errorf("%s: %+d, want %+d", label, got, n)
					}
				}
			})
		}
	}
}

// original.attack.florentine-advantage, original.defense.florentine-ac: whoever has lost
// one of the two weapons fights with one; it fights with both again when it has it back.
func TestOneOfTwoWeaponsIsLost(t *testing.T) {
	for _, lost := range []string{"", "left sword", "right sword", "dagger"} {
		t.Run(lost, func(t *testing.T) {
			f := newTable(t).at(0, one("a", "party", class("cleric", 1), arms(first, second, stab), points(90), dex(0))).at(5, strongFoe(ac0(19))).start(nil, 6, 1)
			f.Must(act("a", "florentine", "left sword", "", withParameters("other", "right sword")))
			both := lost == "" || lost == "dagger"
			if lost != "" {
				f.drops("a", lost)
			}
			with, n := "left sword", 1
			if lost == with {
				with = "right sword"
			}
			faces := []int{2}
			if both {
				faces, n = []int{2, 3}, 2
			}
			f.Must(act("a", "attack", with, "b"), faces...)
			if got := len(f.Roll("to-hit").Faces); got != n {
				t.Errorf("%d dice", got)
			}
			f.End("a")
			f.Must(act("b", "attack", "sword", "a"), 2)
			want := int32(14) // 19 less AC 5
			if both {
				want++
			}
			if got := f.need(); got != want {
				t.Errorf("it takes %d, want %d", got, want)
			}
		})
	}
}

// original.action.disarm-save, original.initiative.ties-simultaneous: two who disarm the
// same foe at the same moment disarm it of one weapon.
func TestDisarmedByTwoAtOnce(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", class("cleric", 1), need(2))).at(1, one("c", "party", class("cleric", 1), need(2))).at(5, strongFoe(arms(blade, stab))).start(nil, 3, 3, 3)
	f.Must(act("a", "disarm", "sword", "b"), 10, 1)
	f.Must(act("c", "disarm", "sword", "b"), 10, 1)
	if f.Creature("b").Items["sword"].Place != body.PlaceHand {
		t.Fatal("it has it to the end of the slot")
	}
	f.Must(act("b", "attack", "sword", "a"), 2)
	f.End("a")
	f.End("c")
	f.End("b")
	items := f.Creature("b").Items
	if items["sword"].Place != body.PlaceDropped || items["sword"].At != "b" || items["dagger"].Place != body.PlaceHand {
		t.Fatal(items)
	}
	n := 0
	for _, e := range f.Events {
		if e.GetItem() != nil {
			n++
		}
	}
	if n != 1 {
		t.Errorf("it falls %d times", n)
	}
	// In the round after it fights with the other, and loses that.
	f.Must(act("a", "disarm", "sword", "b"), 10, 1)
	for range 3 {
		f.End(f.State.Active[0])
	}
	if f.Creature("b").Items["dagger"].Place != body.PlaceDropped {
		t.Fatal(f.Creature("b").Items)
	}
	wantRefused(t, f.Try(act("a", "disarm", "sword", "b")), cite.ActionDisarmAttempt)
}

// original.initiative.fighters-first-and-last: a Normal Man who is knocked out is none to
// strike first at; one who is up is, also beside such.
func TestNoFirstAttackAtTheKnockedOut(t *testing.T) {
	for _, c := range []struct {
		name string
		out  []string
		want string
	}{
		{"both are up", nil, "first:a slot:g1 slot:g2 slot:a last:a"},
		{"one is out", []string{"g1"}, "first:a slot:g2 slot:a last:a"},
		{"both are out", []string{"g1", "g2"}, "slot:a"},
	} {
		f := newTable(t).at(0, one("a", "party", class("fighter", 2))).at(5, one("g1", "goblins")).at(6, one("g2", "goblins"))
		for _, id := range c.out {
			f.stun(id, 20)
		}
		f.start(nil, 1, 6, 5)
		if got := order(f); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
