package api

import (
	"context"
	"errors"
	"fmt"

	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/dice/tape"
	"github.com/skaldrpg/skald/pkg/fault"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	"github.com/skaldrpg/skald/services/dice/internal/ledger"
	"github.com/skaldrpg/skald/services/dice/internal/roller"
)

// maxDifferences is how many differences are put into words.
const maxDifferences = 200

// verifyAtOnce is how many rolls are verified between two looks at the context.
const verifyAtOnce = 100

// Verify implements dicev1.DiceServiceServer. It uses nothing that the service
// holds: anybody can do the same with pkg/dice/tape.
func (s *Server) Verify(ctx context.Context, req *dicev1.VerifyRequest) (*dicev1.VerifyResponse, error) {
	v, err := checkVerify(req)
	if err != nil {
		return nil, err
	}
	out, spend := &dicev1.VerifyResponse{}, s.spender(ctx)
	if v.format != tape.FormatBranch {
		if err := spend(workTree); err != nil {
			return nil, err
		}
	}
	for from := 0; from == 0 || from < len(req.GetRolls()); from += verifyAtOnce {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rolls := req.GetRolls()[from:min(from+verifyAtOnce, len(req.GetRolls()))]
		work := int64(roller.WorkCall)
		for _, r := range rolls {
			work += roller.WorkCall + roller.WorkFace*int64(len(r.GetFaces()))
		}
		if err := spend(work); err != nil {
			return nil, err
		}
		if from == 0 && tape.CommitmentOf(v.format, tape.Audience(req.GetBranch()), v.seed) != v.commitment {
			return out, nil
		}
		if err := v.verify(s, rolls, out); err != nil {
			return nil, err
		}
	}
	out.CommitmentMatches = true
	return out, nil
}

// workTree is the work of finding the commitment to a branch whose actions have
// leaves.
const workTree = 20 * roller.WorkCall

// verification is what all rolls of a request share.
type verification struct {
	format     tape.Format
	req        *dicev1.VerifyRequest
	seed       tape.Seed
	commitment tape.Digest
	entropy    []tape.Contribution
}

func checkVerify(req *dicev1.VerifyRequest) (*verification, error) {
	v := &verification{req: req, format: tape.Format(req.GetFormat()), entropy: ledger.Contributions(req.GetEntropy())}
	if v.format != tape.FormatBranch && v.format != tape.FormatLeaf {
		return nil, fault.Field("format", "must be %d or %d", tape.FormatBranch, tape.FormatLeaf)
	}
	if n := len(req.GetSeed()); n != len(v.seed) {
		return nil, fault.Field("seed", "%d bytes, must be %d", n, len(v.seed))
	}
	if n := len(req.GetCommitment()); n != len(v.commitment) {
		return nil, fault.Field("commitment", "%d bytes, must be %d", n, len(v.commitment))
	}
	if n := len(req.GetRolls()); n > maxRolls {
		return nil, fault.Limit("rolls", maxRolls, int64(n))
	}
	copy(v.seed[:], req.GetSeed())
	copy(v.commitment[:], req.GetCommitment())
	return v, nil
}

// verify adds some rolls to the verdict.
func (v *verification) verify(s *Server, rolls []*dicev1.RecordedRoll, out *dicev1.VerifyResponse) error {
	var records []tape.Recorded
	var of []*dicev1.RecordedRoll
	for _, r := range rolls {
		rec, err := v.recorded(s, r)
		if err != nil {
			differ(out, r, err.Error())
			continue
		}
		records, of = append(records, rec), append(of, r)
	}
	report, err := tape.VerifyRolls(v.format, v.seed, v.entropy, records)
	if errors.Is(err, tape.ErrContributor) {
		return fault.Field("entropy", "%v", err)
	}
	if err != nil {
		return err
	}
	wrong := map[int]bool{}
	for _, d := range report.Differences {
		wrong[d.Record] = true
		differ(out, of[d.Record], fmt.Sprintf("face %d of a d%d is recorded as %d and follows as %d", d.Face+1, d.Sides, d.Recorded, d.Derived))
	}
	for _, f := range report.Faults {
		wrong[f.Record] = true
		differ(out, of[f.Record], f.Err.Error())
	}
	out.Verified += uint32(len(records) - len(wrong))
	return nil
}

// recorded finds out which dice the recorded faces are of.
func (v *verification) recorded(s *Server, r *dicev1.RecordedRoll) (tape.Recorded, error) {
	if len(r.GetFaces()) > maxFaces {
		return tape.Recorded{}, fault.Limit("faces", int64(maxFaces), int64(len(r.GetFaces())))
	}
	e, err := s.roller.Parse("expression", r.GetExpression())
	if err != nil {
		return tape.Recorded{}, err
	}
	faces := make([]int, len(r.GetFaces()))
	for i, f := range r.GetFaces() {
		faces[i] = int(f)
	}
	list := dice.List(faces...)
	res, err := e.Eval(list, dice.Limits{})
	if err != nil {
		return tape.Recorded{}, err
	}
	if list.Left() > 0 {
		return tape.Recorded{}, fmt.Errorf("%d of the recorded faces are not drawn by %s", list.Left(), e)
	}
	return tape.Recorded{Purpose: tape.Real, Supplied: int(r.GetSupplied()), Expr: r.GetExpression(), Faces: res.Faces,
		Address: tape.Address{Encounter: v.req.GetEncounter(), Epoch: v.req.GetEpoch(), Action: r.GetAction(),
			Label: r.GetLabel(), Index: r.GetIndex()}}, nil
}

func differ(out *dicev1.VerifyResponse, r *dicev1.RecordedRoll, what string) {
	if len(out.Differences) >= maxDifferences {
		return
	}
	text := fmt.Sprintf("action %d, %s #%d: %s", r.GetAction(), r.GetLabel(), r.GetIndex(), what)
	if len(out.Differences) == maxDifferences-1 {
		text = "and more differences"
	}
	out.Differences = append(out.Differences, text)
}
