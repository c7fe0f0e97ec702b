package roller

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/fault"
)

// row is a tape whose face i is i+1 modulo the sides.
type row struct{ next int }

func (r *row) Face(sides int) (int, error) {
	r.next++
	return (r.next-1)%sides + 1, nil
}

var errTape = errors.New("tape torn")

type torn struct{}

func (torn) Face(int) (int, error) { return 0, errTape }

func parse(t interface{ Fatal(...any) }, text string) *dice.Expr {
	e, err := New().Parse("expression", text)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestSuppliedFacesSpendTheTapes: face i comes from place i of the tape whoever
// rolled the faces before it.
func TestSuppliedFacesSpendTheTapes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sides := rapid.SliceOfN(rapid.IntRange(1, 100), 1, 8).Draw(t, "sides")
		text := ""
		for i, s := range sides {
			if i > 0 {
				text += "+"
			}
			text += "1d" + string(rune('0'+s/100)) + string(rune('0'+s/10%10)) + string(rune('0'+s%10))
		}
		e := parse(t, text)
		taped, err := Roll(e, "supplied", nil, &row{})
		if err != nil {
			t.Fatal(err)
		}
		k := rapid.IntRange(0, len(sides)+2).Draw(t, "supplied")
		supplied := make([]int32, k)
		for i := range supplied {
			supplied[i] = 1
		}
		mixed, err := Roll(e, "supplied", supplied, &row{})
		if err != nil {
			t.Fatal(err)
		}
		used := min(k, len(sides))
		want := append(slices.Clone(supplied[:used]), taped.Result.Faces[used:]...)
		if !slices.Equal(mixed.Result.Faces, want) || mixed.Supplied != used || mixed.Taped != len(sides)-used {
			t.Fatalf("faces %v (%d supplied, %d taped), want %v", mixed.Result.Faces, mixed.Supplied, mixed.Taped, want)
		}
	})
}

func TestEveryErrorIsAFault(t *testing.T) {
	roll := func(text string, supplied ...int32) error {
		_, err := Roll(parse(t, text), "supplied", supplied, nil)
		return err
	}
	_, syntax := New().Parse("rolls[3].expression", "nonsense")
	_, torn := Roll(parse(t, "1d6"), "supplied", nil, torn{})
	for name, tt := range map[string]struct {
		err    error
		code   fault.Code
		reason string
	}{
		"syntax":      {syntax, fault.Invalid, "SYNTAX"},
		"need faces":  {roll("2d6", 1), fault.Illegal, ReasonNeedFaces},
		"range":       {roll("2d6", 1, 7), fault.Invalid, "INVALID_FIELD"},
		"division":    {roll("1/(1d6-1)", 1), fault.Invalid, "DIVISION_BY_ZERO"},
		"overflow":    {roll("9223372036854775807*1d6", 2), fault.Invalid, "OVERFLOW"},
		"exhausted":   {Fault("x", dice.ErrFacesExhausted), fault.Illegal, ReasonNeedFaces},
		"range error": {Fault("x", &dice.ErrFaceRange{Index: 1, Sides: 6, Face: 9}), fault.Invalid, "INVALID_FIELD"},
		"torn tape":   {torn, fault.Internal, "DICE"},
	} {
		f, ok := fault.As(tt.err)
		if !ok || f.Code != tt.code || f.Reason != tt.reason {
			t.Errorf("%s: %v", name, tt.err)
		}
	}
	if f, _ := fault.As(syntax); f.Violations[0].Field != "rolls[3].expression" {
		t.Errorf("field %q", f.Violations[0].Field)
	}
	if !errors.Is(torn, errTape) {
		t.Error("the cause is lost")
	}
}
