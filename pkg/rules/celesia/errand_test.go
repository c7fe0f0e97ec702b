package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/items"
	"github.com/skaldrpg/skald/pkg/rules/celesia/magic"
	thestrike "github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// fires tells whether an action of a lets b, who threatens, react.
func fires(t *testing.T, f *table, cmd *eventv1.Command, faces ...int) bool {
	t.Helper()
	if err := f.Try(cmd, faces...); err != nil {
		t.Fatal(err)
	}
	if len(f.Decisions) == 0 {
		return false
	}
	return f.Decisions[0].Name == body.DecReaction
}

func abilities(list ...*eventv1.CelesiaAbility) func(*eventv1.Sheet) {
	return section(func(c *eventv1.CelesiaSheet) { c.SpecialAbilities = list })
}

// celesia.action.later-catalogue: acts and subtype of every action of the table
// that stands for itself.
func TestLaterCatalogue(t *testing.T) {
	gun := func(hands int32) func(*eventv1.Sheet) {
		return weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: "projectile", Dice: "1d8", Hands: hands, RangeFeet: 50, Load: body.LoadSimple, Capacity: 2})
	}
	strike := abilities(&eventv1.CelesiaAbility{Name: "storm", Kind: body.KindStrike, Time: body.TimeFull, Readied: true})
	cast := func(time string) func(*eventv1.Sheet) {
		return spell(&eventv1.CelesiaSpell{Name: "s", Casting: time, Condition: "dazzled", RangeFeet: 30})
	}
	potion := section(func(c *eventv1.CelesiaSheet) {
		c.Potions = []*eventv1.CelesiaPotion{{Name: "p", Healing: "1d8+1", Count: 1}}
	})
	helpless := func(f *table) { f.Afflict("b", body.CondUnconscious) }
	empty := func(f *table) { f.Creature("a").Items["w"].Values = map[string]int32{body.ValueLoaded: 0} }
	for _, tc := range []struct {
		action, item, target string
		change               func(*eventv1.Sheet)
		before               func(*table)
		acts                 int64
		provoke, free        bool
		faces                []int
	}{
		{action: "administer", item: "p", target: "b", change: potion, before: helpless, acts: 3, provoke: true},
		{action: "appraise-hoard", acts: 3, provoke: true},
		{action: "cast", item: "s", target: "b", change: cast("full"), acts: 3, provoke: true},
		{action: "cast", item: "s", target: "b", change: cast("1-round"), acts: 3, provoke: true},
		{action: "coup-de-grace", item: "sword", target: "b", before: helpless, acts: 3, provoke: true},
		{action: "detect-forgery", acts: 3, provoke: true},
		{action: "full-strike", item: "storm", change: strike, acts: 3},
		{action: "light-torch", acts: 3, provoke: true},
		{action: "load-firearm", item: "w", change: gun(1), before: empty, acts: 3, provoke: true},
		{action: "load-firearm", item: "w", change: gun(2), before: empty, acts: 3, provoke: true},
		{action: "push-animal", target: "b", before: func(f *table) { f.Creature("b").Sheet.GetCelesia().Humanoid = false }, acts: 3, faces: []int{10}},
		{action: "run", acts: 3, provoke: true},
		{action: "disable-device", acts: 1, provoke: true},
		{action: "find-tracks", acts: 1, provoke: true},
		{action: "drop-item", item: "sword", free: true},
		{action: "drop-prone", free: true},
		{action: "fight-defensively", free: true},
		{action: "speak", free: true},
	} {
		t.Run(tc.action+" "+tc.item, func(t *testing.T) {
			// c threatens a and answers for the foes: b may be helpless.
			change := tc.change
			if change == nil {
				change = func(*eventv1.Sheet) {}
			}
			f := newTable(t).add(fighter("a", "party", change), fighter("b", "foes", unarmed()), fighter("c", "foes"))
			f.at("a", 0, 0)
			f.at("b", 5, 0)
			f.at("c", 0, 5)
			f.start(nil, 19, 10, 5)
			f.End("a")
			f.End("b")
			f.End("c")
			if tc.before != nil {
				tc.before(f)
			}
			before := f.acts("a")
			if got := fires(t, f, act("a", tc.action, tc.item, tc.target), tc.faces...); got != tc.provoke {
				t.Errorf("provokes %v, want %v", got, tc.provoke)
			}
			if spent := before - f.acts("a"); spent != tc.acts {
				t.Errorf("%d acts spent, want %d", spent, tc.acts)
			}
		})
	}
}

