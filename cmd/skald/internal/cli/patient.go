package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/render"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

func (a *app) patientCommand() *cobra.Command {
	return group("patient", "Wounds between fights: enrol, treat, rest, look",
		"Patient holds the commands of the injury service: creatures whose wounds outlive\nan encounter. In a fight a patient is engaged and can not be treated here.",
		a.enrolCommand(), a.patientGetCommand(), a.patientListCommand(), a.patientHistoryCommand(),
		a.deedCommand("treat", "Treat a patient", `  skald patient treat kara --user wim --item "healer's kit" --dice 14`),
		a.deedCommand("rest", "Let patients rest", "  skald patient rest kara --parameter kind=long"),
		a.deedCommand("pass-time", "Let time pass for a patient", "  skald patient pass-time kara --parameter hours=8"),
		a.deedCommand("harm", "Harm a patient between fights", "  skald patient harm kara --parameter amount=5 --parameter type=fire"),
		a.tendCommand(),
		a.backCommand("undo", "revert", "Take back what was done to patients last, or all since a version (a ruling)",
			"  skald patient undo kara --reason \"the potion was spent\"\n  skald patient undo kara --version 3 --dry-run"),
		a.patientRevealCommand(), a.patientExplainCommand(), a.patientExportCommand(), a.patientVerifyCommand(), a.patientHeadCommand(), a.patientWordsCommand(),
		a.backCommand("redo", "redo", "Take back the last undo (a ruling)", "  skald patient redo kara"))
}

// backCommand makes a ruling between fights. A deed that touched several patients is
// taken back for all of them.
func (a *app) backCommand(use, deed, short, example string) *cobra.Command {
	f := &tendFlags{}
	var reason string
	var version uint32
	var dry bool
	c := &cobra.Command{Use: use + " PATIENT...", Short: short, Example: example, Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if reason != "" {
				f.parameters = append(f.parameters, "reason="+reason)
			}
			if version > 0 {
				f.parameters = append(f.parameters, fmt.Sprintf("version=%d", version))
			}
			return a.tend(cmd.Context(), f, &injuryv1.TendRequest{Preview: dry}, &eventv1.PatientCommand{Deed: deed, Patients: args})
		}}
	c.Flags().StringVar(&f.request, "request-id", "", "id of the request: repeating it repeats the answer, not the deed")
	c.Flags().StringVar(&reason, "reason", "", "why, for all who are told")
	c.Flags().BoolVar(&dry, "dry-run", false, "say what would change and store nothing")
	if deed == "revert" {
		c.Flags().Uint32Var(&version, "version", 0, "version of the record to go back to; 0 means before the last deed")
	}
	return c
}

// tendFlags are those of every deed.
type tendFlags struct {
	commandFlags
	user, item string
	parameters []string
	dry        bool
}

func (f *tendFlags) add(flags *pflag.FlagSet) {
	f.commandFlags.add(flags)
	flags.Lookup("expected-cursor").Hidden = true
	flags.StringVar(&f.user, "user", "", "who does it, when that is a patient too")
	flags.StringVar(&f.item, "item", "", "spell, item, kit or ability")
	flags.StringArrayVar(&f.parameters, "parameter", nil, "parameter of the deed: NAME=VALUE")
	flags.BoolVar(&f.dry, "dry-run", false, "say what would change, roll samples, and store nothing (game master)")
}

func (a *app) tend(ctx context.Context, f *tendFlags, req *injuryv1.TendRequest, deed *eventv1.PatientCommand) error {
	var err error
	if req.As, err = a.principal(); err != nil {
		return err
	}
	if req.RequestId, err = requestID(f.request); err != nil {
		return err
	}
	cmd := &eventv1.Command{What: &eventv1.Command_Patient{Patient: deed}}
	if cmd.Faces, err = faces("dice", f.dice); err != nil {
		return err
	}
	if cmd.Answers, err = early(f.answers); err != nil {
		return err
	}
	if deed.Parameters, err = structOf("parameter", f.parameters); err != nil {
		return err
	}
	deed.User, deed.Item = f.user, f.item
	req.Table, req.Command, req.Preview = a.table, cmd, req.Preview || f.dry
	return a.connected(ctx, needServer, func(ctx context.Context, conn grpc.ClientConnInterface) error {
		ctx, cancel := a.call(ctx)
		defer cancel()
		resp, err := injuryv1.NewInjuryServiceClient(conn).Tend(ctx, req)
		if err != nil {
			return err
		}
		return a.answer(resp, func() string {
			style := render.Style{Rules: a.rules, Record: true}
			if req.Preview {
				return render.TendPreview(resp)
			}
			text := style.Events(resp.Events) + render.Patient(resp.Patient)
			for _, p := range resp.Others {
				text += render.Patient(p)
			}
			return text
		})
	})
}

