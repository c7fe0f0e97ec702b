package proof

import (
	"fmt"
	"strings"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/text"
	"github.com/skaldrpg/skald/services/encounter"
	"github.com/skaldrpg/skald/services/injury"
)

// FileReport is what the check of a whole table's or a patient's file came to.
type FileReport struct {
	// Table, and Patient where the file is of one; Viewer that it was made for.
	Table   string `json:"table"`
	Patient string `json:"patient,omitempty"`
	Viewer  string `json:"viewer"`
	// Lines read.
	Lines int `json:"lines"`
	// Encounters and Patients, and the Commits of each.
	Encounters     int `json:"encounters"`
	Patients       int `json:"patients"`
	Commits        int `json:"commits"`
	PatientCommits int `json:"patient_commits"`
	// Entries of a history that stand in place of Commits.
	Entries int `json:"entries,omitempty"`
	// Packs of content, Keys that the file lists, and Signed heads.
	Packs  int `json:"packs,omitempty"`
	Keys   int `json:"keys,omitempty"`
	Signed int `json:"signed_heads,omitempty"`
	// Rolls, and those whose branch is not revealed; faces that follow from what is
	// revealed, that were rolled by people, and fixed by the game master's word.
	Rolls    int `json:"rolls"`
	Sealed   int `json:"sealed_rolls"`
	Faces    int `json:"faces"`
	Supplied int `json:"supplied_faces"`
	Fixed    int `json:"fixed_faces"`
	// Decided again were so many Commits of encounters and, in amendments, Redecided
	// commands; Deeds of patients; and Crossings, held against the fight's command.
	Decided   int `json:"decided"`
	Redecided int `json:"redecided,omitempty"`
	Deeds     int `json:"decided_deeds"`
	Crossings int `json:"crossings"`
	// Ends are where each record ends: what it is of, version and hash.
	Ends []End `json:"ends,omitempty"`
	// Kept are the heads that the reader kept and that the file goes on from.
	Kept []string `json:"agrees_with_heads,omitempty"`
	// Compare is what nobody but the reader can: values of public beacons.
	Compare []string `json:"compare,omitempty"`
	// Checked says what was checked, Unchecked what was not and why.
	Checked   []string `json:"checked,omitempty"`
	Unchecked []string `json:"unchecked,omitempty"`
	// Problems found, and Places of those that deciding again found.
	Problems []string    `json:"problems,omitempty"`
	Places   []FilePlace `json:"places,omitempty"`

	digests, unknown, lost int
	notes                  []string
}

// End is where a record ends.
type End struct {
	// Record is what it is of, such as "patient kara".
	Record string `json:"record"`
	// Version of the last Commit, and its Hash in hex.
	Version uint64 `json:"version"`
	Hash    string `json:"hash"`
}

// FilePlace is a place in which a record of the file does not hold.
type FilePlace struct {
	// Record is what it is of.
	Record string `json:"record"`
	encounter.Misfit
}

func (r *FileReport) problem(format string, args ...any) {
	if len(r.Problems) < maxProblems {
		r.Problems = append(r.Problems, fmt.Sprintf(format, args...))
	}
}

func (r *FileReport) place(record string, at encounter.Misfit) {
	if len(r.Places) < maxProblems {
		r.Places = append(r.Places, FilePlace{record, at})
		r.problem("%s, %s", record, at)
	}
}

// add takes the proof of one record: its chain and its dice.
func (r *FileReport) add(record string, part *Report) {
	r.Rolls, r.Sealed, r.Faces = r.Rolls+part.Rolls, r.Sealed+part.Sealed, r.Faces+part.Faces
	r.Supplied, r.Fixed = r.Supplied+part.Supplied, r.Fixed+part.Fixed
	if part.Commits > 0 {
		r.Ends = append(r.Ends, End{record, part.Version, part.Hash})
	}
	r.Compare = append(r.Compare, prefixed(record, part.Compare)...)
	for _, p := range prefixed(record, part.Problems) {
		r.problem("%s", p)
	}
	if strings.HasPrefix(record, "patient ") {
		r.Patients++
	} else {
		r.Encounters++
	}
}

// fight takes what deciding an encounter again came to.
func (r *FileReport) fight(id string, part *Report, got *encounter.Verification) {
	record := "encounter " + id
	r.add(record, part)
	r.Decided, r.Redecided, r.digests = r.Decided+got.Decided, r.Redecided+got.Commands, r.digests+got.Digests
	for _, at := range got.Problems {
		r.place(record, at)
	}
	note := func(format string, args ...any) {
		r.notes = append(r.notes, record+": "+fmt.Sprintf(format, args...))
	}
	if got.Filled > 0 {
		r.unknown++
		note("%d digests of requests: packs by name or a patient's record were filled in", got.Filled)
	}
	for _, digest := range got.MissingPacks {
		note("what was decided: the pack %s is needed and not in the file", digest)
	}
	if got.Content != "" || got.Unnamed {
		r.unknown++
		note("the content of the rules: this build has another than the record names, or it names none")
	}
	if got.Fork != "" {
		note("what it began as: it is a fork of encounter %s, whose record is not in the file before it", got.Fork)
	}
	for _, o := range got.Other {
		note("what was decided by %d Commits, the first version %d: %s", o.Commits, o.First, needed(o))
	}
}

