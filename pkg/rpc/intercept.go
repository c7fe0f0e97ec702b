package rpc

import (
	"context"
	"log/slog"
	"runtime/debug"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/skaldrpg/skald/pkg/fault"
)

// watcher maps the errors of handlers to statuses and logs every call: method,
// code and duration, for refusals the reason, for bugs the whole error. Never a
// message: requests and replies hold what only some may see.
type watcher struct{ log *slog.Logger }

func (w *watcher) unary(ctx context.Context, req any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
	start := time.Now()
	reply, err := next(ctx, req)
	return reply, w.done(ctx, info.FullMethod, start, err)
}

func (w *watcher) stream(srv any, ss grpc.ServerStream, info *grpc.StreamServerInfo, next grpc.StreamHandler) error {
	start := time.Now()
	err := next(srv, ss)
	return w.done(ss.Context(), info.FullMethod, start, err)
}

func (w *watcher) done(ctx context.Context, method string, start time.Time, err error) error {
	mapped := Status(err)
	code := status.Code(mapped)
	level := levelOf(code)
	if code == codes.OK && quiet(method) || !w.log.Enabled(ctx, level) {
		return mapped
	}
	attrs := []slog.Attr{
		slog.String("method", method),
		slog.String("code", code.String()),
		slog.Duration("duration", time.Since(start)),
	}
	if f, ok := fault.As(err); ok {
		attrs = append(attrs, slog.String("reason", f.Reason))
		if f.Rule != "" {
			attrs = append(attrs, slog.String("rule", f.Rule))
		}
	}
	if level >= slog.LevelWarn {
		attrs = append(attrs, slog.Any("error", err))
	}
	w.log.LogAttrs(ctx, level, "rpc", attrs...)
	return mapped
}

func levelOf(code codes.Code) slog.Level {
	switch code {
	case codes.OK, codes.Canceled:
		return slog.LevelDebug
	case codes.Internal, codes.Unknown:
		return slog.LevelError
	case codes.Unavailable, codes.DeadlineExceeded:
		return slog.LevelWarn
	}
	return slog.LevelInfo
}

// quiet are the probes that come every few seconds.
func quiet(method string) bool { return strings.HasPrefix(method, "/grpc.") }

func recoverUnary(ctx context.Context, req any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (reply any, err error) {
	defer func() {
		if p := recover(); p != nil {
			reply, err = nil, panicked(p)
		}
	}()
	return next(ctx, req)
}

func recoverStream(srv any, ss grpc.ServerStream, _ *grpc.StreamServerInfo, next grpc.StreamHandler) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicked(p)
		}
	}()
	return next(srv, ss)
}

// panicError carries the stack to the log; Status keeps it from the caller.
type panicError struct {
	value any
	stack []byte
}

func panicked(p any) error {
	return fault.Wrap(fault.Internal, ReasonInternal, &panicError{p, debug.Stack()}, internalMessage)
}

func (e *panicError) Error() string {
	return "panic: " + slog.AnyValue(e.value).String() + "\n" + string(e.stack)
}
