package archive

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/skaldrpg/skald/pkg/journal"
)

// scrubs reads everything at once and then every ScrubEvery, until ctx ends.
func (a *Archiver) scrubs(ctx context.Context) {
	for a.cfg.ScrubEvery > 0 {
		if err := a.Scrub(ctx); err != nil && ctx.Err() == nil {
			a.cfg.Logger.ErrorContext(ctx, "the archive could not be read again", "part", a.cfg.Name, "error", err)
		}
		timer := time.NewTimer(a.cfg.ScrubEvery)
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-timer.C:
		}
	}
}

// Scrub reads every sealed segment and compares it with the log. One that is
// damaged or missing is made again from the log and must fit between its
// neighbours; the damaged one is kept aside. What the log does not have stays as it
// is and is reported.
func (a *Archiver) Scrub(ctx context.Context) error {
	a.scrubMu.Lock()
	defer a.scrubMu.Unlock()
	list, err := entries(ctx, a.cfg.Store)
	if err != nil {
		return err
	}
	list = whole(list)
	var found []Finding
	before := Head{}
	for i := 0; i < len(list); i++ {
		e := list[i]
		if e.first != before.Seq+1 && (i == 0 || before.Stream.ID != "") {
			f, end := a.again(ctx, entry{first: before.Seq + 1}, e, before, errors.New("it is missing"))
			found = append(found, f...)
			before = end
		}
		if !e.sealed {
			break // the writer looks after it
		}
		end, f, err := a.scrubOne(ctx, list, i, before)
		if err != nil {
			return err
		}
		found = append(found, f...)
		before = end
		if err := rest(ctx, a.cfg.ScrubPause); err != nil {
			return err
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.stand.found = found
	return nil
}

func rest(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

func (a *Archiver) scrubOne(ctx context.Context, list []entry, i int, before Head) (Head, []Finding, error) {
	e := list[i]
	seg, _, err := load(ctx, a.cfg.Store, e, nothing)
	if err == nil && before.Stream.ID != "" && (seg.before != before.Chain || !seg.stream.same(before.Stream)) {
		err = fmt.Errorf("%w: it does not follow the segment before", ErrDamaged)
	}
	switch {
	case err == nil:
		if err := matches(ctx, a.cfg.Log, a.cfg.Store, e); err != nil {
			if !errors.Is(err, ErrDiffers) {
				return before, nil, err
			}
			return Head{Stream: seg.stream, Seq: seg.last, Chain: seg.chain},
				[]Finding{{Object: e.Name, From: seg.first, To: seg.last, What: err.Error()}}, nil
		}
		return Head{Stream: seg.stream, Seq: seg.last, Chain: seg.chain}, nil, nil
	case errors.Is(err, ErrNotFound):
		return before, nil, nil
	case !errors.Is(err, ErrDamaged):
		return before, nil, err
	case i+1 == len(list):
		// Nothing says where it ends: the next opening of the archive sees to it.
		return Head{}, []Finding{{Object: e.Name, From: e.first, What: err.Error()}}, nil
	}
	f, end := a.again(ctx, e, list[i+1], before, err)
	return end, f, nil
}

// again makes a segment from the log: from where it began to where the next
// begins. It must lead to the chain that the next one names.
func (a *Archiver) again(ctx context.Context, e, next entry, before Head, why error) ([]Finding, Head) {
	name := sealedName(e.first)
	report := func(err error) ([]Finding, Head) {
		return []Finding{{Object: name, From: e.first, To: next.first - 1, What: fmt.Sprintf("%v; it can not be made again: %v", why, err)}}, Head{}
	}
	if before.Stream.ID == "" && e.first > 1 {
		return report(errors.New("the segment before it is damaged too"))
	}
	after, _, err := load(ctx, a.cfg.Store, next, nothing)
	if err != nil && after.first == 0 {
		return report(fmt.Errorf("the next one: %w", err))
	}
	seg, raw, err := a.fromLog(ctx, after, e.first, next.first-1, before.Chain)
	if err != nil {
		return report(err)
	}
	if e.Name != "" {
		if _, err := keepAside(ctx, a.cfg.Store, e, why); err != nil {
			return report(err)
		}
	}
	if _, err := putSealed(ctx, a.cfg.Store, seg, raw); err != nil {
		return report(err)
	}
	a.cfg.Logger.WarnContext(ctx, "a segment of the archive was made again from the log", "part", a.cfg.Name, "segment", name, "why", why)
	a.mu.Lock()
	a.stand.mended++
	a.mu.Unlock()
	return nil, Head{Stream: seg.stream, Seq: seg.last, Chain: seg.chain}
}

// fromLog is a segment of what the log holds now. Fillers of lost sequences may
// have come into the log before it was archived, or after.
func (a *Archiver) fromLog(ctx context.Context, after segment, first, last uint64, before Chain) (segment, []byte, error) {
	var records []journal.Record
	size := 0
	err := a.cfg.Log.Read(ctx, "", first, last, func(r journal.Record) error {
		records = append(records, r)
		if size += len(r.Data); size > maxRaw/2 {
			return errors.New("archive: segment is too large")
		}
		return nil
	})
	if err != nil {
		return segment{}, nil, err
	}
	head := segmentHead{stream: after.stream, first: first, before: before}
	for _, fillers := range []bool{true, false} {
		raw, sum := appendFrame(nil, 0, head.payload())
		for _, r := range records {
			if !fillers && journal.IsLost(r.Subject) {
				continue
			}
			payload, err := recordPayload(r)
			if err != nil {
				return segment{}, nil, err
			}
			raw, sum = appendFrame(raw, sum, payload)
		}
		if seg, err := decode(raw, nothing); err != nil || seg.chain == after.before {
			return seg, raw, err
		}
	}
	return segment{}, nil, errors.New("the log does not have it as it was")
}
