package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/rcr/injuries"
	"github.com/skaldrpg/skald/pkg/rules/rcr/rest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.injury.con-allowance, rcr.injury.con-negative, rcr.injury.wounds-table, rcr.injury.rows-cumulative:
// the row of the wounds table for a Constitution and a number of wounds, and which rows weigh.
func TestRowsOfWounds(t *testing.T) {
	cases := []struct {
		name    string
		con     int32
		wounds  int64
		row     int32
		inForce []int32
	}{
		{"rcr.injury.con-allowance: +3, 3 wounds", 16, 3, 0, nil},
		{"rcr.injury.con-allowance: +3, 4 wounds", 16, 4, 1, []int32{1}},
		{"rcr.injury.con-allowance: +3, 5 wounds", 16, 5, 2, []int32{1, 2}},
		{"rcr.injury.con-allowance: +3, 8 wounds", 16, 8, 5, []int32{1, 2, 3, 4, 5}},
		{"rcr.injury.con-allowance: +3, 9 wounds", 16, 9, 6, []int32{1, 2, 3, 4, 5, 6}},
		{"rcr.injury.con-allowance: +0, the first", 10, 1, 1, []int32{1}},
		{"rcr.injury.con-allowance: +5, 10 wounds", 20, 10, 5, []int32{1, 2, 3, 4, 5}},
		{"rcr.injury.con-allowance: +5, 11 wounds", 20, 11, 6, []int32{1, 2, 3, 4, 5, 6}},
		{"rcr.injury.con-negative: -1, unwounded", 8, 0, 0, nil},
		{"rcr.injury.con-negative: -1, the first", 8, 1, 2, []int32{2}},
		{"rcr.injury.con-negative: -1, three", 8, 3, 4, []int32{2, 3, 4}},
		{"rcr.injury.con-negative: -2, the first", 6, 1, 3, []int32{3}},
		{"rcr.injury.con-negative: -4, the first brings major bleeding", 3, 1, 5, []int32{3, 5}},
		{"rcr.injury.con-negative: -5, the first", 1, 1, 6, []int32{3, 6}},
		{"rcr.injury.wounds-table: +2, 2 wounds", 14, 2, 0, nil},
		{"rcr.injury.wounds-table: +2, 3 wounds", 14, 3, 1, []int32{1}},
		{"rcr.injury.wounds-table: +2, 4 wounds", 14, 4, 2, []int32{1, 2}},
		{"rcr.injury.wounds-table: +2, 5 wounds", 14, 5, 3, []int32{1, 2, 3}},
		{"rcr.injury.wounds-table: +2, 6 wounds", 14, 6, 4, []int32{1, 2, 3, 4}},
		{"rcr.injury.wounds-table: +2, 7 wounds", 14, 7, 5, []int32{1, 2, 3, 4, 5}},
		{"rcr.injury.wounds-table: +2, 8 wounds", 14, 8, 6, []int32{1, 2, 3, 4, 5, 6}},
		{"rcr.injury.rows-cumulative: +1, 4 wounds", 12, 4, 3, []int32{1, 2, 3}},
		{"rcr.injury.rows-cumulative: +1, one removed", 12, 3, 2, []int32{1, 2}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			x := &eventv1.Creature{Id: "c", Sheet: fighter("c", "party", ability("constitution", c.con)), Counters: map[string]int64{body.CWounds: c.wounds}}
			if got := body.Row(x); got != c.row {
				t.Fatalf("row %d, want %d", got, c.row)
			}
			for n := int32(1); n <= 6; n++ {
				want := false
				for _, w := range c.inForce {
					want = want || w == n
				}
				if got := body.RowInForce(x, n, false); got != want {
					t.Errorf("row %d in force: %v", n, got)
				}
			}
		})
	}
}

// rcr.injury.row5-severed-limb: every face of the d4.
func TestEveryLimb(t *testing.T) {
	for face, part := range map[int]string{1: "arm", 2: "hand", 3: "leg", 4: "eye"} {
		f := medTable(t, bodied("a", 10, 40), 40, 4)
		f.deed(hit("a", 2, critical), face)
		in := f.Creature("a").Injuries
		if len(in) != 1 || in[0].Part != part || !in[0].Permanent || in[0].Kind != body.InjuryLost {
			t.Errorf("rcr.injury.row5-severed-limb: %d takes %v, want %s", face, in, part)
		}
		f.tend(patientDeed("long-rest", "", []string{"a"}, ""))
		if a := f.Creature("a"); a.Counters[body.CWounds] != 0 || len(a.Injuries) != 1 || turnStartDue(f.State, a) {
			t.Errorf("rcr.injury.row5-severed-limb: after a long rest %v, %v", a.Counters, a.Injuries)
		}
	}
}

