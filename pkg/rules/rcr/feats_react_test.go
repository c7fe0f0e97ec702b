package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	thedice "github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/rcr/magic"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	"github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.feat.savage-attacker-reroll
func TestSavageAttackersRollAgain(t *testing.T) {
	fight := func(settings ...string) *table {
		return newTable(t, settings...).add(fighter("a", "party", feat("savage attacker")), fighter("b", "monsters")).start(nil, 20, 5)
	}
	f := fight()
	f.Must(act("a", "attack", "sword", "b"), 1)
	f.Answer(magic.DecReroll, "yes", 12, 4)
	f.WantHP("b", 40-7)
	f.wantCount("a", body.CRerolled, 1)
	f.wantCited(cite.FeatSavageAttackerReroll)
	f.End("a", 20)
	f.End("b", 5)
	f.Must(act("a", "attack", "bow", "b"), 1)
	if len(f.Decisions) > 0 || f.Attack().Outcome != "miss" {
		t.Errorf("asked again: %v", f.Decisions)
	}
	f.tend(&eventv1.PatientCommand{Deed: "short-rest", Patients: []string{"a"}, Parameters: object("dice", 0)})
	f.wantCount("a", body.CRerolled, 0)
	f = fight()
	f.Must(act("a", "attack", "bow", "b"), 1)
	f.Answer(magic.DecReroll, "no")
	f.wantCount("a", body.CRerolled, 0)
	f = fight(off(cite.FeatSavageAttackerReroll)...)
	f.Must(act("a", "attack", "sword", "b"), 1)
	if len(f.Decisions) > 0 {
		t.Errorf("asked all the same: %v", f.Decisions)
	}
}

func path(x ...int32) func(*eventv1.TakeAction) { return rulestest.To(x...) }

// rcr.feat.sentinel-stop
func TestSentinelsStop(t *testing.T) {
	for name, c := range map[string]struct {
		size     string
		settings []string
		face     int
		stops    bool
	}{
		"large": {"large", nil, 15, true}, "huge": {"huge", nil, 15, false}, "miss": {"medium", nil, 2, false}, "off": {"large", off(cite.FeatSentinelStop), 15, false},
	} {
		f := newTable(t, c.settings...)
		f.place(fighter("b", "monsters", func(s *eventv1.Sheet) { s.Size = c.size }), 5, 0)
		f.place(fighter("a", "party", feat("sentinel")), 0, 0)
		f.start(nil, 5, 20)
		f.Afflict("b", body.CondBlinded)
		f.Must(act("b", "move", "", "", path(10, 15, 20)))
		faces := []int{c.face, c.face}
		if c.face > 10 {
			faces = append(faces, 4)
		}
		f.Answer(body.DecOpportunity, "sword", faces...)
		if got := f.Creature("b").Position.X == 5; got != c.stops {
			t.Errorf("%s: at %v", name, f.Creature("b").Position)
		}
		if !c.stops {
			continue
		}
		wantRefused(t, f.Try(act("b", "move", "", "", path(10))), cite.FeatSentinelStop)
		f.End("b", 20)
		if body.Has(f.Creature("b"), body.CondStopped) {
			t.Errorf("%s: the turn is over", name)
		}
	}
}

// rcr.feat.sentinel-disengage, rcr.feat.mobile-no-oa
func TestSentinelsAreNotDisengagedFrom(t *testing.T) {
	for name, c := range map[string]struct {
		feats, mover []string
		settings     []string
		disengage    bool
		asked        bool
	}{
		"sentinel": {[]string{"sentinel"}, nil, nil, true, true}, "another": {nil, nil, nil, true, false},
		"off": {[]string{"sentinel"}, nil, off(cite.FeatSentinelDisengage), true, false}, "mobile": {[]string{"sentinel"}, []string{"mobile"}, nil, false, false},
	} {
		f := newTable(t, c.settings...)
		f.place(fighter("b", "monsters", feat(c.mover...)), 10, 0)
		f.place(fighter("a", "party", feat(c.feats...)), 0, 0)
		f.start(nil, 5, 20)
		if c.disengage {
			f.Must(act("b", "disengage", "", ""))
		}
		f.Must(act("b", "move", "", "", path(5, 10, 15)))
		if asked := len(f.Decisions) > 0; asked != c.asked {
			t.Errorf("%s: asked %v", name, asked)
		}
	}
}

