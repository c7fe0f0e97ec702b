package basic

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// basic.dice.grapple-check: a hold that content lays is one by both sides, unless it is
// kept off; what else content lays on one held leaves the hold as it is.
func TestContentHolds(t *testing.T) {
	book := featOf(t, "    - {trigger: hit, condition: {condition: held}}", "feats.yaml",
		"- {id: probe, title: Probe, effects: [{trigger: hit, condition: {condition: held}}]}\n- {id: free, title: Free, effects: [{immunity: {conditions: [held]}}]}\n- {id: scare, title: Scare, effects: [{trigger: hit, condition: {condition: shaken}}]}\n")
	for feat, want := range map[string]bool{"": true, "free": false} {
		f := tableWith(t, book).add(nil, make1("a", "A", gifted), make1("b", "B", hp(30), func(s *eventv1.Sheet, _ *eventv1.BasicSheet) {
			if feat != "" {
				s.Feats = []string{feat}
			}
		})).start(nil).declare([]int{6, 1}, "a=attack", "b=attack")
		f.Must(act("a", "attack", "sword", "b"), 15, 3)
		held, holds := body.HeldBy(f.Creature("b"), "a") != nil, rules.RelationTo(f.Creature("a"), body.RelHolds, "b") != nil
		if held != want || holds != want {
			t.Errorf("%q: held %t, holds %t, want %t", feat, held, holds, want)
		}
	}
	f := tableWith(t, book).add(nil, make1("a", "A", func(s *eventv1.Sheet, _ *eventv1.BasicSheet) { s.Feats = []string{"scare"} }), make1("b", "B", hp(30))).start(nil)
	f.declare([]int{6, 1}, "a=grapple", "b=move")
	f.Must(act("a", "grapple", "strength", "b"), 19, 15, 5) // a touch hits too
	f.end("a", "b")
	f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "b", RemoveConditions: []string{body.CondShaken}}}})
	f.declare([]int{6, 1, 15, 5}, "a=hold", "b=move")
	f.Must(act("a", "attack", "sword", "b"), 15, 3)
	if rel := rules.RelationTo(f.Creature("a"), body.RelHolds, "b"); rel.GetRound() != 2 || !body.Has(f.Creature("b"), body.CondShaken) {
		t.Errorf("%v, b has %v", rel, f.Creature("b").Conditions)
	}
	// basic.initiative.ties-simultaneous: who is off the field when the number is over
	// holds nobody.
	f = tableWith(t, book).add(nil, make1("a", "A", gifted), make1("b", "B", hp(30)), make1("c", "A")).start(nil)
	f.declare([]int{3, 3, 3}, "a=attack", "b=move", "c=move")
	f.Must(act("a", "attack", "sword", "b"), 15, 3)
	f.leaves("a")
	f.end("b", "c")
	if f.WantHP("b", 27); body.Has(f.Creature("b"), body.CondHeld) {
		t.Errorf("b has %v", f.Creature("b").Conditions)
	}
	// What is no hold stays without its author, and nothing is laid on the dead.
	for damage, want := range map[int]bool{3: true, 8: false} {
		f = tableWith(t, book).add(nil, make1("a", "A", func(s *eventv1.Sheet, _ *eventv1.BasicSheet) { s.Feats = []string{"scare"} }), make1("b", "B", hp(8)), make1("c", "A")).start(nil)
		f.declare([]int{3, 3, 3}, "a=attack", "b=move", "c=move")
		f.Must(act("a", "attack", "sword", "b"), 15, damage)
		f.leaves("a")
		f.end("b", "c")
		if got := body.Has(f.Creature("b"), body.CondShaken); got != want {
			t.Errorf("%d damage: shaken %t", damage, got)
		}
	}
	// basic.attack.grapple-touch: whom a touch kills, or whoever dies of it, wrestles no more.
	for whom, dead := range map[string]string{"target": "b", "self": "a"} {
		f = tableWith(t, featOf(t, "    - {trigger: hit, whom: "+whom+", damage: {amount: \"50\"}}")).add([]int32{0, 5}, make1("a", "A", gifted), make1("b", "B"), make1("c", "B")).start(nil)
		f.declare([]int{6, 1, 1}, "a=grapple", "b=move", "c=move")
		f.Must(act("a", "grapple", "strength", "b"), 19)
		f.WantLife(dead, isDead)
		if body.Has(f.Creature("b"), body.CondHeld) || f.Creature("a").Position.X != 0 {
			t.Errorf("a stands at %v, b has %v", f.Creature("a").Position, f.Creature("b").Conditions)
		}
	}
}

