package celesia

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// celesia.mount.higher-ground, celesia.mount.no-melee-penalty: in melee from the saddle nothing
// counts but higher ground, however fast the mount was; none over one who rides as well, and
// none over one of the mount's size.
func TestMeleeFromTheSaddle(t *testing.T) {
	for name, c := range map[string]struct {
		gait string
		size string
		do   func(f *table)
		want int32
	}{
		"after a run":         {"run", "medium", nil, 1},
		"after a double move": {"double", "medium", nil, 1},
		"a large foe":         {"run", "large", nil, 0},
		"a large foe, double": {"double", "large", nil, 0},
		"a foe who rides too": {"single", "medium", func(f *table) {
			f.Must(comesIn(horse(func(s *eventv1.Sheet) { s.Id, s.Side = "k", "foes" }), 60, 0, "ridden_by", "b"))
		}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			f := cavalry(t, fighter("a", "party"), horse(), fighter("b", "foes", unarmed(), defends(60), sized(c.size)))
			f.Must(act("a", "ride", "", "", gait(c.gait, 50, 0)...))
			f.Roller = func(int) int { return 10 }
			f.at("b", 60, 0)
			if c.do != nil {
				c.do(f)
			}
			f.Must(act("a", "attack", "sword", "b"))
			if got, sum := from(f.Roll("to-hit").Modifiers, "higher ground"), f.Roll("to-hit").Total; got != c.want || sum != 15+c.want {
				t.Errorf("higher ground %d of %d, want %d: %v", got, sum, c.want, f.Roll("to-hit").Modifiers)
			}
		})
	}
}

// celesia.attack.cleave, celesia.attack.unarmed-provoke: a bare fist provokes in a cleave from
// the one it goes at, before it is made; who can strike no more then does not.
func TestBareCleaveProvokes(t *testing.T) {
	for name, c := range map[string]struct {
		arms  []func(*eventv1.Sheet)
		sleep string
		asked bool
		blows []string
	}{
		"an armed foe":           {nil, "", true, []string{"b hit", "a miss", "c miss"}},
		"a bare one":             {[]func(*eventv1.Sheet){unarmed()}, "", false, []string{"b hit", "c miss"}},
		"an armed one who stuns": {nil, body.CondStunned, true, []string{"b hit", "a hit"}},
		"one who fells":          {nil, body.CondPinned, true, []string{"b hit", "a hit"}},
	} {
		t.Run(name, func(t *testing.T) {
			condition := c.sleep
			if condition == "" {
				condition = body.CondShaken
			}
			f := by(t, ruling(t, `{when: 'self.id == "a"', trigger: hurt, condition: {condition: `+condition+`}}`))
			f.add(fighter("a", "party", ability("strength", 13), attacks(5)), fighter("b", "foes", unarmed()), fighter("c", "foes", c.arms...))
			f.at("a", 0, 0)
			f.at("b", 5, 0)
			f.at("c", 5, 5)
			f.set(19, 10, 5)
			f.Log = nil
			f.Must(act("a", "attack", "sword", "b"), 15, 4)
			f.Answer(strike.DecCleave, "otherwise")
			f.Answer(strike.DecCleaveWith, "c:fist")
			f.Roller = func(int) int { return 2 }
			for len(f.Decisions) > 0 && f.Decisions[0].Name != body.DecReaction {
				f.Choose(f.Decisions[0].DefaultOption)
			}
			if asked := len(f.Decisions) > 0; asked != c.asked {
				t.Fatalf("asked %t, want %t", asked, c.asked)
			}
			hits := 2
			if c.sleep != "" {
				hits = 15
			}
			f.Roller = func(sides int) int {
				if sides == 20 {
					return hits
				}
				return 2
			}
			if c.asked {
				f.Answer(body.DecReaction+"/c", "attack:sword")
			}
			f.wantBlows(c.blows...)
		})
	}
}

