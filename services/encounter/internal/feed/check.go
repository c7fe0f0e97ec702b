package feed

import (
	"bytes"
	"context"
	"errors"
	"time"

	"github.com/skaldrpg/skald/pkg/feed"
)

// open makes sure that the feed is there, and looks it through when it is another
// one than before, at the start, and now and then.
func (p *Publisher) open(ctx context.Context) error {
	id, err := p.cfg.Writer.Open(ctx)
	if err != nil {
		return err
	}
	p.opened = id
	if id == p.looked && time.Since(p.checked) < checkEvery {
		return nil
	}
	clear(p.at)
	if err := p.check(ctx, id); err != nil {
		return err
	}
	p.looked, p.checked = id, time.Now()
	return nil
}

// check compares the feed with the record: what is behind is due, what has holes is
// filled in from the beginning, what should not be there goes.
func (p *Publisher) check(ctx context.Context, id string) error {
	span, counts, err := p.cfg.Writer.Look(ctx)
	if err != nil {
		return err
	}
	known := map[key]Head{}
	if err := p.cfg.Source.Heads(func(table, encounter string, h Head) {
		if p.feeds(table) {
			known[key{table, encounter}] = h
		}
	}); err != nil {
		return errors.Join(errSource, err)
	}
	for subject, n := range counts { // order-free: each subject is looked at by itself
		if err := p.subject(ctx, subject, n, span, known); err != nil {
			return err
		}
	}
	if err := p.cfg.Writer.Marks(ctx, func(table, encounter string, m feed.Mark) {
		if k := (key{table, encounter}); m.Feed == id && m.Version == known[k].Version && bytes.Equal(m.Hash, known[k].Hash) && !p.torn[k] {
			delete(known, k)
		}
	}); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for k, h := range known { // order-free: all of them
		p.due[k] = max(p.due[k], h.Sequence)
	}
	return nil
}

// subject looks through what there is on one subject.
func (p *Publisher) subject(ctx context.Context, subject string, n uint64, span feed.Span, known map[key]Head) error {
	_, table, encounter, ok := feed.Split(subject)
	switch {
	case !ok:
		return p.cfg.Writer.Drop(ctx, subject) // nobody of ours wrote that
	case p.cfg.Source.Deleted(table) != nil, !p.feeds(table):
		return p.cfg.Writer.Forget(ctx, table, "")
	}
	k := key{table, encounter}
	if _, ours := known[k]; !ours {
		return nil // of a table that another process publishes
	}
	whole, err := p.whole(ctx, subject, n, span)
	if err == nil && !whole {
		p.torn[k] = true
	}
	return err
}

// whole tells whether the messages of a subject have numbers without gaps, and begin
// with the first where nothing was ever let go.
func (p *Publisher) whole(ctx context.Context, subject string, n uint64, span feed.Span) (bool, error) {
	for range 3 {
		first, err := p.cfg.Writer.First(ctx, subject)
		if errors.Is(err, feed.ErrForeign) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		last, err := p.cfg.Writer.Last(ctx, subject)
		if errors.Is(err, feed.ErrForeign) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		if first.Number == 0 || last.Number-first.Number+1 == n {
			return first.Number <= 1 || span.First > 1, nil
		}
		// The oldest may have been let go meanwhile, or another process wrote: count again.
		_, counts, err := p.cfg.Writer.Look(ctx)
		if err != nil {
			return false, err
		}
		n = counts[subject]
	}
	return false, nil
}
