package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	theinjuries "github.com/skaldrpg/skald/pkg/rules/rcr/injuries"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Healing magic against wounds: 5 points, then a check, then wounds by the
// level of the spell, the proficiency of the user or the rarity of the item.
func TestHealingRemovesWounds(t *testing.T) {
	cases := []struct {
		name     string
		hp, max  int32
		wounds   int
		medicine int32 // of the healer "b"
		healer   string
		shock    bool // of the healer
		offered  int32
		facts    []string
		settings []string
		faces    []int
		hpAfter  int32
		left     int64
	}{
		{"rcr.healing.magic-five-hp four points", 6, 30, 1, 5, "b", false, 4, []string{"via", "spell", "spell_level", "1"}, nil, nil, 10, 1},
		{"rcr.healing.magic-five-hp five points", 6, 30, 1, 5, "b", false, 5, []string{"via", "spell", "spell_level", "1"}, nil, []int{5}, 11, 0},
		{"rcr.healing.magic-five-hp lost to the maximum", 27, 30, 1, 5, "b", false, 9, []string{"via", "spell", "spell_level", "1"}, nil, nil, 30, 1},
		{"rcr.healing.magic-five-hp overflow counts", 27, 30, 1, 5, "b", false, 9, []string{"via", "spell", "spell_level", "1"}, []string{body.SetHealingOverflow + "=on"}, []int{5}, 30, 0},
		{"rcr.healing.magic-check made", 10, 30, 2, 2, "b", false, 8, []string{"via", "spell", "spell_level", "1"}, nil, []int{8}, 18, 1},
		{"rcr.healing.magic-check failed", 10, 30, 2, 2, "b", false, 8, []string{"via", "spell", "spell_level", "1"}, nil, []int{7}, 18, 2},
		{"rcr.healing.magic-check in shock", 10, 30, 2, 4, "b", true, 8, []string{"via", "spell", "spell_level", "1"}, nil, []int{14, 5}, 18, 2},
		{cite.HealingItemCheck, 5, 30, 2, -5, "a", false, 5, []string{"via", "item", "rarity", "common"}, nil, []int{9}, 10, 1},
		{"rcr.healing.item-check four points", 5, 30, 2, 0, "a", false, 4, []string{"via", "item", "rarity", "common"}, nil, nil, 9, 2},
		{"rcr.healing.item-check legendary", 5, 30, 6, 0, "b", false, 20, []string{"via", "item", "rarity", "legendary"}, nil, []int{1}, 25, 1},
		{"rcr.healing.item-check artifact", 5, 30, 6, 0, "b", false, 20, []string{"via", "item", "rarity", "artifact"}, nil, []int{1}, 25, 1},
		{"rcr.healing.item-check no rarity", 5, 30, 2, 0, "b", false, 20, []string{"via", "item"}, nil, nil, 25, 2},
		{cite.HealingRemovedBySpellLevel, 12, 50, 4, 7, "b", false, 12, []string{"via", "spell", "spell_level", "3"}, nil, []int{4}, 24, 1},
		{"rcr.healing.removed-by-spell-level cantrip", 12, 50, 4, 7, "b", false, 12, []string{"via", "spell", "spell_level", "0"}, nil, nil, 24, 4},
		{cite.HealingRemovedByProficiency, 1, 40, 5, 1, "b", false, 5, []string{"via", "ability"}, nil, []int{9}, 6, 2},
		{"rcr.healing.removed-by-proficiency four points", 1, 40, 5, 1, "b", false, 4, []string{"via", "ability"}, nil, nil, 5, 5},
		{cite.HealingRemovedByItemRarity, 10, 60, 3, 0, "b", false, 40, []string{"via", "item", "rarity", "very rare"}, nil, []int{3}, 50, 0},
		{"rcr.healing.removed-by-item-rarity scroll", 10, 60, 3, 6, "b", false, 11, []string{"via", "item", "rarity", "uncommon"}, nil, []int{6}, 21, 3},
		{"rcr.healing.three-routes never below 0", 10, 60, 2, 6, "b", false, 11, []string{"via", "spell", "spell_level", "3"}, nil, []int{10}, 21, 0},
		{"rcr.healing.magic-eligible no wounds, no check", 10, 60, 0, 6, "b", false, 11, []string{"via", "spell", "spell_level", "3"}, nil, nil, 21, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := medTable(t, bodied("a", 20, c.max), c.hp, c.wounds, c.settings...)
			f.add(bodied("b", 10, 40, rcrSheet(func(s *eventv1.RcrSheet) { s.Skills = []*eventv1.RcrSkill{{Name: "medicine", Bonus: c.medicine}} })))
			if c.shock {
				f.Count("b", body.CWounds, 1)
			}
			f.deed(healing("a", c.healer, c.offered, c.facts...), c.faces...)
			if a := f.Creature("a"); a.GetHp() != c.hpAfter || a.Counters[body.CWounds] != c.left {
				t.Fatalf("hp %d wounds %d, want %d and %d", a.GetHp(), a.Counters[body.CWounds], c.hpAfter, c.left)
			}
		})
	}
}

