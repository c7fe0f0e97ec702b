package rules

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Resolution is one run of a rule system's function. It is used by that
// function alone and is dead when the function returns.
type Resolution struct {
	ctx       context.Context
	sys       System
	req       Request
	provider  Provider
	state     *eventv1.State // of shared
	shared    *event.Shared
	events    []*eventv1.Event
	inputs    []*eventv1.Input
	used      []bool // recorded inputs already taken
	counts    map[address]uint32
	defaults  Defaults
	facesUsed int
	result    *eventv1.HarmResult
	odds      []*eventv1.RollOdds
	watch     func(rollMade) // of a forecast; nil otherwise
	pick      picker         // of a foresight; nil otherwise
	actor     string         // creature of the command; empty when none acts
	drew      bool           // a face that the server drew was met in this run
	broke     bool           // the provider failed: no refusal of the rules
	veils     bool           // some creature is staged
	own       *effects.Book  // of the system's book, once it was looked for
	looked    bool           // it was
	setOff    bool           // what happens now was set off by content
	given     dice.FaceList  // of the roll that is being made
	ints      []int          // of given
	tree      *dice.Room     // of that roll
}

// State is the working state: every event emitted so far is in it. It must
// only be read.
func (r *Resolution) State() *eventv1.State { return r.state }

// CreatureIDs are the ids of all creatures of the working state, in order. The list must
// not be changed; one that was given stays as it is when somebody comes or goes.
func (r *Resolution) CreatureIDs() []string {
	return r.shared.IDs()
}

// Content is what the encounter is played with: the packs over what the system's book
// has of its own; it may be nil, which has nothing.
func (r *Resolution) Content() *effects.Book {
	if r.req.Content != nil {
		return r.req.Content
	}
	if !r.looked {
		r.own, r.looked = OwnBook(r.sys), true
	}
	return r.own
}

// Creature finds a creature of the working state; nil when there is none.
func (r *Resolution) Creature(id string) *eventv1.Creature { return r.state.Creatures[id] }

// Known finds a creature that whoever gave the command knows of; nil when there
// is none or it is staged and nobody told the caller. Who answers later, and so
// has the command run again, does not count: the words are not the answerer's.
func (r *Resolution) Known(id string) *eventv1.Creature {
	c := r.state.Creatures[id]
	if !event.KnownTo(r.state, c, r.req.Caller) {
		return nil
	}
	return c
}

// named finds a creature that a command names: one that is Known, or any where
// the game master's ruling decides the command.
func (r *Resolution) named(id string) *eventv1.Creature {
	if r.req.Speaker == nil {
		return r.Creature(id)
	}
	return r.Known(id)
}

// Value is a setting's value in force.
func (r *Resolution) Value(setting string) string {
	return r.defaults.Value(r.state, setting)
}

// On tells whether a toggle is on.
func (r *Resolution) On(setting string) bool { return r.defaults.On(r.state, setting) }

// Number is a setting's value as a number; 0 when it is none.
func (r *Resolution) Number(setting string) int { return r.defaults.Number(r.state, setting) }

// Emit appends an event and applies it to the working state. The message must
// not be changed afterwards.
func (r *Resolution) Emit(audience *eventv1.Audience, what proto.Message, rules ...string) {
	r.add(event.New(audience, what, rules...))
}

func (r *Resolution) add(e *eventv1.Event) {
	if len(r.events) >= maxEvents {
		r.fail(fault.Limit("events of one action", maxEvents, maxEvents+1))
	}
	r.markBooks(e)
	if !r.veils && e.GetStaged() == nil {
		r.events = append(r.events, e)
		r.shared.Fold(e)
		return
	}
	for _, told := range event.Veil(r.state, e) {
		r.events = append(r.events, told)
		r.shared.Fold(told)
	}
	r.veils = anyStaged(r.state)
}

func anyStaged(s *eventv1.State) bool {
	// order-free: any one is enough
	for _, c := range s.Creatures {
		if c.Staged {
			return true
		}
	}
	return false
}

