package rpc

import (
	"context"
	"errors"
	"maps"
	"strings"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/skaldrpg/skald/pkg/fault"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

// FromStatus turns the error of a gRPC call back into the fault that the server
// answered with. An error that is or holds a fault gives that fault. A status
// that Skald did not make gives the nearest fault with the error as its cause,
// so that Error tells people what happened while Status tells nobody. CANCELED
// and DEADLINE_EXCEEDED give Unavailable faults that wrap context.Canceled and
// context.DeadlineExceeded. FromStatus(nil) is nil; mind that it is a nil
// *fault.Fault, and test the error before.
func FromStatus(err error) *fault.Fault {
	if err == nil {
		return nil
	}
	if f, ok := fault.As(err); ok {
		return f
	}
	s, ok := status.FromError(err)
	if !ok {
		s = status.FromContextError(err)
	}
	for _, d := range s.Details() {
		if info, ok := d.(*errdetails.ErrorInfo); ok && info.GetDomain() == Domain {
			return ours(s, info)
		}
	}
	return foreign(s.Code(), err)
}

// ours rebuilds what statusOf took apart.
func ours(s *status.Status, info *errdetails.ErrorInfo) *fault.Fault {
	meta := maps.Clone(info.GetMetadata())
	f := &fault.Fault{Reason: info.GetReason(), Rule: meta[metaRule], Code: faultCode(s.Code())}
	for c := fault.Invalid; c <= fault.Internal; c++ {
		if c.String() == meta[metaFault] {
			f.Code = c
		}
	}
	delete(meta, metaRule)
	delete(meta, metaFault)
	if len(meta) > 0 {
		f.Meta = meta
	}
	for _, d := range s.Details() {
		if again, ok := d.(*errdetails.RetryInfo); ok && f.Code == fault.Exhausted {
			f.RetryMillis = again.GetRetryDelay().AsDuration().Milliseconds()
		}
		bad, ok := d.(*errdetails.BadRequest)
		if !ok {
			continue
		}
		for _, v := range bad.GetFieldViolations() {
			f.Violations = append(f.Violations, fault.Violation{Field: v.GetField(), Description: v.GetDescription()})
		}
	}
	for _, d := range s.Details() {
		if files, ok := d.(*encounterv1.PackProblems); ok {
			f.Violations = nil // the same, with what is left out of them
			for _, p := range files.Problems {
				f.Violations = append(f.Violations, fault.Violation{File: p.File, Line: int(p.Line), Field: p.Field, Description: p.Text})
			}
		}
	}
	f.Message = strings.TrimSuffix(s.Message(), violationText(f.Violations))
	return f
}

// foreign makes a fault of a status from a proxy, the transport or a handler
// that spoke gRPC itself.
func foreign(code codes.Code, err error) *fault.Fault {
	switch code {
	case codes.Canceled:
		return fault.Wrap(fault.Unavailable, ReasonCanceled, join(context.Canceled, err), "canceled")
	case codes.DeadlineExceeded:
		return fault.Wrap(fault.Unavailable, ReasonDeadline, join(context.DeadlineExceeded, err), "deadline exceeded")
	case codes.Unavailable:
		return fault.Wrap(fault.Unavailable, ReasonUnavailable, err, "service unavailable")
	case codes.Unauthenticated:
		return fault.Wrap(fault.Denied, ReasonUnauthenticated, err, "not authenticated")
	case codes.Unimplemented:
		return fault.Wrap(fault.Internal, ReasonUnimplemented, err, "the server does not know this call")
	}
	reason := strings.ToUpper(code.String())
	return fault.Wrap(faultCode(code), reason, err, "remote call failed")
}

// join is the cause that errors.Is finds the context's error in. An err that is
// it already stays alone.
func join(sentinel, err error) error {
	if errors.Is(err, sentinel) {
		return err
	}
	return &both{sentinel, err}
}

type both struct{ sentinel, err error }

func (b *both) Error() string   { return b.err.Error() }
func (b *both) Unwrap() []error { return []error{b.sentinel, b.err} }

func faultCode(c codes.Code) fault.Code {
	switch c {
	case codes.InvalidArgument:
		return fault.Invalid
	case codes.FailedPrecondition, codes.OutOfRange:
		return fault.Illegal
	case codes.NotFound:
		return fault.NotFound
	case codes.AlreadyExists:
		return fault.Exists
	case codes.PermissionDenied, codes.Unauthenticated:
		return fault.Denied
	case codes.Aborted:
		return fault.Conflict
	case codes.ResourceExhausted:
		return fault.Exhausted
	case codes.Unavailable, codes.Canceled, codes.DeadlineExceeded:
		return fault.Unavailable
	}
	return fault.Internal
}

// remoteError is what clients made by this package return: a status for code
// that asks gRPC, a fault for code that asks Skald.
type remoteError struct {
	status *status.Status
	fault  *fault.Fault
}

func (e *remoteError) Error() string              { return e.fault.Error() }
func (e *remoteError) Unwrap() error              { return e.fault }
func (e *remoteError) GRPCStatus() *status.Status { return e.status }

// remote wraps the error of a call; nil stays nil.
func remote(err error) error {
	if err == nil {
		return nil
	}
	s, _ := status.FromError(err)
	return &remoteError{status: s, fault: FromStatus(err)}
}
