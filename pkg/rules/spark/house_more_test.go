package spark

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/proto"
)

// onHit is a house rule that does something whenever ara hits.
func onHit(what string) []string {
	return []string{"rules.yaml", ruled("{" + onAra + "trigger: hit, " + what + "}")}
}

// named are a creature's conditions of a name.
func (f *table) named(id, name string) (list []*eventv1.Condition) {
	for _, x := range f.Creature(id).Conditions {
		if x.Name == name {
			list = append(list, x)
		}
	}
	return list
}

// What content does at its bounds, and where there is nothing for it to do.
func TestContentAtItsBounds(t *testing.T) {
	const hobbled = "- id: hobbled\n  effects:\n    - {speed: {feet: feet - 20}}\n"
	for _, c := range []struct {
		name string
		eachCase
	}{
		{"nobody is pushed away from itself", eachCase{files: onHit(`whom: self, hook: {name: push, values: {feet: "10"}}`), do: func(t *testing.T, f *table) {
			f.strikes("sword")
			if p := f.Creature("ara").Position; p.X != 0 || f.hasNote("pushed 10 ft: R") {
				t.Errorf("at %v", p)
			}
		}}},
		{"who has no place is told to be pushed, and moves nowhere", eachCase{files: onHit(`hook: {name: push, values: {feet: "10"}}`), do: func(t *testing.T, f *table) {
			f.add(fighter("imp", "monsters"))
			f.Must(act("ara", declaring.KindAttack, "sword", "imp"))
			f.pass()
			if f.Creature("imp").Position != nil || !f.hasNote("pushed 10 ft: R") {
				t.Errorf("at %v", f.Creature("imp").Position)
			}
		}}},
		{"nothing is dropped of what is not in hand", eachCase{files: onHit(`hook: {name: drop, values: {weapon: bow}}`), do: func(t *testing.T, f *table) {
			f.Put("orc", &eventv1.Vitals{Items: map[string]*eventv1.ItemState{"bow": {Place: "stowed"}}})
			f.strikes("sword")
			if f.Creature("orc").Items["bow"].Place != "stowed" || f.Creature("orc").Items["sword"].Place != "main" {
				t.Errorf("%v", f.Creature("orc").Items)
			}
		}}},
		{"natural weapons are not dropped, nor crack", eachCase{files: []string{"rules.yaml", ruled("{"+onAra+"trigger: hit, hook: {name: drop}}", "{"+onAra+"trigger: hit, hook: {name: crack}}")}, do: func(t *testing.T, f *table) {
			f.newSheet(fighter("orc", "monsters", armedWith(claw)))
			f.strikes("sword")
			if c := f.Creature("orc"); c.Items["claw"] != nil || len(c.Marks) > 0 {
				t.Errorf("%v %v", c.Items, c.Marks)
			}
		}}},
		{"what is broken does not crack", eachCase{files: onHit(`hook: {name: crack, values: {weapon: bow}}`), do: func(t *testing.T, f *table) {
			f.Put("orc", &eventv1.Vitals{Marks: map[string]string{body.MWeapon + "bow": body.Broken}})
			f.strikes("sword")
			if got := f.Creature("orc").Marks[body.MWeapon+"bow"]; got != body.Broken {
				t.Errorf("%q", got)
			}
		}}},
		{"no more mana than there is", eachCase{files: onHit(`whom: self, hook: {name: mana, values: {amount: "5"}}`), do: func(t *testing.T, f *table) {
			f.Count("ara", body.CMana, 18)
			f.strikes("sword")
			if n := f.Creature("ara").Counters[body.CMana]; n != 20 {
				t.Errorf("%d mana", n)
			}
		}}},
		{"no less than none", eachCase{files: onHit(`hook: {name: mana, values: {dice: 3d10}}`), do: func(t *testing.T, f *table) {
			f.strikes("sword")
			if n := f.Creature("orc").Counters[body.CMana]; n != 0 {
				t.Errorf("%d mana", n)
			}
		}}},
		{"whoever the blow put out takes no further damage", eachCase{files: onHit(`damage: {dice: 1d6, type: fire}`), do: func(t *testing.T, f *table) {
			f.Hurt("orc", 3)
			f.strikes("sword")
			if n := len(f.Rolls("/damage")); n != 1 {
				t.Errorf("%d damage rolls", n)
			}
		}}},
		{"nor any condition", eachCase{files: onHit(`condition: {condition: prone}`), do: func(t *testing.T, f *table) {
			f.Hurt("orc", 3)
			f.strikes("sword")
			if len(f.named("orc", body.CondProne)) != 0 {
				t.Error("it is prone")
			}
		}}},
		{"a condition of the same source begins anew, of another it is another", eachCase{files: []string{"rules.yaml", ruled(`{trigger: hit, condition: {condition: shaken, rounds: "2"}}`)}, do: func(t *testing.T, f *table) {
			f.add(fighter("wen", "party"))
			f.Put("orc", &eventv1.Vitals{HpTemp: proto.Int32(100)})
			f.strikes("sword")
			f.End("wen")
			f.strikes("sword")
			f.End("wen")
			list := f.named("orc", body.CondShaken)
			if len(list) != 1 || list[0].Until.Round != 4 || list[0].Source != "ara" {
				t.Fatalf("%v", list)
			}
			f.Must(act("wen", declaring.KindAttack, "sword", "orc"))
			f.pass()
			if list := f.named("orc", body.CondShaken); len(list) != 2 || list[0].Until.Round != 4 || list[1].Until.Round != 5 {
				t.Fatalf("%v", list)
			}
			f.pass() // round 4 is the last of the one
			if list := f.named("orc", body.CondShaken); len(list) != 1 || list[0].Source != "wen" {
				t.Fatalf("%v", list)
			}
		}}},
		{"another variant of a condition is another", eachCase{files: []string{"rules.yaml", ruled("{"+onAra+`trigger: hit, condition: {condition: shaken, variant: hot}}`, "{"+onAra+`trigger: hit, condition: {condition: shaken, variant: cold}}`)}, do: func(t *testing.T, f *table) {
			f.strikes("sword")
			f.strikes("sword")
			if list := f.named("orc", body.CondShaken); len(list) != 2 || list[0].Variant != "hot" || list[1].Variant != "cold" {
				t.Fatalf("%v", list)
			}
		}}},
		{"what takes away of another type takes of the blow's own", eachCase{files: []string{"rules.yaml", ruled("{" + onAra + `modifier: {to: damage, amount: "-2", type: fire}}`)}, do: func(t *testing.T, f *table) {
			f.strikes("sword")
			f.WantHP("orc", 30-(8+3-2))
		}}},
		{"what adds of another type is of that type alone", eachCase{files: []string{"rules.yaml", ruled("{"+onAra+`modifier: {to: damage, amount: "4", type: fire}}`, `{when: 'self.id == "orc"', immunity: {types: [fire]}}`)}, do: func(t *testing.T, f *table) {
			f.strikes("sword")
			f.WantHP("orc", 30-11)
			f.wantCited(houseRule)
		}}},
		{"a critical multiplies what content adds", eachCase{files: []string{"rules.yaml", ruled("{" + onAra + `modifier: {to: damage, amount: "1"}}`)}, do: func(t *testing.T, f *table) {
			f.Roller = nil
			f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
			f.End("orc", 20, 13, 2)
			f.WantHP("orc", 30-3*(2+3+1))
		}}},
		{"damage sees its type", eachCase{files: []string{"rules.yaml", ruled(`{when: 'self.id == "orc" && damage_type == "acid" && damage >= 4', trigger: hurt, healing: {amount: "1"}}`)}, do: func(t *testing.T, f *table) {
			acid := func(kind string, n int32) {
				f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
				f.Creature("ara").Sheet.GetSpark().Weapons[0].DamageType = kind
				f.Creature("ara").Sheet.GetSpark().Weapons[0].DamageBonus = n - 8
				f.End("orc")
			}
			acid("acid", 4)
			f.WantHP("orc", 27)
			acid("acid", 3)
			f.WantHP("orc", 24)
			acid("cold", 4)
			f.WantHP("orc", 20)
		}}},
		{"a weapon of no dice and what content throws for it", eachCase{files: []string{"rules.yaml", ruled("{" + onAra + `modifier: {to: damage, dice: 1d4}}`)}, do: func(t *testing.T, f *table) {
			f.newSheet(fighter("ara", "party", armedWith(&eventv1.SparkWeapon{Name: "sword", FumbleClasses: []string{"S"}, AttackModifier: 5, DamageBonus: 2, ReachFeet: 5})))
			f.strikes("sword")
			f.WantHP("orc", 30-2-4)
		}}},
		{"a speed that ends with its feat", eachCase{files: []string{"feats.yaml", "- id: fleet\n  effects:\n    - {speed: {feet: feet + 15}}\n"}, do: func(t *testing.T, f *table) {
			fleet := fighter("ara", "party")
			fleet.Feats = []string{"fleet"}
			f.newSheet(fleet)
			if got := body.SpeedOf(f.Creature("ara")); got != 45 {
				t.Errorf("%d ft with the feat", got)
			}
			f.newSheet(fighter("ara", "party"))
			if got := body.SpeedOf(f.Creature("ara")); got != 30 {
				t.Errorf("%d ft without", got)
			}
		}}},
		{"a way that a reaction shortens", eachCase{files: []string{"conditions.yaml", hobbled, "rules.yaml", ruled(`{when: 'self.id == "orc"', trigger: hit, condition: {condition: hobbled, rounds: "1"}}`)}, do: func(t *testing.T, f *table) {
			f.Must(act("ara", declaring.KindMove, "", "", to(-30)))
			f.End("orc")
			f.Answer(body.DecOpportunity, "sword")
			if x := f.Creature("ara").Position.X; x != -10 {
				t.Errorf("at %d, want -10", x)
			}
			wantRefused(t, f.Try(act("ara", declaring.KindMove, "", "", to(-25))), cite.ActionMove)
			f.pass()
			f.Must(act("ara", declaring.KindMove, "", "", to(-40)))
		}}},
		{"what a condition brings goes with it", eachCase{files: []string{"conditions.yaml", "- id: reeling\n  implies: [prone]\n", "rules.yaml",
			ruled("{"+onAra+`trigger: hit, condition: {condition: reeling}}`, `{when: 'self.id == "orc"', trigger: miss, whom: self, condition: {condition: reeling, remove: true}}`)}, do: func(t *testing.T, f *table) {
			f.strikes("sword")
			if len(f.named("orc", "reeling")) != 1 || len(f.named("orc", body.CondProne)) != 1 {
				t.Fatalf("%v", f.Creature("orc").Conditions)
			}
			f.Creature("orc").Sheet.GetSpark().Weapons[0].AttackModifier = -20
			f.Must(act("orc", declaring.KindAttack, "sword", "ara"))
			f.pass()
			if got := f.Creature("orc").Conditions; len(got) != 0 {
				t.Fatalf("%v", got)
			}
		}}},
		{"what an edit lays brings its own, and what it takes off takes them off", eachCase{files: []string{"conditions.yaml", "- id: reeling\n  implies: [prone]\n- id: drunk\n  implies: [reeling]\n"}, do: func(t *testing.T, f *table) {
			f.Afflict("ara", "drunk")
			if len(f.named("ara", "reeling")) != 1 || len(f.named("ara", body.CondProne)) != 1 {
				t.Fatalf("%v", f.Creature("ara").Conditions)
			}
			f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "ara", RemoveConditions: []string{"drunk"}}}})
			if got := f.Creature("ara").Conditions; len(got) != 0 {
				t.Fatalf("%v", got)
			}
			f.Afflict("ara", body.CondProne) // by itself, and by what brings it
			f.Afflict("ara", "reeling")
			f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "ara", RemoveConditions: []string{"reeling"}}}})
			if len(f.named("ara", body.CondProne)) != 1 {
				t.Fatalf("%v", f.Creature("ara").Conditions)
			}
		}}},
		{"a condition laid while the table declares counts the running round", eachCase{files: []string{"rules.yaml", ruled("{"+onAra+`trigger: round-start, condition: {condition: frightened, rounds: "1"}}`, `{when: 'self.id == "orc" && round == 1', trigger: round-start, condition: {condition: frightened, rounds: "2"}}`)}, do: func(t *testing.T, f *table) {
			if a, o := f.named("ara", body.CondFrightened), f.named("orc", body.CondFrightened); len(a) != 1 || a[0].Until.Round != 1 || len(o) != 1 || o[0].Until.Round != 2 {
				t.Fatalf("%v %v", a, o)
			}
			f.pass()
			if a, o := f.named("ara", body.CondFrightened), f.named("orc", body.CondFrightened); len(a) != 1 || a[0].Until.Round != 2 || len(o) != 1 {
				t.Fatalf("%v %v", a, o)
			}
			f.pass()
			if o := f.named("orc", body.CondFrightened); len(o) != 0 {
				t.Fatalf("%v", o)
			}
		}}},
		{"a save ends it at the end of a later round, just enough", eachCase{files: onHit(`save: {save: will, dc: "12", failed: [{condition: {condition: shaken, save_ends: true}}]}`), do: func(t *testing.T, f *table) {
			f.Roller = nil
			f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
			f.End("orc", 15, 1, 11) // not in the round in which it is laid
			f.pass(11)              // 11 against 12
			if len(f.named("orc", body.CondShaken)) != 1 {
				t.Fatal("11 ends it")
			}
			f.pass(12)
			if len(f.named("orc", body.CondShaken)) != 0 {
				t.Fatal("12 does not end it")
			}
			f.pass()
		}}},
		{"uses of what there is none of", eachCase{files: onHit(`use: {resource: mana, amount: "30"}`), do: func(t *testing.T, f *table) {
			f.strikes("sword")
			if n := f.Creature("ara").Counters[body.CMana]; n != 0 {
				t.Errorf("%d mana", n)
			}
		}}},
		{"temporary hit points do not add up", eachCase{files: onHit(`whom: self, temporary_hit_points: {amount: "4"}`), do: func(t *testing.T, f *table) {
			f.Put("ara", &eventv1.Vitals{HpTemp: proto.Int32(6)})
			f.strikes("sword")
			if n := f.Creature("ara").GetHpTemp(); n != 6 {
				t.Errorf("%d", n)
			}
			f.Put("ara", &eventv1.Vitals{HpTemp: proto.Int32(3)})
			f.strikes("sword")
			if n := f.Creature("ara").GetHpTemp(); n != 4 {
				t.Errorf("%d", n)
			}
		}}},
		{"a lost turn is what is still to come of it", eachCase{files: []string{"rules.yaml", ruled(`{trigger: hit, hook: {name: lose-turn}}`)}, do: func(t *testing.T, f *table) {
			f.Must(act("orc", declaring.KindAttack, "sword", "ara"))
			f.Must(act("ara", declaring.KindAttack, "sword", "orc")) // both 15: the player's first
			f.WantAttacks("ara hit", "orc lost")
			f.WantHP("ara", 30)
			f.WantActive("ara", "orc")
		}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.do(t, c.field(t))
		})
	}
}

