package cli

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/text"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// defaultServer is where `skald up` listens when nothing is said.
const defaultServer = "127.0.0.1:7700"

// app is one invocation: its streams and the global flags.
type app struct {
	conn             grpc.ClientConnInterface // of the command under way; nil before
	in               io.Reader
	out              io.Writer
	err              io.Writer
	server           string
	as               string
	table            string
	token, tokenFile string
	json             bool
	rules            bool
	timeout          time.Duration
	tls              rpc.TLSFiles
	help             string // where the command line that failed is explained
	running          bool   // arguments were understood; what fails now is no usage error
}

// Run carries out a command line and returns the exit code.
func Run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	a := &app{in: in, out: out, err: errOut}
	root := a.root()
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exitOK
	}
	if !a.running {
		err = &usageError{err}
	}
	a.help = cmd.CommandPath() + " --help"
	return a.report(err)
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "skald",
		Short: "Run tabletop fights and remember them",
		Long: `Skald adjudicates tabletop combat and remembers it: every accepted command is
one Commit, state is a fold over events, and every ruling names its rule.

Commands that only compute (roll, odds, rules, sheet check, scenario run, demo)
need no server: without --server they use services of their own in this process
that end with the command. The others talk to --server, by default ` + defaultServer + `.

Every flag may also come from the environment: --server from SKALD_SERVER,
--dice-policy from SKALD_DICE_POLICY, and so on.`,
		Example: `  skald demo
  skald up
  skald roll 4d6kh3`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		if err := fromEnvironment(cmd.Flags()); err != nil {
			return err
		}
		a.running = true
		return nil
	}
	f := root.PersistentFlags()
	f.StringVar(&a.server, "server", "", "address of the server (default "+defaultServer+" where one is needed)")
	f.StringVar(&a.as, "as", "", "on whose behalf: gm, spectator, or player:NAME (default gm, or whose the token is)")
	f.StringVar(&a.table, "table", "", "table id (default main, or that of the token)")
	f.StringVar(&a.token, "token", "", "token for a server with keys; better given by the environment: other users can see flags")
	f.StringVar(&a.tokenFile, "token-file", "", "file that holds it")
	f.BoolVar(&a.json, "json", false, "print JSON, one value a line")
	f.BoolVar(&a.rules, "rule-ids", false, "show the rule ids behind each event")
	f.DurationVar(&a.timeout, "timeout", 30*time.Second, "longest time for one call")
	f.StringVar(&a.tls.CA, "tls-ca", "", "PEM file of the authorities that sign the server (turns TLS on)")
	f.StringVar(&a.tls.Cert, "tls-cert", "", "PEM file of the own certificate")
	f.StringVar(&a.tls.Key, "tls-key", "", "PEM file of the own key")
	f.BoolVar(&a.tls.Enabled, "tls", false, "speak TLS with the system's authorities")
	root.AddCommand(a.upCommand(), a.demoCommand(), a.rollCommand(), a.oddsCommand(), a.encounterCommand(),
		a.watchCommand(), a.undoCommand(), a.redoCommand(), a.amendCommand(), a.replayCommand(), a.rebuildCommand(), a.streamsCommand(), a.verifyCommand(), a.scrubCommand(), a.scenarioCommand(),
		a.rulesCommand(), a.patientCommand(), a.tableCommand(), a.sheetCommand(), a.importCommand(), a.contentCommand(), a.tokenCommand(), a.versionCommand(),
		a.mendCommand(), a.statusCommand(), a.archiveCommand(), a.backupCommand(), a.restoreCommand(), a.keysCommand(), a.witnessCommand(), a.personCommand(), a.mcpCommand(), a.benchCommand())
	return root
}

// fromEnvironment sets the flags that were not given from SKALD_NAME.
func fromEnvironment(flags *pflag.FlagSet) error {
	var err error
	flags.VisitAll(func(f *pflag.Flag) {
		name := "SKALD_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		if v, ok := os.LookupEnv(name); ok && !f.Changed && err == nil && f.Name != "help" {
			if e := flags.Set(f.Name, v); e != nil {
				err = fmt.Errorf("%s: %w", name, e)
			}
		}
	})
	return err
}

