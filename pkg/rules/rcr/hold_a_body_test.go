package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.base.improvised-weapon: 1d4 by Strength in melee and by Dexterity thrown, without the
// proficiency bonus; of the type said, else bludgeoning, but a melee weapon that is thrown keeps
// its own. What it is made of stays.
func TestWhatIsImprovised(t *testing.T) {
	c := creatureOf(fighter("a", "party", ability("strength", 16), ability("dexterity", 8)), 0, 0)
	blade := func(change func(a *eventv1.RcrAttack)) *eventv1.RcrAttack {
		a := &eventv1.RcrAttack{Name: "blade", Bonus: 9, ReachFeet: 5, Hand: "off", Silvered: true, Damage: []*eventv1.RcrDamage{{Dice: "2d6+3", Type: "slashing"}}}
		if change != nil {
			change(a)
		}
		return a
	}
	bow := blade(func(a *eventv1.RcrAttack) { a.Name, a.ReachFeet, a.RangeFeet = "bow", 0, 80 })
	for name, w := range map[string]struct {
		weapon *eventv1.RcrAttack
		melee  bool
		kind   string
		dice   string
		bonus  int32
		type_  string
	}{
		"whatever is at hand, struck":         {nil, true, "", "1d4+3", 3, "bludgeoning"},
		"whatever is at hand, thrown":         {nil, false, "", "1d4-1", -1, "bludgeoning"},
		"a shard at hand":                     {nil, true, "piercing", "1d4+3", 3, "piercing"},
		"a blade thrown":                      {blade(nil), false, "", "1d4-1", -1, "slashing"},
		"a blade thrown by the hilt":          {blade(nil), false, "bludgeoning", "1d4-1", -1, "bludgeoning"},
		"a blade struck with as a club":       {blade(nil), true, "", "1d4+3", 3, "bludgeoning"},
		"a bow struck with":                   {bow, true, "", "1d4+3", 3, "bludgeoning"},
		"a bow thrown":                        {bow, false, "", "1d4-1", -1, "bludgeoning"},
		"a blade that does no damage, thrown": {blade(func(a *eventv1.RcrAttack) { a.Damage = nil }), false, "", "1d4-1", -1, "bludgeoning"},
		"a blade of no type, thrown":          {blade(func(a *eventv1.RcrAttack) { a.Damage[0].Type = "" }), false, "", "1d4-1", -1, "bludgeoning"},
	} {
		got := body.Improvised(c, w.weapon, w.melee, w.kind)
		if got.Bonus != w.bonus || len(got.Damage) != 1 || got.Damage[0].Dice != w.dice || got.Damage[0].Type != w.type_ || got.RangeFeet != 20 || got.LongRangeFeet != 60 || got.ReachFeet != 5 {
			t.Errorf("%s: %v", name, got)
		}
		of, silvered := body.ImprovisedWeapon, false
		if w.weapon != nil {
			of, silvered = w.weapon.Name, true
		}
		if got.Name != of || got.Silvered != silvered {
			t.Errorf("%s: %s, silvered %v", name, got.Name, got.Silvered)
		}
	}
	strong := creatureOf(fighter("a", "party", ability("strength", 34)), 0, 0) // beyond what is made beforehand
	if got := body.Improvised(strong, nil, true, ""); got.Bonus != 12 || got.Damage[0].Dice != "1d4+12" || got.Damage[0].Type != "bludgeoning" {
		t.Errorf("of the very strong: %v", got)
	}
}

