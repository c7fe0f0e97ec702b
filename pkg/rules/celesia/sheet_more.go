package celesia

import (
	"fmt"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// further checks stances, mounts and components.
func (k *sheetCheck) further(s *eventv1.CelesiaSheet) {
	seen := map[string]bool{}
	for i, name := range s.Stances {
		if name == "" || len(name) > rules.MaxIDLength || seen[name] {
			k.wrong(fmt.Sprintf("celesia.stances[%d]", i), "must be 1 to 64 bytes and unlike the others")
		}
		seen[name] = true
	}
	if s.Companion != "" && !rules.ValidID(s.Companion) {
		k.wrong("celesia.companion", "must be 1 to 64 letters, digits, '-' or '_'")
	}
	k.among("celesia.saddle", s.Saddle, "", "ordinary", body.SaddleMilitary)
	for i, w := range s.Weapons {
		if w.Secondary && w.Kind != body.KindNatural {
			k.wrong(fmt.Sprintf("celesia.weapons[%d].secondary", i), "only of natural weapons")
		}
	}
}
