package journal

import (
	"context"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
)

// ConnectOptions are for a NATS server outside this process.
type ConnectOptions struct {
	Name      string // shown in the server's monitoring
	CredsFile string // JWT and nkey
	Username  string
	Password  string
	CAFile    string // PEM; empty means the system's roots when the server asks for TLS
	CertFile  string // client certificate, PEM, with KeyFile
	KeyFile   string
}

// Connect opens a connection to url ("nats://a:4222,nats://b:4222" or "tls://...").
// It fails if no server answers now, within ctx and at most 5 s each; once open
// it reconnects for ever. The caller drains or closes it.
//
// The server must sync each write ("sync_interval: always"): see the package comment.
func Connect(ctx context.Context, url string, o ConnectOptions) (*nats.Conn, error) {
	if url == "" {
		return nil, fmt.Errorf("%w: no server to connect to", ErrInvalid)
	}
	timeout := 5 * time.Second
	if d, ok := ctx.Deadline(); ok {
		timeout = min(timeout, time.Until(d))
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("%w: connect: %w", ErrUnavailable, err)
	}
	timeout = max(timeout, time.Millisecond)
	opts := []nats.Option{
		nats.Name(o.Name),
		nats.Timeout(timeout),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(250 * time.Millisecond),
	}
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
		return nil, fmt.Errorf("%w: connect: %w", ErrUnavailable, err)
	}
	return nc, nil
}
