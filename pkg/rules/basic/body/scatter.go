package body

import (
	"errors"
	"fmt"
	"strconv"
)

// Offset is where a missile lands that missed: squares to the thrower's right and
// beyond the target.
type Offset struct {
	Right, Beyond int32
	Place         string
	// By is the rule of content that it comes from; empty for the book's own.
	By string
}

// scatter reads the diagram, face by face from 1 to 10.
func (t tables) scatter() ([]Offset, error) {
	rows, err := t.rows("scatter", 4)
	if err != nil {
		return nil, err
	}
	var out []Offset
	for i, row := range rows {
		face, err1 := strconv.ParseInt(row[0], 10, 32)
		right, err2 := strconv.ParseInt(row[1], 10, 32)
		beyond, err3 := strconv.ParseInt(row[2], 10, 32)
		if err := errors.Join(err1, err2, err3); err != nil || face != int64(i+1) || row[3] == "" {
			return nil, fmt.Errorf("basic: table scatter row %d: %v: %w", i+1, row, err)
		}
		out = append(out, Offset{int32(right), int32(beyond), row[3], t.rule("scatter", i)})
	}
	if len(out) != 10 {
		return nil, fmt.Errorf("basic: table scatter has %d rows, want 10", len(out))
	}
	return out, nil
}
