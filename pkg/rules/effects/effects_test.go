package effects_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// base is a rule system that carries out everything.
func base() effects.Base {
	points := []string{"attack", "attacked", "damage", "armor-class", "save/dexterity", "save/wisdom", "check/stealth", "initiative"}
	kinds := map[effects.Kind][]string{}
	for k := effects.KindModifier; k <= effects.KindHook; k++ {
		kinds[k] = nil
	}
	for _, k := range []effects.Kind{effects.KindModifier, effects.KindEdge, effects.KindReroll, effects.KindSet} {
		kinds[k] = points
	}
	table := "row,name,penalty\n1,Shock,none\n2,Limp,slow\n"
	return effects.Base{
		System: "rcr",
		Support: effects.Support{Kinds: kinds, Actions: []string{"attack", "dash", "dodge", "cast"}, Counters: []string{"action", "bonus"},
			Conditions: []string{"prone", "blinded"}, DamageTypes: []string{"fire", "cold", "slashing"}, Saves: []string{"dexterity", "wisdom"},
			Hooks: []string{"explode"}, Areas: true,
			Table: func(name string) (string, bool) { return table, name == "wounds" },
			CheckTables: func(open func(string) (string, error)) error {
				_, err := open("wounds")
				return err
			},
		},
		Settings: map[string]string{"rcr.dice.assurance": "on"},
		Values:   map[string][]string{"rcr.dice.assurance": {"on", "off"}, "rcr.limit": nil},
		Rule:     func(id string) bool { return id == "rcr.base.attack-and-critical" },
	}
}

func pack(t testing.TB, text string) *contentv1.Pack {
	t.Helper()
	p := &contentv1.Pack{}
	if err := protojson.Unmarshal([]byte(text), p); err != nil {
		t.Fatal(err)
	}
	if p.Name == "" {
		p.Name, p.System, p.Version, p.Title = "test", "rcr", "1", "Test"
	}
	return p
}

