package corrected

import (
	"iter"

	"google.golang.org/protobuf/proto"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// What the step of a ruling shows of the amended history at most; the rest is read
// inside it.
const (
	maxSteps = 50
	maxBytes = 128 << 10
)

// Page makes steps of what a viewer is told.
type Page struct {
	// Within is the viewer's number of the ruling's step, 0 in a dry run.
	Within uint64
	// Changed is the version that names the command that the ruling changed.
	Changed uint64
	// Millis is when the ruling was stored, milliseconds since 1970.
	Millis int64
	// Step gives the viewer's number of a version, 0 for one it saw nothing of.
	Step func(origin uint64) uint64
	// All: the viewer is the game master, who is told what stands by force.
	All bool
}

// Of is one command of an amended history as a step.
func (p Page) Of(t Told) *encounterv1.Step {
	c := &encounterv1.Corrected{Within: p.Within, Step: p.Step(t.Origin), Kind: t.Kind, Forced: p.All && t.Forced, Ruled: t.Origin == p.Changed}
	if t.Kind == encounterv1.Corrected_KIND_SAME {
		c.Ruled = false // a viewer to whom nothing of it changed is told of none
	} else {
		c.Before = t.Before
	}
	return &encounterv1.Step{Number: t.Number, UnixMillis: p.Millis, Events: t.After, By: t.By, Corrected: c}
}

// Fill puts what came out otherwise into a ruling, as much as a page holds.
func (p Page) Fill(into *encounterv1.Ruling, all iter.Seq2[Told, error]) error {
	size := 0
	for t, err := range all {
		if err != nil {
			return err
		}
		if t.Kind == encounterv1.Corrected_KIND_SAME {
			continue
		}
		step := p.Of(t)
		size += proto.Size(step)
		if len(into.Steps) == maxSteps || size > maxBytes && len(into.Steps) > 0 {
			into.More = true
			return nil
		}
		into.Steps = append(into.Steps, step)
	}
	return nil
}

// Differs tells whether a command came out otherwise for a viewer.
func Differs(as *eventv1.Principal, p Pair) bool {
	t, any := told(as, p)
	return any && t.Kind != encounterv1.Corrected_KIND_SAME
}
