package api

import (
	"context"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// GetOptions lists what creatures may do, from the caller's view.
func (s *Server) GetOptions(ctx context.Context, req *encounterv1.GetOptionsRequest) (*encounterv1.GetOptionsResponse, error) {
	f, table, release, err := s.open(ctx, req.As, req.Table, req.Encounter)
	if err != nil {
		return nil, err
	}
	defer release()
	var state *eventv1.State
	var number uint64
	waiting := false
	f.Read(func(r *replica.Replica) {
		v := r.View(req.As)
		state, number, waiting = event.Clone(v.State), uint64(len(v.Versions)), r.Pending != nil
	})
	sys, err := s.Systems.System(state.System)
	if err != nil {
		return nil, err
	}
	book, err := s.Engine.Book(ctx, f, state)
	if err != nil {
		return nil, err
	}
	ids := []string{req.Creature}
	if req.Creature == "" {
		ids = nil
		for _, id := range rules.SortedKeys(state.Creatures) {
			if event.Controls(state.Creatures[id], req.As) {
				ids = append(ids, id)
			}
		}
	} else if state.Creatures[req.Creature] == nil {
		return nil, fault.New(fault.NotFound, "UNKNOWN_CREATURE", "creature: there is no creature %q%s", req.Creature,
			rules.DidYouMean(req.Creature, rules.SortedKeys(state.Creatures)))
	} else if !event.Controls(state.Creatures[req.Creature], req.As) {
		return nil, fault.New(fault.Denied, "NOT_YOUR_CREATURE", "you do not control %q", req.Creature)
	}
	words := newWords(sys)
	out := &encounterv1.GetOptionsResponse{Cursor: encodeCursor(table, req.Encounter, req.As, number)}
	for _, id := range ids {
		for _, o := range sys.Options(rules.Query{State: state, Content: book, Creature: id}) {
			switch {
			case !rules.MayCall(sys, req.As, o.Action):
				continue
			case state.Status != eventv1.State_STATUS_STARTED:
				o.Legal, o.Reason = false, "the encounter is not under way"
			case waiting && o.Legal:
				o.Legal, o.Reason = false, "the encounter waits for a decision"
			}
			words.add(o)
			out.Options = append(out.Options, o)
		}
	}
	return out, nil
}

// words adds to options what may be said with them.
type words struct {
	vocabulary *rules.Vocabulary
	facts      map[string][]*eventv1.Parameter // by action
}

func newWords(sys rules.System) *words {
	return &words{vocabulary: rules.VocabularyOf(sys), facts: map[string][]*eventv1.Parameter{}}
}

// add lists the facts that may be stated, and says whose matter each parameter is.
func (w *words) add(o *eventv1.Option) {
	if w.vocabulary == nil {
		return
	}
	facts, known := w.facts[o.Action]
	if !known {
		facts = w.vocabulary.Parameters(rules.PlaceFact, o.Action)
		w.facts[o.Action] = facts
	}
	o.Facts = facts
	for i, p := range o.Parameters {
		if word := w.vocabulary.Find(rules.PlaceParameter, o.Action, p.Name); word != nil && p.Matter == "" {
			o.Parameters[i] = &eventv1.Parameter{Name: p.Name, Type: p.Type, Required: p.Required, Values: p.Values, Text: p.Text,
				Matter: word.Matter, Minimum: word.Least, Maximum: word.Most}
		}
	}
}
