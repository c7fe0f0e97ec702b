package original

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/original/moving"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Arms of conditions by themselves.

// original.death.zero-hp: whoever is dead by the game master's word, with hit points left,
// stays so when it is hurt again.
func TestTheDeadStayDead(t *testing.T) {
	f := newTable(t).add(one("a", "party"), one("x", "orcs"))
	f.Resolve(func(r *rules.Resolution) error {
		r.Emit(event.Everyone(), &eventv1.LifeChanged{Creature: "x", Status: eventv1.LifeStatus_LIFE_STATUS_DEAD, Cause: "drowned"}, cite.DeathZeroHp)
		return nil
	})
	for kind, n := range map[string]int32{body.PartActual: 3, body.PartTemporary: 17} {
		f.Medicine(&eventv1.Harm{Deed: body.DeedDamage, Target: "x", Parts: []*eventv1.DamagePart{{Type: kind, Rolled: n}}})
		f.WantLife("x", eventv1.LifeStatus_LIFE_STATUS_DEAD)
	}
}

// original.movement.spellcaster-10-feet, original.movement.free-disengage,
// original.movement.through-line: who has no movement left is refused by the rule that
// took it.
func TestWhoseMovementIsSpent(t *testing.T) {
	for _, c := range []struct {
		name          string
		do            func(f *table)
		leave, across string
	}{
		{"moved half", func(f *table) { f.Count("mage", body.CMoved, 60) }, cite.MovementFreeDisengage, cite.MovementThroughLine},
		{"cast and moved 10 feet", func(f *table) { f.Must(act("mage", "cast", "glow", "")); f.Count("mage", body.CMoved, 10) }, cite.MovementSpellcaster10Feet, cite.MovementSpellcaster10Feet},
		{"cast, and is off its feet", func(f *table) { f.Must(act("mage", "cast", "glow", "")); f.Afflict("mage", body.CondProne) }, cite.MovementFreeDisengage, cite.MovementThroughLine},
	} {
		f := newTable(t).at(0, mage()).at(-5, one("orc", "orcs", points(50))).at(-10, one("friend", "party")).start(nil, 1, 6, 2)
		c.do(f)
		wantRefused(t, f.Try(act("mage", "disengage", "", "", path(5))), c.leave)
		wantRefused(t, f.Try(act("mage", "through", "", "orc", path(5))), c.across)
	}
}

// original.attack.surround-bonus: who turns to another attacks that one and nobody else.
func TestOneIsAttackedAtATime(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", class("thief", 3), dex(0))).at(5, one("b", "orcs", points(50))).at(6, one("c", "orcs", points(50))).start(nil, 6, 1, 2)
	for i, target := range []string{"b", "c", "b"} {
		f.Must(act("a", "attack", "sword", target), 2)
		if got := tiesOf(f, "a", body.RelAttacks); !slices.Equal(got, []string{target}) {
			t.Errorf("attack %d: %v", i+1, got)
		}
	}
}

// original.initiative.roll: what content takes off the die leaves 1, for 0 is no place in
// the order.
func TestTheLeastInitiative(t *testing.T) {
	for amount, want := range map[string]int32{"-1": 1, "-2": 1, "-9": 1, "2": 4} {
		f := pair(t, featOf(t, "    - modifier: {to: initiative, amount: \""+amount+"\"}"), "a").start(nil, 2, 1)
		if got := f.Creature("a").Initiative; len(got) != 1 || got[0].Total != want {
			t.Errorf("2%s: %v, want %d", amount, got, want)
		}
		if want == 1 {
			f.WantActive("a", "b") // both on 1
		}
	}
}

// original.movement.elf-fire-on-the-run, original.attack.elf-fire-into-melee: the race of a
// sheet counts before a class of that name.
func TestTheRaceCountsBeforeTheClass(t *testing.T) {
	for _, c := range []struct {
		race, class, weapon string
		want                bool
	}{
		{"elf", "fighter", "bow", true}, {"", "elf", "bow", true}, {"human", "elf", "bow", false}, {"elf", "fighter", "sling", false}, {"", "hobbit", "sling", true},
		{"human", "hobbit", "sling", false}, {"hobbit", "thief", "sling", true}, {"hobbit", "thief", "bow", false}, {"elf", "hobbit", "bow", true}, {"elf", "hobbit", "sling", false},
	} {
		f := newTable(t).at(0, one("a", "party", class(c.class, 1), race(c.race), dex(0), arms(bow, sling))).at(150, strongFoe()).start(nil, 6, 1)
		f.Try(act("a", "move", "", "", path(61)))
		if moved := f.Creature("a").Counters[body.CMoved] == 61; moved != (c.want || c.weapon == "sling" && c.race == "elf" || c.weapon == "bow" && c.race == "hobbit") {
			t.Errorf("%s %s moves: %v", c.race, c.class, moved)
		}
		if f.Creature("a").Counters[body.CMoved] == 61 {
			if err := f.Try(act("a", "attack", c.weapon, "b"), 2); (err == nil) != c.want {
				t.Errorf("%s %s with a %s: %v", c.race, c.class, c.weapon, err)
			}
		}
	}
}

// original.attack.backstab-first-only: nobody sneaks up on one who cannot notice anything.
func TestNoBackstabOfTheHelpless(t *testing.T) {
	for _, condition := range []string{body.CondPinned, body.CondHeld, body.CondSurrendered} {
		f := newTable(t).at(0, one("a", "party", class("thief", 1), arms(stab))).at(5, strongFoe()).start(nil, 6, 1)
		f.Roller = func(int) int { return 1 }
		f.Afflict("b", condition)
		wantRefused(t, f.Try(act("a", "backstab", "dagger", "b", withFacts("position", "behind"))), cite.AttackBackstabFirstOnly)
		f.Roller = nil
		f.Must(act("a", "attack", "dagger", "b", withFacts("position", "behind")), 2)
		if got := sum(f.Roll("to-hit")); got < 2 {
			t.Errorf("%s: %+d", condition, got)
		}
	}
	f := newTable(t).at(0, one("a", "party", class("thief", 1), arms(stab))).at(5, strongFoe()).start(nil, 6, 1)
	f.Roller = func(int) int { return 2 } // and its morale is checked
	f.Resolve(stunned("b", 3))            // the stunned defend themselves
	f.Must(act("a", "backstab", "dagger", "b", withFacts("position", "behind")))
}

// original.pursuit.rounds-to-catch: of several who pursue, the gap is the one that was
// found last.
func TestTheLatestGap(t *testing.T) {
	for _, c := range []struct{ first, second, gap, round int32 }{{1, 2, 30, 2}, {2, 1, 50, 2}, {2, 2, 50, 2}} {
		f := newTable(t).add(one("a", "party"), one("o1", "orcs", group("orcs")), one("o2", "orcs", group("orcs"))).start(nil, 6, 1)
		f.Resolve(func(r *rules.Resolution) error {
			r.Relate("o1", &eventv1.Relation{Kind: body.RelPursues, To: "a", Round: c.first, Values: map[string]int32{body.ValGap: 50}})
			r.Relate("o2", &eventv1.Relation{Kind: body.RelPursues, To: "a", Round: c.second, Values: map[string]int32{body.ValGap: 30}})
			return nil
		})
		if x := moving.GapTo(f.State, "a", "orcs"); x.Values[body.ValGap] != c.gap || x.Round != c.round {
			t.Errorf("%v: %v", c, x)
		}
	}
}
