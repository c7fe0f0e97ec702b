package celesia

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Attacks with everything given: whose condition, what is rolled, what comes of it.
func TestAttackCircumstances(t *testing.T) {
	for _, tc := range []struct {
		rule         string
		self, target []string
		ranged       bool
		stated       []string
		bonus, dv    int32
		faces        []int
		total        int32
		hit          bool
	}{
		{"celesia.dice.advantage", nil, nil, false, []string{"advantage:x"}, 5, 20, []int{6, 15}, 20, true},
		{"celesia.dice.disadvantage", nil, nil, false, []string{"disadvantage:x"}, 5, 15, []int{20, 9}, 14, false},
		{"celesia.dice.stack-cancel net 2", []string{condShaken}, []string{condFlanked, condProne, condCharged}, false, nil, 4, 30, []int{3, 11, 8}, 15, false},
		{"celesia.dice.stack-cancel even", nil, nil, false, []string{"advantage:a", "advantage:b", "disadvantage:c", "disadvantage:d"}, 4, 30, []int{13}, 17, false},
		{"celesia.dice.stack-cancel net -3", nil, nil, false, []string{"advantage:a", "disadvantage:b", "disadvantage:c", "disadvantage:d", "disadvantage:e"}, 10, 30, []int{19, 14, 20, 6}, 16, false},
		{"celesia.dice.stack-cancel one source", nil, []string{condProne, condProne}, false, nil, 0, 30, []int{2, 12}, 12, false},
		{"celesia.dice.circumstance-table", []string{condGrappled, "dazzled"}, []string{condProne, condFlanked, condPinned}, false, nil, 7, 16, []int{4, 9}, 16, true},
		{"celesia.dice.adv-target-charged", nil, []string{condCharged}, true, nil, 5, 19, []int{14, 3}, 19, true},
		{"celesia.dice.adv-target-blind", nil, []string{condBlind}, true, nil, 3, 15, []int{8, 12}, 15, true},
		{"celesia.dice.adv-broken-ship", nil, []string{"broken-ship"}, true, nil, 4, 8, []int{2, 6}, 10, true},
		{"celesia.dice.adv-target-cowering", nil, []string{condCowering}, false, nil, 5, 16, []int{11, 10}, 16, true},
		{"celesia.dice.adv-target-flanked", nil, []string{condFlanked}, false, nil, 4, 15, []int{3, 11}, 15, true},
		{"celesia.dice.adv-target-helpless", nil, []string{condParalyzed}, false, nil, 2, 10, []int{4, 9}, 11, true},
		{"celesia.dice.adv-target-helpless ranged", nil, []string{condParalyzed}, true, nil, 2, 10, []int{7}, 9, false},
		{"celesia.dice.adv-invisible-attacker", []string{condInvisible}, nil, false, nil, 6, 18, []int{12, 5}, 18, true},
		{"celesia.dice.adv-invisible-attacker blind target", []string{condInvisible}, []string{condBlind}, false, nil, 6, 18, []int{5, 12}, 18, true},
		{"celesia.dice.adv-target-pinned", nil, []string{condPinned}, true, []string{"disadvantage:into-melee"}, 5, 14, []int{9}, 14, true},
		{"celesia.dice.adv-target-prone-melee", []string{condProne}, []string{condProne}, false, nil, 3, 13, []int{10}, 13, true},
		{"celesia.dice.dis-dazzled", []string{"dazzled"}, nil, false, nil, 5, 14, []int{9, 18}, 14, true},
		{"celesia.dice.dis-entangled", []string{"entangled"}, nil, false, nil, 6, 15, []int{8, 10}, 14, false},
		{"celesia.dice.dis-prone-attacker", []string{condProne}, nil, false, nil, 8, 17, []int{9, 15}, 17, true},
		{"celesia.dice.dis-target-prone-ranged", nil, []string{condProne, condFlanked}, true, nil, 5, 13, []int{8}, 13, true},
		{"celesia.dice.dis-shaken", []string{condShaken}, nil, false, nil, 6, 16, []int{10, 13}, 16, true},
		{"celesia.dice.dis-sickened", []string{condSickened, condShaken}, nil, false, nil, 6, 12, []int{14, 5, 9}, 11, false},
		{"celesia.feat.precise-shot prone stays", nil, []string{condProne}, true, nil, 6, 14, []int{15, 8}, 14, true},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			w := &eventv1.CelesiaWeapon{Name: "w", Kind: kindMelee, Dice: "1d8", Hands: 1, AttackBonus: tc.bonus}
			if tc.ranged {
				w.Kind, w.RangeFeet = kindProjectile, 60
			}
			f := duel(t, fighter("a", "party", weapon(w), attacks(0)), fighter("b", "foes", defends(tc.dv), unarmed()))
			f.Afflict("a", tc.self...)
			f.Afflict("b", tc.target...)
			faces := tc.faces
			if tc.hit {
				faces = append(slices.Clone(faces), 1)
			}
			f.Must(act("a", "attack", "w", "b", rulestest.Stated(tc.stated...)), faces...)
			if got := f.Roll("to-hit").Total; got != tc.total || (f.Attack().Outcome == "hit") != tc.hit {
				t.Errorf("total %d, %s; want %d, hit %v", got, f.Attack().Outcome, tc.total, tc.hit)
			}
		})
	}
}

