package robustness

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/skaldrpg/skald/cmd/skald/internal/proof"
	"github.com/skaldrpg/skald/pkg/rules"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

// prove exports every fight and decides all of it again, rulings included: what was
// played at random comes out as it was recorded, to the byte.
func (p *play) prove(registry *rules.Registry) {
	p.t.Helper()
	commits, commands, parts := 0, 0, 0
	began := time.Now()
	for n := 1; n <= p.fight; n++ {
		id := fmt.Sprintf("play-%s-%d", p.system, n)
		stream, err := p.client.Export(p.t.Context(), &encounterv1.ExportRequest{As: gm, Encounter: id})
		if err != nil {
			p.t.Fatal(err)
		}
		record := proof.New()
		for {
			resp, err := stream.Recv()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				p.t.Fatal(err)
			}
			if part := resp.BranchPart; part != nil {
				record.Branch(part.Branch, part.Data)
				parts++
				continue
			}
			record.Add(resp.Commit)
		}
		r, err := record.Again(p.t.Context(), registry)
		if err != nil {
			p.t.Fatal(err)
		}
		if !r.Holds() {
			p.t.Errorf("%s does not hold: %s", id, r)
		}
		commits, commands = commits+r.Decided, commands+r.Redecided
	}
	p.t.Logf("%d Commits and %d commands of amendments, %d parts of branches among them, decided again in %v", commits, commands, parts, time.Since(began).Round(time.Millisecond))
}