func book(t testing.TB, packs ...string) *effects.Book {
	t.Helper()
	var pinned []effects.Pinned
	for i, text := range packs {
		p := pack(t, text)
		pinned = append(pinned, effects.Pinned{Digest: string(rune('a' + i)), Pack: p})
	}
	b, err := effects.New(base(), pinned...)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func creature(id, side string, feats ...string) *eventv1.Creature {
	return &eventv1.Creature{Id: id, Name: id, Side: side, Size: "medium", Hp: ptr(10), HpMax: ptr(20), Counters: map[string]int64{"rage": 2},
		Sheet: &eventv1.Sheet{Id: id, Feats: feats, Abilities: map[string]int32{"strength": 7, "dexterity": 16},
			Section: &eventv1.Sheet_Rcr{Rcr: &eventv1.RcrSheet{Level: 5, ProficiencyBonus: 3, CreatureType: "undead"}}}}
}

func ptr(n int32) *int32 { return &n }

func TestModifiers(t *testing.T) {
	b := book(t, `{"feats":[{"id":"keen","title":"Keen","effects":[
		{"modifier":{"to":"attack","amount":"2"},"when":"target.kind == \"undead\" && distance <= 30"},
		{"modifier":{"to":"save","amount":"self.mod(\"strength\")"}},
		{"modifier":{"to":"attack","amount":"1","kind":"luck"}},
		{"modifier":{"to":"attack","amount":"3","kind":"luck"}},
		{"modifier":{"to":"damage","amount":"10 / self.count(\"none\")"}},
		{"modifier":{"to":"damage","dice":"1d4","type":"fire"}}]}]}`)
	hero, ghoul := creature("hero", "party", "keen"), creature("ghoul", "foes")
	state := &eventv1.State{Creatures: map[string]*eventv1.Creature{"hero": hero, "ghoul": ghoul}, Round: 2}
	for _, c := range []struct {
		name, point string
		who         *eventv1.Creature
		env         effects.Env
		want        []int32
	}{
		{"near undead", "attack", hero, effects.Env{State: state, Actor: hero, Target: ghoul, Distance: 30}, []int32{2, 3}},
		{"far", "attack", hero, effects.Env{State: state, Actor: hero, Target: ghoul, Distance: 35}, []int32{3}},
		{"nobody else has it", "attack", ghoul, effects.Env{State: state, Actor: ghoul, Target: hero, Distance: 5}, nil},
		{"a point within the one named", "save/wisdom", hero, effects.Env{State: state}, []int32{-2}},
		{"what cannot be computed does not count", "damage", hero, effects.Env{State: state}, []int32{0}},
	} {
		var got []int32
		for _, m := range b.Modifiers(c.who, c.point, c.env) {
			got = append(got, m.Amount)
			if m.Rule != "house.test.keen" || m.Title != "Keen" {
				t.Errorf("%s: cites %+v", c.name, m.Cite)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

// I2: without a book, and without effects of the kind, nothing is allocated.
func TestNothingCostsNothing(t *testing.T) {
	hero := creature("hero", "party", "keen")
	env := effects.Env{Actor: hero, Target: hero, Weapon: effects.Weapon{Name: "sword"}}
	for name, b := range map[string]*effects.Book{"nil": nil, "other kinds": book(t, `{"feats":[{"id":"keen","effects":[{"noProvoke":{}}]}]}`)} {
		n := testing.AllocsPerRun(100, func() {
			b.Modifiers(hero, "attack", env)
			b.Edges(hero, "attack", env)
			b.Speed(hero, "walk", 30, env)
			b.Defense(hero, "fire", env)
			b.Cost(hero, "dash", "action", 1, env)
			b.Triggered(hero, "hit", env)
			b.CriticalFrom(hero, 20, env)
			b.Value(hero, "armor-class", 12, env)
			b.ExtraActions(hero, env)
			b.ConditionImmune(hero, "prone", env)
		})
		if n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func TestEveryQuery(t *testing.T) {
	b := book(t, `{"feats":[{"id":"all","effects":[
		{"edge":{"to":"check/stealth","direction":"advantage"}},
		{"speed":{"mode":"walk","feet":"feet + 10"}},
		{"resistance":{"types":["fire"]}}, {"resistance":{"types":["cold"],"less":"3"}}, {"resistance":{"types":["slashing"],"vulnerable":true}},
		{"immunity":{"types":["fire"],"conditions":["prone"]}},
		{"extraAction":{"counter":"action"}},
		{"reroll":{"to":"damage","upTo":2}},
		{"cost":{"action":"dash","counter":"action","amount":"cost - 1"}},
		{"noProvoke":{"action":"dash"}},
		{"criticalRange":{"from":"from - 1"}},
		{"set":{"value":"armor-class","amount":"13 + self.mod(\"dexterity\")"}}, {"set":{"value":"armor-class","amount":"12"}},
		{"bar":{"action":"cast"}}, {"replace":{"action":"dodge","by":"dash"}},
		{"aura":{"feet":"10","who":"enemies","effects":[{"edge":{"to":"attack","direction":"disadvantage"}}]}}]}]}`)
	hero, orc := creature("hero", "party", "All"), creature("orc", "foes")
	hero.Position, orc.Position = &eventv1.Position{}, &eventv1.Position{X: 10}
	env := effects.Env{State: &eventv1.State{Creatures: map[string]*eventv1.Creature{"hero": hero, "orc": orc}}, Actor: hero, Target: orc}
	if e := b.Edges(hero, "check/stealth", env); len(e) != 1 || !e[0].Advantage {
		t.Errorf("edges %v", e)
	}
	if n := b.Speed(hero, "walk", 30, env); n.Value != 40 || len(n.Cites) != 1 {
		t.Errorf("speed %v", n)
	}
	if n := b.Speed(hero, "fly", 0, env); n.Value != 0 || n.Cites != nil {
		t.Errorf("flying %v", n)
	}
	if d := b.Defense(hero, "fire", env); !d.Immune || !d.Resistant || len(d.Cites) != 2 {
		t.Errorf("fire %+v", d)
	}
	if d := b.Defense(hero, "cold", env); d.Less != 3 || d.Resistant {
		t.Errorf("cold %+v", d)
	}
	if d := b.Defense(hero, "slashing", env); !d.Vulnerable {
		t.Errorf("slashing %+v", d)
	}
	if _, immune := b.ConditionImmune(hero, "prone", env); !immune {
		t.Error("prone takes hold")
	}
	if x := b.ExtraActions(hero, env); len(x) != 1 || x[0].Amount != 1 || x[0].Counter != "action" {
		t.Errorf("extra actions %v", x)
	}
	if r := b.Rerolls(hero, "damage", env); len(r) != 1 || r[0].UpTo != 2 {
		t.Errorf("rerolls %v", r)
	}
	if n := b.Cost(hero, "dash", "action", 1, env); n.Value != 0 {
		t.Errorf("dash costs %v", n)
	}
	if n := b.Cost(hero, "dash", "bonus", 1, env); n.Value != 1 {
		t.Errorf("dash costs %v of another counter", n)
	}
	if _, quiet := b.NoProvoke(hero, "dash", env); !quiet {
		t.Error("dash provokes")
	}
	if n := b.CriticalFrom(hero, 20, env); n.Value != 19 {
		t.Errorf("critical from %v", n)
	}
	if n := b.Value(hero, "armor-class", 10, env); n.Value != 16 || len(n.Cites) != 1 {
		t.Errorf("armour class %v", n)
	}
	if _, barred := b.Barred(hero, "cast", env); !barred {
		t.Error("it may cast")
	}
	if by, _, found := b.Replacement(hero, "dodge", env); !found || by != "dash" {
		t.Errorf("dodge is replaced by %q", by)
	}
	if e := b.Edges(orc, "attack", env); len(e) != 1 || e[0].Advantage || e[0].Rule != "house.test.all" {
		t.Errorf("the aura gives %v", e)
	}
	orc.Position.X = 25
	if e := b.Edges(orc, "attack", env); len(e) != 0 {
		t.Errorf("out of the aura: %v", e)
	}
	if a := b.Auras(hero, env); len(a) != 1 || a[0].Feet != 10 || a[0].Source != "hero" {
		t.Errorf("auras %v", a)
	}
}

func TestTriggered(t *testing.T) {
	b := book(t, `{"weapons":[{"id":"venom","data":{"name":"venom dagger"},"effects":[
		{"trigger":"hit","save":{"save":"wisdom","dc":"8 + actor.bonus","half":true,
			"failed":[{"damage":{"dice":"2d6","type":"fire"}},{"condition":{"condition":"blinded","rounds":"2","saveEnds":true}}],
			"passed":[{"whom":"actor","healing":{"amount":"1"}}]}},
		{"modifier":{"to":"attack","amount":"1"}}]}],
		"conditions":[{"id":"burning","implies":["prone"],"effects":[{"trigger":"turn-start","damage":{"dice":"1d4","type":"fire"}}]}]}`)
	hero, orc := creature("hero", "party"), creature("orc", "foes")
	hero.Sheet.GetRcr().Attacks = []*eventv1.RcrAttack{{Name: "venom dagger", Use: "venom"}, {Name: "fist"}}
	orc.Conditions = []*eventv1.Condition{{Name: "burning"}}
	env := effects.Env{Actor: hero, Target: orc, Weapon: effects.Weapon{Name: "venom dagger"}}
	got := b.Triggered(hero, effects.TriggerHit, env)
	if len(got) != 1 || got[0].Kind != effects.KindSave || got[0].Creature != "orc" || got[0].DC != 11 || !got[0].Half ||
		len(got[0].Failed) != 2 || len(got[0].Passed) != 1 {
		t.Fatalf("on a hit: %+v", got)
	}
	if k := got[0].Failed[1]; k.Condition != "blinded" || k.Rounds != 2 || !k.SaveEnds || k.DC != 11 || k.Creature != "orc" {
		t.Errorf("the condition: %+v", k)
	}
	if h := got[0].Passed[0]; h.Kind != effects.KindHealing || h.Creature != "hero" || h.Amount != 1 {
		t.Errorf("the healing: %+v", h)
	}
	env.Weapon.Name = "fist"
	if got := b.Triggered(hero, effects.TriggerHit, env); len(got) != 0 {
		t.Errorf("a fist does %v", got)
	}
	if got := b.Triggered(orc, effects.TriggerTurnStart, effects.Env{Actor: orc}); len(got) != 1 || got[0].Creature != "orc" || got[0].Dice != "1d4" {
		t.Errorf("burning does %v", got)
	}
	if !slices.Equal(b.Implies("burning"), []string{"prone"}) {
		t.Error("burning implies nothing")
	}
}

func TestHouseRulesAreSwitched(t *testing.T) {
	b := book(t, `{"rules":[{"id":"night","title":"Night","toggle":true,"off":true,"effects":[{"modifier":{"to":"attack","amount":"-2"}}]}]}`)
	hero, state := creature("hero", "party"), &eventv1.State{Settings: map[string]string{}}
	if got := b.Modifiers(hero, "attack", effects.Env{State: state}); len(got) != 0 {
		t.Errorf("off: %v", got)
	}
	state.Settings["house.test.night"] = "on"
	if got := b.Modifiers(hero, "attack", effects.Env{State: state}); len(got) != 1 || got[0].Rule != "house.test.night" {
		t.Errorf("on: %v", got)
	}
	if got := b.Title("house.test.night"); got != "Night" {
		t.Errorf("title %q", got)
	}
}

func TestCheckRefuses(t *testing.T) {
	deep := strings.Repeat("(", 30) + "1" + strings.Repeat(")", 30)
	loop := `self.conditions.all(a, self.conditions.all(b, self.conditions.all(c, a+b+c != \"\")))`
	for _, c := range []struct{ name, pack, field, text string }{
		{"a setting that there is not", `{"settings":{"rcr.no":"on"}}`, "settings.rcr.no", "no setting"},
		{"a value that it has not", `{"settings":{"rcr.dice.assurance":"maybe"}}`, "settings.rcr.dice.assurance", "no value"},
		{"no number", `{"settings":{"rcr.limit":"many"}}`, "settings.rcr.limit", "whole number"},
		{"an unknown point", mod(`"to":"atack","amount":"1"`), "feats[0].effects[0].modifier.to", "no point"},
		{"a word for a number", mod(`"to":"attack","amount":"many"`), "feats[0].effects[0].modifier.amount", "undeclared reference"},
		{"a wrong type", mod(`"to":"attack","amount":"self.name"`), "feats[0].effects[0].modifier.amount", "must be a whole number"},
		{"a fraction", mod(`"to":"attack","amount":"1.5 > 2.0 ? 1 : 0"`), "feats[0].effects[0].modifier.amount", "fraction"},
		{"a clock", mod(`"to":"attack","amount":"timestamp(\"2020-01-01T00:00:00Z\").getFullYear()"`), "feats[0].effects[0].modifier.amount", "undeclared"},
		{"a pattern", mod(`"to":"attack","amount":"self.name.matches(\"(a+)+\") ? 1 : 0"`), "feats[0].effects[0].modifier.amount", "undeclared"},
		{"an expression too deep", mod(`"to":"attack","amount":"` + deep + `"`), "feats[0].effects[0].modifier.amount", "recursion"},
		{"an expression that goes round and round", `{"feats":[{"id":"a","effects":[{"when":"` + loop + `","modifier":{"to":"attack","amount":"1"}}]}]}`, "feats[0].effects[0].when", "may cost"},
		{"a setting that expressions read", mod(`"to":"attack","amount":"settings[\"rcr.none\"] == \"on\" ? 1 : 0"`), "feats[0].effects[0].modifier.amount", "no setting"},
		{"bad dice", mod(`"to":"attack","dice":"1e4"`), "feats[0].effects[0].modifier.dice", ""},
		{"an effect that does nothing", `{"feats":[{"id":"a","effects":[{"when":"true"}]}]}`, "feats[0].effects[0]", "says nothing"},
		{"a trigger where nothing happens", `{"feats":[{"id":"a","effects":[{"trigger":"hit","modifier":{"to":"attack","amount":"1"}}]}]}`, "feats[0].effects[0].trigger", "holds"},
		{"no trigger where something happens", `{"feats":[{"id":"a","effects":[{"damage":{"dice":"1d6"}}]}]}`, "feats[0].effects[0].trigger", "missing"},
		{"a rule that there is not", `{"feats":[{"id":"a","effects":[{"rule":"rcr.no","modifier":{"to":"attack","amount":"1"}}]}]}`, "feats[0].effects[0].rule", "no rule"},
		{"an unknown condition", `{"feats":[{"id":"a","effects":[{"trigger":"hit","condition":{"condition":"pronee"}}]}]}`, "feats[0].effects[0].condition.condition", "no condition"},
		{"immunity to an unknown condition", `{"feats":[{"id":"a","effects":[{"immunity":{"conditions":["pronee"]}}]}]}`, "feats[0].effects[0].immunity.conditions[0]", "no condition"},
		{"immunity to an unknown type", `{"feats":[{"id":"a","effects":[{"immunity":{"types":["fyre"]}}]}]}`, "feats[0].effects[0].immunity.types[0]", "no damage type"},
		{"immunity to nothing", `{"feats":[{"id":"a","effects":[{"immunity":{}}]}]}`, "feats[0].effects[0].immunity.types", "missing"},
		{"a feat that implies a condition", `{"feats":[{"id":"a","implies":["prone"],"effects":[{"noProvoke":{}}]}]}`, "feats[0].implies", "only conditions"},
		{"a condition that implies one there is not", `{"conditions":[{"id":"a","implies":["pronee"]}]}`, "conditions[0].implies[0]", "no condition"},
		{"an unknown hook", `{"feats":[{"id":"a","effects":[{"trigger":"hit","hook":{"name":"explod"}}]}]}`, "feats[0].effects[0].hook.name", "no hook"},
		{"an aura in an aura", `{"feats":[{"id":"a","effects":[{"aura":{"feet":"5","who":"all","effects":[{"aura":{"feet":"5","who":"all"}}]}}]}]}`, "feats[0].effects[0].aura.effects[0].aura", "cannot stand"},
		{"an id twice", `{"feats":[{"id":"a","effects":[{"noProvoke":{}}]},{"id":"a","effects":[{"noProvoke":{}}]}]}`, "feats[1].id", "twice"},
		{"no id", `{"weapons":[{"id":"Long Sword","data":{"name":"x"}}]}`, "weapons[0].id", "no id"},
		{"a field that the system has not", `{"weapons":[{"id":"a","data":{"nam":"x"}}]}`, "weapons[0].data", "unknown field"},
		{"like nothing", `{"weapons":[{"id":"a","like":"b"}]}`, "weapons[0].like", "nothing"},
		{"a table that there is not", `{"tables":[{"name":"none","columns":["a"],"rows":[{"cells":["1"]}]}]}`, "tables[0].name", "no table"},
		{"other columns", `{"tables":[{"name":"wounds","columns":["a"],"rows":[{"cells":["1"]}]}]}`, "tables[0].columns", "row,name,penalty"},
		{"a short row", `{"tables":[{"name":"wounds","columns":["row","name","penalty"],"rows":[{"cells":["1"]}]}]}`, "tables[0].rows[0]", "1 cells"},
		{"a creature of another system", `{"monsters":[{"id":"a","basic":{}}]}`, "monsters[0]", "not that of"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := effects.Check(base(), pack(t, c.pack))
			if len(got) == 0 || got[0].Field != c.field || !strings.Contains(got[0].Text, c.text) {
				t.Errorf("got %+v, want %s: ...%s...", got, c.field, c.text)
			}
		})
	}
}

func mod(fields string) string {
	return `{"feats":[{"id":"a","effects":[{"modifier":{` + fields + `}}]}]}`
}

func TestTables(t *testing.T) {
	b := book(t, `{"tables":[{"name":"wounds","columns":["row","name","penalty"],"rows":[{"cells":["2","Lame","very slow"]},{"cells":["3","Dead","all"]}]}]}`)
	text, found := b.TableText("wounds")
	if !found || text != "row,name,penalty\n1,Shock,none\n2,Lame,very slow\n3,Dead,all\n" {
		t.Errorf("got %q", text)
	}
	if got := b.TableCite("wounds", 1); got != "house.test.table-wounds" {
		t.Errorf("row 2 cites %q", got)
	}
	if got := b.TableCite("wounds", 0); got != "" {
		t.Errorf("row 1 cites %q", got)
	}
}

func TestResolve(t *testing.T) {
	b := book(t, `{"weapons":[{"id":"blade","title":"Blade","data":{"bonus":5,"reachFeet":5,"damage":[{"dice":"1d8","type":"slashing"}],"properties":["one-handed"]}}],
		"armour":[{"id":"mail","data":{"armorClass":16}}]}`)
	s := &eventv1.Sheet{Id: "x", Wears: []string{"mail"}, Section: &eventv1.Sheet_Rcr{Rcr: &eventv1.RcrSheet{
		Attacks: []*eventv1.RcrAttack{{Use: "blade", Bonus: 7, Hand: "off"}}}}}
	if err := b.Resolve(s); err != nil {
		t.Fatal(err)
	}
	a := s.GetRcr().Attacks[0]
	if a.Name != "Blade" || a.Bonus != 7 || a.ReachFeet != 5 || a.Damage[0].Dice != "1d8" || a.Hand != "off" || s.GetRcr().ArmorClass != 16 {
		t.Errorf("got %v", s)
	}
	s.GetRcr().Attacks[0] = &eventv1.RcrAttack{Use: "blad"}
	if err := b.Resolve(s); err == nil || !strings.Contains(err.Error(), "sheet.rcr.attacks[0].use") || !strings.Contains(err.Error(), "did you mean blade") {
		t.Errorf("got %v", err)
	}
	if err := effects.Resolve(s, nil); err == nil {
		t.Error("a reference without content is taken")
	}
}

// Later packs lie over earlier ones, and what they say differently is listed.
func TestOverlay(t *testing.T) {
	b := book(t, `{"name":"one","system":"rcr","version":"1","title":"One","feats":[{"id":"a","title":"Old","effects":[{"noProvoke":{}}]}]}`,
		`{"name":"two","system":"rcr","version":"1","title":"Two","feats":[{"id":"a","title":"New","effects":[{"noProvoke":{}}]}]}`)
	if got := b.Entry(effects.Feats, "a").GetTitle(); got != "New" {
		t.Errorf("got %q", got)
	}
	if got := b.Conflicts(); len(got) != 1 || got[0] != (effects.Conflict{What: "feats a", Under: "one", Over: "two"}) {
		t.Errorf("conflicts %v", got)
	}
	if !slices.Equal(b.Digests(), []string{"a", "b"}) {
		t.Errorf("digests %v", b.Digests())
	}
}

// A pack may hold as many entries of a sort as the limit says, and not one more.
func TestAsManyEntriesAsTheLimit(t *testing.T) {
	for n, good := range map[int]bool{limits.PackEntries: true, limits.PackEntries + 1: false} {
		p := pack(t, `{"feats":[{"id":"a","effects":[{"noProvoke":{}}]}]}`)
		for i := range n - 1 {
			p.Feats = append(p.Feats, &contentv1.Entry{Id: "f-" + strconv.Itoa(i), Effects: p.Feats[0].Effects})
		}
		_, err := effects.New(base(), effects.Pinned{Digest: "a", Pack: p})
		if (err == nil) != good {
			t.Errorf("%d entries: %v", n, err)
		}
		m := pack(t, `{"monsters":[{"id":"wolf","name":"Wolf","hitPoints":11,"rcr":{"armorClass":13}}]}`)
		for i := range n - 1 {
			one := proto.CloneOf(m.Monsters[0])
			one.Id = "w-" + strconv.Itoa(i)
			m.Monsters = append(m.Monsters, one)
		}
		if _, err = effects.New(base(), effects.Pinned{Digest: "a", Pack: m}); (err == nil) != good {
			t.Errorf("%d creatures: %v", n, err)
		}
	}
}

// What stands on a weapon counts for blows with it where it is about blows, wherever it
// lies, and else while it is in hand, whatever the blow is struck with.
func TestEffectsOfAWeapon(t *testing.T) {
	b := book(t, `{"weapons":[{"id":"flametongue","effects":[{"modifier":{"to":"attack","amount":"1"}},{"modifier":{"to":"armor-class","amount":"2"}}]}]}`)
	for name, c := range map[string]struct {
		place, with string // where the blade is, and the weapon of the blow
		attack, ac  int
	}{
		"in hand, a blow with it":      {"", "blade", 1, 1},
		"in hand, a blow with another": {"", "club", 0, 1},
		"in hand, no blow":             {"", "", 0, 1},
		"put away":                     {"stowed", "", 0, 0},
		"put away, a blow with it":     {"stowed", "blade", 1, 0},
		"put away, with another":       {"stowed", "club", 0, 0},
		"dropped":                      {"dropped", "club", 0, 0},
	} {
		hero := creature("hero", "party")
		hero.Sheet.GetRcr().Attacks = []*eventv1.RcrAttack{{Name: "club"}, {Name: "blade", Use: "flametongue"}}
		if c.place != "" {
			hero.Items = map[string]*eventv1.ItemState{"blade": {Place: c.place}}
		}
		env := effects.Env{State: &eventv1.State{Creatures: map[string]*eventv1.Creature{"hero": hero}}, Actor: hero, Weapon: effects.Weapon{Name: c.with}}
		if n := len(b.Modifiers(hero, "attack", env)); n != c.attack {
			t.Errorf("%s: %d effects on the attack", name, n)
		}
		if n := len(b.Modifiers(hero, "armor-class", env)); n != c.ac {
			t.Errorf("%s: %d effects on the armour class", name, n)
		}
	}
}

// A sort that there is not holds nothing, on either side of those that there are.
func TestNoSuchSlot(t *testing.T) {
	b := book(t, `{"feats":[{"id":"keen","effects":[{"noProvoke":{}}]}]}`)
	found := 0
	for s := effects.Slot(-2); s < 100; s++ {
		if b.Entry(s, "keen") != nil {
			found++
		}
		if b.Data(s, "keen") != nil {
			t.Errorf("slot %d has data", s)
		}
	}
	if found != 1 {
		t.Errorf("found in %d slots", found)
	}
}
