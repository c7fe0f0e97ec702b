package original

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/original/morale"
	"github.com/skaldrpg/skald/pkg/rules/original/moving"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// featOf is content with one feat, probe, that has the effects, and what other files
// add.
func featOf(t testing.TB, effect string, files ...string) *effects.Book {
	t.Helper()
	all := map[string]string{"feats.yaml": "- id: probe\n  title: Probe\n  effects:\n" + effect}
	for i := 0; i < len(files); i += 2 {
		all[files[i]] = files[i+1]
	}
	return writtenBook(t, all)
}

// pair is a fight of a, of the party, and the monster b, 5 feet apart; who of them has
// the feat is named.
func pair(t *testing.T, book *effects.Book, bearer string) *table {
	t.Helper()
	f := tableWith(t, book)
	for i, s := range []*eventv1.Sheet{one("a", "party", class("fighter", 1), points(30), dex(0), str(0)), one("b", "orcs", points(30), with(func(o *eventv1.OriginalSheet) { o.HitDice = 2 }))} {
		o := s.GetOriginal()
		o.Weapons = []*eventv1.OriginalWeapon{{Name: "sword", Damage: "1d8"}, {Name: "bow", Kind: "bow", Hands: 2, Damage: "1d8", ShortFeet: 70, MediumFeet: 140, LongFeet: 210}}
		o.Spells = []*eventv1.OriginalSpell{{Name: "bolt", Prepared: 3, Damage: "1d6"}}
		if s.Id == bearer {
			s.Feats = []string{"probe"}
		}
		f.AddAt(int32(5*i), 0, s)
	}
	return f
}

// blow strikes one blow of a's at b, which takes effect.
func (f *table) blow(change func(b *thestrike.Blow), faces ...int) {
	f.T.Helper()
	f.Resolve(func(r *rules.Resolution) error {
		b := thestrike.NewBlow(r.State(), r.Creature("a"), r.Creature("b"), body.WeaponOf(r.Creature("a"), "sword"), body.AtHand())
		b.Label = "probe"
		if change != nil {
			change(b)
		}
		lay(r, strike(r, b))
		return nil
	}, faces...)
}

func shot(b *thestrike.Blow) {
	b.Weapon, b.Melee, b.Band = body.WeaponOf(b.Attacker, "bow"), false, "medium"
}

func (f *table) save(face int) {
	f.T.Helper()
	f.Resolve(func(r *rules.Resolution) error {
		thestrike.SavesFromParalysis(r, "probe", "b", "probe", "original.attack.save-roll")
		return nil
	}, face)
}

func (f *table) cast() {
	f.T.Helper()
	f.Resolve(func(r *rules.Resolution) error { goOff(r, "a", "bolt", []string{"b"}); return nil }, 2)
}

// need is how far the total of the last attack was from what it took.
func (f *table) need() int32 { return f.Roll("/to-hit").Target.Value }

// probes give the number of a point, every die showing 2; who has the effect is a
// unless the point is about the one who suffers.
var probes = map[string]func(f *table) int32{
	"attack/melee":   func(f *table) int32 { f.blow(nil, 2); return f.Roll("/to-hit").Total },
	"attack/ranged":  func(f *table) int32 { f.blow(shot, 2); return f.Roll("/to-hit").Total },
	"damage/melee":   func(f *table) int32 { f.blow(nil, 18, 2); return f.DamageTo("b") },
	"damage/ranged":  func(f *table) int32 { f.blow(shot, 18, 2); return f.DamageTo("b") },
	"damage/spell":   func(f *table) int32 { f.cast(); return f.DamageTo("b") },
	"armor-class":    func(f *table) int32 { f.blow(nil, 2); return -f.need() }, // the lower the more it takes
	"save/paralysis": func(f *table) int32 { f.save(2); return f.Roll("probe/save").Total },
	"initiative":     func(f *table) int32 { f.start(nil, 2, 1); return f.Roll("initiative/a-player").Total },
	"check/grapple": func(f *table) int32 {
		return f.contest(func(r *rules.Resolution) {
			r.Relate("b", &eventv1.Relation{Kind: body.RelHolds, To: "a"})
			thestrike.Struggle(r, "a")
		}, 2, 2, 2)
	},
	"check/retreat": func(f *table) int32 {
		return f.contest(func(r *rules.Resolution) { moving.Contest(r, "a", []string{"b"}) }, 2, 2)
	},
	"morale":          func(f *table) int32 { f.morale(2, 2); return f.Roll("morale/b").Total },
	"attacked/melee":  func(f *table) int32 { f.blow(nil, 2); return f.Roll("/to-hit").Total },
	"attacked/ranged": func(f *table) int32 { f.blow(shot, 2); return f.Roll("/to-hit").Total },
}

