package projection

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/tombstone"
)

// A tombstone in the log ends its table: nothing of the table stays in the file, and
// no record of it that comes later is folded, whoever appended it. What is deleted is
// content (I2). A tombstone that is not believed changes nothing and is listed as a
// closed subject of its own.

// deleted holds the tables that were deleted: table -> Deletion.
const deleted Bucket = "projection.deleted"

// ReasonDeleted is the reason of what everything about a deleted table answers.
const ReasonDeleted = "TABLE_DELETED"

// Shares is a Fold with buckets whose rows do not all begin with a table.
type Shares interface {
	// Shared lists those buckets. All other rows begin with the table (Key).
	Shared() []Bucket
	// Erase removes what such buckets hold of a table, and what is in memory of it.
	// It is called before the table's other rows are removed.
	Erase(tx *Tx, t *tombstone.Record) error
}

// Foresees is a Fold whose content depends on records that were removed.
type Foresees interface {
	// Foresee tells of all tombstones that the log holds, before records are folded.
	Foresee(all []*tombstone.Record)
	// Fill makes up for removed records below a sequence that were not made up for:
	// those above the last record of transactions before (Tx.Checkpoint). It is
	// called before each record is folded, or passed over.
	Fill(tx *Tx, before uint64) error
}

// Deletion is what is remembered of a deleted table.
type Deletion struct {
	// Table that was deleted.
	Table string
	// Sequence of the first tombstone that was believed: no later record of the table
	// counts.
	Sequence uint64
	// Note is that tombstone, signed.
	Note string
}

// Fault is what everything about the table answers.
func (d Deletion) Fault() error {
	f := fault.New(fault.NotFound, ReasonDeleted, "the table was deleted")
	f.Meta = map[string]string{"sequence": fmt.Sprint(d.Sequence)}
	if t, err := tombstone.Unchecked(d.Note); err == nil {
		f.Message = "the table was deleted at " + time.UnixMilli(t.Millis).UTC().Format(time.RFC3339)
		f.Meta["tombstone"] = fmt.Sprintf("%x", tombstone.Digest(d.Note))
		f.Meta["unix_millis"] = fmt.Sprint(t.Millis)
	}
	return f
}

// Deleted tells whether a table was deleted.
func (p *Projection) Deleted(table string) (Deletion, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	d, ok := p.deleted[table]
	return d, ok
}

// DeletedFault is the fault that a deleted table answers; nil for any other.
func (p *Projection) DeletedFault(table string) error {
	if d, ok := p.Deleted(table); ok {
		return d.Fault()
	}
	return nil
}

func (d Deletion) bytes() []byte { return append(Key(d.Sequence), d.Note...) }

func readDeleted(tx *Tx) (map[string]Deletion, error) {
	out := map[string]Deletion{}
	err := tx.Scan(deleted, nil, nil, func(k, v []byte) (bool, error) {
		if len(v) < 8 || len(k) < 2 {
			return false, fmt.Errorf("projection: deleted table %q has %d bytes", k, len(v))
		}
		d := Deletion{Table: string(k[:len(k)-1]), Sequence: Number(v[:8]), Note: string(v[8:])}
		out[d.Table] = d
		return true, nil
	})
	return out, err
}

// void tells whether a record is of a table that was deleted before it.
func (p *Projection) void(rec journal.Record) bool {
	table, _, ok := journal.TableOf(rec.Subject)
	if !ok {
		return false
	}
	d, gone := p.Deleted(table)
	return gone && rec.Seq > d.Sequence
}

// isTombstone tells whether a record is, or pretends to be, a tombstone.
func isTombstone(rec journal.Record) bool {
	_, ok := journal.SplitTombstone(rec.Subject)
	return ok
}

