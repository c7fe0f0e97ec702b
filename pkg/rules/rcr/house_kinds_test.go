package rcr

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/pack"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	thedice "github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// packed is content of files, by name.
func packed(t testing.TB, files map[string]string) (*effects.Book, pack.Problems) {
	t.Helper()
	return rulestest.Check(t, System{}, rulestest.Written(System{}, "t", files))
}

// ruled is a fight by one house rule, house.t.r, with these effects.
func ruled(t *testing.T, effect string, settings ...string) *table {
	t.Helper()
	return packTable(t, map[string]string{"rules.yaml": "- {id: r, title: R, effects: [" + effect + "]}\n"}, settings...)
}

func packTable(t *testing.T, files map[string]string, settings ...string) *table {
	t.Helper()
	b, problems := packed(t, files)
	if problems != nil {
		t.Fatal(problems)
	}
	return &table{rulestest.NewWith(t, System{}, b, append([]string{body.SetInitiativeChoice + "=best", body.SetTieBreak + "=dexterity"}, settings...)...)}
}

const byRule = "house.t.r"

func optionOf(f *table, id, action, item string) *eventv1.Option {
	for _, o := range (System{}).Options(rules.Query{State: f.State, Creature: id, Content: f.Content}) {
		if o.Action == action && o.Item == item {
			return o
		}
	}
	return nil
}

// What an action costs is what its option shows, what is asked for, and what is paid.
func TestContentCosts(t *testing.T) {
	f := ruled(t, "{when: self.id == \"a\", cost: {action: use-object, counter: action, amount: \"0\"}}, {when: self.id == \"a\", cost: {action: off-hand-attack, counter: bonus, amount: cost + 1}}")
	f.add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
	if o := optionOf(f, "a", "use-object", ""); !o.GetLegal() || len(o.Costs) != 0 {
		t.Errorf("use-object is %v", o)
	}
	f.Must(act("a", "use-object", "", ""))
	f.Must(act("a", "use-object", "", ""))
	f.wantCited(byRule)
	f.wantCount("a", body.CAction, 1)
	f.Must(act("a", "attack", "sword", "b"), 2)
	f.Must(act("a", "use-object", "", "")) // with no action left
	f.wantCount("a", body.CAction, 0)
	f.End("a", 20)
	f.Must(act("b", "use-object", "", ""))
	wantRefused(t, f.Try(act("b", "use-object", "", "")), body.Fallback)

	dear := ruled(t, "{cost: {action: dodge, counter: action, amount: cost + 1}}").add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
	if o := optionOf(dear, "a", "dodge", ""); o.GetLegal() || o.GetCosts()[body.CAction] != 2 {
		t.Errorf("dodge is %v", o)
	}
	wantRefused(t, dear.Try(act("a", "dodge", "", "")), body.Fallback)
	dear.Count("a", body.CAction, 2)
	dear.Must(act("a", "dodge", "", ""))
	dear.wantCount("a", body.CAction, 0)
}

// What is barred is refused by the house rule, in the options and in the deed; what
// replaces is carried out.
func TestContentBarsAndReplaces(t *testing.T) {
	f := ruled(t, "{when: self.id == \"a\", bar: {action: dodge}}, {replace: {action: dash, by: disengage}}")
	f.add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
	if o := optionOf(f, "a", "dodge", ""); o.GetLegal() || o.GetRule() != byRule {
		t.Errorf("dodge is %v", o)
	}
	wantRefused(t, f.Try(act("a", "dodge", "", "")), byRule)
	f.Must(act("a", "dash", "", ""))
	if !body.Has(f.Creature("a"), body.CondDisengaged) {
		t.Error("the dash is still one")
	}
	f.wantCited(byRule)
	f.End("a", 20)
	f.Must(act("b", "dodge", "", ""))
}

