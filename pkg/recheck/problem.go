package recheck

import (
	"fmt"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Problem is one place in which a record does not hold.
type Problem struct {
	// Version of the Commit.
	Version uint64 `json:"version"`
	// Part of it: "header", "cause", "inputs", or "event N" with what the event is.
	Part string `json:"part"`
	// Field within the part, such as "hit_points.hp"; empty for the whole part.
	Field string `json:"field,omitempty"`
	// Recorded and Decided are the two sides, shortened.
	Recorded string `json:"recorded,omitempty"`
	Decided  string `json:"decided,omitempty"`
	// Text says more.
	Text string `json:"text,omitempty"`
}

// String is the problem for people.
func (p Problem) String() string {
	where := fmt.Sprintf("version %d, %s", p.Version, p.Part)
	if p.Field != "" {
		where += ", " + p.Field
	}
	switch {
	case p.Text != "":
		return where + ": " + p.Text
	case p.Decided == "":
		return where + ": recorded " + p.Recorded + ", decided again there is none"
	case p.Recorded == "":
		return where + ": not recorded, decided again it is " + p.Decided
	}
	return where + ": recorded " + p.Recorded + ", decided again it is " + p.Decided
}

// PartOf names the part of an event.
func PartOf(i int, e *eventv1.Event) string {
	m := e.ProtoReflect()
	if fd := m.WhichOneof(m.Descriptor().Oneofs().ByName("what")); fd != nil {
		return fmt.Sprintf("event %d (%s)", i+1, fd.Name())
	}
	return fmt.Sprintf("event %d", i+1)
}
