// Command skald-dice runs the dice service as a process of its own, against a
// NATS server elsewhere. `skald up` runs all services in one process instead.
package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/rpc"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := command(os.Stdout, os.Stderr, os.Args[1:]).ExecuteContext(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "skald-dice:", err)
		os.Exit(1)
	}
}

// options are the flags.
type options struct {
	data, listen, metrics string
	logLevel              string
	logJSON               bool
	natsURL               string
	nats                  journal.ConnectOptions
	replicas              int
	create                bool
	keys, keyFile         string
	createKey, alone      bool
	tls                   rpc.TLSFiles
}

func command(out, errs io.Writer, args []string) *cobra.Command {
	var o options
	root := &cobra.Command{
		Use:   "skald-dice",
		Short: "Run Skald's dice service",
		Long: `The dice service is the only holder of the keys behind the dice. Nothing but the
log on NATS is its memory: --data holds a cache and, unless it comes from
elsewhere, the master key that seals the roots of all dice on the log. Without
that key no past roll can be proved: keep a copy of it.

Every flag may also come from the environment: --nats from SKALD_NATS,
--master-keys from SKALD_MASTER_KEYS, and so on. Give master keys by file or by
environment: other users can see flags.`,
		Example: "  skald-dice --nats nats://nats:4222 --master-key-file /run/secrets/dice.key\n  skald-dice rebuild --nats nats://nats:4222",
		Args:    cobra.NoArgs, SilenceUsage: true, SilenceErrors: true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return fromEnvironment(cmd.Flags()) },
		RunE:              func(cmd *cobra.Command, _ []string) error { return run(cmd.Context(), errs, o) },
	}
	root.SetOut(out)
	root.SetErr(errs)
	root.SetArgs(args)
	o.shared(root.PersistentFlags())
	o.serving(root.Flags())
	root.AddCommand(&cobra.Command{
		Use: "rebuild", Short: "Make the cache again from the log; the service must not be running", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return rebuild(cmd.Context(), errs, o) },
	})
	return root
}

func (o *options) shared(f *pflag.FlagSet) {
	f.StringVar(&o.data, "data", "data", "folder for the cache")
	f.StringVar(&o.logLevel, "log-level", "info", "debug, info, warn or error")
	f.BoolVar(&o.logJSON, "log-json", false, "log JSON lines")
	f.StringVar(&o.natsURL, "nats", "nats://127.0.0.1:4222", "URL of the NATS server")
	f.StringVar(&o.nats.CredsFile, "nats-creds", "", "credentials file for it")
	f.StringVar(&o.nats.CAFile, "nats-ca", "", "PEM file of the authorities that sign it")
	f.StringVar(&o.nats.CertFile, "nats-cert", "", "PEM file of the client certificate for it")
	f.StringVar(&o.nats.KeyFile, "nats-key", "", "PEM file of the client key for it")
	f.IntVar(&o.replicas, "nats-replicas", 1, "replicas that the stream must have")
	f.BoolVar(&o.create, "nats-create", false, "make the stream there when it is missing")
}

func (o *options) serving(f *pflag.FlagSet) {
	f.StringVar(&o.listen, "listen", "127.0.0.1:7701", "address of the gRPC listener")
	f.StringVar(&o.metrics, "metrics", "", "address of GET /metrics; empty serves none")
	f.StringVar(&o.keys, "master-keys", "", "master keys, the current one first, old ones after commas: [ID:]HEX or [ID:]BASE64 of 32 bytes")
	f.StringVar(&o.keyFile, "master-key-file", "", "file of them, mode 0600 or less (default dice.key in --data)")
	f.BoolVar(&o.createKey, "master-key-create", false, "make the file when it is missing and no dice were ever sealed")
	f.BoolVar(&o.alone, "alone", false, "no other process serves dice on this stream: spares a question to NATS a roll")
	f.StringVar(&o.tls.Cert, "tls-cert", "", "PEM file of the own certificate")
	f.StringVar(&o.tls.Key, "tls-key", "", "PEM file of the own key")
	f.StringVar(&o.tls.CA, "tls-ca", "", "PEM file of the authorities that must sign clients")
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

func (o *options) logger(w io.Writer) (*slog.Logger, error) {
	var l slog.Level
	if err := l.UnmarshalText([]byte(o.logLevel)); err != nil {
		return nil, fmt.Errorf("--log-level: want debug, info, warn or error, got %q", o.logLevel)
	}
	h := &slog.HandlerOptions{Level: l}
	if o.logJSON {
		return slog.New(slog.NewJSONHandler(w, h)), nil
	}
	return slog.New(slog.NewTextHandler(w, h)), nil
}
