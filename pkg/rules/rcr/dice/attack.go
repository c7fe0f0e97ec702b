package dice

import (
	"regexp"
	"strings"

	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
)

// diceIn finds the dice of an expression, of whatever number and sides.
var diceIn = regexp.MustCompile(`[0-9]*d[0-9]+`)

// DoubleDice doubles the number of every kind of dice in an expression and
// leaves flat numbers as they are: "1d8+3" becomes "2d8+3".
//
// rcr.base.attack-and-critical
func DoubleDice(expr string) string {
	if e, err := dice.Parse(expr); err == nil {
		expr = e.String() // one spelling for all
	}
	return diceIn.ReplaceAllStringFunc(expr, func(dice string) string {
		count, sides, _ := strings.Cut(dice, "d")
		if count == "" {
			count = "1"
		}
		return body.Itoa(2*body.Atoi(count)) + "d" + sides
	})
}
