package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	thebody "github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/rest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// tryMedicine runs a function of medicine on the table's state with faces, and
// answers to the decisions it meets given ahead ("name=option").
func (f *table) tryMedicine(do func(r *rules.Resolution) error, early []*eventv1.EarlyAnswer, faces []int) (*eventv1.HarmResult, error) {
	f.T.Helper()
	if err := f.TryAnswered(early, do, faces...); err != nil {
		return nil, err
	}
	if len(f.Decisions) > 0 {
		f.T.Fatalf("open decisions: %v", f.Decisions)
	}
	return f.Result, nil
}

// deed carries out a deed of a fight.
func (f *table) deed(h *eventv1.Harm, faces ...int) *eventv1.HarmResult {
	f.T.Helper()
	res, err := f.tryMedicine(func(r *rules.Resolution) error { return rest.Medicine{}.Deed(r, h) }, nil, faces)
	if err != nil {
		f.T.Fatalf("%v: %v", h, err)
	}
	return res
}

// refusedDeed wants a deed refused by a rule.
func (f *table) refusedDeed(rule string, h *eventv1.Harm) {
	f.T.Helper()
	_, err := f.tryMedicine(func(r *rules.Resolution) error { return rest.Medicine{}.Deed(r, h) }, nil, nil)
	wantRefused(f.T, err, rule)
}

// tend carries out a deed between fights.
func (f *table) tend(c *eventv1.PatientCommand, faces ...int) {
	f.T.Helper()
	if _, err := f.tryMedicine(rules.Tend(rest.Medicine{}, c), nil, faces); err != nil {
		f.T.Fatalf("%v: %v", c, err)
	}
}

// hit is damage of an attack.
func hit(target string, amount int32, change ...func(*eventv1.Harm)) *eventv1.Harm {
	h := &eventv1.Harm{Deed: thebody.DeedDamage, Target: target, Cause: "sword", Parts: []*eventv1.DamagePart{{Type: "slashing", Rolled: amount}},
		Facts: map[string]string{}}
	for _, c := range change {
		c(h)
	}
	return h
}

func critical(h *eventv1.Harm) { h.Critical = true }

// healing offers hit points; facts in pairs.
func healing(target, source string, amount int32, facts ...string) *eventv1.Harm {
	h := &eventv1.Harm{Deed: thebody.DeedHeal, Target: target, Source: source, Cause: "healing", Amount: amount, Facts: map[string]string{}}
	for i := 0; i < len(facts); i += 2 {
		h.Facts[facts[i]] = facts[i+1]
	}
	return h
}

// bodied sets the bodies of tests: hit points, maximum and Constitution.
func bodied(id string, con, maximum int32, change ...func(*eventv1.Sheet)) *eventv1.Sheet {
	return fighter(id, "party", append([]func(*eventv1.Sheet){ability("constitution", con),
		func(s *eventv1.Sheet) { s.HitPoints = maximum }}, change...)...)
}

// medTable is a table at party level 5 with one body "a" at the hit points and
// wounds given.
func medTable(t *testing.T, sheet *eventv1.Sheet, hp int32, wounds int, settings ...string) *table {
	t.Helper()
	f := newTable(t, append([]string{thebody.SetPartyLevel + "=5"}, settings...)...)
	f.add(sheet)
	f.Hurt(sheet.Id, hp)
	f.Count(sheet.Id, thebody.CWounds, wounds)
	return f
}

// want is what a body should be like.
type want struct {
	hp, maximum     int32
	wounds, row     int
	dead, conscious bool
}

func (f *table) wantBody(id string, w want) {
	f.T.Helper()
	c := f.Creature(id)
	got := want{hp: c.GetHp(), maximum: c.GetHpMax(), wounds: int(c.Counters[thebody.CWounds]), row: int(thebody.Row(c)), dead: thebody.Dead(c),
		conscious: !thebody.Dead(c) && !thebody.Down(c) && !thebody.Has(c, thebody.CondUnconscious)}
	if got != w {
		f.T.Fatalf("%s is %+v, want %+v", id, got, w)
	}
}

// settleScars takes what scars cost off the maximum.
func (f *table) settleScars(id string) {
	c := f.State.Creatures[id]
	maximum := c.GetHpMax()
	for _, in := range c.Injuries {
		if in.Kind == thebody.InjuryScar {
			maximum -= in.Amount
		}
	}
	hp := min(c.GetHp(), maximum)
	c.HpMax, c.Hp = &maximum, &hp
}

// force sets a counter past the commands, which a finished encounter refuses.
func (f *table) force(id, counter string, n int64) { f.State.Creatures[id].Counters[counter] = n }
