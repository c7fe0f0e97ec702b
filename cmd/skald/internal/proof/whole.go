package proof

import (
	"context"
	"fmt"
	"hash"
	"os"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/attest"
	branches "github.com/skaldrpg/skald/pkg/branch"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/library"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
	"github.com/skaldrpg/skald/services/encounter"
	"github.com/skaldrpg/skald/services/injury"
)

// fileFormat is the layout of files that are read.
const fileFormat = 1

// fightRead is an encounter of a file, as far as it was read.
type fightRead struct {
	*Proof
	verifier *encounter.Verifier
	branches map[string][][]byte
	left     int  // Commits of it that are still to come, where that is known
	shut     bool // its Commits can not be followed any more
}

// entryRead is an entry of which some pieces were read.
type entryRead struct {
	encounter string
	digest    hash.Hash
	untold    bool // a piece has no bytes
}

// File checks a file that holds what is recorded of a patient or at a table, line by
// line. It keeps what is folded in a folder of its own; in memory stay the encounters
// whose Commits are still to come and what bears on the dice.
type File struct {
	systems *rules.Registry
	report  FileReport
	dir     string
	by      note.Verifiers
	records *injury.Verifier
	alone   bool
	begun   bool
	ended   bool

	packs      map[string][]byte
	kept       map[string][]attest.Head // in the file, by record
	since      []attest.Head            // that the reader kept
	ends       []End                    // of an earlier report that the reader kept
	fights     map[string]*fightRead
	patients   map[string]*Proof
	expected   map[string]int // Commits of each encounter
	origins    map[string]bool
	imported   map[string]bool
	read       map[string]*encounter.Verifier // of those, for their forks
	piece      *entryRead                     // the entry that is being read
	untold     int                            // entries without bytes
	transcript [][]byte                       // behind each entry, that before the first included
	told       dice                           // of what a viewer was told, in place of Commits
	policy     eventv1.DicePolicy

	rulings rulings // of several records
	ruling  *ruling // whose Commits are being gathered

	deed  []injury.Stored      // Commits of patients that belong together, not yet decided
	fight *eventv1.CommitCause // of the encounter's Commit just before
	want  []journal.Message    // crossings that follow from it
	sure  bool                 // it was decided again
}

// NewFile makes the proof of a file that is not read yet. by may be nil: then signatures
// are not checked, and the report says so. Close ends it. Errors are of the file system.
func NewFile(systems *rules.Registry, by note.Verifiers) (*File, error) {
	dir, err := os.MkdirTemp("", "skald-verify-")
	if err != nil {
		return nil, fmt.Errorf("proof: %w", err)
	}
	return &File{systems: systems, dir: dir, by: by, packs: map[string][]byte{}, kept: map[string][]attest.Head{}, fights: map[string]*fightRead{},
		expected: map[string]int{}, origins: map[string]bool{}, imported: map[string]bool{}, read: map[string]*encounter.Verifier{},
		patients: map[string]*Proof{}, told: newDice(), rulings: rulings{}}, nil
}

// Close removes what was folded.
func (f *File) Close() error {
	if f.records != nil {
		f.records.Close() //nolint:errcheck // the folder is removed
	}
	return os.RemoveAll(f.dir)
}

// Look takes a line before any is added: after all lines were looked at, each encounter
// is let go of with its last Commit, but for those that others are forks of. Without
// it all stay in memory until the end, and no fork's beginning is decided.
func (f *File) Look(line *injuryv1.RecordLine) {
	c, h := &eventv1.Commit{}, &eventv1.CommitHeader{}
	if proto.Unmarshal(line.GetCommit(), c) != nil || proto.Unmarshal(c.Header, h) != nil || h.Kind != string(aggregate.Encounter) {
		return
	}
	f.expected[h.Id]++
	cause, cmd := &eventv1.CommitCause{}, &eventv1.Command{}
	if len(c.Parts) == 0 || proto.Unmarshal(c.Parts[0].Payload, cause) != nil {
		return
	}
	if h.Version == 1 && proto.Unmarshal(cause.Command, cmd) == nil && cmd.GetCreate().GetFork() != nil {
		f.origins[cmd.GetCreate().GetFork().Encounter] = true
	}
	if len(cause.Command) == 0 && imports(c.Parts) {
		f.imported[h.Id] = true
	}
}

