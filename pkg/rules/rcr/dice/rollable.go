package dice

import (
	"errors"
	"regexp"

	"github.com/skaldrpg/skald/pkg/dice"
)

// dividing finds what a canonical expression divides by, when that is no number
// from 1.
var dividing = regexp.MustCompile(`/[^1-9]`)

// Rollable says why an expression cannot be rolled for certain: it is no dice,
// asks for more than may be rolled at once, or may divide by 0. What is found
// wrong only as the dice fall would be refused after others have fallen.
func Rollable(text string) error {
	e, err := dice.Parse(text)
	if err != nil {
		return err
	}
	if dividing.MatchString(e.String()) {
		return errors.New("it may divide by whole numbers from 1 alone")
	}
	if _, err := e.Eval(&turning{}, dice.Limits{}); err != nil {
		return err
	}
	var limit *dice.LimitError
	if _, err := e.Eval(&turning{top: true}, dice.Limits{}); err != nil && !errors.As(err, &limit) { // that of what is drawn: all others held before
		return err
	}
	return nil
}

// turning is a source of faces that are no dice's: one after the other, or always
// the highest.
type turning struct {
	top  bool
	last int
}

// Face is the next face.
func (s *turning) Face(sides int) (int, error) {
	s.last++
	if s.top {
		return sides, nil
	}
	return s.last%sides + 1, nil
}

// RollableHit is rollable for dice that a critical hit doubles.
func RollableHit(text string) error {
	if err := Rollable(text); err != nil {
		return err
	}
	return Rollable(DoubleDice(text))
}
