package spark

import (
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/pack"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// bookOf is the content of a pack; the problems of one that is amiss.
func bookOf(t testing.TB, folder fs.FS) (*effects.Book, pack.Problems) {
	t.Helper()
	return rulestest.Check(t, System{}, folder)
}

// written is a pack whose files are given as name and text in turn.
func written(files ...string) fs.FS {
	all := map[string]string{}
	for i := 0; i < len(files); i += 2 {
		all[files[i]] = files[i+1]
	}
	return rulestest.Written(System{}, "t", all)
}

// houseTable is a fight with a pack.
func houseTable(t testing.TB, folder fs.FS, settings ...string) *table {
	t.Helper()
	b, problems := bookOf(t, folder)
	if problems != nil {
		t.Fatal(problems)
	}
	f := rulestest.NewWith(t, System{}, b, settings...)
	f.Settled = true
	return &table{f}
}

// forge is a fight with the example of a table's own content.
func forge(t *testing.T, settings ...string) *table {
	t.Helper()
	return houseTable(t, rulestest.Example(t, "example-spark"), settings...)
}

// smith is a fighter of the example's table: level 4, forge hammer at +5 and 1d8+3,
// quarrel bow at +5, coat and stone worn, a caster of its spells.
func smith(id string, change ...func(*eventv1.Sheet)) *eventv1.Sheet {
	s := fighter(id, "party", mage, func(s *eventv1.SparkSheet) {
		s.Weapons = []*eventv1.SparkWeapon{{Use: "forge-hammer", AttackModifier: 5, DamageBonus: 3}, {Use: "quarrel-bow", AttackModifier: 5}}
		s.Spells = append(s.Spells, &eventv1.SparkSpell{Use: "spark-burst"}, &eventv1.SparkSpell{Use: "hex-of-weights"})
	})
	s.Wears, s.Feats = []string{"slag-coat", "steady-stone"}, []string{"finisher", "Thrifty caster"}
	for _, c := range change {
		c(s)
	}
	return s
}

// citing tells whether an event names a rule: itself, or in a part of it.
func citing(e *eventv1.Event, rule string) bool {
	if slices.Contains(e.Rules, rule) {
		return true
	}
	roll := e.GetRoll()
	has := slices.ContainsFunc(roll.GetModifiers(), func(m *eventv1.Modifier) bool { return m.Rule == rule }) ||
		slices.ContainsFunc(roll.GetEdges(), func(x *eventv1.Edge) bool { return x.Rule == rule }) ||
		slices.ContainsFunc(roll.GetTarget().GetModifiers(), func(m *eventv1.Modifier) bool { return m.Rule == rule })
	return has || slices.ContainsFunc(e.GetDamage().GetParts(), func(p *eventv1.DamagePart) bool { return p.Rule == rule })
}

func (f *table) cited(rule string) bool {
	return slices.ContainsFunc(f.Events, func(e *eventv1.Event) bool { return citing(e, rule) })
}

// wantCited holds that the events of the last command cite entries of a pack.
func (f *table) wantCited(rules ...string) {
	f.T.Helper()
	for _, rule := range rules {
		if !f.cited(rule) {
			f.T.Errorf("nothing cites %s", rule)
		}
	}
}

const forged = "house.example-spark."

// What a sheet takes from the pack stands on it; what it says itself counts.
func TestSheetsTakeFromThePack(t *testing.T) {
	f := forge(t).add(smith("a"))
	s := f.Creature("a").Sheet.GetSpark()
	hammer, bow, spell := s.Weapons[0], s.Weapons[1], s.Spells[4]
	if hammer.Name != "Forge hammer" || hammer.AttackModifier != 5 || hammer.DamageDice != "1d8" || hammer.Material != "mithral" || hammer.Use != "forge-hammer" {
		t.Errorf("hammer %v", hammer)
	}
	if bow.RangeFeet != 60 || bow.ReachFeet != 5 && bow.ReachFeet != 0 || bow.GetMissiles() != 10 || !bow.Launcher || !bow.Magical {
		t.Errorf("bow %v", bow)
	}
	if spell.Name != "Spark burst" || spell.ManaCost != 6 || spell.Save != "reflex" {
		t.Errorf("spell %v", spell)
	}
	if f.Creature("a").Counters[body.CAmmunition+"Quarrel bow"] != 10 {
		t.Errorf("counters %v", f.Creature("a").Counters)
	}
	wrong := func(field, hint string, change func(*eventv1.Sheet)) {
		t.Helper()
		sheet := fighter("x", "party")
		change(sheet)
		err := f.Try(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: sheet}}})
		if x, ok := fault.As(err); !ok || len(x.Violations) == 0 || x.Violations[0].Field != field || !strings.Contains(x.Violations[0].Description, hint) {
			t.Errorf("got %v, want a fault about %s with %q", err, field, hint)
		}
	}
	wrong("sheet.spark.weapons[0].use", "forge-hammer", func(s *eventv1.Sheet) { s.GetSpark().Weapons[0] = &eventv1.SparkWeapon{Use: "forge-hamer"} })
	wrong("sheet.feats[0]", "finisher", func(s *eventv1.Sheet) { s.Feats = []string{"finishr"} })
	wrong("sheet.wears[0]", "slag-coat", func(s *eventv1.Sheet) { s.Wears = []string{"slag-cote"} })
	wrong("sheet.spark.feats[0]", "watchful", func(s *eventv1.Sheet) { s.GetSpark().Feats = []*eventv1.SparkFeat{{Name: "watchfull"}} })
	named := fighter("n", "party", func(s *eventv1.SparkSheet) { s.Feats = []*eventv1.SparkFeat{{Name: "Watchful"}} })
	f.add(named).start()
	if got := f.Creature("n").Counters[body.CReaction]; got != 2 {
		t.Errorf("%d reactions of a watchful one, want 2", got)
	}
}

