package celesia

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

const (
	// mCasting is the round of a creature's last casting and its number in it:
	// "3:2".
	mCasting = "casting"
	// mIdentified is the prefix of the castings that a creature tried to identify:
	// "identified.CASTER", with the value of the caster's mCasting.
	mIdentified = "identified."
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
		{id: "touch-allies", title: "Touch up to six allies", rule: cite.SpellTouchSixAllies, acts: 3, provoke: always, trigger: "other",
			targeted: true, self: true, most: func(*eventv1.Creature, *eventv1.TakeAction) int32 { return mostTouched }, refuse: refuseTouchAllies, do: doTouchAllies},
		{id: "identify-spell", title: "Identify a spell", rule: cite.SpellIdentifyBeingCast, anytime: true, targeted: true,
			refuse: refuseIdentify, parameters: dcParameter, do: doIdentify},
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
	round, times, _ := strings.Cut(c.Marks[mCasting], ":")
	next := "1"
	if round == itoa(r.State().Round) {
		next = times + "1" // one stroke for each casting of the round
	}
	r.Mark(c.Id, mCasting, itoa(r.State().Round)+":"+next, cite.SpellIdentifyBeingCast)
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
	round, _, _ := strings.Cut(t.Marks[mCasting], ":")
	switch {
	case round != itoa(s.Round) && s.Tasks[oneRoundID(t.Id)] == nil || round == "":
		return refuse("NO_CASTING", rule, "%s casts nothing", t.Name)
	case c.Marks[mIdentified+t.Id] == t.Marks[mCasting]:
		return refuse("TRIED", rule, "%s has tried to identify it", c.Name)
	}
	return nil
}

// doIdentify is a Spellcraft check against what the game master sets.
//
// celesia.spell.identify-being-cast
func doIdentify(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	r.Mark(c.Id, mIdentified+target(take), r.Creature(target(take)).Marks[mCasting], cite.SpellIdentifyBeingCast)
	rollSkillCheck(r, "check/spellcraft", c, rollKind{name: "spellcraft"}, dcOf(take), "identify the spell", nil, take.Circumstances, cite.SpellIdentifyBeingCast)
	return nil
}
