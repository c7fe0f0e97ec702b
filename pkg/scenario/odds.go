package scenario

import (
	"context"
	"fmt"
	"math/big"

	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// checkOdds compares a chance with the dice service's exact one.
func (r *run) checkOdds(ctx context.Context, o Odds, events []*eventv1.Event) {
	line := r.at.Line
	r.at.Line = o.Line
	defer func() { r.at.Line = line }()
	req, exactly, err := o.request(events)
	if err != nil {
		r.fail("odds", "%v", err)
		return
	}
	resp, err := r.clients.Dice.Odds(ctx, req)
	if err != nil {
		r.fail("call", "odds of %s: %v", req.Expression, err)
		return
	}
	want, err := exact(o.Is)
	if err != nil {
		r.fail("odds", "%v", err)
		return
	}
	got, err := o.pick(resp, exactly)
	if err != nil {
		r.fail("odds", "%v", err)
		return
	}
	if got.Cmp(want) != 0 {
		r.fail("odds", "%s: want %s, got %s", o.words(req), want.RatString(), got.RatString())
	}
}

// request asks for the chance. A label takes the expression of that roll, and
// the number its faces had to reach.
func (o Odds) request(events []*eventv1.Event) (*dicev1.OddsRequest, *int64, error) {
	req := &dicev1.OddsRequest{Expression: o.Roll, AtLeast: o.AtLeast, Outcomes: -1}
	exactly := o.Exactly
	if o.Label != "" {
		roll := rollLabelled(events, o.Label)
		if roll == nil {
			return nil, nil, fmt.Errorf("no roll of this step is labelled %q", o.Label)
		}
		req.Expression = roll.Expression
		if roll.Target == nil && req.AtLeast == nil && exactly == nil && !o.Mean {
			return nil, nil, fmt.Errorf("the roll %q has no target number: say at_least or exactly", o.Label)
		}
		if req.AtLeast == nil && exactly == nil && !o.Mean {
			need := int64(roll.Target.Value) - modifiers(roll)
			req.AtLeast = &need
		}
	}
	if exactly != nil {
		req.Outcomes = 100_000
	}
	return req, exactly, nil
}

func (o Odds) words(req *dicev1.OddsRequest) string {
	switch {
	case o.Mean:
		return "mean of " + req.Expression
	case o.Exactly != nil:
		return fmt.Sprintf("%s = %d", req.Expression, *o.Exactly)
	}
	return fmt.Sprintf("%s >= %d", req.Expression, req.GetAtLeast())
}

// pick takes the number asked about out of the answer.
func (o Odds) pick(resp *dicev1.OddsResponse, exactly *int64) (*big.Rat, error) {
	switch {
	case o.Mean:
		return ratOf(resp.Mean)
	case exactly == nil:
		return ratOf(resp.Chance)
	}
	for _, out := range resp.Outcomes {
		if out.Value == *exactly {
			return ratOf(out.Chance)
		}
	}
	if resp.Truncated {
		return nil, fmt.Errorf("%s has too many outcomes to look one up", resp.Expression)
	}
	return new(big.Rat), nil
}

func ratOf(f *dicev1.Fraction) (*big.Rat, error) {
	r, ok := new(big.Rat).SetString(f.GetNumerator() + "/" + f.GetDenominator())
	if !ok {
		return nil, fmt.Errorf("the server answered no fraction: %v", f)
	}
	return r, nil
}

func rollLabelled(events []*eventv1.Event, label string) *eventv1.Roll {
	for _, e := range events {
		if roll := e.GetRoll(); roll != nil && scalarMatches(".label", label, word{text: roll.Label}) {
			return roll
		}
	}
	return nil
}

func modifiers(roll *eventv1.Roll) int64 {
	var sum int64
	for _, m := range roll.Modifiers {
		sum += int64(m.Value)
	}
	return sum
}
