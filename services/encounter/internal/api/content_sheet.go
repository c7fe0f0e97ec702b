package api

import (
	"context"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// CheckSheet says what is wrong with a sheet that is to be played with packs.
func (c *Content) CheckSheet(ctx context.Context, req *encounterv1.CheckSheetRequest) (*encounterv1.CheckSheetResponse, error) {
	table, err := atTable(req.As, req.Table)
	if err != nil {
		return nil, err
	}
	if err := spectators(req.As); err != nil {
		return nil, err
	}
	sys, err := c.Systems.System(req.System)
	if err != nil {
		return nil, err
	}
	if len(req.Packs) == 0 {
		return nil, fault.Field("packs", "missing")
	}
	if req.Sheet == nil {
		return nil, fault.Field("sheet", "missing")
	}
	book, err := c.Shelf.Would(ctx, table, req.System, "packs", req.Packs)
	if err != nil {
		return nil, err
	}
	sheet, found := checked(sys, book, req.Sheet)
	out := &encounterv1.CheckSheetResponse{}
	for _, v := range found {
		out.Problems = append(out.Problems, &encounterv1.SheetProblem{Field: v.Field, Text: v.Description})
	}
	for _, v := range rules.LeftToPeople(sys, book, sheet) {
		out.Undecided = append(out.Undecided, &encounterv1.SheetProblem{Field: v.Field, Text: v.Description})
	}
	if len(found) == 0 {
		out.Sheet = sheet
	}
	return out, nil
}

// checked is a sheet with what it takes from content, and what is wrong with it.
func checked(sys rules.System, book *effects.Book, given *eventv1.Sheet) (*eventv1.Sheet, []fault.Violation) {
	sheet := proto.Clone(given).(*eventv1.Sheet)
	var found []fault.Violation
	if err := book.Resolve(sheet); err != nil {
		f, ok := fault.As(err)
		if !ok {
			return sheet, []fault.Violation{{Field: "sheet", Description: err.Error()}}
		}
		found = f.Violations
	}
	unfilled := parents(found)
	for _, v := range slices.Concat(rules.CheckSheetWith(sys, book, sheet), rpc.CheckTexts("sheet.", given)) {
		said := slices.ContainsFunc(found, func(f fault.Violation) bool { return f.Field == v.Field })
		if !said && !slices.ContainsFunc(unfilled, func(thing string) bool { return v.Field == thing || strings.HasPrefix(v.Field, thing+".") }) {
			found = append(found, v)
		}
	}
	return sheet, found
}

// parents are the things whose references lead nowhere: what they lack beside that
// goes without saying.
func parents(found []fault.Violation) []string {
	var out []string
	for _, v := range found {
		if thing, ok := strings.CutSuffix(v.Field, ".use"); ok {
			out = append(out, thing)
		}
	}
	return out
}
