package engine

import (
	"context"

	"github.com/skaldrpg/skald/pkg/fault"
)

// reachKey is the key of what Reaching keeps in a context.
type reachKey struct{}

// Reaching bounds to which encounters of the table a call may reach, beside the one that
// it is about: a ruling goes on into others. Without it a call reaches all.
func Reaching(ctx context.Context, covers func(encounter string) bool) context.Context {
	return context.WithValue(ctx, reachKey{}, covers)
}

// mayReach refuses an encounter that the caller's token is not for. Which one it is, is
// not told.
func mayReach(ctx context.Context, encounter string) error {
	if covers, ok := ctx.Value(reachKey{}).(func(string) bool); ok && !covers(encounter) {
		return fault.New(fault.Denied, "NOT_YOUR_TABLE", "the ruling goes on into an encounter that the token is not for")
	}
	return nil
}