// rcr.healing.magic-eligible: Second Wind in Shock, and temporary hit points.
func TestSecondWind(t *testing.T) {
	f := medTable(t, bodied("a", 12, 44, rcrSheet(func(s *eventv1.RcrSheet) { s.Skills = []*eventv1.RcrSkill{{Name: "medicine", Bonus: 1}} })), 10, 3)
	f.deed(healing("a", "a", 9, "via", "ability"), 15, 9)
	f.wantBody("a", want{19, 44, 0, 0, false, true})
	f = medTable(t, bodied("a", 10, 44), 10, 2)
	f.deed(&eventv1.Harm{Deed: body.DeedTempHP, Target: "a", Amount: 8})
	f.wantBody("a", want{10, 44, 2, 2, false, true})
}

// rcr.healing.magic-check: one check for all that one healing reaches.
func TestOneCheckForMany(t *testing.T) {
	f := medTable(t, bodied("a", 20, 40), 10, 2).add(bodied("b", 20, 40))
	f.Hurt("b", 10)
	f.Count("b", body.CWounds, 2)
	res := f.deed(healing("a", "a", 8, "via", "spell", "spell_level", "1"), 10)
	f.deed(healing("b", "a", 8, "via", "spell", "spell_level", "1", "check", body.Itoa(theinjuries.CheckOf(res))))
	if f.Creature("a").Counters[body.CWounds] != 1 || f.Creature("b").Counters[body.CWounds] != 1 {
		t.Fatal("both lose a wound by one check")
	}
}

// rcr.injury.wounds-outlast-revival
func TestWoundsOutlastRevival(t *testing.T) {
	f := medTable(t, bodied("a", 10, 30), 4, 0).add(bodied("b", 10, 30))
	f.deed(hit("a", 6))
	f.wantBody("a", want{0, 30, 2, 2, false, false})
	res := f.deed(healing("a", "b", 4, "via", "spell", "spell_level", "1"))
	f.wantBody("a", want{4, 30, 2, 2, false, true})
	if !res.Woke {
		t.Fatal("not reported as woken")
	}
}

