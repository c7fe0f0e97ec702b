package spark

import (
	"errors"
	"strings"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
)

// Validate says what is wrong with the embedded tables; nil when they hold.
func (System) Validate() error {
	_, err := kernel()
	return errors.Join(body.BookError, body.ConditionError, body.Settings.Err(), body.Presets.Err(), err)
}

// checkWord refuses the name of a counter or mark that the rules do not know.
func checkWord(field, place, name string) error {
	v := System{}.Vocabulary()
	if v.Find(place, "", name) != nil {
		return nil
	}
	known := v.Names(place, "")
	return fault.Field(field, "%q is not one of %s%s", name, strings.Join(known, ", "), rules.DidYouMean(name, known))
}
