package original

import (
	"slices"
	"sync"

	content "github.com/skaldrpg/skald/pkg/content/original"
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/original/moving"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
)

// frame is everything that creatures can do; a bad table leaves none and says why.
var frame = sync.OnceValues(func() (*play.Frame, error) {
	actions := slices.Concat(attackActions(), thestrike.FlorentineActions(), attemptActions(), spellActions(), chargeActions(), moving.MoveActions(), retreatActions(),
		moving.PursuitActions(), grappleActions(), tableActions())
	table, err := content.Book().Table("words")
	if err != nil {
		return nil, err
	}
	words, err := rules.ReadVocabulary(table, play.IDs(actions), thestrike.ConditionBook.Words()...)
	if err != nil {
		return nil, err
	}
	return play.New(play.Frame{System: body.ID, Words: words, May: thestrike.May, EndTurn: thestrike.MayEnd, EndTurnTitle: "End turn", EndTurnRule: cite.TurnPrecedence,
		Prepare: func(at *play.At) { at.Scratch = thestrike.Look(at) },
		Perform: func(r *rules.Resolution, at *play.At) error {
			if err := at.Action.Do(r, at); err != nil {
				return err
			}
			return settle(r)
		}}, actions)
})
