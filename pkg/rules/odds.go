package rules

import (
	"errors"
	"math/big"

	"github.com/skaldrpg/skald/pkg/dice"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// maxPaths bounds how many ways a roll can fall when its odds are worked out;
// beyond it there are none.
const maxPaths = 50_000

// rollMade is a roll as a forecast sees it.
type rollMade struct {
	spec  RollSpec
	expr  *dice.Expr
	label string
	index uint32
}

// addOdds notes the odds of a roll that is made anew, when they are wanted.
func (r *Resolution) addOdds(spec RollSpec, expr *dice.Expr, branch, label string, index uint32) {
	if r.req.Odds {
		r.odds = append(r.odds, &eventv1.RollOdds{Label: label, Index: index, Branch: branch, Odds: fractions(oddsOf(spec, expr))})
	}
}

// fractions are odds by outcome, in the order of the outcomes' names.
func fractions(odds map[string]*big.Rat) []*eventv1.OutcomeOdds {
	var out []*eventv1.OutcomeOdds
	for _, outcome := range SortedKeys(odds) {
		out = append(out, &eventv1.OutcomeOdds{Outcome: outcome, Odds: odds[outcome].RatString()})
	}
	return out
}

// oddsOf works out how likely each outcome of a roll is, exactly, by going
// through every way the dice can fall; nil when there are too many, or when the
// roll has no outcomes.
func oddsOf(spec RollSpec, expr *dice.Expr) map[string]*big.Rat {
	if spec.Target == nil && spec.Judge == nil {
		return nil
	}
	modifiers := int32(0)
	for _, m := range spec.Modifiers {
		modifiers += m.Value
	}
	odds := map[string]*big.Rat{}
	paths := &walk{}
	for more := true; more; more = paths.next() {
		if paths.taken++; paths.taken > maxPaths {
			return nil
		}
		paths.at = 0
		res, err := expr.Eval(paths, dice.Limits{})
		if err != nil {
			return nil
		}
		_, kept := Faces(res)
		rolled := Rolled{Value: int32(res.Total), Total: int32(res.Total) + modifiers} //nolint:gosec // as in Roll
		if len(kept) > 0 {
			rolled.Natural = kept[0]
		}
		rolled.judge(spec)
		if rolled.Outcome == "" {
			return nil
		}
		if odds[rolled.Outcome] == nil {
			odds[rolled.Outcome] = new(big.Rat)
		}
		odds[rolled.Outcome].Add(odds[rolled.Outcome], paths.weight())
	}
	return odds
}

// errTooDeep ends a walk along dice that go on and on.
var errTooDeep = errors.New("rules: too many dice")

// walk goes through every way the dice of an expression can fall, whatever
// rerolls and explosions follow from the faces. It is a dice.Source.
type walk struct {
	faces, sides []int
	at, taken    int
}

// Face implements dice.Source.
func (w *walk) Face(sides int) (int, error) {
	if w.at == len(w.faces) {
		if len(w.faces) > 64 {
			return 0, errTooDeep
		}
		w.faces, w.sides = append(w.faces, 1), append(w.sides, sides)
	}
	w.at++
	return w.faces[w.at-1], nil
}

// next goes to the next way; false when there is none.
func (w *walk) next() bool {
	for n := len(w.faces); n > 0; n-- {
		if w.faces[n-1] < w.sides[n-1] {
			w.faces[n-1]++
			w.faces, w.sides = w.faces[:n], w.sides[:n]
			return true
		}
	}
	return false
}

// weight is how likely this way is.
func (w *walk) weight() *big.Rat {
	den := big.NewInt(1)
	for _, s := range w.sides {
		den.Mul(den, big.NewInt(int64(s)))
	}
	return new(big.Rat).SetFrac(big.NewInt(1), den)
}
