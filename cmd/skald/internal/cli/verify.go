package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/skaldrpg/skald/cmd/skald/internal/proof"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

// maxExportLine bounds one line of an export file, in bytes.
const maxExportLine = 16 << 20

func (a *app) verifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "verify ENCOUNTER|FILE",
		Short: "Check the chain, the digests and every revealed face of an encounter",
		Long: `Verify reads an export file (skald encounter export), or the export of an
encounter from the server, and checks what anybody can check without trusting
the server: that each Commit follows the one before, that each part is what its
digest says, that each revealed seed is the one committed to before the fight,
that every face rolled under it follows from it, and that the packs of content
are those that the encounter pinned. A file is checked offline.`,
		Example: "  skald verify bridge\n  skald verify bridge.jsonl --json",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			p := proof.New()
			if info, err := os.Stat(args[0]); err == nil && info.Mode().IsRegular() {
				if err := readExport(args[0], p); err != nil {
					return err
				}
			} else if err := a.readServer(cmd.Context(), args[0], p); err != nil {
				return err
			}
			report := p.Report()
			if err := a.answerValue(report, report.String); err != nil {
				return err
			}
			if !report.OK() && !report.Early() {
				return &failedError{"verification failed"}
			}
			return nil
		},
	}
}

func (a *app) readServer(ctx context.Context, encounter string, p *proof.Proof) error {
	as, err := a.principal()
	if err != nil {
		return err
	}
	return a.connected(ctx, needServer, func(ctx context.Context, conn grpc.ClientConnInterface) error {
		req := &encounterv1.ExportRequest{As: as, Table: a.table, Encounter: encounter}
		return exported(ctx, encounterv1.NewEncounterServiceClient(conn), req, func(resp *encounterv1.ExportResponse) error {
			take(p, resp)
			return nil
		})
	})
}

// take hands over what an export holds: a Commit, a step in its place, a pack, or a
// part of an amended history.
func take(p *proof.Proof, resp *encounterv1.ExportResponse) {
	if resp.Step != nil {
		p.Step()
		return
	}
	if resp.Pack != nil {
		p.Pack(resp.Pack.Digest, resp.Pack.Data)
		return
	}
	if resp.BranchPart != nil {
		p.Branch(resp.BranchPart.Branch, resp.BranchPart.Data)
		return
	}
	p.Add(resp.Commit)
}

// readExport hands over what an export file holds.
func readExport(name string, p *proof.Proof) error {
	f, err := os.Open(name)
	if err != nil {
		return usage("%v", err)
	}
	defer f.Close() //nolint:errcheck // only read
	r := bufio.NewReaderSize(f, 64<<10)
	for line := 1; ; line++ {
		text, err := readLine(r)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("cli: %s:%d: %w", name, line, err)
		}
		if strings.TrimSpace(string(text)) == "" {
			continue
		}
		var resp encounterv1.ExportResponse
		if err := protojson.Unmarshal(text, &resp); err != nil {
			return usage("%s:%d: no line of an export: %v", name, line, err)
		}
		take(p, &resp)
	}
}

// readLine reads a line without its end; io.EOF after the last.
func readLine(r *bufio.Reader) ([]byte, error) {
	var out []byte
	for {
		part, err := r.ReadSlice('\n')
		out = append(out, part...)
		switch {
		case len(out) > maxExportLine:
			return nil, fmt.Errorf("line longer than %d bytes", maxExportLine)
		case err == nil, errors.Is(err, io.EOF) && len(out) > 0:
			return out, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}