// An act that provokes nobody leaves the enemies no window; any other does.
func TestContentKeepsFromProvoking(t *testing.T) {
	with := func(effect string) *table {
		f := ruled(t, effect)
		f.AddAt(0, 0, fighter("a", "party"))
		f.AddAt(5, 0, fighter("b", "monsters"))
		return f.start(nil, 20, 5)
	}
	f := with("{no_provoke: {action: use-object}}")
	if o := optionOf(f, "a", "use-object", ""); len(o.GetProvokes()) != 0 {
		t.Errorf("shown as provoking %v", o.Provokes)
	}
	f.Must(act("a", "use-object", "", ""))
	if len(f.Decisions) != 0 {
		t.Fatalf("asked all the same: %v", f.Decisions)
	}
	f.wantCited(byRule)
	g := with("{no_provoke: {action: stand}}")
	if o := optionOf(g, "a", "use-object", ""); !slices.Equal(o.GetProvokes(), []string{"b"}) {
		t.Errorf("shown as provoking %v", o.GetProvokes())
	}
	g.Must(act("a", "use-object", "", ""))
	if len(g.Decisions) != 1 {
		t.Fatalf("not asked: %v", g.Decisions)
	}
	// The way out of a reach.
	h := with("{no_provoke: {}}")
	h.Afflict("a", body.CondBlinded)
	h.Must(act("a", "move", "", "", rulestest.To(-5, -10)))
	if len(h.Decisions) != 0 || h.Creature("a").Position.X != -10 {
		t.Errorf("asked all the same: %v", h.Decisions)
	}
}

// Every trigger is set off when what it stands for happens, and only then.
func TestContentTriggers(t *testing.T) {
	gain := func(trigger, more string) string {
		return "{trigger: " + trigger + ", whom: self" + more + ", temporary_hit_points: {amount: \"7\"}}"
	}
	hit := func(f *table) { f.Must(act("a", "attack", "sword", "b"), 15, 2) }
	for _, c := range []struct {
		trigger, who string
		do           func(f *table)
	}{
		{effects.TriggerHit, "a", hit},
		{effects.TriggerMiss, "a", func(f *table) { f.Must(act("a", "attack", "sword", "b"), 2) }},
		{effects.TriggerCritical, "a", func(f *table) { f.Must(act("a", "attack", "sword", "b"), 20, 2, 2) }},
		{effects.TriggerHurt, "b", hit},
		{effects.TriggerKill, "a", func(f *table) {
			f.Hurt("b", 5)
			f.Must(act("a", "attack", "sword", "b"), 15, 2)
		}},
		{effects.TriggerSaveFailed, "b", func(f *table) {
			f.Must(act("b", "called-save", "", "", withParameters("ability", "wisdom", "dc", 10)), 9)
		}},
		{effects.TriggerSavePassed, "b", func(f *table) {
			f.Must(act("b", "called-save", "", "", withParameters("ability", "wisdom", "dc", 10)), 10)
		}},
		{effects.TriggerTurnStart, "b", func(f *table) { f.End("a", 10) }},
		{effects.TriggerTurnEnd, "a", func(f *table) { f.End("a", 10) }},
		{effects.TriggerRoundStart, "a", func(f *table) { f.End("a", 10); f.End("b", 10) }},
		{effects.TriggerCast, "a", func(f *table) { f.Must(act("a", "cast", "spark", "b"), 4) }},
	} {
		t.Run(c.trigger, func(t *testing.T) {
			f := ruled(t, gain(c.trigger, ", when: self.id == \""+c.who+"\" && round > 0"))
			caster := rcrSheet(func(s *eventv1.RcrSheet) {
				s.Spells = []*eventv1.RcrSpell{{Name: "spark", RangeFeet: 60, Damage: []*eventv1.RcrDamage{{Dice: "1d4", Type: "fire"}}}}
			})
			f.add(fighter("a", "party", caster), fighter("b", "monsters", func(s *eventv1.Sheet) { s.HitPoints = 60 })).start(nil, 20, 5)
			c.do(f)
			if got := f.Creature(c.who).GetHpTemp(); got != 7 {
				t.Errorf("%d temporary hit points, want 7", got)
			}
		})
	}
	t.Run(effects.TriggerEnter, func(t *testing.T) {
		f := ruled(t, gain("enter", "")).add(fighter("a", "party"))
		if got := f.Creature("a").GetHpTemp(); got != 7 {
			t.Errorf("%d temporary hit points, want 7", got)
		}
	})
	t.Run("who is not meant", func(t *testing.T) {
		f := ruled(t, gain("kill", "")+", "+gain("save-passed", ""))
		f.add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
		hit(f)
		f.Must(act("b", "called-save", "", "", withParameters("ability", "wisdom", "dc", 10)), 9)
		if f.Creature("a").GetHpTemp() != 0 || f.Creature("b").GetHpTemp() != 0 {
			t.Error("something was set off")
		}
	})
	t.Run("what is set off sets off nothing", func(t *testing.T) {
		f := ruled(t, "{trigger: hurt, whom: self, damage: {amount: \"2\", type: fire}}")
		f.add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
		hit(f)
		f.WantHP("b", 40-5-2)
	})
}

