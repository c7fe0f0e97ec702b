package spark

import (
	"slices"
	"strings"

	"google.golang.org/protobuf/types/known/structpb"

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
	for _, kind := range []string{kindAttack, kindCharge, kindBullRush} {
		for _, w := range sheetOf(c).Weapons {
			if kind != kindAttack && w.ReachFeet == 0 {
				continue
			}
			add(attackOption(s, c, kind, w), kind, titles[kind], "spark.action."+kind, refuseKind(s, c, kind, w.Name, false))
			if kind == kindAttack && w.ReachFeet > 0 && w.RangeFeet > 0 {
				add(throwOption(s, c, w), kind, "Throw", "spark.action.attack", refuseKind(s, c, kind, w.Name, true))
			}
		}
	}
	for _, sp := range sheetOf(c).Spells {
		add(castOption(s, c, sp), kindCast, titles[kindCast], "spark.action.spell-fills-round", refuseKind(s, c, kindCast, sp.Name, false))
	}
	add(withBonus(s, c, &eventv1.Option{Parameters: append(standing(s, c), way("The way, up to the speed"), held())}, ""),
		kindMove, titles[kindMove], "spark.action.move", refuseKind(s, c, kindMove, "", false))
	add(withBonus(s, c, &eventv1.Option{Parameters: deedParameters(s, c)}, ""), kindDeed, titles[kindDeed], "spark.initiative.other-deeds",
		refuseKind(s, c, kindDeed, "", false))
	add(withBonus(s, c, &eventv1.Option{Parameters: bashParameters(s, c), Costs: map[string]int32{cPackage: 1}}, ""), kindBash, titles[kindBash],
		"spark.item.hardness-check", refuseKind(s, c, kindBash, "", false))
	for _, w := range sheetOf(c).Weapons {
		switch {
		case c.Marks[mString+w.Name] == snapped:
			add(&eventv1.Option{Item: w.Name}, kindRestring, titles[kindRestring], stringRule(s), refuseKind(s, c, kindRestring, w.Name, false))
		case c.Marks[mString+w.Name] == loose:
			add(&eventv1.Option{Item: w.Name}, kindRefit, titles[kindRefit], "spark.fumble.alt-loose-string", refuseKind(s, c, kindRefit, w.Name, false))
		}
		if c.Counters[cSpilled+w.Name] > 0 {
			o := &eventv1.Option{Item: w.Name, Parameters: append(standing(s, c), way("The way, up to the speed"))}
			add(withBonus(s, c, o, ""), kindGather, titles[kindGather], "spark.fumble.alt-ammo-accident", refuseKind(s, c, kindGather, w.Name, false))
		}
	}
	text := &eventv1.Parameter{Name: "text", Type: "string", Text: "What it is; for words, at most four"}
	add(&eventv1.Option{Parameters: []*eventv1.Parameter{text}, Costs: map[string]int32{cFree: 1}}, actFree, "Free action", "spark.action.free", refuseFree(s, c))
	add(&eventv1.Option{Parameters: []*eventv1.Parameter{text}, Costs: map[string]int32{cFree: 1}}, actSpeak, "Say three or four words", "spark.action.speak", refuseFree(s, c))
	if c.Marks[mConcentration] != "" {
		add(&eventv1.Option{Item: c.Marks[mConcentration]}, actDrop, "Give up concentration", "spark.reaction.concentration-bars", refuseDrop(s, c))
	}
	add(&eventv1.Option{}, "end-turn", "Pass", "spark.turn.two-halves", mayDeclare(s, c))
	return all
}

var titles = map[string]string{kindAttack: "Attack", kindCharge: "Charge", kindBullRush: "Charge with a bull rush", kindCast: "Cast a spell",
	kindMove: "Move", kindDeed: "Do something else", kindRestring: "Fit a new string", kindRefit: "Put the loose string back",
	kindGather: "Gather spilled missiles", kindBash: "Bash a thing"}

// attackOption is a way to attack with a weapon: in melee, or for what has no
// reach by a shot.
func attackOption(s *eventv1.State, c *eventv1.Creature, kind string, w *eventv1.SparkWeapon) *eventv1.Option {
	o := &eventv1.Option{Item: w.Name, Targets: targets(s, c, false), MinimumTargets: 1, MaximumTargets: int32(attacksOf(c)),
		Costs: map[string]int32{cPackage: 1}}
	if kind != kindAttack || c.Marks[mWeapon+w.Name] == cracked {
		o.MaximumTargets = 1
	}
	if w.ReachFeet == 0 && w.Missiles != nil {
		o.MaximumTargets = min(o.MaximumTargets, max(1, int32(c.Counters[cMissiles+w.Name])))
	}
	path := way("The way; more than 5 ft leave a single attack")
	path.Required = kind != kindAttack
	o.Parameters = append(o.Parameters, path)
	return withBonus(s, c, attackParameters(s, c, o, kind, w), w.Name)
}

// throwOption is a way to throw a weapon that can also be used in melee.
func throwOption(s *eventv1.State, c *eventv1.Creature, w *eventv1.SparkWeapon) *eventv1.Option {
	o := attackOption(s, c, kindAttack, w)
	if w.Missiles != nil {
		o.MaximumTargets = min(o.MaximumTargets, max(1, int32(c.Counters[cMissiles+w.Name])))
	}
	o.Parameters = append(o.Parameters, &eventv1.Parameter{Name: "ranged", Type: "boolean", Required: true, Text: "It is thrown",
		Values: []*structpb.Value{structpb.NewBoolValue(true)}})
	return o
}

