package rpc

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/protoadapt"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/skaldrpg/skald/pkg/fault"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

// Domain is the domain of every ErrorInfo detail that Skald makes.
const Domain = "skald"

// Metadata keys of ErrorInfo that belong to this package; fault.Fault.Meta
// entries of the same name are not sent.
const (
	metaRule  = "rule"  // the rule id behind the refusal
	metaFault = "fault" // the fault code: two of them share ABORTED
)

// Reasons that this package gives to errors that carry none.
const (
	ReasonInternal        = "INTERNAL"
	ReasonCanceled        = "CANCELED"
	ReasonDeadline        = "DEADLINE_EXCEEDED"
	ReasonUnauthenticated = "UNAUTHENTICATED"
	ReasonUnimplemented   = "UNIMPLEMENTED"
	ReasonUnavailable     = "UNAVAILABLE"
)

// tokenReasons begins every reason of a fault about a token: those are
// UNAUTHENTICATED, not PERMISSION_DENIED.
const tokenReasons = "TOKEN_"

// RetryDelay is what a status suggests to wait before the same call is tried
// again, for UNAVAILABLE and for a lost race.
const RetryDelay = 250 * time.Millisecond

// Sizes that keep a status, which travels in headers, within what common
// proxies let through.
const (
	maxText       = 1024 // bytes of a message, a reason or a fact
	maxField      = 160  // bytes of a field's path or its description
	maxViolations = 16   // field violations sent
)

// internalMessage is all that a caller learns of a bug.
const internalMessage = "internal error"

// Status turns an error into a gRPC status error. A *fault.Fault anywhere in the
// error keeps its code, reason, message, rule, violations and facts; its cause
// stays here. An end of context becomes CANCELED or DEADLINE_EXCEEDED, a status
// error that a handler made itself stays what it is, anything else is INTERNAL
// without its text. Status(nil) is nil.
func Status(err error) error {
	if err == nil {
		return nil
	}
	f, isFault := fault.As(err)
	if isFault && f.Code != fault.Internal && f.Code != fault.Unavailable {
		return statusOf(f)
	}
	switch {
	case errors.Is(err, context.Canceled):
		return status.Error(codes.Canceled, "canceled")
	case errors.Is(err, context.DeadlineExceeded):
		return status.Error(codes.DeadlineExceeded, "deadline exceeded")
	case isFault:
		return statusOf(f)
	}
	if s, ok := err.(interface{ GRPCStatus() *status.Status }); ok { //nolint:errorlint // only the handler's own, not one that it wrapped
		if s := s.GRPCStatus(); s.Code() != codes.Unknown && s.Code() != codes.OK {
			return s.Err()
		}
	}
	return statusOf(fault.Wrap(fault.Internal, ReasonInternal, err, internalMessage))
}

func statusOf(f *fault.Fault) error {
	code := grpcCode(f)
	meta := map[string]string{}
	message := internalMessage
	if code != codes.Internal {
		maps.Copy(meta, f.Meta)
		message = clean(f.Message) + violationText(f.Violations)
	}
	meta[metaFault] = f.Code.String()
	delete(meta, metaRule)
	if f.Rule != "" && code != codes.Internal {
		meta[metaRule] = f.Rule
	}
	details := []protoadapt.MessageV1{protoadapt.MessageV1Of(&errdetails.ErrorInfo{
		Reason: clean(f.Reason), Domain: Domain, Metadata: cleanMap(meta),
	})}
	if d := extraDetail(f); d != nil {
		details = append(details, protoadapt.MessageV1Of(d))
	}
	if d := packDetail(f.Violations); d != nil && code != codes.Internal {
		details = append(details, protoadapt.MessageV1Of(d))
	}
	s, err := status.New(code, message).WithDetails(details...)
	if err != nil { // only for OK and for text that is not UTF-8, which clean has removed
		return status.Error(code, message)
	}
	return s.Err()
}

