package rcr

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

const (
	// mLegendary is "open" on a creature that may take a legendary action now:
	// another's turn has ended and nothing has been done in the next.
	mLegendary = "legendary"
	// decLegendaryResistance asks whether to succeed on a failed saving throw.
	decLegendaryResistance = "legendary-resistance"
	// traitLegendaryResistance is the trait, and the resource that it spends.
	traitLegendaryResistance = "legendary resistance"
)

func legendaryActions() []*action {
	return []*action{{id: "legendary", title: "Take a legendary action", options: legendaryOptions, do: doLegendary, anytime: true}}
}

// openLegendary opens the moment at the end of a creature's turn in which others
// may take a legendary action.
//
// rcr.base.fifth-edition-fallback
func openLegendary(r *rules.Resolution, ended string) {
	for _, id := range rules.SortedKeys(r.State().Creatures) {
		if c := r.Creature(id); id != ended && c.Counters[cLegendary] > 0 && !incapacitated(c) && !surpriseRound(r.State()) {
			r.Mark(id, mLegendary, "open")
		}
	}
}

// closeLegendary ends that moment.
func closeLegendary(r *rules.Resolution, ids ...string) {
	for _, id := range ids {
		if r.Creature(id).GetMarks()[mLegendary] != "" {
			r.Mark(id, mLegendary, "")
		}
	}
}

func legendaryOf(c *eventv1.Creature, name string) *eventv1.RcrLegendary {
	for _, l := range sheetOf(c).Legendary {
		if l.Name == name {
			return l
		}
	}
	return nil
}

// refuseLegendary says why a legendary action cannot be taken now: one at a
// time, at the end of another's turn, as long as there are any left.
func refuseLegendary(s *eventv1.State, c *eventv1.Creature, l *eventv1.RcrLegendary) error {
	const frame = cite.BaseFifthEditionFallback
	switch {
	case surpriseRound(s):
		return refuse("ONE_ACTION", cite.SurpriseOneAction, "one action and nothing else")
	case incapacitated(c):
		return refuse("INCAPACITATED", incapacitatedRule(c), "%s is incapacitated", c.Name)
	case c.Marks[mLegendary] == "":
		return refuse("NOT_NOW", frame, "a legendary action is taken at the end of another creature's turn")
	case c.Counters[cLegendary] < int64(max(1, l.Cost)):
		return refuse("NO_LEGENDARY_ACTIONS", frame, "%s has %d legendary actions left", c.Name, c.Counters[cLegendary])
	}
	switch a, p := attackOf(c, l.Attack), powerOf(c, l.Power); {
	case a != nil:
		return refuseWeapon(s, c, a)
	case p != nil:
		return refuseSpent(c, p)
	case l.MovePercent > 0:
		return refuseSpeed(s, c)
	}
	return nil
}

// legendarySpells are the spells that a legendary action may cast: those with a
// casting time of an action.
func legendarySpells(c *eventv1.Creature, l *eventv1.RcrLegendary) []*eventv1.RcrSpell {
	return slices.DeleteFunc(slices.Clone(sheetOf(c).Spells), func(sp *eventv1.RcrSpell) bool {
		return l.Casts == eventv1.RcrLegendary_CASTS_UNSPECIFIED || l.Casts == eventv1.RcrLegendary_CASTS_CANTRIP && sp.Level > 0 ||
			sp.CastingTime != "" && sp.CastingTime != "action"
	})
}

// castingOptions lists a legendary action once for each spell that it may cast.
func castingOptions(s *eventv1.State, c *eventv1.Creature, l *eventv1.RcrLegendary) []*eventv1.Option {
	var out []*eventv1.Option
	for _, sp := range legendarySpells(c, l) {
		o := option(l.Name, firstError(refuseLegendary(s, c, l), refuseMeans(s, c, sp)), map[string]int32{cLegendary: max(1, l.Cost)})
		o.Title = l.Name + ": " + sp.Name
		aimOption(s, c, sp, o)
		o.Parameters = append(o.Parameters, choiceOf("spell", "The spell that it casts", true, sp.Name))
		if sp.Level > 0 && !sp.Innate {
			o.Parameters = append(o.Parameters, slotParameter(c, sp))
		}
		out = append(out, o)
	}
	return out
}

