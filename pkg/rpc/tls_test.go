package rpc

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"log/slog"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// authority writes certificates into a folder of the test.
type authority struct {
	t    *testing.T
	dir  string
	key  *ecdsa.PrivateKey
	cert *x509.Certificate
}

func newAuthority(t *testing.T, name string) *authority {
	a := &authority{t: t, dir: t.TempDir()}
	a.key, a.cert = a.issue(name, nil, nil)
	return a
}

func (a *authority) path(name string) string { return filepath.Join(a.dir, name) }

// issue makes name.crt and name.key, signed by the parent or by itself.
func (a *authority) issue(name string, parent *x509.Certificate, signer *ecdsa.PrivateKey) (*ecdsa.PrivateKey, *x509.Certificate) {
	a.t.Helper()
	check := func(err error) {
		if err != nil {
			a.t.Fatal(err)
		}
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check(err)
	tmpl := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses:           []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA:                  parent == nil,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	if parent == nil {
		parent, signer = tmpl, key
	}
	der, err := x509.CreateCertificate(rand.Reader, tmpl, parent, &key.PublicKey, signer)
	check(err)
	cert, err := x509.ParseCertificate(der)
	check(err)
	pkcs8, err := x509.MarshalPKCS8PrivateKey(key)
	check(err)
	check(os.WriteFile(a.path(name+".crt"), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	check(os.WriteFile(a.path(name+".key"), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs8}), 0o600))
	return key, cert
}

func (a *authority) sign(name string) (crt, key string) {
	a.issue(name, a.cert, a.key)
	return a.path(name + ".crt"), a.path(name + ".key")
}

func TestTLSOverTCP(t *testing.T) {
	ca, other := newAuthority(t, "ca"), newAuthority(t, "other")
	crt, key := ca.sign("server")
	clientCrt, clientKey := ca.sign("client")
	wrongCrt, wrongKey := other.sign("stranger")
	for _, tt := range []struct {
		name           string
		server, client TLSFiles
		code           codes.Code
	}{
		{"plain", TLSFiles{}, TLSFiles{}, codes.OK},
		{"server certificate", TLSFiles{Cert: crt, Key: key}, TLSFiles{CA: ca.path("ca.crt")}, codes.OK},
		{"unknown authority", TLSFiles{Cert: crt, Key: key}, TLSFiles{CA: other.path("other.crt")}, codes.Unavailable},
		{"system roots", TLSFiles{Cert: crt, Key: key}, TLSFiles{Enabled: true}, codes.Unavailable},
		{"wrong name", TLSFiles{Cert: crt, Key: key}, TLSFiles{CA: ca.path("ca.crt"), ServerName: "elsewhere"}, codes.Unavailable},
		{"plain client", TLSFiles{Cert: crt, Key: key}, TLSFiles{}, codes.Unavailable},
		{"mutual", TLSFiles{Cert: crt, Key: key, CA: ca.path("ca.crt")},
			TLSFiles{Cert: clientCrt, Key: clientKey, CA: ca.path("ca.crt")}, codes.OK},
		{"mutual without certificate", TLSFiles{Cert: crt, Key: key, CA: ca.path("ca.crt")}, TLSFiles{CA: ca.path("ca.crt")}, codes.Unavailable},
		{"mutual with another's", TLSFiles{Cert: crt, Key: key, CA: ca.path("ca.crt")},
			TLSFiles{Cert: wrongCrt, Key: wrongKey, CA: ca.path("ca.crt")}, codes.Unavailable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cfg, err := tt.server.Server()
			if err != nil {
				t.Fatal(err)
			}
			s := NewServer(Options{TLS: cfg, Logger: slog.New(slog.DiscardHandler)})
			s.RegisterService(&probeDesc, &probe{unary: func(_ context.Context, in string) (string, error) { return in, nil }})
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			served := make(chan error, 1)
			go func() { served <- Serve(ctx, s, l) }()
			cc, err := Dial(l.Addr().String(), tt.client)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := do(ctx, cc, "x"); status.Code(err) != tt.code {
				t.Errorf("got %v, want %s", err, tt.code)
			}
			cc.Close()
			cancel()
			if err := <-served; err != nil {
				t.Error(err)
			}
		})
	}
}

func TestTLSFilesThatAreWrong(t *testing.T) {
	ca := newAuthority(t, "ca")
	crt, key := ca.sign("server")
	empty := ca.path("empty.pem")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, files := range map[string]TLSFiles{
		"only a certificate":    {Cert: crt},
		"only a key":            {Key: key},
		"no such file":          {Cert: ca.path("none"), Key: key},
		"key of another":        {Cert: crt, Key: ca.path("ca.key")},
		"authorities missing":   {Cert: crt, Key: key, CA: ca.path("none")},
		"authorities are empty": {Cert: crt, Key: key, CA: empty},
	} {
		if cfg, err := files.Server(); err == nil || cfg != nil {
			t.Errorf("server, %s: accepted", name)
		}
		if cfg, err := files.Client(); err == nil || cfg != nil {
			t.Errorf("client, %s: accepted", name)
		}
	}
	for name, files := range map[string]TLSFiles{"only authorities": {CA: ca.path("ca.crt")}, "only enabled": {Enabled: true}} {
		if _, err := files.Server(); err == nil {
			t.Errorf("server, %s: accepted", name)
		}
	}
}
