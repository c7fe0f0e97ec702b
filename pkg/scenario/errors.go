package scenario

import (
	"errors"
	"fmt"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/skaldrpg/skald/pkg/rpc"
)

var errFraction = errors.New("scenario: not a fraction")

// codeWord is a gRPC code in the words of scenario files: FailedPrecondition
// is "failed-precondition".
func codeWord(c codes.Code) string {
	if c == codes.OK {
		return "ok"
	}
	var b strings.Builder
	for i, r := range c.String() {
		if 'A' <= r && r <= 'Z' && i > 0 {
			b.WriteByte('-')
		}
		b.WriteRune(r)
	}
	return strings.ToLower(b.String())
}

func knownCode(word string) bool {
	for c := codes.Canceled; c <= codes.Unauthenticated; c++ {
		if codeWord(c) == word {
			return true
		}
	}
	return false
}

// codeOf is the code of a call's error.
func codeOf(err error) codes.Code {
	if s, ok := status.FromError(err); ok {
		return s.Code()
	}
	return status.Code(rpc.Status(err))
}

// errorWords is a refusal in a line: code, reason, rule, message, fields.
func errorWords(err error) string {
	f := rpc.FromStatus(err)
	words := []string{codeWord(codeOf(err))}
	if f.Reason != "" {
		words = append(words, f.Reason)
	}
	if f.Rule != "" {
		words = append(words, f.Rule)
	}
	return strings.Join(words, " ") + ": " + f.Error()
}

// String is the expected error in a line.
func (e *ErrorExpected) String() string {
	return strings.Join(nonEmpty(e.Code, e.Reason, e.Rule, e.Field, e.Message), " ")
}

// differences says where an error is not the expected one.
func (e *ErrorExpected) differences(err error) []string {
	f := rpc.FromStatus(err)
	var out []string
	differ := func(what, want, got string) {
		out = append(out, fmt.Sprintf("%s: want %s, got %s", what, want, orNone(got)))
	}
	if got := codeWord(codeOf(err)); e.Code != "" && e.Code != got {
		differ("code", e.Code, got)
	}
	if e.Reason != "" && e.Reason != f.Reason {
		differ("reason", e.Reason, f.Reason)
	}
	if e.Rule != "" && e.Rule != f.Rule {
		differ("rule", e.Rule, f.Rule)
	}
	if e.Message != "" && !glob(e.Message, f.Error()) {
		differ("message", e.Message, f.Error())
	}
	if e.Field == "" {
		return out
	}
	var got []string
	for _, v := range f.Violations {
		if glob(e.Field, v.Field) {
			return out
		}
		got = append(got, v.Field)
	}
	differ("field", e.Field, strings.Join(got, ", "))
	return out
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