// A blow by the table's own rules: what counts is cited, and the numbers are those
// that a reader of the pack computes.
func TestFightByHouseRules(t *testing.T) {
	orc := fighter("orc", "monsters", func(s *eventv1.SparkSheet) { s.ArmorClass, s.Level = 14, 1 })
	orc.HitPoints = 40
	f := forge(t).at(0, smith("ara")).at(5, orc).start()

	// 8 on the die, +5, +1 of the hammer: 14 hits AC 14. 1d4 fire shows 2, 1d8 shows 7: 7+3 and 2.
	f.strikes("Forge hammer", 8, 2, 7)
	f.WantAttacks("ara hit")
	f.WantHP("orc", 40-10-2)
	f.wantCited(forged + "forge-hammer")

	// A natural 19 is critical with it: face 20 of the second d20 counts six times by the
	// table's own row, 6*(1+3) and 6*1 of fire = 30, and the orc is out.
	f.strikes("Forge hammer", 19, 20, 1, 1)
	f.WantAttacks("ara critical")
	f.wantCited(forged+"table-multiplier", forged+"second-wind")
	f.WantHP("orc", 0)
	if got := f.Creature("ara").GetHpTemp(); got != 4 {
		t.Errorf("%d temporary hit points, want 4", got)
	}
}

// Half its hit points and less, and the finisher strikes for half his level more; the
// critical lets the head ring, which a save ends in a later round.
func TestFinisherAndRinging(t *testing.T) {
	orc := fighter("orc", "monsters", mage)
	orc.HitPoints = 100
	f := forge(t).at(0, smith("ara")).at(5, orc).start()
	f.Hurt("orc", 50)
	// Critical, times 1 (face 1): 4+3+2 and 1 of fire; fortitude 2 against 16 fails.
	f.strikes("Forge hammer", 20, 1, 1, 4, 2)
	f.WantHP("orc", 50-4-3-2-1)
	f.wantCited(forged+"finisher", forged+"forge-hammer")
	if !body.Has(f.Creature("orc"), "ringing") {
		t.Fatalf("orc %v", f.Creature("orc").Conditions)
	}
	// It holds for the next round. It does not cast; its blow has disadvantage; its next save ends it.
	wantRefused(t, f.Try(act("orc", declaring.KindCast, "fire", "ara")), forged+"ringing")
	f.Must(act("orc", declaring.KindAttack, "sword", "ara"))
	f.End("ara", 18, 3, 17)
	if roll := f.Roll("attack/orc/1"); roll.Expression != "2d20kl1" || roll.Target.Value != 16 {
		t.Errorf("attack %s against %d", roll.Expression, roll.Target.Value)
	}
	f.wantCited(forged+"ringing", forged+"slag-coat")
	if body.Has(f.Creature("orc"), "ringing") {
		t.Error("17 against 16 does not end it")
	}
}

