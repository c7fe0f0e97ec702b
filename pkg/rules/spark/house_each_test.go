package spark

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	"github.com/skaldrpg/skald/pkg/rules/spark/mending"
	"github.com/skaldrpg/skald/pkg/rules/spark/resolving"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// ruled is a rules.yaml of one house rule, t.r, with effects.
func ruled(list ...string) string {
	return "- id: r\n  title: R\n  effects:\n    - " + strings.Join(list, "\n    - ") + "\n"
}

const houseRule = "house.t.r"

// tens is a roller whose dice show 10, or their highest face where that is less.
func tens(sides int) int { return min(sides, 10) }

// field is a duel of two mages 5 feet apart, with a pack; without one where it has no
// files.
func (c eachCase) field(t *testing.T) *table {
	t.Helper()
	var f *table
	if len(c.files) == 0 {
		f = newTable(t, c.settings...)
	} else {
		f = houseTable(t, written(c.files...), c.settings...)
	}
	f.Roller = tens
	return f.at(0, fighter("ara", "party", mage)).at(5, fighter("orc", "monsters", mage)).start()
}

// rolls tells, for every point at which something counts, how a roll there comes to be;
// the armour class is that of the roll.
var rolls = map[string]func(f *table) *eventv1.Roll{
	"attack/melee":          func(f *table) *eventv1.Roll { f.strikes("sword"); return f.Roll("attack/ara/1") },
	"attack/ranged":         func(f *table) *eventv1.Roll { f.strikes("bow"); return f.Roll("attack/ara/1") },
	"attack/spell":          func(f *table) *eventv1.Roll { f.casts("touch"); return f.Roll("attack/ara/touch") },
	"attacked/melee":        func(f *table) *eventv1.Roll { f.strikes("sword"); return f.Roll("attack/ara/1") },
	"attacked/ranged":       func(f *table) *eventv1.Roll { f.strikes("bow"); return f.Roll("attack/ara/1") },
	"attacked/spell":        func(f *table) *eventv1.Roll { f.casts("touch"); return f.Roll("attack/ara/touch") },
	"damage/melee":          func(f *table) *eventv1.Roll { f.strikes("sword"); return f.Roll("attack/ara/1/damage") },
	"damage/ranged":         func(f *table) *eventv1.Roll { f.strikes("bow"); return f.Roll("attack/ara/1/damage") },
	"damage/spell":          func(f *table) *eventv1.Roll { f.casts("touch"); return f.Roll("spell/ara/damage") },
	"armor-class":           func(f *table) *eventv1.Roll { f.strikes("sword"); return f.Roll("attack/ara/1") },
	"save/fortitude":        saveOf("fortitude"),
	"save/reflex":           saveOf("reflex"),
	"save/will":             saveOf("will"),
	"save/strength":         saveOf("strength"),
	"check/strength":        probeOf(func(r *rules.Resolution) { body.StrengthCheck(r, "ara", "probe", "probe", body.RollUpper, 12) }),
	"check/sleight-of-hand": probeOf(func(r *rules.Resolution) { resolving.RefitString(r, "ara", "bow", "probe") }),
	"check/heal": func(f *table) *eventv1.Roll { // spark.healing.heal-skill
		f.Resolve(func(r *rules.Resolution) error { return mending.StopBleeding(r, &eventv1.PatientCommand{}, "ara") })
		return f.Roll("heal-skill/ara")
	},
	"check/counterspell": func(f *table) *eventv1.Roll {
		f.Must(act("orc", declaring.KindCast, "fire", "ara"))
		f.End("ara")
		f.Answer(body.DecCounterspell, "yes")
		f.number(body.DecMana, 1)
		return f.Roll("counter/orc/ara")
	},
	"initiative": func(f *table) *eventv1.Roll {
		f.Must(act("ara", declaring.KindDeed, "", "", withParameters("text", "shuts the door")))
		f.End("orc")
		return f.Roll("order/ara")
	},
}

func (f *table) casts(spell string) {
	f.T.Helper()
	f.Must(act("ara", declaring.KindCast, spell, "orc"))
	f.End("orc")
	for len(f.Decisions) > 0 {
		f.Answer(f.Decisions[0].Name, "no")
	}
}

func probeOf(do func(r *rules.Resolution)) func(f *table) *eventv1.Roll {
	return func(f *table) *eventv1.Roll {
		f.Resolve(func(r *rules.Resolution) error { do(r); return nil })
		return f.Roll("probe")
	}
}

