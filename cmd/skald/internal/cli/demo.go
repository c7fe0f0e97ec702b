package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/cmd/skald/internal/demo"
	"github.com/skaldrpg/skald/cmd/skald/internal/proof"
	"github.com/skaldrpg/skald/cmd/skald/internal/story"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// defaultDemo is the rule system that is shown when none is asked for.
const defaultDemo = "rcr"

func (a *app) demoCommand() *cobra.Command {
	var rounds int32
	var plain, tale bool
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
behind. With --json each line is a step, and the last what was proved.

With --story it is a campaign of two fights instead: a player contests a hit of the
first, the game master sees what that would change in the wound, in the rest after
it and in the later fight, and rules; every program shows the same words; and the
exported campaign is verified offline, whole and with the ruling left out.`,
		Example: "  skald demo\n  skald demo --plain --rounds 3\n  skald demo --system " + defaultDemo + "\n  skald demo --fight over-water\n  skald demo --story",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withTemporary(cmd.Context(), func(ctx context.Context, s *allinone.Stack, dir string) error {
				if tale {
					return a.story(ctx, s, dir)
				}
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
	c.Flags().BoolVar(&tale, "story", false, "a contested hit of two fights ago, from the claim to the proof, in place of a fight")
	for _, other := range []string{"rounds", "system", "fight", "plain"} {
		c.MarkFlagsMutuallyExclusive("story", other)
	}
	return c
}

// story tells of a contested hit, with what the outsider is given in a folder below dir.
func (a *app) story(ctx context.Context, s *allinone.Stack, dir string) error {
	cfg := story.Config{Conn: s.Conn(), Dir: filepath.Join(dir, "outsider"), Out: a.out, Export: exportTo, Verify: verifyFile}
	if a.json {
		cfg.Value = a.value
	}
	if err := os.Mkdir(cfg.Dir, 0o700); err != nil {
		return fmt.Errorf("cli: %w", err)
	}
	return story.Run(ctx, cfg)
}

// exportTo writes the file of a table as the game master has it.
func exportTo(ctx context.Context, conn grpc.ClientConnInterface, table, name string) (err error) {
	file, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("cli: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return exportTable(ctx, conn, &eventv1.Principal{Role: eventv1.Principal_ROLE_GM, Name: "gm"}, table, file)
}

// verifyFile checks the file of a table as skald verify does.
func verifyFile(ctx context.Context, name string, keys, heads []string) (*proof.FileReport, error) {
	f := sinceFlags{since: heads, keys: keys}
	by, err := f.verifiers()
	if err != nil {
		return nil, err
	}
	kept, err := f.heads(by)
	if err != nil {
		return nil, err
	}
	return verifyRecord(ctx, name, by, kept)
}
