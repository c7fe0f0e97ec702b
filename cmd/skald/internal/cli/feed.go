package cli

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/pkg/feed"
)

// feedOptions is what `skald up` was told of the feed.
type feedOptions struct {
	listen, passwordFile string
	feed.Options
}

func (o *feedOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&o.listen, "feed", "", "address of the feed's NATS listener, such as 127.0.0.1:7722; empty offers no feed")
	f.StringVar(&o.passwordFile, "feed-password-file", "", "file of the password of its readers (default feed.password in --data, made when there is none)")
	o.Flags(f)
}

// feed is the feed that was asked for; nil when none was. Beyond this machine the
// password must not go in the clear.
func (o *feedOptions) feed(tls *tls.Config, log *slog.Logger) (*allinone.Feed, error) {
	if o.listen == "" {
		return nil, nil
	}
	if err := o.Check(); err != nil {
		return nil, err
	}
	host, _, err := net.SplitHostPort(o.listen)
	if err != nil {
		return nil, fmt.Errorf("--feed: %w", err)
	}
	if ip := net.ParseIP(host); tls == nil && host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, errors.New("--feed: beyond this machine its readers' password would go in the clear; give --tls-cert and --tls-key, or an address of this machine such as 127.0.0.1:7722")
	}
	out := &allinone.Feed{Listen: o.listen, TLS: tls, Options: o.Options}
	if o.passwordFile != "" {
		if out.Password, err = feed.Password(o.passwordFile); err != nil {
			return nil, err
		}
	}
	if len(o.Tables) > 0 {
		log.Info("only some tables are in the feed", "tables", o.Tables)
	}
	return out, nil
}

// passwordIn is the file of the readers' password.
func (o *feedOptions) passwordIn(dataDir string) string {
	if o.passwordFile != "" {
		return o.passwordFile
	}
	return filepath.Join(dataDir, allinone.FeedPasswordFile)
}
