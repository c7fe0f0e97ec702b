package rcr

import (
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/rcr/magic"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	"github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// legendaryActions are what the mighty do at the end of another's turn: an attack, a
// power, a move, a spell, a check or a teleportation, as the sheet says.
func legendaryActions() []*play.Action {
	return []*play.Action{{ID: "legendary", Title: "Take a legendary action", Rule: body.Fallback, Group: play.GroupAttack, Anytime: true, Self: true,
		Items: func(at *play.At) []string { return body.NamesOf(body.SheetOf(at.Actor).Legendary) },
		Names: answers.LegendaryTitle,
		CostOf: func(at *play.At) []play.Cost {
			return []play.Cost{{Counter: body.CLegendary, Amount: max(1, answers.LegendaryAt(at).Cost)}}
		},
		Range: answers.LegendaryRange, Repeat: func(at *play.At) bool { sp := answers.LegendarySpell(at); return sp != nil && answers.Repeats(sp) },
		Refuse: answers.RefuseLegendaryAt, RefuseTarget: answers.RefuseLegendaryOn, Fields: answers.LegendaryFields, Check: checkLegendary,
		Choices: answers.LegendaryChoices, Chooses: answers.ChoosesLegendary, Do: doLegendary}}
}

func checkLegendary(at *play.At) error {
	l := answers.LegendaryAt(at)
	switch a, p, sp := checks.AttackOf(at.Actor, l.Attack), answers.PowerOf(at.Actor, l.Power), answers.LegendarySpell(at); {
	case a != nil:
		return planStrike(at, a)
	case p != nil:
		return planJump(at, p.TeleportFeet)
	case sp != nil:
		return planCasting(at, &movement.Casting{Sp: sp, Aside: true})
	case l.MovePercent > 0:
		return planLegendaryMove(at, l)
	}
	return planJump(at, l.TeleportFeet)
}

// doLegendary takes a legendary action.
//
// rcr.base.fifth-edition-fallback, rcr.surprise.one-action
func doLegendary(r *rules.Resolution, at *play.At) error {
	l, c, take := answers.LegendaryAt(at), r.Creature(at.Actor.Id), at.Take
	pay := func() {
		r.Set(c.Id, body.CLegendary, r.Count(c.Id, body.CLegendary)-int64(max(1, l.Cost)), l.Name)
		answers.CloseLegendary(r, c.Id)
	}
	if checks.AttackOf(c, l.Attack) != nil {
		carryOut(r, at, func(*eventv1.Creature, *strike.AttackPlan) strike.AttackOpts {
			pay()
			return strike.AttackOpts{Label: "legendary/" + c.Id}
		})
		return nil
	}
	pay()
	switch p, sp := answers.PowerOf(c, l.Power), answers.LegendarySpell(at); {
	case p != nil:
		answers.PayUses(r, c, p)
		movement.LetPower(r, c, p, answers.PowerTargets(c, take), planned(at).to, take)
	case sp != nil:
		return doCast(r, at)
	case l.MovePercent > 0:
		return legendaryMove(r, at, l)
	default:
		r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Item: l.Name, Notes: body.StatedNotes(take)})
		if l.Skill != "" {
			dc, sense, o := body.ReadCheck(take)
			dice.RollCheck(r, "check/"+l.Skill, r.Creature(c.Id), l.Skill, dc, sense, o)
		}
		magic.Teleport(r, c.Id, l.Name, l.TeleportFeet, planned(at).to)
	}
	return nil
}

// planLegendaryMove reads the way of a legendary move, as it is gone beside the turn.
func planLegendaryMove(at *play.At, l *eventv1.RcrLegendary) error {
	s := answers.Poised(at.State, at.Actor.Id, answers.LegendaryPoise(at.State, at.Actor, l, at.Take))
	inner := *at
	inner.State, inner.Actor = s, s.Creatures[at.Actor.Id]
	crawling := body.Has(at.Actor, body.CondProne)
	if err := movement.RefuseTravel(s, inner.Actor, crawling); err != nil {
		return err
	}
	return planTravel(&inner, crawling)
}

// legendaryMove moves part of the speed beside the turn.
func legendaryMove(r *rules.Resolution, at *play.At, l *eventv1.RcrLegendary) error {
	c := r.Creature(at.Actor.Id)
	covered := l.Unprovoking && !body.Has(c, body.CondDisengaged)
	if covered {
		strike.Disengage(r, c)
	}
	err := answers.Aside(r, c.Id, l.Name, true, answers.LegendaryPoise(r.State(), c, l, at.Take), func() error { return doTravel(r, at) })
	if covered {
		dice.EndCondition(r, c.Id, body.CondDisengaged, l.Name, body.Fallback)
	}
	return err
}
