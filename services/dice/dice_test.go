package dice_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/dice/tape"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func TestFightFromCommitmentToProof(t *testing.T) {
	n := newNode(t)
	commitments := n.open(t, 1, nil, everyone, gm, "creature/jeera")

	var rolls []*dicev1.RecordedRoll
	for action := uint64(1); action <= 5; action++ {
		for _, r := range []struct{ label, expression string }{{"attack/1/to-hit", "2d20kh1"}, {"attack/1/damage", "2d6!+3"}, {"check", "4dF"}} {
			reply := ok[*dicev1.DrawResponse](t)(n.Draw(t.Context(), ask(action, r.label, r.expression)))
			rolls = append(rolls, &dicev1.RecordedRoll{Action: action, Label: r.label, Expression: r.expression, Faces: reply.GetResult().GetFaces()})
		}
	}
	secret := n.faces(t, with(ask(1, "death-save", "1d20"), func(r *dicev1.DrawRequest) { r.Branch = gm }))

	revealed := n.reveal(t, 1, everyone)
	if !bytes.Equal(revealed.GetCommitment(), commitments[everyone]) {
		t.Fatal("the seed does not open what was published")
	}
	// The commitment is checked as docs/DICE.md tells anybody to do it.
	domain := "skald.dice.v1.commitment"
	sum := sha256.Sum256(slices.Concat(binary.BigEndian.AppendUint32(nil, uint32(len(domain))), []byte(domain), revealed.GetSeed()))
	if !bytes.Equal(sum[:], commitments[everyone]) {
		t.Error("the published commitment is not the hash of the seed")
	}
	verify := &dicev1.VerifyRequest{Encounter: fight, Epoch: 1, Seed: revealed.GetSeed(), Commitment: commitments[everyone], Rolls: rolls}
	v := ok[*dicev1.VerifyResponse](t)(n.Verify(t.Context(), verify))
	if !v.GetCommitmentMatches() || int(v.GetVerified()) != len(rolls) || len(v.GetDifferences()) != 0 {
		t.Errorf("verdict %v", v)
	}
	again := derive(t, revealed.GetSeed(), nil, tape.Real, tape.Address{Encounter: fight, Epoch: 1, Action: 1, Label: "attack/1/to-hit"}, 20, 2)
	if !slices.Equal(again, rolls[0].GetFaces()) {
		t.Errorf("faces derived offline %v, drawn %v", again, rolls[0].GetFaces())
	}

	// The public seed tells nothing of the game master's.
	if bytes.Equal(commitments[everyone], commitments[gm]) {
		t.Error("branches share a commitment")
	}
	forged := &dicev1.VerifyRequest{Encounter: fight, Epoch: 1, Seed: revealed.GetSeed(), Commitment: commitments[gm],
		Rolls: []*dicev1.RecordedRoll{{Action: 1, Label: "death-save", Expression: "1d20", Faces: secret}}}
	if v := ok[*dicev1.VerifyResponse](t)(n.Verify(t.Context(), forged)); v.GetCommitmentMatches() || v.GetVerified() != 0 {
		t.Errorf("another branch's seed proves: %v", v)
	}
}

func TestVerifySaysWhatDiffers(t *testing.T) {
	n := newNode(t)
	commitments := n.open(t, 1, nil, everyone)
	faces := n.faces(t, ask(1, "to-hit", "3d6"))
	r := n.reveal(t, 1, everyone)
	changed := slices.Clone(faces)
	changed[1] = changed[1]%6 + 1
	roll := func(expression string, faces ...int32) *dicev1.RecordedRoll {
		return &dicev1.RecordedRoll{Action: 1, Label: "to-hit", Expression: expression, Faces: faces}
	}
	v := ok[*dicev1.VerifyResponse](t)(n.Verify(t.Context(), &dicev1.VerifyRequest{Encounter: fight, Epoch: 1,
		Seed: r.GetSeed(), Commitment: commitments[everyone], Rolls: []*dicev1.RecordedRoll{
			roll("3d6", faces...), roll("3d6", changed...), roll("3d6", faces[:2]...), roll("2d6", faces...), roll("3d", faces...), roll("3d6", 9, 9, 9)}}))
	if !v.GetCommitmentMatches() || v.GetVerified() != 1 || len(v.GetDifferences()) != 5 {
		t.Errorf("verdict %v", v)
	}
	other := with(ask(1, "to-hit", "3d6"), func(r *dicev1.DrawRequest) { r.Epoch = 2 })
	n.open(t, 2, nil, everyone)
	if slices.Equal(n.faces(t, other), faces) && slices.Equal(n.faces(t, with(other, func(r *dicev1.DrawRequest) { r.Index = 1 })), faces) {
		t.Error("another epoch shows the same faces")
	}
}

