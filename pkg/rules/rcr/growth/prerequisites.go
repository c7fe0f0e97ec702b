package growth

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Prerequisites says which feat of a creature's sheet asks for what it has not, among
// those that the function names.
//
// rcr.feat.defensive-duelist-prerequisite, rcr.feat.improved-dual-prerequisite,
// rcr.feat.inspiring-leader-prerequisite, rcr.feat.skulker-prerequisite,
// rcr.feat.spell-sniper-prerequisite, rcr.feat.metamagic-adept-prerequisite
func Prerequisites(state *eventv1.State, c *eventv1.Creature, which func(feat string) bool) error {
	s := body.SheetOf(c)
	score := func(ability string) bool { return c.Sheet.Abilities[ability] >= 13 }
	casts := len(s.Spells) > 0
	for _, p := range []struct {
		feat, rule string
		has        bool
		wants      string
	}{
		{body.FeatDefensiveDuelist, cite.FeatDefensiveDuelistPrerequisite, score("dexterity"), "Dexterity 13"},
		{body.FeatImprovedDualWielder, cite.FeatImprovedDualPrerequisite, body.HasFeat(c, body.FeatDualWielder) || body.HasTrait(c, body.TraitTwoWeapons),
			"the feat Dual Wielder or the fighting style of two weapons"},
		{body.FeatInspiringLeader, cite.FeatInspiringLeaderPrerequisite, score("charisma"), "Charisma 13"},
		{body.FeatSkulker, cite.FeatSkulkerPrerequisite, score("dexterity"), "Dexterity 13"},
		{body.FeatSpellSniper, cite.FeatSpellSniperPrerequisite, casts, "a spell"},
		{body.FeatMetamagicAdept, cite.FeatMetamagicAdeptPrerequisite, casts && len(s.SpellSlots) > 0, "spells and slots for them"},
	} {
		if which(p.feat) && body.Feat(state, c, p.feat, p.rule) && !p.has {
			return body.Refuse("PREREQUISITE", p.rule, "%s has the feat %s, which needs %s", c.Name, p.feat, p.wants)
		}
	}
	return nil
}
