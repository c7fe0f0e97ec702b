package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skaldrpg/skald/pkg/content/srd5e"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/sheet"
	"github.com/skaldrpg/skald/pkg/systems"
	"github.com/skaldrpg/skald/pkg/text"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func (a *app) importCommand() *cobra.Command {
	return group("import", "Turn monster records of other projects into sheets", "Import holds one command for each format that can be read.", a.import5eCommand())
}

func (a *app) import5eCommand() *cobra.Command {
	var dir string
	c := &cobra.Command{Use: "5e-srd FILE", Short: "Import monster records of the 5e-database project",
		Long: `5e-srd reads monster records in the JSON format of the public 5e-database
project and writes a sheet for each, with the attribution that the licence of the
System Reference Document 5.1 asks for. What could not be put on a sheet is
reported on standard error; nothing is dropped silently. With --json each line
is a sheet, or names the file that it was written to.`,
		Example: "  skald import 5e-srd 5e-SRD-Monsters.json -o sheets", Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			data, err := os.ReadFile(args[0])
			if err != nil {
				return usage("%v", err)
			}
			all, report, err := srd5e.Import(data)
			if err != nil {
				return err
			}
			if err := a.writeSheets(all, dir); err != nil {
				return err
			}
			return a.importReport(report, all)
		}}
	c.Flags().StringVarP(&dir, "output", "o", "", "folder to write a file for each sheet to; empty writes all to standard output")
	return c
}

// writtenSheet is a sheet in a file, for --json.
type writtenSheet struct {
	Sheet string `json:"sheet"`
	File  string `json:"file"`
}

// writeSheets writes the sheets: one file each, or all to standard output, where
// they are data and not escaped.
func (a *app) writeSheets(all []*eventv1.Sheet, dir string) error {
	if dir == "" && !a.json {
		data, err := sheet.MarshalAll(all)
		if err == nil {
			_, err = a.out.Write(data)
		}
		return err
	}
	if dir != "" {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return fmt.Errorf("cli: import: %w", err)
		}
	}
	for _, s := range all {
		if dir == "" {
			if err := a.value(s); err != nil {
				return err
			}
			continue
		}
		data, err := sheet.Marshal(s)
		if err != nil {
			return err
		}
		name := filepath.Join(dir, s.Id+".yaml")
		if err := os.WriteFile(name, data, 0o644); err != nil {
			return fmt.Errorf("cli: import: %w", err)
		}
		if a.json {
			if err := a.value(writtenSheet{s.Id, name}); err != nil {
				return err
			}
		}
	}
	return nil
}

// importReport says on standard error what is not on the sheets.
func (a *app) importReport(r *srd5e.Report, all []*eventv1.Sheet) error {
	left := leftOf(all)
	if a.json {
		return json.NewEncoder(a.err).Encode(struct {
			*srd5e.Report
			Undecided []problem `json:"undecided,omitempty"`
		}{r, left})
	}
	for _, u := range left {
		fmt.Fprintln(a.err, text.Escape(u.Field+": "+u.Text)) //nolint:errcheck // only for people
	}
	for _, u := range r.Unused {
		fmt.Fprintln(a.err, text.Escape(fmt.Sprint(u))) //nolint:errcheck // only for people
	}
	_, err := fmt.Fprintf(a.err, "%s%d sheets written\n", r.Summary(), len(all))
	return err
}

// leftOf is what sheets have and no code decides; the fields begin with the id of
// the sheet.
func leftOf(all []*eventv1.Sheet) (out []problem) {
	for _, s := range all {
		sys, err := systems.Registry().System(sectionOf(s))
		if err != nil {
			continue
		}
		for _, v := range rules.LeftToPeople(sys, rules.OwnBook(sys), s) {
			out = append(out, problem{Field: s.Id + "." + strings.TrimPrefix(v.Field, "sheet."), Text: v.Description})
		}
	}
	return out
}