// imports tells whether a Commit of the service's own ends a record of another server.
func imports(parts []*eventv1.Sealed) bool {
	for _, p := range parts[min(2, len(parts)):] {
		e := &eventv1.Event{}
		if proto.Unmarshal(p.Payload, e) == nil && e.GetImported() != nil {
			return true
		}
	}
	return false
}

// origin is the verification of an encounter of which another is a fork.
func (f *File) origin(id string) *encounter.Verifier {
	if r := f.fights[id]; r != nil {
		return r.verifier
	}
	return f.read[id]
}

func (f *File) problem(format string, args ...any) { f.report.problem(format, args...) }

// Add takes the next line. It fails only when ctx ends or the file system does.
func (f *File) Add(ctx context.Context, line *injuryv1.RecordLine) error {
	f.report.Lines++
	if f.ended {
		f.problem("line %d: comes after the end", f.report.Lines)
		return nil
	}
	if !f.begun && line.GetRecord() == nil {
		f.problem("line %d: the file does not begin with what it is", f.report.Lines)
	}
	switch w := line.GetWhat().(type) {
	case *injuryv1.RecordLine_Record:
		return f.begin(w.Record)
	case *injuryv1.RecordLine_Pack:
		return f.pack(w.Pack)
	case *injuryv1.RecordLine_Part:
		return f.part(w.Part)
	case *injuryv1.RecordLine_Heads:
		f.heads(w.Heads)
	case *injuryv1.RecordLine_Keys:
		f.report.Keys = len(w.Keys.GetKeys())
	case *injuryv1.RecordLine_Entry:
		f.entry(w.Entry)
	case *injuryv1.RecordLine_Commit:
		return f.commit(ctx, w.Commit)
	case *injuryv1.RecordLine_End:
		f.ended = true
		if want := uint64(f.report.Lines) - 1; w.End.Lines != want { //nolint:gosec // a count
			f.problem("the end says that %d lines come before it, and there are %d", w.End.Lines, want)
		}
		return f.decide(ctx)
	default:
		f.problem("line %d: holds nothing that is known", f.report.Lines)
	}
	return nil
}

// begin takes what the file is.
func (f *File) begin(of *injuryv1.RecordOf) error {
	if f.begun {
		f.problem("line %d: the file begins twice", f.report.Lines)
		return nil
	}
	if of.Format != fileFormat {
		f.problem("the file has the layout %d, and this build reads %d", of.Format, fileFormat)
	}
	f.begun, f.alone = true, of.Patient != ""
	f.report.Table, f.report.Patient, f.report.Viewer = of.Table, of.Patient, of.Viewer
	var err error
	f.records, err = injury.NewVerifier(injury.VerifierConfig{Systems: f.systems, Dir: f.dir, Alone: f.alone})
	return err
}

// pack takes a pack of content.
func (f *File) pack(p *injuryv1.RecordPack) error {
	if is := library.Digest(p.Data); is != p.Digest {
		f.problem("pack %s: its digest is %s", p.Digest, is)
		return nil
	}
	f.packs[p.Digest] = p.Data
	f.report.Packs++
	if f.records == nil {
		return nil
	}
	return f.records.Pack(f.report.Table, p.Digest, p.Data)
}

// part takes a part of an amended history.
func (f *File) part(p *injuryv1.RecordPart) error {
	of := aggregate.Name{Table: f.report.Table, Kind: aggregate.Encounter, ID: p.Encounter}
	if p.Patient != "" {
		of.Kind, of.ID = aggregate.Patient, p.Patient
	}
	switch {
	case p.Patient != "" && p.Encounter != "":
		f.problem("line %d: a part of both an encounter and a patient", f.report.Lines)
		return nil
	case f.alone && p.Patient != f.report.Patient:
		f.problem("line %d: a part of %s %s", f.report.Lines, of.Kind, of.ID)
		return nil
	case p.Patient != "":
		f.patientRead(p.Patient).Branch(p.Branch, p.Data)
	default:
		r := f.reading(p.Encounter)
		r.Branch(p.Branch, p.Data)
		branches.Take(r.branches, p.Branch, p.Data)
	}
	if f.records == nil {
		return nil
	}
	if err := f.records.Branch(of, p.Branch, p.Data); err != nil {
		f.problem("%s %s, branch %s: %v", of.Kind, of.ID, p.Branch, err)
	}
	return nil
}

// patientRead is a patient's record of the file.
func (f *File) patientRead(id string) *Proof {
	p := f.patients[id]
	if p == nil {
		p = New()
		p.within, p.report.address = true, "patient:"+id
		f.goesOn("patient "+id, p)
		f.patients[id] = p
	}
	return p
}

