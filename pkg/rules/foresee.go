package rules

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// ErrUnforeseen says that a command cannot be foreseen from the state given: the
// rules need what is not in it.
var ErrUnforeseen = errors.New("rules: the command cannot be foreseen from what is known")

// ForeseenRoll is a roll that a command may make.
type ForeseenRoll struct {
	// Roll without faces and outcome: who rolls what, why, with what added, against
	// what.
	Roll *eventv1.Roll
	// Audience that will see it.
	Audience *eventv1.Audience
	// Odds of each outcome, exact; none when it has no outcomes or too many ways to
	// fall.
	Odds []*eventv1.OutcomeOdds
	// Chance that the roll is made.
	Chance *big.Rat

	key string
}

// ForeseenAsk is a decision that a command may meet.
type ForeseenAsk struct {
	// Decision without its id, which a real one will have.
	Decision *eventv1.Decision
	// Assumed is the option with which the foresight goes on; empty when it ends here.
	Assumed string
}

// ForeseenEnd is one way in which a command may go.
type ForeseenEnd struct {
	// Chance of it.
	Chance *big.Rat
	// Rolls are the outcomes that lead there, in order.
	Rolls []*eventv1.Roll
	// State that it leads to when every number is a middling one.
	State *eventv1.State
	// Events that lead there; their numbers are middling ones.
	Events []*eventv1.Event
	// Open are decisions that it ends at.
	Open []*eventv1.Decision
}

// Foresight is what a command may come to.
type Foresight struct {
	// Refused is why it would be refused; nil when it would not be.
	Refused error
	// Rolls in the order in which they are first met.
	Rolls []*ForeseenRoll
	// Asks in the order in which they are first met.
	Asks []*ForeseenAsk
	// Ends, the likeliest first.
	Ends []*ForeseenEnd
	// Cut: there are more ways than were followed.
	Cut bool
}

// foreseen bounds how many ways a roll can fall when its outcomes are told apart.
const foreseenFalls = 10_000

// Foresee follows a command along every outcome of its rolls, at most so many runs.
// It takes no face from anywhere: of each outcome it takes dice that lie in the
// middle of those that lead to it. A decision is taken by its default. It returns
// ErrUnforeseen where the rules fail on the state given, and the context's error.
func Foresee(ctx context.Context, sys System, req Request, resolve func(*Resolution) error, runs int) (*Foresight, error) {
	x := &foreseer{ctx: ctx, sys: sys, req: req, out: &Foresight{}, rolls: map[string]*ForeseenRoll{}, asked: map[string]bool{}}
	x.ahead = []*way{{chance: big.NewRat(1, 1), recorded: req.Recorded}}
	for len(x.ahead) > 0 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if runs--; runs < 0 {
			x.out.Cut = true
			break
		}
		if err := x.follow(x.next(), resolve); err != nil {
			return nil, err
		}
		if x.out.Refused != nil {
			return &Foresight{Refused: x.out.Refused}, nil
		}
	}
	slices.SortStableFunc(x.out.Ends, func(a, b *ForeseenEnd) int { return b.Chance.Cmp(a.Chance) })
	return x.out, nil
}

// picker gives a roll its dice.
type picker func(spec RollSpec, expr *dice.Expr, branch, label string, index uint32) *eventv1.Draw

// way is a way not yet followed to its end.
type way struct {
	chance   *big.Rat
	recorded []*eventv1.Input // what was decided so far
	rolls    []*eventv1.Roll  // outcomes so far
}

// foreseer follows ways, the likeliest first.
type foreseer struct {
	ctx   context.Context
	sys   System
	req   Request
	out   *Foresight
	ahead []*way
	now   *way
	trail []*eventv1.Input // draws of the run under way
	rolls map[string]*ForeseenRoll
	asked map[string]bool
}

func (x *foreseer) next() *way {
	at := 0
	for i, w := range x.ahead {
		if w.chance.Cmp(x.ahead[at].chance) > 0 {
			at = i
		}
	}
	w := x.ahead[at]
	x.ahead = slices.Delete(x.ahead, at, at+1)
	return w
}

