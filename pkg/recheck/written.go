package recheck

import (
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Odd are the parts of a Commit, which was opened from data, whose bytes are not those
// that Skald writes: what else they could hold would be hashed and read by nobody.
func Odd(c *event.Opened, data []byte) (out []Problem) {
	var raw eventv1.Commit
	if proto.Unmarshal(data, &raw) != nil {
		return nil // it was opened
	}
	odd := func(part string) {
		out = append(out, Problem{Version: c.Header.Version, Part: part, Text: "holds bytes that Skald does not write"})
	}
	if Size(&raw) != len(data) || len(raw.ProtoReflect().GetUnknown()) > 0 {
		odd("commit")
	}
	if Size(c.Header) != len(raw.Header) || len(c.Header.ProtoReflect().GetUnknown()) > 0 {
		odd("header")
	}
	for i, p := range raw.Parts {
		name, m := "cause", proto.Message(c.Cause)
		switch {
		case i == 1:
			name, m = "inputs", c.Inputs
		case i > 1:
			name, m = PartOf(i-2, c.Events[i-2]), c.Events[i-2]
		}
		if Size(m) != len(p.Payload) || len(p.ProtoReflect().GetUnknown()) > 0 {
			odd(name)
		}
	}
	return out
}
