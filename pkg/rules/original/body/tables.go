package body

import (
	"fmt"
	"strconv"

	"github.com/skaldrpg/skald/pkg/rules/csvtable"
)

// band is a row for numbers from first to last.
type band struct {
	first, last int32
	Value       int32
	Word        string
	Second      int32
}

// RuleBook is the default content that the source leaves to the table.
type RuleBook struct {
	// Hit is hit_ac0 by kind of attacker and level; a monster's rows are in
	// half steps: hit dice twice, one more with a plus.
	Hit      map[string][]band
	Ability  []band
	Reach    map[string]int32
	Fumble   []band
	Surround map[string]int32
	// Backstab is the multiplier of damage by level, second the bonus to hit.
	Backstab []band
	// Save is the Save vs Paralysis by level.
	Save []band
	// Reaction is the Reaction Table of 2d6.
	Reaction []band
}

// LoadTables reads and checks every table.
func LoadTables(open func(name string) (string, error)) (*RuleBook, error) {
	t := &RuleBook{Hit: map[string][]band{}, Reach: map[string]int32{}, Surround: map[string]int32{}}
	var rows int
	read := []struct {
		name, header string
		rows         int
		row          func(rec []string) error
	}{
		{"hit_matrix", "attacker,from,to,hit_ac0", 23, func(rec []string) (err error) {
			t.Hit[rec[0]], err = addBand(t.Hit[rec[0]], rec[1:], true)
			return err
		}},
		{"ability", "from,to,bonus", 4, func(rec []string) (err error) { t.Ability, err = addBand(t.Ability, rec, true); return err }},
		{"reach", "kind,rank", 12, func(rec []string) error { return addWord(t.Reach, rec) }},
		{"fumble", "from,to,effect", 3, func(rec []string) (err error) { t.Fumble, err = addBand(t.Fumble, rec, false); return err }},
		{"backstab", "from,to,multiplier,to_hit", 4, func(rec []string) (err error) { t.Backstab, err = addBand(t.Backstab, rec, true); return err }},
		{"save", "from,to,number", 4, func(rec []string) (err error) { t.Save, err = addBand(t.Save, rec, true); return err }},
		{"reaction", "from,to,reaction", 5, func(rec []string) (err error) { t.Reaction, err = addBandFrom(2, t.Reaction, rec, false); return err }},
		{"surround", "size,attackers", 7, func(rec []string) error { return addWord(t.Surround, rec) }},
	}
	for _, table := range read {
		text, err := open(table.name)
		if err == nil {
			rows, err = csvtable.Read(text, table.header, table.row)
		}
		if err == nil && rows != table.rows {
			err = fmt.Errorf("%d rows, want %d", rows, table.rows)
		}
		if err != nil {
			return &RuleBook{}, fmt.Errorf("original: table %s: %w", table.name, err)
		}
	}
	if n := len(t.Reaction); t.Reaction[n-1].last != 12 {
		return &RuleBook{}, fmt.Errorf("original: table reaction: ends at %d, 2d6 at 12", t.Reaction[n-1].last)
	}
	if n := len(t.Fumble); t.Fumble[n-1].last != 6 {
		return &RuleBook{}, fmt.Errorf("original: table fumble: ends at %d, a d6 at 6", t.Fumble[n-1].last)
	}
	return t, nil
}

// addBand adds a row that must go on where the last one ended; the first is from 1.
func addBand(bands []band, rec []string, numbers bool) ([]band, error) {
	return addBandFrom(1, bands, rec, numbers)
}

// addBandFrom is addBand for a table that begins at another number.
func addBandFrom(start int32, bands []band, rec []string, numbers bool) ([]band, error) {
	after := start - 1
	if len(bands) > 0 {
		after = bands[len(bands)-1].last
	}
	first, err1 := strconv.ParseInt(rec[0], 10, 32)
	last, err2 := strconv.ParseInt(rec[1], 10, 32)
	if err1 != nil || err2 != nil || int32(first) != after+1 || last < first {
		return nil, fmt.Errorf("%s to %s does not follow %d", rec[0], rec[1], after)
	}
	b := band{first: int32(first), last: int32(last), Word: rec[2]}
	if numbers {
		n, err := strconv.ParseInt(rec[2], 10, 32)
		if err != nil {
			return nil, err
		}
		b.Value = int32(n)
	}
	if len(rec) > 3 {
		n, err := strconv.ParseInt(rec[3], 10, 32)
		if err != nil {
			return nil, err
		}
		b.Second = int32(n)
	}
	return append(bands, b), nil
}

func addWord(to map[string]int32, rec []string) error {
	n, err := strconv.ParseInt(rec[1], 10, 32)
	if err != nil || n < 0 {
		return fmt.Errorf("%q is no number", rec[1])
	}
	if _, twice := to[rec[0]]; twice {
		return fmt.Errorf("%q twice", rec[0])
	}
	to[rec[0]] = int32(n)
	return nil
}

// Find looks a number up; numbers beyond the ends take the first or last row.
func Find(bands []band, n int32) band {
	for _, b := range bands {
		if n <= b.last {
			return b
		}
	}
	if len(bands) == 0 {
		return band{}
	}
	return bands[len(bands)-1]
}
