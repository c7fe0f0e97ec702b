package daemon

import (
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"os"

	"github.com/spf13/pflag"

	"github.com/skaldrpg/skald/pkg/auth"
	"github.com/skaldrpg/skald/pkg/rpc"
)

// internalOptions say how the services know each other.
type internalOptions struct {
	listenOn string
	key      string
	tls      rpc.TLSFiles
}

func (o *internalOptions) flags(f *pflag.FlagSet, spec Spec) {
	if spec.InternalListen == "" && len(spec.Peers) == 0 {
		return
	}
	if spec.InternalListen != "" {
		f.StringVar(&o.listenOn, "internal-listen", spec.InternalListen, "address of the gRPC listener for the other services alone")
	}
	f.StringVar(&o.tls.CA, "internal-ca", "", "PEM file of the authorities that sign the services, and nobody else")
	f.StringVar(&o.tls.Cert, "internal-cert", "", "PEM file of the own certificate among the services")
	f.StringVar(&o.tls.Key, "internal-key", "", "PEM file of the key for it")
	f.StringVar(&o.key, "service-key", "", "file of the secret by which the services know each other; never the one of --auth-secret")
}

// toward is the TLS of a call to another service: what its own flags say, or the
// identity among the services.
func (o *internalOptions) toward(peer rpc.TLSFiles) rpc.TLSFiles {
	if o.tls == (rpc.TLSFiles{}) {
		return peer
	}
	if peer.CA == "" {
		peer.CA = o.tls.CA
	}
	if peer.Cert == "" && peer.Key == "" {
		peer.Cert, peer.Key = o.tls.Cert, o.tls.Key
	}
	return peer
}

// identity reads the services' secret, and refuses an internal listener that
// callers could use: one without any identity, unless it and the public one are
// open to this machine alone, or one whose identity callers have.
func (o *internalOptions) identity(spec Spec, all *options, guard *auth.Guard, l net.Listener) (*auth.ServiceKey, error) {
	if o.key != "" && all.auth.Secret != "" {
		if same, err := auth.SameSecret(o.key, all.auth.Secret); err != nil || same {
			return nil, errors.Join(errors.New("daemon: --service-key: is the secret of --auth-secret; callers' tokens must not be those of services"), err)
		}
	}
	if o.tls.CA != "" && all.tls.CA != "" {
		if shared, err := shareAuthority(o.tls.CA, all.tls.CA); err != nil || shared {
			return nil, errors.Join(errors.New("daemon: --internal-ca: shares an authority with --tls-ca; callers' certificates must not be those of services"), err)
		}
	}
	if l != nil && o.key == "" && o.tls.CA == "" {
		tcp, ok := l.Addr().(*net.TCPAddr)
		if !ok || !tcp.IP.IsLoopback() || !guard.IsOpen() {
			return nil, fmt.Errorf("daemon: --internal-listen: on %s anybody could draw dice as a service: give --service-key, or --internal-ca, -cert and -key", l.Addr())
		}
	}
	if o.key == "" {
		return nil, nil
	}
	return auth.ReadServiceKey(o.key, spec.Name)
}

// shareAuthority tells whether two PEM files have a certificate in common.
func shareAuthority(a, b string) (bool, error) {
	have := map[string]bool{}
	err := certificates(a, func(c *x509.Certificate) { have[string(c.RawSubjectPublicKeyInfo)] = true })
	if err != nil {
		return false, err
	}
	shared := false
	err = certificates(b, func(c *x509.Certificate) { shared = shared || have[string(c.RawSubjectPublicKeyInfo)] })
	return shared, err
}

func certificates(path string, fn func(*x509.Certificate)) error {
	rest, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			return nil
		}
		c, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return fmt.Errorf("daemon: %s: %w", path, err)
		}
		fn(c)
	}
}
