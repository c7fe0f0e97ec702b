package dice_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"

	"github.com/skaldrpg/skald/pkg/fault"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func TestBadInput(t *testing.T) {
	n := newNode(t)
	n.open(t, 1, nil, everyone)
	draw := func(change func(*dicev1.DrawRequest)) func(context.Context) error {
		return func(ctx context.Context) error {
			_, err := n.Draw(ctx, with(ask(1, "a", "1d20"), change))
			return err
		}
	}
	open := func(change func(*dicev1.OpenEpochRequest)) func(context.Context) error {
		return func(ctx context.Context) error {
			r := &dicev1.OpenEpochRequest{Table: table, Encounter: fight, Epoch: 7, Branches: []string{everyone}}
			change(r)
			_, err := n.OpenEpoch(ctx, r)
			return err
		}
	}
	roll := func(expression string) func(context.Context) error {
		return func(ctx context.Context) error {
			_, err := n.Roll(ctx, &dicev1.RollRequest{Expression: expression})
			return err
		}
	}
	reveal := func(epoch uint32, branch string) func(context.Context) error {
		return func(ctx context.Context) error {
			_, err := n.Reveal(ctx, &dicev1.RevealRequest{Table: table, Encounter: fight, Epoch: epoch, Branch: branch})
			return err
		}
	}
	verify := func(seed, commitment, rolls int) func(context.Context) error {
		return func(ctx context.Context) error {
			_, err := n.Verify(ctx, &dicev1.VerifyRequest{Seed: make([]byte, seed), Commitment: make([]byte, commitment), Rolls: make([]*dicev1.RecordedRoll, rolls)})
			return err
		}
	}
	many := func(k int) (out []*eventv1.Entropy) {
		for i := range k {
			out = append(out, &eventv1.Entropy{Contributor: fmt.Sprint(i)})
		}
		return out
	}
	for _, tt := range []struct {
		name   string
		call   func(context.Context) error
		code   codes.Code
		reason string
		field  string // for INVALID_ARGUMENT; the name of the limit for RESOURCE_EXHAUSTED
	}{
		{"no table", draw(func(r *dicev1.DrawRequest) { r.Table = "" }), codes.InvalidArgument, "INVALID_FIELD", "table"},
		{"dotted table", draw(func(r *dicev1.DrawRequest) { r.Table = "a.b" }), codes.InvalidArgument, "INVALID_FIELD", "table"},
		{"wildcard encounter", draw(func(r *dicev1.DrawRequest) { r.Encounter = ">" }), codes.InvalidArgument, "INVALID_FIELD", "encounter"},
		{"epoch 0", draw(func(r *dicev1.DrawRequest) { r.Epoch = 0 }), codes.InvalidArgument, "INVALID_FIELD", "epoch"},
		{"no purpose", draw(func(r *dicev1.DrawRequest) { r.Purpose = 0 }), codes.InvalidArgument, "INVALID_FIELD", "purpose"},
		{"unknown purpose", draw(func(r *dicev1.DrawRequest) { r.Purpose = 99 }), codes.InvalidArgument, "INVALID_FIELD", "purpose"},
		{"no label", draw(func(r *dicev1.DrawRequest) { r.Label = "" }), codes.InvalidArgument, "INVALID_FIELD", "label"},
		{"long label", draw(func(r *dicev1.DrawRequest) { r.Label = strings.Repeat("x", 257) }), codes.InvalidArgument, "INVALID_FIELD", "label"},
		{"no branch", draw(func(r *dicev1.DrawRequest) { r.Branch = "" }), codes.InvalidArgument, "INVALID_FIELD", "branch"},
		{"nameless creature", draw(func(r *dicev1.DrawRequest) { r.Branch = "creature/" }), codes.InvalidArgument, "INVALID_FIELD", "branch"},
		{"unknown epoch", draw(func(r *dicev1.DrawRequest) { r.Epoch = 3 }), codes.NotFound, "NO_EPOCH", ""},
		{"unknown encounter", draw(func(r *dicev1.DrawRequest) { r.Encounter = "nowhere" }), codes.NotFound, "NO_EPOCH", ""},
		{"encounter of another table", draw(func(r *dicev1.DrawRequest) { r.Table = "elsewhere" }), codes.NotFound, "NO_EPOCH", ""},
		{"no notation", draw(func(r *dicev1.DrawRequest) { r.Expression = "1d20 or so" }), codes.InvalidArgument, "SYNTAX", "expression"},
		{"too many supplied", draw(func(r *dicev1.DrawRequest) { r.Supplied = make([]int32, 20_001) }), codes.ResourceExhausted, "LIMIT", "supplied"},

		{"empty notation", roll(""), codes.InvalidArgument, "SYNTAX", "expression"},
		{"endless reroll", roll("1d6rr<=6"), codes.InvalidArgument, "ENDLESS", "expression"},
		{"division by zero", roll("1d6/0"), codes.InvalidArgument, "DIVISION_BY_ZERO", "expression"},
		{"overflow", roll("9223372036854775807+1d1"), codes.InvalidArgument, "OVERFLOW", "expression"},
		{"long notation", roll(strings.Repeat("1+", 200) + "1"), codes.ResourceExhausted, "LIMIT", "dice.length"},
		{"too many dice", roll("2001d6"), codes.ResourceExhausted, "LIMIT", "dice.dice"},
		{"too many sides", roll("1d1000001"), codes.ResourceExhausted, "LIMIT", "dice.sides"},
		{"too deep", roll(strings.Repeat("(", 40) + "1" + strings.Repeat(")", 40)), codes.ResourceExhausted, "LIMIT", "dice.depth"},

		{"open epoch 0", open(func(r *dicev1.OpenEpochRequest) { r.Epoch = 0 }), codes.InvalidArgument, "INVALID_FIELD", "epoch"},
		{"bad branch", open(func(r *dicev1.OpenEpochRequest) { r.Branches = []string{everyone, "nobody"} }), codes.InvalidArgument, "INVALID_FIELD", "branches[1]"},
		{"too many branches", open(func(r *dicev1.OpenEpochRequest) { r.Branches = make([]string, 513) }), codes.ResourceExhausted, "LIMIT", "branches"},
		{"nameless contributor", open(func(r *dicev1.OpenEpochRequest) { r.Entropy = []*eventv1.Entropy{{}} }), codes.InvalidArgument, "INVALID_FIELD", "entropy[0].contributor"},
		{"contributor twice", open(func(r *dicev1.OpenEpochRequest) { r.Entropy = append(many(1), many(1)...) }), codes.InvalidArgument, "INVALID_FIELD", "entropy[1].contributor"},
		{"too many contributors", open(func(r *dicev1.OpenEpochRequest) { r.Entropy = many(65) }), codes.ResourceExhausted, "LIMIT", "entropy"},
		{"too much entropy", open(func(r *dicev1.OpenEpochRequest) { r.Entropy = many(1); r.Entropy[0].Value = make([]byte, 1025) }), codes.ResourceExhausted, "LIMIT", "entropy[0].value"},

		{"reveal of an unknown epoch", reveal(3, everyone), codes.NotFound, "NO_EPOCH", ""},
		{"reveal of no branch", reveal(1, "nobody"), codes.InvalidArgument, "INVALID_FIELD", "branch"},
		{"short seed", verify(31, 32, 0), codes.InvalidArgument, "INVALID_FIELD", "seed"},
		{"long commitment", verify(32, 33, 0), codes.InvalidArgument, "INVALID_FIELD", "commitment"},
		{"too many rolls", verify(32, 32, 10_001), codes.ResourceExhausted, "LIMIT", "rolls"},

		{"long request id", func(ctx context.Context) error {
			_, err := n.Roll(ctx, &dicev1.RollRequest{Expression: "1", RequestId: strings.Repeat("x", 129)})
			return err
		}, codes.InvalidArgument, "INVALID_FIELD", "request_id"},
		{"tapes of a table with a dot", func(ctx context.Context) error {
			_, err := n.ListTapes(ctx, &dicev1.ListTapesRequest{Table: "a.b", Encounter: fight})
			return err
		}, codes.InvalidArgument, "INVALID_FIELD", "table"},
		{"tapes of a long table", func(ctx context.Context) error {
			_, err := n.ListTapes(ctx, &dicev1.ListTapesRequest{Table: strings.Repeat("x", 65), Encounter: fight})
			return err
		}, codes.InvalidArgument, "INVALID_FIELD", "table"},
		{"reveal of a long branch", reveal(1, "creature/"+strings.Repeat("x", 65)), codes.InvalidArgument, "INVALID_FIELD", "branch"},
		{"tapes of no table", func(ctx context.Context) error {
			_, err := n.ListTapes(ctx, &dicev1.ListTapesRequest{Encounter: fight})
			return err
		}, codes.InvalidArgument, "INVALID_FIELD", "table"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := refused(t, tt.call(t.Context()), tt.code, tt.reason)
			switch tt.code {
			case codes.InvalidArgument:
				if len(f.Violations) != 1 || f.Violations[0].Field != tt.field {
					t.Errorf("violations %v, want field %s", f.Violations, tt.field)
				}
			case codes.ResourceExhausted:
				if f.Meta["limit"] != tt.field || f.Meta["max"] == "" || f.Meta["got"] == "" {
					t.Errorf("facts %v, want limit %s", f.Meta, tt.field)
				}
			}
			if f.Code == fault.Internal {
				t.Error("input must never be an internal error")
			}
		})
	}
	// Nothing of all this was stored.
	if tapes := n.tapes(t); len(tapes) != 0 {
		t.Errorf("tapes %v", tapes)
	}
}
