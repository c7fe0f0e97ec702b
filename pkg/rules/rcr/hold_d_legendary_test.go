package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// mighty makes a creature with legendary actions; before a and after its own turn.
func mighty(t *testing.T, change func(*eventv1.Sheet), list ...*eventv1.RcrLegendary) *table {
	t.Helper()
	f := newTable(t)
	f.place(fighter("a", "party"), 0, 0)
	f.place(fighter("b", "party"), 0, 50)
	f.place(fighter("d", "monsters", rcrSheet(func(s *eventv1.RcrSheet) { s.LegendaryActions, s.Legendary = 3, list }), func(s *eventv1.Sheet) {
		if change != nil {
			change(s)
		}
	}), 5, 0)
	return f.start(nil, 20, 10, 5)
}

func legend(item, targets string, change ...func(*eventv1.TakeAction)) *eventv1.Command {
	return act("d", "legendary", item, targets, change...)
}

// rcr.base.fifth-edition-fallback, rcr.surprise.one-action: legendary actions are taken as
// another's turn ends, by who has any left, can act, and is not in a surprise round.
func TestWhenLegendaryActionsCome(t *testing.T) {
	list := []*eventv1.RcrLegendary{{Name: "detect", Skill: "perception"}}
	listed := func(f *table) bool { return f.Creature("d").Marks[body.MLegendary] != "" }
	for name, c := range map[string]struct {
		do   func(f *table)
		open bool
	}{
		"another's turn ends": {nil, true},
		"none are left":       {func(f *table) { f.Count("d", body.CLegendary, 0) }, false},
		"one is left":         {func(f *table) { f.Count("d", body.CLegendary, 1) }, true},
		"it cannot act":       {func(f *table) { f.Afflict("d", body.CondIncapacitated) }, false},
		"it is stunned":       {func(f *table) { f.Afflict("d", body.CondStunned) }, false},
	} {
		f := mighty(t, nil, list...)
		if c.do != nil {
			c.do(f)
		}
		f.End("a", 19)
		if got := listed(f); got != c.open {
			t.Errorf("%s: %v", name, got)
		}
	}
	f := mighty(t, nil, list...)
	f.End("a", 1)
	f.End("b", 1)
	f.End("d", 1) // its own turn
	if listed(f) {
		t.Error("at the end of its own turn")
	}
	f = newTable(t).add(fighter("a", "party"), fighter("b", "party"), fighter("d", "monsters", rcrSheet(func(s *eventv1.RcrSheet) { s.LegendaryActions, s.Legendary = 3, list })))
	f.start([]string{"b"}, 20, 5)
	f.End("a")
	if listed(f) || f.State.Round != 0 {
		t.Errorf("in the surprise round: %v", f.State.Round)
	}
	wantRefused(t, f.Try(legend("detect", "")), cite.SurpriseOneAction)
}

// rcr.base.fifth-edition-fallback: a legendary action with an attack makes that, whatever
// else its sheet says beside; its listing asks for no words, a command may say those of
// an attack.
func TestLegendaryAttackBesideAPower(t *testing.T) {
	f := mighty(t, rcrSheet(func(s *eventv1.RcrSheet) {
		s.Powers = []*eventv1.RcrPower{{Name: "burn", Cost: "legendary", Save: &eventv1.RcrSave{Ability: "dexterity", Dc: 15}, Damage: []*eventv1.RcrDamage{{Dice: "1d6", Type: "fire"}}}}
	}), &eventv1.RcrLegendary{Name: "both", Attack: "sword", Power: "burn"}, &eventv1.RcrLegendary{Name: "burn", Power: "burn"})
	f.End("a", 19)
	wantReasonOf(t, "the power touches nobody", f.Try(legend("burn", "")), "NO_TARGET")
	if o := offered(f.State, "d", "legendary", "both"); !o.GetLegal() || len(o.Parameters) > 0 || !slices.Equal(o.Targets, []string{"a"}) {
		t.Errorf("listed %v", o)
	}
	f.Must(legend("both", "a", withParameters("knock_out", true)), 15, 4)
	f.WantHP("a", 33)
	f.wantCount("d", body.CLegendary, 2)
}

