package spark

import (
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// table is a fight by the rules of this system.
type table struct{ *rulestest.Table }

// newTable makes an encounter with settings; "id=value" each.
func newTable(t *testing.T, settings ...string) *table {
	t.Helper()
	f := rulestest.New(t, System{}, settings...)
	f.Settled = true
	return &table{f}
}

var (
	act            = rulestest.Act
	object         = rulestest.Object
	withFacts      = rulestest.WithFacts
	withParameters = rulestest.WithParameters
	circumstances  = rulestest.Stated
	to             = rulestest.To
	player         = rulestest.Player
	wantRefused    = rulestest.WantRefused
)

// add puts creatures on the field.
func (f *table) add(sheets ...*eventv1.Sheet) *table {
	f.T.Helper()
	f.Add(sheets...)
	return f
}

// at adds a creature at a place on a line: x in feet.
func (f *table) at(x int32, s *eventv1.Sheet) *table {
	f.T.Helper()
	return f.atXY(x, 0, s)
}

func (f *table) atXY(x, y int32, s *eventv1.Sheet) *table {
	f.T.Helper()
	f.AddAt(x, y, s)
	return f
}

// start begins the fight.
func (f *table) start(faces ...int) *table {
	f.T.Helper()
	f.Start(nil, faces...)
	return f
}

// fighter makes a plain sheet that tests shape with changes: armour class 14,
// 30 hit points, a sword +5 for 1d8+3, a bow +5 for 1d8+1 with 12 arrows.
func fighter(id, side string, change ...func(*eventv1.SparkSheet)) *eventv1.Sheet {
	s := &eventv1.SparkSheet{Level: 4, HitDie: 8, ArmorClass: 14, Initiative: 1, AttacksPerRound: 1,
		Weapons: []*eventv1.SparkWeapon{
			{Name: "sword", FumbleClasses: []string{"S"}, AttackModifier: 5, DamageDice: "1d8", DamageBonus: 3, ReachFeet: 5},
			{Name: "bow", FumbleClasses: []string{"M"}, AttackModifier: 5, DamageDice: "1d8", DamageBonus: 1, RangeFeet: 80, LongRangeFeet: 160, Launcher: true, Missiles: proto.Int32(12)},
		}}
	for _, c := range change {
		c(s)
	}
	sheet := &eventv1.Sheet{Id: id, Name: id, Side: side, Size: "medium", HitPoints: 30, Speeds: map[string]int32{"walk": 30},
		Section: &eventv1.Sheet_Spark{Spark: s}}
	if side == "party" {
		sheet.Controllers = []string{id + "-player"}
	}
	return sheet
}

// armedWith puts one weapon in place of the others.
func armedWith(w *eventv1.SparkWeapon) func(*eventv1.SparkSheet) {
	return func(s *eventv1.SparkSheet) { s.Weapons = []*eventv1.SparkWeapon{w} }
}
