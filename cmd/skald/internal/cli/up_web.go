package cli

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"

	"github.com/skaldrpg/skald/cmd/skald/internal/console"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/web"
)

// browsers is what `skald up` serves to browsers.
type browsers struct {
	up       *upConfig
	listener net.Listener // nil with --one-port, and with an empty --web
	site     *web.Site    // nil when nothing is served
	secure   bool
}

// openWeb opens the listener.
func (u *upConfig) openWeb(ctx context.Context, log *slog.Logger) (*browsers, error) {
	b := &browsers{up: u}
	if u.onePort {
		if u.web.Named() {
			return nil, errors.New("--web goes without --one-port: everything is at --listen then")
		}
		return b, nil
	}
	l, taken, err := u.web.Open()
	if err != nil || l == nil {
		return b, err
	}
	b.listener = l
	if err := u.auth.Reachable(l.Addr()); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	if taken != "" {
		log.WarnContext(ctx, "the usual address for browsers is taken, by another server maybe: this one is at another (say --web to choose it, or --web '' for none)",
			"taken", taken, "web", l.Addr().String())
	}
	return b, nil
}

// make makes the site over a server that has all its services.
func (b *browsers) make(server *rpc.Server, open bool, secure *tls.Config, log *slog.Logger) (err error) {
	if b.listener == nil && !b.up.onePort {
		return nil
	}
	page, err := console.Files()
	if err != nil {
		return err
	}
	b.secure = secure != nil
	w := b.up.web
	b.site, err = web.New(web.Options{Server: server, Open: open, Origins: w.Origins, Base: w.Base, Frames: w.Frames,
		Page: page, GRPC: b.up.onePort, TLS: secure, Logger: log})
	return err
}

// address is where browsers find it; empty when they do not.
func (b *browsers) address(calls net.Listener) string {
	switch {
	case b.site == nil:
		return ""
	case b.listener == nil:
		return web.Address(calls.Addr(), b.secure, b.site.Base())
	}
	return web.Address(b.listener.Addr(), b.secure, b.site.Base())
}

// close lets go of a listener that was never served.
func (b *browsers) close() error {
	if b.listener == nil {
		return nil
	}
	if err := b.listener.Close(); !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}
