package strike

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// SelfSpell tells whether a spell needs no target named: it is its caster's.
func SelfSpell(content *effects.Book, sp *eventv1.RcrSpell) bool {
	if Revives(content, sp.Name) {
		return false
	}
	harmless := len(sp.Damage) == 0 && sp.Save == nil && sp.Attack == "" && !sp.WeaponAttack
	return harmless && (sp.RangeFeet == 0 || sp.Healing == "" && len(sp.Effects) == 0 && !ListedSpellName(content, sp.Name))
}

// ListedSpellName tells whether the book's table of spells has a name, whatever the
// case of its letters.
func ListedSpellName(content *effects.Book, name string) bool {
	_, ok := checks.TablesOf(content).Spells[strings.ToLower(name)]
	return ok
}

// Revives tells whether a spell, by its name, brings back the dead.
func Revives(content *effects.Book, name string) bool {
	return checks.TablesOf(content).Spells[strings.ToLower(name)].Revives
}
