package aggregate

import (
	"errors"

	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/limits"
)

// Decide runs attempt, which decides on the state at hand and appends, until it
// does not lose its race, at most limits.RaceAttempts times. Before each further
// attempt lost brings the state up to what won. The last lost race is the error;
// any other error ends it at once.
func Decide[T any](attempt func() (T, error), lost func(*journal.ConflictError) error) (T, error) {
	for tries := 1; ; tries++ {
		out, err := attempt()
		var conflict *journal.ConflictError
		if !errors.As(err, &conflict) || tries == limits.RaceAttempts {
			return out, err
		}
		if err := lost(conflict); err != nil {
			return out, err
		}
	}
}
