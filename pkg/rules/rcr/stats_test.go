package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.condition.exhaustion-speed, rcr.injury.row2-crippled-speed,
// rcr.condition.crouching-speed, rcr.condition.grappled-speed,
// rcr.condition.restrained-speed, rcr.condition.helpless-incapacitated
func TestSpeed(t *testing.T) {
	for _, c := range []struct {
		name       string
		walk, want int32
		exhaustion int64
		wounds     int64
		conditions []string
	}{
		{"rcr.condition.exhaustion-speed: 1", 30, 30, 1, 0, nil},
		{"rcr.condition.exhaustion-speed: 2", 30, 25, 2, 0, nil},
		{"rcr.condition.exhaustion-speed: 3", 30, 25, 3, 0, nil},
		{"rcr.condition.exhaustion-speed: 4", 30, 20, 4, 0, nil},
		{"rcr.condition.exhaustion-speed: 5", 30, 20, 5, 0, nil},
		{"rcr.condition.exhaustion-speed: 9 of 20", 20, 0, 9, 0, nil},
		{"rcr.condition.exhaustion-speed: floor", 15, 0, 8, 0, nil},
		{"rcr.injury.row2-crippled-speed: 30", 30, 15, 0, 2, nil},
		{"rcr.injury.row2-crippled-speed: 25 rounds down", 25, 12, 0, 2, nil},
		{"rcr.injury.row2-crippled-speed: flat first", 40, 17, 2, 2, nil},
		{"rcr.condition.crouching-speed: 30", 30, 15, 0, 0, []string{body.CondCrouching}},
		{"rcr.condition.crouching-speed: 25 rounds down", 25, 12, 0, 0, []string{body.CondCrouching}},
		{cite.ConditionGrappledSpeed, 30, 0, 0, 0, []string{body.CondGrappled}},
		{cite.ConditionRestrainedSpeed, 60, 0, 0, 0, []string{body.CondRestrained}},
		{cite.ConditionHelplessIncapacitated, 60, 0, 0, 0, []string{body.CondHelpless}},
		{"prone leaves the speed alone", 30, 30, 0, 0, []string{body.CondProne}},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := &eventv1.Creature{Id: "c", Sheet: fighter("c", "party"), Counters: map[string]int64{body.CExhaustion: c.exhaustion, body.CWounds: c.wounds}}
			x.Sheet.Speeds["walk"] = c.walk
			for _, n := range c.conditions {
				x.Conditions = append(x.Conditions, &eventv1.Condition{Name: n})
			}
			s := &eventv1.State{Creatures: map[string]*eventv1.Creature{"c": x}}
			if got := body.SpeedIn(s, "c", "walk"); got != c.want {
				t.Fatalf("speed %d, want %d", got, c.want)
			}
		})
	}
}

// rcr.condition.exhaustion-dc
func TestExhaustionLowersDC(t *testing.T) {
	c := &eventv1.Creature{Sheet: fighter("c", "party", rcrSheet(func(s *eventv1.RcrSheet) { s.SpellDc = 15 })), Counters: map[string]int64{body.CExhaustion: 4}}
	if got := body.EffectDC(c, 0); got != 11 {
		t.Fatalf("spell DC %d, want 11", got)
	}
	if got := body.EffectDC(c, 13); got != 9 {
		t.Fatalf("weapon DC %d, want 9", got)
	}
}

// edgesCase is a check or a save of a creature with conditions.
type edgesCase struct {
	name       string
	conditions []string
	wounds     int64
	ability    string
	skill      string
	purpose    string
	want       dice.Pool
}

func (c edgesCase) creature() *eventv1.Creature {
	x := &eventv1.Creature{Id: "c", Sheet: fighter("c", "party"), Counters: map[string]int64{body.CWounds: c.wounds}}
	for _, n := range c.conditions {
		x.Conditions = append(x.Conditions, &eventv1.Condition{Name: n})
	}
	return x
}

