package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/skaldrpg/skald/pkg/journal"
)

// writer adds records to an archive. After an error it is of no more use: what
// the store then holds is found out by opening another.
type writer struct {
	store  Store
	stream Stream
	size   int // bytes after which a segment is sealed
	seq    uint64
	chain  Chain

	name   string // of the open segment; empty when none is begun
	seg    segment
	at     int64  // its size
	dirty  bool   // appended since the last sync
	synced uint64 // last sequence that outlives a power cut
	bytes  int64  // of all segments
	aside  []Finding
}

// openWriter goes on with an archive, or begins one. What is damaged at its end is
// kept aside and cut away. Nothing is touched in an archive of another stream.
func openWriter(ctx context.Context, s Store, stream Stream, size int) (*writer, error) {
	w := &writer{store: s, stream: stream, size: size}
	list, err := entries(ctx, s)
	if err != nil {
		return nil, err
	}
	for _, e := range list {
		w.bytes += e.Size
	}
	if err := w.identify(ctx, list); err != nil {
		return nil, err
	}
	for len(list) > 0 {
		e := list[len(list)-1]
		list = list[:len(list)-1]
		done, err := w.adopt(ctx, e, list)
		if err != nil {
			return nil, err
		}
		if done {
			w.synced = w.seq
			return w, nil
		}
	}
	return w, nil
}

// identify refuses an archive of another stream before anything is moved.
func (w *writer) identify(ctx context.Context, list []entry) error {
	for _, e := range slices.Backward(list) {
		seg, _, err := load(ctx, w.store, e, nothing)
		if err != nil && !errors.Is(err, ErrDamaged) {
			return err
		}
		if seg.first > 0 {
			if !seg.stream.same(w.stream) {
				return fmt.Errorf("%w: the archive is of stream %s %s, the log is %s %s", ErrDiffers, seg.stream.Name, seg.stream.ID, w.stream.Name, w.stream.ID)
			}
			return nil
		}
	}
	return nil
}

// adopt takes the last segment as the end of the archive, if it is of any use.
func (w *writer) adopt(ctx context.Context, e entry, before []entry) (bool, error) {
	seg, raw, err := load(ctx, w.store, e, nothing)
	if err != nil && !errors.Is(err, ErrDamaged) {
		return false, err
	}
	twin := len(before) > 0 && before[len(before)-1].first == e.first // the sealed form of an open one
	switch {
	case e.sealed && err == nil:
		w.seq, w.chain = seg.last, seg.chain
		return true, nil
	case e.sealed, seg.first != e.first:
		return false, w.putAside(ctx, e, err, true)
	case twin:
		if sealed, full, err := load(ctx, w.store, before[len(before)-1], nothing); err == nil && sealed.sealed {
			if bytes.HasPrefix(full, raw[:seg.whole]) {
				return false, w.store.Remove(ctx, e.Name) // sealing was cut short after the sealed form was whole
			}
			return false, w.putAside(ctx, e, errors.New("it is not what was sealed"), true)
		}
		if err := w.putAside(ctx, before[len(before)-1], errors.New("the sealed form is damaged and the open one is there"), true); err != nil {
			return false, err
		}
	}
	if err != nil {
		if err := w.putAside(ctx, e, err, false); err != nil {
			return false, err
		}
	}
	if seg.sealed { // killed between the foot and the sealed form; never written that way
		return false, w.putAside(ctx, e, errors.New("it has a foot and is open"), true)
	}
	if err != nil {
		if err := w.store.Put(ctx, e.Name, raw[:seg.whole]); err != nil {
			return false, err
		}
	}
	w.name, w.seg, w.at = e.Name, seg, seg.whole
	w.seq, w.chain = seg.last, seg.chain
	return true, nil
}

// putAside keeps a copy of an object that is damaged, and takes it away.
func (w *writer) putAside(ctx context.Context, e entry, why error, remove bool) error {
	f, err := keepAside(ctx, w.store, e, why)
	if err != nil {
		return err
	}
	w.aside = append(w.aside, f)
	if remove {
		return w.store.Remove(ctx, e.Name)
	}
	return nil
}