// rcr.feat.sentinel-guard
func TestSentinelsGuard(t *testing.T) {
	fight := func(target string, x int32, settings ...string) *table {
		f := newTable(t, settings...)
		f.place(fighter("a", "party", feat("sentinel"), rcrSheet(func(s *eventv1.RcrSheet) { s.Attacks[0].ReachFeet = 10 })), 0, 0)
		f.place(fighter("b", "monsters"), x, 0)
		f.place(fighter("d", "party"), x+5, 0)
		f.start(nil, 5, 20, 4)
		f.Must(act("b", "attack", "sword", target), 2)
		return f
	}
	f := fight("d", 10)
	f.Answer(movement.DecGuard, "sword", 15, 4)
	f.WantHP("b", 40-7)
	f.wantCount("a", body.CReaction, 0)
	f.wantCited(cite.FeatSentinelGuard)
	if body.Has(f.Creature("b"), body.CondStopped) {
		t.Error("it is no opportunity attack")
	}
	f = fight("d", 10)
	f.Answer(movement.DecGuard, "no")
	f.wantCount("a", body.CReaction, 1)
	for name, f := range map[string]*table{"at the sentinel": fight("a", 5), "out of reach": fight("d", 15), "off": fight("d", 10, off(cite.FeatSentinelGuard)...)} {
		if len(f.Decisions) > 0 {
			t.Errorf("%s: asked all the same", name)
		}
	}
}

// rcr.feat.crusher-move
func TestCrushersShift(t *testing.T) {
	fight := func(size, kind string, settings ...string) *table {
		f := newTable(t, append(settings, cite.FeatCrusherCritical+"=off")...)
		f.place(fighter("a", "party", feat("crusher"), weapons(weapon("maul", "", kind)), rcrSheet(func(s *eventv1.RcrSheet) { s.AttacksPerAction = 3 })), 0, 0)
		f.place(fighter("b", "monsters", func(s *eventv1.Sheet) { s.Size = size }), 5, 0)
		f.start(nil, 20, 5)
		f.Must(act("a", "attack", "maul", "b"), 15, 3)
		return f
	}
	f := fight("large", "bludgeoning")
	f.Answer(movement.DecShift, "north 10")
	if p := f.Creature("b").Position; p.X != 5 || p.Y != 10 {
		t.Errorf("at %v", p)
	}
	f.wantCited(cite.FeatCrusherMove)
	f.Place("b", 5, 0)
	f.Must(act("a", "attack", "maul", "b"), 15, 3) // once a turn
	if len(f.Decisions) > 0 {
		t.Fatal("asked twice in a turn")
	}
	f.End("a", 20)
	f.Place("b", 5, 0)
	f.Must(act("b", "use-object", "", ""))
	f.Answer(body.DecOpportunity, "maul", 15, 3) // another's turn
	f.Answer(movement.DecShift, "east 5")
	if p := f.Creature("b").Position; p.X != 10 {
		t.Errorf("at %v", p)
	}
	f = fight("medium", "bludgeoning")
	f.Answer(movement.DecShift, "stay")
	f.Must(act("a", "attack", "maul", "b"), 15, 3)
	f.Answer(movement.DecShift, "east 10")
	for name, f := range map[string]*table{"huge": fight("huge", "bludgeoning"), "piercing": fight("medium", "piercing"), "off": fight("medium", "bludgeoning", off(cite.FeatCrusherMove)...)} {
		if len(f.Decisions) > 0 {
			t.Errorf("%s: asked all the same", name)
		}
	}
	g := newTable(t).add(fighter("a", "party", feat("crusher"), weapons(weapon("maul", "", "bludgeoning"))), fighter("b", "monsters")).start(nil, 20, 5)
	g.Must(act("a", "attack", "maul", "b"), 15, 3)
	g.Answer(movement.DecShift, "10 feet")
}