func (f *table) contest(do func(*rules.Resolution), faces ...int) int32 {
	f.T.Helper()
	f.Resolve(func(r *rules.Resolution) error { do(r); return nil }, faces...)
	return f.Roll("contest/a").Total
}

func (f *table) morale(faces ...int) {
	f.T.Helper()
	f.Resolve(func(r *rules.Resolution) error { morale.RollMorale(r, "b"); return nil }, faces...)
}

// suffered tells whether a point is of b.
func suffered(point string) bool {
	whole, _, _ := strings.Cut(point, "/")
	return slices.Contains([]string{"attacked", "armor-class", "save", "morale"}, whole)
}

// Every point that the system names changes its number: a modifier by what it adds,
// dice that count 4 at least by 2 each, a number that is set by what it is.
func TestEveryPointCounts(t *testing.T) {
	for _, c := range []struct {
		kind   effects.Kind
		effect string
		more   int32
	}{{effects.KindModifier, "    - modifier: {to: %s, amount: \"3\"}", 3}, {effects.KindReroll, "    - reroll: {to: %s, at_least: 4}", 2},
		{effects.KindSet, "    - set: {value: %s, amount: base + 3}", 3}} {
		for _, point := range (System{}).Content().Kinds[c.kind] {
			t.Run(c.kind.String()+" "+point, func(t *testing.T) {
				probe, bearer, more := probes[point], "a", c.more
				switch {
				case probe == nil:
					t.Fatal("nothing shows that it counts")
				case suffered(point):
					bearer = "b"
				}
				if point == "morale" && c.kind == effects.KindReroll {
					more = 4 // two dice
				} else if point == "morale" {
					probe = func(f *table) int32 { f.morale(2, 2); return f.Roll("morale/b").Target.Value }
				}
				book := featOf(t, fmt.Sprintf(c.effect, point))
				without, with := probe(pair(t, book, "")), probe(pair(t, book, bearer))
				if with-without != more {
					t.Errorf("%d without the feat, %d with it, want %d more", without, with, more)
				}
			})
		}
	}
}

// Advantage and disadvantage of both who strikes and who is struck give two dice, and
// cancel.
func TestEveryEdgeCounts(t *testing.T) {
	for _, point := range (System{}).Content().Kinds[effects.KindEdge] {
		bearer, change := "a", shot
		if suffered(point) {
			bearer = "b"
		}
		if strings.HasSuffix(point, "/melee") {
			change = nil
		}
		f := pair(t, featOf(t, fmt.Sprintf("    - edge: {to: %s, direction: disadvantage}", point)), bearer)
		f.blow(change, 19, 3)
		if roll := f.Roll("/to-hit"); roll.Total != 3 || !citing(f.Events[slices.IndexFunc(f.Events, func(e *eventv1.Event) bool { return e.GetRoll() == roll })], "house.own.probe") {
			t.Errorf("%s: %v", point, roll)
		}
	}
}

// triggered is how a trigger comes about, and who loses the 2 hit points that the
// feat, of a or else of b, then costs.
var triggered = map[string]struct {
	bearer, whom, loser string
	before              int32 // what the loser has before, less other harm
	do                  func(f *table)
}{
	"hit":         {"a", "", "b", 27, func(f *table) { f.blow(nil, 18, 3) }},
	"miss":        {"a", "", "b", 30, func(f *table) { f.blow(nil, 2) }},
	"critical":    {"a", "", "b", 24, func(f *table) { f.blow(nil, 20, 3) }},
	"hurt":        {"b", "actor", "a", 30, func(f *table) { f.blow(nil, 18, 3) }},
	"kill":        {"a", "self", "a", 30, func(f *table) { f.Hurt("b", 1); f.blow(nil, 18, 3) }},
	"cast":        {"a", "", "b", 28, func(f *table) { f.cast() }},
	"save-failed": {"b", "", "b", 30, func(f *table) { f.save(13) }},
	"save-passed": {"b", "", "b", 30, func(f *table) { f.save(14) }},
	"turn-start":  {"a", "", "a", 30, func(f *table) { f.start(nil, 6, 1) }},
	"turn-end":    {"a", "", "a", 30, func(f *table) { f.start(nil, 6, 1).End("a") }},
	"round-start": {"a", "", "a", 30, func(f *table) { f.start(nil, 1, 6) }},
	"enter":       {"a", "", "a", 30, func(*table) {}},
}

