package event_test

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/event"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func hiddenState() *eventv1.State {
	s := event.NewState()
	for _, c := range []*eventv1.Creature{{Id: "a", Name: "Ann", Controllers: []string{"ann"}}, {Id: "g1", Name: "Goblin"},
		{Id: "boss", Name: "Goblin Boss"}, {Id: "g2", Name: "Goblin", Staged: true}, {Id: "lurk", Name: "Zig", Staged: true}} {
		s.Creatures[c.Id] = c
	}
	return s
}

func TestVeiler(t *testing.T) {
	ann := &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "ann"}
	const who = event.Somebody
	cases := map[string]struct{ said, text, want string }{
		"a name":                     {"", "Zig stands there", who + " stands there"},
		"an id":                      {"", `blocked by "lurk"`, `blocked by "` + who + `"`},
		"both, twice":                {"", "Zig (lurk), Zig", who + " (" + who + "), " + who},
		"a part of a word":           {"", "Zigzag, lurker, un-lurk", "Zigzag, lurker, un-lurk"},
		"digits and letters go on":   {"", "Zig0 Zig9 ZigA ZigZ Ziga Zigz Zig_ 0Zig 9lurk lurké", "Zig0 Zig9 ZigA ZigZ Ziga Zigz Zig_ 0Zig 9lurk lurké"},
		"what stands beside them":    {"", "Zig: Zig/Zig; Zig@Zig[Zig`Zig{Zig:Zig", who + ": " + who + "/" + who + "; " + who + "@" + who + "[" + who + "`" + who + "{" + who + ":" + who},
		"a name that another has":    {"", "Goblin is near", "Goblin is near"},
		"a name within another":      {"", "Goblin Boss and Goblin", "Goblin Boss and Goblin"},
		"the id beside a known name": {"", "Goblin (g2) and Goblin (g1)", "Goblin (" + who + ") and Goblin (g1)"},
		"an echo":                    {"lurk", `no creature "lurk" near Zig`, `no creature "lurk" near ` + who},
		"nobody":                     {"", "Ann is near", "Ann is near"},
	}
	for name, c := range cases {
		veil := event.Veiler(hiddenState(), ann, event.SaidIn(&eventv1.TakeAction{Targets: []string{c.said}}))
		if got := veil(c.text); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if event.Veiler(hiddenState(), nil, event.SaidIn(&eventv1.TakeAction{})) != nil {
		t.Error("the game master knows of all")
	}
}

// An event that names somebody hidden by its id may mean it by its name as well,
// whoever else is called so.
func TestVeilOfASharedName(t *testing.T) {
	s := hiddenState()
	cases := map[string]struct {
		attack  *eventv1.Attack
		want    string
		content int
	}{
		"somebody else": {&eventv1.Attack{Attacker: "g1", Target: "a", Weapon: "Goblin"}, "Goblin", 1},
		"the hidden":    {&eventv1.Attack{Attacker: "g2", Target: "a", Weapon: "Goblin"}, event.Somebody, 2},
	}
	for name, c := range cases {
		told := event.Veil(s, event.New(event.Everyone(), c.attack))
		if len(told) != c.content || told[0].GetAttack().Weapon != c.want {
			t.Errorf("%s: %v", name, told)
		}
	}
}

// Somebody unseen who joins a turn under way is told to nobody else; one whose
// turn begins with others' does not keep theirs from being told.
func TestVeilOfATurn(t *testing.T) {
	s := hiddenState()
	turn := event.New(event.Everyone(), &eventv1.TurnStarted{Creatures: []string{"a", "g1", "lurk"}})
	if told := event.Veil(s, turn); len(told) != 2 || len(told[0].GetTurnStarted().Creatures) != 2 {
		t.Errorf("a turn that begins: %v", told)
	}
	s.Active = []string{"a", "g1"}
	if told := event.Veil(s, turn); len(told) != 1 || told[0].Audience.Kind == eventv1.Audience_KIND_EVERYONE {
		t.Errorf("one who joins: %v", told)
	}
}

// What only keeps the books stays so when it is told to those alone who know of a
// creature.
func TestVeiledBookkeeping(t *testing.T) {
	s := event.NewState()
	s.Creatures["a"] = &eventv1.Creature{Id: "a", Name: "a"}
	s.Creatures["lurker"] = &eventv1.Creature{Id: "lurker", Name: "lurker", Staged: true, KnownTo: []string{"a"}}
	for _, books := range []bool{true, false} {
		e := event.New(event.Everyone(), &eventv1.RelationSet{Creature: "a", Relation: &eventv1.Relation{Kind: "met", To: "lurker"}})
		e.Bookkeeping = books
		for _, told := range event.Veil(s, e) {
			if told.Bookkeeping != books || told.Audience.Kind == eventv1.Audience_KIND_EVERYONE {
				t.Errorf("%t: %v", books, told)
			}
		}
	}
}

// A roll that names somebody hidden is told once, without the name; nothing else is told of
// it to those who know more, since a roll has one address.
func TestVeilOfARoll(t *testing.T) {
	s := hiddenState()
	told := event.Veil(s, event.New(event.Everyone(), &eventv1.Roll{Creature: "a", Label: "to-hit", Reason: "at Zig", Total: 15}))
	if len(told) != 1 || told[0].GetRoll().GetReason() != "at "+event.Somebody || told[0].GetRoll().Total != 15 {
		t.Errorf("%v", told)
	}
	told = event.Veil(s, event.New(event.Everyone(), &eventv1.Attack{Attacker: "a", Target: "g1", Weapon: "Zig's bow"}))
	if len(told) != 2 || told[0].GetAttack().Weapon != event.Somebody+"'s bow" || told[1].Audience.Kind == eventv1.Audience_KIND_EVERYONE {
		t.Errorf("what is no roll is told to those who know as well: %v", told)
	}
	// Wherever in it somebody is named.
	told = event.Veil(s, event.New(event.Everyone(), &eventv1.Attack{Attacker: "lurk", Target: "a", Weapon: "bow"}))
	if len(told) != 2 || told[0].GetAttack().Attacker == "lurk" || told[1].GetAttack().Attacker != "lurk" {
		t.Errorf("the first of its names: %v", told)
	}
}
