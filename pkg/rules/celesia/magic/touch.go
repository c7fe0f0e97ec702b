package magic

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// MostTouched is how many are touched in one action.
//
// celesia.spell.touch-six-allies
const MostTouched = 6

// KeepTouch lets a caster go on touching others with a spell of that sort; any
// other spell ends it.
//
// celesia.spell.touch-six-allies
func KeepTouch(r *rules.Resolution, id string, sp *eventv1.CelesiaSpell) {
	name := ""
	if sp.TouchMany {
		name = sp.Name
	}
	r.Mark(id, body.MTouch, name, cite.SpellTouchSixAllies)
}

// RefuseTouchAllies: with a spell that is there to touch with, those of one's
// own side within natural reach; the reach of weapons does not count.
//
// celesia.spell.touch-six-allies
func RefuseTouchAllies(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.SpellTouchSixAllies
	switch {
	case c.Marks[body.MTouch] == "":
		return body.Refuse("NO_SPELL", rule, "%s has no spell to touch with", c.Name)
	case body.Has(c, body.CondPinned):
		return body.Refuse("PINNED", cite.ManeuverPin, "%s is pinned", c.Name)
	}
	t := s.Creatures[body.Target(take)]
	if t == nil || t.Id == c.Id {
		return nil
	}
	if t.Side != c.Side {
		return body.Refuse("UNWILLING", rule, "%s is no ally", t.Name)
	}
	if feet, _ := body.Apart(take, c, t); feet > body.NaturalReach(c) {
		return body.OutOfReach(rule, t, feet)
	}
	return nil
}

// DecWilling is whether an ally whom others play lets a spell work on it.
const DecWilling = "willing"

// Willing tells whether an ally lets itself be touched with a spell. What merely
// heals is taken by all; of anything else whoever can act is asked when others play
// it than the caster (a reading).
//
// celesia.spell.touch-six-allies
func Willing(r *rules.Resolution, c *eventv1.Creature, id string, sp *eventv1.CelesiaSpell) bool {
	t := r.Creature(id)
	heals := sp.Healing != "" && sp.Dice == "" && sp.DicePerLevel == "" && sp.Condition == "" && sp.PenaltyAbility == ""
	if heals || !strike.Able(t) || SameHand(c, t) {
		return true
	}
	return r.Ask("willing/"+id, rules.About(rules.YesNo(DecWilling, id, c.Name+" touches with "+sp.Name, "Let "+sp.Name+" work on "+t.Name+"?", "no",
		cite.SpellTouchSixAllies), c.Id)).Option == "yes"
}

// casting notes that a creature casts, for those who would identify it.
//
// celesia.spell.identify-being-cast
func casting(r *rules.Resolution, c *eventv1.Creature) {
	r.Set(c.Id, body.CCastings, r.Count(c.Id, body.CCastings)+1, "casting", cite.SpellIdentifyBeingCast)
	manners.ForRound(r, c.Id, body.CondCast, "casting", cite.SpellIdentifyBeingCast, 0)
}

// RefuseIdentify: a spell of this round or one still under way, once each.
//
// celesia.spell.identify-being-cast
func RefuseIdentify(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.SpellIdentifyBeingCast
	t := s.Creatures[body.Target(take)]
	if !strike.Able(c) {
		return body.Refuse("UNABLE", rule, "%s cannot act", c.Name)
	}
	if t == nil {
		return nil
	}
	switch {
	case !body.Has(t, body.CondCast) && answers.Rounding(t) == nil || t.Counters[body.CCastings] == 0:
		return body.Refuse("NO_CASTING", rule, "%s casts nothing", t.Name)
	case int64(rules.RelationTo(c, body.RelIdentified, t.Id).GetValues()["casting"]) == t.Counters[body.CCastings]:
		return body.Refuse("TRIED", rule, "%s has tried to identify it", c.Name)
	}
	return nil
}

// DoIdentify is a Spellcraft check against what the game master sets.
//
// celesia.spell.identify-being-cast
func DoIdentify(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	r.Relate(c.Id, &eventv1.Relation{Kind: body.RelIdentified, To: body.Target(take), Round: r.State().Round, Rule: cite.SpellIdentifyBeingCast,
		Values: map[string]int32{"casting": int32(r.Count(body.Target(take), body.CCastings))}}, cite.SpellIdentifyBeingCast)
	strike.RollSkillCheck(r, "check/spellcraft", c, body.RollKind{Name: "spellcraft"}, checks.DcOf(take), "identify the spell", nil, take.Circumstances, cite.SpellIdentifyBeingCast)
	return nil
}
