package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/skaldrpg/skald/pkg/rules/csvtable"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// PlaceHarm is Harm.facts, in tables of what was renamed.
const PlaceHarm = "harm"

// renamedIn is the version of the rule systems that the tables of renames lead to.
// Records of it and of later ones have no old names.
const renamedIn = 3

// renamesHeading is the first line of a table of renames.
const renamesHeading = "place,old,new,note"

// Parts of a new name that are filled in for each creature.
const (
	// nameSize is what Sizer says.
	nameSize = "SIZE"
	// nameValue is the value that a mark had.
	nameValue = "VALUE"
)

// Rename is one thing that had another name in builds before.
type Rename struct {
	// Place of the old name: a counter, mark or condition of a creature, or what is
	// said in a parameter, fact, join, start or harm.
	Place string
	// Old name; one that ends in "." or "/" is the beginning of names. OldValue is
	// what it was, when the value alone changed or says which name follows; the name
	// "*" is every name of the place.
	Old, OldValue string
	// To is the place of the new name; the same but for a mark that is a condition now.
	To string
	// New name; empty when there is none.
	New string
	// NewValue, when the value changed with the name.
	NewValue string
	// Variant of the condition.
	Variant string
	// Kept: the old name is left, for the system's own rules to read.
	Kept bool
	// Note for people.
	Note string
}

// Renames are what a rule system calls other than builds before it did.
type Renames struct {
	// Rows in the order of the table.
	Rows []Rename
}

// Renamer is a system whose names were other ones in builds before.
type Renamer interface {
	// Renames is made once and never changes; the error is that of ReadRenames.
	Renames() (*Renames, error)
}

// Sizer is a system with a new name that hangs on the sheet.
type Sizer interface {
	// NameSize stands where a table of renames says SIZE; empty when the sheet does
	// not say it or is not to be seen: the number is then not handed on.
	NameSize(c *eventv1.Creature) string
}

// ReadRenames reads a system's table, as a book gives it. The error names the row.
func ReadRenames(table []byte, err error) (*Renames, error) {
	if err != nil {
		return nil, err
	}
	out := &Renames{}
	if _, err := csvtable.Read(string(table), renamesHeading, func(cells []string) error {
		row, err := readRename(cells)
		out.Rows = append(out.Rows, row)
		return err
	}); err != nil {
		return nil, fmt.Errorf("rules: renames: %w", err)
	}
	return out, nil
}

func readRename(cells []string) (Rename, error) {
	row := Rename{Place: cells[0], To: cells[0], Note: cells[3]}
	row.Old, row.OldValue, _ = strings.Cut(cells[1], "=")
	name, kept := strings.CutPrefix(cells[2], "=")
	row.Kept = kept
	if rest, ok := strings.CutPrefix(name, PlaceCondition+" "); ok && row.Place == PlaceMark {
		row.To, name = PlaceCondition, rest
	}
	if row.To == PlaceCondition {
		name, row.Variant, _ = strings.Cut(name, " ")
	}
	row.New, row.NewValue, _ = strings.Cut(name, "=")
	places := []string{PlaceCounter, PlaceMark, PlaceCondition, PlaceParameter, PlaceFact, PlaceJoin, PlaceStart, PlaceHarm}
	switch {
	case !slices.Contains(places, row.Place):
		return row, fmt.Errorf("place %q is not one of %v", row.Place, places)
	case row.Old == "":
		return row, fmt.Errorf("no old name")
	case row.Old == cells[2], cells[1] == cells[2]:
		return row, fmt.Errorf("%s %q is its own new name", row.Place, cells[1])
	}
	return row, nil
}

// follows is the new name of an old one; false when the row is not about it.
func (w *Rename) follows(place, name, value string) (string, bool) {
	if w.Place != place || w.OldValue != "" && w.OldValue != value {
		return "", false
	}
	begin, open := strings.CutSuffix(w.Old, "*")
	if !open && (strings.HasSuffix(begin, ".") || strings.HasSuffix(begin, "/")) {
		open = len(name) > len(begin)
	}
	rest, ok := strings.CutPrefix(name, begin)
	switch {
	case !ok || !open && rest != "":
		return "", false
	case w.New == "" || !open:
		return w.New, true
	}
	return strings.TrimSuffix(w.New, "*") + rest, true
}