func saveOf(kind string) func(f *table) *eventv1.Roll {
	return probeOf(func(r *rules.Resolution) { body.Save(r, r.Creature("ara"), kind, 12, "probe", "probe") })
}

// ofWhom is the creature that an effect at a point is on, in the rolls above.
func ofWhom(point string) string {
	if point == house.PointArmor || strings.HasPrefix(point, house.PointAttacked) {
		return "orc"
	}
	return "ara"
}

// Every point of every kind that has points counts for the roll that it names, is cited
// there, and counts for nobody else's.
func TestEveryPoint(t *testing.T) {
	number := func(point string, r *eventv1.Roll) int32 {
		if point == house.PointArmor {
			return r.Target.Value
		}
		return r.Total
	}
	kinds := System{}.Content().Kinds
	for _, c := range []struct {
		kind   effects.Kind
		effect string
		holds  func(point string, plain, changed *eventv1.Roll) bool
	}{
		{effects.KindModifier, `modifier: {to: POINT, amount: "-2"}`, func(p string, a, b *eventv1.Roll) bool { return number(p, b) == number(p, a)-2 }},
		{effects.KindModifier, `modifier: {to: POINT, dice: 1d3, amount: "1"}`, func(p string, a, b *eventv1.Roll) bool { return number(p, b) == number(p, a)+1+3 }},
		{effects.KindEdge, `edge: {to: POINT, direction: disadvantage}`, func(_ string, a, b *eventv1.Roll) bool { return b.Expression == "2d20kl1" && a.Expression == "1d20" }},
		{effects.KindEdge, `edge: {to: POINT, direction: advantage}`, func(_ string, _, b *eventv1.Roll) bool { return b.Expression == "2d20kh1" }},
		{effects.KindReroll, `reroll: {to: POINT, at_least: 11}`, func(_ string, a, b *eventv1.Roll) bool { return b.Expression == a.Expression+"mi11" }},
		{effects.KindSet, `set: {value: POINT, amount: base + 5}`, func(p string, a, b *eventv1.Roll) bool { return number(p, b) == number(p, a)+5 }},
	} {
		for _, point := range kinds[c.kind] {
			t.Run(c.kind.String()+" "+point+" "+c.effect, func(t *testing.T) {
				roll := rolls[point]
				if roll == nil {
					t.Fatal("no roll is known at this point")
				}
				rule := func(whom string) []string {
					return []string{"rules.yaml", ruled("{when: 'self.id == \"" + whom + "\"', " + strings.Replace(c.effect, "POINT", point, 1) + "}")}
				}
				plain := roll(eachCase{}.field(t))
				f := eachCase{files: rule(ofWhom(point))}.field(t)
				if changed := roll(f); !c.holds(point, plain, changed) {
					t.Errorf("%s %d against %v; changed %s %d against %v", plain.Expression, plain.Total, plain.Target, changed.Expression, changed.Total, changed.Target)
				}
				f.wantCited(houseRule)
				other := map[string]string{"ara": "orc", "orc": "ara"}[ofWhom(point)]
				if same := roll(eachCase{files: rule(other)}.field(t)); same.Expression != plain.Expression || number(point, same) != number(point, plain) {
					t.Errorf("it counts for %s too", other)
				}
			})
		}
	}
	for point := range rolls {
		if !slices.Contains(kinds[effects.KindModifier], point) {
			t.Errorf("the system does not name %s", point)
		}
	}
}

// Advantage is a rule that a table may leave out: then no edge of content counts.
func TestNoEdgesWithoutAdvantage(t *testing.T) {
	c := eachCase{files: []string{"rules.yaml", ruled(`{edge: {to: attack, direction: disadvantage}}`, `{edge: {to: save, direction: advantage}}`)},
		settings: []string{body.RuleAdvantage + "=off"}}
	f := c.field(t)
	f.strikes("sword")
	if got := f.Roll("attack/ara/1").Expression; got != "1d20" {
		t.Errorf("attack %s", got)
	}
	if got := saveOf("will")(f).Expression; got != "1d20" {
		t.Errorf("save %s", got)
	}
}

// eachCase is one thing that content does, with what of the system's Support it covers:
// a kind, "trigger ...", "hook ...", "cost ..." or "extra ..." with a counter, "table ...".
type eachCase struct {
	covers   string
	files    []string
	settings []string
	do       func(t *testing.T, f *table)
}

const onAra = `when: 'self.id == "ara"', `