// rcr.feat.defensive-duelist-parry, rcr.feat.defensive-duelist-double
func TestDefensiveDuelistsParry(t *testing.T) {
	fight := func(attacks int32, settings ...string) *table {
		foe := rcrSheet(func(s *eventv1.RcrSheet) { s.AttacksPerAction = 3 })
		return newTable(t, settings...).add(fighter("a", "party", feat("defensive duelist"), ability("dexterity", 13), weapons(weapon("rapier", "", "piercing", "finesse")),
			rcrSheet(func(s *eventv1.RcrSheet) { s.AttacksPerAction = attacks })), fighter("b", "monsters", foe), fighter("c", "monsters", foe)).start(nil, 5, 20, 15)
	}
	f := fight(1)
	f.Must(act("b", "attack", "sword", "a"), 12) // 17 against 18
	f.Answer(strike.DecDefend, "parry")
	f.WantHP("a", 40)
	f.wantCount("a", body.CReaction, 0)
	f.Must(act("b", "attack", "sword", "a"), 12, 4) // no reaction left
	f.WantHP("a", 33)
	f = fight(1)
	f.Must(act("b", "attack", "sword", "a"), 13) // 18 meets 18
	f.Answer(strike.DecDefend, "parry", 4)
	f.WantHP("a", 33)
	f.wantCount("a", body.CReaction, 0)
	f = fight(1)
	f.Must(act("b", "attack", "sword", "a"), 20)
	f.Answer(strike.DecDefend, "parry", 4, 4)
	if f.Attack().Outcome != "critical" {
		t.Errorf("%v", f.Attack())
	}
	f = fight(1)
	f.Must(act("b", "attack", "bow", "a"), 11, 4) // nothing to parry
	// One reaction for two attacks of one creature.
	f = fight(2)
	f.Must(act("b", "attack", "sword", "a"), 11)
	f.Answer(strike.DecDefend, "parry")
	f.Must(act("b", "attack", "sword", "a"), 12)
	f.Answer(strike.DecDefend, "parry")
	f.WantHP("a", 40)
	f.wantCount("a", body.CReaction, 0)
	f.wantCited(cite.FeatDefensiveDuelistDouble)
	f.Must(act("b", "attack", "sword", "a"), 11, 4)
	f.WantHP("a", 33)
	// Another creature, in its own turn.
	f = fight(2)
	f.Must(act("b", "attack", "sword", "a"), 11)
	f.Answer(strike.DecDefend, "parry")
	f.End("b", 20)
	f.Must(act("c", "attack", "sword", "a"), 11, 4)
	f.WantHP("a", 33)
	f = fight(2, off(cite.FeatDefensiveDuelistDouble)...)
	f.Must(act("b", "attack", "sword", "a"), 11)
	f.Answer(strike.DecDefend, "parry")
	f.Must(act("b", "attack", "sword", "a"), 11, 4)
	f = fight(2, off(cite.FeatDefensiveDuelistParry)...)
	f.Must(act("b", "attack", "sword", "a"), 11, 4)
}

