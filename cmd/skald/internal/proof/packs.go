package proof

import (
	"fmt"
	"slices"

	"github.com/skaldrpg/skald/pkg/library"
	"github.com/skaldrpg/skald/pkg/text"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Pack takes a pack that the export holds.
func (p *Proof) Pack(digest string, data []byte) {
	if is := library.Digest(data); is != digest {
		p.problem("pack %s: its digest is %s", digest, is)
		return
	}
	p.packs = append(p.packs, digest)
	p.given[digest] = data
}

// pin notes the packs that the encounter says it is decided by.
func (p *Proof) pin(events []*eventv1.Event) {
	for _, e := range events {
		if c := e.GetEncounterCreated(); c != nil {
			p.pinned, p.server = c.Packs, c.DicePolicy == eventv1.DicePolicy_DICE_POLICY_SERVER
		}
	}
}

// packsProved holds the packs of the export against those that are pinned. Who
// may not read the table's packs gets none of them.
func (p *Proof) packsProved(r *Report) {
	r.Pinned, r.Packs = len(p.pinned), len(p.packs)
	for _, digest := range p.packs {
		if !slices.Contains(p.pinned, digest) {
			r.Problems = append(r.Problems, fmt.Sprintf("pack %s is in the export and not pinned", digest))
		}
	}
	if len(p.packs) == 0 {
		return
	}
	for _, digest := range p.pinned {
		if !slices.Contains(p.packs, digest) {
			r.Problems = append(r.Problems, fmt.Sprintf("pack %s is pinned and not in the export", text.Escape(digest)))
		}
	}
}