func (a *app) deedCommand(deed, short, example string) *cobra.Command {
	f := &tendFlags{}
	c := &cobra.Command{Use: deed + " PATIENT...", Short: short, Example: example, Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.tend(cmd.Context(), f, &injuryv1.TendRequest{}, &eventv1.PatientCommand{Deed: deed, Patients: args})
		}}
	f.add(c.Flags())
	return c
}

func (a *app) tendCommand() *cobra.Command {
	f := &tendFlags{}
	c := &cobra.Command{Use: "tend DEED PATIENT...", Short: "Carry out any deed that the rule system knows",
		Example: "  skald patient tend stabilize kara --user wim", Args: cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.tend(cmd.Context(), f, &injuryv1.TendRequest{}, &eventv1.PatientCommand{Deed: args[0], Patients: args[1:]})
		}}
	f.add(c.Flags())
	return c
}

func (a *app) enrolCommand() *cobra.Command {
	f := &tendFlags{}
	var system, sheetName string
	var settings, packs []string
	var hp int32
	c := &cobra.Command{Use: "enrol PATIENT --system SYSTEM --sheet SHEET", Short: "Begin the record of a creature",
		Example: "  skald patient enrol kara --system rcr --sheet fighter\n  skald patient enrol kara --system rcr --sheet kara.yaml --hp 7", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := loadSheet(system, sheetName)
			if err != nil {
				return err
			}
			deed := &eventv1.PatientCommand{Deed: "enrol", Patients: args, Sheet: s}
			if cmd.Flags().Changed("hp") {
				deed.Vitals = &eventv1.Vitals{Hp: &hp}
			}
			req := &injuryv1.TendRequest{System: system}
			if req.Settings, err = pairs("set", settings); err != nil {
				return err
			}
			if req.Packs, err = a.digests(cmd.Context(), packs); err != nil {
				return err
			}
			return a.tend(cmd.Context(), f, req, deed)
		}}
	f.add(c.Flags())
	c.Flags().StringVar(&system, "system", "", "rule system")
	c.Flags().StringVar(&sheetName, "sheet", "", "sheet: a file, or the name of a shipped one")
	c.Flags().StringArrayVar(&settings, "set", nil, "setting that differs from its default: ID=VALUE")
	c.Flags().StringArrayVar(&packs, "pack", nil, "pack of content that it is kept with, by digest or name; repeat for several, later ones over earlier ones")
	c.Flags().Int32Var(&hp, "hp", 0, "hit points now")
	return c
}

// digests are those of packs by digest or name. One that the server offers and the
// table does not have yet is put there, as creating an encounter with it does.
func (a *app) digests(ctx context.Context, packs []string) ([]string, error) {
	if len(packs) == 0 {
		return nil, nil
	}
	as, err := a.principal()
	if err != nil {
		return nil, err
	}
	var out []string
	return out, a.connected(ctx, needServer, func(ctx context.Context, conn grpc.ClientConnInterface) error {
		ctx, cancel := a.call(ctx)
		defer cancel()
		client := encounterv1.NewContentServiceClient(conn)
		for _, name := range packs {
			found, err := client.GetPack(ctx, &encounterv1.GetPackRequest{As: as, Table: a.table, Pack: name})
			if err != nil {
				return err
			}
			if found.Summary.Base {
				if _, err := client.PutPack(ctx, &encounterv1.PutPackRequest{As: as, Table: a.table, Pack: found.Pack}); err != nil {
					return err
				}
			}
			out = append(out, found.Summary.Digest)
		}
		return nil
	})
}

