package auth

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/skaldrpg/skald/pkg/fault"
)

// Reasons of faults about tokens; all give the status UNAUTHENTICATED.
const (
	ReasonMissing = "TOKEN_MISSING"
	ReasonInvalid = "TOKEN_INVALID"
	ReasonExpired = "TOKEN_EXPIRED"
	ReasonRevoked = "TOKEN_REVOKED"
)

// DefaultMaxAge is how far ahead a token's expiry may be when nothing is said.
const DefaultMaxAge = time.Hour

// defaultSkew is how far apart the clocks of a table may be.
const defaultSkew = 30 * time.Second

// Verifier checks tokens. Run keeps it up to date.
type Verifier struct {
	keys    *keySet // nil: no key set
	secret  []byte  // nil: no secret
	revoked *revocations
	issuer  string
	maxAge  time.Duration
	skew    time.Duration
}

// newVerifier reads keys and revocations; errors name the flag's file.
func newVerifier(ctx context.Context, o Options, log *slog.Logger) (*Verifier, error) {
	v := &Verifier{issuer: o.Issuer, maxAge: o.MaxAge, skew: max(o.Skew, 0)}
	if v.maxAge <= 0 {
		v.maxAge = DefaultMaxAge
	}
	if o.Skew == 0 {
		v.skew = defaultSkew
	}
	var err error
	if o.JWKS != "" {
		if v.keys, err = newKeySet(ctx, o.JWKS, log); err != nil {
			return nil, err
		}
	}
	if o.Secret != "" {
		if v.secret, err = readSecret(o.Secret); err != nil {
			return nil, err
		}
	}
	v.revoked, err = newRevocations(ctx, o.Revoked, log)
	return v, err
}

// Run reads keys and revocations again when they change, until the context ends.
func (v *Verifier) Run(ctx context.Context) {
	var wg sync.WaitGroup
	if v.keys != nil {
		wg.Go(func() { v.keys.source.run(ctx) })
	}
	if v.revoked.source != nil {
		wg.Go(func() { v.revoked.source.run(ctx) })
	}
	wg.Wait()
}

// Verify is what a token allows; a fault with one of the reasons of this package
// otherwise.
func (v *Verifier) Verify(ctx context.Context, token string) (*Grant, error) {
	if len(token) > maxToken {
		return nil, invalid(fmt.Errorf("more than %d bytes", maxToken))
	}
	var algorithms []string
	if v.keys != nil {
		algorithms = append(algorithms, EdDSA, ES256)
	}
	if v.secret != nil {
		algorithms = append(algorithms, HS256)
	}
	options := []jwt.ParserOption{jwt.WithValidMethods(algorithms), jwt.WithAudience(Audience), jwt.WithExpirationRequired(),
		jwt.WithIssuedAt(), jwt.WithLeeway(v.skew)}
	if v.issuer != "" {
		options = append(options, jwt.WithIssuer(v.issuer))
	}
	var c Claims
	_, err := jwt.NewParser(options...).ParseWithClaims(token, &c, func(t *jwt.Token) (any, error) {
		if t.Method.Alg() == HS256 {
			return v.secret, nil
		}
		return v.keys.key(ctx, t)
	})
	switch {
	case errors.Is(err, jwt.ErrTokenExpired):
		return nil, expired()
	case err != nil:
		return nil, invalid(err)
	}
	if ahead := time.Until(c.ExpiresAt.Time); ahead > v.maxAge+v.skew {
		return nil, invalid(fmt.Errorf("exp: is %s ahead, at most %s", ahead.Round(time.Second), v.maxAge))
	}
	if err := c.check(); err != nil {
		return nil, invalid(err)
	}
	g := newGrant(&c, v)
	return g, v.ended(g)
}

// ended says why a grant no longer holds.
func (v *Verifier) ended(g *Grant) error {
	switch {
	case v.revoked.has(g):
		return fault.New(fault.Denied, ReasonRevoked, "the token was revoked")
	case !time.Now().Before(g.Until):
		return expired()
	}
	return nil
}

func expired() error {
	return fault.New(fault.Denied, ReasonExpired, "the token has expired")
}

// invalid says what is wrong with a token. The caller has it and may know.
func invalid(err error) error {
	return fault.New(fault.Denied, ReasonInvalid, "the token is not valid: %v", err)
}