func TestVerifyTakesFacesRolledByHandAsGiven(t *testing.T) {
	n := newNode(t)
	commitments := n.open(t, 1, nil, everyone)
	byHand := func(r *dicev1.DrawRequest) { r.Supplied = []int32{6} }
	faces := n.faces(t, with(ask(1, "to-hit", "3d6"), byHand))
	r := n.reveal(t, 1, everyone)
	other := slices.Clone(faces)
	other[2] = other[2]%6 + 1
	for i, c := range []struct {
		faces    []int32
		supplied uint32
		holds    bool
	}{{faces, 1, true}, {other, 1, false}, {other, 3, true}, {faces, 4, false}} {
		v := ok[*dicev1.VerifyResponse](t)(n.Verify(t.Context(), &dicev1.VerifyRequest{Encounter: fight, Epoch: 1,
			Seed: r.GetSeed(), Commitment: commitments[everyone], Rolls: []*dicev1.RecordedRoll{
				{Action: 1, Label: "to-hit", Expression: "3d6", Faces: c.faces, Supplied: c.supplied}}}))
		if holds := v.GetVerified() == 1 && len(v.GetDifferences()) == 0; holds != c.holds {
			t.Errorf("case %d: %v", i, v)
		}
	}
}

func TestEveryPartOfTheAddressCounts(t *testing.T) {
	n := newNode(t)
	n.open(t, 1, nil, everyone, gm)
	n.open(t, 2, nil, everyone)
	base := n.faces(t, ask(1, "a", "20d100"))
	if again := n.faces(t, ask(1, "a", "20d100")); !slices.Equal(again, base) {
		t.Fatalf("the same address gives %v and %v", base, again)
	}
	for name, change := range map[string]func(*dicev1.DrawRequest){
		"action":  func(r *dicev1.DrawRequest) { r.Action = 2 },
		"label":   func(r *dicev1.DrawRequest) { r.Label = "b" },
		"index":   func(r *dicev1.DrawRequest) { r.Index = 1 },
		"epoch":   func(r *dicev1.DrawRequest) { r.Epoch = 2 },
		"branch":  func(r *dicev1.DrawRequest) { r.Branch = gm },
		"preview": func(r *dicev1.DrawRequest) { r.Purpose = forPreview },
	} {
		if got := n.faces(t, with(ask(1, "a", "20d100"), change)); slices.Equal(got, base) {
			t.Errorf("another %s gives the same faces", name)
		}
	}
	// No face is seen before it is used: dry runs draw as previews do.
	_, err := n.Draw(t.Context(), with(ask(1, "a", "20d100"), func(r *dicev1.DrawRequest) { r.Purpose = dicev1.Purpose_PURPOSE_DRY_RUN }))
	refused(t, err, codes.InvalidArgument, "INVALID_FIELD")
}

