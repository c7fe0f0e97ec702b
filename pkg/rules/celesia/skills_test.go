package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func skill(name string, bonus int32) func(*eventv1.Sheet) {
	return section(func(c *eventv1.CelesiaSheet) { c.Skills = map[string]int32{name: bonus} })
}

func TestDemoralize(t *testing.T) {
	build := func(t *testing.T) *table {
		return crowd(t, [][2]int32{{0, 0}, {30, 0}}, fighter("a", "party", skill("intimidate", 5)), fighter("b", "foes"))
	}
	t.Run(cite.ActionDemoralize, func(t *testing.T) {
		f := build(t)
		f.Must(act("a", "demoralize", "", "b", withParameters("dc", 14.0, "rounds", 2.0)), 9)
		if !body.Has(f.Creature("b"), body.CondShaken) || f.acts("a") != 2 || len(f.Decisions) != 0 {
			t.Error("1 act, shaken")
		}
		f.End("a")
		f.End("b")
		if !body.Has(f.Creature("b"), body.CondShaken) {
			t.Error("two rounds")
		}
		f.End("a")
		f.End("b")
		if body.Has(f.Creature("b"), body.CondShaken) {
			t.Error("over after two rounds")
		}
	})
	t.Run("celesia.action.demoralize fails", func(t *testing.T) {
		f := build(t)
		f.Must(act("a", "demoralize", "", "b", withParameters("dc", 14.0)), 8)
		if body.Has(f.Creature("b"), body.CondShaken) {
			t.Error("13 against 14")
		}
	})
	t.Run("celesia.action.demoralize refused", func(t *testing.T) {
		f := build(t)
		f.at("b", 35, 0)
		wantRefused(t, f.Try(act("a", "demoralize", "", "b")), cite.ActionDemoralize)
		f.at("b", 20, 0)
		f.Afflict("b", "deafened")
		wantRefused(t, f.Try(act("a", "demoralize", "", "b")), cite.ActionDemoralize)
		g := build(t)
		g.Afflict("b", body.CondBlind)
		wantRefused(t, g.Try(act("a", "demoralize", "", "b")), cite.ActionDemoralize)
	})
}

func TestChecks(t *testing.T) {
	t.Run(cite.ActionRecallKnowledge, func(t *testing.T) {
		f := duel(t, fighter("a", "party", skill("lore", 7)), fighter("b", "foes"))
		f.Must(act("a", "recall-knowledge", "", "", withParameters("dc", 15.0)), 8)
		if f.Roll("check/lore").Outcome != "success" || f.acts("a") != 2 || len(f.Decisions) > 0 {
			t.Error("15 against 15, 1 act, nothing provoked")
		}
	})
	t.Run(cite.ActionSearch, func(t *testing.T) {
		for where, asked := range map[string]int{"room": 0, "area": 1} {
			f := duel(t, fighter("a", "party"), fighter("b", "foes"))
			cmd := act("a", "search", "", "", withParameters("where", where))
			if asked == 0 {
				f.Must(cmd, 12)
			} else {
				f.Must(cmd)
				f.Answer(body.DecReaction, "no", 12)
			}
			if f.acts("a") != 2 {
				t.Errorf("%s: %d acts left", where, f.acts("a"))
			}
		}
	})
	t.Run(cite.MountHandleAnimal, func(t *testing.T) {
		f := duel(t, fighter("a", "party", skill("handle-animal", 5)), fighter("b", "foes"))
		f.Must(act("a", "handle-animal", "", "", withParameters("dc", 10.0)), 5)
		if f.Roll("check/handle-animal").Outcome != "success" || f.acts("a") != 2 {
			t.Error("10 obeys, 1 act")
		}
	})
	t.Run(cite.ActionSleightOfHand, func(t *testing.T) {
		f := duel(t, fighter("a", "party", skill("sleight-of-hand", 24)), fighter("b", "foes"))
		f.Must(act("a", "quick-sleight-of-hand", "", "", withParameters("dc", 20.0)), 16)
		if f.Roll("sleight-of-hand").Outcome != "success" || f.acts("a") != 2 {
			t.Error("16 + 24 - 20 = 20, 1 act")
		}
		f.Must(act("a", "sleight-of-hand", "", "", withParameters("dc", 20.0)), 2)
		if f.acts("a") != 0 {
			t.Errorf("%d acts left", f.acts("a"))
		}
	})
	for face, asked := range map[int]int{5: 1, 6: 0} {
		t.Run(cite.ActionSleightOfHandProvoke, func(t *testing.T) {
			f := crowd(t, [][2]int32{{0, 0}, {5, 0}, {0, 5}}, fighter("a", "party", skill("sleight-of-hand", 10)), fighter("b", "foes"), fighter("c", "foes"))
			f.Must(act("a", "sleight-of-hand", "", "", withParameters("dc", 20.0, "from", "b")), face)
			if len(f.Decisions) != asked || asked == 1 && f.Decisions[0].Creature != "b" {
				t.Errorf("asked %v, want %d", f.Decisions, asked)
			}
		})
	}
	for face, free := range map[int]bool{12: true, 11: false} {
		t.Run(cite.ActionEscapeNet, func(t *testing.T) {
			f := duel(t, fighter("a", "party", skill("escape-artist", 8)), fighter("b", "foes", unarmed()))
			f.Afflict("a", "entangled=net")
			f.Must(act("a", "escape-net", "", ""), face)
			if body.Has(f.Creature("a"), "entangled") == free || f.acts("a") != 1 {
				t.Errorf("face %d: entangled %v", face, body.Has(f.Creature("a"), "entangled"))
			}
		})
	}
	t.Run("celesia.dice.dis-blind-skills in a net", func(t *testing.T) {
		f := duel(t, fighter("a", "party", skill("escape-artist", 6)), fighter("b", "foes"))
		wantRefused(t, f.Try(act("a", "escape-net", "", "")), cite.ActionEscapeNet)
		f.Afflict("a", "entangled=net", body.CondBlind)
		f.Must(act("a", "escape-net", "", ""))
		f.Answer(body.DecReaction, "no", 18, 13) // keeps 13: 19
		if !body.Has(f.Creature("a"), "entangled") {
			t.Error("19 fails")
		}
	})
	for face, out := range map[int]bool{8: true, 7: false} {
		t.Run(cite.ActionExtinguish, func(t *testing.T) {
			f := duel(t, fighter("a", "party", section(func(c *eventv1.CelesiaSheet) { c.Reflex = 3 })), fighter("b", "foes", unarmed()))
			wantRefused(t, f.Try(act("a", "extinguish", "", "")), cite.ActionExtinguish)
			f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: checks.CondBurning, Variant: "reflex", Values: map[string]int32{"dc": 15}}}})
			f.Must(act("a", "extinguish", "", ""), face)
			if body.Has(f.Creature("a"), checks.CondBurning) == out || f.acts("a") != 1 {
				t.Errorf("face %d: burning %v", face, body.Has(f.Creature("a"), checks.CondBurning))
			}
		})
	}
}