// What content sets off by harm knows the weapon that did it, and none where it was no
// weapon of whoever struck.
func TestHarmSetOffKnowsItsWeapon(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*thestrike.Blow)
		when   string
		a      int32 // its hit points of 30 after a shiver of 2
	}{
		"the first weapon":          {nil, `weapon.name == "sword" && "melee" in weapon.tags`, 28},
		"the second":                {func(b *thestrike.Blow) { b.Weapon = body.WeaponOf(b.Attacker, "axe") }, `weapon.name == "axe"`, 28},
		"the second, not the first": {func(b *thestrike.Blow) { b.Weapon = body.WeaponOf(b.Attacker, "axe") }, `weapon.name == "sword"`, 30},
		"a missile":                 {shot, `weapon.name == "bow" && "ranged" in weapon.tags && !("melee" in weapon.tags)`, 28},
	} {
		t.Run(name, func(t *testing.T) {
			book := writtenBook(t, map[string]string{"feats.yaml": "- id: shiver\n  effects:\n    - {trigger: hurt, whom: actor, damage: {amount: \"2\"}, when: '" + c.when + "'}\n"})
			f := tableWith(t, book)
			for i, s := range []*eventv1.Sheet{one("a", "party", class("fighter", 1), points(30), dex(0), str(0)), one("b", "orcs", points(30))} {
				s.GetOriginal().Weapons = []*eventv1.OriginalWeapon{{Name: "sword", Damage: "1d8"}, {Name: "axe", Damage: "1d8"}, {Name: "bow", Damage: "1d8", Kind: "bow", ShortFeet: 70, MediumFeet: 140, LongFeet: 210}}
				s.Feats = [][]string{nil, {"shiver"}}[i]
				f.AddAt(int32(5*i), 0, s)
			}
			f.blow(c.change, 18, 3)
			f.WantHP("b", 27)
			f.WantHP("a", c.a)
		})
	}
}

func TestEveryTriggerSetsOff(t *testing.T) {
	for _, trigger := range (System{}).Content().Triggers {
		c, known := triggered[trigger]
		if !known {
			t.Errorf("nothing shows that %s sets anything off", trigger)
			continue
		}
		effect := "    - trigger: " + trigger + "\n      damage: {amount: \"2\"}"
		if c.whom != "" {
			effect += "\n      whom: " + c.whom
		}
		for bearer, want := range map[string]int32{"": c.before, c.bearer: c.before - 2} {
			f := pair(t, featOf(t, effect), bearer)
			c.do(f)
			if got := f.Creature(c.loser).GetHp(); got != want {
				t.Errorf("%s, feat of %q: %d hit points, want %d", trigger, bearer, got, want)
			}
		}
	}
}

// What is set off in a slot in which foes act at the same time takes effect with all
// else of it.
func TestWhatABlowSetsOffWaits(t *testing.T) {
	book := featOf(t, "    - {trigger: hit, damage: {amount: \"2\", type: cold}}\n    - {trigger: hit, condition: {condition: chilled, rounds: 1}}",
		"conditions.yaml", "- {id: chilled, implies: [prone]}")
	f := pair(t, book, "a").start(nil, 3, 3)
	f.Must(act("a", "attack", "sword", "b"), 18, 3)
	if b := f.Creature("b"); b.GetHp() != 30 || body.Has(b, "chilled") {
		t.Fatalf("b has %d hit points and %v before the slot is over", b.GetHp(), b.Conditions)
	}
	f.End("a")
	f.End("b")
	b := f.Creature("b")
	if b.GetHp() != 25 || !body.Has(b, "chilled") || !body.Has(b, body.CondProne) {
		t.Errorf("b has %d hit points, want 25, and %v", b.GetHp(), b.Conditions)
	}
	f.End("a")
	f.End("b")
	if b := f.Creature("b"); len(b.Conditions) > 0 { // the round after is over
		t.Errorf("b still has %v", b.Conditions)
	}
}