// The hooks do what they say, once, to whom they befall.
func TestContentHooks(t *testing.T) {
	for _, c := range []struct {
		name, values string
		faces        []int
		holds        func(f *table) bool
	}{
		{"push", "", nil, func(f *table) bool { return f.Creature("b").Position.X == 10 }},
		{"push", ", values: {feet: \"15\"}", nil, func(f *table) bool { return f.Creature("b").Position.X == 20 }},
		{"drop-held", "", nil, func(f *table) bool { return f.Creature("b").Items["sword"].Place == "dropped" }},
		{"setback", "", []int{9, 8}, func(f *table) bool { return f.Creature("b").GetHp() == 60-5-17 }},
		{"setback", ", values: {grade: major}", []int{9, 8, 1, 1}, func(f *table) bool { return f.Creature("b").GetHp() == 60-5-19 }},
		{"wound", "", nil, func(f *table) bool { return f.Creature("b").Counters[body.CWounds] == 1 }},
		{"wound", ", values: {wounds: \"2\"}", nil, func(f *table) bool { return f.Creature("b").Counters[body.CWounds] == 2 }},
		{"sever", "", []int{3}, func(f *table) bool {
			return len(f.Creature("b").Injuries) == 1 && f.Creature("b").Injuries[0].Part == "leg"
		}},
		{"exhaust", ", values: {levels: \"2\"}", nil, func(f *table) bool { return f.Creature("b").Counters[body.CExhaustion] == 2 }},
		{"lose", "", nil, func(f *table) bool { return f.Creature("b").Counters[body.CAction] == 0 }},
		{"lose", ", values: {counter: reaction}", nil, func(f *table) bool { return f.Creature("b").Counters[body.CReaction] == 0 }},
		{"inspire", "", nil, func(f *table) bool { return f.Creature("b").Counters[body.CInspiration] == 1 }},
		{"end-concentration", "", []int{20}, func(f *table) bool { return body.Concentration(f.Creature("b")) == "" }},
	} {
		t.Run(c.name+c.values, func(t *testing.T) {
			f := ruled(t, "{trigger: hit, hook: {name: "+c.name+c.values+"}}")
			f.AddAt(0, 0, fighter("a", "party"))
			f.AddAt(5, 0, fighter("b", "monsters", func(s *eventv1.Sheet) {
				on := true
				s.HitPoints, s.GetRcr().WoundsEnabled = 60, &on
			}))
			f.start(nil, 20, 5)
			f.Count("b", body.CAction, 1)
			faces := []int{15, 2}
			if c.name == "end-concentration" {
				f.Resolve(func(r *rules.Resolution) error { thedice.Concentrate(r, "b", "web"); return nil })
			}
			f.Must(act("a", "attack", "sword", "b"), append(faces, c.faces...)...)
			if !c.holds(f) {
				t.Errorf("b is %v", f.Creature("b"))
			}
			f.wantCited(byRule)
		})
	}
	t.Run("push against a wall of bodies", func(t *testing.T) {
		f := ruled(t, "{trigger: hit, hook: {name: push, values: {feet: \"10\"}}}")
		f.AddAt(0, 0, fighter("a", "party"))
		f.AddAt(5, 0, fighter("b", "monsters"))
		f.AddAt(15, 0, fighter("c", "monsters"))
		f.start(nil, 20, 5, 4)
		f.Must(act("a", "attack", "sword", "b"), 15, 2)
		if x := f.Creature("b").Position.X; x != 10 {
			t.Errorf("b is at %d, want 10", x)
		}
	})
	t.Run("stabilise", func(t *testing.T) {
		f := ruled(t, "{trigger: round-start, when: self.id == \"a\", hook: {name: stabilise}}")
		f.add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 5, 20)
		f.Hurt("a", 0)
		f.End("b", 15, 12, 10) // its death save, then the round
		f.WantLife("a", eventv1.LifeStatus_LIFE_STATUS_STABLE)
	})
}