// rcr.healing.item-check, rcr.healing.removed-by-item-rarity: every rarity, at
// the lowest face that will do and at one less.
func TestEveryRarity(t *testing.T) {
	for _, c := range []struct {
		rarity string
		bonus  int
		gone   int64
	}{{"common", 1, 1}, {"uncommon", 3, 2}, {"rare", 5, 3}, {"very rare", 7, 4}, {"legendary", 9, 5}} {
		f := medTable(t, bodied("a", 20, 60), 10, 6)
		f.deed(healing("a", "a", 5, "via", injuries.ViaItem, "rarity", c.rarity), 10-c.bonus)
		if left := f.Creature("a").Counters[body.CWounds]; left != 6-c.gone {
			t.Errorf("rcr.healing.removed-by-item-rarity: %s leaves %d of 6", c.rarity, left)
		}
		if c.bonus == 9 {
			continue // no face fails
		}
		f = medTable(t, bodied("a", 20, 60), 10, 6)
		f.deed(healing("a", "a", 5, "via", injuries.ViaItem, "rarity", c.rarity), 9-c.bonus)
		if left := f.Creature("a").Counters[body.CWounds]; left != 6 {
			t.Errorf("rcr.healing.item-check: %s with %d leaves %d of 6", c.rarity, 9-c.bonus, left)
		}
	}
}

// rcr.healing.listed-spells, rcr.healing.revival-spells: every spell of the list.
func TestEveryListedSpell(t *testing.T) {
	for _, c := range []struct {
		spell string
		left  int64 // of 5 wounds
		scars int
		parts int
	}{
		{"greater restoration", 0, 1, 1}, {"heal", 0, 0, 1}, {"mass heal", 0, 0, 1}, {"lesser restoration", 2, 1, 1}, {"regenerate", 0, 1, 0},
	} {
		f := medTable(t, bodied("a", 20, 40), 10, 0)
		f.scarred("a", &eventv1.Injury{Kind: body.InjuryScar, Amount: 4, Permanent: true}, &eventv1.Injury{Kind: body.InjuryLost, Part: "leg", Permanent: true})
		f.Count("a", body.CWounds, 5)
		f.deed(&eventv1.Harm{Deed: body.DeedSpell, Target: "a", Source: "a", Cause: c.spell, Facts: map[string]string{"spell": c.spell}})
		scars, parts := 0, 0
		for _, in := range f.Creature("a").Injuries {
			if in.Kind == body.InjuryScar {
				scars++
			} else {
				parts++
			}
		}
		if left := f.Creature("a").Counters[body.CWounds]; left != c.left || scars != c.scars || parts != c.parts {
			t.Errorf("rcr.healing.listed-spells: %s leaves %d wounds, %d scars, %d lost parts", c.spell, left, scars, parts)
		}
	}
	for _, spell := range []string{"revivify", "raise dead", "reincarnate", "resurrection", "true resurrection"} {
		f := medTable(t, bodied("a", 10, 40), 40, 5)
		f.deed(hit("a", 6, critical))
		f.deed(&eventv1.Harm{Deed: body.DeedSpell, Target: "a", Source: "a", Cause: spell, Facts: map[string]string{"spell": spell}})
		if a := f.Creature("a"); body.Dead(a) || a.GetHp() != 1 || a.Counters[body.CWounds] != 5 {
			t.Errorf("rcr.healing.revival-spells: %s: %v with %d wounds", spell, a.Life, a.Counters[body.CWounds])
		}
	}
}

// rcr.injury.rows-cumulative: what lies beyond row 6 is not counted, so that a
// revival leads back to row 5.
func TestWoundsStopAtDeath(t *testing.T) {
	f := medTable(t, bodied("a", 10, 40), 40, 5)
	f.deed(hit("a", 21)) // three wounds
	f.wantBody("a", want{19, 40, 6, 6, true, false})
	f.deed(&eventv1.Harm{Deed: body.DeedRevive, Target: "a", Cause: "raise dead"})
	f.wantBody("a", want{1, 40, 5, 5, false, true})
	f = medTable(t, bodied("a", 1, 40), 40, 0)
	f.deed(hit("a", 21))
	f.wantBody("a", want{19, 40, 1, 6, true, false}) // at least 1
}

