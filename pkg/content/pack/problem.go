package pack

import (
	"fmt"
	"strings"

	"github.com/skaldrpg/skald/pkg/fault"
)

// Problem is something wrong with a pack.
type Problem struct {
	// File in the pack's folder; empty when it is not known.
	File string
	// Line in it, from 1; 0 when it is not known.
	Line int
	// Field is the path, such as "weapons[2].data.damage[0].dice".
	Field string
	// Text says what is wrong.
	Text string
}

// String is the problem in one line: FILE:LINE: FIELD: TEXT.
func (p Problem) String() string {
	var b strings.Builder
	if p.File != "" {
		b.WriteString(p.File)
		if p.Line > 0 {
			fmt.Fprintf(&b, ":%d", p.Line)
		}
		b.WriteString(": ")
	}
	if p.Field != "" {
		b.WriteString(p.Field + ": ")
	}
	return b.String() + p.Text
}

// Problems are everything wrong with a pack, in the order of its files.
type Problems []Problem

// Error is one line for each problem.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// Fault is the problems as an Invalid fault; nil when there are none.
func (ps Problems) Fault() error {
	violations := make([]fault.Violation, 0, len(ps))
	for _, p := range ps {
		text := p.Text
		if p.File != "" {
			text += fmt.Sprintf(" (%s line %d)", p.File, p.Line)
		}
		violations = append(violations, fault.Violation{Field: p.Field, Description: text})
	}
	return fault.Fields(violations)
}
