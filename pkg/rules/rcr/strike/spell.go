package strike

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// SelfSpell tells whether a spell needs no target named: it is its caster's.
func SelfSpell(sp *eventv1.RcrSpell) bool {
	if Revives(sp.Name) {
		return false
	}
	harmless := len(sp.Damage) == 0 && sp.Save == nil && sp.Attack == "" && !sp.WeaponAttack
	return harmless && (sp.RangeFeet == 0 || sp.Healing == "" && len(sp.Effects) == 0 && !ListedSpellName(sp.Name))
}

// ListedSpellName tells whether the book's table of spells has a name, whatever the
// case of its letters.
func ListedSpellName(name string) bool {
	_, ok := body.Book.Spells[strings.ToLower(name)]
	return ok
}

// Revives tells whether a spell, by its name, brings back the dead.
func Revives(name string) bool { return body.Book.Spells[strings.ToLower(name)].Revives }
