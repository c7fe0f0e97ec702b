package celesia

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// table is a fight by the rules of this system.
type table struct{ *rulestest.Table }

// newTable makes an encounter with settings; "id=value" each.
func newTable(t *testing.T, settings ...string) *table {
	t.Helper()
	return &table{rulestest.New(t, System{}, settings...)}
}

var (
	act            = rulestest.Act
	object         = rulestest.Object
	withFacts      = rulestest.WithFacts
	withParameters = rulestest.WithParameters
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
		f.Start(object("unaware", surprised), faces...)
	} else {
		f.Start(nil, faces...)
	}
	return f
}

// fighter makes a plain sheet that tests shape with changes: DV 15, CMD 15, 40
// hit points, all abilities 10, base attack 5, a sword for 1d8.
func fighter(id, side string, change ...func(*eventv1.Sheet)) *eventv1.Sheet {
	s := &eventv1.Sheet{Id: id, Name: id, Side: side, Size: "medium", HitPoints: 40, Speeds: map[string]int32{"walk": 30},
		Abilities: map[string]int32{"strength": 10, "dexterity": 10, "constitution": 12, "intelligence": 10, "wisdom": 10, "charisma": 10},
		Section: &eventv1.Sheet_Celesia{Celesia: &eventv1.CelesiaSheet{Level: 4, BaseAttack: 5, Defense: 15, TouchDefense: 10, ManeuverDefense: 15, Humanoid: true,
			Weapons: []*eventv1.CelesiaWeapon{{Name: "sword", Kind: "melee", Dice: "1d8", Type: "slashing", Hands: 1},
				{Name: "fist", Kind: "unarmed", Dice: "1d3", Type: "bludgeoning", Nonlethal: true, Light: true},
				{Name: "bow", Kind: "projectile", Dice: "1d6", Type: "piercing", Hands: 2, RangeFeet: 60, Hand: "stowed"}}}}}
	if side == "party" {
		s.Controllers = []string{id + "-player"}
	}
	for _, c := range change {
		c(s)
	}
	return s
}

func ability(pairs ...any) func(*eventv1.Sheet) {
	return func(s *eventv1.Sheet) {
		for i := 0; i < len(pairs); i += 2 {
			s.Abilities[pairs[i].(string)] = int32(pairs[i+1].(int))
		}
	}
}

func section(change func(*eventv1.CelesiaSheet)) func(*eventv1.Sheet) {
	return func(s *eventv1.Sheet) { change(s.GetCelesia()) }
}

func hitPoints(n int32) func(*eventv1.Sheet) { return func(s *eventv1.Sheet) { s.HitPoints = n } }

func features(list ...string) func(*eventv1.Sheet) {
	return section(func(c *eventv1.CelesiaSheet) { c.Features = list })
}

// checking are the parameters of a check of a skill; an empty purpose is none.
func checking(skill, purpose string, more ...any) func(*eventv1.TakeAction) {
	pairs := append([]any{"skill", skill}, more...)
	if purpose != "" {
		pairs = append(pairs, "purpose", purpose)
	}
	return withParameters(pairs...)
}

// at puts a creature on the map.
func (f *table) at(id string, x, y int32) {
	f.T.Helper()
	f.Place(id, x, y)
}

// duel is a fight of a against b, adjacent on the map, a first; both have acted
// before, so that nobody is flat-footed, and have their reactions.
func duel(t *testing.T, a, b *eventv1.Sheet, settings ...string) *table {
	t.Helper()
	f := newTable(t, settings...).add(a, b)
	f.at(a.Id, 0, 0)
	f.at(b.Id, 5, 0)
	f.start(nil, 15, 5)
	f.End(a.Id)
	f.End(b.Id)
	return f
}

// readied gives a creature an attack with its sword readied for a trigger.
func (f *table) readied(id, trigger string) {
	f.T.Helper()
	f.Resolve(func(x *rules.Resolution) error {
		x.Begin(id, &eventv1.Begun{Kind: body.BegunReadied, Trigger: trigger, Action: &eventv1.TakeAction{Creature: id, Action: "attack", Item: "sword"}})
		return nil
	})
}

func (f *table) acts(id string) int64 { return f.Creature(id).Counters[body.CActs] }

// hit is damage of one attack.
func hit(target string, points int32, nature string) *eventv1.Harm {
	return &eventv1.Harm{Deed: body.DeedDamage, Target: target, Cause: "test", Nature: nature, Parts: []*eventv1.DamagePart{{Rolled: points}}}
}

// wantField checks that a command is refused at a field, in words that hold all
// of those given.
func wantField(t *testing.T, err error, field string, words ...string) {
	t.Helper()
	f, ok := fault.As(err)
	if !ok || len(f.Violations) == 0 || f.Violations[0].Field != field {
		t.Fatalf("refused with %v, want the field %s", err, field)
	}
	for _, word := range words {
		if !strings.Contains(f.Violations[0].Description, word) {
			t.Errorf("%s: %q does not say %q", field, f.Violations[0].Description, word)
		}
	}
}

// wantOptions checks what an open decision offers, in any order.
func (f *table) wantOptions(name string, want ...string) {
	f.T.Helper()
	for _, d := range f.Decisions {
		if d.Name != name {
			continue
		}
		var got []string
		for _, o := range d.Options {
			got = append(got, o.Id)
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			f.T.Errorf("%s offers %v, want %v", name, got, want)
		}
		return
	}
	f.T.Errorf("no decision %s is open: %v", name, f.Decisions)
}

// circumstance states a circumstance of an action: advantage, disadvantage or a
// modifier of so much.
func circumstance(direction string, value int32) func(*eventv1.TakeAction) {
	return func(take *eventv1.TakeAction) {
		take.Circumstances = append(take.Circumstances, &eventv1.Circumstance{Direction: direction, Value: value, Cause: "test"})
	}
}

// wantRefusedAny checks that a command is refused, by whatever rule.
func wantRefusedAny(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		t.Error("it is accepted")
	}
}
