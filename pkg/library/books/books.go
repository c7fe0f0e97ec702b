package books

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/library"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

// Config says where a library finds its packs.
type Config struct {
	// Where finds the log that keeps the packs of a table, and the number of the
	// stream that it is.
	Where func(ctx context.Context, table string) (journal.Log, int, error)
	// Near finds the record of a pack in a projection, which may lag behind the
	// log; nil when there is none.
	Near func(table, digest string) (data []byte, ok bool, err error)
	// Base is what the packs of a rule system are laid over.
	Base func(system string) (effects.Base, error)
	// Memory bounds the compiled books that are kept, bytes as estimated; 0 means
	// limits.BookBytes. The one used last stays.
	Memory int64
}

// In is a Config.Where for tables that are all in one stream.
func In(log journal.Log, partition int) func(context.Context, string) (journal.Log, int, error) {
	return func(context.Context, string) (journal.Log, int, error) { return log, partition, nil }
}

// Among is a Config.Where for tables that are spread over streams.
func Among(streams *journal.Set) func(context.Context, string) (journal.Log, int, error) {
	return func(ctx context.Context, table string) (journal.Log, int, error) {
		p, err := streams.Place(ctx, table, false)
		if err != nil {
			return nil, 0, err
		}
		if _, err := streams.Stream(ctx, p); err != nil {
			return nil, 0, err
		}
		return streams.Shown(p), p, nil
	}
}

// Library finds packs and compiles them. It is safe for concurrent use.
type Library struct {
	cfg Config

	mu    sync.Mutex
	books map[string]*list.Element
	order *list.List // of *kept, used last in front
	bytes int64
}

// kept is a compiled book.
type kept struct {
	key   string
	book  *effects.Book
	bytes int64
}

// New makes a library.
func New(cfg Config) *Library {
	if cfg.Memory == 0 {
		cfg.Memory = limits.BookBytes
	}
	return &Library{cfg: cfg, books: map[string]*list.Element{}, order: list.New()}
}

// Pack reads a pack of a table and holds it against its digest. It is a NotFound
// fault when the table has none of that digest, a Broken one when its record is
// damaged, and a fault of the event store when that does not answer.
func (l *Library) Pack(ctx context.Context, table, digest string) (*encounterv1.PackRecord, error) {
	if !library.IsDigest(digest) {
		return nil, library.Unknown(digest)
	}
	log, partition, err := l.cfg.Where(ctx, table)
	if err != nil {
		return nil, aggregate.Fault(err)
	}
	subject, err := journal.PackSubject(partition, table, digest)
	if err != nil {
		return nil, library.Unknown(digest)
	}
	if l.cfg.Near != nil {
		data, ok, err := l.cfg.Near(table, digest)
		if err != nil {
			return nil, err
		}
		if rec, _, bad := library.OpenCopy(subject, data); ok && bad == nil {
			return rec, nil
		} // else what the log says counts
	}
	// The first record on the subject is the pack; a second one, which only a
	// forger writes, changes nothing as long as it is the same pack.
	last, ok, err := log.Last(ctx, subject)
	if err != nil {
		return nil, aggregate.Fault(err)
	}
	if !ok {
		return nil, library.Unknown(digest)
	}
	rec, _, err := library.Open(last)
	if errors.Is(err, event.ErrBroken) {
		return nil, fault.BrokenRecord(library.Kind, digest, last.Seq)
	}
	return rec, err
}

// Book is the book of a rule system with the packs of these digests over it, in
// their order. It may be nil. Errors are those of Pack, and PACK_UNUSABLE when
// this build cannot play by one of them.
func (l *Library) Book(ctx context.Context, table, system string, digests []string) (*effects.Book, error) {
	key := system + " " + strings.Join(digests, " ")
	if book, ok := l.find(key); ok {
		return book, nil
	}
	pinned := make([]effects.Pinned, 0, len(digests))
	size := 0
	for _, d := range digests {
		rec, err := l.Pack(ctx, table, d)
		if err != nil {
			return nil, err
		}
		p := &contentv1.Pack{}
		if err := proto.Unmarshal(rec.Pack, p); err != nil {
			return nil, fmt.Errorf("library: pack %s: %w", d, err)
		}
		pinned = append(pinned, effects.Pinned{Digest: d, Pack: p})
		size += len(rec.Pack)
	}
	book, err := l.compile(system, pinned)
	if err != nil {
		return nil, err
	}
	l.keep(key, book, int64(size))
	return book, nil
}

// compile lays packs over the book of a system.
func (l *Library) compile(system string, pinned []effects.Pinned) (*effects.Book, error) {
	base, err := l.cfg.Base(system)
	if err != nil {
		return nil, err
	}
	for _, p := range pinned {
		if p.Pack.System != system {
			return nil, fault.Refuse("PACK_OF_ANOTHER_SYSTEM", "", "pack %q is for the system %s, not %s", p.Pack.Name, p.Pack.System, system)
		}
	}
	book, err := effects.New(base, pinned...)
	if err != nil {
		return nil, fault.Wrap(fault.Illegal, "PACK_UNUSABLE", err, "this build cannot play by the packs")
	}
	return book, nil
}

// Compiled bytes are estimated: what a book takes beside its packs, and how often
// a pack's stored bytes.
const (
	bookBytes   = 16 << 10
	bookPerByte = 12
)

func (l *Library) find(key string) (*effects.Book, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	el := l.books[key]
	if el == nil {
		return nil, false
	}
	l.order.MoveToFront(el)
	return el.Value.(*kept).book, true
}

func (l *Library) keep(key string, book *effects.Book, packs int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.books[key] != nil {
		return // compiled by two calls at once
	}
	k := &kept{key: key, book: book, bytes: bookBytes + packs*bookPerByte}
	l.books[key] = l.order.PushFront(k)
	l.bytes += k.bytes
	for l.bytes > l.cfg.Memory && l.order.Len() > 1 {
		old := l.order.Remove(l.order.Back()).(*kept)
		delete(l.books, old.key)
		l.bytes -= old.bytes
	}
}
