package cli

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"
	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/cmd/skald/internal/mcp"
)

func (a *app) mcpCommand() *cobra.Command {
	var listen string
	c := &cobra.Command{
		Use:   "mcp",
		Short: "Serve the tools of the Model Context Protocol, for an assistant",
		Long: `Mcp lets an assistant look at fights and play creatures in them: it speaks the
Model Context Protocol on standard input and output and talks to --server. Its
tools (encounters, state, next, options, preview, execute, answer, history,
explain, rules, words) see and do what the caller of --token or --as may see and
do, and nothing else.

With --listen it speaks streamable HTTP at an address of this machine instead;
each request then carries its own token (Authorization: Bearer), and --as counts
for those without one, which a server with keys refuses.`,
		Example: `  skald mcp --token-file ann.token
  skald mcp --as player:ann
  skald mcp --listen 127.0.0.1:7710`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.connected(cmd.Context(), needServer, func(ctx context.Context, conn grpc.ClientConnInterface) error {
				config := mcp.Config{Conn: conn, As: a.principal, Table: a.table, Timeout: a.timeout, Version: readVersion().Version}
				if listen != "" {
					return a.mcpOverHTTP(ctx, config, listen)
				}
				if _, err := a.principal(); err != nil {
					return err
				}
				return mcp.Serve(ctx, config, io.NopCloser(a.in), a.out)
			})
		},
	}
	c.Flags().StringVar(&listen, "listen", "", "loopback address of an HTTP listener in place of standard input and output, such as 127.0.0.1:7710")
	return c
}

// mcpOverHTTP serves the tools at an address of this machine until the context ends.
func (a *app) mcpOverHTTP(ctx context.Context, config mcp.Config, listen string) error {
	if a.token != "" || a.tokenFile != "" {
		return usage("--listen: whoever reaches the listener would have the rights of the token; each request brings its own")
	}
	l, err := net.Listen("tcp", listen)
	if err != nil {
		return usage("--listen: %v", err)
	}
	if at, is := l.Addr().(*net.TCPAddr); !is || !at.IP.IsLoopback() {
		return errors.Join(usage("--listen: %s is reached by others; listen at 127.0.0.1 and put a proxy with TLS before it", listen), l.Close())
	}
	if err := a.printf("http://%s\n", l.Addr()); err != nil {
		return errors.Join(err, l.Close())
	}
	server := &http.Server{Handler: mcp.Handler(config), ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 64 << 10}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }() // ends with Shutdown or Close
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if server.Shutdown(stopping) != nil { // somebody waits for longer than that
		return errors.Join(server.Close(), ignoreClosed(<-ended))
	}
	return ignoreClosed(<-ended)
}

func ignoreClosed(err error) error {
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}
