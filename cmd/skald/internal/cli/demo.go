package cli

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/cmd/skald/internal/demo"
)

// defaultDemo is the rule system that is shown when none is asked for.
const defaultDemo = "rcr"

func (a *app) demoCommand() *cobra.Command {
	var rounds int32
	var plain bool
	var system, fight string
	c := &cobra.Command{
		Use:   "demo",
		Short: "Play a fight to its end and prove the record of it",
		Long: `Demo starts everything in a temporary folder, lets shipped characters fight
shipped monsters, prints every roll with its modifiers and rule ids, and then
proves the record: the chain of Commits holds, every open face follows from the
seed committed to before the fight, and an empty database filled from the log
equals the live one. Before that the game master takes a command back, thinks
better of it, and amends a misread die. It needs no server and leaves nothing
behind. With --json each line is a step, and the last what was proved.`,
		Example: "  skald demo\n  skald demo --plain --rounds 3\n  skald demo --system " + defaultDemo + "\n  skald demo --fight over-water",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withTemporary(cmd.Context(), func(ctx context.Context, s *allinone.Stack, dir string) error {
				cfg := demo.Config{Stack: s, System: system, Fight: fight, EmptyDir: filepath.Join(dir, "replica"), Sheets: shippedSheet,
					Rounds: rounds, Out: a.out, Rules: !plain}
				if a.json {
					cfg.Value = a.value
				}
				return demo.Run(ctx, cfg)
			})
		},
	}
	c.Flags().Int32Var(&rounds, "rounds", 15, "end the fight after this many rounds")
	c.Flags().StringVar(&system, "system", defaultDemo, "rule system: "+strings.Join(demo.Systems(), ", "))
	c.Flags().StringVar(&fight, "fight", "", "a further fight of the system: "+strings.Join(demo.Fights(), ", "))
	c.Flags().BoolVar(&plain, "plain", false, "leave the rule ids out")
	return c
}
