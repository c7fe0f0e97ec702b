package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func TestOpportunity(t *testing.T) {
	t.Run(cite.ActionProvoke, func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", hitPoints(9), defends(12)), fighter("b", "foes", attacks(2)), fighter("c", "foes", attacks(2)))
		f.at("a", 0, 0)
		f.at("b", 5, 0)
		f.at("c", 0, 5)
		f.start(nil, 15, 10, 5)
		for _, id := range []string{"a", "b", "c"} {
			f.End(id)
		}
		f.Must(act("a", "sheathe", "sword", ""))
		f.Answer(body.DecReaction+"/b", "attack:sword")
		f.Answer(body.DecReaction+"/c", "attack:sword", 11, 4, 9)
		f.WantHP("a", 5)
		if f.Creature("b").Counters[body.CReactions]+f.Creature("c").Counters[body.CReactions] != 0 {
			t.Error("reactions left")
		}
		if f.Creature("a").Items["sword"].Place != body.PlaceStowed {
			t.Error("the action did not go on")
		}
	})
	t.Run("celesia.action.provoke prevented", func(t *testing.T) {
		f := duel(t, fighter("a", "party", hitPoints(9)), fighter("b", "foes"))
		f.Hurt("a", -9)
		f.Must(act("a", "sheathe", "sword", ""))
		f.Answer(body.DecReaction, "attack:sword", 18, 5)
		f.Answer(body.DecCrippling, "none")
		f.WantHP("a", -14)
		f.WantActive("b")
		if f.Creature("a").Items["sword"].Place != body.PlaceMain {
			t.Error("an action that was never begun was done")
		}
	})
	t.Run(cite.MovementStandUp, func(t *testing.T) {
		f := duel(t, fighter("a", "party", defends(16)), fighter("b", "foes", attacks(6)))
		f.Afflict("a", body.CondProne)
		f.Must(act("a", "stand-up", "", ""))
		f.Answer(body.DecReaction, "attack:sword", 4, 10, 1) // advantage: still prone
		if f.Attack().Outcome != "hit" || body.Has(f.Creature("a"), body.CondProne) {
			t.Error("16 hits the one still prone, who then stands")
		}
	})
	t.Run(cite.ReactionAttackOfOpportunity, func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		f.at("b", 10, 0)
		f.Must(act("a", "sheathe", "sword", ""))
		if len(f.Decisions) != 0 {
			t.Error("asked out of reach")
		}
		f.at("b", 5, 0)
		f.Must(act("a", "draw", "sword", ""))
		f.Answer(body.DecReaction, "attack:sword", 2)
		f.Must(act("a", "sheathe", "sword", "")) // the reaction is spent
		if len(f.Decisions) != 0 {
			t.Error("asked without a reaction left")
		}
	})
	t.Run(cite.TurnAttackOfOpportunity, func(t *testing.T) {
		bow := weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: "projectile", Dice: "1d6", Hands: 2, RangeFeet: 60})
		f := duel(t, fighter("a", "party", bow), fighter("b", "foes"))
		f.Must(act("a", "attack", "w", "b"))
		f.Answer(body.DecReaction, "attack:sword", 10, 2, 3)
		f.WantHP("a", 38)
		g := duel(t, fighter("a", "party", bow), fighter("b", "foes"), body.SetRangedProvokes+"=off")
		g.Must(act("a", "attack", "w", "b"), 3)
	})
	t.Run(cite.AttackUnarmedProvoke, func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes"), fighter("c", "foes"))
		f.at("a", 0, 0)
		f.at("b", 5, 0)
		f.at("c", 0, 5)
		f.start(nil, 15, 10, 5)
		for _, id := range []string{"a", "b", "c"} {
			f.End(id)
		}
		f.Must(act("a", "attack", "fist", "b"))
		if len(f.Decisions) != 1 || f.Decisions[0].Creature != "b" {
			t.Fatalf("asked %v, want b alone", f.Decisions)
		}
		f.Answer(body.DecReaction, "no", 2)
	})
	t.Run(cite.AttackUnarmedNoAoo, func(t *testing.T) {
		for _, tc := range []struct {
			feats []string
			open  int
		}{{nil, 0}, {[]string{body.FeatImprovedUnarmed}, 1}, {[]string{body.FeatMonk}, 1}} { // celesia.attack.armed-unarmed
			f := duel(t, fighter("a", "party"), fighter("b", "foes", features(tc.feats...), section(func(c *eventv1.CelesiaSheet) { c.Weapons = c.Weapons[1:2] })))
			f.Must(act("a", "sheathe", "sword", ""))
			if len(f.Decisions) != tc.open {
				t.Errorf("%v: %d questions, want %d", tc.feats, len(f.Decisions), tc.open)
			}
		}
	})
	t.Run(cite.InjuryDisabledStillReacts, func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		f.Hurt("b", 0)
		f.Must(act("a", "sheathe", "sword", ""))
		f.Answer(body.DecReaction, "attack:sword", 2)
		f.WantHP("b", -1)
	})
	t.Run(cite.EquipmentQuickDraw, func(t *testing.T) {
		f := duel(t, fighter("a", "party", features(body.FeatQuickDraw), weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d8", Hands: 1, Hand: "stowed"})), fighter("b", "foes"))
		f.Must(act("a", "draw", "w", ""))
		if len(f.Decisions) != 0 || f.acts("a") != 3 {
			t.Error("Quick Draw is free and does not provoke")
		}
	})
}

func TestReady(t *testing.T) {
	ready := func(f *table, who, what, item, trigger string) error {
		return f.Try(act(who, "ready", item, "", withParameters("action", what, "trigger", trigger)))
	}
	t.Run(cite.ActionReady, func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		if err := ready(f, "a", "attack", "sword", "attack"); err != nil {
			t.Fatal(err)
		}
		f.WantActive("b")
		f.Must(act("b", "attack", "sword", "a"))
		f.Answer(body.DecReaction, "readied", 15, 4, 2) // before what set it off
		f.WantHP("b", 36)
		if rules.BegunOf(f.Creature("a"), body.BegunReadied) != nil {
			t.Error("the readied action is still there")
		}
		for _, e := range f.SeenBy(player("b-player")) {
			if e.GetBegun() != nil {
				t.Errorf("seen: %v", e)
			}
		}
	})
	t.Run("celesia.action.ready refused", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		wantRefused(t, f.Try(act("a", "ready", "sword", "", withParameters("action", "attack"))), cite.ActionReady)
		f.Must(act("a", "attack", "sword", "b"), 2)
		wantRefused(t, ready(f, "a", "grapple", "", "any"), cite.ActionFullFrame) // 1 + 2 acts, 2 left
	})
	t.Run(cite.ActionReadyExpiry, func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		if err := ready(f, "a", "attack", "sword", "cast"); err != nil {
			t.Fatal(err)
		}
		f.End("b")
		if rules.BegunOf(f.Creature("a"), body.BegunReadied) != nil || f.acts("a") != 3 {
			t.Error("want it gone and 3 fresh acts")
		}
	})
	t.Run("celesia.action.ready-expiry reaction spent", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		if err := ready(f, "a", "attack", "sword", "attack"); err != nil {
			t.Fatal(err)
		}
		f.Afflict("b", body.CondProne)
		f.Must(act("b", "stand-up", "", ""))
		f.Answer(body.DecReaction, "attack:sword", 2, 3)
		f.Must(act("b", "attack", "sword", "a"), 2)
		if len(f.Decisions) != 0 {
			t.Error("asked without a reaction")
		}
	})
	t.Run(cite.ReactionCompleteReadied, func(t *testing.T) {
		// A readied draw provokes c, not b, whose own turn it is; the place in the order stays.
		f := newTable(t).add(fighter("a", "party", weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d8", Hands: 1, Hand: "stowed"})), fighter("b", "foes"), fighter("c", "foes"))
		f.at("a", 0, 0)
		f.at("b", 20, 0)
		f.at("c", 0, 5)
		f.start(nil, 15, 9, 12)
		f.End("a")
		f.End("c")
		f.End("b")
		if err := ready(f, "a", "draw", "w", "approach"); err != nil {
			t.Fatal(err)
		}
		f.End("c")
		f.Must(act("b", "move", "", "", func(take *eventv1.TakeAction) { take.Path = []*eventv1.Position{{X: 5}} }))
		f.Answer(body.DecReaction+"/a", "readied")
		f.Answer(body.DecReaction+"/c", "attack:sword", 19, 4)
		f.WantHP("a", 36)
		if f.Creature("a").Items["w"].Place != body.PlaceMain || answers.PlaceOf(f.Creature("a"), 2).Total != 15 {
			t.Error("want it drawn and initiative 15")
		}
	})
}

// celesia.reaction.chain, celesia.reaction.counterspell, celesia.turn.reaction-provoke
func TestChain(t *testing.T) {
	bolt := section(func(c *eventv1.CelesiaSheet) {
		c.Spells = []*eventv1.CelesiaSpell{{Name: "bolt", Casting: "standard", Dice: "1d6", RangeFeet: 100}}
	})
	build := func(t *testing.T) *table {
		// x casts, y counters, z (ally of x) threatens y.
		f := newTable(t).add(fighter("x", "party", bolt), fighter("y", "foes", bolt, features(body.FeatCounterspell), hitPoints(10)), fighter("z", "party"))
		f.at("x", 0, 0)
		f.at("y", 50, 0)
		f.at("z", 55, 0)
		f.start(nil, 15, 10, 5)
		for _, id := range []string{"x", "y", "z"} {
			f.End(id)
		}
		f.Must(act("x", "cast", "bolt", "y"))
		f.Answer(body.DecReaction+"/y", "counterspell")
		return f
	}
	t.Run("last declared is resolved first", func(t *testing.T) {
		f := build(t)
		f.Answer(body.DecReaction+"/z", "attack:sword", 15, 3)
		f.WantHP("y", 7)
		f.Answer(body.DecCounter, "yes")
		f.WantHP("y", 7)
		if f.acts("x") != 1 {
			t.Errorf("%d acts left, want 1", f.acts("x"))
		}
	})
	t.Run("the counterspell fails to hold", func(t *testing.T) {
		f := build(t)
		f.Answer(body.DecReaction+"/z", "no")
		f.Answer(body.DecCounter, "no", 4)
		f.WantHP("y", 6)
	})
	t.Run("felled before it counters", func(t *testing.T) {
		f := newTable(t).add(fighter("x", "party", bolt), fighter("y", "foes", bolt, features(body.FeatCounterspell), hitPoints(10)), fighter("z", "party", weapon(&eventv1.CelesiaWeapon{Name: "sword", Kind: "melee", Dice: "1d8", Hands: 1, DamageBonus: 20})))
		f.at("x", 0, 0)
		f.at("y", 50, 0)
		f.at("z", 55, 0)
		f.start(nil, 15, 10, 5)
		for _, id := range []string{"x", "y", "z"} {
			f.End(id)
		}
		f.Must(act("x", "cast", "bolt", "y"))
		f.Answer(body.DecReaction+"/y", "counterspell")
		f.Answer(body.DecReaction+"/z", "attack:sword", 15, 3)
		f.Answer(body.DecCrippling, "none", 4)
		f.Answer(body.DecCrippling, "none")
		f.WantHP("y", -17)
	})
}
