package cli

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/mod/sumdb/note"
	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/cmd/skald/internal/cosign"
	"github.com/skaldrpg/skald/cmd/skald/internal/proof"
	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/text"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter"
)

// recording makes a cobra command that asks about the record of an encounter.
func (a *app) recording(use, short, example string, args cobra.PositionalArgs,
	fn func(ctx context.Context, client encounterv1.RecordServiceClient, as *eventv1.Principal, args []string) error) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Example: example, Args: args,
		RunE: func(cmd *cobra.Command, args []string) error {
			as, err := a.principal()
			if err != nil {
				return err
			}
			return a.connected(cmd.Context(), needServer, func(ctx context.Context, conn grpc.ClientConnInterface) error {
				return fn(ctx, encounterv1.NewRecordServiceClient(conn), as, args)
			})
		}}
}

// recorded is what a question about the record is about: an encounter or a patient.
type recorded struct{ encounter, patient string }

// ofEncounter and ofPatient name it.
func ofEncounter(id string) recorded { return recorded{encounter: id} }
func ofPatient(id string) recorded   { return recorded{patient: id} }

// head asks where a record stands.
func (a *app) head(ctx context.Context, client encounterv1.RecordServiceClient, as *eventv1.Principal, of recorded) (*encounterv1.GetHeadResponse, error) {
	ctx, cancel := a.call(ctx)
	defer cancel()
	return client.GetHead(ctx, &encounterv1.GetHeadRequest{As: as, Table: a.table, Encounter: of.encounter, Patient: of.patient})
}

func (a *app) publicWordsCommand() *cobra.Command {
	c := a.wordsOf("words ENCOUNTER", "  skald encounter words bridge", "step", ofEncounter)
	c.Long = `Words says which public history the server shows you: the same words at the same
step mean that all were told the same. They are made from the transcript of what
everybody may see, so that they are the same for all (docs/RECORD.md).`
	return c
}

func (a *app) patientWordsCommand() *cobra.Command {
	c := a.wordsOf("words PATIENT", "  skald patient words kara", "entry", ofPatient)
	c.Long = `Words says which public history of a patient the server shows you, fights included:
the same words at the same entry mean that all were told the same (docs/RECORD.md).`
	return c
}

func (a *app) wordsOf(use, example, unit string, of func(string) recorded) *cobra.Command {
	return a.recording(use, "Say the public history in a few words, to compare aloud", example,
		cobra.ExactArgs(1), func(ctx context.Context, client encounterv1.RecordServiceClient, as *eventv1.Principal, args []string) error {
			resp, err := a.head(ctx, client, as, of(args[0]))
			if err != nil {
				return err
			}
			return a.answer(resp.Public, func() string {
				return fmt.Sprintf("%s %d: %s\n", unit, resp.Public.GetNumber(), resp.Public.GetWords())
			})
		})
}

func (a *app) headCommand() *cobra.Command {
	c := a.headOf("head ENCOUNTER", `  skald encounter head bridge -o bridge.head
  skald verify bridge --since bridge.head
  skald encounter head bridge --of chain`, "the Commits: for the game master, and for all when it is over",
		"Commits are the game master's to count until the encounter is over", ofEncounter)
	c.Long = `Head prints where your transcript stands, signed by the server. Whoever keeps it
can demand later that the server shows a history that goes on from it.`
	return c
}

func (a *app) patientHeadCommand() *cobra.Command {
	c := a.headOf("head PATIENT", `  skald patient head kara -o kara.head
  skald patient verify kara --since kara.head
  skald patient head kara --of chain`, "the Commits: for the game master",
		"Commits are the game master's to count, and a patient's record is never over", ofPatient)
	c.Long = `Head prints where your transcript of a patient's history stands, fights included,
signed by the server. Whoever keeps it can demand later that the server shows a
history that goes on from it. That of the chain is of the patient's own Commits.`
	return c
}

