package movement

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/rcr/magic"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// DecCounterspell asks those who know counterspell whether they meet a casting with it.
const DecCounterspell = "counterspell"

// Options of counterspell besides "no" and the slots, which are options of their own
// ("slot/5"): the lowest slot that there is, and the lowest that needs no check.
const (
	CounterLowest  = "lowest"
	CounterCertain = "certain"
	slotPrefix     = "slot/"
)

// counterName is what the spell is called.
const counterName = "counterspell"

// countered gives those who know counterspell and see the casting their reaction, and
// tells whether the spell fails. All are asked at once and act in the order of their
// ids, each only while the spell is not countered yet.
//
// rcr.base.counterspell
func (k *Casting) countered() bool {
	if !k.Sp.Verbal && !k.Sp.Somatic && !k.Sp.Material {
		return false // nobody sees it
	}
	asked, labels := map[string]*eventv1.Decision{}, []string(nil)
	for _, id := range rules.SortedKeys(k.R.State().Creatures) {
		if sp := k.counterOf(id); sp != nil {
			label := DecCounterspell + "/" + id
			asked[label], labels = k.counterDecision(id, sp), append(labels, label)
		}
	}
	if len(labels) == 0 {
		return false
	}
	answered := k.R.AskAll(asked, labels)
	for _, label := range labels {
		id := asked[label].Creature
		// An earlier one may have changed what this one may do.
		if sp := k.counterOf(id); sp != nil && k.counters(id, sp, answered[label].Option) {
			return true
		}
	}
	return false
}

// counterOf is the counterspell that a creature could meet the casting with; nil for
// none. Friends of the caster are not asked.
func (k *Casting) counterOf(id string) *eventv1.RcrSpell {
	s := k.R.State()
	c, caster := s.Creatures[id], s.Creatures[k.Id]
	if !body.Hostile(c, caster) { // nor is the caster itself
		return nil
	}
	for _, sp := range body.SheetOf(c).Spells {
		if !strings.EqualFold(sp.Name, counterName) && sp.Use != counterName {
			continue
		}
		feet, known := body.DistanceTo(c, caster)
		if !known {
			feet = 5 // where nobody has a place it is within range
		}
		if sp.CastingTime == "reaction" && feet <= max(sp.RangeFeet, 60) && magic.RefuseCasting(s, c, sp) == nil && body.Perceives(s, c, caster, feet) {
			return sp
		}
	}
	return nil
}

// level is that of the spell as it is cast.
func (k *Casting) level() int32 { return max(k.Slot, k.Sp.Level) }

func (k *Casting) counterDecision(id string, sp *eventv1.RcrSpell) *eventv1.Decision {
	const rule = cite.BaseCounterspell
	c := k.R.Creature(id)
	spell := k.Sp.Name
	if k.level() > 0 {
		spell += " at level " + body.Itoa(k.level())
	}
	slots := answers.SlotsFor(c, sp)
	d := &eventv1.Decision{Name: DecCounterspell, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: id, DefaultOption: "no", Rule: rule,
		Cause: k.R.Creature(k.Id).Name + " casts " + spell, Question: "Counter it?", Options: []*eventv1.DecisionOption{{Id: "no", Text: "Let it be cast"},
			{Id: CounterLowest, Text: "With the lowest slot, of level " + body.Itoa(slots[0]), Rule: rule}}}
	if n := certain(slots, k.level()); n > 0 {
		d.Options = append(d.Options, &eventv1.DecisionOption{Id: CounterCertain, Text: "With the lowest slot that needs no check, of level " + body.Itoa(n), Rule: rule})
	}
	for _, n := range slots[1:] {
		d.Options = append(d.Options, &eventv1.DecisionOption{Id: slotPrefix + body.Itoa(n), Text: "With a slot of level " + body.Itoa(n), Rule: rule})
	}
	return d
}

// certain is the lowest of some slots that counters a level without a check; 0 for none.
func certain(slots []int32, level int32) int32 {
	for _, n := range slots {
		if n >= level {
			return n
		}
	}
	return 0
}

// counters casts a counterspell by an answer, and tells whether it counters.
//
// rcr.base.counterspell
func (k *Casting) counters(id string, sp *eventv1.RcrSpell, answer string) bool {
	const rule = cite.BaseCounterspell
	c := k.R.Creature(id)
	slots := answers.SlotsFor(c, sp)
	slot := slots[0]
	switch {
	case answer == CounterCertain:
		slot = certain(slots, k.level())
	case strings.HasPrefix(answer, slotPrefix):
		slot = certain(slots, int32(body.Atoi(answer[len(slotPrefix):])))
	case answer != CounterLowest:
		return false
	}
	if slot == 0 {
		return false // an earlier one has taken it
	}
	take := &eventv1.TakeAction{Creature: id, Action: "cast-reaction", Item: sp.Name, Targets: []string{k.Id}}
	counter := &Casting{R: k.R, Id: id, Sp: sp, Take: take, Slot: slot, targets: take.Targets}
	if !counter.begin(c) {
		return false
	}
	met := counter.countered()
	counter.spend()
	if met {
		return false
	}
	if slot < k.level() && !counter.overcomes(k) {
		k.R.Note(event.Everyone(), id, k.Sp.Name+" is not countered", rule)
		return false
	}
	k.R.Note(event.Everyone(), id, k.Sp.Name+" is countered and has no effect", rule)
	return true
}

// overcomes makes the check against a spell of a higher level.
//
// rcr.base.counterspell
func (k *Casting) overcomes(spell *Casting) bool {
	c := k.R.Creature(k.Id)
	ability, more := castingAbility(c)
	o := body.CheckOpts{Reason: "counter " + spell.Sp.Name, Rules: []string{cite.BaseCounterspell}}
	if more != 0 {
		o.Modifiers = []*eventv1.Modifier{body.Mod(more, "spellcasting", "")}
	}
	return dice.RollCheck(k.R, "counterspell/"+k.Id, c, ability, 10+spell.level(), "casting", o).Success()
}

// castingAbility is the ability that the difficulty or the bonus of a creature's spells
// tells, and what its modifier lacks of that where none of the three fits.
//
// rcr.base.counterspell
func castingAbility(c *eventv1.Creature) (ability string, more int32) {
	s := body.SheetOf(c)
	mod := s.SpellDc - 8 - s.ProficiencyBonus
	if s.SpellDc == 0 {
		mod = s.SpellAttackBonus - s.ProficiencyBonus
	}
	if s.SpellDc == 0 && s.SpellAttackBonus == 0 {
		mod = body.AbilityMod(c, "intelligence")
	}
	for _, ability := range []string{"intelligence", "wisdom", "charisma"} {
		if body.AbilityMod(c, ability) == mod {
			return ability, 0
		}
	}
	return "intelligence", mod - body.AbilityMod(c, "intelligence")
}