// kinds show every kind of effect.
var kinds = map[effects.Kind]func(t *testing.T){
	effects.KindModifier: TestEveryPointCounts, effects.KindReroll: TestEveryPointCounts, effects.KindEdge: TestEveryEdgeCounts,
	effects.KindSet: func(t *testing.T) { // the lowest armour class counts
		f := pair(t, featOf(t, "    - set: {value: armor-class, amount: \"3\"}\n    - set: {value: armor-class, amount: \"7\"}"), "b")
		if f.blow(nil, 2); f.need() != 19-3 {
			t.Errorf("it takes %d, want 16", f.need())
		}
	},
	effects.KindSpeed: func(t *testing.T) {
		f := pair(t, featOf(t, "    - speed: {mode: walk, feet: feet + 10}"), "a")
		if got := thestrike.FullMove(f.State, f.Creature("a")); got != 130 {
			t.Errorf("%d feet, want 130", got)
		}
	},
	effects.KindResistance: func(t *testing.T) {
		for effect, want := range map[string]int32{"{types: [weapon]}": 27, "{types: [all], less: \"4\"}": 28, "{types: [weapon], vulnerable: true}": 18, "{types: [spell, fire]}": 24} {
			f := pair(t, featOf(t, "    - resistance: "+effect), "b")
			f.blow(nil, 18, 6)
			if got := f.Creature("b").GetHp(); got != want {
				t.Errorf("%s: %d hit points, want %d", effect, got, want)
			}
		}
	},
	effects.KindImmunity: func(t *testing.T) {
		f := pair(t, featOf(t, "    - immunity: {types: [spell], conditions: [routed, prone, stunned, disturbed]}"), "b")
		f.cast()
		f.WantHP("b", 30)
		f.Resolve(func(r *rules.Resolution) error {
			morale.RollMorale(r, "b")
			lay(r, &thestrike.Wound{Attacker: "a", Target: "b", Weapon: "sword", Effect: body.CondProne, Rule: "original.critical.monster-special"})
			body.During(r, "b", body.CondDisturbed, "original.spell.lost-when-opponent-won")
			return nil
		}, 6, 6)
		f.Choose("flee")
		if got := f.Creature("b").Conditions; len(got) > 0 {
			t.Errorf("b has %v", got)
		}
	},
	effects.KindCriticalRange: func(t *testing.T) {
		f := pair(t, featOf(t, "    - critical_range: {from: \"17\"}"), "a")
		f.blow(nil, 17, 3)
		f.WantHP("b", 24)
	},
	effects.KindExtraAction: func(t *testing.T) {
		f := pair(t, featOf(t, "    - extra_action: {counter: attacks}"), "a").start(nil, 6, 1)
		for range 2 {
			f.Must(act("a", "attack", "sword", "b"), 2)
		}
		wantRefused(t, f.Try(act("a", "attack", "sword", "b")), "original.attack.multi-vs-normal-men")
	},
	effects.KindNoProvoke: func(t *testing.T) {
		f := pair(t, featOf(t, "    - no_provoke: {action: retreat}"), "a").start(nil, 6, 1)
		for _, o := range (System{}).Options(rules.Query{State: f.State, Creature: "a", Content: f.Content}) {
			if o.Action == "retreat" && len(o.Provokes) > 0 {
				t.Errorf("%s provokes %v", o.Action, o.Provokes)
			}
		}
		f.Must(act("a", "retreat", "", "", rulestest.To(-120)), 6, 6)
		f.WantAttacks()
	},
	effects.KindBar: func(t *testing.T) {
		f := pair(t, featOf(t, "    - bar: {action: attack}"), "a").start(nil, 6, 1)
		wantRefused(t, f.Try(act("a", "attack", "sword", "b")), "house.own.probe")
	},
	effects.KindReplace: func(t *testing.T) {
		f := pair(t, featOf(t, "    - replace: {action: run, by: move}"), "a").start(nil, 6, 1)
		f.Must(act("a", "run", "", "", rulestest.To(5, 5)))
		if body.Has(f.Creature("a"), body.CondRan) {
			t.Error("a ran")
		}
	},
	effects.KindAura: func(t *testing.T) {
		book := featOf(t, "    - aura: {feet: \"5\", who: enemies, effects: [{resistance: {types: [all], vulnerable: true}}]}")
		f := pair(t, book, "a")
		f.blow(nil, 18, 3)
		f.WantHP("b", 24)
	},
	effects.KindCondition: func(t *testing.T) {
		book := featOf(t, "    - {trigger: hit, condition: {condition: prone}}\n    - {trigger: miss, condition: {condition: prone, remove: true}}")
		f := pair(t, book, "a")
		f.blow(nil, 18, 3)
		if !body.Has(f.Creature("b"), body.CondProne) {
			t.Fatal("b stands")
		}
		f.blow(nil, 2)
		if body.Has(f.Creature("b"), body.CondProne) {
			t.Error("b lies")
		}
	},
	effects.KindDamage: TestEveryTriggerSetsOff,
	effects.KindSave: func(t *testing.T) {
		book := featOf(t, "    - {trigger: miss, save: {save: paralysis, half: true, failed: [{damage: {dice: 1d8}}]}}\n    - {trigger: hit, save: {save: paralysis, dc: \"5\", failed: [{damage: {dice: 1d8}}]}}")
		f := pair(t, book, "a")
		f.blow(nil, 2, 13, 8)
		f.WantHP("b", 22)
		f.blow(nil, 2, 14, 8)
		f.WantHP("b", 18)
		f.blow(nil, 18, 3, 5) // the number of the pack
		f.WantHP("b", 15)
	},
	effects.KindHealing: func(t *testing.T) {
		f := pair(t, featOf(t, "    - {trigger: hit, whom: self, healing: {dice: 1d4, amount: \"1\"}}"), "a")
		f.Hurt("a", 10)
		f.blow(nil, 18, 3, 4)
		f.WantHP("a", 15)
	},
	effects.KindUse: func(t *testing.T) {
		f := pair(t, featOf(t, "    - {trigger: hit, use: {resource: bolt, amount: \"2\"}}"), "a")
		f.blow(nil, 18, 3)
		if got := f.Creature("a").Counters[body.CLeft+"bolt"]; got != 1 {
			t.Errorf("%d left, want 1", got)
		}
	},
	effects.KindHook: TestEveryHook,
}