func TestErrands(t *testing.T) {
	t.Run(cite.ActionAppraiseHoard, func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		if !fires(t, f, act("a", "appraise-hoard", "", "", withParameters("dc", 20))) {
			t.Error("the attack of opportunity comes first")
		}
		f.Answer(body.DecReaction, "no", 12)
		if r := f.Roll("check/appraise"); r.Target.Value != 20 || f.acts("a") != 0 {
			t.Errorf("roll %v, %d acts left", r, f.acts("a"))
		}
	})
	t.Run(cite.ActionDetectForgery, func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		for range 3 { // three pages, nine acts over three turns
			f.Must(act("a", "detect-forgery", "", ""), 12)
			if len(f.Rolls("check/linguistics")) != 1 {
				t.Error("want one check for each page")
			}
			wantRefused(t, f.Try(act("a", "detect-forgery", "", "")), cite.ActionFullFrame)
			f.round()
		}
	})
	t.Run(cite.ActionLightTorch, func(t *testing.T) {
		f := duel(t, fighter("a", "party", hitPoints(5)), fighter("b", "foes"))
		f.Must(act("a", "light-torch", "", ""))
		f.Answer(body.DecReaction, "attack:sword", 15, 4)
		if !body.Has(f.Creature("a"), magic.CondTorch) || f.acts("a") != 0 {
			t.Error("the torch burns after the attack")
		}
		wantRefused(t, f.Try(act("a", "light-torch", "", "")), cite.ActionFullFrame)
		f = duel(t, fighter("a", "party", hitPoints(5)), fighter("b", "foes", weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d4", Hands: 1, DamageBonus: 20})))
		f.Must(act("a", "light-torch", "", ""))
		f.Answer(body.DecReaction, "attack:w", 15, 4)
		f.Answer(body.DecCrippling, "none")
		if body.Has(f.Creature("a"), magic.CondTorch) {
			t.Error("lit by the unconscious")
		}
	})
	t.Run(cite.ActionPushAnimal, func(t *testing.T) {
		for _, tc := range []struct {
			nonlethal int
			hp        int32
			facts     func(*eventv1.TakeAction)
			dc        int32
		}{{3, 40, nil, 27}, {0, 30, withFacts("ability_damage", true), 27}, {0, 40, nil, 25}, {0, 40, withFacts("ability_damage", true), 27}} {
			f := duel(t, fighter("a", "party", skilled("handle-animal", 9)), fighter("b", "foes", unarmed(), section(func(c *eventv1.CelesiaSheet) { c.Humanoid = false })))
			f.Count("b", body.CNonlethal, tc.nonlethal)
			f.Hurt("b", tc.hp)
			change := []func(*eventv1.TakeAction){withParameters("dc", 25)}
			if tc.facts != nil {
				change = append(change, tc.facts)
			}
			f.Must(act("a", "push-animal", "", "b", change...), 17)
			if r := f.Roll("check/handle-animal"); r.Target.Value != tc.dc || r.Total != 26 || (r.Outcome == "success") != (tc.dc == 25) {
				t.Errorf("DC %d, total %d %s, want DC %d", r.Target.Value, r.Total, r.Outcome, tc.dc)
			}
		}
	})
	t.Run(cite.ActionPushAnimalCompanion, func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", section(func(c *eventv1.CelesiaSheet) { c.Companion = "h" })), horse(), fighter("b", "foes", unarmed()))
		f.at("a", 0, 0)
		f.start(nil, 19, 5, 4)
		f.Must(act("a", "step", "", ""))
		f.Must(act("a", "step", "", ""))
		wantRefused(t, f.Try(act("a", "push-animal", "", "b")), cite.ActionFullFrame)
		wantRefused(t, f.Try(act("a", "push-companion", "", "b")), cite.ActionPushAnimalCompanion)
		f.Must(act("a", "push-companion", "", "h"), 10)
		if f.acts("a") != 0 {
			t.Errorf("%d acts left", f.acts("a"))
		}
	})
	t.Run(cite.ActionInitiateFullAttackStrike, func(t *testing.T) {
		list := abilities(&eventv1.CelesiaAbility{Name: "storm", Kind: body.KindStrike, Time: body.TimeFull, Readied: true},
			&eventv1.CelesiaAbility{Name: "cut", Kind: body.KindStrike, Time: body.TimeStandard, Readied: true},
			&eventv1.CelesiaAbility{Name: "gale", Kind: body.KindStrike, Time: body.TimeFull})
		f := duel(t, fighter("a", "party", list), fighter("b", "foes"))
		wantRefused(t, f.Try(act("a", "full-strike", "cut", "")), cite.ActionInitiateFullAttackStrike)
		wantRefused(t, f.Try(act("a", "full-strike", "gale", "")), cite.ActionInitiateFullAttackStrike)
		if fires(t, f, act("a", "full-strike", "storm", "")) || f.acts("a") != 0 {
			t.Error("3 acts and no attack of opportunity")
		}
		f.round()
		wantRefused(t, f.Try(act("a", "full-strike", "storm", "")), cite.ActionInitiateFullAttackStrike)
	})
	t.Run(cite.ActionChangeStance, func(t *testing.T) {
		f := duel(t, fighter("a", "party", section(func(c *eventv1.CelesiaSheet) { c.Stances = []string{"steel", "wind"} })), fighter("b", "foes"))
		f.Must(act("a", "change-stance", "steel", ""))
		if body.Condition(f.Creature("a"), magic.CondStance).GetVariant() != "steel" || f.acts("a") != 3 {
			t.Error("a stance for no act")
		}
		wantRefused(t, f.Try(act("a", "change-stance", "wind", "")), cite.ActionChangeStance)
		f.round()
		f.Must(act("a", "change-stance", "wind", ""))
		if x := body.Condition(f.Creature("a"), magic.CondStance); x.GetVariant() != "wind" {
			t.Errorf("stance %v", x)
		}
	})
}