// Content sees a distance that is said in place of the one measured, in melee, at a distance and of spells.
func TestContentAndSaidDistances(t *testing.T) {
	files := []string{"rules.yaml", ruled(`{when: 'self.id == "ara" && distance > 30', modifier: {to: attack, amount: "-2"}}`)}
	for _, c := range []struct {
		said  []any
		total int32
	}{{nil, 15}, {[]any{"distance", 30.0}, 15}, {[]any{"distance", 31.0}, 13}} {
		f := eachCase{files: files}.field(t)
		f.Must(act("ara", declaring.KindAttack, "bow", "orc", withFacts(c.said...)))
		f.pass()
		if got := f.Roll("attack/ara/1").Total; got != c.total {
			t.Errorf("%v: %d, want %d", c.said, got, c.total)
		}
	}
}

// spark.attack.roll, spark.dice.advantage: what is said of one target is of that one alone, of none of all; modifiers as well as edges
func TestModifiersOfOneTarget(t *testing.T) {
	at := func(target string, n int32) func(*eventv1.TakeAction) {
		return func(x *eventv1.TakeAction) {
			x.Circumstances = append(x.Circumstances, &eventv1.Circumstance{Direction: "modifier", Value: n, Cause: "smoke", Target: target})
		}
	}
	f := newTable(t).at(0, fighter("ara", "party", func(s *eventv1.SparkSheet) { s.AttacksPerRound = 2 })).at(5, fighter("orc", "monsters")).at(-5, fighter("imp", "monsters")).start()
	f.Must(act("ara", declaring.KindAttack, "sword", "orc,imp", at("orc", -4), at("imp", 2), at("", 1)))
	f.pass(10, 10, 1)
	for label, total := range map[string]int32{"attack/ara/1": 12, "attack/ara/2": 18} {
		if got := f.Roll(label).Total; got != total {
			t.Errorf("%s: %d, want %d", label, got, total)
		}
	}
	f.WantAttacks("ara hit", "ara miss")
}