// rows of tables that change what tests throw.
const (
	headFumble     = "roll,class,effect,text,footnote\n"
	headSituations = "rolls,who,condition,variant,limit,gives,kind,source,rule\n"
)

var eachCases = []eachCase{
	// Kinds that hold.
	{covers: "speed", files: []string{"rules.yaml", ruled("{" + onAra + "speed: {feet: feet + 15}}")}, do: func(t *testing.T, f *table) {
		f.Must(act("ara", declaring.KindMove, "", "", to(-45)))
		if _, err := f.Creature("orc"), f.Try(act("orc", declaring.KindMove, "", "", to(50))); err == nil {
			t.Error("the orc moves 45 feet too")
		}
	}},
	{covers: "resistance", files: []string{"rules.yaml", ruled(`{when: 'self.id == "orc"', resistance: {types: [all]}}`)}, do: func(t *testing.T, f *table) {
		f.strikes("sword") // 8+3, without a type
		f.WantHP("orc", 30-5)
		f.wantCited(houseRule)
	}},
	{covers: "resistance", files: []string{"rules.yaml", ruled(`{resistance: {types: [acid], vulnerable: true}}`)}, do: func(t *testing.T, f *table) {
		f.Medicine(&eventv1.Harm{Deed: body.DeedDamage, Target: "orc", Cause: "x", Parts: []*eventv1.DamagePart{{Type: "acid", Rolled: 4}, {Type: "cold", Rolled: 4}}})
		f.WantHP("orc", 30-8-4)
	}},
	{covers: "immunity", files: []string{"rules.yaml", ruled(`{when: 'self.id == "orc"', immunity: {types: [acid], conditions: [shaken]}}`)}, do: func(t *testing.T, f *table) {
		f.Medicine(&eventv1.Harm{Deed: body.DeedDamage, Target: "orc", Cause: "x", Parts: []*eventv1.DamagePart{{Type: "acid", Rolled: 9}}})
		f.WantHP("orc", 30)
		f.Resolve(func(r *rules.Resolution) error {
			if body.Lay(r, "orc", &eventv1.Condition{Name: body.CondShaken}) || !body.Lay(r, "ara", &eventv1.Condition{Name: body.CondShaken}) {
				t.Error("who is shaken is the wrong one")
			}
			return nil
		})
	}},
	{covers: "critical_range", files: []string{"rules.yaml", ruled("{" + onAra + "critical_range: {from: from - 10}}")}, do: func(t *testing.T, f *table) {
		f.strikes("sword")
		f.WantAttacks("ara critical")
		f.wantCited(houseRule)
	}},
	{covers: "aura", files: []string{"feats.yaml", "- id: banner\n  effects:\n    - aura: {feet: \"10\", who: enemies, effects: [{modifier: {to: save, amount: \"-3\"}}]}\n",
		"rules.yaml", ruled(`{trigger: round-start, when: 'self.id == "orc" && round == 2', save: {save: will, dc: "8", failed: [{damage: {amount: "9"}}]}}`)},
		do: func(t *testing.T, f *table) {
			f.add(func() *eventv1.Sheet { s := fighter("bea", "party"); s.Feats = []string{"banner"}; return s }())
			f.pass()
			f.WantHP("orc", 30) // bea has no place: nobody knows whether she is near
			f.Place("bea", 10, 0)
			f.Resolve(func(r *rules.Resolution) error {
				body.Save(r, r.Creature("orc"), "will", 8, "probe", "probe")
				return nil
			})
			if got := f.Roll("probe").Total; got != 7 {
				t.Errorf("will %d, want 7", got)
			}
		}},
	{covers: "bar", files: []string{"rules.yaml", ruled("{"+onAra+"bar: {action: charge}}", `{when: 'self.id == "orc"', bar: {action: opportunity-attack}}`)},
		do: func(t *testing.T, f *table) {
			wantRefused(t, f.Try(act("ara", declaring.KindCharge, "sword", "orc", to(-5))), houseRule)
			for _, o := range f.listed("ara", declaring.KindCharge, "sword") {
				if o.Legal || o.Rule != houseRule {
					t.Errorf("the option is %v", o)
				}
			}
			f.Must(act("ara", declaring.KindMove, "", "", to(-30)))
			f.End("orc")
			if len(f.Decisions) > 0 {
				t.Errorf("asked %v", f.Decisions)
			}
		}},
	{covers: "replace", files: []string{"rules.yaml", ruled("{" + onAra + "replace: {action: charge, by: bull-rush}}")}, do: func(t *testing.T, f *table) {
		f.Place("orc", 20, 0)
		f.Must(act("ara", declaring.KindCharge, "sword", "orc", to(15)))
		f.End("orc")
		f.number(body.DecPush, 5)
		f.WantHP("orc", 30)
	}},
	{covers: "no_provoke", files: []string{"rules.yaml", ruled("{" + onAra + "no_provoke: {}}")}, do: func(t *testing.T, f *table) {
		if o := moveOption(t, f, "ara"); len(o.Provokes) > 0 {
			t.Errorf("provokes %v", o.Provokes)
		}
		f.Must(act("ara", declaring.KindMove, "", "", to(-30), withFacts("provokes", []any{"orc"})))
		f.End("orc")
		if len(f.Decisions) > 0 || f.Creature("ara").Position.X != -30 {
			t.Errorf("asked %v", f.Decisions)
		}
		f.wantCited(houseRule)
	}},
	// Costs and extra actions.
	{covers: "cost mana", files: []string{"rules.yaml", ruled("{" + onAra + "cost: {action: cast, counter: mana, amount: cost + 1}}")}, do: func(t *testing.T, f *table) {
		if o := f.listed("ara", declaring.KindCast, "touch")["Cast a spell"]; o.GetCosts()[body.CMana] != 4 {
			t.Errorf("costs %v", o.GetCosts())
		}
		f.Count("ara", body.CMana, 3)
		wantRefused(t, f.Try(act("ara", declaring.KindCast, "touch", "orc")), "spark.spell.countered-mana-lost")
		f.Count("ara", body.CMana, 10)
		f.casts("touch")
		if got := f.Creature("ara").Counters[body.CMana]; got != 6 {
			t.Errorf("%d mana left, want 6", got)
		}
	}},
	{covers: "cost free", files: []string{"rules.yaml", ruled("{cost: {action: speak, counter: free, amount: cost + 2}}")}, do: func(t *testing.T, f *table) {
		f.Must(act("ara", declaring.ActSpeak, "", "", withParameters("text", "help me")))
		if got := f.Creature("ara").Counters[body.CFree]; got != 2 {
			t.Errorf("%d free actions left, want 2", got)
		}
		wantRefused(t, f.Try(act("ara", declaring.ActSpeak, "", "", withParameters("text", "help me"))), "spark.action.free")
	}},
	{covers: "cost reaction", files: []string{"rules.yaml", ruled(`{when: 'self.id == "orc"', cost: {action: opportunity-attack, counter: reaction, amount: "0"}}`)},
		do: func(t *testing.T, f *table) {
			f.Must(act("ara", declaring.KindMove, "", "", to(-30)))
			f.End("orc")
			f.Answer(body.DecOpportunity, "sword")
			if slices.Contains(f.spends(body.CReaction), "orc") {
				t.Error("the reaction is spent")
			}
			f.WantHP("ara", 30-11)
		}},
	{covers: "cost reaction", files: []string{"rules.yaml", ruled(`{when: 'self.id == "orc"', cost: {action: opportunity-attack, counter: reaction, amount: "2"}}`)},
		do: func(t *testing.T, f *table) {
			// It has one reaction and needs two: no square is listed as one to which the way
			// is answered, and none is.
			o := moveOption(t, f, "ara")
			if len(o.Squares) == 0 || slices.ContainsFunc(o.Squares, func(s *eventv1.Square) bool { return len(s.Provokes) > 0 }) {
				t.Errorf("%d squares, some provoke", len(o.Squares))
			}
			f.Must(act("ara", declaring.KindMove, "", "", to(-30)))
			f.End("orc")
			if len(f.Decisions) > 0 || f.Creature("ara").Position.X != -30 {
				t.Errorf("asked %v", f.Decisions)
			}
		}},
	{covers: "extra reaction", files: []string{"rules.yaml", ruled(`{when: 'self.id == "orc"', extra_action: {counter: reaction}}`)}, do: func(t *testing.T, f *table) {
		f.add(func() *eventv1.Sheet { s := fighter("bea", "party"); return s }())
		f.Place("bea", 5, 5)
		f.Must(act("ara", declaring.KindMove, "", "", to(-30)))
		f.Must(act("bea", declaring.KindMove, "", "", func(x *eventv1.TakeAction) { x.Path = []*eventv1.Position{{X: 5, Y: 35}} }))
		f.End("orc")
		f.Answer(body.DecOpportunity, "sword")
		f.Answer(body.DecOpportunity, "sword")
		f.WantHP("ara", 30-11)
		f.WantHP("bea", 30-11)
	}},
	{covers: "extra bonus", files: []string{"rules.yaml", ruled("{" + onAra + `extra_action: {counter: bonus, amount: "-1"}}`)}, do: func(t *testing.T, f *table) {
		sheet := fighter("cid", "party", func(s *eventv1.SparkSheet) {
			s.Items = []*eventv1.SparkItem{{Name: "draught", Kind: "potion", Uses: 1, Healing: "1d4"}}
		})
		f.add(sheet)
		f.Must(act("cid", declaring.KindMove, "", "", withParameters("bonus", "potion:draught")))
		g := f.Creature("ara")
		g.Sheet.GetSpark().Items, g.Counters[body.CLeft+"draught"] = sheet.GetSpark().Items, 1
		wantRefused(t, f.Try(act("ara", declaring.KindMove, "", "", withParameters("bonus", "potion:draught"))), "spark.action.bonus")
	}},
	{covers: "extra bonus", settings: []string{body.RuleAlt + "=on"}, files: []string{"rules.yaml", ruled("{" + onAra + "extra_action: {counter: bonus}}")}, do: func(t *testing.T, f *table) {
		g := f.Creature("ara")
		g.Sheet.GetSpark().Items, g.Counters[body.CLeft+"draught"] = []*eventv1.SparkItem{{Name: "draught", Kind: "potion", Uses: 1, Healing: "1d4"}}, 1
		f.Roller = nil
		f.Must(act("ara", declaring.KindAttack, "sword", "orc", withParameters("bonus", "potion:draught")))
		f.End("orc", 1, 7) // a natural 1, and the blade sticks: the second bonus action pulls at it
		f.Answer(body.DecFree, "yes", 15, 2)
		if c := f.Creature("ara"); c.Marks[body.MStuck+"sword"] != "" || c.Counters[body.CLeft+"draught"] != 0 {
			t.Errorf("%v, %v", c.Marks, c.Counters)
		}
	}},
	{covers: "extra free", files: []string{"rules.yaml", ruled("{" + onAra + `extra_action: {counter: free, amount: "-5"}}`)}, do: func(t *testing.T, f *table) {
		wantRefused(t, f.Try(act("ara", declaring.ActFree, "", "")), "spark.action.free")
		f.Must(act("orc", declaring.ActFree, "", ""))
	}},
	// Triggers, each with a kind that happens.
	{covers: "trigger hit, damage", files: []string{"rules.yaml", ruled("{" + onAra + "trigger: hit, damage: {dice: 1d6, amount: \"1\", type: fire}}")}, do: func(t *testing.T, f *table) {
		f.strikes("sword")
		f.WantHP("orc", 30-11-7)
		f.wantCited(houseRule)
	}},
	{covers: "trigger miss, condition", files: []string{"rules.yaml", ruled("{" + onAra + "trigger: miss, whom: self, condition: {condition: shaken, rounds: \"1\"}}")}, do: func(t *testing.T, f *table) {
		f.Roller = func(sides int) int { return min(sides, 3) }
		f.strikes("sword")
		if !body.Has(f.Creature("ara"), body.CondShaken) || body.Has(f.Creature("orc"), body.CondShaken) {
			t.Error("ara is not shaken")
		}
		f.pass() // the one round
		if body.Has(f.Creature("ara"), body.CondShaken) {
			t.Error("it does not end")
		}
	}},
	{covers: "trigger critical, save", files: []string{"rules.yaml", ruled("{" + onAra + "trigger: critical, save: {save: fortitude, dc: \"15\", half: true, failed: [{damage: {amount: \"9\"}}]}}")},
		do: func(t *testing.T, f *table) {
			f.Roller = func(sides int) int {
				if sides == 20 {
					return 20
				}
				return 1
			}
			f.Creature("orc").Hp, f.Creature("orc").HpMax = ptr(100), ptr(100)
			f.strikes("sword") // 5 times 1+3, then half of 9
			f.WantHP("orc", 100-20-4)
		}},
	{covers: "trigger hurt", files: []string{"rules.yaml", ruled(`{when: 'self.id == "orc" && damage > 5', trigger: hurt, whom: actor, damage: {amount: "2"}}`)}, do: func(t *testing.T, f *table) {
		f.strikes("sword")
		f.WantHP("ara", 28)
		f.WantHP("orc", 19)
	}},
	{covers: "trigger kill, healing", files: []string{"rules.yaml", ruled("{" + onAra + "trigger: kill, whom: self, healing: {dice: 1d4, amount: \"1\"}}")}, do: func(t *testing.T, f *table) {
		f.Hurt("orc", 5)
		f.Hurt("ara", 10)
		f.strikes("sword")
		f.WantHP("ara", 15)
		f.WantLife("orc", eventv1.LifeStatus_LIFE_STATUS_DEAD)
	}},
	{covers: "trigger cast, temporary_hit_points", files: []string{"spells.yaml",
		"- id: ward\n  data: {mana_cost: 1, dc: 10, delivery: other}\n  effects:\n    - {trigger: cast, temporary_hit_points: {amount: \"6\"}}\n"}, do: func(t *testing.T, f *table) {
		f.add(fighter("wen", "party", mage, func(s *eventv1.SparkSheet) { s.Spells = []*eventv1.SparkSpell{{Use: "ward"}} }))
		f.Must(act("wen", declaring.KindCast, "ward", ""))
		f.End("ara")
		f.End("orc")
		f.Answer(body.DecCounterspell, "no")
		if got := f.Creature("wen").GetHpTemp(); got != 6 {
			t.Errorf("%d temporary hit points", got)
		}
		f.Medicine(&eventv1.Harm{Deed: body.DeedDamage, Target: "wen", Cause: "x", Parts: []*eventv1.DamagePart{{Rolled: 8}}})
		f.WantHP("wen", 28)
	}},
	{covers: "trigger save-failed, trigger save-passed", files: []string{"rules.yaml",
		ruled(`{when: 'self.id == "orc"', trigger: save-failed, damage: {amount: "1"}}`, `{when: 'self.id == "orc"', trigger: save-passed, whom: actor, damage: {amount: "2"}}`)}, do: func(t *testing.T, f *table) {
		f.Creature("orc").Sheet.GetSpark().Reflex = -5
		f.casts("fire") // 12, and it fails
		f.WantHP("orc", 30-12-1)
		f.Creature("orc").Sheet.GetSpark().Reflex = 10
		f.casts("fire") // half, and it is made
		f.WantHP("orc", 30-12-1-6)
		f.WantHP("ara", 28)
	}},
	{covers: "trigger turn-start, trigger turn-end, trigger round-start", files: []string{"rules.yaml", ruled("{"+onAra+"trigger: turn-start, damage: {amount: \"1\"}}",
		"{"+onAra+"trigger: turn-end, damage: {amount: \"2\"}}", "{"+onAra+"trigger: round-start, damage: {amount: \"4\"}}")}, do: func(t *testing.T, f *table) {
		f.WantHP("ara", 30-5)
		f.pass()
		f.WantHP("ara", 30-5-7)
	}},
	{covers: "trigger enter", files: []string{"rules.yaml", ruled(`{when: 'self.side == "party"', trigger: enter, damage: {amount: "3"}}`)}, do: func(t *testing.T, f *table) {
		f.WantHP("ara", 27)
		f.WantHP("orc", 30)
		f.add(fighter("late", "party"))
		f.WantHP("late", 27)
	}},
	{covers: "use", files: []string{"rules.yaml", ruled("{"+onAra+"trigger: hit, use: {resource: mana, amount: \"3\"}}", "{"+onAra+"trigger: hit, use: {resource: draught}}",
		"{"+onAra+"trigger: hit, use: {resource: ammunition.bow}}")}, do: func(t *testing.T, f *table) {
		f.Creature("ara").Counters[body.CLeft+"draught"] = 2
		f.strikes("sword")
		if n := f.Creature("ara").Counters; n[body.CMana] != 17 || n[body.CLeft+"draught"] != 1 || n[body.CAmmunition+"bow"] != 11 {
			t.Errorf("counters %v", n)
		}
	}},
	{covers: "condition", files: []string{"rules.yaml", ruled("{"+onAra+"trigger: hit, condition: {condition: frightened}}", `{when: 'self.id == "orc"', trigger: hit, whom: self, condition: {condition: frightened, remove: true}}`)},
		do: func(t *testing.T, f *table) {
			f.strikes("sword")
			if x := body.Conditions.On(f.Creature("orc"), body.CondFrightened); x.GetSource() != "ara" || x.Rule != houseRule {
				t.Fatalf("%v", x)
			}
			f.pass()
			f.Must(act("orc", declaring.KindAttack, "sword", "ara"))
			f.pass()
			if body.Has(f.Creature("orc"), body.CondFrightened) {
				t.Error("it is frightened still")
			}
		}},
	// Hooks.
	{covers: "hook push", files: []string{"rules.yaml", ruled("{" + onAra + "trigger: hit, hook: {name: push, values: {feet: \"10\"}}}")}, do: func(t *testing.T, f *table) {
		f.strikes("sword")
		if x := f.Creature("orc").Position.X; x != 15 {
			t.Errorf("the orc stands at %d", x)
		}
	}},
	{covers: "hook drop", files: []string{"rules.yaml", ruled("{" + onAra + "trigger: hit, hook: {name: drop}}")}, do: func(t *testing.T, f *table) {
		f.strikes("sword")
		wantRefused(t, f.Try(act("orc", declaring.KindAttack, "sword", "ara")), "spark.fumble.drop-weapon")
		f.pass()
		f.Must(act("orc", declaring.KindAttack, "sword", "ara"))
	}},
	{covers: "hook crack", files: []string{"rules.yaml", ruled("{" + onAra + "trigger: hit, hook: {name: crack, values: {weapon: bow}}}")}, do: func(t *testing.T, f *table) {
		f.strikes("sword")
		wantRefused(t, f.Try(act("orc", declaring.KindAttack, "bow", "ara")), "spark.fumble.weapon-cracked")
	}},
	{covers: "hook injure", files: []string{"injuries.yaml", "- id: scar\n  effects:\n    - {modifier: {to: save/will, amount: \"-4\"}}\n",
		"rules.yaml", ruled("{"+onAra+"trigger: hit, hook: {name: injure, values: {kind: scar}}}", "{"+onAra+"trigger: hit, hook: {name: injure, values: {kind: broken-wrist}}}")}, do: func(t *testing.T, f *table) {
		f.strikes("sword")
		wantRefused(t, f.Try(act("orc", declaring.KindAttack, "sword", "ara")), "spark.fumble.wrist-breaks")
		f.Resolve(func(r *rules.Resolution) error {
			body.Save(r, r.Creature("orc"), "will", 8, "probe", "probe")
			return nil
		})
		if got := f.Roll("probe").Total; got != 6 {
			t.Errorf("will %d, want 6", got)
		}
	}},
	{covers: "hook mana", files: []string{"rules.yaml", ruled("{"+onAra+"trigger: hit, hook: {name: mana, values: {dice: 1d4}}}", "{"+onAra+"trigger: hit, hook: {name: mana, values: {amount: \"-1\"}}}")}, do: func(t *testing.T, f *table) {
		f.strikes("sword")
		if got := f.Creature("orc").Counters[body.CMana]; got != 15 {
			t.Errorf("%d mana, want 15", got)
		}
	}},
	{covers: "hook lose-turn", files: []string{"rules.yaml", ruled("{"+onAra+"trigger: hit, hook: {name: lose-turn}}", `{when: 'self.id == "orc" && round == 3', trigger: turn-start, hook: {name: lose-turn}}`)}, do: func(t *testing.T, f *table) {
		f.Creature("ara").Sheet.GetSpark().Weapons[0].AttackModifier = 9 // before the orc's 15
		f.Must(act("orc", declaring.KindAttack, "sword", "ara"))
		f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
		f.WantAttacks("ara hit", "orc lost")
		f.pass()
		f.WantActive("ara")
	}},
	// Tables.
	{covers: "table fumble", files: []string{"pack.yaml", "name: t\nversion: \"1\"\nsystem: spark\ntitle: T\ntables:\n  - {name: fumble, key_columns: 2}\n",
		"tables/fumble.csv", headFumble + "2,S,trip-one-round,the blade drags the arm,\n"}, do: func(t *testing.T, f *table) {
		f.Roller = func(int) int { return 1 }
		f.strikes("sword")
		if !slices.Contains(f.fumbleRules(), "house.t.table-fumble") || !body.Has(f.Creature("ara"), body.CondStumbled) {
			t.Errorf("%v, %v", f.fumbleRules(), f.Creature("ara").Conditions)
		}
	}},
	{covers: "table alt_fumble", settings: []string{body.RuleAlt + "=on"}, files: []string{"pack.yaml", "name: t\nversion: \"1\"\nsystem: spark\ntitle: T\ntables:\n  - {name: alt_fumble, key_columns: 2}\n",
		"tables/alt_fumble.csv", "roll,class,effect,text\n1-2,MW,alt-wild-swing,it is all air\n"}, do: func(t *testing.T, f *table) {
		f.Roller = func(int) int { return 1 }
		f.strikes("sword")
		if !slices.Contains(f.fumbleRules(), "house.t.table-alt-fumble") || f.Creature("orc").Counters[body.CAdvantage] != 1 {
			t.Errorf("%v, %v", f.fumbleRules(), f.Creature("orc").Counters)
		}
	}},
	{covers: "table multiplier", files: []string{"tables/multiplier.csv", "roll,multiplier\n20,7\n"}, do: func(t *testing.T, f *table) {
		f.Roller = func(sides int) int {
			if sides == 20 {
				return 20
			}
			return 1
		}
		f.Creature("orc").Hp, f.Creature("orc").HpMax = ptr(100), ptr(100)
		f.strikes("sword")
		f.WantHP("orc", 100-7*4)
		f.wantCited("house.t.table-multiplier")
	}},
	{covers: "table mana", files: []string{"tables/mana.csv", "mana_used,modifier\n1,-3\n"}, do: nil},
	{covers: "table mana", files: []string{"pack.yaml", "name: t\nversion: \"1\"\nsystem: spark\ntitle: T\ntables:\n  - {name: mana, whole: true}\n", "tables/mana.csv", "mana_used,modifier\n1,6\n"},
		do: func(t *testing.T, f *table) {
			if got := rolls["check/counterspell"](f).Total; got != 10+6+5 {
				t.Errorf("total %d, want 21", got)
			}
			f.wantCited("house.t.table-mana")
		}},
	{covers: "table hardness", files: []string{"tables/hardness.csv", "material,thickness,dc\nbone,,9\nwood,2 in,10\n"}, do: func(t *testing.T, f *table) {
		sheet := fighter("cid", "party")
		sheet.GetSpark().Weapons[0].Material = "bone"
		f.add(sheet)
		if dc := body.HardnessOf(f.Content, f.Creature("cid").Sheet.GetSpark().Weapons[0]); dc.Value != 9 || dc.Rule != "house.t.table-hardness" {
			t.Errorf("%v", dc)
		}
		f.Must(act("ara", declaring.KindBash, "", "", withParameters("object", "door", "material", "wood")))
		f.pass()
		if f.State.Marks[body.MObject+"door"] != body.Broken {
			t.Errorf("marks %v", f.State.Marks)
		}
		f.wantCited("house.t.table-hardness")
	}},
	{covers: "table situations", files: []string{"pack.yaml", "name: t\nversion: \"1\"\nsystem: spark\ntitle: T\ntables:\n  - {name: situations, key_columns: 3}\n",
		"tables/situations.csv", headSituations + "attack,self,prone,,,-4,,prone,spark.condition.prone\n"}, do: func(t *testing.T, f *table) {
		f.Afflict("ara", body.CondProne)
		f.strikes("sword")
		if got := f.Roll("attack/ara/1").Total; got != 11 {
			t.Errorf("total %d, want 11", got)
		}
		f.wantCited("house.t.table-situations")
	}},
}

