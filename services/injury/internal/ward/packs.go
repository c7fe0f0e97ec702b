package ward

import (
	"context"
	"fmt"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/library"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/rules/effects"
)

// book is the content that a deed is decided by: what the deed gives the record, or
// else what the record is kept with. It may be nil.
func (s *Server) book(ctx context.Context, d *deed) (*effects.Book, error) {
	if len(d.packs) > 0 {
		if err := s.has(ctx, d.table, d.packs); err != nil {
			return nil, err
		}
		return s.cfg.Books.Book(ctx, d.table, d.sys.Info().ID, d.packs)
	}
	return s.cfg.Books.Book(ctx, d.table, d.sys.Info().ID, d.state.GetPacks())
}

// has refuses packs that the table does not have.
func (s *Server) has(ctx context.Context, table string, digests []string) error {
	if n := len(digests); n > limits.Packs {
		return fault.Limit("packs of a patient", limits.Packs, int64(n))
	}
	for i, digest := range digests {
		field := fmt.Sprintf("packs[%d]", i)
		if !library.IsDigest(digest) {
			return fault.Field(field, "must be the digest of a pack: 64 hexadecimal digits")
		}
		_, err := s.cfg.Books.Pack(ctx, table, digest)
		if fault.Is(err, fault.NotFound) {
			return fault.Field(field, "the table has no pack of the digest %q", digest)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