// Checks and saving throws with everything given.
func TestCheckCircumstances(t *testing.T) {
	for _, tc := range []struct {
		rule, condition, skill, save, purpose string
		facts                                 []any
		bonus                                 int32
		faces                                 []int
		total                                 int32
	}{
		{"celesia.dice.dis-broken-tool", "", "heal", "", "", []any{"broken_tool", true}, 5, []int{11, 6}, 11},
		{"celesia.dice.dis-dazzled by ear", "dazzled", "perception", "", "", nil, 4, []int{12}, 16},
		{"celesia.dice.dis-fascinated", "fascinated", "perception", "", "reaction", nil, 3, []int{15, 7}, 10},
		{"celesia.surprise.awareness opposed by ear", "deafened", "perception", "", "opposed", nil, 5, []int{16, 4}, 9},
		{"celesia.dice.dis-frightened", condFrightened, "", "will", "", nil, 4, []int{11, 14}, 15},
		{"celesia.dice.dis-panicked", condPanicked, "", "reflex", "", nil, 6, []int{19, 10}, 16},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			f := duel(t, fighter("a", "party", section(func(c *eventv1.CelesiaSheet) {
				c.Skills = map[string]int32{}
				if tc.skill != "" {
					c.Skills[tc.skill] = tc.bonus
				}
				c.Will, c.Reflex = tc.bonus, tc.bonus
			})), fighter("b", "foes"))
			if tc.condition != "" {
				f.Afflict("a", tc.condition)
			}
			if tc.skill != "" {
				f.Must(act("a", "skill-check", "", "", withParameters("skill", tc.skill, "purpose", tc.purpose), withFacts(tc.facts...)), tc.faces...)
			} else {
				f.Must(act("a", "saving-throw", "", "", withParameters("save", tc.save)), tc.faces...)
			}
			for _, e := range f.Events {
				if r := e.GetRoll(); r != nil && r.Total != tc.total {
					t.Errorf("total %d, want %d", r.Total, tc.total)
				}
			}
		})
	}
	t.Run("celesia.dice.dis-broken-ship", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", section(func(c *eventv1.CelesiaSheet) { c.Reflex = 8 })))
		f.Afflict("a", "broken-ship")
		f.start(nil, 10)
		f.Must(act("a", "saving-throw", "", "", withParameters("save", "reflex")), 17, 4)
		if got := f.Roll("save/a").Total; got != 12 {
			t.Errorf("total %d, want 12", got)
		}
	})
}

