package play

import (
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// At is where an action stands: who would do what with what, in which state. It
// is used by one goroutine, and lives no longer than the call that made it.
type At struct {
	// State that is looked at: of a listing the viewer's, of a command the working
	// state before it.
	State *eventv1.State
	// Actor is who would do it.
	Actor *eventv1.Creature
	// Action that is looked at.
	Action *Action
	// Take is the command; never nil. In a listing it says no more than creature,
	// action and item.
	Take *eventv1.TakeAction
	// Listing tells a listing from a command: what a command must say need not be said
	// yet.
	Listing bool
	// Content is what the encounter's packs add to the book; nil when there is nothing.
	Content *effects.Book
	// Scratch is the system's own: what it works out once for all actions of a
	// listing. See [Frame.Prepare].
	Scratch any
	spare   any     // Scratch of a listing that is over, to be used again
	kept    *listed // of a listing
	frame   *Frame
	ids     []string
	room    *rules.Room
	told    rules.Told // of the refusal before
	// query of a listing; of a command it wants everything.
	query *rules.Query
}

// Fresh is an empty T for Prepare to make a Scratch of: that of a listing that is over
// where there is one.
func Fresh[T any](at *At) *T {
	old, ok := at.spare.(*T)
	if !ok {
		return new(T)
	}
	var empty T
	*old = empty
	return old
}

// FieldList is an empty list with room for some fields, for an action's Fields to fill
// and return.
func (at *At) FieldList() []Field {
	if at.kept == nil || at.kept.lent {
		return make([]Field, 0, someFields)
	}
	at.kept.lent = true
	return at.kept.fields[:0]
}

// someFields is how many fields most actions have at most.
const someFields = 6

// everything is the query of a command. It must not be changed.
var everything rules.Query

// Enough tells whether so many choices inside an action are enough: where the listing
// leaves them out, it only matters that there is one.
func (at *At) Enough(choices int) bool { return at.query.WithoutDetails && choices > 0 }

// Unread tells whether nobody reads why something cannot be done: then [Refused] does.
func (at *At) Unread() bool { return at.query.LegalOnly }

// Refused stands for every refusal that nobody reads.
var Refused = fault.Refuse("REFUSED", "", "it cannot be done")

// Refuse makes a refusal with the rule id behind it, or is [Refused] where nobody reads
// why: most refusals are met in looking for what can be done, and this one costs nothing.
func (at *At) Refuse(reason, rule, format string, words ...string) error {
	return RefuseUnless(at.Unread(), reason, rule, format, words...)
}

// RefuseUnless is [At.Refuse] for whoever knows whether the refusal is unread.
func RefuseUnless(unread bool, reason, rule, format string, words ...string) error {
	if unread {
		return Refused
	}
	args := make([]any, len(words))
	for i, w := range words {
		args[i] = w
	}
	return fault.Refuse(reason, rule, format, args...)
}

// Item that it is done with.
func (at *At) Item() string { return at.Take.GetItem() }

// Target is the first target of the command; nil when it names none.
func (at *At) Target() *eventv1.Creature {
	if len(at.Take.GetTargets()) == 0 {
		return nil
	}
	return at.State.Creatures[at.Take.Targets[0]]
}

// Word, Truth and Number read a parameter of the command.
func (at *At) Word(name string) string { return spoken.Word(at.Take.GetParameters(), name) }

// Truth reads a parameter that is true or false; false when it is not given.
func (at *At) Truth(name string) bool { return spoken.Truth(at.Take.GetParameters(), name) }

// Number reads a parameter that is a whole number and tells whether it is given.
func (at *At) Number(name string) (int32, bool) {
	return spoken.Number(at.Take.GetParameters(), name)
}

// Said is what the vocabulary says of a parameter of the action; nil when it does not
// know it. It must not be changed.
func (at *At) Said(name string) *eventv1.Parameter { return at.Action.shown.words[name] }

// Creatures are the ids of all creatures on the field, in order. The list is shared:
// it must not be changed.
func (at *At) Creatures() []string {
	if at.ids == nil {
		at.ids = rules.SortedKeys(at.State.GetCreatures())
	}
	return at.ids
}

// Option is the option to do it as At.Take says: see [Frame.Option].
func (at *At) Option() *eventv1.Option { return at.frame.Option(at) }

// Of is another action in the same place, such as one that is readied: take says
// what would be done then.
func (at *At) Of(a *Action, take *eventv1.TakeAction) *At {
	inner := *at
	inner.Action, inner.Take = a, take
	return &inner
}