// The coat gives the armour class, slows, and keeps fire off; the stone keeps its
// bearer on the feet.
func TestWhatIsWornCounts(t *testing.T) {
	f := forge(t).at(0, smith("ara")).at(5, fighter("orc", "monsters")).start()
	if got := body.SpeedOf(f.Creature("ara")); got != 25 {
		t.Errorf("speed %d, want 25", got)
	}
	f.Medicine(&eventv1.Harm{Deed: body.DeedDamage, Target: "ara", Cause: "test", Parts: []*eventv1.DamagePart{{Type: "Fire", Rolled: 8}, {Type: "cold", Rolled: 2}}})
	f.WantHP("ara", 30-5-2)
	f.wantCited(forged + "slag-coat")
	f.Resolve(func(r *rules.Resolution) error {
		body.Lay(r, "ara", &eventv1.Condition{Name: body.CondProne})
		body.Lay(r, "orc", &eventv1.Condition{Name: body.CondProne})
		body.Save(r, r.Creature("ara"), "will", 12, "probe", "probe")
		return nil
	}, 10)
	if body.Has(f.Creature("ara"), body.CondProne) || !body.Has(f.Creature("orc"), body.CondProne) {
		t.Error("the stone keeps nobody, or everybody, on the feet")
	}
	if roll := f.Roll("probe"); roll.Total != 12 {
		t.Errorf("will %d, want 12", roll.Total)
	}
	f.wantCited(forged + "steady-stone")
}

// The spell bursts over everybody near its point, friend and foe, at the caster's
// price; each makes its own save.
func TestASpellWithAnArea(t *testing.T) {
	f := forge(t)
	f.at(0, smith("ara")).at(40, fighter("b", "monsters")).at(50, fighter("d", "party")).at(60, fighter("z", "monsters")).start()
	option := f.listed("ara", declaring.KindCast, "Spark burst")["Cast a spell"]
	if option.GetCosts()[body.CMana] != 4 {
		t.Errorf("costs %v, want 4 mana", option.GetCosts())
	}
	f.WantArea("ara", declaring.KindCast, "Spark burst", "sphere 10 0 target")
	f.Must(act("ara", declaring.KindCast, "Spark burst", "b"))
	f.End("b")
	f.End("d")
	// Order d20; b fails, 2d6 show 9 in all; d saves: 9 and 4. z stands 20 feet off.
	f.End("z", 10, 2, 4, 5, 19)
	f.WantHP("b", 30-9)
	f.WantHP("d", 30-4)
	f.WantHP("z", 30)
	if got := f.Creature("ara").Counters[body.CMana]; got != 20-4 {
		t.Errorf("mana %d, want 16", got)
	}
}

// A spell of the pack alone: its save, the condition that brings another and halves
// the speed, for so many rounds.
func TestConditionsThatBringOthers(t *testing.T) {
	f := forge(t).at(0, smith("ara")).at(30, fighter("orc", "monsters")).start()
	f.Must(act("ara", declaring.KindCast, "Hex of weights", "orc"))
	f.End("orc", 10, 5) // order, will 5 against 13
	f.wantCited(forged+"hex-of-weights", forged+"weighed-down")
	orc := f.Creature("orc")
	if !body.Has(orc, "weighed-down") || !body.Has(orc, body.CondProne) || body.SpeedOf(orc) != 15 {
		t.Fatalf("orc %v at %d ft", orc.Conditions, body.SpeedOf(orc))
	}
	f.pass() // round 2 of two
	f.pass()
	orc = f.Creature("orc")
	if body.Has(orc, "weighed-down") || !body.Has(orc, body.CondProne) && false || body.SpeedOf(orc) != 30 {
		t.Errorf("round %d: %v at %d ft", f.State.Round, orc.Conditions, body.SpeedOf(orc))
	}
	if body.Has(orc, body.CondProne) {
		t.Error("what it brought stays behind")
	}
}

// The hound is a creature of the pack: it walks past without being answered, and the
// options say so.
func TestACreatureOfThePack(t *testing.T) {
	f := forge(t).at(5, fighter("ara", "party"))
	f.AddAt(0, 0, &eventv1.Sheet{Use: "slag-hound"})
	f.AddAt(0, 5, &eventv1.Sheet{Use: "slag-hound", Id: "pup", Feats: []string{"watchful"}})
	f.start()
	if o := moveOption(t, f, "slag-hound"); len(o.Provokes) > 0 || slices.ContainsFunc(o.Squares, func(s *eventv1.Square) bool { return len(s.Provokes) > 0 }) {
		t.Errorf("provokes %v", o.Provokes)
	}
	if o := moveOption(t, f, "pup"); len(o.Provokes) == 0 {
		t.Error("the pup provokes nobody")
	}
	f.Must(act("slag-hound", declaring.KindMove, "", "", to(-30)))
	f.End("pup")
	f.End("ara")
	if len(f.Decisions) > 0 || f.Creature("slag-hound").Position.X != -30 {
		t.Errorf("decisions %v", f.Decisions)
	}
	f.wantCited(forged + "sure-footed")
}

