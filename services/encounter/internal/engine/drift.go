package engine

import (
	"context"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// drift is what deciding a history again changes by itself.
type drift struct {
	out   *encounterv1.RulesDrift
	state *eventv1.State // after it; nil when something stands in the way
}

// drifted decides the history that an amendment concerns again without the change,
// on the preview's dice (T8). It returns nil when the same rules decide the same.
func (e *Engine) drifted(ctx context.Context, f *Fight, sys rules.System, am *eventv1.AmendCommand) (*drift, error) {
	info := sys.Info()
	d := &drift{out: &encounterv1.RulesDrift{System: info.ID, Running: info.Version}}
	var err error
	first := firstDecided(f.replica.Chain, am)
	if first == 0 {
		return nil, nil // the amendment itself says what is wrong
	}
	if d.out.Recorded, err = e.decidedBy(ctx, f, first); err != nil {
		return nil, err
	}
	same := &eventv1.Command{What: &eventv1.Command_Amend{Amend: &eventv1.AmendCommand{Version: first}}}
	p, err := e.planned(ctx, f, sys, same, planning{purpose: dicev1.Purpose_PURPOSE_PREVIEW})
	flt, refused := fault.As(err)
	switch {
	case refused && flt.Code == fault.Illegal:
		d.out.Troubles = []*encounterv1.Trouble{{Version: first, Kind: encounterv1.Trouble_KIND_ILLEGAL, Reason: flt.Reason, Rule: flt.Rule, Message: flt.Error()}}
	case err != nil:
		return nil, err
	case len(p.troubles) > 0:
		d.out.Troubles = p.troubles
	default:
		d.state = p.state
		if err := e.otherwise(ctx, f, p, d); err != nil {
			return nil, err
		}
	}
	if len(d.out.Troubles)+len(d.out.Changes)+len(d.out.Versions) == 0 && !slices.ContainsFunc(d.out.Recorded, func(v string) bool { return v != info.Version }) {
		return nil, nil
	}
	return d, nil
}

// firstDecided is the first recorded command that an amendment decides again: the one
// that it changes, or the one after which it puts something in; 0 when there is none.
func firstDecided(chain []replica.Link, am *eventv1.AmendCommand) uint64 {
	if am.InsertAfter == 0 {
		return am.Version
	}
	k := behind(chain, am.InsertAfter)
	if k < 0 || k+1 == len(chain) {
		return 0
	}
	return chain[k+1].Origin
}

// decidedBy lists the versions of the rules that decided a command and those after it.
func (e *Engine) decidedBy(ctx context.Context, f *Fight, version uint64) ([]string, error) {
	var out []string
	k := slices.IndexFunc(f.replica.Chain, func(l replica.Link) bool { return l.Origin == version })
	for _, l := range f.replica.Chain[max(0, k):] {
		entry, err := e.entry(ctx, f, l.At)
		if err != nil {
			return nil, err
		}
		if v := entry.Commit.Header.SystemVersion; !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out, nil
}

// otherwise finds what came out otherwise: in the state, and in what any command led to.
func (e *Engine) otherwise(ctx context.Context, f *Fight, p *plan, d *drift) error {
	changes, err := event.Difference(f.replica.State(), p.state)
	if err != nil {
		return err
	}
	d.out.Changes = changesOf(changes)
	for _, red := range p.commands {
		k := slices.IndexFunc(f.replica.Chain, func(l replica.Link) bool { return l.Origin == red.Origin })
		if k < 0 {
			continue
		}
		rec, err := e.recordOf(ctx, f, f.replica.Chain[k])
		if err != nil {
			return err
		}
		same, err := sameEvents(rec.events, red.Events)
		if err != nil {
			return err
		}
		if !same {
			d.out.Versions = append(d.out.Versions, red.Origin)
		}
	}
	return nil
}

// sameEvents tells whether events that were decided again are those on record. What is
// about the dice themselves is not decided again.
func sameEvents(recorded []*eventv1.Event, again [][]byte) (bool, error) {
	var left []*eventv1.Event
	for _, e := range recorded {
		if !event.OfDice(e) {
			left = append(left, e)
		}
	}
	for _, data := range again {
		e := &eventv1.Event{}
		if err := proto.Unmarshal(data, e); err != nil {
			return false, err
		}
		if event.OfDice(e) {
			continue
		}
		if len(left) == 0 || !rules.SameEvent(left[0], e) {
			return false, nil
		}
		left = left[1:]
	}
	return len(left) == 0, nil
}

// accepted refuses an amendment under other rules that does not name them.
func (e *Engine) accepted(ctx context.Context, f *Fight, sys rules.System, am *eventv1.AmendCommand) error {
	running := sys.Info().Version
	if am.AcceptRules != "" && am.AcceptRules != running {
		return fault.Field("command.amend.accept_rules", "the rules of this server are version %q", running)
	}
	if am.AcceptRules == running {
		return nil
	}
	d, err := e.drifted(ctx, f, sys, am)
	if err != nil || d == nil {
		return err
	}
	return fault.Refuse("RULES_DIFFER", "", "what is amended was decided by version %s of %s, and this server would decide %d of its commands otherwise by version %s: preview the ruling, and accept these rules by accept_rules",
		strings.Join(d.out.Recorded, ", "), d.out.System, len(d.out.Versions)+len(d.out.Troubles), running)
}

// changesOf are changes as the contract has them.
func changesOf(changes []event.Change) []*encounterv1.Change {
	var out []*encounterv1.Change
	for _, c := range changes {
		out = append(out, &encounterv1.Change{Path: c.Path, Before: c.Before, After: c.After})
	}
	return out
}
