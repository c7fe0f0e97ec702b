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
			if o := attackOption(s, c, kind, w); o != nil {
				add(o, kind, titles[kind], "spark.action."+kind, refuseKind(s, c, kind, w.Name))
			}
		}
	}
	for _, sp := range sheetOf(c).Spells {
		add(castOption(s, c, sp), kindCast, titles[kindCast], "spark.action.spell-fills-round", refuseKind(s, c, kindCast, sp.Name))
	}
	add(withBonus(s, c, &eventv1.Option{Parameters: append(standing(s, c), &eventv1.Parameter{Name: "path", Type: "path", Text: "The way, up to the speed"})}, ""),
		kindMove, titles[kindMove], "spark.action.move", refuseKind(s, c, kindMove, ""))
	add(withBonus(s, c, &eventv1.Option{Parameters: deedParameters(s, c)}, ""), kindDeed, titles[kindDeed], "spark.initiative.other-deeds",
		refuseKind(s, c, kindDeed, ""))
	for _, w := range sheetOf(c).Weapons {
		if w.Launcher && c.Marks[mString+w.Name] == snapped {
			add(&eventv1.Option{Item: w.Name}, kindRestring, titles[kindRestring], "spark.fumble.string-breaks", refuseKind(s, c, kindRestring, w.Name))
		}
	}
	text := &eventv1.Parameter{Name: "text", Type: "string", Text: "What it is"}
	add(&eventv1.Option{Parameters: []*eventv1.Parameter{text}, Costs: map[string]int32{cFree: 1}}, actFree, "Free action", "spark.action.free", refuseFree(s, c))
	add(&eventv1.Option{Parameters: []*eventv1.Parameter{text}, Costs: map[string]int32{cFree: 1}}, actSpeak, "Say three or four words", "spark.action.speak", refuseFree(s, c))
	if c.Marks[mConcentration] != "" {
		add(&eventv1.Option{Item: c.Marks[mConcentration]}, actDrop, "Give up concentration", "spark.reaction.concentration-bars", refuseDrop(s, c))
	}
	add(&eventv1.Option{}, "end-turn", "Pass", "spark.turn.two-halves", mayDeclare(s, c))
	return all
}

var titles = map[string]string{kindAttack: "Attack", kindCharge: "Charge", kindBullRush: "Charge with a bull rush", kindCast: "Cast a spell",
	kindMove: "Move", kindDeed: "Do something else", kindRestring: "Fit a new string"}

// attackOption is a way to attack with a weapon; nil where the kind has no such way.
func attackOption(s *eventv1.State, c *eventv1.Creature, kind string, w *eventv1.SparkWeapon) *eventv1.Option {
	if kind != kindAttack && w.ReachFeet == 0 {
		return nil
	}
	o := &eventv1.Option{Item: w.Name, Targets: targets(s, c, false), MinimumTargets: 1, MaximumTargets: int32(attacksOf(c)),
		Costs: map[string]int32{cPackage: 1}}
	if kind != kindAttack || c.Marks[mWeapon+w.Name] == cracked {
		o.MaximumTargets = 1
	}
	if w.ReachFeet == 0 && w.Missiles != nil {
		o.MaximumTargets = min(o.MaximumTargets, max(1, int32(c.Counters[cMissiles+w.Name])))
	}
	path := &eventv1.Parameter{Name: "path", Type: "path", Required: kind != kindAttack, Text: "The way; more than 5 ft leave a single attack"}
	o.Parameters = append(o.Parameters, path)
	if c.Marks[mWeapon+w.Name] == cracked {
		o.Parameters = append(o.Parameters, &eventv1.Parameter{Name: "use_cracked", Type: "boolean", Required: true,
			Values: []*structpb.Value{structpb.NewBoolValue(true)}, Text: "The weapon is cracked: using it breaks it for good"})
	}
	if kind == kindAttack && w.ReachFeet > 0 && w.RangeFeet > 0 && (w.Missiles == nil || c.Counters[cMissiles+w.Name] > 0) {
		o.Parameters = append(o.Parameters, &eventv1.Parameter{Name: "ranged", Type: "boolean", Text: "Throw it"})
	}
	if len(w.FumbleClasses) > 1 {
		o.Parameters = append(o.Parameters, choice("classes", "Kind of damage of each attack", false, w.FumbleClasses...))
	}
	if kind == kindAttack {
		o.Parameters = append(o.Parameters, standing(s, c)...)
	}
	return withBonus(s, c, o, w.Name)
}

// withBonus adds the bonus actions to be had beside an option. A weapon that is
// not in hand needs the one that brings it there.
func withBonus(s *eventv1.State, c *eventv1.Creature, o *eventv1.Option, weapon string) *eventv1.Option {
	if need := map[string]string{"stowed": "draw:", "dropped": "pick-up:"}[c.Items[weapon].GetPlace()]; need != "" && weapon != "" {
		o.Parameters = append(o.Parameters, choice("bonus", "Bonus action", true, need+weapon))
		return o
	}
	names := extras(s, c, weapon)
	if len(names) == 0 {
		return o
	}
	o.Parameters = append(o.Parameters, choice("bonus", "Bonus action", false, names...),
		choice("bonus_target", "Target of the bonus action", false, targets(s, c, slices.ContainsFunc(names, func(n string) bool { return !strings.HasPrefix(n, "off-hand:") }))...),
		&eventv1.Parameter{Name: "bonus_first", Type: "boolean", Text: "Before the main deed instead of after it"})
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
		&eventv1.Parameter{Name: "path", Type: "path", Text: "The way, up to the speed"},
		&eventv1.Parameter{Name: "held", Type: "boolean", Text: "The move is contested: it waits for the deed's place in the order"})
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
