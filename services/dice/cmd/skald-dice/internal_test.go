package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/status"

	"github.com/skaldrpg/skald/pkg/auth"
	"github.com/skaldrpg/skald/pkg/daemon/daemontest"
	"github.com/skaldrpg/skald/pkg/rpc"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	"github.com/skaldrpg/skald/services/dice"
)

// The secret of services opens the internal listener and nothing else, the token
// of a caller the public one and nothing else.
func TestTwoDoors(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	for name, alg := range map[string]string{"caller": auth.EdDSA, "service": auth.HS256} {
		if _, err := auth.NewKey(path(name), alg); err != nil {
			t.Fatal(err)
		}
	}
	signer, err := auth.ReadSigner(path("caller"))
	if err != nil {
		t.Fatal(err)
	}
	if err := signer.AddToKeySet(path("keys.json")); err != nil {
		t.Fatal(err)
	}
	r := daemontest.Start(t, command, []string{dice.Name}, "--nats", daemontest.NATS(t), "--nats-create", "--data", dir,
		"--master-key-create", "--auth-jwks", path("keys.json"), "--service-key", path("service"))
	key, err := auth.ReadServiceKey(path("service"), "skald-encounter")
	if err != nil {
		t.Fatal(err)
	}
	token, err := signer.Sign(auth.Claims{Skald: auth.Table{Table: "main", Role: auth.Service, Scope: auth.Scopes()},
		RegisteredClaims: jwt.RegisteredClaims{Subject: "vtt", ExpiresAt: jwt.NewNumericDate(time.Now().Add(time.Minute))}})
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		who            credentials.PerRPCCredentials
		public, inside codes.Code
	}{
		"nobody":    {nil, codes.Unauthenticated, codes.Unauthenticated},
		"a caller":  {auth.Bearer(token), codes.OK, codes.Unauthenticated},
		"a service": {key, codes.Unauthenticated, codes.InvalidArgument}, // let in: the draw says nothing
	} {
		var opts []grpc.DialOption
		if tt.who != nil {
			opts = append(opts, grpc.WithPerRPCCredentials(tt.who))
		}
		conn, err := rpc.Dial(r.Addr, rpc.TLSFiles{}, opts...)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := dicev1.NewDiceServiceClient(conn).Roll(t.Context(), &dicev1.RollRequest{Expression: "1d6"}); status.Code(err) != tt.public {
			t.Errorf("%s rolls: %v", name, err)
		}
		if _, err := dicev1.NewTapeServiceClient(r.DialInternal(opts...)).Draw(t.Context(), &dicev1.DrawRequest{}); status.Code(err) != tt.inside {
			t.Errorf("%s draws: %v", name, err)
		}
		conn.Close()
	}
}

// issuer signs certificates.
type issuer struct {
	t    *testing.T
	dir  string
	key  *ecdsa.PrivateKey
	cert *x509.Certificate
}

func newIssuer(t *testing.T) *issuer {
	i := &issuer{t: t, dir: t.TempDir()}
	i.key, i.cert = i.issue("ca")
	return i
}

func (i *issuer) path(name string) string { return filepath.Join(i.dir, name) }

func (i *issuer) issue(name string) (*ecdsa.PrivateKey, *x509.Certificate) {
	i.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		i.t.Fatal(err)
	}
	c := &x509.Certificate{SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name}, NotAfter: time.Now().Add(time.Hour),
		IsCA: i.cert == nil, BasicConstraintsValid: true, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}}
	parent, signer := i.cert, i.key
	if parent == nil {
		parent, signer = c, key
	}
	der, err := x509.CreateCertificate(rand.Reader, c, parent, key.Public(), signer)
	if err != nil {
		i.t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		i.t.Fatal(err)
	}
	for file, block := range map[string]*pem.Block{name + ".pem": {Type: "CERTIFICATE", Bytes: der}, name + ".key": {Type: "PRIVATE KEY", Bytes: private}} {
		if err := os.WriteFile(i.path(file), pem.EncodeToMemory(block), 0o600); err != nil {
			i.t.Fatal(err)
		}
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		i.t.Fatal(err)
	}
	return key, cert
}

// With mTLS among the services, a caller's certificate is none.
func TestServicesByCertificate(t *testing.T) {
	services, callers := newIssuer(t), newIssuer(t)
	services.issue("dice")
	services.issue("encounter")
	callers.issue("caller")
	r := daemontest.Start(t, command, []string{dice.Name}, "--nats", daemontest.NATS(t), "--nats-create", "--data", t.TempDir(), "--master-key-create",
		"--internal-ca", services.path("ca.pem"), "--internal-cert", services.path("dice.pem"), "--internal-key", services.path("dice.key"))
	for name, tt := range map[string]struct {
		tls  rpc.TLSFiles
		want codes.Code
	}{
		"a service":      {rpc.TLSFiles{CA: services.path("ca.pem"), Cert: services.path("encounter.pem"), Key: services.path("encounter.key")}, codes.InvalidArgument},
		"a caller":       {rpc.TLSFiles{CA: services.path("ca.pem"), Cert: callers.path("caller.pem"), Key: callers.path("caller.key")}, codes.Unavailable},
		"no certificate": {rpc.TLSFiles{CA: services.path("ca.pem")}, codes.Unavailable},
		"nothing at all": {rpc.TLSFiles{}, codes.Unavailable},
	} {
		conn, err := rpc.Dial(r.Internal, tt.tls)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := dicev1.NewTapeServiceClient(conn).Draw(t.Context(), &dicev1.DrawRequest{}); status.Code(err) != tt.want {
			t.Errorf("%s: %v, want %s", name, err, tt.want)
		}
		conn.Close()
	}
}
