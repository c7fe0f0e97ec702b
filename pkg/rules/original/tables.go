package original

import (
	"fmt"
	"strconv"

	content "github.com/skaldrpg/skald/pkg/content/original"
	"github.com/skaldrpg/skald/pkg/rules/csvtable"
)

// band is a row for numbers from first to last.
type band struct {
	first, last int32
	value       int32
	word        string
	second      int32
}

// ruleBook is the default content that the source leaves to the table.
type ruleBook struct {
	// hit is hit_ac0 by kind of attacker and level; a monster's rows are in
	// half steps: hit dice twice, one more with a plus.
	hit      map[string][]band
	ability  []band
	reach    map[string]int32
	fumble   []band
	surround map[string]int32
	// backstab is the multiplier of damage by level, second the bonus to hit.
	backstab []band
	// save is the Save vs Paralysis by level.
	save []band
	// reaction is the Reaction Table of 2d6.
	reaction []band
}

// book is the tables as shipped. A bad table leaves it empty; bookError says
// why to whoever needs it, and the tests load the tables too.
var book, bookError = loadTables(content.Book().Table)

// loadTables reads and checks every table.
func loadTables(open func(name string) (string, error)) (*ruleBook, error) {
	t := &ruleBook{hit: map[string][]band{}, reach: map[string]int32{}, surround: map[string]int32{}}
	var rows int
	read := []struct {
		name, header string
		rows         int
		row          func(rec []string) error
	}{
		{"hit_matrix", "attacker,from,to,hit_ac0", 23, func(rec []string) (err error) {
			t.hit[rec[0]], err = addBand(t.hit[rec[0]], rec[1:], true)
			return err
		}},
		{"ability", "from,to,bonus", 4, func(rec []string) (err error) { t.ability, err = addBand(t.ability, rec, true); return err }},
		{"reach", "kind,rank", 12, func(rec []string) error { return addWord(t.reach, rec) }},
		{"fumble", "from,to,effect", 3, func(rec []string) (err error) { t.fumble, err = addBand(t.fumble, rec, false); return err }},
		{"backstab", "from,to,multiplier,to_hit", 4, func(rec []string) (err error) { t.backstab, err = addBand(t.backstab, rec, true); return err }},
		{"save", "from,to,number", 4, func(rec []string) (err error) { t.save, err = addBand(t.save, rec, true); return err }},
		{"reaction", "from,to,reaction", 5, func(rec []string) (err error) { t.reaction, err = addBandFrom(2, t.reaction, rec, false); return err }},
		{"surround", "size,attackers", 7, func(rec []string) error { return addWord(t.surround, rec) }},
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
			return &ruleBook{}, fmt.Errorf("original: table %s: %w", table.name, err)
		}
	}
	if n := len(t.reaction); t.reaction[n-1].last != 12 {
		return &ruleBook{}, fmt.Errorf("original: table reaction: ends at %d, 2d6 at 12", t.reaction[n-1].last)
	}
	if n := len(t.fumble); t.fumble[n-1].last != 6 {
		return &ruleBook{}, fmt.Errorf("original: table fumble: ends at %d, a d6 at 6", t.fumble[n-1].last)
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
	b := band{first: int32(first), last: int32(last), word: rec[2]}
	if numbers {
		n, err := strconv.ParseInt(rec[2], 10, 32)
		if err != nil {
			return nil, err
		}
		b.value = int32(n)
	}
	if len(rec) > 3 {
		n, err := strconv.ParseInt(rec[3], 10, 32)
		if err != nil {
			return nil, err
		}
		b.second = int32(n)
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

// find looks a number up; numbers beyond the ends take the first or last row.
func find(bands []band, n int32) band {
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
