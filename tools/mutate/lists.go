package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// place names a mutant by file, kind, the line with the piece marked and what is
// put: lines move.
type place [4]string

func (m Mutant) place() place { return place{m.File, m.Kind, m.At, oneLine(m.New)} }

// known are places with a word why they are listed.
type known map[place]string

func (k known) has(m Mutant) bool { return k[m.place()] != "" }

// readRows reads a list: file,kind,at,new and why.
func readRows(file string) (known, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	r := csv.NewReader(f)
	r.Comment, r.FieldsPerRecord = '#', 5
	rows, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	out := known{}
	for i, row := range rows {
		if i == 0 {
			continue
		}
		if row[4] == "" {
			return nil, fmt.Errorf("%s: row %d gives no reason", file, i+1)
		}
		out[place(row[:4])] = row[4]
	}
	return out, nil
}

// pinned are the mutants of a list; each is there.
func pinned(root, file string) ([]Mutant, error) {
	rows, err := readRows(file)
	if err != nil {
		return nil, err
	}
	var out []Mutant
	for _, p := range slices.SortedFunc(maps.Keys(rows), func(a, b place) int { return slices.Compare(a[:], b[:]) }) {
		all, err := mutants(root, p[0])
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(all, func(m Mutant) bool { return m.place() == p })
		if i < 0 {
			return nil, fmt.Errorf("%s: no place %q any more (%s): pin what took it over", p[0], p[2], rows[p])
		}
		out = append(out, all[i])
	}
	return out, nil
}

// hold tries what is pinned. It fails when one is not found, and can not fail by
// chance: nothing is drawn.
func hold(ctx context.Context, s settings, root string, w io.Writer) error {
	all, err := pinned(root, filepath.Join(root, "tools/mutate/pinned.csv"))
	if err != nil {
		return err
	}
	s.near = true
	l, done, err := newLab(s, root)
	if err != nil {
		return err
	}
	defer done()
	var lost int
	for _, m := range all {
		o, err := l.try(ctx, m)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%-8s %6.1f s  %s  %s\n", o.Verdict, o.Took.Seconds(), o.Mutant, o.By)
		if o.Verdict != Killed && o.Verdict != Drifted {
			lost++
		}
	}
	if lost > 0 {
		return fmt.Errorf("%d of %d pinned changes are not found", lost, len(all))
	}
	return nil
}
