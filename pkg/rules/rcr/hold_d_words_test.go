package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.dice.same-kind-no-stack: what may be renamed are the kinds of the book, those of a
// condition of somebody who is there, and those that the command itself states; each to
// the name that it counts under.
func TestKindsThatCanBeRenamed(t *testing.T) {
	for name, c := range map[string]struct {
		kind  string
		as    any
		field string // that is refused; empty for none
	}{
		"one of the book":                     {"prone/attacker", "tangled", ""},
		"a condition of somebody":             {"stunned/b", "tangled", ""},
		"a condition of oneself":              {"stunned/a", "tangled", ""},
		"a condition of nobody":               {"stunned", "tangled", "take.facts.kinds.stunned"},
		"a condition of one who is not there": {"stunned/nobody", "tangled", "take.facts.kinds.stunned/nobody"},
		"no condition, of somebody":           {"baffled/b", "tangled", "take.facts.kinds.baffled/b"},
		"nothing of somebody":                 {"/b", "tangled", "take.facts.kinds./b"},
		"what the command states":             {"storm", "weather", ""},
		"what it does not state":              {"fog", "weather", "take.facts.kinds.fog"},
		"to nothing":                          {"storm", "", "take.facts.kinds.storm"},
		"to what is no word":                  {"storm", true, "take.facts.kinds.storm"},
	} {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
		f.falls(10)
		err := f.Try(act("a", "attack", "sword", "b", stated("disadvantage:storm"), withFacts("kinds", map[string]any{c.kind: c.as})))
		if c.field != "" {
			wantFault(t, err, c.field)
		} else if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// rcr.dice.inspiration-resource: one inspiration refills what a short rest would: a
// resource, the uses of a power, an attack or a spell, those that several share once;
// what is full, or comes back otherwise, it does not. That it is set on a roll to come
// keeps it from being set again, not from this.
func TestWhatInspirationRefills(t *testing.T) {
	short, long := &eventv1.RcrUsage{Uses: 2, Recharge: "short rest"}, &eventv1.RcrUsage{Uses: 1, Recharge: "long rest"}
	shared := &eventv1.RcrUsage{Uses: 1, Recharge: "short rest", Shared: "channel"}
	build := func(t *testing.T) *table {
		f := newTable(t).add(fighter("a", "party", inspired, rcrSheet(func(s *eventv1.RcrSheet) {
			s.Powers = []*eventv1.RcrPower{{Name: "rally", Cost: "free", Healing: "1", Usage: short}, {Name: "turn", Cost: "free", Healing: "1", Usage: shared}, {Name: "guide", Cost: "free", Healing: "1", Usage: shared},
				{Name: "wish", Cost: "free", Healing: "1", Usage: long}, {Name: "whim", Cost: "free", Healing: "1"}}
			s.Attacks[0].Usage = short
			s.Spells = []*eventv1.RcrSpell{{Name: "spark", Innate: true, Usage: short}}
			s.Resources = []*eventv1.RcrResource{{Name: "second wind", Current: 0, Max: 1, Recharge: "short rest"}, {Name: "lay on hands", Current: 0, Max: 5, Recharge: "long rest"}}
		})), fighter("b", "monsters")).start(nil, 20, 5)
		return f
	}
	listed := func(f *table) (out []string) {
		for _, o := range (System{}).Options(queryOf(f, "a")) {
			if o.Action == "spend-inspiration" {
				out = append(out, o.Item)
			}
		}
		return out
	}
	f := build(t)
	if got, want := listed(f), []string{"", "second wind"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for _, name := range []string{"rally", "sword", "spark", "channel", "wish"} {
		f.Count("a", body.CLeft+name, 0)
	}
	if got, want := listed(f), []string{"", "second wind", "rally", "channel", "sword", "spark"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	f.Must(act("a", "spend-inspiration", "", ""))
	wantReasonOf(t, "set twice", f.Try(act("a", "spend-inspiration", "", "")), "INSPIRED")
	wantReasonOf(t, "of a long rest", f.Try(act("a", "spend-inspiration", "wish", "")), "NOT_SHORT_REST")
	wantReasonOf(t, "without end", f.Try(act("a", "spend-inspiration", "whim", "")), "NOT_SHORT_REST")
	f.Must(act("a", "spend-inspiration", "rally", ""))
	f.wantCount("a", body.CLeft+"rally", 2)
	f.wantCount("a", body.CInspiration, 0)
	for name, full := range map[string]int64{"channel": 1, "sword": 2, "spark": 2} {
		f := build(t)
		f.Count("a", body.CLeft+name, 0)
		f.Must(act("a", "spend-inspiration", name, ""))
		f.wantCount("a", body.CLeft+name, full)
	}
}

// rcr.underwater.depth-light, rcr.equipment.barding-untrained: bad light under water
// hampers checks of perception by sight, and no others; barding that one is not trained
// for hampers attacks with weapons, and no spells.
func TestWhatWaterAndBardingHamper(t *testing.T) {
	yes := true
	dim, dark, bright := body.WaterSaid{Under: &yes, Light: body.LightDim}, body.WaterSaid{Under: &yes, Light: body.LightDark}, body.WaterSaid{Under: &yes, Light: body.LightBright}
	sees := func(skill, purpose string, w body.WaterSaid) body.Asked {
		return body.Asked{Ability: "wisdom", Skill: skill, Purpose: purpose, Water: w}
	}
	barded := func(trained string) []func(*eventv1.Sheet) {
		return []func(*eventv1.Sheet){rcrSheet(func(s *eventv1.RcrSheet) {
			s.Barding, s.BardingTraining = &eventv1.RcrBarding{Type: "ring mail"}, trained
		})}
	}
	with := func(spell bool) body.Asked {
		return body.Asked{Attack: body.AttackKind{Melee: true, Distance: 5, Spell: spell, Blow: &eventv1.RcrAttack{Name: "x", ReachFeet: 5, Spell: spell}}}
	}
	const byLight, byBarding = cite.UnderwaterDepthLight, cite.EquipmentBardingUntrained
	runEdges(t, map[string]edgeCase{
		"it looks in dim water":            {kind: body.RollCheckOf, asked: sees("perception", "sight", dim), edge: byLight, given: true},
		"it looks in dark water":           {kind: body.RollCheckOf, asked: sees("perception", "", dark), edge: byLight, given: true},
		"it looks in bright water":         {kind: body.RollCheckOf, asked: sees("perception", "sight", bright), edge: byLight},
		"it listens in dim water":          {kind: body.RollCheckOf, asked: sees("perception", "hearing", dim), edge: byLight},
		"it ponders in dim water":          {kind: body.RollCheckOf, asked: sees("insight", "", dim), edge: byLight},
		"it searches a mind in dark water": {kind: body.RollCheckOf, asked: sees("insight", "sight", dark), edge: byLight},

		"a weapon, untrained":  {kind: body.RollAttack, asked: with(false), a: barded("light"), edge: byBarding, given: true},
		"a spell, untrained":   {kind: body.RollAttack, asked: with(true), a: barded("light"), edge: byBarding},
		"a weapon, trained":    {kind: body.RollAttack, asked: with(false), a: barded("medium"), edge: byBarding},
		"a weapon, no barding": {kind: body.RollAttack, asked: with(false), edge: byBarding},
	})
}

// rcr.underwater.ranged-beyond-normal, rcr.underwater.weapon-disadvantage: a shot through
// water beyond its normal range misses, one above it does not; what is thrown at one
// within reach is a blow, however near its range ends.
func TestShotsThroughWater(t *testing.T) {
	for name, c := range map[string]struct {
		feet  int
		under bool
		face  int
		want  string
	}{
		"within the range, under water": {20, true, 19, "hit"},
		"beyond it, under water":        {25, true, 19, "miss"},
		"beyond it, above water":        {25, false, 19, "hit"},
		"within reach, under water":     {5, true, 19, "hit"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party", weapons(&eventv1.RcrAttack{Name: "spear", Bonus: 5, ReachFeet: 5, RangeFeet: 20, LongRangeFeet: 60,
				Properties: []string{"thrown", body.PropUnderwater}, Damage: []*eventv1.RcrDamage{{Dice: "1d6", Type: "piercing"}}})), fighter("b", "monsters")).start(nil, 20, 5)
			f.falls(c.face)
			f.Must(act("a", "attack", "spear", "b", withFacts("distance", c.feet, "underwater", c.under)))
			if got := f.Attack().Outcome; got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// Without the rule book in order nothing is offered, and no act is decided: neither
// where the rules of the book do not hold, nor where its words do not.
func TestTheBookHolds(t *testing.T) {
	if body.BookError != nil || body.FrameError() != nil {
		t.Fatal(body.BookError, body.FrameError())
	}
	f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
	was, frame := body.BookError, body.FrameError
	defer func() { body.BookError, body.FrameError = was, frame }()
	broken := fault.New(fault.Internal, "BOOK", "it does not hold")
	for _, c := range []struct {
		name        string
		book, frame error
	}{{"the book", broken, nil}, {"the frame", nil, broken}} {
		body.BookError, body.FrameError = c.book, func() error { return c.frame }
		var err error
		f.Resolve(func(r *rules.Resolution) error {
			err = (System{}).Act(r, act("a", "dodge", "", "").GetTake())
			return nil
		})
		wantReasonOf(t, c.name, err, "BOOK")
		f.wantHas("a", body.CondDodging, false)
	}
	if got := (System{}).Options(queryOf(f, "a")); got != nil {
		t.Errorf("%d options without a frame", len(got))
	}
}
