package erase

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/tombstone"
	opsv1 "github.com/skaldrpg/skald/proto/skald/ops/v1"
)

// commit is a Commit of an encounter as far as the tree holds it.
type commit struct {
	seq, version uint64
	hash         []byte
}

// found is what a table was seen to hold.
type found struct {
	last     uint64
	fight    uint64 // the last among encounters
	removed  []uint64
	counts   map[string]*tombstone.Count
	commits  map[string][]commit // by encounter
	patients map[string]aggregate.Head
}

// kindOf names what a record is, for counts.
func kindOf(subject string) string {
	if _, ok := journal.SplitTombstone(subject); ok {
		return "tombstone"
	}
	if _, _, ok := journal.SplitPack(subject); ok {
		return "pack"
	}
	if _, ok := journal.SplitBranch(subject); ok {
		return "branch"
	}
	_, kind, _ := journal.TableOf(subject)
	return kind
}

// look reads all that the table holds and where its chains end.
func (t *table) look(ctx context.Context) (d tombstone.Draft, err error) {
	if err := t.step("look"); err != nil {
		return d, err
	}
	f, err := t.read(ctx)
	if err != nil || f.last == 0 {
		return d, err
	}
	info, err := t.stream.Info(ctx)
	if err != nil {
		return d, err
	}
	d.Table, d.Stream, d.StreamID, d.Last = t.name, t.p, info.StreamID, f.last
	if len(f.commits) > 0 {
		if d.Chains, err = t.cfg.Chains(ctx, t.p, t.name, f.fight); err != nil {
			return d, err
		}
	}
	d.Chains = f.read(d.Chains)
	d.Hashes = f.leaves(t.name, d.Chains)
	for id := range f.commits { // order-free: sorted below
		if !slices.ContainsFunc(d.Chains, func(c tombstone.Chain) bool { return c.ID == id }) {
			d.Chains = append(d.Chains, tombstone.Chain{Kind: string(aggregate.Encounter), ID: id, Open: true}) // its first record is broken
		}
	}
	for id, h := range f.patients { // order-free: sorted below
		d.Chains = append(d.Chains, tombstone.Chain{Kind: string(aggregate.Patient), ID: id, Version: h.Version, Hash: h.Hash})
	}
	slices.SortFunc(d.Chains, func(a, b tombstone.Chain) int {
		return strings.Compare(a.Kind+"\x00"+a.ID, b.Kind+"\x00"+b.ID)
	})
	for _, c := range f.counts { // order-free: sorted below
		d.Counts = append(d.Counts, *c)
	}
	slices.SortFunc(d.Counts, func(a, b tombstone.Count) int { return strings.Compare(a.Kind, b.Kind) })
	d.Removed = tombstone.Of(f.removed)
	return d, nil
}

func (t *table) read(ctx context.Context) (*found, error) {
	f := &found{counts: map[string]*tombstone.Count{}, commits: map[string][]commit{}, patients: map[string]aggregate.Head{}}
	filter, err := journal.TableFilterIn(t.p, t.name)
	if err != nil {
		return nil, err
	}
	return f, t.stream.Read(ctx, filter, 1, 0, func(rec journal.Record) error {
		f.add(rec)
		return nil
	})
}

// add takes a record. A tombstone that nobody believes is not removed: it is kept
// for whoever wants to know where it came from.
func (f *found) add(rec journal.Record) {
	f.last = rec.Seq
	if _, of, _ := journal.TableOf(rec.Subject); of == string(aggregate.Encounter) {
		f.fight = rec.Seq
	}
	kind := kindOf(rec.Subject)
	if kind == "tombstone" {
		return
	}
	f.removed = append(f.removed, rec.Seq)
	c := f.counts[kind]
	if c == nil {
		c = &tombstone.Count{Kind: kind}
		f.counts[kind] = c
	}
	c.Records, c.Bytes = c.Records+1, c.Bytes+uint64(len(rec.Data))
	n, ok := aggregate.Parse(rec.Subject)
	if !ok || !n.Kind.Commits() {
		return
	}
	_, o, err := aggregate.Open(rec)
	if n.Kind == aggregate.Encounter {
		f.commits[n.ID] = append(f.commits[n.ID], commit{seq: rec.Seq})
		if err == nil {
			last := &f.commits[n.ID][len(f.commits[n.ID])-1]
			last.version, last.hash = o.Header.Version, o.Hash
		}
		return
	}
	h := f.patients[n.ID]
	if err == nil && h.Next(o.Header.Version, o.Header.PreviousHash) == nil {
		h = aggregate.Head{Version: o.Header.Version, Sequence: rec.Seq, Hash: o.Hash}
	}
	f.patients[n.ID] = h
}

// read are chains as far as their Commits were read: they may have gone on since.
func (f *found) read(chains []tombstone.Chain) []tombstone.Chain {
	var out []tombstone.Chain
	for _, c := range chains {
		all := f.commits[c.ID]
		if len(all) == 0 {
			continue
		}
		if n := uint64(len(all)); c.Version > n {
			c.Version, c.Hash = n, all[n-1].hash
		}
		out = append(out, c)
	}
	return out
}

// leaves are what the tree holds: of each encounter the Commits up to where its
// chain was folded, which its first records are.
func (f *found) leaves(name string, chains []tombstone.Chain) []tombstone.Leaf {
	var out []tombstone.Leaf
	for _, c := range chains {
		all := f.commits[c.ID]
		for _, m := range all[:min(len(all), int(c.Version))] { //nolint:gosec // a count
			out = append(out, leaf(name, c.ID, m))
		}
	}
	slices.SortFunc(out, func(a, b tombstone.Leaf) int { return int(int64(a.Sequence) - int64(b.Sequence)) }) //nolint:gosec // far from overflow
	return out
}

func leaf(table, id string, m commit) tombstone.Leaf {
	return tombstone.Leaf{Sequence: m.seq, Hash: tlog.RecordHash(attest.Leaf(attest.Head{Table: table, Encounter: id, Number: m.version, Hash: m.hash}))}
}

// contents shows a tombstone's list.
func contents(t tombstone.Tombstone) *opsv1.TableContents {
	out := &opsv1.TableContents{Table: t.Table, Stream: uint32(t.Stream)} //nolint:gosec // few
	for _, c := range t.Counts {
		out.Records = append(out.Records, &opsv1.RecordCount{Kind: c.Kind, Records: c.Records, Bytes: c.Bytes})
	}
	for _, c := range t.Chains {
		out.Chains = append(out.Chains, &opsv1.ChainEnd{Kind: c.Kind, Id: c.ID, Version: c.Version, Hash: c.Hash, Open: c.Open})
	}
	return out
}
