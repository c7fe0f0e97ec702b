package mcp

import (
	"context"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/render"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	rulesv1 "github.com/skaldrpg/skald/proto/skald/rules/v1"
)

const (
	// maxRule bounds the text of one rule, in bytes.
	maxRule = 8 << 10
	// maxFound bounds the rules that one search gives.
	maxFound = 20
)

func (s *service) ruleTools(server *sdk.Server) {
	add(s, server, &sdk.Tool{Name: "rules", Title: "The rules",
		Description: "Read one rule by its id (as events, options and refusals name it), or search the rules of a system for words. Without either: list the systems."},
		true, call.rules)
	add(s, server, &sdk.Tool{Name: "words", Title: "What an action may be told",
		Description: "List the parameters and facts that an action takes in a rule system: name, type, values, and whose they are to say."},
		true, call.vocabulary)
}

type rulesIn struct {
	ID     string `json:"id,omitempty" jsonschema:"rule id: show this one"`
	System string `json:"system,omitempty" jsonschema:"rule system, for a search"`
	Search string `json:"search,omitempty" jsonschema:"words in id, title or text"`
	After  string `json:"after,omitempty" jsonschema:"rule id to continue after"`
}

type rulesOut struct {
	head
	Rule    *rule        `json:"rule,omitempty" jsonschema:"the rule that was asked for"`
	Found   []ruleFound  `json:"found,omitempty" jsonschema:"rules with these words"`
	More    bool         `json:"more,omitempty" jsonschema:"there are more: ask again with after set to the last id"`
	Systems []ruleSystem `json:"systems,omitempty" jsonschema:"rule systems"`
}

type rule struct {
	ID      string `json:"id" jsonschema:"id"`
	Title   string `json:"title" jsonschema:"title"`
	Text    string `json:"text" jsonschema:"the rule"`
	Reading string `json:"reading,omitempty" jsonschema:"the reading taken where the source is unclear"`
	Weight  string `json:"weight,omitempty" jsonschema:"core, optional, rare or advice"`
	Status  string `json:"status,omitempty" jsonschema:"decided (by code), advice, or open: for people to decide"`
	Table   string `json:"table,omitempty" jsonschema:"its table, as comma-separated values"`
}

type ruleFound struct {
	ID    string `json:"id" jsonschema:"id"`
	Title string `json:"title" jsonschema:"title"`
}

type ruleSystem struct {
	ID    string `json:"id" jsonschema:"id"`
	Title string `json:"title" jsonschema:"title"`
	Rules uint32 `json:"rules" jsonschema:"number of rules"`
}

func (c call) rules(ctx context.Context, in rulesIn, out *rulesOut) (said, error) {
	ctx, cancel := c.timed(ctx)
	defer cancel()
	switch {
	case in.ID != "":
		return c.rule(ctx, in.ID, out)
	case in.Search != "" && in.System != "":
		return c.found(ctx, in, out)
	case in.Search != "":
		return said{}, fault.Field("system", "say in which rule system to search")
	}
	resp, err := c.books.ListSystems(ctx, &rulesv1.ListSystemsRequest{})
	if err != nil {
		return said{}, err
	}
	line := "rule systems:\n"
	for _, s := range resp.Systems {
		out.Systems = append(out.Systems, ruleSystem{ID: s.Id, Title: s.Title, Rules: s.Rules})
		line += fmt.Sprintf("%s  %d rules  %s\n", s.Id, s.Rules, s.Title)
	}
	return said{line: line}, nil
}

// rule shows one rule. That of a pack was written by the table.
func (c call) rule(ctx context.Context, id string, out *rulesOut) (said, error) {
	if parts := strings.Split(id, "."); parts[0] == "house" && len(parts) == 3 {
		resp, err := c.packs.ListContent(ctx, &encounterv1.ListContentRequest{As: c.as, Table: c.Table, Packs: parts[1:2]})
		if err != nil {
			return said{}, err
		}
		for _, e := range resp.Entries {
			if e.Rule == id {
				return ruleSaid(&rulesv1.Rule{Id: id, Title: e.Title, Text: e.Text, Heading: e.Kind + " of the pack " + parts[1]}, out), nil
			}
		}
		return said{}, fault.New(fault.NotFound, "UNKNOWN_RULE", "there is no rule %q", id)
	}
	resp, err := c.books.GetRule(ctx, &rulesv1.GetRuleRequest{Id: id})
	if err != nil {
		return said{}, err
	}
	return ruleSaid(resp.Rule, out), nil
}

func ruleSaid(r *rulesv1.Rule, out *rulesOut) said {
	out.Rule = &rule{ID: r.Id, Title: words(r.Title), Text: clipped(r.Text, maxRule), Reading: clipped(r.Reading, maxRule), Weight: r.Weight, Status: r.Status,
		Table: clipped(r.Table, maxRule)}
	return said{"rule " + words(r.Id), render.Rule(r)}
}

func (c call) found(ctx context.Context, in rulesIn, out *rulesOut) (said, error) {
	resp, err := c.books.ListRules(ctx, &rulesv1.ListRulesRequest{System: in.System, Search: in.Search, After: in.After, Limit: maxFound})
	if err != nil {
		return said{}, err
	}
	var data strings.Builder
	for _, r := range resp.Rules {
		out.Found = append(out.Found, ruleFound{ID: r.Id, Title: words(r.Title)})
		fmt.Fprintf(&data, "%s  %s\n", r.Id, words(r.Title))
	}
	out.More = resp.More
	return said{fmt.Sprintf("%d rules%s", len(out.Found), andMore(resp.More)), data.String()}, nil
}

type wordsIn struct {
	System string `json:"system" jsonschema:"rule system"`
	Action string `json:"action" jsonschema:"action"`
}

type wordsOut struct {
	head
	Parameters []parameter `json:"parameters,omitempty" jsonschema:"parameters that the action takes"`
	Facts      []parameter `json:"facts,omitempty" jsonschema:"facts that may be stated with it"`
	More       int         `json:"more,omitempty" jsonschema:"words that are not listed for length"`
}

func (c call) vocabulary(ctx context.Context, in wordsIn, out *wordsOut) (said, error) {
	if in.Action == "" {
		return said{}, fault.Field("action", "say which action: options lists them")
	}
	ctx, cancel := c.timed(ctx)
	defer cancel()
	resp, err := c.books.ListWords(ctx, &rulesv1.ListWordsRequest{System: in.System, Action: in.Action})
	if err != nil {
		return said{}, err
	}
	all, more := few(resp.Words, 2*maxList)
	out.More = more
	var data strings.Builder
	for _, w := range all {
		one := parametersOf([]*eventv1.Parameter{w.Word})[0]
		switch w.Place {
		case "parameter":
			out.Parameters = append(out.Parameters, one)
		case "fact":
			out.Facts = append(out.Facts, one)
		default:
			continue
		}
		fmt.Fprintf(&data, "%s %s (%s, said by the %s): %s\n", w.Place, one.Name, one.Type, one.Whose, one.Text)
	}
	return said{fmt.Sprintf("%d words", len(out.Parameters)+len(out.Facts)), data.String()}, nil
}
