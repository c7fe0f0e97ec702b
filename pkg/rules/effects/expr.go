package effects

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/cost"
	"cel.dev/cel-go/common/env"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"github.com/skaldrpg/skald/pkg/limits"
	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
)

// maxNumber bounds what an expression can come to, in either direction: sums of
// a few of them stay in range.
const maxNumber = 1_000_000

// expr is an expression, compiled.
type expr struct {
	// constant: the value is known.
	constant bool
	number   int32
	program  cel.Program
	cost     uint64
}

// withheld are the functions of CEL that content does not have: time, regular
// expressions and floating point have no place in rules.
var withheld = []string{"matches", "timestamp", "duration", "double", "bytes", "dyn", "getDate", "getDayOfMonth",
	"getDayOfWeek", "getDayOfYear", "getFullYear", "getHours", "getMilliseconds", "getMinutes", "getMonth", "getSeconds"}

// variables of expressions: the fields of a Scene, and other names for base.
var numbers = []string{"distance", "round", "damage", "base", "cost", "feet", "from"}

var language = sync.OnceValues(func() (*cel.Env, error) {
	excluded := &env.LibrarySubset{}
	for _, f := range withheld {
		excluded.ExcludeFunctions = append(excluded.ExcludeFunctions, env.NewFunction(f))
	}
	being := cel.ObjectType("skald.content.v1.Being")
	options := []cel.EnvOption{
		cel.StdLib(cel.StdLibSubset(excluded)),
		cel.Types(&contentv1.Scene{}),
		cel.ParserRecursionLimit(24),
		cel.ParserExpressionSizeLimit(limits.ExpressionBytes),
		cel.Variable("weapon", cel.ObjectType("skald.content.v1.Arm")),
		cel.Variable("roll", cel.ObjectType("skald.content.v1.Throw")),
		cel.Variable("settings", cel.MapType(cel.StringType, cel.StringType)),
	}
	for _, name := range []string{"self", "actor", "target", "source"} {
		options = append(options, cel.Variable(name, being))
	}
	for _, name := range []string{"damage_type", "spell", "action"} {
		options = append(options, cel.Variable(name, cel.StringType))
	}
	for _, name := range numbers {
		options = append(options, cel.Variable(name, cel.IntType))
	}
	return cel.NewCustomEnv(append(options, functions(being)...)...)
})

// functions are those that content has beyond CEL's own.
func functions(being *cel.Type) []cel.EnvOption {
	of := func(name string, result *cel.Type, find func(b *contentv1.Being, word string) ref.Val) cel.EnvOption {
		return cel.Function(name, cel.MemberOverload("being_"+name, []*cel.Type{being, cel.StringType}, result,
			cel.BinaryBinding(func(who, word ref.Val) ref.Val {
				b, ok := who.Value().(*contentv1.Being)
				w, said := word.Value().(string)
				if !ok || !said {
					return types.NewErr("%s wants a creature and a word", name)
				}
				return find(b, w)
			})))
	}
	two := func(name string, pick func(a, b int64) int64) cel.EnvOption {
		return cel.Function(name, cel.Overload(name+"_int_int", []*cel.Type{cel.IntType, cel.IntType}, cel.IntType,
			cel.BinaryBinding(func(x, y ref.Val) ref.Val {
				a, okA := x.(types.Int)
				b, okB := y.(types.Int)
				if !okA || !okB {
					return types.NewErr("%s wants whole numbers", name)
				}
				return types.Int(pick(int64(a), int64(b)))
			})))
	}
	return []cel.EnvOption{
		two("min", func(a, b int64) int64 { return min(a, b) }),
		two("max", func(a, b int64) int64 { return max(a, b) }),
		of("score", cel.IntType, func(b *contentv1.Being, w string) ref.Val { return types.Int(b.Abilities[w]) }),
		of("mod", cel.IntType, func(b *contentv1.Being, w string) ref.Val { return types.Int(abilityModifier(b, w)) }),
		of("count", cel.IntType, func(b *contentv1.Being, w string) ref.Val { return types.Int(b.Counters[w]) }),
		of("is", cel.BoolType, func(b *contentv1.Being, w string) ref.Val { return types.Bool(contains(b.Conditions, w)) }),
		of("hurt", cel.BoolType, func(b *contentv1.Being, w string) ref.Val { return types.Bool(contains(b.Injuries, w)) }),
		of("knows", cel.BoolType, func(b *contentv1.Being, w string) ref.Val { return types.Bool(contains(b.Feats, w)) }),
		of("wearing", cel.BoolType, func(b *contentv1.Being, w string) ref.Val { return types.Bool(contains(b.Wears, w)) }),
	}
}

func contains(words []string, word string) bool {
	for _, w := range words {
		if w == word {
			return true
		}
	}
	return false
}

