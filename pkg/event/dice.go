package event

import (
	"maps"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// KeepDice gives a state the dice of another: epoch, commitments and entropy. No ruling
// that puts a state back touches them.
func KeepDice(into, from *eventv1.State) {
	into.Epoch, into.Commitments, into.Entropy = from.Epoch, maps.Clone(from.Commitments), from.Entropy
}
