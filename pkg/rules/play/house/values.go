package house

import (
	"fmt"
	"strconv"

	"github.com/skaldrpg/skald/pkg/near"
	"github.com/skaldrpg/skald/pkg/rules"
)

// Value is what a hook takes under a name: a whole number from Least to Most, or any
// word where Most is 0.
type Value struct{ Least, Most int32 }

// Values are what hooks take, by hook and name; hooks that are not among them take
// nothing.
type Values map[string]map[string]Value

// Check says what is wrong with the values that content gives a hook; nil when they
// will do.
func (v Values) Check(hook string, given map[string]string) error {
	for _, name := range rules.SortedKeys(given) {
		want, known := v[hook][name]
		if !known {
			return fmt.Errorf("%s takes no %q%s", hook, name, near.DidYouMean(name, rules.SortedKeys(v[hook])))
		}
		n, err := strconv.ParseInt(given[name], 10, 32)
		if want.Most > 0 && (err != nil || n < int64(want.Least) || n > int64(want.Most)) {
			return fmt.Errorf("%s must be a whole number, %d to %d, not %q", name, want.Least, want.Most, given[name])
		}
	}
	return nil
}

// Number is a value of the hook; otherwise where nothing is said.
func (c Come) Number(name string, otherwise int32) int32 {
	n, err := strconv.ParseInt(c.Hook.GetValues()[name], 10, 32)
	if err != nil {
		return otherwise
	}
	return int32(n)
}
