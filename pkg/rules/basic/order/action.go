package order

import (
	"github.com/skaldrpg/skald/pkg/rules/play"
)

// TDeclaring actions are taken while everybody declares, not on a number. The bits
// above it are the declarations that leave room for an action; one without any of
// them goes with all.
const TDeclaring play.Traits = 1
