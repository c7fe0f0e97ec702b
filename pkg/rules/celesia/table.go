package celesia

import (
	"errors"

	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
)

// Validate says what is wrong with the embedded tables; nil when they hold.
func (System) Validate() error {
	_, errFrame := frame()
	return errors.Join(strike.ErrCripples, strike.ErrSituations, strike.Conditions.Err(), manners.ErrMultiRows, manners.ErrSteps, manners.ErrBarrels(), body.Presets.Err(), errRegistered, errFrame)
}
