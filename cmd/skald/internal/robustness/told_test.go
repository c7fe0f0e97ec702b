package robustness

import (
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// nothingTold holds that a ruling that changed nothing tells nobody of a change, and
// players nothing at all.
func (p *play) nothingTold(step *encounterv1.Step, seen uint64) {
	p.t.Helper()
	if r := step.GetRuling(); r == nil || len(r.Steps) > 0 || len(r.Changes) > 0 {
		p.t.Errorf("step %d changed nothing and tells %s", step.GetNumber(), protojson.Format(r))
	}
	if now := p.numberOf(watching); now != seen {
		p.t.Errorf("a spectator was told of step %d, which changed nothing", step.GetNumber())
	}
}

func (p *play) numberOf(as *eventv1.Principal) uint64 {
	p.t.Helper()
	resp, err := p.client.GetState(p.t.Context(), &encounterv1.GetStateRequest{As: as, Encounter: p.id})
	if err != nil {
		p.t.Fatal(err)
	}
	return resp.Number
}

// toldAsForetold holds that a ruling tells what its dry run told, and that its amended
// history can be read.
func (p *play) toldAsForetold(dry *encounterv1.PreviewRulingResponse, step *encounterv1.Step) {
	p.t.Helper()
	if len(dry.Fresh) == 0 {
		want, got := proto.CloneOf(dry.Ruling), proto.CloneOf(step.Ruling)
		for _, r := range []*encounterv1.Ruling{want, got} {
			r.Changes, r.MoreChanges = nil, false
			for _, s := range r.Steps {
				s.UnixMillis, s.Corrected.Within = 0, 0
			}
		}
		if !proto.Equal(want, got) {
			p.t.Errorf("step %d tells %s, foretold was %s", step.Number, protojson.Format(got), protojson.Format(want))
		}
	}
	for _, as := range []*eventv1.Principal{gm, watching} {
		if as == gm || p.numberOf(as) > 0 {
			p.readInside(as)
		}
	}
}

// readInside reads the amended history of the viewer's last step, when that is a
// ruling: every state and explanation in it, and the last state is the one now.
func (p *play) readInside(as *eventv1.Principal) {
	p.t.Helper()
	ctx := p.t.Context()
	last := p.numberOf(as)
	h, err := p.client.GetHistory(ctx, &encounterv1.GetHistoryRequest{As: as, Encounter: p.id, After: last - 1, Limit: 1})
	if err != nil {
		p.t.Fatal(err)
	}
	if h.Steps[0].Ruling == nil {
		return
	}
	in, err := p.client.GetHistory(ctx, &encounterv1.GetHistoryRequest{As: as, Encounter: p.id, Within: last, Limit: 1000})
	if err != nil {
		p.t.Fatal(err)
	}
	otherwise := 0
	for i, s := range in.Steps {
		if s.Number != uint64(i+1) || s.Corrected.GetWithin() != last {
			p.t.Errorf("step %d inside %d is numbered %d", i+1, last, s.Number)
		}
		if s.Corrected.Kind != encounterv1.Corrected_KIND_SAME {
			otherwise++
		}
		if len(s.Events) > 0 {
			if _, err := p.client.Explain(ctx, &encounterv1.ExplainRequest{As: as, Encounter: p.id, Within: last, Number: s.Number}); err != nil {
				p.t.Errorf("explaining step %d inside %d: %v", s.Number, last, err)
			}
		}
		if n := len(s.Corrected.Before); n > 0 {
			if _, err := p.client.Explain(ctx, &encounterv1.ExplainRequest{As: as, Encounter: p.id, Within: last, Number: s.Number, Before: true, Event: uint32(n - 1)}); err != nil {
				p.t.Errorf("explaining what step %d inside %d was: %v", s.Number, last, err)
			}
		}
	}
	if r := h.Steps[0].Ruling; !r.More && !in.More && otherwise != len(r.Steps) {
		p.t.Errorf("step %d tells of %d changes, inside it are %d", last, len(r.Steps), otherwise)
	}
	if n := uint64(len(in.Steps)); n > 0 && !in.More {
		d, err := p.client.GetDifference(ctx, &encounterv1.GetDifferenceRequest{As: as, Encounter: p.id, From: &encounterv1.Place{Within: last, Number: n}})
		if err != nil {
			p.t.Fatal(err)
		}
		if len(d.Changes) > 0 {
			p.t.Errorf("for %v the last of %d places inside step %d is not where it led: %v", as, n, last, d.Changes)
		}
	}
}
