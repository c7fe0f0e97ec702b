package verify

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/library/books"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/recheck"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
	"github.com/skaldrpg/skald/services/injury/internal/record"
	"github.com/skaldrpg/skald/services/injury/internal/ward"
)

// Problem is one place in which a patient's record does not hold.
type Problem struct {
	// Patient whose record it is.
	Patient string `json:"patient"`
	recheck.Problem
}

// String is the problem for people.
func (p Problem) String() string { return "patient " + p.Patient + ", " + p.Problem.String() }

// Other is rules that this build does not have.
type Other = recheck.Other

// Report is what deciding again came to.
type Report struct {
	// Commits of patients, and those that were decided again.
	Commits int `json:"commits"`
	Decided int `json:"decided"`
	// Crossings into and out of fights that were held against the fight's record.
	Crossings int `json:"crossings"`
	// Digests of requests that were compared, and those that cannot be told any more.
	Digests int `json:"request_digests"`
	Filled  int `json:"request_digests_unknown,omitempty"`
	// Rulings of fights that changed records: that they hang together was checked, but
	// what they say of deeds was not decided again.
	Rulings int `json:"rulings,omitempty"`
	// Releases from fights that are not at hand, Elsewhere deeds that touched patients
	// who are not, and Freed patients out of fights whose record was broken: not decided.
	Releases  int `json:"releases_without_fight,omitempty"`
	Elsewhere int `json:"deeds_with_others,omitempty"`
	Freed     int `json:"freed,omitempty"`
	// Other rules by which Commits were decided that were not decided again.
	Other []Other `json:"other_rules,omitempty"`
	// Content: records name a content of the rules that this build does not have.
	Content []string `json:"content,omitempty"`
	// MissingPacks are pinned and did not come with the record: what needs them was not decided.
	MissingPacks []string `json:"missing_packs,omitempty"`
	// Problems found, in order.
	Problems []Problem `json:"problems,omitempty"`
}

// Whole tells whether everything was decided again and nothing was found.
func (r *Report) Whole() bool {
	return len(r.Problems) == 0 && r.Rulings == 0 && r.Decided+r.Crossings == r.Commits && r.Filled == 0 && len(r.Content) == 0
}

// Config is what records are decided by.
type Config struct {
	// Systems are the rule systems of this build.
	Systems *rules.Registry
	// Dir is where the fold is kept meanwhile: a folder that the caller removes.
	Dir string
	// Alone: the records of one patient, without those of others and of fights.
	Alone bool
}

// Run is one verification. Whoever has the records hands them over in the order in
// which they were stored. It is not safe for concurrent use.
type Run struct {
	cfg    Config
	store  *store
	packs  packs
	past   past
	tapes  *recheck.Tapes
	replay *ward.Replay
	report Report
	seq    uint64
	at     int64           // time of the Commit being decided
	broken map[string]bool // patients whose record can not be followed any more
	given  map[string]bool // digests of packs
	needs  map[string][]string
}

// Begin makes a verification of nothing yet. Errors are of the file system.
func Begin(cfg Config) (*Run, error) {
	scratch, err := projection.OpenScratch(filepath.Join(cfg.Dir, "patients.db"), record.Fold{})
	if err != nil {
		return nil, err
	}
	v := &Run{cfg: cfg, store: &store{Scratch: scratch}, packs: packs{records: map[string]journal.Record{}}, past: past{records: map[string][]journal.Record{}}, tapes: recheck.NewTapes(),
		broken: map[string]bool{}, given: map[string]bool{}, needs: map[string][]string{}}
	v.replay = ward.NewReplay(ward.Config{Journal: v.past, Store: v.store, Dice: v.tapes, Systems: cfg.Systems, Logger: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Books: books.New(books.Config{Where: books.In(v.packs, 0), Base: books.BaseOf(cfg.Systems)}), Clock: func() time.Time { return time.UnixMilli(v.at) }})
	return v, nil
}

// Close removes the fold.
func (v *Run) Close() error {
	return errors.Join(v.store.Close(), os.Remove(filepath.Join(v.cfg.Dir, "patients.db")))
}

// Pack takes a pack of a table, which is what its digest says.
func (v *Run) Pack(table, digest string, data []byte) error {
	v.given[digest] = true
	return v.packs.put(table, data)
}

