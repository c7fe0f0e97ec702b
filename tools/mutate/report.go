package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"time"
)

// count is what came of the mutants of an area.
type count struct{ found, before, survived, unreached, same, unviable int }

// tried are those that count: nobody could see what the others change.
func (c count) tried() int { return c.all() + c.survived + c.unreached }

// all that were found, by rules or by what came out before.
func (c count) all() int { return c.found + c.before }

func (c *count) add(v Verdict) {
	switch v {
	case Killed:
		c.found++
	case Drifted:
		c.before++
	case Survived:
		c.survived++
	case Unreached:
		c.unreached++
	case Same:
		c.same++
	case Unviable:
		c.unviable++
	}
}

func (c *count) plus(o count) {
	c.found, c.before, c.survived, c.unreached = c.found+o.found, c.before+o.before, c.survived+o.survived, c.unreached+o.unreached
	c.same, c.unviable = c.same+o.same, c.unviable+o.unviable
}

// within is the share that would be found of all, with 95 % of Wilson's interval.
func (c count) within(found int) (low, high float64) {
	n, z := float64(c.tried()), 1.96
	p := float64(found) / n
	mid, half := p+z*z/(2*n), z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return (mid - half) / (1 + z*z/n), (mid + half) / (1 + z*z/n)
}

func (c count) String() string {
	if c.tried() == 0 {
		return fmt.Sprintf("none tried, %d known to change nothing, %d did not compile", c.same, c.unviable)
	}
	low, high := c.within(c.all())
	ruled, most := c.within(c.found)
	share := func(n int) float64 { return 100 * float64(n) / float64(c.tried()) }
	return fmt.Sprintf("%d of %d found (%.1f %%, 95 %% of %.0f to %.0f), %d of them by what states a rule (%.1f %%, %.0f to %.0f) and %d by what came out before alone, %d survived, %d not reached; %d known to change nothing, %d did not compile",
		c.all(), c.tried(), share(c.all()), 100*low, 100*high, c.found, share(c.found), 100*ruled, 100*most, c.before, c.survived, c.unreached, c.same, c.unviable)
}

// tablesLast is the order in which mutants are tried: many tests read each table.
func tablesLast(all []Mutant) []int {
	var code, tables []int
	for i, m := range all {
		if m.Kind == "cell" {
			tables = append(tables, i)
		} else {
			code = append(code, i)
		}
	}
	return append(code, tables...)
}

// experiment tries what was drawn, one of each area after the other, and reports.
func experiment(ctx context.Context, s settings, root string, areas []area, w io.Writer) error {
	known, err := readRows(filepath.Join(root, "tools/mutate/equivalent.csv"))
	if err != nil {
		return err
	}
	l, done, err := newLab(s, root)
	if err != nil {
		return err
	}
	defer done()
	var all []Mutant
	var of []int // the area of each
	for i := 0; ; i++ {
		before := len(all)
		for n, a := range areas {
			if i < len(a.all) {
				all, of = append(all, a.all[i]), append(of, n)
			}
		}
		if len(all) == before {
			break
		}
	}
	try := func(id int) (Outcome, error) { return l.try(ctx, all[id-1]) }
	began := time.Now()
	if !s.apart {
		v, err := l.weave(ctx, all)
		if err != nil {
			return err
		}
		try = func(id int) (Outcome, error) { return v.try(ctx, id) }
	}
	counts := make([]count, len(areas))
	var sum count
	place := make([]int, len(areas)) // how many of each area came by
	for _, i := range tablesLast(all) {
		m := all[i]
		if place[of[i]]++; place[of[i]] <= s.from {
			continue
		}
		if s.stop > 0 && sum.tried() > 0 && time.Since(began) > s.stop {
			break
		}
		o := Outcome{Mutant: m, Verdict: Same}
		if !known.has(m) {
			if o, err = try(i + 1); err != nil {
				return err
			}
		}
		counts[of[i]].add(o.Verdict)
		sum = count{}
		for _, c := range counts {
			sum.plus(c)
		}
		fmt.Fprintf(w, "%-9s %6.1f s  %s  %s\n", o.Verdict, o.Took.Seconds(), o.Mutant, o.By)
	}
	if sum.tried() == 0 {
		return errors.New("nothing to try")
	}
	for i, a := range areas {
		fmt.Fprintf(w, "%s, %d places, seed %d: %s\n", a.name, a.places, s.seed, counts[i])
	}
	fmt.Fprintf(w, "in all: %s\n", sum)
	if share := float64(sum.all()) / float64(sum.tried()); share < s.least {
		return fmt.Errorf("%.2f found, at least %.2f wanted", share, s.least)
	}
	return nil
}
