package rcr

import (
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// claw gives a creature an attack with an effect, +5 for 1d4.
func claw(save *eventv1.RcrSave, effects ...*eventv1.RcrEffect) func(*eventv1.Sheet) {
	return weapons(&eventv1.RcrAttack{Name: "claw", Bonus: 5, ReachFeet: 5, Natural: true, Damage: []*eventv1.RcrDamage{{Dice: "1d4", Type: "slashing"}}, Save: save, Effects: effects})
}

// rcr.base.fifth-edition-fallback, rcr.condition.paralyzed-stricken,
// rcr.condition.paralyzed-disabled: what an effect of a hit lays on its target, what follows from
// it at once, and whom it does not touch.
func TestEffectsOfAHit(t *testing.T) {
	of := func(name, variant string) *eventv1.RcrEffect {
		return &eventv1.RcrEffect{Condition: name, Variant: variant}
	}
	immune := func(name string) func(*eventv1.Sheet) {
		return rcrSheet(func(s *eventv1.RcrSheet) { s.ConditionImmunities = []string{name} })
	}
	for name, c := range map[string]struct {
		e       *eventv1.RcrEffect
		b       func(*eventv1.Sheet)
		do      func(f *table)
		lies    bool // the condition is on it
		variant string
		prone   bool
		immune  bool // it is said
	}{
		"poison":                            {e: of(body.CondPoisoned, ""), lies: true},
		"poison to whom it does nothing":    {e: of(body.CondPoisoned, ""), b: immune(body.CondPoisoned), immune: true},
		"poison to one immune to fear":      {e: of(body.CondPoisoned, ""), b: immune(body.CondFrightened), lies: true},
		"poison to stone":                   {e: of(body.CondPoisoned, ""), do: func(f *table) { f.Afflict("b", body.CondPetrified) }, immune: true},
		"blindness to stone":                {e: of(body.CondBlinded, ""), do: func(f *table) { f.Afflict("b", body.CondPetrified) }, lies: true},
		"poison to whom something stuns":    {e: of(body.CondPoisoned, ""), do: func(f *table) { f.Afflict("b", body.CondStunned) }, lies: true},
		"paralysis is that of the stricken": {e: of(body.CondParalyzed, ""), lies: true, variant: body.VariantStricken},
		"paralysis that disables":           {e: of(body.CondParalyzed, body.VariantDisabled), lies: true, variant: body.VariantDisabled, prone: true},
		"a disabled poison is none":         {e: of(body.CondPoisoned, body.VariantDisabled), lies: true, variant: body.VariantDisabled},
		"sleep":                             {e: of(body.CondUnconscious, ""), lies: true, prone: true},
		"sleep to the sleepless":            {e: of(body.CondUnconscious, ""), b: immune(body.CondUnconscious), immune: true},
		"a fall":                            {e: of(body.CondProne, ""), lies: true, prone: true},
		"a fall of whom nothing throws":     {e: of(body.CondProne, ""), b: immune(body.CondProne), immune: true},
		"poison to the dead":                {e: of(body.CondPoisoned, ""), do: func(f *table) { f.Hurt("b", 1) }},
	} {
		t.Run(name, func(t *testing.T) {
			b := c.b
			if b == nil {
				b = func(*eventv1.Sheet) {}
			}
			f := newTable(t).add(fighter("a", "party", claw(nil, c.e)), fighter("b", "monsters", b)).start(nil, 20, 5)
			if c.do != nil {
				c.do(f)
			}
			f.falls(15)
			f.Must(act("a", "attack", "claw", "b"))
			x := body.Condition(f.Creature("b"), c.e.Condition)
			if got := x != nil; got != c.lies || c.lies && x.Variant != c.variant {
				t.Errorf("%v, want %v, variant %q", x, c.lies, c.variant)
			}
			f.wantHas("b", body.CondProne, c.prone)
			said := false
			for _, text := range f.byNote(cite.BaseFifthEditionFallback) {
				said = said || strings.HasPrefix(text, "immune to "+c.e.Condition)
			}
			if said != c.immune {
				t.Errorf("told of immunity: %v", said)
			}
		})
	}
}

// rcr.base.fifth-edition-fallback: an effect that a spell lays while its caster concentrates on it
// ends with the concentration; one of a spell beside that does not.
func TestEffectsEndWithConcentration(t *testing.T) {
	for name, c := range map[string]struct {
		concentrates bool // the spell
		saves        bool // the effect is repeated saves
		ends         bool
	}{"of a spell that is kept up": {true, false, true}, "that is saved against too": {true, true, true}, "of one that lasts": {false, false, false}} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) {
				s.SpellDc, s.SpellSlots = 15, []int32{4}
				s.Spells = []*eventv1.RcrSpell{
					{Name: "grip", Level: 1, CastingTime: "action", RangeFeet: 60, Verbal: true, Targets: 1, Concentration: c.concentrates, Save: &eventv1.RcrSave{Ability: "wisdom", Dc: 15}, Effects: []*eventv1.RcrEffect{{Condition: body.CondRestrained, SaveEnds: c.saves}}},
					{Name: "song", Level: 1, CastingTime: "action", Verbal: true, Concentration: true},
				}
			})), fighter("b", "monsters")).start(nil, 20, 5)
			f.falls(5)
			f.Must(act("a", "cast", "grip", "b"))
			x := body.Condition(f.Creature("b"), body.CondRestrained)
			if x == nil {
				t.Fatal("it does not take")
			}
			if _, repeats := x.Values[body.SaveEnds+"wisdom"]; repeats != c.saves {
				t.Errorf("%v", x.Values)
			}
			f.Count("a", body.CAction, 1)
			f.Must(act("a", "cast", "song", "")) // another concentration
			f.wantHas("b", body.CondRestrained, !c.ends)
			f.Count("a", body.CAction, 1)
			f.Must(act("a", "end-concentration", "", ""))
			f.wantHas("b", body.CondRestrained, !c.ends)
		})
	}
}

