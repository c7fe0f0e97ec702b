package celesia

import (
	"os"
	"testing"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// secret are the actions that hang on the sheets of others: who threatens whom, and
// who is no animal.
var secret = []string{"aid-another", "push-animal"}

// Fights of two against two at random keep what the rules promise.
func TestRandomPlay(t *testing.T) {
	rulestest.Game{Env: os.Getenv, Seeds: 8, Steps: 220, Rounds: 40, Viewer: "a", Secret: secret, Signed: []string{body.CFirst},
		Meddle: true, Set: skirmish, Beyond: beyondOptions, Hold: promised}.Play(t)
}

// field is a fight of two against two that have a bit of everything.
func field() []*eventv1.Sheet {
	spells := section(func(c *eventv1.CelesiaSheet) {
		c.Spells = []*eventv1.CelesiaSpell{{Name: "bolt", Casting: "standard", Attack: "ranged-touch", DicePerLevel: "1d6", CasterLevel: 3, RangeFeet: 60},
			{Name: "cure", Casting: "standard", Healing: "1d8+3", Uses: 4}, {Name: "storm", Casting: "1-round", DicePerLevel: "1d6", CasterLevel: 6, RangeFeet: 100, Save: "reflex", SaveDc: 15, SaveEffect: "half"}}
		c.Spells = append(c.Spells, &eventv1.CelesiaSpell{Name: "glue", Casting: "swift", Condition: "entangled", RangeFeet: 60, Concentration: true, Dismissible: true, Redirectable: true, Targets: 2},
			&eventv1.CelesiaSpell{Name: "shock", Casting: "standard", Attack: "melee-touch", DicePerLevel: "1d6", CasterLevel: 2, Magus: true, Level: 1})
		c.Features = []string{body.FeatCounterspell, body.FeatSpellCombat, body.FeatSpellstrike}
		c.SpellResistance, c.Concentration = 12, 5
		c.Things = []*eventv1.CelesiaThing{{Name: "wand", Kind: body.ThingTrigger, Place: "pack", Spell: &eventv1.CelesiaSpell{Name: "spark", Casting: "standard", Dice: "1d4", RangeFeet: 30, Uses: 5}},
			{Name: "scroll", Kind: body.ThingCompletion, Spell: &eventv1.CelesiaSpell{Name: "blast", Casting: "standard", Attack: "ranged-touch", Dice: "2d6", RangeFeet: 30, Level: 1, Uses: 1}}, {Name: "pouch", Fastened: 5}}
		c.SpecialAbilities = []*eventv1.CelesiaAbility{{Name: "dodge", Time: body.TimeFree, Supports: "move"}, {Name: "focus", Time: body.TimeSwift, OncePerTurn: true},
			{Name: "surge", Time: body.TimeSwift, Kind: body.KindBoost, Readied: true}, {Name: "gust", Time: body.TimeStandard, Kind: body.KindSpellLike, Uses: 2}}
	})
	gear := section(func(c *eventv1.CelesiaSheet) {
		c.Things = []*eventv1.CelesiaThing{{Name: "shield", Kind: body.ThingShield, ShieldBonus: 2, Hardness: 10, HitPoints: 20}, {Name: "rope", Kind: body.ThingRope},
			{Name: "mail", Place: body.PlaceWorn, Hardness: 5, HitPoints: 30}, {Name: "gauntlet", Kind: body.ThingGauntlet, Place: body.PlaceWorn}}
		c.Weapons[0].HitPoints, c.Weapons[0].Hardness = 5, 2
		c.Weapons = append(c.Weapons, &eventv1.CelesiaWeapon{Name: "dagger", Kind: "melee", Dice: "1d4", Hands: 1, Light: true, Hand: "stowed"},
			&eventv1.CelesiaWeapon{Name: "crossbow", Kind: "projectile", Dice: "1d8", Hands: 2, RangeFeet: 80, Hand: "stowed", Load: body.LoadHeavy},
			&eventv1.CelesiaWeapon{Name: "flask", Kind: "thrown", Dice: "1d3", Hands: 1, RangeFeet: 10, Hand: "stowed", Load: body.LoadFlask, Splash: true})
		c.Trained = []string{"sense-motive"}
	})
	potions := section(func(c *eventv1.CelesiaSheet) {
		c.Potions = []*eventv1.CelesiaPotion{{Name: "potion", Healing: "1d8+1", Count: 2}}
	})
	beast := section(func(c *eventv1.CelesiaSheet) {
		c.Humanoid, c.Body = false, &eventv1.CelesiaBody{Eyes: 2, Legs: 4, Head: true}
		c.Features = []string{body.FeatImprovedGrapple, body.FeatOpportunityHold}
		c.Weapons = []*eventv1.CelesiaWeapon{{Name: "bite", Kind: "natural", Dice: "1d8", Limb: "mouth"}, {Name: "claw", Kind: "natural", Dice: "3d6", Limb: "paw"}}
	})
	return []*eventv1.Sheet{
		fighter("a", "party", ability("strength", 18, "dexterity", 14), potions, gear, features(body.FeatCombatReflexes, body.FeatBullRush, body.FeatTwoWeapon)),
		fighter("b", "party", hitPoints(25), spells, potions),
		fighter("c", "foes", beast, ability("strength", 18), hitPoints(60)),
		fighter("d", "foes", gear, ability("dexterity", 16), features(body.FeatUncannyDodge, body.FeatFeint, body.FeatDrag), hitPoints(30)),
	}
}

// skirmish is the field, with or without a map, the beast surprised or not.
func skirmish(t *testing.T, c *rulestest.Chance) *rulestest.Table { return skirmishBy(t, c, nil) }

// skirmishBy is a skirmish with content.
func skirmishBy(t *testing.T, c *rulestest.Chance, book *effects.Book) *rulestest.Table {
	f := by(t, book, c.Settings(System{})...)
	f.Roller = c.Die
	mapped := !c.OneIn(4)
	for i, s := range field() {
		if mapped {
			f.AddAt(int32(i/2*10), int32(i%2*5), s)
		} else {
			f.Add(s)
		}
	}
	var surprised []string
	if c.OneIn(3) {
		surprised = []string{"c"}
	}
	f.start(surprised)
	return f.Table
}

// beyondOptions: how far a way leads and who stands in it; no option can list
// every way through space.
func beyondOptions(take *eventv1.TakeAction, why *fault.Fault) bool {
	return len(take.Path) > 0 && (why.Reason == "TOO_FAR" || why.Reason == "OCCUPIED" || why.Reason == "FOE_IN_THE_WAY")
}

// promised holds what the rules promise of bodies, holds and limbs.
func promised(p *rulestest.Play) {
	p.T.Helper()
	for _, id := range p.State.Active {
		offered(p.T, p.State, id)
		if !strike.Able(p.Creature(id)) {
			p.T.Fatalf("%s has the turn and cannot act", id)
		}
	}
	for _, id := range rules.SortedKeys(p.State.Creatures) {
		c := p.Creature(id)
		con, scored := body.Constitution(c)
		if c.GetHp() > c.GetHpMax() || c.Counters[body.CActs] < 0 || c.Counters[body.CReactions] < 0 || c.Counters[body.CNonlethal] < 0 || c.Counters[body.CBleed] < 0 || c.Counters[body.CSpent] < 0 {
			p.T.Fatalf("%s out of range: %v", id, c)
		}
		life := mending.Band(c.GetHp(), con, scored)
		if life == eventv1.LifeStatus_LIFE_STATUS_DEAD && !body.Dead(c) || life == eventv1.LifeStatus_LIFE_STATUS_DYING && !body.Down(c) && !body.Dead(c) {
			p.T.Fatalf("%s at %d hit points is %v", id, c.GetHp(), c.Life)
		}
		if foe := answers.Holds(c); foe != "" && answers.HeldBy(p.Creature(foe)) != id {
			p.T.Fatalf("%s holds %s, who is not held", id, foe)
		}
		for _, row := range strike.Cripples {
			for _, side := range body.Sides(body.Parts(c, row.Row)) {
				if row.Row != "finger" && body.Injuries(c, row.Row, side, true) > 1 {
					p.T.Fatalf("%s lost %s %s twice", id, row.Row, side)
				}
			}
		}
	}
}
