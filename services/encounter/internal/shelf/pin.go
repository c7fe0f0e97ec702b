package shelf

import (
	"context"
	"fmt"
	"slices"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/library"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

// Book is the book by which an encounter with these packs is decided; it may be
// nil. Errors are those of books.Library.Book. A nil Shelf has no packs and
// knows no content.
func (s *Shelf) Book(ctx context.Context, table, system string, digests []string) (*effects.Book, error) {
	if s == nil {
		if len(digests) > 0 {
			return nil, library.Unknown(digests[0])
		}
		return nil, nil
	}
	return s.library.Book(ctx, table, system, digests)
}

// Record reads a pack of a table as it is stored; errors are those of
// books.Library.Pack.
func (s *Shelf) Record(ctx context.Context, table, digest string) (*encounterv1.PackRecord, error) {
	if s == nil {
		return nil, library.Unknown(digest)
	}
	return s.library.Pack(ctx, table, digest)
}

// Pin finds the packs that a new encounter names, by digest or name, and returns
// their digests and the book that they make. A name stands for the newest pack of
// the name and the system. Packs that the server offers are put into the table's
// log. What is wrong is a fault that names the field.
func (s *Shelf) Pin(ctx context.Context, table, system, field string, names []string) ([]string, *effects.Book, error) {
	if n := len(names); n > limits.Packs {
		return nil, nil, fault.Limit("packs of an encounter", limits.Packs, int64(n))
	}
	if s == nil && len(names) > 0 {
		return nil, nil, fault.Field(at(field, 0), "there is no pack %q", names[0])
	}
	var digests []string
	for i, name := range names {
		digest, err := s.pin(ctx, table, system, at(field, i), name)
		if err != nil {
			return nil, nil, err
		}
		if slices.Contains(digests, digest) {
			return nil, nil, fault.Field(at(field, i), "%q is named twice", name)
		}
		digests = append(digests, digest)
	}
	book, err := s.Book(ctx, table, system, digests)
	if f, ok := fault.As(err); ok && f.Code == fault.Illegal {
		return nil, nil, fault.Field(field, "%v", f)
	}
	return digests, book, err
}

// Offering is the name of a pack that the server offers for a system and that has a
// thing; empty when there is none.
func (s *Shelf) Offering(system string, slot effects.Slot, id string) string {
	if s == nil {
		return ""
	}
	offered, err := s.offered()
	if err != nil {
		return ""
	}
	for _, o := range offered {
		p, err := Pack(o.data)
		if o.summary.System != system || err != nil {
			continue
		}
		if slices.ContainsFunc(effects.Entries(p, slot), func(e *contentv1.Entry) bool { return e.Id == id }) {
			return o.summary.Name
		}
	}
	return ""
}

// Would is the book that an encounter would be decided by that pins packs, named by
// digest or name; nothing is kept. What is wrong is a fault that names the field.
func (s *Shelf) Would(ctx context.Context, table, system, field string, names []string) (*effects.Book, error) {
	if n := len(names); n > limits.Packs {
		return nil, fault.Limit("packs of an encounter", limits.Packs, int64(n))
	}
	pinned, digests := make([]effects.Pinned, 0, len(names)), make([]string, 0, len(names))
	for i, name := range names {
		summary, data, err := s.Find(ctx, table, system, name)
		if fault.Is(err, fault.NotFound) { // to say of which system it is
			summary, data, err = s.Find(ctx, table, "", name)
		}
		if fault.Is(err, fault.NotFound) {
			return nil, library.Unknown(name) // as for a table that is not the caller's
		}
		if err != nil {
			return nil, err
		}
		if summary.System != system {
			return nil, fault.Field(at(field, i), "pack %q is for the system %s, not %s", summary.Name, summary.System, system)
		}
		p, err := Pack(data)
		if err != nil {
			return nil, fault.Field(at(field, i), "%v", err)
		}
		pinned, digests = append(pinned, effects.Pinned{Digest: summary.Digest, Pack: p}), append(digests, summary.Digest)
	}
	book, err := s.Book(ctx, table, system, digests)
	if fault.Is(err, fault.NotFound) { // one is offered, and not in the table's log yet
		base, bad := s.cfg.Base(system)
		if bad != nil {
			return nil, bad
		}
		book, err = effects.New(base, pinned...)
	}
	if err != nil {
		return nil, fault.Field(field, "%v", err)
	}
	return book, nil
}

func at(field string, i int) string { return fmt.Sprintf("%s[%d]", field, i) }

// pin finds one pack and sees to it that the table's log has it.
func (s *Shelf) pin(ctx context.Context, table, system, field, name string) (string, error) {
	digest := name
	if !library.IsDigest(name) {
		rows, err := s.rows(ctx, table)
		if err != nil {
			return "", err
		}
		r := newest(rows, system, name)
		if r == nil {
			return "", fault.Field(field, "the table has no pack %q for %s%s", name, system, rules.DidYouMean(name, namesOf(rows, system)))
		}
		digest = r.Digest
	}
	rec, err := s.library.Pack(ctx, table, digest)
	if fault.Is(err, fault.NotFound) {
		offered, err := s.offered()
		if err != nil {
			return "", err
		}
		o := offers(offered, digest)
		if o == nil {
			return "", fault.Field(field, "the table has no pack of the digest %q", name)
		}
		if o.summary.System != system {
			return "", fault.Field(field, "pack %q is for the system %s, not %s", o.summary.Name, o.summary.System, system)
		}
		_, _, err = s.store(ctx, &encounterv1.PackRecord{Table: table, Pack: o.data, UnixMillis: s.cfg.Clock().UnixMilli(), Base: true})
		return digest, err
	}
	if err != nil {
		return "", err
	}
	summary, err := library.Summary(rec)
	if err == nil && summary.System != system {
		err = fault.Field(field, "pack %q is for the system %s, not %s", summary.Name, summary.System, system)
	}
	return digest, err
}

func namesOf(rows []*encounterv1.PackSummary, system string) []string {
	var out []string
	for _, r := range rows {
		if r.System == system && !slices.Contains(out, r.Name) {
			out = append(out, r.Name)
		}
	}
	return out
}
