package body

import (
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// MagicTargets is how many targets a spell or a magic item takes.
func MagicTargets(at *play.At) (least, most int32) {
	if sp := SpellOf(at.Actor, at.Item()); sp != nil {
		return 0, max(1, sp.Targets)
	}
	return 0, max(1, ItemOf(at.Actor, at.Item()).GetEffect().GetTargets())
}

// SpellNames lists the names of the spells on a sheet, spent ones too.
func SpellNames(c *eventv1.Creature) []string {
	var out []string
	for _, sp := range SheetOf(c).Spells {
		out = append(out, sp.Name)
	}
	return out
}
