package fault

import (
	"errors"
	"fmt"
	"testing"
)

func TestFaultSurvivesWrapping(t *testing.T) {
	err := fmt.Errorf("taking action: %w", Refuse("NO_ACTION", "rcr.surprise.one-action", "no action left"))
	f, ok := As(err)
	if !ok || f.Rule != "rcr.surprise.one-action" || !Is(err, Illegal) || Is(err, Invalid) {
		t.Fatalf("fault lost in wrapping: %v", err)
	}
}

func TestFieldsNamesEveryField(t *testing.T) {
	if Fields(nil) != nil {
		t.Fatal("no violations must be no error")
	}
	err := Fields([]Violation{{Field: "a.b", Description: "missing"}, {Field: "c[1]", Description: "negative"}})
	if got := err.Error(); got != "invalid input; a.b: missing; c[1]: negative" {
		t.Fatalf("got %q", got)
	}
}

func TestWrapKeepsCause(t *testing.T) {
	cause := errors.New("disk full")
	if err := Wrap(Unavailable, "STORE", cause, "appending"); !errors.Is(err, cause) {
		t.Fatal("cause lost")
	}
}

func TestCodesHaveNames(t *testing.T) {
	for c := Invalid; c <= Internal; c++ {
		if c.String() == "unknown" || c.String() == "" {
			t.Errorf("code %d has no name", c)
		}
	}
	if Code(0).String() != "unknown" || Code(99).String() != "unknown" {
		t.Error("codes outside the list must be unknown")
	}
}

// TestNoFaultIsNone gives a nil *Fault in an error, as what turns an answer of none
// into a Fault hands on: it is no Fault.
func TestNoFaultIsNone(t *testing.T) {
	var none *Fault
	for _, err := range []error{nil, none, fmt.Errorf("around: %w", error(none))} {
		if _, ok := As(err); ok {
			t.Errorf("%T is taken for a Fault", err)
		}
		if Is(err, Invalid) {
			t.Errorf("%T is taken for an invalid input", err)
		}
	}
}