func keepAside(ctx context.Context, s Store, e entry, why error) (Finding, error) {
	data, err := fetch(ctx, s, e.Name)
	if err != nil {
		return Finding{}, err
	}
	copyName := asideDir + time.Now().UTC().Format("20060102T150405.000000000") + "-" + e.Name
	if err := s.Put(ctx, copyName, data); err != nil {
		return Finding{}, err
	}
	return Finding{Object: e.Name, From: e.first, What: fmt.Sprintf("%v; a copy is kept as %s", why, copyName)}, nil
}

// add writes records, which must follow what is there, and seals segments that
// are full.
func (w *writer) add(ctx context.Context, records []journal.Record) error {
	var buf []byte
	for _, r := range records {
		if r.Seq <= w.seq {
			return fmt.Errorf("archive: sequence %d after %d", r.Seq, w.seq)
		}
		if w.name == "" {
			w.begin(&buf)
		}
		payload, err := recordPayload(r)
		if err != nil {
			return err
		}
		buf, w.seg.sum = appendFrame(buf, w.seg.sum, payload)
		w.seg.records++
		w.seq, w.chain = r.Seq, w.chain.next(r)
		if int(w.at)+len(buf) >= w.size {
			if err := errors.Join(w.flush(ctx, &buf), w.seal(ctx)); err != nil {
				return err
			}
		}
	}
	return w.flush(ctx, &buf)
}

func (w *writer) begin(buf *[]byte) {
	head := segmentHead{stream: w.stream, first: w.seq + 1, before: w.chain}
	w.name, w.at = openName(head.first), 0
	w.seg = segment{segmentHead: head}
	*buf, w.seg.sum = appendFrame(*buf, 0, head.payload())
}

func (w *writer) flush(ctx context.Context, buf *[]byte) error {
	if len(*buf) == 0 {
		return nil
	}
	if err := w.store.Append(ctx, w.name, w.at, *buf); err != nil {
		return err
	}
	w.at += int64(len(*buf))
	w.bytes += int64(len(*buf))
	w.dirty = true
	*buf = (*buf)[:0]
	return nil
}

// sync makes what was added outlive a power cut.
func (w *writer) sync(ctx context.Context) error {
	if w.dirty {
		if err := w.store.Sync(ctx, w.name); err != nil {
			return err
		}
		w.dirty = false
	}
	w.synced = w.seq
	return nil
}

// seal reads the open segment back, compresses it with a foot, reads that back,
// and only then takes the open form away.
func (w *writer) seal(ctx context.Context) error {
	if w.name == "" {
		return nil
	}
	if err := w.sync(ctx); err != nil {
		return err
	}
	seg, raw, err := load(ctx, w.store, entry{Object: Object{Name: w.name}, first: w.seg.first}, nothing)
	if err == nil && (seg.last != w.seq || seg.chain != w.chain) {
		err = &damage{at: seg.whole, seq: seg.last, what: "it is not what was written"}
	}
	if err != nil {
		return fmt.Errorf("archive: sealing %s: %w", w.name, err)
	}
	size, err := putSealed(ctx, w.store, seg, raw)
	if err != nil {
		return err
	}
	w.bytes += size - w.at
	if err := w.store.Remove(ctx, w.name); err != nil {
		return err
	}
	w.name, w.dirty = "", false
	return nil
}

// putSealed stores a segment with its foot, reads it back and returns its size.
func putSealed(ctx context.Context, s Store, seg segment, raw []byte) (int64, error) {
	foot := segmentFoot{last: seg.last, records: seg.records, chain: seg.chain}
	full, _ := appendFrame(slices.Clone(raw), seg.sum, foot.payload())
	name := sealedName(seg.first)
	packed := pack(full)
	if err := s.Put(ctx, name, packed); err != nil {
		return 0, err
	}
	_, back, err := load(ctx, s, entry{Object: Object{Name: name}, first: seg.first, sealed: true}, nothing)
	if err == nil && !bytes.Equal(back, full) {
		err = &damage{what: "it is not what was written"}
	}
	if err != nil {
		return 0, fmt.Errorf("archive: reading %s back: %w", name, err)
	}
	return int64(len(packed)), nil
}
