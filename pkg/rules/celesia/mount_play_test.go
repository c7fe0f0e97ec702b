package celesia

import (
	"os"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Fights of riders at random keep what the rules promise.
func TestRandomCavalry(t *testing.T) {
	rulestest.Game{Env: os.Getenv, Seeds: 4, Steps: 220, Rounds: 12, Viewer: "a", Secret: secret, Signed: []string{body.CFirst},
		Meddle: true, Set: tilt, Beyond: beyondOptions, Hold: promisedInSaddle}.Play(t)
}

// riders are two against two with mounts, all trade-offs, firearms, stances,
// chokeholds, immediate abilities and spells that touch many.
func riders() []*eventv1.Sheet {
	able := ability("strength", 18, "dexterity", 14, "constitution", 14, "intelligence", 13)
	knight := section(func(c *eventv1.CelesiaSheet) {
		c.BaseAttack, c.Skills = 6, map[string]int32{"ride": 8, "intimidate": 5}
		c.Stances = []string{"steel", "wind"}
		c.Weapons = append(c.Weapons, &eventv1.CelesiaWeapon{Name: "lance", Kind: "melee", Dice: "1d8", Hands: 1, Hand: "stowed", Lance: true, Reach: true},
			&eventv1.CelesiaWeapon{Name: "pistol", Kind: "projectile", Dice: "1d8", Hands: 1, RangeFeet: 50, Hand: "stowed", Load: body.LoadSimple, Capacity: 2, Cartridge: true})
		c.SpecialAbilities = []*eventv1.CelesiaAbility{{Name: "riposte", Time: body.TimeImmediate, Kind: body.KindCounter, Trigger: "attack", Readied: true},
			{Name: "storm", Time: body.TimeFull, Kind: body.KindStrike, Readied: true}}
	})
	mage := section(func(c *eventv1.CelesiaSheet) {
		c.Spells = []*eventv1.CelesiaSpell{{Name: "bless", Casting: "standard", Healing: "1d8+1", TouchMany: true, Uses: 3, Verbal: true},
			{Name: "dart", Casting: "standard", Dice: "1d4", RangeFeet: 100, Quickened: true, Uses: 5, Somatic: true},
			{Name: "idol", Casting: "1-round", Dice: "3d6", RangeFeet: 100, ComponentActs: 1}}
		c.Features = []string{body.FeatGreaterGrapple, body.FeatImprovedGrapple}
		c.SpecialAbilities = []*eventv1.CelesiaAbility{{Name: "veil", Time: body.TimeImmediate, Uses: 2, Provokes: true}}
		c.Weapons = append(c.Weapons, &eventv1.CelesiaWeapon{Name: "musket", Kind: "projectile", Dice: "1d12", Hands: 2, RangeFeet: 60, Hand: "stowed", Load: body.LoadSimple})
	})
	steed := func(id, side string, trained bool) *eventv1.Sheet {
		s := horse(section(func(c *eventv1.CelesiaSheet) { c.CombatTrained = trained }))
		s.Id, s.Name, s.Side, s.Controllers = id, id, side, nil
		if side == "party" {
			s.Controllers = []string{"a-player"}
		}
		return s
	}
	return []*eventv1.Sheet{fighter("a", "party", able, knight), steed("h", "party", true), fighter("b", "party", mage, hitPoints(25)),
		fighter("c", "foes", able, knight), steed("i", "foes", false), fighter("d", "foes", able, hitPoints(30))}
}

// tilt sets the riders up, on a map for the most part.
func tilt(t *testing.T, c *rulestest.Chance) *rulestest.Table {
	f := newTable(t, c.Settings(System{})...)
	f.Roller = c.Die
	mapped := !c.OneIn(4)
	at := [][2]int32{{0, 10}, {0, 0}, {0, 15}, {20, 10}, {20, 0}, {20, 15}}
	for i, s := range riders() {
		add := &eventv1.AddCreature{Sheet: s}
		if mapped {
			add.Position = &eventv1.Position{X: at[i][0], Y: at[i][1]}
		}
		if rider := map[string]string{"h": "a", "i": "c"}[s.Id]; rider != "" && !c.OneIn(4) {
			add.Facts = object("ridden_by", rider)
		}
		f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: add}})
	}
	switch {
	case c.OneIn(4):
		f.Afflict("d", body.CondHelpless)
	case c.OneIn(4):
		f.Afflict("d", body.CondHelpless, body.CondInvisible)
	}
	f.start(nil)
	return f.Table
}

// promisedInSaddle holds what the rules promise of pairs of rider and mount.
func promisedInSaddle(p *rulestest.Play) {
	p.T.Helper()
	promised(p)
	for id, c := range p.State.Creatures { // order-free: each pair by itself
		if m := body.MountOf(c); m != "" {
			if body.RiderOf(p.Creature(m)) != id {
				p.T.Fatalf("%s rides %s, which does not know it", id, m)
			}
			if at, there := c.Position, p.Creature(m).Position; at != nil && there != nil && grid.Steps(at, there) != 0 {
				p.T.Fatalf("%s is at %v, its mount at %v", id, at, there)
			}
		}
		if r := body.RiderOf(c); r != "" && body.MountOf(p.Creature(r)) != id {
			p.T.Fatalf("%s is ridden by %s, who does not know it", id, r)
		}
	}
}
