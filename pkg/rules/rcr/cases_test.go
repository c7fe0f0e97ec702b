package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// blow is an attack of a on b in numbers of its own.
type blow struct {
	name           string
	bonus, ac      int32
	weapon, dice   string
	exhaustion     int
	attacker       []string
	target         []string
	facts          []any
	stated         []string
	faces          []int
	total          int32 // of the attack roll; 0: none is made
	kept           int32
	outcome        string
	damage, wounds int32
}

func (c blow) run(t *testing.T) {
	t.Helper()
	f := newTable(t).add(fighter("a", "monsters", rcrSheet(func(s *eventv1.RcrSheet) {
		for _, atk := range s.Attacks {
			atk.Bonus = c.bonus
			if c.dice != "" {
				atk.Damage[0].Dice = c.dice
			}
		}
	})), fighter("b", "party", rcrSheet(func(s *eventv1.RcrSheet) { s.ArmorClass = c.ac }), ability("constitution", 20)),
		fighter("z", "party")).start(nil, 20, 5, 4)
	if c.weapon == "" {
		c.weapon = "sword"
	}
	f.Afflict("a", c.attacker...)
	f.Afflict("b", c.target...)
	f.Count("a", body.CExhaustion, c.exhaustion)
	f.Must(act("a", "attack", c.weapon, "b", withFacts(c.facts...), stated(c.stated...)), c.faces...)
	rolls := f.Rolls("/to-hit")
	switch {
	case c.total == 0 && len(rolls) != 0:
		t.Fatalf("rolled %v", rolls)
	case c.total != 0 && (len(rolls) != 1 || rolls[0].Total != c.total || !slices.Equal(rolls[0].Kept, []int32{c.kept})):
		t.Fatalf("rolled %v, want %d by the die %d", rolls, c.total, c.kept)
	}
	if got := f.Attack().Outcome; got != c.outcome {
		t.Fatalf("%s, want %s", got, c.outcome)
	}
	if got := f.DamageTo("b"); got != c.damage {
		t.Fatalf("%d damage, want %d", got, c.damage)
	}
	if got := f.Creature("b").Counters[body.CWounds]; got != int64(c.wounds) {
		t.Fatalf("%d wounds, want %d", got, c.wounds)
	}
}