// rcr.feat.war-caster-oa-spell
func TestWarCastersCastAtMovers(t *testing.T) {
	fight := func(settings ...string) *table {
		f := newTable(t, settings...)
		f.place(fighter("b", "monsters"), 5, 0)
		f.place(fighter("a", "party", feat("war caster"), rcrSheet(func(s *eventv1.RcrSheet) {
			s.SpellDc = 13
			s.Spells = []*eventv1.RcrSpell{{Name: "shock", RangeFeet: 5, Somatic: true, Damage: []*eventv1.RcrDamage{{Dice: "1d8", Type: "lightning"}}},
				{Name: "quick", CastingTime: "bonus", RangeFeet: 30, Damage: []*eventv1.RcrDamage{{Dice: "1d8", Type: "fire"}}},
				{Name: "wave", RangeFeet: 30, Targets: 5, Damage: []*eventv1.RcrDamage{{Dice: "1d8", Type: "thunder"}}}}
		})), 0, 0)
		f.start(nil, 5, 20)
		return f
	}
	options := func(f *table) (out []string) {
		for _, o := range f.Decisions[0].Options {
			out = append(out, o.Id)
		}
		return out
	}
	f := fight()
	f.Afflict("b", body.CondBlinded)
	f.Must(act("b", "move", "", "", path(10, 15)))
	if got := options(f); !slices.Equal(got, []string{"no", "sword", body.UnarmedStrike, "cast/shock"}) {
		t.Errorf("options %v", got)
	}
	f.Answer(body.DecOpportunity, "cast/shock", 6)
	f.WantHP("b", 34)
	f.wantCount("a", body.CReaction, 0)
	f.wantCount("a", body.CAction, 0) // not its turn
	f.wantCited(cite.FeatWarCasterOaSpell)
	f = fight()
	f.Must(act("b", "use-object", "", ""))
	if got := options(f); !slices.Equal(got, []string{"no", "sword", body.UnarmedStrike}) {
		t.Errorf("not by moving: options %v", got)
	}
	f = fight(off(cite.FeatWarCasterOaSpell)...)
	f.Afflict("b", body.CondBlinded)
	f.Must(act("b", "move", "", "", path(10, 15)))
	if got := options(f); !slices.Equal(got, []string{"no", "sword", body.UnarmedStrike}) {
		t.Errorf("off: options %v", got)
	}
}

