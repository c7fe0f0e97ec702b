package roller

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	"golang.org/x/sync/semaphore"
	"golang.org/x/sync/singleflight"

	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/recent"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
)

// Bounds of an odds reply.
const (
	DefaultOutcomes = 1000
	MaxOutcomes     = limits.OddsOutcomes
	// maxDigits bounds the digits of all chances together: those of 2000d6
	// have a thousand digits each, and a reply must fit into a message.
	maxDigits = 1 << 20
	// oddsKept is how many distributions stay computed at most, however small.
	oddsKept = 4096
	// keptShare is the part of the cache that one distribution may take.
	keptShare = 4
	// entryBytes is what an entry of the cache takes besides its distribution.
	entryBytes = 256
	// modest is the memory that nearly every computation gets along with: each
	// is tried with as much first, so that it need not wait for room.
	modest = 4 << 20
)

// OddsLimits bound what odds may take.
type OddsLimits struct {
	// Cache is how many bytes of distributions stay computed.
	Cache int64
	// Memory is how many bytes all computations at a time may hold; those for
	// which there is no room wait.
	Memory int64
	// Wait is how long one waits for room before it is refused.
	Wait time.Duration
}

// Odds computes distributions. It is safe for concurrent use.
type Odds struct {
	known  *recent.Cache[string, *dice.Distribution]
	flight singleflight.Group // of what is being computed, by expression
	limits OddsLimits
	room   *semaphore.Weighted
	most   int64 // bytes of one computation
}

// NewOdds makes one.
func NewOdds(l OddsLimits) *Odds {
	known := recent.NewCache(recent.Bounds[string, *dice.Distribution]{Count: oddsKept, Bytes: l.Cache, Share: max(1, l.Cache/keptShare),
		Size: func(key string, d *dice.Distribution) int64 { return entryBytes + int64(len(key)) + d.Bytes() }})
	return &Odds{known: known, limits: l, room: semaphore.NewWeighted(l.Memory),
		most: min(dice.DefaultLimits().OddsMemory, l.Memory)}
}

// Kept is how many bytes of distributions are kept now.
func (o *Odds) Kept() int64 { return o.known.Bytes() }

// Reply answers a request for the odds of a parsed expression. spend is told of
// the work before it is done and ends it with an error.
func (o *Odds) Reply(ctx context.Context, e *dice.Expr, req *dicev1.OddsRequest, spend func(int64) error) (*dicev1.OddsResponse, error) {
	wanted := int(req.GetOutcomes())
	switch {
	case wanted < -1:
		return nil, fault.Field("outcomes", "%d: must be a number of outcomes, 0 for %d or -1 for none", wanted, DefaultOutcomes)
	case wanted > MaxOutcomes:
		return nil, fault.Limit("outcomes", MaxOutcomes, int64(wanted))
	case wanted == 0:
		wanted = DefaultOutcomes
	}
	if err := spend(WorkCall + int64(max(wanted, 0))*workOutcome); err != nil {
		return nil, err
	}
	d, err := o.distribution(ctx, e, spend)
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

func (o *Odds) distribution(ctx context.Context, e *dice.Expr, spend func(int64) error) (*dice.Distribution, error) {
	key := e.String()
	for {
		if d, ok := o.known.Get(key); ok {
			return d, nil
		}
		mine := false                                            // the channel orders it
		done := o.flight.DoChan(key, func() (_ any, err error) { // ends with ctx at the latest
			mine = true
			defer func() {
				if p := recover(); p != nil { // nobody above this goroutine would
					err = fault.New(fault.Internal, "DICE", "computing odds panics: %v", p)
				}
			}()
			return o.compute(ctx, e, spend)
		})
		select {
		case r := <-done:
			d, _ := r.Val.(*dice.Distribution)
			if r.Err == nil || mine {
				return d, r.Err
			} // another call gave up, or had no work left: it is its own matter
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// compute computes a distribution, with as little memory as it takes.
func (o *Odds) compute(ctx context.Context, e *dice.Expr, spend func(int64) error) (*dice.Distribution, error) {
	d, err := o.computeIn(ctx, e, min(modest, o.most), spend)
	var limit *dice.LimitError
	if errors.As(err, &limit) && limit.Limit == dice.LimitOddsMemory && o.most > modest {
		d, err = o.computeIn(ctx, e, o.most, spend)
	}
	if err != nil {
		return nil, Fault("expression", err)
	}
	o.known.Put(e.String(), d)
	return d, nil
}

// computeIn computes with so many bytes, when there is room for them.
func (o *Odds) computeIn(ctx context.Context, e *dice.Expr, bytes int64, spend func(int64) error) (*dice.Distribution, error) {
	if err := o.enter(ctx, bytes); err != nil {
		return nil, err
	}
	defer o.room.Release(bytes)
	return e.Odds(dice.Limits{OddsMemory: bytes, Spend: func(work int64) error {
		if err := ctx.Err(); err != nil { // nobody waits for it any more
			return err
		}
		return spend(work)
	}})
}

// enter waits for room.
func (o *Odds) enter(ctx context.Context, bytes int64) error {
	waiting, cancel := context.WithTimeout(ctx, o.limits.Wait)
	defer cancel()
	if o.room.Acquire(waiting, bytes) == nil {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	f := fault.New(fault.Exhausted, "LIMIT", "odds: all %d bytes for computing are taken: try again later", o.limits.Memory)
	f.Meta = map[string]string{"limit": LimitMemory, "max": fmt.Sprint(o.limits.Memory), "got": fmt.Sprint(bytes)}
	return f
}

// LimitMemory is the limit on the memory of all computations at a time.
const LimitMemory = "odds.memory"

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