// celesia.attack.melee-bonus, celesia.attack.bab-source, celesia.attack.natural-reach
func TestAttackBonus(t *testing.T) {
	small := section(func(c *eventv1.CelesiaSheet) { c.BaseAttack, c.SizeModifier = 1, 1 })
	f := duel(t, fighter("a", "party", small, ability("strength", 16, "dexterity", 6)), fighter("b", "foes", defends(14)))
	f.Must(act("a", "attack", "sword", "b"), 10)
	if f.Roll("to-hit").Total != 13 || f.Attack().Outcome != "miss" {
		t.Error("celesia.attack.melee-bonus: 10 + 1 + 3 - 2 + 1 = 13 misses")
	}
	t.Run("celesia.attack.bab-source", func(t *testing.T) {
		fighterLevels, rogueLevels := int32(4), int32(2)
		f := duel(t, fighter("a", "party", attacks(fighterLevels+rogueLevels)), fighter("b", "foes"))
		f.Must(act("a", "attack", "sword", "b"), 2)
		m := f.Roll("to-hit").Modifiers
		if len(m) != 1 || m[0].Value != 6 || m[0].Rule != "celesia.attack.bab-source" {
			t.Errorf("modifiers %v", m)
		}
	})
	t.Run("celesia.attack.natural-reach", func(t *testing.T) {
		bear := section(func(c *eventv1.CelesiaSheet) {
			c.BaseAttack, c.SizeModifier = 3, -1
			c.Weapons = []*eventv1.CelesiaWeapon{{Name: "claw", Kind: "natural", Dice: "1d6", Limb: "paw"}, {Name: "bite", Kind: "natural", Dice: "1d8", Limb: "mouth"}}
		})
		f := duel(t, fighter("a", "party", bear, ability("strength", 20, "dexterity", 12)), fighter("b", "foes", defends(18), hitPoints(100)))
		for _, tc := range []struct {
			weapon string
			face   int
			total  int32
		}{{"claw", 10, 18}, {"claw", 9, 17}, {"bite", 12, 20}} {
			faces := []int{tc.face}
			if tc.total >= 18 {
				faces = append(faces, 1)
			}
			f.Must(act("a", "attack", tc.weapon, "b"), faces...)
			if got := f.Roll("to-hit").Total; got != tc.total || len(f.Decisions) > 0 {
				t.Errorf("%s: %d, want %d", tc.weapon, got, tc.total)
			}
		}
		f.End("a")
		f.End("b")
		f.at("b", 10, 0)
		wantRefused(t, f.Try(act("a", "attack", "claw", "b")), "celesia.attack.melee-reach")
	})
	t.Run("celesia.attack.special-options", func(t *testing.T) {
		long := weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d8", Hands: 1, AttackBonus: 5, DamageBonus: 3})
		f := duel(t, fighter("a", "party", long, attacks(1), ability("strength", 14)), fighter("b", "foes", defends(16))) // attack +8, damage +5
		f.Must(act("a", "attack", "w", "b", withParameters("options", "power-attack")), 9, 4)
		if f.Roll("to-hit").Total != 16 || f.Attack().Outcome != "hit" {
			t.Errorf("total %d, want 16", f.Roll("to-hit").Total)
		}
		f.WantHP("b", 40-4-5-2)
	})
}

