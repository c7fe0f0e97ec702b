package proof

import (
	"fmt"
	"strings"

	branches "github.com/skaldrpg/skald/pkg/branch"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/text"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter"
)

// maxProblems keeps a hopeless report readable.
const maxProblems = 50

// Report is what the check came to.
type Report struct {
	// Encounter and Table that the Commits are of.
	Encounter string `json:"encounter"`
	Table     string `json:"table"`
	// Commits read, and the version of the last.
	Commits int    `json:"commits"`
	Version uint64 `json:"version"`
	// Steps read in place of Commits: the encounter is not over.
	Steps int `json:"steps,omitempty"`
	// Hash of the last Commit, in hex.
	Hash string `json:"hash"`
	// Events that are readable, and parts that were withheld.
	Events   int `json:"events"`
	Withheld int `json:"withheld"`
	// Rolls that are readable, and those of them whose branch is not revealed.
	Rolls  int `json:"rolls"`
	Sealed int `json:"sealed_rolls"`
	// Branches that are revealed.
	Branches []string `json:"branches,omitempty"`
	// Faces compared with a revealed seed, Supplied ones, rolled by people, and
	// Fixed ones, set by the game master's word.
	Faces    int `json:"faces"`
	Supplied int `json:"supplied_faces"`
	Fixed    int `json:"fixed_faces"`
	// Contributions to the dice in the order of the record, and what nobody but the
	// reader can Compare: values of public beacons.
	Contributions []string `json:"contributions,omitempty"`
	Compare       []string `json:"compare,omitempty"`
	// Pinned packs of content, and Packs that the export holds, each of which is
	// what its digest says.
	Pinned int `json:"pinned_packs,omitempty"`
	Packs  int `json:"packs,omitempty"`
	// Decided again were so many Commits, and Redecided commands of amendments.
	Decided   int `json:"decided"`
	Redecided int `json:"redecided,omitempty"`
	// Other rules that decided what this build cannot decide again.
	Other []encounter.OtherRules `json:"other_rules,omitempty"`
	// Checked says what was checked, Unchecked what was not and why.
	Checked   []string `json:"checked,omitempty"`
	Unchecked []string `json:"unchecked,omitempty"`
	// Transcript after the last step, in hex.
	Transcript string `json:"transcript,omitempty"`
	// Heads that were kept and with which the record agrees.
	Heads []string `json:"heads,omitempty"`
	// Problems found.
	Problems []string `json:"problems,omitempty"`
	// Places are those of the problems that deciding again found.
	Places []encounter.Misfit `json:"places,omitempty"`

	unknown bool   // the record does not name the content, or a request as it was
	address string // under which the dice are kept, where it is not the encounter's id
}

// OK tells whether everything that could be checked holds; Unchecked says what could
// not.
func (r *Report) OK() bool { return len(r.Problems) == 0 && r.Commits > 0 }

// Early tells whether there is nothing to check yet: while a fight goes on, an
// export holds the steps that its viewer saw and no Commits.
func (r *Report) Early() bool { return r.Steps > 0 && r.Commits == 0 && len(r.Problems) == 0 }

// String is the report for people.
func (r *Report) String() string {
	var b strings.Builder
	if r.Early() {
		return fmt.Sprintf("%d steps as they were shown; the fight is not over, and what they follow from is given with its end\n", r.Steps) + r.lines()
	}
	fmt.Fprintf(&b, "encounter %s at table %s: %d commits, last hash %s\n", text.Escape(r.Encounter), text.Escape(r.Table), r.Commits, r.Hash)
	fmt.Fprintf(&b, "events: %d readable, %d parts withheld\n", r.Events, r.Withheld)
	if r.Pinned > 0 {
		fmt.Fprintf(&b, "packs: %d pinned, %d in the export\n", r.Pinned, r.Packs)
	}
	branches := "none"
	if len(r.Branches) > 0 {
		branches = text.Escape(strings.Join(r.Branches, ", "))
	}
	fmt.Fprintf(&b, "revealed: %s\n", branches)
	fmt.Fprintf(&b, "rolls: %d readable, %d of branches not revealed; %d faces follow from the seeds, %d were rolled by hand\n",
		r.Rolls, r.Sealed, r.Faces, r.Supplied)
	b.WriteString(r.lines())
	for _, c := range r.Contributions {
		b.WriteString("entropy: " + text.Escape(c) + "\n")
	}
	for _, c := range r.Compare {
		b.WriteString("compare " + text.Escape(c) + "\n")
	}
	for _, p := range r.Problems {
		b.WriteString("PROBLEM: " + text.Escape(p) + "\n")
	}
	if r.Fixed > 0 {
		fmt.Fprintf(&b, "%d faces were fixed by the game master's word\n", r.Fixed)
	}
	b.WriteString(r.lists())
	b.WriteString(r.verdict())
	return b.String()
}

