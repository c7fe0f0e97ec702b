package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.base.attack-and-critical: within 5 feet is what is measured so; where nobody knows how far, a
// melee attack is.
func TestWhatIsWithinFive(t *testing.T) {
	for _, c := range []struct {
		feet  int32
		melee bool
		want  bool
	}{{0, true, true}, {0, false, true}, {5, true, true}, {5, false, true}, {10, true, false}, {10, false, false}, {-1, true, true}, {-1, false, false}} {
		if got := strike.Within5(body.AttackKind{Distance: c.feet, Melee: c.melee}); got != c.want {
			t.Errorf("%d feet, melee %v: %v", c.feet, c.melee, got)
		}
	}
}

// rcr.condition.exhaustion-dc: the saving throw that a weapon forces goes by its own difficulty, else
// by the wielder's weapon DC; that of a spell never.
func TestSavesOfWeapons(t *testing.T) {
	for name, c := range map[string]struct {
		a         *eventv1.RcrAttack
		weapon    int32
		dc        int32
		saves     bool
		halfAlone bool
	}{
		"by the wielder":       {a: &eventv1.RcrAttack{Save: &eventv1.RcrSave{Ability: "constitution", HalfOnSuccess: true}}, weapon: 17, dc: 17, saves: true},
		"its own":              {a: &eventv1.RcrAttack{Save: &eventv1.RcrSave{Ability: "constitution", Dc: 11, HalfOnSuccess: true}}, weapon: 17, dc: 11, saves: true},
		"of a spell":           {a: &eventv1.RcrAttack{Spell: true, Save: &eventv1.RcrSave{Ability: "constitution", HalfOnSuccess: true}}, weapon: 17, dc: 0, saves: true},
		"of a sheet with none": {a: &eventv1.RcrAttack{Save: &eventv1.RcrSave{Ability: "constitution", HalfOnSuccess: true}}, dc: 0, saves: true},
		"none":                 {a: &eventv1.RcrAttack{}, weapon: 17},
	} {
		got := strike.AttackSave(creatureOf(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) { s.WeaponDc = c.weapon })), 0, 0), c.a)
		if (got != nil) != c.saves || got.GetDc() != c.dc || c.saves && (got.Ability != "constitution" || !got.HalfOnSuccess) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// rcr.trait.magic-weapons: the trait makes magic of the weapons of its bearer, of nothing that is used
// as one; what is magic by itself is so in any hand.
func TestWhoseWeaponsAreMagic(t *testing.T) {
	for name, c := range map[string]struct {
		traits []string
		a      *eventv1.RcrAttack
		want   bool
	}{
		"a weapon":                   {nil, &eventv1.RcrAttack{}, false},
		"a weapon by the trait":      {[]string{body.TraitMagicWeapons}, &eventv1.RcrAttack{}, true},
		"a chair by the trait":       {[]string{body.TraitMagicWeapons}, &eventv1.RcrAttack{Properties: []string{body.PropImprovised}}, false},
		"a magic chair by the trait": {[]string{body.TraitMagicWeapons}, &eventv1.RcrAttack{Magical: true, Properties: []string{body.PropImprovised}}, true},
		"a magic weapon":             {nil, &eventv1.RcrAttack{Magical: true}, true},
		"a spell":                    {nil, &eventv1.RcrAttack{Spell: true}, true},
	} {
		if got := strike.WeaponFacts(creatureOf(fighter("a", "party", trait(c.traits...)), 0, 0), c.a)["magical"] != ""; got != c.want {
			t.Errorf("%s: magical %v", name, got)
		}
	}
}

// The types of some damage: each once, and none for what has none.
func TestTypesOfDamage(t *testing.T) {
	parts := []*eventv1.RcrDamage{{Type: "Fire"}, {Type: ""}, {Type: "cold"}, {Type: "fire"}, {Type: ""}}
	if got := strike.TypesOf(parts); !slices.Equal(got, []string{"fire", "cold"}) {
		t.Errorf("%q", got)
	}
}

