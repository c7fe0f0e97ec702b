package cli

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/mod/sumdb/note"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/skaldrpg/skald/cmd/skald/internal/proof"
	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/render"
	"github.com/skaldrpg/skald/pkg/systems"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

func (a *app) tableExportCommand() *cobra.Command {
	return &cobra.Command{Use: "export FILE", Short: "Write all that is recorded at a table into one file, for verification",
		Example: "  skald table export campaign.jsonl\n  skald verify campaign.jsonl", Args: cobra.ExactArgs(1),
		Long: `Export writes every Commit of every encounter and patient of the table in the order
in which they were stored, with the packs of content, the keys that the server
lists, and where each encounter and patient stood when the export began, signed.
Skald verify reads the file, offline. It is for the game master: hidden things are in it.`,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			as, err := a.principal()
			if err != nil {
				return err
			}
			file, err := os.Create(args[0])
			if err != nil {
				return usage("%v", err)
			}
			defer func() { err = errors.Join(err, file.Close()) }()
			return a.connected(cmd.Context(), needServer, func(ctx context.Context, conn grpc.ClientConnInterface) error {
				return exportTable(ctx, conn, as, a.table, file)
			})
		}}
}

// exportTable writes the file: heads and keys stand behind what the file is, before all
// that they are held against.
func exportTable(ctx context.Context, conn grpc.ClientConnInterface, as *eventv1.Principal, table string, file io.Writer) error {
	signed, err := signedLines(ctx, conn, as, table)
	if err != nil {
		return err
	}
	stream, err := injuryv1.NewPatientRecordServiceClient(conn).ExportTable(ctx, &injuryv1.ExportTableRequest{As: as, Table: table})
	if err != nil {
		return err
	}
	out := bufio.NewWriter(file)
	if err := interleaved(signed, func() (*injuryv1.RecordLine, error) {
		resp, err := stream.Recv()
		return resp.GetLine(), err
	}, func(line *injuryv1.RecordLine) error {
		text, err := jsonLine(line)
		if err == nil {
			_, err = out.Write(text)
		}
		return err
	}); err != nil {
		return err
	}
	return out.Flush()
}

// interleaved hands over the lines of an export, with signed ones behind the first.
func interleaved(signed []*injuryv1.RecordLine, next func() (*injuryv1.RecordLine, error), fn func(*injuryv1.RecordLine) error) error {
	for {
		line, err := next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if end := line.GetEnd(); end != nil {
			end.Lines += uint64(len(signed))
		}
		if err == nil {
			err = fn(line)
		}
		if line.GetRecord() != nil {
			for _, s := range signed {
				if err == nil {
					err = fn(s)
				}
			}
		}
		if err != nil {
			return err
		}
	}
}

// keysLine are the keys of the server.
func keysLine(ctx context.Context, records encounterv1.RecordServiceClient) (*injuryv1.RecordLine, error) {
	keys, err := records.GetKeys(ctx, &encounterv1.GetKeysRequest{})
	return &injuryv1.RecordLine{What: &injuryv1.RecordLine_Keys{Keys: keys}}, err
}

// headLine is where an encounter or a patient's record stands: its chain, or for who may
// not count Commits the own transcript.
func headLine(ctx context.Context, records encounterv1.RecordServiceClient, as *eventv1.Principal, table string, of recorded) (*injuryv1.RecordLine, error) {
	head, err := records.GetHead(ctx, &encounterv1.GetHeadRequest{As: as, Table: table, Encounter: of.encounter, Patient: of.patient})
	if err != nil {
		return nil, err
	}
	heads := &encounterv1.SignedHeads{Chain: head.Heads.GetChain()}
	if heads.Chain == "" {
		heads.Own = head.Heads.GetOwn()
	}
	return &injuryv1.RecordLine{What: &injuryv1.RecordLine_Heads{Heads: &injuryv1.RecordHeads{Encounter: of.encounter, Patient: of.patient, Heads: heads}}}, nil
}

