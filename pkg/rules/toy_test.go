package rules_test

import (
	"context"
	"fmt"

	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// toy is a rule system of a few lines that uses everything the engine offers.
type toy struct{ rules.System }

func (toy) Info() rules.Info { return rules.Info{ID: "toy", Title: "Toy", Version: "1"} }
func (toy) Settings() []rules.Setting {
	return []rules.Setting{{ID: "toy.loud", Values: []string{"on", "off"}, Default: "off"}, {ID: "toy.size", Default: "3"}}
}
func (toy) StandingOrders() []rules.StandingOrder {
	return []rules.StandingOrder{{Decision: "parry", Orders: []string{"yes", "no"}}}
}
func (toy) CheckSheet(*eventv1.Sheet) []fault.Violation { return nil }
func (toy) Audience(_ *eventv1.State, k rules.FactKind, _, creature string) *eventv1.Audience {
	if k == rules.FactHitPoints || k == rules.FactSheet {
		return event.Controllers(creature)
	}
	return event.Everyone()
}
func (toy) Enter(r *rules.Resolution, add *eventv1.AddCreature) error {
	r.SetHitPoints(add.Sheet.Id, add.Sheet.HitPoints, add.Sheet.HitPoints, 0)
	return r.ApplyVitals(add.Sheet.Id, add.Vitals)
}
func (toy) Leave(*rules.Resolution, string) error                  { return nil }
func (toy) Edited(*rules.Resolution, string) error                 { return nil }
func (toy) Begin(*rules.Resolution, *eventv1.StartEncounter) error { return nil }
func (toy) EndTurn(*rules.Resolution, string) error                { return nil }
func (toy) Finish(*rules.Resolution) error                         { return nil }
func (toy) Options(rules.Query) []*eventv1.Option                  { return nil }
func (toy) Medicine() rules.Medicine                               { return toyMedicine{} }
func (toy) Act(r *rules.Resolution, take *eventv1.TakeAction) error {
	target := take.Targets[0]
	hit := r.Roll(rules.RollSpec{Label: "to-hit", Creature: take.Creature, Expression: "1d20", Target: &eventv1.TargetNumber{Kind: "AC", Value: 10}})
	if !hit.Success() {
		return nil
	}
	if r.Ask("parry", rules.YesNo("parry", target, "hit", "Parry?", "no", "")).Option == "yes" {
		if r.Roll(rules.RollSpec{Label: "parry", Creature: target, Expression: "1d6"}).Total >= 4 {
			return nil
		}
	}
	got := r.Harm("harm", &eventv1.Harm{Deed: "damage", Target: target, Source: take.Creature})
	if got.Taken > 0 {
		r.Set(take.Creature, "score", int64(got.Taken), "hit")
	}
	return nil
}

type toyMedicine struct{}

func (toyMedicine) Deeds() []string                                       { return nil }
func (toyMedicine) Tend(*rules.Resolution, *eventv1.PatientCommand) error { return nil }
func (toyMedicine) Deed(r *rules.Resolution, h *eventv1.Harm) error {
	d := r.Roll(rules.RollSpec{Label: "damage", Creature: h.Source, Expression: "2d6"})
	taken := d.Total
	if r.Ask("endure", rules.YesNo("endure", h.Target, "damage", "Endure half?", "no", "")).Option == "yes" {
		taken /= 2
		r.Set(h.Target, "endured", r.Count(h.Target, "endured")+1, "endured")
	}
	c := r.Creature(h.Target)
	r.SetHitPoints(h.Target, c.GetHp()-taken, c.GetHpMax(), 0)
	r.Result().Taken = taken
	return nil
}

// table supplies faces from a list and runs deeds in process.
type table struct {
	faces []int32 // the tape
	tape  bool    // whether the tape may be used
	drawn []string
}

func (t *table) Draw(_ context.Context, d rules.DrawRequest) (*eventv1.Draw, error) {
	expr, err := dice.Parse(d.Expression)
	if err != nil {
		return nil, err
	}
	src := &mixed{given: d.Supplied, t: t}
	res, err := expr.Eval(src, dice.Limits{})
	if src.dry {
		return nil, rules.ErrNeedFaces
	}
	if err != nil {
		return nil, err
	}
	t.drawn = append(t.drawn, fmt.Sprintf("%s#%d", d.Label, d.Index))
	out := &eventv1.Draw{Branch: d.Branch, Expression: d.Expression, Supplied: uint32(src.used)}
	for _, f := range res.Faces {
		out.Faces = append(out.Faces, int32(f.Face))
	}
	return out, nil
}

type mixed struct {
	given []int32
	used  int
	dry   bool
	t     *table
}

func (m *mixed) Face(sides int) (int, error) {
	if m.used < len(m.given) {
		m.used++
		return int(m.given[m.used-1]), nil
	}
	if !m.t.tape || len(m.t.faces) == 0 {
		m.dry = true
		return 0, rules.ErrNeedFaces
	}
	f := m.t.faces[0]
	m.t.faces = m.t.faces[1:]
	return int(f), nil
}

func (t *table) Deed(ctx context.Context, d rules.DeedRequest) (*eventv1.HarmOutcome, int, error) {
	return rules.RunDeed(ctx, toy{}, 1, d, t)
}

func (t *table) Open(_ context.Context, branches []string, _ []*eventv1.Entropy) (*eventv1.DiceEpochOpened, error) {
	d := &eventv1.DiceEpochOpened{Epoch: 1}
	for _, branch := range branches {
		d.Commitments = append(d.Commitments, &eventv1.Commitment{Branch: branch})
	}
	return d, nil
}
