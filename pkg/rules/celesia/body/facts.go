package body

import (
	"strconv"

	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

// Itoa is a whole number in decimal digits, of any of the sizes that the rules count
// in.
func Itoa[N int | int32 | int64](n N) string { return strconv.FormatInt(int64(n), 10) }

// Refuse makes a refusal.
func Refuse(reason, rule, format string, args ...any) error {
	return fault.Refuse(reason, rule, format, args...)
}

// Target is the target of an action; empty when none is named.
func Target(take *eventv1.TakeAction) string {
	if len(take.GetTargets()) == 0 {
		return ""
	}
	return take.Targets[0]
}

// ParamStruct makes a Struct of a key and its word.
func ParamStruct(name, word string) *structpb.Struct {
	return &structpb.Struct{Fields: map[string]*structpb.Value{name: structpb.NewStringValue(word)}}
}
