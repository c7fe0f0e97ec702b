package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	thedice "github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/rcr/injuries"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// houseBook is the example of a table's own content.
func houseBook(t testing.TB) *effects.Book {
	t.Helper()
	return rulestest.Book(t, System{}, rulestest.Example(t, "example-house"))
}

// houseTable is a fight with it.
func houseTable(t *testing.T, settings ...string) *table {
	t.Helper()
	return &table{rulestest.NewWith(t, System{}, houseBook(t), append([]string{body.SetInitiativeChoice + "=best", body.SetTieBreak + "=dexterity"}, settings...)...)}
}

// stag is a fighter of the table's own: storm glaive and hearth knife, the coat
// and the charm, all feats; Strength 16, Dexterity 14.
func stag(id string, change ...func(*eventv1.Sheet)) *eventv1.Sheet {
	return fighter(id, "party", append([]func(*eventv1.Sheet){ability("strength", 16), ability("dexterity", 14), func(s *eventv1.Sheet) {
		s.Wears, s.Feats = []string{"warden-coat", "stag-charm"}, []string{"finisher", "sure-hands", "banner-bearer"}
		s.GetRcr().Attacks = []*eventv1.RcrAttack{{Use: "storm-glaive"}, {Use: "hearth-knife", Hand: "stowed"},
			{Name: "bow", Bonus: 5, RangeFeet: 80, LongRangeFeet: 320, Natural: true, Damage: []*eventv1.RcrDamage{{Dice: "1d6+3", Type: "piercing"}}}}
		s.GetRcr().Spells = []*eventv1.RcrSpell{{Use: "ember-burst"}}
		s.GetRcr().SpellSlots, s.GetRcr().SpellDc = []int32{0, 2}, 13
	}}, change...)...)
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

func (f *table) wantCited(rules ...string) {
	f.T.Helper()
	for _, rule := range rules {
		if !slices.ContainsFunc(f.Events, func(e *eventv1.Event) bool { return citing(e, rule) }) {
			f.T.Errorf("nothing cites %s", rule)
		}
	}
}

func adding(s *eventv1.Sheet) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: s}}}
}

func wantFault(t *testing.T, err error, field string) {
	t.Helper()
	if f, ok := fault.As(err); !ok || len(f.Violations) == 0 || f.Violations[0].Field != field {
		t.Errorf("got %v, want a fault about %s", err, field)
	}
}

// What a sheet takes from the pack is filled in with its wielder's abilities.
func TestSheetsTakeFromThePack(t *testing.T) {
	f := houseTable(t).add(stag("a"))
	s := f.Creature("a").Sheet.GetRcr()
	glaive, knife, spell := s.Attacks[0], s.Attacks[1], s.Spells[0]
	if glaive.Name != "Storm glaive" || glaive.Bonus != 1+3+3 || glaive.Damage[0].Dice != "1d10+3" || !glaive.Magical || glaive.Use != "storm-glaive" {
		t.Errorf("glaive %v", glaive)
	}
	if knife.Bonus != 6 || knife.Damage[0].Dice != "1d4+3" || knife.Hand != "stowed" {
		t.Errorf("knife %v", knife)
	}
	if spell.Level != 2 || spell.Targets != rules.MaxCreatures || spell.Save.GetAbility() != "dexterity" {
		t.Errorf("spell %v", spell)
	}
	err := f.Try(adding(fighter("x", "party", rcrSheet(func(s *eventv1.RcrSheet) { s.Attacks[0] = &eventv1.RcrAttack{Use: "storm-glave"} }))))
	wantFault(t, err, "sheet.rcr.attacks[0].use")
}

