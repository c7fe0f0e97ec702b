package auth

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/MicahParks/jwkset"
	"github.com/golang-jwt/jwt/v5"
)

// Algorithms are those that keys are made for.
func Algorithms() []string { return []string{EdDSA, ES256, HS256} }

// NewKey makes a key in a new file of mode 0600: a private key as PEM, or for
// HS256 a secret of 32 bytes in base64. It returns the id (kid) of the key; a
// secret has none.
func NewKey(path, alg string) (kid string, err error) {
	var content []byte
	switch alg {
	case HS256:
		secret := make([]byte, minSecret)
		if _, err := rand.Read(secret); err != nil {
			return "", fmt.Errorf("auth: key: %w", err)
		}
		content = append([]byte(base64.RawURLEncoding.EncodeToString(secret)), '\n')
	case EdDSA, ES256:
		private, err := privateKey(alg)
		if err != nil {
			return "", fmt.Errorf("auth: key: %w", err)
		}
		if kid, err = keyID(private.Public()); err != nil {
			return "", err
		}
		der, err := x509.MarshalPKCS8PrivateKey(private)
		if err != nil {
			return "", fmt.Errorf("auth: key: %w", err)
		}
		content = pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
	default:
		return "", fmt.Errorf("auth: algorithm: want one of %s, got %q", words(Algorithms()), alg)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", fmt.Errorf("auth: key: %w", err)
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err != nil {
		return "", fmt.Errorf("auth: key: %w", err)
	}
	return kid, nil
}

func privateKey(alg string) (crypto.Signer, error) {
	if alg == ES256 {
		return ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	}
	_, key, err := ed25519.GenerateKey(rand.Reader)
	return key, err
}

// keyID follows from the public key, so that a key has the same one everywhere.
func keyID(public crypto.PublicKey) (string, error) {
	der, err := x509.MarshalPKIXPublicKey(public)
	if err != nil {
		return "", fmt.Errorf("auth: key: %w", err)
	}
	h := crypto.SHA256.New()
	h.Write(der)
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}

// Signer makes tokens with one key.
type Signer struct {
	method jwt.SigningMethod
	key    any
	kid    string
}

// ReadSigner reads a file that NewKey made.
func ReadSigner(path string) (*Signer, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("auth: key: %w", err)
	}
	block, _ := pem.Decode(data)
	if block == nil {
		secret, err := readSecret(path)
		if err != nil {
			return nil, err
		}
		return &Signer{method: jwt.SigningMethodHS256, key: secret}, nil
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("auth: key %s: %w", path, err)
	}
	s := &Signer{key: key}
	switch private := key.(type) {
	case ed25519.PrivateKey:
		s.method = jwt.SigningMethodEdDSA
		s.kid, err = keyID(private.Public())
	case *ecdsa.PrivateKey:
		if private.Curve != elliptic.P256() {
			return nil, fmt.Errorf("auth: key %s: want the curve P-256, got %s", path, private.Curve.Params().Name)
		}
		s.method = jwt.SigningMethodES256
		s.kid, err = keyID(private.Public())
	default:
		return nil, fmt.Errorf("auth: key %s: want an Ed25519 or a P-256 key, got %T", path, key)
	}
	return s, err
}

// Sign makes a token. Audience, issue and, when there is none, a random id are
// filled in; errors name the claim.
func (s *Signer) Sign(c Claims) (string, error) {
	if c.Audience == nil {
		c.Audience = jwt.ClaimStrings{Audience}
	}
	if c.ID == "" {
		var b [12]byte
		if _, err := rand.Read(b[:]); err != nil {
			return "", fmt.Errorf("auth: token: %w", err)
		}
		c.ID = hex.EncodeToString(b[:])
	}
	if c.IssuedAt == nil {
		c.IssuedAt = jwt.NewNumericDate(time.Now())
	}
	if c.ExpiresAt == nil {
		return "", errors.New("auth: token: exp: missing")
	}
	if c.Skald.V == 0 {
		c.Skald.V = ClaimsVersion
	}
	if err := c.check(); err != nil {
		return "", fmt.Errorf("auth: token: %w", err)
	}
	return s.sign(&c)
}

func (s *Signer) sign(c jwt.Claims) (string, error) {
	t := jwt.NewWithClaims(s.method, c)
	if s.kid != "" {
		t.Header[jwkset.HeaderKID] = s.kid
	}
	text, err := t.SignedString(s.key)
	if err != nil {
		return "", fmt.Errorf("auth: token: %w", err)
	}
	return text, nil
}

// AddToKeySet adds the public part of the signer's key to a key set file, which
// is made when it is missing, in one step: a server that reads it meanwhile sees
// the old set or the new one.
func (s *Signer) AddToKeySet(path string) error {
	private, ok := s.key.(crypto.Signer)
	if !ok {
		return errors.New("auth: key set: a secret has no public part; give the file itself to --auth-secret")
	}
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	data, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return fmt.Errorf("auth: key set: %w", err)
	default:
		old, err := readKeySet(data)
		if err != nil {
			return fmt.Errorf("auth: key set %s: %w", path, err)
		}
		for _, k := range old {
			if k.Marshal().KID == s.kid {
				return nil
			}
		}
		if err := json.Unmarshal(data, &set); err != nil {
			return fmt.Errorf("auth: key set %s: %w", path, err)
		}
	}
	key, err := jwkset.NewJWKFromKey(private.Public(), jwkset.JWKOptions{Metadata: jwkset.JWKMetadataOptions{
		ALG: jwkset.ALG(s.method.Alg()), KID: s.kid, USE: jwkset.UseSig}})
	if err != nil {
		return fmt.Errorf("auth: key set: %w", err)
	}
	raw, err := json.Marshal(key.Marshal())
	if err != nil {
		return fmt.Errorf("auth: key set: %w", err)
	}
	set.Keys = append(set.Keys, raw)
	if data, err = json.MarshalIndent(set, "", "  "); err != nil {
		return fmt.Errorf("auth: key set: %w", err)
	}
	return replace(path, append(data, '\n'))
}

// replace writes a file beside and moves it into place.
func replace(path string, data []byte) error {
	beside := path + ".new"
	if err := os.WriteFile(beside, data, 0o644); err != nil {
		return fmt.Errorf("auth: key set: %w", err)
	}
	if err := os.Rename(beside, path); err != nil {
		return fmt.Errorf("auth: key set: %w", err)
	}
	return nil
}

// Shown is a token as it says of itself; nothing of it has been checked.
type Shown struct {
	// Algorithm and Key (kid) of its header.
	Algorithm, Key string
	// Claims that it makes.
	Claims Claims
	// Expires says when, in the local time; zero when it does not.
	Expires time.Time
}

// Show reads a token without checking its signature.
func Show(token string) (Shown, error) {
	var s Shown
	t, _, err := jwt.NewParser().ParseUnverified(token, &s.Claims)
	if err != nil {
		return s, fmt.Errorf("auth: token: %w", err)
	}
	s.Algorithm = t.Method.Alg()
	s.Key, _ = t.Header[jwkset.HeaderKID].(string)
	if s.Claims.ExpiresAt != nil {
		s.Expires = s.Claims.ExpiresAt.Time
	}
	return s, nil
}
