package oracle

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// struck is a creature of celesia with so many hit points of so many.
func struck(t *testing.T, hp, most, fortitude int) *rulestest.Table {
	t.Helper()
	f := rulestest.New(t, system(t, "celesia"))
	f.Add(&eventv1.Sheet{Id: "p", Name: "P", Side: "party", Size: "medium", HitPoints: int32(most), Speeds: map[string]int32{"walk": 30},
		Abilities: map[string]int32{"strength": 10, "dexterity": 10, "constitution": 10, "intelligence": 10, "wisdom": 10, "charisma": 10},
		Section:   &eventv1.Sheet_Celesia{Celesia: &eventv1.CelesiaSheet{Level: 1, Defense: 10, TouchDefense: 10, ManeuverDefense: 10, Humanoid: true, Fortitude: int32(fortitude)}}})
	if hp != most {
		f.Hurt("p", int32(hp))
	}
	return f
}

func blowOf(points int) *eventv1.Harm {
	return &eventv1.Harm{Deed: "damage", Target: "p", Cause: "a blow", Parts: []*eventv1.DamagePart{{Rolled: int32(points)}}}
}

// celesia.injury.crippling-choice, celesia.injury.crippling-pick-and-excess
func TestCripplingInPlaceOfDamage(t *testing.T) {
	each(t, 400, func(t *testing.T, c *rulestest.Chance, note func(string, ...any)) {
		hp, damage, row := 1+c.N(49), 1+c.N(49), rulestest.Pick(c, Cripples)
		note("%d of 49 hit points, %d damage, %s", hp, damage, row.Kind)
		f := struck(t, hp, 49, 0)
		f.Medicine(blowOf(damage))
		if asked := len(f.Decisions) > 0; asked != MayBeCrippled(hp, damage) {
			t.Fatalf("asked: %t", asked)
		}
		if len(f.Decisions) == 0 {
			f.WantHP("p", int32(hp-damage))
			return
		}
		if c.OneIn(4) {
			f.Choose("none")
			f.WantHP("p", int32(hp-damage))
			return
		}
		option := row.Kind
		if row.Sided {
			option += ":left"
		}
		f.Choose(option)
		f.WantHP("p", int32(AfterCrippling(hp, damage, row)))
		wantInjury(t, f, row.Kind)
	})
}

// celesia.injury.massive-threshold, celesia.injury.massive-save, celesia.injury.massive-injury
func TestMassiveDamage(t *testing.T) {
	each(t, 400, func(t *testing.T, c *rulestest.Chance, note func(string, ...any)) {
		most, damage, save, die, side := 60+c.N(240), 30+c.N(150), 2+c.N(18), 1+c.N(20), 1+c.N(2)
		hp := damage + 1 + c.N(40) // nobody falls, so nobody chooses
		most = max(most, hp)
		fortitude := 10 + c.N(40)
		note("%d of %d hit points, %d damage, save %d+%d, die %d", hp, most, damage, save, fortitude, die)
		f := struck(t, hp, most, fortitude)
		row := MassiveCripple(die, damage)
		faces := []int{save}
		lives := save == 20 || save+fortitude >= MassiveDC(damage)
		switch {
		case !Massive(most, damage):
			faces = nil
		case lives && row.Sided:
			faces = append(faces, die, side)
		case lives:
			faces = append(faces, die)
		}
		f.Medicine(blowOf(damage), faces...)
		switch {
		case !Massive(most, damage):
			f.WantHP("p", int32(hp-damage))
			wantInjury(t, f, "")
		case lives:
			f.WantHP("p", int32(hp-damage))
			wantInjury(t, f, row.Kind)
		default:
			f.WantLife("p", eventv1.LifeStatus_LIFE_STATUS_DEAD)
		}
	})
}

// wantInjury holds that there is one injury of a kind, or none.
func wantInjury(t *testing.T, f *rulestest.Table, kind string) {
	t.Helper()
	got := f.Creature("p").GetInjuries()
	if kind == "" && len(got) == 0 {
		return
	}
	if len(got) != 1 || got[0].Kind != kind {
		t.Errorf("injuries %v, want %q", got, kind)
	}
}
