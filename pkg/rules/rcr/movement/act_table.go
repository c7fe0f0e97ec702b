package movement

import (
	"strconv"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/rcr/underwater"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// TableActions are deeds of the game master and of people at the table: falls,
// checks and saves called for, inspiration. They belong to no turn.
func TableActions() []*play.Action {
	notDead := func(at *play.At) error { return body.RefuseDead(at.Actor) }
	return []*play.Action{
		{ID: "fall", Title: "Fall", Rule: cite.DamageFallType, Group: play.GroupReferee, Anytime: true, Referee: true, Refuse: notDead,
			Fields: func(at *play.At) []play.Field {
				return body.Offer([]play.Field{{Name: "feet", Required: true}}, at, false, play.Field{Name: "path"})
			}, Do: body.Deed(doFall)},
		{ID: "called-check", Title: "Make a check called for", Rule: body.Fallback, Group: play.GroupReferee, Anytime: true, Referee: true, Most: 1, Self: true, Refuse: notDead,
			Fields: func(at *play.At) []play.Field {
				return body.KitField(append([]play.Field{body.SkillField(at)}, body.CheckFields(at, true)...), at, "")
			},
			Check: body.CheckCalled, Do: dice.DoCalledCheck},
		{ID: "called-save", Title: "Make a saving throw called for", Rule: body.Fallback, Group: play.GroupReferee, Anytime: true, Referee: true, Most: 1, Self: true, Refuse: notDead,
			Fields: func(at *play.At) []play.Field {
				return body.InspirationField([]play.Field{{Name: "ability", Required: true}, {Name: "dc", Required: true}, {Name: "against"}, {Name: "damage_type"}}, at)
			},
			Check: func(at *play.At) error { return body.RefuseInspired(at.Actor, at.Take) }, Do: body.Deed(dice.DoCalledSave)},
		{ID: "lighting", Title: "Say what light it is", Rule: cite.BaseLight, Group: play.GroupReferee, Anytime: true, Referee: true,
			Fields: func(*play.At) []play.Field { return []play.Field{{Name: "light", Required: true}} }, Do: body.Deed(doLighting)},
		{ID: "shine", Title: "Carry a source of light, or put it out", Rule: cite.BaseLight, Group: play.GroupReferee, Anytime: true, Referee: true, Refuse: notDead,
			Fields: func(*play.At) []play.Field {
				return []play.Field{{Name: "source", Required: true}, {Name: "bright"}, {Name: "dim"}}
			}, Do: body.Deed(doShine)},
		{ID: "grant-inspiration", Title: "Grant inspiration", Rule: cite.BaseInspirationHeld, Group: play.GroupReferee, Anytime: true, Referee: true,
			Refuse: notDead, Do: body.Deed(body.DoGrant)},
		{ID: "spend-inspiration", Title: "Spend inspiration", Rule: cite.BaseInspirationHeld, Group: play.GroupOther, Anytime: true,
			Items: body.InspirationItems, Names: body.InspirationTitle, Refuse: body.RefuseSpending,
			Fields: func(at *play.At) []play.Field { return body.Offer(nil, at, at.Item() == "", play.Field{Name: "for"}) }, Do: body.Deed(body.DoInspiration)},
	}
}

// doFall is the game master's word that a creature falls, whoever's turn it is.
func doFall(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	feet, _ := spoken.Number(take.Parameters, "feet")
	if c.Position != nil && len(take.Path) > 0 {
		to := take.Path[len(take.Path)-1]
		r.Move(&eventv1.Moved{Creature: c.Id, To: to, Mode: "fall", Feet: feet})
		body.Carry(r, c.Id)
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "fall", Notes: append([]string{body.Itoa(feet) + " feet"}, body.StatedNotes(take)...)})
	facts := body.WoundFacts(take)
	if take.GetFacts().GetFields()["into_water"] != nil {
		facts[underwater.FactWater] = strconv.FormatBool(spoken.Truth(take.Facts, "into_water"))
	}
	edges, mods := body.StatedEdges(take.Circumstances, c.Id)
	fall(r, c.Id, feet, facts, body.CheckOpts{Edges: edges, Modifiers: mods, Kinds: body.Renamed(take.Facts, "kinds"), Water: body.SaidOfWater(take.Facts)})
	body.EndDistantGrapples(r, c.Id)
	return nil
}
