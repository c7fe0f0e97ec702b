package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/cmd/skald/internal/erase"
	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/text"
	"github.com/skaldrpg/skald/pkg/tombstone"
	opsv1 "github.com/skaldrpg/skald/proto/skald/ops/v1"
	"github.com/skaldrpg/skald/services/encounter"
)

// overNATS is how a command reaches the journal without a server's help.
type overNATS struct {
	url        string
	options    journal.ConnectOptions
	keys       string
	checkpoint string
}

func (a *app) tableCommand() *cobra.Command {
	return group("table", "A whole table: its record in one file, and its deletion", `Export is the game master's. List, delete and tombstone are an operator's: with keys
the token needs the scope admin. They ask a server that runs everything in one process (skald up). Where the services run by
themselves, their credentials for NATS may not delete: there they work on the
journal itself, with --nats, an administrator's credentials, and the keys that
sign heads (--keys).`, a.tableExportCommand(), a.tableListCommand(), a.tableDeleteCommand(), a.tombstoneCommand())
}

func (o *overNATS) flags(c *cobra.Command) {
	f := c.Flags()
	credentialFlags(f, &o.url, &o.options)
	f.StringVar(&o.keys, "keys", "", "with --nats: file of the keys that sign heads")
	o.options.Name = "skald-table"
}

// tables runs fn against a server, or over NATS.
func (a *app) tables(ctx context.Context, o *overNATS, fn func(ctx context.Context, client opsv1.TableServiceClient) error) error {
	if o.url == "" {
		return a.connected(ctx, needServer, func(ctx context.Context, conn grpc.ClientConnInterface) error {
			return fn(ctx, opsv1.NewTableServiceClient(conn))
		})
	}
	if o.keys == "" {
		return usage("--nats wants --keys, the file of the keys that sign heads")
	}
	keys, err := attest.ReadKeys(o.keys)
	if err != nil {
		return usage("--keys: %v", err)
	}
	log, err := a.logger("warn", false)
	if err != nil {
		return err
	}
	nc, err := journal.Connect(ctx, o.url, o.options)
	if err != nil {
		return err
	}
	defer nc.Close()
	streams, err := journal.OpenSet(ctx, nc, journal.SetConfig{Log: log})
	if err != nil {
		return err
	}
	e := erase.New(erase.Config{Streams: streams, Keys: keys, Logger: log, Left: leftElsewhere,
		Chains: func(ctx context.Context, stream int, table string, _ uint64) ([]tombstone.Chain, error) {
			one, err := streams.Stream(ctx, stream)
			if err != nil {
				return nil, err
			}
			ends, err := encounter.EndsOf(ctx, one, stream, table, log)
			return allinone.Chains(ends), err
		},
		Checkpoint: func(context.Context, int) (string, error) { return readCheckpoint(o.checkpoint, keys) }})
	return fn(ctx, erase.Direct(e, operator()))
}

// operator is who calls where no token says so.
func operator() string {
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username
	}
	return "operator"
}

// readCheckpoint reads the text of a checkpoint that was kept; empty without a file.
func readCheckpoint(file string, keys *attest.Keys) (string, error) {
	if file == "" {
		return "", nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return "", usage("--checkpoint: %v", err)
	}
	by, err := tombstone.ByKeys(keys).Keys()
	if err != nil {
		return "", err
	}
	c, _, err := attest.OpenCheckpoint(string(data), by)
	if err != nil {
		return "", usage("--checkpoint: %v", err)
	}
	return c.Text(), nil
}

// leftElsewhere is what nobody can see from here.
func leftElsewhere(_ context.Context, stream int, _ []tombstone.Sequences) []*opsv1.Leftover {
	name := journal.StreamName(stream)
	return []*opsv1.Leftover{
		{What: "the archive of " + name + ", and backups that were made before", Command: "stop skald archive; skald archive erase --archive DIR --keys HEADS.KEY, for each"},
		{What: "freed places in the services' projections, until something else is written there", Command: "stop each service; its subcommand rebuild"},
		{What: "freed places in the blocks of " + name + " on the NATS servers, until they compact them"},
	}
}