func TestAidOfOtherKinds(t *testing.T) {
	build := func(t *testing.T) *table {
		return crowd(t, [][2]int32{{0, 0}, {5, 0}, {10, 0}}, fighter("a", "party", skill("heal", 6)), fighter("b", "party", skill("heal", 4)), fighter("c", "foes", unarmed()))
	}
	t.Run(cite.ActionAidAnotherOther, func(t *testing.T) {
		f := build(t)
		f.Must(act("a", "aid-check", "", "b", withParameters("skill", "heal")), 14) // 20: +2
		f.End("a")
		f.Must(act("b", "skill-check", "", "", withParameters("skill", "heal", "acts", 0.0)), 9)
		if got := f.Roll("check/heal").Total; got != 15 {
			t.Errorf("total %d, want 15", got)
		}
		f.Must(act("b", "skill-check", "", "", withParameters("skill", "heal", "acts", 0.0)), 9)
		if got := f.Roll("check/heal").Total; got != 13 {
			t.Errorf("total %d, want 13: the aid is used up", got)
		}
		wantRefused(t, f.Try(act("b", "aid-check", "", "c", withParameters("skill", "heal"))), cite.ActionAidAnotherOther)
	})
	for face, bonus := range map[int]int32{20: 2, 4: 1, 3: 0} { // totals 26, 10 and 9 against 10
		t.Run("celesia.action.aid-another-other for a save", func(t *testing.T) {
			f := build(t)
			f.Must(act("a", "aid-check", "", "b", withParameters("skill", "heal", "for", "save", "dc", 10.0)), face)
			f.Must(act("b", "saving-throw", "", "", withParameters("save", "will", "dc", 10.0)), 9)
			if got := f.Roll("save/b").Total; got != 9+bonus {
				t.Errorf("face %d: total %d, want %d", face, got, 9+bonus)
			}
		})
	}
	t.Run("celesia.action.degrees-aid skill", func(t *testing.T) {
		f := build(t)
		f.Must(act("a", "aid-check", "", "b", withParameters("skill", "bluff", "for", "heal", "dc", 12.0)), 2) // 2 against 12: 10 under
		f.End("a")
		f.Must(act("b", "skill-check", "", "", withParameters("skill", "heal")), 9)
		if got := f.Roll("check/heal").Total; got != 12 {
			t.Errorf("total %d, want 12", got)
		}
	})
	t.Run("celesia.action.degrees-aid by skill", func(t *testing.T) {
		f := crowd(t, [][2]int32{{0, 0}, {5, 0}}, fighter("a", "party", skill("heal", 11)), fighter("b", "party"))
		f.Must(act("a", "aid-check", "", "b", withParameters("skill", "heal")), 20) // 31 against 10
		if got := body.Condition(f.Creature("b"), checks.CondAided).GetValues()["aid"]; got != 3 {
			t.Errorf("aid %d, want 3", got)
		}
	})
}
