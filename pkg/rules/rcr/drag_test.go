package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.base.fifth-edition-fallback: whoever is grappled may be dragged along, at
// half the speed unless it is two sizes smaller.
func TestDragging(t *testing.T) {
	held := func(t *testing.T, size string) *table {
		f := field(t, 5, 0, func(_, b *eventv1.Sheet) { b.Size = size })
		f.Afflict("b", body.CondGrappled+"@a")
		return f
	}
	along2 := func(x int32, more ...any) func(*eventv1.TakeAction) {
		return func(take *eventv1.TakeAction) {
			along(x, 0)(take)
			take.Parameters = object(append([]any{"drag", "b"}, more...)...)
		}
	}
	for _, c := range []struct {
		name, size string
		left       int64
	}{{"as large: twice the cost", "medium", 0}, {"a size smaller: twice the cost", "small", 0}, {"two sizes smaller: as if alone", "tiny", 15}} {
		t.Run(c.name, func(t *testing.T) {
			f := held(t, c.size)
			f.Must(act("a", "move", "", "", along2(-15)))
			f.wantCount("a", body.CMovement, c.left)
			if b := f.Creature("b"); b.Position.X != -10 || b.Position.Y != 0 || !body.Has(b, body.CondGrappled) {
				t.Fatalf("b at %v", b.Position)
			}
		})
	}
	t.Run("no farther than half the speed", func(t *testing.T) {
		wantRefused(t, held(t, "medium").Try(act("a", "move", "", "", along2(-20))), cite.BaseMovementCostAdditive)
	})
	t.Run("rcr.base.movement-cost-additive: through difficult terrain at half the speed", func(t *testing.T) {
		f := held(t, "medium")
		f.Must(act("a", "move", "", "", along2(-5), withFacts("difficult", 5)))
		f.wantCount("a", body.CMovement, 10)
	})
	t.Run("into the place of the one held, which gives way", func(t *testing.T) {
		f := held(t, "medium")
		f.Must(act("a", "move", "", "", along2(10)))
		if b := f.Creature("b"); distanceOf(t, f, "a", "b") != 5 || !body.Has(b, body.CondGrappled) {
			t.Fatalf("b at %v", b.Position)
		}
	})
	t.Run("rcr.base.opportunity-frame: being dragged provokes nothing", func(t *testing.T) {
		f := newTable(t)
		f.place(fighter("a", "party"), 0, 0)
		f.place(fighter("b", "monsters"), 5, 0)
		f.place(fighter("d", "party"), 10, 0)
		f.start(nil, 20, 5, 4)
		f.Afflict("b", body.CondGrappled+"@a", body.CondProne)
		f.Must(act("a", "move", "", "", along2(-15)))
		f.wantAsked()
	})
	t.Run("without a map", func(t *testing.T) {
		f := duel(t)
		f.Afflict("b", body.CondGrappled+"@a")
		f.Must(act("a", "move", "", "", withParameters("feet", 10, "drag", "b")))
		f.wantCount("a", body.CMovement, 10)
		if !body.Has(f.Creature("b"), body.CondGrappled) {
			t.Fatal("let go")
		}
	})
	t.Run("only whom one holds", func(t *testing.T) {
		f := held(t, "medium")
		if err := f.Try(act("a", "move", "", "", along(-5, 0), withParameters("drag", "a"))); err == nil {
			t.Fatal("dragged")
		}
	})
	t.Run("no room", func(t *testing.T) {
		f := newTable(t)
		f.place(fighter("a", "party"), 0, 0)
		f.place(fighter("b", "monsters", func(s *eventv1.Sheet) { s.Size = "large" }), 5, 0)
		for i, at := range [][2]int32{{-20, 5}, {-20, 0}, {-20, -5}, {-15, 5}, {-15, -5}, {-10, 5}, {-10, -5}} {
			f.place(fighter(string(rune('m'+i)), "party"), at[0], at[1])
		}
		f.start(nil, 20, 5, 4, 4, 4, 4, 4, 4, 4)
		f.Afflict("b", body.CondGrappled+"@a")
		err := f.Try(act("a", "move", "", "", along2(-15)))
		if fe, _ := asFaultOf(err); fe != "NO_ROOM" {
			t.Fatalf("%v", err)
		}
	})
}

func distanceOf(t *testing.T, f *table, a, b string) int32 {
	t.Helper()
	feet, known := body.Distance(f.Creature(a), f.Creature(b))
	if !known {
		t.Fatal("no positions")
	}
	return feet
}

