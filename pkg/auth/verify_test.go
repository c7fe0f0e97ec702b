package auth

import (
	"bytes"
	"context"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/skaldrpg/skald/pkg/fault"
)

var silent = slog.New(slog.DiscardHandler)

// world is a folder with keys of each sort.
type world struct {
	t                    *testing.T
	dir                  string
	jwks, secret         string
	ed, ec, hs, stranger *Signer
}

func newWorld(t *testing.T) *world {
	w := &world{t: t, dir: t.TempDir()}
	w.jwks, w.secret = w.path("keys.json"), w.path("hs")
	w.ed, w.ec, w.hs, w.stranger = w.key("ed", EdDSA, w.jwks), w.key("ec", ES256, w.jwks), w.key("hs", HS256, ""), w.key("stranger", EdDSA, "")
	return w
}

func (w *world) path(name string) string { return filepath.Join(w.dir, name) }

func (w *world) key(name, alg, jwks string) *Signer {
	w.t.Helper()
	if _, err := NewKey(w.path(name), alg); err != nil {
		w.t.Fatal(err)
	}
	s, err := ReadSigner(w.path(name))
	if err != nil {
		w.t.Fatal(err)
	}
	if jwks != "" {
		if err := s.AddToKeySet(jwks); err != nil {
			w.t.Fatal(err)
		}
	}
	return s
}

func (w *world) verifier(o Options) *Verifier {
	w.t.Helper()
	v, err := newVerifier(w.t.Context(), o, silent)
	if err != nil {
		w.t.Fatal(err)
	}
	return v
}

// good are claims that nothing is wrong with.
func good() Claims {
	now := time.Now()
	return Claims{RegisteredClaims: jwt.RegisteredClaims{Subject: "ann", ID: "one", IssuedAt: jwt.NewNumericDate(now),
		ExpiresAt: jwt.NewNumericDate(now.Add(10 * time.Minute)), Audience: jwt.ClaimStrings{Audience}},
		Skald: Table{V: 1, Table: "main", Role: Player}}
}

// raw signs whatever it is given.
func (w *world) raw(s *Signer, c jwt.Claims) string {
	w.t.Helper()
	token, err := s.sign(c)
	if err != nil {
		w.t.Fatal(err)
	}
	return token
}

func refused(t *testing.T, what string, err error, reason, text string) {
	t.Helper()
	f, ok := fault.As(err)
	if !ok || f.Code != fault.Denied || f.Reason != reason || !strings.Contains(f.Message, text) {
		t.Errorf("%s: %v, want %s with %q", what, err, reason, text)
	}
}

func TestGoodTokens(t *testing.T) {
	w := newWorld(t)
	v := w.verifier(Options{JWKS: w.jwks, Secret: w.secret})
	for name, s := range map[string]*Signer{"EdDSA": w.ed, "ES256": w.ec, "HS256": w.hs} {
		g, err := v.Verify(t.Context(), w.raw(s, good()))
		if err != nil || g.Subject != "ann" || g.ID != "one" || g.Table != "main" || g.Role != Player || !g.Has(Execute) || g.Has(Rule) {
			t.Errorf("%s: %+v, %v", name, g, err)
		}
	}
}

