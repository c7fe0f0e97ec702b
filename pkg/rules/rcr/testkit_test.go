package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// table is a fight by the rules of this system.
type table struct{ *rulestest.Table }

// newTable makes an encounter with settings; "id=value" each.
func newTable(t *testing.T, settings ...string) *table {
	t.Helper()
	return &table{rulestest.New(t, System{}, append([]string{body.SetInitiativeChoice + "=best", body.SetTieBreak + "=dexterity"}, settings...)...)}
}

var (
	act            = rulestest.Act
	object         = rulestest.Object
	withFacts      = rulestest.WithFacts
	withParameters = rulestest.WithParameters
	stated         = rulestest.Stated
	player         = rulestest.Player
	wantRefused    = rulestest.WantRefused
)

// add puts creatures on the field.
func (f *table) add(sheets ...*eventv1.Sheet) *table {
	f.T.Helper()
	f.Add(sheets...)
	return f
}

// start begins the fight; faces are those of initiative, by creature id.
func (f *table) start(surprised []string, faces ...int) *table {
	f.T.Helper()
	if len(surprised) > 0 {
		f.Start(object("surprised", surprised), faces...)
	} else {
		f.Start(nil, faces...)
	}
	return f
}

// fighter makes a plain sheet that tests shape with changes: armour class 15,
// 40 hit points, all abilities 10, a sword +5 for 1d8+3.
func fighter(id, side string, change ...func(*eventv1.Sheet)) *eventv1.Sheet {
	s := &eventv1.Sheet{Id: id, Name: id, Side: side, Size: "medium", HitPoints: 40, Speeds: map[string]int32{"walk": 30},
		Abilities: map[string]int32{}, Section: &eventv1.Sheet_Rcr{Rcr: &eventv1.RcrSheet{Level: 5, ProficiencyBonus: 3, ArmorClass: 15,
			CreatureType: "humanoid", HitDice: []*eventv1.RcrHitDice{{Size: 8, Total: 5}},
			Attacks: []*eventv1.RcrAttack{
				{Name: "sword", Bonus: 5, ReachFeet: 5, Damage: []*eventv1.RcrDamage{{Dice: "1d8+3", Type: "slashing"}}, Properties: []string{"one-handed"}},
				{Name: "bow", Bonus: 5, RangeFeet: 80, LongRangeFeet: 320, Natural: true, Damage: []*eventv1.RcrDamage{{Dice: "1d6+3", Type: "piercing"}}},
			}}}}
	if side == "party" {
		s.Controllers = []string{id + "-player"}
	}
	for _, c := range change {
		c(s)
	}
	return s
}

func ability(name string, score int32) func(*eventv1.Sheet) {
	return func(s *eventv1.Sheet) { s.Abilities[name] = score }
}

func rcrSheet(change func(*eventv1.RcrSheet)) func(*eventv1.Sheet) {
	return func(s *eventv1.Sheet) { change(s.GetRcr()) }
}

// queryOf asks for the options of a creature.
func queryOf(f *table, id string) rules.Query { return rules.Query{State: f.State, Creature: id} }
