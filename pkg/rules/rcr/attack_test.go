package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// duel is an attacker a, whose turn it is, and a target b of armour class 15.
func duel(t *testing.T, settings ...string) *table {
	t.Helper()
	f := newTable(t, settings...).add(fighter("a", "party"), fighter("b", "monsters"), fighter("z", "monsters"))
	return f.start(nil, 20, 5, 4)
}

// rcr.base.attack-and-critical
func TestAttackRoll(t *testing.T) {
	cases := []struct {
		name    string
		bonus   int32
		faces   []int
		outcome string
	}{
		{"meets the armour class", 5, []int{10, 4}, "hit"},
		{"one short", 5, []int{9}, "miss"},
		{"natural 1 misses whatever the total", 14, []int{1}, "miss"},
		{"natural 20 is critical", -20, []int{20, 5, 2}, "critical"},
	}
	for _, c := range cases {
		t.Run("rcr.base.attack-and-critical: "+c.name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) { s.Attacks[0].Bonus = c.bonus })), fighter("b", "monsters"))
			f.start(nil, 20, 5)
			f.Must(act("a", "attack", "sword", "b"), c.faces...)
			if got := f.Attack().Outcome; got != c.outcome {
				t.Fatalf("%s, want %s", got, c.outcome)
			}
			if c.outcome == "critical" {
				if d := f.Roll("/damage"); d.Expression != "2d8+3" || d.Total != 10 {
					t.Fatalf("damage %s = %d, want 2d8+3 = 10", d.Expression, d.Total)
				}
			}
		})
	}
}

// rcr.base.attack-and-critical
func TestDoubleDice(t *testing.T) {
	for in, want := range map[string]string{"1d8+3": "2d8+3", "d6": "2d6", "2d10+1d6-1": "4d10+2d6-1", "5": "5", "12d6": "24d6"} {
		if got := dice.DoubleDice(in); got != want {
			t.Errorf("%s doubled is %s, want %s", in, got, want)
		}
	}
}

// attackCase is an attack of a on b: conditions of either and the dice it takes.
type attackCase struct {
	name     string
	attacker []string
	target   []string
	weapon   string
	facts    []any
	stated   []string
	faces    []int
	kept     int32
	outcome  string
}

func (c attackCase) run(t *testing.T) {
	t.Helper()
	f := duel(t)
	if len(c.attacker) > 0 {
		f.Afflict("a", c.attacker...)
	}
	if len(c.target) > 0 {
		f.Afflict("b", c.target...)
	}
	if c.weapon == "" {
		c.weapon = "sword"
	}
	f.Must(act("a", "attack", c.weapon, "b", withFacts(c.facts...), stated(c.stated...)), c.faces...)
	if c.kept != 0 {
		if got := f.Roll("/to-hit").Kept; !slices.Equal(got, []int32{c.kept}) {
			t.Fatalf("kept %v, want %d", got, c.kept)
		}
	}
	if c.outcome != "" && f.Attack().Outcome != c.outcome {
		t.Fatalf("%s, want %s", f.Attack().Outcome, c.outcome)
	}
}