// rcr.feat.war-caster-somatic
func TestWarCastersGesture(t *testing.T) {
	for name, c := range map[string]struct {
		settings  []string
		condition string
		may       bool
	}{"on": {nil, "", true}, "off": {off(cite.FeatWarCasterSomatic), "", false}, "restrained": {nil, body.CondRestrained, false}, "shackled": {nil, body.CondShackled, false}} {
		f := newTable(t, c.settings...).add(fighter("a", "party", feat("war caster"), rcrSheet(func(s *eventv1.RcrSheet) {
			s.Shield, s.Spells = eventv1.RcrSheet_SHIELD_SHIELD, []*eventv1.RcrSpell{{Name: "spark", Somatic: true, RangeFeet: 30, Damage: []*eventv1.RcrDamage{{Dice: "1d4", Type: "fire"}}}}
		})), fighter("b", "monsters")).start(nil, 20, 5)
		if c.condition != "" {
			f.Afflict("a", c.condition)
		}
		if err := f.Try(act("a", "cast", "spark", "b"), 2); (err == nil) != c.may {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// rcr.feat.mage-slayer-reaction, rcr.feat.mage-slayer-interrupt
func TestMageSlayersStrikeAtCasters(t *testing.T) {
	fight := func(x int32, feats []string, settings ...string) *table {
		f := newTable(t, settings...)
		f.place(fighter("a", "monsters", feat(feats...), ability("constitution", 14), func(s *eventv1.Sheet) { s.HitPoints = 60 }, rcrSheet(func(s *eventv1.RcrSheet) {
			s.SpellSlots = []int32{1}
			s.Spells = []*eventv1.RcrSpell{{Name: "dart", Level: 1, CastingTime: "bonus", RangeFeet: 60, Damage: []*eventv1.RcrDamage{{Dice: "1d4", Type: "force"}}}}
		})), 0, 0)
		f.place(fighter("b", "party", feat("mage slayer"), rcrSheet(func(s *eventv1.RcrSheet) { s.Attacks[0].ReachFeet, s.Attacks[0].Damage[0].Dice = 10, "2d12+3" })), x, 0)
		f.start(nil, 20, 5)
		f.Must(act("a", "cast", "dart", "b"), map[bool][]int{true: {2}}[x > 10 || len(settings) > 0 && settings[0] == cite.FeatMageSlayerReaction+"=off"]...)
		return f
	}
	f := fight(10, []string{"war caster"}, off(cite.FeatWarCasterConcentration)...)
	f.Answer(movement.DecSlay, "sword", 15, 10, 10, 8) // 23 damage: 10 against 11
	f.WantHP("a", 60-23)
	f.WantHP("b", 40)
	f.wantCount("a", body.CSlot+"1", 1)
	f.wantCount("a", body.CBonus, 0)
	f.wantCount("b", body.CReaction, 0)
	f.wantCited(cite.FeatMageSlayerReaction, cite.FeatMageSlayerInterrupt)
	f = fight(10, nil)
	f.Answer(movement.DecSlay, "sword", 15, 3, 3, 8, 2) // 9 damage: 10 against 10
	f.WantHP("b", 38)
	f.wantCount("a", body.CSlot+"1", 0)
	f = fight(10, nil)
	f.Answer(movement.DecSlay, "sword", 2, 2) // a miss
	f.WantHP("b", 38)
	f = fight(10, nil, off(cite.FeatMageSlayerInterrupt)...)
	f.Answer(movement.DecSlay, "sword", 15, 10, 10, 2)
	f.WantHP("b", 38)
	for name, f := range map[string]*table{"out of reach": fight(15, nil), "off": fight(10, nil, off(cite.FeatMageSlayerReaction)...)} {
		if len(f.Decisions) > 0 {
			t.Errorf("%s: asked all the same", name)
		}
		f.WantHP("b", 38)
	}
	t.Run("the caster falls", func(t *testing.T) {
		f := newTable(t)
		f.place(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) {
			s.SpellSlots = []int32{1}
			s.Spells = []*eventv1.RcrSpell{{Name: "dart", Level: 1, CastingTime: "bonus", RangeFeet: 60, Damage: []*eventv1.RcrDamage{{Dice: "1d4", Type: "force"}}}}
		})), 0, 0)
		f.place(fighter("b", "monsters", feat("mage slayer")), 5, 0)
		f.start(nil, 20, 5)
		f.Hurt("a", 7)
		f.Must(act("a", "cast", "dart", "b"))
		f.Answer(movement.DecSlay, "sword", 15, 8, 12, 12)
		f.WantHP("a", 0)
		f.WantHP("b", 40)
		f.wantCount("a", body.CWounds, 2)
		f.wantCount("a", body.CSlot+"1", 1)
	})
	t.Run("an earlier spell", func(t *testing.T) {
		f := newTable(t)
		f.place(fighter("a", "monsters", rcrSheet(func(s *eventv1.RcrSheet) {
			s.Spells = []*eventv1.RcrSpell{{Name: "dart", CastingTime: "bonus", RangeFeet: 60, Damage: []*eventv1.RcrDamage{{Dice: "1d4", Type: "force"}}}}
		})), 0, 0)
		f.place(fighter("b", "party", feat("mage slayer")), 5, 0)
		f.start(nil, 20, 5)
		f.Resolve(func(r *rules.Resolution) error { thedice.Concentrate(r, "a", "web"); return nil })
		f.Must(act("a", "cast", "dart", "b"))
		f.Answer(movement.DecSlay, "sword", 15, 2, 15, 3, 12, 1) // the earlier one with disadvantage, then this one
		if body.Concentration(f.Creature("a")) != "" {
			t.Error("kept")
		}
		f.WantHP("b", 39)
	})
}