// rcr.condition.restrained-somatic, rcr.trait.rage: a legendary action that casts is
// offered while any of its spells can be cast, else refused as the first of them is.
func TestLegendarySpellsThatCannotBeCast(t *testing.T) {
	quiet := &eventv1.RcrSpell{Name: "whisper", Innate: true, Usage: &eventv1.RcrUsage{Uses: 1, Recharge: "day"}, RangeFeet: 60, Save: &eventv1.RcrSave{Ability: "wisdom", Dc: 10}}
	wave := &eventv1.RcrSpell{Name: "wave", Somatic: true, RangeFeet: 60, Save: &eventv1.RcrSave{Ability: "wisdom", Dc: 10}}
	slow := &eventv1.RcrSpell{Name: "rite", CastingTime: "longer"}
	swift := &eventv1.RcrSpell{Name: "flick", CastingTime: "bonus"}
	timed := &eventv1.RcrSpell{Name: "hex", CastingTime: "action", RangeFeet: 60, Save: &eventv1.RcrSave{Ability: "wisdom", Dc: 10}}
	for name, c := range map[string]struct {
		spells []*eventv1.RcrSpell
		do     func(f *table)
		reason string
		values []string
	}{
		"all can be cast":         {[]*eventv1.RcrSpell{wave, quiet, timed}, nil, "", []string{"wave", "whisper", "hex"}},
		"of an action's time":     {[]*eventv1.RcrSpell{slow, timed, swift}, nil, "", []string{"hex"}},
		"one can":                 {[]*eventv1.RcrSpell{wave, quiet}, func(f *table) { f.Afflict("d", body.CondRestrained) }, "", []string{"wave", "whisper"}},
		"none, the first somatic": {[]*eventv1.RcrSpell{wave, quiet}, func(f *table) { f.Afflict("d", body.CondRestrained); f.Count("d", body.CLeft+"whisper", 0) }, "d is restrained: no spell with a somatic component", nil},
		"none, the first spent":   {[]*eventv1.RcrSpell{quiet, wave}, func(f *table) { f.Afflict("d", body.CondRestrained); f.Count("d", body.CLeft+"whisper", 0) }, "whisper is spent", nil},
		"it has none":             {nil, nil, "d has no spell for it", nil},
		"none of its time":        {[]*eventv1.RcrSpell{slow, swift}, nil, "d has no spell for it", nil},
	} {
		t.Run(name, func(t *testing.T) {
			f := mighty(t, rcrSheet(func(s *eventv1.RcrSheet) { s.Spells = c.spells }), &eventv1.RcrLegendary{Name: "cast", Casts: eventv1.RcrLegendary_CASTS_ANY})
			if c.do != nil {
				c.do(f)
			}
			f.End("a", 19)
			o := offered(f.State, "d", "legendary", "cast")
			if o.GetLegal() != (c.reason == "") || o.GetReason() != c.reason {
				t.Fatalf("%v", o)
			}
			if c.reason == "" && !slices.Equal(valuesOf(o, "spell"), c.values) {
				t.Errorf("%v, want %v", valuesOf(o, "spell"), c.values)
			}
		})
	}
}