func TestUnarmed(t *testing.T) {
	t.Run("celesia.attack.unarmed-basics hands full", func(t *testing.T) {
		great := weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "2d6", Hands: 2})
		f := duel(t, fighter("a", "party", great), fighter("b", "foes", unarmed()))
		f.Must(act("a", "attack", "fist", "b"), 2)
		f.Afflict("a", condHelpless)
		wantRefused(t, f.Try(act("a", "attack", "fist", "b")), "celesia.action.free-own-turn-only") // the turn is over for the helpless
		c := f.Creature("a")
		if err := actionOf("attack").mayTake(&eventv1.State{Status: eventv1.State_STATUS_STARTED, Active: []string{"a"}, Creatures: f.State.Creatures}, c,
			&eventv1.TakeAction{Creature: "a", Item: "fist", Targets: []string{"b"}}); err == nil {
			t.Error("the helpless strike")
		}
	})
	t.Run("celesia.attack.unarmed-provoke nobody armed", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		f.Must(act("a", "attack", "fist", "b"), 2)
	})
	t.Run("celesia.attack.armed-unarmed", func(t *testing.T) {
		wolf := section(func(c *eventv1.CelesiaSheet) {
			c.Weapons = []*eventv1.CelesiaWeapon{{Name: "bite", Kind: "natural", Dice: "1d6"}}
		})
		f := duel(t, fighter("a", "party", unarmed()), fighter("b", "foes", wolf))
		f.Must(act("a", "attack", "fist", "b"))
		f.Answer(decReaction, "attack:bite", 2, 2)
		monk := duel(t, fighter("a", "party", unarmed(), features(featMonk)), fighter("b", "foes"))
		monk.Must(act("a", "attack", "fist", "b"), 2)
	})
	t.Run("celesia.damage.unarmed", func(t *testing.T) {
		big := weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: "unarmed", Dice: "1d4", Type: "bludgeoning", Nonlethal: true})
		f := duel(t, fighter("a", "party", big, sized("large"), ability("strength", 20), attacks(5)), fighter("b", "foes", unarmed()))
		f.Must(act("a", "attack", "w", "b"), 19, 1, 4) // 29 against 15: one degree
		if got := f.Creature("b").Counters[cNonlethal]; got != 10 {
			t.Errorf("tally %d, want 10", got)
		}
	})
	t.Run("celesia.damage.unarmed-lethal no drawback", func(t *testing.T) {
		for _, setting := range []string{"disadvantage", "penalty"} {
			f := duel(t, fighter("a", "party", attacks(6), features(featImprovedUnarmed)), fighter("b", "foes"), setLethalUnarmed+"="+setting)
			f.Must(act("a", "attack", "fist", "b", withParameters("damage", "lethal")), 12, 2)
			f.WantHP("b", 38)
		}
	})
}

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
		f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: "slowed", Values: map[string]int32{"acts": -3}}}})
		f.start(nil, 1, 2)
		f.End("b")
		f.WantActive("a")
		if f.acts("a") != 0 {
			t.Errorf("%d acts, want 0", f.acts("a"))
		}
		f.Must(act("a", "drop-item", "sword", "")) // free actions are possible
		f.End("a")
		if f.Creature("a").Counters[cReactions] != 1 {
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
		f.Afflict("a", condBlind)
		f.Afflict("b", "deafened", condShaken)
		f.start(nil, 10, 18, 9, 11)
		if a, b := f.Roll("initiative/a").Total, f.Roll("initiative/b").Total; a != 11 || b != 8 {
			t.Errorf("%d and %d, want 11 and 8", a, b)
		}
	})
	t.Run("celesia.dice.dis-deafened", func(t *testing.T) {
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
		f.Answer(decReenter, "yes")
		f.End("a")
		f.End("b")
		if got := order(f.State); f.State.Round != 2 || !slices.Equal(got, []string{"c", "a", "b"}) {
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
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes", features(featCombatReflexes), ability("dexterity", 14), section(func(c *eventv1.CelesiaSheet) { c.Defense, c.DefenseDexterity = 16, 2 })))
		f.at("a", 0, 0)
		f.at("b", 5, 0)
		f.start(nil, 15, 5)
		f.Must(act("a", "sheathe", "sword", ""))
		f.Answer(decReaction, "attack:sword", 2)
		if defense(f.Creature("b"), false).Value != 14 {
			t.Error("its own DV stays 14")
		}
	})
	t.Run("celesia.turn.round-six-seconds", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party")).start(nil, 10)
		for range 10 {
			f.End("a")
		}
		if got := f.State.Counters[cSeconds]; got != 60 {
			t.Errorf("%d seconds after ten rounds", got)
		}
	})
}