// signedLines are the keys of the server and the heads of the table's encounters and
// patients.
func signedLines(ctx context.Context, conn grpc.ClientConnInterface, as *eventv1.Principal, table string) ([]*injuryv1.RecordLine, error) {
	records := encounterv1.NewRecordServiceClient(conn)
	keys, err := keysLine(ctx, records)
	if err != nil {
		return nil, err
	}
	out := []*injuryv1.RecordLine{keys}
	add := func(of recorded) error {
		line, err := headLine(ctx, records, as, table, of)
		if err == nil {
			out = append(out, line)
		}
		return err
	}
	list := &encounterv1.ListEncountersRequest{As: as, Table: table}
	for more := true; more; {
		page, err := encounterv1.NewEncounterServiceClient(conn).ListEncounters(ctx, list)
		if err != nil {
			return nil, err
		}
		for _, e := range page.Encounters {
			list.After = e.Encounter
			if e.Closed {
				continue
			}
			if err := add(ofEncounter(e.Encounter)); err != nil {
				return nil, err
			}
		}
		more = page.More && len(page.Encounters) > 0
	}
	ill := &injuryv1.ListPatientsRequest{As: as, Table: table}
	for more := true; more; {
		page, err := injuryv1.NewInjuryServiceClient(conn).ListPatients(ctx, ill)
		if err != nil {
			return nil, err
		}
		for _, p := range page.Patients {
			ill.After = p.Patient
			if p.Closed {
				continue
			}
			if err := add(ofPatient(p.Patient)); err != nil {
				return nil, err
			}
		}
		more = page.More && len(page.Patients) > 0
	}
	return out, nil
}

func (a *app) patientExportCommand() *cobra.Command {
	var file string
	c := &cobra.Command{Use: "export PATIENT", Short: "Write a patient's record for verification, one JSON line each",
		Example: "  skald patient export kara -o kara.jsonl\n  skald verify kara.jsonl", Args: cobra.ExactArgs(1),
		Long: `Export writes the stored Commits of a patient's record and the packs that it was
kept with, and where it stood when the export began, signed. Anybody but the game master gets the entries of the history as they
were told: a record between fights is never over.`,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			out := a.out
			if file != "" {
				f, err := os.Create(file)
				if err != nil {
					return usage("%v", err)
				}
				defer func() { err = errors.Join(err, f.Close()) }()
				out = f
			}
			return a.patientLines(cmd.Context(), args[0], func(line *injuryv1.RecordLine) error {
				text, err := jsonLine(line)
				if err == nil {
					_, err = out.Write(text)
				}
				return err
			})
		}}
	c.Flags().StringVarP(&file, "output", "o", "", "file to write; empty means standard output")
	return c
}

// patientLines hands over the export of a patient, line by line.
func (a *app) patientLines(ctx context.Context, patient string, fn func(*injuryv1.RecordLine) error) error {
	as, err := a.principal()
	if err != nil {
		return err
	}
	return a.connected(ctx, needServer, func(ctx context.Context, conn grpc.ClientConnInterface) error {
		records := encounterv1.NewRecordServiceClient(conn)
		keys, err := keysLine(ctx, records)
		if err != nil {
			return err
		}
		head, err := headLine(ctx, records, as, a.table, ofPatient(patient))
		if err != nil {
			return err
		}
		stream, err := injuryv1.NewPatientRecordServiceClient(conn).ExportPatient(ctx, &injuryv1.ExportPatientRequest{As: as, Table: a.table, Patient: patient})
		if err != nil {
			return err
		}
		return interleaved([]*injuryv1.RecordLine{keys, head}, func() (*injuryv1.RecordLine, error) {
			resp, err := stream.Recv()
			return resp.GetLine(), err
		}, fn)
	})
}

func (a *app) patientVerifyCommand() *cobra.Command {
	var f sinceFlags
	c := &cobra.Command{Use: "verify PATIENT", Short: "Check a patient's record and decide every deed in it again",
		Example: "  skald patient verify kara\n  skald patient verify kara --since kara.head", Args: cobra.ExactArgs(1),
		Long: `Verify exports a patient's record and checks it as skald verify does a file: the
chain of Commits, the digest of each part, the faces against what is revealed;
and it carries every deed out again on what it took from outside. What fights
brought into the record and deeds that touched other patients are decided again
with all of them alone: skald table export, and skald verify. With --since the
server must show a record that goes on from a head that was kept (skald patient
head).`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.verifyPatient(cmd.Context(), args[0], &f) }}
	f.heading(c)
	return c
}

func (a *app) verifyPatient(ctx context.Context, patient string, flags *sinceFlags) error {
	by, err := flags.verifiers()
	if err != nil {
		return err
	}
	f, err := proof.NewFile(systems.Registry(), by)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // a temporary folder
	if err := a.patientLines(ctx, patient, func(line *injuryv1.RecordLine) error { return f.Add(ctx, line) }); err != nil {
		return err
	}
	report, err := f.Report(ctx)
	if err != nil {
		return err
	}
	if len(flags.since) > 0 {
		if err := a.connected(ctx, needServer, func(ctx context.Context, conn grpc.ClientConnInterface) error {
			agree, unchecked, problems, err := a.extends(ctx, encounterv1.NewRecordServiceClient(conn), ofPatient(patient), flags)
			report.Kept, report.Unchecked, report.Problems = append(report.Kept, agree...), append(report.Unchecked, unchecked...), append(report.Problems, problems...)
			return err
		}); err != nil {
			return err
		}
	}
	return a.proved(report)
}