func TestCheckEdges(t *testing.T) {
	for _, c := range []edgesCase{
		{"rcr.injury.row1-shock: checks", nil, 1, "wisdom", "perception", "", -1},
		{"rcr.condition.prone-own-rolls: strength", []string{body.CondProne}, 0, "strength", "athletics", "", -1},
		{"rcr.condition.prone-own-rolls: wisdom is free", []string{body.CondProne}, 0, "wisdom", "insight", "", 0},
		{"rcr.condition.restrained-dexterity: check", []string{body.CondRestrained}, 0, "dexterity", "sleight of hand", "", -1},
		{"rcr.condition.restrained-dexterity: initiative", []string{body.CondRestrained}, 0, "dexterity", "", "initiative", -1},
		{"rcr.condition.deafened-wisdom: medicine", []string{body.CondDeafened}, 0, "wisdom", "medicine", "medicine", -1},
		{cite.ConditionDeafenedInitiative, []string{body.CondDeafened}, 0, "intelligence", "", "initiative", -1},
		{"rcr.condition.deafened-initiative: strength is free", []string{body.CondDeafened}, 0, "strength", "athletics", "", 0},
		{"rcr.condition.crouching-checks: athletics", []string{body.CondCrouching}, 0, "strength", "athletics", "", -1},
		{"rcr.condition.crouching-checks: acrobatics", []string{body.CondCrouching}, 0, "dexterity", "acrobatics", "", -1},
		{"rcr.condition.crouching-checks: stealth is free", []string{body.CondCrouching}, 0, "dexterity", "stealth", "", 0},
		{"rcr.condition.shackled-checks: tools", []string{body.CondShackled}, 0, "dexterity", "thieves' tools", "", -1},
		{"rcr.condition.shackled-checks: hands", []string{body.CondShackled}, 0, "strength", "athletics", "hands", -1},
		{"rcr.condition.shackled-checks: insight is free", []string{body.CondShackled}, 0, "wisdom", "insight", "", 0},
		{"poisoned", []string{body.CondPoisoned}, 0, "wisdom", "insight", "", -1},
		{"rcr.condition.terrified: checks", []string{body.CondTerrified}, 0, "wisdom", "insight", "", -1},
		{"fear counts once", []string{body.CondTerrified, body.CondFrightened}, 0, "wisdom", "insight", "", -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := c.creature()
			s := &eventv1.State{Creatures: map[string]*eventv1.Creature{"c": x}}
			if got := dice.Weigh(dice.CheckEdges(s, x, c.ability, c.skill, c.purpose)); got != c.want {
				t.Fatalf("pool %d, want %d", got, c.want)
			}
		})
	}
	t.Run("rcr.initiative.dex-or-int: the switch that makes initiative no check", func(t *testing.T) {
		x := edgesCase{conditions: []string{body.CondProne, body.CondDeafened}, wounds: 1}.creature()
		s := &eventv1.State{Settings: map[string]string{body.SetInitiativeIsCheck: "off"}, Creatures: map[string]*eventv1.Creature{"c": x}}
		if got := dice.Weigh(dice.CheckEdges(s, x, "dexterity", "", "initiative")); got != -1 {
			t.Fatalf("pool %d, want deafened alone", got)
		}
	})
}

