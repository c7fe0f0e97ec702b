package effects_test

import (
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// seen is what an expression comes to for hero against ghoul.
func seen(t *testing.T, amount string, change func(env *effects.Env, hero, ghoul *eventv1.Creature)) (int32, bool) {
	t.Helper()
	b := book(t, `{"feats":[{"id":"keen","effects":[{"modifier":{"to":"attack","amount":`+quoted(amount)+`}}]}]}`)
	hero, ghoul := creature("hero", "party", "keen"), creature("ghoul", "foes")
	env := effects.Env{State: &eventv1.State{Creatures: map[string]*eventv1.Creature{"hero": hero, "ghoul": ghoul}, Round: 4}, Actor: hero, Target: ghoul}
	if change != nil {
		change(&env, hero, ghoul)
	}
	got := b.Modifiers(hero, "attack", env)
	if len(got) == 0 {
		return 0, false
	}
	return got[0].Amount, true
}

func quoted(s string) string { return `"` + strings.ReplaceAll(s, `"`, `\"`) + `"` }

// Each word of an expression tells what it says of those who are there.
func TestWordsOfExpressions(t *testing.T) {
	for expr, c := range map[string]struct {
		change func(env *effects.Env, hero, ghoul *eventv1.Creature)
		want   int32
	}{
		`self.hp`:                               {nil, 10},
		`self.hp_max - target.hp`:               {nil, 10},
		`self.hp_temp`:                          {func(_ *effects.Env, h, _ *eventv1.Creature) { h.HpTemp = ptr(4) }, 4},
		`self.level`:                            {nil, 5},
		`self.bonus`:                            {nil, 3},
		`self.score("strength")`:                {nil, 7},
		`self.score("luck") + 1`:                {nil, 1},
		`self.mod("strength")`:                  {nil, -2},
		`self.mod("dexterity")`:                 {nil, 3},
		`self.mod("luck") + 1`:                  {nil, 1},
		`self.count("rage")`:                    {nil, 2},
		`min(self.hp, 3)`:                       {nil, 3},
		`max(self.hp, 3)`:                       {nil, 10},
		`self.is("prone") ? 7 : 1`:              {func(_ *effects.Env, h, _ *eventv1.Creature) { h.Conditions = []*eventv1.Condition{{Name: "prone"}} }, 7},
		`target.is("prone") ? 7 : 1`:            {func(_ *effects.Env, h, _ *eventv1.Creature) { h.Conditions = []*eventv1.Condition{{Name: "prone"}} }, 1},
		`self.hurt("scar") ? 7 : 1`:             {func(_ *effects.Env, h, _ *eventv1.Creature) { h.Injuries = []*eventv1.Injury{{Kind: "scar"}} }, 7},
		`self.hurt("burn") ? 7 : 1`:             {func(_ *effects.Env, h, _ *eventv1.Creature) { h.Injuries = []*eventv1.Injury{{Kind: "scar"}} }, 1},
		`self.knows("keen") ? 7 : 1`:            {nil, 7},
		`target.knows("keen") ? 7 : 1`:          {nil, 1},
		`self.wearing("crown") ? 7 : 1`:         {func(_ *effects.Env, h, _ *eventv1.Creature) { h.Sheet.Wears = []string{"boots", "crown"} }, 7},
		`self.wearing("cloak") ? 7 : 1`:         {func(_ *effects.Env, h, _ *eventv1.Creature) { h.Sheet.Wears = []string{"boots", "crown"} }, 1},
		`target.dead ? 7 : 1`:                   {func(_ *effects.Env, _, g *eventv1.Creature) { g.Life = eventv1.LifeStatus_LIFE_STATUS_DEAD }, 7},
		`self.played ? 7 : 1`:                   {func(_ *effects.Env, h, _ *eventv1.Creature) { h.Controllers = []string{"ann"} }, 7},
		`target.played ? 7 : 1`:                 {func(_ *effects.Env, h, _ *eventv1.Creature) { h.Controllers = []string{"ann"} }, 1},
		`target.side == "foes" ? 7 : 1`:         {nil, 7},
		`target.kind == "undead" ? 7 : 1`:       {nil, 7},
		`weapon.name == "saw" ? 7 : 1`:          {func(e *effects.Env, _, _ *eventv1.Creature) { e.Weapon = effects.Weapon{Name: "saw"} }, 7},
		`"sharp" in weapon.tags ? 7 : 1`:        {func(e *effects.Env, _, _ *eventv1.Creature) { e.Weapon = effects.Weapon{Tags: []string{"sharp"}} }, 7},
		`roll.natural`:                          {func(e *effects.Env, _, _ *eventv1.Creature) { e.Roll = effects.Roll{Natural: 19, Total: 24} }, 19},
		`roll.total`:                            {func(e *effects.Env, _, _ *eventv1.Creature) { e.Roll = effects.Roll{Natural: 19, Total: 24} }, 24},
		`roll.success && !roll.critical ? 7: 1`: {func(e *effects.Env, _, _ *eventv1.Creature) { e.Roll = effects.Roll{Success: true} }, 7},
		`roll.critical ? 7 : 1`:                 {func(e *effects.Env, _, _ *eventv1.Creature) { e.Roll = effects.Roll{Success: true} }, 1},
		`spell == "bolt" ? 7 : 1`:               {func(e *effects.Env, _, _ *eventv1.Creature) { e.Spell = "bolt" }, 7},
		`action == "dash" ? 7 : 1`:              {func(e *effects.Env, _, _ *eventv1.Creature) { e.Action = "dash" }, 7},
		`damage_type == "fire" ? 7 : 1`:         {func(e *effects.Env, _, _ *eventv1.Creature) { e.DamageType = "fire" }, 7},
		`round`:                                 {nil, 4},
	} {
		if got, ok := seen(t, expr, c.change); !ok || got != c.want {
			t.Errorf("%s: %d, %v; want %d", expr, got, ok, c.want)
		}
	}
}

// The distance is what is stated, or else between the spaces that two creatures fill by
// their sizes; where nobody knows it is -1.
func TestTheDistanceOfExpressions(t *testing.T) {
	at := func(x int32) *eventv1.Position { return &eventv1.Position{X: x} }
	for name, c := range map[string]struct {
		hero, ghoul *eventv1.Position
		size        string
		stated      int32
		want        int32
	}{
		"nobody knows":   {nil, nil, "medium", 0, -1},
		"one is nowhere": {at(0), nil, "medium", 0, -1},
		"stated":         {at(0), at(20), "medium", 35, 35},
		"measured":       {at(0), at(60), "medium", 0, 60},
		"a small one":    {at(0), at(60), "small", 0, 60},
		"a large one":    {at(60), at(0), "large", 0, 55},
		"a huge one":     {at(60), at(0), "huge", 0, 50},
		"gargantuan":     {at(60), at(0), "gargantuan", 0, 45},
		"colossal":       {at(60), at(0), "colossal", 0, 35},
	} {
		got, ok := seen(t, "distance", func(e *effects.Env, h, g *eventv1.Creature) {
			h.Position, g.Position, g.Size, e.Distance = c.hero, c.ghoul, c.size, c.stated
		})
		if !ok || got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

// What a pack says of itself is checked, each thing by itself.
func TestWhatAPackSaysOfItself(t *testing.T) {
	const head = `"system":"rcr","version":"1","title":"T"`
	for name, c := range map[string]struct{ text, field string }{
		"all":                    {`{"name":"p",` + head + `}`, ""},
		"a name of capitals":     {`{"name":"P",` + head + `}`, "name"},
		"the system's own name":  {`{"name":"rcr",` + head + `}`, "name"},
		"another system":         {`{"name":"p","system":"spark","version":"1","title":"T"}`, "system"},
		"no version":             {`{"name":"p","system":"rcr","title":"T"}`, "version"},
		"no title":               {`{"name":"p","system":"rcr","version":"1"}`, "title"},
		"a rule without a title": {`{"name":"p",` + head + `,"rules":[{"id":"r"}]}`, "rules[0].title"},
		"a rule that is off":     {`{"name":"p",` + head + `,"rules":[{"id":"r","title":"R","off":true}]}`, "rules[0].off"},
		"a toggle that is off":   {`{"name":"p",` + head + `,"rules":[{"id":"r","title":"R","off":true,"toggle":true}]}`, ""},
		"two rules of an id":     {`{"name":"p",` + head + `,"rules":[{"id":"r","title":"R"},{"id":"r","title":"S"}]}`, "rules[1].id"},
		"a condition of itself":  {`{"name":"p",` + head + `,"conditions":[{"id":"dazed","title":"D","implies":["dazed"]}]}`, "conditions[0].implies[0]"},
		"a table twice":          {`{"name":"p",` + head + `,"tables":[{"name":"wounds","columns":["row","name","penalty"],"rows":[{"cells":["1","A","x"]}]},{"name":"wounds","columns":["row","name","penalty"],"rows":[{"cells":["1","A","x"]}]}]}`, "tables[1].name"},
		"a table of no rows":     {`{"name":"p",` + head + `,"tables":[{"name":"wounds","columns":["row","name","penalty"]}]}`, "tables[0].rows"},
		"a row twice":            {`{"name":"p",` + head + `,"tables":[{"name":"wounds","columns":["row","name","penalty"],"rows":[{"cells":["1","A","x"]},{"cells":["1","B","y"]}]}]}`, "tables[0].rows[1]"},
		"keys of more columns":   {`{"name":"p",` + head + `,"tables":[{"name":"wounds","columns":["row","name","penalty"],"keyColumns":4,"rows":[{"cells":["1","A","x"]}]}]}`, "tables[0].key_columns"},
		"a monster of no system": {`{"name":"p",` + head + `,"monsters":[{"id":"m","name":"M","side":"s","hitPoints":1}]}`, "monsters[0]"},
		"a long expression":      {`{"name":"p",` + head + `,"feats":[{"id":"f","title":"F","effects":[{"modifier":{"to":"attack","amount":"` + strings.Repeat("1+", limits.ExpressionBytes/2) + `1"}}]}]}`, "feats[0].effects[0].modifier.amount"},
		"a number too great":     {`{"name":"p",` + head + `,"feats":[{"id":"f","title":"F","effects":[{"modifier":{"to":"attack","amount":"9999999"}}]}]}`, "feats[0].effects[0].modifier.amount"},
		"a modifier of nothing":  {`{"name":"p",` + head + `,"feats":[{"id":"f","title":"F","effects":[{"modifier":{"amount":"1"}}]}]}`, "feats[0].effects[0].modifier.to"},
		"a save's own trigger":   {`{"name":"p",` + head + `,"feats":[{"id":"f","title":"F","effects":[{"trigger":"hit","save":{"save":"wisdom","dc":"12","failed":[{"trigger":"hit","damage":{"dice":"1d6","type":"fire"}}]}}]}]}`, "feats[0].effects[0].save.failed[0].trigger"},
	} {
		problems := effects.Check(base(), pack(t, c.text))
		var fields []string
		for _, p := range problems {
			fields = append(fields, p.Field)
		}
		got := strings.Join(fields, " ")
		if c.field == "" && got != "" || c.field != "" && !strings.HasPrefix(got, c.field) {
			t.Errorf("%s: %v, want %q", name, problems, c.field)
		}
	}
}

// An aura is for allies, for enemies, for all others or for everybody, as far as it goes.
func TestWhomAnAuraReaches(t *testing.T) {
	at := func(x int32) *eventv1.Position { return &eventv1.Position{X: x} }
	for who, reached := range map[string]string{"allies": "hero friend", "enemies": "foe", "others": "foe friend", "all": "hero foe friend"} {
		b := book(t, `{"feats":[{"id":"glow","effects":[{"aura":{"feet":"10","who":"`+who+`","effects":[{"modifier":{"to":"attack","amount":"2"}}]}}]}]}`)
		hero, foe, friend := creature("hero", "party", "glow"), creature("foe", "foes"), creature("friend", "party")
		far, lost := creature("far", "party"), creature("lost", "foes")
		hero.Position, foe.Position, friend.Position, far.Position = at(0), at(10), at(-10), at(15)
		s := &eventv1.State{Creatures: map[string]*eventv1.Creature{}}
		for _, c := range []*eventv1.Creature{hero, foe, friend, far, lost} {
			s.Creatures[c.Id] = c
		}
		var got []string
		for _, c := range []*eventv1.Creature{hero, foe, friend, far, lost} {
			if len(b.Modifiers(c, "attack", effects.Env{State: s, Actor: c})) > 0 {
				got = append(got, c.Id)
			}
		}
		if strings.Join(got, " ") != reached {
			t.Errorf("%s: %v, want %s", who, got, reached)
		}
	}
}
