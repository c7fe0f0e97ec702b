package celesia

import (
	"strconv"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func itoa[N int | int32 | int64](n N) string { return strconv.FormatInt(int64(n), 10) }

// refuse makes a refusal.
func refuse(reason, rule, format string, args ...any) error {
	return fault.Refuse(reason, rule, format, args...)
}

// target is the target of an action; empty when none is named.
func target(take *eventv1.TakeAction) string {
	if len(take.GetTargets()) == 0 {
		return ""
	}
	return take.Targets[0]
}

// paramStruct makes a Struct of keys and words.
func paramStruct(pairs ...string) *structpb.Struct {
	s := &structpb.Struct{Fields: map[string]*structpb.Value{}}
	for i := 0; i+1 < len(pairs); i += 2 {
		s.Fields[pairs[i]] = structpb.NewStringValue(pairs[i+1])
	}
	return s
}
