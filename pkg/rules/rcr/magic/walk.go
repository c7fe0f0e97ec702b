package magic

import (
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// NoteStart notes in whose reach a creature stands before it moves for the
// first time in its turn.
func NoteStart(r *rules.Resolution, id string) {
	c := r.Creature(id)
	if c.Marks[body.MStarted] != "" {
		return
	}
	r.Emit(event.GM(), &eventv1.MarkSet{Subject: id, Mark: body.MStarted, Value: rules.Yes})
	for _, other := range r.CreatureIDs() {
		e := r.Creature(other)
		if body.Hostile(e, c) && answers.WithinReach(e, c) {
			r.Relate(id, &eventv1.Relation{Kind: body.RelStarted, To: other, Round: r.State().Round})
		}
	}
}
