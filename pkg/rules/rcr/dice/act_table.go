package dice

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// DoCalledCheck makes a check that the game master calls for, on whosever turn.
// It costs nothing.
func DoCalledCheck(r *rules.Resolution, at *play.At) error {
	c, take, skill := r.Creature(at.Actor.Id), at.Take, body.SkillSaid(at.Take)
	dc, purpose, o := body.ReadCheck(take)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "called-check", Item: skill, Notes: body.StatedNotes(take)})
	body.ExpendKit(r, c.Id, take)
	RollCheck(r, "check/"+skill, c, skill, dc, purpose, o)
	return nil
}

// DoCalledSave makes a saving throw that the game master calls for. What it is
// against may matter to some rule; the target is whose effect it is.
//
// rcr.condition.crouching-checks, rcr.condition.deafened-concentration
func DoCalledSave(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	ability, against := spoken.Word(take.Parameters, "ability"), spoken.Word(take.Parameters, "against")
	dc, _, o := body.ReadCheck(take)
	if o.Inspiration {
		r.Mark(c.Id, body.MInspired, body.ForSave, cite.BaseInspirationHeld)
	}
	var source *eventv1.Creature
	if len(take.Targets) == 1 {
		source = r.Creature(take.Targets[0])
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "called-save", Item: ability, Notes: body.StatedNotes(take)})
	cover := spoken.Word(take.Facts, "cover")
	RollSave(r, "save/"+c.Id, r.Creature(c.Id), ability, dc, against, source,
		body.SaveOpts{Types: []string{spoken.Word(take.Parameters, "damage_type")}, Water: o.Water, Edges: o.Edges, Kinds: o.Kinds, About: o.About, Magic: o.About == body.AboutMagic, Modifiers: append(o.Modifiers, body.CoverMods(r.State(), c, ability, cover)...)})
	return nil
}
