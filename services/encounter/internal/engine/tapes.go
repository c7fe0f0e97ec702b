package engine

import (
	"context"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rpc"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// drawnFrom is a tape.
type drawnFrom struct {
	epoch  uint32
	action uint64
	branch string
}

// noteTapes draws again what a stored Commit drew. The dice service writes down
// which tapes were opened a moment after it has given the faces; when it died in
// that moment, only the Commit knows. Faces are the same at the same address, so
// that nothing but the note comes of it. That it fails harms no answer.
func (e *Engine) noteTapes(ctx context.Context, f *Fight, version uint64) {
	entry, err := e.entry(ctx, f, version)
	if err != nil {
		e.cfg.Logger.Warn("noting the tapes of a repeated command", "encounter", f.id, "error", err)
		return
	}
	noted := map[drawnFrom]bool{}
	for _, ev := range entry.Commit.Events {
		e.noteTape(ctx, f, ev.GetRoll(), noted)
		for _, c := range ev.GetAmended().GetCommands() {
			again, err := replica.OpenRedecided(c, entry.Commit.Header)
			if err != nil {
				continue
			}
			for _, inner := range again.Events {
				e.noteTape(ctx, f, inner.GetRoll(), noted)
			}
		}
	}
}

func (e *Engine) noteTape(ctx context.Context, f *Fight, r *eventv1.Roll, noted map[drawnFrom]bool) {
	if r == nil || r.Supplied || r.Fixed {
		return
	}
	at := drawnFrom{r.Epoch, r.Action, r.Branch}
	if noted[at] {
		return
	}
	noted[at] = true
	_, err := e.cfg.Dice.Draw(ctx, &dicev1.DrawRequest{Table: f.table, Encounter: f.id, Epoch: r.Epoch, Action: r.Action,
		Label: r.Label, Index: r.Index, Branch: r.Branch, Expression: r.Expression, Purpose: dicev1.Purpose_PURPOSE_REAL, TapeAllowed: true})
	if err != nil && !fault.Is(rpc.FromStatus(err), fault.Illegal) { // a branch that was revealed draws no more
		e.cfg.Logger.Warn("noting the tapes of a repeated command", "encounter", f.id, "error", err)
	}
}