func TestEveryKindIsCarriedOut(t *testing.T) {
	for kind := range (System{}).Content().Kinds {
		if show := kinds[kind]; show == nil {
			t.Errorf("nothing shows that %s is carried out", kind)
		} else {
			t.Run(kind.String(), show)
		}
	}
}

// hooked are what the hooks do to b, that a hits for 3.
var hooked = map[string]struct {
	values string
	faces  []int
	done   func(b *eventv1.Creature) bool
}{
	"push":         {", values: {feet: \"15\"}", nil, func(b *eventv1.Creature) bool { return b.Position.X == 20 }},
	"drop":         {"", nil, func(b *eventv1.Creature) bool { return b.Items["sword"].Place == "dropped" }},
	"unhorse":      {"", nil, func(b *eventv1.Creature) bool { return body.Has(b, body.CondProne) && !body.Has(b, body.CondMounted) }},
	"lose-attacks": {"", nil, func(b *eventv1.Creature) bool { return b.Counters[body.CAttacks] > 0 }},
	"morale":       {"", []int{1, 1}, func(*eventv1.Creature) bool { return true }},
	"disturb":      {"", nil, func(b *eventv1.Creature) bool { return body.Has(b, body.CondDisturbed) }},
}

func TestEveryHook(t *testing.T) {
	for _, name := range (System{}).Content().Hooks {
		c, known := hooked[name]
		if !known {
			t.Errorf("nothing shows what %s does", name)
			continue
		}
		f := pair(t, featOf(t, "    - {trigger: hit, hook: {name: "+name+c.values+"}}"), "a")
		f.Afflict("b", body.CondMounted)
		f.start(nil, 6, 1)
		f.Must(act("a", "attack", "sword", "b"), append([]int{19, 3}, c.faces...)...)
		if b := f.Creature("b"); !c.done(b) {
			t.Errorf("%s did nothing: %v", name, b)
		}
		if name == "morale" && f.Roll("morale/b").Total != 2 {
			t.Error("no morale was rolled")
		}
	}
}