// celesia.attack.multiweapon: a blow is left out whose target is dead by then, or whom it no longer
// reaches; what comes after goes on.
func TestBlowsOfSeveralWeaponsThatComeToNothing(t *testing.T) {
	hand := func(name, hand string) *eventv1.CelesiaWeapon {
		return &eventv1.CelesiaWeapon{Name: name, Kind: "melee", Dice: "1d8", Hands: 1, Hand: hand}
	}
	pair := arms(hand("main", "main"), hand("off", "off"))
	for name, c := range map[string]struct {
		effect string
		target string
		hp     int32
		want   []string
	}{
		"both at one":                    {`{when: 'self.id == "z"', trigger: hurt, condition: {condition: shaken}}`, "b", 40, []string{"b hit", "b hit"}},
		"the first kills":                {`{when: 'self.id == "z"', trigger: hurt, condition: {condition: shaken}}`, "b", -20, []string{"b hit"}},
		"the first kills, one is beside": {`{when: 'self.id == "z"', trigger: hurt, condition: {condition: shaken}}`, "b,c", -20, []string{"b hit", "c hit"}},
		"the first drives it off":        {`{when: 'self.id == "a"', trigger: hit, hook: {name: push, values: {feet: "10"}}}`, "b", 40, []string{"b hit"}},
		"the first stuns who strikes":    {`{when: 'self.id == "a"', trigger: hit, whom: self, condition: {condition: stunned}}`, "b", 40, []string{"b hit"}},
		"the first shakes who strikes":   {`{when: 'self.id == "a"', trigger: hit, whom: self, condition: {condition: shaken}}`, "b", 40, []string{"b hit", "b hit"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := by(t, ruling(t, c.effect))
			f.add(fighter("a", "party", attacks(12), pair), fighter("b", "foes", unarmed(), defends(5)), fighter("c", "foes", unarmed(), defends(5)))
			f.at("a", 0, 0)
			f.at("b", 5, 0)
			f.at("c", 0, 5)
			f.set(19, 10, 5)
			f.Hurt("b", c.hp)
			f.Roller = func(sides int) int { return sides / 2 }
			f.Log = nil
			f.Must(act("a", "multiweapon", "main", c.target))
			for len(f.Decisions) > 0 {
				option := "no"
				if f.Decisions[0].Name == body.DecCrippling {
					option = "none"
				}
				f.Choose(option)
			}
			f.wantBlows(c.want...)
		})
	}
}

// wantBlows holds whom the attacks since the log was cleared were aimed at, with what came of them.
func (f *table) wantBlows(want ...string) {
	f.T.Helper()
	var got []string
	for _, e := range f.Log {
		if a := e.GetAttack(); a != nil {
			got = append(got, a.Target+" "+a.Outcome)
		}
	}
	if !slices.Equal(got, want) {
		f.T.Errorf("blows %v, want %v", got, want)
	}
}

// celesia.attack.unarmed-provoke, celesia.attack.multiweapon: a fist that comes second provokes
// from the one it goes at when it comes to it; who is stunned by the answer does not swing it.
func TestFistThatIsAnswered(t *testing.T) {
	for condition, want := range map[string][]string{body.CondShaken: {"b miss", "a hit", "c miss"}, body.CondStunned: {"b miss", "a hit"}} {
		f := by(t, ruling(t, `{when: 'self.id == "a"', trigger: hurt, condition: {condition: `+condition+`}}`))
		f.add(fighter("a", "party", section(func(c *eventv1.CelesiaSheet) {
			c.Weapons[1].Limb, c.Weapons[2] = "", &eventv1.CelesiaWeapon{Name: "foot", Kind: "unarmed", Dice: "1d3", Nonlethal: true, Light: true}
		})), fighter("b", "foes"), fighter("c", "foes"))
		f.at("a", 0, 0)
		f.at("b", 5, 0)
		f.at("c", 0, 5)
		f.set(19, 10, 5)
		f.Log = nil
		f.Roller = func(int) int { return 2 }
		f.Must(act("a", "multiweapon", "fist", "b,c", withParameters("off", "foot")))
		f.Answer(body.DecReaction+"/b", "no")
		f.Roller = func(sides int) int { return map[int]int{20: 15, 8: 3}[sides] }
		f.Answer(body.DecReaction+"/c", "attack:sword")
		f.wantBlows(want...)
	}
}

