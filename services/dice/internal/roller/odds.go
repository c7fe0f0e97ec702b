package roller

import (
	"context"
	"fmt"
	"math/big"

	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/fault"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	"github.com/skaldrpg/skald/services/dice/internal/recent"
)

// Bounds of an odds reply.
const (
	DefaultOutcomes = 1000
	MaxOutcomes     = 10_000
	// maxDigits bounds the digits of all chances together: those of 2000d6
	// have a thousand digits each, and a reply must fit into a message.
	maxDigits = 1 << 20
	// oddsKept is how many distributions stay computed.
	oddsKept = 64
	// oddsAtOnce is how many are computed at a time: each can keep a core busy
	// for the better part of a second.
	oddsAtOnce = 2
)

// Odds computes distributions. It is safe for concurrent use.
type Odds struct {
	known *recent.Cache[string, *dice.Distribution]
	slots chan struct{}
}

// NewOdds makes one.
func NewOdds() *Odds {
	return &Odds{known: recent.New[string, *dice.Distribution](oddsKept, 0), slots: make(chan struct{}, oddsAtOnce)}
}

// Reply answers a request for the odds of a parsed expression.
func (o *Odds) Reply(ctx context.Context, e *dice.Expr, req *dicev1.OddsRequest) (*dicev1.OddsResponse, error) {
	wanted := int(req.GetOutcomes())
	switch {
	case wanted < -1:
		return nil, fault.Field("outcomes", "%d: must be a number of outcomes, 0 for %d or -1 for none", wanted, DefaultOutcomes)
	case wanted > MaxOutcomes:
		return nil, fault.Limit("outcomes", MaxOutcomes, int64(wanted))
	case wanted == 0:
		wanted = DefaultOutcomes
	}
	d, err := o.distribution(ctx, e)
	if err != nil {
		return nil, err
	}
	out := &dicev1.OddsResponse{Expression: e.String(), Minimum: d.Min(), Maximum: d.Max(),
		Mean: Fraction(d.Mean()), Variance: Fraction(d.Variance())}
	if req.AtLeast != nil {
		out.Chance = Fraction(d.AtLeast(req.GetAtLeast()))
	}
	if wanted >= 0 {
		outcomes(out, d, wanted)
	}
	return out, nil
}

func (o *Odds) distribution(ctx context.Context, e *dice.Expr) (*dice.Distribution, error) {
	key := e.String()
	if d, ok := o.known.Get(key); ok {
		return d, nil
	}
	select {
	case o.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-o.slots }()
	if d, ok := o.known.Get(key); ok { // computed while this call waited
		return d, nil
	}
	d, err := e.Odds(dice.Limits{})
	if err != nil {
		return nil, Fault("expression", err)
	}
	o.known.Put(key, d)
	return d, nil
}

func outcomes(out *dicev1.OddsResponse, d *dice.Distribution, wanted int) {
	digits, den := 0, d.Denominator()
	for i := range d.Len() {
		if i == wanted || digits > maxDigits {
			out.Truncated = true
			return
		}
		chance := Fraction(new(big.Rat).SetFrac(d.Weight(i), den))
		digits += len(chance.Numerator) + len(chance.Denominator)
		out.Outcomes = append(out.Outcomes, &dicev1.Outcome{Value: d.Value(i), Chance: chance})
	}
}

// Fraction writes an exact number, in lowest terms.
func Fraction(r *big.Rat) *dicev1.Fraction {
	f, _ := r.Float64()
	return &dicev1.Fraction{Numerator: r.Num().String(), Denominator: r.Denom().String(), Approximately: f}
}

func suppliedField(field string, i int) string { return fmt.Sprintf("%s[%d]", field, i) }
