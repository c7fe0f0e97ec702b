package body

import (
	"fmt"
	"strconv"

	content "github.com/skaldrpg/skald/pkg/content/rcr"
	"github.com/skaldrpg/skald/pkg/rules/csvtable"
)

// woundRow is a row of the wounds table.
type woundRow struct{ Name, penalty string }

// setbackRow is the dice of a setback for levels from first to last.
type setbackRow struct {
	First, Last  int32
	Minor, Major string
}

// rarity is what a magic item of a rarity brings to wounds.
type rarity struct{ Bonus, Wounds int32 }

// ListedSpell is a spell that removes wounds by its name.
type ListedSpell struct {
	// Wounds removed; all of them when negative.
	Wounds int32
	// Scars and parts: takes scars away, gives lost parts back.
	Scars, Parts bool
	// AtZero: only on a creature at 0 hit points, which it stabilises.
	AtZero bool
	// Revives the dead.
	Revives bool
}

// RuleBook is all data of the injuries chapter.
type RuleBook struct {
	Wounds  []woundRow // row 1 first
	Limbs   []string   // face 1 first
	Setback []setbackRow
	Rarity  map[string]rarity
	Spells  map[string]ListedSpell
	// Barding by lower-case type.
	Barding map[string]*Barding
	// clarity of water by the feet that it lets see, and bands of depth.
	clarity map[string]int32
	depths  []depthBand
}

// Book is the tables as shipped. Tests load them too, so that a bad table
// never gets into a build; here a bad table leaves the book empty and
// bookError says why to whoever needs it.
var Book, BookError = LoadTables(content.Book().Table)

// LoadTables reads and checks every table.
func LoadTables(open func(name string) (string, error)) (*RuleBook, error) {
	t := &RuleBook{Rarity: map[string]rarity{}, Spells: map[string]ListedSpell{}, Barding: map[string]*Barding{}, clarity: map[string]int32{}}
	read := []struct {
		name   string
		header string
		row    func(rec []string) error
		done   func() error
	}{
		{"wounds", "row,name,penalty", t.woundRow, func() error { return csvtable.Rows(len(t.Wounds), 6) }},
		{"limbs", "d4,lost", t.limbRow, func() error { return csvtable.Rows(len(t.Limbs), 4) }},
		{"setback", "from,to,minor,major", t.setbackRow, t.setbackDone},
		{"rarity", "rarity,bonus,wounds", t.rarityRow, func() error { return csvtable.Rows(len(t.Rarity), 5) }},
		{"spells", "spell,wounds,scars,parts,at_zero,revives", t.spellRow, func() error { return csvtable.Rows(len(t.Spells), 11) }},
		{"clarity", "clarity,vision_limit_ft,typical_water", t.clarityRow, func() error { return csvtable.Rows(len(t.clarity), 3) }},
		{"depth", "depth_from_ft,depth_to_ft,sunlight", t.depthRow, t.depthsDone},
		{"barding-light", bardingHead, t.bardingRow("light"), func() error { return csvtable.Rows(len(t.Barding), 4) }},
		{"barding-medium", bardingHead, t.bardingRow("medium"), func() error { return csvtable.Rows(len(t.Barding), 8) }},
		{"barding-heavy", bardingHead, t.bardingRow("heavy"), func() error { return csvtable.Rows(len(t.Barding), 12) }},
	}
	for _, table := range read {
		text, err := open(table.name)
		if err != nil {
			return &RuleBook{}, fmt.Errorf("rcr: table %s: %w", table.name, err)
		}
		if _, err := csvtable.Read(text, table.header, table.row); err != nil {
			return &RuleBook{}, fmt.Errorf("rcr: table %s: %w", table.name, err)
		}
		if err := table.done(); err != nil {
			return &RuleBook{}, fmt.Errorf("rcr: table %s: %w", table.name, err)
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

func (t *RuleBook) woundRow(rec []string) error {
	t.Wounds = append(t.Wounds, woundRow{rec[1], rec[2]})
	return nextRow(rec[0], len(t.Wounds)-1)
}

func (t *RuleBook) limbRow(rec []string) error {
	t.Limbs = append(t.Limbs, rec[1])
	return nextRow(rec[0], len(t.Limbs)-1)
}

func (t *RuleBook) setbackRow(rec []string) error {
	before := int32(0)
	if len(t.Setback) > 0 {
		before = t.Setback[len(t.Setback)-1].Last
	}
	last, err := strconv.ParseInt(rec[1], 10, 32)
	if err != nil || int32(last) <= before {
		return fmt.Errorf("last level %q does not follow %d", rec[1], before)
	}
	t.Setback = append(t.Setback, setbackRow{before + 1, int32(last), rec[2], rec[3]})
	return nextRow(rec[0], int(before))
}

func (t *RuleBook) setbackDone() error {
	if len(t.Setback) == 0 || t.Setback[len(t.Setback)-1].Last != 20 {
		return fmt.Errorf("levels must end at 20")
	}
	return csvtable.Rows(len(t.Setback), 4)
}

func (t *RuleBook) rarityRow(rec []string) error {
	bonus, err := strconv.ParseInt(rec[1], 10, 32)
	if err != nil {
		return err
	}
	wounds, err := strconv.ParseInt(rec[2], 10, 32)
	if err != nil {
		return err
	}
	if _, twice := t.Rarity[rec[0]]; twice {
		return fmt.Errorf("%q twice", rec[0])
	}
	t.Rarity[rec[0]] = rarity{int32(bonus), int32(wounds)}
	return nil
}

func (t *RuleBook) spellRow(rec []string) error {
	s := ListedSpell{Wounds: -1}
	if rec[1] != "all" {
		n, err := strconv.ParseInt(rec[1], 10, 32)
		if err != nil || n < 1 {
			return fmt.Errorf("wounds %q", rec[1])
		}
		s.Wounds = int32(n)
	}
	for i, to := range []*bool{&s.Scars, &s.Parts, &s.AtZero, &s.Revives} {
		switch rec[2+i] {
		case "yes":
			*to = true
		case "no":
		default:
			return fmt.Errorf("%q is neither yes nor no", rec[2+i])
		}
	}
	if _, twice := t.Spells[rec[0]]; twice {
		return fmt.Errorf("%q twice", rec[0])
	}
	t.Spells[rec[0]] = s
	return nil
}