// celesia.spell.spell-combat, celesia.spell.spellstrike: each takes one casting of a spell that has
// some; the blow of spell combat may be followed by a cleave, and what is lost or no longer possible
// takes no effect.
func TestSpellAndBlow(t *testing.T) {
	shock := func(uses int32) func(*eventv1.Sheet) {
		return spell(&eventv1.CelesiaSpell{Name: "shock", Casting: "standard", Attack: "melee-touch", Dice: "1d6", CasterLevel: 3, Magus: true, Level: 1, Uses: uses, RangeFeet: 30})
	}
	arts := features(body.FeatSpellCombat, body.FeatSpellstrike)
	with := withParameters("spell", "shock")
	t.Run("castings", func(t *testing.T) {
		for _, action := range []string{"spell-combat", "spellstrike"} {
			for uses, left := range map[int32]int64{0: 0, 3: 2} {
				f := duel(t, fighter("a", "party", shock(uses), arts), fighter("b", "foes", unarmed(), defends(60), section(func(c *eventv1.CelesiaSheet) { c.TouchDefense = 60 })))
				f.Roller = func(int) int { return 2 }
				f.Must(act("a", action, "sword", "b", with))
				if got := f.Creature("a").Counters[body.CLeft+"shock"]; got != left {
					t.Errorf("%s of %d: %d left, want %d", action, uses, got, left)
				}
			}
		}
	})
	t.Run("care without a bonus of Intelligence", func(t *testing.T) {
		for score, less := range map[int]int32{10: 0, 14: -2} {
			f := duel(t, fighter("a", "party", shock(0), arts, ability("intelligence", score)), fighter("b", "foes", unarmed(), defends(60)))
			f.Roller = func(sides int) int { return sides }
			f.Must(act("a", "spell-combat", "sword", "b", withParameters("spell", "shock", "shift", true)))
			told := slices.ContainsFunc(f.Rolls("attack/1/to-hit")[0].Modifiers, func(m *eventv1.Modifier) bool { return m.Source == "care for the spell" })
			if got := from(f.Rolls("attack/1/to-hit")[0].Modifiers, "care for the spell"); got != less || told != (less != 0) {
				t.Errorf("Intelligence %d: %d, told %t", score, got, told)
			}
		}
	})
	t.Run("a cleave before the spell", func(t *testing.T) {
		f := crowd(t, [][2]int32{{0, 0}, {5, 0}, {5, 5}}, fighter("a", "party", shock(0), arts, ability("strength", 13)), fighter("b", "foes", unarmed()), fighter("c", "foes", unarmed()))
		f.Must(act("a", "spell-combat", "sword", "b", with), 15, 4)
		f.Answer(strike.DecCleave, "c", 15, 3, 15, 2)
		f.WantHP("b", 40-(4+1)-2) // Strength 13
		f.WantHP("c", 40-(3+1))
	})
	for name, c := range map[string]struct {
		effect string
		hp     int32
		want   int32
	}{
		"it goes on":                 {`{when: 'self.id == "a"', trigger: hit, whom: self, condition: {condition: shaken}}`, 40, 40 - 4 - 2},
		"the blow stuns who strikes": {`{when: 'self.id == "a"', trigger: hit, whom: self, condition: {condition: stunned}}`, 40, 36},
		"the blow kills":             {`{when: 'self.id == "a"', trigger: hit, whom: self, condition: {condition: shaken}}`, -20, -24},
	} {
		t.Run("spell combat: "+name, func(t *testing.T) {
			f := by(t, ruling(t, c.effect))
			f.add(fighter("a", "party", shock(0), arts), fighter("b", "foes", unarmed()))
			f.at("a", 0, 0)
			f.at("b", 5, 0)
			f.set(15, 5)
			f.Hurt("b", c.hp)
			f.Roller = func(sides int) int { return map[int]int{20: 15, 8: 4, 6: 2}[sides] }
			f.Must(act("a", "spell-combat", "sword", "b", with))
			for len(f.Decisions) > 0 {
				f.Choose("none")
			}
			f.WantHP("b", c.want)
		})
	}
}