// rcr.trait.rage: who falls into a rage concentrates no longer. One that rages by no trait of that
// name, and one whose power is no rage, goes on.
func TestRageEndsConcentration(t *testing.T) {
	for name, c := range map[string]struct {
		traits []string
		lays   string
		keeps  bool
	}{
		"a rage by the trait":       {[]string{body.TraitRage}, body.CondRaging, false},
		"a rage of the sheet's own": {nil, body.CondRaging, true},
		"another power":             {[]string{body.TraitRage}, body.CondDodging, true},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party", trait(c.traits...), rcrSheet(func(s *eventv1.RcrSheet) {
				s.SpellDc, s.SpellSlots = 15, []int32{4}
				s.Spells = []*eventv1.RcrSpell{{Name: "song", Level: 1, CastingTime: "action", Verbal: true, Concentration: true}}
				s.Powers = []*eventv1.RcrPower{{Name: "fury", Cost: "bonus", Effects: []*eventv1.RcrEffect{{Condition: c.lays}}}}
			})), fighter("b", "monsters")).start(nil, 20, 5)
			f.falls(11)
			f.Must(act("a", "cast", "song", ""))
			f.Must(act("a", "use-power", "fury", ""))
			f.wantHas("a", c.lays, true)
			if keeps := body.Concentration(f.Creature("a")) == "song"; keeps != c.keeps {
				t.Errorf("concentrates: %v", keeps)
			}
		})
	}
}

// rcr.trait.assassinate: a hit on a creature that is surprised is critical; a miss is none, and a
// hit on one that knows of the attacker is not.
func TestAssassins(t *testing.T) {
	for name, c := range map[string]struct {
		traits    []string
		surprised bool
		face      int
		want      string
	}{
		"it hits":              {[]string{body.TraitAssassinate}, true, 15, "critical"},
		"it misses":            {[]string{body.TraitAssassinate}, true, 3, "miss"},
		"its own critical hit": {[]string{body.TraitAssassinate}, true, 20, "critical"},
		"the target is aware":  {[]string{body.TraitAssassinate}, false, 15, "hit"},
		"somebody else hits":   {nil, true, 15, "hit"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party", trait(c.traits...)), fighter("b", "monsters"))
			f.Roller = func(int) int { return 10 }
			var surprised []string
			if c.surprised {
				surprised = []string{"b"}
			}
			f.start(surprised)
			f.falls(c.face)
			f.Must(act("a", "attack", "sword", "b"))
			if got := f.Attack(); got.Outcome != c.want {
				t.Errorf("%v, want %s", got, c.want)
			}
			cited := false
			for _, e := range f.Events {
				cited = cited || e.GetAttack() != nil && citing(e, cite.TraitAssassinate)
			}
			if cited != (name == "it hits") {
				t.Errorf("cites the trait: %v", cited)
			}
		})
	}
}

// rcr.injury.wounds-on-massive-damage, rcr.base.fifth-edition-fallback: what the saving throw of an
// attack guards against is dealt whole on a failure, and on a success halved or not at all.
func TestDamageThatASaveGuards(t *testing.T) {
	for name, c := range map[string]struct {
		half   bool
		saved  bool
		points int32
	}{"failed": {false, false, 3}, "made": {false, true, 0}, "failed, half on a success": {true, false, 3}, "made, half on a success": {true, true, 1}} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party", weapons(&eventv1.RcrAttack{Name: "sting", Bonus: 5, ReachFeet: 5, Natural: true,
				Save: &eventv1.RcrSave{Ability: "constitution", Dc: 12, HalfOnSuccess: c.half}, SaveDamage: []*eventv1.RcrDamage{{Dice: "1d4", Type: "poison"}}})), fighter("b", "monsters")).start(nil, 20, 5)
			save := 2
			if c.saved {
				save = 12
			}
			f.Must(act("a", "attack", "sting", "b"), 15, save, 3)
			f.WantHP("b", 40-c.points)
			dealt := false
			for _, e := range f.Events {
				dealt = dealt || e.GetDamage() != nil
			}
			if dealt != (c.points > 0) {
				t.Errorf("damage told: %v", dealt)
			}
		})
	}
}
