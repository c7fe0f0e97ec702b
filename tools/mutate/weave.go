package main

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// switchPath is the package of the switch that is woven in; see switch.go.txt.
const switchPath = module + "pkg/zzmutant"

const switchImport = "; import zzm \"" + switchPath + "\""

// edit is a place of a file that can be switched between what is there and what
// some mutants make of it: the ids of those, by what they do.
type edit struct {
	from, to int
	rank     int // which of two that span the same stands outside
	put      func(inner func(from, to int) string) string
}

// woven is a file in which mutants can be switched on one at a time. A mutant
// that cannot be woven in is left out and returned.
func woven(src []byte, all map[int]Mutant, typeOf func(Mutant) string) (text []byte, out []int) {
	var edits []edit
	arms := map[[2]int]*[2]int{} // who drops the right and the left arm of a condition
	ids := make([]int, 0, len(all))
	for id := range all { // order-free: sorted below
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		m := all[id]
		drop := arms[[2]int{m.Start, m.End}]
		if m.Kind == "arm" {
			both := drop != nil
			if !both {
				drop = &[2]int{}
				arms[[2]int{m.Start, m.End}] = drop
			}
			if m.Keeps == "left" {
				drop[0] = id
			} else {
				drop[1] = id
			}
			if both {
				continue
			}
		}
		e, ok := editOf(id, m, drop, typeOf)
		if !ok {
			out = append(out, id)
			continue
		}
		edits = append(edits, e)
	}
	slices.SortStableFunc(edits, func(a, b edit) int {
		if a.from != b.from {
			return a.from - b.from
		}
		if a.to != b.to {
			return b.to - a.to
		}
		return b.rank - a.rank
	})
	if len(edits) == 0 {
		return src, out
	}
	body := render(src, edits, 0, len(src))
	head, rest, _ := strings.Cut(body, "\npackage ")
	if strings.HasPrefix(body, "package ") {
		head, rest = "", strings.TrimPrefix(body, "package ")
	} else {
		head += "\n"
	}
	name, rest, _ := strings.Cut(rest, "\n")
	return []byte(head + "package " + name + switchImport + "\n" + rest), out
}

// render writes a piece of a file with its edits, outer ones first.
func render(src []byte, edits []edit, from, to int) string {
	var out strings.Builder
	at := from
	for i := 0; i < len(edits); {
		e := edits[i]
		j := i + 1
		for j < len(edits) && edits[j].from < e.to {
			j++
		}
		inside := edits[i+1 : j]
		out.Write(src[at:e.from])
		out.WriteString(e.put(func(from, to int) string {
			var in []edit
			for _, x := range inside {
				if x.from >= from && x.to <= to {
					in = append(in, x)
				}
			}
			return render(src, in, from, to)
		}))
		at, i = e.to, j
	}
	out.Write(src[at:to])
	return out.String()
}

func editOf(id int, m Mutant, arms *[2]int, typeOf func(Mutant) string) (edit, bool) {
	on := fmt.Sprintf("zzm.On(%d)", id)
	switch m.Kind {
	case "negate":
		return edit{m.Start, m.End, 3, func(in func(int, int) string) string {
			return "(" + on + " != (" + in(m.Start, m.End) + "))"
		}}, true
	case "call":
		return edit{m.Start, m.End, 3, func(in func(int, int) string) string {
			return "if !" + on + " { " + in(m.Start, m.End) + " }"
		}}, m.Statement
	case "number":
		t := typeOf(m)
		return edit{m.Start, m.End, 1, func(func(int, int) string) string {
			return fmt.Sprintf("zzm.N[%s](%d, %s, %s)", t, id, m.Was, m.New)
		}}, t != ""
	case "compare":
		return edit{m.X[0], m.Y[1], 2, func(in func(int, int) string) string {
			x, y := in(m.X[0], m.X[1]), in(m.Y[0], m.Y[1])
			if m.New == "==" || m.New == "!=" {
				return "(" + on + " != (" + x + " " + m.Was + " " + y + "))"
			}
			return fmt.Sprintf("zzm.%s(%d, %s, %s)", moves[m.Was], id, x, y)
		}}, true
	case "arm":
		return armEdit(m, arms), true
	}
	return edit{}, false
}

// moves are the functions of the switch that stand for a comparison that can be moved.
var moves = map[string]string{"<": "Less", "<=": "AtMost", ">": "More", ">=": "AtLeast"}

// acts matches an arm that hands the resolution under way to another function, or has it
// do something: such an arm cannot be asked for what it would say without doing it.
var acts = regexp.MustCompile(`\(r[,)]|\br\.(Roll|Ask|AskAll|Harm)\(`)

// armEdit switches the arms of a condition off: ids of those who drop the right
// arm and the left, 0 for none.
func armEdit(m Mutant, drop *[2]int) edit {
	name := "And"
	if m.Or {
		name = "Or"
	}
	return edit{m.X[0], m.Y[1], 2, func(in func(int, int) string) string {
		x, y := in(m.X[0], m.X[1]), in(m.Y[0], m.Y[1])
		act := ""
		if acts.MatchString(y) {
			act = "Act"
		}
		return fmt.Sprintf("zzm.%s%s(%d, %d, func() bool { return %s }, func() bool { return %s })", name, act, drop[0], drop[1], x, y)
	}}
}

// cell tells whether a mutant is one of a table of a book, and of which system
// and file.
func cell(m Mutant) (system, file string, ok bool) {
	parts := strings.SplitN(m.File, "/", 4)
	if m.Kind != "cell" || len(parts) < 4 || parts[2] == "packs" || path.Ext(m.File) != ".csv" {
		return "", "", false
	}
	return parts[2], parts[3], true
}
