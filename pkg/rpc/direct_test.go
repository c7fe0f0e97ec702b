package rpc

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/propagation"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// way is one of the two ways to a server of the same process.
type way struct {
	name string
	grpc.ClientConnInterface
	spans   *tracetest.SpanRecorder
	metrics *prometheus.Registry
	stop    func() error
}

// bothWays serves p twice, over the pipe and called directly.
func bothWays(t *testing.T, p *probe, o Options) []*way {
	t.Helper()
	out := []*way{{name: "pipe"}, {name: "direct"}}
	for _, w := range out {
		w.spans, w.metrics = tracetest.NewSpanRecorder(), prometheus.NewRegistry()
		o := o
		tp := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(w.spans))
		o.Tracer, o.Logger = tp, slog.New(slog.DiscardHandler)
		var err error
		if o.Metrics, err = NewMetrics(w.metrics); err != nil {
			t.Fatal(err)
		}
		s, pipe := NewServer(o), NewInProcess()
		s.RegisterService(&probeDesc, p)
		ctx, cancel := context.WithCancel(context.Background())
		served := make(chan error, 1)
		go func() { served <- Serve(ctx, s, pipe.Listener()) }() // ends with cancel
		var end func() error
		if w.name == "pipe" {
			conn, err := pipe.Dial(WithTracing(tp))
			if err != nil {
				t.Fatal(err)
			}
			w.ClientConnInterface, end = conn, conn.Close
		} else {
			conn, err := pipe.Direct(tp)
			if err != nil {
				t.Fatal(err)
			}
			w.ClientConnInterface, end = conn, conn.Close
		}
		w.stop = sync.OnceValue(func() error { cancel(); return <-served })
		t.Cleanup(func() {
			if err := errors.Join(end(), w.stop()); err != nil {
				t.Error(err)
			}
		})
	}
	return out
}

func (w *way) do(ctx context.Context, in string, opts ...grpc.CallOption) (string, error) {
	out := new(wrapperspb.StringValue)
	err := w.Invoke(ctx, "/skald.test.Probe/Do", wrapperspb.String(in), out, opts...)
	return out.GetValue(), err
}

func TestDirectCallsFailAsOverAPipe(t *testing.T) {
	var next error
	p := &probe{unary: func(_ context.Context, in string) (string, error) {
		if in == "panic" {
			panic("at the disco")
		}
		return in, next
	}}
	ways := bothWays(t, p, Options{})
	errs := []error{errors.New("a secret"), status.Error(codes.OutOfRange, "mine"), context.Canceled, context.DeadlineExceeded}
	for _, faults := range everyFault() {
		for _, f := range faults {
			errs = append(errs, f)
		}
	}
	for _, in := range []string{"x", "panic"} {
		for _, next = range errs {
			_, want := ways[0].do(t.Context(), in)
			_, got := ways[1].do(t.Context(), in)
			if !sameStatus(status.Convert(want), status.Convert(got)) {
				t.Errorf("%v: over the pipe %v, directly %v", next, status.Convert(want).Proto(), status.Convert(got).Proto())
			}
			a, aOK := fault.As(want)
			b, bOK := fault.As(got)
			if !aOK || !bOK || a.Error() != b.Error() || a.Code != b.Code || a.Reason != b.Reason || a.Rule != b.Rule || !maps.Equal(a.Meta, b.Meta) || !slices.Equal(a.Violations, b.Violations) {
				t.Errorf("%v: over the pipe %#v, directly %#v", next, a, b)
			}
			if errors.Is(got, next) && !errors.Is(want, next) {
				t.Errorf("%v: the cause came along", next)
			}
		}
	}
	for _, w := range ways {
		err := w.Invoke(t.Context(), "/skald.test.Probe/Missing", wrapperspb.String(""), new(wrapperspb.StringValue))
		if status.Code(err) != codes.Unimplemented {
			t.Errorf("%s: a method that is not there: %v", w.name, err)
		}
		if reply, err := healthv1.NewHealthClient(w).Check(t.Context(), &healthv1.HealthCheckRequest{}); err != nil || reply.Status != healthv1.HealthCheckResponse_SERVING {
			t.Errorf("%s: health %v, %v", w.name, reply, err)
		}
	}
	pages := map[string]string{}
	for _, w := range ways {
		if pages[w.name] = counted(t, w.metrics); !strings.Contains(pages[w.name], "grpc_server_handled_total") {
			t.Errorf("%s: nothing was counted: %s", w.name, pages[w.name])
		}
	}
	if pages["pipe"] != pages["direct"] {
		t.Errorf("counted over the pipe:\n%s\ndirectly:\n%s", pages["pipe"], pages["direct"])
	}
}

