package effects

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"

	"github.com/skaldrpg/skald/pkg/limits"
)

// whenKnows are the variables that the condition of a standing order may name: there is
// no weapon and no roll when it is asked.
var whenKnows = []string{"self", "target", "distance", "round", "settings"}

// whens are conditions compiled before, by their text; bounded.
var whens struct {
	sync.Mutex
	kept map[string]*expr
}

// CheckWhen says what is wrong with the condition of a standing order: an expression
// over self, target, distance, round and settings that is true or false. known tells
// which settings there are. An empty one holds always.
func CheckWhen(text string, known func(setting string) bool) error {
	if text == "" {
		return nil
	}
	if strings.TrimSpace(text) == "" {
		return fmt.Errorf("the condition is blank")
	}
	if _, err := compileWhen(text); err != nil {
		return err
	}
	_, err := compile(text, cel.BoolType, "true or false", known)
	return err
}

// When tells whether the condition of a standing order holds: self is the actor of what
// goes on. One that cannot be computed does not hold.
func When(text string, b *Book, env Env) bool {
	x, err := compileWhen(text)
	if err != nil {
		return false
	}
	if b == nil {
		b = &Book{}
	}
	return x.holds(&scene{book: b, env: &env, self: env.Actor})
}

func compileWhen(text string) (*expr, error) {
	whens.Lock()
	x, ok := whens.kept[text]
	whens.Unlock()
	if ok {
		return x, nil
	}
	x, err := compile(text, cel.BoolType, "true or false", nil)
	if err != nil {
		return nil, err
	}
	if err := onlyNames(text, whenKnows); err != nil {
		return nil, err
	}
	whens.Lock()
	defer whens.Unlock()
	if whens.kept == nil || len(whens.kept) >= limits.ExpressionsParsed {
		whens.kept = map[string]*expr{}
	}
	whens.kept[text] = x
	return x, nil
}

// onlyNames refuses an expression that names another variable.
func onlyNames(text string, known []string) error {
	lang, err := language()
	if err != nil {
		return err
	}
	tree, issues := lang.Compile(text)
	if err := issues.Err(); err != nil {
		return err
	}
	all := slices.Concat([]string{"actor", "source", "weapon", "roll", "damage_type", "spell", "action"}, numbers)
	var wrong error
	ast.PreOrderVisit(tree.NativeRep().Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if wrong == nil && slices.Contains(all, e.AsIdent()) && !slices.Contains(known, e.AsIdent()) {
			wrong = fmt.Errorf("%s means nothing here; there are %s", e.AsIdent(), strings.Join(known, ", "))
		}
	}))
	return wrong
}
