package rcr

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// tableActions are deeds of the game master and of people at the table: falls,
// checks and saves called for, inspiration, tasks, group checks. They belong to
// no turn.
func tableActions() []*action {
	return append([]*action{
		{id: "fall", title: "Fall", options: fallOptions, do: doFall, anytime: true},
		{id: "called-check", title: "Make a check called for", options: calledOptions(false), do: doCalledCheck, anytime: true},
		{id: "called-save", title: "Make a saving throw called for", options: calledOptions(true), do: doCalledSave, anytime: true},
		{id: "grant-inspiration", title: "Grant inspiration", options: grantOptions, do: doGrant, anytime: true},
		{id: "spend-inspiration", title: "Spend inspiration", options: inspirationOptions, do: doInspiration, anytime: true},
	}, taskActions()...)
}

func refuseDead(c *eventv1.Creature) error {
	if dead(c) {
		return refuse("DEAD", cite.BaseFifthEditionFallback, "%s is dead", c.Name)
	}
	return nil
}

// savePurposes are what a saving throw may be against that matters to some rule.
//
// rcr.condition.crouching-checks, rcr.condition.deafened-concentration
var savePurposes = []string{"stay-up", "concentration"}

// calledOptions is one option for all skills or abilities: which it is, is the
// game master's call.
func calledOptions(save bool) func(*eventv1.State, *eventv1.Creature) []*eventv1.Option {
	return func(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
		names, key := skillNames(c), "skill"
		if save {
			names, key = abilities, "ability"
		}
		o := option("", refuseDead(c), nil)
		o.Parameters = append([]*eventv1.Parameter{choiceOf(key, "What is rolled", true, names...)}, checkParameters(c, true)...)
		if save {
			o.Targets, o.MaximumTargets = rules.SortedKeys(s.Creatures), 1
			o.Parameters = append(slices.DeleteFunc(o.Parameters, func(p *eventv1.Parameter) bool { return p.Name == "sense" }),
				choiceOf("against", "What it is against; whose effect it is, is the target", false, savePurposes...))
		}
		out := []*eventv1.Option{o}
		if kit := kitParameter(c, "medicine"); !save && len(kit) > 0 {
			with := option("", refuseDead(c), map[string]int32{cKit: 1})
			with.Parameters = append(append([]*eventv1.Parameter{choiceOf(key, "What is rolled", true, "medicine")}, checkParameters(c, true)...), kit...)
			with.Parameters[len(with.Parameters)-1].Required = true
			out = append(out, with)
		}
		return out
	}
}

// doCalledCheck makes a check that the game master calls for, on whosever turn.
// It costs nothing.
func doCalledCheck(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	skill := strings.ToLower(spoken.Word(take.Parameters, "skill"))
	if !slices.Contains(skillNames(c), skill) {
		return noSuch("take.parameters.skill", skill, "skill, tool or ability", skillNames(c))
	}
	if err := refuseDead(c); err != nil {
		return err
	}
	dc, purpose, o, err := readCheck(r, c, take)
	if err != nil {
		return err
	}
	kit, err := kitWanted(c, take, skill)
	if err != nil {
		return err
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "called-check", Item: skill, Notes: statedNotes(take)})
	expendKit(r, c.Id, kit)
	rollCheck(r, "check/"+skill, c, skill, dc, purpose, o)
	return nil
}

// doCalledSave makes a saving throw that the game master calls for.
func doCalledSave(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	ability := spoken.Word(take.Parameters, "ability")
	if ability == "" {
		return fault.Field("take.parameters.ability", "missing")
	}
	if err := refuseDead(c); err != nil {
		return err
	}
	dc, _, o, err := readCheck(r, c, take)
	if err != nil {
		return err
	}
	against := spoken.Word(take.Parameters, "against")
	switch {
	case dc == 0:
		return fault.Field("take.parameters.dc", "missing")
	case len(take.Targets) > 1:
		return fault.Field("take.targets", "at most one: whose effect it is")
	}
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

func grantOptions(_ *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	return []*eventv1.Option{option("", refuseDead(c), nil)}
}

// doGrant gives inspiration; whoever has it has still one.
//
// rcr.base.inspiration-held
func doGrant(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	if err := refuseDead(c); err != nil {
		return err
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "grant-inspiration"})
	r.Set(c.Id, cInspiration, 1, "granted", cite.BaseInspirationHeld)
	return nil
}

