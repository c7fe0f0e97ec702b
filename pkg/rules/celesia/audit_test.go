package celesia

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
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
		{cite.DiceAdvantage, nil, nil, false, []string{"advantage:x"}, 5, 20, []int{6, 15}, 20, true},
		{"celesia.dice.advantage declined", nil, nil, false, []string{"advantage:x", "advantage:declined"}, 5, 20, []int{15}, 20, true},
		{"celesia.dice.advantage declined after cancelling", nil, nil, false, []string{"advantage:x", "advantage:y", "disadvantage:z", "advantage:declined"}, 5, 20, []int{14}, 19, false},
		{"celesia.dice.advantage declined leaves disadvantage", nil, nil, false, []string{"advantage:x", "disadvantage:y", "disadvantage:z", "advantage:declined"}, 5, 15, []int{20, 9}, 14, false},
		{cite.DiceDisadvantage, nil, nil, false, []string{"disadvantage:x"}, 5, 15, []int{20, 9}, 14, false},
		{"celesia.dice.stack-cancel net 2", []string{body.CondShaken}, []string{body.CondFlanked, body.CondProne, body.CondCharged}, false, nil, 4, 30, []int{3, 11, 8}, 15, false},
		{"celesia.dice.stack-cancel even", nil, nil, false, []string{"advantage:a", "advantage:b", "disadvantage:c", "disadvantage:d"}, 4, 30, []int{13}, 17, false},
		{"celesia.dice.stack-cancel net -3", nil, nil, false, []string{"advantage:a", "disadvantage:b", "disadvantage:c", "disadvantage:d", "disadvantage:e"}, 10, 30, []int{19, 14, 20, 6}, 16, false},
		{"celesia.dice.stack-cancel one source", nil, []string{body.CondProne, body.CondProne}, false, nil, 0, 30, []int{2, 12}, 12, false},
		{cite.DiceCircumstanceTable, []string{body.CondGrappled, "dazzled"}, []string{body.CondProne, body.CondFlanked, body.CondPinned}, false, nil, 7, 16, []int{4, 9}, 16, true},
		{cite.DiceAdvTargetCharged, nil, []string{body.CondCharged}, true, nil, 5, 19, []int{14, 3}, 19, true},
		{cite.DiceAdvTargetBlind, nil, []string{body.CondBlind}, true, nil, 3, 15, []int{8, 12}, 15, true},
		{cite.DiceAdvBrokenShip, nil, []string{"broken-ship"}, true, nil, 4, 8, []int{2, 6}, 10, true},
		{cite.DiceAdvTargetCowering, nil, []string{body.CondCowering}, false, nil, 5, 16, []int{11, 10}, 16, true},
		{cite.DiceAdvTargetFlanked, nil, []string{body.CondFlanked}, false, nil, 4, 15, []int{3, 11}, 15, true},
		{cite.DiceAdvTargetHelpless, nil, []string{body.CondParalyzed}, false, nil, 2, 10, []int{4, 9}, 11, true},
		{"celesia.dice.adv-target-helpless ranged", nil, []string{body.CondParalyzed}, true, nil, 2, 10, []int{7}, 9, false},
		{cite.DiceAdvInvisibleAttacker, []string{body.CondInvisible}, nil, false, nil, 6, 18, []int{12, 5}, 18, true},
		{"celesia.dice.adv-invisible-attacker blind target", []string{body.CondInvisible}, []string{body.CondBlind}, false, nil, 6, 18, []int{5, 12}, 18, true},
		{cite.DiceAdvTargetPinned, nil, []string{body.CondPinned}, true, []string{"disadvantage:into-melee"}, 5, 14, []int{9}, 14, true},
		{cite.DiceAdvTargetProneMelee, []string{body.CondProne}, []string{body.CondProne}, false, nil, 3, 13, []int{10}, 13, true},
		{cite.DiceDisDazzled, []string{"dazzled"}, nil, false, nil, 5, 14, []int{9, 18}, 14, true},
		{cite.DiceDisEntangled, []string{"entangled"}, nil, false, nil, 6, 15, []int{8, 10}, 14, false},
		{cite.DiceDisProneAttacker, []string{body.CondProne}, nil, false, nil, 8, 17, []int{9, 15}, 17, true},
		{cite.DiceDisTargetProneRanged, nil, []string{body.CondProne, body.CondFlanked}, true, nil, 5, 13, []int{8}, 13, true},
		{cite.DiceDisShaken, []string{body.CondShaken}, nil, false, nil, 6, 16, []int{10, 13}, 16, true},
		{cite.DiceDisSickened, []string{body.CondSickened, body.CondShaken}, nil, false, nil, 6, 12, []int{14, 5, 9}, 11, false},
		{"celesia.feat.precise-shot prone stays", nil, []string{body.CondProne}, true, nil, 6, 14, []int{15, 8}, 14, true},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			w := &eventv1.CelesiaWeapon{Name: "w", Kind: body.KindMelee, Dice: "1d8", Hands: 1, AttackBonus: tc.bonus}
			if tc.ranged {
				w.Kind, w.RangeFeet = body.KindProjectile, 60
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
		{cite.DiceDisBrokenTool, "", "heal", "", "", []any{"broken_tool", true}, 5, []int{11, 6}, 11},
		{"celesia.dice.dis-dazzled by ear", "dazzled", "perception", "", "", nil, 4, []int{12}, 16},
		{cite.DiceDisFascinated, "fascinated", "perception", "", "reaction", nil, 3, []int{15, 7}, 10},
		{"celesia.surprise.awareness opposed by ear", "deafened", "perception", "", "opposed", nil, 5, []int{16, 4}, 9},
		{cite.DiceDisFrightened, body.CondFrightened, "", "will", "", nil, 4, []int{11, 14}, 15},
		{cite.DiceDisPanicked, body.CondPanicked, "", "reflex", "", nil, 6, []int{19, 10}, 16},
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
				f.Must(act("a", "skill-check", "", "", checking(tc.skill, tc.purpose), withFacts(tc.facts...)), tc.faces...)
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
	t.Run(cite.DiceDisBrokenShip, func(t *testing.T) {
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
	t.Run(cite.AttackBabSource, func(t *testing.T) {
		fighterLevels, rogueLevels := int32(4), int32(2)
		f := duel(t, fighter("a", "party", attacks(fighterLevels+rogueLevels)), fighter("b", "foes"))
		f.Must(act("a", "attack", "sword", "b"), 2)
		m := f.Roll("to-hit").Modifiers
		if len(m) != 1 || m[0].Value != 6 || m[0].Rule != cite.AttackBabSource {
			t.Errorf("modifiers %v", m)
		}
	})
	t.Run(cite.AttackNaturalReach, func(t *testing.T) {
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
		wantRefused(t, f.Try(act("a", "attack", "claw", "b")), cite.AttackMeleeReach)
	})
	t.Run(cite.AttackSpecialOptions, func(t *testing.T) {
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
		f.Afflict("a", body.CondHelpless)
		wantRefused(t, f.Try(act("a", "attack", "fist", "b")), cite.ActionFreeOwnTurnOnly) // the turn is over for the helpless
		if err := checks.Frame().Refused(checks.Frame().At(&eventv1.State{Status: eventv1.State_STATUS_STARTED, Active: []string{"a"}, Creatures: f.State.Creatures},
			&eventv1.TakeAction{Creature: "a", Action: "attack", Item: "fist", Targets: []string{"b"}})); err == nil {
			t.Error("the helpless strike")
		}
	})
	t.Run("celesia.attack.unarmed-provoke nobody armed", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		f.Must(act("a", "attack", "fist", "b"), 2)
	})
	t.Run(cite.AttackArmedUnarmed, func(t *testing.T) {
		wolf := section(func(c *eventv1.CelesiaSheet) {
			c.Weapons = []*eventv1.CelesiaWeapon{{Name: "bite", Kind: "natural", Dice: "1d6"}}
		})
		f := duel(t, fighter("a", "party", unarmed()), fighter("b", "foes", wolf))
		f.Must(act("a", "attack", "fist", "b"))
		f.Answer(body.DecReaction, "attack:bite", 2, 2)
		monk := duel(t, fighter("a", "party", unarmed(), features(body.FeatMonk)), fighter("b", "foes"))
		monk.Must(act("a", "attack", "fist", "b"), 2)
	})
	t.Run(cite.DamageUnarmed, func(t *testing.T) {
		big := weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: "unarmed", Dice: "1d4", Type: "bludgeoning", Nonlethal: true})
		f := duel(t, fighter("a", "party", big, sized("large"), ability("strength", 20), attacks(5)), fighter("b", "foes", unarmed()))
		f.Must(act("a", "attack", "w", "b"), 19, 1, 4) // 29 against 15: one degree
		if got := f.Creature("b").Counters[body.CNonlethal]; got != 10 {
			t.Errorf("tally %d, want 10", got)
		}
	})
	t.Run("celesia.damage.unarmed-lethal no drawback", func(t *testing.T) {
		for _, setting := range []string{"disadvantage", "penalty"} {
			f := duel(t, fighter("a", "party", attacks(6), features(body.FeatImprovedUnarmed)), fighter("b", "foes"), body.SetLethalUnarmed+"="+setting)
			f.Must(act("a", "attack", "fist", "b", withParameters("damage", "lethal")), 12, 2)
			f.WantHP("b", 38)
		}
	})
}
