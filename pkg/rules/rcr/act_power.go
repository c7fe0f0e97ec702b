package rcr

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/magic"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	"github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// powerActions are the powers of a sheet.
func powerActions() []*play.Action {
	power := func(a *play.Action) *play.Action {
		a.Rule, a.Group, a.Self = body.Fallback, play.GroupMagic, true
		a.CostOf, a.Range, a.RefuseTarget, a.Fields, a.Check, a.Do = magic.PowerCost, magic.PowerRange, magic.RefusePowerOn, magic.PowerFields, checkPower, doPower
		a.Refuse = func(at *play.At) error {
			p := answers.PowerOf(at.Actor, at.Item())
			if p.Cost == "reaction" && !at.Action.Anytime {
				return body.Refuse("REACTION", body.Fallback, "%s is a reaction: take it with react", p.Name)
			}
			return body.FirstError(strike.RefusePower(at.State, at.Actor, p), answers.RefuseNobody(at.Actor, p))
		}
		return a
	}
	return []*play.Action{
		power(&play.Action{ID: "use-power", Title: "Use a power",
			Items: func(at *play.At) []string {
				return magic.PowerNames(at, func(p *eventv1.RcrPower) bool { return p.Cost != "reaction" && p.Cost != "legendary" || !at.Listing })
			}}),
		power(&play.Action{ID: "react", Title: "Use a power as a reaction", Anytime: true,
			Items: func(at *play.At) []string {
				return magic.PowerNames(at, func(p *eventv1.RcrPower) bool { return p.Cost == "reaction" })
			}}),
	}
}

func checkPower(at *play.At) error {
	return planJump(at, answers.PowerOf(at.Actor, at.Item()).TeleportFeet)
}

// doPower uses a power: its damage is rolled once for all targets, each of
// which makes its own saving throw.
func doPower(r *rules.Resolution, at *play.At) error {
	c := r.Creature(at.Actor.Id)
	p := answers.PowerOf(c, at.Item())
	magic.PayPower(r, c, p)
	movement.LetPower(r, c, p, answers.PowerTargets(c, at.Take), planned(at).to, at.Take)
	return nil
}
