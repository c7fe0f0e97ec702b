package scenario

import (
	"fmt"
	"strings"
)

// Problem is one mistake in a scenario file.
type Problem struct {
	// File is the name that the file was read under.
	File string `json:"file"`
	// Line in the file, from 1; 0 when the mistake is about the whole file.
	Line int `json:"line"`
	// Text says what is wrong.
	Text string `json:"text"`
}

// String is the mistake in the form that editors can jump to.
func (p Problem) String() string {
	if p.Line == 0 {
		return p.File + ": " + p.Text
	}
	return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Text)
}

// ParseError is every mistake found in a file.
type ParseError struct {
	// Problems in the order of the file.
	Problems []Problem
}

// Error lists the mistakes, one a line.
func (e *ParseError) Error() string {
	lines := make([]string, 0, len(e.Problems))
	for _, p := range e.Problems {
		lines = append(lines, p.String())
	}
	return strings.Join(lines, "\n")
}
