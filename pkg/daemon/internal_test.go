package daemon_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/skaldrpg/skald/pkg/auth"
	"github.com/skaldrpg/skald/pkg/daemon/daemontest"
)

// authority writes the certificate of a new authority into a folder.
func authority(t *testing.T, path string) string {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: filepath.Base(path)}, IsCA: true,
		NotAfter: time.Now().Add(time.Hour), BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// What would let callers be services, or anybody be anyone, is refused at the start.
func TestRefusesOpenDoors(t *testing.T) {
	url, dir := daemontest.NATS(t), t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"secret", "service"} {
		if _, err := auth.NewKey(path(name), auth.HS256); err != nil {
			t.Fatal(err)
		}
	}
	copied, err := os.ReadFile(path("secret"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path("copied"), append(copied, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
	callers, services := authority(t, path("callers.pem")), authority(t, path("services.pem"))
	both := path("both.pem")
	for _, one := range []string{callers, services} {
		data, err := os.ReadFile(one)
		if err != nil {
			t.Fatal(err)
		}
		old, _ := os.ReadFile(both)
		if err := os.WriteFile(both, append(old, data...), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, tt := range map[string]struct {
		args []string
		text string
	}{
		"open to others":               {[]string{"--listen", "0.0.0.0:0"}, "--open"},
		"open with keys":               {[]string{"--auth-secret", path("secret"), "--open"}, "--open"},
		"internal to others":           {[]string{"--internal-listen", "0.0.0.0:0"}, "--service-key"},
		"internal to others, open":     {[]string{"--listen", "0.0.0.0:0", "--open", "--internal-listen", "0.0.0.0:0"}, "--service-key"},
		"internal open beside keys":    {[]string{"--auth-secret", path("secret")}, "--service-key"},
		"internal open beside open":    {[]string{"--listen", "0.0.0.0:0", "--open"}, ""},
		"one secret for both":          {[]string{"--auth-secret", path("secret"), "--service-key", path("secret")}, "--service-key"},
		"one secret, copied":           {[]string{"--auth-secret", path("secret"), "--service-key", path("copied")}, "--service-key"},
		"one authority for both":       {[]string{"--tls-ca", both, "--internal-ca", services, "--service-key", path("service")}, "--internal-ca"},
		"internal TLS without own key": {[]string{"--internal-ca", services}, "certificate and a key"},
		"a service key that is none":   {[]string{"--service-key", callers}, "service key"},
		"no such service key":          {[]string{"--service-key", path("none")}, "none"},
	} {
		err := idle(nil)(io.Discard, io.Discard, append([]string{"--nats", url}, tt.args...)).ExecuteContext(t.Context())
		// Where nothing is refused, the missing stream is.
		want := tt.text
		if want == "" {
			want = "stream"
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want something about %s", name, err, want)
		}
	}
}
