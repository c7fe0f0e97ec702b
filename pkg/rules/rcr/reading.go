package rcr

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/growth"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

var _ rules.SheetReader = System{}

// ReadSheet is a sheet with what its feats give for good worked in.
func (System) ReadSheet(s *eventv1.State, sheet *eventv1.Sheet) (*eventv1.Sheet, []string, error) {
	return growth.Read(s, sheet)
}

// Renewed gives a creature what a new sheet counts out and the one before did not: what
// it has used of all else stays used.
func (System) Renewed(r *rules.Resolution, creature string, before *eventv1.Sheet) {
	had := body.NamesOf(before.GetRcr().GetResources())
	for _, res := range body.SheetOf(r.Creature(creature)).Resources {
		if !slices.Contains(had, res.Name) {
			r.Set(creature, body.CLeft+res.Name, int64(res.Current), "sheet")
		}
	}
}
