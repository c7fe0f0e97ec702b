// Command skald runs tabletop fights: the services in one process, and a
// command line to everything they offer. docs/CLI.md lists the commands.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/skaldrpg/skald/cmd/skald/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := cli.Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
