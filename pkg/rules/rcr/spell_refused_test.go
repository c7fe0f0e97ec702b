package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.base.fifth-edition-fallback, rcr.base.half-cover: whom a spell cannot be cast at, by how
// far it is, whose it is, and what is between.
func TestTargetsOfSpellsRefused(t *testing.T) {
	harm := []*eventv1.RcrDamage{{Dice: "1d6", Type: "fire"}}
	bolt := &eventv1.RcrSpell{Name: "bolt", CastingTime: "action", Attack: "ranged", RangeFeet: 60, Targets: 1, Damage: harm}
	cloud := &eventv1.RcrSpell{Name: "cloud", CastingTime: "action", RangeFeet: 60, Targets: 1, Damage: harm, Save: &eventv1.RcrSave{Ability: "wisdom", Dc: 12}}
	cure := &eventv1.RcrSpell{Name: "cure", CastingTime: "action", RangeFeet: 60, Targets: 1, Healing: "1d8"}
	touch := &eventv1.RcrSpell{Name: "touch", CastingTime: "action", Targets: 1, Damage: harm, Save: &eventv1.RcrSave{Ability: "wisdom", Dc: 12}}
	for name, c := range map[string]struct {
		sp     *eventv1.RcrSpell
		target string
		x      int32
		do     func(f *table)
		facts  []any
		reason string
	}{
		"at its range": {sp: bolt, target: "b", x: 60}, "beyond its range": {sp: bolt, target: "b", x: 65, reason: "OUT_OF_RANGE"}, "a touch beside": {sp: touch, target: "b", x: 5}, "a touch 10 feet off": {sp: touch, target: "b", x: 10, reason: "OUT_OF_RANGE"},
		"itself with an attack": {sp: bolt, target: "a", x: 20, reason: "SELF"}, "itself in a cloud": {sp: cloud, target: "a", x: 20}, "itself healed": {sp: cure, target: "a", x: 20},
		"behind total cover": {sp: cloud, target: "b", x: 20, facts: []any{"cover", "total"}, reason: "TOTAL_COVER"}, "behind three quarters": {sp: cloud, target: "b", x: 20, facts: []any{"cover", "three-quarters"}},
		"its charmer":             {sp: cloud, target: "b", x: 20, do: func(f *table) { f.Must(afflicting("a", body.CondCharmed, "b")) }, reason: "CHARMED"},
		"its charmer, healed":     {sp: cure, target: "b", x: 20, do: func(f *table) { f.Must(afflicting("a", body.CondCharmed, "b")) }},
		"charmed by another":      {sp: cloud, target: "b", x: 20, do: func(f *table) { f.Must(afflicting("a", body.CondCharmed, "c")) }},
		"its charmer with a bolt": {sp: bolt, target: "b", x: 20, do: func(f *table) { f.Must(afflicting("a", body.CondCharmed, "b")) }, reason: "CHARMED"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t)
			f.place(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) {
				s.SpellAttackBonus, s.SpellDc, s.Spells = 5, 12, []*eventv1.RcrSpell{bolt, cloud, cure, touch}
			})), 0, 0)
			f.place(fighter("b", "monsters"), c.x, 0)
			f.place(fighter("c", "monsters"), 90, 90)
			f.start(nil, 20, 10, 5)
			f.Roller = func(sides int) int { return (sides + 1) / 2 }
			if c.do != nil {
				c.do(f)
			}
			err := f.Try(act("a", "cast", c.sp.Name, c.target, withFacts(c.facts...)))
			if g, ok := fault.As(err); ok != (c.reason != "") || ok && g.Reason != c.reason {
				t.Errorf("%v, want %q", err, c.reason)
			}
		})
	}
}

// rcr.feat.spell-sniper-range: twice as far with a spell that calls for an attack roll and
// is no touch, while the rule is on.
func TestReachOfSpells(t *testing.T) {
	for _, c := range []struct {
		sp     *eventv1.RcrSpell
		sniper bool
		off    bool
		want   int32
	}{
		{&eventv1.RcrSpell{RangeFeet: 60}, true, false, 60}, {&eventv1.RcrSpell{RangeFeet: 60, Attack: "ranged"}, true, false, 120}, {&eventv1.RcrSpell{RangeFeet: 60, Attack: "ranged"}, false, false, 60},
		{&eventv1.RcrSpell{RangeFeet: 60, Attack: "ranged"}, true, true, 60}, {&eventv1.RcrSpell{RangeFeet: 5, Attack: "melee"}, true, false, 5}, {&eventv1.RcrSpell{RangeFeet: 10, Attack: "melee"}, true, false, 20},
		{&eventv1.RcrSpell{Attack: "melee"}, true, false, 5}, {&eventv1.RcrSpell{}, false, false, 5},
	} {
		var settings []string
		if c.off {
			settings = []string{cite.FeatSpellSniperRange + "=off"}
		}
		var sheet []func(*eventv1.Sheet)
		if c.sniper {
			sheet = append(sheet, feat(body.FeatSpellSniper), rcrSheet(func(s *eventv1.RcrSheet) {
				s.SpellDc, s.SpellAttackBonus, s.Spells = 13, 5, []*eventv1.RcrSpell{{Name: "fire bolt", Attack: "ranged", RangeFeet: 120, Damage: []*eventv1.RcrDamage{{Dice: "1d10", Type: "fire"}}}}
			}))
		}
		f := newTable(t, settings...).add(fighter("a", "party", sheet...))
		if got := answers.SpellReach(f.State, f.Creature("a"), c.sp); got != c.want {
			t.Errorf("%v, sniper %v, off %v: %d feet, want %d", c.sp, c.sniper, c.off, got, c.want)
		}
	}
}

// rcr.feat.defensive-duelist-parry: a melee attack of one whom it perceives, with a reaction
// and the feat.
func TestWhenDuelistsParry(t *testing.T) {
	for name, c := range map[string]struct {
		feat   bool
		attack string
		do     func(f *table)
		want   bool
	}{
		"a blow": {true, "sword", nil, true}, "without the feat": {false, "sword", nil, false}, "a shot": {true, "bow", nil, false},
		"an unseen foe":         {true, "sword", func(f *table) { f.Afflict("b", body.CondInvisible) }, false},
		"with no reaction left": {true, "sword", func(f *table) { f.Count("a", body.CReaction, 0) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			sheet := []func(*eventv1.Sheet){ability("dexterity", 13), weapons(weapon("rapier", "", "piercing", "finesse"))}
			if c.feat {
				sheet = append(sheet, feat("defensive duelist"))
			}
			f := newTable(t)
			f.place(fighter("a", "party", sheet...), 0, 0)
			x := int32(5)
			if c.attack == "bow" {
				x = 30
			}
			f.place(fighter("b", "monsters"), x, 0)
			f.start(nil, 5, 20)
			f.Roller = func(sides int) int { return min(12, sides) }
			if c.do != nil {
				c.do(f)
			}
			f.Must(act("b", "attack", c.attack, "a"))
			if asked := len(f.Decisions) > 0; asked != c.want {
				t.Errorf("asked %v", f.Decisions)
			}
		})
	}
}
