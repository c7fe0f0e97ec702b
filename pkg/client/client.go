package client

import (
	"context"
	"crypto/rand"
	"fmt"
	mathrand "math/rand/v2"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rpc"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// How long is waited between tries: the first time, and at the most.
const (
	firstWait = 250 * time.Millisecond
	mostWait  = 10 * time.Second
)

// TLSFiles name PEM files. To a server whose certificate the machine's own authorities
// signed, Enabled alone will do.
type TLSFiles = rpc.TLSFiles

// Options say how a server is reached; none are needed for one of this machine.
type Options struct {
	// TLS files; empty speaks in the clear.
	TLS TLSFiles
	// Token gives the bearer token of a call. It is asked before each, so it should
	// keep the token as long as it is good. Nil sends none.
	Token func(context.Context) (string, error)
	// Dial are further options of gRPC.
	Dial []grpc.DialOption
}

// Dial makes a connection to "host:port". It connects with the first call. The caller
// closes it.
func Dial(target string, o Options) (*grpc.ClientConn, error) {
	opts := o.Dial
	if o.Token != nil {
		opts = append(opts, grpc.WithPerRPCCredentials(bearer{o.Token}))
	}
	conn, err := rpc.Dial(target, o.TLS, opts...)
	if err != nil {
		return nil, fmt.Errorf("client: %w", err)
	}
	return conn, nil
}

// bearer puts a token on every call. A server without TLS is one of this machine, or
// behind a proxy that has it.
type bearer struct {
	token func(context.Context) (string, error)
}

// GetRequestMetadata implements credentials.PerRPCCredentials.
func (b bearer) GetRequestMetadata(ctx context.Context, _ ...string) (map[string]string, error) {
	token, err := b.token(ctx)
	if err != nil || token == "" {
		return nil, err
	}
	return map[string]string{"authorization": "Bearer " + token}, nil
}

// RequireTransportSecurity implements credentials.PerRPCCredentials.
func (b bearer) RequireTransportSecurity() bool { return false }

// Execute carries out a command. Where nothing answers, or the server asks for it, the
// same request is sent again with the same request id until the context ends, so that
// it is done once. A request without an id gets one; the request given is not changed.
// Errors hold the status and the fault (pkg/fault) that the server answered with.
func Execute(ctx context.Context, fights encounterv1.EncounterServiceClient, req *encounterv1.ExecuteRequest) (*encounterv1.ExecuteResponse, error) {
	if req.GetRequestId() == "" {
		req = proto.CloneOf(req)
		req.RequestId = rand.Text()
	}
	var resp *encounterv1.ExecuteResponse
	err := again(ctx, func() (err error) {
		resp, err = fights.Execute(ctx, req)
		return err
	})
	return resp, err
}

// again makes a call until it succeeds or fails for good, or the context ends; the
// error is that of the call.
func again(ctx context.Context, call func() error) error {
	for n := 0; ; n++ {
		err := call()
		if err == nil || !Again(err) || wait(ctx, n, err) != nil {
			return err
		}
	}
}

// Again tells whether the same request may be sent again as it is: nothing answered, or
// what did says so.
func Again(err error) bool {
	switch status.Code(err) {
	case codes.Unavailable:
		return true
	case codes.ResourceExhausted, codes.Aborted:
		return asked(err) > 0
	case codes.Unknown, codes.Internal, codes.Canceled, codes.DeadlineExceeded:
		return !ours(err)
	}
	return false
}

// ours tells whether Skald made an error, and not a proxy or the connection.
func ours(err error) bool {
	for _, d := range status.Convert(err).Details() {
		if info, ok := d.(*errdetails.ErrorInfo); ok && info.GetDomain() == rpc.Domain {
			return true
		}
	}
	return false
}

// asked is how long the server asks to wait; 0 when it asks for nothing.
func asked(err error) time.Duration {
	for _, d := range status.Convert(err).Details() {
		if again, ok := d.(*errdetails.RetryInfo); ok {
			return again.GetRetryDelay().AsDuration()
		}
	}
	return 0
}

// wait waits before try n, longer each time and never all clients at once; the error is
// that of the context.
func wait(ctx context.Context, n int, err error) error {
	whole := min(mostWait, firstWait<<min(n, 10))
	return pause(ctx, max(asked(err), whole/2+mathrand.N(whole/2)))
}

// pause lets time pass; the error is that of the context.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// NewState is the state before the first step.
func NewState() *eventv1.State { return event.NewState() }

// Fold is the state after a step, as docs/FOLD.md has it: the one that a ruling
// restored, or the fold of the step's events. The state given may be one that a server
// sent; it is not written to, and shares with the one returned what did not change.
func Fold(s *eventv1.State, step *encounterv1.Step) *eventv1.State {
	if step.GetRestored() != nil {
		return event.Ready(step.Restored)
	}
	s = event.Ready(s)
	event.FoldAll(s, step.GetEvents())
	return s
}
