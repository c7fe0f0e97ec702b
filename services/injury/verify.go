package injury

import "github.com/skaldrpg/skald/services/injury/internal/verify"

// Verification is what deciding the records of patients again came to.
type Verification = verify.Report

// Misfit is one place in which a patient's record does not hold: patient, version,
// part and field.
type Misfit = verify.Problem

// OtherRules decided Commits that this build cannot decide again.
type OtherRules = verify.Other

// VerifierConfig says by what records are decided.
type VerifierConfig = verify.Config

// Rule works out what a ruling of fights makes of records.
type Rule = verify.Rule

// Stored is a Commit as it is recorded.
type Stored = verify.Stored

// Verifier decides the records of patients again, without a server: whoever has them
// hands them over in the order in which they were stored, and closes it at the end.
type Verifier = verify.Run

// NewVerifier makes a verification of nothing yet. Errors are of the file system.
func NewVerifier(cfg VerifierConfig) (*Verifier, error) { return verify.Begin(cfg) }
