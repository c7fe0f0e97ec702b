package dice

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// checkFeats are the sources that feats give a check by what it is about, and what dim
// light means for sharp eyes.
//
// rcr.feat.dungeon-delver-detect, rcr.feat.dungeon-delver-navigate,
// rcr.feat.dungeon-delver-dim-sight, rcr.feat.keen-mind-navigate,
// rcr.feat.keen-mind-discern, rcr.feat.skulker-lowlight
func checkFeats(s *eventv1.State, c *eventv1.Creature, skill string, o body.CheckOpts) (out []*eventv1.Edge) {
	looks := skill == "perception" || skill == "investigation"
	for _, f := range []struct {
		feat, rule string
		helps      bool
	}{
		{body.FeatDungeonDelver, cite.FeatDungeonDelverDetect, looks && slices.Contains([]string{"trap", "secret-door"}, o.About)},
		{body.FeatDungeonDelver, cite.FeatDungeonDelverNavigate, slices.Contains([]string{"navigate", "forage"}, o.About)},
		{body.FeatKeenMind, cite.FeatKeenMindNavigate, skill == "survival" && o.About == "navigate"},
		{body.FeatKeenMind, cite.FeatKeenMindDiscern, slices.Contains([]string{"illusion", "magic"}, o.About)},
	} {
		if f.helps && body.Feat(s, c, f.feat, f.rule) {
			out = append(out, Adv(f.feat, f.feat, f.rule))
		}
	}
	return append(out, dimEdge(s, c, skill, o.Dim)...)
}

// dimEdge is what bad light or obscurement gives a check of Perception.
//
// rcr.base.light, rcr.feat.dungeon-delver-dim-sight, rcr.feat.skulker-lowlight
func dimEdge(s *eventv1.State, c *eventv1.Creature, skill string, dim bool) []*eventv1.Edge {
	if dim && skill == "perception" && !body.AtHomeInDimLight(s, c) {
		return []*eventv1.Edge{Dis("dim light", "dim light or obscurement", cite.BaseLight)}
	}
	return nil
}

// PassiveEdges are what counts for and against a score of a skill without a roll, made
// by looking at another.
//
// rcr.base.light
func PassiveEdges(s *eventv1.State, c, at *eventv1.Creature, skill string, said body.WaterSaid) []*eventv1.Edge {
	out := CheckEdgesOf(s, c, body.Asked{Ability: body.SkillAbility[skill], Skill: skill, Water: said})
	return append(out, dimEdge(s, c, skill, body.HardToSee(s, c, body.LookingAt(s, c, at, said)) != body.LightBright)...)
}

// saveFeats are the sources that feats give a saving throw by what it is about.
//
// rcr.feat.dungeon-delver-trap-saves
func saveFeats(s *eventv1.State, c *eventv1.Creature, o body.SaveOpts) []*eventv1.Edge {
	if o.About == "trap" && body.Feat(s, c, body.FeatDungeonDelver, cite.FeatDungeonDelverTrapSaves) {
		return []*eventv1.Edge{Adv(body.FeatDungeonDelver, body.FeatDungeonDelver, cite.FeatDungeonDelverTrapSaves)}
	}
	return nil
}