// bury folds a tombstone.
func (p *Projection) bury(tx *Tx, t *tombstone.Record) error {
	if s, ok := p.cfg.Fold.(Shares); ok {
		if err := s.Erase(tx, t); err != nil {
			return err
		}
	}
	shared := map[Bucket]bool{}
	if s, ok := p.cfg.Fold.(Shares); ok {
		for _, b := range s.Shared() {
			shared[b] = true
		}
	}
	for _, b := range p.cfg.Fold.Buckets() {
		if shared[b] {
			continue
		}
		if err := tx.erase(b, Key(t.Table)); err != nil {
			return err
		}
	}
	if err := p.unclose(tx, t.Table); err != nil {
		return err
	}
	if err := t.Removed.Each(func(seq uint64) error { return tx.Delete(logIndex, Key(seq)) }); err != nil {
		return err
	}
	if tx.Get(deleted, Key(t.Table)) != nil { // the first that is believed stands
		return nil
	}
	return tx.Put(deleted, Key(t.Table), Deletion{Table: t.Table, Sequence: t.Sequence, Note: t.Note}.bytes())
}

// unclose removes what was closed of a table: a log without its records closes
// nothing either. A tombstone that was not believed stays listed.
func (p *Projection) unclose(tx *Tx, table string) error {
	var gone [][]byte
	err := tx.Scan(closures, nil, nil, func(k, _ []byte) (bool, error) {
		if of, _, ok := journal.TableOf(string(k)); ok && of == table && !bytes.Contains(k, []byte(disbelieved)) {
			gone = append(gone, bytes.Clone(k))
		}
		return true, nil
	})
	for _, k := range gone {
		err = errors.Join(err, tx.Delete(closures, k))
	}
	return err
}

// buried takes note of a tombstone whose transaction was carried out.
func (p *Projection) buried(t *tombstone.Record) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, ok := p.deleted[t.Table]; ok {
		return
	}
	p.deleted[t.Table] = Deletion{Table: t.Table, Sequence: t.Sequence, Note: t.Note}
	for name, c := range p.closed { // order-free: each by itself
		if of, _, ok := journal.TableOf(c.Subject); ok && of == t.Table && !isDisbelieved(c.Subject) {
			delete(p.closed, name)
		}
	}
	p.cfg.Logger.Warn("projection: a table was deleted", "table", t.Table, "sequence", t.Sequence, "file", p.cfg.Path)
}

// disbelieved stands in the subjects under which tombstones are listed that are
// not believed: the subject itself stays open for one that is.
const disbelieved = "@tombstone."

func isDisbelieved(subject string) bool {
	return bytes.Contains([]byte(subject), []byte(disbelieved))
}

// subjectOf is under what a record that is broken is closed.
func subjectOf(rec journal.Record) string {
	if isTombstone(rec) {
		return fmt.Sprintf("%s.%d", rec.Subject, rec.Seq)
	}
	return rec.Subject
}

// foresee reads the tombstones of the log for a fold that wants them.
func (p *Projection) foresee(ctx context.Context) error {
	f, ok := p.cfg.Fold.(Foresees)
	if !ok || p.cfg.Tombstones == "" {
		return nil
	}
	var all []*tombstone.Record
	err := p.cfg.Log.Read(ctx, p.cfg.Tombstones, 1, 0, func(rec journal.Record) error {
		if t, err := p.cfg.Believe.Read(rec); err == nil {
			all = append(all, t)
		}
		return nil
	})
	if err == nil {
		f.Foresee(all)
	}
	return err
}

// erase removes every row with a prefix.
func (t *Tx) erase(b Bucket, prefix []byte) error {
	for {
		var keys [][]byte
		err := t.Scan(b, prefix, nil, func(k, _ []byte) (bool, error) {
			keys = append(keys, bytes.Clone(k))
			return len(keys) < 1000, nil
		})
		if err != nil || len(keys) == 0 {
			return err
		}
		for _, k := range keys {
			if err := t.Delete(b, k); err != nil {
				return err
			}
		}
	}
}

// Checkpoint is the sequence of the last record of the transactions before this one.
func (t *Tx) Checkpoint() uint64 {
	seq, _ := decodeCheckpoint(t.Get(state, keyCheckpoint))
	return seq
}

// Incomplete says that the content lacks what the log once held: nothing of the
// transaction stays, and the file is built again.
func (t *Tx) Incomplete(why string) { t.hurt(fmt.Errorf("%w: %s", ErrDamaged, why)) }
