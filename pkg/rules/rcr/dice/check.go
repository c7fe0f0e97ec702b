package dice

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/event"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Narrower is who saw two rolls: what is said of the outcome of both is for them.
func Narrower(a, b *eventv1.Audience) *eventv1.Audience {
	a, b = AudienceOr(a), AudienceOr(b)
	switch {
	case a.Kind == eventv1.Audience_KIND_EVERYONE:
		return b
	case b.Kind == eventv1.Audience_KIND_EVERYONE || slices.Equal(a.Creatures, b.Creatures):
		return a
	}
	return event.GM() // no player saw both
}
