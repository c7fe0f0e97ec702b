package corrected_test

import (
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/corrected"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// deed is a redecided command that tells notes, those with a leading "!" to the game
// master alone.
func deed(t *testing.T, origin uint64, notes ...string) *eventv1.Redecided {
	t.Helper()
	out := &eventv1.Redecided{Origin: origin}
	for _, text := range notes {
		audience := event.Everyone()
		if text[0] == '!' {
			audience = event.GM()
		}
		data, err := proto.Marshal(event.New(audience, &eventv1.Note{Text: text}))
		if err != nil {
			t.Fatal(err)
		}
		out.Events = append(out.Events, data)
	}
	return out
}

func history(t *testing.T, version uint64, commands ...*eventv1.Redecided) *corrected.History {
	t.Helper()
	h, err := corrected.Planned(event.NewState(), version, commands)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// A viewer's numbers begin with the first command that came out otherwise for it, and
// count nothing that it hears nothing of.
func TestNumbersAreTheViewersOwn(t *testing.T) {
	before := history(t, 9, deed(t, 2, "a"), deed(t, 3, "!x"), deed(t, 4, "b"), deed(t, 5, "c"), deed(t, 6, "!z"), deed(t, 7, "d"))
	put := deed(t, 10, "put in")
	put.Inserted = true
	after := history(t, 10, deed(t, 2, "a"), deed(t, 3, "!y"), deed(t, 4, "b", "more"), put, deed(t, 6, "!z"), deed(t, 7, "d"))
	type line struct {
		number, origin uint64
		kind           encounterv1.Corrected_Kind
		through        int
	}
	for name, want := range map[string]struct {
		as    *eventv1.Principal
		lines []line
	}{
		"the game master": {&eventv1.Principal{Role: eventv1.Principal_ROLE_GM}, []line{
			{1, 3, encounterv1.Corrected_KIND_CHANGED, 2}, {2, 4, encounterv1.Corrected_KIND_CHANGED, 3}, {3, 5, encounterv1.Corrected_KIND_GONE, 3},
			{4, 10, encounterv1.Corrected_KIND_NEW, 4}, {5, 6, encounterv1.Corrected_KIND_SAME, 5}, {6, 7, encounterv1.Corrected_KIND_SAME, 6}}},
		"a spectator": {&eventv1.Principal{Role: eventv1.Principal_ROLE_SPECTATOR}, []line{
			{1, 4, encounterv1.Corrected_KIND_CHANGED, 3}, {2, 5, encounterv1.Corrected_KIND_GONE, 3},
			{3, 10, encounterv1.Corrected_KIND_NEW, 4}, {4, 7, encounterv1.Corrected_KIND_SAME, 6}}},
	} {
		var got []line
		for told, err := range corrected.For(want.as, corrected.Pairs(t.Context(), before, after)) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, line{told.Number, told.Origin, told.Kind, told.Through})
		}
		if !slices.Equal(got, want.lines) {
			t.Errorf("%s is told %v, want %v", name, got, want.lines)
		}
	}
}

// The step of a ruling holds a page, and says when there is more.
func TestAPageOfARuling(t *testing.T) {
	var was, is []*eventv1.Redecided
	for origin := uint64(2); origin < 102; origin++ {
		was, is = append(was, deed(t, origin, "a")), append(is, deed(t, origin, "b"))
	}
	gm := &eventv1.Principal{Role: eventv1.Principal_ROLE_GM}
	told := &encounterv1.Ruling{}
	page := corrected.Page{Step: func(origin uint64) uint64 { return origin }}
	if err := page.Fill(told, corrected.For(gm, corrected.Pairs(t.Context(), history(t, 200, was...), history(t, 201, is...)))); err != nil {
		t.Fatal(err)
	}
	if len(told.Steps) != 50 || !told.More || told.Steps[49].Corrected.Step != 51 {
		t.Errorf("%d steps, more %v", len(told.Steps), told.More)
	}
}

// Two chains part where a command is held elsewhere or was answered otherwise.
func TestSince(t *testing.T) {
	a := []replica.Link{{Origin: 1, At: 1}, {Origin: 2, At: 2, Answers: []uint64{3}}, {Origin: 4, At: 4}}
	for name, c := range map[string]struct {
		b    []replica.Link
		want int
	}{
		"the same":            {slices.Clone(a), 3},
		"shorter":             {a[:2], 2},
		"another answer":      {[]replica.Link{a[0], {Origin: 2, At: 2, Answers: []uint64{5}}}, 1},
		"in an amendment":     {[]replica.Link{a[0], {Origin: 2, At: 9}}, 1},
		"nothing in common":   {nil, 0},
		"one more at the end": {append(slices.Clone(a), replica.Link{Origin: 6, At: 6}), 3},
	} {
		if got := corrected.Since(a, c.b); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