// proved says what the check of a file came to.
func (a *app) proved(report *proof.FileReport) error {
	if err := a.answerValue(report, report.String); err != nil {
		return err
	}
	if !report.OK() {
		return &failedError{"verification failed"}
	}
	return nil
}

// isRecord tells whether a file holds what is recorded of a patient or at a table.
func isRecord(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close() //nolint:errcheck // only read
	line, err := readLine(bufio.NewReader(f))
	var l injuryv1.RecordLine
	return (err == nil || errors.Is(err, io.EOF)) && protojson.Unmarshal(line, &l) == nil && l.GetRecord() != nil
}

// verifyRecord checks such a file against heads and reports that were kept: it reads it
// twice, so that each encounter is let go of with its last Commit.
func verifyRecord(ctx context.Context, name string, by note.Verifiers, kept []attest.Head, reports ...*proof.FileReport) (*proof.FileReport, error) {
	f, err := proof.NewFile(systems.Registry(), by)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // a temporary folder
	for _, h := range kept {
		f.Kept(h)
	}
	for _, r := range reports {
		if err := f.KeptReport(r); err != nil {
			return nil, usage("--since-report: %v", err)
		}
	}
	if err := eachRecordLine(name, func(line *injuryv1.RecordLine) error {
		f.Look(line)
		return nil
	}); err != nil {
		return nil, err
	}
	if err := eachRecordLine(name, func(line *injuryv1.RecordLine) error { return f.Add(ctx, line) }); err != nil {
		return nil, err
	}
	return f.Report(ctx)
}

func eachRecordLine(name string, fn func(*injuryv1.RecordLine) error) error {
	return eachLine(name, "a record", func() *injuryv1.RecordLine { return &injuryv1.RecordLine{} }, fn)
}

func (a *app) patientExplainCommand() *cobra.Command {
	return &cobra.Command{Use: "explain PATIENT [ENTRY]", Short: "Say why something came out as it did between fights", Args: cobra.RangeArgs(1, 2),
		Example: "  skald patient explain kara\n  skald patient explain kara 12",
		Long: `Explain says of an entry of a patient's history, the last one if none is named, who
did it, what was said and taken from outside, and of each event where its numbers
come from: faces, modifiers, what a roll was against, the rules behind each. Who
and what is told to the game master and to whoever gave the command.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			as, err := a.principal()
			if err != nil {
				return err
			}
			req := &injuryv1.ExplainDeedRequest{As: as, Table: a.table, Patient: args[0]}
			if len(args) > 1 {
				if req.Entry, err = strconv.ParseUint(strings.TrimPrefix(args[1], "#"), 10, 64); err != nil {
					return usage("the entry must be a number as skald patient history shows it, got %q", args[1])
				}
			}
			return a.connected(cmd.Context(), needServer, func(ctx context.Context, conn grpc.ClientConnInterface) error {
				for {
					call, cancel := a.call(ctx)
					resp, err := injuryv1.NewPatientRecordServiceClient(conn).ExplainDeed(call, req)
					cancel()
					if err != nil {
						return err
					}
					more := req.AfterEvents > 0
					if err := a.answer(resp, func() string { return render.ExplainDeed(resp, more) }); err != nil || !resp.More {
						return err
					}
					req.Entry, req.AfterEvents = resp.Entry, req.AfterEvents+uint32(len(resp.Events)) //nolint:gosec // a number of events
				}
			})
		}}
}

func (a *app) patientRevealCommand() *cobra.Command {
	var request string
	c := &cobra.Command{Use: "reveal PATIENT", Short: "Open the dice of everything that was done to a patient so far", Example: "  skald patient reveal kara", Args: cobra.ExactArgs(1),
		Long: `Reveal closes the epoch of a patient's dice: the seed of each branch is told to
those whom its rolls were told to, so that whoever saw a roll can check it, and new
dice are committed to for what comes. For the game master; nothing takes it back.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.tend(cmd.Context(), &tendFlags{commandFlags: commandFlags{request: request}}, &injuryv1.TendRequest{}, &eventv1.PatientCommand{Deed: "reveal", Patients: args})
		}}
	c.Flags().StringVar(&request, "request-id", "", "id of the request: repeating it repeats the answer, not the deed")
	return c
}
