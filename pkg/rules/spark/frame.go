package spark

import (
	"sync"

	content "github.com/skaldrpg/skald/pkg/content/spark"
	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// kernel is what creatures can do; the error says what is wrong with the vocabulary
// or with an action.
var kernel = sync.OnceValues(func() (*play.Frame, error) {
	list := append(declaring.Declarations(), declaring.Others()...)
	table, err := content.Book().Table("words")
	if err != nil {
		return nil, err
	}
	words, err := rules.ReadVocabulary(table, play.IDs(list), body.Conditions.Words()...)
	if err != nil {
		return nil, err
	}
	return play.New(play.Frame{System: body.ID, Words: words, May: declaring.May, Perform: perform,
		Prepare: func(at *play.At) {
			at.Scratch = &declaring.Glance{State: at.State, Actor: at.Actor, Content: at.Content}
		},
		Lasts:   play.Lasts{Minor: []string{body.CReaction}},
		EndTurn: func(at *play.At) error { return declaring.GlanceOf(at).MayDeclare() }, EndTurnTitle: "Pass", EndTurnRule: cite.TurnTwoHalves}, list)
})

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

// HoldsTurn tells whether something that may be done keeps a turn from ending by itself.
func (System) HoldsTurn(c *eventv1.Creature, o *eventv1.Option) bool {
	f, err := kernel()
	if err != nil {
		return false // Validate says why
	}
	return f.HoldsTurn(c, o)
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
