package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"google.golang.org/grpc/status"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/text"
)

// Exit codes. docs/CLI.md lists them; a number never changes its meaning.
const (
	exitOK          = 0
	exitFailure     = 1 // a check found a difference, or a bug
	exitUsage       = 2 // arguments or input are malformed
	exitRefused     = 3 // the rules or the state do not allow it
	exitNotFound    = 4
	exitConflict    = 5 // stale, lost a race, or exists already
	exitUnavailable = 6 // no server, or it does not answer
	exitDenied      = 7
	exitLimit       = 8
	exitDegraded    = 9 // a server works, and somebody should look
)

// usageError is a mistake in the command line.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

func usage(format string, args ...any) error {
	return &usageError{fmt.Errorf(format, args...)}
}

// failedError is a check that found something: the command has printed what.
type failedError struct{ text string }

func (e *failedError) Error() string { return e.text }

// degradedError is a server that works and is not fine: the command has printed
// how.
type degradedError struct{ text string }

func (e *degradedError) Error() string { return e.text }

// report prints an error and returns the exit code that stands for it.
func (a *app) report(err error) int {
	code := exitCode(err)
	var failed *failedError
	var degraded *degradedError
	if errors.As(err, &failed) || errors.As(err, &degraded) {
		fmt.Fprintln(a.err, text.EscapeLines(err.Error())) //nolint:errcheck // nobody is left to tell
		return code
	}
	f := faultOf(err)
	if a.json {
		a.reportJSON(err, f)
		return code
	}
	message := text.EscapeLines(err.Error()) // of this program, and may have lines
	if f != nil {
		message = text.Escape(faultText(f))
	}
	fmt.Fprintf(a.err, "skald: %s\n", message) //nolint:errcheck // nobody is left to tell
	if f != nil && f.Reason != "" {
		fmt.Fprintf(a.err, "  reason %s", text.Escape(f.Reason)) //nolint:errcheck // as above
		if f.Rule != "" {
			fmt.Fprintf(a.err, ", rule %s", text.Escape(f.Rule)) //nolint:errcheck // as above
		}
		fmt.Fprintln(a.err) //nolint:errcheck // as above
	}
	if code == exitUnavailable && f.Reason == "UNAVAILABLE" { // nobody answered at all
		fmt.Fprintln(a.err, "  is a server running there? skald up starts one; --server names another") //nolint:errcheck // as above
	}
	if f != nil && f.Reason == "DECISION_PENDING" {
		fmt.Fprintln(a.err, "  see: skald encounter decisions ENCOUNTER") //nolint:errcheck // as above
	}
	if code == exitUsage && f == nil {
		fmt.Fprintf(a.err, "  see: %s\n", a.help) //nolint:errcheck // as above
	}
	return code
}

// faultText is what is wrong: the fields where fields are, else the message.
func faultText(f *fault.Fault) string {
	if len(f.Violations) == 0 {
		return f.Error()
	}
	var fields []string
	for _, v := range f.Violations {
		fields = append(fields, v.Where()+": "+v.Description)
	}
	return strings.Join(fields, "; ")
}

// errorJSON is an error on standard error under --json.
type errorJSON struct {
	Error      string            `json:"error"`
	Code       string            `json:"code,omitempty"`
	Reason     string            `json:"reason,omitempty"`
	Rule       string            `json:"rule,omitempty"`
	Violations []fault.Violation `json:"violations,omitempty"`
	Facts      map[string]string `json:"facts,omitempty"`
}

func (a *app) reportJSON(err error, f *fault.Fault) {
	out := errorJSON{Error: err.Error()}
	if f != nil {
		out = errorJSON{Error: f.Error(), Code: f.Code.String(), Reason: f.Reason, Rule: f.Rule, Violations: f.Violations, Facts: f.Meta}
	}
	json.NewEncoder(a.err).Encode(out) //nolint:errcheck // nobody is left to tell
}

// faultOf is what a service answered; nil when the error is of another kind.
func faultOf(err error) *fault.Fault {
	var u *usageError
	if errors.As(err, &u) {
		return nil
	}
	if f, ok := fault.As(err); ok {
		return f
	}
	if _, ok := status.FromError(err); ok {
		return rpc.FromStatus(err)
	}
	return nil
}

func exitCode(err error) int {
	var u *usageError
	var failed *failedError
	var degraded *degradedError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &u):
		return exitUsage
	case errors.As(err, &failed):
		return exitFailure
	case errors.As(err, &degraded):
		return exitDegraded
	}
	f := faultOf(err)
	if f == nil {
		return exitFailure
	}
	switch f.Code {
	case fault.Invalid:
		return exitUsage
	case fault.Illegal:
		return exitRefused
	case fault.NotFound:
		return exitNotFound
	case fault.Exists, fault.Stale, fault.Conflict:
		return exitConflict
	case fault.Unavailable:
		return exitUnavailable
	case fault.Denied:
		return exitDenied
	case fault.Exhausted:
		return exitLimit
	}
	return exitFailure
}
