package cli

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/sheet"
	"github.com/skaldrpg/skald/pkg/text"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	rulesv1 "github.com/skaldrpg/skald/proto/skald/rules/v1"
)

func (a *app) sheetCommand() *cobra.Command {
	return group("sheet", "Check and list creature sheets", "Sheet holds commands on creature sheets, YAML or JSON with the fields of\nskald.event.v1.Sheet.",
		a.sheetCheckCommand(), a.sheetListCommand(), a.sheetShowCommand())
}

func (a *app) sheetCheckCommand() *cobra.Command {
	var system string
	c := &cobra.Command{Use: "check FILE...", Short: "Say exactly what is wrong with sheets",
		Example: "  skald sheet check jeera.yaml", Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.connected(cmd.Context(), needNothing, func(ctx context.Context, conn grpc.ClientConnInterface) error {
				wrong := 0
				for _, file := range args {
					n, err := a.checkSheets(ctx, rulesv1.NewRulesServiceClient(conn), file, system)
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
	c.Flags().StringVar(&system, "system", "", "rule system; empty takes the one whose section the sheet has")
	return c
}

// sheetChecked is a sheet's mistakes, for --json.
type sheetChecked struct {
	File       string                    `json:"file"`
	Sheet      string                    `json:"sheet"`
	Violations []*rulesv1.FieldViolation `json:"violations"`
}

func (a *app) checkSheets(ctx context.Context, client rulesv1.RulesServiceClient, file, system string) (int, error) {
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
		under := system
		if under == "" {
			under = sectionOf(s)
		}
		if under == "" {
			return 0, usage("%s: sheet %q has no section of a rule system: name one with --system", file, s.Id)
		}
		call, cancel := a.call(ctx)
		resp, err := client.CheckSheet(call, &rulesv1.CheckSheetRequest{System: under, Sheet: s})
		cancel()
		if err != nil {
			return 0, err
		}
		wrong += len(resp.Violations)
		err = a.answerValue(sheetChecked{file, s.Id, resp.Violations}, func() string {
			if len(resp.Violations) == 0 {
				return fmt.Sprintf("%s: %s is a good sheet\n", file, text.Escape(s.Id))
			}
			var b strings.Builder
			for _, v := range resp.Violations {
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
