package rpc

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	reflectionv1 "google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/skaldrpg/skald/pkg/fault"
)

// probe is a service of two methods that do what the test says.
type probe struct {
	unary  func(context.Context, string) (string, error)
	stream func(grpc.ServerStream) error
}

var probeDesc = grpc.ServiceDesc{
	ServiceName: "skald.test.Probe",
	HandlerType: (*any)(nil),
	Methods: []grpc.MethodDesc{{MethodName: "Do", Handler: func(srv any, ctx context.Context, dec func(any) error, ic grpc.UnaryServerInterceptor) (any, error) {
		in := new(wrapperspb.StringValue)
		if err := dec(in); err != nil {
			return nil, err
		}
		return ic(ctx, in, &grpc.UnaryServerInfo{Server: srv, FullMethod: "/skald.test.Probe/Do"}, func(ctx context.Context, req any) (any, error) {
			s, err := srv.(*probe).unary(ctx, req.(*wrapperspb.StringValue).GetValue())
			return wrapperspb.String(s), err
		})
	}}},
	Streams: []grpc.StreamDesc{{StreamName: "Flow", ServerStreams: true, Handler: func(srv any, ss grpc.ServerStream) error {
		return srv.(*probe).stream(ss)
	}}},
}

func do(ctx context.Context, cc *grpc.ClientConn, in string) (string, error) {
	out := new(wrapperspb.StringValue)
	err := cc.Invoke(ctx, "/skald.test.Probe/Do", wrapperspb.String(in), out)
	return out.GetValue(), err
}

func flow(ctx context.Context, cc *grpc.ClientConn) (grpc.ClientStream, error) {
	s, err := cc.NewStream(ctx, &probeDesc.Streams[0], "/skald.test.Probe/Flow")
	if err != nil {
		return nil, err
	}
	return s, s.CloseSend()
}

// start serves p in process; the returned stop ends the server and gives Serve's error.
func start(t *testing.T, p *probe, o Options, dial ...grpc.DialOption) (cc *grpc.ClientConn, stop func() error) {
	t.Helper()
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	s := NewServer(o)
	s.RegisterService(&probeDesc, p)
	pipe := NewInProcess()
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- Serve(ctx, s, pipe.Listener()) }()
	cc, err := pipe.Dial(dial...)
	if err != nil {
		t.Fatal(err)
	}
	stop = sync.OnceValue(func() error { cancel(); return <-served })
	t.Cleanup(func() {
		cc.Close()
		if err := stop(); err != nil {
			t.Errorf("serve: %v", err)
		}
	})
	return cc, stop
}

func TestFaultsCrossTheServer(t *testing.T) {
	var next error
	p := &probe{
		unary:  func(context.Context, string) (string, error) { return "", next },
		stream: func(grpc.ServerStream) error { return next },
	}
	cc, _ := start(t, p, Options{})
	for code, faults := range everyFault() {
		for _, f := range faults {
			next = f
			_, err := do(t.Context(), cc, "")
			checkBoth(t, err, code, f)
			s, err := flow(t.Context(), cc)
			if err != nil {
				t.Fatal(err)
			}
			checkBoth(t, s.RecvMsg(new(wrapperspb.StringValue)), code, f)
		}
	}
	next = nil
	s, err := flow(t.Context(), cc)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.RecvMsg(new(wrapperspb.StringValue)); err != io.EOF { //nolint:errorlint // the very value is the contract
		t.Errorf("end of stream is %v, want io.EOF", err)
	}
}

func checkBoth(t *testing.T, err error, code codes.Code, want *fault.Fault) {
	t.Helper()
	got, ok := fault.As(err)
	if !ok || got.Code != want.Code || got.Reason != want.Reason || got.Rule != want.Rule || got.Message != want.Message {
		t.Errorf("%s: fault %+v", want.Reason, got)
	}
	if status.Code(err) != code {
		t.Errorf("%s: status %s, want %s", want.Reason, status.Code(err), code)
	}
}