// reading is an encounter of the file.
func (f *File) reading(id string) *fightRead {
	r := f.fights[id]
	if r == nil {
		r = &fightRead{Proof: New(), branches: map[string][][]byte{}, left: f.expected[id]}
		r.within = true
		f.goesOn("encounter "+id, r.Proof)
		f.fights[id] = r
	}
	return r
}

// entry takes what a viewer was told: its numbers, and the dice of what happened between
// fights. Those of fights are in the fights' own exports.
func (f *File) entry(e *injuryv1.HistoryEntry) {
	first := f.piece == nil
	if first {
		f.report.Entries++
		f.piece = &entryRead{encounter: e.Encounter, digest: attest.Digesting()}
	} else if e.Encounter != "" || e.Deed != "" || e.UnixMillis != 0 {
		f.problem("entry %d begins where it goes on", e.Number)
	}
	if e.Number != uint64(f.report.Entries) { //nolint:gosec // a count
		f.problem("entry %d stands where %d does", e.Number, f.report.Entries)
	}
	of := f.piece.encounter
	f.transcribe(e)
	if of != "" {
		return
	}
	for _, ev := range e.Events {
		if c := ev.GetEncounterCreated(); c != nil {
			f.policy = c.DicePolicy
		}
		f.told.add(ev)
	}
}

// commit takes a Commit of an encounter or of a patient.
func (f *File) commit(ctx context.Context, data []byte) error {
	o, err := event.Open(data)
	if err == nil && o.Withheld > 0 {
		err = fmt.Errorf("%d parts are withheld", o.Withheld)
	}
	if err != nil {
		f.problem("line %d: %v", f.report.Lines, err)
		f.report.lost++
		return f.decide(ctx)
	}
	if o.Header.Table != f.report.Table || f.alone && (o.Header.Kind != string(aggregate.Patient) || o.Header.Id != f.report.Patient) {
		f.problem("line %d: is of %s %s at table %s", f.report.Lines, o.Header.Kind, o.Header.Id, o.Header.Table)
	}
	f.rulings.take(o)
	switch aggregate.Kind(o.Header.Kind) {
	case aggregate.Encounter:
		if f.ruling == nil || !f.ruling.has(o) {
			if err := f.decide(ctx); err != nil {
				return err
			}
		}
		return f.encounter(ctx, o, data)
	case aggregate.Patient:
		return f.patient(ctx, o, data)
	}
	f.problem("line %d: a Commit of %q", f.report.Lines, o.Header.Kind)
	return nil
}

// encounter decides a Commit of a fight again, with the records of patients as they
// stand, and lets these know of it.
func (f *File) encounter(ctx context.Context, o *event.Opened, data []byte) (err error) {
	r := f.reading(o.Header.Id)
	f.report.Commits++
	r.Add(data)
	if r.verifier == nil {
		r.verifier = encounter.NewVerifier(encounter.VerifierConfig{Systems: f.systems, Packs: f.packs, Branches: r.branches, Patients: f.crosses(o), Origin: f.origin})
	} else {
		f.crosses(o)
	}
	if f.want, f.sure, err = r.verifier.Next(ctx, data); err != nil {
		return err
	}
	f.fight = o.Cause
	f.ruled(o, r.verifier.Ruled())
	if f.records != nil && !r.shut {
		if err := f.records.Encounter(o, data); err != nil {
			r.shut = true
			f.problem("encounter %s, version %d: %v", o.Header.Id, o.Header.Version, err)
		}
	}
	if r.left--; r.left == 0 {
		if f.ruling != nil {
			f.ruling.close = append(f.ruling.close, o.Header.Id)
		} else {
			f.close(o.Header.Id)
		}
	}
	return nil
}

// crosses answers for the records of patients at the time of a Commit.
func (f *File) crosses(o *event.Opened) injuryv1.AssessmentServiceClient {
	if f.records == nil || f.imported[o.Header.Id] {
		return nil // the records of its patients are elsewhere
	}
	return f.records.Crosses(o.Header.UnixMillis)
}

// patient takes a Commit of a patient: with those before it, where they are of one deed.
func (f *File) patient(ctx context.Context, o *event.Opened, data []byte) error {
	f.patientRead(o.Header.Id).Add(data)
	f.report.PatientCommits++
	if f.ruling != nil {
		if f.ruling.has(o) {
			f.ruling.patients = append(f.ruling.patients, injury.Stored{Opened: o, Data: data})
			return nil
		}
		if err := f.decide(ctx); err != nil {
			return err
		}
	}
	if len(f.deed) > 0 && !together(f.deed[len(f.deed)-1].Opened, o) {
		if err := f.decide(ctx); err != nil {
			return err
		}
	}
	f.deed = append(f.deed, injury.Stored{Opened: o, Data: data})
	return nil
}

