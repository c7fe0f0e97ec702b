package rcr

import (
	"slices"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// legendaryActions are what the mighty do at the end of another's turn: an attack, a
// power, a move, a spell, a check or a teleportation, as the sheet says.
func legendaryActions() []*play.Action {
	return []*play.Action{{ID: "legendary", Title: "Take a legendary action", Rule: fallback, Group: play.GroupAttack, Anytime: true, Self: true,
		Items: func(at *play.At) []string { return namesOf(sheetOf(at.Actor).Legendary) },
		Names: legendaryTitle,
		CostOf: func(at *play.At) []play.Cost {
			return []play.Cost{{Counter: cLegendary, Amount: max(1, legendaryAt(at).Cost)}}
		},
		Range: legendaryRange, Repeat: func(at *play.At) bool { sp := legendarySpell(at); return sp != nil && repeats(sp) },
		Refuse: refuseLegendaryAt, RefuseTarget: refuseLegendaryOn, Fields: legendaryFields, Check: checkLegendary,
		Choices: legendaryChoices, Do: doLegendary}}
}

// legendaryAt is the legendary action of a command or a listing.
func legendaryAt(at *play.At) *eventv1.RcrLegendary { return legendaryOf(at.Actor, at.Item()) }

func casts(l *eventv1.RcrLegendary) bool {
	return l.Casts != eventv1.RcrLegendary_CASTS_UNSPECIFIED
}

// legendarySpell is the spell that a legendary action casts; nil for none, or none
// said yet.
func legendarySpell(at *play.At) *eventv1.RcrSpell {
	l := legendaryAt(at)
	if !casts(l) {
		return nil
	}
	name, spells := spoken.Word(at.Take.Parameters, "spell"), legendarySpells(at.Actor, l)
	if i := slices.IndexFunc(spells, func(sp *eventv1.RcrSpell) bool { return sp.Name == name }); i >= 0 {
		return spells[i]
	}
	return nil
}

func legendaryTitle(at *play.At) string {
	if sp := legendarySpell(at); sp != nil {
		return at.Item() + ": " + sp.Name
	}
	return at.Item()
}

func legendaryRange(at *play.At) (least, most int32) {
	l := legendaryAt(at)
	switch a, p, sp := attackOf(at.Actor, l.Attack), powerOf(at.Actor, l.Power), legendarySpell(at); {
	case a != nil:
		return 1, 1
	case p != nil:
		return rangeOfPower(p)
	case sp != nil:
		return spellRange(at, sp)
	case casts(l) && !at.Listing:
		return 0, int32(len(at.Take.Targets)) // that the spell is none is said of it
	}
	return 0, 0
}

func refuseLegendaryAt(at *play.At) error {
	l := legendaryAt(at)
	if err := refuseLegendary(at.State, at.Actor, l); err != nil {
		return err
	}
	if p := powerOf(at.Actor, l.Power); p != nil && attackOf(at.Actor, l.Attack) == nil {
		return refuseNobody(at.Actor, p)
	}
	sp := legendarySpell(at)
	switch {
	case sp != nil:
		return firstError(refuseMeans(at.State, at.Actor, sp), refuseUnarmed(at.State, at.Actor, sp))
	case casts(l) && at.Listing:
		return refuseAllSpells(at, l)
	}
	return nil
}

// refuseAllSpells says why none of the spells of a legendary action can be cast: as
// the first of them says.
func refuseAllSpells(at *play.At, l *eventv1.RcrLegendary) (why error) {
	for _, sp := range legendarySpells(at.Actor, l) {
		err := firstError(refuseMeans(at.State, at.Actor, sp), refuseUnarmed(at.State, at.Actor, sp))
		if err == nil {
			return nil
		}
		if why == nil {
			why = err
		}
	}
	if why == nil {
		return refuse("NO_SPELL", fallback, "%s has no spell for it", at.Actor.Name)
	}
	return why
}

func refuseLegendaryOn(at *play.At, t *eventv1.Creature) error {
	l := legendaryAt(at)
	switch a, p, sp := attackOf(at.Actor, l.Attack), powerOf(at.Actor, l.Power), legendarySpell(at); {
	case a != nil:
		return refuseStrike(at.Actor, t, a, at.Take)
	case p != nil:
		return refusePowerTarget(at.Actor, t, p, statedDistance(at.Take))
	case sp != nil:
		return refuseSpellTarget(at.Actor, t, sp, at.Take)
	}
	return nil
}

func legendaryFields(at *play.At) []play.Field {
	l, s, c := legendaryAt(at), at.State, at.Actor
	switch a, p, sp := attackOf(c, l.Attack), powerOf(c, l.Power), legendarySpell(at); {
	case a != nil && !at.Listing:
		return append(strikeFields(at, a), play.Field{Name: "hands"})
	case a != nil:
		return nil
	case p != nil:
		return teleportField(nil, at, p.TeleportFeet)
	case sp != nil:
		return append([]play.Field{{Name: "spell", Required: true, Values: []string{sp.Name}}}, castFields(at, sp)...)
	case casts(l):
		return []play.Field{{Name: "spell", Required: true, Values: namesOf(legendarySpells(c, l))}}
	case l.MovePercent > 0 && !at.Listing:
		return []play.Field{{Name: "feet"}, {Name: "path"}, {Name: "drag"}, {Name: "mode"}}
	case l.MovePercent > 0:
		out := []play.Field{{Name: "feet", Required: c.Position == nil, Least: 1, Most: legendaryFeet(s, c, l)}, {Name: "path"}}
		open := legendaryModes(s, c, l)
		return offer(out, at, len(open) > 0, play.Field{Name: "mode", Values: open})
	case l.TeleportFeet > 0:
		return teleportField(nil, at, l.TeleportFeet)
	case l.Skill != "":
		return []play.Field{{Name: "dc"}, {Name: "sense"}}
	}
	return nil
}

func checkLegendary(at *play.At) error {
	l := legendaryAt(at)
	switch a, p, sp := attackOf(at.Actor, l.Attack), powerOf(at.Actor, l.Power), legendarySpell(at); {
	case a != nil:
		return planStrike(at, a)
	case p != nil:
		return planJump(at, p.TeleportFeet)
	case sp != nil:
		return planCasting(at, &casting{sp: sp, aside: true})
	case l.MovePercent > 0:
		return planLegendaryMove(at, l)
	}
	return planJump(at, l.TeleportFeet)
}

// legendaryChoices are the spells that a legendary action may cast.
func legendaryChoices(at *play.At) (out []*eventv1.Option) {
	l := legendaryAt(at)
	if !casts(l) || legendarySpell(at) != nil {
		return nil
	}
	for _, sp := range legendarySpells(at.Actor, l) {
		take := &eventv1.TakeAction{Creature: at.Actor.Id, Action: at.Action.ID, Item: l.Name,
			Parameters: &structpb.Struct{Fields: map[string]*structpb.Value{"spell": structpb.NewStringValue(sp.Name)}}}
		if o := frame.Option(at.Of(at.Action, take)); o.Legal {
			out = append(out, o)
		}
	}
	return out
}

// doLegendary takes a legendary action.
//
// rcr.base.fifth-edition-fallback, rcr.surprise.one-action
func doLegendary(r *rules.Resolution, at *play.At) error {
	l, c, take := legendaryAt(at), r.Creature(at.Actor.Id), at.Take
	pay := func() {
		r.Set(c.Id, cLegendary, r.Count(c.Id, cLegendary)-int64(max(1, l.Cost)), l.Name)
		closeLegendary(r, c.Id)
	}
	if attackOf(c, l.Attack) != nil {
		carryOut(r, at, func(*eventv1.Creature, *attackPlan) attackOpts {
			pay()
			return attackOpts{label: "legendary/" + c.Id}
		})
		return nil
	}
	pay()
	switch p, sp := powerOf(c, l.Power), legendarySpell(at); {
	case p != nil:
		payUses(r, c, p)
		letPower(r, c, p, powerTargets(c, take), planned(at).to, take)
	case sp != nil:
		return doCast(r, at)
	case l.MovePercent > 0:
		return legendaryMove(r, at, l)
	default:
		r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Item: l.Name, Notes: statedNotes(take)})
		if l.Skill != "" {
			dc, sense, o := readCheck(take)
			rollCheck(r, "check/"+l.Skill, r.Creature(c.Id), l.Skill, dc, sense, o)
		}
		teleport(r, c.Id, l.Name, l.TeleportFeet, planned(at).to)
	}
	return nil
}

