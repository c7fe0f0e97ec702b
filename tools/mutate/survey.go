package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
)

// survey lists the changes of some folders that would never differ, whichever test is
// run: none could find them as it is. A comparison that is moved differs where both
// sides are equal, an arm that is dropped where it alone decides, all else wherever it
// is reached. Tables are left out, since each is read as a whole.
func survey(ctx context.Context, s settings, root string, w io.Writer) error {
	known, err := readRows(filepath.Join(root, "tools/mutate/equivalent.csv"))
	if err != nil {
		return err
	}
	all, err := collect(root, s.dirs)
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(m Mutant) bool { return m.Kind == "cell" || known.has(m) })
	l, done, err := newLab(s, root)
	if err != nil {
		return err
	}
	defer done()
	v, err := l.weave(ctx, all)
	if err != nil {
		return err
	}
	differ, tried := 0, 0
	for i, m := range all {
		id := i + 1
		if !v.in[id] {
			continue
		}
		tried++
		is, err := v.differs(ctx, id)
		if err != nil {
			return err
		}
		if is {
			differ++
			continue
		}
		if !s.rows {
			fmt.Fprintln(w, m)
			continue
		}
		p := m.place()
		if err := csv.NewWriter(w).WriteAll([][]string{append(p[:], strconv.Itoa(m.Line))}); err != nil {
			return err
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(v.bins)) {
		if n := len(v.bins[folder].broken); n > 0 {
			fmt.Fprintf(w, "%s: %d tests fail while it is noted what they reach: more may differ\n", folder, n)
		}
	}
	_, err = fmt.Fprintf(w, "%d of %d would differ in a test\n", differ, tried)
	return err
}

// differs tells whether a change would show in any of the tests that may find it.
func (w *weaving) differs(ctx context.Context, id int) (bool, error) {
	for _, stage := range w.lab.graph.stages(w.all[id-1].File, w.lab.near) {
		for _, folder := range stage.folders {
			if w.lab.skips(folder) || folder == recorded {
				continue
			}
			b, err := w.tests(ctx, folder)
			if err != nil {
				return false, err
			}
			if len(b.reach[id]) > 0 {
				return true, nil
			}
		}
	}
	return false, nil
}
