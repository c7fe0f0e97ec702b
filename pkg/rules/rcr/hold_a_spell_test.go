package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.base.fifth-edition-fallback, rcr.base.knock-out: what is said with a casting must fit the
// spell: a slot that is left, a condition that a restoration ends, a melee weapon of the
// caster, and knocking out in melee alone.
func TestWordsOfACasting(t *testing.T) {
	for name, c := range map[string]struct {
		spell  string
		words  []any
		do     func(f *table)
		field  string // of the refusal; empty for none by a field
		reason string
		rule   string
	}{
		"a slot that is left":                 {spell: "ball", words: []any{"slot", 3}},
		"a slot that is spent":                {spell: "missile", words: []any{"slot", 2}, do: func(f *table) { f.Count("a", body.CSlot+"2", 0) }, field: "take.parameters.slot"},
		"a slot below the spell":              {spell: "ball", words: []any{"slot", 2}, field: "take.parameters.slot"},
		"a slot that the sheet has not":       {spell: "ball", words: []any{"slot", 4}, field: "take.parameters.slot"},
		"a restoration ends poison":           {spell: "lesser restoration", words: []any{"ends", body.CondPoisoned}},
		"a restoration ends no fear":          {spell: "lesser restoration", words: []any{"ends", body.CondFrightened}, field: "take.parameters.ends"},
		"another spell ends no poison":        {spell: "hold", words: []any{"ends", body.CondPoisoned}, field: "take.parameters.ends"},
		"a sword":                             {spell: "blade", words: []any{"weapon", "sword"}},
		"a bow is no melee weapon":            {spell: "blade", words: []any{"weapon", "bow"}, field: "take.parameters.weapon"},
		"a weapon that it has not":            {spell: "blade", words: []any{"weapon", "spoon"}, field: "take.parameters.weapon"},
		"a sword that knocks out":             {spell: "blade", words: []any{"weapon", "sword", "knock_out", true}},
		"a melee spell attack that does":      {spell: "grasp", words: []any{"knock_out", true}},
		"a bolt knocks nobody out":            {spell: "bolt", words: []any{"knock_out", true}, reason: "NOT_MELEE", rule: cite.BaseKnockOut},
		"a bolt that is not to":               {spell: "bolt", words: []any{"knock_out", false}},
		"a ball of fire knocks nobody out":    {spell: "ball", words: []any{"knock_out", true}, reason: "NOT_MELEE", rule: cite.BaseKnockOut},
		"a sword at its charmer":              {spell: "blade", words: []any{"weapon", "sword"}, do: func(f *table) { f.Must(afflicting("a", body.CondCharmed, "b")) }, reason: "CHARMED", rule: cite.BaseFifthEditionFallback},
		"a sword at somebody else's charmer":  {spell: "blade", words: []any{"weapon", "sword"}, do: func(f *table) { f.Must(afflicting("z", body.CondCharmed, "b")) }},
		"a sword while another charms":        {spell: "blade", words: []any{"weapon", "sword"}, do: func(f *table) { f.Must(afflicting("a", body.CondCharmed, "z")) }},
		"a plain blade at its charmer":        {spell: "edge", words: []any{"weapon", "sword"}, do: func(f *table) { f.Must(afflicting("a", body.CondCharmed, "b")) }, reason: "CHARMED", rule: cite.BaseFifthEditionFallback},
		"a plain blade at whom it may attack": {spell: "edge", words: []any{"weapon", "sword"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party", caster, rcrSheet(func(s *eventv1.RcrSheet) {
				s.Spells = append(s.Spells, &eventv1.RcrSpell{Name: "edge", CastingTime: "action", WeaponAttack: true, Verbal: true})
			})), fighter("b", "monsters"), fighter("z", "monsters")).start(nil, 20, 5, 4)
			if c.do != nil {
				c.do(f)
			}
			f.falls(11)
			err := f.Try(act("a", "cast", c.spell, "b", withParameters(c.words...)))
			switch g, _ := fault.As(err); {
			case c.field != "":
				wantField(t, err, c.field, "")
			case c.reason != "":
				wantRefused(t, err, c.rule)
				if g.Reason != c.reason {
					t.Errorf("%v, want %s", err, c.reason)
				}
			case err != nil:
				t.Error(err)
			}
		})
	}
}