func TestFaultPassesThroughAnotherService(t *testing.T) {
	want, _ := fault.As(fault.Refuse("NOT_YOUR_TURN", "house.turn.order", "wait"))
	back, _ := start(t, &probe{unary: func(context.Context, string) (string, error) { return "", want }}, Options{})
	front, _ := start(t, &probe{unary: func(ctx context.Context, in string) (string, error) { return do(ctx, back, in) }}, Options{})
	_, err := do(t.Context(), front, "")
	checkBoth(t, err, codes.FailedPrecondition, want)
}

func TestPanicIsInternalAndLogged(t *testing.T) {
	var log lockedBuffer
	p := &probe{
		unary:  func(context.Context, string) (string, error) { panic("boom at 7") },
		stream: func(grpc.ServerStream) error { panic("boom at 8") },
	}
	cc, stop := start(t, p, Options{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	_, err := do(t.Context(), cc, "the payload")
	if status.Code(err) != codes.Internal || strings.Contains(err.Error(), "boom") {
		t.Errorf("got %v", err)
	}
	s, err := flow(t.Context(), cc)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.RecvMsg(new(wrapperspb.StringValue)); status.Code(err) != codes.Internal {
		t.Errorf("stream: got %v", err)
	}
	if err := stop(); err != nil { // the last line is written by then
		t.Fatal(err)
	}
	for _, want := range []string{"boom at 7", "boom at 8", "server_test.go", "method=/skald.test.Probe/Do", "code=Internal", "duration="} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("log lacks %q: %s", want, log.String())
		}
	}
	if strings.Contains(log.String(), "the payload") {
		t.Error("log holds the payload")
	}
}

func TestCallersInterceptorsAreMappedToo(t *testing.T) {
	deny := func(context.Context, any, *grpc.UnaryServerInfo, grpc.UnaryHandler) (any, error) {
		return nil, fault.New(fault.Denied, ReasonUnauthenticated, "no token")
	}
	cc, _ := start(t, &probe{}, Options{Unary: []grpc.UnaryServerInterceptor{deny}})
	if _, err := do(t.Context(), cc, ""); status.Code(err) != codes.Unauthenticated {
		t.Errorf("got %v", err)
	}
}

func TestMessageLimit(t *testing.T) {
	p := &probe{unary: func(_ context.Context, in string) (string, error) { return in, nil }}
	cc, _ := start(t, p, Options{MaxMessage: 1000})
	if _, err := do(t.Context(), cc, strings.Repeat("x", 900)); err != nil {
		t.Errorf("within the limit: %v", err)
	}
	if _, err := do(t.Context(), cc, strings.Repeat("x", 1100)); status.Code(err) != codes.ResourceExhausted || !fault.Is(err, fault.Exhausted) {
		t.Errorf("over the limit: %v", err)
	}
}