func (a *app) tableListCommand() *cobra.Command {
	var o overNATS
	c := &cobra.Command{
		Use:     "list",
		Short:   "List the tables of the journal, those deleted included",
		Example: "  skald table list\n  skald table list --nats nats://nats:4222 --nats-creds admin.creds --keys heads.key",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.tables(cmd.Context(), &o, func(ctx context.Context, client opsv1.TableServiceClient) error {
				ctx, cancel := a.call(ctx)
				defer cancel()
				all := &opsv1.ListTablesResponse{}
				for after, more := "", true; more; {
					page, err := client.ListTables(ctx, &opsv1.ListTablesRequest{After: after})
					if err != nil {
						return err
					}
					all.Tables = append(all.Tables, page.Tables...)
					if more = page.More && len(page.Tables) > 0; more {
						after = page.Tables[len(page.Tables)-1].Table
					}
				}
				return a.answer(all, func() string { return tableLines(all.Tables) })
			})
		},
	}
	o.flags(c)
	return c
}

func tableLines(tables []*opsv1.Table) string {
	var b strings.Builder
	for _, t := range tables {
		state := ""
		if t.Deleted {
			state = "  deleted"
		}
		fmt.Fprintf(&b, "%-24s stream %d  %s%s\n", text.Escape(t.Table), t.Stream, countWords(t.Records), state)
	}
	return b.String()
}

func countWords(counts []*opsv1.RecordCount) string {
	var out []string
	for _, c := range counts {
		words := fmt.Sprintf("%d %s", c.Records, text.Escape(c.Kind))
		if c.Bytes > 0 {
			words += fmt.Sprintf(" (%d bytes)", c.Bytes)
		}
		out = append(out, words)
	}
	return strings.Join(out, ", ")
}

func (a *app) tableDeleteCommand() *cobra.Command {
	var o overNATS
	var reason string
	var yes, dry, open bool
	c := &cobra.Command{
		Use:   "delete TABLE",
		Short: "Delete everything of a table but a signed tombstone",
		Long: `Delete removes every record of a table from the journal: its encounters, patients,
dice, packs. What stays is a tombstone: a note, signed by the key that signs heads,
with who deleted the table, when and why, how many records of which kind it had, and
where each chain ended. The table's name is used up.

First it shows what would go. Only with --yes does it go on. A table with a fight that
is not over is refused without --open-fights. It ends with a list of what still holds
something of the table (archive, backups), and how to remove that. When it breaks off,
the same command, or the next start of the server, ends it.`,
		Example: `  skald table delete friday --dry-run
  skald table delete friday --reason "the campaign is over" --yes
  skald table delete friday --reason "asked by kim" --yes --nats nats://nats:4222 --nats-user admin --keys heads.key`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if reason == "" && !dry {
				return usage("want --reason, or --dry-run")
			}
			return a.tables(cmd.Context(), &o, func(ctx context.Context, client opsv1.TableServiceClient) error {
				req := &opsv1.DeleteTableRequest{Table: args[0], Reason: reason, OpenFights: open, DryRun: true}
				plan, err := client.DeleteTable(ctx, req)
				if err != nil {
					return err
				}
				if dry {
					return a.answer(plan, func() string { return planLines(plan) + leftLines(plan.Left) })
				}
				if !yes {
					if err := a.answer(plan, func() string { return planLines(plan) }); err != nil {
						return err
					}
					return usage("nothing was done: give --yes to delete it")
				}
				if !a.json {
					if err := a.tell(planLines(plan)); err != nil {
						return err
					}
				}
				req.DryRun = false
				done, err := client.DeleteTable(ctx, req)
				if err != nil {
					return err
				}
				return a.answer(done, func() string { return doneLines(done) })
			})
		},
	}
	o.flags(c)
	f := c.Flags()
	f.StringVar(&reason, "reason", "", "why, one line: the tombstone keeps it")
	f.BoolVar(&yes, "yes", false, "delete it")
	f.BoolVar(&dry, "dry-run", false, "show what would go, and what would still hold something of it")
	f.BoolVar(&open, "open-fights", false, "also when a fight is not over")
	f.StringVar(&o.checkpoint, "checkpoint", "", "with --nats: file of the last checkpoint that was kept, for the tombstone")
	return c
}

