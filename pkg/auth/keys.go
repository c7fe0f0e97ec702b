package auth

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"

	"github.com/MicahParks/jwkset"
	"github.com/MicahParks/keyfunc/v3"
	"github.com/golang-jwt/jwt/v5"
)

// The algorithms of tokens.
const (
	EdDSA = "EdDSA"
	ES256 = "ES256"
	HS256 = "HS256"
)

// minSecret is how long a secret must be, bytes: as long as what HS256 makes of it.
const minSecret = 32

var errUnknownKey = errors.New("the token names a key that is not in the key set")

// keySet are public keys that may change while we run.
type keySet struct {
	source *source
	store  *jwkset.MemoryJWKSet
	find   keyfunc.Keyfunc
}

func newKeySet(ctx context.Context, name string, log *slog.Logger) (*keySet, error) {
	k := &keySet{store: jwkset.NewMemoryStorage()}
	var err error
	if k.find, err = keyfunc.New(keyfunc.Options{Ctx: ctx, Storage: k.store}); err != nil {
		return nil, err
	}
	k.source = newSource(name, log, func(data []byte) error {
		keys, err := readKeySet(data)
		if err != nil {
			return err
		}
		return k.store.KeyReplaceAll(ctx, keys)
	})
	return k, k.source.look(ctx, 0)
}

// readKeySet reads the public keys of a key set that tokens may be signed with.
// Keys of other sorts are left out: an identity provider may use them elsewhere.
// A private key or a secret in it is an error, since somebody has given it away.
func readKeySet(data []byte) ([]jwkset.JWK, error) {
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.Unmarshal(data, &set); err != nil || set.Keys == nil {
		return nil, errors.New(`no key set: want {"keys": [...]}`)
	}
	var out []jwkset.JWK
	seen := map[string]bool{}
	for i, raw := range set.Keys {
		var m jwkset.JWKMarshal
		if err := json.Unmarshal(raw, &m); err != nil {
			return nil, fmt.Errorf("keys[%d]: %w", i, err)
		}
		if m.D != "" || m.K != "" {
			return nil, fmt.Errorf("keys[%d]: is a private key or a secret; a key set has public keys alone", i)
		}
		if algorithm(m.KTY, m.CRV) == "" || m.USE != "" && m.USE != jwkset.UseSig {
			continue
		}
		if m.KID == "" || seen[m.KID] {
			return nil, fmt.Errorf("keys[%d]: kid: want one for each key, none twice", i)
		}
		seen[m.KID] = true
		key, err := jwkset.NewJWKFromMarshal(m, jwkset.JWKMarshalOptions{}, jwkset.JWKValidateOptions{})
		if err != nil {
			return nil, fmt.Errorf("keys[%d]: %w", i, err)
		}
		out = append(out, key)
	}
	return out, nil
}

// algorithm is the only one that a key of a sort is used with.
func algorithm(kty jwkset.KTY, crv jwkset.CRV) string {
	switch {
	case kty == jwkset.KtyOKP && crv == jwkset.CrvEd25519:
		return EdDSA
	case kty == jwkset.KtyEC && crv == jwkset.CrvP256:
		return ES256
	}
	return ""
}

// key finds the key of a token. An unknown one makes us look whether it has been
// added, now and then.
func (k *keySet) key(ctx context.Context, t *jwt.Token) (any, error) {
	kid, ok := t.Header[jwkset.HeaderKID].(string)
	if !ok || kid == "" {
		return nil, errors.New("the token names no key (kid)")
	}
	if _, err := k.store.KeyRead(ctx, kid); err != nil {
		k.source.report(ctx, k.source.look(ctx, unknownEvery))
	}
	key, err := k.find.KeyfuncCtx(ctx)(t)
	if errors.Is(err, jwkset.ErrKeyNotFound) {
		return nil, errUnknownKey
	}
	if err != nil {
		return nil, err
	}
	if !fits(t.Method.Alg(), key) {
		return nil, errors.New("the token's algorithm is not that of its key")
	}
	return key, nil
}

// fits pins the algorithm to the sort of key, for a key set that does not name it.
func fits(alg string, key any) bool {
	switch key := key.(type) {
	case ed25519.PublicKey:
		return alg == EdDSA
	case *ecdsa.PublicKey:
		return alg == ES256 && key.Curve == elliptic.P256()
	}
	return false
}

// readSecret reads a file whose content, without space around it, is a secret.
func readSecret(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("auth: secret: %w", err)
	}
	if info.Mode().Perm()&0o007 != 0 {
		return nil, fmt.Errorf("auth: secret %s: everybody on this machine can read it (mode %o); take that away", path, info.Mode().Perm())
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("auth: secret: %w", err)
	}
	secret := strings.TrimSpace(string(data))
	if len(secret) < minSecret {
		return nil, fmt.Errorf("auth: secret %s: %d bytes, at least %d", path, len(secret), minSecret)
	}
	if strings.HasPrefix(secret, "{") || strings.HasPrefix(secret, "-----") {
		return nil, fmt.Errorf("auth: secret %s: is a key, not a secret: want random text", path)
	}
	return []byte(secret), nil
}
