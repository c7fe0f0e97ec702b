package api

import (
	"context"
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/catalogue"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	rulesv1 "github.com/skaldrpg/skald/proto/skald/rules/v1"
)

// Rules answers the calls of the rules service.
type Rules struct {
	rulesv1.UnimplementedRulesServiceServer
	// Systems are the rule systems that can be played.
	Systems *rules.Registry
}

// ListSystems lists the systems of the catalogue.
func (r *Rules) ListSystems(context.Context, *rulesv1.ListSystemsRequest) (*rulesv1.ListSystemsResponse, error) {
	all, err := catalogue.All()
	if err != nil {
		return nil, err
	}
	out := &rulesv1.ListSystemsResponse{}
	for _, c := range all {
		s := &rulesv1.System{Id: c.System, Title: c.Title, Rules: uint32(len(c.Entries))}
		if info, ok := r.Systems.Info(c.System); ok {
			s.Playable, s.Version = true, info.Version
		}
		out.Systems = append(out.Systems, s)
	}
	return out, nil
}

// ListWords lists what commands may say in a system.
func (r *Rules) ListWords(_ context.Context, req *rulesv1.ListWordsRequest) (*rulesv1.ListWordsResponse, error) {
	sys, err := r.Systems.System(req.System)
	if err != nil {
		return nil, err
	}
	v := rules.VocabularyOf(sys)
	if v == nil {
		return &rulesv1.ListWordsResponse{}, nil
	}
	if req.Action != "" && !slices.Contains(v.Actions, req.Action) {
		return nil, fault.Field("action", "%s has no action %q%s", req.System, req.Action, rules.DidYouMean(req.Action, v.Actions))
	}
	out := &rulesv1.ListWordsResponse{}
	for i := range v.Words {
		w := &v.Words[i]
		ofAction := w.Place == rules.PlaceParameter || w.Place == rules.PlaceFact
		if req.Action != "" && (!ofAction || len(w.Actions) > 0 && !slices.Contains(w.Actions, req.Action)) {
			continue
		}
		out.Words = append(out.Words, &rulesv1.Word{Place: w.Place, Actions: w.Actions, Word: w.Parameter(), Rule: w.Rule, Sides: w.Sides})
	}
	return out, nil
}

// catalogueOf finds a system's catalogue.
func catalogueOf(id string) (*catalogue.Catalogue, error) {
	c, err := catalogue.System(id)
	if err != nil {
		return nil, fault.New(fault.NotFound, "UNKNOWN_SYSTEM", "no rule system %q; there are %s%s",
			id, strings.Join(catalogue.Systems(), ", "), rules.DidYouMean(id, catalogue.Systems()))
	}
	return c, nil
}

// ListRules lists rules of a system.
func (r *Rules) ListRules(_ context.Context, req *rulesv1.ListRulesRequest) (*rulesv1.ListRulesResponse, error) {
	c, err := catalogueOf(req.System)
	if err != nil {
		return nil, err
	}
	limit := aggregate.Page(req.Limit)
	out := &rulesv1.ListRulesResponse{}
	skip := req.After != ""
	for _, e := range c.Search(req.Search) {
		if skip {
			skip = string(e.ID) != req.After
			continue
		}
		if req.Weight != "" && string(e.Weight) != req.Weight || req.Status != "" && string(e.Status) != req.Status {
			continue
		}
		if len(out.Rules) == limit {
			out.More = true
			break
		}
		out.Rules = append(out.Rules, rule(e))
	}
	if skip {
		return nil, fault.Field("after", "no rule %q in this list", req.After)
	}
	return out, nil
}

// GetRule returns one rule.
func (r *Rules) GetRule(_ context.Context, req *rulesv1.GetRuleRequest) (*rulesv1.GetRuleResponse, error) {
	e, ok := catalogue.Lookup(catalogue.RuleID(req.Id))
	if !ok {
		return nil, fault.New(fault.NotFound, "UNKNOWN_RULE", "there is no rule %q", req.Id)
	}
	return &rulesv1.GetRuleResponse{Rule: rule(e)}, nil
}

func rule(e *catalogue.Entry) *rulesv1.Rule {
	out := &rulesv1.Rule{Id: string(e.ID), Title: e.Title, Text: e.Text, Heading: e.Heading, Weight: string(e.Weight),
		Reading: strings.TrimSpace(e.Unclear + " " + e.Reading), Toggle: e.Toggle, Table: e.Table, Choices: e.Choices,
		Secret: e.Secret, Owner: string(e.Owner), Status: string(e.Status)}
	if e.Toggle {
		out.Default = "off"
		if e.DefaultOn {
			out.Default = "on"
		}
	}
	return out
}

// ListSettings lists what a table may choose in a system.
func (r *Rules) ListSettings(_ context.Context, req *rulesv1.ListSettingsRequest) (*rulesv1.ListSettingsResponse, error) {
	sys, err := r.Systems.System(req.System)
	if err != nil {
		return nil, err
	}
	out := &rulesv1.ListSettingsResponse{}
	for _, s := range rules.SettingsOf(sys) {
		out.Settings = append(out.Settings, &rulesv1.Setting{Id: s.ID, Title: s.Title, Values: s.Values, Default: s.Default, Text: s.Text})
	}
	for _, p := range rules.PresetsOf(sys) {
		out.Presets = append(out.Presets, &rulesv1.Preset{Name: p.Name, Title: p.Title, Text: p.Text, Settings: p.Settings})
	}
	out.Orders = rules.Orderables(sys, nil, nil)
	return out, nil
}

// CheckSheet says what is wrong with a sheet.
func (r *Rules) CheckSheet(_ context.Context, req *rulesv1.CheckSheetRequest) (*rulesv1.CheckSheetResponse, error) {
	sys, err := r.Systems.System(req.System)
	if err != nil {
		return nil, err
	}
	if req.Sheet == nil {
		return nil, fault.Field("sheet", "missing")
	}
	out := &rulesv1.CheckSheetResponse{}
	filled, found := checked(sys, rules.OwnBook(sys), req.Sheet)
	for _, v := range rules.LeftToPeople(sys, rules.OwnBook(sys), filled) {
		out.Undecided = append(out.Undecided, &rulesv1.FieldViolation{Field: v.Field, Description: v.Description})
	}
	for _, v := range found {
		out.Violations = append(out.Violations, &rulesv1.FieldViolation{Field: v.Field, Description: v.Description})
	}
	return out, nil
}
