package rcr

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// sting is an attack that can be made once between rests.
func sting(s *eventv1.Sheet) {
	s.GetRcr().Attacks = append(s.GetRcr().Attacks, &eventv1.RcrAttack{Name: "sting", Bonus: 5, ReachFeet: 5, Natural: true, Usage: &eventv1.RcrUsage{Uses: 1, Recharge: "short rest"}, Damage: []*eventv1.RcrDamage{{Dice: "1d4", Type: "piercing"}}})
}

// optionIDs are those of a decision's options.
func optionIDs(d *eventv1.Decision) (out []string) {
	for _, o := range d.Options {
		out = append(out, o.Id)
	}
	return out
}

// rcr.base.opportunity-frame: an attack of which there are uses takes one, and is not offered when
// they are gone; whoever is struck down is not struck again, and the others keep their reaction.
func TestOpportunitiesUseThingsUp(t *testing.T) {
	build := func(t *testing.T, hp int32) *table {
		f := newTable(t)
		f.place(fighter("a", "party"), 10, 0)
		f.place(fighter("b", "monsters", sting), 0, 0)
		f.place(fighter("c", "monsters", sting), 0, 5)
		f.start(nil, 20, 5, 4)
		f.Hurt("a", hp)
		f.falls(15)
		f.Must(act("a", "move", "", "", along(5, 0, 15, 0)))
		f.wantAsked("b", "c")
		return f
	}
	t.Run("a use", func(t *testing.T) {
		f := build(t, 40)
		f.Answer(body.DecOpportunity+"/b", "sting")
		f.Answer(body.DecOpportunity+"/c", "sword")
		f.WantAttacks("b hit", "c hit")
		f.wantCount("b", body.UsesOf("sting", nil), 0)
		f.wantCount("c", body.UsesOf("sting", nil), 1)
		f.wantCount("b", body.CReaction, 0)
		f.wantCount("c", body.CReaction, 0)
		f.End("a")
	})
	t.Run("none are left", func(t *testing.T) {
		f := newTable(t)
		f.place(fighter("a", "party"), 10, 0)
		f.place(fighter("b", "monsters", sting), 0, 0)
		f.start(nil, 20, 5)
		f.Count("b", body.UsesOf("sting", nil), 0)
		f.Must(act("a", "move", "", "", along(5, 0, 15, 0)))
		f.wantAsked("b")
		if got := optionIDs(f.Decisions[0]); slices.Contains(got, "sting") || !slices.Contains(got, "sword") {
			t.Errorf("offered %v", got)
		}
	})
	t.Run("it falls to the first", func(t *testing.T) {
		f := build(t, 1)
		f.Answer(body.DecOpportunity+"/c", "sting")
		f.Answer(body.DecOpportunity+"/b", "sword")
		f.WantAttacks("b hit")
		f.wantCount("c", body.UsesOf("sting", nil), 1)
		f.wantCount("c", body.CReaction, 1)
		f.wantAt("a", 5, 0)
	})
}

// rcr.feat.sentinel-guard, rcr.feat.sentinel-stop: a sentinel's attack takes what it takes of uses;
// whom it stops lives.
func TestSentinelsUseThingsUp(t *testing.T) {
	build := func(t *testing.T, hp int32, feats ...string) *table {
		f := newTable(t)
		f.place(fighter("a", "monsters"), 0, 0)
		f.place(fighter("b", "party", sting, feat(feats...)), 5, 0)
		f.place(fighter("c", "party"), 0, 5)
		f.start(nil, 20, 5, 4)
		f.Hurt("a", hp)
		f.falls(15)
		return f
	}
	t.Run("guarding", func(t *testing.T) {
		f := build(t, 40, body.FeatSentinel)
		f.Must(act("a", "attack", "sword", "c"))
		f.Answer(movement.DecGuard, "sting")
		f.wantCount("b", body.UsesOf("sting", nil), 0)
		f.wantCount("b", body.CReaction, 0)
	})
	for name, c := range map[string]struct {
		hp    int32
		feats []string
		stops bool
	}{"it stops": {40, []string{body.FeatSentinel}, true}, "it kills": {1, []string{body.FeatSentinel}, false}, "another stops nobody": {40, nil, false}} {
		t.Run(name, func(t *testing.T) {
			f := build(t, c.hp, c.feats...)
			f.Place("a", 15, 0)
			f.Place("c", 90, 90)
			f.Must(act("a", "move", "", "", along(10, 0, 20, 0)))
			f.wantAsked("b")
			f.Answer(body.DecOpportunity, "sword")
			f.wantHas("a", body.CondStopped, c.stops)
			if dead := body.Dead(f.Creature("a")); dead != (c.hp == 1) {
				t.Errorf("dead %v", dead)
			}
		})
	}
}