func planLines(r *opsv1.DeleteTableResponse) string {
	var b strings.Builder
	fmt.Fprintf(&b, "table %s in stream %d: %s\n", text.Escape(r.Contents.GetTable()), r.Contents.GetStream(), countWords(r.Contents.GetRecords()))
	for _, c := range r.Contents.GetChains() {
		state := ""
		if c.Open {
			state = ", not over"
		}
		fmt.Fprintf(&b, "  %s %s: %d Commits%s\n", text.Escape(c.Kind), text.Escape(c.Id), c.Version, state)
	}
	if r.Resumed {
		b.WriteString("its deletion had broken off\n")
	}
	return b.String()
}

func leftLines(left []*opsv1.Leftover) string {
	if len(left) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("what still holds, or may hold, something of it:\n")
	for _, l := range left {
		fmt.Fprintf(&b, "  %s\n", text.Escape(l.What))
		if l.Command != "" {
			fmt.Fprintf(&b, "    %s\n", text.Escape(l.Command))
		}
	}
	return b.String()
}

func doneLines(r *opsv1.DeleteTableResponse) string {
	return "deleted; its tombstone:\n\n" + lines(r.Tombstone) + "\n" + leftLines(r.Left)
}

// lines are a note's, each escaped.
func lines(note string) string {
	var b strings.Builder
	for line := range strings.Lines(note) {
		b.WriteString(text.Escape(strings.TrimSuffix(line, "\n")) + "\n")
	}
	return b.String()
}

// checkedTombstone is a tombstone with what was found of it, for --json.
type checkedTombstone struct {
	Tombstone tombstone.Tombstone `json:"tombstone"`
	Note      string              `json:"note"`
	Signed    bool                `json:"signed"` // by a key that was given
}

func (a *app) tombstoneCommand() *cobra.Command {
	var o overNATS
	var f sinceFlags
	c := &cobra.Command{
		Use:   "tombstone TABLE|FILE",
		Short: "Print the tombstone of a deleted table, or check one that was kept",
		Long: `Tombstone prints the signed note that stands in the place of a deleted table, as it
is: what is printed can be kept in a file, and the file be checked offline by the
server's keys (--key, once for each; skald keys list). A file whose signature no such
key made is refused with the exit code of what does not hold.`,
		Example: "  skald table tombstone friday > friday.tombstone\n  skald table tombstone friday.tombstone --key \"$KEY\"",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			by, err := f.verifiers()
			if err != nil {
				return err
			}
			show := func(note string) error {
				t, err := tombstone.Unchecked(note)
				if by != nil && err == nil {
					t, err = tombstone.Open(note, by)
				}
				if err != nil {
					return &failedError{err.Error()}
				}
				if by != nil && !a.json {
					return a.tell(fmt.Sprintf("the tombstone of table %s holds: deleted %s by %s, %d records, %d chains\n", text.Escape(t.Table),
						time.UnixMilli(t.Millis).UTC().Format(time.RFC3339), text.Escape(t.By), t.Sequences, len(t.Chains)))
				}
				return a.answerValue(checkedTombstone{t, note, by != nil}, func() string { return note })
			}
			if info, err := os.Stat(args[0]); err == nil && info.Mode().IsRegular() {
				data, err := os.ReadFile(filepath.Clean(args[0]))
				if err != nil {
					return usage("%v", err)
				}
				return show(string(data))
			}
			return a.tables(cmd.Context(), &o, func(ctx context.Context, client opsv1.TableServiceClient) error {
				ctx, cancel := a.call(ctx)
				defer cancel()
				got, err := client.GetTombstone(ctx, &opsv1.GetTombstoneRequest{Table: args[0]})
				if err != nil {
					return err
				}
				err = show(got.Tombstone)
				for _, further := range got.Later {
					err = errors.Join(err, show(further))
				}
				return err
			})
		},
	}
	o.flags(c)
	c.Flags().StringArrayVar(&f.keys, "key", nil, "a key of the server, once for each; then the signature is checked")
	return c
}
