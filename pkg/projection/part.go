package projection

import (
	"fmt"
	"strings"

	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/ops"
)

// maxShown bounds the closed subjects that a part lists.
const maxShown = 100

// Part is how the projection stands, under the name given; more are closures that
// the caller found elsewhere, by subject, beside the projection's own.
func (p *Projection) Part(name string, more ...Closure) ops.Part {
	st := p.Status()
	all := map[string]bool{}
	var list []Closure
	for _, c := range append(p.AllClosed(), more...) {
		if table, _, ok := journal.TableOf(c.Subject); ok && !isDisbelieved(c.Subject) {
			if _, gone := p.Deleted(table); gone { // found elsewhere, before the tombstone was read
				continue
			}
		}
		if !all[c.Subject] {
			all[c.Subject] = true
			list = append(list, c)
		}
	}
	return partOf(name, st, list)
}

// partOf words a status.
func partOf(name string, st Status, list []Closure) ops.Part {
	part := ops.Part{Name: name, Figures: []ops.Figure{
		{Name: "closed_records", Help: "Encounters, patients and sets of dice that are closed because their record is broken.", Value: float64(len(list))},
		{Name: "foreign_records", Help: "Records of no known kind that were passed over since the start.", Value: float64(st.Foreign)},
		{Name: "applied_sequence", Help: "Stream sequence of the last record in the projection.", Value: float64(st.Applied)},
		{Name: "caught_up", Help: "1 when the projection has reached the end of the log once.", Value: one(st.CaughtUp)},
		{Name: "moved_aside", Help: "1 when an unusable file was moved aside at the start.", Value: one(st.MovedAside != "")},
	}}
	texts := []string{fmt.Sprintf("applied to sequence %d", st.Applied)}
	say := func(state ops.State, text string) {
		part.State = max(part.State, state)
		texts = append(texts, text)
	}
	switch {
	case st.Err != nil:
		say(ops.Failed, fmt.Sprintf("stopped: %v", st.Err))
	case st.Trouble != "":
		say(ops.Degraded, st.Trouble)
	case !st.CaughtUp:
		say(ops.Degraded, "still reading the log")
	}
	if st.MovedAside != "" {
		say(ops.Degraded, fmt.Sprintf("an unusable file was moved to %s: %s", st.MovedAside, st.Why))
	}
	if len(list) > 0 {
		say(ops.Degraded, fmt.Sprintf("%d closed because of a broken record", len(list)))
	}
	for _, c := range list[:min(len(list), maxShown)] {
		table, kind, id, ok := journal.SplitSubject(c.Subject)
		if t, digest, pack := journal.SplitPack(c.Subject); pack {
			table, kind, id, ok = t, "pack", digest, true
		}
		if b, branch := journal.SplitBranch(c.Subject); branch {
			table, kind, id, ok = b.Table, "branch", b.ID+"/"+b.Name, true
		}
		if !ok {
			id = c.Subject
		}
		part.Closed = append(part.Closed, ops.Closed{Table: table, Kind: kind, ID: id, Sequence: c.Sequence, Why: c.Why})
	}
	part.Text = strings.Join(texts, "; ")
	return part
}

func one(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
