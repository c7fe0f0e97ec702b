// Package csvtable reads the tables of rule systems, which are embedded as CSV
// with a heading.
//
// It must never mend a table: one that does not hold is an error that names the
// line.
package csvtable

import (
	"encoding/csv"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Read calls row for each line after the heading and returns how many there
// were. The heading must be the one given.
func Read(text, heading string, row func(cells []string) error) (int, error) {
	all, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		return 0, err
	}
	if len(all) == 0 || strings.Join(all[0], ",") != heading {
		return 0, fmt.Errorf("the first line must be %q", heading)
	}
	for i, cells := range all[1:] {
		if err := row(cells); err != nil {
			return 0, fmt.Errorf("row %d: %w", i+1, err)
		}
	}
	return len(all) - 1, nil
}

// Lines returns the lines after the heading, each of so many cells; there must be
// one at least.
func Lines(text string, columns int) ([][]string, error) {
	r := csv.NewReader(strings.NewReader(text))
	r.FieldsPerRecord = columns
	all, err := r.ReadAll()
	if err != nil {
		return nil, err
	}
	if len(all) < 2 {
		return nil, errors.New("there are no rows")
	}
	return all[1:], nil
}

// Rows checks how many rows a table has.
func Rows(n, want int) error {
	if n != want {
		return fmt.Errorf("%d rows, want %d", n, want)
	}
	return nil
}

// Int reads a whole number.
func Int(cell string) (int32, error) {
	n, err := strconv.ParseInt(cell, 10, 32)
	if err != nil {
		return 0, fmt.Errorf("%q is no whole number", cell)
	}
	return int32(n), nil
}

// Next reads the two ends of a range, which must begin right after the last one
// ended and not end before it begins.
func Next(from, to string, after int32) (first, last int32, err error) {
	if first, err = Int(from); err != nil {
		return 0, 0, err
	}
	if last, err = Int(to); err != nil {
		return 0, 0, err
	}
	if first != after+1 || last < first {
		return 0, 0, fmt.Errorf("%d to %d does not follow %d", first, last, after)
	}
	return first, last, nil
}
