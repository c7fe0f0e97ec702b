package proof

import (
	"fmt"
	"strings"

	branches "github.com/skaldrpg/skald/pkg/branch"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/text"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
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
	// Pinned packs of content, and Packs that the export holds, each of which is
	// what its digest says.
	Pinned int `json:"pinned_packs,omitempty"`
	Packs  int `json:"packs,omitempty"`
	// Problems found; none means that everything holds.
	Problems []string `json:"problems,omitempty"`
}

// OK tells whether everything that could be checked holds.
func (r *Report) OK() bool { return len(r.Problems) == 0 && r.Commits > 0 }

// Early tells whether there is nothing to check yet: while a fight goes on, an
// export holds the steps that its viewer saw and no Commits.
func (r *Report) Early() bool { return r.Steps > 0 && r.Commits == 0 && len(r.Problems) == 0 }

// String is the report for people.
func (r *Report) String() string {
	var b strings.Builder
	if r.Early() {
		return fmt.Sprintf("%d steps as they were shown; the fight is not over, and what they follow from is given with its end\n", r.Steps)
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
	for _, p := range r.Problems {
		b.WriteString("PROBLEM: " + text.Escape(p) + "\n")
	}
	if r.Fixed > 0 {
		fmt.Fprintf(&b, "%d faces were fixed by the game master's word\n", r.Fixed)
	}
	if r.OK() {
		b.WriteString("everything holds\n")
	}
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
}

// New makes a proof of nothing yet.
func New() *Proof {
	return &Proof{dice: newDice(), history: newHistory()}
}

func (p *Proof) problem(format string, args ...any) {
	if len(p.report.Problems) < maxProblems {
		p.report.Problems = append(p.report.Problems, fmt.Sprintf(format, args...))
	}
}

// Add checks the next stored Commit.
func (p *Proof) Add(data []byte) {
	p.report.Commits++
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

// Step takes a step that stands in place of Commits.
func (p *Proof) Step() { p.report.Steps++ }

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
	return &out
}