// legendaryCast casts a spell beside the turn: with its slot and components, and
// provoking as ever, but by no action of the caster's.
//
// rcr.opportunity.cast-spell, rcr.base.fifth-edition-fallback
func legendaryCast(r *rules.Resolution, c *eventv1.Creature, l *eventv1.RcrLegendary, take *eventv1.TakeAction, pay func()) error {
	name, spells := spoken.Word(take.Parameters, "spell"), legendarySpells(c, l)
	at := slices.IndexFunc(spells, func(sp *eventv1.RcrSpell) bool { return sp.Name == name })
	if at < 0 {
		return noSuch("take.parameters.spell", name, "spell that "+c.Name+" casts by "+l.Name, namesOf(spells))
	}
	if err := refuseMeans(r.State(), c, spells[at]); err != nil {
		return err
	}
	k := &casting{r: r, id: c.Id, sp: spells[at], take: take, aside: true}
	if err := k.plan(c); err != nil {
		return err
	}
	pay()
	k.carry(c)
	return nil
}

func legendaryOptions(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	var out []*eventv1.Option
	for _, l := range sheetOf(c).Legendary {
		if l.Casts != eventv1.RcrLegendary_CASTS_UNSPECIFIED {
			out = append(out, castingOptions(s, c, l)...)
			continue
		}
		o := option(l.Name, refuseLegendary(s, c, l), map[string]int32{cLegendary: max(1, l.Cost)})
		switch a, p := attackOf(c, l.Attack), powerOf(c, l.Power); {
		case a != nil:
			targetsOf(s, c, a, o)
		case p != nil:
			aimPower(s, c, p, o)
		case l.MovePercent > 0:
			o.Parameters = []*eventv1.Parameter{{Name: "feet", Type: "number", Required: c.Position == nil,
				Text: "Feet to go, without positions; at most " + itoa(legendaryFeet(s, c, l))}, {Name: "path", Type: "path", Text: "Way to go, with positions"}}
			if open := legendaryModes(s, c, l); len(open) > 0 {
				o.Parameters = append(o.Parameters, choiceOf("mode", "How it moves", false, open...))
			}
		case l.TeleportFeet > 0:
			o.Parameters = teleportParameters(c, l.TeleportFeet)
		case l.Skill != "":
			o.Parameters = checkParameters(c, false)[:2]
		}
		out = append(out, o)
	}
	return out
}

// legendaryFeet is how far a legendary move goes by the best of its modes.
func legendaryFeet(s *eventv1.State, c *eventv1.Creature, l *eventv1.RcrLegendary) int32 {
	feet, crawling := int32(0), has(c, condProne)
	for _, mode := range modesOf(s, c, crawling) {
		feet = max(feet, legendarySpeed(s, c, l, mode)/(1+surcharge(s, c, mode, crawling)))
	}
	return feet
}

// legendarySpeed is the part of its speed by a mode that a legendary move is. By
// a mode without a speed of its own it goes by the speed it has.
func legendarySpeed(s *eventv1.State, c *eventv1.Creature, l *eventv1.RcrLegendary, mode string) int32 {
	own := speedIn(s, c.Id, mode)
	if own == 0 {
		own = baseSpeed(s, c)
	}
	return own * l.MovePercent / 100
}

// legendaryModes lists the modes that a legendary move may be made by.
func legendaryModes(s *eventv1.State, c *eventv1.Creature, l *eventv1.RcrLegendary) []string {
	return openModes(s, c, has(c, condProne), func(mode string) int32 { return legendarySpeed(s, c, l, mode) })
}