func TestBadClaims(t *testing.T) {
	w := newWorld(t)
	v := w.verifier(Options{JWKS: w.jwks, Issuer: "https://table.example", Revoked: w.write("revoked", "# none\n\njti gone\nsub bob before 2100-01-01T00:00:00Z\n")})
	ahead := func(d time.Duration) *jwt.NumericDate { return jwt.NewNumericDate(time.Now().Add(d)) }
	for name, tt := range map[string]struct {
		change       func(*Claims)
		reason, text string
	}{
		"nothing wrong":     {func(*Claims) {}, "", ""},
		"no audience":       {func(c *Claims) { c.Audience = nil }, ReasonInvalid, "aud"},
		"wrong audience":    {func(c *Claims) { c.Audience = jwt.ClaimStrings{"other"} }, ReasonInvalid, "aud"},
		"services":          {func(c *Claims) { c.Audience = jwt.ClaimStrings{serviceAudience} }, ReasonInvalid, "aud"},
		"no expiry":         {func(c *Claims) { c.ExpiresAt = nil }, ReasonInvalid, "exp"},
		"expired":           {func(c *Claims) { c.ExpiresAt = ahead(-31 * time.Second) }, ReasonExpired, ""},
		"within the skew":   {func(c *Claims) { c.ExpiresAt = ahead(-20 * time.Second) }, "", ""},
		"too far ahead":     {func(c *Claims) { c.ExpiresAt = ahead(2 * time.Hour) }, ReasonInvalid, "exp"},
		"issued tomorrow":   {func(c *Claims) { c.IssuedAt = ahead(time.Hour) }, ReasonInvalid, "issued"},
		"not yet":           {func(c *Claims) { c.NotBefore = ahead(time.Minute) }, ReasonInvalid, "not valid yet"},
		"other issuer":      {func(c *Claims) { c.Issuer = "https://else.example" }, ReasonInvalid, "iss"},
		"no issuer":         {func(c *Claims) { c.Issuer = "" }, ReasonInvalid, "iss"},
		"no subject":        {func(c *Claims) { c.Subject = "" }, ReasonInvalid, "sub"},
		"no version":        {func(c *Claims) { c.Skald.V = 0 }, ReasonInvalid, "skald.v"},
		"later version":     {func(c *Claims) { c.Skald.V = 2 }, ReasonInvalid, "skald.v"},
		"no table":          {func(c *Claims) { c.Skald.Table = "" }, ReasonInvalid, "skald.table"},
		"no role":           {func(c *Claims) { c.Skald.Role = "" }, ReasonInvalid, "skald.role"},
		"unknown role":      {func(c *Claims) { c.Skald.Role = "owner" }, ReasonInvalid, "skald.role"},
		"unknown scope":     {func(c *Claims) { c.Skald.Scope = []Scope{"fly"} }, ReasonInvalid, "skald.scope"},
		"gm with creatures": {func(c *Claims) { c.Skald.Role, c.Skald.Creatures = GM, []string{"orc"} }, ReasonInvalid, "skald.creatures"},
		"revoked by id":     {func(c *Claims) { c.ID = "gone" }, ReasonRevoked, ""},
		"revoked by sub":    {func(c *Claims) { c.Subject = "bob" }, ReasonRevoked, ""},
		"sub without iat":   {func(c *Claims) { c.Subject, c.IssuedAt = "bob", nil }, ReasonRevoked, ""},
		"a very long token": {func(c *Claims) { c.ID = strings.Repeat("x", maxToken) }, ReasonInvalid, "bytes"},
	} {
		c := good()
		c.Issuer = "https://table.example"
		tt.change(&c)
		_, err := v.Verify(t.Context(), w.raw(w.ed, c))
		if tt.reason == "" {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		refused(t, name, err, tt.reason, tt.text)
	}
	empty := map[string]any{"sub": "ann", "aud": "skald", "iss": "https://table.example", "exp": time.Now().Add(time.Minute).Unix(),
		"skald": map[string]any{"v": 1, "table": "main", "role": "player", "encounters": []string{}}}
	_, err := v.Verify(t.Context(), w.raw(w.ed, jwt.MapClaims(empty)))
	refused(t, "an empty list", err, ReasonInvalid, "skald.encounters")
}

func (w *world) write(name, text string) string {
	w.t.Helper()
	if err := os.WriteFile(w.path(name), []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
	return w.path(name)
}

// Nobody gets in by another algorithm than that of the key.
func TestAlgorithmConfusion(t *testing.T) {
	w := newWorld(t)
	both, keys := w.verifier(Options{JWKS: w.jwks, Secret: w.secret}), w.verifier(Options{JWKS: w.jwks})
	secret := w.verifier(Options{Secret: w.secret})
	rs, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	set, err := os.ReadFile(w.jwks)
	if err != nil {
		t.Fatal(err)
	}
	x := publicX(t, set, w.ed.kid)
	forged := func(method jwt.SigningMethod, key any, kid string) string {
		return w.raw(&Signer{method: method, key: key, kid: kid}, good())
	}
	cut := func(token string) string { return token[:strings.LastIndex(token, ".")+1] }
	for name, tt := range map[string]struct {
		v     *Verifier
		token string
	}{
		"none":                              {both, forged(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, w.ed.kid)},
		"no signature":                      {both, cut(w.raw(w.ed, good()))},
		"RS256":                             {both, forged(jwt.SigningMethodRS256, rs, w.ed.kid)},
		"HS256 with a public key as secret": {keys, forged(jwt.SigningMethodHS256, x, w.ed.kid)},
		"the same where there is a secret":  {both, forged(jwt.SigningMethodHS256, x, w.ed.kid)},
		"HS256 with the key set as secret":  {both, forged(jwt.SigningMethodHS256, bytes.TrimSpace(set), w.ed.kid)},
		"HS512 with the secret":             {both, forged(jwt.SigningMethodHS512, w.hs.key, "")},
		"ES256 under an EdDSA key":          {both, forged(jwt.SigningMethodES256, w.ec.key, w.ed.kid)},
		"EdDSA under an ES256 key":          {both, forged(jwt.SigningMethodEdDSA, w.ed.key, w.ec.kid)},
		"another's key under our id":        {both, forged(jwt.SigningMethodEdDSA, w.stranger.key, w.ed.kid)},
		"an unknown key":                    {both, w.raw(w.stranger, good())},
		"no key named":                      {both, forged(jwt.SigningMethodEdDSA, w.ed.key, "")},
		"a key pair where none is known":    {secret, w.raw(w.ed, good())},
		"a secret where none is known":      {keys, w.raw(w.hs, good())},
		"another secret":                    {both, forged(jwt.SigningMethodHS256, bytes.Repeat([]byte("x"), 32), "")},
		"no token at all":                   {both, "x"},
	} {
		_, err := tt.v.Verify(t.Context(), tt.token)
		refused(t, name, err, ReasonInvalid, "")
	}
}

// publicX is the public key of a key set as it stands there.
func publicX(t *testing.T, set []byte, kid string) []byte {
	t.Helper()
	var s struct{ Keys []struct{ Kid, X string } }
	if err := json.Unmarshal(set, &s); err != nil {
		t.Fatal(err)
	}
	for _, k := range s.Keys {
		if k.Kid == kid {
			x, err := base64.RawURLEncoding.DecodeString(k.X)
			if err != nil {
				t.Fatal(err)
			}
			return x
		}
	}
	t.Fatalf("no key %s", kid)
	return nil
}

func TestBadKeyFiles(t *testing.T) {
	w := newWorld(t)
	private, err := os.ReadFile(w.path("ed"))
	if err != nil {
		t.Fatal(err)
	}
	open := w.write("open", strings.Repeat("s", 32))
	if err := os.Chmod(open, 0o644); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		o    Options
		text string
	}{
		"no file":                  {Options{JWKS: w.path("missing")}, "missing"},
		"no key set":               {Options{JWKS: w.write("a", "[]")}, "key set"},
		"a private key":            {Options{JWKS: w.write("b", `{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"a","x":"AA","d":"AA"}]}`)}, "private"},
		"a secret":                 {Options{JWKS: w.write("c", `{"keys":[{"kty":"oct","kid":"a","k":"AA"}]}`)}, "secret"},
		"no id":                    {Options{JWKS: w.write("d", `{"keys":[{"kty":"OKP","crv":"Ed25519","x":"AA"}]}`)}, "kid"},
		"a short secret":           {Options{Secret: w.write("e", "short")}, "at least 32"},
		"a secret open to all":     {Options{Secret: open}, "read"},
		"a key pair as the secret": {Options{Secret: w.write("f", string(private))}, "not a secret"},
		"no revocations":           {Options{JWKS: w.jwks, Revoked: w.path("missing")}, "missing"},
		"broken revocations":       {Options{JWKS: w.jwks, Revoked: w.write("g", "jti a\nsub bob\n")}, "line 2"},
		"a time that is none":      {Options{JWKS: w.jwks, Revoked: w.write("h", "sub bob before noon\n")}, "noon"},
	} {
		if _, err := newVerifier(t.Context(), tt.o, silent); err == nil || !strings.Contains(err.Error(), tt.text) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if info, err := os.Stat(w.path("ed")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("a private key has mode %v, %v", info.Mode(), err)
	}
	if _, err := NewKey(w.path("ed"), EdDSA); err == nil {
		t.Error("a key was written over")
	}
}

// A key that is added, and one that is taken out, count while the server runs.
func TestRotation(t *testing.T) {
	w := newWorld(t)
	v := w.verifier(Options{JWKS: w.jwks})
	v.keys.source.poll = 5 * time.Millisecond
	stop := run(t, v)
	defer stop()
	old := w.raw(w.ed, good())
	if _, err := v.Verify(t.Context(), old); err != nil {
		t.Fatal(err)
	}
	next := w.key("next", EdDSA, w.jwks)
	until(t, "the new key counts", func() bool { _, err := v.Verify(t.Context(), w.raw(next, good())); return err == nil })
	if _, err := v.Verify(t.Context(), old); err != nil {
		t.Errorf("the old key while both are there: %v", err)
	}
	w.write("keys.json", "not a key set at all")
	until(t, "the broken file was looked at", func() bool {
		v.keys.source.mu.Lock()
		defer v.keys.source.mu.Unlock()
		return v.keys.source.failed != ""
	})
	if _, err := v.Verify(t.Context(), old); err != nil {
		t.Errorf("a broken file took the keys away: %v", err)
	}
	if err := os.Remove(w.jwks); err != nil {
		t.Fatal(err)
	}
	if err := next.AddToKeySet(w.jwks); err != nil {
		t.Fatal(err)
	}
	until(t, "the old key no longer counts", func() bool { _, err := v.Verify(t.Context(), old); return err != nil })
}

// A key that is not known makes the server look, without waiting for the next
// look, and however many such tokens come it asks once.
func TestUnknownKeysAskOnce(t *testing.T) {
	w := newWorld(t)
	var asked atomic.Int64
	site := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		data, err := os.ReadFile(w.jwks)
		if err != nil {
			rw.WriteHeader(http.StatusInternalServerError)
		}
		rw.Write(data)
	}))
	defer site.Close()
	v := w.verifier(Options{JWKS: site.URL})
	next := w.key("next", ES256, w.jwks)
	v.keys.source.looked = time.Now().Add(-unknownEvery)
	if _, err := v.Verify(t.Context(), w.raw(next, good())); err != nil {
		t.Fatalf("a key that was added: %v", err)
	}
	for range 50 {
		_, err := v.Verify(t.Context(), w.raw(w.stranger, good()))
		refused(t, "an unknown key", err, ReasonInvalid, "key")
	}
	if n := asked.Load(); n != 2 {
		t.Errorf("asked %d times, want once at the start and once for the unknown key", n)
	}
}

