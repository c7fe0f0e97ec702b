package api

import (
	"context"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// GetOptions lists what creatures may do, from the caller's view.
func (s *Server) GetOptions(ctx context.Context, req *encounterv1.GetOptionsRequest) (*encounterv1.GetOptionsResponse, error) {
	if n := len(req.Actions) + len(req.Groups); n > limits.OptionFilter {
		return nil, fault.Limit("actions and groups", limits.OptionFilter, int64(n))
	}
	f, table, release, err := s.open(ctx, req.As, req.Table, req.Encounter)
	if err != nil {
		return nil, err
	}
	defer release()
	var state *eventv1.State
	var number uint64
	var transcript []byte
	waiting := false
	f.Read(func(r *replica.Replica) {
		v := r.View(req.As)
		state, number, waiting = event.Clone(v.State), uint64(len(v.Versions)), r.Pending != nil
		transcript = v.Transcript
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
	out := &encounterv1.GetOptionsResponse{Cursor: encodeCursor(table, req.Encounter, req.As, number, transcript)}
	if len(req.Actions)+len(req.Groups) == 0 && !req.WithoutDetails {
		out.Orders = rules.Orderables(sys, state, state.Creatures[req.Creature])
	}
	halted := halts(state, waiting)
	if halted != "" && req.LegalOnly {
		return out, nil
	}
	for _, id := range ids {
		for _, o := range sys.Options(query(req, state, book, id)) {
			if !rules.MayCall(sys, req.As, o.Action) {
				continue
			}
			if halted != "" && (o.Legal || state.Status != eventv1.State_STATUS_STARTED) {
				o.Legal, o.Reason = false, halted
			}
			if !req.WithoutDetails {
				words.add(o)
			}
			out.Options = append(out.Options, o)
		}
	}
	return out, nil
}

// halts says why nothing at all may be done now; empty when something may.
func halts(s *eventv1.State, waiting bool) string {
	switch {
	case s.Imported:
		return "the encounter was played on another server and is only read here"
	case s.Status != eventv1.State_STATUS_STARTED:
		return "the encounter is not under way"
	case waiting:
		return "the encounter waits for a decision"
	}
	return ""
}

func query(req *encounterv1.GetOptionsRequest, s *eventv1.State, book *effects.Book, creature string) rules.Query {
	return rules.Query{State: s, Content: book, Creature: creature, LegalOnly: req.LegalOnly, Actions: req.Actions, Groups: req.Groups,
		WithoutSquares: req.WithoutSquares, WithoutDetails: req.WithoutDetails}
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
