package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
)

// natsFlags are those of a NATS server elsewhere.
func natsFlags(f *pflag.FlagSet, c *allinone.Config) {
	f.StringVar(&c.NATSURL, "nats", "", "URL of a NATS server elsewhere; empty embeds one")
	f.StringVar(&c.NATS.CredsFile, "nats-creds", "", "credentials file for it")
	f.StringVar(&c.NATS.CAFile, "nats-ca", "", "PEM file of the authorities that sign it")
	f.StringVar(&c.NATS.CertFile, "nats-cert", "", "PEM file of the client certificate for it")
	f.StringVar(&c.NATS.KeyFile, "nats-key", "", "PEM file of the client key for it")
	f.IntVar(&c.Replicas, "nats-replicas", 1, "replicas that the stream must have")
	f.BoolVar(&c.Create, "nats-create", false, "make the stream there when it is missing")
}

// rebuiltService is what became of one projection, for --json.
type rebuiltService struct {
	Service string  `json:"service"`
	Seconds float64 `json:"seconds"`
	Checked bool    `json:"checked"`
	Same    bool    `json:"same"`
}

func (a *app) rebuildCommand() *cobra.Command {
	var cfg allinone.Config
	var check bool
	c := &cobra.Command{
		Use:   "rebuild",
		Short: "Build the projections of a data folder again from the log",
		Long: `Rebuild reads the whole log and builds the projection of every service anew; the
server must be down. With --check the live files stay as they are: each is
compared with one built beside it, and a difference is an error.`,
		Example: "  skald rebuild --data /var/lib/skald\n  skald rebuild --data /var/lib/skald --check",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if _, err := os.Stat(cfg.DataDir); err != nil {
				return usage("--data: %v", err)
			}
			return a.rebuild(cmd.Context(), cfg, check)
		},
	}
	c.Flags().StringVar(&cfg.DataDir, "data", "data", "data folder of the server")
	c.Flags().BoolVar(&check, "check", false, "only compare the live files with rebuilt ones")
	natsFlags(c.Flags(), &cfg)
	return c
}

func (a *app) rebuild(ctx context.Context, cfg allinone.Config, check bool) (err error) {
	if cfg.Logger, err = a.logger("warn", false); err != nil {
		return err
	}
	r, err := allinone.OpenRebuilder(ctx, cfg)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	different := 0
	for _, s := range r.Services {
		start := time.Now()
		done := rebuiltService{Service: s.Name, Checked: check, Same: true}
		bar := a.bar(s.Name)
		if check {
			done.Same, err = r.Check(ctx, s, bar.progress)
		} else {
			err = r.Rebuild(ctx, s, bar.progress)
		}
		bar.finish()
		if err != nil {
			return err
		}
		done.Seconds = time.Since(start).Seconds()
		if !done.Same {
			different++
		}
		if err := a.answerValue(done, done.String); err != nil {
			return err
		}
	}
	if different > 0 {
		return &failedError{fmt.Sprintf("%d projections are not what the log says", different)}
	}
	return nil
}

// String is the line for people.
func (r rebuiltService) String() string {
	switch {
	case !r.Checked:
		return fmt.Sprintf("%-10s rebuilt in %.2f s\n", r.Service, r.Seconds)
	case r.Same:
		return fmt.Sprintf("%-10s equals one built from the log (%.2f s)\n", r.Service, r.Seconds)
	}
	return fmt.Sprintf("%-10s DIFFERS from one built from the log\n", r.Service)
}

// bar shows how far something is, on standard error when that is a terminal.
type bar struct {
	name  string
	unit  string
	total uint64
	out   io.Writer
	pb    *progressbar.ProgressBar
}

func (a *app) bar(name string) *bar {
	b := &bar{name: name, unit: "records", out: io.Discard}
	if f, ok := a.err.(*os.File); ok && !a.json {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			b.out = f
		}
	}
	return b
}

func (b *bar) progress(done, total uint64) {
	if b.pb == nil {
		b.total = total
		b.pb = progressbar.NewOptions64(int64(total), progressbar.OptionSetWriter(b.out), progressbar.OptionSetDescription(b.name),
			progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionSetItsString(b.unit),
			progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())
	}
	b.pb.Set64(int64(done)) //nolint:errcheck // only for people
}

func (b *bar) finish() {
	if b.pb != nil {
		b.pb.Finish() //nolint:errcheck // only for people
	}
}