func TestSimpleFirearms(t *testing.T) {
	gun := func(hands int32, rapid, cartridge bool) func(*eventv1.Sheet) {
		return weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: "projectile", Dice: "1d8", Hands: hands, RangeFeet: 50, Load: body.LoadSimple, Capacity: 2,
			RapidReload: rapid, Cartridge: cartridge})
	}
	armed := func(t *testing.T, hands int32, rapid, cartridge bool) *table {
		f := duel(t, fighter("a", "party", gun(hands, rapid, cartridge)), fighter("b", "foes", unarmed()))
		f.Creature("a").Items["w"].Values = map[string]int32{body.ValueLoaded: 0}
		return f
	}
	shots := func(f *table) int32 { return f.Creature("a").Items["w"].Values[body.ValueLoaded] }
	for _, tc := range []struct {
		rule             string
		hands            int32
		rapid, cartridge bool
		acts             int64
	}{
		{cite.EquipmentLoadOneHandedSimpleFirearm, 1, false, false, 3},
		{"celesia.equipment.load-one-handed-simple-firearm rapid", 1, true, false, 2},
		{"celesia.equipment.load-one-handed-simple-firearm cartridge", 1, false, true, 2},
		{"celesia.equipment.load-one-handed-simple-firearm both", 1, true, true, 1},
		{"celesia.equipment.load-two-handed-simple-firearm rapid", 2, true, false, 3},
		{"celesia.equipment.load-two-handed-simple-firearm cartridge", 2, false, true, 3},
		{"celesia.equipment.load-two-handed-simple-firearm both", 2, true, true, 2},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			f := armed(t, tc.hands, tc.rapid, tc.cartridge)
			f.Must(act("a", "load-firearm", "w", ""))
			if f.acts("a") != 3-tc.acts || shots(f) != 1 {
				t.Errorf("%d acts left, %d barrels loaded", f.acts("a"), shots(f))
			}
			f.End("a")
			if got := f.Creature("a").Counters[body.CReactions]; got != 1 {
				t.Errorf("%d reactions after the turn, want 1", got)
			}
		})
	}
	t.Run("celesia.equipment.load-one-handed-simple-firearm second barrel", func(t *testing.T) {
		f := armed(t, 1, false, true)
		f.Must(act("a", "load-firearm", "w", ""))
		wantRefused(t, f.Try(act("a", "load-firearm", "w", "")), cite.ActionStandardConsecutive)
		f = armed(t, 1, true, true)
		f.Must(act("a", "load-firearm", "w", ""))
		f.Must(act("a", "load-firearm", "w", ""))
		wantRefused(t, f.Try(act("a", "load-firearm", "w", "")), cite.EquipmentLoadOneHandedSimpleFirearm)
	})
	t.Run(cite.EquipmentLoadTwoHandedSimpleFirearm, func(t *testing.T) {
		f := armed(t, 2, false, false)
		f.Must(act("a", "load-firearm", "w", ""))
		if shots(f) != 0 || answers.Rounding(f.Creature("a")) == nil {
			t.Error("loaded at once")
		}
		f.End("a")
		if thestrike.MayReact(f.State, f.Creature("a")) {
			t.Error("a reaction in between")
		}
		f.End("b")
		if shots(f) != 1 || f.acts("a") != 3 {
			t.Errorf("%d barrels loaded, %d acts", shots(f), f.acts("a"))
		}
	})
	t.Run("celesia.equipment.load-two-handed-simple-firearm split", func(t *testing.T) { // celesia.action.one-round-split
		f := armed(t, 2, false, false)
		f.Must(act("a", "step", "", ""))
		f.Must(act("a", "load-firearm", "w", ""))
		f.round()
		if shots(f) != 0 {
			t.Error("loaded before the third act")
		}
		f.Must(act("a", "continue-casting", "", ""))
		if shots(f) != 1 || f.acts("a") != 2 {
			t.Errorf("%d barrels loaded, %d acts left", shots(f), f.acts("a"))
		}
	})
	t.Run("celesia.equipment.load-two-handed-simple-firearm then fires", func(t *testing.T) {
		f := armed(t, 2, true, true)
		f.Must(act("a", "load-firearm", "w", ""))
		f.Must(act("a", "attack", "w", "b"), 2)
		if f.acts("a") != 0 || shots(f) != 0 {
			t.Errorf("%d acts left, %d barrels loaded", f.acts("a"), shots(f))
		}
	})
}

