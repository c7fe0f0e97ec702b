package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// celesia.mount.own-acts, celesia.injury.disabled-one-less-act, celesia.healing.above-zero-restores,
// celesia.condition.staggered-by-nonlethal: acts that were taken from a mount in its rider's
// turn are back when it is healed in it; those spent stay spent.
func TestMountHealedInItsRidersTurn(t *testing.T) {
	build := func(t *testing.T) *table {
		return cavalry(t, fighter("a", "party", spell(&eventv1.CelesiaSpell{Name: "cure", Casting: "swift", Healing: "1d8", Supernatural: true})), horse(), fighter("b", "foes", unarmed()))
	}
	ride := act("a", "ride", "", "", path([2]int32{50, 0}))
	for name, c := range map[string]struct {
		do   func(f *table)
		want int64
		by   string
	}{
		"cured of being disabled, one act spent": {func(f *table) {
			f.Must(ride)
			f.Hurt("h", 0)
			f.wantActs("h", 1, cite.MountOwnActs, cite.InjuryDisabledOneLessAct)
			f.Must(act("a", "cast", "cure", "h"), 1)
		}, 2, cite.TurnThreeActs},
		"cured to 0 it is disabled still": {func(f *table) {
			f.Must(ride)
			f.Hurt("h", -3)
			f.Must(act("a", "cast", "cure", "h"), 3)
		}, 1, cite.InjuryDisabledOneLessAct},
		"cured before it has spent any": {func(f *table) {
			f.Hurt("h", 0)
			f.Must(act("a", "cast", "cure", "h"), 8)
		}, 3, cite.TurnThreeActs},
		"cured when three are spent": {func(f *table) {
			f.Count("h", body.CSpent, 3)
			f.Hurt("h", 0)
			f.Must(act("a", "cast", "cure", "h"), 8)
		}, 0, cite.TurnThreeActs},
		"staggered no more": {func(f *table) {
			f.Must(ride)
			f.Count("h", body.CNonlethal, 20)
			f.wantActs("h", 0, cite.MountOwnActs, cite.ConditionStaggeredByNonlethal)
			f.Must(act("a", "cast", "cure", "h"), 1) // a point of it goes as well: 19 of 40
		}, 2, cite.TurnThreeActs},
	} {
		t.Run(name, func(t *testing.T) {
			f := build(t)
			c.do(f)
			if f.acts("h") != c.want {
				t.Errorf("%d acts, want %d", f.acts("h"), c.want)
			}
			if acts, behind := f.toldActs("h"); len(acts) > 0 && behind[len(behind)-1][1] != c.by {
				t.Errorf("told by %v, want %s", behind, c.by)
			}
			gaits := []string{"single", "double", "run"} // of 1, 2 and 3 acts
			if c.want < 3 {
				wantReason(t, f.Try(act("a", "ride", "", "", gait(gaits[c.want], 55, 0)...)), "NO_ACTS", cite.MountOwnActs)
			}
			if c.want > 0 {
				f.Must(act("a", "ride", "", "", gait(gaits[c.want-1], 55, 0)...))
			}
		})
	}
}

// celesia.mount.own-acts, celesia.mount.shared-initiative: one mounted after its own turn of the
// round has no acts in its rider's, whatever befalls it; in the rider's next it has all.
func TestMountThatHadItsTurn(t *testing.T) {
	build := func(t *testing.T, horsesFace int) *table {
		f := newTable(t).add(fighter("a", "party"), horse(func(s *eventv1.Sheet) { s.Controllers = []string{"a-player"} }), fighter("b", "foes"))
		f.at("a", 0, 10)
		f.at("h", 0, 0)
		f.at("b", 200, 0)
		f.start(nil, 10, 5, horsesFace)
		return f
	}
	t.Run("its turn was before", func(t *testing.T) {
		f := build(t, 19)
		f.End("h")
		f.Must(act("a", "mount", "", "h"))
		f.Hurt("h", 0)
		f.Hurt("h", 40)
		if f.acts("h") != 0 {
			t.Errorf("%d acts", f.acts("h"))
		}
		wantReason(t, f.Try(act("a", "ride", "", "", path([2]int32{5, 0}))), "NO_ACTS", cite.MountOwnActs)
		f.End("a")
		f.End("b")
		f.WantActive("a")
		if f.acts("h") != 3 || f.Creature("h").Marks[body.MHadTurn] != "" {
			t.Errorf("in the next round %d acts, marks %v", f.acts("h"), f.Creature("h").Marks)
		}
		f.Hurt("h", 0)
		f.wantActs("h", 2, cite.MountOwnActs, cite.InjuryDisabledOneLessAct)
	})
	t.Run("its turn would be after", func(t *testing.T) {
		f := build(t, 8)
		f.Must(act("a", "mount", "", "h"))
		if f.acts("h") != 3 {
			t.Errorf("%d acts", f.acts("h"))
		}
	})
	t.Run("left and mounted again in one turn", func(t *testing.T) {
		f := build(t, 8)
		f.Must(act("a", "mount", "", "h"))
		f.Must(act("a", "dismount", "", ""))
		f.Must(act("a", "mount", "", "h"))
		f.Hurt("h", 0)
		f.Hurt("h", 40)
		if f.acts("h") != 0 {
			t.Errorf("%d acts", f.acts("h"))
		}
	})
}

// celesia.action.feint-effect: what is not there to lose is not told as a part of the DV, and the
// feint is used up all the same.
func TestFeintThatTakesNothing(t *testing.T) {
	for dexterity, parts := range map[int32]int{0: 0, 3: 1} {
		f := duel(t, fighter("a", "party", skilled("bluff", 30)), fighter("b", "foes", unarmed(), section(func(s *eventv1.CelesiaSheet) { s.DefenseDexterity = dexterity })))
		f.Must(act("a", "feint", "", "b"), 10)
		f.Must(act("a", "attack", "sword", "b"), 2)
		told := 0
		for _, m := range f.Roll("to-hit").Target.Modifiers {
			if m.Source == "feinted" {
				told++
			}
		}
		if dv := f.Roll("to-hit").Target.Value; dv != 15-dexterity || told != parts || body.Has(f.Creature("b"), body.CondFeinted) {
			t.Errorf("Dexterity %d: DV %d, told %d times, %v", dexterity, dv, told, f.Creature("b").Conditions)
		}
	}
}