// abilityModifier is half of what a score has above 10, rounded down; 0 for one
// that the creature does not have.
func abilityModifier(b *contentv1.Being, name string) int64 {
	score, ok := b.Abilities[name]
	if !ok {
		return 0
	}
	score -= 10
	if score < 0 {
		score--
	}
	return score / 2
}

// number compiles an expression that comes to a whole number.
func number(text string, known func(setting string) bool) (*expr, error) {
	if n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 32); err == nil {
		if n < -maxNumber || n > maxNumber {
			return nil, fmt.Errorf("a number must be %d to %d", -maxNumber, maxNumber)
		}
		return &expr{constant: true, number: int32(n)}, nil
	}
	return compile(text, cel.IntType, "a whole number", known)
}

// condition compiles an expression that is true or false.
func condition(text string, known func(setting string) bool) (*expr, error) {
	switch strings.TrimSpace(text) {
	case "true":
		return nil, nil
	}
	return compile(text, cel.BoolType, "true or false", known)
}

func compile(text string, want *cel.Type, words string, known func(string) bool) (*expr, error) {
	if len(text) > limits.ExpressionBytes {
		return nil, fmt.Errorf("the expression has %d bytes; at most %d", len(text), limits.ExpressionBytes)
	}
	lang, err := language()
	if err != nil {
		return nil, err
	}
	tree, issues := lang.Compile(text)
	if err := issues.Err(); err != nil {
		return nil, errors.New(firstIssue(issues))
	}
	if !tree.OutputType().IsExactType(want) {
		return nil, fmt.Errorf("the expression is %s; it must be %s", tree.OutputType(), words)
	}
	if err := checkTree(tree.NativeRep(), known); err != nil {
		return nil, err
	}
	estimate, err := lang.EstimateCost(tree, sizes{})
	if err != nil {
		return nil, err
	}
	if estimate.Max > limits.ExpressionCost {
		return nil, fmt.Errorf("the expression may cost %d steps; at most %d", estimate.Max, limits.ExpressionCost)
	}
	program, err := lang.Program(tree, cel.CostLimit(limits.ExpressionCost), cel.EvalOptions(cel.OptOptimize))
	if err != nil {
		return nil, err
	}
	return &expr{program: program, cost: estimate.Max + 1}, nil
}

// firstIssue is the first thing that CEL finds wrong, in one line with its place
// in the expression.
func firstIssue(issues *cel.Issues) string {
	first := issues.Errors()[0]
	return fmt.Sprintf("column %d: %s", first.Location.Column()+1, strings.TrimSpace(strings.ReplaceAll(first.Message, "\n", " ")))
}

// checkTree refuses floating point and settings that there are not.
func checkTree(tree *ast.AST, known func(string) bool) error {
	var wrong error
	ast.PreOrderVisit(tree.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		switch {
		case wrong != nil:
		case tree.GetType(e.ID()).Kind() == types.DoubleKind:
			wrong = errors.New("numbers with a fraction have no place in rules; use whole numbers")
		case known != nil && e.AsCall().FunctionName() == "_[_]":
			args := e.AsCall().Args()
			if args[0].AsIdent() == "settings" && args[1].Kind() == ast.LiteralKind {
				if id, _ := args[1].AsLiteral().Value().(string); !known(id) {
					wrong = fmt.Errorf("there is no setting %q", id)
				}
			}
		}
	}))
	return wrong
}

// sizes tells CEL how big what an expression reads can be.
type sizes struct{}

// EstimateSize bounds lists, maps and words of a Scene.
func (sizes) EstimateSize(element cost.AstNode) *cost.SizeEstimate {
	switch element.Type().Kind() {
	case types.ListKind, types.MapKind:
		return &cost.SizeEstimate{Min: 0, Max: 64}
	case types.StringKind:
		return &cost.SizeEstimate{Min: 0, Max: limits.NameBytes}
	}
	return nil
}

// EstimateCallCost leaves the cost of calls to CEL.
func (sizes) EstimateCallCost(string, string, *cost.AstNode, []cost.AstNode) *cost.CallEstimate {
	return nil
}

// value is what a number comes to; not ok when it cannot be computed, as with a
// division by zero.
func (x *expr) value(s *scene) (n int32, ok bool) {
	if x.constant {
		return x.number, true
	}
	out, _, err := x.program.Eval(s)
	if err != nil {
		return 0, false
	}
	i, isInt := out.(types.Int)
	if !isInt {
		return 0, false
	}
	return int32(max(-maxNumber, min(maxNumber, int64(i)))), true
}

// holds tells whether a condition is true; one that cannot be computed is not.
func (x *expr) holds(s *scene) bool {
	if x == nil {
		return true
	}
	out, _, _ := x.program.Eval(s) // an error is no truth
	return out == types.True
}
