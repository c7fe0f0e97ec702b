package proof

import (
	"fmt"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rulings are the Commits of rulings that are part of several records, by where they
// are, with the parts that each names.
type rulings map[string][]*eventv1.RulingPart

// partAt names a part of a ruling.
func partAt(p *eventv1.RulingPart) string {
	if p.Encounter != "" {
		return fmt.Sprintf("encounter %s, version %d", p.Encounter, p.Version)
	}
	return fmt.Sprintf("patient %s, version %d", p.Patient, p.Version)
}

// take notes what a Commit says of the records that it is part of. In a patient's
// record a ruling of fights is part of several always; going back names none there.
func (all rulings) take(o *event.Opened) {
	at := &eventv1.RulingPart{Version: o.Header.Version, Encounter: o.Header.Id}
	if o.Header.Kind == string(aggregate.Patient) {
		at.Encounter, at.Patient = "", o.Header.Id
	}
	for _, e := range o.Events {
		var parts []*eventv1.RulingPart
		switch {
		case e.GetAmended() != nil:
			parts = e.GetAmended().Across
		case e.GetReverted() != nil:
			parts = e.GetReverted().Across
		default:
			continue
		}
		if len(parts) > 0 || at.Patient != "" && o.Cause.GetCommand() != nil && ofFights(o) {
			all[partAt(at)] = parts
		}
		return
	}
}

// ofFights tells whether a patient's Commit is of a ruling of fights.
func ofFights(o *event.Opened) bool {
	cmd := &eventv1.Command{}
	return proto.Unmarshal(o.Cause.GetCommand(), cmd) == nil && cmd.GetPatient().GetDeed() == "ruling"
}

// check holds that rulings hang together: whatever a part names is there, and names
// the same parts; and a ruling in a patient's record is one of some fight.
func (all rulings) check(problem func(string, ...any)) {
	named := map[string]bool{}
	for _, at := range rules.SortedKeys(all) {
		parts := all[at]
		for _, p := range parts {
			named[partAt(p)] = true
		}
		if len(parts) == 0 {
			continue
		}
		if !slices.ContainsFunc(parts, func(p *eventv1.RulingPart) bool { return partAt(p) == at }) {
			problem("%s: the ruling is part of records of which this is none", at)
		}
		for _, p := range parts {
			other, there := all[partAt(p)]
			if !there {
				problem("%s: the ruling has a part in %s, which has none", at, partAt(p))
			} else if len(other) > 0 && !sameParts(parts, other) {
				problem("%s: the ruling has other parts than in %s", at, partAt(p))
			}
		}
	}
	for _, at := range rules.SortedKeys(all) {
		if len(all[at]) == 0 && !named[at] {
			problem("%s: a ruling of fights that no fight has", at)
		}
	}
}

func sameParts(a, b []*eventv1.RulingPart) bool {
	names := func(all []*eventv1.RulingPart) (out []string) {
		for _, p := range all {
			out = append(out, partAt(p))
		}
		slices.Sort(out)
		return out
	}
	return slices.Equal(names(a), names(b))
}
