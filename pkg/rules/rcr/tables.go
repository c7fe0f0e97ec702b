package rcr

import (
	"errors"

	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
)

// Validate says what is wrong with the embedded tables; nil when they hold.
func (System) Validate() error {
	return errors.Join(body.BookError, body.Settings.Err(), body.Presets.Err(), body.SituationsError, body.Conditions.Err(), body.FlightError, body.TraitsError, body.FrameError(), ownError())
}
