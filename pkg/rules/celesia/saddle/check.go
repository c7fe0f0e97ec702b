package saddle

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
)

// CheckActions are checks and saving throws that the game master calls for.
func CheckActions() []*strike.Action {
	return slices.Concat([]*strike.Action{
		{Action: play.Action{ID: "skill-check", Title: "Skill check", Rule: cite.TurnActionClasses, Group: play.GroupReferee, CostOf: body.Priced(checks.CheckCost), Traits: checks.Whole,
			Referee: true, Fields: strike.Required("skill"), Check: checks.Judged(checks.CheckSkill), Do: body.Done(strike.DoSkill)}},
		{Action: play.Action{ID: "reactive-check", Title: "Skill check out of turn", Rule: cite.SurpriseAwareness, Group: play.GroupReferee, Anytime: true, Early: true,
			Referee: true, Fields: strike.Reactive(), Check: checks.Judged(checks.CheckReactive), Do: body.Done(strike.DoReactive)}},
		{Action: play.Action{ID: "saving-throw", Title: "Saving throw", Rule: cite.SpellDegreesSave, Group: play.GroupReferee, Anytime: true, Early: true, Referee: true,
			Fields: strike.Required("save"), Check: checks.Judged(checks.CheckSave), Do: body.Done(strike.DoSave)}},
		{Action: play.Action{ID: "ability-check", Title: "Ability check", Rule: cite.DiceCircumstanceTable, Group: play.GroupReferee, Anytime: true, Early: true, Referee: true,
			Fields: strike.Required("ability"), Check: checks.Judged(checks.CheckAbility), Do: body.Done(strike.DoAbility)}},
	}, skillActions(), abilityActions())
}