// rcr.base.movement-cost-additive: a legendary move is a part of the speed of its mode:
// of that said, else of the first that is open to it; where that is no foot, there is
// nothing to choose and nowhere to go.
func TestHowFarALegendaryMoveGoes(t *testing.T) {
	for name, c := range map[string]struct {
		speeds  map[string]int32
		percent int32
		air     bool
		mode    string
		most    int
		first   string
	}{
		"walking, nothing is said":     {map[string]int32{"walk": 30, "climb": 50}, 50, false, "", 15, "walk"},
		"climbing":                     {map[string]int32{"walk": 30, "climb": 50}, 50, false, "climb", 25, "walk"},
		"climbing as fast as it walks": {map[string]int32{"walk": 30, "climb": 30}, 50, false, "climb", 15, "walk"},
		"all of its speed":             {map[string]int32{"walk": 30}, 100, false, "", 30, "walk"},
		"one that only flies":          {map[string]int32{"fly": 60}, 50, false, "", 30, "fly"},
		"in the air, nothing is said":  {map[string]int32{"walk": 30, "fly": 60}, 50, true, "", 30, "fly"},
		"a single foot":                {map[string]int32{"walk": 30}, 4, false, "", 1, "walk"},
		"no foot of it":                {map[string]int32{"walk": 30}, 1, false, "", 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party"), fighter("d", "monsters", func(s *eventv1.Sheet) { s.Speeds = c.speeds },
				rcrSheet(func(s *eventv1.RcrSheet) {
					s.LegendaryActions, s.Legendary = 3, []*eventv1.RcrLegendary{{Name: "stride", MovePercent: c.percent}}
				}))).start(nil, 5, 20)
			f.End("d", 20)
			if c.air {
				f.aloft("d", body.AirFlying, 60)
			}
			f.End("a", 5)
			go_ := func(n int) *eventv1.Command {
				said := []any{"feet", n}
				if c.mode != "" {
					said = append(said, "mode", c.mode)
				}
				return legend("stride", "", withParameters(said...))
			}
			f.Resolve(func(r *rules.Resolution) error { r.Flag("d", body.MLegendary, true); return nil })
			if o := offered(f.State, "d", "legendary", "stride"); o.GetLegal() != (c.most > 0) || c.most > 0 && valuesOf(o, "mode")[0] != c.first {
				t.Errorf("listed %v", o)
			}
			if c.most == 0 {
				wantReasonOf(t, name, f.Try(go_(1)), "NO_MOVEMENT")
				return
			}
			wantRefused(t, f.Try(go_(c.most+1)), cite.BaseMovementCostAdditive)
			before := f.Creature("d").Counters
			moved, left := before[body.CMoved], before[body.CMovement]
			f.Must(go_(c.most))
			f.wantCount("d", body.CMoved, moved)
			f.wantCount("d", body.CMovement, left)
		})
	}
}

// rcr.damage.dangerous-terrain: of a legendary move the movement that it gives counts: what
// is more than half of that hurts.
func TestDangerousGroundInALegendaryMove(t *testing.T) {
	for feet, hurts := range map[int]bool{3: false, 4: true} {
		f := newTable(t).add(fighter("a", "party"), fighter("d", "monsters", rcrSheet(func(s *eventv1.RcrSheet) {
			s.LegendaryActions, s.Legendary = 3, []*eventv1.RcrLegendary{{Name: "stride", MovePercent: 50}}
		}))).start(nil, 20, 5)
		f.End("a", 19)
		f.Resolve(func(r *rules.Resolution) error { r.Flag("d", body.MLegendary, true); return nil })
		f.falls(10)
		f.Must(legend("stride", "", withParameters("feet", feet), withFacts("dangerous", feet)))
		if got := len(f.Rolls("terrain/damage")) > 0; got != hurts { // 4 feet cost 8 of 15
			t.Errorf("%d feet: %v", feet, got)
		}
	}
}

// rcr.base.fifth-edition-fallback: a legendary move that provokes nobody covers its way
// alone; who had disengaged before stays so afterwards.
func TestLegendaryMovesThatProvokeNobody(t *testing.T) {
	for name, c := range map[string]struct {
		item       string
		disengaged bool
		asked      bool
		after      bool
	}{
		"one that provokes":           {"rush", false, true, false},
		"one that does not":           {"glide", false, false, false},
		"one that has disengaged":     {"rush", true, false, true},
		"one that has, and would not": {"glide", true, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			f := mighty(t, nil, &eventv1.RcrLegendary{Name: "rush", MovePercent: 100}, &eventv1.RcrLegendary{Name: "glide", MovePercent: 100, Unprovoking: true})
			f.Place("d", 25, 0)
			f.Place("a", 15, 5)
			f.End("a", 19)
			if c.disengaged {
				f.Afflict("d", body.CondDisengaged)
			}
			f.Resolve(func(r *rules.Resolution) error { r.Flag("d", body.MLegendary, true); return nil })
			f.Must(legend(c.item, "", along(0, 0)))
			if got := len(f.Decisions) > 0; got != c.asked {
				t.Fatalf("asked %v", f.Decisions)
			}
			if c.asked {
				f.Answer(body.DecOpportunity, "no")
			}
			f.wantHas("d", body.CondDisengaged, c.after)
		})
	}
}
