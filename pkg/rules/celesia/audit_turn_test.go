package celesia

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func TestInitiativeCases(t *testing.T) {
	t.Run("celesia.initiative.natural-1 not kept", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"))
		f.Start(object("initiative_advantage", []string{"a"}), 1, 15)
		if f.acts("a") != 3 {
			t.Errorf("%d acts, want 3", f.acts("a"))
		}
	})
	t.Run("celesia.initiative.natural-1 not below 0", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes"))
		f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: "effect.slowed", Values: map[string]int32{"acts": -3}}}})
		f.start(nil, 1, 2)
		f.End("b")
		f.WantActive("a")
		if f.acts("a") != 0 {
			t.Errorf("%d acts, want 0", f.acts("a"))
		}
		f.Must(act("a", "drop-item", "sword", "")) // free actions are possible
		f.End("a")
		if f.Creature("a").Counters[body.CReactions] != 1 {
			t.Error("the reaction is not gained")
		}
	})
	t.Run("celesia.initiative.natural-20 on a low total", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", ability("dexterity", 6))).start(nil, 20)
		if f.Roll("initiative/a").Total != 18 || f.acts("a") != 4 {
			t.Errorf("total %d, %d acts", f.Roll("initiative/a").Total, f.acts("a"))
		}
	})
	t.Run("celesia.initiative.check blind, deafened and shaken", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", ability("dexterity", 12)), fighter("b", "foes", ability("dexterity", 8)))
		f.Afflict("a", body.CondBlind)
		f.Afflict("b", "deafened", body.CondShaken)
		f.start(nil, 10, 18, 9, 11)
		if a, b := f.Roll("initiative/a").Total, f.Roll("initiative/b").Total; a != 11 || b != 8 {
			t.Errorf("%d and %d, want 11 and 8", a, b)
		}
	})
	t.Run(cite.DiceDisDeafened, func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", section(func(c *eventv1.CelesiaSheet) { c.InitiativeBonus = 4 })))
		f.Afflict("a", "deafened")
		f.start(nil, 20, 13)
		if f.Roll("initiative/a").Total != 17 || f.acts("a") != 3 {
			t.Error("keeps 13: 17, no extra act")
		}
	})
	t.Run("celesia.initiative.persistent-order after a delay", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes"), fighter("c", "party")).start(nil, 19, 7, 12) // a, c, b
		f.Must(act("a", "delay", "", ""))
		f.End("c")
		f.Answer(body.DecReenter, "yes")
		f.End("a")
		f.End("b")
		if got := answers.Order(f.State); f.State.Round != 2 || !slices.Equal(got, []string{"c", "a", "b"}) {
			t.Errorf("round %d, order %v", f.State.Round, got)
		}
	})
	t.Run("celesia.initiative.inaction healed before its place", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes"), fighter("c", "party")).start(nil, 20, 15, 9)
		f.Hurt("b", -15)
		f.Hurt("b", 10) // on 20, by a
		f.End("a")
		f.WantActive("b")
	})
	t.Run("celesia.condition.flat-footed a penalty stays", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", attacks(4)), fighter("b", "foes", defends(9), ability("dexterity", 8))).start(nil, 15, 5)
		f.Must(act("a", "attack", "sword", "b"), 5, 1)
		if f.Roll("to-hit").Target.Value != 9 || f.Attack().Outcome != "hit" {
			t.Errorf("DV %d", f.Roll("to-hit").Target.Value)
		}
	})
	t.Run("celesia.condition.flat-footed-no-aoo Combat Reflexes", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes", features(body.FeatCombatReflexes), ability("dexterity", 14), section(func(c *eventv1.CelesiaSheet) { c.Defense, c.DefenseDexterity = 16, 2 })))
		f.at("a", 0, 0)
		f.at("b", 5, 0)
		f.start(nil, 15, 5)
		f.Must(act("a", "sheathe", "sword", ""))
		f.Answer(body.DecReaction, "attack:sword", 2)
		if strike.Defense(f.Creature("b"), false).Value != 14 {
			t.Error("its own DV stays 14")
		}
	})
	t.Run(cite.TurnRoundSixSeconds, func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party")).start(nil, 10)
		for range 10 {
			f.End("a")
		}
		if got := f.State.Counters[body.CSeconds]; got != 60 {
			t.Errorf("%d seconds after ten rounds", got)
		}
	})
}

