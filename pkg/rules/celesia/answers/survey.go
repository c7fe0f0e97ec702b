package answers

import (
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/items"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// refuseBroken: what ends in a check and was broken is begun again, and provokes
// again.
//
// celesia.action.disable-device
func refuseBroken(t *eventv1.Task) error {
	k, ok := items.TaskSkills[t.Values[items.ValueSkill]]
	if !ok || t.Values["done"] > 0 {
		return nil
	}
	return body.Refuse("BROKEN", k.Rule, "%s was broken off and has to be begun again", t.Text)
}
