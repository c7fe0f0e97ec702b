package dice_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"

	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
)

// Every roll is verified, however many there are, and each difference is told, up to
// 200; of more it is said that there are more.
func TestEveryRollIsVerified(t *testing.T) {
	for _, format := range []uint32{0, 2} {
		n := newNode(t)
		c := ok[*dicev1.OpenEpochResponse](t)(n.OpenEpoch(t.Context(), opening(func(r *dicev1.OpenEpochRequest) { r.Format = format }))).GetCommitments()[0].GetCommitment()
		var rolls []*dicev1.RecordedRoll
		for action := uint64(1); action <= 260; action++ {
			rolls = append(rolls, &dicev1.RecordedRoll{Action: action, Label: "a", Expression: "1d1000000", Faces: n.faces(t, ask(action, "a", "1d1000000"))})
		}
		seed := n.reveal(t, 1, everyone).GetSeed()
		verify := func(of ...*dicev1.RecordedRoll) *dicev1.VerifyResponse {
			return ok[*dicev1.VerifyResponse](t)(n.Verify(t.Context(), &dicev1.VerifyRequest{Encounter: fight, Epoch: 1, Seed: seed, Commitment: c, Format: format, Branch: everyone, Rolls: of}))
		}
		for _, k := range []int{0, 1, 99, 100, 101, 200, 201, 260} {
			v := verify(rolls[:k]...)
			if !v.GetCommitmentMatches() || int(v.GetVerified()) != k || len(v.GetDifferences()) > 0 {
				t.Errorf("format %d, %d rolls: %v", format, k, v)
			}
			if k == 0 {
				continue
			}
			// The last alone is another.
			forged := slices.Clone(rolls[:k])
			forged[k-1] = &dicev1.RecordedRoll{Action: uint64(k), Label: "a", Expression: "1d1000000", Faces: []int32{rolls[k-1].Faces[0]%1_000_000 + 1}}
			v = verify(forged...)
			if int(v.GetVerified()) != k-1 || len(v.GetDifferences()) != 1 || !strings.HasPrefix(v.GetDifferences()[0], fmt.Sprintf("action %d, a #0: face 1 ", k)) {
				t.Errorf("format %d, the last of %d is forged: %v", format, k, v)
			}
		}
		var wrong []*dicev1.RecordedRoll
		for _, r := range rolls {
			wrong = append(wrong, &dicev1.RecordedRoll{Action: r.Action, Label: "b", Expression: r.Expression, Faces: r.Faces})
		}
		for k, last := range map[int]string{199: "action 199", 201: "and more", 260: "and more"} {
			d := verify(wrong[:k]...).GetDifferences()
			if len(d) != min(k, 200) || !strings.HasPrefix(d[len(d)-1], last) || !strings.HasPrefix(d[len(d)-2], fmt.Sprintf("action %d", len(d)-1)) {
				t.Errorf("format %d: %d differences, the last %q", format, len(d), d[len(d)-1])
			}
		}
		// Another branch's or layout's commitment is not this seed's, and then nothing is verified.
		for _, change := range []func(*dicev1.VerifyRequest){
			func(r *dicev1.VerifyRequest) { r.Format = 2 - format },
			func(r *dicev1.VerifyRequest) { r.Commitment = seed },
		} {
			req := &dicev1.VerifyRequest{Encounter: fight, Epoch: 1, Seed: seed, Commitment: c, Format: format, Branch: everyone, Rolls: rolls[:3]}
			change(req)
			if v := ok[*dicev1.VerifyResponse](t)(n.Verify(t.Context(), req)); v.GetCommitmentMatches() || v.GetVerified() != 0 {
				t.Errorf("format %d, changed: %v", format, v)
			}
		}
	}
}

// A layout of keys that there is not is refused, to open with and to verify by.
func TestLayoutsOfKeys(t *testing.T) {
	n := newNode(t)
	for format := range uint32(5) {
		known := format == 0 || format == 2
		_, err := n.OpenEpoch(t.Context(), opening(func(r *dicev1.OpenEpochRequest) { r.Format, r.Epoch = format, format+1 }))
		_, verified := n.Verify(t.Context(), &dicev1.VerifyRequest{Format: format, Seed: make([]byte, 32), Commitment: make([]byte, 32)})
		for _, err := range []error{err, verified} {
			switch {
			case known && err != nil:
				t.Errorf("format %d: %v", format, err)
			case !known:
				if f := refused(t, err, codes.InvalidArgument, "INVALID_FIELD"); f.Violations[0].Field != "format" {
					t.Errorf("format %d: field %s", format, f.Violations[0].Field)
				}
			}
		}
	}
}