// rcr.base.unarmed-strike, rcr.base.improvised-weapon: everybody strikes unarmed, and whoever has
// hands uses what is at hand, unless the sheet has an attack of the name, whatever its letters.
func TestAttacksWithoutASheet(t *testing.T) {
	own := func(name string, natural bool) func(*eventv1.Sheet) {
		return func(s *eventv1.Sheet) {
			s.GetRcr().Attacks = []*eventv1.RcrAttack{{Name: name, Bonus: 1, ReachFeet: 5, Natural: natural, Damage: []*eventv1.RcrDamage{{Dice: "1d4", Type: "piercing"}}}}
		}
	}
	of := func(kind string) func(*eventv1.Sheet) {
		return rcrSheet(func(s *eventv1.RcrSheet) { s.CreatureType = kind })
	}
	for name, c := range map[string]struct {
		change []func(*eventv1.Sheet)
		want   []string
		bonus  int32 // of the unarmed strike by the name in small letters; 0 for none
	}{
		"a humanoid":                    {[]func(*eventv1.Sheet){own("claw", true)}, []string{"claw", body.UnarmedStrike, body.ImprovisedWeapon}, 3},
		"a beast":                       {[]func(*eventv1.Sheet){own("claw", true), of("beast")}, []string{"claw", body.UnarmedStrike}, 3},
		"a beast with a weapon":         {[]func(*eventv1.Sheet){own("club", false), of("beast")}, []string{"club", body.UnarmedStrike, body.ImprovisedWeapon}, 3},
		"a giant (hill)":                {[]func(*eventv1.Sheet){own("claw", true), of("Giant (hill)")}, []string{"claw", body.UnarmedStrike, body.ImprovisedWeapon}, 3},
		"a monk":                        {[]func(*eventv1.Sheet){own(body.UnarmedStrike, true)}, []string{body.UnarmedStrike, body.ImprovisedWeapon}, 1},
		"a monk of other letters":       {[]func(*eventv1.Sheet){own("Unarmed Strike", true)}, []string{"Unarmed Strike", body.ImprovisedWeapon}, 0},
		"a brawler":                     {[]func(*eventv1.Sheet){own(body.ImprovisedWeapon, true)}, []string{body.ImprovisedWeapon, body.UnarmedStrike}, 3},
		"a brawler of other letters":    {[]func(*eventv1.Sheet){own("Improvised Weapon", true)}, []string{"Improvised Weapon", body.UnarmedStrike}, 3},
		"a beast with something of its": {[]func(*eventv1.Sheet){own("Improvised Weapon", true), of("beast")}, []string{"Improvised Weapon", body.UnarmedStrike}, 3},
	} {
		c2 := creatureOf(fighter("a", "party", c.change...), 0, 0)
		if got := body.AttackNames(c2); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
		var listed []string
		for _, a := range body.AttacksOf(c2) {
			listed = append(listed, a.Name)
		}
		if !slices.Equal(listed, c.want) {
			t.Errorf("%s has %v, want %v", name, listed, c.want)
		}
		if got := body.AttackNamed(c2, body.UnarmedStrike).GetBonus(); got != c.bonus {
			t.Errorf("%s: %+d unarmed, want %+d", name, got, c.bonus)
		}
		if got := body.AttackNamed(c2, body.ImprovisedWeapon) != nil; got != slices.Contains(c.want, body.ImprovisedWeapon) {
			t.Errorf("%s improvises: %v", name, got)
		}
	}
}