// Every table that decides can be changed by rows; what they say decides and is cited.
func TestEveryTableCanBeChanged(t *testing.T) {
	keys := func(name string, n int) string {
		return fmt.Sprintf("tables:\n  - {name: %s, key_columns: %d}\n", name, n)
	}
	shown := []string{"surround", "reach"} // TestTablesOfLimits
	for name, c := range map[string]struct {
		head, file string
		change     func(s *eventv1.Sheet)
		do         func(f *table)
		shows      func(f *table) bool
	}{
		"hit_matrix": {keys("hit_matrix", 2), "attacker,from,to,hit_ac0\nfighter,1,3,17\n", nil, func(f *table) { f.blow(nil, 2) }, func(f *table) bool { return f.need() == 17-5 }},
		"ability": {"", "from,to,bonus\n16,17,4\n", func(s *eventv1.Sheet) {
			s.GetOriginal().StrBonus, s.Abilities["strength"] = nil, 16
		}, func(f *table) { f.blow(nil, 2) }, func(f *table) bool { return f.Roll("/to-hit").Total == 6 }},
		"fumble": {"", "from,to,effect\n1,3,stumble\n", nil, func(f *table) {
			f.Must(&eventv1.Command{What: &eventv1.Command_Set{Set: &eventv1.SetSetting{Setting: body.SetFumble, Value: "on"}}})
			f.start(nil, 6, 1)
			f.Must(act("a", "attack", "sword", "b"), 1, 9, 2)
		}, func(f *table) bool { return body.Has(f.Creature("a"), body.CondStumbled) }},
		"backstab": {"", "from,to,multiplier,to_hit\n1,4,5,6\n", nil, func(f *table) {
			f.blow(func(b *thestrike.Blow) { b.Backstab, b.Position = true, "behind" }, 10, 2)
		}, func(f *table) bool { return f.Roll("/to-hit").Total == 16 && f.DamageTo("b") == 15 }},
		"save": {"", "from,to,number\n1,3,16\n", nil, func(f *table) { f.save(15) }, func(f *table) bool { return f.Roll("probe/save").Outcome == "failure" }},
		"reaction": {"", "from,to,reaction\n3,5,friendly\n", nil, func(f *table) { f.start(object("reaction", map[string]any{"b": "unknown"}), 2, 2, 6, 1) },
			func(f *table) bool { return f.State.Marks[body.MReaction+"b"] == "friendly" }},
		"cover": {"", "from,to,to_hit\n50,74,-7\n", nil, func(f *table) {
			f.start(nil, 6, 1)
			f.Must(act("a", "attack", "sword", "b", withFacts("cover", 60)), 10)
		}, func(f *table) bool { return f.Roll("/to-hit").Total == 3 }},
		"situations": {keys("situations", 5), "rolls,who,condition,variant,limit,gives,kind,source,rule\nto-hit,self,*,,higher,+3,,higher ground,original.attack.high-ground-bonus\n", nil, func(f *table) {
			f.start(nil, 6, 1)
			f.Must(act("a", "attack", "sword", "b", withFacts("higher", "attacker")), 2)
		}, func(f *table) bool { return f.Roll("/to-hit").Total == 5 }},
	} {
		shown = append(shown, name)
		book := writtenBook(t, map[string]string{"pack.yaml": "name: own\nversion: \"1\"\nsystem: original\ntitle: Own\n" + c.head, "tables/" + name + ".csv": c.file})
		f := tableWith(t, book)
		a := one("a", "party", class("fighter", 1), dex(0), str(0))
		if c.change != nil {
			c.change(a)
		}
		f.at(0, a).at(5, one("b", "orcs"))
		c.do(f)
		if !c.shows(f) {
			t.Errorf("%s: %v", name, f.Events)
		}
		if want := "house.own.table-" + strings.ReplaceAll(name, "_", "-"); !slices.ContainsFunc(f.Events, func(e *eventv1.Event) bool { return citing(e, want) }) {
			t.Errorf("%s is not cited", name)
		}
	}
	for _, name := range append(body.Tables, thestrike.TableSituations) {
		if !slices.Contains(shown, name) {
			t.Errorf("nothing shows that %s can be changed", name)
		}
	}
}

// Tables that say who may strike, and when, count where that is decided.
func TestTablesOfLimits(t *testing.T) {
	f := tableWith(t, writtenBook(t, map[string]string{"tables/surround.csv": "size,attackers\nmedium,1\n"}))
	f.at(0, one("a", "party")).at(5, one("b", "orcs")).off(5, 5, one("c", "party"))
	f.start(nil, 6, 5, 1)
	f.Must(act("a", "attack", "sword", "b"), 2)
	f.End("a")
	wantRefused(t, f.Try(act("c", "attack", "sword", "b")), "original.attack.surround-limit")

	f = tableWith(t, writtenBook(t, map[string]string{"tables/reach.csv": "kind,rank\nspear,4\n"}))
	f.at(0, one("a", "party")).at(5, one("b", "orcs", arms(spear)))
	f.start(nil, 6, 1)
	f.WantActive("b") // it outreaches the sword by two
}