// basic.critical.effect-chart, basic.condition.disarmed: the chart that content rolls on
// disarms too; no damage at all is nothing that waits for the end of the number, and what
// waits there that is no damage brings nobody down.
func TestWhatContentSetsOff(t *testing.T) {
	f := pair(t, featOf(t, "    - {trigger: hit, hook: {name: critical-effect}}"), "a").round("attack", "attack")
	f.Must(act("a", "attack", "sword", "b"), 15, 3, 1)
	if got := f.Creature("b").Items["sword"].Place; got != "dropped" {
		t.Errorf("the sword of b is %s", got)
	}
	for amount, want := range map[string]int{"0": 1, "1": 2} {
		f := pair(t, featOf(t, "    - {trigger: hit, damage: {amount: \""+amount+"\", type: cold}}"), "a").round("attack", "attack", 3, 3)
		f.Must(act("a", "attack", "sword", "b"), 15, 3)
		if got := f.pending(body.TaskHarm); got != want {
			t.Errorf("%s more: %d harms wait, want %d", amount, got, want)
		}
	}
	book := featOf(t, "    - {trigger: hit, condition: {condition: shaken}}")
	f = tableWith(t, book).add(nil, make1("a", "A", beast, gifted), make1("b", "B", hp(5)), make1("c", "A")).start(nil)
	f.declare([]int{3, 1, 3}, "a=attack", "b=move", "c=move")
	f.Must(act("a", "routine", "", "b"), 15, 2, 15, 2)
	if f.pending(body.TaskCondition) == 0 {
		t.Error("no condition waits")
	}
	f.end("a", "c")
	f.WantHP("b", 1)
}

// basic.item.oil-ground-fire: whom fire kills that is nobody's, nobody killed.
func TestKilledByNobody(t *testing.T) {
	book := featOf(t, "    - {trigger: kill, whom: self, damage: {amount: \"2\"}}\n    - {trigger: hurt, whom: actor, damage: {amount: \"2\"}}\n    - speed: {mode: walk, feet: feet + 10}")
	f := tableWith(t, book).on(map[string]at{"a": {0, 0}, "b": {5, 0}}, make1("a", "A", throws(body.Oil), gifted), make1("b", "B", hp(3), gifted)).start(nil)
	f.declare([]int{6, 1}, "a=other", "b=move")
	f.Must(act("a", "spill-oil", "flask", "", parameters("lit", true), func(k *eventv1.TakeAction) { k.Path = []*eventv1.Position{{X: 5}} }))
	f.Must(endTurn("a"), 4)
	f.WantLife("b", isDead)
	f.WantHP("a", 10)
}

// basic.attack.to-hit, basic.critical.natural-20-hits: what content asks of an attack roll is
// what fell: the face, the total, whether it hit and whether it was a critical hit.
func TestWhatAnAttackRollTellsContent(t *testing.T) {
	blows := map[string][]int{"a hit": {15, 3}, "a critical hit": {20, 5, 3}, "a miss": {5}, "a critical miss": {1, 16}}
	for when, want := range map[string][]string{
		"roll.critical":     {"a critical hit"},
		"!roll.critical":    {"a hit", "a miss", "a critical miss"},
		"roll.success":      {"a hit", "a critical hit"},
		"!roll.success":     {"a miss", "a critical miss"},
		"roll.natural == 5": {"a miss"},
		"roll.total == 17":  {"a hit"}, // 15 and 2
	} {
		effect := ""
		for _, trigger := range []string{"hit", "miss"} {
			effect += "    - {trigger: " + trigger + ", whom: self, damage: {amount: \"2\"}, when: '" + when + "'}\n"
		}
		book := featOf(t, effect)
		for name, faces := range blows {
			f := pair(t, book, "a")
			f.strike(strike.Blow{Weapon: &eventv1.BasicWeapon{Name: "sword", Damage: "1d8", Kind: "melee", AttackBonus: 2}}, faces...)
			if got := f.DamageTo("a") == 2; got != slices.Contains(want, name) {
				t.Errorf("%s, %s: set off %t", when, name, got)
			}
		}
	}
}