func (a *app) headOf(use, example, chain, uncounted string, of func(string) recorded) *cobra.Command {
	var file, which string
	c := a.recording(use, "Keep the signed head of what you were told", example,
		cobra.ExactArgs(1), func(ctx context.Context, client encounterv1.RecordServiceClient, as *eventv1.Principal, args []string) error {
			resp, err := a.head(ctx, client, as, of(args[0]))
			if err != nil {
				return err
			}
			if a.json {
				return a.value(resp)
			}
			signed, ok := map[string]string{"own": resp.Heads.GetOwn(), "public": resp.Heads.GetPublic(), "chain": resp.Heads.GetChain()}[which]
			if !ok {
				return usage("--of: want own, public or chain, got %q", which)
			}
			if signed == "" {
				return usage("--of chain: %s", uncounted)
			}
			if file == "" {
				return a.tell(signed)
			}
			if err := os.WriteFile(file, []byte(signed), 0o600); err != nil {
				return usage("%v", err)
			}
			return nil
		})
	c.Flags().StringVarP(&file, "output", "o", "", "file to write; empty means standard output")
	c.Flags().StringVar(&which, "of", "own", "own (your transcript), public, or chain ("+chain+")")
	return c
}

func (a *app) keysCommand() *cobra.Command {
	list := &cobra.Command{Use: "list", Short: "List the public keys of a server, the oldest first", Example: "  skald keys list", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.connected(cmd.Context(), needServer, func(ctx context.Context, conn grpc.ClientConnInterface) error {
				ctx, cancel := a.call(ctx)
				defer cancel()
				resp, err := encounterv1.NewRecordServiceClient(conn).GetKeys(ctx, &encounterv1.GetKeysRequest{})
				if err != nil {
					return err
				}
				return a.answer(resp, func() string { return keyLines(resp.Keys) })
			})
		}}
	return group("keys", "List and rotate the keys that sign heads", `A server signs heads and checkpoints by a key that it makes at its first start, in
heads.key of its data folder. Keys of the past stay listed.`, list, a.rotateCommand())
}

func (a *app) rotateCommand() *cobra.Command {
	var data, file string
	var lost bool
	var known []string
	c := &cobra.Command{Use: "rotate", Short: "Make a new key; the old one stays listed and endorses it", Args: cobra.NoArgs,
		Example: `  skald keys rotate --data data
  skald keys rotate --lost --data data --known 'skald+c0ffee00+AY1...'`,
		Long: `Rotate makes a new key beside a server, running or not. The old key stays listed
and endorses the new one.

A server whose file of keys is lost or damaged does not start once Commits are
stored: put the file back from a copy. Where there is none, --lost begins anew. No
old key endorses the new one, so everybody has to be told of it: verify, witness and
whoever kept a head refuse it until then. Name the public keys that were in use, as
people kept them, by --known: they stay listed, with the break after them. A file
that can not be read is kept beside the new one.`,
		RunE: func(*cobra.Command, []string) error {
			path := cmp.Or(file, filepath.Join(data, encounter.KeysFile))
			if len(known) > 0 && !lost {
				return usage("--known: wants --lost")
			}
			var verifier string
			var err error
			if lost {
				verifier, err = attest.Replace(path, attest.DefaultName, known, rand.Reader)
			} else {
				verifier, err = attest.Rotate(path, rand.Reader)
			}
			if err != nil {
				return usage("%v", err)
			}
			return a.tell(verifier + "\n")
		}}
	f := c.Flags()
	f.StringVar(&data, "data", "data", "folder of the server, which may be running")
	f.StringVar(&file, "keys", "", "file of keys; empty means heads.key in --data")
	f.BoolVar(&lost, "lost", false, "the file is lost or damaged: begin with a key that nobody knows yet")
	f.StringArrayVar(&known, "known", nil, "with --lost, public key that was in use, the oldest first; repeat for several")
	return c
}

func keyLines(keys []*encounterv1.PublicKey) string {
	var b strings.Builder
	for i, k := range keys {
		state := "retired"
		if k.Current {
			state = "signs"
		}
		if i > 0 && k.Endorsement == "" {
			b.WriteString("break   the key before was lost: it does not endorse the next one\n")
		}
		fmt.Fprintf(&b, "%-8s%s\n", state, text.Escape(k.Verifier))
	}
	return b.String()
}