// rcr.injury.wounds-on-massive-damage: what temporary hit points soak and what
// goes beyond 0 counts; of resisted damage the half that gets through.
func TestMassiveDamageCounts(t *testing.T) {
	f := medTable(t, bodied("a", 10, 40), 40, 0)
	f.deed(&eventv1.Harm{Deed: body.DeedTempHP, Target: "a", Amount: 15})
	f.deed(hit("a", 21))
	f.wantBody("a", want{34, 40, 3, 3, false, true})
	f = medTable(t, bodied("a", 10, 40, rcrSheet(func(s *eventv1.RcrSheet) { s.Resistances = []*eventv1.RcrDefense{{Type: "slashing"}} })), 40, 0)
	f.deed(hit("a", 41)) // 20
	f.wantBody("a", want{20, 40, 0, 0, false, true})
}

// rcr.injury.wounds-on-massive-damage: the darts of one casting are one effect.
func TestDartsAreOneEffect(t *testing.T) {
	f := newTable(t, body.SetPartyLevel+"=5").add(fighter("a", "party", caster), fighter("v", "others", func(s *eventv1.Sheet) {
		s.HitPoints, s.Controllers = 18, []string{"victim"}
	}), fighter("w", "others")).start(nil, 20, 5, 4)
	f.Must(act("a", "cast", "missile", "v,w,v"), 4, 1, 4) // 5 and 5 of 18
	if v := f.Creature("v"); v.GetHp() != 8 || v.Counters[body.CWounds] != 3 || f.Creature("w").GetHp() != 38 {
		t.Fatalf("%d hit points, %d wounds", v.GetHp(), v.Counters[body.CWounds])
	}
}

// rcr.injury.wound-on-critical: the blow wounds though it deals no damage.
func TestCriticalWithoutDamage(t *testing.T) {
	net := rcrSheet(func(s *eventv1.RcrSheet) {
		s.Attacks = append(s.Attacks, &eventv1.RcrAttack{Name: "net", Natural: true, ReachFeet: 5, Bonus: 5})
	})
	f := newTable(t).add(fighter("a", "monsters", net), fighter("v", "party")).start(nil, 20, 5)
	f.Must(act("a", "attack", "net", "v"), 20)
	if v := f.Creature("v"); v.Counters[body.CWounds] != 1 || v.GetHp() != 40 {
		t.Fatalf("%d wounds, %d hit points", v.Counters[body.CWounds], v.GetHp())
	}
}

// rcr.injury.row3-bleeding, rcr.base.death-save-frame: being stable does not stop it,
// and it ends being stable. The save is for who begins the turn dying: the next one.
func TestBleedingEndsStability(t *testing.T) {
	f := medTable(t, bodied("a", 10, 40, dicePool(4, 8, 0)), 0, 3)
	f.deed(&eventv1.Harm{Deed: body.DeedStabilise, Target: "a", Cause: "Medicine"})
	res := f.deed(turnBegins("a"), 4)
	if a := f.Creature("a"); a.Life != eventv1.LifeStatus_LIFE_STATUS_DYING || a.Counters[body.CDeathFailures] != 1 || !res.NoDeathSave {
		t.Fatalf("%v %v", a.Life, a.Counters)
	}
	if f.Roll("bleeding").Total != 4 {
		t.Fatal("no bleeding")
	}
	f.deed(turnBegins("a"), 4, 15, 12) // bleeds, and saves in Shock: 12 - 2
	if a := f.Creature("a"); a.Counters[body.CDeathFailures] != 2 || a.Counters[body.CDeathSuccesses] != 1 {
		t.Fatalf("the turn after: %v", a.Counters)
	}
	f = medTable(t, bodied("a", 10, 40), 0, 2) // stable without bleeding: nothing happens
	f.deed(&eventv1.Harm{Deed: body.DeedStabilise, Target: "a", Cause: "Medicine"})
	if res := f.deed(turnBegins("a")); f.Creature("a").Life != eventv1.LifeStatus_LIFE_STATUS_STABLE || res.NoDeathSave {
		t.Fatalf("%v", f.Creature("a").Life)
	}
}

