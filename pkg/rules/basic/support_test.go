package basic

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/holds"
	"github.com/skaldrpg/skald/pkg/rules/basic/magic"
	"github.com/skaldrpg/skald/pkg/rules/basic/strike"
	"github.com/skaldrpg/skald/pkg/rules/effects"
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

func gifted(s *eventv1.Sheet, _ *eventv1.BasicSheet) { s.Feats = []string{"probe"} }

// pair is a fight of a and b, 5 feet apart; who of them has the feat is named.
func pair(t *testing.T, book *effects.Book, bearer string) *table {
	t.Helper()
	f := tableWith(t, book)
	for i, id := range []string{"a", "b"} {
		s := make1(id, id, hp(30), section(func(b *eventv1.BasicSheet) {
			b.Weapons = append(b.Weapons, bow())
			b.Weapons[1].Hand = "stowed"
			b.Spells = []*eventv1.BasicSpell{{Name: "bolt", Uses: 3, Damage: "1d6"}}
			b.Saves = map[string]int32{}
			for _, c := range body.Categories {
				b.Saves[c] = 15
			}
		}))
		if id == bearer {
			gifted(s, nil)
		}
		f.AddAt(int32(5*i), 0, s)
	}
	return f
}

func (f *table) strike(b strike.Blow, faces ...int) {
	f.T.Helper()
	b.Attacker, b.Target, b.Label = "a", "b", "probe"
	if b.Weapon == nil {
		b.Weapon = body.SheetOf(f.Creature("a")).Weapons[0]
	}
	f.Resolve(func(r *rules.Resolution) error { b.Strike(r); return nil }, faces...)
}

func (f *table) save(category string, face int) {
	f.T.Helper()
	f.Resolve(func(r *rules.Resolution) error {
		strike.Save(r, "probe", r.Creature("b"), r.Creature("a"), category, "probe", "basic.dice.saving-throw")
		return nil
	}, face)
}

func (f *table) cast() {
	f.T.Helper()
	f.Resolve(func(r *rules.Resolution) error {
		for _, h := range magic.SpellEffect(r, "a", "bolt", []string{"b"}) {
			h.Apply(r)
		}
		magic.Cast(r, "a", "bolt", body.SpellOf(r.Creature("a"), "bolt"), []string{"b"})
		return nil
	}, 2)
}

// round begins a fight in which a comes first and b last.
func (f *table) round(a, b string, faces ...int) *table {
	f.T.Helper()
	if len(faces) == 0 {
		faces = []int{6, 1}
	}
	return f.start(nil).declare(faces, "a="+a, "b="+b)
}

// probes give the number of a point, every die showing 2; who has the effect is a
// unless the point is about the one who suffers.
var probes = map[string]func(f *table) int32{
	"attack/melee":  func(f *table) int32 { f.strike(strike.Blow{}, 2); return f.Total("/to-hit") },
	"attack/ranged": func(f *table) int32 { f.strike(strike.Blow{Ranged: true, Weapon: bow()}, 2); return f.Total("/to-hit") },
	"attack/touch": func(f *table) int32 {
		f.strike(strike.Blow{Touch: true, Weapon: body.Grab}, 2)
		return f.Total("/to-hit")
	},
	"damage/melee": func(f *table) int32 { f.strike(strike.Blow{}, 18, 2); return f.DamageTo("b") },
	"damage/ranged": func(f *table) int32 {
		f.strike(strike.Blow{Ranged: true, Weapon: bow()}, 18, 2)
		return f.DamageTo("b")
	},
	"damage/spell": func(f *table) int32 { f.cast(); return f.DamageTo("b") },
	"armor-class":  func(f *table) int32 { f.strike(strike.Blow{}, 2); return f.Roll("/to-hit").Target.Value },
	"touch-armor-class": func(f *table) int32 {
		f.strike(strike.Blow{Touch: true, Weapon: body.Grab}, 2)
		return f.Roll("/to-hit").Target.Value
	},
	"check/strength":  func(f *table) int32 { return f.feat("strength") },
	"check/dexterity": func(f *table) int32 { return f.feat("dexterity") },
	"check/grapple": func(f *table) int32 {
		f.Resolve(func(r *rules.Resolution) error { holds.Wrestle(r, "a", "b", "strength"); return nil }, 2, 2)
		return f.Total("grapple/a")
	},
	"initiative": func(f *table) int32 { f.round("attack", "attack", 2, 1); return f.Total("initiative/a") },
}

