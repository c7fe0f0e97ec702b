package original

import (
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
	act            = rulestest.Act
	object         = rulestest.Object
	withFacts      = rulestest.WithFacts
	withParameters = rulestest.WithParameters
	wantRefused    = rulestest.WantRefused
)

// add puts creatures on the field.
func (f *table) add(sheets ...*eventv1.Sheet) *table {
	f.T.Helper()
	f.Add(sheets...)
	return f
}

// at adds a creature at a place, in feet east.
func (f *table) at(x int32, s *eventv1.Sheet) *table {
	f.T.Helper()
	f.AddAt(x, 0, s)
	return f
}

// off adds a creature at a place, in feet east and north.
func (f *table) off(x, y int32, s *eventv1.Sheet) *table {
	f.T.Helper()
	f.AddAt(x, y, s)
	return f
}

// start begins the fight; faces are those of initiative, by creature id.
func (f *table) start(facts *structpb.Struct, faces ...int) *table {
	f.T.Helper()
	f.Start(facts, faces...)
	return f
}

// one makes a plain sheet that tests shape with changes: 20 hit points, no
// class, 1 hit die, armour class 5, a sword for 1d6+1.
func one(id, side string, change ...func(*eventv1.Sheet)) *eventv1.Sheet {
	ac := int32(5)
	s := &eventv1.Sheet{Id: id, Name: id, Side: side, Size: "medium", HitPoints: 20, Speeds: map[string]int32{"walk": 120}, Abilities: map[string]int32{},
		Section: &eventv1.Sheet_Original{Original: &eventv1.OriginalSheet{HitDice: 1, ArmorAc: &ac, Group: id,
			Weapons: []*eventv1.OriginalWeapon{{Name: "sword"}}}}}
	if side == "party" {
		s.Controllers = []string{id + "-player"}
		s.GetOriginal().IsPc, s.GetOriginal().Level, s.GetOriginal().HitDice = true, 1, 0
	}
	for _, c := range change {
		c(s)
	}
	return s
}

// with changes the system's section.
func with(change func(o *eventv1.OriginalSheet)) func(*eventv1.Sheet) {
	return func(s *eventv1.Sheet) { change(s.GetOriginal()) }
}

func points(n int32) func(*eventv1.Sheet) { return func(s *eventv1.Sheet) { s.HitPoints = n } }

func ability(name string, score int32) func(*eventv1.Sheet) {
	return func(s *eventv1.Sheet) { s.Abilities[name] = score }
}

func class(name string, level int32) func(*eventv1.Sheet) {
	return with(func(o *eventv1.OriginalSheet) { o.Class, o.Level, o.HitDice = name, level, 0 })
}

func str(n int32) func(*eventv1.Sheet) {
	return with(func(o *eventv1.OriginalSheet) { o.StrBonus = &n })
}
func dex(n int32) func(*eventv1.Sheet) {
	return with(func(o *eventv1.OriginalSheet) { o.DexBonus = &n })
}
func ac(n int32) func(*eventv1.Sheet)  { return with(func(o *eventv1.OriginalSheet) { o.ArmorAc = &n }) }
func ac0(n int32) func(*eventv1.Sheet) { return with(func(o *eventv1.OriginalSheet) { o.HitAc0 = &n }) }

func arms(list ...*eventv1.OriginalWeapon) func(*eventv1.Sheet) {
	return with(func(o *eventv1.OriginalSheet) { o.Weapons = list })
}

var (
	spear   = &eventv1.OriginalWeapon{Name: "spear", Kind: "spear", ShortFeet: 20, MediumFeet: 40, LongFeet: 60}
	dagger  = &eventv1.OriginalWeapon{Name: "dagger", Kind: "dagger", Damage: "1d4", Size: "small", ShortFeet: 10, MediumFeet: 20, LongFeet: 30}
	bow     = &eventv1.OriginalWeapon{Name: "bow", Kind: "bow", Hands: 2, Damage: "1d6", ShortFeet: 70, MediumFeet: 140, LongFeet: 210}
	great   = &eventv1.OriginalWeapon{Name: "great bow", Kind: "great-bow", Hands: 2, ShortFeet: 70, MediumFeet: 140, LongFeet: 210}
	javelin = &eventv1.OriginalWeapon{Name: "javelin", Kind: "thrown", Damage: "1d6", ShortFeet: 20, MediumFeet: 40, LongFeet: 60}
)