// Branch takes a part of an encounter's or a patient's amended history.
func (v *Run) Branch(of aggregate.Name, name string, data []byte) error {
	b := journal.Branch{Table: of.Table, Kind: string(of.Kind), ID: of.ID, Name: name}
	subject, err := b.Subject(0)
	if err != nil {
		return err
	}
	return v.fold(subject, "", data)
}

// Encounter folds a Commit of a fight, of which the records of patients tell. Errors
// are those of the fold: nothing more is to be folded of it.
func (v *Run) Encounter(c *event.Opened, data []byte) error {
	subject, err := named(c).Subject(0)
	if err != nil {
		return err
	}
	return v.fold(subject, hex.EncodeToString(c.Hash), data)
}

// Crosses answers the engine of a fight that is decided again for the records of
// patients, as they are recorded so far.
func (v *Run) Crosses(at int64) injuryv1.AssessmentServiceClient {
	v.at = at
	return crossing{server: v.replay.Crosses()}
}

func named(c *event.Opened) aggregate.Name {
	return aggregate.Name{Table: c.Header.Table, Kind: aggregate.Kind(c.Header.Kind), ID: c.Header.Id}
}

func (v *Run) fold(subject, id string, data []byte) error {
	v.seq++
	rec := journal.Record{Subject: subject, ID: id, Data: data, Seq: v.seq}
	n, _ := aggregate.Parse(subject)
	if b, _ := journal.SplitBranch(subject); n.Kind == aggregate.Patient || b.Kind == string(aggregate.Patient) {
		v.past.records[subject] = append(v.past.records[subject], rec)
	}
	return v.store.Apply(rec)
}

// Report is what was found so far.
func (v *Run) Report() *Report { return &v.report }

func (v *Run) problem(c *event.Opened, p recheck.Problem) {
	p.Version = c.Header.Version
	v.report.Problems = append(v.report.Problems, Problem{c.Header.Id, p})
}

// Stored is a Commit as it is recorded, opened.
type Stored struct {
	*event.Opened
	// Data are its bytes.
	Data []byte
}

// Deed decides a deed again, whose Commits are all that it made, that of the patient
// whose deed it is last, and folds them. It returns an error only when ctx ends.
func (v *Run) Deed(ctx context.Context, commits []Stored) error {
	opened := make([]*event.Opened, len(commits))
	decidable := true
	for i, c := range commits {
		opened[i] = c.Opened
		decidable = v.look(c) && decidable
	}
	last := opened[len(opened)-1]
	if v.ruling(last) {
		v.report.Rulings += len(opened)
		decidable = false
	}
	if decidable && v.cfg.Alone {
		decidable = v.byItself(last)
	}
	if decidable {
		if err := v.decide(ctx, opened); err != nil {
			return err
		}
	}
	v.foldAll(commits)
	return nil
}

// Crossing holds Commits by which patients came into a fight or left it against those
// that the fight's command comes to, and folds them. compared is false where the
// fight could not be decided again.
func (v *Run) Crossing(commits []Stored, want []journal.Message, compared bool) {
	for i, c := range commits {
		if !v.look(c) || !compared {
			continue
		}
		if i >= len(want) {
			v.report.Crossings++
			v.problem(c.Opened, recheck.Problem{Part: "commit", Text: "no such crossing follows from the fight's command of the same request"})
			continue
		}
		v.report.Crossings++
		v.against(c.Opened, want[i])
	}
	if compared && len(want) > len(commits) {
		n, _ := aggregate.Parse(want[len(commits)].Subject)
		v.report.Problems = append(v.report.Problems, Problem{n.ID, recheck.Problem{Part: "commit",
			Text: "a fight's command lets the patient in or out, and the patient's record says nothing of it"}})
	}
	v.foldAll(commits)
}

// ruling tells whether a Commit is a ruling of fights.
func (v *Run) ruling(c *event.Opened) bool {
	cmd := &eventv1.Command{}
	return proto.Unmarshal(c.Cause.Command, cmd) == nil && cmd.GetPatient().GetDeed() == record.DeedRuling
}

// look holds what a Commit says of itself, and tells whether it can be decided again.
func (v *Run) look(c Stored) bool {
	v.report.Commits++
	for _, p := range recheck.Odd(c.Opened, c.Data) {
		v.problem(c.Opened, p)
	}
	v.pin(c.Opened)
	if v.broken[c.Header.Id] || !v.filled(c) {
		return false
	}
	mine := recheck.Rules{Systems: v.cfg.Systems, Engine: ward.EngineVersion}
	return mine.Decided(c.Header, &v.report.Other) && v.packed(c.Opened)
}

