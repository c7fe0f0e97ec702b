package reach

import (
	"github.com/skaldrpg/skald/pkg/fault"
)

// wrongNumber is the mistake of naming a number that is not in range.
func wrongNumber(field string, from, to int32) error {
	return fault.Field(field, "must be a whole number from %d to %d", from, to)
}