func TestPreviewsDrawFromTheirOwnDomain(t *testing.T) {
	n := newNode(t)
	n.open(t, 1, nil, everyone)
	preview := n.faces(t, with(ask(1, "a", "20d100"), func(r *dicev1.DrawRequest) { r.Purpose = forPreview }))
	played := n.faces(t, ask(1, "a", "20d100"))
	seed := n.reveal(t, 1, everyone).GetSeed()
	a := tape.Address{Encounter: fight, Epoch: 1, Action: 1, Label: "a"}
	if want := derive(t, seed, nil, tape.Preview, a, 100, 20); !slices.Equal(preview, want) {
		t.Errorf("preview %v, want the preview tape %v", preview, want)
	}
	if want := derive(t, seed, nil, tape.Real, a, 100, 20); !slices.Equal(played, want) {
		t.Errorf("real %v, want the real tape %v", played, want)
	}
}

func TestSuppliedFacesComeFirstAndShiftNothing(t *testing.T) {
	n := newNode(t)
	n.open(t, 1, nil, everyone)
	draw := func(allowed bool, supplied ...int32) (*dicev1.DrawResponse, error) {
		return n.Draw(t.Context(), with(ask(1, "damage", "4d6"), func(r *dicev1.DrawRequest) { r.Supplied, r.TapeAllowed = supplied, allowed }))
	}
	tapeFaces := ok[*dicev1.DrawResponse](t)(draw(true)).GetResult().GetFaces()
	for k := range 5 {
		supplied := []int32{6, 1, 6, 1}[:k]
		want := append(slices.Clone(supplied), tapeFaces[k:]...)
		reply := ok[*dicev1.DrawResponse](t)(draw(true, supplied...))
		if got := reply.GetResult().GetFaces(); !slices.Equal(got, want) || int(reply.GetSuppliedUsed()) != k {
			t.Errorf("%d supplied: faces %v with %d supplied, want %v", k, got, reply.GetSuppliedUsed(), want)
		}
	}
	reply := ok[*dicev1.DrawResponse](t)(draw(false, 1, 2, 3, 4, 5, 6))
	if got := reply.GetResult(); got.GetTotal() != 10 || reply.GetSuppliedUsed() != 4 {
		t.Errorf("leftover faces: total %d with %d supplied, want 10 with 4", got.GetTotal(), reply.GetSuppliedUsed())
	}
	_, err := draw(false, 1, 2, 3)
	refused(t, err, codes.FailedPrecondition, "NEED_FACES")
	_, err = draw(false)
	refused(t, err, codes.FailedPrecondition, "NEED_FACES")
	for _, bad := range []int32{0, 7, -1} {
		_, err = draw(true, 3, bad)
		if f := refused(t, err, codes.InvalidArgument, "INVALID_FIELD"); f.Violations[0].Field != "supplied[1]" {
			t.Errorf("face %d: field %q", bad, f.Violations[0].Field)
		}
	}
}

func TestSuppliedFacesAloneOpenNoTape(t *testing.T) {
	n := newNode(t)
	alone := with(ask(1, "a", "1d20"), func(r *dicev1.DrawRequest) { r.Supplied, r.TapeAllowed, r.Epoch = []int32{17}, false, 0 })
	if got := n.faces(t, alone); !slices.Equal(got, []int32{17}) {
		t.Errorf("faces %v without any epoch", got)
	}
	n.open(t, 1, nil, everyone)
	n.faces(t, with(ask(1, "a", "1d20"), func(r *dicev1.DrawRequest) { r.Supplied = []int32{17} }))
	if tapes := n.tapes(t); len(tapes) != 0 {
		t.Errorf("tapes %v", tapes)
	}
}

