package event_test

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/event"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Of one who is staged the game master knows, its own players, and those of creatures that
// it is known to; nobody else. Of one who is not, everybody knows.
func TestKnownTo(t *testing.T) {
	player := func(name string) *eventv1.Principal {
		return &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: name}
	}
	s := event.NewState()
	s.Creatures = map[string]*eventv1.Creature{
		"scout": {Id: "scout", Staged: true, Controllers: []string{"ann"}, KnownTo: []string{"ally", "gone"}},
		"ally":  {Id: "ally", Controllers: []string{"ben"}},
		"orc":   {Id: "orc"},
	}
	for _, c := range []struct {
		of   string
		who  *eventv1.Principal
		want bool
	}{
		{"scout", nil, true}, {"scout", player("ann"), true}, {"scout", player("ben"), true}, {"scout", player("cas"), false},
		{"scout", &eventv1.Principal{Role: eventv1.Principal_ROLE_SPECTATOR}, false},
		{"orc", player("cas"), true}, {"orc", &eventv1.Principal{Role: eventv1.Principal_ROLE_SPECTATOR}, true},
	} {
		if got := event.KnownTo(s, s.Creatures[c.of], c.who); got != c.want {
			t.Errorf("%v knows of %s: %v, want %v", c.who, c.of, got, c.want)
		}
	}
}

// When a creature leaves, what tied others to it ends, and what ties them to others stays.
func TestWhoLeavesIsTiedToNobody(t *testing.T) {
	s := event.NewState()
	s.Creatures = map[string]*eventv1.Creature{
		"a": {Id: "a", Relations: []*eventv1.Relation{{Kind: "holds", To: "b"}, {Kind: "guards", To: "c"}}},
		"b": {Id: "b"}, "c": {Id: "c", Relations: []*eventv1.Relation{{Kind: "holds", To: "b"}}},
	}
	event.Fold(s, event.New(event.Everyone(), &eventv1.CreatureRemoved{Creature: "b"}))
	if s.Creatures["b"] != nil || len(s.Creatures["c"].Relations) > 0 {
		t.Errorf("left: %v", s.Creatures)
	}
	if left := s.Creatures["a"].Relations; len(left) != 1 || left[0].To != "c" {
		t.Errorf("a: %v", left)
	}
}

// Nothing is drawn from dice while entropy may be added to them: those of the epoch, and
// those for the setting up while these are open.
func TestUnclosed(t *testing.T) {
	setting := event.SettingUpEpoch(3)
	for _, c := range []struct {
		open, setUp bool
		epoch       uint32
		want        bool
	}{
		{true, true, 3, true}, {true, true, setting, true}, {true, false, setting, false}, {true, false, 3, true},
		{true, true, 2, false}, {false, true, 3, false}, {false, true, setting, false},
	} {
		s := event.NewState()
		s.Epoch, s.EntropyOpen, s.SettingUp = 3, c.open, &eventv1.SettingUp{Open: c.setUp}
		if got := event.Unclosed(s, c.epoch); got != c.want {
			t.Errorf("open %v, setting up %v, epoch %d: %v", c.open, c.setUp, c.epoch, got)
		}
	}
}
