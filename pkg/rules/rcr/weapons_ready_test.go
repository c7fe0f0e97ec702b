package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.base.fifth-edition-fallback: a versatile weapon in both hands needs both; a buckler
// leaves its hand free, a full shield, a second weapon and a grapple do not.
func TestInBothHands(t *testing.T) {
	longsword := &eventv1.RcrAttack{Name: "longsword", Bonus: 5, ReachFeet: 5, Hand: "main", Properties: []string{"versatile"},
		Damage: []*eventv1.RcrDamage{{Dice: "1d8+3", Type: "slashing"}}, TwoHandedDamage: []*eventv1.RcrDamage{{Dice: "1d10+3", Type: "slashing"}}}
	club := &eventv1.RcrAttack{Name: "club", Bonus: 5, ReachFeet: 5, Hand: "main", Properties: []string{"light"}, Damage: []*eventv1.RcrDamage{{Dice: "1d4+3", Type: "bludgeoning"}}}
	dagger := &eventv1.RcrAttack{Name: "dagger", Bonus: 5, ReachFeet: 5, Hand: "off", Properties: []string{"light"}, Damage: []*eventv1.RcrDamage{{Dice: "1d4+3", Type: "piercing"}}}
	shield := func(kind eventv1.RcrSheet_Shield) func(*eventv1.Sheet) {
		return rcrSheet(func(s *eventv1.RcrSheet) { s.Shield = kind })
	}
	for _, c := range []struct {
		name   string
		change []func(*eventv1.Sheet)
		do     func(f *table)
		item   string
		hands  string
		faces  []int
		dice   string
		reason string
		listed bool
	}{
		{"in one", []func(*eventv1.Sheet){weapons(longsword)}, nil, "longsword", "one", []int{15, 8}, "1d8+3", "", true},
		{"in two", []func(*eventv1.Sheet){weapons(longsword)}, nil, "longsword", "two", []int{15, 8}, "1d10+3", "", true},
		{"in two, critical", []func(*eventv1.Sheet){weapons(longsword)}, nil, "longsword", "two", []int{20, 8, 2}, "2d10+3", "", true},
		{"with a shield", []func(*eventv1.Sheet){weapons(longsword), shield(eventv1.RcrSheet_SHIELD_SHIELD)}, nil, "longsword", "two", nil, "", "NO_FREE_HAND", false},
		{"with a buckler", []func(*eventv1.Sheet){weapons(longsword), shield(eventv1.RcrSheet_SHIELD_BUCKLER)}, nil, "longsword", "two", []int{15, 8}, "1d10+3", "", true},
		{"with a dagger in the other hand", []func(*eventv1.Sheet){weapons(longsword, dagger)}, nil, "longsword", "two", nil, "", "NO_FREE_HAND", false},
		{"the dagger dropped", []func(*eventv1.Sheet){weapons(longsword, dagger)}, func(f *table) { f.Must(act("a", "drop", "dagger", "")) }, "longsword", "two", []int{15, 8}, "1d10+3", "", true},
		{"a hand about somebody", []func(*eventv1.Sheet){weapons(longsword)}, func(f *table) {
			f.Put("b", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondGrappled, Source: "a", Cause: "grapple"}}})
		}, "longsword", "two", nil, "", "NO_FREE_HAND", false},
		{"what is not versatile", []func(*eventv1.Sheet){weapons(club)}, nil, "club", "two", nil, "", "NOT_VERSATILE", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party", c.change...), fighter("b", "monsters")).start(nil, 20, 5)
			if c.do != nil {
				c.do(f)
			}
			if got := slices.Contains(valuesOf(offered(f.State, "a", "attack", c.item), "hands"), "two"); got != c.listed {
				t.Errorf("listed %v, want %v", got, c.listed)
			}
			wantReasonOf(t, c.name, f.Try(act("a", "attack", c.item, "b", withParameters("hands", c.hands)), c.faces...), c.reason)
			if c.reason == "" && f.Roll("damage").Expression != c.dice {
				t.Errorf("%s, want %s", f.Roll("damage").Expression, c.dice)
			}
		})
	}
}