func TestSpentBranch(t *testing.T) {
	n := newNode(t)
	n.open(t, 1, nil, everyone, gm)
	n.faces(t, ask(1, "a", "1d20"))
	first := n.reveal(t, 1, everyone)
	if again := n.reveal(t, 1, everyone); !proto.Equal(first, again) {
		t.Error("revealing again gives something else")
	}
	for _, action := range []uint64{1, 2} { // a tape that was open before as well
		_, err := n.Draw(t.Context(), ask(action, "a", "1d20"))
		refused(t, err, codes.FailedPrecondition, "BRANCH_SPENT")
	}
	n.faces(t, with(ask(2, "a", "1d20"), func(r *dicev1.DrawRequest) { r.Purpose = forPreview }))
	// What needs no face of the server's is refused nothing.
	n.faces(t, ask(2, "a", "3"))
	n.faces(t, with(ask(2, "a", "2d20kh1"), func(r *dicev1.DrawRequest) { r.Supplied = []int32{4, 17} }))
	_, err := n.Draw(t.Context(), with(ask(2, "a", "2d20kh1"), func(r *dicev1.DrawRequest) { r.Supplied = []int32{4} }))
	refused(t, err, codes.FailedPrecondition, "BRANCH_SPENT")
	n.faces(t, with(ask(2, "a", "1d20"), func(r *dicev1.DrawRequest) { r.Branch = gm }))
	n.open(t, 2, nil, everyone)
	n.faces(t, with(ask(2, "a", "1d20"), func(r *dicev1.DrawRequest) { r.Epoch = 2 }))
}

func TestEntropyIsFixedByTheFirstCall(t *testing.T) {
	n := newNode(t)
	entropy := func(pairs ...string) (out []*eventv1.Entropy) {
		for i := 0; i < len(pairs); i += 2 {
			out = append(out, &eventv1.Entropy{Contributor: pairs[i], Value: []byte(pairs[i+1])})
		}
		return out
	}
	given := entropy("ann", "seven", "bob", "eleven")
	commitments := n.open(t, 1, given, everyone)
	if again := n.open(t, 1, entropy("bob", "eleven", "ann", "seven"), everyone, "creature/late"); !bytes.Equal(again[everyone], commitments[everyone]) {
		t.Error("commitment changed")
	}
	for name, other := range map[string][]*eventv1.Entropy{
		"none": nil, "fewer": entropy("ann", "seven"), "other": entropy("ann", "eight", "bob", "eleven"), "swapped": entropy("ann", "eleven", "bob", "seven"),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := n.OpenEpoch(t.Context(), &dicev1.OpenEpochRequest{Table: table, Encounter: fight, Epoch: 1, Branches: []string{everyone}, Entropy: other})
			refused(t, err, codes.FailedPrecondition, "ENTROPY_FIXED")
		})
	}
	faces := n.faces(t, ask(1, "a", "20d100"))
	r := n.reveal(t, 1, everyone)
	a := tape.Address{Encounter: fight, Epoch: 1, Action: 1, Label: "a"}
	want := derive(t, r.GetSeed(), []tape.Contribution{{Contributor: "ann", Bytes: []byte("seven")}, {Contributor: "bob", Bytes: []byte("eleven")}}, tape.Real, a, 100, 20)
	if !slices.Equal(faces, want) {
		t.Errorf("faces %v, want %v with the players' entropy", faces, want)
	}
	req := &dicev1.VerifyRequest{Encounter: fight, Epoch: 1, Seed: r.GetSeed(), Commitment: commitments[everyone], Entropy: given,
		Rolls: []*dicev1.RecordedRoll{{Action: 1, Label: "a", Expression: "20d100", Faces: faces}}}
	if v := ok[*dicev1.VerifyResponse](t)(n.Verify(t.Context(), req)); v.GetVerified() != 1 {
		t.Errorf("verdict %v", v)
	}
	req.Entropy = nil
	if v := ok[*dicev1.VerifyResponse](t)(n.Verify(t.Context(), req)); v.GetVerified() != 0 || !v.GetCommitmentMatches() {
		t.Errorf("verdict without the entropy %v", v)
	}
}