// A table that does not hold with the rows of a pack is refused, and so is a word that
// nothing knows.
func TestTablesMustHold(t *testing.T) {
	for name, text := range map[string]string{"ability": "from,to,bonus\n1,11,0\n", "fumble": "from,to,effect\n1,3,faint\n",
		"situations": "rolls,who,condition,variant,limit,gives,kind,source,rule\nto-hit,self,*,,nowhere,2,,x,original.attack.flank-bonus\n"} {
		if err := tableOf(t, name, text); err == nil {
			t.Errorf("%s takes %q", name, text)
		}
	}
}

// Without content nothing of it is asked.
func TestWithoutContent(t *testing.T) {
	f := newTable(t)
	worn := one("a", "party", func(s *eventv1.Sheet) { s.Wears = []string{"river-mail"} })
	wantFault(t, f.Try(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: worn}}}), "sheet.wears[0]")
	if v := (System{}).CheckSheet(one("a", "party", func(s *eventv1.Sheet) { s.Feats = []string{"probe"} })); len(v) > 0 {
		t.Errorf("a sheet with a feat that nothing asks for: %v", v)
	}
}

// An injury of a pack counts as long as it is there.
func TestAnInjuryCounts(t *testing.T) {
	f := pair(t, writtenBook(t, map[string]string{"injuries.yaml": "- id: frozen-hand\n  effects:\n    - modifier: {to: damage, amount: \"-1\"}\n"}), "")
	f.Put("a", &eventv1.Vitals{Injuries: []*eventv1.Injury{{Kind: "frozen-hand"}}})
	f.blow(nil, 18, 5)
	f.WantHP("b", 26)
}

// A spell with an area takes everybody in it, measured as the crow flies: about its
// first target, or from the caster towards it.
func TestASpellWithAnArea(t *testing.T) {
	for area, want := range map[string][3]int32{"{shape: sphere, feet: 15}": {28, 28, 30}, "{shape: cube, feet: 10}": {28, 30, 30},
		"{shape: line, feet: 60}": {28, 30, 28}} {
		book := writtenBook(t, map[string]string{"spells.yaml": "- id: burst\n  data: {prepared: 2, damage: 1d6}\n  area: " + area + "\n"})
		f := tableWith(t, book)
		f.at(0, one("a", "party", with(func(o *eventv1.OriginalSheet) { o.Spells = []*eventv1.OriginalSpell{{Use: "burst"}} }))).
			at(20, one("b", "orcs", points(30))).off(30, 10, one("c", "orcs", points(30))).at(50, one("d", "orcs", points(30)))
		faces := []int{2, 2, 2}
		for i := range want {
			if want[i] == 30 {
				faces = faces[1:]
			}
		}
		f.Resolve(func(r *rules.Resolution) error { goOff(r, "a", "burst", []string{"b"}); return nil }, faces...)
		if got := [3]int32{f.Creature("b").GetHp(), f.Creature("c").GetHp(), f.Creature("d").GetHp()}; got != want {
			t.Errorf("%s: %v, want %v", area, got, want)
		}
	}
}

// What ends a condition of content ends what that one brought, and nothing else.
func TestWhatAConditionBroughtEndsWithIt(t *testing.T) {
	book := featOf(t, "    - {trigger: hit, condition: {condition: chilled}}\n    - {trigger: miss, condition: {condition: chilled, remove: true}}",
		"conditions.yaml", "- {id: chilled, implies: [prone]}")
	f := pair(t, book, "a").start(nil, 6, 1)
	f.Must(act("a", "attack", "sword", "b"), 18, 3)
	f.Afflict("b", "stationary")
	if b := f.Creature("b"); !body.Has(b, "chilled") || !body.Has(b, body.CondProne) {
		t.Fatalf("b has %v", b.Conditions)
	}
	f.End("a")
	f.End("b")
	f.Must(act("a", "attack", "sword", "b"), 2)
	if b := f.Creature("b"); body.Has(b, "chilled") || body.Has(b, body.CondProne) || !body.Has(b, "stationary") {
		t.Errorf("b has %v, want what the cold did not bring", b.Conditions)
	}
}
