package fault

import (
	"errors"
	"fmt"
	"strings"
)

// Code is the kind of a fault; each maps to one gRPC status code.
type Code int

// The codes, with the gRPC status that each maps to.
const (
	// Invalid: the input is malformed whatever the state (INVALID_ARGUMENT).
	Invalid Code = iota + 1
	// Illegal: the state or the rules do not allow it now (FAILED_PRECONDITION).
	Illegal
	// NotFound: there is no such thing for this caller (NOT_FOUND).
	NotFound
	// Exists: there is such a thing already (ALREADY_EXISTS).
	Exists
	// Denied: the caller may not do this (PERMISSION_DENIED).
	Denied
	// Stale: the caller decided by an old cursor (ABORTED).
	Stale
	// Conflict: another command won; the same call may be tried again (ABORTED).
	Conflict
	// Exhausted: a limit (RESOURCE_EXHAUSTED).
	Exhausted
	// Unavailable: the store or another service does not answer (UNAVAILABLE).
	Unavailable
	// Broken: the stored record of it is broken and closed (DATA_LOSS).
	Broken
	// Internal: a bug (INTERNAL).
	Internal
)

// String is the code in one lower-case word.
func (c Code) String() string {
	names := [...]string{"", "invalid", "illegal", "not-found", "exists", "denied", "stale", "conflict", "exhausted", "unavailable", "broken", "internal"}
	if int(c) <= 0 || int(c) >= len(names) {
		return "unknown"
	}
	return names[c]
}

// Violation is one field that is wrong.
type Violation struct {
	// Field is the path of the field, such as "sheet.rcr.attacks[2].reach_feet".
	Field string
	// Description says what is wrong with it.
	Description string
	// File and Line say where the field stands, when the input was files; Line is
	// from 1, and 0 when it is about the whole file.
	File string `json:",omitempty"`
	Line int    `json:",omitempty"`
}

// Where is the field with the file and the line that it stands in.
func (v Violation) Where() string {
	where := v.File
	if v.Line > 0 {
		where = fmt.Sprintf("%s:%d", v.File, v.Line)
	}
	switch {
	case where == "":
		return v.Field
	case v.Field == "":
		return where
	}
	return where + ": " + v.Field
}

// Fault is an error for the caller.
type Fault struct {
	// Code is the kind.
	Code Code
	// Reason is a stable upper-case word such as "NOT_YOUR_TURN".
	Reason string
	// Message is for people.
	Message string
	// Rule is the rule id behind it, if any.
	Rule string
	// Violations are the wrong fields, for Invalid.
	Violations []Violation
	// Meta holds further facts by name, such as limits.
	Meta map[string]string
	// RetryMillis is after how many milliseconds the same call may succeed; 0 says
	// nothing of it.
	RetryMillis int64
	// Cause is the error underneath, if any.
	Cause error
}

// Error is the message with the fields that are wrong.
func (f *Fault) Error() string {
	var b strings.Builder
	b.WriteString(f.Message)
	for _, v := range f.Violations {
		fmt.Fprintf(&b, "; %s: %s", v.Where(), v.Description)
	}
	if f.Cause != nil {
		fmt.Fprintf(&b, ": %v", f.Cause)
	}
	return b.String()
}

// Unwrap is the error underneath.
func (f *Fault) Unwrap() error { return f.Cause }

// New makes a fault with a message in the manner of fmt.Sprintf.
func New(code Code, reason, format string, args ...any) *Fault {
	return &Fault{Code: code, Reason: reason, Message: words(format, args...)}
}

// Field makes an Invalid fault about one field.
func Field(field, format string, args ...any) *Fault {
	return &Fault{Code: Invalid, Reason: "INVALID_FIELD", Message: "invalid " + field,
		Violations: []Violation{{Field: field, Description: words(format, args...)}}}
}

// Fields makes an Invalid fault about several fields; nil when there are none.
func Fields(violations []Violation) error {
	if len(violations) == 0 {
		return nil
	}
	return &Fault{Code: Invalid, Reason: "INVALID_FIELD", Message: "invalid input", Violations: violations}
}

// words is fmt.Sprintf, without its cost for a format that is the text already.
func words(format string, args ...any) string {
	if len(args) == 0 && strings.IndexByte(format, '%') < 0 {
		return format
	}
	return fmt.Sprintf(format, args...)
}

// Limit makes an Exhausted fault: name of the limit, its value, what was asked.
func Limit(name string, limit, got int64) *Fault {
	return &Fault{Code: Exhausted, Reason: "LIMIT", Message: fmt.Sprintf("%s: limit %d, got %d", name, limit, got),
		Meta: map[string]string{"limit": name, "max": fmt.Sprint(limit), "got": fmt.Sprint(got)}}
}

// Wrap puts a fault around a cause.
func Wrap(code Code, reason string, cause error, format string, args ...any) *Fault {
	f := New(code, reason, format, args...)
	f.Cause = cause
	return f
}

// As finds the Fault in an error.
func As(err error) (*Fault, bool) {
	switch e := err.(type) { // spares the search
	case *Fault:
		return e, e != nil // a nil *Fault in an error is none
	case *refusal:
		return e.fault(), true
	}
	var f *Fault
	ok := errors.As(err, &f) && f != nil
	return f, ok
}

// Is tells whether an error is a Fault of the code.
func Is(err error, code Code) bool {
	if _, refused := err.(*refusal); refused {
		return code == Illegal
	}
	var f *Fault
	return errors.As(err, &f) && f != nil && f.Code == code
}

// ReasonBroken is the reason of [BrokenRecord].
const ReasonBroken = "RECORD_BROKEN"

// BrokenRecord is what everything that is asked of something with a broken record
// answers: what it is, its id, and the stream sequence of the record.
func BrokenRecord(what, id string, sequence uint64) *Fault {
	f := New(Broken, ReasonBroken, "the record of %s %q is broken at sequence %d of the log; it is closed until an operator has mended it", what, id, sequence)
	f.Meta = map[string]string{"sequence": fmt.Sprint(sequence)}
	return f
}
