package rcr

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// tableActions are deeds of the game master and of people at the table: falls,
// checks and saves called for, inspiration. They belong to no turn.
func tableActions() []*play.Action {
	notDead := func(at *play.At) error { return refuseDead(at.Actor) }
	return []*play.Action{
		{ID: "fall", Title: "Fall", Rule: cite.DamageFallType, Group: play.GroupReferee, Anytime: true, Referee: true, Refuse: notDead,
			Fields: func(at *play.At) []play.Field {
				return offer([]play.Field{{Name: "feet", Required: true}}, at, false, play.Field{Name: "path"})
			}, Do: deed(doFall)},
		{ID: "called-check", Title: "Make a check called for", Rule: fallback, Group: play.GroupReferee, Anytime: true, Referee: true, Most: 1, Self: true, Refuse: notDead,
			Fields: func(at *play.At) []play.Field {
				return kitField(append([]play.Field{skillField(at)}, checkFields(at, true)...), at, "")
			},
			Check: checkCalled, Do: doCalledCheck},
		{ID: "called-save", Title: "Make a saving throw called for", Rule: fallback, Group: play.GroupReferee, Anytime: true, Referee: true, Most: 1, Self: true, Refuse: notDead,
			Fields: func(at *play.At) []play.Field {
				return inspirationField([]play.Field{{Name: "ability", Required: true}, {Name: "dc", Required: true}, {Name: "against"}}, at)
			},
			Check: func(at *play.At) error { return refuseInspired(at.Actor, at.Take) }, Do: deed(doCalledSave)},
		{ID: "grant-inspiration", Title: "Grant inspiration", Rule: cite.BaseInspirationHeld, Group: play.GroupReferee, Anytime: true, Referee: true,
			Refuse: notDead, Do: deed(doGrant)},
		{ID: "spend-inspiration", Title: "Spend inspiration", Rule: cite.BaseInspirationHeld, Group: play.GroupOther, Anytime: true,
			Items: inspirationItems, Names: inspirationTitle, Refuse: refuseSpending,
			Fields: func(at *play.At) []play.Field { return offer(nil, at, at.Item() == "", play.Field{Name: "for"}) }, Do: deed(doInspiration)},
	}
}

// doFall is the game master's word that a creature falls, whoever's turn it is.
func doFall(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	feet, _ := spoken.Number(take.Parameters, "feet")
	if c.Position != nil && len(take.Path) > 0 {
		to := take.Path[len(take.Path)-1]
		r.Move(&eventv1.Moved{Creature: c.Id, To: to, Mode: "fall", Feet: feet})
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "fall", Notes: []string{itoa(feet) + " feet"}})
	fall(r, c.Id, feet, woundFacts(take))
	endDistantGrapples(r, c.Id)
	return nil
}

// skillSaid is the skill, tool or ability that a command names.
func skillSaid(take *eventv1.TakeAction) string {
	return strings.ToLower(spoken.Word(take.Parameters, "skill"))
}

// refuseSkill says that a creature has no such skill, tool or ability.
func refuseSkill(c *eventv1.Creature, skill string) error {
	if plainSkill(skill) || slices.Contains(toolNames(c), skill) {
		return nil
	}
	return noSuch("take.parameters.skill", skill, "skill, tool or ability", skillNames(c))
}

func checkCalled(at *play.At) error {
	skill := skillSaid(at.Take)
	return firstError(refuseSkill(at.Actor, skill), refuseKitFor(at.Actor, at.Take, skill), refuseInspired(at.Actor, at.Take))
}

// doCalledCheck makes a check that the game master calls for, on whosever turn.
// It costs nothing.
func doCalledCheck(r *rules.Resolution, at *play.At) error {
	c, take, skill := r.Creature(at.Actor.Id), at.Take, skillSaid(at.Take)
	dc, purpose, o := readCheck(take)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "called-check", Item: skill, Notes: statedNotes(take)})
	expendKit(r, c.Id, take)
	rollCheck(r, "check/"+skill, c, skill, dc, purpose, o)
	return nil
}

