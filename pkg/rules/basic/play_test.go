package basic

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/fire"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Fights of five motley creatures at random keep what the rules promise.
func TestRandomPlay(t *testing.T) {
	rulestest.Game{Env: os.Getenv, Seeds: 20, Steps: 250, Rounds: 60, Viewer: "c0",
		Meddle: true, Set: skirmish, Take: shapeTake, Hold: promised}.Play(t)
}

// wild is content that does something at every turn: what it sets off must leave the
// fight as whole as the book does.
const wild = `
- id: probe
  effects:
    - {trigger: hit, damage: {dice: 1d2, type: cold}}
    - {trigger: hit, condition: {condition: chilled, rounds: 1}}
    - {trigger: miss, save: {save: spells, failed: [{condition: {condition: chilled, save_ends: true}}], passed: [{healing: {amount: "1"}}]}}
    - {trigger: critical, hook: {name: push}}
    - {trigger: hurt, whom: actor, damage: {amount: "1"}}
    - {trigger: kill, whom: self, healing: {dice: 1d4}}
    - {trigger: cast, hook: {name: ignite}}
    - {trigger: save-failed, damage: {amount: "1"}}
    - {trigger: save-passed, use: {resource: bolt}}
    - {trigger: turn-start, damage: {amount: "1"}, when: round % 3 == 0}
    - {trigger: turn-end, hook: {name: lose-action}, when: round % 4 == 0}
    - {trigger: round-start, damage: {amount: "1"}, when: round % 5 == 0}
    - {trigger: enter, condition: {condition: chilled, rounds: 1}}
    - {modifier: {to: attack, dice: 1d4}, when: distance >= 0}
    - {critical_range: {from: from - 2}}
    - {extra_action: {counter: action}, when: round % 2 == 0}
    - {no_provoke: {}, when: round % 2 == 1}
    - {speed: {feet: feet - 5}}
    - {bar: {action: hold}, when: self.is("chilled")}
    - {aura: {feet: "10", who: enemies, effects: [{resistance: {types: [weapon], less: "1"}}]}}
`

// Fights with such content keep what the rules promise too.
func TestRandomPlayWithAPack(t *testing.T) {
	book := writtenBook(t, map[string]string{"feats.yaml": wild, "conditions.yaml": "- {id: chilled, implies: [shaken], effects: [{speed: {feet: feet / 2}}]}"})
	rulestest.Game{Env: os.Getenv, Seeds: 4, Steps: 150, Rounds: 8, Signed: []string{"content-speed.walk"},
		Meddle: true, Set: func(t *testing.T, c *rulestest.Chance) *rulestest.Table { return skirmishWith(t, c, book) }, Take: shapeTake, Hold: promised}.Play(t)
}

// skirmish has turns of two rounds, so that effects end.
func skirmish(t *testing.T, c *rulestest.Chance) *rulestest.Table {
	return skirmishWith(t, c, nil)
}

// skirmishWith is a skirmish with content, in which two have the feat probe.
func skirmishWith(t *testing.T, c *rulestest.Chance, book *effects.Book) *rulestest.Table {
	f := tableWith(t, book, append(c.Settings(System{}), body.SetTurn+"=2")...)
	f.Roller = c.Die
	mapped := !c.OneIn(3)
	for i := range 5 {
		s := motley(c, i)
		if book != nil && i < 2 {
			s.Feats = []string{"probe"}
		}
		if mapped {
			f.AddAt(int32(c.N(8)*5), int32(c.N(4)*5), s)
		} else {
			f.Add(s)
		}
	}
	f.start(object("surprise", []string{"party"}, "ambush", []string{"monsters"}))
	return f.Table
}