// rcr.base.fifth-edition-fallback: what is spent or not loaded strikes nobody, and is not
// offered; with a turn's rest or a reload it does.
func TestSpentAndUnloaded(t *testing.T) {
	breath := &eventv1.RcrAttack{Name: "spit", Bonus: 5, RangeFeet: 30, Natural: true, Usage: &eventv1.RcrUsage{Uses: 1, Recharge: "short rest"}, Damage: []*eventv1.RcrDamage{{Dice: "1d6", Type: "acid"}}}
	f := newTable(t).add(fighter("a", "party", armed, rcrSheet(func(s *eventv1.RcrSheet) {
		s.Attacks, s.AttacksPerAction = append(s.Attacks, breath), 2
	})), fighter("b", "monsters")).start(nil, 20, 5)
	f.Must(act("a", "attack", "spit", "b"), 15, 1)
	wantReasonOf(t, "spent", f.Try(act("a", "attack", "spit", "b")), "NO_USES")
	if o := offered(f.State, "a", "attack", "spit"); o.Legal {
		t.Errorf("offered when it is spent: %v", o)
	}
	f.unload("a", "crossbow")
	wantReasonOf(t, "not loaded", f.Try(act("a", "attack", "crossbow", "b")), "NOT_LOADED")
	if o := offered(f.State, "a", "attack", "crossbow"); o.Legal {
		t.Errorf("offered when it is not loaded: %v", o)
	}
	f.Must(act("a", "reload", "crossbow", ""))
	if len(f.Decisions) > 0 {
		f.Choose("no")
	}
	wantReasonOf(t, "loaded", f.Try(act("a", "reload", "crossbow", "")), "LOADED")
	wantReasonOf(t, "no reload", f.Try(act("a", "reload", "sword", "")), "NO_RELOAD")
	f.Must(act("a", "attack", "crossbow", "b"), 2)
}

// rcr.trait.reckless-attack: with the first attack of one's own turn, in melee, by
// Strength; it helps oneself and everybody against oneself until the next turn.
func TestRecklessly(t *testing.T) {
	axe := &eventv1.RcrAttack{Name: "axe", Bonus: 5, ReachFeet: 5, RangeFeet: 20, LongRangeFeet: 60, Hand: "main", Properties: []string{"thrown"}, Damage: []*eventv1.RcrDamage{{Dice: "1d8+3", Type: "slashing"}}}
	rapier := &eventv1.RcrAttack{Name: "rapier", Bonus: 5, ReachFeet: 5, Hand: "off", Properties: []string{"finesse"}, Damage: []*eventv1.RcrDamage{{Dice: "1d8+3", Type: "piercing"}}}
	wild := func(change ...func(*eventv1.Sheet)) *table {
		return newTable(t).add(fighter("a", "party", append([]func(*eventv1.Sheet){weapons(axe, rapier), ability("dexterity", 16), rcrSheet(func(s *eventv1.RcrSheet) { s.AttacksPerAction = 2 })}, change...)...),
			fighter("b", "monsters")).start(nil, 20, 5)
	}
	reckless := withParameters("reckless", true)
	f := wild()
	wantReasonOf(t, "without the trait", f.Try(act("a", "attack", "axe", "b", reckless)), "NO_TRAIT")
	f = wild(trait(body.TraitReckless))
	wantReasonOf(t, "thrown", f.Try(act("a", "attack", "axe", "b", withParameters("reckless", true, "throw", true))), "NOT_BY_STRENGTH")
	wantReasonOf(t, "by Dexterity", f.Try(act("a", "attack", "rapier", "b", reckless)), "NOT_BY_STRENGTH")
	f.Must(act("a", "attack", "axe", "b"), 5)
	wantReasonOf(t, "the second attack", f.Try(act("a", "attack", "axe", "b", reckless)), "NOT_FIRST")
	f = wild(trait(body.TraitReckless))
	f.Must(act("a", "attack", "axe", "b", reckless), 5, 15, 2)
	if got := f.Roll("to-hit"); got.Expression != "2d20kh1" || f.Attack().Outcome != "hit" {
		t.Errorf("%s, %s", got.Expression, f.Attack().Outcome)
	}
	f.Must(act("a", "attack", "axe", "b"), 5, 6) // the next attack has it too
	f.End("a", 1)
	f.Must(act("b", "attack", "sword", "a"), 5, 6)
	if got := f.Roll("to-hit").Expression; got != "2d20kh1" {
		t.Errorf("against it: %s", got)
	}
	f.End("b", 1)
	for f.State.Active[0] != "a" {
		f.End(f.State.Active[0], 1)
	}
	if body.Has(f.Creature("a"), body.CondReckless) {
		t.Error("reckless in its next turn")
	}
}

