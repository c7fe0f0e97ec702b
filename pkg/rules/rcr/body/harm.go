package body

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
)

const Fallback = cite.BaseFifthEditionFallback