// Whatever the system says that it carries out changes what comes of a fight.
func TestEverythingSupported(t *testing.T) {
	covered := map[string]bool{"modifier": true, "edge": true, "reroll": true, "set": true} // by TestEveryPoint
	for _, c := range eachCases {
		if c.do == nil { // a pack that is refused
			if _, problems := bookOf(t, written(c.files...)); problems == nil {
				t.Errorf("%s: %v is taken", c.covers, c.files)
			}
			continue
		}
		for _, what := range strings.Split(c.covers, ", ") {
			covered[what] = true
		}
		t.Run(c.covers, func(t *testing.T) { c.do(t, c.field(t)) })
	}
	s := System{}.Content()
	var all []string
	for k := range s.Kinds { // order-free: each is looked up
		switch k {
		case effects.KindCost, effects.KindExtraAction, effects.KindHook:
		default:
			all = append(all, k.String())
		}
	}
	for _, group := range []struct {
		word string
		list []string
	}{{"trigger ", s.Triggers}, {"hook ", s.Hooks}, {"cost ", s.Counters}, {"extra ", s.Extra}, {"table ", body.Decided}} {
		for _, name := range group.list {
			all = append(all, group.word+name)
		}
	}
	for _, what := range all {
		if !covered[what] {
			t.Errorf("%s is claimed and not shown", what)
		}
	}
}
