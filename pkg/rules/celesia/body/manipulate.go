package body

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
)

const (
	// RuleFlask is the rule of preparing a flask of oil.
	RuleFlask = cite.EquipmentOilFlask
	// RuleGauntlet is the rule of locking a weapon in a gauntlet.
	RuleGauntlet = cite.EquipmentLockedGauntlet
)

// LoadFlask is how a flask of oil is loaded: it becomes a splash weapon with a
// fuse.
const LoadFlask = "oil-flask"
