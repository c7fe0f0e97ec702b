package body

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/skaldrpg/skald/pkg/rules/csvtable"
)

// Band is a row for numbers from first to last.
type Band struct {
	first, last int32
	Value       int32
	Word        string
	Second      int32
	// By is the rule of content that the row comes from; empty for the book's own.
	By string
}

// RuleBook is the default content that the source leaves to the table.
type RuleBook struct {
	// Hit is hit_ac0 by kind of attacker and level; a monster's rows are in
	// half steps: hit dice twice, one more with a plus.
	Hit      map[string][]Band
	Ability  []Band
	Reach    map[string]int32
	Fumble   []Band
	Surround map[string]int32
	// Backstab is the multiplier of damage by level, second the bonus to hit.
	Backstab []Band
	// Save is the Save vs Paralysis by level.
	Save []Band
	// Reaction is the Reaction Table of 2d6.
	Reaction []Band
	// Cover is the penalty to hit from so many percent on.
	Cover []Band
	// ReachBy and SurroundBy are the rules of content behind rows of these.
	ReachBy, SurroundBy map[string]string
}

// Tables are the tables that content can change, those of situations apart.
var Tables = []string{"hit_matrix", "ability", "reach", "fumble", "backstab", "save", "reaction", "surround", "cover"}

// LoadTables reads and checks every table. By is the rule of content behind a row,
// counted from 0; nil means that all are the book's own.
func LoadTables(open func(name string) (string, error), by func(table string, row int) string) (*RuleBook, error) {
	t := &RuleBook{Hit: map[string][]Band{}, Reach: map[string]int32{}, Surround: map[string]int32{}, ReachBy: map[string]string{}, SurroundBy: map[string]string{}}
	read := []struct {
		name, header string
		// from is the column that rows are in order of; below 0 there is none.
		from int
		row  func(rec []string, by string) error
	}{
		{"hit_matrix", "attacker,from,to,hit_ac0", 1, func(rec []string, by string) (err error) {
			t.Hit[rec[0]], err = addBand(t.Hit[rec[0]], rec[1:], true, by)
			return err
		}},
		{"ability", "from,to,bonus", 0, into(&t.Ability, 1, true)},
		{"reach", "kind,rank", -1, func(rec []string, by string) error { return addWord(t.Reach, t.ReachBy, rec, by) }},
		{"fumble", "from,to,effect", 0, into(&t.Fumble, 1, false)},
		{"backstab", "from,to,multiplier,to_hit", 0, into(&t.Backstab, 1, true)},
		{"save", "from,to,number", 0, into(&t.Save, 1, true)},
		{"reaction", "from,to,reaction", 0, into(&t.Reaction, 2, false)},
		{"surround", "size,attackers", -1, func(rec []string, by string) error { return addWord(t.Surround, t.SurroundBy, rec, by) }},
		{"cover", "from,to,to_hit", 0, into(&t.Cover, 0, true)},
	}
	for _, table := range read {
		text, err := open(table.name)
		if err == nil {
			err = readRows(text, table.header, table.from, func(i int, rec []string) error {
				if by == nil {
					return table.row(rec, "")
				}
				return table.row(rec, by(table.name, i))
			})
		}
		if err != nil {
			return &RuleBook{}, fmt.Errorf("original: table %s: %w", table.name, err)
		}
	}
	if err := t.whole(); err != nil {
		return &RuleBook{}, fmt.Errorf("original: table %w", err)
	}
	return t, nil
}

// readRows calls row for each row with its place in the file, in order of the numbers
// of a column.
func readRows(text, header string, from int, row func(i int, rec []string) error) error {
	var all [][]string
	if _, err := csvtable.Read(text, header, func(rec []string) error { all = append(all, rec); return nil }); err != nil {
		return err
	}
	order := make([]int, len(all))
	for i := range all {
		order[i] = i
	}
	if from >= 0 {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(Atoi(all[a][from]), Atoi(all[b][from])) })
	}
	for _, i := range order {
		if err := row(i, all[i]); err != nil {
			return fmt.Errorf("row %d: %w", i+1, err)
		}
	}
	return nil
}