func TestTapesAreListedInOrder(t *testing.T) {
	n := newNode(t)
	n.open(t, 1, nil, everyone, gm)
	type opened struct {
		action  uint64
		branch  string
		purpose dicev1.Purpose
	}
	var want []opened
	open := func(o opened) {
		n.faces(t, with(ask(o.action, "a", "1d20"), func(r *dicev1.DrawRequest) { r.Branch, r.Purpose = o.branch, o.purpose }))
		if !slices.Contains(want, o) {
			want = append(want, o)
		}
	}
	for action := uint64(1); action <= 4; action++ {
		open(opened{action, everyone, forPreview})
		open(opened{action, everyone, forReal})
		open(opened{action, everyone, forReal})
		open(opened{action, gm, forReal})
		open(opened{action, everyone, forPreview})
	}
	var got []opened
	var last int64
	for _, tp := range n.tapes(t) {
		got = append(got, opened{tp.GetAction(), tp.GetBranch(), tp.GetPurpose()})
		if tp.GetUnixMillis() < last || tp.GetEpoch() != 1 {
			t.Errorf("tape %v after one of %d", tp, last)
		}
		last = tp.GetUnixMillis()
	}
	if !slices.Equal(got, want) {
		t.Errorf("tapes\n%v\nwant\n%v", got, want)
	}
	page := ok[*dicev1.ListTapesResponse](t)(n.ListTapes(t.Context(), &dicev1.ListTapesRequest{Table: table, Encounter: fight, Offset: 3, Limit: 2}))
	if len(page.GetTapes()) != 2 || !page.GetMore() || page.GetTapes()[0].GetPurpose() != want[3].purpose {
		t.Errorf("page %v", page)
	}
	// Who asks for more than a page gets a page.
	all := ok[*dicev1.ListTapesResponse](t)(n.ListTapes(t.Context(), &dicev1.ListTapesRequest{Table: table, Encounter: fight, Limit: 1 << 20}))
	if len(all.GetTapes()) != len(want) || all.GetMore() {
		t.Errorf("%d tapes of %d", len(all.GetTapes()), len(want))
	}
	end := ok[*dicev1.ListTapesResponse](t)(n.ListTapes(t.Context(), &dicev1.ListTapesRequest{Table: table, Encounter: fight, Offset: uint32(len(want)) - 1}))
	if len(end.GetTapes()) != 1 || end.GetMore() {
		t.Errorf("last page %v", end)
	}
	if none := ok[*dicev1.ListTapesResponse](t)(n.ListTapes(t.Context(), &dicev1.ListTapesRequest{Table: table, Encounter: "unheard-of"})); len(none.GetTapes()) != 0 {
		t.Errorf("tapes of an encounter that never was: %v", none)
	}
}

func TestFreeRolls(t *testing.T) {
	n := newNode(t)
	roll := func(id, expression string, faces ...int32) (*dicev1.RollResponse, error) {
		return n.Roll(t.Context(), &dicev1.RollRequest{Expression: expression, RequestId: id, Faces: faces})
	}
	first := ok[*dicev1.RollResponse](t)(roll("r1", "20d100"))
	if again := ok[*dicev1.RollResponse](t)(roll("r1", " 20D100 ")); !proto.Equal(first, again) {
		t.Error("the same request id rolled twice")
	}
	if other := ok[*dicev1.RollResponse](t)(roll("r2", "20d100")); slices.Equal(other.GetResult().GetFaces(), first.GetResult().GetFaces()) {
		t.Error("another request shows the same faces")
	}
	_, err := roll("r1", "1d6")
	refused(t, err, codes.InvalidArgument, "REQUEST_ID_REUSED")
	_, err = roll("r1", "20d100", 1, 2)
	refused(t, err, codes.InvalidArgument, "REQUEST_ID_REUSED")

	supplied := ok[*dicev1.RollResponse](t)(roll("", "2d6+1", 3, 4))
	if !supplied.GetSupplied() || supplied.GetResult().GetTotal() != 8 {
		t.Errorf("supplied roll %v", supplied)
	}
	for name, faces := range map[string][]int32{"too few": {3}, "too many": {3, 4, 5}} {
		_, err := roll("", "2d6", faces...)
		if f := refused(t, err, codes.InvalidArgument, "INVALID_FIELD"); f.Violations[0].Field != "faces" {
			t.Errorf("%s: field %q", name, f.Violations[0].Field)
		}
	}
	_, err = roll("", "2d6", 3, 7)
	if f := refused(t, err, codes.InvalidArgument, "INVALID_FIELD"); f.Violations[0].Field != "faces[1]" {
		t.Errorf("field %q", f.Violations[0].Field)
	}
	if sum := ok[*dicev1.RollResponse](t)(roll("", "2+3")); sum.GetResult().GetTotal() != 5 {
		t.Errorf("2+3 is %d", sum.GetResult().GetTotal())
	}
}