func TestSurpriseCases(t *testing.T) {
	t.Run(cite.SurpriseAwareness, func(t *testing.T) {
		f := newTable(t).add(fighter("bandit1", "foes"), fighter("bandit2", "foes"), fighter("mate1", "party"), fighter("mate2", "party"), fighter("scout", "party"))
		f.start([]string{"mate1", "mate2"}, 10, 9, 20, 19, 11)
		var acted []string
		for f.State.Round == 0 {
			acted = append(acted, f.State.Active[0])
			f.End(f.State.Active[0])
		}
		if !slices.Equal(acted, []string{"scout", "bandit1", "bandit2"}) {
			t.Errorf("in the surprise round acted %v", acted)
		}
		f.WantActive("mate1")
	})
	t.Run(cite.SurpriseSurprisedDefinition, func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes")).start([]string{"a", "b"}, 10, 5)
		if f.State.Round != 1 || body.Has(f.Creature("a"), body.CondSurprised) {
			t.Error("nobody is surprised when neither side is aware of the other")
		}
		f = newTable(t).add(fighter("a", "party"), fighter("b", "foes")).start([]string{"a"}, 10, 5)
		f.WantActive("b")
		if !body.Has(f.Creature("a"), body.CondSurprised) {
			t.Error("the fighter is surprised")
		}
	})
	t.Run(cite.SurpriseActs, func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes"))
		f.at("a", 0, 0)
		f.at("b", 40, 0)
		f.start([]string{"b"}, 15, 5)
		f.Must(act("a", "charge", "sword", "b"))
		wantRefused(t, f.Try(act("a", "attack", "sword", "b")), cite.TurnThreeActs)
		g := newTable(t).add(fighter("a", "party", spell(&eventv1.CelesiaSpell{Name: "s", Casting: "full", Dice: "1d6", RangeFeet: 60})), fighter("b", "foes")).start([]string{"b"}, 15, 5)
		wantRefused(t, g.Try(act("a", "cast", "s", "b")), cite.ActionFullFrame)
	})
	t.Run("celesia.feat.uncanny-dodge unaware", func(t *testing.T) {
		rogue := section(func(c *eventv1.CelesiaSheet) {
			c.Defense, c.DefenseDexterity, c.Features = 18, 4, []string{body.FeatUncannyDodge}
		})
		f := newTable(t).add(fighter("a", "party", attacks(7)), fighter("b", "foes", rogue)).start([]string{"b"}, 15, 5)
		f.Must(act("a", "attack", "sword", "b"), 10)
		if f.Attack().Outcome != "miss" {
			t.Error("17 misses DV 18")
		}
		f.End("a")
		if f.State.Round != 1 {
			t.Error("the rogue had acts in the surprise round")
		}
	})
	t.Run("celesia.surprise.unaware stays flat-footed", func(t *testing.T) {
		guard := section(func(c *eventv1.CelesiaSheet) { c.Defense, c.DefenseDexterity = 15, 2 })
		f := newTable(t).add(fighter("a", "party", attacks(4)), fighter("b", "foes", guard)).start([]string{"b"}, 15, 5)
		f.Must(act("a", "attack", "sword", "b"), 9, 1)
		f.End("a")
		f.Must(act("a", "attack", "sword", "b"), 9, 1) // round 1, before its turn
		if f.Attack().Outcome != "hit" {
			t.Error("13 hits DV 13")
		}
	})
	t.Run("celesia.surprise.reaction in round 1", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes"), fighter("c", "foes"))
		f.at("a", 0, 0)
		f.at("b", 5, 0)
		f.at("c", 50, 0)
		f.start([]string{"c"}, 20, 10, 5)
		f.End("a")
		f.End("b")
		f.Must(act("a", "sheathe", "sword", "")) // b's turn in round 1 has not come
		f.Answer(body.DecReaction+"/b", "attack:sword", 2)
	})
}