// basic.damage.magic-bonus: a weapon is magic by its word or by its bonus.
func TestWhatIsMagic(t *testing.T) {
	book := featOf(t, "    - {modifier: {to: damage/melee, amount: \"3\"}, when: '\"magic\" in weapon.tags'}")
	for name, c := range map[string]struct {
		magic bool
		bonus int32
		want  int32
	}{"plain": {false, 0, 2}, "by its word": {true, 0, 5}, "by its bonus": {false, 1, 6}, "cursed": {false, -1, 4}} {
		f := pair(t, book, "a")
		f.strike(strike.Blow{Weapon: &eventv1.BasicWeapon{Name: "sword", Damage: "1d8", Kind: "melee", Magic: c.magic, MagicBonus: c.bonus}}, 15, 2)
		if got := f.DamageTo("b"); got != c.want {
			t.Errorf("%s: %d damage, want %d", name, got, c.want)
		}
	}
}

// basic.action.cast-spell, basic.dice.saving-throw: half of everything that a spell does is
// left where its saving throw leaves half, of what content adds as well, rounded down; a
// spell that only lays a condition leaves nothing. What content adds to damage heals nobody.
func TestWhatASaveLeaves(t *testing.T) {
	for name, c := range map[string]struct {
		added string // of cold that content adds to spells
		spell *eventv1.BasicSpell
		face  int // of the save against 15
		dice  []int
		lost  int32
		laid  bool
	}{
		"all of it":                  {"5", &eventv1.BasicSpell{Damage: "1d6", Save: "wands", Half: true}, 14, []int{5}, 10, false},
		"half of it":                 {"5", &eventv1.BasicSpell{Damage: "1d6", Save: "wands", Half: true}, 15, []int{5}, 2 + 2, false},
		"half of one":                {"1", &eventv1.BasicSpell{Damage: "1d6", Save: "wands", Half: true}, 15, []int{1}, 1, false},
		"none of it":                 {"5", &eventv1.BasicSpell{Damage: "1d6", Save: "wands"}, 15, []int{5}, 0, false},
		"a condition":                {"5", &eventv1.BasicSpell{Condition: body.CondShaken, Save: "wands", Half: true}, 14, nil, 0, true},
		"half of a condition":        {"5", &eventv1.BasicSpell{Condition: body.CondShaken, Save: "wands", Half: true}, 15, nil, 0, false},
		"a condition without a save": {"5", &eventv1.BasicSpell{Condition: body.CondShaken}, 0, nil, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			c.spell.Name, c.spell.Uses = "spell", 3
			f := tableWith(t, featOf(t, "    - modifier: {to: damage/spell, amount: \""+c.added+"\", type: cold}"))
			f.add(nil, make1("a", "A", gifted, section(func(b *eventv1.BasicSheet) { b.Spells = []*eventv1.BasicSpell{c.spell} })),
				make1("b", "B", hp(30), section(func(b *eventv1.BasicSheet) { b.Saves = map[string]int32{"wands": 15} })))
			f.start(nil).declare([]int{6, 1}, "a=cast", "b=move")
			faces := c.dice
			if c.face > 0 {
				faces = append(append([]int{}, c.dice...), c.face)
			}
			f.Must(act("a", "cast", "spell", "b"), faces...)
			b := f.Creature("b")
			if 30-b.GetHp() != c.lost || body.Has(b, body.CondShaken) != c.laid {
				t.Errorf("b lost %d, want %d, and has %v", 30-b.GetHp(), c.lost, b.Conditions)
			}
			for _, e := range f.Published {
				if e.GetDamage() != nil && c.lost == 0 {
					t.Errorf("damage of nothing: %v", e)
				}
			}
		})
	}
	f := tableWith(t, featOf(t, "    - modifier: {to: damage/spell, amount: \"3\"}"))
	f.add(nil, make1("a", "A", gifted, section(func(b *eventv1.BasicSheet) { b.Spells = []*eventv1.BasicSpell{{Name: "mend", Uses: 1, Healing: "1d6"}} })), make1("b", "A", hp(30)))
	f.start(nil).declare([]int{6, 1}, "a=cast", "b=move").Hurt("b", 10)
	f.Must(act("a", "cast", "mend", "b"), 4)
	f.WantHP("b", 14)
}

