package celesia

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Rulings that came out wrong once.
func TestRulings(t *testing.T) {
	t.Run(cite.DiceAdvInvisibleAttacker+": who has no eyes does not rely on sight", func(t *testing.T) {
		for eyes, faces := range map[int32][]int{2: {2, 3}, 0: {2}} {
			f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed(), section(func(s *eventv1.CelesiaSheet) {
				s.Body = &eventv1.CelesiaBody{Hands: 2, Fingers: 5, Eyes: eyes, Arms: 2, Legs: 2, Head: true}
			})))
			f.Afflict("a", body.CondInvisible)
			f.Must(act("a", "attack", "sword", "b"), faces...)
		}
	})
	t.Run(cite.AttackRangedBonus+": shots cite it, blows do not", func(t *testing.T) {
		spit := &eventv1.CelesiaWeapon{Name: "spit", Kind: "natural-ranged", Dice: "1d4", RangeFeet: 30, Limb: "mouth"}
		for name, want := range map[string]string{"spit": cite.AttackRangedBonus, "sword": cite.AttackMeleeBonus} {
			f := duel(t, fighter("a", "party", ability("dexterity", 14), section(func(s *eventv1.CelesiaSheet) { s.Weapons = append(s.Weapons, spit) })), fighter("b", "foes", unarmed()))
			f.Must(act("a", "attack", name, "b"), 2)
			for _, e := range f.Events {
				if e.GetRoll() == nil {
					continue
				}
				other := map[string]string{cite.AttackRangedBonus: cite.AttackMeleeBonus, cite.AttackMeleeBonus: cite.AttackRangedBonus}[want]
				if !slices.Contains(e.Rules, want) || !citing(e, want) || citing(e, other) {
					t.Errorf("%s: %v", name, e)
				}
			}
		}
	})
	t.Run(cite.MountMovedTwoActs+": the act that riding takes cites it", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		f.Count("a", body.CRode, 10)
		if f.acts("a") != 2 || !slices.ContainsFunc(f.Events, func(e *eventv1.Event) bool {
			return e.GetCounter().GetCounter() == body.CActs && slices.Equal(e.Rules, []string{cite.MountMovedTwoActs})
		}) {
			t.Errorf("%d acts; %v", f.acts("a"), f.Events)
		}
		f.Hurt("b", 0) // and that of the disabled theirs
		f.End("a")
		if f.acts("b") != 2 {
			t.Errorf("%d acts", f.acts("b"))
		}
	})
	t.Run(cite.MovementMove+": a way goes by squares", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		wantField(t, f.Try(act("a", "move", "", "", way(-3, 0))), "take.path[0]", "5 feet")
		wantField(t, f.Try(act("a", "move", "", "", way(-5, 0, -10, 4))), "take.path[1]")
		f.Must(act("a", "move", "", "", way(-5, 0, -10, 5)))
	})
	t.Run(cite.DiceCircumstanceTable+": a bare ability can be called for", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", ability("strength", 14)), fighter("b", "foes"))
		wantField(t, f.Try(act("a", "ability-check", "", "")), "take.parameters.ability", "missing")
		f.Afflict("a", body.CondSickened)
		f.Must(act("a", "ability-check", "", "", withParameters("ability", "strength", "dc", 12)), 15, 10) // sickened: the lower, and 2
		if roll := f.Roll("check/strength"); roll.Total != 12 || roll.Outcome != "success" {
			t.Error(roll)
		}
		f.start(nil, 15, 15, 5)
		if err := f.Try(act("b", "ability-check", "", "", withParameters("ability", "might"))); err == nil {
			t.Error("an ability that is none is accepted")
		}
	})
	t.Run(cite.AttackRecklessOffenseNatural1+": it is told as a miss of the target", func(t *testing.T) {
		f := crowd(t, [][2]int32{{0, 0}, {5, 0}, {10, 0}}, fighter("a", "party", attacks(18)), fighter("b", "foes", unarmed()), fighter("c", "party"))
		f.Must(act("a", "attack", "sword", "b", with(mending.OptionReckless)), 1, 4) // 1 + 18 + 10 would reach DV 15
		f.WantAttacks("a miss", "a hit")
		f.WantHP("b", 40)
		f.WantHP("c", 40-4)
	})
}
