package ward

import (
	"context"
	"slices"

	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/library"
	"github.com/skaldrpg/skald/pkg/projection"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"

	"github.com/skaldrpg/skald/services/injury/internal/record"
)

// recordFormat is the layout of exported files.
const recordFormat = 1

// lines sends an export line by line and counts.
type lines struct {
	send func(*injuryv1.RecordLine) error
	n    uint64
}

func (l *lines) add(line *injuryv1.RecordLine) error {
	l.n++
	return l.send(line)
}

func (l *lines) begin(table, patient string, as *eventv1.Principal) error {
	return l.add(&injuryv1.RecordLine{What: &injuryv1.RecordLine_Record{Record: &injuryv1.RecordOf{Format: recordFormat, Table: table, Patient: patient,
		Viewer: aggregate.ViewerOf(as)}}})
}

// pack sends a pack of a table.
func (l *lines) pack(digest string, data []byte) error {
	return l.add(&injuryv1.RecordLine{What: &injuryv1.RecordLine_Pack{Pack: &injuryv1.RecordPack{Digest: digest, Data: data}}})
}

// part sends a part of a branch.
func (l *lines) part(b journal.Branch, data []byte) error {
	p := &injuryv1.RecordPart{Branch: b.Name, Data: data}
	if aggregate.Kind(b.Kind) == aggregate.Patient {
		p.Patient = b.ID
	} else {
		p.Encounter = b.ID
	}
	return l.add(&injuryv1.RecordLine{What: &injuryv1.RecordLine_Part{Part: p}})
}

func (l *lines) end() error {
	return l.send(&injuryv1.RecordLine{What: &injuryv1.RecordLine_End{End: &injuryv1.RecordEnd{Lines: l.n}}})
}

// ExportPatient streams a patient's record: the stored Commits for the game master. For
// everybody else a record between fights is never over, so that it is what the
// history told, by that one's own numbers: even digests of what is hidden would count it.
func (r *Record) ExportPatient(req *injuryv1.ExportPatientRequest, stream grpc.ServerStreamingServer[injuryv1.ExportPatientResponse]) error {
	ctx, s := stream.Context(), r.s
	tableID, err := s.about(ctx, req.Table, req.Patient, req.As)
	if err != nil {
		return err
	}
	if err := s.catchUpAll(ctx); err != nil {
		return err
	}
	if err := s.seenBy(tableID, req.Patient, req.As); err != nil {
		return err
	}
	out := &lines{send: func(line *injuryv1.RecordLine) error {
		return stream.Send(&injuryv1.ExportPatientResponse{Line: line})
	}}
	if err := out.begin(tableID, req.Patient, req.As); err != nil {
		return err
	}
	if isGM(req.As) {
		err = s.exportCommits(ctx, tableID, req.Patient, out)
	} else {
		err = s.exportEntries(tableID, req.Patient, req.As, out)
	}
	if err != nil {
		return err
	}
	return out.end()
}

// seenBy refuses a patient that the caller may not see (W4).
func (s *Server) seenBy(tableID, patient string, as *eventv1.Principal) error {
	return s.cfg.Store.View(func(tx *projection.Tx) error {
		view, err := record.Now(tx, tableID, patient, as)
		if err == nil && view == nil {
			err = unknownPatient(patient)
		}
		return err
	})
}

// exportEntries sends what the history told.
func (s *Server) exportEntries(tableID, patient string, as *eventv1.Principal, out *lines) error {
	after, from := uint64(0), uint32(0)
	for more := true; more; {
		var entries []*injuryv1.HistoryEntry
		err := s.cfg.Store.View(func(tx *projection.Tx) (err error) {
			entries, more, err = page(tx, tableID, patient, as, after, from, pageSize)
			return err
		})
		if err != nil {
			return err
		}
		for _, e := range entries {
			if e.More {
				after, from = e.Number-1, from+uint32(len(e.Events)) //nolint:gosec // a number of events
			} else {
				after, from = e.Number, 0
			}
			e.Bytes = record.Bytes(e)
			if err := out.add(&injuryv1.RecordLine{What: &injuryv1.RecordLine_Entry{Entry: e}}); err != nil {
				return err
			}
		}
		more = more && len(entries) > 0
	}
	return nil
}