// Attacks with all their numbers, from the roll to the damage.
func TestAttacksInFull(t *testing.T) {
	for _, c := range []blow{
		{name: cite.BaseHalfCover, bonus: 6, ac: 14, facts: []any{"cover", "half"}, faces: []int{9}, total: 15, kept: 9, outcome: "miss"},
		{name: "rcr.base.half-cover: one more", bonus: 6, ac: 14, facts: []any{"cover", "half"}, faces: []int{10, 1}, total: 16, kept: 10, outcome: "hit", damage: 4},
		{name: "rcr.dice.pairwise-cancel: two against one", bonus: 5, ac: 15, stated: []string{"advantage:a", "advantage:b", "disadvantage:c"},
			faces: []int{4, 17, 1}, total: 22, kept: 17, outcome: "hit", damage: 4},
		{name: "rcr.dice.assurance: the highest of three", bonus: 4, ac: 17, stated: []string{"advantage:a", "advantage:b"},
			faces: []int{3, 13, 8, 1}, total: 17, kept: 13, outcome: "hit", damage: 4},
		{name: "rcr.dice.assurance: four sources, three dice", bonus: 4, ac: 17, stated: []string{"advantage:a", "advantage:b", "advantage:c", "advantage:d"},
			faces: []int{3, 20, 8, 1, 2}, total: 24, kept: 20, outcome: "critical", damage: 6, wounds: 1},
		{name: "rcr.dice.same-kind-no-stack: blinded, and the target in darkness", bonus: 5, ac: 15, attacker: []string{"blinded"},
			stated: []string{"disadvantage:sight", "advantage:x"}, faces: []int{15, 1}, total: 20, kept: 15, outcome: "hit", damage: 4},
		{name: "rcr.dice.disaster: a natural 1 among three is kept, and misses", bonus: 20, ac: 15, stated: []string{"disadvantage:a", "disadvantage:b"},
			faces: []int{16, 1, 20}, total: 21, kept: 1, outcome: "miss"},
		{name: "rcr.dice.disaster: three natural 20", bonus: 0, ac: 30, stated: []string{"disadvantage:a", "disadvantage:b"},
			faces: []int{20, 20, 20, 1, 1}, total: 20, kept: 20, outcome: "critical", damage: 5, wounds: 1},
		{name: "rcr.condition.helpless-attacks: an archer at a disadvantage", bonus: 5, ac: 18, weapon: "bow", attacker: []string{"prone"}, target: []string{"helpless"},
			faces: []int{4, 6}, outcome: "critical", damage: 13, wounds: 1},
		{name: "rcr.condition.paralyzed-common: a hit", bonus: 5, ac: 16, target: []string{"paralyzed=stricken"}, faces: []int{11, 4, 3, 7},
			total: 16, kept: 11, outcome: "critical", damage: 13, wounds: 1},
		{name: "rcr.condition.paralyzed-common: a miss", bonus: 5, ac: 16, target: []string{"paralyzed=stricken"}, faces: []int{10, 4}, total: 15, kept: 10, outcome: "miss"},
		{name: "rcr.condition.paralyzed-common: a natural 1 among its advantage is kept when both are", bonus: 20, ac: 16, target: []string{"paralyzed=stricken"},
			faces: []int{1, 1}, total: 21, kept: 1, outcome: "miss"},
		{name: "rcr.injury.wound-on-critical: a hit on the paralysed, within the allowance", bonus: 7, ac: 15, dice: "9", target: []string{"paralyzed=stricken"},
			faces: []int{11, 3}, total: 18, kept: 11, outcome: "critical", damage: 9, wounds: 1},
		{name: "rcr.condition.crouching-shield: nothing without a shield", bonus: 8, ac: 18, weapon: "bow", target: []string{"crouching"}, facts: []any{"between", false},
			faces: []int{11, 1}, total: 19, kept: 11, outcome: "hit", damage: 4},
		{name: "rcr.condition.exhaustion-d20: a natural 1 at exhaustion is one", bonus: 30, ac: 15, exhaustion: 1, faces: []int{1}, total: 30, kept: 1, outcome: "miss"},
		{name: "rcr.condition.exhaustion-d20: ten levels", bonus: 10, ac: 15, exhaustion: 10, faces: []int{14}, total: 14, kept: 14, outcome: "miss"},
		{name: "rcr.condition.grappled-attacks: the second of two grapplers", bonus: 5, ac: 15, attacker: []string{"grappled@b", "grappled@z"},
			faces: []int{10, 1}, total: 15, kept: 10, outcome: "hit", damage: 4},
		{name: "rcr.condition.helpless-definition: bound hands are not helpless", bonus: 5, ac: 15, target: []string{"shackled"},
			faces: []int{2, 9}, total: 14, kept: 9, outcome: "miss"},
	} {
		t.Run(c.name, c.run)
	}
}

// checked is a check or a saving throw called for, with all its numbers.
type checked struct {
	name       string
	what       string // a skill, a tool or, for a saving throw, an ability
	save       bool
	bonus      int32
	dc         int
	conditions []string
	exhaustion int
	wounds     int
	against    string
	stated     []string
	faces      []int
	total      int32
	outcome    string
}

func (c checked) run(t *testing.T) {
	t.Helper()
	f := newTable(t).add(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) {
		bonus := []*eventv1.RcrSkill{{Name: c.what, Bonus: c.bonus}}
		switch _, skill := body.SkillAbility[c.what]; {
		case c.save:
			s.Saves = map[string]int32{c.what: c.bonus}
		case skill:
			s.Skills = bonus
		default:
			s.Tools = bonus
		}
	})), fighter("b", "monsters")).start(nil, 20, 5)
	f.Afflict("a", c.conditions...)
	f.Count("a", body.CExhaustion, c.exhaustion, body.CWounds, c.wounds)
	action, parameters := "called-check", []any{"skill", c.what, "dc", c.dc}
	if c.save {
		action, parameters = "called-save", []any{"ability", c.what, "dc", c.dc}
		if c.against != "" {
			parameters = append(parameters, "against", c.against)
		}
	}
	f.Must(act("a", action, "", "", withParameters(parameters...), stated(c.stated...)), c.faces...)
	if c.faces == nil {
		if got := f.Rolls(""); len(got) != 0 {
			t.Fatalf("rolled %v", got)
		}
		return
	}
	if got := f.Rolls("")[0]; got.Total != c.total || got.Outcome != c.outcome {
		t.Fatalf("%d, %s; want %d, %s", got.Total, got.Outcome, c.total, c.outcome)
	}
}

