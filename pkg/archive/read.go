package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/skaldrpg/skald/pkg/journal"
)

// Head is where an archive ends: a witness of how far its log went.
type Head struct {
	Stream Stream
	Seq    uint64 // of the last record
	Chain  Chain  // over every record to there
	// Torn is how many bytes behind it are of a record that was not written to
	// its end: what a kill, or a writer at work, leaves.
	Torn int64
}

// Finding is something wrong with an archive.
type Finding struct {
	Object   string // name of it
	From, To uint64 // sequences that it touches; a To of 0 is open
	What     string
}

// String is a line for people.
func (f Finding) String() string {
	to := "on"
	if f.To > 0 {
		to = fmt.Sprint("to ", f.To)
	}
	return fmt.Sprintf("%s: sequences %d %s: %s", f.Object, f.From, to, f.What)
}

// entry is one segment in a store.
type entry struct {
	Object
	first  uint64
	sealed bool
}

// entries lists segments in order; where one is both sealed and open, the sealed
// one comes first.
func entries(ctx context.Context, s Store) ([]entry, error) {
	objects, err := s.List(ctx, prefix)
	if err != nil {
		return nil, err
	}
	var out []entry
	for _, o := range objects {
		rest := strings.TrimPrefix(o.Name, prefix)
		number, sealed := strings.CutSuffix(rest, sealSuffix)
		if !sealed {
			var ok bool
			if number, ok = strings.CutSuffix(rest, openSuffix); !ok {
				continue
			}
		}
		first, err := strconv.ParseUint(number, 10, 64)
		if err != nil || first == 0 {
			continue
		}
		out = append(out, entry{Object: o, first: first, sealed: sealed})
	}
	slices.SortFunc(out, func(x, y entry) int {
		switch {
		case x.first != y.first && x.first < y.first, x.first == y.first && x.sealed && !y.sealed:
			return -1
		case x == y:
			return 0
		}
		return 1
	})
	return out, nil
}

func fetch(ctx context.Context, s Store, name string) ([]byte, error) {
	r, err := s.Get(ctx, name)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(r, maxRaw+1))
	if err := errors.Join(err, r.Close()); err != nil {
		return nil, fmt.Errorf("archive: reading %s: %w", name, err)
	}
	if len(data) > maxRaw {
		return nil, fmt.Errorf("%w: %s is larger than any segment", ErrDamaged, name)
	}
	return data, nil
}

// load reads one segment; damage is a *damage.
func load(ctx context.Context, s Store, e entry, fn func(journal.Record, Chain) error) (segment, []byte, error) {
	raw, err := fetch(ctx, s, e.Name)
	if errors.Is(err, ErrNotFound) && !e.sealed { // a writer sealed it meanwhile
		e.sealed = true
		raw, err = fetch(ctx, s, sealedName(e.first))
	}
	if err != nil {
		return segment{}, nil, err
	}
	if e.sealed {
		if raw, err = unpack(raw); err != nil {
			return segment{}, nil, err
		}
	}
	seg, err := decode(raw, fn)
	switch {
	case err != nil:
	case seg.first != e.first:
		err = &damage{what: fmt.Sprintf("it is the segment of sequence %d", seg.first)}
	case e.sealed != seg.sealed && e.sealed:
		err = &damage{at: seg.whole, seq: seg.last, what: "the foot is missing"}
	}
	return seg, raw, err
}

func nothing(journal.Record, Chain) error { return nil }

