package mending

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
)

// Forget ends a readied action.
//
// celesia.action.ready-expiry
func Forget(r *rules.Resolution, id, why string) {
	if r.EndBegun(id, body.BegunReadied, why, cite.ActionReadyExpiry) != nil {
		r.Note(event.Controllers(id), id, "the readied action is gone: "+why, cite.ActionReadyExpiry)
	}
}
