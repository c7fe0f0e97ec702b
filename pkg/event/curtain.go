package event

import (
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// curtain puts Somebody in the place of creatures that are named in a text.
type curtain struct {
	hide []string // ids and names, longest first
	keep []string // what holds one of them and names somebody who is known
}

// newCurtain hides creatures in the texts of an event. A name that one of them
// shares with somebody whom the audience knows stays where the event does not
// name the hidden one by its id: to take it from the others would tell of it.
func newCurtain(s *eventv1.State, e *eventv1.Event, about []*eventv1.Creature) *curtain {
	t := curtainOf(s, about, func(c *eventv1.Creature) bool { return knows(e.Audience, c) })
	if len(t.keep) == 0 {
		return t
	}
	ids := &curtain{}
	for _, c := range about {
		ids.hide = append(ids.hide, c.Id)
	}
	byID := false
	walkText(e.ProtoReflect(), func(text string) string {
		byID = byID || ids.text(text) != text
		return text
	})
	if byID { // then it may be meant by its name as well
		t.keep = slices.DeleteFunc(t.keep, func(word string) bool {
			return slices.ContainsFunc(about, func(c *eventv1.Creature) bool { return c.Name == word })
		})
	}
	return t
}

func curtainOf(s *eventv1.State, about []*eventv1.Creature, known func(*eventv1.Creature) bool) *curtain {
	t := &curtain{}
	for _, c := range about {
		t.hide = append(t.hide, c.Id)
		if c.Name != "" {
			t.hide = append(t.hide, c.Name)
		}
	}
	// order-free: sorted below
	for _, c := range s.Creatures {
		if c.Staged && !known(c) {
			continue
		}
		for _, word := range []string{c.Id, c.Name} {
			if slices.ContainsFunc(t.hide, func(h string) bool { return strings.Contains(word, h) }) {
				t.keep = append(t.keep, word)
			}
		}
	}
	longestFirst(t.hide)
	longestFirst(t.keep)
	return t
}

func longestFirst(words []string) {
	slices.SortFunc(words, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
}

// text is a text without those who are hidden. A word is one that stands by
// itself.
func (t *curtain) text(text string) string {
	if !slices.ContainsFunc(t.hide, func(h string) bool { return strings.Contains(text, h) }) {
		return text
	}
	var out strings.Builder
	for at := 0; at < len(text); {
		word, hidden := "", false
		if at == 0 || !inWord(text[at-1]) {
			word = begins(text[at:], t.keep)
			if h := begins(text[at:], t.hide); len(h) > len(word) {
				word, hidden = h, true
			}
		}
		switch {
		case word == "":
			out.WriteByte(text[at])
			at++
			continue
		case hidden:
			out.WriteString(Somebody)
		default:
			out.WriteString(word)
		}
		at += len(word)
	}
	return out.String()
}

// begins is the first of some words with which a text begins, as a word of its
// own.
func begins(text string, words []string) string {
	for _, w := range words {
		if strings.HasPrefix(text, w) && (len(text) == len(w) || !inWord(text[len(w)])) {
			return w
		}
	}
	return ""
}

func inWord(b byte) bool {
	return b == '-' || b == '_' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || b >= 0x80
}

// KnownTo tells whether a principal knows that a creature is there. Nil is the
// game master.
func KnownTo(s *eventv1.State, c *eventv1.Creature, p *eventv1.Principal) bool {
	if !c.GetStaged() || p == nil || Belongs(c, p) {
		return true
	}
	return slices.ContainsFunc(c.KnownTo, func(id string) bool {
		return s.Creatures[id] != nil && Belongs(s.Creatures[id], p)
	})
}

// Veiler puts Somebody in the place of every creature that is staged and that a
// principal does not know of, in texts that are no event: refusals. What the
// principal said itself stays: said tells whether it said a word, and to change
// an echo would tell that there is such a creature. Nil when nobody is hidden.
func Veiler(s *eventv1.State, p *eventv1.Principal, said func(word string) bool) func(text string) string {
	known := func(c *eventv1.Creature) bool { return KnownTo(s, c, p) }
	var about []*eventv1.Creature
	// order-free: the words are sorted
	for _, c := range s.GetCreatures() {
		if !known(c) {
			about = append(about, c)
		}
	}
	if len(about) == 0 {
		return nil
	}
	t := curtainOf(s, about, known)
	t.hide = slices.DeleteFunc(t.hide, said)
	return t.text
}

// VeilNote is a note for an audience without those whom it does not know of,
// and the whole of it for the game master where that differs.
func VeilNote(s *eventv1.State, audience *eventv1.Audience, creature, text string) []*eventv1.Event {
	full := New(audience, &eventv1.Note{Creature: creature, Text: text})
	about := unknownIn(s, full)
	if len(about) == 0 || audience.GetKind() == eventv1.Audience_KIND_GM {
		return []*eventv1.Event{full}
	}
	told := newCurtain(s, full, about).text(text)
	return []*eventv1.Event{New(audience, &eventv1.Note{Creature: creature, Text: told}), New(GM(), &eventv1.Note{Creature: creature, Text: text})}
}

// SaidIn tells whether any text of a message holds a word.
func SaidIn(m proto.Message) func(word string) bool {
	var texts []string
	walkText(m.ProtoReflect(), func(text string) string {
		texts = append(texts, text)
		return text
	})
	return func(word string) bool {
		return slices.ContainsFunc(texts, func(text string) bool { return (&curtain{hide: []string{word}}).text(text) != text })
	}
}
