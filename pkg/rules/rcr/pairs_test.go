package rcr

import (
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.feat.dual-wielder-light, rcr.feat.improved-dual-light, rcr.base.fifth-edition-fallback:
// two light weapons; with the feat two that are not versatile; with the improved one two of
// which not both are. Each feat counts while its rule is on.
func TestWhichWeaponsPair(t *testing.T) {
	kinds := []string{"light", "plain", "versatile"}
	for _, c := range []struct {
		name, feat, off string
		pairs           map[string]string // the second weapons that go with the first
	}{
		{"no feat", "", "", map[string]string{"light": "light"}},
		{"dual wielder", body.FeatDualWielder, "", map[string]string{"light": "light plain", "plain": "light plain"}},
		{"dual wielder, off", body.FeatDualWielder, cite.FeatDualWielderLight, map[string]string{"light": "light"}},
		{"improved", body.FeatImprovedDualWielder, "", map[string]string{"light": "light plain versatile", "plain": "light plain versatile", "versatile": "light plain"}},
		{"improved, off", body.FeatImprovedDualWielder, cite.FeatImprovedDualLight, map[string]string{"light": "light plain", "plain": "light plain"}}, // it is a dual wielder as well
	} {
		for _, first := range kinds {
			for _, second := range kinds {
				t.Run(c.name+" "+first+" "+second, func(t *testing.T) {
					of := func(name, hand, kind string) *eventv1.RcrAttack {
						if kind == "plain" {
							return weapon(name, hand, "piercing", "one-handed")
						}
						return weapon(name, hand, "piercing", "one-handed", kind)
					}
					var settings []string
					if c.off != "" {
						settings = []string{c.off + "=off"}
					}
					sheet := []func(*eventv1.Sheet){weapons(of("m", "main", first), of("o", "off", second))}
					if c.feat != "" {
						sheet = append(sheet, feat(body.FeatDualWielder))
					}
					if c.feat == body.FeatImprovedDualWielder {
						sheet = append(sheet, feat(c.feat))
					}
					f := newTable(t, settings...).add(fighter("a", "party", sheet...), fighter("b", "monsters")).start(nil, 20, 5)
					f.Roller = func(int) int { return 2 }
					f.Must(act("a", "attack", "m", "b"))
					want := false
					for _, k := range strings.Fields(c.pairs[first]) {
						want = want || k == second
					}
					if err := f.Try(act("a", "off-hand-attack", "o", "b")); (err == nil) != want {
						t.Errorf("%v, want it allowed %v", err, want)
					}
				})
			}
		}
	}
}

// rcr.feat.defensive-duelist-parry: the finesse weapon is in hand.
func TestDuelistsParryWithWhatTheyHold(t *testing.T) {
	for name, c := range map[string]struct {
		hand       string
		properties []string
		parries    bool
	}{"in hand": {"", []string{"finesse"}, true}, "stowed": {"stowed", []string{"finesse"}, false}, "in hand without finesse": {"", nil, false}} {
		f := newTable(t).add(fighter("a", "party", feat("defensive duelist"), ability("dexterity", 13), weapons(weapon("rapier", c.hand, "piercing", c.properties...))), fighter("b", "monsters")).start(nil, 5, 20)
		f.Roller = func(sides int) int { return min(12, sides) }
		f.Must(act("b", "attack", "sword", "a"))
		if asked := len(f.Decisions) > 0; asked != c.parries {
			t.Errorf("%s: asked %v", name, asked)
		}
	}
}

// rcr.base.fifth-edition-fallback: what a spell is aimed at, by what it does.
func TestAimsOfSpells(t *testing.T) {
	save, harm, lays := &eventv1.RcrSave{Ability: "wisdom"}, []*eventv1.RcrDamage{{Dice: "1d6", Type: "fire"}}, []*eventv1.RcrEffect{{Condition: body.CondInvisible}}
	for name, c := range map[string]struct {
		sp            *eventv1.RcrSpell
		self, repeats bool
	}{
		"on oneself":            {&eventv1.RcrSpell{Effects: lays}, true, false},
		"at a distance":         {&eventv1.RcrSpell{RangeFeet: 30, Effects: lays}, false, false},
		"nothing at a distance": {&eventv1.RcrSpell{RangeFeet: 30}, true, false},
		"healing":               {&eventv1.RcrSpell{Healing: "1d8"}, true, false},
		"healing at a distance": {&eventv1.RcrSpell{RangeFeet: 30, Healing: "1d8"}, false, false},
		"a saving throw":        {&eventv1.RcrSpell{Save: save}, false, false},
		"damage":                {&eventv1.RcrSpell{Damage: harm}, false, true},
		"damage with a save":    {&eventv1.RcrSpell{Damage: harm, Save: save}, false, false},
		"an attack":             {&eventv1.RcrSpell{Attack: "ranged"}, false, true},
		"an attack with a save": {&eventv1.RcrSpell{Attack: "ranged", Damage: harm, Save: save}, false, true},
		"a weapon attack":       {&eventv1.RcrSpell{WeaponAttack: true}, false, false},
		"a spell of the table":  {&eventv1.RcrSpell{Name: "Lesser Restoration", RangeFeet: 5}, false, false},
		"one that brings back":  {&eventv1.RcrSpell{Name: "Raise Dead"}, false, false},
	} {
		if got := strike.SelfSpell(nil, c.sp); got != c.self {
			t.Errorf("%s: on oneself %v", name, got)
		}
		if got := answers.Repeats(c.sp); got != c.repeats {
			t.Errorf("%s: at one again %v", name, got)
		}
	}
}

// rcr.trait.extra-attack: two with the trait, more as the sheet says.
func TestAttacksOfTheAction(t *testing.T) {
	for name, c := range map[string]struct {
		number int32
		traits []string
		want   int32
	}{"one": {0, nil, 1}, "the trait": {0, []string{body.TraitExtraAttack}, 2}, "the sheet": {3, nil, 3}, "both": {3, []string{body.TraitExtraAttack}, 3}, "the trait and one of the sheet": {1, []string{body.TraitExtraAttack}, 2}} {
		who := &eventv1.Creature{Sheet: fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) { s.AttacksPerAction, s.Traits = c.number, c.traits }))}
		if got := body.AttacksPerAction(who); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

// rcr.base.light: truesight, blindsight and tremorsense reach as far as they say.
func TestReachOfSenses(t *testing.T) {
	for _, c := range []struct {
		name, sense string
		reach       int32
		condition   string
		x           int32
		sees        bool
	}{
		{"nothing special", "", 0, "", 30, true}, {"the invisible", "", 0, body.CondInvisible, 5, false},
		{"truesight", "truesight", 30, body.CondInvisible, 30, true}, {"beyond truesight", "truesight", 30, body.CondInvisible, 35, false},
		{"blindsight", "blindsight", 30, body.CondInvisible, 30, true}, {"beyond blindsight", "blindsight", 30, body.CondInvisible, 35, false},
		{"tremorsense", "tremorsense", 30, body.CondInvisible, 30, true}, {"beyond tremorsense", "tremorsense", 30, body.CondInvisible, 35, false},
	} {
		f := newTable(t)
		f.place(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) {
			if c.sense != "" {
				s.Senses = map[string]int32{c.sense: c.reach}
			}
		})), 0, 0)
		f.place(fighter("b", "monsters"), c.x, 0)
		f.start(nil, 20, 5)
		if c.condition != "" {
			f.Afflict("b", c.condition)
		}
		if got := body.Perceives(f.State, f.Creature("a"), f.Creature("b"), c.x); got != c.sees {
			t.Errorf("%s: sees %v", c.name, got)
		}
	}
}
