package manners

import (
	"fmt"

	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/csvtable"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// barrel is what the acts of loading a simple firearm hang on.
//
// celesia.equipment.load-one-handed-simple-firearm, celesia.equipment.load-two-handed-simple-firearm
type barrel struct{ rapid, cartridge bool }

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

// readBarrels reads the acts of loading for each of the four circumstances; 0 for a
// 1-round action.
func readBarrels(text string) (map[barrel]int32, error) {
	rows, err := csvtable.Lines(text, 3)
	if err != nil {
		return nil, fmt.Errorf("celesia: table: %w", err)
	}
	out := map[barrel]int32{}
	for i, row := range rows {
		acts := int32(0)
		if row[2] != round {
			if acts, _ = csvtable.Int(row[2]); acts < 1 { // what is no number reads as 0
				return nil, fmt.Errorf("celesia: loading row %d: %v", i+1, row)
			}
		}
		out[barrel{rapid: row[0] == "yes", cartridge: row[1] == "yes"}] = acts
	}
	if len(out) != 4 {
		return nil, fmt.Errorf("celesia: loading table has %d circumstances, not 4", len(out))
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
	return rows[barrel{rapid: w.GetRapidReload(), cartridge: w.GetCartridge()}]
}
