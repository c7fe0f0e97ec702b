package proof

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/rules"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// Kept takes a head that the reader kept, and from which the file must go on: that of the
// chain of an encounter or of a patient, or, in a file of what a viewer was told of a
// patient, that of the viewer's transcript. It is to be given before any line is added.
func (f *File) Kept(h attest.Head) { f.since = append(f.since, h) }

// KeptReport takes an earlier report of the same table or patient: each record must go on
// from where it ended then. It is to be given before any line is added. Errors say that
// the report can not be used.
func (f *File) KeptReport(r *FileReport) error {
	for _, e := range r.Ends {
		hash, err := hex.DecodeString(e.Hash)
		if err != nil || len(hash) != attest.Size {
			return fmt.Errorf("proof: %s ends with %q, which is no hash", e.Record, e.Hash)
		}
		f.ends = append(f.ends, e)
	}
	return nil
}

// goesOn has a record held against the heads in the file, those that the reader kept, and
// where it ended in an earlier report.
func (f *File) goesOn(record string, p *Proof) {
	for _, h := range f.kept[record] {
		if h.Viewer == attest.Chain {
			p.Kept(h)
		}
	}
	for _, h := range f.since {
		if f.ofFile(h) && h.Record() == record {
			p.Kept(h)
		}
	}
	for _, e := range f.ends {
		if e.Record == record {
			hash, _ := hex.DecodeString(e.Hash) //nolint:errcheck // it was looked at
			p.Kept(attest.Head{Table: f.report.Table, Viewer: attest.Chain, Number: e.Version, Hash: hash})
		}
	}
}

// ofFile tells whether the file must hold the Commits that a head is of.
func (f *File) ofFile(h attest.Head) bool {
	told := f.alone && f.report.Entries > 0 && f.report.PatientCommits == 0
	return h.Viewer == attest.Chain && f.about(h) && !told
}

// about tells whether a head is of something that the file is about.
func (f *File) about(h attest.Head) bool {
	return h.Table == f.report.Table && (!f.alone || h.Patient == f.report.Patient)
}

// ofTold tells whether a head is of the transcript of which the file holds the entries.
func (f *File) ofTold(h attest.Head) bool {
	return f.alone && h.Viewer == f.report.Viewer && f.report.Entries > 0 && f.about(h)
}

// heads take where an encounter or a patient's record stood when the export began.
func (f *File) heads(h *injuryv1.RecordHeads) {
	of := attest.Head{Encounter: h.Encounter, Patient: h.Patient}.Record()
	open := attest.UncheckedHead
	if f.by != nil {
		open = func(signed string) (attest.Head, error) { return attest.OpenHead(signed, f.by) }
	}
	for _, signed := range []string{h.GetHeads().GetChain(), h.GetHeads().GetOwn()} {
		if signed == "" {
			continue
		}
		head, err := open(signed)
		switch {
		case err != nil:
			f.problem("the head of %s: %v", of, err)
		case head.Record() != of || !f.about(head) || head.Viewer != attest.Chain && head.Viewer != f.report.Viewer:
			f.problem("the head of %s: it is one of %s of %s/%s", of, head.Viewer, head.Table, head.Record())
		default:
			f.kept[of] = append(f.kept[of], head)
			f.report.Signed++
		}
	}
}

// agrees notes what a record goes on from of what the reader kept.
func (f *File) agrees(record string, part *Report) {
	note := func(number uint64) {
		if said := fmt.Sprintf("%s at %d", attest.Chain, number); slices.Contains(part.Heads, said) {
			f.report.Kept = append(f.report.Kept, record+", "+said)
		}
	}
	for _, h := range f.since {
		if f.ofFile(h) && h.Record() == record {
			note(h.Number)
		}
	}
	for _, e := range f.ends {
		if e.Record == record {
			note(e.Version)
		}
	}
}

// sinceHolds finds heads that were kept of what the file does not have.
func (f *File) sinceHolds() {
	has := func(record string) bool {
		return slices.ContainsFunc(f.report.Ends, func(e End) bool { return e.Record == record })
	}
	for _, e := range f.ends {
		if !has(e.Record) {
			f.problem("%s ended at version %d in the report that was kept, and the file has nothing of it", e.Record, e.Version)
		}
	}
	for _, of := range rules.SortedKeys(f.kept) {
		for _, h := range f.kept[of] {
			if f.ofFile(h) && !has(of) {
				f.problem("the file has a head of %s at version %d, and nothing of it", of, h.Number)
			}
		}
	}
	for _, h := range f.since {
		switch {
		case f.ofFile(h) && !has(h.Record()):
			f.problem("the head that was kept is of %s at version %d, of which the file has nothing", h.Record(), h.Number)
		case !f.ofFile(h) && !f.ofTold(h):
			f.report.notes = append(f.report.notes, fmt.Sprintf("the head of %s of %s at %d: the file holds nothing of it", h.Viewer, h.Place(), h.Number))
		}
	}
}

// transcribe holds an entry against its bytes, and carries the viewer's transcript on.
func (f *File) transcribe(e *injuryv1.HistoryEntry) {
	p := f.piece
	p.untold = p.untold || len(e.Bytes) == 0
	if len(e.Bytes) > 0 {
		is := &injuryv1.HistoryEntry{}
		err := proto.Unmarshal(e.Bytes, is)
		is.Number, is.Bytes, is.More = e.Number, e.Bytes, e.More
		if err != nil || !proto.Equal(is, e) {
			f.problem("entry %d shows something else than its bytes say", e.Number)
		}
		p.digest.Write(e.Bytes) //nolint:errcheck // never fails
	}
	if e.More {
		return
	}
	if f.piece = nil; p.untold {
		f.untold++
		return
	}
	if f.transcript == nil {
		f.transcript = [][]byte{attest.BeginPatient(f.report.Table, f.report.Patient)}
	}
	n := uint64(len(f.transcript))
	f.transcript = append(f.transcript, attest.Next(f.transcript[n-1], n, p.digest.Sum(nil)))
}

// toldHolds holds the entries against the heads of the viewer's transcript.
func (f *File) toldHolds() {
	if f.untold > 0 {
		f.report.notes = append(f.report.notes, fmt.Sprintf("the transcript: %d entries have no bytes that it is over", f.untold))
	}
	said := false
	for _, h := range append(f.kept[attest.Head{Patient: f.report.Patient}.Record()], f.since...) {
		if !f.ofTold(h) {
			continue
		}
		said = true
		switch {
		case h.Number == 0:
		case h.Number >= uint64(len(f.transcript)):
			f.problem("the file ends at entry %d, and the head that was kept is of entry %d", f.report.Entries, h.Number)
			continue
		case !bytes.Equal(f.transcript[h.Number], h.Hash):
			f.problem("two histories: entry %d is another than the one that was signed", h.Number)
			continue
		}
		if slices.ContainsFunc(f.since, func(s attest.Head) bool { return s.Text() == h.Text() }) {
			f.report.Kept = append(f.report.Kept, fmt.Sprintf("%s, %s at %d", h.Record(), h.Viewer, h.Number))
		}
	}
	if !said && f.report.Entries > 0 {
		f.report.notes = append(f.report.notes, "whether the end was cut off: the file has no signed head; compare with one that was kept")
	}
}
