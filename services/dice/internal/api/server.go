package api

import (
	"context"
	"time"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/dice/tape"
	"github.com/skaldrpg/skald/pkg/fault"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	"github.com/skaldrpg/skald/services/dice/internal/ledger"
	"github.com/skaldrpg/skald/services/dice/internal/record"
	"github.com/skaldrpg/skald/services/dice/internal/roller"
	"github.com/skaldrpg/skald/services/dice/internal/store"
)

// Server implements dicev1.DiceServiceServer, which is for callers, and
// dicev1.TapeServiceServer, which is for the other services.
type Server struct {
	dicev1.UnimplementedDiceServiceServer
	dicev1.UnimplementedTapeServiceServer

	ledger *ledger.Ledger
	store  *store.Store
	roller *roller.Roller
	odds   *roller.Odds
	free   *freeRolls
	budget *roller.Budget
	who    func(context.Context) string
}

// Config is what a server is made of besides its records.
type Config struct {
	// Odds bounds computations of odds.
	Odds roller.OddsLimits
	// Work bounds the work of one principal.
	Work roller.BudgetLimits
	// Who tells whose work a call is.
	Who func(context.Context) string
	// Now ages the free rolls that are remembered.
	Now func() time.Time
}

// New makes a server.
func New(l *ledger.Ledger, s *store.Store, c Config) (*Server, error) {
	free, err := newFreeRolls(c.Now)
	if err != nil {
		return nil, err
	}
	return &Server{ledger: l, store: s, roller: roller.New(), odds: roller.NewOdds(c.Odds), free: free,
		budget: roller.NewBudget(c.Work, time.Now), who: c.Who}, nil
}

// spender takes work from the caller's budget.
func (s *Server) spender(ctx context.Context) func(int64) error {
	who := s.who(ctx)
	return func(work int64) error { return s.budget.Spend(who, work) }
}

// Roll implements dicev1.DiceServiceServer.
func (s *Server) Roll(ctx context.Context, req *dicev1.RollRequest) (*dicev1.RollResponse, error) {
	if len(req.GetRequestId()) > maxID {
		return nil, fault.Field("request_id", "%d bytes, at most %d", len(req.GetRequestId()), maxID)
	}
	if err := checkFaces("faces", req.GetFaces()); err != nil {
		return nil, err
	}
	e, err := s.roller.Parse("expression", req.GetExpression())
	if err != nil {
		return nil, err
	}
	if err := s.spender(ctx)(roller.WorkCall + roller.WorkFace*e.Dice()); err != nil {
		return nil, err
	}
	return s.free.roll(s.who(ctx), e, req)
}

// Odds implements dicev1.DiceServiceServer.
func (s *Server) Odds(ctx context.Context, req *dicev1.OddsRequest) (*dicev1.OddsResponse, error) {
	e, err := s.roller.Parse("expression", req.GetExpression())
	if err != nil {
		return nil, err
	}
	return s.odds.Reply(ctx, e, req, s.spender(ctx))
}

// OpenEpoch implements dicev1.TapeServiceServer.
func (s *Server) OpenEpoch(ctx context.Context, req *dicev1.OpenEpochRequest) (*dicev1.OpenEpochResponse, error) {
	key, err := checkOpen(req)
	if err != nil {
		return nil, err
	}
	commitments, err := s.ledger.OpenEpoch(ctx, key, ledger.Opening{Epoch: req.GetEpoch(), Branches: req.GetBranches(), Entropy: req.GetEntropy(),
		Format: tape.Format(req.GetFormat()), Open: req.GetOpen(), Close: req.GetClose()})
	if err != nil {
		return nil, err
	}
	return &dicev1.OpenEpochResponse{Commitments: commitments}, nil
}

