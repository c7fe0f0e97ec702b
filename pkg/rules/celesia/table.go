package celesia

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	content "github.com/skaldrpg/skald/pkg/content/celesia"
	"github.com/skaldrpg/skald/pkg/rules/csvtable"
)

// cripple is a row of the table of crippling injuries.
//
// celesia.injury.crippling-table
type cripple struct {
	// from and to are the results of a d20 that give it.
	from, to int32
	// row is its id.
	row string
	// title for people.
	title string
	// negated is the damage that it cancels when chosen, in points.
	negated int32
	// rule behind it.
	rule string
}

// circumstance is a row of the table of advantage and disadvantage.
//
// celesia.dice.circumstance-table
type circumstance struct {
	advantage bool
	// target tells whether the condition is the target's; else the roller's.
	target bool
	// rolls it touches: attack, maneuver, save, skill, ability, initiative.
	rolls []string
	// condition that it is about.
	condition string
	// limit narrows it; empty for none.
	limit string
	rule  string
}

// The tables; the errors are those of the embedded files, with which nothing
// starts.
var (
	cripples, errCripples           = readShipped("crippling", readCripples)
	circumstances, errCircumstances = readShipped("circumstances", readCircumstances)
)

// readShipped reads a table of the book.
func readShipped[T any](name string, read func(text string) (T, error)) (T, error) {
	text, err := content.Book().Table(name)
	if err != nil {
		var none T
		return none, err
	}
	return read(text)
}

// Validate says what is wrong with the embedded tables; nil when they hold.
func (System) Validate() error {
	_, err := readWords()
	return errors.Join(errCripples, errCircumstances, errMultiRows, settings.Err(), err)
}

// readCripples reads the table of crippling injuries; its ranges must cover 1
// to 20 without a gap.
func readCripples(text string) ([]cripple, error) {
	rows, err := csvtable.Lines(text, 6)
	if err != nil {
		return nil, fmt.Errorf("celesia: table: %w", err)
	}
	var out []cripple
	next := int32(1)
	for i, row := range rows {
		from, err1 := strconv.Atoi(row[0])
		to, err2 := strconv.Atoi(row[1])
		negated, err3 := strconv.Atoi(row[4])
		if err1 != nil || err2 != nil || err3 != nil {
			return nil, fmt.Errorf("celesia: crippling table row %d: not numbers", i+1)
		}
		if int32(from) != next || to < from || negated < 1 {
			return nil, fmt.Errorf("celesia: crippling table row %d: range %d-%d does not follow", i+1, from, to)
		}
		next = int32(to) + 1
		out = append(out, cripple{int32(from), int32(to), row[2], row[3], int32(negated), row[5]})
	}
	if next != 21 {
		return nil, fmt.Errorf("celesia: crippling table ends at %d", next-1)
	}
	return out, nil
}

// limits of the circumstances, each with the code that knows it in edges.go.
var circumstanceLimits = []string{"", "foe", "melee", "ranged", "sighted", "strength-dexterity", "weapon", "tool", "ship",
	"sight", "opposed-perception", "reaction", "worst-fear", "not-grapple", "grapple-grappled"}

func readCircumstances(text string) ([]circumstance, error) {
	rows, err := csvtable.Lines(text, 6)
	if err != nil {
		return nil, fmt.Errorf("celesia: table: %w", err)
	}
	var out []circumstance
	for i, row := range rows {
		c := circumstance{advantage: row[0] == "advantage", target: row[1] == "target", rolls: strings.Fields(row[2]),
			condition: row[3], limit: row[4], rule: row[5]}
		known := []string{rollAttack, rollManeuver, rollSave, rollSkill, rollAbility, rollInitiative}
		for _, roll := range c.rolls {
			if !slices.Contains(known, roll) {
				return nil, fmt.Errorf("celesia: circumstance %d: no roll %q", i+1, roll)
			}
		}
		if !c.advantage && row[0] != "disadvantage" || !c.target && row[1] != "self" || !slices.Contains(circumstanceLimits, c.limit) {
			return nil, fmt.Errorf("celesia: circumstance %d: unknown word in %v", i+1, row)
		}
		out = append(out, c)
	}
	return out, nil
}

// crippleRow finds a row by its id; nil when there is none.
func crippleRow(row string) *cripple {
	for i := range cripples {
		if cripples[i].row == row {
			return &cripples[i]
		}
	}
	return nil
}

// crippleAt finds the row of a result; results above the table are its last row.
//
// celesia.injury.massive-roll
func crippleAt(result int32) *cripple {
	result = max(1, min(20, result))
	for i := range cripples {
		if result >= cripples[i].from && result <= cripples[i].to {
			return &cripples[i]
		}
	}
	return nil
}