// attackParameters adds what may or must be said with an attack.
func attackParameters(s *eventv1.State, c *eventv1.Creature, o *eventv1.Option, kind string, w *eventv1.SparkWeapon) *eventv1.Option {
	if c.Marks[mWeapon+w.Name] == cracked {
		o.Parameters = append(o.Parameters, &eventv1.Parameter{Name: "use_cracked", Type: "boolean", Required: true,
			Values: []*structpb.Value{structpb.NewBoolValue(true)}, Text: "The weapon is cracked: using it breaks it for good"})
	}
	if len(w.FumbleClasses) > 1 {
		o.Parameters = append(o.Parameters, choice("classes", "Kind of damage, one for each attack", false, w.FumbleClasses...))
	}
	if sheetOf(c).SneakAttack != "" {
		o.Parameters = append(o.Parameters, &eventv1.Parameter{Name: "sneak", Type: "boolean", Text: "The sneak attack dice count, as the game master allows"})
	}
	if kind == kindAttack {
		o.Parameters = append(o.Parameters, standing(s, c)...)
	}
	return o
}

func way(text string) *eventv1.Parameter {
	return &eventv1.Parameter{Name: "path", Type: "path", Text: text}
}

func held() *eventv1.Parameter {
	return &eventv1.Parameter{Name: "held", Type: "boolean", Text: "The move is contested: it waits for its place in the order"}
}

// bashParameters say what is to be broken.
func bashParameters(s *eventv1.State, c *eventv1.Creature) []*eventv1.Parameter {
	return append(standing(s, c), &eventv1.Parameter{Name: "object", Type: "string", Required: true, Text: "What is bashed, by its name"},
		choice("material", "What it is made of; needed unless a dc is stated", false, rules.SortedKeys(book.hardness)...),
		&eventv1.Parameter{Name: "enchantment", Type: "number", Text: "Pluses of an enchantment"},
		&eventv1.Parameter{Name: "dc", Type: "number", Text: "The DC to break it, in place of the material's"}, way("The way, up to the speed"))
}

// needed is the bonus action without which a weapon cannot be used now; empty
// when it is ready.
func needed(c *eventv1.Creature, w *eventv1.SparkWeapon) string {
	place := c.Items[w.GetName()].GetPlace()
	switch {
	case w == nil:
		return ""
	case place == "stowed":
		return "draw:"
	case place == "dropped":
		return "pick-up:"
	case c.Marks[mStuck+w.Name] != "":
		return "free:"
	case w.ReachFeet == 0 && w.Missiles != nil && c.Counters[cMissiles+w.Name] < 1 && c.Counters[cSpilled+w.Name] > 0:
		return "gather:"
	}
	return ""
}

// withBonus adds the bonus actions to be had beside an option. A weapon that is
// not ready needs the one that makes it so.
func withBonus(s *eventv1.State, c *eventv1.Creature, o *eventv1.Option, weapon string) *eventv1.Option {
	if need := needed(c, weaponOf(c, weapon)); need != "" {
		o.Parameters = append(o.Parameters, choice("bonus", "Bonus action", true, need+weapon))
		return o
	}
	names := extras(s, c, weapon)
	if slices.ContainsFunc(o.Parameters, func(p *eventv1.Parameter) bool { return p.Name == "path" && p.Required }) {
		// Whoever must move cannot stand still and gather.
		names = slices.DeleteFunc(names, func(n string) bool { return strings.HasPrefix(n, "gather:") })
	}
	if len(names) == 0 {
		return o
	}
	o.Parameters = append(o.Parameters, choice("bonus", "Bonus action", false, names...),
		choice("bonus_target", "Target of the bonus action", false, targets(s, c, slices.ContainsFunc(names, func(n string) bool { return !strings.HasPrefix(n, "off-hand:") }))...),
		&eventv1.Parameter{Name: "bonus_first", Type: "boolean", Text: "Before the main deed instead of after it"})
	for _, w := range sheetOf(c).Weapons {
		if len(w.FumbleClasses) > 1 && slices.Contains(names, "off-hand:"+w.Name) {
			o.Parameters = append(o.Parameters, choice("bonus_class", "Kind of damage of the off-hand attack with "+w.Name, false, w.FumbleClasses...))
		}
	}
	return o
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
	return append(standing(s, c), &eventv1.Parameter{Name: "text", Type: "string", Required: true, Text: "What is done"},
		choice("rival", "Whose deed this one races", false, targets(s, c, false)...),
		choice("strength_check", "Muscles of a Strength check that it calls for", false, "upper", "lower"),
		&eventv1.Parameter{Name: "dc", Type: "number", Text: "DC of the Strength check; 15 when not stated"}, way("The way, up to the speed"), held())
}

// targets lists the creatures that are not out.
func targets(s *eventv1.State, c *eventv1.Creature, self bool) []string {
	return slices.DeleteFunc(living(s), func(id string) bool { return id == c.Id && !self })
}

// choice makes a parameter with a few values.
func choice(name, text string, required bool, values ...string) *eventv1.Parameter {
	p := &eventv1.Parameter{Name: name, Type: "string", Required: required, Text: text}
	for _, v := range values {
		p.Values = append(p.Values, structpb.NewStringValue(v))
	}
	return p
}
