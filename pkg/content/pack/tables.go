package pack

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"path"
	"strings"

	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
)

// tables reads the tables. What pack.yaml says of one (whole, key_columns) stands
// there under tables, by name; the rows stand in tables/NAME.csv.
func (r *reader) tables() {
	said := map[string]*contentv1.Table{}
	for i, t := range r.pack.Tables {
		if len(t.Rows)+len(t.Columns) > 0 {
			r.place(headFile, fmt.Sprintf("tables[%d]", i), "rows stand in %s/%s.csv", tableFolder, t.Name)
		}
		said[t.Name] = t
	}
	for _, name := range r.names(tableFolder) {
		file := path.Join(tableFolder, name)
		if ignored(name) {
			continue
		}
		table, isCSV := strings.CutSuffix(name, ".csv")
		if !isCSV {
			r.wrong(file, 0, "", "a table's file ends in .csv")
			continue
		}
		t := said[table]
		if t == nil {
			t = &contentv1.Table{Name: table}
			r.pack.Tables = append(r.pack.Tables, t)
			said[table] = t
		}
		r.table(file, t)
	}
	for i, t := range r.pack.Tables {
		if len(t.Columns) == 0 && len(r.problems) == 0 {
			r.place(headFile, fmt.Sprintf("tables[%d]", i), "there is no file %s/%s.csv", tableFolder, t.Name)
		}
	}
}

// place reports a problem with something whose place is kept.
func (r *reader) place(file, field, format string, args ...any) {
	if at, line := newPlaces(r.pack.Sources).find(field); at != "" {
		r.wrong(at, line, field, format, args...)
		return
	}
	r.wrong(file, 0, field, format, args...)
}

// table reads the rows of a table.
func (r *reader) table(file string, t *contentv1.Table) {
	data, ok := r.bytes(file)
	if !ok {
		return
	}
	index := len(r.pack.Tables) - 1
	for i, other := range r.pack.Tables {
		if other == t {
			index = i
		}
	}
	at := fmt.Sprintf("tables[%d]", index)
	r.at(file, at, 1)
	r.at(file, at+".columns", 1)
	in := csv.NewReader(bytes.NewReader(data))
	in.FieldsPerRecord = -1
	for {
		cells, err := in.Read()
		if err != nil {
			r.endOfTable(file, at, len(t.Columns) == 0, err)
			return
		}
		line, _ := in.FieldPos(0)
		if t.Columns == nil {
			t.Columns = cells
			continue
		}
		r.at(file, fmt.Sprintf("%s.rows[%d]", at, len(t.Rows)), line)
		t.Rows = append(t.Rows, &contentv1.Table_Row{Cells: cells})
	}
}

func (r *reader) endOfTable(file, at string, empty bool, err error) {
	var broken *csv.ParseError
	switch {
	case errors.As(err, &broken):
		r.wrong(file, broken.Line, at, "%s", broken.Err)
	case empty:
		r.wrong(file, 1, at, "it is empty: the first line names the columns")
	}
}

// at keeps where something stands.
func (r *reader) at(file, field string, line int) {
	r.pack.Sources = append(r.pack.Sources, &contentv1.Source{File: file, Field: field, Line: int32(line)})
}
