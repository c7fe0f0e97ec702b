package erase

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/tombstone"
)

// remaining is a record of a table that has a tombstone.
type remaining struct {
	journal.Record
	kind string
}

// remains reads what is left of the table beside tombstones; with its data where
// none of them lists it.
func (t *table) remains(ctx context.Context, stones []*tombstone.Record) ([]remaining, error) {
	filter, err := journal.TableFilterIn(t.p, t.name)
	if err != nil {
		return nil, err
	}
	var out []remaining
	err = t.stream.Read(ctx, filter, 1, 0, func(rec journal.Record) error {
		if kind := kindOf(rec.Subject); kind != "tombstone" {
			if rec.Data = slices.Clone(rec.Data); listed(stones, rec.Seq) {
				rec.Data = nil
			}
			out = append(out, remaining{rec, kind})
		}
		return nil
	})
	return out, err
}

func listed(stones []*tombstone.Record, seq uint64) bool {
	return slices.ContainsFunc(stones, func(s *tombstone.Record) bool { return s.Removed.Has(seq) })
}

// finish removes what tombstones list, after listing what none does, until nothing of
// the table is left but them.
func (t *table) finish(ctx context.Context) error {
	if t.cfg.Drop != nil {
		if err := t.cfg.Drop(t.name); err != nil {
			return err
		}
	}
	for range attempts {
		stones, err := t.believe.All(ctx, t.stream, t.p, t.name)
		if err != nil {
			return err
		}
		left, err := t.remains(ctx, stones)
		if err != nil || len(left) == 0 {
			return err
		}
		if len(stones) == 0 {
			return fault.New(fault.Conflict, ReasonBusy, "the table's tombstone is not there")
		}
		unlisted := slices.DeleteFunc(slices.Clone(left), func(r remaining) bool { return listed(stones, r.Seq) })
		if len(unlisted) > 0 {
			if err := t.list(ctx, stones, unlisted); err != nil {
				return err
			}
			continue
		}
		if err := t.purge(ctx, left, stones[0]); err != nil {
			return err
		}
	}
	return fault.New(fault.Conflict, ReasonBusy, "records of the deleted table %q are stored again and again; call again", t.name)
}

// list writes a further tombstone for records that the others do not list: of
// commands that were under way when the first was written.
func (t *table) list(ctx context.Context, stones []*tombstone.Record, unlisted []remaining) error {
	first := stones[0]
	f := &found{counts: map[string]*tombstone.Count{}, commits: map[string][]commit{}, patients: map[string]aggregate.Head{}}
	for _, r := range unlisted {
		f.add(r.Record)
	}
	d := tombstone.Draft{Removed: tombstone.Of(f.removed)}
	d.Table, d.Stream, d.StreamID, d.Last = t.name, t.p, first.StreamID, f.last
	d.Millis, d.By, d.Reason = t.cfg.Clock().UnixMilli(), first.By, first.Reason
	for _, c := range f.counts { // order-free: sorted below
		d.Counts = append(d.Counts, *c)
	}
	slices.SortFunc(d.Counts, func(a, b tombstone.Count) int {
		if a.Kind < b.Kind {
			return -1
		}
		return 1
	})
	d.Hashes, d.Chains = beside(stones, unlisted)
	_, err := t.write(ctx, d, true)
	var lost *journal.ConflictError
	if errors.As(err, &lost) {
		return nil // another process listed them; look again
	}
	return err
}

// beside are the leaves of Commits that were stored before the first tombstone
// although it does not list them, and where their chains end, those of patients as
// well: folds have taken what follows its chain.
func beside(stones []*tombstone.Record, unlisted []remaining) (leaves []tombstone.Leaf, chains []tombstone.Chain) {
	heads := map[aggregate.Name]aggregate.Head{}
	for _, s := range stones {
		for _, c := range s.Chains {
			heads[aggregate.Name{Table: s.Table, Kind: aggregate.Kind(c.Kind), ID: c.ID}] = aggregate.Head{Version: c.Version, Hash: c.Hash}
		}
	}
	for _, r := range unlisted {
		n, ok := aggregate.Parse(r.Subject)
		if !ok || !n.Kind.Commits() || r.Seq > stones[0].Sequence {
			continue
		}
		_, o, err := aggregate.Open(r.Record)
		if err != nil || heads[n].Next(o.Header.Version, o.Header.PreviousHash) != nil {
			continue
		}
		heads[n] = aggregate.Head{Version: o.Header.Version, Sequence: r.Seq, Hash: o.Hash}
		if n.Kind == aggregate.Encounter { // the tree holds no others
			leaves = append(leaves, leaf(n.Table, n.ID, commit{r.Seq, o.Header.Version, o.Hash}))
		}
	}
	for n, h := range heads { // order-free: sorted below
		if h.Sequence > 0 {
			chains = append(chains, tombstone.Chain{Kind: string(n.Kind), ID: n.ID, Version: h.Version, Hash: h.Hash, Open: n.Kind == aggregate.Encounter})
		}
	}
	slices.SortFunc(chains, func(a, b tombstone.Chain) int { return strings.Compare(a.Kind+"\x00"+a.ID, b.Kind+"\x00"+b.ID) })
	return leaves, chains
}

// purge removes records that are listed. What lies before the first tombstone goes at
// once, the rest subject by subject, so that no tombstone goes with it.
func (t *table) purge(ctx context.Context, left []remaining, first *tombstone.Record) error {
	if err := t.step("purge"); err != nil {
		return err
	}
	last := map[string]uint64{} // by subject
	for _, r := range left {
		last[r.Subject] = r.Seq
	}
	if !t.disbelieved(ctx, first) && left[0].Seq < first.Sequence {
		filter, err := journal.TableFilterIn(t.p, t.name)
		if err != nil {
			return err
		}
		if err := t.stream.PurgeBefore(ctx, filter, first.Sequence); err != nil {
			return err
		}
		for subject, seq := range last { // order-free: a set
			if seq < first.Sequence {
				delete(last, subject)
			}
		}
	}
	for subject, seq := range last { // order-free: each by itself
		if err := t.stream.PurgeBefore(ctx, subject, seq+1); err != nil {
			return err
		}
	}
	return t.step("purged")
}

// disbelieved tells whether something that pretends to be a tombstone lies before the
// first: that is kept, and so nothing may be purged across it.
func (t *table) disbelieved(ctx context.Context, first *tombstone.Record) bool {
	for _, kind := range []string{"encounter", "patient", "dice"} {
		subject, err := journal.TombstoneSubject(t.p, t.name, kind)
		if err != nil {
			return true
		}
		before := false
		err = t.stream.Read(ctx, subject, 1, first.Sequence-1, func(journal.Record) error {
			before = true
			return nil
		})
		if before || err != nil {
			return true
		}
	}
	return false
}