func TestSaveEdges(t *testing.T) {
	crippled := edgesCase{wounds: 2}.creature()
	crippled.Id = "source"
	for _, c := range []struct {
		edgesCase
		source *eventv1.Creature
	}{
		{edgesCase{"rcr.injury.row1-shock: saves", nil, 1, "strength", "", "", -1}, nil},
		{edgesCase{cite.InjuryRow2CrippledSaves, nil, 0, "wisdom", "", "", 1}, crippled},
		{edgesCase{"rcr.injury.row2-crippled-saves: saver in shock", nil, 1, "wisdom", "", "", 0}, crippled},
		{edgesCase{"rcr.condition.prone-own-rolls: dexterity save", []string{body.CondProne}, 0, "dexterity", "", "", -1}, nil},
		{edgesCase{"rcr.condition.prone-own-rolls: wisdom save", []string{body.CondProne}, 0, "wisdom", "", "", 0}, nil},
		{edgesCase{"rcr.condition.restrained-dexterity: save", []string{body.CondRestrained}, 0, "dexterity", "", "", -1}, nil},
		{edgesCase{"rcr.condition.deafened-wisdom: save", []string{body.CondDeafened}, 0, "wisdom", "", "", -1}, nil},
		{edgesCase{cite.ConditionDeafenedConcentration, []string{body.CondDeafened}, 0, "constitution", "", "concentration", -1}, nil},
		{edgesCase{"rcr.condition.crouching-checks: against falling", []string{body.CondCrouching}, 0, "strength", "", "stay-up", -1}, nil},
		{edgesCase{"rcr.condition.crouching-checks: against poison", []string{body.CondCrouching}, 0, "constitution", "", "", 0}, nil},
		{edgesCase{"dodging", []string{body.CondDodging}, 0, "dexterity", "", "", 1}, nil},
		{edgesCase{"dodging while grappled", []string{body.CondDodging, body.CondGrappled}, 0, "dexterity", "", "", 0}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := c.creature()
			s := &eventv1.State{Creatures: map[string]*eventv1.Creature{"c": x}}
			if got := dice.Weigh(dice.SaveEdges(s, x, c.ability, c.purpose, c.source)); got != c.want {
				t.Fatalf("pool %d, want %d", got, c.want)
			}
		})
	}
}

// rcr.condition.helpless-saves, rcr.condition.paralyzed-common,
// rcr.condition.blinded-sight, rcr.condition.deafened-wisdom
func TestAutomaticFailures(t *testing.T) {
	with := func(name string) *eventv1.Creature { return edgesCase{conditions: []string{name}}.creature() }
	for name, want := range map[string]string{body.CondHelpless: cite.ConditionHelplessSaves, body.CondParalyzed: cite.ConditionParalyzedCommon,
		body.CondStunned: cite.BaseFifthEditionFallback, body.CondUnconscious: cite.BaseFifthEditionFallback} {
		for _, a := range []string{"strength", "dexterity"} {
			if rule, fails := dice.AutoFailSave(with(name), a); !fails || rule != want {
				t.Errorf("%s %s: %v %s", name, a, fails, rule)
			}
		}
		if _, fails := dice.AutoFailSave(with(name), "wisdom"); fails {
			t.Errorf("%s: a wisdom save fails by itself", name)
		}
	}
	if rule, fails := dice.AutoFailCheck(nil, with(body.CondBlinded), "sight", body.WaterSaid{}); !fails || rule != cite.ConditionBlindedSight {
		t.Error("the blind see")
	}
	if _, fails := dice.AutoFailCheck(nil, with(body.CondBlinded), "hearing", body.WaterSaid{}); fails {
		t.Error("the blind do not hear")
	}
	if rule, fails := dice.AutoFailCheck(nil, with(body.CondDeafened), "hearing", body.WaterSaid{}); !fails || rule != cite.ConditionDeafenedWisdom {
		t.Error("the deaf hear")
	}
}

// rcr.condition.exhaustion-scale: more than 10 is death, by the game master's word too
func TestExhaustionScale(t *testing.T) {
	f := duel(t)
	f.Count("b", body.CExhaustion, 10)
	if body.Dead(f.Creature("b")) {
		t.Fatal("dead at 10")
	}
	f.Count("b", body.CExhaustion, 11)
	if !body.Dead(f.Creature("b")) {
		t.Fatal("alive at 11")
	}
}

// rcr.injury.con-negative: skipped rows do not weigh, unless the table has them do so
func TestSkippedRows(t *testing.T) {
	x := edgesCase{wounds: 1}.creature()
	x.Sheet.Abilities["constitution"] = 8
	s := &eventv1.State{Creatures: map[string]*eventv1.Creature{"c": x}}
	if got := dice.Weigh(dice.CheckEdges(s, x, "wisdom", "", "")); got != 0 {
		t.Fatal("Shock was skipped")
	}
	s.Settings = map[string]string{body.SetSkippedRows: "on"}
	if got := dice.Weigh(dice.CheckEdges(s, x, "wisdom", "", "")); got != -1 {
		t.Fatal("Shock counts when the table says so")
	}
}
