package strike

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// CheckBody says what is wrong with what every system's sheet has: size,
// speeds and abilities that the rules do not know would be passed over.
func CheckBody(k *Tables, sheet *eventv1.Sheet) []fault.Violation {
	var list []fault.Violation
	known := func(field, word string, words []string) {
		if !slices.Contains(words, word) {
			list = append(list, fault.Violation{Field: "sheet." + field, Description: "must be one of " + strings.Join(words, ", ") + rules.DidYouMean(word, words)})
		}
	}
	if sheet.Size != "" {
		known("size", sheet.Size, rules.SortedKeys(k.Surround))
	}
	for _, name := range rules.SortedKeys(sheet.Abilities) {
		known("abilities["+name+"]", name, body.Abilities)
	}
	for _, name := range rules.SortedKeys(sheet.Speeds) {
		known("speeds["+name+"]", name, body.Speeds)
	}
	return list
}
