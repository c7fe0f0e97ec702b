package original

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// reasonOf is the reason of a refusal; empty for none.
func reasonOf(err error) string {
	if f, ok := fault.As(err); ok {
		return f.Reason
	}
	return ""
}

// original.charge.move: more than half and no more than all of the Turn movement, and not past the foe
func TestHowFarAChargeGoes(t *testing.T) {
	for _, c := range []struct {
		foe, feet int32
		reason    string
		faces     []int
	}{
		{100, 60, "NO_CHARGE", nil}, {100, 61, "", nil}, {100, 89, "", nil}, {100, 90, "", []int{2}}, {100, 100, "", []int{2}}, {100, 101, "NO_CHARGE", nil},
		{130, 120, "", []int{2}}, {130, 121, "NO_CHARGE", nil},
	} {
		f := newTable(t).at(0, one("a", "party")).at(c.foe, strongFoe()).start(nil, 6, 1)
		err := f.Try(act("a", "charge", "sword", "b", withParameters("feet", int(c.feet))), c.faces...)
		if got := reasonOf(err); got != c.reason {
			t.Errorf("%d feet at a foe %d away: %v, want %q", c.feet, c.foe, err, c.reason)
		}
	}
}

// original.attack.backstab-first-only: from the front and the flank alike a backstab is noticed, unless the foe is surprised
func TestBackstabFromWhere(t *testing.T) {
	for position, noticed := range map[string]bool{"front": true, "flank": true, "behind": false} {
		f := den(t, 3)
		stab := act("thief", "backstab", "dagger", "orc-1", withFacts("position", position))
		if noticed {
			wantRefused(t, f.Try(stab), cite.AttackBackstabFirstOnly)
		} else {
			f.Must(stab, 2)
		}
		f = newTable(t).at(0, one("thief", "party", class("thief", 1), arms(dagger))).at(5, one("orc", "orcs")).start(object("surprised", []string{"orcs"}))
		f.Must(act("thief", "backstab", "dagger", "orc", withFacts("position", position)), 2)
	}
}

// original.movement.in-melee-definition: foes on one spot are in melee by the map, and no longer when it is left; those without places stay marked
func TestMeleeOnOneSpot(t *testing.T) {
	f := newTable(t).at(0, one("a", "party")).at(0, strongFoe()).start(nil, 6, 1)
	f.Must(act("a", "attack", "sword", "b"), 2)
	for _, id := range []string{"a", "b"} {
		if len(tiesOf(f, id, body.RelEngaged)) > 0 {
			t.Errorf("%s is marked: %v", id, f.Creature(id).Relations)
		}
	}
	f.Place("a", 15, 0)
	if body.InMelee(f.Creature("a"), f.Creature("b")) {
		t.Error("in melee 15 feet away")
	}
	f = newTable(t).add(one("a", "party"), strongFoe()).start(object("engaged", true), 6, 1)
	f.Must(act("a", "attack", "sword", "b"), 2)
	for id, foe := range map[string]string{"a": "b", "b": "a"} {
		if got := tiesOf(f, id, body.RelEngaged); len(got) != 1 || got[0] != foe {
			t.Errorf("%s: %v", id, f.Creature(id).Relations)
		}
	}
}

// tiesOf lists whom a creature is tied to in one way.
func tiesOf(f *table, id, kind string) (to []string) {
	for _, rel := range f.Creature(id).Relations {
		if rel.Kind == kind {
			to = append(to, rel.To)
		}
	}
	return to
}

// original.movement.in-melee-definition: an obstacle parts two foes, on whichever of them it is marked
func TestAnObstacleBetween(t *testing.T) {
	for _, marked := range []string{"", "a", "b"} {
		f := newTable(t).at(0, one("a", "party")).at(5, strongFoe()).start(nil, 6, 1)
		if marked != "" {
			other := map[string]string{"a": "b", "b": "a"}[marked]
			f.Put(marked, &eventv1.Vitals{Relations: []*eventv1.Relation{{Kind: body.RelApart, To: other}}})
		}
		if a, b := body.InMelee(f.Creature("a"), f.Creature("b")), body.InMelee(f.Creature("b"), f.Creature("a")); a != (marked == "") || a != b {
			t.Errorf("marked on %q: %v and %v", marked, a, b)
		}
		err := f.Try(act("a", "attack", "sword", "b"), 2)
		if marked == "" && err != nil {
			t.Error(err)
		} else if marked != "" {
			wantRefused(t, err, cite.MovementInMeleeDefinition)
		}
	}
}

