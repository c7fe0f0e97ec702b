package saddle

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/items"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// multiActions make several attacks in one action.
func multiActions() []*strike.Action {
	return []*strike.Action{{Action: play.Action{ID: "multiweapon", Title: "Multiweapon fighting", Rule: mending.RuleMulti, Group: play.GroupAttack, Trigger: "attack", Costs: body.Acts(1),
		Items: body.Ways(checks.MeleeNames), Range: items.UpTo(strike.MultiTargets), Refuse: body.Bars(strike.RefuseMulti), RefuseTarget: answers.Aimed(manners.RefuseReach),
		Fields: strike.MultiFields, Check: checks.Judged(strike.CheckMulti), Do: body.Done(doMulti)}, Provoke: strike.MultiProvokes}}
}

// doMulti makes the attacks one after another: the first is the main hand's, all
// others are off-hand attacks, each by its own weapon. The main hand takes the
// heavier penalty unless all off-hand weapons are light (a reading). What is
// chosen with the action goes for each of its attacks. Before a bare fist the one it is
// aimed at may answer, once.
//
// celesia.attack.multiweapon, celesia.attack.multiweapon-off-hand-damage, celesia.attack.unarmed-provoke,
// celesia.attack.special-options, celesia.attack.cleave-chain
func doMulti(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	feat, main, others := body.Feature(c, body.FeatMultiweapon), body.WeaponOf(c, take.Item), strike.OffHand(c, take)
	r.Set(c.Id, body.CMulti, r.Count(c.Id, body.CMulti)+1, "multiweapon fighting", mending.RuleMultiLimit)
	declare(r, c.Id, take)
	var struck []string
	_, asked := strike.MultiProvokes(r.State(), c, take)
	answered := []string{asked}
	allLight := !slices.ContainsFunc(others, func(w *eventv1.CelesiaWeapon) bool { return !manners.Light(w) })
	for i, w := range append([]*eventv1.CelesiaWeapon{main}, others...) {
		at := take.Targets[min(i, len(take.Targets)-1)]
		now := r.Creature(c.Id)
		one := &eventv1.TakeAction{Creature: c.Id, Item: w.Name, Targets: []string{at}, Parameters: take.Parameters, Facts: take.Facts,
			Circumstances: take.Circumstances}
		if !strike.Able(now) || body.Dead(r.Creature(at)) || strike.RefuseAttack(r.State(), now, one) != nil {
			continue
		}
		if provokes, only := strike.AttackProvokes(r.State(), now, one); provokes && !slices.Contains(answered, only) {
			answered = append(answered, only)
			window(r, checks.Provocation{By: c.Id, Take: one, Provokes: true, Only: only})
			if now = r.Creature(c.Id); !strike.Able(now) || strike.RefuseAttack(r.State(), now, one) != nil {
				continue
			}
		}
		row, hand := manners.MultiPenalty(r.Content(), allLight, feat), mending.MainHand
		penalty, rule := row.Main, mending.RuleMulti
		if i > 0 {
			row, hand = manners.MultiPenalty(r.Content(), manners.Light(w), feat), mending.OtherHand
			penalty = row.Off
		}
		if row.By != "" {
			rule = row.By
		}
		manners.UseLimbs(r, now, w)
		hit := makeAttack(r, body.Attack{By: c.Id, Target: at, Weapon: w, Label: "multiweapon/" + body.Itoa(i+1), Take: one, Hand: hand,
			More: []*eventv1.Modifier{body.Mod(penalty, "multiweapon fighting", rule)}})
		struck = append(struck, at)
		if hit {
			struck = cleave(r, c.Id, w, one, struck...)
		}
	}
	return nil
}