// pin notes the packs that a patient's record is kept with.
func (v *Run) pin(c *event.Opened) {
	for _, e := range c.Events {
		switch w := e.GetWhat().(type) {
		case *eventv1.Event_EncounterCreated:
			v.needs[c.Header.Id] = append(v.needs[c.Header.Id], w.EncounterCreated.Packs...)
		case *eventv1.Event_PacksPinned:
			v.needs[c.Header.Id] = append(v.needs[c.Header.Id], w.PacksPinned.Packs...)
		}
	}
}

// packed tells whether all packs that the patient was ever kept with are there.
func (v *Run) packed(c *event.Opened) bool {
	whole := true
	for _, digest := range v.needs[c.Header.Id] {
		if !v.given[digest] {
			whole = false
			if !slices.Contains(v.report.MissingPacks, digest) {
				v.report.MissingPacks = append(v.report.MissingPacks, digest)
			}
		}
	}
	return whole
}

// byItself tells whether a deed can be decided from one patient's record, and counts
// it where it can not.
func (v *Run) byItself(c *event.Opened) bool {
	cmd := &eventv1.Command{}
	if proto.Unmarshal(c.Cause.Command, cmd) == nil && cmd.GetPatient().GetDeed() == "release" {
		v.report.Releases++
		return false
	}
	ids, err := v.replay.Concerned(c)
	if err == nil && slices.ContainsFunc(ids, func(id string) bool { return id != c.Header.Id }) {
		v.report.Elsewhere++
		return false
	}
	return true
}

// decide decides a deed again and compares.
func (v *Run) decide(ctx context.Context, commits []*event.Opened) error {
	last := commits[len(commits)-1]
	v.report.Decided += len(commits)
	v.at = last.Header.UnixMillis
	v.tapes.Of(ward.PatientDice(last.Header.Id), last.Inputs.GetInputs(), last.Events)
	v.store.freed = v.frees(last)
	defer func() { v.store.freed = false }()
	want, err := v.again(ctx, commits)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if v.tapes.Missed != nil {
		v.problem(last, *v.tapes.Missed)
		return nil
	}
	if err != nil {
		p := recheck.Problem{Part: "cause", Field: "command", Text: "decided again it is refused: " + err.Error()}
		if f, ok := fault.As(err); ok && len(f.Violations) > 0 && (f.Violations[0].Field == "cause.request_id" || f.Violations[0].Field == "request_id") {
			p.Field = "request_id"
		}
		v.problem(last, p)
		return nil
	}
	v.digests(commits)
	for i, c := range commits {
		if i >= len(want) {
			v.problem(c, recheck.Problem{Part: "commit", Text: "the deed does not touch this patient"})
			continue
		}
		v.against(c, want[i])
	}
	if len(want) > len(commits) {
		n, _ := aggregate.Parse(want[len(commits)].Subject)
		v.problem(last, recheck.Problem{Part: "commit", Text: fmt.Sprintf("the deed touches patient %s as well, whose record has nothing of it", n.ID)})
	}
	return nil
}

// frees tells whether a Commit is of a deed that takes a patient out of a fight; that
// the fight's record was broken is not to be told from what is recorded.
func (v *Run) frees(c *event.Opened) bool {
	cmd := &eventv1.Command{}
	if proto.Unmarshal(c.Cause.Command, cmd) != nil || cmd.GetPatient().GetDeed() != "abandon" {
		return false
	}
	if len(c.Events) == 1 && c.Events[0].GetMark() != nil {
		v.report.Freed++
		return true
	}
	return false
}

// again is Replay.Decide; what a crafted Commit makes of the rules is an error.
func (v *Run) again(ctx context.Context, commits []*event.Opened) (out []journal.Message, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("deciding it panics: %v", r)
		}
	}()
	return v.replay.Decide(ctx, commits)
}