// refillable lists what one inspiration can refill: what recharges on a short
// rest and is not full, with its full number.
//
// rcr.dice.inspiration-resource
func refillable(c *eventv1.Creature) (names []string, full map[string]int64) {
	full = map[string]int64{}
	add := func(name string, most int32) {
		if c.Counters[cLeft+name] < int64(most) {
			names, full[name] = append(names, name), int64(most)
		}
	}
	for _, res := range sheetOf(c).Resources {
		if res.Recharge == "short rest" {
			add(res.Name, res.Max)
		}
	}
	use := func(name string, u *eventv1.RcrUsage) {
		if name = usesOf(name, u)[len(cLeft):]; limited(u) && u.Recharge == "short rest" && !slices.Contains(names, name) {
			add(name, max(1, u.Uses))
		}
	}
	for _, p := range sheetOf(c).Powers {
		use(p.Name, p.Usage)
	}
	for _, a := range sheetOf(c).Attacks {
		use(a.Name, a.Usage)
	}
	for _, sp := range sheetOf(c).Spells {
		use(sp.Name, sp.Usage)
	}
	return names, full
}

func refuseInspiration(c *eventv1.Creature) error {
	if err := refuseDead(c); err != nil {
		return err
	}
	if c.Counters[cInspiration] < 1 {
		return refuse("NO_INSPIRATION", cite.BaseInspirationHeld, "%s has no inspiration", c.Name)
	}
	return nil
}

// inspirable are the rolls that inspiration can be set on.
var inspirable = []string{forAttack, forCheck, forSave, forInitiative}

func inspirationOptions(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	err := refuseInspiration(c)
	if err != nil {
		return nil
	}
	if c.Marks[mInspired] != "" {
		err = refuse("INSPIRED", cite.BaseInspirationHeld, "it is set on the next roll already")
	}
	out := []*eventv1.Option{option("", err, nil)}
	out[0].Title = "Spend inspiration for advantage on a roll to come"
	out[0].Parameters = []*eventv1.Parameter{choiceOf("for", "On which roll; the next attack, check or saving throw if not given", false, inspirable...)}
	if !defaults.On(s, cite.DiceInspirationResource) {
		return out
	}
	names, _ := refillable(c)
	for _, name := range names {
		o := option(name, nil, nil)
		o.Title = "Spend inspiration to refill " + name
		out = append(out, o)
	}
	return out
}

// doInspiration spends inspiration: on a resource that recharges on a short
// rest, which is refilled as by one (a reading: it costs no action), or else on
// advantage on a roll to come.
//
// rcr.dice.inspiration-resource, rcr.base.inspiration-held
func doInspiration(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.DiceInspirationResource
	if err := refuseInspiration(c); err != nil {
		return err
	}
	if take.Item == "" {
		if c.Marks[mInspired] != "" {
			return refuse("INSPIRED", cite.BaseInspirationHeld, "it is set on the next roll already")
		}
		on := spoken.Word(take.Parameters, "for")
		r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "spend-inspiration"})
		if on == "" {
			on = "yes"
		}
		r.Mark(c.Id, mInspired, on, cite.BaseInspirationHeld)
		return nil
	}
	names, full := refillable(c)
	switch {
	case !r.On(rule):
		return refuse("RULE_OFF", rule, "this table does not refill resources with inspiration")
	case !slices.Contains(names, take.Item):
		return refuse("NOT_SHORT_REST", rule, "%s is nothing that a short rest would refill now", take.Item)
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "spend-inspiration", Item: take.Item})
	r.Set(c.Id, cInspiration, 0, "refills "+take.Item, rule)
	r.Set(c.Id, cLeft+take.Item, full[take.Item], "inspiration", rule)
	return nil
}
