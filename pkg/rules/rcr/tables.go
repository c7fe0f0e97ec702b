package rcr

import (
	"errors"
	"fmt"
	"strconv"

	content "github.com/skaldrpg/skald/pkg/content/rcr"
	"github.com/skaldrpg/skald/pkg/rules/csvtable"
)

// woundRow is a row of the wounds table.
type woundRow struct{ name, penalty string }

// setbackRow is the dice of a setback for levels from first to last.
type setbackRow struct {
	first, last  int32
	minor, major string
}

// rarity is what a magic item of a rarity brings to wounds.
type rarity struct{ bonus, wounds int32 }

// listedSpell is a spell that removes wounds by its name.
type listedSpell struct {
	// wounds removed; all of them when negative.
	wounds int32
	// scars and parts: takes scars away, gives lost parts back.
	scars, parts bool
	// atZero: only on a creature at 0 hit points, which it stabilises.
	atZero bool
	// revives the dead.
	revives bool
}

// ruleBook is all data of the injuries chapter.
type ruleBook struct {
	wounds  []woundRow // row 1 first
	limbs   []string   // face 1 first
	setback []setbackRow
	rarity  map[string]rarity
	spells  map[string]listedSpell
}

// book is the tables as shipped. Tests load them too, so that a bad table
// never gets into a build; here a bad table leaves the book empty and
// bookError says why to whoever needs it.
var book, bookError = loadTables(content.Book().Table)

// loadTables reads and checks every table.
func loadTables(open func(name string) (string, error)) (*ruleBook, error) {
	t := &ruleBook{rarity: map[string]rarity{}, spells: map[string]listedSpell{}}
	read := []struct {
		name   string
		header string
		row    func(rec []string) error
		done   func() error
	}{
		{"wounds", "row,name,penalty", t.woundRow, func() error { return csvtable.Rows(len(t.wounds), 6) }},
		{"limbs", "d4,lost", t.limbRow, func() error { return csvtable.Rows(len(t.limbs), 4) }},
		{"setback", "from,to,minor,major", t.setbackRow, t.setbackDone},
		{"rarity", "rarity,bonus,wounds", t.rarityRow, func() error { return csvtable.Rows(len(t.rarity), 5) }},
		{"spells", "spell,wounds,scars,parts,at_zero,revives", t.spellRow, func() error { return csvtable.Rows(len(t.spells), 11) }},
	}
	for _, table := range read {
		text, err := open(table.name)
		if err != nil {
			return &ruleBook{}, fmt.Errorf("rcr: table %s: %w", table.name, err)
		}
		if _, err := csvtable.Read(text, table.header, table.row); err != nil {
			return &ruleBook{}, fmt.Errorf("rcr: table %s: %w", table.name, err)
		}
		if err := table.done(); err != nil {
			return &ruleBook{}, fmt.Errorf("rcr: table %s: %w", table.name, err)
		}
	}
	return t, nil
}

// nextRow checks that a row's number goes on without a gap.
func nextRow(cell string, after int) error {
	if n, err := strconv.Atoi(cell); err != nil || n != after+1 {
		return fmt.Errorf("%q, want %d", cell, after+1)
	}
	return nil
}

func (t *ruleBook) woundRow(rec []string) error {
	t.wounds = append(t.wounds, woundRow{rec[1], rec[2]})
	return nextRow(rec[0], len(t.wounds)-1)
}

func (t *ruleBook) limbRow(rec []string) error {
	t.limbs = append(t.limbs, rec[1])
	return nextRow(rec[0], len(t.limbs)-1)
}

func (t *ruleBook) setbackRow(rec []string) error {
	before := int32(0)
	if len(t.setback) > 0 {
		before = t.setback[len(t.setback)-1].last
	}
	last, err := strconv.ParseInt(rec[1], 10, 32)
	if err != nil || int32(last) <= before {
		return fmt.Errorf("last level %q does not follow %d", rec[1], before)
	}
	t.setback = append(t.setback, setbackRow{before + 1, int32(last), rec[2], rec[3]})
	return nextRow(rec[0], int(before))
}

func (t *ruleBook) setbackDone() error {
	if len(t.setback) == 0 || t.setback[len(t.setback)-1].last != 20 {
		return fmt.Errorf("levels must end at 20")
	}
	return csvtable.Rows(len(t.setback), 4)
}

func (t *ruleBook) rarityRow(rec []string) error {
	bonus, err := strconv.ParseInt(rec[1], 10, 32)
	if err != nil {
		return err
	}
	wounds, err := strconv.ParseInt(rec[2], 10, 32)
	if err != nil {
		return err
	}
	if _, twice := t.rarity[rec[0]]; twice {
		return fmt.Errorf("%q twice", rec[0])
	}
	t.rarity[rec[0]] = rarity{int32(bonus), int32(wounds)}
	return nil
}

func (t *ruleBook) spellRow(rec []string) error {
	s := listedSpell{wounds: -1}
	if rec[1] != "all" {
		n, err := strconv.ParseInt(rec[1], 10, 32)
		if err != nil || n < 1 {
			return fmt.Errorf("wounds %q", rec[1])
		}
		s.wounds = int32(n)
	}
	for i, to := range []*bool{&s.scars, &s.parts, &s.atZero, &s.revives} {
		switch rec[2+i] {
		case "yes":
			*to = true
		case "no":
		default:
			return fmt.Errorf("%q is neither yes nor no", rec[2+i])
		}
	}
	if _, twice := t.spells[rec[0]]; twice {
		return fmt.Errorf("%q twice", rec[0])
	}
	t.spells[rec[0]] = s
	return nil
}

// Validate says what is wrong with the embedded tables; nil when they hold.
func (System) Validate() error {
	_, err := words()
	return errors.Join(bookError, settings.Err(), err)
}