// basic.critical.effect-chart: a deed lays a condition that the book or the table's content
// knows, with the rule that it has there, and no other; of no damage nothing is told.
func TestWhatADeedLays(t *testing.T) {
	book := featOf(t, "    - speed: {mode: walk, feet: feet}", "conditions.yaml", "- {id: chilled, title: Chilled, implies: [shaken]}")
	for name, rule := range map[string]string{body.CondShaken: cite.ConditionShaken, body.CondProne: cite.ConditionProne, "chilled": "house.own.chilled", body.CondHeld: "", "dazed": "", "": ""} {
		f := pair(t, book, "")
		f.Harm(&eventv1.Harm{Deed: body.DeedDamage, Target: "b", Cause: "test", Parts: []*eventv1.DamagePart{{}}, Facts: map[string]string{"effect": name}})
		x := body.ConditionOf(f.Creature("b"), name)
		if x.GetRule() != rule {
			t.Errorf("%q: %v, want by %q", name, f.Creature("b").Conditions, rule)
		}
		for _, e := range f.Published {
			if e.GetDamage() != nil {
				t.Errorf("%q: damage of nothing is told", name)
			}
		}
	}
}

// The tables of the book, and rows of a pack among them, are refused where they do not
// hold, with the row.
//
// basic.attack.grenade-scatter, basic.fumble.second-roll
func TestTablesThatDoNotHold(t *testing.T) {
	for name, c := range map[string]struct{ table, was, is, want string }{
		"a face that is none":      {"scatter", "\n1,0,-2,", "\nx,0,-2,", "table scatter row 1"},
		"a square that is none":    {"scatter", "\n2,-1,-1,", "\n2,-1,far,", "table scatter row 2"},
		"a face out of order":      {"scatter", "\n2,-1,-1,", "\n4,-1,-1,", "table scatter row 2"},
		"a place without a name":   {"scatter", "\n3,0,-1,short", "\n3,0,-1,", "table scatter row 3"},
		"a gap":                    {"fumble", "\n3,5,", "\n4,5,", "table fumble: 4 to 5 does not follow on 2"},
		"a row that runs backward": {"fumble", "\n3,5,", "\n3,1,", "table fumble: 3 to 1 does not follow on 2"},
		"an end too soon":          {"effects", "\n4,4,blinded\n", "\n", "table effects ends at 3, want 4"},
		"an end too late":          {"effects", "\n4,4,", "\n4,5,", "table effects ends at 5, want 4"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := body.ReadTables(func(table string) (string, error) {
				text, _ := body.TableText(table)
				if table != c.table {
					return text, nil
				}
				if !strings.Contains(text, c.was) {
					t.Fatalf("%s has no %q", table, c.was)
				}
				return strings.Replace(text, c.was, c.is, 1), nil
			}, nil)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// Names on a sheet are words of 1 to so many bytes, each once: weapons beside the fists that
// everybody has, things beside weapons, spells beside things.
func TestNamesOnASheet(t *testing.T) {
	weapons := func(names ...string) change {
		return section(func(b *eventv1.BasicSheet) {
			b.Weapons = nil
			for _, n := range names {
				b.Weapons = append(b.Weapons, &eventv1.BasicWeapon{Name: n, Damage: "1d6", Kind: "melee", Hand: "stowed"})
			}
		})
	}
	items := func(names ...string) change {
		return section(func(b *eventv1.BasicSheet) {
			for _, n := range names {
				b.Items = append(b.Items, &eventv1.BasicItem{Name: n})
			}
		})
	}
	spells := func(names ...string) change {
		return section(func(b *eventv1.BasicSheet) {
			for _, n := range names {
				b.Spells = append(b.Spells, &eventv1.BasicSpell{Name: n})
			}
		})
	}
	long := strings.Repeat("n", rules.MaxIDLength)
	for kind, of := range map[string]func(...string) change{"weapons": weapons, "items": items, "spells": spells} {
		field := "sheet.basic." + kind
		for name, c := range map[string]struct {
			names []string
			wrong string
		}{
			"a name":        {[]string{"x"}, ""},
			"the longest":   {[]string{long}, ""},
			"too long":      {[]string{"x", long + "n"}, field + "[1].name"},
			"empty":         {[]string{""}, field + "[0].name"},
			"twice":         {[]string{"x", "y", "x"}, field + "[2].name"},
			"two of a kind": {[]string{"x", "X"}, ""},
		} {
			got := ""
			if v := (System{}).CheckSheet(make1("a", "A", of(c.names...))); len(v) > 0 {
				got = v[0].Field
			}
			if got != c.wrong {
				t.Errorf("%s, %s: wrong is %q, want %q", kind, name, got, c.wrong)
			}
		}
	}
	for name, c := range map[string]struct {
		change []change
		wrong  string
	}{
		"a punch":              {[]change{weapons(body.Punch)}, "sheet.basic.weapons[0].name"},
		"a kick":               {[]change{weapons(body.Kick)}, "sheet.basic.weapons[0].name"},
		"a grab":               {[]change{weapons(body.Grab.Name)}, "sheet.basic.weapons[0].name"},
		"a thing and a weapon": {[]change{weapons("x"), items("x")}, "sheet.basic.items[0].name"},
		"a spell and a thing":  {[]change{items("x"), spells("x")}, "sheet.basic.spells[0].name"},
		"a spell and a weapon": {[]change{weapons("x"), spells("x")}, ""},
	} {
		got := ""
		if v := (System{}).CheckSheet(make1("a", "A", c.change...)); len(v) > 0 {
			got = v[0].Field
		}
		if got != c.wrong {
			t.Errorf("%s: wrong is %q, want %q", name, got, c.wrong)
		}
	}
	// A sheet without an armour class against touches lists no parts of one.
	for touch, listed := range map[int32]bool{0: false, 10: true} {
		if _, got := (System{}).SheetNumbers(make1("a", "A", section(func(b *eventv1.BasicSheet) { b.TouchArmorClass = touch })))[rules.NumberTouch]; got != listed {
			t.Errorf("touch %d is listed: %t", touch, got)
		}
	}
}

// basic.action.hold-take-item: what a thing taken is called: as before, unless its new owner
// has, had or fights with something of that name; its own weapon, or one just like it that
// was taken from it, has its old name again.
func TestWhatATakenThingIsCalled(t *testing.T) {
	sword := &eventv1.BasicWeapon{Name: "sword", Damage: "1d8", Kind: "melee"}
	axe := &eventv1.BasicWeapon{Name: "sword", Damage: "1d10", Kind: "melee"}
	horn := &eventv1.BasicWeapon{Name: "horn", Damage: "1d4", Kind: "melee", Natural: true}
	for name, c := range map[string]struct {
		weapons []*eventv1.BasicWeapon // of the new owner
		items   map[string]string      // what it has, by place
		item    string
		w       *eventv1.BasicWeapon // nil: no weapon
		want    string
	}{
		"nothing of the name":                {nil, nil, "sword", sword, "sword"},
		"a weapon in hand":                   {[]*eventv1.BasicWeapon{sword}, map[string]string{"sword": "main"}, "sword", sword, "sword of b"},
		"one just like it was taken":         {[]*eventv1.BasicWeapon{sword}, map[string]string{"sword": "taken"}, "sword", sword, "sword"},
		"another was taken":                  {[]*eventv1.BasicWeapon{axe}, map[string]string{"sword": "taken"}, "sword", sword, "sword of b"},
		"horns of its own":                   {[]*eventv1.BasicWeapon{horn}, nil, "horn", nil, "horn of b"},
		"a thing of the name":                {nil, map[string]string{"sword": "carried"}, "sword", sword, "sword of b"},
		"a thing of the name that was taken": {nil, map[string]string{"sword": "taken"}, "sword", sword, "sword of b"},
		"a ring, and one was taken":          {nil, map[string]string{"ring": "taken"}, "ring", nil, "ring of b"},
		"a ring, and a weapon was taken":     {[]*eventv1.BasicWeapon{sword}, map[string]string{"sword": "taken"}, "sword", nil, "sword of b"},
		"its own comes back":                 {[]*eventv1.BasicWeapon{sword}, map[string]string{"sword": "taken"}, "sword of a", sword, "sword"},
		"its own, with another in its place": {[]*eventv1.BasicWeapon{sword}, map[string]string{"sword": "stowed"}, "sword of a", sword, "sword of a"},
		"twice":                              {[]*eventv1.BasicWeapon{sword, {Name: "sword of b", Damage: "1d8", Kind: "melee"}}, map[string]string{"sword": "main", "sword of b": "stowed"}, "sword", sword, "sword of b of b"},
	} {
		a := &eventv1.Creature{Id: "a", Sheet: make1("a", "A", wields(c.weapons...)), Items: map[string]*eventv1.ItemState{}}
		for n, place := range c.items { // order-free: a map is filled from a map
			a.Items[n] = &eventv1.ItemState{Place: place}
		}
		if got := strike.TakenName(a, "b", c.item, c.w); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// basic.action.hold-take-item: what no sheet has room for is carried; bolts that the new
// owner has stay counted on its sheet.
func TestASheetThatIsFull(t *testing.T) {
	for n, place := range map[int]string{body.MaxEntries - 1: "stowed", body.MaxEntries: "carried"} {
		many := section(func(b *eventv1.BasicSheet) {
			b.Weapons = nil
			for i := range n {
				b.Weapons = append(b.Weapons, &eventv1.BasicWeapon{Name: "w" + body.Itoa(i), Damage: "1d4", Kind: "melee", Hand: "stowed"})
			}
		})
		f := holding(t, make1("a", "A", many), make1("b", "B"))
		f.Must(act("a", "hold-take-item", "sword", "b"), 15)
		if got := f.Creature("a").Items["sword"].GetPlace(); got != place {
			t.Errorf("with %d weapons it is %s, want %s", n, got, place)
		}
	}
	light := &eventv1.BasicWeapon{Name: "crossbow", Damage: "1d6", Kind: "crossbow", ShortFeet: 60, MediumFeet: 120, LongFeet: 180, ReloadRounds: 1, Ammunition: "bolts"}
	for name, own := range map[string]map[string]int32{"none": nil, "bolts": {"bolts": 7}, "arrows": {"arrows": 3}} {
		f := holding(t, make1("a", "A", section(func(b *eventv1.BasicSheet) { b.Weapons, b.Ammunition = nil, own })), make1("b", "B", wields(light), section(func(b *eventv1.BasicSheet) { b.Ammunition = map[string]int32{"bolts": 5} })))
		f.Must(act("a", "hold-take-item", "crossbow", "b"), 15)
		got, counted := body.SheetOf(f.Creature("a")).Ammunition["bolts"]
		if !counted || got != own["bolts"] {
			t.Errorf("%s: %d bolts on the sheet, counted %t", name, got, counted)
		}
	}
}
