package body

import (
	"fmt"

	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// PutDown begins the task of an effect that waits for the end of the number.
func PutDown(r *rules.Resolution, kind, creature, text string) *eventv1.Task {
	n := r.Count("", cPending) + 1
	r.Set("", cPending, n, "")
	return &eventv1.Task{Id: fmt.Sprintf("pending-%09d", n), Creature: creature, Kind: kind, Status: "pending", Text: text}
}
