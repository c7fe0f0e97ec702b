package order

import (
	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/play/condition"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// RefuseAnySpell says why no spell can be cast in the round; hands that are full can be
// emptied before.
func RefuseAnySpell(s *eventv1.State, c *eventv1.Creature) error {
	err := body.Refuse("NO_SPELL", cite.ActionCastSpell, "%s has no spell", c.Name)
	for _, name := range body.SpellNames(c) {
		if err = RefuseWords(s, c, name, body.MostHands(c)); err == nil {
			return nil
		}
	}
	return err
}

// RefuseWords says why a spell cannot be cast: the creature cannot speak, none of its
// hands is free, or the spell is spent.
func RefuseWords(s *eventv1.State, c *eventv1.Creature, item string, hands int) error {
	switch {
	case body.Barring(s, c, condition.BarsSpeech) != nil:
		return body.Refuse("NO_VOICE", cite.SpellHandAndVoice, "%s cannot speak", c.Name)
	case hands < 1:
		return body.Refuse("NO_HAND", cite.SpellHandAndVoice, "%s has no free hand", c.Name)
	case c.Counters[body.CLeft+item] < 1:
		return body.Refuse("SPELL_SPENT", cite.ActionCastSpell, "%s is spent", item)
	}
	return nil
}
