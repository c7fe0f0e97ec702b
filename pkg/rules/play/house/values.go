package house

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/skaldrpg/skald/pkg/near"
	"github.com/skaldrpg/skald/pkg/rules"
)

// Value is what a hook takes under a name: a whole number from Least to Most; where
// Most is 0 one of the words, or any word where none are listed.
type Value struct {
	Least, Most int32
	Words       []string
}

// Values are what hooks take, by hook and name; hooks that are not among them take
// nothing.
type Values map[string]map[string]Value

// Check says what is wrong with the values that content gives a hook; nil when they
// will do.
func (v Values) Check(hook string, given map[string]string) error {
	for _, name := range rules.SortedKeys(given) {
		want, known := v[hook][name]
		if !known {
			return fmt.Errorf("%s takes no %q, but %v%s", hook, name, rules.SortedKeys(v[hook]), near.DidYouMean(name, rules.SortedKeys(v[hook])))
		}
		n, err := strconv.ParseInt(given[name], 10, 32)
		if want.Most > 0 && (err != nil || n < int64(want.Least) || n > int64(want.Most)) {
			return fmt.Errorf("%s must be a whole number, %d to %d, not %q", name, want.Least, want.Most, given[name])
		}
		if len(want.Words) > 0 && !slices.Contains(want.Words, given[name]) {
			return fmt.Errorf("%s must be one of %v, not %q%s", name, want.Words, given[name], near.DidYouMean(given[name], want.Words))
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

// Word is a value of the hook in words; otherwise where nothing is said.
func (c Come) Word(name, otherwise string) string {
	if w := c.Hook.GetValues()[name]; w != "" {
		return w
	}
	return otherwise
}
