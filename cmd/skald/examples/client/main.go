package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/skaldrpg/skald/pkg/client"
)

func main() {
	server := flag.String("server", "127.0.0.1:7700", "address of Skald")
	system := flag.String("system", "", "rule system, as skald rules systems prints it")
	pair := flag.String("sheets", "", "two shipped sheets of the system, as skald sheet list prints them")
	flag.Parse()
	if err := run(context.Background(), *server, *system, strings.Split(*pair, ",")); err != nil {
		fmt.Fprintln(os.Stderr, "client:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, server, system string, pair []string) error {
	conn, err := client.Dial(server, client.Options{})
	if err != nil {
		return err
	}
	defer conn.Close() //nolint:errcheck // nothing is in flight
	return Play(ctx, conn, system, pair, os.Stdout)
}
