package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func hasted(f *table, id string) {
	f.T.Helper()
	f.Afflict(id, body.CondHasted)
}

// doomed is a duel in which b is helpless or otherwise afflicted.
func doomed(t *testing.T, a, b *eventv1.Sheet, conditions ...string) *table {
	t.Helper()
	f := duel(t, a, b)
	f.Afflict("b", conditions...)
	return f
}

func TestCoupCases(t *testing.T) {
	long := &eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d8", Hands: 1, DamageBonus: 5}
	bow := &eventv1.CelesiaWeapon{Name: "w", Kind: "projectile", Dice: "1d8", Hands: 2, RangeFeet: 100}
	t.Run("celesia.attack.coup-eligibility pinned by an ally", func(t *testing.T) {
		f := doomed(t, fighter("a", "party", weapon(long)), fighter("b", "foes", unarmed(), fortitude(50)), body.CondPinned)
		f.Must(act("a", "coup-de-grace", "w", "b"), 10)
		f.WantHP("b", 40-21) // celesia.attack.coup-auto-critical: 8 x 2 + 5
		if f.acts("a") != 0 || len(f.Rolls("to-hit")) != 0 {
			t.Error("3 acts and no attack roll")
		}
	})
	t.Run("celesia.attack.coup-eligibility bow", func(t *testing.T) {
		f := doomed(t, fighter("a", "party", weapon(bow)), fighter("b", "foes", fortitude(50)), body.CondHelpless)
		f.at("b", 10, 0)
		wantRefused(t, f.Try(act("a", "coup-de-grace", "w", "b")), cite.AttackCoupEligibility)
		f.at("b", 5, 0)
		f.Must(act("a", "coup-de-grace", "w", "b"), 10)
		f.WantHP("b", 40-16)
	})
	for _, kind := range []string{"thrown", "natural-ranged"} {
		t.Run("celesia.attack.coup-eligibility "+kind, func(t *testing.T) {
			w := &eventv1.CelesiaWeapon{Name: "w", Kind: kind, Dice: "1d6", RangeFeet: 20}
			if kind == "thrown" {
				w.Hands = 1
			}
			f := doomed(t, fighter("a", "party", weapon(w)), fighter("b", "foes"), body.CondHelpless)
			wantRefused(t, f.Try(act("a", "coup-de-grace", "w", "b")), cite.AttackCoupEligibility)
		})
	}
	t.Run("celesia.attack.coup-eligibility grappled", func(t *testing.T) {
		f := doomed(t, fighter("a", "party", weapon(long)), fighter("b", "foes"), body.CondGrappled+"=held@x")
		wantRefused(t, f.Try(act("a", "coup-de-grace", "w", "b")), cite.AttackCoupEligibility)
	})
	t.Run("celesia.action.full-frame disabled and hasted", func(t *testing.T) {
		f := doomed(t, fighter("a", "party", weapon(long)), fighter("b", "foes", fortitude(50)), body.CondHelpless)
		f.Hurt("a", 0)
		wantRefused(t, f.Try(act("a", "coup-de-grace", "w", "b")), cite.ActionFullFrame)
		f.Hurt("a", 40)
		hasted(f, "a")
		f.Must(act("a", "step", "", ""))
		f.Must(act("a", "coup-de-grace", "w", "b"), 10)
		if f.acts("a") != 0 {
			t.Errorf("%d acts left, want 0", f.acts("a"))
		}
	})
	for _, tc := range []struct {
		rule string
		hp   int32
		fort int32
		plus int32
		face int
		at   int32
		want eventv1.LifeStatus
	}{
		{cite.DeathCoupSave, 30, 6, 5, 15, 9, gone},                   // 21 against DC 31
		{"celesia.death.coup-save equal", 40, 18, -1, 7, 25, alive},   // 25 against DC 25
		{"celesia.death.coup-save one less", 40, 17, -1, 7, 25, gone}, // 24 against DC 25
	} {
		t.Run(tc.rule, func(t *testing.T) {
			w := &eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d8", Hands: 1, DamageBonus: tc.plus}
			f := doomed(t, fighter("a", "party", weapon(w)), fighter("b", "foes", fortitude(tc.fort)), body.CondHelpless)
			f.Hurt("b", tc.hp)
			f.Must(act("a", "coup-de-grace", "w", "b"), tc.face)
			f.WantHP("b", tc.at)
			f.WantLife("b", tc.want)
		})
	}
	t.Run(cite.AttackCoupSneakAttack, func(t *testing.T) {
		rogue := section(func(c *eventv1.CelesiaSheet) { c.PrecisionDice = "3d6" })
		short := &eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d6", Hands: 1, DamageBonus: 3}
		f := doomed(t, fighter("a", "party", weapon(short), rogue), fighter("b", "foes", fortitude(33)), body.CondHelpless)
		f.Must(act("a", "coup-de-grace", "w", "b"), 10)
		f.WantHP("b", 40-33)
		if got := f.Roll("coup/b").Target.Value; got != 43 {
			t.Errorf("DC %d, want 43", got)
		}
		f.WantLife("b", alive)
	})
	t.Run("celesia.attack.coup-nonlethal is the attacker's choice", func(t *testing.T) {
		f := doomed(t, fighter("a", "party", weapon(long)), fighter("b", "foes", hitPoints(60)), body.CondHelpless)
		f.Must(act("a", "coup-de-grace", "w", "b", withParameters("damage", "nonlethal")), 1)
		f.WantHP("b", 60)
		if c := f.Creature("b"); c.Counters[body.CNonlethal] != 21 || !body.Has(c, body.CondUnconscious) || body.Dead(c) {
			t.Errorf("tally %d %v", c.Counters[body.CNonlethal], c.Conditions)
		}
	})
	t.Run("celesia.attack.coup-nonlethal with a bow", func(t *testing.T) {
		f := doomed(t, fighter("a", "party", weapon(bow)), fighter("b", "foes"), body.CondHelpless)
		wantRefused(t, f.Try(act("a", "coup-de-grace", "w", "b", withParameters("damage", "nonlethal"))), cite.AttackNonlethalWithLethalWeapon)
	})
	t.Run("celesia.attack.coup-crit-immune provokes nothing", func(t *testing.T) {
		f := doomed(t, fighter("a", "party", weapon(long)), fighter("b", "foes", immuneTo(body.ImmuneCritical)), body.CondHelpless)
		wantRefused(t, f.Try(act("a", "coup-de-grace", "w", "b")), cite.AttackCoupCritImmune)
		if f.acts("a") != 3 || len(f.Decisions) != 0 {
			t.Error("acts were spent or somebody was asked")
		}
	})
}