// rcr.trait.reckless-attack: only the first attack of its own turn, by Strength, by whoever has the
// trait; a readied one in another's turn is not.
func TestWhenToBeReckless(t *testing.T) {
	reckless := &eventv1.TakeAction{Parameters: object("reckless", true)}
	for name, c := range map[string]struct {
		traits []string
		turn   string
		do     func(f *table)
		reason string
	}{
		"its first attack":             {[]string{body.TraitReckless}, "a", nil, ""},
		"without the trait":            {nil, "a", nil, "NO_TRAIT"},
		"in another's turn":            {[]string{body.TraitReckless}, "b", nil, "NOT_FIRST"},
		"its second":                   {[]string{body.TraitReckless}, "a", func(f *table) { f.Must(act("a", "attack", "sword", "b"), 2) }, "NOT_FIRST"},
		"one that is reckless already": {[]string{body.TraitReckless}, "a", func(f *table) { f.Afflict("a", body.CondReckless) }, "NOT_FIRST"},
	} {
		f := newTable(t).add(fighter("a", "party", trait(c.traits...)), fighter("b", "monsters")).start(nil, 20, 5)
		if c.do != nil {
			c.do(f)
		}
		f.State.Active = []string{c.turn}
		sword := body.SheetOf(f.Creature("a")).Attacks[0]
		err := strike.RefuseReckless(f.State, f.Creature("a"), &strike.AttackPlan{Atk: sword, Kind: body.AttackKind{Melee: true, Distance: 5}}, reckless)
		wantReasonOf(t, name, err, c.reason)
		if c.reason != "" {
			wantRefused(t, err, cite.TraitRecklessAttack)
		}
	}
}

// rcr.base.fifth-edition-fallback: what has to be loaded is a thing that can be; what holds somebody
// else has one hand for a weapon, and a weapon of two hands needs both where they hold it.
func TestWhatWeaponsNeed(t *testing.T) {
	grown := rcrSheet(func(s *eventv1.RcrSheet) {
		s.Attacks = append(s.Attacks, &eventv1.RcrAttack{Name: "spines", Natural: true, Bonus: 5, RangeFeet: 80, Properties: []string{"reload"}, Damage: []*eventv1.RcrDamage{{Dice: "1d4", Type: "piercing"}}},
			&eventv1.RcrAttack{Name: "coils", Natural: true, Bonus: 5, ReachFeet: 5, Properties: []string{"two-handed"}, Damage: []*eventv1.RcrDamage{{Dice: "1d4", Type: "bludgeoning"}}},
			weapon("maul", "stowed", "bludgeoning", "two-handed"), weapon("staff", "stowed", "bludgeoning", "versatile"),
			&eventv1.RcrAttack{Name: "crossbow", Hand: "stowed", Bonus: 5, RangeFeet: 80, Properties: []string{"reload"}, Damage: []*eventv1.RcrDamage{{Dice: "1d6", Type: "piercing"}}})
	})
	for name, c := range map[string]struct {
		item   string
		places map[string]*eventv1.ItemState
		holds  bool
		reason string
	}{
		"grown, reloading by itself":       {item: "spines"},
		"a loaded bow":                     {item: "crossbow", places: map[string]*eventv1.ItemState{"sword": {Place: "stowed"}, "crossbow": {Place: "main"}}},
		"an empty bow":                     {item: "crossbow", places: map[string]*eventv1.ItemState{"sword": {Place: "stowed"}, "crossbow": {Place: "main", Values: map[string]int32{"loaded": 0}}}, reason: "NOT_LOADED"},
		"both hands":                       {item: "maul", places: map[string]*eventv1.ItemState{"sword": {Place: "stowed"}, "maul": {Place: "both"}}},
		"both hands, and one holds":        {item: "maul", places: map[string]*eventv1.ItemState{"sword": {Place: "stowed"}, "maul": {Place: "both"}}, holds: true, reason: "NO_FREE_HAND"},
		"a versatile one, and one holds":   {item: "staff", places: map[string]*eventv1.ItemState{"sword": {Place: "stowed"}, "staff": {Place: "both"}}, holds: true},
		"no hands at all, and both full":   {item: "coils", places: map[string]*eventv1.ItemState{"staff": {Place: "off"}}},
		"no hands at all, and one holds":   {item: "coils", holds: true},
		"in one by the game master's word": {item: "maul", places: map[string]*eventv1.ItemState{"sword": {Place: "stowed"}, "maul": {Place: "main"}}, holds: true},
	} {
		f := newTable(t).add(fighter("a", "party", grown), fighter("b", "monsters")).start(nil, 20, 5)
		f.Put("a", &eventv1.Vitals{Items: c.places})
		if c.holds {
			f.Put("b", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondGrappled, Source: "a", Cause: "grapple"}}})
		}
		f.Roller = func(int) int { return 3 }
		wantReasonOf(t, name, f.Peek(act("a", "attack", c.item, "b")), c.reason)
	}
}