// Draw implements dicev1.TapeServiceServer.
func (s *Server) Draw(ctx context.Context, req *dicev1.DrawRequest) (*dicev1.DrawResponse, error) {
	key, err := checkDraw(req)
	if err != nil {
		return nil, err
	}
	e, err := s.roller.Parse("expression", req.GetExpression())
	if err != nil {
		return nil, err
	}
	// People's dice alone, or no die at all: no key is touched, and that a branch was
	// opened does not matter.
	rolled, err := roller.Roll(e, "supplied", req.GetSupplied(), nil)
	if err == nil {
		return response(rolled), nil
	}
	if !req.GetTapeAllowed() {
		return nil, err
	}
	draw, err := s.ledger.Begin(ctx, key, record.TapeID{Epoch: req.GetEpoch(), Action: req.GetAction(),
		Branch: req.GetBranch(), Purpose: req.GetPurpose()})
	if err != nil {
		return nil, err
	}
	defer draw.Release()
	if rolled, err = s.roll(e, draw, req); err != nil {
		return nil, err
	}
	if err := draw.Record(ctx); err != nil { // people's dice alone were not enough
		return nil, err
	}
	return response(rolled), nil
}

func (s *Server) roll(e *dice.Expr, draw *ledger.Draw, req *dicev1.DrawRequest) (roller.Rolled, error) {
	purpose := tape.Real // a dry run shows the real faces
	if req.GetPurpose() == dicev1.Purpose_PURPOSE_PREVIEW {
		purpose = tape.Preview
	}
	t, err := tape.Open(draw.Key(), purpose, tape.Address{Encounter: req.GetEncounter(), Epoch: req.GetEpoch(),
		Action: req.GetAction(), Label: req.GetLabel(), Index: req.GetIndex()})
	if err != nil {
		return roller.Rolled{}, fault.Wrap(fault.Internal, "TAPE", err, "opening a tape")
	}
	return roller.Roll(e, "supplied", req.GetSupplied(), t)
}

func response(r roller.Rolled) *dicev1.DrawResponse {
	return &dicev1.DrawResponse{Result: r.Result, SuppliedUsed: uint32(r.Supplied)}
}

// Reveal implements dicev1.TapeServiceServer.
func (s *Server) Reveal(ctx context.Context, req *dicev1.RevealRequest) (*dicev1.RevealResponse, error) {
	key, err := checkPlace(req.GetTable(), req.GetEncounter(), req.GetEpoch())
	if err != nil {
		return nil, err
	}
	if err := checkSeed("branch", req.GetBranch()); err != nil {
		return nil, err
	}
	if req.GetAction() > 0 {
		return s.revealLeaf(ctx, key, req)
	}
	seed, err := s.ledger.Reveal(ctx, key, req.GetEpoch(), req.GetBranch())
	if err != nil {
		return nil, err
	}
	format, _, err := s.ledger.Format(ctx, key, req.GetEpoch())
	if err != nil {
		return nil, err
	}
	c := tape.CommitmentOf(format, tape.Audience(req.GetBranch()), seed)
	return &dicev1.RevealResponse{Seed: seed[:], Commitment: c[:]}, nil
}

// revealLeaf opens the dice of one action.
func (s *Server) revealLeaf(ctx context.Context, key aggregate.Name, req *dicev1.RevealRequest) (*dicev1.RevealResponse, error) {
	leaf, path, hash, err := s.ledger.RevealLeaf(ctx, key, req.GetEpoch(), req.GetBranch(), req.GetAction())
	if err != nil {
		return nil, err
	}
	out := &dicev1.RevealResponse{Leaf: leaf[:], SeedHash: hash[:]}
	for _, d := range path {
		out.Path = append(out.Path, d[:])
	}
	return out, nil
}

// ListTapes implements dicev1.TapeServiceServer.
func (s *Server) ListTapes(ctx context.Context, req *dicev1.ListTapesRequest) (*dicev1.ListTapesResponse, error) {
	key, err := checkPlace(req.GetTable(), req.GetEncounter(), 1)
	if err != nil {
		return nil, err
	}
	seq, err := s.ledger.Settled(ctx, key)
	if err != nil {
		return nil, err
	}
	if err := s.store.WaitFor(ctx, seq); err != nil {
		return nil, err
	}
	tapes, more, err := s.store.Tapes(key, uint64(req.GetOffset()), aggregate.Page(req.GetLimit()))
	if err != nil {
		return nil, fault.Wrap(fault.Internal, "STORE", err, "reading the projection")
	}
	return &dicev1.ListTapesResponse{Tapes: tapes, More: more}, nil
}
