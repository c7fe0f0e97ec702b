package dice_test

import (
	"context"
	"fmt"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"

	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
)

// caller is a stand-in for whatever tells principals apart.
func caller(ctx context.Context) string {
	md, _ := metadata.FromIncomingContext(ctx)
	return fmt.Sprint(md.Get("caller"))
}

func as(ctx context.Context, who string) context.Context {
	return metadata.AppendToOutgoingContext(ctx, "caller", who)
}

// TestRequestIDsOfFreeRollsAreTheCallers: a request id that somebody else guesses
// neither shows what it rolled nor takes it away.
func TestRequestIDsOfFreeRollsAreTheCallers(t *testing.T) {
	cfg := config(t, openLog(t))
	cfg.Who = caller
	n := start(t, cfg)
	ann, bob := as(t.Context(), "ann"), as(t.Context(), "bob")
	req := &dicev1.RollRequest{RequestId: "1", Expression: "20d100"}
	first := ok[*dicev1.RollResponse](t)(n.Roll(ann, req))
	if got := ok[*dicev1.RollResponse](t)(n.Roll(bob, req)); proto.Equal(got, first) {
		t.Error("bob reads ann's roll by its request id")
	}
	ok[*dicev1.RollResponse](t)(n.Roll(bob, &dicev1.RollRequest{RequestId: "2", Expression: "1d6"}))
	ok[*dicev1.RollResponse](t)(n.Roll(ann, &dicev1.RollRequest{RequestId: "2", Expression: "1d8"}))
	if again := ok[*dicev1.RollResponse](t)(n.Roll(ann, req)); !proto.Equal(again, first) {
		t.Error("ann's own request rolled twice")
	}
}

// TestWorkOfOnePrincipal: who has used up its work is refused, on every call that
// reads expressions, and nobody else is.
func TestWorkOfOnePrincipal(t *testing.T) {
	cfg := config(t, openLog(t))
	cfg.Work, cfg.Who = 1_000_000, caller
	n := start(t, cfg)
	ann, bob := as(t.Context(), "ann"), as(t.Context(), "bob")
	var err error
	for i := range 100 {
		if _, err = n.Odds(ann, &dicev1.OddsRequest{Expression: fmt.Sprintf("10d10!kh3+%d", i)}); err != nil {
			break
		}
	}
	used := refused(t, err, codes.ResourceExhausted, "LIMIT")
	if used.Meta["limit"] != "dice.work" {
		t.Errorf("refused by %v", used.Meta)
	}
	calls := map[string]func(context.Context) error{
		"odds": func(ctx context.Context) error {
			_, err := n.Odds(ctx, &dicev1.OddsRequest{Expression: "1000d6"})
			for i := 0; err == nil; i++ {
				_, err = n.Odds(ctx, &dicev1.OddsRequest{Expression: fmt.Sprintf("1000d6+%d", i)})
			}
			return err
		},
		"roll": func(ctx context.Context) error {
			_, err := n.Roll(ctx, &dicev1.RollRequest{Expression: "2000d6"})
			for err == nil { // what a refill lets through is used up soon
				_, err = n.Roll(ctx, &dicev1.RollRequest{Expression: "2000d1000"})
			}
			return err
		},
		"verify": func(ctx context.Context) error {
			rolls := []*dicev1.RecordedRoll{{Expression: "20000d6", Faces: make([]int32, 20_000)}}
			req := &dicev1.VerifyRequest{Seed: make([]byte, 32), Commitment: make([]byte, 32), Rolls: rolls}
			_, err := n.Verify(ctx, req)
			for err == nil {
				_, err = n.Verify(ctx, req)
			}
			return err
		},
	}
	if _, err := n.Odds(bob, &dicev1.OddsRequest{Expression: "1000d6"}); err != nil {
		t.Errorf("another principal: %v", err)
	}
	for name, call := range calls {
		if f := refused(t, call(ann), codes.ResourceExhausted, "LIMIT"); f.Meta["limit"] != "dice.work" {
			t.Errorf("%s: refused by %v", name, f.Meta)
		}
	}
}