// rcr.base.fifth-edition-fallback: what has no range is not thrown, however near; what can be thrown
// is listed so where it reaches all that it could strike.
func TestWhatIsThrown(t *testing.T) {
	spear := func(reach, far int32) func(*eventv1.Sheet) {
		return weapons(&eventv1.RcrAttack{Name: "spear", Bonus: 5, ReachFeet: reach, RangeFeet: far, LongRangeFeet: far, Properties: []string{"thrown"}, Damage: []*eventv1.RcrDamage{{Dice: "1d6", Type: "piercing"}}})
	}
	for name, c := range map[string]struct {
		reach, far int32
		b, c       int32 // where they stand
		thrown     bool
	}{
		"all in range":                 {5, 20, 5, 20, true},
		"reached farther than thrown":  {15, 10, 10, 10, true},
		"one of them beyond the range": {15, 10, 10, 15, false},
		"the other one":                {15, 10, 15, 10, false},
	} {
		f := newTable(t)
		f.place(fighter("a", "party", spear(c.reach, c.far)), 0, 0)
		f.place(fighter("b", "monsters"), c.b, 0)
		f.place(fighter("c", "monsters"), 0, c.c)
		f.start(nil, 20, 5, 4)
		listed := slices.ContainsFunc(offered(f.State, "a", "attack", "spear").Parameters, func(p *eventv1.Parameter) bool { return p.Name == "throw" })
		if listed != c.thrown {
			t.Errorf("%s: listed %v", name, listed)
		}
	}
	for far, reason := range map[int32]string{0: "OUT_OF_RANGE", 20: ""} {
		f := newTable(t).add(fighter("a", "party", spear(5, far)), fighter("b", "monsters")).start(nil, 20, 5)
		f.Roller = func(int) int { return 3 }
		wantReasonOf(t, "thrown", f.Peek(act("a", "attack", "spear", "b", withParameters("throw", true))), reason)
	}
}

