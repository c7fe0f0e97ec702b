package manners

import (
	"fmt"
	"slices"

	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/csvtable"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// barrelRow is a row of the tables of loading simple firearms.
//
// celesia.equipment.load-one-handed-simple-firearm, celesia.equipment.load-two-handed-simple-firearm
type barrelRow struct {
	rapid, cartridge bool
	// acts that it takes; 0 for a 1-round action.
	acts int32
}

// The tables of the book; ErrBarrels says why they could not be read.
var (
	oneHanded, errOneHanded = body.ReadShipped("load-one-handed", readBarrels)
	twoHanded, errTwoHanded = body.ReadShipped("load-two-handed", readBarrels)
)

// ErrBarrels says why the tables of loading could not be read; nil when they were.
func ErrBarrels() error {
	if errOneHanded != nil {
		return errOneHanded
	}
	return errTwoHanded
}

// round is the word for a 1-round action.
const round = "1-round"

func readBarrels(text string) ([]barrelRow, error) {
	rows, err := csvtable.Lines(text, 3)
	if err != nil {
		return nil, fmt.Errorf("celesia: table: %w", err)
	}
	var out []barrelRow
	for i, row := range rows {
		one := barrelRow{rapid: row[0] == "yes", cartridge: row[1] == "yes"}
		if row[2] != round {
			if one.acts, err = csvtable.Int(row[2]); err != nil || one.acts < 1 {
				return nil, fmt.Errorf("celesia: loading row %d: %v", i+1, row)
			}
		}
		out = append(out, one)
	}
	if len(out) != 4 {
		return nil, fmt.Errorf("celesia: loading table has %d rows, not 4", len(out))
	}
	return out, nil
}

// barrelActs is how many acts it takes to load a simple firearm; 0 for a 1-round
// action.
func barrelActs(w *eventv1.CelesiaWeapon) int32 {
	rows := oneHanded
	if w.GetHands() == 2 {
		rows = twoHanded
	}
	i := slices.IndexFunc(rows, func(row barrelRow) bool { return row.rapid == w.GetRapidReload() && row.cartridge == w.GetCartridge() })
	if i < 0 {
		return 0 // nothing starts with a table that does not hold
	}
	return rows[i].acts
}