// rcr.feat.mage-slayer-reaction: a caster whom a mage slayer brings down casts nothing: the slot is
// kept, and that is said.
func TestSlainMages(t *testing.T) {
	for hp, casts := range map[int32]bool{40: true, 1: false} {
		f := newTable(t)
		f.place(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) {
			s.SpellDc, s.SpellSlots = 15, []int32{1}
			s.Spells = []*eventv1.RcrSpell{{Name: "mend", Level: 1, CastingTime: "bonus", Verbal: true, Healing: "1d4"}}
		})), 0, 0)
		f.place(fighter("b", "monsters", feat(body.FeatMageSlayer)), 5, 0)
		f.start(nil, 20, 5)
		f.Hurt("a", hp)
		f.falls(15)
		f.Must(act("a", "cast", "mend", ""))
		f.Answer(movement.DecSlay, "sword")
		left := int64(0)
		if !casts {
			left = 1
		}
		f.wantCount("a", body.CSlot+"1", left)
		told := slices.ContainsFunc(f.byNote(cite.FeatMageSlayerReaction), func(s string) bool { return strings.Contains(s, "the slot is kept") })
		if told == casts {
			t.Errorf("with %d: told that it is not cast: %v", hp, told)
		}
	}
}

// rcr.feat.war-caster-oa-spell: in place of an opportunity attack a war caster may cast a spell of an
// action at that one target alone, for which it has the means.
func TestSpellsOfWarCasters(t *testing.T) {
	harm := []*eventv1.RcrDamage{{Dice: "1d6", Type: "fire"}}
	wisdom := &eventv1.RcrSave{Ability: "wisdom", Dc: 12}
	of := func(name string, change func(*eventv1.RcrSpell)) *eventv1.RcrSpell {
		sp := &eventv1.RcrSpell{Name: name, CastingTime: "action", RangeFeet: 30, Verbal: true, Damage: harm, Save: wisdom}
		if change != nil {
			change(sp)
		}
		return sp
	}
	spells := []*eventv1.RcrSpell{
		of("ray", func(sp *eventv1.RcrSpell) { sp.Save, sp.Attack = nil, "ranged" }),
		of("mock", nil),
		of("mock one", func(sp *eventv1.RcrSpell) { sp.Targets = 1 }),
		of("mock two", func(sp *eventv1.RcrSpell) { sp.Targets = 2 }),
		of("unsaid", func(sp *eventv1.RcrSpell) { sp.CastingTime = "" }),
		of("swift", func(sp *eventv1.RcrSpell) { sp.CastingTime = "bonus" }),
		of("slow", func(sp *eventv1.RcrSpell) { sp.CastingTime = "longer" }),
		of("self", func(sp *eventv1.RcrSpell) { sp.Damage, sp.Save, sp.RangeFeet = nil, nil, 0 }),
		of("blade", func(sp *eventv1.RcrSpell) { sp.WeaponAttack, sp.Save = true, nil }),
		of("slotless", func(sp *eventv1.RcrSpell) { sp.Level = 2 }),
		of("slotted", func(sp *eventv1.RcrSpell) { sp.Level = 1 }),
		of("raise dead", func(sp *eventv1.RcrSpell) { sp.Damage, sp.Save = nil, nil }),
	}
	want := []string{"cast/ray", "cast/mock", "cast/mock one", "cast/unsaid", "cast/slotted"}
	for name, c := range map[string]struct {
		feats []string
		do    func(f *table)
		want  []string
	}{
		"a war caster":            {[]string{body.FeatWarCaster}, nil, want},
		"another caster":          {nil, nil, nil},
		"one that rages":          {[]string{body.FeatWarCaster}, func(f *table) { f.Afflict("b", body.CondRaging) }, nil},
		"one that another charms": {[]string{body.FeatWarCaster}, func(f *table) { f.Must(afflicting("b", body.CondCharmed, "c")) }, want},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t)
			f.place(fighter("a", "party"), 10, 0)
			f.place(fighter("b", "monsters", trait(body.TraitRage), feat(c.feats...), rcrSheet(func(s *eventv1.RcrSheet) {
				s.SpellDc, s.SpellAttackBonus, s.SpellSlots, s.Spells = 13, 5, []int32{1}, spells
			})), 0, 0)
			f.place(fighter("c", "party"), 90, 90)
			f.start(nil, 20, 5, 4)
			if c.do != nil {
				c.do(f)
			}
			f.falls(10)
			f.Must(act("a", "move", "", "", along(5, 0, 15, 0)))
			f.wantAsked("b")
			got := slices.DeleteFunc(optionIDs(f.Decisions[0]), func(id string) bool { return !strings.HasPrefix(id, "cast/") })
			if !slices.Equal(got, c.want) {
				t.Errorf("offered %v, want %v", got, c.want)
			}
		})
	}
	t.Run("two of them", func(t *testing.T) { // the second finds nobody left to cast at
		f := newTable(t)
		f.place(fighter("a", "party"), 10, 0)
		for i, id := range []string{"b", "c"} {
			f.place(fighter(id, "monsters", feat(body.FeatWarCaster), rcrSheet(func(s *eventv1.RcrSheet) {
				s.SpellDc, s.SpellAttackBonus, s.SpellSlots, s.Spells = 30, 5, []int32{1}, []*eventv1.RcrSpell{of("mock", func(sp *eventv1.RcrSpell) { sp.Level, sp.Save = 1, &eventv1.RcrSave{Ability: "wisdom", Dc: 30} })}
			})), 0, int32(5*i))
		}
		f.start(nil, 20, 5, 4)
		f.Hurt("a", 1)
		f.falls(10)
		f.Must(act("a", "move", "", "", along(5, 0, 15, 0)))
		f.Answer(body.DecOpportunity+"/c", "cast/mock")
		f.Answer(body.DecOpportunity+"/b", "cast/mock")
		f.wantCount("b", body.CSlot+"1", 0)
		f.wantCount("c", body.CSlot+"1", 1)
		f.wantCount("c", body.CReaction, 1)
	})
}