// Hooks, actions and counters that there are not, and values that a hook does not
// take, are refused with what was meant.
func TestContentRefused(t *testing.T) {
	for _, c := range []struct{ effect, field, words string }{
		{"{trigger: hit, hook: {name: pusch}}", "hook.name", "push"},
		{"{trigger: hit, hook: {name: push, values: {fet: \"5\"}}}", "hook.values", "feet"},
		{"{trigger: hit, hook: {name: push, values: {feet: far}}}", "hook.values", "must be a whole number, 1 to 1000"},
		{"{trigger: hit, hook: {name: setback, values: {grade: miner}}}", "hook.values", "minor"},
		{"{bar: {action: dogde}}", "bar.action", "dodge"},
		{"{cost: {action: dodge, counter: actoin, amount: \"0\"}}", "cost.counter", "action"},
		{"{modifier: {to: save/constitution/focus, amount: \"1\"}}", "modifier.to", ""},
	} {
		_, problems := packed(t, map[string]string{"rules.yaml": "- {id: r, title: R, effects: [" + c.effect + "]}\n"})
		if len(problems) == 0 || !strings.HasSuffix(problems[0].Field, c.field) || !strings.Contains(problems.Error(), c.words) {
			t.Errorf("%s: %v", c.effect, problems)
		}
	}
	if err := movement.CheckHook("push", nil); err != nil {
		t.Error(err)
	}
}

// pointRoll makes the roll of a point by a, at or against b.
func pointRoll(f *table, point string, d20s ...int) *eventv1.Roll {
	f.T.Helper()
	whole, part, _ := strings.Cut(point, "/")
	ability, purpose, _ := strings.Cut(part, "/")
	switch whole {
	case house.PointSave:
		if part == "death" {
			f.Harm(&eventv1.Harm{Deed: body.DeedTurnStart, Target: "dying"}, d20s...)
			return f.Roll("death-save")
		}
		f.Resolve(func(r *rules.Resolution) error {
			thedice.RollSave(r, "probe", r.Creature("a"), ability, 10, purpose, r.Creature("b"), body.SaveOpts{})
			return nil
		}, d20s...)
		return f.Roll("probe")
	case house.PointCheck:
		f.Resolve(func(r *rules.Resolution) error {
			thedice.RollCheck(r, "probe", r.Creature("a"), part, 10, "", body.CheckOpts{})
			return nil
		}, d20s...)
		return f.Roll("probe")
	}
	weapon := map[string]string{"melee": "sword", "ranged": "bow", "spell": "bolt"}[part]
	verb := "attack"
	if part == "spell" {
		verb = "cast"
	}
	f.Must(act("a", verb, weapon, "b"), append(d20s, 3)...)
	if whole == house.PointDamage {
		return f.Roll("/damage")
	}
	return f.Roll("/to-hit")
}