// exportCommits sends the packs that a record was ever kept with, and its Commits.
func (s *Server) exportCommits(ctx context.Context, tableID, patient string, out *lines) error {
	n := record.Named(tableID, patient)
	var packs []string
	if _, err := s.log.Read(ctx, n, 0, func(rec journal.Record) error {
		_, c, err := aggregate.Open(rec)
		if err == nil {
			packs = append(packs, pinnedIn(c)...)
		}
		return err
	}); err != nil {
		return unreadable(err, patient)
	}
	slices.Sort(packs)
	for _, digest := range slices.Compact(packs) {
		rec, err := s.cfg.Books.Pack(ctx, tableID, digest)
		if err != nil {
			return err
		}
		if err := out.pack(digest, rec.Pack); err != nil {
			return err
		}
	}
	_, err := s.log.Read(ctx, n, 0, func(rec journal.Record) error {
		_, c, err := aggregate.Open(rec)
		if err != nil {
			return unreadable(err, patient)
		}
		if err := s.exportParts(ctx, n, c, out); err != nil {
			return err
		}
		return out.add(&injuryv1.RecordLine{What: &injuryv1.RecordLine_Commit{Commit: rec.Data}})
	})
	return err
}

// exportParts sends what branches hold of a Commit.
func (s *Server) exportParts(ctx context.Context, n aggregate.Name, c *event.Opened, out *lines) error {
	for _, e := range c.Events {
		am := e.GetAmended()
		if am.GetBranch() == "" {
			continue
		}
		sent := uint32(0)
		err := s.log.Parts(ctx, n, am.Branch, func(data []byte) error {
			if sent == am.Parts {
				return nil
			}
			sent++
			return out.part(journal.Branch{Kind: string(n.Kind), ID: n.ID, Name: am.Branch}, data)
		})
		if err != nil {
			return unreadable(err, n.ID)
		}
	}
	return nil
}

func unreadable(err error, patient string) error {
	if aggregate.Broken(err) {
		return fault.Wrap(fault.Broken, "RECORD_BROKEN", err, "the record of patient %q can not be read", patient)
	}
	return err
}

// pinnedIn are the packs that a Commit keeps a record with.
func pinnedIn(c *event.Opened) (out []string) {
	for _, e := range c.Events {
		out = append(out, e.GetEncounterCreated().GetPacks()...)
		out = append(out, e.GetPacksPinned().GetPacks()...)
	}
	return out
}

// ExportTable streams all that is recorded at a table, in the order in which it was
// stored: encounters, patients and packs, but never what the dice service keeps sealed.
func (r *Record) ExportTable(req *injuryv1.ExportTableRequest, stream grpc.ServerStreamingServer[injuryv1.ExportTableResponse]) error {
	ctx, s := stream.Context(), r.s
	if err := aggregate.CheckPrincipal(req.As); err != nil {
		return err
	}
	if !isGM(req.As) {
		return fault.New(fault.Denied, "GM_ONLY", "only the game master may export a table")
	}
	tableID, err := aggregate.Table(req.Table)
	if err != nil {
		return err
	}
	filter, err := journal.TableFilterIn(s.cfg.Partition, tableID)
	if err != nil {
		return fault.Field("table", "%v", err)
	}
	out := &lines{send: func(line *injuryv1.RecordLine) error {
		return stream.Send(&injuryv1.ExportTableResponse{Line: line})
	}}
	var own error
	err = s.cfg.Journal.Read(ctx, filter, 1, 0, func(rec journal.Record) error {
		if out.n == 0 {
			own = out.begin(tableID, "", req.As)
		}
		if own == nil {
			own = out.stored(rec)
		}
		return own
	})
	switch {
	case own != nil:
		return own
	case err != nil:
		return aggregate.Fault(err)
	case out.n == 0:
		return fault.New(fault.NotFound, "UNKNOWN_TABLE", "there is no such table, or not all of it is the caller's")
	}
	return out.end()
}

// stored sends a record of the log, if it is one that a file holds.
func (l *lines) stored(rec journal.Record) error {
	if _, digest, ok := journal.SplitPack(rec.Subject); ok {
		pack, _, err := library.Open(rec)
		if err != nil {
			return fault.Wrap(fault.Broken, "RECORD_BROKEN", err, "the pack %q can not be read", digest)
		}
		return l.pack(digest, pack.Pack)
	}
	if b, ok := journal.SplitBranch(rec.Subject); ok {
		return l.part(b, rec.Data)
	}
	if n, ok := aggregate.Parse(rec.Subject); !ok || !n.Kind.Commits() {
		return nil
	}
	return l.add(&injuryv1.RecordLine{What: &injuryv1.RecordLine_Commit{Commit: rec.Data}})
}
