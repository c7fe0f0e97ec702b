package cli

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/library/books"
	"github.com/skaldrpg/skald/pkg/sheet"
	"github.com/skaldrpg/skald/pkg/systems"
	"github.com/skaldrpg/skald/pkg/text"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	rulesv1 "github.com/skaldrpg/skald/proto/skald/rules/v1"
)

func (a *app) sheetCommand() *cobra.Command {
	return group("sheet", "Check and list creature sheets", "Sheet holds commands on creature sheets, YAML or JSON with the fields of\nskald.event.v1.Sheet.",
		a.sheetCheckCommand(), a.sheetListCommand(), a.sheetShowCommand())
}

func (a *app) sheetCheckCommand() *cobra.Command {
	k := &sheetCheck{}
	c := &cobra.Command{Use: "check FILE...", Short: "Say exactly what is wrong with sheets",
		Example: "  skald sheet check jeera.yaml\n  skald sheet check jeera.yaml --pack mytable", Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			n := needNothing
			if len(k.packs) > 0 { // packs are kept in the log
				n = needSuite
			}
			return a.connected(cmd.Context(), n, func(ctx context.Context, conn grpc.ClientConnInterface) error {
				if err := a.prepareCheck(ctx, conn, k); err != nil {
					return err
				}
				wrong := 0
				for _, file := range args {
					n, err := a.checkSheets(ctx, k, file)
					if err != nil {
						return err
					}
					wrong += n
				}
				if wrong > 0 {
					return &failedError{fmt.Sprintf("%d mistakes", wrong)}
				}
				return nil
			})
		}}
	c.Flags().StringVar(&k.system, "system", "", "rule system; empty takes the one whose section the sheet has")
	c.Flags().StringArrayVar(&k.packs, "pack", nil, "pack of content that the sheets are to be played with: digest or name, or without --server a folder; repeat for several")
	return c
}

// sheetCheck is how sheets are checked.
type sheetCheck struct {
	system string
	packs  []string
	as     *eventv1.Principal
	rules  rulesv1.RulesServiceClient
	with   encounterv1.ContentServiceClient
}

// prepareCheck brings packs that are folders to services of its own.
func (a *app) prepareCheck(ctx context.Context, conn grpc.ClientConnInterface, k *sheetCheck) (err error) {
	k.rules, k.with = rulesv1.NewRulesServiceClient(conn), encounterv1.NewContentServiceClient(conn)
	if k.as, err = a.principal(); err != nil {
		return err
	}
	for i, name := range k.packs {
		if _, bad := os.Stat(name); bad != nil || a.server != "" {
			continue
		}
		_, data, err := books.Checked(books.BaseOf(systems.Registry()), name)
		if err != nil {
			return err
		}
		call, cancel := a.call(ctx)
		put, err := k.with.PutPack(call, &encounterv1.PutPackRequest{As: k.as, Table: a.table, Pack: data})
		cancel()
		if err != nil {
			return err
		}
		k.packs[i] = put.Pack.Digest
	}
	return nil
}

// check is what is wrong with one sheet, and what of it no code decides.
func (a *app) check(ctx context.Context, k *sheetCheck, system string, s *eventv1.Sheet) (wrong, undecided []*rulesv1.FieldViolation, err error) {
	ctx, cancel := a.call(ctx)
	defer cancel()
	if len(k.packs) == 0 {
		resp, err := k.rules.CheckSheet(ctx, &rulesv1.CheckSheetRequest{System: system, Sheet: s})
		return resp.GetViolations(), resp.GetUndecided(), err
	}
	resp, err := k.with.CheckSheet(ctx, &encounterv1.CheckSheetRequest{As: k.as, Table: a.table, System: system, Packs: k.packs, Sheet: s})
	fields := func(list []*encounterv1.SheetProblem) (out []*rulesv1.FieldViolation) {
		for _, p := range list {
			out = append(out, &rulesv1.FieldViolation{Field: p.Field, Description: p.Text})
		}
		return out
	}
	return fields(resp.GetProblems()), fields(resp.GetUndecided()), err
}

// sheetChecked is a sheet's mistakes, for --json.
type sheetChecked struct {
	File       string                    `json:"file"`
	Sheet      string                    `json:"sheet"`
	Violations []*rulesv1.FieldViolation `json:"violations"`
	// Undecided is what the sheet has and no code decides: no mistake.
	Undecided []*rulesv1.FieldViolation `json:"undecided,omitempty"`
}

func (a *app) checkSheets(ctx context.Context, k *sheetCheck, file string) (int, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return 0, usage("%v", err)
	}
	all, err := sheet.ParseAll(data)
	if err != nil {
		return 0, err
	}
	wrong := 0
	for _, s := range all {
		under := k.system
		if under == "" {
			under = sectionOf(s)
		}
		if under == "" {
			return 0, usage("%s: sheet %q has no section of a rule system: name one with --system", file, s.Id)
		}
		found, undecided, err := a.check(ctx, k, under, s)
		if err != nil {
			return 0, err
		}
		wrong += len(found)
		err = a.answerValue(sheetChecked{file, s.Id, found, undecided}, func() string {
			var b strings.Builder
			if len(found) == 0 {
				fmt.Fprintf(&b, "%s: %s is a good sheet\n", file, text.Escape(s.Id))
			}
			for _, v := range append(found, undecided...) {
				fmt.Fprintf(&b, "%s: %s: %s: %s\n", file, text.Escape(s.Id), text.Escape(v.Field), text.Escape(v.Description))
			}
			return b.String()
		})
		if err != nil {
			return 0, err
		}
	}
	return wrong, nil
}

// sectionOf is the rule system whose section a sheet has: the sections are
// named after their systems.
func sectionOf(s *eventv1.Sheet) string {
	m := s.ProtoReflect()
	fd := m.WhichOneof(m.Descriptor().Oneofs().ByName("section"))
	if fd == nil {
		return ""
	}
	return string(fd.Name())
}

func (a *app) sheetListCommand() *cobra.Command {
	return &cobra.Command{Use: "list SYSTEM", Short: "List the shipped sheets", Example: "  skald sheet list rcr", Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			for _, name := range sheets.List(args[0]) {
				if err := a.answerValue(name, func() string { return name + "\n" }); err != nil {
					return err
				}
			}
			return nil
		}}
}

func (a *app) sheetShowCommand() *cobra.Command {
	return &cobra.Command{Use: "show SYSTEM NAME", Short: "Print a shipped sheet", Example: "  skald sheet show rcr goblin > snag.yaml", Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			s, err := sheets.Get(args[0], args[1])
			if err != nil {
				return err
			}
			text, err := sheet.Marshal(s)
			if err != nil {
				return err
			}
			return a.answer(s, func() string { return string(text) })
		}}
}