// At every point that the system says it has, modifiers, edges and rerolls of
// content count, and nowhere else.
func TestContentPoints(t *testing.T) {
	field := func(f *table, point string) *table {
		f.AddAt(0, 0, fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) {
			s.Spells = []*eventv1.RcrSpell{{Name: "bolt", Attack: "ranged", RangeFeet: 60, Damage: []*eventv1.RcrDamage{{Dice: "1d4", Type: "fire"}}}}
			s.SpellAttackBonus = 9
		})))
		x := int32(5)
		if !strings.HasSuffix(point, "/melee") {
			x = 30
		}
		f.AddAt(x, 0, fighter("b", "monsters", func(s *eventv1.Sheet) { s.HitPoints = 200 }))
		f.AddAt(0, 50, fighter("dying", "party", func(s *eventv1.Sheet) {}))
		f.start(nil, 20, 5, 4)
		f.Hurt("dying", 0)
		return f
	}
	support := System{}.Content().Kinds
	for _, point := range support[effects.KindModifier] {
		if point == house.PointArmor || point == house.PointInitiative {
			continue // see below
		}
		roll := pointRoll(field(ruled(t, "{modifier: {to: "+point+", amount: \"2\"}}"), point), point, 12)
		if !slices.ContainsFunc(roll.GetModifiers(), func(m *eventv1.Modifier) bool { return m.Rule == byRule && m.Value == 2 }) {
			t.Errorf("modifier at %s: %v", point, roll)
		}
	}
	for _, point := range support[effects.KindEdge] {
		if point == house.PointInitiative {
			continue
		}
		roll := pointRoll(field(ruled(t, "{edge: {to: "+point+", direction: advantage}}"), point), point, 12, 12)
		if !slices.ContainsFunc(roll.GetEdges(), func(e *eventv1.Edge) bool { return e.Rule == byRule && e.Advantage }) {
			t.Errorf("edge at %s: %v", point, roll)
		}
	}
	for _, point := range support[effects.KindReroll] {
		roll := pointRoll(field(ruled(t, "{reroll: {to: "+point+", at_least: 4}}"), point), point, 12)
		if !strings.Contains(roll.GetExpression(), "mi4") {
			t.Errorf("reroll at %s: %v", point, roll)
		}
	}
	f := ruled(t, "{modifier: {to: initiative, amount: \"3\"}}, {edge: {to: initiative, direction: advantage}}, {modifier: {to: armor-class, amount: \"2\"}}, {set: {value: armor-class, amount: \"11\"}}")
	f.add(fighter("a", "party"), fighter("b", "monsters"))
	f.start(nil, 20, 1, 5, 5)
	f.Must(act("a", "attack", "sword", "b"), 8, 3)
	if ac := f.Roll("/to-hit").Target; ac.Value != 13 {
		t.Errorf("armour class %v, want 13", ac)
	}
	for _, roll := range f.Rolls("initiative/a") {
		if len(roll.Edges) != 1 || !slices.ContainsFunc(roll.Modifiers, func(m *eventv1.Modifier) bool { return m.Rule == byRule && m.Value == 3 }) {
			t.Errorf("initiative %v", roll)
		}
	}
}

