package condition_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play/condition"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

const text = `
- {name: incapacitated, text: It cannot act, rule: toy.incapacitated, bars: [act, react]}
- {name: unconscious, text: It knows nothing, rule: toy.unconscious, implies: [incapacitated, prone], bars: [perceive], ends: [healing], fleeting: true}
- {name: prone, text: It lies, rule: toy.prone, speed: "1/2", variants: [face-down]}
`

func book(t *testing.T) *condition.Book {
	t.Helper()
	b, err := condition.Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func in(names ...string) *eventv1.Creature {
	c := &eventv1.Creature{Name: "Ann"}
	for _, n := range names {
		c.Conditions = append(c.Conditions, &eventv1.Condition{Id: n, Name: n})
	}
	return c
}

func TestImpliedConditionsHold(t *testing.T) {
	b := book(t)
	c := in("unconscious")
	if !b.Has(c, "prone") || !b.Has(c, "incapacitated") || !b.Has(c, "unconscious") || b.Has(in("prone"), "unconscious") || b.Has(nil, "prone") {
		t.Error("what a condition includes does not follow it one way")
	}
	if x := b.On(c, "prone"); x == nil || x.Name != "unconscious" {
		t.Errorf("prone comes of %v", x)
	}
}

func TestBars(t *testing.T) {
	b := book(t)
	x, d := b.Barring(in("prone", "unconscious"), condition.BarsReacting)
	if x.GetName() != "unconscious" || d.Rule != "toy.incapacitated" {
		t.Errorf("barred by %v, %v", x, d)
	}
	err := b.Refuse(in("unconscious"), condition.BarsActing, "UNABLE")
	if f, ok := fault.As(err); !ok || f.Reason != "UNABLE" || f.Rule != "toy.incapacitated" || f.Message != "Ann is unconscious" {
		t.Errorf("refused: %v", err)
	}
	if err := b.Refuse(in("prone", "unknown"), condition.BarsActing, "UNABLE"); err != nil {
		t.Errorf("one who lies is refused: %v", err)
	}
}

func TestWordsAndFleeting(t *testing.T) {
	b := book(t)
	if got := b.Fleeting(); !slices.Equal(got, []string{"unconscious"}) {
		t.Errorf("fleeting: %v", got)
	}
	words := b.Words()
	if len(words) != 3 || words[2].Place != rules.PlaceCondition || words[2].Name != "prone" || words[2].Matter != rules.MatterWorld || len(words[2].Values) != 1 {
		t.Errorf("words: %+v", words)
	}
}

// What does not hold is refused, with the condition's name.
func TestReadRefuses(t *testing.T) {
	for name, entry := range map[string]string{
		"unknown field":   "{name: x, text: y, colour: red}",
		"no text":         "{name: x}",
		"no name":         "{text: y}",
		"implies nothing": "{name: x, text: y, implies: [z]}",
		"bars nothing":    "{name: x, text: y, bars: [dancing]}",
		"ends by nothing": "{name: x, text: y, ends: [luck]}",
		"seen by nobody":  "{name: x, text: y, seen: nobody}",
	} {
		if _, err := condition.Read([]byte("- " + entry + "\n")); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if _, err := condition.Read([]byte("- {name: x, text: y}\n- {name: x, text: z}\n")); err == nil || !strings.Contains(err.Error(), `"x"`) {
		t.Errorf("one name twice: %v", err)
	}
	if b, err := condition.Read(nil); err != nil || len(b.All()) != 0 {
		t.Errorf("an empty book: %v", err)
	}
}

// A book that is read at the first question is read once, and has no conditions when
// the file does not hold.
func TestLazily(t *testing.T) {
	reads := 0
	open := func(text string, err error) *condition.Book {
		reads = 0
		return condition.Lazily(func() ([]byte, error) { reads++; return []byte(text), err })
	}
	b := open("- {name: prone, text: lies, fleeting: true}\n", nil)
	if reads != 0 {
		t.Error("read before it is asked")
	}
	if b.Find("prone") == nil || len(b.Fleeting()) != 1 || b.Err() != nil || reads != 1 {
		t.Errorf("read %d times: %v, %v", reads, b.Find("prone"), b.Err())
	}
	gone := errors.New("gone")
	for name, b := range map[string]*condition.Book{"nothing to read": open("", gone), "a mistake": open("- {name: x}\n", nil)} {
		if b.Err() == nil || b.Find("x") != nil || len(b.All())+len(b.Words()) > 0 || b.Has(&eventv1.Creature{Conditions: []*eventv1.Condition{{Name: "y"}}}, "x") {
			t.Errorf("%s: %v, %v", name, b.Err(), b.All())
		}
	}
	if err := open("", gone).Err(); !errors.Is(err, gone) {
		t.Errorf("the error is %v", err)
	}
	if empty := (&condition.Book{}); empty.Err() != nil || empty.Find("x") != nil {
		t.Error("the zero book has conditions")
	}
}
