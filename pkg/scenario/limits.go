package scenario

import "github.com/skaldrpg/skald/pkg/limits"

// Limits on scenario files; beyond them a file is refused.
const (
	// MaxBytes is the largest scenario file: 4 MiB.
	MaxBytes = limits.ScenarioBytes
	// MaxNodes is the largest number of YAML nodes in a document, an alias
	// counted as often as it is used.
	MaxNodes = 200_000
	// MaxDepth is the deepest nesting of a document.
	MaxDepth = 48
	// maxProblems keeps the answer to a hopeless file readable.
	maxProblems = 25
)