// TestAttackEdges: one attack for each rule that weighs on attack rolls. Faces
// below 10 miss, so that no damage dice follow.
func TestAttackEdges(t *testing.T) {
	for _, c := range []attackCase{
		{name: "rcr.base.fifth-edition-fallback: poisoned", attacker: []string{"poisoned"}, faces: []int{15, 6}, kept: 6},
		{name: "rcr.base.fifth-edition-fallback: poisoned and prone", attacker: []string{"poisoned", "prone"}, faces: []int{15, 6, 11}, kept: 6},
		{name: "rcr.dice.pairwise-cancel: blinded and prone against a guiding bolt", attacker: []string{"blinded", "prone"},
			stated: []string{"advantage:guiding bolt"}, faces: []int{18, 7}, kept: 7},
		{name: "rcr.dice.pairwise-cancel: two against one", attacker: []string{"prone"}, target: []string{"restrained"},
			stated: []string{"advantage:x"}, faces: []int{4, 9}, kept: 9},
		{name: "rcr.dice.pairwise-cancel: one against three", stated: []string{"advantage:a", "disadvantage:b", "disadvantage:c", "disadvantage:d"},
			faces: []int{12, 19, 5}, kept: 5},
		{name: "rcr.dice.pairwise-cancel: equal counts", stated: []string{"advantage:a", "advantage:b", "disadvantage:c", "disadvantage:d"}, faces: []int{9}, kept: 9},
		{name: cite.DiceAssurance, stated: []string{"advantage:a", "advantage:b"}, faces: []int{3, 9, 8}, kept: 9},
		{name: "rcr.dice.assurance: the ceiling", stated: []string{"advantage:a", "advantage:b", "advantage:c", "advantage:d"}, faces: []int{3, 9, 8}, kept: 9},
		{name: cite.DiceDisaster, attacker: []string{"prone", "blinded"}, faces: []int{16, 8, 14}, kept: 8},
		{name: "rcr.dice.disaster: the floor", stated: []string{"disadvantage:a", "disadvantage:b", "disadvantage:c"}, faces: []int{16, 2, 14}, kept: 2},
		{name: "rcr.dice.same-kind-no-stack: blinded in darkness", attacker: []string{"blinded"}, stated: []string{"disadvantage:sight"}, faces: []int{15, 9}, kept: 9},
		{name: "rcr.dice.same-kind-no-stack: merged before cancelling", attacker: []string{"blinded"}, stated: []string{"disadvantage:sight", "advantage:x"}, faces: []int{9}, kept: 9},
		{name: "rcr.dice.same-kind-no-stack: two kinds", attacker: []string{"blinded", "prone"}, stated: []string{"disadvantage:sight"}, faces: []int{15, 9, 12}, kept: 9},
		{name: "rcr.condition.replace-base: prone against prone", attacker: []string{"prone"}, target: []string{"prone"}, faces: []int{9}, kept: 9},
		{name: "rcr.condition.replace-base: prone and restrained", target: []string{"prone", "restrained"}, faces: []int{4, 9, 5}, kept: 9},
		{name: "rcr.condition.blinded-attacks: own", attacker: []string{"blinded"}, faces: []int{17, 8}, kept: 8},
		{name: "rcr.condition.blinded-attacks: both", attacker: []string{"blinded"}, target: []string{"blinded"}, faces: []int{9}, kept: 9},
		{name: "rcr.condition.grappled-attacks: the grappler", attacker: []string{"grappled@b"}, faces: []int{9}, kept: 9},
		{name: "rcr.condition.grappled-attacks: another", attacker: []string{"grappled@z"}, faces: []int{16, 5}, kept: 5},
		{name: "rcr.condition.grappled-attacks: one of two grapplers", attacker: []string{"grappled@z", "grappled@b"}, faces: []int{9}, kept: 9},
		{name: cite.ConditionProneOwnRolls, attacker: []string{"prone"}, faces: []int{16, 5}, kept: 5},
		{name: "rcr.condition.prone-attacks-against: ranged", target: []string{"prone", "incapacitated"}, weapon: "bow", faces: []int{15, 6}, kept: 6},
		{name: "rcr.condition.prone-attacks-against: melee", target: []string{"prone"}, faces: []int{6, 9}, kept: 9},
		{name: "rcr.condition.restrained-attacks: both", attacker: []string{"restrained"}, target: []string{"restrained"}, faces: []int{9}, kept: 9},
		{name: "rcr.condition.crouching-ranged: somebody between", target: []string{"crouching"}, weapon: "bow", facts: []any{"between", true}, faces: []int{15, 6}, kept: 6},
		{name: "rcr.condition.crouching-ranged: nothing between", target: []string{"crouching"}, weapon: "bow", facts: []any{"between", false}, faces: []int{9}, kept: 9},
		{name: "rcr.condition.crouching-melee: on a croucher", target: []string{"crouching"}, faces: []int{7, 9}, kept: 9},
		{name: "rcr.condition.crouching-melee: by a croucher", attacker: []string{"crouching"}, weapon: "bow", faces: []int{18, 2}, kept: 2},
		{name: "rcr.condition.crouching-melee: both crouch", attacker: []string{"crouching"}, target: []string{"crouching"}, faces: []int{9}, kept: 9},
		{name: cite.ConditionShackledWeapons, attacker: []string{"shackled"}, faces: []int{12, 7}, kept: 7},
		{name: cite.ConditionShackledAttacked, target: []string{"shackled"}, faces: []int{8, 9}, kept: 9},
		{name: "rcr.condition.helpless-attacks: no roll", attacker: []string{"prone"}, target: []string{"helpless"}, weapon: "bow", faces: []int{4, 6}, outcome: "critical"},
		{name: "rcr.condition.paralyzed-common: a hit is critical", target: []string{"paralyzed=stricken"}, faces: []int{11, 4, 3, 7}, kept: 11, outcome: "critical"},
		{name: "rcr.condition.paralyzed-common: a miss is a miss", target: []string{"paralyzed=stricken"}, faces: []int{9, 4}, kept: 9, outcome: "miss"},
		{name: "rcr.condition.paralyzed-stricken: ranged has one advantage", target: []string{"paralyzed=stricken"}, weapon: "bow", faces: []int{9, 4}, kept: 9},
		{name: "rcr.condition.paralyzed-disabled: melee", target: []string{"paralyzed=disabled"}, faces: []int{5, 9, 7}, kept: 9, outcome: "miss"},
		{name: "rcr.condition.paralyzed-disabled: ranged", target: []string{"paralyzed=disabled"}, weapon: "bow", faces: []int{13, 1, 1}, kept: 13, outcome: "critical"},
		{name: cite.BaseHalfCover, facts: []any{"cover", "half"}, faces: []int{11}, kept: 11, outcome: "miss"},
		{name: "frightened by the target", attacker: []string{"frightened@b"}, faces: []int{14, 3}, kept: 3},
		{name: "frightened by what it cannot see", attacker: []string{"frightened@b", "blinded"}, faces: []int{14, 3}, kept: 3},
		{name: "invisible target", target: []string{"invisible"}, faces: []int{14, 3}, kept: 3},
		{name: "invisible attacker", attacker: []string{"invisible"}, faces: []int{4, 3}, kept: 4},
		{name: "stunned target", target: []string{"stunned"}, faces: []int{4, 3}, kept: 4},
		{name: "petrified target", target: []string{"petrified"}, faces: []int{4, 3}, kept: 4},
		{name: "long range", weapon: "bow", facts: []any{"distance", 100}, faces: []int{14, 3}, kept: 3},
		{name: "shot beside an enemy", weapon: "bow", facts: []any{"close_enemy", true}, faces: []int{14, 3}, kept: 3},
	} {
		t.Run(c.name, c.run)
	}
}