func run(t *testing.T, v *Verifier) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); v.Run(ctx) }()
	return func() { cancel(); <-done }
}

func until(t *testing.T, what string, fn func() bool) {
	t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(20 * time.Second); !fn(); <-tick.C {
		if time.Now().After(end) {
			t.Fatalf("not: %s", what)
		}
	}
}

func TestRevocationWhileRunning(t *testing.T) {
	w := newWorld(t)
	list := w.write("revoked", "")
	v := w.verifier(Options{JWKS: w.jwks, Revoked: list})
	v.revoked.source.poll = 5 * time.Millisecond
	stop := run(t, v)
	defer stop()
	g, err := v.Verify(t.Context(), w.raw(w.ed, good()))
	if err != nil || g.Ended() != nil {
		t.Fatal(err)
	}
	changed := g.Changed()
	w.write("revoked", "jti one\n")
	<-changed
	refused(t, "a grant whose token was revoked", g.Ended(), ReasonRevoked, "")
	w.write("revoked", "")
	until(t, "taken back", func() bool { return g.Ended() == nil })
}

func TestShow(t *testing.T) {
	w := newWorld(t)
	s, err := Show(w.raw(w.ed, good()))
	if err != nil || s.Algorithm != EdDSA || s.Key != w.ed.kid || s.Claims.Subject != "ann" {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := Show("x.y"); err == nil {
		t.Error("no token was shown")
	}
	if _, ok := w.ed.key.(crypto.Signer); !ok {
		t.Error("the key signs nothing")
	}
}
