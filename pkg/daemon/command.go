package daemon

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/skaldrpg/skald/pkg/auth"
	"github.com/skaldrpg/skald/pkg/heap"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/rpc"
)

// options are the flags that all services have.
type options struct {
	data, listenOn, metrics string
	logLevel                string
	logJSON                 bool
	natsURL                 string
	natsWait                time.Duration
	nats                    journal.ConnectOptions
	replicas                int
	streams                 int
	create                  bool
	clockFile               string
	peers                   map[string]*peerOptions
	tls                     rpc.TLSFiles
	auth                    auth.Options
	internal                internalOptions
	crew                    crewOptions
	limits                  rpc.Limits
	heap                    heap.Options
}

type peerOptions struct {
	address string
	tls     rpc.TLSFiles
}

// Main runs a command with the process's arguments until it ends, is interrupted
// or terminated, and then ends the process.
func Main(command func(out, errs io.Writer, args []string) *cobra.Command) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	c := command(os.Stdout, os.Stderr, os.Args[1:])
	err := c.ExecuteContext(ctx)
	stop()
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", c.Name(), err)
		os.Exit(1)
	}
}

// Command makes the command that serves, with the subcommands rebuild,
// create-stream and health.
func Command(spec Spec, out, errs io.Writer, args []string) *cobra.Command {
	o := &options{peers: map[string]*peerOptions{}}
	root := &cobra.Command{
		Use: spec.Name, Short: spec.Short, Example: spec.Example,
		Long: spec.Long + `

Every flag may also come from the environment: --nats from SKALD_NATS,
--log-level from SKALD_LOG_LEVEL, and so on. The command line wins.`,
		Args: cobra.NoArgs, SilenceUsage: true, SilenceErrors: true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return fromEnvironment(cmd.Flags()) },
		RunE:              func(cmd *cobra.Command, _ []string) error { return run(cmd.Context(), errs, spec, o) },
	}
	root.SetOut(out)
	root.SetErr(errs)
	root.SetArgs(args)
	o.shared(root.PersistentFlags())
	o.serving(root.Flags(), spec)
	if spec.Flags != nil {
		spec.Flags(root.Flags())
	}
	root.AddCommand(&cobra.Command{
		Use: "rebuild", Short: "Make the cache again from the log; the service must not be running", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return rebuild(cmd.Context(), errs, spec, o) },
	}, createStream(errs, spec, o), askHealth(out, spec))
	return root
}

func (o *options) shared(f *pflag.FlagSet) {
	f.StringVar(&o.data, "data", "data", "folder for the cache")
	f.StringVar(&o.logLevel, "log-level", "info", "debug, info, warn or error")
	f.BoolVar(&o.logJSON, "log-json", false, "log JSON lines")
	f.StringVar(&o.natsURL, "nats", "nats://127.0.0.1:4222", "URL of the NATS server, or several after commas")
	f.DurationVar(&o.natsWait, "nats-wait", time.Minute, "how long a start waits for it and its streams to be there; 0 asks once")
	f.StringVar(&o.nats.CredsFile, "nats-creds", "", "credentials file for it")
	f.StringVar(&o.nats.Username, "nats-user", "", "user name for it")
	f.StringVar(&o.nats.Password, "nats-password", "", "password for it; better given by the environment: other users can see flags")
	f.StringVar(&o.nats.CAFile, "nats-ca", "", "PEM file of the authorities that sign it")
	f.StringVar(&o.nats.CertFile, "nats-cert", "", "PEM file of the client certificate for it")
	f.StringVar(&o.nats.KeyFile, "nats-key", "", "PEM file of the client key for it")
	f.IntVar(&o.replicas, "nats-replicas", 1, "replicas that the stream must have")
	f.IntVar(&o.streams, "journal-streams", 1, "streams over which the journal spreads tables, at least, where this process may make them; none is ever taken away")
	f.StringVar(&o.clockFile, "clock-file", "", "for tests: file that says by how much the clock is wrong")
	f.MarkHidden("clock-file") //nolint:errcheck // it was just defined
	f.BoolVar(&o.create, "nats-create", false, "make the stream there when it is missing; needs an administrator's credentials")
}

func (o *options) serving(f *pflag.FlagSet, spec Spec) {
	f.StringVar(&o.listenOn, "listen", spec.Listen, "address of the gRPC listener for callers")
	f.StringVar(&o.metrics, "metrics", "", "address of GET /metrics; empty serves none")
	f.StringVar(&o.tls.Cert, "tls-cert", "", "PEM file of the own certificate")
	f.StringVar(&o.tls.Key, "tls-key", "", "PEM file of the own key")
	f.StringVar(&o.tls.CA, "tls-ca", "", "PEM file of the authorities that must sign clients; says nothing of who they are")
	o.heap.Flags(f)
	o.auth.Flags(f)
	o.internal.flags(f, spec)
	o.crew.flags(f, spec)
	o.limits = rpc.DefaultLimits()
	o.limits.PrincipalCalls = spec.Calls
	f.IntVar(&o.limits.PrincipalStreams, "streams", o.limits.PrincipalStreams, "watches and exports that one caller may have open; 0 is no limit")
	f.IntVar(&o.limits.ServerStreams, "server-streams", o.limits.ServerStreams, "those of all callers together; 0 is no limit")
	f.IntVar(&o.limits.PrincipalCalls, "calls", o.limits.PrincipalCalls, "other calls that one caller may have in flight; 0 is no limit")
	for _, p := range spec.Peers {
		at := &peerOptions{}
		o.peers[p.Name] = at
		f.StringVar(&at.address, p.Name, p.Address, "address of the internal listener of the "+p.Name+" service")
		f.BoolVar(&at.tls.Enabled, p.Name+"-tls", false, "speak TLS with the "+p.Name+" service")
		f.StringVar(&at.tls.CA, p.Name+"-ca", "", "PEM file of the authorities that sign the "+p.Name+" service (default --internal-ca)")
		f.StringVar(&at.tls.Cert, p.Name+"-cert", "", "PEM file of the client certificate for it (default --internal-cert)")
		f.StringVar(&at.tls.Key, p.Name+"-key", "", "PEM file of the client key for it (default --internal-key)")
		f.StringVar(&at.tls.ServerName, p.Name+"-name", "", "name in the certificate of the "+p.Name+" service; empty means the host of its address")
	}
}

// fromEnvironment sets the flags that were not given from SKALD_NAME.
func fromEnvironment(flags *pflag.FlagSet) error {
	var err error
	flags.VisitAll(func(f *pflag.Flag) {
		name := "SKALD_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		if v, ok := os.LookupEnv(name); ok && !f.Changed && err == nil && f.Name != "help" {
			if e := flags.Set(f.Name, v); e != nil {
				err = fmt.Errorf("daemon: %s: %w", name, e)
			}
		}
	})
	return err
}
