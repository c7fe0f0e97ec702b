package basic

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/types/known/structpb"

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
	act         = rulestest.Act
	endTurn     = rulestest.EndTurn
	object      = rulestest.Object
	facts       = rulestest.WithFacts
	parameters  = rulestest.WithParameters
	to          = rulestest.To
	plus        = rulestest.Plus
	wantRefused = rulestest.WantRefused
)

// add puts creatures on the field, the i-th at x = at[i] when given.
func (f *table) add(at []int32, sheets ...*eventv1.Sheet) *table {
	f.T.Helper()
	for i, s := range sheets {
		if i < len(at) {
			f.AddAt(at[i], 0, s)
		} else {
			f.Add(s)
		}
	}
	return f
}

// start begins the fight; faces are those of initiative, by creature id.
func (f *table) start(facts *structpb.Struct, faces ...int) *table {
	f.T.Helper()
	f.Start(facts, faces...)
	return f
}

// declare declares "id=kind" in order; the faces roll initiative, by id.
func (f *table) declare(faces []int, list ...string) *table {
	f.T.Helper()
	for i, d := range list {
		id, kind, _ := strings.Cut(d, "=")
		var use []int
		if i == len(list)-1 {
			use = faces
		}
		f.Must(act(id, "declare", kind, ""), use...)
	}
	return f
}

func (f *table) end(ids ...string) {
	f.T.Helper()
	for _, id := range ids {
		f.End(id)
	}
}

// Total is the total of the one roll of the last command whose label ends so.
func (f *table) Total(suffix string) int32 {
	f.T.Helper()
	return f.Roll(suffix).Total
}

// peek is the refusal of a command that is not carried out even when allowed.
func (f *table) peek(cmd *eventv1.Command) error { return f.Peek(cmd) }

// outcome is that of the one attack of the last command.
func (f *table) outcome() string {
	f.T.Helper()
	return f.Attack().Outcome
}

// tend carries out a deed between fights; a trailing []int are its faces.
func (f *table) tend(id, deed string, pairs ...any) {
	f.T.Helper()
	var faces []int
	if n := len(pairs) - 1; n%2 == 0 {
		faces, pairs = pairs[n].([]int), pairs[:n]
	}
	f.Tend(&eventv1.PatientCommand{Deed: deed, Patients: []string{id}, Parameters: object(pairs...)}, faces...)
}

// make1 makes a plain creature: armour class 12, 10 hit points, movement 30, a
// sword d8 and nothing added to rolls.
func make1(id, side string, change ...func(*eventv1.Sheet, *eventv1.BasicSheet)) *eventv1.Sheet {
	b := &eventv1.BasicSheet{ArmorClass: 12, ArmorMaterial: "leather", Weapons: []*eventv1.BasicWeapon{{Name: "sword", Damage: "1d8", Kind: "melee"}}}
	s := &eventv1.Sheet{Id: id, Name: id, Side: side, Size: "medium", HitPoints: 10, Speeds: map[string]int32{"walk": 30},
		Abilities: map[string]int32{"constitution": 9}, Section: &eventv1.Sheet_Basic{Basic: b}}
	for _, c := range change {
		c(s, b)
	}
	return s
}

type change = func(*eventv1.Sheet, *eventv1.BasicSheet)

func hp(n int32) change { return func(s *eventv1.Sheet, _ *eventv1.BasicSheet) { s.HitPoints = n } }
func ac(n int32) change { return func(_ *eventv1.Sheet, b *eventv1.BasicSheet) { b.ArmorClass = n } }
func bonus(n int32) change {
	return func(_ *eventv1.Sheet, b *eventv1.BasicSheet) { b.AttackBonus = n }
}
func abilities(str, dex int32) change {
	return func(_ *eventv1.Sheet, b *eventv1.BasicSheet) { b.StrengthModifier, b.DexterityModifier = str, dex }
}
func section(do func(*eventv1.BasicSheet)) change {
	return func(_ *eventv1.Sheet, b *eventv1.BasicSheet) { do(b) }
}
func wields(list ...*eventv1.BasicWeapon) change {
	return section(func(b *eventv1.BasicSheet) { b.Weapons = list })
}
func blade(damage string) change {
	return wields(&eventv1.BasicWeapon{Name: "sword", Damage: damage, Kind: "melee"})
}
func spear() *eventv1.BasicWeapon {
	return &eventv1.BasicWeapon{Name: "spear", Damage: "1d6", Kind: "melee", LongReach: true, Charge: true, Brace: true}
}
func bow() *eventv1.BasicWeapon {
	return &eventv1.BasicWeapon{Name: "bow", Damage: "1d6", Kind: "bow", TwoHanded: true, ShortFeet: 50, MediumFeet: 100, LongFeet: 150}
}