// A fight by the table's own rules: each thing that counts is cited by its house id.
func TestFightByHouseRules(t *testing.T) {
	f := houseTable(t).add(stag("a"), fighter("b", "monsters", ability("dexterity", 10), func(s *eventv1.Sheet) { s.HitPoints = 100 }), fighter("c", "monsters"))
	f.start(nil, 20, 5, 4)

	// The glaive's lightning, two faces of the damage rolled again.
	f.Must(act("a", "attack", "Storm glaive", "b"), 15, 1, 9, 2, 3)
	f.wantCited("house.example-house.storm-glaive", "house.example-house.sure-hands")
	if got := f.DamageTo("b"); got != 9+3+3 {
		t.Errorf("damage %d, want 15", got)
	}

	// The finisher strikes at half hit points; a critical stuns and gives breath.
	f.Hurt("b", 45)
	f.End("a", 20)
	f.End("b", 5)
	f.End("c", 4)
	f.Must(act("a", "attack", "Storm glaive", "b"), 20, 5, 6, 4, 4, 3)
	f.wantCited("house.example-house.finisher", "house.example-house.second-wind", "house.example-house.storm-glaive")
	if !body.Has(f.Creature("b"), body.CondStunned) {
		t.Errorf("b is not stunned: %v", f.Creature("b").Conditions)
	}
	if got := f.Creature("a").GetHpTemp(); got != 3 {
		t.Errorf("%d temporary hit points, want 3", got)
	}
}

// The coat gives the armour class; the banner helps the ally beside; the charm
// keeps its bearer on the feet.
func TestWhatIsWornAndHeldCounts(t *testing.T) {
	f := houseTable(t)
	f.AddAt(0, 0, stag("a"))
	f.AddAt(5, 0, fighter("d", "party"))
	f.AddAt(0, 5, fighter("b", "monsters"))
	f.start(nil, 5, 20, 4)
	f.Must(act("b", "attack", "sword", "a"), 9)
	if roll := f.Roll("/to-hit"); roll.Target.Value != 15 {
		t.Errorf("armour class %d, want 15", roll.Target.Value)
	}
	f.wantCited("house.example-house.warden-coat")
	for id, want := range map[string]int{"a": 1, "d": 1, "b": 0} {
		f.Resolve(func(r *rules.Resolution) error {
			thedice.RollSave(r, "probe", r.Creature(id), "wisdom", 10, "", nil, body.SaveOpts{})
			return nil
		}, 10)
		n := 0
		for _, m := range f.Roll("probe").Modifiers {
			if m.Rule == "house.example-house.banner-bearer" {
				n++
			}
		}
		if n != want {
			t.Errorf("%s: the banner counts %d times, want %d", id, n, want)
		}
	}
	f.Resolve(func(r *rules.Resolution) error {
		movement.LayEffect(r, r.Creature("b"), r.Creature("a"), "shove", &eventv1.RcrEffect{Condition: body.CondProne}, nil)
		return nil
	})
	if body.Has(f.Creature("a"), body.CondProne) {
		t.Error("the charm does not keep it on its feet")
	}
	f.wantCited("house.example-house.stag-charm")
}

// The spell bursts over everybody near its point, friend and foe; whoever fails
// smoulders and burns at the start of its turn.
func TestASpellWithAnArea(t *testing.T) {
	f := houseTable(t)
	f.AddAt(0, 0, stag("a"))
	f.AddAt(40, 0, fighter("b", "monsters"))
	f.AddAt(50, 0, fighter("d", "party"))
	f.AddAt(60, 0, fighter("z", "monsters"))
	f.start(nil, 20, 15, 4, 3)
	f.WantArea("a", "cast", "Ember burst", "sphere 10 0 target")
	f.Must(act("a", "cast", "Ember burst", "b"), 4, 5, 6, 2, 19)
	if b, d, z := f.DamageTo("b"), f.DamageTo("d"), f.DamageTo("z"); b != 15 || d != 7 || z != 0 {
		t.Errorf("damage to b %d, d %d, z %d; want 15, 7, 0", b, d, z)
	}
	if x := body.Condition(f.Creature("b"), "smouldering"); x == nil || body.Has(f.Creature("d"), "smouldering") {
		t.Errorf("b %v, d %v", f.Creature("b").Conditions, f.Creature("d").Conditions)
	}
	f.End("a", 10, 3)
	f.wantCited("house.example-house.smouldering")
	f.WantHP("b", 40-15-3)
}