// extraDetail is the standard detail of a code, beside ErrorInfo.
func extraDetail(f *fault.Fault) protoadapt.MessageV2 {
	if f.RetryMillis > 0 {
		return &errdetails.RetryInfo{RetryDelay: durationpb.New(time.Duration(f.RetryMillis) * time.Millisecond)}
	}
	switch f.Code {
	case fault.Invalid, fault.Denied:
		bad := &errdetails.BadRequest{}
		for _, v := range shown(f.Violations) {
			bad.FieldViolations = append(bad.FieldViolations, &errdetails.BadRequest_FieldViolation{
				Field: v.Where(), Description: v.Description})
		}
		if len(bad.FieldViolations) == 0 {
			return nil
		}
		return bad
	case fault.Illegal:
		return &errdetails.PreconditionFailure{Violations: []*errdetails.PreconditionFailure_Violation{{
			Type: clean(f.Reason), Subject: clean(f.Rule), Description: clean(f.Message)}}}
	case fault.Exhausted:
		return &errdetails.QuotaFailure{Violations: []*errdetails.QuotaFailure_Violation{{
			Subject: clean(f.Meta["limit"]), Description: clean(f.Message)}}}
	case fault.Unavailable, fault.Conflict:
		return &errdetails.RetryInfo{RetryDelay: durationpb.New(RetryDelay)}
	}
	return nil
}

// packDetail is the detail about files with mistakes; nil when there are none.
func packDetail(vs []fault.Violation) *encounterv1.PackProblems {
	if !slices.ContainsFunc(vs, func(v fault.Violation) bool { return v.File != "" }) {
		return nil
	}
	out := &encounterv1.PackProblems{Count: uint32(len(vs))} //nolint:gosec // a number of mistakes
	for _, v := range shown(vs) {
		out.Problems = append(out.Problems, &encounterv1.PackProblem{File: v.File, Line: uint32(max(0, v.Line)), Field: v.Field, Text: v.Description}) //nolint:gosec // not negative
	}
	return out
}

func grpcCode(f *fault.Fault) codes.Code {
	switch f.Code {
	case fault.Invalid:
		return codes.InvalidArgument
	case fault.Illegal:
		return codes.FailedPrecondition
	case fault.NotFound:
		return codes.NotFound
	case fault.Exists:
		return codes.AlreadyExists
	case fault.Denied:
		if f.Reason == ReasonUnauthenticated || strings.HasPrefix(f.Reason, tokenReasons) {
			return codes.Unauthenticated
		}
		return codes.PermissionDenied
	case fault.Stale, fault.Conflict:
		return codes.Aborted
	case fault.Exhausted:
		return codes.ResourceExhausted
	case fault.Unavailable:
		return codes.Unavailable
	case fault.Broken:
		return codes.DataLoss
	}
	return codes.Internal
}

// shown are the violations that are sent, with their texts made safe.
func shown(vs []fault.Violation) []fault.Violation {
	out := make([]fault.Violation, 0, min(len(vs), maxViolations))
	for _, v := range vs[:min(len(vs), maxViolations)] {
		out = append(out, fault.Violation{Field: cut(v.Field, maxField), Description: cut(v.Description, maxField),
			File: cut(v.File, maxField), Line: v.Line})
	}
	return out
}

// violationText says in the message what the details say by field, for people
// whose client prints only the message.
func violationText(vs []fault.Violation) string {
	var b strings.Builder
	for _, v := range shown(vs) {
		b.WriteString("; " + v.Where() + ": " + v.Description)
	}
	return b.String()
}

func clean(s string) string { return cut(s, maxText) }

// cut makes s valid UTF-8 of at most limit bytes.
func cut(s string, limit int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}

func cleanMap(m map[string]string) map[string]string {
	for k, v := range m {
		if c := clean(v); c != v {
			m[k] = c
		}
		if c := clean(k); c != k {
			delete(m, k)
		}
	}
	return m
}
