package rcr

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/growth"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

var _ rules.SheetReader = System{}

// ReadSheet is a sheet with what its feats give for good worked in.
func (System) ReadSheet(s *eventv1.State, sheet *eventv1.Sheet) (*eventv1.Sheet, []string, error) {
	return growth.Read(s, sheet)
}
