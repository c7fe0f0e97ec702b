package demo

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/skaldrpg/skald/cmd/skald/internal/autoplay"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// shownChanges bounds the differences that are printed.
const shownChanges = 12

// amend changes a die of the first half of the fight, shows what would differ,
// and carries it out.
func (d *demonstration) amend(ctx context.Context, p *autoplay.Player) error {
	candidates, err := d.damageRolls(ctx)
	if err != nil {
		return err
	}
	for _, c := range candidates {
		am := &eventv1.AmendCommand{Version: c.version, Rolls: []*eventv1.FixedRoll{c.roll}, TakeDefaults: true, Reason: "the die was misread"}
		preview, err := d.previewAmend(ctx, am)
		if err != nil || len(preview.Changes) == 0 {
			continue
		}
		d.tell("\nA die was misread: in step %d, %s showed %v\n", c.version, c.roll.Label, c.roll.Faces)
		d.tell("  %d commands are decided again with the dice they had", preview.Redecided)
		if n := len(am.DropIllegal); n > 0 {
			d.tell(", %d that became illegal are dropped", n)
		}
		d.tell("; what differs:\n")
		for i, ch := range preview.Changes {
			if i == shownChanges {
				d.tell("  ... and %d more\n", len(preview.Changes)-i)
				break
			}
			d.tell("  %-40s %s -> %s\n", ch.Path, orNothing(ch.Before), orNothing(ch.After))
		}
		if err := p.Do(ctx, &eventv1.Command{What: &eventv1.Command_Amend{Amend: am}}); err != nil {
			return fmt.Errorf("demo: amending: %w", err)
		}
		return nil
	}
	return errors.New("demo: no roll of this fight changes anything when it is amended")
}

func orNothing(s string) string {
	if s == "" {
		return "nothing"
	}
	return s
}

// candidate is a roll that can be amended.
type candidate struct {
	version uint64
	roll    *eventv1.FixedRoll
}

// damageRolls finds the rolls of the fight with other faces than they had:
// those of damage first.
func (d *demonstration) damageRolls(ctx context.Context) ([]candidate, error) {
	resp, err := d.client.GetHistory(ctx, &encounterv1.GetHistoryRequest{As: d.gm, Encounter: encounterID, Limit: 1000})
	if err != nil {
		return nil, fmt.Errorf("demo: %w", err)
	}
	var first, rest []candidate
	for _, s := range resp.Steps {
		for _, e := range s.Events {
			r := e.GetRoll()
			if r == nil || len(r.Faces) == 0 {
				continue
			}
			c := candidate{s.Number, &eventv1.FixedRoll{Label: r.Label, Index: r.Index}}
			for i, f := range r.Faces {
				if sides := r.Dice[min(i, len(r.Dice)-1)].Sides; f == 1 {
					f = sides
				} else {
					f = 1
				}
				c.roll.Faces = append(c.roll.Faces, f)
			}
			if strings.Contains(r.Label, "damage") {
				first = append(first, c)
			} else {
				rest = append(rest, c)
			}
		}
	}
	return append(first, rest...), nil
}

// previewAmend asks what the amendment would change, dropping commands that it
// makes illegal.
func (d *demonstration) previewAmend(ctx context.Context, am *eventv1.AmendCommand) (*encounterv1.PreviewRulingResponse, error) {
	for {
		resp, err := d.client.PreviewRuling(ctx, &encounterv1.PreviewRulingRequest{As: d.gm, Encounter: encounterID,
			Command: &eventv1.Command{What: &eventv1.Command_Amend{Amend: am}}})
		if err != nil || len(resp.Troubles) == 0 {
			return resp, err
		}
		for _, t := range resp.Troubles {
			am.DropIllegal = append(am.DropIllegal, t.Version)
			if t.Kind != encounterv1.Trouble_KIND_ILLEGAL {
				return nil, errors.New("demo: " + t.Message)
			}
		}
	}
}
