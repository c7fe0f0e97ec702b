package sheets

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

var (
	monsters = []string{"bandit", "bandit-captain", "giant-spider", "goblin", "mage", "ogre", "orc", "owlbear",
		"skeleton", "troll", "wolf", "young-red-dragon", "zombie"}
	characters = []string{"barbarian", "cleric", "fighter", "rogue", "wizard"}
	abilities  = []string{"strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma"}
	types      = []string{"acid", "bludgeoning", "cold", "fire", "force", "lightning", "necrotic", "piercing",
		"poison", "psychic", "radiant", "slashing", "thunder"}
	properties = []string{"one-handed", "two-handed", "versatile", "light", "finesse", "thrown", "reach", "reload",
		"heavy", "ammunition"}
	skillAbility = map[string]string{"acrobatics": "dexterity", "arcana": "intelligence", "athletics": "strength",
		"deception": "charisma", "history": "intelligence", "insight": "wisdom", "intimidation": "charisma",
		"investigation": "intelligence", "medicine": "wisdom", "perception": "wisdom", "persuasion": "charisma",
		"religion": "intelligence", "sleight of hand": "dexterity", "stealth": "dexterity", "survival": "wisdom"}
	dicePattern = regexp.MustCompile(`^[1-9][0-9]*d(4|6|8|10|12)([+-][1-9][0-9]*)?$`)
)

func modifier(s *eventv1.Sheet, ability string) int32 {
	score := s.Abilities[ability]
	if score < 10 {
		return (score - 11) / 2
	}
	return (score - 10) / 2
}

func each(t *testing.T, check func(t *testing.T, name string, s *eventv1.Sheet, r *eventv1.RcrSheet)) {
	t.Helper()
	for _, name := range List("rcr") {
		t.Run(name, func(t *testing.T) {
			s, err := Get("rcr", name)
			if err != nil {
				t.Fatal(err)
			}
			check(t, name, s, s.GetRcr())
		})
	}
}

func TestListHoldsMonstersAndCharacters(t *testing.T) {
	want := slices.Concat(monsters, characters)
	slices.Sort(want)
	if got := List("rcr"); !slices.Equal(got, want) {
		t.Fatalf("got %v", got)
	}
	for _, system := range []string{"", ".", "..", "none", "rcr/", "rcr/../rcr"} {
		if got := List(system); len(got) != 0 {
			t.Errorf("system %q: got %v", system, got)
		}
	}
}

func TestGetRefusesUnknownNames(t *testing.T) {
	for _, c := range [][2]string{{"rcr", "dodo"}, {"none", "goblin"}, {"rcr", ""}, {"rcr", "../rcr/goblin"}, {"rcr", "goblin.yaml"}} {
		if _, err := Get(c[0], c[1]); !fault.Is(err, fault.NotFound) {
			t.Errorf("%v: got %v", c, err)
		}
	}
}

func TestGetGivesFreshCopies(t *testing.T) {
	a, err := Get("rcr", "goblin")
	if err != nil {
		t.Fatal(err)
	}
	a.HitPoints = 1
	b, err := Get("rcr", "goblin")
	if err != nil || b.HitPoints != 7 || proto.Equal(a, b) {
		t.Fatalf("got %v, %v", b.HitPoints, err)
	}
}

func TestCore(t *testing.T) {
	each(t, func(t *testing.T, name string, s *eventv1.Sheet, r *eventv1.RcrSheet) {
		if s.Id != name || s.Name == "" || s.HitPoints <= 0 || r == nil || r.ArmorClass < 5 || s.Speeds["walk"] <= 0 {
			t.Errorf("core is not whole: %v", s)
		}
		if !strings.Contains(s.Attribution, "SRD 5.1") || !strings.Contains(s.Attribution, "Creative Commons Attribution 4.0") {
			t.Error("attribution is missing")
		}
		for _, a := range abilities {
			if s.Abilities[a] < 1 || s.Abilities[a] > 30 {
				t.Errorf("%s is %d", a, s.Abilities[a])
			}
		}
		if isCharacter := slices.Contains(characters, name); isCharacter != (r.Level > 0) || isCharacter == (r.ChallengeRating != "") || isCharacter != (s.Side == "party") {
			t.Errorf("level %d, challenge rating %q, side %q", r.Level, r.ChallengeRating, s.Side)
		}
	})
}

