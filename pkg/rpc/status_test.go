package rpc

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"pgregory.net/rapid"

	"github.com/skaldrpg/skald/pkg/fault"
)

func faultOf(err error) *fault.Fault {
	f, _ := fault.As(err)
	return f
}

// everyFault is one fault a code, with all that it may carry.
func everyFault() map[codes.Code][]*fault.Fault {
	return map[codes.Code][]*fault.Fault{
		codes.InvalidArgument: {
			fault.Field("sheet.rcr.speed", "negative"),
			fault.Fields([]fault.Violation{{Field: "a", Description: "missing"}, {Field: "b[2]", Description: "too big"}}).(*fault.Fault),
			fault.New(fault.Invalid, "SYNTAX", "no violations"),
		},
		codes.FailedPrecondition: {faultOf(fault.Refuse("NOT_YOUR_TURN", "house.turn.order", "it is the orc's turn"))},
		codes.NotFound:           {fault.New(fault.NotFound, "NO_ENCOUNTER", "no such encounter")},
		codes.AlreadyExists:      {fault.New(fault.Exists, "ENCOUNTER_EXISTS", "taken")},
		codes.PermissionDenied:   {fault.New(fault.Denied, "NOT_CONTROLLER", "not yours")},
		codes.Unauthenticated: {
			fault.New(fault.Denied, ReasonUnauthenticated, "no token"),
			fault.New(fault.Denied, "TOKEN_EXPIRED", "the token has expired"),
		},
		codes.Aborted: {
			fault.New(fault.Stale, "STALE_CURSOR", "older than the latest"),
			fault.New(fault.Conflict, "LOST_RACE", "another command won"),
		},
		codes.ResourceExhausted: {fault.Limit("dice", 2000, 2001)},
		codes.DataLoss:          {fault.BrokenRecord("encounter", "e1", 7)},
		codes.Unavailable:       {fault.New(fault.Unavailable, "STORE", "the store does not answer")},
	}
}

func TestEveryCodeSurvivesTheWire(t *testing.T) {
	seen := map[fault.Code]bool{fault.Internal: true} // TestInternalsStayHere
	for code, faults := range everyFault() {
		for _, f := range faults {
			seen[f.Code] = true
			err := Status(fmt.Errorf("taking action: %w", f))
			if got := status.Code(err); got != code {
				t.Errorf("%s: status %s, want %s", f.Reason, got, code)
			}
			if got := FromStatus(err); !reflect.DeepEqual(got, f) {
				t.Errorf("%s: came back as %+v, want %+v", f.Reason, got, f)
			}
		}
	}
	for c := fault.Invalid; c <= fault.Internal; c++ {
		if !seen[c] {
			t.Errorf("code %s has no case", c)
		}
	}
}

func TestAnyFaultSurvivesTheWire(t *testing.T) {
	text := rapid.StringMatching(`[a-z ;:é]{0,40}`)
	rapid.Check(t, func(t *rapid.T) {
		f := &fault.Fault{
			Code:    fault.Code(rapid.IntRange(int(fault.Invalid), int(fault.Unavailable)).Draw(t, "code")),
			Reason:  rapid.StringMatching(`[A-Z_]{1,20}`).Draw(t, "reason"),
			Message: text.Draw(t, "message"),
			Rule:    rapid.StringMatching(`([a-z]{1,5}\.[a-z-]{1,9})?`).Draw(t, "rule"),
		}
		if m := rapid.MapOfN(rapid.StringMatching(`[a-e]{1,3}`), text, 0, 4).Draw(t, "meta"); len(m) > 0 {
			f.Meta = m
		}
		if f.Code == fault.Invalid {
			for range rapid.IntRange(0, maxViolations).Draw(t, "violations") {
				f.Violations = append(f.Violations, fault.Violation{Field: text.Draw(t, "field"), Description: text.Draw(t, "description")})
			}
		}
		if got := FromStatus(Status(f)); !reflect.DeepEqual(got, f) {
			t.Fatalf("came back as %+v, want %+v", got, f)
		}
	})
}

func TestDetailsOfTheStandard(t *testing.T) {
	detail := func(err error, want any) any {
		for _, d := range status.Convert(err).Details() {
			if reflect.TypeOf(d) == reflect.TypeOf(want) {
				return d
			}
		}
		t.Fatalf("%v: no %T", err, want)
		return nil
	}
	bad := detail(Status(fault.Field("a.b", "missing")), &errdetails.BadRequest{}).(*errdetails.BadRequest)
	if v := bad.GetFieldViolations(); len(v) != 1 || v[0].GetField() != "a.b" || v[0].GetDescription() != "missing" {
		t.Errorf("field violations %v", v)
	}
	pre := detail(Status(fault.Refuse("NO_ACTS", "house.acts", "none left")), &errdetails.PreconditionFailure{}).(*errdetails.PreconditionFailure)
	if v := pre.GetViolations(); len(v) != 1 || v[0].GetType() != "NO_ACTS" || v[0].GetSubject() != "house.acts" {
		t.Errorf("precondition violations %v", v)
	}
	quota := detail(Status(fault.Limit("dice", 5, 6)), &errdetails.QuotaFailure{}).(*errdetails.QuotaFailure)
	if v := quota.GetViolations(); len(v) != 1 || v[0].GetSubject() != "dice" {
		t.Errorf("quota violations %v", v)
	}
	for _, c := range []fault.Code{fault.Unavailable, fault.Conflict} {
		retry := detail(Status(fault.New(c, "X", "x")), &errdetails.RetryInfo{}).(*errdetails.RetryInfo)
		if retry.GetRetryDelay().AsDuration() != RetryDelay {
			t.Errorf("%s: retry after %s", c, retry.GetRetryDelay().AsDuration())
		}
	}
	info := detail(Status(fault.Limit("dice", 5, 6)), &errdetails.ErrorInfo{}).(*errdetails.ErrorInfo)
	if info.GetDomain() != Domain || info.GetReason() != "LIMIT" || info.GetMetadata()["max"] != "5" || info.GetMetadata()["got"] != "6" {
		t.Errorf("error info %v", info)
	}
	if s := status.Convert(Status(fault.Field("a.b", "missing"))).Message(); s != "invalid a.b; a.b: missing" {
		t.Errorf("message %q does not name the field", s)
	}
}