// doCalledSave makes a saving throw that the game master calls for. What it is
// against may matter to some rule; the target is whose effect it is.
//
// rcr.condition.crouching-checks, rcr.condition.deafened-concentration
func doCalledSave(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	ability, against := spoken.Word(take.Parameters, "ability"), spoken.Word(take.Parameters, "against")
	dc, _, o := readCheck(take)
	if o.inspiration {
		r.Mark(c.Id, mInspired, forSave, cite.BaseInspirationHeld)
	}
	var source *eventv1.Creature
	if len(take.Targets) == 1 {
		source = r.Creature(take.Targets[0])
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "called-save", Item: ability, Notes: statedNotes(take)})
	cover := spoken.Word(take.Facts, "cover")
	rollSave(r, "save/"+c.Id, r.Creature(c.Id), ability, dc, against, source,
		saveOpts{edges: o.edges, kinds: o.kinds, modifiers: append(o.modifiers, coverMods(r.State(), c, ability, cover)...)})
	return nil
}

// doGrant gives inspiration; whoever has it has still one.
//
// rcr.base.inspiration-held
func doGrant(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "grant-inspiration"})
	r.Set(c.Id, cInspiration, 1, "granted", cite.BaseInspirationHeld)
	return nil
}

// inspirationItems are what inspiration can be spent on besides a roll to come: what
// it can refill.
func inspirationItems(at *play.At) []string {
	if !at.Listing {
		return []string{"", at.Item()} // what it refills is refused by the rule
	}
	if refuseInspiration(at.Actor) != nil {
		return nil
	}
	out := []string{""}
	if defaults.On(at.State, cite.DiceInspirationResource) {
		names, _ := refillable(at.Actor)
		out = append(out, names...)
	}
	return out
}

func inspirationTitle(at *play.At) string {
	if at.Item() == "" {
		return "Spend inspiration for advantage on a roll to come"
	}
	return "Spend inspiration to refill " + at.Item()
}

// refuseSpending says why inspiration cannot be spent on a resource, or set on a
// roll.
//
// rcr.dice.inspiration-resource, rcr.base.inspiration-held
func refuseSpending(at *play.At) error {
	const rule = cite.DiceInspirationResource
	names, _ := refillable(at.Actor)
	switch err := refuseInspiration(at.Actor); {
	case err != nil:
		return err
	case at.Item() == "" && at.Actor.Marks[mInspired] != "":
		return refuse("INSPIRED", cite.BaseInspirationHeld, "it is set on the next roll already")
	case at.Item() == "":
		return nil
	case !defaults.On(at.State, rule):
		return refuse("RULE_OFF", rule, "this table does not refill resources with inspiration")
	case !slices.Contains(names, at.Item()):
		return refuse("NOT_SHORT_REST", rule, "%s is nothing that a short rest would refill now", at.Item())
	}
	return nil
}

// doInspiration spends inspiration: on a resource that recharges on a short
// rest, which is refilled as by one (a reading: it costs no action), or else on
// advantage on a roll to come.
//
// rcr.dice.inspiration-resource, rcr.base.inspiration-held
func doInspiration(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.DiceInspirationResource
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "spend-inspiration", Item: take.Item})
	if take.Item == "" {
		on := spoken.Word(take.Parameters, "for")
		if on == "" {
			on = anyRoll
		}
		r.Mark(c.Id, mInspired, on, cite.BaseInspirationHeld)
		return nil
	}
	_, full := refillable(c)
	r.Set(c.Id, cInspiration, 0, "refills "+take.Item, rule)
	r.Set(c.Id, cLeft+take.Item, full[take.Item], "inspiration", rule)
	return nil
}

// refuseKitFor says why a Medicine check cannot be made with a healer's kit, of
// which it takes one use, made or failed.
//
// rcr.healing.kit-use-expended
func refuseKitFor(c *eventv1.Creature, take *eventv1.TakeAction, skill string) error {
	switch {
	case !spoken.Truth(take.Parameters, "kit"):
		return nil
	case skill != "medicine":
		return fault.Field("take.parameters.kit", "a healer's kit goes with Medicine checks, not with %s", skill)
	case c.Counters[cKit] < 1:
		return refuse("NO_KIT", cite.HealingKitUseExpended, "%s has no use of a healer's kit left", c.Name)
	}
	return nil
}
