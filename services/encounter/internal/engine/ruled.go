package engine

import (
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// Ruled is what a ruling that was decided again comes to for the records of patients,
// and for other fights: for whoever has these and decides them again as well.
type Ruled struct {
	// Table and Encounter that the Commit is of, and its version.
	Table, Encounter string
	Version          uint64
	// RequestID and As are of the request; Command is what it said.
	RequestID string
	As        *eventv1.Principal
	Command   *eventv1.Command
	// Across are the records that the ruling is part of, as it is recorded.
	Across []*eventv1.RulingPart
	// Stays of patients that the ruling has end or begin otherwise.
	Stays []*injuryv1.Stay
	// Drew: it drew faces of the server, not only others before it.
	Drew bool
	// Back are the parts of rulings that it takes back, and To the version that it goes
	// back to.
	Back []*eventv1.RulingPart
	To   uint64

	stays []*stay // on record, as they were before it
	fill  func(*eventv1.AddCreature, *injuryv1.Entrance)
}

// ruled is what a plan comes to for others.
func (g *goingOn) ruled() *Ruled {
	r := g.fights[0]
	return &Ruled{Stays: r.stays, stays: r.was, Drew: r.plan.drew && !r.command.GetAmend().GetDrew(),
		fill: func(add *eventv1.AddCreature, in *injuryv1.Entrance) { g.e.fill(r.f, add, in.Creature, in.LifeKnown) }}
}

// Ruled is what the last decision comes to for records of patients and other fights; nil
// when it has nothing to do with any.
func (p *Replay) Ruled() *Ruled { return p.ruled }

// noteRuled keeps what a ruling comes to for others.
func (p *Replay) noteRuled(req Request, d *draft, recorded []*eventv1.Event) {
	var across []*eventv1.RulingPart
	for _, ev := range recorded {
		across = append(across, replica.PartsOf(ev)...)
	}
	r := d.ruled
	if r == nil || len(r.Stays)+len(r.Back)+len(across)+len(req.Command.GetAmend().GetEntered()) == 0 {
		return
	}
	r.Table, r.Encounter, r.Version = p.f.table, p.f.id, p.f.replica.Version+1
	r.RequestID, r.As, r.Command, r.Across = req.ID, req.As, req.Command, across
	for _, ev := range d.events {
		if rev := ev.GetReverted(); rev != nil {
			r.To = rev.Version
		}
	}
	p.ruled = r
}

// At is the part of the ruling that this is.
func (r *Ruled) At() *eventv1.RulingPart {
	return &eventv1.RulingPart{Encounter: r.Encounter, Version: r.Version}
}

// RequestAlong is the request id by which a ruling is stored in a fight that it reaches.
func RequestAlong(request, encounter string) string { return alongID(request, encounter) }

// Says is what the game master says of a fight in the ruling.
func (r *Ruled) Says(encounter string) *eventv1.Onward {
	return saysOf(r.Command.GetAmend(), encounter)
}

// saysOf is what an amendment says of a fight that it reaches.
func saysOf(am *eventv1.AmendCommand, encounter string) *eventv1.Onward {
	for _, w := range am.GetOnward() {
		if w.Encounter == encounter {
			return w
		}
	}
	return &eventv1.Onward{}
}

// coming is the command by which a stay began; nil when there is none such.
func (r *Ruled) coming(in *injuryv1.Entrance) *stay {
	for _, x := range r.stays {
		if x.patient == in.Patient && x.number == in.Number {
			return x
		}
	}
	return nil
}

// Entered is what the ruling is to say of a patient's coming in, by what its record says
// now. An error says that the fight knows of no such coming.
func (r *Ruled) Entered(in *injuryv1.Entrance) (*eventv1.Entered, error) {
	x := r.coming(in)
	if x == nil {
		return nil, fault.New(fault.Internal, "NO_STAY", "encounter %q does not know of stay %d of patient %q", r.Encounter, in.Number, in.Patient)
	}
	add := proto.CloneOf(x.command)
	r.fill(add, in)
	return &eventv1.Entered{Version: x.added, Add: add}, nil
}

// Forced tells whether the game master forces a coming in to be as it was.
func (r *Ruled) Forced(in *injuryv1.Entrance) bool {
	x := r.coming(in)
	return x != nil && slices.Contains(r.Command.GetAmend().GetForceIllegal(), x.added)
}

// Follows tells whether what was given in this fight is what the ruling has it say.
func (r *Ruled) Follows(first *Ruled) bool {
	am := r.Command.GetAmend()
	if r.RequestID != alongID(first.RequestID, r.Encounter) || !proto.Equal(r.As, first.As) {
		return false
	}
	if len(first.Back) > 0 {
		to := firstPart(first.Back, r.Encounter) - 1
		version := r.Command.GetRevert().GetVersion()
		return len(r.Back) > 0 && r.To == to && (r.Command.GetRedo() != nil || version == to) && reasonOf(r.Command) == reasonOf(first.Command)
	}
	if am == nil || len(am.Entered) == 0 {
		return false
	}
	want := reachedCommand(first.Command.GetAmend(), r.Encounter)
	want.GetAmend().Entered, want.GetAmend().Version, want.GetAmend().Drew = am.Entered, am.Entered[0].Version, am.Drew
	return proto.Equal(r.Command, want)
}

// firstPart is the first version of parts in an encounter.
func firstPart(parts []*eventv1.RulingPart, encounter string) uint64 {
	first := uint64(1)
	for _, p := range parts {
		if p.Encounter == encounter && (first == 1 || p.Version < first) {
			first = p.Version
		}
	}
	return first
}

// reachedCommand is an amendment as it is stored in a fight that it reaches, without what
// records say of comings in.
func reachedCommand(am *eventv1.AmendCommand, encounter string) *eventv1.Command {
	says := saysOf(am, encounter)
	return &eventv1.Command{What: &eventv1.Command_Amend{Amend: &eventv1.AmendCommand{Reason: am.GetReason(), DropIllegal: says.DropIllegal,
		ForceIllegal: says.ForceIllegal, Resolve: says.Resolve, TakeDefaults: am.GetTakeDefaults(), AcceptRules: am.GetAcceptRules()}}}
}