// digests compares the digest of the request, which all Commits of a deed have.
func (v *Run) digests(commits []*event.Opened) {
	last := commits[len(commits)-1]
	cmd := &eventv1.Command{}
	if proto.Unmarshal(last.Cause.Command, cmd) != nil {
		return
	}
	if d := cmd.GetPatient().GetDeed(); d == "engage" || d == "release" {
		return // the fight's Commit has it
	}
	same, known := v.replay.Digested(last)
	switch {
	case !same && !known:
		v.report.Filled++
	case !same:
		v.problem(last, recheck.Problem{Part: "cause", Field: "request_digest", Text: "is not that of the request: who gave the command, or what it said, was another"})
	default:
		v.report.Digests++
	}
}

// against holds a Commit against what it would have been.
func (v *Run) against(c *event.Opened, want journal.Message) {
	is, err := event.Open(want.Data)
	if err != nil {
		v.problem(c, recheck.Problem{Part: "commit", Text: err.Error()})
		return
	}
	if is.Header.Id != c.Header.Id {
		v.problem(c, recheck.Problem{Part: "header", Field: "id", Recorded: c.Header.Id, Decided: is.Header.Id})
		return
	}
	v.compare(c, is)
}

// compare holds the parts of a Commit against what was decided again.
func (v *Run) compare(c, is *event.Opened) {
	found := func(part string, a, b proto.Message) bool {
		p := recheck.Comparer{}.Compare(a, b)
		if p != nil {
			v.problem(c, recheck.Problem{Part: part, Field: p.Field, Recorded: p.Recorded, Decided: p.Decided})
		}
		return p != nil
	}
	h, want := proto.CloneOf(c.Header), proto.CloneOf(is.Header)
	h.UnixMillis, want.UnixMillis, h.Digests, want.Digests, h.Format, want.Format = 0, 0, nil, nil, 0, 0
	found("header", h, want)
	asBefore(c, is)
	if is.Cause.RequestDigest == nil { // a crossing has none
		is.Cause.RequestDigest = c.Cause.RequestDigest
		if len(c.Cause.RequestDigest) > 0 {
			v.problem(c, recheck.Problem{Part: "cause", Field: "request_digest", Text: "of a crossing, which has none"})
		}
	}
	found("cause", c.Cause, is.Cause)
	found("inputs", c.Inputs, is.Inputs)
	for i := range max(len(c.Events), len(is.Events)) {
		switch {
		case i >= len(c.Events):
			v.problem(c, recheck.Problem{Part: recheck.PartOf(i, is.Events[i]), Decided: recheck.Short(is.Events[i])})
			return
		case i >= len(is.Events):
			v.problem(c, recheck.Problem{Part: recheck.PartOf(i, c.Events[i]), Recorded: recheck.Short(c.Events[i])})
			return
		}
		v.content(c.Events[i].GetEncounterCreated(), is.Events[i].GetEncounterCreated())
		if found(recheck.PartOf(i, c.Events[i]), c.Events[i], is.Events[i]) {
			return // what follows is shifted, or the same again
		}
	}
}

// content passes over a digest of the content that this build does not have, and says so.
func (v *Run) content(c, is *eventv1.EncounterCreated) {
	if c == nil || is == nil || c.ContentDigest == is.ContentDigest {
		return
	}
	if !slices.Contains(v.report.Content, c.ContentDigest) {
		v.report.Content = append(v.report.Content, c.ContentDigest)
	}
	is.ContentDigest = c.ContentDigest
}

// foldAll folds Commits as they are recorded.
func (v *Run) foldAll(commits []Stored) {
	for _, c := range commits {
		if v.broken[c.Header.Id] {
			continue
		}
		subject, err := named(c.Opened).Subject(0)
		if err == nil {
			err = v.fold(subject, hex.EncodeToString(c.Hash), c.Data)
		}
		if err != nil {
			v.broken[c.Header.Id] = true
			v.problem(c.Opened, recheck.Problem{Part: "commit", Text: err.Error()})
		}
	}
}

// asBefore has a coming back into a fight say that it is one only where the record
// does: builds before did not write it down.
func asBefore(c, is *event.Opened) {
	was, now := &eventv1.Command{}, &eventv1.Command{}
	if proto.Unmarshal(c.Cause.Command, was) != nil || proto.Unmarshal(is.Cause.Command, now) != nil {
		return
	}
	if now.GetPatient().GetDeed() != "engage" || was.GetPatient().GetParameters() != nil || now.GetPatient().Parameters == nil {
		return
	}
	now.GetPatient().Parameters = nil
	if data, err := proto.Marshal(now); err == nil {
		is.Cause.Command = data
	}
}
