package engine

import (
	"context"
	"slices"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/corrected"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// source is the record of a fight, as package corrected reads it.
type source struct {
	e *Engine
	f *Fight
}

// Record is the stored record of a fight for package corrected.
func (e *Engine) Record(f *Fight) corrected.Source { return source{e, f} }

// Commit returns a stored Commit and who may hear its events.
func (s source) Commit(ctx context.Context, version uint64) (*event.Opened, []event.Audible, error) {
	entry, err := s.e.entry(ctx, s.f, version)
	if err != nil {
		return nil, nil, err
	}
	return entry.Commit, entry.Heard, nil
}

// LoadAt finds the encounter as it was after a version.
func (s source) LoadAt(ctx context.Context, version uint64) (*replica.Replica, error) {
	return s.e.cfg.Loader.LoadAt(ctx, s.f.table, s.f.id, version)
}

// deeds are all commands that count.
func (e *Engine) deeds(f *Fight) *corrected.History {
	return corrected.Stored(e.Record(f), f.replica.Chain)
}

// sides are the history that counts now and the one of a plan, from where they part.
func (e *Engine) sides(f *Fight, p *plan) (before, after *corrected.History, err error) {
	before = corrected.Stored(e.Record(f), f.replica.Chain[p.first:])
	after, err = corrected.Planned(p.begin, f.replica.Version+1, p.commands)
	return before, after, err
}

// told names the viewers to whom something comes out otherwise by an amendment.
func (e *Engine) told(ctx context.Context, f *Fight, p *plan) ([]string, error) {
	before, after, err := e.sides(f, p)
	if err != nil {
		return nil, err
	}
	return hearers(ctx, f, before, after)
}

// toldBack names the viewers who hear something else when the encounter goes back, where
// commands stop or begin to count that a ruling decided again or put in: who hears of
// these, their own versions do not say.
func (e *Engine) toldBack(ctx context.Context, f *Fight, will []replica.Link) ([]string, error) {
	was := f.replica.Chain
	n := corrected.Since(was, will)
	if !slices.ContainsFunc(was[n:], replica.Link.Held) && !slices.ContainsFunc(will[n:], replica.Link.Held) {
		return nil, nil
	}
	return hearers(ctx, f, corrected.Stored(e.Record(f), was[n:]), corrected.Stored(e.Record(f), will[n:]))
}

// hearers are the viewers of a fight but the game master who hear something else in two
// histories.
func hearers(ctx context.Context, f *Fight, before, after *corrected.History) ([]string, error) {
	var out []string
	pairs := 0
	left := slices.DeleteFunc(rules.SortedKeys(f.replica.Views), func(key string) bool { return key == aggregate.ViewerGM })
	for pair, err := range corrected.Pairs(ctx, before, after) {
		if err != nil {
			return nil, err
		}
		progress(ctx, f, encounterv1.Progress_PHASE_TELLING, pairs, max(len(before.Links), len(after.Links)), false)
		pairs++
		left = slices.DeleteFunc(left, func(key string) bool {
			differs := corrected.Differs(f.replica.Views[key].Principal, pair)
			if differs {
				out = append(out, key)
			}
			return differs
		})
		if len(left) == 0 {
			break
		}
	}
	slices.Sort(out)
	return out, nil
}

// foretold is what the game master would be told of a ruling: a page.
func (e *Engine) foretold(ctx context.Context, kind encounterv1.Ruling_Kind, cmd *eventv1.Command, changed uint64, before, after *corrected.History) (*encounterv1.Ruling, error) {
	out := &encounterv1.Ruling{Kind: kind, Reason: reasonOf(cmd), Contest: cmd.GetAmend().GetContest()}
	gm := aggregate.Viewer(aggregate.ViewerGM)
	page := corrected.Page{Changed: changed, Step: func(origin uint64) uint64 { return origin }}
	return out, page.Fill(out, corrected.For(gm, corrected.Pairs(ctx, before, after)))
}

// foretoldBack is what the game master would be told of going back.
func (e *Engine) foretoldBack(ctx context.Context, f *Fight, cmd *eventv1.Command, then *went) (*encounterv1.Ruling, error) {
	kind := encounterv1.Ruling_KIND_REVERTED
	if cmd.GetRedo() != nil {
		kind = encounterv1.Ruling_KIND_REDONE
	}
	was, will := f.replica.Chain, then.replica.Chain
	n := corrected.Since(was, will)
	return e.foretold(ctx, kind, cmd, 0, corrected.Stored(e.Record(f), was[n:]), corrected.Stored(e.Record(f), will[n:]))
}

func reasonOf(cmd *eventv1.Command) string {
	switch w := cmd.GetWhat().(type) {
	case *eventv1.Command_Revert:
		return w.Revert.Reason
	case *eventv1.Command_Redo:
		return w.Redo.Reason
	}
	return cmd.GetAmend().GetReason()
}