// rcr.base.fifth-edition-fallback: what is ready to be attacked with: in a hand, natural, or a spell.
func TestWhatIsInHand(t *testing.T) {
	for name, c := range map[string]struct {
		a     *eventv1.RcrAttack
		place string
		want  bool
	}{
		"nothing is said":   {&eventv1.RcrAttack{}, "", true},
		"in the main hand":  {&eventv1.RcrAttack{Hand: "main"}, "", true},
		"in the off hand":   {&eventv1.RcrAttack{Hand: "off"}, "", true},
		"stowed":            {&eventv1.RcrAttack{Hand: "stowed"}, "", false},
		"stowed, drawn":     {&eventv1.RcrAttack{Hand: "stowed"}, "main", true},
		"stowed, in both":   {&eventv1.RcrAttack{Hand: "stowed"}, "both", true},
		"in hand, put away": {&eventv1.RcrAttack{Hand: "main"}, "stowed", false},
		"claws":             {&eventv1.RcrAttack{Hand: "stowed", Natural: true}, "", true},
		"a spell":           {&eventv1.RcrAttack{Hand: "stowed", Spell: true}, "", true},
	} {
		x := creatureOf(fighter("a", "party"), 0, 0)
		c.a.Name = "x"
		if c.place != "" {
			x.Items = map[string]*eventv1.ItemState{"x": {Place: c.place}}
		}
		if got := body.InHand(x, c.a); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	for name, c := range map[string]struct {
		u    *eventv1.RcrUsage
		want bool
	}{"none": {nil, false}, "uses": {&eventv1.RcrUsage{Uses: 1}, true}, "a recharge": {&eventv1.RcrUsage{Recharge: "recharge"}, true}, "a rest": {&eventv1.RcrUsage{Recharge: "long rest"}, false}} {
		if got := body.Limited(c.u); got != c.want {
			t.Errorf("%s can run out: %v", name, got)
		}
	}
}

// rcr.base.fifth-edition-fallback: which numbers an effect may change, and that the same effect laid
// twice counts once.
func TestWhatEffectsMayChange(t *testing.T) {
	for key, want := range map[string]bool{
		"attack": true, "attack.d4": true, "attack.d20": true, "attack.d3": false, "attackd4": false, "save.dexterity": true, "save.dexterity.d6": true, "save.luck": false, "check.wisdom": true,
		"damage": true, "damage.fire": true, "damage.fire.d6": true, "damage.hot": false, "d4": false, "initiative.d8": true,
		"resist.fire": true, "resist.all": true, "resist.hot": false, "immune.cold": true,
		"advantage.attack": true, "advantage.attacked": true, "advantage.save.wisdom": true, "advantage.damage": false, "advantage.armor-class": false, "disadvantage.check": true, "disadvantage.damage": false, "disadvantage.luck": false,
		"armor-class": true, "armor-class-at-least": true, "speed": true, "speed-times": true, "fly-speed": true, "luck": false,
	} {
		if got := body.KnownChange(key); got != want {
			t.Errorf("%s: %v", key, got)
		}
	}
	x := func(name, cause string, n int32) *eventv1.Condition {
		return &eventv1.Condition{Name: name, Cause: cause, Values: map[string]int32{"attack": n}}
	}
	for name, c := range map[string]struct {
		list []*eventv1.Condition
		want int32
	}{
		"one":                    {[]*eventv1.Condition{x("blessed", "bless", 2)}, 2},
		"the same twice":         {[]*eventv1.Condition{x("blessed", "bless", 2), x("blessed", "bless", 2)}, 2},
		"the same name":          {[]*eventv1.Condition{x("blessed", "bless", 2), x("blessed", "prayer", 3)}, 5},
		"the same cause":         {[]*eventv1.Condition{x("blessed", "bless", 2), x("helped", "bless", 3)}, 5},
		"nothing, then the same": {[]*eventv1.Condition{x("blessed", "bless", 0), x("blessed", "prayer", 3)}, 3},
	} {
		if got := body.Flat(&eventv1.Creature{Conditions: c.list}, "attack"); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
	for n, good := range map[int32]bool{-1001: false, -1000: true, 1000: true, 1001: false} {
		err := body.CheckConditions(&eventv1.Creature{Conditions: []*eventv1.Condition{x("blessed", "bless", n)}})
		if (err == nil) != good {
			t.Errorf("%d: %v", n, err)
		}
	}
	for key, good := range map[string]bool{"escape_dc": true, body.SaveEnds + "wisdom": true, body.SaveEnds + "luck": false, "wisdom": false, "resist.fire": true} {
		err := body.CheckConditions(&eventv1.Creature{Conditions: []*eventv1.Condition{{Name: "x", Values: map[string]int32{key: 1}}}})
		if (err == nil) != good {
			t.Errorf("%s: %v", key, err)
		}
	}
}

// rcr.damage.dangerous-terrain, rcr.injury.setback-table: whose sheet gives no level goes by its
// challenge rating, a fraction as level 1, at most 20.
func TestLevelsOfMonsters(t *testing.T) {
	for rating, want := range map[string]int32{"": 1, "0": 1, "1/8": 1, "1/2": 1, "1": 1, "9": 9, "10": 10, "20": 20, "30": 20, "7.5": 1, "x": 1} {
		c := creatureOf(fighter("a", "monsters", rcrSheet(func(s *eventv1.RcrSheet) { s.Level, s.ChallengeRating = 0, rating })), 0, 0)
		if got := body.EffectiveLevel(c); got != want {
			t.Errorf("%q: %d, want %d", rating, got, want)
		}
	}
	for level, want := range map[int32]int32{1: 1, 20: 20, 21: 20} {
		c := creatureOf(fighter("a", "monsters", rcrSheet(func(s *eventv1.RcrSheet) { s.Level, s.ChallengeRating = level, "7" })), 0, 0)
		if got := body.EffectiveLevel(c); got != want {
			t.Errorf("level %d: %d, want %d", level, got, want)
		}
	}
}

// rcr.death.secret-saves: of the exhaustion of one that is down others know what it came down with.
func TestWhatIsKnownOfTheDying(t *testing.T) {
	for name, c := range map[string]struct {
		life                eventv1.LifeStatus
		noted, level, stood int64
		want                int64
		secret              bool
	}{
		"it stands":                     {eventv1.LifeStatus_LIFE_STATUS_ALIVE, 0, 3, 0, 3, false},
		"it stands again, noted before": {eventv1.LifeStatus_LIFE_STATUS_ALIVE, 2, 3, 0, 3, false},
		"it is dying":                   {eventv1.LifeStatus_LIFE_STATUS_DYING, 2, 3, 0, 1, false},
		"it is dying, nothing is noted": {eventv1.LifeStatus_LIFE_STATUS_DYING, 0, 3, 0, 3, false},
		"it is stable":                  {eventv1.LifeStatus_LIFE_STATUS_STABLE, 2, 3, 0, 1, false},
		"it is stable in secret":        {eventv1.LifeStatus_LIFE_STATUS_STABLE, 2, 3, 1, 1, true},
		"it is dying again":             {eventv1.LifeStatus_LIFE_STATUS_DYING, 2, 3, 1, 1, false},
	} {
		x := &eventv1.Creature{Life: c.life, Counters: map[string]int64{body.CDeathExhaustion: c.noted, body.CExhaustion: c.level, body.CDeathStable: c.stood}}
		if got := body.OpenExhaustion(x); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
		if got := body.StableInSecret(x); got != c.secret {
			t.Errorf("%s: in secret %v", name, got)
		}
	}
}

// rcr.feat.defensive-duelist-parry: who has a weapon is trained with it
// by its own name or by that of what it is, unless its sheet says otherwise; not with what it
// improvises.
func TestTrainingByWeapons(t *testing.T) {
	s := &eventv1.RcrSheet{Attacks: []*eventv1.RcrAttack{{Name: "Fang", Use: "short-sword"}, {Name: "chair", Properties: []string{body.PropImprovised}}, {Name: "spear"}},
		Training: []*eventv1.RcrTraining{{Name: "Spear", Rank: "Untrained"}}}
	for name, want := range map[string]string{"fang": body.RankBasic, "short sword": body.RankBasic, "short-sword": body.RankUntrained, "": body.RankUntrained, "chair": body.RankUntrained, "spear": body.RankUntrained, "bow": body.RankUntrained, "Unarmed Strike": body.RankBasic} {
		if got := body.RankIn(s, name); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}
