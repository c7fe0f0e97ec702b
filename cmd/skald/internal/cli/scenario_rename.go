package cli

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/skaldrpg/skald/pkg/scenario"
	"github.com/skaldrpg/skald/pkg/systems"
)

func (a *app) scenarioRenameCommand() *cobra.Command {
	return &cobra.Command{
		Use: "rename PATH...", Short: "Give scenario files the names of today",
		Long: `Rename rewrites scenario files in place where they say counters, marks, conditions,
parameters and facts as builds before did; docs/RENAMED.md lists them. Nothing else
of a file changes. What has to be changed by hand is printed, and fails the command.`,
		Example: "  skald scenario rename my-house-rules.yaml", Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.renameScenarios(args) },
	}
}

func (a *app) renameScenarios(paths []string) error {
	files, err := scenario.Files(paths...)
	if err != nil {
		return &usageError{err}
	}
	changed, left := 0, 0
	for _, f := range files {
		done, byHand, err := renameFile(f)
		if err != nil {
			return err
		}
		changed, left = changed+done, left+len(byHand)
		for _, p := range byHand {
			if err := a.printf("%s:%d: %s\n", p.File, p.Line, p.Text); err != nil {
				return err
			}
		}
	}
	if err := a.printf("%d places changed in %d files\n", changed, len(files)); err != nil {
		return err
	}
	if left > 0 {
		return &failedError{fmt.Sprintf("%d places are to be changed by hand", left)}
	}
	return nil
}

// renameFile rewrites a file if there is anything to change.
func renameFile(file string) (int, []scenario.Problem, error) {
	info, err := os.Stat(file)
	if err != nil {
		return 0, nil, &usageError{err}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, nil, &usageError{err}
	}
	out, done, left, err := scenario.Rename(file, text, systems.Registry().System)
	if err != nil {
		return 0, nil, &usageError{err}
	}
	if done == 0 {
		return 0, left, nil
	}
	return done, left, os.WriteFile(file, out, info.Mode().Perm())
}
