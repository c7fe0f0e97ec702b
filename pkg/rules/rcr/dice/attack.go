package dice

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
)

// DoubleDice doubles the number of every kind of dice in an expression and
// leaves flat numbers as they are: "1d8+3" becomes "2d8+3".
//
// rcr.base.attack-and-critical
func DoubleDice(expr string) string {
	if e, err := dice.Parse(expr); err == nil {
		expr = e.String() // one spelling for all
	}
	var b strings.Builder
	for i := 0; i < len(expr); {
		j := i
		for j < len(expr) && expr[j] >= '0' && expr[j] <= '9' {
			j++
		}
		if j < len(expr) && (expr[j] == 'd' || expr[j] == 'D') && j+1 < len(expr) && expr[j+1] >= '0' && expr[j+1] <= '9' {
			count := 1
			if j > i {
				count = body.Atoi(expr[i:j])
			}
			b.WriteString(body.Itoa(2*count) + "d")
			i = j + 1
			for i < len(expr) && expr[i] >= '0' && expr[i] <= '9' {
				b.WriteByte(expr[i])
				i++
			}
			continue
		}
		if j == i {
			j++
		}
		b.WriteString(expr[i:j])
		i = j
	}
	return b.String()
}