// asking makes a command that asks the injury service something.
func (a *app) asking(use, short, example string, args cobra.PositionalArgs,
	fn func(ctx context.Context, client injuryv1.InjuryServiceClient, as *eventv1.Principal, args []string) error) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Example: example, Args: args,
		RunE: func(cmd *cobra.Command, args []string) error {
			as, err := a.principal()
			if err != nil {
				return err
			}
			return a.connected(cmd.Context(), needServer, func(ctx context.Context, conn grpc.ClientConnInterface) error {
				return fn(ctx, injuryv1.NewInjuryServiceClient(conn), as, args)
			})
		}}
}

func (a *app) patientGetCommand() *cobra.Command {
	var version uint64
	c := a.asking("get PATIENT", "Show a record", "  skald patient get kara", cobra.ExactArgs(1),
		func(ctx context.Context, client injuryv1.InjuryServiceClient, as *eventv1.Principal, args []string) error {
			ctx, cancel := a.call(ctx)
			defer cancel()
			resp, err := client.GetPatient(ctx, &injuryv1.GetPatientRequest{Table: a.table, Patient: args[0], As: as, Version: version})
			if err != nil {
				return err
			}
			return a.answer(resp.Patient, func() string { return render.Patient(resp.Patient) })
		})
	c.Flags().Uint64Var(&version, "version", 0, "version of the record; 0 means now")
	return c
}

func (a *app) patientListCommand() *cobra.Command {
	return a.asking("list", "List the records of a table", "  skald patient list --table main", cobra.NoArgs,
		func(ctx context.Context, client injuryv1.InjuryServiceClient, as *eventv1.Principal, _ []string) error {
			after := ""
			for {
				call, cancel := a.call(ctx)
				resp, err := client.ListPatients(call, &injuryv1.ListPatientsRequest{Table: a.table, As: as, After: after})
				cancel()
				if err != nil {
					return err
				}
				for _, p := range resp.Patients {
					after = p.Patient
					if err := a.answer(p, func() string { return render.Patient(p) }); err != nil {
						return err
					}
				}
				if !resp.More || len(resp.Patients) == 0 {
					return nil
				}
			}
		})
}

func (a *app) patientHistoryCommand() *cobra.Command {
	return a.asking("history PATIENT", "Show what happened to a patient, fights included", "  skald patient history kara", cobra.ExactArgs(1),
		func(ctx context.Context, client injuryv1.InjuryServiceClient, as *eventv1.Principal, args []string) error {
			style := render.Style{Rules: a.rules}
			req := &injuryv1.GetPatientHistoryRequest{Table: a.table, Patient: args[0], As: as}
			for {
				call, cancel := a.call(ctx)
				resp, err := client.GetPatientHistory(call, req)
				cancel()
				if err != nil {
					return err
				}
				for _, e := range resp.Entries {
					first := req.AfterEvents == 0
					if e.More {
						req.After, req.AfterEvents = e.Number-1, req.AfterEvents+uint32(len(e.Events)) //nolint:gosec // a number of events
					} else {
						req.After, req.AfterEvents = e.Number, 0
					}
					if err := a.answer(e, func() string { return entry(style, e, first) }); err != nil {
						return err
					}
				}
				if !resp.More || len(resp.Entries) == 0 {
					return nil
				}
			}
		})
}

// entry is an entry of a history, or a piece of one that is not its first.
func entry(style render.Style, e *injuryv1.HistoryEntry, first bool) string {
	e = render.Safe(e)
	if !first {
		return style.Events(e.Events)
	}
	where := "between fights"
	style.Record = e.Encounter == ""
	if e.Encounter != "" {
		where = "in encounter " + e.Encounter
	}
	when := time.UnixMilli(e.UnixMillis).UTC().Format(time.DateTime)
	return fmt.Sprintf("#%d %s, %s, %s\n%s", e.Number, strings.TrimSpace(e.Deed), where, when, style.Events(e.Events))
}