func TestSurpriseCases(t *testing.T) {
	t.Run("celesia.surprise.awareness", func(t *testing.T) {
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
	t.Run("celesia.surprise.surprised-definition", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes")).start([]string{"a", "b"}, 10, 5)
		if f.State.Round != 1 || f.Creature("a").Marks[mUnaware] != "" {
			t.Error("nobody is surprised when neither side is aware of the other")
		}
		f = newTable(t).add(fighter("a", "party"), fighter("b", "foes")).start([]string{"a"}, 10, 5)
		f.WantActive("b")
		if f.Creature("a").Marks[mUnaware] == "" {
			t.Error("the fighter is surprised")
		}
	})
	t.Run("celesia.surprise.acts", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes"))
		f.at("a", 0, 0)
		f.at("b", 40, 0)
		f.start([]string{"b"}, 15, 5)
		f.Must(act("a", "charge", "sword", "b"))
		wantRefused(t, f.Try(act("a", "attack", "sword", "b")), "celesia.turn.three-acts")
		g := newTable(t).add(fighter("a", "party", spell(&eventv1.CelesiaSpell{Name: "s", Casting: "full", Dice: "1d6", RangeFeet: 60})), fighter("b", "foes")).start([]string{"b"}, 15, 5)
		wantRefused(t, g.Try(act("a", "cast", "s", "b")), "celesia.action.full-frame")
	})
	t.Run("celesia.feat.uncanny-dodge unaware", func(t *testing.T) {
		rogue := section(func(c *eventv1.CelesiaSheet) {
			c.Defense, c.DefenseDexterity, c.Features = 18, 4, []string{featUncannyDodge}
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
		f.Answer(decReaction+"/b", "attack:sword", 2)
	})
}

func TestReactionCases(t *testing.T) {
	t.Run("celesia.turn.one-reaction several", func(t *testing.T) {
		f := crowd(t, [][2]int32{{0, 0}, {10, 0}, {5, 0}}, fighter("a", "party"), fighter("b", "party"), fighter("c", "foes"))
		f.End("a")
		f.End("b")
		f.Afflict("c", condProne)
		f.Must(act("c", "stand-up", "", ""))
		if len(f.Decisions) != 2 {
			t.Fatalf("asked %v, want a and b", f.Decisions)
		}
		f.Answer(decReaction+"/a", "attack:sword")
		f.Answer(decReaction+"/b", "no", 2, 2)
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
	t.Run("celesia.turn.reaction-timing", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		f.Put("a", &eventv1.Vitals{Counters: map[string]int64{cReactions: 1}, Marks: map[string]string{mReady + "action": "attack", mReady + "item": "sword", mReady + "trigger": "any"}})
		p := provocation{by: "b", kind: "move", provokes: true, take: &eventv1.TakeAction{Creature: "b", Action: "move"}}
		if d := reactionsTo(f.State, f.Creature("a"), p); d != nil {
			t.Errorf("asked in its own turn: %v", d)
		}
		f.State.Active = []string{"b"}
		if d := reactionsTo(f.State, f.Creature("a"), p); d == nil {
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
		f.Answer(decReaction, "no", 3)
	})
	t.Run("celesia.action.total-defense-no-aoo a readied action is allowed", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		f.Put("a", &eventv1.Vitals{Counters: map[string]int64{cReactions: 1}, Marks: map[string]string{mReady + "action": "attack", mReady + "item": "sword", mReady + "trigger": "stand-up"},
			Conditions: []*eventv1.Condition{{Name: condTotal}}})
		f.State.Active = []string{"b"}
		d := reactionsTo(f.State, f.Creature("a"), provocation{by: "b", kind: "stand-up", provokes: true, take: &eventv1.TakeAction{Creature: "b", Action: "stand-up"}})
		if d == nil || len(d.Options) != 2 || d.Options[1].Id != "readied" {
			t.Errorf("asked %v", d)
		}
	})
	t.Run("celesia.dice.adv-target-charged over", func(t *testing.T) {
		bow := weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: kindProjectile, Dice: "1d6", Hands: 2, RangeFeet: 60})
		f := crowd(t, [][2]int32{{0, 0}, {50, 0}, {0, 40}}, fighter("a", "party"), fighter("b", "foes"), fighter("c", "foes", bow, attacks(5)))
		f.Must(act("a", "charge", "sword", "b"))
		f.End("a")
		f.End("b")
		f.Must(act("c", "ready", "w", "", withParameters("action", "attack", "trigger", "attack")))
		f.Must(act("a", "attack", "sword", "b")) // its next turn has begun: one die
		f.Answer(decReaction+"/c", "readied", 14, 1, 2)
	})
	t.Run("counterspells wait for the first turn", func(t *testing.T) {
		bolt := section(func(c *eventv1.CelesiaSheet) {
			c.Spells = []*eventv1.CelesiaSpell{{Name: "s", Casting: "standard", Dice: "1d6", RangeFeet: 60}}
			c.Features = []string{featCounterspell, featUncannyDodge}
		})
		f := newTable(t).add(fighter("a", "party", bolt), fighter("b", "foes", bolt)).start(nil, 15, 5)
		f.Must(act("a", "cast", "s", "b"), 3) // b has its reactions, for attacks of opportunity alone
		f.WantHP("b", 37)
	})
}

func TestActCases(t *testing.T) {
	t.Run("celesia.turn.three-acts", func(t *testing.T) {
		f := crowd(t, [][2]int32{{0, 0}, {5, 0}, {40, 0}}, fighter("a", "party", spell(&eventv1.CelesiaSpell{Name: "s", Casting: "standard", Dice: "1d6", RangeFeet: 60})), fighter("b", "foes", unarmed()), fighter("c", "foes"))
		f.Must(act("a", "move", "", "", way(0, 5)))
		f.Must(act("a", "attack", "sword", "b"), 2)
		wantRefused(t, f.Try(act("a", "cast", "s", "b")), "celesia.action.standard-consecutive") // 1 act left
		f.Must(act("a", "attack", "sword", "b"), 2)
		g := crowd(t, [][2]int32{{0, 0}, {5, 5}, {40, 0}}, fighter("a", "party"), fighter("b", "foes", unarmed()), fighter("c", "foes"))
		g.Must(act("a", "attack", "sword", "b"), 2)
		g.Must(act("a", "charge", "sword", "c"))
		if g.acts("a") != 0 {
			t.Errorf("%d acts left", g.acts("a"))
		}
	})
	t.Run("celesia.turn.haste", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		f.Afflict("a", condHasted)
		f.Must(act("a", "total-defense", "", ""))
		f.Must(act("a", "total-defense", "", ""))
		if f.acts("a") != 0 {
			t.Errorf("%d acts left", f.acts("a"))
		}
	})
	t.Run("celesia.turn.extra-acts-no-stack reductions still apply", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"))
		f.Afflict("a", condHasted)
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
	t.Run("celesia.spell.swift", func(t *testing.T) {
		quick := func(names ...string) func(*eventv1.Sheet) {
			return section(func(c *eventv1.CelesiaSheet) {
				for _, n := range names {
					c.Spells = append(c.Spells, &eventv1.CelesiaSpell{Name: n, Casting: "swift", Attack: "ranged-touch", Dice: "1d4", RangeFeet: 60})
				}
			})
		}
		two := func(s *eventv1.Sheet) {
			s.Abilities["dexterity"], s.GetCelesia().Features = 12, []string{featCombatReflexes}
		}
		f := duel(t, fighter("a", "party", quick("x")), fighter("b", "foes", two))
		f.Must(act("a", "cast", "x", "b"))
		f.Answer(decReaction, "attack:sword", 2, 9, 1) // one provocation for casting and shooting
		if f.Creature("b").Counters[cReactions] != 1 || f.acts("a") != 2 {
			t.Errorf("%d reactions, %d acts", f.Creature("b").Counters[cReactions], f.acts("a"))
		}
		g := duel(t, fighter("a", "party", quick("x", "y", "z")), fighter("b", "foes", unarmed()))
		for _, n := range []string{"x", "y", "z"} {
			g.Must(act("a", "cast", n, "b"), 2)
		}
		limited := section(func(c *eventv1.CelesiaSheet) { c.Spells[0].OncePerTurn = true })
		h := duel(t, fighter("a", "party", quick("x"), limited), fighter("b", "foes", unarmed()))
		h.Must(act("a", "cast", "x", "b"), 2)
		wantRefused(t, h.Try(act("a", "cast", "x", "b")), "celesia.action.convert-swift")
	})
	t.Run("celesia.spell.standard out of reach", func(t *testing.T) {
		f := duel(t, fighter("a", "party", spell(&eventv1.CelesiaSpell{Name: "s", Casting: "standard", Dice: "1d6", RangeFeet: 60})), fighter("b", "foes"))
		f.Must(act("a", "step", "", "", way(-5, 0)))
		f.Must(act("a", "cast", "s", "b"), 3)
		f.WantHP("b", 37)
	})
	t.Run("celesia.action.first-aid", func(t *testing.T) {
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
		g.Answer(decReaction+"/c", "no", 14) // it provokes; 9 fails
		g.WantLife("b", eventv1.LifeStatus_LIFE_STATUS_DYING)
	})
	t.Run("celesia.action.aid-another-stack", func(t *testing.T) {
		f := crowd(t, [][2]int32{{0, 0}, {0, 5}, {0, 10}, {5, 5}}, fighter("a", "party", attacks(2)), fighter("b", "party", attacks(11)), fighter("c", "party", attacks(5)), fighter("d", "foes", defends(18)))
		f.Must(act("a", "aid-another", "sword", "d", withParameters("friend", "c")), 10) // 12: +1
		f.Answer(decAid, "attack")
		f.End("a")
		f.Must(act("b", "aid-another", "sword", "d", withParameters("friend", "c")), 10) // 21: +2
		f.Answer(decAid, "attack")
		f.End("b")
		f.Must(act("c", "attack", "sword", "d"), 10, 1)
		if f.Roll("to-hit").Total != 18 || f.Attack().Outcome != "hit" {
			t.Errorf("total %d, want 18", f.Roll("to-hit").Total)
		}
	})
	t.Run("celesia.action.aid-another only in melee", func(t *testing.T) {
		bow := weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: kindProjectile, Dice: "1d6", Hands: 2, RangeFeet: 60})
		f := crowd(t, [][2]int32{{0, 0}, {20, 0}, {25, 0}}, fighter("a", "party", bow), fighter("b", "party"), fighter("c", "foes"))
		if err := f.Try(act("a", "aid-another", "w", "c", withParameters("friend", "b"))); err == nil {
			t.Error("aid with a bow")
		}
		wantRefused(t, f.Try(act("a", "aid-another", "fist", "c", withParameters("friend", "b"))), "celesia.attack.melee-reach")
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
		wantRefused(t, f.Try(act("a", "ready", "s", "", withParameters("action", "cast", "trigger", "move"))), "celesia.action.full-frame")
	})
	t.Run("celesia.action.ready-expiry two reactions", func(t *testing.T) {
		two := func(s *eventv1.Sheet) {
			s.Abilities["dexterity"], s.GetCelesia().Features = 12, []string{featCombatReflexes}
		}
		f := duel(t, fighter("a", "party", two), fighter("b", "foes"))
		f.Must(act("a", "ready", "sword", "", withParameters("action", "attack", "trigger", "attack")))
		f.Afflict("b", condProne)
		f.Must(act("b", "stand-up", "", ""))
		f.Answer(decReaction, "attack:sword", 2, 3)
		f.Must(act("b", "attack", "sword", "a"))
		f.Answer(decReaction, "readied", 2, 2)
	})
	t.Run("celesia.attack.steady-aim over two turns", func(t *testing.T) {
		bow := weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: kindProjectile, Dice: "1d6", Hands: 2, RangeFeet: 60})
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
	t.Run("celesia.movement.step", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		for n := int32(1); n <= 3; n++ {
			f.Must(act("a", "step", "", "", way(-5*n, 0)))
		}
		f.wantAt("a", -15, 0)
		slow := func(s *eventv1.Sheet) { s.Speeds["walk"] = 5 }
		wantRefused(t, duel(t, fighter("a", "party", slow), fighter("b", "foes")).Try(act("a", "step", "", "")), "celesia.movement.step")
		wantRefused(t, duel(t, fighter("a", "party"), fighter("b", "foes")).Try(act("a", "step", "", "", withParameters("mode", "swim"))), "celesia.movement.step")
	})
	t.Run("celesia.movement.crawl", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		f.Must(act("a", "drop-prone", "", ""))
		for n := int32(1); n <= 3; n++ {
			f.Must(act("a", "crawl", "", "", way(-5*n, 0)))
		}
		f.wantAt("a", -15, 0)
		if !has(f.Creature("a"), condProne) || f.acts("a") != 0 {
			t.Error("15 feet, still prone")
		}
	})
	t.Run("celesia.maneuver.escape-grapple a new turn", func(t *testing.T) {
		f := grappled(t, fighter("a", "party", cmb(8), cmd(20), unarmed()), fighter("b", "foes", cmb(7), unarmed()), 20)
		f.End("a")
		f.Must(act("b", "escape-grapple", "", ""), 2)
		f.End("b")
		f.Must(act("a", "grapple-continued", "", ""), 15)
		f.Answer(decHold, "move")
		f.End("a")
		f.Must(act("b", "escape-grapple", "", ""), 13) // no penalty: 20
		f.Answer(decEscape, "free")
		if has(f.Creature("b"), condGrappled) {
			t.Error("20 against 20 is free")
		}
	})
	t.Run("celesia.maneuver.grapple provokes", func(t *testing.T) {
		f := duel(t, fighter("a", "party", unarmed(), cmb(8)), fighter("b", "foes", cmd(19)))
		f.Must(act("a", "grapple", "", "b"))
		f.Answer(decReaction, "attack:sword", 15, 5, 11) // hit for 5, then the check at its full bonus
		f.WantHP("a", 35)
		if f.Roll("grapple").Total != 19 || holds(f.Creature("a")) != "b" {
			t.Error("no penalty from the damage")
		}
	})
	t.Run("celesia.maneuver.grapple-pull no space", func(t *testing.T) {
		sheets := []*eventv1.Sheet{fighter("a", "party", cmb(8), unarmed(), section(func(c *eventv1.CelesiaSheet) { c.ReachFeet = 10 })), fighter("b", "foes", unarmed())}
		places := [][2]int32{{0, 0}, {10, 0}}
		for i, at := range [][2]int32{{-5, -5}, {0, -5}, {5, -5}, {-5, 0}, {5, 0}, {-5, 5}, {0, 5}, {5, 5}} {
			sheets = append(sheets, fighter("w"+itoa(i), "party", unarmed()))
			places = append(places, at)
		}
		f := crowd(t, places, sheets...)
		f.Must(act("a", "grapple", "", "b"), 20)
		if has(f.Creature("a"), condGrappled) || has(f.Creature("b"), condGrappled) {
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
		if d := f.Decisions[0]; offers(d, "lethal:greatsword") || !offers(d, "lethal:fist") || !offers(d, "nonlethal:fist") {
			t.Errorf("offered %v", d.Options)
		}
		f.Answer(decHold, "lethal:fist", 2) // the grappler's word: lethal with a fist, without drawback
		f.WantHP("b", 38)
	})
}