// rcr.base.fifth-edition-fallback: components need a free hand.
func TestSpellsNeedAHand(t *testing.T) {
	both := func(s *eventv1.Sheet) {
		caster(s)
		s.GetRcr().Attacks = append(s.GetRcr().Attacks, &eventv1.RcrAttack{Name: "dagger", ReachFeet: 5, Properties: []string{"light"}, Hand: "off"})
		s.GetRcr().Spells = append(s.GetRcr().Spells, &eventv1.RcrSpell{Name: "dust", CastingTime: "action", Material: true, RangeFeet: 60, Save: &eventv1.RcrSave{Ability: "wisdom"}},
			&eventv1.RcrSpell{Name: "storm", CastingTime: "action", Somatic: true, Material: true, RangeFeet: 60, Save: &eventv1.RcrSave{Ability: "wisdom"}})
	}
	with := func(change func(*eventv1.RcrSheet)) func(*eventv1.Sheet) {
		return func(s *eventv1.Sheet) { both(s); change(s.GetRcr()) }
	}
	shield := func(s *eventv1.Sheet) { caster(s); s.GetRcr().Shield = eventv1.RcrSheet_SHIELD_SHIELD }
	buckler := func(s *eventv1.Sheet) { caster(s); s.GetRcr().Shield = eventv1.RcrSheet_SHIELD_BUCKLER }
	for _, c := range []struct {
		name    string
		change  func(*eventv1.Sheet)
		setting string
		spell   string
		held    string
		refused bool
	}{
		{"a weapon in each hand, gestures", both, "on", "gesture", "", true},
		{"a weapon in each hand, a pinch of dust", both, "on", "dust", "", true},
		{"a weapon in each hand, words alone", both, "on", "command", "", false},
		{"by the switch", both, "off", "gesture", "", false},
		{"one hand free", caster, "on", "gesture", "", false},
		{"weapon and shield", shield, "on", "gesture", "", true},
		{"weapon and buckler", buckler, "on", "gesture", "", false},
		{"War Caster gestures with full hands", with(func(s *eventv1.RcrSheet) { s.Feats = []string{"war caster"} }), "on", "gesture", "", false},
		{"War Caster has no hand for the dust", with(func(s *eventv1.RcrSheet) { s.Feats = []string{"war caster"} }), "on", "dust", "", true},
		{"a focus serves for dust and the gestures with it", with(func(s *eventv1.RcrSheet) { s.SpellFocus = true }), "on", "storm", "", false},
		{"a focus serves not for gestures alone", with(func(s *eventv1.RcrSheet) { s.SpellFocus = true }), "on", "gesture", "", true},
		{"the other hand holds a foe", caster, "on", "gesture", "z", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t, body.SetSpellHands+"="+c.setting).add(fighter("a", "party", c.change), fighter("b", "monsters"), fighter("z", "monsters")).start(nil, 20, 5, 4)
			if c.held != "" {
				f.Put(c.held, &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondGrappled, Source: "a", Cause: "grapple"}}})
			}
			f.Roller = func(int) int { return 10 }
			err := f.Try(act("a", "cast", c.spell, "b"))
			if !c.refused && err != nil {
				t.Fatal(err)
			}
			if fe, _ := asFaultOf(err); c.refused && fe != "NO_FREE_HAND" {
				t.Fatalf("%v", err)
			}
		})
	}
	t.Run("letting the weapon fall frees the hand, and costs nothing", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", both), fighter("b", "monsters")).start(nil, 20, 5)
		f.Must(act("a", "drop", "dagger", ""))
		f.Must(act("a", "cast", "gesture", "b"), 20)
	})
	t.Run("a foe held takes a hand: no two-handed weapon, no second grapple with a sword in the other", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", func(s *eventv1.Sheet) {
			s.GetRcr().Attacks[0].Properties = []string{"two-handed"}
			s.GetRcr().AttacksPerAction = 4
		}), fighter("b", "monsters"), fighter("z", "monsters")).start(nil, 20, 5, 4)
		f.Must(act("a", "attack", "sword", "b"), 2)
		f.Must(act("a", "grapple", "", "b"), 15, 5)
		wantRefused(t, f.Try(act("a", "attack", "sword", "z")), cite.BaseFifthEditionFallback)
		wantRefused(t, f.Try(act("a", "grapple", "", "z")), cite.BaseFifthEditionFallback)
		f.Must(act("a", "release", "", "b"))
		f.Must(act("a", "attack", "sword", "z"), 2)
	})
}

// rcr.base.fifth-edition-fallback: what cannot be grappled is not, and whoever
// tries finds out.
func TestGrapplingTheImmune(t *testing.T) {
	f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters", rcrSheet(func(s *eventv1.RcrSheet) { s.ConditionImmunities = []string{body.CondGrappled} }))).start(nil, 20, 5)
	f.Must(act("a", "grapple", "", "b"), 15, 5)
	if body.Has(f.Creature("b"), body.CondGrappled) {
		t.Fatal("grappled")
	}
}
