package basic

import (
	content "github.com/skaldrpg/skald/pkg/content/basic"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/mending"
)

// System is the rule system. It holds nothing: all state is in the encounter.
type System struct{}

var (
	_ rules.System = System{}
	_ rules.Worded = System{}
)

// Info names the system.
func (System) Info() rules.Info {
	return rules.Info{ID: body.ID, Title: "Basic combat with d6 initiative", Version: body.Version, Content: content.Digest()}
}

// Medicine is the system's part in harm and healing.
func (System) Medicine() rules.Medicine { return mending.Medicine{} }
