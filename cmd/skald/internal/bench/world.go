package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/pkg/auth"
	"github.com/skaldrpg/skald/pkg/benchfloor"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/rules"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

var (
	gm        = &eventv1.Principal{Role: eventv1.Principal_ROLE_GM, Name: "gm"}
	ann       = &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "ann"}
	spectator = &eventv1.Principal{Role: eventv1.Principal_ROLE_SPECTATOR}
)

// hit is the command that most figures measure.
var hit = &eventv1.Command{What: &eventv1.Command_Take{Take: &eventv1.TakeAction{Creature: "a", Action: "attack", Targets: []string{"b"}}}}

// last takes back the last command, or what took it back.
var last = &eventv1.Command{What: &eventv1.Command_Revert{Revert: &eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Last{Last: true}}}}

// quiet is the log of services whose every answer is looked at.
func quiet() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

// hall is a server in this process and the connections to it.
type hall struct {
	pipe   *rpc.InProcess
	conns  []*grpc.ClientConn
	stop   context.CancelFunc
	served chan error
}

// connections are how many clients share.
const connections = 10

// sharing is how many watches share a connection, as those of a program would.
const sharing = 100

func openHall(register func(grpc.ServiceRegistrar)) (*hall, error) {
	guard, pipe := &auth.Guard{}, rpc.NewInProcess() // who is in this process may be anyone
	server := rpc.NewServer(rpc.Options{Logger: quiet(), Unary: []grpc.UnaryServerInterceptor{guard.Unary}, Stream: []grpc.StreamServerInterceptor{guard.Stream}})
	register(server)
	ctx, stop := context.WithCancel(context.Background())
	h := &hall{pipe: pipe, stop: stop, served: make(chan error, 1)}
	go func() { h.served <- rpc.Serve(ctx, server, pipe.Listener()) }() // ends with stop
	for range connections {
		conn, err := pipe.Dial()
		if err != nil {
			return nil, errors.Join(err, h.close())
		}
		h.conns = append(h.conns, conn)
	}
	return h, nil
}

// shared is the connection of the watcher of a number; connections are opened as
// watchers come, one after the other.
func (h *hall) shared(i int) (grpc.ClientConnInterface, error) {
	for len(h.conns) <= i/sharing {
		conn, err := h.pipe.Dial()
		if err != nil {
			return nil, err
		}
		h.conns = append(h.conns, conn)
	}
	return h.conns[i/sharing], nil
}

// client is one of the clients of the encounter service, or of its floor.
func (h *hall) client(i int) encounterv1.EncounterServiceClient {
	return encounterv1.NewEncounterServiceClient(h.conns[i%connections])
}

func (h *hall) close() error {
	var errs []error
	for _, c := range h.conns {
		errs = append(errs, c.Close())
	}
	h.stop()
	return errors.Join(append(errs, <-h.served)...)
}

// world is the suite that is measured.
type world struct {
	dir   string
	stack *allinone.Stack
	hall  *hall
	n     atomic.Int64 // requests and floors, which have names of their own
	long  uint64       // commands in the long fight; 0 before it is played

	progress func(text string)
}

// start starts the suite, or starts it again.
func (w *world) start(ctx context.Context) error {
	systems, err := rules.NewRegistry(drill{})
	if err != nil {
		return err
	}
	if w.stack, err = allinone.Start(ctx, allinone.Config{DataDir: w.dir, Systems: systems, Logger: quiet(), Reading: w.reading, ReadEvery: tellEvery}); err != nil {
		return err
	}
	w.hall, err = openHall(w.stack.Register)
	return err
}

// reading tells how far a start that takes long has read the log.
func (w *world) reading(service string, read, of uint64) {
	w.progress(fmt.Sprintf("%s has read %s of %s records", service, grouped(int(read)), grouped(int(of)))) //nolint:gosec // not so many
}

// stop ends the suite; what it wrote stays.
func (w *world) stop() error {
	var errs []error
	if w.stack != nil {
		w.stack.StopWatches()
	}
	if w.hall != nil {
		errs = append(errs, w.hall.close())
	}
	if w.stack != nil {
		errs = append(errs, w.stack.Close())
	}
	w.hall, w.stack = nil, nil
	return errors.Join(errs...)
}