// rcr.base.fifth-edition-fallback: whether an ally is beside the target, as it is stated,
// goes before what is measured.
func TestAnAllyNearAsStated(t *testing.T) {
	for _, c := range []struct {
		name string
		ally int32 // how far from the target the ally stands, east of it
		said []any
		want string
	}{
		{"beside it", 10, nil, "2d20kh1"},
		{"far away", 40, nil, "1d20"},
		{"far away, stated near", 40, []any{"ally_near", true}, "2d20kh1"},
		{"beside it, stated far", 10, []any{"ally_near", false}, "1d20"},
	} {
		f := newTable(t)
		f.place(fighter("a", "party", trait("pack tactics")), 0, 0)
		f.place(fighter("b", "monsters"), 5, 0)
		f.place(fighter("c", "party"), c.ally, 0)
		f.start(nil, 20, 5, 4)
		cmd := act("a", "attack", "sword", "b")
		if c.said != nil {
			cmd = act("a", "attack", "sword", "b", withFacts(c.said...))
		}
		f.falls(3)
		f.Must(cmd)
		if got := f.Roll("to-hit").Expression; got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// rcr.condition.exhaustion-speed, rcr.condition.grappled-speed,
// rcr.condition.restrained-speed, rcr.feat.sentinel-stop: whoever has no speed is told the
// rule that takes it.
func TestWhyThereIsNoSpeed(t *testing.T) {
	for _, c := range []struct {
		name   string
		change []func(*eventv1.Sheet)
		do     func(f *table)
		rule   string
	}{
		{"exhaustion 8 at a speed of 20", []func(*eventv1.Sheet){func(s *eventv1.Sheet) { speeds(s, 20) }}, func(f *table) { f.Count("a", body.CExhaustion, 8) }, cite.ConditionExhaustionSpeed},
		{"exhaustion 7: five feet are left", []func(*eventv1.Sheet){func(s *eventv1.Sheet) { speeds(s, 20) }}, func(f *table) { f.Count("a", body.CExhaustion, 7) }, ""},
		{"exhaustion and a grapple", []func(*eventv1.Sheet){func(s *eventv1.Sheet) { speeds(s, 20) }}, func(f *table) { f.Count("a", body.CExhaustion, 8); f.Afflict("a", "grappled@b") }, cite.ConditionGrappledSpeed},
		{"restrained", nil, func(f *table) { f.Afflict("a", "restrained") }, cite.ConditionRestrainedSpeed},
		{"grappled and restrained", nil, func(f *table) { f.Afflict("a", "restrained", "grappled@b") }, cite.ConditionGrappledSpeed},
		{"stopped by a sentinel", nil, func(f *table) { f.Afflict("a", body.CondStopped) }, cite.FeatSentinelStop},
		{"no speed of its own", []func(*eventv1.Sheet){func(s *eventv1.Sheet) { speeds(s, 0) }}, nil, body.Fallback},
		{"no speed of its own, exhaustion 1", []func(*eventv1.Sheet){func(s *eventv1.Sheet) { speeds(s, 0) }}, func(f *table) { f.Count("a", body.CExhaustion, 1) }, body.Fallback},
	} {
		f := newTable(t).add(fighter("a", "party", c.change...), fighter("b", "monsters")).start(nil, 20, 5)
		if c.do != nil {
			c.do(f)
		}
		err := f.Try(act("a", "move", "", "", feet(5)))
		if c.rule == "" && err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if c.rule != "" {
			wantRefused(t, err, c.rule)
		}
	}
}