// patients takes what deciding the records of patients again came to.
func (r *FileReport) patients(got *injury.Verification) {
	r.Deeds, r.Crossings, r.digests = got.Decided, got.Crossings, r.digests+got.Digests
	for _, at := range got.Problems {
		r.place("patient "+at.Patient, at.Problem)
	}
	note := func(count int, format string, args ...any) {
		if count > 0 {
			r.notes = append(r.notes, fmt.Sprintf(format, args...))
		}
	}
	note(got.Filled, "%d digests of requests between fights: settings or packs went along that cannot be told", got.Filled)
	note(got.Releases, "what %d leavings of fights brought into the record: that is in the fights' records, which this file does not hold", got.Releases)
	note(got.Rulings, "what %d Commits of rulings of fights say of deeds in patients' records: the other parts of these rulings are not in this file, or could not be decided", got.Rulings)
	note(got.Elsewhere, "%d deeds that touched other patients, whose records this file does not hold", got.Elsewhere)
	note(got.Freed, "whether the fights were broken out of whose records %d patients were taken", got.Freed)
	for _, digest := range got.MissingPacks {
		note(1, "what was decided between fights: the pack %s is needed and not in the file", digest)
	}
	for _, digest := range got.Content {
		note(1, "the content of the rules: records name %s, and this build has another", digest)
	}
	for _, o := range got.Other {
		note(1, "what was decided by %d Commits of patients: %s", o.Commits, needed(o))
	}
	r.unknown += got.Rulings + got.Filled + got.Freed + len(got.Content)
}

// lists writes what was checked and what was not.
func (r *FileReport) lists(f *File) {
	checked := func(count int, format string, args ...any) {
		if count > 0 {
			r.Checked = append(r.Checked, fmt.Sprintf(format, args...))
		}
	}
	checked(r.Commits+r.PatientCommits, "the chains of %d Commits of fights and %d of patients, and the digest of each part", r.Commits, r.PatientCommits)
	checked(r.Faces, "%d faces against the seeds that are revealed, and these against what was committed to", r.Faces)
	checked(r.Rolls, "the total of each of %d rolls, and that nobody supplied faces where the server rolls", r.Rolls)
	checked(r.Decided, "what was decided in fights: %d Commits were carried out again, and %d commands of amendments", r.Decided, r.Redecided)
	checked(r.Deeds, "what was decided between fights: the deeds of %d Commits were carried out again", r.Deeds)
	checked(r.Crossings, "that %d patients came into fights as they were recorded, and left with what the fight had made of them", r.Crossings)
	checked(r.digests, "%d digests of requests: who gave each command and what it said", r.digests)
	r.Unchecked = append(r.Unchecked, r.notes...)
	for _, id := range rules.SortedKeys(f.imported) {
		r.Unchecked = append(r.Unchecked, fmt.Sprintf("encounter %s: with what patients came into it: it is of another server, and their records are there", id))
	}
	unchecked := func(format string, args ...any) { r.Unchecked = append(r.Unchecked, fmt.Sprintf(format, args...)) }
	if rest := r.PatientCommits - r.Deeds - r.Crossings; rest > 0 {
		unchecked("%d of %d Commits of patients: for what is said above, or because the fight that they belong to was not decided again", rest, r.PatientCommits)
	}
	if r.Entries > 0 {
		unchecked("what was decided and the chain: the file holds what %s was told, and not what that follows from", r.Viewer)
	}
	if r.Sealed > 0 {
		unchecked("the faces of %d rolls on branches that are not revealed, and what was committed to for these", r.Sealed)
	}
	if r.Signed > 0 && f.by == nil {
		unchecked("who signed the heads in the file: no key was given")
	}
	unchecked("times, request ids, salts, and by which token a principal was known and what that allowed: nothing follows from them but the chain")
	unchecked("whether anything came after, and whether this is the history that was shown: compare where each record ends with what was kept")
}

// OK tells whether everything that could be checked holds.
func (r *FileReport) OK() bool {
	return len(r.Problems) == 0 && r.Commits+r.PatientCommits+r.Entries > 0
}

// Holds tells whether every Commit was decided again and nothing was found.
func (r *FileReport) Holds() bool {
	return r.OK() && r.Entries == 0 && r.lost == 0 && r.unknown == 0 && r.Decided == r.Commits && r.Deeds+r.Crossings == r.PatientCommits
}

// String is the report for people.
func (r *FileReport) String() string {
	var b strings.Builder
	what := "table " + r.Table
	if r.Patient != "" {
		what = "patient " + r.Patient + " of table " + r.Table
	}
	fmt.Fprintf(&b, "%s, as %s has it: %d encounters, %d patients\n", text.Escape(what), text.Escape(r.Viewer), r.Encounters, r.Patients)
	fmt.Fprintf(&b, "commits: %d of fights, %d of patients; %d entries of a history\n", r.Commits, r.PatientCommits, r.Entries)
	fmt.Fprintf(&b, "rolls: %d readable, %d of branches not revealed; %d faces follow from the seeds, %d were rolled by hand, %d fixed by the game master's word\n",
		r.Rolls, r.Sealed, r.Faces, r.Supplied, r.Fixed)
	for _, e := range r.Ends {
		fmt.Fprintf(&b, "%s ends at version %d, %s\n", text.Escape(e.Record), e.Version, short(e.Hash))
	}
	for _, x := range []struct {
		word string
		list []string
	}{{"agrees with the head that was kept of ", r.Kept}, {"compare ", r.Compare}, {"PROBLEM: ", r.Problems}, {"checked: ", r.Checked}, {"not checked: ", r.Unchecked}} {
		for _, line := range x.list {
			b.WriteString(x.word + text.Escape(line) + "\n")
		}
	}
	switch {
	case r.Holds():
		b.WriteString("every Commit holds, up to where each record ends\n")
	case r.OK():
		b.WriteString("what could be checked holds\n")
	}
	return b.String()
}
