package rules

import (
	"fmt"
	"strings"

	"github.com/skaldrpg/skald/pkg/event"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// placeEnd is the end of an action; otherwise faces are set aside where it waits
// for decisions.
const placeEnd = "end"

// asideFaces names the input that remembers faces set aside.
const asideFaces = "faces"

// placeOf names the place where a run waits for decisions.
func placeOf(open []*eventv1.Decision) string {
	ids := make([]string, len(open))
	for i, d := range open {
		ids[i] = d.Id
	}
	return strings.Join(ids, ",")
}

// setFacesAside says which faces no roll took, to whoever gave them, and
// remembers it, so that the same is said when the action is run again. They are
// never refused: that would tell what the dice had shown (T2).
func (r *Resolution) setFacesAside(place string) {
	left := r.faces()
	if len(left) == 0 || place == placeEnd && r.req.KeepFaces {
		return
	}
	a := &eventv1.DecisionAnswered{Id: place, Name: asideFaces, Creature: r.speakersCreature(), Answer: &eventv1.Answer{Faces: left}, By: bySetAside}
	r.facesUsed += len(left)
	r.record(&eventv1.Input{What: &eventv1.Input_Answer{Answer: a}})
	r.sayFacesAside(a)
}

// recallFaces says again what was said of faces at a place in an earlier run.
func (r *Resolution) recallFaces(place string) {
	if in := r.recorded(func(in *eventv1.Input) bool {
		a := in.GetAnswer()
		return a.GetBy() == bySetAside && a.GetName() == asideFaces && a.GetId() == place
	}); in != nil {
		r.sayFacesAside(in.GetAnswer())
	}
}

func (r *Resolution) sayFacesAside(a *eventv1.DecisionAnswered) {
	audience := event.GM()
	if a.Creature != "" {
		audience = event.Controllers(a.Creature)
	}
	noun := "a face that no roll took is set aside"
	if len(a.Answer.Faces) > 1 {
		noun = fmt.Sprintf("%d faces that no roll took are set aside", len(a.Answer.Faces))
	}
	r.Emit(audience, &eventv1.Note{Creature: a.Creature, Text: fmt.Sprintf("%s: %v", noun, a.Answer.Faces), FacesSetAside: a.Answer.Faces})
}

// speakersCreature is a creature whose controllers are told what concerns the
// speaker; empty for the game master.
func (r *Resolution) speakersCreature() string {
	if r.req.Speaker == nil || r.req.Speaker.Role == eventv1.Principal_ROLE_GM {
		return ""
	}
	if event.Controls(r.state.Creatures[r.actor], r.req.Speaker) {
		return r.actor
	}
	for _, id := range r.CreatureIDs() {
		if event.Controls(r.state.Creatures[id], r.req.Speaker) {
			return id
		}
	}
	return ""
}