func TestReactionCases(t *testing.T) {
	t.Run("celesia.turn.one-reaction several", func(t *testing.T) {
		f := crowd(t, [][2]int32{{0, 0}, {10, 0}, {5, 0}}, fighter("a", "party"), fighter("b", "party"), fighter("c", "foes"))
		f.End("a")
		f.End("b")
		f.Afflict("c", body.CondProne)
		f.Must(act("c", "stand-up", "", ""))
		if len(f.Decisions) != 2 {
			t.Fatalf("asked %v, want a and b", f.Decisions)
		}
		f.Answer(body.DecReaction+"/a", "attack:sword")
		f.Answer(body.DecReaction+"/b", "no", 2, 2)
		f.Must(act("c", "sheathe", "sword", ""))
		if len(f.Decisions) != 1 || f.Decisions[0].Creature != "b" {
			t.Errorf("asked %v, want b alone: a's reaction is spent", f.Decisions)
		}
	})
	t.Run("celesia.turn.one-reaction before the first turn", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes"))
		f.at("a", 0, 0)
		f.at("b", 5, 0)
		f.start(nil, 15, 5)
		f.Must(act("a", "sheathe", "sword", ""))
	})
	t.Run(cite.TurnReactionTiming, func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		f.Count("a", body.CReactions, 1)
		f.readied("a", "any")
		p := checks.Provocation{By: "b", Kind: "move", Provokes: true, Take: &eventv1.TakeAction{Creature: "b", Action: "move"}}
		if d := strike.ReactionsTo(f.State, f.Creature("a"), p); d != nil {
			t.Errorf("asked in its own turn: %v", d)
		}
		f.State.Active = []string{"b"}
		if d := strike.ReactionsTo(f.State, f.Creature("a"), p); d == nil {
			t.Error("not asked in another's turn")
		}
	})
	t.Run("celesia.turn.reaction-timing before the action", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", spell(&eventv1.CelesiaSpell{Name: "s", Casting: "standard", Dice: "1d6", RangeFeet: 60})))
		f.End("a")
		f.Must(act("b", "cast", "s", "a"))
		if len(f.Decisions) != 1 || f.Decisions[0].Creature != "a" {
			t.Fatalf("asked %v", f.Decisions)
		}
		f.WantHP("a", 40) // the spell has not begun
		f.Answer(body.DecReaction, "no", 3)
	})
	t.Run("celesia.action.total-defense-no-aoo a readied action is allowed", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		f.Put("a", &eventv1.Vitals{Counters: map[string]int64{body.CReactions: 1}, Conditions: []*eventv1.Condition{{Name: body.CondTotal}}})
		f.readied("a", "stand-up")
		f.State.Active = []string{"b"}
		d := strike.ReactionsTo(f.State, f.Creature("a"), checks.Provocation{By: "b", Kind: "stand-up", Provokes: true, Take: &eventv1.TakeAction{Creature: "b", Action: "stand-up"}})
		if d == nil || len(d.Options) != 3 || d.Options[1].Id != "readied" || d.Options[2].Id != "readied-otherwise" {
			t.Errorf("asked %v", d)
		}
	})
	t.Run("celesia.dice.adv-target-charged over", func(t *testing.T) {
		bow := weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: body.KindProjectile, Dice: "1d6", Hands: 2, RangeFeet: 60})
		f := crowd(t, [][2]int32{{0, 0}, {50, 0}, {0, 40}}, fighter("a", "party"), fighter("b", "foes"), fighter("c", "foes", bow, attacks(5)))
		f.Must(act("a", "charge", "sword", "b"))
		f.End("a")
		f.End("b")
		f.Must(act("c", "ready", "w", "", withParameters("action", "attack", "trigger", "attack")))
		f.Must(act("a", "attack", "sword", "b")) // its next turn has begun: one die
		f.Answer(body.DecReaction+"/c", "readied", 14, 1, 2)
	})
	t.Run("counterspells wait for the first turn", func(t *testing.T) {
		bolt := section(func(c *eventv1.CelesiaSheet) {
			c.Spells = []*eventv1.CelesiaSpell{{Name: "s", Casting: "standard", Dice: "1d6", RangeFeet: 60}}
			c.Features = []string{body.FeatCounterspell, body.FeatUncannyDodge}
		})
		f := newTable(t).add(fighter("a", "party", bolt), fighter("b", "foes", bolt)).start(nil, 15, 5)
		f.Must(act("a", "cast", "s", "b"), 3) // b has its reactions, for attacks of opportunity alone
		f.WantHP("b", 37)
	})
}