// rcr.condition.terrified: an Attack action begun before gives a terrified creature no attack more,
// and no power of a multiattack; who cannot get away may dodge, said as a word or as a fact.
func TestWhatTheTerrifiedDo(t *testing.T) {
	many := rcrSheet(func(s *eventv1.RcrSheet) {
		s.Powers = []*eventv1.RcrPower{{Name: "roar", Cost: "action", Save: &eventv1.RcrSave{Ability: "wisdom", Dc: 10}, Effects: []*eventv1.RcrEffect{{Condition: body.CondFrightened}}, RangeFeet: 60, Targets: 1}}
		s.Multiattack = []*eventv1.RcrMultiattack{{Name: "fury", Parts: []*eventv1.RcrMultiattackPart{{Name: "sword", Count: 2}, {Name: "roar", Count: 1}}}}
	})
	for _, terrified := range []bool{true, false} {
		f := newTable(t).add(fighter("a", "party", many), fighter("b", "monsters")).start(nil, 20, 5)
		f.Roller = func(int) int { return 3 }
		f.Must(act("a", "attack", "sword", "b"))
		f.wantCount("a", body.CAction, 0)
		if terrified {
			f.Afflict("a", body.CondTerrified)
		}
		reason := map[bool]string{true: "TERRIFIED"}[terrified]
		for _, cmd := range []*eventv1.Command{act("a", "attack", "sword", "b"), act("a", "use-power", "roar", "b")} {
			err := f.Peek(cmd)
			if (err != nil) != (reason != "") {
				t.Errorf("terrified %v: %v", terrified, err)
			}
		}
	}
	for name, c := range map[string]struct {
		change func(*eventv1.TakeAction)
		ok     bool
	}{
		"not said":      {func(*eventv1.TakeAction) {}, false},
		"a word":        {withParameters("cornered", true), true},
		"a fact":        {withFacts("cornered", true), true},
		"a fact denied": {withFacts("cornered", false), false},
		"a word denied": {withParameters("cornered", false), false},
	} {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
		f.Afflict("a", body.CondTerrified)
		if err := f.Try(act("a", "dodge", "", "", c.change)); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// rcr.base.fifth-edition-fallback: the tools that help with a check is listed for are those that all
// who can be helped have; enemies need none.
func TestToolsToHelpWith(t *testing.T) {
	tools := func(names ...string) func(*eventv1.Sheet) {
		return rcrSheet(func(s *eventv1.RcrSheet) {
			for _, name := range names {
				s.Tools = append(s.Tools, &eventv1.RcrSkill{Name: name, Bonus: 2})
			}
		})
	}
	for name, c := range map[string]struct {
		ally, enemy func(*eventv1.Sheet)
		listed      bool
	}{
		"the ally has it":               {tools("lute"), tools(), true},
		"the ally has another":          {tools("drum"), tools("lute"), false},
		"neither the ally nor an enemy": {tools(), tools(), false},
	} {
		f := newTable(t).add(fighter("a", "party", tools("lute")), fighter("c", "party", c.ally), fighter("b", "monsters", c.enemy)).start(nil, 20, 5, 4)
		if got := slices.Contains(valuesOf(offered(f.State, "a", "help-check", ""), "with"), "lute"); got != c.listed {
			t.Errorf("%s: listed %v", name, got)
		}
	}
}

// rcr.base.fifth-edition-fallback: who is held can get away: grappled, or restrained by what can be
// escaped from; no other trouble is a hold.
func TestWhatCanBeEscaped(t *testing.T) {
	dc := map[string]int32{"escape_dc": 12}
	for name, c := range map[string]struct {
		x  *eventv1.Condition
		ok bool
	}{
		"a grapple":                  {&eventv1.Condition{Name: body.CondGrappled, Source: "b"}, true},
		"a net":                      {&eventv1.Condition{Name: body.CondRestrained, Values: dc}, true},
		"bonds without a difficulty": {&eventv1.Condition{Name: body.CondRestrained}, false},
		"a poison of that number":    {&eventv1.Condition{Name: body.CondPoisoned, Values: dc}, false},
	} {
		f := duel(t)
		f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{c.x}})
		f.Roller = func(int) int { return 10 }
		if err := f.Peek(act("a", "escape", "", "")); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// rcr.base.fifth-edition-fallback: the second weapon is another than the one attacked with, though
// that has changed hands since.
func TestTheSecondWeaponIsAnother(t *testing.T) {
	for second, reason := range map[string]string{"dagger": "NO_ATTACK_BEFORE", "sickle": ""} {
		f := newTable(t).add(fighter("a", "party", weapons(weapon("dagger", "main", "piercing", "light", "one-handed"), weapon("sickle", "off", "slashing", "light", "one-handed"))), fighter("b", "monsters")).start(nil, 20, 5)
		f.Roller = func(int) int { return 3 }
		f.Must(act("a", "attack", "dagger", "b"))
		if second == "dagger" {
			f.Put("a", &eventv1.Vitals{Items: map[string]*eventv1.ItemState{"dagger": {Place: "off"}, "sickle": {Place: "main"}}})
		}
		wantReasonOf(t, second, f.Peek(act("a", "off-hand-attack", second, "b")), reason)
	}
}

// Dice of a type that content takes off are no damage; a number with them is what is left,
// and dice of no type on what deals no damage have none.
func TestContentTakesTypedDamage(t *testing.T) {
	for name, c := range map[string]struct {
		effect string
		faces  []int
		hp     int32
	}{
		"a die of fire less":          {`{modifier: {to: damage, dice: -1d4, type: fire}}`, []int{19, 5, 3}, 32},
		"6 of fire, and a die less":   {`{modifier: {to: damage, dice: -1d4, amount: "6", type: fire}}`, []int{19, 5, 2}, 28},
		"a die of fire more":          {`{modifier: {to: damage, dice: 1d4, type: fire}}`, []int{19, 5, 3}, 29},
		"a die of fire and 6, no die": {`{modifier: {to: damage, amount: "6", type: fire}}`, []int{19, 5}, 26},
	} {
		f := ruled(t, c.effect)
		f.add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
		f.Must(act("a", "attack", "sword", "b"), c.faces...)
		if got := f.Creature("b").GetHp(); got != c.hp {
			t.Errorf("%s: %d, want %d", name, got, c.hp)
		}
	}
}

// rcr.feat.metamagic-adept-options: an empowered spell rolls again dice that count, the lowest of
// them: none that its own dice or its pool dropped, and those of one of its parts.
func TestWhichDiceAreRolledAgain(t *testing.T) {
	for name, c := range map[string]struct {
		damage []*eventv1.RcrDamage
		faces  []int // after the attack's
		again  []int
		rest   []int // of the parts that follow
		dice   string
		hp     int32
	}{
		"all of them":    {[]*eventv1.RcrDamage{{Dice: "2d6", Type: "fire"}}, []int{6, 1}, []int{5}, nil, "1d6", 40 - 11},
		"the best three": {[]*eventv1.RcrDamage{{Dice: "4d6kh3", Type: "fire"}}, []int{6, 5, 4, 1}, []int{6}, nil, "1d6", 40 - 17},
		"of a pool":      {[]*eventv1.RcrDamage{{Dice: "{1d4+1d6, 2d8}kh1", Type: "fire"}}, []int{1, 1, 8, 4}, []int{6}, nil, "1d8", 40 - 14},
		"of one part":    {[]*eventv1.RcrDamage{{Dice: "1d6", Type: "fire"}, {Dice: "1d6", Type: "cold"}}, []int{1}, []int{4}, []int{2}, "1d6", 40 - 6},
	} {
		t.Run(name, func(t *testing.T) {
			bolt := rcrSheet(func(s *eventv1.RcrSheet) { s.Spells[0].Damage = c.damage })
			f := newTable(t).add(fighter("a", "party", mage(), bolt, chosen(&eventv1.RcrFeat{Name: "metamagic adept", Picks: []string{"empowered", "subtle"}})), fighter("b", "monsters")).start(nil, 20, 5)
			f.Must(act("a", "cast", "fire bolt", "b", metamagic("empowered")), append([]int{15}, c.faces...)...)
			f.Answer(strike.DecEmpower, "1", append(c.again, c.rest...)...)
			if got := f.Roll("/again").Expression; got != c.dice {
				t.Errorf("%s is rolled again, want %s", got, c.dice)
			}
			f.WantHP("b", c.hp)
		})
	}
}

// What content adds to a hit that deals no damage of its own is of no type.
func TestContentAddsToNothing(t *testing.T) {
	for own, want := range map[string]string{"1d4": "slashing", "": ""} {
		f := ruled(t, `{modifier: {to: damage, dice: 1d6}}`)
		claw := &eventv1.RcrAttack{Name: "claw", Natural: true, Bonus: 5, ReachFeet: 5}
		faces := []int{19, 3}
		if own != "" {
			claw.Damage, faces = []*eventv1.RcrDamage{{Dice: own, Type: "slashing"}}, []int{19, 2, 3}
		}
		f.add(fighter("a", "party", weapons(claw)), fighter("b", "monsters")).start(nil, 20, 5)
		f.Must(act("a", "attack", "claw", "b"), faces...)
		if got := f.dealt(); got[len(got)-1] != want {
			t.Errorf("beside %q: %q, want %q", own, got, want)
		}
	}
}