// rcr.dice.same-kind-no-stack: the game master merges kinds before the roll
func TestMergedKinds(t *testing.T) {
	f := duel(t)
	f.Afflict("a", "prone", "restrained")
	f.Must(act("a", "attack", "sword", "b", withFacts("kinds", map[string]any{"prone/attacker": "tangled", "restrained/attacker": "tangled"})), 15, 9)
	if got := f.Roll("/to-hit").Expression; got != "2d20kl1" {
		t.Fatalf("%s, want plain disadvantage", got)
	}
}

// rcr.condition.prone-attacks-against: a matter of the kind of attack
func TestProneAtReach(t *testing.T) {
	f := newTable(t).add(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) { s.Attacks[0].ReachFeet = 10 })), fighter("b", "monsters"))
	f.start(nil, 20, 5)
	f.Afflict("b", "prone")
	f.Must(act("a", "attack", "sword", "b", withFacts("distance", 10)), 9, 6)
	if got := f.Roll("/to-hit").Kept[0]; got != 9 {
		t.Fatalf("kept %d, want 9", got)
	}
}

// rcr.condition.paralyzed-common: the setting that restores 5 feet
func TestParalyzedWithinFiveFeet(t *testing.T) {
	f := duel(t, body.SetParalyzedFiveFeet+"=on")
	f.Afflict("b", "paralyzed=stricken")
	f.Must(act("a", "attack", "bow", "b", withFacts("distance", 30, "close_enemy", false)), 11, 4, 1)
	if f.Attack().Outcome != "hit" {
		t.Fatalf("%s, want a plain hit", f.Attack().Outcome)
	}
}