// Find is the row about a name with its value, of several the one that says the most
// of it, and the new name; nil when the name is none of builds before.
func (n *Renames) Find(place, name, value string) (*Rename, string) {
	var best *Rename
	var to string
	for i := range n.Rows {
		w := &n.Rows[i]
		if now, ok := w.follows(place, name, value); ok && (best == nil || w.says() > best.says()) {
			best, to = w, now
		}
	}
	return best, to
}

// says is how much a row says of a name: by its length, then by its value.
func (w *Rename) says() int {
	n := 2 * len(w.Old)
	if w.OldValue != "" {
		n++
	}
	return n
}

// RenamesOf is a system's table; nil when it has none or one that does not hold,
// which no registry takes.
func RenamesOf(sys System) *Renames {
	if r, ok := sys.(Renamer); ok {
		if table, err := r.Renames(); err == nil {
			return table
		}
	}
	return nil
}

// Upgrade gives what a state's creatures are known by the names of today, where
// the state was begun under a version of the system before the tables. A number
// whose new name is there already is passed over, and what has no new name left
// out. The state is the caller's own and is changed; what is stored never is.
func Upgrade(sys System, s *eventv1.State) {
	table := RenamesOf(sys)
	if table == nil || s == nil || !older(s.SystemVersion) {
		return
	}
	for _, id := range SortedKeys(s.Creatures) {
		u := &upgrade{table: table, creature: s.Creatures[id]}
		if z, ok := sys.(Sizer); ok {
			u.size = z.NameSize(s.Creatures[id])
		}
		u.counters()
		u.marks()
		u.conditions()
	}
}

// older tells whether a version of a system is before the tables. What has none was
// stored before versions were.
func older(version string) bool {
	n, err := strconv.Atoi(version)
	return err != nil || n < renamedIn
}

// upgrade renames what is known of one creature.
type upgrade struct {
	table    *Renames
	creature *eventv1.Creature
	size     string
}

func (u *upgrade) counters() {
	c := u.creature.GetCounters()
	for _, old := range SortedKeys(c) {
		row, name := u.table.Find(PlaceCounter, old, "")
		if row == nil || row.Kept {
			continue
		}
		value := c[old]
		delete(c, old)
		if begin, sized := strings.CutSuffix(name, nameSize); sized {
			if name = begin + u.size; u.size == "" {
				continue
			}
		}
		if _, there := c[name]; name != "" && !there {
			c[name] = value
		}
	}
}

func (u *upgrade) marks() {
	c := u.creature.GetMarks()
	for _, old := range SortedKeys(c) {
		value := c[old]
		row, name := u.table.Find(PlaceMark, old, value)
		if row == nil || row.Kept {
			continue
		}
		delete(c, old)
		if row.To == PlaceCondition {
			u.condition(name, strings.ReplaceAll(row.Variant, nameValue, value))
			continue
		}
		if row.NewValue != "" {
			value = row.NewValue
		}
		if _, there := c[name]; name != "" && !there {
			c[name] = value
		}
	}
}

// condition is laid on the creature, unless it is there.
func (u *upgrade) condition(name, variant string) {
	if !slices.ContainsFunc(u.creature.Conditions, func(x *eventv1.Condition) bool { return x.GetName() == name }) {
		u.creature.Conditions = append(u.creature.Conditions, &eventv1.Condition{Id: name, Name: name, Variant: variant})
	}
}

func (u *upgrade) conditions() {
	var out []*eventv1.Condition
	for _, x := range u.creature.GetConditions() {
		full := x.GetName()
		row, name := u.table.Find(PlaceCondition, full, "")
		if row == nil && x.GetVariant() != "" {
			full += " " + x.Variant
			row, name = u.table.Find(PlaceCondition, full, "")
		}
		switch {
		case row == nil:
		case name == "":
			continue
		case row.Variant != "":
			begin, _ := strings.CutPrefix(row.Old, row.New+" ")
			x.Name, x.Variant = row.New, row.Variant+strings.TrimPrefix(x.Variant, begin)
		default:
			x.Name = name
		}
		out = append(out, x)
	}
	u.creature.Conditions = out
}

// OldWords is the old name, with its value where that matters.
func (w *Rename) OldWords() string { return valued(w.Old, w.OldValue) }

// NewWords is what it became, for people.
func (w *Rename) NewWords() string {
	switch {
	case w.New == "":
		return "nothing"
	case w.To != w.Place:
		return w.To + " `" + w.New + "`"
	}
	return "`" + valued(w.New, w.NewValue) + "`"
}

func valued(name, value string) string {
	if value == "" {
		return name
	}
	return name + "=" + value
}