// rcr.feat.athlete-fall-rolls
func TestAthletesFall(t *testing.T) {
	fall := func(settings ...string) *table {
		f := newTable(t, settings...).add(fighter("a", "party", feat("athlete"), rcrSheet(func(s *eventv1.RcrSheet) {
			s.Skills = []*eventv1.RcrSkill{{Name: "acrobatics", Bonus: 5, Proficient: true}}
		})), fighter("b", "monsters")).start(nil, 20, 5)
		f.Must(act("a", "fall", "", "", withParameters("feet", 30)))
		return f
	}
	f := fall()
	f.Answer("fall-roll", "acrobatics", 6, 14, 5, 4) // 19: 10 feet less; without compounding two dice
	if body.Has(f.Creature("a"), body.CondProne) {
		t.Error("a lies")
	}
	f.WantHP("a", 31)
	f.wantCited(cite.FeatAthleteFallRolls)
	f = fall(cite.DamageFallCompounding + "=on")
	f.Answer("fall-roll", "acrobatics", 6, 14, 4, 5, 6)
	f.WantHP("a", 25)
	f = fall(off(cite.FeatAthleteFallRolls)...)
	f.Answer("fall-roll", "acrobatics", 6, 5, 4) // 11
	f.WantHP("a", 31)
}

// What a fall asks for besides: diving, and keeping concentration.
//
// rcr.feat.athlete-fall-rolls, rcr.underwater.dive-into-water
func TestAthletesDive(t *testing.T) {
	for name, c := range map[string]struct {
		feat     string
		settings []string
		faces    []int
		hp       int32
	}{
		"an athlete": {"athlete", nil, []int{5, 15}, 40},
		"another":    {"mobile", nil, []int{5, 6, 5, 5, 5}, 30},
		"off":        {"athlete", off(cite.FeatAthleteFallRolls), []int{5, 6, 5, 5, 5}, 30},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t, c.settings...).add(fighter("a", "party", feat(c.feat), goodAt(4, "athletics")), fighter("b", "monsters")).start(nil, 20, 5)
			f.Must(act("a", "fall", "", "", withParameters("feet", 40), withFacts("into_water", true)))
			f.Answer("dive", "yes", c.faces...)
			f.WantHP("a", c.hp)
		})
	}
}

// rcr.feat.athlete-climb-swim, rcr.underwater.swim-exhaustion
func TestAthletesDoNotTireInWater(t *testing.T) {
	for _, settings := range [][]string{nil, off(cite.FeatAthleteClimbSwim)} {
		f := newTable(t, settings...).add(fighter("a", "party", feat("athlete")), fighter("b", "monsters")).start(nil, 20, 5)
		f.Must(act("a", "swim", "", "", withParameters("minutes", 10)), []int{1}[:min(1, len(settings))]...)
		f.wantCount("a", body.CExhaustion, int64(min(1, len(settings))))
	}
}

// rcr.feat.mobile-difficult-terrain
func TestTheMobileDashOverRubble(t *testing.T) {
	run := func(dash bool, settings ...string) *table {
		f := newTable(t, settings...).add(fighter("a", "party", feat("mobile")), fighter("b", "monsters")).start(nil, 20, 5)
		if dash {
			f.Must(act("a", "dash", "", ""))
		}
		f.Must(act("a", "move", "", "", feet(20, "difficult", 20)))
		return f
	}
	run(true).wantCount("a", body.CMoved, 20)
	run(false).wantCount("a", body.CMoved, 40)
	run(true, off(cite.FeatMobileDifficultTerrain)...).wantCount("a", body.CMoved, 40)
	f := newTable(t).add(fighter("a", "party", feat("mobile")), fighter("b", "monsters")).start(nil, 20, 5)
	f.Must(act("a", "dash", "", ""))
	f.Must(act("a", "move", "", "", feet(45, "dangerous", 45, "terrain_damage", "acid")), 1, 2)
	f.WantHP("a", 37)
	f.wantCount("a", body.CMoved, 45)
}

