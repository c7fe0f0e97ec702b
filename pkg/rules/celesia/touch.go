package celesia

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

const (
	// cCastings counts a creature's castings in the fight.
	cCastings = "castings"
	// condCast is on whoever has cast in the round.
	condCast = "cast"
	// relIdentified is what a creature is to a caster whose casting it has tried to
	// identify: its value "casting" is the number of that.
	relIdentified = "identified"
	// mTouch names the spell that a creature can go on touching others with.
	mTouch = "touch-spell"
)

// mostTouched is how many are touched in one action.
//
// celesia.spell.touch-six-allies
const mostTouched = 6

// touchActions touch several with a spell cast before, and identify the spells of
// others.
func touchActions() []*action {
	return []*action{
		{Action: play.Action{ID: "touch-allies", Title: "Touch up to six allies", Rule: cite.SpellTouchSixAllies, Group: play.GroupMagic, Trigger: "other",
			Costs: acts(3), Range: upTo(func(*eventv1.Creature, *eventv1.TakeAction) int32 { return mostTouched }), Self: true,
			Refuse:       bars(refuseTouchAllies),
			Candidates:   those(func(c, t *eventv1.Creature) bool { return t.Side == c.Side }),
			RefuseTarget: aimed(refuseTouchAllies), Do: done(doTouchAllies)}, provoke: always},
		{Action: play.Action{ID: "identify-spell", Title: "Identify a spell", Rule: cite.SpellIdentifyBeingCast, Group: play.GroupCheck, Least: 1, Most: 1, Anytime: true,
			Refuse:       bars(refuseIdentify),
			Candidates:   those(func(_, t *eventv1.Creature) bool { return has(t, condCast) || rounding(t) != nil }),
			RefuseTarget: aimed(refuseIdentify), Do: done(doIdentify)}},
	}
}

// keepTouch lets a caster go on touching others with a spell of that sort; any
// other spell ends it.
//
// celesia.spell.touch-six-allies
func keepTouch(r *rules.Resolution, id string, sp *eventv1.CelesiaSpell) {
	name := ""
	if sp.TouchMany {
		name = sp.Name
	}
	r.Mark(id, mTouch, name, cite.SpellTouchSixAllies)
}

// refuseTouchAllies: with a spell that is there to touch with, those of one's
// own side within natural reach; the reach of weapons does not count.
//
// celesia.spell.touch-six-allies
func refuseTouchAllies(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.SpellTouchSixAllies
	switch {
	case c.Marks[mTouch] == "":
		return refuse("NO_SPELL", rule, "%s has no spell to touch with", c.Name)
	case has(c, condPinned):
		return refuse("PINNED", cite.ManeuverPin, "%s is pinned", c.Name)
	}
	t := s.Creatures[target(take)]
	if t == nil || t.Id == c.Id {
		return nil
	}
	if t.Side != c.Side {
		return refuse("UNWILLING", rule, "%s is no ally", t.Name)
	}
	if feet, known := apart(take, c, t); known && feet > naturalReach(c) {
		return outOfReach(rule, t, feet)
	}
	return nil
}

// doTouchAllies works the spell on all who are touched; the willing need no
// attack roll and make no saving throw. It spends the spell.
//
// celesia.spell.touch-six-allies
func doTouchAllies(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	sp := spellOf(c, c.Marks[mTouch])
	r.Mark(c.Id, mTouch, "", cite.SpellTouchSixAllies)
	if sp == nil {
		return nil
	}
	var all []struck
	for _, id := range take.Targets {
		if !dead(r.Creature(id)) && willing(r, c, id, sp) {
			all = append(all, struck{id: id, level: sp.CasterLevel})
		}
	}
	workOn(r, c, sp, all)
	return nil
}

// decWilling is whether an ally whom others play lets a spell work on it.
const decWilling = "willing"

// willing tells whether an ally lets itself be touched with a spell. What merely
// heals is taken by all; of anything else whoever can act is asked when others play
// it than the caster (a reading).
//
// celesia.spell.touch-six-allies
func willing(r *rules.Resolution, c *eventv1.Creature, id string, sp *eventv1.CelesiaSpell) bool {
	t := r.Creature(id)
	heals := sp.Healing != "" && sp.Dice == "" && sp.DicePerLevel == "" && sp.Condition == "" && sp.PenaltyAbility == ""
	if heals || !able(t) || id == c.Id || sameHand(c, t) {
		return true
	}
	return r.Ask("willing/"+id, rules.YesNo(decWilling, id, c.Name+" touches with "+sp.Name, "Let "+sp.Name+" work on "+t.Name+"?", "no",
		cite.SpellTouchSixAllies)).Option == "yes"
}

// casting notes that a creature casts, for those who would identify it.
//
// celesia.spell.identify-being-cast
func casting(r *rules.Resolution, c *eventv1.Creature) {
	r.Set(c.Id, cCastings, r.Count(c.Id, cCastings)+1, "casting", cite.SpellIdentifyBeingCast)
	forRound(r, c.Id, condCast, "casting", cite.SpellIdentifyBeingCast, 0)
}

// refuseIdentify: a spell of this round or one still under way, once each.
//
// celesia.spell.identify-being-cast
func refuseIdentify(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.SpellIdentifyBeingCast
	t := s.Creatures[target(take)]
	if !able(c) {
		return refuse("UNABLE", rule, "%s cannot act", c.Name)
	}
	if t == nil {
		return nil
	}
	switch {
	case !has(t, condCast) && rounding(t) == nil || t.Counters[cCastings] == 0:
		return refuse("NO_CASTING", rule, "%s casts nothing", t.Name)
	case int64(rules.RelationTo(c, relIdentified, t.Id).GetValues()["casting"]) == t.Counters[cCastings]:
		return refuse("TRIED", rule, "%s has tried to identify it", c.Name)
	}
	return nil
}

// doIdentify is a Spellcraft check against what the game master sets.
//
// celesia.spell.identify-being-cast
func doIdentify(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	r.Relate(c.Id, &eventv1.Relation{Kind: relIdentified, To: target(take), Round: r.State().Round, Rule: cite.SpellIdentifyBeingCast,
		Values: map[string]int32{"casting": int32(r.Count(target(take), cCastings))}}, cite.SpellIdentifyBeingCast)
	rollSkillCheck(r, "check/spellcraft", c, rollKind{name: "spellcraft"}, dcOf(take), "identify the spell", nil, take.Circumstances, cite.SpellIdentifyBeingCast)
	return nil
}