func TestDeadlineReachesTheCaller(t *testing.T) {
	p := &probe{unary: func(ctx context.Context, _ string) (string, error) { <-ctx.Done(); return "", ctx.Err() }}
	cc, _ := start(t, p, Options{})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err := do(ctx, cc, "")
	if status.Code(err) != codes.DeadlineExceeded || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

func TestHealthAndReflection(t *testing.T) {
	cc, _ := start(t, &probe{}, Options{})
	h, err := healthv1.NewHealthClient(cc).Check(t.Context(), &healthv1.HealthCheckRequest{})
	if err != nil || h.GetStatus() != healthv1.HealthCheckResponse_SERVING {
		t.Errorf("health %v, %v", h, err)
	}
	r, err := reflectionv1.NewServerReflectionClient(cc).ServerReflectionInfo(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Send(&reflectionv1.ServerReflectionRequest{MessageRequest: &reflectionv1.ServerReflectionRequest_ListServices{}}); err != nil {
		t.Fatal(err)
	}
	reply, err := r.Recv()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range reply.GetListServicesResponse().GetService() {
		names = append(names, s.GetName())
	}
	if !strings.Contains(strings.Join(names, " "), "skald.test.Probe") {
		t.Errorf("services %v", names)
	}
	if err := r.CloseSend(); err != nil {
		t.Fatal(err)
	}
}

func TestStopWaitsForCallsInFlight(t *testing.T) {
	entered, release := make(chan struct{}), make(chan struct{})
	p := &probe{unary: func(context.Context, string) (string, error) { close(entered); <-release; return "done", nil }}
	cc, stop := start(t, p, Options{})
	got := make(chan error, 1)
	go func() { _, err := do(context.Background(), cc, ""); got <- err }()
	<-entered
	stopped := make(chan error, 1)
	go func() { stopped <- stop() }()
	close(release)
	if err := <-got; err != nil {
		t.Errorf("call in flight: %v", err)
	}
	if err := <-stopped; err != nil {
		t.Errorf("serve: %v", err)
	}
}

func TestStopIsBounded(t *testing.T) {
	entered := make(chan struct{})
	p := &probe{unary: func(ctx context.Context, _ string) (string, error) {
		close(entered)
		<-ctx.Done()
		return "", ctx.Err()
	}}
	cc, stop := start(t, p, Options{StopTimeout: 20 * time.Millisecond})
	got := make(chan error, 1)
	go func() { _, err := do(context.Background(), cc, ""); got <- err }()
	<-entered
	if err := stop(); err != nil {
		t.Errorf("serve: %v", err)
	}
	if err := <-got; err == nil {
		t.Error("a call cut off must fail")
	}
}

func TestServeReportsAListenerThatFails(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	if err := Serve(t.Context(), NewServer(Options{}), l); err == nil {
		t.Fatal("no error")
	}
}

func TestMetrics(t *testing.T) {
	reg := prometheus.NewRegistry()
	m, err := NewMetrics(reg)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewMetrics(reg); err == nil {
		t.Error("a second registration must fail")
	}
	p := &probe{unary: func(_ context.Context, in string) (string, error) {
		if in == "" {
			return "", fault.New(fault.NotFound, "X", "no")
		}
		return in, nil
	}}
	cc, _ := start(t, p, Options{Metrics: m}, m.DialOptions()...)
	for _, in := range []string{"a", "b", ""} {
		_, err := do(t.Context(), cc, in)
		if (err != nil) != (in == "") {
			t.Fatal(err)
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- ServeMetrics(ctx, l, reg) }()
	resp, err := http.Get("http://" + l.Addr().String() + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`grpc_server_handled_total{grpc_code="OK",grpc_method="Do",grpc_service="skald.test.Probe",grpc_type="unary"} 2`,
		`grpc_server_handled_total{grpc_code="NotFound",grpc_method="Do",grpc_service="skald.test.Probe",grpc_type="unary"} 1`,
		`grpc_client_handled_total{grpc_code="NotFound",grpc_method="Do",grpc_service="skald.test.Probe",grpc_type="unary"} 1`,
		"grpc_server_handling_seconds_bucket",
	} {
		if !strings.Contains(string(body), want) {
			t.Errorf("metrics lack %s", want)
		}
	}
	cancel()
	if err := <-served; err != nil {
		t.Error(err)
	}
}

func TestTracing(t *testing.T) {
	spans := tracetest.NewSpanRecorder()
	tp := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans))
	p := &probe{unary: func(_ context.Context, in string) (string, error) { return in, nil }}
	cc, stop := start(t, p, Options{Tracer: tp}, WithTracing(tp))
	if _, err := do(t.Context(), cc, "x"); err != nil {
		t.Fatal(err)
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	kinds := map[string]bool{}
	for _, s := range spans.Ended() {
		kinds[s.SpanKind().String()+" "+s.Name()] = true
	}
	for _, want := range []string{"client skald.test.Probe/Do", "server skald.test.Probe/Do"} {
		if !kinds[want] {
			t.Errorf("spans %v lack %q", kinds, want)
		}
	}
}

// lockedBuffer is a log that several goroutines write.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func BenchmarkUnaryInProcess(b *testing.B) {
	s := NewServer(Options{Logger: slog.New(slog.DiscardHandler)})
	s.RegisterService(&probeDesc, &probe{unary: func(_ context.Context, in string) (string, error) { return in, nil }})
	pipe := NewInProcess()
	ctx, cancel := context.WithCancel(b.Context())
	served := make(chan error, 1)
	go func() { served <- Serve(ctx, s, pipe.Listener()) }()
	cc, err := pipe.Dial()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := do(ctx, cc, "x"); err != nil {
			b.Fatal(err)
		}
	}
	cc.Close()
	cancel()
	if err := <-served; err != nil {
		b.Fatal(err)
	}
}
