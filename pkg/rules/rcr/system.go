package rcr

import (
	content "github.com/skaldrpg/skald/pkg/content/rcr"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/rest"
)

// System is the rule system. It holds nothing: all state is in the encounter.
type System struct{}

var _ rules.System = System{}

// Info names the system.
func (System) Info() rules.Info {
	return rules.Info{ID: body.ID, Title: "Revised Combat Rules (5e)", Version: body.Version, Content: content.Digest()}
}

// Medicine is the system's part in harm and healing.
func (System) Medicine() rules.Medicine { return rest.Medicine{} }