// rcr.death.secret-saves: who is stable in secret and bleeds is asked like the dying,
// and spends for nothing.
func TestBleedingStableInSecret(t *testing.T) {
	f := medTable(t, bodied("a", 10, 40, dicePool(4, 8, 0)), 0, 3)
	f.Count("a", body.CDeathSuccesses, 2)
	f.deed(turnBegins("a"), 4, 18, 17)
	if a := f.Creature("a"); !body.StableInSecret(a) {
		t.Fatalf("%v %v", a.Life, a.Counters)
	}
	f.Count("a", body.CInspiration, 1)
	spend := []*eventv1.EarlyAnswer{{Decision: checks.DecDeathInspiration, Answer: &eventv1.Answer{Option: "yes"}}}
	if _, err := f.tryMedicine(func(r *rules.Resolution) error { return rest.Medicine{}.Deed(r, turnBegins("a")) }, spend, []int{4}); err != nil {
		t.Fatal(err)
	}
	if a := f.Creature("a"); a.Life != eventv1.LifeStatus_LIFE_STATUS_DYING || a.Counters[body.CDeathFailures] != 1 || a.Counters[body.CDeathSuccesses] != 0 ||
		a.Counters[body.CInspiration] != 0 || a.Counters[body.CDeathInspiration] != 1 {
		t.Fatalf("%v %v", a.Life, a.Counters)
	}
}

// rcr.injury.row4-scar: at a maximum of 0 the creature dies.
func TestScarredToDeath(t *testing.T) {
	f := medTable(t, bodied("a", 10, 5), 5, 3)
	f.deed(hit("a", 1, critical), 8)
	if a := f.Creature("a"); !body.Dead(a) || a.GetHpMax() != 0 || a.Marks[body.MKilled] != "scars" {
		t.Fatalf("%v of %d", a.Life, a.GetHpMax())
	}
}

// rcr.injury.row1-shock: concentration, initiative and the check against wounds
// are hampered too.
func TestShockHampersAll(t *testing.T) {
	f := casters(t)
	f.Must(act("a", "cast", "bless", "a"))
	f.Count("a", body.CWounds, 1)
	f.Resolve(func(r *resolution) error {
		dice.ConcentrationSave(r, r.Creature("a"), nil, 10)
		return nil
	}, 15, 9)
	if body.Concentration(f.Creature("a")) != "" {
		t.Fatal("concentration kept by the higher die")
	}
	f.End("a", 18, 3)
	if got := answers.InitiativeOf(f.Creature("a"), 2).GetTotal(); got != 3 {
		t.Fatalf("initiative %d, want 3", got)
	}
}

// rcr.condition.bloodied: temporary hit points do not count.
func TestBloodiedByRealHitPoints(t *testing.T) {
	f := medTable(t, bodied("a", 10, 40), 19, 0)
	f.deed(&eventv1.Harm{Deed: body.DeedTempHP, Target: "a", Amount: 20})
	if !body.Has(f.Creature("a"), body.CondBloodied) {
		t.Fatal("temporary hit points staunch the blood")
	}
}

// rcr.healing.kit-use-expended: a Medicine check for another purpose.
func TestKitForAnyMedicineCheck(t *testing.T) {
	begin := func(uses int) *table {
		f := duel(t)
		f.Count("a", body.CKit, uses)
		return f
	}
	kit := withParameters("use", "other", "dc", 12, "kit", true)
	f := begin(4)
	f.Must(act("a", "check", "medicine", "", kit), 17)
	f.wantCount("a", body.CKit, 3)
	f.Must(act("a", "called-check", "", "", withParameters("skill", "medicine", "dc", 12, "kit", true)), 2)
	f.wantCount("a", body.CKit, 2)
	f.Must(act("a", "medicine", "", "z", withParameters("kit", true)), 2)
	f.wantCount("a", body.CKit, 1)
	wantRefused(t, begin(0).Try(act("a", "check", "medicine", "", kit)), cite.HealingKitUseExpended)
	if err := begin(1).Try(act("a", "check", "insight", "", kit)); err == nil {
		t.Fatal("a healer's kit for Insight")
	}
}

// rcr.feat.war-caster-no-oa, rcr.opportunity.cast-spell
func TestWarCasterSwitch(t *testing.T) {
	for setting, asked := range map[string]bool{"on": false, "off": true} {
		f := newTable(t, "rcr.feat.war-caster-no-oa="+setting)
		f.place(fighter("a", "party", caster, rcrSheet(func(s *eventv1.RcrSheet) { s.Feats = []string{"war caster"} })), 0, 0)
		f.place(fighter("b", "monsters"), 5, 0)
		f.start(nil, 20, 5)
		f.Roller = func(int) int { return 1 }
		f.Must(act("a", "cast", "bolt", "b"))
		if (len(f.Decisions) == 1) != asked {
			t.Errorf("rcr.feat.war-caster-no-oa %s: asked %v", setting, f.Decisions)
		}
	}
}