// Records calls fn for each record with a sequence of at least from, in order, and
// returns where the archive ends. ErrDamaged names the object and the place; ErrEmpty
// when there is nothing. A record at the very end that was not written whole is
// left out, see Head.Torn. An error of fn ends it and is returned as it is.
func Records(ctx context.Context, s Store, from uint64, fn func(journal.Record, Chain) error) (Head, error) {
	list, err := entries(ctx, s)
	if err != nil {
		return Head{}, err
	}
	if len(list) == 0 {
		return Head{}, ErrEmpty
	}
	list = whole(list)
	skip := 0
	for skip+1 < len(list) && list[skip+1].first <= from {
		skip++
	}
	var h Head
	for i, e := range list[skip:] {
		var own error
		seg, _, err := load(ctx, s, e, func(r journal.Record, c Chain) error {
			if r.Seq < from {
				return nil
			}
			own = fn(r, c)
			return own
		})
		if own != nil {
			return h, own
		}
		torn := int64(0)
		var d *damage
		if errors.As(err, &d) && d.torn && !e.sealed && skip+i == len(list)-1 {
			torn, err = e.Size-seg.whole, nil
		}
		if err != nil {
			return h, fmt.Errorf("archive: %s: %w", e.Name, err)
		}
		if seg.first == 0 { // torn before its head was whole
			h.Torn = torn
			break
		}
		if h.Stream.ID != "" && (!seg.stream.same(h.Stream) || seg.first != h.Seq+1 || seg.before != h.Chain) {
			return h, fmt.Errorf("archive: %s: %w: it begins at sequence %d of stream %s %s and the one before ends at %d of %s %s, or what is between them is missing",
				e.Name, ErrDamaged, seg.first, seg.stream.Name, seg.stream.ID, h.Seq, h.Stream.Name, h.Stream.ID)
		}
		h = Head{Stream: seg.stream, Seq: seg.last, Chain: seg.chain, Torn: torn}
	}
	if h.Stream.ID == "" {
		return h, ErrEmpty
	}
	return h, nil
}

// whole drops the open form of what is sealed.
func whole(list []entry) []entry {
	return slices.CompactFunc(list, func(x, y entry) bool { return x.first == y.first })
}

// ReadHead reads where an archive ends, from its last segment alone.
func ReadHead(ctx context.Context, s Store) (Head, error) {
	return Records(ctx, s, ^uint64(0), func(journal.Record, Chain) error { return nil })
}

// Check reads everything and tells of all that is wrong: damaged and missing
// segments, and chains that do not hold together. An end that is torn is not
// wrong. ErrEmpty when there is nothing.
func Check(ctx context.Context, s Store) ([]Finding, Head, error) {
	list, err := entries(ctx, s)
	if err != nil {
		return nil, Head{}, err
	}
	if list = whole(list); len(list) == 0 {
		return nil, Head{}, ErrEmpty
	}
	var found []Finding
	var h Head
	known := false // h is the end of the segment before
	for i, e := range list {
		last := i == len(list)-1
		to := uint64(0)
		if !last {
			to = list[i+1].first - 1
		}
		seg, _, err := load(ctx, s, e, nothing)
		var d *damage
		switch {
		case errors.As(err, &d) && d.torn && !e.sealed && last:
			if seg.first > 0 {
				h = Head{Stream: seg.stream, Seq: seg.last, Chain: seg.chain}
			}
			h.Torn = e.Size - seg.whole
		case errors.Is(err, ErrDamaged):
			found = append(found, Finding{Object: e.Name, From: max(e.first, seg.last+1), To: to, What: err.Error()})
			known = false
			continue
		case err != nil:
			return found, h, err
		}
		if known && (seg.first != h.Seq+1 || seg.before != h.Chain || !seg.stream.same(h.Stream)) && seg.first > 0 {
			found = append(found, Finding{Object: e.Name, From: h.Seq + 1, To: max(seg.first-1, h.Seq+1), What: "it does not follow the segment before: one is missing, or of another archive"})
		}
		if i == 0 && seg.first > 1 {
			found = append(found, Finding{Object: e.Name, From: 1, To: seg.first - 1, What: "the segments before it are missing"})
		}
		if seg.first > 0 {
			torn := h.Torn
			h = Head{Stream: seg.stream, Seq: seg.last, Chain: seg.chain}
			if last {
				h.Torn = torn
			}
		}
		known = true
	}
	return found, h, nil
}
