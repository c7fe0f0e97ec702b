package original

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func dumb(s *eventv1.Sheet) {
	no := false
	s.GetOriginal().Intelligent = &no
}

// labels are the labels of the rolls of the last command, in order.
func labels(f *table) (list []string) {
	for _, e := range f.Events {
		if r := e.GetRoll(); r != nil {
			list = append(list, r.Label)
		}
	}
	return list
}

// original.encounter.sequence
func TestSequenceOfAnEncounter(t *testing.T) {
	field := func() *table {
		return newTable(t).add(one("a", "party"), one("orc", "orcs", group("orcs")))
	}
	f := field().start(object("appearing", map[string]any{"orcs": "2d4"}, "entries", 3, "unaware", []string{"party", "orcs"}, "roll_distance", true,
		"reaction", map[string]any{"orcs": unknown}, "morale", []string{"orcs"}), 3, 1, 2, 5, 6, 3, 5, 2, 2, 4, 1, 3, 3)
	want := []string{"appearing/orcs", "direction", "surprise/party", "surprise/orcs", "distance", "reaction/orcs", "initiative/a-player", "initiative/orcs", "morale/orcs"}
	if got := labels(f); !slices.Equal(got, want) {
		t.Fatalf("%v, want %v", got, want)
	}
	// Everything known: straight to initiative.
	f = field().start(object("distance", 40, "reaction", map[string]any{"orcs": "hostile"}), 4, 1)
	if got := labels(f); !slices.Equal(got, []string{"initiative/a-player", "initiative/orcs"}) {
		t.Fatal(got)
	}
	if f.State.Counters[body.CDistance] != 40 || f.State.Marks[body.MReaction+"orcs"] != "hostile" {
		t.Fatalf("%v %v", f.State.Counters, f.State.Marks)
	}
}

// original.encounter.number-appearing, original.encounter.direction,
// original.encounter.distance, original.surprise.distance, original.surprise.both-cancel
func TestMeeting(t *testing.T) {
	both := []string{"party", "orcs"}
	for _, c := range []struct {
		rule, name string
		settings   []string
		facts      []any
		faces      []int
		counter    string
		want       int64
	}{
		{cite.EncounterNumberAppearing, "2d4", nil, []any{"appearing", map[string]any{"orcs": "2d4"}}, []int{3, 1, 6, 1}, body.CAppearing + "orcs", 4},
		{cite.EncounterNumberAppearing, "a given number", nil, []any{"appearing", map[string]any{"orcs": 7}}, []int{6, 1}, body.CAppearing + "orcs", 7},
		{cite.EncounterDirection, "the second of three", nil, []any{"entries", 3}, []int{2, 6, 1}, body.CEntry, 2},
		{cite.EncounterDirection, "only one", nil, []any{"entries", 1}, []int{6, 1}, body.CEntry, 1},
		{cite.EncounterDistance, "dungeon", nil, []any{"roll_distance", true}, []int{3, 5, 6, 1}, body.CDistance, 80},
		{cite.EncounterDistance, "outdoors", []string{body.SetOutdoors + "=on"}, []any{"roll_distance", true}, []int{1, 1, 6, 1}, body.CDistance, 60},
		{cite.SurpriseDistance, "dungeon", nil, []any{"unaware", both, "roll_distance", true}, []int{2, 5, 2}, body.CDistance, 20},
		{cite.SurpriseDistance, "outdoors", []string{body.SetOutdoors + "=on"}, []any{"unaware", both, "roll_distance", true}, []int{2, 5, 3}, body.CDistance, 90},
		{cite.SurpriseDistance, "as given", nil, []any{"unaware", both, "distance", 25}, []int{2, 5}, body.CDistance, 25},
		{cite.SurpriseBothCancel, "surprise on both sides is no surprise", nil, []any{"unaware", both, "roll_distance", true}, []int{1, 2, 3, 5, 6, 1}, body.CDistance, 80},
	} {
		t.Run(c.rule+"/"+c.name, func(t *testing.T) {
			f := newTable(t, c.settings...).add(one("a", "party"), one("orc", "orcs", group("orcs"))).start(object(c.facts...), c.faces...)
			if got, is := f.State.Counters[c.counter]; got != c.want || !is {
				t.Fatalf("%d, want %d", got, c.want)
			}
		})
	}
	for _, facts := range [][]any{{"appearing", map[string]any{"orcs": "many"}}, {"appearing", map[string]any{"orcs": -1}}, {"entries", 0}, {"distance", "far"}, {"distance", 30, "roll_distance", true}, {"distance", -5},
		{"reaction", map[string]any{"elves": unknown}}, {"reaction", map[string]any{"orcs": "hungry"}}} {
		f := newTable(t).add(one("a", "party"), one("orc", "orcs", group("orcs")))
		if err := f.Try(&eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{Facts: object(facts...)}}}); err == nil || !strings.Contains(err.Error(), "start.facts") {
			t.Errorf("%v: %v", facts, err)
		}
	}
}

