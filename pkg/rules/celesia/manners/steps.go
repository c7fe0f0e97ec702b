package manners

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/csvtable"
	"github.com/skaldrpg/skald/pkg/rules/effects"
)

// Steps is a row of the table of trade-offs: what they take and give at a base
// attack bonus.
//
// celesia.attack.special-scaling
type Steps struct {
	// Base attack bonus of the row.
	Base int32
	// Steps of the trade-offs: Penalty goes on the roll (or on the DV), Bonus on damage
	// or roll, for two hands or a natural weapon TwoHanded, for an off hand OffHand;
	// Dodge is what Combat Expertise adds to the DV.
	Steps, Penalty, Bonus, TwoHanded, OffHand, Dodge int32
	// Martial are those of Martial Power: its penalty, and its temporary hit points,
	// with a shield and without.
	Martial, MartialPenalty, MartialPoints, MartialShielded int32
	// By is the rule id of a row of content; empty for the book's own.
	By string
}

// The table of the book; ErrSteps says why it could not be read.
var steps, ErrSteps = body.ReadShipped("trade-offs", ReadSteps)

// ReadSteps reads the table: rows for base attack bonuses from 0 on without a gap.
func ReadSteps(text string) ([]Steps, error) {
	rows, err := csvtable.Lines(text, 11)
	if err != nil {
		return nil, fmt.Errorf("celesia: table: %w", err)
	}
	out := make([]Steps, 0, len(rows))
	for i, row := range rows {
		var n [11]int32
		for j, cell := range row {
			if n[j], err = csvtable.Int(cell); err != nil {
				return nil, fmt.Errorf("celesia: trade-offs row %d: %w", i+1, err)
			}
		}
		if n[1] < 1 || n[7] < 1 || n[2] > 0 || n[8] > 0 {
			return nil, fmt.Errorf("celesia: trade-offs row %d: steps are at least 1, penalties at most 0: %v", i+1, row)
		}
		out = append(out, Steps{Base: n[0], Steps: n[1], Penalty: n[2], Bonus: n[3], TwoHanded: n[4], OffHand: n[5], Dodge: n[6],
			Martial: n[7], MartialPenalty: n[8], MartialPoints: n[9], MartialShielded: n[10]})
	}
	slices.SortStableFunc(out, func(a, b Steps) int { return cmp.Compare(a.Base, b.Base) }) // rows of packs come last
	for i, row := range out {
		if row.Base != int32(i) {
			return nil, fmt.Errorf("celesia: trade-offs: the base attack bonus %d does not follow %d", row.Base, i-1)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("celesia: trade-offs: no rows")
	}
	return out, nil
}

// StepsAt is the row of a base attack bonus, as content has the table. Beyond its
// last row the steps go on as the rule says: one more at every further 4, for
// Martial Power at every further 2; each step is worth what those of the last row
// are.
//
// celesia.attack.special-scaling
func StepsAt(book *effects.Book, base int32) Steps {
	all := body.TableOf(book, "trade-offs", -1, -1, func(text string) ([]Steps, error) { return houseSteps(book, text) }, steps)
	if base < 0 {
		return Steps{}
	}
	if int(base) < len(all) {
		return all[base]
	}
	row := all[len(all)-1]
	more, martial := row.Steps+base/4-row.Base/4, row.Martial+(base-1)/2-(row.Base-1)/2
	for _, n := range []*int32{&row.Penalty, &row.Bonus, &row.TwoHanded, &row.OffHand, &row.Dodge} {
		*n = *n / row.Steps * more
	}
	for _, n := range []*int32{&row.MartialPenalty, &row.MartialPoints, &row.MartialShielded} {
		*n = *n / row.Martial * martial
	}
	row.Base, row.Steps, row.Martial = base, more, martial
	return row
}

// houseSteps reads the table as content has it, with the ids of its rows.
func houseSteps(book *effects.Book, text string) ([]Steps, error) {
	out, err := ReadSteps(text)
	if err != nil {
		return nil, err
	}
	for i, row := range book.Table("trade-offs").Rows {
		base, _ := csvtable.Int(row[0]) // ReadSteps has seen it: bases are numbered from 0 on
		out[base].By = book.TableCite("trade-offs", i)
	}
	return out, nil
}

// behind is the rule behind what a trade-off does: that of content whose row it is,
// else the trade-off's own.
func (s Steps) behind(rule string) string {
	if s.By != "" {
		return s.By
	}
	return rule
}
