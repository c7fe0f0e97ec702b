package render

import (
	"fmt"
	"slices"
	"strings"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Style says how much is shown.
type Style struct {
	// Names are shown instead of creature ids; an id without one shows itself.
	// Injuries and tasks are named too, under keys of their own: see Names.
	Names map[string]string
	// Persons are what people are called, by the names of principals: shown before
	// these where a step says who.
	Persons map[string]string
	// Rules shows the rule ids behind each event.
	Rules bool
	// Bookkeeping shows the events that people rarely read: counters, marks,
	// items, sheets, settings and the like, and those that say of themselves
	// that they only keep books.
	Bookkeeping bool
	// Labels shows the exact label of each roll in braces, as an amendment and
	// a scenario name it.
	Labels bool
	// Record says that events are of a patient's record, not of an encounter.
	Record bool
}

// Names are the names of a state's creatures by id, of their injuries and of
// the tasks under way.
func Names(s *eventv1.State) map[string]string {
	s = safe(s)
	out := map[string]string{}
	for id, c := range s.GetCreatures() {
		out[id] = c.GetName()
		for _, in := range c.GetInjuries() {
			out[injuryKey(id, in.GetId())] = injuryName(in)
		}
	}
	for id, t := range s.GetTasks() {
		out[taskKey(id)] = taskName(t)
	}
	return out
}

// Learn adds the names that events give to creatures, injuries and tasks.
func (st *Style) Learn(events []*eventv1.Event) {
	events = safeAll(events)
	for _, e := range events {
		switch w := e.GetWhat().(type) {
		case *eventv1.Event_CreatureAdded:
			st.learn(w.CreatureAdded.Creature, w.CreatureAdded.Name)
		case *eventv1.Event_InjuryAdded:
			in := w.InjuryAdded.Injury
			st.learn(injuryKey(w.InjuryAdded.Creature, in.GetId()), injuryName(in))
		case *eventv1.Event_Task:
			st.learn(taskKey(w.Task.Task.GetId()), taskName(w.Task.Task))
		}
	}
}

func (st *Style) learn(key, name string) {
	if name == "" {
		return
	}
	if st.Names == nil {
		st.Names = map[string]string{}
	}
	st.Names[key] = name
}

// Keys of what is no creature have a blank in them, which no id has.
func injuryKey(creature, id string) string { return "injury " + creature + " " + id }
func taskKey(id string) string             { return "task " + id }

// injuryName is what an injury is called, each word said once: a scar of the
// part "scar" is a scar, and a finger injury needs no word that it is one.
func injuryName(in *eventv1.Injury) string {
	kind, part, text := spaced(in.GetKind()), spaced(in.GetPart()), in.GetDescription()
	if strings.EqualFold(kind, part) || strings.Contains(strings.ToLower(text), strings.ToLower(kind)) {
		kind = ""
	}
	part = join(in.GetSide(), part)
	if strings.EqualFold(part, text) {
		text = ""
	}
	said := slices.DeleteFunc([]string{kind, part, text}, func(s string) bool { return s == "" })
	return strings.Join(said, ", ")
}

func taskName(t *eventv1.Task) string { return orWord(t.GetText(), spaced(t.GetKind())) }

// spaced is an id of several words as people write it.
func spaced(id string) string { return strings.ReplaceAll(id, "-", " ") }

func (st Style) name(id string) string {
	if n := st.Names[id]; n != "" {
		return n
	}
	return id
}

// known is what is called so, or the id itself.
func (st Style) known(key, id string) string { return orWord(st.Names[key], id) }

func (st Style) names(ids []string) string {
	out := make([]string, 0, len(ids))
	for _, id := range ids {
		out = append(out, st.name(id))
	}
	return strings.Join(out, ", ")
}

// Events are events in words, one or more lines each, every line ended.
func (st Style) Events(events []*eventv1.Event) string {
	st, events = st.safe(), safeAll(events)
	if !st.Bookkeeping {
		events = fullest(events)
	}
	var b strings.Builder
	for _, e := range events {
		if line := st.Event(e); line != "" {
			b.WriteString(line)
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// Step is a step with its number. Of a ruling it shows what came out otherwise, or,
// where it does not say that, the state, since the events alone do not lead to it.
func (st Style) Step(s *encounterv1.Step) string {
	st, s = st.safe(), called(st.Persons, safe(s))
	if s.GetCorrected() != nil {
		return st.Corrected(s)
	}
	text := st.Events(s.GetEvents())
	if s.GetRuling() != nil {
		text = st.Ruling(s.GetBy(), s.Ruling) + st.Events(withoutRuling(s.GetEvents()))
	}
	if s.GetRestored() != nil && s.GetRuling() == nil {
		text += "A ruling changed what happened. The fight stands so:\n" + State(s.Restored)
	}
	if text == "" {
		return ""
	}
	by := ""
	if st.Bookkeeping && s.GetBy() != nil {
		by = " by " + join(roles[s.By.Role], s.By.Name)
	}
	return fmt.Sprintf("#%d%s\n%s", s.GetNumber(), by, text)
}

// roles are the words for who gave a command.
var roles = map[eventv1.Principal_Role]string{eventv1.Principal_ROLE_GM: "the game master", eventv1.Principal_ROLE_PLAYER: "player",
	eventv1.Principal_ROLE_SPECTATOR: "spectator"}

// Event is one event in words, without the end of the line; empty when the
// style leaves it out.
func (st Style) Event(e *eventv1.Event) string {
	st, e = st.safe(), safe(e)
	line, bookkeeping := st.words(e)
	if line == "" || (bookkeeping || e.GetBookkeeping()) && !st.Bookkeeping {
		return ""
	}
	if st.Rules && len(e.GetRules()) > 0 {
		line += "  (" + strings.Join(e.Rules, ", ") + ")"
	}
	switch e.GetAudience().GetKind() {
	case eventv1.Audience_KIND_GM:
		line += "  [gm only]"
	case eventv1.Audience_KIND_CREATURES:
		line += "  [for " + st.names(e.Audience.Creatures) + "]"
	}
	return line
}

// Words are one event in words, bookkeeping or not, without the rules behind it
// and without whose it is.
func (st Style) Words(e *eventv1.Event) string {
	st, e = st.safe(), safe(e)
	line, _ := st.words(e)
	return strings.TrimSpace(line)
}

// join puts the words that are not empty together.
func join(words ...string) string {
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " ")
}

// because adds a cause.
func because(cause string) string {
	if cause == "" {
		return ""
	}
	return "(" + cause + ")"
}

func with(word, what string) string {
	if what == "" {
		return ""
	}
	return word + " " + what
}

// indent puts two spaces before every line.
func indent(text string) string {
	return "  " + strings.ReplaceAll(text, "\n", "\n  ")
}

// sorted are a map's keys in order.
func sorted[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// word is the short form of an enum value: LIFE_STATUS_DEAD under
// "LIFE_STATUS_" is "dead".
func word(name, prefix string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(name, prefix)), "_", " ")
}

// Life is a life status in words.
func Life(s eventv1.LifeStatus) string { return word(s.String(), "LIFE_STATUS_") }
