package spark

import (
	"os"

	"github.com/skaldrpg/skald/pkg/internal/decided"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
)

// What the tables of the tests decide is compared with what they decided (CONTRIBUTING.md).
func init() { rulestest.Digested(decided.Of(os.Getenv)) }
