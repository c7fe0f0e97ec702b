package daemon

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"

	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/rpc"
)

// healthWait bounds the question of the health subcommand.
const healthWait = 5 * time.Second

// createStream is the subcommand that an administrator runs once.
func createStream(errs io.Writer, spec Spec, o *options) *cobra.Command {
	return &cobra.Command{
		Use: "create-stream", Short: "Make the streams at NATS that are missing, and end; needs an administrator's credentials", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			log, err := o.logger(errs)
			if err != nil {
				return err
			}
			o.create = true
			streams, nc, err := o.openStreams(cmd.Context(), spec.Name, log)
			if err != nil {
				return err
			}
			defer nc.Close()
			for _, j := range streams.All() {
				log.Info("the stream is there", "stream", journal.StreamName(j.Partition()), "id", j.StreamID())
			}
			return nil
		},
	}
}

// askHealth is the subcommand that container engines run, since the image holds
// no other program.
func askHealth(out io.Writer, spec Spec) *cobra.Command {
	var address string
	var files rpc.TLSFiles
	c := &cobra.Command{
		Use: "health", Short: "Ask a running service whether it is healthy", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			conn, err := rpc.Dial(address, files)
			if err != nil {
				return err
			}
			defer conn.Close() //nolint:errcheck // nothing is in flight
			ctx, cancel := context.WithTimeout(cmd.Context(), healthWait)
			defer cancel()
			for _, service := range spec.Health {
				reply, err := healthv1.NewHealthClient(conn).Check(ctx, &healthv1.HealthCheckRequest{Service: service})
				if err != nil {
					return fmt.Errorf("daemon: health of %s: %w", service, err)
				}
				fmt.Fprintln(out, service, reply.GetStatus()) //nolint:errcheck // the exit code says it too
				if reply.GetStatus() != healthv1.HealthCheckResponse_SERVING {
					return fmt.Errorf("daemon: %s is %s", service, reply.GetStatus())
				}
			}
			return nil
		},
	}
	f := c.Flags()
	f.StringVar(&address, "address", spec.Listen, "address of the service")
	f.BoolVar(&files.Enabled, "tls", false, "speak TLS with it")
	f.StringVar(&files.CA, "ca", "", "PEM file of the authorities that sign it")
	f.StringVar(&files.Cert, "cert", "", "PEM file of the client certificate for it")
	f.StringVar(&files.Key, "key", "", "PEM file of the client key for it")
	f.StringVar(&files.ServerName, "name", "", "name in its certificate; empty means the host of its address")
	return c
}
