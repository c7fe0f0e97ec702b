package ward

import (
	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// Limits of requests.
const (
	maxPatients = limits.DeedPatients // that one deed touches
	pageSize    = limits.PageDefault  // patients looked at together
)

// requestDigest tells a retry from a reused request id. Who asks is the role and
// the name: the token may have been replaced since.
func requestDigest(req *injuryv1.TendRequest) ([]byte, error) {
	return aggregate.RequestDigest(&injuryv1.TendRequest{RequestId: req.RequestId, Table: req.Table, System: req.System, Settings: req.Settings, Packs: req.Packs,
		Command: req.Command, As: &eventv1.Principal{Role: req.As.GetRole(), Name: req.As.GetName()}})
}

// unknownPatient is what a patient that does not exist answers, and one that
// the caller may not see (W4).
func unknownPatient(id string) error {
	return fault.New(fault.NotFound, "UNKNOWN_PATIENT", "there is no patient %q", id)
}

// gameMaster reads what nobody is to be shown.
var gameMaster = aggregate.Viewer(aggregate.ViewerGM)

func isGM(p *eventv1.Principal) bool { return p.GetRole() == eventv1.Principal_ROLE_GM }