// celesia.mount.cast-while-moving, celesia.spell.spellstrike: the spell that the ride spoils is lost
// with the blow that was to carry it.
func TestSpellstrikeOnTheMove(t *testing.T) {
	for face, struck := range map[int]bool{5: false, 6: true} { // DC 11 at +5
		a := fighter("a", "party", features(body.FeatSpellstrike), section(func(c *eventv1.CelesiaSheet) {
			c.Concentration = 5
			c.Spells = []*eventv1.CelesiaSpell{{Name: "shock", Casting: "standard", Attack: "melee-touch", Dice: "1d6", CasterLevel: 1, Magus: true, Level: 1}}
		}))
		f := cavalry(t, a, horse(), fighter("b", "foes", unarmed(), defends(60)))
		f.Must(act("a", "ride", "", "", gait("double", 100, 0)...))
		f.at("b", 110, 0)
		faces := []int{face}
		if struck {
			faces = append(faces, 2)
		}
		f.Must(act("a", "spellstrike", "sword", "b", withParameters("spell", "shock")), faces...)
		if got := len(f.Attacks()) > 0; got != struck {
			t.Errorf("face %d: struck %t", face, got)
		}
	}
}

// celesia.critical.deck-normal: only the whole attack at its maximum, of a critical hit, where the
// card says so.
func TestNormalCard(t *testing.T) {
	long := weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d8", Hands: 1})
	for name, c := range map[string]struct {
		face  int
		facts []any
		more  []int
		want  int32
	}{
		"a hit with the fact":   {15, []any{"deck", "normal"}, []int{3}, 37},
		"a critical without it": {20, nil, nil, 40 - 16},
		"a critical with it":    {20, []any{"deck", "normal"}, nil, 40 - 8},
	} {
		f := duel(t, fighter("a", "party", long), fighter("b", "foes", unarmed(), defends(20)), body.OptDeck+"=on")
		f.Must(act("a", "attack", "w", "b", withFacts(c.facts...)), append([]int{c.face}, c.more...)...)
		if got := f.Creature("b").GetHp(); got != c.want {
			t.Errorf("%s: %d hit points, want %d", name, got, c.want)
		}
	}
}

// celesia.critical.extras-maximised, celesia.attack.coup-sneak-attack: precision damage is of who
// has some, against whom a critical hit can be made.
func TestPrecisionDamage(t *testing.T) {
	for name, c := range map[string]struct {
		dice   string
		immune []string
		rolls  []int
		want   int32
	}{
		"precise":              {"1d6", nil, []int{15, 4, 5}, 31},
		"immune to criticals":  {"1d6", []string{body.ImmuneCritical}, []int{15, 4}, 36},
		"immune to bleeding":   {"1d6", []string{body.ImmuneBleed}, []int{15, 4, 5}, 31},
		"no dice on the sheet": {"", nil, []int{15, 4}, 36},
	} {
		f := duel(t, fighter("a", "party", section(func(s *eventv1.CelesiaSheet) { s.PrecisionDice = c.dice })), fighter("b", "foes", unarmed(), immuneTo(c.immune...)))
		f.Must(act("a", "attack", "sword", "b", withFacts("precision", true)), c.rolls...)
		if got := f.Creature("b").GetHp(); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

// celesia.attack.coup-total-concealment: with six acts in one turn the blow falls at once.
func TestUnseenCoupInOneTurn(t *testing.T) {
	six := ruling(t, `{when: 'self.id == "a"', extra_action: {counter: acts, amount: "3"}}`)
	for name, book := range map[string]*effects.Book{"three acts": nil, "six": six} {
		f := by(t, book)
		f.add(fighter("a", "party"), fighter("b", "foes", unarmed()))
		f.at("a", 0, 0)
		f.at("b", 5, 0)
		f.set(15, 5)
		f.Afflict("b", body.CondParalyzed, body.CondInvisible)
		f.Roller = func(int) int { return 20 }
		f.Must(act("a", "coup-unseen", "sword", "b"))
		if struck := len(f.Attacks()) > 0; struck != (book != nil) || f.acts("a") != 0 {
			t.Errorf("%s: struck %t, %d acts left", name, struck, f.acts("a"))
		}
	}
}
