package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// treated tells whether medicine was asked for a deed in the last action.
func (f *table) treated() bool {
	return slices.ContainsFunc(f.Recorded, func(in *eventv1.Input) bool { return in.GetHarm() != nil })
}

// rcr.base.death-save-frame, rcr.death.secret-saves, rcr.death.inspiration-auto-success,
// rcr.condition.paralyzed-disabled: medicine has something to do as a turn begins for the
// dying, for whoever is stable in secret and has inspiration to spend, held or set on a
// roll, and for whoever has no air, unless it needs none; for all others it has not.
func TestForWhomMedicineIsDue(t *testing.T) {
	hp, one := int32(0), int64(1)
	stable := func(more map[string]int64, marks map[string]string) *eventv1.Vitals {
		v := &eventv1.Vitals{Hp: &hp, Life: eventv1.LifeStatus_LIFE_STATUS_STABLE, Counters: map[string]int64{body.CDeathStable: one}, Marks: marks}
		for name, n := range more {
			v.Counters[name] = n
		}
		return v
	}
	for name, c := range map[string]struct {
		change func(*eventv1.Sheet)
		do     func(f *table)
		due    bool
	}{
		"the hale":             {nil, nil, false},
		"the dying":            {nil, func(f *table) { f.Hurt("b", 0) }, true},
		"the stable in secret": {nil, func(f *table) { f.Hurt("b", 0); f.Put("b", stable(nil, nil)) }, false},
		"with inspiration":     {nil, func(f *table) { f.Hurt("b", 0); f.Put("b", stable(map[string]int64{body.CInspiration: 1}, nil)) }, true},
		"with inspiration set on a save": {nil, func(f *table) {
			f.Hurt("b", 0)
			f.Put("b", stable(nil, map[string]string{body.MInspired: body.ForSave}))
		}, true},
		"limp":                      {nil, func(f *table) { f.Afflict("b", body.CondParalyzed+"="+body.VariantDisabled) }, true},
		"limp, and needs no air":    {rcrSheet(func(s *eventv1.RcrSheet) { s.Breathless = true }), func(f *table) { f.Afflict("b", body.CondParalyzed+"="+body.VariantDisabled) }, false},
		"stiff":                     {nil, func(f *table) { f.Afflict("b", body.CondParalyzed) }, false},
		"an effect of that variant": {nil, func(f *table) { f.Afflict("b", "effect.mark="+body.VariantDisabled) }, false},
		"suffocating":               {nil, func(f *table) { f.Afflict("b", body.CondSuffocating) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := fighter("b", "monsters")
			if c.change != nil {
				c.change(s)
			}
			f := newTable(t).add(fighter("a", "party"), s, fighter("c", "party")).start(nil, 20, 10, 5)
			if c.do != nil {
				c.do(f)
			}
			f.falls(12)
			f.Must(endTurn("a"))
			if got := f.treated(); got != c.due {
				t.Errorf("medicine is asked: %v", got)
			}
		})
	}
}

// rcr.base.fifth-edition-fallback: what several share is rolled for once, and comes back
// for all of them or not.
func TestSharedRecharge(t *testing.T) {
	breath := &eventv1.RcrUsage{Uses: 1, Recharge: "recharge", RechargeFrom: 5, Shared: "breath"}
	for face, left := range map[int]int64{4: 0, 5: 1} {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters", rcrSheet(func(s *eventv1.RcrSheet) {
			s.Powers = []*eventv1.RcrPower{{Name: "fire", Cost: "action", Usage: breath}, {Name: "frost", Cost: "action", Usage: breath}}
			s.Attacks[0].Usage = breath
		}))).start(nil, 20, 5)
		f.Count("b", body.CLeft+"breath", 0)
		f.Must(endTurn("a"), 1, face)
		f.wantCount("b", body.CLeft+"breath", left)
		if got := len(f.Rolls("recharge/b/breath")); got != 1 {
			t.Errorf("%d rolls", got)
		}
	}
}

// rcr.mount.shared-initiative: a mount whose part in its rider's turn ends as it begins has
// none; one that has a turn of its own already is in it once.
func TestPartsOfMounts(t *testing.T) {
	t.Run("it chokes as its part begins", func(t *testing.T) {
		f := newTable(t).add(human(), orc(), beast()) // nobody knows where
		f.Must(act("a", "mount", "", "h"))
		f.start(nil, 5, 20)
		f.WantActive("b")
		f.Afflict("h", body.CondSuffocating)
		f.falls(1)
		f.Must(endTurn("b"))
		for len(f.Decisions) > 0 {
			if err := f.Settle(f.Decisions[0], &eventv1.Answer{Option: f.Decisions[0].DefaultOption}); err != nil {
				t.Fatal(err)
			}
		}
		if !body.Down(f.Creature("h")) || slices.Contains(f.State.Active, "h") {
			t.Errorf("active %v, h %v", f.State.Active, f.Creature("h").Life)
		}
		ended := 0
		for _, e := range f.Published {
			if slices.Contains(e.GetTurnEnded().GetCreatures(), "h") {
				ended++
			}
		}
		if ended != 1 {
			t.Errorf("its part ended %d times", ended)
		}
	})
	t.Run("it has its action already", func(t *testing.T) {
		f := newTable(t).add(human(), orc()).start(nil, 20, 5)
		f.Must(joining(beast(), nil, "surprises_all", true))
		f.WantActive("a", "h")
		f.Must(act("a", "mount", "", "h"))
		f.WantActive("a", "h")
	})
}