// The other kinds that hold: each changes what it says.
func TestContentThatHolds(t *testing.T) {
	t.Run("speed, extra action, critical range, resistance, immunity", func(t *testing.T) {
		f := ruled(t, "{when: self.id == \"a\", speed: {feet: feet + 10}}, {when: self.id == \"a\", extra_action: {counter: bonus, amount: \"1\"}}, "+
			"{when: self.id == \"a\", critical_range: {from: from - 1}}, {when: self.id == \"b\", resistance: {types: [slashing]}}, {immunity: {conditions: [prone]}}")
		f.add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
		f.wantCount("a", body.CMovement, 40)
		f.wantCount("a", body.CBonus, 2)
		f.Must(act("a", "attack", "sword", "b"), 19, 4, 4)
		if f.Attack().Outcome != "critical" {
			t.Errorf("%v", f.Attack())
		}
		f.WantHP("b", 40-(4+4+3)/2)
	})
	t.Run("resistance less, vulnerability, immunity to damage", func(t *testing.T) {
		f := ruled(t, "{when: self.id == \"b\", resistance: {types: [slashing], less: \"2\"}}, {when: self.id == \"b\", resistance: {types: [piercing], vulnerable: true}}, {when: self.id == \"a\", immunity: {types: [slashing]}}")
		f.add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
		f.Must(act("a", "attack", "sword", "b"), 15, 4)
		f.WantHP("b", 40-(4+3-2))
		f.End("a", 20)
		f.Must(act("b", "attack", "sword", "a"), 15, 4)
		f.WantHP("a", 40)
	})
	t.Run("use, healing, condition taken away, save", func(t *testing.T) {
		f := ruled(t, "{trigger: turn-start, when: self.count(\"left.luck\") > 0, use: {resource: luck}}, {trigger: turn-start, when: self.id == \"b\", healing: {amount: \"5\"}}, "+
			"{trigger: turn-start, condition: {condition: poisoned, remove: true}}, "+
			"{trigger: turn-start, when: self.id == \"b\", save: {save: wisdom, dc: \"12\", failed: [{condition: {condition: deafened, rounds: \"1\"}}], passed: [{healing: {amount: \"1\"}}]}}")
		luck := rcrSheet(func(s *eventv1.RcrSheet) { s.Resources = []*eventv1.RcrResource{{Name: "luck", Current: 2, Max: 2}} })
		f.add(fighter("a", "party", luck), fighter("b", "monsters")).start(nil, 20, 5)
		f.wantCount("a", body.CLeft+"luck", 1)
		f.Hurt("b", 20)
		f.Afflict("b", body.CondPoisoned)
		f.End("a", 10, 11)
		f.WantHP("b", 25)
		if body.Has(f.Creature("b"), body.CondPoisoned) || !body.Has(f.Creature("b"), body.CondDeafened) {
			t.Errorf("b %v", f.Creature("b").Conditions)
		}
	})
	t.Run("an injury while it is there", func(t *testing.T) {
		f := packTable(t, map[string]string{"injuries.yaml": "- {id: cracked-rib, title: Cracked rib, effects: [{modifier: {to: attack, amount: \"-2\"}}]}\n"})
		f.add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
		f.Resolve(func(r *rules.Resolution) error { r.AddInjury("a", &eventv1.Injury{Kind: "cracked-rib"}); return nil })
		f.Must(act("a", "attack", "sword", "b"), 11)
		if f.Roll("/to-hit").Total != 14 {
			t.Errorf("%v", f.Roll("/to-hit"))
		}
		f.wantCited("house.t.cracked-rib")
	})
}