// rcr.base.fifth-edition-fallback: a higher slot adds its dice to the first part of the damage,
// once for each level above the spell's own.
func TestDamageOfHigherSlots(t *testing.T) {
	storm := func(more string) *eventv1.RcrSpell {
		return &eventv1.RcrSpell{Name: "storm", Level: 2, CastingTime: "action", RangeFeet: 60, Verbal: true, Targets: 1, UpcastDice: more,
			Save: &eventv1.RcrSave{Ability: "dexterity", Dc: 30}, Damage: []*eventv1.RcrDamage{{Dice: "3d6", Type: "cold"}, {Dice: "2d4", Type: "thunder"}}}
	}
	for name, c := range map[string]struct {
		sp   *eventv1.RcrSpell
		slot int
		want []string
	}{
		"its own level":            {storm("1d6"), 2, []string{"3d6", "2d4"}},
		"one above":                {storm("1d6"), 3, []string{"3d6+1d6", "2d4"}},
		"three above":              {storm("1d6"), 5, []string{"3d6+1d6+1d6+1d6", "2d4"}},
		"one that grows by no die": {storm(""), 5, []string{"3d6", "2d4"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) {
				s.SpellDc, s.SpellSlots, s.Spells = 15, []int32{1, 1, 1, 1, 1}, []*eventv1.RcrSpell{c.sp}
			})), fighter("b", "monsters")).start(nil, 20, 5)
			f.falls(11)
			f.Must(act("a", "cast", "storm", "b", withParameters("slot", c.slot)))
			var got []string
			for _, r := range f.Rolls("cast/damage") {
				got = append(got, r.Expression)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("rolled %v, want %v", got, c.want)
			}
			f.wantCount("a", body.CSlot+body.Itoa(int32(c.slot)), 0)
		})
	}
}

// rcr.base.half-cover, rcr.base.fifth-edition-fallback: whom an area covers but nothing of it
// reaches is no target; nobody has cover from what it casts itself.
func TestTotalCoverInAnArea(t *testing.T) {
	for name, c := range map[string]struct {
		covered map[string]any
		hurt    []string
	}{
		"nobody":    {nil, []string{"a", "b", "c"}},
		"one":       {map[string]any{"c": "total"}, []string{"a", "b"}},
		"partly":    {map[string]any{"c": "three-quarters"}, []string{"a", "b", "c"}},
		"itself":    {map[string]any{"a": "total"}, []string{"a", "b", "c"}},
		"all but b": {map[string]any{"a": "total", "c": "total"}, []string{"a", "b"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := &table{rulestest.NewWith(t, System{}, srdBook(t), body.SetInitiativeChoice+"=best")}
			f.place(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) {
				s.SpellDc, s.SpellSlots, s.Spells = 30, []int32{0, 0, 1}, []*eventv1.RcrSpell{{Use: "fireball"}}
			})), 0, 0)
			f.place(fighter("b", "monsters"), 10, 0)
			f.place(fighter("c", "monsters"), 15, 0)
			f.start(nil, 20, 10, 5)
			f.falls(10)
			cmd := act("a", "cast", f.Creature("a").GetSheet().GetRcr().Spells[0].Name, "b")
			if c.covered != nil {
				cmd = act("a", "cast", f.Creature("a").GetSheet().GetRcr().Spells[0].Name, "b", withFacts(body.FactCovers, c.covered))
			}
			f.Must(cmd)
			for _, id := range []string{"a", "b", "c"} {
				if got := f.DamageTo(id) > 0; got != slices.Contains(c.hurt, id) {
					t.Errorf("%s is hurt: %v", id, got)
				}
			}
		})
	}
}

// rcr.base.fifth-edition-fallback, rcr.opportunity.cast-spell, rcr.base.counterspell: a spell
// that is readied is cast at once: who is brought down as it casts keeps the slot, what is
// countered is lost with it, and in neither case is anything held.
func TestReadiedSpellThatFails(t *testing.T) {
	for name, c := range map[string]struct {
		feet  int32 // of the enemy
		do    func(f *table)
		slots int64
		held  bool
	}{
		"it is held":           {5, func(f *table) { f.Answer(body.DecOpportunity, "no") }, 1, true},
		"the caster is struck": {5, func(f *table) { f.Answer(body.DecOpportunity, "sword") }, 1, true},
		"the caster is brought down": {5, func(f *table) {
			f.falls(20)
			f.Answer(body.DecOpportunity, "sword")
		}, 2, false},
		"it is countered":     {30, func(f *table) { f.Answer(movement.DecCounterspell, movement.CounterLowest) }, 1, false},
		"it is not countered": {30, func(f *table) { f.Answer(movement.DecCounterspell, "no") }, 1, true},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t)
			f.place(fighter("a", "party", caster), 0, 0)
			f.place(fighter("b", "monsters", rcrSheet(func(s *eventv1.RcrSheet) {
				s.SpellDc, s.SpellSlots = 15, []int32{0, 0, 1}
				if c.feet > 5 {
					s.Spells = []*eventv1.RcrSpell{{Name: "counterspell", Level: 3, CastingTime: "reaction", RangeFeet: 60, Somatic: true}}
				}
			})), c.feet, 0)
			f.start(nil, 20, 5)
			f.Hurt("a", 8)
			f.falls(2)
			f.Must(act("a", "ready", "ball", "", readying("cast")))
			c.do(f)
			if got := slotsLeft(f, "3"); got != c.slots {
				t.Errorf("%d slots, want %d", got, c.slots)
			}
			if got := rules.BegunOf(f.Creature("a"), body.BegunReadied) != nil; got != c.held {
				t.Errorf("held %v", got)
			}
			if got := body.Concentration(f.Creature("a")) == "ball"; got != c.held {
				t.Errorf("concentrates %v", got)
			}
			f.wantCount("a", body.CAction, 0)
		})
	}
}
