package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/skaldrpg/skald/pkg/content/srd5e"
	"github.com/skaldrpg/skald/pkg/sheet"
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
reported on standard error; nothing is dropped silently.`,
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
			if dir == "" {
				text, err := sheet.MarshalAll(all)
				if err != nil {
					return err
				}
				if err := a.printf("%s", text); err != nil {
					return err
				}
			}
			if dir != "" {
				if err := os.MkdirAll(dir, 0o755); err != nil {
					return fmt.Errorf("cli: import: %w", err)
				}
			}
			for _, s := range all {
				if dir == "" {
					break
				}
				text, err := sheet.Marshal(s)
				if err != nil {
					return err
				}
				if err := os.WriteFile(filepath.Join(dir, s.Id+".yaml"), text, 0o644); err != nil {
					return fmt.Errorf("cli: import: %w", err)
				}
			}
			return a.importReport(report, len(all))
		}}
	c.Flags().StringVarP(&dir, "output", "o", "", "folder to write a file for each sheet to; empty writes all to standard output")
	return c
}

// importReport says on standard error what is not on the sheets.
func (a *app) importReport(r *srd5e.Report, sheets int) error {
	if a.json {
		return json.NewEncoder(a.err).Encode(r)
	}
	for _, u := range r.Unused {
		fmt.Fprintln(a.err, u) //nolint:errcheck // only for people
	}
	_, err := fmt.Fprintf(a.err, "%s%d sheets written\n", r.Summary(), sheets)
	return err
}
