package scenario

import (
	"fmt"
	"strings"
	"time"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Result is how a scenario came out.
type Result struct {
	// File and Line that it is from.
	File string `json:"file"`
	Line int    `json:"line"`
	// Title of the scenario.
	Title string `json:"title"`
	// System is the rule system.
	System string `json:"system"`
	// Rules that it shows.
	Rules []string `json:"rules,omitempty"`
	// Passed is whether everything was as expected.
	Passed bool `json:"passed"`
	// Duration of the run.
	Duration time.Duration `json:"duration_ns"`
	// Failures of the step that failed first; later steps were not taken.
	Failures []Failure `json:"failures,omitempty"`
	// Trace is what happened, for people who want to read the fight.
	Trace []Trace `json:"-"`
	// Decided is everything that was decided, part by part, when the Runner digests.
	Decided []Decided `json:"-"`
}

// Trace is what one step led to, as its principal saw it.
type Trace struct {
	// Step number from 1; 0 for the setting up.
	Step int
	// Title of the step.
	Title string
	// Events in order.
	Events []*eventv1.Event
	// Err is the refusal, if it was one.
	Err error
}

// Failure is one thing that was not as expected.
type Failure struct {
	// Step number from 1; 0 for the setting up, -1 for the whole.
	Step int `json:"step"`
	// Title of the step.
	Title string `json:"title"`
	// Line of the expectation, or of the step.
	Line int `json:"line"`
	// Check that failed: call, error, events, state, decisions, options, dice, odds, rules, digest.
	Check string `json:"check"`
	// As is whose view was looked at, when not the step's own.
	As string `json:"as,omitempty"`
	// Message says what is wrong in a line.
	Message string `json:"message"`
	// Details are lines with what was expected and the nearest that came.
	Details []string `json:"details,omitempty"`
}

// String is the failure for people.
func (f Failure) String() string {
	var b strings.Builder
	switch {
	case f.Step > 0:
		fmt.Fprintf(&b, "step %d (%s), line %d: ", f.Step, f.Title, f.Line)
	case f.Step == 0:
		fmt.Fprintf(&b, "setting up (%s), line %d: ", f.Title, f.Line)
	}
	b.WriteString(f.Check)
	if f.As != "" {
		b.WriteString(" as seen by " + f.As)
	}
	b.WriteString(": " + f.Message)
	for _, d := range f.Details {
		b.WriteString("\n    " + d)
	}
	return b.String()
}

// String is the result for people: a line, and a block for each failure.
func (r *Result) String() string {
	var b strings.Builder
	verdict := "ok  "
	if !r.Passed {
		verdict = "FAIL"
	}
	fmt.Fprintf(&b, "%s %s:%d %s (%s)", verdict, r.File, r.Line, r.Title, r.Duration.Round(time.Millisecond))
	for _, f := range r.Failures {
		b.WriteString("\n  " + strings.ReplaceAll(f.String(), "\n", "\n  "))
	}
	return b.String()
}