// doLegendary takes a legendary action.
//
// rcr.base.fifth-edition-fallback, rcr.surprise.one-action
func doLegendary(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	l := legendaryOf(c, take.Item)
	if l == nil {
		return noSuch("take.item", take.Item, "legendary action of "+c.Name, namesOf(sheetOf(c).Legendary))
	}
	if err := refuseLegendary(r.State(), c, l); err != nil {
		return err
	}
	pay := func() {
		r.Set(c.Id, cLegendary, r.Count(c.Id, cLegendary)-int64(max(1, l.Cost)), l.Name)
		closeLegendary(r, c.Id)
	}
	switch a, p := attackOf(c, l.Attack), powerOf(c, l.Power); {
	case a != nil:
		return carryOut(r, c, a, take, func(*attackPlan) attackOpts {
			pay()
			return attackOpts{label: "legendary/" + c.Id}
		})
	case p != nil:
		ids, err := powerTargets(r, c, p, take)
		if err != nil {
			return err
		}
		to, err := planTeleport(r.State(), c, p.TeleportFeet, take)
		if err != nil {
			return err
		}
		pay()
		payUses(r, c, p)
		letPower(r, c, p, ids, to, take)
		return nil
	case l.MovePercent > 0:
		pay()
		return legendaryMove(r, c, l, take)
	case l.Casts != eventv1.RcrLegendary_CASTS_UNSPECIFIED:
		return legendaryCast(r, c, l, take, pay)
	}
	to, err := planTeleport(r.State(), c, l.TeleportFeet, take)
	if err != nil {
		return err
	}
	dc, sense, o, err := readCheck(r, c, take)
	if err != nil {
		return err
	}
	pay()
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Item: l.Name, Notes: statedNotes(take)})
	if l.Skill != "" {
		rollCheck(r, "check/"+l.Skill, r.Creature(c.Id), l.Skill, dc, sense, o)
	}
	teleport(r, c.Id, l.Name, l.TeleportFeet, to)
	return nil
}

// legendaryMove moves part of the speed beside the turn.
func legendaryMove(r *rules.Resolution, c *eventv1.Creature, l *eventv1.RcrLegendary, take *eventv1.TakeAction) error {
	disengaged := c.Marks[mDisengaged]
	if l.Unprovoking {
		r.Mark(c.Id, mDisengaged, "yes", cite.BaseOpportunityFrame)
	}
	mode := spoken.Word(take.Parameters, "mode")
	if open := legendaryModes(r.State(), c, l); mode == "" && len(open) > 0 {
		mode = open[0]
	}
	set := map[string]int64{cMovement: int64(legendarySpeed(r.State(), c, l, mode)), cMoved: 0, cDangerous: 0, cDashes: 0}
	if own, base := speedIn(r.State(), c.Id, mode), baseSpeed(r.State(), c); own > 0 && own != base {
		// The movement of another mode is counted from its full speed.
		set[cMoved] = int64(own) - set[cMovement]
	}
	err := aside(r, c.Id, l.Name, true, set, func(c *eventv1.Creature) error { return travel(r, c, take, has(c, condProne)) })
	if err == nil {
		r.Mark(c.Id, mDisengaged, disengaged)
	}
	return err
}

// resists gives a creature with legendary resistance its choice after a failed
// saving throw.
//
// rcr.base.fifth-edition-fallback
func resists(r *rules.Resolution, label string, c *eventv1.Creature, failed rules.Rolled) rules.Rolled {
	left := cLeft + traitLegendaryResistance
	if !hasTrait(c, traitLegendaryResistance) || r.Count(c.Id, left) < 1 || unseen(c, failed) {
		return failed
	}
	d := rules.YesNo(decLegendaryResistance, c.Id, "the saving throw failed", "Succeed by legendary resistance?", "no", cite.BaseFifthEditionFallback)
	if r.Ask(label+"/resist", d).Option != "yes" {
		return failed
	}
	spend(r, c.Id, left, "legendary resistance")
	r.Note(audienceOr(failed.Audience), c.Id, c.Name+" succeeds by legendary resistance", cite.BaseFifthEditionFallback)
	failed.Outcome = "success"
	return failed
}

// others lists the creatures of a state but one.
func others(s *eventv1.State, but string) []string {
	return slices.DeleteFunc(rules.SortedKeys(s.Creatures), func(id string) bool { return id == but })
}