func (a *app) witnessCommand() *cobra.Command {
	var w cosign.Witness
	var keyFile, name string
	var interval time.Duration
	var once bool
	c := &cobra.Command{Use: "witness", Short: "Watch that a server's log only grows, and sign what it holds", Args: cobra.NoArgs,
		Example: `  skald witness --state server.witness --witness-key my.key --server fights.example:7700
  skald witness --state server.witness --witness-key my.key --once`,
		Long: `Witness asks the server for the checkpoint of the tree over every Commit of
encounters in the stream that holds --table, and for that over every Commit of the
table's patients, checks that each extends the last one that it signed, and signs
it; the signed checkpoints stand in the file --state. It refuses, and ends
with exit code 1, when the log is shorter or another than it was: then --state keeps
what was refused. It believes the server's keys that --key names, or those that the
server lists the first time, and after that those that they endorse. On a server
with keys for callers its token needs the scope witness.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			own, err := attest.OpenKeys(keyFile, name, rand.Reader)
			if err != nil {
				return usage("%v", err)
			}
			w.Own = own
			return a.connected(cmd.Context(), needServer, func(ctx context.Context, conn grpc.ClientConnInterface) error {
				w.Client = encounterv1.NewRecordServiceClient(conn)
				return a.witness(ctx, &w, interval, once)
			})
		}}
	f := c.Flags()
	f.StringVar(&w.File, "state", "skald.witness", "file that keeps the last checkpoints")
	f.StringVar(&keyFile, "witness-key", "witness.key", "file of the own keys, made when there is none")
	f.StringVar(&name, "name", "witness", "name of a key that is made")
	f.StringArrayVar(&w.Keys, "key", nil, "key of the server to believe, as skald keys list prints it; repeat for several")
	f.DurationVar(&interval, "interval", time.Minute, "time between two looks")
	f.BoolVar(&once, "once", false, "look once")
	return c
}

// witness looks until the context ends, once, or until the log is refused. A server
// that does not answer is asked again.
func (a *app) witness(ctx context.Context, w *cosign.Witness, interval time.Duration, once bool) error {
	for {
		call, cancel := a.call(ctx)
		logs, err := w.Look(call, a.table)
		cancel()
		switch {
		case errors.Is(err, cosign.ErrRefused):
			return &failedError{text.Escape(err.Error())}
		case err != nil && once:
			return err
		case err != nil:
			fmt.Fprintf(a.err, "skald: %s\n", text.Escape(err.Error())) //nolint:errcheck // only for people
		default:
			for _, log := range logs {
				if err := a.answerValue(log, func() string { return log.Signed }); err != nil {
					return err
				}
			}
			if once {
				return nil
			}
		}
		select {
		case <-time.After(interval):
		case <-ctx.Done():
			return nil
		}
	}
}

// sinceFlags are those of verify about heads.
type sinceFlags struct {
	since   []string
	reports []string
	keys    []string
}

// heading declares the flags about heads.
func (f *sinceFlags) heading(c *cobra.Command) {
	c.Flags().StringArrayVar(&f.since, "since", nil, "file with a signed head from which the record must go on; repeat for several")
	c.Flags().StringArrayVar(&f.keys, "key", nil, "key of the server to believe, as skald keys list prints it; repeat for several")
}

// earlier reads the files of --since-report.
func (f *sinceFlags) earlier() (out []*proof.FileReport, err error) {
	for _, name := range f.reports {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, usage("%v", err)
		}
		r := &proof.FileReport{}
		if err := json.Unmarshal(data, r); err != nil || len(r.Ends) == 0 {
			return nil, usage("--since-report %s: no report of skald verify --json on a file of a table or of a patient", name)
		}
		out = append(out, r)
	}
	return out, nil
}

// heads reads the files of --since.
func (f *sinceFlags) heads(by note.Verifiers) ([]attest.Head, error) {
	var out []attest.Head
	for _, name := range f.since {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, usage("%v", err)
		}
		h, err := attest.OpenHead(string(data), by)
		if by == nil {
			h, err = attest.UncheckedHead(string(data))
		}
		if err != nil {
			return nil, usage("--since %s: %v", name, err)
		}
		out = append(out, h)
	}
	return out, nil
}

// verifiers are those of --key; nil when there is none.
func (f *sinceFlags) verifiers() (note.Verifiers, error) {
	if len(f.keys) == 0 {
		return nil, nil
	}
	by, err := attest.Verifiers(f.keys...)
	if err != nil {
		return nil, usage("--key: %v", err)
	}
	return by, nil
}

// extends demands of the server that it shows a history that goes on from each head, and
// says of each that it does or how not.
func (a *app) extends(ctx context.Context, client encounterv1.RecordServiceClient, of recorded, f *sinceFlags) (agree, unchecked, problems []string, err error) {
	by, err := f.verifiers()
	if err != nil {
		return nil, nil, nil, err
	}
	if by == nil {
		listed, err := client.GetKeys(ctx, &encounterv1.GetKeysRequest{})
		if err != nil {
			return nil, nil, nil, err
		}
		var keys []string
		for _, k := range listed.Keys {
			keys = append(keys, k.Verifier)
		}
		if by, err = attest.Verifiers(keys...); err != nil {
			return nil, nil, nil, err
		}
		unchecked = append(unchecked, "whose the keys are: no --key was given, and those that the server lists were believed")
	}
	kept, err := f.heads(by)
	if err != nil {
		return nil, nil, nil, err
	}
	for _, old := range kept {
		now, err := a.goesOn(ctx, client, of, old, by)
		if err != nil {
			var gone *notExtended
			if !errors.As(err, &gone) {
				return nil, nil, nil, err
			}
			problems = append(problems, err.Error())
			continue
		}
		agree = append(agree, fmt.Sprintf("%s at %d: it goes on to %d", old.Viewer, old.Number, now.Number))
	}
	return agree, unchecked, problems, nil
}

// notExtended says that a server's history does not go on from a head.
type notExtended struct{ error }

// goesOn asks for the newest head and for what lies between.
func (a *app) goesOn(ctx context.Context, client encounterv1.RecordServiceClient, of recorded, old attest.Head, by note.Verifiers) (attest.Head, error) {
	as, err := a.principal()
	if err != nil {
		return attest.Head{}, err
	}
	resp, err := a.head(ctx, client, as, of)
	if err != nil {
		return attest.Head{}, err
	}
	ctx, cancel := a.call(ctx)
	defer cancel()
	signed := resp.Heads.GetOwn()
	switch old.Viewer {
	case attest.Chain:
		signed = resp.Heads.GetChain()
	case "spectator":
		signed = resp.Heads.GetPublic()
	}
	now, err := attest.OpenHead(signed, by)
	if err != nil {
		return now, &notExtended{err}
	}
	if now.Number <= old.Number || !now.SameOrigin(old) {
		return now, extended(proof.Extends(now, old, nil))
	}
	if old.Viewer == attest.Chain {
		headers, err := headersBetween(ctx, client, as, a.table, of, old.Number, now.Number)
		if err != nil {
			return now, err
		}
		return now, extended(proof.ExtendsChain(now, old, headers))
	}
	digests, err := digestsBetween(ctx, client, as, a.table, of, old, now.Number)
	if err != nil {
		return now, err
	}
	return now, extended(proof.Extends(now, old, digests))
}

func extended(err error) error {
	if err == nil {
		return nil
	}
	return &notExtended{err}
}

func headersBetween(ctx context.Context, client encounterv1.RecordServiceClient, as *eventv1.Principal, table string, of recorded, after, to uint64) ([][]byte, error) {
	var out [][]byte
	for {
		resp, err := client.GetHeaders(ctx, &encounterv1.GetHeadersRequest{As: as, Table: table, Encounter: of.encounter, Patient: of.patient, After: after + uint64(len(out))})
		if err != nil {
			return nil, err
		}
		out = append(out, resp.Headers...)
		if n := to - after; uint64(len(out)) >= n {
			return out[:n], nil
		}
		if !resp.More || len(resp.Headers) == 0 {
			return out, nil
		}
	}
}

func digestsBetween(ctx context.Context, client encounterv1.RecordServiceClient, as *eventv1.Principal, table string, of recorded, old attest.Head, to uint64) ([][]byte, error) {
	var out [][]byte
	for {
		resp, err := client.GetTranscript(ctx, &encounterv1.GetTranscriptRequest{As: as, Table: table, Encounter: of.encounter, Patient: of.patient,
			After: old.Number + uint64(len(out)), Public: old.Viewer == "spectator"})
		if err != nil {
			return nil, err
		}
		for _, s := range resp.Steps {
			out = append(out, s.Digest)
		}
		if n := to - old.Number; uint64(len(out)) >= n {
			return out[:n], nil
		}
		if !resp.More || len(resp.Steps) == 0 {
			return out, nil
		}
	}
}
