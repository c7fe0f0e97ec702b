package rules

import (
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// SheetReader is a System whose sheets name things that change their own numbers: a
// feat that raises an ability for good. The sheet that a creature has is the one read.
type SheetReader interface {
	// ReadSheet gives a sheet with all that it names worked into its numbers by the
	// settings of the state, and the rules behind that: a new sheet that says so, so that
	// reading it again adds nothing; the very sheet given, when there is nothing to add.
	// A refusal says what the sheet may not name. It never changes the sheet given, with
	// which CheckSheet has found nothing wrong.
	ReadSheet(s *eventv1.State, sheet *eventv1.Sheet) (read *eventv1.Sheet, rules []string, err error)
}

// readSheet is SheetReader.ReadSheet, for a system that has it.
func (r *Resolution) readSheet(s *eventv1.Sheet) (*eventv1.Sheet, []string, error) {
	reader, ok := r.sys.(SheetReader)
	if !ok {
		return s, nil, nil
	}
	return reader.ReadSheet(r.state, s)
}
