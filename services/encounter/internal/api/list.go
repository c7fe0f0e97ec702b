package api

import (
	"context"
	"time"

	"github.com/skaldrpg/skald/pkg/auth"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

// listWait is how long a list waits for what was stored last; a projection that can not
// be written lists what it has.
const listWait = time.Second

// listed waits until what was stored from here is in the lists, so that whoever was told
// of an encounter finds it.
func (s *Server) listed(ctx context.Context) error {
	waiting, cancel := context.WithTimeout(ctx, listWait)
	defer cancel()
	if err := s.Archive.WaitFor(waiting, s.Engine.Stored()); err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return nil
}

// list lists the encounters of a table that the caller's token is for. Others
// count for nothing: neither the page nor whether there is more tells of them.
func (s *Server) list(grant *auth.Grant, table, after string, limit int) (*encounterv1.ListEncountersResponse, error) {
	out := &encounterv1.ListEncountersResponse{}
	for {
		found, more, err := s.Archive.List(table, after, limit)
		if err != nil {
			return nil, err
		}
		for _, e := range found {
			after = e.Encounter
			if !grant.Covers(e.Encounter) {
				continue
			}
			if len(out.Encounters) == limit {
				out.More = true
				return out, nil
			}
			e.Closed = e.Closed || s.Engine.IsClosed(e.Table, e.Encounter)
			out.Encounters = append(out.Encounters, e)
		}
		if !more || len(found) == 0 || len(out.Encounters) == limit && grant.CoversAll() {
			out.More = more
			return out, nil
		}
	}
}
