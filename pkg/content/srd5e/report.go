package srd5e

import (
	"fmt"
	"sort"
	"strings"
)

// Report says what an import left out. Order: as in the input.
type Report struct {
	// Monsters is the number of records read.
	Monsters int
	// Unused is what a record holds and its sheet does not.
	Unused []Unused
	// Notes is what a sheet holds by a choice of the importer, such as where
	// structure and prose of a record disagree.
	Notes []Unused
}

// Unused is one value of a record with what became of it.
type Unused struct {
	// Monster is the index of the record.
	Monster string
	// Path is the value in the record, such as "actions[0].desc".
	Path string
	// Reason says why it is not on the sheet as it stands.
	Reason string
	// Value is the value, or the part of its text left over, cut short.
	Value string
}

// String is the entry in one line.
func (u Unused) String() string {
	return fmt.Sprintf("%s %s: %s: %q", u.Monster, u.Path, u.Reason, u.Value)
}

// Summary counts the unused values by reason, most first, one line each.
func (r *Report) Summary() string {
	counts := map[string]int{}
	for _, u := range r.Unused {
		counts[u.Reason]++
	}
	reasons := make([]string, 0, len(counts))
	for reason := range counts {
		reasons = append(reasons, reason)
	}
	sort.Slice(reasons, func(i, j int) bool {
		a, b := reasons[i], reasons[j]
		return counts[a] > counts[b] || counts[a] == counts[b] && a < b
	})
	var b strings.Builder
	fmt.Fprintf(&b, "%d monsters, %d values not used, %d notes\n", r.Monsters, len(r.Unused), len(r.Notes))
	for _, reason := range reasons {
		fmt.Fprintf(&b, "%6d  %s\n", counts[reason], reason)
	}
	return b.String()
}

// collect lists what the reading of a record left over.
func (r *Report) collect(monster string, record *value) {
	record.leaves(func(v *value) {
		switch {
		case v.fate == used && v.rest == "":
		case v.fate == used:
			r.Unused = append(r.Unused, Unused{monster, v.path, v.reason, excerpt(v.rest)})
		case v.fate == dropped:
			r.Unused = append(r.Unused, Unused{monster, v.path, v.reason, excerpt(v.text)})
		default:
			r.Unused = append(r.Unused, Unused{monster, v.path, "not known to the importer", excerpt(v.text)})
		}
	})
}

// excerpt keeps reports and errors readable.
func excerpt(s string) string {
	const most = 160
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "..."
	}
	return s
}