// spark.reaction.concentration-bars: what can be given up is listed with its spell, and nothing where one concentrates on nothing
func TestConcentrationListed(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party", mage)).at(5, fighter("orc", "monsters")).start()
	drops := func() (list []*eventv1.Option) {
		for _, o := range (System{}).Options(rules.Query{State: f.State, Creature: "ara"}) {
			if o.Action == declaring.ActDrop {
				list = append(list, o)
			}
		}
		return list
	}
	if slices.ContainsFunc(drops(), func(o *eventv1.Option) bool { return o.Legal }) {
		t.Errorf("listed: %v", drops())
	}
	wantRefused(t, f.Try(act("ara", declaring.ActDrop, "", "")), cite.ReactionConcentrationBars)
	f.Must(act("ara", declaring.KindCast, "bless", "ara"))
	f.End("orc", 10)
	if list := drops(); len(list) != 1 || !list[0].Legal || list[0].Item != "bless" {
		t.Fatalf("listed: %v", list)
	}
	f.Must(act("ara", declaring.ActDrop, "bless", ""))
	if slices.ContainsFunc(drops(), func(o *eventv1.Option) bool { return o.Legal }) || body.Has(f.Creature("ara"), body.CondConcentrating) {
		t.Errorf("listed: %v", drops())
	}
}

// spark.action.free, spark.turn.two-halves: an edit of one who stands gives nothing of the round back, and lets nobody declare who has passed
func TestEditsGiveNothingBack(t *testing.T) {
	f := duel(t)
	f.Must(act("ara", declaring.ActSpeak, "", "", withParameters("text", "one")))
	f.Must(act("ara", declaring.ActSpeak, "", "", withParameters("text", "two")))
	f.Hurt("ara", 20)
	if n := f.Creature("ara").Counters[body.CFree]; n != 3 {
		t.Errorf("%d free actions", n)
	}
	f.WantActive("ara", "orc")
	f.End("ara")
	f.Hurt("ara", 15)
	f.newSheet(fighter("ara", "party"))
	f.WantActive("orc")
}