func TestInternalsStayHere(t *testing.T) {
	secret := errors.New("open /srv/skald/dice.db: seed 123")
	for name, err := range map[string]error{
		"unknown error":          secret,
		"internal fault":         &fault.Fault{Code: fault.Internal, Reason: "BROKEN", Message: "seed 123", Rule: "seed", Meta: map[string]string{"seed": "123"}, Cause: secret},
		"cause of an illegality": fault.Wrap(fault.Illegal, "X", secret, "no"),
		"wrapped status":         fmt.Errorf("seed 123: %w", status.Error(codes.NotFound, "seed 123")),
		"unknown status":         status.Error(codes.Unknown, "seed 123"),
	} {
		got := Status(err)
		if s := status.Convert(got).Proto().String(); strings.Contains(s, "seed") {
			t.Errorf("%s: leaks: %s", name, s)
		}
		if name != "cause of an illegality" && status.Code(got) != codes.Internal {
			t.Errorf("%s: code %s", name, status.Code(got))
		}
		if f := FromStatus(got); name == "internal fault" && (f.Code != fault.Internal || f.Reason != "BROKEN") {
			t.Errorf("%s: came back as %+v", name, f)
		}
	}
}

func TestContextErrors(t *testing.T) {
	for code, err := range map[codes.Code]error{
		codes.Canceled:         context.Canceled,
		codes.DeadlineExceeded: context.DeadlineExceeded,
	} {
		for _, err := range []error{err, fmt.Errorf("reading: %w", err), fault.Wrap(fault.Unavailable, "STORE", err, "store")} {
			got := Status(err)
			if status.Code(got) != code {
				t.Errorf("%v: status %s, want %s", err, status.Code(got), code)
			}
			f := FromStatus(got)
			if f.Code != fault.Unavailable || status.Code(Status(f)) != code {
				t.Errorf("%v: fault %+v does not go back to %s", err, f, code)
			}
		}
	}
}

func TestNilIsNil(t *testing.T) {
	if Status(nil) != nil || FromStatus(nil) != nil || remote(nil) != nil {
		t.Fatal("nil must stay nil")
	}
}

func TestForeignStatuses(t *testing.T) {
	for c := codes.Canceled; c <= codes.Unauthenticated; c++ {
		err := status.Error(c, "from a proxy")
		f := FromStatus(err)
		if f.Reason == "" || f.Message == "" || !errors.Is(f, err) {
			t.Errorf("%s: fault %+v", c, f)
		}
		if c == codes.Unknown || c == codes.OutOfRange || c == codes.DataLoss || c == codes.Unimplemented {
			continue // no fault code of their own
		}
		if got := status.Code(Status(f)); got != c {
			t.Errorf("%s goes back to %s", c, got)
		}
	}
	if f := FromStatus(errors.New("no status")); f.Code != fault.Internal {
		t.Errorf("an error without status is %s", f.Code)
	}
	// A handler's own status passes.
	if got := status.Code(Status(status.Error(codes.Unimplemented, "no"))); got != codes.Unimplemented {
		t.Errorf("own status became %s", got)
	}
}

func TestTextsAreCutAndValid(t *testing.T) {
	var vs []fault.Violation
	for i := range 100 {
		vs = append(vs, fault.Violation{Field: fmt.Sprintf("f[%d]", i), Description: strings.Repeat("é", 5000)})
	}
	err := Status(&fault.Fault{Code: fault.Invalid, Reason: "A\xff", Message: strings.Repeat("x", 1<<20), Violations: vs,
		Meta: map[string]string{"bad\xff": "a", "k": "v\xff"}})
	s := status.Convert(err)
	if len(s.Details()) != 2 {
		t.Fatalf("details %v", s.Details())
	}
	if n := len(s.Message()); n > maxText+maxViolations*(2*maxField+4) {
		t.Errorf("message of %d bytes", n)
	}
	f := FromStatus(err)
	if len(f.Violations) != maxViolations || f.Meta["k"] != "v\uFFFD" || len(f.Message) != maxText {
		t.Errorf("came back with %d violations, meta %v, message of %d bytes", len(f.Violations), f.Meta, len(f.Message))
	}
}

// A fault that says when to try again says so to callers, and comes back as it
// was.
func TestRetryTravels(t *testing.T) {
	f := fault.New(fault.Exhausted, "OVERLOADED", "later")
	f.RetryMillis = 700
	err := Status(f)
	found := false
	for _, d := range status.Convert(err).Details() {
		if again, ok := d.(*errdetails.RetryInfo); ok {
			found = again.GetRetryDelay().AsDuration().Milliseconds() == 700
		}
	}
	if back := FromStatus(err); !found || back.RetryMillis != 700 || back.Code != f.Code || back.Reason != f.Reason {
		t.Errorf("%v, %+v", err, back)
	}
}
