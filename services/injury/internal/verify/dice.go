package verify

import (
	"context"

	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/library"
	"github.com/skaldrpg/skald/pkg/projection"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// packs are a log that holds packs of content and nothing else.
type packs struct {
	journal.Log
	records map[string]journal.Record // by subject
}

// Last is journal.Log.Last.
func (p packs) Last(_ context.Context, subject string) (journal.Record, bool, error) {
	rec, ok := p.records[subject]
	return rec, ok, nil
}

// put takes a pack of a table.
func (p packs) put(table string, data []byte) error {
	msg, err := library.Seal(0, &encounterv1.PackRecord{Table: table, Pack: data})
	if err == nil {
		p.records[msg.Subject] = journal.Record{Subject: msg.Subject, ID: msg.ID, Data: msg.Data, Seq: uint64(len(p.records)) + 1}
	}
	return err
}

// past is a log that holds the Commits of patients and the parts of their branches, as
// they were recorded so far.
type past struct {
	journal.Log
	records map[string][]journal.Record // by subject
}

// Read is journal.Log.Read.
func (p past) Read(ctx context.Context, subject string, from, to uint64, fn func(journal.Record) error) error {
	for _, rec := range p.records[subject] {
		if rec.Seq < from || to > 0 && rec.Seq > to {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := fn(rec); err != nil {
			return err
		}
	}
	return nil
}

// Last is journal.Log.Last.
func (p past) Last(ctx context.Context, subject string) (journal.Record, bool, error) {
	all := p.records[subject]
	if len(all) == 0 {
		return journal.Record{}, false, ctx.Err()
	}
	return all[len(all)-1], true, ctx.Err()
}

// store is what was recorded so far, as the server reads it.
type store struct {
	*projection.Scratch
	// freed: a deed takes a patient out of a fight whose record was broken. Whether it was,
	// its server alone knows.
	freed bool
}

// WaitFor is ward.Store.WaitFor: all is there.
func (s *store) WaitFor(context.Context, uint64) error { return nil }

// WaitCaughtUp is ward.Store.WaitCaughtUp.
func (s *store) WaitCaughtUp(context.Context) error { return nil }

// ClosedOf is ward.Store.ClosedOf.
func (s *store) ClosedOf(_, kind, _ string) (projection.Closure, bool) {
	return projection.Closure{}, s.freed && kind == "encounter"
}

// crossing answers the engine of a fight that is decided again.
type crossing struct {
	injuryv1.AssessmentServiceClient
	server injuryv1.AssessmentServiceServer
}

// PrepareEngage is injuryv1.AssessmentServiceClient.PrepareEngage.
func (c crossing) PrepareEngage(ctx context.Context, req *injuryv1.PrepareEngageRequest, _ ...grpc.CallOption) (*injuryv1.PrepareEngageResponse, error) {
	return c.server.PrepareEngage(ctx, req)
}

// PrepareRelease is injuryv1.AssessmentServiceClient.PrepareRelease.
func (c crossing) PrepareRelease(ctx context.Context, req *injuryv1.PrepareReleaseRequest, _ ...grpc.CallOption) (*injuryv1.PrepareReleaseResponse, error) {
	return c.server.PrepareRelease(ctx, req)
}