// What one who comes in brings is no more than the rules count with.
func TestVitalsOfOneWhoComesIn(t *testing.T) {
	n := func(n int32) *int32 { return &n }
	const most = body.MaxPoints
	for _, c := range []struct {
		name   string
		vitals *eventv1.Vitals
		field  string
	}{
		{"all of its points", &eventv1.Vitals{Hp: n(20)}, ""},
		{"one more", &eventv1.Vitals{Hp: n(21)}, "add.vitals.hp"},
		{"one more, with a greater maximum", &eventv1.Vitals{Hp: n(21), HpMax: n(21)}, ""},
		{"two more than that", &eventv1.Vitals{Hp: n(22), HpMax: n(21)}, "add.vitals.hp"},
		{"far below nothing", &eventv1.Vitals{Hp: n(-most)}, ""},
		{"farther", &eventv1.Vitals{Hp: n(-most - 1)}, "add.vitals.hp"},
		{"no temporary points", &eventv1.Vitals{HpTemp: n(0)}, ""},
		{"less than none", &eventv1.Vitals{HpTemp: n(-1)}, "add.vitals.hp_temp"},
		{"all temporary points", &eventv1.Vitals{HpTemp: n(most)}, ""},
		{"more temporary points", &eventv1.Vitals{HpTemp: n(most + 1)}, "add.vitals.hp_temp"},
		{"a count of the fight", &eventv1.Vitals{Counters: map[string]int64{body.CAttacks: 1}}, "add.vitals.counters[" + body.CAttacks + "]"},
		{"a mark of the fight", &eventv1.Vitals{Marks: map[string]string{body.MLeaving: rules.Yes}}, "add.vitals.marks[" + body.MLeaving + "]"},
		{"a condition of the fight", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondSurprised}}}, "add.vitals.conditions[0]"},
		{"a tie", &eventv1.Vitals{Relations: []*eventv1.Relation{{Kind: body.RelEngaged, To: "a"}}}, "add.vitals.relations[0]"},
	} {
		f := newTable(t)
		err := f.Try(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: one("a", "party"), Vitals: c.vitals}}})
		refusal, _ := fault.As(err)
		switch {
		case c.field == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.field != "" && (refusal == nil || len(refusal.Violations) == 0 || refusal.Violations[0].Field != c.field):
			t.Errorf("%s: %v, want %s", c.name, err, c.field)
		}
	}
}

// original.turn.precedence: when the one whose turn it is leaves, the next has it, and what it did is done
func TestTheActiveOneLeaves(t *testing.T) {
	f := newTable(t).at(0, one("a", "party")).at(5, strongFoe()).at(-5, one("c", "party")).start(nil, 6, 3, 1)
	f.WantActive("a")
	f.Must(&eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: "a"}}})
	f.WantActive("c")
	f.Must(&eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: "b"}}})
	f.WantActive("c")
}

// original.initiative.fighters-first-and-last: nothing but the attack falls in the first place and in the last
func TestOnlyTheAttackFirstAndLast(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", class("fighter", 3))).at(5, one("orc", "orcs", points(99))).start(nil, 6, 1)
	seen := map[string]bool{}
	for range 3 {
		segment := f.State.Phase
		seen[segment] = true
		err := f.Peek(act("a", "move", "", "", withParameters("feet", 5)))
		if only := segment == body.SegFirst || segment == body.SegLast; only != (reasonOf(err) == "ATTACK_ONLY") {
			t.Errorf("%s: %v", segment, err)
		} else if only {
			wantRefused(t, err, cite.InitiativeFightersFirstAndLast)
		}
		for _, id := range f.State.Active {
			f.End(id)
		}
		if f.State.Phase == body.SegSlot && f.State.Active[0] == "orc" {
			f.End("orc")
		}
	}
	if !seen[body.SegFirst] || !seen[body.SegSlot] || !seen[body.SegLast] {
		t.Fatal(seen)
	}
}

// original.damage.empty-hand-die: whoever has claws strikes with them and not with an empty hand
func TestEmptyHands(t *testing.T) {
	claw := &eventv1.OriginalWeapon{Name: "claw", Kind: "natural", Damage: "1d6"}
	for _, c := range []struct {
		name string
		list []*eventv1.OriginalWeapon
		has  bool
	}{{"nothing", nil, true}, {"a sword", []*eventv1.OriginalWeapon{{Name: "sword"}}, true}, {"claws", []*eventv1.OriginalWeapon{claw}, false}, {"a sword and claws", []*eventv1.OriginalWeapon{{Name: "sword"}, claw}, false}} {
		f := newTable(t).at(0, one("a", "party", arms(c.list...))).at(5, strongFoe(arms())).start(nil, 6, 1)
		if err := f.Try(act("a", "attack", body.EmptyHand.Name, "b"), 2); (err == nil) != c.has {
			t.Errorf("%s: %v", c.name, err)
		}

	}
}

// original.spell.caster-won, original.surprise.free-round: what keeps a spell from being announced
func TestWhoAnnouncesNoSpell(t *testing.T) {
	say := act("mage", "prepare", "bolt", "")
	f := newTable(t).at(0, mage()).at(50, one("orc", "orcs")).start(object("surprised", []string{"party"}))
	wantRefused(t, f.Try(say), cite.SurpriseFreeRound)
	f = newTable(t).at(0, mage()).at(50, one("orc", "orcs")).start(nil, 1, 6)
	f.Must(say)
	wantRefused(t, f.Try(say), cite.SpellLostWhenOpponentWon)
	f.End("orc")
	f.Must(act("mage", "cast", "bolt", "orc"), 3)
	f = newTable(t).at(0, mage()).at(50, one("orc", "orcs")).at(60, one("pig", "pigs")).start(nil, 6, 3, 1)
	f.End("mage")
	wantRefused(t, f.Try(say), cite.SpellCasterWon)
}

// Before a fight and after it nothing is to be done, and that is said.
func TestOptionsOutsideAFight(t *testing.T) {
	f := newTable(t).at(0, one("a", "party")).at(5, strongFoe())
	want := func(reason string) {
		t.Helper()
		list := (System{}).Options(rules.Query{State: f.State, Creature: "a"})
		for _, o := range list {
			if o.Legal || o.Action != "end-turn" && o.Reason != reason {
				t.Errorf("%s: legal %v, %s", o.Action, o.Legal, o.Reason)
			}
		}
		if len(list) == 0 {
			t.Error("nothing is listed")
		}
	}
	want("the encounter has not begun")
	f.start(nil, 6, 1)
	f.Must(&eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
	want("the encounter is over")
}
