package dice

import (
	"errors"
	"fmt"
)

var (
	// ErrDivisionByZero is returned when a divisor is zero. Odds returns it
	// when a divisor can be zero, however unlikely.
	ErrDivisionByZero = errors.New("dice: division by zero")
	// ErrOverflow is returned when a value leaves the range of int64.
	ErrOverflow = errors.New("dice: value out of the range of a 64-bit integer")
	// ErrFacesExhausted is returned by a supplied list that has no face left.
	ErrFacesExhausted = errors.New("dice: no supplied face left")
)

// Stable codes of this package's errors, as [Code] returns them. The code of a
// LimitError is CodeLimit followed by a dot and the limit's name.
const (
	CodeSyntax         = "dice.syntax"
	CodeLimit          = "dice.limit"
	CodeEndless        = "dice.endless"
	CodeDivisionByZero = "dice.division-by-zero"
	CodeOverflow       = "dice.overflow"
	CodeFacesExhausted = "dice.faces-exhausted"
	CodeFaceRange      = "dice.face-range"
)

// SyntaxError says where a text stops being dice notation.
type SyntaxError struct {
	Pos      int    // byte offset into the text given
	Text     string // what stands there; empty at the end of the text
	Expected string // what could have stood there
}

// Error implements error.
func (e *SyntaxError) Error() string {
	if e.Text == "" {
		return fmt.Sprintf("dice: syntax: at the end: expected %s", e.Expected)
	}
	return fmt.Sprintf("dice: syntax: at byte %d, %q: expected %s", e.Pos, e.Text, e.Expected)
}

// Code returns the stable code of the error.
func (e *SyntaxError) Code() string { return CodeSyntax }

// LimitError says which limit of [Limits] was broken.
type LimitError struct {
	Limit string // name of the limit: one of the Limit constants
	Max   int64  // the limit in force
	Got   int64  // what was asked for; for a running count, the first value over Max
}

// Error implements error.
func (e *LimitError) Error() string {
	return fmt.Sprintf("dice: limit %s: %d is more than %d", e.Limit, e.Got, e.Max)
}

// Code returns the stable code of the error.
func (e *LimitError) Code() string { return CodeLimit + "." + e.Limit }

// EndlessError rejects a reroll or an explosion that every face sets off, so
// that it could never end by itself.
type EndlessError struct {
	Term     string // the dice it stands on, as in 2d6
	Modifier string // the modifier, as in rr<=6
}

// Error implements error.
func (e *EndlessError) Error() string {
	return fmt.Sprintf("dice: endless: every face of %s sets off %s again", e.Term, e.Modifier)
}

// Code returns the stable code of the error.
func (e *EndlessError) Code() string { return CodeEndless }

// ErrFaceRange rejects a face that its die does not have. It is returned as a
// pointer.
type ErrFaceRange struct {
	Index int // position in rolling order, from 0
	Sides int // sides of the die rolled
	Face  int // the face supplied
}

// Error implements error.
func (e *ErrFaceRange) Error() string {
	return fmt.Sprintf("dice: face %d: %d is not on a die of %d sides", e.Index, e.Face, e.Sides)
}

// Code returns the stable code of the error.
func (e *ErrFaceRange) Code() string { return CodeFaceRange }

// Code returns the stable code of an error of this package, also when wrapped,
// and the empty string for any other error.
func Code(err error) string {
	var coded interface {
		error
		Code() string
	}
	switch {
	case err == nil:
		return ""
	case errors.Is(err, ErrDivisionByZero):
		return CodeDivisionByZero
	case errors.Is(err, ErrOverflow):
		return CodeOverflow
	case errors.Is(err, ErrFacesExhausted):
		return CodeFacesExhausted
	case errors.As(err, &coded):
		return coded.Code()
	}
	return ""
}