func TestResultTree(t *testing.T) {
	n := newNode(t)
	// Keep the highest of 17 and 4, and 2 fire: 19.
	r := ok[*dicev1.RollResponse](t)(n.Roll(t.Context(), &dicev1.RollRequest{Expression: "2d20kh1[sword] + 2[fire]", Faces: []int32{17, 4}})).GetResult()
	if r.GetTotal() != 19 || r.GetRoot().GetKind() != "sum" || len(r.GetRoot().GetChildren()) != 2 {
		t.Fatalf("result %v", r)
	}
	d := r.GetRoot().GetChildren()[0]
	if d.GetKind() != "dice" || d.GetValue() != 17 || len(d.GetDice()) != 2 || !d.GetDice()[0].GetKept() || d.GetDice()[1].GetKept() ||
		!slices.Equal(d.GetDice()[1].GetNotes(), []string{"dropped"}) {
		t.Errorf("dice %v", d)
	}
	var labels []string
	for _, l := range r.GetLabels() {
		labels = append(labels, fmt.Sprint(l.GetLabel(), " ", l.GetValue()))
	}
	if !slices.Equal(labels, []string{"sword 17", "fire 2"}) {
		t.Errorf("labels %v", labels)
	}
}

func TestOdds(t *testing.T) {
	n := newNode(t)
	seven := int64(7)
	o := ok[*dicev1.OddsResponse](t)(n.Odds(t.Context(), &dicev1.OddsRequest{Expression: "2d6", AtLeast: &seven}))
	text := func(f *dicev1.Fraction) string { return f.GetNumerator() + "/" + f.GetDenominator() }
	// 21 of the 36 throws of two dice come to 7 or more; the mean is 7, the variance 35/6.
	if text(o.GetChance()) != "7/12" || text(o.GetMean()) != "7/1" || text(o.GetVariance()) != "35/6" || o.GetMinimum() != 2 || o.GetMaximum() != 12 {
		t.Errorf("odds %v", o)
	}
	if len(o.GetOutcomes()) != 11 || o.GetTruncated() || text(o.GetOutcomes()[5].GetChance()) != "1/6" {
		t.Errorf("outcomes %v", o.GetOutcomes())
	}
	o = ok[*dicev1.OddsResponse](t)(n.Odds(t.Context(), &dicev1.OddsRequest{Expression: "2d6", Outcomes: 3}))
	if len(o.GetOutcomes()) != 3 || !o.GetTruncated() || o.GetChance() != nil {
		t.Errorf("three outcomes: %v", o)
	}
	o = ok[*dicev1.OddsResponse](t)(n.Odds(t.Context(), &dicev1.OddsRequest{Expression: "2d6", Outcomes: -1}))
	if len(o.GetOutcomes()) != 0 || o.GetTruncated() {
		t.Errorf("no outcomes: %v", o)
	}
	// The chances of 1000d6 have hundreds of digits each; the reply still fits.
	o = ok[*dicev1.OddsResponse](t)(n.Odds(t.Context(), &dicev1.OddsRequest{Expression: "1000d6", Outcomes: 10_000}))
	if !o.GetTruncated() || proto.Size(o) > 2<<20 {
		t.Errorf("reply of %d bytes, truncated %v", proto.Size(o), o.GetTruncated())
	}
	_, err := n.Odds(t.Context(), &dicev1.OddsRequest{Expression: "2d6", Outcomes: 10_001})
	refused(t, err, codes.ResourceExhausted, "LIMIT")
	_, err = n.Odds(t.Context(), &dicev1.OddsRequest{Expression: "2d6", Outcomes: -2})
	refused(t, err, codes.InvalidArgument, "INVALID_FIELD")
}
