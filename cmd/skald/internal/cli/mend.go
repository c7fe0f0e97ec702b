package cli

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/skaldrpg/skald/cmd/skald/internal/mend"
)

func (a *app) mendCommand() *cobra.Command {
	var cfg mend.Config
	c := &cobra.Command{
		Use:   "mend",
		Short: "Make a damaged journal whole again from every copy of its records",
		Long: `Mend examines the journal of a data folder as a start does. When that would be
refused it collects each record from whatever copy is whole: the journal's own
blocks, also behind damaged places, the archive, the projections, and the folders
named by --from (another data folder, or the store folder of a NATS server). It
proves the chain of every encounter, patient and set of dice, builds a new journal
beside the old one with each record at its own sequence, reads it back, and puts
it in the old one's place. The old one is kept in journal.aside, with projections
that do not agree with the new one; those are made again at the next start.

What no copy has is listed, and the exit code is 1: those encounters are closed,
and everything else goes on. The server must be down. Broken off at any moment,
mend does its work when it is run again.`,
		Example: "  skald mend --data /var/lib/skald --dry-run\n  skald mend --data /var/lib/skald --from /backup/skald",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if _, err := os.Stat(cfg.DataDir); err != nil {
				return usage("--data: %v", err)
			}
			cfg.Archive = archiveDir(cfg.Archive, cfg.DataDir)
			log, err := a.logger("warn", false)
			if err != nil {
				return err
			}
			cfg.Logger = log
			report, err := mend.Run(cmd.Context(), cfg)
			if err != nil {
				return err
			}
			if err := a.answerValue(report, report.String); err != nil {
				return err
			}
			if n := report.Lost(); n > 0 {
				return &failedError{fmt.Sprintf("no copy has %d of the records", n)}
			}
			return nil
		},
	}
	f := c.Flags()
	f.StringVar(&cfg.DataDir, "data", "data", "data folder of the server")
	f.StringVar(&cfg.Archive, "archive", "", "folder of the archive (default DATA/archive; none: do without)")
	f.StringArrayVar(&cfg.From, "from", nil, "another copy: a data folder, or the store folder of a NATS server; may be repeated")
	f.BoolVar(&cfg.DryRun, "dry-run", false, "say what would be done")
	return c
}
