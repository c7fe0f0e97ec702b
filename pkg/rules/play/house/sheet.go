package house

import (
	"slices"
	"strconv"

	"github.com/skaldrpg/skald/pkg/near"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// CheckFeats calls wrong for each feat of a sheet's common core that neither content
// nor the system has, with the likeliest one meant.
func CheckFeats(content *effects.Book, sheet *eventv1.Sheet, wrong func(field, format string, args ...any), own ...string) {
	known := append(content.IDs(effects.Feats), own...)
	for i, feat := range sheet.GetFeats() {
		if !slices.Contains(known, feat) && content.FeatID(feat) == "" {
			wrong("feats["+strconv.Itoa(i)+"]", "there is no feat %q in the content%s", feat, near.DidYouMean(feat, known))
		}
	}
}
