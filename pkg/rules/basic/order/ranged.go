package order

import (
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Unloaded lists the names of the weapons at hand that take rounds to reload and are
// not loaded.
func Unloaded(c *eventv1.Creature) []string {
	return body.WeaponNames(body.Armed(c, func(w *eventv1.BasicWeapon) bool {
		return w.ReloadRounds > 0 && c.Items[w.Name].GetValues()["loaded"] == 0
	}))
}