// Every table that decides can be changed, and its row is cited where it decided.
func TestContentTables(t *testing.T) {
	wounded := func(s *eventv1.Sheet) {
		on := true
		s.GetRcr().WoundsEnabled = &on
	}
	t.Run("wounds", func(t *testing.T) {
		f := packTable(t, map[string]string{"tables/wounds.csv": "row,name,penalty,happens\n2,Maimed,a part is lost,limb\n"})
		f.add(fighter("a", "party")).start(nil, 10)
		f.Harm(&eventv1.Harm{Deed: body.DeedWound, Target: "a", Amount: 2}, 2)
		if in := f.Creature("a").Injuries; len(in) != 1 || in[0].Part != "hand" {
			t.Errorf("injuries %v", in)
		}
		f.wantCited("house.t.table-wounds")
	})
	t.Run("limbs", func(t *testing.T) {
		f := packTable(t, map[string]string{"tables/limbs.csv": "d4,lost\n5,ear\n"})
		f.add(fighter("a", "party")).start(nil, 10)
		f.Harm(&eventv1.Harm{Deed: body.DeedSever, Target: "a"}, 5)
		if in := f.Creature("a").Injuries; len(in) != 1 || in[0].Part != "ear" || f.Roll("limb").Expression != "1d5" {
			t.Errorf("injuries %v", in)
		}
		f.wantCited("house.t.table-limbs")
	})
	t.Run("rarity", func(t *testing.T) {
		f := packTable(t, map[string]string{"tables/rarity.csv": "rarity,bonus,wounds\ncommon,9,2\n"})
		f.add(fighter("a", "party", wounded)).start(nil, 10)
		f.Hurt("a", 20)
		f.Count("a", body.CWounds, 2)
		f.Harm(&eventv1.Harm{Deed: body.DeedHeal, Target: "a", Amount: 8, Facts: map[string]string{"via": "item", "rarity": "common"}}, 1)
		f.wantCount("a", body.CWounds, 0)
		f.wantCited("house.t.table-rarity")
	})
	t.Run("spells", func(t *testing.T) {
		f := packTable(t, map[string]string{"tables/spells.csv": "spell,wounds,scars,parts,at_zero,revives\nknit flesh,1,no,no,no,no\n"})
		knit := rcrSheet(func(s *eventv1.RcrSheet) { s.Spells = []*eventv1.RcrSpell{{Name: "Knit flesh", RangeFeet: 5}} })
		f.add(fighter("a", "party", wounded), fighter("c", "party", knit)).start(nil, 5, 20)
		f.Count("a", body.CWounds, 2)
		f.Must(act("c", "cast", "Knit flesh", "a"))
		f.wantCount("a", body.CWounds, 1)
		f.wantCited("house.t.table-spells")
	})
	t.Run("terrain", func(t *testing.T) {
		f := packTable(t, map[string]string{"tables/terrain.csv": "from,to,damage\n5,8,1d4+6\n"})
		f.add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
		f.Must(act("a", "move", "", "", feet(10, "dangerous", 10, "terrain_damage", "acid")), 3)
		f.WantHP("a", 40-9)
		f.wantCited("house.t.table-terrain")
	})
	for name, text := range map[string]string{"wounds": "row,name,penalty,happens\n2,Maimed,,ears\n", "limbs": "d4,lost\n9,ear\n",
		"terrain": "from,to,damage\n1,4,lots\n", "setback": "from,to,minor,major\n1,4,much,2d6\n"} {
		if _, problems := packed(t, map[string]string{"tables/" + name + ".csv": text}); len(problems) == 0 {
			t.Errorf("%s: %q is accepted", name, text)
		}
	}
}

// Feats of content are accepted, unknown ones refused with near names.
func TestSheetsKnowTheFeatsOfContent(t *testing.T) {
	f := packTable(t, map[string]string{"feats.yaml": "- {id: iron-jaw, title: Iron Jaw, effects: [{modifier: {to: save, amount: \"1\"}}]}\n"})
	f.add(fighter("a", "party", func(s *eventv1.Sheet) { s.Feats = []string{"iron-jaw"} }))
	for field, change := range map[string]func(*eventv1.Sheet){
		"sheet.feats[0]":     func(s *eventv1.Sheet) { s.Feats = []string{"iron-jar"} },
		"sheet.rcr.feats[0]": rcrSheet(func(s *eventv1.RcrSheet) { s.Feats = []string{"iron-jar"} }),
	} {
		err := f.Try(adding(fighter("x", "party", change)))
		wantFault(t, err, field)
		if x, ok := fault.As(err); !ok || !strings.Contains(x.Violations[0].Description, "iron-jaw") {
			t.Errorf("%v", err)
		}
	}
}