func TestDegreesOfHits(t *testing.T) {
	for _, tc := range []struct {
		rule  string
		total int32
		want  int32
	}{{"celesia.damage.degrees-weapon margin 10", 25, 1}, {"celesia.damage.degrees-weapon margin 9", 24, 0}, {"celesia.maneuver.success", 15, 0}} {
		if _, got := judgeAttack(false, 15, 20, true)(10, tc.total); got != tc.want {
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
		a := actionOf(tc.action)
		if a == nil {
			t.Errorf("no action %s", tc.action)
			continue
		}
		c := &eventv1.Creature{Id: "a", Sheet: fighter("a", "party", section(func(c *eventv1.CelesiaSheet) {
			c.Weapons = append(c.Weapons, &eventv1.CelesiaWeapon{Name: "dagger", Kind: "melee", Dice: "1d4", Hands: 1, Hand: "off"})
		}))}
		take := &eventv1.TakeAction{Creature: "a", Item: "sword", Targets: []string{"b"}}
		s := &eventv1.State{Creatures: map[string]*eventv1.Creature{"a": c, "b": {Id: "b", Sheet: fighter("b", "foes")}}}
		if got := a.costOf(c, take); got != tc.acts {
			t.Errorf("%s costs %d acts, want %d", tc.action, got, tc.acts)
		}
		provokes := false
		if a.provoke != nil {
			provokes, _ = a.provoke(s, c, take)
		}
		if provokes != tc.provokes {
			t.Errorf("%s provokes %v, want %v", tc.action, provokes, tc.provokes)
		}
	}
	t.Run("celesia.action.catalogue crawling and standing up", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		f.Must(act("a", "drop-prone", "", ""))
		f.Must(act("a", "crawl", "", "", way(0, 5)))
		f.Answer(decReaction, "attack:sword", 2, 2)
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
			wantRefused(t, f.Try(act("a", "attack", "axe", "b")), "celesia.turn.three-acts")
			if f.acts("a") != want {
				t.Errorf("%d acts left", f.acts("a"))
			}
		})
	}
	if (System{}).GMOnly("attack") || !rules.MayCall(System{}, &eventv1.Principal{Role: eventv1.Principal_ROLE_GM}, "skill-check") || rules.MayCall(System{}, player("ann"), "skill-check") {
		t.Error("checks called for are the game master's")
	}
}
