package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/magic"
	"github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.base.fifth-edition-fallback: a power takes what its sheet says of a turn; one that is a part
// of a multiattack begins it with the action, or is paid by it once for each that it has.
func TestWhatPowersTake(t *testing.T) {
	build := func(t *testing.T) *table {
		return newTable(t).add(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) {
			s.Powers = []*eventv1.RcrPower{{Name: "gaze", Cost: "action", Healing: "1"}, {Name: "breath", Cost: "action", Healing: "1"}, {Name: "whim", Cost: "free", Healing: "1"}, {Name: "spring", Cost: "bonus", Healing: "1"}}
			s.Multiattack = []*eventv1.RcrMultiattack{{Name: "all", Parts: []*eventv1.RcrMultiattackPart{{Name: "sword", Count: 1}, {Name: "gaze", Count: 2}}}}
		})), fighter("b", "monsters")).start(nil, 20, 5)
	}
	use := func(f *table, name, reason string) {
		f.T.Helper()
		wantReasonOf(f.T.(*testing.T), name, f.Try(act("a", "use-power", name, "")), reason)
	}
	t.Run("alone", func(t *testing.T) {
		f := build(t)
		use(f, "whim", "")
		f.wantCount("a", body.CAction, 1)
		use(f, "spring", "")
		f.wantCount("a", body.CBonus, 0)
		f.wantCount("a", body.CAction, 1)
		use(f, "breath", "")
		f.wantCount("a", body.CAction, 0)
		use(f, "whim", "")
		use(f, "breath", "NO_ACTION")
		use(f, "gaze", "NO_ACTION")
	})
	t.Run("it begins the multiattack", func(t *testing.T) {
		f := build(t)
		f.falls(15)
		use(f, "gaze", "")
		f.wantCount("a", body.CAction, 0)
		use(f, "gaze", "")
		use(f, "gaze", "NO_ACTION")
		use(f, "breath", "NO_ACTION")
		f.Must(act("a", "attack", "sword", "b"))
		wantReasonOf(t, "a second blow", f.Try(act("a", "attack", "sword", "b")), "NO_ACTION")
	})
	t.Run("an attack begins it", func(t *testing.T) {
		f := build(t)
		f.falls(15)
		f.Must(act("a", "attack", "sword", "b", withParameters("multiattack", "all")))
		use(f, "gaze", "")
		use(f, "gaze", "")
		use(f, "gaze", "NO_ACTION")
		f.wantCount("a", body.CAction, 0)
	})
}

// rcr.feat.spell-sniper-cover: half and three-quarters cover do nothing against the ranged spell
// attacks of a spell sniper; against its weapons, and against another, they do.
func TestCoverAgainstSnipers(t *testing.T) {
	sniper := []func(*eventv1.Sheet){feat(body.FeatSpellSniper), rcrSheet(func(s *eventv1.RcrSheet) {
		s.SpellAttackBonus, s.SpellDc = 5, 13
		s.Spells = []*eventv1.RcrSpell{{Name: "fire bolt", Attack: "ranged", RangeFeet: 120, Verbal: true, Damage: []*eventv1.RcrDamage{{Dice: "1d10", Type: "fire"}}}}
	})}
	for name, c := range map[string]struct {
		change []func(*eventv1.Sheet)
		spell  bool
		melee  bool
		face   int // meets an armour class of 15 with +5, but no better one
		hits   bool
	}{
		"a sniper's ray":    {sniper, true, false, 10, true},
		"another's ray":     {nil, true, false, 10, false},
		"a sniper's arrow":  {sniper, false, false, 10, false},
		"a sniper's touch":  {sniper, true, true, 10, false},
		"another's ray, +5": {nil, true, false, 15, true},
	} {
		t.Run(name, func(t *testing.T) {
			a := &eventv1.RcrAttack{Name: "ray", Bonus: 5, RangeFeet: 60, Natural: true, Spell: c.spell, Damage: []*eventv1.RcrDamage{{Dice: "1d4", Type: "fire"}}}
			if c.melee {
				a.ReachFeet, a.RangeFeet = 5, 0
			}
			f := newTable(t).add(fighter("a", "party", append(slices.Clone(c.change), func(s *eventv1.Sheet) { s.GetRcr().Attacks = append(s.GetRcr().Attacks, a) })...), fighter("b", "monsters")).start(nil, 20, 5)
			f.falls(c.face)
			f.Must(act("a", "attack", "ray", "b", withFacts("cover", "three-quarters")))
			if hit := f.Attack().Outcome == "hit"; hit != c.hits {
				t.Errorf("%v", f.Attack())
			}
		})
	}
}