// need says how a command finds its services.
type need int

const (
	// needServer talks to a server.
	needServer need = iota
	// needSuite starts the whole suite unless a server is named.
	needSuite
	// needNothing computes in this process unless a server is named: rolls, odds and
	// the rules need no log.
	needNothing
)

// connected calls fn with a connection that ends afterwards.
func (a *app) connected(ctx context.Context, n need, fn func(ctx context.Context, conn grpc.ClientConnInterface) error) error {
	switch {
	case a.server != "":
	case n == needNothing:
		return a.withLocal(ctx, fn)
	case n == needSuite:
		return a.withStack(ctx, fn)
	}
	target := a.server
	if target == "" {
		target = defaultServer
	}
	var dialing []grpc.DialOption
	if a.token != "" || a.tokenFile != "" {
		if _, err := a.bearer(); err != nil {
			return &usageError{err}
		}
		dialing = append(dialing, grpc.WithPerRPCCredentials(tokenCredentials{a}))
	}
	conn, err := rpc.Dial(target, a.tls, dialing...)
	if err != nil {
		return &usageError{err}
	}
	defer conn.Close() //nolint:errcheck // nothing is in flight
	a.conn = conn
	return fn(ctx, conn)
}

// call bounds one call by --timeout.
func (a *app) call(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, a.timeout)
}

// principal is --as, or whose the token is.
func (a *app) principal() (*eventv1.Principal, error) {
	if a.as == "" {
		own, err := a.own()
		if err != nil {
			return nil, &usageError{err}
		}
		if own != nil {
			return own, nil
		}
	}
	switch name, isPlayer := strings.CutPrefix(a.as, "player:"); {
	case isPlayer && name != "":
		return &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: name}, nil
	case a.as == "gm", a.as == "":
		return &eventv1.Principal{Role: eventv1.Principal_ROLE_GM, Name: "gm"}, nil
	case a.as == "spectator":
		return &eventv1.Principal{Role: eventv1.Principal_ROLE_SPECTATOR}, nil
	}
	return nil, usage("--as: want gm, spectator or player:NAME, got %q", a.as)
}

// requestID is the one given, or a fresh one.
func requestID(given string) (string, error) {
	if given != "" {
		return given, nil
	}
	var b [12]byte
	if _, err := rand.Read(b[:]); err != nil {
		return "", fmt.Errorf("cli: naming the request: %w", err)
	}
	return "cli-" + hex.EncodeToString(b[:]), nil
}

// printf writes to standard output, for people.
func (a *app) printf(format string, args ...any) error { return a.tell(fmt.Sprintf(format, args...)) }

// tell writes text for people to standard output. Whatever came from data was
// made safe for its line where it was put into the text; this is the last guard.
func (a *app) tell(s string) error {
	_, err := io.WriteString(a.out, text.EscapeLines(s))
	return err
}

// answer prints a message as JSON, or the text for people.
func (a *app) answer(m proto.Message, words func() string) error {
	if !a.json {
		return a.tell(words())
	}
	return a.value(m)
}

// value prints a message or any other value as a line of JSON.
func (a *app) value(v any) error {
	m, ok := v.(proto.Message)
	if !ok {
		return json.NewEncoder(a.out).Encode(v)
	}
	line, err := jsonLine(m)
	if err == nil {
		_, err = a.out.Write(line)
	}
	return err
}

// jsonLine is a message as one line of JSON under proto names. Compact undoes
// the spacing that protojson varies on purpose.
func jsonLine(m proto.Message) ([]byte, error) {
	data, err := protojson.MarshalOptions{UseProtoNames: true}.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("cli: writing JSON: %w", err)
	}
	var out bytes.Buffer
	if err := json.Compact(&out, data); err != nil {
		return nil, fmt.Errorf("cli: writing JSON: %w", err)
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// answerValue prints a value that is no message.
func (a *app) answerValue(v any, words func() string) error {
	if !a.json {
		return a.tell(words())
	}
	return a.value(v)
}

// group makes a command that only holds others.
func group(use, short, long string, sub ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{Use: use, Short: short, Long: long, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	c.AddCommand(sub...)
	return c
}
