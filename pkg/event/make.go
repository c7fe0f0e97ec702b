package event

import (
	"fmt"

	"google.golang.org/protobuf/proto"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Everyone is the audience of all viewers. It is shared and must not be changed.
func Everyone() *eventv1.Audience { return everyone }

// GM is the audience of the game master alone. It is shared and must not be changed.
func GM() *eventv1.Audience { return gm }

// The audiences that every event of theirs shares.
var (
	everyone = &eventv1.Audience{Kind: eventv1.Audience_KIND_EVERYONE}
	gm       = &eventv1.Audience{Kind: eventv1.Audience_KIND_GM}
)

// Controllers is the audience of the controllers of the named creatures.
func Controllers(creatures ...string) *eventv1.Audience {
	return &eventv1.Audience{Kind: eventv1.Audience_KIND_CREATURES, Creatures: creatures}
}

// Branch is the branch of the dice key tree for an audience: rolls that only
// some may see come from keys that only they may learn.
func Branch(a *eventv1.Audience) string {
	switch a.GetKind() {
	case eventv1.Audience_KIND_EVERYONE:
		return "everyone"
	case eventv1.Audience_KIND_CREATURES:
		if len(a.Creatures) > 0 {
			return "creature/" + a.Creatures[0]
		}
	}
	return "gm"
}

// New wraps a message of the vocabulary into an event. It panics when the
// message is not part of the vocabulary, which is a bug that every test of the
// caller would show.
func New(audience *eventv1.Audience, what proto.Message, rules ...string) *eventv1.Event {
	e := with(what)
	if e == nil {
		panic(fmt.Sprintf("event: %s is not in the vocabulary", what.ProtoReflect().Descriptor().FullName()))
	}
	e.Audience, e.Rules = audience, rules
	return e
}

// Kind is the name of what an event holds, as in the contracts: "roll",
// "damage", ...; empty for a type this build does not know.
func Kind(e *eventv1.Event) string {
	m := e.ProtoReflect()
	f := m.WhichOneof(m.Descriptor().Oneofs().ByName("what"))
	if f == nil {
		return ""
	}
	return string(f.Name())
}
