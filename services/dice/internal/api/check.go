package api

import (
	"errors"
	"fmt"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/dice/tape"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/text"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
)

// Bounds of requests.
const (
	maxID     = limits.RequestIDBytes
	maxBranch = len("creature/") + limits.IDBytes
	maxLabel  = limits.LabelBytes
	// maxContributor: the kind and the number of a round stand beside a name.
	maxContributor = limits.NameBytes + 32
	maxBranches    = limits.Branches
	maxEntropy     = limits.EntropyMixed
	maxGiven       = limits.EntropyBytes
	maxRolls       = limits.VerifyRolls
)

// maxFaces is as many faces as one roll may draw.
var maxFaces = dice.DefaultLimits().Draws

func checkPlace(table, encounter string, epoch uint32) (aggregate.Name, error) {
	var bad []fault.Violation
	if err := text.ID(table); err != nil {
		bad = append(bad, fault.Violation{Field: "table", Description: err.Error()})
	}
	if err := journal.Token(encounter); err != nil { // a patient's dice have its kind before the id
		bad = append(bad, fault.Violation{Field: "encounter", Description: "must be 1 to 128 bytes without dots, stars, angles and spaces"})
	}
	if epoch == 0 {
		bad = append(bad, fault.Violation{Field: "epoch", Description: "epochs count from 1"})
	}
	return aggregate.Name{Table: table, Kind: aggregate.Dice, ID: encounter}, fault.Fields(bad)
}

func checkBranch(field, branch string) error {
	if !tape.Audience(branch).Valid() || len(branch) > maxBranch {
		return fault.Field(field, "%.40q is not everyone, gm or creature/ID", branch)
	}
	return nil
}

// checkSeed is checkBranch for what has a seed: the parent of the creatures'
// branches has one too, and draws nothing.
func checkSeed(field, branch string) error {
	if branch == string(tape.Creatures) {
		return nil
	}
	return checkBranch(field, branch)
}

func checkFaces(field string, faces []int32) error {
	if len(faces) > maxFaces {
		return fault.Limit(field, int64(maxFaces), int64(len(faces)))
	}
	return nil
}

func checkOpen(req *dicev1.OpenEpochRequest) (aggregate.Name, error) {
	key, err := checkPlace(req.GetTable(), req.GetEncounter(), req.GetEpoch())
	if err != nil {
		return key, err
	}
	if f := tape.Format(req.GetFormat()); f != tape.FormatBranch && f != tape.FormatLeaf {
		return key, fault.Field("format", "must be %d or %d", tape.FormatBranch, tape.FormatLeaf)
	}
	if n := len(req.GetBranches()); n > maxBranches {
		return key, fault.Limit("branches", maxBranches, int64(n))
	}
	for i, b := range req.GetBranches() {
		if err := checkSeed(fmt.Sprintf("branches[%d]", i), b); err != nil {
			return key, err
		}
	}
	if n := len(req.GetEntropy()); n > maxEntropy {
		return key, fault.Limit("entropy", maxEntropy, int64(n))
	}
	seen := map[string]bool{}
	for i, c := range req.GetEntropy() {
		field := fmt.Sprintf("entropy[%d]", i)
		wrong := text.Line(c.GetContributor(), maxContributor)
		if c.GetContributor() == "" {
			wrong = errors.New("missing")
		}
		switch {
		case wrong != nil:
			return key, fault.Field(field+".contributor", "%v", wrong)
		case seen[c.GetContributor()]:
			return key, fault.Field(field+".contributor", "%q contributes twice", c.GetContributor())
		case len(c.GetValue()) > maxGiven:
			return key, fault.Limit(field+".value", maxGiven, int64(len(c.GetValue())))
		}
		seen[c.GetContributor()] = true
	}
	return key, nil
}

func checkDraw(req *dicev1.DrawRequest) (aggregate.Name, error) {
	epoch := req.GetEpoch()
	if !req.GetTapeAllowed() { // an encounter of real dice alone may have no epoch
		epoch = max(epoch, 1)
	}
	key, err := checkPlace(req.GetTable(), req.GetEncounter(), epoch)
	if err != nil {
		return key, err
	}
	switch req.GetPurpose() {
	case dicev1.Purpose_PURPOSE_REAL, dicev1.Purpose_PURPOSE_PREVIEW:
	default:
		return key, fault.Field("purpose", "must be real or preview")
	}
	if n := len(req.GetLabel()); n == 0 || n > maxLabel {
		return key, fault.Field("label", "%d bytes, must be 1 to %d", n, maxLabel)
	}
	if err := checkBranch("branch", req.GetBranch()); err != nil {
		return key, err
	}
	return key, checkFaces("supplied", req.GetSupplied())
}