// crossed tells whether a Commit is of a patient that came into a fight or left one.
func crossed(o *event.Opened) bool {
	cmd := &eventv1.Command{}
	d := ""
	if proto.Unmarshal(o.Cause.GetCommand(), cmd) == nil {
		d = cmd.GetPatient().GetDeed()
	}
	return d == "engage" || d == "release"
}

// together tells whether two Commits in a row are of one deed, or of the patients who
// crossed with one command of a fight.
func together(a, b *event.Opened) bool {
	if !sameRequest(a.Cause, b.Cause) || crossed(a) != crossed(b) {
		return false
	}
	return crossed(a) || string(a.Cause.Command) == string(b.Cause.Command)
}

func sameRequest(a, b *eventv1.CommitCause) bool {
	return a.GetRequestId() == b.GetRequestId() && a.GetPrincipal().GetRole() == b.GetPrincipal().GetRole() && a.GetPrincipal().GetName() == b.GetPrincipal().GetName()
}

// decide decides the Commits of patients that were gathered.
func (f *File) decide(ctx context.Context) error {
	deed, fight, want, sure := f.deed, f.fight, f.want, f.sure
	f.deed, f.fight, f.want, f.sure = nil, nil, nil, false
	if f.records == nil {
		return nil
	}
	if err := f.rule(ctx); err != nil {
		return err
	}
	if len(deed) == 0 || f.alone || !crossed(deed[0].Opened) {
		if sure && len(want) > 0 {
			f.records.Crossing(nil, want, true)
		}
		if len(deed) == 0 {
			return nil
		}
		return f.records.Deed(ctx, deed)
	}
	if fight == nil || !sameRequest(fight, deed[0].Cause) {
		f.problem("patient %s, version %d: no command of a fight comes before it that lets a patient in or out", deed[0].Header.Id, deed[0].Header.Version)
		sure = false
	}
	f.records.Crossing(deed, want, sure)
	return nil
}

// close lets go of an encounter.
func (f *File) close(id string) {
	r := f.fights[id]
	if r == nil || r.verifier == nil {
		return
	}
	part := r.Report()
	r.totals(part)
	f.agrees("encounter "+id, part)
	f.report.fight(id, part, r.verifier.Report())
	delete(f.fights, id)
	if f.origins[id] {
		f.read[id] = r.verifier
	}
}

// Report is what was found, once all lines were added.
func (f *File) Report(ctx context.Context) (*FileReport, error) {
	if !f.ended {
		f.problem("the file breaks off: its last line is missing")
		if err := f.decide(ctx); err != nil {
			return nil, err
		}
	}
	for _, id := range rules.SortedKeys(f.fights) {
		f.close(id)
	}
	for _, id := range rules.SortedKeys(f.patients) {
		p := f.patients[id]
		p.dice.skipped = nil // a patient's deeds are numbered whether they draw or not
		part := p.Report()
		p.totals(part)
		f.agrees("patient "+id, part)
		f.report.add("patient "+id, part)
	}
	if f.piece != nil {
		f.problem("entry %d breaks off", f.report.Entries)
	}
	if f.report.Entries > 0 {
		f.toldDice()
	}
	f.sinceHolds()
	f.toldHolds()
	if !f.alone {
		f.rulings.check(f.problem)
	}
	if f.records != nil {
		f.report.patients(f.records.Report())
	}
	f.report.lists(f)
	return &f.report, nil
}

// toldDice checks the dice of what a viewer was told.
func (f *File) toldDice() {
	p := New()
	p.dice, p.server = f.told, f.policy == eventv1.DicePolicy_DICE_POLICY_SERVER
	part := &Report{address: "patient:" + f.report.Patient, Withheld: 1}
	p.dice.verify(part)
	p.totals(part)
	f.report.add("patient "+f.report.Patient, part)
}

// prefixed puts where it is before each problem.
func prefixed(where string, all []string) (out []string) {
	for _, p := range all {
		out = append(out, where+": "+p)
	}
	return slices.Clip(out)
}

// short is a hash for people.
func short(hash string) string { return strings.TrimSpace(hash[:min(16, len(hash))]) }
