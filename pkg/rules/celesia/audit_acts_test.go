package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func TestActCases(t *testing.T) {
	t.Run(cite.TurnThreeActs, func(t *testing.T) {
		f := crowd(t, [][2]int32{{0, 0}, {5, 0}, {40, 0}}, fighter("a", "party", spell(&eventv1.CelesiaSpell{Name: "s", Casting: "standard", Dice: "1d6", RangeFeet: 60})), fighter("b", "foes", unarmed()), fighter("c", "foes"))
		f.Must(act("a", "move", "", "", way(0, 5)))
		f.Must(act("a", "attack", "sword", "b"), 2)
		wantRefused(t, f.Try(act("a", "cast", "s", "b")), cite.ActionStandardConsecutive) // 1 act left
		f.Must(act("a", "attack", "sword", "b"), 2)
		g := crowd(t, [][2]int32{{0, 0}, {5, 5}, {40, 0}}, fighter("a", "party"), fighter("b", "foes", unarmed()), fighter("c", "foes"))
		g.Must(act("a", "attack", "sword", "b"), 2)
		g.Must(act("a", "charge", "sword", "c"))
		if g.acts("a") != 0 {
			t.Errorf("%d acts left", g.acts("a"))
		}
	})
	t.Run(cite.TurnHaste, func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		f.Afflict("a", body.CondHasted)
		f.Must(act("a", "total-defense", "", ""))
		f.Must(act("a", "total-defense", "", ""))
		if f.acts("a") != 0 {
			t.Errorf("%d acts left", f.acts("a"))
		}
	})
	t.Run("celesia.turn.extra-acts-no-stack reductions still apply", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"))
		f.Afflict("a", body.CondHasted)
		f.Hurt("a", -3)
		f.start(nil, 10)
		if f.acts("a") != 3 {
			t.Errorf("%d acts, want 3 + 1 - 1", f.acts("a"))
		}
	})
	t.Run("celesia.turn.action-classes Step then grapple", func(t *testing.T) {
		f := duel(t, fighter("a", "party", unarmed()), fighter("b", "foes", unarmed()))
		f.Must(act("a", "step", "", "", way(0, 5)))
		f.Must(act("a", "grapple", "", "b"), 2)
		if f.acts("a") != 0 {
			t.Errorf("%d acts left", f.acts("a"))
		}
	})
	t.Run(cite.SpellSwift, func(t *testing.T) {
		quick := func(names ...string) func(*eventv1.Sheet) {
			return section(func(c *eventv1.CelesiaSheet) {
				for _, n := range names {
					c.Spells = append(c.Spells, &eventv1.CelesiaSpell{Name: n, Casting: "swift", Attack: "ranged-touch", Dice: "1d4", RangeFeet: 60})
				}
			})
		}
		two := func(s *eventv1.Sheet) {
			s.Abilities["dexterity"], s.GetCelesia().Features = 12, []string{body.FeatCombatReflexes}
		}
		f := duel(t, fighter("a", "party", quick("x")), fighter("b", "foes", two))
		f.Must(act("a", "cast", "x", "b"))
		f.Answer(body.DecReaction, "attack:sword", 2, 9, 1) // one provocation for casting and shooting
		if f.Creature("b").Counters[body.CReactions] != 1 || f.acts("a") != 2 {
			t.Errorf("%d reactions, %d acts", f.Creature("b").Counters[body.CReactions], f.acts("a"))
		}
		g := duel(t, fighter("a", "party", quick("x", "y", "z")), fighter("b", "foes", unarmed()))
		for _, n := range []string{"x", "y", "z"} {
			g.Must(act("a", "cast", n, "b"), 2)
		}
		limited := section(func(c *eventv1.CelesiaSheet) { c.Spells[0].OncePerTurn = true })
		h := duel(t, fighter("a", "party", quick("x"), limited), fighter("b", "foes", unarmed()))
		h.Must(act("a", "cast", "x", "b"), 2)
		wantRefused(t, h.Try(act("a", "cast", "x", "b")), cite.ActionConvertSwift)
	})
	t.Run("celesia.spell.standard out of reach", func(t *testing.T) {
		f := duel(t, fighter("a", "party", spell(&eventv1.CelesiaSpell{Name: "s", Casting: "standard", Dice: "1d6", RangeFeet: 60})), fighter("b", "foes"))
		f.Must(act("a", "step", "", "", way(-5, 0)))
		f.Must(act("a", "cast", "s", "b"), 3)
		f.WantHP("b", 37)
	})
	t.Run(cite.ActionFirstAid, func(t *testing.T) {
		f := crowd(t, [][2]int32{{0, 0}, {5, 0}, {30, 0}}, fighter("a", "party", skill("heal", 7)), fighter("b", "party"), fighter("c", "foes"))
		f.Hurt("b", -12)
		f.Must(act("a", "first-aid", "", "b"), 15) // 15 + 7 - 12 = 10
		f.WantLife("b", eventv1.LifeStatus_LIFE_STATUS_STABLE)
		if f.acts("a") != 1 {
			t.Errorf("%d acts left", f.acts("a"))
		}
		g := crowd(t, [][2]int32{{0, 0}, {5, 0}, {-5, 0}}, fighter("a", "party", skill("heal", 7)), fighter("b", "party"), fighter("c", "foes"))
		g.Hurt("b", -12)
		g.Must(act("a", "first-aid", "", "b"))
		g.Answer(body.DecReaction+"/c", "no", 14) // it provokes; 9 fails
		g.WantLife("b", eventv1.LifeStatus_LIFE_STATUS_DYING)
	})
	t.Run(cite.ActionAidAnotherStack, func(t *testing.T) {
		f := crowd(t, [][2]int32{{0, 0}, {0, 5}, {0, 10}, {5, 5}}, fighter("a", "party", attacks(2)), fighter("b", "party", attacks(11)), fighter("c", "party", attacks(5)), fighter("d", "foes", defends(18)))
		f.Must(act("a", "aid-another", "sword", "d", withParameters("friend", "c")), 10) // 12: +1
		f.Answer(strike.DecAid, "attack")
		f.End("a")
		f.Must(act("b", "aid-another", "sword", "d", withParameters("friend", "c")), 10) // 21: +2
		f.Answer(strike.DecAid, "attack")
		f.End("b")
		f.Must(act("c", "attack", "sword", "d"), 10, 1)
		if f.Roll("to-hit").Total != 18 || f.Attack().Outcome != "hit" {
			t.Errorf("total %d, want 18", f.Roll("to-hit").Total)
		}
	})
	t.Run("celesia.action.aid-another only in melee", func(t *testing.T) {
		bow := weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: body.KindProjectile, Dice: "1d6", Hands: 2, RangeFeet: 60})
		f := crowd(t, [][2]int32{{0, 0}, {20, 0}, {25, 0}}, fighter("a", "party", bow), fighter("b", "party"), fighter("c", "foes"))
		if err := f.Try(act("a", "aid-another", "w", "c", withParameters("friend", "b"))); err == nil {
			t.Error("aid with a bow")
		}
		wantRefused(t, f.Try(act("a", "aid-another", "fist", "c", withParameters("friend", "b"))), cite.AttackMeleeReach)
	})
	t.Run("celesia.attack.fighting-defensively on every attack roll", func(t *testing.T) {
		f := crowd(t, [][2]int32{{0, 0}, {0, 5}, {5, 0}}, fighter("a", "party", spell(&eventv1.CelesiaSpell{Name: "s", Casting: "swift", Attack: "melee-touch", Dice: "1d4"})), fighter("b", "party"), fighter("c", "foes", unarmed()))
		f.Must(act("a", "fight-defensively", "", ""))
		f.Must(act("a", "cast", "s", "c"), 2, 2)
		f.Must(act("a", "aid-another", "sword", "c", withParameters("friend", "b")), 4, 2)
	})
	t.Run("celesia.action.ready a spell", func(t *testing.T) {
		f := duel(t, fighter("a", "party", spell(&eventv1.CelesiaSpell{Name: "s", Casting: "standard", Dice: "1d6", RangeFeet: 60})), fighter("b", "foes", unarmed()))
		f.Must(act("a", "ready", "s", "", withParameters("action", "cast", "trigger", "move")))
		f.WantActive("b")
		f.End("b")
		f.Must(act("a", "step", "", "", way(0, 5)))
		wantRefused(t, f.Try(act("a", "ready", "s", "", withParameters("action", "cast", "trigger", "move"))), cite.ActionFullFrame)
	})
	t.Run("celesia.action.ready-expiry two reactions", func(t *testing.T) {
		two := func(s *eventv1.Sheet) {
			s.Abilities["dexterity"], s.GetCelesia().Features = 12, []string{body.FeatCombatReflexes}
		}
		f := duel(t, fighter("a", "party", two), fighter("b", "foes"))
		f.Must(act("a", "ready", "sword", "", withParameters("action", "attack", "trigger", "attack")))
		f.Afflict("b", body.CondProne)
		f.Must(act("b", "stand-up", "", ""))
		f.Answer(body.DecReaction, "attack:sword", 2, 3)
		f.Must(act("b", "attack", "sword", "a"))
		f.Answer(body.DecReaction, "readied", 2, 2)
	})
	t.Run("celesia.attack.steady-aim over two turns", func(t *testing.T) {
		bow := weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: body.KindProjectile, Dice: "1d6", Hands: 2, RangeFeet: 60})
		aim := func(f *table, n int) {
			for range n {
				f.Must(act("a", "steady-aim", "", ""))
			}
		}
		f := newTable(t).add(fighter("a", "party", bow), fighter("b", "foes", defends(18), unarmed())).start(nil, 15, 5)
		f.Must(act("a", "step", "", ""))
		f.Must(act("a", "step", "", ""))
		aim(f, 1)
		f.End("a")
		f.End("b")
		f.Must(act("a", "attack", "w", "b"), 9, 1) // 9 + 5 + 4 = 18
		f.End("a")
		f.End("b")
		aim(f, 3)
		f.End("a")
		f.End("b")
		aim(f, 2)
		f.Must(act("a", "attack", "w", "b"), 2, 1)
		if got := f.Roll("to-hit").Total; got != 27 {
			t.Errorf("total %d, want 2 + 5 + 20", got)
		}
	})
	t.Run(cite.MovementStep, func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		for n := int32(1); n <= 3; n++ {
			f.Must(act("a", "step", "", "", way(-5*n, 0)))
		}
		f.wantAt("a", -15, 0)
		slow := func(s *eventv1.Sheet) { s.Speeds["walk"] = 5 }
		wantRefused(t, duel(t, fighter("a", "party", slow), fighter("b", "foes")).Try(act("a", "step", "", "")), cite.MovementStep)
		wantRefused(t, duel(t, fighter("a", "party"), fighter("b", "foes")).Try(act("a", "step", "", "", withParameters("mode", "swim"))), cite.MovementStep)
	})
	t.Run(cite.MovementCrawl, func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		f.Must(act("a", "drop-prone", "", ""))
		for n := int32(1); n <= 3; n++ {
			f.Must(act("a", "crawl", "", "", way(-5*n, 0)))
		}
		f.wantAt("a", -15, 0)
		if !body.Has(f.Creature("a"), body.CondProne) || f.acts("a") != 0 {
			t.Error("15 feet, still prone")
		}
	})
	t.Run("celesia.maneuver.escape-grapple a new turn", func(t *testing.T) {
		f := grappled(t, fighter("a", "party", cmb(8), cmd(20), unarmed()), fighter("b", "foes", cmb(7), unarmed()), 20)
		f.End("a")
		f.Must(act("b", "escape-grapple", "", ""), 2)
		f.End("b")
		f.Must(act("a", "grapple-continued", "", ""), 15)
		f.Answer(body.DecHold, "move")
		f.End("a")
		f.Must(act("b", "escape-grapple", "", ""), 13) // no penalty: 20
		f.Answer(body.DecEscape, "free")
		if body.Has(f.Creature("b"), body.CondGrappled) {
			t.Error("20 against 20 is free")
		}
	})
	t.Run("celesia.maneuver.grapple provokes", func(t *testing.T) {
		f := duel(t, fighter("a", "party", unarmed(), cmb(8)), fighter("b", "foes", cmd(19)))
		f.Must(act("a", "grapple", "", "b"))
		f.Answer(body.DecReaction, "attack:sword", 15, 5, 11) // hit for 5, then the check at its full bonus
		f.WantHP("a", 35)
		if f.Roll("grapple").Total != 19 || answers.Holds(f.Creature("a")) != "b" {
			t.Error("no penalty from the damage")
		}
	})
	t.Run("celesia.maneuver.grapple-pull no space", func(t *testing.T) {
		sheets := []*eventv1.Sheet{fighter("a", "party", cmb(8), unarmed(), section(func(c *eventv1.CelesiaSheet) { c.ReachFeet = 10 })), fighter("b", "foes", unarmed())}
		places := [][2]int32{{0, 0}, {10, 0}}
		for i, at := range [][2]int32{{-5, -5}, {0, -5}, {5, -5}, {-5, 0}, {5, 0}, {-5, 5}, {0, 5}, {5, 5}} {
			sheets = append(sheets, fighter("w"+body.Itoa(i), "party", unarmed()))
			places = append(places, at)
		}
		f := crowd(t, places, sheets...)
		f.Must(act("a", "grapple", "", "b"), 20)
		if body.Has(f.Creature("a"), body.CondGrappled) || body.Has(f.Creature("b"), body.CondGrappled) {
			t.Error("nobody is grappled")
		}
	})
	t.Run("celesia.maneuver.grapple-damage two hands", func(t *testing.T) {
		great := section(func(c *eventv1.CelesiaSheet) {
			c.Humanoid = false
			c.Weapons = append(c.Weapons[1:2], &eventv1.CelesiaWeapon{Name: "greatsword", Kind: "melee", Dice: "2d6", Hands: 2})
		})
		f := holding(t, fighter("a", "party", cmb(8), great), fighter("b", "foes", unarmed()))
		f.Must(act("a", "grapple-continued", "", ""), 15)
		if d := f.Decisions[0]; answers.Offers(d, "lethal:greatsword") || !answers.Offers(d, "lethal:fist") || !answers.Offers(d, "nonlethal:fist") {
			t.Errorf("offered %v", d.Options)
		}
		f.Answer(body.DecHold, "lethal:fist", 2) // the grappler's word: lethal with a fist, without drawback
		f.WantHP("b", 38)
	})
}