// rcr.dice.same-kind-no-stack: being unconscious and seeing nothing is one fact.
func TestUnconsciousIsOneSource(t *testing.T) {
	f := duel(t)
	f.Hurt("b", 0)
	f.Must(act("a", "attack", "bow", "b", withFacts("distance", 30, "close_enemy", false)), 2)
	if got := f.Roll("/to-hit").Expression; got != "1d20" {
		t.Fatalf("%s on the unconscious and prone from afar, want a plain die", got)
	}
}

// rcr.opportunity.crawl: one crawl is one act, with one window for each enemy.
func TestCrawlingAwayIsOneWindow(t *testing.T) {
	f := field(t, 5, 0)
	f.Afflict("a", body.CondProne)
	f.Must(act("a", "crawl", "", "", along(-10, 0)))
	f.wantAsked("b")
	f.Answer(body.DecOpportunity, "no")
	f.wantAsked()
	if f.Creature("a").Position.X != -10 {
		t.Fatal("not arrived")
	}
	t.Run("a second enemy that is crawled up to is asked on its own", func(t *testing.T) {
		f := newTable(t)
		f.place(fighter("a", "party"), 0, 0)
		f.place(fighter("b", "monsters"), -5, 0)
		f.place(fighter("c", "monsters"), 10, 0)
		f.start(nil, 20, 5, 4)
		f.Afflict("a", body.CondProne)
		f.Must(act("a", "crawl", "", "", along(5, 0, 5, 5)))
		f.wantAsked("b")
		f.Answer(body.DecOpportunity, "no")
		f.wantAsked("c")
	})
}

// rcr.condition.terrified: bonus actions are not barred, the action is.
func TestTerrifiedBonusActions(t *testing.T) {
	f := newTable(t).add(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) { s.Traits = []string{"cunning action"} })), fighter("b", "monsters")).start(nil, 20, 5)
	f.Afflict("a", body.CondTerrified+"@b")
	for barred, parameters := range map[string][]any{"disengage": nil, "ready": {"trigger", "x"}, "help": {"against", "b"}, "use-object": nil, "hide": nil} {
		item := map[string]string{"ready": "bow"}[barred]
		wantRefused(t, f.Try(act("a", barred, item, "", withParameters(parameters...))), cite.ConditionTerrified)
	}
	f.Must(act("a", "disengage", "", "", withParameters("cost", "bonus")))
	f.Must(act("a", "dash", "", ""))
}

// rcr.dice.inspiration-fudge: losing a contest is failing a check; so is the
// Medicine check against wounds.
func TestFudgeEverywhere(t *testing.T) {
	f := solo(t, nil, inspired)
	f.Must(act("a", "grapple", "", "b"), 9, 10)
	f.Answer("inspiration-fudge", "yes", 2) // 11 against 10
	if !body.Has(f.Creature("b"), body.CondGrappled) {
		t.Fatal("not grappled")
	}
	f = newTable(t).add(fighter("a", "party"), fighter("b", "monsters", inspired)).start(nil, 20, 5)
	f.Must(act("a", "grapple", "", "b"), 12, 10)
	f.Answer("inspiration-fudge", "yes", 2) // a tie changes nothing
	if body.Has(f.Creature("b"), body.CondGrappled) {
		t.Fatal("grappled")
	}
	yes := []*eventv1.EarlyAnswer{{Decision: "inspiration-fudge", Answer: &eventv1.Answer{Option: "yes"}}}
	g := medTable(t, bodied("a", 20, 40), 10, 2).add(bodied("b", 10, 40, inspired))
	_, err := g.tryMedicine(func(r *rules.Resolution) error {
		return rest.Medicine{}.Deed(r, healing("a", "b", 8, "via", injuries.ViaSpell, "spell_level", "1"))
	}, yes, []int{8, 2})
	if err != nil || g.Creature("a").Counters[body.CWounds] != 1 || g.Creature("b").Counters[body.CInspiration] != 0 {
		t.Fatalf("%v: %v %v", err, g.Creature("a").Counters, g.Creature("b").Counters)
	}
}