// Checks and saving throws with all their numbers.
func TestRollsInFull(t *testing.T) {
	for _, c := range []checked{
		{name: "rcr.dice.pairwise-cancel: two against two on a check", what: "stealth", dc: 9, stated: []string{"advantage:a", "advantage:b", "disadvantage:c", "disadvantage:d"},
			faces: []int{9}, total: 9, outcome: "success"},
		{name: "rcr.dice.disaster: three sources on a saving throw", what: "wisdom", save: true, dc: 10, stated: []string{"disadvantage:a", "disadvantage:b", "disadvantage:c"},
			faces: []int{16, 2, 14}, total: 2, outcome: "failure"},
		{name: "rcr.condition.prone-own-rolls: a Dexterity save", what: "dexterity", save: true, bonus: 7, dc: 15, conditions: []string{"prone"}, faces: []int{14, 6}, total: 13, outcome: "failure"},
		{name: "rcr.condition.prone-own-rolls: a Strength check", what: "athletics", bonus: 7, dc: 15, conditions: []string{"prone"}, faces: []int{14, 6}, total: 13, outcome: "failure"},
		{name: "rcr.condition.prone-own-rolls: a Wisdom save", what: "wisdom", save: true, bonus: 4, dc: 13, conditions: []string{"prone"}, faces: []int{9}, total: 13, outcome: "success"},
		{name: cite.ConditionRestrainedDexterity, what: "sleight of hand", bonus: 6, dc: 12, conditions: []string{"restrained"}, faces: []int{10, 4}, total: 10, outcome: "failure"},
		{name: "rcr.condition.crouching-checks: a shove", what: "athletics", bonus: 5, dc: 10, conditions: []string{"crouching"}, faces: []int{12, 3}, total: 8, outcome: "failure"},
		{name: "rcr.condition.crouching-checks: against being made prone", what: "strength", save: true, bonus: 2, dc: 12, conditions: []string{"crouching"}, against: "stay-up",
			faces: []int{15, 9}, total: 11, outcome: "failure"},
		{name: "rcr.condition.crouching-checks: against poison", what: "constitution", save: true, bonus: 0, dc: 15, conditions: []string{"crouching"}, faces: []int{15}, total: 15, outcome: "success"},
		{name: "rcr.condition.shackled-checks: tools", what: "thieves' tools", bonus: 8, dc: 15, conditions: []string{"shackled"}, faces: []int{13, 6}, total: 14, outcome: "failure"},
		{name: "rcr.condition.exhaustion-d20: a check", what: "survival", bonus: 2, dc: 1, exhaustion: 5, faces: []int{3}, total: 0, outcome: "failure"},
		{name: "rcr.condition.helpless-saves: Dexterity", what: "dexterity", save: true, bonus: 9, dc: 10, conditions: []string{"helpless"}},
		{name: "rcr.condition.helpless-saves: Wisdom is rolled", what: "wisdom", save: true, bonus: 9, dc: 10, conditions: []string{"helpless"}, faces: []int{1}, total: 10, outcome: "success"},
		{name: "rcr.injury.row1-shock: a Strength save", what: "strength", save: true, bonus: 3, dc: 13, wounds: 1, faces: []int{17, 4}, total: 7, outcome: "failure"},
		{name: "rcr.injury.row1-shock: two advantages", what: "strength", save: true, dc: 13, wounds: 1, stated: []string{"advantage:a", "advantage:b"}, faces: []int{6, 15}, total: 15, outcome: "success"},
		{name: "rcr.injury.row1-shock: prone as well is disaster", what: "dexterity", save: true, dc: 13, wounds: 1, conditions: []string{"prone"}, faces: []int{16, 15, 2}, total: 2, outcome: "failure"},
		{name: "rcr.condition.deafened-wisdom: with Shock, disaster", what: "insight", dc: 13, wounds: 1, conditions: []string{"deafened"}, faces: []int{16, 3, 14}, total: 3, outcome: "failure"},
		{name: "rcr.condition.blinded-sight: no sight is no roll", what: "perception", bonus: 8, dc: 5, conditions: nil, faces: []int{1}, total: 9, outcome: "success"},
	} {
		t.Run(c.name, c.run)
	}
}
