package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
)

// streamRow is a stream of the journal, for --json.
type streamRow struct {
	Stream   string `json:"stream"`
	ID       string `json:"id"`
	Records  uint64 `json:"records"`
	Bytes    uint64 `json:"bytes"`
	Replicas int    `json:"replicas"`
}

func (a *app) streamsCommand() *cobra.Command {
	var cfg allinone.Config
	var to int
	c := &cobra.Command{
		Use:   "streams",
		Short: "List the streams of the journal, or make more",
		Long: `Streams lists the streams over which the journal spreads tables. With --to it
makes more; none is ever taken away, and a table stays in the stream that it was
placed in. On a NATS server elsewhere that needs an administrator's credentials,
and services that run take new streams up by themselves. The embedded journal of
a data folder can only be opened while its server is down.`,
		Example: "  skald streams --data /var/lib/skald\n  skald streams --nats nats://nats:4222 --nats-creds admin.creds --to 8",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("to") && to < 1 {
				return usage("--to: want a number of streams, got %d", to)
			}
			if _, err := os.Stat(cfg.DataDir); cfg.NATSURL == "" && err != nil {
				return usage("--data: %v", err)
			}
			return a.streams(cmd.Context(), cfg, to)
		},
	}
	c.Flags().StringVar(&cfg.DataDir, "data", "data", "data folder of the server")
	c.Flags().IntVar(&to, "to", 0, "make streams until there are so many")
	natsFlags(c.Flags(), &cfg)
	return c
}

func (a *app) streams(ctx context.Context, cfg allinone.Config, to int) (err error) {
	if cfg.Logger, err = a.logger("warn", false); err != nil {
		return err
	}
	r, err := allinone.OpenRebuilder(ctx, cfg)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	if to > 0 {
		if err := r.Streams().Grow(ctx, to); err != nil {
			return err
		}
	}
	var text strings.Builder
	var rows []streamRow
	for _, s := range r.Streams().All() {
		info, err := s.Info(ctx)
		if err != nil {
			return err
		}
		row := streamRow{Stream: info.Stream, ID: info.StreamID, Records: info.Messages, Bytes: info.Bytes, Replicas: info.Replicas}
		rows = append(rows, row)
		fmt.Fprintf(&text, "%-10s %12d records %14d bytes  %d replicas\n", row.Stream, row.Records, row.Bytes, row.Replicas)
	}
	return a.answerValue(rows, text.String)
}