// sameStatus compares what is in the details: the bytes of a map have no order.
func sameStatus(a, b *status.Status) bool {
	return a.Code() == b.Code() && a.Message() == b.Message() && slices.EqualFunc(a.Details(), b.Details(), func(x, y any) bool {
		return proto.Equal(x.(proto.Message), y.(proto.Message))
	})
}

// counted are all counters of a registry that are not zero.
func counted(t *testing.T, r *prometheus.Registry) string {
	t.Helper()
	families, err := r.Gather()
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, f := range families {
		for _, m := range f.Metric {
			if c := m.GetCounter(); c.GetValue() > 0 && !strings.Contains(m.String(), "Missing") {
				lines = append(lines, f.GetName()+" "+m.String()[:strings.Index(m.String(), "counter")]+" "+time.Duration(c.GetValue()).String())
			}
		}
	}
	slices.Sort(lines)
	return strings.ReplaceAll(strings.Join(lines, "\n"), "  ", " ") // protobuf prints with one space or two
}

type secretKey struct{}

func TestADirectCallCarriesWhatAWireCarries(t *testing.T) {
	type seen struct {
		md       []string
		secret   any
		host     string
		method   string
		deadline bool
		span     bool
	}
	otel.SetTextMapPropagator(propagation.TraceContext{})
	t.Cleanup(func() { otel.SetTextMapPropagator(propagation.NewCompositeTextMapPropagator()) })
	var got seen
	p := &probe{unary: func(ctx context.Context, in string) (string, error) {
		md, _ := metadata.FromIncomingContext(ctx)
		_, bounded := ctx.Deadline()
		method, _ := grpc.Method(ctx)
		got = seen{md["skald-mark"], ctx.Value(secretKey{}), PeerAddress(ctx), method, bounded, trace.SpanContextFromContext(ctx).IsValid()}
		if err := errors.Join(grpc.SetHeader(ctx, metadata.Pairs("h", "1")), grpc.SendHeader(ctx, metadata.Pairs("h2", "2")), grpc.SetTrailer(ctx, metadata.Pairs("t", "3"))); err != nil {
			return "", err
		}
		return in, nil
	}}
	for _, w := range bothWays(t, p, Options{}) {
		ctx, cancel := context.WithTimeout(context.WithValue(t.Context(), secretKey{}, "hidden"), time.Minute)
		ctx = metadata.AppendToOutgoingContext(ctx, "Skald-Mark", "a", "skald-mark", "b")
		var header, trailer metadata.MD
		var from peer.Peer
		if out, err := w.do(ctx, "x", grpc.Header(&header), grpc.Trailer(&trailer), grpc.Peer(&from)); err != nil || out != "x" {
			t.Errorf("%s: %q, %v", w.name, out, err)
		}
		cancel()
		if !slices.Equal(got.md, []string{"a", "b"}) || got.secret != nil || got.host != "local" || got.method != "/skald.test.Probe/Do" || !got.deadline || !got.span {
			t.Errorf("%s: the handler saw %+v", w.name, got)
		}
		if !slices.Equal(header["h"], []string{"1"}) || !slices.Equal(header["h2"], []string{"2"}) || !slices.Equal(trailer["t"], []string{"3"}) || from.Addr == nil {
			t.Errorf("%s: the caller got %v, %v, %v", w.name, header, trailer, from)
		}
		if err := w.stop(); err != nil {
			t.Error(err)
		}
		spans := w.spans.Ended()
		if len(spans) != 2 || spans[0].SpanContext().TraceID() != spans[1].SpanContext().TraceID() {
			t.Fatalf("%s: spans %v", w.name, spans)
		}
		slices.SortFunc(spans, func(a, b sdktrace.ReadOnlySpan) int { return int(a.SpanKind()) - int(b.SpanKind()) })
		if spans[0].SpanKind() != trace.SpanKindServer || spans[0].Parent().SpanID() != spans[1].SpanContext().SpanID() || spans[0].Name() != "skald.test.Probe/Do" {
			t.Errorf("%s: the server's span is %v in %v", w.name, spans[0], spans[1])
		}
	}
}