func init() {
	for _, way := range strike.Ways {
		probes["attacked/"+way] = probes["attack/"+way]
	}
	for _, c := range body.Categories {
		probes["save/"+c] = func(f *table) int32 { f.save(c, 2); return f.Total("probe") }
	}
}

func (f *table) feat(ability string) int32 {
	f.round("feat", "attack").Must(act("a", "feat", "", "", parameters("text", "climb", "dc", 10, "ability", ability)), 2)
	return f.Total("check/a")
}

// suffered tells whether a point is of the one who suffers.
func suffered(point string) bool {
	whole, _, _ := strings.Cut(point, "/")
	return slices.Contains([]string{"attacked", "armor-class", "touch-armor-class", "save"}, whole)
}

// Every point that the system names changes its number: a modifier by what it adds,
// dice that count 4 at least by 2, a number that is set by what it is.
func TestEveryPointCounts(t *testing.T) {
	for _, c := range []struct {
		kind   effects.Kind
		effect string
		more   int32
	}{{effects.KindModifier, "    - modifier: {to: %s, amount: \"3\"}", 3}, {effects.KindReroll, "    - reroll: {to: %s, at_least: 4}", 2},
		{effects.KindSet, "    - set: {value: %s, amount: base + 5}", 5}} {
		for _, point := range (System{}).Content().Kinds[c.kind] {
			t.Run(c.kind.String()+" "+point, func(t *testing.T) {
				probe, bearer := probes[point], "a"
				if probe == nil {
					t.Fatal("nothing shows that it counts")
				}
				if suffered(point) {
					bearer = "b"
				}
				book := featOf(t, fmt.Sprintf(c.effect, point))
				without, with := probe(pair(t, book, "")), probe(pair(t, book, bearer))
				if with-without != c.more {
					t.Errorf("%d without the feat, %d with it, want %d more", without, with, c.more)
				}
			})
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
	"hit":         {"a", "", "b", 27, func(f *table) { f.strike(strike.Blow{}, 15, 3) }},
	"miss":        {"a", "", "b", 30, func(f *table) { f.strike(strike.Blow{}, 2) }},
	"critical":    {"a", "", "b", 27, func(f *table) { f.strike(strike.Blow{}, 20, 5, 3) }},
	"hurt":        {"b", "actor", "a", 30, func(f *table) { f.strike(strike.Blow{}, 15, 3) }},
	"kill":        {"a", "self", "a", 30, func(f *table) { f.Hurt("b", 1); f.strike(strike.Blow{}, 15, 3) }},
	"cast":        {"a", "", "b", 28, func(f *table) { f.cast() }},
	"save-failed": {"b", "", "b", 30, func(f *table) { f.save("wands", 14) }},
	"save-passed": {"b", "actor", "a", 30, func(f *table) { f.save("wands", 15) }},
	"turn-start":  {"a", "", "a", 30, func(f *table) { f.round("attack", "attack") }},
	"turn-end":    {"a", "", "a", 30, func(f *table) { f.round("attack", "attack").End("a") }},
	"round-start": {"a", "", "a", 30, func(f *table) { f.start(nil) }},
	"enter":       {"a", "", "a", 30, func(*table) {}},
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

// What is set off on a number that others act on too takes effect with all else of it.
func TestWhatABlowSetsOffWaits(t *testing.T) {
	book := featOf(t, "    - {trigger: hit, damage: {amount: \"2\", type: cold}}\n    - {trigger: hit, condition: {condition: chilled, rounds: 1}}",
		"conditions.yaml", "- {id: chilled, implies: [shaken]}")
	f := pair(t, book, "a").round("attack", "attack", 3, 3)
	f.Must(act("a", "attack", "sword", "b"), 15, 3)
	if b := f.Creature("b"); b.GetHp() != 30 || body.Has(b, "chilled") {
		t.Fatalf("b has %d hit points and %v before the number is over", b.GetHp(), b.Conditions)
	}
	f.end("a", "b")
	b := f.Creature("b")
	if b.GetHp() != 25 || !body.Has(b, "chilled") || !body.Has(b, body.CondShaken) {
		t.Errorf("b has %d hit points, want 25, and %v", b.GetHp(), b.Conditions)
	}
	f.declare([]int{6, 1}, "a=attack", "b=attack").end("a", "b")
	if b := f.Creature("b"); len(b.Conditions) > 0 { // the round after is over
		t.Errorf("b still has %v", b.Conditions)
	}
}

// kinds show every kind of effect but those of points.
var kinds = map[effects.Kind]func(t *testing.T){
	effects.KindModifier: TestEveryPointCounts, effects.KindReroll: TestEveryPointCounts, effects.KindSet: TestEveryPointCounts,
	effects.KindSpeed: func(t *testing.T) {
		f := pair(t, featOf(t, "    - speed: {mode: walk, feet: feet + 10}"), "a").round("move", "move")
		if got := f.Creature("a").Counters[body.CMovement]; got != 40 {
			t.Errorf("%d feet, want 40", got)
		}
	},
	effects.KindResistance: func(t *testing.T) {
		for effect, want := range map[string]int32{"{types: [weapon]}": 27, "{types: [all], less: \"4\"}": 28, "{types: [weapon], vulnerable: true}": 18, "{types: [spell, fire]}": 24} {
			f := pair(t, featOf(t, "    - resistance: "+effect), "b")
			f.strike(strike.Blow{}, 15, 6)
			if got := f.Creature("b").GetHp(); got != want {
				t.Errorf("%s: %d hit points, want %d", effect, got, want)
			}
		}
	},
	effects.KindImmunity: func(t *testing.T) {
		f := pair(t, featOf(t, "    - immunity: {types: [spell], conditions: [held, burning, shaken]}"), "b")
		f.cast()
		f.WantHP("b", 30)
		f.strike(strike.Blow{}, 20, 20, 8, 2) // an effect of 2, shaken
		if got := f.Creature("b").Conditions; len(got) > 0 {
			t.Errorf("b has %v", got)
		}
		f.round("grapple", "attack").Must(act("a", "grapple", "strength", "b"), 19)
		if body.HeldBy(f.Creature("b"), "a") != nil {
			t.Error("b is held")
		}
	},
	effects.KindCriticalRange: func(t *testing.T) {
		f := pair(t, featOf(t, "    - critical_range: {from: \"18\"}"), "a")
		f.strike(strike.Blow{}, 18, 12) // maximum damage
		f.WantHP("b", 22)
	},
	effects.KindExtraAction: func(t *testing.T) {
		f := pair(t, featOf(t, "    - extra_action: {counter: action}"), "a").round("attack", "attack")
		for range 2 {
			f.Must(act("a", "attack", "sword", "b"), 2)
		}
		wantRefused(t, f.Try(act("a", "attack", "sword", "b")), "basic.action.list")
	},
	effects.KindCost: func(t *testing.T) {
		f := pair(t, featOf(t, "    - {cost: {action: draw, amount: cost}}\n    - {cost: {action: attack, amount: cost - 1}, when: round == 1}\n    - {cost: {action: attack, amount: cost + 1}, when: round == 2}"), "a").round("attack", "attack")
		f.Must(act("a", "attack", "sword", "b"), 2)
		if got := f.Creature("a").Counters[body.CAction]; got != 1 {
			t.Errorf("%d actions left, want 1", got)
		}
		f.end("a", "b")
		f.declare([]int{6, 1}, "a=attack", "b=attack")
		wantRefused(t, f.Try(act("a", "attack", "sword", "b")), "basic.action.list")
		for _, o := range (System{}).Options(rules.Query{State: f.State, Creature: "a", Content: f.Content}) {
			if o.Action == "attack" && o.Costs["action"] != 2 {
				t.Errorf("the option costs %v", o.Costs)
			}
		}
	},
	effects.KindNoProvoke: func(t *testing.T) {
		f := pair(t, featOf(t, "    - no_provoke: {action: move}"), "a").round("move", "attack")
		for _, o := range (System{}).Options(rules.Query{State: f.State, Creature: "a", Content: f.Content}) {
			if len(o.Provokes) > 0 || slices.ContainsFunc(o.Squares, func(s *eventv1.Square) bool { return len(s.Provokes) > 0 }) {
				t.Errorf("%s provokes", o.Action)
			}
		}
		f.Must(act("a", "move", "", "", to(-20)))
		f.WantAttacks()
	},
	effects.KindBar: func(t *testing.T) {
		f := pair(t, featOf(t, "    - bar: {action: attack}"), "a").round("attack", "attack")
		wantRefused(t, f.Try(act("a", "attack", "sword", "b")), "house.own.probe")
		f = pair(t, featOf(t, "    - bar: {}"), "a").start(nil).declare([]int{6, 1}, "b=attack") // nobody waits for a
		f.WantActive("a")
	},
	effects.KindReplace: func(t *testing.T) {
		f := pair(t, featOf(t, "    - replace: {action: attack, by: subdue}"), "a").round("attack", "attack")
		f.Must(act("a", "attack", "sword", "b"), 19, 4)
		if got := f.Creature("b").Counters[body.CNonlethal]; got != 2 { // half, and none that kills
			t.Errorf("%d of nonlethal damage, want 2", got)
		}
	},
	effects.KindAura: func(t *testing.T) {
		book := featOf(t, "    - aura: {feet: \"5\", who: enemies, effects: [{resistance: {types: [all], vulnerable: true}}]}")
		f := pair(t, book, "a")
		f.strike(strike.Blow{}, 15, 3)
		f.WantHP("b", 24)
	},
	effects.KindCondition: func(t *testing.T) {
		book := featOf(t, "    - {trigger: hit, condition: {condition: prone}}\n    - {trigger: miss, condition: {condition: prone, remove: true}}")
		f := pair(t, book, "a")
		f.strike(strike.Blow{}, 15, 3)
		if !body.Has(f.Creature("b"), body.CondProne) {
			t.Fatal("b stands")
		}
		f.strike(strike.Blow{}, 2)
		if body.Has(f.Creature("b"), body.CondProne) {
			t.Error("b lies")
		}
	},
	effects.KindDamage: TestEveryTriggerSetsOff,
	effects.KindSave: func(t *testing.T) {
		book := featOf(t, "    - {trigger: miss, save: {save: wands, half: true, failed: [{damage: {dice: 1d8}}]}}\n    - {trigger: hit, save: {save: wands, dc: \"5\", failed: [{damage: {dice: 1d8}}]}}")
		f := pair(t, book, "a")
		f.strike(strike.Blow{}, 2, 14, 8)
		f.WantHP("b", 22)
		f.strike(strike.Blow{}, 2, 15, 8)
		f.WantHP("b", 18)
		f.strike(strike.Blow{}, 15, 3, 5) // the number of the pack
		f.WantHP("b", 15)
	},
	effects.KindHealing: func(t *testing.T) {
		f := pair(t, featOf(t, "    - {trigger: hit, whom: self, healing: {dice: 1d4, amount: \"1\"}}"), "a")
		f.Hurt("a", 10)
		f.strike(strike.Blow{}, 15, 3, 4)
		f.WantHP("a", 15)
	},
	effects.KindUse: func(t *testing.T) {
		f := pair(t, featOf(t, "    - {trigger: hit, use: {resource: bolt, amount: \"2\"}}"), "a")
		f.strike(strike.Blow{}, 15, 3)
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
	done   func(f *table, b *eventv1.Creature) bool
}{
	"push":            {", values: {feet: \"15\"}", nil, func(_ *table, b *eventv1.Creature) bool { return b.Position.X == 20 }},
	"drop":            {"", nil, func(_ *table, b *eventv1.Creature) bool { return b.Items["sword"].Place == "dropped" }},
	"critical-effect": {"", []int{3}, func(_ *table, b *eventv1.Creature) bool { return body.Has(b, body.CondProne) }},
	"fumble":          {"", []int{1}, func(_ *table, b *eventv1.Creature) bool { return b.Items["sword"].Place == "gone" }},
	"lose-action":     {"", nil, func(_ *table, b *eventv1.Creature) bool { return b.Counters[body.CAction] == 0 }},
	"ignite":          {"", nil, func(_ *table, b *eventv1.Creature) bool { return body.Has(b, body.CondBurning) }},
}

func TestEveryHook(t *testing.T) {
	for _, name := range (System{}).Content().Hooks {
		c, known := hooked[name]
		if !known {
			t.Errorf("nothing shows what %s does", name)
			continue
		}
		f := pair(t, featOf(t, "    - {trigger: hit, hook: {name: "+name+c.values+"}}"), "a").round("attack", "attack")
		f.Must(act("a", "attack", "sword", "b"), append([]int{15, 3}, c.faces...)...)
		if b := f.Creature("b"); !c.done(f, b) {
			t.Errorf("%s did nothing: %v", name, b)
		}
	}
}

// Every table that decides can be changed by rows; what they say decides and is cited.
func TestEveryTableCanBeChanged(t *testing.T) {
	shown := []string{"scatter"} // TestTheScatterOfAPack
	hit := func(faces ...int) func(*table) { return func(f *table) { f.strike(strike.Blow{}, faces...) } }
	for name, c := range map[string]struct {
		head, file string
		do         func(f *table)
		shows      func(f *table) bool
	}{
		"critical": {"", "low,high,result\n1,10,maximum\n", hit(20, 5), func(f *table) bool { return f.DamageTo("b") == 8 }},
		"effects":  {"", "low,high,result\n2,2,prone\n", hit(20, 20, 4, 2), func(f *table) bool { return body.Has(f.Creature("b"), body.CondProne) }},
		"fumble":   {"", "low,high,result\n1,2,miss\n", hit(1, 2), func(f *table) bool { return f.Creature("a").Items["sword"].Place == "main" }},
		"cover": {"", "low,high,result\n50,74,-7\n", func(f *table) {
			f.strike(strike.Blow{Facts: object("concealment", 60)}, 10)
		}, func(f *table) bool { return f.Total("/to-hit") == 3 }},
		"size": {"", "size,modifier\nmedium,2\n", func(f *table) { probes["check/grapple"](f) }, func(f *table) bool { return f.Total("grapple/a") == 4 }},
		"situations": {"tables:\n  - {name: situations, key_columns: 5}\n", "rolls,who,condition,variant,limit,gives,kind,source,rule\nattack,self,prone,,,-1,,prone,basic.condition.prone\n",
			func(f *table) { f.Afflict("a", "prone"); f.strike(strike.Blow{}, 10) }, func(f *table) bool { return f.Total("/to-hit") == 9 }},
	} {
		book := writtenBook(t, map[string]string{"pack.yaml": "name: own\nversion: \"1\"\nsystem: basic\ntitle: Own\n" + c.head, "tables/" + name + ".csv": c.file})
		f := pair(t, book, "")
		c.do(f)
		if !c.shows(f) {
			t.Errorf("%s: %v", name, f.Events)
		}
		if !slices.ContainsFunc(f.Events, func(e *eventv1.Event) bool { return citing(e, "house.own.table-"+name) }) {
			t.Errorf("%s is not cited", name)
		}
		shown = append(shown, name)
	}
	for _, name := range append(body.Tables, strike.TableSituations) {
		if !slices.Contains(shown, name) {
			t.Errorf("nothing shows that %s can be changed", name)
		}
	}
}

func TestTheScatterOfAPack(t *testing.T) {
	book := writtenBook(t, map[string]string{"tables/scatter.csv": "d10,right,beyond,place\n3,5,0,far off\n"})
	f := tableWith(t, book)
	f.AddAt(0, 0, make1("a", "a", wields(&eventv1.BasicWeapon{Name: "oil", Kind: "grenade", Contents: body.Oil, ShortFeet: 10, MediumFeet: 30, LongFeet: 50})))
	f.AddAt(0, 20, make1("b", "b"))
	f.round("attack", "attack")
	f.Must(act("a", "throw", "oil", "b", parameters("lit", "none")), 2, 3)
	if !slices.ContainsFunc(f.Events, func(e *eventv1.Event) bool {
		return citing(e, "house.own.table-scatter") && e.GetRoll().GetOutcome() == "far off"
	}) {
		t.Errorf("%v", f.Events)
	}
}

// A table that does not hold with the rows of a pack is refused, and so is a word that
// nothing knows.
func TestTablesMustHold(t *testing.T) {
	for name, text := range map[string]string{"critical": "low,high,result\n1,8,regular\n", "effects": "low,high,result\n2,2,dazed\n",
		"size": "size,modifier\nvast,8\n", "situations": "rolls,who,condition,variant,limit,gives,kind,source,rule\nattack,self,*,,nowhere,2,,x,basic.attack.flanking\n"} {
		if err := tableOf(t, name, text); err == nil {
			t.Errorf("%s takes %q", name, text)
		}
	}
}

// Without content nothing of it is asked.
func TestWithoutContent(t *testing.T) {
	f := newTable(t)
	wantFault(t, f.Try(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: make1("a", "a", func(s *eventv1.Sheet, _ *eventv1.BasicSheet) { s.Wears = []string{"eel-scale"} })}}}), "sheet.wears[0]")
	if v := (System{}).CheckSheet(make1("a", "a", gifted)); len(v) > 0 {
		t.Errorf("a sheet with a feat that nothing asks for: %v", v)
	}
}

// An injury of a pack counts as long as it is there.
func TestAnInjuryCounts(t *testing.T) {
	book := writtenBook(t, map[string]string{"injuries.yaml": "- id: cracked-rib\n  effects:\n    - modifier: {to: damage, amount: \"-1\"}\n"})
	f := pair(t, book, "")
	f.Put("a", &eventv1.Vitals{Injuries: []*eventv1.Injury{{Kind: "cracked-rib"}}})
	f.strike(strike.Blow{}, 15, 5)
	f.WantHP("b", 26)
}

// A spell with an area takes everybody in it: about its first target, or from the
// caster towards it.
func TestASpellWithAnArea(t *testing.T) {
	for area, want := range map[string][3]int32{"{shape: sphere, feet: 10}": {28, 28, 30}, "{shape: cube, feet: 10}": {28, 30, 30},
		"{shape: line, feet: 60}": {28, 28, 28}, "{shape: cone, feet: 30}": {28, 28, 30}} {
		book := writtenBook(t, map[string]string{"spells.yaml": "- id: burst\n  data: {uses: 2, damage: 1d6}\n  area: " + area + "\n"})
		f := tableWith(t, book)
		f.add([]int32{0, 20, 30, 50}, make1("a", "a", section(func(b *eventv1.BasicSheet) { b.Spells = []*eventv1.BasicSpell{{Use: "burst"}} })),
			make1("b", "b", hp(30)), make1("c", "b", hp(30)), make1("d", "a", hp(30)))
		f.start(nil).declare([]int{6, 1, 2, 3}, "a=cast", "b=attack", "c=attack", "d=attack")
		f.Must(act("a", "cast", "burst", "b"), 2)
		if got := [3]int32{f.Creature("b").GetHp(), f.Creature("c").GetHp(), f.Creature("d").GetHp()}; got != want {
			t.Errorf("%s: %v, want %v", area, got, want)
		}
	}
}
