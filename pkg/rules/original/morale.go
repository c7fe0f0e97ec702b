package original

import (
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/original/morale"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
)

// tableActions are what the table decides beside the fight itself.
func tableActions() []*play.Action {
	return []*play.Action{
		{ID: body.ActCheckMorale, Title: "Check morale after a great upset", Rule: cite.MoraleWhen, Group: play.GroupReferee, Anytime: true, Referee: true,
			Refuse: thestrike.AsSeen(morale.CheckMoraleRefused), Do: body.Deed(morale.DoCheckMorale)},
		reactionAction(),
		{ID: "face", Title: "Turn to a flanking foe", Rule: cite.ConditionPartiallySurprised, Group: play.GroupDefend, Least: 1, Most: 1, Candidates: thestrike.FoesAt,
			RefuseTarget: thestrike.OfTarget(morale.FaceRefused), Do: body.Deed(morale.DoFace)},
		{ID: "shield", Title: "Name the two foes the shield is for", Rule: cite.DefenseShieldTwoAttackers, Group: play.GroupDefend, Anytime: true, Least: 1, Most: 2,
			Candidates: thestrike.FoesAt, Refuse: thestrike.AsSeen(morale.ShieldRefused), RefuseTarget: thestrike.OfTarget(morale.ShieldAgainstRefused), Do: body.Deed(morale.DoShield)},
	}
}