// follow runs the command along a way.
func (x *foreseer) follow(w *way, resolve func(*Resolution) error) (err error) {
	defer func() {
		if p := recover(); p != nil { // rules that need what a viewer's state does not hold
			err = fmt.Errorf("%w: %v", ErrUnforeseen, p)
		}
	}()
	x.now, x.trail = w, nil
	req := x.req
	req.Recorded, req.Own, req.Again = w.recorded, nil, true // the next way begins where this one does
	out, err := run(x.ctx, x.sys, req, x, resolve, x.pick)
	switch {
	case err != nil && refusal(err) && len(w.rolls) == 0 && len(x.trail) == 0:
		x.out.Refused = err
		return nil
	case err != nil && x.ctx.Err() != nil:
		return x.ctx.Err()
	case err != nil:
		return fmt.Errorf("%w: %w", ErrUnforeseen, err)
	}
	answers := x.assume(out.Open)
	if len(out.Open) > 0 && len(answers) == len(out.Open) {
		x.ahead = append(x.ahead, &way{chance: w.chance, rolls: w.rolls,
			recorded: slices.Concat(w.recorded, settled(out.Inputs), answers)})
		return nil
	}
	x.out.Ends = append(x.out.Ends, &ForeseenEnd{Chance: w.chance, Rolls: w.rolls, State: out.State, Events: out.Events, Open: out.Open})
	return nil
}

// settled lists draws, answers and commitments, those inside deeds included.
func settled(inputs []*eventv1.Input) []*eventv1.Input {
	var out []*eventv1.Input
	for _, in := range inputs {
		if h := in.GetHarm(); h != nil {
			out = append(out, settled(h.Inputs)...)
			continue
		}
		out = append(out, in)
	}
	return out
}

// assume takes the defaults of decisions that are open.
func (x *foreseer) assume(open []*eventv1.Decision) []*eventv1.Input {
	var out []*eventv1.Input
	for _, d := range open {
		if !x.asked[d.Id] {
			x.asked[d.Id] = true
			x.out.Asks = append(x.out.Asks, &ForeseenAsk{Decision: d, Assumed: d.DefaultOption})
		}
		if d.DefaultOption != "" {
			out = append(out, Answered(d, &eventv1.Answer{Option: d.DefaultOption}, "default"))
		}
	}
	return out
}

// Answer implements Answerer: decisions that are open together are taken by their
// defaults, if each has one, and the run goes on.
func (x *foreseer) Answer(_ context.Context, open []*eventv1.Decision) (*eventv1.Answer, string) {
	answers := x.assume(open)
	if len(answers) < len(open) {
		return nil, ""
	}
	x.trail = append(x.trail, answers[0])
	return answers[0].GetAnswer().Answer, answers[0].GetAnswer().By
}

// fall is an outcome of a roll: how likely, and dice that lead to it.
type fall struct {
	outcome string
	degree  int32
	chance  *big.Rat
	count   int
	faces   []int32
}

// pick gives a roll that is met for the first time the dice of one outcome, and
// leaves the others for later.
func (x *foreseer) pick(spec RollSpec, expr *dice.Expr, branch, label string, index uint32) *eventv1.Draw {
	falls := fallsOf(spec, expr)
	x.note(spec, expr, branch, label, index, falls)
	draw := func(f fall) *eventv1.Draw {
		return &eventv1.Draw{Branch: branch, Expression: expr.String(), Faces: f.faces}
	}
	met := func(f fall) *eventv1.Roll {
		return &eventv1.Roll{Creature: spec.Creature, Label: label, Index: index, Branch: branch, Reason: spec.Reason, Outcome: f.outcome, Degree: f.degree}
	}
	input := func(f fall) *eventv1.Input {
		return &eventv1.Input{Label: label, Index: index, What: &eventv1.Input_Draw{Draw: draw(f)}}
	}
	at := x.now
	for _, f := range falls[1:] {
		x.ahead = append(x.ahead, &way{chance: new(big.Rat).Mul(at.chance, f.chance), rolls: append(slices.Clone(at.rolls), met(f)),
			recorded: append(slices.Concat(at.recorded, x.trail), input(f))})
	}
	first := falls[0]
	x.trail = append(x.trail, input(first))
	x.now.chance = new(big.Rat).Mul(at.chance, first.chance)
	if first.outcome != "" {
		x.now.rolls = append(slices.Clone(at.rolls), met(first))
	}
	return draw(first)
}