// legendaryPoise is the counters of a creature that makes a legendary move.
func legendaryPoise(s *eventv1.State, c *eventv1.Creature, l *eventv1.RcrLegendary, take *eventv1.TakeAction) map[string]int64 {
	mode := spoken.Word(take.Parameters, "mode")
	if open := legendaryModes(s, c, l); mode == "" && len(open) > 0 {
		mode = open[0]
	}
	set := map[string]int64{cMovement: int64(legendarySpeed(s, c, l, mode)), cMoved: 0, cDangerous: 0, cDashes: 0}
	if own, base := speedIn(s, c.Id, mode), baseSpeed(s, c); own > 0 && own != base {
		// The movement of another mode is counted from its full speed.
		set[cMoved] = int64(own) - set[cMovement]
	}
	return set
}

// planLegendaryMove reads the way of a legendary move, as it is gone beside the turn.
func planLegendaryMove(at *play.At, l *eventv1.RcrLegendary) error {
	s := poised(at.State, at.Actor.Id, legendaryPoise(at.State, at.Actor, l, at.Take))
	inner := *at
	inner.State, inner.Actor = s, s.Creatures[at.Actor.Id]
	crawling := has(at.Actor, condProne)
	if err := refuseTravel(s, inner.Actor, crawling); err != nil {
		return err
	}
	return planTravel(&inner, crawling)
}

// legendaryMove moves part of the speed beside the turn.
func legendaryMove(r *rules.Resolution, at *play.At, l *eventv1.RcrLegendary) error {
	c := r.Creature(at.Actor.Id)
	covered := l.Unprovoking && !has(c, condDisengaged)
	if covered {
		disengage(r, c)
	}
	err := aside(r, c.Id, l.Name, true, legendaryPoise(r.State(), c, l, at.Take), func() error { return doTravel(r, at) })
	if err == nil && covered {
		endCondition(r, c.Id, condDisengaged, l.Name, fallback)
	}
	return err
}