// rcr.condition.exhaustion-dc: the weapon DC, where an attack forces a saving throw.
func TestWeaponDC(t *testing.T) {
	f := newTable(t).add(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) {
		s.WeaponDc, s.Attacks[0].Save = 13, &eventv1.RcrSave{Ability: "strength"}
		s.Attacks[0].Effects = []*eventv1.RcrEffect{{Condition: body.CondProne}}
	})), fighter("b", "monsters")).start(nil, 20, 5)
	f.Count("a", body.CExhaustion, 4)
	f.Must(act("a", "attack", "sword", "b"), 19, 1, 9) // DC 9
	if f.Roll("/save").Target.Value != 9 || body.Has(f.Creature("b"), body.CondProne) {
		t.Fatalf("DC %d", f.Roll("/save").Target.Value)
	}
}

// rcr.surprise.no-initiative: a trait that ignores surprise holds however the
// surprise is stated.
func TestSurprisedAtEntry(t *testing.T) {
	f := newTable(t).add(fighter("bandit", "monsters"))
	for _, s := range []*eventv1.Sheet{fighter("hero", "party"), fighter("monk", "party", rcrSheet(func(s *eventv1.RcrSheet) { s.Traits = []string{"ignores surprise"} }))} {
		f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: s, Facts: object("surprised", true)}}})
	}
	f.start(nil, 9, 11)
	if !answers.Surprised(f.Creature("hero")) || answers.Surprised(f.Creature("monk")) || answers.InitiativeOf(f.Creature("monk"), 0) == nil {
		t.Fatal("the monk is surprised")
	}
}

// rcr.dice.degrees-of-success: a major failure bars retries unless the game
// master says otherwise, a disaster always.
func TestMajorFailureRetry(t *testing.T) {
	for _, c := range []struct {
		face   int
		barred bool
	}{{10, false}, {5, true}} {
		f := solo(t, nil)
		allowed := []func(*eventv1.TakeAction){task("strength", 15, "degrees", true), withFacts("retry", true)}
		f.Must(act("a", "task-check", "", "", allowed...), c.face)
		err := f.Try(act("a", "task-check", "", "", allowed...), 15)
		if (err != nil) != c.barred {
			t.Errorf("rcr.dice.degrees-of-success: after %d: %v", c.face, err)
		}
	}
}

// rcr.base.movement-cost-additive: 3 feet for a foot, to the last foot.
func TestBlindInDangerousTerrain(t *testing.T) {
	f := duel(t)
	f.Afflict("a", body.CondBlinded)
	f.Must(act("a", "move", "", "", feet(10, "dangerous", 10)), 1, 1)
	f.wantCount("a", body.CMovement, 0)
}

// rcr.dice.announced-but-absent: no rule makes a die explode or change its size.
func TestDiceNeitherExplodeNorGrow(t *testing.T) {
	f := duel(t)
	f.Must(act("a", "attack", "sword", "b"), 19, 8) // the highest face, rolled once
	if d := f.Roll("/damage"); d.Expression != "1d8+3" || d.Total != 11 {
		t.Fatalf("%s = %d", d.Expression, d.Total)
	}
}

// rcr.injury.preview: whoever falls and is healed at once is on its feet, but
// worse for it until the wounds are treated.
func TestFallingMatters(t *testing.T) {
	f := newTable(t).add(healer("cleric", "party"), fighter("hero", "party"), fighter("orc", "monsters")).start(nil, 14, 9, 20)
	f.Hurt("hero", 3)
	f.Must(act("orc", "attack", "sword", "hero"), 15, 8)
	f.End("orc", 1)
	f.Must(act("cleric", "use-power", "touch", "hero"), 4, 12, 11) // 4 points: no check; in Shock the hero rolls twice
	f.End("cleric", 1)
	f.WantActive("hero")
	f.Must(act("hero", "draw", "sword", ""))                // it fell from its hand
	f.Must(act("hero", "attack", "sword", "orc"), 16, 4, 2) // crippled and prone: three dice
	if f.Attack().Outcome != "miss" || f.Creature("hero").Counters[body.CMovement] != 15 {
		t.Fatalf("%s, %d feet", f.Attack().Outcome, f.Creature("hero").Counters[body.CMovement])
	}
}

// What was readied is over with the encounter.
func TestReadyEndsWithTheEncounter(t *testing.T) {
	f := duel(t)
	f.Must(act("a", "ready", "bow", "", withParameters("trigger", "b comes out")))
	f.Must(&eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
	if rules.BegunOf(f.Creature("a"), body.BegunReadied) != nil {
		t.Fatal("still ready")
	}
}
