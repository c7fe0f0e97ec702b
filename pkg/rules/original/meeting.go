package original

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/original/morale"
	"github.com/skaldrpg/skald/pkg/rules/original/moving"
	"github.com/skaldrpg/skald/pkg/rules/original/reach"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

// unknown is the word for a reaction that is to be rolled.
const unknown = "unknown"

// checkStart says what is wrong with the start facts, before any die falls.
func checkStart(r *rules.Resolution, facts *structpb.Struct) error {
	s := r.State()
	early, _ := spoken.Words(facts, "morale")
	for i, g := range early {
		if err := rules.OneOf("start.facts.morale["+body.Itoa(i)+"]", g, morale.Groups(s)); err != nil {
			return err
		}
	}
	kinds := facts.GetFields()["appearing"].GetStructValue()
	for _, kind := range rules.SortedKeys(kinds.GetFields()) {
		n, given := spoken.Number(kinds, kind)
		if expr := spoken.Word(kinds, kind); !given {
			if _, err := dice.Parse(expr); err != nil || len(expr) > 64 {
				n = -1
			}
		}
		if n < 0 {
			return fault.Field("start.facts.appearing."+kind, "must be a number from 0 or a dice expression")
		}
	}
	if _, given := spoken.Number(facts, "distance"); given && spoken.Truth(facts, "roll_distance") {
		return fault.Field("start.facts.roll_distance", "the distance is given")
	}
	said := facts.GetFields()["reaction"].GetStructValue()
	for _, group := range rules.SortedKeys(said.GetFields()) {
		field := "start.facts.reaction." + group
		if err := rules.OneOf(field, group, morale.Groups(s)); err != nil {
			return err
		}
		if err := rules.OneOf(field, said.Fields[group].GetStringValue(), append([]string{unknown}, reactionWords(r.Content(), s, group)...)); err != nil {
			return err
		}
	}
	return reach.CheckSurprise(s, facts)
}

// appear rolls what the game master leaves to the dice before the sides meet:
// how many monsters of a kind there are ("appearing": kind to dice or to a
// number), and by which of several entries they come ("entries").
//
// original.encounter.number-appearing, original.encounter.direction
func appear(r *rules.Resolution, facts *structpb.Struct) {
	kinds := facts.GetFields()["appearing"].GetStructValue()
	for _, kind := range rules.SortedKeys(kinds.GetFields()) {
		n, given := spoken.Number(kinds, kind)
		if !given {
			n = max(0, r.Roll(rules.RollSpec{Label: "appearing/" + kind, Expression: spoken.Word(kinds, kind), Reason: "how many " + kind, Rules: []string{cite.EncounterNumberAppearing}}).Total)
		}
		r.Set("", body.CAppearing+kind, int64(n), "encounter", cite.EncounterNumberAppearing)
	}
	n, given := spoken.Number(facts, "entries")
	if !given {
		return
	}
	entry := int32(1)
	if n > 1 {
		entry = r.Roll(rules.RollSpec{Label: "direction", Expression: "1d" + body.Itoa(n), Reason: "which entry", Rules: []string{cite.EncounterDirection}}).Total
	}
	r.Set("", body.CEntry, int64(entry), "encounter", cite.EncounterDirection)
}

// findDistance sets how far apart the sides are, in feet: as given, or rolled.
//
// original.surprise.distance, original.encounter.distance
func findDistance(r *rules.Resolution, facts *structpb.Struct, surprise bool) {
	feet, given := spoken.Number(facts, "distance")
	rule, expr := cite.EncounterDistance, "2d6"
	if surprise {
		rule, expr = cite.SurpriseDistance, "1d3"
	}
	switch {
	case given:
	case spoken.Truth(facts, "roll_distance"):
		scale := int32(10)
		if r.On(body.SetOutdoors) {
			scale = 30 // ten yards
		}
		feet = scale * r.Roll(rules.RollSpec{Label: "distance", Expression: expr, Reason: "how far apart", Rules: []string{rule}}).Total
	default:
		return
	}
	r.Set("", body.CDistance, int64(feet), "encounter", rule)
}

