package dice_test

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/grpc"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"

	"github.com/skaldrpg/skald/pkg/rpc"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
)

// echo is the baseline: the same server and channel, answering what it is asked.
type echo struct {
	dicev1.UnimplementedTapeServiceServer
	reply *dicev1.DrawResponse
}

func (e *echo) Draw(context.Context, *dicev1.DrawRequest) (*dicev1.DrawResponse, error) {
	return e.reply, nil
}

func serveEcho(b *testing.B, reply *dicev1.DrawResponse) dicev1.TapeServiceClient {
	b.Helper()
	server := rpc.NewServer(rpc.Options{Logger: quiet})
	dicev1.RegisterTapeServiceServer(server, &echo{reply: reply})
	return dicev1.NewTapeServiceClient(dial(b, server))
}

func dial(b *testing.B, server *rpc.Server) grpc.ClientConnInterface {
	b.Helper()
	pipe := rpc.NewInProcess()
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- rpc.Serve(ctx, server, pipe.Listener()) }()
	conn, err := pipe.Dial()
	if err != nil {
		b.Fatal(err)
	}
	if _, err := healthv1.NewHealthClient(conn).Check(b.Context(), &healthv1.HealthCheckRequest{}); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		conn.Close()
		cancel()
		if err := <-served; err != nil {
			b.Error(err)
		}
	})
	return conn
}

// BenchmarkDraw compares a draw with an echo of the same messages, both over the
// in-process channel. "opened" opens the tape of a new action each time, "again"
// draws where one is open, "preview" waits for the disk each time.
func BenchmarkDraw(b *testing.B) {
	n := newNode(b)
	n.open(b, 1, nil, everyone)
	reply, err := n.Draw(b.Context(), ask(1<<40, "attack/1/to-hit", "2d20kh1+5"))
	if err != nil {
		b.Fatal(err)
	}
	next := uint64(0)
	for _, bm := range []struct {
		name   string
		client dicev1.TapeServiceClient
		change func(*dicev1.DrawRequest)
	}{
		{"echo", serveEcho(b, reply), func(*dicev1.DrawRequest) {}},
		{"again", n, func(r *dicev1.DrawRequest) { r.Action = 1 << 40 }},
		{"opened", n, func(*dicev1.DrawRequest) {}},
		{"preview", n, func(r *dicev1.DrawRequest) { r.Purpose = forPreview }},
	} {
		b.Run(bm.name, func(b *testing.B) {
			for b.Loop() {
				next++
				if _, err := bm.client.Draw(b.Context(), with(ask(next, "attack/1/to-hit", "2d20kh1+5"), bm.change)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkNotation tells how many dice a second come through the service, by
// what is asked for.
func BenchmarkNotation(b *testing.B) {
	n := newNode(b)
	n.open(b, 1, nil, everyone)
	for _, expression := range []string{"1d20", "2d20kh1+5", "4d6kh3", "8d6", "10d10!>=8cs>=7", "40d6", "1711d6"} {
		b.Run(strings.ReplaceAll(expression, "/", "_"), func(b *testing.B) {
			dice, at := 0, 0
			for b.Loop() {
				at++
				reply, err := n.Draw(b.Context(), ask(1, "bench/"+strconv.Itoa(at), expression))
				if err != nil {
					b.Fatal(err)
				}
				dice += len(reply.GetResult().GetFaces())
			}
			b.ReportMetric(float64(dice)/b.Elapsed().Seconds(), "dice/s")
		})
	}
}