func TestCoupOnTheUnseen(t *testing.T) {
	victim := func() *eventv1.Sheet { return fighter("b", "foes", fortitude(50), unarmed()) }
	t.Run(cite.AttackCoupTotalConcealment, func(t *testing.T) {
		f := doomed(t, fighter("a", "party"), victim(), body.CondHelpless, body.CondInvisible)
		wantRefused(t, f.Try(act("a", "coup-de-grace", "sword", "b")), cite.AttackCoupTotalConcealment)
		f.Must(act("a", "coup-unseen", "sword", "b"))
		if f.acts("a") != 0 {
			t.Errorf("%d acts left", f.acts("a"))
		}
		f.End("a") // b is helpless and passes
		f.WantActive("a")
		f.WantHP("b", 40)
		f.Must(act("a", "finish-coup", "", ""), 10)
		f.WantHP("b", 24)
		if f.acts("a") != 0 || len(f.State.Tasks) != 0 {
			t.Errorf("%d acts left, tasks %v", f.acts("a"), f.State.Tasks)
		}
	})
	t.Run("celesia.attack.coup-total-concealment hasted", func(t *testing.T) {
		f := doomed(t, fighter("a", "party"), victim(), body.CondHelpless, body.CondInvisible)
		hasted(f, "a")
		f.Must(act("a", "coup-unseen", "sword", "b"))
		f.End("a")
		f.Must(act("a", "finish-coup", "", ""), 10)
		f.WantHP("b", 24)
		if f.acts("a") != 2 {
			t.Errorf("%d acts left, want 2", f.acts("a"))
		}
	})
	t.Run("celesia.attack.coup-total-concealment provokes once", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), victim(), fighter("c", "foes"))
		f.at("a", 0, 0)
		f.at("b", 5, 0)
		f.at("c", 0, 5)
		f.start(nil, 15, 10, 5)
		for _, id := range []string{"a", "b", "c"} {
			f.End(id)
		}
		f.Afflict("b", body.CondHelpless, body.CondInvisible)
		f.Must(act("a", "coup-unseen", "sword", "b"))
		f.Answer(body.DecReaction, "no")
		f.End("a")
		f.End("c")
		f.Must(act("a", "finish-coup", "", ""), 10)
		f.WantHP("b", 24)
	})
	t.Run("celesia.attack.coup-total-concealment broken", func(t *testing.T) {
		f := doomed(t, fighter("a", "party"), victim(), body.CondHelpless, body.CondInvisible)
		f.Must(act("a", "coup-unseen", "sword", "b"))
		f.End("a")
		f.Must(act("a", "attack", "sword", "b"), 1, 2)
		wantRefused(t, f.Try(act("a", "finish-coup", "", "")), cite.AttackCoupTotalConcealment)
	})
	t.Run("celesia.attack.coup-total-concealment over three turns", func(t *testing.T) {
		f := doomed(t, fighter("a", "party"), victim(), body.CondHelpless, body.CondInvisible)
		f.Must(act("a", "step", "", ""))
		f.Must(act("a", "step", "", ""))
		f.Must(act("a", "coup-unseen", "sword", "b", withParameters("damage", "nonlethal")))
		f.End("a")
		f.Must(act("a", "finish-coup", "", ""))
		f.WantHP("b", 40)
		f.End("a")
		f.Must(act("a", "finish-coup", "", ""), 10)
		if f.acts("a") != 1 || f.Creature("b").Counters[body.CNonlethal] != 16 {
			t.Errorf("%d acts left, tally %d", f.acts("a"), f.Creature("b").Counters[body.CNonlethal])
		}
	})
	t.Run("celesia.attack.coup-total-concealment in plain sight", func(t *testing.T) {
		f := doomed(t, fighter("a", "party"), victim(), body.CondHelpless)
		wantRefused(t, f.Try(act("a", "coup-unseen", "sword", "b")), cite.AttackCoupTotalConcealment)
		f.Must(act("a", "coup-unseen", "sword", "b", withFacts("concealment", "total")))
	})
}