// rcr.base.attack-and-critical: a weapon that is critical from 19 on is so on a hit alone; 20 always.
func TestKeenWeapons(t *testing.T) {
	for name, c := range map[string]struct {
		face int
		ac   int32
		want string
	}{"below": {18, 15, "hit"}, "from there": {19, 15, "critical"}, "from there, just": {19, 24, "critical"}, "from there, it misses": {19, 25, "miss"}, "20": {20, 60, "critical"}} {
		f := newTable(t).add(fighter("a", "party", weapons(&eventv1.RcrAttack{Name: "keen", Bonus: 5, ReachFeet: 5, Natural: true, CriticalFrom: 19, Damage: []*eventv1.RcrDamage{{Dice: "1d4", Type: "slashing"}}})),
			fighter("b", "monsters", armor(c.ac))).start(nil, 20, 5)
		f.falls(c.face)
		f.Must(act("a", "attack", "keen", "b"))
		if got := f.Attack().Outcome; got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// rcr.condition.paralyzed-common, rcr.base.fifth-edition-fallback: a hit on the paralysed is
// critical, from within 5 feet alone where the table plays it so; one on the unconscious from
// within 5 feet.
func TestHitsOnThoseWhoLieStill(t *testing.T) {
	for name, c := range map[string]struct {
		condition string
		feet      int32
		setting   string
		want      string
	}{
		"paralysed, near":                  {body.CondParalyzed, 5, "off", "critical"},
		"paralysed, far":                   {body.CondParalyzed, 30, "off", "critical"},
		"paralysed, near, as in the fifth": {body.CondParalyzed, 5, "on", "critical"},
		"paralysed, far, as in the fifth":  {body.CondParalyzed, 30, "on", "hit"},
		"unconscious, near":                {body.CondUnconscious, 5, "off", "critical"},
		"unconscious, far":                 {body.CondUnconscious, 30, "off", "hit"},
		"stunned, near":                    {body.CondStunned, 5, "off", "hit"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t, body.SetParalyzedFiveFeet+"="+c.setting)
			f.place(fighter("a", "party", manyArmed), 0, 0)
			f.place(fighter("b", "monsters"), c.feet, 0)
			f.start(nil, 20, 5)
			f.Afflict("b", c.condition)
			f.falls(15)
			item := "axe"
			if c.feet > 5 {
				item = "bow"
			}
			f.Must(act("a", "attack", item, "b"))
			if got := f.Attack().Outcome; got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// rcr.base.fifth-edition-fallback: a hit is met by reactions that raise the armour class of whoever
// is hit: spells and powers for itself alone; what counts once, in melee alone. A natural 20 hits
// whatever the armour class.
func TestWhatMeetsAHit(t *testing.T) {
	ward := func(once bool) []*eventv1.RcrEffect {
		return []*eventv1.RcrEffect{{Condition: body.CondHelped, Rounds: 1, Once: once, Changes: map[string]int32{body.ChArmor: 5}}}
	}
	other := []*eventv1.RcrEffect{{Condition: body.CondHelped, Rounds: 1, Changes: map[string]int32{body.ChSpeed: 5}}}
	power := func(cost string, feet int32, effects []*eventv1.RcrEffect) func(*eventv1.Sheet) {
		return rcrSheet(func(s *eventv1.RcrSheet) {
			s.Powers = []*eventv1.RcrPower{{Name: "ward", Cost: cost, RangeFeet: feet, Effects: effects}}
		})
	}
	spell := func(sp *eventv1.RcrSpell) func(*eventv1.Sheet) {
		return rcrSheet(func(s *eventv1.RcrSheet) {
			sp.Name, sp.Level, sp.Verbal = "ward", 1, true
			s.SpellDc, s.SpellSlots, s.Spells = 13, []int32{1}, []*eventv1.RcrSpell{sp}
		})
	}
	for name, c := range map[string]struct {
		b     func(*eventv1.Sheet)
		far   bool
		face  int
		offer string
		want  string
	}{
		"a power":                             {power("reaction", 0, ward(false)), false, 11, "react/ward", "miss"},
		"a power, a blow that is too good":    {power("reaction", 0, ward(false)), false, 16, "react/ward", "hit"},
		"a power, a natural 20":               {power("reaction", 0, []*eventv1.RcrEffect{{Condition: body.CondHelped, Rounds: 1, Changes: map[string]int32{body.ChArmor: 40}}}), false, 20, "react/ward", "critical"},
		"a power, from afar":                  {power("reaction", 0, ward(false)), true, 11, "react/ward", "miss"},
		"a power that counts once":            {power("reaction", 0, ward(true)), false, 11, "react/ward", "miss"},
		"a power that counts once, from afar": {power("reaction", 0, ward(true)), true, 11, "", "hit"},
		"a power that is no reaction":         {power("bonus", 0, ward(false)), false, 11, "", "hit"},
		"a power for others":                  {power("reaction", 30, ward(false)), false, 11, "", "hit"},
		"a power of another kind":             {power("reaction", 0, other), false, 11, "", "hit"},
		"a spell":                             {spell(&eventv1.RcrSpell{CastingTime: "reaction", Effects: ward(false)}), false, 11, "cast/ward", "miss"},
		"a spell for others":                  {spell(&eventv1.RcrSpell{CastingTime: "reaction", RangeFeet: 30, Effects: ward(false)}), false, 11, "", "hit"},
		"a spell that is no reaction":         {spell(&eventv1.RcrSpell{CastingTime: "action", Effects: ward(false)}), false, 11, "", "hit"},
		"a spell of another kind":             {spell(&eventv1.RcrSpell{CastingTime: "reaction", Effects: other}), false, 11, "", "hit"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t)
			f.place(fighter("a", "monsters", manyArmed), 0, 0)
			f.place(fighter("b", "party", c.b), 5, 0)
			f.start(nil, 20, 5)
			item := "axe"
			if c.far {
				item = "bow"
				f.Place("b", 30, 0)
			}
			f.falls(c.face)
			f.Must(act("a", "attack", item, "b"))
			offered := len(f.Decisions) > 0 && f.Decisions[0].Name == strike.DecDefend
			if offered != (c.offer != "") {
				t.Fatalf("asked %v", f.Decisions)
			}
			if offered {
				f.Answer(strike.DecDefend, c.offer)
			}
			if got := f.Attack().Outcome; got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// rcr.feat.spell-sniper-cantrip, rcr.feat.mage-slayer-saves: a spell with an ability of its own goes
// by that; a mage slayer saves better against the spells of others within its reach.
func TestNumbersOfASpell(t *testing.T) {
	c := creatureOf(fighter("a", "party", ability("wisdom", 16), rcrSheet(func(s *eventv1.RcrSheet) { s.SpellDc, s.SpellAttackBonus = 18, 10 })), 0, 0)
	for name, w := range map[string]struct {
		sp        *eventv1.RcrSpell
		dc, bonus int32
	}{
		"of the sheet":           {&eventv1.RcrSpell{}, 0, 10},
		"its own difficulty":     {&eventv1.RcrSpell{Save: &eventv1.RcrSave{Dc: 12}}, 12, 10},
		"by its ability":         {&eventv1.RcrSpell{Ability: "wisdom"}, 14, 6},
		"by its ability, a save": {&eventv1.RcrSpell{Ability: "wisdom", Save: &eventv1.RcrSave{Ability: "dexterity"}}, 14, 6},
		"its own goes before":    {&eventv1.RcrSpell{Ability: "wisdom", Save: &eventv1.RcrSave{Dc: 12}}, 12, 6},
	} {
		if dc, bonus := magic.SpellSaveDC(c, w.sp), magic.SpellBonus(c, w.sp); dc != w.dc || bonus != w.bonus {
			t.Errorf("%s: %d and %d, want %d and %d", name, dc, bonus, w.dc, w.bonus)
		}
	}
	slayer, mage, plain := creatureOf(fighter("a", "party", feat(body.FeatMageSlayer)), 0, 0), creatureOf(fighter("b", "monsters"), 5, 0), creatureOf(fighter("c", "party"), 5, 5)
	s := &eventv1.State{Creatures: map[string]*eventv1.Creature{"a": slayer, "b": mage, "c": plain}}
	far := creatureOf(fighter("d", "monsters"), 30, 0)
	for name, w := range map[string]struct {
		c, by  *eventv1.Creature
		stated []string
		want   bool
	}{
		"within reach":            {slayer, mage, nil, true},
		"out of reach":            {slayer, far, nil, false},
		"stated to be":            {slayer, far, []string{"a"}, true},
		"another is stated to be": {slayer, mage, []string{"c"}, false},
		"its own spell":           {slayer, slayer, []string{"a"}, false},
		"who has not learnt it":   {plain, mage, nil, false},
	} {
		if got := magic.SlaysMages(s, w.c, w.by, w.stated); got != w.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if got := magic.ProvokesByCasting(s, plain, &eventv1.RcrSpell{Attack: "melee", WeaponAttack: true}); !got { // rcr.opportunity.cast-spell
		t.Error("a spell with the blow of a weapon provokes nobody")
	}
}
