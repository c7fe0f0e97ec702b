package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// shooter has one weapon that is loaded in a way of its own.
func shooter(kind string, rapid bool, change ...func(*eventv1.Sheet)) *eventv1.Sheet {
	w := &eventv1.CelesiaWeapon{Name: "w", Kind: body.KindProjectile, Dice: "1d6", Hands: 2, RangeFeet: 80, Load: kind, RapidReload: rapid}
	return fighter("a", "party", append([]func(*eventv1.Sheet){weapon(w)}, change...)...)
}

func TestLoading(t *testing.T) {
	type step struct {
		what    string // shoot or load
		refused string
	}
	shoot, load := step{"shoot", ""}, step{"load", ""}
	no := func(what, rule string) step { return step{what, rule} }
	light, heavy, gun := cite.EquipmentLoadLightCrossbow, cite.EquipmentLoadHeavyCrossbow, cite.EquipmentLoadMartialFirearm
	for _, tc := range []struct {
		rule, kind string
		rapid      bool
		haste      bool
		steps      []step
		acts       int64
	}{
		{"celesia.action.simple-as-free Rapid Reload", body.LoadLight, true, false, []step{shoot, load, shoot, load, shoot}, 0},
		{"celesia.action.simple-as-free without", body.LoadLight, false, false, []step{shoot, load, shoot, no("load", cite.TurnThreeActs)}, 0},
		{cite.EquipmentLoadLightCrossbow, body.LoadLight, false, false, []step{shoot, no("shoot", light), load, no("load", light), shoot}, 0},
		{cite.EquipmentLoadHeavyCrossbow, body.LoadHeavy, false, false, []step{shoot, load}, 0},
		{"celesia.equipment.load-heavy-crossbow Rapid Reload", body.LoadHeavy, true, false, []step{shoot, load, shoot}, 0},
		{"celesia.equipment.load-heavy-crossbow acts", body.LoadHeavy, false, false, []step{shoot, no("shoot", heavy), load, no("shoot", cite.TurnThreeActs)}, 0},
		{cite.EquipmentLoadMartialFirearm, body.LoadMartial, true, true, []step{shoot, load, shoot, load, shoot, load, shoot, no("load", gun)}, 0},
		{"celesia.equipment.load-martial-firearm without the feat", body.LoadMartial, false, false, []step{shoot, load, shoot}, 0},
		{cite.EquipmentDrawAmmunition, "", false, false, []step{shoot, shoot, shoot}, 0},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			f := duel(t, shooter(tc.kind, tc.rapid), fighter("b", "foes", unarmed(), defends(40)))
			if tc.haste {
				f.Afflict("a", body.CondHasted)
			}
			for i, s := range tc.steps {
				cmd, faces := act("a", "attack", "w", "b"), []int{2}
				if s.what == "load" {
					cmd, faces = act("a", "load", "w", ""), nil
				}
				if s.refused != "" {
					wantRefused(t, f.Try(cmd, nil...), s.refused)
					continue
				}
				if err := f.Try(cmd, faces...); err != nil {
					t.Fatalf("step %d: %v", i, err)
				}
			}
			if f.acts("a") != tc.acts {
				t.Errorf("%d acts left, want %d", f.acts("a"), tc.acts)
			}
		})
	}
	t.Run("celesia.equipment.load-heavy-crossbow repeating", func(t *testing.T) {
		f := duel(t, shooter(body.LoadRepeating, false), fighter("b", "foes", unarmed(), defends(40)))
		f.Resolve(setLoaded("a", 1))
		f.Must(act("a", "attack", "w", "b"), 2)
		f.Must(act("a", "load", "w", ""))
		if got := f.Creature("a").Items["w"].Values[body.ValueLoaded]; got != 5 || f.acts("a") != 0 {
			t.Errorf("%d bolts, %d acts", got, f.acts("a"))
		}
	})
	// Free loading does not provoke, loading that is merely shorter does.
	for _, tc := range []struct {
		rule, kind string
		rapid      bool
		asked      int
	}{
		{"celesia.equipment.load-light-crossbow provokes", body.LoadHand, false, 1},
		{"celesia.equipment.load-light-crossbow free", body.LoadHand, true, 0},
		{"celesia.equipment.load-heavy-crossbow shorter", body.LoadHeavy, true, 1},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			f := duel(t, shooter(tc.kind, tc.rapid), fighter("b", "foes"))
			f.Resolve(setLoaded("a", 0))
			f.Must(act("a", "load", "w", ""))
			if len(f.Decisions) != tc.asked {
				t.Errorf("%d asked, want %d", len(f.Decisions), tc.asked)
			}
		})
	}
	t.Run("celesia.equipment.load-light-crossbow the feat is for another weapon", func(t *testing.T) {
		other := section(func(c *eventv1.CelesiaSheet) {
			c.Weapons = append(c.Weapons, &eventv1.CelesiaWeapon{Name: "hand crossbow", Kind: body.KindProjectile, Dice: "1d4", Hands: 1, RangeFeet: 30, Load: body.LoadHand, RapidReload: true, Hand: "stowed"})
		})
		f := duel(t, shooter(body.LoadLight, false, other), fighter("b", "foes", unarmed()))
		f.Must(act("a", "attack", "w", "b"), 2)
		f.Must(act("a", "load", "w", ""))
		if f.acts("a") != 1 {
			t.Errorf("%d acts left, want 1", f.acts("a"))
		}
	})
}

func TestFlasks(t *testing.T) {
	flask := weapon(&eventv1.CelesiaWeapon{Name: "oil", Kind: body.KindThrown, Dice: "1d3", Hands: 1, RangeFeet: 10, Load: body.LoadFlask, Splash: true})
	f := duel(t, fighter("a", "party", flask), fighter("b", "foes", unarmed()))
	wantRefused(t, f.Try(act("a", "attack", "oil", "b")), cite.EquipmentOilFlask)
	f.Must(act("a", "prepare-flask", "oil", ""))
	wantRefused(t, f.Try(act("a", "prepare-flask", "oil", "")), cite.ActionStandardConsecutive)
	f.Must(act("a", "attack", "oil", "b"), 2)
	if f.acts("a") != 0 {
		t.Errorf("celesia.equipment.oil-flask: %d acts left, want 0", f.acts("a"))
	}
}