// The proficiency bonus comes from the level, or from the challenge rating.
func TestProficiencyBonus(t *testing.T) {
	byRating := map[string]int32{"1/8": 2, "1/4": 2, "1/2": 2, "1": 2, "2": 2, "3": 2, "4": 2, "5": 3, "6": 3, "10": 4}
	each(t, func(t *testing.T, _ string, _ *eventv1.Sheet, r *eventv1.RcrSheet) {
		want := byRating[r.ChallengeRating]
		if r.Level > 0 {
			want = 2 + (r.Level-1)/4
		}
		if r.ProficiencyBonus != want {
			t.Errorf("proficiency bonus %d, want %d", r.ProficiencyBonus, want)
		}
	})
}

// Hit points: dice and Constitution; a character has its first die in full and
// the rounded-up average after; a monster has the average, rounded down.
func TestHitPointsFollowHitDice(t *testing.T) {
	each(t, func(t *testing.T, name string, s *eventv1.Sheet, r *eventv1.RcrSheet) {
		if len(r.HitDice) != 1 {
			t.Fatalf("hit dice %v", r.HitDice)
		}
		d, con := r.HitDice[0], modifier(s, "constitution")
		want := d.Total*(d.Size+1)/2 + d.Total*con
		if r.Level > 0 {
			want = d.Size + con + (d.Total-1)*(d.Size/2+1+con)
			if d.Total != r.Level {
				t.Errorf("%d hit dice at level %d", d.Total, r.Level)
			}
		}
		if name == "cleric" {
			want += r.Level // dwarven toughness
		}
		if s.HitPoints != want {
			t.Errorf("hit points %d, want %d", s.HitPoints, want)
		}
	})
}

func TestSavesAndSkills(t *testing.T) {
	each(t, func(t *testing.T, _ string, s *eventv1.Sheet, r *eventv1.RcrSheet) {
		for a, bonus := range r.Saves {
			if want := modifier(s, a) + r.ProficiencyBonus; bonus != want {
				t.Errorf("%s save %d, want %d", a, bonus, want)
			}
		}
		perception := modifier(s, "wisdom")
		for _, k := range r.Skills {
			single := modifier(s, skillAbility[k.Name]) + r.ProficiencyBonus
			if skillAbility[k.Name] == "" || !k.Proficient || (k.Bonus != single && k.Bonus != single+r.ProficiencyBonus) {
				t.Errorf("skill %v", k)
			}
			if k.Name == "perception" {
				perception = k.Bonus
			}
		}
		if r.PassivePerception != 10+perception {
			t.Errorf("passive perception %d, want %d", r.PassivePerception, 10+perception)
		}
	})
}

func checkDamage(t *testing.T, where string, parts []*eventv1.RcrDamage) {
	t.Helper()
	for _, d := range parts {
		if !dicePattern.MatchString(d.Dice) || !slices.Contains(types, d.Type) {
			t.Errorf("%s: damage %v", where, d)
		}
	}
}

func TestAttacks(t *testing.T) {
	each(t, func(t *testing.T, _ string, s *eventv1.Sheet, r *eventv1.RcrSheet) {
		seen, held := map[string]bool{}, map[string]int{}
		for _, a := range r.Attacks {
			if seen[a.Name] || a.Name != strings.ToLower(a.Name) {
				t.Errorf("attack name %q", a.Name)
			}
			seen[a.Name] = true
			strong, quick := modifier(s, "strength")+r.ProficiencyBonus, modifier(s, "dexterity")+r.ProficiencyBonus
			if a.Bonus != strong && a.Bonus != quick {
				t.Errorf("%s: bonus %d, want %d or %d", a.Name, a.Bonus, strong, quick)
			}
			if a.ReachFeet <= 0 && a.RangeFeet <= 0 || a.LongRangeFeet != 0 && a.LongRangeFeet < a.RangeFeet {
				t.Errorf("%s: reach %d, range %d/%d", a.Name, a.ReachFeet, a.RangeFeet, a.LongRangeFeet)
			}
			if len(a.Damage)+len(a.SaveDamage)+len(a.Effects) == 0 {
				t.Errorf("%s does nothing", a.Name)
			}
			checkDamage(t, a.Name, a.Damage)
			checkDamage(t, a.Name, a.TwoHandedDamage)
			checkDamage(t, a.Name, a.SaveDamage)
			checkHands(t, a, held)
		}
		if held["main"] > 1 || held["off"] > 1 || (held["off"] > 0 && r.Shield != eventv1.RcrSheet_SHIELD_UNSPECIFIED) {
			t.Errorf("too much in hand: %v", held)
		}
		for _, m := range r.Multiattack {
			for _, p := range m.Parts {
				if !seen[p.Name] || p.Count <= 0 {
					t.Errorf("multiattack %q uses %v", m.Name, p)
				}
			}
		}
	})
}