// whole says what is missing from the tables.
func (t *RuleBook) whole() error {
	for _, x := range []struct {
		name  string
		bands []Band
		last  int32
		words []string
	}{{"hit_matrix fighter", t.Hit["fighter"], 99, nil}, {"hit_matrix priest", t.Hit["priest"], 99, nil}, {"hit_matrix other", t.Hit["other"], 99, nil},
		{"hit_matrix monster", t.Hit["monster"], 199, nil}, {"ability", t.Ability, 99, nil}, {"backstab", t.Backstab, 99, nil}, {"save", t.Save, 99, nil},
		{"cover", t.Cover, 99, nil}, {"reaction", t.Reaction, 12, nil}, {"fumble", t.Fumble, 6, []string{"drop", "stumble", "ally"}}} {
		n := len(x.bands)
		if n == 0 || x.bands[n-1].last != x.last {
			return fmt.Errorf("%s: does not end at %d", x.name, x.last)
		}
		for _, b := range x.bands {
			if x.words != nil && !slices.Contains(x.words, b.Word) || b.Word == "" {
				return fmt.Errorf("%s: %q is not one of %s", x.name, b.Word, strings.Join(x.words, ", "))
			}
		}
	}
	if n := len(t.Hit); n != 4 {
		return fmt.Errorf("hit_matrix: %d kinds of attackers, want 4", n)
	}
	return errors.Join(hasAll("reach", t.Reach, ranked), hasAll("surround", t.Surround, surrounded))
}

// What must have a rank of reach, and a number of attackers round it.
var (
	ranked     = []string{"hand", "natural", "dagger", "melee", "thrown", "spear", "long-spear", "polearm", "lance", "pike", "javelin", "whip"}
	surrounded = []string{"man", "tiny", "small", "medium", "large", "huge", "gargantuan"}
)

func hasAll(name string, rows map[string]int32, wanted []string) error {
	for _, word := range wanted {
		if _, ok := rows[word]; !ok {
			return fmt.Errorf("%s: there is no row of %s", name, word)
		}
	}
	return nil
}

// into adds rows to bands that begin at a number.
func into(bands *[]Band, start int32, numbers bool) func(rec []string, by string) error {
	return func(rec []string, by string) (err error) {
		*bands, err = addBandFrom(start, *bands, rec, numbers, by)
		return err
	}
}

// addBand adds a row that must go on where the last one ended; the first is from 1.
func addBand(bands []Band, rec []string, numbers bool, by string) ([]Band, error) {
	return addBandFrom(1, bands, rec, numbers, by)
}

// addBandFrom is addBand for a table that begins at another number.
func addBandFrom(start int32, bands []Band, rec []string, numbers bool, by string) ([]Band, error) {
	after := start - 1
	if len(bands) > 0 {
		after = bands[len(bands)-1].last
	}
	first, err1 := strconv.ParseInt(rec[0], 10, 32)
	last, err2 := strconv.ParseInt(rec[1], 10, 32)
	if err1 != nil || err2 != nil || int32(first) != after+1 || last < first {
		return nil, fmt.Errorf("%s to %s does not follow %d", rec[0], rec[1], after)
	}
	b := Band{first: int32(first), last: int32(last), Word: rec[2], By: by}
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

func addWord(to map[string]int32, of map[string]string, rec []string, by string) error {
	n, err := strconv.ParseInt(rec[1], 10, 32)
	if err != nil || n < 0 {
		return fmt.Errorf("%q is no number", rec[1])
	}
	if _, twice := to[rec[0]]; twice {
		return fmt.Errorf("%q twice", rec[0])
	}
	to[rec[0]], of[rec[0]] = int32(n), by
	return nil
}

// Find looks a number up; numbers beyond the ends take the first or last row.
func Find(bands []Band, n int32) Band {
	for _, b := range bands {
		if n <= b.last {
			return b
		}
	}
	if len(bands) == 0 {
		return Band{}
	}
	return bands[len(bands)-1]
}
