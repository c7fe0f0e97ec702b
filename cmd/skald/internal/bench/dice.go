package bench

import (
	"context"
	"errors"

	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/pkg/systems"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
)

// echoDice answers every roll with the same reply.
type echoDice struct {
	dicev1.UnimplementedDiceServiceServer
	reply *dicev1.RollResponse
}

func (e *echoDice) Roll(context.Context, *dicev1.RollRequest) (*dicev1.RollResponse, error) {
	return e.reply, nil
}

// dice is a roll outside fights: the notation is parsed and evaluated, and nothing is
// stored.
func dice(ctx context.Context, r *run) (err error) {
	l, err := allinone.StartLocal(systems.Lazy(), quiet())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	for _, notation := range []string{"1d20", "4d6kh3", "100d6"} {
		if err := r.roll(ctx, dicev1.NewDiceServiceClient(l.Conn()), notation); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) roll(ctx context.Context, client dicev1.DiceServiceClient, notation string) (err error) {
	req := &dicev1.RollRequest{Expression: notation}
	reply, err := client.Roll(ctx, req)
	if err != nil {
		return err
	}
	below, err := openHall(func(s grpc.ServiceRegistrar) { dicev1.RegisterDiceServiceServer(s, &echoDice{reply: reply}) })
	if err != nil {
		return err
	}
	defer func() { err = closing(err, below) }()
	rolls := func(c dicev1.DiceServiceClient) side {
		return alone(func(ctx context.Context) error {
			_, err := c.Roll(ctx, req)
			return err
		})
	}
	f, s, err := beside(ctx, r.rounds(1), rolls(dicev1.NewDiceServiceClient(below.conns[0])), rolls(client))
	if err == nil {
		r.add(lineOf(notation, f, s))
	}
	return err
}
