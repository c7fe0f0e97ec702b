package roller

import (
	"fmt"
	"time"

	"golang.org/x/time/rate"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/recent"
)

// Work of what is not odds, in the same units: about a nanosecond each.
const (
	// WorkCall is that of any call that reads an expression.
	WorkCall = 20_000
	// WorkFace is that of one face rolled and put into a reply.
	WorkFace = 1_000
	// workOutcome is that of one outcome of odds, written as a fraction.
	workOutcome = 2_000
)

// LimitWork is the limit on the work of one principal.
const LimitWork = "dice.work"

// principalsKept is for how many principals is remembered what they spent. Who
// is forgotten has a full budget again.
const principalsKept = 10_000

// BudgetLimits bound the work of one principal.
type BudgetLimits struct {
	// PerSecond is how much is earned in a second.
	PerSecond int64
	// Burst is how much can be saved up, and how much there is at first.
	Burst int64
}

// Budget counts the work that each principal asks for. It is safe for
// concurrent use.
type Budget struct {
	limits BudgetLimits
	now    func() time.Time
	of     *recent.Cache[string, *rate.Limiter]
}

// NewBudget makes one.
func NewBudget(l BudgetLimits, now func() time.Time) *Budget {
	return &Budget{limits: l, now: now, of: recent.NewCache(recent.Bounds[string, *rate.Limiter]{Count: principalsKept})}
}

// Spend takes work from a principal's budget, before the work is done; an
// Exhausted fault says that there is not enough.
func (b *Budget) Spend(who string, work int64) error {
	l := b.of.Or(who, func() *rate.Limiter { return rate.NewLimiter(rate.Limit(b.limits.PerSecond), int(b.limits.Burst)) })
	now := b.now()
	if l.AllowN(now, int(min(work, b.limits.Burst))) {
		return nil
	}
	f := fault.New(fault.Exhausted, "LIMIT", "%s: the expressions of this caller took all its work, %d at a time and %d more each second: try again later",
		LimitWork, b.limits.Burst, b.limits.PerSecond)
	f.Meta = map[string]string{"limit": LimitWork, "max": fmt.Sprint(b.limits.Burst), "got": fmt.Sprint(work)}
	return f
}
