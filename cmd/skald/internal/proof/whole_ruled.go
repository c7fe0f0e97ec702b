package proof

import (
	"context"
	"fmt"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/recheck"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
	"github.com/skaldrpg/skald/services/encounter"
	"github.com/skaldrpg/skald/services/injury"
)

// ruling is a ruling of fights whose Commits are being gathered: that of the fight that
// it is on first, then those of the fights that it reaches and of patients.
type ruling struct {
	cause    *eventv1.CommitCause // of the first
	at       int64
	fights   []*encounter.Ruled // the first is that of the ruling
	unsure   bool               // one of them could not be decided again
	patients []injury.Stored
	close    []string // encounters to let go of afterwards
}

// has tells whether a Commit is of the ruling.
func (r *ruling) has(o *event.Opened) bool {
	id := r.cause.GetRequestId()
	if o.Header.Kind == string(aggregate.Encounter) {
		id = encounter.RequestAlong(id, o.Header.Id)
	} else if !ofFights(o) {
		return false
	}
	return o.Cause.GetRequestId() == id && proto.Equal(o.Cause.GetPrincipal(), r.cause.GetPrincipal())
}

// across tells whether a Commit says that it is part of several records.
func across(o *event.Opened) bool {
	return slices.ContainsFunc(o.Events, func(e *eventv1.Event) bool {
		return len(e.GetAmended().GetAcross())+len(e.GetReverted().GetAcross()) > 0
	})
}

// ruled takes what a Commit of a fight comes to for other records.
func (f *File) ruled(o *event.Opened, r *encounter.Ruled) {
	switch {
	case f.ruling != nil:
	case r == nil && !across(o), f.records == nil, f.imported[o.Header.Id]:
		return
	default:
		f.ruling = &ruling{cause: o.Cause, at: o.Header.UnixMillis}
	}
	if r == nil {
		f.ruling.unsure = true
		return
	}
	f.ruling.fights = append(f.ruling.fights, r)
}

// rule decides again what the ruling that was gathered made of the records of patients.
func (f *File) rule(ctx context.Context) error {
	r := f.ruling
	if f.ruling = nil; r == nil {
		return nil
	}
	defer func() {
		for _, id := range r.close {
			f.close(id)
		}
	}()
	var decide func(injury.Rule) (*injuryv1.PrepareRulingResponse, error)
	if !r.unsure {
		decide = func(rule injury.Rule) (*injuryv1.PrepareRulingResponse, error) { return f.decideRuling(ctx, r, rule) }
	}
	refused, err := f.records.Ruling(ctx, r.at, r.patients, decide)
	if refused != nil {
		f.blame(r.fights[0], "command", "decided again it is refused: %v", refused)
	}
	return err
}

// blame adds a problem to a fight's part of a ruling.
func (f *File) blame(r *encounter.Ruled, field, format string, args ...any) {
	if is := f.fights[r.Encounter]; is != nil && is.verifier != nil {
		is.verifier.Blame(encounter.Misfit{Version: r.Version, Part: "cause", Field: field, Text: fmt.Sprintf(format, args...)})
		return
	}
	f.problem("encounter %s, version %d: %s", r.Encounter, r.Version, fmt.Sprintf(format, args...))
}

// decideRuling holds the fights' parts of a ruling against each other and against the
// records, and says what these become.
func (f *File) decideRuling(ctx context.Context, r *ruling, rule injury.Rule) (*injuryv1.PrepareRulingResponse, error) {
	first := r.fights[0]
	for _, other := range r.fights[1:] {
		if !other.Follows(first) {
			f.blame(other, "command", "is not what the ruling on encounter %s has it say", first.Encounter)
		}
	}
	req := r.request()
	var resp *injuryv1.PrepareRulingResponse
	var met []*injuryv1.Entrance
	for range limits.RulingSteps {
		met = nil
		var err error
		if resp, err = rule(ctx, req, func(in *injuryv1.Entrance) { met = append(met, in) }); err != nil {
			return nil, err
		}
		if resp.Drew && !req.Drew {
			req.Drew = true
			continue
		}
		if !f.letStand(r, req, resp.Entrances) {
			break
		}
	}
	if len(resp.Entrances) > 0 {
		return nil, nil // blamed on the fights
	}
	for _, d := range resp.Deeds {
		if d.Kind == injuryv1.DeedAgain_KIND_ILLEGAL || d.Kind == injuryv1.DeedAgain_KIND_ASKS {
			return nil, fmt.Errorf("the deed at version %d of patient %s stands in the way: %s", d.Version, d.Patient, d.Message)
		}
	}
	f.entered(r, req, met)
	f.drew(r, req.Drew)
	f.parts(r, resp.Records)
	return resp, nil
}