// rcr.condition.crouching-shield, rcr.base.half-cover
func TestCrouchingShield(t *testing.T) {
	for _, c := range []struct {
		name   string
		shield eventv1.RcrSheet_Shield
		rme    string
		face   int
		faces  []int
		want   string
	}{
		{"shield gives half cover", eventv1.RcrSheet_SHIELD_SHIELD, "on", 11, nil, "miss"},
		{"buckler does not", eventv1.RcrSheet_SHIELD_BUCKLER, "on", 10, []int{1}, "hit"},
		{"buckler without RME shields does", eventv1.RcrSheet_SHIELD_BUCKLER, "off", 11, nil, "miss"},
	} {
		t.Run("rcr.condition.crouching-shield: "+c.name, func(t *testing.T) {
			f := newTable(t, body.SetRMEShields+"="+c.rme).add(fighter("a", "party"), fighter("b", "monsters", rcrSheet(func(s *eventv1.RcrSheet) { s.Shield = c.shield })))
			f.start(nil, 20, 5)
			f.Afflict("b", "crouching")
			f.Must(act("a", "attack", "bow", "b", withFacts("between", false)), append([]int{c.face}, c.faces...)...)
			if got := f.Attack().Outcome; got != c.want {
				t.Fatalf("%s, want %s", got, c.want)
			}
		})
	}
}

// rcr.condition.blinded-sight: blindsight
func TestBlindsight(t *testing.T) {
	f := newTable(t).add(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) { s.Senses = map[string]int32{"blindsight": 30} })), fighter("b", "monsters"))
	f.start(nil, 20, 5)
	f.Afflict("a", "blinded")
	f.Must(act("a", "attack", "sword", "b", withFacts("distance", 5)), 9)
	if got := f.Roll("/to-hit"); got.Expression != "1d20" {
		t.Fatalf("%s, want a plain roll", got.Expression)
	}
}

// rcr.condition.exhaustion-d20
func TestExhaustionOnAttack(t *testing.T) {
	for _, c := range []struct {
		name    string
		level   int
		bonus   int32
		stated  []string
		faces   []int
		total   int32
		outcome string
	}{
		{"three levels", 3, 6, nil, []int{12, 1}, 15, "hit"},
		{"with advantage", 4, 5, []string{"advantage:x"}, []int{9, 17, 1}, 18, "hit"},
		{"natural 20 is the die's", 2, 6, nil, []int{20, 1, 1}, 24, "critical"},
		{"a 2 is no natural 1", 1, 20, nil, []int{2, 1}, 21, "hit"},
	} {
		t.Run("rcr.condition.exhaustion-d20: "+c.name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) { s.Attacks[0].Bonus = c.bonus })), fighter("b", "monsters"))
			f.start(nil, 20, 5)
			f.Count("a", body.CExhaustion, c.level)
			f.Must(act("a", "attack", "sword", "b", stated(c.stated...)), c.faces...)
			if got := f.Roll("/to-hit"); got.Total != c.total || f.Attack().Outcome != c.outcome {
				t.Fatalf("%d %s, want %d %s", got.Total, f.Attack().Outcome, c.total, c.outcome)
			}
		})
	}
}

// rcr.condition.terrified
func TestTerrified(t *testing.T) {
	f := duel(t)
	f.Afflict("a", "terrified@b")
	wantRefused(t, f.Try(act("a", "attack", "sword", "b")), cite.ConditionTerrified)
	wantRefused(t, f.Try(act("a", "dodge", "", "")), cite.ConditionTerrified)
	f.Must(act("a", "dash", "", ""))
	if got := f.Creature("a").Counters[body.CMovement]; got != 60 {
		t.Fatalf("movement %d, want 60", got)
	}

	g := duel(t)
	g.Afflict("a", "terrified@b", "grappled@b")
	g.Must(act("a", "dodge", "", ""))
	h := duel(t)
	h.Afflict("a", "terrified@b")
	h.Must(act("a", "dodge", "", "", withParameters("cornered", true)))
}

// rcr.base.fifth-edition-fallback: charmed, dead, out of reach, not in hand
func TestAttackRefusals(t *testing.T) {
	f := duel(t)
	f.Afflict("a", "charmed@b")
	wantRefused(t, f.Try(act("a", "attack", "sword", "b")), cite.BaseFifthEditionFallback)
	g := duel(t)
	wantRefused(t, g.Try(act("a", "attack", "sword", "b", withFacts("distance", 10))), cite.BaseFifthEditionFallback)
	wantRefused(t, g.Try(act("a", "attack", "bow", "b", withFacts("distance", 325))), cite.BaseFifthEditionFallback)
	wantRefused(t, g.Try(act("a", "attack", "sword", "b", withFacts("cover", "total"))), cite.BaseHalfCover)
	wantRefused(t, g.Try(act("b", "attack", "sword", "a")), cite.InitiativeEveryRound)
	g.Must(act("a", "attack", "sword", "b"), 2)
	wantRefused(t, g.Try(act("a", "attack", "sword", "b")), cite.BaseFifthEditionFallback)
}

