package body

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
)

// Fallback is the rule id cited where the variant says nothing of its own: the fifth
// edition applies.
const Fallback = cite.BaseFifthEditionFallback
