package rcr

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
)

var _ rules.Worded = System{}

// Vocabulary lists every word that commands may say by these rules. It is empty
// where the table does not hold, which Validate says.
func (System) Vocabulary() *rules.Vocabulary {
	if body.FrameError() != nil {
		return &rules.Vocabulary{}
	}
	return body.Frame().Words
}
