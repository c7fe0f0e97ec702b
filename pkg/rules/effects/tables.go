package effects

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/limits"
	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
)

// Table is a table of the system with what packs changed in it.
type Table struct {
	// Name as its file is called without the ending.
	Name string
	// Columns by name.
	Columns []string
	// Rows, each with a cell for each column.
	Rows [][]string
	// By is, for each row, the pack that it comes from; empty for the book's own.
	By []string
}

// Table is one of the system's tables as packs have it; nil when no pack changes
// it. It must not be changed.
func (b *Book) Table(name string) *Table {
	if b == nil {
		return nil
	}
	return b.tables[name]
}

// TableText is the text of one of the system's tables as packs have it, as the
// book's own files are; the book's own when no pack changes it.
func (b *Book) TableText(name string) (csv string, found bool) {
	if t := b.Table(name); t != nil {
		return t.text(), true
	}
	if b == nil || b.base.Support.Table == nil {
		return "", false
	}
	return b.base.Support.Table(name)
}

// TableCite is the rule id for a row of a table, counted from 0, that comes from
// a pack; empty for the book's own.
func (b *Book) TableCite(name string, row int) string {
	t := b.Table(name)
	if t == nil || row < 0 || row >= len(t.By) || t.By[row] == "" {
		return ""
	}
	return houseID(t.By[row], "table-"+identifier(strings.ReplaceAll(name, "_", "-")))
}

func (t *Table) text() string {
	var out strings.Builder
	w := csv.NewWriter(&out)
	_ = w.WriteAll(append([][]string{t.Columns}, t.Rows...)) // a strings.Builder takes everything
	return out.String()
}

// readTable takes a table of the book apart.
func readTable(name, text string) (*Table, error) {
	all, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("the table %s is empty", name)
	}
	return &Table{Name: name, Columns: all[0], Rows: all[1:], By: make([]string, len(all)-1)}, nil
}

// tables checks the tables of a pack against those of the book and lays them
// over.
func (k *compiler) tables(p *contentv1.Pack) []*Table {
	var out []*Table
	seen := map[string]bool{}
	for i, t := range p.GetTables() {
		field := fmt.Sprintf("tables[%d]", i)
		if seen[t.Name] {
			k.wrong(field+".name", "%q is there twice", t.Name)
			continue
		}
		seen[t.Name] = true
		if made := k.table(field, p.Name, t); made != nil {
			out = append(out, made)
		}
	}
	return out
}

func (k *compiler) table(field, pack string, t *contentv1.Table) *Table {
	text, found := k.book.TableText(t.Name)
	if k.base.Support.CheckTables == nil || !found {
		k.wrong(field+".name", "the system %s has no table %q that a pack can change", k.base.System, t.Name)
		return nil
	}
	under, err := readTable(t.Name, text)
	if err != nil {
		k.wrong(field, "%s", err)
		return nil
	}
	if old := k.book.Table(t.Name); old != nil {
		under.By = slices.Clone(old.By)
	}
	if len(t.Rows) == 0 || len(t.Rows) > limits.TableRows {
		k.wrong(field+".rows", "1 to %d rows, not %d", limits.TableRows, len(t.Rows))
		return nil
	}
	if !slices.Equal(t.Columns, under.Columns) {
		k.wrong(field+".columns", "the columns are %s, not %s", strings.Join(under.Columns, ","), strings.Join(t.Columns, ","))
		return nil
	}
	keys := max(1, int(t.KeyColumns))
	if t.KeyColumns < 0 || keys > len(t.Columns) {
		k.wrong(field+".key_columns", "must be 1 to %d", len(t.Columns))
		return nil
	}
	before := len(k.problems)
	made := under
	if t.Whole {
		made = &Table{Name: t.Name, Columns: under.Columns}
	}
	made.lay(k, field, pack, t, keys)
	if len(k.problems) > before {
		return nil
	}
	k.checkMade(field, made)
	return made
}

// lay puts the rows of a pack over the table.
func (t *Table) lay(k *compiler, field, pack string, over *contentv1.Table, keys int) {
	seen := map[string]bool{}
	for i, row := range over.Rows {
		at := fmt.Sprintf("%s.rows[%d]", field, i)
		if len(row.Cells) != len(t.Columns) {
			k.wrong(at, "%d cells; the table has %d columns", len(row.Cells), len(t.Columns))
			continue
		}
		key := strings.Join(row.Cells[:keys], "\x00")
		if seen[key] {
			k.wrong(at, "there is another row %q", strings.Join(row.Cells[:keys], ","))
			continue
		}
		seen[key] = true
		if j := t.row(row.Cells[:keys]); j >= 0 {
			t.Rows[j], t.By[j] = row.Cells, pack
			continue
		}
		t.Rows, t.By = append(t.Rows, row.Cells), append(t.By, pack)
	}
}

// row finds a row by its key; -1 when there is none.
func (t *Table) row(key []string) int {
	return slices.IndexFunc(t.Rows, func(r []string) bool { return slices.Equal(r[:len(key)], key) })
}

// checkMade lets the system read its tables with the changed one.
func (k *compiler) checkMade(field string, made *Table) {
	err := k.base.Support.CheckTables(func(name string) (string, error) {
		if name == made.Name {
			return made.text(), nil
		}
		text, found := k.book.TableText(name)
		if !found {
			return "", fmt.Errorf("there is no table %s", name)
		}
		return text, nil
	})
	if err != nil {
		k.wrong(field, "%s", err)
	}
}

// overlay keeps a changed table.
func (b *Book) overlay(pack string, t *Table) {
	if old := b.tables[t.Name]; old != nil {
		for i, by := range old.By {
			if by != "" && !t.stands(old.Rows[i]) {
				b.conflicts = append(b.conflicts, Conflict{What: fmt.Sprintf("table %s row %s", t.Name, old.Rows[i][0]), Under: by, Over: pack})
			}
		}
	}
	b.tables[t.Name] = t
}

// stands tells whether a row is there as it was.
func (t *Table) stands(row []string) bool {
	return slices.ContainsFunc(t.Rows, func(r []string) bool { return slices.Equal(r, row) })
}

// checkTables lets the system read all of them together once more.
func (b *Book) checkTables() []Problem {
	if len(b.tables) == 0 {
		return nil
	}
	err := b.base.Support.CheckTables(func(name string) (string, error) {
		text, found := b.TableText(name)
		if !found {
			return "", fmt.Errorf("there is no table %s", name)
		}
		return text, nil
	})
	if err != nil {
		return []Problem{{Field: "tables", Text: err.Error()}}
	}
	return nil
}
