package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/cmd/skald/internal/proof"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/systems"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

// importBytes is how much of an export one call of Import carries, about.
const importBytes = 2 << 20

func (a *app) importRecordCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "import FILE",
		Short: "Bring the record of an encounter from another server",
		Long: `Import reads a game master's export (skald encounter export), checks it as
skald verify does, and gives it to the server, which decides all of it again and
stores it as it is, under the table and the id that its Commits name, with the
packs that it was decided with. What does not hold is refused.

The encounter can be read, explained, exported and verified like any other; its
players' words are the same as where it was played. Nothing is added to it: to
play on, fork it.`,
		Example: "  skald encounter import bridge.jsonl\n  skald encounter fork bridge bridge-again",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			p := proof.New()
			var messages []*encounterv1.ExportResponse
			if err := eachOfExport(args[0], func(m *encounterv1.ExportResponse) {
				take(p, m)
				if m.Heads = nil; !proto.Equal(m, &encounterv1.ExportResponse{}) {
					messages = append(messages, m)
				}
			}); err != nil {
				return err
			}
			report, err := p.Again(cmd.Context(), systems.Registry())
			if err != nil {
				return err
			}
			if report.Early() {
				return usage("%s holds steps as a viewer saw them; the game master's export has Commits", args[0])
			}
			if report.Commits == 0 {
				return usage("%s holds no Commit", args[0])
			}
			if !report.OK() {
				return &failedError{fmt.Sprintf("verification failed: %s", report.Problems[0])}
			}
			return a.connected(cmd.Context(), needServer, func(ctx context.Context, conn grpc.ClientConnInterface) error {
				return a.importRecord(ctx, encounterv1.NewEncounterServiceClient(conn), messages)
			})
		},
	}
}

// importRecord gives an export to the server, as much at a time as a message holds.
func (a *app) importRecord(ctx context.Context, client encounterv1.EncounterServiceClient, messages []*encounterv1.ExportResponse) error {
	table, encounter, err := named(messages)
	if err != nil {
		return err
	}
	as, err := a.principal()
	if err != nil {
		return err
	}
	for at := 0; ; {
		n, size := 0, 0
		for at+n < len(messages) && (n == 0 || size+proto.Size(messages[at+n]) <= importBytes) {
			size += proto.Size(messages[at+n])
			n++
		}
		req := &encounterv1.ImportRequest{As: as, Table: table, Encounter: encounter, After: uint64(at), //nolint:gosec // an index
			Messages: messages[at : at+n], Last: at+n == len(messages)}
		resp, err := client.Import(ctx, req)
		if err != nil {
			return err
		}
		if at += n; req.Last {
			return a.answer(resp, func() string {
				return fmt.Sprintf("encounter %s at table %s: %d Commits, %d of them decided again; it is only read, a fork of it can be played on\n",
					encounter, table, resp.Commits, resp.Decided)
			})
		}
	}
}

// named is where the Commits of an export say that they belong.
func named(messages []*encounterv1.ExportResponse) (table, encounter string, err error) {
	for _, m := range messages {
		if len(m.Commit) > 0 {
			c, err := event.Open(m.Commit)
			if err != nil {
				return "", "", err
			}
			return c.Header.Table, c.Header.Id, nil
		}
	}
	return "", "", fault.New(fault.Invalid, "NO_COMMIT", "the file holds no Commit")
}