// A toggle, a fumble by the table's own row, an injury of its own.
func TestTogglesTablesAndInjuries(t *testing.T) {
	f := forge(t)
	if got := f.State.Settings[forged+"long-casts"]; got != "on" {
		t.Errorf("the pack's setting is %q", got)
	}
	touch := func(s *eventv1.Sheet) {
		s.GetSpark().Spells = []*eventv1.SparkSpell{{Name: "ray", ManaCost: 1, Dc: 10, Delivery: "ranged", Attack: true, AttackModifier: 6, DamageDice: "1d4", RangeFeet: 60}}
	}
	f.at(0, smith("ara", touch)).at(40, fighter("orc", "monsters")).start()
	f.Must(act("ara", declaring.KindCast, "ray", "orc"))
	f.End("orc", 9)
	f.WantAttacks("ara miss") // 9+6-2 against 14
	f.wantCited(forged + "long-casts")
	f.Must(&eventv1.Command{What: &eventv1.Command_Set{Set: &eventv1.SetSetting{Setting: forged + "long-casts", Value: "off"}}})
	f.Must(act("ara", declaring.KindCast, "ray", "orc"))
	f.End("orc", 9, 1)
	f.WantAttacks("ara hit")

	// Class B, 2 on 2d4: by the book the hammer hits the knee, here its head flies off.
	g := forge(t).at(0, smith("ara")).at(5, fighter("orc", "monsters")).start()
	g.strikes("Forge hammer", 1, 1, 1)
	if got := g.fumbleRules(); !slices.Contains(got, forged+"table-fumble") || !slices.Contains(got, "spark.fumble.drop-weapon") {
		t.Errorf("the fumble cites %v", got)
	}
	if place := g.Creature("ara").Items["Forge hammer"].GetPlace(); place != "dropped" {
		t.Errorf("the hammer is %q", place)
	}
	g.Medicine(&eventv1.Harm{Deed: body.DeedInjure, Target: "orc", Cause: "test", Facts: map[string]string{"kind": "scorched-hand", "limb": "left"}})
	g.Must(act("orc", declaring.KindAttack, "sword", "ara"))
	g.End("ara", 12)
	g.WantAttacks("orc miss") // 12+5-2 against 16
	g.wantCited(forged + "scorched-hand")
}

// The standard helps the allies near by; embers burn at the beginning of each round.
func TestAurasAndEmbers(t *testing.T) {
	f := forge(t).at(0, smith("ara", func(s *eventv1.Sheet) { s.Feats = []string{"standard-bearer"} })).at(10, fighter("bea", "party")).at(25, fighter("far", "party")).
		at(5, fighter("orc", "monsters")).start()
	for id, want := range map[string]int32{"ara": 11, "bea": 11, "far": 10, "orc": 10} {
		f.Resolve(func(r *rules.Resolution) error {
			body.Save(r, r.Creature(id), "reflex", 12, "probe", "probe")
			return nil
		}, 10)
		if got := f.Roll("probe").Total; got != want {
			t.Errorf("%s: %d, want %d", id, got, want)
		}
	}
	f.Afflict("orc", "smouldering")
	f.pass(3)
	f.WantHP("orc", 27)
	f.wantCited(forged + "smouldering")
}

// Without content nothing of it is asked, and what content adds is not there.
func TestWithoutContent(t *testing.T) {
	f := duel(t)
	x := fighter("x", "party")
	x.Wears = []string{"slag-coat"}
	err := f.Try(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: x}}})
	if v, ok := fault.As(err); !ok || len(v.Violations) == 0 || v.Violations[0].Field != "sheet.wears[0]" {
		t.Errorf("got %v", err)
	}
	for name := range f.Creature("ara").Counters {
		if strings.HasPrefix(name, house.CounterSpeed) {
			t.Errorf("counter %s", name)
		}
	}
}

// Fights with the pack at random keep what the rules promise: what options offer is
// taken, what they refuse is refused, and a replay comes to the same state.
func TestRandomPlayWithAPack(t *testing.T) {
	b := rulestest.Book(t, System{}, rulestest.Example(t, "example-spark"))
	set := func(t *testing.T, c *rulestest.Chance) *rulestest.Table {
		f := &table{rulestest.NewWith(t, System{}, b, c.Settings(System{})...)}
		f.Settled, f.Roller = true, c.Die
		bearer := func(s *eventv1.Sheet) { s.Feats = []string{"standard-bearer", "watchful"} }
		f.at(0, smith("ara")).at(5, smith("bea", bearer)).at(30, fighter("hag", "monsters", mage)).at(20, fighter("orc", "monsters"))
		f.AddAt(15, 5, &eventv1.Sheet{Use: "slag-hound"})
		return f.start().Table
	}
	rulestest.Game{Env: os.Getenv, Seeds: 4, Steps: 100, Rounds: 40, Viewer: "ara",
		Signed: []string{house.CounterSpeed + "walk"}, Meddle: true, Set: set, Take: shapeTake, Beyond: beyondOptions,
		AnyItem: []string{declaring.ActDrop}, Hold: promised}.Play(t)
}
