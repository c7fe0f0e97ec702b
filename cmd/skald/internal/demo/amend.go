package demo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/skaldrpg/skald/cmd/skald/internal/autoplay"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// shownChanges bounds the differences that are printed.
const shownChanges = 12

// amend changes a die of the fight, shows what would differ, and carries it
// out.
func (d *demonstration) amend(ctx context.Context, p *autoplay.Player) error {
	c, err := d.misread(ctx)
	if err != nil {
		return err
	}
	d.tell("\nA die was misread in step %d: it showed %s, and this was recorded:\n", c.version, words(c.roll.Faces))
	d.tell("%s\n", d.style.Event(c.event))
	d.tell("  %d commands are decided again with the dice they had", c.preview.Redecided)
	if n := len(c.drop); n > 0 {
		d.tell(", %d that became illegal are dropped", n)
	}
	d.tell("; what differs:\n")
	for i, ch := range c.preview.Changes {
		if i == shownChanges {
			d.tell("  ... and %d more\n", len(c.preview.Changes)-i)
			break
		}
		d.tell("  %s\n", d.style.Change(ch))
	}
	if err := p.Do(ctx, &eventv1.Command{What: &eventv1.Command_Amend{Amend: c.command()}}); err != nil {
		return fmt.Errorf("demo: amending: %w", err)
	}
	return nil
}

// misread is the roll to amend: the first that changes something and leaves the
// fight as decided as it was, or else the one that makes the fewest later
// commands illegal.
func (d *demonstration) misread(ctx context.Context) (*candidate, error) {
	candidates, err := d.rolls(ctx)
	if err != nil {
		return nil, err
	}
	var best *candidate
	for _, c := range candidates {
		if d.preview(ctx, c) != nil || len(c.preview.Changes) == 0 {
			continue
		}
		if len(c.drop) == 0 && !decides(c.preview.Changes) {
			return c, nil
		}
		if best == nil || len(c.drop) < len(best.drop) {
			best = c
		}
	}
	if best == nil {
		return nil, errors.New("demo: no roll of this fight changes anything when it is amended")
	}
	return best, nil
}

// decides tells whether somebody would live or die otherwise.
func decides(changes []*encounterv1.Change) bool {
	return slices.ContainsFunc(changes, func(c *encounterv1.Change) bool { return strings.HasSuffix(c.Path, ".life") })
}

// words are faces with commas between them.
func words(faces []int32) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(faces), "[]"), " ", ", ")
}

// candidate is a roll that can be amended.
type candidate struct {
	version uint64
	event   *eventv1.Event // as it was recorded
	roll    *eventv1.FixedRoll
	drop    []uint64 // later commands that became illegal by it
	preview *encounterv1.PreviewRulingResponse
}

func (c *candidate) command() *eventv1.AmendCommand {
	return &eventv1.AmendCommand{Version: c.version, Rolls: []*eventv1.FixedRoll{c.roll}, DropIllegal: c.drop, TakeDefaults: true, Reason: "the die was misread"}
}

// rolls finds the rolls of the fight with other faces than they had: those of
// damage first, since they change least.
func (d *demonstration) rolls(ctx context.Context) ([]*candidate, error) {
	resp, err := d.client.GetHistory(ctx, &encounterv1.GetHistoryRequest{As: d.gm, Encounter: encounterID, Limit: 1000})
	if err != nil {
		return nil, fmt.Errorf("demo: %w", err)
	}
	var first, rest []*candidate
	for _, s := range resp.Steps {
		for _, e := range s.Events {
			r := e.GetRoll()
			if r == nil || len(r.Faces) == 0 {
				continue
			}
			c := &candidate{version: s.Number, event: e, roll: &eventv1.FixedRoll{Label: r.Label, Index: r.Index}}
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

// preview asks what the amendment would change, dropping the commands that it
// makes illegal.
func (d *demonstration) preview(ctx context.Context, c *candidate) (err error) {
	for {
		c.preview, err = d.client.PreviewRuling(ctx, &encounterv1.PreviewRulingRequest{As: d.gm, Encounter: encounterID,
			Command: &eventv1.Command{What: &eventv1.Command_Amend{Amend: c.command()}}})
		if err != nil || len(c.preview.Troubles) == 0 {
			return err
		}
		for _, t := range c.preview.Troubles {
			if t.Kind != encounterv1.Trouble_KIND_ILLEGAL {
				return errors.New("demo: " + t.Message)
			}
			c.drop = append(c.drop, t.Version)
		}
	}
}
