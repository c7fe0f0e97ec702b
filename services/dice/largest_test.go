package dice_test

import (
	"fmt"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"

	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// What is as large as docs/OPERATIONS.md allows is taken; one more is refused, by the
// name of the field or the limit.
func TestTheLargestThatIsTaken(t *testing.T) {
	cfg := config(t, openLog(t))
	cfg.Work = 1 << 40
	n := start(t, cfg)
	n.open(t, 1, nil, everyone)
	epoch := uint32(1)
	open := func(change func(r *dicev1.OpenEpochRequest, n int)) func(int) error {
		return func(k int) error {
			epoch++
			_, err := n.OpenEpoch(t.Context(), opening(func(r *dicev1.OpenEpochRequest) { r.Epoch, r.Format = epoch, 0; change(r, k) }))
			return err
		}
	}
	draw := func(change func(r *dicev1.DrawRequest, n int)) func(int) error {
		return func(k int) error {
			_, err := n.Draw(t.Context(), with(ask(1, "a", "1d20"), func(r *dicev1.DrawRequest) { change(r, k) }))
			return err
		}
	}
	for _, c := range []struct {
		name, field string
		most        int
		call        func(int) error
		code        codes.Code
	}{
		{"request id", "request_id", 128, func(k int) error {
			_, err := n.Roll(t.Context(), &dicev1.RollRequest{Expression: "1d6", RequestId: strings.Repeat("x", k)})
			return err
		}, codes.InvalidArgument},
		{"label", "label", 256, draw(func(r *dicev1.DrawRequest, k int) { r.Label = strings.Repeat("x", k) }), codes.InvalidArgument},
		{"branches", "branches", 512, open(func(r *dicev1.OpenEpochRequest, k int) {
			r.Branches = nil
			for i := range k {
				r.Branches = append(r.Branches, fmt.Sprint("creature/", i))
			}
		}), codes.ResourceExhausted},
		{"branch", "branches[0]", len("creature/") + 64, open(func(r *dicev1.OpenEpochRequest, k int) {
			r.Branches = []string{"creature/" + strings.Repeat("x", k-len("creature/"))}
		}), codes.InvalidArgument},
		{"contributions", "entropy", 64, open(func(r *dicev1.OpenEpochRequest, k int) {
			for i := range k {
				r.Entropy = append(r.Entropy, &eventv1.Entropy{Contributor: fmt.Sprint(i)})
			}
		}), codes.ResourceExhausted},
		{"contribution", "entropy[0].value", 1024, open(func(r *dicev1.OpenEpochRequest, k int) {
			r.Entropy = []*eventv1.Entropy{{Contributor: "ann", Value: make([]byte, k)}}
		}), codes.ResourceExhausted},
		{"supplied faces", "supplied", 20_000, draw(func(r *dicev1.DrawRequest, k int) {
			r.Supplied = append([]int32{7}, make([]int32, k-1)...) // what is left over is nobody's
		}), codes.ResourceExhausted},
		{"rolls to verify", "rolls", 10_000, func(k int) error {
			rolls := make([]*dicev1.RecordedRoll, k)
			for i := range rolls {
				rolls[i] = &dicev1.RecordedRoll{Expression: "1"}
			}
			_, err := n.Verify(t.Context(), &dicev1.VerifyRequest{Seed: make([]byte, 32), Commitment: make([]byte, 32), Rolls: rolls})
			return err
		}, codes.ResourceExhausted},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := c.call(c.most); err != nil {
				t.Errorf("%d: %v", c.most, err)
			}
			reason := "LIMIT"
			if c.code == codes.InvalidArgument {
				reason = "INVALID_FIELD"
			}
			f := refused(t, c.call(c.most+1), c.code, reason)
			if c.code == codes.InvalidArgument && f.Violations[0].Field != c.field || c.code == codes.ResourceExhausted && f.Meta["limit"] != c.field {
				t.Errorf("refused for %v %v, want %s", f.Violations, f.Meta, c.field)
			}
		})
	}
	// As many faces as one roll may have are read, though the dice take fewer.
	c := n.open(t, 600, nil, everyone)
	seed := n.reveal(t, 600, everyone).GetSeed()
	for k, says := range map[int]string{20_000: "19999 of the recorded faces are not drawn by 1d6", 20_001: "20001"} {
		faces := append([]int32{6}, make([]int32, k-1)...)
		v := ok[*dicev1.VerifyResponse](t)(n.Verify(t.Context(), &dicev1.VerifyRequest{Encounter: fight, Epoch: 600, Seed: seed, Commitment: c[everyone],
			Rolls: []*dicev1.RecordedRoll{{Action: 1, Label: "a", Expression: "1d6", Faces: faces}}}))
		if len(v.GetDifferences()) != 1 || !strings.Contains(v.GetDifferences()[0], says) {
			t.Errorf("%d faces: %v", k, v.GetDifferences())
		}
	}
}
