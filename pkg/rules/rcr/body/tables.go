package body

import (
	"fmt"
	"strconv"

	content "github.com/skaldrpg/skald/pkg/content/rcr"
	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/rules/csvtable"
)

// woundRow is a row of the wounds table: its name, what it does in words, and what
// happens when it is reached, one of the happenings below.
type woundRow struct{ Name, penalty, Happens string }

// What happens when a row of the wounds table is reached.
const (
	HappensNothing = ""
	HappensScar    = "scar"
	HappensLimb    = "limb"
	HappensDeath   = "death"
)

// setbackRow is the dice of a setback for levels up to the last of it, from where the
// row before ends.
type setbackRow struct {
	Last         int32
	Minor, Major string
}

// rarity is what a magic item of a rarity brings to wounds.
type rarity struct {
	Bonus, Wounds int32
	// Row of the table, from 0.
	Row int
}

// terrainRow is the damage of dangerous terrain for levels from first to last.
type terrainRow struct {
	First, Last int32
	Dice        string
}

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
	// Row of the table, from 0.
	Row int
}

// RuleBook is all data of the injuries chapter.
type RuleBook struct {
	Wounds  []woundRow // row 1 first
	Limbs   []string   // face 1 first
	Setback []setbackRow
	Rarity  map[string]rarity
	Spells  map[string]ListedSpell
	Terrain []terrainRow
	// Barding by lower-case type.
	Barding map[string]*Barding
	// FeatAbilities are the abilities that a feat may raise, by the feat.
	FeatAbilities map[string][]string
	// SpellLists are the abilities that cantrips are cast by, by the class of their list.
	SpellLists map[string]string
	// Improvised are the properties that a tavern brawler may give an improvised weapon.
	Improvised []string
	// clarity of water by the feet that it lets see, and bands of depth.
	clarity map[string]int32
	depths  []depthBand
}

// fewest rows of the tables that a table may make longer.
const (
	mostLimbs  = 20
	mostSpells = 200
)

func between(n, least, most int) error {
	if n < least || n > most {
		return fmt.Errorf("%d rows, want %d to %d", n, least, most)
	}
	return nil
}

// Book is the tables as shipped. Tests load them too, so that a bad table
// never gets into a build; here a bad table leaves the book empty and
// bookError says why to whoever needs it.
var Book, BookError = LoadTables(content.Book().Table)

// LoadTables reads and checks every table.
func LoadTables(open func(name string) (string, error)) (*RuleBook, error) {
	t := &RuleBook{Rarity: map[string]rarity{}, Spells: map[string]ListedSpell{}, Barding: map[string]*Barding{}, clarity: map[string]int32{},
		FeatAbilities: map[string][]string{}, SpellLists: map[string]string{}}
	read := []struct {
		name   string
		header string
		row    func(rec []string) error
		done   func() error
	}{
		{"wounds", "row,name,penalty,happens", t.woundRow, func() error { return csvtable.Rows(len(t.Wounds), 6) }},
		{"limbs", "d4,lost", t.limbRow, func() error { return between(len(t.Limbs), 1, mostLimbs) }},
		{"setback", "from,to,minor,major", t.setbackRow, t.setbackDone},
		{"rarity", "rarity,bonus,wounds", t.rarityRow, func() error { return csvtable.Rows(len(t.Rarity), 5) }},
		{"spells", "spell,wounds,scars,parts,at_zero,revives", t.spellRow, func() error { return between(len(t.Spells), 1, mostSpells) }},
		{"terrain", "from,to,damage", t.terrainRow, t.terrainDone},
		{"clarity", "clarity,vision_limit_ft,typical_water", t.clarityRow, func() error { return csvtable.Rows(len(t.clarity), 3) }},
		{"depth", "depth_from_ft,depth_to_ft,sunlight", t.depthRow, t.depthsDone},
		{"feat-abilities", "feat,abilities", t.featRow, func() error { return csvtable.Rows(len(t.FeatAbilities), 13) }},
		{"spell-lists", "list,ability", t.spellListRow, func() error { return csvtable.Rows(len(t.SpellLists), 6) }},
		{"improvised", "property", t.improvisedRow, func() error { return csvtable.Rows(len(t.Improvised), 13) }},
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
	switch rec[3] {
	case HappensNothing, HappensScar, HappensLimb, HappensDeath:
	default:
		return fmt.Errorf("happens %q: scar, limb, death or nothing", rec[3])
	}
	t.Wounds = append(t.Wounds, woundRow{rec[1], rec[2], rec[3]})
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
	for _, cell := range rec[2:] {
		if _, err := dice.Parse(cell); err != nil {
			return fmt.Errorf("%q: %w", cell, err)
		}
	}
	t.Setback = append(t.Setback, setbackRow{int32(last), rec[2], rec[3]})
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
	t.Rarity[rec[0]] = rarity{int32(bonus), int32(wounds), len(t.Rarity)}
	return nil
}

func (t *RuleBook) spellRow(rec []string) error {
	s := ListedSpell{Wounds: -1, Row: len(t.Spells)}
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

func (t *RuleBook) terrainRow(rec []string) error {
	before := int32(0)
	if len(t.Terrain) > 0 {
		before = t.Terrain[len(t.Terrain)-1].Last
	}
	first, last, err := csvtable.Next(rec[0], rec[1], before)
	if err != nil {
		return err
	}
	if _, err := dice.Parse(rec[2]); err != nil {
		return fmt.Errorf("damage %q: %w", rec[2], err)
	}
	t.Terrain = append(t.Terrain, terrainRow{first, last, rec[2]})
	return nil
}

func (t *RuleBook) terrainDone() error {
	if len(t.Terrain) == 0 || t.Terrain[len(t.Terrain)-1].Last != 20 {
		return fmt.Errorf("levels must end at 20")
	}
	return nil
}

// TerrainDice is the damage of dangerous terrain at a level from 1 to 20, with the
// row of the table, from 0.
//
// rcr.damage.dangerous-terrain
func (t *RuleBook) TerrainDice(level int32) (dice string, row int) {
	for i, x := range t.Terrain {
		if level <= x.Last {
			return x.Dice, i
		}
	}
	return "", -1
}