func TestSurveys(t *testing.T) {
	alone := func(t *testing.T) *table { return duel(t, fighter("a", "party"), fighter("b", "foes", unarmed())) }
	done := func(f *table, name string) int32 { return f.State.Tasks[items.TaskID("a", name)].GetValues()["done"] }
	t.Run(cite.ActionDisableDevice, func(t *testing.T) {
		f := alone(t)
		f.Must(act("a", "disable-device", "", "", withParameters("rounds", 2, "acts", 3, "dc", 20)))
		f.round()
		if done(f, items.NameDevice) != 3 {
			t.Errorf("%d of 6 acts", done(f, items.NameDevice))
		}
		f.Must(act("a", "continue-task", items.NameDevice, "", withParameters("acts", 3)), 15) // the check comes with the last act
		if r := f.Roll("check/disable-device"); r.Target.Value != 20 || len(f.State.Tasks) != 0 {
			t.Errorf("roll %v, tasks %v", r, f.State.Tasks)
		}
	})
	t.Run("celesia.action.disable-device not consecutive", func(t *testing.T) {
		f := alone(t)
		f.Must(act("a", "disable-device", "", "", withParameters("needed", 10, "acts", 3, "scattered", true)))
		f.round()
		f.Must(act("a", "continue-task", items.NameDevice, "", withParameters("acts", 3)))
		f.round()
		f.Must(act("a", "step", "", ""))
		f.Must(act("a", "continue-task", items.NameDevice, ""))
		f.Must(act("a", "step", "", ""))
		if done(f, items.NameDevice) != 7 {
			t.Errorf("%d of 10 acts", done(f, items.NameDevice))
		}
		f.round()
		f.Must(act("a", "continue-task", items.NameDevice, "", withParameters("acts", 3)), 15)
		if len(f.State.Tasks) != 0 {
			t.Error("not disabled with the tenth act")
		}
	})
	t.Run("celesia.action.disable-device begun again", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		f.Must(act("a", "disable-device", "", "", withParameters("rounds", 2)))
		f.Answer(body.DecReaction, "no")
		f.Must(act("a", "step", "", "")) // breaks it
		wantRefused(t, f.Try(act("a", "continue-task", items.NameDevice, "")), cite.ActionDisableDevice)
		f.Must(act("a", "disable-device", "", "", withParameters("rounds", 2))) // and provokes again
		f.Answer(body.DecReaction, "no")
		f.round()
		wantRefused(t, f.Try(act("a", "disable-device", "", "")), cite.ActionDisableDevice) // under way
	})
	t.Run(cite.ActionFindTracks, func(t *testing.T) {
		f := alone(t)
		f.Must(act("a", "find-tracks", "", "", withParameters("acts", 3, "dc", 12)), 11)
		if r := f.Roll("check/survival"); r.Outcome != "failure" {
			t.Errorf("roll %v", r)
		}
		f.round()
		f.Must(act("a", "step", "", ""))
		f.Must(act("a", "find-tracks", "", "", withParameters("acts", 2)))
		f.round()
		f.Must(act("a", "continue-task", items.NameTracks, ""), 11) // the first act of the next turn
		if len(f.State.Tasks) != 0 || f.acts("a") != 2 {
			t.Errorf("tasks %v, %d acts left", f.State.Tasks, f.acts("a"))
		}
	})
	t.Run("celesia.action.find-tracks broken", func(t *testing.T) {
		f := alone(t)
		f.Must(act("a", "step", "", ""))
		f.Must(act("a", "find-tracks", "", "", withParameters("acts", 2)))
		f.round()
		f.Must(act("a", "step", "", ""))
		wantRefused(t, f.Try(act("a", "continue-task", items.NameTracks, "")), cite.ActionFindTracks)
	})
}