func checkHands(t *testing.T, a *eventv1.RcrAttack, held map[string]int) {
	t.Helper()
	for _, p := range a.Properties {
		if !slices.Contains(properties, p) {
			t.Errorf("%s: property %q", a.Name, p)
		}
	}
	one, two := slices.Contains(a.Properties, "one-handed"), slices.Contains(a.Properties, "two-handed")
	if a.Natural == (one || two) || one && two {
		t.Errorf("%s: natural %v, properties %v", a.Name, a.Natural, a.Properties)
	}
	if slices.Contains(a.Properties, "versatile") != (len(a.TwoHandedDamage) > 0) {
		t.Errorf("%s: versatile and two-handed damage do not agree", a.Name)
	}
	if !a.Natural {
		held[a.Hand]++
		if !slices.Contains([]string{"main", "off", "stowed"}, a.Hand) {
			t.Errorf("%s: hand %q", a.Name, a.Hand)
		}
		if two && a.Hand == "main" {
			held["off"]++
		}
	}
}

func TestSpellcasters(t *testing.T) {
	casting := map[string]string{"cleric": "wisdom", "wizard": "intelligence", "mage": "intelligence"}
	each(t, func(t *testing.T, name string, s *eventv1.Sheet, r *eventv1.RcrSheet) {
		ability, caster := casting[name]
		if !caster {
			if len(r.Spells)+len(r.SpellSlots) > 0 || r.SpellDc != 0 {
				t.Error("casts without being a caster")
			}
			return
		}
		want := modifier(s, ability) + r.ProficiencyBonus
		if r.SpellAttackBonus != want || r.SpellDc != 8+want {
			t.Errorf("spell attack %d, DC %d, want %d and %d", r.SpellAttackBonus, r.SpellDc, want, 8+want)
		}
		for _, sp := range r.Spells {
			if int(sp.Level) > len(r.SpellSlots) || !slices.Contains([]string{"action", "bonus", "reaction", "longer"}, sp.CastingTime) {
				t.Errorf("spell %v", sp)
			}
			checkDamage(t, sp.Name, sp.Damage)
			for _, d := range []string{sp.Healing, sp.UpcastDice} {
				if d != "" && !dicePattern.MatchString(d) {
					t.Errorf("%s: dice %q", sp.Name, d)
				}
			}
		}
	})
}

func TestPowersSpendWhatIsThere(t *testing.T) {
	each(t, func(t *testing.T, _ string, _ *eventv1.Sheet, r *eventv1.RcrSheet) {
		have := map[string]bool{}
		for _, c := range r.Resources {
			have[c.Name] = true
			if c.Current > c.Max || c.Max <= 0 || (c.Recharge != "short rest" && c.Recharge != "long rest") {
				t.Errorf("resource %v", c)
			}
		}
		for _, p := range r.Powers {
			checkDamage(t, p.Name, p.Damage)
			if p.Resource != "" && !have[p.Resource] {
				t.Errorf("power %s spends %q, which is not there", p.Name, p.Resource)
			}
		}
	})
}

func TestClericCanTreatWounds(t *testing.T) {
	s, err := Get("rcr", "cleric")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, sp := range s.GetRcr().Spells {
		names = append(names, sp.Name)
	}
	for _, want := range []string{"healing word", "cure wounds", "spare the dying", "lesser restoration"} {
		if !slices.Contains(names, want) {
			t.Errorf("no %s among %v", want, names)
		}
	}
	if s.GetRcr().HealersKitUses != 10 {
		t.Errorf("healer's kit uses %d, want 10", s.GetRcr().HealersKitUses)
	}
}