// The spells that remove wounds by name, without a check.
func TestListedSpells(t *testing.T) {
	scar := func(n int32) *eventv1.Injury {
		return &eventv1.Injury{Kind: body.InjuryScar, Amount: n, Permanent: true}
	}
	lost := func(part string) *eventv1.Injury {
		return &eventv1.Injury{Kind: body.InjuryLost, Part: part, Permanent: true}
	}
	cases := []struct {
		name     string
		con      int32
		hp, max  int32
		wounds   int
		injuries []*eventv1.Injury
		deed     string
		spell    string
		amount   int32
		want     want
		left     int // injuries
	}{
		{"rcr.healing.listed-spells lesser restoration", 20, 30, 40, 4, nil, body.DeedSpell, "lesser restoration", 0, want{30, 40, 1, 0, false, true}, 0},
		{"rcr.healing.listed-spells greater restoration", 20, 30, 40, 7, nil, body.DeedSpell, "Greater Restoration", 0, want{30, 40, 0, 0, false, true}, 0},
		{cite.HealingLesserRestoration, 10, 30, 40, 5, []*eventv1.Injury{scar(4), lost("leg")}, body.DeedSpell, "lesser restoration", 0, want{30, 36, 2, 2, false, true}, 2},
		{cite.HealingGreaterRestoration, 10, 30, 40, 5, []*eventv1.Injury{scar(4), lost("leg")}, body.DeedSpell, "greater restoration", 0, want{30, 36, 0, 0, false, true}, 2},
		{cite.HealingHealAndMassHeal, 10, 10, 40, 5, []*eventv1.Injury{scar(4), scar(3), lost("eye")}, body.DeedHeal, "heal", 70, want{40, 40, 0, 0, false, true}, 1},
		{"rcr.healing.heal-and-mass-heal by the deed of spells", 10, 10, 40, 5, []*eventv1.Injury{scar(4), scar(3), lost("eye")}, body.DeedSpell, "mass heal", 70, want{40, 40, 0, 0, false, true}, 1},
		{cite.HealingRegenerate, 10, 10, 40, 5, []*eventv1.Injury{lost("hand"), scar(5)}, body.DeedHeal, "regenerate", 19, want{29, 35, 0, 0, false, true}, 1},
		{cite.HealingSpareTheDying, 10, 0, 40, 3, nil, body.DeedSpell, "spare the dying", 0, want{0, 40, 2, 2, false, false}, 0},
		{"rcr.healing.spare-the-dying above 0", 10, 1, 40, 3, nil, body.DeedSpell, "spare the dying", 0, want{1, 40, 3, 3, false, true}, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := medTable(t, bodied("a", c.con, c.max), c.hp, 0)
			f.scarred("a", c.injuries...)
			f.Count("a", body.CWounds, c.wounds)
			h := healing("a", "a", c.amount, "via", theinjuries.ViaSpell, "spell", c.spell)
			h.Deed = c.deed
			f.deed(h)
			f.wantBody("a", c.want)
			if n := len(f.Creature("a").Injuries); n != c.left {
				t.Fatalf("%d injuries left, want %d", n, c.left)
			}
		})
	}
}

// rcr.healing.spare-the-dying: repeated while at 0, 1 wound each time.
func TestSpareTheDyingAgain(t *testing.T) {
	f := medTable(t, bodied("a", 10, 40), 0, 3)
	for range 2 {
		f.deed(&eventv1.Harm{Deed: body.DeedSpell, Target: "a", Source: "a", Facts: map[string]string{"spell": "spare the dying"}})
	}
	if a := f.Creature("a"); a.Counters[body.CWounds] != 1 || a.Life != eventv1.LifeStatus_LIFE_STATUS_STABLE {
		t.Fatalf("%v %v", a.Life, a.Counters)
	}
}

// rcr.healing.revival-spells
func TestRevival(t *testing.T) {
	raise := &eventv1.Harm{Deed: body.DeedRevive, Target: "a", Cause: "raise dead", Facts: map[string]string{"spell": "raise dead"}}
	f := medTable(t, bodied("a", 12, 40), 25, 6)
	f.refusedDeed(cite.HealingRevivalSpells, raise)
	f.deed(hit("a", 6, critical))
	f.wantBody("a", want{19, 40, 7, 6, true, false})
	f.deed(raise)
	f.wantBody("a", want{1, 40, 6, 5, false, true})

	f = medTable(t, bodied("a", 10, 40), 0, 2)
	f.Count("a", body.CDeathFailures, 2)
	f.deed(turnBegins("a"), 5, 6) // in Shock
	f.deed(&eventv1.Harm{Deed: body.DeedSpell, Target: "a", Cause: "revivify", Facts: map[string]string{"spell": "revivify"}})
	f.wantBody("a", want{1, 40, 1, 1, false, true})
	if a := f.Creature("a"); a.Counters[body.CDeathFailures] != 0 || a.Counters[body.CExhaustion] != 1 || a.Marks[body.MKilled] != "" {
		t.Fatalf("%v %v", a.Counters, a.Marks)
	}
}

