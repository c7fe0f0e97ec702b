package allinone_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/pkg/auth"
	"github.com/skaldrpg/skald/pkg/feed"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/web"
	"github.com/skaldrpg/skald/pkg/web/webtest"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

// authority is one that the test made; certificates of it are for 127.0.0.1.
type authority struct {
	t    *testing.T
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{t: t, cert: &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "the table's"}, NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}}
	der := a.sign(a.cert, nil)
	var err error
	if a.cert, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	return a
}

// sign makes a key and a certificate for it; without an issuer the authority's own.
func (a *authority) sign(c *x509.Certificate, into *ecdsa.PrivateKey) []byte {
	a.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.t.Fatal(err)
	}
	issuer, by := a.cert, a.key
	if into == nil {
		a.key, by = key, key
	} else {
		*into = *key
	}
	der, err := x509.CreateCertificate(rand.Reader, c, issuer, &key.PublicKey, by)
	if err != nil {
		a.t.Fatal(err)
	}
	return der
}

// server is the configuration that `--tls-cert` and `--tls-key` make.
func (a *authority) server() *tls.Config {
	a.t.Helper()
	key := new(ecdsa.PrivateKey)
	der := a.sign(&x509.Certificate{SerialNumber: big.NewInt(2), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}, key)
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		a.t.Fatal(err)
	}
	files := rpc.TLSFiles{Cert: filepath.Join(a.t.TempDir(), "cert.pem"), Key: filepath.Join(a.t.TempDir(), "key.pem")}
	for name, block := range map[string]*pem.Block{files.Cert: {Type: "CERTIFICATE", Bytes: der}, files.Key: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			a.t.Fatal(err)
		}
	}
	cfg, err := files.Server()
	if err != nil {
		a.t.Fatal(err)
	}
	return cfg
}

// trusts is what a client that trusts the authority has.
func (a *authority) trusts() *tls.Config {
	pool := x509.NewCertPool()
	pool.AddCert(a.cert)
	return &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
}

// TestWebOverTLS: Connect and gRPC-Web, calls and watches, over HTTP/2 as browsers
// speak it and over HTTP/1.1; who does not trust the authority is not talked to, and who
// speaks without TLS is told so.
func TestWebOverTLS(t *testing.T) {
	g := startGuarded(t)
	g.play("main", "bridge", "jeera")
	a := newAuthority(t)
	address := onWeb(t, g.stack, web.Options{Server: g.server, TLS: a.server()})
	if !strings.HasPrefix(address, "https://127.0.0.1:") {
		t.Fatalf("the address is %s", address)
	}
	client := func(cfg *tls.Config, second bool) *http.Client {
		p := new(http.Protocols)
		p.SetHTTP1(!second)
		p.SetHTTP2(second)
		transport := &http.Transport{TLSClientConfig: cfg, Protocols: p}
		t.Cleanup(transport.CloseIdleConnections)
		return &http.Client{Transport: transport}
	}
	token := "Bearer " + string(g.token(auth.Table{Table: "main", Role: auth.GM}))
	for _, second := range []bool{false, true} {
		browser := client(a.trusts(), second)
		resp, err := browser.Get(address + "/")
		if err != nil || resp.StatusCode != http.StatusOK || (resp.ProtoMajor == 2) != second || resp.TLS.Version != tls.VersionTLS13 {
			t.Fatalf("the page: %v, %v", resp, err)
		}
		resp.Body.Close() //nolint:errcheck // looked at elsewhere
		for _, way := range []*webtest.Conn{{}, {JSON: true}, {Web: true}} {
			way.Client, way.URL, way.Header = browser, address, http.Header{"Authorization": {token}}
			if got, err := ask(t.Context(), way, enc+"GetState", &encounterv1.GetStateRequest{Encounter: "bridge"}); err != nil || got[0].(*encounterv1.GetStateResponse).State.GetEncounter() != "bridge" {
				t.Errorf("%s, HTTP/2 %v: %v, %v", way, second, got, err)
			}
			got, err := ask(t.Context(), way, enc+"Watch", &encounterv1.WatchRequest{Encounter: "bridge"})
			if err != nil || len(got) < 2 || got[0].(*encounterv1.WatchResponse).GetStep().GetNumber() != 1 {
				t.Errorf("%s, HTTP/2 %v: watched %v, %v", way, second, got, err)
			}
		}
	}
	for name, cfg := range map[string]*tls.Config{"nobody's authority": {MinVersion: tls.VersionTLS12}, "another authority": newAuthority(t).trusts(),
		"an old TLS": {RootCAs: a.trusts().RootCAs, MinVersion: tls.VersionTLS12, MaxVersion: tls.VersionTLS12}} {
		if resp, err := client(cfg, false).Get(address + "/"); err == nil {
			t.Errorf("%s: %s", name, resp.Status)
			resp.Body.Close() //nolint:errcheck // a failure already
		}
	}
	resp, err := http1(t).Get("http://" + strings.TrimPrefix(address, "https://") + "/")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close() //nolint:errcheck // the test is over
	if text, err := io.ReadAll(resp.Body); err != nil || resp.StatusCode != http.StatusBadRequest || !strings.Contains(string(text), "HTTPS") {
		t.Errorf("without TLS: %d %q, %v", resp.StatusCode, text, err)
	}
}

// TestFeedOverTLS: readers who trust the authority read it; others, and those without
// TLS, do not come in, nor is their password heard in the clear.
func TestFeedOverTLS(t *testing.T) {
	a := newAuthority(t)
	s, err := startWith(t, allinone.Config{DataDir: t.TempDir(), Feed: &allinone.Feed{Listen: "127.0.0.1:0", Password: readersPassword, TLS: a.server()}})
	if err != nil {
		t.Fatal(err)
	}
	f := &feeding{tables: tables{t, s}}
	f.begin("main", "bridge")
	nc, err := nats.Connect("tls://"+s.FeedAddr(), nats.UserInfo(feed.ReaderName, readersPassword), nats.Secure(a.trusts()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	if state, err := nc.TLSConnectionState(); err != nil || state.Version != tls.VersionTLS13 {
		t.Errorf("%v, %v", state, err)
	}
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	c, err := js.OrderedConsumer(t.Context(), feed.StreamName, jetstream.OrderedConsumerConfig{FilterSubjects: []string{"skald.feed.json.main.bridge"}})
	if err != nil {
		t.Fatal(err)
	}
	msg, err := c.Next(jetstream.FetchMaxWait(20 * time.Second))
	if err != nil || msg.Headers().Get(feed.HeaderNumber) != "1" {
		t.Fatalf("%v, %v", msg, err)
	}
	for name, opts := range map[string][]nats.Option{"nobody's authority": {nats.Secure(&tls.Config{MinVersion: tls.VersionTLS12})}, "another authority": {nats.Secure(newAuthority(t).trusts())},
		"an old TLS":         {nats.Secure(&tls.Config{RootCAs: a.trusts().RootCAs, MinVersion: tls.VersionTLS12, MaxVersion: tls.VersionTLS12})},
		"no trust at all":    nil,
		"the wrong password": {nats.Secure(a.trusts()), nats.UserInfo(feed.ReaderName, "another")}} {
		url := "nats://" + s.FeedAddr()
		if nc, err := nats.Connect(url, append([]nats.Option{nats.UserInfo(feed.ReaderName, readersPassword), nats.Timeout(5 * time.Second)}, opts...)...); err == nil {
			t.Errorf("%s: connected", name)
			nc.Close()
		}
	}
}
