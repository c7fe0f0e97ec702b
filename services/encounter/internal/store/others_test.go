package store_test

import (
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
	"github.com/skaldrpg/skald/services/dice"
	"github.com/skaldrpg/skald/services/encounter/internal/innertest"
	"github.com/skaldrpg/skald/services/injury"
)

// others are the services that the encounter service talks to.
func others(w *innertest.World) {
	ctx, t := w.T.Context(), w.T
	d, err := dice.New(ctx, dice.Config{Journal: w.Journal, DataDir: t.TempDir(), CreateMasterKey: true, Alone: true, Logger: innertest.Quiet})
	w.Dice = dicev1.NewTapeServiceClient(w.Host(d, err))
	i, err := injury.New(ctx, injury.Config{Journal: w.Journal, Dice: w.Dice, Systems: w.Systems, DataDir: t.TempDir(), Logger: innertest.Quiet})
	w.Injury = injuryv1.NewAssessmentServiceClient(w.Host(i, err))
}
