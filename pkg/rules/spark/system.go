package spark

import (
	content "github.com/skaldrpg/skald/pkg/content/spark"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
)

// System is the rule system. It holds nothing: all state is in the encounter.
type System struct{}

var (
	_ rules.System = System{}
	_ rules.Worded = System{}
)

// Info names the system.
func (System) Info() rules.Info {
	return rules.Info{ID: body.ID, Title: "Spark (two-half rounds)", Version: body.Version, Content: content.Digest()}
}

// Medicine is the system's part in harm and healing.
func (System) Medicine() rules.Medicine { return Medicine{} }
