package strike

import (
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Task is a wound that waits.
func (w *Wound) Task(id string) *eventv1.Task {
	t := &eventv1.Task{Id: id, Creature: w.Attacker, Kind: body.TaskBlow, Status: "pending", Text: w.Weapon, Item: w.Weapon, Targets: []string{w.Target},
		Note: w.Note, Rule: w.Rule}
	if w.Hurts() {
		t.Harm = []*eventv1.Harm{w.Harm(w.Attacker)}
	}
	if w.Effect != "" {
		t.Conditions = []*eventv1.Condition{{Name: w.Effect, Source: w.Attacker, Cause: w.Weapon, Rule: w.Rule}}
	}
	if w.Drops != "" {
		t.Items = []*eventv1.ItemChanged{{Creature: w.Target, Item: w.Drops, Place: body.PlaceDropped, Cause: w.Weapon, At: w.At}}
	}
	if w.Unhorsed {
		t.Values = map[string]int32{body.ValUnhorsed: 1}
	}
	return t
}

// WoundOf is the wound that waited.
func WoundOf(t *eventv1.Task) *Wound {
	w := &Wound{Attacker: t.Creature, Target: t.Targets[0], Weapon: t.Item, Note: t.Note, Rule: t.Rule, Unhorsed: t.Values[body.ValUnhorsed] > 0}
	for _, h := range t.Harm {
		w.Critical, w.setOff, w.Magic = h.Critical, h.Facts[factSetOff] != "", h.Facts[factMagic] != ""
		for _, p := range h.Parts {
			switch {
			case p.Type == body.PartTemporary:
				w.Temporary, w.Factors = w.Temporary+p.Rolled, p.Factors
			case p.Rule != "":
				w.Extra = append(w.Extra, p)
			default:
				w.Actual, w.Factors = w.Actual+p.Rolled, p.Factors
			}
		}
	}
	if n := len(w.Factors); n > 0 && w.Actual > 0 && w.Temporary > 0 {
		w.Factors = w.Factors[:n-1] // the step that parts the two is made again
	}
	for _, x := range t.Conditions {
		w.Effect = x.Name
	}
	for _, x := range t.Items {
		w.Drops, w.At = x.Item, x.At
	}
	return w
}

// BlowID is the id of the task of the n-th blow or spell held back for a simultaneous
// slot.
func BlowID(n int64) string { return "blow-" + body.Itoa(n) }
