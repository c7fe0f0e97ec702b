package mcp

import (
	"context"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/protobuf/types/known/structpb"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

const (
	// maxOptions is how many options are listed one by one; more are grouped.
	maxOptions = 40
	// maxItems bounds the items that a group names.
	maxItems = 12
	// maxChoices bounds what may be chosen inside one option.
	maxChoices = 25
	// maxSquares bounds the squares of one option.
	maxSquares = 60
)

func (s *service) optionTools(server *sdk.Server) {
	add(s, server, &sdk.Tool{Name: "options", Title: "What a creature may do",
		Description: `List what a creature may do now. Without actions: the legal options in short; many are grouped by action, with how many there are.
With actions (and perhaps item): these alone, with targets, parameters and facts, as execute wants them. illegal lists what may not be done, and why.
Without creature: of every creature that you control. The action "end-turn" is end_turn of execute.`},
		true, call.options)
}

type optionsIn struct {
	Encounter string   `json:"encounter" jsonschema:"encounter id"`
	Creature  string   `json:"creature,omitempty" jsonschema:"creature id; absent means every creature that you control"`
	Actions   []string `json:"actions,omitempty" jsonschema:"only these actions, with everything that execute may be told"`
	Groups    []string `json:"groups,omitempty" jsonschema:"only these groups: attack, move, magic, maneuver, defend, aid, item, mount, wait, other, turn"`
	Item      string   `json:"item,omitempty" jsonschema:"only options with this in the item: part of the name of a weapon or spell"`
	Skip      int      `json:"skip,omitempty" jsonschema:"leave out so many options, which were listed before"`
	Illegal   bool     `json:"illegal,omitempty" jsonschema:"list what may not be done, with reasons, in place of what may"`
	Squares   bool     `json:"squares,omitempty" jsonschema:"with actions: also the squares that a move can end at"`
}

type optionsOut struct {
	head
	Options []option `json:"options,omitempty" jsonschema:"options, one by one"`
	Groups  []group  `json:"groups,omitempty" jsonschema:"in place of options, where they are many: ask again with actions"`
	More    int      `json:"more,omitempty" jsonschema:"options that are not listed: ask again with skip, actions or item"`
	Cursor  string   `json:"cursor,omitempty" jsonschema:"your cursor, for expected_cursor"`
}

type group struct {
	Creature string   `json:"creature" jsonschema:"creature"`
	Group    string   `json:"group,omitempty" jsonschema:"heading"`
	Action   string   `json:"action" jsonschema:"action, for actions of options and for execute"`
	Count    int      `json:"count" jsonschema:"options of the action"`
	Items    []string `json:"items,omitempty" jsonschema:"some of their items"`
}

type option struct {
	Creature   string           `json:"creature" jsonschema:"creature"`
	Action     string           `json:"action" jsonschema:"action, for execute"`
	Title      string           `json:"title,omitempty" jsonschema:"words"`
	Item       string           `json:"item,omitempty" jsonschema:"weapon, spell, item or power, for execute"`
	Group      string           `json:"group,omitempty" jsonschema:"heading"`
	Costs      map[string]int32 `json:"costs,omitempty" jsonschema:"what it costs, by counter"`
	Targets    []string         `json:"targets,omitempty" jsonschema:"creatures that may be named as targets"`
	Fewest     int32            `json:"minimum_targets,omitempty" jsonschema:"fewest targets"`
	Most       int32            `json:"maximum_targets,omitempty" jsonschema:"most targets"`
	Parameters []parameter      `json:"parameters,omitempty" jsonschema:"parameters that may or must be given"`
	Facts      []parameter      `json:"facts,omitempty" jsonschema:"facts that may be stated"`
	Choices    []inner          `json:"choices,omitempty" jsonschema:"what may be chosen inside: the action chosen goes into the parameter action, all else of it as if it were taken now"`
	More       int              `json:"more_choices,omitempty" jsonschema:"choices that are not listed: ask again with item"`
	Provokes   []string         `json:"provokes,omitempty" jsonschema:"creatures that it would provoke"`
	Squares    []square         `json:"squares,omitempty" jsonschema:"points that a move can end at"`
	Reason     string           `json:"reason,omitempty" jsonschema:"why it may not be done"`
	Rule       string           `json:"rule,omitempty" jsonschema:"rule id"`
}

type inner struct {
	Action     string      `json:"action" jsonschema:"action"`
	Item       string      `json:"item,omitempty" jsonschema:"item"`
	Targets    []string    `json:"targets,omitempty" jsonschema:"targets that may be named"`
	Fewest     int32       `json:"minimum_targets,omitempty" jsonschema:"fewest targets"`
	Most       int32       `json:"maximum_targets,omitempty" jsonschema:"most targets"`
	Parameters []parameter `json:"parameters,omitempty" jsonschema:"its parameters, beside those of the option"`
}

type square struct {
	X        int32    `json:"x" jsonschema:"feet east"`
	Y        int32    `json:"y" jsonschema:"feet north"`
	Z        int32    `json:"z,omitempty" jsonschema:"feet up"`
	Feet     int32    `json:"feet" jsonschema:"what the way there costs, in feet of movement"`
	Provokes []string `json:"provokes,omitempty" jsonschema:"creatures that the way there would provoke"`
}

type parameter struct {
	Name     string `json:"name" jsonschema:"name"`
	Type     string `json:"type" jsonschema:"string, strings, number, boolean, path, creature, creatures, object or any; a path goes into path of execute"`
	Required bool   `json:"required,omitempty" jsonschema:"must be given"`
	Values   []any  `json:"values,omitempty" jsonschema:"values allowed, where they are few"`
	More     int    `json:"more_values,omitempty" jsonschema:"values that are not listed"`
	Text     string `json:"text,omitempty" jsonschema:"what it means"`
	Whose    string `json:"whose,omitempty" jsonschema:"actor: the player of the creature says it; world: the game master does"`
	Minimum  int32  `json:"minimum,omitempty" jsonschema:"for numbers: smallest"`
	Maximum  int32  `json:"maximum,omitempty" jsonschema:"for numbers: largest"`
}

func (c call) options(ctx context.Context, in optionsIn, out *optionsOut) (said, error) {
	detailed := len(in.Actions) > 0
	asked, cancel := c.timed(ctx)
	defer cancel()
	resp, err := c.fights.GetOptions(asked, &encounterv1.GetOptionsRequest{As: c.as, Table: c.Table, Encounter: in.Encounter, Creature: in.Creature,
		LegalOnly: !in.Illegal, Actions: in.Actions, Groups: in.Groups, WithoutDetails: !detailed, WithoutSquares: !in.Squares})
	if err != nil {
		return said{}, err
	}
	chosen := wanted(resp.Options, in)
	out.Cursor = resp.Cursor
	total, style := len(chosen), c.style(ctx, in.Encounter)
	style.Rules = false
	chosen = chosen[max(0, min(in.Skip, total)):]
	if len(chosen) > maxOptions && !detailed && in.Item == "" && in.Skip <= 0 && !in.Illegal {
		out.Groups = grouped(chosen)
		return said{fmt.Sprintf("%d options, grouped: ask again with actions", total), groupLines(out.Groups)}, nil
	}
	size, listed := 0, 0
	for _, o := range chosen {
		one := optionOf(o, in)
		if size += sizeOf(one); listed > 0 && (listed == maxOptions || size > 2*maxText) {
			break
		}
		listed++
		out.Options = append(out.Options, one)
	}
	out.More = len(chosen) - listed
	line := fmt.Sprintf("%d options", listed)
	if out.More > 0 {
		line += fmt.Sprintf(", %d more: ask with skip %d", out.More, max(0, in.Skip)+listed)
	}
	return said{line, style.Options(chosen[:listed])}, nil
}

// wanted are the options that were asked for.
func wanted(all []*eventv1.Option, in optionsIn) []*eventv1.Option {
	var out []*eventv1.Option
	part := strings.ToLower(in.Item)
	has := func(o *eventv1.Option) bool { return strings.Contains(strings.ToLower(o.Item), part) }
	for _, o := range all {
		inside := false
		for _, x := range o.Choices {
			inside = inside || has(x)
		}
		if o.Legal != in.Illegal && (part == "" || has(o) || inside) {
			out = append(out, o)
		}
	}
	return out
}

// grouped are options by creature and action, in the order in which they come.
func grouped(options []*eventv1.Option) []group {
	var out []group
	at := map[[2]string]int{}
	for _, o := range options {
		key := [2]string{o.Creature, o.Action}
		i, known := at[key]
		if !known {
			if len(out) == 3*maxList {
				continue
			}
			i = len(out)
			at[key] = i
			out = append(out, group{Creature: o.Creature, Group: o.Group, Action: o.Action})
		}
		out[i].Count++
		if o.Item != "" && len(out[i].Items) < maxItems {
			out[i].Items = append(out[i].Items, words(o.Item))
		}
	}
	return out
}

func groupLines(groups []group) string {
	var b strings.Builder
	for _, g := range groups {
		fmt.Fprintf(&b, "%s  %s: %s, %d", g.Creature, g.Group, g.Action, g.Count)
		if len(g.Items) > 0 {
			b.WriteString(" (" + strings.Join(g.Items, ", "))
			if g.Count > len(g.Items) {
				b.WriteString(", ...")
			}
			b.WriteString(")")
		}
		b.WriteString("\n")
	}
	return b.String()
}

func optionOf(o *eventv1.Option, in optionsIn) option {
	targets, _ := few(o.Targets, maxCreatures)
	provokes, _ := few(o.Provokes, maxList)
	out := option{Creature: o.Creature, Action: o.Action, Title: words(o.Title), Item: o.Item, Group: o.Group, Costs: o.Costs, Targets: targets,
		Fewest: o.MinimumTargets, Most: o.MaximumTargets, Parameters: parametersOf(o.Parameters), Facts: parametersOf(o.Facts), Provokes: provokes,
		Reason: words(o.Reason), Rule: o.Rule}
	part := strings.ToLower(in.Item)
	for _, x := range o.Choices {
		if !x.Legal && !in.Illegal || !strings.Contains(strings.ToLower(x.Item), part) {
			continue
		}
		if len(out.Choices) == maxChoices {
			out.More++
			continue
		}
		targets, _ := few(x.Targets, maxCreatures)
		out.Choices = append(out.Choices, inner{Action: x.Action, Item: x.Item, Targets: targets, Fewest: x.MinimumTargets, Most: x.MaximumTargets,
			Parameters: parametersOf(x.Parameters)})
	}
	squares, _ := few(o.Squares, maxSquares)
	for _, q := range squares {
		provokes, _ := few(q.Provokes, maxItems)
		out.Squares = append(out.Squares, square{X: q.At.GetX(), Y: q.At.GetY(), Z: q.At.GetZ(), Feet: q.Feet, Provokes: provokes})
	}
	return out
}

func parametersOf(all []*eventv1.Parameter) []parameter {
	var out []parameter
	for _, p := range all {
		one := parameter{Name: p.Name, Type: p.Type, Required: p.Required, Text: words(p.Text), Whose: p.Matter, Minimum: p.Minimum, Maximum: p.Maximum}
		var values []*structpb.Value
		values, one.More = few(p.Values, maxList)
		for _, v := range values {
			one.Values = append(one.Values, v.AsInterface())
		}
		out = append(out, one)
	}
	return out
}