// Set gives a counter of a creature, a side ("side:NAME") or the encounter
// ("") a new value, for the audience that the system gives that counter.
// Nothing is emitted when the value stays.
func (r *Resolution) Set(subject, counter string, value int64, cause string, rules ...string) {
	was := r.Count(subject, counter)
	if was == value {
		return
	}
	made := &struct { // at once: of all events these are the most
		event eventv1.Event
		what  eventv1.Event_Counter
		set   eventv1.CounterSet
	}{}
	set := &made.set
	set.Subject, set.Counter, set.Value, set.Was, set.Cause = subject, counter, value, was, cause
	made.what.Counter = set
	made.event.Audience, made.event.Rules, made.event.What = r.sys.Audience(r.state, FactCounter, counter, subject), rules, &made.what
	r.add(&made.event)
}

// Count is a counter's value; 0 when it was never set.
func (r *Resolution) Count(subject, counter string) int64 {
	if subject == "" {
		return r.state.Counters[counter]
	}
	if len(subject) > len(event.SidePrefix) && subject[:len(event.SidePrefix)] == event.SidePrefix {
		return r.state.Sides[subject[len(event.SidePrefix):]].GetCounters()[counter]
	}
	return r.state.Creatures[subject].GetCounters()[counter]
}

// Mark gives a mark a new word for the audience that the system gives it; an
// empty word removes it. Nothing is emitted when the word stays.
func (r *Resolution) Mark(subject, mark, value string, rules ...string) {
	if c := r.state.Creatures[subject]; c.GetMarks()[mark] == value && subject != "" {
		return
	}
	r.Emit(r.sys.Audience(r.state, FactMark, mark, subject), &eventv1.MarkSet{Subject: subject, Mark: mark, Value: value}, rules...)
}

// Note says something worth saying.
func (r *Resolution) Note(audience *eventv1.Audience, creature, text string, rules ...string) {
	r.Emit(audience, &eventv1.Note{Creature: creature, Text: text}, rules...)
}

// Audience is the audience that the system gives a fact.
func (r *Resolution) Audience(kind FactKind, name, creature string) *eventv1.Audience {
	return r.sys.Audience(r.state, kind, name, creature)
}

// fail unwinds the run with an error.
func (r *Resolution) fail(err error) { panic(failure{err}) }

// address is what is counted within an action: a full label, of a roll on a branch.
type address struct{ branch, label string }

// address gives a label its full path and its index within the action.
func (r *Resolution) address(label string) (string, uint32) { return r.rollAddress(label, "") }

// rollAddress gives a roll its full label and its index among the rolls of the
// label on one branch: what is rolled on another branch, perhaps unseen, does
// not count.
func (r *Resolution) rollAddress(label, branch string) (string, uint32) {
	at := address{branch, r.req.Prefix + label}
	n := r.counts[at]
	r.counts[at] = n + 1
	return at.label, n
}

// decisionID names a decision; it tells an onlooker nothing: without the key
// nobody can try out which action it belongs to. What is asked and who is asked
// are part of the name, so that an answer never passes for one to something
// else that a changed past asks at the same place.
func (r *Resolution) decisionID(label string, index uint32, what, whom string) string {
	var room [192]byte
	text := append(room[:0], "skald/decision/v2\x00"...)
	text = append(append(text, r.state.Encounter...), 0)
	text = append(strconv.AppendUint(text, r.req.Action, 10), 0)
	text = append(append(text, label...), 0)
	text = append(strconv.AppendUint(text, uint64(index), 10), 0)
	text = append(append(append(text, what...), 0), whom...)
	mac := hmac.New(sha256.New, r.req.Key)
	mac.Write(text)
	return hex.EncodeToString(mac.Sum(text[:0])[:8])
}

// recorded takes the first unused recorded input that fits.
func (r *Resolution) recorded(fits func(*eventv1.Input) bool) *eventv1.Input {
	for i, in := range r.req.Recorded {
		if !r.used[i] && fits(in) {
			r.used[i] = true
			return in
		}
	}
	return nil
}

func (r *Resolution) record(in *eventv1.Input) { r.inputs = append(r.inputs, in) }

// recordDraw records what was drawn for a roll.
func (r *Resolution) recordDraw(label string, index uint32, d *eventv1.Draw) {
	in := &struct { // made at once
		input eventv1.Input
		what  eventv1.Input_Draw
	}{}
	in.what.Draw = d
	in.input.Label, in.input.Index, in.input.What = label, index, &in.what
	r.record(&in.input)
}

// faces are the supplied faces still unused.
func (r *Resolution) faces() []int32 { return r.req.Faces[r.facesUsed:] }