func TestDegreesOfHits(t *testing.T) {
	for _, tc := range []struct {
		rule  string
		total int32
		want  int32
	}{{"celesia.damage.degrees-weapon margin 10", 25, 1}, {"celesia.damage.degrees-weapon margin 9", 24, 0}, {cite.ManeuverSuccess, 15, 0}} {
		if _, got := mending.JudgeAttack(false, 15, 20, true)(10, tc.total); got != tc.want {
			t.Errorf("%s: %d increments, want %d", tc.rule, got, tc.want)
		}
	}
	// The extra rolls may be left unused, before damage is rolled.
	strong := &eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d8", Hands: 1, AttackBonus: 10}
	for most, faces := range map[float64][]int{0: {20 - 1, 5}, 1: {20 - 1, 5, 6}} {
		f := duel(t, fighter("a", "party", weapon(strong)), fighter("b", "foes", defends(14)))
		f.Must(act("a", "attack", "w", "b", withParameters("degrees", most)), faces...) // 34 against 14: two degrees
	}
}

// celesia.action.catalogue: what each action costs, and whether it provokes by
// itself.
func TestCatalogueOfActions(t *testing.T) {
	for _, tc := range []struct {
		action   string
		acts     int32
		provokes bool
	}{
		{"aid-another", 1, false}, {"attack", 1, false}, {"bull-rush", 1, false}, {"disarm", 1, false}, {"overrun", 1, false}, {"sunder", 1, false},
		{"trip", 1, false}, {"crawl", 1, true}, {"demoralize", 1, false}, {"redirect", 1, false}, {"dismiss", 1, false}, {"draw", 1, true},
		{"sheathe", 1, true}, {"escape-grapple", 1, false}, {"handle-animal", 1, false}, {"lower-spell-resistance", 1, false}, {"raise-spell-resistance", 1, false},
		{"manipulate", 1, true}, {"pick-up", 1, true}, {"move", 1, true}, {"multiweapon", 1, false}, {"ready-shield", 1, true}, {"drop-shield", 1, true},
		{"recall-knowledge", 1, false}, {"search", 1, false}, {"spell-combat", 1, true}, {"stand-up", 1, true}, {"steady-aim", 1, true}, {"step", 1, false},
		{"charge", 2, true}, {"dirty-trick", 2, false}, {"drag", 2, false}, {"grapple", 2, true}, {"grapple-continued", 2, false}, {"reposition", 2, false},
		{"steal", 2, false}, {"concentrate", 2, false}, {"drink", 2, true}, {"escape-net", 2, true}, {"extinguish", 2, true}, {"feint", 2, false},
		{"lock-gauntlet", 2, true}, {"unlock-gauntlet", 2, true}, {"prepare-flask", 2, true}, {"first-aid", 2, true}, {"sleight-of-hand", 2, false},
		{"quick-sleight-of-hand", 1, false}, {"spellstrike", 2, true}, {"total-defense", 2, false}, {"use-item", 2, false},
	} {
		a := strike.ActionOf(tc.action)
		if a == nil {
			t.Errorf("no action %s", tc.action)
			continue
		}
		c := &eventv1.Creature{Id: "a", Sheet: fighter("a", "party", section(func(c *eventv1.CelesiaSheet) {
			c.Weapons = append(c.Weapons, &eventv1.CelesiaWeapon{Name: "dagger", Kind: "melee", Dice: "1d4", Hands: 1, Hand: "off"})
		}))}
		take := &eventv1.TakeAction{Creature: "a", Item: "sword", Targets: []string{"b"}}
		s := &eventv1.State{Creatures: map[string]*eventv1.Creature{"a": c, "b": {Id: "b", Sheet: fighter("b", "foes")}}}
		if got := a.Cost(&play.At{Actor: c, Action: &a.Action, Take: take}, body.CActs); got != tc.acts {
			t.Errorf("%s costs %d acts, want %d", tc.action, got, tc.acts)
		}
		provokes := false
		if a.Provoke != nil {
			provokes, _ = a.Provoke(s, c, take)
		}
		if provokes != tc.provokes {
			t.Errorf("%s provokes %v, want %v", tc.action, provokes, tc.provokes)
		}
	}
	t.Run("celesia.action.catalogue crawling and standing up", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		f.Must(act("a", "drop-prone", "", ""))
		f.Must(act("a", "crawl", "", "", way(0, 5)))
		f.Answer(body.DecReaction, "attack:sword", 2, 2)
		f.Must(act("a", "crawl", "", "", way(0, 0)))
		f.Must(act("a", "stand-up", "", "")) // provoked three times, answered once
		if f.acts("a") != 0 {
			t.Errorf("%d acts left", f.acts("a"))
		}
	})
	for bab, want := range map[int32]int64{1: 0, 0: 0} {
		t.Run("celesia.action.catalogue draw on the move", func(t *testing.T) {
			f := duel(t, fighter("a", "party", arms(sheathed("axe", 1, false)), attacks(bab)), fighter("b", "foes", unarmed()))
			if bab == 1 {
				f.Must(act("a", "move", "", "", withParameters("draw", "axe"), way(0, 5)))
				f.Must(act("a", "attack", "axe", "b"), 2)
			} else {
				f.Must(act("a", "move", "", "", way(0, 5)))
				f.Must(act("a", "draw", "axe", ""))
			}
			f.Must(act("a", "attack", "axe", "b"), 2)
			wantRefused(t, f.Try(act("a", "attack", "axe", "b")), cite.TurnThreeActs)
			if f.acts("a") != want {
				t.Errorf("%d acts left", f.acts("a"))
			}
		})
	}
	if (System{}).GMOnly("attack") || !rules.MayCall(System{}, &eventv1.Principal{Role: eventv1.Principal_ROLE_GM}, "skill-check") || rules.MayCall(System{}, player("ann"), "skill-check") {
		t.Error("checks called for are the game master's")
	}
}

// celesia.turn.three-acts: where all who are left sleep no further round begins by itself; where one
// is awake, or is dying, it does.
func TestRoundsOfTheSleeping(t *testing.T) {
	f := duel(t, fighter("a", "party"), fighter("b", "foes"))
	f.Afflict("b", body.CondUnconscious)
	round := f.State.Round
	f.End("a")
	if f.State.Round != round+1 {
		t.Fatalf("round %d after %d: a is awake", f.State.Round, round)
	}
	f.Afflict("a", body.CondUnconscious)
	if f.State.Round != round+1 || len(f.State.Active) != 0 {
		t.Errorf("round %d, active %v: all sleep", f.State.Round, f.State.Active)
	}
}