// rcr.feat.charger-pass-through
func TestChargersDashThrough(t *testing.T) {
	run := func(side string, settings ...string) (*table, error) {
		f := newTable(t, settings...)
		f.place(fighter("a", "party", feat("charger")), 0, 0)
		f.place(fighter("b", side), 10, 0)
		f.place(fighter("c", "monsters"), 100, 0)
		f.start(nil, 20, 5, 4)
		f.Must(act("a", "dash", "", ""))
		return f, f.Try(act("a", "move", "", "", path(5, 10, 15)))
	}
	f, err := run("party")
	if err != nil {
		t.Fatal(err)
	}
	f.wantCount("a", body.CMoved, 15)
	f, err = run("monsters")
	if err != nil {
		t.Fatal(err)
	}
	f.wantAsked("b") // its space is entered
	f.Answer(body.DecOpportunity, "no")
	f.wantCount("a", body.CMoved, 20)
	_, err = run("monsters", off(cite.FeatChargerPassThrough)...)
	wantRefused(t, err, body.Fallback)
	f, err = run("party", off(cite.FeatChargerPassThrough)...)
	if err != nil {
		t.Fatal(err)
	}
	f.wantCount("a", body.CMoved, 20)
}

// rcr.feat.defensive-duelist-prerequisite, rcr.feat.improved-dual-prerequisite,
// rcr.feat.inspiring-leader-prerequisite, rcr.feat.skulker-prerequisite,
// rcr.feat.spell-sniper-prerequisite, rcr.feat.metamagic-adept-prerequisite,
// rcr.feat.revised-text-replaces
func TestFeatsAskForPrerequisites(t *testing.T) {
	spells := rcrSheet(func(s *eventv1.RcrSheet) {
		s.Spells, s.SpellSlots = []*eventv1.RcrSpell{{Name: "spark", Damage: []*eventv1.RcrDamage{{Dice: "1d4", Type: "fire"}}}}, []int32{1}
	})
	style := rcrSheet(func(s *eventv1.RcrSheet) { s.Traits = []string{body.TraitTwoWeapons} })
	none := func(*eventv1.Sheet) {}
	for _, c := range []struct {
		name, rule string
		lacks, has func(*eventv1.Sheet)
	}{
		{"defensive duelist", cite.FeatDefensiveDuelistPrerequisite, ability("dexterity", 12), ability("dexterity", 13)},
		{"improved dual wielder", cite.FeatImprovedDualPrerequisite, none, feat("dual wielder")},
		{"improved dual wielder", cite.FeatImprovedDualPrerequisite, none, style},
		{"inspiring leader", cite.FeatInspiringLeaderPrerequisite, ability("charisma", 12), ability("charisma", 13)},
		{"skulker", cite.FeatSkulkerPrerequisite, ability("dexterity", 12), ability("dexterity", 13)},
		{"spell sniper", cite.FeatSpellSniperPrerequisite, none, spells},
		{"metamagic adept", cite.FeatMetamagicAdeptPrerequisite, none, spells},
	} {
		wantRefused(t, newTable(t).Try(adding(fighter("a", "party", feat(c.name), c.lacks))), c.rule)
		for _, f := range []*table{newTable(t, c.rule+"=off"), newTable(t, off(cite.FeatRevisedTextReplaces)...)} {
			f.add(fighter("a", "party", feat(c.name), c.lacks))
		}
		newTable(t).add(fighter("a", "party", feat(c.name), c.has))
	}
	for field, s := range map[string]*eventv1.Sheet{"sheet.rcr.feats[0]": fighter("a", "party", feat("athlet")), "sheet.rcr.traits[0]": fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) { s.Traits = []string{"sneek attack"} }))} {
		wantFault(t, newTable(t).Try(adding(s)), field)
	}
}
