package spark

import (
	"slices"
	"sync"

	content "github.com/skaldrpg/skald/pkg/content/spark"
	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Traits of actions.
const (
	// declares: it is a full round action, declared for the round.
	declares play.Traits = 1 << iota
	// answers: it is no action but the answer to a question.
	answers
)

// kernel is what creatures can do; the error says what is wrong with the vocabulary
// or with an action.
var kernel = sync.OnceValues(func() (*play.Frame, error) {
	list := append(declarations(), others()...)
	table, err := content.Book().Table("words")
	if err != nil {
		return nil, err
	}
	words, err := rules.ReadVocabulary(table, play.IDs(list), conditions.Words()...)
	if err != nil {
		return nil, err
	}
	return play.New(play.Frame{System: ID, Words: words, May: may, Perform: perform,
		Prepare: func(at *play.At) { at.Scratch = &glance{state: at.State, actor: at.Actor} },
		EndTurn: func(at *play.At) error { return glanceOf(at).mayDeclare() }, EndTurnTitle: "Pass", EndTurnRule: cite.TurnTwoHalves}, list)
})

// may says why a creature may not take an action at all now.
func may(at *play.At) error {
	switch a := at.Action; {
	case a.Is(answers):
		return refuse("NOT_ASKED", a.Rule, "%s is the answer to a question", a.Title)
	case a.Is(declares):
		return glanceOf(at).mayDeclare()
	}
	return glanceOf(at).mayMeddle()
}

// perform carries an action out, and what follows when nobody is left to declare.
func perform(r *rules.Resolution, at *play.At) error {
	if err := at.Action.Do(r, at); err != nil {
		return err
	}
	return settle(r)
}

// Act carries out an action: a declaration, or one of the small things that may be
// done while the table declares.
func (System) Act(r *rules.Resolution, take *eventv1.TakeAction) error {
	f, err := kernel()
	if err != nil {
		return err
	}
	return f.Act(r, take)
}

// Options lists what a creature may declare or do now, and why not the rest.
func (System) Options(q rules.Query) []*eventv1.Option {
	f, err := kernel()
	if err != nil {
		return nil // Validate says why
	}
	return f.Options(q)
}

// Vocabulary lists every word that commands may say in this system.
func (System) Vocabulary() *rules.Vocabulary {
	f, err := kernel()
	if err != nil {
		return nil // Validate says why
	}
	return f.Words
}

// glance is what several actions of a listing ask of one creature, each worked out
// when it is first asked.
type glance struct {
	state *eventv1.State
	actor *eventv1.Creature

	judged, small   bool
	declare, meddle error

	counted      bool
	living, foes []string

	readied bool
	extras  []string
	made    []play.Field
	fields  []play.Field

	weighed bool
	threats []threat

	// plan is the command as a declaration, once Check has judged it.
	plan *declaration
}

func glanceOf(at *play.At) *glance { return at.Scratch.(*glance) }

// mayDeclare says whether the creature may declare now.
func (g *glance) mayDeclare() error {
	if !g.judged {
		g.judged, g.declare = true, mayDeclare(g.state, g.actor)
	}
	return g.declare
}

// mayMeddle says whether the creature may do small things now.
func (g *glance) mayMeddle() error {
	if !g.small {
		g.small, g.meddle = true, mayMeddle(g.state, g.actor, g.mayDeclare())
	}
	return g.meddle
}

// everybody is all who are not out of the fight, by id.
func (g *glance) everybody() []string {
	if !g.counted {
		g.counted, g.living = true, living(g.state)
		g.foes = slices.DeleteFunc(slices.Clone(g.living), func(id string) bool { return id == g.actor.Id })
	}
	return g.living
}

// others are those of everybody who are somebody else.
func (g *glance) others() []string {
	g.everybody()
	return g.foes
}

// bonus lists the bonus actions to be had.
func (g *glance) bonus() []string {
	if !g.readied {
		g.readied, g.extras = true, extras(g.state, g.actor)
	}
	return g.extras
}

// space is room for the words of one option; those of the one before are forgotten.
func (g *glance) space() []play.Field {
	if g.fields == nil {
		g.fields = make([]play.Field, 16)
	}
	return g.fields[:0]
}
