package render_test

import (
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/render"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Of a contest whoever hears several accounts reads the fullest, once; with the
// bookkeeping all of them, with who hears each.
func TestAContestIsToldOnce(t *testing.T) {
	set := func(a *eventv1.Audience, words string) *eventv1.Event {
		return event.New(a, &eventv1.ContestSet{Contest: &eventv1.Contest{Id: "c1", By: &eventv1.Principal{Name: "kim"}, Words: words}})
	}
	events := []*eventv1.Event{set(event.Everyone(), "no"), event.New(event.Everyone(), &eventv1.Note{Text: "between"}), set(event.GM(), "it was dark")}
	text := render.Style{}.Events(events)
	if strings.Count(text, "Contest c1") != 1 || !strings.Contains(text, "it was dark") || !strings.Contains(text, "between") {
		t.Errorf("the contest reads\n%s", text)
	}
	if all := (render.Style{Bookkeeping: true}).Events(events); strings.Count(all, "Contest c1") != 2 {
		t.Errorf("all of it reads\n%s", all)
	}
}

// What was mixed into dice reads as words where it is words.
func TestMixedWords(t *testing.T) {
	for value, want := range map[string]string{"seven of swords": `"seven of swords"`, "grün": `"grün"`, "a\x00b": "610062", "\xff": "ff", `a"b`: `"a\"b"`} {
		e := event.New(event.Everyone(), &eventv1.EntropyGiven{Epoch: 1, Contributor: "player/ann", Value: []byte(value)})
		if got := (render.Style{}).Event(e); !strings.HasSuffix(got, ": "+want) {
			t.Errorf("%q reads %s, want %s", value, got, want)
		}
	}
}

// A state that is only read says so.
func TestImportedState(t *testing.T) {
	s := &eventv1.State{Encounter: "e", Title: "E", System: "basic", SystemVersion: "3"}
	if plain := render.State(s); strings.Contains(plain, "only read") {
		t.Errorf("an encounter of this server reads %s", plain)
	}
	if s.Imported = true; !strings.Contains(render.State(s), "E (e, basic 3): unspecified; brought from another server and only read\n") {
		t.Errorf("an imported one reads %s", render.State(s))
	}
}