// reactionWords are the reactions that may be decided for a group: those of
// animals or of intelligent monsters, or those of the table where these labels
// are not in use.
//
// original.encounter.reaction-animals, original.encounter.reaction-intelligent
func reactionWords(made *effects.Book, s *eventv1.State, group string) []string {
	switch mind := moving.IntelligentGroup(s, group); {
	case mind && body.Defaults.On(s, body.SetMindLabels):
		return []string{"hostile", "parley", "friendly", "run away", "observe", "other"}
	case !mind && body.Defaults.On(s, body.SetAnimalLabels):
		return []string{"angry", "hungry", "frightened", "curious", "friendly", "disinterested"}
	}
	rows := thestrike.TablesOf(made).Reaction
	list := make([]string, 0, len(rows))
	for _, b := range rows {
		list = append(list, b.Word)
	}
	return list
}

// reactionRules are those behind the roll. They must not be changed.
var reactionRules = []string{cite.EncounterReactionRoll, cite.EncounterReactionTable}

// react sets the reaction of a group of monsters: as the game master says, or
// rolled on the table.
//
// original.encounter.reaction-roll, original.encounter.reaction-table
func react(r *rules.Resolution, group, decided string) {
	if decided != "" && decided != unknown {
		rule := cite.EncounterReactionIntelligent
		if !moving.IntelligentGroup(r.State(), group) {
			rule = cite.EncounterReactionAnimals
		}
		r.Mark("", body.MReaction+group, decided, rule)
		return
	}
	const rule = cite.EncounterReactionTable
	rows := thestrike.TablesOf(r.Content()).Reaction
	rolled := r.Roll(rules.RollSpec{Label: "reaction/" + group, Expression: "2d6", Reason: "reaction of " + group, Rules: reactionRules,
		RuleOf: func(_, total int32) string { return body.Find(rows, total).By }})
	// Who did not see the roll is not told its outcome.
	r.Emit(rolled.Audience, &eventv1.MarkSet{Mark: body.MReaction + group, Value: body.Find(rows, rolled.Total).Word}, rule)
}

func reactionAction() *play.Action {
	return &play.Action{ID: body.ActReaction, Title: "Decide or roll how its group reacts", Rule: cite.EncounterReactionRoll, Group: play.GroupReferee, Anytime: true,
		Referee: true, Refuse: thestrike.AsSeen(reactionRefused), Do: body.Deed(doReaction), Optional: true, Fields: func(at *play.At) []play.Field {
			return append(at.FieldList(), play.Field{Name: "reaction",
				Values: append([]string{unknown}, reactionWords(at.Content, at.State, body.MoraleGroup(at.Actor))...)})
		}}
}

// reactionRefused says why the reaction of a creature's group is not asked for.
func reactionRefused(v *thestrike.Sight) error {
	c := v.C
	switch {
	case c.Sheet == nil || body.SheetOf(c).IsPc:
		return v.Refuse("NO_MONSTER", cite.EncounterReactionRoll, "reactions are those of monsters")
	case body.Out(c):
		return v.Refuse("OUT", cite.EncounterReactionRoll, "%s is out of the fight", c.Name)
	}
	return nil
}

func doReaction(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	decided := spoken.Word(take.GetParameters(), "reaction")
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Notes: []string{body.MoraleGroup(c)}}, cite.EncounterReactionRoll)
	react(r, body.MoraleGroup(c), decided)
	return nil
}

// sayBehaviour reminds the game master of what monsters do with a free round.
//
// original.surprise.monster-behaviour
func sayBehaviour(r *rules.Resolution, ready []string) {
	if !r.On(body.SetBehaviour) {
		return
	}
	for _, g := range morale.Groups(r.State()) {
		if !slices.ContainsFunc(ready, func(id string) bool {
			return !body.SheetOf(r.Creature(id)).IsPc && body.MoraleGroup(r.Creature(id)) == g
		}) {
			continue
		}
		text := g + " close in or attack"
		if moving.IntelligentGroup(r.State(), g) {
			text += ", or hold back from prey that is too strong"
		}
		r.Note(event.GM(), "", text, body.SetBehaviour)
	}
}
