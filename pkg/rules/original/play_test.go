package original

import (
	"os"
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Fights of a party against orcs at random keep what the rules promise.
func TestRandomPlay(t *testing.T) {
	rulestest.Game{Env: os.Getenv, Seeds: 24, Steps: 150, Rounds: 72, Viewer: "fay",
		Meddle: true, Set: skirmish, Take: shapeTake, Beyond: beyondOptions, Vex: vex, Hold: promised}.Play(t)
}

// wild is content that does something at every turn: what it sets off must leave the
// fight as whole as the book does.
const wild = `
- id: probe
  effects:
    - {trigger: hit, damage: {dice: 1d2, type: cold}}
    - {trigger: hit, condition: {condition: chilled, rounds: 1}}
    - {trigger: miss, save: {save: paralysis, failed: [{condition: {condition: chilled, save_ends: true}}], passed: [{healing: {amount: "1"}}]}}
    - {trigger: critical, hook: {name: push}}
    - {trigger: hurt, whom: actor, damage: {amount: "1"}}
    - {trigger: kill, whom: self, healing: {dice: 1d4}}
    - {trigger: cast, hook: {name: disturb}}
    - {trigger: save-failed, damage: {amount: "1"}}
    - {trigger: save-passed, use: {resource: bolt}}
    - {trigger: turn-start, damage: {amount: "1"}, when: round % 3 == 0}
    - {trigger: turn-end, hook: {name: lose-attacks}, when: round % 4 == 0}
    - {trigger: turn-end, hook: {name: morale}, when: round % 3 == 1}
    - {trigger: round-start, damage: {amount: "1"}, when: round % 5 == 0}
    - {trigger: enter, condition: {condition: chilled, rounds: 1}}
    - {modifier: {to: attack, dice: 1d4}, when: distance >= 0}
    - {modifier: {to: initiative, amount: "2"}}
    - {edge: {to: attacked, direction: disadvantage}, when: round % 2 == 0}
    - {critical_range: {from: from - 2}}
    - {extra_action: {counter: attacks}, when: round % 2 == 0}
    - {no_provoke: {}, when: round % 2 == 1}
    - {speed: {feet: feet - 10}}
    - {bar: {action: parry}, when: self.is("chilled")}
    - {aura: {feet: "10", who: enemies, effects: [{resistance: {types: [weapon], less: "1"}}]}}
`

// Fights with such content keep what the rules promise too.
func TestRandomPlayWithAPack(t *testing.T) {
	book := writtenBook(t, map[string]string{"feats.yaml": wild, "conditions.yaml": "- {id: chilled, implies: [stationary], effects: [{speed: {feet: feet / 2}}]}"})
	rulestest.Game{Env: os.Getenv, Seeds: 5, Steps: 120, Rounds: 8, Signed: []string{"content-speed.walk"},
		Meddle: true, Set: func(t *testing.T, c *rulestest.Chance) *rulestest.Table { return skirmishWith(t, c, book) }, Take: shapeTake,
		Beyond: beyondOptions, Vex: vex, Hold: promised}.Play(t)
}

// cast is the sheets that random fights draw from.
func cast() []*eventv1.Sheet {
	return []*eventv1.Sheet{
		one("fay", "party", class("fighter", 3), points(18), arms(&eventv1.OriginalWeapon{Name: "sword"}, bow), with(func(o *eventv1.OriginalSheet) { o.LightArmor, o.ShieldBonus = true, 1 }), dex(2)),
		one("tam", "party", class("thief", 2), points(9), arms(dagger, first, sling), dex(2)),
		one("cal", "party", class("cleric", 3), points(12), ability("strength", 16), arms(halberd, whip, crossbow), with(func(o *eventv1.OriginalSheet) {
			o.Spells = []*eventv1.OriginalSpell{{Name: "bolt", Damage: "1d6", Prepared: 2}, {Name: "light"}}
		})),
		one("eli", "party", class("elf", 2), points(8), arms(blade, stab, bow), with(func(o *eventv1.OriginalSheet) { o.LightArmor = true })),
		one("orc-1", "orcs", points(5), arms(spear), with(func(o *eventv1.OriginalSheet) { o.Group = "orcs" })),
		one("orc-2", "orcs", points(4), arms(dagger), with(func(o *eventv1.OriginalSheet) { o.Group = "orcs" })),
		one("orc-3", "orcs", points(6), with(func(o *eventv1.OriginalSheet) { o.Group, o.RollHitPoints = "orcs", true })),
		one("ogre", "orcs", points(19), with(func(o *eventv1.OriginalSheet) {
			o.HitDice, o.HitDicePlus, o.SpecialFace, o.SpecialEffect = 4, 1, 19, "prone"
		})),
		one("unit", "orcs", with(func(o *eventv1.OriginalSheet) { o.UnitSize = 5 })),
		one("rider", "orcs", points(9), arms(&eventv1.OriginalWeapon{Name: "lance", Kind: "lance"}), with(func(o *eventv1.OriginalSheet) { o.Mounted, o.ChargingBeast = true, true })),
	}
}

// skirmish is most of the cast, with or without a map, surprised or not.
func skirmish(t *testing.T, c *rulestest.Chance) *rulestest.Table {
	return skirmishWith(t, c, nil)
}

// skirmishWith is a skirmish with content, in which two and the cleric have the feat
// probe.
func skirmishWith(t *testing.T, c *rulestest.Chance, book *effects.Book) *rulestest.Table {
	f := tableWith(t, book, c.Settings(System{})...)
	f.Roller = c.Die
	mapped := !c.OneIn(3)
	for _, s := range cast() {
		if book != nil && slices.Contains([]string{"fay", "cal", "orc-1"}, s.Id) {
			s.Feats = []string{"probe"}
		}
		switch {
		case s.GetOriginal().UnitSize > 0 && f.State.Settings[body.SetMass] == "off":
		case s.Id != "fay" && s.Id != "orc-1" && c.OneIn(4):
		case mapped:
			f.AddAt(int32(c.N(12)*10), int32(c.N(3)*5), s)
		default:
			f.Add(s)
		}
	}
	switch sides := []string{"party", "orcs"}; c.N(4) {
	case 0:
		f.start(object("unaware", sides))
	case 1:
		f.start(object("surprised", rulestest.Some(c, sides, 1), "engaged", true))
	default:
		f.start(nil)
	}
	return f.Table
}

// shapeTake gives a way to those who need one because they have a place.
func shapeTake(p *rulestest.Play, o *eventv1.Option, take *eventv1.TakeAction) {
	if len(take.Path) == 0 && slices.ContainsFunc(o.Parameters, func(x *eventv1.Parameter) bool { return x.Type == "path" }) {
		p.Walk(take)
	}
}

// beyondOptions: where a way through space leads cannot be listed, since there
// are too many ways.
func beyondOptions(take *eventv1.TakeAction, why *fault.Fault) bool {
	return len(take.Path) > 0 && why.Code == fault.Illegal
}

// promised holds what the rules promise of creatures and blows held back.
func promised(p *rulestest.Play) {
	p.T.Helper()
	if len(p.Events)%5 == 0 { // now and then: there are many options
		rulestest.Offered(p.T, p.Table)
	}
	for _, id := range rules.SortedKeys(p.State.Creatures) {
		c := p.State.Creatures[id]
		if c.GetHp() < 0 || c.GetHp() > c.GetHpMax() || int64(c.GetHp()) != int64(c.GetHpMax())-c.Counters[body.CActual]-c.Counters[body.CTemporary] {
			p.T.Fatalf("%s has %d of %d hit points, %v", id, c.GetHp(), c.GetHpMax(), c.Counters)
		}
		if c.GetHp() == 0 && !body.Out(c) {
			p.T.Fatalf("%s stands at 0 hit points", id)
		}
		for _, name := range rules.SortedKeys(c.Counters) {
			if c.Counters[name] < 0 && name != "content-speed.walk" {
				p.T.Fatalf("%s has %s %d", id, name, c.Counters[name])
			}
		}
		if slices.Contains(p.State.Active, id) && !thestrike.Able(p.State, c) && len(p.Decisions) == 0 {
			p.T.Fatalf("%s has the turn and cannot have one", id)
		}
		if c.Counters[body.CAttacks] > int64(max(body.AttacksAgainstNormal(p.State, c), body.AttacksAgainstStrong(p.State, c))) {
			p.T.Fatalf("%s made %d attacks", id, c.Counters[body.CAttacks])
		}
	}
	if len(p.Decisions) == 0 && len(p.State.Decisions) != 0 {
		p.T.Fatalf("decisions left in the state: %v", p.State.Decisions)
	}
	if len(p.State.Active) == 0 && len(p.Decisions) == 0 && len(p.State.Tasks) != 0 {
		p.T.Fatalf("blows held back for ever: %v", p.State.Tasks)
	}
}

// vex has the game master afflict, free, mark or unmark somebody.
func vex(p *rulestest.Play) {
	p.T.Helper()
	ids := rules.SortedKeys(p.State.Creatures)
	id, other := rulestest.Pick(p.Chance, ids), rulestest.Pick(p.Chance, ids)
	c, edit := p.Creature(id), &eventv1.EditCreature{Creature: id}
	switch {
	case len(c.Conditions) > 0 && p.Chance.OneIn(2):
		edit.RemoveConditions = []string{rulestest.Pick(p.Chance, c.Conditions).Name}
	case p.Chance.OneIn(2):
		x := &eventv1.Condition{Name: rulestest.Pick(p.Chance, []string{body.CondHasted, body.CondProne, body.CondHeld, body.CondStunned, body.CondRouted, body.CondPinned, body.CondStruggling, body.CondTight, body.CondStationary, body.CondWall, body.CondMounted}), Cause: "vexed"}
		if body.Has(c, x.Name) {
			return
		}
		if p.Chance.OneIn(2) {
			x.Until = &eventv1.Until{When: "round", Round: p.State.Round + int32(p.Chance.N(3))}
		}
		edit.Vitals = &eventv1.Vitals{Conditions: []*eventv1.Condition{x}}
	default:
		kind := rulestest.Pick(p.Chance, []string{body.RelFlanks, body.RelApart})
		switch {
		case id == other:
			return
		case body.Is(c, kind, other):
			edit.RemoveRelations = []string{kind + "/" + other}
		default:
			edit.Vitals = &eventv1.Vitals{Relations: []*eventv1.Relation{{Kind: kind, To: other}}}
		}
	}
	p.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: edit}})
}