// note lists a roll with its odds.
func (x *foreseer) note(spec RollSpec, expr *dice.Expr, branch, label string, index uint32, falls []fall) {
	key := fmt.Sprint(branch, "\x00", label, "\x00", index)
	if known := x.rolls[key]; known != nil {
		known.Chance.Add(known.Chance, x.now.chance)
		return
	}
	r := &ForeseenRoll{Audience: spec.Audience, Chance: new(big.Rat).Set(x.now.chance), key: key,
		Roll: &eventv1.Roll{Creature: spec.Creature, Label: label, Index: index, Branch: branch, Expression: expr.String(), Reason: spec.Reason,
			Modifiers: spec.Modifiers, Edges: spec.Edges, Target: spec.Target}}
	if falls[0].outcome != "" {
		odds := map[string]*big.Rat{}
		for _, f := range falls {
			if odds[f.outcome] == nil {
				odds[f.outcome] = new(big.Rat)
			}
			odds[f.outcome].Add(odds[f.outcome], f.chance)
		}
		r.Odds = fractions(odds)
	}
	x.rolls[key] = r
	x.out.Rolls = append(x.out.Rolls, r)
}

// fallsOf tells apart in what ways a roll can come out, by outcome and degree: one
// way with middling dice when it has no outcomes, or too many ways to fall.
func fallsOf(spec RollSpec, expr *dice.Expr) []fall {
	middle := func() []fall {
		f := fall{chance: big.NewRat(1, 1)}
		if res, err := expr.Eval(middling{}, dice.Limits{}); err == nil {
			for _, face := range res.Faces {
				f.faces = append(f.faces, int32(face.Face)) //nolint:gosec // a face of a die
			}
		}
		return []fall{f}
	}
	if spec.Target == nil && spec.Judge == nil {
		return middle()
	}
	var falls []fall
	if !eachFall(spec, expr, func(r Rolled, _ []dice.Face, chance *big.Rat) {
		at := slices.IndexFunc(falls, func(f fall) bool { return f.outcome == r.Outcome && f.degree == r.Degree })
		if at < 0 {
			at = len(falls)
			falls = append(falls, fall{outcome: r.Outcome, degree: r.Degree, chance: new(big.Rat)})
		}
		falls[at].count++
		falls[at].chance.Add(falls[at].chance, chance)
	}) || slices.ContainsFunc(falls, func(f fall) bool { return f.outcome == "" }) {
		return middle()
	}
	seen := make([]int, len(falls))
	eachFall(spec, expr, func(r Rolled, faces []dice.Face, _ *big.Rat) {
		at := slices.IndexFunc(falls, func(f fall) bool { return f.outcome == r.Outcome && f.degree == r.Degree })
		if seen[at] == falls[at].count/2 {
			for _, face := range faces {
				falls[at].faces = append(falls[at].faces, int32(face.Face)) //nolint:gosec // a face of a die
			}
		}
		seen[at]++
	})
	return falls
}

// eachFall goes through every way in which a roll can fall; false when there are too
// many, or the dice go on and on.
func eachFall(spec RollSpec, expr *dice.Expr, fn func(r Rolled, faces []dice.Face, chance *big.Rat)) bool {
	modifiers := int32(0)
	for _, m := range spec.Modifiers {
		modifiers += m.Value
	}
	paths := &walk{}
	for more := true; more; more = paths.next() {
		if paths.taken++; paths.taken > foreseenFalls {
			return false
		}
		paths.at = 0
		res, err := expr.Eval(paths, dice.Limits{})
		if err != nil {
			return false
		}
		_, kept := Faces(res)
		r := Rolled{Value: int32(res.Total), Total: int32(res.Total) + modifiers} //nolint:gosec // as in Roll
		if len(kept) > 0 {
			r.Natural = kept[0]
		}
		r.judge(spec)
		fn(r, res.Faces, paths.weight())
	}
	return true
}

// Draw implements Provider. Every roll is picked before it would be drawn.
func (x *foreseer) Draw(context.Context, DrawRequest) (*eventv1.Draw, error) {
	return nil, fault.New(fault.Internal, "NO_DICE", "nothing is drawn in a preview")
}

// Deed implements Provider: the deed is followed as it would be carried out.
func (x *foreseer) Deed(ctx context.Context, d DeedRequest) (*eventv1.HarmOutcome, int, error) {
	return runDeed(ctx, x.sys, x.req.Action, d, x, x.pick)
}

// Open implements Provider.
func (x *foreseer) Open(context.Context, []string, []*eventv1.Entropy) (*eventv1.DiceEpochOpened, error) {
	return &eventv1.DiceEpochOpened{}, nil
}