func TestCastingProvokesOnce(t *testing.T) {
	ray := func(casting string) func(*eventv1.Sheet) {
		return spell(&eventv1.CelesiaSpell{Name: "s", Casting: casting, Attack: "ranged-touch", Dice: "1d6", RangeFeet: 60})
	}
	surrounded := func(t *testing.T, casting string) *table {
		f := newTable(t).add(fighter("a", "party", ray(casting)), fighter("b", "foes"), fighter("c", "foes"))
		f.at("a", 0, 0)
		f.at("b", 5, 0)
		f.at("c", 0, 5)
		f.start(nil, 15, 10, 5)
		for _, id := range []string{"a", "b", "c"} {
			f.End(id)
		}
		return f
	}
	t.Run(cite.SpellCastFullAction, func(t *testing.T) {
		f := surrounded(t, "full")
		f.Must(act("a", "cast", "s", "b"))
		f.Answer(body.DecReaction+"/b", "attack:sword")
		f.Answer(body.DecReaction+"/c", "attack:sword", 2, 2, 15, 4) // both miss; then the ray
		f.WantHP("b", 36)
		if f.acts("a") != 0 || len(f.Decisions) != 0 {
			t.Errorf("%d acts left, open %v", f.acts("a"), f.Decisions)
		}
	})
	t.Run("celesia.spell.cast-full-action declined", func(t *testing.T) {
		f := surrounded(t, "full")
		f.Must(act("a", "cast", "s", "b"))
		f.Answer(body.DecReaction+"/b", "no")
		f.Answer(body.DecReaction+"/c", "no", 15, 4) // nobody is asked again at the ranged roll
		f.WantHP("b", 36)
	})
	t.Run("celesia.spell.cast-full-action two acts left", func(t *testing.T) {
		f := surrounded(t, "full")
		f.Must(act("a", "step", "", ""))
		wantRefused(t, f.Try(act("a", "cast", "s", "b")), cite.ActionFullFrame)
	})
	t.Run(cite.SpellCastOneRound, func(t *testing.T) {
		f := surrounded(t, "1-round")
		f.Must(act("a", "cast", "s", "b"))
		f.Answer(body.DecReaction+"/b", "no")
		f.Answer(body.DecReaction+"/c", "no")
		f.WantHP("b", 40)
		f.End("a")
		f.End("b")
		f.End("c", 15, 4) // the effect, at the start of the turn: no opportunity
		f.WantHP("b", 36)
	})
}