func TestADirectCallEndsWithItsContextAndItsServer(t *testing.T) {
	entered := make(chan struct{}, 1)
	p := &probe{unary: func(ctx context.Context, _ string) (string, error) {
		entered <- struct{}{}
		<-ctx.Done()
		return "", ctx.Err()
	}}
	for _, w := range bothWays(t, p, Options{StopTimeout: time.Millisecond}) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := w.do(ctx, ""); status.Code(err) != codes.Canceled || !errors.Is(err, context.Canceled) {
			t.Errorf("%s: a call that is over before it begins: %v", w.name, err)
		}
		for _, end := range []func() error{nil, w.stop} {
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() { // ends with the call
				_, err := w.do(ctx, "")
				done <- err
			}()
			<-entered
			want := []codes.Code{codes.Canceled}
			if end == nil {
				cancel()
			} else if want = append(want, codes.Unavailable); end() != nil {
				t.Errorf("%s: the server did not stop", w.name)
			}
			if err := <-done; !slices.Contains(want, status.Code(err)) {
				t.Errorf("%s: a call that is cut: %v", w.name, err)
			}
			cancel()
		}
		ctx, cancel = context.WithTimeout(t.Context(), 10*time.Second)
		if _, err := w.do(ctx, ""); !slices.Contains([]codes.Code{codes.Unavailable, codes.Canceled}, status.Code(err)) {
			t.Errorf("%s: a call after the end: %v", w.name, err)
		}
		cancel()
	}
}

func TestADirectCallWaitsForItsServer(t *testing.T) {
	conn, err := NewInProcess().Direct(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if err := conn.Invoke(ctx, "/skald.test.Probe/Do", wrapperspb.String(""), new(wrapperspb.StringValue)); status.Code(err) != codes.DeadlineExceeded {
		t.Errorf("a call to nobody: %v", err)
	}
}

func TestWhatIsHandedOverIsItsReceivers(t *testing.T) {
	from, err := structpb.NewStruct(map[string]any{"a": 1.0, "b": []any{"x"}})
	if err != nil {
		t.Fatal(err)
	}
	from.ProtoReflect().SetUnknown([]byte{0xf8, 0x07, 1})
	to := &structpb.Struct{}
	hand(to, from)
	if !proto.Equal(from, to) || from.Fields["a"] != to.Fields["a"] {
		t.Fatalf("%v was handed over as %v", from, to)
	}
	to.Fields = nil
	if len(from.Fields) != 2 {
		t.Error("what the receiver does to its message shows in the sender's")
	}
	to = &structpb.Struct{}
	hand(to, NewEncoded((&structpb.Struct{}).ProtoReflect().Type()))
	if len(to.Fields) != 0 {
		t.Errorf("nothing was handed over as %v", to)
	}
}

// Whatever a message holds, and however its type does, it is handed over.
func TestEveryMessageIsHandedOver(t *testing.T) {
	for name, c := range map[string]struct {
		from proto.Message
		open bool // its fields are copied as they are
	}{
		"nothing":        {&emptypb.Empty{}, true},
		"an empty one":   {&eventv1.Command{}, true},
		"a oneof":        {event.New(event.Controllers("a", "b"), &eventv1.HitPoints{Creature: "a", Hp: 1, Max: 2}), true},
		"lists and more": {&eventv1.Command{Faces: []int32{3, 4}, What: &eventv1.Command_Take{Take: &eventv1.TakeAction{Targets: []string{"x"}}}}, true},
		"optional":       {&eventv1.Vitals{Hp: proto.Int32(0)}, true},
		"extensible":     {&descriptorpb.FieldOptions{Packed: proto.Bool(true)}, false},
	} {
		t.Run(name, func(t *testing.T) {
			c.from.ProtoReflect().SetUnknown([]byte{0xf8, 0x07, 1})
			to := c.from.ProtoReflect().New().Interface()
			if open := shape(reflect.TypeOf(to)) != nil; open != c.open {
				t.Errorf("its fields are open: %v", open)
			}
			hand(to, c.from)
			if !proto.Equal(to, c.from) {
				t.Fatalf("%v was handed over as %v", c.from, to)
			}
			proto.Reset(to)
			if proto.Size(c.from) == 0 {
				t.Error("what the receiver does to its message shows in the sender's")
			}
		})
	}
}