func motley(c *rulestest.Chance, i int) *eventv1.Sheet {
	s := make1(fmt.Sprintf("c%d", i), []string{"party", "monsters"}[i%2], hp(int32(c.N(30)+10)), ac(int32(c.N(6)+10)),
		abilities(int32(c.N(5)-1), int32(c.N(5)-2)))
	s.Controllers = []string{s.Id + "-player"}
	b := s.GetBasic()
	b.AttackBonus, b.ArmorMaterial, b.SneakAttackBonus = int32(c.N(5)), body.Materials[c.N(4)], int32(c.N(2)*4)
	b.Saves = map[string]int32{"spells": 13}
	b.Ammunition = map[string]int32{"bolts": 5, "oil": 3, "water": 2}
	b.Items = []*eventv1.BasicItem{{Name: "ring", Simple: true, Effect: &eventv1.BasicSpell{Uses: 2, Damage: "1d4"}}, {Name: "wand", Effect: &eventv1.BasicSpell{Condition: body.CondShaken}}, {Name: "key"}}
	b.Tags = [][]string{nil, {"undead"}, {"fire-based"}, {"elf", "needs-magic"}}[c.N(4)]
	switch i % 4 {
	case 0:
		b.Weapons = append(b.Weapons, &eventv1.BasicWeapon{Name: "dagger", Damage: "1d4", Kind: "melee", Small: true, Hand: "off", ShortFeet: 10, MediumFeet: 20, LongFeet: 30})
	case 1:
		b.Weapons = []*eventv1.BasicWeapon{spear(), {Name: "crossbow", Damage: "1d6", Kind: "crossbow", Hand: "off", ShortFeet: 60, MediumFeet: 120, LongFeet: 180, ReloadRounds: 1, Ammunition: "bolts"}}
	case 2:
		b.Weapons = []*eventv1.BasicWeapon{{Name: "staff", Damage: "1d6", Kind: "melee"}}
		b.Spells = []*eventv1.BasicSpell{{Name: "bolt", Uses: 5, Damage: "1d6+1", Save: "spells", Half: true, RangeFeet: 60},
			{Name: "mend", Uses: 3, Healing: "1d6", Targets: 2}, {Name: "glare", Uses: 3, Condition: "blinded", Save: "spells"}}
	case 3:
		b.Weapons = []*eventv1.BasicWeapon{{Name: "claw", Damage: "1d4", Kind: "melee", Natural: true, Charge: true}, {Name: "bite", Damage: "2d4", Kind: "melee", Natural: true}}
		b.Routine = []string{"claw", "claw", "bite"}
	}
	if i == 2 || i == 3 {
		b.Weapons = append(b.Weapons, &eventv1.BasicWeapon{Name: "oil", Kind: "grenade", Contents: body.Oil, Hand: "off", Ammunition: "oil", ShortFeet: 10, MediumFeet: 20, LongFeet: 30},
			&eventv1.BasicWeapon{Name: "water", Kind: "grenade", Contents: body.HolyWater, Hand: "stowed", Ammunition: "water", ShortFeet: 10, MediumFeet: 20, LongFeet: 30})
	}
	return s
}

// shapeTake keeps moves without a map short.
func shapeTake(_ *rulestest.Play, _ *eventv1.Option, take *eventv1.TakeAction) {
	if feet := take.GetParameters().GetFields()["feet"]; feet != nil {
		take.Parameters.Fields["feet"] = object("feet", 1).Fields["feet"]
	}
}

// reachableSquares holds that a way to a square that is listed is not refused.
func reachableSquares(p *rulestest.Play) {
	p.T.Helper()
	for _, id := range p.State.Active {
		for _, o := range (System{}).Options(rules.Query{State: p.State, Creature: id, Content: p.Content}) {
			if len(o.Squares) == 0 {
				continue
			}
			sq := rulestest.Pick(p.Chance, o.Squares)
			cmd := act(id, o.Action, o.Item, strings.Join(o.Targets[:min(1, len(o.Targets))], ""))
			cmd.GetTake().Path = []*eventv1.Position{sq.At}
			if err := p.Peek(cmd); err != nil {
				p.T.Fatalf("%v is listed and refused: %v", sq, err)
			}
		}
	}
}

// promised holds what the rules promise of creatures and effects.
func promised(p *rulestest.Play) {
	p.T.Helper()
	if len(p.Events)%5 == 0 { // now and then: there are many options
		rulestest.Offered(p.T, p.Table)
		reachableSquares(p)
	}
	for _, id := range rules.SortedKeys(p.State.Creatures) {
		c := p.Creature(id)
		if c.GetHp() < 0 || (c.GetHp() == 0) != (body.Dead(c) || body.Unconscious(c)) && !body.Dead(c) {
			p.T.Fatalf("%s has %d of %d hit points and is %v", id, c.GetHp(), c.GetHpMax(), c.Life)
		}
	}
	for _, id := range rules.SortedKeys(p.State.Creatures) {
		for _, x := range p.Creature(id).Conditions {
			if x.Name == body.CondHeld && rules.RelationTo(p.Creature(x.Source), body.RelHolds, id) == nil {
				p.T.Fatalf("%s is held by %s, which holds nobody of that name", id, x.Source)
			}
		}
	}
	for _, id := range p.State.Active {
		if !body.Up(p.Creature(id)) {
			p.T.Fatalf("%s has the turn and cannot act", id)
		}
	}
	if p.State.Counters[body.CRunningNumber] == 0 && len(p.State.Tasks) > len(fire.Pools(p.State)) {
		p.T.Fatalf("effects left over: %v", p.State.Tasks)
	}
}