func TestReactionsOfTheFallen(t *testing.T) {
	t.Run(cite.DeathDyingUnconscious, func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes"), fighter("c", "party"))
		f.at("a", 0, 0)
		f.at("b", 5, 0)
		f.at("c", 0, 5)
		f.start(nil, 15, 10, 5)
		f.Must(act("a", "ready", "sword", "", withParameters("action", "attack", "trigger", "attack", "foe", "b")))
		f.Hurt("a", -12)
		f.WantLife("a", bleeds)
		if c := f.Creature("a"); c.Counters[body.CReactions] != 0 || rules.BegunOf(c, body.BegunReadied) != nil || !strike.Helpless(c) || !body.Has(c, body.CondProne) {
			t.Errorf("reactions %d, begun %v", c.Counters[body.CReactions], c.Begun)
		}
		f.Must(act("b", "attack", "sword", "c"), 2) // nobody is asked
		if len(f.Decisions) != 0 {
			t.Errorf("open %v", f.Decisions)
		}
	})
	t.Run(cite.InitiativeNoShiftWhileDown, func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", fortitude(4)), fighter("b", "foes", unarmed()))
		f.start(nil, 12, 5)
		f.End("a")
		f.Hurt("a", -13)
		wantRefused(t, f.Try(act("a", "delay", "", "")), cite.ActionFreeOwnTurnOnly)
		total := f.Creature("a").Initiative[0].Total
		f.End("b", 2) // 2 + 4 - 6 on its old place
		f.WantLife("a", stable)
		if got := f.Creature("a").Initiative; got[len(got)-1].Total != total {
			t.Errorf("initiative %v, want %d", got, total)
		}
		f.WantActive("b")
	})
	t.Run("celesia.initiative.no-shift-while-down while delaying", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes", unarmed()))
		f.start(nil, 12, 5)
		f.Must(act("a", "delay", "", ""))
		f.Hurt("a", -13)
		f.End("b", 20) // no question whether a comes back: only its save in the next round
		if len(f.Decisions) != 0 || f.Creature("a").Life != stable {
			t.Errorf("open %v, %v", f.Decisions, f.Creature("a").Life)
		}
	})
	t.Run(cite.ReactionOpportunitySubstitute, func(t *testing.T) {
		// b may grapple in place of its attack; that provokes c, an ally of a.
		f := newTable(t).add(fighter("a", "party", unarmed()), fighter("b", "foes", cmb(10), features(body.FeatOpportunityHold)), fighter("c", "party"))
		f.at("a", 0, 0)
		f.at("b", 5, 0)
		f.at("c", 5, 5)
		f.start(nil, 15, 10, 5)
		for _, id := range []string{"a", "b", "c"} {
			f.End(id)
		}
		f.Must(act("a", "move", "", ""))
		f.Answer(body.DecReaction+"/b", "grapple")
		f.Answer(body.DecReaction+"/c", "attack:sword", 2, 15) // c's attack misses, then the hold: 15 + 10 - 4 against 15
		if answers.HeldBy(f.Creature("a")) != "b" || f.Creature("b").Counters[body.CReactions] != 0 || f.Creature("c").Counters[body.CReactions] != 0 {
			t.Errorf("a is held by %q", answers.HeldBy(f.Creature("a")))
		}
	})
	t.Run(cite.InjuryDisabledStillReacts, func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		f.Hurt("b", 0)
		f.Must(act("a", "sheathe", "sword", ""))
		f.Answer(body.DecReaction, "attack:sword", 2)
		f.WantHP("b", -1) // celesia.injury.disabled-strain: a reaction costs a point as well
	})
}
