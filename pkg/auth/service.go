package auth

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"google.golang.org/grpc"
)

// serviceAudience is the aud of the tokens by which the services know each other.
const serviceAudience = "skald-services"

// serviceAge is how long such a token is good; a new one is made when half of it
// has gone.
const serviceAge = time.Minute

// ServiceKey is the secret that only the services of one suite have. Tokens signed
// with it open their internal listeners and nothing else; no other token does.
type ServiceKey struct {
	secret []byte
	name   string

	mu    sync.Mutex
	token string
	until time.Time
}

// ReadServiceKey reads the secret from a file; name is who calls with it.
func ReadServiceKey(path, name string) (*ServiceKey, error) {
	secret, err := readSecret(path)
	if err != nil {
		return nil, fmt.Errorf("auth: service key: %w", err)
	}
	return &ServiceKey{secret: secret, name: name}, nil
}

// SameSecret tells whether two files hold the same secret or key.
func SameSecret(a, b string) (bool, error) {
	x, err := os.ReadFile(a)
	if err != nil {
		return false, err
	}
	y, err := os.ReadFile(b)
	return bytes.Equal(bytes.TrimSpace(x), bytes.TrimSpace(y)), err
}

// GetRequestMetadata implements credentials.PerRPCCredentials.
func (k *ServiceKey) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := time.Now()
	if k.until.Sub(now) < serviceAge/2 {
		s := &Signer{method: jwt.SigningMethodHS256, key: k.secret}
		token, err := s.sign(jwt.RegisteredClaims{Issuer: k.name, Subject: k.name, Audience: jwt.ClaimStrings{serviceAudience},
			IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(now.Add(serviceAge))})
		if err != nil {
			return nil, err
		}
		k.token, k.until = token, now.Add(serviceAge)
	}
	return map[string]string{"authorization": "Bearer " + k.token}, nil
}

// RequireTransportSecurity implements credentials.PerRPCCredentials. Whether the
// way between the services is safe enough without TLS is for who runs them.
func (k *ServiceKey) RequireTransportSecurity() bool { return false }

func (k *ServiceKey) admit(ctx context.Context) error {
	token, err := bearer(ctx)
	if err != nil {
		return err
	}
	if len(token) > maxToken {
		return invalid(errors.New("too long"))
	}
	_, err = jwt.NewParser(jwt.WithValidMethods([]string{HS256}), jwt.WithAudience(serviceAudience), jwt.WithExpirationRequired(),
		jwt.WithIssuedAt(), jwt.WithLeeway(defaultSkew)).ParseWithClaims(token, &jwt.RegisteredClaims{}, func(*jwt.Token) (any, error) { return k.secret, nil })
	if err != nil {
		return invalid(err)
	}
	return nil
}

// Unary is the interceptor of an internal listener: it lets the services in and
// nobody else. Health and reflection stay open.
func (k *ServiceKey) Unary(ctx context.Context, req any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
	if !permissions[info.FullMethod].free {
		if err := k.admit(ctx); err != nil {
			return nil, err
		}
	}
	return next(ctx, req)
}

// Stream does for streams what Unary does for calls.
func (k *ServiceKey) Stream(srv any, ss grpc.ServerStream, info *grpc.StreamServerInfo, next grpc.StreamHandler) error {
	if !permissions[info.FullMethod].free {
		if err := k.admit(ss.Context()); err != nil {
			return err
		}
	}
	return next(srv, ss)
}

// Bearer sends a caller's token with each call of a connection. It implements
// credentials.PerRPCCredentials.
type Bearer string

// GetRequestMetadata implements credentials.PerRPCCredentials.
func (b Bearer) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	return map[string]string{"authorization": "Bearer " + string(b)}, nil
}

// RequireTransportSecurity implements credentials.PerRPCCredentials: a token may
// go over a connection of one machine, or of a private network, without TLS.
func (b Bearer) RequireTransportSecurity() bool { return false }
