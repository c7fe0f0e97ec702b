package declaring

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Traits of actions.
const (
	// declares: it is a full round action, declared for the round.
	declares play.Traits = 1 << iota
	// answers: it is no action but the answer to a question.
	answers
)

// May says why a creature may not take an action at all now.
func May(at *play.At) error {
	switch a := at.Action; {
	case a.Is(answers):
		return body.Refuse("NOT_ASKED", a.Rule, "%s is the answer to a question", a.Title)
	case a.Is(declares):
		return GlanceOf(at).MayDeclare()
	}
	return GlanceOf(at).mayMeddle()
}

// Glance is what several actions of a listing ask of one creature, each worked out
// when it is first asked.
type Glance struct {
	State   *eventv1.State
	Actor   *eventv1.Creature
	Content *effects.Book

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
	plan *Declaration
}

// GlanceOf is the glance that the frame has put into at.Scratch; it panics without one.
func GlanceOf(at *play.At) *Glance { return at.Scratch.(*Glance) }

// MayDeclare says whether the creature may declare now.
func (g *Glance) MayDeclare() error {
	if !g.judged {
		g.judged, g.declare = true, mayDeclare(g.State, g.Actor)
	}
	return g.declare
}

// mayMeddle says whether the creature may do small things now.
func (g *Glance) mayMeddle() error {
	if !g.small {
		g.small, g.meddle = true, mayMeddle(g.State, g.Actor, g.MayDeclare())
	}
	return g.meddle
}

// everybody is all who are not out of the fight, by id.
func (g *Glance) everybody() []string {
	if !g.counted {
		g.counted, g.living = true, body.Living(g.State)
		g.foes = slices.DeleteFunc(slices.Clone(g.living), func(id string) bool { return id == g.Actor.Id })
	}
	return g.living
}

// others are those of everybody who are somebody else.
func (g *Glance) others() []string {
	g.everybody()
	return g.foes
}

// bonus lists the bonus actions to be had.
func (g *Glance) bonus() []string {
	if !g.readied {
		g.readied = true
		if g.Actor.Counters[body.CBonus] > 0 {
			g.extras = extras(g.State, g.Actor)
		}
	}
	return g.extras
}

// space is room for the words of one option; those of the one before are forgotten.
func (g *Glance) space() []play.Field {
	if g.fields == nil {
		g.fields = make([]play.Field, 16)
	}
	return g.fields[:0]
}
