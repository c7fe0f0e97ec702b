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
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/cmd/skald/internal/proof"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/systems"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

// maxExportLine bounds one line of an export file, in bytes.
const maxExportLine = limits.RecordLineBytes

func (a *app) verifyCommand() *cobra.Command {
	var f sinceFlags
	c := &cobra.Command{
		Use:   "verify ENCOUNTER|FILE",
		Short: "Check an encounter's record and decide everything in it again",
		Long: `Verify reads an export file (skald encounter export), or the export of an
encounter from the server, and checks what anybody can check without trusting
the server: that each Commit follows the one before, that each part is what its
digest says, that each revealed seed is the one committed to before the fight,
that every face rolled under it follows from it, and that the packs of content
are those that the encounter pinned. A file is checked offline.

What may be seen in full, the game master's export or that of a game master
after the end, is decided again: every command is carried out on what it took
from outside, amendments with their whole history, harm with its rolls, and what
comes of it is compared with the record, field by field. For that this build
needs the rules that decided: when the record names others, verify says which,
and checks the rest.

A file of a whole table (skald table export) or of a patient (skald patient export)
is checked in the same way: every encounter, every deed between fights, and that
patients came into each fight as they were recorded and left with what it had
made of them.

The report lists what was checked and what was not, and why. "Every Commit holds"
is said only when every Commit was decided again. What no record can show by
itself is whether something was cut off at its end: with --since it is held against
a head that was kept (skald encounter head), and a file of a table or of a patient
with --since-report against an earlier report (skald verify --json): each record must
go on from where it ended then.`,
		Example: "  skald verify bridge\n  skald verify bridge.jsonl --json\n  skald verify campaign.jsonl\n  skald verify bridge --since bridge.head --key \"$KEY\"",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			p := proof.New()
			by, err := f.verifiers()
			if err != nil {
				return err
			}
			if isRecord(args[0]) {
				kept, err := f.heads(by)
				if err != nil {
					return err
				}
				earlier, err := f.earlier()
				if err != nil {
					return err
				}
				report, err := verifyRecord(cmd.Context(), args[0], by, kept, earlier...)
				if err != nil {
					return err
				}
				return a.proved(report)
			}
			if len(f.reports) > 0 {
				return usage("--since-report: it is for the file of a table or of a patient")
			}
			p.Keys(by)
			online := true
			if info, err := os.Stat(args[0]); err == nil && info.Mode().IsRegular() {
				online = false
				kept, err := f.heads(by)
				if err != nil {
					return err
				}
				for _, h := range kept {
					p.Kept(h)
				}
				if err := readExport(args[0], p); err != nil {
					return err
				}
			} else if err := a.readServer(cmd.Context(), args[0], p); err != nil {
				return err
			}
			report, err := p.Again(cmd.Context(), systems.Registry())
			if err != nil {
				return err
			}
			if online && len(f.since) > 0 {
				if err := a.connected(cmd.Context(), needServer, func(ctx context.Context, conn grpc.ClientConnInterface) error {
					agree, unchecked, problems, err := a.extends(ctx, encounterv1.NewRecordServiceClient(conn), ofEncounter(args[0]), &f)
					report.Heads, report.Unchecked, report.Problems = append(report.Heads, agree...), append(report.Unchecked, unchecked...), append(report.Problems, problems...)
					return err
				}); err != nil {
					return err
				}
			}
			if err := a.answerValue(report, report.String); err != nil {
				return err
			}
			if !report.OK() && !report.Early() {
				return &failedError{"verification failed"}
			}
			return nil
		},
	}
	f.heading(c)
	c.Flags().StringArrayVar(&f.reports, "since-report", nil, "file with an earlier report of the same table or patient (skald verify --json), from which each record must go on; repeat for several")
	return c
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
	if resp.Heads != nil {
		p.Heads(resp.Heads)
	}
	if resp.Step != nil {
		p.Step(resp.Step)
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
	return eachOfExport(name, func(resp *encounterv1.ExportResponse) { take(p, resp) })
}

// eachOfExport hands over what an export file holds, in order.
func eachOfExport(name string, fn func(*encounterv1.ExportResponse)) error {
	return eachLine(name, "an export", func() *encounterv1.ExportResponse { return &encounterv1.ExportResponse{} },
		func(resp *encounterv1.ExportResponse) error { fn(resp); return nil })
}

// eachLine hands over the messages of a file, one a line as JSON, in order; of says what
// lines they are.
func eachLine[M proto.Message](name, of string, make func() M, fn func(M) error) error {
	f, err := os.Open(name)
	if err != nil {
		return usage("%v", err)
	}
	defer f.Close() //nolint:errcheck // only read
	r := bufio.NewReaderSize(f, 64<<10)
	for n := 1; ; n++ {
		text, err := readLine(r)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("cli: %s:%d: %w", name, n, err)
		}
		if strings.TrimSpace(string(text)) == "" {
			continue
		}
		line := make()
		if err := protojson.Unmarshal(text, line); err != nil {
			return usage("%s:%d: no line of %s: %v", name, n, of, err)
		}
		if err := fn(line); err != nil {
			return err
		}
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