// request is what the records are asked.
func (r *ruling) request() *injuryv1.PrepareRulingRequest {
	first := r.fights[0]
	am := first.Command.GetAmend()
	req := &injuryv1.PrepareRulingRequest{Table: first.Table, As: first.As, RequestId: first.RequestID, Encounter: first.Encounter, Reason: am.GetReason(),
		Onward: am.GetOnward(), TakeDefaults: am.GetTakeDefaults(), Across: first.Across, Redo: first.Command.GetRedo() != nil}
	if len(first.Back) > 0 {
		req.Reason = first.Command.GetRevert().GetReason() + first.Command.GetRedo().GetReason()
		for _, p := range first.Back {
			if p.Patient != "" {
				req.Back = append(req.Back, p)
			}
		}
		return req
	}
	for _, x := range r.fights {
		req.Stays, req.Drew = append(req.Stays, x.Stays...), req.Drew || x.Drew
	}
	return req
}

// of is the part of the ruling in an encounter; nil when it has none.
func (r *ruling) of(id string) *encounter.Ruled {
	for _, x := range r.fights {
		if x.Encounter == id {
			return x
		}
	}
	return nil
}

// letStand lets comings into fights be as they were where the game master says so, and
// blames the others. It tells whether the records are to be asked again.
func (f *File) letStand(r *ruling, req *injuryv1.PrepareRulingRequest, entrances []*injuryv1.Entrance) (again bool) {
	for _, in := range entrances {
		if r.stands(in, req.Drew) {
			req.Stays = append(req.Stays, &injuryv1.Stay{Encounter: in.Encounter, Patient: in.Patient, Number: in.Number, Stands: true})
			again = true
			continue
		}
		at := r.of(in.Encounter)
		if at == nil {
			at = r.fights[0]
		}
		f.blame(at, "command.amend.entered", "patient %s comes into encounter %s otherwise by its record, and the ruling says nothing of it", in.Patient, in.Encounter)
	}
	return again
}

// stands tells whether a coming in may be as it was.
func (r *ruling) stands(in *injuryv1.Entrance, drew bool) bool {
	first := r.fights[0]
	says := first.Says(in.Encounter)
	switch {
	case says.Stands:
		return true
	case in.Refused == "":
		return false
	case drew:
		return true
	}
	if at := r.of(in.Encounter); at != nil {
		return at.Forced(in)
	}
	return len(says.ForceIllegal) > 0 // it was reached by those alone who are forced
}

// entered holds what the fights' parts say of comings in against the records.
func (f *File) entered(r *ruling, req *injuryv1.PrepareRulingRequest, met []*injuryv1.Entrance) {
	said := map[*encounter.Ruled]map[uint64]*eventv1.AddCreature{}
	for _, x := range r.fights {
		said[x] = map[uint64]*eventv1.AddCreature{}
		for _, e := range x.Command.GetAmend().GetEntered() {
			said[x][e.Version] = e.Add
		}
	}
	for _, in := range met {
		at := r.of(in.Encounter)
		if at == nil {
			continue
		}
		want, err := at.Entered(in)
		if err != nil {
			f.blame(at, "command.amend.entered", "%v", err)
			continue
		}
		is, there := said[at][want.Version]
		delete(said[at], want.Version)
		switch {
		case !there && r.stands(in, req.Drew): // it came in as it had, and left as the fight has it now
		case !there:
			f.blame(at, "command.amend.entered", "says nothing of patient %s, who comes in otherwise by its record", in.Patient)
		default:
			if p := (recheck.Comparer{}).Compare(is, want.Add); p != nil {
				f.blame(at, "command.amend.entered."+p.Field, "patient %s comes in with %s by the ruling, and with %s by its record", in.Patient, p.Recorded, p.Decided)
			}
		}
	}
	for _, x := range r.fights {
		for _, e := range x.Command.GetAmend().GetEntered() {
			if said[x][e.Version] != nil {
				f.blame(x, "command.amend.entered", "patient %s comes in at step %d as it did, by its record", e.GetAdd().GetSheet().GetPatient(), e.Version)
			}
		}
	}
}

// drew holds that a ruling says that faces were drawn only where some were.
func (f *File) drew(r *ruling, drew bool) {
	for _, x := range r.fights {
		if x.Command.GetAmend().GetDrew() && !drew {
			f.blame(x, "command.amend.drew", "no face of the server was drawn for the ruling")
		}
	}
}

// parts holds that the ruling names the records that it is part of, in order.
func (f *File) parts(r *ruling, records []*injuryv1.RecordAgain) {
	first := r.fights[0]
	want := []*eventv1.RulingPart{first.At()}
	var fights []*eventv1.RulingPart
	for _, x := range r.fights[1:] {
		fights = append(fights, x.At())
	}
	var patients []*eventv1.RulingPart
	for _, p := range records {
		patients = append(patients, &eventv1.RulingPart{Patient: p.Patient, Version: p.Version})
	}
	if len(first.Back) > 0 {
		want = slices.Concat(want, patients, fights)
	} else {
		want = slices.Concat(want, fights, patients)
	}
	if len(want) == 1 {
		want = nil
	}
	for _, x := range r.fights {
		if !slices.EqualFunc(x.Across, want, func(a, b *eventv1.RulingPart) bool { return proto.Equal(a, b) }) {
			f.blame(x, "across", "the records that the ruling is part of are others than it names")
		}
	}
}
