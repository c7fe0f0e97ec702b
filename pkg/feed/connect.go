package feed

import (
	"errors"
	"fmt"
	"log/slog"

	"github.com/nats-io/nats.go"

	"github.com/skaldrpg/skald/pkg/journal"
)

// Connect opens a writer's connection to a NATS server outside this process. A
// server that does not answer now is tried again for ever, so that nothing waits for
// the feed. The caller closes it.
func Connect(url string, o journal.ConnectOptions, log *slog.Logger) (*nats.Conn, error) {
	if url == "" {
		return nil, errors.New("feed: no server to connect to")
	}
	if log == nil {
		log = slog.Default()
	}
	opts := writing(log)
	if o.CredsFile != "" {
		opts = append(opts, nats.UserCredentials(o.CredsFile))
	}
	if o.Username != "" {
		opts = append(opts, nats.UserInfo(o.Username, o.Password))
	}
	if o.CAFile != "" {
		opts = append(opts, nats.RootCAs(o.CAFile))
	}
	if o.CertFile != "" || o.KeyFile != "" {
		opts = append(opts, nats.ClientCert(o.CertFile, o.KeyFile))
	}
	nc, err := nats.Connect(url, opts...)
	if err != nil {
		return nil, fmt.Errorf("feed: connect: %w", err)
	}
	return nc, nil
}
