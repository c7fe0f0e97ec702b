package encounter

import (
	"context"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/services/encounter/internal/engine"
	"github.com/skaldrpg/skald/services/encounter/internal/verify"
)

// Verification is what deciding a record again came to.
type Verification = verify.Report

// Misfit is one place in which a record does not hold: version, part and field.
type Misfit = verify.Problem

// OtherRules decided Commits that this build cannot decide again.
type OtherRules = verify.Other

// VerifierConfig says by what a record is decided.
type VerifierConfig = verify.Config

// Ruled is what a ruling comes to for records of patients and for other fights.
type Ruled = engine.Ruled

// RequestAlong is the request id by which a ruling is stored in a fight that it reaches.
func RequestAlong(request, encounter string) string { return engine.RequestAlong(request, encounter) }

// Verifier decides a record again that is handed over Commit by Commit, in order.
type Verifier = verify.Run

// NewVerifier makes a verification of nothing yet.
func NewVerifier(cfg VerifierConfig) *Verifier { return verify.Begin(cfg) }

// Verify decides Commits again, all of an encounter from the first on, as stored and
// nothing withheld, by the code that decides commands. It needs no server. packs are
// those that came with the record, by digest; they must be what their digests say.
// branches are the parts of long amended histories, by the branch's name. It
// fails only when ctx ends; what is wrong with the record is in the report.
func Verify(ctx context.Context, systems *rules.Registry, packs map[string][]byte, branches map[string][][]byte, commits [][]byte) (*Verification, error) {
	return verify.Commits(ctx, verify.Config{Systems: systems, Packs: packs, Branches: branches}, commits)
}
