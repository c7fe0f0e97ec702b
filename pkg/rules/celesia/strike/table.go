package strike

import (
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/play/situation"
)

// The tables; the errors are those of the embedded files, with which nothing
// starts.
var (
	Cripples, ErrCripples     = body.ReadShipped("crippling", body.ReadCripples)
	Situations, ErrSituations = body.ReadShipped("situations", func(text string) (*situation.Table[body.RollKind], error) {
		return situation.Read(text, rowLimits)
	})
	Conditions, ErrConditions = body.ReadConditions()
)

// crippleRow finds a row by its id; nil when there is none.
func crippleRow(row string) *body.Cripple {
	for i := range Cripples {
		if Cripples[i].Row == row {
			return &Cripples[i]
		}
	}
	return nil
}

// CrippleAt finds the row of a result; results above the table are its last row.
//
// celesia.injury.massive-roll
func CrippleAt(result int32) *body.Cripple {
	result = max(1, min(20, result))
	for i := range Cripples {
		if result >= Cripples[i].From && result <= Cripples[i].To {
			return &Cripples[i]
		}
	}
	return nil
}
