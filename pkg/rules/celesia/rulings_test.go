package celesia

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
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
	t.Run(cite.ManeuverReposition+": without a way the attacker is asked for the space", func(t *testing.T) {
		f := duel(t, fighter("a", "party", cmb(7)), fighter("b", "foes", cmd(16)))
		f.Must(act("a", "reposition", "", "b"), 9) // 16 is exact: 5 feet
		f.wantOptions(answers.DecPush, "0,-5", "5,-5", "10,-5", "0,5", "5,5", "10,5", "10,0")
		f.Answer(answers.DecPush, "5,5")
		f.wantAt("b", 5, 5)
		f.End("a")
		f.End("b")
		f.Must(act("a", "reposition", "", "b"), 14) // 21: 10 feet, the last 5 beside the threatened area
		f.Answer(answers.DecPush, "10,10")
		f.wantAt("b", 10, 10)
		f.End("a")
		f.End("b")
		f.at("b", 0, 5)
		f.Must(act("a", "reposition", "", "b"), 8) // 15
		f.wantAt("b", 0, 5)
		if len(f.Decisions) > 0 {
			t.Error(f.Decisions)
		}
	})
	t.Run(cite.ManeuverReposition+": nobody is moved where there is no space", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", cmb(7)), fighter("b", "foes", cmd(16)))
		f.at("a", 0, 0)
		f.at("b", 5, 0)
		n := 0
		for x := int32(0); x <= 10; x += 5 {
			for y := int32(-5); y <= 5; y += 5 {
				if y == 0 && x < 10 {
					continue
				}
				n++
				f.add(fighter("w"+body.Itoa(n), "foes"))
				f.at("w"+body.Itoa(n), x, y)
			}
		}
		f.start(nil, 18, 17, 16, 15, 14, 13, 12, 11, 10)
		acts := f.acts("a")
		wantRefused(t, f.Try(act("a", "reposition", "", "b")), cite.ManeuverReposition)
		if f.acts("a") != acts {
			t.Error("it was paid for")
		}
		f.at("w1", 50, 50)
		f.Must(act("a", "reposition", "", "b"), 9)
		f.wantOptions(answers.DecPush, "0,-5")
	})
	t.Run(cite.ManeuverReposition+": points off the squares", func(t *testing.T) {
		f := duel(t, fighter("a", "party", cmb(7)), fighter("b", "foes", cmd(16)))
		wantField(t, f.Try(act("a", "reposition", "", "b", way(8, 5))), "take.path[0]", "square")
		wantField(t, f.Try(act("a", "reposition", "", "b", way(5, 5, 3, 10))), "take.path[1]", "square")
		wantField(t, f.Try(act("a", "drop-item", "sword", "", way(3, 0))), "take.path[0]", "squares")
		f.Must(act("a", "drop-item", "sword", "", way(0, 5)))
		g := holding(t, fighter("a", "party", cmb(8), unarmed()), fighter("b", "foes", unarmed()))
		g.Must(act("a", "grapple-continued", "", ""), 19)
		g.Answer(body.DecHold, "move")
		wantField(t, g.Try(act("a", "move", "", "", way(-20, 0), withParameters("foe_x", -25.0, "foe_y", 3.0))), "take.parameters.foe_x", "squares")
		g.Must(act("a", "move", "", "", way(-20, 0), withParameters("foe_x", -25.0, "foe_y", 5.0)))
	})
	t.Run(cite.ManeuverDrag+": to the point named, not beside it", func(t *testing.T) {
		f := duel(t, fighter("a", "party", cmb(7)), fighter("b", "foes", cmd(16)))
		f.Must(act("a", "drag", "", "b", way(-5, 15)), 19) // 26: 15 feet
		f.wantAt("a", -5, 15)
		f.wantAt("b", 0, 15)
	})
}