// A house rule that is a toggle, a changed row of a table, conditions that bring
// others and halve a speed.
func TestTogglesTablesAndConditions(t *testing.T) {
	f := houseTable(t)
	if got := f.State.Settings["house.example-house.long-shots"]; got != "on" {
		t.Errorf("the pack's setting is %q", got)
	}
	f.AddAt(0, 0, stag("a"))
	f.AddAt(70, 0, fighter("b", "monsters"))
	f.start(nil, 20, 5)
	f.Must(act("a", "attack", "bow", "b"), 2)
	f.wantCited("house.example-house.long-shots")
	f.Must(&eventv1.Command{What: &eventv1.Command_Set{Set: &eventv1.SetSetting{Setting: "house.example-house.long-shots", Value: "off"}}})
	f.Afflict("b", "dazzled")
	if b := f.Creature("b"); !body.Has(b, "dazzled") {
		t.Errorf("b %v", b.Conditions)
	}
	f.End("a", 20)
	if got := body.SpeedIn(f.State, "b", "walk"); got != 15 {
		t.Errorf("speed %d, want 15", got)
	}
	if dice, _ := checks.SetbackRowOf(checks.TablesOf(f.Content), 3, checks.GradeMinor); dice != "1d6" {
		t.Errorf("setback %s, want 1d6", dice)
	}
	if dice, _ := checks.SetbackRowOf(checks.TablesOf(f.Content), 7, checks.GradeMinor); dice != "2d10" {
		t.Errorf("setback %s, want 2d10", dice)
	}
	f.Resolve(func(r *rules.Resolution) error {
		movement.AddCondition(r, "a", &eventv1.Condition{Name: "dazzled", Cause: "test"})
		_, err := injuries.Setback(r, "b", checks.GradeMinor, "test", "probe")
		return err
	}, 9, 9)
	if !body.Has(f.Creature("a"), body.CondBlinded) {
		t.Errorf("dazzled brings no blindness: %v", f.Creature("a").Conditions)
	}
}

// What the pack has of costs, openings, barred actions, hooks and what a kill brings.
func TestDeedsByHouseRules(t *testing.T) {
	f := houseTable(t)
	f.AddAt(0, 0, fighter("a", "party", func(s *eventv1.Sheet) {
		s.Feats = []string{"light-step", "grim-cheer"}
		s.GetRcr().Attacks = []*eventv1.RcrAttack{{Use: "toll-hammer"}}
	}))
	f.AddAt(5, 0, fighter("b", "monsters", func(s *eventv1.Sheet) { s.HitPoints = 30 }))
	f.start(nil, 20, 5)
	// Hammer: proficiency 3, Strength 10: +3 for 1d8.
	f.Afflict("a", body.CondProne)
	f.Must(act("a", "stand", "", ""))
	if len(f.Decisions) != 0 || body.Has(f.Creature("a"), body.CondProne) {
		t.Fatalf("it provokes: %v", f.Decisions)
	}
	f.wantCited("house.example-house.light-step")
	f.Must(act("a", "attack", "Toll hammer", "b"), 20, 8, 7)
	f.WantHP("b", 15)
	if x := f.Creature("b").Position.X; x != 15 {
		t.Errorf("b is at %d, want 15", x)
	}
	f.wantCited("house.example-house.toll-hammer")
	f.Must(act("a", "use-object", "", "")) // with no action left
	f.Afflict("b", "awestruck")
	f.End("a", 20)
	wantRefused(t, f.Try(act("b", "dodge", "", "")), "house.example-house.awestruck")
	f.Must(act("b", "disengage", "", ""))
	f.wantCount("b", body.CMovement, 60)
	f.End("b", 5)
	f.Place("b", 5, 0)
	f.Hurt("b", 4)
	f.Resolve(func(r *rules.Resolution) error { r.AddInjury("a", &eventv1.Injury{Kind: "cracked-rib"}); return nil })
	f.Must(act("a", "attack", "Toll hammer", "b"), 13, 4)
	if roll := f.Roll("/to-hit"); roll.Total != 15 {
		t.Errorf("%d to hit, want 13+3-1", roll.Total)
	}
	if got := f.Creature("a").GetHpTemp(); got != 3 {
		t.Errorf("%d temporary hit points, want 3", got)
	}
	f.wantCited("house.example-house.cracked-rib", "house.example-house.grim-cheer")
}

// Without content nothing of it is asked, and what content adds is not there.
func TestWithoutContent(t *testing.T) {
	f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
	err := f.Try(adding(fighter("x", "party", func(s *eventv1.Sheet) { s.Wears = []string{"warden-coat"} })))
	wantFault(t, err, "sheet.wears[0]")
	if len(f.State.Packs) != 0 || event.NewState().Packs != nil {
		t.Error("packs of a fight without any")
	}
}