// Healer's kits: a use and a check each time.
func TestKits(t *testing.T) {
	kit := &eventv1.Harm{Deed: body.DeedKit, Target: "a", Source: "b", Cause: "healer's kit"}
	set := func(t *testing.T, medicine int32, uses, wounds int, settings ...string) *table {
		f := medTable(t, bodied("a", 20, 40), 30, wounds, settings...)
		f.add(bodied("b", 10, 40, rcrSheet(func(s *eventv1.RcrSheet) { s.Skills = []*eventv1.RcrSkill{{Name: "medicine", Bonus: medicine}} })))
		f.Count("b", body.CKit, uses)
		return f
	}
	left := func(f *table, uses, wounds int64) {
		f.T.Helper()
		if u, w := f.Creature("b").Counters[body.CKit], f.Creature("a").Counters[body.CWounds]; u != uses || w != wounds {
			f.T.Fatalf("%d uses and %d wounds, want %d and %d", u, w, uses, wounds)
		}
	}
	t.Run(cite.HealingKitWound, func(t *testing.T) {
		f := set(t, 3, 3, 2)
		f.deed(kit, 6)
		left(f, 2, 2)
		f.deed(kit, 7)
		left(f, 1, 1)
	})
	t.Run("rcr.healing.kit-wound in shock and under water", func(t *testing.T) {
		f := set(t, 3, 3, 2)
		f.Count("b", body.CWounds, 1)
		f.deed(&eventv1.Harm{Deed: body.DeedKit, Target: "a", Source: "b", Facts: map[string]string{"underwater": "yes"}}, 18, 17, 2)
		left(f, 2, 2)
	})
	t.Run(cite.HealingKitUseExpended, func(t *testing.T) {
		f := set(t, 0, 1, 1)
		f.deed(kit, 9)
		left(f, 0, 1)
		f.refusedDeed(cite.HealingKitUseExpended, kit)
	})
	t.Run(cite.HealingKitAfterCombat, func(t *testing.T) {
		f := set(t, 0, 5, 1)
		f.State.Status = eventv1.State_STATUS_STARTED
		f.refusedDeed(cite.HealingKitAfterCombat, kit)
		left(f, 5, 1)
		f.deed(&eventv1.Harm{Deed: body.DeedKit, Target: "a", Source: "b", Facts: map[string]string{"override": "yes"}}, 10)
		left(f, 4, 0)
		f.State.Status = eventv1.State_STATUS_ENDED
		f.force("a", body.CWounds, 1)
		f.deed(kit, 10)
		left(f, 3, 0)
	})
	for _, c := range []struct {
		name    string
		setting string
		wounds  int
		face    int
		left    int64
	}{{"14", "on", 5, 9, 4}, {"15", "on", 5, 10, 3}, {"23 off", "off", 5, 18, 4}, {"21", "on", 2, 16, 0}} {
		t.Run("rcr.healing.kit-varying-degrees/"+c.name, func(t *testing.T) {
			f := set(t, 5, 3, c.wounds, "rcr.healing.kit-varying-degrees="+c.setting)
			f.deed(kit, c.face)
			left(f, 2, c.left)
		})
	}
}

// scarred lays old injuries on a creature, scars with the maximum they cost.
func (f *table) scarred(id string, injuries ...*eventv1.Injury) {
	f.T.Helper()
	f.Put(id, &eventv1.Vitals{Injuries: injuries})
	f.settleScars(id)
}