// rcr.mount.provoke-target-choice: an attack that a mount provokes may be made on an enemy who rides
// it, whom it reaches and sees, and who does not charm the attacker.
func TestWhoRidesWhatProvokes(t *testing.T) {
	for name, c := range map[string]struct {
		do      func(f *table)
		offered bool
	}{
		"an enemy":       {nil, true},
		"one that hides": {func(f *table) { f.Afflict("a", body.CondHidden) }, false},
		"an unseen one":  {func(f *table) { f.Afflict("a", body.CondInvisible) }, false},
		"its charmer":    {func(f *table) { f.Must(afflicting("b", body.CondCharmed, "a")) }, false},
		"a dead one":     {func(f *table) { f.Resolve(func(r *resolution) error { die(r, "a"); return nil }) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			f := rides(t, human(), beast(), orc())
			if c.do != nil {
				c.do(f)
			}
			f.falls(10)
			f.Resolve(func(r *resolution) error {
				movement.OfferOpportunity(r, "h", checks.Trigger("leaves its reach"), cite.OpportunityEnterAndLeave, []string{"b"}, nil)
				return nil
			})
			f.Answer(body.DecOpportunity, "sword")
			asked := len(f.Decisions) == 1 && f.Decisions[0].Name == movement.DecOpportunityTarget
			if asked != c.offered {
				t.Fatalf("asked %v", f.Decisions)
			}
			if asked && !slices.Equal(optionIDs(f.Decisions[0]), []string{"h", "a"}) {
				t.Errorf("offered %v", f.Decisions[0].Options)
			}
		})
	}
}