// Proof takes Commits in order and checks them.
type Proof struct {
	report   Report
	previous *event.Opened
	broken   bool // the chain is lost; later Commits are checked by themselves
	dice     dice
	history  history
	packs    []string // in the export
	pinned   []string
	parts    map[string][][]byte // of branches, in the export
	stored   [][]byte            // the Commits
	given    map[string][]byte   // the packs
	server   bool                // nobody but the server rolls
	told     told
	within   bool // of a file that is decided elsewhere: Commits are not kept
}

// New makes a proof of nothing yet.
func New() *Proof {
	return &Proof{dice: newDice(), history: newHistory(), given: map[string][]byte{}}
}

func (p *Proof) problem(format string, args ...any) {
	if len(p.report.Problems) < maxProblems {
		p.report.Problems = append(p.report.Problems, fmt.Sprintf(format, args...))
	}
}

// Add checks the next stored Commit.
func (p *Proof) Add(data []byte) {
	p.report.Commits++
	if !p.within {
		p.stored = append(p.stored, data)
	}
	o, err := event.Open(data)
	if err != nil {
		p.problem("commit %d: %v", p.report.Commits, err)
		p.previous, p.broken = nil, true
		return
	}
	if !p.broken {
		if err := event.Follows(p.previous, o); err != nil {
			p.problem("commit %d: %v", p.report.Commits, err)
		}
	}
	if err := branches.Fill(o.Events, p.part); err != nil {
		p.problem("version %d: %v", o.Header.Version, err)
	}
	p.checkName(o.Header)
	p.previous, p.broken = o, false
	p.report.Version, p.report.Hash = o.Header.Version, fmt.Sprintf("%x", o.Hash)
	p.told.commit(o.Header.Version, o.Hash)
	p.report.Withheld += o.Withheld
	var events []*eventv1.Event
	for _, e := range o.Events {
		if e != nil {
			events = append(events, e)
		}
	}
	p.report.Events += len(events)
	p.pin(events)
	counted, err := p.history.add(o.Header.Version, events)
	if err != nil {
		p.problem("version %d: %v", o.Header.Version, err)
	}
	for _, e := range counted {
		p.dice.add(e)
	}
}

// checkName holds that all Commits are of one encounter.
func (p *Proof) checkName(h *eventv1.CommitHeader) {
	if p.report.Encounter == "" {
		p.report.Encounter, p.report.Table = h.Id, h.Table
	}
	if h.Id != p.report.Encounter || h.Table != p.report.Table {
		p.problem("version %d is of encounter %s at table %s", h.Version, h.Id, h.Table)
	}
}

// State is the fold of the readable events of the history that counts: for an
// export made for the game master, the whole state.
func (p *Proof) State() *eventv1.State { return p.history.state() }

// Report checks the faces and says what was found.
func (p *Proof) Report() *Report {
	out := p.report
	if out.Commits == 0 && out.Steps == 0 {
		out.Problems = append(out.Problems, "there are no commits")
	}
	p.packsProved(&out)
	p.dice.verify(&out)
	var last []byte
	if p.previous != nil {
		last = p.previous.Hash
	}
	p.told.check(&out, last)
	return &out
}