// rcr.injury.row2-crippled-attacks, rcr.injury.row1-shock
func TestWoundedAttacks(t *testing.T) {
	f := duel(t)
	f.Count("a", body.CWounds, 1) // Shock leaves attacks alone
	f.Must(act("a", "attack", "sword", "b"), 2)
	g := duel(t)
	g.Count("a", body.CWounds, 2)
	g.Must(act("a", "attack", "sword", "b"), 16, 7)
	if got := g.Roll("/to-hit"); got.Total != 12 {
		t.Fatalf("total %d, want 12", got.Total)
	}
	h := duel(t)
	h.Count("a", body.CWounds, 2)
	h.Afflict("a", "prone")
	h.Must(act("a", "attack", "sword", "b"), 14, 9, 18)
	if got := h.Roll("/to-hit").Kept[0]; got != 9 {
		t.Fatalf("kept %d, want 9", got)
	}
}

// Dodge, Help and hiding weigh on attacks.
func TestDodgeAndHelp(t *testing.T) {
	f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters"), fighter("c", "party"))
	f.start(nil, 18, 5, 20)
	f.Must(act("c", "help", "", "a", withParameters("against", "b")))
	f.End("c", 1)
	f.Must(act("a", "attack", "sword", "b"), 4, 8)
	if got := f.Roll("/to-hit").Kept[0]; got != 8 {
		t.Fatalf("helped: kept %d, want 8", got)
	}
	if body.Has(f.Creature("a"), body.CondHelped) {
		t.Fatal("the help is not used up")
	}
	f.End("a", 1)
	f.Must(act("b", "dodge", "", ""))
	f.End("b", 1) // all on 1: a, b, c by id
	f.WantActive("a")
	f.Must(act("a", "attack", "sword", "b"), 18, 3)
}

// Multiattack, attacks of the action and the off hand.
func TestManyAttacks(t *testing.T) {
	two := fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) { s.AttacksPerAction = 2 }))
	f := newTable(t).add(two, fighter("b", "monsters")).start(nil, 20, 5)
	f.Must(act("a", "attack", "sword", "b"), 2)
	f.Must(act("a", "attack", "bow", "b"), 2)
	wantRefused(t, f.Try(act("a", "attack", "sword", "b")), cite.BaseFifthEditionFallback)

	owlbear := fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) {
		s.Multiattack = []*eventv1.RcrMultiattack{{Name: "both", Parts: []*eventv1.RcrMultiattackPart{{Name: "sword", Count: 1}, {Name: "bow", Count: 2}}}}
	}))
	g := newTable(t).add(owlbear, fighter("b", "monsters")).start(nil, 20, 5)
	g.Must(act("a", "attack", "bow", "b"), 2)
	g.Must(act("a", "attack", "sword", "b"), 2)
	wantRefused(t, g.Try(act("a", "attack", "sword", "b")), cite.BaseFifthEditionFallback)
	g.Must(act("a", "attack", "bow", "b"), 2)
	wantRefused(t, g.Try(act("a", "attack", "bow", "b")), cite.BaseFifthEditionFallback)

	twin := fighter("a", "party", ability("dexterity", 16), rcrSheet(func(s *eventv1.RcrSheet) {
		s.Attacks[0].Properties = []string{"light", "finesse", "one-handed"}
		s.Attacks = append(s.Attacks, &eventv1.RcrAttack{Name: "dagger", Bonus: 5, ReachFeet: 5, Hand: "off",
			Damage: []*eventv1.RcrDamage{{Dice: "1d4+3", Type: "piercing"}}, Properties: []string{"light", "finesse", "one-handed"}})
	}))
	h := newTable(t).add(twin, fighter("b", "monsters")).start(nil, 17, 5)
	wantRefused(t, h.Try(act("a", "off-hand-attack", "dagger", "b")), cite.BaseFifthEditionFallback)
	h.Must(act("a", "attack", "sword", "b"), 2)
	h.Must(act("a", "off-hand-attack", "dagger", "b"), 12, 4)
	if got := h.Roll("/damage").Total; got != 4 {
		t.Fatalf("damage of the off hand %d, want 4 without the modifier", got)
	}
	wantRefused(t, h.Try(act("a", "off-hand-attack", "dagger", "b")), cite.BaseFifthEditionFallback)
}
