package body

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
)

const (
	RuleFlask    = cite.EquipmentOilFlask
	RuleGauntlet = cite.EquipmentLockedGauntlet
)

// LoadFlask is how a flask of oil is loaded: it becomes a splash weapon with a
// fuse.
const LoadFlask = "oil-flask"
