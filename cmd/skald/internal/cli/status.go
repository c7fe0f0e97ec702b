package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/text"
	opsv1 "github.com/skaldrpg/skald/proto/skald/ops/v1"
)

func (a *app) statusCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Say how a running server stands, part by part",
		Long: `Status asks a server how its parts stand: the journal, the archive (and how far it
is behind the log), each projection, and what is closed because its record is
broken. With keys the token needs the scope admin.

The exit code is 0 when everything is fine, 9 when something works and somebody
should look, 1 when a part does not do its work, 6 when no server answers.`,
		Example: "  skald status\n  skald status --server skald:7700 --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.connected(cmd.Context(), needServer, a.status)
		},
	}
}

func (a *app) status(ctx context.Context, conn grpc.ClientConnInterface) error {
	ctx, cancel := a.call(ctx)
	defer cancel()
	resp, err := opsv1.NewOperationsServiceClient(conn).GetStatus(ctx, &opsv1.GetStatusRequest{})
	if err != nil {
		return err
	}
	if err := a.answer(resp, func() string { return statusLines(resp) }); err != nil {
		return err
	}
	switch resp.Worst {
	case opsv1.PartState_PART_STATE_FINE:
		return nil
	case opsv1.PartState_PART_STATE_DEGRADED:
		return &degradedError{"somebody should look"}
	}
	return &failedError{"a part does not do its work"}
}

func statusLines(resp *opsv1.GetStatusResponse) string {
	var b strings.Builder
	for _, p := range resp.Parts {
		state := strings.ToLower(strings.TrimPrefix(p.State.String(), "PART_STATE_"))
		fmt.Fprintf(&b, "%-10s %-8s %s\n", text.Escape(p.Name), state, text.Escape(p.Text))
		for _, c := range p.Closed {
			fmt.Fprintf(&b, "  closed: %s %s at table %s, since sequence %d: %s\n",
				text.Escape(c.Kind), text.Escape(c.Id), text.Escape(c.Table), c.Sequence, text.Escape(c.Why))
		}
	}
	return b.String()
}