// rcr.base.fifth-edition-fallback: the rays of a spell go on at those who stand, as long as its
// caster does.
func TestRaysAtTheFallen(t *testing.T) {
	build := func(t *testing.T, foe ...func(*eventv1.Sheet)) *table {
		f := newTable(t)
		f.place(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) {
			s.SpellDc, s.SpellAttackBonus = 15, 7
			s.Spells = []*eventv1.RcrSpell{{Name: "rays", CastingTime: "action", Attack: "ranged", RangeFeet: 120, Targets: 3, Verbal: true, Damage: []*eventv1.RcrDamage{{Dice: "2d6", Type: "fire"}}}}
		})), 0, 0)
		f.place(fighter("b", "monsters"), 30, 0)
		f.place(fighter("c", "monsters"), 40, 0)
		f.place(fighter("d", "monsters", foe...), 60, 60)
		return f.start(nil, 20, 5, 4, 3)
	}
	f := build(t)
	f.Hurt("b", 1)
	f.falls(15)
	f.Must(act("a", "cast", "rays", "b,b,c"))
	f.WantAttacks("a hit", "a hit") // the second at b is lost
	if !body.Dead(f.Creature("b")) || f.Creature("c").GetHp() == 40 {
		t.Errorf("b %v, c %d", f.Creature("b").Life, f.Creature("c").GetHp())
	}

	f = build(t, feat(body.FeatSentinel))
	f.Place("d", 5, 0)
	f.Hurt("a", 1)
	f.falls(15)
	f.Must(act("a", "cast", "rays", "b,b,c"))
	for len(f.Decisions) > 0 {
		if f.Decisions[0].Name == movement.DecGuard {
			f.Answer(movement.DecGuard, "sword")
			break
		}
		f.Choose("no")
	}
	if got := f.Creature("c").GetHp(); got != 40 || !body.Down(f.Creature("a")) {
		t.Errorf("a caster that is down goes on: %d", got)
	}
}

// rcr.healing.revival-spells: a spell in a fight brings the dead back, but none whom scars leave no
// hit point; its slot is spent either way.
func TestRevivalInAFight(t *testing.T) {
	for scarred, comes := range map[bool]bool{false: true, true: false} {
		f := newTable(t).add(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) {
			s.SpellDc, s.SpellSlots = 15, []int32{0, 0, 1}
			s.Spells = []*eventv1.RcrSpell{{Name: "revivify", Level: 3, CastingTime: "action", Verbal: true}}
		})), fighter("b", "party"), fighter("c", "monsters")).start(nil, 20, 10, 5)
		f.Hurt("b", 0)
		f.Resolve(func(r *resolution) error {
			if scarred {
				r.SetHitPoints("b", 0, 0, 0)
			} else {
				r.SetHitPoints("b", 0, 1, 0)
			}
			die(r, "b")
			return nil
		})
		f.falls(10)
		f.Must(act("a", "cast", "revivify", "b"))
		for len(f.Decisions) > 0 {
			f.Choose(f.Decisions[0].DefaultOption)
		}
		if got := !body.Dead(f.Creature("b")); got != comes {
			t.Errorf("scarred %v: it lives %v", scarred, got)
		}
		f.wantCount("a", body.CSlot+"3", 0)
		if told := slices.Contains(f.byNote(cite.HealingRevivalSpells), "b does not come back"); told == comes {
			t.Errorf("scarred %v: told %v", scarred, told)
		}
	}
}