// forget removes the projections of a suite that is stopped.
func (w *world) forget() error { return os.RemoveAll(filepath.Join(w.dir, "projections")) }

func (w *world) name(of string) string { return fmt.Sprint(of, "-", w.n.Add(1)) }

// do sends a command to a fight for the game master.
func (w *world) do(ctx context.Context, client encounterv1.EncounterServiceClient, fight string, cmd *eventv1.Command) error {
	_, err := client.Execute(ctx, &encounterv1.ExecuteRequest{RequestId: w.name("r"), As: gm, Encounter: fight, Command: cmd})
	return err
}

// command is an operation of one client: a command to a fight.
func (w *world) command(client encounterv1.EncounterServiceClient, fight string, cmd *eventv1.Command) operation {
	return func(ctx context.Context) error { return w.do(ctx, client, fight, cmd) }
}

// commandsOfFight are those by which fight begins one.
const commandsOfFight = 5

// fight begins one between a (ann's) and b, with an attack.
func (w *world) fight(ctx context.Context, id string) error {
	cmds := []*eventv1.Command{{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{System: "drill", Title: "A drill"}}}}
	for _, c := range []string{"a", "b"} {
		cmds = append(cmds, &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{
			Sheet: &eventv1.Sheet{Id: c, Name: c, Side: c, HitPoints: toughness, Controllers: map[string][]string{"a": {ann.Name}}[c]}}}})
	}
	for _, cmd := range append(cmds, &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}}, hit) {
		if err := w.do(ctx, w.hall.client(0), id, cmd); err != nil {
			return fmt.Errorf("setting up %s: %w", id, err)
		}
	}
	return nil
}

// longFight is the fight of so many attacks; it is played once.
const longFight = "long"

func (w *world) play(ctx context.Context, attacks int) error {
	if w.long > 0 {
		return nil
	}
	if err := w.fight(ctx, longFight); err != nil {
		return err
	}
	if err := w.attackAtOnce(ctx, longFight, attacks); err != nil {
		return err
	}
	w.long = uint64(attacks) //nolint:gosec // checked by Config
	return w.settle(ctx)
}

// atOnce is how many clients set something up.
const atOnce = 16

// attackAtOnce adds attacks to a fight.
func (w *world) attackAtOnce(ctx context.Context, fight string, attacks int) error {
	return (&sample{}).among(ctx, atOnce, attacks, func(i int) operation { return w.command(w.hall.client(i), fight, hit) })
}

// commit is the last record of a fight, as it is stored.
func (w *world) commit(ctx context.Context, fight string) ([]byte, error) {
	rec, ok, err := w.stack.Log().Last(ctx, "skald.0.main.encounter."+fight)
	if err == nil && !ok {
		err = fmt.Errorf("%s has no record", fight)
	}
	return rec.Data, err
}

// echo is a floor that publishes as many bytes as the last command of a fight did.
func (w *world) echo(ctx context.Context, fight string) (*benchfloor.Echo, error) {
	data, err := w.commit(ctx, fight)
	return &benchfloor.Echo{Log: w.stack.Log(), Subject: "skald.0.main.floor." + w.name("x"), Data: data}, err
}

// settleEvery is how often settle looks.
const settleEvery = 100 * time.Millisecond

// settle waits until what was done is done behind the callers' backs as well, so that
// what setting something up left to do is not counted for what comes after: dice that
// are not on the log yet, and projections that have not read the end of it. It has
// settled when that stayed as it is from one look to the next.
func (w *world) settle(ctx context.Context) error {
	before := []float64{-1}
	for {
		info, err := w.stack.Log().Info(ctx)
		if err != nil {
			return err
		}
		var unlogged float64
		now := []float64{float64(info.LastSeq)}
		for _, part := range w.stack.Board().Parts() {
			for _, f := range part.Figures {
				switch f.Name {
				case "dice_unlogged":
					unlogged += f.Value
				case "applied_sequence":
					now = append(now, f.Value)
				}
			}
		}
		if unlogged == 0 && slices.Equal(now, before) {
			return nil
		}
		before = now
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(settleEvery):
		}
	}
}

// floor is a server of a floor.
func floor(s encounterv1.EncounterServiceServer) (*hall, error) {
	return openHall(func(r grpc.ServiceRegistrar) { encounterv1.RegisterEncounterServiceServer(r, s) })
}