// original.encounter.reaction-roll, original.encounter.reaction-table
func TestReactionTable(t *testing.T) {
	for _, c := range []struct {
		faces []int
		want  string
	}{{[]int{1, 1}, "attacks at once"}, {[]int{1, 2}, "hostile"}, {[]int{2, 2}, "hostile"}, {[]int{1, 4}, "hostile"}, {[]int{3, 3}, "uncertain"}, {[]int{4, 4}, "uncertain"},
		{[]int{4, 5}, "indifferent"}, {[]int{5, 6}, "indifferent"}, {[]int{6, 6}, "friendly"}} {
		f := newTable(t).add(one("a", "party"), one("orc", "orcs", group("orcs"))).start(object("reaction", map[string]any{"orcs": unknown}), append(c.faces, 6, 1)...)
		if got := f.State.Marks[body.MReaction+"orcs"]; got != c.want {
			t.Errorf("%v: %q, want %q", c.faces, got, c.want)
		}
	}
}

// original.encounter.reaction-animals, original.encounter.reaction-intelligent
func TestDecidedReactions(t *testing.T) {
	animal := []string{"angry", "hungry", "frightened", "curious", "friendly", "disinterested"}
	mind := []string{"hostile", "parley", "friendly", "run away", "observe", "other"}
	words := []string{"attacks at once", "hostile", "uncertain", "indifferent", "friendly"}
	claws := arms(&eventv1.OriginalWeapon{Name: "claws", Kind: "natural"})
	for name, c := range map[string]struct {
		settings []string
		foe      *eventv1.Sheet
		want     []string
	}{
		"a bear":                    {nil, one("b", "foes", group("foes"), claws), animal},
		"an orc patrol":             {nil, one("b", "foes", group("foes")), mind},
		"a skeleton with a sword":   {nil, one("b", "foes", group("foes"), dumb), animal},
		"a bear without labels":     {[]string{body.SetAnimalLabels + "=off"}, one("b", "foes", group("foes"), claws), words},
		"an orc patrol without any": {[]string{body.SetMindLabels + "=off"}, one("b", "foes", group("foes")), words},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t, c.settings...).add(one("a", "party"), c.foe).start(nil, 6, 1)
			if got := reactionWords(nil, f.State, "foes"); !slices.Equal(got, c.want) {
				t.Fatalf("%q, want %q", got, c.want)
			}
			for _, w := range c.want {
				f.Must(act("b", "reaction", "", "", withParameters("reaction", w)))
				if f.State.Marks[body.MReaction+"foes"] != w {
					t.Fatal(f.State.Marks)
				}
			}
			if err := f.Try(act("b", "reaction", "", "", withParameters("reaction", "bored"))); err == nil {
				t.Fatal("bored is none of them")
			}
		})
	}
	// Without a word the dice say.
	f := newTable(t).add(one("a", "party"), one("b", "foes", group("foes"))).start(nil, 6, 1)
	f.Must(act("b", "reaction", "", ""), 6, 6)
	if f.State.Marks[body.MReaction+"foes"] != "friendly" {
		t.Fatal(f.State.Marks)
	}
	wantRefused(t, f.Try(act("a", "reaction", "", "")), cite.EncounterReactionRoll)
}

// original.surprise.monster-behaviour
func TestMonstersWithSurprise(t *testing.T) {
	field := func(settings ...string) *table {
		return newTable(t, settings...).at(0, one("a", "party")).at(30, one("ogre", "ogres", group("ogres"), speed(90), need(10))).start(object("surprised", []string{"party"}))
	}
	f := field()
	if !noted(f, "ogres close in or attack, or hold back", body.SetBehaviour) {
		t.Fatalf("%v", f.Events)
	}
	f.Must(act("ogre", "move", "", "", path(10))) // 20 feet, to 10
	f = field()
	f.Must(act("ogre", "move", "", "", path(5)))
	f.Must(act("ogre", "attack", "sword", "a"), 2)
	wantRefused(t, field().Try(act("ogre", "move", "", "", path(-16))), cite.MovementHalfMoveAndAttack)
	if f = field(body.SetBehaviour + "=off"); noted(f, "close in", body.SetBehaviour) {
		t.Fatal("switched off")
	}
}
