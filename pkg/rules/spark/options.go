package spark

import (
	"slices"
	"strings"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Options lists what a creature may declare or do now, and why not the rest.
func (System) Options(q rules.Query) []*eventv1.Option {
	s, c := q.State, q.State.GetCreatures()[q.Creature]
	if c == nil {
		return nil
	}
	var all []*eventv1.Option
	add := func(o *eventv1.Option, action, title, rule string, err error) {
		o.Creature, o.Action, o.Title, o.Rule, o.Legal = c.Id, action, title, rule, err == nil
		if err != nil {
			o.Reason = err.Error()
			if f, ok := fault.As(err); ok {
				o.Reason, o.Rule = f.Message, f.Rule
			}
		}
		all = append(all, o)
	}
	thing := &eventv1.Parameter{Name: "object", Type: "string", Required: true, Text: "What is bashed, by its name"}
	weaponRules := map[string]string{kindAttack: cite.ActionAttack, kindCharge: cite.ActionCharge, kindBullRush: cite.ActionBullRush}
	for _, kind := range []string{kindAttack, kindCharge, kindBullRush} {
		for _, w := range sheetOf(c).Weapons {
			if kind != kindAttack && w.ReachFeet == 0 {
				continue
			}
			may := refuseKind(s, c, kind, w.Name, false)
			add(attackOption(s, c, kind, w, false, false), kind, titles[kind], weaponRules[kind], may)
			if kind != kindAttack {
				continue
			}
			if standsApart(s, c, w, false) {
				add(attackOption(s, c, kind, w, false, true), kind, "Stand up and attack", ruleProne, may)
			}
			if w.ReachFeet > 0 && w.RangeFeet > 0 {
				may = refuseKind(s, c, kind, w.Name, true)
				add(attackOption(s, c, kind, w, true, false), kind, "Throw", cite.ActionAttack, may)
				if standsApart(s, c, w, true) {
					add(attackOption(s, c, kind, w, true, true), kind, "Stand up and throw", ruleProne, may)
				}
			}
		}
	}
	for _, sp := range sheetOf(c).Spells {
		add(castOption(s, c, sp), kindCast, titles[kindCast], cite.ActionSpellFillsRound, refuseKind(s, c, kindCast, sp.Name, false))
	}
	// both lists a deed that is no attack, and the same beside an off-hand attack.
	both := func(kind, item, title, rule string, parameters func() []*eventv1.Parameter) {
		costs := map[string]int32{}
		if takesAttack(kind) {
			costs[cPackage] = 1
		}
		may := refuseKind(s, c, kind, item, false)
		add(withBonus(s, c, &eventv1.Option{Item: item, Parameters: parameters(), Costs: costs}, kind, "", ""), kind, title, rule, may)
		if o := offHandOption(s, c, &eventv1.Option{Item: item, Parameters: parameters(), Costs: costs}, kind); o != nil {
			add(o, kind, title+", and attack with the off hand", rule, may)
		}
	}
	moving := func() []*eventv1.Parameter { return append(standing(s, c), ways(c, "The way, up to the speed")...) }
	both(kindMove, "", titles[kindMove], cite.ActionMove, func() []*eventv1.Parameter { return append(moving(), held()) })
	both(kindDeed, "", titles[kindDeed], cite.InitiativeOtherDeeds, func() []*eventv1.Parameter { return deedParameters(s, c) })
	both(kindBash, "", titles[kindBash], cite.ItemHardnessCheck, func() []*eventv1.Parameter {
		return append(moving(), thing, choice("material", "What it is made of", true, rules.SortedKeys(book.hardness)...),
			&eventv1.Parameter{Name: "enchantment", Type: "number", Text: "Pluses of an enchantment"})
	})
	both(kindBash, "", "Bash a thing of a given DC", cite.ItemHardnessCheck, func() []*eventv1.Parameter {
		return append(moving(), thing, &eventv1.Parameter{Name: "dc", Type: "number", Required: true, Text: "The DC to break it, whatever it is made of"})
	})
	for _, w := range sheetOf(c).Weapons {
		switch {
		case c.Marks[mString+w.Name] == snapped:
			add(&eventv1.Option{Item: w.Name}, kindRestring, titles[kindRestring], stringRule(s), refuseKind(s, c, kindRestring, w.Name, false))
		case c.Marks[mString+w.Name] == loose:
			add(&eventv1.Option{Item: w.Name}, kindRefit, titles[kindRefit], cite.FumbleAltLooseString, refuseKind(s, c, kindRefit, w.Name, false))
		}
		if c.Counters[cSpilled+w.Name] > 0 {
			both(kindGather, w.Name, titles[kindGather], cite.FumbleAltAmmoAccident, moving)
		}
	}
	text := &eventv1.Parameter{Name: "text", Type: "string", Text: "What it is; for words, at most four"}
	add(&eventv1.Option{Parameters: []*eventv1.Parameter{text}, Costs: map[string]int32{cFree: 1}}, actFree, "Free action", cite.ActionFree, refuseFree(s, c))
	add(&eventv1.Option{Parameters: []*eventv1.Parameter{text}, Costs: map[string]int32{cFree: 1}}, actSpeak, "Say three or four words", cite.ActionSpeak, refuseFree(s, c))
	if c.Marks[mConcentration] != "" {
		add(&eventv1.Option{Item: c.Marks[mConcentration]}, actDrop, "Give up concentration", cite.ReactionConcentrationBars, refuseDrop(s, c))
	}
	add(&eventv1.Option{}, "end-turn", "Pass", cite.TurnTwoHalves, mayDeclare(s, c))
	return all
}

var titles = map[string]string{kindAttack: "Attack", kindCharge: "Charge", kindBullRush: "Charge with a bull rush", kindCast: "Cast a spell",
	kindMove: "Move", kindDeed: "Do something else", kindRestring: "Fit a new string", kindRefit: "Put the loose string back",
	kindGather: "Gather spilled missiles", kindBash: "Bash a thing"}

// attackOption is a way to attack with a weapon: in melee, or for what has no
// reach by a shot; thrown where it can also be used in melee; or rising first.
//
// spark.action.attack, spark.action.no-full-attack-with-full-move
func attackOption(s *eventv1.State, c *eventv1.Creature, kind string, w *eventv1.SparkWeapon, thrown, rising bool) *eventv1.Option {
	o := &eventv1.Option{Item: w.Name, Targets: targets(s, c, false), MinimumTargets: 1, MaximumTargets: int32(attacksOf(c)),
		Costs: map[string]int32{cPackage: 1}}
	if kind != kindAttack || c.Marks[mWeapon+w.Name] == cracked || rising && !mayRunAndStrike(c) {
		o.MaximumTargets = 1
	}
	ranged := thrown || w.ReachFeet == 0
	if ranged && w.Missiles != nil {
		o.MaximumTargets = min(o.MaximumTargets, max(1, int32(c.Counters[cMissiles+w.Name])))
	}
	moves := ways(c, "The way; more than 5 ft leave a single attack")
	moves[0].Required = kind != kindAttack
	if !rising { // standing up takes the move
		o.Parameters = append(o.Parameters, moves...)
	}
	attackParameters(c, o, w)
	must := func(name, text string) {
		o.Parameters = append(o.Parameters, &eventv1.Parameter{Name: name, Type: "boolean", Required: true, Text: text,
			Values: []*structpb.Value{structpb.NewBoolValue(true)}})
	}
	if thrown {
		must("ranged", "It is thrown")
	}
	switch {
	case rising:
		must("stand", "Stand up with the move action")
	case kind == kindAttack && o.MaximumTargets == 1:
		o.Parameters = append(o.Parameters, standing(s, c)...)
	}
	return withBonus(s, c, o, kind, w.Name, needed(c, w, ranged))
}

// standsApart tells whether standing up is an option of its own, because it
// leaves fewer attacks than staying down.
//
// spark.condition.prone, spark.action.no-full-attack-with-full-move
func standsApart(s *eventv1.State, c *eventv1.Creature, w *eventv1.SparkWeapon, thrown bool) bool {
	need := needed(c, w, thrown || w.ReachFeet == 0)
	return prone(s, c) && attackOption(s, c, kindAttack, w, thrown, false).MaximumTargets > 1 && !(need != "" && staysDown(s, kindAttack, need))
}

// staysDown tells whether a bonus action leaves no standing up beside a deed.
//
// spark.action.bonus, spark.fumble.alt-ammo-accident
func staysDown(s *eventv1.State, kind, bonus string) bool {
	return strings.HasPrefix(bonus, "gather:") || takesAttack(kind) && defaults.Value(s, setBonusWithBoth) == "deny"
}

// attackParameters adds what may or must be said with an attack.
func attackParameters(c *eventv1.Creature, o *eventv1.Option, w *eventv1.SparkWeapon) {
	if c.Marks[mWeapon+w.Name] == cracked {
		o.Parameters = append(o.Parameters, &eventv1.Parameter{Name: "use_cracked", Type: "boolean", Required: true,
			Values: []*structpb.Value{structpb.NewBoolValue(true)}, Text: "The weapon is cracked: using it breaks it for good"})
	}
	if len(w.FumbleClasses) > 1 {
		o.Parameters = append(o.Parameters, choice("classes", "Kind of damage: one for all attacks, or a list with one for each", false, w.FumbleClasses...))
	}
	if sheetOf(c).SneakAttack != "" {
		o.Parameters = append(o.Parameters, &eventv1.Parameter{Name: "sneak", Type: "boolean", Text: "The sneak attack dice count, as the game master allows"})
	}
}

// ways are the path of a move, and for one without a place its length.
func ways(c *eventv1.Creature, text string) []*eventv1.Parameter {
	list := []*eventv1.Parameter{{Name: "path", Type: rules.TypePath, Text: text}}
	if c.Position == nil {
		list = append(list, &eventv1.Parameter{Name: "feet", Type: rules.TypeNumber, Text: "How far, for one without a place", Maximum: speedOf(c)})
	}
	return list
}

func held() *eventv1.Parameter {
	return &eventv1.Parameter{Name: "held", Type: "boolean", Text: "The move is contested: it waits for its place in the order"}
}

// needed is the kind of bonus action, with its colon, without which a weapon
// cannot be used now, at a distance or in melee; empty when it is ready.
func needed(c *eventv1.Creature, w *eventv1.SparkWeapon, ranged bool) string {
	place := c.Items[w.GetName()].GetPlace()
	switch {
	case place == "stowed":
		return "draw:"
	case place == "dropped":
		return "pick-up:"
	case c.Marks[mStuck+w.Name] != "":
		return "free:"
	case ranged && w.Missiles != nil && c.Counters[cMissiles+w.Name] < 1 && c.Counters[cSpilled+w.Name] > 0:
		return "gather:"
	}
	return ""
}

// withBonus adds the bonus actions to be had beside an option. A weapon that is
// not ready needs the one that makes it so. An off-hand attack aims at the first
// target of an attack; beside other deeds it is an option of its own.
func withBonus(s *eventv1.State, c *eventv1.Creature, o *eventv1.Option, kind, weapon, need string) *eventv1.Option {
	if need != "" {
		o.Parameters = append(o.Parameters, choice("bonus", "Bonus action", true, need+weapon))
		if staysDown(s, kind, need) {
			o.Parameters = less(o.Parameters, "stand")
		}
		return o
	}
	needs := func(name string) bool {
		return slices.ContainsFunc(o.Parameters, func(p *eventv1.Parameter) bool { return p.Name == name && p.Required })
	}
	names := slices.DeleteFunc(extras(s, c, weapon), func(n string) bool {
		return needs("path") && strings.HasPrefix(n, "gather:") || needs("stand") && staysDown(s, kind, n) || offHand(n) && !attacks(kind)
	})
	if len(names) == 0 {
		return o
	}
	o.Parameters = append(o.Parameters, choice("bonus", "Bonus action", false, names...),
		creature("bonus_target", "Target of the bonus action", false, targets(s, c, slices.ContainsFunc(names, func(n string) bool { return !offHand(n) }))...))
	o.Parameters = append(o.Parameters, bonusMore(c, names)...)
	return o
}

func offHand(bonus string) bool { return strings.HasPrefix(bonus, "off-hand:") }

// offHandOption is an option beside an off-hand attack, whose target must be
// named; nil when there is no such attack.
//
// spark.action.off-hand-attack
func offHandOption(s *eventv1.State, c *eventv1.Creature, o *eventv1.Option, kind string) *eventv1.Option {
	names := slices.DeleteFunc(extras(s, c, ""), func(n string) bool { return !offHand(n) })
	if len(names) == 0 {
		return nil
	}
	o.Parameters = append(o.Parameters, choice("bonus", "Bonus action", true, names...),
		creature("bonus_target", "Target of the off-hand attack", true, targets(s, c, false)...))
	o.Parameters = append(o.Parameters, bonusMore(c, names)...)
	if staysDown(s, kind, names[0]) {
		o.Parameters = less(o.Parameters, "stand")
	}
	return o
}

// bonusMore is what else may be said of bonus actions.
func bonusMore(c *eventv1.Creature, names []string) []*eventv1.Parameter {
	more := []*eventv1.Parameter{{Name: "bonus_first", Type: "boolean", Text: "Before the main deed instead of after it"}}
	for _, w := range sheetOf(c).Weapons {
		if len(w.FumbleClasses) > 1 && slices.Contains(names, "off-hand:"+w.Name) {
			more = append(more, choice("bonus_class", "Kind of damage of the off-hand attack with "+w.Name, false, w.FumbleClasses...))
		}
	}
	return more
}

// less leaves a parameter out.
func less(parameters []*eventv1.Parameter, name string) []*eventv1.Parameter {
	return slices.DeleteFunc(parameters, func(p *eventv1.Parameter) bool { return p.Name == name })
}

func castOption(s *eventv1.State, c *eventv1.Creature, sp *eventv1.SparkSpell) *eventv1.Option {
	o := &eventv1.Option{Item: sp.Name, MaximumTargets: max(1, sp.Targets), Costs: map[string]int32{cPackage: 1, cMana: sp.ManaCost}}
	if sp.Delivery != "other" {
		o.MinimumTargets = 1
	}
	for _, id := range rules.SortedKeys(s.Creatures) {
		if sp.Healing != "" || !out(s.Creatures[id]) {
			o.Targets = append(o.Targets, id)
		}
	}
	return o
}

func standing(s *eventv1.State, c *eventv1.Creature) []*eventv1.Parameter {
	if !prone(s, c) {
		return nil
	}
	return []*eventv1.Parameter{{Name: "stand", Type: "boolean", Text: "Stand up with the move action"}}
}

func deedParameters(s *eventv1.State, c *eventv1.Creature) []*eventv1.Parameter {
	list := append(standing(s, c), &eventv1.Parameter{Name: "text", Type: "string", Required: true, Text: "What is done"},
		creature("rival", "Whose deed this one races", false, targets(s, c, false)...),
		choice("strength_check", "Muscles of a Strength check that it calls for", false, "upper", "lower"),
		&eventv1.Parameter{Name: "dc", Type: "number", Text: "DC of the Strength check; 15 when not stated"}, held())
	return append(list, ways(c, "The way, up to the speed")...)
}

// targets lists the creatures that are not out.
func targets(s *eventv1.State, c *eventv1.Creature, self bool) []string {
	return slices.DeleteFunc(living(s), func(id string) bool { return id == c.Id && !self })
}

// creature makes a parameter that is one of some creatures.
func creature(name, text string, required bool, ids ...string) *eventv1.Parameter {
	p := choice(name, text, required, ids...)
	p.Type = rules.TypeCreature
	return p
}

// choice makes a parameter with a few values.
func choice(name, text string, required bool, values ...string) *eventv1.Parameter {
	p := &eventv1.Parameter{Name: name, Type: "string", Required: required, Text: text}
	for _, v := range values {
		p.Values = append(p.Values, structpb.NewStringValue(v))
	}
	return p
}
