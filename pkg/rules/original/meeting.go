package original

import (
	"slices"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// unknown is the word for a reaction that is to be rolled.
const unknown = "unknown"

// checkStart says what is wrong with the start facts, before any die falls.
func checkStart(s *eventv1.State, facts *structpb.Struct) error {
	early, _ := spoken.Words(facts, "morale")
	for i, g := range early {
		if err := rules.OneOf("start.facts.morale["+itoa(i)+"]", g, groups(s)); err != nil {
			return err
		}
	}
	kinds := facts.GetFields()["appearing"].GetStructValue()
	for _, kind := range rules.SortedKeys(kinds.GetFields()) {
		n, given := spoken.Number(kinds, kind)
		if expr := spoken.Word(kinds, kind); !given {
			if _, err := dice.Parse(expr); err != nil || expr == "" || len(expr) > 64 {
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
		if err := rules.OneOf(field, group, groups(s)); err != nil {
			return err
		}
		if err := rules.OneOf(field, said.Fields[group].GetStringValue(), append([]string{unknown}, reactionWords(s, group)...)); err != nil {
			return err
		}
	}
	return checkSurprise(s, facts)
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
		r.Set("", cAppearing+kind, int64(n), "encounter", cite.EncounterNumberAppearing)
	}
	n, given := spoken.Number(facts, "entries")
	if !given {
		return
	}
	entry := int32(1)
	if n > 1 {
		entry = r.Roll(rules.RollSpec{Label: "direction", Expression: "1d" + itoa(n), Reason: "which entry", Rules: []string{cite.EncounterDirection}}).Total
	}
	r.Set("", cEntry, int64(entry), "encounter", cite.EncounterDirection)
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
		if r.On(setOutdoors) {
			scale = 30 // ten yards
		}
		feet = scale * r.Roll(rules.RollSpec{Label: "distance", Expression: expr, Reason: "how far apart", Rules: []string{rule}}).Total
	default:
		return
	}
	r.Set("", cDistance, int64(feet), "encounter", rule)
}

// intelligent tells whether a creature has a mind of its own.
func intelligent(c *eventv1.Creature) bool {
	s := sheetOf(c)
	if s.Intelligent != nil {
		return *s.Intelligent
	}
	return s.Class != "" || s.Level > 0 || slices.ContainsFunc(s.Weapons, func(w *eventv1.OriginalWeapon) bool { return !natural(w) })
}

// intelligentGroup tells whether anybody in a group of monsters is intelligent.
func intelligentGroup(s *eventv1.State, group string) bool {
	return slices.ContainsFunc(members(s, group), func(id string) bool { return intelligent(s.Creatures[id]) })
}

// reactionWords are the reactions that may be decided for a group: those of
// animals or of intelligent monsters, or those of the table where these labels
// are not in use.
//
// original.encounter.reaction-animals, original.encounter.reaction-intelligent
func reactionWords(s *eventv1.State, group string) []string {
	switch mind := intelligentGroup(s, group); {
	case mind && defaults.On(s, setMindLabels):
		return []string{"hostile", "parley", "friendly", "run away", "observe", "other"}
	case !mind && defaults.On(s, setAnimalLabels):
		return []string{"angry", "hungry", "frightened", "curious", "friendly", "disinterested"}
	}
	var list []string
	for _, b := range book.reaction {
		list = append(list, b.word)
	}
	return list
}

// react sets the reaction of a group of monsters: as the game master says, or
// rolled on the table.
//
// original.encounter.reaction-roll, original.encounter.reaction-table
func react(r *rules.Resolution, group, decided string) {
	if decided != "" && decided != unknown {
		rule := cite.EncounterReactionIntelligent
		if !intelligentGroup(r.State(), group) {
			rule = cite.EncounterReactionAnimals
		}
		r.Mark("", mReaction+group, decided, rule)
		return
	}
	const rule = cite.EncounterReactionTable
	rolled := r.Roll(rules.RollSpec{Label: "reaction/" + group, Expression: "2d6", Reason: "reaction of " + group, Rules: []string{cite.EncounterReactionRoll, rule}})
	// Who did not see the roll is not told its outcome.
	r.Emit(rolled.Audience, &eventv1.MarkSet{Mark: mReaction + group, Value: find(book.reaction, rolled.Total).word}, rule)
}

func reactionAction() *action {
	return &action{id: actReaction, title: "Decide or roll how its group reacts", anytime: true, do: doReaction,
		options: func(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
			o := option("", reactionRefused(c))
			o.Parameters = []*eventv1.Parameter{choiceOf("reaction", "The reaction; without it the dice say", append([]string{unknown}, reactionWords(s, moraleGroup(c))...)...)}
			return []*eventv1.Option{o}
		}}
}

// reactionRefused says why the reaction of a creature's group is not asked for.
func reactionRefused(c *eventv1.Creature) error {
	switch {
	case c.Sheet == nil || sheetOf(c).IsPc:
		return refuse("NO_MONSTER", cite.EncounterReactionRoll, "reactions are those of monsters")
	case out(c):
		return refuse("OUT", cite.EncounterReactionRoll, "%s is out of the fight", c.Name)
	}
	return nil
}

func doReaction(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := reactionRefused(c); err != nil {
		return err
	}
	decided := spoken.Word(take.GetParameters(), "reaction")
	if decided != "" {
		if err := rules.OneOf("take.parameters.reaction", decided, append([]string{unknown}, reactionWords(r.State(), moraleGroup(c))...)); err != nil {
			return err
		}
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Notes: []string{moraleGroup(c)}}, cite.EncounterReactionRoll)
	react(r, moraleGroup(c), decided)
	return nil
}

// sayBehaviour reminds the game master of what monsters do with a free round.
//
// original.surprise.monster-behaviour
func sayBehaviour(r *rules.Resolution, ready []string) {
	if !r.On(setBehaviour) {
		return
	}
	for _, g := range groups(r.State()) {
		if !slices.ContainsFunc(ready, func(id string) bool { return !sheetOf(r.Creature(id)).IsPc && moraleGroup(r.Creature(id)) == g }) {
			continue
		}
		text := g + " close in or attack"
		if intelligentGroup(r.State(), g) {
			text += ", or hold back from prey that is too strong"
		}
		r.Note(event.GM(), "", text, setBehaviour)
	}
}
