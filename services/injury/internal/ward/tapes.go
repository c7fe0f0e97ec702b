package ward

import (
	"context"

	"github.com/skaldrpg/skald/pkg/rpc"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"

	"github.com/skaldrpg/skald/services/injury/internal/record"
)

// noteTapes draws again what a stored deed drew. The dice service writes down
// which tapes were opened a moment after it has given the faces; when it died in
// that moment, only the record knows. Faces are the same at the same address, so
// that nothing but the note comes of it. That it fails harms no answer.
func (s *Server) noteTapes(ctx context.Context, tableID string, done *record.Done) {
	for _, p := range done.Patients {
		noted := map[string]bool{} // branches: a deed is one action
		for _, told := range p.Entry.Events {
			r := told.Event.GetRoll()
			if r == nil || r.Supplied || r.Fixed || noted[r.Branch] {
				continue
			}
			noted[r.Branch] = true
			_, err := s.cfg.Dice.Draw(ctx, &dicev1.DrawRequest{Table: tableID, Encounter: PatientDice(p.ID), Epoch: r.Epoch, Action: r.Action,
				Label: r.Label, Index: r.Index, Branch: r.Branch, Expression: r.Expression, Purpose: dicev1.Purpose_PURPOSE_REAL, TapeAllowed: true})
			if err != nil {
				s.cfg.Logger.WarnContext(ctx, "ward: noting the tapes of a repeated deed", "patient", p.ID, "error", rpc.FromStatus(err))
			}
		}
	}
}
