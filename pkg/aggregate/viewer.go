package aggregate

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/event"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// The viewers that every aggregate has; a player who has a view of its own is
// PlayerViewer of the name. They are keys of what is stored.
const (
	// ViewerGM sees everything.
	ViewerGM = "gm"
	// ViewerEveryone sees what everybody may.
	ViewerEveryone = "spectator"

	viewerPlayer = "player/"
)

// PlayerViewer is the viewer that a player is.
func PlayerViewer(name string) string { return viewerPlayer + name }

// ViewerOf is the viewer that a principal is by itself; a player of whom nothing is
// known sees what everybody may.
func ViewerOf(p *eventv1.Principal) string {
	switch p.GetRole() {
	case eventv1.Principal_ROLE_GM:
		return ViewerGM
	case eventv1.Principal_ROLE_PLAYER:
		return PlayerViewer(p.GetName())
	}
	return ViewerEveryone
}

// Viewer is the principal that a viewer is.
func Viewer(v string) *eventv1.Principal {
	if v == ViewerGM {
		return &eventv1.Principal{Role: eventv1.Principal_ROLE_GM}
	}
	if name, ok := strings.CutPrefix(v, viewerPlayer); ok && name != "" {
		return &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: name}
	}
	return &eventv1.Principal{Role: eventv1.Principal_ROLE_SPECTATOR}
}

// Hears tells whether a viewer hears what is for those given.
func Hears(v string, who event.Audible) bool { return who.By(Viewer(v)) }
